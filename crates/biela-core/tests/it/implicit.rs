//! Implicit integrators on whole models: order, agreement with the explicit ones, stiff springs, redundancy.

use biela_core::analysis::{Choice, Study};
use biela_core::element::{Arguments, FieldValue};
use biela_core::math::rotation::identity;
use biela_core::math::{Mat3, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};

use crate::assembly::four_bar;
use crate::common::{Series, at, force, joint, run, slider_crank, study};

/// A study with an implicit integrator.
fn implicit(
    space: Space,
    duration: f64,
    output: f64,
    integrator: &str,
    fields: &[(&'static str, FieldValue)],
) -> Study {
    let mut arguments = Arguments::new(space);
    for (name, value) in fields {
        arguments.set(name, value.clone());
    }
    let mut study = study(space, duration, output, "augmented", "rk4", 1.0);
    study.integrator = Choice {
        kind: integrator.to_owned(),
        arguments,
    };
    study
}

fn alpha(space: Space, duration: f64, step: f64, rho: f64) -> Study {
    let fields = [
        ("step", FieldValue::Number(step)),
        ("spectral_radius", FieldValue::Number(rho)),
        ("newton_tolerance", FieldValue::Number(1e-11)),
    ];
    implicit(space, duration, duration, "generalized-alpha", &fields)
}

/// Three bars on ball joints, so that everything turns in space.
fn spatial_chain() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("chain", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut last = MarkerIndex::GROUND;
    for (i, kind) in ["spherical", "revolute", "universal"].iter().enumerate() {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.002, 0.02, 0.021));
        let mass = MassProperties::new(0.8, Vec3::new(0.25, 0.01, 0.0), inertia).unwrap();
        let mut body = Body::new(format!("bar{i}"), mass);
        if i == 0 {
            body.velocity = Some(biela_core::model::Velocity0 {
                linear: Vec3::zeros(),
                angular: Vec3::new(0.5, 1.5, 0.0),
            });
        }
        let body = model.add_body(body);
        let start = model.body_marker(body);
        let _ = model.add_joint(
            format!("joint{i}"),
            joint(kind, space),
            [last, start],
            &identity(),
        );
        last = model.add_marker("end", body, at(0.5, 0.0, 0.0));
    }
    model
}

