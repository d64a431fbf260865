//! Loops whose bodies have random initial poses are assembled, or rejected in time.

use std::time::{Duration, Instant};

use biela::Job;
use biela::core::analysis::{AssembleError, Formulation, assemble};
use biela::core::math::rotation::{about, matrix};
use biela::core::math::{Pose, Random, Vec3};
use biela::core::model::{Model, Space};

use super::linkages::{FIVE_BAR, bennett, closed_chain, example, read, stewart};

/// Reads a model.
type Reader = Box<dyn Fn() -> Job>;

/// The loops, each read again for every random initial pose.
fn loops() -> Vec<(&'static str, Reader)> {
    let (links, angles) = bennett(0.9);
    let bennett = closed_chain("bennett", &links, &angles);
    vec![
        ("four-bar", Box::new(|| example("mechanisms/four-bar"))),
        (
            "slider-crank",
            Box::new(|| example("mechanisms/slider-crank")),
        ),
        (
            "spatial slider-crank",
            Box::new(|| example("spatial/spatial-slider-crank")),
        ),
        ("five-bar", Box::new(|| read(FIVE_BAR))),
        ("platform on six legs", Box::new(|| read(&stewart()))),
        (
            "suspension corner",
            Box::new(|| example("vehicles/suspension-corner")),
        ),
        (
            "six-bar of Watt",
            Box::new(|| example("mechanisms/watt-six-bar")),
        ),
        ("linkage of Bennett", Box::new(move || read(&bennett))),
    ]
}

/// The farthest point of a joint from the frame of its body.
fn reach(model: &Model) -> f64 {
    let ends = model
        .joints
        .iter()
        .flat_map(|j| [j.first.1.p, j.second.1.p]);
    ends.fold(0.0, |m, p| f64::max(m, p.norm()))
}

/// The model without drivers and starting coordinates, with every body within five times its reach, turned at random.
fn thrown(mut model: Model, random: &mut Random) -> Model {
    model.drivers.clear();
    model
        .joints
        .iter_mut()
        .for_each(|joint| joint.initial.clear());
    let most = 5.0 * reach(&model);
    let space = model.space;
    for body in &mut model.bodies {
        let (mut p, turned) = (random.vector(most), random.rotation());
        let mut turned = matrix(&turned);
        if space == Space::Planar {
            p = Vec3::new(p.x, p.y, 0.0);
            turned = about(2, random.symmetric(std::f64::consts::PI));
        }
        body.start.pose = Some(Pose::new(turned, p));
        body.start.keep = false;
        body.velocity = None;
    }
    model
}

struct Tally {
    closed: usize,
    slowest: Duration,
    iterations: usize,
}

/// Throws each loop so many times.
fn throw(name: &str, job: &dyn Fn() -> Job, times: usize) -> Tally {
    let mut random = Random::new(1 + name.len() as u64);
    let mut tally = Tally {
        closed: 0,
        slowest: Duration::ZERO,
        iterations: 0,
    };
    for k in 0..times {
        let thrown = thrown(job().model, &mut random);
        let begun = Instant::now();
        match assemble(thrown, Formulation::Absolute) {
            Ok(assembled) => {
                assert!(assembled.position_error <= 1e-10, "{name} {k}");
                assert!(
                    assembled
                        .notes
                        .iter()
                        .all(|note| !note.contains("axis reversed")),
                    "{name} {k}: {:?}",
                    assembled.notes
                );
                tally.closed += 1;
                tally.iterations += assembled.iterations;
            }
            Err(error) => assert!(
                matches!(error, AssembleError::Positions { .. }),
                "{name} {k}: {error}"
            ),
        }
        tally.slowest = tally.slowest.max(begun.elapsed());
    }
    tally
}

fn throw_all(times: usize, slowest: Duration) {
    let mut short = Vec::new();
    for (name, job) in loops() {
        let tally = throw(name, &*job, times);
        println!(
            "{name}: {} of {times} closed, after {} iterations on average, the slowest in {:.2} s",
            tally.closed,
            tally.iterations / tally.closed.max(1),
            tally.slowest.as_secs_f64()
        );
        if 100 * tally.closed < 95 * times || tally.slowest > slowest {
            short.push(name);
        }
    }
    assert!(short.is_empty(), "too few closed, or too late: {short:?}");
}

#[test]
fn loops_are_assembled_from_random_initial_poses() {
    // a machine under load may be slow; the full test holds the bound of 2 s
    throw_all(25, Duration::from_secs(20));
}

#[test]
#[ignore = "minutes: eight thousand starts"]
fn a_thousand_random_poses_per_loop_are_assembled_or_rejected_within_two_seconds() {
    throw_all(1_000, Duration::from_secs(2));
}
