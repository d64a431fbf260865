//! The laws of impact against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::analysis::{Formulation, ImpactLaw, Simulation, Study, assemble};
use biela_core::contact::{Circle, Line, Points};
use biela_core::integrators::Dopri5;
use biela_core::math::{Pose, Vec3};
use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space, Velocity0};

const J: f64 = 1.0 / 12.0;

/// A run of a model that begins with an impact.
fn struck(model: Model, impact: ImpactLaw) -> Simulation {
    let study = Study::new(Space::Planar, 1e-3, 1e-3)
        .with_impact(impact)
        .with_integrator(Dopri5::new().tolerance(1e-10));
    Simulation::new(assemble(model, Formulation::Absolute).unwrap(), &study).unwrap()
}

fn velocity(run: &mut Simulation, body: &str) -> [f64; 3] {
    ["vx", "vy", "omega"].map(|quantity| {
        let signal = run.model().signal(&format!("{body}.{quantity}")).unwrap();
        run.read(signal).unwrap()
    })
}

/// A body of mass one and moment of inertia J with contact points, at the height of the lowest one, without gravity.
fn body(points: &[[f64; 2]], velocity: [f64; 3], law: ContactLaw) -> Model {
    let mut model = Model::new("rod", Space::Planar);
    let mass = MassProperties::planar(1.0, [0.0; 2], J).unwrap();
    let lowest = points.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
    let mut rod = Body::new("rod", mass).at(Pose::translation(0.0, -lowest, 0.0));
    rod.velocity = Some(Velocity0 {
        linear: Vec3::new(velocity[0], velocity[1], 0.0),
        angular: Vec3::new(0.0, 0.0, velocity[2]),
    });
    let rod = model.add_body(rod);
    let marker = model.body_marker(rod);
    let points = points.iter().map(|x| Vec3::new(x[0], x[1], 0.0)).collect();
    let points = Points::new(points).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, points), law);
    model
}

/// The lower end of a rod of length one at an angle to the floor.
fn rod(phi: f64, velocity: [f64; 3], law: ContactLaw) -> Model {
    body(&[[-0.5 * phi.cos(), -0.5 * phi.sin()]], velocity, law)
}

#[test]
fn an_elastic_ball_with_tangential_restitution_reverses_its_slip_and_keeps_its_energy() {
    let (radius, inertia) = (0.1, 0.4 * 0.01);
    let mut model = Model::new("superball", Space::Planar);
    let mass = MassProperties::planar(1.0, [0.0; 2], inertia).unwrap();
    let mut ball = Body::new("ball", mass).at(Pose::translation(0.0, radius, 0.0));
    ball.velocity = Some(Velocity0 {
        linear: Vec3::new(2.0, -3.0, 0.0),
        angular: Vec3::new(0.0, 0.0, 1.0),
    });
    let ball = model.add_body(ball);
    let marker = model.body_marker(ball);
    let round = Circle::new(radius).unwrap();
    for (e, e_t) in [(1.0, 1.0), (0.8, 0.5), (0.8, 0.0)] {
        let law = ContactLaw::SMOOTH
            .with_friction(5.0)
            .with_restitution(e)
            .with_tangential_restitution(e_t);
        let mut model = model.clone();
        let sides = ((MarkerIndex::GROUND, Line), (marker, round));
        let _ = model.add_contact("floor", sides.0, sides.1, law);
        let mut run = struck(model, ImpactLaw::Newton);
        let [vx, vy, omega] = velocity(&mut run, "ball");
        // γ_t = v + ω r, D = 1 + r²/J, P = −(1 + e_t) γ_t/D
        let slip = 2.0 + radius;
        let impulse = -(1.0 + e_t) * slip / (1.0 + radius * radius / inertia);
        assert!((vx - 2.0 - impulse).abs() < 1e-12, "{vx}");
        assert!((omega - 1.0 - impulse * radius / inertia).abs() < 1e-12);
        assert!((vy - 3.0 * e).abs() < 1e-12);
        assert!((vx + omega * radius + e_t * slip).abs() < 1e-12);
        let after = vx * vx + vy * vy + inertia * omega * omega;
        let before = 4.0 + 9.0 + inertia;
        assert!(after <= before + 1e-12 && (e_t < 1.0 || after >= before - 1e-12));
    }
}

