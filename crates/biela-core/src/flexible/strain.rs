//! A strain as a function of the local geometry of an element.
//!
//! Every strain depends on `z = (r', r'', d)`: slope, second derivative and the chord from end to end, each linear in the nodal
//! coordinates. An element formulation gives value, gradient and Hessian with respect to z, in the plane (D = 2) or in space (D = 3). Energy, force
//! and tangent follow in the same way for all formulations.

use super::point::{self, GaussStrain};

/// Slope, second derivative and chord.
#[derive(Clone, Copy, Debug)]
pub struct LocalDerivatives<const D: usize> {
    /// r', with respect to material length.
    pub slope: [f64; D],
    /// r''.
    pub bend: [f64; D],
    /// Vector from the first node to the second.
    pub chord: [f64; D],
}

/// The parts of z.
pub(super) const SLOPE: usize = 0;
pub(super) const BEND: usize = 1;
pub(super) const CHORD: usize = 2;

/// The kind of strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrainKind {
    /// Axial strain.
    Axial,
    /// Bending strain; some formulations have several components.
    Bending(usize),
}

/// The strains of an element formulation, in the plane or in space.
pub trait StrainMeasures<const D: usize>: std::fmt::Debug + Send + Sync {
    /// Number of components of the bending strain.
    fn components(&self) -> usize;
    /// Whether the unstressed shape may be curved; otherwise every curvature causes stress.
    fn curved(&self) -> bool;
    /// Whether the time derivatives of the bending strains are objective rates of bending, so that damping may act on them.
    fn damps_bending(&self) -> bool;
    /// Whether strains depend on the chord.
    fn uses_chord(&self) -> bool {
        false
    }
    /// Computes a strain, its gradient and, if `second`, its Hessian; `out` holds zeros on entry.
    fn measure(
        &self,
        which: StrainKind,
        z: &LocalDerivatives<D>,
        second: bool,
        out: &mut Strain<D>,
    );

    /// Strain energy of an element.
    fn energy(&self, points: &[GaussStrain], e: &[f64]) -> f64 {
        point::energy(self, points, e)
    }
    /// Adds Q(e, ė) of an element times `sign`; returns the power of the damping, which is never positive.
    fn add_force(
        &self,
        points: &[GaussStrain],
        e: &[f64],
        rates: &[f64],
        sign: f64,
        out: &mut [f64],
    ) -> f64 {
        point::add_force(self, points, e, rates, sign, out)
    }
    /// Adds the lower triangle of the symmetric part of the tangent `k ∂Q/∂e + c ∂Q/∂ė` of an element, row by row.
    fn add_tangent(
        &self,
        points: &[GaussStrain],
        e: &[f64],
        rates: &[f64],
        factors: (f64, f64),
        out: &mut [f64],
    ) {
        point::add_tangent(self, points, e, rates, factors, out);
    }
}

/// The strains of an element, in the plane or in space.
#[derive(Clone, Copy, Debug)]
pub enum ElementStrains {
    /// In the plane.
    Plane(&'static dyn StrainMeasures<2>),
    /// In space.
    Space(&'static dyn StrainMeasures<3>),
}

impl ElementStrains {
    /// Number of position axes.
    pub fn axes(self) -> usize {
        match self {
            ElementStrains::Plane(_) => 2,
            ElementStrains::Space(_) => 3,
        }
    }
}

impl From<&'static dyn StrainMeasures<2>> for ElementStrains {
    fn from(measures: &'static dyn StrainMeasures<2>) -> Self {
        ElementStrains::Plane(measures)
    }
}

impl From<&'static dyn StrainMeasures<3>> for ElementStrains {
    fn from(measures: &'static dyn StrainMeasures<3>) -> Self {
        ElementStrains::Space(measures)
    }
}

/// A strain with its derivatives with respect to z, by parts of z.
#[derive(Clone, Copy, Debug)]
pub struct Strain<const D: usize> {
    /// Value.
    pub value: f64,
    /// First derivative.
    pub gradient: [[f64; D]; 3],
    /// Second derivative.
    pub hessian: [[[[f64; D]; D]; 3]; 3],
}

impl<const D: usize> Strain<D> {
    /// Zero.
    #[inline]
    pub fn zero() -> Self {
        Strain {
            value: 0.0,
            gradient: [[0.0; D]; 3],
            hessian: [[[[0.0; D]; D]; 3]; 3],
        }
    }

    /// Sets a block of the second derivative and its transposed counterpart.
    #[inline]
    pub(super) fn set_block(&mut self, row: usize, column: usize, block: [[f64; D]; D]) {
        self.hessian[row][column] = block;
        if row != column {
            self.hessian[column][row] = square(|i, j| block[j][i]);
        }
    }
}

/// A matrix from its entries.
#[inline]
pub(super) fn square<const D: usize>(entry: impl Fn(usize, usize) -> f64) -> [[f64; D]; D] {
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// The Kronecker delta.
#[inline]
pub(super) fn unit(i: usize, j: usize) -> f64 {
    f64::from(u8::from(i == j))
}

#[inline]
pub(super) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let mut sum = a[0] * b[0];
    for i in 1..D {
        sum += a[i] * b[i];
    }
    sum
}
