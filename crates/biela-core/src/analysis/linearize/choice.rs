//! The choice of the coordinates and speeds of a linear model.

use super::LinearizeError;
use super::coordinates::{
    Candidate, Forbidden, MassMetric, OrthogonalRows, POSITIONS_APART, SPEEDS_APART, norm,
};
use super::expansion::Expansion;
use crate::math::{Matrix, Random};
use crate::system::State;

/// Displacement of bodies, in radians or relative to the size of the model, for checking whether a coordinate is near a singularity.
const LOOK_AROUND: f64 = 0.05;
/// Relative change of a coordinate's derivative there above which it is.
const BENT: f64 = 0.5;

/// The coordinates and speeds of a linear model.
#[derive(Clone, Debug)]
pub(super) struct CoordinateChoice {
    pub(super) positions: Vec<Candidate>,
    /// Indices of those with a speed of their own.
    pub(super) moving: Vec<usize>,
}

impl CoordinateChoice {
    pub(super) fn speeds(&self) -> impl Iterator<Item = &Candidate> {
        self.moving.iter().map(|i| &self.positions[*i])
    }
}

impl Expansion<'_> {
    /// Returns the derivatives of the candidates' velocities with respect to the velocity coordinates, one row each.
    pub(super) fn rate_rows(&mut self, state: &State, candidates: &[Candidate]) -> Vec<Vec<f64>> {
        let n = self.num_velocities();
        let mut rows = vec![vec![0.0; n]; candidates.len()];
        let mut unit = vec![0.0; n];
        for j in 0..n {
            unit[j] = 1.0;
            self.place_with(state, &unit);
            unit[j] = 0.0;
            let context = self.context();
            for (row, candidate) in rows.iter_mut().zip(candidates) {
                row[j] = context.signal(candidate.rate);
            }
        }
        rows
    }

    /// Returns which candidates are so close to a singularity, such as angles at gimbal lock, that they are unsuitable for small motions: their
    /// derivative changes nearby.
    fn near_poles(
        &mut self,
        state: &State,
        candidates: &[Candidate],
        here: &[Vec<f64>],
    ) -> Vec<bool> {
        let mut bent = vec![false; candidates.len()];
        // weighted by the displacement of a body per velocity coordinate: a slender body rotates easily about its axis, which is no singularity
        let mut unit = vec![0.0; state.v.len()];
        let reach: Vec<f64> = (0..unit.len())
            .map(|j| {
                unit[j] = 1.0;
                let reach = self.extent(state, &unit);
                unit[j] = 0.0;
                reach
            })
            .collect();
        let mut random = Random::new(11);
        for _ in 0..2 {
            let mut delta: Vec<f64> = state.v.iter().map(|_| random.symmetric(1.0)).collect();
            let scale = LOOK_AROUND / self.extent(state, &delta);
            for x in &mut delta {
                *x *= scale;
            }
            let mut beside = state.clone();
            self.system.retract(&mut beside.q, &delta);
            let there = self.rate_rows(&beside, candidates);
            for (i, bent) in bent.iter_mut().enumerate() {
                let change: Vec<f64> = there[i].iter().zip(&here[i]).map(|(a, b)| a - b).collect();
                let size = |row: &[f64]| {
                    let weighed = row.iter().zip(&reach).map(|(x, reach)| x / reach);
                    norm(&weighed.collect::<Vec<f64>>())
                };
                let small = size(&change) <= BENT * size(&here[i]);
                // NaN is not small
                *bent |= !small;
            }
        }
        bent
    }

    /// Chooses coordinates and speeds at a state.
    pub(super) fn choose(
        &mut self,
        state: &State,
        candidates: &[Candidate],
        preferred: &[String],
    ) -> Result<CoordinateChoice, LinearizeError> {
        let n = self.num_velocities();
        let rows = self.rate_rows(state, candidates);
        self.place_with(state, &state.v);
        self.system.mass(&mut self.ws);
        let mut mass = Matrix::zeros(n, n);
        let entries = &self.system.mass_pattern().entries;
        for (&(i, j), value) in entries.iter().zip(&self.ws.mass) {
            (mass[(i, j)], mass[(j, i)]) = (*value, *value);
        }
        let metric = MassMetric::new(mass).ok_or(LinearizeError::Pole)?;
        let bent = self.near_poles(state, candidates, &rows);
        self.place_with(state, &state.v);
        let (_, holonomic) = self.independent(true);
        let (rows_of_all, all) = self.independent(false);
        let released = self.released.iter().filter(|r| **r).count();
        if all.len() + released < self.num_active {
            return Err(LinearizeError::Singular {
                rows: self.num_active,
                independent: all.len() + released,
            });
        }
        let measure = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
            rows.iter().map(|row| metric.measure(row)).collect()
        };
        let measured = measure(&rows);
        let lengths: Vec<f64> = measured.iter().map(|row| norm(row)).collect();
        let held = Forbidden::new(&measure(&holonomic));
        let measured = held.left(&measured);
        let is_preferred = |i: usize| preferred.contains(&candidates[i].value.name);
        // rotations and positions of bodies have no singularities, so there is always another choice
        let easily: Vec<f64> = (0..measured.len())
            .map(|i| {
                if bent[i] && !is_preferred(i) {
                    f64::INFINITY
                } else {
                    POSITIONS_APART
                }
            })
            .collect();
        let positions = OrthogonalRows::default()
            .choose(&measured, &lengths, n - holonomic.len(), &easily)
            .ok_or(LinearizeError::Pole)?;
        if positions.is_empty() {
            return Err(LinearizeError::NoFreedom);
        }
        // speeds are measured in the space of motions that positions permit
        let chosen: Vec<Vec<f64>> = positions.iter().map(|i| measured[*i].clone()).collect();
        let lengths: Vec<f64> = chosen.iter().map(|row| norm(row)).collect();
        let apart = |i: &usize| {
            if is_preferred(*i) {
                POSITIONS_APART
            } else {
                SPEEDS_APART
            }
        };
        let apart: Vec<f64> = positions.iter().map(apart).collect();
        let labels = self.system.rows();
        let rolling = rows_of_all.iter().zip(all.iter());
        let rolling = rolling.filter(|(row, _)| labels[**row].nonholonomic);
        let rolling: Vec<Vec<f64>> = rolling.map(|(_, row)| row.clone()).collect();
        let mut basis = OrthogonalRows::default();
        let rolling = held.left(&measure(&rolling));
        let _ = basis.extend(rolling.iter().map(Vec::as_slice));
        let moving = basis
            .choose(&chosen, &lengths, n - all.len(), &apart)
            .ok_or(LinearizeError::Pole)?;
        Ok(CoordinateChoice {
            positions: positions.iter().map(|i| candidates[*i].clone()).collect(),
            moving,
        })
    }
}
