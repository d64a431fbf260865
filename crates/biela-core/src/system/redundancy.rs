//! Degrees of freedom and redundant constraint rows.

use super::coupled::coupled_rows;
use super::{RowLabel, RowOwner, State, System, Workspace, row_groups};
use crate::math::{Kkt, RowOrder, RowPattern, SymmetricPattern};

/// A constraint row that depends on others.
#[derive(Clone, Debug, PartialEq)]
pub struct DependentRow {
    /// Index among all rows.
    pub row: usize,
    /// Its identification.
    pub label: RowLabel,
    /// The rows it depends on.
    pub depends_on: Vec<usize>,
}

/// The mobility at a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Velocity coordinates.
    pub velocities: usize,
    /// Constraint rows, including drivers and velocity constraints.
    pub rows: usize,
    /// Degrees of freedom.
    pub freedom: usize,
    /// Degrees of freedom without the drivers.
    pub undriven_freedom: usize,
    /// Rows that depend on earlier ones.
    pub dependent: Vec<DependentRow>,
}

/// Longer arms than this, m, are treated as this long in the metric of the rank decision.
const LONG_ARM: f64 = 1e3;

/// Returns the largest derivative of a row with respect to each velocity coordinate: for a rotation the longest arm.
fn column_reach(system: &dyn System, ws: &Workspace) -> Vec<f64> {
    let pattern = system.jacobian_pattern();
    let mut reach = vec![0.0_f64; system.sizes().velocities];
    for (column, value) in pattern.columns.iter().zip(&ws.jacobian) {
        reach[*column] = reach[*column].max(value.abs());
    }
    reach
}

/// Counts the degrees of freedom at a state; of dependent rows, the one of the later element of the model is reported.
pub fn mobility(system: &dyn System, state: &State, ws: &mut Workspace) -> Mobility {
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut ws.kinematics,
    );
    system.constraints(ws);
    // rank does not depend on the metric; in an unweighted one, rows are not lost to extreme masses, nor to arms of many kilometres
    let reach = column_reach(system, ws).into_iter();
    let metric: Vec<f64> = reach
        .map(|reach| (reach / LONG_ARM).max(1.0).powi(2))
        .collect();
    let (labels, velocities) = (system.rows(), system.sizes().velocities);
    let groups = row_groups(system);
    let pattern = system.jacobian_pattern();
    let coupled = coupled_rows(pattern, &ws.jacobian, &groups);
    let suspects = Suspects::new(pattern, &ws.jacobian, &coupled);
    let found = if suspects.rows.len() > velocities {
        suspects.dependent_beyond_rank(&metric)
    } else {
        suspects.dependent(&metric)
    };
    let dependent: Vec<DependentRow> = found
        .into_iter()
        .map(|(row, depends_on)| DependentRow {
            row,
            label: labels[row],
            depends_on,
        })
        .collect();
    let driven = (labels.iter().enumerate())
        .filter(|(row, label)| {
            let is_driver = matches!(label.owner, RowOwner::Driver(_));
            is_driver && !dependent.iter().any(|d| d.row == *row)
        })
        .count();
    // by rounding a row may appear independent although no degree of freedom is left
    let freedom = (velocities + dependent.len()).saturating_sub(labels.len());
    Mobility {
        velocities,
        rows: labels.len(),
        freedom,
        undriven_freedom: freedom + driven,
        dependent,
    }
}

/// Rows whose pivots are below this fraction of their squared norm are checked again: pivots are differences, so rounding makes dependent rows appear
/// independent.
const DOUBTFUL: f64 = 1e-7;
/// A row whose squared independent part is below this fraction of its own squared norm is dependent.
const DEPENDENT: f64 = 1e-13;
/// A row that enters a dependence with a smaller factor is not listed.
const LEAST_FACTOR: f64 = 1e-7;

/// The rows that may be dependent, in the order of the model.
struct Suspects {
    /// Their indices among all rows.
    rows: Vec<usize>,
    pattern: RowPattern,
    values: Vec<f64>,
}

/// A dependent row, and the rows it depends on.
type Dependence = (usize, Vec<usize>);

impl Suspects {
    fn new(pattern: &RowPattern, jacobian: &[f64], coupled: &[bool]) -> Self {
        let rows: Vec<usize> = (0..coupled.len()).filter(|row| coupled[*row]).collect();
        let (mut own, mut values) = (RowPattern::new(), Vec::new());
        for row in &rows {
            let range = pattern.range(*row);
            own.push(pattern.columns[range.clone()].iter().copied());
            values.extend_from_slice(&jacobian[range]);
        }
        Suspects {
            rows,
            pattern: own,
            values,
        }
    }

