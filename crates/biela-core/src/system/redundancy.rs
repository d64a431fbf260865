//! Degrees of freedom, and the constraint rows that say what others already say.

use super::{RowLabel, RowOwner, State, System, Workspace};
use crate::math::{Kkt, RowOrder};

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
    kkt.factor(&ws.mass, &ws.jacobian);
    let mut dependent = Vec::new();
    let mut combination = vec![0.0; labels.len()];
    let mut driven = 0;
    for (row, label) in labels.iter().enumerate() {
        let is_driver = matches!(label.owner, RowOwner::Driver(_));
        if kkt.is_dependent(row) {
            kkt.combination(row, &mut combination[..row]);
            let depends_on = (0..row).filter(|r| combination[*r].abs() > 1e-7).collect();
            dependent.push(DependentRow {
                row,
                label: *label,
                depends_on,
            });
        } else if is_driver {
            driven += 1;
        }
    }
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
