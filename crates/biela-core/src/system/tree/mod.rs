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
mod coordinates;
mod motion;
mod reactions;
mod tangent;

pub(super) use motion::TreeMotion;
pub(super) use tangent::Spare;

use nalgebra::{SMatrix, SVector};

use super::armature::{self, Armature, Armatures};
use super::rows::{self, RowDerivatives, Values};
use super::{
    JointReaction, Loads, NotFinite, Response, RowLabel, RowOwner, Sizes, System, SystemKinematics,
    SystemSignals, Workspace, applied,
};
use crate::forces::Force;
use crate::joints::{Across, Joint, MAX_FREEDOM, PoseFunction, Relative};
use crate::math::rotation::{cross, dot, implicit_parameters, rates_from_base, turn_of, zero3};
use crate::math::spatial::Wrench;
use crate::math::{Mat3, RowPattern, SymmetricPattern, Vec3};
use crate::model::{BodyIndex, DriverTarget, JointIndex, Law, Model, Signal, Space};
use crate::tree::{self, Numbers, Tree};
use columns::{Reach, TreeJacobian, reach, row_columns};
use coordinates::{
    OwnCoordinates, TurnCounter, coordinates_count_turns, known_angles, own_coordinates,
};
use motion::Known;

/// A model in the coordinates of its joints.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent properties of the tree, each decided once"
)]
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
    /// See [`tree::has_single_joints`].
    single_joints: bool,
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

/// Whether all forces act along coordinates, and depend only on them, on time and on values set from outside.
fn links_suffice(model: &Model, own: &[OwnCoordinates]) -> bool {
    let is_own = |j: JointIndex, k: usize| k < own[j.0].scalars;
    let is_known = |signal: &Signal| signal.follows_from_coordinates(is_own);
    let acts_along_own = |force: &dyn Force| {
        let along = force.coordinate().is_some_and(|(j, k)| is_own(j, k));
        let mut inputs = force.laws().into_iter().flat_map(Law::inputs);
        force.is_generalized() && along && inputs.all(is_known)
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
            single_joints: tree::has_single_joints(&tree),
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
        if links_only {
            let total = applied::apply_generalized(&self.model, kinematics, loads, power);
            if (total + loads.along.iter().sum::<f64>()).is_finite() {
                return Ok(());
            }
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

    fn settle_with(
        &self,
        ws: &mut Workspace,
        solution: (&[f64], &[f64], &[f64]),
        add: &dyn Fn(&SystemKinematics, &mut Loads),
    ) {
        self.settle_all(ws, solution, add);
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
            return self.accelerate_links(motion, &ws.loads.along, rates);
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

    fn derivative_along(
        &self,
        time: f64,
        (q, v): (&[f64], &[f64]),
        ws: &mut Workspace,
        [dq, rates, power]: [&mut [f64]; 3],
    ) -> bool {
        if !self.links_suffice {
            return false;
        }
        let Workspace {
            kinematics, loads, ..
        } = ws;
        self.go_to_links(time, q, v, kinematics);
        let total = applied::apply_generalized(&self.model, kinematics, loads, power);
        if let Some(motion) = &mut kinematics.tree {
            self.accelerate_links(motion, &loads.along, rates);
        }
        self.position_rates(q, v, dq);
        // forces that are not finite have such accelerations
        (total + rates.iter().sum::<f64>()).is_finite()
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
