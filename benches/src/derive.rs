//! The equations of a planar pendulum of eight links: derivation, and evaluation of the generated code.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use biela::derive::{DerivationFormat, DerivationRequest, Derived, EquationForm, Naming, derive};
use biela::symbol::code::Language;
use biela_core::tree::{Tree, TreeWorkspace, crba, rnea};
use serde::Deserialize;

use crate::generated::{Parameters, bias, gravity, mass};
use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

const LINKS: usize = 8;
/// Calls per measured run.
const CALLS: usize = 100_000;
/// Maximum time of a derivation, s.
const DERIVED: f64 = 0.2;
/// Maximum time of M and h, s: a third of the time of the general algorithms.
const EVALUATED: f64 = 29e-6 / 3.0;

/// The output of the script of the peer.
#[derive(Deserialize)]
struct DerivationPeer {
    name: String,
    seconds: f64,
}

fn model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/pendulum-8.toml")
}

fn derived(form: EquationForm, target: DerivationFormat) -> Result<Derived, Error> {
    let request = DerivationRequest {
        naming: Naming::default(),
        form,
        target,
        speeds: Vec::new(),
    };
    Ok(derive::<&str>(&model(), &[], &request)?)
}

/// Derivation from file to text, then evaluation, compared with SymPy if it is installed.
pub(crate) fn run(report: &mut BenchmarkReport, python: Option<&str>) -> Result<(), Error> {
    let peers = python.map_or(Ok(Vec::new()), measure_peer)?;
    let forms = [
        ("equations", EquationForm::Equations, DerivationFormat::Text),
        ("lagrange", EquationForm::Lagrange, DerivationFormat::Text),
        (
            "code",
            EquationForm::Equations,
            DerivationFormat::Code(Language::Rust),
        ),
    ];
    for (word, form, target) in forms {
        let (seconds, ()) = clock::median(|| {
            let (seconds, text) = clock::time_of_process(|| derived(form, target));
            let _ = black_box(text?);
            Ok((seconds, ()))
        })?;
        let name = format!("derive/{word}/{LINKS}");
        report.require(
            seconds < DERIVED,
            format!("{name}: {seconds:.3} s, must be below {DERIVED} s"),
        );
        beside(
            report,
            &peers,
            &BenchmarkRow::ours(name, seconds, None),
            word,
        )?;
    }
    let (seconds, error) = evaluate()?;
    let name = format!("derive/evaluate/{LINKS}");
    report.require(
        seconds < EVALUATED,
        format!("{name}: {seconds:.1e} s, must be below {EVALUATED:.1e} s"),
    );
    report.require(error < 1e-12, format!("{name}: off by {error:.1e}"));
    beside(
        report,
        &peers,
        &BenchmarkRow::ours(name, seconds, Some(error)),
        "evaluate",
    )
}

fn beside(
    report: &BenchmarkReport,
    peers: &[DerivationPeer],
    ours: &BenchmarkRow,
    word: &str,
) -> Result<(), Error> {
    let row = match peers.iter().find(|peer| peer.name == word) {
        Some(peer) => ours.beside("SymPy", peer.seconds),
        None => ours.clone(),
    };
    Ok(report.row(&row)?)
}

/// Time of M and h by the generated code, and the errors of M, h and g against the recursive algorithms, relative to the largest entry.
fn evaluate() -> Result<(f64, f64), Error> {
    let parameters = Parameters::default();
    let wave = |phase: f64| std::array::from_fn(|i| (i as f64 + phase).sin());
    let (q, v): ([f64; LINKS], [f64; LINKS]) = (wave(0.3), wave(1.1));
    let (seconds, ()) = clock::median(|| {
        let (seconds, ()) = clock::time(|| {
            for _ in 0..CALLS {
                let (p, q, v) = black_box((&parameters, &q, &v));
                let _ = black_box((mass(p, q), bias(p, q, v)));
            }
        });
        Ok((seconds / CALLS as f64, ()))
    })?;

    let tree = Tree::spanning(&biela::load(model())?.model);
    let mut ws = TreeWorkspace::new(&tree);
    let mut inertia = [[0.0; LINKS]; LINKS];
    crba(&tree, &mut ws, &q, |i, j, x| {
        inertia[i][j] = x;
        inertia[j][i] = x;
    });
    let mut holding = [0.0; LINKS];
    rnea(&tree, &mut ws, &q, &v, &[0.0; LINKS], &[], &mut holding);
    let found = (
        mass(&parameters, &q),
        bias(&parameters, &q, &v),
        gravity(&parameters, &q),
    );
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    for i in 0..LINKS {
        for j in 0..LINKS {
            error = error.max((found.0[i][j] - inertia[i][j]).abs());
            largest = largest.max(inertia[i][j].abs());
        }
        error = error.max((found.1[i] + found.2[i] - holding[i]).abs());
        largest = largest.max(holding[i].abs());
    }
    Ok((seconds, error / largest))
}

/// Runs the script of the peer.
fn measure_peer(python: &str) -> Result<Vec<DerivationPeer>, Error> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/sympy_pendulum.py");
    let output = Command::new(python)
        .arg(script)
        .arg(LINKS.to_string())
        .output()
        .map_err(|e| format!("cannot start {python}: {e}"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("SymPy failed: {words}").into());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_code_is_the_derived_code_and_agrees_with_rnea_and_crba() {
        let text = derived(
            EquationForm::Equations,
            DerivationFormat::Code(Language::Rust),
        )
        .unwrap()
        .text;
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/pendulum-8.generated");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let stored = std::fs::read_to_string(&file).unwrap();
        assert!(
            stored == text,
            "UPDATE_GOLDEN=1 writes {} anew",
            file.display()
        );
        assert!(evaluate().unwrap().1 < 1e-12);
    }
}
