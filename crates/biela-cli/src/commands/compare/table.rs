//! The table of a comparison, as text and as JSON.

use biela::core::analysis::Stop;
use biela::core::system::Channel;
use biela::distance::LargestDifference;
use biela::model::diagnostic::escaped;
use serde_json::{Value, json};

use super::ComparisonRow;
use super::measure::RunMeasurement;
use super::plan::Combination;
use crate::terminal::{Sheet, StreamStyle, count, number, table, time};

/// The placeholder for a missing number.
const NOTHING: &str = "-";
/// The mark of the model's own choice.
const OWN: &str = "*";

/// A line of JSON: the combination, its cost and its error.
pub(super) fn json_line(
    combination: &Combination,
    measured: &RunMeasurement,
    exact: bool,
) -> String {
    let (status, message) = match &measured.ended {
        Ok(Stop::Finished) => ("finished", None),
        Ok(Stop::Event { name, .. }) => ("event", Some(name)),
        Ok(Stop::Interrupted { .. }) => ("interrupted", None),
        Err(message) => ("failed", Some(message)),
    };
    let s = &measured.statistics;
    let distance = measured.distance.as_ref();
    let value = |name: &str| {
        let fineness = combination.fineness().filter(|(field, _)| *field == name);
        fineness.map(|(_, value)| value)
    };
    let object: Value = json!({
        "role": if exact { "reference" } else { "combination" },
        "own": combination.own,
        "formulation": combination.formulation(),
        "contact": combination.contact(),
        "method": combination.method(),
        "integrator": combination.integrator(),
        "tolerance": value("tolerance"),
        "step": value("step"),
        "status": status,
        "message": message,
        "time_reached": measured.reached,
        "cpu_seconds": measured.cpu,
        "steps": s.integrator.steps,
        "rejected_steps": s.integrator.rejected,
        "evaluations": s.integrator.evaluations,
        "factorizations": measured.factorizations(),
        "projections": s.method.projections,
        "relative_energy_error": measured.relative_energy(),
        "largest_position_error": s.worst_position,
        "largest_velocity_error": s.worst_velocity,
        "impacts": measured.contacts.impacts,
        "largest_penetration": measured.penetration(),
        "distance": distance.map(LargestDifference::share),
        "furthest_signal": distance.map(|d| &d.signal),
        "furthest_time": distance.map(|d| d.time),
        "study": biela::study_options(&combination.study),
    });
    format!("{object}\n")
}

/// Returns the table with its heading and notes.
pub(super) fn render(
    page: StreamStyle,
    name: &str,
    signals: &[Channel],
    (finest, exact): (&Combination, &RunMeasurement),
    rows: &[ComparisonRow],
) -> String {
    let ink = page.ink;
    let mut above = Sheet::new(page);
    let end = time(exact.reached.unwrap_or(0.0));
    above.line(
        "reference",
        format!(
            "{} to t = {end} s: {} s CPU, energy error {}, constraint error {}",
            finest.name(),
            number(exact.cpu),
            share(exact.relative_energy()),
            share(Some(exact.statistics.worst_position)),
        ),
    );
    above.line("compared", listed(signals));
    let mut legend = Sheet::new(page);
    if rows.iter().any(|(combination, _)| combination.own) {
        legend.line(OWN, "the choice of the model");
    }
    let mut below = Sheet::new(page);
    for (combination, measured) in rows {
        if let Err(message) = &measured.ended {
            below.warn(&combination.name(), escaped(message));
        }
    }
    format!(
        "{}\n\n{}\n{}\n{}{}",
        ink.bold(&escaped(name)),
        above.render(),
        columns(page, rows),
        legend.render(),
        below.render()
    )
}

/// The first few names.
fn listed(signals: &[Channel]) -> String {
    const SHOWN: usize = 6;
    let names: Vec<&str> = signals.iter().map(|c| c.name.as_str()).collect();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let all = count(names.len(), "signal");
    escaped(&format!("{all}: {shown}{more}"))
}

