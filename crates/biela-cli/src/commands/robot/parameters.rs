//! `biela robot parameters`: base parameters and their identification.

use std::fs;
use std::path::{Path, PathBuf};

use biela::Job;
use biela::core::robot::Robot;
use biela::robot::{
    Identifiable, IdentifiedParameter, MotionTable, RobotReference, identifiable, identify, payload,
};
use serde_json::{Value, json};

use super::trajectory_args::TrajectoryArgs;
use super::{failure, saved};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal::{self, six_digits, three_digits};

const AFTER_HELP: &str = "\
Efforts are linear in the mass m, the first moments mx, my, mz and the inertia Ixx … Izz of every link about the origin of its
joint frame. Only certain combinations, the base parameters, affect the efforts; these are identifiable. The closer the condition
number of a trajectory is to one, the better it excites them.

Examples:
  biela robot parameters arm.toml
  biela robot parameters arm.toml --drives --trajectory wobble
  biela robot parameters arm.toml --data measured.csv
  biela robot parameters arm.toml --data measured.csv --payload";

/// List the base parameters of a robot, or identify them or a payload from measurements
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    along: TrajectoryArgs,
    /// Include rotor inertia, viscous and dry friction of the drives
    #[arg(long)]
    drives: bool,
    /// Identify from a CSV file with columns JOINT.position, JOINT.rate, JOINT.acceleration and JOINT.effort, in SI units
    #[arg(long, value_name = "FILE", conflicts_with = "trajectory")]
    data: Option<PathBuf>,
    /// Identify the payload of the tool instead of the parameters of the robot
    #[arg(long, requires = "data", conflicts_with = "drives")]
    payload: bool,
    /// Print the parameters as JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let job = args.along.model.load(args.json)?;
    if let Some(file) = &args.data {
        return find(args, &job, file);
    }
    let mut reference: Option<RobotReference> = None;
    let mut times = Vec::new();
    if args.along.trajectory.is_some() {
        let found = args.along.reference(&job)?;
        times = args.along.times(&job, &found)?;
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
    Ok(FailureCode::Done)
}

/// Identifies parameters from measured motions and efforts.
fn find(args: &Args, job: &Job, file: &Path) -> CommandResult {
    let path = &args.along.model.path;
    let name = file.display().to_string();
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::command(format!("cannot read {name}: {error}")))?;
    let table = MotionTable::parse(&name, &text).map_err(Failure::command)?;
    let measured = if args.payload {
        let robot = Robot::of(&job.model).map_err(|error| failure(path, &error.into()))?;
        let tool = *robot.tool().map_err(|error| failure(path, &error.into()))?;
        payload(&job.model, &tool, &table)
    } else {
        identify(&job.model, args.drives, &table)
    };
    let measured = measured.map_err(|error| failure(path, &error))?;
    if args.json {
        let found: Vec<Value> = measured
            .found
            .iter()
            .map(|f| json!({ "formula": f.formula, "value": f.value, "error": f.error, "model": f.model }))
            .collect();
        let text = json!({
            "model": job.model.name, "found": found, "hidden": measured.hidden, "noise": measured.noise,
        });
        terminal::data(&format!("{text:#}\n"))?;
        return Ok(FailureCode::Done);
    }
    let noise: Vec<String> = measured.noise.iter().map(|x| three_digits(*x)).collect();
    let mut lines = vec![
        ("samples", table.times().len().to_string()),
        ("residual", format!("{} rms, per joint", noise.join(", "))),
    ];
    if !measured.hidden.is_empty() {
        lines.push(("unidentifiable", measured.hidden.join(", ")));
    }
    let row = |f: &IdentifiedParameter| {
        let model = f.model.map_or_else(String::new, six_digits);
        vec![
            six_digits(f.value),
            three_digits(f.error),
            model,
            f.formula.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = measured.found.iter().map(row).collect();
    let heading = ["found (SI)", "standard error", "model", "parameter"];
    terminal::data(&saved::sheet(&job.model.name, &lines))?;
    terminal::data(&terminal::table(terminal::out_page().ink, &heading, &rows))?;
    Ok(FailureCode::Done)
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
            format!("{} affect the forces and torques", found.combinations.len()),
        ),
    ];
    if !found.idle.is_empty() {
        lines.push(("without effect", found.idle.join(", ")));
    }
    if let Some(excitation) = found.excitation {
        let text = format!(
            "condition number {}, {} with normalized columns",
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
