//! Hard points: named points of the design position, `[points]`.
//!
//! The coordinates of hard point `A` are parameters `A.x`, `A.y` and `A.z`. Bodies have their frames in the design position where `position`, `angle`, `rotation` or
//! `along` put them, otherwise in that of the ground; a position that is written as the name of a hard point is that point in the frame of its body. Every body has
//! every hard point as one of its points: those that the document names are added to the points of the body before it is read.

use std::collections::{BTreeMap, BTreeSet};

use biela_core::math::Vec3;

use super::names::{name_problem, nearest};
use super::parameters::NameMeaning;
use super::values::{Context, dimension_of};
use crate::diagnostic::{Diagnostic, Span, Spanned, shown};
use crate::document::{DocumentField, Table, TableEntry, TableReader, Value, ValueKind};
use crate::expr::Binding;

/// The names of the coordinates.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// Keys whose texts name nothing.
const PROSE: &[&str] = &["name", "description", "points", "include"];

/// Adds hard points as points of bodies and of the ground: those of the joints and along the axes of a body, and those that the document names, such as `rod.A`.
pub(super) fn spread(root: &mut Table) {
    let points = root.get("points").and_then(|entry| entry.value.as_table());
    let Some(points) = points.filter(|points| !points.is_empty()) else {
        return;
    };
    let known: BTreeMap<String, Span> = points
        .iter()
        .map(|entry| (entry.key.clone(), entry.key_span))
        .collect();
    let owners = Owners::of(root);
    let mut named = Vec::new();
    let mut seen = BTreeSet::new();
    for (owner, hard) in joints_and_axes(root) {
        let point = match owner {
            "ground" => hard,
            _ => hard.rsplit('.').next().unwrap_or(hard),
        };
        if let Some(found) = owners.hard_point(&format!("{owner}.{point}"), &known)
            && found.hard == hard
            && seen.insert((found.body, found.point.clone()))
        {
            named.push(found);
        }
    }
    for entry in root
        .iter()
        .filter(|entry| !PROSE.contains(&entry.key.as_str()))
    {
        texts(&entry.value, &mut |text| {
            for path in paths(text) {
                if let Some(found) = owners.hard_point(&path, &known)
                    && seen.insert((found.body, found.point.clone()))
                {
                    named.push(found);
                }
            }
        });
    }
    for Named { body, point, hard } in named {
        let span = known[&hard];
        let entry = TableEntry {
            key: point,
            key_span: span,
            value: Value {
                span,
                kind: ValueKind::String(hard),
            },
        };
        match body {
            None => root.put_below(&["ground", "points"], entry),
            Some(body) => {
                if let Some(table) = root.tables_mut("body").nth(body) {
                    table.put_below(&["points"], entry);
                }
            }
        }
    }
}

/// The text under a key, or the texts of a list.
fn words<'t>(table: &'t Table, key: &str) -> Vec<&'t str> {
    match table.get(key).map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(ValueKind::String(text)) => vec![text],
        _ => Vec::new(),
    }
}

/// Bodies with the texts that give the points of their joints and of their axes.
fn joints_and_axes(root: &Table) -> Vec<(&str, &str)> {
    let list = |key: &str| match root.get(key).map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(items)) => items.as_slice(),
        _ => &[],
    };
    let mut found = Vec::new();
    for table in list("joint").iter().filter_map(Value::as_table) {
        for at in words(table, "at") {
            found.extend(words(table, "between").into_iter().map(|body| (body, at)));
        }
    }
    for table in list("body").iter().filter_map(Value::as_table) {
        for name in words(table, "name") {
            found.extend(words(table, "along").into_iter().map(|point| (name, point)));
        }
    }
    found
}

/// A hard point that is named as a point of a body, by its index, or of the ground.
struct Named {
    body: Option<usize>,
    point: String,
    hard: String,
}

/// The bodies of a document, with the points that they have.
struct Owners<'t> {
    bodies: BTreeMap<&'t str, (usize, &'t Table)>,
    ground: Option<&'t Table>,
}

