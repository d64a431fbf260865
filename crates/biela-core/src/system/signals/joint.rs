//! Signals of joints.

use super::table::{ChannelList, SignalDescription};
use super::{Evaluation, Instant};
use crate::element::unit_along;
use crate::math::Vec3;
use crate::math::rotation::{apply_transposed, cross, parameters, to_dextral};
use crate::model::{BodyIndex, JointIndex, Signal, Space, Stage};
use crate::system::row_acceleration;

/// Quantities of a joint; `k` is the index of a measured coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointQuantity {
    /// Value of a coordinate.
    Value(usize),
    /// Velocity of a coordinate.
    Rate(usize),
    /// Acceleration of a coordinate.
    Acceleration(usize),
    /// Euler parameter (0..4) of the second joint frame in the first.
    Parameter(usize),
    /// Dextral angle (0..3) of the second joint frame in the first, between −180° and 180°.
    Turn(usize),
    /// Component of the relative angular velocity, in the axes of the first joint frame.
    Omega(usize),
    /// Time derivative of that component.
    Alpha(usize),
    /// Force (0..3) and moment (3..6) exerted by the first body on the second at the joint, in the axes of the first joint frame.
    Reaction(usize),
    /// Magnitude of the reaction force.
    ReactionForce,
    /// Magnitude of the reaction moment.
    ReactionMoment,
}

impl JointQuantity {
    /// The stage at which it is known.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Value(_) | Self::Parameter(_) | Self::Turn(_) => Stage::Position,
            Self::Rate(_) | Self::Omega(_) => Stage::Velocity,
            Self::Acceleration(_)
            | Self::Alpha(_)
            | Self::Reaction(_)
            | Self::ReactionForce
            | Self::ReactionMoment => Stage::Acceleration,
        }
    }

    /// Returns the coordinate and whether the quantity is its velocity, if it is value or velocity of a coordinate.
    #[inline]
    pub(crate) const fn coordinate(self) -> Option<(usize, bool)> {
        match self {
            Self::Value(k) => Some((k, false)),
            Self::Rate(k) => Some((k, true)),
            _ => None,
        }
    }

    /// The unit; of `m|rad` the first along a length, the second along an angle.
    const fn unit(self) -> &'static str {
        match self {
            Self::Value(_) => "m|rad",
            Self::Rate(_) => "m/s|rad/s",
            Self::Acceleration(_) => "m/s^2|rad/s^2",
            Self::Parameter(_) => "1",
            Self::Turn(_) => "rad",
            Self::Omega(_) => "rad/s",
            Self::Alpha(_) => "rad/s^2",
            Self::Reaction(0..3) | Self::ReactionForce => "N",
            Self::Reaction(_) | Self::ReactionMoment => "N*m",
        }
    }

    /// Returns the value for a joint; NaN before its stage.
    pub(super) fn value(self, at: &Evaluation<'_>, joint: JointIndex) -> f64 {
        let context = &at.context;
        let rel = &context.kinematics.joints[joint.0].rel;
        match self {
            Self::Value(k) => context.coordinate_value(joint, k),
            Self::Rate(k) => context.coordinate_rate(joint, k),
            Self::Acceleration(k) => at.at_instant(|instant| {
                let row = context.coordinate(joint, k);
                row_acceleration(instant.system, context, instant.rates, joint, &row)
            }),
            Self::Parameter(k) => parameters(&rel.R)[k],
            Self::Turn(k) => to_dextral(&rel.R)[k],
            Self::Omega(k) => rel.w[k],
            Self::Alpha(k) => at.at_instant(|instant| relative_alpha(instant, joint)[k]),
            Self::Reaction(i) if i < 3 => reaction(at, joint, |(force, _)| force[i]),
            Self::Reaction(i) => reaction(at, joint, |(_, moment)| moment[i - 3]),
            Self::ReactionForce => reaction(at, joint, |(force, _)| force.norm()),
            Self::ReactionMoment => reaction(at, joint, |(_, moment)| moment.norm()),
        }
    }
}

/// Returns a function of the reaction of a joint.
fn reaction(
    at: &Evaluation<'_>,
    joint: JointIndex,
    of: impl Fn(&(Vec3<f64>, Vec3<f64>)) -> f64,
) -> f64 {
    at.at_instant(|instant| of(&instant.workspace.reactions[joint.0]))
}

/// Returns the derivative of the components of the relative angular velocity along axes that rotate with the first body: `Rᵀ (α_B − α_A − ω_A × ω_B)`.
fn relative_alpha(instant: &Instant<'_>, joint: JointIndex) -> Vec3<f64> {
    let context = instant.context();
    let element = &context.model.joints[joint.0];
    let angular = |body: BodyIndex| {
        body.number().map_or_else(Vec3::zeros, |b| {
            let system = instant.system;
            system
                .body_acceleration(context.kinematics, instant.rates, b)
                .1
        })
    };
    let (first, second) = (element.first.0, element.second.0);
    let [a, b] = [first, second].map(|body| context.kinematics.body(body).w);
    let rate = angular(second) - angular(first) - cross(&a, &b);
    apply_transposed(&context.kinematics.joints[joint.0].R_F, &rate)
}

