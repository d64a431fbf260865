//! Mechanical systems: the interface between models and solvers.
//!
//! Every system, rigid or flexible, in absolute or joint coordinates, has the form
//!
//! ```text
//! q̇ = N(q) v      M(q) v̇ + Gᵀ λ = f(t, q, v)      Φ(q, t) = 0      A(q, t) v + b(t) = 0
//! ```
//!
//! The rows of G are the derivatives of the position constraints Φ and the velocity constraints A. At acceleration level
//! `G v̇ = γ`. Constraint forces on the system are `−Gᵀ λ`.

mod absolute;
mod applied;
mod armature;
mod contacting;
mod coordinate_layout;
mod coupled;
mod evaluation_context;
mod inputs;
mod not_finite;
mod reaction;
mod redundancy;
mod rows;
pub(crate) mod signals;
mod singular;
pub(crate) mod spin;
mod tangent;
mod tree;
mod turns;

pub use absolute::Absolute;
pub use contacting::ContactSystem;
pub(crate) use contacting::{first_contact_work, first_driver_work, num_works};
pub use evaluation_context::{
    BodyMotion, EvaluationContext, JointMotion, Loads, MarkerMotion, Slider, SystemKinematics,
};
pub use inputs::{InputSegment, Inputs};
pub(crate) use not_finite::{
    accelerations as diagnose_accelerations, formula as diagnose_formula, named, named_body,
    named_force, work_owner,
};
pub use not_finite::{culprit, source};
pub use reaction::Response;
pub(crate) use reaction::{joint_reaction, row_acceleration};
pub use redundancy::{DependentRow, Mobility, mobility};
pub use signals::{
    Channel, ClosedPoint, Instant, SignalDescription, SignalFamily, SignalTable, SystemSignals,
    channels, signal_families,
};
pub(crate) use signals::{contact_energy, law_stage};
pub use singular::{Meaning, Rank, SingularPose, WeakestRow};
pub use tree::TreeSystem;
pub(crate) use turns::TurnCount;
pub use turns::{AngleOf, CountedAngle, TurnsAhead};

use crate::element::Origin;
use crate::joints::{Joint, PoseFunction};
use crate::keep::keeps;
use crate::math::{RowPattern, SymmetricPattern, Vec3};
use crate::model::{BeamIndex, CouplerIndex, DriverIndex, JointIndex, Model};
use crate::unilateral::{Mode, Unilateral, UnilateralOwner};

/// The dimensions of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Position coordinates q.
    pub positions: usize,
    /// Velocity coordinates v.
    pub velocities: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Integrals: of work, one per force without a potential, then one per beam, then one per driver, then those of contacts; then those of compliant
    /// contacts, see [`State::work`].
    pub works: usize,
    /// Angles whose turns are counted.
    pub turns: usize,
}

/// The element that a constraint row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOwner {
    /// A joint.
    Joint(JointIndex),
    /// A coupler.
    Coupler(CouplerIndex),
    /// A driver.
    Driver(DriverIndex),
    /// A unilateral constraint, by index in the list of the system, of an element.
    Unilateral(usize, UnilateralOwner),
}

/// The identification of a constraint row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLabel {
    /// The element that it belongs to.
    pub owner: RowOwner,
    /// Index among its owner's rows.
    pub number: usize,
    /// Whether it is a velocity (nonholonomic) constraint.
    pub nonholonomic: bool,
}

impl RowLabel {
    /// The owner's name.
    pub fn owner_name(self, model: &Model) -> &str {
        match self.owner {
            RowOwner::Joint(j) => &model.joints[j.0].name,
            RowOwner::Coupler(c) => &model.couplers[c.0].name,
            RowOwner::Driver(d) => &model.drivers[d.0].name,
            RowOwner::Unilateral(_, owner) => owner.name(model),
        }
    }

