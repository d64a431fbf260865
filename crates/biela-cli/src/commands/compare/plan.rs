//! The combinations to run.

use biela::OptionError;
use biela::core::analysis::{Choice, ContactFormulation, Formulation, Study};
use biela::core::element::Info;
use biela::core::integrators::INTEGRATORS;
use biela::core::methods::METHODS;
use biela::core::model::Space;

use super::Args;
use crate::terminal::number;

/// The keyword for all methods, integrators or formulations.
const ALL: &str = "all";
/// The fields that control the accuracy of an integrator.
const FINENESS: [&str; 2] = ["tolerance", "step"];

/// A formulation, formulation of contacts, method and integrator for the model.
#[derive(Clone, Debug)]
pub(super) struct Combination {
    pub(super) study: Study,
    /// Set for the choice of the model itself.
    pub(super) own: bool,
}

impl Combination {
    pub(super) fn formulation(&self) -> &'static str {
        let mut list = Formulation::LIST.iter();
        let found = list.find(|(_, formulation, _)| *formulation == self.study.formulation);
        found.map_or("", |(word, ..)| word)
    }

    pub(super) fn contact(&self) -> &'static str {
        self.study.contact.word()
    }

    pub(super) fn method(&self) -> &str {
        &self.study.method.kind
    }

    pub(super) fn integrator(&self) -> &str {
        &self.study.integrator.kind
    }

    /// The accuracy setting of the integrator: name and value of its field.
    pub(super) fn fineness(&self) -> Option<(&'static str, f64)> {
        let arguments = &self.study.integrator.arguments;
        let value = |name| Some((name, arguments.optional_number(name)?));
        FINENESS.into_iter().find_map(value)
    }

    /// `projection/dop853, tolerance 1e-12`.
    pub(super) fn name(&self) -> String {
        let name = format!("{}/{}", self.method(), self.integrator());
        match self.fineness() {
            Some(("step", step)) => format!("{name}, step {} s", number(step)),
            Some((field, value)) => format!("{name}, {field} {}", number(value)),
            None => name,
        }
    }
}

/// Returns all requested combinations, and that of the model.
pub(super) fn combinations(
    args: &Args,
    own: &Study,
    space: Space,
) -> Result<Vec<Combination>, OptionError> {
    let neither = args.methods.is_empty() && args.integrators.is_empty();
    let choices = |option, words: &[String], list, mine: &Choice| {
        if words.is_empty() && !neither {
            return Ok(vec![mine.clone()]);
        }
        chosen(option, words, list, mine, space)
    };
    let methods = choices("method", &args.methods, METHODS, &own.method)?;
    let integrators = choices(
        "integrator",
        &args.integrators,
        INTEGRATORS,
        &own.integrator,
    )?;
    let mut fine = Vec::new();
    for integrator in integrators {
        fine.extend(refined(args, integrator, &own.integrator)?);
    }
    for (name, given) in [("tolerance", &args.tolerance), ("step", &args.step)] {
        if !given.is_empty() && !fine.iter().any(|choice| has_field(&choice.kind, name)) {
            return Err(OptionError::new(format!(
                "--{name}: none of the integrators has a {name}"
            )));
        }
    }
    let formulations = with_words(
        ("--formulations", &args.formulations),
        Formulation::LIST,
        biela::formulation,
        own.formulation,
    )?;
    let contacts = with_words(
        ("--contacts", &args.contacts),
        ContactFormulation::LIST,
        biela::contact_formulation,
        own.contact,
    )?;
    let mut list = Vec::new();
    for formulation in formulations {
        for contact in &contacts {
            for method in &methods {
                for integrator in &fine {
                    let mut study = own.clone();
                    study.formulation = formulation;
                    study.contact = *contact;
                    study.method = method.clone();
                    study.integrator = integrator.clone();
                    let own = biela::study_options(&study) == biela::study_options(own);
                    list.push(Combination { study, own });
                }
            }
        }
    }
    if !list.iter().any(|combination| combination.own) {
        let study = own.clone();
        list.insert(0, Combination { study, own: true });
    }
    Ok(list)
}

