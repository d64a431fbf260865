//! Flexible beams: a falling cable compared with Exudyn, growth with the number of elements, and a nearly rigid linkage.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use biela_core::analysis::{Choice, Observer, Simulation, Study, assemble};
use biela_core::element::{Arguments, FieldValue};
use biela_core::flexible::{Beam, Profile, Section, element_kind, straight};
use biela_core::joints::Joint;
use biela_core::math::Vec3;
use biela_core::math::rotation::identity;
use biela_core::model::{BodyIndex, BodyQuantity, MarkerIndex, Model, Signal, Space};
use biela_core::system::Instant;
use serde::Deserialize;

use crate::models::{self, BenchmarkOutcome};
use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

/// Reference position of the free end of the cable after 1 s, m.
const TIP: [f64; 2] = [-1.757_963, -0.953_912];
/// Maximum error of both programs with the finest mesh, m.
const TOLERANCE: f64 = 2e-5;
/// Maximum ratio of our time to that of the peer.
const SHARE: f64 = 1.0 / 3.0;
/// Elements, and Exudyn's time as published, s.
const CASES: [(usize, f64); 3] = [(8, 0.037), (32, 0.139), (128, 0.530)];
/// Elements of a short and of a long cable, and the maximum ratio of their times.
const GROWTH: (usize, usize, f64) = (125, 1000, 10.0);
/// Maximum processor time of the nearly rigid linkage, s.
const LINKAGE: f64 = 2.0;
/// The angle of its crank after half a second with rigid links, rad (`validation/fernandes-four-bar`).
const CRANK: f64 = 6.850_439_95;

/// The output of the script of the peer.
#[derive(Deserialize)]
struct BeamPeer {
    elements: usize,
    version: String,
    seconds: f64,
    tip: [f64; 2],
}

fn error(tip: [f64; 2]) -> f64 {
    (tip[0] - TIP[0]).hypot(tip[1] - TIP[1])
}

/// A soft cable of 2 m and 20 × 20 mm, pinned at one end and level, with the marker at its free end.
fn cable(elements: usize) -> Result<(Model, MarkerIndex), Error> {
    let (length, width) = (2.0, 0.02);
    let mut model = Model::new("cable", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let (nodes, piece) = straight([0.0; 2], [length, 0.0], elements).ok_or("no length")?;
    let profile = Profile::Rectangle {
        width,
        height: width,
    };
    let sections = vec![Section::new(&profile, 1e8, 1000.0); elements];
    let kind = element_kind("cable").ok_or("no cable element")?;
    let points = kind.points();
    let beam = Beam::new(
        "cable",
        kind.plane(),
        (&nodes, piece),
        &sections,
        0.0,
        points,
    );
    let beam = model.add_beam(beam);
    let [start, end] = [("start", 0.0), ("end", length)].map(|(name, distance)| {
        let body = model.add_station(beam, name, distance);
        model.body_marker(body)
    });
    let arguments = Arguments::new(Space::Planar);
    let joint = Joint::build("revolute", &arguments).ok_or("no revolute joint")??;
    let between = [MarkerIndex::GROUND, start];
    let _ = model.add_joint("pin", joint, between, &identity());
    Ok((model, end))
}

/// Generalized-α with spectral radius 0.7 and steps of 1 ms: the jerk at the pin at the start excites a wave through the nodes that no mesh resolves,
/// and is damped.
fn study() -> Study {
    let integrator = Choice {
        kind: "generalized-alpha".to_owned(),
        arguments: Arguments::new(Space::Planar)
            .with("step", FieldValue::Number(1e-3))
            .with("spectral_radius", FieldValue::Number(0.7))
            .with("newton_tolerance", FieldValue::Number(1e-10)),
    };
    models::study(1.0, 1.0, "augmented", integrator)
}

/// Runs the cable; the time excludes the creation of the model.
fn swing(elements: usize) -> Result<(f64, BenchmarkOutcome), Error> {
    clock::median(|| models::simulate(cable(elements)?, &study()))
}

/// The cable compared with Exudyn, measured if `exudyn` is an interpreter with the package, else as published; its growth; the linkage.
pub(crate) fn run(report: &mut BenchmarkReport, exudyn: Option<&str>) -> Result<(), Error> {
    let peers = exudyn.map_or(Ok(Vec::new()), measure_exudyn)?;
    for (elements, published) in CASES {
        let (seconds, outcome) = swing(elements)?;
        let name = format!("beam/cable/{elements}");
        let ours = BenchmarkRow::ours(name.as_str(), seconds, Some(error(outcome.tip)));
        let mut row = ours.beside("published", published);
        if let Some(peer) = peers.iter().find(|peer| peer.elements == elements) {
            row = BenchmarkRow {
                peer_error: Some(error(peer.tip)),
                ..ours.beside(format!("exudyn {}", peer.version), peer.seconds)
            };
        }
        let share = row.ratio.unwrap_or(f64::INFINITY);
        report.require(
            share <= SHARE,
            format!("{name}: {share:.2} of the peer's time, at most {SHARE:.2}"),
        );
        if elements == CASES[CASES.len() - 1].0 {
            let worst = row.error.unwrap_or(f64::INFINITY);
            report.require(
                worst <= TOLERANCE,
                format!("{name}: the free end is {worst:.1e} m off, at most {TOLERANCE:.0e} m"),
            );
        }
        report.row(&row)?;
    }
    let (short, long, most) = GROWTH;
    let (seconds, _) = swing(short)?;
    let (longer, outcome) = swing(long)?;
    let name = format!("beam/cable/{long}");
    let row = BenchmarkRow::ours(name.as_str(), longer, Some(error(outcome.tip)))
        .beside(format!("ours at {short} elements"), seconds);
    let growth = row.ratio.unwrap_or(f64::INFINITY);
    report.require(
        growth <= most,
        format!("{name}: {growth:.2} times the time of {short} elements, at most {most}"),
    );
    report.row(&row)?;

    let (seconds, error) = clock::median(linkage)?;
    report.require(
        seconds <= LINKAGE,
        format!("beam/four-bar: {seconds:.2} s, at most {LINKAGE} s"),
    );
    // 27 min in the source
    let row = BenchmarkRow::ours("beam/four-bar", seconds, Some(error));
    Ok(report.row(&row.beside("Fernandes 2019", 1636.0))?)
}

/// Records the angle of the crank after 0.5 s.
struct Crank {
    signal: Signal,
    angle: f64,
}

impl Observer for Crank {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        if (instant.workspace.kinematics.time - 0.5).abs() < 1e-9 {
            self.angle = instant.signal(self.signal);
        }
        ControlFlow::Continue(())
    }
}

