//! Equilibria on contacts, and initial penetrations, against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::FRAC_PI_2;

use biela_core::analysis::{
    AssembleError, Assembled, Equilibrium, Formulation, GapMeaning, Stability, Statics, Supports,
    assemble,
};
use biela_core::contact::{Circle, HalfSpace, Line, Point, Points, Polygon};
use biela_core::joints::Revolute;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, BodyIndex, ContactLaw, MarkerIndex, MassProperties, Model, Space};

const G: f64 = 9.81;
const BOTH: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

fn planar() -> Model {
    let mut model = Model::new("supported", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    model
}

fn friction(mu: f64) -> ContactLaw {
    ContactLaw::SMOOTH.with_friction(mu)
}

fn settle(model: Model, formulation: Formulation) -> (Equilibrium, Supports) {
    let assembled = assemble(model, formulation).unwrap();
    let found = Statics::new(&assembled).settle().unwrap();
    let supports = found.supports.clone().unwrap();
    (found, supports)
}

fn normals(supports: &Supports) -> Vec<f64> {
    supports.forces.iter().map(|one| one.normal).collect()
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * expected.abs().max(1.0),
        "{found} instead of {expected}"
    );
}

/// A uniform ladder at the angle θ from the floor against a smooth wall.
fn ladder(angle: f64, mu: f64) -> Model {
    let (mass, length) = (12.0, 4.0);
    let mut model = planar();
    let inertia = mass * length * length / 12.0;
    let half = 0.5 * length;
    let ladder = Body::new(
        "ladder",
        MassProperties::planar(mass, [0.0, 0.0], inertia).unwrap(),
    )
    .at(Pose::planar(
        -half * angle.cos(),
        half * angle.sin(),
        -angle,
    ));
    let ladder = model.add_body(ladder);
    let upper = model.add_marker("upper", ladder, Pose::translation(-half, 0.0, 0.0));
    let lower = model.add_marker("lower", ladder, Pose::translation(half, 0.0, 0.0));
    let wall = Pose::planar(-length * angle.cos(), 0.0, -FRAC_PI_2);
    let wall = model.add_marker("wall", BodyIndex::GROUND, wall);
    let _ = model.add_contact(
        "floor",
        (MarkerIndex::GROUND, Line),
        (lower, Point),
        friction(mu),
    );
    let _ = model.add_contact("wall", (wall, Line), (upper, Point), ContactLaw::SMOOTH);
    model
}

#[test]
fn a_ladder_leans_on_a_smooth_wall() {
    let (weight, angle) = (12.0 * G, 1.1_f64);
    let pressing = weight / (2.0 * angle.tan());
    for formulation in BOTH {
        let (found, supports) = settle(ladder(angle, 0.4), formulation);
        let [floor, wall] = supports.forces.as_slice() else {
            panic!("{supports:?}");
        };
        close(floor.normal, weight, 1e-9);
        close(wall.normal, pressing, 1e-9);
        close(floor.tangential, pressing, 1e-9);
        close(floor.used.unwrap(), pressing / (0.4 * weight), 1e-9);
        assert_eq!((wall.used, supports.indeterminate), (None, false));
        assert!(found.residual < 1e-9, "{}", found.residual);
    }
}

#[test]
fn a_ladder_slips_beyond_the_bound_of_friction() {
    let angle = 1.1_f64;
    let needed = 1.0 / (2.0 * angle.tan());
    let holds = |mu: f64| {
        let assembled = assemble(ladder(angle, mu), Formulation::Absolute).unwrap();
        Statics::new(&assembled).settle().is_ok_and(|found| {
            let moved = found.state.q.iter().zip(&assembled.state.q);
            moved.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-6
        })
    };
    assert!(holds(needed * (1.0 + 1e-6)));
    assert!(!holds(needed * (1.0 - 1e-3)));
}

/// A block of width b and height h on a slope.
fn block(slope: f64, mu: f64, [b, h]: [f64; 2]) -> Model {
    let mut model = planar();
    let pose = Pose::planar(-0.5 * h * slope.sin(), 0.5 * h * slope.cos(), slope);
    let inertia = 2.0 * (b * b + h * h) / 12.0;
    let mass = MassProperties::planar(2.0, [0.0, 0.0], inertia).unwrap();
    let block = model.add_body(Body::new("block", mass).at(pose));
    let marker = model.body_marker(block);
    let plane = model.add_marker("slope", BodyIndex::GROUND, Pose::planar(0.0, 0.0, slope));
    let (x, y) = (0.5 * b, 0.5 * h);
    let corners = Polygon::new(&[[-x, -y], [x, -y], [x, y], [-x, y]]).unwrap();
    let _ = model.add_contact("plane", (plane, Line), (marker, corners), friction(mu));
    model
}

