//! Processor time of the thread, which is independent of other processes of the machine.

use std::time::Duration;

use crate::Error;

/// Number of runs of each computation; the median counts.
const RUNS: usize = 5;

/// Whose processor time counts.
#[derive(Clone, Copy)]
enum Whose {
    Thread,
    Process,
}

/// Processor time used so far.
#[cfg(unix)]
fn now(whose: Whose) -> Duration {
    use rustix::time::ClockId;
    let time = rustix::time::clock_gettime(match whose {
        Whose::Thread => ClockId::ThreadCPUTime,
        Whose::Process => ClockId::ProcessCPUTime,
    });
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall-clock time since the first call, on systems without a clock of the thread.
#[cfg(not(unix))]
fn now(_: Whose) -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Returns the time of `work` in s, and its value.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> (f64, T) {
    time_of(Whose::Thread, work)
}

/// The same for work that has its own threads.
pub(crate) fn time_of_process<T>(work: impl FnOnce() -> T) -> (f64, T) {
    time_of(Whose::Process, work)
}

fn time_of<T>(whose: Whose, work: impl FnOnce() -> T) -> (f64, T) {
    let start = now(whose);
    let value = work();
    (now(whose).saturating_sub(start).as_secs_f64(), value)
}

/// The median time of several runs, and the value of the last one. Each run returns its own time, so that it can exclude its
/// preparation.
pub(crate) fn median<T>(
    mut run: impl FnMut() -> Result<(f64, T), Error>,
) -> Result<(f64, T), Error> {
    let (first, mut value) = run()?;
    let mut seconds = vec![first];
    for _ in 1..RUNS {
        let (time, latest) = run()?;
        seconds.push(time);
        value = latest;
    }
    seconds.sort_by(f64::total_cmp);
    Ok((seconds[RUNS / 2], value))
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_of_unordered_times() {
        let mut times = [3.0, 9.0, 1.0, 4.0, 2.0].into_iter();
        let found = median(|| {
            times
                .next()
                .map(|time| (time, time))
                .ok_or_else(|| "none left".into())
        });
        assert_eq!(found.unwrap(), (3.0, 2.0));
        assert_eq!(times.next(), None);
    }
}
