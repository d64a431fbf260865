//! The definition of a study.

use crate::element::{ArgumentError, Arguments};
use crate::model::{Model, Space};

/// The coordinates in which a model is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulation {
    /// Coordinates for every body, constraint equations for every joint.
    Absolute,
    /// Coordinates for the joints of a tree, constraint equations for the joints that close loops.
    Tree,
}

impl Formulation {
    /// Returns the default formulation of a model: absolute coordinates if every body has inertia of its own.
    pub fn of(model: &Model) -> Self {
        match model.body_without_inertia() {
            Some(_) if model.beams.is_empty() => Formulation::Tree,
            _ => Formulation::Absolute,
        }
    }

    /// Words in the model file, each with a one-line description.
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

/// The kind of analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Analysis {
    /// Motion from the assembled start.
    Motion,
    /// Motion from the equilibrium reached from the assembled start.
    MotionFromEquilibrium,
    /// Equilibria.
    Statics {
        /// Number of start points of the search, including the assembled start.
        start_points: usize,
        /// Number of load steps for weight and loads, with one equilibrium per step; zero if they act at once.
        load_steps: usize,
        /// Permitted unbalanced force, relative to all forces including internal ones; see [`BALANCED`](super::BALANCED).
        tolerance: f64,
    },
}

/// A method or integrator by its name, with the values of its fields.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name in the model file.
    pub kind: String,
    /// Values of its fields, including defaults.
    pub arguments: Arguments,
}

/// A study: the analysis of a model and its settings.
#[derive(Clone, Debug)]
pub struct Study {
    /// The kind of analysis.
    pub analysis: Analysis,
    /// Simulated time, s.
    pub duration: f64,
    /// Time between output rows, s.
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
