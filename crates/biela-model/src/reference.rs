//! Generates the tables of the reference pages in Markdown, from the same lists that the lowering uses.

use std::fmt::Write;

use biela_core::control::laws::LAWS;
use biela_core::control::trajectories::TRAJECTORIES;
use biela_core::element::{
    Arguments, Field, FieldKind, FieldValue, Info, JointMotionSamples, unit_in_words,
};
use biela_core::flexible::{ELEMENTS, Profile};
use biela_core::forces::{self, FORCES, ForceMeasure};
use biela_core::integrators::INTEGRATORS;
use biela_core::joints::{JOINTS, Joint};
use biela_core::math::Vec3;
use biela_core::math::rotation::identity;
use biela_core::methods::METHODS;
use biela_core::model::{
    AnyBeam, BeamIndex, JointIndex, Law, MarkerIndex, ShapeKind, Space, Stage,
};
use biela_core::system::signal_families;

use crate::expr::functions;
use crate::lower::keys;
use crate::units::{unit_named, unit_names};

/// Returns all pages by name, with their text.
pub fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("keys", key_tables()),
        ("joints", joints()),
        ("forces", force_elements()),
        ("shapes", types(ShapeKind::LIST)),
        ("surfaces", types(keys::SURFACES)),
        ("couplers", types(keys::COUPLERS)),
        ("beams", beams()),
        (
            "drivers",
            key_table(keys::DRIVER.fields)
                + "\n`acceleration`:\n\n"
                + &key_table(keys::PROFILE.fields),
        ),
        ("trajectories", types(TRAJECTORIES)),
        ("laws", types(LAWS)),
        ("methods", elements(METHODS)),
        ("integrators", elements(INTEGRATORS)),
        ("functions", function_table()),
        ("units", unit_table()),
        ("signals", signals()),
    ]
}

/// Returns the page with this name.
///
/// ```
/// let joints = biela_model::reference::page("joints").unwrap();
/// assert!(joints.contains("### `revolute`"));
/// ```
pub fn page(name: &str) -> Option<String> {
    pages()
        .into_iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| text)
}

/// A row of a table; bars inside cells are escaped.
fn row(cells: &[&str]) -> String {
    let mut line = "|".to_owned();
    for cell in cells {
        let _ = write!(line, " {} |", cell.replace('|', "\\|"));
    }
    line.push('\n');
    line
}

fn head(cells: &[&str]) -> String {
    row(cells) + &row(&vec!["---"; cells.len()])
}

fn code(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("`{text}`")
    }
}

fn key_tables() -> String {
    let sections: &[(&str, &Info)] = &[
        ("Top of the file", &keys::MODEL),
        ("`[table.NAME]`", &keys::TABLE),
        ("`[component.NAME]`", &keys::COMPONENT),
        (
            "`parameters` of a component, without a default",
            &keys::REQUIRED_PARAMETER,
        ),
        ("`ground` of a component", &keys::COMPONENT_GROUND),
        ("`[[instance]]`", &keys::INSTANCE),
        ("`[ground]`", &keys::GROUND),
        ("`[[body]]`", &keys::BODY),
        ("`inertia` as a table", &keys::INERTIA),
        ("`frames`", &keys::FRAME),
        ("`rotation`", &keys::ROTATION),
        ("`shapes`", &keys::SHAPE),
        ("`[[beam]]`", &keys::BEAM),
        ("`frames` of a beam", &keys::BEAM_FRAME),
        ("`[[joint]]`", &keys::JOINT),
        ("`limits` of a joint", &keys::LIMITS),
        ("`[[chain]]`", &keys::CHAIN),
        ("`links` of a chain", &keys::CHAIN_LINK),
        ("`[[coupler]]`", &keys::COUPLER),
        ("`backlash` of a coupler", &keys::BACKLASH),
        ("`[[material]]`", &keys::MATERIAL),
        ("`[[material_pair]]`", &keys::MATERIAL_PAIR),
        ("`[[contact]]`", &keys::CONTACT),
        ("`surfaces` of a contact", &keys::SURFACE),
        ("`[contacts]`", &keys::CONTACTS),
        ("`surfaces` of `[contacts]`", &keys::ADDED_SURFACE),
        ("`[[trajectory]]`", &keys::TRAJECTORY),
        ("`[[driver]]`", &keys::DRIVER),
        ("`[[force]]`", &keys::FORCE),
        ("`[[input]]`", &keys::INPUT),
        ("`[[sensor]]`", &keys::SENSOR),
        ("`[[controller]]`", &keys::CONTROLLER),
        ("`inputs` of a controller", &keys::CONTROLLER_INPUT),
        ("`states` of a controller", &keys::CONTROLLER_STATE),
        ("`outputs` of a controller", &keys::CONTROLLER_OUTPUT),
        ("`[[controller]]` with a `law`", &keys::LAW_CONTROLLER),
        ("`model` of a control law", &keys::LAW_MODEL),
        ("`noise` of a control law", &keys::LAW_NOISE),
        ("`quantum` of a control law", &keys::LAW_QUANTUM),
        ("`[[event]]`", &keys::EVENT),
        ("`[robot]`", &keys::ROBOT),
        ("`[study]`", &keys::STUDY),
        ("`[output]`", &keys::OUTPUT),
        ("`[[measure]]`", &keys::MEASURE),
        ("`[sweep]`", &keys::SWEEP),
        ("`vary.NAME` of a sweep", &keys::VARY),
        ("`[optimize]`", &keys::OPTIMIZE),
        ("`[fit]`", &keys::FIT),
        ("`vary.NAME` of `[optimize]` and `[fit]`", &keys::BETWEEN),
    ];
    let mut page = String::new();
    for (title, section) in sections {
        let _ = write!(
            page,
            "### {title}\n\n{}\n\n{}\n",
            section.summary,
            key_table(section.fields)
        );
    }
    page
}

