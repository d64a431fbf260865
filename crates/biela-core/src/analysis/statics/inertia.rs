//! The softest mode of a large model, by Sylvester's law of inertia.
//!
//! ```text
//! ⎡ K − σM   Gᵀ ⎤
//! ⎣ G        0  ⎦  has as many negative pivots as G has independent rows plus the number of ω² < σ on the free motions
//! ```
//!
//! A sparse factorisation for each shift σ counts the eigenvalues below it; bisection finds the smallest, and inverse iteration its mode shape. The tangents
//! must be exact: finite differences would require as many evaluations as there are coordinates.

use super::rest::Rest;
use crate::math::dense::dot;
use crate::math::{Kkt, Random, RowOrder};
use crate::system::row_groups;

/// Largest number of factorisations, which determine the smallest eigenvalue to four digits over twenty decades.
const BISECTIONS: usize = 60;
/// Number of inverse iterations, each of which amplifies the softest mode by the ratio of two eigenvalues or more.
const ITERATIONS: usize = 30;

/// K, M and G at an evaluated state.
pub(super) struct StiffnessPencil {
    kkt: Kkt,
    stiffness: Vec<f64>,
    mass: Vec<f64>,
    skew: Vec<f64>,
    /// Zeros: the signs of pivots belong to the symmetric part.
    no_skew: Vec<f64>,
    shifted: Vec<f64>,
    jacobian: Vec<f64>,
}

impl StiffnessPencil {
    /// Creates it; `None` unless all tangents are exact.
    pub(super) fn new(rest: &mut Rest<'_>) -> Option<Self> {
        let system = rest.system;
        let reads_motion = |law: &&crate::model::Law| !law.inputs().is_empty();
        let mut laws = system.model().forces.iter().flat_map(|f| f.force.laws());
        if !system.has_analytic_tangent() || laws.any(|law| reads_motion(&law)) {
            return None;
        }
        let pattern = system.tangent_pattern();
        let entries = pattern.entries.len();
        let kkt = Kkt::new(
            system.sizes().velocities,
            pattern,
            system.jacobian_pattern(),
            &row_groups(system),
            RowOrder::LeastFill,
        );
        let mut made = StiffnessPencil {
            kkt: kkt.with_unsymmetric(),
            stiffness: vec![0.0; entries],
            mass: vec![0.0; entries],
            skew: vec![0.0; entries],
            no_skew: vec![0.0; entries],
            shifted: vec![0.0; entries],
            jacobian: rest.jacobian().to_vec(),
        };
        let (ws, multipliers) = (&mut rest.ws, &rest.multipliers);
        system.tangent(ws, multipliers, 0.0, 0.0, &mut made.mass);
        let skew = Some(made.skew.as_mut_slice());
        system.full_tangent(ws, multipliers, (1.0, 0.0), &mut made.stiffness, skew);
        for (k, m) in made.stiffness.iter_mut().zip(&made.mass) {
            *k -= m;
        }
        Some(made)
    }

    /// Returns the largest entry of the skew-symmetric part of K, relative to its largest entry.
    pub(super) fn asymmetry(&self) -> f64 {
        let largest = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        largest(&self.skew) / largest(&self.stiffness).max(f64::MIN_POSITIVE)
    }

    fn shift(&mut self, sigma: f64) {
        for (out, (k, m)) in self
            .shifted
            .iter_mut()
            .zip(self.stiffness.iter().zip(&self.mass))
        {
            *out = k - sigma * m;
        }
        self.kkt
            .factor_unsymmetric(&self.shifted, &self.no_skew, &self.jacobian);
    }

    /// Returns the number of ω² below σ.
    pub(super) fn below(&mut self, sigma: f64) -> usize {
        self.shift(sigma);
        let rows = self.kkt.squared_lengths().len() - self.kkt.num_dependent();
        self.kkt.num_negative().saturating_sub(rows)
    }

    /// Returns the smallest ω², known to lie within ± `most`; magnitudes below `least` are treated as zero.
    pub(super) fn smallest(&mut self, least: f64, most: f64) -> f64 {
        let sign = if self.below(-least) > 0 {
            -1.0
        } else if self.below(least) > 0 {
            return 0.0;
        } else {
            1.0
        };
        // bisection of logarithms: magnitudes between `small`, on the side of zero, and `large`
        let (mut small, mut large) = (least, most);
        for _ in 0..BISECTIONS {
            if large <= small * (1.0 + 1e-4) {
                break;
            }
            let middle = (small * large).sqrt();
            let is_beyond = (self.below(sign * middle) > 0) == (sign < 0.0);
            if is_beyond {
                small = middle;
            } else {
                large = middle;
            }
        }
        sign * (small * large).sqrt()
    }

    /// Returns the mode shape of an eigenvalue, and the eigenvalue to more digits.
    pub(super) fn motion(&mut self, value: f64, fastest: f64) -> (Vec<f64>, f64) {
        let n = self.kkt.num_velocities();
        let mut random = Random::new(11);
        let mut x: Vec<f64> = (0..n).map(|_| random.symmetric(1.0)).collect();
        let mut rows = vec![0.0; self.kkt.squared_lengths().len()];
        let beside = value - 1e-3 * value.abs().max(1e-12 * fastest);
        self.shift(beside);
        let mut found = value;
        for _ in 0..ITERATIONS {
            let mut heavy = vec![0.0; n];
            let pattern = self.kkt.mass_pattern();
            pattern.add_product(&self.mass, &x, &mut heavy);
            rows.fill(0.0);
            self.kkt.solve_once(&mut heavy, &mut rows);
            let pattern = self.kkt.mass_pattern();
            let size = pattern.quadratic(&self.mass, &heavy).abs().sqrt();
            if !(size > 0.0 && size.is_finite()) {
                break;
            }
            x = heavy.iter().map(|x| x / size).collect();
            let mut bent = vec![0.0; n];
            pattern.add_product(&self.stiffness, &x, &mut bent);
            found = dot(&x, &bent);
        }
        (x, found)
    }
}
