//! Green-Lagrange stretch and the bend of the centreline, "formulation 2".
//!
//! ```text
//! ε = ½ (r'·r' − 1)        κ² = r''·r''
//! ```
//!
//! Forces are polynomials of the node coordinates and 5 and 2 Gauss points integrate them exactly (M. Berzeri, A. A. Shabana, *Journal of
//! Sound and Vibration* 235 (2000) 539-565). `|r''|` is the curvature only where `|r'| = 1`: use it for small strains.

use super::strain::{BEND, Local, Measure, SLOPE, Strain, dot};
use super::{ElementInfo, ElementKind};

/// The element.
#[derive(Debug)]
pub(super) struct GreenLagrange;

const UNIT: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];

impl ElementKind for GreenLagrange {
    fn info(&self) -> ElementInfo {
        ElementInfo {
            name: "green-lagrange",
            summary: "Green-Lagrange stretch and second derivative, for small strains; straight beams",
            points: [5, 2],
            components: 2,
            // r'' has no meaning of its own in axes that turn, so that no bend can be taken off it
            curved: false,
        }
    }

    fn measure(&self, which: Measure, z: &Local, second: bool, out: &mut Strain) {
        match which {
            Measure::Axial => {
                out.value = 0.5 * (dot(z.slope, z.slope) - 1.0);
                out.set_gradient(SLOPE, z.slope);
                if second {
                    out.set_block(SLOPE, SLOPE, UNIT);
                }
            }
            Measure::Bending(axis) => {
                let axis = axis.min(1);
                out.value = z.bend[axis];
                out.set_gradient(BEND, UNIT[axis]);
            }
        }
    }
}
