//! Force elements. Each force is one file and one line in the list `forces!`.
//!
//! A force element applies [`Loads`] to bodies and joint coordinates, independent of the formulation. It reports the potential energy it
//! stores and the power of its non-conservative part, so that the energy of a run can be balanced. Gravity is a property of the model;
//! the system applies it.

mod arguments;
mod force_term;
mod friction_coefficients;
mod measured_coordinate;

#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod suite;

pub use force_term::{ForceTerm, LineOfAction};

use crate::element::{ArgumentError, Arguments, Fields, Info};
use crate::flexible::ExactElement;
use crate::model::{BodyIndex, JointIndex, Law, Model, Stage};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::DeclaredUnilateral;

/// A quantity that a force element measures, for results and expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForceMeasure {
    /// Name after the element's: `spring.length`.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// The stage of the evaluation at which it is known; a force law may read measures up to [`Stage::Velocity`].
    pub stage: Stage,
    /// One-line description.
    pub text: &'static str,
}

/// The interface of a force element.
///
/// A type of another crate that implements [`Force`] is added to a model as the forces of the list are:
///
/// ```
/// use biela_core::forces::Force;
/// use biela_core::math::Vec3;
/// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
/// use biela_core::system::{EvaluationContext, Loads};
///
/// /// A uniform field that acts on one point: F = c (1, 0, 0).
/// #[derive(Debug)]
/// struct Wind {
///     at: MarkerIndex,
///     c: f64,
/// }
///
/// impl Force for Wind {
///     fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
///         let (point, force) = (context.marker(self.at), Vec3::new(self.c, 0.0, 0.0));
///         loads.add_force(context, context.body_of(self.at), &point.p, &force);
///         loads.add_power(force.dot(&point.v));
///     }
/// }
///
/// let mut model = Model::new("kite", Space::Spatial);
/// let kite = model.add_body(Body::new("kite", MassProperties::massless(Vec3::zeros())));
/// let wind = Wind { at: model.body_marker(kite), c: 3.0 };
/// model.add_force("wind", wind);
/// ```
pub trait Force: std::any::Any + std::fmt::Debug + Send + Sync {
    /// Stores the data of the model that each evaluation needs. Called once, when the element is added to the model.
    fn attach(&mut self, _model: &Model) {}

