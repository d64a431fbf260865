//! One element: energy, force and tangent from the strains of its kind.
//!
//! ```text
//! Q = Σ w (s + τ ṡ) ∂s        ∂Q/∂e = Σ w [(s + τ ṡ) ∂²s + ∂s ∂sᵀ + τ ∂s (∂²s ė)ᵀ]        ∂Q/∂ė = Σ w τ ∂s ∂sᵀ
//! ```
//!
//! over Gauss points, s a strain less that of the shape without stress, w its stiffness times weight and length.

use super::quadrature::gauss;
use super::strain::{Local, Measure, Measures, Measuring, Strain};
use super::{Section, hermite};
use crate::math::Vec3;
use crate::math::rotation::{cross, dot};

/// Most coordinates of an element: those of two nodes in space.
pub(crate) const MOST: usize = 12;

/// A strain at a Gauss point.
#[derive(Clone, Debug)]
struct Point {
    which: Measure,
    /// Stiffness times weight times length.
    weight: f64,
    /// The strain of the shape without stress.
    reference: f64,
    /// τ.
    damping: f64,
    /// Coefficients of slope and bend.
    rows: [[f64; 4]; 2],
}

/// One element of a beam.
#[derive(Clone, Debug)]
pub struct Element {
    measuring: Measuring,
    /// Length without stress.
    pub length: f64,
    /// Stiffness and mass.
    pub section: Section,
    points: Vec<Point>,
}

/// Slope, bend and chord from the coefficients of the first two and node coordinates.
#[inline]
fn local<const D: usize>(rows: &[[f64; 4]; 2], e: &[f64]) -> Local<D> {
    Local {
        slope: hermite::combine(&rows[0], e),
        bend: hermite::combine(&rows[1], e),
        chord: hermite::combine(&CHORD, e),
    }
}

/// Coefficients of the chord.
const CHORD: [f64; 4] = [-1.0, 0.0, 1.0, 0.0];

/// Entries by coefficient and axis of the row, then of the column: the rows of an element's matrix one after the other.
type Matrix<const D: usize> = [[[[f64; D]; 4]; D]; 4];

impl Element {
    /// An element without stress at the node coordinates `e`, but for an axial force `tension` there and for its bend where the kind is
    /// straight without stress; so many Gauss points for stretch and for bending.
    pub fn new(
        measuring: Measuring,
        length: f64,
        section: Section,
        e: &[f64],
        tension: f64,
        points: [usize; 2],
    ) -> Self {
        let points = match measuring {
            Measuring::Plane(kind) => strains(kind, length, &section, e, tension, points),
            Measuring::Space(kind) => strains(kind, length, &section, e, tension, points),
        };
        Element {
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
            Measuring::Plane(kind) => self.energy_of(kind, e),
            Measuring::Space(kind) => self.energy_of(kind, e),
        }
    }

    /// Adds Q(e, ė) times `sign`; gives the power of the damping, which is never positive.
    pub fn add_force(&self, e: &[f64], rates: &[f64], sign: f64, out: &mut [f64]) -> f64 {
        match self.measuring {
            Measuring::Plane(kind) => self.add_force_of(kind, e, rates, sign, out),
            Measuring::Space(kind) => self.add_force_of(kind, e, rates, sign, out),
        }
    }

    /// Adds `k ∂Q/∂e + c ∂Q/∂ė`, its symmetric part, row after row.
    pub fn add_tangent(&self, e: &[f64], rates: &[f64], factors: (f64, f64), out: &mut [f64]) {
        match self.measuring {
            Measuring::Plane(kind) => self.add_tangent_of(kind, e, rates, factors, out),
            Measuring::Space(kind) => self.add_tangent_of(kind, e, rates, factors, out),
        }
    }

    fn energy_of<const D: usize>(&self, kind: &dyn Measures<D>, e: &[f64]) -> f64 {
        let of = |point: &Point| {
            let strain = point.measure(kind, e, false).value;
            0.5 * point.weight * strain * strain
        };
        self.points.iter().map(of).sum()
    }

