//! `biela optimize`: finds parameter values that minimize or maximize an objective.

use biela::parameter_methods::SearchEnded;
use biela::parameter_study::{Effort, OptimizationMethod, SearchResult, minimum, threads};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::commands::run::{is_interrupted, listen};
use crate::commands::sweep::{runs, study_failure};
use crate::failure::{CommandResult, FailureCode};
use crate::input::ModelArgs;
use crate::progress::Meter;
use crate::terminal::{self, Sheet, StreamStyle, count, six_digits};

const AFTER_HELP: &str = "\
The model defines objective and variables: [optimize] with minimize or maximize, a formula
of measures, and vary.NAME = { from = …, to = … }. A run that fails counts as worse than any other.

Examples:
  biela optimize model.toml
  biela optimize model.toml --method local          start from the values of the model
  biela optimize model.toml --seed 2 --json";

/// Find parameter values that minimize or maximize an objective
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Search method
    #[arg(long, value_enum, default_value_t = SearchMethod::Global)]
    method: SearchMethod,
    /// Seed of the random numbers of a global search
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Relative tolerance of the values at convergence
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-6, value_parser = share)]
    tolerance: f64,
    /// Maximum number of generations or steps
    #[arg(long, value_name = "N", default_value_t = 300)]
    most: usize,
    /// Number of parallel runs [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print a summary as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

/// Parses a number between 0 and 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("write a number between 0 and 1, e.g. 1e-6".to_owned()),
    }
}

/// The search method.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchMethod {
    /// Differential evolution within the bounds, then the Nelder-Mead simplex method
    Global,
    /// Nelder-Mead simplex method from the values of the model
    Local,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let runs = runs(&args.model, args.quiet)?;
    listen();
    let effort = Effort {
        threads: args.threads.map_or_else(threads, usize::from),
        seed: args.seed,
        tolerance: args.tolerance,
        most_iterations: args.most,
        stop: &is_interrupted,
    };
    let method = match args.method {
        SearchMethod::Global => OptimizationMethod::Global,
        SearchMethod::Local => OptimizationMethod::Local,
    };
    let mut meter = Meter::new(args.quiet);
    let found = minimum(&runs, method, &effort, &mut |computed, best| {
        meter.search(&format!("{computed} runs  best {}", six_digits(best)));
    });
    meter.finish();
    let found = found.map_err(|error| study_failure(&args.model, error))?;
    let about = runs.about().optimize.as_ref();
    let (text, unit, least) = about.map_or(("", "1", true), |o| (&o.text, &o.unit, o.minimize));
    let told = Told {
        found: &found,
        goal: text,
        unit,
        word: if least { "least" } else { "greatest" },
    };
    if args.json {
        terminal::data(&format!("{:#}\n", told.to_json()))?;
    } else {
        terminal::data(&told.render(terminal::out_page()))?;
    }
    Ok(match found.minimum.ended {
        SearchEnded::Stopped => FailureCode::Interrupted,
        _ if !found.minimum.value.is_finite() => FailureCode::Solver,
        SearchEnded::Exhausted => FailureCode::Requirement,
        SearchEnded::Converged => FailureCode::Done,
    })
}

/// The result to be printed.
struct Told<'f> {
    found: &'f SearchResult,
    goal: &'f str,
    unit: &'f str,
    word: &'static str,
}

/// The unit to append to a number; empty for a dimensionless one.
pub(crate) fn unit(unit: &str) -> String {
    match unit {
        "1" => String::new(),
        _ => format!(" {unit}"),
    }
}

/// The active bound of a value, as text.
pub(crate) fn at_bound(active: i8) -> &'static str {
    match active {
        -1 => "at its lower bound",
        1 => "at its upper bound",
        _ => "",
    }
}

impl Told<'_> {
    fn ended(&self) -> &'static str {
        match self.found.minimum.ended {
            SearchEnded::Converged => "converged: objective and variables agree to the tolerance",
            SearchEnded::Exhausted => {
                "not converged within the maximum number of steps; increase --most"
            }
            SearchEnded::Stopped => "interrupted; best values so far",
        }
    }

    fn render(&self, page: StreamStyle) -> String {
        let minimum = &self.found.minimum;
        let mut sheet = Sheet::new(page);
        let value = format!("{}{}", six_digits(minimum.value), unit(self.unit));
        sheet.line(self.word, format!("{} = {value}", self.goal));
        for ((between, x), active) in (self.found.between.iter())
            .zip(&minimum.x)
            .zip(&self.found.active)
        {
            let parameter = &between.parameter;
            let value = format!(
                "{} = {}{}",
                parameter.name,
                six_digits(*x),
                unit(&parameter.unit)
            );
            match at_bound(*active) {
                "" => sheet.line("at", value),
                words => sheet.warn("at", format!("{value}, {words}")),
            }
        }
        let work = format!(
            "{} in {}",
            count(minimum.evaluations, "run"),
            count(minimum.iterations, "step")
        );
        match minimum.ended {
            SearchEnded::Converged => sheet.line("search", format!("{work}; {}", self.ended())),
            _ => sheet.warn("search", format!("{work}; {}", self.ended())),
        }
        if let (n, Some(reason)) = (self.found.failed.0, &self.found.failed.1) {
            sheet.warn("failed", format!("{}, e.g.: {reason}", count(n, "run")));
        }
        sheet.render()
    }

    fn to_json(&self) -> Value {
        let minimum = &self.found.minimum;
        let parameters = self.found.between.iter().zip(&minimum.x);
        let parameters: Vec<Value> = parameters
            .zip(&self.found.active)
            .map(|((between, x), active)| {
                json!({
                    "name": between.parameter.name,
                    "unit": between.parameter.unit,
                    "value": x,
                    "from": between.low,
                    "to": between.high,
                    "at_bound": active,
                })
            })
            .collect();
        json!({
            "goal": self.goal,
            "unit": self.unit,
            "value": minimum.value,
            "parameters": parameters,
            "converged": minimum.ended == SearchEnded::Converged,
            "ended": self.ended(),
            "runs": minimum.evaluations,
            "steps": minimum.iterations,
            "failed": self.found.failed.0,
            "history": minimum.history,
        })
    }
}
