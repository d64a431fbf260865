//! `[study]`: the analysis.

use biela_core::analysis::{
    Analysis, BALANCED, BALANCES, Choice, ContactFormulation, Formulation, ImpactLaw, Study,
};
use biela_core::element::{FieldValue, Info};
use biela_core::integrators::{self, INTEGRATORS};
use biela_core::methods::METHODS;
use biela_core::model::Model;

use super::fields::{describe, example, read, report_argument, type_named};
use super::keys::{self, ANALYSES, CONTACT_FORMULATIONS, FORMULATIONS, STARTS};
use super::names::NameIndex;
use super::reader::SectionReader;
use super::values::Context;
use crate::diagnostic::shown;
use crate::document::{DocumentField, ValueKind};

/// The integrator of a kinematic study.
const KINEMATICS: &str = "kinematics";

/// The maximum number of initial points in the search for equilibria.
const MOST_START_POINTS: i64 = 10_000;
/// The maximum number of load steps.
const MOST_LOAD_STEPS: i64 = 10_000;

/// The default number of output rows.
const ROWS: f64 = 500.0;

/// Reads `[study]`; `None` if only the initial configuration is to be assembled, or after an error.
pub(super) fn study<'t>(
    field: &DocumentField<'t>,
    elements: (&NameIndex, &Model),
    context: &Context<'t>,
) -> Option<Study> {
    let table = field.table()?.value;
    let reader = SectionReader::new(&keys::STUDY, table, context.diagnostics);
    let analysis = reader.get("analysis").one_of(ANALYSES);
    let wants = |wanted: &str| analysis.is_some_and(|word| word.value == wanted);
    let (assemble, kinematics) = (wants("assemble"), wants("kinematics"));
    let statics = wants("statics");
    let analysis = what_is_asked(
        context,
        &reader,
        statics,
        !(assemble || kinematics || statics),
    );
    let duration_field = if assemble || statics {
        reader.get("duration")
    } else {
        reader.require("duration", "duration = \"2 s\"")
    };
    let step_field = reader.get("output_step");
    let duration = context.positive(&duration_field, "s");
    let output_step = context.positive(&step_field, "s");
    if let (Some(duration), Some(step)) = (duration, output_step)
        && step > duration
    {
        let label = format!("the duration is {duration} s");
        let help = "for a row every millisecond write \"1 ms\"".to_owned();
        step_field.error(
            "bad-value",
            "is longer than the duration",
            &label,
            Some(help),
        );
    }
    let formulation = reader
        .get("formulation")
        .one_of(FORMULATIONS)
        .and_then(|word| {
            let mut list = Formulation::LIST.iter();
            list.find(|(known, ..)| *known == word.value)
                .map(|(_, formulation, _)| *formulation)
        });
    let impact = reader.get("impact").one_of(ImpactLaw::WORDS);
    let impact = impact.and_then(|word| ImpactLaw::named(word.value));
    let mut study = Study::new(context.space, duration.unwrap_or(1.0), 1.0 / ROWS);
    study.analysis = analysis;
    study.impact = impact.unwrap_or_default();
    study.resolve_penetration = reader
        .get("resolve_penetration")
        .bool()
        .is_some_and(|flag| flag.value);
    study.output_step = output_step.unwrap_or(study.duration / ROWS);
    study.formulation = formulation.unwrap_or_else(|| Formulation::of(elements.1));
    let contact = reader.get("contact").one_of(CONTACT_FORMULATIONS);
    let mut list = ContactFormulation::LIST.iter();
    study.contact = contact
        .and_then(|word| list.find(|(known, ..)| *known == word.value))
        .map_or(ContactFormulation::Events, |(_, contact, _)| *contact);
    if let Err(error) = study.check_contacts(elements.1) {
        let problem = format!("is not possible: {}", error.message);
        reader
            .get("contact")
            .error("no-stiffness", &problem, "", None);
    }
    refuse_absolute(&reader, study.formulation, elements.1);
    refuse_tree(&reader, study.formulation, elements.1);
    let method = chosen(
        &reader,
        "method",
        METHODS,
        &study.method.kind,
        elements,
        context,
    );
    if kinematics {
        KINEMATICS.clone_into(&mut study.integrator.kind);
    }
    let integrator = chosen(
        &reader,
        "integrator",
        INTEGRATORS,
        &study.integrator.kind,
        elements,
        context,
    );
    let written = reader.get("integrator");
    reader.finish();
    (study.method, study.integrator) = (method?, integrator?);
    if kinematics && study.integrator.kind != KINEMATICS {
        let problem = "does not apply to kinematics, which integrates no differential equations";
        let help = "leave it out, or write analysis = \"dynamics\"".to_owned();
        written.error("conflict", problem, "", Some(help));
        return None;
    }
    if kinematics && written.value().is_none() {
        let step = FieldValue::Number(study.output_step);
        study.integrator.arguments.set("step", step);
    }
    if statics {
        (study.duration, study.output_step) = (0.0, 1.0);
    }
    if let Err(error) = study.check_steps() {
        let problem = format!("takes too many steps: {error}");
        written.error("too-many-steps", &problem, "", None);
        return None;
    }
    (!assemble).then_some(study)
}

/// Rejects absolute coordinates for a body without its own inertia.
fn refuse_absolute(reader: &SectionReader<'_>, formulation: Formulation, model: &Model) {
    if let (Formulation::Absolute, Some(body)) = (formulation, model.body_without_inertia()) {
        let name = shown(&model.bodies[body.0].name);
        let problem = format!("needs a regular mass matrix of body {name}");
        let label = "in absolute coordinates every body needs its own inertia";
        let help = "write formulation = \"tree\", where the bodies that it carries contribute, or give the body a mass and an inertia".to_owned();
        let field = reader.get("formulation");
        field.error("needs-tree", &problem, label, Some(help));
    }
}

