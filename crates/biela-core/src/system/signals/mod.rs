//! Signals: their table, and their values at an instant. Each family of signals is one file, with descriptions next to values.

mod beam;
mod body;
mod constraint;
mod contact;
mod control;
mod force;
mod global;
mod joint;
mod quantities;
mod table;

pub use beam::{BeamQuantity, NodeQuantity, SectionQuantity, StationQuantity};
pub use body::{BodyQuantity, PointQuantity};
pub use constraint::{CouplerQuantity, DriverQuantity};
pub use contact::{ClosedPoint, ContactQuantity};
pub use control::TrajectoryQuantity;
pub(crate) use control::law_stage;
pub use force::ForceQuantity;
pub(crate) use global::contact_energy;
pub use global::{EnergyQuantity, SolverQuantity};
pub use joint::JointQuantity;
pub use table::{
    Channel, SignalDescription, SignalFamily, SignalTable, SystemSignals, channels, signal_families,
};

use super::{EvaluationContext, System, Workspace};
use crate::model::{AnyBeam, ForceIndex, JointIndex, Law, MAX_INPUTS, Model, Signal, Stage};

impl Signal {
    /// Returns the stage of the evaluation after which the signal is known.
    pub fn stage(self, model: &Model) -> Stage {
        match self {
            Signal::Time | Signal::Controller(_) | Signal::Input(_) => Stage::Position,
            Signal::Body(_, q) => q.stage(),
            Signal::Station(_, q) => q.stage(),
            Signal::Beam(_, q) | Signal::ExactBeam(_, q) => q.stage(),
            Signal::Section(_, _, q) => q.stage(),
            Signal::Node(_, _, q) => q.stage(),
            Signal::Point(_, q) => q.stage(),
            Signal::Joint(_, q) => q.stage(),
            Signal::Force(f, q) => q.stage(model.forces[f.0].force.as_ref()),
            Signal::Driver(_, q) => q.stage(),
            Signal::Coupler(_, q) => q.stage(),
            Signal::Contact(_, q) => q.stage(),
            Signal::Energy(q) => q.stage(),
            Signal::Solver(q) => q.stage(),
            Signal::Sensor(k) => law_stage(model, &model.sensors[k].law),
            Signal::Trajectory(_, _, q) => q.stage(),
        }
    }

    /// Whether the value follows from time, values set from outside, and those coordinates of joints for which `is_known` holds, without the motion of bodies.
    pub(crate) fn follows_from_coordinates(
        self,
        is_known: impl Fn(JointIndex, usize) -> bool,
    ) -> bool {
        match self {
            Signal::Time
            | Signal::Controller(_)
            | Signal::Input(_)
            | Signal::Trajectory(_, _, _) => true,
            Signal::Joint(joint, q) => q.coordinate().is_some_and(|(k, _)| is_known(joint, k)),
            _ => false,
        }
    }
}

/// What signals are computed from.
pub(super) struct Evaluation<'a> {
    pub(super) context: EvaluationContext<'a>,
    /// All quantities; `None` before the accelerations are known.
    pub(super) instant: Option<&'a Instant<'a>>,
}

