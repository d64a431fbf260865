//! The lowering of valid models, checked number by number.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::fmt::Write;
use std::path::Path;

use biela_core::analysis::{Analysis, Formulation};
use biela_core::element::FieldValue;
use biela_core::math::Vec3;
use biela_core::math::rotation::{about, about_axis};
use biela_core::model::{
    BodyIndex, Crossing, DriverTarget, EnergyQuantity, EventAction, JointIndex, Law, MarkerIndex,
    Signal, Space,
};
use biela_core::system::SignalTable;
use biela_model::diagnostic::ReportStyle;
use biela_model::document::MemoryLoader;
use biela_model::{Loaded, Lowered, Overrides, Parameters, load, load_with, parse};

fn good(name: &str) -> Lowered {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/good")
        .join(name);
    load(&path, &Overrides::default()).model.unwrap()
}

fn read(text: &str) -> Loaded {
    parse("m.toml", text, &Overrides::default())
}

fn report(loaded: &Loaded) -> String {
    loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain)
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded
        .diagnostics
        .sorted()
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + b.abs())
}

#[test]
fn the_slider_crank_is_lowered_field_by_field() {
    let Lowered {
        model,
        study,
        outputs,
        ..
    } = good("slider-crank.toml");
    assert_eq!(model.name, "slider-crank");
    assert_eq!((model.space, model.gravity), (Space::Planar, Vec3::zeros()));

    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["crank", "rod", "slider"]);
    let crank = &model.bodies[0];
    assert_eq!(crank.mass.mass, 0.034);
    assert_eq!(crank.mass.inertia[(2, 2)], 0.0183);
    assert_eq!(crank.mass.center, Vec3::new(0.0101, 0.0, 0.0));
    assert!(crank.start.pose.is_none() && crank.velocity.is_none() && crank.shapes.is_empty());
    assert!(
        crank.origin.to_string().ends_with("slider-crank.toml:12:1"),
        "{}",
        crank.origin
    );
    let rod = &model.bodies[1];
    assert_eq!((rod.mass.mass, rod.mass.center[0]), (0.138, 0.1016));
    assert!(close(rod.mass.inertia[(2, 2)], 11e-4));

    let points: Vec<(String, Vec3<f64>)> = (0..model.markers.len())
        .map(|m| (model.marker_name(MarkerIndex(m)), model.markers[m].pose.p))
        .collect();
    let at = |x: f64| Vec3::new(x, 0.0, 0.0);
    let expected = [
        ("ground", at(0.0)),
        ("crank", at(0.0)),
        ("crank.O", at(0.0)),
        ("crank.A", at(0.0508)),
        ("rod", at(0.0)),
        ("rod.A", at(0.0)),
        ("rod.B", at(0.2032)),
        ("slider", at(0.0)),
    ];
    assert_eq!(points.len(), expected.len());
    for ((name, p), (expected_name, expected_p)) in points.iter().zip(expected) {
        assert_eq!((name.as_str(), *p), (expected_name, expected_p));
    }

    let joints: Vec<(&str, &str, BodyIndex, BodyIndex)> = model
        .joints
        .iter()
        .map(|j| (j.name.as_str(), j.joint.info().name, j.first.0, j.second.0))
        .collect();
    assert_eq!(
        joints,
        [
            ("pin", "revolute", BodyIndex::GROUND, BodyIndex(0)),
            ("crank_pin", "revolute", BodyIndex(0), BodyIndex(1)),
            ("wrist_pin", "revolute", BodyIndex(1), BodyIndex(2)),
            ("guide", "prismatic", BodyIndex::GROUND, BodyIndex(2)),
        ]
    );
    assert_eq!(model.joints[1].first.1.p, at(0.0508));
    let start = model.joints[0].initial[0];
    assert_eq!(
        (start.coordinate, start.value, start.rate, start.keep),
        (0, Some(0.0), None, false)
    );
    assert!(model.joints[3].initial.is_empty());

    let drive = &model.forces[0];
    assert_eq!(
        (drive.name.as_str(), drive.force.laws()[0].constant()),
        ("drive", Some(20.0))
    );
    let friction = model.forces[1].force.friction().unwrap();
    assert_eq!(
        (friction.joint(), friction.coordinate()),
        (JointIndex(3), 0)
    );

    let study = study.unwrap();
    assert_eq!((study.duration, study.output_step), (0.5, 0.25e-3));
    assert_eq!(study.formulation, Formulation::Absolute);
    assert_eq!(
        (study.method.kind.as_str(), study.integrator.kind.as_str()),
        ("augmented", "rk4")
    );
    assert_eq!(study.integrator.arguments.number("step"), 0.25e-3);

    let names: Vec<&str> = outputs
        .channels
        .iter()
        .map(|channel| channel.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "slider.x",
            "pin.reaction.fx",
            "pin.reaction.fy",
            "pin.reaction.mz",
            "energy.total"
        ]
    );
    assert!(outputs.panels.is_empty());
}

