//! The tangent matrix of the equations of motion in absolute coordinates, for implicit integrators.
//!
//! ```text
//! T = M + k ∂(Gᵀλ − f)/∂q + c ∂(−f)/∂v          q moves as q ⊕ δ
//! ```
//!
//! Its symmetric part is computed, and its skew-symmetric part on request: gyroscopic terms and follower forces of rigid bodies. Without the latter Newton's
//! method is slow if a body with stiff forces rotates fast. The skew-symmetric part at stations of beams, and the dependence of a station's angular velocity
//! on its pose, are omitted. This makes the convergence slightly slower and does not change results. The tangents of joints are exact: the force F at a point
//! at s from the mass centre contributes `[s]×[F]×` in body axes, and a row on the relative motion contributes its own derivative, by jets along the six
//! directions of relative motion. Forces without an analytic tangent are differentiated by finite differences, one element at a time, along the coordinates
//! of the bodies on which they act. Elements of beams provide their own tangent. The tangent at a station, computed as if it were a body, is transformed to
//! its nodes by `Jᵀ K J`, and a moment m on it adds `m ∂²θ/∂e²`.
#![allow(non_snake_case)]

use std::collections::BTreeMap;

use super::coordinate_layout::{BodyCoordinates, CoordinateLayout};
use super::{Absolute, EvaluationContext, System, SystemKinematics, Workspace, applied};
use crate::flexible::MOST_OF_ELEMENT;
use crate::joints::{JointEquations, PoseFunction, Relative};
use crate::math::rotation::{
    about_axis, apply, apply_transposed, cross, dot, identity, product, skew, zero3,
};
use crate::math::{Jet, Mat3, Real, SymmetricPattern, Vec3};
use crate::model::{BodyIndex, DriverTarget, JointIndex, Model, Space};

/// The layout of the blocks of T.
#[derive(Debug)]
pub(super) struct TangentLayout {
    pub(super) pattern: SymmetricPattern,
    /// Indices of the mass matrix's entries.
    mass: Vec<usize>,
    /// Start of the block of each pair of parts (part 2b is the translation of body b, part 2b+1 its rotation), larger part first.
    blocks: BTreeMap<(usize, usize), usize>,
    /// Joints at each body, for the finite differences of forces.
    joints_at: Vec<Vec<usize>>,
    /// Bodies each joint connects.
    joint_bodies: Vec<Vec<usize>>,
    /// Bodies each force acts on.
    force_bodies: Vec<Vec<usize>>,
    /// Indices of the entries of each pair of bodies of which one is a station, larger body first: its coordinates by those of the other.
    station_blocks: BTreeMap<(usize, usize), StationBlock>,
    /// Indices of the entries of each element of each beam, lower triangle, row after row.
    elements: Vec<Vec<usize>>,
}

/// The indices of the entries of a pair of bodies of which one is a station.
#[derive(Debug)]
enum StationBlock {
    /// The coordinates of the first, one after the other, each with this number of coordinates of the second.
    Pairs(Vec<usize>, usize),
    /// A sliding station with itself: among the entries of its current element.
    Sliding(usize),
}

/// Coordinates of a part: translation or rotation of a body with coordinates of its own.
fn part_range(space: Space, places: &CoordinateLayout, part: usize) -> std::ops::Range<usize> {
    let columns = places.columns(part / 2);
    let turning = columns.start + space.axes();
    if part.is_multiple_of(2) {
        columns.start..turning
    } else {
        turning..columns.end
    }
}

