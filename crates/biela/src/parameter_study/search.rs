//! Searches over the parameters of a model: optimization, fits to measurements, and sensitivities.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use biela_model::lower::{BoundedParameter, FitDefinition};
use biela_study::{
    Derivative, DifferencePoints, Evaluate, LeastSquares, Minimum, SearchEnded, VariableBounds,
    evolution, nelder_mead,
};

use super::error::ParameterStudyError;
use super::parallel::in_order;
use super::runs::{ParameterRuns, Stopped};

/// The search method of an optimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptimizationMethod {
    /// Differential evolution within the bounds, then the Nelder–Mead method from the best point.
    Global,
    /// The Nelder–Mead method from the values of the model.
    Local,
}

/// Limits and settings of a search.
#[derive(Clone, Copy)]
pub struct Effort<'s> {
    /// The number of parallel runs.
    pub threads: usize,
    /// Seed of the random numbers of a global search.
    pub seed: u64,
    /// Relative tolerance of the values, with respect to the width between the bounds and to the value.
    pub tolerance: f64,
    /// The maximum number of generations or steps.
    pub most_iterations: usize,
    /// Polled occasionally; `true` ends the search with the best result so far.
    pub stop: &'s (dyn Fn() -> bool + Sync),
}

/// The best result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The bounds of the search.
    pub between: Vec<BoundedParameter>,
    /// The best values; `value` is the objective as written, for a minimum or a maximum.
    pub minimum: Minimum,
    /// The active bounds: −1 for a value at its lower bound, 1 at its upper bound.
    pub active: Vec<i8>,
    /// The number of failed runs, and the reason of one.
    pub failed: (usize, Option<String>),
}

fn bounds(between: &[BoundedParameter]) -> VariableBounds {
    VariableBounds {
        low: between.iter().map(|b| b.low).collect(),
        high: between.iter().map(|b| b.high).collect(),
    }
}

/// The initial values of the model, clamped to the bounds.
fn start(runs: &ParameterRuns, between: &[BoundedParameter]) -> Vec<f64> {
    let value = |b: &BoundedParameter| {
        let list = &runs.about().parameters.list;
        let own = list.iter().find(|p| p.name == b.parameter.name);
        own.map_or(0.5 * (b.low + b.high), |p| p.value)
            .clamp(b.low, b.high)
    };
    between.iter().map(value).collect()
}

fn named<'b>(
    between: &'b [BoundedParameter],
    values: &'b [f64],
) -> impl Iterator<Item = (&'b str, f64)> {
    let names = between.iter().map(|b| b.parameter.name.as_str());
    names.zip(values.iter().copied())
}

/// Searches the optimum defined by `[optimize]` of the model. `seen` is called after every generation with the number of runs and the best value.
pub fn minimum(
    runs: &ParameterRuns,
    method: OptimizationMethod,
    effort: &Effort<'_>,
    seen: &mut dyn FnMut(usize, f64),
) -> Result<SearchResult, ParameterStudyError> {
    let Some(optimize) = &runs.about().optimize else {
        return Err(ParameterStudyError::Missing(
            "the model has no [optimize]; add it with minimize = \"MEASURE\" and vary.NAME = { from = 1, to = 2 }"
                .to_owned(),
        ));
    };
    let between = optimize.between.clone();
    let sign = if optimize.minimize { 1.0 } else { -1.0 };
    let bounds = bounds(&between);
    let own = start(runs, &between);
    let failed = AtomicUsize::new(0);
    let why = std::sync::Mutex::new(None);
    let mut computed = 0;
    let mut best = f64::INFINITY;
    let mut evaluate = |points: &[Vec<f64>]| {
        let goal = |k: usize| match runs.goal(named(&between, &points[k]), effort.stop) {
            Ok(value) => Some(sign * value),
            Err(Stopped::Failed(reason) | Stopped::Unrecorded(reason)) => {
                let _ = failed.fetch_add(1, Ordering::Relaxed);
                if let Ok(mut why) = why.lock() {
                    let _ = why.get_or_insert(reason);
                }
                Some(f64::NAN)
            }
            Err(Stopped::Interrupted) => None,
        };
        let values = in_order(points.len(), effort.threads, &goal)?;
        computed += points.len();
        best = values.iter().copied().fold(best, f64::min);
        seen(computed, sign * best);
        Some(values)
    };
    let evaluate: &mut Evaluate<'_> = &mut evaluate;
    let mut minimum = match method {
        OptimizationMethod::Local => nelder_mead(
            &bounds,
            &own,
            effort.tolerance,
            effort.most_iterations,
            evaluate,
        ),
        OptimizationMethod::Global => {
            // the Nelder–Mead method determines the last digits
            let coarse = effort.tolerance.max(1e-4);
            let wide = evolution(
                &bounds,
                Some(&own),
                effort.seed,
                coarse,
                effort.most_iterations,
                evaluate,
            );
            if wide.ended == SearchEnded::Stopped || wide.value == f64::INFINITY {
                wide
            } else {
                polished(wide, &bounds, effort, evaluate)
            }
        }
    };
    minimum.value *= sign;
    minimum.history.iter_mut().for_each(|value| *value *= sign);
    Ok(SearchResult {
        active: bounds.active(&minimum.x),
        between,
        minimum,
        failed: (failed.into_inner(), why.into_inner().ok().flatten()),
    })
}

