//! The built command and a folder to play in.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The result of a command.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Done {
    /// Checks the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.out, self.err
        );
        self
    }

    /// Checks that stderr has these words.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in\n{}", self.err);
        }
        self
    }

    /// Stdout as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in\n{}", self.out))
    }
}

/// A folder to play in, gone at the end.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }

    /// Copies a model of the tests here.
    pub fn with(self, model: &str) -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
        let _ = std::fs::copy(from.join(model), self.path(model)).unwrap();
        self
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The command, ready to be started here.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        let _ = command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the command here; it must not panic.
    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Done {
        done(self.command(args).output().unwrap())
    }
}

/// The command of this build, or another one: `BIELA_BINARY`, from the root of the project.
pub fn binary() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::var_os("BIELA_BINARY").map_or_else(
        || PathBuf::from(env!("CARGO_BIN_EXE_biela")),
        |binary| root.join(binary),
    )
}

/// The output of a finished process, which must not have panicked.
#[track_caller]
pub fn done(output: std::process::Output) -> Done {
    let done = Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!done.err.contains("panicked"), "{}", done.err);
    done
}

/// Compares with a stored text; `UPDATE_GOLDEN=1` stores the new one.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{name} differs; now it is\n{text}");
}
