//! Analyses of a model.

mod assemble;
mod dynamics;
mod linearize;
mod modes;
mod size;
mod statics;
mod study;

pub use assemble::{AssembleError, Assembled, Change, FollowingRate, OpenElement, assemble};
pub use dynamics::{
    Evidence, Failure, Observer, Progress, ResumeError, Simulation, Statistics, Stop,
};
pub use linearize::{Linearization, LinearizeError, Request, Variable, linearize};
pub use modes::{Mode, Trend, mode_motion, modes};
pub use size::least_memory;
pub use statics::{BALANCED, BALANCES, Equilibrium, Stability, Statics, StaticsError};
pub use study::{Analysis, Choice, Formulation, MOST_STEPS, Study};
