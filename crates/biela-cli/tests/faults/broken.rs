//! Elements that act like another one until a time, and return NaN or infinity afterwards.

use std::sync::Arc;

use biela::core::analysis::{Assembled, Formulation};
use biela::core::control::Trajectory;
use biela::core::element::ArgumentError;
use biela::core::flexible::ExactElement;
use biela::core::forces::{CoulombFriction, Force, ForceMeasure};
use biela::core::joints::PoseFunction;
use biela::core::math::{Jet, RowPattern, SymmetricPattern, Vec3};
use biela::core::model::{
    BeamIndex, BodyIndex, CouplerIndex, JointIndex, Law, Model, Motion, SampledLaw, SignalFunction,
};
use biela::core::system::{
    EvaluationContext, JointReaction, Loads, NotFinite, Response, RowLabel, RowOwner, Sizes,
    System, SystemKinematics, SystemSignals, Workspace,
};

use super::BREAKS;

const NONE: Jet = Jet {
    value: f64::NAN,
    rate: f64::NAN,
    curvature: f64::NAN,
};

#[derive(Debug)]
pub(crate) struct BrokenForce(Arc<dyn Force>);

impl BrokenForce {
    /// Takes the place of a force.
    pub(crate) fn of(force: &Arc<dyn Force>) -> Arc<dyn Force> {
        Arc::new(BrokenForce(Arc::clone(force)))
    }
}

impl Force for BrokenForce {
    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        self.0.apply(context, loads);
        if context.time() >= BREAKS {
            let beams = loads.nodes.iter_mut().filter_map(|nodes| nodes.first_mut());
            let mut loads = loads.force.iter_mut().map(|f| &mut f[0]).chain(beams);
            *loads.next().unwrap() = f64::NAN;
        }
    }
    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        self.0.potential(context)
    }
    fn dissipates(&self) -> bool {
        self.0.dissipates()
    }
    fn measures(&self) -> &'static [ForceMeasure] {
        self.0.measures()
    }
    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        self.0.measure(k, context)
    }
    fn laws(&self) -> Vec<&Law> {
        self.0.laws()
    }
    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.0.check(model)
    }
    fn friction(&self) -> Option<&CoulombFriction> {
        self.0.friction()
    }
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.0.bodies(model)
    }
    fn beam_element(&self) -> Option<&ExactElement> {
        self.0.beam_element()
    }
}

#[derive(Debug)]
pub(crate) struct BrokenFunction(Option<Motion>);

impl BrokenFunction {
    /// A motion that breaks.
    pub(crate) fn motion(inner: &Motion) -> Self {
        BrokenFunction(Some(inner.clone()))
    }

    /// A law that is one until it breaks.
    pub(crate) fn law() -> Law {
        Law::Function {
            inputs: [].into(),
            function: Arc::new(BrokenFunction(None)),
        }
    }
}

impl SignalFunction for BrokenFunction {
    fn value(&self, time: f64, _: &[f64]) -> f64 {
        self.jet(time).value
    }
    fn jet(&self, time: f64) -> Jet {
        if time >= BREAKS {
            return NONE;
        }
        let one = Jet::new(1.0, 0.0, 0.0);
        self.0.as_ref().map_or(one, |motion| motion.at(time))
    }
}

#[derive(Debug)]
pub(crate) struct BrokenTrajectory(pub(crate) Arc<dyn Trajectory>);

impl Trajectory for BrokenTrajectory {
    fn joints(&self) -> usize {
        self.0.joints()
    }
    fn duration(&self) -> f64 {
        self.0.duration()
    }
    fn joint(&self, joint: usize, time: f64) -> Jet {
        if time >= BREAKS {
            return NONE;
        }
        self.0.joint(joint, time)
    }
    fn jerk(&self, joint: usize, time: f64) -> f64 {
        self.0.jerk(joint, time)
    }
    fn corners(&self) -> Vec<f64> {
        self.0.corners()
    }
}

#[derive(Debug)]
pub(crate) struct BrokenLaw {
    pub(crate) inner: Arc<dyn SampledLaw>,
    pub(crate) breaks: f64,
}

impl SampledLaw for BrokenLaw {
    fn outputs(&self, time: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
        self.inner.outputs(time, inputs, states, outputs);
        if time >= self.breaks {
            outputs[0] = f64::NAN;
        }
    }
    fn advance(&self, time: f64, inputs: &[f64], outputs: &[f64], states: &mut [f64]) {
        self.inner.advance(time, inputs, outputs, states);
    }
}

/// The faulty quantity of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Joint(usize),
    Coupler(usize),
    Beam(BeamIndex),
}

/// Where the numbers go that are none.
enum Wound {
    /// The equations of a joint or coupler.
    Rows(Vec<usize>),
    /// A position coordinate.
    Position(usize),
}

pub(crate) struct BrokenSystem {
    inner: Arc<dyn System>,
    wound: Wound,
}

impl BrokenSystem {
    /// The assembled model with itself before the system; `None` where the part gives nothing to its equations.
    pub(crate) fn breaks(
        mut assembled: Assembled,
        part: Part,
        formulation: Formulation,
    ) -> Option<Assembled> {
        let system = assembled.system.as_ref();
        let owned = |owner: RowOwner| -> Vec<usize> {
            let labels = system.rows().iter().enumerate();
            let mine = labels.filter(|(row, l)| l.owner == owner && assembled.active[*row]);
            mine.map(|(row, _)| row).collect()
        };
        let rows = match part {
            Part::Joint(j) => owned(RowOwner::Joint(JointIndex(j))),
            Part::Coupler(c) => owned(RowOwner::Coupler(CouplerIndex(c))),
            Part::Beam(_) => Vec::new(),
        };
        let wound = match part {
            _ if !rows.is_empty() => Wound::Rows(rows),
            Part::Joint(j) if formulation == Formulation::Tree => {
                // one that closes a loop has no coordinates of its own
                let owner = RowOwner::Joint(JointIndex(j));
                if system.rows().iter().any(|label| label.owner == owner) {
                    return None;
                }
                Wound::Position(Self::coordinate(&assembled, j)?)
            }
            Part::Beam(beam) => {
                let sizes = system.sizes();
                let behind = sizes.positions - sizes.velocities;
                Wound::Position(system.beam_columns(beam).start + behind)
            }
            Part::Joint(_) | Part::Coupler(_) => return None,
        };
        let inner = Arc::clone(&assembled.system);
        assembled.system = Arc::new(BrokenSystem { inner, wound });
        Some(assembled)
    }

