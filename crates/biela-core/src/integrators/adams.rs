//! Adams formulas on a nonuniform mesh by modified divided differences (F. T. Krogh; L. F. Shampine, M. K. Gordon, *Computer Solution
//! of Ordinary Differential Equations*, 1975).
//!
//! With `ψ_0 = 0`, `ψ_i = t_n − t_(n−i)`, `φ_1 = F_n` and `φ_(i+1) = ψ_1 … ψ_i F[t_n, …, t_(n−i)]`, the polynomial through F
//! at the k newest nodes is, in Newton's form,
//!
//! ```text
//! P(t_n + x) = Σ ρ_i φ_i      ρ_1 = 1    ρ_(i+1) = ρ_i (x + ψ_(i−1)) / ψ_i
//! ∫₀ˣ P      = x Σ g_i φ_i    g_i = w_i1  w_1q = 1/q  w_(i+1)q = (w_iq (x + ψ_(i−1)) − x w_i(q+1)) / ψ_i
//! ```
//!
//! Every factor is a ratio of times, so small steps cause no cancellation.

use crate::keep::keeps;

/// The highest order of a predictor.
pub(super) const MAX_ORDER: usize = 12;
const LEN: usize = MAX_ORDER + 2;

/// Multipliers g and ρ of the differences at some x.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamsWeights {
    pub(super) integral: [f64; LEN],
    pub(super) value: [f64; LEN],
}

/// The modified divided differences of the newest values of F.
#[derive(Clone, Debug)]
pub(super) struct DividedDifferences {
    phi: Vec<Vec<f64>>,
    psi: [f64; LEN],
    known: usize,
}

keeps!(DividedDifferences: phi, psi, known => |differences| differences.known <= differences.phi.len());

impl DividedDifferences {
    /// Creates buffers for predictors up to an order, of `len` unknowns.
    pub(super) fn new(order: usize, len: usize) -> Self {
        let mut made = DividedDifferences {
            phi: vec![vec![0.0; len]; order.min(MAX_ORDER) + 2],
            psi: [0.0; LEN],
            known: 0,
        };
        made.clear();
        made
    }

    /// Discards all values. The nodes before the first value are assumed one second apart. Weights that involve them are used only in the
    /// quotient g/ρ, from which the spacing cancels.
    pub(super) fn clear(&mut self) {
        self.known = 0;
        self.psi = std::array::from_fn(|i| (i + 1) as f64);
    }

    /// Number of known values of F.
    pub(super) fn known(&self) -> usize {
        self.known
    }

    /// Returns `φ_(i+1)`.
    pub(super) fn phi(&self, i: usize) -> &[f64] {
        &self.phi[i]
    }

    /// Returns `t_n + x − t_(n−i)`.
    pub(super) fn distance(&self, i: usize, x: f64) -> f64 {
        if i == 0 { x } else { x + self.psi[i - 1] }
    }

    /// Returns the multipliers at a time x after the newest node.
    pub(super) fn weights(&self, x: f64) -> AdamsWeights {
        let mut w: [f64; LEN] = std::array::from_fn(|i| 1.0 / (i + 1) as f64);
        let mut weights = AdamsWeights {
            integral: [1.0; LEN],
            value: [1.0; LEN],
        };
        for i in 1..LEN {
            let (gamma, eta) = (
                self.distance(i - 1, x) / self.psi[i - 1],
                x / self.psi[i - 1],
            );
            for q in 0..LEN - i {
                w[q] = gamma * w[q] - eta * w[q + 1];
            }
            weights.integral[i] = w[0];
            weights.value[i] = gamma * weights.value[i - 1];
        }
        weights
    }

    /// Adds F at a node a time `h` after the newest.
    pub(super) fn push(&mut self, h: f64, f: &[f64]) {
        let beta = self.weights(h).value;
        let rows = (self.known + 1).min(self.phi.len());
        for (column, f) in f.iter().enumerate() {
            let mut difference = *f;
            for (phi, beta) in self.phi[..rows].iter_mut().zip(&beta) {
                let old = std::mem::replace(&mut phi[column], difference);
                difference -= beta * old;
            }
        }
        if self.known > 0 {
            for i in (1..LEN).rev() {
                self.psi[i] = h + self.psi[i - 1];
            }
            self.psi[0] = h;
        }
        self.known = rows;
    }

    /// Replaces the newest value of F: all differences change by the same amount.
    pub(super) fn revise(&mut self, f: &[f64]) {
        for (column, f) in f.iter().enumerate() {
            let change = f - self.phi[0][column];
            for phi in &mut self.phi[..self.known] {
                phi[column] += change;
            }
        }
    }

    /// `out += x Σ g_i φ_i` over the first `count` differences.
    pub(super) fn integrate(&self, x: f64, weights: &AdamsWeights, count: usize, out: &mut [f64]) {
        for (g, phi) in weights.integral.iter().zip(&self.phi[..count]) {
            for (out, phi) in out.iter_mut().zip(phi) {
                *out += x * g * phi;
            }
        }
    }
}

