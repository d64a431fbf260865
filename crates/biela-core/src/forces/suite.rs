//! Tests that every force of the list passes, in the plane and in space: loads are balanced, follow from the potential, and have the
//! reported power. Arguments follow from the kinds of the fields, so a new force is tested as soon as it is listed.
#![allow(non_snake_case)]

use std::sync::Arc;

use super::*;
use crate::element::{FieldKind, FieldValue};
use crate::joints::Joint;
use crate::math::rotation::{cross, dot, identity, matrix, turned, zero3};
use crate::math::{Jet, Mat3, Pose, Random, Vec3};
use crate::model::{Body, JointIndex, MarkerIndex, MassProperties, SignalFunction, Space};
use crate::system::SystemKinematics;

const STATES: usize = 200;

/// Two bodies with a marker each, and joints between the markers that measure without constraining: tests prescribe the motion of the bodies.
struct World {
    model: Arc<Model>,
    kinematics: SystemKinematics,
    turns: Vec<f64>,
    a: MarkerIndex,
    b: MarkerIndex,
}

/// The joints of a world.
const FREE: JointIndex = JointIndex(0);
const HINGE: JointIndex = JointIndex(1);
const SLIDER: JointIndex = JointIndex(2);

impl World {
    fn new(space: Space, random: &mut Random) -> Self {
        let mut model = Model::new("two bodies", space);
        let mut marker = |name: &str| {
            let center = point(space, random, 0.3);
            let mass = match space {
                Space::Planar => MassProperties::planar(1.3, [center[0], center[1]], 0.2),
                Space::Spatial => {
                    let inertia = Mat3::from_diagonal(&Vec3::new(0.1, 0.12, 0.15));
                    MassProperties::new(1.3, center, inertia)
                }
            };
            let body = model.add_body(Body::new(name, mass.unwrap()));
            let turn = exponential(&rotation(space, random, 0.2));
            model.add_marker("p", body, Pose::new(turn, point(space, random, 0.5)))
        };
        let (a, b) = (marker("a"), marker("b"));
        for name in ["free", "revolute", "prismatic"] {
            let joint = Joint::build(name, &Arguments::new(space)).unwrap();
            let _ = model.add_joint(name, joint.unwrap(), [a, b], &identity());
        }
        let mut world = World {
            kinematics: SystemKinematics::new(&model),
            turns: vec![0.0; 3 * model.joints.len()],
            model: Arc::new(model),
            a,
            b,
        };
        loop {
            for body in &mut world.kinematics.bodies {
                body.r = point(space, random, 1.0);
                // less than half a turn between the bodies
                body.R = exponential(&rotation(space, random, 0.7));
                body.v = point(space, random, 1.0);
                body.w = rotation(space, random, 1.0);
            }
            world.update();
            // where the points coincide, or the dextral angles of the free joint are singular, finite differences are inaccurate
            let rel = &world.kinematics.joints[FREE.0].rel;
            if rel.p.norm() > 0.3 && rel.R[(0, 2)].abs() < 0.9 {
                return world;
            }
        }
    }

    fn update(&mut self) {
        self.kinematics.update_joints(&self.model, &self.turns);
    }

    fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: &self.model,
            kinematics: &self.kinematics,
        }
    }

    fn stopped(mut self) -> Self {
        for body in &mut self.kinematics.bodies {
            (body.v, body.w) = (zero3(), zero3());
        }
        self.update();
        self
    }

    /// The world with each body displaced and rotated.
    fn moved(&self, steps: &[(Vec3<f64>, Vec3<f64>); 2]) -> World {
        let mut kinematics = self.kinematics.clone();
        for (body, (d, turn)) in kinematics.bodies.iter_mut().zip(steps) {
            body.r += d;
            body.R = exponential(turn) * body.R;
        }
        let mut world = World {
            model: self.model.clone(),
            kinematics,
            turns: self.turns.clone(),
            ..*self
        };
        world.update();
        world
    }

    /// Power of all loads.
    fn power(&self, loads: &Loads) -> f64 {
        let bodies = self.kinematics.bodies.iter().enumerate();
        bodies
            .map(|(b, body)| dot(&loads.force[b], &body.v) + dot(&loads.torque[b], &body.w))
            .sum()
    }

    /// Loads and reported power.
    fn loads(&self, force: &dyn Force) -> (Loads, f64) {
        let mut loads = Loads::new(&self.model);
        force.apply(&self.context(), &mut loads);
        let power = loads.take_power();
        (loads, power)
    }
}

