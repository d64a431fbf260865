//! Self-describing elements: reads the fields of an [`Info`] into [`Arguments`].

use std::sync::Arc;

use biela_core::element::{
    ArgumentError, Arguments, Field as Described, FieldKind, FieldValue, Info, unit_along,
};
use biela_core::math::Jet;
use biela_core::model::{JointIndex, Law, Model, SignalFunction, Space};

use super::beams::distance;
use super::names::NameIndex;
use super::reader::SectionReader;
use super::robot::{DERIVATIVES, per_joint, points};
use super::rotation::turn;
use super::series::series;
use super::trajectories::segments;
use super::values::Context;
use crate::diagnostic::shown;
use crate::document::{DocumentField, ValueKind};
use crate::suggest::did_you_mean;

/// Reads the `type` (or another `key`) of a table and admits its keys; an unknown keyword is reported.
pub(super) fn choose(
    reader: &SectionReader<'_>,
    (key, types): (&'static str, &'static [Info]),
    example: &str,
) -> Option<&'static Info> {
    let field = reader.require(key, example);
    let word = field.string();
    let found = word.and_then(|word| type_named(&field, word.value, types));
    match found {
        Some(info) => reader.admit(info.fields),
        None => reader.admit_all(),
    }
    found
}

/// The type with a name; an unknown one is reported.
pub(super) fn type_named(
    field: &DocumentField<'_>,
    word: &str,
    types: &'static [Info],
) -> Option<&'static Info> {
    let found = Info::named(types, word);
    if found.is_none() {
        let names = || types.iter().map(|info| info.name);
        let aliases = types.iter().flat_map(|info| info.aliases.iter().copied());
        let help = match did_you_mean(word, names().chain(aliases)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("choose one of {}", every(names())),
        };
        let problem = format!("cannot be {}", shown(word));
        field.error("unknown-type", &problem, "unknown type", Some(help));
    }
    found
}

fn every<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    names.join(", ")
}

/// The description of an element's `type`, checked against the space of the model.
pub(super) fn describe<'t>(
    reader: &SectionReader<'t>,
    infos: &'static [Info],
    example: &str,
    context: &Context<'t>,
) -> Option<&'static Info> {
    let info = choose(reader, ("type", infos), example)?;
    if context.space_known && !info.spaces.contains(&context.space) {
        let fits = infos
            .iter()
            .filter(|info| info.spaces.contains(&context.space));
        let problem = match context.space {
            Space::Planar => format!("cannot be {} in a planar model", shown(info.name)),
            Space::Spatial => format!("cannot be {} in a spatial model", shown(info.name)),
        };
        let help = format!("choose one of {}", every(fits.map(|info| info.name)));
        reader
            .get("type")
            .error("wrong-space", &problem, "", Some(help));
        return None;
    }
    Some(info)
}

/// A placeholder for a law until its signals are known.
#[derive(Debug)]
struct StandIn;

impl StandIn {
    fn law() -> Law {
        Law::Function {
            inputs: Arc::new([]),
            function: Arc::new(Self),
        }
    }
}

impl SignalFunction for StandIn {
    fn value(&self, _: f64, _: &[f64]) -> f64 {
        0.0
    }

    fn jet(&self, _: f64) -> Jet {
        Jet::new(0.0, 0.0, 0.0)
    }
}

/// A law to be compiled when all signals are known.
pub(super) struct Deferred<'t> {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) fields: Vec<DocumentField<'t>>,
    /// Set if the element requires a list.
    pub(super) list: bool,
}

/// The fields read from an element.
pub(super) struct ReadFields<'t> {
    pub(super) arguments: Arguments,
    /// Set if every field could be read.
    pub(super) whole: bool,
    pub(super) deferred: Vec<Deferred<'t>>,
}

/// Reads all fields of an element, including defaults; laws are deferred.
pub(super) fn read<'t>(
    reader: &SectionReader<'t>,
    info: &'static Info,
    scope: (&NameIndex, &Model),
    context: &Context<'t>,
) -> ReadFields<'t> {
    read_for(reader, info, Moved::default(), scope, context)
}

/// The joints of an element.
#[derive(Clone, Copy, Default)]
pub(super) struct Moved<'j> {
    /// All joints.
    pub(super) all: &'j [JointIndex],
    /// The driven joints.
    pub(super) driven: &'j [JointIndex],
}