impl TangentLayout {
    pub(super) fn new(model: &Model, places: &CoordinateLayout, mass: &SymmetricPattern) -> Self {
        let space = model.space;
        let mut pairs = std::collections::BTreeSet::new();
        let mut with_station = std::collections::BTreeSet::new();
        let owns = |b: &usize| places.owns(*b);
        let mut couple = |bodies: &[usize], turning_only: bool| {
            let first = usize::from(turning_only);
            let parts: Vec<usize> = bodies
                .iter()
                .filter(|b| owns(b))
                .flat_map(|b| (first..2).map(move |k| 2 * b + k))
                .collect();
            for &station in bodies.iter().filter(|b| !owns(b)) {
                for &other in bodies {
                    let _ = with_station.insert((station.max(other), station.min(other)));
                }
            }
            for &a in &parts {
                for &b in &parts {
                    let _ = pairs.insert((a.max(b), a.min(b)));
                }
            }
        };
        for b in 0..model.bodies.len() {
            couple(&[b], true);
        }
        let mut joints_at = vec![Vec::new(); model.bodies.len()];
        let mut joint_bodies = Vec::with_capacity(model.joints.len());
        for (j, element) in model.joints.iter().enumerate() {
            let bodies = numbers(&[element.first.0, element.second.0]);
            for &b in &bodies {
                joints_at[b].push(j);
            }
            joint_bodies.push(bodies.clone());
            let mut rows = JointEquations::new();
            let rel = Relative::at_rest(
                about_axis(&Vec3::new(0.6, 0.0, 0.8), 0.4),
                Vec3::new(0.3, 0.2, 0.1),
            );
            element.joint.rows(space, &rel, &mut rows);
            let rest = &rows.as_slice()[rows.coincident()..];
            if !rest.is_empty() {
                couple(&bodies, rest.iter().all(|row| row.v == zero3()));
            }
        }
        for element in &model.couplers {
            for (joint, _, _) in &element.terms {
                let joint = &model.joints[joint.0];
                couple(&numbers(&[joint.first.0, joint.second.0]), false);
            }
        }
        for element in &model.drivers {
            match element.target {
                DriverTarget::Joint(j, _) => {
                    let joint = &model.joints[j.0];
                    couple(&numbers(&[joint.first.0, joint.second.0]), false);
                }
                DriverTarget::Point(m, _) => couple(&numbers(&[model.markers[m.0].body]), true),
            }
        }
        let force_bodies: Vec<Vec<usize>> = model
            .forces
            .iter()
            .map(|f| numbers(&f.force.bodies(model)))
            .collect();
        for bodies in &force_bodies {
            couple(bodies, false);
        }

        let mut entries = Vec::new();
        let mut blocks = BTreeMap::new();
        for (a, b) in pairs {
            let _ = blocks.insert((a, b), entries.len());
            for i in part_range(space, places, a) {
                for j in part_range(space, places, b) {
                    if i >= j {
                        entries.push((i, j));
                    }
                }
            }
        }
        // the mass matrix needs the diagonal of translations, which may be outside all blocks
        let mut place = BTreeMap::new();
        for (k, entry) in entries.iter().enumerate() {
            let _ = place.insert(*entry, k);
        }
        let mut locate = |i: usize, j: usize| {
            let entry = (i.max(j), i.min(j));
            *place.entry(entry).or_insert_with(|| {
                entries.push(entry);
                entries.len() - 1
            })
        };
        let mass = mass.entries.iter().map(|(i, j)| locate(*i, *j)).collect();
        let mut elements = Vec::with_capacity(model.beams.len());
        for (k, beam) in model.beams.iter().enumerate() {
            let start = places.beam(k).start;
            let mut found = Vec::new();
            for element in 0..beam.elements.len() {
                let at = beam.of_element(element);
                for i in at.clone() {
                    found.extend((at.start..=i).map(|j| locate(start + i, start + j)));
                }
            }
            elements.push(found);
        }
        let mut station_blocks = BTreeMap::new();
        for (a, b) in with_station {
            let block = if let (true, true, Some(station)) =
                (a == b, places.slides(a), model.bodies[a].station)
            {
                StationBlock::Sliding(station.beam.0)
            } else {
                let mut found = Vec::new();
                for i in places.columns(a) {
                    found.extend(places.columns(b).map(|j| locate(i, j)));
                }
                StationBlock::Pairs(found, places.columns(b).len())
            };
            let _ = station_blocks.insert((a, b), block);
        }
        TangentLayout {
            pattern: SymmetricPattern { entries },
            mass,
            blocks,
            joints_at,
            joint_bodies,
            force_bodies,
            station_blocks,
            elements,
        }
    }
}

/// Returns the indices of bodies, each once, without the ground.
fn numbers(bodies: &[BodyIndex]) -> Vec<usize> {
    let mut list: Vec<usize> = bodies.iter().filter_map(|b| b.number()).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// A dense matrix over the coordinates of two bodies.
#[derive(Clone, Debug)]
struct Dense {
    values: [[f64; 12]; 12],
}

impl Dense {
    fn new() -> Self {
        Dense {
            values: [[0.0; 12]; 12],
        }
    }
    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i][j]
    }
    fn set(&mut self, i: usize, j: usize, x: f64) {
        self.values[i][j] = x;
    }
}

