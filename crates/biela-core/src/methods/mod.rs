//! A solution method computes accelerations and Lagrange multipliers from the equations of motion, and enforces the constraints.
//! Each method is one file and one line in the list `methods!`.
//!
//! ```
//! use biela_core::analysis::Study;
//! use biela_core::methods::{Baumgarte, METHODS};
//! use biela_core::model::Space;
//!
//! let study = Study::new(Space::Planar, 10.0, 0.01).with_method(Baumgarte::new());
//! assert!(METHODS.iter().any(|info| info.name == study.method.kind));
//! ```

use dyn_clone::{DynClone, clone_trait_object};

use crate::element::{ArgumentError, Arguments, Info};
use crate::keep::{Keep, keeps};
use crate::math::dense;
use crate::system::{NotFinite, State, System, Workspace, num_frictions};

/// A reaction force, in ground axes.
pub(crate) type Pressing = [f64; 3];

/// The solution of the equations of motion at an instant.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Accelerations v̇.
    pub rates: Vec<f64>,
    /// Lagrange multipliers λ; zero for inactive rows.
    pub multipliers: Vec<f64>,
    /// Normal force of each friction element, in the order of the forces that have friction.
    pub normals: Vec<f64>,
    /// The reactions whose norms they are.
    pub(crate) pressing: Vec<Pressing>,
    /// Power of each work integral: forces without a potential, then drivers.
    pub power: Vec<f64>,
}

keeps!(Solution: rates, multipliers, normals, pressing, power);

impl Solution {
    /// Allocates the solution for a system.
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        Solution {
            rates: vec![0.0; sizes.velocities],
            multipliers: vec![0.0; sizes.rows],
            normals: vec![0.0; num_frictions(system.model())],
            pressing: vec![[0.0; 3]; num_frictions(system.model())],
            power: vec![0.0; sizes.works],
        }
    }
}

/// Work counters of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodWork {
    /// Factorisations of the equations of motion.
    pub factorizations: u64,
    /// Newton iterations of the projection of positions to the constraints.
    pub projections: u64,
    /// Evaluations at which rows were temporarily dependent: the mechanism passed a singular configuration.
    pub singular: u64,
    /// Choices of independent coordinates, including the first.
    pub partitions: u64,
}

keeps!(MethodWork: factorizations, projections, singular, partitions);

impl std::ops::Add for MethodWork {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        MethodWork {
            factorizations: self.factorizations.saturating_add(other.factorizations),
            projections: self.projections.saturating_add(other.projections),
            singular: self.singular.saturating_add(other.singular),
            partitions: self.partitions.saturating_add(other.partitions),
        }
    }
}

/// The reason why a method found no solution.
#[derive(Clone, PartialEq)]
pub enum MethodError {
    /// A force or the state is NaN or infinite.
    NotFinite(NotFinite),
    /// The friction equations have no solution: the mechanism jams.
    Jammed {
        /// The friction element.
        force: String,
        /// The time.
        time: f64,
    },
    /// A row deactivated as redundant no longer depends on the others.
    Contradiction {
        /// Its owner.
        owner: String,
        /// Its residual.
        residual: f64,
        /// The time.
        time: f64,
    },
    /// The state could not be projected to the constraints.
    Drifted {
        /// The worst row's owner.
        owner: String,
        /// Its residual.
        residual: f64,
        /// The time.
        time: f64,
    },
}

impl From<NotFinite> for MethodError {
    fn from(error: NotFinite) -> Self {
        MethodError::NotFinite(error)
    }
}

impl std::fmt::Display for MethodError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MethodError::NotFinite(error) => error.fmt(f),
            MethodError::Jammed { force, time } => write!(
                f,
                "friction `{force}` has no solution at t = {time:.6} s: the mechanism jams. Reduce the friction coefficient, or change the load path"
            ),
            MethodError::Contradiction {
                owner,
                residual,
                time,
            } => write!(
                f,
                "{owner} is redundant at the start and inconsistent with the other constraints at t = {time:.6} s (residual {residual:.3e} m or rad): two motions are prescribed for one degree of freedom. Remove one"
            ),
            MethodError::Drifted {
                owner,
                residual,
                time,
            } => write!(
                f,
                "{owner} cannot be closed at t = {time:.6} s (residual {residual:.3e} m or rad): the mechanism has reached a limit of its motion, or the step is too large"
            ),
        }
    }
}

crate::readable_errors!(MethodError);

/// A solution method.
pub trait Method: DynClone + Send + Sync + Keep {
    /// Computes accelerations, multipliers and powers for the state in `ws.kinematics`; fills the rest of `ws`.
    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError>;

    /// Makes a state consistent before its evaluation, if the method integrates only some of the coordinates.
    fn prepare(
        &mut self,
        _system: &dyn System,
        _ws: &mut Workspace,
        _time: f64,
        _q: &mut [f64],
        _v: &mut [f64],
        _turns: &[f64],
    ) -> Result<(), MethodError> {
        Ok(())
    }

    /// Whether [`Method::prepare`] does anything.
    fn prepares(&self) -> bool {
        false
    }

    /// Whether accelerations and powers are those of [`System::derivative_along`], where it is available.
    fn is_direct(&self) -> bool {
        false
    }

    /// Called before the integrator attempts a step of this size.
    fn trying(&mut self, _step: f64) {}

    /// Projects a state to the constraints if the method does so; returns whether the state changed.
    fn correct(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        state: &mut State,
    ) -> Result<bool, MethodError>;

    /// Returns the distance from rank deficiency since the last call: the least value of
    /// [`Equations::independence`]; infinite if nothing was factorised.
    fn independence(&mut self) -> f64;

    /// Work done so far.
    fn work(&self) -> MethodWork;
}

clone_trait_object!(Method);

/// A kind of method: its description and its constructor.
pub trait MethodKind {
    /// Name, fields and summary.
    const INFO: Info;
    /// Builds the method for a system from values checked and complete as by [`Info::complete`]; `active` marks the active rows.
    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError>;
}

/// Builds the list of all methods from one line per method.
macro_rules! methods {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all methods, in the order of the list.
        pub const METHODS: &[Info] = &[$(<$name as MethodKind>::INFO),*];

        /// Builds a method by its name in the model file; `None` for an unknown name.
        pub fn build(
            kind: &str,
            arguments: &Arguments,
            system: &dyn System,
            active: &[bool],
        ) -> Option<Result<Box<dyn Method>, ArgumentError>> {
            $(
                let info = <$name as MethodKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    let made = info.complete(arguments)
                        .and_then(|arguments| <$name as MethodKind>::build(&arguments, system, active));
                    return Some(made);
                }
            )*
            None
        }
    };
}

/// A row is dependent if its independent part is shorter than this times its length (squared, in the metric of the method).
const DEPENDENT: f64 = 1e-13;

mod constraint_projector;
mod equations;
mod friction;
mod mass;
mod partition;
mod reduced;
mod sharing;

pub use equations::{Accelerations, Equations};
pub(crate) use equations::{bilateral_rows, saddle_point};
pub(crate) use friction::eliminate;
pub use projection::{Manifold, Projected};
pub(crate) use sharing::Sharing;

methods! {
    augmented::Augmented,
    projection::Projection,
    baumgarte::Baumgarte,
    schur::Schur,
    rows::RowOrthogonalisation,
    nullspace::NullSpace,
    tangent::Tangent,
    partitioning::Partitioning,
}
