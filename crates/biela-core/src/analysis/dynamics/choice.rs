//! The choice of active rows among redundant ones.
//!
//! If m rows have the rank r < m in every configuration, r of them that are independent at the start may become dependent elsewhere, although all m rows
//! together keep the rank r. A Bennett linkage passes such configurations in every revolution. Before that, other rows are chosen.

use super::Simulation;
use crate::math::{Kkt, RowOrder, RowPattern, SymmetricPattern, least_fill};
use crate::system::{RowOwner, System, row_groups};

/// Other rows are chosen if the weakest of them is farther from dependence by this factor, squared.
const BETTER: f64 = 2.0;

/// Rows closer to dependence than this, relative to the best found in the run, do not justify a change. If all rows approach
/// rank deficiency, the configuration is singular, and no choice helps.
const WORTH: f64 = 0.2 * 0.2;

/// Whether a row is active, in the order in which rows are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Must,
    Does,
    May,
    Not,
}

impl Simulation {
    /// Searches for better rows if the active ones are close to rank deficiency; returns whether it found some.
    pub(super) fn choose_rows(&mut self) -> bool {
        let dynamics = &mut self.dynamics;
        let bilateral = dynamics
            .system
            .base()
            .map_or(dynamics.active.len(), |base| base.rows().len());
        if dynamics.active[..bilateral].iter().all(|active| *active) {
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
        let choosing = self
            .choosing
            .get_or_insert_with(|| Choosing::new(system, &dynamics.active));
        choosing.take(system, &ws.jacobian, &self.watch.lengths);
        let present = choosing.present();
        let worth = WORTH * self.watch.spread;
        let least = choosing.choose(if begins {
            present
        } else {
            worth.max(BETTER * present)
        });
        self.watch.spread = self.watch.spread.max(least.unwrap_or(present));
        let found = least.is_some() && !begins;
        if found {
            choosing.chosen(&mut dynamics.active);
            self.choosing = None;
            dynamics.renew_method();
            self.watch.renew(dynamics.system.as_ref(), &dynamics.active);
        }
        found
    }
}

/// Records the largest norm of each row of G so far.
fn note_lengths(system: &dyn System, jacobian: &[f64], lengths: &mut [f64]) {
    let pattern = system.jacobian_pattern();
    for (i, length) in lengths.iter_mut().enumerate() {
        *length = length.max(squared(&jacobian[pattern.range(i)]).sqrt());
    }
}

fn squared(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}

/// A sparse factorisation of all rows that skips weak ones. Mandatory rows come first, then active ones, then the others, so that
/// another row is added only for one that is skipped. Each costs as much as one evaluation of the motion.
#[derive(Clone, Debug)]
pub(super) struct Choosing {
    kkt: Kkt,
    /// The row of the system at each position, and the number of rows required.
    rows: Vec<usize>,
    roles: Vec<Role>,
    count: usize,
    metric: Vec<f64>,
    values: Vec<f64>,
}

impl Choosing {
    pub(super) fn new(system: &dyn System, active: &[bool]) -> Self {
        let n = system.sizes().velocities;
        let diagonal = SymmetricPattern {
            entries: (0..n).map(|i| (i, i)).collect(),
        };
        let pattern = system.jacobian_pattern();
        // drivers and velocity constraints have precedence over the rows on which they depend here
        let role = |row: usize| {
            let label = system.rows()[row];
            let alone = matches!(label.owner, RowOwner::Driver(_) | RowOwner::Unilateral(..))
                || label.nonholonomic;
            match (active[row], alone) {
                (true, true) => Role::Must,
                (true, false) => Role::Does,
                (false, false) => Role::May,
                (false, true) => Role::Not,
            }
        };
        let places = least_fill(n, &diagonal, pattern, &row_groups(system));
        let mut rows: Vec<usize> = places.iter().filter_map(|i| i.checked_sub(n)).collect();
        rows.sort_by_key(|row| role(*row));
        let mut permuted = RowPattern::new();
        for row in &rows {
            permuted.push(pattern.columns[pattern.range(*row)].iter().copied());
        }
        let groups: Vec<usize> = (0..rows.len()).collect();
        Choosing {
            kkt: Kkt::new(n, &diagonal, &permuted, &groups, RowOrder::Given),
            roles: rows.iter().map(|row| role(*row)).collect(),
            count: active.iter().filter(|active| **active).count(),
            metric: vec![1.0; n],
            values: vec![0.0; pattern.num_entries()],
            rows,
        }
    }