    fn add_force_of<const D: usize>(
        &self,
        kind: &dyn Measures<D>,
        e: &[f64],
        rates: &[f64],
        sign: f64,
        out: &mut [f64],
    ) -> f64 {
        let mut power = 0.0;
        for point in &self.points {
            let tau = point.damping;
            let strain = point.measure(kind, e, false);
            let mut stress = strain.value;
            if tau != 0.0 {
                let rate = along(&strain.gradient, &local(&point.rows, rates));
                stress += tau * rate;
                power -= point.weight * tau * rate * rate;
            }
            let scale = sign * point.weight * stress;
            for (k, out) in out.chunks_exact_mut(D).enumerate().take(4) {
                for (axis, x) in out.iter_mut().enumerate() {
                    let by = |part: usize| strain.gradient[part][axis];
                    *x += scale
                        * (point.rows[0][k] * by(0) + point.rows[1][k] * by(1) + CHORD[k] * by(2));
                }
            }
        }
        power
    }

    fn add_tangent_of<const D: usize>(
        &self,
        kind: &dyn Measures<D>,
        e: &[f64],
        rates: &[f64],
        (k, c): (f64, f64),
        out: &mut [f64],
    ) {
        let mut sum: Matrix<D> = [[[[0.0; D]; 4]; D]; 4];
        for point in &self.points {
            let tau = point.damping;
            let strain = point.measure(kind, e, true);
            let z = local(&point.rows, rates);
            let velocity = [z.slope, z.bend, z.chord];
            let g = &strain.gradient;
            let stress = strain.value + tau * along(g, &z);
            // ∂²s ė, of each part and axis
            let mut turn = [[0.0; D]; 3];
            if tau != 0.0 {
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
            // by part and axis of the row, then of the column
            let matrix: [[[[f64; D]; 3]; D]; 3] = std::array::from_fn(|p| {
                std::array::from_fn(|i| {
                    std::array::from_fn(|q| {
                        std::array::from_fn(|j| {
                            let (gi, gj) = (g[p][i], g[q][j]);
                            let stiff = stress * strain.hessian[p][q][i][j]
                                + gi * gj
                                + 0.5 * (gi * turn[q][j] + turn[p][i] * gj);
                            point.weight * (k * stiff + c * tau * gi * gj)
                        })
                    })
                })
            });
            let rows = [&point.rows[0], &point.rows[1], &CHORD];
            for (n, lines) in sum.iter_mut().enumerate() {
                for (i, line) in lines.iter_mut().enumerate() {
                    // half way: coordinates of the element by z
                    let mut half = [[0.0; D]; 3];
                    for (part, row) in rows.iter().enumerate() {
                        let factor = row[n];
                        for (half, entries) in half.iter_mut().zip(&matrix[part][i]) {
                            for (x, entry) in half.iter_mut().zip(entries) {
                                *x += factor * entry;
                            }
                        }
                    }
                    for (m, entries) in line.iter_mut().enumerate() {
                        for (j, x) in entries.iter_mut().enumerate() {
                            for (part, row) in rows.iter().enumerate() {
                                *x += row[m] * half[part][j];
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

    /// Stretch of the shape `e`, as the kind measures it, at a place.
    pub fn stretch(&self, xi: f64, e: &[f64]) -> f64 {
        self.stretch_and_rate(xi, e, &[]).0
    }

    /// Stretch and its rate at a place; without rates the rate is zero.
    pub fn stretch_and_rate(&self, xi: f64, e: &[f64], rates: &[f64]) -> (f64, f64) {
        let rows = self.rows(xi);
        match self.measuring {
            Measuring::Plane(kind) => stretch_of(kind, &rows, e, rates),
            Measuring::Space(kind) => stretch_of(kind, &rows, e, rates),
        }
    }

    /// Turn of the sections by length, of the shape `e`, at a place: `r' × r'' / |r'|²`.
    pub fn curvature(&self, xi: f64, e: &[f64]) -> Vec3<f64> {
        let [slope, bend] = self.slope_and_bend(xi, e);
        cross(&slope, &bend) / dot(&slope, &slope)
    }

    /// Rate of the curvature at a place.
    pub fn curvature_rate(&self, xi: f64, e: &[f64], rates: &[f64]) -> Vec3<f64> {
        let ([p, s], [dp, ds]) = (self.slope_and_bend(xi, e), self.slope_and_bend(xi, rates));
        let n = dot(&p, &p);
        (cross(&dp, &s) + cross(&p, &ds) - cross(&p, &s) * (2.0 * dot(&p, &dp) / n)) / n
    }

    /// Whether it may be curved without stress.
    pub fn curved(&self) -> bool {
        match self.measuring {
            Measuring::Plane(kind) => kind.curved(),
            Measuring::Space(kind) => kind.curved(),
        }
    }

    /// Whether damping acts on its bending.
    pub fn damps_bending(&self) -> bool {
        match self.measuring {
            Measuring::Plane(kind) => kind.damps_bending(),
            Measuring::Space(kind) => kind.damps_bending(),
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

/// A combination of the values of two nodes, in the plane or in space, as a vector.
pub(super) fn in_space(coefficients: &[f64; 4], e: &[f64]) -> Vec3<f64> {
    if e.len() == MOST {
        return Vec3::from(hermite::combine::<3>(coefficients, e));
    }
    let [x, y] = hermite::combine::<2>(coefficients, e);
    Vec3::new(x, y, 0.0)
}

/// The strains of an element at its Gauss points.
fn strains<const D: usize>(
    kind: &dyn Measures<D>,
    length: f64,
    section: &Section,
    e: &[f64],
    tension: f64,
    points: [usize; 2],
) -> Vec<Point> {
    let mut list = Vec::new();
    let mut add = |which: Measure, (xi, weight): (f64, f64), stiffness: f64| {
        let rows = [hermite::slope(length, xi), hermite::bend(length, xi)];
        let mut strain = Strain::zero();
        kind.measure(which, &local(&rows, e), false, &mut strain);
        let (reference, damped) = match which {
            Measure::Axial => (strain.value - tension / section.axial, true),
            Measure::Bending(_) => {
                let bent = if kind.curved() { strain.value } else { 0.0 };
                (bent, kind.damps_bending())
            }
        };
        list.push(Point {
            which,
            weight: stiffness * weight * length,
            reference,
            damping: if damped { section.damping } else { 0.0 },
            rows,
        });
    };
    for at in gauss(points[0]) {
        add(Measure::Axial, *at, section.axial);
    }
    for component in 0..kind.components() {
        for at in gauss(points[1]) {
            add(Measure::Bending(component), *at, section.bending);
        }
    }
    list
}

impl Point {
    #[inline]
    fn measure<const D: usize>(
        &self,
        kind: &dyn Measures<D>,
        e: &[f64],
        second: bool,
    ) -> Strain<D> {
        let mut strain = Strain::zero();
        kind.measure(self.which, &local(&self.rows, e), second, &mut strain);
        strain.value -= self.reference;
        strain
    }
}

fn stretch_of<const D: usize>(
    kind: &dyn Measures<D>,
    rows: &[[f64; 4]; 2],
    e: &[f64],
    rates: &[f64],
) -> (f64, f64) {
    let mut strain = Strain::zero();
    kind.measure(Measure::Axial, &local(rows, e), false, &mut strain);
    (strain.value, along(&strain.gradient, &local(rows, rates)))
}

/// A gradient times a direction.
#[inline]
fn along<const D: usize>(gradient: &[[f64; D]; 3], z: &Local<D>) -> f64 {
    let mut sum = 0.0;
    for (part, by) in [z.slope, z.bend, z.chord].iter().zip(gradient) {
        for (x, g) in part.iter().zip(by) {
            sum += g * x;
        }
    }
    sum
}
