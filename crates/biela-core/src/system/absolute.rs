//! The absolute formulation: every body has its own coordinates, every joint is a set of constraint equations.
//!
//! A planar body has (x, y, θ), a spatial one the position of its mass centre and Euler parameters. Velocities are those of the mass centre in ground axes
//! and, in space, the angular velocity in **body** axes. The mass matrix is then constant, except for joint armatures ([`super::armature`]): `diag(m, m, J)`
//! or `diag(m I, J)` with the full inertia about the mass centre (the reduced form of G. O. de C. Pacheco, *Análise Computacional de Sistemas Multicorpos*,
//! ITA 2006, eq. 4.20). The quadratic velocity term is `−w × J w` in space and zero in the plane.
//!
//! A row is given as a function of the relative motion of frames F (body A) and M (body B). With `g_v`, `g_w` its parts in ground axes,
//! it acts on the bodies as
//!
//! ```text
//! φ̇ = g_v·v_B + (s_B × g_v + g_w)·w_B − g_v·v_A − (s_A × g_v + g_w)·w_A          s = p_M − r
//! γ = −[ g_v·(w_B×(w_B×s_M) − w_A×(w_A×s_A) − 2 w_A×u) − g_w·(w_A×w_B) + bias ]    u = R_F v_rel
//! ```
//!
//! A station of a beam moves with the adjacent node coordinates, `w = Jₑ ė`. Its blocks are those of a body times J, and γ contains the part of
//! its angular acceleration that does not depend on the accelerations of its nodes ([`crate::flexible`]).
//!
//! Coincidence of two points is the exception: it is written along ground axes, `p_M − p_F = 0`, where its derivative is
//! simplest.
#![allow(non_snake_case)]

use super::armature::{self, Armatures};
use super::coordinate_layout::{BodyCoordinates, CoordinateLayout};
use super::rows::{self, RowDerivatives, Values};
use super::tangent::TangentLayout;
use super::{
    BodyMotion, Loads, MarkerMotion, NotFinite, RowLabel, Sizes, System, SystemKinematics,
    SystemSignals, Workspace, applied, named,
};
use crate::joints::PoseFunction;
use crate::math::rotation::{
    about, apply, apply_transposed, cross, dot, implicit_parameters, matrix, normalized,
    parameters, rates_from_body, turn_of, turned, unit, zero3,
};
use crate::math::{RowPattern, SymmetricPattern, Vec3};
use crate::model::{BeamIndex, BodyIndex, JointIndex, Model, Space};

/// A model in absolute coordinates.
#[derive(Debug)]
pub struct Absolute {
    model: Model,
    sizes: Sizes,
    labels: Vec<RowLabel>,
    signals: SystemSignals,
    mass_pattern: SymmetricPattern,
    mass_values: Vec<f64>,
    jacobian_pattern: RowPattern,
    armatures: Armatures,
    places: CoordinateLayout,
    /// Layout of the tangent's blocks.
    layout: TangentLayout,
}