    /// Adds its loads, and reports the power of its non-conservative part through [`Loads::add_power`].
    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads);

    /// Returns the stored potential energy.
    fn potential(&self, _context: &EvaluationContext<'_>) -> f64 {
        0.0
    }

    /// Whether it has a non-conservative part, whose work is then accumulated.
    fn dissipates(&self) -> bool {
        true
    }

    /// Whether it is an applied load, which statics may increase incrementally, and not a part of the mechanism such as a spring.
    fn is_load(&self) -> bool {
        false
    }

    /// The joint coordinate along which it acts, if any. In the units of its [`Info`] and its measures, `|` separates the unit for a length from the
    /// unit for an angle.
    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        None
    }

    /// Whether all of its loads are a generalised force along its [coordinate](Force::coordinate), added by [`Loads::add_along`], which depends on nothing
    /// but that coordinate, its velocity and laws. In joint coordinates such forces are evaluated without the motion of the bodies.
    fn is_generalized(&self) -> bool {
        false
    }

    /// The quantities it measures. Their names differ from each other and from `power`, `work` and `potential`, which all forces have.
    fn measures(&self) -> &'static [ForceMeasure] {
        &[]
    }

    /// Returns measure `k`.
    fn measure(&self, _k: usize, _context: &EvaluationContext<'_>) -> f64 {
        0.0
    }

    /// Returns a switching function: a value that changes sign where its loads have a kink as functions of the positions, such as the distance to a stop, or
    /// where a friction force is discontinuous. Variable-step integrators end a step there. `None` if the loads are smooth.
    fn corner(&self, _context: &EvaluationContext<'_>) -> Option<f64> {
        None
    }

    /// The laws it reads, so that their signals can be checked.
    fn laws(&self) -> Vec<&Law> {
        Vec::new()
    }

    /// Whether measure `k` depends on the laws.
    fn measure_follows_laws(&self, _k: usize) -> bool {
        !self.laws().is_empty()
    }

    /// Checks that need the whole model: that the joint has the coordinate, that an angle has a radius.
    fn check(&self, _model: &Model) -> Result<(), ArgumentError> {
        Ok(())
    }

    /// The friction law that depends on the reaction of a joint, if any.
    fn friction(&self) -> Option<&CoulombFriction> {
        None
    }

    /// The stops and set-valued frictions that it adds to a model as unilateral constraints. A set-valued friction acts in stick through its row, in slip through
    /// the loads of the element.
    fn unilaterals(&self) -> Vec<DeclaredUnilateral> {
        Vec::new()
    }

    /// The part of its measure `effort` that its loads have, for an element whose unilateral constraints have the rest; `None` if the measure has it.
    fn effort_without_rows(&self, _context: &EvaluationContext<'_>) -> Option<f64> {
        None
    }

    /// The largest force or torque of set-valued friction along its coordinate, in stick and in slip, at the normal force of the joint.
    fn friction_limits(&self, _context: &EvaluationContext<'_>, _normal: f64) -> (f64, f64) {
        (0.0, 0.0)
    }

    /// Rotor inertia that rotates with a joint coordinate, if any: [`Model::add_force`] adds it to the joint's armature.
    fn rotor(&self) -> Option<(JointIndex, f64)> {
        None
    }

    /// The coordinate of a motor without a commanded generalized force, which [`Force::with_command`] can give it; `None` otherwise.
    fn idle(&self) -> Option<(JointIndex, usize)> {
        None
    }

    /// Returns the same force with another commanded generalized force along its joint coordinate, or without one; passive parts, such as a spring or
    /// friction, remain. `None` if it commands nothing.
    fn with_command(&self, _effort: Option<Law>) -> Option<Box<dyn Force>> {
        None
    }

    /// The bodies it acts on, for the tangent of implicit integrators.
    fn bodies(&self, _model: &Model) -> Vec<BodyIndex> {
        Vec::new()
    }

    /// Adds the tangent `k ∂(−f)/∂q + c ∂(−f)/∂v` of its loads in space, with (k, c) given. Its rows and columns belong to its
    /// [bodies](Force::bodies) without the ground, in the order of the model's list. For each body they are the translation of the mass centre in
    /// ground axes (velocities too), then the rotation in body axes (moments and angular velocities too). Returns `false` if it has no analytic
    /// tangent, which is then computed by finite differences.
    fn tangent(
        &self,
        _context: &EvaluationContext<'_>,
        _factors: (f64, f64),
        _out: &mut [[f64; 12]; 12],
    ) -> bool {
        false
    }

    /// Whether it has an analytic [tangent](Force::tangent).
    fn has_tangent(&self) -> bool {
        false
    }

    /// The element of a geometrically exact beam that it represents, if any.
    fn beam_element(&self) -> Option<&ExactElement> {
        None
    }

    /// Adds the loads of an additional `amount` of measure `k`, as needed for inputs of linear models. Returns `false` if the measure is
    /// not a load.
    fn push(
        &self,
        _k: usize,
        _context: &EvaluationContext<'_>,
        _amount: f64,
        _loads: &mut Loads,
    ) -> bool {
        false
    }

    /// Returns a warning about its state at an instant, as text that follows its name.
    fn doubt(&self, _context: &EvaluationContext<'_>) -> Option<&'static str> {
        None
    }

    /// Returns its loads as generalized forces along velocities, for symbolic equations; `None` if they do not have that form.
    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        None
    }

    /// The likely cause of loads that are not finite, and the remedy.
    fn advice(&self) -> &'static str {
        "check its expression and the initial pose"
    }
}

/// A force that can be added to a model: [`Fields`] of a force of the list, or a [`Force`] itself, also boxed.
pub trait IntoForce {
    /// Builds the force.
    ///
    /// # Errors
    ///
    /// A field is invalid, or an index among them does not belong to the model.
    fn into_force(self, model: &Model) -> Result<Box<dyn Force>, ArgumentError>;

    /// Returns all mistakes in the values of its fields; without any, [`IntoForce::into_force`] may still refuse their combination.
    fn field_errors(&self, _model: &Model) -> Vec<ArgumentError> {
        Vec::new()
    }
}

