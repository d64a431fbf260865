//! One model in every formulation: the same motion, the same reactions.

use std::f64::consts::TAU;

use biela_core::analysis::Formulation;
use biela_core::methods::METHODS;
use biela_core::model::Model;

use crate::common::{Series, run, study};

/// All signals of a mechanism, ten a second.
fn motion(
    build: fn() -> Model,
    formulation: Formulation,
    method: &str,
    integrator: &str,
    number: f64,
    duration: f64,
) -> Series {
    let model = build();
    let mut study = study(model.space, duration, 0.1, method, integrator, number);
    study.formulation = formulation;
    run(model, &study)
}

/// Compares all signals, reactions where they are unique.
fn compare(name: &str, found: &Series, expected: &Series, limits: (f64, f64), unique: bool) {
    assert_eq!(found.times.len(), expected.times.len());
    for signal in expected.names() {
        let last = signal.rsplit('.').next().unwrap_or_default();
        let reaction = signal.contains(".reaction.") || ["force", "moment"].contains(&last);
        if signal.starts_with("system.") || (reaction && !unique) {
            continue;
        }
        let (x, y) = (found.all(signal), expected.all(signal));
        let scale = y.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        // work is integrated beside the motion, without a bound on its error
        let loose = reaction || last == "work" || signal == "energy.balance";
        let limit = if loose { limits.1 } else { limits.0 };
        for (i, t) in found.times.iter().enumerate() {
            let mut difference = x[i] - y[i];
            if last.starts_with("rot_") {
                // half a turn one way is half a turn the other way
                difference -= TAU * (difference / TAU).round();
            }
            let difference = difference.abs() / scale;
            assert!(
                difference < limit,
                "{name}: {signal}({t}) is {} for {}",
                x[i],
                y[i]
            );
        }
    }
}

fn same_motion(build: fn() -> Model, unique: bool) {
    let name = build().name;
    let by = |formulation| motion(build, formulation, "projection", "dop853", 1e-11, 5.0);
    let (tree, absolute) = (by(Formulation::Tree), by(Formulation::Absolute));
    compare(&name, &tree, &absolute, (1e-7, 1e-6), unique);
    // what holds by itself in one formulation is an equation in the other
    assert!(tree.statistics.worst_position < 1e-10, "{name}");
}

fn every_method(build: fn() -> Model, unique: bool) {
    let name = build().name;
    let by = |method: &str| motion(build, Formulation::Tree, method, "dopri5", 1e-11, 2.0);
    let expected = by("projection");
    for info in METHODS {
        let what = format!("{name} by {}", info.name);
        compare(&what, &by(info.name), &expected, (1e-7, 1e-6), unique);
    }
}

/// Every method in absolute coordinates, where what is behind a joint couples its bodies.
fn every_method_in_absolute_coordinates(build: fn() -> Model) {
    let name = build().name;
    let by = |method: &str| motion(build, Formulation::Absolute, method, "dop853", 1e-11, 1.0);
    let expected = motion(build, Formulation::Tree, "projection", "dop853", 1e-12, 1.0);
    for info in METHODS {
        let what = format!("{name} by {}", info.name);
        let limits = match info.name {
            // drifts from its constraints by design
            "baumgarte" | "augmented" => (1e-6, 1e-5),
            _ => (1e-9, 1e-7),
        };
        compare(&what, &by(info.name), &expected, limits, true);
    }
}

#[test]
fn an_arm_with_armatures_moves_the_same_with_every_method_in_absolute_coordinates() {
    every_method_in_absolute_coordinates(crate::mechanisms::geared_arm);
}

#[test]
fn a_four_bar_with_armatures_moves_the_same_with_every_method_in_absolute_coordinates() {
    every_method_in_absolute_coordinates(crate::mechanisms::geared_four_bar);
}

/// Implicit integrators take the same steps in both formulations, up to their errors.
fn implicit(build: fn() -> Model, unique: bool) {
    let name = build().name;
    let by = |formulation, integrator: &str, number: f64| {
        let model = build();
        let mut study = study(model.space, 0.4, 0.1, "projection", integrator, number);
        study.formulation = formulation;
        run(model, &study)
    };
    let expected = by(Formulation::Absolute, "dopri5", 1e-10);
    for (integrator, number, limits) in [
        ("generalized-alpha", 5e-4, (2e-3, 1e-2)),
        ("bdf", 1e-7, (1e-4, 1e-3)),
    ] {
        let found = by(Formulation::Tree, integrator, number);
        let what = format!("{name} by {integrator}");
        compare(&what, &found, &expected, limits, unique);
    }
}

/// Tests a mechanism; reactions are compared where they are unique.
macro_rules! mechanisms {
    ($($name:ident $unique:literal),* $(,)?) => {
        $(mod $name {
            #[test]
            fn moves_the_same_in_joint_coordinates() {
                super::same_motion(crate::mechanisms::$name, $unique);
            }
            #[test]
            fn moves_the_same_with_every_method() {
                super::every_method(crate::mechanisms::$name, $unique);
            }
            #[test]
            fn moves_the_same_with_implicit_integrators() {
                super::implicit(crate::mechanisms::$name, $unique);
            }
        })*
    };
}

mechanisms! {
    slider_crank true,
    rubbing_slider_crank true,
    planar_four_bar true,
    wound_four_bar true,
    turning_slot true,
    redundant_four_bar false,
    geared_four_bar true,
    geared_slider_crank true,
    geared_arm true,
    driven_four_bar true,
    door false,
    double_pendulum true,
    mixed_chain true,
    gears true,
    driven_column true,
    rolling_disc true,
    sleigh true,
    rubbing_chain true,
    free_body true,
}