impl Absolute {
    /// Assigns coordinates and equations.
    pub fn new(model: Model) -> Self {
        let space = model.space;
        let places = CoordinateLayout::new(&model);
        let labels = rows::labels(&model, |_| true);
        let mut pattern = RowPattern::new();
        for label in &labels {
            let bodies = rows::bodies(&model, *label).into_iter();
            pattern.push(places.joined(bodies.filter_map(BodyIndex::number)));
        }

        let (mut entries, mut mass_values) = (Vec::new(), Vec::new());
        for (b, k) in places.own() {
            // a body without inertia is welded to the ground, where any mass gives the same equations, or is only being assembled
            let mass = model.bodies[b].mass.made_definite(space);
            let at = space.freedom() * k;
            let axes = space.axes();
            for i in 0..axes {
                entries.push((at + i, at + i));
                mass_values.push(mass.mass);
            }
            match space {
                Space::Planar => {
                    entries.push((at + 2, at + 2));
                    mass_values.push(mass.inertia[(2, 2)]);
                }
                Space::Spatial => {
                    for i in 0..3 {
                        for j in 0..=i {
                            entries.push((at + 3 + i, at + 3 + j));
                            mass_values.push(mass.inertia[(i, j)]);
                        }
                    }
                }
            }
        }

        for (k, beam) in model.beams.iter().enumerate() {
            let start = places.beam(k).start;
            for ((i, j), value) in beam.mass_matrix() {
                entries.push((start + i, start + j));
                mass_values.push(value);
            }
        }

        let sizes = Sizes {
            positions: places.positions(),
            velocities: places.velocities(),
            rows: labels.len(),
            works: applied::num_dissipating(&model) + model.beams.len() + model.drivers.len(),
            turns: model.num_turns(),
        };
        let columns = |j: JointIndex| {
            let element = &model.joints[j.0];
            let bodies = [element.first.0, element.second.0].into_iter();
            places.joined(bodies.filter_map(BodyIndex::number))
        };
        let behind = armature::of_joints(&model, |_| true);
        let armatures = Armatures::new(behind, columns, &mut entries);
        mass_values.resize(entries.len(), 0.0);
        let mass_pattern = SymmetricPattern { entries };
        let layout = TangentLayout::new(&model, &places, &mass_pattern);
        Absolute {
            signals: SystemSignals::new(&model, &labels),
            model,
            sizes,
            labels,
            mass_pattern,
            mass_values,
            jacobian_pattern: pattern,
            armatures,
            places,
            layout,
        }
    }

    /// Returns the mass matrix without joint armatures: entries and values.
    pub(super) fn constant_mass(&self) -> impl Iterator<Item = (&(usize, usize), &f64)> {
        self.mass_pattern.entries.iter().zip(&self.mass_values)
    }

    /// Returns the model.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// Returns the layout of the tangent's blocks.
    pub(super) fn layout(&self) -> &TangentLayout {
        &self.layout
    }

    /// Differentiates the joint velocities with armatures with respect to the velocity coordinates.
    fn differentiate_armatures(&self, kinematics: &SystemKinematics, buffer: &mut [f64]) {
        let armatures = &self.armatures;
        armatures.differentiate(&self.model, kinematics, buffer, |jacobian| Blocks {
            system: self,
            pattern: &armatures.pattern,
            kinematics,
            jacobian,
        });
    }

    /// Returns the layout of the coordinates of bodies and beams.
    pub(super) fn places(&self) -> &CoordinateLayout {
        &self.places
    }

    /// Returns the velocity-dependent angular acceleration of a body: nonzero for a station, whose slope vector stretches while it rotates.
    #[inline]
    fn alpha_bias(&self, k: &SystemKinematics, body: usize) -> Vec3<f64> {
        match self.places.at(k, body) {
            BodyCoordinates::Own(_) => zero3(),
            BodyCoordinates::Station(station, _) => {
                station.motion(&k.beams[station.beam.0]).alpha_bias()
            }
        }
    }

    /// Adds `sign · (force, moment)` to a body's block of a row.
    #[inline]
    pub(super) fn add_block(
        &self,
        body: &BodyMotion,
        force: &Vec3<f64>,
        moment: &Vec3<f64>,
        sign: f64,
        out: &mut [f64],
    ) {
        match self.model.space {
            Space::Planar => {
                out[0] += sign * force[0];
                out[1] += sign * force[1];
                out[2] += sign * moment[2];
            }
            Space::Spatial => {
                let moment = apply_transposed(&body.R, moment);
                for i in 0..3 {
                    out[i] += sign * force[i];
                    out[3 + i] += sign * moment[i];
                }
            }
        }
    }
}

/// Rows of G as blocks of the bodies on which they act.
struct Blocks<'a> {
    system: &'a Absolute,
    pattern: &'a RowPattern,
    kinematics: &'a SystemKinematics,
    jacobian: &'a mut [f64],
}

