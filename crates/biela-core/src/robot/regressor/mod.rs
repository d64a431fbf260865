//! Joint forces as a linear function of the inertial parameters: the basis of identification.
//!
//! ```text
//! f = Y(q, q̇, q̈) π
//! ```
//!
//! π has ten parameters per link, about the link's origin and in its axes: mass m, first moment `h = m c`, inertia J; then, for each
//! velocity coordinate, the armature, viscous friction and Coulomb friction. With a the acceleration of the origin minus gravity, the wrench on link i is
//!
//! ```text
//! force   m a + α × h + ω × (ω × h)        moment   J α + ω × J ω + h × a
//! ```
//!
//! and its power along the velocity of every joint on the path to the ground gives the ten columns of link i (C. H. An, C. G. Atkeson, J. M. Hollerbach,
//! *Model-Based Control of a Robot Manipulator*, 1988, ch. 4).
#![allow(non_snake_case)]

mod base;
mod identify;
#[cfg(test)]
mod suite;

pub use base::{BaseParameter, BaseParameters};
pub use identify::{Excitation, Identified, IdentifyError, MeasuredSample};

use crate::math::rotation::{apply_transposed, cross};
use crate::math::spatial::{Sym3, Twist, Wrench};
use crate::math::{Pose, Vec3};
use crate::tree::{Tree, TreeLocation, TreeWorkspace, accelerations, pose_of, velocities};

/// Number of inertial parameters of a rigid body.
pub const BODY: usize = 10;
/// Their names: mass, first moments, entries of the inertia matrix.
const BODY_NAMES: [&str; BODY] = [
    "m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz",
];
/// Names of the parameters of a velocity coordinate.
const DRIVE_NAMES: [&str; 3] = ["armature", "viscous", "coulomb"];

/// A parameter on which joint forces depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicParameter {
    /// The link, or the velocity coordinate for parameters of its drive.
    pub of: usize,
    /// Its short name: `m`, `mx`, `Ixx`, `armature` and so on.
    pub name: &'static str,
}

/// The regressor of a tree: one row per velocity coordinate, one column per parameter.
#[derive(Clone, Debug)]
pub struct Regressor {
    rows: usize,
    links: usize,
    columns: usize,
    drives: bool,
    /// `Y`, by rows.
    values: Vec<f64>,
}

