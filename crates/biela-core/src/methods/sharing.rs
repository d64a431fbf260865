//! Distribution of the load among joints whose reactions redundant constraints leave undetermined.
//!
//! Redundant rows leave the multipliers undetermined by λ + N z, where Gᵀ N = 0. For each inactive row g there is a column of N with one at that row and −c
//! at the active rows, Gᵀ c = g. The motion does not depend on z, unless friction depends on reactions. In that case z minimises the norm of the loads on all
//! joints,
//!
//! ```text
//! Σ_joints |F|² + |T|²/L²  → min,          L² = Σ J / Σ m
//! ```
//!
//! with F and T the force and the moment at the joint, m and J the masses of the bodies and their moments of inertia (in space half the trace). The result
//! depends neither on the order of the elements nor on units nor on the formulation. With flexible bodies, or bushings instead of joints, the stiffnesses
//! determine the distribution uniquely.

use crate::math::Kkt;
use crate::model::{JointIndex, Model, Space};
use crate::system::{Loads, Response, System, SystemKinematics, Workspace, num_frictions};

use super::dense::dot;
use super::friction::eliminate;
use super::{bilateral_rows, saddle_point};

/// The null space of Gᵀ at an instant, and buffers.
#[derive(Clone, Debug)]
pub(crate) struct Sharing {
    kkt: Kkt,
    jacobian: Vec<f64>,
    active: Vec<bool>,
    /// The redundant rows: those of bilateral constraints that are inactive.
    left_out: Vec<usize>,
    /// Columns of N.
    open: Vec<Vec<f64>>,
    /// The joint loads for a unit of each column, moments divided by L.
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
    /// Creates the buffers for a system whose friction may depend on redundant rows; `None` if there is no friction or no inactive row.
    pub(crate) fn new(system: &dyn System, active: &[bool]) -> Option<Self> {
        let model = system.model();
        let rows = 0..bilateral_rows(system);
        let redundant: Vec<usize> = rows.filter(|row| !active[*row]).collect();
        let left_out = redundant.len();
        if num_frictions(model) == 0 || left_out == 0 {
            return None;
        }
        let sizes = system.sizes();
        let components = 6 * model.joints.len();
        Some(Sharing {
            kkt: saddle_point(system),
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            active: active.to_vec(),
            left_out: redundant,
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

    /// Computes the null space at the evaluation in `ws`.
    pub(crate) fn prepare(&mut self, system: &dyn System, ws: &Workspace) {
        let pattern = system.jacobian_pattern();
        self.jacobian.copy_from_slice(&ws.jacobian);
        for (row, _) in self.active.iter().enumerate().filter(|(_, a)| !**a) {
            self.jacobian[pattern.range(row)].fill(0.0);
        }
        self.kkt.factor(&ws.mass, &self.jacobian);
        let left_out = self.left_out.iter().copied();
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
            let context = (system, &ws.kinematics);
            carry(context, cause, &mut self.scratch, self.arm, carried);
            let size = dot(carried, carried).sqrt();
            if size > 0.0 {
                for x in open.iter_mut().chain(carried.iter_mut()) {
                    *x /= size;
                }
            }
        }
    }

    /// Transforms multipliers to those that are zero for the inactive rows, as in an integrator that solves for the active ones.
    pub(crate) fn gather(&self, multipliers: &mut [f64]) {
        for (row, open) in self.left_out.iter().copied().zip(&self.open) {
            let z = multipliers[row] / open[row];
            for (lambda, x) in multipliers.iter_mut().zip(open) {
                *lambda -= z * x;
            }
            multipliers[row] = 0.0;
        }
    }

    /// Replaces multipliers by those of minimum norm, at the loads and accelerations of a motion.
    pub(crate) fn shared(
        &mut self,
        context: (&dyn System, &SystemKinematics),
        cause: (&Loads, &[f64]),
        multipliers: &[f64],
    ) -> &[f64] {
        let mut moved = std::mem::take(&mut self.moved);
        moved.copy_from_slice(multipliers);
        self.share(context, cause, &mut moved, true);
        self.moved = moved;
        &self.moved
    }

    /// Replaces multipliers that follow from loads and accelerations by those of minimum norm; the velocities are included if `moving`.
    pub(crate) fn share(
        &mut self,
        context: (&dyn System, &SystemKinematics),
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
        carry(context, cause, &mut self.scratch, self.arm, given);
        let n = self.open.len();
        for i in 0..n {
            for j in 0..n {
                self.matrix[n * i + j] = dot(&self.carried[i], &self.carried[j]);
            }
            self.right[i] = -dot(&self.carried[i], given);
        }
        // rows without joint loads, as those of drivers, are not distributed
        if eliminate(&mut self.matrix, &mut self.right) {
            for (z, open) in self.right.iter().zip(&self.open) {
                for (lambda, x) in multipliers.iter_mut().zip(open) {
                    *lambda += z * x;
                }
            }
        }
    }
}

/// Computes the loads on all joints, moments divided by `arm`.
fn carry(
    (system, kinematics): (&dyn System, &SystemKinematics),
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

/// Returns the length L that weights moments relative to forces; 1 m if no body has a moment of inertia.
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
