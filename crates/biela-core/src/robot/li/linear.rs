//! The linear model about a motion, by fourth-order coefficients.
//!
//! ```text
//! δf = A δq̈ + 2B δq̇ + C δq
//! X_js = [δ_j × V_s1, δ_j × V_s2, δ_j × V_s3] + λ_j ψ_sᵀ        D_ijks = δ_k · aux(X_js) δ_i        (i, j, k ≤ s)
//! ```
//!
//! A holds the D_ij and `B_ij = Σ_k D_ijk q̇_k`. `C_ij = ∂f_i/∂q_j` has a part for each of the three forces, from
//!
//! ```text
//! i ≤ j:  ∂D_iks/∂q_j =  D_ijks − D_jiks  (j ≤ k ≤ s)    D_ijks − D_kijs  (k < j < s)    D_ksij − D_kisj  (k ≤ s ≤ j)
//! i > j:  ∂D_iks/∂q_j =  0                (j ≤ k ≤ s)    D_jiks − D_kijs  (k < j, i < s)  …by D_iks = −D_ski where s < i
//! ```
//!
//! D_ijks is zero for prismatic i or k.

use super::Li;
use super::coefficients::{MatrixTrace, outer};
use crate::math::rotation::{apply, column, cross, dot, zero3};
use crate::math::{Mat3, Real, Vec3};

/// The linear model of a chain; matrices by rows.
#[derive(Clone, Debug)]
pub struct LinearChainModel<T: Real = f64> {
    n: usize,
    /// `∂f/∂q̈`.
    pub A: Vec<T>,
    /// `½ ∂f/∂q̇`; note the factor ½.
    pub B: Vec<T>,
    /// `∂f/∂q`.
    pub C: Vec<T>,
    /// The part of C due to accelerations.
    pub inertial: Vec<T>,
    /// The part of C due to velocities.
    pub centripetal: Vec<T>,
    /// The part of C due to gravity.
    pub gravity: Vec<T>,
    /// `aux(X_js) δ_i` at (s, j, i), in the axes of joint s.
    fourth: Vec<Vec3<T>>,
}

impl<T: Real> LinearChainModel<T> {
    /// Storage for a chain of `joints` joints.
    pub fn new(joints: usize) -> Self {
        let square = vec![T::zero(); joints * joints];
        LinearChainModel {
            n: joints,
            A: square.clone(),
            B: square.clone(),
            C: square.clone(),
            inertial: square.clone(),
            centripetal: square.clone(),
            gravity: square,
            fourth: vec![zero3(); joints * joints * joints],
        }
    }
}

impl<T: Real> Li<T> {
    /// Computes the linear model about the motion with velocities `v` and accelerations `a`, after [`Li::place`].
    pub fn linearize(&self, v: &[T], a: &[T], out: &mut LinearChainModel<T>) {
        let n = out.n;
        self.fourth_order(out);
        let D = |i: usize, j: usize, k: usize| self.coefficients.velocity(i, j, k);
        out.B.fill(T::zero());
        self.coefficients.each_velocity(|i, j, k, D| {
            out.B[n * i + j] += D * v[k];
            if j < k {
                out.B[n * i + k] += D * v[j];
            }
            // D_kji = D_kij = −D_ijk
            if j <= i {
                out.B[n * k + j] -= D * v[i];
            }
            if j < i {
                out.B[n * k + i] -= D * v[j];
            }
        });
        for i in 0..n {
            for j in 0..n {
                let at = n * i + j;
                out.A[at] = self.coefficients.inertia(i, j);
                out.inertial[at] = if i <= j {
                    let mut sum = D(i, j, j) * a[j];
                    for k in 0..j {
                        sum += (D(i, k, j) + D(k, i, j)) * a[k];
                    }
                    for k in j + 1..n {
                        sum += (D(i, j, k) - D(j, i, k)) * a[k];
                    }
                    sum
                } else {
                    let terms = (0..j).map(|k| (D(k, j, i) - D(j, k, i)) * a[k]);
                    terms.fold(T::zero(), |sum, term| sum + term)
                };
                out.centripetal[at] = if i <= j {
                    self.before(out, v, i, j)
                } else {
                    self.beyond(out, v, i, j)
                };
                out.gravity[at] = self.gravity_slope(i.min(j), i.max(j));
                out.C[at] = out.inertial[at] + out.centripetal[at] + out.gravity[at];
            }
        }
    }

