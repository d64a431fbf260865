//! Random models with contacts, stops, ropes and dry friction: every run finishes or stops with a named reason, without penetration, and its energy balances.
//!
//! The scenes have one to four bodies in a basin of lines or half-spaces, in a bowl, or on joints. Lengths, masses, friction, restitution, velocities, the
//! formulation and the tolerance are random; a seed determines all of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout, reason = "a survey prints its summary")]

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use biela_core::analysis::{Formulation, Observer, Progress, Simulation, Stop, Study, assemble};
use biela_core::contact::{
    Capsule, Circle, Cuboid, Curve, Cylinder, Disc, Ellipsoid, HalfSpace, Line, Point, Points,
    Polygon, Sphere, Surface, SurfacePair,
};
use biela_core::forces::{Brake, JointFriction, JointSpringDamper, Limit};
use biela_core::integrators::{Dopri5, IntegrationError};
use biela_core::joints::{Distance, Prismatic, Revolute};
use biela_core::math::rotation::{about, matrix};
use biela_core::math::{Mat3, Pose, Random, Vec3};
use biela_core::model::{
    Body, BodyIndex, ContactLaw, MarkerIndex, MassProperties, Model, Signal, Space, Velocity0,
};
use biela_core::system::Instant;

const G: f64 = 9.81;

/// Steps after which a run counts as hanging.
const MOST_STEPS: usize = 30_000;

/// Seeds below 150 whose runs do not end well yet, left out of the quick test and examined by the other one: boxes stacked in space, of which several contacts
/// slide with indeterminate forces (75, 76), polygons with very many events (121), and an oscillation without contacts whose energy error exceeds the bound (64).
/// A run that ends well takes long (1).
const OPEN: [u64; 5] = [1, 64, 75, 76, 121];

/// A random model and how it is run.
struct Case {
    model: Model,
    formulation: Formulation,
    tolerance: f64,
    duration: f64,
    /// The unit of length.
    size: f64,
    /// What it consists of.
    label: String,
}

/// The generator of a case.
struct Scene {
    random: Random,
    model: Model,
    size: f64,
    label: String,
    /// Bodies with a surface.
    solids: Vec<(MarkerIndex, Surface)>,
}

impl Scene {
    fn spatial(&self) -> bool {
        self.model.space == Space::Spatial
    }

    /// Whether an event of this probability happens.
    fn chance(&mut self, probability: f64) -> bool {
        self.random.between(0.0, 1.0) < probability
    }

    fn law(&mut self) -> ContactLaw {
        let e = match self.random.below(4) {
            0 => 0.0,
            1 => 1.0,
            _ => self.random.between(0.0, 0.95),
        };
        let law = ContactLaw::SMOOTH.with_restitution(e);
        if self.chance(0.25) {
            return law;
        }
        let mu = self.random.between(0.0, 1.2);
        let law = law.with_friction(mu);
        if self.chance(0.3) {
            law.with_static_friction(mu * self.random.between(1.0, 1.5))
        } else {
            law
        }
    }

    /// A random surface of a body, with dimensions below one unit.
    fn surface(&mut self) -> Surface {
        let l = self.size;
        let mut d = |low: f64, high: f64| l * self.random.between(low, high);
        let (a, b, c) = (d(0.1, 0.35), d(0.1, 0.35), d(0.1, 0.35));
        let shape = self.random.below(6);
        if self.spatial() {
            return match shape {
                0 => Sphere::new(a).unwrap().into(),
                1 => Capsule::new(0.5 * a, b).unwrap().into(),
                2 => Cylinder::new(a, b).unwrap().into(),
                3 => Disc::rounded(a, 0.3 * a).unwrap().into(),
                4 => Ellipsoid::new([a, b, c]).unwrap().into(),
                _ => Cuboid::new([a, b, c]).unwrap().into(),
            };
        }
        match shape {
            0 | 1 => Circle::new(a).unwrap().into(),
            2 => Polygon::new(&[[-a, -b], [a, -b], [a, b], [-a, b]])
                .unwrap()
                .into(),
            3 => Polygon::new(&[[-a, -b], [a, -0.8 * b], [0.2 * c, b]])
                .unwrap()
                .into(),
            4 => Curve::from_formula(60, move |t| [a * t.cos(), b * t.sin()])
                .unwrap()
                .into(),
            _ => Points::new(vec![
                Vec3::new(a, 0.0, 0.0),
                Vec3::new(-b, 0.0, 0.0),
                Vec3::new(0.0, -c, 0.0),
            ])
            .unwrap()
            .into(),
        }
    }