/// A displacement of the two bodies of a joint, in ground axes.
#[derive(Clone, Copy)]
struct Move {
    dr: [Vec3<f64>; 2],
    dtheta: [Vec3<f64>; 2],
}

/// The destination of a scaled part of T.
struct TangentSink<'a> {
    layout: &'a TangentLayout,
    scale: f64,
    out: &'a mut [f64],
    /// The skew-symmetric part, if requested.
    skew: Option<&'a mut [f64]>,
}

impl TangentSink<'_> {
    /// Adds a matrix over three coordinates of a part with itself, starting at index `start`.
    fn add_turning(&mut self, start: usize, K: &Mat3<f64>) {
        let mut at = start;
        for i in 0..3 {
            for j in 0..=i {
                self.out[at] += self.scale * 0.5 * (K[(i, j)] + K[(j, i)]);
                if let Some(skew) = &mut self.skew {
                    skew[at] += self.scale * 0.5 * (K[(i, j)] - K[(j, i)]);
                }
                at += 1;
            }
        }
    }

    /// Adds a dense matrix over the coordinates of some bodies, with stations treated as bodies: its symmetric part, and the skew-symmetric part between
    /// bodies with coordinates of their own.
    fn add(&mut self, system: &Absolute, k: &SystemKinematics, bodies: &[usize], dense: &Dense) {
        let places = system.places();
        let space = system.model().space;
        let n = space.freedom();
        for (ba, &a) in bodies.iter().enumerate() {
            for (bb, &b) in bodies.iter().enumerate() {
                let at = |i: usize, j: usize| {
                    let (i, j) = (n * ba + i, n * bb + j);
                    0.5 * (dense.at(i, j) + dense.at(j, i))
                };
                if let Some(block) = self.layout.station_blocks.get(&(a, b)) {
                    let (left, right) = (
                        BodyMotionColumns::new(system, k, a),
                        BodyMotionColumns::new(system, k, b),
                    );
                    let value = |i: usize, j: usize| left.times(i, &right, j, at);
                    self.add_block((a == b, &left, &right), block, value);
                    continue;
                }
                for (ka, kb) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (pa, pb) = (2 * a + ka, 2 * b + kb);
                    let blocks = &self.layout.blocks;
                    let Some(&start) = (pa >= pb).then(|| blocks.get(&(pa, pb))).flatten() else {
                        continue;
                    };
                    let (first_a, first_b) = (places.columns(a).start, places.columns(b).start);
                    let mut place = start;
                    for i in part_range(space, places, pa) {
                        for j in part_range(space, places, pb) {
                            if i < j {
                                continue;
                            }
                            let (i, j) = (i - first_a, j - first_b);
                            self.out[place] += self.scale * at(i, j);
                            if let Some(skew) = &mut self.skew {
                                let (i, j) = (n * ba + i, n * bb + j);
                                skew[place] += self.scale * 0.5 * (dense.at(i, j) - dense.at(j, i));
                            }
                            place += 1;
                        }
                    }
                }
            }
        }
    }

    /// Adds the block of a pair of bodies of which one is a station; `same` if they are the same body.
    fn add_block(
        &mut self,
        (same, left, right): (bool, &BodyMotionColumns, &BodyMotionColumns),
        block: &StationBlock,
        value: impl Fn(usize, usize) -> f64,
    ) {
        let pairs = (0..left.count).flat_map(|i| (0..right.count).map(move |j| (i, j)));
        for (i, j) in pairs.filter(|(i, j)| !same || i >= j) {
            let entry = match block {
                StationBlock::Pairs(entries, width) => {
                    entries[(left.offset + i) * width + right.offset + j]
                }
                StationBlock::Sliding(beam) => {
                    let triangle = left.count * (left.count + 1) / 2;
                    let start = triangle * left.element;
                    self.layout.elements[*beam][start + i * (i + 1) / 2 + j]
                }
            };
            // the block and its transpose: for a shared node both have the same index, a body has only one block
            let shared = left.start + i == right.start + j;
            let factor = if shared && !same { 2.0 } else { 1.0 };
            self.out[entry] += factor * self.scale * value(i, j);
        }
    }

    /// Adds `m ∂²θ/∂e²` for a moment m on a station (in Gᵀλ − f); nothing for other bodies.
    fn add_turn_curvature(
        &mut self,
        system: &Absolute,
        k: &SystemKinematics,
        body: usize,
        moment: &Vec3<f64>,
    ) {
        let places = system.places();
        if let (BodyCoordinates::Station(station, _), Some(block)) = (
            places.at(k, body),
            self.layout.station_blocks.get(&(body, body)),
        ) {
            let motion = station.motion(&k.beams[station.beam.0]);
            let columns = BodyMotionColumns::new(system, k, body);
            let value = |i: usize, j: usize| station.turn_curvature(&motion, moment, i, j);
            self.add_block((true, &columns, &columns), block, value);
        }
    }
}

