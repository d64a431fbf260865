//! What is to be done with a model.

use crate::element::{ArgumentError, Arguments};
use crate::model::{Model, Space};

/// The coordinates a model is solved in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulation {
    /// Coordinates for every body, equations for every joint.
    Absolute,
    /// Coordinates for the joints of a tree, equations for the joints that close loops.
    Tree,
}

impl Formulation {
    /// The coordinates a model is solved in when nothing is said: those of every body, where every body has an inertia of its own.
    pub fn of(model: &Model) -> Self {
        match model.body_without_inertia() {
            Some(_) if model.beams.is_empty() => Formulation::Tree,
            _ => Formulation::Absolute,
        }
    }

    /// Words in the model file, each with a line for the reader.
    pub const LIST: &'static [(&'static str, Formulation, &'static str)] = &[
        (
            "absolute",
            Formulation::Absolute,
            "coordinates for every body, equations for every joint",
        ),
        (
            "tree",
            Formulation::Tree,
            "coordinates for the joints of a tree, equations for the joints that close loops",
        ),
    ];
}

/// What is asked of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Analysis {
    /// Motion from the assembled start.
    Motion,
    /// Motion from the equilibrium that the assembled start leads to.
    MotionFromEquilibrium,
    /// Equilibria.
    Statics {
        /// Points that the search starts from, the assembled start among them.
        start_points: usize,
        /// Steps in which weight and loads are brought on, one equilibrium a step; zero where they act at once.
        load_steps: usize,
        /// What may be left unbalanced, against all forces there, internal ones included; see [`BALANCED`](super::BALANCED).
        tolerance: f64,
    },
}

/// A method or integrator by its word, with the values of its fields.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The word in the model file.
    pub kind: String,
    /// Values of its fields, defaults included.
    pub arguments: Arguments,
}

/// What is to be done with a model.
#[derive(Clone, Debug)]
pub struct Study {
    /// What is asked.
    pub analysis: Analysis,
    /// Simulated time.
    pub duration: f64,
    /// Time between output rows.
    pub output_step: f64,
    /// Coordinates.
    pub formulation: Formulation,
    /// Solution method.
    pub method: Choice,
    /// Integrator.
    pub integrator: Choice,
}

/// The most steps that a study may ask for: at a million per second they take eleven days, and the time of the last is still known to 1e-4 of a step.
pub const MOST_STEPS: f64 = 1e12;

impl Study {
    /// The bound on its steps that a study sets, with its name: their size where it is fixed, the longest one otherwise.
    fn step_bound(&self) -> Option<(&'static str, f64)> {
        let number = |name| self.integrator.arguments.optional_number(name);
        let named = |name| number(name).map(|size| (name, size));
        let fixed = named("step").filter(|_| self.integrator.arguments.get("tolerance").is_none());
        fixed.or_else(|| named("max_step"))
    }

    /// Checks that a run of so many steps can come to its end.
    ///
    /// # Errors
    ///
    /// The bound on the steps makes more than [`MOST_STEPS`] of them.
    pub fn check_steps(&self) -> Result<(), ArgumentError> {
        let Some((field, size)) = self.step_bound() else {
            return Ok(());
        };
        let steps = self.duration / size;
        if steps <= MOST_STEPS {
            return Ok(());
        }
        Err(ArgumentError {
            field,
            message: format!(
                "{size:e} s makes {steps:.1e} steps of the {} s to run; the most is {MOST_STEPS:.0e}: make it longer, or the run shorter",
                self.duration
            ),
        })
    }

    /// A study with the default method and integrator.
    pub fn new(space: Space, duration: f64, output_step: f64) -> Self {
        use crate::element::Value;
        let arguments = Arguments::new(space);
        Study {
            analysis: Analysis::Motion,
            duration,
            output_step,
            formulation: Formulation::Absolute,
            method: Choice {
                kind: "projection".to_owned(),
                arguments: arguments.clone(),
            },
            integrator: Choice {
                kind: "dopri5".to_owned(),
                arguments: arguments.with("tolerance", Value::Number(1e-8)),
            },
        }
    }
}
