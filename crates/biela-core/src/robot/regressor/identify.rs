//! Identification of parameters from measured motions and forces, by least squares.
//!
//! ```text
//! min Σ_joints Σ_samples ((f − Y₁ b) / σ)²        cov b = (Σ Y₁ᵀ Y₁ / σ²)⁻¹
//! ```
//!
//! Each joint is weighted by its own noise σ, which is estimated from the preceding fit; the first fit is unweighted.

use nalgebra::{DMatrix, DVector};

use super::{BaseParameters, Regressor};
use crate::tree::{Tree, TreeWorkspace};

/// Ratio to the largest singular value below which a singular value counts as zero.
const RANK: f64 = 1e-10;

/// Number of fits, each with weights from the preceding one: the noise of the joint with the least noise converges last.
const FITS: usize = 5;

/// A measured instant: positions, velocities, accelerations and forces of all joints.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredSample {
    /// Positions of the tree.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Forces.
    pub f: Vec<f64>,
}

/// Excitation: how well a motion identifies the base parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excitation {
    /// Condition number of the stacked regressors; infinite if the motion does not identify all parameters.
    pub condition: f64,
    /// The condition number with every column scaled to unit norm, independent of the magnitudes of the parameters.
    pub scaled: f64,
}

/// The reason why parameters cannot be identified.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdentifyError {
    /// There are fewer measured forces than parameters.
    TooFew {
        /// Measured forces.
        forces: usize,
        /// Parameters.
        parameters: usize,
    },
    /// The motion does not excite all combinations: the regressor is rank-deficient.
    NotExciting {
        /// Number of identifiable combinations.
        rank: usize,
        /// All combinations.
        parameters: usize,
    },
    /// The number of values of a sample differs from the number of joints, or a value is not finite.
    Sample {
        /// Index of the sample.
        number: usize,
    },
}

impl std::fmt::Display for IdentifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IdentifyError::TooFew { forces, parameters } => write!(
                f,
                "{forces} measured forces do not determine {parameters} parameters: add samples"
            ),
            IdentifyError::NotExciting { rank, parameters } => write!(
                f,
                "along this motion only {rank} of {parameters} parameters are identifiable: move all joints at varying speeds"
            ),
            IdentifyError::Sample { number } => write!(
                f,
                "sample {number} does not have one finite coordinate, velocity, acceleration and force per joint"
            ),
        }
    }
}

crate::readable_errors!(IdentifyError);

/// Parameters that fit measured forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Identified {
    /// One per combination of the base parameters.
    pub values: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
    /// Standard deviation of the force residuals, one per joint.
    pub noise: Vec<f64>,
}

impl BaseParameters {
    /// Returns the excitation of a motion, given by samples of positions, velocities and accelerations.
    pub fn excitation(
        &self,
        tree: &Tree,
        regressor: &mut Regressor,
        motion: &[[Vec<f64>; 3]],
    ) -> Excitation {
        let mut ws = TreeWorkspace::new(tree);
        let n = regressor.rows();
        let mut stacked = DMatrix::zeros(n * motion.len(), self.len());
        for (t, [q, v, a]) in motion.iter().enumerate() {
            regressor.place(tree, &mut ws, [q, v, a]);
            self.stack(regressor, n * t, &mut stacked);
        }
        let condition = condition(&stacked);
        for mut column in stacked.column_iter_mut() {
            let size = column.norm();
            if size > 0.0 {
                column /= size;
            }
        }
        Excitation {
            condition,
            scaled: self::condition(&stacked),
        }
    }