/// Reads all fields of an element that moves joints.
pub(super) fn read_for<'t>(
    reader: &SectionReader<'t>,
    info: &'static Info,
    joints: Moved<'_>,
    scope: (&NameIndex, &Model),
    context: &Context<'t>,
) -> ReadFields<'t> {
    // a guessed space is no reason for an error
    let space = match info.spaces {
        [only] if !context.space_known => *only,
        _ => context.space,
    };
    let mut read = ReadFields {
        arguments: Arguments::new(space),
        whole: true,
        deferred: Vec::new(),
    };
    for described in info.fields {
        let field = match described.default {
            None => reader.require(described.name, &example(described)),
            Some(_) => reader.get(described.name),
        };
        if !field.is_present() {
            if described.default.is_none() {
                read.whole = false;
            } else if let Some(value) = described.default_value() {
                read.arguments.set(described.name, value);
            }
            continue;
        }
        let units = |order: u8| DERIVATIVES[usize::from(order).min(2)];
        let found = match described.kind {
            FieldKind::PerJoint { order } => {
                per_joint(&field, joints.all, units(order), scope.1, context)
                    .map(FieldValue::Numbers)
            }
            FieldKind::Points { order } => {
                points(&field, joints.all, units(order), scope.1, context).map(FieldValue::Points)
            }
            FieldKind::Gains { units } => {
                per_joint(&field, joints.driven, units, scope.1, context).map(FieldValue::Numbers)
            }
            FieldKind::Weights { units } => {
                per_joint(&field, joints.all, units, scope.1, context).map(FieldValue::Numbers)
            }
            FieldKind::Trajectories => {
                segments(&field, joints.all, scope, context).map(FieldValue::Motions)
            }
            FieldKind::Series => {
                series(&field, joints.all, scope.1, context).map(FieldValue::Series)
            }
            _ => value(&field, described, &mut read, scope, context),
        };
        match found {
            Some(value) => read.arguments.set(described.name, value),
            None => read.whole = false,
        }
    }
    read
}

fn value<'t>(
    field: &DocumentField<'t>,
    described: &Described,
    read: &mut ReadFields<'t>,
    (names, model): (&NameIndex, &Model),
    context: &Context<'t>,
) -> Option<FieldValue> {
    let angular = driven_angle(&read.arguments, model);
    // an unknown coordinate has been reported, and any unit is accepted
    let along = |unit: &'static str| match angular {
        None if unit.contains('|') => "",
        _ => unit_along(unit, angular.unwrap_or(false)),
    };
    match described.kind {
        FieldKind::Number { unit } => context.number(field, along(unit)).map(FieldValue::Number),
        FieldKind::Positive { unit } => {
            context.positive(field, along(unit)).map(FieldValue::Number)
        }
        FieldKind::Vector { unit } => context.vector(field, unit).map(FieldValue::Vector),
        FieldKind::Direction => context.direction(field).map(FieldValue::Vector),
        FieldKind::Law { unit } => {
            read.deferred.push(Deferred {
                name: described.name,
                unit: along(unit),
                fields: vec![field.clone()],
                list: false,
            });
            Some(FieldValue::Law(StandIn::law()))
        }
        FieldKind::LawVector { unit } => {
            let fields = field.array()?.value;
            let count = fields.len();
            if !context.fits(count, false) {
                let problem = context.wanted_components();
                field.error("wrong-length", problem, &format!("has {count}"), None);
                return None;
            }
            read.deferred.push(Deferred {
                name: described.name,
                unit,
                fields,
                list: true,
            });
            Some(FieldValue::Laws(vec![StandIn::law(); count]))
        }
        FieldKind::Numbers { unit } => match field.value()?.kind {
            ValueKind::Array(_) => context.numbers(field, unit).map(FieldValue::Numbers),
            _ => context
                .number(field, unit)
                .map(|x| FieldValue::Numbers(vec![x])),
        },
        FieldKind::Names => {
            let given = field.array()?.value;
            let names: Vec<Option<String>> = given
                .iter()
                .map(|item| item.string().map(|name| name.value.to_owned()))
                .collect();
            let names: Option<Vec<String>> = names.into_iter().collect();
            names.map(FieldValue::Words)
        }
        FieldKind::Vectors { unit } => {
            let items = field.array()?.value;
            let points: Vec<Option<Vec<f64>>> = items
                .iter()
                .map(|item| Some(context.vector(item, unit)?.as_slice().to_vec()))
                .collect();
            let points = points.into_iter().collect::<Option<Vec<Vec<f64>>>>();
            points.map(FieldValue::Points)
        }
        FieldKind::Rotation => turn(field, context).map(FieldValue::Rotation),
        FieldKind::Flag => field.bool().map(|flag| FieldValue::Flag(flag.value)),
        FieldKind::Text => {
            let text = field.string();
            text.map(|text| FieldValue::Word(text.value.to_owned()))
        }
        FieldKind::Choice(words) => field
            .one_of(words)
            .map(|word| FieldValue::Word(word.value.to_owned())),
        FieldKind::Words(words) => {
            let given = field.array()?.value;
            let read: Vec<Option<String>> = given
                .iter()
                .map(|item| item.one_of(words).map(|word| word.value.to_owned()))
                .collect();
            read.into_iter()
                .collect::<Option<Vec<String>>>()
                .map(FieldValue::Words)
        }
        FieldKind::Marker => names.endpoint(field, context).map(FieldValue::Marker),
        FieldKind::MarkerPair => names.endpoints(field, context).map(FieldValue::Markers),
        FieldKind::Joint => names.joint(field, context).map(FieldValue::Joint),
        FieldKind::Beam => names.beam(field, context).map(FieldValue::Beam),
        FieldKind::Along => {
            // measured along the beam that was named before
            let length = model.beam_length(read.arguments.beam("on")).unwrap_or(1.0);
            distance(field, length, context).map(FieldValue::Number)
        }
        FieldKind::JointCoordinate => names
            .coordinate(field, model, context)
            .map(|(joint, k, _)| FieldValue::Coordinate(joint, k)),
        // those of joints are read with their joints, those of tables by their own readers
        _ => None,
    }
}

