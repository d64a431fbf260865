//! The summary of a run: as text, for the manifest, and as JSON.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use biela::core::analysis::{Assembled, Stop, Study};
use biela::core::system::SingularPose;
use biela::explain::Reason;
use biela::model::diagnostic::escaped;
use biela::record::{Header, Kept, RecordError, RunOutcome};
use biela::view::{Filmed, FolderRecorder, MOST_BYTES};
use biela::{Redundancy, Run, contact_lines, evidence, left_open, redundancies, shared_reactions};
use serde_json::{Map, Value, json};

use super::Args;
use crate::commands::limits;
use crate::failure::FailureCode;
use crate::terminal::{self, Ink, Sheet, StreamStyle, count, number, six_digits, time};

/// The maximum number of listed times of one event.
const TIMES_SHOWN: usize = 4;

/// The results of assembly that concern the run.
#[derive(Debug)]
pub(super) struct AssemblySummary {
    pub(super) redundancies: Vec<Redundancy>,
    /// Joints whose reactions are not unique.
    pub(super) shared_reactions: Vec<String>,
    /// Quantities that are not determined because of redundant constraints.
    pub(super) left_open: Option<String>,
    /// Bodies that assembly moved from the poses in the model.
    pub(super) moved: Vec<String>,
    pub(super) notes: Vec<String>,
    /// Set if constraint rows are dependent at the start but not nearby.
    pub(super) singular_pose: Option<SingularPose>,
    /// The study consists of the initial configuration only.
    pub(super) alone: bool,
}

impl AssemblySummary {
    pub(super) fn of(assembled: &Assembled, alone: bool) -> Self {
        Self {
            redundancies: redundancies(assembled),
            shared_reactions: shared_reactions(assembled),
            left_open: left_open(assembled),
            moved: evidence::moved(assembled),
            notes: assembled.notes.clone(),
            singular_pose: assembled.singular_pose.clone(),
            alone,
        }
    }

    /// Prints the changes by assembly as warnings, for `--quiet`.
    pub(super) fn warn(&self) {
        let word = terminal::err_ink().yellow("warning:");
        for moved in &self.moved {
            terminal::say(&format!("{word} assembly moved {moved}\n"));
        }
        let as_asked = |note: &&String| note.starts_with(biela::AT_EQUILIBRIUM);
        for note in self.notes.iter().filter(|note| !as_asked(note)) {
            terminal::say(&format!("{word} {note}\n"));
        }
    }

    /// Redundant elements as JSON.
    pub(super) fn redundant(&self) -> Value {
        self.redundancies.iter().map(evidence::redundant).collect()
    }

    /// Notes and redundant elements as text.
    pub(super) fn render(&self, sheet: &mut Sheet) {
        for moved in &self.moved {
            sheet.warn("moved", moved.as_str());
        }
        for note in &self.notes {
            sheet.warn("note", note.as_str());
        }
        for redundancy in &self.redundancies {
            sheet.line("redundant", redundancy.to_string());
        }
        if let Some(open) = &self.left_open {
            sheet.warn("redundant", open.as_str());
        }
    }
}

/// The complete summary of a run.
#[derive(Debug)]
pub(super) struct RunSummary {
    pub(super) model: String,
    pub(super) dir: PathBuf,
    pub(super) study: Study,
    pub(super) start: AssemblySummary,
    pub(super) signals: usize,
    pub(super) run: Run,
    /// The name, value and unit of each measure.
    pub(super) measured: Vec<(String, f64, String)>,
    /// The recorded motion, if enabled.
    pub(super) filmed: Option<Filmed>,
    /// The reason why a row could not be written.
    pub(super) recording_problem: Option<RecordError>,
    /// Time of the last checkpoint in the folder.
    pub(super) checkpoint: Option<f64>,
    /// The reason why the last checkpoint could not be written.
    pub(super) checkpoint_problem: Option<String>,
    pub(super) elapsed: Duration,
    pub(super) kept: Kept,
}

impl RunSummary {
    /// Ends the recording of a run and completes its folder.
    pub(super) fn close(
        mut run: Run,
        mut recorder: FolderRecorder,
        (header, dir, study, mut start): (Header, PathBuf, Study, AssemblySummary),
    ) -> Self {
        start.notes.append(&mut run.notes);
        let taking = recorder.measures();
        let measures = taking.measures().list.iter().zip(taking.values());
        let measured = measures
            .map(|(measure, value)| (measure.name.clone(), value, measure.unit.clone()))
            .collect();
        let mut summary = Self {
            model: header.model.name,
            dir,
            study,
            start,
            signals: header.columns.len(),
            run,
            measured,
            filmed: recorder.filmed.take(),
            recording_problem: None,
            checkpoint: recorder.checkpoint,
            checkpoint_problem: recorder.checkpoint_problem.take(),
            elapsed: recorder.elapsed(),
            kept: recorder.writer().kept(),
        };
        let outcome = summary.outcome(recorder.problem());
        match recorder.finish(outcome) {
            // the manifest describes the files in the folder
            Ok(manifest) => {
                summary.kept = Kept {
                    rows: manifest.rows,
                    last_time: manifest.last_time,
                };
            }
            Err(error) => summary.recording_problem = Some(error),
        }
        summary
    }

