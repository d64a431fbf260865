//! Finds the element that produced a NaN or infinity.
//!
//! During a run only sums are checked for finite values. The element that caused a NaN is searched for here, after the run has ended.

use super::{EvaluationContext, Instant, Loads, NotFinite, RowLabel, RowOwner, System, Workspace};
use crate::element::Origin;
use crate::math::Vec3;
use crate::model::{
    BodyIndex, CouplerQuantity, DriverIndex, DriverQuantity, ForceIndex, JointIndex, Law,
    MAX_INPUTS, Model, Motion, Signal,
};

/// Above this value the fourth power overflows: m, m/s, rad/s.
const RUNAWAY: f64 = 1e70;
/// Largest number of signals that are reported with their values.
const MOST_INPUTS: usize = 3;
/// The suggested remedy for a formula.
const KEEP_IN_RANGE: &str = "limit its argument with max, clamp or if";

/// Describes an element: kind, name and, if known, source location.
pub(crate) fn named(kind: &str, name: &str, origin: &Origin) -> String {
    if origin.0.is_some() {
        format!("{kind} `{name}` ({origin})")
    } else {
        format!("{kind} `{name}`")
    }
}

/// Describes a force; an element of a geometrically exact beam is described by its beam.
pub(crate) fn named_force(model: &Model, force: ForceIndex) -> String {
    let mut beams = model.exact_beams.iter();
    if let Some(beam) = beams.find(|beam| beam.elements.contains(&force)) {
        return named("beam", &beam.name, &beam.origin);
    }
    let element = &model.forces[force.0];
    named("force", &element.name, &element.origin)
}

/// Describes a body; a node of a geometrically exact beam, or a station of another beam, is described by its beam.
pub(crate) fn named_body(model: &Model, body: usize) -> String {
    let mut beams = model.exact_beams.iter();
    if let Some(beam) = beams.find(|beam| beam.nodes.contains(&BodyIndex(body))) {
        return named("beam", &beam.name, &beam.origin);
    }
    let of = &model.bodies[body];
    if let Some(station) = &of.station {
        let beam = &model.beams[station.beam.0];
        return named("beam", &beam.name, &beam.origin);
    }
    named("body", &of.name, &of.origin)
}

/// Returns the element whose work is not finite: forces without a potential come first, then beams, then drivers.
pub(crate) fn work_owner(model: &Model, work: &[f64]) -> String {
    let forces = model.forces.iter().enumerate();
    let forces = forces.filter(|(_, element)| element.force.dissipates());
    let forces = forces.map(|(f, _)| named_force(model, ForceIndex(f)));
    let beams = model.beams.iter();
    let beams = beams.map(|beam| named("beam", &beam.name, &beam.origin));
    let drivers = model.drivers.iter();
    let drivers = drivers.map(|driver| named("driver", &driver.name, &driver.origin));
    let mut owners = forces.chain(beams).chain(drivers).zip(work);
    let owner = owners.find(|(_, work)| !work.is_finite());
    owner.map_or_else(|| "the state".to_owned(), |(owner, _)| owner)
}

/// The origin of a NaN or infinity: the description of an element, and the reason.
struct Diagnosis {
    element: String,
    cause: String,
}

impl Diagnosis {
    fn at(self, time: f64) -> NotFinite {
        NotFinite {
            element: self.element,
            time,
            cause: self.cause.into(),
            grown: false,
        }
    }
}

/// Signals at an instant, with or without accelerations.
#[derive(Clone, Copy)]
struct SignalReading<'a> {
    context: EvaluationContext<'a>,
    instant: Option<&'a Instant<'a>>,
    /// The constraint rows of the system.
    rows: &'a [RowLabel],
}