#[test]
fn numbers_retain_the_formulas_of_parameters_that_defined_them() {
    let text = r#"
format = 1
space = "planar"
[parameters]
half = "l/2"
l = "400 mm"
m = 3
n = "floor(2.7)"
[[body]]
name = "rod"
mass = "m"
inertia = "m*l^2/12"
com = ["half", 0]
points = { end = ["l", 0], middle = ["half + 0.1*n", "if(m > 2, l, 0)"] }
"#;
    let loaded = parse("rod.toml", text, &Overrides::default());
    let Parameters { list, formulas } = loaded.model.unwrap().parameters;
    let known: Vec<(&str, f64, bool)> = list
        .iter()
        .map(|p| (p.name.as_str(), p.value, p.formula.is_some()))
        .collect();
    assert_eq!(
        known,
        [
            ("half", 0.2, true),
            ("l", 0.4, false),
            ("m", 3.0, false),
            ("n", 2.0, false)
        ]
    );
    // each formula follows other values of the parameters; formulas that are discontinuous in one are not recorded
    let others = [0.5, 1.0, 6.0, 2.0];
    let mut found: Vec<(f64, f64)> = formulas
        .iter()
        .map(|(number, formula)| (*number, formula.eval(0.0, &others)))
        .collect();
    found.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let expected = [(0.04, 0.5), (0.2, 0.5), (0.4, 0.7), (0.4, 1.0), (3.0, 6.0)];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            close(found.0, expected.0) && close(found.1, expected.1),
            "{found:?} {expected:?}"
        );
    }
    let half = list[0].formula.as_ref().unwrap();
    assert_eq!(half.eval(0.0, &others), 0.5);
}

