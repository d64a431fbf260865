//! Modes of a model about its assembled initial configuration, as changes of its frame.

use std::path::Path;

use biela_core::analysis::{Analysis, LinearModelRequest, Mode, mode_motion};
use biela_core::system::System;
use biela_view::scene::POSE;
use serde_json::{Value, json};

use super::Framer;
use super::frame::kinematics;
use crate::{LinearizedModel, OperatingPoint, linearize, load_with};

/// Displacement for finite differences of shapes, in m or rad: small compared with rotations, large compared with single precision.
const STEP: f64 = 0.01;
/// The maximum number of modes shown.
const MOST: usize = 200;

/// Returns the modes of a model file for the page: nonzero modes by frequency, about the initial state of a run. Each has a note if that state is not an
/// equilibrium.
///
/// The motion of an oscillation is `pose + a (cos θ shape + sin θ quadrature)`; `a` is the largest rotation (rad) or displacement (m) of a body.
pub(super) fn modes(path: &Path, set: &[String]) -> Result<Value, String> {
    let job = load_with(path, set).map_err(|error| error.to_string())?;
    // the same initial state as that of a run
    let settled =
        matches!(&job.study, Some(study) if study.analysis == Analysis::MotionFromEquilibrium);
    let at = if settled {
        OperatingPoint::Equilibrium
    } else {
        OperatingPoint::Start
    };
    let linear =
        linearize(job, at, &LinearModelRequest::default()).map_err(|error| error.to_string())?;
    let mut framer = Framer::new(linear.system.model());
    let shown = linear.modes.iter().filter(|mode| !mode.is_zero());
    let list: Vec<Value> = shown
        .take(MOST)
        .map(|mode| one(&linear, mode, &mut framer))
        .collect();
    Ok(json!({ "modes": list }))
}

fn one(linear: &LinearizedModel, mode: &Mode, framer: &mut Framer) -> Value {
    let system: &dyn System = linear.system.as_ref();
    let model = system.model();
    let start = kinematics(system, &linear.model.state);
    let base = framer.pose(model, &start).to_vec();
    let mut frames: Vec<Vec<f32>> = Vec::new();
    mode_motion(system, &linear.model, mode, STEP, 4, |_, kinematics| {
        let frame = framer.pose(model, kinematics);
        frames.push(near(&base, frame, model.bodies.len() + 1));
    });
    let difference = |a: &[f32], b: &[f32], step: f64| -> Vec<f32> {
        a.iter()
            .zip(b)
            .map(|(a, b)| ((f64::from(*a) - f64::from(*b)) / step) as f32)
            .collect()
    };
    let (shape, quadrature) = match frames.as_slice() {
        [zero, quarter, half, three, ..] if mode.is_oscillation() => (
            difference(zero, half, 2.0 * STEP),
            difference(quarter, three, 2.0 * STEP),
        ),
        [zero, ..] => (difference(zero, &base, STEP), vec![0.0; base.len()]),
        [] => (vec![0.0; base.len()], vec![0.0; base.len()]),
    };
    let parts = mode.parts(&linear.model.positions);
    let largest: Vec<&str> = parts
        .iter()
        .take(3)
        .map(|(v, ..)| v.name.as_str())
        .collect();
    json!({
        "frequency": mode.frequency(),
        "damping": mode.damping_ratio(),
        "eigenvalue": [mode.value.re, mode.value.im],
        "period": mode.period(),
        "text": format!("{}: {}", mode.describe(), largest.join(", ")),
        "note": linear.model.imbalance(),
        "shape": shape,
        "quadrature": quadrature,
    })
}

/// The frame with the sign of every quaternion chosen closest to the base.
fn near(base: &[f32], frame: &[f32], bodies: usize) -> Vec<f32> {
    let mut near = frame.to_vec();
    for body in 0..bodies {
        let turn = POSE * body + 3..POSE * (body + 1);
        let along: f32 = base[turn.clone()]
            .iter()
            .zip(&frame[turn.clone()])
            .map(|(a, b)| a * b)
            .sum();
        if along < 0.0 {
            for x in &mut near[turn] {
                *x = -*x;
            }
        }
    }
    near
}
