//! Every key of the model language, once: readers, schema and reference pages take it from here.

mod beam;
mod chain;
mod control;
mod joint;
mod law;
mod sections;
mod studies;
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
pub(crate) use sections::*;
pub(crate) use studies::*;
pub(crate) use trajectory::*;

/// What kind of value a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The version of the language.
    Format,
    /// The name of an element.
    Name,
    /// Any text.
    Text,
    /// The name of an element of this table.
    Named(&'static str),
    /// Several texts.
    Texts,
    /// Lists of texts.
    Panels,
    /// True or false.
    Flag,
    /// A whole number from 1 on.
    Count,
    /// One word out of a list.
    Choice(&'static [&'static str]),
    /// Several words out of a list.
    Words(&'static [&'static str]),
    /// A number, a quantity or a formula of parameters.
    Quantity(&'static str),
    /// The same, greater than zero.
    Positive(&'static str),
    /// Any number of quantities.
    Quantities(&'static str),
    /// A quantity, or any number of them.
    OneOrMore(&'static str),
    /// Any number of points, each with a quantity a joint.
    Points,
    /// So many quantities.
    Tuple(usize, &'static str),
    /// Two (planar) or three (spatial) quantities.
    Vector(&'static str),
    /// Three rows of three quantities.
    Matrix(&'static str),
    /// A vector of any length but zero.
    Direction,
    /// A quantity, or a formula of time and signals.
    Formula(&'static str),
    /// Two or three of them.
    Formulas(&'static str),
    /// `ground`, `body`, `body.point` or `ground.point`.
    Endpoint,
    /// Two of them.
    Endpoints,
    /// `joint` or `joint.coordinate`.
    Coordinate,
    /// Several of them.
    Coordinates,
    /// A table.
    One(&'static Section),
    /// A list of tables.
    Many(&'static Section),
    /// A list of tables, each of one of these kinds.
    ManyOf(&'static [&'static Section]),
    /// A table with keys the user chooses.
    Map(&'static Kind),
    /// A word, or a table with the word as its `type`.
    Chosen(Variants),
    /// Any of these.
    Either(&'static [Kind]),
}

impl Kind {
    /// The SI unit of its numbers; empty when there is none, or when it depends.
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
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
    pub(crate) doc: &'static str,
}

/// A kind of table: its keys, and those that depend on its `type`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// What messages call it: body.
    pub(crate) what: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    pub(crate) variants: Option<Variants>,
}

/// The words a `type` can be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variants {
    /// Elements that describe themselves.
    Infos(&'static [Info]),
    /// Control laws, told apart by `law`.
    Laws,
    /// Shapes.
    Shapes,
    /// Couplers.
    Couplers,
    /// Cross-sections of beams.
    Profiles,
}

/// One word of a `type`, with the keys that come with it.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) summary: &'static str,
    pub(crate) keys: Vec<Key>,
}

impl Variants {
    /// The key that says which it is.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Laws => "law",
            _ => "type",
        }
    }

    /// All of them.
    pub(crate) fn list(self) -> Vec<Variant> {
        self.select(|_, _| true)
    }

    /// The one that a word names.
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
                    |(name, summary, keys): &(&'static str, &'static str, &[Key])| Variant {
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

/// The key of a field that an element describes.
pub(crate) fn key_of(field: &Field) -> Key {
    Key {
        name: field.name,
        kind: match field.kind {
            FieldKind::Number { unit } => Kind::Quantity(unit),
            FieldKind::Positive { unit } => Kind::Positive(unit),
            FieldKind::Vector { unit } => Kind::Vector(unit),
            FieldKind::Direction => Kind::Direction,
            FieldKind::Law { unit } => Kind::Formula(unit),
            FieldKind::LawVector { unit } => Kind::Formulas(unit),
            FieldKind::Flag => Kind::Flag,
            FieldKind::Choice(words) => Kind::Choice(words),
            FieldKind::Words(words) => Kind::Words(words),
            FieldKind::Marker => Kind::Endpoint,
            FieldKind::MarkerPair => Kind::Endpoints,
            FieldKind::Along => Kind::Quantity(""),
            FieldKind::Beam => Kind::Named("beam"),
            FieldKind::Joint => Kind::Named("joint"),
            FieldKind::Text | FieldKind::Series => Kind::Text,
            FieldKind::JointCoordinate => Kind::Coordinate,
            FieldKind::Numbers { unit } => Kind::OneOrMore(unit),
            FieldKind::PerJoint { .. } | FieldKind::Gains { .. } | FieldKind::Weights { .. } => {
                Kind::OneOrMore("")
            }
            FieldKind::Names | FieldKind::Trajectories => Kind::Texts,
            FieldKind::Points { .. } | FieldKind::Vectors { .. } => Kind::Points,
            FieldKind::Rotation => Kind::One(&ROTATION),
        },
        required: field.default.is_none(),
        doc: field.doc,
    }
}
