//! Dependence of a joint on the rotation (spin) of one of its bodies about a line.
//!
//! The centreline of a beam without torsion does not determine the rotation of its sections about it. A joint that depends on this rotation
//! cannot be attached to such a beam.

use super::{Joint, JointEquations, MAX_POSITIONS, PoseFunction, Relative};
use crate::math::Vec3;
use crate::math::rotation::{apply, cross, dot, matrix, normalized};
use crate::model::Space;

/// A line fixed to one side of a joint, in the axes of that side's joint frame.
#[derive(Clone, Copy, Debug)]
pub struct FixedLine {
    /// Whether it belongs to the second side.
    pub second: bool,
    /// A point on the line.
    pub point: Vec3<f64>,
    /// The unit vector along the line.
    pub direction: Vec3<f64>,
}

impl Joint {
    /// Whether any constraint equation changes when the body of one side spins about `line`, at a generic admissible pose.
    pub fn notes_spin(&self, line: &FixedLine) -> bool {
        self.some_pose().is_none_or(|rel| {
            let mut rows = JointEquations::new();
            self.rows(Space::Spatial, &rel, &mut rows);
            rows.as_slice().iter().any(|row| line.changes(row, &rel))
        })
    }

    /// Whether measured coordinate `k` changes under that spin.
    pub fn coordinate_notes_spin(&self, k: usize, line: &FixedLine) -> bool {
        self.some_pose()
            .is_none_or(|rel| line.changes(&self.coordinate(Space::Spatial, k, &rel), &rel))
    }

    /// A generic admissible relative pose; `None` if coordinates do not determine it.
    fn some_pose(&self) -> Option<Relative> {
        let turned = [0.8, 0.3, -0.4, 0.5];
        if matches!(self, Joint::BeamSlider(_)) {
            let turned = matrix(&normalized(&turned));
            return Some(Relative::at_rest(turned, Vec3::zeros()));
        }
        let tree = self.shape(Space::Spatial).tree?;
        let mut q = [0.0; MAX_POSITIONS];
        for (k, x) in q[..tree.scalars].iter_mut().enumerate() {
            *x = 0.37 + 0.21 * k as f64;
        }
        if tree.rotation {
            q[tree.scalars..tree.positions()].copy_from_slice(&normalized(&turned));
        }
        let pose = self.pose(Space::Spatial, &q[..tree.positions()]);
        Some(Relative::at_rest(pose.R, pose.p))
    }
}

impl FixedLine {
    /// Whether a function of the relative pose changes under a spin about the line.
    fn changes(&self, row: &PoseFunction, rel: &Relative) -> bool {
        let (point, direction) = if self.second {
            (
                rel.p + apply(&rel.R, &self.point),
                apply(&rel.R, &self.direction),
            )
        } else {
            (self.point, self.direction)
        };
        // a spin of the first body is the opposite of a spin of the second
        let rate = dot(&row.v, &cross(&direction, &(rel.p - point))) + dot(&row.w, &direction);
        rate.abs() > 1e-9 * (row.v.norm() + row.w.norm())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::unit;

    fn line(second: bool, axis: usize) -> FixedLine {
        FixedLine {
            second,
            point: Vec3::zeros(),
            direction: unit(axis),
        }
    }

    #[test]
    fn joints_about_the_axis_permit_its_spin_and_others_do_not() {
        let arguments = crate::element::Arguments::new(Space::Spatial);
        for (name, free) in [
            ("spherical", [true; 3]),
            ("revolute", [false, false, true]),
            ("cylindrical", [false, false, true]),
            ("prismatic", [false; 3]),
            ("weld", [false; 3]),
        ] {
            let joint = Joint::build(name, &arguments).unwrap().unwrap();
            for (axis, free) in free.into_iter().enumerate() {
                for second in [false, true] {
                    let line = line(second, axis);
                    assert_eq!(joint.notes_spin(&line), !free, "{name} {axis}");
                }
            }
        }
        // the cross rotates about x relative to the first body and about y relative to the second
        let universal = Joint::build("universal", &arguments).unwrap().unwrap();
        for (second, free) in [(false, 0), (true, 1)] {
            for axis in 0..3 {
                assert_eq!(universal.notes_spin(&line(second, axis)), axis != free);
            }
        }
        // along the beam, at any position on it
        let slider = Joint::BeamSlider(crate::joints::BeamSlider);
        assert!(!slider.notes_spin(&line(false, 0)));
        assert!(!slider.coordinate_notes_spin(0, &line(false, 0)));
        let revolute = Joint::build("revolute", &arguments).unwrap().unwrap();
        assert!(revolute.coordinate_notes_spin(0, &line(true, 2)));
        // a line parallel to the joint axis is not the joint axis
        let beside = FixedLine {
            point: Vec3::new(0.1, 0.0, 0.0),
            ..line(true, 2)
        };
        assert!(revolute.notes_spin(&beside));
    }
}
