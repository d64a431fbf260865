//! A spatial four-bar loop with a chain at one joint. Its four revolute joints have three redundant constraints. The reference is the same loop with a last
//! joint without redundant constraints; the growth with the length of the chain is measured too.

use std::f64::consts::FRAC_PI_2;

use biela_core::analysis::Choice;
use biela_core::element::{Arguments, FieldValue};
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Pose, Vec3};
use biela_core::model::{Body, InitialValue, MarkerIndex, Model, Space};

use crate::models::{self, BenchmarkBar};
use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

const SPACE: Space = Space::Spatial;
const BARS: [usize; 7] = [15, 30, 60, 120, 240, 480, 960];

/// Maximum ratios of times: to the loop without redundant rows, and for twice the bars.
const MOST: f64 = 1.5;
const GROWTH: f64 = 2.3;

/// The loop and its chain; the last joint of the loop is this one.
fn hung_loop(bars: usize, last: &Joint) -> Result<(Model, MarkerIndex), Error> {
    let bar = BenchmarkBar::cylinder(1.0, 0.025, 7801.0);
    let mut model = Model::new("loop", SPACE);
    model.gravity = Vec3::new(0.0, -9.80665, 0.0);
    let hinge = Joint::build("revolute", &Arguments::new(SPACE)).ok_or("no revolute joint")??;
    let (mut frames, mut ends) = (Vec::new(), Vec::new());
    for i in 0..bars {
        let body = model.add_body(Body::new(format!("bar{i}"), bar.properties(SPACE)?));
        frames.push(model.body_marker(body));
        let tip = Pose::new(identity(), Vec3::new(bar.length, 0.0, 0.0));
        ends.push(model.add_marker("end", body, tip));
        let (from, angle) = match i {
            0 => (MarkerIndex::GROUND, 0.0),
            1..4 => (ends[i - 1], -FRAC_PI_2),
            4 => (ends[0], 0.0),
            _ => (ends[i - 1], 0.0),
        };
        let between = [from, frames[i]];
        let joint = model.add_joint(format!("joint{i}"), hinge.clone(), between, &identity());
        model.joints[joint.0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(angle),
            rate: Some(0.0),
            keep: false,
        }];
    }
    let between = [ends[3], frames[0]];
    let _ = model.add_joint("last", last.clone(), between, &identity());
    Ok((model, ends[bars - 1]))
}

/// The loop with three redundant rows compared with the one without them, 0.5 s at tolerance 1e-6.
pub(crate) fn run(report: &mut BenchmarkReport) -> Result<(), Error> {
    let hinge = Joint::build("revolute", &Arguments::new(SPACE)).ok_or("no revolute joint")??;
    let words = FieldValue::Words(vec!["x".to_owned(), "y".to_owned()]);
    let locked = Arguments::new(SPACE).with("locked", words);
    let needed = Joint::build("generic", &locked).ok_or("no generic joint")??;
    let integrator = Choice {
        kind: "dopri5".to_owned(),
        arguments: Arguments::new(SPACE).with("tolerance", FieldValue::Number(1e-6)),
    };
    let study = models::study(0.5, 0.05, "projection", integrator);
    let mut before: Option<f64> = None;
    for bars in BARS {
        let time =
            |last: &Joint| clock::median(|| models::simulate(hung_loop(bars, last)?, &study));
        let (seconds, outcome) = time(&hinge)?;
        let (without, _) = time(&needed)?;
        let statistics = outcome.statistics;
        let error = statistics.worst_energy / statistics.energy_scale;
        let ours = BenchmarkRow::ours(format!("redundant/{bars}"), seconds, Some(error));
        report.row(&ours.beside("without redundant rows", without))?;
        report.require(
            seconds <= MOST * without,
            format!("redundant/{bars}: at most {MOST} times the loop without redundant rows"),
        );
        // the number of steps depends on the length of the chain, so the growth is measured per evaluation
        let step = seconds / statistics.integrator.evaluations as f64;
        if let Some(before) = before {
            report.require(
                step <= GROWTH * before,
                format!("redundant/{bars}: at most {GROWTH} times an evaluation of half the bars"),
            );
        }
        before = Some(step);
    }
    Ok(())
}