    /// Returns the rows that depend on earlier ones, by a sparse factorisation. Rows that appear independent by rounding only are removed one by one,
    /// starting with the first, because all later ones depend on it.
    fn dependent(mut self, metric: &[f64]) -> Vec<Dependence> {
        let diagonal = SymmetricPattern {
            entries: (0..metric.len()).map(|i| (i, i)).collect(),
        };
        let count = self.rows.len();
        let groups: Vec<usize> = (0..count).collect();
        let order = RowOrder::Given;
        let mut kkt = Kkt::new(metric.len(), &diagonal, &self.pattern, &groups, order);
        kkt.factor(metric, &self.values);
        let mut combination = vec![0.0; count];
        let mut dependent = Vec::new();
        for row in 0..count {
            let doubtful = !kkt.is_dependent(row) && kkt.share(row) < DOUBTFUL;
            let rounded = doubtful && kkt.independent_part(row, &self.values) <= DEPENDENT;
            if !rounded && !kkt.is_dependent(row) {
                continue;
            }
            kkt.combination(row, &mut combination[..row]);
            let named = (0..row).filter(|r| combination[*r].abs() > LEAST_FACTOR);
            dependent.push((self.rows[row], named.map(|r| self.rows[r]).collect()));
            if rounded {
                self.values[self.pattern.range(row)].fill(0.0);
                kkt.factor(metric, &self.values);
            }
        }
        dependent
    }

    /// The same if there are more rows than velocities. Each row is compared with an orthonormal basis of those before it, at a
    /// cost that depends on the rank and not on the number of rows.
    fn dependent_beyond_rank(self, metric: &[f64]) -> Vec<Dependence> {
        let mut basis = RowBasis::new(metric);
        let mut dependent = Vec::new();
        for (i, row) in self.rows.iter().enumerate() {
            let range = self.pattern.range(i);
            let entries = self.pattern.columns[range.clone()].iter();
            let entries = entries.copied().zip(self.values[range].iter().copied());
            if let Some(factors) = basis.add(*row, entries) {
                let pairs = basis.rows.iter().zip(factors);
                let named = pairs.filter(|(_, factor)| factor.abs() > LEAST_FACTOR);
                dependent.push((*row, named.map(|(row, _)| *row).collect()));
            }
        }
        dependent
    }
}

/// An orthonormal basis of rows, in a diagonal metric, with the combination of rows that yields each vector.
struct RowBasis {
    /// Inverse square roots of the metric.
    scale: Vec<f64>,
    /// The rows of the basis, its vectors, and their factors in terms of these rows.
    rows: Vec<usize>,
    vectors: Vec<Vec<f64>>,
    factors: Vec<Vec<f64>>,
}

impl RowBasis {
    fn new(metric: &[f64]) -> Self {
        RowBasis {
            scale: metric.iter().map(|metric| 1.0 / metric.sqrt()).collect(),
            rows: Vec::new(),
            vectors: Vec::new(),
            factors: Vec::new(),
        }
    }

    /// Adds a row. For a dependent row, returns the factors of the basis rows that combine to it.
    fn add(&mut self, row: usize, entries: impl Iterator<Item = (usize, f64)>) -> Option<Vec<f64>> {
        let mut part = vec![0.0; self.scale.len()];
        for (column, value) in entries {
            part[column] += value * self.scale[column];
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let whole = dot(&part, &part);
        let mut along = vec![0.0; self.rows.len()];
        // twice is enough: the second projection removes the rounding error of the first
        for _ in 0..2 {
            for (vector, along) in self.vectors.iter().zip(&mut along) {
                let h = dot(vector, &part);
                *along += h;
                for (x, v) in part.iter_mut().zip(vector) {
                    *x -= h * v;
                }
            }
        }
        let mut factors = vec![0.0; self.rows.len()];
        for (h, of) in along.iter().zip(&self.factors) {
            for (factor, f) in factors.iter_mut().zip(of) {
                *factor += h * f;
            }
        }
        let squared = dot(&part, &part);
        if squared <= DEPENDENT * whole {
            return Some(factors);
        }
        let inverse = 1.0 / squared.sqrt();
        self.vectors
            .push(part.iter().map(|x| x * inverse).collect());
        let own = factors.iter().map(|factor| -factor * inverse);
        self.factors.push(own.chain([inverse]).collect());
        self.rows.push(row);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn a_basis_finds_the_rows_that_the_sparse_factorisation_finds() {
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let (velocities, independent) = (7, 5);
            let mut rows: Vec<Vec<f64>> = Vec::new();
            for i in 0..velocities {
                // from the sixth on, combinations of two earlier rows
                rows.push(if i < independent {
                    (0..velocities).map(|_| random.symmetric(1.0)).collect()
                } else {
                    let (a, b) = (i - independent, i - 2);
                    let sums = rows[a].iter().zip(&rows[b]);
                    sums.map(|(a, b)| 2.0 * a - 0.5 * b).collect()
                });
            }
            let (mut pattern, mut values) = (RowPattern::new(), Vec::new());
            for row in &rows {
                pattern.push(0..velocities);
                values.extend_from_slice(row);
            }
            let metric: Vec<f64> = (0..velocities).map(|i| 1.0 + i as f64).collect();
            let suspects = || Suspects::new(&pattern, &values, &[true; 7]);
            let sparse = suspects().dependent(&metric);
            assert_eq!(sparse.len(), 2, "{sparse:?}");
            assert_eq!(sparse, suspects().dependent_beyond_rank(&metric));
        }
    }
}
