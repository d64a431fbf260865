//! Random trees with every joint of the list, and properties that hold for all of them.

use super::*;
use crate::element::{Arguments, FieldValue, Info};
use crate::joints::JOINTS;
use crate::math::Random;
use crate::model::{Body, MassProperties};

/// A random body with physically consistent mass properties.
pub(crate) fn body(name: String, random: &mut Random) -> Body {
    let points: Vec<Vec3<f64>> = (0..4).map(|_| random.vector(0.4)).collect();
    let center = random.vector(0.3);
    let mut inertia = Mat3::zeros();
    for p in points {
        inertia += (Mat3::identity() * p.dot(&p) - p * p.transpose()) * 0.5;
    }
    let mass = MassProperties::new(random.between(0.5, 3.0), center, inertia).unwrap();
    Body::new(name, mass)
}

/// A joint of a kind with random values of its fields; `None` if the space does not have it.
pub(crate) fn joint_of_kind(info: &Info, space: Space, random: &mut Random) -> Option<Joint> {
    let mut arguments = Arguments::new(space);
    for field in info.fields {
        use crate::element::FieldKind as F;
        let value = match field.kind {
            F::Number { .. } if field.name == "restitution" => continue,
            F::Number { .. } => FieldValue::Number(random.symmetric(0.3)),
            F::Positive { .. } => FieldValue::Number(random.between(0.3, 1.0)),
            F::Words(words) => FieldValue::Words(
                words
                    .iter()
                    .filter(|_| random.below(2) == 0)
                    .map(|w| (*w).to_owned())
                    .collect(),
            ),
            _ => continue,
        };
        arguments = arguments.with(field.name, value);
    }
    if !info.spaces.contains(&space) {
        return None;
    }
    Joint::build(info.name, &arguments)?.ok()
}

/// A random joint that can be a tree joint.
fn joint(space: Space, random: &mut Random) -> Joint {
    loop {
        let info = &JOINTS[random.below(JOINTS.len())];
        if let Some(joint) = joint_of_kind(info, space, random)
            && joint.shape(space).tree.is_some()
        {
            return joint;
        }
    }
}

pub(crate) fn random_pose(space: Space, random: &mut Random) -> Pose {
    match space {
        Space::Spatial => Pose::new(
            crate::math::rotation::matrix(&random.rotation()),
            random.vector(0.5),
        ),
        Space::Planar => {
            let p = random.vector(0.5);
            Pose::new(
                crate::math::rotation::about(2, random.symmetric(3.0)),
                Vec3::new(p[0], p[1], 0.0),
            )
        }
    }
}

/// A random tree of `bodies` bodies; joints have either direction.
pub(crate) fn random_model(space: Space, bodies: usize, random: &mut Random) -> Model {
    let mut model = Model::new("tree", space);
    model.gravity = match space {
        Space::Spatial => random.vector(10.0),
        Space::Planar => Vec3::new(random.symmetric(5.0), -9.8, 0.0),
    };
    for b in 0..bodies {
        let body = body(format!("b{b}"), random);
        let index = model.add_body(body);
        let carrier = if b == 0 || random.below(6) == 0 {
            BodyIndex::GROUND
        } else {
            BodyIndex(random.below(b))
        };
        let near = model.add_marker("near", carrier, random_pose(space, random));
        let far = model.add_marker("far", index, random_pose(space, random));
        let between = if random.below(2) == 0 {
            [near, far]
        } else {
            [far, near]
        };
        let joint = joint(space, random);
        let added = model.add_joint(format!("j{b}"), joint, between, &Mat3::identity());
        if random.below(3) == 0 {
            model.joints[added.0].armature = random.between(0.1, 2.0);
        }
    }
    model
}

/// A random state, away from the coordinate singularities of joints.
pub(crate) fn random_state(tree: &Tree, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let mut q = vec![0.0; tree.positions];
    for link in &tree.links {
        for k in 0..link.shape.scalars {
            q[link.q + k] = random.symmetric(1.0);
        }
        if link.shape.rotation {
            let i = link.q + link.shape.scalars;
            q[i..i + 4].copy_from_slice(&random.rotation());
        }
    }
    let v = (0..tree.velocities)
        .map(|_| random.symmetric(1.0))
        .collect();
    (q, v)
}

pub(crate) fn random_vector(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n).map(|_| random.symmetric(2.0)).collect()
}

