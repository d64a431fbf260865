//! Motions without inertia.
//!
//! The articulated-body algorithm computes `D = S · I S` of each coordinate, with the coordinates outboard of it free: the squared
//! part of its motion that the others cannot compensate. If D vanishes, the mass matrix is singular and the forces do not determine the acceleration of the
//! coordinate. Examples are a massless link at the end of a chain, or three parallel axes inboard of one point mass.

use super::{Tree, TreeWorkspace, articulate, mass, positions};
use crate::math::Random;

/// A remainder below this fraction of a coordinate's own inertia is rounding error.
const NOTHING: f64 = 1e-12;
/// Number of configurations that are checked: a coordinate without inertia in all of them has none anywhere, with probability one.
const POSES: u64 = 3;

/// Returns the outermost link whose joint has a motion without inertia in every configuration.
pub fn unresisted(tree: &Tree) -> Option<usize> {
    let mut ws = TreeWorkspace::new(tree);
    let mut own = vec![0.0; tree.velocities];
    let mut at = |seed: u64| {
        positions(tree, &mut ws, &any_pose(tree, &mut Random::new(seed)));
        mass(tree, &mut ws, |i, j, value| {
            if i == j {
                own[i] = value;
            }
        });
        articulate(tree, &mut ws);
        let loose = |k: usize| {
            let left = 1.0 / ws.inverse[k];
            // NaN means no inertia either
            left.is_nan() || left.abs() <= NOTHING * own[k].abs()
        };
        let mut outermost = (0..tree.links.len()).rev();
        outermost.find(|i| tree.links[*i].velocities().any(loose))
    };
    let mut found: Vec<usize> = (1..=POSES).map_while(&mut at).collect();
    found.pop().filter(|_| found.len() + 1 == POSES as usize)
}

/// Random coordinates within 1 rad or 1 m of zero, with arbitrary orientations.
fn any_pose(tree: &Tree, random: &mut Random) -> Vec<f64> {
    let mut q = vec![0.0; tree.positions];
    for link in &tree.links {
        let scalars = link.shape.scalars;
        for x in &mut q[link.q..link.q + scalars] {
            *x = random.symmetric(1.0);
        }
        if link.shape.rotation {
            q[link.q + scalars..link.q + scalars + 4].copy_from_slice(&random.rotation());
        }
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::{Joint, Revolute};
    use crate::math::{Mat3, Pose, Vec3};
    use crate::model::{Body, BodyIndex, MassProperties, Model, Space};
    use crate::tree::suite::on_random_trees;

    /// A chain of links of 1 m length about parallel axes, each with a point mass at its end.
    fn points(masses: &[f64]) -> Model {
        let mut model = Model::new("chain", Space::Spatial);
        let mut carrier = BodyIndex::GROUND;
        for (b, m) in masses.iter().enumerate() {
            let end = Vec3::new(1.0, 0.0, 0.0);
            let mass = MassProperties::new(*m, end, Mat3::zeros()).unwrap();
            let body = model.add_body(Body::new(format!("b{b}"), mass));
            let at = if b == 0 { Vec3::zeros() } else { end };
            let near = model.add_marker("end", carrier, Pose::new(Mat3::identity(), at));
            let far = model.body_marker(body);
            let _ = model.add_joint(
                format!("j{b}"),
                Joint::Revolute(Revolute),
                [near, far],
                &Mat3::identity(),
            );
            carrier = body;
        }
        model
    }

    #[test]
    fn one_point_mass_gives_inertia_about_two_parallel_axes_and_not_three() {
        assert_eq!(unresisted(&Tree::spanning(&points(&[1.0, 2.0]))), None);
        assert_eq!(unresisted(&Tree::spanning(&points(&[0.0, 2.0]))), None);
        assert_eq!(
            unresisted(&Tree::spanning(&points(&[0.0, 0.0, 2.0]))),
            Some(0)
        );
        assert_eq!(unresisted(&Tree::spanning(&points(&[1.0, 0.0]))), Some(1));
        assert_eq!(unresisted(&Tree::spanning(&points(&[0.0]))), Some(0));
    }

    #[test]
    fn an_armature_gives_inertia_without_mass() {
        let mut model = points(&[1.0, 0.0]);
        model.joints[1].armature = 1e-3;
        assert_eq!(unresisted(&Tree::spanning(&model)), None);
    }

    #[test]
    fn extended_bodies_always_have_inertia() {
        on_random_trees(50, |_, tree, _| assert_eq!(unresisted(tree), None));
    }
}
