//! Assembly: consistent initial positions and velocities from approximate ones, and the degrees of freedom.
//!
//! 1. Bodies with a pose start there; the others are placed along the joints, at the joints' initial coordinates.
//! 2. Newton's method solves the position constraints with the smallest change in the metric of the mass matrix (damped, with bounded steps; if it stalls,
//!    with soft constraints, and again from slightly perturbed poses). Initial values that the user gave for joint coordinates are kept if possible; if not,
//!    only those marked `keep`. If this fails, bodies are first placed along the joints of a tree, at coordinates with random perturbations of increasing
//!    size. A joint that is closed in the reversed configuration counts as open, unless its bodies were given so.
//! 3. Velocities are propagated from body to body along the joints, at their initial joint velocities; an omitted one is zero. Linear solves then make them
//!    consistent.
//! 4. The rank of the constraint Jacobian at the start and at two nearby configurations distinguishes redundant rows from a singular configuration.

mod newton;
mod pins;
mod place;
mod rates;
mod separate;
mod soft;

use newton::longest_move;
pub(super) use newton::{Assembler, model_size};
pub(super) use pins::{Pins, Wanted};
pub use rates::FollowingRate;
pub(super) use rates::velocities;
pub use separate::{GapMeaning, InitialGap};

use std::sync::Arc;

use super::Formulation;
use crate::element::Origin;
use crate::math::Random;
use crate::model::{Faults, Model};
use crate::system::{
    Absolute, Mobility, Rank, RowOwner, SingularPose, State, System, SystemKinematics, TreeSystem,
    Workspace, mobility, refresh_turns,
};

/// The displacement of a body by assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblyDisplacement {
    /// The body.
    pub body: String,
    /// Displacement of its mass centre, m; zero if it is rounding error.
    pub distance: f64,
    /// Rotation angle, rad; zero if it is rounding error.
    pub angle: f64,
    /// Whether its initial pose was given by the user; otherwise it was placed by the joints at their initial coordinates.
    pub given: bool,
}

/// An assembled model.
#[non_exhaustive]
pub struct Assembled {
    /// The system.
    pub system: Arc<dyn System>,
    /// The consistent initial state.
    pub state: State,
    /// The mobility at the start.
    pub mobility: Mobility,
    /// Which rows are active; the others are redundant.
    pub active: Vec<bool>,
    /// Number of rows that are dependent at the start but not nearby: a singular configuration.
    pub singular_rows: usize,
    /// The description of that configuration.
    pub singular_pose: Option<SingularPose>,
    /// Displacements of bodies from their given poses.
    pub changes: Vec<AssemblyDisplacement>,
    /// Joint coordinates with a nonzero initial velocity that was not given.
    pub following: Vec<FollowingRate>,
    /// Notes on given values that could not be kept.
    pub notes: Vec<String>,
    /// Largest residual of the position constraints.
    pub position_error: f64,
    /// Largest residual of the velocity constraints.
    pub velocity_error: f64,
    /// Newton iterations.
    pub iterations: usize,
}

/// An element whose constraints are not satisfied.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenElement {
    /// "joint `pin`", "driver `motor`", …
    pub element: String,
    /// Its source location.
    pub origin: Origin,
    /// Its residual, in SI units; NaN if it is undefined.
    pub residual: f64,
}

impl std::fmt::Display for OpenElement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.element)?;
        if self.origin.0.is_some() {
            write!(f, " ({})", self.origin)?;
        }
        if self.residual.is_nan() {
            write!(f, " is undefined at this pose (residual NaN)")
        } else {
            write!(f, " has a residual of {}", amount(self.residual))
        }
    }
}

/// The reason why a model cannot be assembled.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum AssembleError {
    /// The position constraints have no solution near the start.
    Positions {
        /// The elements with residuals, the largest first.
        open: Vec<OpenElement>,
        /// Elements whose rows are dependent there: their constraints may be contradictory.
        dependent: Vec<String>,
        /// Attempts made.
        attempts: usize,
    },
    /// The velocity constraints are contradictory.
    Velocities {
        /// The elements with residuals, the largest first.
        open: Vec<OpenElement>,
    },
    /// Initial penetrations cannot be resolved.
    Penetrations {
        /// The elements that still penetrate.
        open: Vec<OpenElement>,
    },
    /// A value marked `keep` cannot be kept.
    Kept {
        /// The value.
        what: String,
        /// Its residual.
        residual: f64,
        /// The unit of the residual.
        unit: &'static str,
    },
    /// A body has a motion without inertia of its own, which absolute coordinates do not permit.
    NeedsTree {
        /// The body.
        body: String,
        /// Its source location.
        origin: Origin,
    },
    /// A beam, which joint coordinates do not support.
    NeedsAbsolute {
        /// The beam.
        beam: String,
        /// Its source location.
        origin: Origin,
    },
    /// The model has mistakes.
    Invalid(Faults),
    /// The model has no moving bodies.
    Empty,
}

