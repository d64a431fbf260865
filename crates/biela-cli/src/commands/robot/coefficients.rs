//! `biela robot coefficients`: the individual coefficients of the equations of motion of a serial arm.

use std::fmt::Write as _;

use biela::core::robot::Robot;
use biela::core::robot::li::{Chain, Coefficients, Frames, Li};
use biela::robot::start_of;
use serde_json::{Value, json};

use super::{failure, pose, saved};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::terminal::{self, beside, six_digits};

const AFTER_HELP: &str = "\
f_i = Σ_j D_ij q̈_j + Σ_j Σ_k D_ijk q̇_j q̇_k + D_i, joints counted from the ground.
Symmetric and antisymmetric coefficients are printed once: D_ij for i ≤ j, D_ijk for i < k and j ≤ k.

Examples:
  biela robot coefficients arm.toml --at 10deg,40deg,0.6m,0,0,0
  biela robot coefficients arm.toml --axes base --json";

/// Compute the coefficients of the equations of motion of a serial arm at a pose: D_i, D_ij, D_ijk
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Joint positions, one per joint from the ground, e.g. 10deg,0.6m [default: the initial positions]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true)]
    at: Option<String>,
    /// Axes of the computation; both give the same coefficients by different formulas
    #[arg(long, value_enum, default_value = "link")]
    axes: Axes,
    /// Print the coefficients as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Axes {
    Base,
    Link,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let job = args.model.load(args.json)?;
    let path = &args.model.path;
    let mut robot = Robot::complete(&job.model).map_err(|error| failure(path, &error.into()))?;
    let chain = Chain::new(&job.model).map_err(|error| {
        Failure::new(FailureCode::Model, format!("{}: {error}", path.display()))
    })?;
    robot.joints.sort_by_key(|joint| joint.link);
    let at = pose::position(args.at.as_ref(), &robot, &start_of(&job.model, &robot))?;
    let frames = match args.axes {
        Axes::Base => Frames::Base,
        Axes::Link => Frames::Links,
    };
    let mut li = Li::new(chain, frames);
    let found = li.place(&at);
    let names: Vec<&str> = robot.joints.iter().map(|j| j.name.as_str()).collect();
    let text = if args.json {
        format!("{:#}\n", to_json(&job.model.name, &names, &at, found))
    } else {
        render(&job.model.name, &names, &at, found)
    };
    terminal::data(&text)?;
    Ok(FailureCode::Done)
}

/// The indices of the printed coefficients of velocity products.
fn triples(n: usize) -> impl Iterator<Item = [usize; 3]> {
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |k| (i, k)));
    pairs.flat_map(|(i, k)| (0..=k).map(move |j| [i, j, k]))
}

fn to_json(model: &str, joints: &[&str], at: &[f64], found: &Coefficients) -> Value {
    let n = joints.len();
    let gravity: Vec<f64> = (0..n).map(|i| found.gravity(i)).collect();
    let inertia: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| found.inertia(i, j)).collect())
        .collect();
    let velocity: Vec<Value> = triples(n)
        .map(|[i, j, k]| json!([i + 1, j + 1, k + 1, found.velocity(i, j, k)]))
        .collect();
    json!({
        "model": model, "joints": joints, "at": at, "D_i": gravity, "D_ij": inertia, "D_ijk": velocity,
    })
}

fn render(model: &str, joints: &[&str], at: &[f64], found: &Coefficients) -> String {
    let shown: Vec<String> = joints
        .iter()
        .zip(at)
        .enumerate()
        .map(|(i, (name, q))| format!("{} {name} = {}", i + 1, six_digits(*q)))
        .collect();
    let mut out = saved::sheet(model, &[("joints", shown.join(", "))]);
    let n = joints.len();
    let largest =
        |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |m: f64, x| m.max(x.abs()));
    let weight = largest(&mut (0..n).map(|i| found.gravity(i)));
    let inertia = largest(&mut (0..n).map(|i| found.inertia(i, i)));
    for i in 0..n {
        let _ = writeln!(out, "  D_{} = {}", i + 1, beside(found.gravity(i), weight));
    }
    out.push('\n');
    for i in 0..n {
        for j in i..n {
            let value = beside(found.inertia(i, j), inertia);
            let _ = writeln!(out, "  D_{}{} = {value}", i + 1, j + 1);
        }
    }
    out.push('\n');
    for [i, j, k] in triples(n) {
        let value = beside(found.velocity(i, j, k), inertia);
        let _ = writeln!(out, "  D_{}{}{} = {value}", i + 1, j + 1, k + 1);
    }
    out
}
