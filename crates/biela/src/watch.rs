//! Keeps an eye on what a run records: numbers that are none, and forces that are doubtful.

use std::fmt::Write;

use biela_core::keep::{Keep, Words};
use biela_core::model::{Law, Model, Signal};
use biela_core::system::{Channel, Instant, channels};

/// At most this many warnings are given.
const MOST: usize = 20;
/// At most this many signals are told with their values.
const MOST_INPUTS: usize = 3;

/// Looks at the rows of a run; tells each thing once, with its time and likely cause.
#[derive(Clone, Debug)]
pub struct Watch {
    channels: Vec<Channel>,
    /// Channels that are told already.
    told: Vec<bool>,
    /// Forces that are told already.
    forces: Vec<bool>,
    warnings: Vec<String>,
    more: usize,
}

impl Watch {
    /// A watch over these channels.
    pub fn new(channels: &[Channel]) -> Self {
        Self {
            channels: channels.to_vec(),
            told: vec![false; channels.len()],
            forces: Vec::new(),
            warnings: Vec::new(),
            more: 0,
        }
    }

    /// Looks at a row: the values of the channels at an instant.
    pub fn look(&mut self, instant: &Instant<'_>, values: &[f64]) {
        let scene = instant.scene();
        let time = scene.time();
        for k in 0..values.len().min(self.told.len()) {
            if !values[k].is_finite() && !std::mem::replace(&mut self.told[k], true) {
                let channel = &self.channels[k];
                let cause = cause(instant, channel.signal);
                let what = if values[k].is_nan() {
                    "is not a number"
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
        self.forces.resize(scene.model.forces.len(), false);
        for (f, element) in scene.model.forces.iter().enumerate() {
            if self.forces[f] {
                continue;
            }
            if let Some(doubt) = element.force.doubt(&scene) {
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

    /// What was found.
    pub fn into_warnings(mut self) -> Vec<String> {
        if self.more > 0 {
            let more = self.more;
            self.warnings.push(format!("and {more} more of the kind"));
        }
        self.warnings
    }
}

impl Keep for Watch {
    fn keep(&mut self, words: &mut Words) {
        self.told.keep(words);
        words.grown(&mut self.forces);
        words.grown(&mut self.warnings);
        self.more.keep(words);
    }
}

/// Why a signal may not be finite.
fn cause(instant: &Instant<'_>, signal: Signal) -> String {
    let model = instant.system.model();
    let law = match signal {
        Signal::Sensor(k) => &model.sensors[k].law,
        _ => return "the motion or a force behind it is not finite".to_owned(),
    };
    let inputs = law.inputs();
    if let Some(bad) = inputs.iter().find(|s| !instant.signal(**s).is_finite()) {
        return format!("it reads `{}`, which is not finite", name_of(model, *bad));
    }
    let mut text = "its formula has no finite value there; look for a division by zero, \
                    or a root, logarithm or arc of what has none"
        .to_owned();
    text += &at(instant, model, law);
    text
}

/// The values that a formula reads, in brackets.
fn at(instant: &Instant<'_>, model: &Model, law: &Law) -> String {
    let mut text = String::new();
    for (i, signal) in law.inputs().iter().take(MOST_INPUTS).enumerate() {
        let value = instant.signal(*signal);
        let comma = if i == 0 { " (" } else { ", " };
        let _ = write!(text, "{comma}{} = {value:.6}", name_of(model, *signal));
    }
    if !text.is_empty() {
        text.push(')');
    }
    text
}

fn name_of(model: &Model, signal: Signal) -> String {
    let all = channels(model);
    let found = all.into_iter().find(|channel| channel.signal == signal);
    found.map_or_else(|| "a signal".to_owned(), |channel| channel.name)
}
