//! The coordinates of a linearisation: joint coordinates where they describe the motion, then rotations and positions of bodies, then nodes
//! of beams.
//!
//! A coordinate is admissible if its derivative, in the metric of the mass matrix, is sufficiently independent of the constraint rows and of the
//! coordinates already chosen. Candidates are tested in the order of the model file, and again with a weaker criterion while some are missing.
//! Angles near a singularity are skipped.

use crate::math::Matrix;
use crate::model::{
    BeamIndex, BodyIndex, BodyQuantity as Q, JointIndex, JointQuantity, Model, NodeQuantity as N,
    Signal, Space,
};
use crate::system::{Channel, SignalTable};

/// Required independence (sine of the angle) of a coordinate in the first pass: small for positions, where the names matter, larger for
/// speeds, which are a subset of them.
pub(super) const POSITIONS_APART: f64 = 0.1;
pub(super) const SPEEDS_APART: f64 = 0.5;
/// Squared relative norm below which a row is dependent.
const DEPENDENT: f64 = 1e-13;

/// A quantity with its name and unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearVariable {
    /// `pin.angle`.
    pub name: String,
    /// SI unit.
    pub unit: String,
}

/// A candidate coordinate: its velocity is linear in the velocity coordinates.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) value: LinearVariable,
    pub(super) speed: LinearVariable,
    pub(super) rate: Signal,
    pub(super) acceleration: Signal,
    /// A small rotation of a body about a ground axis, which is not the integral of an angular velocity: body and axis.
    pub(super) turn: Option<(usize, usize)>,
}

/// Returns all coordinates of a model, in the order of preference: those named in `prefer`, joints, rotations of bodies, their positions, nodes of
/// beams.
pub(super) fn candidates(model: &Model, table: &SignalTable, prefer: &[String]) -> Vec<Candidate> {
    let variable = |signal: Signal| {
        let of = |c: &Channel| LinearVariable {
            name: c.name.clone(),
            unit: c.unit.clone(),
        };
        table.describe(signal).map(of)
    };
    let mut list = Vec::new();
    let mut add = |value: Option<LinearVariable>, rate, acceleration, turn| {
        if let (Some(value), Some(speed)) = (value, variable(rate)) {
            list.push(Candidate {
                value,
                speed,
                rate,
                acceleration,
                turn,
            });
        }
    };
    for (j, element) in model.joints.iter().enumerate() {
        for k in 0..element.joint.coordinates(model.space).len() {
            let of = |q| Signal::Joint(JointIndex(j), q);
            add(
                variable(of(JointQuantity::Value(k))),
                of(JointQuantity::Rate(k)),
                of(JointQuantity::Acceleration(k)),
                None,
            );
        }
    }
    for (b, body) in model.bodies.iter().enumerate() {
        let of = |q| Signal::Body(BodyIndex(b), q);
        if model.space == Space::Planar {
            add(variable(of(Q::Angle)), of(Q::Omega), of(Q::Alpha), None);
        } else {
            let axes = [
                ("x", Q::OmegaX, Q::AlphaX),
                ("y", Q::OmegaY, Q::AlphaY),
                ("z", Q::OmegaZ, Q::AlphaZ),
            ];
            for (axis, (word, rate, acceleration)) in axes.into_iter().enumerate() {
                let value = LinearVariable {
                    name: format!("{}.turn_{word}", body.name),
                    unit: "rad".to_owned(),
                };
                add(Some(value), of(rate), of(acceleration), Some((b, axis)));
            }
        }
    }
    for b in 0..model.bodies.len() {
        let of = |q| Signal::Body(BodyIndex(b), q);
        for (value, rate, acceleration) in [
            (Q::X, Q::Vx, Q::Ax),
            (Q::Y, Q::Vy, Q::Ay),
            (Q::Z, Q::Vz, Q::Az),
        ] {
            add(variable(of(value)), of(rate), of(acceleration), None);
        }
    }
    for (b, beam) in model.beams.iter().enumerate() {
        for node in 0..=beam.elements.len() {
            let of = |q| Signal::Node(BeamIndex(b), node, q);
            for (value, rate, acceleration) in [
                (N::X, N::Vx, N::Ax),
                (N::Y, N::Vy, N::Ay),
                (N::Z, N::Vz, N::Az),
                (N::SlopeX, N::SlopeVx, N::SlopeAx),
                (N::SlopeY, N::SlopeVy, N::SlopeAy),
                (N::SlopeZ, N::SlopeVz, N::SlopeAz),
            ] {
                add(variable(of(value)), of(rate), of(acceleration), None);
            }
        }
    }
    let place = |c: &Candidate| prefer.iter().position(|name| *name == c.value.name);
    list.sort_by_key(|c| place(c).unwrap_or(prefer.len()));
    list
}