impl Regressor {
    /// Storage for the links of a tree, and for armatures and friction if `drives`.
    pub fn new(tree: &Tree, drives: bool) -> Self {
        let (rows, links) = (tree.velocities, tree.links.len());
        let columns = BODY * links + if drives { DRIVE_NAMES.len() * rows } else { 0 };
        Regressor {
            rows,
            links,
            columns,
            drives,
            values: vec![0.0; rows * columns],
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The matrix, by rows.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The rows, each with all of its columns.
    fn by_rows(&self) -> std::slice::ChunksExact<'_, f64> {
        // a tree without links has neither columns nor rows
        self.values.chunks_exact(self.columns.max(1))
    }

    /// The parameter of a column.
    pub fn parameter(&self, column: usize) -> DynamicParameter {
        match column.checked_sub(BODY * self.links) {
            None => DynamicParameter {
                of: column / BODY,
                name: BODY_NAMES[column % BODY],
            },
            Some(drive) => DynamicParameter {
                of: drive % self.rows,
                name: DRIVE_NAMES[drive / self.rows],
            },
        }
    }

    /// Returns the parameters of a tree, without friction.
    pub fn parameters(&self, tree: &Tree) -> Vec<f64> {
        let mut all = vec![0.0; self.columns];
        for (link, own) in tree.links.iter().zip(all.chunks_exact_mut(BODY)) {
            let inertia = &link.inertia;
            own.copy_from_slice(&body_parameters(inertia.m, &inertia.h, &inertia.J));
        }
        if self.drives {
            let armatures = BODY * self.links..BODY * self.links + self.rows;
            all[armatures].copy_from_slice(&tree.armature);
        }
        all
    }

    /// Evaluates the regressor for a motion.
    pub fn place(&mut self, tree: &Tree, ws: &mut TreeWorkspace, [q, v, a]: [&[f64]; 3]) {
        move_against_gravity(tree, ws, [q, v, a]);
        self.values.fill(0.0);
        for i in 0..self.links {
            let place = TreeLocation {
                link: Some(i),
                pose: Pose::identity(),
            };
            let columns = self.columns;
            body_columns(tree, ws, &place, |k, p, value| {
                self.values[columns * k + BODY * i + p] = value;
            });
        }
        if self.drives {
            let n = self.rows;
            for k in 0..n {
                let row = &mut self.values[self.columns * k + BODY * self.links..];
                row[k] = a[k];
                row[n + k] = v[k];
                row[2 * n + k] = if v[k] == 0.0 { 0.0 } else { v[k].signum() };
            }
        }
    }

    /// `Y π`.
    pub fn forces(&self, parameters: &[f64], out: &mut [f64]) {
        for (f, row) in out.iter_mut().zip(self.by_rows()) {
            *f = crate::math::dense::dot(row, parameters);
        }
    }
}

/// Mass, first moment and inertia as parameters.
pub fn body_parameters(m: f64, h: &Vec3<f64>, J: &Sym3) -> [f64; BODY] {
    [
        m, h[0], h[1], h[2], J.d[0], J.o[2], J.o[1], J.d[1], J.o[0], J.d[2],
    ]
}

/// The names of a body's parameters, in their order.
pub fn parameter_names() -> [&'static str; BODY] {
    BODY_NAMES
}

/// The regressor of a payload fixed in a frame: one row of ten columns per velocity coordinate, with its parameters about the frame's origin and
/// in its axes.
pub fn payload_regressor(
    tree: &Tree,
    ws: &mut TreeWorkspace,
    frame: &TreeLocation,
    motion: [&[f64]; 3],
    out: &mut [f64],
) {
    move_against_gravity(tree, ws, motion);
    out.fill(0.0);
    body_columns(tree, ws, frame, |k, p, value| out[BODY * k + p] = value);
}

/// Computes velocities and accelerations of all links, with the ground accelerating against gravity.
fn move_against_gravity(tree: &Tree, ws: &mut TreeWorkspace, [q, v, a]: [&[f64]; 3]) {
    velocities(tree, ws, q, v);
    accelerations(tree, ws, a, &-tree.gravity);
}

/// Calls `put(k, p, value)` for every joint coordinate k on the path from a frame to the ground and every parameter p of a body fixed in the frame.
fn body_columns(
    tree: &Tree,
    ws: &TreeWorkspace,
    frame: &TreeLocation,
    mut put: impl FnMut(usize, usize, f64),
) {
    let Some(link) = frame.link else { return };
    let state = &ws.links[link];
    let pose = pose_of(ws, frame);
    let arm = pose.p - state.o;
    let (w, alpha) = (&state.velocity.w, &state.acceleration.w);
    let a = state.acceleration.v + cross(alpha, &arm) + cross(w, &cross(w, &arm));
    let own = |x: &Vec3<f64>| apply_transposed(&pose.R, x);
    let wrenches = unit_wrenches(&own(w), &own(alpha), &own(&a));
    for i in tree.path(link) {
        let arm = pose.p - ws.links[i].o;
        for k in tree.links[i].velocities() {
            let S = &ws.columns[k];
            let seen = Twist::new(own(&S.w), own(&(S.v + cross(&S.w, &arm))));
            for (p, wrench) in wrenches.iter().enumerate() {
                put(k, p, seen.dot(wrench));
            }
        }
    }
}

/// The wrench due to each parameter of a body separately, in its own axes.
fn unit_wrenches(w: &Vec3<f64>, alpha: &Vec3<f64>, a: &Vec3<f64>) -> [Wrench; BODY] {
    let mut out = [Wrench::zero(); BODY];
    out[0].f = *a;
    for i in 0..3 {
        let h = Vec3::ith(i, 1.0);
        out[1 + i] = Wrench::new(cross(&h, a), cross(alpha, &h) + cross(w, &cross(w, &h)));
    }
    // entries of J in the order of their names
    let entries = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    for (wrench, (i, j)) in out[4..].iter_mut().zip(entries) {
        let times = |x: &Vec3<f64>| {
            let mut y = Vec3::zeros();
            y[i] += x[j];
            if i != j {
                y[j] += x[i];
            }
            y
        };
        wrench.n = times(alpha) + cross(w, &times(w));
    }
    out
}
