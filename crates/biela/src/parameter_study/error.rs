//! Errors of studies.

use std::path::PathBuf;

use crate::ModelError;

/// An error of a study.
pub enum ParameterStudyError {
    /// The model file is invalid.
    Model(ModelError),
    /// The model lacks a definition that the study needs.
    Missing(String),
    /// The folder contains another study.
    Other {
        /// The folder.
        folder: PathBuf,
        /// The difference.
        what: String,
    },
    /// Another process is computing a part.
    Busy(PathBuf),
    /// A file cannot be read or written.
    File(PathBuf, std::io::Error),
    /// The rows of a point cannot be written, with the reason.
    Unrecorded(String),
    /// Points are missing.
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// The number of missing points.
        missing: usize,
        /// The total number of points.
        points: usize,
        /// The first missing point.
        first: usize,
    },
}

impl std::fmt::Display for ParameterStudyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterStudyError::Model(error) => error.fmt(f),
            ParameterStudyError::Missing(text) | ParameterStudyError::Unrecorded(text) => {
                f.write_str(text)
            }
            ParameterStudyError::Other { folder, what } => write!(
                f,
                "{} contains points of another study: {what}; discard them, or choose another folder",
                folder.display()
            ),
            ParameterStudyError::Busy(file) => write!(
                f,
                "{} is being written by another process; wait for it, or choose another folder",
                file.display()
            ),
            ParameterStudyError::File(file, error) => write!(f, "{}: {error}", file.display()),
            ParameterStudyError::Incomplete {
                folder,
                missing,
                points,
                first,
            } => write!(
                f,
                "{}: {missing} of {points} points are missing, first point {first}; compute the unfinished parts again, then gather",
                folder.display()
            ),
        }
    }
}

biela_core::readable_errors!(ParameterStudyError);

impl From<ModelError> for ParameterStudyError {
    fn from(error: ModelError) -> Self {
        ParameterStudyError::Model(error)
    }
}
