//! Cards: lines with fields in fixed columns, followed by a free comment.

use std::fmt::Display;

use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span, shown};

/// Column width of an integer (I5) and of a real number (F10).
const INTEGER: usize = 5;
const REAL: usize = 10;
/// Column width of a label.
const LABEL: usize = 20;

/// Reads cards in sequence; reports problems and continues.
pub(super) struct Cards<'t> {
    source: SourceId,
    text: &'t str,
    /// Byte ranges of the lines.
    lines: Vec<(usize, usize)>,
    next: usize,
    diagnostics: &'t Diagnostics,
    /// Set if the end of the cards was reported.
    ended: bool,
    /// Cards whose numbers are separated by blanks instead of columns.
    loose: Vec<Span>,
}

/// A number and its columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardNumber<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

/// The contents of one card.
#[derive(Clone, Debug)]
pub(super) struct Card<T> {
    pub(super) fields: Vec<CardNumber<T>>,
    /// The whole card.
    pub(super) span: Span,
}

impl<'t> Cards<'t> {
    pub(super) fn new(text: &'t str, source: SourceId, diagnostics: &'t Diagnostics) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            lines.push((start, start + shown.len()));
            start += line.len();
        }
        Cards {
            source,
            text,
            lines,
            next: 0,
            diagnostics,
            ended: false,
            loose: Vec::new(),
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start..end)
    }

    /// Returns the next line; at the end of the cards one error names the missing card.
    fn take(&mut self, what: &str) -> Option<(usize, &'t str)> {
        if let Some(&(start, end)) = self.lines.get(self.next) {
            self.next += 1;
            return Some((start, &self.text[start..end]));
        }
        if !self.ended {
            self.ended = true;
            let end = self.text.len();
            let message = format!("the cards end before {what}");
            self.diagnostics.push(
                Diagnostic::error("cards-end", message)
                    .at(self.span(end, end), "the last card")
                    .help("add the cards that are missing, or check the numbers of bodies and profiles before"),
            );
        }
        None
    }

    /// A card of text, up to column `width`.
    pub(super) fn title(&mut self, what: &str, width: usize) -> Option<&'t str> {
        let (_, line) = self.take(what)?;
        let end = line
            .char_indices()
            .nth(width)
            .map_or(line.len(), |(at, _)| at);
        Some(line[..end].trim())
    }

    /// Reads `count` labels, three per card, 20 columns each; separated by asterisks or two blanks if the columns would split one.
    pub(super) fn labels(&mut self, what: &str, count: usize) -> Option<Vec<&'t str>> {
        let mut labels = Vec::new();
        while labels.len() < count {
            let (start, line) = self.take(what)?;
            let many = 3.min(count - labels.len());
            let fields = columns(line, LABEL, many);
            let cut = fields.iter().any(|&(_, end)| {
                let before = line[..end].chars().next_back();
                let after = line[end..].chars().next();
                before.is_some_and(|c| !c.is_whitespace())
                    && after.is_some_and(|c| !c.is_whitespace() && c != '*')
            });
            let apart = if cut { labels_apart(line) } else { Vec::new() };
            if apart.len() == many {
                self.loose.push(self.span(start, start + line.len()));
                labels.extend(apart);
            } else {
                labels.extend(fields.into_iter().map(|(a, b)| line[a..b].trim()));
            }
        }
        Some(labels)
    }

    /// One integer.
    pub(super) fn integer(&mut self, what: &str) -> Option<CardNumber<i64>> {
        self.integers(what, 1)?.fields.first().copied()
    }

    /// A card of integers.
    pub(super) fn integers(&mut self, what: &str, count: usize) -> Option<Card<i64>> {
        self.card(what, count, INTEGER, integer, "an integer")
    }

    /// A card of real numbers.
    pub(super) fn reals(&mut self, what: &str, count: usize) -> Option<Card<f64>> {
        self.card(what, count, REAL, real, "a number")
    }

    /// Reads numbers by columns, where a blank field is zero as in FORTRAN, or by blanks if the numbers have another spacing.
    ///
    /// A card that reads differently by columns and by blanks, without a criterion to decide, is an error: no reading is guessed. A field that is unreadable
    /// either way is reported and gets the default value, so that reading continues.
    fn card<T: Copy + Default + PartialEq + Display>(
        &mut self,
        what: &str,
        count: usize,
        width: usize,
        parse: fn(&str) -> Option<T>,
        kind: &str,
    ) -> Option<Card<T>> {
        let (start, line) = self.take(what)?;
        let span = self.span(start, start + line.len());
        let places = columns(line, width, count);
        let field = |&(a, b): &(usize, usize)| {
            let text = line[a..b].trim();
            let value = if text.is_empty() {
                Some(T::default())
            } else {
                parse(text)
            };
            (text, value, self.span(start + a, start + b))
        };
        let by_columns: Vec<_> = places.iter().map(field).collect();
        let numbers: Vec<(usize, &str, T)> = words(line)
            .take(count)
            .map_while(|(a, word)| Some((a, word, parse(word)?)))
            .collect();
        let blanks_give_all = numbers.len() == count;
        let columns_give_all = by_columns.iter().all(|(_, value, _)| value.is_some());
        let differs = by_columns
            .iter()
            .zip(&numbers)
            .any(|((_, value, _), (_, _, other))| *value != Some(*other));
        let words: Vec<(usize, &str)> = numbers.iter().map(|&(a, word, _)| (a, word)).collect();
        let loose = !columns_give_all
            || line.contains('\t')
            || (differs && other_spacing(line, &words, width));
        if blanks_give_all && loose {
            self.loose.push(span);
            let fields = numbers
                .into_iter()
                .map(|(a, word, value)| CardNumber {
                    value,
                    span: self.span(start + a, start + a + word.len()),
                })
                .collect();
            return Some(Card { fields, span });
        }
        if line.trim().is_empty() {
            let message = format!("the card of {what} is blank");
            self.diagnostics.push(
                Diagnostic::error("blank-card", message)
                    .at(span, "blank")
                    .help("write the zeros, or remove the line if it is not a card"),
            );
        }
        let cut = words.iter().any(|word| is_cut(line, *word, width, count));
        if columns_give_all && (cut || (blanks_give_all && differs)) {
            let by_columns: Vec<_> = by_columns.iter().filter_map(|(_, v, _)| *v).collect();
            let by_blanks: Vec<_> = numbers.iter().map(|&(_, _, value)| value).collect();
            let message = format!(
                "{what} is ambiguous: read by columns it is {}, by blanks {}",
                listed(&by_columns),
                listed(&by_blanks)
            );
            self.diagnostics.push(
                Diagnostic::error("two-readings", message)
                    .at(span, "not in its columns")
                    .help(format!(
                        "begin the fields at column{} {}, and write a zero where a field is blank",
                        if count == 1 { "" } else { "s" },
                        begins(count, width)
                    )),
            );
        }
        let mut fields = Vec::with_capacity(count);
        for (k, (text, value, span)) in by_columns.into_iter().enumerate() {
            if value.is_none() {
                let (first, last) = (k * width + 1, (k + 1) * width);
                let message = format!("{what}: columns {first} to {last} are not {kind}");
                self.diagnostics.push(
                    Diagnostic::error("bad-field", message)
                        .at(span, format!("this is {}", shown(text)))
                        .help(format!(
                            "{count} field{} of {width} columns, beginning at column {}; a comment may follow",
                            if count == 1 { "" } else { "s" },
                            begins(count, width)
                        )),
                );
            }
            fields.push(CardNumber {
                value: value.unwrap_or_default(),
                span,
            });
        }
        Some(Card { fields, span })
    }

    /// A further integer after the `count` fields of the last card, by columns or by blanks as the card was read.
    pub(super) fn extra_integer(&self, count: usize) -> Option<Span> {
        let &(start, end) = self.lines.get(self.next.checked_sub(1)?)?;
        let line = &self.text[start..end];
        let loose = self.loose.last() == Some(&self.span(start, end));
        let (a, b) = if loose {
            let (at, word) = words(line).nth(count)?;
            (at, at + word.len())
        } else {
            columns(line, INTEGER, count + 1).pop()?
        };
        let _ = integer(line[a..b].trim())?;
        Some(self.span(start + a, start + b))
    }

    /// Reports observations about all cards, and unused cards.
    pub(super) fn finish(&self) {
        if let Some((first, rest)) = self.loose.split_first() {
            let others = match rest.len() {
                0 => String::new(),
                1 => " and one more".to_owned(),
                n => format!(" and {n} more"),
            };
            let message = format!(
                "this card{others}: the fields are not in their columns, so they were read as separated by blanks"
            );
            self.diagnostics.push(
                Diagnostic::warning("not-in-columns", message)
                    .at(*first, "read by blanks")
                    .help("integers take 5 columns each, real numbers 10, labels 20; a comment may follow"),
            );
        }
        let left = self.lines.iter().skip(self.next);
        if let Some(&(start, end)) = left
            .clone()
            .find(|&&(start, end)| !self.text[start..end].trim().is_empty())
        {
            self.diagnostics.push(
                Diagnostic::warning("cards-left", "there are more cards than the deck declares")
                    .at(self.span(start, end), "not read")
                    .help("check the numbers of bodies, profiles and points before"),
            );
        }
    }
}

