//! Typed constructors and setters of elements, from the same declaration of fields as the model language.
//!
//! An element declares its fields once, with `fields!`. The macro makes the list of its [`Info`](super::Info), a constructor that takes
//! the required fields, and one setter per optional field.

use std::marker::PhantomData;

use super::{Arguments, FieldValue};
use crate::math::Vec3;
use crate::model::{AnyBeam, BeamIndex, JointIndex, Law, Space};

/// The values given to the fields of an element of type `E`, by its typed constructor and setters.
///
/// They are checked when the element is built: when it is added to a model, or when a simulation with it starts. A misspelt setter or a missing
/// required field does not compile.
///
/// ```
/// use biela_core::forces::SpringDamper;
/// use biela_core::model::{MarkerIndex, Space};
///
/// let spring = SpringDamper::new([MarkerIndex::GROUND, MarkerIndex(1)])
///     .stiffness(800.0)
///     .length(0.5);
/// assert_eq!(spring.into_arguments(Space::Planar).number("stiffness"), 800.0);
/// ```
///
/// ```compile_fail
/// # use biela_core::{forces::SpringDamper, model::MarkerIndex};
/// let spring = SpringDamper::new([MarkerIndex::GROUND, MarkerIndex(1)]).rigidity(800.0);
/// ```
pub struct Fields<E> {
    values: Vec<(&'static str, FieldValue)>,
    element: PhantomData<fn() -> E>,
}

impl<E> Fields<E> {
    /// No values: every field has its default.
    pub(crate) fn empty() -> Self {
        Fields {
            values: Vec::new(),
            element: PhantomData,
        }
    }

    /// Sets the value of a field.
    pub(crate) fn set(mut self, name: &'static str, value: impl Into<FieldValue>) -> Self {
        self.values.retain(|(known, _)| *known != name);
        self.values.push((name, value.into()));
        self
    }

    /// Returns the values by name, as the model language has them.
    pub fn into_arguments(self, space: Space) -> Arguments {
        Arguments {
            values: self.values,
            ..Arguments::new(space)
        }
    }
}

impl<E> Clone for Fields<E> {
    fn clone(&self) -> Self {
        Fields {
            values: self.values.clone(),
            element: PhantomData,
        }
    }
}

impl<E> std::fmt::Debug for Fields<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map()
            .entries(self.values.iter().map(|(name, value)| (name, value)))
            .finish()
    }
}