impl<F: Force> IntoForce for F {
    fn into_force(self, _: &Model) -> Result<Box<dyn Force>, ArgumentError> {
        Ok(Box::new(self))
    }
}

impl IntoForce for Box<dyn Force> {
    fn into_force(self, _: &Model) -> Result<Box<dyn Force>, ArgumentError> {
        Ok(self)
    }
}

impl<F: ForceKind> IntoForce for Fields<F> {
    fn into_force(self, model: &Model) -> Result<Box<dyn Force>, ArgumentError> {
        let arguments = self.into_arguments(model.space);
        model.check_indices(&arguments)?;
        let force = F::build(F::INFO.complete(&arguments)?.as_ref())?;
        Ok(Box::new(force))
    }

    fn field_errors(&self, model: &Model) -> Vec<ArgumentError> {
        let arguments = self.clone().into_arguments(model.space);
        let mut errors = model.index_errors(&arguments);
        errors.extend(F::INFO.errors(&arguments));
        errors
    }
}

/// Stands for a force that could not be built; a model with it is not assembled.
#[derive(Debug)]
pub(crate) struct Unbuilt;

impl Force for Unbuilt {
    fn apply(&self, _: &EvaluationContext<'_>, _: &mut Loads) {}
}

/// The interface that each force type implements in addition to [`Force`].
pub trait ForceKind: Force + Sized + 'static {
    /// Name, fields and summary.
    const INFO: Info;
    /// Builds the element from the values of its fields, checked and complete as by [`Info::complete`].
    fn build(arguments: &Arguments) -> Result<Self, ArgumentError>;
}

/// Generates the list of all forces from one line per force.
macro_rules! forces {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all forces, in the order of the list.
        pub const FORCES: &[Info] = &[$(<$name as ForceKind>::INFO),*];

        /// Builds the force of type `kind`, as named in the model file; `None` if there is no such type.
        pub fn build(kind: &str, arguments: &Arguments) -> Option<Result<Box<dyn Force>, ArgumentError>> {
            $(
                let info = <$name as ForceKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    let made = info.complete(arguments)
                        .and_then(|arguments| <$name as ForceKind>::build(&arguments));
                    return Some(made.map(|f| Box::new(f) as Box<dyn Force>));
                }
            )*
            None
        }

        /// The description of a force; `None` if it is not in the list.
        pub fn info(force: &dyn Force) -> Option<Info> {
            let force: &dyn std::any::Any = force;
            $(
                if force.is::<$name>() {
                    return Some(<$name as ForceKind>::INFO);
                }
            )*
            None
        }
    };
}

/// Returns the force of type `kind`, as named in the model file, with the defaults of the fields that are not given. In code, the constructor of the type
/// is checked by the compiler: [`JointDamping::new`].
///
/// ```
/// use biela_core::element::Arguments;
/// use biela_core::forces;
/// use biela_core::model::{JointIndex, Space};
///
/// let arguments = Arguments::new(Space::Planar).with("joint", (JointIndex(0), 0));
/// assert!(forces::create("joint-damping", &arguments.clone().with("damping", 0.1)).is_ok());
/// let error = forces::create("joint-damping", &arguments).unwrap_err();
/// assert_eq!(error.field, "damping");
/// assert_eq!(forces::create("string", &arguments).unwrap_err().field, "type");
/// ```
pub fn create(kind: &str, arguments: &Arguments) -> Result<Box<dyn Force>, ArgumentError> {
    let complete = crate::element::complete(FORCES, kind, arguments)?;
    build(kind, &complete).unwrap_or_else(|| Err(crate::element::no_type(FORCES, kind)))
}

forces! {
    point_force::PointForce,
    torque::Torque,
    spring_damper::SpringDamper,
    joint_spring_damper::JointSpringDamper,
    bushing::Bushing,
    coulomb_friction::CoulombFriction,
    joint_damping::JointDamping,
    joint_friction::JointFriction,
    brake::Brake,
    one_way_clutch::OneWayClutch,
    actuator::Actuator,
    motor::Motor,
    limit::Limit,
    distributed::Distributed,
}
