//! Linear models and modes against closed forms and published numbers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "linearize/bicycle.rs"]
mod bicycle;
#[path = "linearize/control.rs"]
mod control;
#[path = "linearize/turning.rs"]
mod turning;
#[path = "linearize/vibration.rs"]
mod vibration;

use biela::core::analysis::{Mode, Request};
use biela::core::math::Complex;
use biela::{At, Linear, LinearError};

/// The linear model of a text with other values of parameters.
fn try_linear(
    text: &str,
    set: &[String],
    at: At,
    request: &Request,
) -> Result<Linear, LinearError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    let job = biela::load_with(&path, set).unwrap_or_else(|e| panic!("{e}"));
    biela::linearize(job, at, request)
}

/// The same at the start, which must have one.
fn linear(text: &str) -> Linear {
    try_linear(text, &[], At::Start, &Request::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// Checks that these are the eigenvalues that are not zero, one of each pair, in any order.
#[track_caller]
fn assert_values(linear: &Linear, expected: &[Complex<f64>], zeros: usize, tolerance: f64) {
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