/// A vector in the space: in the plane without z.
fn point(space: Space, random: &mut Random, scale: f64) -> Vec3<f64> {
    let mut x = random.vector(scale);
    if space == Space::Planar {
        x[2] = 0.0;
    }
    x
}

/// A rotation vector in the space: in the plane along z.
fn rotation(space: Space, random: &mut Random, scale: f64) -> Vec3<f64> {
    let x = random.vector(scale);
    match space {
        Space::Planar => Vec3::new(0.0, 0.0, x[2]),
        Space::Spatial => x,
    }
}

fn exponential(d: &Vec3<f64>) -> Mat3<f64> {
    matrix(&turned(&[1.0, 0.0, 0.0, 0.0], d))
}

/// First derivative at zero by fourth-order finite differences.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 3e-4;
    (f(-2.0 * h) - 8.0 * f(-h) + 8.0 * f(h) - f(2.0 * h)) / (12.0 * h)
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * (1.0 + expected.abs()),
        "{what}: {found:e} instead of {expected:e}"
    );
}

/// A law that depends on time only.
#[derive(Debug)]
struct Wave;

impl SignalFunction for Wave {
    fn value(&self, time: f64, _: &[f64]) -> f64 {
        3.0 + (2.0 * time).sin()
    }

    fn jet(&self, time: f64) -> Jet {
        let (s, c) = (2.0 * time).sin_cos();
        Jet {
            value: 3.0 + s,
            rate: 2.0 * c,
            curvature: -4.0 * s,
        }
    }
}

fn wave() -> Law {
    Law::Function {
        inputs: Arc::new([]),
        function: Arc::new(Wave),
    }
}

/// A force with its arguments.
struct Case {
    label: String,
    force: Box<dyn Force>,
    /// Acts between the two bodies only.
    internal: bool,
    /// Never adds energy.
    passive: bool,
}

/// Values for every field, by the kind of the field: with `active` laws, or with none.
fn arguments(info: &Info, world: &World, joint: (JointIndex, usize), active: bool) -> Arguments {
    let space = world.model.space;
    let mut arguments = Arguments::new(space);
    for (i, field) in info.fields.iter().enumerate() {
        let x = 2.0 + 0.7 * i as f64;
        let planar_only = field.name.ends_with("_z");
        let spatial_only = field.doc.ends_with("(spatial)") || field.name == "axis";
        if planar_only && space == Space::Spatial || spatial_only && space == Space::Planar {
            continue;
        }
        let value = match (field.name, field.kind) {
            ("mu", _) => FieldValue::Number(0.3),
            ("radius", _) => {
                let element = &world.model.joints[joint.0.0].joint;
                let angular = element.coordinates(space)[joint.1].angular;
                FieldValue::Number(if angular { 0.2 } else { 0.0 })
            }
            // set-valued friction, rigid stops and clutches have their own tests
            ("mu_static" | "breakaway" | "restitution" | "to", _) => continue,
            ("law", FieldKind::Choice(words)) => FieldValue::Word(words[0].to_owned()),
            ("lower", _) => FieldValue::Number(-0.2),
            ("upper", _) => FieldValue::Number(0.25),
            ("length", _) => FieldValue::Number(0.6),
            ("force" | "effort", _) if !active => FieldValue::Law(Law::Constant(0.0)),
            (_, FieldKind::Number { .. } | FieldKind::Positive { .. }) => FieldValue::Number(x),
            (_, FieldKind::Vector { .. }) => FieldValue::Vector(match space {
                Space::Planar => Vec3::new(x, 2.0 * x, 0.0),
                Space::Spatial => Vec3::new(x, 2.0 * x, 3.0 * x),
            }),
            (_, FieldKind::Direction) => FieldValue::Vector(Vec3::new(0.3, -2.0, 0.9)),
            (_, FieldKind::Law { .. }) => FieldValue::Law(wave()),
            (_, FieldKind::LawVector { .. }) => {
                let laws = [wave(), Law::Constant(-1.5), Law::Constant(0.8)];
                FieldValue::Laws(laws[..space.axes()].to_vec())
            }
            (_, FieldKind::Choice(words)) => {
                let word = words[usize::from(active) % words.len()];
                FieldValue::Word(word.to_owned())
            }
            ("reaction_on", FieldKind::Marker) => FieldValue::Marker(world.a),
            (_, FieldKind::Marker) => FieldValue::Marker(world.b),
            (_, FieldKind::MarkerPair) => FieldValue::Markers([world.a, world.b]),
            (_, FieldKind::JointCoordinate) => FieldValue::Coordinate(joint.0, joint.1),
            (name, kind) => panic!("no value to try for {name}, {kind:?}"),
        };
        arguments.set(field.name, value);
    }
    arguments
}

