//! One element: energy, force and tangent from the strains of its kind.
//!
//! ```text
//! Q = Σ w (s + τ ṡ) ∂s        ∂Q/∂e = Σ w [(s + τ ṡ) ∂²s + ∂s ∂sᵀ + τ ∂s (∂²s ė)ᵀ]        ∂Q/∂ė = Σ w τ ∂s ∂sᵀ
//! ```
//!
//! over Gauss points, s a strain less that of the shape without stress, w its stiffness times weight and length.

use super::quadrature::gauss;
use super::strain::{Local, Measure, Strain, cross, dot};
use super::{ElementKind, Section, hermite};

/// Coordinates of an element.
pub(super) const SIZE: usize = 8;

/// A strain at a Gauss point.
#[derive(Clone, Debug)]
struct Point {
    which: Measure,
    /// Stiffness times weight times length.
    weight: f64,
    /// The strain of the shape without stress.
    reference: f64,
    /// Coefficients of slope and bend.
    rows: [[f64; 4]; 2],
}

/// One element of a beam.
#[derive(Clone, Debug)]
pub struct Element {
    kind: &'static dyn ElementKind,
    /// Length without stress.
    pub length: f64,
    /// Stiffness and mass.
    pub section: Section,
    points: Vec<Point>,
}

/// Slope, bend and chord from the coefficients of the first two and node coordinates.
fn local(rows: &[[f64; 4]; 2], e: &[f64]) -> Local {
    Local {
        slope: hermite::combine(&rows[0], e),
        bend: hermite::combine(&rows[1], e),
        chord: hermite::combine(&CHORD, e),
    }
}

/// Coefficients of the chord.
const CHORD: [f64; 4] = [-1.0, 0.0, 1.0, 0.0];

impl Element {
    /// An element without stress at the node coordinates `e`, but for an axial force `tension` there; so many Gauss points for stretch
    /// and for bending.
    pub fn new(
        kind: &'static dyn ElementKind,
        length: f64,
        section: Section,
        e: &[f64],
        tension: f64,
        points: [usize; 2],
    ) -> Self {
        let mut list = Vec::new();
        let mut add = |which: Measure, (xi, weight): (f64, f64), stiffness: f64, offset: f64| {
            let rows = [hermite::slope(length, xi), hermite::bend(length, xi)];
            let mut strain = Strain::zero();
            kind.measure(which, &local(&rows, e), false, &mut strain);
            list.push(Point {
                which,
                weight: stiffness * weight * length,
                reference: strain.value - offset,
                rows,
            });
        };
        for at in gauss(points[0]) {
            let stretched = tension / section.axial;
            add(Measure::Axial, *at, section.axial, stretched);
        }
        for component in 0..kind.info().components {
            for at in gauss(points[1]) {
                add(Measure::Bending(component), *at, section.bending, 0.0);
            }
        }
        Element {
            kind,
            length,
            section,
            points: list,
        }
    }

    /// Mass.
    pub fn mass(&self) -> f64 {
        self.section.mass * self.length
    }

    fn measure(&self, point: &Point, e: &[f64], second: bool) -> Strain {
        let mut strain = Strain::zero();
        let z = local(&point.rows, e);
        self.kind.measure(point.which, &z, second, &mut strain);
        strain.value -= point.reference;
        strain
    }

    /// Strain energy.
    pub fn energy(&self, e: &[f64]) -> f64 {
        let of = |point: &Point| {
            let strain = self.measure(point, e, false).value;
            0.5 * point.weight * strain * strain
        };
        self.points.iter().map(of).sum()
    }

    /// Adds Q(e, ė) times `sign`; gives the power of the damping, which is never positive.
    pub fn add_force(&self, e: &[f64], rates: &[f64], sign: f64, out: &mut [f64]) -> f64 {
        let tau = self.section.damping;
        let mut power = 0.0;
        for point in &self.points {
            let strain = self.measure(point, e, false);
            let mut stress = strain.value;
            if tau != 0.0 {
                let rate = along(&strain.gradient, &local(&point.rows, rates));
                stress += tau * rate;
                power -= point.weight * tau * rate * rate;
            }
            let scale = sign * point.weight * stress;
            for k in 0..4 {
                for axis in 0..2 {
                    let by = |part: usize| strain.gradient[2 * part + axis];
                    out[2 * k + axis] += scale
                        * (point.rows[0][k] * by(0) + point.rows[1][k] * by(1) + CHORD[k] * by(2));
                }
            }
        }
        power
    }

