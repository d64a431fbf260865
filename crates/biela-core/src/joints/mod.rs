//! Joints: constraints between two bodies. Each joint is one file and one line in the list `joints!`.
//!
//! A joint connects frame F on body A to frame M on body B. It has two views, which are tested against each other:
//!
//! * the **constraint view** ([`JointKind::rows`]): constraint equations in the relative pose. The absolute formulation uses it for every joint, the tree
//!   formulation for the loop-closing joints;
//! * the **tree view** ([`JointKind::across`]): the relative motion as a function of joint coordinates, used for the joints of the spanning tree.
//!
//! At zero coordinates F and M coincide, unless the joint states otherwise. A planar model uses the same equations, with motion in the x–y plane of
//! both frames, and omits those that are satisfied identically in the plane.

mod custom;
mod row;
mod spin;
mod tree_view;

#[cfg(test)]
mod special_cases;
#[cfg(test)]
mod suite;

pub use custom::{CustomJoint, JointOver};
pub use row::{GuideCurve, JointEquations, MAX_ANGLES, MAX_ROWS, PoseFunction, Relative};
pub use spin::FixedLine;
pub use tree_view::{Across, MAX_FREEDOM, MAX_POSITIONS};

use std::sync::Arc;

use crate::element::{ArgumentError, Arguments, Fields, Info};
use crate::math::{Pose, Real};
use crate::model::Space;

/// A scalar coordinate that a joint measures. Drivers prescribe it, springs act along it, and results contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Name in signals, `joint.name`.
    pub name: &'static str,
    /// Whether it is an angle in radians, counted over full turns; otherwise it is a length in metres.
    pub angular: bool,
    /// Whether it is an angle that equals the relative rotation of the bodies when they move in a plane.
    pub turning: bool,
}

impl Coordinate {
    /// A length.
    pub const fn length(name: &'static str) -> Self {
        Coordinate {
            name,
            angular: false,
            turning: false,
        }
    }
    /// An angle of rotation of the second body relative to the first.
    pub const fn angle(name: &'static str) -> Self {
        Coordinate {
            name,
            angular: true,
            turning: true,
        }
    }
    /// The angle of a direction: it does not change when the second body rotates about the origin of its frame.
    pub const fn direction(name: &'static str) -> Self {
        Coordinate {
            name,
            angular: true,
            turning: false,
        }
    }
}

/// The numbers of equations and coordinates of the two views of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointDimensions {
    /// Position equations.
    pub position_rows: usize,
    /// Velocity (nonholonomic) equations.
    pub velocity_rows: usize,
    /// The tree view; `None` if the joint has none.
    pub tree: Option<TreeShape>,
}

/// Joint coordinates of the tree view: scalars, which are the first measured coordinates, then Euler parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    /// Number of scalar coordinates.
    pub scalars: usize,
    /// Whether the orientation of M in F follows as four Euler parameters.
    pub rotation: bool,
}

impl TreeShape {
    /// Number of position coordinates.
    pub fn positions(self) -> usize {
        self.scalars + if self.rotation { 4 } else { 0 }
    }
    /// Number of velocity coordinates (degrees of freedom): scalar joint velocities, then the angular velocity of M relative to F in F's axes.
    pub fn freedom(self) -> usize {
        self.scalars + if self.rotation { 3 } else { 0 }
    }
}

/// The interface that each joint type implements.
pub trait JointKind: Sized + Clone + std::fmt::Debug {
    /// Name, fields and summary.
    const INFO: Info;
    /// The axis of the joint frames (0 = x, 1 = y, 2 = z) that the user's `axis` points along.
    const AXIS: usize;
    /// Whether the permitted motions depend on that axis.
    const HAS_AXIS: bool = true;
    /// Whether `axis` orients the frames of both bodies. Otherwise it orients the second frame only, and the first keeps the orientation of its endpoint.
    const AXIS_OF_BOTH: bool = true;

