//! Estimate of the memory of a model's equations, before they are created.

use super::Formulation;
use crate::joints::TreeShape;
use crate::model::Model;
use crate::tree::span;

/// Least number of bytes per velocity coordinate or constraint row: patterns, values and factors of sparse equations, and states.
const A_LINE: f64 = 1000.0;
/// Bytes per entry of the mass matrix in joint coordinates: its index, its value and its factor.
const AN_ENTRY: f64 = 48.0;

/// Returns the least number of bytes of a system.
///
/// In joint coordinates M couples each coordinate with all those on its path to the ground, so that a chain of n links has n²/2 entries.
pub fn least_memory(model: &Model, formulation: Formulation) -> f64 {
    let freedom = model.space.freedom();
    let shapes = model
        .joints
        .iter()
        .map(|element| element.joint.shape(model.space));
    let rows: usize = shapes
        .map(|shape| shape.position_rows + shape.velocity_rows)
        .sum();
    let nodes: usize = model.beams.iter().map(|beam| beam.elements.len() + 1).sum();
    let lines = (model.bodies.len() + nodes) * freedom + rows;
    let sparse = A_LINE * lines as f64;
    if formulation == Formulation::Absolute {
        return sparse;
    }
    // coordinates from the ground to each body
    let mut along = vec![0.0_f64; model.bodies.len()];
    let mut entries = 0.0;
    for branch in span(model).branches {
        let tree = branch
            .joint
            .and_then(|joint| model.joints[joint.0].joint.shape(model.space).tree);
        let own = tree.map_or(freedom, TreeShape::freedom) as f64;
        let carried = branch.parent.number().map_or(0.0, |parent| along[parent]);
        along[branch.body] = carried + own;
        entries += own * carried + 0.5 * own * (own + 1.0);
    }
    sparse + AN_ENTRY * entries
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::joints::{Joint, Revolute};
    use crate::math::{Mat3, Pose, Vec3};
    use crate::model::{Body, MarkerIndex, MassProperties, Space};

    #[test]
    fn memory_of_a_chain_in_joint_coordinates_grows_with_the_square_of_its_links() {
        let mut model = Model::new("chain", Space::Planar);
        let mut last = MarkerIndex::GROUND;
        for k in 0..2000 {
            let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.1).unwrap();
            let body = model.add_body(Body::new(format!("b{k}"), mass));
            let own = model.body_marker(body);
            let joint = Joint::Revolute(Revolute);
            let _ = model.add_joint(format!("j{k}"), joint, [last, own], &Mat3::identity());
            let tip = Pose::new(Mat3::identity(), Vec3::new(1.0, 0.0, 0.0));
            last = model.add_marker("tip", body, tip);
        }
        let sparse = least_memory(&model, Formulation::Absolute);
        let dense = least_memory(&model, Formulation::Tree);
        assert_eq!(sparse, A_LINE * 2000.0 * 5.0);
        assert_eq!(dense - sparse, AN_ENTRY * 2000.0 * 2001.0 / 2.0);
    }
}
