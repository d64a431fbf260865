//! Formulas in the strings of a model: binds names to parameters, tables and signals, and reports errors at their location.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use biela_core::math::Jet;
use biela_core::model::{Law, MAX_INPUTS, Signal, SignalFunction, Stage};

use super::parameters::{Constants, NameMeaning};
use super::signals::{Lookup, Signals};
use crate::diagnostic::{Diagnostic, Diagnostics, Span, Spanned};
use crate::expr::{self, Binding, ExprError, Program};
use crate::units::{Dimension, unit_named};

/// A text and its source span.
#[derive(Clone, Copy)]
pub(super) struct WrittenFormula<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
    /// Set if the span includes quotes around the text.
    pub(super) quoted: bool,
}

impl WrittenFormula<'_> {
    /// The source span of a byte range of the text.
    pub(super) fn place(&self, range: Range<usize>) -> Span {
        if self.quoted {
            let spanned = Spanned {
                value: self.text,
                span: self.span,
            };
            return spanned.inside(range);
        }
        let start = self.span.start as usize;
        Span::new(self.span.source, start + range.start..start + range.end)
    }
}

/// The values that a formula may read in addition to parameters and tables.
#[derive(Clone, Copy)]
pub(super) enum Reads<'s> {
    /// None: its value is known before the run.
    Nothing,
    /// Time.
    Time,
    /// Time and the names of a controller, whose formulas are evaluated only at sampling instants.
    Local(&'s [LocalName]),
    /// Time and signals up to a stage; the text names the reader, as in "a force cannot read it".
    Signals(&'s Signals<'s>, Stage, &'static str),
}

/// A name of a controller; its value is the input of a formula with the index of the name.
#[derive(Clone, Debug)]
pub(super) struct LocalName {
    pub(super) name: String,
    pub(super) dimension: Option<Dimension>,
    /// Set if it is valid.
    pub(super) whole: bool,
}

/// A formula with its input signals.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub(super) program: Program,
    pub(super) inputs: Vec<Signal>,
    /// The stage after which its value can be computed.
    pub(super) stage: Stage,
}

impl Formula {
    pub(super) fn into_law(self) -> Law {
        match self.program.constant() {
            Some(value) => Law::Constant(value),
            None => Law::Function {
                inputs: self.inputs.into(),
                function: Arc::new(Compiled::new(self.program)),
            },
        }
    }
}

/// A compiled program as a function of the model.
#[derive(Debug)]
pub(super) struct Compiled {
    program: Program,
    /// The number of inputs that the program requires.
    inputs: usize,
    /// The input that is the value.
    alone: Option<usize>,
}

impl Compiled {
    pub(super) fn new(program: Program) -> Self {
        let inputs = program.input_slots().last().map_or(0, |slot| slot + 1);
        let alone = program.input_alone();
        Self {
            program,
            inputs,
            alone,
        }
    }
}

impl SignalFunction for Compiled {
    fn value(&self, time: f64, inputs: &[f64]) -> f64 {
        if inputs.len() < self.inputs {
            return f64::NAN;
        }
        match self.alone {
            Some(slot) => inputs[slot],
            None => self.program.eval(time, inputs),
        }
    }

    fn jet(&self, time: f64) -> Jet {
        if self.inputs > 0 {
            return Jet::new(f64::NAN, f64::NAN, f64::NAN);
        }
        self.program.eval(Jet::time(time), &[])
    }

    fn trouble(&self, time: f64, inputs: &[f64]) -> Option<String> {
        if inputs.len() < self.inputs {
            return None;
        }
        let of_value = self.program.trouble(time, inputs, |x| x.is_finite());
        of_value.or_else(|| {
            let is_finite = |x: &Jet| (x.value + x.rate + x.curvature).is_finite();
            let alone = self.inputs == 0;
            alone.then(|| self.program.trouble(Jet::time(time), &[], is_finite))?
        })
    }

    fn next_corner(&self, after: f64) -> f64 {
        self.program.next_corner(after)
    }

    fn num_switchings(&self) -> usize {
        self.program.num_switchings()
    }

    fn jumps(&self, k: usize) -> bool {
        self.program.jumps(k)
    }

    fn switchings(&self, time: f64, inputs: &[f64], out: &mut [f64]) {
        if inputs.len() < self.inputs {
            out.fill(f64::NAN);
        } else {
            self.program.switchings(time, inputs, out);
        }
    }
}

