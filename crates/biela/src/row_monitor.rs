//! Monitors the recorded signals of a run for NaN and infinite values, and for unreliable forces.

use biela_core::keep::{Keep, Words};
use biela_core::model::Signal;
use biela_core::system::{Channel, Instant, source};

/// The maximum number of warnings.
const MOST: usize = 20;

/// Checks the rows of a run. Each problem is reported once, with its time and likely cause.
#[derive(Clone, Debug)]
pub(crate) struct RowMonitor {
    channels: Vec<Channel>,
    /// Channels that have been reported.
    told: Vec<bool>,
    /// Forces that have been reported.
    forces: Vec<bool>,
    warnings: Vec<String>,
    more: usize,
}

impl RowMonitor {
    /// Creates a monitor for these channels.
    pub(crate) fn new(channels: &[Channel]) -> Self {
        Self {
            channels: channels.to_vec(),
            told: vec![false; channels.len()],
            forces: Vec::new(),
            warnings: Vec::new(),
            more: 0,
        }
    }

    /// Checks a row: the values of the channels at an instant.
    pub(crate) fn look(&mut self, instant: &Instant<'_>, values: &[f64]) {
        let context = instant.context();
        let time = context.time();
        for k in 0..values.len().min(self.told.len()) {
            if !values[k].is_finite() && !std::mem::replace(&mut self.told[k], true) {
                let channel = &self.channels[k];
                let cause = cause(instant, channel.signal);
                let what = if values[k].is_nan() {
                    "is NaN"
                } else {
                    "is infinite"
                };
                let name = match channel.signal {
                    Signal::Sensor(_) => format!("sensor `{}`", channel.name),
                    _ => format!("`{}`", channel.name),
                };
                self.warn(format!("{name} {what} at t = {time:.6} s: {cause}"));
            }
        }
        self.forces.resize(context.model.forces.len(), false);
        for (f, element) in context.model.forces.iter().enumerate() {
            if self.forces[f] {
                continue;
            }
            if let Some(doubt) = element.force.doubt(&context) {
                self.forces[f] = true;
                self.warn(format!(
                    "force `{}` at t = {time:.6} s {doubt}",
                    element.name
                ));
            }
        }
    }

    fn warn(&mut self, warning: String) {
        if self.warnings.len() < MOST {
            self.warnings.push(warning);
        } else {
            self.more += 1;
        }
    }

    /// Returns the warnings.
    pub(crate) fn into_warnings(mut self) -> Vec<String> {
        if self.more > 0 {
            let more = self.more;
            self.warnings.push(format!("and {more} similar warnings"));
        }
        self.warnings
    }
}

impl Keep for RowMonitor {
    fn keep(&mut self, words: &mut Words) {
        self.told.keep(words);
        words.grown(&mut self.forces);
        words.grown(&mut self.warnings);
        self.more.keep(words);
    }
}

/// The likely reason why a signal is not finite.
fn cause(instant: &Instant<'_>, signal: Signal) -> String {
    match (source(instant, signal), signal) {
        (Some(found), Signal::Sensor(k)) => {
            let own = format!("sensor `{}`", instant.system.model().sensors[k].name);
            if found.element.starts_with(&own) {
                found.cause.into_string()
            } else {
                format!("it reads {}: {}", found.element, found.cause)
            }
        }
        (Some(found), _) => format!("{}: {}", found.element, found.cause),
        (None, _) => "the motion or a force it depends on is not finite".to_owned(),
    }
}