    /// A position coordinate that moves a joint and no other of the tree, where coordinates are those of joints.
    fn coordinate(assembled: &Assembled, joint: usize) -> Option<usize> {
        let (system, state) = (assembled.system.as_ref(), &assembled.state);
        let mut ws = Workspace::new(system);
        let mut at = |q: &[f64]| {
            system.update(0.0, q, &state.v, &state.turns, &mut ws.kinematics);
            ws.kinematics.joints.clone()
        };
        let before = at(&state.q);
        let closes = |j: usize| {
            let mut owners = system.rows().iter().map(|label| label.owner);
            owners.any(|owner| owner == RowOwner::Joint(JointIndex(j)))
        };
        (0..state.q.len()).find(|k| {
            let mut q = state.q.clone();
            q[*k] += 1e-3;
            let after = at(&q);
            let moves = |j: usize| {
                let (after, before) = (&after[j].rel, &before[j].rel);
                (after.p - before.p).norm() + (after.R - before.R).norm() > 1e-6
            };
            let others = (0..after.len()).filter(|j| *j != joint && !closes(*j));
            moves(joint) && !others.into_iter().any(moves)
        })
    }
}

/// Delegates everything to the inner system except for the functions below.
macro_rules! inside {
    ($self:ident, $inner:expr; $($(#[$doc:meta])* fn $name:ident(&self $(, $arg:ident: $type:ty)*) $(-> $out:ty)?;)*) => {
        $(fn $name(&$self $(, $arg: $type)*) $(-> $out)? { $inner.$name($($arg),*) })*
    };
}

impl System for BrokenSystem {
    inside! { self, self.inner;
        fn model(&self) -> &Model;
        fn sizes(&self) -> Sizes;
        fn rows(&self) -> &[RowLabel];
        fn signals(&self) -> &SystemSignals;
        fn mass_pattern(&self) -> &SymmetricPattern;
        fn jacobian_pattern(&self) -> &RowPattern;
        fn armature_buffer(&self) -> usize;
        fn position_rates(&self, q: &[f64], v: &[f64], out: &mut [f64]);
        fn velocities(&self, q: &[f64], rates: &[f64], out: &mut [f64]);
        fn implicit_positions(&self, known: &[f64], v: &[f64], c: f64, q: &mut [f64]);
        fn weigh_displacements(&self, weights: &mut [f64]);
        fn retract(&self, q: &mut [f64], delta: &[f64]);
        fn normalize(&self, q: &mut [f64]);
        fn mass(&self, ws: &mut Workspace);
        fn forces(&self, ws: &mut Workspace) -> Result<(), NotFinite>;
        fn load(&self, ws: &mut Workspace) -> Result<(), NotFinite>;
        fn tangent_pattern(&self) -> &SymmetricPattern;
        fn tangent(&self, ws: &mut Workspace, multipliers: &[f64], k: f64, c: f64, out: &mut [f64]);
        fn full_tangent(&self, ws: &mut Workspace, multipliers: &[f64], factors: (f64, f64), out: &mut [f64], skew: Option<&mut [f64]>);
        fn generalize(&self, kinematics: &SystemKinematics, loads: &Loads, out: &mut [f64]);
        fn relative_columns(&self, joint: JointIndex) -> Vec<usize>;
        fn relative_row(&self, kinematics: &SystemKinematics, row: (&RowPattern, &mut [f64]), at: usize, joint: JointIndex, function: &PoseFunction) -> f64;
        fn body_columns(&self, body: usize) -> Vec<usize>;
        fn beam_columns(&self, beam: BeamIndex) -> std::ops::Range<usize>;
        fn body_acceleration(&self, kinematics: &SystemKinematics, rates: &[f64], body: usize) -> (Vec3<f64>, Vec3<f64>);
        fn reaction(&self, kinematics: &SystemKinematics, cause: Response<'_>, scratch: &mut Loads, joint: JointIndex) -> JointReaction;
        fn settle(&self, ws: &mut Workspace, rates: &[f64], multipliers: &[f64], normals: &[f64]);
        fn accelerates(&self) -> bool;
        fn accelerate(&self, ws: &mut Workspace, rates: &mut [f64], multipliers: &mut [f64]);
        fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]);
    }

    fn update(&self, time: f64, q: &[f64], v: &[f64], turns: &[f64], out: &mut SystemKinematics) {
        if let (Wound::Position(k), true) = (&self.wound, time >= BREAKS) {
            let mut q = q.to_vec();
            q[*k] = f64::NAN;
            return self.inner.update(time, &q, v, turns, out);
        }
        self.inner.update(time, q, v, turns, out);
    }

    fn constraints(&self, ws: &mut Workspace) {
        self.inner.constraints(ws);
        if let (Wound::Rows(rows), true) = (&self.wound, ws.kinematics.time >= BREAKS) {
            for row in rows {
                (ws.phi[*row], ws.rate[*row], ws.gamma[*row]) = (f64::NAN, f64::NAN, f64::NAN);
            }
        }
    }
}