/// The reason why a name is invalid in this context: the message, and advice.
type NameRefusal = (&'static str, String, Option<String>);

/// Compiles a formula for a key called `what` in messages; `None` if an error was reported, here or before.
pub(super) fn compile(
    written: &WrittenFormula<'_>,
    what: &str,
    constants: &Constants,
    reads: Reads<'_>,
    wanted: Option<Dimension>,
    diagnostics: &Diagnostics,
) -> Option<Formula> {
    let report = |code: &'static str, error: ExprError| {
        let message = match error.message.strip_prefix("it ") {
            Some(predicate) => format!("{what} {predicate}"),
            None => format!("{what}: {}", error.message),
        };
        diagnostics.push(
            Diagnostic::error(code, message)
                .at(written.place(error.span), "")
                .maybe_help(error.help),
        );
    };
    let ast = match expr::parse(written.text) {
        Ok(ast) => ast,
        Err(error) => {
            report("formula", error);
            return None;
        }
    };

    let whole = ast.is_quantity();
    if let Some(error) = ambiguous_unit(written.text, whole, constants) {
        report("ambiguous-unit", error);
        return None;
    }

    let tainted = Cell::new(false);
    let refused: RefCell<BTreeMap<String, NameRefusal>> = RefCell::default();
    let inputs: RefCell<Vec<Signal>> = RefCell::default();
    let latest = Cell::new(Stage::Position);
    let unknown = RefCell::new(String::new());
    // A placeholder for an invalid name that is reported elsewhere.
    let stand_in = || {
        tainted.set(true);
        Some(Binding::Constant {
            value: 1.0,
            dimension: None,
        })
    };
    let refuse = |name: &str, refusal: NameRefusal| {
        let _ = refused.borrow_mut().insert(name.to_owned(), refusal);
        None
    };
    let mut resolve = |name: &str| {
        match constants.find(name) {
            NameMeaning::Binding(binding) => return Some(binding),
            NameMeaning::Broken => return stand_in(),
            NameMeaning::Unknown => name.clone_into(&mut unknown.borrow_mut()),
        }
        let Reads::Signals(signals, until, reader) = reads else {
            // the path of an instance may begin the name of a misspelt parameter
            let is_signal = name.contains('.') && !constants.have_path_of(name);
            if let Reads::Local(local) = reads {
                return match local_input(local, name) {
                    NameMeaning::Binding(input) => Some(input),
                    NameMeaning::Broken => stand_in(),
                    NameMeaning::Unknown if is_signal => refuse(name, not_an_input(name)),
                    NameMeaning::Unknown => None,
                };
            }
            return match reads {
                Reads::Nothing if is_signal => refuse(name, before_the_run(name)),
                Reads::Time if is_signal => refuse(name, time_only(name)),
                _ => None,
            };
        };
        match signals.find(name) {
            Lookup::Found {
                signal,
                dimension,
                stage,
            } if stage <= until => {
                latest.set(latest.get().max(stage));
                let mut inputs = inputs.borrow_mut();
                let slot = inputs.iter().position(|earlier| *earlier == signal);
                let slot = slot.unwrap_or_else(|| {
                    inputs.push(signal);
                    inputs.len() - 1
                });
                Some(Binding::Input { slot, dimension })
            }
            Lookup::Found { stage, .. } => refuse(name, too_late(name, stage, reader)),
            Lookup::Broken => stand_in(),
            Lookup::Unknown => None,
        }
    };
    let known = || {
        if diagnostics.is_crowded() {
            return Vec::new();
        }
        known_names(constants, reads, &unknown.borrow())
    };
    let program = match expr::compile(&ast, &mut resolve, &known) {
        Ok(program) => program,
        Err(errors) => {
            let names: Vec<&str> = match reads {
                Reads::Signals(signals, ..) => signals.elements().collect(),
                _ => Vec::new(),
            };
            report_errors(
                written.text,
                errors,
                (&refused.into_inner(), &names),
                report,
            );
            return None;
        }
    };
    if let Some(wanted) = wanted
        && let Err(error) = program.expect(wanted)
    {
        report("wrong-unit", error);
        return None;
    }
    let inputs = inputs.into_inner();
    if let Some((code, error)) = unusable(&program, &inputs, tainted.get(), written.text) {
        report(code, error);
        return None;
    }
    (!tainted.get()).then_some(Formula {
        program,
        inputs,
        stage: latest.get(),
    })
}

