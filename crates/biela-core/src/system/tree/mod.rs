//! The tree formulation: coordinates of the joints of a spanning tree, constraint equations for the joints that close loops.
//!
//! ```text
//! M(q) v̇ + Gᵀ λ = Jᵀ loads − c(q, v)
//! ```
//!
//! with the mass matrix, the bias force c and, if there are no constraints, the accelerations from the algorithms of
//! [`crate::tree`]. The load on a tree joint follows from the Newton–Euler equations of its subtree.
#![allow(non_snake_case)]

mod columns;
mod reactions;
mod tangent;

pub(super) use tangent::Spare;

use nalgebra::{SMatrix, SVector};

use super::armature::{self, Armature, Armatures};
use super::rows::{self, RowDerivatives, Values};
use super::{
    BodyMotion, JointMotion, JointReaction, Loads, NotFinite, Response, RowLabel, RowOwner, Sizes,
    System, SystemKinematics, SystemSignals, Workspace, applied,
};
use crate::forces::Force;
use crate::joints::{Across, Joint, MAX_FREEDOM, PoseFunction, Relative};
use crate::math::rotation::{
    apply, column, cross, dot, implicit_parameters, product, rates_from_base, transposed_product,
    turn_of, zero3,
};
use crate::math::spatial::Wrench;
use crate::math::{Mat3, RowPattern, SymmetricPattern, Vec3};
use crate::model::{BodyIndex, DriverTarget, JointIndex, JointQuantity, Law, Model, Signal, Space};
use crate::tree::{self, Hinge, Numbers, Tree};
use columns::{Reach, TreeJacobian, reach, row_columns};

/// The state of the links at an instant.
#[derive(Clone, Debug)]
pub(super) struct TreeMotion {
    workspace: tree::TreeWorkspace,
    /// What is known at the coordinates below.
    known: Known,
    /// Whether forces are evaluated without the motion of bodies and joints.
    links_only: bool,
    /// The coordinates of this state.
    q: Vec<f64>,
    v: Vec<f64>,
    pub(super) turns: Vec<f64>,
    /// Loads on links, at their origins.
    loads: Vec<Wrench>,
    /// Joint forces at zero acceleration.
    bias: Vec<f64>,
    /// Planar angle of each link, including turns.
    angles: Vec<f64>,
    /// The coordinates of each joint that is a link's.
    own: Vec<OwnCoordinates>,
}

/// The scalar coordinates of a joint among those of a tree: the first position, the first velocity, and their number, zero for other joints.
#[derive(Clone, Copy, Debug, Default)]
struct OwnCoordinates {
    q: usize,
    v: usize,
    scalars: usize,
}

/// The part of the motion that was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Nothing,
    Links,
    /// Links, bodies and joints.
    All,
}

impl TreeMotion {
    /// Marks the motion of bodies and joints as changed by others.
    pub(super) fn forget(&mut self) {
        self.known = Known::Nothing;
    }

    /// See [`SystemKinematics::generalized`].
    #[inline]
    pub(super) fn generalized(&self, joint: usize, k: usize) -> Option<usize> {
        let own = self.own[joint];
        (self.links_only && k < own.scalars).then_some(own.v + k)
    }

    /// Returns value and velocity of a measured coordinate that is a coordinate of the tree.
    #[inline]
    pub(super) fn own_coordinate(&self, joint: usize, k: usize) -> Option<(f64, f64)> {
        let own = self.own[joint];
        (k < own.scalars).then(|| (self.q[own.q + k], self.v[own.v + k]))
    }