/// Whether a force acts on bodies and joints; forces on beams have their own tests.
fn acts_on_bodies(info: &Info) -> bool {
    let mut kinds = info.fields.iter().map(|field| field.kind);
    !kinds.any(|kind| kind == FieldKind::Beam)
}

/// Every force of the list, along every kind of coordinate where it acts along one.
fn cases(world: &World) -> Vec<Case> {
    let mut all = Vec::new();
    let free = match world.model.space {
        Space::Planar => 3,
        Space::Spatial => 6,
    };
    for info in FORCES.iter().filter(|info| acts_on_bodies(info)) {
        assert!(info.spaces.contains(&world.model.space));
        let along = info
            .fields
            .iter()
            .any(|f| f.kind == FieldKind::JointCoordinate);
        let mut joints = vec![(HINGE, 0)];
        if along {
            joints.push((SLIDER, 0));
            joints.extend((0..free).map(|k| (FREE, k)));
        }
        for joint in joints {
            for active in [false, true] {
                let arguments = arguments(info, world, joint, active);
                let force = build(info.name, &arguments).unwrap().unwrap();
                let driven = ["force", "torque", "actuator"].contains(&info.name);
                // a force on a single body has its reaction outside the model
                let internal = force.bodies(&world.model).len() > 1;
                all.push(Case {
                    label: format!("{} {:?} {joint:?} {active}", info.name, world.model.space),
                    force,
                    internal,
                    passive: !driven && !active,
                });
            }
        }
    }
    all
}

/// Runs a check over seeded states of both spaces and every force.
fn in_every_state(seed: u64, check: impl Fn(&World, &Case)) {
    let mut random = Random::new(seed);
    for space in [Space::Planar, Space::Spatial] {
        for _ in 0..STATES {
            let mut world = World::new(space, &mut random);
            world.kinematics.time = random.symmetric(3.0);
            for case in cases(&world) {
                check(&world, &case);
            }
        }
    }
}

/// Whether a stop is so close that finite differences would straddle its kink.
fn near_a_kink(world: &World, case: &Case) -> bool {
    if !case.label.starts_with("limit") {
        return false;
    }
    let depth = |steps| case.force.measure(1, &world.moved(&steps).context()) > 0.0;
    let h = 5e-3;
    let here = depth([(zero3(), zero3()); 2]);
    (0..2).any(|b| {
        (0..6).any(|i| {
            [-h, h].into_iter().any(|s| {
                let mut steps = [(zero3(), zero3()); 2];
                if i < 3 {
                    steps[b].0[i] = s;
                } else {
                    steps[b].1[i - 3] = s;
                }
                depth(steps) != here
            })
        })
    })
}

/// The largest load, for relative comparison.
fn size(loads: &Loads) -> f64 {
    let all = loads.force.iter().chain(&loads.torque);
    all.map(Vec3::norm).fold(1.0, f64::max)
}

#[test]
fn forces_between_bodies_balance() {
    in_every_state(1, |world, case| {
        if !case.internal {
            return;
        }
        let (loads, _) = world.loads(&*case.force);
        let (mut force, mut moment) = (zero3(), zero3());
        for (b, body) in world.kinematics.bodies.iter().enumerate() {
            force += loads.force[b];
            moment += loads.torque[b] + cross(&body.r, &loads.force[b]);
        }
        let scale = 1e-12 * size(&loads);
        assert!(force.norm() <= scale, "net force of {}", case.label);
        assert!(moment.norm() <= scale, "net moment of {}", case.label);
    });
}

#[test]
fn planar_forces_stay_in_the_plane() {
    in_every_state(2, |world, case| {
        if world.model.space == Space::Planar {
            let (loads, _) = world.loads(&*case.force);
            for b in 0..2 {
                let out = [loads.force[b][2], loads.torque[b][0], loads.torque[b][1]];
                assert_eq!(out, [0.0; 3], "{}", case.label);
            }
        }
    });
}

