//! Checks the derived formulas against the numerical engine: both must agree at any state and for any parameters.

use std::collections::BTreeSet;

use biela_core::math::Random;
use biela_core::math::rotation::zero3;
use biela_core::tree::{Tree, TreeWorkspace, mass, normalize, rnea, velocities};
use biela_symbol::mechanics::Stand;
use biela_symbol::mechanics::constraints::TreeKinematics;
use biela_symbol::{Symbol, Tape};

use super::{DeriveError, ParameterizedModel, SymbolicModel};

/// Relative tolerance, with respect to the largest number.
const TOLERANCE: f64 = 1e-9;
/// Smaller constraint residuals at a random state, in m or rad, are rounding errors.
const LEAST_ROW: f64 = 1e-6;
/// The value of every generalized force that follows a law.
const EFFORT: f64 = 0.37;
/// Relative change of a parameter in the test of whether the formulas depend on it correctly.
const MOVE: f64 = 0.07;

/// The parameters whose effect the formulas do not reproduce.
pub(super) fn evading(
    named: &SymbolicModel<'_>,
    written: &ParameterizedModel,
    read: &dyn Fn(&[String]) -> Option<ParameterizedModel>,
) -> Result<BTreeSet<String>, DeriveError> {
    let comparison = FormulaCheck::new(named)?;
    let mut evading = BTreeSet::new();
    for parameter in &written.parameters.list {
        if parameter.formula.is_some() {
            continue;
        }
        let by = if parameter.value == 0.0 {
            MOVE
        } else {
            MOVE * parameter.value
        };
        let text = format!("{}={:e}", parameter.name, parameter.value + by);
        // a changed value that makes the model invalid gives no information
        if let Some(reading) = read(&[text])
            && comparison.difference(named, &reading) > TOLERANCE
        {
            let _ = evading.insert(parameter.name.clone());
        }
    }
    Ok(evading)
}

/// Fails unless the formulas agree with the engine for the model as written.
pub(super) fn agreement(
    named: &SymbolicModel<'_>,
    written: &ParameterizedModel,
) -> Result<(), DeriveError> {
    let difference = FormulaCheck::new(named)?.difference(named, written);
    if difference < TOLERANCE {
        return Ok(());
    }
    Err(DeriveError::Disagreement(format!(
        "the derived equations differ from the numerical ones by {difference:.1e}; please report this model"
    )))
}

/// All formulas of a mechanism, ready for evaluation.
struct FormulaCheck {
    tape: Tape,
}

impl FormulaCheck {
    fn new(named: &SymbolicModel<'_>) -> Result<Self, DeriveError> {
        let mechanism = &named.mechanism;
        let mut roots = mechanism.mass();
        roots.extend(mechanism.bias());
        roots.extend(mechanism.gravity());
        roots.extend(named.applied.written_out());
        for row in &named.constraints.rows {
            roots.push(row.phi.unwrap_or(Symbol::ZERO));
            roots.push(row.rate);
        }
        let mut inputs: Vec<Symbol> = named.numbers.iter().map(|n| n.symbol).collect();
        inputs.extend(&mechanism.q);
        inputs.extend(&mechanism.v);
        inputs.extend(named.constraints.motions.iter().flatten());
        inputs.extend(named.applied.efforts.iter().map(|(symbol, _)| *symbol));
        let tape = Tape::new(&roots, &inputs)
            .map_err(|error| DeriveError::Disagreement(error.to_string()))?;
        Ok(FormulaCheck { tape })
    }

