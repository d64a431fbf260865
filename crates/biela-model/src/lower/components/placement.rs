//! The poses of the frames of instances on the ground.

use std::cell::RefCell;
use std::collections::BTreeMap;

use biela_core::math::{Mat3, Pose, Vec3};

use super::Instance;
use crate::diagnostic::{Span, shown};
use crate::lower::keys;
use crate::lower::reader::SectionReader;
use crate::lower::rotation::orientation;
use crate::lower::values::Context;

/// The instances of a model, and the poses that were computed.
pub(in crate::lower) struct Placements<'t> {
    instances: &'t [Instance],
    poses: RefCell<BTreeMap<u32, Option<Pose>>>,
}

impl<'t> Placements<'t> {
    pub(in crate::lower) fn new(instances: &'t [Instance]) -> Self {
        Self {
            instances,
            poses: RefCell::default(),
        }
    }
}

impl<'t> Context<'t> {
    /// The pose in the ground frame of the instance that contains a span; `None` if it is the ground frame itself.
    pub(in crate::lower) fn placement(&self, span: Span) -> Option<Pose> {
        self.pose_of_instance(span.source.instance())
    }

    /// The path of the instance that contains a span.
    pub(in crate::lower) fn instance(&self, span: Span) -> Option<&'t str> {
        let number = span.source.instance() as usize;
        let instance = self.placements.instances.get(number.checked_sub(1)?)?;
        Some(&instance.path)
    }

    /// A pose of an element at this span, in the ground frame.
    pub(in crate::lower) fn placed(&self, span: Span, pose: Pose) -> Pose {
        match self.placement(span) {
            Some(placement) => placement.then(&pose),
            None => pose,
        }
    }

    /// A direction or velocity of an element at this span, in the ground frame.
    pub(in crate::lower) fn turned(&self, span: Span, vector: Vec3<f64>) -> Vec3<f64> {
        match self.placement(span) {
            Some(placement) => placement.R * vector,
            None => vector,
        }
    }

    /// Computes the poses of the first instances, so that their mistakes are reported even if nothing is placed.
    pub(in crate::lower) fn check_placements(&self, count: usize) {
        for number in 1..=u32::try_from(count).unwrap_or(u32::MAX) {
            let _ = self.pose_of_instance(number);
        }
    }

    /// The nesting of components is bounded, and so is this recursion.
    fn pose_of_instance(&self, number: u32) -> Option<Pose> {
        let at = (number as usize).checked_sub(1)?;
        let instance: &'t Instance = self.placements.instances.get(at)?;
        if let Some(known) = self.placements.poses.borrow().get(&number) {
            return *known;
        }
        let outer = self.pose_of_instance(instance.parent);
        let own = self.own_pose(instance);
        let pose = match (outer, own) {
            (Some(outer), Some(own)) => Some(outer.then(&own)),
            (outer, own) => outer.or(own),
        };
        let _ = self.placements.poses.borrow_mut().insert(number, pose);
        pose
    }

    fn own_pose(&self, instance: &'t Instance) -> Option<Pose> {
        if instance.table.is_empty() {
            return None;
        }
        let what = format!("instance {}", shown(&instance.path));
        let reader =
            SectionReader::called(&what, &keys::INSTANCE, &instance.table, self.diagnostics);
        let at = self.vector(&reader.get("at"), "m");
        let turn = orientation(&reader, false, self);
        Some(Pose::new(
            turn.unwrap_or_else(Mat3::identity),
            at.unwrap_or_else(Vec3::zeros),
        ))
    }
}
