//! Worked examples of H. A. A. Henrique, Escola Politécnica da Universidade de São Paulo, 1993, with reference values of an independent
//! solver where the dissertation prints none or incorrect ones.

use super::suite::accelerations_of_links;
use super::*;
use crate::element::{Arguments, FieldValue};
use crate::joints::Joint;
use crate::math::rotation::{about, parameters};
use crate::math::{Pose, Random};
use crate::model::{
    AccelerationProfile, Body, BodyIndex, DriverElement, DriverTarget, MarkerIndex, MassProperties,
    Model, Motion as Prescribed, Space,
};
use crate::tree::beside::{absolute, accelerations_of_bodies, solve_absolute};
use crate::tree::{Numbers, TreeLocation, TreeWorkspace, positions};

fn joint(kind: &str, space: Space) -> Joint {
    Joint::build(kind, &Arguments::new(space)).unwrap().unwrap()
}

fn at(x: f64, y: f64) -> Pose {
    Pose::new(Mat3::identity(), Vec3::new(x, y, 0.0))
}

#[test]
fn partial_angular_velocities_are_the_matrices_of_lower_bodies() {
    // for each body the matrix that its three speeds contribute to bodies 1 to 9 of the sample tree; I is S_00
    const TABLE: [[&str; 9]; 9] = [
        ["I", "I", "I", "I", "I", "I", "I", "I", "I"],
        ["0", "S01", "0", "0", "0", "0", "0", "0", "0"],
        ["0", "0", "S01", "S01", "0", "0", "0", "0", "0"],
        ["0", "0", "0", "S03", "0", "0", "0", "0", "0"],
        ["0", "0", "0", "0", "S01", "S01", "S01", "S01", "S01"],
        ["0", "0", "0", "0", "0", "S05", "S05", "S05", "S05"],
        ["0", "0", "0", "0", "0", "0", "S06", "S06", "0"],
        ["0", "0", "0", "0", "0", "0", "0", "S07", "0"],
        ["0", "0", "0", "0", "0", "0", "0", "0", "S06"],
    ];
    let mut random = Random::new(9);
    let mut model = Model::new("sample tree", Space::Spatial);
    for (k, lower) in [0_usize, 1, 1, 3, 1, 5, 6, 7, 6].into_iter().enumerate() {
        let mass = MassProperties::new(1.0, random.vector(0.3), Mat3::identity()).unwrap();
        let body = model.add_body(Body::new(format!("b{}", k + 1), mass));
        let carrier = lower.checked_sub(1).map_or(BodyIndex::GROUND, BodyIndex);
        let q = random.vector(1.0);
        let pair = [
            model.add_marker("Q", carrier, at(q[0], q[1])),
            model.body_marker(body),
        ];
        let spherical = joint("spherical", Space::Spatial);
        let _ = model.add_joint(format!("j{}", k + 1), spherical, pair, &Mat3::identity());
    }
    let tree = Tree::spanning(&model);
    let (q, v) = crate::tree::suite::random_state(&tree, &mut random);
    let mut kane = Kane::new(&tree, Speeds::Relative);
    kane.update(&tree, &q, &v);
    let mut ws = TreeWorkspace::new(&tree);
    positions(&tree, &mut ws, &q);
    for (s, row) in TABLE.iter().enumerate() {
        for (k, entry) in row.iter().enumerate() {
            let expected = match entry.strip_prefix("S0") {
                Some(body) => ws.links[body.parse::<usize>().unwrap() - 1].R,
                None if *entry == "I" => Mat3::identity(),
                None => Mat3::zeros(),
            };
            for i in 0..3 {
                let turn = kane.partial(k, 3 * s + i);
                let slide = kane.partial(k, 27 + 3 * s + i);
                assert!((turn.w - expected.column(i)).norm() < 1e-14);
                assert!((slide.g - expected.column(i)).norm() < 1e-14);
                assert_eq!(slide.w, Vec3::zeros());
                // V = e × (G − O) for a rotation e
                let center = ws.links[k].o + ws.links[k].R * model.bodies[k].mass.center;
                let arm = turn.w.cross(&(center - ws.links[s].o));
                assert!((turn.g - arm).norm() < 1e-13);
            }
        }
    }
}