    /// Adds `k ∂Q/∂e + c ∂Q/∂ė`, its symmetric part.
    pub fn add_tangent(
        &self,
        e: &[f64],
        rates: &[f64],
        (k, c): (f64, f64),
        out: &mut [[f64; SIZE]; SIZE],
    ) {
        let tau = self.section.damping;
        for point in &self.points {
            let strain = self.measure(point, e, true);
            let z = local(&point.rows, rates);
            let velocity = [
                z.slope[0], z.slope[1], z.bend[0], z.bend[1], z.chord[0], z.chord[1],
            ];
            let g = &strain.gradient;
            let stress = strain.value + tau * along(g, &z);
            // ∂²s ė
            let turn: [f64; 6] = std::array::from_fn(|i| {
                let row = strain.hessian[i].iter().zip(&velocity);
                tau * row.map(|(a, b)| a * b).sum::<f64>()
            });
            let in_z = |i: usize, j: usize| {
                let stiff = stress * strain.hessian[i][j]
                    + g[i] * g[j]
                    + 0.5 * (g[i] * turn[j] + turn[i] * g[j]);
                point.weight * (k * stiff + c * tau * g[i] * g[j])
            };
            let matrix: [[f64; 6]; 6] =
                std::array::from_fn(|i| std::array::from_fn(|j| in_z(i, j)));
            let rows = [&point.rows[0], &point.rows[1], &CHORD];
            // half way: coordinates of the element by z
            let mut half = [[0.0; 6]; SIZE];
            for (n, line) in half.iter_mut().enumerate() {
                for (part, row) in rows.iter().enumerate() {
                    let factor = row[n / 2];
                    for (x, entry) in line.iter_mut().zip(&matrix[2 * part + n % 2]) {
                        *x += factor * entry;
                    }
                }
            }
            for (line, half) in out.iter_mut().zip(&half) {
                for (m, x) in line.iter_mut().enumerate() {
                    for (part, row) in rows.iter().enumerate() {
                        *x += row[m / 2] * half[2 * part + m % 2];
                    }
                }
            }
        }
    }

    /// Stretch of the shape `e`, as the kind measures it, at a place.
    pub fn stretch(&self, xi: f64, e: &[f64]) -> f64 {
        let rows = self.rows(xi);
        let mut strain = Strain::zero();
        let z = local(&rows, e);
        self.kind.measure(Measure::Axial, &z, false, &mut strain);
        strain.value
    }

    /// Rate of the stretch at a place.
    pub fn stretch_rate(&self, xi: f64, e: &[f64], rates: &[f64]) -> f64 {
        let rows = self.rows(xi);
        let mut strain = Strain::zero();
        let z = local(&rows, e);
        self.kind.measure(Measure::Axial, &z, false, &mut strain);
        along(&strain.gradient, &local(&rows, rates))
    }

    /// Turn of the sections by length, of the shape `e`, at a place: `r' × r'' / |r'|²`.
    pub fn curvature(&self, xi: f64, e: &[f64]) -> f64 {
        let z = local(&self.rows(xi), e);
        cross(z.slope, z.bend) / dot(z.slope, z.slope)
    }

    /// Rate of the curvature at a place.
    pub fn curvature_rate(&self, xi: f64, e: &[f64], rates: &[f64]) -> f64 {
        let rows = self.rows(xi);
        let (z, dz) = (local(&rows, e), local(&rows, rates));
        let change = cross(dz.slope, z.bend) + cross(z.slope, dz.bend);
        let n = dot(z.slope, z.slope);
        (change - 2.0 * cross(z.slope, z.bend) * dot(z.slope, dz.slope) / n) / n
    }

    fn rows(&self, xi: f64) -> [[f64; 4]; 2] {
        [
            hermite::slope(self.length, xi),
            hermite::bend(self.length, xi),
        ]
    }
}

/// A gradient times a direction.
fn along(gradient: &[f64; 6], z: &Local) -> f64 {
    gradient[0] * z.slope[0]
        + gradient[1] * z.slope[1]
        + gradient[2] * z.bend[0]
        + gradient[3] * z.bend[1]
        + gradient[4] * z.chord[0]
        + gradient[5] * z.chord[1]
}
