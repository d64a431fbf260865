//! Energy, force and tangent of an element as sums over its Gauss points:
//!
//! ```text
//! Q = Σ w (s + τ ṡ) ∂s        ∂Q/∂e = Σ w [(s + τ ṡ) ∂²s + ∂s ∂sᵀ + τ ∂s (∂²s ė)ᵀ]        ∂Q/∂ė = Σ w τ ∂s ∂sᵀ
//! ```
//!
//! s is a strain relative to the unstressed shape, w its stiffness times weight and length. The sums are generic over the element formulation, so that
//! the compiler can inline its strains.

use super::hermite;
use super::strain::{LocalDerivatives, Strain, StrainKind, StrainMeasures};

/// A strain at a Gauss point.
#[derive(Clone, Debug)]
pub struct GaussStrain {
    pub(super) which: StrainKind,
    /// Stiffness times weight times length.
    pub(super) weight: f64,
    /// The strain of the unstressed shape.
    pub(super) reference: f64,
    /// τ.
    pub(super) damping: f64,
    /// Coefficients of slope and second derivative.
    pub(super) rows: [[f64; 4]; 2],
}

/// Slope, second derivative and chord, from the coefficients of the first two and the nodal coordinates.
#[inline]
pub(super) fn local<const D: usize>(rows: &[[f64; 4]; 2], e: &[f64]) -> LocalDerivatives<D> {
    LocalDerivatives {
        slope: hermite::combine(&rows[0], e),
        bend: hermite::combine(&rows[1], e),
        chord: hermite::combine(&CHORD, e),
    }
}

/// Coefficients of the chord.
const CHORD: [f64; 4] = [-1.0, 0.0, 1.0, 0.0];

/// A gradient times a direction.
#[inline]
pub(super) fn along<const D: usize>(gradient: &[[f64; D]; 3], z: &LocalDerivatives<D>) -> f64 {
    let mut sum = 0.0;
    for (part, by) in [z.slope, z.bend, z.chord].iter().zip(gradient) {
        for (x, g) in part.iter().zip(by) {
            sum += g * x;
        }
    }
    sum
}

impl GaussStrain {
    // a call would copy the second derivatives even if they are not needed
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn measure<const D: usize, K: StrainMeasures<D> + ?Sized>(
        &self,
        kind: &K,
        e: &[f64],
        second: bool,
    ) -> Strain<D> {
        let mut strain = Strain::zero();
        kind.measure(self.which, &local(&self.rows, e), second, &mut strain);
        strain.value -= self.reference;
        strain
    }

    /// Coefficients of the parts of z on which the strains depend.
    #[inline]
    fn parts<const D: usize, K: StrainMeasures<D> + ?Sized>(
        &self,
        kind: &K,
    ) -> ([&[f64; 4]; 3], usize) {
        let count = if kind.uses_chord() { 3 } else { 2 };
        ([&self.rows[0], &self.rows[1], &CHORD], count)
    }
}

/// `Σ ½ w s²`.
#[inline]
pub(super) fn energy<const D: usize, K: StrainMeasures<D> + ?Sized>(
    kind: &K,
    points: &[GaussStrain],
    e: &[f64],
) -> f64 {
    let of = |point: &GaussStrain| {
        let strain = point.measure(kind, e, false).value;
        0.5 * point.weight * strain * strain
    };
    points.iter().map(of).sum()
}

