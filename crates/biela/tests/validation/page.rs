//! The page of the book about validation, made of the cases and what came of them.

use std::fmt::Write;
use std::path::Path;

use biela::digits;
use biela::model::case::{Case, KINDS};
use biela::validate::{Found, Outcome};

const HEAD: &str = "\
# Validation

Two kinds of evidence. **Here**: whole models against results that were computed another way, by someone else or from equations in
minimal coordinates that share nothing with the engine. **In the tests of each part**: joints, forces, integrators and
factorisation against independent descriptions of the same thing; see [TESTING.md](../../TESTING.md).

All of it is inside the program: see it on your own machine.

```console
$ biela validate pacheco-conical-pendulum
…
1 case, 1 quantity: all passed in … s
```

Without a name all cases run that take less than about a second, with `--all` all of them; `--json` prints an object a quantity; the exit code is 0 only if all pass.
A folder of your own with a `case.toml` is a case too: [how to write one](../../validation/README.md).

Each row below is a case. Its name leads to its source: who computed the reference, how, and how good it is. Of its quantities, each a number or a table of signals, the one
nearest to its tolerance is told: its error, how far it may be off, in SI units. This page is made by the test that runs all cases.
";

const TAIL: &str = "
## By hand

Take the spatial double pendulum, and compare its last row with the table:

```console
$ biela run examples/spatial/spatial-double-pendulum/model.toml --to 5s --integrator dopri5 --tolerance 1e-12 --quiet --out results/two
```

```python
import polars

found = polars.read_ipc_stream(\"results/two/data.arrows\").row(-1, named=True)
table = polars.read_csv(\"validation/pacheco-spatial-double-pendulum/reference.csv\").row(-1, named=True)
columns = [name for name in table if name in found and name != \"t\"]
assert columns and all(abs(found[name] - table[name]) < 1e-8 for name in columns)
```
";

/// Compares the page with the one of the book but for what was measured; `UPDATE_GOLDEN=1` writes it.
pub(crate) fn compare(judged: &[(Case, Vec<Outcome>)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/validation.md");
    let page = made(judged);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    let same = |text: &str| -> Vec<String> { text.lines().map(unmeasured).collect() };
    assert!(
        same(&stored) == same(&page),
        "docs/src/validation.md is out of date: UPDATE_GOLDEN=1 cargo test -p biela --test validation"
    );
}

/// A line of the page without its columns of what was measured.
fn unmeasured(line: &str) -> String {
    let cells: Vec<&str> = line.split(" | ").collect();
    match cells.as_slice() {
        [case, source, count, ..] if line.starts_with("| [") => format!("{case}{source}{count}"),
        _ => line.to_owned(),
    }
}

fn made(judged: &[(Case, Vec<Outcome>)]) -> String {
    let mut page = HEAD.to_owned();
    let quantities: usize = judged.iter().map(|(_, outcomes)| outcomes.len()).sum();
    let _ = writeln!(page, "\n{} cases, {quantities} quantities.", judged.len());
    for (kind, heading) in KINDS {
        let _ = writeln!(
            page,
            "\n## {heading}\n\n| case | source | quantities | nearest to its tolerance | error | tolerance |\n| --- | --- | --- | --- | --- | --- |"
        );
        for (case, outcomes) in judged.iter().filter(|(case, _)| case.kind == *kind) {
            row(&mut page, case, outcomes);
        }
    }
    page + TAIL
}

fn row(page: &mut String, case: &Case, outcomes: &[Outcome]) {
    let share = |found: &Found| found.error() / found.tolerance;
    let found = outcomes.iter().filter_map(|outcome| {
        let found = outcome.result.as_ref().ok()?;
        Some((outcome, found))
    });
    // counts are exact and have no share
    let worst = found.max_by(|a, b| share(a.1).max(0.0).total_cmp(&share(b.1).max(0.0)));
    let (worst, found) = worst.unwrap();
    let slow = if case.slow { ", slow" } else { "" };
    let unit = match worst.unit.as_str() {
        "1" | "" => String::new(),
        unit => format!(" {unit}"),
    };
    let _ = writeln!(
        page,
        "| [{}](../../validation/{}/SOURCE.md){slow} | {} | {} | {} | {}{unit} | {}{unit} |",
        case.title,
        case.name,
        case.source,
        outcomes.len(),
        worst.quantity,
        digits(found.error(), 1),
        digits(found.tolerance, 2),
    );
}
