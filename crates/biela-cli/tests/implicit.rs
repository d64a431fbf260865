//! Implicit integrators on stiff models, and friction on redundant joints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;

use biela::Run;
use biela::core::analysis::Formulation;
use biela::model::lower::Overrides;

/// A body that spins on a ball joint with a brake about an axis of the ground, so that the stiff direction turns in the axes of the body.
fn spinning_brake(inertia: &str, integrator: &str) -> String {
    format!(
        r#"
format = 1
space = "spatial"
[parameters]
c = 1e2
[[body]]
name = "b"
mass = 1
inertia = {inertia}
position = [0, 0, 0]
omega = [1, 10, 0]
[[joint]]
name = "ball"
type = "spherical"
between = ["ground", "b"]
[[force]]
name = "brake"
type = "torque"
on = "b"
axis = [1, 0, 0]
value = "-c*(b.omega_x - 1)"
[study]
duration = 5
integrator = {{ {integrator} }}
[output]
signals = ["b"]
"#
    )
}

/// A linkage of beams far stiffer than its motion asks for, without damping.
const STIFF_LINKAGE: &str = r#"
format = 1
space = "planar"
gravity = [0, -9.81]
[parameters]
L1 = "0.2 m"
L2 = "0.9 m"
L3 = "L2*sin(30 deg)/sin(60 deg)"
xP = "L1 + L2*cos(30 deg) - L3*cos(60 deg)"
E = "2.1e12 Pa"
order = 5
[ground]
points = { O = [0, 0], P = ["xP", 0] }
[[beam]]
name = "crank"
from = [0, 0]
to = ["L1", 0]
elements = 1
element = "green-lagrange"
axial_stiffness = "E*1.257e-3 [m^2]"
bending_stiffness = "E*1.257e-7 [m^4]"
mass = "0.6811 kg"
[[beam]]
name = "coupler"
from = ["L1", 0]
to = ["L1 + L2*cos(30 deg)", "L2*sin(30 deg)"]
elements = 36
element = "green-lagrange"
axial_stiffness = "E*1.960e-3 [m^2]"
bending_stiffness = "E*3.068e-7 [m^4]"
mass = "2.4740 kg"
points = { mid = 0.5 }
[[beam]]
name = "follower"
from = ["xP", 0]
to = ["xP + L3*cos(60 deg)", "L3*sin(60 deg)"]
elements = 4
element = "green-lagrange"
axial_stiffness = "E*7.068e-4 [m^2]"
bending_stiffness = "E*3.976e-8 [m^4]"
mass = "1.4700 kg"
[[joint]]
name = "pin_O"
type = "revolute"
between = ["ground.O", "crank.start"]
[[joint]]
name = "pin_A"
type = "revolute"
between = ["crank.end", "coupler.start"]
[[joint]]
name = "pin_B"
type = "revolute"
between = ["coupler.end", "follower.end"]
[[joint]]
name = "pin_P"
type = "revolute"
between = ["ground.P", "follower.start"]
[[force]]
name = "motor"
type = "torque"
on = "crank.start"
value = "10*sin(3*pi*t)"
[study]
duration = "0.2 s"
output_step = "1 ms"
integrator = { type = "bdf", form = "index-1", tolerance = 1e-3, max_order = "order" }
[output]
signals = ["coupler.mid.x", "coupler.mid.y"]
"#;

/// A body between two slides that both keep it from turning and from falling, with friction in both.
fn two_slides(first: usize, integrator: &str) -> String {
    let joints = [
        "[[joint]]\nname = \"ga\"\ntype = \"prismatic\"\nbetween = [\"ground.a\", \"bod.a\"]\ninitial = { rate = 1 }\n",
        "[[joint]]\nname = \"gb\"\ntype = \"prismatic\"\nbetween = [\"ground.b\", \"bod.b\"]\naxis = [1, 0]\n",
    ];
    format!(
        r#"
format = 1
space = "planar"
gravity = [0, -10]
[ground]
points = {{ a = [0, 0], b = [1, 0] }}
[[body]]
name = "bod"
mass = 1
inertia = 0.1
com = [0.2, 0]
points = {{ a = [0, 0], b = [1, 0] }}
{}{}
[[force]]
name = "fa"
type = "coulomb-friction"
joint = "ga"
mu = 0.3
[[force]]
name = "fb"
type = "coulomb-friction"
joint = "gb.position"
mu = 0.1
[study]
duration = 0.2
{integrator}
[output]
signals = ["ga", "gb", "bod"]
"#,
        joints[first],
        joints[1 - first]
    )
}

