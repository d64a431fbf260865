//! Cases of validation, run and judged: the evidence that a user can look at on his own machine.
//!
//! ```
//! let entry = biela::validate::Entry::shipped("pacheco-conical-pendulum")?;
//! let outcomes = biela::validate::judge(&entry, &|| false).unwrap_or_default();
//! assert!(outcomes.iter().all(|outcome| outcome.passes()));
//! # Ok::<(), biela::ModelError>(())
//! ```

mod agreement;
mod shipped;
mod table;

use std::ops::ControlFlow;

use biela_core::analysis::{Assembled, Mode, Progress, Request, Stop};
use biela_core::system::{Channel, Instant, channels};
use biela_model::case::{Allowed, Check, Counted, Run as Plan, What};
use biela_model::document::Loader;

use crate::study::{Taking, as_they_come};
use crate::{At, Job, Onlooker, Run, linearize, run_watched};
pub use shipped::{Entry, names};
use table::Table;

/// What came of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was compared.
    pub quantity: String,
    /// Where it is worst, if it was compared at more than one place.
    pub place: Option<String>,
    /// The SI unit; empty or `1` when there is none.
    pub unit: String,
    /// The numbers, or why there are none.
    pub result: Result<Found, String>,
}

/// A result beside its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// What must come out.
    pub reference: f64,
    /// What came out.
    pub value: f64,
    /// How far it may be off.
    pub tolerance: f64,
}

impl Found {
    /// How far it is off.
    pub fn error(&self) -> f64 {
        (self.value - self.reference).abs()
    }

    /// Whether it is near enough.
    pub fn passes(&self) -> bool {
        self.error() <= self.tolerance
    }
}

impl Outcome {
    /// Whether there is a result near enough to its reference.
    pub fn passes(&self) -> bool {
        self.result.as_ref().is_ok_and(Found::passes)
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

/// Runs a case and judges what came of it; nothing when `stop` says so.
pub fn judge(entry: &Entry, stop: &dyn Fn() -> bool) -> Option<Vec<Outcome>> {
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

/// Judges cases in so many threads, and gives what came of each to `take` in their order; fewer when `stop` says so.
pub fn judge_all(
    entries: &[Entry],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    mut take: impl FnMut(&Entry, Vec<Outcome>),
) {
    let mut waiting: Vec<Option<Vec<Outcome>>> = entries.iter().map(|_| None).collect();
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
    entry: &'c Entry,
    run: usize,
    plan: &'c Plan,
    stop: &'c dyn Fn() -> bool,
}

/// What a run is measured by.
struct Measured {
    names: Vec<(String, String)>,
    values: Vec<f64>,
}

impl Measured {
    fn of(taking: &Taking) -> Self {
        let list = taking.measures().list.iter();
        Self {
            names: list.map(|m| (m.name.clone(), m.unit.clone())).collect(),
            values: taking.values(),
        }
    }

    /// Value and unit of a measure.
    fn get(&self, name: &str) -> Option<(f64, &str)> {
        let at = self.names.iter().position(|(known, _)| known == name)?;
        Some((self.values[at], &self.names[at].1))
    }

    fn value(&self, name: &str) -> f64 {
        self.get(name).map_or(f64::NAN, |(value, _)| value)
    }

    /// How far the k-th check may be off its reference.
    fn tolerance(&self, k: usize, allowed: Allowed, reference: f64) -> f64 {
        match allowed {
            Allowed::Within => self.value(&Check::allowed_name(k)).abs(),
            Allowed::Share(share) => share * reference.abs(),
            Allowed::LastDigits(_) => f64::NAN,
        }
    }
}

/// Takes the measures of a run, counts what was assembled, and ends it when that is wanted.
struct Looking<'s> {
    taking: Taking,
    counts: [usize; 3],
    stop: &'s dyn Fn() -> bool,
}

impl Onlooker for Looking<'_> {
    fn begin(&mut self, assembled: &Assembled, _: (&str, &biela_model::Parameters)) {
        let mobility = &assembled.mobility;
        self.counts = [mobility.freedom, mobility.rows, mobility.dependent.len()];
    }

    fn look(&mut self, instant: &Instant<'_>) {
        self.taking.sample(instant);
    }

    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        if (self.stop)() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Judge<'_> {
    fn outcomes(&self) -> Vec<Outcome> {
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

    /// Nothing can be said about the run.
    fn refused(&self, message: String) -> Outcome {
        Outcome::failed(self.plan.name.as_deref().unwrap_or("run"), message)
    }

    /// The quantity of a check, with the name of the run where it has one.
    fn quantity(&self, check: &Check) -> String {
        match &self.plan.name {
            Some(name) => format!("{name}: {}", check.quantity),
            None => check.quantity.clone(),
        }
    }

    /// The checks of a linear model.
    fn linear(&self, job: Job, at: &str) -> Result<Vec<Outcome>, String> {
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
        let mut outcomes = Vec::new();
        for (k, check) in self.plan.checks.iter().enumerate() {
            let quantity = self.quantity(check);
            let nth = |n: usize| {
                let count = oscillations.len();
                let mode = oscillations.get(n).map(|mode| mode.value);
                mode.ok_or(format!("there are only {count} modes that oscillate"))
            };
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
                    let parts = [Check::reference(k), Check::imaginary(k)];
                    let wanted = parts.map(|name| measured.value(&name));
                    let off =
                        |mode: &&Mode| (mode.value.re - wanted[0]).hypot(mode.value.im - wanted[1]);
                    let nearest = (linear.modes.iter()).min_by(|a, b| off(a).total_cmp(&off(b)));
                    let Some(found) = nearest.map(|mode| [mode.value.re, mode.value.im]) else {
                        outcomes.push(Outcome::failed(&quantity, "there is no mode".to_owned()));
                        continue;
                    };
                    let size = wanted[0].hypot(wanted[1]);
                    let tolerance = measured.tolerance(k, check.allowed, size);
                    for (i, part) in ["real part", "imaginary part"].iter().enumerate() {
                        outcomes.push(Outcome {
                            quantity: format!("{quantity}, {part}"),
                            place: None,
                            unit: "1/s".to_owned(),
                            result: Ok(Found {
                                reference: wanted[i],
                                value: found[i],
                                tolerance,
                            }),
                        });
                    }
                }
                _ => outcomes.push(measured.of_measure(k, check, quantity)),
            }
        }
        Ok(outcomes)
    }

