//! `biela robot feedforward`: inverse dynamics along a reference motion.

use biela::robot::{effort_excesses, feedforward};

use super::along::Along;
use super::saved::Output;
use crate::failure::Outcome;

/// Compute the joint forces and torques of a reference motion by inverse dynamics: inertial, centripetal and Coriolis, gravity, total
///
/// Exit code 1 if an effort limit is exceeded.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    along: Along,
    #[command(flatten)]
    pub(super) output: Output,
}

pub(super) fn run(args: &Args) -> Outcome {
    let job = args.along.model.load(args.output.quiet)?;
    let mut reference = args.along.reference(&job)?;
    let times = args.along.times(&job, &reference)?;
    let history = feedforward(&mut reference, &times);
    let beyond = effort_excesses(&reference.robot, &history, "total");
    let about = Along::about(&reference, &times);
    let from = (args.along.model.path.as_path(), &job);
    args.output
        .tell(from, "feedforward", (&about, &history), &beyond)
}
