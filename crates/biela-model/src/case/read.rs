//! Parser of case files.

use super::{
    Allowed, CaseRun, Check, CheckedCount, FILE, KINDS, Unread, ValidationCase, What, entry,
};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::document::{
    DocumentField, DocumentLimits, Loader, Table, TableEntry, TableReader, ValueKind, parse_source,
};

/// Keys of a run that belong to the model language.
const OF_THE_MODEL: &[&str] = &[
    "parameters",
    "gravity",
    "study",
    "trajectory",
    "driver",
    "force",
    "input",
    "sensor",
    "event",
    "measure",
];
/// Keys of a check that belong to a measure.
const OF_A_MEASURE: &[&str] = &[
    "of", "take", "at", "from", "to", "event", "which", "value", "unit",
];
/// Keys that define the measured quantity.
const MEASURED: &[&str] = &["of", "event", "value"];

pub(super) fn case(place: &str, files: &dyn Loader) -> Result<ValidationCase, Unread> {
    let mut sources = Sources::new();
    let diagnostics = Diagnostics::new();
    let shown = format!("{place}/{FILE}");
    let text = match files.load(FILE) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("cannot read {shown}: {error}");
            diagnostics.push(Diagnostic::error("cannot-read", message));
            return Err(Unread {
                sources,
                diagnostics,
            });
        }
    };
    let (root, _) = parse_source(
        &shown,
        &text,
        &DocumentLimits::default(),
        &mut sources,
        &diagnostics,
    );
    let read = of_root(place, &text, &root, &diagnostics);
    match read.filter(|_| !diagnostics.has_errors()) {
        Some(case) => Ok(case),
        None => Err(Unread {
            sources,
            diagnostics,
        }),
    }
}

fn of_root(
    place: &str,
    text: &str,
    root: &Table,
    diagnostics: &Diagnostics,
) -> Option<ValidationCase> {
    let reader = TableReader::new(root, "case", &[], diagnostics);
    let words: Vec<&'static str> = KINDS.iter().map(|(word, _)| *word).collect();
    let title = reader
        .require("title", "title = \"Heavy top let go\"")
        .string();
    let kind = reader
        .require("kind", "kind = \"closed-form\"")
        .one_of(&words);
    let source = reader
        .require("source", "source = \"A. Author, *Title*, 1990\"")
        .string();
    let slow = reader.get("slow").bool();
    let runs: Vec<Option<CaseRun>> = (reader.require("run", "[[run]]").array_of_tables())
        .into_iter()
        .map(|table| run(table, diagnostics))
        .collect();
    reader.finish();
    Some(ValidationCase {
        name: place.rsplit('/').next().unwrap_or(place).to_owned(),
        title: title?.value.to_owned(),
        kind: kind?.value,
        source: source?.value.to_owned(),
        slow: slow.is_some_and(|slow| slow.value),
        runs: runs.into_iter().collect::<Option<Vec<CaseRun>>>()?,
        place: place.to_owned(),
        text: text.to_owned(),
    })
}

fn run(table: &Table, diagnostics: &Diagnostics) -> Option<CaseRun> {
    let reader = TableReader::new(table, "run", OF_THE_MODEL, diagnostics);
    let name = reader.get("name").string();
    let model = reader.get("model").string();
    let model = model.map_or("model.toml", |model| model.value);
    let linearize = reader.get("linearize").string();
    let linear = linearize.is_some();
    let checks = reader.require("check", "[[run.check]]").array_of_tables();
    let checks: Vec<Option<Check>> = checks
        .into_iter()
        .map(|table| check(table, linear, diagnostics))
        .collect();
    reader.finish();
    Some(CaseRun {
        name: name.map(|name| name.value.to_owned()),
        model: model.to_owned(),
        linearize: linearize.map(|at| at.value.to_owned()),
        checks: checks.into_iter().collect::<Option<Vec<Check>>>()?,
    })
}