fn run(text: &str, set: &[String], formulation: Formulation) -> Run {
    let given = Overrides::new(set.iter().map(String::as_str));
    let mut job = biela::read("model", text, ".".as_ref(), &given).unwrap();
    job.study.as_mut().unwrap().formulation = formulation;
    let run = biela::run(job).unwrap();
    assert!(run.ended.is_ok(), "{:?}", run.ended);
    run
}

fn last(run: &Run, signal: &str) -> f64 {
    *run.column(signal).unwrap().last().unwrap()
}

#[test]
fn the_steps_with_a_stiff_brake_on_a_spinning_body_do_not_grow_with_stiffness() {
    for integrator in [
        "type = \"bdf\", tolerance = 1e-8",
        "type = \"generalized-alpha\", tolerance = 1e-4",
        "type = \"generalized-alpha\", tolerance = 1e-4, newton = \"full\"",
    ] {
        let text = spinning_brake("[1, 1, 1]", integrator);
        let steps = |c: f64, formulation| {
            let run = run(&text, &[format!("c={c:e}")], formulation);
            run.statistics.integrator.steps
        };
        let tree = steps(1e2, Formulation::Tree);
        for c in [1e2, 1e4, 1e6, 1e8] {
            let absolute = steps(c, Formulation::Absolute);
            assert!(
                10 * absolute <= 11 * tree,
                "{integrator}, c = {c:e}: {absolute} steps, {tree} in joint coordinates"
            );
        }
    }
}

#[test]
fn bdf_agrees_with_joint_coordinates_for_a_tumbling_body_with_a_stiff_brake() {
    let text = spinning_brake("[1, 2, 3]", "type = \"bdf\", tolerance = 1e-8");
    for c in [1e4, 1e8] {
        let of = |formulation| run(&text, &[format!("c={c:e}")], formulation);
        let (absolute, tree) = (of(Formulation::Absolute), of(Formulation::Tree));
        let steps = [&absolute, &tree].map(|run| run.statistics.integrator.steps);
        assert!(10 * steps[0] <= 12 * steps[1], "c = {c:e}: {steps:?}");
        let speed = [&absolute, &tree].map(|run| last(run, "b.omega_y"));
        assert!((speed[0] - speed[1]).abs() < 1e-4, "c = {c:e}: {speed:?}");
    }
}

#[test]
fn bdf_lowers_its_order_if_undamped_vibrations_limit_the_step_of_higher_orders() {
    let of = |order: usize| {
        run(
            STIFF_LINKAGE,
            &[format!("order={order}")],
            Formulation::Absolute,
        )
    };
    let (two, five) = (of(2), of(5));
    let steps = five.statistics.integrator.steps;
    assert!(steps < 3 * two.statistics.integrator.steps, "{steps}");
    assert!(five.statistics.integrator.order_reductions > 0);
    let notes = biela::evidence::notes(&five.statistics);
    assert!(notes[0].contains("lowered its order to 2"), "{notes:?}");
    assert!(biela::evidence::notes(&two.statistics).is_empty());
    for signal in ["coupler.mid.x", "coupler.mid.y"] {
        let off = last(&two, signal) - last(&five, signal);
        assert!(off.abs() < 5e-3, "{signal}: {off}");
    }
}

#[test]
fn friction_on_redundant_joints_does_not_depend_on_the_order_of_their_blocks() {
    // least |F|² + |T|²/L² with L² = J/m = 0.1 m²: 7.142857 N at ga, 2.857143 N at gb
    let expected = 0.2 - 0.5 * (0.3 * 50.0 / 7.0 + 0.1 * 20.0 / 7.0) * 0.04;
    for (integrator, allowed) in [
        ("", 1e-9),
        ("integrator = { type = \"bdf\", tolerance = 1e-8 }", 1e-6),
        (
            "integrator = { type = \"generalized-alpha\", step = \"1 ms\" }",
            1e-6,
        ),
    ] {
        for formulation in [Formulation::Absolute, Formulation::Tree] {
            for first in 0..2 {
                let run = run(&two_slides(first, integrator), &[], formulation);
                let x = last(&run, "bod.x");
                let what = format!("{formulation:?} {integrator} {first}");
                assert!((x - expected).abs() < allowed, "{what}: {x}");
                let carried = last(&run, "ga.reaction.fy");
                assert!((carried - 50.0 / 7.0).abs() < 1e-6, "{what}: {carried}");
            }
        }
    }
}

