//! Linearization of the inverse dynamics along a trajectory: `δf = A δq̈ + 2B δq̇ + C δq`.

use biela_core::math::{Complex, Matrix, spectrum};
use biela_core::robot::{Robot, Sensitivity};

use super::{History, RobotReference, WorkbenchError};

/// The matrices about a motion.
#[derive(Clone, Debug)]
pub struct Linearized {
    /// The motion of the joints: positions, velocities and accelerations.
    pub point: [Vec<f64>; 3],
    /// A = ∂f/∂q̈.
    pub a: Matrix,
    /// B = ½ ∂f/∂q̇.
    pub b: Matrix,
    /// C = ∂f/∂q = Cᵃ + Cᶜ + Cᵍ.
    pub c: Matrix,
    /// The parts of C due to accelerations (Cᵃ), velocity products (Cᶜ) and gravity (Cᵍ).
    pub c_parts: [Matrix; 3],
    /// State form: the matrix of `d/dt (δq, δq̇)` with respect to (δq, δq̇), `[[0, 1], [−A⁻¹C, −2A⁻¹B]]`.
    pub states: Matrix,
    /// State form: the matrix of `d/dt (δq, δq̇)` with respect to δf, `[0; A⁻¹]`.
    pub inputs: Matrix,
    /// Eigenvalues of the motion under constant generalized forces.
    pub poles: Vec<Complex<f64>>,
}

/// The entries of A, 2B and C over time, as columns `A.i.j`, `2B.i.j`, `C.i.j` with joint names.
pub fn sensitivities(reference: &mut RobotReference, times: &[f64]) -> History {
    let mut history = History {
        times: times.to_vec(),
        ..History::default()
    };
    let n = reference.robot.joints.len();
    let words = [
        (
            "A",
            "*s^2",
            "derivative of the force or torque with respect to a joint acceleration",
        ),
        (
            "2B",
            "*s",
            "derivative of the force or torque with respect to a joint velocity",
        ),
        (
            "C",
            "",
            "derivative of the force or torque with respect to a joint position",
        ),
    ];
    let columns = words.map(|(word, time, text)| {
        let mut list = Vec::with_capacity(n * n);
        for row in &reference.robot.joints {
            for column in &reference.robot.joints {
                let name = format!("{word}.{}.{}", row.name, column.name);
                let unit = format!("{}{time}/{}", row.effort_unit(), column.unit());
                list.push(history.add(name, &unit, text));
            }
        }
        list
    });
    let mut ws = reference.workspace();
    let mut out = Sensitivity::new(&reference.robot);
    for &time in times {
        reference.at(time);
        let [q, rate, acceleration] = &reference.point;
        out.compute(&reference.robot, &mut ws, [q, rate, acceleration]);
        for i in 0..n {
            for j in 0..n {
                let values = [out.a[(i, j)], 2.0 * out.b[(i, j)], out.c[(i, j)]];
                for (value, list) in values.into_iter().zip(&columns) {
                    history.values[list[n * i + j]].push(value);
                }
            }
        }
    }
    for list in &columns {
        // only the diagonals: more lines would be indistinguishable
        let shown: Vec<usize> = (0..n).map(|i| list[n * i + i]).collect();
        history.draw(&shown);
    }
    history
}

/// Linearizes at one time of a reference motion and computes the eigenvalues.
pub fn linearize_at(
    reference: &mut RobotReference,
    time: f64,
) -> Result<Linearized, WorkbenchError> {
    reference.at(time);
    linearize(&reference.robot, reference.point.clone()).map_err(|error| match error {
        WorkbenchError::NoInverse { .. } => WorkbenchError::NoInverse { time: Some(time) },
        other => other,
    })
}

/// Linearizes about a motion of the joints (positions, velocities and accelerations) and computes the eigenvalues.
pub fn linearize(robot: &Robot, point: [Vec<f64>; 3]) -> Result<Linearized, WorkbenchError> {
    let mut ws = robot.workspace();
    let mut out = Sensitivity::new(robot);
    let n = robot.joints.len();
    let rest = vec![0.0; n];
    let [q, rate, acceleration] = &point;
    // C is linear in the accelerations and in the velocity products
    let mut c_of = |rate: &[f64], acceleration: &[f64]| {
        out.compute(robot, &mut ws, [q, rate, acceleration]);
        out.c.clone()
    };
    let gravity = c_of(&rest, &rest);
    let moving = c_of(rate, &rest);
    let whole = c_of(rate, acceleration);
    let c_parts = [&whole - &moving, &moving - &gravity, gravity];
    let no_inverse = || WorkbenchError::NoInverse { time: None };
    let states = out.states().ok_or_else(no_inverse)?;
    let inverse = out.a.clone().cholesky().ok_or_else(no_inverse)?.inverse();
    let mut inputs = Matrix::zeros(2 * n, n);
    inputs.rows_mut(n, n).copy_from(&inverse);
    let none = Matrix::zeros(states.nrows(), states.ncols());
    let found =
        spectrum(&states, &none).map_err(|error| WorkbenchError::Other(error.to_string()))?;
    Ok(Linearized {
        point,
        poles: found.values,
        a: out.a,
        b: out.b,
        c: out.c,
        c_parts,
        states,
        inputs,
    })
}
