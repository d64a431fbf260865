//! `biela robot ik`: inverse kinematics, the joint positions that reach a goal of the tool.

use biela::core::math::rotation::from_dextral;
use biela::core::math::{Pose, Vec3};
use biela::core::model::Space;
use biela::core::robot::{
    Goal, InverseKinematics, InverseKinematicsResult, InverseKinematicsSettings, Robot,
};
use biela::robot::start_of;
use serde_json::{Value, json};

use super::{pose, saved, tool};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal::{self, beside, three_digits};

const AFTER_HELP: &str = "\
The goal is a point, a point with an orientation (rotations about x, then the new y, then the new z; one angle in the plane), or a point with
a direction of the tool's z axis. Joint limits are respected. The exit code is 1 if the goal is not reached; the closest pose is
then printed.

Examples:
  biela robot ik arm.toml --to 0.4,0.1,0.6
  biela robot ik arm.toml --to 0.4,0.1,0.6 --turn 180deg,0,0 --all 8
  biela robot ik arm.toml --to 0.4,0.1,0.6 --point 0,0,-1 --from 0,45deg,0,-90deg,0,45deg,0";

/// Solve the inverse kinematics of the tool for a point, optionally with an orientation or a direction
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    tool: tool::ToolArgs,
    /// Goal position of the tool, e.g. 0.4,0.1,0.6 (m)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    to: String,
    /// Goal orientation as rotation angles, e.g. 180deg,0,0
    #[arg(long, value_name = "A,B,C", allow_hyphen_values = true)]
    turn: Option<String>,
    /// Goal direction of the z axis of the tool, e.g. 0,0,-1
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        conflicts_with = "turn"
    )]
    point: Option<String>,
    /// Joint positions to start from [default: the initial positions]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true)]
    from: Option<String>,
    /// Maximum number of different solutions to search for
    #[arg(long, value_name = "N", default_value_t = 1)]
    all: usize,
    /// Number of random initial guesses in addition to the first
    #[arg(long, value_name = "N", default_value_t = 100)]
    starts: usize,
    /// Seed of the random initial guesses
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the solutions as JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let job = args.tool.model.load(args.json)?;
    let (robot, place) = args.tool.robot(&job)?;
    let goal = args.goal(job.model.space)?;
    let start = pose::position(args.from.as_ref(), &robot, &start_of(&job.model, &robot))?;
    let search = InverseKinematicsSettings {
        starts: args.starts.saturating_add(1).min(100_000),
        seed: args.seed,
        posture: Some(robot.posture.clone()),
        ..InverseKinematicsSettings::default()
    };
    let mut inverse = InverseKinematics::new(&robot, &place);
    let mut answers = Vec::new();
    if args.all > 1 {
        answers = inverse.solve_all(&goal, &start, &search, args.all);
    }
    if answers.is_empty() {
        answers = vec![inverse.solve(&goal, &start, &search)];
    }
    let reached = answers.iter().any(|answer| answer.reached);
    let text = if args.json {
        let list: Vec<Value> = answers.iter().map(|a| to_json(&robot, a)).collect();
        let names: Vec<&str> = robot.joints.iter().map(|j| j.name.as_str()).collect();
        let all = json!({ "model": job.model.name, "joints": names, "reached": reached, "answers": list });
        format!("{all:#}\n")
    } else {
        render(&job.model.name, &robot, &answers)
    };
    terminal::data(&text)?;
    Ok(FailureCode::require(reached))
}

impl Args {
    fn goal(&self, space: Space) -> Result<Goal, Failure> {
        let at = tool::vector("--to", &self.to, "m", space.axes())?;
        if let Some(text) = &self.turn {
            let turn = match space {
                Space::Planar => {
                    let turn = tool::vector("--turn", text, "rad", 1)?;
                    Vec3::new(0.0, 0.0, turn[0])
                }
                Space::Spatial => tool::vector("--turn", text, "rad", 3)?,
            };
            return Ok(Goal::Pose(Pose::new(from_dextral(&turn), at)));
        }
        if let Some(text) = &self.point {
            let direction = tool::vector("--point", text, "1", 3)?;
            let size = direction.norm();
            if size <= 0.0 {
                return Err(Failure::command("--point: the direction must not be zero"));
            }
            return Ok(Goal::Axis {
                point: at,
                axis: Vec3::z(),
                direction: direction / size,
            });
        }
        Ok(Goal::Position(at))
    }
}

fn limited<'r>(robot: &'r Robot, answer: &InverseKinematicsResult) -> Vec<&'r str> {
    let name = |&joint: &usize| robot.joints[joint].name.as_str();
    answer.at_limits.iter().map(name).collect()
}

fn to_json(robot: &Robot, answer: &InverseKinematicsResult) -> Value {
    json!({
        "q": answer.q, "reached": answer.reached, "distance": answer.distance, "angle": answer.angle,
        "iterations": answer.iterations, "starts": answer.starts, "at_limits": limited(robot, answer),
        "singular_values": answer.singularity.values, "lost": tool::lost(&answer.singularity),
        "beyond_reach_by": answer.beyond,
    })
}

fn render(name: &str, robot: &Robot, answers: &[InverseKinematicsResult]) -> String {
    let mut lines = Vec::new();
    if let [answer] = answers
        && !answer.reached
    {
        let (way, turn) = (three_digits(answer.distance), three_digits(answer.angle));
        lines.push((
            "goal",
            format!("not reached: the nearest pose found has errors of {way} m and {turn} rad"),
        ));
        if let Some(beyond) = answer.beyond {
            let beyond = three_digits(beyond);
            lines.push((
                "goal",
                format!("the goal is at least {beyond} m beyond the workspace"),
            ));
        }
    } else {
        let count = terminal::count(answers.len(), "pose");
        lines.push(("goal", format!("reached, {count}")));
    }
    for answer in answers {
        for text in tool::lost(&answer.singularity) {
            lines.push(("singular", text));
        }
    }
    let mut heading: Vec<&str> = robot.joints.iter().map(|j| j.name.as_str()).collect();
    heading.extend(["at limits", "condition"]);
    let row = |answer: &InverseKinematicsResult| {
        let mut cells: Vec<String> = answer.q.iter().map(|q| beside(*q, 1.0)).collect();
        cells.push(limited(robot, answer).join(", "));
        cells.push(three_digits(answer.singularity.condition()));
        cells
    };
    let rows: Vec<Vec<String>> = answers.iter().map(row).collect();
    saved::sheet(name, &lines) + &terminal::table(terminal::out_page().ink, &heading, &rows)
}
