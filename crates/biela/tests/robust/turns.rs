//! Whole turns of joint angles: no step may change their number, in any formulation, with any integrator.

use super::linkages::read;
use biela::{Run, core::analysis::Stop};

fn run(text: &str) -> Run {
    let mut job = read(text);
    job.outputs.channels = biela::core::system::channels(&job.model);
    biela::run(job).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn last(run: &Run, signal: &str) -> f64 {
    *run.column(signal).unwrap().last().unwrap()
}

/// A disc at 1 rad/s, with an event at 50 rad.
fn rotor(study: &str) -> String {
    format!(
        r#"
format = 1
name = "rotor"
space = "spatial"
[[body]]
name = "disc"
mass = 1
inertia = [0.01, 0.01, 0.02]
[[joint]]
name = "axle"
type = "revolute"
between = ["ground", "disc"]
initial = {{ rate = "1 rad/s" }}
[[event]]
name = "eight_turns"
when = "axle.angle - 50"
[study]
duration = "100 s"
{study}
"#
    )
}

const INTEGRATORS: &[&str] = &[
    "type = \"dopri5\"",
    "type = \"dop853\"",
    "type = \"merson\"",
    "type = \"abm\"",
    "type = \"rk4-doubling\"",
    "type = \"rk4\", step = 1",
    "type = \"rk4\", step = 4",
    "type = \"bdf\"",
    "type = \"generalized-alpha\", tolerance = 1e-5",
    "type = \"generalized-alpha\", step = 0.5",
    "type = \"hht\", step = 0.5",
];

#[test]
fn a_rotor_keeps_count_of_its_turns_for_any_step() {
    for formulation in ["tree", "absolute"] {
        for integrator in INTEGRATORS {
            let study = format!(
                "formulation = \"{formulation}\"\noutput_step = 10\nintegrator = {{ {integrator} }}"
            );
            let run = run(&rotor(&study));
            assert!(run.ended.is_ok(), "{integrator}: {:?}", run.ended);
            // fixed steps of several radians leave an error of the pose, never of a turn
            for (t, angle) in run.times().iter().zip(run.column("axle.angle").unwrap()) {
                assert!(
                    (angle - t).abs() < 5.0
                        && (formulation == "absolute" || (angle - t).abs() < 1e-6),
                    "{formulation}, {integrator}: {angle} at {t} s"
                );
            }
        }
    }
}

#[test]
fn a_stop_event_occurs_with_more_than_half_a_turn_per_step() {
    let text = rotor("formulation = \"tree\"").replace(
        "when = \"axle.angle - 50\"",
        "when = \"axle.angle - 50\"\naction = \"stop\"",
    );
    let run = run(&text);
    let Ok(Stop::Event { time, .. }) = run.ended else {
        panic!("{:?}", run.ended);
    };
    assert!((time - 50.0).abs() < 1e-6, "{time}");
}

#[test]
fn gears_with_steps_of_more_than_half_a_turn_end_in_the_correct_pose() {
    for formulation in ["absolute", "tree"] {
        for integrator in ["dopri5", "dop853", "abm", "bdf", "merson"] {
            let run = run(&format!(
                r#"
format = 1
name = "gears"
space = "spatial"
[ground]
points = {{ a = [1, 0, 0] }}
[[body]]
name = "g1"
mass = 1
inertia = [0.01, 0.01, 0.02]
[[body]]
name = "g2"
mass = 1
inertia = [0.01, 0.01, 0.02]
[[joint]]
name = "s1"
type = "revolute"
between = ["ground", "g1"]
initial = {{ rate = "10 rad/s" }}
[[joint]]
name = "s2"
type = "revolute"
between = ["ground.a", "g2"]
[[coupler]]
name = "mesh"
type = "gear"
joints = ["s1", "s2"]
teeth = [20, 60]
[study]
duration = 20
formulation = "{formulation}"
integrator = {{ type = "{integrator}", tolerance = 1e-9 }}
"#
            ));
            assert!(run.ended.is_ok(), "{integrator}: {:?}", run.ended);
            let (s1, turn) = (last(&run, "s1.angle"), last(&run, "g1.rot_z"));
            let apart = |a: f64, b: f64| {
                (a - b - std::f64::consts::TAU * ((a - b) / std::f64::consts::TAU).round()).abs()
            };
            println!("{formulation} {integrator}: {s1} {turn}");
            assert!(
                (s1 - 200.0).abs() < 1e-3,
                "{formulation}, {integrator}: {s1}"
            );
            assert!(
                apart(turn, 200.0) < 1e-3,
                "{formulation}, {integrator}: {turn}"
            );
            assert!((last(&run, "s2.angle") + s1 / 3.0).abs() < 1e-8);
        }
    }
}
