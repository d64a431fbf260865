//! `biela robot linearize`: how efforts change with the motion.

use std::fmt::Write as _;

use biela::core::math::Matrix;
use biela::robot::{Linearized, linearize_at, sensitivities};
use serde_json::{Value, json};

use super::along::Along;
use super::failure;
use super::saved::{self, Output};
use crate::failure::{Code, Failure, Outcome};
use crate::terminal::{self, beside};

/// Compute how efforts change with the motion along a trajectory: δf = A δq̈ + 2B δq̇ + C δq
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    along: Along,
    /// Print the matrices at this time instead of saving them over all times
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    #[command(flatten)]
    pub(super) output: Output,
}

pub(super) fn run(args: &Args) -> Outcome {
    let job = args.along.model.load(args.output.quiet)?;
    let mut reference = args.along.reference(&job)?;
    let names: Vec<String> = reference
        .robot
        .joints
        .iter()
        .map(|j| j.name.clone())
        .collect();
    if let Some(text) = &args.at {
        let time = biela::number(text, "s").map_err(|e| Failure::command(e.about("--at")))?;
        let found = linearize_at(&mut reference, time)
            .map_err(|error| failure(&args.along.model.path, &error))?;
        let text = if args.output.json {
            format!("{:#}\n", to_json(&job.model.name, &names, &found))
        } else {
            render(&job.model.name, &names, &found)
        };
        terminal::data(&text)?;
        return Ok(Code::Done);
    }
    let times = args.along.times(&reference)?;
    let history = sensitivities(&mut reference, &times);
    let about = Along::about(&reference, &times);
    let from = (args.along.model.path.as_path(), &job);
    args.output.tell(from, "linearize", (&about, &history), &[])
}

fn rows(matrix: &Matrix) -> Vec<Vec<f64>> {
    let row = |i: usize| matrix.row(i).iter().copied().collect();
    (0..matrix.nrows()).map(row).collect()
}

fn to_json(model: &str, joints: &[String], found: &Linearized) -> Value {
    let poles: Vec<[f64; 2]> = found.poles.iter().map(|p| [p.re, p.im]).collect();
    json!({
        "model": model, "time": found.time, "joints": joints,
        "A": rows(&found.a), "B": rows(&found.b), "C": rows(&found.c), "poles": poles,
    })
}

fn render(model: &str, joints: &[String], found: &Linearized) -> String {
    let at = format!("t = {} s", terminal::time(found.time));
    let mut out = saved::sheet(model, &[("about", at)]);
    let heading: Vec<&str> = std::iter::once("effort of")
        .chain(joints.iter().map(String::as_str))
        .collect();
    let doubled = &found.b * 2.0;
    for (name, matrix) in [
        ("A = ∂f/∂q̈", &found.a),
        ("2B = ∂f/∂q̇", &doubled),
        ("C = ∂f/∂q", &found.c),
    ] {
        let scale = matrix.amax();
        let line = |(name, row): (&String, Vec<f64>)| {
            let cells = row.into_iter().map(|x| beside(x, scale));
            std::iter::once(name.clone()).chain(cells).collect()
        };
        let lines: Vec<Vec<String>> = joints.iter().zip(rows(matrix)).map(line).collect();
        let _ = write!(
            out,
            "{name}\n{}\n",
            terminal::table(terminal::out_page().ink, &heading, &lines)
        );
    }
    out += "eigenvalues of the motion, the efforts as they are (1/s)\n";
    let fastest = found.poles.iter().map(|p| p.norm()).fold(0.0, f64::max);
    for pole in &found.poles {
        // a double zero is torn apart by the square root of rounding
        let scale = 1e6 * fastest;
        let (re, im) = (beside(pole.re, scale), beside(pole.im.abs(), scale));
        let _ = match pole.im {
            im_part if im_part > 0.0 => writeln!(out, "  {re} ± {im} i"),
            0.0 => writeln!(out, "  {re}"),
            _ => Ok(()),
        };
    }
    out
}
