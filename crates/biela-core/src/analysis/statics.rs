//! Static equilibrium: configurations at rest in which constraint forces balance all applied forces.
//!
//! ```text
//! f(t₀, q, 0) = Gᵀ λ        Φ(q, t₀) = 0        v = 0
//! ```
//!
//! From the initial configuration the search [descends](descend) to where a slow, damped motion would settle. If that fails, and from further start points,
//! it searches for [any equilibrium nearby](root), stable or not. Further start points lie at the end of paths along the constraints, in random free
//! directions from the initial configuration; an equilibrium may be near the point of the path with the smallest unbalanced forces. If loads deform a beam
//! strongly, they are [applied in steps](load), each starting from the equilibrium of the previous one. Damping, friction and velocity-dependent forces do
//! not act at rest; time stays at t₀. Contacts, stops and ropes [hold bodies](supports), with the friction of contacts at rest.

mod descend;
mod inertia;
mod load;
mod rest;
mod root;
mod stability;
mod stiff;
mod supports;

use std::ops::ControlFlow;

use super::assemble::{amount, velocities};
use super::{AssembleError, Assembled, Observer};
use crate::forces::CoulombFriction;
use crate::math::Random;
use crate::math::rotation::dot;
use crate::model::{EnergyQuantity, Signal};
use crate::system::{BodyMotion, Instant, Loads, NotFinite, Response, State, Workspace, mobility};
use rest::Rest;
use supports::Supported;
pub use supports::{SupportForce, Supports};

/// Largest unbalanced force at an equilibrium, relative to all forces there, unless the study gives another value.
pub const BALANCED: f64 = 1e-10;

/// Permitted values of this tolerance: rounding error below, no equilibrium above.
pub const BALANCES: std::ops::RangeInclusive<f64> = 1e-14..=1e-3;
/// A larger unbalanced force than this is no equilibrium.
const DOUBTFUL: f64 = 1e-6;
/// Rounding error of the unbalanced force.
const ROUNDING: f64 = 1e-14;
/// Shortest step, in the same measure as the longest; a shorter one makes no progress.
const SHORTEST: f64 = 1e-13;
/// Longest step, in radians and, relative to the size of the model, in metres.
const LONGEST: f64 = 0.5;
/// Degrees of freedom of the largest model whose stiffness is analysed as a dense matrix.
const DENSE: usize = 400;

/// The stability of an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Restoring forces act in all directions.
    Stable,
    /// In some directions there is neither a restoring nor a destabilising force; in the others there are restoring forces.
    Marginal,
    /// There is a direction in which the system diverges.
    Unstable,
    /// The model has many degrees of freedom, and forces whose stiffness is not known exactly.
    Unknown,
}

impl Stability {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::Marginal => "marginal",
            Stability::Unstable => "unstable",
            Stability::Unknown => "not examined",
        }
    }
}

/// An equilibrium: a state at rest in which all forces are balanced.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Equilibrium {
    /// The positions; velocities are zero.
    pub state: State,
    /// The start point from which it was first reached; 0 is the initial configuration.
    pub start: usize,
    /// Gravitational and elastic energy, J.
    pub potential: f64,
    /// Unbalanced force, relative to all forces there or in the initial configuration, whichever are larger.
    pub residual: f64,
    /// Its stability.
    pub stability: Stability,
    /// Smallest eigenvalue ω² of the stiffness on the free directions in the metric of the mass matrix, (rad/s)²; `None` without
    /// degrees of freedom.
    pub smallest: Option<f64>,
    /// Number of free directions without restoring or destabilising force.
    pub neutral: usize,
    /// Whether the stiffness is not symmetric: follower forces, laws that read the motion, rolling.
    pub asymmetric: bool,
    /// The fraction of weight and loads that acts.
    pub load: f64,
    /// Whether there are more degrees of freedom than at the start: a singular configuration, such as a flat parallelogram.
    pub singular: bool,
    /// The joint coordinate with the largest component in the direction of the smallest eigenvalue, as `joint.coordinate`; the body if no joint
    /// moves.
    pub mover: Option<String>,
    /// The forces of closed contacts, stops and ropes; `None` for a model without them.
    pub supports: Option<Supports>,
}

