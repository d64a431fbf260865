//! Analyses: what can be asked of a model.

mod assemble;
mod dynamics;
mod study;

pub use assemble::{AssembleError, Assembled, Change, OpenElement, assemble};
pub use dynamics::{Failure, Observer, Progress, Simulation, Statistics, Stop};
pub use study::{Choice, Formulation, Study};