/// "1, 11 and 21".
fn begins(count: usize, width: usize) -> String {
    let columns: Vec<usize> = (0..count).map(|k| k * width + 1).collect();
    listed(&columns)
}

/// "a, b and c".
fn listed<T: Display>(values: &[T]) -> String {
    let words: Vec<String> = values.iter().map(T::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// The column of byte `at` in a line, from 0.
fn column(line: &str, at: usize) -> usize {
    line[..at].chars().count()
}

/// Returns `true` if a boundary of the `count` fields of `width` columns splits a word.
fn is_cut(line: &str, (at, word): (usize, &str), width: usize, count: usize) -> bool {
    let first = column(line, at);
    let last = first + word.chars().count() - 1;
    first / width != last / width && first / width < count.saturating_sub(1)
}

/// Returns `true` if the numbers of a card that reads differently by columns and by blanks certainly have another spacing than the fields.
///
/// This is so if a field boundary splits a number that is not longer than a field, and if three or more numbers are evenly spaced, but not by whole fields. A
/// trailing number without the decimal point of the others may belong to a comment, which leaves the question open.
fn other_spacing(line: &str, words: &[(usize, &str)], width: usize) -> bool {
    let short = |(_, word): &(usize, &str)| word.chars().count() <= width;
    if words
        .iter()
        .any(|word| short(word) && is_cut(line, *word, width, words.len()))
    {
        return true;
    }
    let point = |word: &str| word.contains('.');
    let alike = words.windows(2).all(|w| point(w[0].1) == point(w[1].1));
    let even = |of: fn(&str, (usize, &str)) -> usize| {
        let places: Vec<usize> = words.iter().map(|word| of(line, *word)).collect();
        let pitches: Vec<usize> = places.windows(2).map(|w| w[1] - w[0]).collect();
        pitches.len() > 1
            && pitches.iter().all(|pitch| *pitch == pitches[0])
            && !pitches[0].is_multiple_of(width)
    };
    alike
        && (even(|line, (at, _)| column(line, at))
            || even(|line, (at, w)| column(line, at + w.len())))
}

/// Byte ranges of `count` fields of `width` characters; empty where the line is shorter.
fn columns(line: &str, width: usize, count: usize) -> Vec<(usize, usize)> {
    let mut marks: Vec<usize> = line
        .char_indices()
        .map(|(at, _)| at)
        .step_by(width)
        .take(count + 1)
        .collect();
    marks.resize(count + 1, line.len());
    marks.windows(2).map(|w| (w[0], w[1])).collect()
}

/// Labels between asterisks, otherwise those separated by at least two blanks.
fn labels_apart(line: &str) -> Vec<&str> {
    let starred: Vec<&str> = line.split('*').skip(1).step_by(2).map(str::trim).collect();
    if line.matches('*').count() == 2 * starred.len() && !starred.is_empty() {
        return starred;
    }
    let parts = line.split("  ").map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}

/// Words with their byte offsets.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace()
        .map(move |word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Parses a real number in FORTRAN notation: `-.5`, `1.5D-3`, `1.5-3`.
fn real(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let plain = lower.replace('d', "e");
    let mut digits = plain.clone();
    // the letter of an exponent is optional
    let sign = plain.rfind(['+', '-']).filter(|&at| at > 0);
    if let Some(at) = sign
        && plain[..at].ends_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        digits.insert(at, 'e');
    }
    let number = digits
        .bytes()
        .all(|c| c.is_ascii_digit() || b"+-.e".contains(&c));
    digits
        .parse()
        .ok()
        .filter(|value: &f64| number && value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{ReportStyle, Sources};

    #[test]
    fn real_numbers_are_read_as_fortran_writes_them() {
        for (text, value) in [
            ("9.8", 9.8),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("5", 5.0),
            ("1.5E-3", 1.5e-3),
            ("1.5d-3", 1.5e-3),
            ("1.5-3", 1.5e-3),
            ("1.5+3", 1.5e3),
            ("-2.5e+1", -25.0),
            ("+3.", 3.0),
        ] {
            assert_eq!(real(text), Some(value), "{text}");
        }
        for text in [
            "", ".", "-", "1..2", "inf", "nan", "1 2", "1e", "e5", "0x1", "1e999",
        ] {
            assert_eq!(real(text), None, "{text}");
        }
    }

    fn read(text: &str, count: usize) -> (Vec<f64>, String) {
        let mut sources = Sources::new();
        let id = sources.add("cards", text);
        let diagnostics = Diagnostics::new();
        let mut cards = Cards::new(text, id, &diagnostics);
        let card = cards.reals("vector r", count);
        cards.finish();
        let values = card.map_or(Vec::new(), |c| c.fields.iter().map(|f| f.value).collect());
        (values, diagnostics.render(&sources, ReportStyle::Plain))
    }

    #[test]
    fn fields_stand_in_columns_and_a_comment_follows() {
        let (values, said) = read("1.0       -.5       3.5       4 VETOR R", 3);
        assert_eq!((values, said.as_str()), (vec![1.0, -0.5, 3.5], ""));
        // full fields are adjacent, short cards have blanks, blanks are zero
        let (values, said) = read("1234567.89-234567.89", 3);
        assert_eq!(
            (values, said.as_str()),
            (vec![1_234_567.89, -234_567.89, 0.0], "")
        );
    }

    #[test]
    fn numbers_separated_by_blanks_are_read_with_a_warning() {
        let (values, said) = read("0.0  2.0  0.0  VETORES \"Q\"", 3);
        assert_eq!(values, [0.0, 2.0, 0.0]);
        assert!(said.contains("warning[not-in-columns]") && said.contains("cards:1:1"));
        let (values, said) = read("1.0\t2.0\t3.0", 3);
        assert_eq!(values, [1.0, 2.0, 3.0]);
        assert!(said.contains("not-in-columns"));
        let (values, said) = read("       12.5       3.0      4.0", 3);
        assert_eq!(values, [12.5, 3.0, 4.0], "{said}");
    }

    fn flags(text: &str) -> (Vec<i64>, String) {
        let mut sources = Sources::new();
        let id = sources.add("cards", text);
        let diagnostics = Diagnostics::new();
        let mut cards = Cards::new(text, id, &diagnostics);
        let card = cards.integers("flags", 6);
        let _ = cards.extra_integer(6).inspect(|_| {
            diagnostics.push(Diagnostic::warning("seventh", "one more"));
        });
        cards.finish();
        let values = card.map_or(Vec::new(), |c| c.fields.iter().map(|f| f.value).collect());
        (values, diagnostics.render(&sources, ReportStyle::Plain))
    }

    #[test]
    fn a_number_across_a_column_limit_is_read_whole() {
        let (values, said) = read("       12.34        5.0       6.0", 3);
        assert_eq!(values, [12.34, 5.0, 6.0]);
        assert!(
            said.contains("warning[not-in-columns]") && !said.contains("cut"),
            "{said}"
        );
    }

    #[test]
    fn fields_of_other_widths_give_the_same_numbers() {
        for width in [2, 3, 4, 6, 7, 8, 9, 11] {
            let line: String = [1, 1, 0, 1, 0, 1].map(|x| format!("{x:width$}")).concat();
            for comment in ["", "  JUNTA 1"] {
                let (values, said) = flags(&format!("{line}{comment}"));
                assert_eq!(values, [1, 1, 0, 1, 0, 1], "{width} {comment:?}: {said}");
                assert!(said.contains("warning[not-in-columns]"), "{width}: {said}");
            }
        }
        for width in [6, 7, 8, 9, 11, 12, 13, 15, 18] {
            for left in [true, false] {
                let line: String = ["1.5", "-2.", "0.0", "12.25"]
                    .map(|x| {
                        if left {
                            format!("{x:<width$}")
                        } else {
                            format!("{x:>width$}")
                        }
                    })
                    .concat();
                let (values, said) = read(&format!("{line} VETOR"), 4);
                assert_eq!(values, [1.5, -2.0, 0.0, 12.25], "{width} {left}: {said}");
            }
        }
    }

    #[test]
    fn a_card_with_two_readings_is_an_error_that_names_both() {
        // a zero from a blank field and a comment, or numbers one field too far to the right
        let (_, said) = read("          2.0       3.0       4 CORPO", 3);
        assert!(
            said.contains("error[two-readings]")
                && said.contains("read by columns it is 0, 2 and 3, by blanks 2, 3 and 4"),
            "{said}"
        );
        let (_, said) = read("            0.01", 1);
        assert!(said.contains("begin the fields at column 1, and"), "{said}");
        let (_, said) = read("1.0                 2.0                 3 CORPO", 3);
        assert!(said.contains("error[two-readings]"), "{said}");
        // two full adjacent fields, or one long number
        let (_, said) = read("0.333333330         0.0       7 CORPO", 3);
        assert!(said.contains("error[two-readings]"), "{said}");
        // a zero from a blank field alone is unambiguous
        let (values, said) = read("          -1.0", 3);
        assert_eq!((values, said.as_str()), (vec![0.0, -1.0, 0.0], ""));
    }

    #[test]
    fn a_seventh_number_is_noticed_at_any_spacing() {
        for line in [
            "1 1 1 0 1 1 1",
            "    1    1    1    0    1    1    1",
            "     1     1     1     0     1     1     1",
        ] {
            assert!(flags(line).1.contains("warning[seventh]"), "{line}");
        }
        assert!(!flags("1 1 0 1 1 1 JUNTA").1.contains("seventh"));
    }

    #[test]
    fn labels_at_another_spacing_are_not_cut() {
        for line in [
            "*C. M. BAR 1*      *C. M. BAR 2*",
            "C. M. BAR 1        C. M. BAR 2",
            "*C. M. BAR 1*       *C. M. BAR 2*",
        ] {
            let mut sources = Sources::new();
            let id = sources.add("cards", line);
            let diagnostics = Diagnostics::new();
            let mut cards = Cards::new(line, id, &diagnostics);
            let labels: Vec<String> = cards
                .labels("labels", 2)
                .unwrap()
                .iter()
                .map(|label| label.trim_matches('*').to_owned())
                .collect();
            assert_eq!(labels, ["C. M. BAR 1", "C. M. BAR 2"], "{line}");
        }
    }

    #[test]
    fn a_bad_field_is_reported_with_its_columns() {
        let (_, said) = read("1.0       two       3.0", 3);
        assert!(
            said.contains("columns 11 to 20 are not a number") && said.contains("cards:1:11"),
            "{said}"
        );
        let (_, said) = read("", 3);
        assert!(said.contains("the cards end before vector r"), "{said}");
        let (_, said) = read("\n", 3);
        assert!(said.contains("blank"), "{said}");
    }
}