/// Aligns text left and numbers right; an empty column is omitted.
fn columns(page: StreamStyle, rows: &[ComparisonRow]) -> String {
    type Cell = fn(&Combination, &RunMeasurement) -> String;
    const WORDS: [(&str, Cell); 6] = [
        ("", |c, _| if c.own { OWN } else { "" }.to_owned()),
        ("formulation", |c, _| c.formulation().to_owned()),
        ("contacts", |c, _| c.contact().to_owned()),
        ("method", |c, _| c.method().to_owned()),
        ("integrator", |c, _| c.integrator().to_owned()),
        ("tol. or step", |c, _| match c.fineness() {
            Some(("step", step)) => format!("{} s", number(step)),
            Some((_, tolerance)) => format!("{tolerance:e}"),
            None => String::new(),
        }),
    ];
    const NUMBERS: [(&str, Cell); 11] = [
        ("CPU (s)", |_, m| format!("{:.4}", m.cpu)),
        ("steps", |_, m| m.statistics.integrator.steps.to_string()),
        ("rejected", |_, m| {
            m.statistics.integrator.rejected.to_string()
        }),
        ("evaluations", |_, m| {
            m.statistics.integrator.evaluations.to_string()
        }),
        ("factorised", |_, m| m.factorizations().to_string()),
        ("energy", |_, m| share(m.relative_energy())),
        ("position", |_, m| share(Some(m.statistics.worst_position))),
        ("velocity", |_, m| share(Some(m.statistics.worst_velocity))),
        ("impacts", |_, m| m.contacts.impacts.to_string()),
        ("penetration", |_, m| share(Some(m.penetration()))),
        ("distance", |_, m| {
            share(m.distance.as_ref().map(LargestDifference::share))
        }),
    ];
    let mut heading: Vec<String> = Vec::new();
    let mut cells: Vec<Vec<String>> = vec![Vec::new(); rows.len()];
    let mut add = |name: &str, texts: Vec<String>, to_the_right: bool| {
        let width = |text: &str| text.chars().count();
        let widest = texts.iter().map(|text| width(text)).chain([width(name)]);
        let widest = if to_the_right {
            widest.max().unwrap_or(0)
        } else {
            0
        };
        heading.push(format!("{name:>widest$}"));
        for (row, text) in cells.iter_mut().zip(&texts) {
            row.push(format!("{text:>widest$}"));
        }
    };
    let texts = |cell: Cell| rows.iter().map(|(c, m)| cell(c, m)).collect::<Vec<_>>();
    for (name, cell) in WORDS {
        let texts = texts(cell);
        let same = texts.windows(2).all(|pair| pair[0] == pair[1]);
        if !(["formulation", "contacts"].contains(&name) && same) {
            add(name, texts, false);
        }
    }
    let touches = rows
        .iter()
        .any(|(_, m)| m.contacts.transitions > 0 || m.penetration() > 0.0);
    for (name, cell) in NUMBERS {
        if ["impacts", "penetration"].contains(&name) && !touches {
            continue;
        }
        let started = |(c, m): &ComparisonRow| match m.reached {
            Some(_) => cell(c, m),
            None => NOTHING.to_owned(),
        };
        add(name, rows.iter().map(started).collect(), true);
    }
    let notes: Vec<String> = rows.iter().map(|(_, measured)| note(measured)).collect();
    if notes.iter().any(|note| !note.is_empty()) {
        add("note", notes, false);
    }
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    table(page.ink, &heading, &cells)
}

/// A short note if a run did not end as the reference did.
fn note(measured: &RunMeasurement) -> String {
    let at = |what: &str| match measured.reached {
        Some(reached) => format!("{what} at t = {} s", number(reached)),
        None => "not started".to_owned(),
    };
    match &measured.ended {
        Err(_) => at("stopped"),
        Ok(Stop::Interrupted { .. }) => at("interrupted"),
        Ok(_) if measured.other_end => at("ended"),
        Ok(_) => String::new(),
    }
}

/// Formats a small number with two digits.
fn share(value: Option<f64>) -> String {
    match value {
        Some(0.0) => "0".to_owned(),
        Some(value) => format!("{value:.1e}"),
        None => NOTHING.to_owned(),
    }
}
