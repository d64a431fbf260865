//! The tangent matrix of the equations of motion in absolute coordinates, for implicit integrators.
//!
//! ```text
//! T = M + k ∂(Gᵀλ − f)/∂q + c ∂(−f)/∂v          q moves as q ⊕ δ
//! ```
//!
//! Its symmetric part is computed, and its skew-symmetric part on request: gyroscopic terms and follower forces of rigid bodies. Without the latter Newton's
//! method is slow if a body with stiff forces rotates fast. The skew-symmetric part at stations of beams, and the dependence of a station's angular velocity
//! on its pose, are omitted. This makes the convergence slightly slower and does not change results. The tangents of joints are exact: the force F at a point
//! at s from the mass centre contributes `[s]×[F]×` in body axes, and a row on the relative motion contributes its own derivative, by jets along the six
//! directions of relative motion. Forces without an analytic tangent are differentiated by finite differences, one element at a time, along the coordinates
//! of the bodies on which they act. Elements of beams provide their own tangent. The tangent at a station, computed as if it were a body, is transformed to
//! its nodes by `Jᵀ K J`, and a moment m on it adds `m ∂²θ/∂e²`.
#![allow(non_snake_case)]

mod forces;
mod joints;
mod layout;
mod sink;

pub(super) use layout::TangentLayout;

use super::{Absolute, System, SystemKinematics, Workspace, applied};
use crate::flexible::MOST_OF_ELEMENT;
use crate::math::Mat3;
use crate::math::rotation::{apply_transposed, skew};
use crate::model::Space;
use sink::TangentSink;

impl Absolute {
    /// Computes T at the kinematics in `ws`, see [`System::tangent`].
    pub(super) fn tangent_into(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        (stiffness, damping): (f64, f64),
        out: &mut [f64],
        mut skew: Option<&mut [f64]>,
    ) {
        let layout = self.layout();
        let model = self.model();
        out.fill(0.0);
        if let Some(skew) = &mut skew {
            skew.fill(0.0);
        }
        for (k, value) in layout.mass.iter().zip(&ws.mass) {
            out[*k] += value;
        }
        if model.spin != 0.0 {
            let factor = stiffness * ws.kinematics.inputs.load_share;
            self.add_spin_tangent(&ws.kinematics, factor, &layout.mass, out);
        }
        let mut sink = TangentSink {
            layout,
            scale: stiffness,
            out,
            skew,
        };
        self.add_joint_stiffness(ws, multipliers, &mut sink);
        if !model.beams.is_empty() {
            // a NaN force has been reported where it was evaluated
            let _ = applied::apply(
                (model, self.rows()),
                &ws.kinematics,
                &mut ws.loads,
                &mut ws.power,
            );
            let bodies = 0..model.bodies.len();
            for b in bodies.filter(|b| !self.places().owns(*b)) {
                sink.add_turn_curvature(self, &ws.kinematics, b, &-ws.loads.torque[b]);
            }
            self.add_beams(&ws.kinematics, (stiffness, damping), sink.out);
        }
        if model.space == Space::Spatial && damping != 0.0 {
            sink.scale = damping;
            self.add_gyroscopic(&ws.kinematics, &mut sink);
        }
        ws.disturbed.copy_from(&ws.kinematics);
        for f in 0..model.forces.len() {
            self.add_force_tangent(ws, f, (stiffness, damping), &mut sink);
        }
    }

    /// Adds the tangents of all elements of beams.
    fn add_beams(&self, k: &SystemKinematics, factors: (f64, f64), out: &mut [f64]) {
        for (b, beam) in self.model().beams.iter().enumerate() {
            let motion = &k.beams[b];
            let size = 2 * beam.node_size();
            let mut dense = [0.0; MOST_OF_ELEMENT * MOST_OF_ELEMENT];
            let dense = &mut dense[..size * size];
            let places = self.layout().elements[b].chunks_exact(size * (size + 1) / 2);
            for ((i, element), places) in beam.elements.iter().enumerate().zip(places) {
                let at = beam.of_element(i);
                dense.fill(0.0);
                element.add_tangent(&motion.e[at.clone()], &motion.rates[at], factors, dense);
                let rows = dense.chunks_exact(size).enumerate();
                for (value, &place) in rows.flat_map(|(i, row)| &row[..=i]).zip(places) {
                    out[place] += value;
                }
            }
        }
    }

    /// Adds `∂(w × J w)/∂w = [w]× J − [J w]×`.
    fn add_gyroscopic(&self, k: &SystemKinematics, sink: &mut TangentSink<'_>) {
        for (b, body) in self.model().bodies.iter().enumerate() {
            let Some(&start) = sink.layout.blocks.get(&(2 * b + 1, 2 * b + 1)) else {
                continue;
            };
            let motion = &k.bodies[b];
            let w = apply_transposed(&motion.R, &motion.w);
            let C: Mat3<f64> = skew(&w) * body.mass.inertia - skew(&(body.mass.inertia * w));
            sink.add_turning(start, &C);
        }
    }
}
