//! `biela robot parameters`: which combinations of masses and inertias the efforts depend on.

use biela::robot::{Identifiable, Reference, identifiable};
use serde_json::{Value, json};

use super::along::Along;
use super::{failure, saved};
use crate::failure::{Code, Outcome};
use crate::terminal::{self, six_digits};

const AFTER_HELP: &str = "\
Efforts are linear in the mass m, the first moments mx, my, mz and the inertia Ixx … Izz of every link about the origin of its
joint frame. Only some combinations have an effect; these are what a measurement can find. A trajectory tells them apart the
better, the nearer its condition number is to one.

Examples:
  biela robot parameters arm.toml
  biela robot parameters arm.toml --drives --trajectory wobble";

/// List the combinations of masses and inertias that efforts depend on, and how well a trajectory tells them apart
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    along: Along,
    /// Rotor inertia, viscous and dry friction of the drives too
    #[arg(long)]
    drives: bool,
    /// Print them as JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let job = args.along.model.load(args.json)?;
    let mut reference: Option<Reference> = None;
    let mut times = Vec::new();
    if args.along.trajectory.is_some() {
        let found = args.along.reference(&job)?;
        times = args.along.times(&found)?;
        reference = Some(found);
    }
    let along = reference.as_mut().map(|found| (found, times.as_slice()));
    let found = identifiable(&job.model, args.drives, along)
        .map_err(|error| failure(&args.along.model.path, &error))?;
    let text = if args.json {
        format!("{:#}\n", to_json(&job.model.name, &found))
    } else {
        render(&job.model.name, &found)
    };
    terminal::data(&text)?;
    Ok(Code::Done)
}

fn to_json(model: &str, found: &Identifiable) -> Value {
    let combinations: Vec<Value> = found
        .combinations
        .iter()
        .map(|(formula, value)| json!({ "formula": formula, "value": value }))
        .collect();
    let excitation = found.excitation.map(|excitation| {
        json!({ "condition": excitation.condition, "scaled_condition": excitation.scaled })
    });
    json!({
        "model": model, "parameters": found.parameters, "combinations": combinations,
        "without_effect": found.idle, "excitation": excitation,
    })
}

fn render(model: &str, found: &Identifiable) -> String {
    let mut lines = vec![
        ("parameters", found.parameters.to_string()),
        (
            "combinations",
            format!("{} have an effect", found.combinations.len()),
        ),
    ];
    if !found.idle.is_empty() {
        lines.push(("without effect", found.idle.join(", ")));
    }
    if let Some(excitation) = found.excitation {
        let text = format!(
            "condition number {}, {} with columns of one length",
            six_digits(excitation.condition),
            six_digits(excitation.scaled)
        );
        lines.push(("trajectory", text));
    }
    let rows: Vec<Vec<String>> = found
        .combinations
        .iter()
        .enumerate()
        .map(|(k, (formula, value))| vec![(k + 1).to_string(), six_digits(*value), formula.clone()])
        .collect();
    let heading = ["number", "value (SI)", "combination"];
    saved::sheet(model, &lines) + &terminal::table(terminal::out_page().ink, &heading, &rows)
}
