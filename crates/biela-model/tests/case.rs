//! Validation cases: parsing, and diagnostics of invalid ones.
#![allow(clippy::unwrap_used, clippy::panic)]

use biela_model::case::{Allowed, CheckedCount, KINDS, ValidationCase, What};
use biela_model::diagnostic::ReportStyle;
use biela_model::document::MemoryLoader;
use biela_model::lower::MeasureKind;

const MODEL: &str = r#"format = 1
space = "planar"
gravity = [0, "-g"]
[parameters]
g = "10 m/s^2"
[[body]]
name = "stone"
mass = 1
inertia = 1
[[measure]]
name = "depth"
of = "stone.y"
[study]
duration = 2
output_step = 0.5
integrator = { type = "rk4", step = 0.01 }
"#;

const HEAD: &str = "title = \"Stone\"\nkind = \"closed-form\"\nsource = \"Galileo\"\n[[run]]\n";

fn files(case: &str) -> MemoryLoader {
    MemoryLoader::new([("case.toml", case), ("model.toml", MODEL)])
}

fn read(rest: &str) -> ValidationCase {
    let text = format!("{HEAD}{rest}");
    ValidationCase::read("cases/stone", &files(&text)).unwrap_or_else(|unread| {
        panic!(
            "{}",
            unread
                .diagnostics
                .render(&unread.sources, ReportStyle::Plain)
        )
    })
}

/// The report on a case with these lines after its head.
fn report_of(text: &str) -> String {
    let unread = ValidationCase::read("cases/stone", &files(text)).unwrap_err();
    unread
        .diagnostics
        .render(&unread.sources, ReportStyle::Plain)
}

#[track_caller]
fn assert_reports(rest: &str, words: &[&str]) {
    let report = report_of(&format!("{HEAD}{rest}"));
    for word in words {
        assert!(report.contains(word), "no {word:?} in\n{report}");
    }
}

fn check(lines: &str) -> String {
    format!("[[run.check]]\nquantity = \"q\"\n{lines}")
}

#[test]
fn every_type_of_check_is_read() {
    for (lines, what, allowed) in [
        (
            "of = \"stone.y\"\nreference = -5\nwithin = \"1 mm\"\n",
            What::Measure,
            Allowed::Within,
        ),
        (
            "value = \"2*depth\"\nreference = \"-2*g\"\nshare = 1e-6\n",
            What::Measure,
            Allowed::Share(1e-6),
        ),
        (
            "table = \"t.csv\"\ncolumns = [\"stone.y\"]\nto = 1\nlast_digits = 0.6\n",
            What::Table {
                file: "t.csv".to_owned(),
                columns: vec!["stone.y".to_owned()],
                to: Some(1.0),
            },
            Allowed::LastDigits(0.6),
        ),
        (
            concat!("count = ", "\"freedom\"", "\nreference = 3\n"),
            What::Count(CheckedCount::Freedom),
            Allowed::Share(0.0),
        ),
        (
            "otherwise = [{ formulation = \"tree\" }, { method = \"nullspace\" }]\nshare = 1e-9\n",
            What::Agreement(2),
            Allowed::Share(1e-9),
        ),
    ] {
        let case = read(&check(lines));
        let [run] = case.runs.as_slice() else {
            panic!("one run")
        };
        assert_eq!(
            (&run.checks[0].what, run.checks[0].allowed),
            (&what, allowed)
        );
        assert_eq!(
            (run.model.as_str(), run.linearize.as_deref()),
            ("model.toml", None)
        );
    }
    let linear = |lines: &str| read(&format!("linearize = \"start\"\n{}", check(lines)));
    let what = |lines: &str| linear(lines).runs[0].checks[0].what.clone();
    assert_eq!(
        what("frequency = 2\nreference = 1\nshare = 1e-9\n"),
        What::Frequency(1)
    );
    assert_eq!(
        what("damping = 1\nreference = 0.1\nwithin = 1e-9\n"),
        What::Damping(0)
    );
    assert_eq!(
        what("eigenvalue = [-1, \"g/(1 m)\"]\nshare = 1e-9\n"),
        What::Eigenvalue
    );
    let case = read(&check("of = \"stone.y\"\nreference = 0\nwithin = 1\n"));
    assert_eq!(
        (case.name.as_str(), case.title.as_str()),
        ("stone", "Stone")
    );
    assert!(!case.slow && KINDS.iter().any(|(word, _)| *word == case.kind));
}

