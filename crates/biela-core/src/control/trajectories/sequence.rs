//! A sequence of trajectories.
//!
//! `q(t) = q_k(t − t_k)` for t_k ≤ t < t_(k+1), where t_k is the sum of the preceding durations. Each segment begins where the preceding one ends.
//! Discontinuities between segments are reported, so that integration steps end there.

use std::sync::Arc;

use super::pieces::first_after;
use super::{EVERYWHERE, Setting, TrajectoryKind};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Jet;

/// A sequence of trajectories.
#[derive(Clone, Debug)]
pub struct Sequence {
    joints: usize,
    segments: Vec<Segment>,
    end: f64,
    corners: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Segment {
    motion: Arc<dyn Trajectory>,
    /// The time of its start.
    begin: f64,
}

/// Largest distance between the end of a segment and the start of the next.
const GAP: f64 = 1e-6;

fields! { Sequence {
    /// names of trajectories that are defined above and move the same joints
    segments: Trajectories,
} }

impl TrajectoryKind for Sequence {
    const INFO: Info = Info {
        name: "sequence",
        aliases: &[],
        summary: "a sequence of other trajectories, each of which starts where the preceding one ends",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 0;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let fault = |message: String| {
            Err(ArgumentError {
                field: "segments",
                message,
            })
        };
        let joints = setting.joints.len();
        let mut segments: Vec<Segment> = Vec::new();
        let mut end = setting.start;
        for (k, motion) in arguments.motions("segments").into_iter().enumerate() {
            if motion.joints() != joints {
                return fault(format!("segment {} moves other joints", k + 1));
            }
            if end.is_infinite() {
                return fault(format!("segment {k} has no end, so no segment can follow"));
            }
            if let Some(last) = segments.last() {
                let apart = |joint: usize| {
                    let before = last.motion.joint(joint, last.motion.duration());
                    (motion.joint(joint, 0.0).value - before.value).abs()
                };
                if let Some(joint) = (0..joints).find(|&joint| apart(joint) > GAP) {
                    return fault(format!(
                        "segment {} starts {:.6} m or rad away from the end of segment {k}, in joint {}",
                        k + 1,
                        apart(joint),
                        joint + 1
                    ));
                }
            }
            let begin = end;
            end += motion.duration();
            segments.push(Segment { motion, begin });
        }
        if segments.is_empty() {
            return fault("at least one segment is required".to_owned());
        }
        let of = |segment: &Segment| {
            let corners = segment.motion.corners().into_iter();
            let begin = segment.begin;
            corners.map(move |corner| begin + corner)
        };
        let mut corners: Vec<f64> = segments.iter().flat_map(of).collect();
        corners.dedup();
        Ok(Arc::new(Sequence {
            joints,
            segments,
            end,
            corners,
        }))
    }
}

impl Sequence {
    /// Returns the segment at a time; at a boundary, the later one.
    fn at_time(&self, time: f64) -> &Segment {
        let after = self.segments.partition_point(|s| s.begin <= time);
        &self.segments[after.saturating_sub(1)]
    }
}

impl Trajectory for Sequence {
    fn joints(&self) -> usize {
        self.joints
    }

    fn duration(&self) -> f64 {
        self.end
    }

    fn joint(&self, joint: usize, time: f64) -> Jet {
        let segment = self.at_time(time);
        segment.motion.joint(joint, time - segment.begin)
    }

    fn jerk(&self, joint: usize, time: f64) -> f64 {
        let segment = self.at_time(time);
        segment.motion.jerk(joint, time - segment.begin)
    }

    fn corners(&self) -> Vec<f64> {
        self.corners.clone()
    }

    fn next_corner(&self, after: f64) -> f64 {
        first_after(&self.corners, after)
    }
}
