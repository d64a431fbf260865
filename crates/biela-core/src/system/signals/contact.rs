//! Signals of contacts.

use super::quantities::quantities;
use super::table::ChannelList;
use super::{Evaluation, Instant};
use crate::math::Vec3;
use crate::math::rotation::{apply, zero3};
use crate::model::{ContactElement, ContactIndex, ForceIndex, Model, Signal, Space};
use crate::system::{JointMotion, first_contact_work};
use crate::unilateral::{
    ContactMemory, FrictionBound, GapFunction, Mode, Unilateral, UnilateralOwner, UnilateralRows,
};

quantities! {
    /// Quantities of a contact. Those of its points are added, except for the gap, the slip velocity and the state.
    ContactQuantity, at: &Touching<'_> {
        Gap "gap" "m" Position "smallest gap, negative if the surfaces penetrate each other" = at.gap(),
        Normal "normal" "N" Acceleration "normal force" = at.at_instant(|i| at.normal(i)),
        Tangential "tangential" "N" Acceleration "magnitude of the friction force" = at.at_instant(|i| at.tangential(i)),
        ForceX "force_x" "N" Acceleration "force on the second surface along x of the ground" = at.at_instant(|i| at.force(i)[0]),
        ForceY "force_y" "N" Acceleration "force on the second surface along y of the ground" = at.at_instant(|i| at.force(i)[1]),
        ForceZ "force_z" "N" Acceleration "force on the second surface along z of the ground (spatial)" = at.at_instant(|i| at.force(i)[2]),
        Slip "slip" "m/s" Velocity "largest slip velocity of a closed point, zero in stick" = at.slip(),
        State "state" "1" Position "0 if it is open, 1 in stick, 2 in slip" = at.state(),
        Impulse "impulse" "N*s" Position "normal impulse of all impacts since the start; of the normal force if contacts are compliant" = at.impulse(),
        Impacts "impacts" "1" Position "number of impacts since the start" = at.sum(|memory| memory.impacts),
        Power "power" "W" Acceleration "power of friction, and of the dissipation of a compliant contact" = at.at_instant(|i| i.power[at.slot()]),
        Work "work" "J" Run "work of friction since the start, and of the dissipation of a compliant contact, without impacts" = at.at_instant(|i| i.work[at.slot()]),
    }
}

/// A contact at an instant.
pub(super) struct Touching<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) contact: ContactIndex,
}

impl Touching<'_> {
    /// Returns a value of a run; NaN before the accelerations are known, or without unilateral constraints.
    fn at_instant(&self, value: impl FnOnce(&Instant<'_>) -> f64) -> f64 {
        self.evaluation.at_instant(|i| {
            if i.system.unilaterals().is_empty() {
                f64::NAN
            } else {
                value(i)
            }
        })
    }

    fn slot(&self) -> usize {
        first_contact_work(self.evaluation.context.model) + self.contact.0
    }

    /// The indices of its points among all unilateral constraints.
    fn points(&self) -> std::ops::Range<usize> {
        let model = self.evaluation.context.model;
        let first = first_point(model, self.contact);
        first..first + model.contacts[self.contact.0].num_points()
    }

    /// The discrete states of its points.
    fn memories(&self) -> impl Iterator<Item = ContactMemory> + '_ {
        let inputs = &self.evaluation.context.kinematics.inputs;
        self.points().map(|i| inputs.contact(i))
    }

    fn gap(&self) -> f64 {
        let context = &self.evaluation.context;
        let element = &context.model.contacts[self.contact.0];
        let gaps = (0..element.num_points()).map(|point| {
            let (joint, k) = element.candidate(point);
            let rel = &context.kinematics.joints[joint.0].rel;
            element.pair.point(k, &rel.R, &rel.p).gap
        });
        gaps.fold(f64::INFINITY, f64::min)
    }

    fn sum(&self, value: impl Fn(ContactMemory) -> f64) -> f64 {
        self.memories().map(value).sum()
    }

    fn impulse(&self) -> f64 {
        let inputs = &self.evaluation.context.kinematics.inputs;
        if inputs.complies() {
            self.points().map(|point| inputs.impulse(point)).sum()
        } else {
            self.sum(|memory| memory.impulse)
        }
    }

    fn state(&self) -> f64 {
        let state = |memory: ContactMemory| match memory.mode {
            Mode::Open => 0.0,
            Mode::Stick => 1.0,
            Mode::Slip => 2.0,
        };
        self.memories().map(state).fold(0.0, f64::max)
    }

    /// Visits its closed points.
    fn visit(&self, mut visit: impl FnMut(&TouchingPoint<'_>)) {
        let context = &self.evaluation.context;
        let model = context.model;
        let before = self.points().start;
        for (point, memory) in self.memories().enumerate() {
            if memory.mode == Mode::Open {
                continue;
            }
            let unilateral = Unilateral::of_contact(model, self.contact, point);
            let (joint, _) = model.contacts[self.contact.0].candidate(point);
            if let Some(rows) = unilateral.pair_rows(context, &memory) {
                visit(&TouchingPoint {
                    unilateral,
                    index: before + point,
                    memory,
                    rows,
                    frames: &context.kinematics.joints[joint.0],
                });
            }
        }
    }

    fn slip(&self) -> f64 {
        let context = &self.evaluation.context;
        let tangents = if context.model.space == Space::Planar {
            1
        } else {
            2
        };
        let mut largest = 0.0_f64;
        let complies = context.kinematics.inputs.complies();
        self.visit(|at| {
            if at.memory.mode == Mode::Stick && !complies {
                // without the rounding errors of its rows
                return;
            }
            let rows = at.rows.tangents[..tangents].iter();
            let slip = rows.map(|row| row.rate(&at.frames.rel));
            largest = largest.max(slip.fold(0.0, f64::hypot));
        });
        largest
    }

    fn normal(&self, instant: &Instant<'_>) -> f64 {
        let mut sum = 0.0;
        self.visit(|at| sum -= instant.multipliers[instant.system.unilateral_row(at.index)]);
        sum
    }

    /// The force on the second surface in ground axes; with its normal part if `normal`.
    fn carried(&self, instant: &Instant<'_>, normal: bool) -> Vec3<f64> {
        let mut force = zero3();
        self.visit(|at| {
            let [pressing, rubbing] =
                forces(instant, &at.unilateral, at.index, &at.memory, &at.rows);
            let sum = if normal { pressing + rubbing } else { rubbing };
            force += apply(&at.frames.R_F, &sum);
        });
        force
    }

    fn tangential(&self, instant: &Instant<'_>) -> f64 {
        self.carried(instant, false).norm()
    }

    fn force(&self, instant: &Instant<'_>) -> Vec3<f64> {
        self.carried(instant, true)
    }
}