#[test]
fn a_block_on_a_slope_presses_more_on_its_lower_edge() {
    let (slope, [b, h]) = (0.3_f64, [0.4, 0.2]);
    for formulation in BOTH {
        let (_, supports) = settle(block(slope, 0.5, [b, h]), formulation);
        let share = |sign: f64| 0.5 * (1.0 + sign * h / b * slope.tan());
        let weight = 2.0 * G * slope.cos();
        // the slope descends towards −x: the first vertex is the lower one
        close(supports.forces[0].normal, weight * share(1.0), 1e-8);
        close(supports.forces[1].normal, weight * share(-1.0), 1e-8);
        let rubbing: f64 = supports.forces.iter().map(|one| one.tangential).sum();
        close(rubbing, 2.0 * G * slope.sin(), 1e-8);
        close(supports.least_share().unwrap(), 2.0 * share(-1.0), 1e-8);
        assert!(supports.most_used().unwrap() < 1.0);
        assert!(
            supports.indeterminate,
            "two tangential forces, one equation"
        );
    }
}

#[test]
fn a_block_beyond_the_angle_of_friction_has_no_equilibrium() {
    let assembled = assemble(block(0.6, 0.5, [0.4, 0.2]), Formulation::Absolute).unwrap();
    assert!(Statics::new(&assembled).settle().is_err());
}

/// A table with legs at these points, and its mass centre at (x, y).
fn table(legs: &[[f64; 2]], [x, y]: [f64; 2]) -> Model {
    let mut model = Model::new("table", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -G);
    let mass = MassProperties::new(10.0, Vec3::new(x, y, 0.7), Mat3::identity()).unwrap();
    let table = model.add_body(Body::new("table", mass));
    let marker = model.body_marker(table);
    let feet = legs.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0));
    let feet = Points::new(feet.collect()).unwrap();
    let _ = model.add_contact(
        "floor",
        (MarkerIndex::GROUND, HalfSpace),
        (marker, feet),
        friction(0.3),
    );
    model
}

#[test]
fn three_legs_carry_what_the_moments_demand() {
    let legs = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let weight = 10.0 * G;
    for formulation in BOTH {
        let (_, supports) = settle(table(&legs, [0.2, 0.3]), formulation);
        let expected = [0.5 * weight, 0.2 * weight, 0.3 * weight];
        for (found, expected) in normals(&supports).iter().zip(expected) {
            close(*found, expected, 1e-8);
        }
        close(supports.least_share().unwrap(), 0.6, 1e-8);
    }
}

#[test]
fn four_legs_carry_the_least_norm_distribution() {
    let legs = [[1.0, 0.5], [-1.0, 0.5], [-1.0, -0.5], [1.0, -0.5]];
    let [x, y] = [0.3, 0.1];
    let (_, supports) = settle(table(&legs, [x, y]), Formulation::Absolute);
    assert!(supports.indeterminate);
    for (found, [a, b]) in normals(&supports).iter().zip(legs) {
        // the least norm is linear in the positions: W (1/4 + x a/Σa² + y b/Σb²)
        close(*found, 10.0 * G * (0.25 + x * a / 4.0 + y * b / 1.0), 1e-6);
    }
}

#[test]
fn a_table_whose_mass_centre_is_beyond_its_legs_tips() {
    let legs = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let assembled = assemble(table(&legs, [0.7, 0.7]), Formulation::Absolute).unwrap();
    let found = Statics::new(&assembled).settle();
    assert!(found.is_err() || found.unwrap().stability == Stability::Marginal);
}

/// A ball of radius 0.1 m above a V groove with sides at 45°.
fn groove(x: f64, y: f64) -> Model {
    let mut model = planar();
    let mass = MassProperties::planar(3.0, [0.0, 0.0], 0.01).unwrap();
    let ball = model.add_body(Body::new("ball", mass).at(Pose::translation(x, y, 0.0)));
    let marker = model.body_marker(ball);
    for (name, angle) in [("left", -0.5 * FRAC_PI_2), ("right", 0.5 * FRAC_PI_2)] {
        let side = model.add_marker(name, BodyIndex::GROUND, Pose::planar(0.0, 0.0, angle));
        let round = Circle::new(0.1).unwrap();
        let _ = model.add_contact(name, (side, Line), (marker, round), ContactLaw::SMOOTH);
    }
    model
}

#[test]
fn a_ball_falls_into_a_groove_and_rests_on_both_sides() {
    let rest = 0.1 * 2.0_f64.sqrt();
    for (x, y) in [(0.0, rest), (0.05, 0.4), (-0.3, 0.9)] {
        let assembled = assemble(groove(x, y), Formulation::Absolute).unwrap();
        let found = Statics::new(&assembled).settle().unwrap();
        let supports = found.supports.clone().unwrap();
        for normal in normals(&supports) {
            close(normal, 3.0 * G / 2.0_f64.sqrt(), 1e-7);
        }
        assert_eq!(supports.forces.len(), 2);
        let height = found.state.q[1];
        assert!((height - rest).abs() < 1e-7, "{height}");
    }
}

