//! The motion of the links at an instant, and the motion of bodies and joints that follows from it.
#![allow(non_snake_case)]

use super::TreeSystem;
use super::coordinates::OwnCoordinates;
use crate::joints::Across;
use crate::math::rotation::{apply, column, cross, dot, product, transposed_product, zero3};
use crate::math::spatial::Wrench;
use crate::math::{Mat3, Vec3};
use crate::model::Space;
use crate::system::{BodyMotion, JointMotion, SystemKinematics};
use crate::tree::{self, Hinge};

/// The state of the links at an instant.
#[derive(Clone, Debug)]
pub(in crate::system) struct TreeMotion {
    pub(super) workspace: tree::TreeWorkspace,
    /// What is known at the coordinates below.
    pub(super) known: Known,
    /// Whether forces are evaluated without the motion of bodies and joints.
    pub(super) links_only: bool,
    /// The coordinates of this state.
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(in crate::system) turns: Vec<f64>,
    /// Loads on links, at their origins.
    pub(super) loads: Vec<Wrench>,
    /// Joint forces at zero acceleration.
    pub(super) bias: Vec<f64>,
    /// Planar angle of each link, including turns.
    pub(super) angles: Vec<f64>,
    /// The coordinates of each joint that is a link's.
    pub(super) own: Vec<OwnCoordinates>,
}

/// The part of the motion that was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    Nothing,
    Links,
    /// Links, bodies and joints.
    All,
}

impl TreeMotion {
    /// Marks the motion of bodies and joints as changed by others.
    pub(in crate::system) fn forget(&mut self) {
        self.known = Known::Nothing;
    }

    /// See [`SystemKinematics::generalized`].
    #[inline]
    pub(in crate::system) fn generalized(&self, joint: usize, k: usize) -> Option<usize> {
        let own = self.own[joint];
        (self.links_only && k < own.scalars).then_some(own.v + k)
    }

    /// Returns value and velocity of a measured coordinate that is a coordinate of the tree.
    #[inline]
    pub(in crate::system) fn own_coordinate(&self, joint: usize, k: usize) -> Option<(f64, f64)> {
        let own = self.own[joint];
        (k < own.scalars).then(|| (self.q[own.q + k], self.v[own.v + k]))
    }

    /// Goes to coordinates, and forgets what is known at others.
    #[inline]
    pub(super) fn go_to(&mut self, q: &[f64], v: &[f64]) {
        let mut changed = 0;
        for (own, given) in self.q.iter_mut().zip(q) {
            changed |= own.to_bits() ^ given.to_bits();
            *own = *given;
        }
        for (own, given) in self.v.iter_mut().zip(v) {
            changed |= own.to_bits() ^ given.to_bits();
            *own = *given;
        }
        if changed != 0 {
            self.known = Known::Nothing;
        }
    }
}

impl TreeSystem {
    /// Allocates the state of the links.
    pub(super) fn at_rest(&self) -> Box<TreeMotion> {
        let links = self.tree.links.len();
        Box::new(TreeMotion {
            workspace: tree::TreeWorkspace::new(&self.tree),
            known: Known::Nothing,
            links_only: false,
            q: vec![0.0; self.sizes.positions],
            v: vec![0.0; self.sizes.velocities],
            turns: vec![0.0; self.sizes.turns],
            loads: vec![Wrench::zero(); links],
            bias: vec![0.0; self.sizes.velocities],
            angles: vec![0.0; links],
            own: self.own.clone(),
        })
    }

    /// Computes the motion of the bodies from that of their links.
    fn place_bodies(&self, out: &mut SystemKinematics) {
        let Some(motion) = &out.tree else { return };
        let planar = self.model.space == Space::Planar;
        for ((b, place), body) in self.tree.places.iter().enumerate().zip(&mut out.bodies) {
            let Some(link) = place.link else {
                *body = BodyMotion::at_rest();
                body.R = place.pose.R;
                body.r = self.centers[b];
                body.angle = self.offsets[b];
                continue;
            };
            let state = &motion.workspace.links[link];
            let (o, velocity, center) = (&state.o, &state.velocity, &self.centers[b]);
            body.R = if self.turned[b] {
                product(&state.R, &place.pose.R)
            } else {
                state.R
            };
            body.w = velocity.w;
            if planar {
                let (c, s, w) = (state.R[(0, 0)], state.R[(1, 0)], velocity.w[2]);
                let x = c * center[0] - s * center[1];
                let y = s * center[0] + c * center[1];
                body.r = Vec3::new(o[0] + x, o[1] + y, o[2]);
                body.v = Vec3::new(velocity.v[0] - w * y, velocity.v[1] + w * x, velocity.v[2]);
            } else {
                let s = apply(&state.R, center);
                body.r = o + s;
                body.v = velocity.v + cross(&velocity.w, &s);
            }
            body.angle = motion.angles[link] + self.offsets[b];
        }
    }

