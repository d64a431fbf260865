//! A compiled formula: a flat list of instructions for a stack machine.
//!
//! The top of the stack is held separately, the rest in a fixed array: 8 entries for nearly every formula, 64 for the deepest. Choices are jumps, so that only
//! the chosen side is evaluated.

use std::ops::Range;
use std::sync::Arc;

use biela_core::math::Real;

use super::inferred_dimension::InferredDimension;
use super::ops::{Binary, Ternary, Unary, is_true, step5};
use super::outside::{MAX_ARGUMENTS, OutsideFunction};
use super::table::TabulatedFunction;
use super::trouble;
use super::{ExprError, MAX_DEPTH};
use crate::units::Dimension;

/// Stack size of the small machine; a power of two, as is [`MAX_DEPTH`].
const SMALL: usize = 8;

/// The maximum number of operands of an instruction of the language that can be observed: those of `step5`.
pub(super) const SEEN: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Instruction {
    Constant(f64),
    Time,
    Input(usize),
    Add,
    Subtract,
    Multiply,
    Divide,
    AddConstant(f64),
    MultiplyConstant(f64),
    Unary(Unary),
    Binary(Binary),
    Ternary(Ternary),
    Step5,
    Table(usize),
    /// An external function, and its number of arguments.
    Outside(usize, usize),
    /// Pops the top; jumps to the instruction with this index if it is false.
    JumpIfFalse(usize),
    Jump(usize),
}

impl Instruction {
    /// The numbers of values that it pops and pushes.
    pub(super) fn effect(self) -> (usize, usize) {
        match self {
            Self::Constant(_) | Self::Time | Self::Input(_) => (0, 1),
            Self::AddConstant(_) | Self::MultiplyConstant(_) | Self::Unary(_) | Self::Table(_) => {
                (1, 1)
            }
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Binary(_) => (2, 1),
            Self::Ternary(_) => (3, 1),
            Self::Step5 => (5, 1),
            Self::Outside(_, arguments) => (arguments, 1),
            Self::JumpIfFalse(_) => (1, 0),
            Self::Jump(_) => (0, 0),
        }
    }
}

/// The continuity of a formula, from roughest to smoothest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Continuity {
    /// The value may be discontinuous: comparisons, choices, `step`, `floor`.
    Jump,
    /// The value is continuous, the first derivative may jump: `abs`, `min`, a linear table.
    Value,
    /// Value and first derivative are continuous, the second derivative may jump: `smoothstep`.
    Rate,
    /// Value, first and second derivative are continuous.
    Curvature,
}

/// A compiled formula with its names bound, its dimensions checked and its constants folded.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) code: Vec<Instruction>,
    pub(super) tables: Vec<Arc<TabulatedFunction>>,
    pub(super) outside: Vec<OutsideFunction>,
    /// The maximum stack depth.
    pub(super) depth: usize,
    pub(super) measure: InferredDimension,
    /// The used input slots, increasing.
    pub(super) slots: Vec<usize>,
    pub(super) uses_time: bool,
    /// The roughest part, if any is rougher than [`Continuity::Curvature`].
    pub(super) roughest: Option<(Continuity, Range<usize>)>,
    /// The instructions with switching functions of signals: index and number of functions.
    pub(super) switchings: Vec<(usize, usize)>,
    /// The length of the text.
    pub(super) length: usize,
}

impl Program {
    /// Returns the value at this time for these inputs; inputs are indexed by the slots of [`Binding::Input`](super::Binding).
    ///
    /// Allocates nothing and does not recurse. Overflow and undefined operations result in an infinity or NaN.
    ///
    /// # Panics
    ///
    /// If `inputs` is shorter than the largest slot in [`Self::input_slots`] requires.
    ///
    /// ```
    /// use biela_core::math::Jet;
    /// use biela_model::expr::{compile, parse};
    ///
    /// let lift = compile(&parse("0.1*sin(2*t)").unwrap(), &mut |_| None, &Vec::new).unwrap();
    /// assert_eq!(lift.eval(0.5, &[]), 0.1 * 1.0_f64.sin());
    /// let acceleration = lift.eval(Jet::time(0.5), &[]).curvature;
    /// assert!((acceleration + 0.4 * 1.0_f64.sin()).abs() < 1e-15);
    /// ```
    pub fn eval<T: Real>(&self, time: T, inputs: &[T]) -> T {
        self.run_seen(time, inputs, |_, _, _| {})
    }

    /// Describes the first operation with finite operands and a result that is not finite, in words that follow "it has".
    pub fn trouble<T: Real>(
        &self,
        time: T,
        inputs: &[T],
        is_finite: impl Fn(&T) -> bool,
    ) -> Option<String> {
        let mut found = None;
        let _ = self.run_seen(time, inputs, |place, [.., a, b], result| {
            let instruction = self.code[place];
            let (takes, leaves) = instruction.effect();
            let finite = (takes < 1 || is_finite(b)) && (takes < 2 || is_finite(a));
            if found.is_none() && leaves == 1 && finite && !is_finite(result) {
                let slope = result.number().is_finite();
                found = Some(trouble::words(instruction, [a.number(), b.number()], slope));
            }
        });
        found
    }

    pub(super) fn run_seen<T: Real>(
        &self,
        time: T,
        inputs: &[T],
        seen: impl FnMut(usize, &[T; SEEN], &T),
    ) -> T {
        if self.depth <= SMALL {
            self.run::<T, SMALL>(time, inputs, seen)
        } else {
            self.run::<T, MAX_DEPTH>(time, inputs, seen)
        }
    }

