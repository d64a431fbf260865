//! Static studies: the equilibria of a model, one per row of the results.

use std::path::PathBuf;
use std::time::{Instant as Clock, SystemTime, UNIX_EPOCH};

use biela::core::analysis::{Equilibrium, Stability, stop_when};
use biela::explain::Reason;
use biela::model::diagnostic::escaped;
use biela::record::{Header, RunOutcome, RunStatus};
use biela::viewer::Scene;
use biela::{RunError, Session, evidence};
use serde_json::{Map, Value, json};

use super::summary::{AssemblySummary, map};
use super::{Args, is_to_end};
use crate::commands::check::start_failure;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal::{self, Ink, Sheet, StreamStyle, count, number, table};

/// The results of the search.
struct EquilibriaReport<'a> {
    args: &'a Args,
    model: &'a str,
    dir: PathBuf,
    signals: usize,
    start: &'a AssemblySummary,
    start_points: usize,
    load_steps: usize,
    equilibria: Vec<Equilibrium>,
    /// The reason why a row could not be written.
    problem: Option<String>,
    /// The reason why the search ended early.
    lost: Option<String>,
    seconds: f64,
}

/// Searches, records and prints the equilibria.
pub(super) fn run(
    args: &Args,
    mut session: Session,
    (start_points, load_steps): (usize, usize),
    (dir, header): (PathBuf, &Header),
    (start, scene): (&AssemblySummary, &Scene),
) -> CommandResult {
    let failure = |error: RunError| start_failure(&args.model.path, &error);
    let clock = Clock::now();
    let (found, lost) = session.search();
    let (rows, lost) = (found.len(), lost.map(RunError::Statics));
    let lost = match lost {
        Some(error) if rows == 0 => return Err(failure(error)),
        lost => lost,
    };
    let folder = args.folder(&dir, header, scene, rows as f64);
    let mut recorder = folder.create(&session)?;
    let run = recorder.run(session, &mut stop_when(is_to_end));
    let run = run.map_err(failure)?;
    let problem = recorder.problem().map(ToString::to_string);
    let mut report = EquilibriaReport {
        args,
        model: &header.model.name,
        dir,
        signals: header.columns.len(),
        start,
        start_points,
        load_steps,
        equilibria: run.equilibria,
        problem,
        lost: lost.as_ref().map(ToString::to_string),
        seconds: clock.elapsed().as_secs_f64(),
    };
    let finished = recorder.finish(report.outcome());
    if let (Err(error), None) = (finished, &report.problem) {
        report.problem = Some(error.to_string());
    }
    if args.quiet {
        report.start.warn();
    } else {
        terminal::say(&report.render(terminal::err_page()));
    }
    // a failure is printed elsewhere
    if args.json && lost.is_none() {
        terminal::data(&format!("{:#}\n", report.to_json()))?;
    }
    match (report.problem, lost) {
        (Some(problem), _) => {
            Err(Failure::new(FailureCode::Record, problem).because(Reason::Writing))
        }
        (None, Some(error)) => Err(failure(error)),
        (None, None) => Ok(FailureCode::Done),
    }
}

