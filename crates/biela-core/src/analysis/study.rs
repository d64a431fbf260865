//! The definition of a study.

use crate::element::{ArgumentError, Arguments, Info};
use crate::integrators::INTEGRATORS;
use crate::methods::METHODS;
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
            "absolute coordinates of every body, constraint equations for every joint",
        ),
        (
            "tree",
            Formulation::Tree,
            "joint coordinates of a spanning tree, constraint equations for the joints that close loops",
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

    /// Returns the study with the defaults of omitted fields of its method and integrator, after a check of their values.
    ///
    /// # Errors
    ///
    /// As for [`Info::check`]. Unknown names are left to the constructors.
    pub(crate) fn complete(&self) -> Result<Self, ArgumentError> {
        let mut study = self.clone();
        for (choice, list) in [
            (&mut study.method, METHODS),
            (&mut study.integrator, INTEGRATORS),
        ] {
            let named = |info: &&Info| {
                info.name == choice.kind || info.aliases.contains(&choice.kind.as_str())
            };
            if let Some(info) = list.iter().find(named) {
                choice.arguments = info.complete(&choice.arguments)?.into_owned();
            }
        }
        Ok(study)
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
                "{size:e} s gives {steps:.1e} steps in a duration of {} s; the maximum is {MOST_STEPS:.0e}. Increase it, or reduce the duration",
                self.duration
            ),
        })
    }

    /// Returns the study with another formulation.
    #[must_use]
    pub fn with_formulation(mut self, formulation: Formulation) -> Self {
        self.formulation = formulation;
        self
    }

    /// Returns the study with an integrator, by its name in the model file, and the value of one of its fields; the others have their defaults. A `step`
    /// replaces the tolerance of an integrator that accepts both. [`Simulation::new`](super::Simulation::new) rejects a name or field that does not exist.
    ///
    /// ```
    /// use biela_core::analysis::{Formulation, Study};
    /// use biela_core::model::Space;
    ///
    /// let study = Study::new(Space::Planar, 10.0, 0.01)
    ///     .with_formulation(Formulation::Tree)
    ///     .with_integrator("rk4", "step", 1e-4);
    /// assert_eq!(study.integrator.arguments.number("step"), 1e-4);
    /// ```
    #[must_use]
    pub fn with_integrator(mut self, kind: &str, field: &'static str, value: f64) -> Self {
        let space = self.integrator.arguments.space;
        let info = INTEGRATORS.iter().find(|info| info.name == kind);
        let mut arguments = info.map_or_else(|| Arguments::new(space), |info| info.defaults(space));
        if field == "step" {
            arguments.remove("tolerance");
        }
        self.integrator = Choice {
            kind: kind.to_owned(),
            arguments: arguments.with(field, value),
        };
        self
    }

    /// A study with the default method and integrator: `projection`, and `dopri5` with a tolerance of 1e-8.
    pub fn new(space: Space, duration: f64, output_step: f64) -> Self {
        use crate::element::FieldValue;
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
                arguments: arguments.with("tolerance", FieldValue::Number(1e-8)),
            },
        }
    }
}