    /// `D_ijks` for i, j, k ≤ s, from a linear model computed in this configuration.
    pub fn fourth(&self, linear: &LinearChainModel<T>, [i, j, k, s]: [usize; 4]) -> T {
        let n = linear.n;
        dot(
            &self.layout.screws(s)[k].w,
            &linear.fourth[(n * s + j) * n + i],
        )
    }

    fn fourth_order(&self, out: &mut LinearChainModel<T>) {
        let n = out.n;
        for s in 0..n {
            let screws = self.layout.screws(s);
            let moments = &self.moments[s];
            for (j, screw) in screws.iter().enumerate() {
                let carried = |c: usize| cross(&screw.w, &column(&moments.V, c));
                let X = Mat3::from_columns(&[carried(0), carried(1), carried(2)])
                    + outer(&screw.v, &moments.psi);
                let trace = X.trace_of();
                for (i, screw) in screws.iter().enumerate() {
                    let w = &screw.w;
                    out.fourth[(n * s + j) * n + i] = w * trace - apply(&X, w);
                }
            }
        }
    }

    /// `δ_i · (g × ψ_j)` for i ≤ j.
    fn gravity_slope(&self, i: usize, j: usize) -> T {
        let pull = cross(&self.layout.gravity[j], &self.moments[j].psi);
        dot(&self.layout.screws(j)[i].w, &pull)
    }

    /// The velocity part of `C_ij` for i ≤ j.
    fn before(&self, linear: &LinearChainModel<T>, v: &[T], i: usize, j: usize) -> T {
        let n = linear.n;
        let D = |i, j, k, s| self.fourth(linear, [i, j, k, s]);
        let (mut pairs, mut squares) = (T::zero(), T::zero());
        for k in 0..j {
            for s in k + 1..=j {
                pairs += (D(k, s, i, j) - D(k, i, s, j)) * v[k] * v[s];
            }
            for s in j + 1..n {
                pairs += (D(i, j, k, s) - D(k, i, j, s)) * v[k] * v[s];
            }
        }
        for k in j..n {
            for s in k + 1..n {
                pairs += (D(i, j, k, s) - D(j, i, k, s)) * v[k] * v[s];
            }
        }
        for k in 0..=j {
            squares += (D(k, k, i, j) - D(k, i, k, j)) * v[k] * v[k];
        }
        for k in j + 1..n {
            squares += (D(i, j, k, k) - D(j, i, k, k)) * v[k] * v[k];
        }
        pairs * T::constant(2.0) + squares
    }

    /// The velocity part of `C_ij` for i > j.
    fn beyond(&self, linear: &LinearChainModel<T>, v: &[T], i: usize, j: usize) -> T {
        let n = linear.n;
        let D = |i, j, k, s| self.fourth(linear, [i, j, k, s]);
        let (mut pairs, mut squares) = (T::zero(), T::zero());
        for k in 0..j {
            for s in k + 1..=j {
                pairs += (D(k, s, j, i) - D(s, j, k, i)) * v[k] * v[s];
            }
            for s in j + 1..i {
                pairs += (D(k, s, j, i) - D(j, s, k, i)) * v[k] * v[s];
            }
            for s in i + 1..n {
                pairs += (D(j, i, k, s) - D(k, i, j, s)) * v[k] * v[s];
            }
            squares += (D(k, k, j, i) - D(k, j, k, i)) * v[k] * v[k];
        }
        pairs * T::constant(2.0) + squares
    }
}
