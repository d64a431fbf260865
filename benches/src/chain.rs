//! A chain of bars that falls for 1 s in steps of 1 ms: time, accuracy, and growth with the number of bars.

use std::path::Path;
use std::process::Command;

use biela_core::analysis::{Choice, Study};
use biela_core::element::{Arguments, FieldValue};
use biela_core::model::{MarkerIndex, Model, Space};
use serde::Deserialize;

use crate::models::{self, BenchmarkBar};
use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

/// Maximum error of the free end for both programs at this step, m.
const TOLERANCE: f64 = 2e-5;
/// Maximum ratio of times for eight times the bars.
const GROWTH: f64 = 10.0;

/// A length of the chain.
struct ChainCase {
    bars: usize,
    /// Position of the free end after 1 s, from an integration at tight tolerance. The end of a long chain still falls
    /// freely, y = −g/2; its x is not known for the longest.
    tip: [Option<f64>; 2],
    /// Exudyn's time as published, planar and spatial.
    published: Option<[f64; 2]>,
}

const CASES: [ChainCase; 4] = [
    ChainCase {
        bars: 8,
        tip: [Some(-1.763_361_198), Some(-0.928_873_860)],
        published: Some([0.042, 0.167]),
    },
    ChainCase {
        bars: 32,
        tip: [Some(5.196_574_089), Some(-4.905_143_873)],
        published: Some([0.154, 0.493]),
    },
    ChainCase {
        bars: 128,
        tip: [Some(30.529_104_193), Some(-4.905)],
        published: Some([0.616, 1.86]),
    },
    ChainCase {
        bars: 1024,
        tip: [None, Some(-4.905)],
        published: None,
    },
];

impl ChainCase {
    fn error(&self, tip: [f64; 2]) -> f64 {
        let off = |i: usize| self.tip[i].map_or(0.0, |reference| tip[i] - reference);
        off(0).hypot(off(1))
    }
}

/// The output of the script of the peer.
#[derive(Deserialize)]
struct ChainPeer {
    bars: usize,
    version: String,
    seconds: f64,
    tip: [f64; 2],
}

/// The chain in its initial state.
pub(crate) fn model(space: Space, bars: usize) -> Result<(Model, MarkerIndex), Error> {
    models::chain(space, bars, &BenchmarkBar::square(0.25, 0.02, 0.1), 9.81)
}

/// Generalized-α with spectral radius 0.95 and steps of 1 ms.
pub(crate) fn study(space: Space) -> Study {
    let integrator = Choice {
        kind: "generalized-alpha".to_owned(),
        arguments: Arguments::new(space)
            .with("step", FieldValue::Number(1e-3))
            .with("spectral_radius", FieldValue::Number(0.95)),
    };
    models::study(1.0, 1.0, "augmented", integrator)
}

/// Planar and spatial chains compared with Exudyn, measured if `exudyn` is an interpreter with the package, else as published.
pub(crate) fn run(report: &mut BenchmarkReport, exudyn: Option<&str>) -> Result<(), Error> {
    for (column, space) in [Space::Planar, Space::Spatial].into_iter().enumerate() {
        let word = ["planar", "spatial"][column];
        let peers = exudyn.map_or(Ok(Vec::new()), |python| measure_exudyn(python, word))?;
        let mut shorter: Option<(usize, f64)> = None;
        for case in &CASES {
            let bars = case.bars;
            let (seconds, outcome) =
                clock::median(|| models::simulate(model(space, bars)?, &study(space)))?;
            let name = format!("chain/{word}/{bars}");
            let error = case.error(outcome.tip);
            report.require(
                error <= TOLERANCE,
                format!("{name}: the free end is {error:.1e} m off, at most {TOLERANCE:.0e} m"),
            );
            let ours = BenchmarkRow::ours(name.as_str(), seconds, Some(error));
            match (peers.iter().find(|peer| peer.bars == bars), case.published) {
                (Some(peer), _) => {
                    let peer_error = case.error(peer.tip);
                    report.require(
                        peer_error <= TOLERANCE,
                        format!(
                            "{name}: the peer is {peer_error:.1e} m off, the times do not compare"
                        ),
                    );
                    report.row(&BenchmarkRow {
                        peer_error: Some(peer_error),
                        ..ours.beside(format!("exudyn {}", peer.version), peer.seconds)
                    })?;
                }
                (None, Some(published)) => {
                    report.row(&ours.beside("published", published[column]))?;
                }
                (None, None) => {
                    if let Some((bars, seconds)) = shorter {
                        let row = ours.beside(format!("ours at {bars} bars"), seconds);
                        let growth = row.ratio.unwrap_or(f64::INFINITY);
                        report.require(
                            growth <= GROWTH,
                            format!("{name}: {growth:.2} times the time of {bars} bars, at most {GROWTH}"),
                        );
                        report.row(&row)?;
                    }
                }
            }
            shorter = Some((bars, seconds));
        }
    }
    Ok(())
}

/// Runs the script of the peer; lines that are not results, such as greetings of the package, are ignored.
fn measure_exudyn(python: &str, space: &str) -> Result<Vec<ChainPeer>, Error> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/exudyn_chain.py");
    let published = CASES.iter().filter(|case| case.published.is_some());
    let output = Command::new(python)
        .arg(script)
        .arg(space)
        .args(published.map(|case| case.bars.to_string()))
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
    use super::{CASES, TOLERANCE, model, study};
    use crate::models::simulate;
    use biela_core::model::Space;

    #[test]
    fn the_shortest_planar_and_spatial_chains_keep_their_tolerance() {
        for space in [Space::Planar, Space::Spatial] {
            let chain = model(space, CASES[0].bars).unwrap();
            let (_, outcome) = simulate(chain, &study(space)).unwrap();
            assert!(CASES[0].error(outcome.tip) <= TOLERANCE, "{space:?}");
        }
    }
}