    /// Returns the source location of the owner.
    pub fn origin(self, model: &Model) -> &Origin {
        match self.owner {
            RowOwner::Joint(j) => &model.joints[j.0].origin,
            RowOwner::Coupler(c) => &model.couplers[c.0].origin,
            RowOwner::Driver(d) => &model.drivers[d.0].origin,
            RowOwner::Unilateral(_, owner) => owner.origin(model),
        }
    }

    /// "joint `pin`", "driver `motor`", …
    pub fn describe(self, model: &Model) -> String {
        let word = match self.owner {
            RowOwner::Joint(_) => "joint",
            RowOwner::Coupler(_) => "coupler",
            RowOwner::Driver(_) => "driver",
            RowOwner::Unilateral(_, owner) => owner.word(),
        };
        format!("{word} `{}`", self.owner_name(model))
    }
}

/// The state: everything that the next step depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time.
    pub time: f64,
    /// Position coordinates.
    pub q: Vec<f64>,
    /// Velocity coordinates.
    pub v: Vec<f64>,
    /// Work since the start of forces without a potential, of damping in beams, of drivers, of contacts and of impacts. In a run with compliant contacts three
    /// integrals of each of their points follow: the normal impulse, and the deflections of the bristles.
    pub work: Vec<f64>,
    /// For each counted angle a nearby value, three per joint: a recent value or, in the plane, where bodies count their own
    /// turns, the difference between the angle and the relative rotation of its bodies. For a beam slider it is its location along the beam. With beams, a
    /// recent angle of each body follows.
    pub turns: Vec<f64>,
    /// Data of sampled controllers: the current outputs, then for each controller its sample counts, its
    /// states, and outputs that wait for their delay.
    pub memory: Vec<f64>,
}

keeps!(State: time, q, v, work, turns, memory);

impl State {
    /// Copies the values of a state of the same system, without allocating.
    pub fn copy_from(&mut self, other: &State) {
        self.time = other.time;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.work.copy_from_slice(&other.work);
        self.turns.copy_from_slice(&other.turns);
        self.memory.copy_from_slice(&other.memory);
    }

    /// A state of zeros, without controllers.
    pub fn new(sizes: Sizes) -> Self {
        State {
            time: 0.0,
            q: vec![0.0; sizes.positions],
            v: vec![0.0; sizes.velocities],
            work: vec![0.0; sizes.works],
            turns: vec![0.0; sizes.turns],
            memory: Vec::new(),
        }
    }
}

/// Buffers for one evaluation of a system.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Positions and velocities of bodies and joints.
    pub kinematics: SystemKinematics,
    /// The same, with a perturbed coordinate, for finite differences of forces.
    disturbed: SystemKinematics,
    /// Loads on bodies.
    pub loads: Loads,
    /// Values of M.
    pub mass: Vec<f64>,
    /// f(t, q, v).
    pub force: Vec<f64>,
    /// Power of each force without potential.
    pub power: Vec<f64>,
    /// Φ, zero for velocity equations.
    pub phi: Vec<f64>,
    /// Magnitude of the terms that cancel in each position constraint: its value is accurate to a few rounding errors of this.
    pub scale: Vec<f64>,
    /// Residual at velocity level: `Φ_q q̇ + Φ_t`, `A v + b`.
    pub rate: Vec<f64>,
    /// Partial time derivative of the constraint at velocity level: rate = G v + drift.
    pub drift: Vec<f64>,
    /// Values of G.
    pub jacobian: Vec<f64>,
    /// γ.
    pub gamma: Vec<f64>,
    /// Derivatives of the joint velocities with armatures with respect to v, see [`System::armature_buffer`].
    armature: Vec<f64>,
    /// Slip velocity of each unilateral constraint that is closed, along its tangential directions.
    pub slip: Vec<[f64; 2]>,
    /// Loads of compliant contacts alone, or of friction for integrators that solve the equations directly.
    pub rubbing: Loads,
    /// The force of each compliant contact along its rows.
    pub(crate) pressed: Vec<[f64; 3]>,
    /// Generalised force of each friction there.
    pub friction: Vec<f64>,
    /// The load on each joint, see [`System::settle`].
    pub reactions: Vec<JointReaction>,
    /// A second set of buffers, for a system that computes finite differences of itself.
    spare: Option<Box<tree::Spare>>,
}

