//! Everything that forces and formulas read besides time, positions and velocities.

use crate::model::{JointIndex, Model, held_at_start};
use crate::unilateral::{ContactMemory, GapFunction, Mode, NormalLaw, Unilateral, unilaterals};

/// Joint, coordinate and factor of each term of a sum.
type CoordinateSum = Vec<(JointIndex, usize, f64)>;

/// The inputs of an evaluation: values set from outside, outputs of controllers, and conditions of an analysis. Updates of the kinematics do not
/// change them.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Outputs of all controllers, then [`InputSegment::LEN`] numbers per external input, then [`ContactMemory::LEN`] per unilateral constraint: the first
    /// values of [`State::memory`](super::State::memory).
    pub held: Vec<f64>,
    /// The interval in which formulas of time are evaluated. It ends slightly inside the discontinuities of such formulas on either side,
    /// so that a step up to a discontinuity does not use values behind it.
    pub span: (f64, f64),
    /// The fraction of weight and loads that acts: one except during the load stepping of statics.
    pub load_share: f64,
    /// Whether forces that provide a tangent, and beams, are inactive: linear models add their tangents instead.
    pub(crate) without_tangents: bool,
    /// Index of the first number of the external inputs, and of the unilateral constraints.
    external: usize,
    contacts: usize,
    /// Integrals of compliant contacts, [`Unilateral::NUM_INTEGRALS`] each: their values are these, plus `lag` times their present rates within the step of an
    /// implicit integrator.
    integrals: Vec<f64>,
    lag: f64,
    /// The unilateral constraints of the velocities of joint coordinates, set-valued friction and one-way clutches: joint, coordinate and factor of each term, law
    /// and index.
    along_coordinates: Vec<(CoordinateSum, NormalLaw, usize)>,
}

impl Inputs {
    /// The inputs of a model at the start.
    pub fn new(model: &Model) -> Self {
        let held = held_at_start(model);
        let list = unilaterals(model);
        let contacts = held.len() - ContactMemory::LEN * list.len();
        let along_coordinates = list.iter().enumerate().filter_map(|(i, unilateral)| {
            match (&unilateral.gap, unilateral.normal) {
                (GapFunction::Coordinates { terms, .. }, NormalLaw::None | NormalLaw::Velocity) => {
                    Some((terms.clone(), unilateral.normal, i))
                }
                _ => None,
            }
        });
        Inputs {
            integrals: Vec::new(),
            lag: 0.0,
            along_coordinates: along_coordinates.collect(),
            contacts,
            external: contacts - InputSegment::LEN * model.inputs.len(),
            held,
            span: (f64::NEG_INFINITY, f64::INFINITY),
            load_share: 1.0,
            without_tangents: false,
        }
    }