/// The displacement and rotation of a body for each coordinate that moves it, in the convention of its own coordinates: in space, rotation about its own axes.
struct BodyMotionColumns {
    start: usize,
    count: usize,
    /// Index of the first current coordinate among those that can move it, and its element.
    offset: usize,
    element: usize,
    freedom: usize,
    values: [[f64; 6]; MOST_OF_ELEMENT],
}

impl BodyMotionColumns {
    fn new(system: &Absolute, k: &SystemKinematics, body: usize) -> Self {
        let places = system.places();
        let freedom = system.model().space.freedom();
        let range = places.columns_at(k, body);
        let mut element = 0;
        let mut values = [[0.0; 6]; MOST_OF_ELEMENT];
        match places.at(k, body) {
            BodyCoordinates::Own(_) => (0..freedom).for_each(|i| values[i][i] = 1.0),
            BodyCoordinates::Station(station, _) => {
                element = station.element;
                let motion = station.motion(&k.beams[station.beam.0]);
                for (i, column) in values[..range.len()].iter_mut().enumerate() {
                    let (v, w) = station.column(&motion, i);
                    system.add_block(&k.bodies[body], &v, &w, 1.0, column);
                }
            }
        }
        BodyMotionColumns {
            start: range.start,
            count: range.len(),
            offset: range.start - places.columns(body).start,
            element,
            freedom,
            values,
        }
    }

    /// Returns the rotation of the body for coordinate `i`.
    fn turn(&self, i: usize) -> Vec3<f64> {
        let [.., x, y, z] = self.values[i];
        if self.freedom == 3 {
            return Vec3::new(0.0, 0.0, self.values[i][2]);
        }
        Vec3::new(x, y, z)
    }

    /// Returns entry (i, j) of `Jᵀ K J`.
    fn times(&self, i: usize, right: &Self, j: usize, at: impl Fn(usize, usize) -> f64) -> f64 {
        let n = self.freedom;
        let (a, b) = (&self.values[i][..n], &right.values[j][..n]);
        let mut sum = 0.0;
        for (p, x) in a.iter().enumerate() {
            for (q, y) in b.iter().enumerate() {
                sum += x * y * at(p, q);
            }
        }
        sum
    }
}

/// A perturbation of one coordinate of a body, or of its velocity.
#[derive(Clone, Copy)]
struct Disturbance {
    body: usize,
    coordinate: usize,
    amount: f64,
    velocity: bool,
}

impl Absolute {
    /// Computes T at the kinematics in `ws`, see [`System::tangent`].
    pub(super) fn tangent_into(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        (stiffness, damping): (f64, f64),
        out: &mut [f64],
        mut skew: Option<&mut [f64]>,
    ) {
        let layout = self.layout();
        let model = self.model();
        out.fill(0.0);
        if let Some(skew) = &mut skew {
            skew.fill(0.0);
        }
        for (k, value) in layout.mass.iter().zip(&ws.mass) {
            out[*k] += value;
        }
        if model.spin != 0.0 {
            let factor = stiffness * ws.kinematics.inputs.load_share;
            self.add_spin_tangent(&ws.kinematics, factor, &layout.mass, out);
        }
        let mut sink = TangentSink {
            layout,
            scale: stiffness,
            out,
            skew,
        };
        self.add_joint_stiffness(ws, multipliers, &mut sink);
        if !model.beams.is_empty() {
            // a NaN force has been reported where it was evaluated
            let _ = applied::apply(
                (model, self.rows()),
                &ws.kinematics,
                &mut ws.loads,
                &mut ws.power,
            );
            let bodies = 0..model.bodies.len();
            for b in bodies.filter(|b| !self.places().owns(*b)) {
                sink.add_turn_curvature(self, &ws.kinematics, b, &-ws.loads.torque[b]);
            }
            self.add_beams(&ws.kinematics, (stiffness, damping), sink.out);
        }
        if model.space == Space::Spatial && damping != 0.0 {
            sink.scale = damping;
            self.add_gyroscopic(&ws.kinematics, &mut sink);
        }
        ws.disturbed.copy_from(&ws.kinematics);
        for f in 0..model.forces.len() {
            self.add_force_tangent(ws, f, (stiffness, damping), &mut sink);
        }
    }

