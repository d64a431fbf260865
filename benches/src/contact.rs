//! Rigid contacts in closed form: time at equal error beside programs with soft contacts and with time stepping.

use std::f64::consts::PI;
use std::path::Path;
use std::process::Command;

use biela_core::analysis::{Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, Line, Polygon};
use biela_core::forces::{JointFriction, JointSpringDamper};
use biela_core::integrators::Dopri5;
use biela_core::joints::{Prismatic, Revolute};
use biela_core::math::rotation::about;
use biela_core::math::{Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, ContactLaw, DriverTarget, MarkerIndex, MassProperties, Model, Motion, Space,
    Velocity0,
};
use serde::Deserialize;

use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

const G: f64 = 9.81;

/// Number of instants at which a motion is compared.
const SAMPLES: usize = 20;

/// Tolerances of our runs.
const TOLERANCES: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/// Our share of the time of the fastest peer at equal error, at most.
const SHARE: f64 = 1.0 / 3.0;

/// A motion with a closed form.
struct ContactCase {
    name: &'static str,
    duration: f64,
    /// Builds the model; the signal is compared.
    model: fn() -> Result<Model, Error>,
    signal: &'static str,
    formulation: Formulation,
    exact: fn(f64) -> f64,
    /// A peer is compared where its error is below this, m: a tenth of the range of the motion.
    useful: f64,
}

const CASES: [ContactCase; 4] = [
    ContactCase {
        name: "ball",
        duration: 2.0,
        model: ball,
        signal: "ball.y",
        formulation: Formulation::Tree,
        exact: height_of_ball,
        useful: 0.1,
    },
    ContactCase {
        name: "slope",
        duration: 5.0,
        model: slope,
        signal: "block.x",
        formulation: Formulation::Absolute,
        exact: way_on_slope,
        useful: 0.1,
    },
    ContactCase {
        name: "belt",
        duration: 4.0,
        model: belt,
        signal: "block.x",
        formulation: Formulation::Tree,
        exact: deflection_on_belt,
        useful: 2.8e-3,
    },
    ContactCase {
        name: "cam",
        duration: 2.0,
        model: cam,
        signal: "follower.y",
        formulation: Formulation::Tree,
        exact: height_of_follower,
        useful: 2.3e-3,
    },
];

/// A measurement of a peer, printed by its script.
#[derive(Deserialize)]
struct ContactPeer {
    setting: String,
    version: String,
    seconds: f64,
    values: Vec<f64>,
}

/// The scripts of the peers, and the interpreters that may have the program.
fn scripts(python: &str) -> [(&'static str, Vec<&str>); 3] {
    [
        ("peers/contact_mujoco.py", vec![python]),
        ("peers/contact_exudyn.py", vec![python]),
        // a package of the operating system
        (
            "peers/contact_siconos.py",
            vec!["python3", "/usr/bin/python3"],
        ),
    ]
}

/// Our times and errors at all tolerances, and those of the peers at all of their settings, with our time at an error that is not larger.
pub(crate) fn run(report: &mut BenchmarkReport, python: Option<&str>) -> Result<(), Error> {
    for case in &CASES {
        let mut ours = Vec::new();
        for tolerance in TOLERANCES {
            let (seconds, error) = clock::median(|| case.measure(tolerance))?;
            let name = format!("contact/{}/{tolerance:.0e}", case.name);
            report.row(&BenchmarkRow::ours(name, seconds, Some(error)))?;
            ours.push((seconds, error));
        }
        let mut worst = 0.0_f64;
        for peer in python.map_or_else(Vec::new, |python| case.peers(python)) {
            let peer_error = case.error(&peer.values);
            let equal = ours.iter().filter(|(_, error)| *error <= peer_error);
            let Some(&(seconds, error)) = equal.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                continue;
            };
            let row = BenchmarkRow {
                peer_error: Some(peer_error),
                ..BenchmarkRow::ours(format!("contact/{}", case.name), seconds, Some(error))
                    .beside(format!("{}, {}", peer.version, peer.setting), peer.seconds)
            };
            if peer_error <= case.useful {
                worst = worst.max(row.ratio.unwrap_or(0.0));
            }
            report.row(&row)?;
        }
        report.require(
            worst <= SHARE,
            format!(
                "contact/{}: {worst:.2} of the time of a peer at equal error, at most {SHARE:.2}",
                case.name
            ),
        );
    }
    Ok(())
}

impl ContactCase {
    fn instant(&self, k: usize) -> f64 {
        self.duration * (k + 1) as f64 / SAMPLES as f64
    }

    /// The largest difference from the closed form.
    fn error(&self, values: &[f64]) -> f64 {
        let apart = |(k, value): (usize, &f64)| (value - (self.exact)(self.instant(k))).abs();
        values.iter().enumerate().map(apart).fold(0.0, f64::max)
    }

