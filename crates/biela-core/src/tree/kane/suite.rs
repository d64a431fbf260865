//! Comparison of Kane's equations with the recursions and with absolute coordinates, on random trees and random loops.

use super::*;
use crate::element::{Arguments, FieldValue};
use crate::joints::{JOINTS, Joint};
use crate::math::rotation::matrix;
use crate::math::{Jet, Pose, Random};
use crate::model::{
    AccelerationProfile, BodyIndex, CouplerElement, DriverElement, DriverTarget, JointIndex, Model,
    Motion, Space,
};
use crate::tree::beside::{absolute, accelerations_of_bodies, locate, motions, solve_absolute};
use crate::tree::suite::*;
use crate::tree::{
    Numbers, TreeWorkspace, aba, accelerations, crba, rnea, transmitted, velocities,
};

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |m: f64, x| m.max(x.abs()))
}

fn close(found: &[f64], expected: &[f64], limit: f64, what: &str) {
    assert_eq!(found.len(), expected.len());
    let scale = largest(expected);
    for (a, b) in found.iter().zip(expected) {
        let error = (a - b).abs() / scale;
        assert!(error < limit, "{what}: {a} is not {b}, {error:e}");
    }
}

fn random_loads(tree: &Tree, random: &mut Random) -> Vec<Wrench> {
    let load = |_| Wrench::new(random.vector(3.0), random.vector(3.0));
    (0..tree.links.len()).map(load).collect()
}

/// Returns the angular acceleration of each body and the acceleration of its origin, one after another.
pub(super) fn accelerations_of_links(kane: &Kane, rates: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    for (k, at) in kane.placed.iter().enumerate() {
        let (mut alpha, mut a) = (at.alpha, at.a);
        for (l, rate) in rates.iter().enumerate() {
            alpha += kane.partial(k, l).w * *rate;
            a += kane.partial(k, l).o * *rate;
        }
        out.extend(alpha.iter().chain(a.iter()));
    }
    out
}

#[test]
fn kanes_equations_in_joint_velocities_are_those_of_the_recursive_algorithms() {
    on_random_trees(200, |_, tree, random| {
        let n = tree.velocities;
        let (q, v) = random_state(tree, random);
        let loads = random_loads(tree, random);
        let efforts = random_vector(n, random);
        let mut kane = Kane::new(tree, Speeds::JointRates);
        kane.update(tree, &q, &v);
        let equations = kane.equations(tree, &loads, &efforts);

        let mut ws = TreeWorkspace::new(tree);
        let mut mass = vec![0.0; n * n];
        crba(tree, &mut ws, &q, |i, j, m| {
            mass[n * i + j] = m;
            mass[n * j + i] = m;
        });
        close(&equations.A, &mass, 1e-11, "A");
        let still = vec![0.0; n];
        let mut bias = still.clone();
        rnea(tree, &mut ws, &q, &v, &still, &loads, &mut bias);
        let force: Vec<f64> = bias.iter().zip(&efforts).map(|(b, e)| e - b).collect();
        close(&equations.f, &force, 1e-11, "f");
    });
}