    /// The checks of a run.
    fn motion(&self, mut job: Job) -> Result<Vec<Outcome>, String> {
        let texts = self.tables()?;
        let tables: Vec<Option<Table<'_>>> = self
            .plan
            .checks
            .iter()
            .zip(&texts)
            .map(|(check, text)| match (&check.what, text) {
                (What::Table { file, columns, to }, Some(text)) => {
                    let mut table = Table::read(file, text)?;
                    table.restrict(columns, *to)?;
                    Ok(Some(table))
                }
                _ => Ok(None),
            })
            .collect::<Result<_, String>>()?;
        let signals: Vec<&str> = tables.iter().flatten().flat_map(Table::signals).collect();
        let all = channels(&job.model);
        let compared = self
            .plan
            .checks
            .iter()
            .any(|check| matches!(check.what, What::Agreement(_)));
        job.outputs.channels.clone_from(&all);
        let moving = if compared {
            crate::distance::motion(&job, &[]).map_err(|error| error.to_string())?
        } else {
            Vec::new()
        };
        let wanted = |channel: &Channel| {
            signals.contains(&channel.name.as_str()) || moving.contains(channel)
        };
        job.outputs.channels = all.into_iter().filter(wanted).collect();
        let mut looking = Looking {
            taking: Taking::new(job.measures.clone()),
            counts: [0; 3],
            stop: self.stop,
        };
        let study = job.study_or_start();
        let run = run_watched(job, &study, &mut looking).map_err(|error| error.to_string())?;
        came_to_its_end(&run)?;
        for (time, name) in &run.events {
            looking.taking.event(name, *time);
        }
        let measured = Measured::of(&looking.taking);
        let mut outcomes = Vec::new();
        for (k, (check, table)) in self.plan.checks.iter().zip(&tables).enumerate() {
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
                    let count = match counted {
                        Counted::Freedom => looking.counts[0],
                        Counted::Equations => looking.counts[1],
                        Counted::Redundant => looking.counts[2],
                    };
                    let found = Ok((count as f64, "1"));
                    Ok(measured.judged(k, check, String::new(), found))
                }
                _ => Ok(measured.of_measure(k, check, String::new())),
            };
            outcomes.push(match outcome {
                Ok(outcome) => Outcome {
                    quantity,
                    ..outcome
                },
                Err(message) => Outcome::failed(&quantity, message),
            });
        }
        Ok(outcomes)
    }

    /// The texts of the tables of the checks.
    fn tables(&self) -> Result<Vec<Option<String>>, String> {
        let text = |check: &Check| match &check.what {
            What::Table { file, .. } => {
                let text = self.entry.files.load(file);
                text.map(Some)
                    .map_err(|error| format!("cannot read {file}: {error}"))
            }
            _ => Ok(None),
        };
        self.plan.checks.iter().map(text).collect()
    }
}

/// Why a run that did not come to its end cannot be judged.
fn came_to_its_end(run: &Run) -> Result<(), String> {
    match &run.ended {
        Ok(Stop::Finished | Stop::Event { .. }) => Ok(()),
        Ok(Stop::Interrupted { .. }) => Err("interrupted".to_owned()),
        Err(failure) => Err(failure.to_string()),
    }
}

impl Measured {
    /// The outcome of the k-th check, whose result is this.
    fn judged(
        &self,
        k: usize,
        check: &Check,
        quantity: String,
        found: Result<(f64, &str), String>,
    ) -> Outcome {
        let reference = self.value(&Check::reference(k));
        Outcome {
            quantity,
            place: None,
            unit: found.as_ref().map_or("", |(_, unit)| *unit).to_owned(),
            result: found.map(|(value, _)| Found {
                reference,
                value,
                tolerance: self.tolerance(k, check.allowed, reference),
            }),
        }
    }

    /// The outcome of a check of a measure.
    fn of_measure(&self, k: usize, check: &Check, quantity: String) -> Outcome {
        let found = self.get(&Check::value(k));
        let found = found.ok_or_else(|| "nothing is measured".to_owned());
        let other = self.get(&Check::reference(k)).map_or("1", |(_, unit)| unit);
        let found = found.and_then(|(value, unit)| {
            if value.is_nan() {
                return Err("it did not come about".to_owned());
            }
            if unit != "1" && other != "1" && unit != other {
                return Err(format!("the result is in {unit}, its reference in {other}"));
            }
            Ok((value, if unit == "1" { other } else { unit }))
        });
        self.judged(k, check, quantity, found)
    }
}
