//! Parser for words and numbers in a fixed order; after an error it continues at the next keyword.

use std::cell::Cell;

use super::{RoboFile, RoboLink, RoboValue};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span, Spanned, shown};

/// All keywords, in their order.
const KEYWORDS: [&str; 19] = [
    "G", "ROBO", "NLIGS", "GEOM", "ALFA", "TETA", "DD", "LL", "MIHMOD", "I", "J", "K", "M", "XY",
    "XZ", "YZ", "X", "Y", "Z",
];
/// The keyword of a joint variable.
const MOVES: &str = "VAR";
/// The maximum number of links.
const MOST_LINKS: usize = 1000;

/// The words of a file without comments.
fn words(text: &str, source: SourceId) -> Vec<Spanned<&str>> {
    let mut words = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        if !line.starts_with('*') {
            let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
            words.extend(line.split_whitespace().map(|word| {
                let start = line_start + place(word);
                Spanned {
                    value: word,
                    span: Span::new(source, start..start + word.len()),
                }
            }));
        }
        line_start += line.len();
    }
    words
}

struct RoboReader<'f, 'd> {
    words: Vec<Spanned<&'f str>>,
    at: usize,
    end: Span,
    /// Set if the unexpected end of the file was reported.
    ended: bool,
    diagnostics: &'d Diagnostics,
    errors: Cell<usize>,
}

impl<'f> RoboReader<'f, '_> {
    fn push(&self, error: Diagnostic) {
        self.errors.set(self.errors.get() + 1);
        self.diagnostics.push(error);
    }

    fn error(&self, code: &'static str, message: String, span: Span, label: &str) {
        self.push(Diagnostic::error(code, message).at(span, label));
    }

    fn here(&self) -> Option<Spanned<&'f str>> {
        self.words.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Spanned<&'f str>> {
        let word = self.here();
        self.at += usize::from(word.is_some());
        word
    }

    /// Skips a keyword. If another word is found, the parser continues at the keyword. If the keyword does not occur, a word that is neither a keyword nor a
    /// number is taken for it.
    fn keyword(&mut self, keyword: &'static str) -> bool {
        let here = self.here();
        if here.is_some_and(|word| word.value == keyword) {
            self.at += 1;
            return true;
        }
        if here.is_none() && self.ended {
            return false;
        }
        self.ended |= here.is_none();
        let (span, message) = match here {
            Some(word) => (
                word.span,
                format!("expected `{keyword}`, found {}", shown(word.value)),
            ),
            None => (self.end, format!("the file ends before `{keyword}`")),
        };
        let help = match here {
            Some(word) if word.value.eq_ignore_ascii_case(keyword) => {
                "keywords are written in capitals".to_owned()
            }
            _ => format!("the order is {}", KEYWORDS.join(" ")),
        };
        let label = format!("`{keyword}` is expected here");
        let error = Diagnostic::error("unexpected-word", message).at(span, label);
        self.push(error.help(help));
        let ahead = self.words[self.at..].iter();
        let misspelt = |word: Spanned<&str>| {
            !KEYWORDS.contains(&word.value) && word.value.parse::<f64>().is_err()
        };
        match ahead
            .map(|word| word.value)
            .position(|word| word == keyword)
        {
            Some(skipped) => self.at += skipped + 1,
            None if here.is_some_and(misspelt) => self.at += 1,
            None => return false,
        }
        true
    }

    /// The next value of a keyword; a missing value is reported for that keyword.
    fn value(&mut self, wanted: &str, moves: bool) -> Option<Spanned<RoboValue>> {
        let expected = if moves {
            "a number or `VAR` is expected here"
        } else {
            "a number is expected here"
        };
        let word = self.here().filter(|word| !KEYWORDS.contains(&word.value));
        let Some(word) = word else {
            self.ended |= self.here().is_none();
            let span = self.here().map_or(self.end, |word| word.span);
            self.error(
                "missing-value",
                format!("{wanted} is missing"),
                span,
                expected,
            );
            return None;
        };
        self.at += 1;
        let entry = match word.value.parse::<f64>() {
            Ok(number) if number.is_finite() => RoboValue::Number(number),
            _ if moves && word.value == MOVES => RoboValue::Moves,
            _ => {
                let message = format!("{wanted}: {} is not a number", shown(word.value));
                self.error("unexpected-word", message, word.span, expected);
                RoboValue::Unread
            }
        };
        Some(word.map(|_| entry))
    }

    /// The given number of values after a keyword; if the number is unknown, all up to the next keyword.
    fn values(
        &mut self,
        keyword: &'static str,
        count: Option<usize>,
        moves: bool,
    ) -> Vec<Spanned<RoboValue>> {
        let mut values = Vec::new();
        if !self.keyword(keyword) {
            return values;
        }
        let more = |reader: &Self, read: usize| match count {
            Some(count) => read < count,
            None => reader
                .here()
                .is_some_and(|word| !KEYWORDS.contains(&word.value)),
        };
        while more(self, values.len()) {
            let wanted = format!("`{keyword}` of link {}", values.len() + 1);
            match self.value(&wanted, moves) {
                Some(value) => values.push(value),
                None => break,
            }
        }
        values
    }

    /// The values without `VAR`; unreadable ones are zero.
    fn numbers(&mut self, keyword: &'static str, count: Option<usize>) -> Vec<Spanned<f64>> {
        let values = self.values(keyword, count, false);
        values
            .iter()
            .map(|value| value.map(RoboValue::number))
            .collect()
    }

    /// Reports angles beyond half a turn.
    fn check_angles(&self, keyword: &str, angles: &[Spanned<RoboValue>]) {
        for (i, angle) in angles.iter().enumerate() {
            let value = angle.value.number();
            if !(-180.0..=180.0).contains(&value) {
                let message = format!("`{keyword}` of link {} is {value} degrees", i + 1);
                let label = "must lie between -180 and 180";
                self.error("bad-angle", message, angle.span, label);
            }
        }
    }

    fn check_not_negative(&self, keyword: &str, values: &[Spanned<f64>], help: Option<&str>) {
        for (i, value) in values.iter().enumerate().filter(|(_, x)| x.value < 0.0) {
            let message = format!("`{keyword}` of link {} is {}", i + 1, value.value);
            let error = Diagnostic::error("negative", message);
            let error = error.at(value.span, "must not be negative");
            self.push(error.maybe_help(help.map(str::to_owned)));
        }
    }

    /// Reports joints with both or neither of θ and d variable.
    fn check_variables(&self, theta: &[Spanned<RoboValue>], d: &[Spanned<RoboValue>]) {
        for (i, (theta, d)) in theta.iter().zip(d).enumerate() {
            let both = [theta.value, d.value];
            let moving = both.map(|entry| entry == RoboValue::Moves);
            if moving[0] != moving[1] || both.contains(&RoboValue::Unread) {
                continue;
            }
            let message = if moving[0] {
                format!("both `TETA` and `DD` of link {} are `VAR`", i + 1)
            } else {
                format!("neither `TETA` nor `DD` of link {} is `VAR`", i + 1)
            };
            let help =
                "exactly one is the joint variable: TETA of a revolute, DD of a prismatic joint";
            let error = Diagnostic::error("bad-variable", message);
            let error = error
                .at(d.span, "this is DD")
                .also(theta.span, "this is TETA");
            self.push(error.help(help));
        }
    }

    /// The number of links.
    fn links(&mut self) -> Option<Spanned<usize>> {
        if !self.keyword("NLIGS") {
            return None;
        }
        let word = self.next()?;
        let count = word.value.parse::<usize>().ok();
        let count = count.filter(|count| (1..=MOST_LINKS).contains(count));
        if count.is_none() {
            let message = format!("`NLIGS` cannot be {}", shown(word.value));
            let label = format!("an integer from 1 to {MOST_LINKS} is expected here");
            self.error("unexpected-word", message, word.span, &label);
        }
        count.map(|count| word.map(|_| count))
    }

    fn gravity(&mut self) -> [f64; 3] {
        let mut gravity = [0.0; 3];
        if !self.keyword("G") {
            return gravity;
        }
        for (component, axis) in gravity.iter_mut().zip(["x", "y", "z"]) {
            let Some(value) = self.value(&format!("{axis} of `G`"), false) else {
                break;
            };
            *component = value.value.number();
        }
        gravity
    }
}

