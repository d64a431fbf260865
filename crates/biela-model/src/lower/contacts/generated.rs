//! `[contacts]`: contacts between all surfaces of different bodies.

use std::collections::{BTreeMap, BTreeSet};

use biela_core::contact::SurfacePair;
use biela_core::model::{BodyIndex, ContactLaw, MarkerIndex, Model};

use super::materials::{Coefficients, MissingPair, PairTable};
use super::{
    Attached, Placed, checked, locate, place, refuse, shapes_of, split_sentence, surface,
    surface_of,
};
use crate::diagnostic::{Spanned, shown};
use crate::document::{DocumentField, TableReader, ValueKind};
use crate::lower::keys;
use crate::lower::names::{ElementFamily, NameIndex, name_problem};
use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// The maximum number of generated contacts.
const MOST_CONTACTS: usize = 2000;
/// The maximum number of shapes or pairs that a warning lists.
const MOST_LISTED: usize = 6;

/// Two bodies in the order of their contacts: the ground first, then the order of the model.
type BodyPair = [BodyIndex; 2];

/// Reads `[contacts]`.
pub(in crate::lower) fn generated<'t>(
    field: &DocumentField<'t>,
    model: &mut Model,
    names: &mut NameIndex,
    materials: &PairTable,
    context: &Context<'t>,
) {
    let Some(table) = field.table() else { return };
    let what = "`[contacts]`";
    let reader = SectionReader::called(what, &keys::CONTACTS, table.value, context.diagnostics);
    let defaults = Coefficients::read(&reader, context);
    let surfaces = surfaces(&reader, model, names, context);
    let groups = groups(&reader, names, context);
    let pairs = selected(&reader, &groups, &surfaces, (model, names), context);
    if let (Some(defaults), false) = (defaults, context.diagnostics.has_errors()) {
        let parts = (&reader, &surfaces, materials);
        generate(parts, &pairs, defaults, (model, names), context);
    }
    reader.finish();
}

/// The surfaces of each body: those of its shapes, then the added ones.
type Surfaces = BTreeMap<BodyIndex, Vec<Placed>>;

/// Collects the surfaces of shapes and reads the added ones. Shapes without a surface are listed in a warning.
fn surfaces<'t>(
    reader: &SectionReader<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Surfaces {
    let mut surfaces = Surfaces::new();
    let mut without = Vec::new();
    let bodies = (0..model.bodies.len()).map(BodyIndex);
    for body in std::iter::once(BodyIndex::GROUND).chain(bodies) {
        let (owner, shapes) = shapes_of(body, model);
        for (k, shape) in shapes.iter().enumerate() {
            match surface_of(shape, context.space) {
                Some(Ok(mut placed)) => {
                    placed.material = names.material_of(body, Some(k));
                    surfaces.entry(body).or_default().push(placed);
                }
                Some(Err(message)) => refuse(reader, &message, context),
                None => without.push(format!("shape {} of {owner}", k + 1)),
            }
        }
    }
    for (k, table) in reader
        .get("surfaces")
        .array_of_tables()
        .into_iter()
        .enumerate()
    {
        let what = format!("surface {} of {}", k + 1, reader.what());
        let added = SectionReader::called(&what, &keys::ADDED_SURFACE, table, context.diagnostics);
        let marker = names.endpoint(&added.require("on", "on = \"ground\""), context);
        let placed = surface(&added, marker, (model, names), context);
        if let (Some(marker), Some(placed)) = (marker, placed) {
            let body = model.markers[marker.0].body;
            surfaces.entry(body).or_default().push(placed);
        }
        added.finish();
    }
    if !without.is_empty() && context.space_known {
        let message = format!("no contacts are generated for {}", listed(&without));
        let help = "these shapes have no surface for contacts; add one to `surfaces` of [contacts] where it is needed";
        context.warning("no-surface", message, (reader.span(), ""), help);
    }
    surfaces
}

