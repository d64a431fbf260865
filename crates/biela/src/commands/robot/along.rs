//! A model and a reference motion of it, as the command line names them.

use biela::Job;
use biela::robot::Reference;

use super::failure;
use crate::failure::Failure;
use crate::input::ModelArgs;
use crate::terminal;

/// Most points of a history.
const MOST_POINTS: usize = 10_000_000;

#[derive(clap::Args, Debug)]
pub(super) struct Along {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// The reference motion; may be left out when the model has one
    #[arg(long, value_name = "NAME")]
    pub(super) trajectory: Option<String>,
    /// Points of time, both ends among them
    #[arg(long, value_name = "N", default_value_t = 257)]
    points: usize,
    /// Where to end [default: the duration of the study, else the end of the trajectory]
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
}

impl Along {
    /// The reference motion of a job.
    pub(super) fn reference(&self, job: &Job) -> Result<Reference, Failure> {
        Reference::of(&job.model, self.trajectory.as_deref())
            .map_err(|error| failure(&self.model.path, &error))
    }

    /// The points of time.
    pub(super) fn times(&self, job: &Job, reference: &Reference) -> Result<Vec<f64>, Failure> {
        if !(2..=MOST_POINTS).contains(&self.points) {
            let text = format!("--points: from 2 to {MOST_POINTS} points can be computed");
            return Err(Failure::command(text));
        }
        let to = self.to.as_deref().map(|text| biela::quantity(text, "s"));
        let to = to
            .transpose()
            .map_err(|error| Failure::command(error.about("--to")))?;
        let study = job.study.as_ref().map(|study| study.duration);
        let to = to.or(study.filter(|end| *end > 0.0 && end.is_finite()));
        let times = reference.times(self.points, to);
        times.map_err(|error| failure(&self.model.path, &error))
    }

    /// What was looked at.
    pub(super) fn about(reference: &Reference, times: &[f64]) -> [(&'static str, String); 2] {
        let end = terminal::time(times.last().copied().unwrap_or(0.0));
        [
            ("trajectory", reference.element.name.clone()),
            ("time", format!("{end} s, {} points", times.len())),
        ]
    }
}