impl Blocks<'_> {
    /// Adds `sign · (force, moment)` to the block of body `b` in row `at`.
    #[inline]
    fn add(&mut self, at: usize, b: usize, force: &Vec3<f64>, moment: &Vec3<f64>, sign: f64) {
        let pattern = self.pattern;
        let system = self.system;
        let n = system.model.space.freedom();
        // without beams a row consists of blocks of one width
        let width = if system.model.beams.is_empty() { n } else { 1 };
        let place = system.places.at(self.kinematics, b);
        let columns = system.places.columns_of(place);
        let row = pattern.range(at);
        let mut start = row.start;
        while start < row.end && pattern.columns[start] != columns.start {
            start += width;
        }
        if start >= row.end {
            return;
        }
        let out = &mut self.jacobian[start..start + columns.len()];
        match place {
            BodyCoordinates::Own(_) => {
                system.add_block(&self.kinematics.bodies[b], force, moment, sign, out);
            }
            BodyCoordinates::Station(station, _) => {
                let motion = station.motion(&self.kinematics.beams[station.beam.0]);
                station.add_load(&motion, &(force * sign), &(moment * sign), out);
            }
        }
    }
}

impl RowDerivatives for Blocks<'_> {
    fn relative(&mut self, at: usize, joint: JointIndex, row: &PoseFunction) -> f64 {
        let k = self.kinematics;
        let motion = &k.joints[joint.0];
        let element = &self.system.model.joints[joint.0];
        let gv = apply(&motion.R_F, &row.v);
        let gw = apply(&motion.R_F, &row.w);
        let (mut linear, mut angular) = (zero3(), zero3());
        let (mut w_A, mut w_B) = (zero3(), zero3());
        if let Some(b) = element.second.0.number() {
            let body = &k.bodies[b];
            let s = motion.p_M - body.r;
            self.add(at, b, &gv, &(cross(&s, &gv) + gw), 1.0);
            let bias = self.system.alpha_bias(k, b);
            linear += cross(&body.w, &cross(&body.w, &s)) + cross(&bias, &s);
            angular += bias;
            w_B = body.w;
        }
        if let Some(a) = element.first.0.number() {
            let body = &k.bodies[a];
            let s = motion.p_M - body.r;
            self.add(at, a, &gv, &(cross(&s, &gv) + gw), -1.0);
            let slip = apply(&motion.R_F, &motion.rel.v);
            let bias = self.system.alpha_bias(k, a);
            linear -= cross(&body.w, &cross(&body.w, &s))
                + cross(&body.w, &slip) * 2.0
                + cross(&bias, &s);
            angular -= bias;
            w_A = body.w;
        }
        -(dot(&gv, &linear) + dot(&gw, &(angular - cross(&w_A, &w_B))) + row.bias)
    }

    #[inline]
    fn coincidence(
        &mut self,
        at: usize,
        joint: JointIndex,
        axis: usize,
    ) -> Option<(f64, f64, f64)> {
        let k = self.kinematics;
        let motion = &k.joints[joint.0];
        let element = &self.system.model.joints[joint.0];
        let along = unit(axis);
        let (mut rate, mut gamma) = (0.0, 0.0);
        for (body, point, sign) in [
            (element.first.0, &motion.p_F, -1.0),
            (element.second.0, &motion.p_M, 1.0),
        ] {
            if let Some(b) = body.number() {
                let m = &k.bodies[b];
                let s = point - m.r;
                self.add(at, b, &along, &cross(&s, &along), sign);
                let turning = cross(&m.w, &s);
                rate += sign * (m.v[axis] + turning[axis]);
                let bias = self.system.alpha_bias(k, b);
                gamma -= sign * (cross(&m.w, &turning) + cross(&bias, &s))[axis];
            }
        }
        Some((motion.p_M[axis] - motion.p_F[axis], rate, gamma))
    }

    fn point(&mut self, at: usize, body: BodyIndex, point: &MarkerMotion, axis: usize) -> f64 {
        let Some(b) = body.number() else { return 0.0 };
        let m = &self.kinematics.bodies[b];
        let s = point.p - m.r;
        let along = unit(axis);
        self.add(at, b, &along, &cross(&s, &along), 1.0);
        let bias = self.system.alpha_bias(self.kinematics, b);
        -(cross(&m.w, &cross(&m.w, &s)) + cross(&bias, &s))[axis]
    }
}

