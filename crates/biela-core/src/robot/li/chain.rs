//! A model as a serial chain, to which the closed form applies.
//!
//! Frame i is fixed to link i with its z axis along the axis of joint i + 1; frame 0 is fixed to the ground. From one to the next
//!
//! ```text
//! A_i = Z_i(q_i) K_i        Z_i a rotation about z (revolute) or a translation along z (prismatic), K_i a constant pose
//! ```
//!
//! In Denavit–Hartenberg frames `K_i` consists of a rotation about and a translation along x; the closed form does not require this.

use crate::joints::Joint;
use crate::math::rotation::{about, apply, apply_transposed, product};
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::model::Model;
use crate::tree::{Link, Numbers, Tree};

/// Largest number of joints: the number of coefficients grows with its cube.
const MOST_JOINTS: usize = 64;

/// The reason why a model is not a serial chain of revolute and prismatic joints.
#[derive(Clone, PartialEq, Eq)]
pub enum NotSerial {
    /// The model has no joints that move.
    NothingMoves,
    /// Joints close kinematic loops, or are nonholonomic.
    Loops {
        /// The joints.
        joints: Vec<String>,
    },
    /// A joint is neither revolute nor prismatic.
    Joint {
        /// The joint, or a free-floating body.
        name: String,
        /// Its type.
        kind: &'static str,
    },
    /// A joint starts a second branch at a link, or a second chain from the ground.
    Branches {
        /// The joint.
        joint: String,
        /// The preceding joint, on whose link it would have to be.
        before: String,
    },
    /// The number of joints exceeds the limit of the closed form.
    TooLong {
        /// Their number.
        joints: usize,
    },
}

impl std::fmt::Display for NotSerial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const ELSE: &str = "the recursive algorithms have no such limit";
        match self {
            NotSerial::NothingMoves => {
                write!(
                    f,
                    "the chain has no moving joint; the closed form needs at least one"
                )
            }
            NotSerial::Loops { joints } => write!(
                f,
                "`{}` closes a loop; the closed form requires an open chain",
                joints.join("`, `")
            ),
            NotSerial::Joint { name, kind } => write!(
                f,
                "`{name}` is a {kind} joint; the closed form supports revolute and prismatic joints only; {ELSE}"
            ),
            NotSerial::Branches { joint, before } => write!(
                f,
                "joint `{joint}` is not attached to the link that joint `{before}` moves: the closed form requires a serial chain; {ELSE}"
            ),
            NotSerial::TooLong { joints } => write!(
                f,
                "the chain has {joints} joints; the closed form, whose cost grows with their cube, supports up to {MOST_JOINTS}; {ELSE}"
            ),
        }
    }
}

crate::readable_errors!(NotSerial);

/// The type of motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainJointType {
    /// Rotation about z.
    Revolute,
    /// Translation along z.
    Prismatic,
}

/// Mass, first moment and second moment `∫ x xᵀ dm` of a link, about the origin of its frame and in its axes.
#[derive(Clone, Copy, Debug)]
pub struct LinkMass<T: Real = f64> {
    /// Mass.
    pub m: T,
    /// First moment.
    pub h: Vec3<T>,
    /// Second moment: the upper left of the homogeneous inertia matrix.
    pub L: Mat3<T>,
}

/// A joint and the link that it moves.
#[derive(Clone, Copy, Debug)]
pub struct ChainLink<T: Real = f64> {
    /// Type of motion of the joint.
    pub axis: ChainJointType,
    /// `K_i`: pose of frame i in the frame that coincides with frame i − 1 at `q_i = 0`.
    pub rest: Pose<T>,
    /// Mass of the link, in frame i.
    pub mass: LinkMass<T>,
    /// Inertia that acts on the velocity of the joint only.
    pub armature: T,
}

/// A serial chain of revolute and prismatic joints.
#[derive(Clone, Debug)]
pub struct Chain<T: Real = f64> {
    /// Acceleration of gravity, in the ground's axes.
    pub gravity: Vec3<T>,
    /// Orientation of frame 0 in the ground.
    pub base: Mat3<T>,
    /// Joints and links, starting from the ground.
    pub links: Vec<ChainLink<T>>,
}

impl Chain<f64> {
    /// The chain of a model.
    pub fn new(model: &Model) -> Result<Self, NotSerial> {
        Self::with(model, &Numbers::of(model))
    }
}

impl<T: Real> Chain<T> {
    /// The chain of a model with substituted numbers.
    pub fn with(model: &Model, numbers: &Numbers<T>) -> Result<Self, NotSerial> {
        let tree = Tree::with(model, numbers);
        let axes = axes(model, &tree)?;
        let frame = |i: usize| -> Pose<T> { tree.links[i].frame.then(&upright(&tree.links[i])) };
        let link = |i: usize| {
            // the rest frame of the link's joint, then the frame of the next joint on the link
            let turned = upright(&tree.links[i]);
            let next = if i + 1 < tree.links.len() {
                frame(i + 1)
            } else {
                Pose::identity()
            };
            ChainLink {
                axis: axes[i],
                rest: turned.inverse().then(&next),
                mass: seen_from(&tree.links[i], &next),
                armature: tree.armature[tree.links[i].v],
            }
        };
        Ok(Chain {
            gravity: tree.gravity,
            base: frame(0).R,
            links: (0..tree.links.len()).map(link).collect(),
        })
    }
}

