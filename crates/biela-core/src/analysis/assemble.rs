//! Assembly: consistent positions and velocities from a rough start, and what the equations leave free.
//!
//! 1. Bodies with a pose start there; the others follow along the joints, at the joints' starting coordinates.
//! 2. Newton's method closes the position equations, moving as little as the mass matrix measures (damped, bounded; where it stalls, with rows that
//!    give way, and again from slightly disturbed poses). Starting values that the user gave for joint coordinates are kept if they can
//!    be; if not, only those marked `keep` are. From farther off, bodies are first put together along the joints of a tree, at coordinates that chance
//!    changes more and more. A joint that was closed the wrong way round counts as open, unless its bodies were put so.
//! 3. Velocities go from body to body along the joints, at their starting rates; a rate that was left out is zero. Linear solves then make them consistent.
//! 4. The rank of the equations at the start and at two poses nearby tells redundant rows from a singular pose.

mod newton;
mod pins;
mod place;
mod rates;
mod soft;

pub(super) use newton::{Assembler, model_size};
pub(super) use pins::{Pins, Wanted};
pub use rates::FollowingRate;
pub(super) use rates::velocities;

use super::Formulation;
use crate::element::Origin;
use crate::math::Random;
use crate::model::Model;
use crate::system::{
    Absolute, Kinematics, Mobility, Rank, RowOwner, SingularPose, State, System, TreeSystem,
    Workspace, mobility, refresh_turns,
};

/// How a body was moved by assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The body.
    pub body: String,
    /// Distance that its mass centre moved, m; zero where it is rounding.
    pub distance: f64,
    /// Angle that it turned, rad; zero where it is rounding.
    pub angle: f64,
    /// Whether it was moved from a pose that the user gave; otherwise from where the joints at their starting coordinates put it.
    pub given: bool,
}

/// A model ready to move.
pub struct Assembled {
    /// The system.
    pub system: Box<dyn System>,
    /// The consistent start.
    pub state: State,
    /// What the equations leave free at the start.
    pub mobility: Mobility,
    /// Which rows take part in solving; the others are redundant.
    pub active: Vec<bool>,
    /// Rows that are dependent at the start but not nearby: a singular pose.
    pub singular_rows: usize,
    /// That pose, described.
    pub singular_pose: Option<SingularPose>,
    /// How bodies were moved from where they were written.
    pub changes: Vec<Change>,
    /// Joint coordinates that move at the start although no rate was given for them.
    pub following: Vec<FollowingRate>,
    /// What could not be kept as written, in words.
    pub notes: Vec<String>,
    /// Largest residual of the position equations.
    pub position_error: f64,
    /// Largest residual of the velocity equations.
    pub velocity_error: f64,
    /// Newton iterations.
    pub iterations: usize,
}

/// An element whose equations do not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenElement {
    /// "joint `pin`", "driver `motor`", …
    pub element: String,
    /// Where it was written.
    pub origin: Origin,
    /// How far it is off, in SI units; NaN where it is not defined.
    pub residual: f64,
}

impl std::fmt::Display for OpenElement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.element)?;
        if self.origin.0.is_some() {
            write!(f, " ({})", self.origin)?;
        }
        if self.residual.is_nan() {
            write!(f, " is not defined at this pose")
        } else {
            write!(f, " is off by {}", amount(self.residual))
        }
    }
}

/// Why a model cannot be assembled.
#[derive(Clone, Debug, PartialEq)]
pub enum AssembleError {
    /// The position equations have no solution near the start.
    Positions {
        /// The elements that stay open and by how much, the worst first.
        open: Vec<OpenElement>,
        /// Elements whose equations depend on others there: they may contradict each other.
        dependent: Vec<String>,
        /// Attempts made.
        attempts: usize,
    },
    /// The velocity equations contradict each other.
    Velocities {
        /// The elements that stay violated and by how much, the worst first.
        open: Vec<OpenElement>,
    },
    /// Something that must be kept cannot be.
    Kept {
        /// What.
        what: String,
        /// How far it is off.
        residual: f64,
    },
    /// A body does not resist every motion by an inertia of its own, which coordinates of every body need.
    NeedsTree {
        /// The body.
        body: String,
        /// Where it was written.
        origin: Origin,
    },
    /// A beam, which coordinates of joints know nothing of.
    NeedsAbsolute {
        /// The beam.
        beam: String,
        /// Where it was written.
        origin: Origin,
    },
    /// There is nothing to move.
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
                    "cannot assemble after {attempts} attempts: {}",
                    list(open)
                )?;
                if !dependent.is_empty() {
                    write!(
                        f,
                        "; these equations contradict others: {}",
                        dependent.join("; ")
                    )?;
                }
                write!(
                    f,
                    ". Check lengths and points of these joints, and the starting pose"
                )
            }
            AssembleError::Velocities { open } => write!(
                f,
                "the velocity equations contradict each other: {}. Check the drivers and the starting rates",
                list(open)
            ),
            AssembleError::Kept { what, residual } => write!(
                f,
                "cannot keep {what} (off by {}); leave out `keep`, or keep less",
                amount(*residual)
            ),
            AssembleError::NeedsTree { body, origin } => {
                write!(f, "body `{body}`")?;
                if origin.0.is_some() {
                    write!(f, " ({origin})")?;
                }
                write!(
                    f,
                    " has no inertia of its own against some motion, so that absolute coordinates cannot tell how it accelerates. Use the formulation `tree`, or give the body a mass and an inertia"
                )
            }
            AssembleError::NeedsAbsolute { beam, origin } => {
                write!(f, "beam `{beam}`")?;
                if origin.0.is_some() {
                    write!(f, " ({origin})")?;
                }
                write!(
                    f,
                    " is flexible, and joint coordinates are for rigid bodies. Use the formulation `absolute`, or give the beam `rigid = true`"
                )
            }
            AssembleError::Empty => write!(f, "the model has no bodies; there is nothing to move"),
        }
    }
}