    /// Goes to coordinates, and forgets what is known at others.
    #[inline]
    fn go_to(&mut self, q: &[f64], v: &[f64]) {
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

/// A model in the coordinates of its joints.
#[derive(Debug)]
pub struct TreeSystem {
    model: Model,
    tree: Tree,
    sizes: Sizes,
    labels: Vec<RowLabel>,
    signals: SystemSignals,
    /// Joints with rows.
    cut: Vec<bool>,
    /// Joints whose motion follows from the coordinates of their link.
    direct: Vec<bool>,
    /// The body of each link without a joint.
    free: Vec<Option<usize>>,
    mass_pattern: SymmetricPattern,
    jacobian_pattern: RowPattern,
    /// Armatures of the joints with rows; those of the others belong to the tree.
    armatures: Armatures,
    /// Armatures of all joints.
    behind: Vec<Armature>,
    tangent_pattern: SymmetricPattern,
    /// The angles of each joint whose turns are known: slot, and who counts them.
    angles: Vec<Vec<(usize, TurnCounter)>>,
    /// The coordinates of each joint.
    own: Vec<OwnCoordinates>,
    /// Whether accelerations follow from the motion of the links and generalised forces along coordinates.
    links_suffice: bool,
    /// Whether no link has Euler parameters, so that q̇ = v.
    only_scalars: bool,
    /// See [`System::coordinates_count_turns`].
    coordinates_count_turns: bool,
    /// The columns that move the bodies of each joint relative to each other.
    reach: Vec<Vec<Reach>>,
    /// Mass centre of each body in its link.
    centers: Vec<Vec3<f64>>,
    /// Bodies whose frame is rotated relative to their link's.
    turned: Vec<bool>,
    /// Fixed angle of each planar body relative to its link, including turns; zero in space, where angles are counted separately.
    offsets: Vec<f64>,
    /// Fixed angle of each planar link relative to its parent.
    bends: Vec<f64>,
    /// Index after the last body of each branch of the tree.
    branch_ends: Vec<usize>,
    /// The velocity coordinates prescribed by rows, if every row prescribes one.
    driven: Option<Driven>,
}

/// Velocity coordinates with prescribed acceleration.
#[derive(Debug)]
struct Driven {
    /// The coordinate of each row.
    columns: Vec<usize>,
    /// Which coordinates are prescribed.
    held: Vec<bool>,
}

impl Driven {
    /// Returns the coordinates prescribed by rows; `None` if a row is of another kind.
    fn new(model: &Model, tree: &Tree, labels: &[RowLabel]) -> Option<Self> {
        let mut held = vec![false; tree.velocities];
        let mut columns = Vec::with_capacity(labels.len());
        for label in labels {
            let RowOwner::Driver(d) = label.owner else {
                return None;
            };
            let DriverTarget::Joint(j, k) = model.drivers[d.0].target else {
                return None;
            };
            let link = tree.links.iter().find(|link| link.element == Some(j))?;
            // apart from the scalars, measured coordinates are functions of several velocity coordinates
            if k >= link.shape.scalars || std::mem::replace(&mut held[link.v + k], true) {
                return None;
            }
            columns.push(link.v + k);
        }
        // no entries mean that none is prescribed
        if columns.is_empty() {
            held.clear();
        }
        Some(Driven { columns, held })
    }
}

/// Returns the index after the last body of each branch: bodies are in order, each subtree contiguous.
fn branch_ends(tree: &Tree) -> Vec<usize> {
    let branches = &tree.span.branches;
    let mut ends: Vec<usize> = (1..=branches.len()).collect();
    let mut place = vec![0; branches.len()];
    for (i, branch) in branches.iter().enumerate() {
        place[branch.body] = i;
    }
    for i in (0..branches.len()).rev() {
        if let Some(p) = branches[i].parent.number() {
            let below = place[p];
            ends[below] = ends[below].max(ends[i]);
        }
    }
    ends
}

/// Who counts the turns of an angle.
#[derive(Clone, Copy, Debug)]
enum TurnCounter {
    /// The angle is this position coordinate.
    Coordinate(usize),
    /// The planar angles of its bodies.
    Bodies,
}

/// Returns the coordinates of each joint of the tree.
fn own_coordinates(model: &Model, tree: &Tree) -> Vec<OwnCoordinates> {
    let mut own = vec![OwnCoordinates::default(); model.joints.len()];
    for link in &tree.links {
        if let Some(j) = link.element {
            let (q, v, scalars) = (link.q, link.v, link.shape.scalars);
            own[j.0] = OwnCoordinates { q, v, scalars };
        }
    }
    own
}

/// Returns the angles of each joint whose turns are known from coordinates or planar bodies.
fn known_angles(model: &Model, own: &[OwnCoordinates]) -> Vec<Vec<(usize, TurnCounter)>> {
    let of_joint = |(element, own): (&crate::model::JointElement, &OwnCoordinates)| {
        let coordinates = element.joint.coordinates(model.space);
        let angular = coordinates.iter().enumerate().filter(|(_, c)| c.angular);
        let counted = angular.enumerate().filter_map(|(slot, (k, c))| {
            if k < own.scalars {
                return Some((slot, TurnCounter::Coordinate(own.q + k)));
            }
            let by_bodies = model.space == Space::Planar && c.turning;
            by_bodies.then_some((slot, TurnCounter::Bodies))
        });
        counted.collect()
    };
    model.joints.iter().zip(own).map(of_joint).collect()
}

/// Whether every measured angle is a coordinate.
fn coordinates_count_turns(model: &Model, own: &[OwnCoordinates]) -> bool {
    let mut joints = model.joints.iter().zip(own);
    joints.all(|(element, own)| {
        let coordinates = element.joint.coordinates(model.space);
        let beyond = coordinates.iter().skip(own.scalars);
        beyond.into_iter().all(|coordinate| !coordinate.angular)
    })
}

/// Whether all forces act along coordinates, and depend only on them, on time and on values set from outside.
fn links_suffice(model: &Model, own: &[OwnCoordinates]) -> bool {
    let is_own = |j: JointIndex, k: usize| k < own[j.0].scalars;
    let is_known = |signal: &Signal| match *signal {
        Signal::Time | Signal::Input(_) | Signal::Controller(_) => true,
        Signal::Joint(j, JointQuantity::Value(k) | JointQuantity::Rate(k)) => is_own(j, k),
        _ => false,
    };
    let follows = |law: &&Law| match law {
        Law::Constant(_) => true,
        Law::Function { inputs, .. } => inputs.iter().all(is_known),
    };
    let acts_along_own = |force: &dyn Force| {
        let along = force.coordinate().is_some_and(|(j, k)| is_own(j, k));
        force.is_generalized() && along && force.laws().iter().all(follows)
    };
    let mut forces = model.forces.iter();
    model.spin == 0.0 && forces.all(|element| acts_along_own(element.force.as_ref()))
}

/// Returns the angle of a planar rotation.
fn angle_of(R: &Mat3<f64>) -> f64 {
    R[(1, 0)].atan2(R[(0, 0)])
}

impl TreeSystem {
    /// Assigns coordinates and equations. `start` gives the poses of the bodies, from which the turns of planar angles are counted.
    pub fn new(model: Model, start: &SystemKinematics) -> Self {
        let span = tree::span_without_poles(&model);
        let mut tree = Tree::along(&model, &Numbers::of(&model), span);
        // gravity is one of the loads, like every force
        tree.gravity = zero3();
        let mut cut = vec![true; model.joints.len()];
        for j in tree.span.branches.iter().filter_map(|b| b.joint) {
            cut[j.0] = false;
        }
        let mut direct = vec![false; model.joints.len()];
        for link in tree.links.iter().filter(|link| !link.reversed) {
            if let Some(j) = link.element {
                direct[j.0] = true;
            }
        }
        let mut free = vec![None; tree.links.len()];
        for branch in tree.span.branches.iter().filter(|b| b.joint.is_none()) {
            if let Some(link) = tree.places[branch.body].link {
                free[link] = Some(branch.body);
            }
        }
        let labels = rows::labels(&model, |j| cut[j.0]);
        let reach: Vec<Vec<Reach>> = (0..model.joints.len())
            .map(|j| reach(&model, &tree, JointIndex(j)))
            .collect();
        let mut jacobian_pattern = RowPattern::new();
        for label in &labels {
            jacobian_pattern.push(row_columns(&model, &tree, &reach, *label));
        }
        let n = tree.velocities;
        let mut entries = Vec::new();
        let mut ws = tree::TreeWorkspace::new(&tree);
        tree::mass(&tree, &mut ws, |i, j, _| entries.push((i, j)));
        let behind = armature::of_joints(&model, |_| true);
        let behind_cuts = armature::of_joints(&model, |j| cut[j.0]);
        let columns = |j: JointIndex| reach[j.0].iter().map(|r| r.column).collect();
        let armatures = Armatures::new(behind_cuts, columns, &mut entries);
        let dense = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let sizes = Sizes {
            positions: tree.positions,
            velocities: n,
            rows: labels.len(),
            works: applied::num_dissipating(&model) + model.drivers.len(),
            turns: 3 * model.joints.len(),
        };
        let places = || tree.places.iter().zip(&model.bodies);
        let own = own_coordinates(&model, &tree);
        let mut system = TreeSystem {
            links_suffice: labels.is_empty() && links_suffice(&model, &own),
            only_scalars: tree.links.iter().all(|link| !link.shape.rotation),
            coordinates_count_turns: coordinates_count_turns(&model, &own),
            angles: known_angles(&model, &own),
            own,
            driven: Driven::new(&model, &tree, &labels),
            signals: SystemSignals::new(&model, &labels),
            branch_ends: branch_ends(&tree),
            centers: places()
                .map(|(p, b)| p.pose.point(&b.mass.center))
                .collect(),
            turned: places()
                .map(|(p, _)| p.pose.R != Mat3::identity())
                .collect(),
            offsets: places()
                .map(|(p, _)| match model.space {
                    Space::Planar => angle_of(&p.pose.R),
                    Space::Spatial => 0.0,
                })
                .collect(),
            bends: tree.links.iter().map(|l| angle_of(&l.frame.R)).collect(),
            tangent_pattern: SymmetricPattern {
                entries: dense.collect(),
            },
            mass_pattern: SymmetricPattern { entries },
            model,
            tree,
            sizes,
            labels,
            cut,
            direct,
            free,
            jacobian_pattern,
            armatures,
            behind,
            reach,
        };
        if system.model.space == Space::Planar {
            system.count_turns_from(start);
        }
        system
    }

    /// Sets the initial planar angles to those of `start`, including turns.
    fn count_turns_from(&mut self, start: &SystemKinematics) {
        let (mut q, mut v) = (
            vec![0.0; self.sizes.positions],
            vec![0.0; self.sizes.velocities],
        );
        self.coordinates(start, &mut q, &mut v);
        let mut here = SystemKinematics::new(&self.model);
        let turns = vec![0.0; self.sizes.turns];
        self.update(start.time, &q, &v, &turns, &mut here);
        let turn = std::f64::consts::TAU;
        for (b, offset) in self.offsets.iter_mut().enumerate() {
            let apart = start.bodies[b].angle - here.bodies[b].angle;
            *offset += turn * (apart / turn).round();
        }
    }

    /// Returns the tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Allocates the state of the links.
    fn at_rest(&self) -> Box<TreeMotion> {
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
    fn move_links(&self, motion: &mut TreeMotion) {
        let TreeMotion {
            workspace, q, v, ..
        } = motion;
        for i in 0..self.tree.links.len() {
            tree::place(&self.tree, workspace, i, q, Some(v));
        }
        motion.known = Known::Links;
    }

    /// Computes the motion of the links at a state, without that of the bodies.
    #[inline]
    fn go_to_links(&self, time: f64, q: &[f64], v: &[f64], out: &mut SystemKinematics) {
        out.time = time;
        let motion = out.tree.get_or_insert_with(|| self.at_rest());
        motion.go_to(q, v);
        motion.links_only = true;
        if motion.known < Known::Links {
            self.move_links(motion);
        }
    }

    /// Computes the motion of bodies and joints from that of the links.
    fn move_bodies(&self, mut motion: Box<TreeMotion>, out: &mut SystemKinematics) {
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

    /// Differentiates the velocities of cut joints with armatures with respect to the velocity coordinates.
    fn differentiate_armatures(&self, kinematics: &SystemKinematics, buffer: &mut [f64]) {
        let armatures = &self.armatures;
        armatures.differentiate(&self.model, kinematics, buffer, |jacobian| TreeJacobian {
            system: self,
            pattern: &armatures.pattern,
            kinematics,
            jacobian,
        });
    }

    /// Converts loads on bodies to loads on links.
    fn gather_loads(&self, kinematics: &mut SystemKinematics, loads: &Loads) {
        let SystemKinematics { bodies, tree, .. } = kinematics;
        let Some(motion) = tree else { return };
        motion.loads.fill(Wrench::zero());
        let given = loads.force.iter().zip(&loads.torque);
        for ((place, body), (force, torque)) in self.tree.places.iter().zip(bodies).zip(given) {
            if let Some(link) = place.link {
                let s = body.r - motion.workspace.links[link].o;
                motion.loads[link] += Wrench::new(torque + cross(&s, force), *force);
            }
        }
    }

    /// Returns the motion of a body's frame relative to the ground.
    fn free_motion(&self, kinematics: &SystemKinematics, body: usize) -> Relative {
        let frame = kinematics.frame(
            &self.model,
            (BodyIndex(body), crate::math::Pose::identity()),
        );
        let mut rel = Relative::at_rest(frame.R, frame.p);
        (rel.v, rel.w) = (frame.v, frame.w);
        rel.turns[0] = kinematics.bodies[body].angle;
        rel
    }
}

/// Returns the links, which the update at the start of every evaluation computes.
fn links(kinematics: &SystemKinematics) -> &tree::TreeWorkspace {
    match &kinematics.tree {
        Some(motion) => &motion.workspace,
        None => unreachable!("the motion of a tree is read before it is computed"),
    }
}

/// Returns the velocity coordinates that move a body, in increasing order.
fn body_path(tree: &Tree, body: BodyIndex) -> Vec<usize> {
    let Some(link) = tree.link_of(body) else {
        return Vec::new();
    };
    let path = tree.path(link);
    let mut columns: Vec<usize> = path.flat_map(|l| tree.links[l].velocities()).collect();
    columns.sort_unstable();
    columns
}

/// Returns the joint velocities closest to a relative motion.
fn joint_rates(joint: &Joint, space: Space, q: &[f64], rel: &Relative) -> [f64; MAX_FREEDOM] {
    let mut across = Across::new();
    joint.across(space, q, &[0.0; MAX_FREEDOM], &mut across);
    let mut normal = SMatrix::<f64, MAX_FREEDOM, MAX_FREEDOM>::identity();
    let mut right = SVector::<f64, MAX_FREEDOM>::zeros();
    for i in 0..across.freedom {
        right[i] = dot(&across.Hv[i], &rel.v) + dot(&across.Hw[i], &rel.w);
        for j in 0..across.freedom {
            normal[(i, j)] = dot(&across.Hv[i], &across.Hv[j]) + dot(&across.Hw[i], &across.Hw[j]);
        }
    }
    let rates = normal.lu().solve(&right);
    rates.map_or([0.0; MAX_FREEDOM], Into::into)
}

impl System for TreeSystem {
    fn model(&self) -> &Model {
        &self.model
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn rows(&self) -> &[RowLabel] {
        &self.labels
    }

    fn relative_columns(&self, joint: JointIndex) -> Vec<usize> {
        self.reach[joint.0].iter().map(|r| r.column).collect()
    }

    fn relative_row(
        &self,
        kinematics: &SystemKinematics,
        (pattern, jacobian): (&RowPattern, &mut [f64]),
        at: usize,
        joint: JointIndex,
        function: &PoseFunction,
    ) -> f64 {
        let mut columns = TreeJacobian {
            system: self,
            pattern,
            kinematics,
            jacobian,
        };
        columns.relative(at, joint, function)
    }

    fn signals(&self) -> &SystemSignals {
        &self.signals
    }

    fn mass_pattern(&self) -> &SymmetricPattern {
        &self.mass_pattern
    }

    fn jacobian_pattern(&self) -> &RowPattern {
        &self.jacobian_pattern
    }

    fn armature_buffer(&self) -> usize {
        self.armatures.buffer()
    }

    fn update(&self, time: f64, q: &[f64], v: &[f64], turns: &[f64], out: &mut SystemKinematics) {
        out.time = time;
        let mut motion = out.tree.take().unwrap_or_else(|| self.at_rest());
        motion.turns.copy_from_slice(turns);
        // the end of a step, the output there and the first stage of the next step are the same state
        motion.go_to(q, v);
        motion.links_only = false;
        if motion.known < Known::Links {
            self.move_links(&mut motion);
        }
        if motion.known < Known::All {
            self.move_bodies(motion, out);
        } else {
            out.tree = Some(motion);
        }
        for (j, angles) in self.angles.iter().enumerate() {
            let mut near = [turns[3 * j], turns[3 * j + 1], turns[3 * j + 2]];
            for &(slot, counter) in angles {
                match counter {
                    TurnCounter::Coordinate(i) => near[slot] = q[i],
                    TurnCounter::Bodies => near[slot] += out.relative_turn(&self.model.joints[j]),
                }
            }
            out.joints[j].rel.turns = near;
        }
    }

    fn update_for_accelerations(
        &self,
        time: f64,
        q: &[f64],
        v: &[f64],
        turns: &[f64],
        out: &mut SystemKinematics,
    ) {
        if !self.links_suffice {
            return self.update(time, q, v, turns, out);
        }
        self.go_to_links(time, q, v, out);
    }

    fn coordinates_count_turns(&self) -> bool {
        self.coordinates_count_turns
    }

    fn load(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        let Workspace {
            kinematics,
            loads,
            power,
            ..
        } = ws;
        let links_only = kinematics.tree.as_ref().is_some_and(|m| m.links_only);
        if links_only && applied::apply_generalized(&self.model, kinematics, loads, power) {
            return Ok(());
        }
        applied::apply((&self.model, &self.labels), kinematics, loads, power)
    }

    fn position_rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        if self.only_scalars {
            return out.copy_from_slice(v);
        }
        tree::position_rates(&self.tree, q, v, out);
    }

    fn velocities(&self, q: &[f64], rates: &[f64], out: &mut [f64]) {
        for link in &self.tree.links {
            let scalars = link.shape.scalars;
            out[link.v..link.v + scalars].copy_from_slice(&rates[link.q..link.q + scalars]);
            if link.shape.rotation {
                let (i, j) = (link.q + scalars, link.v + scalars);
                let w = turn_of(rates_from_base, &q[i..i + 4], &rates[i..i + 4]);
                out[j..j + 3].copy_from_slice(w.as_slice());
            }
        }
    }

    fn implicit_positions(&self, known: &[f64], v: &[f64], c: f64, q: &mut [f64]) {
        for link in &self.tree.links {
            let scalars = link.shape.scalars;
            for k in 0..scalars {
                q[link.q + k] = known[link.q + k] + c * v[link.v + k];
            }
            if link.shape.rotation {
                let (i, j) = (link.q + scalars, link.v + scalars);
                let w = Vec3::new(v[j], v[j + 1], v[j + 2]);
                let k = [known[i], known[i + 1], known[i + 2], known[i + 3]];
                let e = implicit_parameters(rates_from_base, &k, &w, c);
                q[i..i + 4].copy_from_slice(&e);
            }
        }
    }

    fn retract(&self, q: &mut [f64], delta: &[f64]) {
        tree::retract(&self.tree, q, delta);
    }

    fn normalize(&self, q: &mut [f64]) {
        tree::normalize(&self.tree, q);
    }

    fn mass(&self, ws: &mut Workspace) {
        let Some(motion) = &mut ws.kinematics.tree else {
            return;
        };
        let mut values = ws.mass.iter_mut();
        tree::mass(&self.tree, &mut motion.workspace, |_, _, value| {
            if let Some(entry) = values.next() {
                *entry = value;
            }
        });
        values.into_slice().fill(0.0);
        if !ws.armature.is_empty() {
            self.differentiate_armatures(&ws.kinematics, &mut ws.armature);
            self.armatures.add_mass(&ws.armature, &mut ws.mass);
        }
    }

    fn forces(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        debug_assert!(
            ws.kinematics.tree.as_ref().is_none_or(|m| !m.links_only),
            "forces on bodies are evaluated at the motion of the bodies"
        );
        applied::apply(
            (&self.model, &self.labels),
            &ws.kinematics,
            &mut ws.loads,
            &mut ws.power,
        )?;
        self.gather_loads(&mut ws.kinematics, &ws.loads);
        if let Some(motion) = &mut ws.kinematics.tree {
            let TreeMotion {
                workspace,
                loads,
                bias,
                ..
            } = motion.as_mut();
            tree::bias(&self.tree, workspace, loads, bias);
            for (f, b) in ws.force.iter_mut().zip(bias) {
                *f = -*b;
            }
        }
        if !ws.armature.is_empty() {
            self.differentiate_armatures(&ws.kinematics, &mut ws.armature);
            self.armatures.add_forces(&ws.armature, &mut ws.force);
        }
        Ok(())
    }

    fn constraints(&self, ws: &mut Workspace) {
        let Workspace {
            kinematics,
            phi,
            scale,
            rate,
            drift,
            jacobian,
            gamma,
            ..
        } = ws;
        jacobian.fill(0.0);
        let mut values = Values {
            phi,
            scale,
            rate,
            drift,
            gamma,
        };
        let mut columns = TreeJacobian {
            system: self,
            pattern: &self.jacobian_pattern,
            kinematics,
            jacobian,
        };
        let cut = |j: JointIndex| self.cut[j.0];
        rows::evaluate(
            &self.model,
            &self.labels,
            cut,
            kinematics,
            &mut values,
            &mut columns,
        );
    }

    fn tangent_pattern(&self) -> &SymmetricPattern {
        &self.tangent_pattern
    }

    fn tangent(&self, ws: &mut Workspace, multipliers: &[f64], k: f64, c: f64, out: &mut [f64]) {
        self.full_tangent(ws, multipliers, (k, c), out, None);
    }

    fn full_tangent(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        factors: (f64, f64),
        out: &mut [f64],
        skew: Option<&mut [f64]>,
    ) {
        self.difference(ws, multipliers, factors, out, skew);
    }

    fn generalize(&self, kinematics: &SystemKinematics, loads: &Loads, out: &mut [f64]) {
        let ws = links(kinematics);
        for (b, place) in self.tree.places.iter().enumerate() {
            let (force, torque) = (&loads.force[b], &loads.torque[b]);
            let Some(link) = place.link else { continue };
            if *force == zero3() && *torque == zero3() {
                continue;
            }
            for l in self.tree.path(link) {
                let s = kinematics.bodies[b].r - ws.links[l].o;
                let load = Wrench::new(torque + cross(&s, force), *force);
                for k in self.tree.links[l].velocities() {
                    out[k] += ws.columns[k].dot(&load);
                }
            }
        }
    }

    fn body_columns(&self, body: usize) -> Vec<usize> {
        body_path(&self.tree, BodyIndex(body))
    }

    fn body_acceleration(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        body: usize,
    ) -> (Vec3<f64>, Vec3<f64>) {
        self.accelerate_body(kinematics, rates, body, true)
    }

    fn reaction(
        &self,
        kinematics: &SystemKinematics,
        cause: Response<'_>,
        scratch: &mut Loads,
        joint: JointIndex,
    ) -> JointReaction {
        self.reaction_to(kinematics, cause, scratch, joint)
    }

    fn settle(&self, ws: &mut Workspace, rates: &[f64], multipliers: &[f64], normals: &[f64]) {
        self.settle_all(ws, rates, multipliers, normals);
    }

    fn angle_is_coordinate(&self, joint: JointIndex, coordinate: usize) -> bool {
        let link = self
            .tree
            .links
            .iter()
            .find(|link| link.element == Some(joint));
        link.is_some_and(|link| coordinate < link.shape.scalars)
    }

    fn accelerates(&self) -> bool {
        self.driven.is_some()
    }

    fn accelerate(&self, ws: &mut Workspace, rates: &mut [f64], multipliers: &mut [f64]) {
        if let Some(motion) = ws.kinematics.tree.as_mut().filter(|m| m.links_only) {
            let (workspace, along) = (&mut motion.workspace, &ws.loads.along);
            let gravity = &self.model.gravity;
            tree::hybrid_under(&self.tree, gravity, workspace, &[], along, &[], rates);
            return;
        }
        self.gather_loads(&mut ws.kinematics, &ws.loads);
        let (Some(motion), Some(driven)) = (&mut ws.kinematics.tree, &self.driven) else {
            return;
        };
        let TreeMotion {
            workspace,
            loads,
            bias: given,
            ..
        } = motion.as_mut();
        // all forces are included in the loads; a driven coordinate has its acceleration instead
        given.fill(0.0);
        for (k, wanted) in driven.columns.iter().zip(&*multipliers) {
            given[*k] = *wanted;
        }
        tree::hybrid(&self.tree, workspace, &driven.held, given, loads, rates);
        if !driven.columns.is_empty() {
            tree::efforts(&self.tree, workspace, rates, loads, given);
            for (k, lambda) in driven.columns.iter().zip(multipliers) {
                *lambda = -given[*k];
            }
        }
    }

    fn accelerate_along(
        &self,
        time: f64,
        (q, v): (&[f64], &[f64]),
        ws: &mut Workspace,
        rates: &mut [f64],
        power: &mut [f64],
    ) -> bool {
        if !self.links_suffice {
            return false;
        }
        let Workspace {
            kinematics, loads, ..
        } = ws;
        self.go_to_links(time, q, v, kinematics);
        if !applied::apply_generalized(&self.model, kinematics, loads, power) {
            return false;
        }
        if let Some(motion) = &mut kinematics.tree {
            let (workspace, gravity) = (&mut motion.workspace, &self.model.gravity);
            tree::hybrid_under(
                &self.tree,
                gravity,
                workspace,
                &[],
                &loads.along,
                &[],
                rates,
            );
        }
        rates.iter().sum::<f64>().is_finite()
    }

    fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]) {
        for (i, link) in self.tree.links.iter().enumerate() {
            let rel = match (link.element, self.free[i]) {
                (Some(j), _) => kinematics.joints[j.0].rel,
                (None, Some(body)) => self.free_motion(kinematics, body),
                (None, None) => continue,
            };
            let space = self.model.space;
            link.joint.locate(space, &rel, &mut q[link.positions()]);
            let rates = joint_rates(&link.joint, space, &q[link.positions()], &rel);
            let freedom = link.shape.freedom();
            v[link.velocities()].copy_from_slice(&rates[..freedom]);
        }
    }
}
