//! Results in the terms of SISMUL (H. A. A. Henrique, dissertation, USP 1993): relative motion between adjacent bodies, in the axes of the lower body (the
//! parent).
//!
//! Body k is connected to its lower body j = L(k) by one joint, whose frame on j has the origin Q and whose frame on k the origin O:
//!
//! ```text
//! ξ = R_jᵀ (O − Q)      S = R_jᵀ R_k = Rx(α) Ry(β) Rz(γ)      ω̂ = R_jᵀ (ω_k − ω_j)      ω̂' = R_jᵀ (α_k − α_j − ω_j × ω_k)
//! ```
//!
//! Loads act from j on k at O, in the axes of j. They include reactions and drivers.

mod listing;

pub use listing::{Angles, SismulListing};

use biela_core::joints::PoseFunction;
use biela_core::math::rotation::{parameters, rates_from_base, to_dextral};
use biela_core::math::{Mat3, Vec3};
use biela_core::model::{
    BodyIndex, DriverIndex, DriverQuantity, DriverTarget, JointElement, JointIndex, Model, Signal,
};
use biela_core::system::{BodyMotion, EvaluationContext, Instant};

/// A joint coordinate counts as motion along an axis if its gradient has at least this component there.
const ALONG: f64 = 1e-9;

/// A body that no joint connects to an earlier body.
#[derive(Clone, PartialEq, Eq)]
pub struct UnconnectedBody {
    /// Its name.
    pub body: String,
}

impl std::fmt::Display for UnconnectedBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "SISMUL numbers bodies from the ground outwards, but no joint connects body `{}` to the ground or to a body \
             before it; reorder the bodies, and add a `free` joint to a body without one",
            self.body
        )
    }
}

biela_core::readable_errors!(UnconnectedBody);

/// The connection of a body to its lower body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SismulLink {
    /// The joint.
    pub joint: JointIndex,
    /// The lower body.
    pub lower: BodyIndex,
    /// Set if the second frame of the joint is on the lower body.
    pub flipped: bool,
}

/// The bodies of a model as a tree; further joints close loops.
#[derive(Clone, Debug)]
pub struct SismulTree {
    links: Vec<SismulLink>,
}

/// The motion of a body relative to its lower body, and the load of the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRelativeMotion {
    /// ξ and its first and second derivatives: blocks A, B, C.
    pub xi: [Vec3<f64>; 3],
    /// Dextral angles and their derivatives, in radians: blocks D, E.
    pub angles: [Vec3<f64>; 2],
    /// Euler parameters (vector part first, then the scalar) and their derivatives: blocks F, G.
    pub parameters: [[f64; 4]; 2],
    /// ω̂ and the derivative of its components: blocks H, I.
    pub omega: [Vec3<f64>; 2],
    /// Moment about O, and force, on the body: blocks J, K.
    pub load: [Vec3<f64>; 2],
    /// O and the mass centre, in the axes of the ground: blocks L, M.
    pub places: [Vec3<f64>; 2],
}

/// The unknown components of the relative motion: rotations about x, y, z of the lower body, then translations.
pub type Unknown = [bool; 6];

impl SismulTree {
    /// Builds the tree: each body uses its first joint to the ground or to an earlier body.
    pub fn of(model: &Model) -> Result<Self, UnconnectedBody> {
        let mut links = Vec::with_capacity(model.bodies.len());
        for (b, body) in model.bodies.iter().enumerate() {
            let before = |other: BodyIndex| other.number().is_none_or(|o| o < b);
            let link = model.listed_joints().find_map(|(joint, element)| {
                let (first, second) = (element.first.0, element.second.0);
                let link = |lower, flipped| SismulLink {
                    joint,
                    lower,
                    flipped,
                };
                if second == BodyIndex(b) && before(first) {
                    Some(link(first, false))
                } else if first == BodyIndex(b) && before(second) {
                    Some(link(second, true))
                } else {
                    None
                }
            });
            let name = || UnconnectedBody {
                body: body.name.clone(),
            };
            links.push(link.ok_or_else(name)?);
        }
        Ok(SismulTree { links })
    }

