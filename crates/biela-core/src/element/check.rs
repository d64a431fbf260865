//! Checks of the values given to an element against its description, and the defaults of omitted fields.
//!
//! The constructors of all lists call [`Info::complete`], so that a model built in code is checked like a model file.

use std::borrow::Cow;

use super::{ArgumentError, Arguments, Field, FieldKind, FieldValue, Info, JointMotionSamples};
use crate::math::Vec3;
use crate::model::{Law, Space};
use crate::suggest::did_you_mean;

impl Field {
    /// Returns the value of its default; `None` if it is required, or optional without a default.
    pub fn default_value(&self) -> Option<FieldValue> {
        let text = self.default.filter(|text| !text.is_empty())?;
        let number = || text.parse::<f64>().ok();
        match self.kind {
            FieldKind::Number { .. } | FieldKind::Positive { .. } => {
                number().map(FieldValue::Number)
            }
            FieldKind::Gains { .. } | FieldKind::Weights { .. } => {
                number().map(|x| FieldValue::Numbers(vec![x]))
            }
            FieldKind::Law { .. } => number().map(|x| FieldValue::Law(Law::Constant(x))),
            FieldKind::Flag => text.parse().ok().map(FieldValue::Flag),
            FieldKind::Choice(_) => Some(FieldValue::Word(text.to_owned())),
            _ => None,
        }
    }

    /// Checks a value of this field.
    fn check(&self, value: &FieldValue, space: Space) -> Result<(), String> {
        match (self.kind, value) {
            (
                FieldKind::Number { .. } | FieldKind::Along | FieldKind::Law { .. },
                FieldValue::Number(x),
            ) => finite(*x),
            (FieldKind::Positive { .. }, FieldValue::Number(x)) => {
                finite(*x)?;
                if *x > 0.0 {
                    Ok(())
                } else {
                    Err(format!("it is {x}; it must be greater than zero"))
                }
            }
            (FieldKind::Vector { .. }, FieldValue::Vector(x)) => all_finite(x.as_slice()),
            (FieldKind::Direction, FieldValue::Vector(x)) => direction(x),
            (FieldKind::Law { .. }, FieldValue::Law(law)) => law.constant().map_or(Ok(()), finite),
            (FieldKind::LawVector { .. }, FieldValue::Laws(laws)) => {
                let (count, axes) = (laws.len(), space.axes());
                if count != axes {
                    return Err(format!("it has {count} components; give {axes}"));
                }
                let mut constants = laws.iter().filter_map(Law::constant);
                match constants.find(|x| !x.is_finite()) {
                    Some(x) => Err(format!("a component is {x}; give finite numbers")),
                    None => Ok(()),
                }
            }
            (FieldKind::Choice(words), FieldValue::Word(word)) => one_of(words, word),
            (FieldKind::Words(words), FieldValue::Words(given)) => {
                given.iter().try_for_each(|word| one_of(words, word))
            }
            (
                FieldKind::Numbers { .. }
                | FieldKind::PerJoint { .. }
                | FieldKind::Gains { .. }
                | FieldKind::Weights { .. },
                FieldValue::Numbers(numbers),
            ) => all_finite(numbers),
            (FieldKind::Points { .. }, FieldValue::Points(points)) => {
                points.iter().try_for_each(|point| all_finite(point))
            }
            (FieldKind::Vectors { .. }, FieldValue::Points(points)) => {
                points.iter().try_for_each(|point| match point.len() {
                    3 => all_finite(point),
                    count => Err(format!("a point has {count} coordinates; give 3")),
                })
            }
            (FieldKind::Rotation, FieldValue::Rotation(matrix)) => all_finite(matrix.as_slice()),
            (FieldKind::Series, FieldValue::Series(samples)) => series(samples),
            (FieldKind::Flag, FieldValue::Flag(_))
            | (FieldKind::Text, FieldValue::Word(_))
            | (FieldKind::Names, FieldValue::Words(_))
            | (FieldKind::Marker, FieldValue::Marker(_))
            | (FieldKind::MarkerPair, FieldValue::Markers(_))
            | (FieldKind::Joint, FieldValue::Joint(_))
            | (FieldKind::Beam, FieldValue::Beam(_))
            | (FieldKind::JointCoordinate, FieldValue::Coordinate(..))
            | (FieldKind::Trajectories, FieldValue::Motions(_)) => Ok(()),
            (kind, value) => Err(format!("it is {}; give {}", given(value), wanted(kind))),
        }
    }
}

impl Info {
    /// Checks the values given to an element of this type.
    ///
    /// # Errors
    ///
    /// The first of [`Info::errors`].
    pub fn check(&self, arguments: &Arguments) -> Result<(), ArgumentError> {
        self.errors(arguments)
            .into_iter()
            .next()
            .map_or(Ok(()), Err)
    }

