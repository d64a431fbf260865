//! Linear models and modes against closed forms, in both formulations.

use biela_core::analysis::{
    Assembled, Formulation, LinearModelRequest, Linearization, Mode, Trend, assemble, linearize,
    mode_motion, modes,
};
use biela_core::element::FieldValue;
use biela_core::math::Vec3;
use biela_core::model::{
    Body, InitialValue, JointIndex, Law, MarkerIndex, MassProperties, Model, Space,
};
use biela_core::system::BodyMotion;

use crate::common::{at, force, joint, slider_crank, straight};
use crate::nonholonomic::disc;
use crate::statics::close;

const FORMULATIONS: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];
const G: f64 = 9.81;

/// Mass, length and moment of inertia about the mass centre of both links.
const LINK: (f64, f64, f64) = (1.3, 0.8, 0.07);
const STIFFNESS: [f64; 2] = [5.0, 40.0];
const DAMPING: [f64; 2] = [0.3, 0.02];

/// Two links along x, the direction of gravity, with springs and dampers in their pins and a motor at the first.
fn pendulum() -> Model {
    let space = Space::Planar;
    let (mass, length, inertia) = LINK;
    let mut model = Model::new("double-pendulum", space);
    model.gravity = Vec3::new(G, 0.0, 0.0);
    let mut tip = MarkerIndex::GROUND;
    for i in 0..2 {
        let properties = MassProperties::planar(mass, [0.5 * length, 0.0], inertia).unwrap();
        let body = Body::new(format!("link{i}"), properties).at(at(length * i as f64, 0.0, 0.0));
        let link = model.add_body(body);
        let ends = [tip, model.body_marker(link)];
        let pin = joint("revolute", space);
        let pin = model.add_joint(format!("pin{i}"), pin, ends, &straight());
        let fields = [
            ("joint", FieldValue::Coordinate(pin, 0)),
            ("stiffness", FieldValue::Number(STIFFNESS[i])),
            ("damping", FieldValue::Number(DAMPING[i])),
        ];
        let _ = model.add_force(
            format!("spring{i}"),
            force("joint-spring-damper", space, &fields),
        );
        tip = model.add_marker("tip", link, at(length, 0.0, 0.0));
    }
    let fields = [
        ("joint", FieldValue::Coordinate(JointIndex(0), 0)),
        ("effort", FieldValue::Law(Law::Constant(0.0))),
    ];
    let _ = model.add_force("motor", force("actuator", space, &fields));
    model
}

fn assembled(model: Model, formulation: Formulation) -> Assembled {
    assemble(model, formulation).unwrap_or_else(|e| panic!("{e}"))
}

