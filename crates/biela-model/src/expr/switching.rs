//! Switching functions: at their sign changes a formula of signals has a discontinuity or a kink.
//!
//! `pulse(x, a, b)` has `x - a` and `x - b`, `abs(x)` has `x`, `max(x, y)` has `x - y`, `x < y ? ... : ...` has `x - y`, and `floor(x)` has `sin(pi x)`. Those
//! that depend on time alone are known in advance, see [`Program::next_corner`]; tables have none.

use super::ops::{Binary, Ternary, Unary};
use super::program::{Instruction, Program};

impl Instruction {
    /// The number of its switching functions.
    fn switchings(self) -> usize {
        match self {
            Self::Unary(
                Unary::Abs | Unary::Sign | Unary::Step | Unary::Floor | Unary::Ceil | Unary::Round,
            )
            | Self::Binary(
                Binary::Min
                | Binary::Max
                | Binary::Modulo
                | Binary::Less
                | Binary::LessOrEqual
                | Binary::Greater
                | Binary::GreaterOrEqual
                | Binary::Equal
                | Binary::NotEqual,
            ) => 1,
            Self::Ternary(_) | Self::Step5 => 2,
            _ => 0,
        }
    }

    /// The values of its switching functions for these operands, the last of which is on top.
    fn switching_values(self, taken: &[f64; 5]) -> [f64; 2] {
        let [a, b, c, d, e] = *taken;
        match self {
            Self::Unary(Unary::Floor | Unary::Ceil) => [(std::f64::consts::PI * e).sin(), 0.0],
            Self::Unary(Unary::Round) => [(std::f64::consts::PI * e).cos(), 0.0],
            Self::Unary(_) => [e, 0.0],
            Self::Binary(Binary::Modulo) => [(std::f64::consts::PI * d / e).sin(), 0.0],
            Self::Binary(_) => [d - e, 0.0],
            Self::Ternary(_) => [c - d, c - e],
            Self::Step5 => [a - b, a - d],
            _ => [0.0; 2],
        }
    }
}

impl Program {
    /// The instructions that have switching functions and depend on signals: index and number of functions.
    pub(super) fn find_switchings(code: &[Instruction]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        // whether each value on the stack depends on a signal; the other side of each choice, with the index where the sides join
        let mut stack: Vec<bool> = Vec::new();
        let mut sides: Vec<(usize, bool)> = Vec::new();
        for (place, instruction) in code.iter().enumerate() {
            while let Some(k) = sides.iter().position(|(meet, _)| *meet == place) {
                let (_, depends) = sides.swap_remove(k);
                if let Some(top) = stack.last_mut() {
                    *top |= depends;
                }
            }
            let (taken, left) = instruction.effect();
            let from = stack.len().saturating_sub(taken);
            let depends = stack.drain(from..).any(|one| one);
            match *instruction {
                Instruction::Jump(meet) => {
                    let first = stack.pop().unwrap_or(false);
                    sides.push((meet, first));
                }
                Instruction::Input(_) => stack.push(true),
                _ if left == 1 => stack.push(depends),
                _ => {}
            }
            if depends && instruction.switchings() > 0 {
                found.push((place, instruction.switchings()));
            }
        }
        found
    }

    /// The number of switching functions of signals.
    pub fn num_switchings(&self) -> usize {
        self.switchings.iter().map(|(_, count)| count).sum()
    }

    /// Returns `true` if the value may be discontinuous at a sign change of switching function `k`; otherwise it has a kink.
    pub fn jumps(&self, k: usize) -> bool {
        let mut slot = 0;
        let at = self.switchings.iter().find(|(_, count)| {
            slot += count;
            k < slot
        });
        let continuous = |instruction: Instruction| {
            matches!(
                instruction,
                Instruction::Unary(Unary::Abs)
                    | Instruction::Binary(Binary::Min | Binary::Max)
                    | Instruction::Ternary(Ternary::Smoothstep)
                    | Instruction::Step5
            )
        };
        at.is_some_and(|(place, _)| !continuous(self.code[*place]))
    }

    /// Computes the values of all switching functions of signals; NaN for those in the side of a choice that is not taken.
    ///
    /// ```
    /// use biela_model::expr::{Binding, compile, parse};
    ///
    /// let mut x = |name: &str| (name == "x").then_some(Binding::Input { slot: 0, dimension: None });
    /// let knock = compile(&parse("5*pulse(x, 1, 1.5)").unwrap(), &mut x, &Vec::new).unwrap();
    /// let mut values = [0.0; 2];
    /// knock.switchings(0.0, &[1.25], &mut values);
    /// assert_eq!(values, [0.25, -0.25]);
    /// ```
    pub fn switchings(&self, time: f64, inputs: &[f64], out: &mut [f64]) {
        out.fill(f64::NAN);
        let _ = self.run_seen(time, inputs, |place, taken, _| {
            let mut slot = 0;
            for &(at, count) in &self.switchings {
                if at == place {
                    let values = self.code[place].switching_values(taken);
                    for (out, value) in out[slot..].iter_mut().zip(&values[..count]) {
                        *out = *value;
                    }
                }
                slot += count;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Binding, compile, parse};

    fn values(text: &str, time: f64, x: f64) -> Vec<f64> {
        let mut resolve = |name: &str| {
            (name == "x").then_some(Binding::Input {
                slot: 0,
                dimension: None,
            })
        };
        let program = compile(&parse(text).unwrap(), &mut resolve, &Vec::new).unwrap();
        let mut values = vec![0.0; program.num_switchings()];
        program.switchings(time, &[x], &mut values);
        values
    }

    #[test]
    fn switching_functions_of_signals_are_found_and_those_of_time_are_not() {
        assert_eq!(values("pulse(2*x, 1, 4)", 0.0, 1.0), [1.0, -2.0]);
        assert_eq!(values("abs(x - 3) + max(x, 0.5)", 0.0, 2.0), [-1.0, 1.5]);
        assert_eq!(values("step(t - 1) + step(x - t)", 0.5, 2.0), [1.5]);
        assert_eq!(values("step5(x, 0.25, 0, 3, 1)", 0.0, 1.0), [0.75, -2.0]);
        assert!(values("abs(t)*x + sin(x)", 0.0, 1.0).is_empty());
    }

    #[test]
    fn the_unevaluated_side_of_a_conditional_has_no_switching_function() {
        let taken = values("x > 1 ? abs(x - 5) : sign(x + 2)", 0.0, 2.0);
        assert_eq!(taken[..2], [1.0, -3.0]);
        assert!(taken[2].is_nan());
        let other = values("x > 1 ? abs(x - 5) : sign(x + 2)", 0.0, 0.0);
        assert!(other[1].is_nan());
        assert_eq!(other[2], 2.0);
        // the value of a choice depends on signals where either side does
        assert_eq!(values("step((t > 1 ? x : 2) - 3)", 2.0, 4.0), [1.0]);
    }
}
