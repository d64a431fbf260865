//! Optimal gains of linear models: the stabilising solutions of both algebraic Riccati equations, by doubling.
//!
//! ```text
//! discrete     X = Aᵀ X (1 + G X)⁻¹ A + H               G = B R⁻¹ Bᵀ,  H = Q
//! continuous   Aᵀ X + X A − X G X + H = 0
//! ```
//!
//! One step of the structure-preserving doubling algorithm squares the closed-loop matrix, and therefore the error:
//!
//! ```text
//! A ← A W A      G ← G + A W G Aᵀ      H ← H + Aᵀ H W A      W = (1 + G H)⁻¹      H → X
//! ```
//!
//! (E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, C.-S. Wang, *International Journal of Control* 77 (2004) 767-788.) The continuous equation is transformed
//! to this form by a Cayley transform (E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, *Linear Algebra and its Applications* 396 (2005)
//! 55-80).

use super::{Matrix, spectrum};

/// The reason why there is no optimal gain.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RiccatiError {
    /// The dimensions of the matrices are inconsistent, or entries are not finite.
    Shape,
    /// The weights of the inputs are not symmetric and positive definite.
    InputWeights,
    /// No feedback stabilises the model: an unstable mode is uncontrollable, or unweighted by Q.
    NotStabilizable,
}

impl std::fmt::Display for RiccatiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RiccatiError::Shape => "the dimensions of the matrices are inconsistent, or an entry is not finite",
            RiccatiError::InputWeights => "the input weight R must be positive definite",
            RiccatiError::NotStabilizable => {
                "there is no stabilising solution: an unstable mode is uncontrollable, or unweighted by Q"
            }
        })
    }
}

crate::readable_errors!(RiccatiError);

/// A linear model `ẋ = A x + B u`, or `x⁺ = A x + B u`, with the cost `xᵀ Q x + uᵀ R u`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearQuadratic {
    /// A.
    pub a: Matrix,
    /// B.
    pub b: Matrix,
    /// Q.
    pub q: Matrix,
    /// R.
    pub r: Matrix,
}

/// The optimal feedback `u = −K x`.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimalGain {
    /// K.
    pub gain: Matrix,
    /// X: `xᵀ X x` is the optimal remaining cost from the state x.
    pub cost: Matrix,
}

/// Largest number of doubling steps; each squares the error, so that few are needed if a solution exists.
const MOST_DOUBLINGS: usize = 60;

impl LinearQuadratic {
    /// Returns the model discretised with zero-order hold: `e^(A h)` and `∫₀ʰ e^(A s) B ds`.
    #[must_use]
    pub fn sampled(&self, period: f64) -> LinearQuadratic {
        let (n, m) = self.b.shape();
        let mut both = Matrix::zeros(n + m, n + m);
        both.view_mut((0, 0), (n, n)).copy_from(&(&self.a * period));
        both.view_mut((0, n), (n, m)).copy_from(&(&self.b * period));
        let both = both.exp();
        LinearQuadratic {
            a: both.view((0, 0), (n, n)).into_owned(),
            b: both.view((0, n), (n, m)).into_owned(),
            ..self.clone()
        }
    }

    /// Returns the optimal feedback of a discrete-time model.
    pub fn discrete(&self) -> Result<OptimalGain, RiccatiError> {
        let g = self.input_reach()?;
        let cost = doubled(self.a.clone(), g, self.q.clone())?;
        let xb = self.b.tr_mul(&cost);
        let weight = &self.r + &xb * &self.b;
        let gain = weight
            .cholesky()
            .ok_or(RiccatiError::NotStabilizable)?
            .solve(&(&xb * &self.a));
        self.checked(gain, cost, |value| value.norm() < 1.0)
    }

