//! A JSON Schema of the model file for editors: completion, hints and validation.
//!
//! It is generated from the same lists that the lowering uses, so both accept the same keys.

use biela_core::element::{Field, FieldKind, Info};
use serde_json::{Map, Value, json};

use crate::lower::FORMAT;
use crate::lower::keys::{CHOICE, MODEL, ROTATION};

/// Returns the schema, draft 2020-12.
///
/// ```
/// let schema = biela_model::schema::schema();
/// assert_eq!(schema["properties"]["space"]["enum"][0], "planar");
/// ```
pub fn schema() -> Value {
    let mut definitions = Map::new();
    let mut root = section(&MODEL, &mut definitions);
    if let Some(root) = root.as_object_mut() {
        let _ = root.insert(
            "$schema".into(),
            "https://json-schema.org/draft/2020-12/schema".into(),
        );
        let _ = root.insert("$id".into(), format!("urn:biela:model:{FORMAT}").into());
        let _ = root.insert("title".into(), "biela model".into());
        let _ = root.insert("$defs".into(), Value::Object(definitions));
    }
    root
}

/// A section as a schema; its types, if any, are selected by a key.
fn section(section: &'static Info, definitions: &mut Map<String, Value>) -> Value {
    let Some((key, types)) = section.types() else {
        let mut schema = object(section.fields, definitions);
        schema["description"] = section.summary.into();
        return schema;
    };
    json!({
        "description": section.summary,
        "type": "object",
        "required": [key],
        "oneOf": choices(section.fields, (key, types), definitions),
    })
}

/// One schema for each type: the value of this key.
fn choices(
    common: &[Field],
    (key, types): (&str, &'static [Info]),
    definitions: &mut Map<String, Value>,
) -> Vec<Value> {
    let of_type = |info: &Info| {
        let keys = [common, info.fields].concat();
        let mut schema = object(&keys, definitions);
        schema["title"] = info.name.into();
        if !info.summary.is_empty() {
            schema["description"] = info.summary.into();
        }
        let words: Vec<&str> = info.names().collect();
        schema["properties"][key] = match words[..] {
            [word] => json!({ "const": word }),
            _ => json!({ "enum": words }),
        };
        schema
    };
    types.iter().map(of_type).collect()
}

fn object(keys: &[Field], definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let mut schema = value(key.kind, definitions);
        schema["description"] = match key.kind.unit() {
            "" => key.doc.into(),
            unit => format!("{} [{unit}]", key.doc).into(),
        };
        let _ = properties.insert(key.name.to_owned(), schema);
    }
    let required: Vec<&str> = keys
        .iter()
        .filter(|key| key.default.is_none())
        .map(|key| key.name)
        .collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// A reference to a section, which is defined once.
fn reference(of: &'static Info, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(of.name) {
        // Inserted first, because a section may refer to itself.
        let _ = definitions.insert(of.name.to_owned(), Value::Null);
        let described = section(of, definitions);
        let _ = definitions.insert(of.name.to_owned(), described);
    }
    json!({ "$ref": format!("#/$defs/{}", of.name) })
}

fn number() -> Value {
    json!({ "type": ["number", "string"] })
}

fn several(of: &Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": of, "minItems": least, "maxItems": most })
}