/// Reports all but the first of mutually exclusive keys, and returns the first.
fn only<'k>(reader: &TableReader<'_>, keys: &[&'k str], wanted: &str) -> Option<&'k str> {
    let given: Vec<&'k str> = (keys.iter().copied())
        .filter(|key| reader.has(key))
        .collect();
    let report = |message: String, span, help: String| {
        let error = Diagnostic::error("conflict", message).at(span, "");
        reader.diagnostics().push(error.help(help));
    };
    let Some(first) = given.first() else {
        let message = format!("{} has no {wanted}", reader.what());
        let help = format!("write one of `{}`", keys.join("`, `"));
        report(message, reader.span(), help);
        return None;
    };
    for other in &given[1..] {
        let span = reader.table().get(other).map(|entry| entry.key_span);
        let message = format!("`{other}` of {} conflicts with `{first}`", reader.what());
        report(
            message,
            span.unwrap_or(reader.span()),
            "keep one of them".to_owned(),
        );
    }
    (given.len() == 1).then_some(*first)
}

fn check(table: &Table, linear: bool, diagnostics: &Diagnostics) -> Option<Check> {
    let reader = TableReader::new(table, "check", OF_A_MEASURE, diagnostics);
    let quantity = reader.require("quantity", "quantity = \"period\"").string();
    let what = what(&reader, linear);
    // a reference that is parsed as a formula of the model
    let wants_reference = !matches!(
        what,
        None | Some(What::Table { .. } | What::Eigenvalue | What::Agreement(_))
    );
    let reference = if wants_reference {
        reader.require("reference", "reference = \"2*pi*sqrt(l/g)\"")
    } else {
        reader.get("reference")
    };
    if what.is_some() && !wants_reference && reference.is_present() {
        let help = "leave it out".to_owned();
        reference.error("conflict", "does not apply to this check", "", Some(help));
    }
    let allowed = allowed(&reader, what.as_ref());
    reader.finish();
    Some(Check {
        quantity: quantity?.value.to_owned(),
        what: what?,
        allowed: allowed?,
    })
}

fn what(reader: &TableReader<'_>, linear: bool) -> Option<What> {
    // the measure itself reports more than one of its keys
    let measured = MEASURED.iter().copied().find(|key| reader.has(key));
    let keys = [
        measured.unwrap_or("of"),
        "table",
        "frequency",
        "damping",
        "eigenvalue",
        "count",
        "otherwise",
    ];
    let word = only(reader, &keys, "compared quantity");
    let file = reader.get("table").string();
    let [frequency, damping] = ["frequency", "damping"].map(|key| ordinal(&reader.get(key)));
    let eigenvalue = reader.get("eigenvalue").fixed_array::<2>();
    let words: Vec<&'static str> = CheckedCount::LIST.iter().map(|(word, _)| *word).collect();
    let counted = reader.get("count").one_of(&words);
    let ways = reader.get("otherwise").array_of_tables().len();
    let word = word?;
    let of_linear = ["frequency", "damping", "eigenvalue"].contains(&word);
    if of_linear != linear && word != "value" {
        let (problem, help) = if linear {
            (
                "needs a simulation, but the model is linearised",
                "remove `linearize` from the run, or check a `frequency`",
            )
        } else {
            (
                "needs a linearised model",
                "write linearize = \"start\" in the [[run]]",
            )
        };
        let field = Diagnostic::error("conflict", format!("`{word}` of check {problem}"));
        let span = reader.table().get(word).map(|entry| entry.key_span);
        let error = field.at(span.unwrap_or(reader.span()), "").help(help);
        reader.diagnostics().push(error);
        return None;
    }
    Some(match word {
        "table" => What::Table {
            file: file?.value.to_owned(),
            columns: texts(&reader.get("columns"))?,
            to: match reader.get("to") {
                to if to.is_present() => Some(to.number()?.value),
                _ => None,
            },
        },
        "frequency" => What::Frequency(frequency?),
        "damping" => What::Damping(damping?),
        "eigenvalue" => eigenvalue.map(|_| What::Eigenvalue)?,
        "count" => {
            let word = counted?.value;
            let known = CheckedCount::LIST.iter().find(|(known, _)| *known == word);
            What::Count(known?.1)
        }
        "otherwise" => What::Agreement(ways),
        _ => What::Measure,
    })
}

/// Parses a positive integer and returns it counted from 0.
fn ordinal(field: &DocumentField<'_>) -> Option<usize> {
    let count = field.integer()?.value;
    let index = count.checked_sub(1).and_then(|k| usize::try_from(k).ok());
    if index.is_none() {
        let label = format!("is {count}");
        field.error("bad-value", "must be 1 or more", &label, None);
    }
    index
}

/// A list of strings; empty if the key is absent.
fn texts(field: &DocumentField<'_>) -> Option<Vec<String>> {
    if !field.is_present() {
        return Some(Vec::new());
    }
    let items = field.array()?.value;
    let text = |item: &DocumentField<'_>| Some(item.string()?.value.to_owned());
    items.iter().map(text).collect()
}

fn allowed(reader: &TableReader<'_>, what: Option<&What>) -> Option<Allowed> {
    let positive = |field: DocumentField<'_>| {
        let number = field.number()?.value;
        if number > 0.0 {
            return Some(number);
        }
        let label = format!("is {number}");
        field.error("bad-value", "must be greater than zero", &label, None);
        None
    };
    let within = reader.get("within");
    let share = positive(reader.get("share"));
    let digits = reader.get("last_digits");
    let last_digits = positive(digits.clone());
    let given = ["within", "share", "last_digits"];
    if let Some(What::Count(_)) = what
        && !given.iter().any(|key| reader.has(key))
    {
        // a number of equations must agree exactly
        return Some(Allowed::Share(0.0));
    }
    let word = only(reader, &given, "tolerance")?;
    let fits = match what {
        Some(What::Table { .. }) => true,
        Some(What::Agreement(_)) => word == "share",
        _ => word != "last_digits",
    };
    if what.is_some() && !fits {
        let field = reader.get(if word == "within" {
            "within"
        } else {
            "last_digits"
        });
        let help = if matches!(what, Some(What::Agreement(_))) {
            "write share = 1e-8, a fraction of the range of each signal"
        } else {
            "write within = \"1 mm\" or share = 1e-8"
        };
        field.error(
            "conflict",
            "does not apply to this check",
            "",
            Some(help.to_owned()),
        );
        return None;
    }
    match word {
        "within" => within.value().map(|_| Allowed::Within),
        "share" => share.map(Allowed::Share),
        _ => last_digits.map(Allowed::LastDigits),
    }
}

