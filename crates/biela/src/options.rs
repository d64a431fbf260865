//! Options that override the study of a model file.

use std::time::Duration;

use biela_core::analysis::{Choice, ContactFormulation, Formulation};
use biela_core::element::{FieldKind, FieldValue, Info};
use biela_core::model::Space;
use biela_model::expr;
use biela_model::suggest::did_you_mean;
use biela_model::units::{Dimension, Unit};

/// An invalid option value.
///
/// `{}` names the option as an argument of the library (`output_step: …`), `{:#}` as an option of the command (`--output-step: …`).
#[derive(Clone, PartialEq, Eq)]
pub struct OptionError {
    argument: Option<&'static str>,
    text: String,
}

impl OptionError {
    /// Creates an error with this message.
    pub fn new(text: impl Into<String>) -> Self {
        OptionError {
            argument: None,
            text: text.into(),
        }
    }

    /// Returns the error with a text prepended, e.g. the name of the option.
    pub fn about(self, option: &str) -> Self {
        OptionError::new(format!("{option}: {self}"))
    }

    /// Returns the error of this argument.
    pub(crate) fn of(self, argument: &'static str) -> Self {
        OptionError {
            argument: Some(argument),
            ..self
        }
    }
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.argument {
            Some(name) if f.alternate() => write!(f, "--{}: ", name.replace('_', "-"))?,
            Some(name) => write!(f, "{name}: ")?,
            None => {}
        }
        f.write_str(&self.text)
    }
}

biela_core::readable_errors!(OptionError);

/// Returns a method or integrator by its keyword, with default values for its fields. `what` names the kind of keyword in messages.
///
/// ```
/// use biela::core::{integrators::INTEGRATORS, model::Space};
///
/// let rk4 = biela::choose("integrator", INTEGRATORS, "rk4", Space::Planar)?;
/// assert_eq!(rk4.arguments.number("step"), 0.001);
/// let error = biela::choose("integrator", INTEGRATORS, "rk5", Space::Planar).unwrap_err();
/// assert!(error.to_string().contains("did you mean `rk4`?"));
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn choose(
    what: &str,
    list: &'static [Info],
    word: &str,
    space: Space,
) -> Result<Choice, OptionError> {
    let Some(info) = find(list, word) else {
        return Err(unknown(what, word, list.iter().map(|info| info.name)));
    };
    Ok(Choice {
        kind: info.name.to_owned(),
        arguments: info.defaults(space),
    })
}

/// Returns the formulation with this keyword.
///
/// ```
/// use biela::core::analysis::Formulation;
///
/// assert_eq!(biela::formulation("tree")?, Formulation::Tree);
/// let error = biela::formulation("trees").unwrap_err();
/// assert!(error.to_string().contains("did you mean `tree`?"));
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn formulation(word: &str) -> Result<Formulation, OptionError> {
    let list = Formulation::LIST;
    let known = list.iter().find(|(name, ..)| *name == word);
    known
        .map(|(_, formulation, _)| *formulation)
        .ok_or_else(|| unknown("formulation", word, list.iter().map(|(name, ..)| *name)))
}

/// Returns the formulation of contacts with this keyword.
///
/// ```
/// use biela::core::analysis::ContactFormulation;
///
/// assert_eq!(biela::contact_formulation("compliant")?, ContactFormulation::Compliant);
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn contact_formulation(word: &str) -> Result<ContactFormulation, OptionError> {
    let list = ContactFormulation::LIST;
    let known = list.iter().find(|(name, ..)| *name == word);
    known
        .map(|(_, contact, _)| *contact)
        .ok_or_else(|| unknown("contact", word, list.iter().map(|(name, ..)| *name)))
}

