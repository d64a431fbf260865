//! Mass properties of a body: given, or computed from its shapes.

use biela_core::math::{Mat3, Vec3};
use biela_core::model::{InertiaError, MassProperties, Shape, Space};

use super::keys;
use super::reader::SectionReader;
use super::shapes::reach;
use super::values::Context;
use crate::document::{DocumentField, ValueKind};

/// Densities outside this range are probably a unit error.
const DENSITIES: std::ops::Range<f64> = 1.0..30_000.0;
/// A radius of gyration larger than the body by this factor is probably a unit error.
const MUCH_LARGER: f64 = 10.0;

/// Reads the mass properties of a body; `None` after an error, which was reported. `shapes` is `None` if one of them is invalid.
pub(super) fn mass_properties<'t>(
    reader: &SectionReader<'t>,
    shapes: Option<&[Shape]>,
    context: &Context<'t>,
) -> Option<MassProperties> {
    let density_field = reader.get("density");
    if density_field.is_present() {
        return from_density(reader, &density_field, shapes, context);
    }
    let (mass_field, com_field) = (reader.get("mass"), reader.get("com"));
    if !mass_field.is_present() && reader.is_misspelt("mass") {
        let _ = (inertia(reader, context), context.position(&com_field));
        return None;
    }
    if !mass_field.is_present() {
        let help = "add mass = 1.5 and inertia = …, or density = 7800 and shapes = [ … ]";
        let message = format!("{} has no mass", reader.what());
        context.error(
            "missing-key",
            message,
            (reader.span(), "`mass` or `density` is required here"),
            Some(help.to_owned()),
        );
        let _ = (inertia(reader, context), context.position(&com_field));
        return None;
    }
    let com = context.position(&com_field);
    // whether its motions have inertia can be checked only when the joints are known
    if !reader.has("inertia") && context.number(&mass_field, "kg") == Some(0.0) {
        return Some(MassProperties::massless(com.unwrap_or_else(Vec3::zeros)));
    }
    if reader.has("inertia") {
        let mass = not_negative(&mass_field, context);
        let inertia = inertia(reader, context);
        // an invalid mass or mass centre was reported; the inertia is checked nevertheless
        let known = mass.is_some() && (com.is_some() || !com_field.is_present());
        let (center, inertia) = (com.unwrap_or_else(Vec3::zeros), inertia?);
        let mass = mass.unwrap_or(1.0);
        let found = match context.space {
            Space::Planar => MassProperties::planar(mass, [center[0], center[1]], inertia[(2, 2)]),
            Space::Spatial => MassProperties::new(mass, center, inertia),
        };
        let taken = found.or_else(|error| {
            let anyway = if reader.get("unphysical").bool().is_some_and(|it| it.value) {
                MassProperties::unphysical(mass, center, inertia).ok()
            } else {
                None
            };
            report(reader, &error, anyway.is_some(), context);
            anyway.ok_or(())
        });
        let found = taken.ok().filter(|_| known)?;
        warn_of_size(reader, &found, shapes.unwrap_or_default(), context);
        return Some(found);
    }
    if !reader.has("shapes") && (reader.is_misspelt("inertia") || reader.is_misspelt("shapes")) {
        return None;
    }
    if !reader.has("shapes") {
        let help = match context.space {
            Space::Planar => {
                "add inertia = 0.01 (kg*m^2, about the mass centre; 0 for a point mass), or shapes = [ … ] from which it is computed"
            }
            Space::Spatial => {
                "add inertia = [0.01, 0.01, 0.02] (kg*m^2, about the mass centre; 0 for a point mass), or shapes = [ … ] from which it is computed"
            }
        };
        let message = format!("{} has no moment of inertia", reader.what());
        context.error(
            "missing-key",
            message,
            (reader.span(), "`inertia` or `shapes` is required here"),
            Some(help.to_owned()),
        );
        return None;
    }
    let mass = context.positive(&mass_field, "kg");
    refuse(reader, "com", "already defined by `shapes`");
    let (mass, shapes) = (mass?, shapes?);
    let volume: f64 = shapes.iter().map(Shape::volume).sum();
    from_shapes(reader, shapes, mass / volume, context)
}