    /// Returns `true` if results could not be written.
    pub(super) fn is_unrecorded(&self) -> bool {
        self.recording_problem.is_some()
    }

    /// The reason why the recorded motion ends before the run.
    fn motion_problem(&self) -> Option<&str> {
        let filmed = self.filmed.as_ref();
        filmed.and_then(|filmed| filmed.problem.as_deref())
    }

    pub(super) fn code(&self) -> FailureCode {
        match &self.run.ended {
            _ if self.is_unrecorded() => FailureCode::Record,
            Ok(Stop::Finished | Stop::Event { .. }) if self.motion_problem().is_some() => {
                FailureCode::Record
            }
            Ok(Stop::Finished | Stop::Event { .. }) => FailureCode::Done,
            Ok(Stop::Interrupted { .. }) if limits::come().is_some() => FailureCode::Solver,
            Ok(Stop::Interrupted { .. }) => FailureCode::Interrupted,
            Err(_) => FailureCode::Solver,
        }
    }

    /// The reason why the run did not reach its end, if there is a problem.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(problem) = &self.recording_problem {
            return Some(problem.to_string());
        }
        let why = match (&self.run.ended, limits::come()) {
            (Err(failure), _) => format!("the solver stopped: {failure}"),
            (Ok(Stop::Interrupted { time: at }), Some(deadline)) => format!(
                "the deadline of {deadline} s passed at t = {} s of {} s",
                time(*at),
                time(self.study.duration)
            ),
            (Ok(Stop::Finished | Stop::Event { .. }), _) => {
                let problem = self.motion_problem()?;
                return Some(format!(
                    "{}/{problem}: the recorded motion ends early, the signals are complete; free some space, or omit the motion with --no-motion",
                    self.dir.display()
                ));
            }
            (Ok(_), _) => return None,
        };
        let dir = self.dir.display();
        let kept = match self.kept.last_time {
            Some(last) => format!("results in {dir} are complete up to t = {} s", time(last)),
            None => format!("no results in {dir}"),
        };
        Some(format!("{why}\n{kept}"))
    }

    /// The topic of `biela explain` for this outcome.
    pub(super) fn reason(&self) -> Option<Reason> {
        match (&self.recording_problem, &self.run.ended) {
            (Some(_), _) => Some(Reason::Writing),
            (None, Err(failure)) => Some(failure.into()),
            (None, Ok(Stop::Interrupted { .. })) if limits::come().is_some() => {
                Some(Reason::Deadline)
            }
            (None, Ok(Stop::Interrupted { .. })) => Some(Reason::Interrupted),
            (None, Ok(_)) if self.motion_problem().is_some() => Some(Reason::Writing),
            (None, Ok(_)) => (!self.doubts().is_empty()).then_some(Reason::Doubt),
        }
    }

    /// The outcome for the manifest. `problem` is the reason why a row could not be written.
    fn outcome(&self, problem: Option<&RecordError>) -> RunOutcome {
        let mut outcome = self.run.outcome(problem, self.elapsed);
        outcome.checks.extend(map([
            ("redundant", self.start.redundant()),
            ("reactions_not_unique", json!(self.start.shared_reactions)),
            ("moved", json!(self.start.moved)),
            ("notes", json!(self.start.notes)),
            ("warnings", json!(self.doubts())),
        ]));
        outcome
    }

    fn measures(&self) -> Vec<Value> {
        let measured = self.measured.iter();
        let known = |value: f64| (!value.is_nan()).then_some(value);
        measured
            .map(
                |(name, value, unit)| json!({ "name": name, "value": known(*value), "unit": unit }),
            )
            .collect()
    }

    /// The summary as JSON.
    pub(super) fn to_json(&self) -> Value {
        let code = self.code();
        let outcome = self.outcome(self.recording_problem.as_ref());
        json!({
            "status": code.word(),
            "exit": code as i32,
            "message": self.problem(),
            "explain": self.reason().map(Reason::word),
            "model": self.model,
            "results": self.dir.display().to_string(),
            "rows": self.kept.rows,
            "last_time": self.kept.last_time,
            "signals": self.signals,
            "stop": outcome.status,
            "statistics": outcome.statistics,
            "checks": outcome.checks,
            "events": outcome.events,
            "measures": self.measures(),
            "checkpoint": self.checkpoint,
            "timing": outcome.timing,
        })
    }

    /// The summary as text.
    pub(super) fn render(&self, args: &Args, page: StreamStyle) -> String {
        let ink = page.ink;
        let mut sheet = Sheet::new(page);
        let s = &self.run.statistics;
        let step = time(self.study.output_step);
        let rows = count(self.kept.rows as usize, "row");
        let signals = count(self.signals, "signal");
        sheet.line("recorded", format!("{rows} of {signals}, every {step} s"));
        if s.integrator.steps > 0 {
            let (least, most) = s.steps_between;
            let (least, most) = (number(least), number(most));
            let sizes = if least == most {
                format!("of {least} s")
            } else {
                format!("of {least} to {most} s")
            };
            let steps = count(s.integrator.steps as usize, "step");
            let mut text = format!("{steps} {sizes}");
            if s.integrator.rejected > 0 {
                let _ = write!(text, ", {} rejected", s.integrator.rejected);
            }
            sheet.line("solver", text);
        }
        let mut work = format!(
            "{} evaluations, {} factorisations",
            s.integrator.evaluations,
            s.method.factorizations + s.integrator.factorizations
        );
        if s.method.projections > 0 {
            let _ = write!(work, ", {} projections", s.method.projections);
        }
        sheet.line("solver", work);
        if s.method.singular > 0 {
            let passes = count(s.method.singular as usize, "evaluation");
            sheet.line("solver", format!("{passes} at singular configurations"));
        }
        sheet.line(
            "constraints",
            format!(
                "violated by at most {} (position), {} (velocity), {} (acceleration)",
                number(s.worst_position),
                number(s.worst_velocity),
                number(s.worst_acceleration)
            ),
        );
        let energy = format!("balance error at most {} J", number(s.worst_energy));
        sheet.line(
            "energy",
            match evidence::relative_energy(s) {
                Some(share) => format!("{energy}, {} of the energy exchanged", number(share)),
                None => energy,
            },
        );
        if self.run.damps {
            let end = s.numerical_energy;
            let did = if end > 0.0 { "added" } else { "dissipated" };
            let text = format!("the integrator {did} {} J", number(end.abs()));
            sheet.line("energy", text);
        }
        for line in self.run.contacts.iter().flat_map(contact_lines) {
            sheet.line("contacts", line);
        }
        let elapsed = self.elapsed;
        let wall = number(elapsed.as_secs_f64());
        let speed = number(evidence::real_time_factor(self.run.reached, elapsed));
        sheet.line(
            "time",
            format!("{wall} s wall-clock time, {speed} × real time"),
        );
        for (name, value, unit) in &self.measured {
            let text = match unit.as_str() {
                _ if value.is_nan() => format!("{name}: no value, its event never occurred"),
                "1" => format!("{name} = {}", six_digits(*value)),
                _ => format!("{name} = {} {unit}", six_digits(*value)),
            };
            sheet.line("measure", text);
        }
        self.render_events(&mut sheet);
        self.render_poses(&mut sheet);
        self.render_notes(&mut sheet);
        self.render_motion(&mut sheet);
        self.render_checkpoint(&mut sheet);
        let dir = self.dir.display();
        sheet.line("results", format!("{dir} ({})", args.files()));
        let next = if args.plot.is_none() && self.kept.rows > 1 {
            format!("\nnext: biela plot {dir}\n")
        } else {
            String::new()
        };
        format!("{}\n\n{}{next}", self.headline(ink), sheet.render())
    }

    fn headline(&self, ink: Ink) -> String {
        let name = ink.bold(&escaped(&self.model));
        match (&self.run.ended, &self.recording_problem) {
            (Ok(Stop::Interrupted { .. }), Some(_)) | (Err(_), _) => {
                let end = time(self.run.reached);
                format!("{name}: {} at t = {end} s", ink.red("stopped"))
            }
            (Ok(Stop::Finished), _) if self.start.alone => {
                let why =
                    "the model has no dynamic study; add a duration to [study], or use --to TIME";
                format!("{name}: {} only ({why})", ink.green("initial state"))
            }
            (Ok(Stop::Finished), _) => {
                format!(
                    "{name}: {} at t = {} s",
                    ink.green("finished"),
                    time(self.run.reached)
                )
            }
            (
                Ok(Stop::Event {
                    name: event,
                    time: at,
                }),
                _,
            ) => {
                let ended = ink.green(&format!("ended by event `{event}`"));
                format!("{name}: {ended} at t = {} s", time(*at))
            }
            (Ok(Stop::Interrupted { time: at }), None) => {
                format!(
                    "{name}: {} at t = {} s",
                    ink.yellow("interrupted"),
                    time(*at)
                )
            }
        }
    }

    /// Adds a line only if an incomplete run can be resumed or checkpoints failed.
    fn render_checkpoint(&self, sheet: &mut Sheet) {
        if let Some(problem) = &self.checkpoint_problem {
            sheet.warn("checkpoint", format!("could not be written: {problem}"));
        }
        if let (Some(at), false) = (self.checkpoint, self.code() == FailureCode::Done) {
            let text = format!(
                "the same command with --resume continues from t = {} s",
                time(at)
            );
            sheet.line("checkpoint", text);
        }
    }

    /// Adds a line only if the motion does not have one frame per row.
    fn render_motion(&self, sheet: &mut Sheet) {
        let Some(filmed) = &self.filmed else {
            return;
        };
        if filmed.problem.is_none() && filmed.rows_in_frame > 1 {
            let text = format!(
                "{} frames, one per {} rows, to stay below {} MiB",
                filmed.frames,
                filmed.rows_in_frame,
                MOST_BYTES >> 20
            );
            sheet.line("motion", text);
        }
    }

    /// Adds a line for each event, with its times.
    fn render_events(&self, sheet: &mut Sheet) {
        let mut names: Vec<(&str, Vec<f64>)> = Vec::new();
        for (time, event) in &self.run.events {
            match names.iter_mut().find(|(name, _)| name == event) {
                Some((_, times)) => times.push(*time),
                None => names.push((event, vec![*time])),
            }
        }
        for (name, times) in names {
            sheet.line("events", format!("`{name}` at {}", when(&times)));
        }
        if let Some(text) = only_counted(self.run.events_not_listed) {
            sheet.line("events", text);
        }
    }

    /// Adds a line for each kind of singular configuration, with its times.
    fn render_poses(&self, sheet: &mut Sheet) {
        let mut kinds: Vec<(String, Vec<f64>)> = Vec::new();
        for pose in &self.run.singular_poses {
            let kind = evidence::describe_pose(pose);
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, times)) => times.push(pose.time),
                None => kinds.push((kind, vec![pose.time])),
            }
        }
        for (kind, times) in kinds {
            sheet.warn("singular", format!("at {}, {kind}", when(&times)));
        }
        if let Some(text) = only_counted(self.run.singular_poses_not_listed) {
            sheet.warn("singular", text);
        }
    }

    /// Warnings about the reliability of the results.
    fn doubts(&self) -> Vec<String> {
        let mut doubts = self.run.doubts();
        if let Some(pose) = &self.start.singular_pose {
            doubts.push(format!(
                "the start is a singular configuration, {}",
                evidence::describe_pose(pose)
            ));
        }
        doubts
    }

    fn render_notes(&self, sheet: &mut Sheet) {
        for doubt in self.doubts() {
            sheet.warn("warning", doubt);
        }
        self.start.render(sheet);
    }
}

