//! `biela robot linearize`: linearization of the inverse dynamics.

use std::fmt::Write as _;

use biela::core::math::Matrix;
use biela::core::robot::{Robot, RobotJoint};
use biela::robot::{Linearized, linearize, linearize_at, sensitivities};
use serde_json::{Value, json};

use super::saved::{self, OutputArgs};
use super::trajectory_args::TrajectoryArgs;
use super::{failure, pose};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal::{self, beside};

const AFTER_HELP: &str = "\
About any motion of the joints the efforts f change by δf = A δq̈ + 2B δq̇ + C δq, C = Cᵃ + Cᶜ + Cᵍ: the terms of accelerations, velocity products and gravity.
In state form: d/dt (δq, δq̇) = [[0, 1], [−A⁻¹C, −2A⁻¹B]] (δq, δq̇) + [0; A⁻¹] δf.

Examples:
  biela robot linearize arm.toml --at 0.5s
  biela robot linearize arm.toml --position 30deg,0,0.4m --rate 0,1,0
  biela robot linearize arm.toml --position 0 --acceleration 0 --json";

/// Linearize the inverse dynamics along a trajectory or about a state: δf = A δq̈ + 2B δq̇ + C δq
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    along: TrajectoryArgs,
    /// Print the matrices at this time, e.g. 0.5s, instead of writing them for all times
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Print the matrices about these joint positions, one per joint, instead of a trajectory
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true, conflicts_with_all = ["at", "trajectory", "to"])]
    position: Option<String>,
    /// Joint velocities at --position [default: 0]
    #[arg(
        long,
        value_name = "V1,V2,…",
        allow_hyphen_values = true,
        requires = "position"
    )]
    rate: Option<String>,
    /// Joint accelerations at --position [default: 0]
    #[arg(
        long,
        value_name = "A1,A2,…",
        allow_hyphen_values = true,
        requires = "position"
    )]
    acceleration: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let job = args.along.model.load(args.output.quiet)?;
    let fail = |error| failure(&args.along.model.path, &error);
    if let Some(text) = &args.position {
        let robot = Robot::of(&job.model).map_err(|error| fail(error.into()))?;
        let q = pose::values("--position", text, &robot, RobotJoint::unit)?;
        let rate = Args::others("--rate", args.rate.as_deref(), &robot, ["m/s", "rad/s"])?;
        let units = ["m/s^2", "rad/s^2"];
        let acceleration = args.acceleration.as_deref();
        let acceleration = Args::others("--acceleration", acceleration, &robot, units)?;
        let found = linearize(&robot, [q, rate, acceleration]).map_err(fail)?;
        let (at, time) = ("the given state".to_owned(), None);
        return args.print(&job.model.name, &robot, (at, time), &found);
    }
    let mut reference = args.along.reference(&job)?;
    if let Some(text) = &args.at {
        let time = biela::number(text, "s").map_err(|e| Failure::command(e.about("--at")))?;
        let found = linearize_at(&mut reference, time).map_err(fail)?;
        let at = (format!("t = {} s", terminal::time(time)), Some(time));
        return args.print(&job.model.name, &reference.robot, at, &found);
    }
    let times = args.along.times(&job, &reference)?;
    let history = sensitivities(&mut reference, &times);
    let about = TrajectoryArgs::about(&reference, &times);
    let from = (args.along.model.path.as_path(), &job);
    args.output.tell(from, "linearize", (&about, &history), &[])
}

