//! Assembly from rough starts, mobility, redundancy and what is said when it fails.

use biela_core::analysis::{AssembleError, Formulation, assemble};
use biela_core::element::{Arguments, FieldValue};
use biela_core::joints::Joint;
use biela_core::math::rotation::about;
use biela_core::math::{Pose, Random, Vec3};
use biela_core::model::{
    Body, InitialValue, MarkerIndex, MassProperties, Model, ShapeKind, Space, Velocity0,
};

use crate::common::{at, joint, run, straight, study};

/// A four-bar in the x–y plane: ground pivots at 0 and (`ground`, 0), links of these lengths, as planar or spatial bodies.
pub(crate) fn four_bar(space: Space, lengths: [f64; 3], ground: f64, start: [f64; 3]) -> Model {
    let mut model = Model::new("four-bar", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut corner = Vec3::zeros();
    let mut ends = vec![MarkerIndex::GROUND];
    for (i, (&length, &angle)) in lengths.iter().zip(&start).enumerate() {
        let mass = bar(space, length);
        let pose = Pose::new(about(2, angle), corner);
        let body = model.add_body(Body::new(["crank", "coupler", "rocker"][i], mass).at(pose));
        ends.push(model.body_marker(body));
        ends.push(model.add_marker("end", body, at(length, 0.0, 0.0)));
        corner = pose.point(&Vec3::new(length, 0.0, 0.0));
    }
    ends.push(model.add_marker(
        "pivot",
        biela_core::model::BodyIndex::GROUND,
        at(ground, 0.0, 0.0),
    ));
    for (i, name) in ["A", "B", "C", "D"].iter().enumerate() {
        let pair = [ends[2 * i], ends[2 * i + 1]];
        let _ = model.add_joint(*name, joint("revolute", space), pair, &straight());
    }
    model
}

fn bar(space: Space, length: f64) -> MassProperties {
    let kind = ShapeKind::Bar {
        radius: 0.02,
        from: Vec3::zeros(),
        to: Vec3::new(length, 0.0, 0.0),
    };
    let solid = biela_core::model::Shape {
        kind,
        pose: Pose::identity(),
    }
    .solid(7800.0);
    match space {
        Space::Spatial => solid,
        Space::Planar => {
            MassProperties::planar(solid.mass, [length / 2.0, 0.0], solid.inertia[(2, 2)]).unwrap()
        }
    }
}

const LENGTHS: [f64; 3] = [0.2, 0.5, 0.4];

#[test]
fn a_roughly_placed_four_bar_is_assembled_and_its_changes_are_reported() {
    let model = four_bar(Space::Planar, LENGTHS, 0.45, [1.0, 0.3, -1.5]);
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    assert!(assembled.position_error < 1e-12);
    assert_eq!(assembled.mobility.freedom, 1);
    assert_eq!(assembled.changes.len(), 3);
    assert!(
        assembled
            .changes
            .iter()
            .all(|c| c.distance < 0.3 && c.angle < 1.5)
    );
}

#[test]
fn distant_random_starts_are_assembled_or_rejected_in_finite_time() {
    let mut random = Random::new(3);
    let mut solved = 0;
    for _ in 0..300 {
        let start = [
            random.symmetric(3.1),
            random.symmetric(3.1),
            random.symmetric(3.1),
        ];
        match assemble(
            four_bar(Space::Planar, LENGTHS, 0.45, start),
            Formulation::Absolute,
        ) {
            Ok(assembled) => {
                assert!(assembled.position_error < 1e-10);
                solved += 1;
            }
            Err(error) => assert!(matches!(error, AssembleError::Positions { .. })),
        }
    }
    assert!(solved >= 285, "only {solved} of 300 far starts were closed");
}

#[test]
fn given_joint_coordinates_are_kept_while_the_loop_closes() {
    let mut model = four_bar(Space::Planar, LENGTHS, 0.45, [0.9, 0.4, -1.4]);
    model.joints[0].initial = vec![InitialValue {
        coordinate: 0,
        value: Some(0.8),
        rate: Some(3.0),
        keep: false,
    }];
    let series = run(
        model,
        &study(Space::Planar, 0.01, 0.01, "projection", "dopri5", 1e-8),
    );
    assert!((series.at("A.angle", 0.0) - 0.8).abs() < 1e-12);
    assert!((series.at("A.rate", 0.0) - 3.0).abs() < 1e-12);
    assert!(series.at("system.velocity_error", 0.0) < 1e-12);
}

#[test]
fn inconsistent_coordinates_are_an_initial_guess_unless_marked_keep() {
    let build = |keep| {
        let mut model = four_bar(Space::Planar, LENGTHS, 0.45, [0.9, 0.4, -1.4]);
        for (j, value) in [(0, 0.8), (3, 0.9), (1, 0.1)] {
            model.joints[j].initial = vec![InitialValue {
                coordinate: 0,
                value: Some(value),
                rate: None,
                keep,
            }];
        }
        assemble(model, Formulation::Absolute)
    };
    let rough = build(false).unwrap();
    assert!(rough.position_error < 1e-10);
    assert!(
        rough
            .notes
            .iter()
            .any(|n| n.contains("initial coordinates of the joints are inconsistent")),
        "{:?}",
        rough.notes
    );
    let Err(kept) = build(true) else {
        panic!("three kept angles cannot fit")
    };
    assert!(matches!(kept, AssembleError::Kept { .. }), "{kept}");
}

#[test]
fn a_loop_that_cannot_close_names_its_joints() {
    let model = four_bar(Space::Planar, [0.1, 0.1, 0.1], 1.0, [0.0, 0.0, 0.0]);
    let Err(error) = assemble(model, Formulation::Absolute) else {
        panic!("it is too short")
    };
    let AssembleError::Positions { open, .. } = &error else {
        panic!("{error}")
    };
    assert!(!open.is_empty());
    let text = error.to_string();
    assert!(text.contains("joint `"), "{text}");
}

#[test]
fn a_planar_four_bar_of_spatial_revolutes_has_three_redundant_rows_and_runs() {
    let model = four_bar(Space::Spatial, LENGTHS, 0.45, [1.0, 0.4, -1.4]);
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    let mobility = &assembled.mobility;
    assert_eq!((mobility.velocities, mobility.rows), (18, 20));
    assert_eq!(mobility.dependent.len(), 3);
    assert_eq!(mobility.freedom, 1);
    assert_eq!(assembled.singular_rows, 0);
    let system = &assembled.system;
    for row in &mobility.dependent {
        // reported at the last joint, explained by the others
        assert_eq!(row.label.owner_name(system.model()), "D");
        let mut names: Vec<&str> = row
            .depends_on
            .iter()
            .map(|r| system.rows()[*r].owner_name(system.model()))
            .collect();
        names.dedup();
        assert!(names.contains(&"A"), "{names:?}");
    }
    // and the motion is that of the planar model
    let s = |space| study(space, 2.0, 0.05, "projection", "dopri5", 1e-11);
    let spatial = run(
        four_bar(Space::Spatial, LENGTHS, 0.45, [1.0, 0.4, -1.4]),
        &s(Space::Spatial),
    );
    let planar = run(
        four_bar(Space::Planar, LENGTHS, 0.45, [1.0, 0.4, -1.4]),
        &s(Space::Planar),
    );
    for name in ["A.angle", "D.angle", "coupler.x", "coupler.vy"] {
        for (x, y) in spatial.all(name).iter().zip(planar.all(name)) {
            assert!((x - y).abs() < 1e-7, "{name}: {x} {y}");
        }
    }
    assert!(
        spatial.statistics.worst_position < 1e-10,
        "dropped rows hold too"
    );
}

#[test]
fn a_two_hinge_door_has_five_redundant_rows() {
    let mut model = Model::new("door", Space::Spatial);
    let door = model.add_body(Body::new("door", bar(Space::Spatial, 0.8)));
    for (name, z) in [("lower", 0.0), ("upper", 1.5)] {
        let ground = model.add_marker(name, biela_core::model::BodyIndex::GROUND, at(0.0, 0.0, z));
        let leaf = model.add_marker(name, door, at(0.0, 0.0, z));
        let _ = model.add_joint(
            name,
            joint("revolute", Space::Spatial),
            [ground, leaf],
            &straight(),
        );
    }
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    assert_eq!(assembled.mobility.dependent.len(), 5);
    assert_eq!(assembled.mobility.freedom, 1);
    let model = assembled.system.model();
    assert!(
        assembled
            .mobility
            .dependent
            .iter()
            .all(|r| r.label.owner_name(model) == "upper")
    );
}

#[test]
fn a_gap_between_redundant_hinges_is_inconsistent() {
    let mut model = Model::new("door", Space::Spatial);
    let door = model.add_body(Body::new("door", bar(Space::Spatial, 0.8)));
    for (name, z, gap) in [("lower", 0.0, 0.0), ("upper", 1.5, 0.001)] {
        let ground = model.add_marker(
            name,
            biela_core::model::BodyIndex::GROUND,
            at(0.0, 0.0, z + gap),
        );
        let leaf = model.add_marker(name, door, at(0.0, 0.0, z));
        let _ = model.add_joint(
            name,
            joint("revolute", Space::Spatial),
            [ground, leaf],
            &straight(),
        );
    }
    let Err(error) = assemble(model, Formulation::Absolute) else {
        panic!("1 mm does not close")
    };
    let text = error.to_string();
    assert!(
        text.contains("`upper`") && text.contains("`lower`"),
        "{text}"
    );
}

#[test]
fn a_stretched_parallelogram_is_singular_and_not_redundant() {
    // all links in line: the rank drops there and nowhere else
    let model = four_bar(
        Space::Planar,
        [0.2, 0.5, 0.2],
        0.5,
        [0.0, 0.0, std::f64::consts::PI],
    );
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    assert_eq!(assembled.mobility.dependent.len(), 1);
    assert_eq!(assembled.singular_rows, 1);
    assert!(assembled.active.iter().all(|a| *a));
}

#[test]
fn a_body_velocity_is_kept_when_the_joints_allow_it() {
    let mut model = four_bar(Space::Planar, LENGTHS, 0.45, [1.0, 0.4, -1.4]);
    model.bodies[0].velocity = Some(Velocity0 {
        linear: Vec3::zeros(),
        angular: Vec3::new(0.0, 0.0, 5.0),
    });
    let series = run(
        model,
        &study(Space::Planar, 0.01, 0.01, "projection", "dopri5", 1e-8),
    );
    assert!((series.at("crank.omega", 0.0) - 5.0).abs() < 1e-10);
    assert!(
        series.at("rocker.omega", 0.0).abs() > 0.1,
        "the others follow"
    );
}

#[test]
fn velocities_inconsistent_with_the_joints_become_the_nearest_consistent_ones() {
    let mut model = Model::new("slider", Space::Planar);
    let slider = model.add_body(Body::new(
        "slider",
        MassProperties::planar(1.0, [0.0, 0.0], 1.0).unwrap(),
    ));
    let marker = model.body_marker(slider);
    let _ = model.add_joint(
        "guide",
        joint("prismatic", Space::Planar),
        [MarkerIndex::GROUND, marker],
        &straight(),
    );
    model.bodies[0].velocity = Some(Velocity0 {
        linear: Vec3::new(2.0, 1.0, 0.0),
        angular: Vec3::zeros(),
    });
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    assert!((assembled.state.v[0] - 2.0).abs() < 1e-12);
    assert!(assembled.state.v[1].abs() < 1e-12);
    assert_eq!(
        assembled.notes,
        [
            "the initial velocity of body `slider` (changed by -1 m/s) is inconsistent with the joints; the nearest consistent velocities are used"
        ]
    );
}

/// A slider with a velocity of 2 m/s on a guide with an initial velocity of 3 m/s.
fn two_speeds(keep: bool) -> Model {
    let mut model = Model::new("slider", Space::Planar);
    let slider = model.add_body(Body::new(
        "slider",
        MassProperties::planar(1.0, [0.0, 0.0], 1.0).unwrap(),
    ));
    let pair = [MarkerIndex::GROUND, model.body_marker(slider)];
    let guide = joint("prismatic", Space::Planar);
    let guide = model.add_joint("guide", guide, pair, &straight());
    model.joints[guide.0].initial.push(InitialValue {
        coordinate: 0,
        value: None,
        rate: Some(3.0),
        keep,
    });
    model.bodies[0].velocity = Some(Velocity0 {
        linear: Vec3::new(2.0, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    model
}

#[test]
fn the_initial_velocity_of_a_joint_takes_precedence_over_that_of_its_body_and_both_are_named() {
    for keep in [false, true] {
        let assembled = assemble(two_speeds(keep), Formulation::Absolute).unwrap();
        assert!((assembled.state.v[0] - 3.0).abs() < 1e-12);
        let [note] = assembled.notes.as_slice() else {
            panic!("{:?}", assembled.notes)
        };
        assert!(
            note.contains("body `slider`") && note.contains("3 m/s of `guide.position`"),
            "{note}"
        );
    }
    let mut model = two_speeds(true);
    model.bodies[0].start.keep = true;
    let error = assemble(model, Formulation::Absolute).err().unwrap();
    assert!(matches!(error, AssembleError::Kept { .. }), "{error}");
}

#[test]
fn bodies_without_pose_follow_their_joints() {
    // a chain of three written without any pose, at the joints' starting angles
    let mut model = Model::new("chain", Space::Spatial);
    let mut last = MarkerIndex::GROUND;
    for i in 0..3 {
        let body = model.add_body(Body::new(format!("link{i}"), bar(Space::Spatial, 1.0)));
        let start = model.body_marker(body);
        let j = model.add_joint(
            format!("j{i}"),
            joint("revolute", Space::Spatial),
            [last, start],
            &straight(),
        );
        model.joints[j.0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(0.5),
            rate: None,
            keep: false,
        }];
        last = model.add_marker("end", body, at(1.0, 0.0, 0.0));
    }
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    assert!(
        assembled.changes.is_empty(),
        "nothing had to move: {:?}",
        assembled.changes
    );
    let angle = 1.5_f64;
    let e = &assembled.state.q[14 + 3..14 + 7];
    assert!((e[0] - (angle / 2.0).cos()).abs() < 1e-12);
    assert!((e[3] - (angle / 2.0).sin()).abs() < 1e-12);
}

#[test]
fn an_empty_model_is_rejected() {
    let model = Model::new("nothing", Space::Planar);
    assert!(matches!(
        assemble(model, Formulation::Absolute),
        Err(AssembleError::Empty)
    ));
}

#[test]
fn a_rod_of_the_wrong_length_moves_its_ends_least_in_the_metric_of_the_masses() {
    // two free masses joined by a rod: the heavy one moves less, in the ratio of the masses
    let mut model = Model::new("rod", Space::Planar);
    let masses = [1.0, 9.0];
    let markers = [0, 1].map(|i| {
        let mass = MassProperties::planar(masses[i], [0.0, 0.0], 1.0).unwrap();
        let body = Body::new(["light", "heavy"][i], mass).at(at(i as f64, 0.0, 0.0));
        let b = model.add_body(body);
        model.body_marker(b)
    });
    let arguments = Arguments::new(Space::Planar).with("length", FieldValue::Number(2.0));
    let rod = Joint::build("distance", &arguments).unwrap().unwrap();
    let _ = model.add_joint("rod", rod, markers, &straight());
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    let (light, heavy) = (assembled.state.q[0], assembled.state.q[3]);
    assert!((heavy - light - 2.0).abs() < 1e-12);
    assert!(((-light) / (heavy - 1.0) - 9.0).abs() < 1e-6);
}
