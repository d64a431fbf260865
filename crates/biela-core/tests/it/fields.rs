//! Every element of every list rejects invalid values in code as it does in a model file.

use biela_core::control::laws::{self, DesignModel, LAWS};
use biela_core::control::trajectories::{self, Setting, TRAJECTORIES};
use biela_core::element::{
    ArgumentError, Arguments, Field, FieldKind, FieldValue, Info, JointMotionSamples,
};
use biela_core::forces::{self, FORCES};
use biela_core::integrators::{self, INTEGRATORS};
use biela_core::joints::{JOINTS, Joint};
use biela_core::math::rotation::identity;
use biela_core::math::{Mat3, Vec3};
use biela_core::methods::{self, METHODS};
use biela_core::model::{
    AnyBeam, BeamIndex, Body, JointIndex, JointLimits, Law, MarkerIndex, MassProperties, Model,
    Space,
};
use biela_core::system::{Absolute, System};

use crate::common::{joint, straight};

/// A pendulum.
fn pendulum() -> Model {
    let mut model = Model::new("pendulum", Space::Planar);
    let inertia = Mat3::from_diagonal(&Vec3::new(0.1, 0.1, 0.1));
    let mass = MassProperties::new(1.0, Vec3::new(0.5, 0.0, 0.0), inertia).unwrap();
    let body = model.add_body(Body::new("bar", mass));
    let own = model.body_marker(body);
    let ends = [MarkerIndex::GROUND, own];
    let _ = model.add_joint("pin", joint("revolute", Space::Planar), ends, &straight());
    model
}

/// The outcome of a constructor.
type Built = Option<Result<(), ArgumentError>>;

fn built<T>(made: Option<Result<T, ArgumentError>>) -> Built {
    made.map(|made| made.map(drop))
}

/// Every element of every list, with the constructor of its list.
fn every_element(check: impl Fn(&Info, &dyn Fn(&Arguments) -> Built)) {
    let model = pendulum();
    let design = DesignModel::new(&model, 1e-3).unwrap();
    let system = Absolute::new(pendulum());
    let active = vec![true; system.sizes().rows];
    let setting = Setting {
        joints: vec![JointLimits::NONE],
        start: 0.0,
        robot: Err(String::new()),
    };
    for info in JOINTS {
        check(info, &|values| built(Joint::build(info.name, values)));
    }
    for info in FORCES {
        check(info, &|values| built(forces::build(info.name, values)));
    }
    for info in METHODS {
        check(info, &|values| {
            built(methods::build(info.name, values, &system, &active))
        });
    }
    for info in INTEGRATORS {
        check(info, &|values| {
            built(integrators::build(info.name, values, 2))
        });
    }
    for info in TRAJECTORIES {
        check(info, &|values| {
            built(trajectories::build(info.name, values, &setting))
        });
    }
    for info in LAWS {
        check(info, &|values| {
            built(laws::build(info.name, values, &design))
        });
    }
}

