//! The tables of a model file and their keys as data, for programs that help to write one.
//!
//! The data come from the same lists that the lowering uses, like the [schema](crate::schema).

use biela_core::element::{Field, FieldKind, Info};
use biela_core::model::Space;
use serde_json::{Value, json};

use crate::lower::keys::MODEL;

/// A table at the top level of a model file.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// Its name in the file; empty for the keys before the first table.
    pub name: &'static str,
    /// Its description as a key of the file.
    pub text: &'static str,
    /// The description of one of its elements; empty if the user chooses the keys.
    pub summary: &'static str,
    /// Set if there can be several named elements: `[[body]]`.
    pub list: bool,
    /// Set if the user chooses the keys: `[parameters]`.
    pub open: bool,
    /// The keys.
    pub keys: Vec<Field>,
    /// The key that selects the type, `type` or `law`; empty if there is only one type.
    pub choice: &'static str,
    /// The types of its elements, with their additional keys.
    pub types: &'static [Info],
}

/// Returns all tables, in the order of the reference.
///
/// ```
/// let tables = biela_model::language::tables();
/// let joint = tables.iter().find(|table| table.name == "joint").unwrap();
/// assert!(joint.list && joint.types.iter().any(|info| info.name == "revolute"));
/// assert!(joint.keys.iter().any(|key| key.name == "between" && key.default.is_none()));
/// ```
pub fn tables() -> Vec<TableInfo> {
    let own = TableInfo {
        name: "",
        text: MODEL.summary,
        summary: MODEL.summary,
        list: false,
        open: false,
        keys: top().filter(|key| !is_table(key.kind)).collect(),
        choice: "",
        types: &[],
    };
    let tables = MODEL.fields.iter().filter(|key| is_table(key.kind));
    std::iter::once(own).chain(tables.map(table)).collect()
}

/// Returns the keys of a model that are not tables of elements.
pub fn top() -> impl Iterator<Item = Field> {
    let of_elements = |kind| matches!(kind, FieldKind::Table(_) | FieldKind::Tables(_));
    let keys = MODEL.fields.iter().copied();
    keys.filter(move |key| !of_elements(key.kind))
}

fn is_table(kind: FieldKind) -> bool {
    matches!(
        kind,
        FieldKind::Table(_) | FieldKind::Tables(_) | FieldKind::Map(_)
    )
}

fn table(key: &Field) -> TableInfo {
    let (list, sections): (bool, &[&Info]) = match key.kind {
        FieldKind::Table(section) => (false, &[section]),
        FieldKind::Tables(sections) => (true, sections),
        _ => (false, &[]),
    };
    let mut keys: Vec<Field> = Vec::new();
    for key in sections.iter().flat_map(|section| section.fields) {
        // a key of several sections is required only if all of them require it
        let requires = |section: &&Info| {
            let mut same = section.fields.iter().filter(|one| one.name == key.name);
            same.any(|one| one.default.is_none())
        };
        if keys.iter().all(|known| known.name != key.name) {
            let default = key.default.or(Some(""));
            let default = default.filter(|_| !sections.iter().all(requires));
            keys.push(Field { default, ..*key });
        }
    }
    let types = sections.iter().find_map(|section| section.types());
    let (choice, types) = types.unwrap_or_default();
    TableInfo {
        name: key.name,
        text: key.doc,
        summary: sections.first().map_or("", |section| section.summary),
        list,
        open: matches!(key.kind, FieldKind::Map(_)),
        keys,
        choice,
        types,
    }
}

impl TableInfo {
    /// Returns the description as JSON, for the page of the viewer.
    pub fn json(&self) -> Value {
        let keys = |list: &[Field]| list.iter().map(key_json).collect::<Vec<_>>();
        let space = |space: &Space| match space {
            Space::Planar => "planar",
            Space::Spatial => "spatial",
        };
        let type_json = |info: &Info| {
            json!({
                "name": info.name,
                "text": info.summary,
                "spaces": info.spaces.iter().map(space).collect::<Vec<_>>(),
                "keys": keys(info.fields),
            })
        };
        json!({
            "name": self.name,
            "text": self.text,
            "list": self.list,
            "open": self.open,
            "keys": keys(&self.keys),
            "choice": self.choice,
            "kinds": self.types.iter().map(type_json).collect::<Vec<_>>(),
        })
    }
}

fn key_json(key: &Field) -> Value {
    let words: Vec<&str> = match key.kind {
        FieldKind::Choice(words) | FieldKind::Words(words) => words.to_vec(),
        FieldKind::Element(types) => types.iter().map(|info| info.name).collect(),
        _ => Vec::new(),
    };
    json!({
        "name": key.name,
        "text": key.doc,
        "unit": key.kind.unit(),
        "takes": takes(key.kind),
        "required": key.default.is_none(),
        "words": words,
    })
}

