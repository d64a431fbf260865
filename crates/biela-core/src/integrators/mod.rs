//! An integrator advances the state of a system in time. Each integrator is one file and one line in the list `integrators!`. The error norm and the step-size
//! controller are shared.
//!
//! ```
//! use biela_core::analysis::Study;
//! use biela_core::integrators::{Dop853, INTEGRATORS};
//! use biela_core::model::Space;
//!
//! let study = Study::new(Space::Planar, 10.0, 0.01).with_integrator(Dop853::new().tolerance(1e-10));
//! let info = INTEGRATORS.iter().find(|info| info.name == study.integrator.kind);
//! assert!(info.is_some_and(|info| info.fields.iter().any(|field| field.name == "max_step")));
//! ```

mod adams;
mod bridged;
mod closure;
mod control;
mod dop853_table;
mod implicit;
mod matrix;
mod newmark;
mod runge_kutta;

#[cfg(test)]
mod problems;
#[cfg(test)]
mod suite;
#[cfg(test)]
mod trees;

pub(crate) use bridged::Bridged;
pub(crate) use closure::Closure;
pub use control::{StepControl, Tolerance, error_norm};
pub use runge_kutta::{EmbeddedTableau, RungeKutta, Stages, Tableau};

use dyn_clone::{DynClone, clone_trait_object};

use crate::element::{ArgumentError, Arguments, Info};
use crate::keep::{Keep, keeps};
use crate::methods::{Manifold, MethodError, Solution};
use crate::system::{System, TurnsAhead, Workspace};

/// An initial value problem `ẏ = F(t, y)`.
pub trait Ode {
    /// Number of unknowns.
    fn len(&self) -> usize;
    /// Whether the problem has no unknowns.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of leading unknowns that are part of the error estimate.
    fn num_controlled(&self) -> usize {
        self.len()
    }
    /// Called before a step of this size is attempted.
    fn trying(&mut self, _step: f64) {}
    /// The next time at which F has no unique value; infinite if none is known. Steps are placed so that this time lies between evaluations.
    fn barrier(&self) -> f64 {
        f64::INFINITY
    }
    /// Whether F amplifies rounding errors of the state, as it does near a singular configuration. A shorter step then need not have a smaller error.
    fn magnifies_rounding(&self) -> bool {
        false
    }
    /// Removes from an error estimate, at the last evaluation, the part that the projection to the constraints removes from the state.
    fn relieve(&mut self, _error: &mut [f64]) {}
    /// The mechanical system behind the problem, for integrators that solve its equations directly.
    fn mechanics(&mut self) -> Option<Mechanics<'_>> {
        None
    }
    /// Evaluates `dy = F(t, y)`.
    fn derivative(&mut self, time: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError>;
}

/// A mechanical system during a run.
pub struct Mechanics<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// Its buffers.
    pub workspace: &'a mut Workspace,
    /// The counted angles at the last accepted state.
    pub turns: &'a [f64],
    /// Extrapolates the counted angles from that state.
    pub ahead: TurnsAhead<'a>,
    /// Which rows are active.
    pub active: &'a [bool],
    /// Accelerations, multipliers and powers at the last evaluation of F.
    pub solution: &'a Solution,
    /// The constraint manifold, while the motion is near a singular configuration.
    pub near: Option<&'a mut Manifold>,
}

impl Mechanics<'_> {
    /// Evaluates the kinematics of a trial state (t, q, v), with angles counted from the last accepted state.
    pub(crate) fn update(&mut self, time: f64, q: &[f64], v: &[f64]) {
        let kinematics = &mut self.workspace.kinematics;
        self.system.update(time, q, v, self.turns, kinematics);
        self.ahead
            .apply(self.system.model(), self.turns, kinematics);
    }

    /// Angular velocities of the counted angles at the last trial state.
    pub(crate) fn turn_rates(&self, out: &mut [f64]) {
        let model = self.system.model();
        for (angle, rate) in self.ahead.angles.iter().zip(out) {
            *rate = angle.rate(model, &self.workspace.kinematics);
        }
    }
}

/// Work counters of an integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IntegratorWork {
    /// Accepted steps.
    pub steps: u64,
    /// Steps rejected because their error estimate was too large.
    pub rejected: u64,
    /// Evaluations of F.
    pub evaluations: u64,
    /// Factorisations of the iteration matrix of Newton's method.
    pub factorizations: u64,
    /// How often the order was reduced because stability, not accuracy, limited the step.
    pub order_reductions: u64,
    /// Accepted steps over which the accelerations changed by more than half of their magnitude, for integrators whose state contains accelerations.
    pub jumps: u64,
}

