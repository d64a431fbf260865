//! Whole turns of angles: a pose determines an angle only up to whole turns, so the number of turns follows from the integral of the angular velocity.
//!
//! ```text
//! θ = θ_pose + 2π round((θ_near − θ_pose)/2π)        θ̇_near = ∂θ/∂(v, w) · (v, w)
//! ```
//!
//! Angles that are coordinates of the formulation (those of tree joints, those of planar bodies) need no such integral.

use super::{State, System, SystemKinematics};
use crate::joints::Joint;
use crate::math::rotation::zero3;
use crate::model::{JointIndex, Model, Space};

/// An angle whose turns are counted by the integral of its velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedAngle {
    /// Its entry in [`State::turns`].
    pub entry: usize,
    /// The owner of the angle.
    pub of: AngleOf,
    /// Whether its velocity is bounded by the angular velocity: unlike azimuths and Euler angles it has no singularity.
    pub regular: bool,
}

/// The owner of a counted angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleOf {
    /// A measured coordinate of a joint.
    Joint(JointIndex, usize),
    /// A planar station of a beam: the index of its body.
    Station(usize),
}

/// Near a singularity, velocities of angles are limited to this multiple of the angular velocity. Faster angles pass half a turn almost instantly, and only
/// the pose determines them.
const STEEPEST: f64 = 2.0;

/// Largest difference between the integral of a velocity and the pose, rad; beyond it the number of turns is ambiguous.
pub(crate) const AMBIGUOUS: f64 = 1.0;

impl CountedAngle {
    /// Returns the angles of a system that are not coordinates.
    pub fn all(system: &dyn System) -> Vec<CountedAngle> {
        let model = system.model();
        let mut all = Vec::new();
        for (j, element) in model.joints.iter().enumerate() {
            let shape = element.joint.shape(model.space);
            // its bend angles are sines of half angles, which have no turns
            if matches!(element.joint, Joint::ConstantVelocity(_)) {
                continue;
            }
            // a station of a cable has no spin
            let rigid = [element.first.0, element.second.0].iter().all(|body| {
                let number = body.number();
                number.is_none_or(|b| model.bodies[b].station.is_none())
            });
            for (slot, (k, turning)) in angles(model, j).enumerate() {
                let follows = model.space == Space::Planar && turning;
                // angles with singularities, such as azimuths, take the turn closest to a recent value
                let regular = turning && rigid && shape.tree.is_none_or(|tree| !tree.rotation);
                if regular && !follows && !system.angle_is_coordinate(JointIndex(j), k) {
                    all.push(CountedAngle {
                        entry: 3 * j + slot,
                        of: AngleOf::Joint(JointIndex(j), k),
                        regular,
                    });
                }
            }
        }
        if system.sizes().turns > 3 * model.joints.len() && model.space == Space::Planar {
            let bodies = model.bodies.iter().enumerate();
            all.extend(
                bodies
                    .filter(|(_, body)| body.station.is_some())
                    .map(|(b, _)| CountedAngle {
                        entry: 3 * model.joints.len() + b,
                        of: AngleOf::Station(b),
                        // a slope vector may shrink to zero
                        regular: false,
                    }),
            );
        }
        all
    }

    /// Returns its velocity at the kinematics of an instant.
    pub fn rate(&self, model: &Model, kinematics: &SystemKinematics) -> f64 {
        match self.of {
            AngleOf::Station(b) => kinematics.bodies[b].w[2],
            AngleOf::Joint(j, k) => {
                let rel = &kinematics.joints[j.0].rel;
                let row = model.joints[j.0].joint.direction(model.space, k, rel);
                let rate = row.rate(rel);
                if self.regular {
                    return rate;
                }
                let pace = if row.w == zero3() {
                    rel.v.norm() / rel.p.norm()
                } else {
                    rel.w.norm()
                };
                let most = STEEPEST * pace;
                if rate.abs() <= most {
                    rate
                } else if most.is_finite() {
                    most.copysign(rate)
                } else {
                    0.0
                }
            }
        }
    }

    /// Returns its value at the kinematics of an instant, including turns.
    fn value(&self, model: &Model, kinematics: &SystemKinematics) -> f64 {
        match self.of {
            AngleOf::Station(b) => kinematics.bodies[b].angle,
            AngleOf::Joint(j, k) => {
                let rel = &kinematics.joints[j.0].rel;
                model.joints[j.0].joint.coordinate(model.space, k, rel).phi
            }
        }
    }

    /// "angle" of "joint `pin`", for messages.
    pub(crate) fn describe(&self, model: &Model) -> String {
        match self.of {
            AngleOf::Station(b) => format!("the angle of `{}`", model.bodies[b].name),
            AngleOf::Joint(j, k) => {
                let element = &model.joints[j.0];
                let name = element.joint.coordinates(model.space)[k].name;
                format!("`{}.{name}`", element.name)
            }
        }
    }
}