#[test]
fn the_null_eigenvector_of_two_bars_and_a_slider_is_their_motion() {
    let (q1, q2, l) = (30.0_f64.to_radians(), 45.0_f64.to_radians(), 1.0);
    let (s1, c1) = q1.sin_cos();
    let (s12, c12) = (q1 + q2).sin_cos();
    let mut constraints = SpeedConstraints::new(3);
    constraints.push(&[s1 + s12, s12, 0.0], 0.0, 0.0);
    constraints.push(&[l * (c1 + c12), l * c12, -1.0], 0.0, 0.0);
    let elimination = Elimination::new(&constraints).unwrap();
    assert_eq!((elimination.freedom(), elimination.rank()), (1, 2));
    let t = elimination.complement().next().unwrap();
    let exact = Vec3::new(s12, -(s1 + s12), l * q2.sin()).normalize();
    for i in 0..3 {
        let expected = [0.510_368_6, -0.774_554_8, 0.373_615_7][i];
        assert!((t[i] * t[0].signum() - expected).abs() < 5e-8);
        assert!((t[i] * t[0].signum() - exact[i]).abs() < 1e-14);
    }
}

/// Bars of a chain: mass, inertia, and for each bar its lower bar (0 for the ceiling), the location of its pin there,
/// its mass centre, and its angle in degrees.
struct Chain {
    mass: f64,
    inertia: f64,
    bars: Vec<(usize, f64, f64, f64)>,
    /// The two bars that meet, and the locations at which they do.
    ends: [(usize, f64); 2],
    /// The bar whose pin moves vertically, and its acceleration.
    driven: Option<(usize, f64)>,
}

/// Eleven bars including the ceiling, suspended at two points.
fn eleven_bars(inertia: f64) -> Chain {
    let angles = [101.537, 41.593, 36.87, 36.87, 41.593];
    let mut bars = Vec::new();
    for (side, foot) in [(-1.0, 0.0), (1.0, 6.0)] {
        for (i, angle) in angles.into_iter().enumerate() {
            let carrier = if i == 0 { 0 } else { bars.len() };
            let pin = if i == 0 { foot } else { side };
            bars.push((carrier, pin, 0.5 * side, -side * angle));
        }
    }
    Chain {
        mass: 1.0,
        inertia,
        bars,
        ends: [(10, 1.0), (5, -1.0)],
        driven: None,
    }
}

/// Five bars between two points, of which the right one is driven.
fn driven_link(mass: f64, inertia: f64, acceleration: f64) -> Chain {
    Chain {
        mass,
        inertia,
        bars: vec![
            (0, 0.0, -0.5, 101.537),
            (1, -1.0, -0.5, 41.593),
            (2, -1.0, -0.5, 36.87),
            (0, 3.0, 0.5, -101.537),
            (4, 1.0, 0.5, -41.593),
        ],
        ends: [(5, 1.0), (3, -1.0)],
        driven: Some((4, acceleration)),
    }
}