fn linear_of(a: &Assembled, request: &LinearModelRequest) -> Linearization {
    linearize(a.system.as_ref(), &a.state, &a.active, request).unwrap_or_else(|e| panic!("{e}"))
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// M and K of the hanging links about their relative angles.
fn matrices() -> ([[f64; 2]; 2], [[f64; 2]; 2]) {
    let (m, l, j) = LINK;
    let c = 0.5 * l;
    let m12 = j + m * (c * c + l * c);
    let m22 = j + m * c * c;
    let m11 = m22 + j + m * (l * l + c * c + 2.0 * l * c);
    let g22 = m * c * G;
    let g11 = m * (2.0 * c + l) * G;
    let k = [[g11 + STIFFNESS[0], g22], [g22, g22 + STIFFNESS[1]]];
    ([[m11, m12], [m12, m22]], k)
}

#[test]
fn two_damped_links_have_the_matrices_of_their_closed_form() {
    let ([[m11, m12], [_, m22]], k) = matrices();
    let det = m11 * m22 - m12 * m12;
    let inverse = [[m22 / det, -m12 / det], [-m12 / det, m11 / det]];
    let request = LinearModelRequest {
        inputs: names(&["motor"]),
        outputs: names(&["pin1.angle", "link1.vy", "pin0.acceleration"]),
        ..LinearModelRequest::default()
    };
    for formulation in FORMULATIONS {
        let start = assembled(pendulum(), formulation);
        let found = linear_of(&start, &request);
        let states: Vec<&str> = found.states().map(|v| v.name.as_str()).collect();
        assert_eq!(
            states,
            ["pin0.angle", "pin1.angle", "pin0.rate", "pin1.rate"]
        );
        for i in 0..2 {
            for j in 0..2 {
                let stiffness = inverse[i][0] * k[0][j] + inverse[i][1] * k[1][j];
                close(found.a[(2 + i, j)], -stiffness, 1e-12);
                close(found.a[(2 + i, 2 + j)], -inverse[i][j] * DAMPING[j], 1e-12);
                close(found.a[(i, 2 + j)], f64::from(i == j), 1e-14);
            }
            close(found.b[(2 + i, 0)], inverse[i][0], 1e-12);
        }
        close(found.c[(0, 1)], 1.0, 1e-12);
        // the frame of the second link is at the tip of the first
        close(found.c[(1, 2)], LINK.1, 1e-12);
        close(found.c[(2, 0)], found.a[(2, 0)], 1e-11);
        close(found.d[(2, 0)], inverse[0][0], 1e-11);
        assert!(found.imbalance().is_none());
        assert!(found.worst_doubt().0 < 1e-9);
        assert_eq!(found.change_rate, 0.0);
    }
}

#[test]
fn the_modes_of_two_damped_links_solve_their_characteristic_equation() {
    let ([[m11, m12], [_, m22]], k) = matrices();
    for formulation in FORMULATIONS {
        let start = assembled(pendulum(), formulation);
        let linear = linear_of(&start, &LinearModelRequest::default());
        let list = modes(&linear).unwrap();
        assert_eq!(list.len(), 2);
        for mode in &list {
            let s = mode.value;
            let d11 = s * s * m11 + s * DAMPING[0] + k[0][0];
            let d22 = s * s * m22 + s * DAMPING[1] + k[1][1];
            let d12 = s * s * m12 + k[0][1];
            let zero = d11 * d22 - d12 * d12;
            assert!(zero.norm() < 1e-11 * d12.norm().powi(2), "{s} {zero}");
            // the shape is of the same equation
            let residual = d11 * mode.shape[0] + d12 * mode.shape[1];
            assert!(residual.norm() < 1e-10 * d12.norm(), "{residual}");
            assert_eq!(mode.describe(), "stable oscillation");
            assert_eq!(mode.trend(), Trend::Decays);
            assert!(mode.damping_ratio().unwrap() > 0.0);
            assert!(mode.time_constant().unwrap() > 0.0);
            assert_eq!(mode.parts(&linear.positions)[0].1, 1.0);
            assert_a_period_comes_back(&start, &linear, mode);
        }
        assert!(list[0].natural_frequency() < list[1].natural_frequency());
    }
}

/// One showing of an oscillation ends where it began; the largest turn or way of a body is what was asked for.
fn assert_a_period_comes_back(start: &Assembled, linear: &Linearization, mode: &Mode) {
    let mut shown: Vec<Vec<f64>> = Vec::new();
    let mut times = Vec::new();
    mode_motion(
        start.system.as_ref(),
        linear,
        mode,
        0.01,
        8,
        |t, context| {
            times.push(t);
            let centre = |i: usize| Vec3::new((i as f64 + 0.5) * LINK.1, 0.0, 0.0);
            let away = |(i, body): (usize, &BodyMotion)| [body.angle, (body.r - centre(i)).norm()];
            shown.push(context.bodies.iter().enumerate().flat_map(away).collect());
        },
    );
    close(times[8], 1.0 / mode.frequency(), 1e-12);
    for (first, last) in shown[0].iter().zip(&shown[8]) {
        close(*last, *first, 1e-12);
    }
    let largest = shown.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!((0.0099..0.0101).contains(&largest), "{largest}");
}

/// The lean of an upright disc obeys (A + m r²) θ̈ = [m g r − C (C + m r²) ω²/A] θ.
#[test]
fn an_upright_disc_rolls_stably_above_its_critical_speed() {
    let r = 0.3_f64;
    let (a, c, mr2) = (0.25 * r * r, 0.5 * r * r, r * r);
    for formulation in FORMULATIONS {
        for speed in [0.4, 0.9, 1.1, 3.0] {
            let omega = speed / r;
            let expected = (G * r - c * (c + mr2) * omega * omega / a) / (a + mr2);
            let start = assembled(disc(speed, 0.0, 0.0), formulation);
            let linear = linear_of(&start, &LinearModelRequest::default());
            let list = modes(&linear).unwrap();
            let found: Vec<&Mode> = list.iter().filter(|m| !m.is_zero()).collect();
            if expected < 0.0 {
                assert_eq!(found.len(), 1, "{speed}: {found:?}");
                close(found[0].value.im, (-expected).sqrt(), 1e-7);
                assert_eq!(found[0].describe(), "undamped oscillation");
            } else {
                assert_eq!(found.len(), 2, "{speed}: {found:?}");
                for mode in found {
                    close(mode.value.re.abs(), expected.sqrt(), 1e-7);
                    let trend = if mode.value.re > 0.0 {
                        Trend::Grows
                    } else {
                        Trend::Decays
                    };
                    assert_eq!((mode.trend(), mode.describe()), (trend, trend.word()));
                }
            }
        }
    }
}

/// A wheel off balance on a pin: θ̈ = −m g c cos θ/J, wherever it is and however fast.
#[test]
fn a_rotating_pendulum_is_linearised_at_an_instant_with_a_note() {
    let (mass, c, inertia, angle, rate) = (2.0, 0.3, 0.5, 0.4_f64, 1.7);
    let about_pin = inertia + mass * c * c;
    for formulation in FORMULATIONS {
        let mut model = Model::new("wheel", Space::Planar);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let properties = MassProperties::planar(mass, [c, 0.0], inertia).unwrap();
        let body = model.add_body(Body::new("wheel", properties));
        let ends = [MarkerIndex::GROUND, model.body_marker(body)];
        let pin = model.add_joint("pin", joint("revolute", Space::Planar), ends, &straight());
        model.joints[pin.0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(angle),
            rate: Some(rate),
            keep: true,
        }];
        let start = assembled(model, formulation);
        let linear = linear_of(&start, &LinearModelRequest::default());
        let slope = mass * G * c * angle.sin() / about_pin;
        close(linear.a[(1, 0)], slope, 1e-9);
        close(
            linear.accelerations[0],
            -mass * G * c * angle.cos() / about_pin,
            1e-12,
        );
        close(linear.rates[0], rate, 1e-12);
        let said = linear.imbalance().unwrap();
        assert!(said.contains("`pin.rate` changes by"), "{said}");
        // d/dt of the slope against the slope: θ̇ cot θ
        close(linear.change_rate, rate / angle.tan(), 1e-2);
    }
}