/// Parses a file; `None` after an error, which was reported.
pub(super) fn robot<'f>(
    text: &'f str,
    source: SourceId,
    diagnostics: &Diagnostics,
) -> Option<RoboFile<'f>> {
    let end = text.trim_end().len();
    let mut reader = RoboReader {
        words: words(text, source),
        at: 0,
        end: Span::new(source, end..end),
        ended: false,
        diagnostics,
        errors: Cell::new(0),
    };
    let gravity = reader.gravity();
    let name = reader.keyword("ROBO").then(|| reader.next()).flatten();
    let count = reader.links();
    let n = count.map(|count| count.value);
    let _ = reader.keyword("GEOM");
    let alpha = reader.values("ALFA", n, false);
    let theta = reader.values("TETA", n, true);
    let d = reader.values("DD", n, true);
    let a = reader.numbers("LL", n);
    let _ = reader.keyword("MIHMOD");
    let squares = ["I", "J", "K"].map(|keyword| reader.numbers(keyword, n));
    let mass = reader.numbers("M", n);
    let products = ["XY", "XZ", "YZ"].map(|keyword| reader.numbers(keyword, n));
    let center = ["X", "Y", "Z"].map(|keyword| reader.numbers(keyword, n));
    if let Some(word) = reader.next() {
        let message = format!("{} comes after the last value", shown(word.value));
        let label = "the end of the file is expected here";
        reader.error("unexpected-word", message, word.span, label);
    }
    reader.check_angles("ALFA", &alpha);
    reader.check_angles("TETA", &theta);
    let turned = "rotate the frames so that x points to the next axis";
    reader.check_not_negative("LL", &a, Some(turned));
    reader.check_not_negative("M", &mass, None);
    reader.check_variables(&theta, &d);
    let (name, count) = (name?, count?);
    if reader.errors.get() > 0 {
        return None;
    }
    let at = |lists: &[Vec<Spanned<f64>>; 3], i: usize| [0, 1, 2].map(|k| lists[k][i].value);
    let link = |i: usize| RoboLink {
        alpha: alpha[i].value.number(),
        theta: theta[i].value,
        d: d[i].value,
        a: a[i].value,
        mass: mass[i].value,
        squares: [0, 1, 2].map(|k| squares[k][i]),
        products: at(&products, i),
        center: at(&center, i),
    };
    Some(RoboFile {
        gravity,
        name,
        count,
        links: (0..count.value).map(link).collect(),
    })
}
