//! Base parameters: the combinations of inertial parameters that are identifiable from motions.
//!
//! Columns of Y that depend linearly on preceding columns in every motion contain no new information: with the independent columns Y₁ and `Y₂ = Y₁ β`,
//!
//! ```text
//! f = Y₁ π₁ + Y₂ π₂ = Y₁ (π₁ + β π₂)
//! ```
//!
//! β follows from a factorisation of the regressors of random motions, column by column (M. Gautier, *J. Robotic Systems* 8 (1991) 485-506). Starting
//! from the ground, the parameters of a link are grouped with those of preceding links.

use super::Regressor;
use crate::math::Random;
use crate::math::dense::{add, dot};
use crate::tree::{Tree, TreeWorkspace, normalize};

/// Relative norm of the independent part of a column below which it is linearly dependent.
const DEPENDENT: f64 = 1e-9;
/// Coefficients below this are rounding errors.
const NOTHING: f64 = 1e-9;
/// Rows of random motions per column.
const ROWS_A_COLUMN: usize = 2;

/// An identifiable parameter, together with those grouped with it.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseParameter {
    /// Its column in the regressor.
    pub column: usize,
    /// Columns of the grouped parameters, with their factors.
    pub joined: Vec<(usize, f64)>,
}

/// The combinations of parameters on which joint forces depend.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseParameters {
    /// One per combination.
    pub groups: Vec<BaseParameter>,
    /// Columns that affect no motion.
    pub idle: Vec<usize>,
}

impl BaseParameters {
    /// Computes those of a tree from random motions.
    pub fn of(tree: &Tree, regressor: &mut Regressor) -> Self {
        let columns = regressor.columns();
        let mut ws = TreeWorkspace::new(tree);
        let mut random = Random::new(1);
        let mut stacked: Vec<Vec<f64>> = vec![Vec::new(); columns];
        let rows = regressor.rows().max(1);
        for _ in 0..(ROWS_A_COLUMN * columns).div_ceil(rows) + 2 {
            let mut vector =
                |n: usize| -> Vec<f64> { (0..n).map(|_| random.symmetric(3.0)).collect() };
            let (mut q, v, a) = (
                vector(tree.positions),
                vector(tree.velocities),
                vector(tree.velocities),
            );
            normalize(tree, &mut q);
            regressor.place(tree, &mut ws, [&q, &v, &a]);
            for row in regressor.by_rows() {
                for (column, value) in stacked.iter_mut().zip(row) {
                    column.push(*value);
                }
            }
        }
        Self::from_columns(&stacked)
    }

    /// Computes those of given columns.
    fn from_columns(columns: &[Vec<f64>]) -> Self {
        let mut base = BaseParameters {
            groups: Vec::new(),
            idle: Vec::new(),
        };
        let largest = columns.iter().map(|x| dot(x, x)).fold(0.0, f64::max);
        let mut basis: Vec<Vec<f64>> = Vec::new();
        // columns of R: each kept column in terms of the basis
        let mut upper: Vec<Vec<f64>> = Vec::new();
        for (k, column) in columns.iter().enumerate() {
            let size = dot(column, column).sqrt();
            if size <= DEPENDENT * largest.sqrt() {
                base.idle.push(k);
                continue;
            }
            let mut rest = column.clone();
            let mut parts = vec![0.0; basis.len()];
            // orthogonalise twice: sufficient for full accuracy
            for _ in 0..2 {
                for (part, unit) in parts.iter_mut().zip(&basis) {
                    let along = dot(unit, &rest);
                    *part += along;
                    add(&mut rest, -along, unit);
                }
            }
            let left = dot(&rest, &rest).sqrt();
            if left > DEPENDENT * size {
                for x in &mut rest {
                    *x /= left;
                }
                basis.push(rest);
                parts.push(left);
                upper.push(parts);
                base.groups.push(BaseParameter {
                    column: k,
                    joined: Vec::new(),
                });
                continue;
            }
            // R β = parts
            for i in (0..upper.len()).rev() {
                let factor = parts[i] / upper[i][i];
                add(&mut parts[..i], -factor, &upper[i][..i]);
                if factor.abs() > NOTHING {
                    base.groups[i].joined.push((k, factor));
                }
            }
        }
        base
    }

    /// Number of combinations.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether no parameter has an effect.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The combinations of given parameters: `π₁ + β π₂`.
    pub fn values(&self, parameters: &[f64]) -> Vec<f64> {
        let value = |group: &BaseParameter| {
            let joined = group
                .joined
                .iter()
                .map(|(k, factor)| factor * parameters[*k]);
            parameters[group.column] + joined.sum::<f64>()
        };
        self.groups.iter().map(value).collect()
    }

    /// Computes the forces of a motion from the combinations, with the regressor evaluated for it.
    pub fn forces(&self, regressor: &Regressor, values: &[f64], out: &mut [f64]) {
        for (f, row) in out.iter_mut().zip(regressor.by_rows()) {
            let terms = self.groups.iter().zip(values);
            *f = terms.map(|(group, value)| row[group.column] * value).sum();
        }
    }

    /// A combination as a formula: `Izz1 + 0.09 m2`. `name` returns the name of a link, or of a joint coordinate for parameters of drives.
    pub fn formula(
        &self,
        regressor: &Regressor,
        group: &BaseParameter,
        name: impl Fn(super::DynamicParameter) -> String,
    ) -> String {
        let mut text = name(regressor.parameter(group.column));
        for (k, factor) in &group.joined {
            let sign = if *factor < 0.0 { '-' } else { '+' };
            let size = factor.abs();
            let part = name(regressor.parameter(*k));
            let term = if (size - 1.0).abs() < NOTHING {
                part
            } else {
                format!("{} {part}", short(size))
            };
            text = format!("{text} {sign} {term}");
        }
        text
    }
}

/// A factor rounded to few digits.
fn short(x: f64) -> f64 {
    format!("{x:.6e}").parse().unwrap_or(x)
}
