//! How efforts change with a motion, along a trajectory: `δf = A δq̈ + 2B δq̇ + C δq`.

use biela_core::math::{Complex, Matrix, spectrum};
use biela_core::robot::Sensitivity;

use super::{History, Reference, WorkbenchError};

/// The matrices at a time.
#[derive(Clone, Debug)]
pub struct Linearized {
    /// The time.
    pub time: f64,
    /// A = ∂f/∂q̈.
    pub a: Matrix,
    /// B = ½ ∂f/∂q̇.
    pub b: Matrix,
    /// C = ∂f/∂q.
    pub c: Matrix,
    /// Eigenvalues of the motion with the efforts as they are.
    pub poles: Vec<Complex<f64>>,
}

/// The entries of A, 2B and C over time, as columns `A.i.j`, `2B.i.j`, `C.i.j` by names of joints.
pub fn sensitivities(reference: &mut Reference, times: &[f64]) -> History {
    let mut history = History {
        times: times.to_vec(),
        ..History::default()
    };
    let n = reference.robot.joints.len();
    let words = [
        ("A", "*s^2", "change of effort with an acceleration"),
        ("2B", "*s", "change of effort with a rate"),
        ("C", "", "change of effort with a position"),
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
        // only the diagonals: more lines could not be told apart
        let shown: Vec<usize> = (0..n).map(|i| list[n * i + i]).collect();
        history.draw(&shown);
    }
    history
}

/// The matrices at one time, with the eigenvalues of the motion.
pub fn linearize_at(reference: &mut Reference, time: f64) -> Result<Linearized, WorkbenchError> {
    let mut ws = reference.workspace();
    let mut out = Sensitivity::new(&reference.robot);
    reference.at(time);
    let [q, rate, acceleration] = &reference.point;
    out.compute(&reference.robot, &mut ws, [q, rate, acceleration]);
    let states = out.states().ok_or(WorkbenchError::NoInverse { time })?;
    let none = Matrix::zeros(states.nrows(), states.ncols());
    let found =
        spectrum(&states, &none).map_err(|error| WorkbenchError::Other(error.to_string()))?;
    Ok(Linearized {
        time,
        poles: found.values,
        a: out.a,
        b: out.b,
        c: out.c,
    })
}
