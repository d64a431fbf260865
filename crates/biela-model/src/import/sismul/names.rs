//! Converts labels to unique names of letters, digits and `_`.

use super::deck::Deck;
use crate::import::names::TakenNames;

/// Names of bodies and joints, indexed from zero.
pub(super) struct SismulNames {
    pub(super) bodies: Vec<String>,
    pub(super) joints: Vec<String>,
    taken: TakenNames,
}

impl SismulNames {
    pub(super) fn new(deck: &Deck) -> Self {
        let mut names = SismulNames {
            bodies: Vec::new(),
            joints: Vec::new(),
            taken: TakenNames::default(),
        };
        for (k, bar) in deck.bodies.iter().enumerate() {
            let name = names.choose(&name_of(without_mass_centre(&bar.label)), "body", k + 1);
            names.bodies.push(name);
        }
        for (k, bar) in deck.bodies.iter().enumerate() {
            let name = names.choose(&name_of(&bar.joint_label), "joint", k + 1);
            names.joints.push(name);
        }
        names
    }

    /// Returns an unused name.
    pub(super) fn choose(&mut self, wanted: &str, word: &str, number: usize) -> String {
        self.taken.choose(wanted, word, number)
    }
}

/// `*C. M. BARRA 1*` labels a mass centre; the name is that of the body.
fn without_mass_centre(label: &str) -> &str {
    let label = label.trim_start_matches(['*', ' ']);
    let rest = ["C. M.", "C.M.", "CM "]
        .iter()
        .find_map(|prefix| label.strip_prefix(prefix));
    rest.unwrap_or(label)
}

/// The letters of a label in lower case and its digits; other characters become `_`.
pub(super) fn name_of(label: &str) -> String {
    let mut name = String::new();
    for c in label.chars().flat_map(char::to_lowercase) {
        match plain(c) {
            // "BARRA10" and "BARRA 9" get names of the same form
            Some(c) if c.is_ascii_digit() && name.ends_with(|l: char| l.is_ascii_lowercase()) => {
                name.push('_');
                name.push(c);
            }
            Some(c) => name.push(c),
            None if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            None => {}
        }
    }
    name.trim_end_matches('_').to_owned()
}

/// The letter without its accent.
fn plain(c: char) -> Option<char> {
    match c {
        'a'..='z' | '0'..='9' => Some(c),
        'á' | 'à' | 'â' | 'ã' | 'ä' => Some('a'),
        'é' | 'è' | 'ê' | 'ë' => Some('e'),
        'í' | 'ì' | 'î' | 'ï' => Some('i'),
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => Some('o'),
        'ú' | 'ù' | 'û' | 'ü' => Some('u'),
        'ç' => Some('c'),
        'ñ' => Some('n'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_names() {
        assert_eq!(name_of(without_mass_centre("*C. M. BARRA 1*")), "barra_1");
        assert_eq!(name_of(without_mass_centre("*C. M. BARRA10*")), "barra_10");
        assert_eq!(name_of("*JUNTA      1*"), "junta_1");
        assert_eq!(name_of("ANTEBRAÇO ESQUERDO"), "antebraco_esquerdo");
        assert_eq!(name_of("***"), "");
    }
}
