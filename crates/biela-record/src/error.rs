//! Errors of results folders.

use std::path::{Path, PathBuf};
use std::{error::Error, fmt, io};

use biela_files::Whereabouts;

/// The part of a run that is safely stored in the results folder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// Rows in complete chunks.
    pub rows: u64,
    /// Time of the last of them.
    pub last_time: Option<f64>,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last_time {
            Some(time) => write!(f, "results kept to t = {time}"),
            None => write!(f, "no results kept"),
        }
    }
}

/// An error while writing or reading results.
#[non_exhaustive]
pub enum RecordError {
    /// The results folder could not be prepared, or a file in it could not be opened or read.
    File {
        /// The file or folder.
        path: PathBuf,
        /// The attempted operation, as in "cannot *create the folder*".
        action: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A write failed during a run.
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
        /// The stored part.
        kept: Kept,
    },
    /// A row was pushed after a write had failed.
    Stopped {
        /// The file whose write failed.
        path: PathBuf,
        /// The stored part.
        kept: Kept,
    },
    /// The folder was moved or deleted during a run.
    Gone {
        /// The original path of the folder.
        path: PathBuf,
        /// Its current location.
        now: Whereabouts,
        /// The stored part, if the folder still exists.
        kept: Kept,
    },
    /// Another run is writing to the folder.
    Locked {
        /// The folder.
        path: PathBuf,
        /// The process that holds the lock, if known.
        process: Option<u32>,
    },
    /// The folder contains files that biela did not write, so it is not modified.
    Foreign {
        /// The folder.
        path: PathBuf,
        /// One of these files.
        found: String,
    },
    /// The folder contains earlier results, and overwriting was not requested.
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The columns cannot be recorded.
    Columns {
        /// The problem.
        problem: String,
    },
    /// A row does not have one value per column.
    RowLength {
        /// Number of columns after `time`.
        expected: usize,
        /// The number of values in the row.
        found: usize,
    },
    /// There are no results at this path.
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The data file is unreadable from its start.
    Data {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The manifest is invalid.
    Manifest {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The run is complete, so that there is nothing to resume.
    NothingToResume {
        /// The folder.
        path: PathBuf,
        /// Its outcome, as in "the run *finished*".
        how: String,
    },
    /// The run cannot be resumed, because it has no checkpoint.
    NoCheckpoint {
        /// The folder.
        path: PathBuf,
    },
    /// No checkpoint of the folder is usable.
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A result file has changed since the checkpoint, so that the run cannot be resumed.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The difference.
        problem: String,
        /// Time of the checkpoint, s.
        time: f64,
    },
    /// The run to be resumed differs from the one in the folder.
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// All differences.
        differences: Vec<String>,
    },
    /// The results were written by a later version of biela.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format; this version reads up to [`crate::FORMAT`].
        format: u64,
    },
}

impl RecordError {
    /// Returns `true` if results could not be written to a valid folder: the disk is full, or the folder was removed.
    pub fn is_of_writing(&self) -> bool {
        match self {
            Self::Write { .. } | Self::Stopped { .. } | Self::Gone { .. } => true,
            Self::File { source, .. } => biela_files::is_out_of_space(source),
            _ => false,
        }
    }
}

/// Advice for a failed file operation.
fn advice(error: &io::Error) -> &'static str {
    use io::ErrorKind as K;
    match error.kind() {
        _ if biela_files::is_out_of_space(error) => {
            "free some space, record fewer signals or a longer output step, or name a folder on another disk"
        }
        K::PermissionDenied | K::ReadOnlyFilesystem => "name a folder you may write to",
        K::NotFound => "check the path",
        K::NotADirectory | K::AlreadyExists => "a file of this name exists: name another folder",
        _ => "check the disk and try again, or name another folder",
    }
}

