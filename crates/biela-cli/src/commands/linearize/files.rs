//! The results folder of a linear model: matrices, modes, and mode shapes as results that can be plotted and animated.

use std::fmt::Write as _;
use std::path::Path;

use biela::core::analysis::{Mode, mode_motion};
use biela::core::math::Matrix;
use biela::core::model::{BodyQuantity as Q, Signal, Space};
use biela::core::system::{Channel, EvaluationContext, channels};
use biela::record::{
    Header, ModelInfo, RecordedColumn, RunOutcome, RunStatus, Writer, WriterOptions, csv_cell,
};
use biela::{Job, LinearizedModel};
use serde_json::{Map, json};

use super::report;
use crate::failure::Failure;

/// The number of steps in one period of a mode.
const STEPS: usize = 60;

/// The model description in the results.
pub(super) fn info(path: &Path, job: &Job) -> ModelInfo {
    ModelInfo {
        name: job.model.name.clone(),
        file: Some(path.display().to_string()),
        digest: Some(job.report.digest()),
    }
}

/// Prepares the folder: a new one, or one that contains an earlier linear model.
pub(super) fn prepare(dir: &Path) -> Result<(), Failure> {
    const FILES: [&str; 7] = [
        "A.csv",
        "B.csv",
        "C.csv",
        "D.csv",
        "modes.csv",
        "linear.json",
        "sweep.csv",
    ];
    let is_ours = |name: &str| FILES.contains(&name) || name.starts_with("mode-");
    biela_files::own_folder(dir, is_ours)
        .map_err(|error| Failure::command(format!("{}: {error}", dir.display())))
}

/// Writes the folder.
pub(super) fn write(
    dir: &Path,
    info: &ModelInfo,
    linear: &LinearizedModel,
    amplitude: f64,
) -> Result<(), Failure> {
    prepare(dir)?;
    let model = &linear.model;
    let states: Vec<&str> = model.states().map(|v| v.name.as_str()).collect();
    let inputs: Vec<&str> = model.inputs.iter().map(|v| v.name.as_str()).collect();
    let outputs: Vec<&str> = model.outputs.iter().map(|v| v.name.as_str()).collect();
    for (name, matrix, rows, columns) in [
        ("A.csv", &model.a, &states, &states),
        ("B.csv", &model.b, &states, &inputs),
        ("C.csv", &model.c, &outputs, &states),
        ("D.csv", &model.d, &outputs, &inputs),
    ] {
        text(&dir.join(name), &matrix_csv(matrix, rows, columns))?;
    }
    text(&dir.join("modes.csv"), &modes_csv(&linear.modes))?;
    let json = report::to_json(&info.name, linear);
    text(&dir.join("linear.json"), &format!("{json:#}\n"))?;
    for (k, mode) in linear.modes.iter().enumerate() {
        if !mode.is_zero() {
            let place = dir.join(format!("mode-{}", k + 1));
            shape(&place, info, linear, mode, amplitude)?;
        }
    }
    Ok(())
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    let shown = path.display();
    Failure::command(format!(
        "cannot write {shown}: {error}; name a writable folder"
    ))
}

pub(super) fn text(path: &Path, content: &str) -> Result<(), Failure> {
    biela_files::write(path, content.as_bytes()).map_err(|error| cannot(path, &error))
}

fn matrix_csv(matrix: &Matrix, rows: &[&str], columns: &[&str]) -> String {
    let mut out = String::new();
    for name in columns {
        let _ = write!(out, ",{}", csv_cell(name));
    }
    out.push('\n');
    for (i, name) in rows.iter().enumerate() {
        out += &csv_cell(name);
        for x in matrix.row(i).iter() {
            let _ = write!(out, ",{x:?}");
        }
        out.push('\n');
    }
    out
}

fn modes_csv(modes: &[Mode]) -> String {
    let mut out = "mode,re,im,kind,frequency,damping_ratio,time_constant\n".to_owned();
    for (k, mode) in modes.iter().enumerate() {
        let optional = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:?}"));
        let _ = writeln!(
            out,
            "{},{:?},{:?},{},{:?},{},{}",
            k + 1,
            mode.value.re,
            mode.value.im,
            mode.describe(),
            mode.frequency(),
            optional(mode.damping_ratio()),
            optional(mode.time_constant()),
        );
    }
    out
}

/// Writes the poses of all bodies over one period of a mode.
fn shape(
    dir: &Path,
    info: &ModelInfo,
    linear: &LinearizedModel,
    mode: &Mode,
    amplitude: f64,
) -> Result<(), Failure> {
    let system = linear.system.as_ref();
    let model = system.model();
    let wanted: &[Q] = match model.space {
        Space::Planar => &[Q::X, Q::Y, Q::Angle],
        Space::Spatial => &[Q::X, Q::Y, Q::Z, Q::E0, Q::E1, Q::E2, Q::E3],
    };
    let poses: Vec<Channel> = channels(model)
        .into_iter()
        .filter(|c| matches!(c.signal, Signal::Body(_, q) if wanted.contains(&q)))
        .collect();
    let mut options = Map::new();
    let _ = options.insert("mode".into(), report::mode_json(mode, &linear.model));
    let _ = options.insert("amplitude".into(), json!(amplitude));
    let header = Header {
        biela: env!("CARGO_PKG_VERSION").into(),
        model: info.clone(),
        options,
        columns: poses
            .iter()
            .map(|c| RecordedColumn::new(&c.name, &c.unit, &c.text))
            .collect(),
    };
    let options = WriterOptions {
        csv: true,
        ..WriterOptions::default()
    };
    let mut writer = Writer::create(dir, &header, options).map_err(Failure::command)?;
    let mut row = vec![0.0; poses.len()];
    let mut problem = None;
    mode_motion(
        system,
        &linear.model,
        mode,
        amplitude,
        STEPS,
        |time, kinematics| {
            let context = EvaluationContext { model, kinematics };
            for (out, channel) in row.iter_mut().zip(&poses) {
                *out = context.signal(channel.signal);
            }
            if let Err(error) = writer.push(time, &row) {
                problem = Some(error);
            }
        },
    );
    if let Some(error) = problem {
        return Err(Failure::command(error));
    }
    let _ = writer
        .finish(RunOutcome::new(RunStatus::Finished))
        .map_err(Failure::command)?;
    Ok(())
}