/// The changes of a run to its model and the measures of its checks, optionally for the n-th alternative computation of a check.
pub(super) fn changes(root: &Table, run: usize, way: Option<(usize, usize)>) -> Table {
    let list = |table: &Table, key: &str| -> Vec<Table> {
        match table.get(key).map(|entry| &entry.value.kind) {
            Some(ValueKind::Array(items)) => {
                items.iter().filter_map(|i| i.as_table().cloned()).collect()
            }
            _ => Vec::new(),
        }
    };
    let Some(run) = list(root, "run").into_iter().nth(run) else {
        return Table::empty(root.span);
    };
    let mut changes = Table::empty(run.span);
    for entry in OF_THE_MODEL.iter().filter_map(|key| run.get(key)) {
        changes.put(entry.clone());
    }
    let mut measures = Vec::new();
    let checks = list(&run, "check");
    for (k, check) in checks.iter().enumerate() {
        measures.extend(of_check(k, check));
    }
    let way =
        way.and_then(|(check, way)| list(checks.get(check)?, "otherwise").into_iter().nth(way));
    if let Some(study) = way {
        let mut otherwise = Table::empty(study.span);
        otherwise.put(entry("study", ValueKind::Table(study), &run));
        changes.change(otherwise);
    }
    let mut of_checks = Table::empty(run.span);
    let items = measures.into_iter().map(|table| crate::document::Value {
        span: table.span,
        kind: ValueKind::Table(table),
    });
    of_checks.put(entry("measure", ValueKind::Array(items.collect()), &run));
    changes.change(of_checks);
    changes
}

/// The measures of a check: its result, its reference and its tolerance.
fn of_check(k: usize, check: &Table) -> Vec<Table> {
    let named = |name: String| {
        let mut table = Table::empty(check.span);
        table.put(entry("name", ValueKind::String(name), check));
        table
    };
    let formula = |name: String, value: &TableEntry| {
        let mut table = named(name);
        table.put(TableEntry {
            key: "value".to_owned(),
            ..value.clone()
        });
        table
    };
    let mut made = Vec::new();
    if MEASURED.iter().any(|key| check.get(key).is_some()) {
        let mut result = named(Check::value(k));
        for entry in OF_A_MEASURE.iter().filter_map(|key| check.get(key)) {
            result.put(entry.clone());
        }
        made.push(result);
    }
    let others = [
        ("reference", Check::reference(k)),
        ("within", Check::allowed_name(k)),
    ];
    for (key, name) in others {
        made.extend(check.get(key).map(|value| formula(name, value)));
    }
    if let Some(ValueKind::Array(parts)) = check.get("eigenvalue").map(|entry| &entry.value.kind) {
        let names = [Check::reference(k), Check::imaginary(k)];
        for (name, part) in names.into_iter().zip(parts) {
            let mut table = named(name);
            let mut value = entry("value", part.kind.clone(), check);
            value.value.span = part.span;
            table.put(value);
            made.push(table);
        }
    }
    made
}
