//! A model and one of its reference motions, as named on the command line.

use biela::Job;
use biela::robot::RobotReference;

use super::failure;
use crate::failure::Failure;
use crate::input::ModelArgs;
use crate::terminal;

/// The maximum number of points of a history.
const MOST_POINTS: usize = 10_000_000;

#[derive(clap::Args, Debug)]
pub(super) struct TrajectoryArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// Name of the reference motion; required if the model has several
    #[arg(long, value_name = "NAME")]
    pub(super) trajectory: Option<String>,
    /// Number of points in time, including both ends
    #[arg(long, value_name = "N", default_value_t = 257)]
    points: usize,
    /// End time, e.g. 2s [default: the duration of the study, otherwise the end of the trajectory]
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
}

impl TrajectoryArgs {
    /// Returns the reference motion of a job.
    pub(super) fn reference(&self, job: &Job) -> Result<RobotReference, Failure> {
        RobotReference::of(&job.model, self.trajectory.as_deref())
            .map_err(|error| failure(&self.model.path, &error))
    }

    /// Returns the points in time.
    pub(super) fn times(&self, job: &Job, reference: &RobotReference) -> Result<Vec<f64>, Failure> {
        if !(2..=MOST_POINTS).contains(&self.points) {
            let text = format!("--points must be from 2 to {MOST_POINTS}");
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

    /// The analysed trajectory and its times, as lines of the report.
    pub(super) fn about(reference: &RobotReference, times: &[f64]) -> [(&'static str, String); 2] {
        let end = terminal::time(times.last().copied().unwrap_or(0.0));
        [
            ("trajectory", reference.element.name.clone()),
            ("time", format!("{end} s, {} points", times.len())),
        ]
    }
}
