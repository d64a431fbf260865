//! Derivatives of the inverse dynamics of a robot with respect to its motion: `δf = A δq̈ + 2B δq̇ + C δq`.

use super::{Robot, RobotWorkspace};
use crate::math::Matrix;
use crate::tree::{DynamicsDerivatives, crba, rnea_derivatives};

/// The matrices, with one row per generalized force and one column per joint.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// A = ∂f/∂q̈, the mass matrix.
    pub a: Matrix,
    /// B = ½ ∂f/∂q̇.
    pub b: Matrix,
    /// C = ∂f/∂q.
    pub c: Matrix,
    derivatives: DynamicsDerivatives,
    /// The joint of each velocity coordinate of the tree.
    joint: Vec<Option<usize>>,
}

impl Sensitivity {
    /// Storage for a robot.
    pub fn new(robot: &Robot) -> Self {
        let n = robot.joints.len();
        let mut joint = vec![None; robot.tree.velocities];
        for (number, moved) in robot.joints.iter().enumerate() {
            joint[moved.v] = Some(number);
        }
        Sensitivity {
            a: Matrix::zeros(n, n),
            b: Matrix::zeros(n, n),
            c: Matrix::zeros(n, n),
            derivatives: DynamicsDerivatives::new(&robot.tree),
            joint,
        }
    }

    /// Computes them about a motion of all joints, by the analytic derivatives of the tree.
    pub fn compute(
        &mut self,
        robot: &Robot,
        ws: &mut RobotWorkspace,
        [q, rate, acceleration]: [&[f64]; 3],
    ) {
        robot.scatter_positions(q, &mut ws.q);
        robot.scatter(rate, &mut ws.v);
        robot.scatter(acceleration, &mut ws.a);
        let tree = &robot.tree;
        let (a, joint) = (&mut self.a, &self.joint);
        crba(tree, &mut ws.tree, &ws.q, |i, j, value| {
            if let (Some(i), Some(j)) = (joint[i], joint[j]) {
                a[(i, j)] = value;
                a[(j, i)] = value;
            }
        });
        let out = &mut self.derivatives;
        rnea_derivatives(tree, &mut ws.tree, &ws.q, &ws.v, &ws.a, out);
        let n = tree.velocities;
        for (column, j) in joint.iter().enumerate() {
            for (row, i) in joint.iter().enumerate() {
                if let (Some(i), Some(j)) = (i, j) {
                    let at = n * column + row;
                    self.b[(*i, *j)] = 0.5 * self.derivatives.by_v[at];
                    self.c[(*i, *j)] = self.derivatives.by_q[at];
                }
            }
        }
    }

    /// The state matrix of `d/dt (δq, δq̇)` at constant forces: `[[0, 1], [−A⁻¹C, −2A⁻¹B]]`; `None` if A is singular.
    pub fn states(&self) -> Option<Matrix> {
        let n = self.a.nrows();
        let factor = self.a.clone().cholesky()?;
        let (by_q, by_rate) = (factor.solve(&self.c), factor.solve(&self.b));
        let mut states = Matrix::zeros(2 * n, 2 * n);
        for i in 0..n {
            states[(i, n + i)] = 1.0;
            for j in 0..n {
                states[(n + i, j)] = -by_q[(i, j)];
                states[(n + i, n + j)] = -2.0 * by_rate[(i, j)];
            }
        }
        Some(states)
    }
}