fn key_table(keys: &[Field]) -> String {
    let mut table = head(&["Key", "Unit", "Needed", "Meaning"]);
    for key in keys {
        let needed = if key.default.is_none() { "yes" } else { "" };
        table += &row(&[&code(key.name), key.kind.unit(), needed, key.doc]);
    }
    table
}

fn title(info: &Info) -> String {
    let mut text = format!("### `{}`\n\n", info.name);
    if !info.summary.is_empty() {
        let _ = write!(text, "{}.", capital(info.summary));
        if !info.aliases.is_empty() {
            let also: Vec<String> = info.aliases.iter().map(|alias| code(alias)).collect();
            let _ = write!(text, " Also written {}.", also.join(", "));
        }
        text += "\n\n";
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Types of elements with their keys.
fn types(list: &[Info]) -> String {
    let mut page = String::new();
    for info in list {
        page += &title(info);
        if !info.fields.is_empty() {
            page += &key_table(info.fields);
            page.push('\n');
        }
    }
    page
}

/// Element kinds and cross-sections.
fn beams() -> String {
    let mut page = head(&["`element`", "Meaning", "Gauss points"]);
    for kind in ELEMENTS {
        let info = kind.info();
        let [stretch, bending] = kind.points();
        let points = format!("{stretch} for stretch, {bending} for bending");
        page += &row(&[&code(info.name), info.summary, &points]);
    }
    let summary = "geometrically exact: stretch, shear, torsion and bending about two axes, constant in each element (spatial)";
    page += &row(&[&code(keys::EXACT), summary, "–"]);
    page + "\n" + &types(Profile::LIST)
}

fn spaces(info: &Info) -> &'static str {
    match info.spaces {
        [Space::Planar] => "planar",
        [Space::Spatial] => "spatial",
        _ => "planar and spatial",
    }
}

fn field_table(fields: &[Field]) -> String {
    let mut table = head(&["Key", "Unit", "Default", "Meaning"]);
    for field in fields {
        let unit = match field.kind {
            FieldKind::Number { unit }
            | FieldKind::Positive { unit }
            | FieldKind::Vector { unit }
            | FieldKind::Law { unit }
            | FieldKind::LawVector { unit } => unit,
            _ => "",
        };
        let unit = unit_in_words(unit);
        let default = match field.default {
            None => "needed".to_owned(),
            Some(text) => code(text),
        };
        table += &row(&[&code(field.name), &unit, &default, field.doc]);
    }
    table
}

/// Elements that consist of fields only, with their defaults.
fn elements(list: &[Info]) -> String {
    let mut page = String::new();
    for info in list {
        page += &title(info);
        if !info.fields.is_empty() {
            page += &field_table(info.fields);
            page.push('\n');
        }
    }
    page
}

fn joints() -> String {
    let mut page = String::new();
    for info in JOINTS {
        page += &title(info);
        let _ = write!(page, "For {} models.", spaces(info));
        for &space in info.spaces {
            if let Some(Ok(joint)) = Joint::build(info.name, &sample(info, space)) {
                let names: Vec<String> = joint
                    .coordinates(space)
                    .iter()
                    .map(|coordinate| code(coordinate.name))
                    .collect();
                let word = if space == Space::Planar {
                    "Coordinates in the plane"
                } else {
                    "Coordinates in space"
                };
                let names = if names.is_empty() {
                    "none".to_owned()
                } else {
                    names.join(", ")
                };
                let _ = write!(page, " {word}: {names}.");
            }
        }
        page += "\n\n";
        if !info.fields.is_empty() {
            page += &field_table(info.fields);
            page.push('\n');
        }
    }
    page
}

fn force_elements() -> String {
    let mut page = String::new();
    for info in FORCES {
        page += &title(info);
        page += &field_table(info.fields);
        page.push('\n');
        let measures = measures(info);
        if !measures.is_empty() {
            page += &head(&["Signal", "Unit", "Meaning"]);
            for measure in measures {
                page += &row(&[
                    &format!("`NAME.{}`", measure.name),
                    measure.unit,
                    measure.text,
                ]);
            }
            page.push('\n');
        }
    }
    page
}

/// Values for the required fields.
fn sample(info: &Info, space: Space) -> Arguments {
    let needed = info.fields.iter().filter(|field| field.default.is_none());
    needed.fold(Arguments::new(space), |arguments, field| {
        arguments.with(field.name, sample_value(field, space))
    })
}

fn sample_value(field: &Field, space: Space) -> FieldValue {
    match field.kind {
        FieldKind::Number { .. } | FieldKind::Positive { .. } => FieldValue::Number(1.0),
        FieldKind::Vector { .. } | FieldKind::Direction => {
            FieldValue::Vector(Vec3::new(0.0, 0.0, 1.0))
        }
        FieldKind::Law { .. } => FieldValue::Law(Law::Constant(1.0)),
        FieldKind::LawVector { .. } => FieldValue::Laws(vec![Law::Constant(1.0); space.axes()]),
        FieldKind::Flag => FieldValue::Flag(false),
        FieldKind::Choice(words) => FieldValue::Word(
            words
                .first()
                .map_or(String::new(), |word| (*word).to_owned()),
        ),
        FieldKind::Words(_) | FieldKind::Names => FieldValue::Words(Vec::new()),
        FieldKind::Marker => FieldValue::Marker(MarkerIndex::GROUND),
        FieldKind::MarkerPair => FieldValue::Markers([MarkerIndex(0), MarkerIndex(1)]),
        FieldKind::Beam => FieldValue::Beam(AnyBeam::Nodal(BeamIndex(0))),
        FieldKind::Along => FieldValue::Number(0.0),
        FieldKind::Joint => FieldValue::Joint(JointIndex(0)),
        FieldKind::JointCoordinate => FieldValue::Coordinate(JointIndex(0), 0),
        FieldKind::Numbers { .. }
        | FieldKind::PerJoint { .. }
        | FieldKind::Gains { .. }
        | FieldKind::Weights { .. } => FieldValue::Numbers(vec![1.0]),
        FieldKind::Points { .. } | FieldKind::Vectors { .. } => FieldValue::Points(vec![vec![1.0]]),
        FieldKind::Rotation => FieldValue::Rotation(identity()),
        FieldKind::Series => FieldValue::Series(JointMotionSamples::default()),
        FieldKind::Trajectories => FieldValue::Motions(Vec::new()),
        // a text, or a kind of value of tables
        _ => FieldValue::Word(String::new()),
    }
}

/// The signals of a force, determined from a sample of it; fields that it turns out to need are added one by one.
fn measures(info: &Info) -> &'static [ForceMeasure] {
    let mut arguments = sample(info, Space::Spatial);
    for _ in 0..=info.fields.len() {
        match forces::build(info.name, &arguments) {
            Some(Ok(force)) => return force.measures(),
            Some(Err(error)) => {
                let Some(field) = info.fields.iter().find(|field| field.name == error.field) else {
                    break;
                };
                arguments.set(field.name, sample_value(field, Space::Spatial));
            }
            None => break,
        }
    }
    &[]
}

