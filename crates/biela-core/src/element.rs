//! Descriptions of elements (joints, forces, couplers, …) and of the tables of a model file.
//!
//! The description drives everything that enumerates elements: the model language, the schema for editors, the tables
//! of the book, the columns of the results and the shared tests. An element is one file; its description is
//! next to its equations.

mod check;
mod typed;

pub use typed::{
    CoordinateInput, Fields, LawsInput, NumbersInput, PointsInput, VectorInput, WordsInput,
};
pub(crate) use typed::{default_text, field_group, fields, input, text, unit_text};

use std::sync::Arc;

use crate::control::Trajectory;
use crate::math::{Mat3, Vec3};
use crate::model::{AnyBeam, BeamIndex, JointIndex, Law, MarkerIndex, Space};

/// Selects the unit of a field or a measure along a joint coordinate: of `"N|N*m"` the first for a length, the second for an angle.
pub fn unit_along(unit: &'static str, angular: bool) -> &'static str {
    match unit.split_once('|') {
        Some((_, unit)) if angular => unit,
        Some((unit, _)) => unit,
        None => unit,
    }
}

/// Formats a unit for an unknown coordinate as text: `N or N*m`.
pub fn unit_in_words(unit: &str) -> String {
    unit.replace('|', " or ")
}

/// The kind of value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    /// A number with an SI unit, known before the run.
    Number {
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// A number that must be greater than zero.
    Positive {
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// Two (planar) or three (spatial) numbers.
    Vector {
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// A direction: any non-zero vector.
    Direction,
    /// A number or an expression of time and signals.
    Law {
        /// SI unit of the value.
        unit: &'static str,
    },
    /// Two or three laws, one for each axis.
    LawVector {
        /// SI unit of the values.
        unit: &'static str,
    },
    /// True or false.
    Flag,
    /// Any text.
    Text,
    /// One word out of a list.
    Choice(&'static [&'static str]),
    /// Several words out of a list.
    Words(&'static [&'static str]),
    /// A point or frame: `body.point`, a body, or `ground`.
    Marker,
    /// Two points or frames.
    MarkerPair,
    /// The name of a joint.
    Joint,
    /// The name of a beam.
    Beam,
    /// A position on the beam named by a preceding field: a fraction of its length, or a distance from its start.
    Along,
    /// A coordinate of a joint: `joint` if it has only one, or `joint.coordinate`.
    JointCoordinate,
    /// Any number of numbers; a single number is a list of one.
    Numbers {
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// One number per joint that the element moves, or one for all.
    PerJoint {
        /// 0 for positions, 1 for velocities, 2 for accelerations: the unit is that of the joint's coordinate, divided by this power of a second.
        order: u8,
    },
    /// Several of these, one per point; for a single joint a number each suffices.
    Points {
        /// As for [`FieldKind::PerJoint`].
        order: u8,
    },
    /// One number per joint that a controller drives, or one for all.
    Gains {
        /// SI unit where the coordinate is a length, and where it is an angle.
        units: [&'static str; 2],
    },
    /// One number per joint of the robot, driven or not, or one for all.
    Weights {
        /// As for [`FieldKind::Gains`].
        units: [&'static str; 2],
    },
    /// Names of elements in the design model of a controller.
    Names,
    /// Any number of points in the ground frame.
    Vectors {
        /// SI unit.
        unit: &'static str,
    },
    /// An orientation in space.
    Rotation,
    /// A file with a motion of the joints that the element moves.
    Series,
    /// Names of trajectories.
    Trajectories,
    // the kinds of value below are those of tables of a model file: no element built in code has such a field
    /// The version of the model language.
    Format,
    /// The name of the element itself.
    Name,
    /// The name of an element of this table.
    Named(&'static str),
    /// Several texts.
    Texts,
    /// Several lists of texts.
    TextLists,
    /// An integer from 1 on.
    Count,
    /// Any number of numbers.
    NumberList {
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// A fixed number of numbers.
    Tuple {
        /// How many.
        count: usize,
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// Three rows of three numbers.
    Matrix {
        /// SI unit, "1" for none.
        unit: &'static str,
    },
    /// Several coordinates of joints.
    JointCoordinates,
    /// The type of the element: one of these, whose fields are then keys of the same table.
    Type(&'static [Info]),
    /// An element of one of these types: the name of the type, or a table with the name as its `type`.
    Element(&'static [Info]),
    /// A table.
    Table(&'static Info),
    /// Several tables, each of one of these kinds.
    Tables(&'static [&'static Info]),
    /// A table whose keys the user chooses.
    Map(&'static FieldKind),
    /// A value of any of these kinds.
    Either(&'static [FieldKind]),
}

impl FieldKind {
    /// Returns the SI unit of its numbers; empty if there is none, or if it depends on other fields.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Number { unit }
            | Self::Positive { unit }
            | Self::NumberList { unit }
            | Self::Numbers { unit }
            | Self::Tuple { unit, .. }
            | Self::Vector { unit }
            | Self::Matrix { unit }
            | Self::Law { unit }
            | Self::LawVector { unit }
                if !unit.contains('|') =>
            {
                unit.trim_start_matches('1')
            }
            Self::Either(kinds) => kinds.first().map_or("", |kind| kind.unit()),
            _ => "",
        }
    }
}

/// One field of an element or one key of a table, as the user writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Key in the model file.
    pub name: &'static str,
    /// Kind of value.
    pub kind: FieldKind,
    /// Text of the default value; `None` if the field is required, `Some("")` if it is optional without a default.
    pub default: Option<&'static str>,
    /// One-line description.
    pub doc: &'static str,
}

impl Field {
    /// A required field.
    pub const fn required(name: &'static str, kind: FieldKind, doc: &'static str) -> Self {
        Field {
            name,
            kind,
            default: None,
            doc,
        }
    }

    /// An optional field, with the text of its default.
    pub const fn optional(
        name: &'static str,
        kind: FieldKind,
        default: &'static str,
        doc: &'static str,
    ) -> Self {
        Field {
            name,
            kind,
            default: Some(default),
            doc,
        }
    }
}

/// The description of an element type or of a table of a model file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// The name in the model file, or in messages about a table.
    pub name: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// One-line summary.
    pub summary: &'static str,
    /// The spaces it supports.
    pub spaces: &'static [Space],
    /// Its fields, without those that every element of the family has (name, type, between, …).
    pub fields: &'static [Field],
}

/// A value given to a field.
#[derive(Clone, Debug)]
pub enum FieldValue {
    /// For [`FieldKind::Number`] and [`FieldKind::Positive`], and for [`FieldKind::Along`] as a distance.
    Number(f64),
    /// For [`FieldKind::Vector`] and [`FieldKind::Direction`].
    Vector(Vec3<f64>),
    /// For [`FieldKind::Law`].
    Law(Law),
    /// For [`FieldKind::LawVector`].
    Laws(Vec<Law>),
    /// For [`FieldKind::Flag`].
    Flag(bool),
    /// For [`FieldKind::Choice`] and [`FieldKind::Text`].
    Word(String),
    /// For [`FieldKind::Words`] and [`FieldKind::Names`].
    Words(Vec<String>),
    /// For [`FieldKind::Marker`].
    Marker(MarkerIndex),
    /// For [`FieldKind::MarkerPair`].
    Markers([MarkerIndex; 2]),
    /// For [`FieldKind::Joint`].
    Joint(JointIndex),
    /// For [`FieldKind::Beam`].
    Beam(AnyBeam),
    /// For [`FieldKind::JointCoordinate`].
    Coordinate(JointIndex, usize),
    /// For [`FieldKind::Numbers`], [`FieldKind::PerJoint`], [`FieldKind::Gains`] and [`FieldKind::Weights`].
    Numbers(Vec<f64>),
    /// For [`FieldKind::Points`] and [`FieldKind::Vectors`].
    Points(Vec<Vec<f64>>),
    /// For [`FieldKind::Rotation`].
    Rotation(Mat3<f64>),
    /// For [`FieldKind::Series`].
    Series(JointMotionSamples),
    /// For [`FieldKind::Trajectories`].
    Motions(Vec<Arc<dyn Trajectory>>),
}

/// Defines conversions from the types of values.
macro_rules! field_values {
    ($($type:ty => $variant:ident),* $(,)?) => {$(
        impl From<$type> for FieldValue {
            fn from(value: $type) -> Self {
                FieldValue::$variant(value)
            }
        }
    )*};
}

field_values! {
    f64 => Number,
    Vec3<f64> => Vector,
    Law => Law,
    Vec<Law> => Laws,
    bool => Flag,
    String => Word,
    Vec<String> => Words,
    MarkerIndex => Marker,
    [MarkerIndex; 2] => Markers,
    JointIndex => Joint,
    AnyBeam => Beam,
    Vec<f64> => Numbers,
    Mat3<f64> => Rotation,
    JointMotionSamples => Series,
    Vec<Arc<dyn Trajectory>> => Motions,
}

impl From<&str> for FieldValue {
    fn from(word: &str) -> Self {
        FieldValue::Word(word.to_owned())
    }
}

/// A coordinate of a joint, by its index among the measured ones.
impl From<(JointIndex, usize)> for FieldValue {
    fn from((joint, coordinate): (JointIndex, usize)) -> Self {
        FieldValue::Coordinate(joint, coordinate)
    }
}

impl From<BeamIndex> for FieldValue {
    fn from(beam: BeamIndex) -> Self {
        FieldValue::Beam(AnyBeam::Nodal(beam))
    }
}

/// A motion of joints as rows of samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointMotionSamples {
    /// Times, increasing.
    pub times: Vec<f64>,
    /// Joint positions at the times.
    pub positions: Vec<Vec<f64>>,
    /// Joint velocities; empty if unknown.
    pub rates: Vec<Vec<f64>>,
    /// Joint accelerations; empty if unknown.
    pub accelerations: Vec<Vec<f64>>,
}

/// An error in the values given to an element: the field, and the remedy.
#[derive(Clone, PartialEq)]
pub struct ArgumentError {
    /// The invalid field.
    pub field: &'static str,
    /// The error, and the remedy.
    pub message: String,
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.field, self.message)
    }
}

crate::readable_errors!(ArgumentError);

/// The values given to an element, by field name, in SI units.
///
/// ```
/// use biela_core::element::Arguments;
/// use biela_core::model::{MarkerIndex, Space};
///
/// let spring = Arguments::new(Space::Planar)
///     .with("between", [MarkerIndex::GROUND, MarkerIndex(1)])
///     .with("stiffness", 200.0)
///     .with("length", 0.5);
/// assert_eq!(spring.number("stiffness"), 200.0);
/// ```
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The space of the model.
    pub space: Space,
    /// Characteristic length of the mechanism, m, where it is known: what small values are compared with.
    pub size: Option<f64>,
    values: Vec<(&'static str, FieldValue)>,
}

/// Defines a getter for fields of one kind.
macro_rules! getter {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $type:ty, $default:expr) => {
        $(#[$doc])*
        pub fn $name(&self, name: &str) -> $type {
            match self.get(name) {
                Some(FieldValue::$variant(x)) => x.clone(),
                _ => $default,
            }
        }
    };
}

impl Arguments {
    /// An empty set of values.
    pub fn new(space: Space) -> Self {
        Arguments {
            space,
            size: None,
            values: Vec::new(),
        }
    }

    /// Adds a value; replaces an earlier one of the same name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<FieldValue>) -> Self {
        self.set(name, value);
        self
    }

    /// Adds a value; replaces an earlier one of the same name.
    pub fn set(&mut self, name: &'static str, value: impl Into<FieldValue>) {
        self.remove(name);
        self.values.push((name, value.into()));
    }

    /// Keeps only the values for which an element has fields.
    #[must_use]
    pub fn only_of(mut self, info: &Info) -> Self {
        let known = |name: &str| info.fields.iter().any(|field| field.name == name);
        self.values.retain(|(name, _)| known(name));
        self
    }

    /// The values with the names of their fields.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, &FieldValue)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    /// Removes a value.
    pub fn remove(&mut self, name: &str) {
        self.values.retain(|(n, _)| *n != name);
    }

    /// Returns the value of a field, if it was given or has a default.
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.values.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// A number given as [`FieldValue::Number`], if any.
    pub fn optional_number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(FieldValue::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// A vector, if any.
    pub fn optional_vector(&self, name: &str) -> Option<Vec3<f64>> {
        match self.get(name) {
            Some(FieldValue::Vector(x)) => Some(*x),
            _ => None,
        }
    }

    /// An orientation, if any.
    pub fn rotation(&self, name: &str) -> Option<Mat3<f64>> {
        match self.get(name) {
            Some(FieldValue::Rotation(x)) => Some(*x),
            _ => None,
        }
    }

    /// A law, if any.
    pub fn optional_law(&self, name: &str) -> Option<Law> {
        match self.get(name) {
            Some(FieldValue::Law(x)) => Some(x.clone()),
            Some(FieldValue::Number(x)) => Some(Law::Constant(*x)),
            _ => None,
        }
    }

    /// A law; zero if omitted.
    pub fn law(&self, name: &str) -> Law {
        self.optional_law(name).unwrap_or(Law::Constant(0.0))
    }

    getter!(
        /// A number; zero if omitted.
        number, Number, f64, 0.0
    );
    getter!(
        /// A vector; zero if omitted.
        vector, Vector, Vec3<f64>, Vec3::zeros()
    );
    getter!(
        /// Laws, one per axis; empty if omitted.
        laws, Laws, Vec<Law>, Vec::new()
    );
    getter!(
        /// A flag; false if omitted.
        flag, Flag, bool, false
    );
    getter!(
        /// A word; empty if omitted.
        word, Word, String, String::new()
    );
    getter!(
        /// Words; empty if omitted.
        words, Words, Vec<String>, Vec::new()
    );
    getter!(
        /// A marker; the ground's origin if omitted.
        marker, Marker, MarkerIndex, MarkerIndex::GROUND
    );
    getter!(
        /// Two markers; both the ground's origin if omitted.
        markers, Markers, [MarkerIndex; 2], [MarkerIndex::GROUND; 2]
    );
    getter!(
        /// Numbers; empty if omitted.
        numbers, Numbers, Vec<f64>, Vec::new()
    );
    getter!(
        /// Points; empty if omitted.
        points, Points, Vec<Vec<f64>>, Vec::new()
    );
    getter!(
        /// A motion as rows; empty if omitted.
        series, Series, JointMotionSamples, JointMotionSamples::default()
    );
    getter!(
        /// Trajectories; empty if omitted.
        motions, Motions, Vec<Arc<dyn Trajectory>>, Vec::new()
    );
    getter!(
        /// A joint; the first one if omitted.
        joint, Joint, JointIndex, JointIndex(0)
    );

    getter!(
        /// A beam; the first one if omitted.
        beam, Beam, AnyBeam, AnyBeam::Nodal(BeamIndex(0))
    );

    /// A coordinate of a joint; the first coordinate of the first joint if omitted.
    pub fn coordinate(&self, name: &str) -> (JointIndex, usize) {
        match self.get(name) {
            Some(FieldValue::Coordinate(j, k)) => (*j, *k),
            _ => (JointIndex(0), 0),
        }
    }
}

impl Info {
    /// The description of an element without fields and other names, in both spaces.
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Info::table(name, summary, &[])
    }

    /// The description of an element that supports these spaces only.
    #[must_use]
    pub const fn in_spaces(self, spaces: &'static [Space]) -> Self {
        Info { spaces, ..self }
    }

    /// The description of a table, or of an element type without other names, for both spaces.
    pub const fn table(
        name: &'static str,
        summary: &'static str,
        fields: &'static [Field],
    ) -> Self {
        Info {
            name,
            aliases: &[],
            summary,
            spaces: &[Space::Planar, Space::Spatial],
            fields,
        }
    }

    /// Returns the field that selects the type of an element of this table, and the types.
    pub fn types(&self) -> Option<(&'static str, &'static [Info])> {
        self.fields.iter().find_map(|field| match field.kind {
            FieldKind::Type(types) => Some((field.name, types)),
            _ => None,
        })
    }

    /// Returns its name and its other names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Returns the element type with this name among several.
    pub fn named(list: &'static [Info], name: &str) -> Option<&'static Info> {
        list.iter()
            .find(|info| info.names().any(|known| known == name))
    }

    /// Returns the defaults of its fields.
    pub fn defaults(&self, space: Space) -> Arguments {
        let mut arguments = Arguments::new(space);
        for field in self.fields {
            if let Some(value) = field.default_value() {
                arguments.set(field.name, value);
            }
        }
        arguments
    }
}

/// Returns the values of an element of type `kind` with the defaults of the omitted fields.
pub(crate) fn complete(
    list: &'static [Info],
    kind: &str,
    arguments: &Arguments,
) -> Result<Arguments, ArgumentError> {
    let info = Info::named(list, kind).ok_or_else(|| no_type(list, kind))?;
    info.complete(arguments).map(std::borrow::Cow::into_owned)
}

/// The error for a type that is not in its list.
pub(crate) fn no_type(list: &[Info], kind: &str) -> ArgumentError {
    let names: Vec<&str> = list.iter().map(|info| info.name).collect();
    ArgumentError {
        field: "type",
        message: format!("there is no `{kind}`; there is {}", names.join(", ")),
    }
}

/// The source location of an element, for messages: file, line, column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin(pub Option<Arc<SourceLocation>>);

/// A source location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// File name as the user gave it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Origin {
    /// A source location in a file.
    pub fn new(file: impl Into<String>, line: usize, column: usize) -> Self {
        Origin(Some(Arc::new(SourceLocation {
            file: file.into(),
            line,
            column,
        })))
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(place) => write!(f, "{}:{}:{}", place.file, place.line, place.column),
            None => write!(f, "(built in code)"),
        }
    }
}
