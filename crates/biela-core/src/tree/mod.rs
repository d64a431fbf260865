//! The joint-coordinate engine: a model as a tree of links, and algorithms on it, one per file.
//!
//! A link is a body with all bodies welded to it. Its frame is the joint frame that connects it to its parent; its coordinates
//! are those of the tree view of that joint ([`crate::joints::JointKind::across`]). Every vector is in ground axes, at
//! the origin O of its link. This avoids cancellation far from the ground's origin, and rotations
//! between links:
//!
//! ```text
//! w = w_P + Σ S_w v        v_O = v_P + w_P × r + Σ S_v v        r from the parent's origin to the link's
//! ```
//!
//! The algorithms are free functions of a [`Tree`], a [`TreeWorkspace`] and coordinates, and generic over [`Real`]: numbers yield numbers,
//! dual numbers derivatives, symbols formulas. The recursions are those of Featherstone, *Rigid Body Dynamics Algorithms*
//! (2008), in these axes and at these points.
//!
//! ```
//! use biela_core::joints::Revolute;
//! use biela_core::math::Vec3;
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//! use biela_core::tree::{Tree, TreeWorkspace, crba, rnea};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("pendulum", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 1.0 / 6.0)?));
//! let _ = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
//! let tree = Tree::new(&model)?;
//! let mut ws = TreeWorkspace::new(&tree);
//! let (q, v) = ([0.3_f64], [2.0]);
//!
//! // M = I + m l², and the torque that holds the rod
//! let mut mass = 0.0;
//! crba(&tree, &mut ws, &q, |_, _, value| mass = value);
//! assert!((mass - (1.0 / 6.0 + 0.5)).abs() < 1e-12);
//! let mut torque = [0.0];
//! rnea(&tree, &mut ws, &q, &v, &[0.0], &[], &mut torque);
//! assert!((torque[0] - 9.81 * q[0].cos()).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
#![allow(non_snake_case)]

mod aba;
#[cfg(test)]
pub(crate) mod beside;
mod connection;
mod coordinates;
mod coriolis;
mod crba;
mod derivatives;
mod inverse;
mod jacobian;
pub mod kane;
mod kinematics;
mod momentum;
mod operational;
mod planar;
mod reactions;
mod resist;
mod rnea;
mod single;
mod spanning_tree;
#[cfg(test)]
pub(crate) mod suite;
mod workspace;

pub(crate) use aba::hybrid_under;
pub use aba::{aba, articulate, forward, hybrid, solve};
pub use connection::{NotATree, branch_ends, connection_array};
pub use coordinates::{difference, normalize, position_rates, retract};
pub use coriolis::coriolis;
pub use crba::{crba, mass};
pub use derivatives::{DynamicsDerivatives, aba_derivatives, rnea_derivatives};
pub use inverse::inverse_mass;
pub use jacobian::{jacobian, jacobian_bias, pose_of, velocity_of};
pub(crate) use kinematics::place;
pub use kinematics::{accelerations, drifts, positions, velocities};
pub use momentum::{
    Momentum, center_of_mass, centroidal_matrix, gravity_energy, kinetic_energy, momentum,
};
pub use operational::Operational;
pub use reactions::{at_joint, transmitted};
pub use resist::unresisted;
pub use rnea::{bias, efforts, generalize, rnea};
pub(crate) use single::{accelerations_along, has_single_joints};
pub use spanning_tree::{Branch, SpanningTree, closing_joint, span, span_without_poles};
pub use workspace::{LinkState, TreeWorkspace};

use crate::joints::{Joint, TreeShape};
use crate::math::rotation::{constant3, product};
use crate::math::spatial::{RigidInertia, Sym3};
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::model::{BodyIndex, Faults, JointIndex, Model, Space};

/// The numerical parameters of a model that the algorithms use, in any scalar type.
#[derive(Clone, Debug)]
pub struct Numbers<T: Real = f64> {
    /// Acceleration of gravity.
    pub gravity: Vec3<T>,
    /// Mass, mass centre and inertia about it, of each body in its frame.
    pub bodies: Vec<(T, Vec3<T>, Mat3<T>)>,
    /// The two joint frames of each joint, in the frames of its bodies.
    pub joints: Vec<[Pose<T>; 2]>,
    /// Armature of each velocity coordinate of each joint.
    pub armatures: Vec<T>,
}

