//! Unilateral constraints and set-valued friction: contacts, stops, ropes, backlash, dry joints, brakes.
//!
//! A **unilateral constraint** has a gap g(q, t) ≥ 0 and a normal force λₙ ≥ 0 that acts only at g = 0. **Set-valued friction** has a slip velocity γ_t and a
//! force λ_t within a bound, which opposes slip:
//!
//! ```text
//! 0 ≤ g ⟂ λₙ ≥ 0              |λ_t| ≤ μ_s λₙ if γ_t = 0 (stick)        λ_t = −μ λₙ γ_t/|γ_t| otherwise (slip)
//! ```
//!
//! (Signorini, Coulomb; see B. Brogliato, *Nonsmooth Mechanics*, 3rd ed., Springer 2016). The friction of a joint is the same law without a gap, its bound is
//! the torque or force of the element. A hard stop has a gap and no friction. Rolling and spinning resistance are the same law once more: the slip velocity is the
//! relative angular velocity ω of the surfaces about the tangential directions or about the normal, and the bound of the moment is a length times the normal
//! force of the contact.
//!
//! Each of them is one [`Unilateral`] with a [`Mode`]: open, stick or slip. In a mode the motion is smooth: the normal row and, in stick, the tangential rows
//! are ordinary rows of G ([`ContactSystem`](crate::system::ContactSystem) appends them to those of the joints), the friction of a slipping contact is a force
//! proportional to the multiplier of its normal row. Modes change at events between steps ([`crate::analysis::Simulation`]), decided by the complementarity
//! problem of [`problem`]; at an impact the velocity jumps.
//!
//! In the compliant formulation the contacts have no rows that act. Their forces are functions of the state ([`Compliance`]), in the same modes.

mod compliance;
pub mod problem;
mod rows;

pub(crate) use compliance::{Approach, ContactForce};
pub use compliance::{Compliance, Elasticity, LEAST_RESTITUTION, TouchDown};
pub use rows::UnilateralRows;

use crate::element::Origin;
use crate::math::Jet;
use crate::model::{ContactIndex, CouplerIndex, ForceIndex, JointIndex, Law, Model, Space};

/// The element to which a unilateral constraint belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnilateralOwner {
    /// A contact between surfaces.
    Contact(ContactIndex),
    /// A stop, a brake or dry friction in a joint.
    Force(ForceIndex),
    /// A rope.
    Joint(JointIndex),
    /// Backlash.
    Coupler(CouplerIndex),
}

impl UnilateralOwner {
    /// The name of the element.
    pub fn name(self, model: &Model) -> &str {
        match self {
            UnilateralOwner::Contact(c) => &model.contacts[c.0].name,
            UnilateralOwner::Force(f) => &model.forces[f.0].name,
            UnilateralOwner::Joint(j) => &model.joints[j.0].name,
            UnilateralOwner::Coupler(c) => &model.couplers[c.0].name,
        }
    }

    /// The source location of the element.
    pub fn origin(self, model: &Model) -> &Origin {
        match self {
            UnilateralOwner::Contact(c) => &model.contacts[c.0].origin,
            UnilateralOwner::Force(f) => &model.forces[f.0].origin,
            UnilateralOwner::Joint(j) => &model.joints[j.0].origin,
            UnilateralOwner::Coupler(c) => &model.couplers[c.0].origin,
        }
    }

    /// "contact", "force", …
    pub fn word(self) -> &'static str {
        match self {
            UnilateralOwner::Contact(_) => "contact",
            UnilateralOwner::Force(_) => "force",
            UnilateralOwner::Joint(_) => "joint",
            UnilateralOwner::Coupler(_) => "coupler",
        }
    }
}

