//! `biela check`: reports everything about a model that is known before it moves.

use std::path::Path;
use std::time::Duration;

use biela::core::analysis::{
    AssembleError, Assembled, FollowingRate, GapMeaning, InitialGap, OpenElement, StaticsError,
};
use biela::core::model::{Model, Space};
use biela::explain::Reason;
use biela::model::diagnostic::escaped;
use biela::{Redundancy, RunError, contact_law, contact_surfaces, evidence, redundancies};
use serde_json::{Value, json};

use crate::commands::limits::LimitArgs;
use crate::failure::{CommandResult, Failure, FailureCode, more};
use crate::input::ModelArgs;
use crate::terminal::{self, Sheet, StreamStyle, count, number};

const AFTER_HELP: &str = "\
Examples:
  biela check model.toml
  biela check model.toml --set \"length=2 m\" --strict
  biela check model.toml --json
  biela check downloaded.toml --deadline 30s --memory 1GB";

/// Check a model without running it: report every problem, the degrees of freedom and redundant constraints
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Exit with code 1 if there are warnings, if assembly moved a body, or if the initial configuration is singular
    #[arg(long)]
    strict: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let most_memory = args.limits.start(Duration::ZERO)?;
    let job = args.model.load(false)?;
    let study = job.study_or_start();
    let diagnostics = job.report.diagnostics.to_json(&job.report.sources);
    let warnings = job.report.diagnostics.warnings();
    let missing = biela::view::missing_meshes(&job.model, args.model.folder());
    let assembled = biela::assemble_for(job.model, &study, most_memory)
        .map_err(|error| start_failure(&args.model.path, &error))?;
    let report = AssemblyReport::of(&assembled, missing);
    let as_written = warnings == 0 && report.is_as_written();
    let regular = assembled.singular_pose.is_none();
    let code = FailureCode::require(!args.strict || (as_written && regular));
    if args.json {
        let mut object = evidence::start(&assembled);
        object["status"] = json!(code.word());
        object["exit"] = json!(code as i32);
        object["problems"] = diagnostics;
        let missing = report.missing_meshes.iter();
        let missing = missing.map(|(body, why)| json!({ "body": body, "reason": why }));
        object["missing_meshes"] = missing.collect();
        terminal::data(&format!("{object:#}\n"))?;
    } else {
        terminal::data(&report.render(terminal::out_page()))?;
    }
    if code == FailureCode::Requirement {
        let text = if as_written {
            "the start is a singular configuration (--strict)"
        } else {
            "the start is not exactly as written (--strict): there are warnings, a mesh is missing, or assembly changed the initial state"
        };
        terminal::say(&format!("{} {text}\n", terminal::err_ink().red("failed:")));
        terminal::say(&more(Reason::Requirement));
    }
    Ok(code)
}

/// The failure for a study that cannot be started.
pub(crate) fn start_failure(path: &Path, error: &RunError) -> Failure {
    match error {
        RunError::Assemble(error) => assembly_failure(path, error),
        RunError::Study(error) => Failure::new(
            FailureCode::Model,
            format!("{}: [study] {error}", path.display()),
        )
        .because(Reason::BadModel),
        RunError::TooLarge { needed, most, .. } => Failure {
            details: json!({ "kind": "too-large", "needed": needed, "most": most }),
            ..Failure::new(
                FailureCode::Assembly,
                format!(
                    "{}: {error} with `--memory` of `biela run` or `biela check`",
                    path.display()
                ),
            )
            .because(error)
        },
        RunError::TableTooLarge { rows, signals } => Failure {
            details: json!({ "kind": "too-large", "rows": rows, "signals": signals }),
            ..Failure::new(
                FailureCode::Assembly,
                format!("{}: {error}", path.display()),
            )
            .because(error)
        },
        RunError::Statics(error) => {
            let details = match error {
                StaticsError::NoEquilibrium {
                    body,
                    linear,
                    angular,
                    residual,
                    start_points,
                    load,
                    ..
                } => json!({
                    "kind": "no-equilibrium",
                    "body": body,
                    "acceleration": linear,
                    "angular_acceleration": angular,
                    "residual": residual,
                    "start_points": start_points,
                    "load": load,
                }),
                StaticsError::NotFinite(_) => json!({ "kind": "not-finite" }),
                StaticsError::Velocities(_) => json!({ "kind": "velocities" }),
            };
            let text = format!("{}: {error}", path.display());
            Failure {
                details,
                ..Failure::new(FailureCode::Solver, text).because(error)
            }
        }
    }
}

