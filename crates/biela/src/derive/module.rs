//! Code generation.

use biela_symbol::Symbol;
use biela_symbol::code::{Array, Language, Module, Routine, RoutineOutput};

use super::SymbolicModel;

/// Generates the module with M, h, g, the constraints and the partial velocities.
pub(super) fn write(named: &SymbolicModel<'_>, language: Language) -> String {
    module(named).write(language)
}

fn module(named: &SymbolicModel<'_>) -> Module {
    let mechanism = &named.mechanism;
    let mut simplifier = mechanism.simplifier();
    let n = mechanism.freedom();
    let q = || array("q", &mechanism.q);
    let v = || array("v", &mechanism.v);
    let mut routines = Vec::new();
    let mut add = |name: &str,
                   about: &str,
                   inputs: Vec<Array>,
                   columns: Option<usize>,
                   symbols: Vec<Symbol>| {
        routines.push(Routine {
            name: name.to_owned(),
            about: about.to_owned(),
            inputs,
            output: RoutineOutput {
                columns,
                symbols: simplifier.compact_all(&symbols),
            },
        });
    };
    add(
        "mass",
        "Mass matrix M(q).",
        vec![q()],
        Some(n),
        mechanism.mass(),
    );
    add(
        "bias",
        "Centrifugal and Coriolis terms h(q, v).",
        vec![q(), v()],
        None,
        mechanism.bias(),
    );
    add(
        "gravity",
        "Gravity terms g(q), on the left-hand side.",
        vec![q()],
        None,
        mechanism.gravity(),
    );
    if named.applied.forces.iter().any(|q| !q.is_zero()) {
        let efforts: Vec<Symbol> = named
            .applied
            .efforts
            .iter()
            .map(|(symbol, _)| *symbol)
            .collect();
        let mut inputs = vec![q(), v()];
        let about = if efforts.is_empty() {
            "Applied forces Q(q, v)."
        } else {
            inputs.push(array("f", &efforts));
            "Applied forces Q(q, v, f); f contains the forces and torques defined by laws."
        };
        add("applied", about, inputs, None, named.applied.written_out());
    }
    let rows = &named.constraints.rows;
    if !rows.is_empty() {
        let s = || {
            let motions: Vec<Symbol> = named
                .constraints
                .motions
                .iter()
                .flatten()
                .copied()
                .collect();
            array("s", &motions)
        };
        let driven = !named.constraints.motions.is_empty();
        let with_motions = |mut inputs: Vec<Array>| {
            if driven {
                inputs.push(s());
            }
            inputs
        };
        let phi: Vec<Symbol> = rows.iter().filter_map(|row| row.phi).collect();
        let about = if driven {
            "Position constraints Phi(q, s); s contains value, first and second derivative of each driver."
        } else {
            "Position constraints Phi(q)."
        };
        add("constraints", about, with_motions(vec![q()]), None, phi);
        let jacobian = rows.iter().flat_map(|row| row.jacobian.clone()).collect();
        add(
            "jacobian",
            "Constraint Jacobian G(q).",
            vec![q()],
            Some(n),
            jacobian,
        );
        let gamma = rows.iter().map(|row| row.gamma).collect();
        add(
            "gamma",
            "Right-hand side of the acceleration constraints G a = gamma.",
            with_motions(vec![q(), v()]),
            None,
            gamma,
        );
    }
    let about = "Partial velocities: six rows per body, three of the angular velocity and three of the velocity of the mass centre.";
    let partials = partial_velocities(named);
    add("partial_velocities", about, vec![q()], Some(n), partials);
    Module {
        title: title(named),
        parameters: named
            .numbers
            .iter()
            .map(|number| (number.symbol, number.value))
            .collect(),
        routines,
    }
}

/// The rows of the partial velocities, body by body.
fn partial_velocities(named: &SymbolicModel<'_>) -> Vec<Symbol> {
    let mechanism = &named.mechanism;
    (0..named.written.bodies.len())
        .filter(|body| mechanism.numbers.bodies[*body].0 != Symbol::ZERO)
        .flat_map(|body| {
            let columns = mechanism.partial_velocities(body);
            (0..6).flat_map(move |i| {
                let entry = |k: usize| {
                    if i < 3 {
                        columns[k].w[i]
                    } else {
                        columns[k].v[i - 3]
                    }
                };
                (0..mechanism.freedom()).map(entry).collect::<Vec<_>>()
            })
        })
        .collect()
}

fn array(name: &str, symbols: &[Symbol]) -> Array {
    Array {
        name: name.to_owned(),
        symbols: symbols.to_vec(),
    }
}

fn title(named: &SymbolicModel<'_>) -> String {
    let mechanism = &named.mechanism;
    let mut lines = vec![
        format!(
            "Equations of motion of `{}`, derived by biela.",
            named.written.name
        ),
        "M(q) a + h(q, v) + g(q) = Q + G(q)^T lambda, in SI units.".to_owned(),
    ];
    for (i, coordinate) in mechanism.coordinates.iter().enumerate() {
        lines.push(format!(
            "q[{i}] = {} ({})",
            coordinate.signal, coordinate.unit
        ));
    }
    if !mechanism.has_plain_rates() {
        for (i, v) in mechanism.v.iter().enumerate() {
            lines.push(format!("v[{i}] = {v}"));
        }
    }
    for (i, (_, force)) in named.applied.efforts.iter().enumerate() {
        lines.push(format!("f[{i}]: force or torque of `{force}`"));
    }
    if !named.applied.left_out.is_empty() {
        lines.push(format!("not in Q: {}", named.applied.left_out.join(", ")));
    }
    let bodies = named.written.bodies.iter().enumerate();
    let names: Vec<&str> = bodies
        .filter(|(b, _)| mechanism.numbers.bodies[*b].0 != Symbol::ZERO)
        .map(|(_, body)| body.name.as_str())
        .collect();
    lines.push(format!("bodies: {}", names.join(", ")));
    lines.join("\n")
}