#[test]
fn planar_elements_are_lowered_as_written() {
    let Lowered {
        model,
        study,
        outputs,
        description,
        ..
    } = good("planar.toml");
    assert!(description.starts_with("Every planar joint"));
    assert_eq!(model.gravity, Vec3::new(0.0, -9.80665, 0.0));
    let body = |name: &str| model.bodies.iter().find(|body| body.name == name).unwrap();
    let joint = |name: &str| {
        model
            .joints
            .iter()
            .find(|joint| joint.name == name)
            .unwrap()
    };

    // the box of the block alone: 2700 × 0.08 × 0.04 × 0.04, and the cylinder on top
    let (slab, pin) = (
        2700.0 * 0.08 * 0.04 * 0.04,
        2700.0 * std::f64::consts::PI * 25e-6 * 0.06,
    );
    let block = &body("block").mass;
    assert!(close(block.mass, slab + pin));
    assert!(close(block.center[1], pin * 0.02 / (slab + pin)));
    // the cylinder lies along y after its turn about x
    let across = pin * (25e-6 / 4.0 + 0.06 * 0.06 / 12.0);
    let (d_slab, d_pin) = (block.center[1], 0.02 - block.center[1]);
    let inertia = slab * (0.08 * 0.08 + 0.04 * 0.04) / 12.0
        + slab * d_slab * d_slab
        + across
        + pin * d_pin * d_pin;
    assert!(close(block.inertia[(2, 2)], inertia));

    let rack = &body("rack").mass;
    assert!(close(rack.mass, 0.9) && close(rack.inertia[(2, 2)], 0.9 * (0.16 + 4e-4) / 12.0));
    let arm = body("arm");
    let pose = arm.start.pose.unwrap();
    assert!(arm.start.keep && (pose.R - about(2, -30_f64.to_radians())).norm() < 1e-15);
    assert_eq!(arm.velocity.unwrap().angular, Vec3::new(0.0, 0.0, 0.5));

    let shoulder = joint("shoulder").initial[0];
    assert!(shoulder.keep && close(shoulder.value.unwrap(), -30_f64.to_radians()));
    assert_eq!(shoulder.rate, Some(0.5));
    let ramp = joint("guide").first.1;
    assert!((ramp.R - about(2, 20_f64.to_radians())).norm() < 1e-15 && ramp.p[1] == -1.0);
    let track = joint("track").first.1.R;
    assert!((track - about(2, 45_f64.to_radians())).norm() < 1e-12);

    let terms = |name: &str| {
        let coupler = model
            .couplers
            .iter()
            .find(|coupler| coupler.name == name)
            .unwrap();
        let terms: Vec<(&str, usize, f64)> = coupler
            .terms
            .iter()
            .map(|(j, k, factor)| (model.joints[j.0].name.as_str(), *k, *factor))
            .collect();
        (terms, coupler.offset)
    };
    assert_eq!(
        terms("mesh"),
        (vec![("shoulder", 0, 20.0), ("axle", 0, 40.0)], None)
    );
    assert_eq!(
        terms("pinion"),
        (vec![("rail", 0, 1.0), ("axle", 0, -0.06)], None)
    );
    assert_eq!(
        terms("sum"),
        (
            vec![("guide", 0, 1.0), ("loose", 0, 0.5), ("loose", 1, -2.0)],
            Some(0.03)
        )
    );

    let swing = model.drivers[0].motion.at(0.7);
    let omega = std::f64::consts::PI;
    assert!(close(
        swing.value,
        10_f64.to_radians() + 0.2 * (omega * 0.7).sin()
    ));
    assert!(close(swing.rate, 0.2 * omega * (omega * 0.7).cos()));
    assert!(close(
        swing.curvature,
        -0.2 * omega * omega * (omega * 0.7).sin()
    ));
    assert!(close(model.drivers[1].motion.at(1.0).value, 0.008));
    let push = model.drivers[2].motion.at(1.0);
    assert!(close(push.rate, 0.01 + 0.25) && close(push.curvature, 0.5));
    let DriverTarget::Point(marker, 0) = model.drivers[2].target else {
        panic!("push drives a point");
    };
    assert_eq!(model.marker_name(marker), "plate.slot");

    let unit = |name: &str| {
        model
            .sensors
            .iter()
            .find(|sensor| sensor.name == name)
            .unwrap()
            .unit
            .as_str()
    };
    assert_eq!(
        (unit("speed_error"), unit("load"), unit("extra")),
        ("rad/s", "N", "N")
    );
    let crossing = |k: usize| (model.events[k].crossing, model.events[k].action);
    assert_eq!(crossing(0), (Crossing::Rising, EventAction::Mark));
    assert_eq!(crossing(1), (Crossing::Any, EventAction::Stop));

    let study = study.unwrap();
    assert_eq!(study.output_step, 2.0 / 500.0);
    assert_eq!(study.integrator.arguments.number("max_step"), 0.01);
    assert!(
        matches!(study.integrator.arguments.get("tolerance"), Some(FieldValue::Number(x)) if *x == 1e-9)
    );
    assert_eq!(outputs.panels.len(), 2);
    let panel: Vec<&str> = outputs.panels[1]
        .iter()
        .map(|&at| outputs.channels[at].name.as_str())
        .collect();
    assert_eq!(panel, ["energy.total", "load"]);
}

