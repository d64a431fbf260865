use super::arguments::{at_rest, fault, not_negative};
use super::measured_coordinate::MeasuredCoordinate;
use super::{Force, ForceKind, ForceMeasure};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Vec3;
use crate::math::rotation::dot;
use crate::model::{BodyIndex, JointIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::DeclaredUnilateral;

/// Coulomb friction along a coordinate of a joint, with the reaction force of the joint as normal force.
///
/// ```text
/// τ = −μ ℓ s(q̇) (|N| + N0)              P = τ q̇ ≤ 0
/// s(q̇) = tanh(q̇/v_s)                    v_s > 0
/// s(q̇) = sgn q̇,  |τ| ≤ μ_s ℓ (|N| + N0) at q̇ = 0    v_s = 0 (set-valued)
/// ℓ = 1 for a length, ℓ = `radius` of the friction surface for an angle
/// ```
///
/// N is the reaction force of the joint, without the friction itself. It has no component along a free direction, so |N| is
/// the magnitude of the whole vector (in a hinge, an axial thrust acts at the same radius). A guide is bilateral, so
/// the sign of the reaction does not matter. Reaction moments are not included: where they load the guides, include their effect in `preload` N0.
///
/// Below the transition speed v_s the regularized law creeps where a dry joint would stick: under a load τ below the limit the creep velocity
/// is v_s atanh(τ/(μℓN)). Choose v_s much smaller than the velocities of interest.
///
/// With v_s = 0 the law is set-valued: the joint sticks, without creep, as long as the holding force stays below μ_s ℓ (|N| + N0), and the transitions between
/// stick and slip are located as events.
///
/// N depends on the accelerations, which depend on the friction. The part proportional to |N| is therefore solved together with the equations of
/// motion from [`factor`](CoulombFriction::factor) and [`normal`](CoulombFriction::normal), and the solver reports its power.
/// [`Force::apply`] adds only the part due to the preload. Measured: `normal`, |N| + N0, and `effort`, the total τ.
#[derive(Debug)]
pub struct CoulombFriction {
    along: MeasuredCoordinate,
    mu: f64,
    mu_static: f64,
    radius: f64,
    preload: f64,
    transition_speed: f64,
}

impl CoulombFriction {
    /// The joint whose reaction is the normal force.
    pub fn joint(&self) -> JointIndex {
        self.along.joint
    }

    /// The coordinate of the joint along which friction acts.
    pub fn coordinate(&self) -> usize {
        self.along.coordinate
    }

    /// Whether it depends on the reaction (non-zero coefficient).
    pub(crate) fn acts(&self) -> bool {
        self.mu > 0.0
    }

    /// Whether the friction is set-valued at zero velocity, not regularized.
    pub fn is_set_valued(&self) -> bool {
        self.transition_speed == 0.0 && self.mu_static > 0.0
    }

    /// Force or torque along the coordinate per newton of normal force: `−μ ℓ s(q̇)`.
    pub fn factor(&self, context: &EvaluationContext<'_>) -> f64 {
        self.factor_at(context, self.along.read(context).rate)
    }

    /// Magnitude |N| of a reaction force, with components in any axes; the preload is not included.
    pub fn normal(reaction: &Vec3<f64>) -> f64 {
        dot(reaction, reaction).sqrt()
    }

    /// Gradient of [`CoulombFriction::normal`] with respect to the reaction: the unit vector along it; zero if the reaction is zero.
    pub fn normal_gradient(reaction: &Vec3<f64>) -> Vec3<f64> {
        let normal = Self::normal(reaction);
        if normal > 0.0 {
            reaction / normal
        } else {
            Vec3::zeros()
        }
    }

    /// Returns measure `k`, given the normal force |N| from the solver, without the preload.
    pub fn measure_with_normal(
        &self,
        k: usize,
        context: &EvaluationContext<'_>,
        normal: f64,
    ) -> f64 {
        let pressing = normal + self.preload;
        if k == 0 {
            pressing
        } else {
            self.factor(context) * pressing
        }
    }

    fn factor_at(&self, context: &EvaluationContext<'_>, rate: f64) -> f64 {
        let decided = if self.is_set_valued() {
            context.kinematics.inputs.slip_along(&self.along.terms())
        } else {
            None
        };
        -self.mu * self.lever(context.model) * decided.unwrap_or_else(|| self.sense(rate))
    }

    /// ℓ.
    fn lever(&self, model: &Model) -> f64 {
        let angular = self
            .along
            .describe(model)
            .is_ok_and(|coordinate| coordinate.angular);
        if angular { self.radius } else { 1.0 }
    }

    /// s(q̇).
    fn sense(&self, rate: f64) -> f64 {
        if self.transition_speed > 0.0 {
            (rate / self.transition_speed).tanh()
        } else if rate == 0.0 {
            0.0
        } else {
            // NaN stays NaN
            rate.signum()
        }
    }
}

fields! { CoulombFriction {
    /// the coordinate along which friction acts
    joint: JointCoordinate,
    /// coefficient of friction
    mu: Number { unit: "1" },
    /// coefficient of friction at rest, not below `mu`; requires `transition_speed = 0`
    mu_static: Number { unit: "1" } = "",
    /// radius of the friction surface; required for an angle
    radius: Number { unit: "m" } = "0",
    /// normal force in addition to the reaction
    preload: Number { unit: "N" } = "0",
    /// speed below which the friction is regularized: m/s or rad/s; 0 for the set-valued law, which sticks
    transition_speed: Number { unit: "m/s|rad/s" } = "0.001",
} }

impl ForceKind for CoulombFriction {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "coulomb-friction",
        aliases: &["friction"],
        summary: "Coulomb friction along a joint coordinate, proportional to the reaction force of the joint",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let mu = not_negative(arguments, "mu")?;
        let transition_speed = not_negative(arguments, "transition_speed")?;
        Ok(CoulombFriction {
            along: MeasuredCoordinate::of(arguments),
            mu,
            mu_static: at_rest(arguments, "mu_static", mu, transition_speed)?,
            radius: not_negative(arguments, "radius")?,
            preload: not_negative(arguments, "preload")?,
            transition_speed,
        })
    }
}