    /// Returns the least-squares estimate of the parameters from measured forces.
    pub fn identify(
        &self,
        tree: &Tree,
        regressor: &mut Regressor,
        samples: &[MeasuredSample],
    ) -> Result<Identified, IdentifyError> {
        let n = regressor.rows();
        let (forces, parameters) = (n * samples.len(), self.len());
        if forces <= parameters {
            return Err(IdentifyError::TooFew { forces, parameters });
        }
        let mut ws = TreeWorkspace::new(tree);
        let mut stacked = DMatrix::zeros(forces, parameters);
        let mut measured = DVector::zeros(forces);
        for (t, sample) in samples.iter().enumerate() {
            let MeasuredSample { q, v, a, f } = sample;
            let lists = [(q, tree.positions), (v, n), (a, n), (f, n)];
            let whole = |(list, n): &(&Vec<f64>, usize)| {
                list.len() == *n && list.iter().all(|x| x.is_finite())
            };
            if !lists.iter().all(whole) {
                return Err(IdentifyError::Sample { number: t });
            }
            regressor.place(tree, &mut ws, [q, v, a]);
            self.stack(regressor, n * t, &mut stacked);
            measured.rows_mut(n * t, n).copy_from_slice(f);
        }
        let (mut noise, mut variance) = (vec![1.0; n], 0.0);
        let (mut rows, mut values) = (stacked.clone(), DVector::zeros(parameters));
        for _ in 0..FITS {
            let mut forces = measured.clone();
            // a joint without noise would have infinite weight
            let floor = noise
                .iter()
                .fold(f64::MIN_POSITIVE, |m: f64, x| m.max(1e-6 * x));
            for (row, force) in forces.iter_mut().enumerate() {
                let sigma = noise[row % n].max(floor);
                rows.set_row(row, &(stacked.row(row) / sigma));
                *force /= sigma;
            }
            values = fit(&rows, &forces)?;
            variance =
                (&forces - &rows * &values).norm_squared() / (forces.len() - parameters) as f64;
            noise = self.noise(&stacked, &measured, &values, n);
        }
        let R = rows.qr().r();
        let identity = DMatrix::identity(parameters, parameters);
        let inverse = R.solve_upper_triangular(&identity).unwrap_or(identity);
        let errors = inverse.row_iter().map(|row| row.norm() * variance.sqrt());
        Ok(Identified {
            values: values.as_slice().to_vec(),
            errors: errors.collect(),
            noise,
        })
    }

    /// Copies the independent columns of a regressor into rows of the stacked matrix.
    fn stack(&self, regressor: &Regressor, from: usize, stacked: &mut DMatrix<f64>) {
        for (i, row) in regressor.by_rows().enumerate() {
            for (j, group) in self.groups.iter().enumerate() {
                stacked[(from + i, j)] = row[group.column];
            }
        }
    }

    /// Standard deviation of the residuals of a fit, one per joint.
    fn noise(
        &self,
        stacked: &DMatrix<f64>,
        measured: &DVector<f64>,
        values: &DVector<f64>,
        joints: usize,
    ) -> Vec<f64> {
        let left = measured - stacked * values;
        let samples = left.len() / joints;
        let free = (left.len() - self.len()) as f64 / left.len() as f64;
        let of = |joint: usize| {
            let squares = (0..samples).map(|t| left[joints * t + joint].powi(2));
            (squares.sum::<f64>() / (samples as f64 * free)).sqrt()
        };
        (0..joints).map(of).collect()
    }
}

/// Least squares with columns scaled to unit norm.
fn fit(stacked: &DMatrix<f64>, measured: &DVector<f64>) -> Result<DVector<f64>, IdentifyError> {
    let parameters = stacked.ncols();
    let sizes: Vec<f64> = stacked
        .column_iter()
        .map(|column| column.norm().max(f64::MIN_POSITIVE))
        .collect();
    let mut scaled = stacked.clone();
    for (mut column, size) in scaled.column_iter_mut().zip(&sizes) {
        column /= *size;
    }
    let qr = scaled.qr();
    let R = qr.r();
    let singular = R.clone().singular_values();
    let rank = singular
        .iter()
        .filter(|s| **s > RANK * singular.max())
        .count();
    let mut values = qr.q().transpose() * measured;
    if rank < parameters || !R.solve_upper_triangular_mut(&mut values) {
        return Err(IdentifyError::NotExciting { rank, parameters });
    }
    for (value, size) in values.iter_mut().zip(&sizes) {
        *value /= size;
    }
    Ok(values)
}

/// Condition number: the ratio of the largest singular value to the smallest.
fn condition(matrix: &DMatrix<f64>) -> f64 {
    if matrix.nrows() < matrix.ncols() || matrix.is_empty() {
        return f64::INFINITY;
    }
    let singular = matrix.clone().qr().r().singular_values();
    let (largest, least) = (singular.max(), singular.min());
    if least > RANK * largest {
        largest / least
    } else {
        f64::INFINITY
    }
}
