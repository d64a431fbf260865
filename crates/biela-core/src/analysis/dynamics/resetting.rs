//! Runs that start again at other joint coordinates.

use std::sync::Arc;

use super::{RunFailure, Simulation};
use crate::analysis::assemble::{AssembleError, Assembler, Pins};
use crate::model::{JointIndex, JointQuantity, Signal};
use crate::system::{State, System};

/// The reason why a run cannot start at requested values.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ResetError {
    /// A signal is not the coordinate of a joint or its velocity.
    NotACoordinate {
        /// The signal's name.
        signal: String,
    },
    /// A value is NaN or infinite.
    NotFinite {
        /// The signal's name.
        signal: String,
        /// The value.
        value: f64,
    },
    /// The constraints do not permit a value.
    Inconsistent(Box<AssembleError>),
    /// The constraints cannot be satisfied near the initial configuration.
    Open,
    /// The start cannot be evaluated.
    Failed(Box<RunFailure>),
}

impl std::fmt::Display for ResetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResetError::NotACoordinate { signal } => write!(
                f,
                "`{signal}` cannot be an initial value: give coordinates of joints and their velocities"
            ),
            ResetError::NotFinite { signal, value } => {
                write!(
                    f,
                    "the initial value of `{signal}` is {value}: give a finite number"
                )
            }
            ResetError::Inconsistent(error) => error.fmt(f),
            ResetError::Open => write!(
                f,
                "the position constraints cannot be satisfied with the initial values: change or omit some of them"
            ),
            ResetError::Failed(failure) => failure.fmt(f),
        }
    }
}

crate::readable_errors!(ResetError);

/// A joint coordinate and its value.
type JointValue = (JointIndex, usize, f64);

impl Simulation {
    /// Starts again at the initial time with other coordinates of joints, or velocities of them; the others keep their initial values as far as the
    /// constraints permit.
    pub fn reset_with(&mut self, values: &[(Signal, f64)]) -> Result<(), ResetError> {
        let (mut coordinates, mut rates) = (Vec::new(), Vec::new());
        for &(signal, value) in values {
            let name = || self.name_of(signal);
            if !value.is_finite() {
                let signal = name();
                return Err(ResetError::NotFinite { signal, value });
            }
            match signal {
                Signal::Joint(joint, JointQuantity::Value(k)) => {
                    coordinates.push((joint, k, value));
                }
                Signal::Joint(joint, JointQuantity::Rate(k)) => rates.push((joint, k, value)),
                _ => return Err(ResetError::NotACoordinate { signal: name() }),
            }
        }
        let rewound = self.rewind();
        rewound.map_err(|cause| self.reset_failure(cause))?;
        // contacts do not take part in assembly
        let system = Arc::clone(self.dynamics.system.base().unwrap_or(&self.dynamics.system));
        let all = self.joint_values();
        let mut state = self.state.clone();
        let others = |given: &[JointValue], at: usize| -> Vec<JointValue> {
            let is_given = |j, k| given.iter().any(|(joint, l, _)| (*joint, *l) == (j, k));
            let all = all.iter().filter(|(j, k, _)| !is_given(*j, *k));
            let all = all.map(|(j, k, both)| (*j, *k, both[at]));
            given.iter().copied().chain(all).collect()
        };
        // first with all other coordinates at their initial values, which a closed loop does not permit
        let from: Vec<JointValue> = all.iter().map(|(j, k, both)| (*j, *k, both[0])).collect();
        let wanted = others(&coordinates, 0);
        let placed = place(system.as_ref(), &mut state, &from, &wanted);
        if placed.is_err() {
            state.clone_from(&self.state);
            place(system.as_ref(), &mut state, &from, &coordinates)?;
        }
        let moved = set_moving(system.as_ref(), &mut state, &others(&rates, 1));
        if moved.is_err() {
            state.v.copy_from_slice(&self.state.v);
            set_moving(system.as_ref(), &mut state, &rates)?;
        }
        self.state.copy_from(&state);
        let begun = self.begin_here();
        begun.map_err(|cause| self.reset_failure(cause))
    }

    fn reset_failure(&mut self, cause: crate::integrators::IntegrationError) -> ResetError {
        ResetError::Failed(Box::new(self.failure(cause, &mut ())))
    }

    fn name_of(&self, signal: Signal) -> String {
        let described = self.signals().describe(signal);
        described.map_or_else(|| format!("{signal:?}"), |channel| channel.name.clone())
    }

    /// Every joint coordinate with its value and velocity at the current state.
    fn joint_values(&mut self) -> Vec<(JointIndex, usize, [f64; 2])> {
        self.dynamics.see(&self.state);
        let context = self.dynamics.context();
        let joints = context.model.joints.iter().enumerate();
        let all = joints.flat_map(|(j, element)| {
            let count = element.joint.coordinates(context.model.space).len();
            (0..count).map(move |k| (JointIndex(j), k))
        });
        let value = |joint, quantity| context.signal(Signal::Joint(joint, quantity));
        all.map(|(j, k)| {
            let both = [JointQuantity::Value(k), JointQuantity::Rate(k)];
            (j, k, both.map(|quantity| value(j, quantity)))
        })
        .collect()
    }
}

/// Largest change of an angle, in radians, after which its turns are still known.
const FOLLOWED: f64 = 2.0;
/// Largest number of such changes.
const MOST_PARTS: f64 = 1000.0;

/// Moves a state from joint coordinates to others, in parts so short that turns are counted.
fn place(
    system: &dyn System,
    state: &mut State,
    from: &[JointValue],
    wanted: &[JointValue],
) -> Result<(), ResetError> {
    let start = |joint, k| {
        let found = from.iter().find(|(j, l, _)| (*j, *l) == (joint, k));
        found.map_or(0.0, |(.., value)| *value)
    };
    let changes = wanted
        .iter()
        .map(|(j, k, value)| (value - start(*j, *k)).abs());
    let parts = (changes.fold(0.0, f64::max) / FOLLOWED).ceil();
    let parts = parts.clamp(1.0, MOST_PARTS) as u32;
    for part in 1..=parts {
        let share = f64::from(part) / f64::from(parts);
        let on_the_way = wanted.iter().map(|&(j, k, value)| {
            let from = start(j, k);
            (
                j,
                k,
                if part == parts {
                    value
                } else {
                    from + share * (value - from)
                },
            )
        });
        let pins = Pins::of_joints(system, &on_the_way.collect::<Vec<_>>(), false);
        let mut assembler = Assembler::new(system, &pins);
        if !assembler.close(state, &pins) {
            let open = assembler.open_pin(&pins);
            return Err(open.map_or(ResetError::Open, |error| {
                ResetError::Inconsistent(Box::new(error))
            }));
        }
    }
    Ok(())
}

/// Gives a state velocities of joint coordinates.
fn set_moving(
    system: &dyn System,
    state: &mut State,
    wanted: &[JointValue],
) -> Result<(), ResetError> {
    let pins = Pins::of_joints(system, wanted, true);
    let mut assembler = Assembler::new(system, &pins);
    assembler.match_velocities(state, &pins);
    match assembler.open_pin(&pins) {
        Some(error) => Err(ResetError::Inconsistent(Box::new(error))),
        None if assembler.rows_hold() => Ok(()),
        None => Err(ResetError::Open),
    }
}