    /// The connection of each body to its lower body.
    pub fn links(&self) -> &[SismulLink] {
        &self.links
    }

    /// L(k): the numbers of the lower bodies, counted from 1; 0 is the ground.
    pub fn lower(&self) -> Vec<usize> {
        let number = |link: &SismulLink| link.lower.number().map_or(0, |b| b + 1);
        self.links.iter().map(number).collect()
    }

    /// The highest number in the subtree of each body.
    pub fn branch_ends(&self) -> Vec<usize> {
        let mut ends: Vec<usize> = (1..=self.links.len()).collect();
        for (b, link) in self.links.iter().enumerate().rev() {
            if let Some(lower) = link.lower.number() {
                ends[lower] = ends[lower].max(ends[b]);
            }
        }
        ends
    }

    /// The joints that close loops.
    pub fn closures<'m>(&self, model: &'m Model) -> Vec<&'m JointElement> {
        let joints = model.listed_joints();
        joints
            .filter(|(j, _)| !self.links.iter().any(|link| link.joint == *j))
            .map(|(_, element)| element)
            .collect()
    }

    /// The components that the joint of body `b` leaves unknown: free and not prescribed.
    pub fn unknown(&self, context: &EvaluationContext<'_>, b: usize) -> Unknown {
        let link = self.links[b];
        let model = context.model;
        let joint = &model.joints[link.joint.0];
        let to_lower = self.lower_motion(context, b).R.transpose()
            * context.kinematics.joints[link.joint.0].R_F;
        let mut unknown = [false; 6];
        for k in 0..joint.joint.coordinates(model.space).len() {
            let target = DriverTarget::Joint(link.joint, k);
            if model.drivers.iter().any(|driver| driver.target == target) {
                continue;
            }
            let row: PoseFunction = context.coordinate(link.joint, k);
            for (from, part) in [(0, to_lower * row.w), (3, to_lower * row.v)] {
                for c in 0..3 {
                    unknown[from + c] |= part[c].abs() > ALONG;
                }
            }
        }
        unknown
    }

    fn lower_motion(&self, context: &EvaluationContext<'_>, b: usize) -> BodyMotion {
        context.kinematics.body(self.links[b].lower)
    }

    /// The relative motion and load of body `b` at an instant.
    pub fn relative(&self, instant: &Instant<'_>, b: usize) -> JointRelativeMotion {
        let context = instant.context();
        let link = self.links[b];
        let element = &context.model.joints[link.joint.0];
        let (on_lower, on_body) = if link.flipped {
            (element.second, element.first)
        } else {
            (element.first, element.second)
        };
        let q = context.kinematics.frame(context.model, on_lower);
        let o = context.kinematics.frame(context.model, on_body);
        let lower = self.lower_motion(&context, b);
        let body = context.kinematics.bodies[b];
        let (a_q, alpha_j) = acceleration(instant, link.lower, &q.p);
        let (a_o, alpha_k) = acceleration(instant, BodyIndex(b), &o.p);

        let back = lower.R.transpose();
        let d = o.p - q.p;
        let slip = o.v - q.v - lower.w.cross(&d);
        let surge = a_o
            - a_q
            - alpha_j.cross(&d)
            - lower.w.cross(&lower.w.cross(&d))
            - lower.w.cross(&slip) * 2.0;
        let turn = back * body.R;
        let omega = back * (body.w - lower.w);
        let e = parameters(&turn);
        let rates = rates_from_base(&e, &omega);
        let scalar_last = |e: [f64; 4]| [e[1], e[2], e[3], e[0]];
        let (force, moment) = self.load(instant, b, &o.p);
        JointRelativeMotion {
            xi: [back * d, back * slip, back * surge],
            angles: [to_dextral(&turn), dextral_rates(&turn, &omega)],
            parameters: [scalar_last(e), scalar_last(rates)],
            omega: [omega, back * (alpha_k - alpha_j - lower.w.cross(&body.w))],
            load: [back * moment, back * force],
            places: [o.p, body.r],
        }
    }

    /// Force and moment about `o` of the lower body on body `b` through the joint, in the axes of the ground: reaction and drivers.
    fn load(&self, instant: &Instant<'_>, b: usize, o: &Vec3<f64>) -> (Vec3<f64>, Vec3<f64>) {
        let context = instant.context();
        let link = self.links[b];
        let motion = &context.kinematics.joints[link.joint.0];
        let (mut force, mut moment) = instant.workspace.reactions[link.joint.0];
        for (d, driver) in context.model.drivers.iter().enumerate() {
            if let DriverTarget::Joint(joint, k) = driver.target
                && joint == link.joint
            {
                let effort = instant.signal(Signal::Driver(DriverIndex(d), DriverQuantity::Effort));
                let row: PoseFunction = context.coordinate(joint, k);
                force += row.v * effort;
                moment += row.w * effort;
            }
        }
        let sign = if link.flipped { -1.0 } else { 1.0 };
        let (force, moment) = (motion.R_F * force * sign, motion.R_F * moment * sign);
        (force, moment + (motion.p_M - o).cross(&force))
    }
}