impl EquilibriaReport<'_> {
    /// The outcome for the manifest.
    fn outcome(&self) -> RunOutcome {
        let status = match self.problem.as_ref().or(self.lost.as_ref()) {
            Some(message) => RunStatus::Failed {
                message: message.clone(),
                time: 0.0,
            },
            None => RunStatus::Finished,
        };
        RunOutcome {
            status,
            statistics: self.statistics(),
            checks: self.checks(),
            events: Vec::new(),
            timing: self.timing(),
        }
    }

    fn statistics(&self) -> Map<String, Value> {
        let list: Vec<Value> = self.equilibria.iter().map(evidence::equilibrium).collect();
        map([
            ("start_points", json!(self.start_points)),
            ("equilibria", json!(list)),
        ])
    }

    fn checks(&self) -> Map<String, Value> {
        let residuals = self.equilibria.iter().map(|found| found.residual);
        map([
            ("largest_residual", json!(residuals.fold(0.0, f64::max))),
            ("redundant", self.start.redundant()),
            ("reactions_not_unique", json!(self.start.shared_reactions)),
            ("moved", json!(self.start.moved)),
            ("notes", json!(self.start.notes)),
            ("warnings", json!(self.doubts())),
        ])
    }

    fn timing(&self) -> Map<String, Value> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        map([
            ("wall_seconds", json!(self.seconds)),
            (
                "ended_at_unix_seconds",
                json!(now.map_or(0, |d| d.as_secs())),
            ),
        ])
    }

    /// The report as JSON.
    fn to_json(&self) -> Value {
        let mut object = json!({
            "status": FailureCode::Done.word(),
            "exit": FailureCode::Done as i32,
            "message": Value::Null,
            "model": self.model,
            "results": self.dir.display().to_string(),
            "rows": self.equilibria.len(),
            "signals": self.signals,
            "checks": self.checks(),
            "timing": self.timing(),
        });
        for (name, value) in self.statistics() {
            object[name] = value;
        }
        object
    }

    /// Warnings about the reliability of the table.
    fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        if self.lost.is_some() {
            doubts.push(format!(
                "no equilibrium was found for the load step after row {}; the rows before it are recorded",
                self.equilibria.len().saturating_sub(1)
            ));
        }
        if self.equilibria.iter().all(|found| found.start > 0) {
            doubts.push("no equilibrium was found from the initial pose of the model, only from other start points".to_owned());
        }
        for (k, _) in self
            .equilibria
            .iter()
            .enumerate()
            .filter(|(_, e)| e.singular)
        {
            doubts.push(format!(
                "row {k} is a singular configuration, e.g. a dead centre: the constraint Jacobian loses rank there, so more degrees of freedom are left"
            ));
        }
        if self.equilibria.iter().any(|found| found.asymmetric) {
            doubts.push(
                "the stiffness matrix is not symmetric (follower forces, laws that read the motion, rolling): \
                 stable excludes divergence, but not flutter"
                    .to_owned(),
            );
        }
        doubts
    }

    /// The report as text.
    fn render(&self, page: StreamStyle) -> String {
        let ink = page.ink;
        let name = ink.bold(&escaped(self.model));
        let found = match self.equilibria.len() {
            1 => "1 equilibrium".to_owned(),
            n => format!("{n} equilibria"),
        };
        let from = match (self.load_steps, self.start_points) {
            (0, 1) => "from the start".to_owned(),
            (0, n) => format!("from {}", count(n, "start point")),
            (n, _) => format!("in {}", count(n, "load step")),
        };
        let mut heading = vec![
            "row",
            "stability",
            "potential energy",
            "softest motion",
            "moves most",
            "unbalanced",
        ];
        if self.load_steps > 0 {
            heading.insert(1, "load");
        }
        let row = |(k, found): (usize, &Equilibrium)| {
            let mut cells = vec![
                k.to_string(),
                found.stability.word().to_owned(),
                format!("{} J", number(found.potential)),
                softest(found),
                found.mover.clone().unwrap_or_else(|| "-".to_owned()),
                number(found.residual),
            ];
            if self.load_steps > 0 {
                cells.insert(1, number(found.load));
            }
            cells
        };
        let rows: Vec<Vec<String>> = self.equilibria.iter().enumerate().map(row).collect();
        let table = table(ink, &heading, &rows);
        let head = self.headline(ink, &found);
        let supports = self.supports(ink);
        format!(
            "{name}: {head} {from}\n\n{table}\n{supports}{}",
            self.sheet(page)
        )
    }

    /// The forces of closed contacts, stops and ropes as a table; empty without them.
    fn supports(&self, ink: Ink) -> String {
        let mut rows = Vec::new();
        for (k, found) in self.equilibria.iter().enumerate() {
            for one in found.supports.iter().flat_map(|supports| &supports.forces) {
                let point = match one.point {
                    0 => String::new(),
                    point => format!(", point {point}"),
                };
                let used = one.used.map(|used| format!("{} %", number(100.0 * used)));
                rows.push(vec![
                    k.to_string(),
                    format!("{}{point}", escaped(&one.element)),
                    format!("{} {}", number(one.normal), one.unit),
                    match one.used {
                        Some(_) => format!("{} {}", number(one.tangential), one.unit),
                        None => "-".to_owned(),
                    },
                    used.unwrap_or_else(|| "-".to_owned()),
                ]);
            }
        }
        if rows.is_empty() {
            return String::new();
        }
        let heading = vec!["row", "support", "normal force", "friction", "of its bound"];
        format!("{}\n", table(ink, &heading, &rows))
    }

    fn headline(&self, ink: Ink, found: &str) -> String {
        let stable = |e: &Equilibrium| e.stability != Stability::Unstable;
        if self.equilibria.iter().any(stable) {
            ink.green(found)
        } else {
            ink.yellow(found)
        }
    }

    fn sheet(&self, page: StreamStyle) -> String {
        let mut sheet = Sheet::new(page);
        for doubt in self.doubts() {
            sheet.warn("warning", doubt);
        }
        self.start.render(&mut sheet);
        for (k, supports) in self
            .equilibria
            .iter()
            .map(|found| &found.supports)
            .enumerate()
        {
            let Some(supports) = supports else { continue };
            if let Some(share) = supports.least_share().filter(|_| supports.forces.len() > 1) {
                let share = number(100.0 * share);
                sheet.line(
                    "margin",
                    format!("row {k}: the smallest normal force is {share} % of their mean"),
                );
            }
            if supports.indeterminate {
                sheet.line("margin", format!("row {k}: the forces are statically indeterminate; their least-norm distribution is shown"));
            }
        }
        let rows = count(self.equilibria.len(), "row");
        let signals = count(self.signals, "signal");
        sheet.line("recorded", format!("{rows} of {signals}"));
        let dir = self.dir.display();
        sheet.line("results", format!("{dir} ({})", self.args.files()));
        sheet.render()
    }
}

/// The frequency of the softest mode, or its growth rate if it is unstable.
fn softest(found: &Equilibrium) -> String {
    match found.smallest {
        None if found.stability == Stability::Unknown => "-".to_owned(),
        None => "no degrees of freedom".to_owned(),
        Some(squared) if squared > 0.0 => {
            format!("{} Hz", number(squared.sqrt() / std::f64::consts::TAU))
        }
        Some(squared) if squared < 0.0 => {
            format!("e-folding time {} s", number((-squared).sqrt().recip()))
        }
        Some(_) => count(found.neutral, "neutral direction"),
    }
}