    /// Returns the optimal feedback of a continuous-time model.
    pub fn continuous(&self) -> Result<OptimalGain, RiccatiError> {
        let g = self.input_reach()?;
        let n = self.a.nrows();
        // any shift that is not an eigenvalue is valid; one of the magnitude of the model loses the fewest digits
        let size = self.a.norm() + (g.norm() * self.q.norm()).sqrt();
        let shift = if size > 0.0 { size } else { 1.0 };
        let shifted = &self.a - Matrix::identity(n, n) * shift;
        let inverse = shifted
            .clone()
            .try_inverse()
            .ok_or(RiccatiError::NotStabilizable)?;
        let w = (&shifted + &g * inverse.transpose() * &self.q)
            .try_inverse()
            .ok_or(RiccatiError::NotStabilizable)?;
        let a = Matrix::identity(n, n) + &w * (2.0 * shift);
        let g = &inverse * &g * w.transpose() * (2.0 * shift);
        let h = w.transpose() * &self.q * &inverse * (2.0 * shift);
        let cost = doubled(a, symmetric(&g), symmetric(&h))?;
        let gain = self
            .r
            .clone()
            .cholesky()
            .ok_or(RiccatiError::InputWeights)?
            .solve(&self.b.tr_mul(&cost));
        self.checked(gain, cost, |value| value.re < 0.0)
    }

    /// Returns G = B R⁻¹ Bᵀ after checking the matrices.
    fn input_reach(&self) -> Result<Matrix, RiccatiError> {
        let (n, m) = self.b.shape();
        let fits = self.a.shape() == (n, n) && self.q.shape() == (n, n) && self.r.shape() == (m, m);
        let mut all = [&self.a, &self.b, &self.q, &self.r].into_iter();
        if !fits || n == 0 || m == 0 || !all.all(|x| x.iter().all(|x| x.is_finite())) {
            return Err(RiccatiError::Shape);
        }
        let weights = self.r.clone().cholesky();
        let weights =
            weights.filter(|_| (&self.r - self.r.transpose()).norm() <= 1e-12 * self.r.norm());
        let solved = weights
            .ok_or(RiccatiError::InputWeights)?
            .solve(&self.b.transpose());
        Ok(symmetric(&(&self.b * solved)))
    }

    /// Returns the gain if every eigenvalue of the closed loop is stable.
    fn checked(
        &self,
        gain: Matrix,
        cost: Matrix,
        stable: impl Fn(super::Complex<f64>) -> bool,
    ) -> Result<OptimalGain, RiccatiError> {
        let closed = &self.a - &self.b * &gain;
        let exact = Matrix::zeros(closed.nrows(), closed.ncols());
        let values = spectrum(&closed, &exact).map_err(|_| RiccatiError::NotStabilizable)?;
        if values.values.into_iter().all(stable) {
            Ok(OptimalGain { gain, cost })
        } else {
            Err(RiccatiError::NotStabilizable)
        }
    }
}

/// Returns the limit of H under doubling.
fn doubled(mut a: Matrix, mut g: Matrix, mut h: Matrix) -> Result<Matrix, RiccatiError> {
    let n = a.nrows();
    for _ in 0..MOST_DOUBLINGS {
        let w = (Matrix::identity(n, n) + &g * &h)
            .try_inverse()
            .ok_or(RiccatiError::NotStabilizable)?;
        let wa = &w * &a;
        let more = symmetric(&(a.tr_mul(&h) * &wa));
        g = symmetric(&(&g + &a * &w * &g * a.transpose()));
        a = &a * &wa;
        h += &more;
        if !h.iter().all(|x| x.is_finite()) {
            return Err(RiccatiError::NotStabilizable);
        }
        if more.norm() <= 1e-17 * h.norm() {
            return Ok(h);
        }
    }
    Err(RiccatiError::NotStabilizable)
}

