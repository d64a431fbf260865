//! Compiles the syntax tree: binds names, checks dimensions, folds constants.
//!
//! Children precede parents in the tree, so that one loop is sufficient.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::ast::{Ast, NodeId, NodeKind};
use super::functions::{Builtin, builtin, constant, functions, is_time};
use super::inferred_dimension::InferredDimension;
use super::layout::lay_out;
use super::ops::{Binary, Ternary, Unary, is_true, step5};
use super::outside::{MAX_ARGUMENTS, OutsideFunction};
use super::program::Program;
use super::table::TabulatedFunction;
use super::{ExprError, MAX_ERRORS};
use crate::suggest::did_you_mean;
use crate::units::{Dimension, unit_named};

/// The meaning of a name in a formula.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A constant; `None` as its dimension for a bare number.
    Constant {
        /// The value in SI units.
        value: f64,
        /// Its dimension.
        dimension: Option<Dimension>,
    },
    /// The time.
    Time,
    /// A value that is passed to each evaluation.
    Input {
        /// Its index in the inputs.
        slot: usize,
        /// Its dimension.
        dimension: Option<Dimension>,
    },
    /// A table, called like a function.
    Table(Arc<TabulatedFunction>),
    /// A function defined by the calling program.
    Outside(OutsideFunction),
}

/// Compiles a formula. `resolve` returns the meaning of a name; `known` lists the valid names and is called only to suggest one for an unknown name.
///
/// ```
/// use biela_model::expr::{Binding, compile, parse};
///
/// let mut resolve = |name: &str| (name == "speed").then_some(Binding::Input { slot: 0, dimension: None });
/// let known = || vec!["speed".to_owned()];
///
/// let drag = compile(&parse("2.5*speed*abs(speed)").unwrap(), &mut resolve, &known).unwrap();
/// assert_eq!(drag.eval(0.0, &[-2.0]), -10.0);
///
/// let errors = compile(&parse("2.5*sped").unwrap(), &mut resolve, &known).unwrap_err();
/// assert_eq!(errors[0].span, 4..8);
/// assert_eq!(errors[0].help.as_deref(), Some("did you mean `speed`?"));
/// ```
pub fn compile(
    ast: &Ast,
    resolve: &mut dyn FnMut(&str) -> Option<Binding>,
    known: &dyn Fn() -> Vec<String>,
) -> Result<Program, Vec<ExprError>> {
    let mut checker = Checker {
        ast,
        resolve,
        known,
        candidates: OnceCell::new(),
        parts: Vec::new(),
        tables: Vec::new(),
        outside: Vec::new(),
        errors: Vec::new(),
    };
    for index in 0..ast.nodes.len() {
        let part = checker.part(NodeId(index));
        checker.parts.push(part);
    }
    let Checker {
        parts,
        tables,
        outside,
        mut errors,
        ..
    } = checker;
    if !errors.is_empty() {
        errors.sort_by_key(|error| (error.span.start, error.span.end));
        errors.truncate(MAX_ERRORS);
        return Err(errors);
    }
    lay_out(ast, &parts, tables, outside).map_err(|error| vec![error])
}

/// The operation of a node, with its functions and names resolved.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Constant,
    Time,
    Input(usize),
    Table(usize, NodeId),
    Outside {
        index: usize,
        arguments: Vec<NodeId>,
        smooth: bool,
    },
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    Fold(Binary, Vec<NodeId>),
    Clamp([NodeId; 3]),
    Ternary(Ternary, [NodeId; 3]),
    Step5([NodeId; 5]),
    If([NodeId; 3]),
}

pub(super) struct CheckedNode {
    pub(super) operation: Operation,
    pub(super) measure: InferredDimension,
    /// The value, if it is constant.
    pub(super) value: Option<f64>,
}

impl CheckedNode {
    fn constant(value: f64, measure: InferredDimension) -> Self {
        Self {
            operation: Operation::Constant,
            measure,
            value: Some(value),
        }
    }

    fn varying(operation: Operation, measure: InferredDimension) -> Self {
        Self {
            operation,
            measure,
            value: None,
        }
    }

