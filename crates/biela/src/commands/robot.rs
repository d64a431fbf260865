//! `biela robot`: analyses of robots, one file each.

mod along;
mod coefficients;
mod feedforward;
mod fk;
mod forward;
mod ik;
mod linearize;
mod parameters;
mod pose;
mod saved;
mod simulate;
mod tool;
mod trajectory;
mod workspace;

use std::path::Path;

use biela::robot::WorkbenchError;

use crate::failure::{Code, Failure, Outcome};

const AFTER_HELP: &str = "\
A robot is a model whose bodies form an open tree. Its joints, tool and preferred pose are in [robot], its reference motions
in [[trajectory]], its controllers in [[controller]]. The results of an analysis go to a folder: data.csv, data.arrows, and
plots.

Examples:
  biela robot trajectory arm.toml
  biela robot feedforward arm.toml --trajectory pick --points 1001
  biela robot linearize arm.toml --at 0.5s
  biela robot ik arm.toml --to 0.4,0.1,0.6 --turn 180deg,0,0 --all 8
  biela robot workspace arm.toml --section xy";

/// Analyse a robot: reference motions, inverse and forward dynamics, control, kinematics, inertial parameters
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    analysis: Analysis,
}

#[derive(clap::Subcommand, Debug)]
enum Analysis {
    Trajectory(trajectory::Args),
    Feedforward(feedforward::Args),
    Forward(forward::Args),
    Simulate(simulate::Args),
    Linearize(linearize::Args),
    Coefficients(coefficients::Args),
    Parameters(parameters::Args),
    Fk(fk::Args),
    Ik(ik::Args),
    Workspace(workspace::Args),
}

pub(crate) fn run(args: &Args) -> Outcome {
    match &args.analysis {
        Analysis::Trajectory(args) => trajectory::run(args),
        Analysis::Feedforward(args) => feedforward::run(args),
        Analysis::Forward(args) => forward::run(args),
        Analysis::Simulate(args) => simulate::run(args),
        Analysis::Linearize(args) => linearize::run(args),
        Analysis::Coefficients(args) => coefficients::run(args),
        Analysis::Parameters(args) => parameters::run(args),
        Analysis::Fk(args) => fk::run(args),
        Analysis::Ik(args) => ik::run(args),
        Analysis::Workspace(args) => workspace::run(args),
    }
}

impl Args {
    pub(crate) fn wants_json(&self) -> bool {
        match &self.analysis {
            Analysis::Trajectory(args) => args.output.json,
            Analysis::Feedforward(args) => args.output.json,
            Analysis::Forward(args) => args.output.json,
            Analysis::Simulate(args) => args.output.json,
            Analysis::Linearize(args) => args.output.json,
            Analysis::Coefficients(args) => args.json,
            Analysis::Parameters(args) => args.json,
            Analysis::Fk(args) => args.json,
            Analysis::Ik(args) => args.json,
            Analysis::Workspace(args) => args.output.json,
        }
    }
}

/// The failure for an analysis that does not apply to the model.
fn failure(path: &Path, error: &WorkbenchError) -> Failure {
    let code = match error {
        WorkbenchError::Which { .. } | WorkbenchError::Endless { .. } => Code::Command,
        _ => Code::Model,
    };
    let failure = Failure::new(code, format!("{}: {error}", path.display()));
    match error {
        WorkbenchError::Run(error) => failure.because(error.as_ref()),
        _ => failure,
    }
}
