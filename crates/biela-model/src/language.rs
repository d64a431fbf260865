//! The tables of a model file and their keys as data, for programs that help to write one.
//!
//! The data come from the same lists that the lowering uses, like the [schema](crate::schema).

use biela_core::model::Space;
use serde::Serialize;

use crate::lower::keys::{KeyKind, KeySpec, MODEL, TableSpec, Variant, Variants};

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
    let plain = |key: &&KeySpec| !is_table(key.kind);
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

fn is_table(kind: KeyKind) -> bool {
    matches!(
        kind,
        KeyKind::One(_) | KeyKind::Many(_) | KeyKind::ManyOf(_) | KeyKind::Map(_)
    )
}

fn table(key: &KeySpec) -> TableInfo {
    let (list, sections): (bool, &[&TableSpec]) = match key.kind {
        KeyKind::One(section) => (false, &[section]),
        KeyKind::Many(section) => (true, &[section]),
        KeyKind::ManyOf(sections) => (true, sections),
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
        open: matches!(key.kind, KeyKind::Map(_)),
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

fn key_info(key: &KeySpec) -> KeyInfo {
    KeyInfo {
        name: key.name,
        text: key.doc,
        unit: key.kind.unit(),
        takes: takes(key.kind),
        required: key.required,
        words: words(key.kind),
    }
}

fn words(kind: KeyKind) -> Vec<&'static str> {
    match kind {
        KeyKind::Choice(words) | KeyKind::Words(words) => words.to_vec(),
        KeyKind::Chosen(variants) => variants.list().iter().map(|v| v.name).collect(),
        _ => Vec::new(),
    }
}

fn takes(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::Format => "format",
        KeyKind::Name => "name",
        KeyKind::Text => "text",
        KeyKind::Named(table) => table,
        KeyKind::Texts | KeyKind::Panels => "texts",
        KeyKind::Flag => "flag",
        KeyKind::Count => "count",
        KeyKind::Choice(_) => "choice",
        KeyKind::Words(_) => "words",
        KeyKind::Quantity(_) | KeyKind::Positive(_) => "number",
        KeyKind::Quantities(_) | KeyKind::OneOrMore(_) | KeyKind::Tuple(..) | KeyKind::Points => {
            "numbers"
        }
        KeyKind::Vector(_) => "vector",
        KeyKind::Matrix(_) => "matrix",
        KeyKind::Direction => "direction",
        KeyKind::Formula(_) => "formula",
        KeyKind::Formulas(_) => "formulas",
        KeyKind::Endpoint => "endpoint",
        KeyKind::Endpoints => "endpoints",
        KeyKind::Coordinate => "coordinate",
        KeyKind::Coordinates => "coordinates",
        KeyKind::One(_) | KeyKind::Map(_) => "table",
        KeyKind::Many(_) | KeyKind::ManyOf(_) => "tables",
        KeyKind::Chosen(_) => "kind",
        KeyKind::Either(kinds) => kinds.first().map_or("text", |kind| takes(*kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(tables: &'t [TableInfo], name: &str) -> &'t TableInfo {
        tables.iter().find(|table| table.name == name).unwrap()
    }

    #[test]
    fn every_table_of_the_language_is_described() {
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
    fn types_list_their_spaces_and_keys_their_values() {
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
    fn a_key_of_only_one_type_of_controller_is_optional() {
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