impl Chain {
    /// The chain, open at the cut or closed.
    fn model(&self, space: Space, closed: bool) -> Model {
        let mut model = Model::new("chain", space);
        model.gravity = Vec3::new(0.0, -9.8, 0.0);
        for (i, (carrier, pin, center, _)) in self.bars.iter().enumerate() {
            let body = model.add_body(Body::new(
                format!("bar{}", i + 1),
                MassProperties {
                    mass: self.mass,
                    center: Vec3::new(*center, 0.0, 0.0),
                    inertia: Mat3::identity() * self.inertia,
                },
            ));
            let carrier = carrier.checked_sub(1).map_or(BodyIndex::GROUND, BodyIndex);
            let pair = [
                model.add_marker("pin", carrier, at(*pin, 0.0)),
                model.body_marker(body),
            ];
            let slides = self.driven.filter(|(bar, _)| *bar == i + 1);
            let kind = if slides.is_some() {
                let locked = match space {
                    Space::Planar => vec!["x"],
                    Space::Spatial => vec!["x", "z", "alpha", "beta"],
                };
                let words = locked.into_iter().map(str::to_owned).collect();
                let arguments = Arguments::new(space).with("locked", FieldValue::Words(words));
                Joint::build("generic", &arguments).unwrap().unwrap()
            } else {
                joint("revolute", space)
            };
            let added = model.add_joint(format!("pin{}", i + 1), kind, pair, &Mat3::identity());
            if let Some((_, acceleration)) = slides {
                model.drivers.push(DriverElement {
                    name: "end".into(),
                    origin: crate::element::Origin::default(),
                    target: DriverTarget::Joint(added, 0),
                    motion: Prescribed::Profile(
                        AccelerationProfile::new(vec![0.0], vec![acceleration], 0.0, 0.0).unwrap(),
                    ),
                });
            }
        }
        if closed {
            let pair = self
                .ends
                .map(|(bar, x)| model.add_marker("end", BodyIndex(bar - 1), at(x, 0.0)));
            let meeting = Self::meeting(space);
            let _ = model.add_joint("loop", meeting, pair, &Mat3::identity());
        }
        model
    }

    /// Two equations in the plane; three in space, of which one is redundant.
    fn meeting(space: Space) -> Joint {
        match space {
            Space::Planar => joint("revolute", space),
            Space::Spatial => joint("spherical", space),
        }
    }

    /// The locations at which the ends meet.
    fn places(&self) -> [TreeLocation; 2] {
        self.ends.map(|(bar, x)| TreeLocation {
            link: Some(bar - 1),
            pose: at(x, 0.0),
        })
    }

    /// Joint coordinates at the start: angles, and the driven pin at zero.
    fn start(&self, tree: &Tree) -> Vec<f64> {
        let mut q = vec![0.0; tree.positions];
        for (link, (_, _, _, angle)) in tree.links.iter().zip(&self.bars) {
            q[link.positions().end - 1] = angle.to_radians();
        }
        q
    }

    /// Relative angular accelerations, the force on the second end and the reactions of the pins.
    fn solve(&self, space: Space) -> (Vec<f64>, Vec<f64>, Vec<Wrench>) {
        let model = self.model(space, false);
        let tree = Tree::spanning(&model);
        let q = self.start(&tree);
        let still = vec![0.0; tree.velocities];
        let mut kane = Kane::new(&tree, Speeds::Relative);
        kane.update(&tree, &q, &still);
        let mut constraints = kane.constraints(&tree, &model, &Numbers::of(&model), 0.0);
        let [F, M] = self.places();
        kane.close(space, &Self::meeting(space), &F, &M, &mut constraints);
        let elimination = Elimination::new(&constraints).unwrap();
        let driven = usize::from(self.driven.is_some());
        assert_eq!(elimination.freedom(), tree.velocities - driven - 2);
        let equations = kane.equations(&tree, &[], &[]);
        let motion = elimination.solve(&equations, &constraints).unwrap();
        self.compare_with_absolute(space, &tree, &q, &kane, &motion.rates);
        self.compare_with_joint_rates(space, &tree, &q, &motion.rates);
        let alphas = (0..self.bars.len()).map(|k| motion.rates[3 * k + 2]);
        let ends = space.axes();
        let force = motion.multipliers[constraints.rows() - ends..].to_vec();
        let carried = reactions(&equations, &constraints, &motion);
        (alphas.collect(), force, carried)
    }

    /// In joint velocities the coefficients of the third equation of a spatial loop are rounding errors.
    fn compare_with_joint_rates(&self, space: Space, tree: &Tree, q: &[f64], rates: &[f64]) {
        let model = self.model(space, false);
        let mut kane = Kane::new(tree, Speeds::JointRates);
        kane.update(tree, q, &vec![0.0; tree.velocities]);
        let mut constraints = kane.constraints(tree, &model, &Numbers::of(&model), 0.0);
        let [F, M] = self.places();
        kane.close(space, &Self::meeting(space), &F, &M, &mut constraints);
        let elimination = Elimination::new(&constraints).unwrap();
        let equations = kane.equations(tree, &[], &[]);
        let motion = elimination.solve(&equations, &constraints).unwrap();
        for (k, link) in tree.links.iter().enumerate() {
            let turn = motion.rates[link.velocities().end - 1];
            assert!((turn - rates[3 * k + 2]).abs() < 1e-9);
        }
    }