impl<T: Real> Numbers<T> {
    /// The parameters of a model, as constants.
    pub fn of(model: &Model) -> Self {
        let turn = |R: &Mat3<f64>| {
            let pose = Pose::new(*R, Vec3::zeros());
            pose.constant::<T>().R
        };
        let body = |b: &crate::model::Body| {
            let mass = &b.mass;
            (
                T::constant(mass.mass),
                constant3(&mass.center),
                turn(&mass.inertia),
            )
        };
        let joint = |j: &crate::model::JointElement| [j.first.1.constant(), j.second.1.constant()];
        Numbers {
            gravity: constant3(&model.gravity),
            bodies: model.bodies.iter().map(body).collect(),
            joints: model.joints.iter().map(joint).collect(),
            armatures: model
                .joints
                .iter()
                .map(|j| T::constant(j.armature))
                .collect(),
        }
    }
}

/// The kinds of joints that the algorithms treat with fewer operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hinge {
    /// Rotation about the z axis of the joint frames: a revolute joint.
    Turn,
    /// Translation along the x axis of the joint frames: a prismatic joint.
    Slide,
    /// Any other joint.
    General,
}

/// A body with all bodies welded to it, on its joint.
#[derive(Clone, Debug)]
pub struct Link<T: Real = f64> {
    /// The parent link; `None` for the ground.
    pub parent: Option<usize>,
    /// Index after the last link of its subtree.
    pub end: usize,
    /// Its joint.
    pub joint: Joint,
    /// The joint in the model; `None` for a free-floating body.
    pub element: Option<JointIndex>,
    /// The link is the first body of the joint: coordinates describe the parent relative to the link.
    pub reversed: bool,
    /// The treatment of the joint.
    pub hinge: Hinge,
    /// The inboard joint frame, in the frame of the parent link.
    pub frame: Pose<T>,
    /// Inertia about the link's origin, in its axes.
    pub inertia: RigidInertia<T>,
    /// Numbers and types of its coordinates.
    pub shape: TreeShape,
    /// First position coordinate.
    pub q: usize,
    /// First velocity coordinate.
    pub v: usize,
}

impl<T: Real> Link<T> {
    /// Range of its position coordinates.
    pub fn positions(&self) -> std::ops::Range<usize> {
        self.q..self.q + self.shape.positions()
    }

    /// Range of its velocity coordinates.
    pub fn velocities(&self) -> std::ops::Range<usize> {
        self.v..self.v + self.shape.freedom()
    }
}

/// The location of a body on the tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeLocation<T: Real = f64> {
    /// The link of the body; `None` for the ground.
    pub link: Option<usize>,
    /// Pose of the body frame in the frame of the link.
    pub pose: Pose<T>,
}

/// The reason why a model is not a tree.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum TreeError {
    /// The model has mistakes.
    Invalid(Faults),
    /// A joint closes a loop.
    Loop {
        /// The first joint, in the order of the model, whose bodies were connected by the joints before it.
        joint: String,
    },
}

impl std::fmt::Display for TreeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TreeError::Invalid(faults) => faults.fmt(f),
            TreeError::Loop { joint } => write!(
                f,
                "joint `{joint}` closes a loop: the algorithms of a tree do not impose its constraints. Remove it, or simulate the model in the formulation `tree`"
            ),
        }
    }
}

crate::readable_errors!(TreeError);

/// A model as a tree of links.
#[derive(Clone, Debug)]
pub struct Tree<T: Real = f64> {
    /// Planar or spatial.
    pub space: Space,
    /// Acceleration of gravity.
    pub gravity: Vec3<T>,
    /// Links, parents first, each subtree contiguous.
    pub links: Vec<Link<T>>,
    /// The location of each body.
    pub places: Vec<TreeLocation<T>>,
    /// The spanning tree of bodies.
    pub span: SpanningTree,
    /// Armature of each velocity coordinate: adds `½ a v²` to the energy of the links.
    pub armature: Vec<T>,
    /// Number of position coordinates.
    pub positions: usize,
    /// Number of velocity coordinates.
    pub velocities: usize,
}

impl Tree<f64> {
    /// The tree of a model without loops.
    ///
    /// ```
    /// use biela_core::joints::Revolute;
    /// use biela_core::math::Pose;
    /// use biela_core::model::{Body, BodyIndex, MarkerIndex, MassProperties, Model, Space};
    /// use biela_core::tree::{Tree, TreeError};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("rod on two pins", Space::Planar);
    /// let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?));
    /// let _ = model.connect("left", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
    /// assert_eq!(Tree::new(&model)?.velocities, 1);
    /// let right = Pose::translation(1.0, 0.0, 0.0);
    /// let ends = [BodyIndex::GROUND, rod].map(|body| model.add_marker("right", body, right));
    /// let _ = model.connect("right", Revolute, ends);
    /// assert!(matches!(Tree::new(&model), Err(TreeError::Loop { joint }) if joint == "right"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The model has mistakes, or a joint that closes a loop.
    pub fn new(model: &Model) -> Result<Self, TreeError> {
        model.check().map_err(TreeError::Invalid)?;
        let tree = Self::spanning(model);
        if tree.span.cuts.is_empty() {
            return Ok(tree);
        }
        let closing = closing_joint(model).or(tree.span.cuts.first().copied());
        let name = |joint: JointIndex| model.joints[joint.0].name.clone();
        Err(TreeError::Loop {
            joint: closing.map(name).unwrap_or_default(),
        })
    }