impl Args {
    /// Parses velocities or accelerations with their linear and angular units; zero if the option is absent.
    fn others(
        option: &str,
        text: Option<&str>,
        robot: &Robot,
        units: [&'static str; 2],
    ) -> Result<Vec<f64>, Failure> {
        let Some(text) = text else {
            return Ok(vec![0.0; robot.joints.len()]);
        };
        pose::values(option, text, robot, |joint| units[usize::from(joint.angle)])
    }

    fn print(
        &self,
        model: &str,
        robot: &Robot,
        (at, time): (String, Option<f64>),
        found: &Linearized,
    ) -> CommandResult {
        let names: Vec<String> = robot.joints.iter().map(|j| j.name.clone()).collect();
        let text = if self.output.json {
            format!("{:#}\n", to_json(model, &names, time, found))
        } else {
            render(model, &names, at, found)
        };
        terminal::data(&text)?;
        Ok(FailureCode::Done)
    }
}

fn rows(matrix: &Matrix) -> Vec<Vec<f64>> {
    let row = |i: usize| matrix.row(i).iter().copied().collect();
    (0..matrix.nrows()).map(row).collect()
}

fn to_json(model: &str, joints: &[String], time: Option<f64>, found: &Linearized) -> Value {
    let poles: Vec<[f64; 2]> = found.poles.iter().map(|p| [p.re, p.im]).collect();
    let [q, rate, acceleration] = &found.point;
    let [by_acceleration, by_rates, by_gravity] = &found.c_parts;
    json!({
        "model": model, "time": time, "joints": joints,
        "position": q, "rate": rate, "acceleration": acceleration,
        "A": rows(&found.a), "B": rows(&found.b), "C": rows(&found.c),
        "Ca": rows(by_acceleration), "Cc": rows(by_rates), "Cg": rows(by_gravity),
        "state_matrix": rows(&found.states), "input_matrix": rows(&found.inputs),
        "poles": poles,
    })
}

fn render(model: &str, joints: &[String], at: String, found: &Linearized) -> String {
    let mut out = saved::sheet(model, &[("about", at)]);
    let heading: Vec<&str> = std::iter::once("effort of")
        .chain(joints.iter().map(String::as_str))
        .collect();
    let doubled = &found.b * 2.0;
    let [by_acceleration, by_rates, by_gravity] = &found.c_parts;
    for (name, matrix) in [
        ("A = ∂f/∂q̈", &found.a),
        ("2B = ∂f/∂q̇", &doubled),
        ("C = ∂f/∂q = Cᵃ + Cᶜ + Cᵍ", &found.c),
        ("Cᵃ, by accelerations", by_acceleration),
        ("Cᶜ, of velocity products", by_rates),
        ("Cᵍ, by gravity", by_gravity),
    ] {
        // each term is compared with the total
        let scale = found.c.amax().max(matrix.amax());
        let scale = if name.starts_with('C') {
            scale
        } else {
            matrix.amax()
        };
        add_table(&mut out, name, (&heading, joints), (matrix, scale));
    }
    let changes = |mark: &'static str| joints.iter().map(move |name| format!("{mark} {name}"));
    let states: Vec<String> = changes("δq").chain(changes("δq̇")).collect();
    let inputs: Vec<String> = changes("δf").collect();
    for (name, columns, matrix) in [
        (
            "state form, coefficients of (δq, δq̇) in d/dt (δq, δq̇)",
            &states,
            &found.states,
        ),
        (
            "state form, coefficients of δf in d/dt (δq, δq̇)",
            &inputs,
            &found.inputs,
        ),
    ] {
        let heading: Vec<&str> = std::iter::once("d/dt of")
            .chain(columns.iter().map(String::as_str))
            .collect();
        add_table(&mut out, name, (&heading, &states), (matrix, matrix.amax()));
    }
    out += "eigenvalues at constant forces and torques (1/s)\n";
    let fastest = found.poles.iter().map(|p| p.norm()).fold(0.0, f64::max);
    for pole in &found.poles {
        // rounding splits a double zero eigenvalue by its square root
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

/// Adds a named matrix with named rows; numbers far below the scale are printed as zero.
fn add_table(
    out: &mut String,
    name: &str,
    (heading, names): (&[&str], &[String]),
    (matrix, scale): (&Matrix, f64),
) {
    let line = |(name, row): (&String, Vec<f64>)| {
        let cells = row.into_iter().map(|x| beside(x, scale));
        std::iter::once(name.clone()).chain(cells).collect()
    };
    let lines: Vec<Vec<String>> = names.iter().zip(rows(matrix)).map(line).collect();
    let table = terminal::table(terminal::out_page().ink, heading, &lines);
    let _ = write!(out, "{name}\n{table}\n");
}
