//! The characteristic length of a mechanism.

use crate::flexible::Beam;
use crate::math::Vec3;
use crate::system::EvaluationContext;

/// The characteristic length of a mechanism, its diameter: twice the largest distance of a mass centre, a marker or an end of a joint from the mean of
/// all of these, or the length of a beam. `None` where all coincide.
pub(super) fn extent(context: &EvaluationContext<'_>) -> Option<f64> {
    let (model, kinematics) = (context.model, context.kinematics);
    let place = |frame| kinematics.frame(model, frame).p;
    let ends = model.joints.iter().flat_map(|j| [j.first, j.second]);
    // the first marker is the frame of the ground, which may be far from everything
    let markers = model.markers.iter().skip(1).map(|m| (m.body, m.pose));
    let bodies = kinematics.bodies.iter().map(|body| body.r);
    let points: Vec<Vec3<f64>> = ends.chain(markers).map(place).chain(bodies).collect();
    let mean = points.iter().sum::<Vec3<f64>>() / points.len().max(1) as f64;
    let distances = points.iter().map(|point| 2.0 * (point - mean).norm());
    let beams = model.beams.iter().map(Beam::length);
    let exact = model.exact_beams.iter().map(|beam| beam.length(model));
    let size = distances.chain(beams).chain(exact).fold(0.0, f64::max);
    // points that coincide up to rounding
    let far = points.iter().map(Vec3::norm).fold(0.0, f64::max);
    (size > 1e3 * f64::EPSILON * far && size.is_finite()).then_some(size)
}
