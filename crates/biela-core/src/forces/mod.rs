//! Forces: one file each, and one line in the list `forces!` below.
//!
//! A force acts on bodies and joint coordinates through [`Loads`], whatever the formulation. It tells the potential energy it
//! stores and the power of the rest, so that the energy of a run can be balanced. Gravity is a property of the model and
//! is applied by the system.

mod along;
mod arguments;
mod outline;
mod rubbing;

#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod suite;

pub use outline::{Line, Outline};

use crate::element::{ArgumentError, Arguments, Info};
use crate::flexible::ExactElement;
use crate::model::{BodyIndex, JointIndex, Law, Model, Stage};
use crate::system::{Loads, Scene};

/// Something a force element measures, for results and expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Name after the element's: `spring.length`.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// What must be known first; a force law may read measures up to [`Stage::Velocity`].
    pub stage: Stage,
    /// One line for the reader.
    pub text: &'static str,
}

/// What a force element does.
pub trait Force: std::any::Any + std::fmt::Debug + Send + Sync {
    /// Looks up what it needs of the model at every evaluation; called once, when it takes its place in the model.
    fn attach(&mut self, _model: &Model) {}

    /// Adds its loads, and reports the power of its non-conservative part through [`Loads::add_power`].
    fn apply(&self, scene: &Scene<'_>, loads: &mut Loads);

    /// Potential energy stored.
    fn potential(&self, _scene: &Scene<'_>) -> f64 {
        0.0
    }

    /// Whether some of its loads have no potential: then its work is accumulated.
    fn dissipates(&self) -> bool {
        true
    }

    /// Whether it is a load that statics may bring on step by step, rather than a part of the mechanism such as a spring.
    fn is_load(&self) -> bool {
        false
    }

    /// The joint coordinate along which it acts, where it does: units before and behind `|` in its [`Info`] and its measures are for a length and for an angle.
    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        None
    }

    /// What it measures.
    fn measures(&self) -> &'static [Measure] {
        &[]
    }

    /// Measure `k`.
    fn measure(&self, _k: usize, _scene: &Scene<'_>) -> f64 {
        0.0
    }

    /// A value that changes sign where its loads have a kink in the positions, such as the way left before a stop, or where those of a friction jump:
    /// integrators that choose their steps end one there. `None` where there is neither.
    fn corner(&self, _scene: &Scene<'_>) -> Option<f64> {
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

    /// Checks what only the whole model can tell: that the joint has the coordinate, that an angle has a lever.
    fn check(&self, _model: &Model) -> Result<(), ArgumentError> {
        Ok(())
    }

    /// The friction it makes from a joint's reaction, if any.
    fn friction(&self) -> Option<&CoulombFriction> {
        None
    }

    /// Inertia that turns with a joint behind it, if any: [`Model::add_force`] adds it to the joint's armature.
    fn rotor(&self) -> Option<(JointIndex, f64)> {
        None
    }

    /// The coordinate that it drives once it is told with what effort, see [`Force::ask`]; `None` where there is nothing to tell.
    fn idle(&self) -> Option<(JointIndex, usize)> {
        None
    }

    /// Tells it with what effort to drive the coordinate of [`Force::idle`].
    fn ask(&mut self, _effort: Law) {}

    /// Takes away the effort with which it drives a joint coordinate; what is passive of it, such as a spring or friction, stays.
    fn stop_driving(&mut self) {}

    /// The bodies it acts on, for the tangent of implicit integrators.
    fn bodies(&self, _model: &Model) -> Vec<BodyIndex> {
        Vec::new()
    }

    /// Adds `k ∂(−f)/∂q + c ∂(−f)/∂v` of its loads in space, with (k, c) given: its [bodies](Force::bodies), the ground left out, in the order of the model's list, each with the motion of
    /// its mass centre along ground axes (velocities too) and its turn about its own axes (moments and angular velocities too). False where it has no formula for it; it is
    /// then differenced.
    fn tangent(
        &self,
        _scene: &Scene<'_>,
        _factors: (f64, f64),
        _out: &mut [[f64; 12]; 12],
    ) -> bool {
        false
    }

    /// Whether it has a formula for its [tangent](Force::tangent).
    fn has_tangent(&self) -> bool {
        false
    }

    /// The element of a geometrically exact beam that it is, if any.
    fn beam_element(&self) -> Option<&ExactElement> {
        None
    }

    /// Adds the loads of an extra `amount` of measure `k` beside what it applies, which is how it becomes an input of a linear
    /// model; false when the measure is no load.
    fn push(&self, _k: usize, _scene: &Scene<'_>, _amount: f64, _loads: &mut Loads) -> bool {
        false
    }

    /// What is doubtful about it at an instant, in words that follow its name.
    fn doubt(&self, _scene: &Scene<'_>) -> Option<&'static str> {
        None
    }

    /// Its loads as efforts along rates, so that they can be written down; `None` when they are not of that form.
    fn outline(&self) -> Option<Vec<Outline<'_>>> {
        None
    }

    /// The likely cause when its loads are not finite, and what to try.
    fn advice(&self) -> &'static str {
        "check the expression and the start pose"
    }
}

/// What a kind of force provides beside [`Force`].
pub trait ForceKind: Force + Sized + 'static {
    /// Name, fields and summary.
    const INFO: Info;
    /// Makes the element from the values of its fields.
    fn build(arguments: &Arguments) -> Result<Self, ArgumentError>;
}

/// Makes the list of all forces from one line a force.
macro_rules! forces {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all forces, in the order of the list.
        pub const FORCES: &[Info] = &[$(<$name as ForceKind>::INFO),*];

        /// Makes a force by its word in the model file; `None` when there is no such force.
        pub fn build(kind: &str, arguments: &Arguments) -> Option<Result<Box<dyn Force>, ArgumentError>> {
            $(
                let info = <$name as ForceKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    return Some(<$name as ForceKind>::build(arguments).map(|f| Box::new(f) as Box<dyn Force>));
                }
            )*
            None
        }

        /// The description of a force; `None` for one that is not in the list.
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

forces! {
    point_force::PointForce,
    torque::Torque,
    spring_damper::SpringDamper,
    joint_spring_damper::JointSpringDamper,
    bushing::Bushing,
    coulomb_friction::CoulombFriction,
    joint_damping::JointDamping,
    joint_friction::JointFriction,
    actuator::Actuator,
    motor::Motor,
    limit::Limit,
    distributed::Distributed,
}
