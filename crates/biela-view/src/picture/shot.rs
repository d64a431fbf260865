//! Images with several instants: a pose, faint poses of other instants, and paths of points.

use super::vector::{RigidTransform, V3};
use crate::scene::{POSE, SAMPLE, Scene};

/// The content of an image.
#[derive(Clone, Copy, Debug)]
pub struct Shot<'f> {
    /// The frame of the pose.
    pub frame: &'f [f32],
    /// Frames of other instants, drawn faintly behind the pose; the first is the faintest.
    pub ghosts: &'f [Vec<f32>],
    /// Paths of points in the ground frame.
    pub traces: &'f [&'f [[f32; 3]]],
}

impl<'f> Shot<'f> {
    /// A pose without ghosts and traces.
    pub fn of(frame: &'f [f32]) -> Self {
        Shot {
            frame,
            ghosts: &[],
            traces: &[],
        }
    }
}

/// Opacity of the first and of the last ghost.
const FAINT: [f32; 2] = [0.16, 0.42];

/// The opacity of a ghost among `count`.
pub(super) fn opacity(ghost: usize, count: usize) -> f32 {
    let share = (ghost + 1) as f32 / count as f32;
    FAINT[0] + share * (FAINT[1] - FAINT[0])
}

/// A point whose path can be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracer(TracerKind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum TracerKind {
    /// Fixed to a body.
    Point { body: usize, point: V3 },
    /// A sample of a beam: the index of its values in a frame.
    Sample(usize),
}

impl Tracer {
    /// Finds a point by its name: `body.point`, `body.com` for the mass centre, `body` for the origin of its frame, `beam.start` or `beam.end`.
    pub fn find(scene: &Scene, name: &str) -> Option<Self> {
        let fixed = |body: usize, point: [f64; 3]| {
            Some(Tracer(TracerKind::Point {
                body,
                point: point.map(|x| x as f32),
            }))
        };
        if let Some(body) = scene.bodies.iter().position(|b| b.name == name) {
            return fixed(body, [0.0; 3]);
        }
        let (owner, point) = name.rsplit_once('.')?;
        if let Some(number) = scene.bodies.iter().position(|b| b.name == owner) {
            let body = &scene.bodies[number];
            if let Some(marker) = body.markers.iter().find(|m| m.name == point) {
                let [x, y, z, ..] = marker.pose;
                return fixed(number, [x, y, z]);
            }
            return (point == "com").then(|| fixed(number, body.center))?;
        }
        let mut at = POSE * scene.bodies.len();
        for beam in &scene.beams {
            let end = at + SAMPLE * beam.samples;
            if beam.name == owner && beam.samples > 0 {
                return match point {
                    "start" => Some(Tracer(TracerKind::Sample(at))),
                    "end" => Some(Tracer(TracerKind::Sample(end - SAMPLE))),
                    _ => None,
                };
            }
            at = end;
        }
        None
    }

    /// The names of all points of a scene except those of the ground, as accepted by [`Tracer::find`].
    pub fn names(scene: &Scene) -> Vec<String> {
        let mut names = Vec::new();
        for body in scene.bodies.iter().skip(1) {
            names.push(body.name.clone());
            let markers = body.markers.iter();
            names.extend(markers.map(|m| format!("{}.{}", body.name, m.name)));
            if body.station_of.is_none() {
                names.push(format!("{}.com", body.name));
            }
        }
        for beam in &scene.beams {
            names.extend(["start", "end"].map(|end| format!("{}.{end}", beam.name)));
        }
        names.dedup();
        names
    }

    /// The position of the point in a frame of the scene; `None` if it is not finite.
    pub fn at(&self, frame: &[f32]) -> Option<[f32; 3]> {
        let place = match self.0 {
            TracerKind::Point { body, point } => {
                let pose = frame.get(POSE * body..POSE * (body + 1))?;
                RigidTransform::new(pose).point(point)
            }
            TracerKind::Sample(at) => *frame.get(at..)?.first_chunk::<3>()?,
        };
        place.iter().all(|x| x.is_finite()).then_some(place)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::scene::{SceneMarker, SceneSpace};

    /// A body at (1, 2, 0), rotated by 90° about z, with its mass centre and a point on its x axis.
    fn scene() -> (Scene, Vec<f32>) {
        let mut scene = crate::picture::empty(SceneSpace::Planar);
        let mut body = scene.bodies[0].clone();
        body.name = "rod".to_owned();
        body.center = [0.5, 0.0, 0.0];
        body.markers = vec![SceneMarker {
            name: "tip".to_owned(),
            pose: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        }];
        scene.bodies.push(body);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let mut frame = scene.pose.clone();
        frame.extend([1.0, 2.0, 0.0, 0.0, 0.0, half, half]);
        (scene, frame)
    }

    #[test]
    fn a_point_is_found_by_its_name_and_moves_with_its_body() {
        let (scene, frame) = scene();
        for (name, [x, y]) in [
            ("rod", [1.0, 2.0]),
            ("rod.com", [1.0, 2.5]),
            ("rod.tip", [1.0, 3.0]),
        ] {
            let found = Tracer::find(&scene, name).unwrap().at(&frame).unwrap();
            assert!(
                (found[0] - x).abs() + (found[1] - y).abs() < 1e-6,
                "{name}: {found:?}"
            );
        }
        for name in ["", "rod.", "rod.toe", "bar.tip", "tip"] {
            assert_eq!(Tracer::find(&scene, name), None, "{name}");
        }
        for name in Tracer::names(&scene) {
            assert!(Tracer::find(&scene, &name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_point_has_no_position_in_a_frame_that_is_short_or_not_finite() {
        let (scene, mut frame) = scene();
        let tip = Tracer::find(&scene, "rod.tip").unwrap();
        assert_eq!(tip.at(&frame[..POSE]), None);
        frame[POSE] = f32::NAN;
        assert_eq!(tip.at(&frame), None);
    }
}