/// Defines a type of values of a field, with the types from which it is converted.
macro_rules! inputs {
    ($($(#[$doc:meta])* $name:ident($inner:ty): $([$($generics:tt)*] $from:ty => |$x:pat_param| $value:expr),+ $(,)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(pub(crate) $inner);

        $(
            impl<$($generics)*> From<$from> for $name {
                fn from($x: $from) -> Self {
                    $name($value)
                }
            }
        )+

        impl From<$name> for FieldValue {
            fn from($name(value): $name) -> Self {
                value.into()
            }
        }
    )*};
}

inputs! {
    /// A vector: two components in the plane, or three.
    VectorInput(Vec3<f64>):
        [] Vec3<f64> => |x| x,
        [] [f64; 3] => |x| x.into(),
        [] [f64; 2] => |[x, y]| Vec3::new(x, y, 0.0);
    /// Laws, one per axis: numbers, signals or laws.
    LawsInput(Vec<Law>):
        [] Vec<Law> => |x| x,
        [] Vec3<f64> => |x| x.iter().map(|x| Law::Constant(*x)).collect(),
        [L: Into<Law>, const N: usize] [L; N] => |x| x.map(Into::into).into();
    /// A coordinate of a joint, by its index among the measured ones; a joint alone is its first coordinate.
    CoordinateInput((JointIndex, usize)):
        [] JointIndex => |joint| (joint, 0),
        [] (JointIndex, usize) => |x| x;
    /// Numbers: one, or several.
    NumbersInput(Vec<f64>):
        [] f64 => |x| vec![x],
        [] Vec<f64> => |x| x,
        [] &[f64] => |x| x.to_vec(),
        [const N: usize] [f64; N] => |x| x.to_vec();
    /// Points: lists of numbers, or one number per point.
    PointsInput(Points):
        [] Vec<Vec<f64>> => |x| Points(x),
        [] Vec<f64> => |x| Points(x.into_iter().map(|x| vec![x]).collect()),
        [const N: usize] [f64; N] => |x| Points(x.map(|x| vec![x]).into()),
        [const N: usize] Vec<[f64; N]> => |x| Points(x.iter().map(|x| x.to_vec()).collect()),
        [const M: usize, const N: usize] [[f64; N]; M] => |x| Points(x.map(|x| x.to_vec()).into()),
        [] Vec<Vec3<f64>> => |x| Points(x.iter().map(|x| x.as_slice().to_vec()).collect());
    /// Words or names.
    WordsInput(Vec<String>):
        [] Vec<String> => |x| x,
        [S: Into<String>, const N: usize] [S; N] => |x| x.map(Into::into).into(),
        [] &[&str] => |x| x.iter().map(|&x| x.to_owned()).collect();
}

/// Lists of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Points(Vec<Vec<f64>>);

impl From<Points> for FieldValue {
    fn from(Points(points): Points) -> Self {
        FieldValue::Points(points)
    }
}

impl From<BeamIndex> for AnyBeam {
    fn from(beam: BeamIndex) -> Self {
        AnyBeam::Nodal(beam)
    }
}

/// The type of the values of a kind of field; constructors and setters take everything that converts to it.
macro_rules! input {
    (Number) => { f64 };
    (Positive) => { f64 };
    (Along) => { f64 };
    (Flag) => { bool };
    (Vector) => { $crate::element::VectorInput };
    (Direction) => { $crate::element::VectorInput };
    (Law) => { $crate::model::Law };
    (LawVector) => { $crate::element::LawsInput };
    (Text) => { String };
    (Choice) => { String };
    (Words) => { $crate::element::WordsInput };
    (Names) => { $crate::element::WordsInput };
    (Marker) => { $crate::model::MarkerIndex };
    (MarkerPair) => { [$crate::model::MarkerIndex; 2] };
    (Joint) => { $crate::model::JointIndex };
    (Beam) => { $crate::model::AnyBeam };
    (JointCoordinate) => { $crate::element::CoordinateInput };
    (Numbers) => { $crate::element::NumbersInput };
    (PerJoint) => { $crate::element::NumbersInput };
    (Gains) => { $crate::element::NumbersInput };
    (Weights) => { $crate::element::NumbersInput };
    (Points) => { $crate::element::PointsInput };
    (Vectors) => { $crate::element::PointsInput };
    (Rotation) => { $crate::math::Mat3<f64> };
    (Series) => { $crate::element::JointMotionSamples };
    (Trajectories) => { Vec<std::sync::Arc<dyn $crate::control::Trajectory>> };
}
pub(crate) use input;

/// The unit of a field for its documentation.
macro_rules! unit_text {
    ($name:ident, { unit: "" }) => {
        concat!("`", stringify!($name), "`")
    };
    ($name:ident, { unit: "1" }) => {
        concat!("`", stringify!($name), "`")
    };
    ($name:ident, { unit: $unit:literal }) => {
        concat!("`", stringify!($name), "`, in ", $unit)
    };
    ($name:ident, { units: [$length:literal, $angle:literal] }) => {
        concat!("`", stringify!($name), "`, in ", $length, " or ", $angle)
    };
    ($name:ident $($other:tt)*) => {
        concat!("`", stringify!($name), "`")
    };
}
pub(crate) use unit_text;

/// Declares the fields of an element as they are in a model file, and makes from them the constant `FIELDS`, the constructor `new` with the required
/// fields and, for [`Fields`] of the element, a setter for each optional field. A field with `= "default"` is optional; an empty text means that it has no default value.
/// `use group;` inserts fields that several elements have, declared by `field_group!`.
///
/// ```text
/// fields! { SpringDamper {
///     /// the two points it connects
///     between: MarkerPair,
///     /// tension per metre of elongation
///     stiffness: Number { unit: "N/m" } = "0",
/// } }
/// ```
macro_rules! fields {
    ($element:ident { $($rest:tt)* }) => {
        $crate::element::fields! { @ $element [] [] [] $($rest)* }
    };
    // every field, the required ones and the optional ones, each with its text
    (@ $element:ident [$($all:tt)*] [$($required:tt)*] [$($optional:tt)*] use $group:ident; $($rest:tt)*) => {
        $group! { @ $element [$($all)*] [$($required)*] [$($optional)*] [$($rest)*] }
    };
    (@ $element:ident [$($all:tt)*] [$($required:tt)*] [$($optional:tt)*]
        #[doc = $doc:literal] $name:ident: $kind:ident $({ $($unit:tt)* })? $(($words:expr))? = $default:tt, $($rest:tt)*) => {
        $crate::element::fields! { @ $element
            [$($all)* $crate::element::Field::optional(
                stringify!($name),
                $crate::element::FieldKind::$kind $({ $($unit)* })? $(($words))?,
                $default,
                $crate::element::text($doc),
            ),]
            [$($required)*]
            [$($optional)* { $name $kind $doc $default $({ $($unit)* })? }]
            $($rest)*
        }
    };
    (@ $element:ident [$($all:tt)*] [$($required:tt)*] [$($optional:tt)*]
        #[doc = $doc:literal] $name:ident: $kind:ident $({ $($unit:tt)* })? $(($words:expr))?, $($rest:tt)*) => {
        $crate::element::fields! { @ $element
            [$($all)* $crate::element::Field::required(
                stringify!($name),
                $crate::element::FieldKind::$kind $({ $($unit)* })? $(($words))?,
                $crate::element::text($doc),
            ),]
            [$($required)* { $name $kind $doc $({ $($unit)* })? }]
            [$($optional)*]
            $($rest)*
        }
    };
    (@ $element:ident [$($all:tt)*]
        [$({ $required:ident $kind:ident $doc:literal $($unit:tt)? })*]
        [$({ $optional:ident $of:ident $text:literal $default:tt $($in:tt)? })*]) => {
        impl $element {
            /// Its fields, as in a model file.
            pub(crate) const FIELDS: &'static [$crate::element::Field] = &[$($all)*];

            /// Returns the element with its required fields and the defaults of the others, which setters change.
            $(
                #[doc = ""]
                #[doc = concat!("* ", $crate::element::unit_text!($required $(, $unit)?), ":", $doc)]
            )*
            #[allow(clippy::new_ret_no_self, reason = "the element is built when it is added to a model")]
            pub fn new($($required: impl Into<$crate::element::input!($kind)>),*) -> $crate::element::Fields<Self> {
                $crate::element::Fields::empty()
                    $(.set(stringify!($required), Into::<$crate::element::input!($kind)>::into($required)))*
            }
        }

        impl $crate::element::Fields<$element> {
            $(
                #[doc = concat!("Sets ", $crate::element::unit_text!($optional $(, $in)?), ":", $text, ".")]
                #[doc = $crate::element::default_text!($default)]
                #[must_use]
                pub fn $optional(self, value: impl Into<$crate::element::input!($of)>) -> Self {
                    self.set(stringify!($optional), Into::<$crate::element::input!($of)>::into(value))
                }
            )*
        }
    };
}
pub(crate) use fields;

/// The default of a field for its documentation.
macro_rules! default_text {
    ("") => {
        ""
    };
    ($default:tt) => {
        concat!(" The default is `", $default, "`.")
    };
}
pub(crate) use default_text;

/// Declares fields that several elements have, for `use group;` in `fields!`. The first token is a dollar sign, which the generated macro needs.
macro_rules! field_group {
    ($d:tt $group:ident { $($fields:tt)* }) => {
        macro_rules! $group {
            (@ $d element:ident $d all:tt $d required:tt $d optional:tt [$d ($d rest:tt)*]) => {
                $crate::element::fields! { @ $d element $d all $d required $d optional $($fields)* $d ($d rest)* }
            };
        }
        pub(crate) use $group;
    };
}
pub(crate) use field_group;

/// Returns the text of a documentation comment, which begins with a space.
pub(crate) const fn text(comment: &'static str) -> &'static str {
    comment.split_at(1).1
}