impl std::error::Error for AssembleError {}

/// Values that a note names at most.
const MOST_NAMED: usize = 6;

/// The first of a list of texts, and how many more there are.
fn named(texts: &[String]) -> String {
    let first = texts[..texts.len().min(MOST_NAMED)].join(", ");
    match texts.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Attempts from the start and from poses near it.
const NEAR: usize = 5;
/// Further attempts, from bodies put together along joints; fewer for models with more velocities than [`SMALL`].
const FAR: usize = 100;
const SMALL: usize = 100;

/// A residual in SI units, as people write numbers.
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
    let mut kinematics = Kinematics::new(&model);
    let mut notes = place::place(&model, &mut kinematics);
    let mut turns = vec![0.0; model.num_turns()];
    place::start_turns(&model, &kinematics, &mut turns);
    kinematics.slide(&model, &turns);
    kinematics.update_joints(&model, &turns);
    refresh_turns(&model, &kinematics, &mut turns);
    kinematics.update_joints(&model, &turns);
    notes.extend(place::twisted_welds(&model, &kinematics));
    place::fix_coupler_offsets(&mut model, &kinematics);

    // positions and velocities are found in absolute coordinates, so that every formulation starts from the same ones
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

/// The consistent start in the coordinates of a formulation.
fn in_formulation(
    absolute: Absolute,
    state: State,
    formulation: Formulation,
) -> (Box<dyn System>, State) {
    match formulation {
        Formulation::Absolute => (Box::new(absolute), state),
        Formulation::Tree => {
            let mut kinematics = Kinematics::new(absolute.model());
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
                // what was closed to a tolerance is closed again, exactly where joints are coordinates
                let none = Pins::none(&system);
                let mut assembler = Assembler::new(&system, &none);
                let _ = assembler.close(&mut own, &none);
                assembler.match_velocities(&mut own, &none);
            }
            (Box::new(system), own)
        }
    }
}

/// Consistent positions: near the start with every given coordinate kept, then with those that must be; then from farther off.
fn positions(
    system: &dyn System,
    start: &State,
    notes: &mut Vec<String>,
) -> Result<(State, usize), AssembleError> {
    let given = Pins::positions(system, false);
    let kept = Pins::positions(system, true);
    let mut search = Search::new(system, start);
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
                    "the starting coordinates of the joints do not fit together; they were used as a rough start: {}",
                    named(&missed)
                ));
            }
        }
        return Ok((state, search.iterations));
    }
    if let Some((state, joint)) = search.reversed {
        notes.push(format!(
            "joint `{}` closes only with its axis the other way round: the frames of its two bodies point against each other",
            system.model().joints[joint].name
        ));
        return Ok((state, search.iterations));
    }
    // say what stays open from the undisturbed start
    let mut assembler = Assembler::new(system, &kept);
    let _ = assembler.close(&mut start.clone(), &kept);
    if let Some((what, residual)) = assembler.open_pin(&kept) {
        return Err(AssembleError::Kept { what, residual });
    }
    let (open, dependent) = assembler.open_rows();
    Err(AssembleError::Positions {
        open,
        dependent,
        attempts: search.attempts,
    })
}

/// Looks for a closed pose, from the start and farther and farther away from it.
struct Search<'s> {
    system: &'s dyn System,
    start: &'s State,
    /// Attempts made, and their iterations.
    attempts: usize,
    iterations: usize,
    /// The first pose found that closes all equations with a joint the wrong way round, and that joint.
    reversed: Option<(State, usize)>,
}

impl<'s> Search<'s> {
    fn new(system: &'s dyn System, start: &'s State) -> Self {
        Search {
            system,
            start,
            attempts: 0,
            iterations: 0,
            reversed: None,
        }
    }

    /// Closes the equations from the start, or from poses disturbed more and more.
    fn near(&mut self, pins: &Pins<'_>) -> Option<State> {
        let mut assembler = Assembler::new(self.system, pins);
        (0..NEAR).find_map(|attempt| {
            let state = disturbed(self.system, self.start, attempt);
            self.attempt(&mut assembler, state, pins)
        })
    }

    /// Closes the equations from bodies put together along the joints, shaken more and more.
    fn far(&mut self, pins: &Pins<'_>) -> Option<State> {
        let (system, model) = (self.system, self.system.model());
        let sizes = system.sizes();
        if model.joints.is_empty() {
            return None;
        }
        let mut assembler = Assembler::new(system, pins);
        let mut random = Random::new(7);
        let mut kinematics = Kinematics::new(model);
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

/// The start itself, then poses disturbed more and more.
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

/// Tells rows that are always dependent from rows that are so only at the start, by looking at two poses nearby.
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
        // drivers hold the pose; without them the mechanism can move a little
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