#[test]
fn spatial_elements_are_lowered_as_written() {
    let Lowered { model, study, .. } = good("spatial.toml");
    assert!(study.is_none(), "only the start is to be assembled");
    let pendulum = &model.bodies[0];
    assert!(close(pendulum.mass.mass, 15.317_227_681_659));
    assert!(close(pendulum.mass.center[2], -0.5));
    let spool = &model.bodies[2].mass.inertia;
    assert_eq!(
        (spool[(0, 1)], spool[(1, 0)], spool[(2, 0)]),
        (-0.001, -0.001, 0.002)
    );
    assert_eq!(model.bodies[1].start.pose.unwrap().R, about(0, 0.0));
    let wall = model
        .markers
        .iter()
        .find(|marker| marker.name == "wall")
        .unwrap();
    // x along the ground's y, z up: y points along −x
    assert!((wall.pose.R - about(2, 90_f64.to_radians())).norm() < 1e-12);
    let tool = model
        .markers
        .iter()
        .find(|marker| marker.name == "tool")
        .unwrap();
    let quarter = about_axis(&Vec3::new(0.0, 1.0, 0.0), 90_f64.to_radians());
    assert!((tool.pose.R - quarter).norm() < 1e-12);

    // the z axis of a hinge frame, the x axis of a slide's, both of a universal joint
    let joint = |name: &str| {
        model
            .joints
            .iter()
            .find(|joint| joint.name == name)
            .unwrap()
    };
    let column = |name: &str, k: usize| joint(name).second.1.R.column(k).into_owned();
    assert!((column("hinge", 2) - Vec3::new(0.0, 1.0, 0.0)).norm() < 1e-12);
    assert!((column("slide", 0) - Vec3::new(0.0, 0.0, 1.0)).norm() < 1e-12);
    assert!((column("cardan", 0) - Vec3::new(1.0, 0.0, 0.0)).norm() < 1e-12);
    assert!((column("cardan", 1) - Vec3::new(0.0, 0.0, 1.0)).norm() < 1e-12);
    assert_eq!(model.couplers[0].terms[1].2, -2.5);
}

const PENDULUM: &str = r#"
format = 1
space = "planar"
[parameters]
l = "50 cm"
m = "2 kg"
[[body]]
name = "bob"
mass = "m"
inertia = 0.1
com = ["l", 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "bob"]
"#;

fn with(overrides: &[&str]) -> Loaded {
    parse(
        "m.toml",
        PENDULUM,
        &Overrides::new(overrides.iter().copied()),
    )
}

#[test]
fn overrides_set_parameters_with_units_and_formulas() {
    let com = |loaded: Loaded| loaded.model.unwrap().model.bodies[0].mass.center[0];
    assert_eq!(com(with(&[])), 0.5);
    assert_eq!(com(with(&["l = 60 mm"])), 0.06);
    assert_eq!(com(with(&["l=1 m", "l=2 m"])), 2.0, "the last one counts");
    assert_eq!(com(with(&["l=m/4 [kg/m]"])), 0.5);
    let mut overrides = Overrides::default();
    overrides.set("m", "3 kg");
    let loaded = parse("m.toml", PENDULUM, &overrides);
    assert_eq!(loaded.model.unwrap().model.bodies[0].mass.mass, 3.0);
}

