//! How a command ends when it does not end well.

use biela::explain::Reason;
use biela::record::RecordError;
use serde_json::{Value, json};

use crate::terminal;

/// The exit codes of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Done = 0,
    /// A stated requirement failed.
    Requirement = 1,
    /// The command cannot be carried out as given: option, path, folder.
    Command = 2,
    /// The model file is wrong.
    Model = 3,
    /// The model cannot be assembled.
    Assembly = 4,
    /// The run stopped before its end; partial results are kept.
    Solver = 5,
    /// The results could not be written any more; what was written is kept.
    Record = 6,
    /// The user stopped the run; partial results are kept.
    Interrupted = 130,
}

impl Code {
    /// The word in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Code::Done => "done",
            Code::Requirement => "requirement-failed",
            Code::Command => "bad-command",
            Code::Model => "bad-model",
            Code::Assembly => "cannot-assemble",
            Code::Solver => "solver-stopped",
            Code::Record => "cannot-record",
            Code::Interrupted => "interrupted",
        }
    }
}

/// Why a command could not do its work.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// For people; begins with a heading of its own when `headed`.
    pub(crate) text: String,
    pub(crate) headed: bool,
    /// For machines, beside code and text.
    pub(crate) details: Value,
    /// What `biela explain` knows more of.
    pub(crate) reason: Option<Reason>,
}

impl Failure {
    pub(crate) fn new(code: Code, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            headed: false,
            details: Value::Null,
            reason: None,
        }
    }

    /// The same, with its explanation.
    pub(crate) fn because(self, reason: impl Into<Reason>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..self
        }
    }

    /// The command cannot be carried out as given.
    pub(crate) fn command(text: impl std::fmt::Display) -> Self {
        Self::new(Code::Command, text.to_string())
    }

    /// A file cannot be written: for want of room, or because of its path.
    pub(crate) fn file(text: impl std::fmt::Display, error: &std::io::Error) -> Self {
        if biela_files::is_out_of_space(error) {
            Self::new(
                Code::Record,
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

/// Where to read on.
pub(crate) fn more(reason: Reason) -> String {
    format!("more: biela explain {}\n", reason.word())
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let code = if error.is_of_writing() {
            Code::Record
        } else {
            Code::Command
        };
        Self::new(code, error.to_string()).because(&error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::command(format!("cannot write to stdout: {error}"))
    }
}

pub(crate) type Outcome = Result<Code, Failure>;