#[test]
fn a_run_overrides_its_model_with_keys_of_the_language() {
    let rest = "parameters = { g = \"5 m/s^2\" }\nstudy = { duration = 1, formulation = \"tree\" }\n\
        [[run.event]]\nname = \"landing\"\nwhen = \"stone.y + 1\"\n";
    let text = format!(
        "{HEAD}{rest}{}{}",
        check("event = \"landing\"\nreference = \"sqrt(2*(1 m)/g)\"\nwithin = 1e-6\n"),
        check("otherwise = [{ output_step = 0.25 }]\nshare = 1e-9\n")
    );
    let files = files(&text);
    let case = ValidationCase::read("stone", &files).unwrap_or_else(|_| panic!("can be read"));
    let loaded = case.load(0, &files);
    let model = loaded.model.unwrap();
    assert_eq!(model.model.gravity[1], -5.0);
    let study = model.study.unwrap();
    assert_eq!((study.duration, study.output_step), (1.0, 0.5));
    assert_eq!(study.integrator.kind, "rk4");
    let names: Vec<&str> = model
        .measures
        .list
        .iter()
        .map(|m| m.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["depth", "check_1", "check_1_reference", "check_1_within"]
    );
    assert!(matches!(
        model.measures.list[1].kind,
        MeasureKind::Event(..)
    ));
    let otherwise = case.load_otherwise(0, (1, 0), &files).model.unwrap();
    assert_eq!(otherwise.study.unwrap().output_step, 0.25);
}

#[test]
fn a_wrong_formula_of_a_check_is_reported_at_its_line() {
    let text = format!(
        "{HEAD}{}",
        check("of = \"stone.z\"\nreference = \"2*h\"\nwithin = 1\n")
    );
    let files = files(&text);
    let case =
        ValidationCase::read("cases/stone", &files).unwrap_or_else(|_| panic!("can be read"));
    let loaded = case.load(0, &files);
    assert!(loaded.model.is_none());
    let report = loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain);
    for word in [
        "cases/stone/case.toml:7:",
        "cases/stone/case.toml:8:",
        "`h`",
    ] {
        assert!(report.contains(word), "no {word:?} in\n{report}");
    }
}

#[test]
fn a_missing_or_empty_model_is_reported() {
    for (model, words) in [
        ("other.toml", "cannot read"),
        ("cards.dat", "cannot read"),
        ("empty.rob", "error"),
        ("empty.urdf", "error"),
    ] {
        let lines = check("of = \"stone.y\"\nreference = 0\nwithin = 1\n");
        let text = format!("{HEAD}model = \"{model}\"\n{lines}");
        let files = MemoryLoader::new([
            ("case.toml", text.as_str()),
            ("empty.rob", ""),
            ("empty.urdf", ""),
        ]);
        let case = ValidationCase::read("stone", &files).unwrap_or_else(|_| panic!("can be read"));
        let loaded = case.load(0, &files);
        assert!(loaded.model.is_none(), "{model}");
        let report = loaded
            .diagnostics
            .render(&loaded.sources, ReportStyle::Plain);
        assert!(report.contains(words), "{model}:\n{report}");
    }
}

#[test]
fn errors_are_reported_with_their_remedy() {
    assert!(report_of("").contains("case has no `title`"));
    assert!(report_of("title = \"x\"\n[[run]\n").contains("case.toml:2"));
    let missing = ValidationCase::read("nowhere", &MemoryLoader::new([("a", "b")])).unwrap_err();
    let report = missing
        .diagnostics
        .render(&missing.sources, ReportStyle::Plain);
    assert!(report.contains("cannot read nowhere/case.toml"));
    assert_reports("", &["run has no `check`"]);
    assert_reports(
        "modle = \"m\"\n[[run.check]]\nquantitty = \"q\"\n",
        &[
            "did you mean `model`?",
            "did you mean `quantity`?",
            "has no compared quantity",
            "has no tolerance",
        ],
    );
    assert_reports(
        &check("of = \"stone.y\"\ntable = \"t.csv\"\nshare = 1\nwithin = 1\n"),
        &[
            "`table` of check conflicts with `of`",
            "`share` of check conflicts with `within`",
        ],
    );
    assert_reports(
        &check("of = \"stone.y\"\nshare = 1\n"),
        &["check has no `reference`"],
    );
    assert_reports(
        &check("table = \"t.csv\"\nreference = 1\nlast_digits = -1\n"),
        &["does not apply to this check", "must be greater than zero"],
    );
    assert_reports(
        &check("of = \"stone.y\"\nreference = 1\nlast_digits = 1\n"),
        &[
            "`last_digits` of check does not apply to this check",
            "share = 1e-8",
        ],
    );
    assert_reports(
        &check("otherwise = [{ method = \"rows\" }]\nwithin = 1\n"),
        &[
            "`within` of check does not apply to this check",
            "of the range of each signal",
        ],
    );
    assert_reports(
        &check("frequency = 1\nreference = 1\nshare = 1\n"),
        &["needs a linearised model", "linearize = \"start\""],
    );
    assert_reports(
        &format!(
            "linearize = \"start\"\n{}",
            check("of = \"stone.y\"\nreference = 1\nshare = 1\n")
        ),
        &["the model is linearised"],
    );
    assert_reports(
        &format!(
            "linearize = \"start\"\n{}",
            check("frequency = 0\nreference = 1\nshare = 1\n")
        ),
        &["must be 1 or more"],
    );
    assert_reports(
        &check(concat!("count = ", "\"freedoms\"", "\nreference = 1\n")),
        &["did you mean `freedom`?"],
    );
    let wrong = HEAD.replace("closed-form", "closed-from");
    assert!(report_of(&wrong).contains("did you mean `closed-form`?"));
}