#[test]
fn loads_at_rest_are_the_negative_gradient_of_the_potential() {
    let mut random = Random::new(3);
    let mut springs = 0;
    for space in [Space::Planar, Space::Spatial] {
        for _ in 0..STATES / 4 {
            let world = World::new(space, &mut random).stopped();
            for case in cases(&world) {
                let potential = case.force.potential(&world.context());
                if !case.passive || potential == 0.0 || near_a_kink(&world, &case) {
                    continue;
                }
                springs += 1;
                let (loads, power) = world.loads(&*case.force);
                assert_eq!(power, 0.0, "{}", case.label);
                let scale = size(&loads);
                for b in 0..2 {
                    for i in 0..3 {
                        let planar = space == Space::Planar;
                        let mut unit = Vec3::zeros();
                        unit[i] = 1.0;
                        for (turning, load) in [(false, loads.force[b]), (true, loads.torque[b])] {
                            if planar && (turning != (i == 2)) {
                                continue;
                            }
                            let energy = |s: f64| {
                                let mut steps = [(zero3(), zero3()); 2];
                                if turning {
                                    steps[b].1 = unit * s;
                                } else {
                                    steps[b].0 = unit * s;
                                }
                                case.force.potential(&world.moved(&steps).context())
                            };
                            let what = format!("{} body {b} axis {i} {turning}", case.label);
                            assert_close(load[i] / scale, -slope(energy) / scale, 1e-7, &what);
                        }
                    }
                }
            }
        }
    }
    assert!(springs > STATES, "{springs}");
}

#[test]
fn the_power_of_all_loads_is_the_reported_power_minus_the_rate_of_the_potential() {
    in_every_state(4, |world, case| {
        let (loads, reported) = world.loads(&*case.force);
        let total = world.power(&loads);
        if near_a_kink(world, case) {
            return;
        }
        let growth = slope(|s| {
            let steps = [0, 1].map(|b: usize| {
                let body = &world.kinematics.bodies[b];
                (body.v * s, body.w * s)
            });
            case.force.potential(&world.moved(&steps).context())
        });
        let scale = size(&loads);
        assert_close(
            total / scale,
            (reported - growth) / scale,
            1e-9,
            &case.label,
        );
        if !case.force.dissipates() {
            assert_eq!(reported, 0.0, "{}", case.label);
        }
    });
}

#[test]
fn only_springs_store_energy_and_every_force_reports_power() {
    let reports = std::cell::RefCell::new(std::collections::BTreeMap::<&str, f64>::new());
    in_every_state(10, |world, case| {
        let (_, power) = world.loads(&*case.force);
        let elastic = case.force.potential(&world.context());
        assert!(elastic >= 0.0, "{}", case.label);
        let kind = info(&*case.force).unwrap().name;
        *reports.borrow_mut().entry(kind).or_default() += power.abs();
        let stores = kind.contains("spring") || ["bushing", "limit"].contains(&kind);
        assert!(stores || elastic == 0.0, "{}", case.label);
    });
    for (kind, power) in reports.into_inner() {
        // a one-way clutch locks where it does not move, and is free where it does
        assert_eq!(power > 0.0, kind != "one-way-clutch", "{kind}");
    }
}

#[test]
fn springs_without_dampers_do_no_dissipative_work() {
    let mut random = Random::new(11);
    let world = World::new(Space::Planar, &mut random);
    let mut undamped = 0;
    for info in FORCES.iter().filter(|info| acts_on_bodies(info)) {
        let mut arguments = arguments(info, &world, (HINGE, 0), false);
        let mut dampers = info.fields.iter().filter(|f| f.name.contains("damping"));
        let is_spring = info.fields.iter().any(|f| f.name.starts_with("stiffness"));
        if !is_spring {
            continue;
        }
        let with = build(info.name, &arguments).unwrap().unwrap();
        assert!(with.dissipates(), "{}", info.name);
        for field in &mut dampers {
            let none = match field.kind {
                FieldKind::Vector { .. } => FieldValue::Vector(Vec3::zeros()),
                FieldKind::Law { .. } => FieldValue::Law(Law::Constant(0.0)),
                _ => FieldValue::Number(0.0),
            };
            arguments.set(field.name, none);
        }
        let without = build(info.name, &arguments).unwrap().unwrap();
        assert!(!without.dissipates(), "{}", info.name);
        undamped += 1;
    }
    assert_eq!(undamped, 4);
}