    fn compare_with_absolute(
        &self,
        space: Space,
        tree: &Tree,
        q: &[f64],
        kane: &Kane,
        rates: &[f64],
    ) {
        if self.inertia == 0.0 {
            return;
        }
        let still = vec![0.0; tree.velocities];
        let (system, mut ws) = absolute(self.model(space, true), tree, q, &still);
        let solution = solve_absolute(&system, &mut ws);
        let found = accelerations_of_links(kane, rates);
        let expected = accelerations_of_bodies(&system, &ws, &solution);
        for (i, (_, alpha)) in expected.iter().enumerate() {
            assert!((found[6 * i + 2] - alpha[2]).abs() < 1e-9);
        }
    }
}

#[test]
fn a_hanging_chain_of_eleven_bars_starts_with_the_accelerations_of_the_reference() {
    for (inertia, expected, force) in [
        (
            0.333_333,
            [2.21649, -9.36110, 3.62887, 1.74116, 0.70262],
            0.154_675,
        ),
        (
            1.0 / 12.0,
            [3.85001, -14.05979, 8.75555, -0.62884, 0.95648],
            -0.09531,
        ),
    ] {
        for space in [Space::Planar, Space::Spatial] {
            let (alphas, end, _) = eleven_bars(inertia).solve(space);
            for i in 0..5 {
                assert!((alphas[i] - expected[i]).abs() < 2e-5, "{alphas:?}");
                // the right half is the mirror image
                assert!((alphas[5 + i] + expected[i]).abs() < 2e-5, "{alphas:?}");
            }
            assert!(
                (end[0].abs() - f64::abs(force)).abs() < 1e-5 && end[1].abs() < 1e-5,
                "{end:?}"
            );
        }
    }
}

#[test]
fn a_driven_link_takes_the_prescribed_acceleration_into_its_loop() {
    // inertia, relative accelerations, force on the third bar at the cut, forces of the five pins along the axes of the lower bar
    let cases = [
        (
            0.0,
            [6.67922, -18.03292, 11.58147, -6.21538, 15.91841],
            [321.38358, 48.75259],
            [
                [-44.97917, 816.55599],
                [376.96403, 119.24137],
                [296.00494, 161.06371],
                [41.31333, 750.00615],
                [-355.11641, 109.52312],
            ],
        ),
        (
            0.333_333,
            [6.53085, -17.62785, 11.26373, -6.10133, 15.63253],
            [320.54079, 52.07446],
            [
                [-50.09428, 822.38431],
                [383.69762, 119.74917],
                [296.94578, 157.75595],
                [45.69368, 754.88121],
                [-360.76905, 110.27384],
            ],
        ),
        (
            3.75,
            [5.35271, -14.45873, 8.97067, -5.09922, 13.06106],
            [312.82738, 78.64866],
            [
                [-91.60952, 870.01732],
                [438.67131, 124.39075],
                [305.94652, 129.88084],
                [83.06971, 796.17527],
                [-408.70403, 116.08838],
            ],
        ),
    ];
    for (inertia, expected, force, pins) in cases {
        for space in [Space::Planar, Space::Spatial] {
            let (alphas, end, carried) = driven_link(45.0, inertia, -1.0).solve(space);
            for i in 0..5 {
                assert!((alphas[i] - expected[i]).abs() < 2e-5, "{alphas:?}");
                for c in 0..2 {
                    assert!((carried[i].f[c] - pins[i][c]).abs() < 3e-4, "{carried:?}");
                }
                assert!(
                    carried[i].n[2].abs() < 1e-9,
                    "pins carry no moment about their axis"
                );
            }
            for c in 0..2 {
                assert!((end[c] - force[c]).abs() < 3e-4, "{end:?}");
            }
        }
    }
    for (inertia, expected) in [
        (1.0 / 12.0, [4.73582, -14.29496, 8.88236, -3.46837, 7.30660]),
        (1.0 / 3.0, [2.89017, -9.30094, 4.72411, -2.34109, 4.47292]),
    ] {
        let (alphas, _, _) = driven_link(1.0, inertia, -5.0).solve(Space::Planar);
        for i in 0..5 {
            assert!((alphas[i] - expected[i]).abs() < 2e-5, "{alphas:?}");
        }
    }
}