/// Parses the reference run: `method/integrator` or `method/integrator/tolerance`.
pub(super) fn reference(
    args: &Args,
    own: &Study,
    space: Space,
) -> Result<Combination, OptionError> {
    let about = |error: OptionError| error.about("--reference");
    let parts: Vec<&str> = args.reference.split('/').map(str::trim).collect();
    let (method, integrator, value) = match parts.as_slice() {
        [method, integrator] => (method, integrator, None),
        [method, integrator, value] => (method, integrator, Some(value)),
        _ => {
            return Err(about(OptionError::new(format!(
                "cannot parse `{}`; write METHOD/INTEGRATOR or METHOD/INTEGRATOR/TOLERANCE",
                args.reference
            ))));
        }
    };
    let method = biela::choose("method", METHODS, method, space).map_err(about)?;
    let mut integrator =
        biela::choose("integrator", INTEGRATORS, integrator, space).map_err(about)?;
    if let Some(value) = value {
        let fixed = has_field(&integrator.kind, "step");
        let name = if fixed { "step" } else { "tolerance" };
        biela::set_field(&mut integrator, INTEGRATORS, name, value).map_err(about)?;
    }
    let mut study = own.clone();
    study.method = method;
    study.integrator = integrator;
    Ok(Combination { study, own: false })
}

/// Returns the methods or integrators with these keywords, or all if the list is empty. The one that the model uses keeps its fields.
fn chosen(
    what: &str,
    words: &[String],
    list: &'static [Info],
    mine: &Choice,
    space: Space,
) -> Result<Vec<Choice>, OptionError> {
    let all = words.is_empty() || words.iter().any(|word| word.trim() == ALL);
    let here = list.iter().filter(|info| info.spaces.contains(&space));
    let names: Vec<&str> = if all {
        here.map(|info| info.name).collect()
    } else {
        words.iter().map(|word| word.trim()).collect()
    };
    let mut choices: Vec<Choice> = Vec::new();
    for name in names {
        let choice = biela::choose(what, list, name, space)
            .map_err(|error| error.about(&format!("--{what}s")))?;
        if choices.iter().all(|earlier| earlier.kind != choice.kind) {
            let is_mine = choice.kind == mine.kind;
            choices.push(if is_mine { mine.clone() } else { choice });
        }
    }
    Ok(choices)
}

/// Returns an integrator for each requested tolerance or step; otherwise with the accuracy setting of the model if both have that field.
fn refined(args: &Args, integrator: Choice, own: &Choice) -> Result<Vec<Choice>, OptionError> {
    // an integrator that accepts both uses a fixed step, unless the model sets a tolerance
    for (name, texts) in [("step", &args.step), ("tolerance", &args.tolerance)] {
        if !has_field(&integrator.kind, name) {
            continue;
        }
        let mut list = Vec::new();
        for text in texts {
            let mut choice = integrator.clone();
            biela::set_field(&mut choice, INTEGRATORS, name, text)
                .map_err(|error| error.about(&format!("--{name}")))?;
            list.push(choice);
        }
        if list.is_empty() {
            let mut choice = integrator;
            if let Some(value) = own.arguments.get(name) {
                choice.arguments.set(name, value.clone());
            }
            list.push(choice);
        }
        return Ok(list);
    }
    Ok(vec![integrator])
}

fn has_field(integrator: &str, name: &str) -> bool {
    let info = INTEGRATORS.iter().find(|info| info.name == integrator);
    info.is_some_and(|info| info.fields.iter().any(|field| field.name == name))
}

/// The value of a keyword.
type ReadWord<T> = fn(&str) -> Result<T, OptionError>;

/// Returns the values with the keywords given to an option, all of the list for `all`, or that of the model if there are none.
fn with_words<T: Copy + PartialEq>(
    (option, words): (&str, &[String]),
    list: &[(&str, T, &str)],
    read: ReadWord<T>,
    own: T,
) -> Result<Vec<T>, OptionError> {
    if words.iter().any(|word| word.trim() == ALL) {
        return Ok(list.iter().map(|(_, value, _)| *value).collect());
    }
    let mut found = Vec::new();
    for word in words {
        let value = read(word.trim()).map_err(|error| error.about(option))?;
        if !found.contains(&value) {
            found.push(value);
        }
    }
    if found.is_empty() {
        found.push(own);
    }
    Ok(found)
}
