//! Overrides of the study for one run, without a change to the model file.

use biela_core::analysis::{Analysis, BALANCED, Choice, ContactFormulation, Formulation, Study};
use biela_core::element::{FieldValue, Info};
use biela_core::integrators::INTEGRATORS;
use biela_core::methods::METHODS;
use biela_model::lower::{MOST_NUMBERS, MOST_ROWS};
use serde_json::{Map, Value, json};

use crate::options::contact_formulation;
use crate::{Job, OptionError, choose, formulation, quantity, set_field};

/// Rows of a run that the model has no study for.
const ROWS: f64 = 500.0;

/// Overrides of the settings of a model, as text with or without a unit. A field that is `None` keeps the setting of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// End time.
    pub to: Option<String>,
    /// Formulation.
    pub formulation: Option<String>,
    /// Formulation of contacts.
    pub contact: Option<String>,
    /// Solution method.
    pub method: Option<String>,
    /// Integrator.
    pub integrator: Option<String>,
    /// Step size of a fixed-step integrator.
    pub step: Option<String>,
    /// Tolerance of the local error per step, for an integrator with step-size control.
    pub tolerance: Option<String>,
    /// Time between rows of the results.
    pub output_step: Option<String>,
    /// Whether bodies are moved apart before the start where surfaces penetrate each other, also if the study does not say so.
    pub resolve_penetration: bool,
}

impl Changes {
    /// Returns the study of a job with these overrides.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("pendulum.toml");
    /// # std::fs::write(&path, include_str!("../templates/pendulum.toml"))?;
    /// let job = biela::load(&path)?;
    /// let changes = biela::Changes { to: Some("2 s".into()), ..Default::default() };
    /// assert_eq!(changes.study(&job)?.duration, 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn study(&self, job: &Job) -> Result<Study, OptionError> {
        let mut study = job.study_or_start();
        let space = job.model.space;
        if let Analysis::Statics { .. } = study.analysis {
            self.refuse_motion()?;
        }
        study.resolve_penetration |= self.resolve_penetration;
        if let Some(word) = &self.formulation {
            study.formulation = formulation(word)?;
        }
        if let Some(word) = &self.contact {
            study.contact = contact_formulation(word)?;
            study
                .check_contacts(&job.model)
                .map_err(|error| OptionError::new(error.message).of("contact"))?;
        }
        if let Some(word) = &self.method {
            study.method = choose("method", METHODS, word, space)?;
        }
        if let Some(word) = &self.integrator {
            study.integrator = choose("integrator", INTEGRATORS, word, space)?;
        }
        for (name, text) in [("step", &self.step), ("tolerance", &self.tolerance)] {
            if let Some(text) = text {
                set_field(&mut study.integrator, INTEGRATORS, name, text)
                    .map_err(|error| error.of(name))?;
            }
        }
        if let Some(text) = &self.to {
            set_duration(&mut study, job, text)?;
        }
        if let Some(text) = &self.output_step {
            study.output_step = quantity(text, "s").map_err(|error| error.of("output_step"))?;
        }
        study
            .check_steps()
            .map_err(|error| of_integrator(error.field, error.message))?;
        let (rows, signals) = (rows(&study), job.outputs.channels.len());
        if rows * signals as f64 > MOST_NUMBERS {
            return Err(OptionError::new(format!(
                "{rows:.0} rows of {signals} signals exceed the limit of {MOST_NUMBERS:.0e} values; \
                 increase output_step, or record fewer signals"
            )));
        }
        if rows > MOST_ROWS {
            return Err(OptionError::new(format!(
                "{rows:.1e} rows exceed the limit of {MOST_ROWS:.0e}; increase output_step"
            )));
        }
        Ok(study)
    }

    fn refuse_motion(&self) -> Result<(), OptionError> {
        let given = [
            ("to", &self.to),
            ("contact", &self.contact),
            ("method", &self.method),
            ("integrator", &self.integrator),
            ("step", &self.step),
            ("tolerance", &self.tolerance),
            ("output_step", &self.output_step),
        ];
        match given.iter().find(|(_, given)| given.is_some()) {
            Some((name, _)) => Err(nothing_moves(name)),
            None => Ok(()),
        }
    }
}

/// The error of a field of the integrator.
fn of_integrator(field: &str, message: String) -> OptionError {
    let error = OptionError::new(message);
    match field {
        "step" => error.of("step"),
        other => error.about(&format!("`{other}` of the integrator")),
    }
}

/// The error for an option of dynamics if the study of the model is static.
pub fn nothing_moves(option: &'static str) -> OptionError {
    OptionError::new("not applicable to a statics study, which has no motion; omit it, or write analysis = \"dynamics\" in [study]")
        .of(option)
}

/// The expected number of rows of a study.
pub fn rows(study: &Study) -> f64 {
    study.duration / study.output_step + 1.0
}

/// Sets the end time of a study. A model without a study gets a default output step.
pub fn set_duration(study: &mut Study, job: &Job, text: &str) -> Result<(), OptionError> {
    let to = quantity(text, "s").map_err(|error| error.of("to"))?;
    if job.study.is_none() {
        study.output_step = to / ROWS;
    }
    study.duration = to;
    Ok(())
}

/// Analysis, method, integrator and times, for the manifest.
pub fn study_options(study: &Study) -> Map<String, Value> {
    let formulation = Formulation::LIST
        .iter()
        .find(|(_, formulation, _)| *formulation == study.formulation)
        .map(|(word, ..)| *word);
    let mut options = Map::new();
    if let Analysis::Statics {
        start_points,
        load_steps,
        tolerance,
    } = study.analysis
    {
        for (name, value) in [
            ("analysis", json!("statics")),
            ("start_points", json!(start_points)),
            ("formulation", json!(formulation)),
        ] {
            let _ = options.insert(name.into(), value);
        }
        if load_steps > 0 {
            let _ = options.insert("load_steps".into(), json!(load_steps));
        }
        if tolerance != BALANCED {
            let _ = options.insert("tolerance".into(), json!(tolerance));
        }
        if study.resolve_penetration {
            let _ = options.insert("resolve_penetration".into(), json!(true));
        }
        return options;
    }
    if study.resolve_penetration {
        let _ = options.insert("resolve_penetration".into(), json!(true));
    }
    if study.analysis == Analysis::MotionFromEquilibrium {
        let _ = options.insert("start".into(), json!("equilibrium"));
    }
    for (name, value) in [
        ("duration", json!(study.duration)),
        ("output_step", json!(study.output_step)),
        ("formulation", json!(formulation)),
        ("method", choice_options(&study.method, METHODS)),
        ("integrator", choice_options(&study.integrator, INTEGRATORS)),
    ] {
        let _ = options.insert(name.into(), value);
    }
    if study.contact != ContactFormulation::default() {
        let _ = options.insert("contact".into(), json!(study.contact.word()));
    }
    options
}

fn choice_options(choice: &Choice, list: &[Info]) -> Value {
    let mut values = Map::new();
    let _ = values.insert("type".into(), json!(choice.kind));
    let info = list.iter().find(|info| info.name == choice.kind);
    for field in info.map_or(&[][..], |info| info.fields) {
        let value = match choice.arguments.get(field.name) {
            Some(FieldValue::Number(x)) => json!(x),
            Some(FieldValue::Flag(x)) => json!(x),
            Some(FieldValue::Word(x)) => json!(x),
            _ => continue,
        };
        let _ = values.insert(field.name.into(), value);
    }
    values.into()
}
