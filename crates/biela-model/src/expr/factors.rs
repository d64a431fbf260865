//! The factors of units that follow numbers.

use std::ops::Range;

use super::lexer;
use crate::units::{is_unit_start, unit_name_length, unit_named};

/// A factor of a unit, after the first, that follows a number without spaces or brackets: the `m` of `10 N*m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFactor {
    /// The range of the factor.
    pub span: Range<usize>,
    /// The start of the number.
    pub number_start: usize,
    /// The range of the unit up to its last valid factor.
    pub unit: Range<usize>,
}

/// Returns all such factors of a text, in the order of occurrence.
///
/// ```
/// use biela_model::expr::unit_factors;
///
/// let text = "2*(10 N*m + 3 [N*m]) * 5 N * m";
/// let factors: Vec<&str> = unit_factors(text).iter().map(|f| &text[f.span.clone()]).collect();
/// assert_eq!(factors, ["m"]);
/// ```
pub fn unit_factors(text: &str) -> Vec<UnitFactor> {
    let mut factors = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if lexer::is_name_start(c) {
            // a name with all of its parts: digits inside it are not numbers
            let rest = &text[at..];
            at += rest
                .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
                .unwrap_or(rest.len());
            continue;
        }
        let Some((_, length)) = lexer::number(&text[at..]) else {
            at += c.len_utf8();
            continue;
        };
        let number_start = at;
        at += length;
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let found = chain(text, at);
        let end = found.last().map_or(at, |span| span.end);
        let unit = at..end;
        factors.extend(found.into_iter().skip(1).map(|span| UnitFactor {
            span,
            number_start,
            unit: unit.clone(),
        }));
        at = end;
    }
    factors
}

/// The names of units from an offset on, separated by `*`, `·` or `/` and with optional integer powers, up to the first name that is not a unit.
fn chain(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut names = Vec::new();
    let mut at = start;
    while let Some(c) = text[at..].chars().next()
        && is_unit_start(c)
    {
        let end = at + unit_name_length(&text[at..]);
        let continues = text[end..].starts_with(['.', '(', '\'']);
        if unit_named(&text[at..end]).is_none() || continues {
            break;
        }
        names.push(at..end);
        at = end;
        let power = text[at..].strip_prefix('^').map(|rest| {
            let signed = rest.strip_prefix('-').unwrap_or(rest);
            let digits = signed.find(|c: char| !c.is_ascii_digit());
            1 + rest.len() - signed.len() + digits.unwrap_or(signed.len())
        });
        at += power.unwrap_or(0);
        if let Some(sign @ ('²' | '³')) = text[at..].chars().next() {
            at += sign.len_utf8();
        }
        match text[at..].chars().next() {
            Some(sign @ ('*' | '·' | '/')) => at += sign.len_utf8(),
            _ => break,
        }
    }
    names
}