impl std::fmt::Display for AssembleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |open: &[OpenElement]| {
            let items: Vec<String> = open.iter().map(ToString::to_string).collect();
            items.join(", ")
        };
        match self {
            AssembleError::Positions {
                open,
                dependent,
                attempts,
            } => {
                write!(
                    f,
                    "cannot assemble after {attempts} attempts: {} (m or rad)",
                    list(open)
                )?;
                if !dependent.is_empty() {
                    write!(f, "; inconsistent constraints: {}", dependent.join("; "))?;
                }
                write!(
                    f,
                    ". Check the lengths and points of these joints, and the initial pose"
                )
            }
            AssembleError::Velocities { open } => write!(
                f,
                "the velocity constraints are inconsistent: {} (m/s or rad/s). Check the drivers and the initial velocities",
                list(open)
            ),
            AssembleError::Penetrations { open } => write!(
                f,
                "the initial penetrations cannot be resolved with the joints closed: {}. Correct the initial poses, or the surfaces",
                list(open)
            ),
            AssembleError::Kept {
                what,
                residual,
                unit,
            } => write!(
                f,
                "cannot keep {what} (residual {} {unit}): it is inconsistent with the joints. Remove its `keep`, or that of other values",
                amount(*residual)
            ),
            AssembleError::NeedsTree { body, origin } => {
                write!(f, "body `{body}`")?;
                if origin.0.is_some() {
                    write!(f, " ({origin})")?;
                }
                write!(
                    f,
                    " has a singular mass matrix, which absolute coordinates do not permit. Use the formulation `tree`, or give the body a mass and an inertia"
                )
            }
            AssembleError::NeedsAbsolute { beam, origin } => {
                write!(f, "beam `{beam}`")?;
                if origin.0.is_some() {
                    write!(f, " ({origin})")?;
                }
                write!(
                    f,
                    " is flexible; joint coordinates support rigid bodies only. Use the formulation `absolute`, or set `rigid = true` for the beam"
                )
            }
            AssembleError::Invalid(faults) => faults.fmt(f),
            AssembleError::Empty => write!(f, "the model has no bodies: add at least one"),
        }
    }
}

crate::readable_errors!(AssembleError);

/// Largest number of values that a note lists.
const MOST_NAMED: usize = 6;

/// Returns the first of a list of texts, and the number of the others.
fn named(texts: &[String]) -> String {
    let first = texts[..texts.len().min(MOST_NAMED)].join(", ");
    match texts.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Attempts from the start and from nearby poses.
const NEAR: usize = 5;
/// Further attempts, from bodies placed along joints; fewer for models with more velocities than [`SMALL`].
const FAR: usize = 100;
const SMALL: usize = 100;

/// Formats a residual in SI units.
pub(super) fn amount(x: f64) -> String {
    let size = x.abs();
    if (1e-3..1e4).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{x:.digits$}");
        let short = text.trim_end_matches('0').trim_end_matches('.');
        if text.contains('.') {
            short.to_owned()
        } else {
            text
        }
    } else {
        format!("{x:.3e}")
    }
}