#[test]
fn friction_on_redundant_joints_is_reported_as_not_unique() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.toml");
    std::fs::write(&file, two_slides(0, "")).unwrap();
    for command in ["check", "run"] {
        let mut biela = Command::new(env!("CARGO_BIN_EXE_biela"));
        let output = biela.arg(command).arg(&file).current_dir(folder.path());
        let output = output.output().unwrap();
        let mut said = String::from_utf8(output.stdout).unwrap();
        said += &String::from_utf8(output.stderr).unwrap();
        let words: Vec<&str> = said.split_whitespace().collect();
        let said = words.join(" ");
        assert!(
            said.contains("neither the motion nor the reactions of `ga`, `gb` are unique"),
            "{said}"
        );
    }
}

#[test]
fn a_run_with_mostly_rejected_steps_is_reported() {
    let mut statistics = biela::core::analysis::Statistics::default();
    statistics.integrator.steps = 100;
    statistics.integrator.rejected = 90;
    assert!(biela::evidence::doubts(&statistics, true).is_empty());
    statistics.integrator.rejected = 14_795;
    let doubts = biela::evidence::doubts(&statistics, true);
    assert!(doubts[0].contains("14795 of 14895 attempted steps were rejected"));
}

/// A mass on a spring, shaken at its first instant, with steps of five radians of its vibration and no numerical damping.
fn stepped_over(signals: &str) -> Run {
    let text = format!(
        r#"
format = 1
space = "planar"
[[body]]
name = "bob"
mass = 1
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "bob"]
initial = {{ position = 1e-3 }}
[[force]]
name = "spring"
type = "joint-spring-damper"
joint = "rail"
stiffness = 1e6
[study]
duration = 1
integrator = {{ type = "generalized-alpha", step = "5 ms", spectral_radius = 0.9 }}
[output]
signals = [{signals}]
"#
    );
    run(&text, &[], Formulation::Absolute)
}

#[test]
fn unresolved_accelerations_are_reported() {
    let shown = stepped_over(r#""rail.position", "rail.acceleration""#).doubts();
    let said = shown.iter().find(|d| d.contains("accelerations change"));
    let said = said.expect("a warning");
    assert!(said.contains("`rail.acceleration`"), "{said}");
    let hidden = stepped_over(r#""rail.position""#).doubts();
    assert!(!hidden.iter().any(|d| d.contains("accelerations change")));
}

/// A pendulum hung on a stiff spring: its slow swing needs few steps.
fn sprung_pendulum(integrator: &str) -> String {
    format!(
        r#"
format = 1
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "bob"
mass = 1
inertia = 0.01
position = [0.3, -1]
[[force]]
name = "wire"
type = "spring-damper"
between = ["ground", "bob"]
stiffness = 1e8
damping = 2e4
length = "sqrt(1.09)*1 [m]"
[study]
duration = 2
integrator = {{ {integrator} }}
"#
    )
}

#[test]
fn a_stiff_force_with_an_explicit_integrator_is_named_with_a_remedy() {
    use biela::core::analysis::{Observer, Simulation, assemble};
    struct Nothing;
    impl Observer for Nothing {
        fn sample(&mut self, _: &biela::core::system::Instant<'_>) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Continue(())
        }
    }
    let stiff = |integrator| {
        let text = sprung_pendulum(integrator);
        let job = biela::read("model", &text, ".".as_ref(), &Overrides::default()).unwrap();
        let study = job.study.clone().unwrap();
        let assembled = assemble(job.model, study.formulation).unwrap();
        let mut simulation = Simulation::new(assembled, &study).unwrap();
        assert!(simulation.run(&mut Nothing).is_ok());
        simulation.stiff_force()
    };
    let found = stiff("type = \"dopri5\", tolerance = 1e-6").expect("a hint");
    assert!(found.0.contains("wire"), "{found:?}");
    let text = biela::evidence::stiff(&found);
    assert!(text.contains("implicit one (bdf"), "{text}");
    assert_eq!(stiff("type = \"bdf\", tolerance = 1e-6"), None);
}
