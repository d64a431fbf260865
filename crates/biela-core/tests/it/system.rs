//! The equations of the absolute system against differences, for every joint, coupler and driver.

use biela_core::analysis::{Formulation, assemble};
use biela_core::element::{Arguments, FieldKind, FieldValue};
use biela_core::flexible::{Beam, Section, Station, element_kind, straight};
use biela_core::forces::{Actuator, JointDamping, JointSpringDamper};
use biela_core::joints::{FixedLine, JOINTS, Joint, Prismatic, Revolute};
use biela_core::math::rotation::{aligning, matrix};
use biela_core::math::{Pose, Random, Vec3};
use biela_core::model::{
    AccelerationProfile, BeamIndex, Body, BodyIndex, CouplerElement, DriverElement, DriverTarget,
    JointIndex, Law, MarkerIndex, MassProperties, Model, Motion, Space,
};
use biela_core::system::{Absolute, State, System, SystemKinematics, Workspace};

fn body(name: &str, space: Space, random: &mut Random) -> Body {
    let mass = match space {
        Space::Planar => {
            let center = [random.symmetric(0.3), random.symmetric(0.3)];
            MassProperties::planar(1.5, center, 0.4).unwrap()
        }
        Space::Spatial => {
            let turn = matrix(&random.rotation());
            let principal = biela_core::math::Mat3::from_diagonal(&Vec3::new(0.3, 0.4, 0.5));
            MassProperties::new(2.0, random.vector(0.3), turn * principal * turn.transpose())
                .unwrap()
        }
    };
    Body::new(name, mass)
}

fn pose(space: Space, random: &mut Random) -> Pose {
    match space {
        Space::Planar => Pose::new(
            biela_core::math::rotation::about(2, random.symmetric(3.0)),
            Vec3::new(random.symmetric(1.0), random.symmetric(1.0), 0.0),
        ),
        Space::Spatial => Pose::new(matrix(&random.rotation()), random.vector(1.0)),
    }
}

/// Values that fit the fields of a joint.
fn arguments(fields: &[biela_core::element::Field], space: Space) -> Arguments {
    let mut arguments = Arguments::new(space);
    for field in fields {
        // that of ropes
        if field.name == "restitution" {
            continue;
        }
        match field.kind {
            FieldKind::Number { .. } | FieldKind::Positive { .. } => {
                arguments.set(field.name, FieldValue::Number(0.7));
            }
            FieldKind::Words(words) => {
                let chosen = [words[0], words[words.len() - 1]]
                    .map(str::to_owned)
                    .to_vec();
                arguments.set(field.name, FieldValue::Words(chosen));
            }
            _ => {}
        }
    }
    arguments
}

/// What the two bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bodies {
    Rigid,
    /// A place within an element and a node of another beam.
    OnTwoBeams,
    /// Two places on one element.
    OnOneElement,
    /// A rigid body and a place within an element.
    Mixed,
}