/// Rows orthogonalised one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct OrthogonalRows {
    rows: Vec<Vec<f64>>,
}

impl OrthogonalRows {
    /// Returns the part of a row that the basis does not span, and the sine of its angle to the span.
    pub(super) fn apart(&self, row: &[f64]) -> (Vec<f64>, f64) {
        let length = norm(row);
        let mut rest = row.to_vec();
        // twice is enough
        for _ in 0..2 {
            for unit in &self.rows {
                let along: f64 = unit.iter().zip(&rest).map(|(u, x)| u * x).sum();
                for (x, u) in rest.iter_mut().zip(unit) {
                    *x -= along * u;
                }
            }
        }
        let sine = norm(&rest) / length;
        (rest, if sine.is_finite() { sine } else { 0.0 })
    }

    fn push(&mut self, rest: &[f64]) {
        let length = norm(rest);
        self.rows.push(rest.iter().map(|x| x / length).collect());
    }

    /// Adds rows that are not spanned yet; returns their indices.
    pub(super) fn extend<'r>(&mut self, rows: impl IntoIterator<Item = &'r [f64]>) -> Vec<usize> {
        let mut taken = Vec::new();
        for (i, row) in rows.into_iter().enumerate() {
            let (rest, sine) = self.apart(row);
            if sine * sine > DEPENDENT {
                self.push(&rest);
                taken.push(i);
            }
        }
        taken
    }

    /// Chooses `count` of the rows, preferring those with the given independence `apart`, relative to their `lengths`; `None` if
    /// there are not enough.
    pub(super) fn choose(
        &mut self,
        rows: &[Vec<f64>],
        lengths: &[f64],
        count: usize,
        apart: &[f64],
    ) -> Option<Vec<usize>> {
        let mut chosen = Vec::with_capacity(count);
        let mut ease = 1.0_f64;
        // remainder of each row after this number of basis rows
        let mut left: Vec<(Vec<f64>, usize)> = rows.iter().map(|row| (row.clone(), 0)).collect();
        let mut open: Vec<usize> = (0..rows.len()).filter(|i| lengths[*i] > 0.0).collect();
        while chosen.len() < count {
            if ease * ease <= DEPENDENT {
                return None;
            }
            let mut still_open = Vec::with_capacity(open.len());
            for &i in &open {
                if chosen.len() == count {
                    break;
                }
                let (rest, seen) = &mut left[i];
                for unit in &self.rows[*seen..] {
                    subtract(rest, unit);
                }
                *seen = self.rows.len();
                let sine = norm(rest) / lengths[i];
                if sine > ease * apart[i] {
                    // twice is enough
                    self.rows.iter().for_each(|unit| subtract(rest, unit));
                    let rest = rest.clone();
                    self.push(&rest);
                    chosen.push(i);
                } else if sine * sine > DEPENDENT {
                    still_open.push(i);
                }
            }
            open = still_open;
            ease *= 0.5;
        }
        chosen.sort_unstable();
        Some(chosen)
    }
}

/// Subtracts from a row its component along a unit row.
fn subtract(row: &mut [f64], unit: &[f64]) {
    let along: f64 = unit.iter().zip(&*row).map(|(u, x)| u * x).sum();
    if along != 0.0 {
        for (x, u) in row.iter_mut().zip(unit) {
            *x -= along * u;
        }
    }
}

/// Number of rows from which independence is determined by a factorisation of all of them.
const MANY: usize = 100;