/// Acceleration of a point of a body, and the angular acceleration.
fn acceleration(
    instant: &Instant<'_>,
    body: BodyIndex,
    point: &Vec3<f64>,
) -> (Vec3<f64>, Vec3<f64>) {
    let Some(b) = body.number() else {
        return (Vec3::zeros(), Vec3::zeros());
    };
    let kinematics = &instant.workspace.kinematics;
    let (a, alpha) = instant
        .system
        .body_acceleration(kinematics, instant.rates, b);
    let motion = &kinematics.bodies[b];
    let s = point - motion.r;
    let w = motion.w;
    (a + alpha.cross(&s) + w.cross(&w.cross(&s)), alpha)
}

/// Derivatives of the dextral angles from the relative angular velocity in the axes of the lower body. At β = ±90°, where α and γ rotate about the same axis,
/// γ̇ is set to zero and α̇ takes the whole angular velocity.
fn dextral_rates(turn: &Mat3<f64>, omega: &Vec3<f64>) -> Vec3<f64> {
    let angles = to_dextral(turn);
    let (sin, cos) = angles[0].sin_cos();
    let cos_beta = angles[1].cos();
    let beta = omega[1] * cos + omega[2] * sin;
    let gamma = if cos_beta.abs() < 1e-9 {
        0.0
    } else {
        (omega[2] * cos - omega[1] * sin) / cos_beta
    };
    Vec3::new(omega[0] - gamma * angles[1].sin(), beta, gamma)
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_core::math::Random;
    use biela_core::math::rotation::{from_dextral, matrix};

    #[test]
    fn velocities_of_dextral_angles_match_finite_differences() {
        let mut random = Random::new(4);
        for _ in 0..20 {
            let angles = random.vector(1.4);
            let rates = random.vector(2.0);
            let h = 1e-6;
            let turn = from_dextral(&angles);
            let change = (from_dextral(&(angles + rates * h))
                - from_dextral(&(angles - rates * h)))
                / (2.0 * h)
                * turn.transpose();
            let omega = Vec3::new(change[(2, 1)], change[(0, 2)], change[(1, 0)]);
            assert!((dextral_rates(&turn, &omega) - rates).norm() < 1e-7);
        }
    }

    #[test]
    fn printed_euler_parameters_are_reproduced() {
        // Henrique 1993, examples 2 to 5: angle, ε of its axis, ε4
        for (degrees, axis, e, e4) in [
            (87.0, 2, 0.68835, 0.72537),
            (3.0, 2, 0.02618, 0.99966),
            (101.537, 2, 0.77460, 0.63246),
            (41.593, 2, 0.35505, 0.93485),
            (36.87, 2, 0.31623, 0.94868),
            (77.35, 1, 0.62490, 0.78070),
            (-6.36, 1, -0.05547, 0.99846),
        ] {
            let mut angles = Vec3::zeros();
            angles[axis] = f64::to_radians(degrees);
            let turn = from_dextral(&angles);
            let found = parameters(&turn);
            assert!((found[1 + axis] - e).abs() < 6e-6 && (found[0] - e4).abs() < 6e-6);
            assert!((matrix(&found) - turn).norm() < 1e-14);
        }
    }
}