/// The failure for a model that cannot be assembled.
fn assembly_failure(path: &Path, error: &AssembleError) -> Failure {
    let details = match error {
        AssembleError::Positions {
            open,
            dependent,
            attempts,
        } => json!({
            "kind": "positions",
            "open": open_json(open),
            "conflicting": dependent,
            "attempts": attempts,
        }),
        AssembleError::Velocities { open } => {
            json!({ "kind": "velocities", "open": open_json(open) })
        }
        AssembleError::Penetrations { open } => {
            json!({ "kind": "penetrations", "open": open_json(open) })
        }
        AssembleError::Kept {
            what,
            residual,
            unit,
        } => {
            json!({ "kind": "kept", "what": what, "residual": residual, "unit": unit })
        }
        AssembleError::NeedsTree { body, .. } => {
            json!({ "kind": "needs-tree", "body": body })
        }
        AssembleError::NeedsAbsolute { beam, .. } => {
            json!({ "kind": "needs-absolute", "beam": beam })
        }
        AssembleError::Empty => json!({ "kind": "empty" }),
        _ => json!({ "kind": "invalid" }),
    };
    Failure {
        details,
        ..Failure::new(
            FailureCode::Assembly,
            format!("{}: {error}", path.display()),
        )
        .because(error)
    }
}

fn open_json(open: &[OpenElement]) -> Vec<Value> {
    open.iter()
        .map(|o| json!({ "element": o.element, "place": o.origin.to_string(), "residual": o.residual }))
        .collect()
}

/// Residuals below this value are attributed to rounding.
const ROUNDING: f64 = 1e-12;
/// The maximum number of contacts that are listed.
const MOST_CONTACTS: usize = 20;
/// The maximum number of coordinates that are listed by name.
const MOST_NAMED: usize = 6;

/// The results of assembly.
struct AssemblyReport<'a> {
    assembled: &'a Assembled,
    redundancies: Vec<Redundancy>,
    /// Bodies with unreadable meshes, and the reasons.
    missing_meshes: Vec<(String, String)>,
}

impl<'a> AssemblyReport<'a> {
    fn of(assembled: &'a Assembled, missing_meshes: Vec<(String, String)>) -> Self {
        Self {
            assembled,
            redundancies: redundancies(assembled),
            missing_meshes,
        }
    }

    /// Returns `true` if the initial configuration is exactly the one in the file.
    fn is_as_written(&self) -> bool {
        let as_put = self.assembled.changes.is_empty() && self.assembled.notes.is_empty();
        as_put && self.missing_meshes.is_empty()
    }

    fn render(&self, page: StreamStyle) -> String {
        let ink = page.ink;
        let assembled = self.assembled;
        let model = assembled.system.model();
        let mut sheet = Sheet::new(page);
        sheet.line("model", contents(model));
        sheet.line("mobility", self.freedom());
        self.contacts(&mut sheet);
        if self.redundancies.is_empty() {
            sheet.line("redundant", "nothing");
        }
        for redundancy in &self.redundancies {
            sheet.line("redundant", redundancy.to_string());
        }
        if let Some(open) = biela::left_open(assembled) {
            sheet.warn("redundant", open);
        }
        if let Some(pose) = &assembled.singular_pose {
            let rows = count(assembled.singular_rows, "more row");
            let text = format!(
                "{rows} of the constraint Jacobian dependent at the start, but not nearby: {}; start slightly away from it",
                evidence::describe_pose(pose)
            );
            sheet.warn("singular", text);
        }
        sheet.line("start", self.closure());
        if assembled.changes.is_empty() {
            sheet.line("moved", "nothing: every body starts in its given pose");
        }
        for change in &assembled.changes {
            sheet.warn("moved", evidence::describe_change(change));
        }
        if !assembled.following.is_empty() {
            sheet.line("moving", following(&assembled.following));
        }
        for note in &assembled.notes {
            sheet.warn("note", note.as_str());
        }
        for (body, why) in &self.missing_meshes {
            let text = format!(
                "of `{body}` cannot be read and is not drawn: {}",
                escaped(why)
            );
            sheet.warn("mesh", text);
        }
        let name = ink.bold(&escaped(&model.name));
        format!(
            "{name}: {}\n\n{}",
            ink.green("can be assembled"),
            sheet.render()
        )
    }