fn gaps(assembled: &Assembled) -> Vec<f64> {
    assembled.initial_gaps().iter().map(|one| one.gap).collect()
}

#[test]
fn a_ball_below_the_floor_is_lifted_by_its_penetration() {
    for formulation in BOTH {
        let mut model = planar();
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
        let ball = model.add_body(Body::new("ball", mass).at(Pose::translation(0.3, 0.099, 0.0)));
        let marker = model.body_marker(ball);
        let round = Circle::new(0.1).unwrap();
        let _ = model.add_contact(
            "floor",
            (MarkerIndex::GROUND, Line),
            (marker, round),
            ContactLaw::SMOOTH,
        );
        let mut assembled = assemble(model, formulation).unwrap();
        let before = &assembled.initial_gaps()[0];
        assert_eq!(before.meaning(assembled.size()), GapMeaning::Penetrates);
        assert_eq!(
            (before.unit, before.element.as_str()),
            ("m", "contact `floor`")
        );
        assembled.resolve_penetrations().unwrap();
        let after = &assembled.initial_gaps()[0];
        assert_eq!(
            after.meaning(assembled.size()),
            GapMeaning::Closed,
            "{}",
            after.gap
        );
        assert!(
            (assembled.state.q[0] - 0.3).abs() < 1e-12
                && (assembled.state.q[1] - 0.1).abs() < 1e-12
        );
        let note = assembled.notes.last().unwrap();
        assert!(
            note.contains("contact `floor` (0.001 m)") && note.contains("`ball` moved by 0.001 m"),
            "{note}"
        );
    }
}

#[test]
fn a_tilted_block_in_the_floor_keeps_the_gaps_that_are_open() {
    // one vertex is below the floor: the least displacement turns and lifts the block until the vertex is on the floor
    let mut model = block(0.0, 0.0, [0.4, 0.2]);
    model.bodies[0].start.pose = Some(Pose::planar(0.0, 0.11, 0.2));
    let mut assembled = assemble(model, Formulation::Absolute).unwrap();
    let depth = -gaps(&assembled)[0];
    assert!(depth > 0.01, "{depth}");
    let before = assembled.state.q.clone();
    assembled.resolve_penetrations().unwrap();
    assert!(gaps(&assembled)[0].abs() < 1e-13);
    // M⁻¹ Wᵀ r: the shares of lift and rotation are 1/m and arm/J, up to the change of the arm
    let lift = assembled.state.q[1] - before[1];
    let turn = assembled.state.q[2] - before[2];
    let (mass, inertia) = (2.0, 2.0 * (0.16 + 0.04) / 12.0);
    let arm = 0.2 * 0.2_f64.cos() - 0.1 * 0.2_f64.sin();
    let ratio = turn / lift * inertia / (-arm * mass);
    assert!((ratio.abs() - 1.0).abs() < 0.1, "{ratio}");
}

#[test]
fn a_pendulum_is_turned_out_of_the_floor_with_its_joint_closed() {
    for formulation in BOTH {
        let mut model = planar();
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
        let rod = model.add_body(Body::new("rod", mass));
        let bob = model.add_marker("bob", rod, Pose::translation(1.0, 0.0, 0.0));
        let pin = model.add_marker("pin", BodyIndex::GROUND, Pose::translation(0.0, 0.9, 0.0));
        let joint = model.connect("pin", Revolute, [pin, model.body_marker(rod)]);
        model.set_initial(joint, 0, -1.0, 0.0);
        let round = Circle::new(0.1).unwrap();
        let _ = model.add_contact(
            "floor",
            (MarkerIndex::GROUND, Line),
            (bob, round),
            ContactLaw::SMOOTH,
        );
        let mut assembled = assemble(model, formulation).unwrap();
        assembled.resolve_penetrations().unwrap();
        assert!(gaps(&assembled)[0].abs() < 1e-13);
        // 0.9 m + sin φ = 0.1 m
        let angle = *assembled.state.q.last().unwrap();
        assert!((angle + 0.8_f64.asin()).abs() < 1e-12, "{angle}");
    }
}

#[test]
fn a_ball_wider_than_its_slot_cannot_be_moved_out_of_both_sides() {
    let mut model = planar();
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
    let ball = model.add_body(Body::new("ball", mass));
    let marker = model.body_marker(ball);
    for (name, x, angle) in [("left", -0.08, -FRAC_PI_2), ("right", 0.08, FRAC_PI_2)] {
        let side = model.add_marker(name, BodyIndex::GROUND, Pose::planar(x, 0.0, angle));
        let round = Circle::new(0.1).unwrap();
        let _ = model.add_contact(name, (side, Line), (marker, round), ContactLaw::SMOOTH);
    }
    let mut assembled = assemble(model, Formulation::Absolute).unwrap();
    let error = assembled.resolve_penetrations().unwrap_err();
    assert!(
        matches!(error, AssembleError::Penetrations { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("contact `left`"), "{error}");
}