/// Returns `true` if the joint coordinate that an element acts on is an angle.
fn driven_angle(arguments: &Arguments, model: &Model) -> Option<bool> {
    let Some(FieldValue::Coordinate(joint, k)) = arguments.get("joint") else {
        return None;
    };
    let joint = &model.joints.get(joint.0)?.joint;
    Some(joint.coordinates(model.space).get(*k)?.angular)
}

/// An example of a field.
pub(super) fn example(described: &Described) -> String {
    let name = described.name;
    match described.kind {
        FieldKind::Number { unit } | FieldKind::Positive { unit } | FieldKind::Law { unit } => {
            match unit_along(unit, true) {
                "" | "1" => format!("{name} = 0.5"),
                "m" => format!("{name} = \"50 mm\""),
                unit => format!("{name} = \"2 {unit}\""),
            }
        }
        FieldKind::Vector { .. } | FieldKind::LawVector { .. } => format!("{name} = [1, 0, 0]"),
        FieldKind::Direction => format!("{name} = [0, 0, 1]"),
        FieldKind::Flag => format!("{name} = true"),
        FieldKind::Text => format!("{name} = \"…\""),
        FieldKind::Choice(words) => format!("{name} = \"{}\"", words.first().unwrap_or(&"")),
        FieldKind::Words(words) => format!("{name} = [\"{}\"]", words.first().unwrap_or(&"")),
        FieldKind::Marker => format!("{name} = \"body1.A\""),
        FieldKind::MarkerPair => format!("{name} = [\"ground\", \"body1.A\"]"),
        FieldKind::Joint | FieldKind::JointCoordinate => format!("{name} = \"joint1\""),
        FieldKind::Beam => format!("{name} = \"beam1\""),
        FieldKind::Along => format!("{name} = 0.5"),
        FieldKind::Numbers { .. } => format!("{name} = [0, 1]"),
        FieldKind::Gains { units } | FieldKind::Weights { units } => {
            format!("{name} = \"100 {}\"", units[1]).replace(" 1\"", "\"")
        }
        FieldKind::Names => format!("{name} = [\"load\"]"),
        FieldKind::Vectors { .. } => format!("{name} = [[1, 0, 0], [0, 1, 0]]"),
        FieldKind::Rotation => format!("{name} = {{ axis = [0, 0, 1], angle = \"30 deg\" }}"),
        FieldKind::Series => format!("{name} = \"motion.csv\""),
        FieldKind::Trajectories => format!("{name} = [\"trajectory1\", \"trajectory2\"]"),
        FieldKind::PerJoint { .. } => format!("{name} = [\"30 deg\", \"-10 deg\"]"),
        FieldKind::Points { .. } => {
            format!("{name} = [[0, 0], [\"30 deg\", \"-10 deg\"]]")
        }
        // of tables, which have their own readers
        _ => format!("{name} = …"),
    }
}

/// Reports an error of an element about its values, at the key that it names.
pub(super) fn report_argument<'t>(
    reader: &SectionReader<'t>,
    error: &ArgumentError,
    context: &Context<'t>,
) {
    let span = reader.get(error.field).span().unwrap_or(reader.span());
    let message = format!(
        "{} of {}: {}",
        shown(error.field),
        reader.what(),
        error.message
    );
    context.error("bad-value", message, (span, ""), None);
}