/// The quantity that a unilateral constraint bounds.
#[derive(Clone, Debug)]
pub enum GapFunction {
    /// The gap of a candidate point of a pair of surfaces, whose relative pose is that of a joint without equations.
    Pair {
        /// The contact.
        contact: ContactIndex,
        /// The candidate point of the pair of surfaces.
        point: usize,
        /// The joint.
        joint: JointIndex,
    },
    /// Without a gap: the relative rotation of a pair of surfaces at a candidate point, whose velocity is that of rolling or spinning.
    Rotation {
        /// The contact.
        contact: ContactIndex,
        /// The candidate point of the pair of surfaces.
        point: usize,
        /// The joint.
        joint: JointIndex,
        /// Whether it is about the normal, and not about the tangential directions.
        spins: bool,
    },
    /// `Σ c q + offset` over joint coordinates: a stop, backlash, dry friction.
    Coordinates {
        /// Joint, coordinate and factor.
        terms: Vec<(JointIndex, usize, f64)>,
        /// The constant.
        offset: f64,
    },
    /// The slack of a rope: its length less the distance of its ends.
    Rope(JointIndex),
}

/// How the gap enters the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalLaw {
    /// No normal force: friction alone.
    None,
    /// 0 ≤ g ⟂ λₙ ≥ 0.
    Gap,
    /// 0 ≤ ġ ⟂ λₙ ≥ 0 at any g: a one-way clutch.
    Velocity,
}

/// The bound of the friction force.
#[derive(Clone, Debug)]
pub enum FrictionBound {
    /// No friction.
    None,
    /// Coulomb: the coefficient times a normal force, in stick and in slip. For rolling and spinning resistance it is a length.
    Coulomb {
        /// μ_s.
        rest: f64,
        /// μ.
        slip: f64,
        /// The unilateral constraint that has the normal force; `None` if it is the own one.
        of: Option<usize>,
    },
    /// The sum of the bounds of forces along a joint coordinate.
    Forces(Vec<ForceIndex>),
}

/// A unilateral constraint, dry friction, or both.
#[derive(Clone, Debug)]
pub struct Unilateral {
    /// The element.
    pub owner: UnilateralOwner,
    /// The gap, or the quantity whose velocity is the slip velocity.
    pub gap: GapFunction,
    /// The law of the normal force.
    pub normal: NormalLaw,
    /// The bound of the friction force.
    pub friction: FrictionBound,
    /// The coefficient of restitution e.
    pub restitution: f64,
    /// The coefficient of tangential restitution e_t.
    pub tangential_restitution: f64,
    /// Number of tangential directions.
    pub tangents: usize,
    /// The law of its force in the compliant formulation; `None` if its rows act.
    pub compliance: Option<Compliance>,
}

impl Unilateral {
    /// The unilateral constraint of a candidate point of a contact.
    pub fn of_contact(model: &Model, contact: ContactIndex, point: usize) -> Self {
        let element = &model.contacts[contact.0];
        let (joint, candidate) = element.candidate(point);
        let law = &element.law;
        let rubs = law.friction > 0.0 || law.static_friction > 0.0;
        let friction = FrictionBound::Coulomb {
            rest: law.static_friction.max(law.friction),
            slip: law.friction,
            of: None,
        };
        Unilateral {
            owner: UnilateralOwner::Contact(contact),
            gap: GapFunction::Pair {
                contact,
                point: candidate,
                joint,
            },
            normal: NormalLaw::Gap,
            friction: if rubs { friction } else { FrictionBound::None },
            restitution: law.restitution,
            tangential_restitution: law.tangential_restitution,
            tangents: match model.space {
                _ if !rubs => 0,
                Space::Planar => 1,
                Space::Spatial => 2,
            },
            compliance: None,
        }
    }

    /// The rolling and the spinning resistance of a candidate point whose normal force is that of the unilateral constraint `of`.
    fn resistances(
        model: &Model,
        contact: ContactIndex,
        point: usize,
        of: usize,
    ) -> impl Iterator<Item = Self> {
        let element = &model.contacts[contact.0];
        let spatial = model.space == Space::Spatial;
        let rolling = (element.law.rolling_resistance, 1 + usize::from(spatial));
        let spinning = (element.law.spinning_resistance, usize::from(spatial));
        let (joint, candidate) = element.candidate(point);
        let both = [(rolling, false), (spinning, true)].into_iter();
        both.filter(|((length, tangents), _)| *length > 0.0 && *tangents > 0)
            .map(move |((length, tangents), spins)| Unilateral {
                owner: UnilateralOwner::Contact(contact),
                gap: GapFunction::Rotation {
                    contact,
                    point: candidate,
                    joint,
                    spins,
                },
                normal: NormalLaw::None,
                friction: FrictionBound::Coulomb {
                    rest: length,
                    slip: length,
                    of: Some(of),
                },
                restitution: 0.0,
                tangential_restitution: 0.0,
                tangents,
                compliance: None,
            })
    }