    /// The dimension, if known; a bare number has none.
    pub fn dimension(&self) -> Option<Dimension> {
        self.measure.known()
    }

    /// Checks that the formula is compatible with the dimension `wanted`.
    ///
    /// ```
    /// use biela_model::expr::{compile, parse};
    /// use biela_model::units::Dimension;
    ///
    /// let arm = compile(&parse("20 mm").unwrap(), &mut |_| None, &Vec::new).unwrap();
    /// assert!(arm.expect(Dimension::LENGTH).is_ok());
    /// assert_eq!(
    ///     arm.expect(Dimension::TORQUE).unwrap_err().message,
    ///     "it is a length (m); a torque or energy (N*m) is required"
    /// );
    /// ```
    pub fn expect(&self, wanted: Dimension) -> Result<(), ExprError> {
        match self.dimension() {
            Some(found) if found != wanted => {
                let message = format!(
                    "it {}; {} is required",
                    found.predicate(),
                    wanted.describe()
                );
                Err(ExprError::new(0..self.length, message))
            }
            _ => Ok(()),
        }
    }

    /// The value, if it is constant.
    pub fn constant(&self) -> Option<f64> {
        match self.code.as_slice() {
            [Instruction::Constant(value)] => Some(*value),
            _ => None,
        }
    }

    /// The slot of the input that is the value, if the formula is its name alone.
    pub(crate) fn input_alone(&self) -> Option<usize> {
        match self.code.as_slice() {
            [Instruction::Input(slot)] => Some(*slot),
            _ => None,
        }
    }

    /// Returns `true` if the value depends on nothing but time; also for a constant.
    pub fn only_time(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns `true` if the value depends on time directly.
    pub fn uses_time(&self) -> bool {
        self.uses_time
    }

    /// The input slots on which the value depends, increasing.
    pub fn input_slots(&self) -> &[usize] {
        &self.slots
    }

    /// The continuity of the value in time and inputs, where it is finite. A lower bound: it may be smoother.
    pub fn continuity(&self) -> Continuity {
        self.roughest
            .as_ref()
            .map_or(Continuity::Curvature, |(continuity, _)| *continuity)
    }

    /// Returns `true` if value, first and second derivative are continuous, as the motion of a driver must be.
    pub fn is_smooth(&self) -> bool {
        self.roughest.is_none()
    }

    /// The continuity and range in the text of the roughest part.
    pub fn roughest(&self) -> Option<(Continuity, Range<usize>)> {
        self.roughest.clone()
    }

    /// `N` is a power of two and at least [`Self::depth`], so masking an index never changes it. `seen` receives the index of each instruction with the topmost
    /// values before it, the top last, and the value after it.
    #[inline]
    fn run<T: Real, const N: usize>(
        &self,
        time: T,
        inputs: &[T],
        mut seen: impl FnMut(usize, &[T; SEEN], &T),
    ) -> T {
        let mut stack = [T::zero(); N];
        let mut top = T::zero();
        let mut held = 0_usize;
        let mut next = 0;
        macro_rules! push {
            ($value:expr) => {{
                stack[held & (N - 1)] = top;
                held = held.wrapping_add(1);
                top = $value;
            }};
        }
        macro_rules! pop {
            () => {{
                held = held.wrapping_sub(1);
                stack[held & (N - 1)]
            }};
        }
        while let Some(instruction) = self.code.get(next) {
            let here = next;
            next += 1;
            let below = |k: usize| stack[held.wrapping_sub(k) & (N - 1)];
            let before = [below(4), below(3), below(2), below(1), top];
            match *instruction {
                Instruction::Constant(value) => push!(T::constant(value)),
                Instruction::Time => push!(time),
                Instruction::Input(slot) => push!(inputs[slot]),
                Instruction::Add => top = pop!() + top,
                Instruction::Subtract => top = pop!() - top,
                Instruction::Multiply => top = pop!() * top,
                Instruction::Divide => top = pop!() / top,
                Instruction::AddConstant(value) => top += T::constant(value),
                Instruction::MultiplyConstant(value) => top *= T::constant(value),
                Instruction::Unary(operation) => top = operation.apply(top),
                Instruction::Binary(operation) => top = operation.apply(pop!(), top),
                Instruction::Ternary(operation) => {
                    let x0 = pop!();
                    let x = pop!();
                    top = operation.apply(x, x0, top);
                }
                Instruction::Step5 => {
                    let t1 = pop!();
                    let h0 = pop!();
                    let t0 = pop!();
                    let t = pop!();
                    top = step5([t, t0, h0, t1, top]);
                }
                Instruction::Table(index) => top = self.tables[index].eval(top),
                Instruction::Outside(index, count) => {
                    let mut arguments = [T::zero(); MAX_ARGUMENTS];
                    let arguments = &mut arguments[..count];
                    for place in arguments.iter_mut().rev() {
                        *place = top;
                        top = pop!();
                    }
                    push!(self.outside[index].eval(arguments));
                }
                Instruction::JumpIfFalse(target) => {
                    let condition = top;
                    top = pop!();
                    if !is_true(condition) {
                        next = target;
                    }
                }
                Instruction::Jump(target) => next = target,
            }
            seen(here, &before, &top);
        }
        top
    }
}