impl Evaluation<'_> {
    /// Returns the value of a signal; NaN if it is not yet known.
    pub(super) fn signal(&self, signal: Signal) -> f64 {
        let (evaluation, context) = (self, &self.context);
        match signal {
            Signal::Time => context.time(),
            Signal::Body(body, q) => body::value(self, body, q),
            Signal::Station(body, q) => beam::station_value(self, body, q),
            Signal::Beam(b, q) => q.value(&beam::MovingBeam {
                evaluation,
                beam: AnyBeam::Nodal(b),
            }),
            Signal::ExactBeam(b, q) => q.value(&beam::MovingBeam {
                evaluation,
                beam: AnyBeam::Exact(b),
            }),
            Signal::Section(b, node, q) => {
                q.value(&context.model.exact_beams[b].carried(context, node))
            }
            Signal::Node(beam, node, q) => q.value(&beam::MovingNode {
                evaluation,
                beam,
                node,
            }),
            Signal::Point(marker, q) => q.value(&body::MovingPoint { evaluation, marker }),
            Signal::Joint(joint, q) => q.value(self, joint),
            Signal::Force(force, q) => q.value(self, force),
            Signal::Driver(driver, q) => q.value(&constraint::Driving { evaluation, driver }),
            Signal::Coupler(coupler, q) => q.value(&constraint::Coupling {
                evaluation,
                coupler,
            }),
            Signal::Contact(contact, q) => q.value(&contact::Touching {
                evaluation,
                contact,
            }),
            Signal::Energy(q) => q.value(self),
            Signal::Solver(q) => q.value(self),
            Signal::Sensor(k) => self.law(&context.model.sensors[k].law),
            Signal::Controller(k) => context.kinematics.inputs.controller(k),
            Signal::Input(k) => {
                let segment = context.kinematics.inputs.segment(k.0);
                segment.at(context.kinematics.law_time())
            }
            Signal::Trajectory(trajectory, joint, q) => q.value(&control::ReferenceMotion {
                evaluation,
                trajectory,
                joint,
            }),
        }
    }

    /// Returns the values of the signals that a law reads.
    pub(super) fn inputs(&self, signals: &[Signal]) -> [f64; MAX_INPUTS] {
        let mut values = [0.0; MAX_INPUTS];
        for (value, signal) in values.iter_mut().zip(signals) {
            *value = self.signal(*signal);
        }
        values
    }

    /// Returns the value of a law.
    pub(super) fn law(&self, law: &Law) -> f64 {
        match law {
            Law::Constant(x) => *x,
            Law::Function { inputs, function } => {
                let time = self.context.kinematics.law_time();
                match **inputs {
                    [] => function.value(time, &[]),
                    [one] => function.value(time, &[self.signal(one)]),
                    _ => {
                        let values = self.inputs(inputs);
                        function.value(time, &values[..inputs.len().min(MAX_INPUTS)])
                    }
                }
            }
        }
    }

    /// Returns a value that is known with the accelerations; NaN before.
    fn at_instant(&self, value: impl FnOnce(&Instant<'_>) -> f64) -> f64 {
        self.instant.map_or(f64::NAN, value)
    }

    /// Returns the index of the work integral of a force.
    fn work_slot(&self, force: ForceIndex) -> Option<usize> {
        self.instant?.system.signals().work_slot(force)
    }
}

/// All quantities at an instant of a run; any signal can be computed from it.
#[derive(Clone, Copy)]
pub struct Instant<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// The evaluation at this instant.
    pub workspace: &'a Workspace,
    /// v̇.
    pub rates: &'a [f64],
    /// λ.
    pub multipliers: &'a [f64],
    /// Normal force of each friction element, in the order of the forces that have friction.
    pub normals: &'a [f64],
    /// Power of each work integral.
    pub power: &'a [f64],
    /// Work since the start of forces without a potential and of drivers.
    pub work: &'a [f64],
    /// Step size of the integrator.
    pub step: f64,
    /// Total energy at the start.
    pub start_energy: f64,
    /// Values of the signals that are recorded; empty unless the owner of the run computes them for its observers.
    pub row: &'a [f64],
}

impl Instant<'_> {
    /// Returns the time, s.
    pub fn time(&self) -> f64 {
        self.context().time()
    }

    /// The context.
    pub fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: self.system.model(),
            kinematics: &self.workspace.kinematics,
        }
    }

    /// Returns the value of a signal.
    pub fn signal(&self, signal: Signal) -> f64 {
        self.evaluation().signal(signal)
    }

    /// Returns the value of a law that may read accelerations and reactions.
    pub fn evaluate(&self, law: &Law) -> f64 {
        self.evaluation().law(law)
    }

    fn evaluation(&self) -> Evaluation<'_> {
        Evaluation {
            context: self.context(),
            instant: Some(self),
        }
    }
}