/// The four-bar of `examples/flexible/soft-four-bar` with links ten times as stiff as steel, driven for 2 s in 20,000 steps of the scheme of its source: time,
/// and error of the crank angle relative to rigid links after 0.5 s, rad.
fn linkage() -> Result<(f64, f64), Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/flexible/soft-four-bar");
    let stiff = ["E1=2.1e12 Pa", "E2=2.1e12 Pa", "E3=2.1e12 Pa", "T=2 s"];
    let job = biela::load_with(folder.join("model.toml"), &stiff)?;
    let mut study = job.study.ok_or("the model has no study")?;
    study.output_step = 0.5;
    study.integrator = Choice {
        kind: "hht".to_owned(),
        arguments: Arguments::new(Space::Planar)
            .with("step", FieldValue::Number(1e-4))
            .with("alpha", FieldValue::Number(-0.3))
            .with("newton_tolerance", FieldValue::Number(1e-10)),
    };
    let crank = (job.model.bodies.iter()).position(|body| body.name == "crank.start");
    let crank = crank.ok_or("the linkage has no crank")?;
    let mut observer = Crank {
        signal: Signal::Body(BodyIndex(crank), BodyQuantity::Angle),
        angle: f64::NAN,
    };
    let mut simulation = Simulation::new(assemble(job.model, study.formulation)?, &study)?;
    let (seconds, stop) = clock::time(|| simulation.run(&mut observer));
    let _ = stop?;
    Ok((seconds, (observer.angle - CRANK).abs()))
}

/// Runs the script of the peer; lines that are not results, such as greetings of the package, are ignored.
fn measure_exudyn(python: &str) -> Result<Vec<BeamPeer>, Error> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/exudyn_cable.py");
    let output = Command::new(python)
        .arg(script)
        .args(CASES.iter().map(|(elements, _)| elements.to_string()))
        .output()
        .map_err(|e| format!("cannot start {python}: {e}"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("exudyn failed: {words}").into());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let results = text.lines().filter(|line| line.starts_with('{'));
    Ok(results
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::{CASES, TOLERANCE, cable, error, study};
    use crate::models::simulate;

    #[test]
    fn the_finest_cable_reaches_the_reference_position() {
        let (elements, _) = CASES[CASES.len() - 1];
        let (_, outcome) = simulate(cable(elements).unwrap(), &study()).unwrap();
        assert!(error(outcome.tip) <= TOLERANCE);
    }
}
