//! Initial velocities: the given values, propagated along the joints and made consistent.
//!
//! A joint velocity that was omitted is zero, as an angle is: the second body moves with the first. Drivers prescribe their velocities. Loops, couplers and
//! given velocities of bodies require further changes, which a projection in the metric of the mass matrix computes. Only joints in a loop or with a coupler
//! change in it; the others keep their velocities. Contradictory given velocities are replaced by the closest consistent ones:
//!
//! ```text
//! min Σ (ẋᵢ − wᵢ)² / (gᵢ K gᵢᵀ)      gᵢ the derivative of the joint velocity ẋᵢ, wᵢ its requested value, K the mobility under the constraints
//! ```

use nalgebra::{DMatrix, DVector};

use super::newton::Assembler;
use super::{AssembleError, MOST_NAMED, Pins, Wanted, named};
use crate::joints::{Across, MAX_FREEDOM, MAX_POSITIONS};
use crate::math::rotation::{apply, cross, dot};
use crate::math::{Vec3, in_cycles};
use crate::model::{Body, BodyIndex, DriverTarget, JointElement, Model};
use crate::system::{EvaluationContext, State, System, SystemKinematics};

/// A difference of velocities below this, relative to the largest of them, is rounding error.
const ROUNDING: f64 = 1e-9;
/// Fraction of the largest eigenvalue below which a combination of given velocities cannot change.
const RIGID: f64 = 1e-10;

/// A joint coordinate whose initial velocity was not given and follows from the constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowingRate {
    /// The joint.
    pub joint: String,
    /// The coordinate.
    pub coordinate: &'static str,
    /// Its initial velocity.
    pub rate: f64,
    /// Unit of the velocity.
    pub unit: &'static str,
}

/// Motion across a joint, in the axes of its first frame.
#[derive(Clone, Copy, Debug, Default)]
struct JointTwist {
    v: Vec3<f64>,
    w: Vec3<f64>,
}

/// Computes consistent velocities: all given ones if they are compatible, else those of joints, else the closest to those of joints.
pub(in crate::analysis) fn velocities(
    system: &dyn System,
    state: &mut State,
    notes: &mut Vec<String>,
) -> Result<(), AssembleError> {
    let mut carrier = Carrier::new(system, state);
    let guess = carrier.carry(system, state);
    for wanted in [Wanted::All, Wanted::Joints] {
        let pins = Pins::velocities(system, wanted);
        if fit(system, state, &pins, (&mut carrier, &guess)) {
            notes.extend(missed_velocities(system, state, wanted));
            return Ok(());
        }
    }
    let kept = Pins::velocities(system, Wanted::Kept);
    let mut assembler = Assembler::new(system, &kept);
    state.v.copy_from_slice(&guess);
    assembler.match_velocities(state, &kept);
    if let Some(error) = assembler.open_pin(&kept) {
        return Err(error);
    }
    if !assembler.rows_hold() {
        return Err(AssembleError::Velocities {
            open: assembler.open_rows().0,
        });
    }
    approach(system, &mut assembler, state);
    assembler.match_velocities(state, &kept);
    let nearest = state.v.clone();
    carrier.follow(system, state);
    let again = carrier.carry(system, state);
    state.v.copy_from_slice(&again);
    assembler.match_velocities(state, &kept);
    if assembler.open_pin(&kept).is_some() || !assembler.rows_hold() {
        state.v.copy_from_slice(&nearest);
    }
    notes.extend(missed_velocities(system, state, Wanted::Kept));
    Ok(())
}

/// Computes velocities near the estimate that satisfy the constraints and the requested values; returns `false` if there are none.
fn fit(
    system: &dyn System,
    state: &mut State,
    pins: &Pins<'_>,
    (carrier, guess): (&mut Carrier, &[f64]),
) -> bool {
    let mut assembler = Assembler::new(system, pins);
    let mut holds = |state: &mut State| {
        assembler.match_velocities(state, pins);
        assembler.open_pin(pins).is_none() && assembler.rows_hold()
    };
    state.v.copy_from_slice(guess);
    if !holds(state) {
        return false;
    }
    let scale = state.v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let change = state.v.iter().zip(guess).map(|(a, b)| (a - b).abs());
    let all_bound = carrier.bound.iter().all(|bound| *bound);
    if !all_bound && change.fold(0.0, f64::max) > 1e-14 * scale {
        // joints outside of loops need not be changed by the conditions of loops
        let found = state.v.clone();
        carrier.follow(system, state);
        let again = carrier.carry(system, state);
        state.v.copy_from_slice(&again);
        if !holds(state) {
            state.v.copy_from_slice(&found);
        }
    }
    true
}

