//! The motion of bodies and joints at an instant, and the loads on them: shared by both formulations.
#![allow(non_snake_case)]

use super::Inputs;
use super::signals::Evaluation;
use super::tree::TreeMotion;
use super::turns::{AngleOf, CountedAngle};
use crate::flexible::{Beam, BeamMotion, Station};
use crate::joints::{GuideCurve, PoseFunction, Relative};
use crate::math::rotation::{apply, apply_transposed, cross, identity, transposed_product, zero3};
use crate::math::{Mat3, Pose, Vec3};
use crate::model::{
    BodyIndex, JointElement, JointIndex, Law, MAX_INPUTS, MarkerIndex, Model, Signal, Space,
};

/// Motion of a body, in ground axes.
#[derive(Clone, Copy, Debug)]
pub struct BodyMotion {
    /// Orientation.
    pub R: Mat3<f64>,
    /// Position of the mass centre.
    pub r: Vec3<f64>,
    /// Velocity of the mass centre.
    pub v: Vec3<f64>,
    /// Angular velocity.
    pub w: Vec3<f64>,
    /// Planar angle, including turns.
    pub angle: f64,
}

impl BodyMotion {
    /// Returns the motion of a station of a beam. Its planar angle is the one closest to a recent value; in space it is not defined.
    pub(super) fn of_station(station: &Station, beam: &BeamMotion, recent: f64) -> Self {
        let motion = station.motion(beam);
        let mut angle = 0.0;
        if station.axes() == 2 {
            let turn = std::f64::consts::TAU;
            angle = motion.angle();
            angle += turn * ((recent - angle) / turn).round();
        }
        BodyMotion {
            R: station.orientation(&motion),
            r: motion.r,
            v: motion.v,
            w: motion.omega(),
            angle,
        }
    }

    /// At rest at the origin, as the ground.
    pub fn at_rest() -> Self {
        BodyMotion {
            R: identity(),
            r: zero3(),
            v: zero3(),
            w: zero3(),
            angle: 0.0,
        }
    }
}

/// Motion across a joint.
#[derive(Clone, Copy, Debug)]
pub struct JointMotion {
    /// Motion of M relative to F, in F's axes.
    pub rel: Relative,
    /// Orientation of F.
    pub R_F: Mat3<f64>,
    /// Position of F's origin.
    pub p_F: Vec3<f64>,
    /// Position of M's origin.
    pub p_M: Vec3<f64>,
}

/// A station that slides along a beam with the second frame of a joint.
#[derive(Clone, Copy, Debug)]
pub struct Slider {
    /// The body that represents it.
    body: usize,
    /// The joint.
    joint: usize,
    /// Its location on the beam.
    pub station: Station,
    /// The centreline there.
    path: GuideCurve,
}

/// Position, velocity and orientation of a marker, in ground axes.
#[derive(Clone, Copy, Debug)]
pub struct MarkerMotion {
    /// Position.
    pub p: Vec3<f64>,
    /// Velocity.
    pub v: Vec3<f64>,
    /// Orientation of its frame.
    pub R: Mat3<f64>,
    /// Angular velocity of its body.
    pub w: Vec3<f64>,
}

/// Positions and velocities of all bodies, joints and beams at an instant.
#[derive(Clone, Debug)]
pub struct SystemKinematics {
    /// Time.
    pub time: f64,
    /// One per body.
    pub bodies: Vec<BodyMotion>,
    /// One per joint.
    pub joints: Vec<JointMotion>,
    /// One per beam.
    pub beams: Vec<BeamMotion>,
    /// One per sliding station.
    pub sliders: Vec<Slider>,
    /// The links, in joint coordinates.
    pub(super) tree: Option<Box<TreeMotion>>,
    /// What forces and formulas read besides.
    pub inputs: Inputs,
}

impl SystemKinematics {
    /// Creates the kinematics of a model, with everything at rest at the origin.
    pub fn new(model: &Model) -> Self {
        let joint = JointMotion {
            rel: Relative::at_rest(identity(), zero3()),
            R_F: identity(),
            p_F: zero3(),
            p_M: zero3(),
        };
        SystemKinematics {
            time: 0.0,
            bodies: vec![BodyMotion::at_rest(); model.bodies.len()],
            joints: vec![joint; model.joints.len()],
            beams: model.beams.iter().map(Beam::start).collect(),
            sliders: sliders(model).collect(),
            tree: None,
            inputs: Inputs::new(model),
        }
    }

