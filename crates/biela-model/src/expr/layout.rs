//! Code generation: checked parts to instructions.
//!
//! An explicit work list replaces recursion, so that a long formula cannot overflow the stack.

use std::ops::Range;
use std::sync::Arc;

use super::ast::{Ast, NodeId};
use super::compile::{CheckedNode, Operation};
use super::ops::{Binary, Ternary, Unary, is_true};
use super::outside::OutsideFunction;
use super::program::{Continuity, Instruction, Program};
use super::table::TabulatedFunction;
use super::{ExprError, MAX_DEPTH};

/// A pending task of code generation.
enum CodeTask {
    Visit(NodeId),
    Emit(Instruction),
    /// After the condition: jump over the first side.
    OpenChoice,
    /// After the first side: jump over the second.
    MiddleOfChoice,
    CloseChoice,
}

/// Returns the program of checked parts.
pub(super) fn lay_out(
    ast: &Ast,
    parts: &[CheckedNode],
    tables: Vec<Arc<TabulatedFunction>>,
    outside: Vec<OutsideFunction>,
) -> Result<Program, ExprError> {
    let root = NodeId(parts.len() - 1);
    let mut layout = CodeLayout::default();
    let mut tasks = vec![CodeTask::Visit(root)];
    while let Some(task) = tasks.pop() {
        match task {
            CodeTask::Visit(id) => layout.visit(ast, parts, &tables, id, &mut tasks),
            CodeTask::Emit(instruction) => layout.emit(instruction),
            CodeTask::OpenChoice => {
                layout.open.push(layout.code.len());
                layout.emit(Instruction::JumpIfFalse(0));
            }
            CodeTask::MiddleOfChoice => {
                let middle = layout.code.len();
                layout.emit(Instruction::Jump(0));
                layout.land();
                layout.open.push(middle);
                // The second side starts with the same stack as the first.
                layout.held -= 1;
            }
            CodeTask::CloseChoice => layout.land(),
        }
    }
    if layout.depth > MAX_DEPTH {
        let message = format!(
            "the formula needs {} intermediate values; at most {MAX_DEPTH} are allowed",
            layout.depth
        );
        return Err(
            ExprError::new(0..ast.length, message).help("move the inner part into a parameter")
        );
    }
    let CodeLayout {
        code,
        depth,
        mut slots,
        uses_time,
        roughest,
        ..
    } = layout;
    slots.sort_unstable();
    slots.dedup();
    Ok(Program {
        switchings: Program::find_switchings(&code),
        code,
        tables,
        outside,
        depth,
        measure: parts[root.0].measure,
        slots,
        uses_time,
        roughest,
        length: ast.length,
    })
}

#[derive(Default)]
struct CodeLayout {
    code: Vec<Instruction>,
    /// The current and the maximum number of values on the stack.
    held: usize,
    depth: usize,
    /// Jumps whose target is not yet known.
    open: Vec<usize>,
    slots: Vec<usize>,
    uses_time: bool,
    roughest: Option<(Continuity, Range<usize>)>,
}