/// Both formulations take the same coordinate of a closed loop, and the same matrices follow.
#[test]
fn a_closed_loop_is_linearised_in_the_requested_coordinate() {
    let request = LinearModelRequest {
        coordinates: names(&["guide.position"]),
        inputs: names(&["drive"]),
        outputs: names(&["pin_O.angle", "pin_B.reaction.fx"]),
    };
    let turned = || {
        let mut model = slider_crank(0.0, false);
        model.joints[0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(1.1),
            rate: None,
            keep: true,
        }];
        model
    };
    let [one, other] = FORMULATIONS.map(|f| linear_of(&assembled(turned(), f), &request));
    assert_eq!(one.positions[0].name, "guide.position");
    for (x, y) in [
        (&one.a, &other.a),
        (&one.b, &other.b),
        (&one.c, &other.c),
        (&one.d, &other.d),
    ] {
        assert!((x - y).amax() <= 1e-8 * (1.0 + y.amax()), "{x} {y}");
    }
    // the crank turns by 1/(dx/dφ): x = l₁ cos φ + √(l₂² − l₁² sin² φ)
    let (l1, l2, phi) = (0.0508_f64, 0.2032_f64, 1.1_f64);
    let rod = (l2 * l2 - (l1 * phi.sin()).powi(2)).sqrt();
    let slope = -l1 * phi.sin() - l1 * l1 * phi.sin() * phi.cos() / rod;
    close(one.c[(0, 0)], 1.0 / slope, 1e-9);
}

#[test]
fn invalid_inputs_outputs_and_coordinates_are_rejected_with_the_valid_ones() {
    let start = assembled(pendulum(), Formulation::Tree);
    let refused = |request: &LinearModelRequest| {
        let found = linearize(start.system.as_ref(), &start.state, &start.active, request);
        found.expect_err("refused").to_string()
    };
    let ask = |inputs: &[&str], outputs: &[&str], coordinates: &[&str]| {
        refused(&LinearModelRequest {
            inputs: names(inputs),
            outputs: names(outputs),
            coordinates: names(coordinates),
        })
    };
    let said = ask(&["engine"], &[], &[]);
    assert!(
        said.contains("`engine`") && said.contains("motor"),
        "{said}"
    );
    let said = ask(&[], &["pin9.angle"], &[]);
    assert!(
        said.contains("`pin9.angle` is not a valid output"),
        "{said}"
    );
    let said = ask(&[], &["constraint.position"], &[]);
    assert!(said.contains("is not a valid output"), "{said}");
    let said = ask(&[], &[], &["tip.height"]);
    assert!(
        said.contains("`tip.height` is not a valid coordinate") && said.contains("turn_x"),
        "{said}"
    );
}

/// With crank and rod in line the way of the slider does not change at first order: it cannot be the coordinate there.
#[test]
fn at_its_dead_centre_a_slider_is_not_chosen_as_the_coordinate() {
    for formulation in FORMULATIONS {
        let start = assembled(slider_crank(0.0, false), formulation);
        let request = LinearModelRequest {
            coordinates: names(&["guide.position"]),
            ..LinearModelRequest::default()
        };
        let linear = linear_of(&start, &request);
        assert_eq!(linear.positions.len(), 1);
        assert_ne!(linear.positions[0].name, "guide.position");
    }
}