fn function_table() -> String {
    let mut table = "A name with a hyphen must be quoted: `'left-wheel'.x`. A unit with `*` or `/` must be in brackets after its number: \
                     `10 [rad/s] * t`.\n\n"
        .to_owned();
    table += &head(&["Function", "Gives"]);
    for function in functions() {
        table += &row(&[&code(function.usage), function.summary]);
    }
    table
}

fn unit_table() -> String {
    let mut table = "A unit follows its number: `12 mm`. Units are multiplied, divided and raised: `20 N*m`, `3 kg*m^2/s`. Within a longer formula \
                     such a unit must be in brackets, because `5 N*m` might be five newtons times a parameter `m`: `10 [rad/s] * t`.\n\n"
        .to_owned();
    table += &head(&["Unit", "In SI", "Measures"]);
    for name in unit_names() {
        if let Some(unit) = unit_named(name) {
            let si = format!("{} {}", unit.factor, unit.dimension.si_unit());
            let measures = unit.dimension.describe();
            let measures = measures.split(" (").next().unwrap_or_default();
            table += &row(&[&code(name), si.trim_end(), measures]);
        }
    }
    table
}

fn known_from(stage: Stage) -> &'static str {
    match stage {
        Stage::Position => "positions",
        Stage::Velocity => "velocities",
        Stage::Acceleration => "accelerations",
        Stage::Run => "the run",
    }
}