/// Force and moment of a joint's first body on its second, at the second joint frame's origin, in the axes of the first joint
/// frame. Loads along the joint's free directions (drivers, springs) are not part of it.
pub type JointReaction = (Vec3<f64>, Vec3<f64>);

impl Workspace {
    /// Creates the buffers for a system.
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let model = system.model();
        let mut loads = Loads::new(model);
        loads.along = vec![0.0; sizes.velocities];
        let unilaterals = system.unilaterals();
        let compliant = unilaterals.iter().filter(|one| one.compliance.is_some());
        let mut kinematics = SystemKinematics::new(model);
        kinematics.inputs.comply(compliant.count());
        Workspace {
            kinematics,
            disturbed: SystemKinematics::new(model),
            loads,
            mass: vec![0.0; system.mass_pattern().entries.len()],
            force: vec![0.0; sizes.velocities],
            power: vec![0.0; sizes.works],
            phi: vec![0.0; sizes.rows],
            scale: vec![0.0; sizes.rows],
            rate: vec![0.0; sizes.rows],
            drift: vec![0.0; sizes.rows],
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            gamma: vec![0.0; sizes.rows],
            armature: vec![0.0; system.armature_buffer()],
            slip: vec![[0.0; 2]; unilaterals.len()],
            pressed: vec![[0.0; 3]; unilaterals.len()],
            rubbing: Loads::new(model),
            friction: vec![0.0; num_frictions(model)],
            reactions: vec![(Vec3::zeros(), Vec3::zeros()); model.joints.len()],
            spare: None,
        }
    }
}

/// Returns the number of friction forces whose normal force is a reaction.
pub fn num_frictions(model: &Model) -> usize {
    let forces = model.forces.iter();
    forces.filter(|f| f.force.friction().is_some()).count()
}

/// A force or constraint produced a NaN or infinity.
#[derive(Clone, PartialEq)]
pub struct NotFinite {
    /// "force `spring`", "joint `pin`", …
    pub element: String,
    /// The time.
    pub time: f64,
    /// The cause as far as it is known, and the remedy.
    pub cause: Box<str>,
    /// Whether no element failed, but the motion diverged.
    pub grown: bool,
}

impl NotFinite {
    /// Returns the same error, for a motion that diverged.
    pub(crate) fn grown(self) -> Self {
        NotFinite {
            grown: true,
            ..self
        }
    }
}

impl std::fmt::Display for NotFinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} produced a NaN or infinity at t = {:.6} s: {}",
            self.element, self.time, self.cause
        )
    }
}

crate::readable_errors!(NotFinite);

/// A mechanical system in some set of coordinates.
pub trait System: Send + Sync {
    /// Returns the model of the system.
    fn model(&self) -> &Model;
    /// Returns the dimensions.
    fn sizes(&self) -> Sizes;
    /// Returns the identification of each constraint row.
    fn rows(&self) -> &[RowLabel];
    /// Returns the system without unilateral constraints, if this one adds them.
    fn base(&self) -> Option<&std::sync::Arc<dyn System>> {
        None
    }
    /// Returns the unilateral constraints, whose rows follow all others.
    fn unilaterals(&self) -> &[Unilateral] {
        &[]
    }
    /// Returns the first row of a unilateral constraint: the normal one, if it has one, then the tangential ones.
    fn unilateral_row(&self, _unilateral: usize) -> usize {
        self.rows().len()
    }
    /// Returns the signals.
    fn signals(&self) -> &SystemSignals;
    /// Returns the table of the signals, which is created at the first call.
    fn signal_table(&self) -> &SignalTable {
        self.signals().table(self.model())
    }
    /// Returns the pattern of the lower triangle of M.
    fn mass_pattern(&self) -> &SymmetricPattern;
    /// Returns the pattern of the rows of G.
    fn jacobian_pattern(&self) -> &RowPattern;

