//! Vector algebra for images, in single precision.

/// A vector or point.
pub(super) type V3 = [f32; 3];

pub(super) fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scaled(a: V3, s: f32) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(super) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn length(a: V3) -> f32 {
    dot(a, a).sqrt()
}

/// The direction of a vector, or `otherwise` if it is zero.
pub(super) fn direction(a: V3, otherwise: V3) -> V3 {
    let n = length(a);
    if n > 1e-20 && n.is_finite() {
        scaled(a, 1.0 / n)
    } else {
        otherwise
    }
}

/// Two directions perpendicular to a direction and to each other; the three are right-handed.
pub(super) fn across(axis: V3) -> (V3, V3) {
    // the coordinate axis closest to perpendicular
    let k = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs()));
    let mut other = [0.0; 3];
    other[k.unwrap_or(0)] = 1.0;
    let x = direction(cross(axis, other), [1.0, 0.0, 0.0]);
    (x, cross(axis, x))
}

/// A position and an orientation.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidTransform {
    at: V3,
    /// Columns: the directions of x, y and z.
    axes: [V3; 3],
}

impl RigidTransform {
    /// Creates a pose from `x y z qx qy qz qw`; a zero quaternion is the identity.
    pub(super) fn new(pose: &[f32]) -> Self {
        let q = &pose[3..7];
        let n = q.iter().map(|x| x * x).sum::<f32>();
        let s = if n > 1e-12 && n.is_finite() {
            2.0 / n
        } else {
            0.0
        };
        let (x, y, z, w) = (q[0], q[1], q[2], q[3]);
        RigidTransform {
            at: [pose[0], pose[1], pose[2]],
            axes: [
                [
                    1.0 - s * (y * y + z * z),
                    s * (x * y + w * z),
                    s * (x * z - w * y),
                ],
                [
                    s * (x * y - w * z),
                    1.0 - s * (x * x + z * z),
                    s * (y * z + w * x),
                ],
                [
                    s * (x * z + w * y),
                    s * (y * z - w * x),
                    1.0 - s * (x * x + y * y),
                ],
            ],
        }
    }

    /// Creates a pose from double precision.
    pub(super) fn from_f64(pose: &[f64; 7]) -> Self {
        RigidTransform::new(&pose.map(|x| x as f32))
    }

    /// Rotates a direction from the frame to its parent.
    pub(super) fn turn(&self, v: V3) -> V3 {
        let [x, y, z] = self.axes;
        add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(z, v[2]))
    }

    /// Maps a point from the frame to its parent.
    pub(super) fn point(&self, p: V3) -> V3 {
        add(self.at, self.turn(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_maps_x_to_y() {
        let h = 0.5_f32.sqrt();
        let place = RigidTransform::new(&[1.0, 2.0, 3.0, 0.0, 0.0, h, h]);
        let p = place.point([1.0, 0.0, 0.0]);
        assert!(length(sub(p, [1.0, 3.0, 3.0])) < 1e-6);
    }

    #[test]
    fn perpendicular_directions_are_right_handed() {
        for axis in [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [-1.0, 0.0, 0.0]] {
            let (x, y) = across(axis);
            assert!(length(sub(cross(x, y), axis)) < 1e-6);
        }
    }
}