/// "t = 1, 2, 3, … 9 s (9 times)". A single time that exceeds the limit is shown instead of the dots.
fn when(times: &[f64]) -> String {
    let shown = if times.len() == TIMES_SHOWN + 1 {
        times.len()
    } else {
        TIMES_SHOWN
    };
    let first: Vec<String> = times.iter().take(shown).map(|t| time(*t)).collect();
    let mut text = format!("t = {}", first.join(", "));
    if let Some(last) = times.get(shown..).and_then(<[f64]>::last) {
        let _ = write!(text, ", … {}", time(*last));
    }
    text += " s";
    if times.len() > 1 {
        let _ = write!(text, " ({} times)", times.len());
    }
    text
}

/// A note about entries that a list omits.
fn only_counted(more: u64) -> Option<String> {
    match more {
        0 => None,
        1 => Some("and 1 more, not listed".to_owned()),
        n => Some(format!("and {n} more, not listed")),
    }
}

pub(super) fn map<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    let owned = entries
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    owned.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipsis_replaces_more_than_one_time() {
        let shown = |n: u32| when(&(1..=n).map(f64::from).collect::<Vec<_>>());
        assert_eq!(shown(1), "t = 1 s");
        assert_eq!(shown(4), "t = 1, 2, 3, 4 s (4 times)");
        assert_eq!(shown(5), "t = 1, 2, 3, 4, 5 s (5 times)");
        assert_eq!(shown(6), "t = 1, 2, 3, 4, … 6 s (6 times)");
    }

    #[test]
    fn entries_that_are_not_listed_are_counted() {
        assert_eq!(only_counted(0), None);
        let one = "and 1 more, not listed";
        assert_eq!(only_counted(1).as_deref(), Some(one));
        let two = "and 2 more, not listed";
        assert_eq!(only_counted(2).as_deref(), Some(two));
    }
}
