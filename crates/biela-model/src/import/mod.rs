//! Importers: convert models of other programs to the text of a biela model.
//!
//! ```
//! use biela_model::import::urdf::{UrdfOptions, import};
//!
//! let urdf = r#"<robot name="stick"><link name="base"/></robot>"#;
//! let imported = import("stick.urdf", urdf, &UrdfOptions::default());
//! assert!(imported.text.is_some_and(|text| text.contains("space = \"spatial\"")));
//! ```

pub mod mjcf;
mod names;
pub mod robo;
pub mod sismul;
mod text;
pub mod urdf;
mod xml;

use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Sources};
use crate::lower;

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The text of the model, if there is no error.
    pub text: Option<String>,
    /// The input text, for rendering the diagnostics.
    pub sources: Sources,
    /// All problems.
    pub diagnostics: Diagnostics,
}

impl Imported {
    /// Creates the result of importing `what`; the text is returned only if the language accepts it.
    fn new(text: Option<String>, what: &str, sources: Sources, diagnostics: Diagnostics) -> Self {
        if let (Some(text), false) = (&text, diagnostics.has_errors()) {
            refuse_if_unreadable(text, what, &diagnostics);
        }
        Imported {
            text: text.filter(|_| !diagnostics.has_errors()),
            sources,
            diagnostics,
        }
    }
}

/// Decodes UTF-8, or the eight-bit characters of old files.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Checks that the generated text is valid: this detects absurd numbers or a wrong unit of length.
fn refuse_if_unreadable(text: &str, what: &str, diagnostics: &Diagnostics) {
    let loaded = lower::parse("model.toml", text, &lower::Overrides::default());
    let problems = loaded.diagnostics.sorted();
    let errors = problems.iter().filter(|p| p.severity == Severity::Error);
    for problem in errors {
        let message = format!(
            "the model imported from {what} is invalid: {}",
            problem.message
        );
        let error = Diagnostic::error("no-model", message);
        diagnostics.push(error.maybe_help(problem.help.clone()));
    }
}