/// A closed point of a contact at an instant.
struct TouchingPoint<'a> {
    unilateral: Unilateral,
    /// Its index among all unilateral constraints.
    index: usize,
    memory: ContactMemory,
    rows: UnilateralRows,
    /// The frames of both surfaces.
    frames: &'a JointMotion,
}

/// The index of the first point of a contact among all unilateral constraints: contacts come first.
fn first_point(model: &Model, contact: ContactIndex) -> usize {
    let before = &model.contacts[..contact.0];
    before.iter().map(ContactElement::num_points).sum()
}

/// The normal force and the friction force on the second surface at a closed point, in the axes of the first.
fn forces(
    instant: &Instant<'_>,
    unilateral: &Unilateral,
    i: usize,
    memory: &ContactMemory,
    rows: &UnilateralRows,
) -> [Vec3<f64>; 2] {
    let row = instant.system.unilateral_row(i);
    let pressing = -instant.multipliers[row];
    let own = &instant.system.unilaterals()[i];
    let factors = own.slip_factors(memory, instant.workspace.slip[i]);
    let mut rubbing = zero3();
    for k in 0..unilateral.tangents {
        let along = match factors {
            Some(factors) => factors[k] * pressing,
            None => -instant.multipliers[row + 1 + k],
        };
        rubbing += rows.tangents[k].v * along;
    }
    [rows.normal.v * pressing, rubbing]
}

/// A closed point of a contact, in the axes of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedPoint {
    /// Stick or slip.
    pub mode: Mode,
    /// Its position.
    pub point: Vec3<f64>,
    /// Unit normal, from the first surface to the second.
    pub normal: Vec3<f64>,
    /// The force on the second surface: its normal part and friction.
    pub forces: [Vec3<f64>; 2],
}

impl Instant<'_> {
    /// Returns a candidate point of a contact with its force; `None` if it is open, or where unilateral constraints are not considered.
    pub fn closed_point(&self, contact: ContactIndex, point: usize) -> Option<ClosedPoint> {
        let context = self.context();
        let i = first_point(context.model, contact) + point;
        if i >= self.system.unilaterals().len() {
            return None;
        }
        let memory = context.kinematics.inputs.contact(i);
        if memory.mode == Mode::Open {
            return None;
        }
        let unilateral = &self.system.unilaterals()[i];
        let rows = unilateral.pair_rows(&context, &memory)?;
        let (joint, _) = context.model.contacts[contact.0].candidate(point);
        let frame = &context.kinematics.joints[joint.0];
        let turned = |v: &Vec3<f64>| apply(&frame.R_F, v);
        Some(ClosedPoint {
            mode: memory.mode,
            point: frame.p_F + turned(&rows.point),
            normal: turned(&rows.normal.v),
            forces: forces(self, unilateral, i, &memory, &rows).map(|force| turned(&force)),
        })
    }
}

/// The force or torque that rows of unilateral constraints of a force element add along its coordinate: a rigid stop, friction in stick.
pub(super) fn held_effort(instant: &Instant<'_>, force: ForceIndex) -> f64 {
    let system = instant.system;
    let mut sum = 0.0;
    for (i, unilateral) in system.unilaterals().iter().enumerate() {
        let GapFunction::Coordinates { terms, .. } = &unilateral.gap else {
            continue;
        };
        let share = match &unilateral.friction {
            FrictionBound::Forces(forces) if forces.contains(&force) => 1.0 / forces.len() as f64,
            _ if unilateral.owner == UnilateralOwner::Force(force) => 1.0,
            _ => continue,
        };
        let factor = terms.first().map_or(1.0, |(_, _, factor)| *factor);
        sum -= share * factor * instant.multipliers[system.unilateral_row(i)];
    }
    sum
}

/// Adds the signals of the contacts.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (c, element) in model.contacts.iter().enumerate() {
        channels.add_all(
            &element.name,
            ContactQuantity::ALL,
            |text| format!("{text}, of {}", element.name),
            |q| Signal::Contact(ContactIndex(c), q),
        );
    }
}