/// The first of several texts, and the number of the others.
fn listed(texts: &[String]) -> String {
    let first = texts[..texts.len().min(MOST_LISTED)].join(", ");
    match texts.len().saturating_sub(MOST_LISTED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Named lists of bodies.
type Groups = BTreeMap<String, Vec<BodyIndex>>;

/// Reads `groups`.
fn groups<'t>(reader: &SectionReader<'t>, names: &NameIndex, context: &Context<'t>) -> Groups {
    let mut groups = Groups::new();
    let Some(table) = reader.get("groups").table() else {
        return groups;
    };
    let what = format!("`groups` of {}", reader.what());
    let list = TableReader::new(table.value, &what, &[], context.diagnostics);
    for (name, field) in list.fields() {
        let taken = names.family(name.value).map(|family| {
            format!(
                "`{}` is a {}; choose another name",
                name.value,
                family.word()
            )
        });
        if let Some(help) = name_problem(name.value, false).or(taken) {
            let message = format!("a group of bodies cannot be called {}", shown(name.value));
            context.error("bad-name", message, (name.span, ""), Some(help));
        }
        let members = field.array().map_or(Vec::new(), |items| items.value);
        let members = members.iter().filter_map(|item| {
            let text = item.string()?;
            body(text, &item.what(), names, context)
        });
        let _ = groups.insert(name.value.to_owned(), members.collect());
    }
    list.finish();
    groups
}

/// A body by name, or the ground.
fn body(
    name: Spanned<&str>,
    what: &str,
    names: &NameIndex,
    context: &Context<'_>,
) -> Option<BodyIndex> {
    if name.value == "ground" {
        return Some(BodyIndex::GROUND);
    }
    let index = names.element(ElementFamily::Body, name, what, context);
    index.map(BodyIndex)
}

/// The pairs of bodies of a list of pairs of names, and whether each names two bodies and no group.
fn named_pairs<'t>(
    field: &DocumentField<'t>,
    groups: &Groups,
    names: &NameIndex,
    context: &Context<'t>,
) -> BTreeMap<BodyPair, bool> {
    let mut pairs = BTreeMap::new();
    let items = field.array().map_or(Vec::new(), |items| items.value);
    for item in &items {
        let Some(sides) = item.fixed_array::<2>() else {
            continue;
        };
        let mut single = true;
        let sides = sides.value.map(|side| {
            let text = side.string()?;
            match groups.get(text.value) {
                Some(group) => {
                    single = false;
                    Some(group.clone())
                }
                None => body(text, &side.what(), names, context).map(|body| vec![body]),
            }
        });
        let [Some(first), Some(second)] = sides else {
            continue;
        };
        for a in &first {
            for b in second.iter().filter(|b| *b != a) {
                *pairs.entry(ordered(*a, *b)).or_insert(false) |= single;
            }
        }
    }
    pairs
}

/// The pair with the ground first, then in the order of the model.
fn ordered(a: BodyIndex, b: BodyIndex) -> BodyPair {
    if a.number() <= b.number() {
        [a, b]
    } else {
        [b, a]
    }
}

/// The pairs of bodies that get contacts: those of `between` that have surfaces, without excluded pairs and without neighbours that a joint connects.
fn selected<'t>(
    reader: &SectionReader<'t>,
    groups: &Groups,
    surfaces: &Surfaces,
    (model, names): (&Model, &NameIndex),
    context: &Context<'t>,
) -> Vec<BodyPair> {
    let between = reader.get("between");
    let lists = matches!(
        between.value().map(|value| &value.kind),
        Some(ValueKind::Array(_))
    );
    let wanted = if lists {
        named_pairs(&between, groups, names, context)
    } else {
        let _ = between.one_of(&["all"]);
        let bodies: Vec<BodyIndex> = surfaces.keys().copied().collect();
        let pairs = bodies.iter().enumerate().flat_map(|(k, a)| {
            let others = bodies[k + 1..].iter();
            others.map(|b| (ordered(*a, *b), false))
        });
        pairs.collect()
    };
    let excluded = named_pairs(&reader.get("exclude"), groups, names, context);
    let jointed = reader.get("jointed").bool().is_some_and(|flag| flag.value);
    let connected: BTreeSet<BodyPair> = model
        .listed_joints()
        .filter(|(_, joint)| {
            let shape = joint.joint.shape(model.space);
            shape.position_rows + shape.velocity_rows > 0
        })
        .map(|(_, joint)| ordered(joint.first.0, joint.second.0))
        .collect();
    let mut pairs: Vec<BodyPair> = wanted
        .into_iter()
        .filter(|(pair, asked)| *asked || jointed || !connected.contains(pair))
        .map(|(pair, _)| pair)
        .filter(|pair| !excluded.contains_key(pair))
        .filter(|pair| pair.iter().all(|body| surfaces.contains_key(body)))
        .collect();
    pairs.sort_by_key(|pair| pair.map(BodyIndex::number));
    pairs
}