fn symmetric(x: &Matrix) -> Matrix {
    (x + x.transpose()) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn random_matrix(rows: usize, columns: usize, random: &mut Random) -> Matrix {
        Matrix::from_fn(rows, columns, |_, _| random.symmetric(1.0))
    }

    fn random_problem(random: &mut Random) -> LinearQuadratic {
        let n = 1 + random.below(7);
        let m = 1 + random.below(n);
        let c = random_matrix(n, n, random);
        let d = random_matrix(m, m, random);
        LinearQuadratic {
            a: random_matrix(n, n, random) * 3.0,
            b: random_matrix(n, m, random),
            q: c.tr_mul(&c) + Matrix::identity(n, n) * 1e-3,
            r: d.tr_mul(&d) + Matrix::identity(m, m) * 0.1,
        }
    }

    #[test]
    fn both_equations_hold_to_rounding() {
        let mut random = Random::new(11);
        for _ in 0..200 {
            let p = random_problem(&mut random);
            let OptimalGain { gain, cost } = p.continuous().unwrap();
            let xb = &cost * &p.b;
            let residual = p.a.tr_mul(&cost) + &cost * &p.a - &xb * &gain + &p.q;
            let size = p.q.norm() + 2.0 * (&cost * &p.a).norm() + (&xb * &gain).norm();
            assert!(
                residual.norm() < 1e-10 * size,
                "{:e}",
                residual.norm() / size
            );

            let s = p.sampled(0.05);
            let OptimalGain { gain, cost } = s.discrete().unwrap();
            let closed = &s.a - &s.b * &gain;
            let residual = s.a.tr_mul(&cost) * &closed + &s.q - &cost;
            assert!(
                residual.norm() < 1e-10 * (&s.q + &cost).norm(),
                "{:e}",
                residual.norm()
            );
        }
    }

    /// Double integrator with Q = diag(1, 0), R = 1: X = [[√2, 1], [1, √2]], K = [1, √2] (B. D. O. Anderson, J. B. Moore, *Optimal
    /// Control: Linear Quadratic Methods*, 1990).
    #[test]
    fn the_double_integrator_has_its_closed_form() {
        let p = LinearQuadratic {
            a: Matrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]),
            b: Matrix::from_row_slice(2, 1, &[0.0, 1.0]),
            q: Matrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]),
            r: Matrix::from_element(1, 1, 1.0),
        };
        let root = 2.0_f64.sqrt();
        let found = p.continuous().unwrap();
        let cost = Matrix::from_row_slice(2, 2, &[root, 1.0, 1.0, root]);
        let gain = Matrix::from_row_slice(1, 2, &[1.0, root]);
        assert!((found.cost - cost).norm() < 1e-13);
        assert!((found.gain - gain).norm() < 1e-13);
        // the sampled solution converges to it
        let fine = p.sampled(1e-5).discrete().unwrap();
        assert!((fine.gain[0] - 1.0).abs() < 1e-4 && (fine.gain[1] - root).abs() < 1e-4);
    }

    /// x⁺ = a x + u with unit weights: X is the root of X² − a² X − 1 = 0.
    #[test]
    fn a_sampled_scalar_model_has_its_closed_form() {
        for a in [0.0, 0.3, 1.0, 2.0, 40.0] {
            let one = Matrix::from_element(1, 1, 1.0);
            let p = LinearQuadratic {
                a: one.clone() * a,
                b: one.clone(),
                q: one.clone(),
                r: one,
            };
            let x = p.discrete().unwrap().cost[0];
            let exact = 0.5 * (a * a + (a.powi(4) + 4.0).sqrt());
            assert!((x - exact).abs() < 1e-12 * exact, "{x} {exact}");
        }
    }

    /// A mass on a spring sampled by its closed form: cosines and sines.
    #[test]
    fn held_inputs_are_sampled_exactly() {
        let (w, h) = (7.0_f64, 0.13);
        let p = LinearQuadratic {
            a: Matrix::from_row_slice(2, 2, &[0.0, 1.0, -w * w, 0.0]),
            b: Matrix::from_row_slice(2, 1, &[0.0, 1.0]),
            q: Matrix::identity(2, 2),
            r: Matrix::identity(1, 1),
        };
        let s = p.sampled(h);
        let (sin, cos) = (w * h).sin_cos();
        let a = Matrix::from_row_slice(2, 2, &[cos, sin / w, -w * sin, cos]);
        let b = Matrix::from_row_slice(2, 1, &[(1.0 - cos) / (w * w), sin / w]);
        assert!((s.a - a).norm() < 1e-13 && (s.b - b).norm() < 1e-13);
    }

    #[test]
    fn an_uncontrollable_unstable_mode_is_rejected() {
        let mut p = LinearQuadratic {
            a: Matrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, -1.0]),
            b: Matrix::from_row_slice(2, 1, &[0.0, 1.0]),
            q: Matrix::identity(2, 2),
            r: Matrix::identity(1, 1),
        };
        assert_eq!(p.continuous(), Err(RiccatiError::NotStabilizable));
        assert_eq!(
            p.sampled(0.1).discrete(),
            Err(RiccatiError::NotStabilizable)
        );
        p.r[(0, 0)] = -1.0;
        assert_eq!(p.continuous(), Err(RiccatiError::InputWeights));
        p.r = Matrix::identity(2, 2);
        assert_eq!(p.discrete(), Err(RiccatiError::Shape));
    }
}
