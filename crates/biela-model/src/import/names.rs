//! Converts names of other programs to unique names of a model: letters, digits, `_` and `-`.

use std::collections::BTreeSet;

use crate::lower::names::{RESERVED, is_name};

/// The names in use.
#[derive(Default)]
pub(crate) struct TakenNames {
    names: BTreeSet<String>,
}

impl TakenNames {
    /// Returns an unused name: `wanted`, or with the word or the number appended.
    pub(crate) fn choose(&mut self, wanted: &str, word: &str, number: usize) -> String {
        let candidates = [
            wanted.to_owned(),
            format!("{word}_{wanted}"),
            format!("{wanted}_{number}"),
            format!("{word}_{number}"),
        ];
        let further = (2..).map(|n| format!("{word}_{number}_{n}"));
        let name = candidates
            .into_iter()
            .chain(further)
            .find(|name| {
                let whole = !name.starts_with('_') && !name.ends_with('_');
                let allowed = is_name(name) && !RESERVED.contains(&name.as_str());
                whole && allowed && !self.names.contains(name)
            })
            .unwrap_or_default();
        let _ = self.names.insert(name.clone());
        name
    }
}

/// The name with every invalid character replaced by `_`.
pub(crate) fn valid(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let plain: String = name
        .chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    plain.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_where_it_can_be_and_never_given_twice() {
        let mut taken = TakenNames::default();
        let mut choose = |name: &str| taken.choose(&valid(name), "joint", 7);
        assert_eq!(choose("elbow_l"), "elbow_l");
        assert_eq!(choose("elbow_l"), "joint_elbow_l");
        assert_eq!(choose("elbow_l"), "elbow_l_7");
        assert_eq!(choose("a/b c"), "a_b_c");
        assert_eq!(choose("ground"), "joint_ground");
        assert_eq!(choose("//"), "joint_7");
        assert_eq!(choose("2nd"), "joint_2nd");
        assert_eq!(choose(""), "joint_7_2");
    }
}
