//! Joint forces of the Stanford arm at 256 points of a motion, by the closed form in both sets of axes and by RNEA.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, FRAC_PI_6, PI, TAU};
use std::hint::black_box;
use std::path::Path;

use biela::model::import::robo;
use biela::model::{Overrides, parse};
use biela_core::model::Model;
use biela_core::robot::Efforts;
use biela_core::robot::li::{Chain, Frames, Li, LinearChainModel};
use biela_core::tree::{Tree, TreeWorkspace, rnea};

use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

/// Points of the motion.
const POINTS: usize = 256;
/// Motions per measured run.
const CALLS: usize = 200;
/// The source's time for 256 points, on an 80386 at 20 MHz, and our maximum time, s.
const FEEDFORWARD: (f64, f64) = (10.0, 1e-3);

/// A motion: coordinates, velocities and accelerations at its points.
type SampledMotion = Vec<[[f64; 6]; 3]>;

/// The arm of the folder `validation`.
fn stanford() -> Result<Model, Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../validation/cipparrone-stanford/stanford-c.rob");
    let imported = robo::import("stanford-c.rob", &std::fs::read(path)?, None);
    let text = imported.text.ok_or("the arm cannot be read")?;
    let loaded = parse("model.toml", &text, &Overrides::default());
    Ok(loaded.model.ok_or("the arm makes no model")?.model)
}

/// Sinusoidal motions of all joints in 2.56 s.
fn motion() -> SampledMotion {
    let start = [0.0, FRAC_PI_6, 0.3, 0.0, 0.0, 0.0];
    let size = [FRAC_PI_2, FRAC_PI_3, 0.4, -FRAC_PI_2, FRAC_PI_4, PI];
    let w = TAU / 2.56;
    let at = |k: usize| {
        let (s, c) = (w * 0.01 * k as f64).sin_cos();
        let wave = |f: &dyn Fn(usize) -> f64| std::array::from_fn(f);
        [
            wave(&|i| start[i] + 0.5 * size[i] * (1.0 - c)),
            wave(&|i| 0.5 * size[i] * w * s),
            wave(&|i| 0.5 * size[i] * w * w * c),
        ]
    };
    (0..POINTS).map(at).collect()
}

/// Time of a motion with the given work at each of its points.
fn measure(motion: &SampledMotion, mut each: impl FnMut(&[[f64; 6]; 3])) -> Result<f64, Error> {
    let (seconds, ()) = clock::median(|| {
        let (seconds, ()) = clock::time(|| {
            for _ in 0..CALLS {
                for point in motion {
                    each(black_box(point));
                }
            }
        });
        Ok((seconds / CALLS as f64, ()))
    })?;
    Ok(seconds)
}

/// All versions, each compared with the original program of its method.
pub(crate) fn run(report: &mut BenchmarkReport) -> Result<(), Error> {
    let model = stanford()?;
    let tree = Tree::spanning(&model);
    let chain = Chain::new(&model)?;
    let motion = motion();
    let mut ws = TreeWorkspace::new(&tree);
    let mut recursive = [0.0; 6];
    let mut forces = Efforts::default();
    let seconds = measure(&motion, |[q, v, a]| {
        rnea(&tree, &mut ws, q, v, a, &[], &mut recursive);
        let _ = black_box(&mut recursive);
    })?;
    row(report, "feedforward/rnea", seconds, None)?;
    for (name, frames) in [("mdd1", Frames::Base), ("mdd2", Frames::Links)] {
        let mut li = Li::new(chain.clone(), frames);
        let mut worst: f64 = 0.0;
        for [q, v, a] in &motion {
            li.efforts([q, v, a], &mut forces);
            rnea(&tree, &mut ws, q, v, a, &[], &mut recursive);
            let apart = forces
                .total
                .iter()
                .zip(&recursive)
                .map(|(x, y)| (x - y).abs());
            worst = apart.fold(worst, f64::max);
        }
        let seconds = measure(&motion, |[q, v, a]| {
            li.efforts([q, v, a], &mut forces);
            let _ = black_box(&mut forces);
        })?;
        row(report, &format!("feedforward/{name}"), seconds, Some(worst))?;
    }
    for (name, frames) in [("mdl1", Frames::Base), ("mdl2", Frames::Links)] {
        let mut li = Li::new(chain.clone(), frames);
        let mut linear = LinearChainModel::new(6);
        let seconds = measure(&motion, |[q, v, a]| {
            let _ = li.place(q);
            li.linearize(v, a, &mut linear);
            let _ = black_box(&mut linear);
        })?;
        report.row(&BenchmarkRow::ours(
            format!("robot/linear/{name}"),
            seconds,
            None,
        ))?;
    }
    Ok(())
}

fn row(
    report: &mut BenchmarkReport,
    name: &str,
    seconds: f64,
    error: Option<f64>,
) -> Result<(), Error> {
    let (then, most) = FEEDFORWARD;
    report.require(
        seconds < most,
        format!("robot/{name}: {seconds:.2e} s, at most {most} s"),
    );
    let ours = BenchmarkRow::ours(format!("robot/{name}"), seconds, error);
    report.row(&ours.beside("the source, 80386", then))?;
    Ok(())
}