/// The field of the page's forms for a kind of value.
fn takes(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Format => "format",
        FieldKind::Name => "name",
        FieldKind::Text | FieldKind::Series | FieldKind::Type(_) => "text",
        FieldKind::Named(table) => table,
        FieldKind::Joint => "joint",
        FieldKind::Beam => "beam",
        FieldKind::Texts | FieldKind::TextLists | FieldKind::Names | FieldKind::Trajectories => {
            "texts"
        }
        FieldKind::Flag => "flag",
        FieldKind::Count => "count",
        FieldKind::Choice(_) => "choice",
        FieldKind::Words(_) => "words",
        FieldKind::Number { .. } | FieldKind::Positive { .. } | FieldKind::Along => "number",
        FieldKind::NumberList { .. }
        | FieldKind::Numbers { .. }
        | FieldKind::PerJoint { .. }
        | FieldKind::Gains { .. }
        | FieldKind::Weights { .. }
        | FieldKind::Tuple { .. }
        | FieldKind::Points { .. }
        | FieldKind::Vectors { .. } => "numbers",
        FieldKind::Vector { .. } => "vector",
        FieldKind::Matrix { .. } => "matrix",
        FieldKind::Direction => "direction",
        FieldKind::Law { .. } => "formula",
        FieldKind::LawVector { .. } => "formulas",
        FieldKind::Marker => "endpoint",
        FieldKind::MarkerPair => "endpoints",
        FieldKind::JointCoordinate => "coordinate",
        FieldKind::JointCoordinates => "coordinates",
        FieldKind::Table(_) | FieldKind::Map(_) | FieldKind::Rotation => "table",
        FieldKind::Tables(_) => "tables",
        FieldKind::Element(_) => "kind",
        FieldKind::Either(kinds) => kinds.first().map_or("text", |kind| takes(*kind)),
    }
}

/// Returns the form of a value as an argument of a function: `quantity` (a number, or a text with a unit or a formula), `quantities`, `one-or-more`, `rows`,
/// `whole`, `flag`, `text`, `texts`, `lists`, `table`, `tables`, `chosen` (a text or a table) or `any`.
pub fn form(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Format | FieldKind::Count => "whole",
        FieldKind::Name
        | FieldKind::Named(_)
        | FieldKind::Joint
        | FieldKind::Beam
        | FieldKind::Text
        | FieldKind::Series
        | FieldKind::Type(_)
        | FieldKind::Choice(_)
        | FieldKind::Marker
        | FieldKind::JointCoordinate => "text",
        FieldKind::Texts
        | FieldKind::Names
        | FieldKind::Trajectories
        | FieldKind::Words(_)
        | FieldKind::MarkerPair
        | FieldKind::JointCoordinates => "texts",
        FieldKind::TextLists => "lists",
        FieldKind::Flag => "flag",
        FieldKind::Number { .. }
        | FieldKind::Positive { .. }
        | FieldKind::Along
        | FieldKind::Law { .. } => "quantity",
        FieldKind::NumberList { .. }
        | FieldKind::Tuple { .. }
        | FieldKind::Vector { .. }
        | FieldKind::Direction
        | FieldKind::LawVector { .. } => "quantities",
        FieldKind::Numbers { .. }
        | FieldKind::PerJoint { .. }
        | FieldKind::Gains { .. }
        | FieldKind::Weights { .. } => "one-or-more",
        FieldKind::Points { .. } | FieldKind::Vectors { .. } | FieldKind::Matrix { .. } => "rows",
        FieldKind::Table(_) | FieldKind::Map(_) | FieldKind::Rotation => "table",
        FieldKind::Tables(_) => "tables",
        FieldKind::Element(_) => "chosen",
        FieldKind::Either(_) => "any",
    }
}

/// Returns the permitted texts of a value, with aliases; empty if any text is permitted.
pub fn choices(kind: FieldKind) -> Vec<&'static str> {
    match kind {
        FieldKind::Choice(words) | FieldKind::Words(words) => words.to_vec(),
        FieldKind::Element(types) => types.iter().flat_map(Info::names).collect(),
        _ => Vec::new(),
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
        for key in MODEL.fields.iter().filter(|key| is_table(key.kind)) {
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
        let between = key_json(between);
        assert_eq!(between["takes"], "endpoints");
        assert_eq!(between["required"], true);
        let written = joint.json();
        let kinds = written["kinds"].as_array().unwrap();
        let spherical = kinds.iter().find(|kind| kind["name"] == "spherical");
        assert_eq!(spherical.unwrap()["spaces"], json!(["spatial"]));
        let body = found(&tables, "body");
        let mass = body.keys.iter().find(|key| key.name == "mass").unwrap();
        assert_eq!(key_json(mass)["takes"], "number");
        assert_eq!(key_json(mass)["unit"], "kg");
    }

    #[test]
    fn a_key_of_only_one_type_of_controller_is_optional() {
        let tables = tables();
        let controller = found(&tables, "controller");
        assert_eq!(controller.choice, "law");
        let required = controller.keys.iter().filter(|key| key.default.is_none());
        let required: Vec<&str> = required.map(|key| key.name).collect();
        assert!(
            required.contains(&"name") && !required.contains(&"law"),
            "{required:?}"
        );
    }
}