/// A value of the kind that a field requires, with `x` wherever it has a number.
fn value(field: &Field, x: f64, space: Space) -> FieldValue {
    let law = || Law::Constant(x);
    match field.kind {
        FieldKind::Number { .. } | FieldKind::Positive { .. } | FieldKind::Along => {
            FieldValue::Number(x)
        }
        FieldKind::Vector { .. } | FieldKind::Direction => {
            FieldValue::Vector(Vec3::new(x, 1.0, 1.0))
        }
        FieldKind::Law { .. } => FieldValue::Law(law()),
        FieldKind::LawVector { .. } => FieldValue::Laws(vec![law(); space.axes()]),
        FieldKind::Flag => FieldValue::Flag(true),
        FieldKind::Text => FieldValue::Word("bar".to_owned()),
        FieldKind::Choice(words) => FieldValue::Word(words[0].to_owned()),
        FieldKind::Words(words) => FieldValue::Words(vec![words[0].to_owned()]),
        FieldKind::Names => FieldValue::Words(vec!["bar".to_owned()]),
        FieldKind::Marker => FieldValue::Marker(MarkerIndex::GROUND),
        FieldKind::MarkerPair => FieldValue::Markers([MarkerIndex(0), MarkerIndex(1)]),
        FieldKind::Joint => FieldValue::Joint(JointIndex(0)),
        FieldKind::JointCoordinate => FieldValue::Coordinate(JointIndex(0), 0),
        FieldKind::Beam => FieldValue::Beam(AnyBeam::Nodal(BeamIndex(0))),
        FieldKind::Numbers { .. }
        | FieldKind::PerJoint { .. }
        | FieldKind::Gains { .. }
        | FieldKind::Weights { .. } => FieldValue::Numbers(vec![x]),
        FieldKind::Points { .. } => FieldValue::Points(vec![vec![x]]),
        FieldKind::Vectors { .. } => FieldValue::Points(vec![vec![x, 1.0, 1.0]]),
        FieldKind::Rotation => FieldValue::Rotation(identity() * x),
        FieldKind::Series => FieldValue::Series(JointMotionSamples {
            times: vec![0.0, x],
            positions: vec![vec![0.0], vec![x]],
            ..JointMotionSamples::default()
        }),
        FieldKind::Trajectories => FieldValue::Motions(Vec::new()),
        kind => panic!("{}: {kind:?} is a value of tables only", field.name),
    }
}

/// Whether the value of a field contains numbers.
fn is_numeric(field: &Field) -> bool {
    let [a, b] = [1.0, 2.0].map(|x| format!("{:?}", value(field, x, Space::Planar)));
    a != b
}

/// Values for the required fields of an element.
fn required(info: &Info) -> Arguments {
    let space = info.spaces[0];
    let needed = info.fields.iter().filter(|field| field.default.is_none());
    needed.fold(Arguments::new(space), |arguments, field| {
        arguments.with(field.name, value(field, 1.0, space))
    })
}

/// The error that a constructor returns.
fn refused(info: &Info, made: Built, case: &str) -> ArgumentError {
    match made {
        Some(Err(error)) => error,
        _ => panic!("{} accepts {case}", info.name),
    }
}

#[test]
fn a_missing_required_field_is_an_error_that_names_it() {
    every_element(|info, build| {
        for field in info.fields.iter().filter(|field| field.default.is_none()) {
            let mut arguments = required(info);
            arguments.remove(field.name);
            let error = refused(info, build(&arguments), &format!("no {}", field.name));
            assert_eq!(error.field, field.name, "{}: {error}", info.name);
            assert!(error.message.contains(info.name), "{error}");
        }
    });
}

#[test]
fn a_misspelt_field_is_an_error_that_names_it_and_the_nearest() {
    every_element(|info, build| {
        for field in info.fields {
            let misspelt: &'static str = format!("{}x", field.name).leak();
            let arguments = required(info).with(misspelt, value(field, 1.0, info.spaces[0]));
            let error = refused(info, build(&arguments), misspelt);
            assert_eq!(error.field, misspelt, "{}: {error}", info.name);
            let near = format!("did you mean `{}`?", field.name);
            assert!(error.message.contains(&near), "{}: {error}", info.name);
        }
        let arguments = required(info).with("nonsense", FieldValue::Number(1.0));
        let error = refused(info, build(&arguments), "nonsense");
        assert_eq!(error.field, "nonsense");
        assert!(error.message.contains(info.name), "{error}");
        for field in info.fields {
            assert!(error.message.contains(field.name), "{error}");
        }
    });
}

#[test]
fn nan_and_infinite_numbers_are_errors() {
    every_element(|info, build| {
        for field in info.fields.iter().filter(|field| is_numeric(field)) {
            for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let arguments = required(info).with(field.name, value(field, x, info.spaces[0]));
                let case = format!("{} = {x}", field.name);
                let error = refused(info, build(&arguments), &case);
                assert_eq!(error.field, field.name, "{}: {error}", info.name);
                // infinity times zero
                let shown = [format!("{x}"), "NaN".to_owned()];
                let named = shown.iter().any(|x| error.message.contains(x));
                assert!(named, "{}: {error}", info.name);
            }
        }
    });
}