    /// Mass and inertia of a body that fills about the bounds of its surface.
    fn mass(&mut self, r: f64) -> MassProperties {
        let m = if self.chance(0.2) {
            10.0_f64.powf(self.random.symmetric(2.0))
        } else {
            self.random.between(0.5, 3.0)
        };
        if self.spatial() {
            let j = Vec3::from_fn(|_, _| self.random.between(0.25, 0.4)) * (m * r * r);
            return MassProperties::new(m, Vec3::zeros(), Mat3::from_diagonal(&j)).unwrap();
        }
        let j = m * r * r * self.random.between(0.2, 0.5);
        MassProperties::planar(m, [0.0, 0.0], j).unwrap()
    }

    fn rotation(&mut self) -> Mat3<f64> {
        if self.spatial() {
            matrix(&self.random.rotation())
        } else {
            about(2, self.random.symmetric(3.0))
        }
    }

    /// Adds a body with a surface at a pose, with a random velocity unless it is at rest.
    fn body(&mut self, pose: Pose, surface: &Surface, rests: bool) -> BodyIndex {
        let mass = self.mass(surface.radius_of_bounds());
        let name = format!("body{}", self.solids.len());
        let mut body = Body::new(name, mass).at(pose);
        if !rests {
            let speed = (G * self.size).sqrt();
            let (mut linear, mut angular) = (
                self.random.vector(speed),
                self.random.vector(3.0 * speed / self.size),
            );
            if !self.spatial() {
                linear[2] = 0.0;
                (angular[0], angular[1]) = (0.0, 0.0);
            }
            body.velocity = Some(Velocity0 { linear, angular });
        }
        let body = self.model.add_body(body);
        let marker = self.model.body_marker(body);
        self.solids.push((marker, surface.clone()));
        body
    }

    fn wall(&self) -> Surface {
        if self.spatial() {
            HalfSpace.into()
        } else {
            Line.into()
        }
    }

    /// Adds a contact of a surface of the ground, at a pose, with all bodies.
    fn ground(&mut self, name: &str, surface: &Surface, pose: Pose) {
        let marker = self.model.add_marker(name, BodyIndex::GROUND, pose);
        let law = self.law();
        for (k, (other, own)) in self.solids.clone().iter().enumerate() {
            if SurfacePair::new(self.model.space, surface.clone(), own.clone()).is_ok() {
                let _ = self.model.add_contact(
                    format!("{name}_{k}"),
                    (marker, surface.clone()),
                    (*other, own.clone()),
                    law,
                );
            }
        }
    }

    /// Contacts between bodies.
    fn between(&mut self) {
        let law = self.law();
        for i in 0..self.solids.len() {
            for j in 0..i {
                let ((a, first), (b, second)) = (self.solids[j].clone(), self.solids[i].clone());
                if SurfacePair::new(self.model.space, first.clone(), second.clone()).is_ok() {
                    let _ = self.model.add_contact(
                        format!("pair_{j}_{i}"),
                        (a, first),
                        (b, second),
                        law,
                    );
                }
            }
        }
    }

    /// The pose whose up axis (y in the plane, z in space) is turned by an angle about z, or y.
    fn tilted(&self, angle: f64, origin: Vec3<f64>) -> Pose {
        Pose::new(about(if self.spatial() { 1 } else { 2 }, angle), origin)
    }

    fn up(&self, x: f64, height: f64) -> Vec3<f64> {
        if self.spatial() {
            Vec3::new(x, 0.0, height)
        } else {
            Vec3::new(x, height, 0.0)
        }
    }

    /// Bodies thrown onto a floor between walls.
    fn basin(&mut self) {
        let count = 1 + self.random.below(4);
        let l = self.size;
        for k in 0..count {
            let surface = self.surface();
            self.label += surface.name();
            self.label += " ";
            let height = l * self.random.between(0.6, 1.2);
            let at = self.up(1.2 * l * k as f64, height);
            let pose = Pose::new(self.rotation(), at);
            let _ = self.body(pose, &surface, false);
        }
        let slope = if self.chance(0.5) {
            self.random.symmetric(0.1)
        } else {
            0.0
        };
        let (floor, wall) = (self.tilted(slope, Vec3::zeros()), self.wall());
        self.ground("floor", &wall, floor);
        if self.chance(0.5) {
            let side = if self.spatial() { 1.0 } else { -1.0 } * std::f64::consts::FRAC_PI_2;
            let left = self.tilted(side, self.up(-0.8 * l, 0.0));
            let right = self.tilted(-side, self.up(1.2 * l * (count - 1) as f64 + 0.8 * l, 0.0));
            self.ground("left", &wall, left);
            self.ground("right", &wall, right);
        }
        if self.chance(0.7) {
            self.between();
        }
    }