/// Two bodies: the joint between them and on the ground, a coupler over both, drivers on a coordinate and on a point.
fn model_with(kind: &'static str, space: Space, bodies: Bodies, random: &mut Random) -> Model {
    let info = JOINTS.iter().find(|i| i.name == kind).unwrap();
    let joint = Joint::build(kind, &arguments(info.fields, space))
        .unwrap()
        .unwrap();
    let mut model = Model::new(kind, space);
    let (a, b) = match bodies {
        Bodies::Rigid => (
            model.add_body(body("a", space, random)),
            model.add_body(body("b", space, random)),
        ),
        Bodies::OnTwoBeams => {
            let (first, second) = (beam(&mut model, "cable"), beam(&mut model, "structural"));
            (
                model.add_station(first, "a", 0.3),
                model.add_station(second, "b", 0.5),
            )
        }
        Bodies::OnOneElement => {
            let beam = beam(&mut model, "green-lagrange");
            (
                model.add_station(beam, "a", 0.3),
                model.add_station(beam, "b", 0.5),
            )
        }
        Bodies::Mixed => {
            let beam = beam(&mut model, "cable");
            (
                model.add_body(body("a", space, random)),
                model.add_station(beam, "b", 0.7),
            )
        }
    };
    let markers = [BodyIndex::GROUND, a, a, b].map(|owner| {
        let station = owner.number().and_then(|b| model.bodies[b].station);
        let pose = match (space, station) {
            // the rotation about the axis of a beam without torsion is undefined
            (Space::Spatial, Some(_)) => Pose::identity(),
            _ => pose(space, random),
        };
        model.add_marker(format!("m{}", owner.0), owner, pose)
    });
    let turn = match space {
        Space::Planar => biela_core::math::rotation::about(2, 0.4),
        Space::Spatial => aligning(joint.axis(), &Vec3::new(0.3, -0.5, 0.8)),
    };
    let first = model.add_joint("first", joint.clone(), [markers[0], markers[1]], &turn);
    let second = model.add_joint("second", joint.clone(), [markers[2], markers[3]], &turn);
    // values that a spin of a spatial beam would change are undefined
    let defined = |k: usize| {
        space == Space::Planar
            || [(false, a), (true, b), (true, a)]
                .into_iter()
                .all(|(second, owner)| {
                    let on_beam = owner
                        .number()
                        .is_some_and(|b| model.bodies[b].station.is_some());
                    let line = FixedLine {
                        second,
                        point: Vec3::zeros(),
                        direction: turn.transpose().column(0).into_owned(),
                    };
                    !on_beam || !joint.coordinate_notes_spin(k, &line)
                })
    };
    let count = joint.coordinates(space).len();
    if count > 0 && defined(0) && defined(count - 1) {
        let terms = vec![(first, 0, 1.0), (second, 0, -1.7)];
        model.couplers.push(CouplerElement {
            name: "coupler".into(),
            origin: biela_core::element::Origin::default(),
            kind: "linear",
            terms,
            offset: Some(0.2),
            backlash: None,
        });
        model.drivers.push(driver(
            "driver",
            DriverTarget::Joint(JointIndex(1), count - 1),
        ));
    }
    model
        .drivers
        .push(driver("point", DriverTarget::Point(markers[3], 1)));
    model
}

/// A damped beam of two elements.
fn beam(model: &mut Model, kind: &str) -> BeamIndex {
    let section = Section {
        axial: 20.0,
        bending: 0.5,
        mass: 1.3,
        damping: 0.1,
    };
    let kind = element_kind(kind).unwrap();
    let (points, name) = (kind.points(), format!("beam{}", model.beams.len()));
    if model.space == Space::Spatial {
        let (nodes, length) = straight([0.1, 0.2, -0.1], [0.58, 0.8, 0.54], 2).unwrap();
        let kind = kind.space().unwrap();
        return model.add_beam(Beam::new(
            name,
            kind,
            (&nodes, length),
            &[section; 2],
            0.0,
            points,
        ));
    }
    let shape = straight([0.1, 0.2], [0.9, 0.8], 2).unwrap();
    let shape = (&shape.0[..], shape.1);
    model.add_beam(Beam::new(
        name,
        kind.plane(),
        shape,
        &[section; 2],
        0.0,
        points,
    ))
}

/// Joints that hold points, so that a beam without torsion can have them.
const OF_POINTS: [&str; 4] = ["spherical", "distance", "point-on-line", "point-in-plane"];

/// Every joint in every space it knows, on rigid bodies and in the plane on beams; in space on beams those that hold points.
fn cases() -> Vec<(&'static str, Space, Bodies)> {
    let mut cases = Vec::new();
    for info in JOINTS {
        for &space in info.spaces {
            cases.push((info.name, space, Bodies::Rigid));
            if space == Space::Planar {
                for bodies in [Bodies::OnTwoBeams, Bodies::OnOneElement, Bodies::Mixed] {
                    cases.push((info.name, space, bodies));
                }
            } else if OF_POINTS.contains(&info.name) {
                cases.push((info.name, space, Bodies::Mixed));
            }
            if (info.name, space) == ("spherical", Space::Spatial) {
                cases.push((info.name, space, Bodies::OnOneElement));
            }
        }
    }
    cases
}

