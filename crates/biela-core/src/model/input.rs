//! External inputs: signals whose values are set from outside the model.

use crate::element::Origin;

/// The course of an input between the times at which it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Zero-order hold: constant until the next value.
    #[default]
    Zero,
    /// First-order hold: linear from one value to the next.
    Linear,
}

impl Hold {
    /// The word in the model file.
    pub fn word(self) -> &'static str {
        let found = Hold::LIST.iter().find(|(_, hold, _)| *hold == self);
        found.map_or("", |(word, ..)| word)
    }

    /// Words in the model file, each with a one-line description.
    pub const LIST: &'static [(&'static str, Hold, &'static str)] = &[
        (
            "zero",
            Hold::Zero,
            "zero-order hold: constant until the next value",
        ),
        (
            "linear",
            Hold::Linear,
            "first-order hold: linear from one value to the next",
        ),
    ];
}

/// A signal that is set from outside: by a program that steps the simulation, or by a table of values over time.
#[derive(Clone, Debug, PartialEq)]
pub struct InputElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// SI unit, "1" for none.
    pub unit: String,
    /// Value at the start.
    pub initial: f64,
    /// Its course between two values.
    pub hold: Hold,
}