    /// Replaces a part with an error, so that one mistake is reported once.
    fn unknown() -> Self {
        Self::varying(Operation::Constant, InferredDimension::Bare)
    }
}

struct Checker<'a> {
    ast: &'a Ast,
    resolve: &'a mut dyn FnMut(&str) -> Option<Binding>,
    known: &'a dyn Fn() -> Vec<String>,
    /// The result of `known`, once it was called.
    candidates: OnceCell<Vec<String>>,
    parts: Vec<CheckedNode>,
    tables: Vec<Arc<TabulatedFunction>>,
    outside: Vec<OutsideFunction>,
    errors: Vec<ExprError>,
}

impl Checker<'_> {
    fn part(&mut self, id: NodeId) -> CheckedNode {
        let ast = self.ast;
        let node = &ast.nodes[id.0];
        let span = &node.span;
        match &node.kind {
            NodeKind::Number(value) => CheckedNode::constant(*value, InferredDimension::Bare),
            NodeKind::Quantity(value, dimension) => {
                CheckedNode::constant(*value, InferredDimension::Known(*dimension))
            }
            NodeKind::Name(name) => self.name(name, span),
            NodeKind::Unary(operator, operand) => self.unary(*operator, *operand),
            NodeKind::Binary(operator, left, right) => self.binary(*operator, *left, *right, span),
            NodeKind::If(condition, yes, no) => self.choice([*condition, *yes, *no], span),
            NodeKind::Call {
                name,
                name_span,
                arguments,
            } => self.call(name, name_span, arguments, span),
        }
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> CheckedNode {
        if is_time(name) {
            return CheckedNode::varying(Operation::Time, InferredDimension::TIME);
        }
        if let Some(value) = constant(name) {
            return CheckedNode::constant(value, InferredDimension::PURE);
        }
        match (self.resolve)(name) {
            Some(Binding::Constant { value, dimension }) => {
                CheckedNode::constant(value, InferredDimension::of(dimension))
            }
            Some(Binding::Time) => CheckedNode::varying(Operation::Time, InferredDimension::TIME),
            Some(Binding::Input { slot, dimension }) => {
                CheckedNode::varying(Operation::Input(slot), InferredDimension::of(dimension))
            }
            Some(binding @ (Binding::Table(_) | Binding::Outside(_))) => {
                let what = match binding {
                    Binding::Table(_) => "table",
                    _ => "function",
                };
                let error = ExprError::new(span.clone(), format!("`{name}` is a {what}"));
                self.report(error.help(format!("call it like a function: `{name}(t)`")))
            }
            None => {
                let error = ExprError::new(span.clone(), format!("unknown name `{name}`"));
                let help = self.name_help(name);
                self.report(ExprError { help, ..error })
            }
        }
    }

    fn name_help(&self, name: &str) -> Option<String> {
        if let Some((_, usage)) = builtin(name) {
            return Some(format!("`{name}` is a function: write `{usage}`"));
        }
        if unit_named(name).is_some() {
            return Some(format!(
                "if `{name}` is meant as a unit, put the whole unit in brackets after its number: `5 [N*m/rad]`"
            ));
        }
        self.suggestion(name, &["t", "time", "pi", "tau"])
    }

    /// The most similar name of the language and of the context, for the mistakes that are reported.
    fn suggestion(&self, name: &str, language: &[&str]) -> Option<String> {
        if self.errors.len() >= MAX_ERRORS {
            return None;
        }
        let around = self.candidates.get_or_init(self.known);
        did_you_mean(
            name,
            language
                .iter()
                .copied()
                .chain(around.iter().map(String::as_str)),
        )
        .map(|candidate| format!("did you mean `{candidate}`?"))
    }

    fn call(
        &mut self,
        name: &str,
        name_span: &Range<usize>,
        arguments: &[NodeId],
        span: &Range<usize>,
    ) -> CheckedNode {
        let Some((function, usage)) = builtin(name) else {
            return self.table(name, name_span, arguments, span);
        };
        let (least, most) = function.arity();
        if arguments.len() < least || arguments.len() > most {
            let wanted = match least {
                1 if most > 1 => "1 argument or more".to_owned(),
                1 => "1 argument".to_owned(),
                _ => format!("{least} arguments"),
            };
            let message = format!("`{name}` takes {wanted}, not {}", arguments.len());
            return self
                .report(ExprError::new(span.clone(), message).help(format!("write `{usage}`")));
        }
        match (function, arguments) {
            (Builtin::One(operator), [x]) => self.unary(operator, *x),
            (Builtin::Two(operator), [a, b]) => self.binary(operator, *a, *b, span),
            (Builtin::Fold(operator), all) => {
                let measure = self.alike(name, all);
                let value = self
                    .values(all)
                    .and_then(|v| v.into_iter().reduce(|a, b| operator.apply(a, b)));
                CheckedNode {
                    operation: Operation::Fold(operator, all.to_vec()),
                    measure,
                    value,
                }
            }
            (Builtin::Clamp, &[x, low, high]) => {
                let measure = self.alike(name, arguments);
                let value = self
                    .array([x, low, high])
                    .map(|[x, low, high]| Binary::Min.apply(Binary::Max.apply(x, low), high));
                CheckedNode {
                    operation: Operation::Clamp([x, low, high]),
                    measure,
                    value,
                }
            }
            (Builtin::Three(operator), &[x, x0, x1]) => {
                let _ = self.alike(name, arguments);
                let value = self
                    .array([x, x0, x1])
                    .map(|[x, x0, x1]| operator.apply(x, x0, x1));
                CheckedNode {
                    operation: Operation::Ternary(operator, [x, x0, x1]),
                    measure: InferredDimension::PURE,
                    value,
                }
            }
            (Builtin::Step5, &[t, t0, h0, t1, h1]) => {
                let _ = self.alike(name, &[t, t0, t1]);
                let measure = self.alike(name, &[h0, h1]);
                let value = self.array([t, t0, h0, t1, h1]).map(step5);
                CheckedNode {
                    operation: Operation::Step5([t, t0, h0, t1, h1]),
                    measure,
                    value,
                }
            }
            (Builtin::If, &[condition, yes, no]) => self.choice([condition, yes, no], span),
            _ => CheckedNode::unknown(),
        }
    }

    fn table(
        &mut self,
        name: &str,
        name_span: &Range<usize>,
        arguments: &[NodeId],
        span: &Range<usize>,
    ) -> CheckedNode {
        let table = match (self.resolve)(name) {
            Some(Binding::Table(table)) => table,
            Some(Binding::Outside(function)) => {
                return self.outside(name, function, arguments, span);
            }
            Some(_) => {
                let error =
                    ExprError::new(name_span.clone(), format!("`{name}` is not a function"));
                return self
                    .report(error.help(format!("a product is written with `*`: `{name}*(...)`")));
            }
            None => {
                let error = ExprError::new(
                    name_span.clone(),
                    format!("unknown function or table `{name}`"),
                );
                let language: Vec<_> = functions().iter().map(|info| info.name).collect();
                let help = self.suggestion(name, &language);
                return self.report(ExprError { help, ..error });
            }
        };
        let &[x] = arguments else {
            let message = format!(
                "the table `{name}` takes 1 argument, not {}",
                arguments.len()
            );
            return self
                .report(ExprError::new(span.clone(), message).help(format!("write `{name}(t)`")));
        };
        let (of_x, of_y) = table.dimensions();
        if let Err((wanted, found)) = InferredDimension::of(of_x).alike(self.parts[x.0].measure) {
            let message = format!(
                "the argument of table `{name}` must be {}; it is {}",
                wanted.describe(),
                found.describe()
            );
            self.errors.push(ExprError::new(self.span(x), message));
        }
        let value = self.parts[x.0].value.map(|x| table.eval(x));
        self.tables.push(table);
        CheckedNode {
            operation: Operation::Table(self.tables.len() - 1, x),
            measure: InferredDimension::of(of_y),
            value,
        }
    }

    fn outside(
        &mut self,
        name: &str,
        function: OutsideFunction,
        arguments: &[NodeId],
        span: &Range<usize>,
    ) -> CheckedNode {
        let given = arguments.len();
        let most = function.arguments.unwrap_or(MAX_ARGUMENTS);
        if given > most || function.arguments.is_some_and(|wanted| given < wanted) {
            let least = if function.arguments.is_some() {
                ""
            } else {
                "at most "
            };
            let word = if most == 1 { "argument" } else { "arguments" };
            let message = format!("`{name}` takes {least}{most} {word}, not {given}");
            return self.report(ExprError::new(span.clone(), message));
        }
        let (smooth, measure) = (function.smooth, InferredDimension::of(function.dimension));
        self.outside.push(function);
        let operation = Operation::Outside {
            index: self.outside.len() - 1,
            arguments: arguments.to_vec(),
            smooth,
        };
        // an external function may return another value next time: never a constant
        CheckedNode::varying(operation, measure)
    }

    fn unary(&mut self, operator: Unary, operand: NodeId) -> CheckedNode {
        let of_x = self.parts[operand.0].measure;
        let measure = match operator {
            Unary::Negate | Unary::Abs | Unary::Floor | Unary::Ceil | Unary::Round => of_x,
            Unary::Square => of_x.power(2, 1),
            Unary::PowI(n) => of_x.power(n, 1),
            Unary::Sqrt => of_x.power(1, 2),
            Unary::Cbrt => of_x.power(1, 3),
            Unary::Not | Unary::Sign | Unary::Step => InferredDimension::PURE,
            Unary::Degrees | Unary::Radians => {
                self.want_pure(operand, operator);
                InferredDimension::Bare
            }
            _ => {
                self.want_pure(operand, operator);
                InferredDimension::PURE
            }
        };
        let value = self.parts[operand.0].value.map(|x| operator.apply(x));
        CheckedNode {
            operation: Operation::Unary(operator, operand),
            measure,
            value,
        }
    }

    /// Reports an argument that must be dimensionless or an angle but is not.
    fn want_pure(&mut self, operand: NodeId, operator: Unary) {
        if let Err(found) = self.parts[operand.0].measure.pure() {
            let function = functions()
                .iter()
                .find(|info| builtin(info.name).map(|b| b.0) == Some(Builtin::One(operator)));
            let name = function.map_or("this", |info| info.name);
            let message = format!(
                "the argument of `{name}` must be a plain number or angle; it is {}",
                found.describe()
            );
            self.errors
                .push(ExprError::new(self.span(operand), message));
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: NodeId,
        right: NodeId,
        span: &Range<usize>,
    ) -> CheckedNode {
        let (a, b) = (self.parts[left.0].measure, self.parts[right.0].measure);
        if operator == Binary::Power {
            return self.power(left, right);
        }
        let verb = match operator {
            Binary::Add => "add",
            Binary::Subtract => "subtract",
            Binary::Modulo => "take the remainder of",
            Binary::Atan2 | Binary::Hypot => "combine",
            _ => "compare",
        };
        let measure = match operator {
            Binary::Multiply => a.times(b),
            Binary::Divide => a.over(b),
            Binary::And | Binary::Or => InferredDimension::PURE,
            _ => {
                let alike = a.alike(b).unwrap_or_else(|(first, second)| {
                    let message = format!(
                        "cannot {verb} {} and {}",
                        first.describe(),
                        second.describe()
                    );
                    self.errors.push(ExprError::new(span.clone(), message));
                    InferredDimension::Bare
                });
                match operator {
                    Binary::Add | Binary::Subtract | Binary::Modulo | Binary::Hypot => alike,
                    _ => InferredDimension::PURE,
                }
            }
        };
        let value = self.array([left, right]).map(|[a, b]| operator.apply(a, b));
        CheckedNode {
            operation: Operation::Binary(operator, left, right),
            measure,
            value,
        }
    }

    /// A power: integer exponents become products, which are exact for negative bases and at zero.
    fn power(&mut self, base: NodeId, exponent: NodeId) -> CheckedNode {
        if let Err(found) = self.parts[exponent.0].measure.pure() {
            let message = format!(
                "an exponent must be a plain number; this is {}",
                found.describe()
            );
            self.errors
                .push(ExprError::new(self.span(exponent), message));
        }
        let of_base = self.parts[base.0].measure;
        let Some(n) = self.parts[exponent.0].value else {
            if let Err(found) = of_base.pure() {
                let message = format!(
                    "{} can only be raised to a constant power",
                    found.describe()
                );
                self.errors
                    .push(ExprError::new(self.span(exponent), message));
            }
            let measure = if of_base == InferredDimension::Bare {
                InferredDimension::Bare
            } else {
                InferredDimension::PURE
            };
            return CheckedNode::varying(Operation::Binary(Binary::Power, base, exponent), measure);
        };
        let whole = n.fract() == 0.0 && n.abs() <= 1024.0;
        if whole {
            let operator = if n == 2.0 {
                Unary::Square
            } else {
                Unary::PowI(n as i32)
            };
            return self.unary(operator, base);
        }
        // exponents of dimensions are stored in twelfths
        let twelfths = n * 12.0;
        let measure = if twelfths.fract() == 0.0 && twelfths.abs() <= 12_288.0 {
            of_base.power(twelfths as i32, 12)
        } else {
            InferredDimension::Bare
        };
        let value = self.parts[base.0].value.map(|x| Binary::Power.apply(x, n));
        CheckedNode {
            operation: Operation::Binary(Binary::Power, base, exponent),
            measure,
            value,
        }
    }

    fn choice(&mut self, [condition, yes, no]: [NodeId; 3], span: &Range<usize>) -> CheckedNode {
        let (a, b) = (self.parts[yes.0].measure, self.parts[no.0].measure);
        let measure = a.alike(b).unwrap_or_else(|(first, second)| {
            let message = format!(
                "the two alternatives have different units: one is {}, the other {}",
                first.describe(),
                second.describe()
            );
            self.errors.push(ExprError::new(span.clone(), message));
            InferredDimension::Bare
        });
        let value = self.parts[condition.0].value.and_then(|c| {
            let chosen = if is_true(c) { yes } else { no };
            self.parts[chosen.0].value
        });
        CheckedNode {
            operation: Operation::If([condition, yes, no]),
            measure,
            value,
        }
    }

    /// The common dimension of arguments that must agree; each one that does not is reported.
    fn alike(&mut self, function: &str, arguments: &[NodeId]) -> InferredDimension {
        let mut common: Option<InferredDimension> = None;
        let mut any_bare = false;
        for argument in arguments {
            let measure = self.parts[argument.0].measure;
            if measure == InferredDimension::Bare {
                any_bare = true;
                continue;
            }
            match common.map_or(Ok(measure), |common| common.alike(measure)) {
                Ok(alike) => common = Some(alike),
                Err((before, found)) => {
                    let (before, found) = (before.describe(), found.describe());
                    let message = format!("`{function}` cannot compare {before} and {found}");
                    self.errors
                        .push(ExprError::new(self.span(*argument), message));
                }
            }
        }
        match common {
            Some(known @ InferredDimension::Known(_)) => known,
            Some(soft) if !any_bare => soft,
            _ => InferredDimension::Bare,
        }
    }

    fn values(&self, ids: &[NodeId]) -> Option<Vec<f64>> {
        ids.iter().map(|id| self.parts[id.0].value).collect()
    }

    fn array<const N: usize>(&self, ids: [NodeId; N]) -> Option<[f64; N]> {
        let mut values = [0.0; N];
        for (value, id) in values.iter_mut().zip(ids) {
            *value = self.parts[id.0].value?;
        }
        Some(values)
    }

    fn span(&self, id: NodeId) -> Range<usize> {
        self.ast.nodes[id.0].span.clone()
    }

    fn report(&mut self, error: ExprError) -> CheckedNode {
        self.errors.push(error);
        CheckedNode::unknown()
    }
}