/// The reason why no equilibrium was found.
#[derive(Clone, PartialEq)]
pub enum StaticsError {
    /// Forces remain unbalanced.
    NoEquilibrium {
        /// The body that diverged: still accelerating, and far from its initial pose.
        body: String,
        /// Acceleration of its mass centre, m/s².
        linear: f64,
        /// Its angular acceleration, rad/s².
        angular: f64,
        /// Unbalanced force, relative to all forces there.
        residual: f64,
        /// Start points tried.
        start_points: usize,
        /// The fraction of weight and loads that acts.
        load: f64,
        /// Whether friction was ignored.
        rubs: bool,
        /// Number of load steps; zero if the loads acted at once.
        load_steps: usize,
        /// The permitted unbalanced force.
        tolerance: f64,
    },
    /// A force is NaN or infinite.
    NotFinite(NotFinite),
    /// The initial velocities are inconsistent with the equilibrium.
    Velocities(AssembleError),
}

impl From<NotFinite> for StaticsError {
    fn from(error: NotFinite) -> Self {
        StaticsError::NotFinite(error)
    }
}

impl std::fmt::Display for StaticsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StaticsError::NotFinite(error) => error.fmt(f),
            StaticsError::Velocities(error) => write!(f, "at the equilibrium, {error}"),
            StaticsError::NoEquilibrium {
                body,
                linear,
                angular,
                residual,
                start_points,
                load,
                rubs,
                load_steps,
                tolerance,
            } => {
                let from = match start_points {
                    1 => "the start".to_owned(),
                    n => format!("{n} start points"),
                };
                let under = if *load < 1.0 {
                    format!(" under {} % of the loads", amount(100.0 * load))
                } else {
                    String::new()
                };
                // a value at rounding level is not reported
                let parts = [(*linear, *angular, "m/s^2"), (*angular, *linear, "rad/s^2")];
                let worth = parts.iter().filter(|(x, other, _)| *x > 1e-9 * other);
                let parts: Vec<String> = worth
                    .map(|(x, _, unit)| format!("{} {unit}", amount(*x)))
                    .collect();
                write!(
                    f,
                    "no equilibrium was found from {from}{under}: body `{body}` accelerates by {}, and {} % of all forces are unbalanced. ",
                    parts.join(" and "),
                    amount(100.0 * residual)
                )?;
                if *residual <= DOUBTFUL {
                    write!(
                        f,
                        "This exceeds the `tolerance` of the study, {tolerance:e}: increase it"
                    )?;
                } else if *load_steps > 0 {
                    write!(
                        f,
                        "Hold the body by a joint, a spring or a driver, or apply the loads in more `load_steps`"
                    )?;
                } else {
                    write!(
                        f,
                        "Hold the body by a joint, a spring or a driver, or start closer to the equilibrium (more `start_points` search a larger region)"
                    )?;
                }
                if *rubs {
                    write!(f, ". Friction does not hold a body at rest")?;
                }
                Ok(())
            }
        }
    }
}

crate::readable_errors!(StaticsError);

/// The search for equilibria of an assembled model.
pub struct Statics<'a> {
    rest: Rest<'a>,
    start: State,
    /// Degrees of freedom where the model is not singular.
    freedom: usize,
    /// Norm of all forces in the initial configuration.
    forces: f64,
    /// Number of load steps; zero if the loads act at once.
    load_steps: usize,
    /// The system with its unilateral constraints, if it has gaps.
    supported: Option<Supported>,
}

/// An equilibrium, with the data that distinguish it from others.
struct FoundEquilibrium {
    equilibrium: Equilibrium,
    eigenvalues: Vec<f64>,
    bodies: Vec<BodyMotion>,
    /// Bodies that move in a neutral direction.
    drifting: Vec<bool>,
    /// Sum of the magnitudes of all energies.
    energies: f64,
}

impl<'a> Statics<'a> {
    /// Prepares the search from the assembled start.
    pub fn new(assembled: &'a Assembled) -> Self {
        let mut start = assembled.state.clone();
        start.v.fill(0.0);
        Statics {
            rest: Rest::new(assembled.system.as_ref(), &assembled.active, &start),
            start,
            freedom: assembled
                .mobility
                .freedom
                .saturating_sub(assembled.singular_rows),
            forces: 0.0,
            load_steps: 0,
            supported: Supported::of(&assembled.system, &assembled.active),
        }
    }