impl System for Absolute {
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
        let element = &self.model.joints[joint.0];
        let bodies = [element.first.0, element.second.0].into_iter();
        self.places.joined(bodies.filter_map(BodyIndex::number))
    }

    fn relative_row(
        &self,
        kinematics: &SystemKinematics,
        (pattern, jacobian): (&RowPattern, &mut [f64]),
        at: usize,
        joint: JointIndex,
        function: &PoseFunction,
    ) -> f64 {
        let mut blocks = Blocks {
            system: self,
            pattern,
            kinematics,
            jacobian,
        };
        blocks.relative(at, joint, function)
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
        for (k, beam) in out.beams.iter_mut().enumerate() {
            beam.e.copy_from_slice(&q[self.places.beam_positions(k)]);
            beam.rates.copy_from_slice(&v[self.places.beam(k)]);
        }
        for (b, station) in self.places.stations() {
            let recent = turns[3 * self.model.joints.len() + b];
            out.bodies[b] = BodyMotion::of_station(&station, &out.beams[station.beam.0], recent);
        }
        match self.model.space {
            Space::Planar => {
                for (number, b) in self.places.own() {
                    let (q, v) = (&q[3 * b..3 * b + 3], &v[3 * b..3 * b + 3]);
                    out.bodies[number] = BodyMotion {
                        R: about(2, q[2]),
                        r: Vec3::new(q[0], q[1], 0.0),
                        v: Vec3::new(v[0], v[1], 0.0),
                        w: Vec3::new(0.0, 0.0, v[2]),
                        angle: q[2],
                    };
                }
            }
            Space::Spatial => {
                for (number, b) in self.places.own() {
                    let body = &mut out.bodies[number];
                    let (q, v) = (&q[7 * b..7 * b + 7], &v[6 * b..6 * b + 6]);
                    let R = matrix(&[q[3], q[4], q[5], q[6]]);
                    *body = BodyMotion {
                        R,
                        r: Vec3::new(q[0], q[1], q[2]),
                        v: Vec3::new(v[0], v[1], v[2]),
                        w: apply(&R, &Vec3::new(v[3], v[4], v[5])),
                        angle: 0.0,
                    };
                }
            }
        }
        out.slide(&self.model, turns);
        out.update_joints(&self.model, turns);
    }

    fn position_rates(&self, q: &[f64], rates: &[f64], out: &mut [f64]) {
        match self.model.space {
            Space::Planar => out.copy_from_slice(rates),
            Space::Spatial => {
                for b in 0..self.places.num_own {
                    let (e, v) = (&q[7 * b + 3..7 * b + 7], &rates[6 * b..6 * b + 6]);
                    let out = &mut out[7 * b..7 * b + 7];
                    out[..3].copy_from_slice(&v[..3]);
                    let w = Vec3::new(v[3], v[4], v[5]);
                    out[3..].copy_from_slice(&rates_from_body(&[e[0], e[1], e[2], e[3]], &w));
                }
                let (q, v) = (self.places.own_positions(), self.places.own_velocities());
                out[q..].copy_from_slice(&rates[v..]);
            }
        }
    }

    fn velocities(&self, q: &[f64], rates: &[f64], out: &mut [f64]) {
        match self.model.space {
            Space::Planar => out.copy_from_slice(rates),
            Space::Spatial => {
                for b in 0..self.places.num_own {
                    let (e, rates) = (&q[7 * b + 3..7 * b + 7], &rates[7 * b..7 * b + 7]);
                    let out = &mut out[6 * b..6 * b + 6];
                    out[..3].copy_from_slice(&rates[..3]);
                    let w = turn_of(rates_from_body, e, &rates[3..]);
                    out[3..].copy_from_slice(w.as_slice());
                }
                let (q, v) = (self.places.own_positions(), self.places.own_velocities());
                out[v..].copy_from_slice(&rates[q..]);
            }
        }
    }

    fn implicit_positions(&self, known: &[f64], v: &[f64], c: f64, q: &mut [f64]) {
        match self.model.space {
            Space::Planar => {
                for i in 0..q.len() {
                    q[i] = known[i] + c * v[i];
                }
            }
            Space::Spatial => {
                for b in 0..self.places.num_own {
                    let (known, v) = (&known[7 * b..7 * b + 7], &v[6 * b..6 * b + 6]);
                    let q = &mut q[7 * b..7 * b + 7];
                    for i in 0..3 {
                        q[i] = known[i] + c * v[i];
                    }
                    let w = Vec3::new(v[3], v[4], v[5]);
                    let k = [known[3], known[4], known[5], known[6]];
                    q[3..].copy_from_slice(&implicit_parameters(rates_from_body, &k, &w, c));
                }
                let (at, of) = (self.places.own_positions(), self.places.own_velocities());
                for ((q, known), v) in q[at..].iter_mut().zip(&known[at..]).zip(&v[of..]) {
                    *q = known + c * v;
                }
            }
        }
    }

    fn weigh_displacements(&self, weights: &mut [f64]) {
        weights.fill(1.0);
        for (k, beam) in self.model.beams.iter().enumerate() {
            beam.weigh_slopes(&mut weights[self.places.beam(k)]);
        }
    }

    fn retract(&self, q: &mut [f64], delta: &[f64]) {
        match self.model.space {
            Space::Planar => {
                for (x, d) in q.iter_mut().zip(delta) {
                    *x += d;
                }
            }
            Space::Spatial => {
                for b in 0..self.places.num_own {
                    let (q, d) = (&mut q[7 * b..7 * b + 7], &delta[6 * b..6 * b + 6]);
                    for i in 0..3 {
                        q[i] += d[i];
                    }
                    let e = [q[3], q[4], q[5], q[6]];
                    q[3..].copy_from_slice(&turned(&e, &Vec3::new(d[3], d[4], d[5])));
                }
                let (at, of) = (self.places.own_positions(), self.places.own_velocities());
                for (x, d) in q[at..].iter_mut().zip(&delta[of..]) {
                    *x += d;
                }
            }
        }
    }

    fn normalize(&self, q: &mut [f64]) {
        if self.model.space == Space::Spatial {
            for b in 0..self.places.num_own {
                let e = &mut q[7 * b + 3..7 * b + 7];
                let unit = normalized(&[e[0], e[1], e[2], e[3]]);
                e.copy_from_slice(&unit);
            }
        }
    }

    fn mass(&self, ws: &mut Workspace) {
        ws.mass.copy_from_slice(&self.mass_values);
        if !ws.armature.is_empty() {
            self.differentiate_armatures(&ws.kinematics, &mut ws.armature);
            self.armatures.add_mass(&ws.armature, &mut ws.mass);
        }
    }

    fn forces(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        let Workspace {
            kinematics,
            loads,
            force,
            power,
            armature,
            ..
        } = ws;
        applied::apply((&self.model, &self.labels), kinematics, loads, power)?;
        force.fill(0.0);
        self.generalize(kinematics, loads, force);
        let first = applied::num_dissipating(&self.model);
        let gravity = self.model.gravity * kinematics.inputs.load_share;
        let beams = self.model.beams.iter().enumerate();
        for (k, beam) in beams.filter(|_| !kinematics.inputs.without_tangents) {
            let out = &mut force[self.places.beam(k)];
            power[first + k] = beam.add_forces(&kinematics.beams[k], &gravity, out);
            if !out.iter().sum::<f64>().is_finite() {
                return Err(NotFinite {
                    element: named("beam", &beam.name, &beam.origin),
                    time: kinematics.time,
                    cause: "its deformation has grown without bound, or its stiffness overflows; use a smaller step or tolerance, or an implicit integrator".into(),
                    grown: true,
                });
            }
        }
        if self.model.spin != 0.0 {
            self.add_spin_of_beams(kinematics, force);
        }
        if self.model.space == Space::Spatial {
            for (number, b) in self.places.own() {
                let body = &self.model.bodies[number];
                let motion = &kinematics.bodies[number];
                let w = apply_transposed(&motion.R, &motion.w);
                let gyroscopic = cross(&w, &apply(&body.mass.inertia, &w));
                for i in 0..3 {
                    force[6 * b + 3 + i] -= gyroscopic[i];
                }
            }
        }
        if !armature.is_empty() {
            self.differentiate_armatures(kinematics, armature);
            self.armatures.add_forces(armature, force);
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
        let mut blocks = Blocks {
            system: self,
            pattern: &self.jacobian_pattern,
            kinematics,
            jacobian,
        };
        let all = |_| true;
        rows::evaluate(
            &self.model,
            &self.labels,
            all,
            kinematics,
            &mut values,
            &mut blocks,
        );
    }

    fn tangent_pattern(&self) -> &SymmetricPattern {
        &self.layout.pattern
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
        self.tangent_into(ws, multipliers, factors, out, skew);
    }

    fn has_analytic_tangent(&self) -> bool {
        true
    }

    fn generalize(&self, kinematics: &SystemKinematics, loads: &Loads, out: &mut [f64]) {
        for (k, nodes) in loads.nodes.iter().enumerate() {
            for (x, load) in out[self.places.beam(k)].iter_mut().zip(nodes) {
                *x += load;
            }
        }
        for b in 0..self.model.bodies.len() {
            let out = &mut out[self.places.columns_at(kinematics, b)];
            let (force, torque) = (&loads.force[b], &loads.torque[b]);
            match self.places.at(kinematics, b) {
                BodyCoordinates::Own(_) => {
                    self.add_block(&kinematics.bodies[b], force, torque, 1.0, out);
                }
                BodyCoordinates::Station(station, _) => {
                    let motion = station.motion(&kinematics.beams[station.beam.0]);
                    station.add_load(&motion, force, torque, out);
                }
            }
        }
    }

    fn body_columns(&self, body: usize) -> Vec<usize> {
        self.places.columns(body).collect()
    }

    fn beam_columns(&self, beam: BeamIndex) -> std::ops::Range<usize> {
        self.places.beam(beam.0)
    }

    fn body_acceleration(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        body: usize,
    ) -> (Vec3<f64>, Vec3<f64>) {
        let a = &rates[self.places.columns_at(kinematics, body)];
        if let BodyCoordinates::Station(station, _) = self.places.at(kinematics, body) {
            let motion = station.motion(&kinematics.beams[station.beam.0]);
            return station.acceleration(&motion, a);
        }
        match self.model.space {
            Space::Planar => (Vec3::new(a[0], a[1], 0.0), Vec3::new(0.0, 0.0, a[2])),
            Space::Spatial => {
                let turning = apply(&kinematics.bodies[body].R, &Vec3::new(a[3], a[4], a[5]));
                (Vec3::new(a[0], a[1], a[2]), turning)
            }
        }
    }

    fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]) {
        for (k, beam) in kinematics.beams.iter().enumerate() {
            q[self.places.beam_positions(k)].copy_from_slice(&beam.e);
            v[self.places.beam(k)].copy_from_slice(&beam.rates);
        }
        for (number, b) in self.places.own() {
            let body = &kinematics.bodies[number];
            match self.model.space {
                Space::Planar => {
                    q[3 * b..3 * b + 3].copy_from_slice(&[body.r[0], body.r[1], body.angle]);
                    v[3 * b..3 * b + 3].copy_from_slice(&[body.v[0], body.v[1], body.w[2]]);
                }
                Space::Spatial => {
                    q[7 * b..7 * b + 3].copy_from_slice(body.r.as_slice());
                    q[7 * b + 3..7 * b + 7].copy_from_slice(&parameters(&body.R));
                    v[6 * b..6 * b + 3].copy_from_slice(body.v.as_slice());
                    let w = apply_transposed(&body.R, &body.w);
                    v[6 * b + 3..6 * b + 6].copy_from_slice(w.as_slice());
                }
            }
        }
    }
}