/// A thin disc of 1 kg that rolls on the plane z = 0.
fn coin(radius: f64) -> Model {
    let mut model = Model::new("coin", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.8);
    let (across, along) = (0.25 * radius * radius, 0.5 * radius * radius);
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    let body = model.add_body(Body::new("coin", mass));
    let marker = model.body_marker(body);
    let arguments = Arguments::new(Space::Spatial).with("radius", FieldValue::Number(radius));
    let rolling = Joint::build("rolling-disc", &arguments).unwrap().unwrap();
    let pair = [MarkerIndex::GROUND, marker];
    let _ = model.add_joint("road", rolling, pair, &Mat3::identity());
    model
}

/// The coin at lean θ, heading φ and spin ψ with angular velocities u along n1, n2, n3: the solution of Kane's equations.
struct Rolling {
    axes: [Vec3<f64>; 3],
    /// α along the axes, a_G and contact force.
    alpha: [f64; 3],
    a: Vec3<f64>,
    contact: Vec3<f64>,
}

fn roll(radius: f64, [theta, phi, psi]: [f64; 3], u: [f64; 3]) -> Rolling {
    let ((st, ct), (sp, cp)) = (theta.sin_cos(), phi.sin_cos());
    let axes = [
        Vec3::new(cp, sp, 0.0),
        Vec3::new(-st * sp, st * cp, ct),
        Vec3::new(ct * sp, -ct * cp, st),
    ];
    let model = coin(radius);
    let tree = Tree::spanning(&model);
    let R = Mat3::from_columns(&axes) * about(2, psi);
    let w = axes[0] * u[0] + axes[1] * u[1] + axes[2] * u[2];
    let velocity = w.cross(&(axes[1] * radius));
    let mut q = vec![0.3, -0.2, radius * ct];
    q.extend(parameters(&R));
    let v: Vec<f64> = velocity.iter().chain(w.iter()).copied().collect();

    let mut kane = Kane::new(&tree, Speeds::JointRates);
    kane.update(&tree, &q, &v);
    let constraints = kane.constraints(&tree, &model, &Numbers::of(&model), 0.0);
    // rotation about each axis with the contact point at rest is a free motion
    for axis in &axes {
        let free = axis.cross(&(axes[1] * radius));
        let speeds: Vec<f64> = free.iter().chain(axis.iter()).copied().collect();
        for i in 0..3 {
            let row = constraints.row(i);
            let slip: f64 = row.iter().zip(&speeds).map(|(b, y)| b * y).sum();
            assert!(slip.abs() < 1e-14);
        }
    }
    let elimination = Elimination::new(&constraints).unwrap();
    assert_eq!((elimination.freedom(), elimination.rank()), (3, 3));
    let motion = elimination
        .solve(&kane.equations(&tree, &[], &[]), &constraints)
        .unwrap();
    let part = |i: usize| Vec3::new(motion.rates[i], motion.rates[i + 1], motion.rates[i + 2]);
    let mut contact = Vec3::zeros();
    for i in 0..3 {
        let row = constraints.row(i);
        contact += Vec3::new(row[0], row[1], row[2]) * motion.multipliers[i];
    }

    let (system, mut ws) = absolute(coin(radius), &tree, &q, &v);
    let solution = solve_absolute(&system, &mut ws);
    let (a, alpha) = accelerations_of_bodies(&system, &ws, &solution)[0];
    assert!((a - part(0)).norm() + (alpha - part(3)).norm() < 1e-10);
    Rolling {
        alpha: axes.map(|axis| axis.dot(&part(3))),
        axes,
        a: part(0),
        contact,
    }
}

