//! Frequencies, damping ratios and eigenvalues.

use biela_core::analysis::{Mode, Request};
use biela_model::case::{Check, What};

use super::{Found, Judge, Measured, Outcome};
use crate::study::Taking;
use crate::{At, Job, linearize};

impl Judge<'_> {
    /// Evaluates the checks of a linear model.
    pub(super) fn linear(&self, job: Job, at: &str) -> Result<Vec<Outcome>, String> {
        let measured = Measured::of(&Taking::new(job.measures.clone()));
        let at = match at {
            "start" => At::Start,
            "equilibrium" => At::Equilibrium,
            time => At::Time(crate::quantity(time, "s").map_err(|error| error.to_string())?),
        };
        let linear = linearize(job, at, &Request::default()).map_err(|error| error.to_string())?;
        let mut oscillations: Vec<&Mode> = linear.modes.iter().collect();
        oscillations.retain(|mode| mode.is_oscillation());
        oscillations.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
        let nth = |n: usize| {
            let count = oscillations.len();
            let mode = oscillations.get(n).map(|mode| mode.value);
            mode.ok_or_else(|| format!("there are only {count} modes that oscillate"))
        };
        let mut outcomes = Vec::new();
        for (k, check) in self.plan.checks.iter().enumerate() {
            let quantity = self.quantity(check);
            match check.what {
                What::Frequency(n) => {
                    let found = nth(n).map(|value| (value.norm(), "rad/s"));
                    outcomes.push(measured.judged(k, check, quantity, found));
                }
                What::Damping(n) => {
                    let found = nth(n).map(|value| (-value.re / value.norm(), "1"));
                    outcomes.push(measured.judged(k, check, quantity, found));
                }
                What::Eigenvalue => {
                    outcomes.extend(eigenvalue(&measured, k, check, &quantity, &linear.modes));
                }
                _ => outcomes.push(measured.of_measure(k, check, quantity)),
            }
        }
        Ok(outcomes)
    }
}

/// Compares real and imaginary part of the eigenvalue nearest to the reference.
fn eigenvalue(
    measured: &Measured,
    k: usize,
    check: &Check,
    quantity: &str,
    modes: &[Mode],
) -> Vec<Outcome> {
    let parts = [Check::reference(k), Check::imaginary(k)];
    let wanted = parts.map(|name| measured.value(&name));
    let off = |mode: &Mode| (mode.value.re - wanted[0]).hypot(mode.value.im - wanted[1]);
    let nearest = modes.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    let Some(found) = nearest.map(|mode| [mode.value.re, mode.value.im]) else {
        return vec![Outcome::failed(quantity, "there is no mode".to_owned())];
    };
    let tolerance = measured.tolerance(k, check.allowed, wanted[0].hypot(wanted[1]));
    let part = |i: usize, name: &str| Outcome {
        quantity: format!("{quantity}, {name}"),
        place: None,
        unit: "1/s".to_owned(),
        result: Ok(Found {
            reference: wanted[i],
            value: found[i],
            tolerance,
        }),
    };
    vec![part(0, "real part"), part(1, "imaginary part")]
}