impl Force for CoulombFriction {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        if self.preload == 0.0 {
            return;
        }
        let q = self.along.read(context);
        let effort = self.factor_at(context, q.rate) * self.preload;
        self.along.push(context, &q, effort, loads);
        loads.add_power(effort * q.rate);
    }

    fn unilaterals(&self) -> Vec<DeclaredUnilateral> {
        if self.is_set_valued() {
            vec![self.along.friction()]
        } else {
            Vec::new()
        }
    }

    fn friction_limits(&self, context: &EvaluationContext<'_>, normal: f64) -> (f64, f64) {
        let pressing = self.lever(context.model) * (normal + self.preload);
        (self.mu_static * pressing, self.mu * pressing)
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some((self.along.joint, self.along.coordinate))
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &[
            ForceMeasure {
                name: "normal",
                unit: "N",
                stage: Stage::Acceleration,
                text: "normal force, preload included",
            },
            ForceMeasure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Acceleration,
                text: "friction force (N) or torque (N*m) along the coordinate",
            },
        ]
    }

    /// Unknown before the reactions are solved for: see [`CoulombFriction::measure_with_normal`].
    fn measure(&self, _: usize, _: &EvaluationContext<'_>) -> f64 {
        f64::NAN
    }

    fn friction(&self) -> Option<&CoulombFriction> {
        Some(self)
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        let coordinate = self.along.describe(model)?;
        match (coordinate.angular, self.radius > 0.0) {
            (true, false) => Err(fault(
                "radius",
                "friction along an angle requires the radius of the friction surface",
            )),
            (false, true) => Err(fault(
                "radius",
                "a translational coordinate has no radius; omit this field",
            )),
            _ => Ok(()),
        }
    }

    fn advice(&self) -> &'static str {
        "the reaction of the joint is not finite: check the initial pose and the joints of the loop"
    }
}