#[test]
fn wrong_overrides_are_reported_with_their_text() {
    let loaded = with(&["k=3", "l=5 mmm", "l", "m=3 m", "l=2"]);
    assert!(loaded.model.is_none());
    let report = report(&loaded);
    for expected in [
        "error[unknown-parameter]: the model has no parameter `k`\n --> <set>:1:1",
        "error[bad-override]: cannot read `l`\n --> <set>:3:1",
        "parameter `m` is a length (m); in the model it is a mass (kg)",
        "warning[bare-number]: `l` is set to a number without a unit",
    ] {
        assert!(report.contains(expected), "{expected}\n{report}");
    }
    let broken = with(&["l=5 mmm"]);
    assert!(
        self::report(&broken).contains(" --> <set>:1:5"),
        "{}",
        self::report(&broken)
    );
}

#[test]
fn several_files_form_one_model() {
    let loader = MemoryLoader::new([
        (
            "main.toml",
            "include = [\"a.toml\"]\nformat = 1\nspace = \"planar\"\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"bob.O\"]\n",
        ),
        (
            "a.toml",
            "[[body]]\nname = \"bob\"\nmass = 1\ninertia = 1\npoints = { O = [0, 1] }\n",
        ),
    ]);
    let loaded = load_with("main.toml", &loader, &Overrides::default());
    assert_eq!(report(&loaded), "");
    let model = loaded.model.unwrap().model;
    assert_eq!(model.bodies[0].origin.to_string(), "a.toml:1:1");
    assert_eq!(model.joints[0].origin.to_string(), "main.toml:4:1");
}

#[test]
fn force_laws_bind_each_signal_once() {
    let text = format!(
        "{PENDULUM}[[force]]\nname = \"f\"\ntype = \"torque\"\non = \"bob\"\nvalue = \"-2*pin.rate + 3*pin.rate*t - 1*pin.angle\"\n"
    );
    let model = read(&text).model.unwrap().model;
    let laws = model.forces[0].force.laws();
    let Law::Function { inputs, function } = laws[0] else {
        panic!("a law of signals");
    };
    let names: Vec<&Signal> = inputs.iter().collect();
    assert_eq!(names.len(), 2);
    assert_eq!(function.value(2.0, &[0.5, 0.25]), -1.0 + 3.0 - 0.25);
    assert!(
        function.value(2.0, &[0.5]).is_nan(),
        "too few inputs give no number"
    );
}

#[test]
fn a_force_may_read_its_own_length_but_not_its_own_tension() {
    let spring = |law: &str| {
        read(&format!(
            "{PENDULUM}[[force]]\nname = \"s\"\ntype = \"spring\"\nbetween = [\"ground\", \"bob\"]\nforce = \"{law}\"\n"
        ))
    };
    assert!(codes(&spring("30*(s.length - 1 m)^3 + 2*s.rate")).is_empty());
    assert_eq!(codes(&spring("0.5*s.tension")), ["circle"]);
}

#[test]
fn a_force_law_may_not_read_a_residual() {
    for residual in ["position_error", "velocity_error"] {
        let loaded = read(&format!(
            "{PENDULUM}[[force]]\nname = \"f\"\ntype = \"torque\"\non = \"bob\"\nvalue = \"system.{residual} * 1 [N*m]\"\n"
        ));
        assert_eq!(codes(&loaded), ["too-late"], "{}", report(&loaded));
    }
}

#[test]
fn a_name_finds_the_signal_that_the_table_lists() {
    for name in [
        "planar.toml",
        "spatial.toml",
        "laws.toml",
        "trajectories.toml",
        "beams.toml",
        "exact-beams.toml",
        "contacts.toml",
        "contacts-spatial.toml",
    ] {
        let model = good(name).model;
        let table = SignalTable::new(&model);
        assert!(table.channels().len() > 30, "{name}");
        for channel in table.channels() {
            // a measure of a motor has the name of a quantity that all forces have: the first one is found
            let mut same = table.channels().iter().filter(|c| c.name == channel.name);
            let channel = same.next().unwrap();
            assert_eq!(model.signal(&channel.name), Some(channel.signal), "{name}");
            assert_eq!(table.find(&channel.name), Some(channel));
            assert_eq!(table.describe(channel.signal), Some(channel));
            assert_eq!(model.signal(&format!("{}_", channel.name)), None);
        }
        let of_energy = table.below("energy");
        // without unilateral constraints there are no impacts
        let impacts = !biela_core::unilateral::unilaterals(&model).is_empty();
        let energies = EnergyQuantity::ALL.len() - usize::from(!impacts);
        assert_eq!(of_energy.len(), energies, "{name}");
        assert!(table.find("energy").is_none() && model.signal("").is_none());
    }
}

