//! biela-model

pub mod diagnostic;
pub mod document;
pub mod expr;
pub mod suggest;
pub mod units;