#[test]
fn measured_loads_scale_in_proportion_and_those_of_a_motor_are_complete() {
    let pushed = std::cell::RefCell::new(std::collections::BTreeSet::new());
    in_every_state(12, |world, case| {
        let kind = info(&*case.force).unwrap().name;
        for (k, measure) in case.force.measures().iter().enumerate() {
            let push = |amount: f64| {
                let mut loads = Loads::new(&world.model);
                let is_load = case.force.push(k, &world.context(), amount, &mut loads);
                (is_load, world.power(&loads))
            };
            let (is_load, power) = push(3.0);
            if !is_load {
                assert_eq!(power, 0.0, "{} {}", case.label, measure.name);
                continue;
            }
            let (_, twice) = push(6.0);
            assert_close(twice, 2.0 * power, 1e-12, &case.label);
            let _ = pushed.borrow_mut().insert((kind, measure.name));
            // the motor's `effort` is its only load
            if kind == "motor" && measure.name == "effort" {
                let (loads, reported) = world.loads(&*case.force);
                let effort = case.force.measure(k, &world.context());
                assert_close(world.power(&loads), reported, 1e-9, &case.label);
                assert_close(power * effort, 3.0 * reported, 1e-9, &case.label);
            }
        }
    });
    let expected = [
        ("actuator", "effort"),
        ("force", "fx"),
        ("force", "fy"),
        ("force", "fz"),
        ("joint-damping", "effort"),
        ("joint-friction", "effort"),
        ("joint-spring-damper", "effort"),
        ("motor", "effort"),
        ("motor", "torque"),
        ("spring-damper", "tension"),
        ("torque", "torque"),
    ];
    assert_eq!(
        pushed.into_inner().into_iter().collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn dampers_stops_and_friction_never_add_energy() {
    in_every_state(5, |world, case| {
        if case.passive {
            let (_, power) = world.loads(&*case.force);
            assert!(power <= 0.0, "{}: {power}", case.label);
        }
    });
}

#[test]
fn measures_independent_of_the_laws_stay_when_the_laws_change() {
    let mut random = Random::new(9);
    let mut untouched = 0;
    for space in [Space::Planar, Space::Spatial] {
        let mut world = World::new(space, &mut random);
        for case in cases(&world) {
            for k in 0..case.force.measures().len() {
                let mut at = |time: f64| {
                    world.kinematics.time = time;
                    case.force.measure(k, &world.context())
                };
                if !case.force.measure_follows_laws(k) {
                    untouched += 1;
                    // friction is unknown before the reactions
                    assert_eq!(at(0.0).to_bits(), at(0.7).to_bits(), "{}", case.label);
                }
            }
        }
    }
    assert!(untouched > 0);
}

#[test]
fn every_law_and_measure_is_listed_and_everything_is_described() {
    let mut random = Random::new(6);
    for space in [Space::Planar, Space::Spatial] {
        let world = World::new(space, &mut random);
        for info in FORCES.iter().filter(|info| acts_on_bodies(info)) {
            let count = info.fields.iter().map(|field| match field.kind {
                FieldKind::Law { .. } => 1,
                FieldKind::LawVector { .. } => space.axes(),
                _ => 0,
            });
            let arguments = arguments(info, &world, (HINGE, 0), true);
            let force = build(info.name, &arguments).unwrap().unwrap();
            assert_eq!(force.laws().len(), count.sum::<usize>(), "{}", info.name);
            assert_eq!(force.check(&world.model), Ok(()), "{}", info.name);
            assert!(!force.advice().is_empty() && !info.summary.is_empty());
            assert!(info.fields.iter().all(|f| !f.doc.is_empty()));
            let mut names: Vec<&str> = force.measures().iter().map(|m| m.name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "measures of {}", info.name);
            for (k, measure) in force.measures().iter().enumerate() {
                assert!(!measure.text.is_empty());
                let value = force.measure(k, &world.context());
                let known = measure.stage <= Stage::Velocity;
                assert_eq!(value.is_finite(), known, "{}.{}", info.name, measure.name);
            }
        }
    }
    let mut words: Vec<&str> = Vec::new();
    for info in FORCES {
        words.push(info.name);
        words.extend(info.aliases);
    }
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count, "a word names two forces");
    assert!(build("nonsense", &Arguments::new(Space::Planar)).is_none());
}
