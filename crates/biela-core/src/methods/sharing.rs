//! How joints share a load where redundant constraints leave that open.
//!
//! Redundant rows leave the multipliers open by λ + N z, where Gᵀ N = 0: for each row g left out there is a column of N with one at that row and −c at the rows that take part, Gᵀ c = g. The
//! motion does not depend on z, unless friction depends on reactions. Then the rule is the least norm of what all joints carry,
//!
//! ```text
//! Σ_joints |F|² + |T|²/L²  → least,        L² = Σ J / Σ m
//! ```
//!
//! with F and T the force and the moment at the joint, m and J the masses of the bodies and their moments of inertia (in space half the trace). It depends neither on the order of the
//! elements nor on units, nor on the formulation. Bodies that bend, or bushings in place of joints, share the load as their stiffnesses say, and leave nothing open.

use crate::math::Kkt;
use crate::model::{JointIndex, Model, Space};
use crate::system::{Kinematics, Loads, Response, System, Workspace, num_frictions};

use super::dense::dot;
use super::friction::eliminate;
use super::saddle_point;

/// The null space of Gᵀ at an instant, and buffers.
#[derive(Clone, Debug)]
pub(crate) struct Sharing {
    kkt: Kkt,
    jacobian: Vec<f64>,
    active: Vec<bool>,
    /// Columns of N.
    open: Vec<Vec<f64>>,
    /// What the joints carry for a unit of each column, moments over L.
    carried: Vec<Vec<f64>>,
    given: Vec<f64>,
    no_loads: Loads,
    no_rates: Vec<f64>,
    scratch: Loads,
    arm: f64,
    matrix: Vec<f64>,
    right: Vec<f64>,
    moved: Vec<f64>,
}

impl Sharing {
    /// For a system whose friction may depend on redundant rows; `None` where there is no friction, or no row is left out.
    pub(crate) fn new(system: &dyn System, active: &[bool]) -> Option<Self> {
        let model = system.model();
        let left_out = active.iter().filter(|active| !**active).count();
        if num_frictions(model) == 0 || left_out == 0 {
            return None;
        }
        let sizes = system.sizes();
        let components = 6 * model.joints.len();
        Some(Sharing {
            kkt: saddle_point(system),
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            active: active.to_vec(),
            open: vec![vec![0.0; sizes.rows]; left_out],
            carried: vec![vec![0.0; components]; left_out],
            given: vec![0.0; components],
            no_loads: Loads::new(model),
            no_rates: vec![0.0; sizes.velocities],
            scratch: Loads::new(model),
            arm: arm(model),
            matrix: vec![0.0; left_out * left_out],
            right: vec![0.0; left_out],
            moved: vec![0.0; sizes.rows],
        })
    }

    /// Finds the null space at the evaluation in `ws`.
    pub(crate) fn prepare(&mut self, system: &dyn System, ws: &Workspace) {
        let pattern = system.jacobian_pattern();
        self.jacobian.copy_from_slice(&ws.jacobian);
        for (row, _) in self.active.iter().enumerate().filter(|(_, a)| !**a) {
            self.jacobian[pattern.range(row)].fill(0.0);
        }
        self.kkt.factor(&ws.mass, &self.jacobian);
        let left_out = (0..self.active.len()).filter(|row| !self.active[*row]);
        for ((row, open), carried) in left_out.zip(&mut self.open).zip(&mut self.carried) {
            open.fill(0.0);
            self.no_rates.fill(0.0);
            pattern.add_row(row, &ws.jacobian, -1.0, &mut self.no_rates);
            self.kkt
                .solve(&ws.mass, &self.jacobian, &mut self.no_rates, open);
            open[row] = 1.0;
            self.no_rates.fill(0.0);
            let cause = Response {
                loads: &self.no_loads,
                rates: &self.no_rates,
                multipliers: open,
                moving: false,
            };
            let scene = (system, &ws.kinematics);
            carry(scene, cause, &mut self.scratch, self.arm, carried);
            let size = dot(carried, carried).sqrt();
            if size > 0.0 {
                for x in open.iter_mut().chain(carried.iter_mut()) {
                    *x /= size;
                }
            }
        }
    }

    /// Moves multipliers to those that are zero for the rows left out, as an integrator has them that solves for the others.
    pub(crate) fn gather(&self, multipliers: &mut [f64]) {
        let left_out = (0..self.active.len()).filter(|row| !self.active[*row]);
        for (row, open) in left_out.zip(&self.open) {
            let z = multipliers[row] / open[row];
            for (lambda, x) in multipliers.iter_mut().zip(open) {
                *lambda -= z * x;
            }
            multipliers[row] = 0.0;
        }
    }

    /// Multipliers of the least norm in place of those given, at the loads and accelerations of a motion.
    pub(crate) fn shared(
        &mut self,
        scene: (&dyn System, &Kinematics),
        cause: (&Loads, &[f64]),
        multipliers: &[f64],
    ) -> &[f64] {
        let mut moved = std::mem::take(&mut self.moved);
        moved.copy_from_slice(multipliers);
        self.share(scene, cause, &mut moved, true);
        self.moved = moved;
        &self.moved
    }

    /// Moves multipliers that follow from loads and accelerations to those of the least norm; the state takes part where it is `moving`.
    pub(crate) fn share(
        &mut self,
        scene: (&dyn System, &Kinematics),
        (loads, rates): (&Loads, &[f64]),
        multipliers: &mut [f64],
        moving: bool,
    ) {
        let cause = Response {
            loads,
            rates,
            multipliers,
            moving,
        };
        let given = &mut self.given;
        carry(scene, cause, &mut self.scratch, self.arm, given);
        let n = self.open.len();
        for i in 0..n {
            for j in 0..n {
                self.matrix[n * i + j] = dot(&self.carried[i], &self.carried[j]);
            }
            self.right[i] = -dot(&self.carried[i], given);
        }
        // rows that no joint carries, as those of drivers, share nothing
        if eliminate(&mut self.matrix, &mut self.right) {
            for (z, open) in self.right.iter().zip(&self.open) {
                for (lambda, x) in multipliers.iter_mut().zip(open) {
                    *lambda += z * x;
                }
            }
        }
    }
}

/// What all joints carry, moments over `arm`.
fn carry(
    (system, kinematics): (&dyn System, &Kinematics),
    cause: Response<'_>,
    scratch: &mut Loads,
    arm: f64,
    out: &mut [f64],
) {
    for (j, out) in out.chunks_exact_mut(6).enumerate() {
        let (force, moment) = system.reaction(kinematics, cause, scratch, JointIndex(j));
        for axis in 0..3 {
            (out[axis], out[3 + axis]) = (force[axis], moment[axis] / arm);
        }
    }
}

/// The length L by which moments count beside forces; a metre where no body has a moment of inertia.
fn arm(model: &Model) -> f64 {
    let (mut mass, mut inertia) = (0.0, 0.0);
    for body in &model.bodies {
        let about = &body.mass.inertia;
        mass += body.mass.mass;
        inertia += match model.space {
            Space::Planar => about[(2, 2)],
            Space::Spatial => 0.5 * (about[(0, 0)] + about[(1, 1)] + about[(2, 2)]),
        };
    }
    let squared: f64 = inertia / mass;
    if squared.is_finite() && squared > 0.0 {
        squared.sqrt()
    } else {
        1.0
    }
}