impl SignalReading<'_> {
    fn signal(&self, signal: Signal) -> f64 {
        match self.instant {
            Some(instant) => instant.signal(signal),
            None => self.context.signal(signal),
        }
    }

    /// Returns why a law read by an element is not finite, and the element that caused it; `None` if it is finite.
    fn law(&self, reader: &dyn Fn() -> String, law: &Law) -> Option<Diagnosis> {
        let (inputs, function) = match law {
            Law::Constant(x) if x.is_finite() => return None,
            Law::Constant(x) => {
                return Some(Diagnosis {
                    element: reader(),
                    cause: format!("its value is {x}"),
                });
            }
            Law::Function { inputs, function } => (inputs, function),
        };
        let mut values = [0.0; MAX_INPUTS];
        for (value, signal) in values.iter_mut().zip(inputs.iter()) {
            *value = self.signal(*signal);
        }
        let values = &values[..inputs.len().min(MAX_INPUTS)];
        let time = self.context.kinematics.law_time();
        if function.value(time, values).is_finite() {
            return None;
        }
        let mut wrong = inputs.iter().zip(values).filter(|(_, x)| !x.is_finite());
        if let Some((signal, value)) = wrong.next() {
            return Some(self.behind(*signal).unwrap_or_else(|| Diagnosis {
                element: reader(),
                cause: format!("it reads {}, which is {value}", self.name(*signal)),
            }));
        }
        let mut cause = match function.trouble(time, values) {
            Some(trouble) => format!("its formula evaluates {trouble}"),
            None => "its formula is not finite".to_owned(),
        };
        for (i, (signal, value)) in inputs.iter().zip(values).take(MOST_INPUTS).enumerate() {
            let lead = if i == 0 { " where " } else { ", " };
            cause += &[lead, &self.name(*signal), &format!(" = {value:.6}")].concat();
        }
        Some(Diagnosis {
            element: reader(),
            cause: format!("{cause}; {KEEP_IN_RANGE}"),
        })
    }

    fn name(&self, signal: Signal) -> String {
        if signal == Signal::Time {
            return "t".to_owned();
        }
        let channels = super::channels(self.context.model).into_iter();
        let mut of = channels.filter(|channel| channel.signal == signal);
        of.next()
            .map_or_else(|| "a signal".to_owned(), |channel| channel.name)
    }

    /// Returns the element that defines a signal that is not finite, unless it is a body or a joint.
    fn behind(&self, signal: Signal) -> Option<Diagnosis> {
        let model = self.context.model;
        match signal {
            Signal::Sensor(k) => {
                let sensor = &model.sensors[k];
                let reader = || named("sensor", &sensor.name, &sensor.origin);
                self.law(&reader, &sensor.law)
            }
            Signal::Force(f, _) => {
                let reader = || named_force(model, f);
                let laws = model.forces[f.0].force.laws();
                laws.into_iter().find_map(|law| self.law(&reader, law))
            }
            Signal::Trajectory(t, ..) => {
                let element = &model.trajectories[t];
                Some(Diagnosis {
                    element: named("trajectory", &element.name, &element.origin),
                    cause: "its motion is not finite; check its times and points".to_owned(),
                })
            }
            Signal::Driver(d, DriverQuantity::Target) => self.driver(d),
            Signal::Coupler(c, CouplerQuantity::Error) => {
                let element = &model.couplers[c.0];
                Some(Diagnosis {
                    element: named("coupler", &element.name, &element.origin),
                    cause: "its coordinates or its factors are too large".to_owned(),
                })
            }
            _ => None,
        }
    }

    fn driver(&self, driver: DriverIndex) -> Option<Diagnosis> {
        let element = &self.context.model.drivers[driver.0];
        let time = self.context.kinematics.law_time();
        let motion = element.motion.at(time);
        if (motion.value + motion.rate + motion.curvature).is_finite() {
            return None;
        }
        let trouble = match &element.motion {
            Motion::Function(function) => function.trouble(time, &[]),
            _ => None,
        };
        let cause = if let Some(trouble) = trouble {
            format!("its formula evaluates {trouble}; {KEEP_IN_RANGE}")
        } else {
            let part = if !motion.value.is_finite() {
                "value"
            } else if !motion.rate.is_finite() {
                "velocity"
            } else {
                "acceleration"
            };
            format!("its {part} is not finite; smooth the prescribed motion")
        };
        Some(Diagnosis {
            element: named("driver", &element.name, &element.origin),
            cause,
        })
    }

    fn force(&self, force: usize, loads: &mut Loads) -> Option<Diagnosis> {
        let (model, element) = (self.context.model, &self.context.model.forces[force]);
        loads.clear();
        element.force.apply(&self.context, loads);
        let power = loads.take_power();
        let rubbing = element.force.friction().map(|f| f.factor(&self.context));
        let stored = element.force.potential(&self.context);
        if are_finite(loads) && (power + stored + rubbing.unwrap_or(0.0)).is_finite() {
            return None;
        }
        let reader = || named_force(model, ForceIndex(force));
        let mut laws = element.force.laws().into_iter();
        let of_law = laws.find_map(|law| self.law(&reader, law));
        Some(of_law.unwrap_or_else(|| Diagnosis {
            element: reader(),
            cause: element.force.advice().to_owned(),
        }))
    }

    /// Returns a body or joint whose motion is not finite, or too large to be accurate.
    fn motion(&self) -> Option<Diagnosis> {
        let (model, kinematics) = (self.context.model, self.context.kinematics);
        let bodies = &kinematics.bodies;
        let size = |b: usize| {
            let motion = &bodies[b];
            let parts = [&motion.r, &motion.v, &motion.w];
            parts.iter().fold(0.0, |most, x| larger(most, extent(x)))
        };
        let lost = |b: &BodyIndex| b.number().is_some_and(|b| is_lost(size(b)));
        // along a tree the first joint whose motion is not finite
        if kinematics.tree.is_some() {
            let closes = |j: usize| {
                let mut owners = self.rows.iter().map(|row| row.owner);
                owners.any(|owner| owner == RowOwner::Joint(JointIndex(j)))
            };
            let mut joints = model.joints.iter().enumerate();
            let first = joints.find(|(j, e)| lost(&e.first.0) != lost(&e.second.0) && !closes(*j));
            if let Some((_, element)) = first {
                return Some(Diagnosis {
                    element: named("joint", &element.name, &element.origin),
                    cause: "the motion of the bodies beyond it has grown without bound; check the forces on them, or use a smaller step or tolerance".to_owned(),
                });
            }
        }
        let worst = (0..bodies.len()).fold(None, |worst: Option<(usize, f64)>, b| match worst {
            Some((_, most)) if larger(most, size(b)).to_bits() == most.to_bits() => worst,
            _ => Some((b, size(b))),
        });
        if let Some((b, most)) = worst.filter(|(_, most)| is_lost(*most)) {
            return Some(Diagnosis {
                element: named_body(model, b),
                cause: format!(
                    "its motion has grown without bound ({most:.1e} m, m/s or rad/s); use a smaller step or tolerance, or an implicit integrator"
                ),
            });
        }
        let mut beams = model.beams.iter().zip(&kinematics.beams);
        let grown = beams.find(|(_, motion)| {
            let all = motion.e.iter().chain(&motion.rates);
            is_lost(all.fold(0.0, |most, x| larger(most, x.abs())))
        });
        if let Some((beam, _)) = grown {
            return Some(Diagnosis {
                element: named("beam", &beam.name, &beam.origin),
                cause: "its deformation has grown without bound; use a smaller step or tolerance, or an implicit integrator".to_owned(),
            });
        }
        let mut joints = model.joints.iter().zip(&kinematics.joints);
        let undefined = joints.find(|(_, motion)| {
            let parts = [&motion.rel.p, &motion.rel.v, &motion.rel.w];
            !parts.iter().all(|x| extent(x).is_finite())
        });
        undefined.map(|(element, _)| Diagnosis {
            element: named("joint", &element.name, &element.origin),
            cause: "its kinematics is undefined at this pose".to_owned(),
        })
    }
}

