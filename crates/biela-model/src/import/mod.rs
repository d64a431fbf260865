//! Models of other programs, made into the text of a biela model.

pub mod sismul;

use crate::diagnostic::{Diagnostics, Sources};

/// What came of an import.
#[derive(Debug)]
pub struct Imported {
    /// The text of the model, if there is no error.
    pub text: Option<String>,
    /// What was read, for rendering the diagnostics.
    pub sources: Sources,
    /// All problems.
    pub diagnostics: Diagnostics,
}
