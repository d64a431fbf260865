//! Every law of the list on random robots.

use super::{ControlSample, DesignModel, LAWS, ReferencePoint, build};
use crate::element::{Arguments, FieldKind, FieldValue, Info};
use crate::joints::Joint;
use crate::math::rotation::matrix;
use crate::math::{Mat3, Pose, Random, Vec3};
use crate::model::{Body, MarkerIndex, MassProperties, Model, Space};
use crate::robot::Robot;

/// A spatial arm of revolute and prismatic joints with rotor inertias.
pub(super) fn random_robot(joints: usize, random: &mut Random) -> Model {
    let mut model = Model::new("arm", Space::Spatial);
    model.gravity = random.vector(9.81);
    let mut last = MarkerIndex::GROUND;
    for i in 0..joints {
        let turn = matrix(&random.rotation());
        let moments = Vec3::new(0.02, 0.025, 0.03) * random.between(0.5, 2.0);
        let inertia = turn * Mat3::from_diagonal(&moments) * turn.transpose();
        let mass = MassProperties::new(random.between(0.5, 2.0), random.vector(0.2), inertia);
        let body = model.add_body(Body::new(format!("link{i}"), mass.unwrap()));
        let kind = if random.below(3) == 0 {
            "prismatic"
        } else {
            "revolute"
        };
        let joint = Joint::build(kind, &Arguments::new(Space::Spatial));
        let axis = matrix(&random.rotation());
        let own = model.body_marker(body);
        let j = model.add_joint(format!("j{i}"), joint.unwrap().unwrap(), [last, own], &axis);
        model.joints[j.0].armature = random.between(0.0, 0.1);
        let tip = Pose::new(matrix(&random.rotation()), random.vector(0.4));
        last = model.add_marker("tip", body, tip);
    }
    model
}

/// A value for every field of a law.
fn sample_fields(info: &Info, joints: usize) -> Arguments {
    let mut arguments = Arguments::new(Space::Spatial);
    for field in info.fields {
        let value = match field.kind {
            FieldKind::Gains { .. } | FieldKind::Weights { .. } => {
                FieldValue::Numbers((0..joints).map(|i| 3.0 + i as f64).collect())
            }
            FieldKind::Vector { .. } => FieldValue::Vector(Vec3::new(30.0, 40.0, 50.0)),
            FieldKind::Number { .. } => FieldValue::Number(2.0),
            FieldKind::Choice(_) => FieldValue::Word(field.default.unwrap_or_default().to_owned()),
            FieldKind::Flag => FieldValue::Flag(field.default == Some("true")),
            FieldKind::Text => FieldValue::Word(format!("link{}.tip", joints - 1)),
            FieldKind::Names => FieldValue::Words(vec!["link0".to_owned(), "link1".to_owned()]),
            kind => panic!("no sample of {kind:?}"),
        };
        arguments.set(field.name, value);
    }
    arguments
}

/// Runs a check on every law with a random robot, at a random point of the reference.
fn on_every_law(check: impl Fn(&Info, &DesignModel<'_>, Arguments, ReferencePoint, &mut Random)) {
    let mut random = Random::new(21);
    for round in 0..5 {
        let n = 2 + round;
        let model = random_robot(n, &mut random);
        for info in LAWS {
            let mut design = DesignModel::new(&model, 1e-3).unwrap();
            let mut some = |scale: f64| (0..n).map(|_| random.symmetric(scale)).collect();
            let point = ReferencePoint {
                q: some(1.0),
                v: some(1.0),
                a: some(3.0),
            };
            design.start.q.clone_from(&point.q);
            check(info, &design, sample_fields(info, n), point, &mut random);
        }
    }
}

#[test]
fn at_rest_on_the_reference_every_law_compensates_gravity_only() {
    on_every_law(|info, design, fields, point, _| {
        let mut law = build(info.name, &fields, design).unwrap().unwrap();
        let n = point.q.len();
        let rest = ReferencePoint {
            q: point.q,
            ..ReferencePoint::new(n)
        };
        let sample = ControlSample {
            q: &rest.q,
            v: &rest.v,
            now: &rest,
            next: &rest,
        };
        let mut efforts = vec![0.0; n];
        law.efforts(&sample, &law.start(), &mut efforts);
        let robot = Robot::of(design.model).unwrap();
        let mut wanted = crate::robot::Efforts::default();
        robot.efforts(
            &mut robot.workspace(),
            [&rest.q, &rest.v, &rest.a],
            &mut wanted,
        );
        for i in 0..n {
            let off = (efforts[i] - wanted.gravity[i]).abs();
            assert!(off < 1e-11, "{}: {off:e}", info.name);
        }
    });
}

#[test]
fn outputs_depend_on_the_sample_and_the_states_alone() {
    on_every_law(|info, design, fields, point, random| {
        let mut law = build(info.name, &fields, design).unwrap().unwrap();
        let n = point.q.len();
        let mut some = || -> Vec<f64> { (0..n).map(|_| random.symmetric(1.0)).collect() };
        let (q, v, other) = (some(), some(), some());
        let ask = |law: &mut dyn super::ControlLaw, q: &[f64], states: &mut [f64]| {
            let sample = ControlSample {
                q,
                v: &v,
                now: &point,
                next: &point,
            };
            let mut efforts = vec![0.0; n];
            law.efforts(&sample, states, &mut efforts);
            law.advance(&sample, &vec![0.0; n], states);
            assert!(efforts.iter().chain(&*states).all(|x| x.is_finite()));
            efforts
        };
        let mut states = law.start();
        let first = ask(law.as_mut(), &q, &mut states);
        let learnt = states.clone();
        let mut elsewhere = law.start();
        let _ = ask(law.as_mut(), &other, &mut elsewhere);
        let mut states = law.start();
        assert_eq!(ask(law.as_mut(), &q, &mut states), first, "{}", info.name);
        assert_eq!(states, learnt, "{}", info.name);
    });
}

#[test]
fn a_negative_gain_or_a_wrong_count_is_rejected_with_its_field() {
    on_every_law(|info, design, fields, _, _| {
        let lists = info.fields.iter().filter(|field| {
            matches!(
                field.kind,
                FieldKind::Gains { .. } | FieldKind::Weights { .. }
            )
        });
        for field in lists {
            let too_many = vec![1.0; design.joints() + 1];
            for wrong in [vec![-1.0], vec![f64::NAN], too_many] {
                let fields = fields.clone().with(field.name, FieldValue::Numbers(wrong));
                let error = build(info.name, &fields, design).unwrap().unwrap_err();
                assert_eq!(error.field, field.name, "{}", info.name);
            }
        }
    });
}