fn from_density<'t>(
    reader: &SectionReader<'t>,
    field: &DocumentField<'t>,
    shapes: Option<&[Shape]>,
    context: &Context<'t>,
) -> Option<MassProperties> {
    for key in ["mass", "inertia", "com"] {
        refuse(reader, key, "already defined by `density` and `shapes`");
    }
    let density = context.positive(field, "kg/m^3");
    if !reader.has("shapes") {
        let help = "add shapes = [ { type = \"cylinder\", radius = \"10 mm\", length = \"1 m\" } ]"
            .to_owned();
        let message = format!("{} has a density but no shapes", reader.what());
        context.error(
            "missing-key",
            message,
            (reader.key_span("density"), "a density needs shapes"),
            Some(help),
        );
        return None;
    }
    let density = density?;
    if !DENSITIES.contains(&density)
        && let Some(span) = field.span()
    {
        context.warning(
            "odd-density",
            format!("{} is {density} kg/m^3", field.what()),
            (span, "no usual material has this density"),
            "steel has 7800 kg/m^3, water 1000; check the unit",
        );
    }
    from_shapes(reader, shapes?, density, context)
}

/// The combined solid of all shapes.
fn from_shapes<'t>(
    reader: &SectionReader<'t>,
    shapes: &[Shape],
    density: f64,
    context: &Context<'t>,
) -> Option<MassProperties> {
    if let Some(mesh) = shapes.iter().position(|shape| !shape.kind.is_solid()) {
        let field = reader.get("shapes");
        let label = format!("shape {} is a mesh, whose volume is unknown", mesh + 1);
        let help = "set mass, inertia and com".to_owned();
        let problem = "do not determine mass and inertia";
        field.error("bad-shape", problem, &label, Some(help));
        return None;
    }
    let solids = shapes.iter().map(|shape| shape.solid(density));
    let Some(whole) = solids.reduce(|a, b| a.joined(&b)) else {
        let field = reader.get("shapes");
        field.error(
            "missing-key",
            "has no shape from which to compute the mass",
            "empty",
            None,
        );
        return None;
    };
    let checked = match context.space {
        Space::Planar => MassProperties::planar(
            whole.mass,
            [whole.center[0], whole.center[1]],
            whole.inertia[(2, 2)],
        ),
        Space::Spatial => MassProperties::new(whole.mass, whole.center, whole.inertia),
    };
    let finite = whole.center.iter().all(|x| x.is_finite());
    match checked {
        Ok(checked) if finite => Some(checked),
        Ok(_) | Err(_) => {
            let problem = "are too large or too small to compute mass and inertia";
            let label = format!("mass {:e} kg", whole.mass);
            reader
                .get("shapes")
                .error("bad-shape", problem, &label, None);
            None
        }
    }
}

/// Reports a key that is redundant because of another one.
fn refuse(reader: &SectionReader<'_>, key: &'static str, why: &str) {
    let field = reader.get(key);
    if field.is_present() {
        let help = format!("leave `{key}` out, or give mass, inertia and com without density");
        field.error("too-much", "is given twice", why, Some(help));
    }
}

/// Reads the inertia matrix in any of its forms.
fn inertia<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Mat3<f64>> {
    const UNIT: &str = "kg*m^2";
    let field = reader.get("inertia");
    let value = field.value()?;
    if !context.space_known {
        return None;
    }
    let is_number = matches!(
        value.kind,
        ValueKind::Integer(_) | ValueKind::Float(_) | ValueKind::String(_)
    );
    match (&value.kind, context.space) {
        (_, Space::Planar) if is_number => {
            let moment = context.number(&field, UNIT)?;
            Some(Mat3::from_diagonal(&Vec3::new(moment, moment, moment)))
        }
        (_, Space::Spatial) if is_number && context.number(&field, UNIT)? == 0.0 => {
            Some(Mat3::zeros())
        }
        (_, Space::Planar) => {
            let help = "give the moment about the mass centre, normal to the plane: inertia = 0.01"
                .to_owned();
            field.wrong_kind("one number in a planar model", Some(help));
            None
        }
        (ValueKind::Array(items), Space::Spatial)
            if items
                .iter()
                .any(|item| matches!(item.kind, ValueKind::Array(_))) =>
        {
            let rows = field.fixed_array::<3>()?.value;
            let rows = rows.map(|row| context.tuple::<3>(&row, UNIT));
            let [a, b, c] = rows;
            let (a, b, c) = (a?, b?, c?);
            Some(Mat3::new(
                a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2],
            ))
        }
        (ValueKind::Array(_), Space::Spatial) => {
            let moments = context.tuple::<3>(&field, UNIT)?;
            Some(Mat3::from_diagonal(&Vec3::from(moments)))
        }
        (ValueKind::Table(table), Space::Spatial) => {
            let entries =
                SectionReader::called(&field.what(), &keys::INERTIA, table, context.diagnostics);
            let moment = |key: &'static str| {
                context.number(&entries.require(key, &format!("{key} = 0.01")), UNIT)
            };
            let product = |key: &'static str| {
                let field = entries.get(key);
                if field.is_present() {
                    context.number(&field, UNIT)
                } else {
                    Some(0.0)
                }
            };
            let all = [
                moment("xx"),
                moment("yy"),
                moment("zz"),
                product("xy"),
                product("xz"),
                product("yz"),
            ];
            entries.finish();
            let [xx, yy, zz, xy, xz, yz] = all;
            let (xx, yy, zz, xy, xz, yz) = (xx?, yy?, zz?, xy?, xz?, yz?);
            Some(Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
        }
        (_, Space::Spatial) => {
            let help =
                "give [Ixx, Iyy, Izz], { xx = …, yy = …, zz = …, xy = … } or three rows of three; 0 for a point mass"
                    .to_owned();
            field.wrong_kind(
                "three numbers, a table or a matrix in a spatial model",
                Some(help),
            );
            None
        }
    }
}