/// Adds Q times `sign`; returns the power of the damping.
#[inline]
pub(super) fn add_force<const D: usize, K: StrainMeasures<D> + ?Sized>(
    kind: &K,
    points: &[GaussStrain],
    e: &[f64],
    rates: &[f64],
    sign: f64,
    out: &mut [f64],
) -> f64 {
    let mut power = 0.0;
    let mut sum = [[0.0; D]; 4];
    for point in points {
        let tau = point.damping;
        let strain = point.measure(kind, e, false);
        let mut stress = strain.value;
        if tau != 0.0 {
            let rate = along(&strain.gradient, &local(&point.rows, rates));
            stress += tau * rate;
            power -= point.weight * tau * rate * rate;
        }
        let scale = sign * point.weight * stress;
        let (rows, count) = point.parts(kind);
        for (row, by) in rows.iter().zip(&strain.gradient).take(count) {
            let by = by.map(|x| scale * x);
            for (sum, factor) in sum.iter_mut().zip(*row) {
                for (x, by) in sum.iter_mut().zip(&by) {
                    *x += factor * by;
                }
            }
        }
    }
    for (x, value) in out.iter_mut().zip(sum.as_flattened()) {
        *x += value;
    }
    power
}

/// Entries by coefficient and axis of the row, then of the column: the rows of an element matrix in order.
type ElementMatrix<const D: usize> = [[[[f64; D]; 4]; D]; 4];

/// Adds the lower triangle of the symmetric part of the tangent `k ∂Q/∂e + c ∂Q/∂ė`, row by row; entries above the diagonal blocks are unchanged.
#[inline]
pub(super) fn add_tangent<const D: usize, K: StrainMeasures<D> + ?Sized>(
    kind: &K,
    points: &[GaussStrain],
    e: &[f64],
    rates: &[f64],
    (k, c): (f64, f64),
    out: &mut [f64],
) {
    let mut sum: ElementMatrix<D> = [[[[0.0; D]; 4]; D]; 4];
    for point in points {
        let tau = point.damping;
        let strain = point.measure(kind, e, true);
        let g = &strain.gradient;
        let mut stress = strain.value;
        // ∂²s ė, for each part and axis
        let mut turn = [[0.0; D]; 3];
        if tau != 0.0 {
            let z = local(&point.rows, rates);
            stress += tau * along(g, &z);
            let velocity = [z.slope, z.bend, z.chord];
            for (part, turn) in turn.iter_mut().enumerate() {
                for (axis, turn) in turn.iter_mut().enumerate() {
                    for (block, velocity) in strain.hessian[part].iter().zip(&velocity) {
                        for (x, v) in block[axis].iter().zip(velocity) {
                            *turn += x * v;
                        }
                    }
                    *turn *= tau;
                }
            }
        }
        let (rows, count) = point.parts(kind);
        // by part and axis of the row, then of the column
        let mut matrix = [[[[0.0; D]; 3]; D]; 3];
        for (p, lines) in matrix.iter_mut().enumerate().take(count) {
            for (i, line) in lines.iter_mut().enumerate() {
                for (q, entries) in line.iter_mut().enumerate().take(count) {
                    for (j, entry) in entries.iter_mut().enumerate() {
                        let (gi, gj) = (g[p][i], g[q][j]);
                        let stiff = stress * strain.hessian[p][q][i][j]
                            + gi * gj
                            + 0.5 * (gi * turn[q][j] + turn[p][i] * gj);
                        *entry = point.weight * (k * stiff + c * tau * gi * gj);
                    }
                }
            }
        }
        for (n, lines) in sum.iter_mut().enumerate() {
            for (i, line) in lines.iter_mut().enumerate() {
                // intermediate product: coordinates of the element by z
                let mut half = [[0.0; D]; 3];
                for (part, row) in rows.iter().enumerate().take(count) {
                    for (half, entries) in half.iter_mut().zip(&matrix[part][i]).take(count) {
                        for (x, entry) in half.iter_mut().zip(entries) {
                            *x += row[n] * entry;
                        }
                    }
                }
                for (m, entries) in line.iter_mut().enumerate().take(n + 1) {
                    for (row, half) in rows.iter().zip(&half).take(count) {
                        for (x, half) in entries.iter_mut().zip(half) {
                            *x += row[m] * half;
                        }
                    }
                }
            }
        }
    }
    let sum = sum.as_flattened().as_flattened().as_flattened();
    for (x, value) in out.iter_mut().zip(sum) {
        *x += value;
    }
}
