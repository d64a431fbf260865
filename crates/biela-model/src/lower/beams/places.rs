//! The named places of a beam.

use biela_core::math::Pose;

use crate::diagnostic::{Diagnostic, Span, shown};
use crate::document::{Field, Kind, TableReader};
use crate::lower::formula::Reads;
use crate::lower::names::name_problem;
use crate::lower::reader::Reader;
use crate::lower::values::Context;
use crate::units::Dimension;

/// A named place.
pub(super) struct Place<'t> {
    pub(super) name: &'t str,
    /// From the start.
    pub(super) distance: f64,
    /// Its frame in the axes of the section there.
    pub(super) frame: Pose,
    /// Where it is written.
    pub(super) span: Span,
}

impl<'t> Place<'t> {
    /// On the centreline.
    fn new(name: &'t str, distance: f64, span: Span) -> Self {
        Place {
            name,
            distance,
            frame: Pose::identity(),
            span,
        }
    }
}

/// The places of a beam: start, end and its named points.
pub(super) fn places<'t>(
    reader: &Reader<'t>,
    length: f64,
    context: &Context<'t>,
) -> Vec<Place<'t>> {
    let mut places = vec![
        Place::new("start", 0.0, reader.span()),
        Place::new("end", length, reader.span()),
    ];
    let Some(table) = reader.get("points").table() else {
        return places;
    };
    let what = format!("points of {}", reader.what());
    let list = TableReader::new(table.value, &what, &[], context.diagnostics);
    for (name, field) in list.fields() {
        let distance = distance(&field, length, context).unwrap_or(0.0);
        if let Some(help) = name_problem(name.value, false) {
            let message = format!(
                "a point of {} cannot be called {}",
                reader.what(),
                shown(name.value)
            );
            context.error("bad-name", message, (name.span, ""), Some(help));
        } else if places.iter().any(|place| place.name == name.value) {
            let message = format!(
                "{} has a point {} already",
                reader.what(),
                shown(name.value)
            );
            let help = "`start` and `end` are the ends of every beam";
            context.diagnostics.push(
                Diagnostic::error("duplicate-name", message)
                    .at(name.span, "")
                    .help(help),
            );
        } else {
            places.push(Place::new(name.value, distance, name.span));
        }
    }
    list.finish();
    places
}

/// A distance from the start: a share of the length, or a length.
fn distance<'t>(field: &Field<'t>, length: f64, context: &Context<'t>) -> Option<f64> {
    let value = field.value()?;
    if !matches!(
        value.kind,
        Kind::String(_) | Kind::Integer(_) | Kind::Float(_)
    ) {
        let help = "write a share of the length such as 0.5, or a distance such as \"12 mm\"";
        field.wrong_kind("a number", Some(help.to_owned()));
        return None;
    }
    let formula = context.formula(field, Reads::Nothing, None)?;
    let number = formula.program.constant()?;
    let lengthwise = formula.program.dimension() == Some(Dimension::LENGTH);
    if !lengthwise {
        formula_is_plain(field, formula.program.dimension())?;
    }
    let distance = if lengthwise { number } else { number * length };
    if (-1e-9 * length..=length * (1.0 + 1e-9)).contains(&distance) {
        return Some(distance.clamp(0.0, length));
    }
    let problem = if lengthwise {
        format!("must be a distance from 0 to {length} m")
    } else {
        "must be a share from 0 to 1".to_owned()
    };
    let help = "write a share of the length such as 0.5, or a distance such as \"12 mm\"";
    field.error(
        "out-of-range",
        &problem,
        &format!("this is {number}"),
        Some(help.to_owned()),
    );
    None
}

/// Reports a dimension that is no length.
fn formula_is_plain(field: &Field<'_>, dimension: Option<Dimension>) -> Option<()> {
    match dimension {
        Some(dimension) if !dimension.is_none() => {
            let label = format!("this is {}", dimension.describe());
            let problem = "must be a share of the length, or a length";
            field.error("wrong-unit", problem, &label, None);
            None
        }
        _ => Some(()),
    }
}