fn value(kind: FieldKind, definitions: &mut Map<String, Value>) -> Value {
    let text = || json!({ "type": "string" });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let one_or_more = || json!({ "anyOf": [number(), list(number())] });
    match kind {
        FieldKind::Format => json!({ "const": FORMAT }),
        // The readers check names more strictly than a pattern that every editor supports.
        FieldKind::Name => json!({ "type": "string", "pattern": r"^[^\s.0-9-][^\s.]*$" }),
        FieldKind::Text
        | FieldKind::Series
        | FieldKind::Type(_)
        | FieldKind::Named(_)
        | FieldKind::Joint
        | FieldKind::Beam
        | FieldKind::Marker
        | FieldKind::JointCoordinate => text(),
        FieldKind::Texts
        | FieldKind::Names
        | FieldKind::Trajectories
        | FieldKind::JointCoordinates => list(text()),
        FieldKind::TextLists => list(list(text())),
        FieldKind::Flag => json!({ "type": "boolean" }),
        FieldKind::Count => json!({ "type": "integer", "minimum": 1 }),
        FieldKind::Choice(words) => json!({ "enum": words }),
        FieldKind::Words(words) => list(json!({ "enum": words })),
        FieldKind::Number { .. } | FieldKind::Along | FieldKind::Law { .. } => number(),
        FieldKind::Positive { .. } => {
            json!({ "type": ["number", "string"], "exclusiveMinimum": 0 })
        }
        FieldKind::NumberList { .. } => list(number()),
        FieldKind::Numbers { .. }
        | FieldKind::PerJoint { .. }
        | FieldKind::Gains { .. }
        | FieldKind::Weights { .. } => one_or_more(),
        FieldKind::Points { .. } | FieldKind::Vectors { .. } => list(one_or_more()),
        FieldKind::Tuple { count, .. } => several(&number(), count, count),
        FieldKind::Vector { .. } | FieldKind::Direction | FieldKind::LawVector { .. } => {
            several(&number(), 2, 3)
        }
        FieldKind::Matrix { .. } => several(&several(&number(), 3, 3), 3, 3),
        FieldKind::MarkerPair => several(&text(), 2, 2),
        FieldKind::Rotation => reference(&ROTATION, definitions),
        FieldKind::Table(section) => reference(section, definitions),
        FieldKind::Tables([section]) => list(reference(section, definitions)),
        FieldKind::Tables(sections) => {
            let kinds = sections.iter();
            let kinds: Vec<Value> = kinds.map(|of| reference(of, definitions)).collect();
            list(json!({ "anyOf": kinds }))
        }
        FieldKind::Map(kind) => {
            json!({ "type": "object", "additionalProperties": value(*kind, definitions) })
        }
        FieldKind::Element(types) => {
            let words: Vec<&str> = types.iter().flat_map(Info::names).collect();
            let tables = choices(CHOICE.fields, ("type", types), definitions);
            json!({ "anyOf": [{ "enum": words }, { "type": "object", "oneOf": tables }] })
        }
        FieldKind::Either(kinds) => {
            let any: Vec<Value> = kinds.iter().map(|kind| value(*kind, definitions)).collect();
            json!({ "anyOf": any })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::keys::ALL;

    /// The object schemas of a section, one for each variant.
    fn objects(schema: &Value) -> Vec<&Value> {
        match schema["oneOf"].as_array() {
            Some(choices) => choices.iter().collect(),
            None => vec![schema],
        }
    }

    #[test]
    fn every_key_of_every_section_is_in_the_schema_and_no_other() {
        let schema = schema();
        for section in ALL {
            let described = match section.name {
                "model" => &schema,
                what => &schema["$defs"][what],
            };
            let types = section.types().map_or(&[][..], |(_, types)| types);
            let objects = objects(described);
            assert_eq!(objects.len(), types.len().max(1), "{}", section.name);
            for (at, object) in objects.into_iter().enumerate() {
                let mut expected: Vec<&str> = section.fields.iter().map(|key| key.name).collect();
                if let Some(info) = types.get(at) {
                    expected.extend(info.fields.iter().map(|key| key.name));
                }
                expected.sort_unstable();
                let found: Vec<&str> = object["properties"]
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(String::as_str)
                    .collect();
                assert_eq!(found, expected, "{} {at}", section.name);
                assert_eq!(object["additionalProperties"], false);
            }
        }
        assert_eq!(schema["$defs"].as_object().unwrap().len(), ALL.len() - 1);
    }

    #[test]
    fn every_reference_of_the_schema_resolves() {
        fn walk(value: &Value, schema: &Value) {
            match value {
                Value::Object(map) => {
                    if let Some(target) = map.get("$ref").and_then(Value::as_str) {
                        let pointer = target.trim_start_matches('#');
                        assert!(
                            schema.pointer(pointer).is_some_and(Value::is_object),
                            "{target}"
                        );
                    }
                    map.values().for_each(|value| walk(value, schema));
                }
                Value::Array(list) => list.iter().for_each(|value| walk(value, schema)),
                _ => {}
            }
        }
        let schema = schema();
        walk(&schema, &schema);
    }

    #[test]
    fn required_keys_and_keywords_of_a_type_are_in_the_schema() {
        let schema = schema();
        let joint = &schema["$defs"]["joint"]["oneOf"];
        let revolute = joint
            .as_array()
            .unwrap()
            .iter()
            .find(|j| j["title"] == "revolute")
            .unwrap();
        assert_eq!(revolute["properties"]["type"]["enum"][1], "hinge");
        assert_eq!(revolute["required"], json!(["name", "type", "between"]));
    }
}