    /// Loads the rows of G, each relative to its largest norm so far: a vanishing row is dependent.
    fn take(&mut self, system: &dyn System, jacobian: &[f64], lengths: &[f64]) {
        let pattern = system.jacobian_pattern();
        let mut at = 0;
        for (row, role) in self.rows.iter().zip(&self.roles) {
            for entry in pattern.range(*row) {
                let length = lengths[*row];
                let takes_part = *role != Role::Not && length > 0.0;
                self.values[at] = if takes_part {
                    jacobian[entry] / length
                } else {
                    0.0
                };
                at += 1;
            }
        }
    }

    /// Factorises the rows; those whose squared remainder is below `least` are skipped unless they are mandatory.
    fn factor(&mut self, least: f64) {
        let roles = &self.roles;
        self.kkt
            .set_least(|i| if roles[i] == Role::Must { 0.0 } else { least });
        self.kkt.set_longest(1.0);
        self.kkt.factor(&self.metric, &self.values);
    }

    /// Returns the squared distance of the active rows from dependence.
    fn present(&mut self) -> f64 {
        self.factor(0.0);
        let active = |role: &Role| matches!(role, Role::Must | Role::Does);
        let shares = self.roles.iter().enumerate();
        let shares = shares.filter(|(_, role)| active(role));
        shares.map(|(i, _)| self.kkt.share(i)).fold(1.0, f64::min)
    }

    /// Finds as many rows as there are active ones, all farther from dependence than `worth`; returns their squared distance, if there are such rows.
    fn choose(&mut self, worth: f64) -> Option<f64> {
        let mut least = 0.25;
        while least > worth {
            self.factor(least);
            if self.rows.len() - self.kkt.num_dependent() == self.count {
                return Some(least);
            }
            least *= 0.25;
        }
        None
    }

    /// Marks the chosen rows as active.
    fn chosen(&self, active: &mut [bool]) {
        for (i, row) in self.rows.iter().enumerate() {
            active[*row] = !self.kkt.is_dependent(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows in the plane, of which two are required.
    fn choosing(rows: [[f64; 2]; 3], roles: [Role; 3]) -> Choosing {
        let diagonal = SymmetricPattern {
            entries: vec![(0, 0), (1, 1)],
        };
        let mut pattern = RowPattern::new();
        for _ in rows {
            pattern.push(0..2);
        }
        Choosing {
            kkt: Kkt::new(2, &diagonal, &pattern, &[0, 1, 2], RowOrder::Given),
            rows: vec![0, 1, 2],
            roles: roles.to_vec(),
            count: 2,
            metric: vec![1.0; 2],
            values: rows.concat(),
        }
    }

    #[test]
    fn a_row_near_to_dependence_gives_its_place_to_one_that_is_not() {
        let roles = [Role::Must, Role::Does, Role::May];
        let mut choosing = choosing([[1.0, 0.0], [0.99, 0.14], [0.0, 1.0]], roles);
        assert!((choosing.present() - 0.0196).abs() < 1e-4);
        assert_eq!(choosing.choose(0.04), Some(0.25));
        let mut active = [false; 3];
        choosing.chosen(&mut active);
        assert_eq!(active, [true, false, true]);
    }

    #[test]
    fn rows_that_do_not_span_enough_are_not_chosen() {
        let roles = [Role::Does, Role::Does, Role::May];
        let mut choosing = choosing([[1.0, 0.0], [1.0, 0.0], [1.0, 1e-3]], roles);
        assert_eq!(choosing.present(), 0.0);
        assert_eq!(choosing.choose(1e-5), None);
    }
}
