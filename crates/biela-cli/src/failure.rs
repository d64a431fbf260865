//! Exit codes and failures of the command.

use biela::explain::Reason;
use biela::record::RecordError;
use biela::record::checkpoint::CHECKPOINT_FILE;
use biela::view::FolderError;
use serde_json::{Value, json};

use crate::terminal;

/// The exit codes of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureCode {
    Done = 0,
    /// A requirement failed.
    Requirement = 1,
    /// Invalid command: option, path or folder.
    Command = 2,
    /// The model file is invalid.
    Model = 3,
    /// The model cannot be assembled.
    Assembly = 4,
    /// The run stopped before its end; partial results are kept.
    Solver = 5,
    /// The results could not be written; the part already written is kept.
    Record = 6,
    /// The user stopped the run; partial results are kept.
    Interrupted = 130,
}

impl FailureCode {
    /// The keyword in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FailureCode::Done => "done",
            FailureCode::Requirement => "requirement-failed",
            FailureCode::Command => "bad-command",
            FailureCode::Model => "bad-model",
            FailureCode::Assembly => "cannot-assemble",
            FailureCode::Solver => "solver-stopped",
            FailureCode::Record => "cannot-record",
            FailureCode::Interrupted => "interrupted",
        }
    }
}

/// A failure of a command.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: FailureCode,
    /// The message; it starts with its own heading if `headed` is set.
    pub(crate) text: String,
    pub(crate) headed: bool,
    /// Additional data for JSON output.
    pub(crate) details: Value,
    /// The topic of `biela explain`.
    pub(crate) reason: Option<Reason>,
}

impl Failure {
    pub(crate) fn new(code: FailureCode, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            headed: false,
            details: Value::Null,
            reason: None,
        }
    }

    /// Returns the failure with its explanation.
    pub(crate) fn because(self, reason: impl Into<Reason>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..self
        }
    }

    /// Creates a failure for an invalid command. An error of an argument of the library becomes one of the option of that name.
    pub(crate) fn command(text: impl std::fmt::Display) -> Self {
        Self::new(FailureCode::Command, format!("{text:#}"))
    }

    /// Creates a failure for a file that cannot be written: the disk is full or the path is invalid.
    pub(crate) fn file(text: impl std::fmt::Display, error: &std::io::Error) -> Self {
        if biela_files::is_out_of_space(error) {
            Self::new(
                FailureCode::Record,
                format!("{text}; free some space, or name a folder on another disk"),
            )
            .because(Reason::Writing)
        } else {
            Self::command(text)
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "status": self.code.word(),
            "exit": self.code as i32,
            "message": terminal::plain(self.text.trim_end()),
            "details": self.details,
            "explain": self.reason.map(Reason::word),
        })
    }
}

/// The line that refers to the explanation.
pub(crate) fn more(reason: Reason) -> String {
    format!("more: biela explain {}\n", reason.word())
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let code = if error.is_of_writing() {
            FailureCode::Record
        } else {
            FailureCode::Command
        };
        Self::new(code, error.to_string()).because(&error)
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let text = error.to_string();
        match error {
            FolderError::Record(error) => error.into(),
            FolderError::Resumable { dir, .. } => {
                let dir = dir.display();
                Self::command(format!(
                    "{text}: add --resume, or remove {dir}/{CHECKPOINT_FILE} to start again"
                ))
                .because(Reason::Resume)
            }
            FolderError::Misfit { .. } | FolderError::ResumedMotion { .. } => {
                Self::command(text).because(Reason::Resume)
            }
            FolderError::Motion { source, .. } => {
                Self::file(format!("{text}; omit it with --no-motion"), &source)
            }
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::command(format!("cannot write to stdout: {error}"))
    }
}

pub(crate) type CommandResult = Result<FailureCode, Failure>;
