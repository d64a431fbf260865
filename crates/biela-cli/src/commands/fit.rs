//! `biela fit`: fits parameters to measurements.

use biela::parameter_methods::FitEnded;
use biela::parameter_study::{Effort, Fitted, Unidentified, fit, threads};
use serde_json::{Value, json};

use crate::commands::optimize::{at_bound, share, unit};
use crate::commands::run::{is_interrupted, listen};
use crate::commands::sweep::{runs, study_failure};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::progress::Meter;
use crate::terminal::{self, Sheet, StreamStyle, count, number, six_digits, three_digits};

const AFTER_HELP: &str = "\
The model names the measurements and the variables: [fit] with data = \"measured.csv\", whose
columns are `time` and signals, and vary.NAME = { from = …, to = … }. The search starts at the values
of the model. Confidence intervals assume independent errors of equal variance after each signal is
divided by its `deviation`.

Examples:
  biela fit model.toml
  biela fit model.toml --level 0.99 --json
  biela fit model.toml --set \"mass=2 kg\"           start from another value";

/// Correlations above this are reported.
const CLOSE: f64 = 0.95;
/// Condition numbers above this are reported.
const ILL: f64 = 1e4;

/// Fit parameters to measurements by least squares
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Confidence level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = share)]
    level: f64,
    /// Relative change of the sum of squares at which the search has converged
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-9, value_parser = share)]
    tolerance: f64,
    /// Maximum number of steps
    #[arg(long, value_name = "N", default_value_t = 100)]
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

pub(crate) fn run(args: &Args) -> CommandResult {
    let runs = runs(&args.model, args.quiet)?;
    listen();
    let effort = Effort {
        threads: args.threads.map_or_else(threads, usize::from),
        seed: 0,
        tolerance: args.tolerance,
        most_iterations: args.most,
        stop: &is_interrupted,
    };
    let mut meter = Meter::new(args.quiet);
    let fitted = fit(&runs, &effort, &mut |computed, sum| {
        meter.search(&format!(
            "{computed} runs  sum of squares {}",
            six_digits(sum)
        ));
    });
    meter.finish();
    let fitted = fitted.map_err(|error| study_failure(&args.model, error))?;
    if fitted.fit.ended == FitEnded::Failed {
        let reason = fitted
            .failed
            .as_deref()
            .unwrap_or("a residual is not finite");
        let text = format!(
            "{}: a run needed for the derivatives cannot be computed: {reason}",
            args.model.path.display()
        );
        return Err(Failure::new(FailureCode::Solver, text));
    }
    if args.json {
        terminal::data(&format!("{:#}\n", to_json(&fitted, args.level)))?;
    } else {
        terminal::data(&render(&fitted, args.level, terminal::out_page()))?;
    }
    Ok(match fitted.fit.ended {
        FitEnded::Converged if fitted.unidentified().is_empty() => FailureCode::Done,
        FitEnded::Stopped => FailureCode::Interrupted,
        // also where values were found that the measurements do not identify
        FitEnded::Converged | FitEnded::Stuck | FitEnded::Exhausted | FitEnded::Failed => {
            FailureCode::Requirement
        }
    })
}

fn ended(ended: FitEnded) -> &'static str {
    match ended {
        FitEnded::Converged => "converged: the next step is below the tolerance",
        FitEnded::Stuck => {
            "stuck: no step reduces the sum of squares; check bounds and initial values"
        }
        FitEnded::Exhausted => "not converged within the maximum number of steps; increase --most",
        FitEnded::Stopped => "interrupted; best values so far",
        FitEnded::Failed => "a run near the best values cannot be computed",
    }
}

