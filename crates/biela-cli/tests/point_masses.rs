//! The double pendulum of points of mass of the robot simulator of F. A. M. Cipparrone (Escola Politécnica da Universidade de São Paulo,
//! 1991, section 5.2.2): links of 0.1 m and 0.2 m with 1 kg and 2 kg at their ends and no other inertia, in the plane and in space.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::Place;

fn model(space: &str, start: &str) -> String {
    let z = if space == "planar" { "" } else { ", 0" };
    format!(
        r#"format = 1
space = "{space}"
gravity = [9.8, 0{z}]

[[body]]
name = "link1"
mass = 1
inertia = 0
com = [0.1, 0{z}]
points = {{ A = [0.1, 0{z}] }}

[[body]]
name = "link2"
mass = 2
inertia = 0
com = [0.2, 0{z}]

[[joint]]
name = "q1"
type = "revolute"
between = ["ground", "link1"]
initial = {{ angle = "{start}" }}

[[joint]]
name = "q2"
type = "revolute"
between = ["link1.A", "link2"]

[study]
duration = 2
output_step = 0.1
integrator = {{ type = "dop853", tolerance = 1e-13 }}

[output]
signals = ["q1", "q2", "energy.total", "q1.acceleration", "q2.acceleration"]
"#
    )
}

#[test]
fn absolute_coordinates_reject_point_masses_with_a_remedy() {
    let place = Place::new();
    place.write("model.toml", &model("planar", "0"));
    let _ = place.run(&["check", "model.toml"]).exits(0);
    let _ = place
        .run(&["run", "model.toml", "--formulation", "absolute"])
        .exits(4)
        .says(&["`link1` (model.toml:5:1)", "formulation `tree`"]);
}

#[test]
fn small_oscillations_of_point_masses_have_the_closed_form_frequencies() {
    let place = Place::new();
    place.write("model.toml", &model("spatial", "0"));
    let done = place.run(&["linearize", "model.toml", "--json"]).exits(0);
    let text = done.out;
    for frequency in ["5.96062549", "20.1363090"] {
        assert!(text.contains(frequency), "{frequency} in\n{text}");
    }
}

/// A point of mass on an arm behind whose joint a rotor turns.
const GEARED: &str = r#"format = 1
space = "planar"
gravity = [0, "-g"]

[parameters]
g = "9.81 m/s^2"
a = "0.02 kg*m^2"
m = "1 kg"
l = "0.5 m"

[[body]]
name = "arm"
mass = "m"
inertia = 0
com = ["l", 0]
points = { tip = ["l", 0] }

[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "arm"]
armature = "a"
"#;

#[test]
fn armatures_occur_in_derived_equations() {
    let place = Place::new();
    place.write("model.toml", GEARED);
    for (form, expected) in [
        ("mass", "a + m*l^2"),
        ("equations", "(a + m*l^2)*q_pin''"),
        ("kane", "-(a + m*l^2)*q_pin''"),
        ("lagrange", "T = (a + m*l^2)*q_pin'^2/2"),
    ] {
        let done = place
            .run(&["derive", "model.toml", "--form", form])
            .exits(0);
        assert!(done.out.contains(expected), "{form}:\n{}", done.out);
    }
}

#[test]
fn the_armature_of_a_loop_closing_joint_is_rejected_by_derive() {
    let place = Place::new();
    let second = "\n[[joint]]\nname = \"guide\"\ntype = \"point-on-line\"\nbetween = [\"ground\", \"arm.tip\"]\naxis = [1, 0]\n";
    let third = "\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = 0.1\n[[joint]]\nname = \"elbow\"\ntype = \"revolute\"\nbetween = [\"arm.tip\", \"rod\"]\narmature = 1\n[[joint]]\nname = \"foot\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\narmature = 1\n";
    place.write("guided.toml", &format!("{GEARED}{second}"));
    let _ = place.run(&["derive", "guided.toml"]).exits(0);
    place.write("loop.toml", &format!("{GEARED}{third}"));
    let done = place.run(&["derive", "loop.toml"]).exits(2);
    let _ = done.says(&["has an armature and closes a loop"]);
}
