//! `biela sensitivity`: derivatives of measures with respect to parameters.

use biela::model::suggest::did_you_mean;
use biela::parameter_methods::Derivative;
use biela::parameter_study::{
    Effort, MeasureSensitivity, ParameterRuns, Stopped, sensitivities, threads,
};
use serde_json::{Value, json};

use crate::commands::optimize::share;
use crate::commands::run::{is_interrupted, listen};
use crate::commands::sweep::runs;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::terminal::{self, number, three_digits};

const AFTER_HELP: &str = "\
Derivatives of all measures with respect to parameters, by Richardson extrapolation of central
differences at three step sizes; their disagreement is the error estimate. The last column is the
relative sensitivity: per cent of the measure per cent of the parameter.

Examples:
  biela sensitivity model.toml
  biela sensitivity model.toml --to length,mass --step 1e-3
  biela sensitivity model.toml --step-of \"offset=0.1 mm\" --json";

/// Compute derivatives of the measures with respect to the parameters
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Parameters, separated by commas [default: all that are not formulas of others]
    #[arg(long = "to", value_name = "NAME,…", value_delimiter = ',')]
    names: Vec<String>,
    /// Largest step, relative to the value of the parameter
    #[arg(long, value_name = "SHARE", default_value_t = 1e-2, value_parser = share)]
    step: f64,
    /// Largest step of one parameter, e.g. --step-of "offset=0.1 mm"; repeatable
    #[arg(long = "step-of", value_name = "NAME=VALUE")]
    steps: Vec<String>,
    /// Number of parallel runs [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print a summary as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let runs = runs(&args.model, args.json)?;
    let shown = args.model.path.display();
    if runs.about().measures.list.is_empty() {
        return Err(Failure::command(format!(
            "{shown}: the model has no measure; add a [[measure]] with name = \"peak\", of = \"SIGNAL\" and take = \"max\""
        )));
    }
    let parameters = args.parameters(&runs)?;
    listen();
    let effort = Effort {
        threads: args.threads.map_or_else(threads, usize::from),
        seed: 0,
        tolerance: 0.0,
        most_iterations: 0,
        stop: &is_interrupted,
    };
    let (own, list) = match sensitivities(&runs, &parameters, &effort) {
        Ok(found) => found,
        Err(Stopped::Interrupted) => return Ok(FailureCode::Interrupted),
        Err(Stopped::Failed(reason) | Stopped::Unrecorded(reason)) => {
            return Err(Failure::new(
                FailureCode::Solver,
                format!("{shown}: {reason}"),
            ));
        }
    };
    if args.json {
        terminal::data(&format!("{:#}\n", to_json(&runs, &own, &list)))?;
    } else {
        terminal::data(&render(&runs, &own, &list))?;
    }
    Ok(FailureCode::Done)
}

impl Args {
    /// The name, value and largest step of each parameter.
    fn parameters(&self, runs: &ParameterRuns) -> Result<Vec<(String, f64, f64)>, Failure> {
        let all = &runs.about().parameters.list;
        let names = || all.iter().map(|parameter| parameter.name.as_str());
        let unknown = |name: &str| {
            let help = did_you_mean(name, names()).map_or_else(
                || format!("there are {}", names().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            Failure::command(format!("the model has no parameter `{name}`; {help}"))
        };
        let mut steps = Vec::new();
        for text in &self.steps {
            let wrong = |why: &str| Failure::command(format!("--step-of {text}: {why}"));
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| wrong("write NAME=VALUE"))?;
            let parameter = all.iter().find(|p| p.name == name.trim());
            let parameter = parameter.ok_or_else(|| unknown(name.trim()))?;
            let unit = parameter
                .dimension
                .map_or_else(String::new, biela::model::units::Dimension::si_unit);
            let step = biela::quantity(value, &unit).map_err(|error| wrong(&error.to_string()))?;
            steps.push((name.trim(), step));
        }
        let wanted: Vec<&str> = if self.names.is_empty() {
            // a parameter given by a formula changes with its arguments
            let free = all.iter().filter(|p| p.formula.is_none());
            free.map(|p| p.name.as_str()).collect()
        } else {
            self.names.iter().map(|name| name.trim()).collect()
        };
        let one = |name: &str| {
            let parameter = all.iter().find(|p| p.name == name);
            let value = parameter.ok_or_else(|| unknown(name))?.value;
            let own = steps.iter().rfind(|(known, _)| *known == name);
            match own {
                Some((_, step)) => Ok((name.to_owned(), value, *step)),
                None if value != 0.0 => Ok((name.to_owned(), value, self.step * value.abs())),
                None => Err(Failure::command(format!(
                    "{name} is zero and has no relative step; give an absolute one with --step-of {name}=VALUE, or choose other parameters with --to"
                ))),
            }
        };
        wanted.into_iter().map(one).collect()
    }
}

/// Relative sensitivity: per cent of the measure per cent of the parameter.
fn elasticity(derivative: Derivative, parameter: f64, measure: f64) -> Option<f64> {
    let ratio = derivative.value * parameter / measure;
    (parameter != 0.0 && ratio.is_finite()).then_some(ratio)
}

fn render(runs: &ParameterRuns, own: &[f64], list: &[MeasureSensitivity]) -> String {
    let measures = &runs.about().measures.list;
    let mut rows = Vec::new();
    for (k, measure) in measures.iter().enumerate() {
        for (n, sensitivity) in list.iter().enumerate() {
            let derivative = sensitivity.derivatives[k];
            let name = if n == 0 {
                measure.name.clone()
            } else {
                String::new()
            };
            rows.push(vec![
                name,
                sensitivity.parameter.clone(),
                number(derivative.value),
                three_digits(derivative.error),
                elasticity(derivative, sensitivity.value, own[k]).map_or("–".to_owned(), number),
            ]);
        }
    }
    let heading = [
        "measure",
        "parameter",
        "derivative (SI)",
        "error",
        "% per %",
    ];
    terminal::table(terminal::out_page().ink, &heading, &rows)
}

fn to_json(runs: &ParameterRuns, own: &[f64], list: &[MeasureSensitivity]) -> Value {
    let measures = &runs.about().measures.list;
    let measures: Vec<Value> = measures
        .iter()
        .enumerate()
        .map(|(k, measure)| {
            let by: Vec<Value> = list
                .iter()
                .map(|s| {
                    let derivative = s.derivatives[k];
                    json!({
                        "parameter": s.parameter,
                        "value": s.value,
                        "step": s.step,
                        "derivative": derivative.value,
                        "error": derivative.error,
                        "elasticity": elasticity(derivative, s.value, own[k]),
                    })
                })
                .collect();
            json!({ "name": measure.name, "unit": measure.unit, "value": own[k], "by": by })
        })
        .collect();
    json!({ "model": runs.about().name, "measures": measures })
}