/// Describes a folder that disappeared while a run was writing to it.
fn gone(
    f: &mut fmt::Formatter<'_>,
    path: &Path,
    now: &Whereabouts,
    kept: &impl fmt::Display,
) -> fmt::Result {
    let path = path.display();
    match now {
        Whereabouts::Moved(Some(now)) => write!(
            f,
            "{path}: the folder was moved while the run was writing; {kept} in {}; move the folder back, or name its new path",
            now.display()
        ),
        Whereabouts::Deleted => write!(
            f,
            "{path}: the folder was deleted while the run was writing; no results kept; start the run again"
        ),
        Whereabouts::Moved(None) | Whereabouts::InPlace => write!(
            f,
            "{path}: the folder was moved while the run was writing; {kept} in the folder that was moved; find it, or start the run again"
        ),
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File {
                path,
                action,
                source,
            } => {
                let path = path.display();
                write!(f, "{path}: cannot {action}: {source}; {}", advice(source))
            }
            Self::Write { path, source, kept } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: cannot write: {source}; {kept}; {}",
                    advice(source)
                )
            }
            Self::Stopped { path, kept } => write!(
                f,
                "{}: recording has stopped after a failed write; {kept}; start the run again",
                path.display()
            ),
            Self::Gone { path, now, kept } => gone(f, path, now, kept),
            Self::Locked { path, process } => {
                write!(f, "{}: another run is writing here", path.display())?;
                if let Some(process) = process {
                    write!(f, " (process {process})")?;
                }
                write!(f, "; wait for it to end or name another folder")
            }
            Self::Foreign { path, found } => write!(
                f,
                "{}: the folder contains \"{found}\" and is not a results folder of biela, so nothing was written; \
                 name a new or empty folder",
                path.display()
            ),
            Self::Exists { path } => write!(
                f,
                "{}: the folder contains earlier results; allow overwriting or name another folder",
                path.display()
            ),
            Self::Columns { problem } => write!(f, "the columns cannot be recorded: {problem}"),
            Self::RowLength { expected, found } => write!(
                f,
                "a row needs {expected} values after the time, not {found}"
            ),
            Self::Missing { path } => write!(
                f,
                "{}: no results here; a results folder contains {} and {}",
                path.display(),
                crate::MANIFEST_FILE,
                crate::DATA_FILE
            ),
            Self::Data { path, problem } => write!(
                f,
                "{}: not readable as results: {problem}; name a results folder, or an Arrow stream file with Float64 columns",
                path.display()
            ),
            Self::Manifest { path, problem } => write!(
                f,
                "{}: {problem}; move this file elsewhere to read the data without it",
                path.display()
            ),
            Self::NothingToResume { path, how } => {
                write!(f, "{}: nothing to resume: the run {how}", path.display())
            }
            Self::NoCheckpoint { path } => write!(
                f,
                "{}: no checkpoint to resume from; start the run again with checkpoints",
                path.display()
            ),
            Self::Checkpoint { path, problem } => write!(
                f,
                "{}: the checkpoint cannot be used: {problem}; start the run again",
                path.display()
            ),
            Self::Damaged {
                path,
                problem,
                time,
            } => write!(
                f,
                "{}: the file was changed after the checkpoint at t = {time} s: {problem}; \
                 restore the file, or start the run again",
                path.display()
            ),
            Self::OtherRun { path, differences } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: the interrupted run in this folder differs from this one:"
                )?;
                for difference in differences {
                    write!(f, "\n  {difference}")?;
                }
                write!(
                    f,
                    "\nresume it with its own model and options, or name another folder"
                )
            }
            Self::Newer { path, format } => write!(
                f,
                "{}: the format is {format}; this biela reads formats up to {}; use a newer biela",
                path.display(),
                crate::FORMAT
            ),
        }
    }
}

impl std::fmt::Debug for RecordError {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Error for RecordError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } | Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Adds the path and the operation to an I/O error.
pub(crate) trait IoContext<T> {
    fn context(self, path: &std::path::Path, action: &'static str) -> Result<T, RecordError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn context(self, path: &std::path::Path, action: &'static str) -> Result<T, RecordError> {
        self.map_err(|source| RecordError::File {
            path: path.to_path_buf(),
            action,
            source,
        })
    }
}
