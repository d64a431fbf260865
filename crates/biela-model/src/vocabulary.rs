//! The tables and keys of the language, for programs that write models.
//!
//! ```
//! use biela_model::vocabulary::families;
//!
//! let joint = families().into_iter().find(|family| family.table == "joint").unwrap();
//! assert!(joint.keys.iter().any(|key| key.name == "between" && key.required));
//! assert!(joint.kinds.iter().any(|kind| kind.name == "revolute"));
//! ```

use crate::lower::keys::{self, Key, Kind, Section, Variants};

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number, or a text with a unit or a formula.
    Quantity,
    /// A list of quantities.
    Quantities,
    /// A quantity or a list of quantities.
    OneOrMore,
    /// Rows of quantities.
    Rows,
    /// An integer.
    Whole,
    /// True or false.
    Flag,
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// Lists of strings.
    Lists,
    /// A table.
    Table,
    /// A list of tables.
    Tables,
    /// A string or a table.
    Chosen,
    /// A quantity or a table.
    Any,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its name.
    pub name: &'static str,
    /// The form of its value.
    pub form: Form,
    /// SI unit of its numbers; empty if there is none, or if it depends on other keys.
    pub unit: &'static str,
    /// Set if it is required.
    pub required: bool,
    /// A description in one line.
    pub doc: &'static str,
}

/// A kind of element of a family: a joint that is `revolute`.
#[derive(Clone, Debug)]
pub struct KindOf {
    /// Its keyword.
    pub name: &'static str,
    /// A summary in one line; may be empty.
    pub summary: &'static str,
    /// Its keys in addition to those of its family.
    pub keys: Vec<Word>,
}

/// A top-level table of a model.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its key: `joint`.
    pub table: &'static str,
    /// Set if there may be several named elements.
    pub many: bool,
    /// Its description.
    pub doc: &'static str,
    /// The common keys.
    pub keys: Vec<Word>,
    /// Its kinds, selected by `type`.
    pub kinds: Vec<KindOf>,
}

/// Returns the top-level keys of a model that are not tables of elements.
pub fn top() -> Vec<Word> {
    let is_family = |key: &&Key| family(key).is_none();
    keys::MODEL
        .keys
        .iter()
        .filter(is_family)
        .map(word)
        .collect()
}

/// Returns the tables of a model, in the order of the reference.
pub fn families() -> Vec<Family> {
    keys::MODEL.keys.iter().filter_map(family).collect()
}

fn family(key: &Key) -> Option<Family> {
    let (many, sections): (bool, &[&'static Section]) = match key.kind {
        Kind::Many(section) => (true, &[section]),
        Kind::ManyOf(sections) => (true, sections),
        Kind::One(section) => (false, &[section]),
        _ => return None,
    };
    let mut all: Vec<Word> = Vec::new();
    let mut kinds = Vec::new();
    for section in sections {
        for own in section.keys {
            let required = own.required && sections.iter().all(|other| has(other, own.name));
            match all.iter_mut().find(|known| known.name == own.name) {
                Some(known) => known.required &= required,
                None => all.push(Word {
                    required,
                    ..word(own)
                }),
            }
        }
        let variants = section.variants.map_or(Vec::new(), Variants::list);
        kinds.extend(variants.into_iter().map(|variant| KindOf {
            name: variant.name,
            summary: variant.summary,
            keys: variant.keys.iter().map(word).collect(),
        }));
    }
    Some(Family {
        table: key.name,
        many,
        doc: sections.first().map_or("", |section| section.doc),
        keys: all,
        kinds,
    })
}

fn has(section: &Section, name: &str) -> bool {
    section.keys.iter().any(|key| key.name == name)
}

fn word(key: &Key) -> Word {
    Word {
        name: key.name,
        form: form(key.kind),
        unit: key.kind.unit(),
        required: key.required,
        doc: key.doc,
    }
}

fn form(kind: Kind) -> Form {
    match kind {
        Kind::Format | Kind::Count => Form::Whole,
        Kind::Name
        | Kind::Named(_)
        | Kind::Text
        | Kind::Choice(_)
        | Kind::Endpoint
        | Kind::Coordinate => Form::Text,
        Kind::Texts | Kind::Words(_) | Kind::Endpoints | Kind::Coordinates => Form::Texts,
        Kind::Panels => Form::Lists,
        Kind::Flag => Form::Flag,
        Kind::Quantity(_) | Kind::Positive(_) | Kind::Formula(_) => Form::Quantity,
        Kind::Quantities(_)
        | Kind::Tuple(..)
        | Kind::Vector(_)
        | Kind::Direction
        | Kind::Formulas(_) => Form::Quantities,
        Kind::OneOrMore(_) => Form::OneOrMore,
        Kind::Points | Kind::Matrix(_) => Form::Rows,
        Kind::One(_) | Kind::Map(_) => Form::Table,
        Kind::Many(_) | Kind::ManyOf(_) => Form::Tables,
        Kind::Chosen(_) => Form::Chosen,
        Kind::Either(_) => Form::Any,
    }
}
