//! The camera: projects the ground frame to the image.

use super::vector::{V3, cross, direction, dot, scaled, sub};
use crate::scene::{Scene, SceneSpace};

/// The direction of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewDirection {
    /// Frontal for a planar model, from the side and slightly above for a spatial one.
    Auto,
    /// As [`ViewDirection::Auto`], with a planar model rotated so that gravity points down.
    Gravity,
    /// Along −x, −y or −z: axis 0, 1 or 2.
    Along(usize),
    /// By azimuth and elevation, in degrees.
    From {
        /// Rotation about the vertical.
        azimuth: f32,
        /// Angle above the horizon.
        elevation: f32,
    },
}

/// Half of the vertical angle of view of a perspective camera.
const HALF_ANGLE: f32 = 0.26;
/// The near plane, as a fraction of the distance of the target.
const NEAREST: f32 = 0.02;
/// Margin around the content, as a factor.
const MARGIN: f32 = 1.08;

/// A camera.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    /// The target point.
    target: V3,
    right: V3,
    up: V3,
    /// The direction towards the viewer.
    back: V3,
    /// The distance of the eye from the target; infinite for a parallel projection.
    distance: f32,
    /// Pixels per metre at the target.
    scale: f32,
    middle: [f32; 2],
}

/// The direction opposite to gravity; without gravity, y in the plane and z in space.
pub(super) fn vertical(scene: &Scene) -> V3 {
    let up = match scene.space {
        SceneSpace::Planar => return [0.0, 1.0, 0.0],
        SceneSpace::Spatial => [0.0, 0.0, 1.0],
    };
    direction(scene.gravity.map(|x| -x as f32), up)
}

impl Camera {
    /// Creates a camera that shows all given points in an image of `size` pixels.
    pub(super) fn new(scene: &Scene, view: ViewDirection, points: &[V3], size: [usize; 2]) -> Self {
        let (back, up) = axes(scene, view);
        let automatic = matches!(view, ViewDirection::Auto | ViewDirection::Gravity);
        let right = direction(cross(up, back), [1.0, 0.0, 0.0]);
        let up = cross(back, right);
        let flat = scene.space == SceneSpace::Planar && automatic
            || matches!(view, ViewDirection::Along(_));
        let range = |axis: V3| {
            let along = points
                .iter()
                .map(|p| dot(*p, axis))
                .filter(|x| x.is_finite());
            along.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| {
                (a.min(x), b.max(x))
            })
        };
        let middle_of = |(a, b): (f32, f32)| if a <= b { 0.5 * (a + b) } else { 0.0 };
        let half_of = |(a, b): (f32, f32)| if a <= b { 0.5 * (b - a) } else { 0.0 };
        let (x, y, z) = (range(right), range(up), range(back));
        let mut target = [0.0; 3];
        for (axis, range) in [(right, x), (up, y), (back, z)] {
            for (t, a) in target.iter_mut().zip(axis) {
                *t += a * middle_of(range);
            }
        }
        let [width, height] = size.map(|n| n as f32);
        let least = half_of(x).max(half_of(y)).max(half_of(z)).max(1e-9) * 1e-3;
        let wide = |half: f32, pixels: f32| pixels / (2.0 * MARGIN * half.max(least));
        let (mut scale, mut distance) = (
            wide(half_of(x), width).min(wide(half_of(y), height)),
            f32::INFINITY,
        );
        if !flat {
            distance = height / (2.0 * scale) / HALF_ANGLE.tan();
            // points closer than the target appear larger
            let near = points.iter().map(|p| {
                let d = sub(*p, target);
                let factor = distance / (distance - dot(d, back)).max(0.1 * distance);
                let fit = |along: f32, pixels: f32| {
                    pixels / (2.0 * MARGIN * (along.abs() * factor).max(least))
                };
                fit(dot(d, right), width).min(fit(dot(d, up), height))
            });
            scale = near.filter(|x| x.is_finite()).fold(f32::INFINITY, f32::min);
            if !scale.is_finite() {
                scale = wide(0.0, height);
            }
        }
        Camera {
            target,
            right,
            up,
            back,
            distance,
            scale,
            middle: [0.5 * width, 0.5 * height],
        }
    }

    /// Projects a point: position in the image, and nearness, which is larger for closer points and linear across a flat face. `None` behind the eye.
    pub(super) fn project(&self, p: V3) -> Option<[f32; 3]> {
        let d = sub(p, self.target);
        let depth = dot(d, self.back);
        let (factor, near) = if self.distance.is_finite() {
            let away = self.distance - depth;
            if away < 0.99 * NEAREST * self.distance {
                return None;
            }
            (self.distance / away, self.distance / away)
        } else {
            (1.0, depth * self.scale)
        };
        let scale = self.scale * factor;
        Some([
            self.middle[0] + scale * dot(d, self.right),
            self.middle[1] - scale * dot(d, self.up),
            near,
        ])
    }

    /// The signed distance of a point beyond the near plane; negative if the point is not visible.
    pub(super) fn before(&self, p: V3) -> f32 {
        if self.distance.is_finite() {
            (1.0 - NEAREST) * self.distance - dot(sub(p, self.target), self.back)
        } else {
            1.0
        }
    }

    /// The point at the centre of the image.
    pub(super) fn target(&self) -> V3 {
        self.target
    }

    /// The direction of the light: from above the viewer's left shoulder.
    pub(super) fn light(&self) -> V3 {
        let mix = |k: usize| 0.75 * self.back[k] + 0.5 * self.up[k] - 0.35 * self.right[k];
        direction([mix(0), mix(1), mix(2)], self.back)
    }

    /// The length at the target that corresponds to a number of pixels.
    pub(super) fn metres(&self, pixels: f32) -> f32 {
        pixels / self.scale
    }
}

