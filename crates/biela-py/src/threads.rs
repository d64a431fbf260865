//! The thread pool for many states.
//!
//! A forked child inherits the memory of a thread pool but none of its threads: work given to it would wait forever. The pool therefore belongs to
//! a process, and a child creates its own.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::tree::STATES_AT_A_TIME;

/// The pool with one thread per core, and the process that created it.
///
/// It is locked only while the interpreter's lock is held, and so is `os.fork`: a child never inherits it locked.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

fn build(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Arc::new).map_err(|error| {
        PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}"))
    })
}

/// The pool of this process.
fn shared(_attached: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let here = std::process::id();
    if let Some((owner, pool)) = &*shared
        && *owner == here
    {
        return Ok(Arc::clone(pool));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = build(cores)?;
    // the pool of the parent cannot be dropped: that would wake threads that do not exist here
    std::mem::forget(shared.replace((here, Arc::clone(&pool))));
    Ok(pool)
}

/// The threads for `states` states: as many as are requested and have work, or one per core. `None` means the calling thread.
pub(crate) fn pool(
    py: Python<'_>,
    threads: Option<usize>,
    states: usize,
) -> PyResult<Option<Arc<ThreadPool>>> {
    match threads {
        None => shared(py).map(Some),
        Some(0) => Err(PyValueError::new_err("threads must be at least 1")),
        Some(threads) => match threads.min(states.div_ceil(STATES_AT_A_TIME)) {
            1 => Ok(None),
            threads => build(threads).map(Some),
        },
    }
}