#[test]
fn a_rolling_coin_follows_the_closed_form() {
    let mut random = Random::new(21);
    let g = 9.8;
    for _ in 0..50 {
        let r = random.between(0.1, 1.0);
        let angles = [
            random.symmetric(1.2),
            random.symmetric(3.0),
            random.symmetric(3.0),
        ];
        let [u1, u2, u3] = random.array::<3>(4.0);
        let theta = angles[0];
        let found = roll(r, angles, [u1, u2, u3]);
        let tan = theta.tan();
        let u1_rate = (0.25 * u2 * u2 * tan - 1.5 * u2 * u3 - g / r * theta.sin()) / 1.25;
        let u2_rate = -u1 * u2 * tan + 2.0 * u1 * u3;
        let u3_rate = u1 * u2 / 1.5;
        let alpha = [
            u1_rate - u2 * u2 * tan + u2 * u3,
            u2_rate + u1 * u2 * tan - u1 * u3,
            u3_rate,
        ];
        let a = [
            -r * u3_rate + r * u1 * u2,
            -r * u1 * u1 - r * u2 * u3 * tan,
            r * u1_rate + r * u2 * u3,
        ];
        let scale = 1.0 + alpha.iter().chain(&a).fold(0.0, |m: f64, x| m.max(x.abs()));
        for i in 0..3 {
            assert!((found.alpha[i] - alpha[i]).abs() < 1e-11 * scale);
            assert!((found.axes[i].dot(&found.a) - a[i]).abs() < 1e-11 * scale);
        }
        let carried = found.a + Vec3::new(0.0, 0.0, g);
        assert!((found.contact - carried).norm() < 1e-11 * scale);
    }
}

#[test]
fn a_coin_in_steady_rolling_keeps_its_lean_angle() {
    let (theta, u2, u3) = (20.0_f64.to_radians(), 2.0, -2.113_208_2);
    let found = roll(0.5, [theta, 0.7, 0.1], [0.0, u2, u3]);
    let lean = found.alpha[0] + u2 * u2 * theta.tan() - u2 * u3;
    assert!(lean.abs() < 1e-6, "{lean}");
}

#[test]
fn a_degree_of_freedom_without_mass_and_a_nan_are_rejected() {
    let mut constraints = SpeedConstraints::new(2);
    let equations = KaneEquations {
        n: 2,
        A: vec![1.0, 0.0, 0.0, 0.0],
        f: vec![1.0, 1.0],
    };
    let free = Elimination::new(&constraints).unwrap();
    assert_eq!(
        free.solve(&equations, &constraints),
        Err(EliminationError::NoMass)
    );
    constraints.push(&[f64::NAN, 0.0], 0.0, 0.0);
    assert_eq!(
        Elimination::new(&constraints).err(),
        Some(EliminationError::NoEigenvalues)
    );
}

#[test]
fn equations_of_a_model_without_degrees_of_freedom_are_empty() {
    let model = Model::new("nothing", Space::Spatial);
    let tree = Tree::spanning(&model);
    for speeds in [Speeds::JointRates, Speeds::Relative] {
        let mut kane = Kane::new(&tree, speeds);
        kane.update(&tree, &[], &[]);
        let equations = kane.equations(&tree, &[], &[]);
        let mut constraints = kane.constraints(&tree, &model, &Numbers::of(&model), 0.0);
        let ground = TreeLocation {
            link: None,
            pose: Pose::identity(),
        };
        let weld = joint("weld", Space::Spatial);
        kane.close(Space::Spatial, &weld, &ground, &ground, &mut constraints);
        let elimination = Elimination::new(&constraints).unwrap();
        let motion = elimination.solve(&equations, &constraints).unwrap();
        assert_eq!((motion.rates.len(), motion.multipliers), (0, vec![0.0; 6]));
    }
}
