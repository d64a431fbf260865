//! `--deadline` and `--memory`: limits on time and memory of a command, including reading and assembly.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::explain::Reason;
use clap::Args;

use super::run::STOPPED;
use crate::failure::{Failure, FailureCode, more};
use crate::terminal;

/// Limits on the resources of a command.
#[derive(Args, Debug)]
pub(crate) struct LimitArgs {
    /// Stop after this wall-clock time, e.g. 30s; results so far are kept
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    deadline: Option<String>,
    /// Memory limit for the equations of motion, e.g. 500MB or 8GB [default: 4GB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    memory: Option<String>,
}

impl LimitArgs {
    /// Starts the deadline, with a grace period for the current step and for closing files. Returns the memory limit of the equations in bytes.
    pub(super) fn start(&self, grace: Duration) -> Result<f64, Failure> {
        if let Some(time) = duration("--deadline", self.deadline.as_ref())? {
            start(time, grace);
        }
        let Some(text) = &self.memory else {
            return Ok(biela::MOST_MEMORY);
        };
        biela::bytes(text).map_err(|error| Failure::command(error.about("--memory")))
    }
}

/// Parses an option that is a wall-clock time.
pub(super) fn duration(option: &str, text: Option<&String>) -> Result<Option<Duration>, Failure> {
    let time = text.map(|text| biela::wall_clock_time(text));
    time.transpose()
        .map_err(|error| Failure::command(error.about(option)))
}

/// Set when the run has ended.
static OVER: AtomicBool = AtomicBool::new(false);
/// Set when the deadline has passed.
static COME: AtomicBool = AtomicBool::new(false);
static ASKED: OnceLock<Duration> = OnceLock::new();

/// Stops a run when the time is over. A process that does not end within the grace period, such as an assembly that does not converge, is terminated.
fn start(time: Duration, grace: Duration) {
    if ASKED.set(time).is_err() {
        return;
    }
    let watch = move || {
        std::thread::sleep(time);
        if OVER.load(Ordering::Relaxed) {
            return;
        }
        COME.store(true, Ordering::Relaxed);
        STOPPED.store(true, Ordering::Relaxed);
        std::thread::sleep(grace);
        if OVER.load(Ordering::Relaxed) {
            return;
        }
        let text = format!(
            "{} the deadline of {} s passed during assembly or a step; the data already written are kept\n",
            terminal::err_ink().red("error:"),
            time.as_secs_f64()
        );
        terminal::say(&text);
        terminal::say(&more(Reason::Deadline));
        std::process::exit(FailureCode::Solver as i32);
    };
    // without the thread there is no deadline
    drop(
        std::thread::Builder::new()
            .name("deadline".into())
            .spawn(watch),
    );
}

/// Marks the run as ended, so that later work is not limited by the deadline.
pub(super) fn over() {
    OVER.store(true, Ordering::Relaxed);
}

/// The deadline in s, if it has passed.
pub(super) fn come() -> Option<f64> {
    let asked = ASKED.get().map(Duration::as_secs_f64);
    asked.filter(|_| COME.load(Ordering::Relaxed))
}