/// Assembles a model.
pub fn assemble(mut model: Model, formulation: Formulation) -> Result<Assembled, AssembleError> {
    if model.bodies.is_empty() {
        return Err(AssembleError::Empty);
    }
    model.check().map_err(AssembleError::Invalid)?;
    if let (Formulation::Absolute, Some(body)) = (formulation, model.body_without_inertia()) {
        let body = &model.bodies[body.0];
        return Err(AssembleError::NeedsTree {
            body: body.name.clone(),
            origin: body.origin.clone(),
        });
    }
    if let (Formulation::Tree, Some(beam)) = (formulation, model.beams.first()) {
        return Err(AssembleError::NeedsAbsolute {
            beam: beam.name.clone(),
            origin: beam.origin.clone(),
        });
    }
    let mut kinematics = SystemKinematics::new(&model);
    let mut notes = place::place(&model, &mut kinematics);
    let mut turns = vec![0.0; model.num_turns()];
    place::start_turns(&model, &kinematics, &mut turns);
    kinematics.slide(&model, &turns);
    kinematics.update_joints(&model, &turns);
    refresh_turns(&model, &kinematics, &mut turns);
    kinematics.update_joints(&model, &turns);
    notes.extend(place::twisted_welds(&model, &kinematics));
    place::fix_coupler_offsets(&mut model, &kinematics);

    // positions and velocities are computed in absolute coordinates, so that every formulation starts from the same ones
    let absolute = Absolute::new(model);
    let mut start = State::new(absolute.sizes());
    absolute.coordinates(&kinematics, &mut start.q, &mut start.v);
    start.turns.copy_from_slice(&turns);
    let (mut state, iterations) = positions(&absolute, &start, &mut notes)?;
    velocities(&absolute, &mut state, &mut notes)?;
    let (system, mut state) = in_formulation(absolute, state, formulation);
    state.memory = crate::model::initial_memory(system.model());
    let system_ref = system.as_ref();

    let mut ws = Workspace::new(system_ref);
    let here = mobility(system_ref, &state, &mut ws);
    let (active, singular_rows) = redundant_rows(system_ref, &state, &here, &mut ws);
    let singular_pose = (singular_rows > 0).then(|| {
        let mut rank = Rank::new(system_ref, |row| active[row]);
        let mut look = rank.blank();
        rank.look(system_ref, &mut ws, &state, None, &mut look);
        rank.describe(system_ref, &look)
    });
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut ws.kinematics,
    );
    system.constraints(&mut ws);
    let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    Ok(Assembled {
        changes: place::changes(system_ref, &kinematics, &ws.kinematics),
        following: rates::following(system_ref, &state),
        position_error: largest(&ws.phi),
        velocity_error: largest(&ws.rate),
        system,
        state,
        mobility: here,
        active,
        singular_rows,
        singular_pose,
        notes,
        iterations,
    })
}

/// Transforms the consistent initial state to the coordinates of a formulation.
fn in_formulation(
    absolute: Absolute,
    state: State,
    formulation: Formulation,
) -> (Arc<dyn System>, State) {
    match formulation {
        Formulation::Absolute => (Arc::new(absolute), state),
        Formulation::Tree => {
            let mut kinematics = SystemKinematics::new(absolute.model());
            absolute.update(
                state.time,
                &state.q,
                &state.v,
                &state.turns,
                &mut kinematics,
            );
            let system = TreeSystem::new(absolute.into_model(), &kinematics);
            let mut own = State::new(system.sizes());
            own.time = state.time;
            system.coordinates(&kinematics, &mut own.q, &mut own.v);
            own.turns.copy_from_slice(&state.turns);
            if !system.rows().is_empty() {
                // constraints that were satisfied to a tolerance are solved again; exactly, where joints are coordinates
                let none = Pins::none(&system);
                let mut assembler = Assembler::new(&system, &none);
                let _ = assembler.close(&mut own, &none);
                assembler.match_velocities(&mut own, &none);
            }
            (Arc::new(system), own)
        }
    }
}

/// Computes consistent positions: near the start with every given coordinate kept, then only with those marked `keep`, then from more distant poses.
fn positions(
    system: &dyn System,
    start: &State,
    notes: &mut Vec<String>,
) -> Result<(State, usize), AssembleError> {
    let given = Pins::positions(system, false);
    let kept = Pins::positions(system, true);
    let mut search = AssemblySearch::new(system, start);
    if let Some(state) = search.near(&given) {
        return Ok((state, search.iterations));
    }
    let found = if kept.len() < given.len() {
        search.near(&kept)
    } else {
        None
    };
    if let Some(state) = found.or_else(|| search.far(&kept)) {
        if kept.len() < given.len() {
            let missed = Assembler::new(system, &given).missed(&state, &given, false);
            if !missed.is_empty() {
                notes.push(format!(
                    "the initial coordinates of the joints are inconsistent; they are used as an initial guess: {}",
                    named(&missed)
                ));
            }
        }
        return Ok((state, search.iterations));
    }
    if let Some((state, joint)) = search.reversed {
        notes.push(format!(
            "joint `{}` closes only with its axis reversed: the axes of its two frames are antiparallel. Reverse one of them",
            system.model().joints[joint].name
        ));
        return Ok((state, search.iterations));
    }
    // report the residuals from the unperturbed start
    let mut assembler = Assembler::new(system, &kept);
    let _ = assembler.close(&mut start.clone(), &kept);
    if let Some(error) = assembler.open_pin(&kept) {
        return Err(error);
    }
    let (open, dependent) = assembler.open_rows();
    Err(AssembleError::Positions {
        open,
        dependent,
        attempts: search.attempts,
    })
}

