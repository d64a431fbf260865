//! The tables of a model file and their keys as data, for programs that help to write one.
//!
//! The data come from the same lists that the lowering uses, like the [schema](crate::schema).

use biela_core::model::Space;
use serde::Serialize;

use crate::lower::keys::{Key, Kind, MODEL, Section, Variant, Variants};

/// A table of a model file.
#[derive(Clone, Debug, Serialize)]
pub struct TableInfo {
    /// Its name in the file; empty for the keys before the first table.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// Set if there can be several named elements: `[[body]]`.
    pub list: bool,
    /// Set if the user chooses the keys: `[parameters]`.
    pub open: bool,
    /// The keys.
    pub keys: Vec<KeyInfo>,
    /// The key that selects the kind, `type` or `law`; empty if there is only one kind.
    pub choice: &'static str,
    /// The kinds.
    pub kinds: Vec<KindInfo>,
}

/// A kind of element: a value of `type`.
#[derive(Clone, Debug, Serialize)]
pub struct KindInfo {
    /// The keyword.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// The spaces in which it is available.
    pub spaces: Vec<&'static str>,
    /// Additional keys of this kind.
    pub keys: Vec<KeyInfo>,
}

/// A key.
#[derive(Clone, Debug, Serialize)]
pub struct KeyInfo {
    /// The key.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// Unit of bare numbers; empty if there is none, or if it depends on other keys.
    pub unit: &'static str,
    /// The type of its value: `number`, `vector`, `endpoints`, ….
    pub takes: &'static str,
    /// Set if it is required.
    pub required: bool,
    /// The keywords, for a choice.
    pub words: Vec<&'static str>,
}

/// Returns all tables, in the order of the reference.
///
/// ```
/// let tables = biela_model::language::tables();
/// let joint = tables.iter().find(|table| table.name == "joint").unwrap();
/// assert!(joint.list && joint.kinds.iter().any(|kind| kind.name == "revolute"));
/// ```
pub fn tables() -> Vec<TableInfo> {
    let plain = |key: &&Key| !is_table(key.kind);
    let own = TableInfo {
        name: "",
        text: MODEL.doc,
        list: false,
        open: false,
        keys: MODEL.keys.iter().filter(plain).map(key_info).collect(),
        choice: "",
        kinds: Vec::new(),
    };
    let tables = MODEL.keys.iter().filter(|key| is_table(key.kind));
    std::iter::once(own).chain(tables.map(table)).collect()
}

fn is_table(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::One(_) | Kind::Many(_) | Kind::ManyOf(_) | Kind::Map(_)
    )
}

fn table(key: &Key) -> TableInfo {
    let (list, sections): (bool, &[&Section]) = match key.kind {
        Kind::One(section) => (false, &[section]),
        Kind::Many(section) => (true, &[section]),
        Kind::ManyOf(sections) => (true, sections),
        _ => (false, &[]),
    };
    let mut keys: Vec<KeyInfo> = Vec::new();
    for key in sections.iter().flat_map(|section| section.keys) {
        if keys.iter().all(|known| known.name != key.name) {
            keys.push(key_info(key));
        }
    }
    // a key of several sections is required only if all of them require it
    for key in &mut keys {
        key.required &= sections.iter().all(|section| {
            let mut same = section.keys.iter().filter(|one| one.name == key.name);
            same.any(|one| one.required)
        });
    }
    let variants = sections.iter().find_map(|section| section.variants);
    TableInfo {
        name: key.name,
        text: key.doc,
        list,
        open: matches!(key.kind, Kind::Map(_)),
        keys,
        choice: variants.map_or("", Variants::key),
        kinds: variants.map_or_else(Vec::new, kinds),
    }
}