/// Generates the contacts of the pairs.
fn generate<'t>(
    (reader, surfaces, materials): (&SectionReader<'t>, &Surfaces, &PairTable),
    pairs: &[BodyPair],
    defaults: Coefficients,
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'t>,
) {
    let count = |[a, b]: &BodyPair| surfaces[a].len() * surfaces[b].len();
    let total: usize = pairs.iter().map(count).sum();
    if total > MOST_CONTACTS {
        let message = format!(
            "{} would generate {total} contacts; at most {MOST_CONTACTS} are allowed",
            reader.what()
        );
        let help = "select pairs with `between` and `groups`, or leave some out with `exclude`";
        context.error(
            "too-many-elements",
            message,
            (reader.span(), ""),
            Some(help.to_owned()),
        );
        return;
    }
    let (mut unsupported, mut missing) = (Vec::new(), BTreeSet::new());
    let mut generated = 0;
    for [a, b] in pairs {
        let several = [a, b].map(|body| surfaces[body].len() > 1);
        for (i, first) in surfaces[a].iter().enumerate() {
            for (j, second) in surfaces[b].iter().enumerate() {
                let part = |body: BodyIndex, several: bool, k: usize| {
                    let name = model.body_name(body);
                    if several {
                        format!("{name}.s{}", k + 1)
                    } else {
                        name.to_owned()
                    }
                };
                let sides = [part(*a, several[0], i), part(*b, several[1], j)];
                let pair = [first.clone(), second.clone()];
                let kinds = pair.each_ref().map(|placed| placed.surface.clone());
                let [one, other] = kinds;
                if let Err(message) = SurfacePair::new(model.space, one, other) {
                    let (problem, _) = split_sentence(&message);
                    unsupported.push((sides.join(" and "), problem));
                    continue;
                }
                match coefficients(&pair, materials, defaults) {
                    Ok(coefficients) => {
                        let Some(law) = checked(reader, coefficients.law(), context) else {
                            return;
                        };
                        let name = format!("contact.{}.{}", sides[0], sides[1]);
                        let contact = ([*a, *b], pair, law);
                        add((reader, &name), contact, (model, names), context);
                        generated += 1;
                    }
                    Err(problem) => {
                        let _ = missing.insert(problem);
                    }
                }
            }
        }
    }
    if generated == 0 && missing.is_empty() && unsupported.is_empty() {
        let message = format!("{} generates no contact", reader.what());
        let help = "give two bodies, or a body and the ground, `shapes`; bodies that a joint connects need jointed = true";
        context.warning("no-contacts", message, (reader.span(), ""), help);
    }
    report(reader, &unsupported, &missing, model, context);
}

/// The coefficients of a generated contact: those of the materials, and those of `[contacts]` where they give none.
fn coefficients(
    pair: &[Placed; 2],
    materials: &PairTable,
    defaults: Coefficients,
) -> Result<Coefficients, MissingPair> {
    let of_materials = match materials.find([0, 1].map(|k| pair[k].material)) {
        Err(_) if !defaults.is_empty() => Coefficients::default(),
        found => found?,
    };
    Ok(of_materials.over(defaults))
}

/// Adds a generated contact.
fn add(
    (reader, name): (&SectionReader<'_>, &str),
    (bodies, surfaces, law): (BodyPair, [Placed; 2], ContactLaw),
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'_>,
) {
    let markers = bodies.map(|body| match body.number() {
        Some(_) => model.body_marker(body),
        None => MarkerIndex::GROUND,
    });
    let attached = Attached::single(markers, &surfaces);
    let Some(index) = place(name, &attached, surfaces, law, model) else {
        return;
    };
    locate(index, reader.span(), model, context);
    if !names.generate(name, ElementFamily::Contact, reader.span(), index.0) {
        let message = format!("two contacts would be called {}", shown(name));
        let help = "rename one of the bodies".to_owned();
        context.error("duplicate-name", message, (reader.span(), ""), Some(help));
    }
}

/// Reports the pairs that have no contact.
fn report(
    reader: &SectionReader<'_>,
    unsupported: &[(String, String)],
    missing: &BTreeSet<MissingPair>,
    model: &Model,
    context: &Context<'_>,
) {
    for problem in missing {
        let (problem, help) = problem.explain(model);
        let message = format!("{}: {problem}", reader.what());
        context.error("no-pair", message, (reader.span(), ""), Some(help));
    }
    if unsupported.is_empty() || !context.space_known {
        return;
    }
    let list: Vec<String> = unsupported
        .iter()
        .map(|(pair, problem)| format!("{pair} ({problem})"))
        .collect();
    let message = format!("no contacts are generated between {}", listed(&list));
    let help = "add surfaces of other types to these bodies, or leave the pairs out with `exclude`";
    context.warning("unsupported-pair", message, (reader.span(), ""), help);
}
