//! Runs and evaluates validation cases on the user's machine.
//!
//! ```
//! let entry = biela::validate::ShippedCase::shipped("pacheco-conical-pendulum")?;
//! let outcomes = biela::validate::judge(&entry, &|| false).unwrap_or_default();
//! assert!(outcomes.iter().all(|outcome| outcome.passes()));
//! # Ok::<(), biela::ModelError>(())
//! ```

mod agreement;
mod linear;
mod shipped;
mod table;

use biela_core::analysis::{Observers, Stop, stop_when};
use biela_core::system::{Channel, Mobility, channels};
use biela_model::case::{Allowed, CaseRun, Check, CheckedCount, What};
use biela_model::document::Loader;

use crate::distance::motion;
use crate::parameter_study::{Taking, as_they_come};
use crate::{Job, Run, RunError, Session, start};
pub use shipped::{ShippedCase, names};
use table::PrintedTable;

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOutcome {
    /// The compared quantity.
    pub quantity: String,
    /// The location of the largest error, if several values were compared.
    pub place: Option<String>,
    /// The SI unit; empty or `1` for a dimensionless quantity.
    pub unit: String,
    /// The numbers, or the reason why there are none.
    pub result: Result<CheckedResult, String>,
}

/// A result with its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedResult {
    /// The reference value.
    pub reference: f64,
    /// The computed value.
    pub value: f64,
    /// The absolute tolerance.
    pub tolerance: f64,
}

impl CheckedResult {
    /// The absolute error.
    pub fn error(&self) -> f64 {
        (self.value - self.reference).abs()
    }

    /// Returns `true` if the error is within the tolerance.
    pub fn passes(&self) -> bool {
        self.error() <= self.tolerance
    }
}

impl CheckOutcome {
    /// Returns `true` if there is a result within its tolerance.
    pub fn passes(&self) -> bool {
        self.result.as_ref().is_ok_and(CheckedResult::passes)
    }

    fn failed(quantity: &str, message: String) -> Self {
        Self {
            quantity: quantity.to_owned(),
            place: None,
            unit: String::new(),
            result: Err(message),
        }
    }
}

/// Runs a case and evaluates its checks; `None` if `stop` returns `true`.
pub fn judge(entry: &ShippedCase, stop: &dyn Fn() -> bool) -> Option<Vec<CheckOutcome>> {
    let mut outcomes = Vec::new();
    for (k, plan) in entry.case.runs.iter().enumerate() {
        let found = Judge {
            entry,
            run: k,
            plan,
            stop,
        }
        .outcomes();
        if stop() {
            return None;
        }
        outcomes.extend(found);
    }
    Some(outcomes)
}

/// Evaluates cases in parallel threads, and passes each result to `take` in order; fewer if `stop` returns `true`.
pub fn judge_all(
    entries: &[ShippedCase],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    mut take: impl FnMut(&ShippedCase, Vec<CheckOutcome>),
) {
    let mut waiting: Vec<Option<Vec<CheckOutcome>>> = entries.iter().map(|_| None).collect();
    let mut next = 0;
    let work = |k: usize| judge(&entries[k], stop);
    as_they_come(entries.len(), threads, &work, |k, outcomes| {
        waiting[k] = Some(outcomes);
        while let Some(outcomes) = waiting.get_mut(next).and_then(Option::take) {
            take(&entries[next], outcomes);
            next += 1;
        }
    });
}

/// One run of a case.
struct Judge<'c> {
    entry: &'c ShippedCase,
    run: usize,
    plan: &'c CaseRun,
    stop: &'c dyn Fn() -> bool,
}

/// The measured values of a run.
struct MeasuredRun {
    names: Vec<(String, String)>,
    values: Vec<f64>,
}

impl MeasuredRun {
    fn of(taking: &Taking) -> Self {
        let list = taking.measures().list.iter();
        Self {
            names: list.map(|m| (m.name.clone(), m.unit.clone())).collect(),
            values: taking.values(),
        }
    }

    /// Returns value and unit of a measure.
    fn get(&self, name: &str) -> Option<(f64, &str)> {
        let at = self.names.iter().position(|(known, _)| known == name)?;
        Some((self.values[at], &self.names[at].1))
    }

    fn value(&self, name: &str) -> f64 {
        self.get(name).map_or(f64::NAN, |(value, _)| value)
    }

    /// The absolute tolerance of the k-th check.
    fn tolerance(&self, k: usize, allowed: Allowed, reference: f64) -> f64 {
        match allowed {
            Allowed::Within => self.value(&Check::allowed_name(k)).abs(),
            Allowed::Share(share) => share * reference.abs(),
            Allowed::LastDigits(_) => f64::NAN,
        }
    }
}

/// A count of a check: degrees of freedom, constraint equations or redundant constraints.
fn count(mobility: &Mobility, counted: CheckedCount) -> usize {
    match counted {
        CheckedCount::Freedom => mobility.freedom,
        CheckedCount::Equations => mobility.rows,
        CheckedCount::Redundant => mobility.dependent.len(),
    }
}

