use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::math::rotation::zero3;
use crate::model::Space;

/// Beam slider: the origin of M stays on the centreline of a flexible beam. M slides along it and rotates freely.
///
/// F is a moving station: the point of the centreline closest to M, with the x axis along the tangent. With the centreline r(s), where s is the arc
/// length of the unstressed beam, the curve near F is, to second order,
///
/// ```text
/// p_i = ½ c_i p_x²        c_i = r''_i / |r'|²        i = y, z (planar: y)
/// s = s_F + (p_x + p_x c·p − ½ p_x² r''_x / |r'|²) / |r'|
/// ```
///
/// This expansion is sufficient for two derivatives at `p_x = 0`, except for the term `−2 ṡ |r'|˙ / |r'|` in s̈ when the stretch of the beam changes.
///
/// Coordinate: `position`, the arc length s. Beyond its ends the centreline is continued as a straight line.
#[derive(Clone, Debug)]
pub struct BeamSlider;

/// The curvature coefficient `c_i` of the centreline towards axis `i`.
fn bend<T: Real>(rel: &Relative<T>, i: usize) -> T {
    T::constant(rel.path.bend[i] / (rel.path.stretch * rel.path.stretch))
}

impl JointKind for BeamSlider {
    const INFO: Info = Info {
        name: "beam-slider",
        aliases: &["along-beam"],
        summary: "keeps a point of the second body on the centreline of a flexible beam",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 0;
    const HAS_AXIS: bool = false;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(BeamSlider)
    }

    fn shape(&self, space: Space) -> JointDimensions {
        JointDimensions {
            position_rows: space.axes() - 1,
            velocity_rows: 0,
            tree: None,
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("position")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        let x = PoseFunction::translation(rel, 0);
        let square = x.times(&x, rel);
        for i in 1..space.axes() {
            let half = bend(rel, i) * T::constant(-0.5);
            out.push(PoseFunction::translation(rel, i).plus(&square.scaled(half)));
        }
    }

    fn coordinate<T: Real>(&self, space: Space, _: usize, rel: &Relative<T>) -> PoseFunction<T> {
        let path = &rel.path;
        let x = PoseFunction::translation(rel, 0);
        let square = x.times(&x, rel);
        let half = -0.5 * path.bend[0] / (path.stretch * path.stretch);
        let mut distance = x.plus(&square.scaled(T::constant(half)));
        for i in 1..space.axes() {
            let across = x.times(&PoseFunction::translation(rel, i), rel);
            distance = distance.plus(&across.scaled(bend(rel, i)));
        }
        let mut place = distance.scaled(T::constant(1.0 / path.stretch));
        let rate = T::constant(2.0 * path.stretch_rate / path.stretch) * place.rate(rel);
        place.bias -= rate;
        place.phi += T::constant(path.place);
        place
    }

    fn across<T: Real>(&self, _: Space, _: &[T], _: &[T], out: &mut Across<T>) {
        out.p = zero3();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::row::GuideCurve;
    use crate::math::Vec3;
    use crate::math::rotation::identity;

    #[test]
    fn a_point_on_the_curve_satisfies_the_constraints_and_measures_its_position_to_second_order() {
        // r(s + u) = r(s) + u r' + u² r''/2 with r' along x
        let (stretch, bend) = (1.7, Vec3::new(0.4, -0.9, 0.6));
        for u in [1e-3, -2e-3] {
            let mut p = bend * (0.5 * u * u);
            p[0] += stretch * u;
            let mut rel = Relative::at_rest(identity(), p);
            rel.path = GuideCurve {
                place: 0.25,
                stretch,
                stretch_rate: 0.0,
                bend,
            };
            let mut rows = JointEquations::new();
            BeamSlider.rows(Space::Spatial, &rel, &mut rows);
            let third = 2.0 * u.abs().powi(3);
            for row in rows.as_slice() {
                assert!(row.phi.abs() < third, "{:e}", row.phi);
            }
            let place = BeamSlider.coordinate(Space::Spatial, 0, &rel).phi;
            assert!((place - 0.25 - u).abs() < third, "{place}");
        }
    }

    #[test]
    fn a_stretching_beam_carries_the_sliding_point_along() {
        // ṡ = p_x˙/|r'|; at p_x = 0 its derivative due to |r'|˙ alone is −2 ṡ |r'|˙/|r'|
        let mut rel = Relative::at_rest(identity(), Vec3::zeros());
        rel.path.stretch = 2.0;
        rel.path.stretch_rate = 0.3;
        rel.v = Vec3::new(1.2, 0.0, 0.0);
        let row = BeamSlider.coordinate(Space::Planar, 0, &rel);
        assert!((row.rate(&rel) - 0.6).abs() < 1e-15);
        assert!((row.bias + 2.0 * 0.6 * 0.3 / 2.0).abs() < 1e-15);
    }
}
