//! Linear models: the motion near an equilibrium, a steady motion or an instant of any motion.
//!
//! With q = q₀ ⊕ δ and v = v₀ + ν the equations of a system become, to first order,
//!
//! ```text
//! δ̇ = ν + [∂N v₀] δ       Φ_q δ = 0       G ν + ∂(G v₀ + b)/∂q δ = 0       ν̇ = ∂v̇/∂q δ + ∂v̇/∂v ν
//! ```
//!
//! where v̇(t, q, v) solves `M v̇ + Gᵀ λ = f, G v̇ = γ`. Independent coordinates z of the n − m displacements and independent speeds u of
//! the n − m − k velocities (with k velocity constraints, so that u may have fewer components than z) parametrise every (δ, ν) that satisfies the
//! constraints, and
//!
//! ```text
//! ẋ = A x + B w       y = C x + D w       x = (δz, δu)
//! ```
//!
//! The columns are derivatives along curves tangent to the constraints, so that no state has to be projected: the differentiated
//! function is also defined off the constraints, and only its first derivative matters. Near a motion, x is the deviation from it at the
//! same time. Rotations of bodies are small rotations θ about ground axes, `θ̇ = δω + ω₀ × θ`.

mod choice;
mod coordinates;
mod difference;
mod expansion;
mod tangents;

pub use coordinates::LinearVariable;

use choice::CoordinateChoice;
use expansion::{Expanded, Expansion};
pub(crate) use tangents::LinearPencil;

use crate::math::Matrix;
use crate::methods::MethodError;
use crate::model::{DriverIndex, ForceIndex, ForceQuantity, InputIndex, Model, Signal, Stage};
use crate::system::{
    Channel, EvaluationContext, RowOwner, SignalTable, State, System, SystemKinematics,
};
use crate::unilateral::{ContactMemory, NormalLaw, unilaterals};

/// The inputs, outputs and coordinates requested of a linear model.
#[derive(Clone, Debug, Default)]
pub struct LinearModelRequest {
    /// Inputs, by name: an external input, a load of a force (`motor.effort`, or `motor` if it has only one), or a driver, whose acceleration is then the
    /// input and whose displacement and velocity become states.
    pub inputs: Vec<String>,
    /// Outputs: any signals except those of the run.
    pub outputs: Vec<String>,
    /// Preferred coordinates.
    pub coordinates: Vec<String>,
}

/// The linearisation of a system at a state: `ẋ = A x + B w`, `y = C x + D w`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Linearization {
    /// The state of linearisation.
    pub state: State,
    /// Independent coordinates z.
    pub positions: Vec<LinearVariable>,
    /// Independent speeds u; they follow z in x.
    pub speeds: Vec<LinearVariable>,
    /// Inputs w.
    pub inputs: Vec<LinearVariable>,
    /// Outputs y.
    pub outputs: Vec<LinearVariable>,
    /// A.
    pub a: Matrix,
    /// B.
    pub b: Matrix,
    /// C.
    pub c: Matrix,
    /// D.
    pub d: Matrix,
    /// Uncertainty of the entries of A; zero for an entry that is exactly zero.
    pub uncertainty: Matrix,
    /// u̇ at the state itself: zero at an equilibrium and in a steady motion.
    pub accelerations: Vec<f64>,
    /// Speeds at the state.
    pub rates: Vec<f64>,
    /// Displacement δ, in velocity coordinates of the system, for a unit of each position: one column each.
    pub displacements: Matrix,
    /// Relative change of A along the motion, 1/s: the largest change in a row divided by the largest entry of the row.
    pub change_rate: f64,
    /// `E ẋ = F x`, before it was solved for ẋ: it yields more accurate eigenvalues.
    pub(crate) pencil: Option<LinearPencil>,
}

impl Linearization {
    /// Iterates over the names and units of x.
    pub fn states(&self) -> impl Iterator<Item = &LinearVariable> {
        self.positions.iter().chain(&self.speeds)
    }