/// The measured angles of a joint: index of the coordinate, and whether it is the relative rotation of planar bodies.
fn angles(model: &Model, joint: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
    let coordinates = model.joints[joint].joint.coordinates(model.space);
    let angles = coordinates.iter().enumerate().filter(|(_, c)| c.angular);
    angles.map(|(k, c)| (k, c.turning))
}

/// Counts turns during a run. The unknown of each counted angle is the integral of its velocity. The difference from the angle of the pose is stored, so that
/// errors of the integral do not accumulate.
#[derive(Clone, Debug)]
pub(crate) struct TurnCount {
    pub(crate) angles: Vec<CountedAngle>,
    /// Angle minus integral, at the last accepted state.
    shift: Vec<f64>,
    /// Velocities at the last accepted state, and its time.
    rates: Vec<f64>,
    time: f64,
    /// Values near the angles of a trial state.
    near: Vec<f64>,
}

crate::keep::keeps!(TurnCount: shift, rates, time);

impl TurnCount {
    pub(crate) fn new(system: &dyn System, state: &State) -> Self {
        let angles = CountedAngle::all(system);
        TurnCount {
            shift: vec![0.0; angles.len()],
            rates: vec![0.0; angles.len()],
            time: state.time,
            near: state.turns.clone(),
            angles,
        }
    }

    /// Takes over the counts of another one of the same system, without allocating.
    pub(crate) fn copy_from(&mut self, other: &TurnCount) {
        self.shift.copy_from_slice(&other.shift);
        self.rates.copy_from_slice(&other.rates);
        self.time = other.time;
    }

    /// Returns the number of additional unknowns.
    pub(crate) fn len(&self) -> usize {
        self.angles.len()
    }

    /// Returns values near all angles for the given integrals; `turns` has the other entries.
    pub(crate) fn near<'a>(&'a mut self, turns: &'a [f64], integrals: &[f64]) -> &'a [f64] {
        if self.angles.is_empty() {
            return turns;
        }
        self.near.copy_from_slice(turns);
        for ((angle, shift), x) in self.angles.iter().zip(&self.shift).zip(integrals) {
            self.near[angle.entry] = x + shift;
        }
        &self.near
    }

    /// The same into `out`, which has the other entries.
    pub(crate) fn fill(&self, integrals: &[f64], out: &mut [f64]) {
        for ((angle, shift), x) in self.angles.iter().zip(&self.shift).zip(integrals) {
            out[angle.entry] = x + shift;
        }
    }

    /// Computes the integrals at a state.
    pub(crate) fn integrals(&self, turns: &[f64], out: &mut [f64]) {
        for ((angle, shift), x) in self.angles.iter().zip(&self.shift).zip(out) {
            *x = turns[angle.entry] - shift;
        }
    }

    /// Computes the derivatives of all integrals at the kinematics of an instant.
    pub(crate) fn rates(&self, model: &Model, kinematics: &SystemKinematics, out: &mut [f64]) {
        for (angle, rate) in self.angles.iter().zip(out) {
            *rate = angle.rate(model, kinematics);
        }
    }

    /// Processes an accepted state, whose kinematics were evaluated with the integrals in `turns`: these are replaced by the angles of the pose.
    /// Returns a regular angle whose difference from its integral makes the turns ambiguous, and that difference.
    pub(crate) fn accept(
        &mut self,
        model: &Model,
        kinematics: &SystemKinematics,
        turns: &mut [f64],
    ) -> Option<(CountedAngle, f64)> {
        let mut lost: Option<(CountedAngle, f64)> = None;
        for (i, angle) in self.angles.iter().enumerate() {
            let value = angle.value(model, kinematics);
            let apart = value - turns[angle.entry];
            if angle.regular && apart.abs() > lost.map_or(AMBIGUOUS, |(_, most)| most.abs()) {
                lost = Some((*angle, apart));
            }
            self.shift[i] += apart;
            turns[angle.entry] = value;
            self.rates[i] = angle.rate(model, kinematics);
        }
        self.time = kinematics.time;
        lost
    }

    /// Returns the turn count for trial states of an implicit integrator, from the last accepted state.
    pub(crate) fn ahead(&self) -> TurnsAhead<'_> {
        TurnsAhead {
            angles: &self.angles,
            rates: &self.rates,
            time: self.time,
        }
    }
}

/// Turn counts of a trial state: those of the last accepted state plus the trapezoidal rule for the velocities at both ends.
#[derive(Clone, Copy, Debug)]
pub struct TurnsAhead<'a> {
    /// The counted angles.
    pub angles: &'a [CountedAngle],
    /// Their velocities at the last accepted state.
    pub rates: &'a [f64],
    /// The time of that state.
    pub time: f64,
}

impl TurnsAhead<'_> {
    /// Corrects kinematics at a later time that were updated with the turns of the accepted state.
    pub(crate) fn apply(&self, model: &Model, turns: &[f64], kinematics: &mut SystemKinematics) {
        let half = 0.5 * (kinematics.time - self.time);
        for (angle, before) in self.angles.iter().zip(self.rates) {
            let change = half * (before + angle.rate(model, kinematics));
            kinematics.set_near(angle, turns[angle.entry] + change);
        }
    }
}