    /// Returns the buffer size for the derivatives of joint velocities that have an armature and are not velocity coordinates.
    fn armature_buffer(&self) -> usize;

    /// Computes the kinematics of all bodies and joints at (t, q, v).
    fn update(&self, time: f64, q: &[f64], v: &[f64], turns: &[f64], out: &mut SystemKinematics);
    /// Computes the part of the kinematics at (t, q, v) on which accelerations depend: all of it unless a formulation needs less.
    fn update_for_accelerations(
        &self,
        time: f64,
        q: &[f64],
        v: &[f64],
        turns: &[f64],
        out: &mut SystemKinematics,
    ) {
        self.update(time, q, v, turns, out);
    }
    /// Whether every measured angle is a position coordinate, which counts its own turns.
    fn coordinates_count_turns(&self) -> bool {
        false
    }
    /// Computes `q̇ = N(q) v`.
    fn position_rates(&self, q: &[f64], v: &[f64], out: &mut [f64]);
    /// Computes the v with `q̇ = N(q) v`.
    fn velocities(&self, q: &[f64], rates: &[f64], out: &mut [f64]);
    /// Solves `q = known + c N(q) v` for q.
    fn implicit_positions(&self, known: &[f64], v: &[f64], c: f64, q: &mut [f64]);
    /// Sets the lengths that weight displacements δ relative to metres and radians: the element length for the slopes of a beam, otherwise one.
    fn weigh_displacements(&self, weights: &mut [f64]) {
        weights.fill(1.0);
    }
    /// `q ← q ⊕ δ`, with δ in velocity coordinates.
    fn retract(&self, q: &mut [f64], delta: &[f64]);
    /// Normalises redundant coordinates (Euler parameters).
    fn normalize(&self, q: &mut [f64]);

    /// Computes M in `ws.mass`.
    fn mass(&self, ws: &mut Workspace);
    /// Computes f in `ws.force`, and the power of forces without a potential.
    fn forces(&self, ws: &mut Workspace) -> Result<(), NotFinite>;
    /// Computes the loads on bodies and the power of forces without a potential, without generalised forces.
    fn load(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        applied::apply(
            (self.model(), self.rows()),
            &ws.kinematics,
            &mut ws.loads,
            &mut ws.power,
        )
    }
    /// Computes Φ, velocity residuals, G and γ from the kinematics in `ws`.
    fn constraints(&self, ws: &mut Workspace);
    /// Returns the pattern of the lower triangle of the tangent, see [`System::tangent`].
    fn tangent_pattern(&self) -> &SymmetricPattern;
    /// Computes the symmetric part of `M + k ∂(Gᵀλ − f)/∂q + c ∂(−f)/∂v` at the evaluation in `ws`, on the tangent's pattern.
    fn tangent(&self, ws: &mut Workspace, multipliers: &[f64], k: f64, c: f64, out: &mut [f64]);
    /// The same with factors (k, c), and the lower triangle of the skew-symmetric part in `skew` if requested: gyroscopic terms and follower forces. Newton's
    /// method converges without that part too, more slowly; a system that does not compute it leaves it zero.
    fn full_tangent(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        (k, c): (f64, f64),
        out: &mut [f64],
        skew: Option<&mut [f64]>,
    ) {
        self.tangent(ws, multipliers, k, c, out);
        if let Some(skew) = skew {
            skew.fill(0.0);
        }
    }

    /// Whether the tangents of joints, beams and forces that provide one are exact, so that only the tangents of other forces are computed by finite
    /// differences.
    fn has_analytic_tangent(&self) -> bool {
        false
    }

    /// Adds the generalised force of loads on bodies to `out`.
    fn generalize(&self, kinematics: &SystemKinematics, loads: &Loads, out: &mut [f64]);

