//! Stretch and material curvature: the Bernoulli–Euler beam for arbitrarily large displacements and rotations.
//!
//! ```text
//! ε = |r'| − 1        κ = r' × r'' / |r'|²        in the plane κ = dθ/dx
//! ```
//!
//! κ is the rotation of the section per unit of **material** length, so that a pure stretch causes no moment and a moment 2πEI/L bends a straight beam to
//! a circle for any EA (J. Gerstmayr, H. Irschik, *Journal of Sound and Vibration* 318 (2008) 461-487).
//!
//! In space κ is a vector and the energy ½ EI κ·κ is smooth for a straight cable. Bending is isotropic and there is no torsion
//! (J. Gerstmayr, A. A. Shabana, *Nonlinear Dynamics* 45 (2006) 109-130). The direction of an unstressed curvature is then undetermined, so a cable
//! in space is straight when unstressed. A rotating bend cannot be distinguished from one that travels around a cable at rest, so damping acts on the
//! stretch only.

use super::ElementKind;
use super::strain::{
    BEND, LocalDerivatives, SLOPE, Strain, StrainKind, StrainMeasures, dot, square, unit,
};
use crate::element::Info;

/// The element formulation.
#[derive(Debug)]
pub(super) struct Cable;

impl ElementKind for Cable {
    fn info(&self) -> Info {
        Info::table(
            "cable",
            "stretch and material curvature, exact for arbitrarily large displacements; in space without torsion",
            &[],
        )
    }

    fn points(&self) -> [usize; 2] {
        [3, 3]
    }

    fn plane(&self) -> &'static dyn StrainMeasures<2> {
        &Cable
    }

    fn space(&self) -> Option<&'static dyn StrainMeasures<3>> {
        Some(&Cable)
    }
}

impl StrainMeasures<2> for Cable {
    fn components(&self) -> usize {
        1
    }

    fn curved(&self) -> bool {
        true
    }

    fn damps_bending(&self) -> bool {
        true
    }

    #[inline]
    fn measure(
        &self,
        which: StrainKind,
        z: &LocalDerivatives<2>,
        second: bool,
        out: &mut Strain<2>,
    ) {
        let (p, s) = (z.slope, z.bend);
        match which {
            StrainKind::Axial => stretch(p, second, out),
            StrainKind::Bending(_) => Turn {
                value: p[0] * s[1] - p[1] * s[0],
                by_slope: [s[1], -s[0]],
                by_bend: [-p[1], p[0]],
                by_both: [[0.0, 1.0], [-1.0, 0.0]],
            }
            .curvature(p, second, out),
        }
    }
}

impl StrainMeasures<3> for Cable {
    fn components(&self) -> usize {
        3
    }

    fn curved(&self) -> bool {
        false
    }

    fn damps_bending(&self) -> bool {
        false
    }

    #[inline]
    fn measure(
        &self,
        which: StrainKind,
        z: &LocalDerivatives<3>,
        second: bool,
        out: &mut Strain<3>,
    ) {
        let (p, s) = (z.slope, z.bend);
        match which {
            StrainKind::Axial => stretch(p, second, out),
            StrainKind::Bending(axis) => {
                // the component along `axis`; `a` and `b` are the next two axes
                let axis = axis.min(2);
                let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
                let (mut by_slope, mut by_bend) = ([0.0; 3], [0.0; 3]);
                let mut by_both = [[0.0; 3]; 3];
                (by_slope[a], by_slope[b]) = (s[b], -s[a]);
                (by_bend[a], by_bend[b]) = (-p[b], p[a]);
                (by_both[a][b], by_both[b][a]) = (1.0, -1.0);
                let value = p[a] * s[b] - p[b] * s[a];
                let turn = Turn {
                    value,
                    by_slope,
                    by_bend,
                    by_both,
                };
                turn.curvature(p, second, out);
            }
        }
    }
}

/// `|r'| − 1`.
#[inline]
fn stretch<const D: usize>(p: [f64; D], second: bool, out: &mut Strain<D>) {
    let length = dot(p, p).sqrt();
    let t = p.map(|x| x / length);
    out.value = length - 1.0;
    out.gradient[SLOPE] = t;
    if second {
        let entry = |i: usize, j: usize| (unit(i, j) - t[i] * t[j]) / length;
        out.set_block(SLOPE, SLOPE, square(entry));
    }
}

/// A component of `r' × r''` with its derivatives.
struct Turn<const D: usize> {
    value: f64,
    by_slope: [f64; D],
    by_bend: [f64; D],
    by_both: [[f64; D]; D],
}

impl<const D: usize> Turn<D> {
    /// `r' × r'' / |r'|²`.
    #[inline]
    fn curvature(&self, p: [f64; D], second: bool, out: &mut Strain<D>) {
        let (c, u, w) = (self.value, self.by_slope, self.by_bend);
        let n = dot(p, p);
        out.value = c / n;
        out.gradient[SLOPE] = std::array::from_fn(|i| (u[i] - 2.0 * c * p[i] / n) / n);
        out.gradient[BEND] = w.map(|x| x / n);
        if second {
            let entry = |i: usize, j: usize| {
                (-2.0 * (u[i] * p[j] + p[i] * u[j] + c * unit(i, j)) + 8.0 * c * p[i] * p[j] / n)
                    / (n * n)
            };
            out.set_block(SLOPE, SLOPE, square(entry));
            let mixed = |i: usize, j: usize| (self.by_both[i][j] - 2.0 * p[i] * w[j] / n) / n;
            out.set_block(SLOPE, BEND, square(mixed));
        }
    }
}
