//! The values of signals at an output time.

use biela_core::model::Signal;
use biela_core::system::{Channel, Instant};

/// A row of results that reuses its buffer.
#[derive(Clone, Debug)]
pub struct ResultsRow {
    signals: Vec<Signal>,
    values: Vec<f64>,
}

impl ResultsRow {
    /// Creates a row with these channels.
    pub fn new(channels: &[Channel]) -> Self {
        Self {
            signals: channels.iter().map(|channel| channel.signal).collect(),
            values: vec![0.0; channels.len()],
        }
    }

    /// Returns the time and the values at an instant.
    pub fn at(&mut self, instant: &Instant<'_>) -> (f64, &[f64]) {
        for (value, signal) in self.values.iter_mut().zip(&self.signals) {
            *value = instant.signal(*signal);
        }
        (instant.context().time(), &self.values)
    }
}
