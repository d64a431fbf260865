//! `biela robot fk`: forward kinematics and manipulability of the tool.

use biela::core::robot::{InverseKinematics, Manipulability, TaskDirections};
use biela::robot::start_of;
use serde_json::json;

use super::{pose, saved, tool};
use crate::failure::{CommandResult, FailureCode};
use crate::terminal::{self, six_digits};

const AFTER_HELP: &str = "\
Examples:
  biela robot fk arm.toml
  biela robot fk arm.toml --at 30deg,-60deg,0,0,90deg,0 --json
  biela robot fk arm.toml --of fore.end";

/// Compute the pose of the tool for given joint positions, its manipulability, and its singular directions
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    tool: tool::ToolArgs,
    /// Joint positions, one per joint, e.g. 30deg,-60deg,0 [default: the initial positions]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true)]
    at: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let job = args.tool.model.load(args.json)?;
    let (robot, place) = args.tool.robot(&job)?;
    let q = pose::position(args.at.as_ref(), &robot, &start_of(&job.model, &robot))?;
    let mut inverse = InverseKinematics::new(&robot, &place);
    let (here, length) = (inverse.pose(&q), inverse.length());
    let space = job.model.space;
    let mut ws = robot.workspace();
    let [moving, turning] = [
        TaskDirections::translations(space),
        TaskDirections::rotations(space),
    ]
    // only lengths, or only angles: no weighting between them is needed
    .map(|directions| robot.manipulability(&mut ws, &place, &q, &directions, 1.0));
    let near = robot.singularity(&mut ws, &place, &q, &TaskDirections::all(space), length);
    let names: Vec<&str> = robot.joints.iter().map(|j| j.name.as_str()).collect();
    if args.json {
        let measure =
            |m: &Manipulability| json!({ "measure": m.measure, "condition": m.condition });
        let text = json!({
            "model": job.model.name, "joints": names, "at": q, "pose": tool::pose_json(&here),
            "manipulability": { "translations": measure(&moving), "rotations": measure(&turning) },
            "singular_values": near.values, "rank": near.rank, "lost": tool::lost(&near),
        });
        terminal::data(&format!("{text:#}\n"))?;
        return Ok(FailureCode::Done);
    }
    let joints = names
        .iter()
        .zip(&q)
        .map(|(name, q)| format!("{name} = {}", six_digits(*q)));
    let mut lines = vec![("joints", joints.collect::<Vec<_>>().join(", "))];
    lines.extend(tool::pose_lines(&here, space));
    for (name, found) in [("translation", &moving), ("rotation", &turning)] {
        let (measure, condition) = (six_digits(found.measure), six_digits(found.condition));
        lines.push((
            name,
            format!("manipulability {measure}, condition number {condition}"),
        ));
    }
    if near.is_singular() {
        for text in tool::lost(&near) {
            lines.push(("singular", text));
        }
    }
    terminal::data(saved::sheet(&job.model.name, &lines).trim_end())?;
    terminal::data("\n")?;
    Ok(FailureCode::Done)
}