#[test]
fn a_rod_that_sticks_expands_by_poissons_law() {
    let (phi, e, speed): (f64, f64, f64) = (1.1, 0.6, 1.5);
    let law = ContactLaw::SMOOTH.with_friction(3.0).with_restitution(e);
    let mut run = struck(rod(phi, [0.0, -speed, 0.0], law), ImpactLaw::Poisson);
    let [vx, vy, omega] = velocity(&mut run, "rod");
    let (x, y) = (-0.5 * phi.cos(), -0.5 * phi.sin());
    let (normal, slip) = (vy + omega * x, vx - omega * y);
    // D of the point (x, y): normal row (0, 1, x), tangential row (1, 0, −y)
    let [a, b, c] = [1.0 + x * x / J, -x * y / J, 1.0 + y * y / J];
    // compression to rest: D C = (speed, 0); expansion in stick: Eₙ = e Cₙ, γ_t = 0
    let compression = speed * c / (a * c - b * b);
    let expected = (a - b * b / c) * e * compression;
    assert!((normal - expected).abs() < 1e-12, "{normal} {expected}");
    assert!(slip.abs() < 1e-12, "{slip}");
    // Newton's law gives the same normal velocity here, and the same impulse
    assert!((expected - e * speed).abs() < 1e-12);
}

#[test]
fn a_rod_that_slides_has_the_impulse_of_both_laws() {
    // slip to the right throughout: P_t = −μ P_n, and both laws give γₙ⁺ = −e γₙ⁻
    let (phi, e, mu): (f64, f64, f64) = (1.2, 0.5, 0.1);
    let law = ContactLaw::SMOOTH.with_friction(mu).with_restitution(e);
    let (x, y) = (-0.5 * phi.cos(), -0.5 * phi.sin());
    let [a, b] = [1.0 + x * x / J, -x * y / J];
    let impulse = (1.0 + e) / (a - mu * b);
    for impact in [ImpactLaw::Newton, ImpactLaw::Poisson] {
        let mut run = struck(rod(phi, [5.0, -1.0, 0.0], law), impact);
        let [vx, vy, omega] = velocity(&mut run, "rod");
        assert!((vy + 1.0 - impulse).abs() < 1e-12, "{impact:?} {vy}");
        assert!((vx - 5.0 + mu * impulse).abs() < 1e-12, "{impact:?} {vx}");
        let turned = (x + mu * y) * impulse / J;
        assert!((omega - turned).abs() < 1e-11, "{impact:?} {omega}");
    }
}

#[test]
fn poissons_law_creates_no_energy_where_newtons_law_does() {
    let mut created = 0;
    for phi in [20.0_f64, 35.0, 50.0, 65.0] {
        for mu in [0.3, 0.6, 1.0] {
            for k in -6..=6 {
                let law = ContactLaw::SMOOTH.with_friction(mu).with_restitution(0.95);
                let motion = [0.5 * f64::from(k), -1.0, 0.0];
                let model = rod(phi.to_radians(), motion, law);
                let [newton, poisson] = [ImpactLaw::Newton, ImpactLaw::Poisson].map(|impact| {
                    let mut run = struck(model.clone(), impact);
                    let _ = velocity(&mut run, "rod");
                    run.contact_statistics()
                });
                assert_eq!((newton.impacts, poisson.impacts), (1, 1));
                created += u32::from(newton.created > 1e-3);
                assert!(poisson.created < 1e-14, "{phi} {mu} {k} {poisson:?}");
            }
        }
    }
    assert!(created > 0);
}

#[test]
fn a_block_that_lands_on_its_second_vertex_has_the_closed_form_of_both_laws() {
    // rows (0, 1, ±w): D = [[a, b], [b, a]]; the first vertex rests, the second arrives with velocity u
    for w in [0.2_f64, 0.5] {
        let (e, u) = (0.6, 1.0);
        let [a, b] = [1.0 + w * w / J, 1.0 - w * w / J];
        let law = ContactLaw::SMOOTH.with_restitution(e);
        // the first vertex at rest: v_y − w ω = 0, the second: v_y + w ω = −u
        let motion = [0.0, -0.5 * u, -0.5 * u / w];
        let points = [[-w, -0.3], [w, -0.3]];
        for impact in [ImpactLaw::Newton, ImpactLaw::Poisson] {
            let mut run = struck(body(&points, motion, law), impact);
            let [_, vy, omega] = velocity(&mut run, "rod");
            let (first, second) = (vy - w * omega, vy + w * omega);
            // if b > 0 the first vertex leaves the floor; otherwise it is pressed down
            let lifts = if b > 0.0 { b / a * (1.0 + e) * u } else { 0.0 };
            assert!((second - e * u).abs() < 1e-12, "{impact:?} {w} {second}");
            assert!((first - lifts).abs() < 1e-12, "{impact:?} {w} {first}");
        }
    }
}