fn driver(name: &str, target: DriverTarget) -> DriverElement {
    let profile = AccelerationProfile::new(vec![0.0, 2.0], vec![0.4, -1.0], 0.3, 0.1).unwrap();
    DriverElement {
        name: name.into(),
        origin: biela_core::element::Origin::default(),
        target,
        motion: Motion::Profile(profile),
    }
}

/// A random state of the system.
fn random_state(system: &dyn System, random: &mut Random) -> State {
    let mut state = State::new(system.sizes());
    state.time = 0.6;
    for x in &mut state.v {
        *x = random.symmetric(1.5);
    }
    for x in &mut state.q {
        *x = random.symmetric(1.0);
    }
    for (k, beam) in system.model().beams.iter().enumerate() {
        // beams are last, and nodes have as many positions as velocities
        let from_end = state.v.len() - system.beam_columns(BeamIndex(k)).start;
        let start = state.q.len() - from_end;
        for (x, written) in state.q[start..].iter_mut().zip(&beam.reference) {
            *x = written + random.symmetric(0.15);
        }
    }
    system.normalize(&mut state.q);
    state
}

/// The state a time `h` later at constant velocity coordinates, by the exact flow in small steps.
fn flow(system: &dyn System, state: &State, h: f64) -> State {
    let mut next = state.clone();
    next.time += h;
    let delta: Vec<f64> = state.v.iter().map(|v| v * h).collect();
    system.retract(&mut next.q, &delta);
    next
}