    /// Returns all mistakes in the values given to an element of this type: the element does not exist in the space of the model, a value belongs to none of
    /// its fields, a required field is missing, or a value is of the wrong kind: not finite, not positive, not one of the permitted words.
    pub fn errors(&self, arguments: &Arguments) -> Vec<ArgumentError> {
        let mut errors = Vec::new();
        let mut fault = |field, message| errors.push(ArgumentError { field, message });
        if !self.spaces.contains(&arguments.space) {
            let space = match arguments.space {
                Space::Planar => "spatial",
                Space::Spatial => "planar",
            };
            fault(
                "type",
                format!("{} exists in {space} models only", self.name),
            );
            return errors;
        }
        let names = || self.fields.iter().map(|field| field.name);
        let given = arguments.values.iter().map(|(name, _)| *name);
        for unknown in given.filter(|name| names().all(|n| n != *name)) {
            let advice = match did_you_mean(unknown, names()) {
                Some(near) => format!("{} has no such field; did you mean `{near}`?", self.name),
                None if self.fields.is_empty() => format!("{} has no fields", self.name),
                None => {
                    let all: Vec<&str> = names().collect();
                    format!("{} has no such field; it has {}", self.name, all.join(", "))
                }
            };
            fault(unknown, advice);
        }
        for field in self.fields {
            let checked = match arguments.get(field.name) {
                Some(value) => field.check(value, arguments.space),
                None if field.default.is_some() => Ok(()),
                None => Err(format!(
                    "it is missing; {} requires it: {}",
                    self.name, field.doc
                )),
            };
            if let Err(message) = checked {
                fault(field.name, message);
            }
        }
        errors
    }

    /// [Checks](Info::check) the values given to an element of this type, and adds the defaults of omitted fields.
    ///
    /// # Errors
    ///
    /// As for [`Info::check`].
    pub fn complete<'a>(
        &self,
        arguments: &'a Arguments,
    ) -> Result<Cow<'a, Arguments>, ArgumentError> {
        self.check(arguments)?;
        let mut complete = Cow::Borrowed(arguments);
        for field in self.fields {
            if arguments.get(field.name).is_none()
                && let Some(value) = field.default_value()
            {
                complete.to_mut().set(field.name, value);
            }
        }
        Ok(complete)
    }
}

fn finite(x: f64) -> Result<(), String> {
    if x.is_finite() {
        Ok(())
    } else {
        Err(format!("it is {x}; give a finite number"))
    }
}

fn all_finite(numbers: &[f64]) -> Result<(), String> {
    match numbers.iter().find(|x| !x.is_finite()) {
        Some(x) => Err(format!("a value is {x}; give finite numbers")),
        None => Ok(()),
    }
}

fn direction(x: &Vec3<f64>) -> Result<(), String> {
    all_finite(x.as_slice())?;
    let length = x.norm();
    if length > 0.0 && length.is_finite() {
        Ok(())
    } else {
        Err(format!("its length is {length}; give a direction"))
    }
}

fn one_of(words: &[&str], word: &str) -> Result<(), String> {
    if words.contains(&word) {
        Ok(())
    } else {
        Err(format!("`{word}` is not one of {}", words.join(", ")))
    }
}

/// One row of finite numbers for each finite time.
fn series(samples: &JointMotionSamples) -> Result<(), String> {
    all_finite(&samples.times)?;
    let count = samples.times.len();
    let tables = [
        ("positions", &samples.positions),
        ("velocities", &samples.rates),
        ("accelerations", &samples.accelerations),
    ];
    for (k, (name, rows)) in tables.into_iter().enumerate() {
        let omitted = k > 0 && rows.is_empty();
        if rows.len() != count && !omitted {
            let rows = rows.len();
            return Err(format!("it has {rows} rows of {name} for {count} times"));
        }
        rows.iter().try_for_each(|row| all_finite(row))?;
    }
    Ok(())
}

/// The type of a value, for messages.
fn given(value: &FieldValue) -> &'static str {
    match value {
        FieldValue::Number(_) => "a number",
        FieldValue::Vector(_) => "a vector",
        FieldValue::Law(_) => "a law",
        FieldValue::Laws(_) => "a list of laws",
        FieldValue::Flag(_) => "a flag",
        FieldValue::Word(_) => "a word",
        FieldValue::Words(_) => "several words",
        FieldValue::Marker(_) => "a marker",
        FieldValue::Markers(_) => "two markers",
        FieldValue::Joint(_) => "a joint",
        FieldValue::Beam(_) => "a beam",
        FieldValue::Coordinate(..) => "a coordinate of a joint",
        FieldValue::Numbers(_) => "a list of numbers",
        FieldValue::Points(_) => "a list of points",
        FieldValue::Rotation(_) => "a rotation",
        FieldValue::Series(_) => "a motion of joints",
        FieldValue::Motions(_) => "a list of trajectories",
    }
}

/// The type of value that a field requires, for messages.
fn wanted(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Number { .. } | FieldKind::Positive { .. } => "a number",
        FieldKind::Along => "a distance along the beam as a number",
        FieldKind::Vector { .. } => "a vector",
        FieldKind::Direction => "a direction as a vector",
        FieldKind::Law { .. } => "a law or a number",
        FieldKind::LawVector { .. } => "a list of laws, one per axis",
        FieldKind::Flag => "a flag",
        FieldKind::Text | FieldKind::Choice(_) => "a word",
        FieldKind::Words(_) | FieldKind::Names => "several words",
        FieldKind::Marker => "a marker",
        FieldKind::MarkerPair => "two markers",
        FieldKind::Joint => "a joint",
        FieldKind::Beam => "a beam",
        FieldKind::JointCoordinate => "a coordinate of a joint",
        FieldKind::Numbers { .. }
        | FieldKind::PerJoint { .. }
        | FieldKind::Gains { .. }
        | FieldKind::Weights { .. } => "a list of numbers",
        FieldKind::Points { .. } | FieldKind::Vectors { .. } => "a list of points",
        FieldKind::Rotation => "a rotation",
        FieldKind::Series => "a motion of joints",
        FieldKind::Trajectories => "a list of trajectories",
        // the kinds of value of tables
        _ => "it in a model file",
    }
}