    /// Copies the positions and velocities of another one of the same model, without allocating.
    pub(super) fn copy_from(&mut self, other: &SystemKinematics) {
        self.time = other.time;
        self.bodies.copy_from_slice(&other.bodies);
        self.joints.copy_from_slice(&other.joints);
        for (beam, other) in self.beams.iter_mut().zip(&other.beams) {
            beam.e.copy_from_slice(&other.e);
            beam.rates.copy_from_slice(&other.rates);
        }
        self.sliders.copy_from_slice(&other.sliders);
        if let Some(tree) = &mut self.tree {
            tree.forget();
        }
        self.inputs.copy_from(&other.inputs);
    }

    /// Returns the time at which formulas of time are evaluated.
    pub fn law_time(&self) -> f64 {
        self.inputs.law_time(self.time)
    }

    /// Returns value and velocity of a measured coordinate of a joint if it is a coordinate of the formulation.
    #[inline]
    pub(crate) fn own_coordinate(&self, joint: usize, k: usize) -> Option<(f64, f64)> {
        self.tree.as_ref()?.own_coordinate(joint, k)
    }

    /// Returns the velocity coordinate along which a generalised force acts, if forces are evaluated without the motion of the bodies.
    #[inline]
    fn generalized(&self, joint: usize, k: usize) -> Option<usize> {
        self.tree.as_ref()?.generalized(joint, k)
    }

    /// Returns the motion of a body or of the ground.
    pub fn body(&self, body: BodyIndex) -> BodyMotion {
        body.number()
            .map_or_else(BodyMotion::at_rest, |b| self.bodies[b])
    }

    /// Moves every sliding station to the point closest to the second frame of its joint; `turns` contains a recent location, see
    /// [`super::State::turns`].
    pub(crate) fn slide(&mut self, model: &Model, turns: &[f64]) {
        for k in 0..self.sliders.len() {
            let Slider {
                body,
                joint,
                station,
                ..
            } = self.sliders[k];
            let beam = (&model.beams[station.beam.0], &self.beams[station.beam.0]);
            let point = self.frame(model, model.joints[joint].second).p;
            let (station, path) = Station::nearest(station.beam, beam, &point, turns[3 * joint]);
            let recent = turns[3 * model.joints.len() + body];
            self.bodies[body] = BodyMotion::of_station(&station, beam.1, recent);
            (self.sliders[k].station, self.sliders[k].path) = (station, path);
        }
    }

