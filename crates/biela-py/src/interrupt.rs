//! Long computations that Ctrl-C ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval at which the interpreter is polled for interrupts.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Computes in a separate thread while this one, which receives signals, polls the interpreter for interrupts. `work` gets a function that returns whether to stop.
pub(crate) fn interruptible<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> R + Send,
) -> PyResult<R> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let stops = || stop.load(Ordering::Relaxed);
            let _ = scope.spawn(move || sender.send(work(&stops)));
            let mut interrupt = None;
            loop {
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok(done) => return interrupt.map_or(Ok(done), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(PyRuntimeError::new_err("the computation panicked"));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = signals() {
                            stop.store(true, Ordering::Relaxed);
                            let _ = interrupt.get_or_insert(error);
                        }
                    }
                }
            }
        })
    })
}

/// The exception of a signal such as Ctrl-C.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself has one lifetime, and the closure must have any"
)]
fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}
