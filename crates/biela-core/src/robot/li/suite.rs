//! Properties of every serial chain, and the closed form against recursion, definition and dual numbers.

use nalgebra::{DMatrix, DVector};

use super::coefficients::{MatrixTrace, outer};
use super::definition::CoefficientDefinition;
use super::*;
use crate::element::Arguments;
use crate::joints::Joint;
use crate::math::rotation::skew;
use crate::math::{Jet, Mat3, Random, Vec3};
use crate::model::{BodyIndex, Model, Space};
use crate::tree::suite::{body, random_pose, relative};
use crate::tree::{
    DynamicsDerivatives, Numbers, Tree, TreeWorkspace, gravity_energy, kinetic_energy, rnea,
    rnea_derivatives,
};

fn joint(kind: &str, space: Space) -> Joint {
    Joint::build(kind, &Arguments::new(space)).unwrap().unwrap()
}

/// A random chain of `joints` links; joint axes have both directions, and some links have a body welded to them.
fn random_chain(space: Space, joints: usize, random: &mut Random) -> Model {
    let mut model = Model::new("chain", space);
    model.gravity = match space {
        Space::Spatial => random.vector(10.0),
        Space::Planar => Vec3::new(random.symmetric(5.0), -9.8, 0.0),
    };
    let mut carrier = BodyIndex::GROUND;
    let mut hang = |model: &mut Model, kind: &str, name: String, random: &mut Random| {
        let index = model.add_body(body(name.clone(), random));
        let near = model.add_marker("near", carrier, random_pose(space, random));
        let far = model.add_marker("far", index, random_pose(space, random));
        let mut between = [near, far];
        if random.below(2) == 0 {
            between.reverse();
        }
        let added = model.add_joint(name, joint(kind, space), between, &Mat3::identity());
        if kind != "weld" && random.below(3) == 0 {
            model.joints[added.0].armature = random.between(0.1, 2.0);
        }
        carrier = index;
    };
    for i in 0..joints {
        let kind = ["revolute", "revolute", "prismatic"][random.below(3)];
        hang(&mut model, kind, format!("j{i}"), random);
        if random.below(4) == 0 {
            hang(&mut model, "weld", format!("w{i}"), random);
        }
    }
    model
}