    /// Returns, for each beam slider, its joint and the closest location on the whole beam.
    pub(crate) fn first_places<'a>(
        &'a self,
        model: &'a Model,
    ) -> impl Iterator<Item = (f64, usize)> + 'a {
        self.sliders.iter().map(|slider| {
            let point = self.frame(model, model.joints[slider.joint].second).p;
            let beam = slider.station.beam.0;
            let place = model.beams[beam].place_near(&self.beams[beam], &point);
            (place, slider.joint)
        })
    }

    /// Returns the station of a beam that a body represents.
    pub(super) fn station(&self, model: &Model, body: BodyIndex) -> Option<Station> {
        let moving = self.sliders.iter().find(|s| BodyIndex(s.body) == body);
        moving.map_or_else(
            || model.bodies[body.number()?].station,
            |slider| Some(slider.station),
        )
    }

    /// Recomputes the motion across every joint from the bodies; `turns` has three values per joint, see [`super::State::turns`].
    pub fn update_joints(&mut self, model: &Model, turns: &[f64]) {
        for j in 0..model.joints.len() {
            self.relate(model, j);
            self.set_turns(model, j, [turns[3 * j], turns[3 * j + 1], turns[3 * j + 2]]);
        }
    }

    /// Recomputes the motion across one joint from its bodies, except for the turns of its angles.
    pub(super) fn relate(&mut self, model: &Model, joint: usize) {
        let element = &model.joints[joint];
        self.joints[joint] = self.across(model, element);
        if let Some(slider) = self.sliders.iter().find(|s| s.joint == joint) {
            self.joints[joint].rel.path = slider.path;
        }
    }

    /// Sets the values near which the angles of a joint are.
    pub(super) fn set_turns(&mut self, model: &Model, joint: usize, turns: [f64; 3]) {
        let element = &model.joints[joint];
        self.joints[joint].rel.turns = turns;
        if model.space == Space::Planar {
            let turned = self.relative_turn(element);
            let angles = element
                .joint
                .coordinates(model.space)
                .iter()
                .filter(|c| c.angular);
            for (slot, coordinate) in angles.enumerate() {
                if coordinate.turning {
                    self.joints[joint].rel.turns[slot] += turned;
                }
            }
        }
    }

    /// Sets the value near which a counted angle is, for known kinematics.
    pub(super) fn set_near(&mut self, angle: &CountedAngle, near: f64) {
        match angle.of {
            AngleOf::Joint(j, _) => {
                self.joints[j.0].rel.turns[angle.entry - 3 * j.0] = near;
                if let Some(tree) = &mut self.tree {
                    tree.turns[angle.entry] = near;
                }
            }
            AngleOf::Station(b) => {
                let turn = std::f64::consts::TAU;
                let body = &mut self.bodies[b];
                body.angle += turn * ((near - body.angle) / turn).round();
            }
        }
    }

    /// Returns the angle of the second body of a planar joint relative to the first, including turns; zero in space.
    pub(crate) fn relative_turn(&self, element: &JointElement) -> f64 {
        self.body(element.second.0).angle - self.body(element.first.0).angle
    }

    /// Returns the motion across a joint: `p = R_Fᵀ(p_M − p_F)`, `v = R_Fᵀ(v_M − v_F − w_A × (p_M − p_F))`, `w = R_Fᵀ(w_B − w_A)`.
    fn across(&self, model: &Model, element: &JointElement) -> JointMotion {
        let F = self.frame(model, element.first);
        let M = self.frame(model, element.second);
        let d = M.p - F.p;
        let slip = M.v - F.v - cross(&F.w, &d);
        JointMotion {
            rel: Relative {
                R: transposed_product(&F.R, &M.R),
                p: apply_transposed(&F.R, &d),
                v: apply_transposed(&F.R, &slip),
                w: apply_transposed(&F.R, &(M.w - F.w)),
                turns: [0.0; 3],
                path: GuideCurve::STRAIGHT,
            },
            R_F: F.R,
            p_F: F.p,
            p_M: M.p,
        }
    }

    /// Returns the largest angular velocity of a body or rate of a beam slope, or velocity divided by a length.
    pub(crate) fn pace(&self, length: f64) -> f64 {
        let bodies = self.bodies.iter();
        let bodies = bodies.map(|body| body.w.norm().max(body.v.norm() / length));
        let size = |x: &[f64]| x.iter().fold(0.0_f64, |sum, x| sum.hypot(*x));
        let nodes = self.beams.iter().flat_map(|b| b.rates.chunks_exact(b.node));
        let nodes = nodes.map(|v| {
            let (velocity, turning) = v.split_at(v.len() / 2);
            size(turning).max(size(velocity) / length)
        });
        bodies.chain(nodes).fold(0.0, f64::max)
    }

    /// Returns the motion of a frame given in a body's frame.
    pub fn frame(&self, model: &Model, (body, pose): (BodyIndex, Pose)) -> MarkerMotion {
        let Some(b) = body.number() else {
            return MarkerMotion {
                p: pose.p,
                v: zero3(),
                R: pose.R,
                w: zero3(),
            };
        };
        let motion = &self.bodies[b];
        let s = apply(&motion.R, &(pose.p - model.bodies[b].mass.center));
        MarkerMotion {
            p: motion.r + s,
            v: motion.v + cross(&motion.w, &s),
            R: motion.R * pose.R,
            w: motion.w,
        }
    }
}

/// Iterates over the sliding stations of a model.
fn sliders(model: &Model) -> impl Iterator<Item = Slider> + '_ {
    let bodies = model.bodies.iter().enumerate();
    bodies.filter_map(|(b, body)| {
        Some(Slider {
            body: b,
            joint: body.follows?.0,
            station: body.station?,
            path: GuideCurve::STRAIGHT,
        })
    })
}

/// A model at an instant, as forces, signals and events read it.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationContext<'a> {
    /// The model.
    pub model: &'a Model,
    /// Positions and velocities.
    pub kinematics: &'a SystemKinematics,
}

