//! Default appearance of a body without shapes: bars between its joints.

use biela_core::math::Vec3;
use biela_view::scene::{SceneShape, ShapeGeometry};

use super::triple;

/// Points closer than this fraction of the model's size coincide.
const NEAR: f64 = 1e-6;
/// Radius of a bar, as a fraction of the model's size.
const THICKNESS: f64 = 0.012;
/// Radius of a ball, as a fraction of the model's size.
const LUMP: f64 = 0.03;
/// Bodies with more points are not connected.
const MOST: usize = 64;
const NO_TURN: [f64; 7] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Returns bars along the minimum spanning tree of the points, or a ball if there is only one point.
///
/// `joints` are the positions of its joints and forces, `center` is its mass centre if it has a mass, `markers` are its named points. The latter are used only
/// if there are too few of the others. `size` is that of the model.
pub(super) fn links(
    joints: &[Vec3<f64>],
    center: Option<Vec3<f64>>,
    markers: &[Vec3<f64>],
    size: f64,
) -> Vec<SceneShape> {
    let near = NEAR * size;
    let mut points: Vec<Vec3<f64>> = Vec::new();
    let add = |points: &mut Vec<Vec3<f64>>, p: &Vec3<f64>| {
        let known = points.iter().any(|q| (p - q).norm() <= near);
        if !known && points.len() < MOST && p.iter().all(|x| x.is_finite()) {
            points.push(*p);
        }
    };
    for p in joints {
        add(&mut points, p);
    }
    for p in center.iter().chain(markers) {
        if points.len() < 2 {
            add(&mut points, p);
        }
    }
    let shape = |form: ShapeGeometry, pose| SceneShape {
        form,
        pose,
        color: None,
        generated: true,
    };
    if let [one] = points.as_slice() {
        let mut pose = NO_TURN;
        pose[..3].copy_from_slice(&triple(one));
        return vec![shape(
            ShapeGeometry::Sphere {
                radius: LUMP * size,
            },
            pose,
        )];
    }
    let bars = spanning(&points).into_iter().map(|(a, b)| {
        let bar = ShapeGeometry::Bar {
            radius: THICKNESS * size,
            from: triple(&points[a]),
            to: triple(&points[b]),
        };
        shape(bar, NO_TURN)
    });
    bars.collect()
}

/// Prim's algorithm: repeatedly adds the shortest edge between connected and unconnected points.
fn spanning(points: &[Vec3<f64>]) -> Vec<(usize, usize)> {
    let mut ways: Vec<(f64, usize)> = match points.first() {
        Some(first) => points.iter().map(|p| ((p - first).norm(), 0)).collect(),
        None => return Vec::new(),
    };
    let mut left: Vec<usize> = (1..points.len()).collect();
    let mut bars = Vec::new();
    while let Some(at) =
        (0..left.len()).min_by(|a, b| ways[left[*a]].0.total_cmp(&ways[left[*b]].0))
    {
        let next = left.swap_remove(at);
        bars.push((ways[next].1, next));
        for other in &left {
            let length = (points[*other] - points[next]).norm();
            if length < ways[*other].0 {
                ways[*other] = (length, next);
            }
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Vec3<f64> {
        Vec3::new(x, y, 0.0)
    }

    fn ends(shapes: &[SceneShape]) -> Vec<([f64; 3], [f64; 3])> {
        let bar = |shape: &SceneShape| match shape.form {
            ShapeGeometry::Bar { from, to, .. } => (from, to),
            _ => panic!("not a bar: {shape:?}"),
        };
        shapes.iter().map(bar).collect()
    }

    #[test]
    fn two_joints_are_connected_by_one_bar() {
        let bars = ends(&links(
            &[at(0.0, 0.0), at(1.0, 0.0)],
            Some(at(0.4, 0.2)),
            &[],
            1.0,
        ));
        assert_eq!(bars, [([0.0; 3], [1.0, 0.0, 0.0])]);
    }

    #[test]
    fn one_joint_is_connected_to_the_mass_centre() {
        let bars = ends(&links(
            &[at(0.0, 0.0)],
            Some(at(0.0, -1.0)),
            &[at(5.0, 5.0)],
            1.0,
        ));
        assert_eq!(bars, [([0.0; 3], [0.0, -1.0, 0.0])]);
    }

    #[test]
    fn a_body_with_a_joint_at_its_mass_centre_extends_to_a_named_point() {
        let bars = ends(&links(
            &[at(0.0, 0.0)],
            Some(at(0.0, 0.0)),
            &[at(2.0, 0.0)],
            1.0,
        ));
        assert_eq!(bars, [([0.0; 3], [2.0, 0.0, 0.0])]);
    }

    #[test]
    fn a_body_without_joints_is_drawn_as_a_sphere() {
        let shapes = links(&[], Some(at(1.0, 2.0)), &[], 2.0);
        assert!(matches!(shapes[0].form, ShapeGeometry::Sphere { radius } if radius == 0.06));
        assert_eq!(shapes[0].pose[..3], [1.0, 2.0, 0.0]);
        assert!(links(&[], None, &[], 1.0).is_empty());
    }

    #[test]
    fn bars_between_many_points_form_a_minimum_spanning_tree() {
        let points = [
            at(0.0, 0.0),
            at(3.0, 0.0),
            at(1.0, 0.0),
            at(2.0, 0.0),
            at(2.0, 0.5),
        ];
        let bars = ends(&links(&points, None, &[], 1.0));
        let length = |(a, b): &([f64; 3], [f64; 3])| (a[0] - b[0]).hypot(a[1] - b[1]);
        assert_eq!(bars.len(), 4);
        assert!((bars.iter().map(length).sum::<f64>() - 3.5).abs() < 1e-12);
    }
}
