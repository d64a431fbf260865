//! `biela robot simulate`: closed-loop simulation of a controlled robot.

use std::path::PathBuf;

use biela::core::analysis::Stop;
use biela::robot::{effort_excesses, put_to_work, simulate};
use biela::{Job, Run};

use super::failure;
use super::saved::OutputArgs;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::{self, ModelArgs};
use crate::terminal::{three_digits, time};

const AFTER_HELP: &str = "\
The controllers use the parameters of the model. With --real they control another robot, whose joints correspond in order. This shows the effect of
model errors. Trajectories, controllers and the study are those of the model; bodies, joints and forces those of the real robot.

Examples:
  biela robot simulate arm.toml
  biela robot simulate arm.toml --real worn.toml
  biela robot simulate arm.toml --real arm.toml --real-set payload=2 --to 3s";

/// Simulate a robot under control: tracking errors, efforts, phase planes
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Model file of the real robot, which is simulated
    #[arg(long, value_name = "MODEL")]
    real: Option<PathBuf>,
    /// Override the value of a parameter of the real robot; repeatable
    #[arg(long, value_name = "NAME=VALUE", requires = "real")]
    real_set: Vec<String>,
    /// Trajectory from which tracking errors are computed; required if the model has several
    #[arg(long, value_name = "NAME")]
    trajectory: Option<String>,
    /// End time instead of the duration of the model, e.g. 3s
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let path = args.model.path.as_path();
    let fail = |error| failure(path, &error);
    let mut job = args.job()?;
    if let Some(text) = &args.to {
        let to = biela::quantity(text, "s").map_err(|e| Failure::command(e.about("--to")))?;
        if let Some(study) = &mut job.study {
            study.duration = to;
        }
    }
    let shown = args.model.load(true)?;
    let robot = biela::core::robot::Robot::of(&shown.model).map_err(|e| fail(e.into()))?;
    let (run, history) = simulate(job, args.trajectory.as_deref()).map_err(fail)?;
    let about = about(args, &run, &history);
    let excesses = effort_excesses(&robot, &history, "effort");
    let told = args
        .output
        .tell((path, &shown), "simulate", (&about, &history), &excesses)?;
    match &run.ended {
        Ok(Stop::Interrupted { .. }) => Ok(FailureCode::Interrupted),
        Ok(_) => Ok(told),
        Err(error) => Err(Failure::new(
            FailureCode::Solver,
            format!("{}: {error}", path.display()),
        )
        .because(error)),
    }
}

impl Args {
    /// The simulated robot with the controllers of the model.
    fn job(&self) -> Result<Job, Failure> {
        let design = self.model.load(self.output.quiet)?;
        let Some(path) = &self.real else {
            return Ok(design);
        };
        let mut real = input::load(path, &self.real_set, self.output.quiet)?;
        put_to_work(&design.model, &mut real.model).map_err(|error| failure(path, &error))?;
        real.study = design.study;
        Ok(real)
    }
}

fn about(args: &Args, run: &Run, history: &biela::robot::History) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if let Some(real) = &args.real {
        lines.push(("real robot", real.display().to_string()));
    }
    let end = time(run.times().last().copied().unwrap_or(0.0));
    lines.push((
        "time",
        format!("{end} s, {} steps", run.statistics.integrator.steps),
    ));
    for (column, values) in history.columns.iter().zip(&history.values) {
        if let Some(joint) = column.name.strip_suffix(".error") {
            let largest = values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let square: f64 = values.iter().map(|x| x * x).sum();
            let mean = (square / values.len().max(1) as f64).sqrt();
            let (largest, mean) = (three_digits(largest), three_digits(mean));
            let unit = &column.unit;
            lines.push((
                "error",
                format!("{joint}: at most {largest} {unit}, {mean} {unit} rms"),
            ));
        }
    }
    for warning in &run.warnings {
        lines.push(("warning", warning.clone()));
    }
    lines
}