    /// Returns a sentence on the speed with the largest acceleration if the state is neither an equilibrium nor a steady motion; otherwise `None`.
    pub fn imbalance(&self) -> Option<String> {
        let list = self.accelerations.iter().enumerate();
        let (speed, worst) = list.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        (worst.abs() > BALANCED * (1.0 + self.a.amax())).then(|| {
            let LinearVariable { name, unit } = &self.speeds[speed];
            let amount = super::assemble::amount(*worst);
            format!(
                "not an equilibrium: `{name}` changes by {amount} {unit} per second; the matrices hold at this instant, for deviations from the motion"
            )
        })
    }

    /// Returns the largest uncertainty of an entry of A, relative to the largest entry of its row (at least 1e-5 of the largest of all), with its row
    /// and column.
    pub fn worst_doubt(&self) -> (f64, usize, usize) {
        let mut worst = (0.0, 0, 0);
        let counts = 1e-5 * self.a.amax();
        for i in 0..self.a.nrows() {
            let scale = self.a.row(i).amax().max(counts);
            for j in 0..self.a.ncols() {
                let doubt = self.uncertainty[(i, j)] / scale;
                if doubt > worst.0 {
                    worst = (doubt, i, j);
                }
            }
        }
        worst
    }
}

/// The reason why there is no linear model.
#[derive(Clone, PartialEq)]
pub enum LinearizeError {
    /// The constraints are dependent at this configuration but not nearby: the directions of motion are not defined.
    Singular {
        /// Rows that should be independent, and the number of those that are.
        rows: usize,
        /// See above.
        independent: usize,
    },
    /// There are no degrees of freedom.
    NoFreedom,
    /// The mass matrix is singular: the coordinates of the formulation are at a coordinate singularity.
    Pole,
    /// There is no such input.
    Input {
        /// The requested name.
        name: String,
        /// The reason, and the remedy.
        advice: String,
    },
    /// There is no such output or coordinate.
    Name {
        /// "output" or "coordinate".
        what: &'static str,
        /// The requested name.
        name: String,
        /// The reason, and the remedy.
        advice: String,
    },
    /// A contact is closed, or dry friction is at rest: the motion is not differentiable there.
    Unilateral {
        /// The element.
        element: String,
    },
    /// The accelerations cannot be computed.
    Method(MethodError),
    /// The state of linearisation cannot be computed, with the reason.
    State(String),
}

impl From<MethodError> for LinearizeError {
    fn from(error: MethodError) -> Self {
        LinearizeError::Method(error)
    }
}

impl std::fmt::Display for LinearizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinearizeError::Singular { rows, independent } => write!(
                f,
                "the configuration is singular: the constraint Jacobian has rank {independent} instead of {rows}, so the directions of motion are undefined. Choose a configuration near it"
            ),
            LinearizeError::Unilateral { element } => write!(
                f,
                "{element} is closed, or its dry friction is at rest: the motion has no linear model there. Replace it by a joint or a spring, or linearize at a state in which it is open"
            ),
            LinearizeError::Pole => write!(
                f,
                "the coordinates of the formulation are singular at this pose. Use another formulation, or a pose near it"
            ),
            LinearizeError::NoFreedom => write!(
                f,
                "the model has no degrees of freedom: drivers and joints determine its motion. Remove a driver, or make it an input"
            ),
            LinearizeError::Input { name, advice } => {
                write!(f, "`{name}` is not a valid input: {advice}")
            }
            LinearizeError::Name { what, name, advice } => {
                write!(f, "`{name}` is not a valid {what}: {advice}")
            }
            LinearizeError::Method(error) => error.fmt(f),
            LinearizeError::State(reason) => f.write_str(reason),
        }
    }
}

crate::readable_errors!(LinearizeError);

/// An input by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A measure of a force.
    Load(ForceIndex, usize),
    /// The acceleration of a driver, and its row.
    Driver(usize),
    /// An external input.
    External(InputIndex),
}

/// Gaps (m, rad) and slip velocities below this count as zero.
const CLOSED: f64 = 1e-9;