    /// Round bodies within a circle or a sphere.
    fn bowl(&mut self) {
        let count = 1 + self.random.below(3);
        let l = self.size;
        for k in 0..count {
            let a = l * self.random.between(0.1, 0.3);
            let b = l * self.random.between(0.1, 0.3);
            let surface: Surface = match (self.spatial(), self.random.below(3)) {
                (true, 0) => Capsule::new(0.5 * a, b).unwrap().into(),
                (true, 1) => Cuboid::new([a, b, a]).unwrap().into(),
                (true, _) => Sphere::new(a).unwrap().into(),
                (false, 0) => Polygon::new(&[[-a, -b], [a, -b], [a, b], [-a, b]])
                    .unwrap()
                    .into(),
                (false, _) => Circle::new(a).unwrap().into(),
            };
            self.label += surface.name();
            self.label += " ";
            let at = self.up(0.9 * l * (k as f64 - 0.5 * (count - 1) as f64), 0.1 * l);
            let pose = Pose::new(self.rotation(), at);
            let _ = self.body(pose, &surface, false);
        }
        let bowl: Surface = if self.spatial() {
            Sphere::inside(2.0 * l).unwrap().into()
        } else {
            Circle::inside(2.0 * l).unwrap().into()
        };
        self.ground("bowl", &bowl, Pose::translation(0.0, 0.0, 0.0));
        self.between();
    }

    /// Boxes stacked on a floor, which may be inclined; the lowest may move.
    fn stack(&mut self) {
        let count = 1 + self.random.below(if self.spatial() { 2 } else { 3 });
        let l = self.size;
        let alpha = if self.chance(0.6) {
            self.random.symmetric(0.5)
        } else {
            0.0
        };
        self.model.gravity = if self.spatial() {
            let turn = self.random.symmetric(3.0);
            let (s, c) = turn.sin_cos();
            Vec3::new(G * alpha.sin() * c, G * alpha.sin() * s, -G * alpha.cos())
        } else {
            Vec3::new(G * alpha.sin(), -G * alpha.cos(), 0.0)
        };
        let mut height = 0.0;
        let mut width = l;
        for _ in 0..count {
            let (a, b) = (
                l * self.random.between(0.3, 0.8),
                l * self.random.between(0.1, 0.6),
            );
            let a = a.min(0.95 * width);
            width = a;
            let surface: Surface = if self.spatial() {
                Cuboid::new([a, 0.9 * a, b]).unwrap().into()
            } else {
                let (x, y) = (0.5 * a, 0.5 * b);
                Polygon::new(&[[-x, -y], [x, -y], [x, y], [-x, y]])
                    .unwrap()
                    .into()
            };
            self.label += surface.name();
            self.label += " ";
            let at = self.up(0.0, height + 0.5 * b);
            height += b;
            let _ = self.body(Pose::new(Mat3::identity(), at), &surface, true);
        }
        let push = self.chance(0.5);
        if push {
            let speed = (G * l).sqrt() * self.random.symmetric(1.0);
            let linear = Vec3::new(speed, 0.0, 0.0);
            let all = 0..self.model.bodies.len();
            for k in all {
                self.model.bodies[k].velocity = Some(Velocity0 {
                    linear,
                    angular: Vec3::zeros(),
                });
            }
        }
        let wall = self.wall();
        self.ground("floor", &wall, Pose::translation(0.0, 0.0, 0.0));
        self.between();
    }

