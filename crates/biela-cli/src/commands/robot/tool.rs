//! The robot of a command and its tool frame.

use biela::Job;
use biela::core::math::rotation::to_dextral;
use biela::core::math::{Pose, Vec3};
use biela::core::model::{MarkerIndex, Space};
use biela::core::robot::{Robot, Singularity, place};
use biela::core::tree::TreeLocation;
use biela::model::suggest::did_you_mean;
use serde_json::{Value, json};

use super::failure;
use crate::failure::Failure;
use crate::input::ModelArgs;
use crate::terminal::beside;

#[derive(clap::Args, Debug)]
pub(super) struct ToolArgs {
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// Frame to analyse, e.g. hand.tip [default: the tool in [robot]]
    #[arg(long, value_name = "BODY.POINT")]
    of: Option<String>,
}

impl ToolArgs {
    /// Returns the robot and the location of the frame on it.
    pub(super) fn robot(&self, job: &Job) -> Result<(Robot, TreeLocation), Failure> {
        let fail = |error| failure(&self.model.path, &error);
        let robot = Robot::of(&job.model).map_err(|error| fail(error.into()))?;
        let Some(name) = &self.of else {
            let tool = *robot.tool().map_err(|error| fail(error.into()))?;
            return Ok((robot, tool));
        };
        let names: Vec<String> = (0..job.model.markers.len())
            .map(|m| job.model.marker_name(MarkerIndex(m)))
            .collect();
        let Some(found) = names.iter().position(|known| known == name) else {
            let help = did_you_mean(name, names.iter().map(String::as_str)).map_or_else(
                || "name a body, or a point or frame of a body".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(Failure::command(format!("--of: no frame `{name}`; {help}")));
        };
        let at = place(&job.model, &robot.tree, MarkerIndex(found));
        Ok((robot, at))
    }
}

/// Parses numbers separated by commas, all with one unit.
pub(super) fn vector(
    option: &str,
    text: &str,
    unit: &str,
    count: usize,
) -> Result<Vec3<f64>, Failure> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != count {
        return Err(Failure::command(format!(
            "{option}: {} instead of {count}, separated by commas",
            crate::terminal::count(parts.len(), "value"),
        )));
    }
    let mut out = Vec3::zeros();
    for (x, part) in out.iter_mut().zip(parts) {
        *x = biela::number(part, unit).map_err(|e| Failure::command(e.about(option)))?;
    }
    Ok(out)
}

/// The pose of a frame as text.
pub(super) fn pose_lines(pose: &Pose, space: Space) -> Vec<(&'static str, String)> {
    let list = |v: &Vec3<f64>, n: usize| {
        let parts: Vec<String> = v.iter().take(n).map(|x| beside(*x, 1.0)).collect();
        parts.join(", ")
    };
    let turn = to_dextral(&pose.R) * 180.0 / std::f64::consts::PI;
    match space {
        Space::Planar => vec![
            ("position", format!("{} m", list(&pose.p, 2))),
            ("angle", format!("{}°", beside(turn[2], 100.0))),
        ],
        Space::Spatial => vec![
            ("position", format!("{} m", list(&pose.p, 3))),
            (
                "orientation",
                format!(
                    "{} degrees about x, then the new y, then the new z",
                    list(&turn, 3)
                ),
            ),
        ],
    }
}

/// The pose of a frame as JSON.
pub(super) fn pose_json(pose: &Pose) -> Value {
    let rows: Vec<Vec<f64>> = (0..3)
        .map(|i| pose.R.row(i).iter().copied().collect())
        .collect();
    let turn = to_dextral(&pose.R);
    json!({ "position": pose.p.as_slice(), "rotation": rows, "dextral": turn.as_slice() })
}

/// The singular directions of the frame at a pose, as text.
pub(super) fn lost(singularity: &Singularity) -> Vec<String> {
    let lost = singularity.lost.iter();
    lost.map(|lost| format!("no {lost}")).collect()
}