#[test]
fn a_value_of_the_wrong_kind_is_an_error() {
    every_element(|info, build| {
        let space = info.spaces[0];
        for field in info.fields {
            let wrong = match field.kind {
                FieldKind::Flag => FieldValue::Number(1.0),
                _ => FieldValue::Flag(true),
            };
            let arguments = required(info).with(field.name, wrong);
            let error = refused(info, build(&arguments), &format!("any {}", field.name));
            assert_eq!(error.field, field.name, "{}: {error}", info.name);
            let invalid = match field.kind {
                FieldKind::Choice(_) => vec![FieldValue::Word("nonsense".to_owned())],
                FieldKind::Words(_) => vec![FieldValue::Words(vec!["nonsense".to_owned()])],
                FieldKind::Positive { .. } => [0.0, -1.0].map(FieldValue::Number).to_vec(),
                FieldKind::Direction => vec![FieldValue::Vector(Vec3::zeros())],
                FieldKind::LawVector { .. } => {
                    vec![FieldValue::Laws(vec![Law::Constant(1.0); space.axes() + 1])]
                }
                _ => Vec::new(),
            };
            for value in invalid {
                let case = format!("{} = {value:?}", field.name);
                let arguments = required(info).with(field.name, value);
                let error = refused(info, build(&arguments), &case);
                assert_eq!(error.field, field.name, "{}: {error}", info.name);
            }
        }
    });
}

#[test]
fn an_element_of_the_other_space_is_an_error() {
    every_element(|info, build| {
        for space in [Space::Planar, Space::Spatial] {
            if info.spaces.contains(&space) {
                continue;
            }
            let mut arguments = required(info);
            arguments.space = space;
            let error = refused(info, build(&arguments), &format!("a {space:?} model"));
            assert_eq!(error.field, "type", "{}: {error}", info.name);
        }
    });
}

#[test]
fn every_default_is_a_valid_value_and_applies_when_the_field_is_omitted() {
    every_element(|info, _| {
        let arguments = required(info);
        let complete = info.complete(&arguments).unwrap();
        for field in info.fields {
            let has_default = field.default.is_some_and(|text| !text.is_empty());
            let given = field.default.is_none() || has_default;
            assert_eq!(
                complete.get(field.name).is_some(),
                given,
                "{}.{}",
                info.name,
                field.name
            );
        }
        assert_eq!(info.check(&complete), Ok(()), "{}", info.name);
    });
}

#[test]
fn a_screw_without_pitch_is_an_error() {
    let none = Arguments::new(Space::Spatial);
    let error = Joint::build("screw", &none).unwrap().unwrap_err();
    assert_eq!(error.field, "pitch");
    let misspelt = none.clone().with("pich", FieldValue::Number(0.004));
    let error = Joint::build("screw", &misspelt).unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`pich`: screw has no such field; did you mean `pitch`?"
    );
    let given = none.with("pitch", FieldValue::Number(0.0));
    assert!(Joint::build("screw", &given).unwrap().is_ok());
}

#[test]
fn rows_of_a_trajectory_with_the_wrong_number_of_joints_are_an_error() {
    let setting = Setting {
        joints: vec![JointLimits::NONE; 2],
        start: 0.0,
        robot: Err(String::new()),
    };
    let refused = |kind: &str, name: &'static str, wrong: FieldValue| {
        let info = TRAJECTORIES.iter().find(|info| info.name == kind).unwrap();
        let arguments = required(info).with(name, wrong);
        let made = trajectories::build(kind, &arguments, &setting).unwrap();
        assert_eq!(made.err().map(|error| error.field), Some(name), "{kind}");
    };
    refused("hold", "at", FieldValue::Numbers(vec![1.0]));
    let rows = vec![vec![0.0, 1.0], vec![1.0]];
    refused("cubic", "points", FieldValue::Points(rows.clone()));
    let samples = JointMotionSamples {
        times: vec![0.0, 1.0],
        positions: rows,
        ..JointMotionSamples::default()
    };
    refused("file", "file", FieldValue::Series(samples));
}
