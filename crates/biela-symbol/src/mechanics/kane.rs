//! Kane's equations: partial velocities, and motion in chosen generalized speeds.
//!
//! Generalized speeds u are chosen as `u = Y(q) v`, one per degree of freedom under the constraints `G v + ṡ-terms = 0`, holonomic or nonholonomic. Solving
//! both for the velocities gives `v = W(q) u + w`, whose columns are the partial velocities of the new speeds. Since G W = 0, the equations
//!
//! ```text
//! Wᵀ ( M v̇ + h + g − Q ) = 0        v̇ = W u̇ + Ẇ u + ẇ
//! ```
//!
//! have no constraint forces (Kane and Levinson, *Dynamics: Theory and Applications*, 1985).

use std::fmt;

use biela_core::math::Real;

use super::linear::solve;
use super::{ConstraintEquations, Mechanism, Simplifier, time_rates};
use crate::arena::{Symbol, VariableKind};
use crate::diff::{Derivatives, derivative};
use crate::substitute::substitute;

/// A generalized speed.
#[derive(Clone, Debug)]
pub struct Speed {
    /// Its name.
    pub name: String,
    /// Its definition, linear in the velocity coordinates.
    pub definition: Symbol,
}

/// An error in the definition of speeds.
#[derive(Clone, PartialEq, Eq)]
pub enum SpeedError {
    /// Their number differs from the degrees of freedom: the required and the given number.
    Count(usize, usize),
    /// A speed is not linear in the velocities.
    NotLinear(String),
    /// Speeds and constraints do not determine the velocities.
    Dependent,
}

impl fmt::Display for SpeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpeedError::Count(wanted, given) => write!(
                f,
                "{wanted} generalized speeds are required, one per degree of freedom of the constrained system; {given} are given"
            ),
            SpeedError::NotLinear(name) => {
                write!(
                    f,
                    "generalized speed `{name}` must be linear in the velocities"
                )
            }
            SpeedError::Dependent => write!(
                f,
                "the generalized speeds do not determine all velocities: they are linearly dependent, or the constraints already determine one of them"
            ),
        }
    }
}

impl std::fmt::Debug for SpeedError {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SpeedError {}

/// Equations of motion in generalized speeds.
#[derive(Clone, Debug)]
pub struct ReducedEquations {
    /// The speeds.
    pub u: Vec<Symbol>,
    /// Their derivatives.
    pub u_rates: Vec<Symbol>,
    /// The velocity coordinates as functions of the speeds.
    pub rates: Vec<Symbol>,
    /// The left sides of the equations: zero, or the generalized forces of applied loads.
    pub equations: Vec<Symbol>,
    /// Wᵀ, row by row: the map from forces along the coordinates to those along the speeds.
    pub directions: Vec<Vec<Symbol>>,
}

/// Derives the equations of motion in generalized speeds.
pub fn reduce(
    mechanism: &Mechanism<'_>,
    constraints: &ConstraintEquations,
    speeds: &[Speed],
    simplifier: &mut Simplifier,
) -> Result<ReducedEquations, SpeedError> {
    let n = mechanism.freedom();
    let wanted = n.saturating_sub(constraints.rows.len());
    if wanted != speeds.len() {
        return Err(SpeedError::Count(wanted, speeds.len()));
    }
    let still = || mechanism.v.iter().map(|v| (*v, Symbol::ZERO));
    let u: Vec<Symbol> = speeds
        .iter()
        .map(|speed| Symbol::variable(&speed.name, VariableKind::Rate, 0.83))
        .collect();
    let u_rates: Vec<Symbol> = speeds
        .iter()
        .map(|speed| {
            let latex = crate::words::latex_name(&speed.name);
            let (head, tail) = latex.split_once('_').unwrap_or((&latex, ""));
            let below = if tail.is_empty() { "" } else { "_" };
            Symbol::variable(
                &format!("{}'", speed.name),
                VariableKind::Acceleration,
                0.47,
            )
            .written(&format!(r"\dot{{{head}}}{below}{tail}"))
        })
        .collect();

    // Y v = u and G v = −(terms at rest), in one system
    let mut rows = Vec::new();
    for (k, speed) in speeds.iter().enumerate() {
        let mut row: Vec<Symbol> = Vec::new();
        for v in &mechanism.v {
            let slope = simplifier.simplify(derivative(speed.definition, *v));
            if mechanism.v.iter().any(|w| !derivative(slope, *w).is_zero()) {
                return Err(SpeedError::NotLinear(speed.name.clone()));
            }
            row.push(slope);
        }
        if !simplifier
            .simplify(substitute(speed.definition, still()))
            .is_zero()
        {
            return Err(SpeedError::NotLinear(speed.name.clone()));
        }
        row.push(u[k]);
        rows.push(row);
    }
    for row in &constraints.rows {
        let mut list: Vec<Symbol> = row
            .jacobian
            .iter()
            .map(|g| simplifier.simplify(*g))
            .collect();
        list.push(-simplifier.simplify(substitute(row.rate, still())));
        rows.push(list);
    }
    let solution = solve(rows, n, &mut |x| simplifier.simplify(x)).ok_or(SpeedError::Dependent)?;
    let rates: Vec<Symbol> = solution
        .iter()
        .map(|x| simplifier.simplify(x.first().copied().unwrap_or(Symbol::ZERO)))
        .collect();

    let directions: Vec<Vec<Symbol>> = u
        .iter()
        .map(|u| {
            rates
                .iter()
                .map(|v| simplifier.simplify(derivative(*v, *u)))
                .collect()
        })
        .collect();
    let moving: Vec<(Symbol, Symbol)> = mechanism
        .v
        .iter()
        .copied()
        .zip(rates.iter().copied())
        .collect();
    let along = time_rates(mechanism)
        .into_iter()
        .map(|(q, rate)| (q, substitute(rate, moving.iter().copied())))
        .chain(u.iter().copied().zip(u_rates.iter().copied()))
        .chain(
            constraints
                .motions
                .iter()
                .flat_map(|[s, r, c]| [(*s, *r), (*r, *c)]),
        );
    let mut time = Derivatives::along(along);
    let accelerations: Vec<Symbol> = rates
        .iter()
        .map(|v| simplifier.simplify(time.of(*v)))
        .collect();

    let mass = mechanism.mass();
    let (bias, gravity) = (mechanism.bias(), mechanism.gravity());
    let needed: Vec<Symbol> = (0..n)
        .map(|i| {
            let mut sum = substitute(bias[i], moving.iter().copied()) + gravity[i];
            for j in 0..n {
                sum += mass[i * n + j] * accelerations[j];
            }
            simplifier.simplify(sum)
        })
        .collect();
    let equations = directions
        .iter()
        .map(|direction| {
            let sum = direction
                .iter()
                .zip(&needed)
                .fold(Symbol::zero(), |sum, (w, f)| sum + *w * *f);
            simplifier.simplify(sum)
        })
        .collect();
    Ok(ReducedEquations {
        u,
        u_rates,
        rates,
        equations,
        directions,
    })
}