/// Returns the largest component; NaN if any is NaN.
fn extent(x: &Vec3<f64>) -> f64 {
    x.iter().fold(0.0, |most, x| larger(most, x.abs()))
}

fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

fn is_lost(size: f64) -> bool {
    size.is_nan() || size > RUNAWAY
}

/// Whether all loads are finite.
pub(super) fn are_finite(loads: &Loads) -> bool {
    let mut on_bodies = 0.0;
    for (force, torque) in loads.force.iter().zip(&loads.torque) {
        on_bodies += force[0] + force[1] + force[2] + torque[0] + torque[1] + torque[2];
    }
    let on_nodes: f64 = loads.nodes.iter().flatten().sum();
    (on_bodies + on_nodes).is_finite()
}

/// Returns the force or motion that caused loads that are not finite; `loads` is a buffer.
pub(super) fn force(
    context: &EvaluationContext<'_>,
    rows: &[RowLabel],
    loads: &mut Loads,
) -> NotFinite {
    let reading = SignalReading {
        context: *context,
        instant: None,
        rows,
    };
    if let Some(diagnosis) = reading.motion() {
        return diagnosis.at(context.time()).grown();
    }
    let mut forces = 0..context.model.forces.len();
    let found = forces.find_map(|f| reading.force(f, loads));
    let unknown = || Diagnosis {
        element: "the sum of all forces".to_owned(),
        cause: "it overflows; check masses and stiffnesses".to_owned(),
    };
    found.unwrap_or_else(unknown).at(context.time())
}

