//! The cost of a run and the distance of its motion from the reference.

use std::time::Instant as Clock;

use biela::core::analysis::{
    ContactStatistics, Observers, Statistics, Stop, Study, on_output, stop_when,
};
use biela::core::model::Model;
use biela::core::system::Channel;
use biela::distance::{ComparisonReference, LargestDifference, RunComparison};
use biela::explain::told;
use biela::{OptionError, RunError, Session};
use cpu_time::ThreadTime;

use crate::commands::run::is_interrupted;
use crate::progress::Meter;

/// The maximum number of reference values in memory.
const MOST_NUMBERS: f64 = 5e7;

/// The result of a run.
#[derive(Clone, Debug)]
pub(super) struct RunMeasurement {
    /// The reason why it ended, or the error message.
    pub(super) ended: Result<Stop, String>,
    /// The time reached; `None` if the run could not be started.
    pub(super) reached: Option<f64>,
    pub(super) statistics: Statistics,
    pub(super) contacts: ContactStatistics,
    /// CPU time of the run in s; wall-clock time if the system does not provide it.
    pub(super) cpu: f64,
    pub(super) distance: Option<LargestDifference>,
    /// The reference ends at another time.
    pub(super) other_end: bool,
}

impl RunMeasurement {
    /// The result of a run that could not be started.
    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self {
            ended: Err(message.into()),
            reached: None,
            statistics: Statistics::default(),
            contacts: ContactStatistics::default(),
            cpu: 0.0,
            distance: None,
            other_end: false,
        }
    }

    /// Returns the result with its distance; a run that stopped early has none.
    pub(super) fn judged(
        self,
        comparison: &RunComparison<'_>,
        reference: &ComparisonReference,
    ) -> Self {
        let ended = matches!(self.ended, Ok(Stop::Finished | Stop::Event { .. }));
        Self {
            distance: comparison.distance().filter(|_| ended),
            other_end: ended && self.reached.is_some_and(|t| reference.ends_apart_from(t)),
            ..self
        }
    }

    /// Energy error relative to the energy exchanged; `None` if none was exchanged.
    pub(super) fn relative_energy(&self) -> Option<f64> {
        let s = &self.statistics;
        (s.energy_scale > 0.0).then(|| s.worst_energy / s.energy_scale)
    }

    /// The largest penetration at the end of a step: an error of rigid contacts, the deformation of compliant ones.
    pub(super) fn penetration(&self) -> f64 {
        self.contacts.penetration.max(self.contacts.indentation)
    }

    /// Factorizations of the equations of motion and of Newton's method.
    pub(super) fn factorizations(&self) -> u64 {
        self.statistics.method.factorizations + self.statistics.integrator.factorizations
    }
}

/// Runs a model once. `see` receives time and motion at every output time.
pub(super) fn measure(
    model: Model,
    study: &Study,
    channels: &[Channel],
    quiet: bool,
    mut see: impl FnMut(f64, &[f64]),
) -> Result<RunMeasurement, RunError> {
    let assembled = biela::start(model, study)?;
    let session = Session::new(assembled, study, channels)?;
    let mut see = on_output(|instant| see(instant.time(), instant.row));
    let mut meter = Meter::new(quiet);
    let mut stop = stop_when(is_interrupted);
    let mut observers = Observers(vec![&mut see, &mut meter, &mut stop]);
    let (clock, processor) = (Clock::now(), ThreadTime::try_now());
    let run = session.run(&mut observers)?;
    let cpu = processor
        .and_then(|began| began.try_elapsed())
        .unwrap_or_else(|_| clock.elapsed());
    meter.finish();
    Ok(RunMeasurement {
        ended: run.ended.map_err(|failure| told(&failure, &failure)),
        reached: Some(run.reached),
        statistics: run.statistics,
        contacts: run.contacts.map(|seen| seen.statistics).unwrap_or_default(),
        cpu: cpu.as_secs_f64(),
        distance: None,
        other_end: false,
    })
}

/// Rejects a reference that exceeds the memory limit.
pub(super) fn check_size(study: &Study, signals: usize) -> Result<(), OptionError> {
    let rows = study.duration / study.output_step + 1.0;
    if rows * signals as f64 <= MOST_NUMBERS {
        return Ok(());
    }
    Err(OptionError::new(format!(
        "{rows:.0} rows of {signals} signals exceed the limit of {MOST_NUMBERS:.0e} values; \
         increase the output step, or compare fewer signals with --of"
    )))
}