    /// Builds the joint from the values of its fields, checked and complete as by [`Info::complete`]. A joint of another crate, which is built in code,
    /// need not have it.
    fn build(_arguments: &Arguments) -> Result<Self, ArgumentError> {
        Err(ArgumentError {
            field: "type",
            message: format!("{} is built in code only", Self::INFO.name),
        })
    }

    /// Numbers of equations and coordinates of both views.
    fn shape(&self, space: Space) -> JointDimensions;

    /// Measured coordinates; the scalars of the tree view come first.
    fn coordinates(&self, space: Space) -> &[Coordinate];

    /// Whether the coordinates of the tree view are singular at some admissible poses, as longitude is at a pole.
    fn has_poles(&self, _space: Space) -> bool {
        false
    }

    /// Constraint view: adds the equations at the relative pose and velocity to `out`.
    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>);

    /// Returns measured coordinate `k` at the relative pose, with its derivatives.
    fn coordinate<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T>;

    /// Returns the gradient of measured coordinate `k` only, as needed for forces along it. Value and bias are unspecified.
    fn direction<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        self.coordinate(space, k, rel)
    }

    /// Tree view: pose, motion subspace and velocity-dependent acceleration (bias) at the joint coordinates `q` and velocities `v`.
    /// On entry, F and M coincide in `out` and there is no motion.
    fn across<T: Real>(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>);
}

/// A joint that can be added to a model: a [`Joint`], a type of the list without fields, such as [`Revolute`], or [`Fields`] of one that has them.
///
/// A required field cannot be omitted:
///
/// ```compile_fail
/// let joint = biela_core::joints::Screw::new();
/// ```
pub trait IntoJoint {
    /// Builds the joint.
    ///
    /// # Errors
    ///
    /// A field is invalid, or the joint does not exist in the space of the model.
    fn into_joint(self, space: Space) -> Result<Joint, ArgumentError>;

    /// Returns all mistakes in the values of its fields; without any, [`IntoJoint::into_joint`] may still refuse their combination.
    fn field_errors(&self, _space: Space) -> Vec<ArgumentError> {
        Vec::new()
    }
}

impl IntoJoint for Joint {
    fn into_joint(self, _: Space) -> Result<Joint, ArgumentError> {
        Ok(self)
    }
}

impl<J: JointKind + Into<Joint>> IntoJoint for Fields<J> {
    fn into_joint(self, space: Space) -> Result<Joint, ArgumentError> {
        let arguments = self.into_arguments(space);
        J::build(J::INFO.complete(&arguments)?.as_ref()).map(Into::into)
    }

    fn field_errors(&self, space: Space) -> Vec<ArgumentError> {
        J::INFO.errors(&self.clone().into_arguments(space))
    }
}

