//! A linear model as text and as JSON.

use std::fmt::Write as _;

use biela::core::analysis::{LinearVariable, Linearization, Mode};
use biela::core::math::{Complex, Matrix};
use biela::{LinearizedModel, OperatingPoint};
use serde_json::{Value, json};

use crate::terminal::{self, Sheet, StreamStyle, number, table, time};

/// The maximum number of positions of a mode in a row of the table.
const MOST_PARTS: usize = 3;
/// The maximum number of listed state names; beyond it only the first and the last.
const MOST_NAMES: usize = 24;
/// Relative change of the coefficients, compared with the fastest mode, below which they count as constant.
const STEADY: f64 = 1e-4;
/// Uncertainty of an entry of A above which a warning is printed.
const DOUBTFUL: f64 = 1e-7;

pub(super) fn render(
    page: StreamStyle,
    name: &str,
    at: OperatingPoint,
    linear: &LinearizedModel,
) -> String {
    let model = &linear.model;
    let mut sheet = Sheet::new(page);
    let place = match at {
        OperatingPoint::Start => "the assembled initial state".to_owned(),
        OperatingPoint::Equilibrium => "the equilibrium found from the initial state".to_owned(),
        OperatingPoint::Time(t) => format!("the state at t = {} s", time(t)),
    };
    sheet.line("about", place);
    let list = |variables: &[LinearVariable]| {
        let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
        if names.len() <= MOST_NAMES {
            return names.join(", ");
        }
        let (first, last) = (&names[..MOST_NAMES / 2], &names[names.len() - 2..]);
        let left_out = names.len() - first.len() - last.len();
        format!(
            "{}, … {left_out} more …, {}",
            first.join(", "),
            last.join(", ")
        )
    };
    let (z, u) = (model.positions.len(), model.speeds.len());
    let count = |n: usize, word: &str| terminal::count(n, word);
    sheet.line(
        "states",
        format!("{}: {}", count(z, "coordinate"), list(&model.positions)),
    );
    sheet.line(
        "states",
        format!("{}: {}", count(u, "speed"), list(&model.speeds)),
    );
    if u < z {
        sheet.line(
            "states",
            format!(
                "nonholonomic constraints: {} fewer than coordinates",
                count(z - u, "speed")
            ),
        );
    }
    for (word, variables) in [("inputs", &model.inputs), ("outputs", &model.outputs)] {
        if !variables.is_empty() {
            sheet.line(word, list(variables));
        }
    }
    add_motion(&mut sheet, linear);
    for note in &linear.notes {
        sheet.warn("note", note.clone());
    }

    let ink = page.ink;
    let mut out = format!("{}\n\n{}", ink.bold(name), sheet.render());
    let zeros: Vec<&Mode> = linear.modes.iter().filter(|m| m.is_zero()).collect();
    let heading = [
        "mode",
        "eigenvalue (1/s)",
        "type",
        "f (Hz)",
        "damping",
        "time constant (s)",
        "shape",
    ];
    let first = zeros.len();
    let rows: Vec<Vec<String>> = linear.modes[first..]
        .iter()
        .enumerate()
        .map(|(k, mode)| mode_row(first + k + 1, mode, model))
        .collect();
    if !rows.is_empty() {
        let _ = write!(
            out,
            "\n{}\n{}",
            ink.bold("modes"),
            table(ink, &heading, &rows)
        );
    }
    if !zeros.is_empty() {
        let rows: Vec<Vec<String>> = zeros
            .iter()
            .enumerate()
            .map(|(k, mode)| vec![(k + 1).to_string(), mixture(mode, model)])
            .collect();
        let title = "zero eigenvalues: neutral directions";
        let _ = write!(
            out,
            "\n{}\n{}",
            ink.bold(title),
            table(ink, &["mode", "direction"], &rows)
        );
    }
    out
}

/// Adds a line that says whether the operating point is at rest, a steady motion, or neither.
fn add_motion(sheet: &mut Sheet, linear: &LinearizedModel) {
    let model = &linear.model;
    let fastest = linear
        .modes
        .iter()
        .map(|m| m.value.norm())
        .fold(0.0, f64::max);
    let moves = model.rates.iter().any(|v| *v != 0.0);
    if let Some(sentence) = model.imbalance() {
        sheet.warn("motion", sentence);
    } else if moves {
        sheet.line("motion", "steady: constant velocities");
    } else {
        sheet.line("motion", "at rest, in equilibrium");
    }
    if !is_steady(model, fastest) {
        sheet.warn(
            "motion",
            format!(
                "the coefficients change by {} % per second along the motion; the eigenvalues hold for this instant",
                number(100.0 * model.change_rate)
            ),
        );
    }
    let (doubt, row, column) = model.worst_doubt();
    if doubt > DOUBTFUL {
        let name = |i: usize| model.states().nth(i).map_or("", |v| v.name.as_str());
        sheet.warn(
            "accuracy",
            format!(
                "the derivative of d/dt `{}` with respect to `{}` is accurate to {} only: a force has a kink or a discontinuity near this state",
                name(row),
                name(column),
                number(doubt)
            ),
        );
    }
}