/// Returns the element whose values are not finite at the positions and velocities in `ws`; `None` if all are finite. Evaluates everything again.
pub fn culprit(system: &dyn System, ws: &mut Workspace) -> Option<NotFinite> {
    let time = ws.kinematics.time;
    let model = system.model();
    let Workspace {
        kinematics, loads, ..
    } = &mut *ws;
    let reading = SignalReading {
        context: EvaluationContext { model, kinematics },
        instant: None,
        rows: system.rows(),
    };
    if let Some(diagnosis) = reading.motion() {
        return Some(diagnosis.at(time).grown());
    }
    let found = (0..model.drivers.len())
        .find_map(|d| reading.driver(DriverIndex(d)))
        .or_else(|| (0..model.forces.len()).find_map(|f| reading.force(f, loads)));
    if let Some(diagnosis) = found {
        return Some(diagnosis.at(time));
    }
    // a beam identifies itself
    if let Err(error) = system.forces(ws) {
        return Some(error);
    }
    system.constraints(ws);
    let pattern = system.jacobian_pattern();
    let wrong = (0..ws.phi.len()).find(|row| {
        let values = ws.phi[*row] + ws.rate[*row] + ws.gamma[*row];
        let squares = ws.jacobian[pattern.range(*row)].iter().map(|x| x * x);
        !(values + squares.sum::<f64>()).is_finite()
    });
    wrong.map(|row| {
        let label = system.rows()[row];
        let origin = label.origin(model);
        let place = origin.0.as_ref().map(|_| format!(" ({origin})"));
        NotFinite {
            element: label.describe(model) + &place.unwrap_or_default(),
            time,
            cause: "its constraint equations are undefined at this pose, or overflow".into(),
            grown: false,
        }
    })
}

/// Returns the cause of accelerations that are not finite at the evaluation in `ws`.
pub(crate) fn accelerations(system: &dyn System, ws: &Workspace) -> NotFinite {
    let found = culprit(system, &mut ws.clone());
    found.unwrap_or_else(|| NotFinite {
        element: "the acceleration".to_owned(),
        time: ws.kinematics.time,
        cause: "the equations of motion have no finite solution; check masses and factors that are very large or very small".into(),
        grown: false,
    })
}

/// Returns the element behind a signal that is not finite, if it is a formula, a force, a trajectory, a driver or a coupler.
pub fn source(instant: &Instant<'_>, signal: Signal) -> Option<NotFinite> {
    let context = instant.context();
    let reading = SignalReading {
        context,
        instant: Some(instant),
        rows: instant.system.rows(),
    };
    Some(reading.behind(signal)?.at(context.time()))
}

/// Returns why a formula read by an element is not finite; the description of the element is given.
pub(crate) fn formula(instant: &Instant<'_>, element: &dyn Fn() -> String, law: &Law) -> NotFinite {
    let context = instant.context();
    let reading = SignalReading {
        context,
        instant: Some(instant),
        rows: instant.system.rows(),
    };
    let unknown = || Diagnosis {
        element: element(),
        cause: "its formula is not finite".to_owned(),
    };
    reading
        .law(element, law)
        .unwrap_or_else(unknown)
        .at(context.time())
}
