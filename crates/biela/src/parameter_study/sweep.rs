//! The points of a sweep.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use biela_model::lower::Varied;
use biela_record::digest;
use biela_study::Plan;

use super::error::ParameterStudyError;
use super::identity::Identity;
use super::journal::{self, Journal, SweepShard};
use super::parallel::as_they_come;
use super::runs::{ParameterRuns, Stopped};
use super::table::SweepTable;

/// A computed point.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// Its number, from 0.
    pub point: usize,
    /// The measures, or the reason of a failure.
    pub values: Result<Vec<f64>, String>,
}

/// A model and the points at which it is run.
#[derive(Debug)]
pub struct Sweep {
    runs: ParameterRuns,
    parameters: Vec<Varied>,
    plan: Plan,
}

impl Sweep {
    /// Creates the sweep that a model defines.
    pub fn new(runs: ParameterRuns) -> Result<Self, ParameterStudyError> {
        let missing = |text: &str| ParameterStudyError::Missing(text.to_owned());
        let Some(sweep) = runs.about().sweep.clone() else {
            return Err(missing(
                "the model has no [sweep]; add it with plan = \"grid\" and vary.NAME = { from = 1, to = 2, levels = 5 }",
            ));
        };
        if runs.about().measures.list.is_empty() {
            return Err(missing(
                "the model has no measure; add a [[measure]] with name = \"peak\", of = \"SIGNAL\" and take = \"max\"",
            ));
        }
        let columns = sweep.parameters.iter().map(|p| &p.name);
        let columns = columns.chain(runs.about().measures.list.iter().map(|m| &m.name));
        if let Some(name) = columns
            .into_iter()
            .find(|n| ["point", "problem"].contains(&n.as_str()))
        {
            return Err(missing(&format!(
                "`{name}` is a column of every sweep table; rename the parameter or measure"
            )));
        }
        Ok(Self {
            runs,
            parameters: sweep.parameters,
            plan: sweep.plan,
        })
    }

    /// The model.
    pub fn runs(&self) -> &ParameterRuns {
        &self.runs
    }

    /// The varied parameters, in the order of the values of a point.
    pub fn parameters(&self) -> &[Varied] {
        &self.parameters
    }

    /// The points.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The properties that must agree for points to belong together.
    pub fn identity(&self) -> Identity {
        let mut bytes: Vec<u8> = Vec::new();
        for parameter in &self.parameters {
            bytes.extend_from_slice(parameter.name.as_bytes());
            bytes.push(0);
        }
        for point in 0..self.plan.len() {
            for value in self.plan.point(point) {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
        let measures = self.runs.about().measures.list.iter();
        Identity {
            model: self.runs.about().name.clone(),
            texts: self.runs.digest(),
            plan: digest(&bytes),
            points: self.plan.len(),
            parameters: (self.parameters.iter())
                .map(|p| (p.name.clone(), p.unit.clone()))
                .collect(),
            measures: measures.map(|m| (m.name.clone(), m.unit.clone())).collect(),
        }
    }

    /// Computes a point; the rows of the run go to the folder `history` if given. The result is bitwise reproducible.
    pub fn compute(
        &self,
        point: usize,
        history: Option<&Path>,
        stop: &dyn Fn() -> bool,
    ) -> SweepPoint {
        let values = self.plan.point(point);
        let names = self.parameters.iter().map(|p| p.name.as_str());
        SweepPoint {
            point,
            values: self.runs.measure(names.zip(values), history, stop),
        }
    }

    /// The folder for the rows of a point below the folder of a sweep.
    pub fn history(folder: &Path, point: usize) -> PathBuf {
        folder.join("points").join(format!("{point:06}"))
    }

    /// Computes the points of a part that are not in the journal, in parallel threads. `seen` is called after each with the number of known points. The
    /// function ends early when `stop` returns `true`; finished points are kept.
    pub fn advance(
        &self,
        journal: &mut Journal,
        part: SweepShard,
        (threads, histories): (usize, Option<&Path>),
        stop: &(dyn Fn() -> bool + Sync),
        mut seen: impl FnMut(&SweepRow),
    ) -> Result<(), ParameterStudyError> {
        let open: Vec<usize> = (0..self.plan.len())
            .filter(|&k| part.has(k) && !journal.rows().contains_key(&k))
            .collect();
        // a point that cannot be stored need not be computed
        let broken = AtomicBool::new(false);
        let work = |index: usize| {
            let point = open[index];
            let folder = histories.map(|folder| Self::history(folder, point));
            let stop = || stop() || broken.load(Ordering::Relaxed);
            (!stop()).then(|| self.compute(point, folder.as_deref(), &stop).into_row())?
        };
        let mut problem = None;
        let mut take = |row: Result<SweepRow, ParameterStudyError>| {
            let row = row?;
            seen(&row);
            journal.push(row)
        };
        as_they_come(open.len(), threads, &work, |_, row| {
            if problem.is_none() {
                problem = take(row).err();
                broken.store(problem.is_some(), Ordering::Relaxed);
            }
        });
        problem.map_or(Ok(()), Err)
    }

    /// Returns the table of all points; an error if points are missing.
    pub fn table(
        &self,
        folder: &Path,
        rows: &BTreeMap<usize, SweepRow>,
    ) -> Result<SweepTable, ParameterStudyError> {
        let points = self.plan.len();
        let first = (0..points).find(|point| !rows.contains_key(point));
        if let Some(first) = first {
            return Err(ParameterStudyError::Incomplete {
                folder: folder.to_owned(),
                missing: points - rows.len(),
                points,
                first,
            });
        }
        Ok(SweepTable::new(self, rows))
    }

    /// Returns the points known in a folder, computed by any process.
    pub fn gather(&self, folder: &Path) -> Result<BTreeMap<usize, SweepRow>, ParameterStudyError> {
        let identity = self.identity();
        identity.claim(folder)?;
        journal::read(folder, &identity)
    }

    /// Removes the files of an earlier study from a folder.
    pub fn clear(folder: &Path) -> Result<(), ParameterStudyError> {
        Identity::clear(folder)
    }
}

/// The result of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPoint {
    /// Its number, from 0.
    pub point: usize,
    /// The measures, or the reason why there are none.
    pub values: Result<Vec<f64>, Stopped>,
}

impl SweepPoint {
    /// Returns the row; `None` for a point that was interrupted.
    ///
    /// # Errors
    ///
    /// If the rows of its run could not be written.
    pub fn into_row(self) -> Option<Result<SweepRow, ParameterStudyError>> {
        let values = match self.values {
            Ok(values) => Ok(values),
            Err(Stopped::Failed(reason)) => Err(reason),
            Err(Stopped::Unrecorded(reason)) => {
                return Some(Err(ParameterStudyError::Unrecorded(reason)));
            }
            Err(Stopped::Interrupted) => return None,
        };
        Some(Ok(SweepRow {
            point: self.point,
            values,
        }))
    }
}
