//! `--deadline`: how long a run may take on the clock, reading and assembling included.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::STOPPED;
use crate::failure::Code;
use crate::terminal;

/// Time beyond the deadline for the step under way and for closing files.
const GRACE: Duration = Duration::from_secs(5);

/// Set when the run has come to its end.
static OVER: AtomicBool = AtomicBool::new(false);
/// Set when the deadline has come.
static COME: AtomicBool = AtomicBool::new(false);
static ASKED: OnceLock<Duration> = OnceLock::new();

/// Lets the run end in good order when the time is over; what does not come to an end even then, such as an assembly that goes on and on, is cut off.
pub(super) fn start(time: Duration) {
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
        std::thread::sleep(GRACE);
        if OVER.load(Ordering::Relaxed) {
            return;
        }
        let text = format!(
            "{} the deadline of {} s has come before the step under way, or the start, was computed; what was written is kept\n",
            terminal::err_ink().red("error:"),
            time.as_secs_f64()
        );
        terminal::say(&text);
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
