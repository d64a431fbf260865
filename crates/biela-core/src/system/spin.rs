//! A ground frame that rotates at the constant angular velocity Ω about z through its origin. In this frame, inertia forces act on every mass element:
//!
//! ```text
//! dm (Ω² r⊥ − 2 Ω k × ṙ)        V = −½ Ω² ∫ r⊥·r⊥ dm        r⊥ the part of r across z
//! ```
//!
//! centrifugal and Coriolis forces. A steady rotation is then an equilibrium, and its linearisation has constant coefficients. On a body they act at the mass
//! centre, with a moment that vanishes in the plane. In space it follows from Euler's equations for `ω + Ω`, in body axes with `Ω̇ = −ω × Ω`:
//!
//! ```text
//! m = J (ω × Ω) − ω × J Ω − Ω × J ω − Ω × J Ω
//! ```
#![allow(non_snake_case)]

use super::{Absolute, BodyMotion, Loads, System, SystemKinematics};
use crate::math::rotation::{apply, apply_transposed, cross, dot, skew, unit};
use crate::math::{Mat3, Vec3};
use crate::model::{MassProperties, Model, Space};

/// `Ω² r⊥ − 2 Ω k × ṙ`.
pub(crate) fn acceleration(spin: f64, r: &[f64], v: &[f64]) -> [f64; 2] {
    [
        spin * (spin * r[0] + 2.0 * v[1]),
        spin * (spin * r[1] - 2.0 * v[0]),
    ]
}

/// Returns Ω in the axes of a body.
fn seen_from(motion: &BodyMotion, spin: f64) -> Vec3<f64> {
    apply_transposed(&motion.R, &(unit(2) * spin))
}

/// Adds the forces on rigid bodies.
pub(super) fn add_loads(model: &Model, kinematics: &SystemKinematics, loads: &mut Loads) {
    let spatial = model.space == Space::Spatial;
    let motions = kinematics.bodies.iter().zip(&model.bodies);
    for (b, (motion, body)) in motions.enumerate() {
        let [x, y] = acceleration(model.spin, motion.r.as_slice(), motion.v.as_slice());
        loads.force[b] += Vec3::new(x, y, 0.0) * body.mass.mass;
        if spatial {
            let moment = moment(&body.mass, motion, model.spin);
            loads.torque[b] += apply(&motion.R, &moment);
        }
    }
}

/// m, in body axes.
fn moment(mass: &MassProperties, motion: &BodyMotion, spin: f64) -> Vec3<f64> {
    let J = &mass.inertia;
    let (own, Omega) = (
        apply_transposed(&motion.R, &motion.w),
        seen_from(motion, spin),
    );
    let of_spin = apply(J, &Omega);
    apply(J, &cross(&own, &Omega))
        - cross(&own, &of_spin)
        - cross(&Omega, &(apply(J, &own) + of_spin))
}

/// Returns V, in the plane without constant terms.
pub(super) fn potential(model: &Model, kinematics: &SystemKinematics) -> f64 {
    let spatial = model.space == Space::Spatial;
    let body = |mass: &MassProperties, motion: &BodyMotion| {
        let [x, y, _] = motion.r.into();
        let k = seen_from(motion, 1.0);
        let own = if spatial {
            dot(&k, &apply(&mass.inertia, &k))
        } else {
            0.0
        };
        mass.mass * (x * x + y * y) + own
    };
    let bodies = model.bodies.iter().zip(&kinematics.bodies);
    let bodies = bodies.map(|(of, motion)| body(&of.mass, motion));
    let beams = model.beams.iter().zip(&kinematics.beams);
    let beams = beams.map(|(beam, motion)| beam.moment_about_z(motion));
    -0.5 * model.spin * model.spin * (bodies.sum::<f64>() + beams.sum::<f64>())
}

/// Returns the negative derivative of the moment on a body at rest with respect to a rotation about its own axes.
fn turning_stiffness(mass: &MassProperties, motion: &BodyMotion, spin: f64) -> Mat3<f64> {
    // Ω changes by Ω × δ
    let Omega = seen_from(motion, spin);
    let W = skew(&Omega);
    (W * mass.inertia - skew(&apply(&mass.inertia, &Omega))) * W
}

impl Absolute {
    /// Adds the symmetric part of the inertia terms of the tangent, times `factor`; `places` are the indices of the mass matrix's entries. Coordinates along
    /// x and y contribute `−Ω² M`, those along z nothing, rotations of bodies in space the stiffness of the moment.
    pub(super) fn add_spin_tangent(
        &self,
        k: &SystemKinematics,
        factor: f64,
        places: &[usize],
        out: &mut [f64],
    ) {
        let (model, own) = (self.model(), self.places().own_velocities());
        let (freedom, axes) = (model.space.freedom(), model.space.axes());
        let square = model.spin * model.spin;
        let across = |i: usize| {
            let axis = if i < own {
                i % freedom
            } else {
                (i - own) % axes
            };
            axis < 2
        };
        let entries = self.constant_mass();
        for ((&(i, _), value), &place) in entries.zip(places) {
            if across(i) {
                out[place] -= factor * square * value;
            }
        }
        if model.space == Space::Spatial {
            // after three masses, a body's entries are the lower triangle of its inertia
            let blocks = places.chunks_exact(9);
            for ((b, _), block) in self.places().own().zip(blocks) {
                let K = turning_stiffness(&model.bodies[b].mass, &k.bodies[b], model.spin);
                let triangle = (0..3).flat_map(|i| (0..=i).map(move |j| (i, j)));
                for ((i, j), &place) in triangle.zip(&block[3..]) {
                    out[place] += factor * 0.5 * (K[(i, j)] + K[(j, i)]);
                }
            }
        }
    }

    /// Adds the forces on beams.
    pub(super) fn add_spin_of_beams(&self, kinematics: &SystemKinematics, out: &mut [f64]) {
        let spin = self.model().spin;
        let share = kinematics.inputs.load_share;
        for (k, beam) in self.model().beams.iter().enumerate() {
            let out = &mut out[self.places().beam(k)];
            beam.add_spin(&kinematics.beams[k], spin, share, out);
        }
    }
}