/// Checks that no unilateral constraint is closed and no dry friction is at rest.
fn check_unilaterals(system: &dyn System, state: &State) -> Result<(), LinearizeError> {
    let list = unilaterals(system.model());
    if list.is_empty() {
        return Ok(());
    }
    let mut kinematics = SystemKinematics::new(system.model());
    let State {
        time, q, v, turns, ..
    } = state;
    system.update(*time, q, v, turns, &mut kinematics);
    let context = EvaluationContext {
        model: system.model(),
        kinematics: &kinematics,
    };
    for unilateral in &list {
        let (gap, rate) = unilateral.gap(&context, &ContactMemory::default());
        let free = match unilateral.normal {
            NormalLaw::Gap => gap > CLOSED,
            NormalLaw::Velocity => rate > CLOSED,
            NormalLaw::None => rate.abs() > CLOSED,
        };
        if !free {
            let owner = unilateral.owner;
            let element = format!("{} `{}`", owner.word(), owner.name(system.model()));
            return Err(LinearizeError::Unilateral { element });
        }
    }
    Ok(())
}

/// Returns the linear model of a system at a consistent state; `active` marks the active constraint rows.
pub fn linearize(
    system: &dyn System,
    state: &State,
    active: &[bool],
    request: &LinearModelRequest,
) -> Result<Linearization, LinearizeError> {
    let model = system.model();
    check_unilaterals(system, state)?;
    let table = system.signal_table();
    let (inputs, input_names) = find_inputs(system, active, &request.inputs)?;
    let outputs = find_outputs(table, &request.outputs)?;
    let candidates = coordinates::candidates(model, table, &request.coordinates);
    for name in &request.coordinates {
        if !candidates.iter().any(|c| c.value.name == *name) {
            return Err(LinearizeError::Name {
                what: "coordinate",
                name: name.clone(),
                advice:
                    "use a joint coordinate, or x, y, z, angle, turn_x, turn_y or turn_z of a body"
                        .to_owned(),
            });
        }
    }

    let mut expansion = Expansion::new(system, state, active, &inputs);
    let choice = expansion.choose(state, &candidates, &request.coordinates)?;
    let signals: Vec<Signal> = outputs.iter().map(|c| c.signal).collect();
    let Expanded {
        a,
        b,
        c,
        d,
        uncertainty,
        accelerations,
        rates,
        displacements,
        pencil,
    } = expansion.expand(state, &choice, &inputs, &signals)?;
    let change_rate = if stands(model, state, &accelerations, &a) {
        0.0
    } else {
        change_rate(&mut expansion, state, &choice, &a)?
    };
    let variable = |c: &Channel| LinearVariable {
        name: c.name.clone(),
        unit: c.unit.clone(),
    };
    Ok(Linearization {
        state: state.clone(),
        positions: choice.positions.iter().map(|c| c.value.clone()).collect(),
        speeds: choice.speeds().map(|c| c.speed.clone()).collect(),
        inputs: input_names,
        outputs: outputs.into_iter().map(variable).collect(),
        a,
        b,
        c,
        d,
        uncertainty,
        accelerations,
        rates,
        displacements,
        change_rate,
        pencil,
    })
}

/// Accelerations below this, relative to the largest coefficient, indicate an equilibrium.
const BALANCED: f64 = 1e-9;

/// Whether nothing moves and nothing depends on time, so that A is constant.
fn stands(model: &Model, state: &State, accelerations: &[f64], a: &Matrix) -> bool {
    let still = state.v.iter().all(|v| *v == 0.0);
    let largest = accelerations.iter().fold(0.0, |m, x| f64::max(m, x.abs()));
    let laws = model.forces.iter().flat_map(|f| f.force.laws());
    let mut laws = laws.chain(model.sensors.iter().map(|s| &s.law));
    let timed = laws.any(|law| law.inputs().contains(&Signal::Time));
    let driven = !model.drivers.is_empty() || !model.controllers.is_empty();
    still && largest <= BALANCED * (1.0 + a.amax()) && !timed && !driven
}

/// Differences of A below this, relative to its largest entry, are rounding errors.
const NOISE: f64 = 1e-10;

/// Returns the relative change of A along the motion, by its difference shortly before and after.
fn change_rate(
    expansion: &mut Expansion<'_>,
    state: &State,
    choice: &CoordinateChoice,
    a: &Matrix,
) -> Result<f64, LinearizeError> {
    let (later, earlier, time) = expansion.beside(state)?;
    let later = expansion.expand(&later, choice, &[], &[])?.a;
    let earlier = expansion.expand(&earlier, choice, &[], &[])?.a;
    // residuals of zeros are not a change
    let noise = NOISE * a.amax();
    let change = (later - earlier).map(|x| if x.abs() > noise { x } else { 0.0 });
    let relative = |i: usize| {
        let scale = a.row(i).amax().max(change.row(i).amax());
        if scale > 0.0 {
            change.row(i).amax() / (scale * 2.0 * time)
        } else {
            0.0
        }
    };
    Ok((0..a.nrows()).map(relative).fold(0.0, f64::max))
}