/// Returns which rows are independent of those before them.
pub(super) fn independent(rows: &[Vec<f64>]) -> Vec<usize> {
    if rows.len() > MANY && rows.len() <= rows[0].len() {
        let matrix = Matrix::from_fn(rows[0].len(), rows.len(), |i, j| rows[j][i]);
        let r = matrix.qr().unpack_r();
        let apart = |(i, row): (usize, &Vec<f64>)| {
            let sine = r[(i, i)] / norm(row);
            sine * sine > DEPENDENT
        };
        if rows.iter().enumerate().all(apart) {
            return (0..rows.len()).collect();
        }
    }
    OrthogonalRows::default().extend(rows.iter().map(Vec::as_slice))
}

/// The motions excluded by some rows, so that others can be measured in the space of the remaining motions.
pub(super) struct Forbidden {
    factors: Option<nalgebra::QR<f64, nalgebra::Dyn, nalgebra::Dyn>>,
    count: usize,
}

impl Forbidden {
    /// Creates it for independent rows.
    pub(super) fn new(rows: &[Vec<f64>]) -> Self {
        let factors = rows
            .first()
            .map(|first| Matrix::from_fn(first.len(), rows.len(), |i, j| rows[j][i]).qr());
        Forbidden {
            factors,
            count: rows.len(),
        }
    }

    /// Returns the component of each row along the remaining motions, in orthonormal axes.
    pub(super) fn left(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (Some(factors), Some(first)) = (&self.factors, rows.first()) else {
            return rows.to_vec();
        };
        let mut all = Matrix::from_fn(first.len(), rows.len(), |i, j| rows[j][i]);
        factors.q_tr_mul(&mut all);
        let columns = all.column_iter();
        columns
            .map(|column| column.iter().skip(self.count).copied().collect())
            .collect()
    }
}

pub(super) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Rows times `L⁻ᵀ`, with `M = L Lᵀ`: norms and angles in the metric of the mass matrix.
pub(super) struct MassMetric {
    factor: nalgebra::Cholesky<f64, nalgebra::Dyn>,
}

impl MassMetric {
    /// Returns `None` if the mass matrix is not positive definite.
    pub(super) fn new(mass: Matrix) -> Option<Self> {
        nalgebra::Cholesky::new(mass).map(|factor| MassMetric { factor })
    }

    pub(super) fn measure(&self, row: &[f64]) -> Vec<f64> {
        let column = nalgebra::DVector::from_column_slice(row);
        let solved = self.factor.l_dirty().solve_lower_triangular(&column);
        solved.map_or_else(|| row.to_vec(), |x| x.as_slice().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_rows_are_left_out() {
        let rows: [&[f64]; 4] = [
            &[1.0, 2.0, 0.0],
            &[2.0, 4.0, 0.0],
            &[0.0, 0.0, 0.0],
            &[1.0, 2.0, 1e-3],
        ];
        assert_eq!(OrthogonalRows::default().extend(rows), [0, 3]);
    }

    #[test]
    fn coordinates_are_taken_in_order_unless_they_are_nearly_dependent() {
        let rows = vec![
            vec![1.0, 0.0, 0.0],
            vec![1.0, 0.01, 0.0],
            vec![0.0, 0.0, 1.0],
            vec![0.3, 1.0, 0.0],
        ];
        assert_eq!(
            OrthogonalRows::default().choose(&rows, &[1.0; 4], 3, &[0.1; 4]),
            Some(vec![0, 2, 3])
        );
        assert_eq!(
            OrthogonalRows::default().choose(&rows[..3], &[1.0; 3], 3, &[0.1; 4]),
            Some(vec![0, 1, 2])
        );
        assert_eq!(
            OrthogonalRows::default().choose(&rows[..1], &[1.0], 2, &[0.1]),
            None
        );
    }

    #[test]
    fn the_mass_metric_measures_rows_by_the_inverse_mass() {
        let mass = Matrix::from_row_slice(2, 2, &[4.0, 1.0, 1.0, 3.0]);
        let row = [0.7, -0.4];
        let inverse = mass.clone().try_inverse().unwrap();
        let expected: f64 = (0..2)
            .flat_map(|i| (0..2).map(move |j| (i, j)))
            .map(|(i, j)| row[i] * inverse[(i, j)] * row[j])
            .sum();
        let measured = MassMetric::new(mass).unwrap().measure(&row);
        assert!((norm(&measured) - expected.sqrt()).abs() < 1e-15);
    }
}
