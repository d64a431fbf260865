//! Degrees of freedom, and the constraint rows that say what others already say.

use super::{RowLabel, RowOwner, State, System, Workspace};
use crate::math::{Kkt, RowOrder, RowPattern};

/// A constraint row that depends on others.
#[derive(Clone, Debug, PartialEq)]
pub struct DependentRow {
    /// Position among all rows.
    pub row: usize,
    /// What it is.
    pub label: RowLabel,
    /// The rows it depends on.
    pub depends_on: Vec<usize>,
}

/// What the equations leave free at a pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Velocity coordinates.
    pub velocities: usize,
    /// Constraint rows, drivers and velocity equations included.
    pub rows: usize,
    /// Freedom of motion that is left.
    pub freedom: usize,
    /// Freedom of motion without the drivers.
    pub undriven_freedom: usize,
    /// Rows that depend on earlier ones.
    pub dependent: Vec<DependentRow>,
}

/// Arms beyond this length, m, count as so long in the metric that tells the rank.
const LONG_ARM: f64 = 1e3;

/// The largest derivative of a row by each velocity coordinate: for a rotation the longest arm.
fn column_reach(system: &dyn System, ws: &Workspace) -> Vec<f64> {
    let pattern = system.jacobian_pattern();
    let mut reach = vec![0.0_f64; system.sizes().velocities];
    for (column, value) in pattern.columns.iter().zip(&ws.jacobian) {
        reach[*column] = reach[*column].max(value.abs());
    }
    reach
}

/// Counts the freedom of motion at a state; a dependent row is blamed on the later element of the model.
pub fn mobility(system: &dyn System, state: &State, ws: &mut Workspace) -> Mobility {
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut ws.kinematics,
    );
    system.mass(ws);
    system.constraints(ws);
    // rank does not depend on the metric; a plain one does not drown rows in extreme masses, nor in arms of many kilometres
    let reach = column_reach(system, ws);
    for (value, (i, j)) in ws.mass.iter_mut().zip(&system.mass_pattern().entries) {
        *value = if i == j {
            (reach[*i] / LONG_ARM).max(1.0).powi(2)
        } else {
            0.0
        };
    }
    let sizes = system.sizes();
    let labels = system.rows();
    if labels.is_empty() {
        return Mobility {
            velocities: sizes.velocities,
            rows: 0,
            freedom: sizes.velocities,
            undriven_freedom: sizes.velocities,
            dependent: Vec::new(),
        };
    }
    let groups: Vec<usize> = (0..labels.len()).collect();
    let pattern = system.jacobian_pattern();
    let mut kkt = Kkt::new(
        sizes.velocities,
        system.mass_pattern(),
        pattern,
        &groups,
        RowOrder::Given,
    );
    let dependent = dependent_rows(&mut kkt, &ws.mass, &mut ws.jacobian, (labels, pattern));
    let driven = (labels.iter().enumerate())
        .filter(|(row, label)| {
            let is_driver = matches!(label.owner, RowOwner::Driver(_));
            is_driver && !dependent.iter().any(|d| d.row == *row)
        })
        .count();
    // rounding can let a row seem independent where the others already leave nothing free
    let freedom = (sizes.velocities + dependent.len()).saturating_sub(labels.len());
    Mobility {
        velocities: sizes.velocities,
        rows: labels.len(),
        freedom,
        undriven_freedom: freedom + driven,
        dependent,
    }
}

/// Rows whose pivots are below this share of their squared length are looked at again: pivots are differences, rounding lets dependent rows seem independent.
const DOUBTFUL: f64 = 1e-7;
/// A row whose independent part, squared, is below this share of its own counts as dependent.
const DEPENDENT: f64 = 1e-13;

/// The rows that depend on earlier ones. Rows that only rounding lets seem independent are cleared from `values` one by one, the first one first, since all that
/// come after it lean on it.
fn dependent_rows(
    kkt: &mut Kkt,
    mass: &[f64],
    values: &mut [f64],
    (labels, pattern): (&[RowLabel], &RowPattern),
) -> Vec<DependentRow> {
    kkt.factor(mass, values);
    let mut combination = vec![0.0; labels.len()];
    let mut depends_on = |kkt: &Kkt, row: usize| {
        kkt.combination(row, &mut combination[..row]);
        let named = (0..row).filter(|r| combination[*r].abs() > 1e-7);
        named.collect::<Vec<usize>>()
    };
    let mut dependent = Vec::new();
    for (row, label) in labels.iter().enumerate() {
        let doubtful = !kkt.is_dependent(row) && kkt.share(row) < DOUBTFUL;
        let rounded = doubtful && kkt.independent_part(row, values) <= DEPENDENT;
        if !rounded && !kkt.is_dependent(row) {
            continue;
        }
        dependent.push(DependentRow {
            row,
            label: *label,
            depends_on: depends_on(kkt, row),
        });
        if rounded {
            values[pattern.range(row)].fill(0.0);
            kkt.factor(mass, values);
        }
    }
    dependent
}
