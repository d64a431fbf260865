//! One element of a beam: the strains of its formulation at its Gauss points.

use super::point::{GaussStrain, along, local};
use super::quadrature::gauss;
use super::strain::{ElementStrains, Strain, StrainKind, StrainMeasures};
use super::{Section, hermite};
use crate::math::Vec3;
use crate::math::rotation::{cross, dot};

/// Largest number of coordinates of an element: two nodes in space.
pub(crate) const MOST: usize = 12;

/// One element of a beam.
#[derive(Clone, Debug)]
pub struct BeamElement {
    measuring: ElementStrains,
    /// Unstressed length.
    pub length: f64,
    /// Stiffness and mass.
    pub section: Section,
    points: Vec<GaussStrain>,
}

impl BeamElement {
    /// An element that is unstressed at the nodal coordinates `e`, except for an axial force `tension`, and for its bending if the formulation is straight
    /// when unstressed; with the given numbers of Gauss points for stretch and for bending.
    pub fn new(
        measuring: ElementStrains,
        length: f64,
        section: Section,
        e: &[f64],
        tension: f64,
        points: [usize; 2],
    ) -> Self {
        let points = match measuring {
            ElementStrains::Plane(kind) => strains(kind, length, &section, e, tension, points),
            ElementStrains::Space(kind) => strains(kind, length, &section, e, tension, points),
        };
        BeamElement {
            measuring,
            length,
            section,
            points,
        }
    }

    /// Mass.
    pub fn mass(&self) -> f64 {
        self.section.mass * self.length
    }

    /// Strain energy.
    pub fn energy(&self, e: &[f64]) -> f64 {
        match self.measuring {
            ElementStrains::Plane(kind) => kind.energy(&self.points, e),
            ElementStrains::Space(kind) => kind.energy(&self.points, e),
        }
    }

    /// Adds Q(e, ė) times `sign`; returns the power of the damping, which is never positive.
    pub fn add_force(&self, e: &[f64], rates: &[f64], sign: f64, out: &mut [f64]) -> f64 {
        match self.measuring {
            ElementStrains::Plane(kind) => kind.add_force(&self.points, e, rates, sign, out),
            ElementStrains::Space(kind) => kind.add_force(&self.points, e, rates, sign, out),
        }
    }

    /// Adds the lower triangle of the symmetric part of the tangent `k ∂Q/∂e + c ∂Q/∂ė`, row by row.
    pub fn add_tangent(&self, e: &[f64], rates: &[f64], factors: (f64, f64), out: &mut [f64]) {
        match self.measuring {
            ElementStrains::Plane(kind) => kind.add_tangent(&self.points, e, rates, factors, out),
            ElementStrains::Space(kind) => kind.add_tangent(&self.points, e, rates, factors, out),
        }
    }

    /// Stretch of the shape `e` at a point, as the formulation defines it.
    pub fn stretch(&self, xi: f64, e: &[f64]) -> f64 {
        self.stretch_and_rate(xi, e, &[]).0
    }

    /// Stretch and its time derivative at a point; the derivative is zero if `rates` is empty.
    pub fn stretch_and_rate(&self, xi: f64, e: &[f64], rates: &[f64]) -> (f64, f64) {
        let rows = self.rows(xi);
        match self.measuring {
            ElementStrains::Plane(kind) => stretch_of(kind, &rows, e, rates),
            ElementStrains::Space(kind) => stretch_of(kind, &rows, e, rates),
        }
    }

    /// Curvature of the shape `e` at a point, the rotation of the sections per unit length: `r' × r'' / |r'|²`.
    pub fn curvature(&self, xi: f64, e: &[f64]) -> Vec3<f64> {
        let [slope, bend] = self.slope_and_bend(xi, e);
        cross(&slope, &bend) / dot(&slope, &slope)
    }

    /// Time derivative of the curvature at a point.
    pub fn curvature_rate(&self, xi: f64, e: &[f64], rates: &[f64]) -> Vec3<f64> {
        let ([p, s], [dp, ds]) = (self.slope_and_bend(xi, e), self.slope_and_bend(xi, rates));
        let n = dot(&p, &p);
        (cross(&dp, &s) + cross(&p, &ds) - cross(&p, &s) * (2.0 * dot(&p, &dp) / n)) / n
    }

    /// Whether the unstressed shape may be curved.
    pub fn curved(&self) -> bool {
        match self.measuring {
            ElementStrains::Plane(kind) => kind.curved(),
            ElementStrains::Space(kind) => kind.curved(),
        }
    }

    /// Whether damping acts on its bending.
    pub fn damps_bending(&self) -> bool {
        match self.measuring {
            ElementStrains::Plane(kind) => kind.damps_bending(),
            ElementStrains::Space(kind) => kind.damps_bending(),
        }
    }

    fn rows(&self, xi: f64) -> [[f64; 4]; 2] {
        [
            hermite::slope(self.length, xi),
            hermite::bend(self.length, xi),
        ]
    }

    fn slope_and_bend(&self, xi: f64, e: &[f64]) -> [Vec3<f64>; 2] {
        self.rows(xi).map(|row| in_space(&row, e))
    }
}

/// A linear combination of the values of two nodes, in the plane or in space, as a vector.
pub(super) fn in_space(coefficients: &[f64; 4], e: &[f64]) -> Vec3<f64> {
    if e.len() == MOST {
        return Vec3::from(hermite::combine::<3>(coefficients, e));
    }
    let [x, y] = hermite::combine::<2>(coefficients, e);
    Vec3::new(x, y, 0.0)
}

/// The strains of an element at its Gauss points.
fn strains<const D: usize>(
    kind: &dyn StrainMeasures<D>,
    length: f64,
    section: &Section,
    e: &[f64],
    tension: f64,
    points: [usize; 2],
) -> Vec<GaussStrain> {
    let mut list = Vec::new();
    let mut add = |which: StrainKind, (xi, weight): (f64, f64), stiffness: f64| {
        let rows = [hermite::slope(length, xi), hermite::bend(length, xi)];
        let mut strain = Strain::zero();
        kind.measure(which, &local(&rows, e), false, &mut strain);
        let (reference, damped) = match which {
            StrainKind::Axial => (strain.value - tension / section.axial, true),
            StrainKind::Bending(_) => {
                let bent = if kind.curved() { strain.value } else { 0.0 };
                (bent, kind.damps_bending())
            }
        };
        list.push(GaussStrain {
            which,
            weight: stiffness * weight * length,
            reference,
            damping: if damped { section.damping } else { 0.0 },
            rows,
        });
    };
    for at in gauss(points[0]) {
        add(StrainKind::Axial, *at, section.axial);
    }
    for component in 0..kind.components() {
        for at in gauss(points[1]) {
            add(StrainKind::Bending(component), *at, section.bending);
        }
    }
    list
}

fn stretch_of<const D: usize>(
    kind: &dyn StrainMeasures<D>,
    rows: &[[f64; 4]; 2],
    e: &[f64],
    rates: &[f64],
) -> (f64, f64) {
    let mut strain = Strain::zero();
    kind.measure(StrainKind::Axial, &local(rows, e), false, &mut strain);
    (strain.value, along(&strain.gradient, &local(rows, rates)))
}