/// Returns the meaning of a name of a controller.
fn local_input(local: &[LocalName], name: &str) -> NameMeaning {
    let slot = local.iter().position(|known| known.name == name);
    match slot.map(|slot| (slot, &local[slot])) {
        Some((_, known)) if !known.whole => NameMeaning::Broken,
        Some((slot, known)) => NameMeaning::Binding(Binding::Input {
            slot,
            dimension: known.dimension,
        }),
        None => NameMeaning::Unknown,
    }
}

/// Returns the names that a formula may read, among signals those near an unknown one.
fn known_names(constants: &Constants, reads: Reads<'_>, unknown: &str) -> Vec<String> {
    let mut names = constants.names();
    match reads {
        Reads::Signals(signals, ..) => names.extend(signals.near(unknown)),
        Reads::Local(local) => names.extend(local.iter().map(|known| known.name.clone())),
        Reads::Nothing | Reads::Time => {}
    }
    names
}

/// Reports the errors of a formula, with the reasons why names were refused; `names` are those of elements.
fn report_errors(
    text: &str,
    errors: Vec<ExprError>,
    (refused, names): (&BTreeMap<String, NameRefusal>, &[&str]),
    report: impl Fn(&'static str, ExprError),
) {
    let mut told = 0;
    for error in errors {
        // the parts of one name, or of one unit, count as one error
        if error.span.start < told {
            continue;
        }
        let unknown = error.message.starts_with("unknown name ");
        let rewritten = unknown.then(|| rewritten(text, &error.span, names));
        if let Some(error) = rewritten.flatten() {
            told = error.span.end;
            report("formula", error);
            continue;
        }
        let refusal = refused
            .iter()
            .find(|(name, _)| error.message == format!("unknown name `{name}`"));
        match refusal {
            Some((_, (code, message, help))) => report(
                code,
                ExprError {
                    span: error.span,
                    message: message.clone(),
                    help: help.clone(),
                },
            ),
            None => report("formula", error),
        }
    }
}

/// Returns why a compiled formula cannot be used, if so; a constant with a placeholder is not judged.
fn unusable(
    program: &Program,
    inputs: &[Signal],
    tainted: bool,
    text: &str,
) -> Option<(&'static str, ExprError)> {
    let error = |message: String, help: &str| ExprError {
        span: 0..text.len(),
        message,
        help: Some(help.to_owned()),
    };
    if program.constant().is_some_and(|value| !value.is_finite()) && !tainted {
        let message = "the result is NaN or infinite".to_owned();
        let help = "check for a division by zero or an overflow";
        return Some(("not-finite", error(message, help)));
    }
    if inputs.len() > MAX_INPUTS {
        let message = format!(
            "the formula reads {} signals; at most {MAX_INPUTS} are allowed",
            inputs.len()
        );
        let help = "move a part of it into a sensor and read the sensor";
        return Some(("too-many-signals", error(message, help)));
    }
    None
}

/// Reports a factor of a unit, without spaces around it, that is also the name of a parameter: `10 N*m` with a parameter `m`. A text that is a quantity as a
/// whole is read as such, unless the parameter has the dimension of the unit.
pub(super) fn ambiguous_unit(text: &str, whole: bool, constants: &Constants) -> Option<ExprError> {
    expr::unit_factors(text).into_iter().find_map(|factor| {
        let name = &text[factor.span.clone()];
        let unit = unit_named(name)?;
        let ambiguous = constants.may_measure(name, unit.dimension, !whole);
        ambiguous.then(|| {
            let number = text[factor.number_start..factor.unit.start].trim();
            let all = &text[factor.unit.clone()];
            let before = &text[factor.unit.start..factor.span.start];
            let sign = if before.ends_with('/') { "/" } else { "*" };
            let before = before.trim_end_matches(['*', '/', '·']);
            ExprError {
                message: format!("`{name}` could be the unit or the parameter `{name}` here"),
                help: Some(format!(
                    "for the unit write `{number} [{all}]`, for the parameter `{number} [{before}] {sign} {name}`; or give the parameter another name"
                )),
                span: factor.span,
            }
        })
    })
}

/// The construct that an unknown name may be part of: an unquoted name with a hyphen, or a unit without brackets.
fn rewritten(text: &str, span: &Range<usize>, names: &[&str]) -> Option<ExprError> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let end_of = |from: usize| {
        let rest = &text[from..];
        from + rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())
    };
    let hyphenated = names.iter().filter(|name| name.contains('-'));
    for name in hyphenated {
        let places = text.match_indices(name).map(|(start, _)| start);
        let mut around =
            places.filter(|start| *start <= span.start && span.start < start + name.len());
        if let Some(start) = around.next() {
            let end = end_of(start + name.len());
            let quoted = format!("'{name}'{}", &text[start + name.len()..end]);
            return Some(ExprError {
                message: format!("`{}` is read as a difference", &text[start..end]),
                span: start..end,
                help: Some(format!("put a name with a hyphen in quotes: {quoted}")),
            });
        }
    }
    let (number, unit, end) = unit_around(text, span)?;
    Some(ExprError {
        message: format!(
            "`{}` is read as a name, not as part of a unit",
            &text[span.clone()]
        ),
        span: span.start..end,
        help: Some(format!(
            "put a unit with `*` or `/` in brackets: {number} [{unit}]"
        )),
    })
}