    /// Returns the velocity coordinates that move the bodies of a joint relative to each other, in increasing order; none for a system that supports no
    /// unilateral constraints.
    fn relative_columns(&self, _joint: JointIndex) -> Vec<usize> {
        Vec::new()
    }
    /// Adds the derivative of a function of the relative pose across a joint to row `at` of a matrix, given by its pattern and its values; returns
    /// the part of γ.
    fn relative_row(
        &self,
        _kinematics: &SystemKinematics,
        _row: (&RowPattern, &mut [f64]),
        _at: usize,
        _joint: JointIndex,
        _function: &PoseFunction,
    ) -> f64 {
        0.0
    }
    /// Sets the multipliers of the rows of compliant contacts, which do not act, to their forces at the evaluation in `ws`.
    fn report_contacts(&self, _ws: &Workspace, _multipliers: &mut [f64]) {}
    /// Adds the loads of the rows of unilateral constraints, `−Gᵀ λ`; those of compliant contacts are among the forces.
    fn add_contact_loads(
        &self,
        _kinematics: &SystemKinematics,
        _multipliers: &[f64],
        _loads: &mut Loads,
    ) {
    }

    /// Returns the velocity coordinates that move a body, in increasing order.
    fn body_columns(&self, body: usize) -> Vec<usize>;
    /// Returns the velocity coordinates of a beam's nodes; empty for formulations without beams.
    fn beam_columns(&self, _beam: BeamIndex) -> std::ops::Range<usize> {
        0..0
    }

    /// Computes the acceleration of each body's mass centre and its angular acceleration, in ground axes, from v̇.
    fn body_acceleration(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        body: usize,
    ) -> (Vec3<f64>, Vec3<f64>);
    /// Returns the load on a joint for loads on bodies and the resulting accelerations and multipliers; `scratch` is a buffer.
    fn reaction(
        &self,
        kinematics: &SystemKinematics,
        cause: Response<'_>,
        _scratch: &mut Loads,
        joint: JointIndex,
    ) -> JointReaction {
        let context = EvaluationContext {
            model: self.model(),
            kinematics,
        };
        joint_reaction(&context, self.rows(), cause.multipliers, joint)
    }
    /// Computes the load on every joint, in `ws.reactions`, at the solution for the evaluation in `ws`.
    fn settle(&self, ws: &mut Workspace, rates: &[f64], multipliers: &[f64], normals: &[f64]) {
        self.settle_with(ws, (rates, multipliers, normals), &|_, _| {});
    }
    /// The same with loads that `add` adds to those of the forces of the model.
    fn settle_with(
        &self,
        ws: &mut Workspace,
        (_rates, multipliers, _normals): (&[f64], &[f64], &[f64]),
        _add: &dyn Fn(&SystemKinematics, &mut Loads),
    ) {
        let context = EvaluationContext {
            model: self.model(),
            kinematics: &ws.kinematics,
        };
        for (j, carried) in ws.reactions.iter_mut().enumerate() {
            *carried = joint_reaction(&context, self.rows(), multipliers, JointIndex(j));
        }
    }
    /// Whether a measured angle of a joint is a coordinate, which includes its turns.
    fn angle_is_coordinate(&self, _joint: JointIndex, _coordinate: usize) -> bool {
        false
    }
    /// Whether [`System::accelerate`] is available.
    fn accelerates(&self) -> bool {
        false
    }
    /// Computes accelerations without a mass matrix, if every row prescribes the acceleration of a single velocity coordinate. Forces
    /// and constraints are evaluated in `ws`; `multipliers` contains the prescribed accelerations on entry and λ on return.
    fn accelerate(&self, _ws: &mut Workspace, _rates: &mut [f64], _multipliers: &mut [f64]) {}
    /// Computes the time derivatives of positions, velocities and works at a state in one pass, if there are no rows and all forces act along coordinates.
    /// Returns `false` if that is not so, or a value is not finite; the results are then unspecified.
    fn derivative_along(
        &self,
        _time: f64,
        _coordinates: (&[f64], &[f64]),
        _ws: &mut Workspace,
        _out: [&mut [f64]; 3],
    ) -> bool {
        false
    }
    /// Computes position and velocity coordinates from the pose and velocity of each body in `kinematics`.
    fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]);
}