fn kinds(variants: Variants) -> Vec<KindInfo> {
    let word = |space: &Space| match space {
        Space::Planar => "planar",
        Space::Spatial => "spatial",
    };
    let spaces = |name: &str| match variants {
        Variants::Infos(infos) => {
            let info = infos.iter().find(|info| info.name == name);
            info.map_or(&[Space::Planar, Space::Spatial][..], |info| info.spaces)
        }
        _ => &[Space::Planar, Space::Spatial],
    };
    let info = |variant: Variant| KindInfo {
        name: variant.name,
        text: variant.summary,
        spaces: spaces(variant.name).iter().map(word).collect(),
        keys: variant.keys.iter().map(key_info).collect(),
    };
    variants.list().into_iter().map(info).collect()
}

fn key_info(key: &Key) -> KeyInfo {
    KeyInfo {
        name: key.name,
        text: key.doc,
        unit: key.kind.unit(),
        takes: takes(key.kind),
        required: key.required,
        words: words(key.kind),
    }
}

fn words(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Choice(words) | Kind::Words(words) => words.to_vec(),
        Kind::Chosen(variants) => variants.list().iter().map(|v| v.name).collect(),
        _ => Vec::new(),
    }
}

fn takes(kind: Kind) -> &'static str {
    match kind {
        Kind::Format => "format",
        Kind::Name => "name",
        Kind::Text => "text",
        Kind::Named(table) => table,
        Kind::Texts | Kind::Panels => "texts",
        Kind::Flag => "flag",
        Kind::Count => "count",
        Kind::Choice(_) => "choice",
        Kind::Words(_) => "words",
        Kind::Quantity(_) | Kind::Positive(_) => "number",
        Kind::Quantities(_) | Kind::OneOrMore(_) | Kind::Tuple(..) | Kind::Points => "numbers",
        Kind::Vector(_) => "vector",
        Kind::Matrix(_) => "matrix",
        Kind::Direction => "direction",
        Kind::Formula(_) => "formula",
        Kind::Formulas(_) => "formulas",
        Kind::Endpoint => "endpoint",
        Kind::Endpoints => "endpoints",
        Kind::Coordinate => "coordinate",
        Kind::Coordinates => "coordinates",
        Kind::One(_) | Kind::Map(_) => "table",
        Kind::Many(_) | Kind::ManyOf(_) => "tables",
        Kind::Chosen(_) => "kind",
        Kind::Either(kinds) => kinds.first().map_or("text", |kind| takes(*kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(tables: &'t [TableInfo], name: &str) -> &'t TableInfo {
        tables.iter().find(|table| table.name == name).unwrap()
    }

    #[test]
    fn every_table_of_the_language_is_told() {
        let tables = tables();
        let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
        for key in MODEL.keys.iter().filter(|key| is_table(key.kind)) {
            assert!(names.contains(&key.name), "{}", key.name);
        }
        let own = found(&tables, "");
        assert!(own.keys.iter().any(|key| key.name == "gravity"));
        assert!(found(&tables, "parameters").open && found(&tables, "body").list);
        assert!(!found(&tables, "study").list);
    }

    #[test]
    fn kinds_say_where_they_make_sense_and_what_is_to_be_picked() {
        let tables = tables();
        let joint = found(&tables, "joint");
        let between = joint.keys.iter().find(|key| key.name == "between").unwrap();
        assert_eq!((between.takes, between.required), ("endpoints", true));
        let spherical = joint.kinds.iter().find(|kind| kind.name == "spherical");
        assert_eq!(spherical.unwrap().spaces, ["spatial"]);
        let body = found(&tables, "body");
        let mass = body.keys.iter().find(|key| key.name == "mass").unwrap();
        assert_eq!((mass.takes, mass.unit), ("number", "kg"));
    }

    #[test]
    fn a_key_of_one_kind_of_controller_alone_may_be_left_out() {
        let tables = tables();
        let controller = found(&tables, "controller");
        assert_eq!(controller.choice, "law");
        let required = controller.keys.iter().filter(|key| key.required);
        let required: Vec<&str> = required.map(|key| key.name).collect();
        assert!(
            required.contains(&"name") && !required.contains(&"law"),
            "{required:?}"
        );
    }
}