/// Rejects joint coordinates for beams.
fn refuse_tree(reader: &SectionReader<'_>, formulation: Formulation, model: &Model) {
    if let (Formulation::Tree, Some(beam)) = (formulation, model.beams.first()) {
        let problem = format!(
            "cannot be `tree` in a model with a flexible beam, {}",
            shown(&beam.name)
        );
        let label = "joint coordinates are for rigid bodies";
        let help = "write formulation = \"absolute\", or give the beams `rigid = true`".to_owned();
        let field = reader.get("formulation");
        field.error("needs-absolute", &problem, label, Some(help));
    }
}

/// Reads the analysis (motion or equilibria) and its initial points; keys that do not apply to the analysis are rejected.
fn what_is_asked<'t>(
    context: &Context<'t>,
    reader: &SectionReader<'t>,
    statics: bool,
    dynamics: bool,
) -> Analysis {
    let refuse = |key, problem: &str, help: &str| {
        let field = reader.get(key);
        if field.is_present() {
            field.error("conflict", problem, "", Some(help.to_owned()));
        }
    };
    if statics {
        for key in ["duration", "output_step", "method", "integrator", "impact"] {
            let problem = "does not apply to statics";
            let help = "leave it out, or write analysis = \"dynamics\"";
            refuse(key, problem, help);
        }
    } else {
        let help = "leave it out, or write analysis = \"statics\"";
        refuse("start_points", "applies only to statics", help);
        refuse("load_steps", "applies only to statics", help);
        let own = "leave it out, or write analysis = \"statics\"; the tolerance of dynamics is a field of `integrator`";
        refuse("tolerance", "applies only to statics", own);
    }
    if !dynamics {
        refuse("start", "applies only to dynamics", "leave it out");
    }
    let start = reader.get("start").one_of(STARTS);
    let points = reader.get("start_points");
    let start_points = points.integer().map_or(1, |points| points.value);
    if !(1..=MOST_START_POINTS).contains(&start_points) {
        let problem = format!("must be from 1 to {MOST_START_POINTS}");
        points.error("bad-value", &problem, &format!("is {start_points}"), None);
    }
    let steps = reader.get("load_steps");
    let load_steps = steps.integer().map(|steps| steps.value);
    if let Some(given) = load_steps {
        if !(1..=MOST_LOAD_STEPS).contains(&given) {
            let problem = format!("must be from 1 to {MOST_LOAD_STEPS}");
            steps.error("bad-value", &problem, &format!("is {given}"), None);
        }
        if start_points > 1 {
            let problem = "conflicts with `start_points`: load steps follow one equilibrium, start points search for several";
            steps.error(
                "conflict",
                problem,
                "",
                Some("leave one of them out".to_owned()),
            );
        }
    }
    let field = reader.get("tolerance");
    let tolerance = context.positive(&field, "1").unwrap_or(BALANCED);
    if !BALANCES.contains(&tolerance) {
        let (least, most) = (BALANCES.start(), BALANCES.end());
        let problem = format!("must be from {least:e} to {most:e}");
        field.error("bad-value", &problem, &format!("is {tolerance}"), None);
    }
    if statics {
        Analysis::Statics {
            start_points: start_points.clamp(1, MOST_START_POINTS) as usize,
            load_steps: load_steps.map_or(0, |steps| steps.clamp(1, MOST_LOAD_STEPS) as usize),
            tolerance,
        }
    } else if start.is_some_and(|word| word.value == "equilibrium") {
        Analysis::MotionFromEquilibrium
    } else {
        Analysis::Motion
    }
}

/// A keyword, or a table with the keyword as its `type`; the default if the key is absent.
fn chosen<'t>(
    study: &SectionReader<'t>,
    key: &'static str,
    infos: &'static [Info],
    default: &str,
    elements: (&NameIndex, &Model),
    context: &Context<'t>,
) -> Option<Choice> {
    let field = study.get(key);
    match field.value().map(|value| &value.kind) {
        None => infos
            .iter()
            .find(|info| info.name == default)
            .map(|info| plain(info, context)),
        Some(ValueKind::String(word)) => {
            let info = type_named(&field, word, infos)?;
            if let Some(missing) = info
                .fields
                .iter()
                .find(|described| described.default.is_none())
            {
                let help = format!(
                    "write {key} = {{ type = \"{}\", {} }}",
                    info.name,
                    example(missing)
                );
                let problem = format!("needs a `{}`", missing.name);
                field.error("missing-key", &problem, "", Some(help));
                return None;
            }
            Some(plain(info, context))
        }
        Some(ValueKind::Table(table)) => {
            let reader =
                SectionReader::called(&field.what(), &keys::CHOICE, table, context.diagnostics);
            let info = describe(&reader, infos, &format!("type = \"{default}\""), context);
            let made = info.and_then(|info| {
                let read = read(&reader, info, elements, context);
                let choice = Choice {
                    kind: info.name.to_owned(),
                    arguments: read.arguments,
                };
                let checked = match integrators::build(info.name, &choice.arguments, 0) {
                    Some(Err(error)) if read.whole => {
                        report_argument(&reader, &error, context);
                        false
                    }
                    _ => true,
                };
                (read.whole && checked).then_some(choice)
            });
            reader.finish();
            made
        }
        Some(_) => {
            let help = format!("write {key} = \"{default}\" or {key} = {{ type = \"{default}\" }}");
            field.wrong_kind("a string or a table", Some(help));
            None
        }
    }
}

/// The choice with default values of all fields.
fn plain(info: &'static Info, context: &Context<'_>) -> Choice {
    Choice {
        kind: info.name.to_owned(),
        arguments: info.defaults(context.space),
    }
}