fn tip(series: &Series, body: &str, space: Space) -> Vec<f64> {
    let axes: &[&str] = if space == Space::Planar {
        &["x", "y"]
    } else {
        &["x", "y", "z"]
    };
    axes.iter()
        .map(|a| series.last(&format!("{body}.{a}")))
        .collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[test]
fn generalized_alpha_has_order_two_on_open_closed_and_redundant_models() {
    let four = |space| move || four_bar(space, [0.2, 0.5, 0.4], 0.45, [1.0, 0.4, -1.4]);
    let cases: [(&str, Space, &dyn Fn() -> Model); 3] = [
        ("bar2", Space::Spatial, &spatial_chain),
        ("coupler", Space::Planar, &four(Space::Planar)),
        ("coupler", Space::Spatial, &four(Space::Spatial)),
    ];
    for (body, space, build) in cases {
        let fine = run(
            build(),
            &study(space, 0.5, 0.5, "projection", "dopri5", 1e-12),
        );
        let exact = tip(&fine, body, space);
        for rho in [0.5, 0.9] {
            let error = |h| {
                distance(
                    &tip(&run(build(), &alpha(space, 0.5, h, rho)), body, space),
                    &exact,
                )
            };
            let order = (error(4e-3) / error(1e-3)).ln() / 4.0_f64.ln();
            assert!(
                (order - 2.0).abs() < 0.15,
                "{body} {space:?} ρ = {rho}: order {order:.3}"
            );
        }
    }
}

#[test]
fn projection_keeps_the_order_of_generalized_alpha() {
    let space = Space::Planar;
    let build = || four_bar(space, [0.2, 0.5, 0.4], 0.45, [1.0, 0.4, -1.4]);
    let fine = run(
        build(),
        &study(space, 2.0, 2.0, "projection", "dopri5", 1e-12),
    );
    let exact = tip(&fine, "coupler", space);
    for method in ["augmented", "projection", "partitioning"] {
        let error = |h| {
            let mut study = implicit(
                space,
                2.0,
                2.0,
                "generalized-alpha",
                &[("step", FieldValue::Number(h))],
            );
            study.method.kind = method.to_owned();
            distance(&tip(&run(build(), &study), "coupler", space), &exact)
        };
        let (coarse, fine) = (error(1e-3), error(2.5e-4));
        let order = (coarse / fine).ln() / 4.0_f64.ln();
        assert!(
            (order - 2.0).abs() < 0.2,
            "{method}: {coarse:.2e} and {fine:.2e}, order {order:.2}"
        );
    }
}

#[test]
fn bdf_follows_its_tolerance_in_every_form() {
    let cases: [(&str, Space, &dyn Fn() -> Model); 2] = [
        ("bar2", Space::Spatial, &spatial_chain),
        ("coupler", Space::Spatial, &|| {
            four_bar(Space::Spatial, [0.2, 0.5, 0.4], 0.45, [1.0, 0.4, -1.4])
        }),
    ];
    for (body, space, build) in cases {
        let fine = run(
            build(),
            &study(space, 0.5, 0.5, "projection", "dopri5", 1e-12),
        );
        let exact = tip(&fine, body, space);
        for form in ["index-3", "index-2", "index-1"] {
            for tolerance in [1e-5, 1e-7, 1e-9] {
                let fields = [
                    ("tolerance", FieldValue::Number(tolerance)),
                    ("form", FieldValue::Word(form.to_owned())),
                ];
                let series = run(build(), &implicit(space, 0.5, 0.5, "bdf", &fields));
                let error = distance(&tip(&series, body, space), &exact);
                assert!(
                    error < 1e3 * tolerance,
                    "{body} {form} at {tolerance:.0e}: {error:.1e}"
                );
                let work = series.statistics.integrator;
                assert!(
                    work.factorizations < work.evaluations / 2,
                    "{form}: {work:?}"
                );
            }
        }
    }
}

#[test]
fn stabilised_index_two_keeps_positions_and_velocities_on_the_constraints() {
    let fields = [
        ("tolerance", FieldValue::Number(1e-6)),
        ("form", FieldValue::Word("index-2".into())),
    ];
    let series = run(
        spatial_chain(),
        &implicit(Space::Spatial, 1.0, 0.05, "bdf", &fields),
    );
    // at output times between steps the interpolant adds its own error
    assert!(series.statistics.worst_position < 1e-5);
    assert!(series.at("system.position_error", 1.0) < 1e-8);
    assert!(series.at("system.velocity_error", 1.0) < 1e-6);
}

#[test]
fn a_very_stiff_spring_does_not_limit_the_steps_of_implicit_integrators() {
    // 1 kg on a spring of 1e8 N/m with little damping, pulled by its weight: settles at once
    let build = || {
        let mut model = Model::new("stiff", Space::Planar);
        model.gravity = Vec3::new(0.0, -10.0, 0.0);
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.1).unwrap();
        let body = model.add_body(Body::new("mass", mass).at(at(0.0, -1.0, 0.0)));
        let marker = model.body_marker(body);
        let between = FieldValue::Markers([MarkerIndex::GROUND, marker]);
        let spring = force(
            "spring-damper",
            Space::Planar,
            &[
                ("between", between),
                ("stiffness", FieldValue::Number(1e8)),
                ("length", FieldValue::Number(1.0)),
                ("damping", FieldValue::Number(1e5)),
            ],
        );
        let _ = model.add_force("spring", spring);
        model
    };
    let fields = [
        ("step", FieldValue::Number(0.01)),
        ("spectral_radius", FieldValue::Number(0.5)),
    ];
    let series = run(
        build(),
        &implicit(Space::Planar, 1.0, 0.1, "generalized-alpha", &fields),
    );
    assert!(
        (series.last("spring.tension") - 10.0).abs() < 1e-3,
        "{}",
        series.last("spring.tension")
    );
    assert_eq!(series.statistics.integrator.rejected, 0);
    // the error estimate does not see what is stiff, so that steps become long
    let fields = [
        ("tolerance", FieldValue::Number(1e-6)),
        ("spectral_radius", FieldValue::Number(0.5)),
    ];
    let study = implicit(Space::Planar, 1.0, 0.1, "generalized-alpha", &fields);
    let series = run(build(), &study);
    assert!((series.last("spring.tension") - 10.0).abs() < 1e-2);
    let work = series.statistics.integrator;
    assert!(work.steps < 60 && work.rejected < 5, "{work:?}");
    let fields = [
        ("tolerance", FieldValue::Number(1e-6)),
        ("form", FieldValue::Word("index-1".into())),
    ];
    let series = run(build(), &implicit(Space::Planar, 1.0, 0.1, "bdf", &fields));
    assert!((series.last("spring.tension") - 10.0).abs() < 0.1);
    assert!(
        series.statistics.integrator.steps < 500,
        "{:?}",
        series.statistics.integrator
    );
}

#[test]
fn friction_and_drive_of_the_slider_crank_agree_with_the_explicit_run() {
    let exact = run(
        slider_crank(0.1, false),
        &study(Space::Planar, 0.2, 0.2, "projection", "rk4", 1e-5),
    );
    let series = run(
        slider_crank(0.1, false),
        &alpha(Space::Planar, 0.2, 5e-5, 0.9),
    );
    let (a, b) = (series.last("crank.angle"), exact.last("crank.angle"));
    // the sign of the friction turns within a step, which costs an order there
    assert!((a - b).abs() < 1e-4, "{a} and {b}");
    let (a, b) = (series.last("rubbing.work"), exact.last("rubbing.work"));
    assert!((a / b - 1.0).abs() < 1e-4, "{a} and {b}");
}
