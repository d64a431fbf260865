//! Linear equations with symbolic coefficients.

use crate::arena::Symbol;
use crate::number::Number;
use crate::tape::cost;

/// A pivot with a smaller value at the samples is treated as zero.
const LEAST_PIVOT: f64 = 1e-9;

/// Solves `A x = B` by Gaussian elimination, the simplest pivot first; rows contain A and then B. `None` if the matrix is singular.
pub(super) fn solve(
    mut rows: Vec<Vec<Symbol>>,
    unknowns: usize,
    simplify: &mut impl FnMut(Symbol) -> Symbol,
) -> Option<Vec<Vec<Symbol>>> {
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for _ in 0..unknowns {
        let free = |i: usize, j: usize| !pivots.iter().any(|(r, c)| *r == i || *c == j);
        let (i, j) = (0..rows.len())
            .flat_map(|i| (0..unknowns).map(move |j| (i, j)))
            .filter(|(i, j)| free(*i, *j) && rows[*i][*j].sample().abs() > LEAST_PIVOT)
            .min_by_key(|(i, j)| (cost(&[rows[*i][*j]]), *i, *j))?;
        let pivot = rows[i][j];
        for x in &mut rows[i] {
            *x = simplify(*x / pivot);
        }
        let own = rows[i].clone();
        for (k, row) in rows.iter_mut().enumerate() {
            let factor = row[j];
            if k == i || factor.is_zero() {
                continue;
            }
            for (x, y) in row.iter_mut().zip(&own) {
                if !y.is_zero() {
                    *x = simplify(Symbol::sum(
                        [(*x, Number::ONE), (factor * *y, Number::MINUS_ONE)],
                        Number::ZERO,
                    ));
                }
            }
        }
        pivots.push((i, j));
    }
    let mut solution = vec![Vec::new(); unknowns];
    for (i, j) in pivots {
        solution[j] = rows[i][unknowns..].to_vec();
    }
    Some(solution)
}
