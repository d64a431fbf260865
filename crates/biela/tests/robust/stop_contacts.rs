//! A carriage between two elastic stops, compared with its closed form: constant velocity, half an oscillation, and back.

use super::linkages::read;

/// Half of the way between the stops, speed, and angular frequency against a stop.
const FREE: f64 = 0.4;
const SPEED: f64 = 2.0;
const OMEGA: f64 = 100.0;

/// Position after a time from the middle.
fn position(time: f64) -> f64 {
    let (way, swing) = (2.0 * FREE / SPEED, std::f64::consts::PI / OMEGA);
    // from the moment at which the last stop was left, if it had been left before the start
    let since = time + 0.5 * way;
    let bounces = (since / (way + swing)).floor();
    let sign = if bounces % 2.0 == 0.0 { 1.0 } else { -1.0 };
    let left = since - bounces * (way + swing);
    sign * if left < way {
        SPEED * left - FREE
    } else {
        FREE + SPEED / OMEGA * (OMEGA * (left - way)).sin()
    }
}

#[test]
fn impacts_between_stops_follow_the_closed_form_with_every_integrator_with_step_size_control() {
    // largest errors; if no step ended at a contact event, they would be up to 4e-7 m with `dopri5`, 2e-7 m with `dop853`, 1e-6 m with `abm`
    for (integrator, tolerance, most) in [
        ("dopri5", 1e-10, 5e-8),
        ("dop853", 1e-10, 2e-9),
        ("merson", 1e-10, 5e-8),
        ("rk4-doubling", 1e-10, 5e-8),
        ("abm", 1e-10, 5e-8),
        ("bdf", 1e-9, 2e-5),
        ("generalized-alpha", 1e-8, 2e-4),
        ("hht", 1e-8, 1e-3),
    ] {
        for formulation in ["absolute", "tree"] {
            let mut job = read(&format!(
                r#"
format = 1
name = "stops"
space = "planar"
[[body]]
name = "carriage"
mass = 5
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "carriage"]
axis = [1, 0]
initial = {{ position = 0, rate = {SPEED} }}
[[force]]
name = "buffers"
type = "limit"
joint = "rail"
lower = {}
upper = {FREE}
stiffness = {}
[study]
duration = 5
output_step = 0.01
formulation = "{formulation}"
integrator = {{ type = "{integrator}", tolerance = {tolerance:e} }}
"#,
                -FREE,
                5.0 * OMEGA * OMEGA
            ));
            job.outputs.channels = biela::core::system::channels(&job.model);
            let run = biela::run(job).unwrap();
            assert!(
                run.ended.is_ok(),
                "{integrator}, {formulation}: {:?}",
                run.ended
            );
            let positions = run.column("rail.position").unwrap();
            let errors = run.times().iter().zip(positions);
            let worst = errors
                .map(|(t, x)| (x - position(*t)).abs())
                .fold(0.0, f64::max);
            println!(
                "{integrator} {formulation}: {worst:.1e} m, {} steps",
                run.statistics.integrator.steps
            );
            assert!(worst < most, "{integrator}, {formulation}: {worst:e}");
        }
    }
}

#[test]
fn a_contact_just_before_a_discontinuity_in_time_is_passed_with_it() {
    // contact begins a tenth of a microsecond before the force jumps at 0.2 s
    let job = read(
        r#"
format = 1
name = "both"
space = "planar"
[[body]]
name = "carriage"
mass = 5
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "carriage"]
axis = [1, 0]
initial = { position = 0, rate = 2 }
[[force]]
name = "buffer"
type = "limit"
joint = "rail"
upper = 0.3999998
stiffness = 50000
[[force]]
name = "push"
type = "actuator"
joint = "rail"
effort = "if(t < 0.2, 0, -1)"
[study]
duration = 0.5
"#,
    );
    let run = biela::run(job).unwrap();
    assert!(run.ended.is_ok(), "{:?}", run.ended);
    assert_eq!(run.times().last(), Some(&0.5));
}
