//! Linear models and modes against closed forms and published numbers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "linearize/bicycle.rs"]
mod bicycle;
#[path = "linearize/command.rs"]
mod command;
mod common;
#[path = "linearize/control.rs"]
mod control;
#[path = "linearize/damped.rs"]
mod damped;
#[path = "linearize/turning.rs"]
mod turning;
#[path = "linearize/vibration.rs"]
mod vibration;

use biela::core::analysis::{Formulation, LinearModelRequest, Mode};
use biela::core::math::Complex;
use biela::{Job, LinearError, LinearizedModel, OperatingPoint};

/// The linear model of a text with other values of parameters.
fn try_linear(
    text: &str,
    set: &[String],
    at: OperatingPoint,
    request: &LinearModelRequest,
) -> Result<LinearizedModel, LinearError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    let load = || biela::load_with(&path, set).unwrap_or_else(|e| panic!("{e}"));
    // a model that names its formulation is for that one
    if load().study.is_some() && text.contains("formulation") {
        return biela::linearize(load(), at, request);
    }
    let found = biela::linearize(load(), at, request);
    if let Ok(linear) = &found {
        agree_in_all_formulations(load, at, request, linear);
    }
    found
}

/// Checks that every formulation gives the same matrices.
fn agree_in_all_formulations(
    load: impl Fn() -> Job,
    at: OperatingPoint,
    request: &LinearModelRequest,
    expected: &LinearizedModel,
) {
    for (word, formulation, _) in Formulation::LIST {
        let mut job = load();
        let mut study = job.study_or_start();
        study.formulation = *formulation;
        job.study = Some(study);
        let found = biela::linearize(job, at, request).unwrap_or_else(|e| panic!("{word}: {e}"));
        let names = |l: &LinearizedModel| -> Vec<String> {
            l.model.states().map(|v| v.name.clone()).collect()
        };
        assert_eq!(names(&found), names(expected), "{word}");
        let pairs = [
            (&found.model.a, &expected.model.a),
            (&found.model.b, &expected.model.b),
            (&found.model.c, &expected.model.c),
            (&found.model.d, &expected.model.d),
        ];
        for (x, y) in pairs {
            assert!(
                (x - y).amax() <= 1e-8 * (1.0 + y.amax()),
                "{word}: {x:.12} {y:.12}"
            );
        }
        let zeros = |l: &LinearizedModel| l.modes.iter().filter(|m| m.is_zero()).count();
        assert_eq!(zeros(&found), zeros(expected), "{word}");
    }
}

/// The same at the start, which must have one.
fn linear(text: &str) -> LinearizedModel {
    try_linear(
        text,
        &[],
        OperatingPoint::Start,
        &LinearModelRequest::default(),
    )
    .unwrap_or_else(|e| panic!("{e}"))
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// Checks that these are the eigenvalues that are not zero, one of each pair, in any order.
#[track_caller]
fn assert_values(
    linear: &LinearizedModel,
    expected: &[Complex<f64>],
    zeros: usize,
    tolerance: f64,
) {
    let mut found: Vec<Complex<f64>> = linear.modes.iter().map(|m| m.value).collect();
    let num_zeros = linear.modes.iter().filter(|m| m.is_zero()).count();
    assert_eq!(num_zeros, zeros, "{found:?}");
    found.retain(|x| x.norm() > 0.0);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for value in expected {
        let nearest = (0..found.len())
            .min_by(|a, b| {
                (found[*a] - value)
                    .norm()
                    .total_cmp(&(found[*b] - value).norm())
            })
            .unwrap();
        let error = (found[nearest] - value).norm() / value.norm();
        assert!(
            error < tolerance,
            "{value} is missing in {found:?}, off by {error:e}"
        );
        let _ = found.remove(nearest);
    }
}

fn oscillation(frequency: f64) -> Complex<f64> {
    Complex::new(0.0, frequency)
}