#[test]
fn sensors_may_be_in_any_order_but_not_nested_too_deeply() {
    let mut text = PENDULUM.to_owned();
    for k in 0..200 {
        let _ = write!(
            text,
            "[[sensor]]\nname = \"s{k}\"\nvalue = \"s{} + 1\"\n",
            k + 1
        );
    }
    text += "[[sensor]]\nname = \"s200\"\nvalue = \"bob.x\"\n";
    let loaded = read(&text);
    assert!(loaded.diagnostics.has_errors());
    assert!(
        codes(&loaded).iter().all(|code| *code == "too-deep"),
        "{:?}",
        codes(&loaded)
    );

    // each reads the two behind it: the number of evaluations doubles
    let mut text = PENDULUM.to_owned();
    for k in 0..60 {
        let _ = write!(
            text,
            "[[sensor]]\nname = \"s{k}\"\nvalue = \"s{} + s{}\"\n",
            k + 1,
            k + 2
        );
    }
    text += "[[sensor]]\nname = \"s60\"\nvalue = \"bob.x\"\n[[sensor]]\nname = \"s61\"\nvalue = \"bob.y\"\n";
    assert!(codes(&read(&text)).contains(&"too-deep"));
}

#[test]
fn a_model_without_output_records_a_default_set() {
    let outputs = read(PENDULUM).model.unwrap().outputs;
    let names: Vec<&str> = outputs
        .channels
        .iter()
        .map(|channel| channel.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "bob.x",
            "bob.y",
            "bob.angle",
            "pin.angle",
            "pin.rate",
            "energy.total",
            "system.position_error"
        ]
    );
}

#[test]
fn a_model_with_too_many_elements_is_rejected_with_their_number() {
    let mut text = "format = 1\nspace = \"planar\"\n".to_owned();
    for k in 0..100_001 {
        let _ = write!(text, "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = 1\n");
    }
    let loaded = read(&text);
    assert_eq!(codes(&loaded), ["too-many-elements"]);
    assert!(report(&loaded).contains("100001 elements and points; at most 100000 are allowed"));
}

#[test]
fn a_long_chain_of_bodies_loads_without_diagnostics() {
    let mut text = "format = 1\nspace = \"planar\"\n".to_owned();
    for k in 0..3_000 {
        let before = if k == 0 {
            "ground".to_owned()
        } else {
            format!("b{}.B", k - 1)
        };
        let _ = write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = 1\npoints = {{ B = [1, 0] }}\n[[joint]]\nname = \"j{k}\"\ntype = \"revolute\"\nbetween = [\"{before}\", \"b{k}\"]\n"
        );
    }
    let loaded = read(&text);
    assert_eq!(report(&loaded), "");
    assert_eq!(loaded.model.unwrap().model.joints.len(), 3_000);
}

#[test]
fn a_missing_file_is_reported() {
    let loaded = load(Path::new("nowhere/none.toml"), &Overrides::default());
    assert!(loaded.model.is_none());
    assert_eq!(codes(&loaded), ["cannot-read"]);
    assert_eq!(
        codes(&load(Path::new(".."), &Overrides::default())),
        ["cannot-read"]
    );
}

#[test]
fn the_same_text_gives_the_same_report() {
    let text = PENDULUM
        .replace("revolute", "revolut")
        .replace("\"l\"", "\"ll\"");
    assert_eq!(report(&read(&text)), report(&read(&text)));
}