/// Permitted residual of a position constraint, as a multiple of the rounding error of its terms.
const ROUNDINGS: f64 = 4.0;

/// Coordinates with a smaller derivative of the constraints than this (m/m, m/rad) have the rounding error of one with this derivative.
const LEAST_STEEP: f64 = 1.0;

impl Workspace {
    /// Returns the permitted residual of position constraint `row`: the requested one, but at least a few rounding errors of its terms.
    pub fn position_tolerance(&self, row: usize, asked: f64) -> f64 {
        asked.max(ROUNDINGS * f64::EPSILON * self.scale[row])
    }

    /// Computes in `out` the error of each coordinate due to the rounding of the terms of the position constraints: the change that moves a constraint by
    /// that amount. Returns the largest.
    pub(crate) fn rounding(&self, pattern: &RowPattern, out: &mut [f64]) -> f64 {
        out.fill(0.0);
        for (column, value) in pattern.columns.iter().zip(&self.jacobian) {
            out[*column] = out[*column].max(value.abs());
        }
        let scale = self.scale.iter().fold(0.0, |m: f64, x| m.max(*x));
        let mut most = 0.0_f64;
        for x in out.iter_mut().filter(|steepest| **steepest > 0.0) {
            // limit the error of coordinates on which the constraints hardly depend
            *x = f64::EPSILON * scale / x.max(LEAST_STEEP);
            most = most.max(*x);
        }
        most
    }
}

/// Whether a row acts: those of a unilateral constraint depend on its mode, those of a compliant contact never do.
pub fn row_acts(system: &dyn System, row: usize, inputs: &Inputs) -> bool {
    let label = system.rows()[row];
    let RowOwner::Unilateral(i, _) = label.owner else {
        return true;
    };
    if system.unilaterals()[i].compliance.is_some() {
        return false;
    }
    let normal = system.unilaterals()[i].has_normal() && label.number == 0;
    match inputs.contact(i).mode {
        Mode::Open => false,
        Mode::Stick => true,
        Mode::Slip => normal,
    }
}

/// Returns the group of each row: the rows of one element belong together.
pub fn row_groups(system: &dyn System) -> Vec<usize> {
    let mut groups: Vec<usize> = Vec::with_capacity(system.rows().len());
    let mut last: Option<RowOwner> = None;
    for label in system.rows() {
        let group = groups
            .last()
            .map_or(0, |g| g + usize::from(last != Some(label.owner)));
        groups.push(group);
        last = Some(label.owner);
    }
    groups
}

/// Stores a recent value of every counted angle, from the kinematics, for the next evaluations.
pub fn refresh_turns(model: &Model, kinematics: &SystemKinematics, turns: &mut [f64]) {
    for (j, element) in model.joints.iter().enumerate() {
        let coordinates = element.joint.coordinates(model.space);
        let angles = coordinates.iter().enumerate().filter(|(_, c)| c.angular);
        for (slot, (k, c)) in angles.enumerate() {
            // a coordinate of the formulation counts its own turns
            if kinematics.own_coordinate(j, k).is_some() {
                continue;
            }
            let rel = &kinematics.joints[j].rel;
            let beyond = if c.turning {
                kinematics.relative_turn(element)
            } else {
                0.0
            };
            turns[3 * j + slot] = element.joint.coordinate(model.space, k, rel).phi - beyond;
        }
        if matches!(element.joint, Joint::BeamSlider(_)) {
            turns[3 * j] = kinematics.joints[j].rel.path.place;
        }
    }
    let angles = kinematics.bodies.iter().map(|body| body.angle);
    for (turn, angle) in turns[3 * model.joints.len()..].iter_mut().zip(angles) {
        *turn = angle;
    }
}