    /// The spanning tree of a valid model, which may have loops: the joints that close them are in [`Tree::span`], not among the links.
    pub fn spanning(model: &Model) -> Self {
        Self::with(model, &Numbers::of(model))
    }
}

impl<T: Real> Tree<T> {
    /// The tree of a model with other parameters.
    pub fn with(model: &Model, numbers: &Numbers<T>) -> Self {
        Self::along(model, numbers, span(model))
    }

    /// The tree of a model along a given spanning tree.
    pub fn along(model: &Model, numbers: &Numbers<T>, span: SpanningTree) -> Self {
        let ground = TreeLocation {
            link: None,
            pose: Pose::identity(),
        };
        let mut tree = Tree {
            space: model.space,
            gravity: numbers.gravity,
            links: Vec::new(),
            places: vec![ground; model.bodies.len()],
            span,
            armature: Vec::new(),
            positions: 0,
            velocities: 0,
        };
        for branch in tree.span.branches.clone() {
            let parent = match branch.parent.number() {
                Some(p) => tree.places[p],
                None => ground,
            };
            let (joint, near, far) = match branch.joint {
                Some(j) => {
                    let [first, second] = &numbers.joints[j.0];
                    let joint = model.joints[j.0].joint.clone();
                    if branch.reversed {
                        (joint, *second, *first)
                    } else {
                        (joint, *first, *second)
                    }
                }
                None => (
                    Joint::Free(crate::joints::Free),
                    Pose::identity(),
                    Pose::identity(),
                ),
            };
            let frame = parent.pose.then(&near);
            let shape = joint.shape(model.space).tree.unwrap_or(TreeShape {
                scalars: 0,
                rotation: false,
            });
            tree.places[branch.body] = if shape.freedom() == 0 {
                TreeLocation {
                    link: parent.link,
                    pose: frame.then(&far.inverse()),
                }
            } else {
                let hinge = match joint {
                    Joint::Revolute(_) => Hinge::Turn,
                    Joint::Prismatic(_) => Hinge::Slide,
                    _ => Hinge::General,
                };
                tree.links.push(Link {
                    parent: parent.link,
                    end: tree.links.len() + 1,
                    joint,
                    element: branch.joint,
                    reversed: branch.reversed,
                    hinge,
                    frame,
                    inertia: RigidInertia::zero(),
                    shape,
                    q: tree.positions,
                    v: tree.velocities,
                });
                tree.positions += shape.positions();
                tree.velocities += shape.freedom();
                let armature = branch.joint.map_or(T::zero(), |j| numbers.armatures[j.0]);
                tree.armature.resize(tree.velocities, armature);
                TreeLocation {
                    link: Some(tree.links.len() - 1),
                    pose: far.inverse(),
                }
            };
            tree.add_mass(branch.body, &numbers.bodies[branch.body]);
        }
        for i in (0..tree.links.len()).rev() {
            if let Some(p) = tree.links[i].parent {
                tree.links[p].end = tree.links[p].end.max(tree.links[i].end);
            }
        }
        tree
    }

    /// Adds the mass of a body to its link.
    fn add_mass(&mut self, body: usize, (mass, center, inertia): &(T, Vec3<T>, Mat3<T>)) {
        let place = &self.places[body];
        if let Some(link) = place.link {
            let R = &place.pose.R;
            let turned = product(&product(R, inertia), &R.transpose());
            let at = place.pose.point(center);
            self.links[link].inertia += RigidInertia::new(*mass, &at, Sym3::of(&turned));
        }
    }

    /// Returns the link of a body; `None` for the ground and bodies welded to it.
    pub fn link_of(&self, body: BodyIndex) -> Option<usize> {
        body.number().and_then(|b| self.places[b].link)
    }

    /// Iterates over the links from a link to the ground, starting with the link itself.
    pub fn path(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(link), |i| self.links[*i].parent)
    }
}