#[test]
fn a_kinematic_study_steps_from_output_to_output_without_integration() {
    let text = include_str!("good/kinematics.toml");
    let cut = text.find("integrator =").unwrap();
    let plain = biela_model::parse("plain.toml", &text[..cut], &Overrides::default());
    let study = plain.model.unwrap().study.unwrap();
    assert_eq!(study.integrator.kind, "kinematics");
    assert_eq!(study.integrator.arguments.number("step"), 0.5);

    let wrong = format!("{}integrator = \"rk4\"\n", &text[..cut]);
    let wrong = biela_model::parse("wrong.toml", &wrong, &Overrides::default());
    assert!(wrong.model.is_none());
    let report = wrong
        .diagnostics
        .render(&wrong.sources, biela_model::diagnostic::ReportStyle::Plain);
    assert!(
        report.contains("which integrates no differential equations"),
        "{report}"
    );
}

#[test]
fn a_piecewise_driver_is_checked_for_discontinuities_between_its_pieces() {
    let text = include_str!("good/kinematics.toml");
    let report = |formula: &str| {
        let text = text.replace("2*t^2", formula);
        let loaded = biela_model::parse("pieces.toml", &text, &Overrides::default());
        loaded
            .diagnostics
            .render(&loaded.sources, ReportStyle::Plain)
    };
    assert_eq!(
        report("if(t < 0.5, 0, (t - 0.5)^3)"),
        "",
        "a dwell is smooth"
    );
    assert_eq!(report("max(0, t - 0.5)^3"), "", "so is this one");
    assert!(
        report("if(t < 0.5, 0, t)").contains("is discontinuous: its velocity would be infinite")
    );
    assert!(report("if(t < 0.5, 0, t - 0.5)").contains("velocity of"));
    assert!(report("floor(3*t)").contains("is discontinuous"));
}

#[test]
fn a_static_study_has_start_points_and_records_reactions() {
    let text = include_str!("good/statics.toml");
    let lowered = biela_model::parse("rest.toml", text, &Overrides::default())
        .model
        .unwrap();
    let study = lowered.study.unwrap();
    assert_eq!(
        study.analysis,
        Analysis::Statics {
            start_points: 8,
            load_steps: 0,
            tolerance: 1e-10,
        }
    );
    let names: Vec<&str> = lowered
        .outputs
        .channels
        .iter()
        .map(|channel| channel.name.as_str())
        .collect();
    assert!(names.contains(&"pin.force") && !names.contains(&"pin.rate"));

    let one = text.replace("start_points = 8\n", "");
    let one = biela_model::parse("one.toml", &one, &Overrides::default());
    let study = one.model.unwrap().study.unwrap();
    assert_eq!(
        study.analysis,
        Analysis::Statics {
            start_points: 1,
            load_steps: 0,
            tolerance: 1e-10,
        }
    );

    let text = include_str!("good/from-equilibrium.toml");
    let motion = biela_model::parse("motion.toml", text, &Overrides::default());
    let study = motion.model.unwrap().study.unwrap();
    assert_eq!(study.analysis, Analysis::MotionFromEquilibrium);
    assert_eq!(study.duration, 1.0);
}

/// A pendulum with a motor and additional elements.
fn motorised(extra: &str) -> biela_model::Loaded {
    let text = format!(
        "format = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[parameters]\nJ = 0.01\n[[body]]\nname = \"rod\"\nmass = 1\ncom = [0.5, 0]\ninertia = 0.1\n\
         [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\n{extra}"
    );
    biela_model::lower::parse("m.toml", &text, &Overrides::default())
}

const LAW: &str = "[[controller]]\nname = \"law\"\nlaw = \"pd\"\nperiod = 0.001\nkp = 1\nkd = 1\n";

