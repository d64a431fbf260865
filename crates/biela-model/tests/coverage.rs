//! The good models cover the whole language.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::collections::BTreeSet;
use std::path::Path;

use biela_model::document::{DocumentLimits, ValueKind};
use biela_model::{Lowered, Overrides, load, schema};

fn good(name: &str) -> Lowered {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/good")
        .join(name);
    load(&path, &Overrides::default()).model.unwrap()
}

#[test]
fn every_type_of_joint_and_of_force_is_in_a_good_model() {
    let files = ["planar.toml", "spatial.toml", "beams.toml"];
    let models = files.map(|name| good(name).model);
    let joints: BTreeSet<&str> = models
        .iter()
        .flat_map(|model| &model.joints)
        .map(|joint| joint.joint.info().name)
        .collect();
    for info in biela_core::joints::JOINTS {
        assert!(joints.contains(info.name), "{}", info.name);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let text = ["planar.toml", "beams.toml"]
        .map(|name| std::fs::read_to_string(folder.join(name)).unwrap())
        .concat();
    for info in biela_core::forces::FORCES {
        let words = std::iter::once(&info.name).chain(info.aliases);
        let written = |word: &&str| text.contains(&format!("type = \"{word}\""));
        assert!(words.into_iter().any(written), "{}", info.name);
    }
}

/// Every key in the file by the section it stands in, as the schema names sections.
fn keys_used(
    value: &biela_model::document::Value,
    schema: &serde_json::Value,
    root: &serde_json::Value,
    used: &mut BTreeSet<String>,
) {
    let schema = match schema["$ref"].as_str() {
        Some(target) => root.pointer(target.trim_start_matches('#')).unwrap(),
        None => schema,
    };
    let mut choices: Vec<&serde_json::Value> = vec![schema];
    let mut next = 0;
    while let Some(&choice) = choices.get(next) {
        next += 1;
        for list in ["oneOf", "anyOf"] {
            choices.extend(choice[list].as_array().into_iter().flatten());
        }
    }
    match &value.kind {
        ValueKind::Array(items) => {
            for choice in choices {
                for item in items {
                    keys_used(item, &choice["items"], root, used);
                }
            }
        }
        ValueKind::Table(table) => {
            let key = if table.get("law").is_some() {
                "law"
            } else {
                "type"
            };
            let type_word = table.get(key).and_then(|entry| entry.value.as_str());
            let fits = |choice: &&serde_json::Value| {
                let known = &choice["properties"][key];
                match (type_word, known["const"].as_str(), known["enum"].as_array()) {
                    (Some(word), Some(known), _) => word == known,
                    (Some(word), _, Some(list)) => list.iter().any(|known| known == word),
                    _ => true,
                }
            };
            for choice in choices.into_iter().filter(fits) {
                if let Some(target) = choice["$ref"].as_str() {
                    let target = root.pointer(target.trim_start_matches('#')).unwrap();
                    keys_used(value, target, root, used);
                }
                for entry in table {
                    let property = &choice["properties"][&entry.key];
                    if property.is_object() {
                        let _ = used.insert(format!("{property}"));
                        keys_used(&entry.value, property, root, used);
                    } else if choice["additionalProperties"].is_object() {
                        keys_used(&entry.value, &choice["additionalProperties"], root, used);
                    }
                }
            }
        }
        _ => {}
    }
}

fn all_keys(schema: &serde_json::Value, all: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(map) => {
            if let Some(properties) = map.get("properties").and_then(|p| p.as_object()) {
                let named = properties.iter().filter(|(name, _)| *name != "type");
                all.extend(named.map(|(_, property)| format!("{property}")));
            }
            map.values().for_each(|value| all_keys(value, all));
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| all_keys(value, all)),
        _ => {}
    }
}

#[test]
fn every_key_of_the_schema_is_read_in_some_good_model() {
    let schema = schema::schema();
    let mut all = BTreeSet::new();
    all_keys(&schema, &mut all);
    let mut used = BTreeSet::new();
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let mut paths: Vec<_> = [good.clone(), good.join("parts")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        let root = biela_model::document::parse(&name, &text, &DocumentLimits::default()).root;
        let value = biela_model::document::Value {
            span: root.span,
            kind: ValueKind::Table(root),
        };
        keys_used(&value, &schema, &schema, &mut used);
    }
    let missing: Vec<&String> = all.difference(&used).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