    /// A double pendulum above a floor with friction, brakes and stops in its joints.
    fn pendulums(&mut self) {
        let l = self.size;
        let count = 1 + self.random.below(2);
        let mut before =
            self.model
                .add_marker("hook", BodyIndex::GROUND, Pose::translation(0.0, l, 0.0));
        for k in 0..count {
            let length = l * self.random.between(0.4, 0.9);
            let m = self.random.between(0.5, 3.0);
            let j = m * length * length / 12.0;
            let mass = if self.spatial() {
                let inertia = Mat3::from_diagonal(&Vec3::new(0.1 * j, j, j));
                MassProperties::new(m, Vec3::new(0.5 * length, 0.0, 0.0), inertia).unwrap()
            } else {
                MassProperties::planar(m, [0.5 * length, 0.0], j).unwrap()
            };
            let body = self.model.add_body(Body::new(format!("rod{k}"), mass));
            let start = self.model.body_marker(body);
            let pin = self
                .model
                .connect(format!("pin{k}"), Revolute, [before, start]);
            let rate = self.random.symmetric(3.0) * (G / l).sqrt();
            let angle = self.random.symmetric(0.3);
            self.model.set_initial(pin, 0, angle, rate);
            let torque = m * G * l * self.random.between(0.01, 0.6);
            if self.chance(0.4) {
                let rub = JointFriction::new(pin)
                    .coulomb(torque)
                    .transition_speed(0.0);
                let rub = if self.chance(0.5) {
                    rub.breakaway(1.3 * torque)
                } else {
                    rub
                };
                let _ = self.model.add_force(format!("rub{k}"), rub);
                self.label += "rub ";
            }
            if self.chance(0.3) {
                let _ = self
                    .model
                    .add_force(format!("brake{k}"), Brake::new(pin, 0.5 * torque));
                self.label += "brake ";
            }
            if self.chance(0.5) {
                let e = self.random.between(0.0, 1.0);
                let upper = self.random.between(0.5, 2.0);
                let limit = Limit::new(pin)
                    .law("rigid")
                    .lower(-upper)
                    .upper(upper)
                    .restitution(e);
                let _ = self.model.add_force(format!("stop{k}"), limit);
                self.label += "stop ";
            }
            if self.chance(0.3) {
                let spring = JointSpringDamper::new(pin)
                    .stiffness(torque)
                    .damping(0.1 * torque * (l / G).sqrt());
                let _ = self.model.add_force(format!("spring{k}"), spring);
            }
            let tip = Pose::translation(length, 0.0, 0.0);
            before = self.model.add_marker(format!("tip{k}"), body, tip);
            self.solids.push((before, Point.into()));
        }
        if self.chance(0.7) {
            let r = l * self.random.between(0.02, 0.1);
            let ball: Surface = if self.spatial() {
                Sphere::new(r).unwrap().into()
            } else {
                Circle::new(r).unwrap().into()
            };
            self.solids.iter_mut().for_each(|one| one.1 = ball.clone());
        }
        // gravity acts in the plane of motion
        self.model.gravity = Vec3::new(0.0, -G, 0.0);
        let (wall, height) = (self.wall(), -l * self.random.between(0.0, 0.6));
        let floor = if self.spatial() {
            Pose::new(
                about(0, -std::f64::consts::FRAC_PI_2),
                Vec3::new(0.0, height, 0.0),
            )
        } else {
            Pose::translation(0.0, height, 0.0)
        };
        self.ground("floor", &wall, floor);
    }

    /// Sleds on a rail with stops, dry friction and springs, and bodies on ropes.
    fn rails(&mut self) {
        let l = self.size;
        let count = 1 + self.random.below(3);
        let alpha = self.random.symmetric(0.5);
        self.model.gravity = Vec3::new(G * alpha.sin(), -G * alpha.cos(), 0.0);
        let mut last = MarkerIndex::GROUND;
        for k in 0..count {
            let mass = self.mass(0.2 * l);
            let m = mass.mass;
            let body = self.model.add_body(Body::new(format!("sled{k}"), mass));
            let marker = self.model.body_marker(body);
            if k > 0 && self.chance(0.5) {
                // a stone on a rope
                let rope = l * self.random.between(0.5, 1.0);
                let at = Pose::translation(0.3 * rope, -0.5 * rope, 0.0);
                self.model.bodies[body.0] = self.model.bodies[body.0].clone().at(at);
                let _ = self.model.connect(
                    format!("rope{k}"),
                    Distance::new(rope).at_most(true),
                    [last, marker],
                );
                self.label += "rope ";
                last = marker;
                continue;
            }
            let rail =
                self.model
                    .connect(format!("rail{k}"), Prismatic, [MarkerIndex::GROUND, marker]);
            let speed = (G * l).sqrt() * self.random.symmetric(1.0);
            self.model.set_initial(rail, 0, 0.0, speed);
            let e = self.random.between(0.0, 1.0);
            let _ = self.model.add_force(
                format!("stop{k}"),
                Limit::new(rail)
                    .law("rigid")
                    .lower(-0.5 * l)
                    .upper(0.7 * l)
                    .restitution(e),
            );
            if self.chance(0.6) {
                let force = m * G * self.random.between(0.05, 0.6);
                let rub = JointFriction::new(rail)
                    .coulomb(force)
                    .transition_speed(0.0);
                let _ = self.model.add_force(format!("rub{k}"), rub);
                self.label += "rub ";
            }
            if self.chance(0.5) {
                let spring = JointSpringDamper::new(rail)
                    .stiffness(m * G / l * self.random.between(0.5, 50.0));
                let _ = self.model.add_force(format!("spring{k}"), spring);
                self.label += "spring ";
            }
            last = marker;
        }
    }
}

