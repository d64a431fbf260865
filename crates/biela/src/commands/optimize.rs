//! `biela optimize`: values of parameters that make something least or greatest.

use biela::studies::Ended;
use biela::study::{Effort, Found, Method, minimum, threads};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::commands::run::{is_interrupted, listen};
use crate::commands::sweep::{runs, study_failure};
use crate::failure::{Code, Outcome};
use crate::input::ModelArgs;
use crate::progress::Meter;
use crate::terminal::{self, Page, Sheet, count, six_digits};

const AFTER_HELP: &str = "\
The model says what is wanted and what may change: [optimize] with minimize or maximize, a formula
of measures, and vary.NAME = { from = …, to = … }. A run that fails counts as worse than any other.

Examples:
  biela optimize model.toml
  biela optimize model.toml --method local          from the values of the model
  biela optimize model.toml --seed 2 --json";

/// Find values of parameters that make something least or greatest
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// How to search
    #[arg(long, value_enum, default_value_t = Search::Global)]
    method: Search,
    /// Where the random numbers of a global search begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How well values are to agree in the end, as a share
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-6, value_parser = share)]
    tolerance: f64,
    /// The most generations or steps
    #[arg(long, value_name = "N", default_value_t = 300)]
    most: usize,
    /// Runs side by side [default: as many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print what came of it as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing but problems
    #[arg(long, short)]
    quiet: bool,
}

/// A number between 0 and 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("write a number between 0 and 1, such as 1e-6".to_owned()),
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Search {
    /// Differential evolution over all of the space, then a simplex
    Global,
    /// A simplex from the values of the model
    Local,
}

pub(crate) fn run(args: &Args) -> Outcome {
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
        Search::Global => Method::Global,
        Search::Local => Method::Local,
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
        Ended::Stopped => Code::Interrupted,
        _ if !found.minimum.value.is_finite() => Code::Solver,
        Ended::Exhausted => Code::Requirement,
        Ended::Converged => Code::Done,
    })
}

/// What was found, to be told.
struct Told<'f> {
    found: &'f Found,
    goal: &'f str,
    unit: &'f str,
    word: &'static str,
}

/// A unit behind a number; nothing for one without.
pub(crate) fn unit(unit: &str) -> String {
    match unit {
        "1" => String::new(),
        _ => format!(" {unit}"),
    }
}

/// Which bound a value is at, in words.
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
            Ended::Converged => "converged: values and points agree to the tolerance",
            Ended::Exhausted => "not converged after the most steps; --most allows more",
            Ended::Stopped => "interrupted; the best so far",
        }
    }

    fn render(&self, page: Page) -> String {
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
            Ended::Converged => sheet.line("search", format!("{work}; {}", self.ended())),
            _ => sheet.warn("search", format!("{work}; {}", self.ended())),
        }
        if let (n, Some(reason)) = (self.found.failed.0, &self.found.failed.1) {
            sheet.warn("failed", format!("{}, such as: {reason}", count(n, "run")));
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
            "converged": minimum.ended == Ended::Converged,
            "ended": self.ended(),
            "runs": minimum.evaluations,
            "steps": minimum.iterations,
            "failed": self.found.failed.0,
            "history": minimum.history,
        })
    }
}