    /// Adds the tangents of all elements of beams.
    fn add_beams(&self, k: &SystemKinematics, factors: (f64, f64), out: &mut [f64]) {
        for (b, beam) in self.model().beams.iter().enumerate() {
            let motion = &k.beams[b];
            let size = 2 * beam.node_size();
            let mut dense = [0.0; MOST_OF_ELEMENT * MOST_OF_ELEMENT];
            let dense = &mut dense[..size * size];
            let places = self.layout().elements[b].chunks_exact(size * (size + 1) / 2);
            for ((i, element), places) in beam.elements.iter().enumerate().zip(places) {
                let at = beam.of_element(i);
                dense.fill(0.0);
                element.add_tangent(&motion.e[at.clone()], &motion.rates[at], factors, dense);
                let rows = dense.chunks_exact(size).enumerate();
                for (value, &place) in rows.flat_map(|(i, row)| &row[..=i]).zip(places) {
                    out[place] += value;
                }
            }
        }
    }

    fn add_joint_stiffness(&self, ws: &Workspace, multipliers: &[f64], sink: &mut TangentSink<'_>) {
        let model = self.model();
        let space = model.space;
        let k = &ws.kinematics;
        let mut rows = JointEquations::new();
        let mut at = 0;
        for (j, element) in model.joints.iter().enumerate() {
            let motion = &k.joints[j];
            element.joint.rows(space, &motion.rel, &mut rows);
            let coincident = rows.coincident();
            let count = rows.as_slice().len();
            let lambda = &multipliers[at..at + count];
            at += count;
            let mut F = zero3();
            for (i, l) in lambda[..coincident].iter().enumerate() {
                F[i] = *l;
            }
            for (body, point, sign) in [
                (element.first.0, motion.p_F, -1.0),
                (element.second.0, motion.p_M, 1.0),
            ] {
                if let Some(b) = body.number() {
                    let m = &k.bodies[b];
                    self.add_point_stiffness(k, b, &(point - m.r), &(F * sign), sink);
                }
            }
            if count > coincident && lambda[coincident..].iter().any(|l| *l != 0.0) {
                let weigh = |rel: &Relative<Jet>| {
                    let mut rows = JointEquations::new();
                    element.joint.rows(space, rel, &mut rows);
                    weighted(&rows.as_slice()[coincident..], &lambda[coincident..])
                };
                self.add_row_stiffness(k, JointIndex(j), weigh, sink);
            }
        }
        for element in &model.couplers {
            let lambda = multipliers[at];
            at += 1;
            for &(joint, coordinate, factor) in &element.terms {
                self.add_coordinate_stiffness(k, joint, coordinate, factor * lambda, sink);
            }
        }
        for element in &model.drivers {
            let lambda = multipliers[at];
            at += 1;
            match element.target {
                DriverTarget::Joint(joint, coordinate) => {
                    self.add_coordinate_stiffness(k, joint, coordinate, lambda, sink);
                }
                DriverTarget::Point(marker, axis) => {
                    let marker = &model.markers[marker.0];
                    if let Some(b) = marker.body.number() {
                        let point = k.frame(model, (marker.body, marker.pose)).p;
                        let mut F = zero3();
                        F[axis] = lambda;
                        let m = &k.bodies[b];
                        self.add_point_stiffness(k, b, &(point - m.r), &F, sink);
                    }
                }
            }
        }
    }

    fn add_coordinate_stiffness(
        &self,
        k: &SystemKinematics,
        joint: JointIndex,
        coordinate: usize,
        lambda: f64,
        sink: &mut TangentSink<'_>,
    ) {
        if lambda != 0.0 {
            let element = &self.model().joints[joint.0];
            let space = self.model().space;
            let weigh = |rel: &Relative<Jet>| {
                weighted(
                    &[element.joint.coordinate(space, coordinate, rel)],
                    &[lambda],
                )
            };
            self.add_row_stiffness(k, joint, weigh, sink);
        }
    }