keeps!(IntegratorWork: steps, rejected, evaluations, factorizations, order_reductions, jumps);

impl std::ops::Add for IntegratorWork {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        IntegratorWork {
            steps: self.steps + other.steps,
            rejected: self.rejected + other.rejected,
            evaluations: self.evaluations + other.evaluations,
            factorizations: self.factorizations + other.factorizations,
            order_reductions: self.order_reductions + other.order_reductions,
            jumps: self.jumps + other.jumps,
        }
    }
}

/// The reason why an integrator stopped.
#[derive(Clone, PartialEq)]
pub enum IntegrationError {
    /// F could not be evaluated.
    Method(MethodError),
    /// The integrator requires a mechanical system.
    NeedsSystem {
        /// Its name.
        integrator: &'static str,
    },
    /// Kinematics requires that every degree of freedom is driven.
    NotDriven {
        /// Remaining degrees of freedom.
        freedom: usize,
    },
    /// The friction of a contact has no solution with finite forces (Painlevé's paradox).
    Painleve {
        /// The contact.
        contact: String,
        /// Its coefficient of friction in slip.
        friction: f64,
        /// Its slip velocity, m/s.
        slip: f64,
        /// The time, s.
        time: f64,
    },
    /// No consistent set of open, sticking and slipping contacts was found.
    NoContactModes {
        /// One of the contacts.
        contact: String,
        /// The number of closed ones.
        closed: usize,
        /// The residual of the last contact problem, relative to its forces.
        residual: f64,
        /// The time, s.
        time: f64,
    },
    /// Surfaces penetrate each other where a run starts.
    Penetration {
        /// The contact.
        contact: String,
        /// The depth.
        depth: f64,
        /// Its unit.
        unit: &'static str,
        /// The time, s.
        time: f64,
    },
    /// Hertz's law does not give a contact a stiffness where it closes.
    NoStiffness {
        /// The contact.
        contact: String,
        /// The time, s.
        time: f64,
    },
    /// A step was too long to count the turns of an angle.
    TurnsLost {
        /// The angle.
        angle: String,
        /// Time, s.
        time: f64,
        /// Step size, s.
        step: f64,
        /// Difference between the angle of the pose and the integral of its velocity, rad.
        apart: f64,
    },
    /// The step size fell below the rounding of the time.
    StepTooSmall {
        /// Time reached, s.
        time: f64,
        /// The attempted step size, s.
        step: f64,
    },
}

impl From<MethodError> for IntegrationError {
    fn from(error: MethodError) -> Self {
        IntegrationError::Method(error)
    }
}

impl std::fmt::Display for IntegrationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IntegrationError::Method(error) => error.fmt(f),
            IntegrationError::NeedsSystem { integrator } => {
                write!(
                    f,
                    "integrator `{integrator}` solves mechanical systems only"
                )
            }
            IntegrationError::NotDriven { freedom } => write!(
                f,
                "kinematics requires a driver for every degree of freedom; {freedom} {} not driven. Add drivers, or use an integrator for dynamics",
                if *freedom == 1 { "is" } else { "are" }
            ),
            IntegrationError::Painleve {
                contact,
                friction,
                slip,
                time,
            } => write!(
                f,
                "{contact} has no solution with finite forces at t = {time:.6} s: in slip at {slip:.3e} m/s with the coefficient of friction {friction}, its friction presses the surfaces together faster than they separate (Painlevé's paradox). Reduce the coefficient of friction, or make the contact compliant"
            ),
            IntegrationError::NoContactModes {
                contact,
                closed,
                residual,
                time,
            } => write!(
                f,
                "no consistent set of open, sticking and slipping contacts was found at t = {time:.6} s for {contact} and {} (residual of the contact forces {residual:.1e}). Reduce the coefficients of friction, or separate contacts that begin at the same time",
                match closed.saturating_sub(1) {
                    0 => "no other closed contact".to_owned(),
                    1 => "1 other closed contact".to_owned(),
                    others => format!("{others} other closed contacts"),
                }
            ),
            IntegrationError::Penetration {
                contact,
                depth,
                unit,
                time,
            } => write!(
                f,
                "{contact} is penetrated by {depth:.6e} {unit} at t = {time:.6} s, where no finite force can separate it. Move the bodies apart in the initial configuration, or let the start do so: resolve_penetration = true in [study]"
            ),
            IntegrationError::NoStiffness { contact, time } => write!(
                f,
                "{contact} closes at t = {time:.6} s where the radius of its surfaces is infinite or undefined, so that Hertz's law gives no stiffness. Give the contact `stiffness`"
            ),
            IntegrationError::TurnsLost {
                angle,
                time,
                step,
                apart,
            } => write!(
                f,
                "the number of turns of {angle} is ambiguous at t = {time:.6} s: over a step of {step:.3e} s its pose and the integral of its angular velocity differ by {:.2} rad. Use shorter steps, or formulation = \"tree\", where joint angles are coordinates",
                apart.abs()
            ),
            IntegrationError::StepTooSmall { time, step } => write!(
                f,
                "the step size fell to {step:.3e} s at t = {time:.6} s: the motion changes too fast (a discontinuous force, a very stiff spring or a singular configuration). Smooth the law, or increase the tolerance"
            ),
        }
    }
}

