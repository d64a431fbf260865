//! Comma-separated values, RFC 4180, with lines that end in a line feed.
//!
//! A number has the fewest digits that parse to the same `f64`.

use std::borrow::Cow;
use std::io::Write;

use crate::RecordedColumn;

/// A text as a cell, quoted if necessary. A text that starts like a formula gets an apostrophe, because spreadsheets would evaluate it.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let apostrophe = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        "'"
    } else {
        ""
    };
    if text.contains([',', '"', '\r', '\n']) {
        Cow::Owned(format!("\"{apostrophe}{}\"", text.replace('"', "\"\"")))
    } else if apostrophe.is_empty() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{apostrophe}{text}"))
    }
}

/// Appends the names.
pub(crate) fn write_csv_header(out: &mut Vec<u8>, columns: &[RecordedColumn]) {
    for (i, column) in columns.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend(csv_cell(&column.name).as_bytes());
    }
    out.push(b'\n');
}

/// Appends one line of numbers.
pub(crate) fn write_csv_row(out: &mut Vec<u8>, row: &[f64]) {
    for (i, value) in row.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        // Debug keeps 1e300 short, where Display writes 301 digits. Writing to memory cannot fail.
        let _ = write!(out, "{value:?}");
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_if_necessary() {
        let names = ["time", "a,b", "say \"x\"", "two\nlines", "φ"];
        let columns = names.map(|name| RecordedColumn::new(name, "", ""));
        let mut out = Vec::new();
        write_csv_header(&mut out, &columns);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "time,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",φ\n"
        );
    }

    #[test]
    fn a_text_that_starts_like_a_formula_stays_text() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("@sum(a1)", "'@sum(a1)"),
            ("-a", "'-a"),
            ("+a,b", "\"'+a,b\""),
            ("a=b", "a=b"),
        ] {
            assert_eq!(csv_cell(text), cell);
        }
    }

    #[test]
    fn numbers_are_written_short_and_read_back_exactly() {
        let row = [
            0.1 + 0.2,
            -f64::MAX,
            f64::MIN_POSITIVE,
            -5e-324,
            -1.234_567_890_123_456_7e-300,
            -0.0,
            1e16,
            123_456_789.012_345_67,
            f64::NAN,
            f64::NEG_INFINITY,
        ];
        let mut out = Vec::new();
        write_csv_row(&mut out, &row);
        let text = String::from_utf8(out).unwrap();
        for (field, value) in text.trim_end().split(',').zip(row) {
            assert!(field.len() <= 24, "{field}");
            let back: f64 = field.parse().unwrap();
            assert!(
                back.to_bits() == value.to_bits() || value.is_nan(),
                "{field}"
            );
        }
    }
}