    /// The largest difference at a random state, relative to the largest number.
    fn difference(&self, named: &SymbolicModel<'_>, reading: &ParameterizedModel) -> f64 {
        let mut random = Random::new(3);
        let tree = Tree::with(&reading.model, &reading.numbers);
        let mut q: Vec<f64> = (0..tree.positions)
            .map(|_| random.between(0.2, 1.2))
            .collect();
        normalize(&tree, &mut q);
        let v: Vec<f64> = (0..tree.velocities)
            .map(|_| random.symmetric(1.5))
            .collect();
        let motions: Vec<[f64; 3]> = named
            .constraints
            .motions
            .iter()
            .map(|_| [0.3, 0.4, 0.5])
            .collect();
        let numbers = named.numbers.iter();
        let mut inputs: Vec<f64> = numbers
            .map(|n| n.value_in(&reading.parameters, &reading.numbers))
            .collect();
        inputs.extend(q.iter().chain(&v).chain(motions.iter().flatten()));
        inputs.extend(named.applied.efforts.iter().map(|_| EFFORT));
        let found = self.tape.evaluate(&inputs);
        let offsets: Vec<f64> = named
            .numbers
            .iter()
            .filter(|n| named.constraints.offsets.contains(&n.symbol))
            .map(|n| n.value)
            .collect();
        let [dynamics, rows] = engine(reading, &tree, &q, &v, (&offsets, &motions));
        let mut at = 0;
        let mut worst = 0.0_f64;
        for (exact, least) in [(dynamics, f64::MIN_POSITIVE), (rows, LEAST_ROW)] {
            // velocities are about one, so the terms have comparable magnitudes
            let size = exact.iter().fold(least, |size, x| size.max(x.abs()));
            for x in exact {
                worst = worst.max((found[at] - x).abs() / size);
                at += 1;
            }
        }
        // NaN on both sides does not count as agreement
        if worst.is_nan() { f64::INFINITY } else { worst }
    }
}

/// A law evaluator that returns lengths unchanged and the same value for every law.
struct Plain;

impl Stand<f64> for Plain {
    fn law(&mut self, _: usize, _: usize) -> f64 {
        EFFORT
    }

    fn length(&mut self, _: usize, length: f64) -> f64 {
        length
    }
}

/// M, h, g, Q and the constraint rows, evaluated numerically by the engine.
fn engine(
    reading: &ParameterizedModel,
    tree: &Tree,
    q: &[f64],
    v: &[f64],
    (offsets, motions): (&[f64], &[[f64; 3]]),
) -> [Vec<f64>; 2] {
    let n = tree.velocities;
    let mut workspace = TreeWorkspace::new(tree);
    velocities(tree, &mut workspace, q, v);
    let kinematics = TreeKinematics {
        model: &reading.model,
        numbers: &reading.numbers,
        tree,
        workspace: &workspace,
        q,
        v,
    };
    // Q = Σ τ ∂ṡ/∂v, with the velocities ṡ at unit velocities v
    let efforts = kinematics.efforts(&mut Plain);
    let mut applied = vec![0.0; n];
    for (k, force) in applied.iter_mut().enumerate() {
        let mut unit = vec![0.0; n];
        unit[k] = 1.0;
        let mut moving = TreeWorkspace::new(tree);
        velocities(tree, &mut moving, q, &unit);
        let kinematics = TreeKinematics {
            workspace: &moving,
            v: &unit,
            ..kinematics
        };
        let rates = kinematics.efforts(&mut Plain);
        let parts = efforts.iter().zip(rates);
        *force = parts.map(|((effort, _), (_, rate))| effort * rate).sum();
    }
    let rows = kinematics
        .rows(offsets, motions)
        .into_iter()
        .flat_map(|(_, phi, rate)| [phi.unwrap_or(0.0), rate])
        .collect();
    let mut entries = vec![0.0; n * n];
    mass(tree, &mut workspace, |i, j, x| {
        entries[i * n + j] = x;
        entries[j * n + i] = x;
    });
    let weightless = Tree {
        gravity: zero3(),
        ..tree.clone()
    };
    let holding = |tree: &Tree, v: &[f64]| {
        let still = vec![0.0; n];
        let mut out = still.clone();
        rnea(
            tree,
            &mut TreeWorkspace::new(tree),
            q,
            v,
            &still,
            &[],
            &mut out,
        );
        out
    };
    let mut dynamics = entries;
    dynamics.extend(holding(&weightless, v));
    dynamics.extend(holding(tree, &vec![0.0; n]));
    dynamics.extend(applied);
    [dynamics, rows]
}
