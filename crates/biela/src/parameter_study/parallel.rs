//! Parallel computation in threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The most threads that a study may take: more do not make it quicker, and a system may refuse them.
pub const MOST_THREADS: usize = 1024;

/// How many threads there are to work with.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Computes `work` for each index below `count` in parallel threads, and passes each result to `take` in this thread as soon as it is available, in any order.
/// Work that returns `None` ends its thread.
pub(crate) fn as_they_come<T: Send>(
    count: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Option<T> + Sync),
    mut take: impl FnMut(usize, T),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(MOST_THREADS).clamp(1, count.max(1)) {
            let (sender, next) = (sender.clone(), &next);
            let _ = scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let Some(done) = work(index) else { break };
                    if sender.send((index, done)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, done) in receiver {
            take(index, done);
        }
    });
}

/// Returns all results in order; `None` if work ended early.
pub fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Option<T> + Sync),
) -> Option<Vec<T>> {
    let mut done: Vec<Option<T>> = (0..count).map(|_| None).collect();
    as_they_come(count, threads, work, |index, value| {
        done[index] = Some(value);
    });
    done.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let squares = in_order(100, threads, &|k| Some(k * k));
            assert_eq!(squares, Some((0..100).map(|k| k * k).collect()));
        }
    }

    #[test]
    fn interrupted_work_returns_nothing() {
        assert_eq!(in_order(10, 2, &|k| (k < 5).then_some(k)), None);
        assert_eq!(in_order(0, 2, &|k| Some(k)), Some(Vec::new()));
    }
}