/// The search for a closed configuration, from the start and increasingly distant poses.
struct AssemblySearch<'s> {
    system: &'s dyn System,
    start: &'s State,
    /// Number of attempts, and their iterations.
    attempts: usize,
    iterations: usize,
    /// The first configuration that satisfies all constraints with a reversed joint, and that joint.
    reversed: Option<(State, usize)>,
}

impl<'s> AssemblySearch<'s> {
    fn new(system: &'s dyn System, start: &'s State) -> Self {
        AssemblySearch {
            system,
            start,
            attempts: 0,
            iterations: 0,
            reversed: None,
        }
    }

    /// Solves the constraints from the start, or from increasingly perturbed poses.
    fn near(&mut self, pins: &Pins<'_>) -> Option<State> {
        let mut assembler = Assembler::new(self.system, pins);
        (0..NEAR).find_map(|attempt| {
            let state = disturbed(self.system, self.start, attempt);
            self.attempt(&mut assembler, state, pins)
        })
    }

    /// Solves the constraints from bodies placed along the joints, with increasing random perturbations.
    fn far(&mut self, pins: &Pins<'_>) -> Option<State> {
        let (system, model) = (self.system, self.system.model());
        let sizes = system.sizes();
        if model.joints.is_empty() {
            return None;
        }
        let mut assembler = Assembler::new(system, pins);
        let mut random = Random::new(7);
        let mut kinematics = SystemKinematics::new(model);
        let size = model_size(system);
        let attempts = (FAR * SMALL / sizes.velocities.max(SMALL)).max(NEAR);
        (0..attempts).find_map(|attempt| {
            let share = (0.1 * attempt as f64).min(1.0);
            let shake = place::Shake {
                share,
                length: share * size,
            };
            let mut state = self.start.clone();
            let State {
                time, q, v, turns, ..
            } = &mut state;
            system.update(*time, q, v, turns, &mut kinematics);
            place::put_together(model, &mut kinematics, &mut random, &shake);
            let mut speeds = v.clone();
            system.coordinates(&kinematics, q, &mut speeds);
            self.attempt(&mut assembler, state, pins)
        })
    }

    fn attempt(
        &mut self,
        assembler: &mut Assembler<'_>,
        mut state: State,
        pins: &Pins<'_>,
    ) -> Option<State> {
        self.attempts += 1;
        let begun = state.clone();
        let mut closed = assembler.close(&mut state, pins);
        if !closed {
            state = begun;
            closed = assembler.close_softly(&mut state, pins);
        }
        self.iterations += assembler.iterations();
        if !closed {
            return None;
        }
        match assembler.reversed(&state, self.start, pins) {
            Some(joint) => {
                let _ = self.reversed.get_or_insert((state, joint));
                None
            }
            None => Some(state),
        }
    }
}

/// Returns the start itself, then increasingly perturbed poses.
fn disturbed(system: &dyn System, start: &State, attempt: usize) -> State {
    let mut state = start.clone();
    if attempt > 0 {
        let mut random = Random::new(attempt as u64);
        let size = 0.1 * attempt as f64;
        let delta: Vec<f64> = state.v.iter().map(|_| random.symmetric(size)).collect();
        system.retract(&mut state.q, &delta);
    }
    state
}

/// Distinguishes rows that are always dependent from those that are dependent only at the start, by two nearby configurations.
fn redundant_rows(
    system: &dyn System,
    state: &State,
    here: &Mobility,
    ws: &mut Workspace,
) -> (Vec<bool>, usize) {
    let mut best = here.dependent.clone();
    if !best.is_empty() {
        let none = Pins::none(system);
        let mut assembler = Assembler::new(system, &none);
        // drivers fix the configuration; without them the mechanism can move slightly
        assembler.ignore(|label| matches!(label.owner, RowOwner::Driver(_)));
        for attempt in 1..=2 {
            let mut nearby = state.clone();
            let mut random = Random::new(40 + attempt);
            let delta: Vec<f64> = state.v.iter().map(|_| random.symmetric(0.05)).collect();
            system.retract(&mut nearby.q, &delta);
            if assembler.close(&mut nearby, &none) || assembler.close_softly(&mut nearby, &none) {
                let there = mobility(system, &nearby, ws);
                if there.dependent.len() < best.len() {
                    best = there.dependent;
                }
            }
        }
    }
    let mut active = vec![true; system.rows().len()];
    for row in &best {
        active[row.row] = false;
    }
    (active, here.dependent.len() - best.len())
}
