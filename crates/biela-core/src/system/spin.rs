//! A ground frame that turns at the constant rate Ω about z through its origin: seen from it, inertia gives every mass element the forces
//!
//! ```text
//! dm (Ω² r − 2 Ω k × ṙ)        V = −½ Ω² ∫ r·r dm
//! ```
//!
//! centrifugal and of Coriolis. A steady rotation is then a state of rest, and what is near it a linear model with constant coefficients. The moment of
//! the centrifugal forces about the mass centre of a planar body vanishes, and that of Coriolis too.

use super::{Absolute, Kinematics, Loads, System};
use crate::math::Vec3;
use crate::model::Model;

/// `Ω² r − 2 Ω k × ṙ` in the plane.
pub(crate) fn acceleration(spin: f64, r: [f64; 2], v: [f64; 2]) -> [f64; 2] {
    [
        spin * (spin * r[0] + 2.0 * v[1]),
        spin * (spin * r[1] - 2.0 * v[0]),
    ]
}

/// Adds the forces on rigid bodies.
pub(super) fn add_loads(model: &Model, kinematics: &Kinematics, loads: &mut Loads) {
    let motions = kinematics.bodies.iter().zip(&model.bodies);
    for (load, (motion, body)) in loads.force.iter_mut().zip(motions) {
        let (r, v) = (motion.r, motion.v);
        let [x, y] = acceleration(model.spin, [r[0], r[1]], [v[0], v[1]]);
        *load += Vec3::new(x, y, 0.0) * body.mass.mass;
    }
}

/// V.
pub(super) fn potential(model: &Model, kinematics: &Kinematics) -> f64 {
    let bodies = model.bodies.iter().zip(&kinematics.bodies);
    let bodies = bodies.map(|(body, motion)| body.mass.mass * motion.r.norm_squared());
    let beams = model.beams.iter().zip(&kinematics.beams);
    let beams = beams.map(|(beam, motion)| beam.second_moment(motion));
    -0.5 * model.spin * model.spin * (bodies.sum::<f64>() + beams.sum::<f64>())
}

impl Absolute {
    /// Takes `k Ω² M` off a tangent: off the coordinates that are no angles, which the mass matrix does not couple with them.
    pub(super) fn add_spin_tangent(&self, factor: f64, places: &[usize], out: &mut [f64]) {
        let square = self.model().spin * self.model().spin;
        let angles = |i: usize| i < 3 * self.places().num_own && i % 3 == 2;
        let entries = self.constant_mass();
        for ((&(i, _), value), &place) in entries.zip(places) {
            if !angles(i) {
                out[place] -= factor * square * value;
            }
        }
    }

    /// Adds the forces on beams.
    pub(super) fn add_spin_of_beams(&self, kinematics: &Kinematics, out: &mut [f64]) {
        let spin = self.model().spin;
        let share = kinematics.load_share;
        for (k, beam) in self.model().beams.iter().enumerate() {
            let out = &mut out[self.places().beam(k)];
            beam.add_spin(&kinematics.beams[k], spin, share, out);
        }
    }
}