/// A chain, its recursive formulation and a state.
struct Case {
    model: Model,
    tree: Tree,
    chain: Chain,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl Case {
    fn li(&self, frames: Frames) -> Li {
        Li::new(self.chain.clone(), frames)
    }

    /// The closed form on dual numbers, at the configuration with velocities `rates`.
    fn along(&self, rates: &[f64]) -> Li<Jet> {
        let chain = Chain::with(&self.model, &Numbers::of(&self.model)).unwrap();
        let mut li = Li::new(chain, Frames::Base);
        let q: Vec<Jet> = (0..rates.len())
            .map(|i| {
                let mut q = Jet::constant(self.q[i]);
                q.rate = rates[i];
                q
            })
            .collect();
        let _ = li.place(&q);
        li
    }
}

/// Runs a check on 100 random chains of one to eight joints.
fn on_random_chains(check: impl Fn(&Case, &mut Random)) {
    for seed in 0..100 {
        let mut random = Random::new(500 + seed);
        let space = if seed % 5 == 0 {
            Space::Planar
        } else {
            Space::Spatial
        };
        let n = 1 + seed as usize % 8;
        let model = random_chain(space, n, &mut random);
        let mut vector = || (0..n).map(|_| random.symmetric(2.0)).collect();
        let (q, v, a) = (vector(), vector(), vector());
        let case = Case {
            tree: Tree::spanning(&model),
            chain: Chain::new(&model).unwrap(),
            model,
            q,
            v,
            a,
        };
        check(&case, &mut random);
    }
}

fn unit(n: usize, j: usize) -> Vec<f64> {
    (0..n).map(|i| if i == j { 1.0 } else { 0.0 }).collect()
}

#[test]
fn both_versions_and_the_recursive_algorithm_give_the_same_forces() {
    on_random_chains(|case, _| {
        let n = case.q.len();
        let mut forces = vec![0.0; n];
        let mut ws = TreeWorkspace::new(&case.tree);
        let (tree, q, v, a) = (&case.tree, &case.q, &case.v, &case.a);
        rnea(tree, &mut ws, q, v, a, &[], &mut forces);
        for frames in [Frames::Base, Frames::Links] {
            let mut out = Efforts::default();
            case.li(frames).efforts([q, v, a], &mut out);
            let error = relative(&out.total, &forces);
            assert!(error < 1e-12, "{frames:?}: {error:e}");
        }
    });
}

#[test]
fn coefficients_are_those_of_the_definition() {
    on_random_chains(|case, _| {
        let n = case.q.len();
        let definition = CoefficientDefinition::new(&case.chain, &case.q);
        for frames in [Frames::Base, Frames::Links] {
            let mut li = case.li(frames);
            let found = li.place(&case.q);
            let scale = (0..n).map(|i| found.inertia(i, i)).fold(1.0, f64::max);
            let same = |x: f64, y: f64| assert!((x - y).abs() < 1e-12 * 20.0 * scale, "{x} {y}");
            for i in 0..n {
                same(found.gravity(i), definition.gravity(i));
                for j in 0..n {
                    same(found.inertia(i, j), definition.inertia(i, j));
                    for k in 0..n {
                        same(found.velocity(i, j, k), definition.velocity(i, j, k));
                    }
                }
            }
        }
    });
}

#[test]
fn the_linear_model_is_that_of_the_recursive_algorithm() {
    on_random_chains(|case, _| {
        let n = case.q.len();
        let mut ws = TreeWorkspace::new(&case.tree);
        let mut expected = DynamicsDerivatives::new(&case.tree);
        let (tree, q, v, a) = (&case.tree, &case.q, &case.v, &case.a);
        rnea_derivatives(tree, &mut ws, q, v, a, &mut expected);
        for frames in [Frames::Base, Frames::Links] {
            let mut li = case.li(frames);
            let _ = li.place(q);
            let mut linear = LinearChainModel::new(n);
            li.linearize(v, a, &mut linear);
            let by_columns = |rows: &[f64], factor: f64| -> Vec<f64> {
                (0..n * n)
                    .map(|at| factor * rows[n * (at % n) + at / n])
                    .collect()
            };
            for (found, expected) in [
                (by_columns(&linear.C, 1.0), &expected.by_q),
                (by_columns(&linear.B, 2.0), &expected.by_v),
            ] {
                let size = expected.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                for (x, y) in found.iter().zip(expected) {
                    assert!((x - y).abs() < 1e-10 * size, "{frames:?}: {x} {y}");
                }
            }
        }
    });
}

#[test]
fn the_terms_of_the_linear_model_are_derivatives_of_the_terms_of_the_forces() {
    on_random_chains(|case, _| {
        let n = case.q.len();
        let mut li = case.li(Frames::Links);
        let _ = li.place(&case.q);
        let mut linear = LinearChainModel::new(n);
        li.linearize(&case.v, &case.a, &mut linear);
        let lift = |x: &[f64]| x.iter().map(|x| Jet::constant(*x)).collect::<Vec<_>>();
        let (v, a) = (lift(&case.v), lift(&case.a));
        let mut out = lift(&vec![0.0; n]);
        let size = 1e-12 * 1e3;
        for j in 0..n {
            let moved = case.along(&unit(n, j));
            let found = moved.coefficients();
            found.inertial(&a, &mut out);
            for i in 0..n {
                let (x, y) = (linear.inertial[n * i + j], out[i].rate);
                assert!((x - y).abs() < size, "accelerations {i} {j}: {x} {y}");
                let (x, y) = (linear.gravity[n * i + j], found.gravity(i).rate);
                assert!((x - y).abs() < size, "gravity {i} {j}: {x} {y}");
            }
            found.centripetal(&v, &mut out);
            for i in 0..n {
                let (x, y) = (linear.centripetal[n * i + j], out[i].rate);
                assert!((x - y).abs() < size, "velocities {i} {j}: {x} {y}");
            }
        }
    });
}

#[test]
fn coefficients_of_fourth_order_are_derivatives_of_those_of_third() {
    on_random_chains(|case, _| {
        let n = case.q.len().min(5);
        let definition = CoefficientDefinition::new(&case.chain, &case.q);
        let mut li = case.li(Frames::Base);
        let _ = li.place(&case.q);
        let mut linear = LinearChainModel::new(case.q.len());
        li.linearize(&case.v, &case.a, &mut linear);
        let D = |at: [usize; 4]| li.fourth(&linear, at);
        for s in 0..n {
            for k in 0..=s {
                for i in 0..s {
                    for j in 0..n {
                        let slope = if i > j && j <= k {
                            0.0
                        } else if i > j {
                            D([j, i, k, s]) - D([k, i, j, s])
                        } else if s <= j {
                            D([k, s, i, j]) - D([k, i, s, j])
                        } else if k < j {
                            D([i, j, k, s]) - D([k, i, j, s])
                        } else {
                            D([i, j, k, s]) - D([j, i, k, s])
                        };
                        let expected = definition.velocity_slope([i, k, s, j]);
                        let apart = (slope - expected).abs();
                        assert!(apart < 1e-9, "{i}{k}{s} by {j}: {slope} {expected}");
                    }
                }
            }
        }
    });
}

#[test]
fn velocity_coefficients_are_christoffel_symbols_of_the_mass_matrix() {
    on_random_chains(|case, _| {
        let n = case.q.len();
        let slopes: Vec<_> = (0..n).map(|j| case.along(&unit(n, j))).collect();
        let slope = |i: usize, k: usize, j: usize| slopes[j].coefficients().inertia(i, k).rate;
        let mut li = case.li(Frames::Links);
        let D = li.place(&case.q);
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    let expected = 0.5 * (slope(i, k, j) + slope(i, j, k) - slope(j, k, i));
                    assert!((D.velocity(i, j, k) - expected).abs() < 1e-10);
                    let sum = D.velocity(i, j, k) + D.velocity(k, j, i);
                    assert!((sum - slope(i, k, j)).abs() < 1e-10);
                    if j <= i.min(k) {
                        assert!(slope(i, k, j).abs() < 1e-10);
                    }
                }
            }
        }
    });
}