    /// Copies the inputs of the same model, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Inputs) {
        self.held.copy_from_slice(&other.held);
        self.span = other.span;
        self.load_share = other.load_share;
        self.without_tangents = other.without_tangents;
        self.integrals.clone_from(&other.integrals);
        self.lag = other.lag;
    }

    /// Makes contacts compliant: their number.
    pub(super) fn comply(&mut self, contacts: usize) {
        self.integrals = vec![0.0; Unilateral::NUM_INTEGRALS * contacts];
    }

    /// Whether contacts are compliant.
    pub(crate) fn complies(&self) -> bool {
        !self.integrals.is_empty()
    }

    /// Takes the integrals of compliant contacts, which are the last ones of [`State::work`](super::State::work).
    pub(crate) fn hold_integrals(&mut self, work: &[f64]) {
        let own = self.own_integrals(work.len());
        self.integrals.copy_from_slice(&work[own]);
        self.lag = 0.0;
    }

    /// Makes the integrals those at the end of a step of an implicit formula, `known + lag × rate`; `known` are `work` and a multiple of its rates.
    pub(crate) fn hold_formula(&mut self, work: &[f64], (rates, factor): (&[f64], f64), lag: f64) {
        self.hold_integrals(work);
        let own = self.own_integrals(rates.len());
        for (value, rate) in self.integrals.iter_mut().zip(&rates[own]) {
            *value += factor * rate;
        }
        self.lag = lag;
    }

    /// The integrals of compliant contacts among all.
    pub(crate) fn own_integrals(&self, works: usize) -> std::ops::Range<usize> {
        works - self.integrals.len()..works
    }

    /// Returns the normal impulse of a compliant contact since the start of the run.
    pub(crate) fn impulse(&self, contact: usize) -> f64 {
        self.integrals[Unilateral::NUM_INTEGRALS * contact]
    }

    /// Returns the deflections of the bristles of a compliant contact at a slip velocity, and their derivative with respect to it.
    pub(crate) fn bristles(&self, contact: usize, slip: [f64; 2]) -> ([f64; 2], f64) {
        let first = Unilateral::NUM_INTEGRALS * contact + 1;
        let known = [self.integrals[first], self.integrals[first + 1]];
        let at = |k: usize| known[k] + self.lag * slip[k];
        ([at(0), at(1)], self.lag)
    }

    /// The numbers of a unilateral constraint among the held ones.
    pub(crate) fn contact_numbers(&self, unilateral: usize) -> std::ops::Range<usize> {
        let first = self.contacts + ContactMemory::LEN * unilateral;
        first..first + ContactMemory::LEN
    }

    /// Returns the discrete state of a unilateral constraint.
    pub fn contact(&self, unilateral: usize) -> ContactMemory {
        ContactMemory::read(&self.held[self.contact_numbers(unilateral)])
    }

    /// Returns the direction of slip of set-valued friction along joint coordinates, zero in stick; `None` if the friction is given by the velocity alone.
    pub(crate) fn slip_along(&self, terms: &[(JointIndex, usize, f64)]) -> Option<f64> {
        let memory = self.along(terms, NormalLaw::None)?;
        match memory.mode {
            Mode::Open => None,
            Mode::Stick => Some(0.0),
            Mode::Slip => Some(memory.slip[0]),
        }
    }

    /// Whether the one-way clutch along joint coordinates is locked.
    pub(crate) fn is_locked(&self, terms: &[(JointIndex, usize, f64)]) -> bool {
        let memory = self.along(terms, NormalLaw::Velocity);
        memory.is_some_and(|memory| memory.mode != Mode::Open)
    }

    fn along(&self, terms: &[(JointIndex, usize, f64)], law: NormalLaw) -> Option<ContactMemory> {
        let mut all = self.along_coordinates.iter();
        let found = all.find(|(along, its_law, _)| *its_law == law && along == terms);
        found.map(|(_, _, i)| self.contact(*i))
    }

    /// Returns the time at which formulas of time are evaluated.
    pub fn law_time(&self, time: f64) -> f64 {
        // not `clamp`, which panics if the interval is empty
        time.max(self.span.0).min(self.span.1)
    }

    /// Returns output `k` of the controllers.
    pub fn controller(&self, k: usize) -> f64 {
        self.held[k]
    }

    /// Takes the held values from the memory of a state.
    pub(crate) fn hold(&mut self, memory: &[f64]) {
        let count = self.held.len();
        self.held.copy_from_slice(&memory[..count]);
    }

    /// Gives external input `k` another course.
    pub fn set_segment(&mut self, k: usize, segment: InputSegment) {
        let range = self.numbers(k);
        self.held[range].copy_from_slice(&segment.numbers());
    }

    /// The numbers of external input `k` among the held ones.
    pub(crate) fn numbers(&self, k: usize) -> std::ops::Range<usize> {
        let first = self.external + InputSegment::LEN * k;
        first..first + InputSegment::LEN
    }

    /// Returns the course of external input `k`.
    pub fn segment(&self, k: usize) -> InputSegment {
        InputSegment::read(&self.held[self.numbers(k)])
    }
}

/// The course of an external input between two changes: `u(t) = value + slope (t − from)` for `from ≤ t ≤ until`, constant before and after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputSegment {
    /// Value at `from`.
    pub value: f64,
    /// Time derivative.
    pub slope: f64,
    /// Start, s.
    pub from: f64,
    /// End, s.
    pub until: f64,
}

impl InputSegment {
    /// Numbers of a segment in the state.
    pub const LEN: usize = 4;

    /// A constant value.
    pub const fn constant(value: f64) -> Self {
        InputSegment {
            value,
            slope: 0.0,
            from: 0.0,
            until: 0.0,
        }
    }

    /// The line through two points; constant if they have the same time.
    pub fn line((from, value): (f64, f64), (until, end): (f64, f64)) -> Self {
        if until <= from {
            return InputSegment::constant(end);
        }
        InputSegment {
            value,
            slope: (end - value) / (until - from),
            from,
            until,
        }
    }

    /// Returns the value at a time.
    pub fn at(&self, time: f64) -> f64 {
        if self.slope == 0.0 {
            return self.value;
        }
        self.value + self.slope * (time.min(self.until) - self.from).max(0.0)
    }

    /// The numbers that represent the segment in the state.
    pub(crate) const fn numbers(&self) -> [f64; Self::LEN] {
        [self.value, self.slope, self.from, self.until]
    }

    fn read(numbers: &[f64]) -> Self {
        InputSegment {
            value: numbers[0],
            slope: numbers[1],
            from: numbers[2],
            until: numbers[3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::InputSegment;

    #[test]
    fn a_segment_is_linear_between_its_ends_and_constant_outside() {
        let ramp = InputSegment::line((1.0, 2.0), (3.0, 6.0));
        let at = [0.0, 1.0, 2.0, 3.0, 9.0].map(|time| ramp.at(time));
        assert_eq!(at, [2.0, 2.0, 4.0, 6.0, 6.0]);
        assert_eq!(InputSegment::line((1.0, 2.0), (1.0, 6.0)).at(0.0), 6.0);
        assert_eq!(InputSegment::constant(3.0).at(7.0), 3.0);
    }
}
