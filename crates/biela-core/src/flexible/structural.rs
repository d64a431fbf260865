//! Small strains against the chord, "formulation 1".
//!
//! ```text
//! i = d/|d|     j = k × i     d from the first node to the second
//! ε = r'·i − 1        κ = r''·j
//! ```
//!
//! Axial and bending strain of an element are those of linear theory in a corotational frame along its chord; the rotation within each element must be
//! small. The energy is `½ ∫ (EA ε² + EI κ²) dx`. κ is the curvature times the magnitude of the slopes at the nodes, which bending reduces by `5 EI κ²/EA`
//! for any element size, so strains must be small. Source: J. L. Escalona, H. A. Hussien, A. A. Shabana, *Journal of Sound and Vibration* 214
//! (1998) 833-851.

use super::ElementKind;
use super::strain::{
    BEND, CHORD, LocalDerivatives, SLOPE, Strain, StrainKind, StrainMeasures, dot, square, unit,
};
use crate::element::Info;

/// The element formulation.
#[derive(Debug)]
pub(super) struct Structural;

impl ElementKind for Structural {
    fn info(&self) -> Info {
        Info::table(
            "structural",
            "linear strains in a corotational frame along the chord of each element",
            &[],
        )
    }

    fn points(&self) -> [usize; 2] {
        [3, 2]
    }

    fn plane(&self) -> &'static dyn StrainMeasures<2> {
        &Structural
    }

    fn space(&self) -> Option<&'static dyn StrainMeasures<3>> {
        None
    }
}

impl StrainMeasures<2> for Structural {
    fn components(&self) -> usize {
        1
    }

    fn curved(&self) -> bool {
        true
    }

    fn damps_bending(&self) -> bool {
        true
    }

    fn uses_chord(&self) -> bool {
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
        // both are a·i with a linear in r' or r'': a·i, a = r'; and r''·j = a·i, a = (r''₂, −r''₁)
        let (a, at, map) = match which {
            StrainKind::Axial => (z.slope, SLOPE, [[1.0, 0.0], [0.0, 1.0]]),
            StrainKind::Bending(_) => ([z.bend[1], -z.bend[0]], BEND, [[0.0, -1.0], [1.0, 0.0]]),
        };
        let length = dot(z.chord, z.chord).sqrt();
        let i = z.chord.map(|x| x / length);
        let along = dot(a, i);
        let offset = if which == StrainKind::Axial { 1.0 } else { 0.0 };
        out.value = along - offset;
        out.gradient[at] = map.map(|row| dot(row, i));
        out.gradient[CHORD] = [0, 1].map(|p| (a[p] - along * i[p]) / length);
        if second {
            // di/dd, contracted with a
            let turn = |p: usize, q: usize| (unit(p, q) - i[p] * i[q]) / length;
            let mixed = |p: usize, q: usize| map[p][0] * turn(0, q) + map[p][1] * turn(1, q);
            out.set_block(at, CHORD, square(mixed));
            let entry = |p: usize, q: usize| {
                (3.0 * along * i[p] * i[q] - a[p] * i[q] - i[p] * a[q] - along * unit(p, q))
                    / (length * length)
            };
            out.set_block(CHORD, CHORD, square(entry));
        }
    }
}