/// Names of the six components of a reaction.
const REACTIONS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// Adds the signals of the joints.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (j, element) in model
        .joints
        .iter()
        .enumerate()
        .filter(|(_, j)| !j.is_contact)
    {
        let name = element.name.as_str();
        if !channels.wants(name) {
            continue;
        }
        let mut joint = JointChannels {
            channels: &mut *channels,
            index: JointIndex(j),
            name,
        };
        joint.add_coordinates();
        if model.space == Space::Spatial {
            joint.add_orientation();
        }
        let shape = element.joint.shape(model.space);
        if shape.position_rows + shape.velocity_rows > 0 {
            joint.add_reactions();
        }
    }
}

/// The signals of one joint.
struct JointChannels<'a, 'm> {
    channels: &'a mut ChannelList<'m>,
    index: JointIndex,
    name: &'m str,
}

impl JointChannels<'_, '_> {
    fn add(&mut self, name: String, quantity: JointQuantity, angular: bool, text: String) {
        let unit = unit_along(quantity.unit(), angular);
        let signal = Signal::Joint(self.index, quantity);
        self.channels.add(name, unit, text, signal);
    }

    fn add_coordinates(&mut self) {
        let (name, model) = (self.name, self.channels.model);
        let coordinates = model.joints[self.index.0].joint.coordinates(model.space);
        for (k, c) in coordinates.iter().enumerate() {
            let prefix = if coordinates.len() == 1 {
                format!("{name}.")
            } else {
                format!("{name}.{}_", c.name)
            };
            let of = format!("{} of joint {name}", c.name);
            for (name, quantity, text) in [
                (format!("{name}.{}", c.name), JointQuantity::Value(k), ""),
                (format!("{prefix}rate"), JointQuantity::Rate(k), "rate of "),
                (
                    format!("{prefix}acceleration"),
                    JointQuantity::Acceleration(k),
                    "acceleration of ",
                ),
            ] {
                self.add(name, quantity, c.angular, format!("{text}{of}"));
            }
        }
    }

    /// Adds the orientation of the second frame of the joint relative to the first, in space.
    fn add_orientation(&mut self) {
        let name = self.name;
        for k in 0..4 {
            let text = format!("relative Euler parameter e{k} of joint {name}");
            self.add(
                format!("{name}.e{k}"),
                JointQuantity::Parameter(k),
                false,
                text,
            );
        }
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let omega =
                format!("relative angular velocity about {axis} of joint {name}'s first frame");
            for (word, quantity, text) in [
                (
                    "rot",
                    JointQuantity::Turn(k),
                    format!("relative dextral angle about {axis} of joint {name}"),
                ),
                ("omega", JointQuantity::Omega(k), omega.clone()),
                (
                    "alpha",
                    JointQuantity::Alpha(k),
                    format!("time derivative of the {omega}"),
                ),
            ] {
                self.add(format!("{name}.{word}_{axis}"), quantity, false, text);
            }
        }
    }

    fn add_reactions(&mut self) {
        let name = self.name;
        let components: &[usize] = match self.channels.model.space {
            Space::Planar => &[0, 1, 5],
            Space::Spatial => &[0, 1, 2, 3, 4, 5],
        };
        for &i in components {
            let what = if i < 3 { "force" } else { "moment" };
            let text = format!(
                "{what} of joint {name} on its second body, along the axes of its first frame as turned by `axis`"
            );
            let name = format!("{name}.reaction.{}", REACTIONS[i]);
            self.add(name, JointQuantity::Reaction(i), false, text);
        }
        for (what, quantity) in [
            ("force", JointQuantity::ReactionForce),
            ("moment", JointQuantity::ReactionMoment),
        ] {
            let text = format!("magnitude of the reaction {what} of joint {name}");
            self.add(format!("{name}.{what}"), quantity, false, text);
        }
    }
}

/// Returns the descriptions of the signals of a joint.
pub(super) fn descriptions() -> Vec<SignalDescription> {
    use JointQuantity as Q;
    let describe = |(name, quantity, text): (&'static str, Q, &'static str)| SignalDescription {
        name,
        unit: quantity.unit(),
        stage: quantity.stage(),
        text,
    };
    [
        ("COORDINATE", Q::Value(0), "joint coordinate"),
        (
            "rate",
            Q::Rate(0),
            "its velocity; with several coordinates `JOINT.COORDINATE_rate`",
        ),
        (
            "acceleration",
            Q::Acceleration(0),
            "its acceleration; with several coordinates `JOINT.COORDINATE_acceleration`",
        ),
        (
            "e0",
            Q::Parameter(0),
            "Euler parameter of the joint's second frame in its first; also `e1`, `e2`, `e3` (spatial)",
        ),
        (
            "rot_x",
            Q::Turn(0),
            "dextral angle of the second frame in the first; also `rot_y`, `rot_z` (spatial)",
        ),
        (
            "omega_x",
            Q::Omega(0),
            "relative angular velocity about x of the joint's first frame; also `omega_y`, `omega_z` (spatial)",
        ),
        (
            "alpha_x",
            Q::Alpha(0),
            "derivative of `JOINT.omega_x`; also `alpha_y`, `alpha_z` (spatial)",
        ),
        (
            "reaction.fx",
            Q::Reaction(0),
            "force on the second body along x of the joint's first frame, turned so that its natural axis points along `axis`; also `fy`, `fz`",
        ),
        (
            "reaction.mx",
            Q::Reaction(3),
            "moment on the second body about x of that frame, at the origin of the second; also `my`, `mz`",
        ),
        ("force", Q::ReactionForce, "magnitude of the reaction force"),
        (
            "moment",
            Q::ReactionMoment,
            "magnitude of the reaction moment",
        ),
    ]
    .into_iter()
    .map(describe)
    .collect()
}