/// Changes velocities that satisfy the constraints to fit the given joint velocities in the least-squares sense.
fn approach(system: &dyn System, assembler: &mut Assembler<'_>, state: &mut State) {
    let rates = Pins::velocities(system, Wanted::Joints);
    let n = state.v.len();
    let mut kinematics = SystemKinematics::new(system.model());
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut kinematics,
    );
    let mut loads = crate::system::Workspace::new(system).loads;
    let mut gradients = DMatrix::zeros(n, rates.len());
    let mut responses = DMatrix::zeros(n, rates.len());
    let mut off = DVector::zeros(rates.len());
    let mut gradient = vec![0.0; n];
    for i in 0..rates.len() {
        off[i] = rates.evaluate(i, &kinematics, &mut loads, &mut gradient);
        gradients.column_mut(i).copy_from_slice(&gradient);
        assembler.respond(&mut gradient);
        responses.column_mut(i).copy_from_slice(&gradient);
    }
    // T y = −D½ off, T = D½ S D½ with unit diagonal, S the response of each joint velocity to each
    let mut scaled = gradients.tr_mul(&responses);
    let roots = scaled.diagonal().map(|s| {
        if s > 0.0 && s.is_finite() {
            s.sqrt().recip()
        } else {
            0.0
        }
    });
    for i in 0..rates.len() {
        for j in 0..rates.len() {
            scaled[(i, j)] *= roots[i] * roots[j];
        }
    }
    if scaled.iter().any(|x| !x.is_finite()) {
        return;
    }
    let eigen = ((&scaled + scaled.transpose()) * 0.5).symmetric_eigen();
    let largest = eigen.eigenvalues.iter().fold(0.0, |m: f64, x| m.max(*x));
    let right = eigen.eigenvectors.tr_mul(&off.component_mul(&roots));
    let shares = DVector::from_fn(right.len(), |k, _| {
        let value = eigen.eigenvalues[k];
        if value > RIGID * largest {
            -right[k] / value
        } else {
            0.0
        }
    });
    let along = (eigen.eigenvectors * shares).component_mul(&roots);
    let change = responses * along;
    for (v, d) in state.v.iter_mut().zip(change.iter()) {
        *v += d;
    }
}

/// Describes the initial velocities that could not be satisfied.
fn missed_velocities(system: &dyn System, state: &State, wanted: Wanted) -> Option<String> {
    let all = Pins::velocities(system, Wanted::All);
    let missed = Assembler::new(system, &all).missed(state, &all, true);
    if missed.is_empty() {
        return None;
    }
    let rates = Pins::velocities(system, Wanted::Joints);
    let rates: Vec<String> = (0..rates.len().min(MOST_NAMED))
        .map(|i| rates.describe(i))
        .collect();
    let missed = named(&missed);
    Some(match (wanted, rates.is_empty()) {
        (Wanted::Kept, _) => {
            format!(
                "{missed}: these initial velocities are inconsistent; the nearest consistent velocities are used"
            )
        }
        (_, true) => {
            format!(
                "{missed} is inconsistent with the joints; the nearest consistent velocities are used"
            )
        }
        (_, false) => format!(
            "{missed} is inconsistent with {}, which takes precedence; the nearest consistent velocities are used",
            rates.join(", ")
        ),
    })
}

/// Returns the coordinates whose velocities were omitted and are not zero.
pub(super) fn following(system: &dyn System, state: &State) -> Vec<FollowingRate> {
    let model = system.model();
    let mut kinematics = SystemKinematics::new(model);
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut kinematics,
    );
    let context = EvaluationContext {
        model,
        kinematics: &kinematics,
    };
    let mut list = Vec::new();
    let mut largest = 0.0_f64;
    for (j, element) in model.joints.iter().enumerate() {
        let index = crate::model::JointIndex(j);
        let coordinates = element.joint.coordinates(model.space);
        for (k, coordinate) in coordinates.iter().enumerate() {
            let rate = context.coordinate(index, k).rate(&kinematics.joints[j].rel);
            largest = largest.max(rate.abs());
            let given = element
                .initial
                .iter()
                .any(|start| start.coordinate == k && start.rate.is_some());
            let driven = model
                .drivers
                .iter()
                .any(|driver| driver.target == DriverTarget::Joint(index, k));
            let told = [element.first.0, element.second.0]
                .iter()
                .filter_map(|body| body.number())
                .any(|b| model.bodies[b].velocity.is_some());
            if !given && !driven && !told && rate.is_finite() {
                list.push(FollowingRate {
                    joint: element.name.clone(),
                    coordinate: coordinate.name,
                    rate,
                    unit: if coordinate.angular { "rad/s" } else { "m/s" },
                });
            }
        }
    }
    list.retain(|following| following.rate.abs() > ROUNDING * largest);
    list
}