/// `|γ*_k|`: the error of the Adams-Moulton formula of order k on a uniform mesh is `γ*_k h φ_(k+1)`.
pub(super) const MOULTON: [f64; LEN] = {
    let mut gamma = [1.0; LEN];
    let mut m = 1;
    while m < LEN {
        let (mut sum, mut j) = (0.0, 0);
        while j < m {
            // γ*_0 is 1, the others are negative
            let sign = if j == 0 { 1.0 } else { -1.0 };
            sum += sign * gamma[j] / (m + 1 - j) as f64;
            j += 1;
        }
        gamma[m] = sum;
        m += 1;
    }
    gamma
};

#[cfg(test)]
mod tests {
    use super::{DividedDifferences, MAX_ORDER, MOULTON};
    use crate::math::Random;

    const AB10: [f64; 10] = [
        30_277_247.0,
        -104_995_189.0,
        265_932_680.0,
        -454_661_776.0,
        538_363_838.0,
        -444_772_162.0,
        252_618_224.0,
        -94_307_320.0,
        20_884_811.0,
        -2_082_753.0,
    ];
    const AM11: [f64; 11] = [
        134_211_265.0,
        656_185_652.0,
        -890_175_549.0,
        1_446_205_080.0,
        -1_823_311_566.0,
        1_710_774_528.0,
        -1_170_597_042.0,
        567_450_984.0,
        -184_776_195.0,
        36_284_876.0,
        -3_250_433.0,
    ];

    /// Increments divided by h of the predictor and corrector of order (k, k + 1), for a given F at the new node.
    fn increments(table: &DividedDifferences, k: usize, h: f64, f: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let weights = table.weights(h);
        let mut predicted = vec![0.0; f.len()];
        table.integrate(h, &weights, k, &mut predicted);
        let g = weights.integral[k] / weights.value[k];
        let corrected = (0..f.len()).map(|i| {
            let expected: f64 = (0..k).map(|j| weights.value[j] * table.phi(j)[i]).sum();
            (predicted[i] + h * g * (f[i] - expected)) / h
        });
        let corrected = corrected.collect();
        (predicted.iter().map(|p| p / h).collect(), corrected)
    }

    /// Unit vectors as values of F give the coefficients: entry m belongs to the m-th newest value.
    #[test]
    fn on_a_uniform_mesh_the_coefficients_are_those_of_adams() {
        let h = 0.37;
        let unit =
            |m: usize| -> Vec<f64> { (0..11).map(|i| f64::from(u8::from(i == m))).collect() };
        let mut table = DividedDifferences::new(10, 11);
        for m in (1..=10).rev() {
            table.push(h, &unit(m));
        }
        let (bashforth, moulton) = increments(&table, 10, h, &unit(0));
        for m in 0..10 {
            assert!((bashforth[m + 1] - AB10[m] / 7_257_600.0).abs() < 1e-12);
        }
        for m in 0..11 {
            assert!((moulton[m] - AM11[m] / 479_001_600.0).abs() < 1e-12);
        }
    }

    #[test]
    fn error_constants_are_those_of_adams() {
        assert!((MOULTON[11] - 4671.0 / 788_480.0).abs() < 1e-15);
        assert!((MOULTON[4] - 19.0 / 720.0).abs() < 1e-15);
        let mut table = DividedDifferences::new(10, 1);
        for _ in 0..11 {
            table.push(1.0, &[0.0]);
        }
        // the error constant of AB10 is the next weight of the predictor
        let weights = table.weights(1.0);
        assert!((weights.integral[10] - 26_842_253.0 / 95_800_320.0).abs() < 1e-13);
    }

    #[test]
    fn polynomials_are_integrated_exactly_on_any_mesh() {
        let mut random = Random::new(5);
        for k in 1..=MAX_ORDER {
            for _ in 0..10 {
                let steps: Vec<f64> = (0..k).map(|_| random.between(0.1, 0.2)).collect();
                // node times; the new node is at 0
                let behind = |m: usize| -steps[m..].iter().sum::<f64>();
                let powers = |t: f64| (0..=k as i32).map(|p| t.powi(p)).collect::<Vec<f64>>();
                let mut table = DividedDifferences::new(k, k + 1);
                for m in 0..k {
                    table.push(if m == 0 { 0.0 } else { steps[m - 1] }, &powers(behind(m)));
                }
                let h = steps[k - 1];
                let (predicted, corrected) = increments(&table, k, h, &powers(0.0));
                for p in 0..=k {
                    let n = p as i32 + 1;
                    let exact = -(-h).powi(n) / f64::from(n) / h;
                    // the predictor is exact to degree k − 1, the corrector to degree k
                    if p < k {
                        assert!((predicted[p] - exact).abs() < 1e-11, "AB{k} degree {p}");
                    } else {
                        assert!((predicted[p] - exact).abs() > 1e-13, "AB{k} degree {p}");
                    }
                    assert!(
                        (corrected[p] - exact).abs() < 1e-12,
                        "AM{} degree {p}",
                        k + 1
                    );
                }
            }
        }
    }

    #[test]
    fn a_revised_value_equals_one_pushed_at_first() {
        let mut random = Random::new(9);
        let (mut once, mut revised) =
            (DividedDifferences::new(6, 1), DividedDifferences::new(6, 1));
        for _ in 0..9 {
            let (h, f) = (random.between(0.5, 1.5), random.symmetric(1.0));
            once.push(h, &[f]);
            revised.push(h, &[f + 0.3]);
            revised.revise(&[f]);
        }
        for i in 0..8 {
            assert!((once.phi(i)[0] - revised.phi(i)[0]).abs() < 1e-12);
        }
    }
}