fn find_inputs(
    system: &dyn System,
    active: &[bool],
    names: &[String],
) -> Result<(Vec<Input>, Vec<LinearVariable>), LinearizeError> {
    let (model, table) = (system.model(), system.signal_table());
    let (mut inputs, mut variables) = (Vec::new(), Vec::new());
    for name in names {
        let refuse = |advice: String| LinearizeError::Input {
            name: name.clone(),
            advice,
        };
        if let Some(d) = model.drivers.iter().position(|d| d.name == *name) {
            let owner = RowOwner::Driver(DriverIndex(d));
            let row = system.rows().iter().position(|label| label.owner == owner);
            let Some(row) = row.filter(|row| active[*row]) else {
                return Err(refuse(
                    "this driver is redundant: other constraints determine its motion".to_owned(),
                ));
            };
            inputs.push(Input::Driver(row));
            let target = Signal::Driver(DriverIndex(d), crate::model::DriverQuantity::Target);
            let unit = table.describe(target).map_or("", |c| c.unit.as_str());
            variables.push(LinearVariable {
                name: format!("{name}.acceleration"),
                unit: format!("{unit}/s^2"),
            });
            continue;
        }
        if let Some(k) = model.inputs.iter().position(|input| input.name == *name) {
            inputs.push(Input::External(InputIndex(k)));
            variables.push(LinearVariable {
                name: name.clone(),
                unit: model.inputs[k].unit.clone(),
            });
            continue;
        }
        let all = table.channels().iter();
        let loads: Vec<(&Channel, ForceIndex, usize)> = all
            .filter_map(|c| match c.signal {
                Signal::Force(f, ForceQuantity::Measure(k)) => Some((c, f, k)),
                _ => None,
            })
            .filter(|(c, f, k)| {
                let here = c.name == *name || model.forces[f.0].name == *name;
                here && expansion::pushes(model, *f, *k)
            })
            .collect();
        match loads.as_slice() {
            [(channel, f, k)] => {
                inputs.push(Input::Load(*f, *k));
                variables.push(LinearVariable {
                    name: channel.name.clone(),
                    unit: channel.unit.clone(),
                });
            }
            [] => return Err(refuse(input_advice(model))),
            several => {
                let names: Vec<&str> = several.iter().map(|(c, ..)| c.name.as_str()).collect();
                return Err(refuse(format!(
                    "it has several loads; choose one of {}",
                    names.join(", ")
                )));
            }
        }
    }
    Ok((inputs, variables))
}

fn input_advice(model: &Model) -> String {
    let forces = model.forces.iter().enumerate().filter_map(|(f, element)| {
        let measures = element.force.measures().len();
        let pushes = (0..measures).any(|k| expansion::pushes(model, ForceIndex(f), k));
        pushes.then_some(element.name.as_str())
    });
    let names: Vec<&str> = forces
        .chain(model.drivers.iter().map(|d| d.name.as_str()))
        .chain(model.inputs.iter().map(|input| input.name.as_str()))
        .collect();
    if names.is_empty() {
        "the model has no force, driver or [[input]] that could be one; add an [[input]], or an actuator with effort 0"
            .to_owned()
    } else {
        format!("available inputs are {}", names.join(", "))
    }
}

fn find_outputs<'c>(
    table: &'c SignalTable,
    names: &[String],
) -> Result<Vec<&'c Channel>, LinearizeError> {
    let find = |name: &String| {
        let refuse = |advice: &str| LinearizeError::Name {
            what: "output",
            name: name.clone(),
            advice: advice.to_owned(),
        };
        let channel = table
            .find(name)
            .ok_or_else(|| refuse("there is no such signal"))?;
        if channel.stage == Stage::Run {
            return Err(refuse(
                "it depends on the history of the run, not on the state alone",
            ));
        }
        Ok(channel)
    };
    names.iter().map(find).collect()
}