/// Runs a check on many random trees of both spaces.
pub(crate) fn on_random_trees(count: usize, check: impl Fn(&Model, &Tree, &mut Random)) {
    for seed in 0..count {
        let mut random = Random::new(1000 + seed as u64);
        let space = if seed % 4 == 0 {
            Space::Planar
        } else {
            Space::Spatial
        };
        let bodies = 1 + random.below(30);
        let model = random_model(space, bodies, &mut random);
        let tree = Tree::spanning(&model);
        check(&model, &tree, &mut random);
    }
}

pub(crate) fn relative(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-12, |m: f64, x| m.max(x.abs()));
    // unlike `f64::max`, this propagates NaN
    let larger = |m: f64, x: f64| if x <= m { m } else { x };
    let apart = a.iter().zip(b).map(|(x, y)| (x - y).abs());
    apart.fold(0.0, larger) / size
}

#[test]
fn forward_dynamics_inverts_inverse_dynamics() {
    on_random_trees(200, |_, tree, random| {
        let mut ws = TreeWorkspace::new(tree);
        let (q, v) = random_state(tree, random);
        let rates = random_vector(tree.velocities, random);
        let loads: Vec<_> = (0..tree.links.len())
            .map(|_| crate::math::spatial::Wrench::new(random.vector(3.0), random.vector(3.0)))
            .collect();
        let mut tau = vec![0.0; tree.velocities];
        rnea(tree, &mut ws, &q, &v, &rates, &loads, &mut tau);
        let mut back = vec![0.0; tree.velocities];
        aba(tree, &mut ws, &q, &v, &tau, &loads, &mut back);
        let error = relative(&back, &rates);
        assert!(error < 1e-11, "{error:e}");
    });
}

#[test]
fn accelerations_of_planar_trees_of_single_coordinates_are_those_of_the_general_recursion() {
    let mut random = Random::new(5);
    for bodies in 1..40 {
        let mut model = random_model(Space::Planar, bodies, &mut random);
        for element in &mut model.joints {
            let kind = ["revolute", "prismatic"][random.below(2)];
            let joint = Joint::build(kind, &Arguments::new(Space::Planar));
            element.joint = joint.unwrap().unwrap();
        }
        let tree = Tree::new(&model).unwrap();
        assert!(has_single_joints(&tree));
        let (q, v) = random_state(&tree, &mut random);
        let tau = random_vector(tree.velocities, &mut random);
        let [mut general, mut single] = [(); 2].map(|()| vec![0.0; tree.velocities]);
        aba(
            &tree,
            &mut TreeWorkspace::new(&tree),
            &q,
            &v,
            &tau,
            &[],
            &mut general,
        );
        let mut ws = TreeWorkspace::new(&tree);
        accelerations_along((&tree, &tree.gravity), &mut ws, (&q, &v), &tau, &mut single);
        assert_eq!(general, single);
    }
}

#[test]
fn hybrid_dynamics_gives_the_unknown_accelerations_and_forces() {
    on_random_trees(100, |_, tree, random| {
        let n = tree.velocities;
        let mut ws = TreeWorkspace::new(tree);
        let (q, v) = random_state(tree, random);
        let rates = random_vector(n, random);
        let mut tau = vec![0.0; n];
        rnea(tree, &mut ws, &q, &v, &rates, &[], &mut tau);
        let held: Vec<bool> = (0..n).map(|_| random.below(3) == 0).collect();
        let given: Vec<f64> = (0..n)
            .map(|k| if held[k] { rates[k] } else { tau[k] })
            .collect();
        let mut back = vec![0.0; n];
        velocities(tree, &mut ws, &q, &v);
        hybrid(tree, &mut ws, &held, &given, &[], &mut back);
        assert!(relative(&back, &rates) < 1e-11);
        let mut forces = vec![0.0; n];
        efforts(tree, &mut ws, &rates, &[], &mut forces);
        assert!(relative(&forces, &tau) < 1e-11);
    });
}

#[test]
fn columns_of_the_mass_matrix_are_the_forces_of_unit_accelerations() {
    on_random_trees(200, |_, tree, random| {
        let n = tree.velocities;
        let mut ws = TreeWorkspace::new(tree);
        let (q, _) = random_state(tree, random);
        let mut mass = vec![0.0; n * n];
        crba(tree, &mut ws, &q, |i, j, m| {
            mass[n * i + j] = m;
            mass[n * j + i] = m;
        });
        let still = vec![0.0; n];
        let mut weight = still.clone();
        let mut column = still.clone();
        rnea(tree, &mut ws, &q, &still, &still, &[], &mut weight);
        for k in 0..n {
            let mut unit = still.clone();
            unit[k] = 1.0;
            rnea(tree, &mut ws, &q, &still, &unit, &[], &mut column);
            for i in 0..n {
                column[i] -= weight[i];
            }
            let error = relative(&mass[n * k..n * k + n], &column);
            assert!(error < 1e-12, "{error:e}");
        }
    });
}