    /// Adds the stiffness of the force F (in Gᵀλ) at s from the mass centre: the moment `s_b × F_b` changes by `[s_b]×[F_b]× δθ`.
    fn add_point_stiffness(
        &self,
        k: &SystemKinematics,
        body: usize,
        s: &Vec3<f64>,
        F: &Vec3<f64>,
        sink: &mut TangentSink<'_>,
    ) {
        if let (BodyCoordinates::Station(..), Some(block)) = (
            self.places().at(k, body),
            sink.layout.station_blocks.get(&(body, body)),
        ) {
            let columns = BodyMotionColumns::new(self, k, body);
            let R = &k.bodies[body].R;
            let (along, own_s, own_F) = (dot(s, F), apply_transposed(R, s), apply_transposed(R, F));
            let value = |i: usize, j: usize| {
                let [a, b] = [i, j].map(|i| columns.turn(i));
                0.5 * (dot(&a, &own_F) * dot(&own_s, &b) + dot(&a, &own_s) * dot(&own_F, &b))
                    - along * dot(&a, &b)
            };
            sink.add_block((true, &columns, &columns), block, value);
            sink.add_turn_curvature(self, k, body, &cross(s, F));
            return;
        }
        let motion = &k.bodies[body];
        let part = 2 * body + 1;
        let Some(&start) = sink.layout.blocks.get(&(part, part)) else {
            return;
        };
        match self.model().space {
            Space::Planar => sink.out[start] -= sink.scale * (s[0] * F[0] + s[1] * F[1]),
            Space::Spatial => {
                let (s, F) = (
                    apply_transposed(&motion.R, s),
                    apply_transposed(&motion.R, F),
                );
                sink.add_turning(start, &product(&skew(&s), &skew(&F)));
            }
        }
    }

    /// Adds the stiffness of rows on the relative motion across a joint, weighted by their multipliers: force f and moment n in F's axes.
    fn add_row_stiffness(
        &self,
        k: &SystemKinematics,
        joint: JointIndex,
        weigh: impl Fn(&Relative<Jet>) -> (Vec3<Jet>, Vec3<Jet>),
        sink: &mut TangentSink<'_>,
    ) {
        let model = self.model();
        let space = model.space;
        let element = &model.joints[joint.0];
        let motion = &k.joints[joint.0];
        let bodies = &sink.layout.joint_bodies[joint.0];
        // derivatives of (f, n) along the six directions of relative motion
        let directions: [_; 6] = std::array::from_fn(|d| weigh(&moved(&motion.rel, d)));
        let (f, n) = values(&directions[0]);
        let (a, b) = (k.body(element.first.0), k.body(element.second.0));
        let (sA, sB) = (motion.p_M - a.r, motion.p_M - b.r);
        let (fW, nW) = (apply(&motion.R_F, &f), apply(&motion.R_F, &n));
        let (mA, mB) = (cross(&sA, &fW) + nW, cross(&sB, &fW) + nW);

        let freedom = space.freedom();
        let mut dense = Dense::new();
        for (local, &body) in bodies.iter().enumerate() {
            for c in 0..freedom {
                let change = self.unit_move(k, element.first.0, body, c);
                let [drA, drB] = change.dr;
                let [tA, tB] = change.dtheta;
                // relative displacement of M in F's axes
                let dpM = drB + cross(&tB, &sB);
                let slip = apply_transposed(&motion.R_F, &(dpM - drA - cross(&tA, &sA)));
                let turn = apply_transposed(&motion.R_F, &(tB - tA));
                let (mut df, mut dn) = (zero3(), zero3());
                for d in 0..6 {
                    let amount = if d < 3 { slip[d] } else { turn[d - 3] };
                    if amount != 0.0 {
                        let (jf, jn) = &directions[d];
                        df += Vec3::new(jf[0].rate, jf[1].rate, jf[2].rate) * amount;
                        dn += Vec3::new(jn[0].rate, jn[1].rate, jn[2].rate) * amount;
                    }
                }
                let dfW = cross(&tA, &fW) + apply(&motion.R_F, &df);
                let dnW = cross(&tA, &nW) + apply(&motion.R_F, &dn);
                // generalised forces: (f, m) on B, (−f, −m) on A, moments in body axes
                let dmB = cross(&cross(&tB, &sB), &fW) + cross(&sB, &dfW) + dnW - cross(&tB, &mB);
                let dmA = cross(&(dpM - drA), &fW) + cross(&sA, &dfW) + dnW - cross(&tA, &mA);
                let column = freedom * local + c;
                for (owner, force, moment, sign) in [
                    (element.first.0, dfW, dmA, -1.0),
                    (element.second.0, dfW, dmB, 1.0),
                ] {
                    let Some(row_body) = owner.number() else {
                        continue;
                    };
                    let Some(at) = bodies.iter().position(|x| *x == row_body) else {
                        continue;
                    };
                    let mut block = [0.0; 6];
                    self.add_block(&k.bodies[row_body], &force, &moment, sign, &mut block);
                    for (i, x) in block[..freedom].iter().enumerate() {
                        let old = dense.at(freedom * at + i, column);
                        dense.set(freedom * at + i, column, old + x);
                    }
                }
            }
        }
        for (body, moment) in [(element.first.0, -mA), (element.second.0, mB)] {
            if let Some(b) = body.number() {
                sink.add_turn_curvature(self, k, b, &moment);
            }
        }
        sink.add(self, k, bodies, &dense);
    }