#[test]
fn the_mass_matrix_is_positive_definite_and_its_derivative_minus_twice_the_coriolis_matrix_is_skew()
{
    on_random_chains(|case, _| {
        let n = case.q.len();
        let mut li = case.li(Frames::Base);
        let _ = li.place(&case.q);
        let mut linear = LinearChainModel::new(n);
        li.linearize(&case.v, &case.a, &mut linear);
        let mass = DMatrix::from_row_slice(n, n, &linear.A);
        assert!(mass.clone().cholesky().is_some());
        let moving = case.along(&case.v);
        for i in 0..n {
            for j in 0..n {
                let entry = |i: usize, j: usize| {
                    moving.coefficients().inertia(i, j).rate - 2.0 * linear.B[n * i + j]
                };
                assert!((entry(i, j) + entry(j, i)).abs() < 1e-10);
            }
        }
    });
}

#[test]
fn forward_dynamics_inverts_inverse_dynamics_as_a_general_solver_does() {
    on_random_chains(|case, _| {
        let n = case.q.len();
        let mut forces = Efforts::default();
        for frames in [Frames::Base, Frames::Links] {
            let mut li = case.li(frames);
            li.efforts([&case.q, &case.v, &case.a], &mut forces);
            let mut back = vec![0.0; n];
            li.accelerations(&case.v, &forces.total, &mut back).unwrap();
            let error = relative(&back, &case.a);
            assert!(error < 1e-10, "{error:e}");
            let D = li.coefficients();
            let mass = DMatrix::from_fn(n, n, |i, j| D.inertia(i, j));
            let rest = DVector::from_vec(forces.inertial.clone());
            let general = mass.lu().solve(&rest).unwrap();
            assert!(relative(&back, general.as_slice()) < 1e-10);
        }
    });
}

#[test]
fn a_path_replayed_faster_scales_forces_by_the_square() {
    on_random_chains(|case, _| {
        let faster = |x: &[f64], k: f64| x.iter().map(|x| x * k).collect::<Vec<_>>();
        let mut li = case.li(Frames::Links);
        let (mut once, mut twice) = (Efforts::default(), Efforts::default());
        li.efforts([&case.q, &case.v, &case.a], &mut once);
        let (v, a) = (faster(&case.v, 2.0), faster(&case.a, 4.0));
        li.efforts([&case.q, &v, &a], &mut twice);
        // powers of two are exact
        assert_eq!(twice.inertial, faster(&once.inertial, 4.0));
        assert_eq!(twice.coriolis, faster(&once.coriolis, 4.0));
        assert_eq!(twice.gravity, once.gravity);
    });
}

#[test]
fn heavier_bodies_need_proportional_forces() {
    on_random_chains(|case, random| {
        let mut heavier = case.chain.clone();
        let factor = random.between(1.5, 3.0);
        for link in &mut heavier.links {
            link.mass.m *= factor;
            link.mass.h *= factor;
            link.mass.L *= factor;
            link.armature *= factor;
        }
        let (mut light, mut heavy) = (Efforts::default(), Efforts::default());
        let motion = [&case.q[..], &case.v, &case.a];
        case.li(Frames::Base).efforts(motion, &mut light);
        Li::new(heavier, Frames::Base).efforts(motion, &mut heavy);
        let expected: Vec<f64> = light.total.iter().map(|f| f * factor).collect();
        assert!(relative(&heavy.total, &expected) < 1e-13);
    });
}