    /// Returns the angle of a planar link: its parent's, the fixed angle between them, and the rotation of its joint.
    fn planar_angle(&self, motion: &TreeMotion, i: usize) -> f64 {
        let link = &self.tree.links[i];
        let below = link.parent.map_or(0.0, |p| motion.angles[p]);
        let turn = |(k, i): (usize, usize)| motion.workspace.columns[k].w[2] * motion.q[i];
        let turned = match link.hinge {
            Hinge::Slide => 0.0,
            Hinge::Turn => turn((link.v, link.q)),
            // a planar joint rotates by the sum of its angles
            Hinge::General => link.velocities().zip(link.positions()).map(turn).sum(),
        };
        below + self.bends[i] + turned
    }

    /// Computes the motion of the links.
    pub(super) fn move_links(&self, motion: &mut TreeMotion) {
        let TreeMotion {
            workspace, q, v, ..
        } = motion;
        for i in 0..self.tree.links.len() {
            tree::place(&self.tree, workspace, i, q, Some(v));
        }
        motion.known = Known::Links;
    }

    /// Goes to a state for the accelerations of the links, and computes what they need of the motion of the links.
    #[inline]
    pub(super) fn go_to_links(&self, time: f64, q: &[f64], v: &[f64], out: &mut SystemKinematics) {
        out.time = time;
        let motion = out.tree.get_or_insert_with(|| self.at_rest());
        motion.go_to(q, v);
        motion.links_only = true;
        if !self.single_joints && motion.known < Known::Links {
            self.move_links(motion);
        }
    }

    /// Computes the accelerations for forces along the coordinates at the state of [`Self::go_to_links`].
    #[inline]
    pub(super) fn accelerate_links(
        &self,
        motion: &mut TreeMotion,
        along: &[f64],
        rates: &mut [f64],
    ) {
        let (tree, gravity) = (&self.tree, &self.model.gravity);
        let TreeMotion {
            workspace, q, v, ..
        } = motion;
        if self.single_joints {
            tree::accelerations_along((tree, gravity), workspace, (q, v), along, rates);
        } else {
            tree::hybrid_under(tree, gravity, workspace, &[], along, &[], rates);
        }
    }

    /// Computes the motion of bodies and joints from that of the links.
    pub(super) fn move_bodies(&self, mut motion: Box<TreeMotion>, out: &mut SystemKinematics) {
        for (i, link) in self.tree.links.iter().enumerate() {
            if self.model.space == Space::Planar {
                motion.angles[i] = self.planar_angle(&motion, i);
            }
            if let (Some(j), false) = (link.element, link.reversed) {
                self.move_across(&motion, i, &mut out.joints[j.0]);
            }
        }
        tree::drifts(&self.tree, &mut motion.workspace);
        motion.known = Known::All;
        out.tree = Some(motion);
        self.place_bodies(out);
        // tree joints follow from their own coordinates, the others from the bodies
        for (j, direct) in self.direct.iter().enumerate() {
            if !direct {
                out.relate(&self.model, j);
            }
        }
    }

    /// Computes the motion across the joint of a link from the link's own coordinates.
    fn move_across(&self, motion: &TreeMotion, i: usize, out: &mut JointMotion) {
        let link = &self.tree.links[i];
        let state = &motion.workspace.links[i];
        let rel = &mut out.rel;
        (out.R_F, out.p_F, out.p_M) = (state.R_F, state.o, state.o);
        match link.hinge {
            Hinge::Turn => {
                let x = column(&state.R, 0);
                let (c, s) = (
                    dot(&column(&state.R_F, 0), &x),
                    dot(&column(&state.R_F, 1), &x),
                );
                rel.R = Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
                (rel.p, rel.v) = (zero3(), zero3());
                rel.w = Vec3::new(0.0, 0.0, motion.v[link.v]);
            }
            Hinge::Slide => {
                rel.R = Mat3::identity();
                rel.p = Vec3::new(motion.q[link.q], 0.0, 0.0);
                rel.v = Vec3::new(motion.v[link.v], 0.0, 0.0);
                rel.w = zero3();
                out.p_F -= column(&state.R_F, 0) * motion.q[link.q];
            }
            Hinge::General => {
                let (q, rates) = (&motion.q[link.positions()], &motion.v[link.velocities()]);
                let mut across = Across::new();
                link.joint.across(self.model.space, q, rates, &mut across);
                rel.R = transposed_product(&state.R_F, &state.R);
                rel.p = across.p;
                (rel.v, rel.w) = (zero3(), zero3());
                for (k, rate) in rates.iter().enumerate() {
                    rel.v += across.Hv[k] * *rate;
                    rel.w += across.Hw[k] * *rate;
                }
                out.p_F -= apply(&state.R_F, &across.p);
            }
        }
    }
}
