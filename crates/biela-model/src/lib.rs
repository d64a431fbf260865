//! biela-model

pub mod diagnostic;
pub mod document;
pub mod suggest;