#[test]
fn velocity_and_acceleration_terms_match_differences_for_every_joint_coupler_and_driver() {
    let mut checked = 0;
    for (name, space, bodies) in cases() {
        let mut random = Random::new(77);
        for _ in 0..20 {
            let system = Absolute::new(model_with(name, space, bodies, &mut random));
            let mut ws = Workspace::new(&system);
            let state = random_state(&system, &mut random);
            let evaluate = |state: &State, ws: &mut Workspace| {
                system.update(
                    state.time,
                    &state.q,
                    &state.v,
                    &state.turns,
                    &mut ws.kinematics,
                );
                system.constraints(ws);
            };
            let h = 1e-5;
            evaluate(&state, &mut ws);
            let (rate, gamma, jacobian) = (ws.rate.clone(), ws.gamma.clone(), ws.jacobian.clone());
            let drift = ws.drift.clone();
            evaluate(&flow(&system, &state, h), &mut ws);
            let (phi_after, rate_after) = (ws.phi.clone(), ws.rate.clone());
            evaluate(&flow(&system, &state, -h), &mut ws);
            for (i, label) in system.rows().iter().enumerate() {
                let what = format!("{name} {space:?} {bodies:?} row {i} {label:?}");
                // near a jump of a counted angle differences say nothing
                if (phi_after[i] - ws.phi[i]).abs() > 1.0 {
                    continue;
                }
                let scale = 1.0 + rate[i].abs() + gamma[i].abs();
                let g_v = system.jacobian_pattern().row_times(i, &jacobian, &state.v);
                assert!(
                    (g_v + drift[i] - rate[i]).abs() < 1e-12 * scale,
                    "{what}: G v"
                );
                if !label.nonholonomic {
                    let difference = (phi_after[i] - ws.phi[i]) / (2.0 * h);
                    assert!(
                        (difference - rate[i]).abs() < 1e-7 * scale,
                        "{what}: {difference} {}",
                        rate[i]
                    );
                }
                // v̇ = 0, so the rate changes by −γ
                let difference = (rate_after[i] - ws.rate[i]) / (2.0 * h);
                assert!(
                    (difference + gamma[i]).abs() < 1e-6 * scale,
                    "{what}: {difference} {}",
                    -gamma[i]
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 2000);
}

#[test]
fn an_off_centroid_frame_needs_the_quadratic_velocity_term() {
    // M = [m I, T_θ s; ., J], Q_v = θ̇² T s in the frame's own coordinates gives the motion of the free body
    let (m, c, inertia) = (1.7, [0.3, -0.2], 0.25);
    let (theta, omega) = (0.7_f64, 2.3);
    let j_origin = inertia + m * (c[0] * c[0] + c[1] * c[1]);
    let (s, co) = theta.sin_cos();
    let t_theta_s = [m * (-s * c[0] - co * c[1]), m * (co * c[0] - s * c[1])];
    let t_s = [m * (co * c[0] - s * c[1]), m * (s * c[0] + co * c[1])];
    let (force, torque) = ([1.0, 2.0], 0.4);
    let mass = nalgebra::Matrix3::new(
        m,
        0.0,
        t_theta_s[0],
        0.0,
        m,
        t_theta_s[1],
        t_theta_s[0],
        t_theta_s[1],
        j_origin,
    );
    let right = nalgebra::Vector3::new(
        force[0] + omega * omega * t_s[0],
        force[1] + omega * omega * t_s[1],
        torque,
    );
    let frame = mass.lu().solve(&right).unwrap();
    // the same from the mass centre: force at the frame's origin
    let arm = [-t_s[0] / m, -t_s[1] / m];
    let alpha = (torque + arm[0] * force[1] - arm[1] * force[0]) / inertia;
    let origin = [
        force[0] / m - alpha * arm[1] - omega * omega * arm[0],
        force[1] / m + alpha * arm[0] - omega * omega * arm[1],
    ];
    assert!((frame[0] - origin[0]).abs() < 1e-12);
    assert!((frame[1] - origin[1]).abs() < 1e-12);
    assert!((frame[2] - alpha).abs() < 1e-12);
}

/// A spring, a bushing and a damper between the two bodies, so that the tangent has forces to show.
fn with_forces(mut model: Model) -> Model {
    let space = model.space;
    let markers = [
        biela_core::model::MarkerIndex(4),
        biela_core::model::MarkerIndex(6),
    ];
    let spring = crate::common::force(
        "spring-damper",
        space,
        &[
            ("between", FieldValue::Markers(markers)),
            ("stiffness", FieldValue::Number(40.0)),
            ("length", FieldValue::Number(0.3)),
            ("damping", FieldValue::Number(3.0)),
        ],
    );
    let _ = model.add_force("spring", spring);
    model
}

#[test]
fn the_tangent_is_the_symmetric_part_of_differences_for_every_joint() {
    for (name, space, bodies) in cases() {
        let mut random = Random::new(78);
        for spin in [0.0, 0.0, 0.0, 2.0, -3.0] {
            let mut model = with_forces(model_with(name, space, bodies, &mut random));
            model.spin = spin;
            let system = Absolute::new(model);
            let mut ws = Workspace::new(&system);
            let mut state = random_state(&system, &mut random);
            if bodies != Bodies::Rigid || spin != 0.0 {
                // how the rate of a station's turn changes with its pose is left out where forces are damped, and how moments of Coriolis do
                state.v.fill(0.0);
            }
            let n = system.sizes().velocities;
            let lambda: Vec<f64> = system
                .rows()
                .iter()
                .map(|_| random.symmetric(2.0))
                .collect();
            // r = Gᵀλ − f
            let residual = |state: &State, ws: &mut Workspace| {
                system.update(
                    state.time,
                    &state.q,
                    &state.v,
                    &state.turns,
                    &mut ws.kinematics,
                );
                system.mass(ws);
                system.forces(ws).unwrap();
                system.constraints(ws);
                let mut r: Vec<f64> = ws.force.iter().map(|f| -f).collect();
                for (i, l) in lambda.iter().enumerate() {
                    system
                        .jacobian_pattern()
                        .add_row(i, &ws.jacobian, *l, &mut r);
                }
                r
            };
            let h = 1e-6;
            let mut stiffness = vec![vec![0.0; n]; n];
            let mut damping = vec![vec![0.0; n]; n];
            for c in 0..n {
                let mut unit = vec![0.0; n];
                let mut side = |sign: f64, velocity: bool| {
                    let mut moved = state.clone();
                    if velocity {
                        moved.v[c] += sign * h;
                    } else {
                        unit[c] = sign * h;
                        system.retract(&mut moved.q, &unit);
                    }
                    residual(&moved, &mut ws)
                };
                let (a, b) = (side(1.0, false), side(-1.0, false));
                let (x, y) = (side(1.0, true), side(-1.0, true));
                for i in 0..n {
                    stiffness[i][c] = (a[i] - b[i]) / (2.0 * h);
                    damping[i][c] = (x[i] - y[i]) / (2.0 * h);
                }
            }
            let _ = residual(&state, &mut ws);
            let entries = &system.tangent_pattern().entries;
            for (k, c, dense) in [(1.0, 0.0, &stiffness), (0.0, 1.0, &damping)] {
                let mut found = vec![0.0; entries.len()];
                let mut mass_only = vec![0.0; entries.len()];
                system.tangent(&mut ws, &lambda, k, c, &mut found);
                system.tangent(&mut ws, &lambda, 0.0, 0.0, &mut mass_only);
                let mut full = vec![vec![0.0; n]; n];
                for (e, &(i, j)) in entries.iter().enumerate() {
                    full[i][j] = found[e] - mass_only[e];
                    full[j][i] = full[i][j];
                }
                for i in 0..n {
                    for j in 0..n {
                        let expected = 0.5 * (dense[i][j] + dense[j][i]);
                        assert!(
                            (full[i][j] - expected).abs() < 2e-5 * (1.0 + expected.abs()),
                            "{name} {space:?} {bodies:?} k={k} c={c} ({i},{j}): {} instead of {expected}",
                            full[i][j]
                        );
                    }
                }
            }
        }
    }
}

/// A beam of three elements with a body whose marker slides along it.
fn sliding(space: Space, driven: bool, random: &mut Random) -> Model {
    let mut model = Model::new("slider", space);
    let section = Section {
        axial: 20.0,
        bending: 0.5,
        mass: 1.3,
        damping: 0.0,
    };
    let (kind, sections) = (element_kind("cable").unwrap(), [section; 3]);
    let points = kind.points();
    let made = match space {
        Space::Planar => {
            let (nodes, length) = straight([0.1, 0.2], [0.9, 0.8], 3).unwrap();
            let shape = (&nodes[..], length);
            Beam::new("beam", kind.plane(), shape, &sections, 0.0, points)
        }
        Space::Spatial => {
            let (nodes, length) = straight([0.1, 0.2, 0.0], [0.9, 0.8, 0.3], 3).unwrap();
            let (shape, kind) = ((&nodes[..], length), kind.space().unwrap());
            Beam::new("beam", kind, shape, &sections, 0.0, points)
        }
    };
    let beam = model.add_beam(made);
    let b = model.add_body(body("b", space, random));
    let pose = pose(space, random);
    let marker = model.add_marker("m", b, pose);
    let joint = model.add_beam_slider("slider", beam, marker, 0.0);
    if driven {
        let target = DriverTarget::Joint(joint, 0);
        model.drivers.push(driver("driver", target));
    }
    model
}

/// A random state whose marker is on the centreline at a place and goes along it.
fn sliding_state(system: &Absolute, place: f64, random: &mut Random) -> State {
    let model = system.model();
    let mut state = State::new(system.sizes());
    for x in state.v.iter_mut().chain(&mut state.q) {
        *x = random.symmetric(1.0);
    }
    let reference = &model.beams[0].reference;
    let first = state.q.len() - reference.len();
    for (x, written) in state.q[first..].iter_mut().zip(reference) {
        *x = written + random.symmetric(0.1);
    }
    system.normalize(&mut state.q);
    state.turns[0] = place;
    let mut k = SystemKinematics::new(model);
    system.update(0.0, &state.q, &state.v, &state.turns, &mut k);
    let here = Station::new(BeamIndex(0), &model.beams[0], place).motion(&k.beams[0]);
    let marker = k.frame(model, model.joints[0].second);
    let velocity = here.v + here.slope * random.symmetric(2.0);
    for axis in 0..model.space.axes() {
        state.q[axis] += here.r[axis] - marker.p[axis];
        state.v[axis] += velocity[axis] - marker.v[axis];
    }
    state
}

#[test]
fn velocity_and_acceleration_terms_of_a_slider_along_a_beam_match_differences() {
    for space in [Space::Planar, Space::Spatial] {
        let mut random = Random::new(79);
        for case in 0..60 {
            let system = Absolute::new(sliding(space, true, &mut random));
            let mut ws = Workspace::new(&system);
            let place = 0.02 + f64::from(case) / 64.0;
            let state = sliding_state(&system, place, &mut random);
            let evaluate = |state: &State, ws: &mut Workspace| {
                let (q, v) = (&state.q, &state.v);
                system.update(state.time, q, v, &state.turns, &mut ws.kinematics);
                system.constraints(ws);
            };
            // curvatures are large, so that higher derivatives are
            let h = 2e-6;
            evaluate(&state, &mut ws);
            let rows = space.axes() - 1;
            for i in 0..rows {
                assert!(ws.phi[i].abs() < 1e-13 && ws.rate[i].abs() < 1e-13);
            }
            let found = ws.kinematics.joints[0].rel.path.place;
            assert!((found - place).abs() < 1e-13, "{found} {place}");
            let (rate, gamma, jacobian) = (ws.rate.clone(), ws.gamma.clone(), ws.jacobian.clone());
            let drift = ws.drift.clone();
            evaluate(&flow(&system, &state, h), &mut ws);
            let (phi_after, rate_after) = (ws.phi.clone(), ws.rate.clone());
            evaluate(&flow(&system, &state, -h), &mut ws);
            for i in 0..=rows {
                let what = format!("{space:?} at {place} row {i}");
                let scale = 1.0 + rate[i].abs() + gamma[i].abs();
                let g_v = system.jacobian_pattern().row_times(i, &jacobian, &state.v);
                assert!((g_v + drift[i] - rate[i]).abs() < 1e-12 * scale, "{what}");
                let difference = (phi_after[i] - ws.phi[i]) / (2.0 * h);
                assert!((difference - rate[i]).abs() < 1e-7 * scale, "{what}: rate");
                let difference = (rate_after[i] - ws.rate[i]) / (2.0 * h);
                assert!(
                    (difference + gamma[i]).abs() < 1e-6 * scale,
                    "{what}: {difference} {}",
                    -gamma[i]
                );
            }
        }
    }
}

#[test]
fn the_tangent_of_a_slider_along_a_beam_is_that_of_differences() {
    let mut random = Random::new(80);
    for case in 0..10 {
        let system = Absolute::new(sliding(Space::Planar, false, &mut random));
        let mut ws = Workspace::new(&system);
        let mut state = sliding_state(&system, 0.05 + 0.1 * f64::from(case), &mut random);
        state.v.fill(0.0);
        let n = system.sizes().velocities;
        // r = Gᵀλ − f
        let residual = |state: &State, ws: &mut Workspace| {
            let (q, v) = (&state.q, &state.v);
            system.update(state.time, q, v, &state.turns, &mut ws.kinematics);
            system.mass(ws);
            system.forces(ws).unwrap();
            system.constraints(ws);
            let mut r: Vec<f64> = ws.force.iter().map(|f| -f).collect();
            let pattern = system.jacobian_pattern();
            pattern.add_row(0, &ws.jacobian, 1.7, &mut r);
            r
        };
        let h = 1e-6;
        let mut columns = Vec::new();
        for c in 0..n {
            let mut side = |by: f64| {
                let mut moved = state.clone();
                moved.q[c] += by;
                residual(&moved, &mut ws)
            };
            let (a, b) = (side(h), side(-h));
            let slope = a.iter().zip(&b).map(|(a, b)| (a - b) / (2.0 * h));
            columns.push(slope.collect::<Vec<f64>>());
        }
        let _ = residual(&state, &mut ws);
        let entries = &system.tangent_pattern().entries;
        let [mut found, mut mass] = [vec![0.0; entries.len()], vec![0.0; entries.len()]];
        system.tangent(&mut ws, &[1.7], 1.0, 0.0, &mut found);
        system.tangent(&mut ws, &[1.7], 0.0, 0.0, &mut mass);
        let mut full = vec![vec![0.0; n]; n];
        for (e, &(i, j)) in entries.iter().enumerate() {
            full[i][j] = found[e] - mass[e];
            full[j][i] = full[i][j];
        }
        for i in 0..n {
            for j in 0..n {
                let expected = columns[j][i];
                assert!(
                    (full[i][j] - expected).abs() < 2e-5 * (1.0 + expected.abs()),
                    "{case} ({i},{j}): {} instead of {expected}",
                    full[i][j]
                );
            }
        }
    }
}

/// A chain with prismatic and revolute joints, one of them reversed, in space also a joint of two coordinates, and forces along its coordinates only.
fn actuated_chain(space: Space, random: &mut Random) -> Model {
    let mut model = Model::new("arm", space);
    model.gravity = Vec3::new(0.7, -9.81, 0.0);
    let mut last = MarkerIndex::GROUND;
    let last_kind = match space {
        Space::Planar => Joint::from(Prismatic),
        Space::Spatial => Joint::from(biela_core::joints::Cylindrical),
    };
    let kinds = [
        Prismatic.into(),
        Revolute.into(),
        Revolute.into(),
        last_kind,
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        let own = model.add_body(body(&format!("b{i}"), space, random));
        let near = model.body_marker(own);
        let ends = if i == 2 { [near, last] } else { [last, near] };
        let joint = model.connect(format!("j{i}"), kind, ends);
        let drive = Law::of_time(move |t| 3.0 * t + i as f64);
        let _ = model.add_force(format!("a{i}"), Actuator::new(joint, drive));
        let _ = model.add_force(format!("d{i}"), JointDamping::new(joint, 0.4));
        let spring = JointSpringDamper::new(joint).stiffness(30.0).rest(0.2);
        let _ = model.add_force(format!("s{i}"), spring);
        last = model.add_marker("far", own, pose(space, random));
    }
    model
}

#[test]
fn accelerations_from_the_motion_of_the_links_are_those_of_the_complete_evaluation() {
    let mut random = Random::new(11);
    for space in [Space::Planar, Space::Spatial] {
        let assembled = assemble(actuated_chain(space, &mut random), Formulation::Tree).unwrap();
        let (system, state) = (assembled.system.as_ref(), &assembled.state);
        for _ in 0..20 {
            let mut q = state.q.clone();
            let step: Vec<f64> = state.v.iter().map(|_| random.symmetric(1.5)).collect();
            system.retract(&mut q, &step);
            let v: Vec<f64> = state.v.iter().map(|_| random.symmetric(2.0)).collect();
            let [whole, links] = [true, false].map(|whole| {
                let mut ws = Workspace::new(system);
                let kinematics = &mut ws.kinematics;
                if whole {
                    system.update(0.7, &q, &v, &state.turns, kinematics);
                } else {
                    system.update_for_accelerations(0.7, &q, &v, &state.turns, kinematics);
                    // the bodies were not placed: the test is about the other evaluation
                    let rest = kinematics.bodies.iter().all(|body| body.r == Vec3::zeros());
                    assert!(rest, "{space:?}");
                }
                let mut rates = vec![0.0; v.len()];
                system.load(&mut ws).unwrap();
                system.accelerate(&mut ws, &mut rates, &mut []);
                (rates, ws.power)
            });
            let pairs = whole
                .0
                .iter()
                .chain(&whole.1)
                .zip(links.0.iter().chain(&links.1));
            for (a, b) in pairs {
                assert!(
                    (a - b).abs() <= 1e-11 * (1.0 + a.abs()),
                    "{space:?}: {a} {b}"
                );
            }
        }
    }
}
