//! Converts the inertias on the cards to physically possible ones.

use biela_core::math::{Mat3, Vec3};

use super::deck::SismulBar;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Fraction of the largest moment that is added to a zero moment.
const SLENDER: f64 = 1e-6;
/// Relative asymmetry below this is due to printed digits.
const DIGITS: f64 = 1e-5;

/// Returns the inertia of body `k` about its mass centre; problems are reported. The mass must be positive.
///
/// In the plane only the moment about z is used. A zero moment, such as that of a slender bar about its axis, is increased slightly, which changes the motion
/// by about one part in a million.
pub(super) fn inertia(
    bar: &SismulBar,
    planar: bool,
    k: usize,
    diagnostics: &Diagnostics,
) -> Mat3<f64> {
    let given = Mat3::from_fn(|i, j| bar.inertia[i][j]);
    let place = bar.places.inertia;
    let largest = given.abs().max();
    let crooked = (given - given.transpose()).abs().max() > DIGITS * largest;
    let mut inertia = (given + given.transpose()) * 0.5;
    if crooked {
        let down = Mat3::from_fn(|i, j| bar.inertia[(i + 2) % 3][j]);
        let shifted = (down - Mat3::from_diagonal(&down.diagonal())).abs().max() == 0.0;
        let message = format!("the inertia of body {k} is not symmetric");
        let warning = Diagnostic::warning("inertia-not-symmetric", message);
        let (label, help) = if shifted {
            inertia = down;
            let [a, b, c] = [down[(0, 0)], down[(1, 1)], down[(2, 2)]];
            (
                "the rows are shifted up by one card",
                format!(
                    "imported as diag({a}, {b}, {c}); move the last of the three cards to the top"
                ),
            )
        } else {
            (
                "symmetric entries differ",
                "the mean of both is used; give the same value to both".to_owned(),
            )
        };
        diagnostics.push(warning.at(place, label).help(help));
    }
    let [a, b, c] = principal(&inertia);
    let message = || format!("the inertia of body {k} is physically impossible");
    let label = format!("principal moments {}, {}, {}", short(a), short(b), short(c));
    if a < -DIGITS * c {
        let error = Diagnostic::error("impossible-inertia", message());
        let help = "no moment can be negative; products are entries of the matrix, minus the integral of x*y";
        diagnostics.push(error.at(place, label).help(help));
    } else if c > (a + b) * (1.0 + DIGITS) {
        let warning = Diagnostic::warning("impossible-inertia", message());
        let help = if planar {
            "no moment exceeds the sum of the other two; only the one about z is used here"
                .to_owned()
        } else {
            inertia = flattened(&inertia);
            let [a, b, c] = [0, 1, 2].map(|i| short(inertia[(i, i)]));
            format!(
                "no moment exceeds the sum of the other two: the moments of the nearest flat body are used, {a}, {b}, {c}"
            )
        };
        diagnostics.push(warning.at(place, label).help(help));
    }
    if planar {
        if inertia[(2, 2)] <= 0.0 {
            let reach = Vec3::from(bar.r).norm_squared();
            let little = SLENDER * bar.mass * if reach > 0.0 { reach } else { 1.0 };
            warn_of_zero(bar, k, "z", little, diagnostics);
            inertia[(2, 2)] = little;
        }
        return inertia;
    }
    if principal(&inertia)[0] <= 0.0 {
        let little = SLENDER * if largest > 0.0 { largest } else { bar.mass };
        warn_of_zero(bar, k, "an axis", little, diagnostics);
        inertia += Mat3::identity() * little;
    }
    inertia
}

/// Principal moments, smallest first.
fn principal(inertia: &Mat3<f64>) -> [f64; 3] {
    let mut principal: [f64; 3] = inertia.symmetric_eigen().eigenvalues.into();
    principal.sort_by(f64::total_cmp);
    principal
}

/// A number rounded to few digits.
fn short(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// The nearest physically possible inertia. With `C = ∫ x xᵀ dm = ½ tr(I) 1 − I`, the C of a body is positive semidefinite. Negative eigenvalues are set to
/// zero, and `I = tr(C) 1 − C`.
fn flattened(inertia: &Mat3<f64>) -> Mat3<f64> {
    let spread = Mat3::identity() * (0.5 * inertia.trace()) - inertia;
    let mut eigen = spread.symmetric_eigen();
    for value in eigen.eigenvalues.iter_mut() {
        *value = value.max(0.0);
    }
    let spread = eigen.recompose();
    let found = Mat3::identity() * spread.trace() - spread;
    // without rounding errors, which would clutter the text
    let dust = 1e-12 * found.abs().max();
    let digits = |x: f64| format!("{x:.12e}").parse().unwrap_or(x);
    found.map(|x| if x.abs() < dust { 0.0 } else { digits(x) })
}

fn warn_of_zero(bar: &SismulBar, k: usize, axis: &str, little: f64, diagnostics: &Diagnostics) {
    let message = format!("body {k} has no moment of inertia about {axis}");
    diagnostics.push(
        Diagnostic::warning("slender", message)
            .at(bar.places.inertia, format!("{little:.3e} is added"))
            .help("give the moment about the mass centre; a bar of mass m and length l has m*l^2/12 across"),
    );
}