/// The maximum length of a unit in the search.
const LONGEST_UNIT: usize = 40;

/// The number and unit that end with an unknown name, and their end: `10` and `rad/s` for the `s` of `10 rad/s * t`.
fn unit_around<'t>(text: &'t str, span: &Range<usize>) -> Option<(&'t str, &'t str, usize)> {
    let is_unit = |text: &str| crate::units::Unit::parse(text).is_ok();
    // further factors that follow without a space; a complete name ends each, and `t` is the time, not the tonne
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | '\'');
    let mut end = span.end;
    for (at, c) in text[span.end..].char_indices().take(LONGEST_UNIT) {
        let to = span.end + at + c.len_utf8();
        if c.is_whitespace() || matches!(c, '(' | ')' | '+' | '-' | ',') {
            break;
        }
        let factors = text[span.start..to].split(['*', '·', '/', '^']);
        let is_time = factors.skip(1).any(|factor| factor == "t");
        if is_unit(&text[span.start..to]) && !is_time && !text[to..].starts_with(is_part) {
            end = to;
        }
    }
    let starts = text[..span.start].char_indices().rev().take(LONGEST_UNIT);
    for (start, c) in starts {
        let unit = text[start..end].trim();
        if c.is_ascii_digit() || c == '.' {
            let from = text[..start]
                .rfind(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E')));
            let from = from.map_or(0, |at| {
                at + text[at..].chars().next().map_or(1, char::len_utf8)
            });
            let unit = text[start + 1..end].trim();
            return is_unit(unit).then(|| (&text[from..=start], unit, end));
        }
        if matches!(c, '(' | ')' | '+' | ',' | '[' | ']') || unit.is_empty() {
            return None;
        }
    }
    None
}

fn before_the_run(name: &str) -> NameRefusal {
    (
        "not-constant",
        format!("`{name}` is a signal, and this value must be constant"),
        Some("use numbers, parameters and tables only".to_owned()),
    )
}

fn not_an_input(name: &str) -> NameRefusal {
    let short = name.rsplit('.').next().unwrap_or(name);
    (
        "not-an-input",
        format!("`{name}` is a signal; a controller reads signals as inputs, at its samples"),
        Some(format!(
            "write inputs = {{ {short} = \"{name}\" }} and use `{short}` here"
        )),
    )
}

fn time_only(name: &str) -> NameRefusal {
    (
        "not-constant",
        format!("a driver is a function of time; it cannot read `{name}`"),
        Some(
            "use a coupler to relate joint coordinates, or a force that reads the signal"
                .to_owned(),
        ),
    )
}

fn too_late(name: &str, stage: Stage, reader: &str) -> NameRefusal {
    let known = match stage {
        Stage::Run => "is a result of the run",
        _ => "depends on the accelerations",
    };
    (
        "too-late",
        format!("`{name}` {known}; {reader} cannot read it"),
        Some(match reader {
            "a force" => "read positions, velocities or time instead".to_owned(),
            _ => "read positions, velocities, accelerations or time instead".to_owned(),
        }),
    )
}
