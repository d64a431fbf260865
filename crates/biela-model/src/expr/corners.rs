//! Switching times: the times at which a formula has a discontinuity or a kink, or starts to change.
//!
//! Between two switching times every part that is affine in time is `a + b t`. A switching time is where such a part reaches a point at which an operation is
//! not smooth: `pulse(t - 1, 0, 0.1)` has them at 1 and 1.1, `floor(2*t)` at every half. Parts that depend on signals, or on time in any other way, have none
//! here.

use biela_core::math::Real;

use super::MAX_DEPTH;
use super::ops::{Binary, Ternary, Unary, is_true};
use super::program::{Instruction, Program};

/// `a + b t` up to the next switching time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinearSegment {
    a: f64,
    b: f64,
}

impl LinearSegment {
    fn constant(a: f64) -> Self {
        Self { a, b: 0.0 }
    }

    fn at(self, time: f64) -> f64 {
        self.a + self.b * time
    }

    fn is_constant(self) -> bool {
        self.b == 0.0
    }

    fn less(self, other: Self) -> Self {
        Self {
            a: self.a - other.a,
            b: self.b - other.b,
        }
    }

    fn times(self, factor: f64) -> Self {
        Self {
            a: self.a * factor,
            b: self.b * factor,
        }
    }
}

/// Evaluates the program on affine functions and keeps the first switching time.
struct Walk {
    after: f64,
    first: f64,
}

impl Program {
    /// Returns the first time after `after` at which the value has a discontinuity or a kink, or starts to change, for parts that are affine in time; infinity
    /// if there is none.
    ///
    /// ```
    /// use biela_model::expr::{compile, parse};
    ///
    /// let knock = compile(&parse("5*pulse(t, 0.2, 0.3)").unwrap(), &mut |_| None, &Vec::new).unwrap();
    /// assert_eq!(knock.next_corner(0.0), 0.2);
    /// assert_eq!(knock.next_corner(0.25), 0.3);
    /// assert_eq!(knock.next_corner(0.3), f64::INFINITY);
    /// ```
    pub fn next_corner(&self, after: f64) -> f64 {
        let mut walk = Walk {
            after,
            first: f64::INFINITY,
        };
        if self.uses_time {
            walk.run(self);
        }
        walk.first
    }
}

impl Walk {
    fn run(&mut self, program: &Program) {
        let mut stack: [Option<LinearSegment>; MAX_DEPTH] = [None; MAX_DEPTH];
        let mut held = 0_usize;
        // choices with an unknown condition: both sides are evaluated, and the result is unknown
        let mut both: Vec<usize> = Vec::new();
        let mut joined: Vec<usize> = Vec::new();
        let mut next = 0;
        while let Some(instruction) = program.code.get(next) {
            if joined.contains(&next) && held > 0 {
                stack[held - 1] = None;
            }
            let here = next;
            next += 1;
            let (taken, left) = instruction.effect();
            let from = held.saturating_sub(taken);
            let arguments = &stack[from..held];
            let result = match (*instruction, arguments) {
                (Instruction::JumpIfFalse(target), [condition]) => {
                    match condition {
                        Some(c) if !is_true(c.at(self.after)) => next = target,
                        Some(_) => {}
                        None => both.push(target),
                    }
                    None
                }
                (Instruction::Jump(target), _) => {
                    if both.contains(&(here + 1)) {
                        held = held.saturating_sub(1);
                        joined.push(target);
                    } else {
                        next = target;
                    }
                    continue;
                }
                (instruction, arguments) => self.apply(program, instruction, arguments),
            };
            held = from + left;
            if left == 1
                && let Some(top) = stack.get_mut(from)
            {
                *top = result;
            }
        }
    }

    /// Adds the switching time at which an affine function reaches zero.
    fn zero(&mut self, line: LinearSegment) {
        self.reaches(line, 0.0);
    }

    /// Adds the switching time at which an affine function reaches a value.
    fn reaches(&mut self, line: LinearSegment, value: f64) {
        let time = (value - line.a) / line.b;
        if time > self.after && time < self.first {
            self.first = time;
        }
    }

