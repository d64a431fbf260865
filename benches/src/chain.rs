//! A chain of bars falls for a second in steps of a millisecond: time, accuracy, and growth with the number of bars.

use std::path::Path;
use std::process::Command;

use biela_core::analysis::{Choice, Study};
use biela_core::element::{Arguments, Value};
use biela_core::model::{MarkerIndex, Model, Space};
use serde::Deserialize;

use crate::models::{self, Bar};
use crate::report::{Report, Row};
use crate::{Error, clock};

/// Distance of the free end from its reference that both programs must keep at this step, m.
const TOLERANCE: f64 = 2e-5;
/// How much longer eight times the bars may take.
const GROWTH: f64 = 10.0;

/// A length of the chain.
struct Case {
    bars: usize,
    /// Where the free end is after a second, by an integration at tight tolerance. The end of a long chain still falls
    /// freely, y = −g/2; its x is not known for the longest.
    tip: [Option<f64>; 2],
    /// Exudyn's time as published, planar and spatial.
    published: Option<[f64; 2]>,
}

const CASES: [Case; 4] = [
    Case {
        bars: 8,
        tip: [Some(-1.763_361_198), Some(-0.928_873_860)],
        published: Some([0.042, 0.167]),
    },
    Case {
        bars: 32,
        tip: [Some(5.196_574_089), Some(-4.905_143_873)],
        published: Some([0.154, 0.493]),
    },
    Case {
        bars: 128,
        tip: [Some(30.529_104_193), Some(-4.905)],
        published: Some([0.616, 1.86]),
    },
    Case {
        bars: 1024,
        tip: [None, Some(-4.905)],
        published: None,
    },
];

impl Case {
    fn error(&self, tip: [f64; 2]) -> f64 {
        let off = |i: usize| self.tip[i].map_or(0.0, |reference| tip[i] - reference);
        off(0).hypot(off(1))
    }
}

/// What the script of the peer prints.
#[derive(Deserialize)]
struct Peer {
    bars: usize,
    version: String,
    seconds: f64,
    tip: [f64; 2],
}

/// The chain at its start.
pub(crate) fn model(space: Space, bars: usize) -> Result<(Model, MarkerIndex), Error> {
    models::chain(space, bars, &Bar::square(0.25, 0.02, 0.1), 9.81)
}

/// Generalized-α of spectral radius 0.95, a millisecond a step.
pub(crate) fn study(space: Space) -> Study {
    let integrator = Choice {
        kind: "generalized-alpha".to_owned(),
        arguments: Arguments::new(space)
            .with("step", Value::Number(1e-3))
            .with("spectral_radius", Value::Number(0.95)),
    };
    models::study(1.0, 1.0, "augmented", integrator)
}

/// Planar and spatial chains beside Exudyn, measured when `exudyn` is an interpreter that has it, else as published.
pub(crate) fn run(report: &mut Report, exudyn: Option<&str>) -> Result<(), Error> {
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
            let ours = Row::ours(name.as_str(), seconds, Some(error));
            match (peers.iter().find(|peer| peer.bars == bars), case.published) {
                (Some(peer), _) => {
                    let peer_error = case.error(peer.tip);
                    report.require(
                        peer_error <= TOLERANCE,
                        format!(
                            "{name}: the peer is {peer_error:.1e} m off, the times do not compare"
                        ),
                    );
                    report.row(&Row {
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

/// Runs the script of the peer; lines that are not its results, such as greetings of the package, are passed over.
fn measure_exudyn(python: &str, space: &str) -> Result<Vec<Peer>, Error> {
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
    fn the_shortest_chain_keeps_its_tolerance_in_the_plane_and_in_space() {
        for space in [Space::Planar, Space::Spatial] {
            let chain = model(space, CASES[0].bars).unwrap();
            let (_, outcome) = simulate(chain, &study(space)).unwrap();
            assert!(CASES[0].error(outcome.tip) <= TOLERANCE, "{space:?}");
        }
    }
}
