//! Every key of the model language; readers, schema and reference pages use these definitions.

mod beam;
mod chain;
mod control;
mod joint;
mod law;
mod parameter_studies;
mod sections;
mod trajectory;

use biela_core::control::laws::LAWS;
use biela_core::element::{Field, FieldKind, Info};
use biela_core::flexible::Profile;
use biela_core::model::ShapeKind;

pub(crate) use beam::*;
pub(crate) use chain::*;
pub(crate) use control::*;
pub(crate) use joint::*;
pub(crate) use law::*;
pub(crate) use parameter_studies::*;
pub(crate) use sections::*;
pub(crate) use trajectory::*;

/// The type of value of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyKind {
    /// The version of the language.
    Format,
    /// The name of an element.
    Name,
    /// Any text.
    Text,
    /// The name of an element of this table.
    Named(&'static str),
    /// A list of strings.
    Texts,
    /// A list of lists of strings.
    Panels,
    /// True or false.
    Flag,
    /// An integer from 1 on.
    Count,
    /// A keyword.
    Choice(&'static [&'static str]),
    /// A list of keywords.
    Words(&'static [&'static str]),
    /// A number, a quantity or a formula of parameters.
    Quantity(&'static str),
    /// A quantity greater than zero.
    Positive(&'static str),
    /// A list of quantities.
    Quantities(&'static str),
    /// A quantity or a list of quantities.
    OneOrMore(&'static str),
    /// A list of points, each with one quantity per joint.
    Points,
    /// A fixed number of quantities.
    Tuple(usize, &'static str),
    /// Two (planar) or three (spatial) quantities.
    Vector(&'static str),
    /// Three rows of three quantities.
    Matrix(&'static str),
    /// A nonzero vector.
    Direction,
    /// A quantity, or a formula of time and signals.
    Formula(&'static str),
    /// Two or three formulas.
    Formulas(&'static str),
    /// `ground`, `body`, `body.point` or `ground.point`.
    Endpoint,
    /// Two endpoints.
    Endpoints,
    /// `joint` or `joint.coordinate`.
    Coordinate,
    /// A list of coordinates.
    Coordinates,
    /// A table.
    One(&'static TableSpec),
    /// A list of tables.
    Many(&'static TableSpec),
    /// A list of tables, each of one of these sections.
    ManyOf(&'static [&'static TableSpec]),
    /// A table with user-defined keys.
    Map(&'static KeyKind),
    /// A keyword, or a table with the keyword as its `type`.
    Chosen(Variants),
    /// Any of these types.
    Either(&'static [KeyKind]),
}

impl KeyKind {
    /// The SI unit of its numbers; empty if there is none, or if it depends on other keys.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Quantity(unit)
            | Self::Positive(unit)
            | Self::Quantities(unit)
            | Self::OneOrMore(unit)
            | Self::Tuple(_, unit)
            | Self::Vector(unit)
            | Self::Matrix(unit)
            | Self::Formula(unit)
            | Self::Formulas(unit)
                if !unit.contains('|') =>
            {
                unit.trim_start_matches('1')
            }
            Self::Either(kinds) => kinds.first().map_or("", |kind| kind.unit()),
            _ => "",
        }
    }
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeySpec {
    pub(crate) name: &'static str,
    pub(crate) kind: KeyKind,
    pub(crate) required: bool,
    pub(crate) doc: &'static str,
}

/// A kind of table: its common keys, and those that depend on its `type`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableSpec {
    /// The name in messages: body.
    pub(crate) what: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [KeySpec],
    pub(crate) variants: Option<Variants>,
}

/// The possible values of a `type`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variants {
    /// Self-describing elements.
    Infos(&'static [Info]),
    /// Control laws, selected by `law`.
    Laws,
    /// Shapes.
    Shapes,
    /// Couplers.
    Couplers,
    /// Cross-sections of beams.
    Profiles,
}

/// A value of `type`, with its additional keys.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) summary: &'static str,
    pub(crate) keys: Vec<KeySpec>,
}

impl Variants {
    /// The key that selects the variant.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Laws => "law",
            _ => "type",
        }
    }

    /// All variants.
    pub(crate) fn list(self) -> Vec<Variant> {
        self.select(|_, _| true)
    }

    /// Returns the variant with this keyword.
    pub(crate) fn find(self, word: &str) -> Option<Variant> {
        self.select(|name, aliases| name == word || aliases.contains(&word))
            .pop()
    }

    fn select(self, wanted: impl Fn(&str, &[&str]) -> bool) -> Vec<Variant> {
        let of_fields = |name, aliases, summary, fields: &[Field]| Variant {
            name,
            aliases,
            summary,
            keys: fields.iter().map(key_of).collect(),
        };
        let of_infos = |infos: &'static [Info]| {
            let wanted = infos.iter().filter(|info| wanted(info.name, info.aliases));
            wanted
                .map(|info| of_fields(info.name, info.aliases, info.summary, info.fields))
                .collect()
        };
        match self {
            Self::Laws => of_infos(LAWS),
            Self::Infos(infos) => of_infos(infos),
            Self::Shapes => {
                let wanted = ShapeKind::LIST.iter().filter(|(name, _)| wanted(name, &[]));
                wanted
                    .map(|(name, fields)| of_fields(name, &[], "", fields))
                    .collect()
            }
            Self::Profiles => {
                let wanted = Profile::LIST.iter().filter(|(name, _)| wanted(name, &[]));
                wanted
                    .map(|(name, fields)| of_fields(name, &[], "", fields))
                    .collect()
            }
            Self::Couplers => {
                let wanted = COUPLERS.iter().filter(|(name, ..)| wanted(name, &[]));
                let variant =
                    |(name, summary, keys): &(&'static str, &'static str, &[KeySpec])| Variant {
                        name,
                        aliases: &[],
                        summary,
                        keys: keys.to_vec(),
                    };
                wanted.map(variant).collect()
            }
        }
    }
}

/// The key of a field of a self-describing element.
pub(crate) fn key_of(field: &Field) -> KeySpec {
    KeySpec {
        name: field.name,
        kind: match field.kind {
            FieldKind::Number { unit } => KeyKind::Quantity(unit),
            FieldKind::Positive { unit } => KeyKind::Positive(unit),
            FieldKind::Vector { unit } => KeyKind::Vector(unit),
            FieldKind::Direction => KeyKind::Direction,
            FieldKind::Law { unit } => KeyKind::Formula(unit),
            FieldKind::LawVector { unit } => KeyKind::Formulas(unit),
            FieldKind::Flag => KeyKind::Flag,
            FieldKind::Choice(words) => KeyKind::Choice(words),
            FieldKind::Words(words) => KeyKind::Words(words),
            FieldKind::Marker => KeyKind::Endpoint,
            FieldKind::MarkerPair => KeyKind::Endpoints,
            FieldKind::Along => KeyKind::Quantity(""),
            FieldKind::Beam => KeyKind::Named("beam"),
            FieldKind::Joint => KeyKind::Named("joint"),
            FieldKind::Text | FieldKind::Series => KeyKind::Text,
            FieldKind::JointCoordinate => KeyKind::Coordinate,
            FieldKind::Numbers { unit } => KeyKind::OneOrMore(unit),
            FieldKind::PerJoint { .. } | FieldKind::Gains { .. } | FieldKind::Weights { .. } => {
                KeyKind::OneOrMore("")
            }
            FieldKind::Names | FieldKind::Trajectories => KeyKind::Texts,
            FieldKind::Points { .. } | FieldKind::Vectors { .. } => KeyKind::Points,
            FieldKind::Rotation => KeyKind::One(&ROTATION),
        },
        required: field.default.is_none(),
        doc: field.doc,
    }
}
