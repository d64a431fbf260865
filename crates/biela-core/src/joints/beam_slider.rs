use super::{Across, Coordinate, JointKind, Relative, Row, Rows, Shape};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::math::rotation::zero3;
use crate::model::Space;

/// Slider along a beam: the origin of M stays on the centreline of a flexible beam, free to go along it and to turn.
///
/// F is the place of the beam next to M, x axis along the tangent: a place that goes along with M. With the centreline r(s), s the length of the
/// beam without stress, the curve near F is
///
/// ```text
/// p_i = ½ c_i p_x²        c_i = r''_i / |r'|²        i = y, z (planar: y)
/// s = s_F + (p_x + p_x c·p − ½ p_x² r''_x / |r'|²) / |r'|
/// ```
///
/// which is all that two derivatives at `p_x = 0` need, but for `−2 ṡ |r'|˙ / |r'|` in s̈ where the beam is being stretched.
///
/// Coordinate: `position`, the place s. Beyond its ends a beam goes on straight.
#[derive(Clone, Debug)]
pub struct BeamSlider;

/// How the centreline bends towards axis `i`: `c_i`.
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

    fn shape(&self, space: Space) -> Shape {
        Shape {
            position_rows: space.axes() - 1,
            velocity_rows: 0,
            tree: None,
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("position")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut Rows<T>) {
        let x = Row::translation(rel, 0);
        let square = x.times(&x, rel);
        for i in 1..space.axes() {
            let half = bend(rel, i) * T::constant(-0.5);
            out.push(Row::translation(rel, i).plus(&square.scaled(half)));
        }
    }

    fn coordinate<T: Real>(&self, space: Space, _: usize, rel: &Relative<T>) -> Row<T> {
        let path = &rel.path;
        let x = Row::translation(rel, 0);
        let square = x.times(&x, rel);
        let half = -0.5 * path.bend[0] / (path.stretch * path.stretch);
        let mut distance = x.plus(&square.scaled(T::constant(half)));
        for i in 1..space.axes() {
            let across = x.times(&Row::translation(rel, i), rel);
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