    /// Time and error of a run.
    fn measure(&self, tolerance: f64) -> Result<(f64, f64), Error> {
        let study = Study::new(Space::Planar, self.duration, self.duration / SAMPLES as f64)
            .with_formulation(self.formulation)
            .with_integrator(Dopri5::new().tolerance(tolerance));
        let model = (self.model)()?;
        let signal = model.signal(self.signal).ok_or("no such signal")?;
        let mut simulation = Simulation::new(assemble(model, self.formulation)?, &study)?;
        let mut values = Vec::with_capacity(SAMPLES);
        let (seconds, done) = clock::time(|| -> Result<(), Error> {
            for k in 0..SAMPLES {
                let _ = simulation.advance(self.instant(k))?;
                values.push(simulation.read(signal)?);
            }
            Ok(())
        });
        done?;
        Ok((seconds, self.error(&values)))
    }

    /// Runs the scripts of the peers; one that is not installed, or cannot do the case, has no lines.
    fn peers(&self, python: &str) -> Vec<ContactPeer> {
        let mut found = Vec::new();
        for (script, interpreters) in scripts(python) {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
            for interpreter in interpreters {
                let output = Command::new(interpreter)
                    .arg(&script)
                    .args([self.name, &self.duration.to_string(), &SAMPLES.to_string()])
                    .current_dir(std::env::temp_dir())
                    .output();
                let Ok(output) = output else { continue };
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                found.extend(
                    text.lines()
                        .filter_map(|line| serde_json::from_str(line).ok()),
                );
                if output.status.success() {
                    break;
                }
            }
        }
        found
    }
}

/// A body in the plane with its mass centre at (x, y).
fn body(
    model: &mut Model,
    name: &str,
    (m, j): (f64, f64),
    at: [f64; 2],
) -> Result<(BodyIndex, MarkerIndex), Error> {
    let mass = MassProperties::planar(m, [0.0, 0.0], j)?;
    let pose = Pose::translation(at[0], at[1], 0.0);
    let body = model.add_body(Body::new(name, mass).at(pose));
    Ok((body, model.body_marker(body)))
}

/// Sets the initial velocity of a body.
fn start(model: &mut Model, body: BodyIndex, x: f64, y: f64) {
    model.bodies[body.0].velocity = Some(Velocity0 {
        linear: Vec3::new(x, y, 0.0),
        angular: Vec3::zeros(),
    });
}

/// A driver that turns or moves a joint at a constant velocity.
fn linear(start: f64, velocity: f64) -> Motion {
    Motion::of_time(move |t| start + velocity * t)
}

