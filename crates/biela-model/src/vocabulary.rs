//! The tables and keys of the language, for programs that write models.
//!
//! ```
//! use biela_model::vocabulary::families;
//!
//! let joint = families().into_iter().find(|family| family.table == "joint").unwrap();
//! assert!(joint.keys.iter().any(|key| key.name == "between" && key.required));
//! assert!(joint.kinds.iter().any(|kind| kind.name == "revolute"));
//! ```

use crate::lower::keys::{self, KeyKind, KeySpec, TableSpec, Variants};

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
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
#[derive(Clone, Debug)]
pub struct Word {
    /// Its name.
    pub name: &'static str,
    /// The form of its value.
    pub form: ValueForm,
    /// SI unit of its numbers; empty if there is none, or if it depends on other keys.
    pub unit: &'static str,
    /// Set if it is required.
    pub required: bool,
    /// A description in one line.
    pub doc: &'static str,
    /// The permitted texts, with their aliases; empty if any text is permitted.
    pub choices: Vec<&'static str>,
}

/// A kind of element of a family: a joint that is `revolute`.
#[derive(Clone, Debug)]
pub struct KindOf {
    /// Its keyword.
    pub name: &'static str,
    /// Its other names.
    pub aliases: &'static [&'static str],
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
    let is_family = |key: &&KeySpec| family(key).is_none();
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

fn family(key: &KeySpec) -> Option<Family> {
    let (many, sections): (bool, &[&'static TableSpec]) = match key.kind {
        KeyKind::Many(section) => (true, &[section]),
        KeyKind::ManyOf(sections) => (true, sections),
        KeyKind::One(section) => (false, &[section]),
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
            aliases: variant.aliases,
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

fn has(section: &TableSpec, name: &str) -> bool {
    section.keys.iter().any(|key| key.name == name)
}

fn word(key: &KeySpec) -> Word {
    Word {
        name: key.name,
        form: form(key.kind),
        unit: key.kind.unit(),
        required: key.required,
        doc: key.doc,
        choices: choices(key.kind),
    }
}

fn choices(kind: KeyKind) -> Vec<&'static str> {
    match kind {
        KeyKind::Choice(words) | KeyKind::Words(words) => words.to_vec(),
        KeyKind::Chosen(variants) => {
            let list = variants.list().into_iter();
            list.flat_map(|variant| {
                std::iter::once(variant.name).chain(variant.aliases.iter().copied())
            })
            .collect()
        }
        _ => Vec::new(),
    }
}

fn form(kind: KeyKind) -> ValueForm {
    match kind {
        KeyKind::Format | KeyKind::Count => ValueForm::Whole,
        KeyKind::Name
        | KeyKind::Named(_)
        | KeyKind::Text
        | KeyKind::Choice(_)
        | KeyKind::Endpoint
        | KeyKind::Coordinate => ValueForm::Text,
        KeyKind::Texts | KeyKind::Words(_) | KeyKind::Endpoints | KeyKind::Coordinates => {
            ValueForm::Texts
        }
        KeyKind::Panels => ValueForm::Lists,
        KeyKind::Flag => ValueForm::Flag,
        KeyKind::Quantity(_) | KeyKind::Positive(_) | KeyKind::Formula(_) => ValueForm::Quantity,
        KeyKind::Quantities(_)
        | KeyKind::Tuple(..)
        | KeyKind::Vector(_)
        | KeyKind::Direction
        | KeyKind::Formulas(_) => ValueForm::Quantities,
        KeyKind::OneOrMore(_) => ValueForm::OneOrMore,
        KeyKind::Points | KeyKind::Matrix(_) => ValueForm::Rows,
        KeyKind::One(_) | KeyKind::Map(_) => ValueForm::Table,
        KeyKind::Many(_) | KeyKind::ManyOf(_) => ValueForm::Tables,
        KeyKind::Chosen(_) => ValueForm::Chosen,
        KeyKind::Either(_) => ValueForm::Any,
    }
}