/// A step of the classical Runge–Kutta method under time-dependent forces.
fn step(li: &mut Li, t: f64, h: f64, x: &mut [f64], force: &mut dyn FnMut(f64, &mut [f64])) {
    let n = x.len() / 2;
    let mut f = vec![0.0; n];
    let mut slope = |t: f64, x: &[f64]| {
        let mut rate = x[n..].to_vec();
        let mut a = vec![0.0; n];
        force(t, &mut f);
        let _ = li.place(&x[..n]);
        li.accelerations(&x[n..], &f, &mut a).unwrap();
        rate.extend(a);
        rate
    };
    let moved = |x: &[f64], k: &[f64], h: f64| -> Vec<f64> {
        x.iter().zip(k).map(|(x, k)| x + h * k).collect()
    };
    let k1 = slope(t, x);
    let k2 = slope(t + h / 2.0, &moved(x, &k1, h / 2.0));
    let k3 = slope(t + h / 2.0, &moved(x, &k2, h / 2.0));
    let k4 = slope(t + h, &moved(x, &k3, h));
    for i in 0..x.len() {
        x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/// A short chain of heavy links, whose motion can be integrated with few steps.
fn short_case() -> Case {
    let mut random = Random::new(77);
    let model = random_chain(Space::Spatial, 3, &mut random);
    Case {
        tree: Tree::spanning(&model),
        chain: Chain::new(&model).unwrap(),
        model,
        q: vec![0.3, -0.4, 0.5],
        v: vec![0.2, 0.1, -0.3],
        a: vec![0.0; 3],
    }
}

#[test]
fn energy_is_conserved_without_forces() {
    let case = short_case();
    let mut ws = TreeWorkspace::new(&case.tree);
    let mut energy = |x: &[f64]| {
        crate::tree::velocities(&case.tree, &mut ws, &x[..3], &x[3..]);
        kinetic_energy(&case.tree, &ws, &x[3..]) + gravity_energy(&case.tree, &ws)
    };
    let mut li = case.li(Frames::Base);
    let mut x = [case.q.clone(), case.v.clone()].concat();
    let before = energy(&x);
    for k in 0..400 {
        step(&mut li, f64::from(k) * 1e-3, 1e-3, &mut x, &mut |_, f| {
            f.fill(0.0);
        });
    }
    assert!((energy(&x) - before).abs() < 1e-8 * before.abs().max(1.0));
    assert!(relative(&x[..3], &case.q) > 0.1, "it has moved");
}

#[test]
fn the_forces_of_a_motion_reproduce_it() {
    let case = short_case();
    let reference = |t: f64| -> [Vec<f64>; 3] {
        let w = 3.0;
        let q = (0_u8..3).map(|i| case.q[usize::from(i)] + 0.4 * (w * t).sin() * f64::from(i + 1));
        let v = (0_u8..3).map(|i| 0.4 * w * (w * t).cos() * f64::from(i + 1));
        let a = (0_u8..3).map(|i| -0.4 * w * w * (w * t).sin() * f64::from(i + 1));
        [q.collect(), v.collect(), a.collect()]
    };
    let mut feed = case.li(Frames::Links);
    let mut out = Efforts::default();
    let mut force = |t: f64, f: &mut [f64]| {
        let [q, v, a] = reference(t);
        feed.efforts([&q, &v, &a], &mut out);
        f.copy_from_slice(&out.total);
    };
    let mut li = case.li(Frames::Base);
    let [q, v, _] = reference(0.0);
    let mut x = [q, v].concat();
    for k in 0..500 {
        step(&mut li, f64::from(k) * 1e-3, 1e-3, &mut x, &mut force);
    }
    let [q, v, _] = reference(0.5);
    let error = relative(&x, &[q, v].concat());
    assert!(error < 1e-7, "{error:e}");
}

#[test]
fn the_identities_of_the_derivation_hold() {
    let mut random = Random::new(4);
    for _ in 0..50 {
        let (a, b, c) = (random.vector(1.0), random.vector(1.0), random.vector(1.0));
        let A = Mat3::from_fn(|_, _| random.symmetric(1.0));
        let S = A + A.transpose();
        let aux = |A: &Mat3<f64>| Mat3::identity() * A.trace_of() - A;
        let R = crate::math::rotation::matrix(&random.rotation());
        let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-13, "{x} {y}");
        near(outer(&a, &b).trace(), a.dot(&b));
        near(
            (skew(&a) * A * skew(&b).transpose()).trace(),
            b.dot(&(aux(&A) * a)),
        );
        let four = skew(&a) * S * skew(&b).transpose() * skew(&c).transpose();
        near(four.trace(), c.dot(&(S * b.cross(&a))));
        let turned = R.transpose() * aux(&A) * R - aux(&(R.transpose() * A * R));
        near(turned.norm(), 0.0);
        let crossed = R.transpose() * a.cross(&b) - (R.transpose() * a).cross(&(R.transpose() * b));
        near(crossed.norm(), 0.0);
    }
}

#[test]
fn an_armature_adds_to_the_inertia_of_its_joint_alone() {
    let mut random = Random::new(12);
    let mut model = random_chain(Space::Spatial, 4, &mut random);
    let q = [0.1, 0.2, 0.3, 0.4];
    let mut bare = Li::new(Chain::new(&model).unwrap(), Frames::Links);
    let tree = Tree::spanning(&model);
    let geared = tree.links[2].element.unwrap();
    model.joints[geared.0].armature += 0.7;
    let mut with = Li::new(Chain::new(&model).unwrap(), Frames::Links);
    let (bare, with) = (bare.place(&q), with.place(&q));
    for i in 0..4 {
        for j in 0..4 {
            let added = if i == 2 && j == 2 { 0.7 } else { 0.0 };
            assert!((with.inertia(i, j) - bare.inertia(i, j) - added).abs() < 1e-14);
            for k in 0..4 {
                assert_eq!(with.velocity(i, j, k), bare.velocity(i, j, k));
            }
        }
    }
}

#[test]
fn a_model_that_is_not_a_serial_chain_is_rejected_by_name() {
    let space = Space::Spatial;
    let mut random = Random::new(3);
    let mut model = random_chain(space, 2, &mut random);
    let ground = crate::model::MarkerIndex::GROUND;
    let at = |model: &Model, b: usize| model.body_marker(BodyIndex(b));
    assert_eq!(
        Chain::new(&Model::new("empty", space)).unwrap_err(),
        NotSerial::NothingMoves
    );
    let loose = model.add_body(body("loose".to_owned(), &mut random));
    let error = Chain::new(&model).unwrap_err();
    assert!(matches!(&error, NotSerial::Branches { joint, .. } if joint == "loose"));
    let between = [at(&model, 0), model.body_marker(loose)];
    let _ = model.add_joint(
        "ball",
        joint("spherical", space),
        between,
        &Mat3::identity(),
    );
    let error = Chain::new(&model).unwrap_err();
    assert!(matches!(&error, NotSerial::Branches { joint, .. } if joint == "ball"));
    let mut arm = random_chain(space, 2, &mut random);
    let hand = arm.add_body(body("hand".to_owned(), &mut random));
    let between = [at(&arm, hand.0 - 1), arm.body_marker(hand)];
    let _ = arm.add_joint(
        "wrist",
        joint("spherical", space),
        between,
        &Mat3::identity(),
    );
    assert_eq!(
        Chain::new(&arm).unwrap_err(),
        NotSerial::Joint {
            name: "wrist".to_owned(),
            kind: "spherical"
        }
    );
    let between = [at(&arm, hand.0), ground];
    let _ = arm.add_joint(
        "loop",
        joint("spherical", space),
        between,
        &Mat3::identity(),
    );
    let error = Chain::new(&arm).unwrap_err();
    assert!(matches!(error, NotSerial::Loops { .. }), "{error}");
    let error = Chain::new(&random_chain(space, 65, &mut random)).unwrap_err();
    assert_eq!(error, NotSerial::TooLong { joints: 65 });
}

#[test]
fn a_massless_last_link_is_rejected() {
    let mut random = Random::new(31);
    let model = random_chain(Space::Planar, 2, &mut random);
    let mut chain = Chain::new(&model).unwrap();
    chain.links[1].mass = LinkMass::zero();
    let mut li = Li::new(chain, Frames::Base);
    let _ = li.place(&[0.1, 0.2]);
    let mut a = [0.0; 2];
    let error = li.accelerations(&[0.0; 2], &[0.0; 2], &mut a).unwrap_err();
    assert_eq!(error.joint, 1);
    assert!(error.to_string().contains("joint 2 of the chain"));
}