impl<'t> Owners<'t> {
    fn of(root: &'t Table) -> Self {
        let bodies = match root.get("body").map(|entry| &entry.value.kind) {
            Some(ValueKind::Array(items)) => items.as_slice(),
            _ => &[],
        };
        let bodies = bodies.iter().filter_map(Value::as_table).enumerate();
        let named = bodies.filter_map(|(at, table)| {
            let name = table.get("name")?.value.as_str()?;
            Some((name, (at, table)))
        });
        Owners {
            bodies: named.collect(),
            ground: root.get("ground").and_then(|entry| entry.value.as_table()),
        }
    }

    /// The hard point that a path names as a point of a body or of the ground, unless that has an own point of this name.
    fn hard_point(&self, path: &str, known: &BTreeMap<String, Span>) -> Option<Named> {
        if let Some(rest) = path.strip_prefix("ground.") {
            let mut ends = rest
                .match_indices('.')
                .map(|(at, _)| at)
                .chain([rest.len()]);
            let hard =
                ends.find_map(|end| known.contains_key(&rest[..end]).then(|| &rest[..end]))?;
            let has_own = self.ground.is_some_and(|ground| has_point(ground, hard));
            return (!has_own).then(|| Named {
                body: None,
                point: hard.to_owned(),
                hard: hard.to_owned(),
            });
        }
        path.match_indices('.').find_map(|(dot, _)| {
            let (owner, rest) = (&path[..dot], &path[dot + 1..]);
            let (body, table) = *self.bodies.get(owner)?;
            let point = rest.split('.').next()?;
            // a hard point of the instance of the body, or of one that contains it
            let mut around = owner;
            let hard = loop {
                around = around.rsplit_once('.').map_or("", |(instance, _)| instance);
                let hard = match around {
                    "" => point.to_owned(),
                    instance => format!("{instance}.{point}"),
                };
                if known.contains_key(&hard) {
                    break hard;
                }
                if around.is_empty() {
                    return None;
                }
            };
            (!has_point(table, point)).then(|| Named {
                body: Some(body),
                point: point.to_owned(),
                hard,
            })
        })
    }
}

fn has_point(owner: &Table, point: &str) -> bool {
    ["points", "frames"].iter().any(|key| {
        let list = owner.get(key).and_then(|entry| entry.value.as_table());
        list.is_some_and(|list| list.get(point).is_some())
    })
}

/// Visits every text in a value.
fn texts<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str)) {
    match &value.kind {
        ValueKind::String(text) => visit(text),
        ValueKind::Array(items) => items.iter().for_each(|item| texts(item, visit)),
        ValueKind::Table(table) => table.iter().for_each(|entry| texts(&entry.value, visit)),
        _ => {}
    }
}

/// The paths in a text: the whole text, and the paths of a formula.
fn paths(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
    let parts = text.split(move |c| !is_part(c));
    let parts = parts.map(|part| part.replace('\'', ""));
    let quoted = text.contains('\'').then(|| text.replace('\'', ""));
    std::iter::once(text.to_owned())
        .chain(quoted)
        .chain(parts)
        .filter(|path| path.contains('.'))
}

impl<'t> Context<'t> {
    /// Checks the names and the numbers of coordinates of hard points.
    pub(super) fn check_hard_points(&self, field: &DocumentField<'t>) {
        let Some(table) = field.table() else { return };
        let reader = TableReader::new(table.value, "the hard points", &[], self.diagnostics);
        for (name, value) in reader.fields() {
            let local = self.sources.local(name);
            let hyphen = local
                .contains('-')
                .then(|| "formulas read `-` as a minus sign; use `_`".to_owned());
            if let Some(help) = name_problem(local, true).or(hyphen) {
                let message = format!("a hard point cannot be called {}", shown(name.value));
                self.error("bad-name", message, (name.span, ""), Some(help));
            }
            if let Some((kind, first)) = self.constants.place(name.value) {
                let message = format!("the name {} is used twice", shown(name.value));
                self.diagnostics.push(
                    Diagnostic::error("duplicate-name", message)
                        .at(name.span, "a hard point")
                        .also(first, format!("a {kind}")),
                );
            }
            let items = value.array().map_or(Vec::new(), |items| items.value);
            for (item, axis) in items.iter().zip(AXES) {
                let coordinate = self.constants.value(&format!("{}.{axis}", name.value));
                let found = coordinate.and_then(|(_, dimension)| dimension);
                if let Some(found) = found.filter(|found| Some(*found) != dimension_of("m")) {
                    let problem = format!("{}; it must be a length", found.predicate());
                    item.error("wrong-unit", &problem, "", None);
                }
            }
            let count = items.len();
            if count > 0 && !self.fits(count, false) {
                let problem = self.wanted_components();
                value.error("wrong-length", problem, &format!("has {count}"), None);
            }
        }
        reader.finish();
    }

