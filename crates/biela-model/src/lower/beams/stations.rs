//! The named stations of a beam.

use biela_core::math::{Mat3, Pose, Vec3};

use crate::diagnostic::{Diagnostic, Span, shown};
use crate::document::{DocumentField, TableReader, ValueKind};
use crate::lower::formula::Reads;
use crate::lower::keys;
use crate::lower::names::name_problem;
use crate::lower::reader::SectionReader;
use crate::lower::rotation::orientation;
use crate::lower::values::Context;
use crate::units::Dimension;

/// A named station.
pub(super) struct NamedStation<'t> {
    pub(super) name: &'t str,
    /// Distance from the start.
    pub(super) distance: f64,
    /// Its frame in the axes of the section there.
    pub(super) frame: Pose,
    /// The source span.
    pub(super) span: Span,
}

impl<'t> NamedStation<'t> {
    /// Creates a station on the centreline.
    fn new(name: &'t str, distance: f64, span: Span) -> Self {
        NamedStation {
            name,
            distance,
            frame: Pose::identity(),
            span,
        }
    }
}

/// The stations of a beam: start, end, its named points and frames.
pub(super) fn places<'t>(
    reader: &SectionReader<'t>,
    length: f64,
    context: &Context<'t>,
) -> Vec<NamedStation<'t>> {
    let mut places = vec![
        NamedStation::new("start", 0.0, reader.span()),
        NamedStation::new("end", length, reader.span()),
    ];
    if let Some(table) = reader.get("points").table() {
        let what = format!("points of {}", reader.what());
        let list = TableReader::new(table.value, &what, &[], context.diagnostics);
        for (name, field) in list.fields() {
            let distance = distance(&field, length, context).unwrap_or(0.0);
            let place = NamedStation::new(name.value, distance, name.span);
            add(place, &mut places, reader, context);
        }
        list.finish();
    }
    if let Some(table) = reader.get("frames").table() {
        let what = format!("frames of {}", reader.what());
        let list = TableReader::new(table.value, &what, &[], context.diagnostics);
        for (name, field) in list.fields() {
            let Some(table) = field.table() else { continue };
            let what = format!("frame {} of {}", shown(name.value), reader.what());
            let frame =
                SectionReader::called(&what, &keys::BEAM_FRAME, table.value, context.diagnostics);
            let distance = distance(&frame.require("along", "along = 0.5"), length, context);
            let mut place = NamedStation::new(name.value, distance.unwrap_or(0.0), name.span);
            let at = context.vector(&frame.get("at"), "m");
            let turn = orientation(&frame, false, context);
            place.frame = Pose::new(
                turn.unwrap_or_else(Mat3::identity),
                at.unwrap_or_else(Vec3::zeros),
            );
            frame.finish();
            add(place, &mut places, reader, context);
        }
        list.finish();
    }
    places
}

/// Adds a station if its name is valid.
fn add<'t>(
    place: NamedStation<'t>,
    places: &mut Vec<NamedStation<'t>>,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) {
    let owner = reader.what();
    if let Some(help) = name_problem(place.name, false) {
        let message = format!("a point of {owner} cannot be called {}", shown(place.name));
        context.error("bad-name", message, (place.span, ""), Some(help));
    } else if places.iter().any(|other| other.name == place.name) {
        let message = format!("{owner} already has a point {}", shown(place.name));
        let help = "`start` and `end` are the ends of every beam";
        context.diagnostics.push(
            Diagnostic::error("duplicate-name", message)
                .at(place.span, "")
                .help(help),
        );
    } else {
        places.push(place);
    }
}

/// A distance from the start: a fraction of the length, or a length.
pub(in crate::lower) fn distance<'t>(
    field: &DocumentField<'t>,
    length: f64,
    context: &Context<'t>,
) -> Option<f64> {
    let value = field.value()?;
    if !matches!(
        value.kind,
        ValueKind::String(_) | ValueKind::Integer(_) | ValueKind::Float(_)
    ) {
        let help = "write a fraction of the length such as 0.5, or a distance such as \"12 mm\"";
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
        "must be a fraction from 0 to 1".to_owned()
    };
    let help = "write a fraction of the length such as 0.5, or a distance such as \"12 mm\"";
    field.error(
        "out-of-range",
        &problem,
        &format!("this is {number}{}", if lengthwise { " m" } else { "" }),
        Some(help.to_owned()),
    );
    None
}

/// Reports a dimension that is not a length.
fn formula_is_plain(field: &DocumentField<'_>, dimension: Option<Dimension>) -> Option<()> {
    match dimension {
        Some(dimension) if !dimension.is_none() => {
            let label = format!("this is {}", dimension.describe());
            let problem = "must be a fraction of the length or a distance";
            field.error("wrong-unit", problem, &label, None);
            None
        }
        _ => Some(()),
    }
}
