//! The tangents of forces, analytic or by finite differences.

use super::layout::TangentLayout;
use super::sink::{Dense, TangentSink};
use crate::math::rotation::{about_axis, apply, identity, zero3};
use crate::system::{Absolute, EvaluationContext, System, SystemKinematics, Workspace};

/// A perturbation of one coordinate of a body, or of its velocity.
#[derive(Clone, Copy)]
struct Disturbance {
    body: usize,
    coordinate: usize,
    amount: f64,
    velocity: bool,
}

impl Absolute {
    /// Adds the tangent of one force by finite differences along the coordinates and velocities of the bodies on which it acts.
    pub(super) fn add_force_tangent(
        &self,
        ws: &mut Workspace,
        force: usize,
        (stiffness, damping): (f64, f64),
        sink: &mut TangentSink<'_>,
    ) {
        let layout = sink.layout;
        let Workspace {
            kinematics: k,
            disturbed: scratch,
            loads,
            ..
        } = ws;
        let model = self.model();
        let bodies = &layout.force_bodies[force];
        if bodies.is_empty() || bodies.len() > 2 {
            return;
        }
        let mut own = Dense::new();
        let context = EvaluationContext {
            model,
            kinematics: k,
        };
        let force_element = &model.forces[force].force;
        let share = if force_element.is_load() {
            k.inputs.load_share
        } else {
            1.0
        };
        let (stiffness, damping) = (share * stiffness, share * damping);
        if force_element.tangent(&context, (stiffness, damping), &mut own.values) {
            sink.scale = 1.0;
            sink.add(self, k, bodies, &own);
            return;
        }
        let freedom = model.space.freedom();
        for velocity in [false, true] {
            let scale = if velocity { damping } else { stiffness };
            if scale == 0.0 {
                continue;
            }
            let mut dense = Dense::new();
            for (local, &body) in bodies.iter().enumerate() {
                for c in 0..freedom {
                    let step = 1e-6;
                    let by = |amount| Disturbance {
                        body,
                        coordinate: c,
                        amount,
                        velocity,
                    };
                    let mut sides = [[0.0; 12]; 2];
                    for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                        self.disturb(scratch, k, layout, by(sign * step));
                        loads.clear();
                        let context = EvaluationContext {
                            model,
                            kinematics: scratch,
                        };
                        force_element.apply(&context, loads);
                        for (at, &b) in bodies.iter().enumerate() {
                            let block = &mut side[freedom * at..freedom * at + freedom];
                            self.add_block(
                                &scratch.bodies[b],
                                &loads.force[b],
                                &loads.torque[b],
                                1.0,
                                block,
                            );
                        }
                    }
                    for i in 0..freedom * bodies.len() {
                        // −∂f
                        let slope = (sides[1][i] - sides[0][i]) / (2.0 * step);
                        dense.set(i, freedom * local + c, slope);
                    }
                    self.disturb(scratch, k, layout, by(0.0));
                }
            }
            sink.scale = scale;
            sink.add(self, k, bodies, &dense);
        }
    }

    /// Returns the turn entries of the counted angles of a joint, without the relative rotation of its bodies.
    fn turns_beyond(&self, k: &SystemKinematics, joint: usize) -> [f64; 3] {
        let model = self.model();
        let element = &model.joints[joint];
        let mut turns = k.joints[joint].rel.turns;
        let angles = element
            .joint
            .coordinates(model.space)
            .iter()
            .filter(|c| c.angular);
        for (slot, coordinate) in angles.enumerate() {
            if coordinate.turning {
                turns[slot] -= k.relative_turn(element);
            }
        }
        turns
    }

    /// Perturbs one coordinate (or velocity coordinate) of a body from `k`.
    fn disturb(
        &self,
        scratch: &mut SystemKinematics,
        k: &SystemKinematics,
        layout: &TangentLayout,
        disturbance: Disturbance,
    ) {
        let Disturbance {
            body,
            coordinate: c,
            amount,
            velocity,
        } = disturbance;
        let model = self.model();
        let axes = model.space.axes();
        let mut motion = k.bodies[body];
        if c < axes {
            let target = if velocity {
                &mut motion.v
            } else {
                &mut motion.r
            };
            target[c] += amount;
        } else {
            let axis = if axes == 2 { 2 } else { c - axes };
            let mut along = zero3();
            along[axis] = 1.0;
            let along = apply(&motion.R, &along);
            if velocity {
                motion.w += along * amount;
            } else {
                // w keeps its components in body axes
                let turn = if amount == 0.0 {
                    identity()
                } else {
                    about_axis(&along, amount)
                };
                motion.R = turn * motion.R;
                if axes == 3 {
                    motion.w = turn * motion.w;
                }
                motion.angle += amount;
            }
        }
        scratch.bodies[body] = motion;
        for &j in &layout.joints_at[body] {
            scratch.relate(model, j);
            scratch.set_turns(model, j, self.turns_beyond(k, j));
        }
    }
}