/// The directions towards the viewer and up.
fn axes(scene: &Scene, view: ViewDirection) -> (V3, V3) {
    let up = vertical(scene);
    let turned = |azimuth: f32, elevation: f32| {
        // zero azimuth views along −x if the vertical is z, along −z if it is y
        let front = direction(
            cross([up[1], up[2], up[0]], up),
            super::vector::across(up).0,
        );
        let side = cross(up, front);
        let ((sa, ca), (se, ce)) = (
            azimuth.to_radians().sin_cos(),
            elevation.clamp(-89.0, 89.0).to_radians().sin_cos(),
        );
        let level = |k: usize| ca * front[k] + sa * side[k];
        (std::array::from_fn(|k| ce * level(k) + se * up[k]), up)
    };
    match view {
        ViewDirection::Auto if scene.space == SceneSpace::Planar => ([0.0, 0.0, 1.0], up),
        ViewDirection::Gravity if scene.space == SceneSpace::Planar => {
            let [x, y, _] = scene.gravity.map(|g| -g as f32);
            ([0.0, 0.0, 1.0], direction([x, y, 0.0], up))
        }
        ViewDirection::Auto | ViewDirection::Gravity => turned(-55.0, 22.0),
        ViewDirection::From { azimuth, elevation } => turned(azimuth, elevation),
        ViewDirection::Along(axis) => {
            let mut back = [0.0; 3];
            back[axis.min(2)] = 1.0;
            let level = sub(up, scaled(back, dot(up, back)));
            let other = if axis == 1 {
                [0.0, 0.0, 1.0]
            } else {
                [0.0, 1.0, 0.0]
            };
            (back, direction(level, other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(half: f32) -> Vec<V3> {
        let side = [-half, half];
        let mut list = Vec::new();
        for x in side {
            for y in side {
                list.extend(side.map(|z| [x, y, z]));
            }
        }
        list
    }

    #[test]
    fn every_view_shows_all_points_and_fills_the_picture() {
        let views = [
            ViewDirection::Auto,
            ViewDirection::Gravity,
            ViewDirection::Along(0),
            ViewDirection::Along(1),
            ViewDirection::Along(2),
            ViewDirection::From {
                azimuth: 200.0,
                elevation: 90.0,
            },
        ];
        for space in [SceneSpace::Planar, SceneSpace::Spatial] {
            let scene = crate::picture::empty(space);
            for view in views {
                let points = corners(0.7);
                let camera = Camera::new(&scene, view, &points, [400, 300]);
                let mut reach: f32 = 0.0;
                for p in points {
                    let [x, y, _] = camera.project(p).unwrap_or([f32::NAN; 3]);
                    assert!(
                        (0.0..=400.0).contains(&x) && (0.0..=300.0).contains(&y),
                        "{view:?}: {x} {y}"
                    );
                    reach = reach
                        .max((x - 200.0).abs() / 200.0)
                        .max((y - 150.0).abs() / 150.0);
                }
                assert!(reach > 0.85, "{view:?}: {reach}");
            }
        }
    }

    #[test]
    fn gravity_points_down_in_the_gravity_view() {
        let mut scene = crate::picture::empty(SceneSpace::Planar);
        for gravity in [[0.0, 9.8, 0.0], [9.8, 0.0, 0.0], [-3.0, -4.0, 0.0]] {
            scene.gravity = gravity;
            let camera = Camera::new(&scene, ViewDirection::Gravity, &corners(1.0), [200, 200]);
            let fall = gravity.map(|g| 0.1 * g as f32);
            let [x, y, _] = camera.project(fall).unwrap_or_default();
            assert!(
                (x - 100.0).abs() < 1e-3 && y > 120.0,
                "{gravity:?}: {x} {y}"
            );
        }
        // without gravity y points up
        scene.gravity = [0.0; 3];
        let camera = Camera::new(&scene, ViewDirection::Gravity, &corners(1.0), [200, 200]);
        let [x, y, _] = camera.project([0.0, 1.0, 0.0]).unwrap_or_default();
        assert!((x - 100.0).abs() < 1e-3 && y < 50.0);
    }

    #[test]
    fn a_planar_model_is_viewed_along_z() {
        let scene = crate::picture::empty(SceneSpace::Planar);
        let camera = Camera::new(&scene, ViewDirection::Auto, &corners(1.0), [200, 200]);
        let [x, y, _] = camera.project([1.0, 0.0, 0.0]).unwrap_or_default();
        assert!(
            x > 150.0 && (y - 100.0).abs() < 1e-3,
            "x points to the right"
        );
        let [x, y, near] = camera.project([0.0, 1.0, 1.0]).unwrap_or_default();
        assert!((x - 100.0).abs() < 1e-3 && y < 50.0, "y points up");
        assert!(near > 0.0, "z points to the viewer");
    }
}
