//! Motors, rotors and joint friction against closed forms, in every formulation.

use biela_core::analysis::Formulation;
use biela_core::element::{FieldValue, Origin};
use biela_core::math::Vec3;
use biela_core::model::{
    Body, CouplerElement, InitialValue, JointIndex, Law, MarkerIndex, MassProperties, Model, Space,
};

use crate::common::{Series, force, joint, run, straight, study};

const FORMULATIONS: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

/// Moment of inertia of the wheel.
const WHEEL: f64 = 0.3;

/// A wheel on a pin, its mass off its axis by `offset`.
fn wheel(offset: f64, rate: f64) -> Model {
    let mut model = Model::new("wheel", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mass = MassProperties::planar(2.0, [offset, 0.0], WHEEL).unwrap();
    let body = model.add_body(Body::new("wheel", mass));
    let ends = [MarkerIndex::GROUND, model.body_marker(body)];
    let pin = model.add_joint("pin", joint("revolute", Space::Planar), ends, &straight());
    model.joints[pin.0].initial = vec![InitialValue {
        coordinate: 0,
        value: Some(0.3),
        rate: Some(rate),
        keep: true,
    }];
    model
}

fn add(model: &mut Model, kind: &str, fields: &[(&'static str, f64)]) {
    let mut values = vec![("joint", FieldValue::Coordinate(JointIndex(0), 0))];
    values.extend(fields.iter().map(|(name, x)| match *name {
        "effort" => (*name, FieldValue::Law(Law::Constant(*x))),
        _ => (*name, FieldValue::Number(*x)),
    }));
    let made = force(kind, model.space, &values);
    assert_eq!(made.check(model), Ok(()));
    let _ = model.add_force("drive", made);
}

fn moves(model: Model, formulation: Formulation, duration: f64) -> Series {
    let mut study = study(model.space, duration, 0.05, "projection", "dop853", 1e-12);
    study.formulation = formulation;
    run(model, &study)
}

#[test]
fn a_motor_on_its_torque_speed_line_accelerates_exponentially() {
    let (ratio, rotor, stall, no_load) = (20.0, 1e-4, 0.5, 400.0);
    for formulation in FORMULATIONS {
        for sense in [1.0, -1.0] {
            let mut model = wheel(0.0, 0.0);
            add(
                &mut model,
                "motor",
                &[
                    ("ratio", ratio),
                    ("rotor_inertia", rotor),
                    ("stall_torque", stall),
                    ("no_load_speed", no_load),
                    ("effort", sense * 1e3),
                ],
            );
            let series = moves(model, formulation, 3.0);
            // J q̈ = n T_s (1 − n q̇/ω₀)
            let inertia = WHEEL + ratio * ratio * rotor;
            let constant = inertia * no_load / (ratio * ratio * stall);
            for (i, t) in series.times.iter().enumerate() {
                let left = (-t / constant).exp();
                let expected = |name: &str| match name {
                    "pin.rate" => sense * no_load / ratio * (1.0 - left),
                    "drive.speed" => sense * no_load * (1.0 - left),
                    "drive.torque" => sense * stall * left,
                    "drive.effort" => sense * ratio * stall * left,
                    "drive.power" => stall * left * no_load * (1.0 - left),
                    "drive.saturated" => 1.0,
                    _ => 0.5 * inertia * (no_load / ratio * (1.0 - left)).powi(2),
                };
                for name in [
                    "pin.rate",
                    "drive.speed",
                    "drive.torque",
                    "drive.effort",
                    "drive.power",
                    "drive.saturated",
                    "energy.kinetic",
                ] {
                    let (found, wanted) = (series.all(name)[i], expected(name));
                    let error = (found - wanted).abs() / (1.0 + wanted.abs());
                    assert!(
                        error < 1e-9,
                        "{formulation:?} {name}({t}): {found} for {wanted}"
                    );
                }
            }
            assert!(series.last("energy.balance").abs() < 1e-6);
        }
    }
}

#[test]
fn a_rotor_equals_a_geared_body_with_its_inertia() {
    let (ratio, rotor) = (-12.0, 2e-3);
    for formulation in FORMULATIONS {
        let mut reflected = wheel(0.1, 1.0);
        add(
            &mut reflected,
            "motor",
            &[("ratio", ratio), ("rotor_inertia", rotor), ("effort", 0.4)],
        );
        let mut modelled = wheel(0.1, 1.0);
        add(&mut modelled, "motor", &[("ratio", ratio), ("effort", 0.4)]);
        let mass = MassProperties::planar(0.7, [0.0, 0.0], rotor).unwrap();
        let body = modelled.add_body(Body::new("rotor", mass));
        let ends = [MarkerIndex::GROUND, modelled.body_marker(body)];
        let shaft = joint("revolute", Space::Planar);
        let shaft = modelled.add_joint("shaft", shaft, ends, &straight());
        modelled.couplers.push(CouplerElement {
            name: "gear".into(),
            origin: Origin::default(),
            kind: "gear",
            terms: vec![(shaft, 0, 1.0), (JointIndex(0), 0, -ratio)],
            offset: None,
            backlash: None,
        });
        let (one, other) = (
            moves(reflected, formulation, 2.0),
            moves(modelled, formulation, 2.0),
        );
        for name in [
            "pin.angle",
            "pin.rate",
            "pin.acceleration",
            "pin.reaction.fx",
            "pin.reaction.fy",
            "energy.kinetic",
            "drive.speed",
        ] {
            for (x, y) in one.all(name).iter().zip(other.all(name)) {
                let error = (x - y).abs() / (1.0 + y.abs());
                assert!(error < 1e-9, "{formulation:?} {name}: {x} for {y}");
            }
        }
    }
}

#[test]
fn dry_friction_stops_a_wheel_as_in_its_closed_form() {
    let (coulomb, fading, start) = (0.6, 0.5, 3.0);
    for formulation in FORMULATIONS {
        let mut model = wheel(0.0, start);
        let fields = [("coulomb", coulomb), ("transition_speed", fading)];
        add(&mut model, "joint-friction", &fields);
        let series = moves(model, formulation, 3.0);
        // J ω' = −C tanh(ω/v) ⇒ sinh(ω/v) = sinh(ω₀/v) exp(−C t/(J v))
        for (t, rate) in series.times.iter().zip(series.all("pin.rate")) {
            let sinh = (start / fading).sinh() * (-coulomb * t / (WHEEL * fading)).exp();
            let expected = fading * sinh.asinh();
            assert!(
                (rate - expected).abs() < 1e-9,
                "{rate} for {expected} at {t}"
            );
        }
    }
}

#[test]
fn viscous_friction_at_the_shaft_brakes_by_the_square_of_the_gear() {
    for formulation in FORMULATIONS {
        let mut model = wheel(0.0, 3.0);
        let fields = [("ratio", 10.0), ("viscous", 1e-3), ("rotor_inertia", 1e-3)];
        add(&mut model, "motor", &fields);
        let series = moves(model, formulation, 3.0);
        for (t, rate) in series.times.iter().zip(series.all("pin.rate")) {
            let expected = 3.0 * (-0.1 * t / (WHEEL + 0.1)).exp();
            assert!((rate - expected).abs() < 1e-9);
        }
    }
}