fn is_steady(model: &Linearization, fastest: f64) -> bool {
    model.change_rate <= STEADY * fastest.max(1.0)
}

fn mode_row(place: usize, mode: &Mode, model: &Linearization) -> Vec<String> {
    let optional = |x: Option<f64>| x.map_or_else(String::new, number);
    let frequency = mode.is_oscillation().then(|| mode.frequency());
    let damping = mode.damping_ratio().filter(|_| mode.is_oscillation());
    vec![
        place.to_string(),
        value_text(mode.value),
        mode.describe().to_owned(),
        optional(frequency),
        optional(damping.map(|x| if x.abs() < 1e-9 { 0.0 } else { x })),
        optional(mode.time_constant()),
        parts_text(mode, model),
    ]
}

/// `−0.775 ± 4.465i`.
pub(super) fn value_text(value: Complex<f64>) -> String {
    let size = value.norm();
    let real = if value.re.abs() < 1e-9 * size {
        0.0
    } else {
        value.re
    };
    if value.im == 0.0 {
        terminal::six_digits(real)
    } else {
        format!(
            "{} ± {}i",
            terminal::six_digits(real),
            terminal::six_digits(value.im)
        )
    }
}

/// `ride.beta 1, steering.angle 0.84 ∠ 12°`.
fn parts_text(mode: &Mode, model: &Linearization) -> String {
    let parts = mode.parts(&model.positions);
    let more = parts.len().saturating_sub(MOST_PARTS);
    let mut texts: Vec<String> = parts
        .iter()
        .take(MOST_PARTS)
        .map(|(variable, amplitude, phase)| {
            let degrees = phase.to_degrees();
            let size = terminal::three_digits(*amplitude);
            if degrees.abs() < 0.05 {
                format!("{} {size}", variable.name)
            } else if (degrees.abs() - 180.0).abs() < 0.05 {
                format!("{} -{size}", variable.name)
            } else {
                format!("{} {size} ∠ {degrees:.0}°", variable.name)
            }
        })
        .collect();
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    texts.join(", ")
}

/// The states that form a zero mode, positions before velocities.
fn mixture(mode: &Mode, model: &Linearization) -> String {
    let parts: Vec<String> = model
        .states()
        .zip(&mode.shape)
        .filter(|(_, x)| x.re.abs() > 1e-6)
        .map(|(variable, x)| match x.re {
            1.0 => variable.name.clone(),
            re => format!("{} {}", terminal::three_digits(re), variable.name),
        })
        .collect();
    parts.join(" + ").replace("+ -", "- ")
}

pub(super) fn matrix_json(matrix: &Matrix) -> Value {
    let rows = matrix
        .row_iter()
        .map(|row| row.iter().copied().collect::<Vec<f64>>());
    rows.collect::<Vec<_>>().into()
}

pub(super) fn variables_json<'v>(variables: impl Iterator<Item = &'v LinearVariable>) -> Value {
    variables
        .map(|v| json!({ "name": v.name, "unit": v.unit }))
        .collect()
}

pub(super) fn mode_json(mode: &Mode, model: &Linearization) -> Value {
    let shape = model.states().zip(&mode.shape);
    json!({
        "re": mode.value.re,
        "im": mode.value.im,
        "kind": mode.describe(),
        "frequency": mode.frequency(),
        "natural_frequency": mode.natural_frequency(),
        "damping_ratio": mode.damping_ratio(),
        "time_constant": mode.time_constant(),
        "shape": shape
            .map(|(v, x)| json!({ "state": v.name, "re": x.re, "im": x.im }))
            .collect::<Vec<_>>(),
    })
}

pub(super) fn to_json(name: &str, linear: &LinearizedModel) -> Value {
    let model = &linear.model;
    let fastest = linear
        .modes
        .iter()
        .map(|m| m.value.norm())
        .fold(0.0, f64::max);
    json!({
        "model": name,
        "time": model.state.time,
        "states": variables_json(model.states()),
        "num_positions": model.positions.len(),
        "inputs": variables_json(model.inputs.iter()),
        "outputs": variables_json(model.outputs.iter()),
        "A": matrix_json(&model.a),
        "B": matrix_json(&model.b),
        "C": matrix_json(&model.c),
        "D": matrix_json(&model.d),
        "accelerations": model.accelerations,
        "change_rate": model.change_rate,
        "steady": is_steady(model, fastest),
        "doubt": model.worst_doubt().0,
        "modes": linear.modes.iter().map(|m| mode_json(m, model)).collect::<Vec<_>>(),
    })
}