/// Propagates velocities from body to body along the joints.
struct Carrier {
    kinematics: SystemKinematics,
    /// Motion across each joint.
    twists: Vec<JointTwist>,
    /// Joints that loops, couplers or given velocities of bodies may change.
    bound: Vec<bool>,
}

impl Carrier {
    /// The motions of initial joint velocities and drivers at a state.
    fn new(system: &dyn System, state: &State) -> Self {
        let model = system.model();
        let mut kinematics = SystemKinematics::new(model);
        system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut kinematics,
        );
        // in loops the projection determines the motion, starting from no relative motion
        let bound = bound_joints(model);
        let twist = |(j, bound): (usize, &bool)| {
            if *bound {
                JointTwist::default()
            } else {
                given_twist(model, j, &kinematics)
            }
        };
        Carrier {
            twists: bound.iter().enumerate().map(twist).collect(),
            bound,
            kinematics,
        }
    }

    /// Copies the motion of joints in loops from `state`.
    fn follow(&mut self, system: &dyn System, state: &State) {
        system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut self.kinematics,
        );
        for (j, twist) in self.twists.iter_mut().enumerate() {
            if self.bound[j] {
                let rel = &self.kinematics.joints[j].rel;
                *twist = JointTwist { v: rel.v, w: rel.w };
            }
        }
    }

    /// Returns the velocities of a system: bodies move as given, or with an adjacent body and the motion of the joint between them. Bodies on
    /// beams move with them.
    fn carry(&mut self, system: &dyn System, state: &State) -> Vec<f64> {
        let model = system.model();
        let mut known: Vec<bool> = Vec::with_capacity(model.bodies.len());
        for (b, body) in model.bodies.iter().enumerate() {
            let whole = body.velocity.is_some() && body.given.linear && body.given.angular;
            if whole {
                self.set(model, b, Vec3::zeros(), Vec3::zeros());
            }
            known.push(whole || body.station.is_some());
        }
        // joints without a tree view, such as rods, are used only if no other joint leads to a body
        let has_tree = |j: &usize| model.joints[*j].joint.shape(model.space).tree.is_some();
        let connecting = (0..model.joints.len()).filter(|j| model.joints[*j].connects(model.space));
        let (trees, others): (Vec<usize>, Vec<usize>) = connecting.partition(has_tree);
        loop {
            if self.spread(model, &trees, &mut known, usize::MAX)
                || self.spread(model, &others, &mut known, 1)
            {
                continue;
            }
            let Some(b) = known.iter().position(|known| !known) else {
                break;
            };
            self.set(model, b, Vec3::zeros(), Vec3::zeros());
            known[b] = true;
        }
        self.kinematics.update_joints(model, &state.turns);
        let mut v = state.v.clone();
        let mut q = state.q.clone();
        system.coordinates(&self.kinematics, &mut q, &mut v);
        v
    }

    /// Assigns motions to bodies across at most `most` joints; returns `false` if there was none to assign.
    fn spread(&mut self, model: &Model, joints: &[usize], known: &mut [bool], most: usize) -> bool {
        let is_known = |known: &[bool], body: BodyIndex| body.number().is_none_or(|b| known[b]);
        let mut crossed = 0;
        for &j in joints {
            let element = &model.joints[j];
            let ends = (element.first.0, element.second.0);
            match (is_known(known, ends.0), is_known(known, ends.1)) {
                (true, false) => self.cross_forward(model, element, j),
                (false, true) => self.cross_backward(model, element, j),
                _ => continue,
            }
            for body in [ends.0, ends.1] {
                if let Some(b) = body.number() {
                    known[b] = true;
                }
            }
            crossed += 1;
            if crossed == most {
                break;
            }
        }
        crossed > 0
    }

    /// `w_B = w_A + R_F w`, `v_M = v_F + w_A × (p_M − p_F) + R_F v`.
    fn cross_forward(&mut self, model: &Model, element: &JointElement, j: usize) {
        let (Some(b), twist) = (element.second.0.number(), self.twists[j]) else {
            return;
        };
        let first = self.kinematics.frame(model, element.first);
        let second = self.kinematics.frame(model, element.second);
        let w = first.w + apply(&first.R, &twist.w);
        let v = first.v + cross(&first.w, &(second.p - first.p)) + apply(&first.R, &twist.v);
        self.set_about(model, b, (second.p, v), w);
    }

    fn cross_backward(&mut self, model: &Model, element: &JointElement, j: usize) {
        let (Some(a), twist) = (element.first.0.number(), self.twists[j]) else {
            return;
        };
        let first = self.kinematics.frame(model, element.first);
        let second = self.kinematics.frame(model, element.second);
        let w = second.w - apply(&first.R, &twist.w);
        let v = second.v - apply(&first.R, &twist.v) - cross(&w, &(second.p - first.p));
        self.set_about(model, a, (first.p, v), w);
    }

    /// Sets the motion of a body by the velocity of one of its points; given components take precedence.
    fn set_about(&mut self, model: &Model, b: usize, (p, v): (Vec3<f64>, Vec3<f64>), w: Vec3<f64>) {
        let w = given_angular(&model.bodies[b]).unwrap_or(w);
        let to_center = self.kinematics.bodies[b].r - p;
        self.set(model, b, v + cross(&w, &to_center), w);
    }

    /// Sets the velocity of a body's mass centre and its angular velocity; given components take precedence.
    fn set(&mut self, model: &Model, b: usize, v: Vec3<f64>, w: Vec3<f64>) {
        let body = &model.bodies[b];
        let motion = &mut self.kinematics.bodies[b];
        motion.w = given_angular(body).unwrap_or(w);
        motion.v = match body.velocity.filter(|_| body.given.linear) {
            Some(given) => given.linear + cross(&motion.w, &apply(&motion.R, &body.mass.center)),
            None => v,
        };
    }
}

