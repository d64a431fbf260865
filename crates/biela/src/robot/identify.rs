//! Parameter identification from measured motions and generalized forces: of the whole robot, or of its payload.

use biela_core::math::Matrix;
use biela_core::model::Model;
use biela_core::robot::regressor::{
    BODY, BaseParameters, MeasuredSample, Regressor, parameter_names, payload_regressor,
};
use biela_core::robot::{Robot, RobotJoint};
use biela_core::tree::{TreeLocation, TreeWorkspace, rnea};

use super::parameters::describe;
use super::{MotionTable, WorkbenchError};

/// An identified parameter or combination of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentifiedParameter {
    /// Its formula.
    pub formula: String,
    /// Its value, in SI units.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Its value in the model, if known.
    pub model: Option<f64>,
}

/// The result of an identification.
#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// The parameters.
    pub found: Vec<IdentifiedParameter>,
    /// Parameters that the motion does not identify.
    pub hidden: Vec<&'static str>,
    /// Standard deviation of the residual efforts, one per joint.
    pub noise: Vec<f64>,
}

/// Singular values below this fraction of the largest carry no information.
const TELLS_NOTHING: f64 = 1e-8;

/// Reads the samples from columns `JOINT.position`, `JOINT.rate`, `JOINT.acceleration` and `JOINT.effort`.
fn samples(robot: &Robot, data: &MotionTable) -> Result<Vec<MeasuredSample>, WorkbenchError> {
    let column = |joint: &RobotJoint, word: &str| {
        let name = format!("{}.{word}", joint.name);
        data.column(std::slice::from_ref(&name))
            .ok_or_else(|| WorkbenchError::Other(format!("the table has no column `{name}`")))
    };
    let mut parts: Vec<Vec<&[f64]>> = Vec::new();
    for word in ["position", "rate", "acceleration", "effort"] {
        let columns = robot.joints.iter().map(|joint| column(joint, word));
        parts.push(columns.collect::<Result<_, _>>()?);
    }
    let rows = data.times().len();
    let sample = |k: usize| {
        let pick = |part: usize| parts[part].iter().map(|c| c[k]).collect::<Vec<f64>>();
        let mut q = vec![0.0; robot.tree.positions];
        robot.scatter_positions(&pick(0), &mut q);
        let spread = |part: usize| {
            let mut out = vec![0.0; robot.tree.velocities];
            robot.scatter(&pick(part), &mut out);
            out
        };
        MeasuredSample {
            q,
            v: spread(1),
            a: spread(2),
            f: spread(3),
        }
    };
    Ok((0..rows).map(sample).collect())
}

/// Identifies the base parameters from measured efforts by least squares.
pub fn identify(
    model: &Model,
    drives: bool,
    data: &MotionTable,
) -> Result<Identification, WorkbenchError> {
    let robot = Robot::complete(model)?;
    let samples = samples(&robot, data)?;
    let tree = &robot.tree;
    let mut regressor = Regressor::new(tree, drives);
    let base = BaseParameters::of(tree, &mut regressor);
    let told = base
        .identify(tree, &mut regressor, &samples)
        .map_err(|error| WorkbenchError::Other(error.to_string()))?;
    let believed = base.values(&regressor.parameters(tree));
    let name = |parameter| describe(model, &robot, parameter);
    let found = base
        .groups
        .iter()
        .enumerate()
        .map(|(k, group)| IdentifiedParameter {
            formula: base.formula(&regressor, group, name),
            value: told.values[k],
            error: told.errors[k],
            model: Some(believed[k]),
        });
    Ok(Identification {
        found: found.collect(),
        hidden: Vec::new(),
        noise: told.noise,
    })
}

/// Identifies mass, first moments and inertia of the payload about a frame and along its axes, from the difference between measured efforts and those of the
/// model.
pub fn payload(
    model: &Model,
    frame: &TreeLocation,
    data: &MotionTable,
) -> Result<Identification, WorkbenchError> {
    let robot = Robot::complete(model)?;
    let samples = samples(&robot, data)?;
    let tree = &robot.tree;
    let n = tree.velocities;
    let (mut ws, mut needed) = (TreeWorkspace::new(tree), vec![0.0; n]);
    let mut block = vec![0.0; n * BODY];
    let mut stacked = Matrix::zeros(n * samples.len(), BODY);
    let mut beyond = Matrix::zeros(n * samples.len(), 1);
    for (t, MeasuredSample { q, v, a, f }) in samples.iter().enumerate() {
        rnea(tree, &mut ws, q, v, a, &[], &mut needed);
        payload_regressor(tree, &mut ws, frame, [q, v, a], &mut block);
        for k in 0..n {
            beyond[(n * t + k, 0)] = f[k] - needed[k];
            for p in 0..BODY {
                stacked[(n * t + k, p)] = block[BODY * k + p];
            }
        }
    }
    if stacked.nrows() <= BODY {
        return Err(WorkbenchError::Other(
            "too few rows to identify a payload; record more".to_owned(),
        ));
    }
    // columns are normalized, so that kg and kg·m² have equal weight
    let scale: Vec<f64> = stacked.column_iter().map(|c| c.norm()).collect();
    let largest = scale.iter().copied().fold(0.0, f64::max);
    let told: Vec<usize> = (0..BODY)
        .filter(|&p| scale[p] > TELLS_NOTHING * largest)
        .collect();
    let scaled = Matrix::from_fn(stacked.nrows(), told.len(), |i, j| {
        stacked[(i, told[j])] / scale[told[j]]
    });
    let svd = scaled.clone().svd(true, true);
    let threshold = TELLS_NOTHING * svd.singular_values.amax();
    let solved = svd
        .solve(&beyond, threshold)
        .map_err(|why| WorkbenchError::Other(why.to_owned()))?;
    let left = &beyond - &scaled * &solved;
    let freedom = (left.nrows() - told.len()).max(1) as f64;
    let variance = left.norm_squared() / freedom;
    let directions = svd.v_t.unwrap_or_else(|| Matrix::zeros(0, told.len()));
    let names = parameter_names();
    let (mut found, mut hidden) = (Vec::new(), Vec::new());
    for (p, name) in names.into_iter().enumerate() {
        let Some(j) = told.iter().position(|&k| k == p) else {
            hidden.push(name);
            continue;
        };
        // a direction without information hides the parameters in it
        let mut spread = 0.0;
        let mut blind = false;
        for (row, s) in directions.row_iter().zip(svd.singular_values.iter()) {
            if *s > threshold {
                spread += (row[j] / s).powi(2);
            } else if row[j].abs() > 1e-6 {
                blind = true;
            }
        }
        if blind {
            hidden.push(name);
            continue;
        }
        found.push(IdentifiedParameter {
            formula: name.to_owned(),
            value: solved[(j, 0)] / scale[p],
            error: (variance * spread).sqrt() / scale[p],
            model: None,
        });
    }
    let noise = (0..n).map(|k| {
        let rows = (k..left.nrows()).step_by(n);
        let square: f64 = rows.map(|i| left[(i, 0)].powi(2)).sum();
        (square / samples.len() as f64).sqrt()
    });
    Ok(Identification {
        found,
        hidden,
        noise: noise.collect(),
    })
}