impl EvaluationContext<'_> {
    /// Time.
    pub fn time(&self) -> f64 {
        self.kinematics.time
    }

    /// Returns the motion of a marker.
    pub fn marker(&self, marker: MarkerIndex) -> MarkerMotion {
        let marker = &self.model.markers[marker.0];
        self.kinematics
            .frame(self.model, (marker.body, marker.pose))
    }

    /// Returns the body that carries a marker.
    pub fn body_of(&self, marker: MarkerIndex) -> BodyIndex {
        self.model.markers[marker.0].body
    }

    /// Returns the motion of a station of a beam that is not a body.
    pub fn place(&self, station: &Station) -> BodyMotion {
        BodyMotion::of_station(station, &self.kinematics.beams[station.beam.0], 0.0)
    }

    /// Returns a measured coordinate of a joint: value in `phi`, derivative in `v` and `w`.
    pub fn coordinate(&self, joint: JointIndex, k: usize) -> PoseFunction {
        let motion = &self.kinematics.joints[joint.0];
        self.model.joints[joint.0]
            .joint
            .coordinate(self.model.space, k, &motion.rel)
    }

    /// Returns value and velocity of a measured coordinate of a joint if it is a coordinate of the formulation.
    #[inline]
    pub(crate) fn own_coordinate(&self, joint: JointIndex, k: usize) -> Option<(f64, f64)> {
        self.kinematics.own_coordinate(joint.0, k)
    }

    /// Returns the value of a measured coordinate of a joint, including turns.
    pub fn coordinate_value(&self, joint: JointIndex, k: usize) -> f64 {
        let own = self.own_coordinate(joint, k);
        own.map_or_else(|| self.coordinate(joint, k).phi, |(value, _)| value)
    }

    /// Returns the derivative of a measured coordinate of a joint, without its value.
    pub fn direction(&self, joint: JointIndex, k: usize) -> PoseFunction {
        let motion = &self.kinematics.joints[joint.0];
        self.model.joints[joint.0]
            .joint
            .direction(self.model.space, k, &motion.rel)
    }

    /// Returns the velocity of a measured coordinate of a joint.
    pub fn coordinate_rate(&self, joint: JointIndex, k: usize) -> f64 {
        let own = self.own_coordinate(joint, k);
        let rel = &self.kinematics.joints[joint.0].rel;
        own.map_or_else(|| self.direction(joint, k).rate(rel), |(_, rate)| rate)
    }

    /// Returns the value of a law at this instant.
    #[inline]
    pub fn evaluate(&self, law: &Law) -> f64 {
        match law {
            Law::Constant(x) => *x,
            Law::Function { .. } => self.evaluation().law(law),
        }
    }

    /// Computes the switching functions of a law at this instant.
    pub fn switchings(&self, law: &Law, out: &mut [f64]) {
        if let Law::Function { inputs, function } = law {
            let values = self.evaluation().inputs(inputs);
            function.switchings(
                self.kinematics.law_time(),
                &values[..inputs.len().min(MAX_INPUTS)],
                out,
            );
        }
    }

    /// Returns the value of a signal that depends on positions and velocities only; NaN for others.
    pub fn signal(&self, signal: Signal) -> f64 {
        self.evaluation().signal(signal)
    }

    fn evaluation(&self) -> Evaluation<'_> {
        Evaluation {
            context: *self,
            instant: None,
        }
    }
}

/// Forces and torques on bodies and forces on the nodes of beams, collected during one evaluation.
#[derive(Clone, Debug)]
pub struct Loads {
    /// Force on each body at its mass centre, in ground axes.
    pub force: Vec<Vec3<f64>>,
    /// Torque on each body about its mass centre, in ground axes.
    pub torque: Vec<Vec3<f64>>,
    /// Generalised forces on the node coordinates of each beam.
    pub nodes: Vec<Vec<f64>>,
    /// Generalised forces along velocity coordinates, of an evaluation without the motion of the bodies.
    pub(super) along: Vec<f64>,
    /// Power of the non-conservative part of the element being applied.
    power: f64,
}