/// Refines a minimum to the full tolerance.
fn polished(
    wide: Minimum,
    bounds: &VariableBounds,
    effort: &Effort<'_>,
    evaluate: &mut Evaluate<'_>,
) -> Minimum {
    let steps = effort.most_iterations.max(200);
    let fine = nelder_mead(bounds, &wide.x, effort.tolerance, steps, evaluate);
    let ended = match (wide.ended, fine.ended) {
        (SearchEnded::Exhausted, SearchEnded::Converged) => SearchEnded::Exhausted,
        (_, ended) => ended,
    };
    let mut history = wide.history;
    history.extend(fine.history);
    let (x, value) = if fine.value <= wide.value {
        (fine.x, fine.value)
    } else {
        (wide.x, wide.value)
    };
    Minimum {
        x,
        value,
        iterations: wide.iterations + fine.iterations,
        evaluations: wide.evaluations + fine.evaluations,
        ended,
        history,
    }
}

/// Parameter values fitted to measurements.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The bounds of the search.
    pub between: Vec<BoundedParameter>,
    /// The values and their confidence.
    pub fit: biela_study::Fit,
    /// The active bounds: −1 for a value at its lower bound, 1 at its upper bound.
    pub active: Vec<i8>,
    /// The root mean square of the residuals of each signal: name, unit, value.
    pub left: Vec<(String, String, f64)>,
    /// The reason of a failed run.
    pub failed: Option<String>,
}

/// Refuses measurements of which none lies within the run, or which are fewer than the parameters.
fn overlaps(fit: &FitDefinition, end: f64) -> Result<(), ParameterStudyError> {
    let (Some(first), Some(last)) = (fit.times.first(), fit.times.last()) else {
        return Err(ParameterStudyError::Missing(
            "[fit] has no measurements".to_owned(),
        ));
    };
    // the times of a run end on its duration to rounding
    if *last < 0.0 || *first > end * (1.0 + 1e-9) {
        return Err(ParameterStudyError::Missing(format!(
            "no measurement lies within the run: the measurements are from {first} s to {last} s, the run is from 0 s to {end} s; \
             count times from the start of the run, or change the `duration` of the study"
        )));
    }
    let (numbers, parameters) = (fit.times.len() * fit.columns.len(), fit.between.len());
    if numbers < parameters {
        return Err(ParameterStudyError::Missing(format!(
            "{numbers} measured values cannot determine {parameters} parameters; measure more, or vary fewer"
        )));
    }
    Ok(())
}

/// Fits the parameters that the model's `[fit]` names; `seen` is called after every step with the number of runs so far and the sum of squares.
pub fn fit(
    runs: &ParameterRuns,
    effort: &Effort<'_>,
    seen: &mut dyn FnMut(usize, f64),
) -> Result<Fitted, ParameterStudyError> {
    let Some(wanted) = &runs.about().fit else {
        return Err(ParameterStudyError::Missing(
            "the model has no [fit]; add it with data = \"measured.csv\" and vary.NAME = { from = 1, to = 2 }"
                .to_owned(),
        ));
    };
    overlaps(wanted, runs.about().duration)?;
    let between = wanted.between.clone();
    let why = std::sync::Mutex::new(None);
    let computed = Cell::new(0);
    let mut residuals = |points: &[Vec<f64>]| {
        let one = |k: usize| match runs.residuals(named(&between, &points[k]), effort.stop) {
            Ok(list) => Some(Some(list)),
            Err(Stopped::Failed(reason) | Stopped::Unrecorded(reason)) => {
                if let Ok(mut why) = why.lock() {
                    *why = Some(reason);
                }
                Some(None)
            }
            Err(Stopped::Interrupted) => None,
        };
        let lists = in_order(points.len(), effort.threads, &one)?;
        computed.set(computed.get() + points.len());
        if let [Some(list)] = lists.as_slice() {
            seen(computed.get(), list.iter().map(|r| r * r).sum());
        }
        Some(lists)
    };
    let problem = LeastSquares {
        bounds: bounds(&between),
        start: start(runs, &between),
        step: 1e-4,
        tolerance: effort.tolerance,
        most_iterations: effort.most_iterations,
    };
    let fit = biela_study::fit(&problem, &mut residuals);
    let rest = runs.residuals(named(&between, &fit.x), effort.stop);
    let rest = rest.unwrap_or_default();
    let rows = wanted.times.len();
    let left = wanted
        .columns
        .iter()
        .zip(rest.chunks_exact(rows.max(1)))
        .map(|(column, rest)| {
            let sum: f64 = rest.iter().map(|r| r * r).sum();
            let channel = &column.channel;
            let rms = column.deviation * (sum / rows as f64).sqrt();
            (channel.name.clone(), channel.unit.clone(), rms)
        })
        .collect();
    Ok(Fitted {
        active: problem.bounds.active(&fit.x),
        left,
        between,
        fit,
        failed: why.into_inner().ok().flatten(),
    })
}