#[test]
fn eliminating_the_locked_directions_gives_the_accelerations_and_reactions_of_the_recursive_algorithms()
 {
    on_random_trees(200, |model, tree, random| {
        let n = tree.velocities;
        let (q, v) = random_state(tree, random);
        let loads = random_loads(tree, random);
        let mut kane = Kane::new(tree, Speeds::Relative);
        kane.update(tree, &q, &v);
        let equations = kane.equations(tree, &loads, &[]);
        let constraints = kane.constraints(tree, model, &Numbers::of(model), 0.0);
        for i in 0..constraints.rows() {
            let rate: f64 = inner(constraints.row(i), kane.speeds());
            assert!(rate.abs() < 1e-12, "the motion keeps what joints lock");
        }
        let elimination = Elimination::new(&constraints).unwrap();
        assert_eq!(elimination.freedom(), n);
        let motion = elimination.solve(&equations, &constraints).unwrap();

        let mut ws = TreeWorkspace::new(tree);
        let tau = vec![0.0; n];
        let (mut rates, mut none) = (tau.clone(), tau.clone());
        aba(tree, &mut ws, &q, &v, &tau, &loads, &mut rates);
        velocities(tree, &mut ws, &q, &v);
        accelerations(tree, &mut ws, &rates, &Vec3::zeros());
        let mut expected = Vec::new();
        for state in &ws.links {
            let a = &state.acceleration;
            expected.extend(a.w.iter().chain(a.v.iter()));
        }
        let found = accelerations_of_links(&kane, &motion.rates);
        close(&found, &expected, 1e-11, "acceleration");

        rnea(tree, &mut ws, &q, &v, &rates, &loads, &mut none);
        let found = reactions(&equations, &constraints, &motion);
        for (i, link) in tree.links.iter().enumerate() {
            let R = link.parent.map_or_else(identity, |p| ws.links[p].R);
            let carried = &transmitted(&ws)[i];
            let scale = 1.0 + carried.f.norm() + carried.n.norm();
            let (n, f) = (R * found[i].n - carried.n, R * found[i].f - carried.f);
            if tree.armature[link.v] == 0.0 {
                assert!(f.norm() < 1e-10 * scale);
                assert!(n.norm() < 1e-10 * scale);
            }
            // the speeds of a body also move the armature of its joint
            for l in link.velocities() {
                let (w, v) = (R * kane.directions[l].w, R * kane.directions[l].v);
                let behind = tree.armature[l] * rates[l];
                assert!((w.dot(&n) + v.dot(&f) - behind).abs() < 1e-10 * scale);
            }
        }
    });
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn time_derivatives_of_partial_velocities_match_differences() {
    on_random_trees(60, |model, tree, random| {
        let (q, v) = random_state(tree, random);
        let rates = random_vector(tree.velocities, random);
        let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
        let along = curve(tree, &q, &v, &rates);
        let moving: Vec<Jet> = v
            .iter()
            .zip(&rates)
            .map(|(v, a)| Jet::new(*v, *a, 0.0))
            .collect();
        for speeds in [Speeds::JointRates, Speeds::Relative] {
            let mut kane = Kane::new(tree, speeds);
            kane.update(tree, &q, &v);
            let mut jets = Kane::new(&lifted, speeds);
            jets.update(&lifted, &along, &moving);
            for k in 0..tree.links.len() {
                for l in 0..kane.speeds().len() {
                    let (now, jet) = (kane.partial(k, l), jets.partial(k, l));
                    for i in 0..3 {
                        for (x, value, rate) in [
                            (jet.w[i], now.w[i], now.w_rate[i]),
                            (jet.o[i], now.o[i], now.o_rate[i]),
                            (jet.g[i], now.g[i], now.g_rate[i]),
                        ] {
                            assert!((x.value - value).abs() < 1e-12);
                            assert!((x.rate - rate).abs() < 1e-10, "{} {rate}", x.rate);
                        }
                    }
                }
            }
        }
    });
}

/// The joint that closes the loop of a seed: two seeds per joint, one per space.
fn kind(seed: u64) -> usize {
    seed as usize / 2 % JOINTS.len()
}

/// A random tree with one more joint that is satisfied in a random configuration: a loop, rolling or a knife edge.
fn random_loop(space: Space, seed: u64) -> Option<(Model, Tree, Vec<f64>)> {
    let mut random = Random::new(seed);
    let bodies = 2 + random.below(7);
    let mut model = random_model(space, bodies, &mut random);
    // the armature of a loop-closing joint is not part of the tree
    for joint in &mut model.joints {
        joint.armature = 0.0;
    }
    let open = Tree::spanning(&model);
    let (q, v) = random_state(&open, &mut random);
    let kinematics = motions(&model, &open, &q, &v);
    let info = &JOINTS[kind(seed)];
    let radius = 0.7;
    let mut joint = joint_of_kind(info, space, &mut random)?;

    // the relative pose at which the joint is satisfied
    let relative = if joint.shape(space).tree.is_some() {
        let mut q = random.array::<7>(1.0);
        let shape = joint.shape(space).tree?;
        if shape.rotation {
            q[shape.scalars..shape.scalars + 4].copy_from_slice(&random.rotation());
        }
        joint.pose(space, &q[..shape.positions()])
    } else if info.name == "rolling-disc" {
        let arguments = Arguments::new(space).with("radius", FieldValue::Number(radius));
        joint = Joint::build(info.name, &arguments)?.ok()?;
        let R = matrix(&random.rotation());
        let height = radius * R[(0, 2)].hypot(R[(1, 2)]);
        let p = random.vector(1.0);
        Pose::new(R, Vec3::new(p[0], p[1], height))
    } else {
        random_pose(space, &mut random)
    };
    let (a, b) = (BodyIndex(random.below(bodies)), BodyIndex(bodies - 1));
    let first = if a == b { BodyIndex::GROUND } else { a };
    let near = random_pose(space, &mut random);
    let F = kinematics.frame(&model, (first, near));
    let M = Pose::new(F.R, F.p).then(&relative);
    let B = kinematics.frame(&model, (b, Pose::identity()));
    let far = Pose::new(B.R, B.p).inverse().then(&M);
    let markers = [
        model.add_marker("near", first, near),
        model.add_marker("far", b, far),
    ];
    let _ = model.add_joint("loop", joint, markers, &Mat3::identity());
    let closed = Tree::spanning(&model);
    let mut kinematics = motions(&model, &open, &q, &v);
    kinematics.update_joints(&model, &vec![0.0; 3 * model.joints.len()]);
    let q = locate(&model, &closed, &kinematics);
    Some((model, closed, q))
}

/// Returns the accelerations of the links under all rows of a model.
fn kane_accelerations(
    model: &Model,
    tree: &Tree,
    speeds: Speeds,
    q: &[f64],
    v: &[f64],
) -> Vec<f64> {
    let mut kane = Kane::new(tree, speeds);
    kane.update(tree, q, v);
    let constraints = kane.constraints(tree, model, &Numbers::of(model), 0.0);
    let elimination = Elimination::new(&constraints).unwrap();
    let equations = kane.equations(tree, &[], &[]);
    let motion = elimination.solve(&equations, &constraints).unwrap();
    accelerations_of_links(&kane, &motion.rates)
}

/// Compares the angular accelerations of the bodies with those of absolute coordinates.
fn compare_turning(model: Model, tree: &Tree, q: &[f64], v: &[f64], found: &[f64]) {
    let (system, mut ws) = absolute(model, tree, q, v);
    let solution = solve_absolute(&system, &mut ws);
    let all = accelerations_of_bodies(&system, &ws, &solution);
    let (mut turning, mut expected) = (Vec::new(), Vec::new());
    for (place, (_, alpha)) in tree.places.iter().zip(&all) {
        if let Some(i) = place.link {
            turning.extend_from_slice(&found[6 * i..6 * i + 3]);
            expected.extend(alpha.iter());
        }
    }
    close(&turning, &expected, 1e-10, "angular acceleration");
}

#[test]
fn loops_and_rolling_move_as_in_absolute_coordinates() {
    let mut tried = [0; JOINTS.len()];
    for seed in 0..12 * JOINTS.len() as u64 {
        let space = [Space::Spatial, Space::Planar][seed as usize % 2];
        let Some((model, tree, q)) = random_loop(space, seed) else {
            continue;
        };
        let numbers = Numbers::of(&model);
        let mut random = Random::new(1000 + seed);
        let mut v = random_vector(tree.velocities, &mut random);
        let mut rates = Kane::new(&tree, Speeds::JointRates);
        rates.update(&tree, &q, &v);
        let constraints = rates.constraints(&tree, &model, &numbers, 0.0);
        let elimination = Elimination::new(&constraints).unwrap();
        elimination.satisfy(&constraints.g, &mut v);

        let [by_rates, found] = [Speeds::JointRates, Speeds::Relative]
            .map(|speeds| kane_accelerations(&model, &tree, speeds, &q, &v));
        close(&found, &by_rates, 1e-10, "speeds");
        compare_turning(model, &tree, &q, &v, &found);
        tried[kind(seed)] += 1;
    }
    assert!(tried.iter().all(|count| *count >= 5), "{tried:?}");
}

/// A random tree with two joints geared together, another one driven and a point of the last body guided along an axis.
fn random_drives(space: Space, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let mut model = random_model(space, 6, &mut random);
    let measured: Vec<(JointIndex, usize)> = (0..model.joints.len())
        .flat_map(|j| {
            let shape = model.joints[j].joint.shape(space).tree;
            let scalars = shape.map_or(0, |tree| tree.scalars);
            (0..scalars).map(move |k| (JointIndex(j), k))
        })
        .collect();
    let origin = crate::element::Origin::default;
    let mut profile = || {
        let [a, v, d] = random.array::<3>(2.0);
        Motion::Profile(AccelerationProfile::new(vec![0.0], vec![a], v, d).unwrap())
    };
    if let [first, second, third, ..] = &measured[..] {
        model.couplers.push(CouplerElement {
            name: "gear".into(),
            origin: origin(),
            kind: "linear",
            terms: vec![(first.0, first.1, 1.0), (second.0, second.1, -0.7)],
            offset: None,
            backlash: None,
        });
        model.drivers.push(DriverElement {
            name: "motor".into(),
            origin: origin(),
            target: DriverTarget::Joint(third.0, third.1),
            motion: profile(),
        });
    }
    let marker = model.add_marker(
        "led",
        BodyIndex(5),
        random_pose(space, &mut Random::new(seed)),
    );
    model.drivers.push(DriverElement {
        name: "lead".into(),
        origin: origin(),
        target: DriverTarget::Point(marker, 1),
        motion: profile(),
    });
    model
}

#[test]
fn gears_and_drivers_are_rows_on_the_speeds() {
    for seed in 0..40 {
        let space = [Space::Spatial, Space::Planar][seed as usize % 2];
        let model = random_drives(space, seed);
        let tree = Tree::spanning(&model);
        let numbers = Numbers::of(&model);
        let mut random = Random::new(1000 + seed);
        let (q, mut v) = random_state(&tree, &mut random);
        let mut kane = Kane::new(&tree, Speeds::JointRates);
        kane.update(&tree, &q, &v);
        let constraints = kane.constraints(&tree, &model, &numbers, 0.0);
        let elimination = Elimination::new(&constraints).unwrap();
        assert_eq!(elimination.rank(), constraints.rows());
        elimination.satisfy(&constraints.g, &mut v);
        for speeds in [Speeds::JointRates, Speeds::Relative] {
            let found = kane_accelerations(&model, &tree, speeds, &q, &v);
            compare_turning(random_drives(space, seed), &tree, &q, &v, &found);
        }
    }
}
