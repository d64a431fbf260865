//! The bow of the gallery: the draw force against a rod equation, and the energy of the arrow against the energy put in.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use std::sync::OnceLock;

use biela::Run;
use biela::core::math::{Mat3, Vec3};

use runs::{column, finish, first, last, march, root, run_folder};

const LIMB: f64 = 0.85;
const STRING: f64 = 0.87;
const STIFFNESS: f64 = 30e3;

/// The drawing of the bow.
fn drawn(set: &[&str]) -> Run {
    let path = root().join("examples/flexible/bow/draw.toml");
    finish(biela::load_with(path, set).unwrap_or_else(|e| panic!("{e}")))
}

/// Where the tip of the upper limb is, and the moment that it would have to bear, for a moment at the grip and a force at the tip:
/// `θ' = M/EI(s)`, `r' = (1 + N/EA(s)) t`, `M' = −r' × F` by the classical Runge-Kutta method, from the grip, where the limb stands upright.
fn limb(moment: f64, force: [f64; 2]) -> (f64, [f64; 2]) {
    let slope = |s: f64, y: [f64; 4]| {
        let share = s / LIMB;
        let (width, height) = (0.036 - 0.022 * share, 0.022 - 0.011 * share);
        let axial = 12e9 * width * height;
        let bending = axial * height * height / 12.0;
        let (sin, cos) = y[0].sin_cos();
        let stretch = 1.0 + (force[0] * cos + force[1] * sin) / axial;
        let turn = stretch * (cos * force[1] - sin * force[0]);
        [y[1] / bending, -turn, stretch * cos, stretch * sin]
    };
    let start = [std::f64::consts::FRAC_PI_2, moment, 0.0, 0.05];
    let y = march(slope, start, (LIMB, 400));
    (y[1], [y[2], y[3]])
}

/// What the archer must pull with to hold the nock at x: moment at the grip and force at the tip are such that the tip bears no moment and the force is that of the
/// string between tip and nock. By Newton's method from a guess.
fn pull(nock: f64, guess: [f64; 3]) -> f64 {
    let off = |x: &Vec3<f64>| {
        let (moment, tip) = limb(x[0], [x[1], x[2]]);
        let way = [nock - tip[0], -tip[1]];
        let length = way[0].hypot(way[1]);
        // EA is that of the string as it is written
        let written = 0.9_f64.hypot(0.15);
        let natural = STIFFNESS * (written / STRING - 1.0);
        let tension = STIFFNESS * (length / written - 1.0) + natural;
        let along = way.map(|x| tension * x / length);
        Vec3::new(moment, x[1] - along[0], x[2] - along[1])
    };
    let mut x = Vec3::from(guess);
    for _ in 0..30 {
        let mut slope = Mat3::zeros();
        for i in 0..3 {
            let mut step = Vec3::zeros();
            step[i] = 1e-4;
            slope.set_column(i, &((off(&(x + step)) - off(&(x - step))) / 2e-4));
        }
        x -= slope.try_inverse().unwrap() * off(&x);
    }
    assert!(off(&x).norm() < 1e-8, "{x:?}");
    // both halves of the string pull the nock forward
    -2.0 * x[1]
}

/// The drawing of the bow with so many elements a limb.
fn refined(elements: usize) -> Run {
    let folder = tempfile::tempdir().unwrap();
    for file in ["bow.toml", "draw.toml"] {
        let path = root().join("examples/flexible/bow").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.replace("elements = 10", &format!("elements = {elements}"));
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    finish(biela::load(folder.path().join("draw.toml")).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn the_draw_force_of_the_bow_follows_the_equation_of_its_limbs() {
    // how far off the force is, against that of the full draw
    let off = |run: &Run| {
        let [x, force, moment, tension] = [
            "nock.x",
            "draw_force",
            "upper.start.bending_moment",
            "high.start.axial_force",
        ]
        .map(|name| column(run, name));
        [0, 9, 19].map(|k| {
            let guess = [moment[k], -0.5 * force[k], -tension[k]];
            (force[k] - pull(x[k], guess)).abs() / 250.0
        })
    };
    // each element has the section of its middle, so that errors fall with the square of its length
    let (coarse, fine) = (off(&refined(8)), off(&refined(16)));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        let order = (coarse / fine).log2();
        assert!(
            fine < 3e-3 && (order - 2.0).abs() < 0.2,
            "{coarse:e} {fine:e} {order}"
        );
    }
}

/// Energy that drawing puts into limbs and string, found once.
fn stored() -> f64 {
    static STORED: OnceLock<f64> = OnceLock::new();
    *STORED.get_or_init(|| {
        let (braced, run) = (drawn(&["pull=1e-6 N"]), drawn(&[]));
        let energy = last(&run, "energy.potential") - last(&braced, "energy.potential");
        // the work of the archer by trapezia, which a curve that bends is off by little
        let mut before = (last(&braced, "nock.x"), 0.0);
        let mut work = 0.0;
        let rows = column(&run, "nock.x").into_iter();
        for now in rows.zip(column(&run, "draw_force")) {
            assert!(now.0 < before.0, "it gets harder all the way");
            work += 0.5 * (before.1 + now.1) * (before.0 - now.0);
            before = now;
        }
        assert!((work / energy - 1.0).abs() < 2e-3, "{work} {energy}");
        energy
    })
}

#[test]
fn the_work_of_the_archer_is_stored_in_the_bow() {
    let energy = stored();
    assert!((energy - 61.2).abs() < 0.5, "{energy}");
}

#[test]
fn the_arrow_receives_the_energy_less_that_of_limbs_and_string() {
    let energy = stored();
    let share = |mass: f64, set: &[&str]| {
        let run = run_folder("examples/flexible/bow", set);
        assert!(last(&run, "gap.position") > 0.05, "it has left");
        assert!(first(&run, "push.effort") < 1.01);
        let speed = last(&run, "arrow.vx");
        0.5 * mass * speed * speed / energy
    };
    let usual = share(0.03, &[]);
    assert!((usual - 0.70).abs() < 0.01, "{usual}");
    // with a heavy arrow limbs move slowly and stop as the string is stretched out; the string, whose middle goes with the arrow and whose ends stand still, has a third
    // of its mass moving
    let heavy = share(0.3, &["arrow_mass=300 g", "T=60 ms"]);
    let ideal = 0.3 / (0.3 + 0.008 / 3.0);
    assert!((heavy / ideal - 1.0).abs() < 0.01, "{heavy} {ideal}");
}