fn given_angular(body: &Body) -> Option<Vec3<f64>> {
    let given = body.velocity.filter(|_| body.given.angular);
    given.map(|velocity| velocity.angular)
}

/// Returns the motion across a joint from its initial velocities and its drivers; zero along omitted coordinates.
fn given_twist(model: &Model, j: usize, kinematics: &SystemKinematics) -> JointTwist {
    let element = &model.joints[j];
    let (joint, space) = (&element.joint, model.space);
    let Some(tree) = joint.shape(space).tree else {
        return JointTwist::default();
    };
    let mut wanted = [0.0; MAX_FREEDOM];
    let mut any = false;
    let mut want = |k: usize, rate: f64| {
        if k < MAX_FREEDOM {
            wanted[k] = rate;
            any |= rate != 0.0;
        }
    };
    for start in &element.initial {
        if let Some(rate) = start.rate {
            want(start.coordinate, rate);
        }
    }
    for driver in &model.drivers {
        if let DriverTarget::Joint(index, k) = driver.target
            && index.0 == j
        {
            want(k, driver.motion.at(kinematics.law_time()).rate);
        }
    }
    if !any {
        return JointTwist::default();
    }
    let rel = &kinematics.joints[j].rel;
    let mut q = [0.0; MAX_POSITIONS];
    joint.locate(space, rel, &mut q[..tree.positions()]);
    let mut across = Across::new();
    joint.across(space, &q, &[0.0; MAX_FREEDOM], &mut across);
    // velocities of measured coordinates as functions of the velocity coordinates of the tree view
    let freedom = across.freedom;
    let measured = joint.coordinates(space).len().min(freedom);
    let mut matrix = DMatrix::identity(freedom, freedom);
    for k in 0..measured {
        let row = joint.coordinate(space, k, rel);
        for i in 0..freedom {
            matrix[(k, i)] = dot(&row.v, &across.Hv[i]) + dot(&row.w, &across.Hw[i]);
        }
    }
    let right = DVector::from_column_slice(&wanted[..freedom]);
    let Some(rates) = matrix.lu().solve(&right) else {
        return JointTwist::default();
    };
    let mut twist = JointTwist::default();
    for (i, rate) in rates.iter().enumerate() {
        twist.v += across.Hv[i] * *rate;
        twist.w += across.Hw[i] * *rate;
    }
    twist
}

/// Returns the joints in a loop or with a coupler. A given velocity of a body, or a driven point on it, connects it to the ground.
fn bound_joints(model: &Model) -> Vec<bool> {
    let node = |body: BodyIndex| body.number().map_or(0, |b| b + 1);
    let joints = model.joints.iter();
    let mut edges: Vec<(usize, usize)> = joints
        .map(|element| {
            if element.connects(model.space) {
                (node(element.first.0), node(element.second.0))
            } else {
                // closes no loop
                (0, 0)
            }
        })
        .collect();
    for (b, body) in model.bodies.iter().enumerate() {
        if body.velocity.is_some() || body.station.is_some() {
            edges.push((0, b + 1));
        }
    }
    for driver in &model.drivers {
        if let DriverTarget::Point(marker, _) = driver.target {
            edges.push((0, node(model.markers[marker.0].body)));
        }
    }
    let mut bound = in_cycles(model.bodies.len() + 1, &edges);
    bound.truncate(model.joints.len());
    for coupler in &model.couplers {
        for (joint, ..) in &coupler.terms {
            bound[joint.0] = true;
        }
    }
    bound
}
