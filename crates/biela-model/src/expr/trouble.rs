//! Descriptions of failed operations in a formula, in words that follow "it has".

use super::functions::word;
use super::ops::{Binary, Unary};
use super::program::Instruction;

/// Describes the result of an instruction on the two topmost values, of which it may have used only the last; `slope` is set if the value is finite but its
/// first or second derivative is not.
pub(super) fn words(instruction: Instruction, values: [f64; 2], slope: bool) -> String {
    let [a, b] = values.map(short);
    let called = |name: &str| match instruction.effect().0 {
        1 => format!("{name}({b})"),
        2 => format!("{name}({a}, {b})"),
        _ => name.to_owned(),
    };
    let what = match instruction {
        Instruction::Divide | Instruction::Binary(Binary::Divide) if b == 0.0 => {
            return format!("a division by zero, {a}/{b}");
        }
        Instruction::Divide | Instruction::Binary(Binary::Divide) => format!("{a}/{b}"),
        Instruction::Binary(Binary::Modulo) if b == 0.0 => {
            return format!("a division by zero, {a} % {b}");
        }
        Instruction::Add | Instruction::Binary(Binary::Add) => format!("{a} + {b}"),
        Instruction::Subtract | Instruction::Binary(Binary::Subtract) => format!("{a} - {b}"),
        Instruction::Multiply | Instruction::Binary(Binary::Multiply) => format!("{a} * {b}"),
        Instruction::AddConstant(c) => format!("{b} + {c}"),
        Instruction::MultiplyConstant(c) => format!("{b} * {c}"),
        Instruction::Binary(Binary::Power) => format!("{a}^{b}"),
        Instruction::Unary(Unary::Square) => format!("{b}^2"),
        Instruction::Unary(Unary::PowI(n)) => format!("{b}^{n}"),
        Instruction::Unary(Unary::Sqrt) if b < 0.0 => return format!("the square root of {b}"),
        Instruction::Unary(Unary::Ln | Unary::Log10) if b <= 0.0 => {
            return format!("the logarithm of {b}");
        }
        Instruction::Unary(operation) => called(word(operation).unwrap_or("a function")),
        Instruction::Table(_) => format!("a table at x = {b}"),
        Instruction::Outside(..) => {
            return "an external function that returns NaN or infinity".to_owned();
        }
        Instruction::Binary(Binary::Atan2) => called("atan2"),
        Instruction::Binary(Binary::Hypot) => called("hypot"),
        _ => return "a value that is NaN or infinite".to_owned(),
    };
    if slope {
        format!("{what}, whose first or second derivative is NaN or infinite")
    } else {
        format!("{what}, which is NaN or infinite")
    }
}

/// A number rounded to its significant digits.
fn short(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}
