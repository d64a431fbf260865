//! `biela robot`: analyses of robots, one file each.

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
mod trajectory_args;
mod workspace;

use std::path::Path;

use biela::robot::WorkbenchError;

use crate::failure::{CommandResult, Failure, FailureCode};

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
    analysis: RobotAnalysis,
}

#[derive(clap::Subcommand, Debug)]
enum RobotAnalysis {
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

pub(crate) fn run(args: &Args) -> CommandResult {
    match &args.analysis {
        RobotAnalysis::Trajectory(args) => trajectory::run(args),
        RobotAnalysis::Feedforward(args) => feedforward::run(args),
        RobotAnalysis::Forward(args) => forward::run(args),
        RobotAnalysis::Simulate(args) => simulate::run(args),
        RobotAnalysis::Linearize(args) => linearize::run(args),
        RobotAnalysis::Coefficients(args) => coefficients::run(args),
        RobotAnalysis::Parameters(args) => parameters::run(args),
        RobotAnalysis::Fk(args) => fk::run(args),
        RobotAnalysis::Ik(args) => ik::run(args),
        RobotAnalysis::Workspace(args) => workspace::run(args),
    }
}

impl Args {
    pub(crate) fn wants_json(&self) -> bool {
        match &self.analysis {
            RobotAnalysis::Trajectory(args) => args.output.json,
            RobotAnalysis::Feedforward(args) => args.output.json,
            RobotAnalysis::Forward(args) => args.output.json,
            RobotAnalysis::Simulate(args) => args.output.json,
            RobotAnalysis::Linearize(args) => args.output.json,
            RobotAnalysis::Coefficients(args) => args.json,
            RobotAnalysis::Parameters(args) => args.json,
            RobotAnalysis::Fk(args) => args.json,
            RobotAnalysis::Ik(args) => args.json,
            RobotAnalysis::Workspace(args) => args.output.json,
        }
    }
}

/// The failure for an analysis that does not apply to the model.
fn failure(path: &Path, error: &WorkbenchError) -> Failure {
    let code = match error {
        WorkbenchError::Which { .. } | WorkbenchError::Endless { .. } => FailureCode::Command,
        _ => FailureCode::Model,
    };
    let option = match error {
        WorkbenchError::Which { asked: None, .. } => " with --trajectory",
        WorkbenchError::Endless { .. } => " with --to",
        _ => "",
    };
    let failure = Failure::new(code, format!("{}: {error}{option}", path.display()));
    match error {
        WorkbenchError::Run(error) => failure.because(error.as_ref()),
        _ => failure,
    }
}