    /// Whether there is a hard point of this name.
    pub(super) fn is_hard_point(&self, name: &str) -> bool {
        self.constants
            .place(&format!("{name}.{}", AXES[0]))
            .is_some()
    }

    /// The names of all hard points.
    fn hard_points(&self) -> impl Iterator<Item = &str> + Clone {
        let names = self.constants.hard_points();
        names.filter_map(|name| name.strip_suffix(".x"))
    }

    /// A hard point in the ground frame.
    fn hard_point(&self, name: Spanned<&str>, what: &str) -> Option<Vec3<f64>> {
        let Some((_, span)) = self.constants.place(&format!("{}.x", name.value)) else {
            let help = nearest(name.value, self.hard_points(), "add it to [points]");
            let message = format!("{what}: there is no hard point {}", shown(name.value));
            self.error(
                "unknown-name",
                message,
                (name.span, "unknown hard point"),
                Some(help),
            );
            return None;
        };
        let mut point = Vec3::zeros();
        for (x, axis) in point.iter_mut().zip(AXES) {
            match self.constants.find(&format!("{}.{axis}", name.value)) {
                NameMeaning::Binding(Binding::Constant { value, .. }) => *x = value,
                NameMeaning::Unknown => {}
                NameMeaning::Binding(_) | NameMeaning::Broken => return None,
            }
        }
        Some(match self.placement(span) {
            Some(placement) => placement.point(&point),
            None => point,
        })
    }

    /// A position in the frame of the body that is being read, or in that of its instance: its coordinates, or the name of a hard point.
    pub(super) fn position(&self, field: &DocumentField<'t>) -> Option<Vec3<f64>> {
        match self.hard_point_name(field) {
            Some(name) => self.in_frame(name, &field.what()),
            None => self.vector(field, "m"),
        }
    }

    /// The same where a planar model may have three coordinates.
    pub(super) fn spatial_position(&self, field: &DocumentField<'t>) -> Option<Vec3<f64>> {
        match self.hard_point_name(field) {
            Some(name) => self.in_frame(name, &field.what()),
            None => self.spatial_vector(field, "m"),
        }
    }

    /// The text of a field, in a model with hard points.
    fn hard_point_name(&self, field: &DocumentField<'t>) -> Option<Spanned<&'t str>> {
        let value = field.value()?;
        let name = Spanned {
            value: value.as_str()?,
            span: value.span,
        };
        self.hard_points().next().map(|_| name)
    }

    /// A hard point in the frame of the body that is being read, or in that of its instance.
    fn in_frame(&self, name: Spanned<&str>, what: &str) -> Option<Vec3<f64>> {
        let point = self.hard_point(name, what)?;
        let frame = self.frame.get().or_else(|| self.placement(name.span));
        Some(frame.map_or(point, |frame| frame.inverse().point(&point)))
    }

    /// The positions of two hard points, if a field is a list of their names.
    pub(super) fn two_hard_points(
        &self,
        field: &DocumentField<'t>,
    ) -> Option<[Option<Vec3<f64>>; 2]> {
        let ValueKind::Array(items) = &field.value()?.kind else {
            return None;
        };
        let [a, b] = items.as_slice() else {
            return None;
        };
        let is_name = |item: &Value| item.as_str().is_some_and(|name| self.is_hard_point(name));
        if !is_name(a) || !is_name(b) {
            return None;
        }
        let items = field.fixed_array::<2>()?.value;
        Some(items.map(|item| self.position(&item)))
    }
}
