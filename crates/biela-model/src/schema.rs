//! A JSON Schema of the model file for editors: completion, hints and validation.
//!
//! It is generated from the same lists that the lowering uses, so both accept the same keys.

use serde_json::{Map, Value, json};

use crate::lower::FORMAT;
use crate::lower::keys::{KeyKind, KeySpec, MODEL, TableSpec, Variant, Variants};

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

/// A section as a schema; its variants, if any, are selected by `type`.
fn section(section: &'static TableSpec, definitions: &mut Map<String, Value>) -> Value {
    let Some(variants) = section.variants else {
        let mut schema = object(section.keys, definitions);
        schema["description"] = section.doc.into();
        return schema;
    };
    json!({
        "description": section.doc,
        "type": "object",
        "required": [variants.key()],
        "oneOf": choices(section.keys, variants, definitions),
    })
}

/// One schema for each value of `type` (or `law`).
fn choices(
    common: &[KeySpec],
    variants: Variants,
    definitions: &mut Map<String, Value>,
) -> Vec<Value> {
    let of_variant = |variant: Variant| {
        let mut keys = common.to_vec();
        keys.extend(&variant.keys);
        let mut schema = object(&keys, definitions);
        schema["title"] = variant.name.into();
        if !variant.summary.is_empty() {
            schema["description"] = variant.summary.into();
        }
        let mut words = vec![variant.name];
        words.extend(variant.aliases);
        schema["properties"][variants.key()] = match words[..] {
            [word] => json!({ "const": word }),
            _ => json!({ "enum": words }),
        };
        schema
    };
    variants.list().into_iter().map(of_variant).collect()
}

fn object(keys: &[KeySpec], definitions: &mut Map<String, Value>) -> Value {
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
        .filter(|key| key.required)
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
fn reference(of: &'static TableSpec, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(of.what) {
        // Inserted first, because a section may refer to itself.
        let _ = definitions.insert(of.what.to_owned(), Value::Null);
        let described = section(of, definitions);
        let _ = definitions.insert(of.what.to_owned(), described);
    }
    json!({ "$ref": format!("#/$defs/{}", of.what) })
}

fn number() -> Value {
    json!({ "type": ["number", "string"] })
}

fn several(of: &Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": of, "minItems": least, "maxItems": most })
}

fn value(kind: KeyKind, definitions: &mut Map<String, Value>) -> Value {
    let text = || json!({ "type": "string" });
    match kind {
        KeyKind::Format => json!({ "const": FORMAT }),
        // The readers check names more strictly than a pattern that every editor supports.
        KeyKind::Name => json!({ "type": "string", "pattern": r"^[^\s.0-9-][^\s.]*$" }),
        KeyKind::Text | KeyKind::Named(_) | KeyKind::Endpoint | KeyKind::Coordinate => text(),
        KeyKind::Texts | KeyKind::Coordinates => json!({ "type": "array", "items": text() }),
        KeyKind::Panels => {
            json!({ "type": "array", "items": { "type": "array", "items": text() } })
        }
        KeyKind::Flag => json!({ "type": "boolean" }),
        KeyKind::Count => json!({ "type": "integer", "minimum": 1 }),
        KeyKind::Choice(words) => json!({ "enum": words }),
        KeyKind::Words(words) => json!({ "type": "array", "items": { "enum": words } }),
        KeyKind::Quantity(_) | KeyKind::Formula(_) => number(),
        KeyKind::Positive(_) => json!({ "type": ["number", "string"], "exclusiveMinimum": 0 }),
        KeyKind::Quantities(_) => json!({ "type": "array", "items": number() }),
        KeyKind::OneOrMore(_) => {
            json!({ "anyOf": [number(), { "type": "array", "items": number() }] })
        }
        KeyKind::Points => {
            let point = json!({ "anyOf": [number(), { "type": "array", "items": number() }] });
            json!({ "type": "array", "items": point })
        }
        KeyKind::Tuple(count, _) => several(&number(), count, count),
        KeyKind::Vector(_) | KeyKind::Direction | KeyKind::Formulas(_) => several(&number(), 2, 3),
        KeyKind::Matrix(_) => several(&several(&number(), 3, 3), 3, 3),
        KeyKind::Endpoints => several(&text(), 2, 2),
        KeyKind::One(section) => reference(section, definitions),
        KeyKind::Many(section) => {
            json!({ "type": "array", "items": reference(section, definitions) })
        }
        KeyKind::ManyOf(sections) => {
            let kinds = sections.iter();
            let kinds: Vec<Value> = kinds.map(|of| reference(of, definitions)).collect();
            json!({ "type": "array", "items": { "anyOf": kinds } })
        }
        KeyKind::Map(kind) => {
            json!({ "type": "object", "additionalProperties": value(*kind, definitions) })
        }
        KeyKind::Chosen(variants) => {
            let list = variants.list();
            let words: Vec<&str> = list
                .iter()
                .flat_map(|variant| {
                    std::iter::once(variant.name).chain(variant.aliases.iter().copied())
                })
                .collect();
            let type_key = [crate::lower::keys::CHOICE.keys[0]];
            let tables = choices(&type_key, variants, definitions);
            json!({ "anyOf": [{ "enum": words }, { "type": "object", "oneOf": tables }] })
        }
        KeyKind::Either(kinds) => {
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
            let described = match section.what {
                "model" => &schema,
                what => &schema["$defs"][what],
            };
            let variants = section.variants.map_or(Vec::new(), Variants::list);
            let objects = objects(described);
            assert_eq!(objects.len(), variants.len().max(1), "{}", section.what);
            for (at, object) in objects.into_iter().enumerate() {
                let mut expected: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
                if let Some(variant) = variants.get(at) {
                    expected.extend(variant.keys.iter().map(|key| key.name));
                }
                expected.sort_unstable();
                let found: Vec<&str> = object["properties"]
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(String::as_str)
                    .collect();
                assert_eq!(found, expected, "{} {at}", section.what);
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
