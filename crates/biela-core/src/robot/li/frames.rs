//! Screws of the joints and composite masses, in the base frame or in the frames of the links.
//!
//! ```text
//! revolute   δ = a            λ = p × a            a the axis of the joint, p a point on it
//! prismatic  δ = 0            λ = a
//! ```
//!
//! All vectors refer to one point, the origin of frame 0. In the base version (MDD1) their components are along the ground's axes. In the
//! link version (MDD2) the vectors of joint k are in the axes of frame k − 1, and the screws of the preceding joints are rotated there one
//! link at a time.

use super::chain::{Chain, ChainJointType, ChainLink, LinkMass};
use crate::math::rotation::{apply_transposed, column, cross, unit, zero3};
use crate::math::spatial::Twist;
use crate::math::{Pose, Real, Vec3};

/// The axes in which vectors are expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// The ground's.
    Base,
    /// Those of the links; for each joint the preceding link.
    Links,
}

/// The quantities of each joint, in its axes.
#[derive(Clone, Debug)]
pub(super) struct JointQuantities<T: Real> {
    frames: Frames,
    n: usize,
    /// Screws: in base axes one per joint, in link axes a row of n for each joint.
    screws: Vec<Twist<T>>,
    /// Composite mass of each joint: its link and all links beyond, about the common point.
    pub(super) carried: Vec<LinkMass<T>>,
    /// Acceleration of gravity.
    pub(super) gravity: Vec<Vec3<T>>,
    /// Pose of frame i: in base axes relative to the ground; in link axes of the common point relative to frame i.
    poses: Vec<Pose<T>>,
}

impl<T: Real> JointQuantities<T> {
    pub(super) fn new(chain: &Chain<T>, frames: Frames) -> Self {
        let n = chain.links.len();
        let rows = match frames {
            Frames::Base => 1,
            Frames::Links => n,
        };
        JointQuantities {
            frames,
            n,
            screws: vec![Twist::zero(); n * rows],
            carried: vec![LinkMass::zero(); n],
            gravity: vec![chain.gravity; n],
            poses: vec![Pose::identity(); n],
        }
    }

    /// Screws of the joints up to k, in the axes of joint k.
    #[inline]
    pub(super) fn screws(&self, k: usize) -> &[Twist<T>] {
        match self.frames {
            Frames::Base => &self.screws[..=k],
            Frames::Links => &self.screws[self.n * k..=self.n * k + k],
        }
    }

    pub(super) fn place(&mut self, chain: &Chain<T>, q: &[T]) {
        match self.frames {
            Frames::Base => self.in_base(chain, q),
            Frames::Links => self.in_links(chain, q),
        }
    }

    /// `T_i = T_{i−1} A_i`, then masses from the tip.
    fn in_base(&mut self, chain: &Chain<T>, q: &[T]) {
        let mut frame = Pose {
            R: chain.base,
            p: zero3(),
        };
        for (i, link) in chain.links.iter().enumerate() {
            let axis = column(&frame.R, 2);
            self.screws[i] = match link.axis {
                ChainJointType::Revolute => Twist::new(axis, cross(&frame.p, &axis)),
                ChainJointType::Prismatic => Twist::new(zero3(), axis),
            };
            frame = frame.then(&across(link, q[i]));
            self.poses[i] = frame;
        }
        let mut all = LinkMass::zero();
        for (i, link) in chain.links.iter().enumerate().rev() {
            let pose = &self.poses[i];
            all = all.with(&link.mass.placed(&pose.R, &pose.p));
            self.carried[i] = all;
        }
    }

    /// `ⁱp_i = Rᵀ(ⁱ⁻¹p_{i−1} + ⁱ⁻¹p_loc)`; screws, gravity and masses are rotated from link to link.
    fn in_links(&mut self, chain: &Chain<T>, q: &[T]) {
        let n = self.n;
        let mut p = zero3();
        let mut gravity = apply_transposed(&chain.base, &chain.gravity);
        for (i, link) in chain.links.iter().enumerate() {
            let z = unit(2);
            self.screws[n * i + i] = match link.axis {
                ChainJointType::Revolute => Twist::new(z, cross(&p, &z)),
                ChainJointType::Prismatic => Twist::new(zero3(), z),
            };
            self.gravity[i] = gravity;
            let step = across(link, q[i]);
            p = apply_transposed(&step.R, &(p + step.p));
            gravity = apply_transposed(&step.R, &gravity);
            self.poses[i] = Pose { R: step.R, p };
            if i + 1 < n {
                let (row, next) = self.screws[n * i..].split_at_mut(n);
                for (from, to) in row[..=i].iter().zip(next) {
                    *to = Twist::new(
                        apply_transposed(&step.R, &from.w),
                        apply_transposed(&step.R, &from.v),
                    );
                }
            }
        }
        let mut all = LinkMass::zero();
        for (i, link) in chain.links.iter().enumerate().rev() {
            let pose = &self.poses[i];
            all = all.with(&link.mass.moved(&pose.p)).turned(&pose.R);
            self.carried[i] = all;
        }
    }
}

/// `A_i`: pose of frame i in frame i − 1.
#[inline]
pub(super) fn across<T: Real>(link: &ChainLink<T>, q: T) -> Pose<T> {
    let (R, p) = (&link.rest.R, &link.rest.p);
    match link.axis {
        ChainJointType::Revolute => {
            let (s, c) = q.sin_cos();
            let turn = |x: T, y: T| (c * x - s * y, s * x + c * y);
            let mut A = Pose { R: *R, p: *p };
            for j in 0..3 {
                (A.R[(0, j)], A.R[(1, j)]) = turn(R[(0, j)], R[(1, j)]);
            }
            (A.p[0], A.p[1]) = turn(p[0], p[1]);
            A
        }
        ChainJointType::Prismatic => Pose {
            R: *R,
            p: Vec3::new(p[0], p[1], p[2] + q),
        },
    }
}
