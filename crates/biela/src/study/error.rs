//! Errors of studies.

use std::path::PathBuf;

use crate::ModelError;

/// An error of a study.
#[derive(Debug)]
pub enum StudyError {
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

impl std::fmt::Display for StudyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StudyError::Model(error) => error.fmt(f),
            StudyError::Missing(text) | StudyError::Unrecorded(text) => f.write_str(text),
            StudyError::Other { folder, what } => write!(
                f,
                "{} holds points of another study: {what}; start over with --fresh, or choose another folder with --out",
                folder.display()
            ),
            StudyError::Busy(file) => write!(
                f,
                "{} is being written by another process; wait for it, or choose another folder with --out",
                file.display()
            ),
            StudyError::File(file, error) => write!(f, "{}: {error}", file.display()),
            StudyError::Incomplete {
                folder,
                missing,
                points,
                first,
            } => write!(
                f,
                "{}: {missing} of {points} points are missing, the first is point {first}; run the parts that have not ended again, then gather",
                folder.display()
            ),
        }
    }
}

impl std::error::Error for StudyError {}

impl From<ModelError> for StudyError {
    fn from(error: ModelError) -> Self {
        StudyError::Model(error)
    }
}
