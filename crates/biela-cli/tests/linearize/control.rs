//! Inputs, outputs and states of a run.

use super::*;

const G: f64 = 9.81;

/// A cart of 4 kg with a uniform pole of 1.2 kg and 0.8 m standing on it.
const CART: &str = r#"
format = 1
name = "cart-pole"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "cart"
mass = 4
inertia = 0.1

[[body]]
name = "pole"
mass = 1.2
inertia = "1.2*0.64/12"
com = [0.4, 0]

[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]

[[joint]]
name = "pin"
type = "revolute"
between = ["cart", "pole"]
initial = { angle = "90 deg" }

DRIVE
"#;

/// (M + m) ẍ − m l θ̈ = F, J θ̈ − m l ẍ = m g l θ for θ to the left of upright.
fn pole() -> (f64, f64, f64) {
    let ml = 1.2 * 0.4;
    (4.0 + 1.2, ml, 1.2 * 0.64 / 12.0 + 1.2 * 0.16)
}

#[test]
fn a_cart_with_a_pole_has_the_textbook_matrices() {
    let text = CART.replace(
        "DRIVE",
        "[[force]]\nname = \"motor\"\ntype = \"actuator\"\njoint = \"rail\"\neffort = 0\n",
    );
    let request = LinearModelRequest {
        inputs: names(&["motor"]),
        outputs: names(&[
            "pin.angle",
            "rail.acceleration",
            "pin.reaction.fx",
            "pole.vx",
            "energy.total",
        ]),
        ..LinearModelRequest::default()
    };
    let found = try_linear(&text, &[], OperatingPoint::Start, &request).unwrap();
    let (total, ml, j) = pole();
    let det = total * j - ml * ml;
    let m = &found.model;
    let names: Vec<&str> = m.states().map(|v| v.name.as_str()).collect();
    assert_eq!(
        names,
        ["rail.position", "pin.angle", "rail.rate", "pin.rate"]
    );
    let mgl = ml * G;
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    // x grows to the right, θ to the left: ẍ = (J F + m l m g l θ…)/det with the sign of the pole's lever
    near(m.a[(2, 1)], ml * mgl / det);
    near(m.a[(3, 1)], total * mgl / det);
    near(m.b[(2, 0)], j / det);
    near(m.b[(3, 0)], ml / det);
    assert_eq!(m.inputs[0].name, "motor.effort");
    // outputs
    near(m.c[(0, 1)], 1.0);
    near(m.c[(1, 1)], m.a[(2, 1)]);
    near(m.d[(1, 0)], m.b[(2, 0)]);
    // the force of the cart on the pole: m (ẍ − l θ̈)
    near(m.d[(2, 0)], 1.2 * (m.b[(2, 0)] - 0.4 * m.b[(3, 0)]));
    near(m.c[(3, 2)], 1.0);
    near(m.c[(4, 1)], 0.0);
    assert_eq!(found.modes.iter().filter(|x| x.is_zero()).count(), 2);
}

#[test]
fn a_driver_as_input_is_its_acceleration_and_adds_its_motion_to_the_states() {
    let drive = "[[driver]]\nname = \"shake\"\non = \"rail\"\nvalue = \"0.3*t\"\n";
    let text = CART.replace("DRIVE", drive);
    let (_, ml, j) = pole();
    // without it as an input the driver holds: one state pair, and the moving rail does not show
    let held = try_linear(
        &text,
        &[],
        OperatingPoint::Start,
        &LinearModelRequest::default(),
    )
    .unwrap();
    assert_eq!(held.model.a.nrows(), 2);
    let request = LinearModelRequest {
        inputs: names(&["shake"]),
        outputs: names(&["shake.effort"]),
        ..LinearModelRequest::default()
    };
    let found = try_linear(&text, &[], OperatingPoint::Start, &request).unwrap();
    let m = &found.model;
    let names: Vec<&str> = m.states().map(|v| v.name.as_str()).collect();
    assert_eq!(
        names,
        ["rail.position", "pin.angle", "rail.rate", "pin.rate"]
    );
    assert_eq!(
        (m.inputs[0].name.as_str(), m.inputs[0].unit.as_str()),
        ("shake.acceleration", "m/s^2")
    );
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    near(m.a[(3, 1)], ml * G / j);
    near(m.a[(2, 1)], 0.0);
    near(m.b[(2, 0)], 1.0);
    near(m.b[(3, 0)], ml / j);
    near(m.d[(0, 0)], 5.2 - ml * ml / j);
}

#[test]
fn an_input_column_is_the_derivative_with_respect_to_the_load() {
    for (name, text) in [
        (
            "turn.torque",
            "[[force]]\nname = \"turn\"\ntype = \"torque\"\non = \"pole\"\nvalue = \"more + 0.4\"\n",
        ),
        (
            "line.tension",
            "[[force]]\nname = \"line\"\ntype = \"spring-damper\"\nbetween = [\"ground.hook\", \"pole.tip\"]\nstiffness = 30\nlength = 0.2\nforce = \"more\"\n",
        ),
        (
            "coil.effort",
            "[[force]]\nname = \"coil\"\ntype = \"joint-spring-damper\"\njoint = \"pin\"\nstiffness = 2\neffort = \"more\"\n",
        ),
        (
            "hand.fy",
            "[[force]]\nname = \"hand\"\ntype = \"force\"\nat = \"pole.tip\"\nvalue = [0.1, \"more\"]\n",
        ),
        (
            "motor.effort",
            "[[force]]\nname = \"motor\"\ntype = \"actuator\"\njoint = \"rail\"\neffort = \"more\"\n",
        ),
    ] {
        let text = CART
            .replace("DRIVE", text)
            .replace("\"90 deg\"", "\"60 deg\"")
            .replace("com = [0.4, 0]", "com = [0.4, 0]\npoints = { tip = [0.8, 0] }")
            .replace("[[body]]\nname = \"cart\"", "[parameters]\nmore = 0\n[ground]\npoints = { hook = [-0.5, 0.9] }\n[[body]]\nname = \"cart\"");
        let request = LinearModelRequest {
            inputs: names(&[name]),
            outputs: names(&["pin.reaction.fx"]),
            ..LinearModelRequest::default()
        };
        let at = |more: f64| {
            try_linear(
                &text,
                &[format!("more={more}")],
                OperatingPoint::Start,
                &request,
            )
            .unwrap()
            .model
        };
        // the motion is linear in the load
        let (none, some) = (at(0.0), at(1.0));
        for i in 0..2 {
            let gain = some.accelerations[i] - none.accelerations[i];
            assert!(
                (none.b[(2 + i, 0)] - gain).abs() < 1e-11 * (1.0 + gain.abs()),
                "{name} {gain}"
            );
        }
        assert!(
            none.b.amax() > 1e-3 && none.d[(0, 0)].abs() > 1e-6,
            "{name}"
        );
    }
}