impl CodeLayout {
    fn visit(
        &mut self,
        ast: &Ast,
        parts: &[CheckedNode],
        tables: &[Arc<TabulatedFunction>],
        id: NodeId,
        tasks: &mut Vec<CodeTask>,
    ) {
        let part = &parts[id.0];
        if let Some(value) = part.value {
            self.emit(Instruction::Constant(value));
            return;
        }
        if let Operation::If([condition, yes, no]) = &part.operation
            && let Some(c) = parts[condition.0].value
        {
            tasks.push(CodeTask::Visit(if is_true(c) { *yes } else { *no }));
            return;
        }
        let continuity = continuity(&part.operation, tables);
        if continuity
            < self
                .roughest
                .as_ref()
                .map_or(Continuity::Curvature, |(least, _)| *least)
        {
            self.roughest = Some((continuity, ast.nodes[id.0].span.clone()));
        }
        let operation = |ids: &[NodeId], last: Instruction| {
            ids.iter()
                .copied()
                .map(CodeTask::Visit)
                .chain([CodeTask::Emit(last)])
                .collect::<Vec<_>>()
        };
        let list = match &part.operation {
            Operation::Constant => Vec::new(),
            Operation::Time => {
                self.uses_time = true;
                operation(&[], Instruction::Time)
            }
            Operation::Input(slot) => {
                self.slots.push(*slot);
                operation(&[], Instruction::Input(*slot))
            }
            Operation::Table(index, x) => operation(&[*x], Instruction::Table(*index)),
            Operation::Outside {
                index, arguments, ..
            } => operation(arguments, Instruction::Outside(*index, arguments.len())),
            Operation::Unary(operator, x) => operation(&[*x], Instruction::Unary(*operator)),
            Operation::Binary(operator, a, b) => {
                match (operator, parts[a.0].value, parts[b.0].value) {
                    (Binary::Add, Some(c), _) => operation(&[*b], Instruction::AddConstant(c)),
                    (Binary::Add, _, Some(c)) => operation(&[*a], Instruction::AddConstant(c)),
                    (Binary::Subtract, _, Some(c)) => {
                        operation(&[*a], Instruction::AddConstant(-c))
                    }
                    (Binary::Multiply, Some(c), _) => {
                        operation(&[*b], Instruction::MultiplyConstant(c))
                    }
                    (Binary::Multiply, _, Some(c)) => {
                        operation(&[*a], Instruction::MultiplyConstant(c))
                    }
                    _ => operation(&[*a, *b], binary_instruction(*operator)),
                }
            }
            Operation::Fold(operator, all) => {
                let (first, rest) = all.split_at(all.len().min(1));
                let mut list: Vec<_> = first.iter().copied().map(CodeTask::Visit).collect();
                list.extend(rest.iter().flat_map(|id| {
                    [
                        CodeTask::Visit(*id),
                        CodeTask::Emit(Instruction::Binary(*operator)),
                    ]
                }));
                list
            }
            Operation::Clamp([x, low, high]) => {
                let mut list = operation(&[*x, *low], Instruction::Binary(Binary::Max));
                list.extend(operation(&[*high], Instruction::Binary(Binary::Min)));
                list
            }
            Operation::Ternary(operator, ids) => operation(ids, Instruction::Ternary(*operator)),
            Operation::Step5(ids) => operation(ids, Instruction::Step5),
            Operation::If([condition, yes, no]) => vec![
                CodeTask::Visit(*condition),
                CodeTask::OpenChoice,
                CodeTask::Visit(*yes),
                CodeTask::MiddleOfChoice,
                CodeTask::Visit(*no),
                CodeTask::CloseChoice,
            ],
        };
        // Tasks are processed from the end.
        tasks.extend(list.into_iter().rev());
    }

    fn emit(&mut self, instruction: Instruction) {
        let (taken, left) = instruction.effect();
        self.held = self.held.saturating_sub(taken) + left;
        self.depth = self.depth.max(self.held);
        self.code.push(instruction);
    }

    /// Sets the target of the innermost open jump to the next instruction.
    fn land(&mut self) {
        let target = self.code.len();
        if let Some(instruction) = self.open.pop().and_then(|at| self.code.get_mut(at)) {
            *instruction = match instruction {
                Instruction::JumpIfFalse(_) => Instruction::JumpIfFalse(target),
                _ => Instruction::Jump(target),
            };
        }
    }
}

fn binary_instruction(operator: Binary) -> Instruction {
    match operator {
        Binary::Add => Instruction::Add,
        Binary::Subtract => Instruction::Subtract,
        Binary::Multiply => Instruction::Multiply,
        Binary::Divide => Instruction::Divide,
        other => Instruction::Binary(other),
    }
}

/// The continuity of an operation whose arguments vary.
fn continuity(operation: &Operation, tables: &[Arc<TabulatedFunction>]) -> Continuity {
    match operation {
        Operation::Table(index, _) => tables[*index].continuity(),
        Operation::Unary(Unary::Abs, _)
        | Operation::Binary(Binary::Hypot, ..)
        | Operation::Clamp(_)
        | Operation::Fold(..) => Continuity::Value,
        Operation::Unary(
            Unary::Not | Unary::Sign | Unary::Step | Unary::Floor | Unary::Ceil | Unary::Round,
            _,
        )
        | Operation::Binary(
            Binary::Modulo
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
            | Binary::Equal
            | Binary::NotEqual
            | Binary::And
            | Binary::Or
            | Binary::Atan2,
            ..,
        )
        | Operation::Ternary(Ternary::Pulse, _)
        | Operation::If(_)
        | Operation::Outside { smooth: false, .. } => Continuity::Jump,
        Operation::Ternary(Ternary::Smoothstep, _) => Continuity::Rate,
        Operation::Constant
        | Operation::Time
        | Operation::Input(_)
        | Operation::Outside { .. }
        | Operation::Unary(..)
        | Operation::Binary(..)
        | Operation::Step5(_) => Continuity::Curvature,
    }
}