impl Judge<'_> {
    fn outcomes(&self) -> Vec<CheckOutcome> {
        let job = match Job::new(self.entry.case.load(self.run, &self.entry.files)) {
            Ok(job) => job,
            Err(error) => return vec![self.refused(error.to_string())],
        };
        let judged = match &self.plan.linearize {
            Some(at) => self.linear(job, at),
            None => self.motion(job),
        };
        judged.unwrap_or_else(|message| vec![self.refused(message)])
    }

    /// The outcome if the run cannot be evaluated.
    fn refused(&self, message: String) -> CheckOutcome {
        CheckOutcome::failed(self.plan.name.as_deref().unwrap_or("run"), message)
    }

    /// The quantity of a check, with the name of the run if there is one.
    fn quantity(&self, check: &Check) -> String {
        match &self.plan.name {
            Some(name) => format!("{name}: {}", check.quantity),
            None => check.quantity.clone(),
        }
    }

    /// Evaluates the checks of a run.
    fn motion(&self, mut job: Job) -> Result<Vec<CheckOutcome>, String> {
        let checks = &self.plan.checks;
        let tables = checks.iter().map(|check| self.table(check));
        let tables: Vec<Option<PrintedTable>> = tables.collect::<Result<_, _>>()?;
        let all = channels(&job.model);
        let is_agreement = |check: &Check| matches!(check.what, What::Agreement(_));
        let moving = if checks.iter().any(is_agreement) {
            job.outputs.channels.clone_from(&all);
            motion(&job, &[]).map_err(|error| error.to_string())?
        } else {
            Vec::new()
        };
        let wanted = |channel: &Channel| {
            let mut named = tables.iter().flatten().flat_map(PrintedTable::signals);
            named.any(|name| name == channel.name) || moving.contains(channel)
        };
        job.outputs.channels = all.into_iter().filter(wanted).collect();
        let study = job.study_or_start();
        let text = |error: RunError| error.to_string();
        let assembled = start(job.model, &study).map_err(text)?;
        let mobility = assembled.mobility.clone();
        let mut taking = Taking::new(job.measures);
        let run = Session::new(assembled, &study, &job.outputs.channels)
            .and_then(|session| {
                let mut stop = stop_when(self.stop);
                session.run_in_memory(&mut Observers(vec![&mut taking, &mut stop]))
            })
            .map_err(text)?;
        came_to_its_end(&run)?;
        let measured = MeasuredRun::of(&taking);
        let judged = checks.iter().zip(&tables).enumerate();
        let outcomes = judged.map(|(k, (check, table))| {
            let quantity = self.quantity(check);
            let outcome = match (&check.what, table) {
                (What::Agreement(ways), _) => {
                    self.agreement(k, *ways, &run, &moving, study.output_step)
                }
                (_, Some(table)) => {
                    let within = measured.tolerance(k, check.allowed, f64::NAN);
                    table.compare(&run, (check.allowed, within))
                }
                (What::Count(counted), _) => {
                    let found = Ok((count(&mobility, *counted) as f64, "1"));
                    Ok(measured.judged(k, check, String::new(), found))
                }
                _ => Ok(measured.of_measure(k, check, String::new())),
            };
            match outcome {
                Ok(outcome) => CheckOutcome {
                    quantity,
                    ..outcome
                },
                Err(message) => CheckOutcome::failed(&quantity, message),
            }
        });
        Ok(outcomes.collect())
    }

    /// The reference table of a check, if it has one.
    fn table(&self, check: &Check) -> Result<Option<PrintedTable>, String> {
        let What::Table { file, columns, to } = &check.what else {
            return Ok(None);
        };
        let text = self.entry.files.load(file);
        let text = text.map_err(|error| format!("cannot read {file}: {error}"))?;
        let table = PrintedTable::read(file, &text)?;
        table.restricted(columns, *to).map(Some)
    }
}

/// Returns an error if a run did not reach its end.
fn came_to_its_end(run: &Run) -> Result<(), String> {
    match &run.ended {
        Ok(Stop::Finished | Stop::Event { .. }) => Ok(()),
        Ok(Stop::Interrupted { .. }) => Err("interrupted".to_owned()),
        Err(failure) => Err(failure.to_string()),
    }
}

impl MeasuredRun {
    /// The outcome of the k-th check with this result.
    fn judged(
        &self,
        k: usize,
        check: &Check,
        quantity: String,
        found: Result<(f64, &str), String>,
    ) -> CheckOutcome {
        let reference = self.value(&Check::reference(k));
        CheckOutcome {
            quantity,
            place: None,
            unit: found.as_ref().map_or("", |(_, unit)| *unit).to_owned(),
            result: found.map(|(value, _)| CheckedResult {
                reference,
                value,
                tolerance: self.tolerance(k, check.allowed, reference),
            }),
        }
    }

    /// The outcome of a check of a measure.
    fn of_measure(&self, k: usize, check: &Check, quantity: String) -> CheckOutcome {
        let found = self.get(&Check::value(k));
        let found = found.ok_or_else(|| "the check has no measure".to_owned());
        let other = self.get(&Check::reference(k)).map_or("1", |(_, unit)| unit);
        let found = found.and_then(|(value, unit)| {
            if value.is_nan() {
                return Err("no value: its event never occurred".to_owned());
            }
            if unit != "1" && other != "1" && unit != other {
                return Err(format!("the result is in {unit}, the reference in {other}"));
            }
            Ok((value, if unit == "1" { other } else { unit }))
        });
        self.judged(k, check, quantity, found)
    }
}