    /// Whether its friction is proportional to a normal force.
    pub fn rubs(&self) -> bool {
        matches!(self.friction, FrictionBound::Coulomb { .. })
    }

    /// The unilateral constraint whose normal force bounds its friction, `own` if it is this one.
    pub fn pressed_by(&self, own: usize) -> usize {
        match self.friction {
            FrictionBound::Coulomb { of: Some(of), .. } => of,
            _ => own,
        }
    }

    /// Describes the element with its location: "contact `floor` (ball.toml:14:1)".
    pub fn describe(&self, model: &Model) -> String {
        let name = format!("{} `{}`", self.owner.word(), self.owner.name(model));
        let origin = self.owner.origin(model);
        if origin.0.is_some() {
            format!("{name} ({origin})")
        } else {
            name
        }
    }

    /// The SI unit of the gap: that of its first coordinate, or a length.
    pub fn unit(&self, model: &Model) -> &'static str {
        match &self.gap {
            GapFunction::Coordinates { .. } if self.is_angular(model) => "rad",
            _ => "m",
        }
    }

    /// Whether its velocities are angular velocities.
    pub fn is_angular(&self, model: &Model) -> bool {
        match &self.gap {
            GapFunction::Coordinates { terms, .. } => terms.first().is_some_and(|(joint, k, _)| {
                model.joints[joint.0].joint.coordinates(model.space)[*k].angular
            }),
            GapFunction::Rotation { .. } => true,
            GapFunction::Pair { .. } | GapFunction::Rope(_) => false,
        }
    }

    /// Whether it has a normal row.
    pub fn has_normal(&self) -> bool {
        self.normal != NormalLaw::None
    }

    /// Number of rows: the normal one first, then the tangential ones.
    pub fn num_rows(&self) -> usize {
        self.first_tangent() + self.tangents
    }

    /// The number of its first tangential row.
    pub fn first_tangent(&self) -> usize {
        usize::from(self.has_normal())
    }

    /// The joints across which it acts.
    pub fn joints(&self) -> Vec<JointIndex> {
        match &self.gap {
            GapFunction::Pair { joint, .. }
            | GapFunction::Rotation { joint, .. }
            | GapFunction::Rope(joint) => vec![*joint],
            GapFunction::Coordinates { terms, .. } => terms.iter().map(|(j, _, _)| *j).collect(),
        }
    }

    /// Returns the friction force per newton of normal force along each tangential direction, −μ s; `None` unless the contact is rigid and slips with friction. `slip` is the
    /// slip velocity. In space s is its direction, as long as it does not turn back; a step that passes a stop is thereby smooth.
    pub fn slip_factors(&self, memory: &ContactMemory, slip: [f64; 2]) -> Option<[f64; 2]> {
        let FrictionBound::Coulomb { slip: mu, .. } = self.friction else {
            return None;
        };
        if memory.mode != Mode::Slip || self.compliance.is_some() {
            return None;
        }
        Some(memory.direction(self.tangents, slip).map(|s| -mu * s))
    }

    /// The laws that its bound reads.
    pub fn laws<'m>(&self, model: &'m Model) -> Vec<&'m Law> {
        match &self.friction {
            FrictionBound::Forces(forces) => forces
                .iter()
                .flat_map(|f| model.forces[f.0].force.laws())
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// What a unilateral constraint does at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// No force.
    #[default]
    Open,
    /// Closed, without slip.
    Stick,
    /// Closed, with slip or without friction.
    Slip,
}

