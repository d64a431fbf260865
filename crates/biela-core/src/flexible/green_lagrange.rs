//! Green–Lagrange strain and the second derivative of the centreline, "formulation 2".
//!
//! ```text
//! ε = ½ (r'·r' − 1)        κ² = r''·r''
//! ```
//!
//! Forces are polynomials in the nodal coordinates; 5 and 2 Gauss points integrate them exactly (M. Berzeri, A. A. Shabana, *Journal of
//! Sound and Vibration* 235 (2000) 539-565). `|r''|` equals the curvature only if `|r'| = 1`: use it for small strains. The formulation is the same in
//! space, without torsion.

use super::ElementKind;
use super::strain::{
    BEND, LocalDerivatives, SLOPE, Strain, StrainKind, StrainMeasures, dot, square, unit,
};
use crate::element::Info;

/// The element formulation.
#[derive(Debug)]
pub(super) struct GreenLagrange;

impl ElementKind for GreenLagrange {
    fn info(&self) -> Info {
        Info::table(
            "green-lagrange",
            "Green-Lagrange strain and second derivative of the centreline, for small strains; straight beams",
            &[],
        )
    }

    fn points(&self) -> [usize; 2] {
        [5, 2]
    }

    fn plane(&self) -> &'static dyn StrainMeasures<2> {
        &GreenLagrange
    }

    fn space(&self) -> Option<&'static dyn StrainMeasures<3>> {
        Some(&GreenLagrange)
    }
}

impl<const D: usize> StrainMeasures<D> for GreenLagrange {
    fn components(&self) -> usize {
        D
    }

    fn curved(&self) -> bool {
        // the components of r'' are in ground axes, so an unstressed curvature cannot be subtracted
        false
    }

    fn damps_bending(&self) -> bool {
        // r'' rotates with the beam, so its time derivative is not a rate of bending
        false
    }

    #[inline]
    fn measure(
        &self,
        which: StrainKind,
        z: &LocalDerivatives<D>,
        second: bool,
        out: &mut Strain<D>,
    ) {
        match which {
            StrainKind::Axial => {
                out.value = 0.5 * (dot(z.slope, z.slope) - 1.0);
                out.gradient[SLOPE] = z.slope;
                if second {
                    out.set_block(SLOPE, SLOPE, square(unit));
                }
            }
            StrainKind::Bending(axis) => {
                let axis = axis.min(D - 1);
                out.value = z.bend[axis];
                out.gradient[BEND][axis] = 1.0;
            }
        }
    }
}
