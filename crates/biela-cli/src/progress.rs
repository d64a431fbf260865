//! Progress display: a bar on a terminal, otherwise an occasional line.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use biela::core::analysis::{Observer, Progress};
use biela::evidence::real_time_factor;
use biela::model::diagnostic::safe_page;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::{self, time, two_digits};

/// A shorter run shows no bar.
const BAR_AFTER: Duration = Duration::from_millis(250);
const BAR_EVERY: Duration = Duration::from_millis(100);
/// Time of the first plain line. The interval doubles after each line, up to the last value.
const LINE_AFTER: Duration = Duration::from_secs(5);
const LINE_AT_LEAST_EVERY: Duration = Duration::from_mins(5);
/// Steps between readings of the clock.
const STEPS_A_LOOK: u32 = 16;
/// Resolution of the bar.
const PARTS: u64 = 10_000;

/// A progress display.
#[derive(Debug)]
pub(crate) struct Meter {
    shown: ProgressDisplay,
    began: Instant,
    /// Wall-clock time of the run before it was resumed.
    earlier: Duration,
    due: Duration,
    steps: u32,
}

#[derive(Debug)]
enum ProgressDisplay {
    Nothing,
    Lines { wait: Duration },
    Bar(Option<ProgressBar>),
}

impl Meter {
    /// Creates a display that starts now.
    pub(crate) fn new(quiet: bool) -> Self {
        let (shown, due) = if quiet {
            (ProgressDisplay::Nothing, Duration::MAX)
        } else if terminal::err_is_terminal() {
            (ProgressDisplay::Bar(None), BAR_AFTER)
        } else {
            (ProgressDisplay::Lines { wait: LINE_AFTER }, LINE_AFTER)
        };
        Self {
            shown,
            began: Instant::now(),
            earlier: Duration::ZERO,
            due,
            steps: 0,
        }
    }

    /// Wall-clock time of the run, including the time before it was resumed.
    pub(crate) fn elapsed(&self) -> Duration {
        self.earlier.saturating_add(self.began.elapsed())
    }

    /// Sets the wall-clock time before the run was resumed.
    pub(crate) fn resume(&mut self, elapsed: Duration) {
        self.earlier = elapsed;
    }

    /// Shows the number of finished runs of a study; `note` is appended.
    pub(crate) fn runs(&mut self, done: usize, all: usize, note: &str) {
        let share = done as f64 / all.max(1) as f64;
        self.show(Some(share), |elapsed| {
            let left = left(share, elapsed);
            format!("{done}/{all} runs  {left}{note}")
        });
    }

    /// Shows a search of unknown duration.
    pub(crate) fn search(&mut self, note: &str) {
        self.show(None, |elapsed| {
            format!("{note}  {}", clock(elapsed.as_secs_f64()))
        });
    }

    /// Updates the display if it is due.
    fn show(&mut self, share: Option<f64>, figures: impl FnOnce(Duration) -> String) {
        let since = self.began.elapsed();
        if since < self.due {
            return;
        }
        let elapsed = self.elapsed();
        match &mut self.shown {
            ProgressDisplay::Nothing => {}
            ProgressDisplay::Lines { wait } => {
                *wait = (2 * *wait).min(LINE_AT_LEAST_EVERY);
                self.due = since + *wait;
                terminal::say(&format!("{}\n", line(share, &figures(elapsed))));
            }
            ProgressDisplay::Bar(bar) => {
                self.due = since + BAR_EVERY;
                let bar = bar.get_or_insert_with(new_bar);
                bar.set_position((share.unwrap_or(0.0) * PARTS as f64) as u64);
                bar.set_message(safe_page(&figures(elapsed)).into_owned());
                bar.tick();
            }
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&mut self) {
        if let ProgressDisplay::Bar(Some(bar)) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Meter {
    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.steps += 1;
        if self.steps == STEPS_A_LOOK {
            self.steps = 0;
            self.show(Some(share(progress)), |elapsed| figures(progress, elapsed));
        }
        ControlFlow::Continue(())
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:16.cyan/dim} {percent:>3}% {msg}") {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

fn share(progress: &Progress) -> f64 {
    (progress.time / progress.end).clamp(0.0, 1.0)
}

/// Estimated remaining time.
fn left(done: f64, elapsed: Duration) -> String {
    if done <= 0.0 {
        return "time left unknown".to_owned();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - done) / done;
    format!("{} left", clock(seconds))
}

/// Formats a duration: 12 s, 3:05 min, 2:30 h.
fn clock(seconds: f64) -> String {
    // a cast from a float saturates, so any number of seconds is valid
    let whole = seconds.ceil() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02} h", whole / 3600, whole % 3600 / 60),
    }
}

fn figures(progress: &Progress, elapsed: Duration) -> String {
    format!(
        "t {:.2}/{} s  {}  {}× real time  step {}  energy {:.0e}  constraints {:.0e}",
        progress.time,
        time(progress.end),
        left(share(progress), elapsed),
        two_digits(real_time_factor(progress.time, elapsed)),
        two_digits(progress.step),
        progress.energy_error,
        progress.constraint_error,
    )
}

fn line(share: Option<f64>, figures: &str) -> String {
    match share {
        Some(share) => format!("{:3.0}%  {figures}", 100.0 * share),
        None => figures.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_line_shows_time_speed_and_remaining_time() {
        let mut progress = Progress::default();
        (progress.time, progress.end, progress.step) = (2.5, 10.0, 0.001_2);
        (progress.energy_error, progress.constraint_error) = (3.2e-12, 1.1e-15);
        assert_eq!(
            line(
                Some(share(&progress)),
                &figures(&progress, Duration::from_secs(30))
            ),
            " 25%  t 2.50/10 s  1:30 min left  0.083× real time  step 0.0012  energy 3e-12  constraints 1e-15"
        );
    }

    #[test]
    fn remaining_times_of_any_length_are_formatted() {
        assert_eq!(clock(0.2), "1 s");
        assert_eq!(clock(3599.0), "59:59 min");
        assert_eq!(clock(9000.0), "2:30 h");
        assert!(clock(f64::INFINITY).ends_with(" h"));
    }
}
