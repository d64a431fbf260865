//! `biela robot trajectory`: reference trajectories and their limits.

use super::saved::OutputArgs;
use super::trajectory_args::TrajectoryArgs;
use crate::failure::CommandResult;

/// Compute a reference trajectory: position, velocity and acceleration of every joint, and the path of the tool
///
/// Exit code 1 if a joint limit is violated.
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
    let history = reference.history(&times);
    let end = times.last().copied().unwrap_or(0.0);
    let beyond = reference.excesses(end);
    let about = TrajectoryArgs::about(&reference, &times);
    let from = (args.along.model.path.as_path(), &job);
    args.output
        .tell(from, "trajectory", (&about, &history), &beyond)
}