    fn apply(
        &mut self,
        program: &Program,
        instruction: Instruction,
        arguments: &[Option<LinearSegment>],
    ) -> Option<LinearSegment> {
        match (instruction, arguments) {
            (Instruction::Constant(value), _) => Some(LinearSegment::constant(value)),
            (Instruction::Time, _) => Some(LinearSegment { a: 0.0, b: 1.0 }),
            (Instruction::AddConstant(value), [x]) => {
                x.map(|x| x.less(LinearSegment::constant(-value)))
            }
            (Instruction::MultiplyConstant(value), [x]) => x.map(|x| x.times(value)),
            (Instruction::Add, &[Some(x), Some(y)]) => Some(x.less(y.times(-1.0))),
            (Instruction::Subtract, &[Some(x), Some(y)]) => Some(x.less(y)),
            (Instruction::Multiply, &[Some(x), Some(y)]) => match (x.is_constant(), y) {
                (true, _) => Some(y.times(x.a)),
                (_, y) if y.is_constant() => Some(x.times(y.a)),
                _ => None,
            },
            (Instruction::Divide, &[Some(x), Some(y)]) if y.is_constant() => {
                Some(x.times(1.0 / y.a))
            }
            (Instruction::Unary(operator), &[Some(x)]) => self.unary(operator, x),
            (Instruction::Binary(operator), &[Some(x), Some(y)]) => self.binary(operator, x, y),
            (Instruction::Ternary(operator), &[Some(x), Some(x0), Some(x1)]) => {
                self.zero(x.less(x0));
                self.zero(x.less(x1));
                let [x, x0, x1] = [x, x0, x1].map(|line| line.at(self.after));
                let inside = x > x0 && x < x1;
                (operator == Ternary::Pulse || !inside)
                    .then(|| LinearSegment::constant(operator.apply(x, x0, x1)))
            }
            (Instruction::Step5, &[Some(t), Some(t0), h0, Some(t1), h1]) => {
                self.zero(t.less(t0));
                self.zero(t.less(t1));
                let [t, t0, t1] = [t, t0, t1].map(|line| line.at(self.after));
                if t <= t0 {
                    h0
                } else if t >= t1 {
                    h1
                } else {
                    None
                }
            }
            (Instruction::Table(index), &[Some(x)]) => {
                let table = &program.tables[index];
                if x.is_constant() {
                    return Some(LinearSegment::constant(table.eval(x.a)));
                }
                let here = x.at(self.after);
                if let Some(corner) = table.corner_beside(here, x.b > 0.0) {
                    self.reaches(x, corner);
                }
                None
            }
            _ => None,
        }
    }

    fn unary(&mut self, operator: Unary, x: LinearSegment) -> Option<LinearSegment> {
        let here = x.at(self.after);
        // the next integer, or half-integer
        let mut whole = |shift: f64| {
            let below = (here + shift).floor() - shift;
            let next = if x.b > 0.0 { below + 1.0 } else { below };
            if !x.is_constant() {
                self.reaches(x, next);
            }
        };
        match operator {
            Unary::Negate => return Some(x.times(-1.0)),
            Unary::Radians | Unary::Degrees => return Some(x.times(operator.apply(1.0))),
            Unary::Abs => {
                self.zero(x);
                return Some(x.times(here.sign()));
            }
            Unary::Sign | Unary::Step => self.zero(x),
            Unary::Floor | Unary::Ceil => whole(0.0),
            Unary::Round => whole(0.5),
            Unary::Not => {}
            _ if x.is_constant() => {}
            _ => return None,
        }
        Some(LinearSegment::constant(operator.apply(here)))
    }

