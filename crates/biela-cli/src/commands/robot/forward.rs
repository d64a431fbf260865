//! `biela robot forward`: forward dynamics, the motion under given joint forces and torques.

use std::fs;
use std::path::PathBuf;

use biela::core::robot::Robot;
use biela::robot::{MotionTable, RobotReference, feedforward_laws, forward, start_on};

use super::failure;
use super::saved::OutputArgs;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::terminal::time;

const AFTER_HELP: &str = "\
Efforts (joint forces in N, torques in N·m) come from a CSV file with a column `time` and one per joint,
as `biela robot feedforward` writes it; the model defines the initial state. Without a file they are the
feedforward efforts of a trajectory, applied as functions of time without feedback, and the motion starts
on the trajectory: with an exact model the joints follow it, and the time at which they diverge shows how
sensitive the motion is. Nothing else actuates the joints: drivers are removed, controllers, actuators and
motors of the model are off. Springs, dampers and friction remain.

Examples:
  biela robot forward arm.toml --efforts results/arm-feedforward/data.csv
  biela robot forward arm.toml --trajectory pick --to 2s";

/// Compute the motion under given joint forces and torques: from a file, or those that a trajectory requires
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// CSV file with the efforts: `time` in s, one column per joint in N or N·m
    #[arg(long, value_name = "FILE", conflicts_with = "trajectory")]
    efforts: Option<PathBuf>,
    /// Hold each row of the file until the next (zero-order hold) instead of interpolating linearly
    #[arg(long, requires = "efforts")]
    hold: bool,
    /// Trajectory whose feedforward efforts are applied; required if the model has several
    #[arg(long, value_name = "NAME")]
    trajectory: Option<String>,
    /// End time, e.g. 2s [default: the end of the file or of the trajectory]
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let path = args.model.path.as_path();
    let fail = |error| failure(path, &error);
    let shown = args.model.load(args.output.quiet)?;
    let mut job = args.model.load(true)?;
    let (laws, end) = if let Some(file) = &args.efforts {
        let name = file.display().to_string();
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::command(format!("cannot read {name}: {error}")))?;
        let table = MotionTable::parse(&name, &text).map_err(Failure::command)?;
        let robot = Robot::of(&job.model).map_err(|error| fail(error.into()))?;
        let laws = table.efforts(&robot, args.hold);
        let laws = laws.map_err(|error| Failure::command(format!("{name}: {error}")))?;
        (laws, table.times().last().copied())
    } else {
        let mut reference =
            RobotReference::of(&job.model, args.trajectory.as_deref()).map_err(fail)?;
        start_on(&mut job.model, &mut reference);
        let end = Some(reference.element.motion.duration()).filter(|end| end.is_finite());
        (feedforward_laws(&reference), end)
    };
    let to = args.to.as_deref().map(|text| biela::quantity(text, "s"));
    let to = to
        .transpose()
        .map_err(|e| Failure::command(e.about("--to")))?;
    let (run, history) = forward(job, laws, to.or(end)).map_err(fail)?;
    let end = time(run.times().last().copied().unwrap_or(0.0));
    let steps = run.statistics.integrator.steps;
    let about = [("time", format!("{end} s, {steps} steps"))];
    let told = args
        .output
        .tell((path, &shown), "forward", (&about, &history), &[])?;
    match run.ended {
        Ok(_) => Ok(told),
        Err(error) => Err(Failure::new(
            FailureCode::Solver,
            format!("{}: {error}", path.display()),
        )
        .because(&error)),
    }
}