/// Parameters that measurements do not identify: together they can change in this way without a change of what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Unidentified {
    /// Position of each parameter in the list of the fit, and its change, as a share of its value, or of the width between its bounds where
    /// the value is zero. The largest is 1.
    pub changes: Vec<(usize, f64)>,
}

impl Unidentified {
    /// Whether a parameter is among them.
    pub fn has(&self, parameter: usize) -> bool {
        self.changes.iter().any(|(k, _)| *k == parameter)
    }
}

/// Changes below this share of the largest are not named.
const NAMED: f64 = 0.02;

impl Fitted {
    /// The parameters, alone or together, that the measurements do not identify.
    pub fn unidentified(&self) -> Vec<Unidentified> {
        let directions = self.fit.unidentified();
        directions.iter().map(|d| self.named_direction(d)).collect()
    }

    fn named_direction(&self, direction: &[f64]) -> Unidentified {
        let share = |k: usize| {
            let between = &self.between[k];
            let value = self.fit.x[k].abs();
            let scale = if value > 0.0 {
                value
            } else {
                between.high - between.low
            };
            direction[k] / scale
        };
        let shares: Vec<f64> = (0..direction.len()).map(share).collect();
        let largest = shares
            .iter()
            .copied()
            .fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
        let changes = shares.iter().enumerate().map(|(k, s)| (k, s / largest));
        Unidentified {
            changes: changes.filter(|(_, s)| s.abs() > NAMED).collect(),
        }
    }
}

/// How a measure follows a parameter.
#[derive(Clone, Debug)]
pub struct MeasureSensitivity {
    /// The parameter.
    pub parameter: String,
    /// Its value.
    pub value: f64,
    /// The largest step of the differences.
    pub step: f64,
    /// Derivatives of all measures, in their order.
    pub derivatives: Vec<Derivative>,
}

/// Computes the derivatives of all measures with respect to parameters, each with its largest step. The measures themselves come first.
pub fn sensitivities(
    runs: &ParameterRuns,
    parameters: &[(String, f64, f64)],
    effort: &Effort<'_>,
) -> Result<(Vec<f64>, Vec<MeasureSensitivity>), Stopped> {
    let x: Vec<f64> = parameters.iter().map(|p| p.1).collect();
    let steps: Vec<f64> = parameters.iter().map(|p| p.2).collect();
    let differences = DifferencePoints::new(&x, &steps);
    let points = differences.points();
    let one = |k: usize| {
        let names = parameters.iter().map(|p| p.0.as_str());
        let values = runs.measure(names.zip(points[k].iter().copied()), None, effort.stop);
        (values != Err(Stopped::Interrupted)).then_some(values)
    };
    let computed = in_order(points.len(), effort.threads, &one).ok_or(Stopped::Interrupted)?;
    let own = computed[0].clone()?;
    let columns: Vec<Vec<Derivative>> = (0..own.len())
        .map(|m| {
            let value = |row: &Result<Vec<f64>, Stopped>| row.as_ref().map_or(f64::NAN, |r| r[m]);
            differences.derivatives(&computed.iter().map(value).collect::<Vec<f64>>())
        })
        .collect();
    let list = parameters
        .iter()
        .enumerate()
        .map(|(k, p)| MeasureSensitivity {
            parameter: p.0.clone(),
            value: p.1,
            step: p.2,
            derivatives: columns.iter().map(|column| column[k]).collect(),
        });
    let list = list.collect();
    Ok((own, list))
}

/// Interpolates a signal by a cubic through the four output times `t` around a time; `None` beyond them. `y(i)` is its value at the i-th of them.
pub(super) fn interpolated(t: &[f64], y: impl Fn(usize) -> f64, time: f64) -> Option<f64> {
    let slack = 1e-9 * t.last()?.abs();
    if time < t.first()? - slack || time > t.last()? + slack {
        return None;
    }
    let after = t.partition_point(|x| *x < time);
    if t.get(after) == Some(&time) {
        return Some(y(after));
    }
    let first = after.saturating_sub(2).min(t.len().saturating_sub(4));
    let nodes = first..(first + 4).min(t.len());
    let value = nodes.clone().map(|i| {
        let others = nodes.clone().filter(|j| *j != i);
        others.fold(y(i), |term, j| term * (time - t[j]) / (t[i] - t[j]))
    });
    Some(value.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolation_between_output_times_is_exact_for_cubics() {
        let cubic = |t: f64| 1.0 - t + 2.0 * t * t - 0.5 * t * t * t;
        let times = [0.0, 0.1, 0.25, 0.3, 0.5, 0.7];
        let at = |time| interpolated(&times, |i| cubic(times[i]), time);
        for time in [0.0, 0.05, 0.2, 0.3, 0.61, 0.7] {
            let off = at(time).map(|value| (value - cubic(time)).abs());
            assert!(off.is_some_and(|off| off < 1e-14), "{time}");
        }
        assert_eq!(at(0.71), None);
        assert_eq!(at(-0.1), None);
    }
}
