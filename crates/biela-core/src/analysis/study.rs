//! The definition of a study.

use std::sync::Arc;

use crate::element::{ArgumentError, Arguments, Fields, Info};
use crate::integrators::{self, INTEGRATORS, Integrator, IntegratorKind};
use crate::methods::{METHODS, MethodKind};
use crate::model::{ContactElement, Fault, Faults, Model, Space};

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

/// How the forces of contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ContactFormulation {
    /// Rigid contacts: constraints while they are closed, impacts when they close.
    #[default]
    Events,
    /// Elastic contacts: forces that depend on the penetration.
    Compliant,
}

impl ContactFormulation {
    /// Words in the model file, each with a one-line description.
    pub const LIST: &'static [(&'static str, ContactFormulation, &'static str)] = &[
        (
            "events",
            ContactFormulation::Events,
            "rigid contacts: constraints while they are closed, impacts when they close",
        ),
        (
            "compliant",
            ContactFormulation::Compliant,
            "elastic contacts: forces that depend on the penetration, with friction on elastic bristles",
        ),
    ];

    /// Its word in the model file.
    pub fn word(self) -> &'static str {
        let found = Self::LIST.iter().find(|(_, one, _)| *one == self);
        found.map_or("", |(word, ..)| word)
    }
}

/// The law of impacts of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Newton: the normal velocity is reversed and multiplied by the coefficient of restitution.
    #[default]
    Newton,
    /// Poisson: the normal impulse of the expansion is that of the compression, multiplied by the coefficient of restitution.
    Poisson,
}

impl ImpactLaw {
    /// Words in the model file.
    pub const WORDS: &'static [&'static str] = &["newton", "poisson"];

    /// The law of a word.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "newton" => Some(ImpactLaw::Newton),
            "poisson" => Some(ImpactLaw::Poisson),
            _ => None,
        }
    }
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
#[non_exhaustive]
pub struct Study {
    /// The kind of analysis.
    pub analysis: Analysis,
    /// Simulated time, s.
    pub duration: f64,
    /// Time between output rows, s.
    pub output_step: f64,
    /// Whether bodies are moved apart before the start where surfaces penetrate each other; see [`Assembled::resolve_penetrations`](super::Assembled::resolve_penetrations).
    pub resolve_penetration: bool,
    /// Coordinates.
    pub formulation: Formulation,
    /// How the forces of contacts are found.
    pub contact: ContactFormulation,
    /// Solution method.
    pub method: Choice,
    /// Integrator.
    pub integrator: Choice,
    /// The law of impacts.
    pub impact: ImpactLaw,
    /// The integrator of another crate, if `integrator` has its name.
    own_integrator: Option<OwnIntegrator>,
}

/// An integrator of another crate.
#[derive(Clone)]
struct OwnIntegrator {
    name: String,
    make: Arc<dyn Fn(usize) -> Box<dyn Integrator> + Send + Sync>,
}

impl std::fmt::Debug for OwnIntegrator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The description of an element by its name.
fn described<'a>(list: &'a [Info], kind: &str) -> Option<&'a Info> {
    list.iter()
        .find(|info| info.name == kind || info.aliases.contains(&kind))
}

fn fault(field: &'static str, message: String) -> ArgumentError {
    ArgumentError { field, message }
}

