use super::along::Along;
use super::arguments::{fault, not_negative};
use super::{Force, ForceKind, Measure};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::math::Vec3;
use crate::math::rotation::dot;
use crate::model::{BodyIndex, JointIndex, Model, Space, Stage};
use crate::system::{Loads, Scene};

/// Coulomb friction along a coordinate of a joint; the normal force is the reaction of the joint itself.
///
/// ```text
/// τ = −μ ℓ s(q̇) (|N| + N0)              P = τ q̇ ≤ 0
/// s(q̇) = tanh(q̇/v_s)                    v_s > 0;  sgn q̇ with sgn 0 = 0 for v_s = 0
/// ℓ = 1 for a length, ℓ = `radius` of the rubbing surface for an angle
/// ```
///
/// N is the reaction force of the joint, without the friction itself; it has no component along a free direction, so |N| is
/// the length of the whole vector (in a hinge a thrust along the axis rubs at the same radius). A guide holds on both sides, so
/// the sign of the reaction does not matter. Reaction moments are left out: where they press on guides, give them as `preload` N0.
///
/// Below the transition speed v_s the joint creeps where a dry one would stick: with a load τ below the limit the creeping speed
/// is v_s atanh(τ/(μℓN)). Take v_s small beside the speeds of interest.
///
/// With v_s = 0 a motion may pass through rest; where it would stick, the run ends and says so.
///
/// Since N depends on the accelerations, which depend on the friction, the part with |N| is solved together with the equations of
/// motion from [`factor`](CoulombFriction::factor) and [`normal`](CoulombFriction::normal), and the solver reports its power.
/// [`Force::apply`] adds the part of the preload only. Measured: `normal`, |N| + N0, and `effort`, all of τ.
#[derive(Debug)]
pub struct CoulombFriction {
    along: Along,
    mu: f64,
    radius: f64,
    preload: f64,
    transition_speed: f64,
}

/// The transition speed when none is given.
const TRANSITION_SPEED: f64 = 1e-3;

impl CoulombFriction {
    /// The joint whose reaction presses.
    pub fn joint(&self) -> JointIndex {
        self.along.joint
    }

    /// The coordinate of the joint that rubs.
    pub fn coordinate(&self) -> usize {
        self.along.coordinate
    }

    /// Whether it depends on the reaction at all.
    pub(crate) fn acts(&self) -> bool {
        self.mu > 0.0
    }

    /// Whether the friction changes sign at once at zero speed.
    pub fn has_exact_sign(&self) -> bool {
        self.transition_speed == 0.0 && self.mu > 0.0
    }

    /// Force or torque along the coordinate for one newton of normal force: `−μ ℓ s(q̇)`.
    pub fn factor(&self, scene: &Scene<'_>) -> f64 {
        self.factor_at(scene, self.along.read(scene).rate)
    }

    /// The normal force |N| of a reaction force, its components in any axes; the preload is not part of it.
    pub fn normal(reaction: &Vec3<f64>) -> f64 {
        dot(reaction, reaction).sqrt()
    }

    /// Derivative of [`CoulombFriction::normal`] with respect to the reaction: the unit vector along it, zero where it vanishes.
    pub fn normal_gradient(reaction: &Vec3<f64>) -> Vec3<f64> {
        let normal = Self::normal(reaction);
        if normal > 0.0 {
            reaction / normal
        } else {
            Vec3::zeros()
        }
    }

    /// Measure `k`, which needs the normal force |N| that the solver found, without the preload.
    pub fn measure_with_normal(&self, k: usize, scene: &Scene<'_>, normal: f64) -> f64 {
        let pressing = normal + self.preload;
        if k == 0 {
            pressing
        } else {
            self.factor(scene) * pressing
        }
    }

    fn factor_at(&self, scene: &Scene<'_>, rate: f64) -> f64 {
        let angular = self
            .along
            .describe(scene.model)
            .is_ok_and(|coordinate| coordinate.angular);
        let lever = if angular { self.radius } else { 1.0 };
        let own = Some((self.along.joint, self.along.coordinate));
        let rate = if self.has_exact_sign() && scene.kinematics.other_side == own {
            -rate
        } else {
            rate
        };
        -self.mu * lever * self.sense(rate)
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

impl ForceKind for CoulombFriction {
    // units before and behind `|`: along a length, along an angle
    const INFO: Info = Info {
        name: "coulomb-friction",
        aliases: &["friction"],
        summary: "rubs along a joint coordinate in proportion to the reaction of the joint",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[
            Field::required(
                "joint",
                FieldKind::JointCoordinate,
                "the coordinate that rubs",
            ),
            Field::required(
                "mu",
                FieldKind::Number { unit: "1" },
                "coefficient of friction",
            ),
            Field::optional(
                "radius",
                FieldKind::Number { unit: "m" },
                "0",
                "radius of the rubbing surface; must be given for an angle",
            ),
            Field::optional(
                "preload",
                FieldKind::Number { unit: "N" },
                "0",
                "normal force that is there without any reaction",
            ),
            Field::optional(
                "transition_speed",
                FieldKind::Number { unit: "m/s|rad/s" },
                "0.001",
                "speed below which the friction fades: m/s or rad/s; 0 for an exact sign, which passes through rest but cannot stick",
            ),
        ],
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(CoulombFriction {
            along: Along::build(arguments)?,
            mu: not_negative(arguments, "mu")?,
            radius: not_negative(arguments, "radius")?,
            preload: not_negative(arguments, "preload")?,
            transition_speed: match arguments.optional_number("transition_speed") {
                None => TRANSITION_SPEED,
                Some(_) => not_negative(arguments, "transition_speed")?,
            },
        })
    }
}

impl Force for CoulombFriction {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, scene: &Scene<'_>, loads: &mut Loads) {
        if self.preload == 0.0 {
            return;
        }
        let q = self.along.read(scene);
        let effort = self.factor_at(scene, q.rate) * self.preload;
        self.along.push(scene, &q, effort, loads);
        loads.add_power(effort * q.rate);
    }

    fn corner(&self, scene: &Scene<'_>) -> Option<f64> {
        (self.has_exact_sign() && self.acts()).then(|| self.along.read(scene).rate)
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some((self.along.joint, self.along.coordinate))
    }

    fn measures(&self) -> &'static [Measure] {
        &[
            Measure {
                name: "normal",
                unit: "N",
                stage: Stage::Acceleration,
                text: "normal force, preload included",
            },
            Measure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Acceleration,
                text: "friction force (N) or torque (N*m) along the coordinate",
            },
        ]
    }

    /// Not known before the reactions: see [`CoulombFriction::measure_with_normal`].
    fn measure(&self, _: usize, _: &Scene<'_>) -> f64 {
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
                "friction in a turning joint needs the radius of its rubbing surface; add it",
            )),
            (false, true) => Err(fault(
                "radius",
                "a sliding coordinate has no radius; leave this field out",
            )),
            _ => Ok(()),
        }
    }

    fn advice(&self) -> &'static str {
        "the reaction of the joint is not finite: check the start pose and the joints of the loop"
    }
}