    fn binary(
        &mut self,
        operator: Binary,
        x: LinearSegment,
        y: LinearSegment,
    ) -> Option<LinearSegment> {
        let (here, there) = (x.at(self.after), y.at(self.after));
        match operator {
            Binary::Min | Binary::Max => {
                self.zero(x.less(y));
                let first = operator.apply(here, there) == here;
                return Some(if first { x } else { y });
            }
            Binary::Modulo if y.is_constant() => {
                let turns = (here / y.a).floor();
                let upwards = (x.b > 0.0) == (y.a > 0.0);
                let next = if upwards { turns + 1.0 } else { turns };
                if !x.is_constant() {
                    self.reaches(x, next * y.a);
                }
                return Some(x.less(LinearSegment::constant(turns * y.a)));
            }
            Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
            | Binary::Equal
            | Binary::NotEqual => self.zero(x.less(y)),
            Binary::And | Binary::Or => {}
            _ if x.is_constant() && y.is_constant() => {}
            _ => return None,
        }
        Some(LinearSegment::constant(operator.apply(here, there)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Binding, Extrapolation, Interpolation, TabulatedFunction, compile, parse};
    use super::*;
    use std::sync::Arc;

    fn program(text: &str) -> Program {
        let table = TabulatedFunction::new(
            &[0.0, 1.0, 3.0],
            &[0.0, 2.0, 0.0],
            Interpolation::Linear,
            Extrapolation::Hold,
        );
        let table = Arc::new(table.unwrap());
        let mut resolve = |name: &str| match name {
            "load" => Some(Binding::Table(table.clone())),
            "x" => Some(Binding::Input {
                slot: 0,
                dimension: None,
            }),
            _ => None,
        };
        compile(&parse(text).unwrap(), &mut resolve, &Vec::new).unwrap()
    }

    /// All switching times from 0 to 4.
    fn corners(text: &str) -> Vec<f64> {
        let program = program(text);
        let mut found = Vec::new();
        let mut time = 1e-9;
        loop {
            let corner = program.next_corner(time);
            if corner > 4.0 {
                return found;
            }
            assert!(corner > time, "{text}: {corner} after {time}");
            found.push(corner);
            time = corner + 1e-9;
        }
    }

    #[test]
    fn steps_pulses_and_ramps_switch_where_their_arguments_say() {
        assert_eq!(corners("3*step(t - 0.5)"), [0.5]);
        assert_eq!(corners("pulse(2*t, 1, 1.5)"), [0.5, 0.75]);
        assert_eq!(corners("pulse(1 - t, -1, 0.5) * sin(t)"), [0.5, 2.0]);
        assert_eq!(
            corners("smoothstep(t, 1, 2) + step5(t, 0.25, 0, 3, 1)"),
            [0.25, 1.0, 2.0, 3.0]
        );
        assert_eq!(
            corners("abs(t - 1) + max(t, 2) + clamp(t, 0.5, 3)"),
            [0.5, 1.0, 2.0, 3.0]
        );
        assert_eq!(corners("load(t)"), [1.0, 3.0]);
        assert_eq!(corners("load(t/2 - 0.25)"), [0.5, 2.5]);
        assert_eq!(corners("t < 1.5 ? 3 : 4"), [1.5]);
        assert_eq!(corners("if(t >= 1 and t < 1.25, t, 0)"), [1.0, 1.25]);
    }

    #[test]
    fn pulse_trains_have_infinitely_many_switching_times() {
        assert_eq!(
            corners("pulse(mod(t, 2), 0.5, 1)"),
            [0.5, 1.0, 2.0, 2.5, 3.0, 4.0]
        );
        assert_eq!(corners("floor(t)"), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(corners("ceil(-t/2)"), [2.0, 4.0]);
        assert_eq!(corners("round(t)"), [0.5, 1.5, 2.5, 3.5]);
    }

    #[test]
    fn terms_that_depend_on_signals_or_are_smooth_add_and_hide_no_switching_times() {
        assert!(corners("step(x - 1)").is_empty());
        assert!(corners("sin(t) + exp(-t)").is_empty());
        assert!(corners("step(sin(t))").is_empty());
        assert_eq!(
            corners("x > 1 ? pulse(t, 1, 2) : step(t - 3)"),
            [1.0, 2.0, 3.0]
        );
        assert!(corners("step((x > 1 ? t : 2*t) - 1)").is_empty());
        assert_eq!(corners("x*step(t - 1) + pulse(x, 0, 1)"), [1.0]);
    }

    #[test]
    fn a_formula_has_discontinuities_and_kinks_only_at_its_switching_times() {
        for text in [
            "pulse(mod(t, 0.7), 0.2, 0.45)*3 + abs(t - 2)",
            "min(t, 3 - t, 1) + floor(2.3*t)",
            "t > 1 ? (t < 2 ? t : -t) : round(3*t)",
        ] {
            let (program, corners) = (program(text), corners(text));
            let bend = |t: f64, h: f64| {
                let f = |t| program.eval(t, &[0.0]);
                f(t - h) - 2.0 * f(t) + f(t + h)
            };
            let mut seen = 0;
            for k in 1..4000 {
                let t = f64::from(k) * 1e-3 + 3.3e-4;
                let h = 4e-4;
                let near = corners.iter().any(|c| (c - t).abs() <= h);
                seen += usize::from(near);
                assert!(near || bend(t, h).abs() < 1e-9, "{text} at {t}");
            }
            assert!(seen >= corners.len() / 2, "{text}");
        }
    }
}