/// The discrete state of a unilateral constraint, part of [`State::memory`](crate::system::State::memory).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ContactMemory {
    /// Its mode.
    pub mode: Mode,
    /// Direction of slip in the tangential directions, a unit vector; its last value in space.
    pub slip: [f64; 2],
    /// The ground axis of the first surface that the first tangential direction follows, in space.
    pub axis: usize,
    /// The flat face on which a sharp point slides, of a surface that has faces.
    pub face: Option<usize>,
    /// Normal impulse of all impacts, N s.
    pub impulse: f64,
    /// Number of impacts; those summed at an accumulation point count as one.
    pub impacts: f64,
    /// An offset of the gap: the last tooth of a ratchet.
    pub offset: f64,
    /// The constants of a compliant contact since it closed.
    pub touch: TouchDown,
    /// The slip velocity below which the direction of friction follows that of slip with a delay, after slip from rest in space; zero otherwise.
    pub onset: f64,
}

impl ContactMemory {
    /// The direction of slip at a slip velocity: that of the memory in the plane, or if the velocity vanishes or has turned back.
    ///
    /// Where slip begins in space, the velocity γ turns to the direction of the applied force at the rate `μ λₙ/|γ|`, infinitely fast at first. With
    /// `(γ + o s)/|γ + o s|`, where s is the direction at the start of the step and o the velocity of the onset, the rate remains finite, and the direction is
    /// that of the force again at the end of the step. The velocity is in error by the order of o times the angle by which the force turns in a step.
    pub fn direction(&self, tangents: usize, slip: [f64; 2]) -> [f64; 2] {
        let mut ahead = [0.0; 2];
        for k in 0..2 {
            ahead[k] = slip[k] + self.onset * self.slip[k];
        }
        let size = ahead[0].hypot(ahead[1]);
        if tangents < 2 || ahead[0] * self.slip[0] + ahead[1] * self.slip[1] <= 0.0 || size == 0.0 {
            self.slip
        } else {
            ahead.map(|x| x / size)
        }
    }

    /// The face on which it slides; none while it is open.
    fn held_face(&self) -> Option<usize> {
        self.face.filter(|_| self.mode != Mode::Open)
    }

    /// Numbers of a contact in the state.
    pub const LEN: usize = 12;

    /// The numbers that represent it.
    pub fn numbers(&self) -> [f64; Self::LEN] {
        let mode = match self.mode {
            Mode::Open => 0.0,
            Mode::Stick => 1.0,
            Mode::Slip => 2.0,
        };
        [
            mode,
            self.slip[0],
            self.slip[1],
            self.axis as f64,
            self.impulse,
            self.impacts,
            self.offset,
            self.touch.stiffness,
            self.touch.dissipation,
            self.touch.retardation,
            self.onset,
            self.face.map_or(0.0, |face| face as f64 + 1.0),
        ]
    }

    /// Reads the numbers of [`ContactMemory::numbers`].
    pub fn read(numbers: &[f64]) -> Self {
        let mode = match numbers[0] {
            1.0 => Mode::Stick,
            2.0 => Mode::Slip,
            _ => Mode::Open,
        };
        ContactMemory {
            mode,
            slip: [numbers[1], numbers[2]],
            axis: (numbers[3] as usize).min(2),
            impulse: numbers[4],
            impacts: numbers[5],
            offset: numbers[6],
            touch: TouchDown {
                stiffness: numbers[7],
                dissipation: numbers[8],
                retardation: numbers[9],
            },
            onset: numbers[10],
            face: (numbers[11] as usize).checked_sub(1),
        }
    }
}

/// A stop or set-valued friction that a force element declares, see [`Force::unilaterals`](crate::forces::Force::unilaterals).
#[derive(Clone, Debug)]
pub struct DeclaredUnilateral {
    /// Joint, coordinate and factor of each term of `Σ c q + offset`.
    pub terms: Vec<(JointIndex, usize, f64)>,
    /// The constant.
    pub offset: f64,
    /// The law of the normal force; [`NormalLaw::None`] for friction.
    pub normal: NormalLaw,
    /// The coefficient of restitution.
    pub restitution: f64,
}

