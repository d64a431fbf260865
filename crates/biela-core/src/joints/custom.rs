//! Joints of other crates, as objects.

use std::sync::Arc;

use super::{
    Across, Coordinate, Joint, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
};
use crate::element::Info;
use crate::math::{Jet, Real};
use crate::model::Space;

/// The equations of a joint in one scalar type. Every [`JointKind`] implements it for every scalar type.
pub trait JointOver<T: Real> {
    /// See [`JointKind::rows`].
    fn rows(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>);
    /// See [`JointKind::coordinate`].
    fn coordinate(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T>;
    /// See [`JointKind::direction`].
    fn direction(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T>;
    /// See [`JointKind::across`].
    fn across(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>);
}

impl<T: Real, J: JointKind> JointOver<T> for J {
    fn rows(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        JointKind::rows(self, space, rel, out);
    }

    fn coordinate(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        JointKind::coordinate(self, space, k, rel)
    }

    fn direction(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        JointKind::direction(self, space, k, rel)
    }

    fn across(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        JointKind::across(self, space, q, v, out);
    }
}

/// A joint of another crate as an object, in the scalar types of this crate. [`Joint::custom`] makes it from a type that implements [`JointKind`].
///
/// Symbols are a scalar type of another crate: symbolic equations are not derived for such a joint.
pub trait CustomJoint: JointOver<f64> + JointOver<Jet> + std::fmt::Debug + Send + Sync {
    /// See [`JointKind::INFO`].
    fn info(&self) -> Info;
    /// See [`JointKind::AXIS`].
    fn axis(&self) -> usize;
    /// See [`JointKind::HAS_AXIS`].
    fn has_axis(&self) -> bool;
    /// See [`JointKind::AXIS_OF_BOTH`].
    fn axis_of_both(&self) -> bool;
    /// See [`JointKind::shape`].
    fn shape(&self, space: Space) -> JointDimensions;
    /// See [`JointKind::coordinates`].
    fn coordinates(&self, space: Space) -> &[Coordinate];
    /// See [`JointKind::has_poles`].
    fn has_poles(&self, space: Space) -> bool;
}

impl<J: JointKind + Send + Sync> CustomJoint for J {
    fn info(&self) -> Info {
        J::INFO
    }

    fn axis(&self) -> usize {
        J::AXIS
    }

    fn has_axis(&self) -> bool {
        J::HAS_AXIS
    }

    fn axis_of_both(&self) -> bool {
        J::AXIS_OF_BOTH
    }

    fn shape(&self, space: Space) -> JointDimensions {
        JointKind::shape(self, space)
    }

    fn coordinates(&self, space: Space) -> &[Coordinate] {
        JointKind::coordinates(self, space)
    }

    fn has_poles(&self, space: Space) -> bool {
        JointKind::has_poles(self, space)
    }
}

impl Joint {
    /// A joint of another crate. It works in both formulations and with every method and integrator.
    ///
    /// ```
    /// use biela_core::element::Info;
    /// use biela_core::joints::{
    ///     Across, Coordinate, Joint, JointDimensions, JointEquations, JointKind, PoseFunction, Relative, TreeShape,
    /// };
    /// use biela_core::math::Real;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
    ///
    /// /// A pin in the plane: p = 0, with the angle about z as its coordinate.
    /// #[derive(Clone, Debug)]
    /// struct Pin;
    ///
    /// impl JointKind for Pin {
    ///     const INFO: Info = Info::new("pin", "rotates about z").in_spaces(&[Space::Planar]);
    ///     const AXIS: usize = 2;
    ///
    ///     fn shape(&self, _: Space) -> JointDimensions {
    ///         let tree = Some(TreeShape { scalars: 1, rotation: false });
    ///         JointDimensions { position_rows: 2, velocity_rows: 0, tree }
    ///     }
    ///
    ///     fn coordinates(&self, _: Space) -> &[Coordinate] {
    ///         const { &[Coordinate::angle("angle")] }
    ///     }
    ///
    ///     fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
    ///         out.coincide(space, rel);
    ///     }
    ///
    ///     fn coordinate<T: Real>(&self, _: Space, _: usize, rel: &Relative<T>) -> PoseFunction<T> {
    ///         PoseFunction::turn_about(rel, 2, rel.turns[0])
    ///     }
    ///
    ///     fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
    ///         out.turn(2, q[0], v[0]);
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("pendulum", Space::Planar);
    /// let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?));
    /// let _ = model.connect("pin", Joint::custom(Pin), [MarkerIndex::GROUND, model.body_marker(rod)]);
    /// model.check()?;
    /// assert!(model.signal("pin.angle").is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn custom(joint: impl JointKind + Send + Sync + 'static) -> Self {
        Joint::Custom(Arc::new(joint))
    }

    /// Whether its equations exist in a scalar type: those of the list in every one, those of other crates in the ones of this crate.
    pub fn supports<T: Real>(&self) -> bool {
        match self {
            Joint::Custom(joint) => T::joint(joint.as_ref()).is_some(),
            _ => true,
        }
    }
}

/// Adds the equations of a custom joint; NaN in a scalar type that it does not support.
pub(super) fn rows<T: Real>(
    joint: &dyn CustomJoint,
    space: Space,
    rel: &Relative<T>,
    out: &mut JointEquations<T>,
) {
    if let Some(joint) = T::joint(joint) {
        return joint.rows(space, rel, out);
    }
    let shape = joint.shape(space);
    for _ in 0..shape.position_rows + shape.velocity_rows {
        out.push(PoseFunction::constant(f64::NAN));
    }
}

/// Computes the motion across a custom joint; NaN in a scalar type that it does not support.
pub(super) fn across<T: Real>(
    joint: &dyn CustomJoint,
    space: Space,
    (q, v): (&[T], &[T]),
    out: &mut Across<T>,
) {
    match T::joint(joint) {
        Some(joint) => joint.across(space, q, v, out),
        None => out.p[0] = T::constant(f64::NAN),
    }
}