    /// Returns the displacement of both bodies of a joint for a unit of coordinate `c` of body `body`.
    fn unit_move(&self, k: &SystemKinematics, first: BodyIndex, body: usize, c: usize) -> Move {
        let side = usize::from(first != BodyIndex(body));
        let mut change = Move {
            dr: [zero3(); 2],
            dtheta: [zero3(); 2],
        };
        let axes = self.model().space.axes();
        if c < axes {
            change.dr[side][c] = 1.0;
        } else {
            let axis = if axes == 2 { 2 } else { c - axes };
            let mut along = zero3();
            along[axis] = 1.0;
            change.dtheta[side] = apply(&k.bodies[body].R, &along);
        }
        change
    }

    /// Adds `∂(w × J w)/∂w = [w]× J − [J w]×`.
    fn add_gyroscopic(&self, k: &SystemKinematics, sink: &mut TangentSink<'_>) {
        for (b, body) in self.model().bodies.iter().enumerate() {
            let Some(&start) = sink.layout.blocks.get(&(2 * b + 1, 2 * b + 1)) else {
                continue;
            };
            let motion = &k.bodies[b];
            let w = apply_transposed(&motion.R, &motion.w);
            let C: Mat3<f64> = skew(&w) * body.mass.inertia - skew(&(body.mass.inertia * w));
            sink.add_turning(start, &C);
        }
    }

