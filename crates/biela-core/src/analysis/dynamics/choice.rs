//! Which of several rows that say the same take part.
//!
//! Where m rows have the rank r < m at every pose, r of them that are independent at the start may depend on each other elsewhere, though all together
//! do not: a linkage of Bennett comes to such poses in every turn. On the way there other rows are chosen, the largest independent part first.

use super::{Choice, Dynamics, Simulation, Watch};
use crate::methods;
use crate::system::{RowOwner, System};

/// Other rows are taken when the weakest of them is this much farther from dependence, squared.
const BETTER: f64 = 2.0;

/// Rows that come nearer than this to dependence, beside the best that were found in the run, are not worth a change: where all rows come near to a loss of
/// rank, the pose is singular, and there is nothing to choose.
const WORTH: f64 = 0.2 * 0.2;

/// Whether a row takes part in a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Must,
    May,
    Not,
}

impl Simulation {
    /// Looks for better rows where those that take part are near to a loss of rank; tells whether it found some.
    pub(super) fn choose_rows(&mut self) -> bool {
        let dynamics = &mut self.dynamics;
        let count = dynamics.active.iter().filter(|active| **active).count();
        if count == dynamics.active.len() {
            return false;
        }
        dynamics.see(&self.state);
        let (system, ws) = (dynamics.system.as_ref(), &mut dynamics.ws);
        system.constraints(ws);
        note_lengths(system, &ws.jacobian, &mut self.watch.lengths);
        let begins = self.watch.spread == 0.0;
        if !self.watch.wants_other_rows() && !begins {
            return false;
        }
        let rows = scaled_rows(system, &ws.jacobian, &self.watch.lengths);
        let active = || dynamics.active.iter().zip(system.rows());
        let as_is = active().map(|(active, _)| if *active { Role::Must } else { Role::Not });
        // what drives, and what holds velocities alone, says more than the rows that it depends on here
        let roles = active().map(|(active, label)| {
            let alone = matches!(label.owner, RowOwner::Driver(_)) || label.nonholonomic;
            match (active, alone) {
                (_, false) => Role::May,
                (true, true) => Role::Must,
                (false, true) => Role::Not,
            }
        });
        let (_, present) = spanning(rows.clone(), as_is.collect(), count);
        let (chosen, least) = spanning(rows, roles.collect(), count);
        self.watch.spread = self.watch.spread.max(least);
        let found = least > BETTER * present && least > WORTH * self.watch.spread && !begins;
        if found {
            dynamics.active = chosen;
            dynamics.renew_method();
            let (lengths, spread) = (std::mem::take(&mut self.watch.lengths), self.watch.spread);
            self.watch = Watch::new(dynamics.system.as_ref(), &dynamics.active);
            (self.watch.lengths, self.watch.spread) = (lengths, spread);
        }
        found
    }
}

impl Dynamics {
    /// Makes the method anew for the rows that take part.
    pub(super) fn renew_method(&mut self) {
        let Choice { kind, arguments } = &self.made_from;
        let (system, active) = (self.system.as_ref(), &self.active);
        // what could be made once can be made again
        if let Some(Ok(method)) = methods::build(kind, arguments, system, active) {
            self.work_before = self.work_before + self.method.work();
            self.method = method;
        }
    }
}

/// Takes note of the largest length that each row of G has had.
fn note_lengths(system: &dyn System, jacobian: &[f64], lengths: &mut [f64]) {
    let pattern = system.jacobian_pattern();
    for (i, length) in lengths.iter_mut().enumerate() {
        *length = length.max(squared(&jacobian[pattern.range(i)]).sqrt());
    }
}

/// The rows of G, each against the largest length it has had: one that vanishes says nothing.
fn scaled_rows(system: &dyn System, jacobian: &[f64], lengths: &[f64]) -> Vec<Vec<f64>> {
    let pattern = system.jacobian_pattern();
    let row = |i: usize| {
        let mut row = vec![0.0; system.sizes().velocities];
        if lengths[i] > 0.0 {
            for e in pattern.range(i) {
                row[pattern.columns[e]] = jacobian[e] / lengths[i];
            }
        }
        row
    };
    (0..pattern.num_rows()).map(row).collect()
}

fn squared(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}

/// So many of the rows, always the one of which most is left when those before are taken out of it; and the least, squared, that was left of one.
fn spanning(mut rows: Vec<Vec<f64>>, mut roles: Vec<Role>, count: usize) -> (Vec<bool>, f64) {
    let (mut chosen, mut least) = (vec![false; rows.len()], 1.0_f64);
    for _ in 0..count {
        let role = if roles.contains(&Role::Must) {
            Role::Must
        } else {
            Role::May
        };
        let left = |i: &usize| squared(&rows[*i]);
        let best = (0..rows.len())
            .filter(|i| roles[*i] == role)
            .max_by(|a, b| left(a).total_cmp(&left(b)));
        let Some(best) = best else {
            return (chosen, 0.0);
        };
        let taken = std::mem::take(&mut rows[best]);
        let length = squared(&taken);
        least = least.min(length);
        if length == 0.0 {
            return (chosen, 0.0);
        }
        (chosen[best], roles[best]) = (true, Role::Not);
        for row in rows.iter_mut().filter(|row| !row.is_empty()) {
            let along: f64 = row.iter().zip(&taken).map(|(x, t)| x * t).sum();
            for (x, t) in row.iter_mut().zip(&taken) {
                *x -= along / length * t;
            }
        }
    }
    (chosen, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_that_are_farthest_from_dependence_are_chosen() {
        let rows = vec![vec![1.0, 0.0], vec![0.8, 0.6], vec![0.0, 1.0]];
        let (chosen, least) = spanning(rows.clone(), vec![Role::Must, Role::May, Role::May], 2);
        assert_eq!(chosen, [true, false, true]);
        assert!((least - 1.0).abs() < 1e-15);
        let (chosen, least) = spanning(rows, vec![Role::Must, Role::Must, Role::Not], 2);
        assert_eq!(chosen, [true, true, false]);
        assert!((least - 0.36).abs() < 1e-15, "{least}");
    }

    #[test]
    fn rows_that_do_not_span_enough_are_worth_nothing() {
        let rows = vec![vec![1.0, 0.0], vec![1.0, 0.0]];
        assert_eq!(spanning(rows, vec![Role::May; 2], 2).1, 0.0);
    }
}