#[test]
fn a_factored_mass_matrix_solves_what_it_multiplies() {
    on_random_trees(60, |_, tree, random| {
        let n = tree.velocities;
        let mut ws = TreeWorkspace::new(tree);
        let (q, _) = random_state(tree, random);
        let x = random_vector(n, random);
        let mut f = vec![0.0; n];
        crba(tree, &mut ws, &q, |i, j, m| {
            f[i] += m * x[j];
            if i != j {
                f[j] += m * x[i];
            }
        });
        articulate(tree, &mut ws);
        let mut back = vec![0.0; n];
        solve(tree, &mut ws, &f, &mut back);
        assert!(relative(&back, &x) < 1e-11);
    });
}

#[test]
fn a_step_and_a_difference_are_inverse() {
    on_random_trees(60, |_, tree, random| {
        let (q, _) = random_state(tree, random);
        // beyond half a turn another step is shorter
        let step = random_vector(tree.velocities, random).into_iter();
        let step: Vec<f64> = step.map(|x| 0.85 * x).collect();
        let mut moved = q.clone();
        retract(tree, &mut moved, &step);
        let mut back = step.clone();
        difference(tree, &moved, &q, &mut back);
        assert!(relative(&back, &step) < 1e-12);
        // velocities agree with the direction of small steps
        let mut rates = q.clone();
        position_rates(tree, &q, &step, &mut rates);
        let h = 1e-6;
        let small: Vec<f64> = step.iter().map(|x| x * h).collect();
        let mut near = q.clone();
        retract(tree, &mut near, &small);
        for i in 0..q.len() {
            assert!(((near[i] - q[i]) / h - rates[i]).abs() < 1e-5);
        }
    });
}

#[test]
fn velocities_and_accelerations_are_derivatives_of_poses() {
    use crate::math::Jet;
    on_random_trees(100, |model, tree, random| {
        let (q, v) = random_state(tree, random);
        let rates = random_vector(tree.velocities, random);
        let mut ws = TreeWorkspace::new(tree);
        velocities(tree, &mut ws, &q, &v);
        accelerations(tree, &mut ws, &rates, &Vec3::zeros());
        // the same motion along a curve q(t) with q̇ = N v and v̇ given
        let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
        let curve = curve(tree, &q, &v, &rates);
        let mut jets = TreeWorkspace::new(&lifted);
        positions(&lifted, &mut jets, &curve);
        for (state, jet) in ws.links.iter().zip(&jets.links) {
            for i in 0..3 {
                assert!((state.velocity.v[i] - jet.o[i].rate).abs() < 1e-9);
                assert!((state.acceleration.v[i] - jet.o[i].curvature).abs() < 1e-8);
            }
            let turning = crate::math::rotation::skew(&state.velocity.w) * state.R;
            for i in 0..9 {
                assert!((turning[i] - jet.R[i].rate).abs() < 1e-9);
            }
        }
    });
}

/// Position coordinates along a motion with velocities `v` and accelerations `rates`.
pub(crate) fn curve(tree: &Tree, q: &[f64], v: &[f64], rates: &[f64]) -> Vec<crate::math::Jet> {
    use crate::math::rotation::rates_from_base;
    let mut out: Vec<_> = q.iter().map(|x| crate::math::Jet::constant(*x)).collect();
    for link in &tree.links {
        for k in 0..link.shape.scalars {
            let jet = &mut out[link.q + k];
            (jet.rate, jet.curvature) = (v[link.v + k], rates[link.v + k]);
        }
        if link.shape.rotation {
            let (i, k) = (link.q + link.shape.scalars, link.v + link.shape.scalars);
            let e = [q[i], q[i + 1], q[i + 2], q[i + 3]];
            let w = Vec3::new(v[k], v[k + 1], v[k + 2]);
            let turning = Vec3::new(rates[k], rates[k + 1], rates[k + 2]);
            let first = rates_from_base(&e, &w);
            let (a, b) = (rates_from_base(&first, &w), rates_from_base(&e, &turning));
            for n in 0..4 {
                (out[i + n].rate, out[i + n].curvature) = (first[n], a[n] + b[n]);
            }
        }
    }
    out
}