/// The motion type of each joint, if the tree is a serial chain.
fn axes<T: Real>(model: &Model, tree: &Tree<T>) -> Result<Vec<ChainJointType>, NotSerial> {
    let name = |j: crate::model::JointIndex| model.joints[j.0].name.clone();
    if !tree.span.cuts.is_empty() {
        let joints = tree.span.cuts.iter().map(|j| name(*j)).collect();
        return Err(NotSerial::Loops { joints });
    }
    if tree.links.is_empty() {
        return Err(NotSerial::NothingMoves);
    }
    if tree.links.len() > MOST_JOINTS {
        let joints = tree.links.len();
        return Err(NotSerial::TooLong { joints });
    }
    let called = |i: usize| {
        let body = tree.places.iter().position(|place| place.link == Some(i));
        let joint = tree.links[i].element.map(name);
        joint
            .or_else(|| body.map(|b| model.bodies[b].name.clone()))
            .unwrap_or_default()
    };
    let axis = |(i, link): (usize, &Link<T>)| {
        if link.parent != i.checked_sub(1) {
            return Err(NotSerial::Branches {
                joint: called(i),
                before: called(i.saturating_sub(1)),
            });
        }
        match link.joint {
            Joint::Revolute(_) => Ok(ChainJointType::Revolute),
            Joint::Prismatic(_) => Ok(ChainJointType::Prismatic),
            _ => Err(NotSerial::Joint {
                name: called(i),
                kind: link.joint.info().name,
            }),
        }
    };
    tree.links.iter().enumerate().map(axis).collect()
}

/// The frame, in the joint's own frame, whose z axis is the direction of positive motion of the link.
fn upright<T: Real>(link: &Link<T>) -> Pose<T> {
    let quarter = std::f64::consts::FRAC_PI_2;
    let (axis, angle) = match (&link.joint, link.reversed) {
        (Joint::Prismatic(_), false) => (1, quarter),
        (Joint::Prismatic(_), true) => (1, -quarter),
        (_, true) => (0, 2.0 * quarter),
        (_, false) => (0, 0.0),
    };
    // exact quarter turns, without rounding of sines
    let turn = about::<f64>(axis, angle).map(f64::round);
    Pose::new(turn, Vec3::zeros()).constant()
}

/// The mass properties of a link in a frame of the link: from the inertia `J = tr(L) 1 − L` about the link's own origin,
/// `L' = Rᵀ (L − h pᵀ − p hᵀ + m p pᵀ) R` and `h' = Rᵀ (h − m p)`.
fn seen_from<T: Real>(link: &Link<T>, frame: &Pose<T>) -> LinkMass<T> {
    let (m, h, J) = (link.inertia.m, &link.inertia.h, &link.inertia.J);
    let half = J.trace() * T::constant(0.5);
    let mut L = -J.matrix();
    for i in 0..3 {
        L[(i, i)] += half;
    }
    let (R, p) = (&frame.R, &frame.p);
    for i in 0..3 {
        for j in 0..3 {
            L[(i, j)] += m * p[i] * p[j] - h[i] * p[j] - p[i] * h[j];
        }
    }
    LinkMass {
        m,
        h: apply_transposed(R, &(h - p * m)),
        L: product(&product(&R.transpose(), &L), R),
    }
}

impl<T: Real> LinkMass<T> {
    /// The same mass properties in the axes to which `R` transforms, about the point at `−p` in them:
    /// `h' = R h + m p`, `L' = R L Rᵀ + (R h) pᵀ + p h'ᵀ`.
    pub(super) fn placed(&self, R: &Mat3<T>, p: &Vec3<T>) -> Self {
        let turned = self.turned(R);
        turned.moved(p)
    }

    /// In the axes to which `R` transforms.
    pub(super) fn turned(&self, R: &Mat3<T>) -> Self {
        LinkMass {
            m: self.m,
            h: apply(R, &self.h),
            L: product(&product(R, &self.L), &R.transpose()),
        }
    }

    /// About the point at `−p`.
    pub(super) fn moved(&self, p: &Vec3<T>) -> Self {
        let h = self.h + p * self.m;
        let mut L = self.L;
        for j in 0..3 {
            for i in 0..3 {
                L[(i, j)] += self.h[i] * p[j] + p[i] * h[j];
            }
        }
        LinkMass { m: self.m, h, L }
    }

    /// The sum of both.
    pub(super) fn with(&self, other: &Self) -> Self {
        LinkMass {
            m: self.m + other.m,
            h: self.h + other.h,
            L: self.L + other.L,
        }
    }

    /// Zero mass.
    pub(super) fn zero() -> Self {
        LinkMass {
            m: T::zero(),
            h: crate::math::rotation::zero3(),
            L: crate::math::rotation::diagonal(T::zero(), T::zero(), T::zero()),
        }
    }
}
