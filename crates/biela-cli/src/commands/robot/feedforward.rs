//! `biela robot feedforward`: inverse dynamics along a reference motion.

use biela::robot::{effort_excesses, feedforward};

use super::saved::OutputArgs;
use super::trajectory_args::TrajectoryArgs;
use crate::failure::CommandResult;

/// Compute the joint forces and torques of a reference motion by inverse dynamics: inertial, centripetal and Coriolis, gravity, total
///
/// Exit code 1 if an effort limit is exceeded.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    along: TrajectoryArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let job = args.along.model.load(args.output.quiet)?;
    let mut reference = args.along.reference(&job)?;
    let times = args.along.times(&job, &reference)?;
    let history = feedforward(&mut reference, &times);
    let beyond = effort_excesses(&reference.robot, &history, "total");
    let about = TrajectoryArgs::about(&reference, &times);
    let from = (args.along.model.path.as_path(), &job);
    args.output
        .tell(from, "feedforward", (&about, &history), &beyond)
}
