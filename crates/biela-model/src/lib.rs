//! biela-model

pub mod diagnostic;
pub mod suggest;