/// Generates the enumeration of all joints, its dispatch and the list of descriptions, from one line per joint.
macro_rules! joints {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// Any joint.
        ///
        /// A joint without fields is a value of its type, the others have a constructor: `Screw::new(0.01)`. A type of another crate that implements
        /// [`JointKind`] becomes a joint by [`Joint::custom`]; [`Generic`] locks any of the six relative motions.
        ///
        /// ```
        /// use biela_core::joints::{Joint, Revolute};
        /// use biela_core::model::Space;
        ///
        /// let joint = Joint::from(Revolute);
        /// assert_eq!(joint.shape(Space::Spatial).position_rows, 5);
        /// assert_eq!(joint.coordinates(Space::Spatial)[0].name, "angle");
        /// ```
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Joint {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
            /// A joint of another crate.
            Custom(Arc<dyn CustomJoint>),
        }

        /// The descriptions of all joints, in the order of the list.
        pub const JOINTS: &[Info] = &[$(<$name as JointKind>::INFO),*];

        $(
            impl From<$name> for Joint {
                fn from(joint: $name) -> Self {
                    Joint::$name(joint)
                }
            }

            impl IntoJoint for $name {
                fn into_joint(self, _: Space) -> Result<Joint, ArgumentError> {
                    Ok(Joint::$name(self))
                }
            }
        )*

        impl Joint {
            /// Builds the joint of type `kind`, as named in the model file; `None` if there is no such type.
            pub fn build(kind: &str, arguments: &Arguments) -> Option<Result<Joint, ArgumentError>> {
                $(
                    let info = <$name as JointKind>::INFO;
                    if info.name == kind || info.aliases.contains(&kind) {
                        let made = info.complete(arguments)
                            .and_then(|arguments| <$name as JointKind>::build(&arguments));
                        return Some(made.map(Joint::$name));
                    }
                )*
                None
            }

            /// Name, fields and summary.
            pub fn info(&self) -> Info {
                match self { $(Joint::$name(_) => <$name as JointKind>::INFO,)* Joint::Custom(j) => j.info() }
            }

            /// The axis of the joint frames that the user's `axis` points along.
            pub fn axis(&self) -> usize {
                match self { $(Joint::$name(_) => <$name as JointKind>::AXIS,)* Joint::Custom(j) => j.axis() }
            }

            /// Whether the permitted motions depend on the axis.
            pub fn has_axis(&self) -> bool {
                match self { $(Joint::$name(_) => <$name as JointKind>::HAS_AXIS,)* Joint::Custom(j) => j.has_axis() }
            }

            /// Whether the axis orients the frames of both bodies, see [`JointKind::AXIS_OF_BOTH`].
            pub fn axis_of_both(&self) -> bool {
                match self { $(Joint::$name(_) => <$name as JointKind>::AXIS_OF_BOTH,)* Joint::Custom(j) => j.axis_of_both() }
            }

            /// Numbers of equations and coordinates of both views.
            pub fn shape(&self, space: Space) -> JointDimensions {
                match self { $(Joint::$name(j) => JointKind::shape(j, space),)* Joint::Custom(j) => j.shape(space) }
            }

            /// Measured coordinates; the scalars of the tree view come first.
            pub fn coordinates(&self, space: Space) -> &[Coordinate] {
                match self { $(Joint::$name(j) => JointKind::coordinates(j, space),)* Joint::Custom(j) => j.coordinates(space) }
            }

            /// Whether the coordinates of the tree view are singular at some poses, see [`JointKind::has_poles`].
            pub fn has_poles(&self, space: Space) -> bool {
                match self { $(Joint::$name(j) => JointKind::has_poles(j, space),)* Joint::Custom(j) => j.has_poles(space) }
            }

            /// Constraint view, see [`JointKind::rows`].
            pub fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
                out.clear();
                match self { $(Joint::$name(j) => JointKind::rows(j, space, rel, out),)* Joint::Custom(j) => custom::rows(j.as_ref(), space, rel, out) }
            }

            /// Measured coordinate `k`, see [`JointKind::coordinate`].
            pub fn coordinate<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
                match self { $(Joint::$name(j) => JointKind::coordinate(j, space, k, rel),)*
                    Joint::Custom(j) => T::joint(j.as_ref()).map_or(PoseFunction::constant(f64::NAN), |j| j.coordinate(space, k, rel)),
                }
            }

            /// Gradient of measured coordinate `k`, see [`JointKind::direction`].
            pub fn direction<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
                match self { $(Joint::$name(j) => JointKind::direction(j, space, k, rel),)*
                    Joint::Custom(j) => T::joint(j.as_ref()).map_or(PoseFunction::constant(f64::NAN), |j| j.direction(space, k, rel)),
                }
            }

            /// Tree view, see [`JointKind::across`].
            pub fn across<T: Real>(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>) {
                out.reset();
                match self { $(Joint::$name(j) => JointKind::across(j, space, q, v, out),)* Joint::Custom(j) => custom::across(j.as_ref(), space, (q, v), out) }
            }
        }
    };
}

joints! {
    weld::Weld,
    revolute::Revolute,
    prismatic::Prismatic,
    cylindrical::Cylindrical,
    spherical::Spherical,
    universal::Universal,
    planar::Planar,
    screw::Screw,
    free::Free,
    distance::Distance,
    point_on_line::PointOnLine,
    point_in_plane::PointInPlane,
    parallel_axes::ParallelAxes,
    generic::Generic,
    constant_velocity::ConstantVelocity,
    rolling_disc::RollingDisc,
    knife_edge::KnifeEdge,
    beam_slider::BeamSlider,
}