#[test]
fn a_motor_without_a_command_follows_the_control_law_and_an_unactuated_joint_gets_an_actuator() {
    use biela_core::model::Signal;
    let names = |extra: &str| -> Vec<(String, usize)> {
        let loaded = motorised(&format!("{extra}{LAW}"));
        let model = loaded.model.unwrap().model;
        let reads = |force: &biela_core::model::ForceElement| {
            let laws = force.force.laws().into_iter();
            let inputs = laws.flat_map(|law| law.inputs().iter());
            inputs
                .filter(|signal| **signal == Signal::Controller(0))
                .count()
        };
        let forces = model.forces.iter();
        forces
            .map(|force| (force.name.clone(), reads(force)))
            .collect()
    };
    let motor = "[[force]]\nname = \"drive\"\ntype = \"motor\"\njoint = \"pin\"\nratio = 10\nrotor_inertia = \"J\"\n";
    assert_eq!(names(""), [("pin_actuator".to_owned(), 1)]);
    assert_eq!(names(motor), [("drive".to_owned(), 1)]);
    let busy = format!("{motor}effort = 2\n");
    assert_eq!(
        names(&busy),
        [("drive".to_owned(), 0), ("pin_actuator".to_owned(), 1)]
    );
    let reading = format!("{motor}effort = \"0.9*law.pin\"\n");
    assert_eq!(names(&reading), [("drive".to_owned(), 1)]);
}

#[test]
fn a_design_model_has_the_rotors_of_its_own_motors() {
    let motor = "[[force]]\nname = \"drive\"\ntype = \"motor\"\njoint = \"pin\"\nratio = 10\nrotor_inertia = \"J\"\n";
    let ask = |model: &str| {
        let law = format!(
            "[[controller]]\nname = \"law\"\nlaw = \"computed-torque\"\nperiod = 0.001\nkp = 1\nkd = 0\nreference = 1\n{model}"
        );
        let loaded = motorised(&format!("{motor}{law}"));
        let model = loaded.model.unwrap().model;
        let mut effort = [0.0];
        model.controllers[0]
            .law
            .outputs(0.0, &[0.0, 0.0], &[], &mut effort);
        effort[0]
    };
    // (I + m c² + n² J) (1/s²) + m g c
    let wanted = |rotor: f64| 0.1 + 0.25 + 100.0 * rotor + 9.81 * 0.5;
    assert!((ask("") - wanted(0.01)).abs() < 1e-12);
    assert!((ask("model = { set = { J = 0.02 } }\n") - wanted(0.02)).abs() < 1e-12);
}

#[test]
fn beams_in_space_are_lowered_as_written() {
    let Lowered { model, .. } = good("cables.toml");
    let rope = &model.beams[0];
    assert_eq!((rope.axes(), rope.elements.len()), (3, 4));
    assert!(close(rope.length(), 1.0));
    // the start moves with the velocity, the end is turned about y as well
    assert!(close(rope.velocity[0], 0.2));
    assert!(close(rope.velocity[6 * 4], 0.2 - 0.1));
    let station = |name: &str| model.bodies.iter().find(|body| body.name == name).unwrap();
    let pose = station("rope.mid").start.pose.unwrap();
    assert!((pose.p - Vec3::new(0.0, 0.0, 1.5)).norm() < 1e-15);
    assert_eq!(pose.R.column(0), Vec3::new(0.0, 0.0, -1.0));
    let driven = model.drivers[0].target;
    assert!(matches!(driven, DriverTarget::Point(marker, 0)
        if model.body_name(model.markers[marker.0].body) == "rope.mid"));
    // a rod of square section: mL²/12 across, m a²/6 about itself
    let rod = &station("rod").mass;
    assert!(close(rod.mass, 0.3) && (rod.center - Vec3::new(1.5, 0.0, 0.0)).norm() < 1e-12);
    let principal = Vec3::new(0.3 * 1e-4 / 6.0, 0.3 * 9.0 / 12.0, 0.3 * 9.0 / 12.0);
    let inertia = biela_core::math::Mat3::from_diagonal(&principal);
    assert!((rod.inertia - inertia).norm() < 1e-12, "{}", rod.inertia);
}