    /// Adds a line for each contact with its gap, and for other unilateral constraints that do not start open.
    fn contacts(&self, sheet: &mut Sheet) {
        let (assembled, model) = (self.assembled, self.assembled.system.model());
        let gaps = assembled.initial_gaps();
        let size = assembled.size();
        let (contacts, others) = gaps.split_at(model.contacts.len());
        for (contact, gap) in model.contacts.iter().zip(contacts).take(MOST_CONTACTS) {
            let (surfaces, law) = (contact_surfaces(model, contact), contact_law(&contact.law));
            let text = format!("`{}`: {surfaces}, {law}", contact.name);
            gap_line(sheet, &text, gap, size);
        }
        if let more @ 1.. = model.contacts.len().saturating_sub(MOST_CONTACTS) {
            sheet.line("contact", format!("and {more} more"));
        }
        let closed = others
            .iter()
            .filter(|one| one.meaning(size) != GapMeaning::Open);
        for one in closed.take(MOST_CONTACTS) {
            gap_line(sheet, &one.element, one, size);
        }
    }

    /// The constraint residuals of the initial configuration, as text.
    fn closure(&self) -> String {
        let assembled = self.assembled;
        let iterations = count(assembled.iterations, "iteration");
        let (positions, velocities) = (assembled.position_error, assembled.velocity_error);
        if positions.max(velocities) < ROUNDING {
            return format!("all constraints satisfied to rounding after {iterations}");
        }
        format!(
            "constraint residuals {} (position) and {} (velocity) after {iterations}",
            number(positions),
            number(velocities)
        )
    }

    fn freedom(&self) -> String {
        let mobility = &self.assembled.mobility;
        let degrees = |n: usize| match n {
            1 => "1 degree of freedom".to_owned(),
            n => format!("{n} degrees of freedom"),
        };
        let independent = mobility.rows - mobility.dependent.len();
        let velocities = match mobility.velocities {
            1 => "1 velocity".to_owned(),
            n => format!("{n} velocities"),
        };
        let sum = format!(
            "{velocities} minus {}",
            count(independent, "independent constraint")
        );
        let free = degrees(mobility.freedom);
        if mobility.undriven_freedom == mobility.freedom {
            format!("{free} ({sum})")
        } else {
            let without = mobility.undriven_freedom;
            format!("{free} with drivers, {without} without ({sum})")
        }
    }
}

/// Adds a line with the start of a unilateral constraint: its gap, and what to do if it is hardly intended.
fn gap_line(sheet: &mut Sheet, text: &str, one: &InitialGap, size: f64) {
    let (gap, unit) = (number(one.gap.abs()), one.unit);
    match one.meaning(size) {
        GapMeaning::Open => sheet.line("contact", format!("{text}; starts open, gap {gap} {unit}")),
        GapMeaning::Closed => sheet.line("contact", format!("{text}; starts closed")),
        GapMeaning::Narrow => sheet.line(
            "contact",
            format!("{text}; starts nearly closed, gap {gap} {unit}: it closes with a small impact; if it is to start closed, make the gap zero"),
        ),
        GapMeaning::Penetrates => sheet.warn(
            "contact",
            format!("{text}; penetrates by {gap} {unit}: move the bodies apart, or set resolve_penetration = true in [study]"),
        ),
    }
}

/// Coordinates whose initial velocity follows from that of others.
fn following(list: &[FollowingRate]) -> String {
    let named = list.iter().take(MOST_NAMED).map(|f| {
        let rate = number(f.rate);
        format!("`{}.{}` at {rate} {}", f.joint, f.coordinate, f.unit)
    });
    let named: Vec<String> = named.collect();
    let more = match list.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let named = named.join(", ");
    format!("{named}{more}: no rate was given; it follows from the constraints")
}

/// The number of elements of each kind, as text.
pub(crate) fn contents(model: &Model) -> String {
    let space = match model.space {
        Space::Planar => "planar",
        Space::Spatial => "spatial",
    };
    let counts = [
        (model.rigid_bodies().count(), "body"),
        (model.beams.len() + model.exact_beams.len(), "beam"),
        (model.listed_joints().count(), "joint"),
        (model.contacts.len(), "contact"),
        (model.couplers.len(), "coupler"),
        (model.drivers.len(), "driver"),
        (model.single_forces().count(), "force"),
        (model.inputs.len(), "input"),
        (model.sensors.len(), "sensor"),
        (model.controllers.len(), "controller"),
        (model.events.len(), "event"),
    ];
    let present = counts.iter().filter(|(n, _)| *n > 0);
    let words = present.map(|&(n, word)| count(n, word));
    [space.to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(", ")
}
