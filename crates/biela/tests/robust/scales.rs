//! Large and small numbers: what counts as closed is judged beside the terms that cancel.

use super::linkages::read;
use biela::Run;

fn run(text: &str) -> Run {
    let mut job = read(text);
    job.outputs.channels = biela::core::system::channels(&job.model);
    biela::run(job).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn last(run: &Run, signal: &str) -> f64 {
    *run.column(signal).unwrap().last().unwrap()
}

fn gears(study: &str) -> String {
    format!(
        r#"
format = 1
name = "gear-long"
space = "planar"
[[body]]
name = "a"
mass = 1
inertia = 0.01
[[body]]
name = "b"
mass = 1
inertia = 0.01
[ground]
points = {{ B = [0.2, 0] }}
[[joint]]
name = "ja"
type = "revolute"
between = ["ground", "a"]
initial = {{ rate = "3000 rpm" }}
[[joint]]
name = "jb"
type = "revolute"
between = ["ground.B", "b"]
[[coupler]]
name = "mesh"
type = "gear"
joints = ["ja", "jb"]
teeth = [24, 60]
[study]
{study}
"#
    )
}

#[test]
fn a_gear_pair_stays_exact_beyond_a_million_radians() {
    let rate = 3000.0 * std::f64::consts::TAU / 60.0;
    // 1e6 s are 3.1e8 rad
    for (duration, formulation) in [(600.0, "absolute"), (600.0, "tree"), (1e6, "absolute")] {
        let study = format!(
            "duration = {duration}\noutput_step = {}\nformulation = \"{formulation}\"",
            duration / 10.0
        );
        let run = run(&gears(&study));
        assert!(run.ended.is_ok(), "{formulation}: {:?}", run.ended);
        let (a, b) = (last(&run, "ja.angle"), last(&run, "jb.angle"));
        assert!((a / (rate * duration) - 1.0).abs() < 1e-9, "{a}");
        assert!(
            (a * 24.0 + b * 60.0).abs() < 1e-14 * 60.0 * a.abs(),
            "{a} {b}"
        );
    }
}

/// A pendulum of length `size` about a point at `at`, for some swings, in any formulation.
fn pendulum(size: f64, at: f64, study: &str) -> String {
    // its period is that of 1 m at 9.81 m/s^2
    let gravity = 9.81 * size;
    format!(
        r#"
format = 1
name = "utm"
space = "planar"
gravity = [0, {}]
[ground]
points = {{ a = [{at:e}, 0] }}
[[body]]
name = "rod"
mass = 1
inertia = {:e}
com = [{size:e}, 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground.a", "rod"]
[study]
duration = 5
{study}
"#,
        -gravity,
        0.1 * size * size
    )
}

#[test]
fn a_pendulum_of_any_size_and_far_from_the_origin_has_the_same_motion() {
    let reference = last(
        &run(&pendulum(
            1.0,
            0.0,
            "formulation = \"tree\"\nintegrator = { type = \"dop853\", tolerance = 1e-12 }",
        )),
        "pin.angle",
    );
    for (size, at) in [(1.0, 1e6), (1e-6, 0.0), (1e9, 0.0), (1e-3, 1e3)] {
        for formulation in ["absolute", "tree"] {
            for (integrator, most) in [
                ("dopri5", 1e-5),
                ("dop853", 1e-5),
                ("abm", 1e-5),
                ("bdf", 1e-3),
            ] {
                let study = format!(
                    "formulation = \"{formulation}\"\nintegrator = {{ type = \"{integrator}\", tolerance = 1e-8 }}"
                );
                let run = run(&pendulum(size, at, &study));
                assert!(
                    run.ended.is_ok(),
                    "{size} m at {at} m, {formulation}, {integrator}: {:?}",
                    run.ended
                );
                let angle = last(&run, "pin.angle");
                println!(
                    "{size:e} m at {at:e} m, {formulation}, {integrator}: {:.1e} rad, {} steps",
                    angle - reference,
                    run.statistics.integrator.steps
                );
                assert!(
                    (angle - reference).abs() < most,
                    "{size} m at {at} m, {formulation}, {integrator}: {angle} and {reference}"
                );
            }
        }
    }
}

/// A mass on a spring of characteristic length `size`, without gravity, at the default settings of an integrator.
fn spring(size: f64, formulation: &str, integrator: &str) -> String {
    format!(
        r#"
format = 1
name = "spring"
space = "planar"
[ground]
points = {{ wall = [{:e}, 0] }}
[[body]]
name = "mass"
mass = 1
inertia = {:e}
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "mass"]
initial = {{ position = {size:e} }}
[[force]]
name = "spring"
type = "joint-spring-damper"
joint = "rail"
stiffness = 100
[study]
duration = 10
output_step = 0.05
formulation = "{formulation}"
integrator = {{ type = "{integrator}" }}
"#,
        -size,
        size * size
    )
}

#[test]
fn a_spring_of_any_size_follows_its_closed_form_with_default_settings() {
    for formulation in ["absolute", "tree"] {
        for (integrator, most) in [
            ("dopri5", 5e-5),
            ("dop853", 5e-5),
            ("abm", 1e-4),
            ("bdf", 5e-2),
        ] {
            for size in [1e-6, 1e-5, 1e-3, 1.0, 1e3, 1e6] {
                let run = run(&spring(size, formulation, integrator));
                assert!(run.ended.is_ok(), "{size} {integrator}: {:?}", run.ended);
                let positions = run.column("rail.position").unwrap();
                let errors = run.times().iter().zip(&positions);
                let off = errors.map(|(t, x)| (x / size - (10.0 * t).cos()).abs());
                let off = off.fold(0.0, f64::max);
                println!(
                    "{size:e} m, {formulation}, {integrator}: off by {off:.1e} of its size, {} steps",
                    run.statistics.integrator.steps
                );
                assert!(off < most, "{size} m, {formulation}, {integrator}: {off}");
            }
        }
    }
}

#[test]
fn a_pendulum_over_a_day_is_reported_with_its_phase_error() {
    let swings = |duration: f64, tolerance: f64| {
        let text = pendulum(
            1.0,
            0.0,
            &format!(
                "output_step = {}\nformulation = \"tree\"\nintegrator = {{ type = \"dopri5\", tolerance = {tolerance:e} }}",
                duration / 100.0
            ),
        );
        run(&text.replace("duration = 5\n", &format!("duration = {duration}\n")))
    };
    let warned = |run: &Run| {
        run.doubts()
            .iter()
            .any(|doubt| doubt.contains("the phase error may reach"))
    };
    let short = swings(20.0, 1e-8);
    assert!(!warned(&short), "{:?}", short.doubts());
    let long = swings(1e5, 1e-8);
    assert!(warned(&long), "{:?}", long.doubts());
    // a run whose phase is right is not doubted, and one that is doubted is off
    let (fine, exact) = (swings(1000.0, 1e-12), swings(1000.0, 1e-13));
    assert!(!warned(&fine), "{:?}", fine.doubts());
    assert!((last(&fine, "pin.angle") - last(&exact, "pin.angle")).abs() < 0.1);
}
