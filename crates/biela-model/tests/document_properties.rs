//! No text makes the reader panic, and it agrees with the `toml` crate on the content of a text.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use biela_model::diagnostic::ReportStyle;
use biela_model::document::{
    Document, DocumentLimits, Table, TableReader, Value, ValueKind, parse,
};
use proptest::prelude::*;

const MODEL: &str = r#"format = 1
name = "slider-crank" # größe
gravity = [0, -9.81]
a.b."c d" = 0x1f

[parameters]
l1 = "50.8 mm"
T = '20 N*m'
s = """
two
lines \
   joined"""
when = 1979-05-27T07:32:00Z

[[body]]
name = "crank"
points = { O = [0, 0], A = ["l1", 0], deep.er = [[1.5e-3], [true, false]] }
[body.shape]
kind = "box"

[[body]]
name = "rod"
mass = 1_000.5
"#;

/// Everything a caller does with a text: parse, read, render.
fn exercise(text: &str) -> Document {
    let document = parse("m.toml", text, &DocumentLimits::default());
    let root = TableReader::new(&document.root, "model", &["name"], &document.diagnostics);
    for body in root.get("body").array_of_tables() {
        let body = TableReader::new(body, "body", &["mass"], &document.diagnostics);
        let _ = body.require("name", "name = \"a\"").string();
        let _ = body.get("points").table();
        body.finish();
    }
    let _ = root.get("gravity").fixed_array::<2>();
    root.finish();
    let plain = document
        .diagnostics
        .render(&document.sources, ReportStyle::Plain);
    assert!(plain.chars().all(|c| c == '\n' || !c.is_control()));
    let _ = document
        .diagnostics
        .render(&document.sources, ReportStyle::Colour);
    let _ = document.diagnostics.to_json(&document.sources);
    document
}

/// Whether both trees hold the same, and every plain value at the same place.
fn agree_table(ours: &Table, theirs: &toml::de::DeTable<'_>) -> Result<(), String> {
    if ours.len() != theirs.len() {
        return Err(format!("{} keys, {} expected", ours.len(), theirs.len()));
    }
    for (key, value) in theirs {
        let entry = ours
            .get(key.get_ref())
            .ok_or_else(|| format!("no key {key:?}"))?;
        if !matches!(
            value.get_ref(),
            toml::de::DeValue::Table(_) | toml::de::DeValue::Array(_)
        ) {
            let span = entry.value.span;
            if (span.start as usize..span.end as usize) != value.span() {
                return Err(format!("place of {key:?}"));
            }
        }
        agree(&entry.value, value.get_ref()).map_err(|e| format!("{key:?}: {e}"))?;
    }
    Ok(())
}

fn agree(ours: &Value, theirs: &toml::de::DeValue<'_>) -> Result<(), String> {
    use toml::de::DeValue as D;
    let same = match (&ours.kind, theirs) {
        (ValueKind::String(a), D::String(b)) => a == b,
        (ValueKind::Integer(a), D::Integer(b)) => {
            i64::from_str_radix(b.as_str(), b.radix()) == Ok(*a)
        }
        (ValueKind::Float(a), D::Float(b)) => {
            b.as_str().parse::<f64>().unwrap().to_bits() == a.to_bits()
        }
        (ValueKind::Bool(a), D::Boolean(b)) => a == b,
        (ValueKind::Datetime(a), D::Datetime(b)) => {
            a.parse::<toml::value::Datetime>().ok() == Some(*b)
        }
        (ValueKind::Array(a), D::Array(b)) => {
            for (a, b) in a.iter().zip(b) {
                agree(a, b.get_ref())?;
            }
            a.len() == b.len()
        }
        (ValueKind::Table(a), D::Table(b)) => return agree_table(a, b),
        _ => false,
    };
    same.then_some(())
        .ok_or_else(|| format!("{ours:?} is not {theirs:?}"))
}

fn holds_date(value: &Value) -> bool {
    match &value.kind {
        ValueKind::Datetime(_) => true,
        ValueKind::Array(items) => items.iter().any(holds_date),
        ValueKind::Table(table) => table.iter().any(|entry| holds_date(&entry.value)),
        _ => false,
    }
}

/// Compares with the other reader: the same tree, or both find fault.
fn compare(text: &str) -> Result<(), TestCaseError> {
    let document = parse("m.toml", text, &DocumentLimits::default());
    let ours_fails = document.diagnostics.has_errors();
    match toml::de::DeTable::parse(text) {
        Ok(theirs) if !ours_fails => {
            let agreement = agree_table(&document.root, theirs.get_ref());
            prop_assert!(agreement.is_ok(), "{agreement:?}\n{text}");
        }
        Ok(_) => {
            // Stricter than the other reader in three ways: numbers must fit, texts can be seen, and dotted keys never reach into [[…]].
            let found = document.diagnostics.sorted();
            let stricter = found.iter().any(|d| {
                ["number-range", "invisible-character"].contains(&d.code)
                    || d.message.contains("is an array: keys cannot be added")
            });
            prop_assert!(stricter, "{found:?}\n{text}");
        }
        Err(error) => {
            // A date no calendar has passes here; no key of a model takes a date.
            let has_date = document.root.iter().any(|entry| holds_date(&entry.value));
            prop_assert!(ours_fails || has_date, "{error}\n{text}");
        }
    }
    Ok(())
}

/// Pieces that make table structure collide.
fn structure() -> impl Strategy<Value = String> {
    let key = prop_oneof![Just("a"), Just("b"), Just("c"), Just("\"a\"")];
    let path = prop::collection::vec(key, 1..4).prop_map(|keys| keys.join("."));
    let value = prop_oneof![
        Just("1".to_owned()),
        Just("[]".to_owned()),
        Just("[{}]".to_owned()),
        Just("{}".to_owned()),
        path.clone().prop_map(|p| format!("{{ {p} = 1 }}")),
        (path.clone(), path.clone()).prop_map(|(p, q)| format!("{{ {p} = 1, {q} = [2] }}")),
    ];
    let line = prop_oneof![
        path.clone().prop_map(|p| format!("[{p}]")),
        path.clone().prop_map(|p| format!("[[{p}]]")),
        (path, value).prop_map(|(p, v)| format!("{p} = {v}")),
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

#[test]
fn the_sample_model_is_read_without_diagnostics_and_as_by_the_reference_parser() {
    let document = parse("m.toml", MODEL, &DocumentLimits::default());
    assert!(document.diagnostics.is_empty());
    compare(MODEL).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_toml_like_text_never_panics(text in "[\\[\\]{}=.,#\"'\\\\ \t\r\n0-9a-e_+:é日\u{202e}-]{0,200}") {
        let _ = exercise(&text);
        compare(&text)?;
    }

    #[test]
    fn a_mutated_model_never_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, "[\\[\\]{}=.,#\"' \n1a\\\\]"), 1..6)
    ) {
        let mut text: Vec<char> = MODEL.chars().collect();
        for (at, removed, added) in edits {
            let at = at.index(text.len());
            let end = (at + removed).min(text.len());
            let _ = text.splice(at..end, added.chars());
        }
        let text: String = text.into_iter().collect();
        let _ = exercise(&text);
        compare(&text)?;
    }

    #[test]
    fn table_structure_agrees_with_the_reference_parser(text in structure()) {
        compare(&text)?;
    }
}
