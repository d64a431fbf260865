//! Lexer: text to tokens, one at a time.

use std::ops::Range;

use super::ExprError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    /// A dotted name without its quotes, and whether a part was quoted.
    Name {
        text: String,
        quoted: bool,
    },
    /// An operator or bracket.
    Sign(&'static str),
    End,
}

/// Longer operators first, so that `<=` is not read as `<`.
const SIGNS: &[&str] = &[
    "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "^", "<", ">", "(", ")", "[", ",", "?", ":",
];

/// Operators of other languages, and their form here.
const FOREIGN: &[(&str, &str)] = &[
    ("**", "a power is written `x^2`"),
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("&", "write `and`"),
    ("|", "write `or`"),
    ("!", "write `not`"),
    ("=", "equality is written `==`"),
    ("≤", "write `<=`"),
    ("≥", "write `>=`"),
    ("≠", "write `!=`"),
    ("−", "write the hyphen-minus, `-`"),
    ("×", "write `*`"),
    ("·", "write `*`"),
    ("÷", "write `/`"),
    ("²", "write `^2`"),
    ("³", "write `^3`"),
    ("√", "write `sqrt(x)`"),
    ("[", "a unit in square brackets follows a number: `5 [N*m]`"),
    ("]", "a unit in square brackets follows a number: `5 [N*m]`"),
    (";", "arguments are separated by `,`"),
    (
        "\"",
        "put a name with other characters in single quotes: `'left-wheel'.x`",
    ),
];

/// The explanation for an operator of another language at the start of the text.
fn foreign_help(rest: &str) -> Option<(&'static str, &'static str)> {
    FOREIGN
        .iter()
        .find(|(sign, _)| rest.starts_with(sign))
        .copied()
}

/// Reads the token that starts at or after byte `at`.
pub(super) fn next(text: &str, at: usize) -> Result<(Token, Range<usize>), ExprError> {
    let rest = &text[at..];
    let start = at + rest.len() - rest.trim_start().len();
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else {
        return Ok((Token::End, start..start));
    };
    if let Some((value, length)) = number(rest) {
        let span = start..start + length;
        if value.is_infinite() {
            return Err(ExprError::new(span, "the number is too large"));
        }
        return Ok((Token::Number(value), span));
    }
    if is_name_start(first) || first == '\'' {
        return name(text, start);
    }
    if !rest.starts_with("**")
        && let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign))
    {
        return Ok((Token::Sign(sign), start..start + sign.len()));
    }
    if let Some((sign, help)) = foreign_help(rest) {
        let span = start..start + sign.len();
        return Err(ExprError::new(span, format!("`{sign}` is not allowed here")).help(help));
    }
    let span = start..start + first.len_utf8();
    let shown = first.escape_debug();
    Err(ExprError::new(
        span,
        format!("unexpected character `{shown}`"),
    ))
}

/// Parses the number at the start of the text: digits, a point, an exponent, no sign. Returns it with its length in bytes.
pub(super) fn number(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes
            .iter()
            .skip(from)
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if end == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    text[..end].parse().ok().map(|value| (value, end))
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    (c.is_alphanumeric() || c == '_') && !matches!(c, '²' | '³')
}

/// A dotted name: parts of letters, digits and `_`, or anything in single quotes.
fn name(text: &str, start: usize) -> Result<(Token, Range<usize>), ExprError> {
    let mut at = start;
    let mut full = String::new();
    let mut any_quoted = false;
    loop {
        let rest = &text[at..];
        if let Some(inside) = rest.strip_prefix('\'') {
            let Some(length) = inside.find('\'') else {
                return Err(ExprError::new(
                    at..text.len(),
                    "the closing quote of this name is missing",
                ));
            };
            if length == 0 {
                return Err(ExprError::new(at..at + 2, "the name is empty"));
            }
            full.push_str(&inside[..length]);
            at += length + 2;
            any_quoted = true;
        } else {
            let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            if length == 0 {
                let width = rest.chars().next().map_or(0, char::len_utf8);
                return Err(ExprError::new(
                    at..at + width,
                    "a name is missing after the point",
                ));
            }
            full.push_str(&rest[..length]);
            at += length;
        }
        if !text[at..].starts_with('.') {
            return Ok((
                Token::Name {
                    text: full,
                    quoted: any_quoted,
                },
                start..at,
            ));
        }
        full.push('.');
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_up_to_their_last_character() {
        for (text, value, length) in [
            ("12", 12.0, 2),
            (".5x", 0.5, 2),
            ("5.", 5.0, 2),
            ("1e3m", 1e3, 3),
            ("1E-3", 1e-3, 4),
            ("5e", 5.0, 1),
            ("5e+", 5.0, 1),
            ("1.5e+2.5", 150.0, 6),
        ] {
            assert_eq!(number(text), Some((value, length)), "{text}");
        }
        for text in ["", ".", "e5", "-1", ".e1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn a_dotted_name_is_one_token() {
        let token = |text: &str| next(text, 0).map(|(token, span)| (token, span.end));
        let name = |text: &str, quoted| Token::Name {
            text: text.to_owned(),
            quoted,
        };
        assert_eq!(token("rod.A.x+1"), Ok((name("rod.A.x", false), 7)));
        assert_eq!(
            token("'left-wheel'.x"),
            Ok((name("left-wheel.x", true), 14))
        );
        assert_eq!(token("leg.2.x"), Ok((name("leg.2.x", false), 7)));
        assert_eq!(token("θ_1 "), Ok((name("θ_1", false), 4)));
        assert_eq!(token("вал.угол"), Ok((name("вал.угол", false), 15)));
    }
}