crate::readable_errors!(IntegrationError);

/// An integrator during a run.
pub trait Integrator: DynClone + Send + Sync + Keep {
    /// Starts at (t, y) and discards all history.
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError>;

    /// Continues from (t, y), the end of the last step, at a discontinuity of F: the history of F is discarded.
    fn restart(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.start(ode, time, y)
    }

    /// Makes one accepted step that does not pass `end`, and returns the time reached.
    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError>;

    /// Returns y at the end of the last step.
    fn y(&self) -> &[f64];

    /// Replaces y at the end of the last step, after its projection to the constraints.
    fn replace(&mut self, y: &[f64]);

    /// Whether it imposes the constraints itself. Its state is then not projected; only output states are.
    fn keeps_constraints(&self) -> bool {
        false
    }

    /// Whether it steps across singular configurations itself; for the others an explicit method of order 8 does (`bridged.rs`).
    fn crosses(&self) -> bool {
        true
    }

    /// Whether it has numerical damping by design.
    fn damps(&self) -> bool {
        false
    }

    /// Returns a warning if the integrator is unsuitable for a system with constraints, or for one without.
    fn caution(&self, _constrained: bool) -> Option<&'static str> {
        None
    }

    /// Prepares the dense output for [`Integrator::interpolate`] within the last step.
    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError>;

    /// Evaluates y at a time within the last step.
    fn interpolate(&self, time: f64, y: &mut [f64]);

    /// Returns the size of the last step.
    fn step_size(&self) -> f64;

    /// Returns the work done so far.
    fn work(&self) -> IntegratorWork;
}

clone_trait_object!(Integrator);

/// The description and constructor of a kind of [`Integrator`].
pub trait IntegratorKind: Integrator + Sized + 'static {
    /// Name, fields and summary.
    const INFO: Info;
    /// Order of the method: the global error at the ends of steps is proportional to this power of the step size.
    const ORDER: u32;
    /// Whether it solves the equations of a mechanical system directly, and no other initial value problem.
    const ON_SYSTEMS: bool = false;
    /// Builds the integrator for problems with `len` unknowns, from values checked and complete as by [`Info::complete`].
    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError>;
}

/// Builds the list of all integrators from one line per integrator.
macro_rules! integrators {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all integrators, in the order of the list.
        pub const INTEGRATORS: &[Info] = &[$(<$name as IntegratorKind>::INFO),*];

        /// Orders of all integrators, in the order of the list.
        pub const ORDERS: &[u32] = &[$(<$name as IntegratorKind>::ORDER),*];

        /// The integrators that solve any initial value problem.
        pub fn general() -> impl Iterator<Item = &'static Info> {
            let on_systems = [$(<$name as IntegratorKind>::ON_SYSTEMS),*];
            INTEGRATORS.iter().zip(on_systems).filter(|(_, only)| !only).map(|(info, _)| info)
        }

        /// Builds an integrator by its name in the model file; `None` for an unknown name.
        pub fn build(
            kind: &str,
            arguments: &Arguments,
            len: usize,
        ) -> Option<Result<Box<dyn Integrator>, ArgumentError>> {
            $(
                let info = <$name as IntegratorKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    let made = info.complete(arguments)
                        .and_then(|arguments| <$name as IntegratorKind>::build(&arguments, len));
                    return Some(made.map(|i| Box::new(i) as Box<dyn Integrator>));
                }
            )*
            None
        }
    };
}

integrators! {
    rk4::Rk4,
    rk4_doubling::Rk4Doubling,
    merson::Merson,
    dopri5::Dopri5,
    dop853::Dop853,
    abm::Abm,
    generalized_alpha::GeneralizedAlpha,
    hht::Hht,
    bdf::Bdf,
    kinematics::Kinematics,
}