/// The error for a keyword that is not in its list, with a suggestion.
fn unknown(
    what: &str,
    word: &str,
    names: impl Iterator<Item = &'static str> + Clone,
) -> OptionError {
    let help = did_you_mean(word, names.clone()).map_or_else(
        || format!("there is {}", names.collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    OptionError::new(format!("no {what} is called `{word}`; {help}"))
}

/// The description that belongs to a keyword or an alias.
fn find(list: &'static [Info], word: &str) -> Option<&'static Info> {
    list.iter()
        .find(|info| info.name == word || info.aliases.contains(&word))
}

/// Sets a positive field of a method or integrator, such as the step of a Runge–Kutta method. Setting a step removes the tolerance.
///
/// ```
/// use biela::core::{integrators::INTEGRATORS, model::Space};
///
/// let mut hht = biela::choose("integrator", INTEGRATORS, "hht", Space::Planar)?;
/// biela::set_field(&mut hht, INTEGRATORS, "tolerance", "1e-6")?;
/// biela::set_field(&mut hht, INTEGRATORS, "step", "0.1 ms")?;
/// assert_eq!(hht.arguments.number("step"), 1e-4);
/// assert!(hht.arguments.get("tolerance").is_none());
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn set_field(
    choice: &mut Choice,
    list: &'static [Info],
    name: &str,
    text: &str,
) -> Result<(), OptionError> {
    let fields = find(list, &choice.kind).map_or(&[][..], |info| info.fields);
    let found = fields.iter().find_map(|field| match field.kind {
        FieldKind::Positive { unit } if field.name == name => Some((field.name, unit)),
        _ => None,
    });
    let Some((name, unit)) = found else {
        let names: Vec<String> = fields.iter().map(|f| format!("`{}`", f.name)).collect();
        return Err(OptionError::new(format!(
            "`{}` has no `{name}`; it takes {}",
            choice.kind,
            names.join(", ")
        )));
    };
    let value = quantity(text, unit)?;
    // an integrator that accepts both uses the tolerance if it is set
    if name == "step" {
        choice.arguments.remove("tolerance");
    }
    choice.arguments.set(name, FieldValue::Number(value));
    Ok(())
}

/// Parses a positive quantity: a bare number in SI units, or a number with a compatible unit, as in a model file.
///
/// ```
/// assert_eq!(biela::quantity("0.25 ms", "s")?, 0.25e-3);
/// assert_eq!(biela::quantity("10", "s")?, 10.0);
/// assert!(biela::quantity("3 mm", "s").is_err() && biela::quantity("-1", "s").is_err());
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn quantity(text: &str, unit: &str) -> Result<f64, OptionError> {
    let value = number(text, unit)?;
    if value > 0.0 {
        return Ok(value);
    }
    Err(refused(text, "it must be positive"))
}

/// Parses a memory size and returns bytes: a number with B, kB, MB, GB or TB.
///
/// ```
/// assert_eq!(biela::bytes("1.5 GB")?, 1.5e9);
/// assert!(biela::bytes("2 m").is_err() && biela::bytes("-1 GB").is_err() && biela::bytes("nan GB").is_err());
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn bytes(text: &str) -> Result<f64, OptionError> {
    let trimmed = text.trim();
    let split = trimmed.rfind(|c: char| !c.is_ascii_alphabetic());
    let (amount, unit) = trimmed.split_at(split.map_or(0, |at| at + 1));
    let factors = [
        ("B", 1.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
    ];
    let factor = factors
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(unit));
    match (amount.trim().parse::<f64>(), factor) {
        (Ok(amount), Some((_, factor))) if amount > 0.0 && amount.is_finite() => {
            Ok(amount * factor)
        }
        _ => Err(refused(text, "it must be a size, e.g. 500MB or 8GB")),
    }
}

/// Parses a positive wall-clock time, in s or with its unit.
///
/// ```
/// assert_eq!(biela::wall_clock_time("2 min")?.as_secs(), 120);
/// assert!(biela::wall_clock_time("0").is_err());
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn wall_clock_time(text: &str) -> Result<Duration, OptionError> {
    let seconds = quantity(text, "s")?;
    // a time that overflows never comes
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Parses a finite quantity: a bare number in SI units, or a number with a compatible unit, as in a model file.
///
/// ```
/// assert!((biela::number("-30 deg", "rad")? + 0.5235987755982988).abs() < 1e-15);
/// assert!(biela::number("2 s", "m").is_err());
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn number(text: &str, unit: &str) -> Result<f64, OptionError> {
    let dimension = Unit::parse(unit).map_or(Dimension::NONE, |unit| unit.dimension);
    let refuse = |why: &str| Err(refused(text, why));
    let ast = match expr::parse(text) {
        Ok(ast) => ast,
        Err(error) => return refuse(&with_help(&error)),
    };
    let program = match expr::compile(&ast, &mut |_| None, &Vec::new) {
        Ok(program) => program,
        Err(errors) => return refuse(&errors.first().map_or_else(String::new, with_help)),
    };
    if let Err(error) = program.expect(dimension) {
        return refuse(&error.message);
    }
    match program.constant() {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => refuse("it is not finite"),
        None => refuse("it must be a number"),
    }
}

fn refused(text: &str, why: &str) -> OptionError {
    OptionError::new(format!("cannot take `{text}`: {why}"))
}

fn with_help(error: &expr::ExprError) -> String {
    match &error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message.clone(),
    }
}