fn signals() -> String {
    let mut page = "A force law may read signals known from positions and velocities; sensors and events also those known \
                    from accelerations; results may contain all signals.\n\n"
        .to_owned();
    for family in signal_families() {
        let _ = write!(page, "### {}\n\n", family.title);
        if family.prefix == "FORCE." {
            page += "The signals of each type of force are listed with it. All forces have:\n\n";
        }
        page += &head(&["Signal", "Unit", "Known from", "Meaning"]);
        for signal in &family.signals {
            page += &row(&[
                &code(&format!("{}{}", family.prefix, signal.name)),
                &unit_in_words(signal.unit),
                known_from(signal.stage),
                signal.text,
            ]);
        }
        page.push('\n');
    }
    page
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_element_of_every_list_is_in_a_reference_page() {
        let has = |name: &str, word: &str| page(name).unwrap().contains(&format!("### `{word}`"));
        assert!(JOINTS.iter().all(|info| has("joints", info.name)));
        assert!(FORCES.iter().all(|info| has("forces", info.name)));
        assert!(METHODS.iter().all(|info| has("methods", info.name)));
        assert!(INTEGRATORS.iter().all(|info| has("integrators", info.name)));
        assert!(LAWS.iter().all(|info| has("laws", info.name)));
        let trajectories = TRAJECTORIES.iter();
        assert!({ trajectories }.all(|info| has("trajectories", info.name)));
    }

    #[test]
    fn measures_of_every_force_that_has_some_are_listed() {
        for info in FORCES {
            assert!(!measures(info).is_empty(), "{}", info.name);
        }
        assert!(page("forces").unwrap().contains("| `NAME.tension` | N |"));
    }

    #[test]
    fn every_table_has_as_many_cells_in_each_row_as_in_its_head() {
        for (name, text) in pages() {
            let mut width = None;
            for line in text.lines() {
                if !line.starts_with('|') {
                    width = None;
                    continue;
                }
                let cells = line.replace("\\|", "").matches('|').count();
                assert_eq!(*width.get_or_insert(cells), cells, "{name}: {line}");
            }
        }
    }

    /// Names of all keys of a schema.
    fn keys_of(schema: &serde_json::Value, all: &mut BTreeSet<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            all.extend(properties.keys().cloned());
        }
        let parts = schema.as_object().map(|map| map.values().collect());
        let parts: Vec<_> = parts
            .or_else(|| schema.as_array().map(|list| list.iter().collect()))
            .unwrap_or_default();
        for part in parts {
            keys_of(part, all);
        }
    }

    #[test]
    fn every_key_of_the_schema_is_in_some_table() {
        let mut all = BTreeSet::new();
        keys_of(&crate::schema::schema(), &mut all);
        let pages: String = pages().into_iter().map(|(_, text)| text).collect();
        // keywords of a choice have their own heading or table
        let missing = |key: &&String| !pages.contains(&format!("| `{key}` |")) && *key != "type";
        let missing: Vec<&String> = all.iter().filter(missing).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(all.len() > 150, "only {} keys found", all.len());
    }
}