impl Loads {
    /// Zero loads on the bodies and beams of a model.
    pub fn new(model: &Model) -> Self {
        let beams = model.beams.iter();
        Loads {
            force: vec![zero3(); model.bodies.len()],
            torque: vec![zero3(); model.bodies.len()],
            nodes: beams.map(|b| vec![0.0; b.num_coordinates()]).collect(),
            along: Vec::new(),
            power: 0.0,
        }
    }

    /// Copies the loads of `other`.
    pub fn copy_from(&mut self, other: &Loads) {
        self.force.copy_from_slice(&other.force);
        self.torque.copy_from_slice(&other.torque);
        for (nodes, other) in self.nodes.iter_mut().zip(&other.nodes) {
            nodes.copy_from_slice(other);
        }
    }

    /// Adds the loads of `other` on bodies.
    pub(super) fn add(&mut self, other: &Loads) {
        for (force, more) in self.force.iter_mut().zip(&other.force) {
            *force += more;
        }
        for (torque, more) in self.torque.iter_mut().zip(&other.torque) {
            *torque += more;
        }
    }

    /// Sets all loads to zero.
    pub fn clear(&mut self) {
        self.force.fill(zero3());
        self.torque.fill(zero3());
        self.nodes.iter_mut().for_each(|nodes| nodes.fill(0.0));
        self.power = 0.0;
    }

    /// Multiplies all loads by a fraction.
    pub(super) fn scale(&mut self, share: f64) {
        for load in self.force.iter_mut().chain(&mut self.torque) {
            *load *= share;
        }
        for load in self.nodes.iter_mut().flatten() {
            *load *= share;
        }
        self.power *= share;
    }

    /// Adds a force at a point, both in ground axes.
    pub fn add_force(
        &mut self,
        context: &EvaluationContext<'_>,
        body: BodyIndex,
        point: &Vec3<f64>,
        force: &Vec3<f64>,
    ) {
        if let Some(b) = body.number() {
            self.force[b] += force;
            self.torque[b] += cross(&(point - context.kinematics.bodies[b].r), force);
        }
    }

    /// Adds a force at a station of a beam, in ground axes.
    pub fn add_at_place(
        &mut self,
        context: &EvaluationContext<'_>,
        station: &Station,
        force: &Vec3<f64>,
    ) {
        let beam = station.beam.0;
        let motion = station.motion(&context.kinematics.beams[beam]);
        let out = &mut self.nodes[beam][station.coordinates()];
        station.add_load(&motion, force, &zero3(), out);
    }

    /// Adds a torque, in ground axes.
    pub fn add_torque(&mut self, body: BodyIndex, torque: &Vec3<f64>) {
        if let Some(b) = body.number() {
            self.torque[b] += torque;
        }
    }

    /// Adds a generalised force `effort` along a measured coordinate of a joint.
    #[inline]
    pub fn add_along(
        &mut self,
        context: &EvaluationContext<'_>,
        (joint, k): (JointIndex, usize),
        effort: f64,
    ) {
        match context.kinematics.generalized(joint.0, k) {
            Some(velocity) => self.along[velocity] += effort,
            None => self.add_joint(context, joint, &context.direction(joint, k), effort),
        }
    }

    /// Adds a generalised force `effort` along a function of the relative pose across a joint (usually a coordinate):
    /// it acts on the second body, its reaction on the first.
    pub fn add_joint(
        &mut self,
        context: &EvaluationContext<'_>,
        joint: JointIndex,
        row: &PoseFunction,
        effort: f64,
    ) {
        let motion = &context.kinematics.joints[joint.0];
        let element = &context.model.joints[joint.0];
        // an angle has no force component, a length no torque
        if row.w != zero3() {
            let torque = apply(&motion.R_F, &row.w) * effort;
            self.add_torque(element.second.0, &torque);
            self.add_torque(element.first.0, &-torque);
        }
        if row.v != zero3() {
            let force = apply(&motion.R_F, &row.v) * effort;
            self.add_force(context, element.second.0, &motion.p_M, &force);
            self.add_force(context, element.first.0, &motion.p_M, &-force);
        }
    }

    /// Adds power of loads without a potential.
    #[inline]
    pub fn add_power(&mut self, power: f64) {
        self.power += power;
    }

    /// Returns the power added since the last call, and resets it.
    #[inline]
    pub fn take_power(&mut self) -> f64 {
        std::mem::take(&mut self.power)
    }
}