/// The error for a method or integrator that is not in its list.
pub(super) fn unknown(field: &'static str, word: &str) -> ArgumentError {
    fault(field, format!("there is no {field} `{word}`"))
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
            if let Some(info) = described(list, &choice.kind) {
                choice.arguments = info.complete(&choice.arguments)?.into_owned();
            }
        }
        Ok(study)
    }

    /// Checks the study: durations, method and integrator. [`Simulation::new`](super::Simulation::new) does it too.
    ///
    /// ```
    /// use biela_core::analysis::Study;
    /// use biela_core::integrators::Dopri5;
    /// use biela_core::model::Space;
    ///
    /// let study = Study::new(Space::Planar, f64::NAN, -0.01).with_integrator(Dopri5::new().tolerance(0.0));
    /// let faults = study.check().unwrap_err();
    /// let fields: Vec<&str> = faults.list().iter().map(|fault| fault.field).collect();
    /// assert_eq!(fields, ["duration", "output_step", "tolerance"]);
    /// ```
    ///
    /// # Errors
    ///
    /// All mistakes: a duration that is negative or not finite, a time between output rows that is not positive, an invalid field of the method or the
    /// integrator, a name of neither, more than [`MOST_STEPS`] steps.
    pub fn check(&self) -> Result<(), Faults> {
        let mut errors = Vec::new();
        if !(self.duration >= 0.0 && self.duration.is_finite()) {
            let message = format!("it is {} s; give zero or more", self.duration);
            errors.push(("study", fault("duration", message)));
        }
        if self.output_step <= 0.0 || self.output_step.is_nan() {
            let message = format!("it is {} s; it must be greater than zero", self.output_step);
            errors.push(("study", fault("output_step", message)));
        }
        for (role, choice, list) in [
            ("method", &self.method, METHODS),
            ("integrator", &self.integrator, INTEGRATORS),
        ] {
            let own = self.own_integrator.as_ref();
            match described(list, &choice.kind) {
                Some(info) => {
                    let found = info.errors(&choice.arguments);
                    errors.extend(found.into_iter().map(|error| (role, error)));
                }
                None if own.is_some_and(|own| own.name == choice.kind) => {}
                None => errors.push((role, unknown(role, &choice.kind))),
            }
        }
        if errors.is_empty() {
            errors.extend(self.check_steps().err().map(|e| ("integrator", e)));
        }
        let fault = |(element, error): (&str, _)| Fault::new(element.to_owned(), error);
        Faults::of(errors.into_iter().map(fault).collect())
    }

    /// Checks that the study was made for models of a space, planar or spatial.
    ///
    /// # Errors
    ///
    /// It was made for the other one.
    pub fn check_space(&self, space: Space) -> Result<(), ArgumentError> {
        let own = self.method.arguments.space;
        if own == space {
            return Ok(());
        }
        let word = |space| match space {
            Space::Planar => "planar",
            Space::Spatial => "spatial",
        };
        let message = format!(
            "the study is {}, and the model {}; give the study the space of the model: Study::new(model.space, …)",
            word(own),
            word(space)
        );
        Err(fault("space", message))
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

    /// Returns the study with bodies moved apart before the start where surfaces penetrate each other.
    pub fn with_resolved_penetration(mut self) -> Self {
        self.resolve_penetration = true;
        self
    }

    /// Returns the study with another formulation.
    #[must_use]
    pub fn with_formulation(mut self, formulation: Formulation) -> Self {
        self.formulation = formulation;
        self
    }

    /// Returns the study with another formulation of contacts.
    #[must_use]
    pub fn with_contact(mut self, contact: ContactFormulation) -> Self {
        self.contact = contact;
        self
    }

    /// Checks that the contacts of a model have what their formulation needs.
    ///
    /// # Errors
    ///
    /// A contact without stiffness in the compliant formulation.
    pub fn check_contacts(&self, model: &Model) -> Result<(), ArgumentError> {
        if self.contact == ContactFormulation::Events {
            return Ok(());
        }
        let resists = |element: &&ContactElement| {
            element.law.rolling_resistance > 0.0 || element.law.spinning_resistance > 0.0
        };
        if let Some(element) = model.contacts.iter().find(resists) {
            let message = format!(
                "contact `{}` has rolling or spinning resistance, which needs contact = \"events\"",
                element.name
            );
            return Err(fault("contact", message));
        }
        let missing = |element: &&ContactElement| {
            let compliance = &element.law.compliance;
            let sharp = || (0..element.pair.num_points()).any(|k| element.pair.is_sharp(k));
            !compliance.is_given() || (compliance.stiffness.is_none() && sharp())
        };
        let Some(element) = model.contacts.iter().find(missing) else {
            return Ok(());
        };
        let message = if element.law.compliance.is_given() {
            format!(
                "contact `{}` has a vertex, an edge or a rim, for which the stiffness does not follow from elastic constants; give it `stiffness`",
                element.name
            )
        } else {
            format!(
                "contact `{}` has no stiffness; give it `stiffness`, or `young` and `poisson`",
                element.name
            )
        };
        Err(fault("contact", message))
    }

    /// Returns the study with another law of impacts.
    #[must_use]
    pub fn with_impact(mut self, impact: ImpactLaw) -> Self {
        self.impact = impact;
        self
    }

    /// Returns the study with an integrator and the values of its fields.
    ///
    /// ```
    /// use biela_core::analysis::{Formulation, Study};
    /// use biela_core::integrators::Rk4;
    /// use biela_core::methods::Augmented;
    /// use biela_core::model::Space;
    ///
    /// let study = Study::new(Space::Planar, 10.0, 0.01)
    ///     .with_formulation(Formulation::Tree)
    ///     .with_method(Augmented::new())
    ///     .with_integrator(Rk4::new().step(1e-4));
    /// assert_eq!(study.integrator.arguments.number("step"), 1e-4);
    /// ```
    ///
    /// A method is not an integrator:
    ///
    /// ```compile_fail
    /// # use biela_core::{analysis::Study, methods::Augmented, model::Space};
    /// let study = Study::new(Space::Planar, 10.0, 0.01).with_integrator(Augmented::new());
    /// ```
    #[must_use]
    pub fn with_integrator<I: IntegratorKind>(mut self, integrator: Fields<I>) -> Self {
        self.integrator = self.choice(I::INFO.name, integrator);
        self
    }

    /// Returns the study with a solution method and the values of its fields.
    #[must_use]
    pub fn with_method<M: MethodKind>(mut self, method: Fields<M>) -> Self {
        self.method = self.choice(M::INFO.name, method);
        self
    }

    fn choice<E>(&self, name: &str, fields: Fields<E>) -> Choice {
        Choice {
            kind: name.to_owned(),
            arguments: fields.into_arguments(self.method.arguments.space),
        }
    }

    /// Returns the study with an integrator of another crate. `make` returns it for a number of unknowns; `name` appears in results and messages.
    #[must_use]
    pub fn with_own_integrator<I: Integrator + 'static>(
        mut self,
        name: &str,
        make: impl Fn(usize) -> I + Send + Sync + 'static,
    ) -> Self {
        self.integrator = Choice {
            kind: name.to_owned(),
            arguments: Arguments::new(self.method.arguments.space),
        };
        self.own_integrator = Some(OwnIntegrator {
            name: name.to_owned(),
            make: Arc::new(move |len| Box::new(make(len))),
        });
        self
    }

    /// Builds the integrator for a number of unknowns, from complete values of its fields.
    pub(super) fn build_integrator(
        &self,
        arguments: &Arguments,
        len: usize,
    ) -> Result<Box<dyn Integrator>, ArgumentError> {
        let kind = &self.integrator.kind;
        match &self.own_integrator {
            Some(own) if own.name == *kind => Ok((own.make)(len)),
            _ => integrators::build(kind, arguments, len)
                .unwrap_or_else(|| Err(unknown("integrator", kind))),
        }
    }

    /// A study with the default method and integrator: `projection`, and `dopri5` with a tolerance of 1e-8.
    pub fn new(space: Space, duration: f64, output_step: f64) -> Self {
        use crate::element::FieldValue;
        let arguments = Arguments::new(space);
        Study {
            analysis: Analysis::Motion,
            duration,
            output_step,
            resolve_penetration: false,
            formulation: Formulation::Absolute,
            contact: ContactFormulation::Events,
            method: Choice {
                kind: "projection".to_owned(),
                arguments: arguments.clone(),
            },
            integrator: Choice {
                kind: "dopri5".to_owned(),
                arguments: arguments.with("tolerance", FieldValue::Number(1e-8)),
            },
            impact: ImpactLaw::Newton,
            own_integrator: None,
        }
    }
}