fn render(fitted: &Fitted, level: f64, page: StreamStyle) -> String {
    let fit = &fitted.fit;
    let half = fit.half_widths(level);
    let unidentified = fitted.unidentified();
    let is_open = |k: usize| unidentified.iter().any(|open| open.has(k));
    let mut sheet = Sheet::new(page);
    for (k, between) in fitted.between.iter().enumerate() {
        let parameter = &between.parameter;
        let value = match &half {
            Some(half) if !is_open(k) => format!(
                "{} = {} ± {}{}",
                parameter.name,
                six_digits(fit.x[k]),
                three_digits(half[k]),
                unit(&parameter.unit)
            ),
            _ => format!(
                "{} = {}{}",
                parameter.name,
                six_digits(fit.x[k]),
                unit(&parameter.unit)
            ),
        };
        match at_bound(fitted.active[k]) {
            _ if is_open(k) => sheet.warn("fitted", format!("{value}, not identified")),
            "" => sheet.line("fitted", value),
            words => sheet.warn("fitted", format!("{value}, {words}: no valid interval")),
        }
    }
    match half {
        Some(_) => sheet.line(
            "level",
            format!("{} % confidence intervals", number(100.0 * level)),
        ),
        None if unidentified.is_empty() => sheet.warn(
            "level",
            "no intervals: there are no more measured values than parameters",
        ),
        None => {}
    }
    for (name, signal_unit, rms) in &fitted.left {
        sheet.line(
            "residual",
            format!("{name}: {}{} rms", three_digits(*rms), unit(signal_unit)),
        );
    }
    for open in &unidentified {
        sheet.warn("identified", not_identified(open, fitted));
    }
    if let Some(condition) = fit.condition().filter(|c| c.is_finite()) {
        let text = format!("{} of the Jacobian", three_digits(condition));
        if condition > ILL {
            sheet.warn(
                "condition",
                format!("{text}: ill-conditioned, some parameters are hardly distinguishable"),
            );
        } else {
            sheet.line("condition", text);
        }
    }
    if let Some(correlation) = fit.correlation() {
        for i in 0..fit.x.len() {
            for j in 0..i {
                let c = correlation[(i, j)];
                if c.abs() > CLOSE {
                    let (a, b) = (
                        &fitted.between[j].parameter.name,
                        &fitted.between[i].parameter.name,
                    );
                    sheet.warn("correlation", format!("{a} and {b}: {}", three_digits(c)));
                }
            }
        }
    }
    let work = format!(
        "{} in {}",
        count(fit.evaluations, "run"),
        count(fit.iterations, "step")
    );
    match fit.ended {
        FitEnded::Converged => sheet.line("search", format!("{work}; {}", ended(fit.ended))),
        _ => sheet.warn("search", format!("{work}; {}", ended(fit.ended))),
    }
    sheet.render()
}

/// Says which parameters, alone or together, the measurements do not identify.
fn not_identified(open: &Unidentified, fitted: &Fitted) -> String {
    let name = |k: usize| &fitted.between[k].parameter.name;
    if let [(k, _)] = open.changes.as_slice() {
        return format!(
            "no measurement depends on {}; remove it from `vary`, or measure a signal that depends on it",
            name(*k)
        );
    }
    let change = |(k, share): &(usize, f64)| {
        let whole = if fitted.fit.x[*k] == 0.0 {
            " of its range"
        } else {
            ""
        };
        format!("{} by {:+.3} %{whole}", name(*k), share)
    };
    let changes: Vec<String> = open.changes.iter().map(change).collect();
    format!(
        "the measurements determine only a combination of these parameters: changing {} together changes no measured signal; fix one of them, or measure more",
        changes.join(", ")
    )
}

fn to_json(fitted: &Fitted, level: f64) -> Value {
    let fit = &fitted.fit;
    let half = fit.half_widths(level);
    let unidentified = fitted.unidentified();
    let is_open = |k: usize| unidentified.iter().any(|open| open.has(k));
    let n = fit.x.len();
    let parameters: Vec<Value> = fitted
        .between
        .iter()
        .enumerate()
        .map(|(k, between)| {
            json!({
                "name": between.parameter.name,
                "unit": between.parameter.unit,
                "value": fit.x[k],
                "half_width": half.as_ref().filter(|_| !is_open(k)).map(|half| half[k]),
                "identified": !is_open(k),
                "from": between.low,
                "to": between.high,
                "at_bound": fitted.active[k],
            })
        })
        .collect();
    let correlation: Option<Vec<Vec<f64>>> = fit.correlation().map(|c| {
        (0..n)
            .map(|i| (0..n).map(|j| c[(i, j)]).collect())
            .collect()
    });
    let combinations: Vec<Value> = unidentified
        .iter()
        .map(|open| {
            let change = |(k, share): &(usize, f64)| {
                let parameter = &fitted.between[*k].parameter.name;
                json!({ "parameter": parameter, "relative_change": share })
            };
            open.changes.iter().map(change).collect()
        })
        .collect();
    let left: Vec<Value> = fitted
        .left
        .iter()
        .map(|(name, unit, rms)| json!({ "signal": name, "unit": unit, "rms": rms }))
        .collect();
    json!({
        "parameters": parameters,
        "unidentified": combinations,
        "level": level,
        "correlation": correlation,
        "condition": fit.condition().filter(|c| c.is_finite()),
        "squares": fit.sum,
        "residuals": fit.residuals,
        "left": left,
        "converged": fit.ended == FitEnded::Converged,
        "ended": ended(fit.ended),
        "runs": fit.evaluations,
        "steps": fit.iterations,
    })
}
