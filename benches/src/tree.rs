//! RNEA, CRBA, ABA and their derivatives on serial chains of revolute joints, and a long chain falling in joint coordinates.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use biela_core::analysis::{Choice, Formulation};
use biela_core::element::{Arguments, FieldValue};
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, identity};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
use biela_core::tree::{
    DynamicsDerivatives, Tree, TreeWorkspace, aba, aba_derivatives, crba, rnea, rnea_derivatives,
};
use serde::Deserialize;

use crate::models::{self, BenchmarkBar};
use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

/// Numbers of joints.
const JOINTS: [usize; 3] = [6, 7, 30];
/// An algorithm, and the times of the best peer in native code on this class of machine, s.
const ALGORITHMS: [(&str, [f64; 3]); 5] = [
    ("rnea", [0.79e-6, 0.91e-6, 4.0e-6]),
    ("crba", [0.35e-6, 0.42e-6, 3.1e-6]),
    ("aba", [1.8e-6, 2.1e-6, 9.6e-6]),
    ("rnea-derivatives", [3.1e-6, 3.6e-6, 18.8e-6]),
    ("aba-derivatives", [4.0e-6, 4.7e-6, 27e-6]),
];
/// Calls per measured run.
const CALLS: usize = 20_000;
/// The best peer's time for the falling chain of 128 bars, and our maximum time, s.
const FALLING: (f64, f64) = (0.427, 0.15);
/// Maximum ratio of times for eight times the bars.
const GROWTH: f64 = 10.0;

/// The output of the script of the peer.
#[derive(Deserialize)]
struct TreePeer {
    name: String,
    joints: usize,
    algorithm: String,
    seconds: f64,
}

/// A chain whose axes are alternately along z and y.
fn serial(joints: usize) -> Result<Model, Error> {
    let mut model = Model::new("serial", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let joint = Joint::build("revolute", &Arguments::new(Space::Spatial));
    let joint = joint.ok_or("no revolute joint")??;
    let mut end = MarkerIndex::GROUND;
    for i in 0..joints {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.03, 0.025));
        let mass = MassProperties::new(1.0, Vec3::new(0.1, 0.02, 0.05), inertia)?;
        let body = model.add_body(Body::new(format!("link{i}"), mass));
        let between = [end, model.body_marker(body)];
        let _ = model.add_joint(format!("joint{i}"), joint.clone(), between, &identity());
        let turn = about(
            0,
            std::f64::consts::FRAC_PI_2 * if i % 2 == 0 { 1.0 } else { -1.0 },
        );
        end = model.add_marker("end", body, Pose::new(turn, Vec3::new(0.3, 0.0, 0.1)));
    }
    Ok(model)
}

/// Time of one call of an algorithm, and the difference of its result from that of another algorithm.
fn measure(algorithm: &str, joints: usize) -> Result<f64, Error> {
    let tree = Tree::spanning(&serial(joints)?);
    let n = tree.velocities;
    let mut ws = TreeWorkspace::new(&tree);
    let mut derivatives = DynamicsDerivatives::new(&tree);
    let wave = |phase: f64| -> Vec<f64> { (0..n).map(|i| (i as f64 + phase).sin()).collect() };
    let (q, v, a) = (wave(0.3), wave(1.1), wave(2.0));
    let mut out = vec![0.0; n];
    let mut mass = vec![0.0; n * n];
    let (seconds, ()) = clock::median(|| {
        let (seconds, ()) = clock::time(|| {
            for _ in 0..CALLS {
                let (tree, ws) = (black_box(&tree), &mut ws);
                match algorithm {
                    "rnea" => rnea(tree, ws, &q, &v, &a, &[], &mut out),
                    "crba" => crba(tree, ws, &q, |i, j, m| mass[n * i + j] = m),
                    "aba" => aba(tree, ws, &q, &v, &a, &[], &mut out),
                    "rnea-derivatives" => {
                        rnea_derivatives(tree, ws, &q, &v, &a, &mut derivatives);
                    }
                    _ => aba_derivatives(tree, ws, &q, &v, &a, &mut out, &mut derivatives),
                }
                let _ = black_box((&mut out, &mut mass, &mut derivatives));
            }
        });
        Ok((seconds / CALLS as f64, ()))
    })?;
    Ok(seconds)
}

/// All algorithms and chains compared with the peers, then the falling chain.
pub(crate) fn run(report: &mut BenchmarkReport, python: Option<&str>) -> Result<(), Error> {
    let peers = python.map_or(Ok(Vec::new()), measure_peers)?;
    for (algorithm, natively) in ALGORITHMS {
        for (column, joints) in JOINTS.into_iter().enumerate() {
            let name = format!("tree/{algorithm}/{joints}");
            let ours = BenchmarkRow::ours(name.as_str(), measure(algorithm, joints)?, None);
            let row = ours.beside("best peer, native", natively[column]);
            let ratio = row.ratio.unwrap_or(f64::INFINITY);
            report.require(
                ratio < 1.0,
                format!("{name}: {ratio:.2} times the best peer"),
            );
            report.row(&row)?;
            let same = |peer: &&TreePeer| peer.joints == joints && peer.algorithm == algorithm;
            for peer in peers.iter().filter(same) {
                report.row(&ours.beside(format!("{} in Python", peer.name), peer.seconds))?;
            }
        }
    }
    falling(report)
}

/// A chain that falls for 1 s, by the classical Runge–Kutta method with steps of 1 ms.
fn falling(report: &mut BenchmarkReport) -> Result<(), Error> {
    let space = Space::Spatial;
    let integrator = Choice {
        kind: "rk4".to_owned(),
        arguments: Arguments::new(space).with("step", FieldValue::Number(1e-3)),
    };
    let mut study = models::study(1.0, 1.0, "augmented", integrator);
    study.formulation = Formulation::Tree;
    let bar = BenchmarkBar::square(0.25, 0.02, 0.1);
    let mut shorter: Option<f64> = None;
    for bars in [128, 1024] {
        let chain = || models::chain(space, bars, &bar, 9.81);
        let (seconds, outcome) = clock::median(|| models::simulate(chain()?, &study))?;
        let name = format!("tree/falling/{bars}");
        // the free end of a long chain still falls freely
        let error = (outcome.tip[1] + 4.905).abs();
        let ours = BenchmarkRow::ours(name.as_str(), seconds, Some(error));
        match shorter {
            None => {
                let met = seconds <= FALLING.1;
                report.require(
                    met,
                    format!("{name}: {seconds:.3} s, at most {} s", FALLING.1),
                );
                report.row(&ours.beside("best peer, native", FALLING.0))?;
            }
            Some(before) => {
                let row = ours.beside("ours at 128 bars", before);
                let growth = row.ratio.unwrap_or(f64::INFINITY);
                let met = growth <= GROWTH;
                report.require(
                    met,
                    format!("{name}: {growth:.2} times the time of 128 bars"),
                );
                report.row(&row)?;
            }
        }
        shorter = Some(seconds);
    }
    Ok(())
}

/// Runs the script of the peers; lines that are not results are ignored.
fn measure_peers(python: &str) -> Result<Vec<TreePeer>, Error> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/tree_algorithms.py");
    let output = Command::new(python)
        .arg(script)
        .args(JOINTS.map(|n| n.to_string()))
        .output()
        .map_err(|e| format!("cannot start {python}: {e}"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("the peers failed: {words}").into());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}
