//! Frequencies, damping ratios and eigenvalues.

use biela_core::analysis::{LinearModelRequest, Mode};
use biela_model::case::{Check, What};

use super::{CheckOutcome, CheckedResult, Judge, MeasuredRun};
use crate::parameter_study::Taking;
use crate::{Job, OperatingPoint, linearize};

impl Judge<'_> {
    /// Evaluates the checks of a linear model.
    pub(super) fn linear(&self, job: Job, at: &str) -> Result<Vec<CheckOutcome>, String> {
        let measured = MeasuredRun::of(&Taking::new(job.measures.clone()));
        let at = match at {
            "start" => OperatingPoint::Start,
            "equilibrium" => OperatingPoint::Equilibrium,
            time => {
                OperatingPoint::Time(crate::quantity(time, "s").map_err(|error| error.to_string())?)
            }
        };
        let linear = linearize(job, at, &LinearModelRequest::default())
            .map_err(|error| error.to_string())?;
        let mut oscillations: Vec<&Mode> = linear.modes.iter().collect();
        oscillations.retain(|mode| mode.is_oscillation());
        oscillations.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
        let nth = |n: usize| {
            let count = oscillations.len();
            let mode = oscillations.get(n).map(|mode| mode.value);
            mode.ok_or_else(|| format!("the model has only {count} oscillatory modes"))
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
    measured: &MeasuredRun,
    k: usize,
    check: &Check,
    quantity: &str,
    modes: &[Mode],
) -> Vec<CheckOutcome> {
    let parts = [Check::reference(k), Check::imaginary(k)];
    let wanted = parts.map(|name| measured.value(&name));
    let off = |mode: &Mode| (mode.value.re - wanted[0]).hypot(mode.value.im - wanted[1]);
    let nearest = modes.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    let Some(found) = nearest.map(|mode| [mode.value.re, mode.value.im]) else {
        return vec![CheckOutcome::failed(
            quantity,
            "the model has no modes".to_owned(),
        )];
    };
    let tolerance = measured.tolerance(k, check.allowed, wanted[0].hypot(wanted[1]));
    let part = |i: usize, name: &str| CheckOutcome {
        quantity: format!("{quantity}, {name}"),
        place: None,
        unit: "1/s".to_owned(),
        result: Ok(CheckedResult {
            reference: wanted[i],
            value: found[i],
            tolerance,
        }),
    };
    vec![part(0, "real part"), part(1, "imaginary part")]
}
