//! Stretch and material curvature: the beam of Bernoulli and Euler without any assumption on size.
//!
//! ```text
//! ε = |r'| − 1        κ = r' × r'' / |r'|²  =  dθ/dx
//! ```
//!
//! κ is the turn of the section by **material** length, so that a pure stretch needs no moment and a moment 2πEI/L closes a circle
//! whatever EA is (J. Gerstmayr, H. Irschik, *Journal of Sound and Vibration* 318 (2008) 461-487).

use super::strain::{BEND, Local, Measure, SLOPE, Strain, cross, dot};
use super::{ElementInfo, ElementKind};

/// The element.
#[derive(Debug)]
pub(super) struct Cable;

impl ElementKind for Cable {
    fn info(&self) -> ElementInfo {
        ElementInfo {
            name: "cable",
            summary: "stretch and material curvature, exact at any size of displacement",
            points: [3, 3],
            components: 1,
            curved: true,
        }
    }

    fn measure(&self, which: Measure, z: &Local, second: bool, out: &mut Strain) {
        let (p, s) = (z.slope, z.bend);
        let n = dot(p, p);
        match which {
            Measure::Axial => {
                let length = n.sqrt();
                let t = [p[0] / length, p[1] / length];
                out.value = length - 1.0;
                out.set_gradient(SLOPE, t);
                if second {
                    let entry =
                        |i: usize, j: usize| (f64::from(u8::from(i == j)) - t[i] * t[j]) / length;
                    out.set_block(SLOPE, SLOPE, [0, 1].map(|i| [0, 1].map(|j| entry(i, j))));
                }
            }
            Measure::Bending(_) => {
                let c = cross(p, s);
                // derivatives of p × s by p and by s
                let (u, w) = ([s[1], -s[0]], [-p[1], p[0]]);
                out.value = c / n;
                out.set_gradient(SLOPE, [0, 1].map(|i| (u[i] - 2.0 * c * p[i] / n) / n));
                out.set_gradient(BEND, [0, 1].map(|i| w[i] / n));
                if second {
                    let entry = |i: usize, j: usize| {
                        let unit = f64::from(u8::from(i == j));
                        (-2.0 * (u[i] * p[j] + p[i] * u[j] + c * unit) + 8.0 * c * p[i] * p[j] / n)
                            / (n * n)
                    };
                    out.set_block(SLOPE, SLOPE, [0, 1].map(|i| [0, 1].map(|j| entry(i, j))));
                    let turn = [[0.0, 1.0], [-1.0, 0.0]];
                    let mixed = |i: usize, j: usize| (turn[i][j] - 2.0 * p[i] * w[j] / n) / n;
                    out.set_block(SLOPE, BEND, [0, 1].map(|i| [0, 1].map(|j| mixed(i, j))));
                }
            }
        }
    }
}
