//! Agreement between different computations of one model.

use biela_core::analysis::{Observers, on_output, stop_when};
use biela_core::system::Channel;
use biela_model::case::Allowed;

use super::{CheckOutcome, CheckedResult, Judge, came_to_its_end};
use crate::distance::{ComparisonReference, LargestDifference, RunComparison};
use crate::{Job, Run, run_observed, study_options};

impl Judge<'_> {
    /// The largest difference of a run from all alternatives of the k-th check.
    pub(super) fn agreement(
        &self,
        k: usize,
        ways: usize,
        run: &Run,
        moving: &[Channel],
        output_step: f64,
    ) -> Result<CheckOutcome, String> {
        let Allowed::Share(share) = self.plan.checks[k].allowed else {
            return Err("a check of agreement needs a relative tolerance".to_owned());
        };
        let reference = reference(run, moving, output_step);
        let mut worst: Option<(LargestDifference, String)> = None;
        for way in 0..ways {
            let (name, distance) = self.otherwise((k, way), &reference, moving)?;
            let least = worst.as_ref().map_or(-1.0, |(worst, _)| worst.share());
            if distance.share() > least {
                worst = Some((distance, name));
            }
        }
        let (worst, name) =
            worst.ok_or_else(|| "the check has no alternative to compare with".to_owned())?;
        let time = crate::digits(worst.time, 6);
        Ok(CheckOutcome {
            quantity: String::new(),
            place: Some(format!("{} at t = {time} by {name}", worst.signal)),
            unit: worst.unit.clone(),
            result: Ok(CheckedResult {
                reference: worst.reference,
                value: worst.value,
                tolerance: share * worst.scale,
            }),
        })
    }

    /// One alternative: its name, and its difference from the reference.
    fn otherwise(
        &self,
        way: (usize, usize),
        reference: &ComparisonReference,
        moving: &[Channel],
    ) -> Result<(String, LargestDifference), String> {
        let loaded = self
            .entry
            .case
            .load_otherwise(self.run, way, &self.entry.files);
        let mut job = Job::new(loaded).map_err(|error| error.to_string())?;
        job.outputs.channels = moving.to_vec();
        let study = job.study_or_start();
        let options = study_options(&study);
        let word = |key: &str| {
            let value = options.get(key);
            let word = value.and_then(|value| value.get("type").unwrap_or(value).as_str());
            word.unwrap_or_default().to_owned()
        };
        let name = ["formulation", "method", "integrator"].map(word).join("/");
        let about = |message: String| format!("{name}: {message}");
        let mut comparison = RunComparison::new(reference);
        let run = run_observed(
            job,
            &study,
            &mut Observers(vec![
                &mut on_output(|instant| comparison.see(instant.time(), instant.row)),
                &mut stop_when(self.stop),
            ]),
        );
        let run = run.map_err(|error| about(error.to_string()))?;
        came_to_its_end(&run).map_err(about)?;
        let reached = run.times().last().copied().unwrap_or(f64::NAN);
        if reference.ends_apart_from(reached) {
            return Err(about(format!("it ends at another time, t = {reached} s")));
        }
        let distance = comparison.distance();
        let distance = distance
            .ok_or_else(|| about("no output time in common with the reference".to_owned()))?;
        Ok((name, distance))
    }
}

/// The motion of a run as a reference.
fn reference(run: &Run, moving: &[Channel], output_step: f64) -> ComparisonReference {
    let mut reference = ComparisonReference::new(moving, output_step);
    let place = |channel: &Channel| run.channels().iter().position(|c| c == channel);
    let places: Vec<usize> = moving.iter().filter_map(place).collect();
    let rows = run.values().chunks_exact(run.channels().len().max(1));
    for (time, row) in run.times().iter().zip(rows) {
        let values: Vec<f64> = places.iter().map(|&k| row[k]).collect();
        reference.push(*time, &values);
    }
    reference.close(run.times().last().copied());
    reference
}
