//! What the cases of G. O. de C. Pacheco's thesis of 2006 show beyond numbers: redundant rows by name, a singular pose on the way, stabilisation of constraints.
//!
//! A comment beside a tolerance gives the error that was measured.
#![allow(clippy::unwrap_used, clippy::panic)]

mod runs;

use std::f64::consts::SQRT_2;

use biela::core::analysis::{Formulation, assemble};
use biela::core::element::FieldValue;
use biela::{Job, Run, redundancies};
use runs::{column, finish, job, largest, root};

/// The closed chain of the gallery at a tolerance of 1e-10.
fn closed_chain() -> Job {
    let model = root().join("examples/mechanisms/closed-chain/model.toml");
    let mut job = biela::load(model).unwrap_or_else(|e| panic!("{e}"));
    let study = job.study.as_mut().unwrap();
    let arguments = &mut study.integrator.arguments;
    arguments.set("tolerance", FieldValue::Number(1e-10));
    job
}

#[test]
fn the_closed_chain_has_three_redundant_constraints() {
    let assembled = assemble(closed_chain().model, Formulation::Absolute);
    let assembled = assembled.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(assembled.mobility.velocities, 180);
    let left_out = assembled.active.iter().filter(|active| !**active);
    assert_eq!(left_out.count(), 3);
    let said = redundancies(&assembled);
    assert_eq!((said.len(), said[0].rows), (1, 3));
    assert_eq!(said[0].element, "joint `closure`");
    assert_eq!(said[0].said_by, ["corner2", "corner3", "corner4"]);
}

#[test]
fn the_closed_chain_reports_its_flat_pose_and_satisfies_all_constraints_including_redundant_ones() {
    let mut job = closed_chain();
    let study = job.study.as_mut().unwrap();
    study.duration = 3.0;
    let run = finish(job);
    // the flat pose by equations in angles: sin(θ1 − θ2) = 0
    let [pose] = run.singular_poses.as_slice() else {
        panic!("{:?}", run.singular_poses)
    };
    // measured 2e-10
    let flat = 2.484_289_509_049;
    assert!((pose.time - flat).abs() <= 1e-8, "{:.12}", pose.time);
    let corners = ["corner2", "corner3", "corner4", "closure"].map(|c| format!("joint `{c}`"));
    assert_eq!(pose.elements, corners);
    // the residual is that of all 155 rows, the three left out as well; measured 5e-14 and 7e-14
    let s = run.statistics;
    assert!(s.worst_position <= 1e-12, "{:e}", s.worst_position);
    assert!(s.worst_velocity <= 1e-12, "{:e}", s.worst_velocity);
}

/// The conical pendulum of the gallery with another method and integrator.
fn conical(method: &str, integrator: &str, output_step: f64) -> Run {
    let path = root().join("examples/spatial/conical-pendulum/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let model = text.split("[study]").next().unwrap();
    finish(job(&format!(
        "{model}[study]\nduration = 30\noutput_step = {output_step}\nmethod = {method}\nintegrator = {integrator}\n"
    )))
}

/// Largest error of the length of the rod, and of the height of the ball.
fn conical_errors(run: &Run) -> (f64, f64) {
    let [x, y, z] = ["ball.x", "ball.y", "ball.z"].map(|name| column(run, name));
    let length = |k: usize| (x[k] * x[k] + y[k] * y[k] + z[k] * z[k]).sqrt();
    (
        largest((0..x.len()).map(|k| length(k) - 5.0)),
        largest(z.iter().map(|z| z + 5.0 / SQRT_2)),
    )
}

#[test]
fn small_fixed_steps_have_little_drift_with_or_without_stabilisation() {
    let step = "{ type = \"rk4\", step = 0.005 }";
    let free = conical("\"augmented\"", step, 0.05);
    let damped = conical(
        "{ type = \"baumgarte\", alpha = 10, beta = 10 }",
        step,
        0.05,
    );
    // measured 3.5e-11 and 6e-14 m; 5.5e-9 and 9e-9 m
    let (length, height) = conical_errors(&free);
    assert!(length <= 1e-10 && height <= 1e-12, "{length:e}, {height:e}");
    let (length, height) = conical_errors(&damped);
    assert!(length <= 2e-8 && height <= 3e-8, "{length:e}, {height:e}");
}

#[test]
fn projection_allows_steps_many_times_those_of_automatic_stabilisation() {
    let integrator = "{ type = \"merson\", tolerance = 1e-3, first_step = 0.01 }";
    let damped = conical(
        "{ type = \"baumgarte\", automatic = true }",
        integrator,
        30.0,
    );
    let projected = conical(
        "{ type = \"projection\", tolerance = 1e-3 }",
        integrator,
        30.0,
    );
    let steps = |run: &Run| run.statistics.integrator.steps;
    // measured 1309 and 52
    assert!(steps(&damped) >= 20 * steps(&projected));
    // at most one iteration a step (measured 25 in all)
    assert!(projected.statistics.method.projections <= steps(&projected));
    // measured 2.7e-5 m
    assert!(conical_errors(&damped).0 <= 1e-4);
    assert!(conical_errors(&projected).0 <= 1e-3);
}
