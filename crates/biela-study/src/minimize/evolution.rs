//! Differential evolution (R. Storn and K. Price, J. Global Optim. 11 (1997)), variant `best/1/bin` with a weight that is drawn for each generation: each
//! member x competes with a trial vector that takes some of its components from `best + w (a - b)`, where a and b are two other members.

use super::{CountedFunction, Evaluate, Minimum, SearchEnded, VariableBounds};
use crate::distribution::Distribution;
use crate::plan::{Plan, SampledPlan, SamplingMethod};
use crate::random::uniform;

/// Crossover probability: that of taking a component from the mutant vector.
const CROSSOVER: f64 = 0.8;

/// The population size for a number of variables.
fn members(n: usize) -> usize {
    (10 * n).clamp(16, 120)
}

/// Searches the whole space between the bounds until all members of a generation agree in value and position to the tolerance. `start` is an optional initial
/// guess.
pub fn evolution(
    bounds: &VariableBounds,
    start: Option<&[f64]>,
    seed: u64,
    tolerance: f64,
    most_generations: usize,
    evaluate: &mut Evaluate<'_>,
) -> Minimum {
    let mut function = CountedFunction {
        bounds,
        evaluate,
        evaluations: 0,
    };
    let n = bounds.len();
    let count = members(n);
    let mut points = first_generation(n, count, seed);
    if let (Some(start), Some(first)) = (start, points.first_mut()) {
        *first = bounds.to_unit(start);
    }
    let mut history = Vec::new();
    let mut values = vec![f64::INFINITY; count];
    let mut ended = SearchEnded::Stopped;
    if let Some(first) = function.values(&points) {
        values = first;
        ended = SearchEnded::Exhausted;
        for generation in 1..=most_generations as u64 {
            let challengers = challengers(&points, &values, seed, generation);
            let Some(theirs) = function.values(&challengers) else {
                ended = SearchEnded::Stopped;
                break;
            };
            for (k, (value, point)) in theirs.into_iter().zip(challengers).enumerate() {
                if value <= values[k] {
                    (values[k], points[k]) = (value, point);
                }
            }
            history.push(values[best(&values)]);
            if agree(&points, &values, tolerance) {
                ended = SearchEnded::Converged;
                break;
            }
        }
    }
    let best = best(&values);
    Minimum {
        x: bounds.from_unit(&points[best]),
        value: values[best],
        iterations: history.len(),
        evaluations: function.evaluations,
        ended,
        history,
    }
}

fn first_generation(n: usize, count: usize, seed: u64) -> Vec<Vec<f64>> {
    let unit = Distribution::Uniform {
        low: 0.0,
        high: 1.0,
    };
    // a Latin hypercube accepts any number of factors
    let sampled = SampledPlan::new(SamplingMethod::Latin, count, seed, vec![unit; n]);
    let plan = sampled.map(Plan::Sampled);
    plan.map_or_else(
        |_| vec![vec![0.5; n]; count],
        |plan| (0..count).map(|k| plan.point(k)).collect(),
    )
}

fn best(values: &[f64]) -> usize {
    let pairs = values.iter().enumerate();
    pairs
        .min_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(k, _)| k)
}

fn challengers(points: &[Vec<f64>], values: &[f64], seed: u64, generation: u64) -> Vec<Vec<f64>> {
    let (count, n) = (points.len(), points[0].len());
    let best = &points[best(values)];
    // the weight of the generation, between ½ and 1
    let weight = 0.5 + 0.5 * uniform(seed, generation << 32, 0);
    let challenger = |k: usize| {
        let row = (generation << 32) + k as u64 + 1;
        let other = |column: u64, not: &[usize]| {
            let mut pick = (uniform(seed, row, column) * (count - not.len()) as f64) as usize;
            let mut not = not.to_vec();
            not.sort_unstable();
            for taken in not {
                pick += usize::from(pick >= taken);
            }
            pick
        };
        let a = other(0, &[k]);
        let b = other(1, &[k, a]);
        let sure = (uniform(seed, row, 2) * n as f64) as usize;
        (0..n)
            .map(|j| {
                if j != sure && uniform(seed, row, 3 + j as u64) > CROSSOVER {
                    return points[k][j];
                }
                let x = best[j] + weight * (points[a][j] - points[b][j]);
                // beyond a bound: midway between it and the member
                if x < 0.0 {
                    0.5 * points[k][j]
                } else if x > 1.0 {
                    0.5 * (1.0 + points[k][j])
                } else {
                    x
                }
            })
            .collect()
    };
    (0..count).map(challenger).collect()
}

/// Returns `true` if all members agree.
fn agree(points: &[Vec<f64>], values: &[f64], tolerance: f64) -> bool {
    let range = |list: &mut dyn Iterator<Item = f64>| {
        list.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let (low, high) = range(&mut values.iter().copied());
    let width = |j: usize| {
        let (low, high) = range(&mut points.iter().map(|p| p[j]));
        high - low
    };
    let size = (0..points[0].len()).map(width).fold(0.0, f64::max);
    high.is_finite()
        && (size <= tolerance || (high - low <= tolerance * low.abs() && size <= tolerance.sqrt()))
}