/// Returns all unilateral constraints of a model: those of contacts, of forces, of ropes, of backlash, and the rolling and spinning resistance of contacts, which
/// follow the contact points whose normal force they need. Frictions along the same coordinate are one.
pub fn unilaterals(model: &Model) -> Vec<Unilateral> {
    let mut list = Vec::new();
    for (c, contact) in model.contacts.iter().enumerate() {
        let points = 0..contact.num_points();
        list.extend(points.map(|point| Unilateral::of_contact(model, ContactIndex(c), point)));
    }
    for (f, element) in model.forces.iter().enumerate() {
        for declared in element.force.unilaterals() {
            add_declared(&mut list, ForceIndex(f), declared);
        }
    }
    for (j, element) in model.joints.iter().enumerate() {
        if let Some(restitution) = element.joint.slack_restitution() {
            list.push(Unilateral {
                owner: UnilateralOwner::Joint(JointIndex(j)),
                gap: GapFunction::Rope(JointIndex(j)),
                normal: NormalLaw::Gap,
                friction: FrictionBound::None,
                restitution,
                tangential_restitution: 0.0,
                tangents: 0,
                compliance: None,
            });
        }
    }
    for (c, element) in model.couplers.iter().enumerate() {
        let Some(play) = element.backlash else {
            continue;
        };
        let middle = element.offset.unwrap_or(0.0);
        // the play of the first coordinate, in the units of the relation
        let factor = element
            .terms
            .first()
            .map_or(1.0, |(_, _, factor)| factor.abs());
        for sign in [1.0, -1.0] {
            let terms = element.terms.iter();
            list.push(Unilateral {
                owner: UnilateralOwner::Coupler(CouplerIndex(c)),
                gap: GapFunction::Coordinates {
                    terms: terms
                        .map(|(j, k, factor)| (*j, *k, sign * factor))
                        .collect(),
                    offset: 0.5 * play.width * factor - sign * middle,
                },
                normal: NormalLaw::Gap,
                friction: FrictionBound::None,
                restitution: play.restitution,
                tangential_restitution: 0.0,
                tangents: 0,
                compliance: None,
            });
        }
    }
    let mut of = 0;
    for (c, contact) in model.contacts.iter().enumerate() {
        for point in 0..contact.num_points() {
            list.extend(Unilateral::resistances(model, ContactIndex(c), point, of));
            of += 1;
        }
    }
    list
}

/// Adds a stop, or joins a friction with that of another force along the same coordinates.
fn add_declared(list: &mut Vec<Unilateral>, force: ForceIndex, declared: DeclaredUnilateral) {
    let rubs = declared.normal == NormalLaw::None;
    if rubs {
        let same = list.iter_mut().find_map(|unilateral| {
            match (&unilateral.gap, &mut unilateral.friction) {
                (GapFunction::Coordinates { terms, .. }, FrictionBound::Forces(forces))
                    if *terms == declared.terms =>
                {
                    Some(forces)
                }
                _ => None,
            }
        });
        if let Some(forces) = same {
            if !forces.contains(&force) {
                forces.push(force);
            }
            return;
        }
    }
    list.push(Unilateral {
        owner: UnilateralOwner::Force(force),
        gap: GapFunction::Coordinates {
            terms: declared.terms,
            offset: declared.offset,
        },
        normal: declared.normal,
        friction: if rubs {
            FrictionBound::Forces(vec![force])
        } else {
            FrictionBound::None
        },
        restitution: declared.restitution,
        tangential_restitution: 0.0,
        tangents: usize::from(rubs),
        compliance: None,
    });
}

/// Returns the jets of a relative pose along its motion at constant components of the velocities: `R̈ = ŵŵR`, `p̈ = 0`.
#[allow(non_snake_case)]
fn along_motion(rel: &crate::joints::Relative) -> (crate::math::Mat3<Jet>, crate::math::Vec3<Jet>) {
    use crate::math::rotation::{product, skew};
    let w = skew(&rel.w);
    let first = product(&w, &rel.R);
    let second = product(&w, &first);
    let R =
        crate::math::Mat3::from_fn(|i, j| Jet::new(rel.R[(i, j)], first[(i, j)], second[(i, j)]));
    let p = crate::math::Vec3::from_fn(|i, _| Jet::new(rel.p[i], rel.v[i], 0.0));
    (R, p)
}