    /// Sets the permitted unbalanced force relative to all forces, instead of [`BALANCED`].
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.rest.tolerance = tolerance;
        self
    }

    /// Returns the equilibrium reached from the initial configuration.
    pub fn settle(&mut self) -> Result<Equilibrium, StaticsError> {
        Ok(self.reach_from_start()?.equilibrium)
    }

    /// Returns the equilibria requested by a statics study.
    pub fn solve(
        &mut self,
        start_points: usize,
        load_steps: usize,
    ) -> Result<Vec<Equilibrium>, StaticsError> {
        let (found, failed) = self.solve_partly(start_points, load_steps);
        failed.map_or(Ok(found), Err)
    }

    /// The same, with the equilibria found before the search failed.
    pub fn solve_partly(
        &mut self,
        start_points: usize,
        load_steps: usize,
    ) -> (Vec<Equilibrium>, Option<StaticsError>) {
        if load_steps > 0 {
            let mut found = Vec::with_capacity(load_steps);
            let failed = self.load_into(load_steps, &mut found).err();
            return (found, failed);
        }
        match self.search(start_points) {
            Ok(found) => (found, None),
            Err(error) => (Vec::new(), Some(error)),
        }
    }

    /// Returns the distinct equilibria reached from the initial configuration and from `start_points − 1` further points, that of the initial configuration
    /// first.
    pub fn search(&mut self, start_points: usize) -> Result<Vec<Equilibrium>, StaticsError> {
        let mut found = Vec::new();
        let mut failed = None;
        match self.reach_from_start() {
            Ok(first) => found.push(first),
            Err(error) => failed = Some(error),
        }
        // further start points may be within the surfaces
        let free = self.rest.freedom() > 0 && self.supported.is_none();
        for k in (1..start_points).take_while(|_| free) {
            let walk = self.walk(k)?;
            let last = walk.len() - 1;
            // descent from the end; search for any equilibrium from the point of the path with the smallest unbalanced forces
            let least = |i: &usize| {
                let before = walk[i - 1].1;
                let after = walk.get(i + 1).map_or(f64::INFINITY, |next| next.1);
                walk[*i].1 <= before.min(after)
            };
            let nearby = (1..=last).filter(least).map(|i| (i, Way::Nearest));
            for (i, way) in std::iter::once((last, Way::Down)).chain(nearby) {
                let Some(new) = self.arrive(way, walk[i].0.clone(), k)? else {
                    continue;
                };
                if !found.iter().any(|known| self.is_same(known, &new)) {
                    found.push(new);
                }
            }
        }
        match failed {
            Some(error) if found.is_empty() => Err(error.after(start_points)),
            _ => Ok(found.into_iter().map(|found| found.equilibrium).collect()),
        }
    }

    /// Passes an equilibrium to an observer, as a sample at the start time.
    pub fn show(
        &mut self,
        equilibrium: &Equilibrium,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, StaticsError> {
        if let Some(supported) = self
            .supported
            .as_ref()
            .filter(|_| equilibrium.supports.is_some())
        {
            return supported.show(equilibrium, observer);
        }
        self.rest.set_load(equilibrium.load);
        self.rest.evaluate_by_mass(&equilibrium.state)?;
        Ok(self.present(observer))
    }

    /// Passes the evaluated state to an observer.
    fn present(&mut self, observer: &mut dyn Observer) -> ControlFlow<()> {
        let rest = &mut self.rest;
        let context = rest.context();
        let frictions = context
            .model
            .forces
            .iter()
            .filter_map(|f| f.force.friction());
        let mut scratch = Loads::new(context.model);
        let pressing = |friction: &CoulombFriction| {
            let cause = Response {
                loads: &rest.ws.loads,
                rates: &rest.rates,
                multipliers: &rest.multipliers,
                moving: true,
            };
            let system = rest.system;
            let k = &rest.ws.kinematics;
            let reaction = system.reaction(k, cause, &mut scratch, friction.joint());
            CoulombFriction::normal(&reaction.0)
        };
        let normals: Vec<f64> = frictions.map(pressing).collect();
        // nothing moves, so all powers are zero
        let powers = vec![0.0; rest.system.sizes().works];
        let start_energy = context.signal(Signal::Energy(EnergyQuantity::Total));
        rest.system
            .settle(&mut rest.ws, &rest.rates, &rest.multipliers, &normals);
        let instant = Instant {
            system: rest.system,
            workspace: &rest.ws,
            rates: &rest.rates,
            multipliers: &rest.multipliers,
            normals: &normals,
            power: &powers,
            work: &powers,
            step: 0.0,
            start_energy,
            row: &[],
        };
        observer.sample(&instant)
    }

    fn reach_from_start(&mut self) -> Result<FoundEquilibrium, StaticsError> {
        if let Some(supported) = &self.supported {
            return supported.reach(&self.start);
        }
        let mut state = self.start.clone();
        self.rest.evaluate(&state)?;
        self.forces = self.rest.force_scale();
        if !descend::descend(&mut self.rest, &mut state)? {
            let failed = self.no_equilibrium(&state)?;
            state.clone_from(&self.start);
            let brought_on = self.bends() && self.bring_on(&mut state, (0.0, 1.0))?;
            if !brought_on {
                self.rest.set_load(1.0);
                state.clone_from(&self.start);
                if !find_root(&mut self.rest, &mut state)? {
                    return Err(failed);
                }
            }
        }
        self.describe(state, 0)
    }

    /// Returns the path to start point `k`, along the constraints and as straight as they permit, of up to half a turn: states and their
    /// unbalanced forces.
    fn walk(&mut self, k: usize) -> Result<Vec<(State, f64)>, StaticsError> {
        let rest = &mut self.rest;
        let mut random = Random::new(1000 + k as u64);
        rest.evaluate(&self.start)?;
        let mut visited = vec![(self.start.clone(), rest.imbalance())];
        let mut state = self.start.clone();
        let mut force = vec![0.0; state.v.len()];
        let mut motion = force.clone();
        rest.random_force(&mut random, &mut force);
        let length = random.between(0.0, std::f64::consts::PI);
        let steps = (length / STRIDE).ceil();
        for _ in 0..steps as usize {
            rest.project(&force, &mut motion);
            let scale = length / steps / rest.reach(&state, &motion);
            if !scale.is_finite() {
                break;
            }
            for x in &mut motion {
                *x *= scale;
            }
            if !rest.step(&mut state, &motion) || rest.evaluate(&state).is_err() {
                break;
            }
            visited.push((state.clone(), rest.imbalance()));
            rest.weigh(&motion, &mut force);
        }
        Ok(visited)
    }

    /// Returns the equilibrium to which an algorithm converges, if it does.
    fn arrive(
        &mut self,
        way: Way,
        mut state: State,
        start: usize,
    ) -> Result<Option<FoundEquilibrium>, StaticsError> {
        // an unbalanced force that is small relative to the forces on the path need not be small relative to those at its end: continue from there
        for _ in 0..2 {
            let arrived = match way {
                Way::Down => descend::descend(&mut self.rest, &mut state),
                Way::Nearest => find_root(&mut self.rest, &mut state),
            };
            // a start at which forces are undefined leads to no equilibrium
            if arrived != Ok(true) {
                break;
            }
            let found = self.describe(state.clone(), start)?;
            if found.equilibrium.residual <= DOUBTFUL {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the data of an equilibrium.
    fn describe(&mut self, state: State, start: usize) -> Result<FoundEquilibrium, StaticsError> {
        let rest = &mut self.rest;
        rest.evaluate(&state)?;
        let forces = rest.force_scale().max(self.forces);
        let residual = rest.imbalance() / forces.max(f64::MIN_POSITIVE);
        rest.evaluate_by_mass(&state)?;
        let stiffness = stability::examine(rest, &state)?;
        let mut drifting = vec![false; rest.system.model().bodies.len()];
        for motion in &stiffness.neutral {
            let reach = rest.reach(&state, motion);
            let size = rest.size;
            let context = rest.move_by(&state, motion);
            for (drifts, body) in drifting.iter_mut().zip(&context.kinematics.bodies) {
                *drifts |= body.w.norm().max(body.v.norm() / size) > ALIKE * reach;
            }
        }
        let (size, context) = (rest.size, rest.context());
        let model = context.model;
        let weights = model.bodies.iter().map(|b| b.mass.mass);
        let heights = weights.sum::<f64>() * model.gravity.norm() * size;
        let springs = model
            .forces
            .iter()
            .map(|f| f.force.potential(&context).abs());
        // of beams, too
        let elastic = (context.signal(Signal::Energy(EnergyQuantity::Elastic))).abs();
        Ok(FoundEquilibrium {
            energies: heights + springs.sum::<f64>() + elastic,
            bodies: context.kinematics.bodies.clone(),
            drifting,
            equilibrium: Equilibrium {
                start,
                potential: context.signal(Signal::Energy(EnergyQuantity::Potential)),
                residual,
                stability: stiffness.stability,
                smallest: stiffness.eigenvalues.first().copied(),
                neutral: stiffness.num_neutral,
                asymmetric: stiffness.asymmetric,
                load: rest.load(),
                singular: rest.freedom() > self.freedom,
                mover: stiffness.mover,
                supports: None,
                state,
            },
            eigenvalues: stiffness.eigenvalues,
        })
    }

    /// Whether two equilibria are the same up to full turns, or members of a continuous family of equal energy.
    fn is_same(&self, a: &FoundEquilibrium, b: &FoundEquilibrium) -> bool {
        let (one, other) = (&a.equilibrium, &b.equilibrium);
        let energies = ALIKE * (a.energies + b.energies);
        if (one.potential - other.potential).abs() > energies || one.neutral != other.neutral {
            return false;
        }
        let stiffest = |found: &FoundEquilibrium| {
            found
                .eigenvalues
                .iter()
                .fold(0.0, |m: f64, x| m.max(x.abs()))
        };
        let slack = 1e-3 * stiffest(a).max(stiffest(b));
        let mut pairs = a.eigenvalues.iter().zip(&b.eigenvalues);
        if !pairs.all(|(x, y)| (x - y).abs() <= slack) {
            return false;
        }
        (0..a.bodies.len()).all(|k| {
            let (x, y) = (&a.bodies[k], &b.bodies[k]);
            let near = (x.r - y.r).norm() <= ALIKE * self.rest.size && (x.R - y.R).norm() <= ALIKE;
            near || (a.drifting[k] && b.drifting[k])
        })
    }

    /// Returns the error at the state where the search was terminated.
    fn no_equilibrium(&mut self, state: &State) -> Result<StaticsError, NotFinite> {
        let residual = self.rest.imbalance() / self.rest.force_scale();
        let start = &self.start;
        let still = vec![0.0; start.v.len()];
        let before = self.rest.move_by(start, &still).kinematics.bodies.clone();
        self.rest.evaluate_by_mass(state)?;
        let (system, context) = (self.rest.system, self.rest.context());
        let mut worst = (0.0, 0, 0.0, 0.0);
        for (b, body) in context.model.bodies.iter().enumerate() {
            let (a, alpha) = system.body_acceleration(context.kinematics, &self.rest.rates, b);
            // the trace bounds the rotational part for any axes
            let turning = body.mass.inertia.trace() * dot(&alpha, &alpha);
            let share = body.mass.mass * dot(&a, &a) + turning;
            // the body that diverges, not those that it keeps from settling
            let (old, new) = (&before[b], &context.kinematics.bodies[b]);
            let way = (new.r - old.r).norm() / self.rest.size
                + (new.R - old.R).norm()
                + (new.angle - old.angle).abs();
            let share = share * (way * way + f64::EPSILON);
            if share >= worst.0 {
                worst = (share, b, a.norm(), alpha.norm());
            }
        }
        let (_, body, linear, angular) = worst;
        let mut forces = context.model.forces.iter();
        Ok(StaticsError::NoEquilibrium {
            body: context.model.bodies[body].name.clone(),
            linear,
            angular,
            residual,
            start_points: 1,
            load: self.rest.load(),
            rubs: forces.any(|f| f.force.friction().is_some()),
            load_steps: self.load_steps,
            tolerance: self.rest.tolerance,
        })
    }
}

/// The algorithm applied from a start point.
#[derive(Clone, Copy)]
enum Way {
    Down,
    Nearest,
}

/// Step of the path to a start point.
const STRIDE: f64 = 0.1;
/// Tolerance for the poses of equal equilibria, in radians and relative to the size of the model.
const ALIKE: f64 = 1e-5;

/// Searches for any equilibrium, if the model is small enough.
fn find_root(rest: &mut Rest<'_>, state: &mut State) -> Result<bool, NotFinite> {
    rest.evaluate(state)?;
    if rest.freedom() > DENSE {
        return Ok(false);
    }
    root::find_root(rest, state)
}

impl StaticsError {
    /// The same error after a search from several start points.
    fn after(mut self, tried: usize) -> Self {
        if let StaticsError::NoEquilibrium { start_points, .. } = &mut self {
            *start_points = tried.max(1);
        }
        self
    }
}

impl Assembled {
    /// Moves the start to the equilibrium reached from it. The given initial velocities are kept and made consistent there.
    pub fn settle(&mut self) -> Result<Equilibrium, StaticsError> {
        let equilibrium = Statics::new(self).settle()?;
        self.state.q.copy_from_slice(&equilibrium.state.q);
        self.state.turns.copy_from_slice(&equilibrium.state.turns);
        let system = self.system.as_ref();
        velocities(system, &mut self.state, &mut self.notes).map_err(StaticsError::Velocities)?;
        let mut ws = Workspace::new(system);
        self.mobility = mobility(system, &self.state, &mut ws);
        let left_out = self.active.iter().filter(|active| !**active).count();
        self.singular_rows = self.mobility.dependent.len().saturating_sub(left_out);
        Ok(equilibrium)
    }
}