impl Joint {
    /// Returns the joint of type `kind`, as named in the model file, with the defaults of the fields that are not given.
    ///
    /// ```
    /// use biela_core::element::Arguments;
    /// use biela_core::joints::Joint;
    /// use biela_core::model::Space;
    ///
    /// let arguments = Arguments::new(Space::Spatial);
    /// assert!(Joint::create("screw", &arguments.clone().with("pitch", 0.005)).is_ok());
    /// assert_eq!(Joint::create("screw", &arguments).unwrap_err().field, "pitch");
    /// ```
    pub fn create(kind: &str, arguments: &Arguments) -> Result<Joint, ArgumentError> {
        let complete = crate::element::complete(JOINTS, kind, arguments)?;
        Joint::build(kind, &complete).unwrap_or_else(|| Err(crate::element::no_type(JOINTS, kind)))
    }

    /// The coefficient of restitution of a rope, which is slack or taut; `None` for other joints.
    pub(crate) fn slack_restitution(&self) -> Option<f64> {
        match self {
            Joint::Distance(distance) => distance.rope(),
            _ => None,
        }
    }

    /// The slack of a rope; `None` for other joints.
    pub(crate) fn slack(&self, space: Space, rel: &Relative) -> Option<PoseFunction> {
        match self {
            Joint::Distance(distance) if distance.rope().is_some() => {
                Some(distance.slack(space, rel))
            }
            _ => None,
        }
    }

    /// Computes the joint coordinates of the tree view from a relative pose: the inverse of [`Joint::across`].
    pub fn locate(&self, space: Space, rel: &Relative, q: &mut [f64]) {
        let Some(tree) = self.shape(space).tree else {
            return;
        };
        for (k, x) in q.iter_mut().take(tree.scalars).enumerate() {
            *x = self.coordinate(space, k, rel).phi;
        }
        if tree.rotation {
            q[tree.scalars..].copy_from_slice(&crate::math::rotation::parameters(&rel.R));
        }
    }

    /// Returns velocity coordinate `k` of the tree view as the time derivative of a function of the relative pose. Angular velocity components are
    /// quasi-velocities: their function has no value.
    pub fn rate<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        let scalars = self.shape(space).tree.map_or(0, |tree| tree.scalars);
        if k < scalars {
            return self.coordinate(space, k, rel);
        }
        PoseFunction {
            w: crate::math::rotation::unit(k - scalars),
            ..PoseFunction::constant(0.0)
        }
    }

    /// Returns the relative pose at the tree coordinates `q`.
    pub fn pose(&self, space: Space, q: &[f64]) -> Pose {
        let mut across = Across::new();
        self.across(space, q, &[0.0; MAX_FREEDOM], &mut across);
        Pose {
            R: across.R,
            p: across.p,
        }
    }
}

/// Dextral angles (α, β, γ), the measured coordinates of a free relative rotation: `R = Rx(α) Ry(β) Rz(γ)`.
pub(crate) fn dextral_angle<T: Real>(rel: &Relative<T>, which: usize) -> PoseFunction<T> {
    let near = rel.turns[which];
    let minus = |row: PoseFunction<T>| row.scaled(T::constant(-1.0));
    match which {
        0 => PoseFunction::angle(
            &minus(PoseFunction::cosine(rel, 1, 2)),
            &PoseFunction::cosine(rel, 2, 2),
            rel,
            near,
        ),
        1 => {
            let (a, b) = (
                PoseFunction::cosine(rel, 0, 0),
                PoseFunction::cosine(rel, 0, 1),
            );
            let cosine = a.times(&a, rel).plus(&b.times(&b, rel)).sqrt(rel);
            PoseFunction::angle(&PoseFunction::cosine(rel, 0, 2), &cosine, rel, near)
        }
        _ => PoseFunction::angle(
            &minus(PoseFunction::cosine(rel, 0, 1)),
            &PoseFunction::cosine(rel, 0, 0),
            rel,
            near,
        ),
    }
}