#[test]
fn the_state_of_a_run_is_linearised_at_its_time() {
    let text = "format = 1\nname = \"pendulum\"\nspace = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 1\n\
        inertia = 0.1\ncom = [0.5, 0]\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\n\
        [study]\nduration = 1\nintegrator = { type = \"dop853\", tolerance = 1e-12 }\n[output]\nsignals = [\"pin.angle\"]\n";
    let found = try_linear(
        text,
        &[],
        OperatingPoint::Time(0.37),
        &LinearModelRequest::default(),
    )
    .unwrap();
    let angle = found.model.state.q[2];
    assert!((found.model.state.time - 0.37).abs() < 1e-15 && angle < -0.3);
    let slope = -G * 0.5 / 0.35 * -angle.sin();
    assert!(
        (found.model.a[(1, 0)] - slope).abs() < 1e-10,
        "{} {slope}",
        found.model.a[(1, 0)]
    );
    // dA/dt = ∂A/∂θ θ̇
    let rate = found.model.rates[0];
    let change = (G * 0.5 / 0.35 * angle.cos() * rate / slope).abs();
    assert!(
        (found.model.change_rate - change).abs() < 1e-3 * change,
        "{} {change}",
        found.model.change_rate
    );
}

#[test]
fn models_that_cannot_be_linearised_are_reported_with_the_reason() {
    let text = CART.replace(
        "DRIVE",
        "[[force]]\nname = \"push\"\ntype = \"force\"\nat = \"pole\"\nvalue = [0, 0]\n",
    );
    let refusal = |request: LinearModelRequest| {
        let error = try_linear(&text, &[], OperatingPoint::Start, &request)
            .err()
            .expect("refused");
        error.to_string()
    };
    let inputs = |list: &[&str]| LinearModelRequest {
        inputs: names(list),
        ..LinearModelRequest::default()
    };
    let outputs = |list: &[&str]| LinearModelRequest {
        outputs: names(list),
        ..LinearModelRequest::default()
    };
    assert!(refusal(inputs(&["motor"])).contains("available inputs are push"));
    assert!(refusal(inputs(&["push"])).contains("push.fx, push.fy"));
    assert!(refusal(outputs(&["cart.q"])).contains("there is no such signal"));
    assert!(refusal(outputs(&["push.work"])).contains("depends on the history of the run"));
    let coordinates = LinearModelRequest {
        coordinates: names(&["pole.vx"]),
        ..LinearModelRequest::default()
    };
    assert!(refusal(coordinates).contains("turn_x"));
    assert!(try_linear(&text, &[], OperatingPoint::Start, &inputs(&["push.fy"])).is_ok());

    let driven = CART.replace(
        "DRIVE",
        "[[driver]]\nname = \"a\"\non = \"rail\"\nvalue = 0\n[[driver]]\nname = \"b\"\non = \"pin\"\nvalue = \"pi/2\"\n",
    );
    let error = try_linear(
        &driven,
        &[],
        OperatingPoint::Start,
        &LinearModelRequest::default(),
    )
    .err()
    .unwrap();
    assert!(
        error.to_string().contains("no degrees of freedom"),
        "{error}"
    );
}

#[test]
fn a_singular_configuration_is_rejected() {
    // a parallelogram laid flat may go two ways
    let text = "format = 1\nname = \"flat\"\nspace = \"planar\"\n[ground]\npoints = { C = [0.5, 0] }\n\
        [[body]]\nname = \"a\"\nmass = 1\ninertia = 0.1\npoints = { tip = [0.2, 0] }\n\
        [[body]]\nname = \"b\"\nmass = 1\ninertia = 0.1\nposition = [0.2, 0]\npoints = { tip = [0.5, 0] }\n\
        [[body]]\nname = \"c\"\nmass = 1\ninertia = 0.1\nposition = [0.5, 0]\npoints = { tip = [0.2, 0] }\n\
        [[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [\"ground\", \"a\"]\n\
        [[joint]]\nname = \"A\"\ntype = \"revolute\"\nbetween = [\"a.tip\", \"b\"]\n\
        [[joint]]\nname = \"B\"\ntype = \"revolute\"\nbetween = [\"b.tip\", \"c.tip\"]\n\
        [[joint]]\nname = \"C\"\ntype = \"revolute\"\nbetween = [\"ground.C\", \"c\"]\n";
    let error = try_linear(
        text,
        &[],
        OperatingPoint::Start,
        &LinearModelRequest::default(),
    )
    .err()
    .unwrap();
    assert!(
        error.to_string().contains("the configuration is singular"),
        "{error}"
    );
}