/// The case of a seed.
fn case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let space = if random.below(2) == 0 {
        Space::Planar
    } else {
        Space::Spatial
    };
    let size = if random.below(4) == 0 {
        10.0_f64.powf(random.between(-4.0, 3.0))
    } else {
        1.0
    };
    let formulation = if random.below(2) == 0 {
        Formulation::Absolute
    } else {
        Formulation::Tree
    };
    let tolerance = 10.0_f64.powi(-4 - random.below(7) as i32);
    let duration = random.between(0.5, 2.0) * size.sqrt();
    let kind = random.below(6);
    let mut scene = Scene {
        random,
        model: Model::new(format!("seed {seed}"), space),
        size,
        label: format!("{space:?} {formulation:?} {tolerance:.0e} size {size:.1e}: "),
        solids: Vec::new(),
    };
    scene.model.gravity = if space == Space::Spatial {
        Vec3::new(0.0, 0.0, -G)
    } else {
        Vec3::new(0.0, -G, 0.0)
    };
    let word = match kind {
        0 | 1 => ("basin ", Scene::basin as fn(&mut Scene)),
        2 => ("bowl ", Scene::bowl as fn(&mut Scene)),
        3 => ("stack ", Scene::stack as fn(&mut Scene)),
        4 => ("pendulums ", Scene::pendulums as fn(&mut Scene)),
        _ => ("rails ", Scene::rails as fn(&mut Scene)),
    };
    scene.label += word.0;
    word.1(&mut scene);
    Case {
        model: scene.model,
        formulation,
        tolerance,
        duration,
        size,
        label: scene.label,
    }
}

/// Watches the gaps, counts the steps.
struct Watch {
    gaps: Vec<Signal>,
    lowest: f64,
    steps: usize,
    broken: bool,
}

impl Observer for Watch {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        for gap in &self.gaps {
            let gap = instant.signal(*gap);
            self.broken |= gap.is_nan();
            self.lowest = self.lowest.min(gap);
        }
        ControlFlow::Continue(())
    }

    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// How a run ended, and what is wrong with it.
#[derive(Debug, Default)]
struct Outcome {
    end: &'static str,
    faults: Vec<String>,
    steps: usize,
    residual: f64,
}

fn simulation(case: &Case) -> Simulation {
    let study = Study::new(case.model.space, case.duration, case.duration / 40.0)
        .with_formulation(case.formulation)
        .with_integrator(Dopri5::new().tolerance(case.tolerance));
    Simulation::new(
        assemble(case.model.clone(), case.formulation).unwrap(),
        &study,
    )
    .unwrap()
}

/// The bits of the state at the end of the last step.
fn bits(run: &Simulation) -> Vec<u64> {
    let state = run.state();
    let all = state
        .q
        .iter()
        .chain(&state.v)
        .chain(&state.work)
        .chain(&state.memory);
    all.map(|x| x.to_bits()).collect()
}

