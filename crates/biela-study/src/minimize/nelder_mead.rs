//! The simplex method of J. A. Nelder and R. Mead, *A simplex method for function minimization*, Computer Journal 7 (1965), with the coefficients of F. Gao and
//! L. Han, Comput. Optim. Appl. 51 (2012), which avoid stagnation in many dimensions. Points beyond the bounds are projected onto them. Since that can flatten
//! the simplex, it is restarted once around the result.

use super::{CountedFunction, Evaluate, Minimum, SearchEnded, VariableBounds};

/// Initial size of the simplex, relative to the width between the bounds.
const SIZE: f64 = 0.1;

type SimplexVertex = (f64, Vec<f64>);

/// Searches from `start` until the simplex is smaller than `tolerance` relative to the width between the bounds and its values agree as well.
pub fn nelder_mead(
    bounds: &VariableBounds,
    start: &[f64],
    tolerance: f64,
    most_iterations: usize,
    evaluate: &mut Evaluate<'_>,
) -> Minimum {
    let mut function = CountedFunction {
        bounds,
        evaluate,
        evaluations: 0,
    };
    let mut best = (f64::INFINITY, bounds.to_unit(start));
    let mut history = Vec::new();
    let mut ended = SearchEnded::Exhausted;
    for size in [SIZE, 0.1 * SIZE] {
        ended = search(
            &mut best,
            size,
            tolerance,
            most_iterations,
            &mut function,
            &mut history,
        );
        if ended != SearchEnded::Converged {
            break;
        }
    }
    Minimum {
        x: bounds.from_unit(&best.1),
        value: best.0,
        iterations: history.len(),
        evaluations: function.evaluations,
        ended,
        history,
    }
}

/// A simplex around the best point with all edges inside the unit cube.
fn around(centre: &[f64], size: f64) -> Vec<Vec<f64>> {
    let mut points = vec![centre.to_vec()];
    for k in 0..centre.len() {
        let mut point = centre.to_vec();
        point[k] += if point[k] + size <= 1.0 { size } else { -size };
        points.push(point);
    }
    points
}

fn search(
    best: &mut SimplexVertex,
    size: f64,
    tolerance: f64,
    most_iterations: usize,
    function: &mut CountedFunction<'_, '_>,
    history: &mut Vec<f64>,
) -> SearchEnded {
    let n = best.1.len() as f64;
    let (expand, contract, shrink) = (1.0 + 2.0 / n, 0.75 - 0.5 / n, 1.0 - 1.0 / n.max(2.0));
    let points = around(&best.1, size);
    let Some(values) = function.values(&points) else {
        return SearchEnded::Stopped;
    };
    let mut simplex: Vec<SimplexVertex> = values.into_iter().zip(points).collect();
    let order = |simplex: &mut Vec<SimplexVertex>| simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
    order(&mut simplex);
    while history.len() < most_iterations {
        if simplex[0].0 <= best.0 {
            *best = simplex[0].clone();
        }
        history.push(best.0);
        if is_small(&simplex, tolerance) {
            return SearchEnded::Converged;
        }
        let last = simplex.len() - 1;
        let centre: Vec<f64> = (0..best.1.len())
            .map(|k| simplex[..last].iter().map(|v| v.1[k]).sum::<f64>() / last as f64)
            .collect();
        let worst = simplex[last].clone();
        let along = |factor: f64| -> Vec<f64> {
            let sides = centre.iter().zip(&worst.1);
            sides
                .map(|(c, w)| (c + factor * (c - w)).clamp(0.0, 1.0))
                .collect()
        };
        let mut at = |factor: f64| -> Option<SimplexVertex> {
            let point = along(factor);
            let value = *function.values(std::slice::from_ref(&point))?.first()?;
            Some((value, point))
        };
        let Some(reflected) = at(1.0) else {
            return SearchEnded::Stopped;
        };
        let next = if reflected.0 < simplex[0].0 {
            let Some(expanded) = at(expand) else {
                return SearchEnded::Stopped;
            };
            Some(if expanded.0 < reflected.0 {
                expanded
            } else {
                reflected
            })
        } else if reflected.0 < simplex[last - 1].0 {
            Some(reflected)
        } else {
            let outside = reflected.0 < worst.0;
            let Some(contracted) = at(if outside { contract } else { -contract }) else {
                return SearchEnded::Stopped;
            };
            (contracted.0 < reflected.0.min(worst.0)).then_some(contracted)
        };
        if let Some(next) = next {
            simplex[last] = next;
        } else {
            let kept = simplex[0].1.clone();
            let towards = |point: &Vec<f64>| -> Vec<f64> {
                let sides = kept.iter().zip(point);
                sides.map(|(a, b)| a + shrink * (b - a)).collect()
            };
            let points: Vec<Vec<f64>> = simplex[1..].iter().map(|v| towards(&v.1)).collect();
            let Some(values) = function.values(&points) else {
                return SearchEnded::Stopped;
            };
            for (vertex, new) in simplex[1..].iter_mut().zip(values.into_iter().zip(points)) {
                *vertex = new;
            }
        }
        order(&mut simplex);
    }
    SearchEnded::Exhausted
}

/// Returns `true` if points and values agree to the tolerance.
fn is_small(simplex: &[SimplexVertex], tolerance: f64) -> bool {
    let (first, rest) = (&simplex[0], &simplex[1..]);
    let far = |v: &SimplexVertex| {
        let sides = first.1.iter().zip(&v.1);
        sides.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let size = rest.iter().map(far).fold(0.0, f64::max);
    let spread = rest.last().map_or(0.0, |worst| worst.0 - first.0);
    size <= tolerance || (spread <= tolerance * first.0.abs() && size <= tolerance.sqrt())
}
