//! Rolling and skating.

use biela_core::element::{Arguments, FieldValue};
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, aligning, product};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space, Velocity0};

use crate::common::{Series, joint, run, straight, study};

const R: f64 = 0.3;
const G: f64 = 9.81;

/// A thin disc of 1 kg, upright, rolling along x at `speed`, tilted by `lean` about x; plane z = 0.
pub(crate) fn disc(speed: f64, lean: f64, spin_z: f64) -> Model {
    let mut model = Model::new("disc", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -G);
    let (along, across) = (0.5 * R * R, 0.25 * R * R);
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    // disc axis (z of the body) along −y, leaned about x
    let turn = product(&about(0, lean), &aligning(2, &Vec3::new(0.0, -1.0, 0.0)));
    let height = R * lean.cos();
    let axis = turn * Vec3::new(0.0, 0.0, 1.0);
    let mut body = Body::new("disc", mass).at(Pose::new(turn, Vec3::new(0.0, 0.0, height)));
    // rolls forward along x: w = axis·(−speed/R) about −y means +y
    let spin = -axis * (speed / R) + Vec3::new(0.0, 0.0, spin_z);
    let contact = Vec3::new(0.0, -R * lean.sin(), -height);
    let linear = -spin.cross(&contact);
    body.velocity = Some(Velocity0 {
        linear,
        angular: spin,
    });
    let b = model.add_body(body);
    let marker = model.body_marker(b);
    let arguments = Arguments::new(Space::Spatial).with("radius", FieldValue::Number(R));
    let rolling = Joint::build("rolling-disc", &arguments).unwrap().unwrap();
    let _ = model.add_joint("road", rolling, [MarkerIndex::GROUND, marker], &straight());
    model
}

fn roll(model: Model, duration: f64) -> Series {
    run(
        model,
        &study(
            Space::Spatial,
            duration,
            0.02,
            "projection",
            "dopri5",
            1e-10,
        ),
    )
}

#[test]
fn an_upright_disc_rolls_straight_on() {
    let series = roll(disc(2.0, 0.0, 0.0), 2.0);
    assert!(
        (series.last("disc.x") - 4.0).abs() < 1e-9,
        "{}",
        series.last("disc.x")
    );
    assert!(series.last("disc.y").abs() < 1e-9);
    assert!(
        (series.last("road.reaction.fz") - G).abs() < 1e-9,
        "the plane carries the weight"
    );
}

#[test]
fn a_leaning_disc_conserves_its_energy() {
    let series = roll(disc(2.0, 0.2, 0.4), 5.0);
    assert!(series.statistics.worst_energy / series.statistics.energy_scale < 1e-8);
    assert!(series.statistics.worst_position < 1e-11);
    assert!(series.statistics.worst_velocity < 1e-10);
}

#[test]
fn upright_rolling_is_stable_above_a_third_of_g_r() {
    // thin disc: stable when speed² > g R / 3
    let limit = (G * R / 3.0_f64).sqrt();
    let largest_lean = |speed: f64| {
        let series = roll(disc(speed, 1e-4, 0.0), 6.0);
        // the z component of the disc's axis is the sine of its lean
        let (e0, e1, e2, e3) = (
            series.all("disc.e0"),
            series.all("disc.e1"),
            series.all("disc.e2"),
            series.all("disc.e3"),
        );
        (0..e0.len())
            .map(|i| (e0[i] * e0[i] - e1[i] * e1[i] - e2[i] * e2[i] + e3[i] * e3[i]).abs())
            .fold(0.0, f64::max)
    };
    assert!(
        largest_lean(1.15 * limit) < 1e-3,
        "stable: {}",
        largest_lean(1.15 * limit)
    );
    assert!(
        largest_lean(0.7 * limit) > 0.05,
        "unstable: {}",
        largest_lean(0.7 * limit)
    );
}

#[test]
fn a_chaplygin_sleigh_follows_its_closed_form() {
    // Chaplygin sleigh, mass centre a distance a ahead of the blade, u along the blade, w turning:
    // u' = a w², w' = −m a u w/(J + m a²); so u² + (J + m a²)/m w² stays
    let (m, a, inertia) = (1.5, 0.2, 0.05);
    let mut model = Model::new("sleigh", Space::Planar);
    let mut body = Body::new(
        "sleigh",
        MassProperties::planar(m, [a, 0.0], inertia).unwrap(),
    );
    let (u0, w0) = (0.3, 2.0);
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(u0, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.0, w0),
    });
    let b = model.add_body(body);
    let marker = model.body_marker(b);
    let blade = joint("knife-edge", Space::Planar);
    let _ = model.add_joint("blade", blade, [MarkerIndex::GROUND, marker], &straight());
    let s = study(Space::Planar, 6.0, 0.1, "projection", "dopri5", 1e-11);
    let series = run(model, &s);
    let k2 = (inertia + m * a * a) / m;
    let c = (u0 * u0 + k2 * w0 * w0).sqrt();
    // u = c tanh(κ (t − t0)), w = c/k sech(κ (t − t0)), κ = a c/k²
    let kappa = a * c / k2;
    let t0 = -(u0 / c).atanh() / kappa;
    for (i, t) in series.times.iter().enumerate() {
        let angle = series.all("sleigh.angle")[i];
        let (vx, vy) = (series.all("sleigh.vx")[i], series.all("sleigh.vy")[i]);
        let u = vx * angle.cos() + vy * angle.sin();
        let side = -vx * angle.sin() + vy * angle.cos();
        let x = kappa * (t - t0);
        assert!((u - c * x.tanh()).abs() < 1e-9, "u({t}) = {u}");
        assert!((series.all("sleigh.omega")[i] - c / k2.sqrt() / x.cosh()).abs() < 1e-9);
        assert!(side.abs() < 1e-11);
    }
}
