//! Formulas of signals that jump or have a kink, shorter than a step, and events on one-sided quantities.

use super::linkages::read;
use biela::{Run, core::analysis::Stop};

fn run(text: &str) -> Run {
    let mut job = read(text);
    job.outputs.channels = biela::core::system::channels(&job.model);
    biela::run(job).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A block on a rail at `rate`, with a force along the rail and other tables.
fn block(rate: f64, effort: &str, rest: &str) -> String {
    format!(
        r#"
format = 1
name = "block"
space = "planar"
[[body]]
name = "block"
mass = 1
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "block"]
initial = {{ rate = {rate} }}
[[force]]
name = "push"
type = "actuator"
joint = "rail"
effort = "{effort}"
{rest}
"#
    )
}

#[test]
fn a_pulse_shorter_than_a_step_is_located() {
    // 100 N over 10 mm, passed in 1 ms, is 1 J: v^2 = 100 + 2
    for integrator in ["dopri5", "dop853", "merson", "rk4-doubling", "abm", "bdf"] {
        for formulation in ["absolute", "tree"] {
            for effort in [
                "pulse(rail.position, 3, 3.01)*100",
                "rail.position > 3 and rail.position < 3.01 ? 100 : 0",
                "100*(step(rail.position - 3) - step(rail.position - 3.01))",
                "20000*(max(0, rail.position - 3) - 2*max(0, rail.position - 3.005) + max(0, rail.position - 3.01))*2",
            ] {
                let study = format!(
                    "[study]\nduration = 1\noutput_step = 0.1\nformulation = \"{formulation}\"\nintegrator = {{ type = \"{integrator}\", tolerance = 1e-8 }}"
                );
                let run = run(&block(10.0, effort, &study));
                assert!(run.ended.is_ok(), "{integrator}: {:?}", run.ended);
                let rate = *run.column("rail.rate").unwrap().last().unwrap();
                println!(
                    "{integrator} {formulation}: {:.1e}, {} steps",
                    rate - 102_f64.sqrt(),
                    run.statistics.integrator.steps
                );
                assert!(
                    (rate - 102_f64.sqrt()).abs() < 1e-5,
                    "{integrator}, {formulation}, {effort}: {rate}"
                );
            }
        }
    }
}

/// The times of the events of a run.
fn events(text: &str, names: &[&str]) -> Vec<Vec<f64>> {
    let run = run(text);
    assert!(run.ended.is_ok(), "{:?}", run.ended);
    let of = |name: &&str| {
        let events = run.events.iter().filter(|(_, event)| event == *name);
        events.map(|(time, _)| *time).collect()
    };
    names.iter().map(of).collect()
}

#[test]
fn a_one_sided_quantity_has_events_where_it_reaches_and_leaves_zero() {
    let rest = r#"
[[force]]
name = "buffer"
type = "limit"
joint = "rail"
upper = "0.5 m"
stiffness = "1 kN/m"
[[event]]
name = "contact"
when = "buffer.depth"
crossing = "rising"
[[event]]
name = "half_way"
when = "max(0, 0.25 m - rail.position)"
[[event]]
name = "dead_zone"
when = "rail.position < 0.1 ? rail.position - 0.1 : (rail.position > 0.2 ? rail.position - 0.2 : 0)"
[[event]]
name = "starts_at_zero"
when = "rail.position"
crossing = "rising"
[[event]]
name = "pole"
when = "1/(rail.position - 0.3123)"
[[event]]
name = "jump"
when = "rail.position > 0.35 ? 1 : -1"
[study]
duration = 0.52
"#;
    let names = [
        "contact",
        "half_way",
        "dead_zone",
        "starts_at_zero",
        "pole",
        "jump",
    ];
    let found = events(&block(1.0, "0", rest), &names);
    for (name, (found, right)) in names.iter().zip(found.iter().zip([
        vec![0.5],
        vec![0.25],
        vec![0.1],
        vec![],
        vec![],
        vec![0.35],
    ])) {
        assert_eq!(found.len(), right.len(), "{name}: {found:?}");
        for (found, right) in found.iter().zip(right) {
            assert!((found - right).abs() < 1e-9, "{name}: {found}");
        }
    }
}

#[test]
fn a_stop_event_on_a_penetration_depth_stops_the_run() {
    let rest = r#"
[[force]]
name = "buffer"
type = "limit"
joint = "rail"
upper = "0.5 m"
stiffness = "1 kN/m"
[[event]]
name = "contact"
when = "buffer.depth"
crossing = "rising"
action = "stop"
[study]
duration = 1
"#;
    let run = run(&block(1.0, "0", rest));
    let Ok(Stop::Event { time, .. }) = run.ended else {
        panic!("{:?}", run.ended);
    };
    assert!((time - 0.5).abs() < 1e-9, "{time}");
}

#[test]
fn a_pulse_missed_by_fixed_steps_causes_a_warning() {
    let study = "[study]\nduration = 1\nintegrator = { type = \"rk4\", step = 0.01 }";
    let effort = "pulse(rail.position, 3.0301, 3.0309)*100";
    let run = run(&block(10.0, effort, study));
    let warning = run.warnings.join("\n");
    assert!(warning.contains("force `push`"), "{warning}");
    assert!(warning.contains("within one fixed step"), "{warning}");
}