    /// Adds the tangent of one force by finite differences along the coordinates and velocities of the bodies on which it acts.
    fn add_force_tangent(
        &self,
        ws: &mut Workspace,
        force: usize,
        (stiffness, damping): (f64, f64),
        sink: &mut TangentSink<'_>,
    ) {
        let layout = sink.layout;
        let Workspace {
            kinematics: k,
            disturbed: scratch,
            loads,
            ..
        } = ws;
        let model = self.model();
        let bodies = &layout.force_bodies[force];
        if bodies.is_empty() || bodies.len() > 2 {
            return;
        }
        let mut own = Dense::new();
        let context = EvaluationContext {
            model,
            kinematics: k,
        };
        let force_element = &model.forces[force].force;
        let share = if force_element.is_load() {
            k.inputs.load_share
        } else {
            1.0
        };
        let (stiffness, damping) = (share * stiffness, share * damping);
        if force_element.tangent(&context, (stiffness, damping), &mut own.values) {
            sink.scale = 1.0;
            sink.add(self, k, bodies, &own);
            return;
        }
        let freedom = model.space.freedom();
        for velocity in [false, true] {
            let scale = if velocity { damping } else { stiffness };
            if scale == 0.0 {
                continue;
            }
            let mut dense = Dense::new();
            for (local, &body) in bodies.iter().enumerate() {
                for c in 0..freedom {
                    let step = 1e-6;
                    let by = |amount| Disturbance {
                        body,
                        coordinate: c,
                        amount,
                        velocity,
                    };
                    let mut sides = [[0.0; 12]; 2];
                    for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                        self.disturb(scratch, k, layout, by(sign * step));
                        loads.clear();
                        let context = EvaluationContext {
                            model,
                            kinematics: scratch,
                        };
                        force_element.apply(&context, loads);
                        for (at, &b) in bodies.iter().enumerate() {
                            let block = &mut side[freedom * at..freedom * at + freedom];
                            self.add_block(
                                &scratch.bodies[b],
                                &loads.force[b],
                                &loads.torque[b],
                                1.0,
                                block,
                            );
                        }
                    }
                    for i in 0..freedom * bodies.len() {
                        // −∂f
                        let slope = (sides[1][i] - sides[0][i]) / (2.0 * step);
                        dense.set(i, freedom * local + c, slope);
                    }
                    self.disturb(scratch, k, layout, by(0.0));
                }
            }
            sink.scale = scale;
            sink.add(self, k, bodies, &dense);
        }
    }

    /// Returns the turn entries of the counted angles of a joint, without the relative rotation of its bodies.
    fn turns_beyond(&self, k: &SystemKinematics, joint: usize) -> [f64; 3] {
        let model = self.model();
        let element = &model.joints[joint];
        let mut turns = k.joints[joint].rel.turns;
        let angles = element
            .joint
            .coordinates(model.space)
            .iter()
            .filter(|c| c.angular);
        for (slot, coordinate) in angles.enumerate() {
            if coordinate.turning {
                turns[slot] -= k.relative_turn(element);
            }
        }
        turns
    }

    /// Perturbs one coordinate (or velocity coordinate) of a body from `k`.
    fn disturb(
        &self,
        scratch: &mut SystemKinematics,
        k: &SystemKinematics,
        layout: &TangentLayout,
        disturbance: Disturbance,
    ) {
        let Disturbance {
            body,
            coordinate: c,
            amount,
            velocity,
        } = disturbance;
        let model = self.model();
        let axes = model.space.axes();
        let mut motion = k.bodies[body];
        if c < axes {
            let target = if velocity {
                &mut motion.v
            } else {
                &mut motion.r
            };
            target[c] += amount;
        } else {
            let axis = if axes == 2 { 2 } else { c - axes };
            let mut along = zero3();
            along[axis] = 1.0;
            let along = apply(&motion.R, &along);
            if velocity {
                motion.w += along * amount;
            } else {
                // w keeps its components in body axes
                let turn = if amount == 0.0 {
                    identity()
                } else {
                    about_axis(&along, amount)
                };
                motion.R = turn * motion.R;
                if axes == 3 {
                    motion.w = turn * motion.w;
                }
                motion.angle += amount;
            }
        }
        scratch.bodies[body] = motion;
        for &j in &layout.joints_at[body] {
            scratch.relate(model, j);
            scratch.set_turns(model, j, self.turns_beyond(k, j));
        }
    }
}

/// Returns the sum of rows times their multipliers.
fn weighted(rows: &[PoseFunction<Jet>], lambda: &[f64]) -> (Vec3<Jet>, Vec3<Jet>) {
    let (mut f, mut n) = (zero3(), zero3());
    for (row, l) in rows.iter().zip(lambda) {
        f += row.v * Jet::constant(*l);
        n += row.w * Jet::constant(*l);
    }
    (f, n)
}

fn values((f, n): &(Vec3<Jet>, Vec3<Jet>)) -> (Vec3<f64>, Vec3<f64>) {
    (
        Vec3::new(f[0].value, f[1].value, f[2].value),
        Vec3::new(n[0].value, n[1].value, n[2].value),
    )
}

/// Returns the relative pose with its derivative along direction `d`: three translations, then three rotations, in F's axes.
fn moved(rel: &Relative, d: usize) -> Relative<Jet> {
    let mut dp = zero3();
    let mut axis = zero3();
    if d < 3 {
        dp[d] = 1.0;
    } else {
        axis[d - 3] = 1.0;
    }
    let dR = product(&skew(&axis), &rel.R);
    let mut R = crate::math::Pose::new(rel.R, rel.p).constant::<Jet>().R;
    for i in 0..3 {
        for j in 0..3 {
            R[(i, j)].rate = dR[(i, j)];
        }
    }
    let p = Vec3::new(
        Jet::new(rel.p[0], dp[0], 0.0),
        Jet::new(rel.p[1], dp[1], 0.0),
        Jet::new(rel.p[2], dp[2], 0.0),
    );
    Relative {
        R,
        p,
        v: zero3(),
        w: zero3(),
        turns: rel.turns,
        path: rel.path,
    }
}
