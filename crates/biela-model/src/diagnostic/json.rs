//! Diagnostics as JSON.

use serde_json::{Map, Value, json};

use super::{Diagnostic, Label, Sources};

/// One diagnostic as an object; the keys of the primary location are next to the message.
pub(super) fn diagnostic(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let mut object = diagnostic
        .primary
        .as_ref()
        .map(|label| place(label, sources))
        .unwrap_or_default();
    let secondary: Vec<Value> = diagnostic
        .others(sources)
        .iter()
        .map(|label| place(label, sources).into())
        .collect();
    object.extend([
        ("severity".to_owned(), diagnostic.severity.word().into()),
        ("code".to_owned(), diagnostic.code.into()),
        ("message".to_owned(), diagnostic.message.as_str().into()),
        ("help".to_owned(), diagnostic.help.as_deref().into()),
        ("secondary".to_owned(), secondary.into()),
    ]);
    object.into()
}

fn place(label: &Label, sources: &Sources) -> Map<String, Value> {
    let mut object = Map::new();
    if let Some(source) = sources.get(label.span.source) {
        let start = source.position(label.span.start);
        let end = source.position(label.span.end);
        object.extend([
            ("file".to_owned(), source.name().into()),
            ("line".to_owned(), start.line.into()),
            ("column".to_owned(), start.column.into()),
            (
                "end".to_owned(),
                json!({ "line": end.line, "column": end.column }),
            ),
            ("label".to_owned(), label.text.as_str().into()),
        ]);
    }
    object
}
