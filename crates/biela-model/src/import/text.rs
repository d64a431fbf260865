//! Formatting of model texts: lines, numbers, vectors and rotations.

use std::fmt::Write;

use biela_core::math::Mat3;
use biela_core::math::rotation::parameters;

/// The column of comments.
const COMMENT: usize = 34;

/// The text of a model under construction.
#[derive(Default)]
pub(crate) struct ImportedText {
    out: String,
}

impl ImportedText {
    /// Adds a line.
    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Adds a line with a trailing comment.
    pub(crate) fn noted(&mut self, text: &str, comment: &str) {
        let gap = if text.chars().count() < COMMENT {
            ""
        } else {
            "  "
        };
        let _ = writeln!(self.out, "{text:<COMMENT$}{gap}# {comment}");
    }

    /// Adds `key = value`.
    pub(crate) fn key(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.out, "{key} = {value}");
    }

    /// Adds `key = value` with a trailing comment.
    pub(crate) fn noted_key(&mut self, key: &str, value: &str, comment: &str) {
        self.noted(&format!("{key} = {value}"), comment);
    }

    /// Begins a table after an empty line.
    pub(crate) fn table(&mut self, header: &str) {
        let _ = writeln!(self.out, "\n{header}");
    }

    /// The whole text.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// Formats a number: no negative zero, an exponent if there would be many digits. It parses to the same number.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || (1e-6..1e12).contains(&size) {
        format!("{}", x + 0.0)
    } else {
        format!("{x:e}")
    }
}

/// Formats an angle in radians; beyond a full turn the unit is written, because such a bare number is often a mistake for degrees.
pub(crate) fn angle(x: f64) -> String {
    if x.abs() > std::f64::consts::TAU {
        format!("\"{} rad\"", number(x))
    } else {
        number(x)
    }
}

/// Numbers in brackets.
pub(crate) fn vector(numbers: &[f64]) -> String {
    listed(numbers.iter().map(|x| number(*x)))
}

/// Texts in brackets.
pub(crate) fn listed(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

/// A TOML string. JSON string escapes are valid in TOML strings, except for DEL, which TOML requires to be escaped.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.replace('\u{7f}', "\\u007f")
}

/// A key of a TOML table, quoted if necessary.
pub(crate) fn bare_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.chars().all(bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// An inertia matrix as three moments if it is diagonal, otherwise as three rows. `entry` formats a number.
pub(crate) fn inertia(matrix: &Mat3<f64>, entry: impl Fn(f64) -> String) -> String {
    if Mat3::from_diagonal(&matrix.diagonal()) == *matrix {
        return listed((0..3).map(|i| entry(matrix[(i, i)])));
    }
    listed((0..3).map(|i| listed((0..3).map(|j| entry(matrix[(i, j)])))))
}

/// The table of a rotation: about a coordinate axis if possible, otherwise Euler parameters; `None` for the identity.
#[allow(non_snake_case)]
pub(crate) fn rotation(R: &Mat3<f64>) -> Option<String> {
    if *R == Mat3::identity() {
        return None;
    }
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let apart = [R[(i, k)], R[(k, i)], R[(j, k)], R[(k, j)]];
        if R[(k, k)] == 1.0 && apart == [0.0; 4] {
            let angle = R[(j, i)].atan2(R[(i, i)]);
            let axis = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"][k];
            return Some(format!("{{ axis = {axis}, angle = {} }}", number(angle)));
        }
    }
    let parameters = vector(&parameters(R));
    Some(format!("{{ euler_parameters = {parameters} }}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_core::math::Vec3;
    use biela_core::math::rotation::{about, from_dextral};

    #[test]
    fn numbers_are_read_back_as_they_were() {
        for x in [0.0, -0.0, 1.0, 0.1, -1e-7, 1e300, 1e12, 123_456.789, 5e-324] {
            assert_eq!(number(x).parse::<f64>().ok(), Some(x), "{}", number(x));
        }
        assert_eq!(number(-0.0), "0");
    }

    #[test]
    fn a_rotation_is_written_in_its_shortest_form() {
        assert_eq!(rotation(&Mat3::identity()), None);
        assert_eq!(
            rotation(&about(1, 0.5)).as_deref(),
            Some("{ axis = [0, 1, 0], angle = 0.5 }")
        );
        let turned = rotation(&from_dextral(&Vec3::new(0.1, 0.2, 0.3)));
        assert!(turned.is_some_and(|text| text.starts_with("{ euler_parameters = [0.98")));
    }

    #[test]
    fn a_diagonal_inertia_is_three_moments() {
        let mut matrix = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5));
        assert_eq!(inertia(&matrix, number), "[1, 2, 2.5]");
        matrix[(0, 1)] = 0.5;
        matrix[(1, 0)] = 0.5;
        assert_eq!(
            inertia(&matrix, number),
            "[[1, 0.5, 0], [0.5, 2, 0], [0, 0, 2.5]]"
        );
    }
}