/// A mass; zero is allowed.
fn not_negative<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<f64> {
    let mass = context.number(field, "kg")?;
    if mass >= 0.0 {
        return Some(mass);
    }
    let label = format!("this is {mass} kg");
    field.error("negative", "must not be negative", &label, None);
    None
}

/// A number rounded to few digits.
fn short(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}

/// Reports physically impossible values at the key concerned; as a warning if they are accepted nevertheless.
fn report<'t>(
    reader: &SectionReader<'t>,
    error: &InertiaError,
    taken: bool,
    context: &Context<'t>,
) {
    let listed = |principal: &[f64; 3]| principal.map(|x| short(x).to_string()).join(", ");
    let (key, label, help) = match error {
        InertiaError::Mass(mass) => (
            "mass",
            format!("this is {mass} kg"),
            "give a mass of zero or more",
        ),
        InertiaError::NotSymmetric => (
            "inertia",
            "not a finite symmetric matrix".to_owned(),
            "the matrix must be symmetric: xy = yx, xz = zx, yz = zy",
        ),
        InertiaError::Negative { principal } if context.space == Space::Planar => (
            "inertia",
            format!("this is {} kg*m^2", principal[2]),
            "a moment of inertia is not negative; unphysical = true accepts it with a warning",
        ),
        InertiaError::Negative { principal } => (
            "inertia",
            format!("its principal moments are {} kg*m^2", listed(principal)),
            "no principal moment is negative; products are entries of the matrix, xy = -∫ x*y dm; unphysical = true accepts the inertia with a warning",
        ),
        InertiaError::Triangle { principal } => (
            "inertia",
            format!("its principal moments are {} kg*m^2", listed(principal)),
            "the largest is at most the sum of the other two, as for a flat plate; products are entries of the matrix, xy = -∫ x*y dm; unphysical = true accepts the inertia with a warning",
        ),
    };
    let span = reader.get(key).span().unwrap_or(reader.span());
    let message = format!("{}: its inertia is physically impossible", reader.what());
    if taken {
        let help = "accepted because of `unphysical`; kinetic energy may be negative and accelerations unphysical";
        context.warning("impossible-inertia", message, (span, &label), help);
        return;
    }
    context.error(
        "impossible-inertia",
        message,
        (span, &label),
        Some(help.to_owned()),
    );
}

/// Warns if the inertia belongs to a body much larger than the shapes.
fn warn_of_size<'t>(
    reader: &SectionReader<'t>,
    mass: &MassProperties,
    shapes: &[Shape],
    context: &Context<'t>,
) {
    let extent = shapes
        .iter()
        .map(|shape| reach(shape, &mass.center))
        .fold(0.0, f64::max);
    let gyration = (mass.inertia[(2, 2)].max(mass.inertia.trace() / 3.0) / mass.mass).sqrt();
    if extent > 0.0
        && gyration > MUCH_LARGER * extent
        && let Some(span) = reader.get("inertia").span()
    {
        context.warning(
            "odd-inertia",
            format!("{} has the inertia of a much larger body", reader.what()),
            (
                span,
                &format!(
                    "radius of gyration {gyration:.3} m, but no shape extends beyond {extent:.3} m"
                ),
            ),
            "check the unit of the inertia: a bare number is in kg*m^2",
        );
    }
}