fn examine(seed: u64) -> Outcome {
    let case = case(seed);
    let mut outcome = Outcome::default();
    let mut run = simulation(&case);
    let gaps = case
        .model
        .contacts
        .iter()
        .map(|c| case.model.signal(&format!("{}.gap", c.name)).unwrap());
    let mut watch = Watch {
        gaps: gaps.collect(),
        lowest: 0.0,
        steps: 0,
        broken: false,
    };
    let half = run.advance_observed(0.5 * case.duration, &mut watch);
    let mut other = None;
    let ended = half.and_then(|stop| {
        if stop != Stop::Finished {
            return Ok(stop);
        }
        other = Some(run.snapshot());
        run.run(&mut watch)
    });
    outcome.end = match &ended {
        Ok(Stop::Finished) => "finished",
        Ok(_) => "steps",
        Err(failure) => match failure.cause {
            IntegrationError::Painleve { .. } => "painleve",
            IntegrationError::NoContactModes { .. } => "no modes",
            IntegrationError::Penetration { .. } => "penetration",
            _ => "other",
        },
    };
    let mut fault = |text: String| outcome.faults.push(text);
    if let Err(failure) = &ended
        && matches!(outcome.end, "other" | "no modes" | "penetration")
    {
        fault(format!("{failure}"));
    }
    if outcome.end == "steps" {
        fault(format!("more than {MOST_STEPS} steps, at {}", run.time()));
    }
    let seen = run.contact_statistics();
    let statistics = run.statistics();
    if watch.broken || run.state().v.iter().any(|v| !v.is_finite()) {
        fault("not finite".to_owned());
    }
    if watch.lowest < -3e-9 * case.size || seen.penetration > 3e-9 * case.size {
        fault(format!(
            "gap {:.2e}, penetration {:.2e}",
            watch.lowest / case.size,
            seen.penetration / case.size
        ));
    }
    // bodies at rest exchange no energy
    let mass: f64 = case.model.bodies.iter().map(|body| body.mass.mass).sum();
    let scale = statistics.energy_scale.max(1e-9 * mass * G * case.size);
    let error = statistics.worst_energy / scale;
    let bound = 100.0 * case.tolerance + 1e-9;
    if error > bound {
        fault(format!(
            "energy {error:.2e} of {scale:.2e} J, bound {bound:.2e}"
        ));
    }
    outcome.residual = seen.worst_residual;
    if seen.worst_residual > 1e-11 {
        fault(format!("residual {:.1e}", seen.worst_residual));
    }
    if let (Some(words), Ok(_)) = (&other, &ended) {
        let mut again = simulation(&case);
        let restored = again.restore(words).is_ok();
        let _ = again.run(&mut ());
        if !restored || bits(&again) != bits(&run) {
            fault("a snapshot continues differently".to_owned());
        }
    }
    outcome.steps = watch.steps;
    if !outcome.faults.is_empty() {
        outcome.faults.push(format!("{} {seen:?}", case.label));
    }
    outcome
}

/// Examines seeds and returns the faulty ones, after printing a summary.
fn survey(seeds: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut ends: Vec<(&str, usize)> = Vec::new();
    let (mut faulty, mut steps, mut residual) = (Vec::new(), 0, 0.0_f64);
    for seed in seeds {
        let start = std::time::Instant::now();
        let outcome =
            catch_unwind(AssertUnwindSafe(|| examine(seed))).unwrap_or_else(|_| Outcome {
                end: "panic",
                faults: vec![case(seed).label],
                ..Outcome::default()
            });
        match ends.iter_mut().find(|(end, _)| *end == outcome.end) {
            Some((_, count)) => *count += 1,
            None => ends.push((outcome.end, 1)),
        }
        steps += outcome.steps;
        residual = residual.max(outcome.residual);
        let seconds = start.elapsed().as_secs_f64();
        if !outcome.faults.is_empty() || seconds > 3.0 {
            println!(
                "seed {seed} ({seconds:.1} s): {}: {}",
                outcome.end,
                outcome.faults.join("; ")
            );
        }
        if !outcome.faults.is_empty() {
            faulty.push(seed);
        }
    }
    println!(
        "{ends:?}, {steps} steps, worst residual {residual:.1e}, faulty {}",
        faulty.len()
    );
    faulty
}

#[test]
fn random_contacts_end_well() {
    let faulty = survey((0..150).filter(|seed| !OPEN.contains(seed)));
    assert!(faulty.is_empty(), "{faulty:?}");
}

#[test]
#[ignore = "takes some minutes"]
fn many_random_contacts_end_well() {
    let number = |name: &str, default| {
        std::env::var(name)
            .ok()
            .and_then(|x| x.parse().ok())
            .unwrap_or(default)
    };
    let faulty = survey(number("FROM", 0)..number("TO", 2000));
    assert!(faulty.is_empty(), "{faulty:?}");
}