/// A ball of radius 0.1 m that falls from a height of 1 m, e = 0.7.
fn ball() -> Result<Model, Error> {
    let mut model = Model::new("ball", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let (_, ball) = body(&mut model, "ball", (2.0, 0.1), [0.0, 1.1])?;
    let law = ContactLaw::SMOOTH.with_restitution(0.7);
    let _ = model.add_contact(
        "floor",
        (MarkerIndex::GROUND, Line),
        (ball, Circle::new(0.1)?),
        law,
    );
    Ok(model)
}

fn height_of_ball(t: f64) -> f64 {
    let (e, mut velocity) = (0.7, (2.0 * G).sqrt());
    let mut since = t + velocity / G;
    loop {
        let flight = 2.0 * velocity / G;
        if since <= flight {
            return 0.1 + velocity * since - 0.5 * G * since * since;
        }
        since -= flight;
        velocity *= e;
    }
}

const SLOPE: (f64, f64) = (0.25, 0.3);

/// A block that slides down a slope at 1 m/s, stops and holds.
fn slope() -> Result<Model, Error> {
    let (tangent, mu) = SLOPE;
    let angle = tangent.atan();
    let mut model = Model::new("slope", Space::Planar);
    model.gravity = Vec3::new(G * angle.sin(), -G * angle.cos(), 0.0);
    let (x, y) = (0.2, 0.1);
    let inertia = 2.0 * (4.0 * x * x + 4.0 * y * y) / 12.0;
    let (block, marker) = body(&mut model, "block", (2.0, inertia), [0.0, y])?;
    start(&mut model, block, 1.0, 0.0);
    let outline = Polygon::new(&[[-x, -y], [x, -y], [x, y], [-x, y]])?;
    let law = ContactLaw::SMOOTH.with_friction(mu);
    let _ = model.add_contact("slope", (MarkerIndex::GROUND, Line), (marker, outline), law);
    Ok(model)
}

fn way_on_slope(t: f64) -> f64 {
    let (tangent, mu) = SLOPE;
    let braking = G * tangent.atan().cos() * (mu - tangent);
    let moving = t.min(1.0 / braking);
    moving - 0.5 * braking * moving * moving
}

/// Natural frequency, velocity of the belt, coefficients of friction in stick and slip.
const BELT: (f64, f64, f64, f64) = (10.0, 0.1, 0.4, 0.3);

/// A mass on a spring and a belt, at the instant at which it begins to slip.
fn belt() -> Result<Model, Error> {
    let (omega, v, rest, slip) = BELT;
    let mut model = Model::new("belt", Space::Planar);
    let (_, moving) = body(&mut model, "belt", (5.0, 0.1), [0.0, 0.0])?;
    let rail = model.connect("rail", Prismatic, [MarkerIndex::GROUND, moving]);
    let _ = model.add_driver("motor", DriverTarget::Joint(rail, 0), linear(0.0, v));
    let x = rest * G / (omega * omega);
    let (block, marker) = body(&mut model, "block", (1.0, 0.1), [x, 0.0])?;
    let surface = model.connect("surface", Prismatic, [moving, marker]);
    let friction = JointFriction::new(surface)
        .coulomb(slip * G)
        .breakaway(rest * G)
        .transition_speed(0.0);
    let _ = model.add_force("friction", friction);
    let guide = model.connect("guide", Prismatic, [MarkerIndex::GROUND, marker]);
    let _ = model.add_force(
        "spring",
        JointSpringDamper::new(guide).stiffness(omega * omega),
    );
    start(&mut model, block, v, 0.0);
    Ok(model)
}

fn deflection_on_belt(t: f64) -> f64 {
    let (omega, v, rest, slip) = BELT;
    let middle = slip * G / (omega * omega);
    let a = (rest - slip) * G / (omega * omega);
    let slips = 2.0 / omega * (PI - (a * omega / v).atan());
    let sticks = 2.0 * a / v;
    let since = t % (slips + sticks);
    if since <= slips {
        middle + a * (omega * since).cos() + v / omega * (omega * since).sin()
    } else {
        middle - a + v * (since - slips)
    }
}

/// Radius and eccentricity of the cam, and the angle of its centre at the start.
const CAM: (f64, f64, f64) = (0.05, 0.01, -1.5);

/// 1.5 times the speed of the first lift-off.
fn cam_speed() -> f64 {
    1.5 * (G / CAM.1).sqrt()
}

/// An eccentric cam under a flat follower.
fn cam() -> Result<Model, Error> {
    let ((radius, e, angle), speed) = (CAM, cam_speed());
    let mut model = Model::new("cam", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let (cam, shaft_end) = body(&mut model, "cam", (1.0, 0.01), [0.0, 0.0])?;
    let shaft = model.connect("shaft", Revolute, [MarkerIndex::GROUND, shaft_end]);
    let _ = model.add_driver("motor", DriverTarget::Joint(shaft, 0), linear(angle, speed));
    let centre = model.add_marker("centre", cam, Pose::translation(e, 0.0, 0.0));
    let (follower, marker) = body(
        &mut model,
        "follower",
        (1.0, 0.01),
        [0.0, radius + e * angle.sin()],
    )?;
    let _ = model.add_joint(
        "guide",
        Prismatic,
        [MarkerIndex::GROUND, marker],
        &about(2, 0.5 * PI),
    );
    let down = model.add_marker("face", follower, Pose::new(about(2, PI), Vec3::zeros()));
    let disc = Circle::new(radius)?;
    let _ = model.add_contact("contact", (centre, disc), (down, Line), ContactLaw::SMOOTH);
    start(&mut model, follower, 0.0, e * speed * angle.cos());
    Ok(model)
}

/// The follower rests on the cam until the cam falls faster than it, flies, and is caught without rebound.
fn height_of_follower(t: f64) -> f64 {
    let ((radius, e, angle), speed) = (CAM, cam_speed());
    let lift = |t: f64| radius + e * (angle + speed * t).sin();
    let rate = |t: f64| e * speed * (angle + speed * t).cos();
    let period = 2.0 * PI / speed;
    // sin φ = g/(e ω²) where the cam first falls with g
    let leaves = (G / (e * speed * speed)).asin();
    let mut lifted = (leaves - angle) / speed;
    loop {
        if t <= lifted {
            return lift(t);
        }
        let (y, v) = (lift(lifted), rate(lifted));
        let height = |t: f64| y + v * (t - lifted) - 0.5 * G * (t - lifted) * (t - lifted);
        let gap = |t: f64| height(t) - lift(t);
        let landed = first_zero(gap, lifted + 1e-3 * period, 1e-3 * period);
        if t <= landed {
            return height(t);
        }
        let phase = (angle + speed * landed).rem_euclid(2.0 * PI);
        let falls = phase > leaves && phase < PI - leaves;
        lifted = if falls {
            landed
        } else {
            landed + (leaves - phase).rem_euclid(2.0 * PI) / speed
        };
        if t <= lifted {
            return lift(t);
        }
    }
}

/// The first zero of a function that is positive at `start`, by steps and bisection.
fn first_zero(f: impl Fn(f64) -> f64, start: f64, step: f64) -> f64 {
    let mut end = start + step;
    while f(end) > 0.0 {
        end += step;
    }
    let mut begin = end - step;
    for _ in 0..60 {
        let middle = 0.5 * (begin + end);
        if f(middle) > 0.0 {
            begin = middle;
        } else {
            end = middle;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::CASES;

    #[test]
    fn our_errors_follow_the_tolerance_in_every_case() {
        for case in &CASES {
            let (_, error) = case.measure(1e-10).unwrap();
            assert!(error < 1e-8, "{}: {error:e}", case.name);
        }
    }
}
