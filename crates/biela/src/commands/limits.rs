//! `--deadline` and `--memory`: what a command may take, reading and assembling included.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::explain::Reason;
use clap::Args;

use super::run::STOPPED;
use crate::failure::{Code, Failure, more};
use crate::terminal;

/// What a command may take.
#[derive(Args, Debug)]
pub(crate) struct LimitArgs {
    /// End in good order when it has taken so long on the clock
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    deadline: Option<String>,
    /// Memory that the equations may take: 500MB, 8GB [default: 4GB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    memory: Option<String>,
}

impl LimitArgs {
    /// Starts the clock, with so much time beyond the deadline for the step under way and for closing files; the bytes that the equations may take.
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

/// A time on the clock that an option gives.
pub(super) fn duration(option: &str, text: Option<&String>) -> Result<Option<Duration>, Failure> {
    let Some(text) = text else {
        return Ok(None);
    };
    let seconds =
        biela::quantity(text, "s").map_err(|error| Failure::command(error.about(option)))?;
    // ages are as good as never
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Ok(Some(time))
}

/// Set when the run has come to its end.
static OVER: AtomicBool = AtomicBool::new(false);
/// Set when the deadline has come.
static COME: AtomicBool = AtomicBool::new(false);
static ASKED: OnceLock<Duration> = OnceLock::new();

/// Lets a run end in good order when the time is over; what does not come to an end even then, such as an assembly that goes on and on, is cut off.
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
            "{} the deadline of {} s has come before the step under way, or the start, was computed; what was written is kept\n",
            terminal::err_ink().red("error:"),
            time.as_secs_f64()
        );
        terminal::say(&text);
        terminal::say(&more(Reason::Deadline));
        std::process::exit(Code::Solver as i32);
    };
    // without the thread there is no deadline, and a run is as long as it is
    drop(
        std::thread::Builder::new()
            .name("deadline".into())
            .spawn(watch),
    );
}

/// The run has come to its end, and what follows may take its time.
pub(super) fn over() {
    OVER.store(true, Ordering::Relaxed);
}

/// The deadline that has come, s.
pub(super) fn come() -> Option<f64> {
    let asked = ASKED.get().map(Duration::as_secs_f64);
    asked.filter(|_| COME.load(Ordering::Relaxed))
}
