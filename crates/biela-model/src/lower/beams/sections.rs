//! What a beam resists with and weighs: cross sections and materials, or the stiffnesses themselves.

use biela_core::flexible::{Profile, Section};

use crate::document::Field;
use crate::lower::fields::choose;
use crate::lower::keys::{self, Variants};
use crate::lower::reader::Reader;
use crate::lower::values::Context;

/// Stiffness and mass of each element.
pub(super) fn sections<'t>(
    reader: &Reader<'t>,
    elements: usize,
    length: f64,
    context: &Context<'t>,
) -> Vec<Section> {
    let field = reader.get("section");
    let start = profile(&field, context);
    let end_field = reader.get("end_section");
    let end = profile(&end_field, context);
    if let (Some(end), Some(start)) = (&end, &start)
        && start.between(end, 0.5).is_none()
    {
        let problem = "must be of the same kind as `section`";
        end_field.error("conflict", problem, "", None);
    }
    if end_field.is_present() && !field.is_present() {
        let help = "add section = { … }".to_owned();
        end_field.error(
            "conflict",
            "needs a `section` to begin with",
            "",
            Some(help),
        );
    }
    let young = context.positive(&reader.get("young"), "Pa");
    let density = context.positive(&reader.get("density"), "kg/m^3");
    let axial = Source::new(reader, "axial_stiffness", "N", context);
    let bending = Source::new(reader, "bending_stiffness", "N*m^2", context);
    let per_length = Source::new(reader, "mass_per_length", "kg/m", context);
    let mass = Source::new(reader, "mass", "kg", context);
    axial.check(reader, &["section", "young"], "stiffness", context);
    bending.check(reader, &["section", "young"], "stiffness", context);
    if !mass.given {
        per_length.check(reader, &["section", "density"], "mass", context);
    } else if per_length.given || reader.has("density") {
        let other = if per_length.given {
            "mass_per_length"
        } else {
            "density"
        };
        let help = format!("leave `mass` or `{other}` out");
        let problem = "says the mass twice";
        reader.get(other).error("conflict", problem, "", Some(help));
    }
    let damping = reader.get("damping");
    let tau = context.number(&damping, "s").unwrap_or(0.0);
    if tau < 0.0 {
        let label = format!("this is {tau} s");
        damping.error("negative", "must not be negative", &label, None);
    }
    let at = |k: usize| {
        let share = (k as f64 + 0.5) / elements as f64;
        let profile = match (&start, &end) {
            (Some(start), Some(end)) => start.between(end, share),
            (start, _) => *start,
        };
        let profile = profile.unwrap_or(Profile::Circle { radius: 1.0 });
        Section::new(&profile, young.unwrap_or(1.0), density.unwrap_or(1.0))
    };
    let mut list: Vec<Section> = (0..elements).map(at).collect();
    let total: f64 = list.iter().map(|section| section.mass).sum::<f64>() / elements as f64;
    for section in &mut list {
        // a given mass is spread as the areas are
        let shared = mass.value.map(|mass| mass / length * section.mass / total);
        section.axial = axial.value.unwrap_or(section.axial);
        section.bending = bending.value.unwrap_or(section.bending);
        section.mass = per_length.value.or(shared).unwrap_or(section.mass);
        section.damping = tau.max(0.0);
    }
    list
}

/// A number that is given, or follows from others.
struct Source {
    key: &'static str,
    given: bool,
    value: Option<f64>,
}

impl Source {
    fn new<'t>(reader: &Reader<'t>, key: &'static str, unit: &str, context: &Context<'t>) -> Self {
        Source {
            key,
            given: reader.has(key) || reader.is_misspelt(key),
            value: context.positive(&reader.get(key), unit),
        }
    }

    /// Reports where it is not given and what it follows from is not there either.
    fn check(&self, reader: &Reader<'_>, from: &[&str], what: &str, context: &Context<'_>) {
        let missing: Vec<String> = from
            .iter()
            .filter(|key| !reader.has(key) && !reader.is_misspelt(key))
            .map(|key| format!("`{key}`"))
            .collect();
        if self.given || missing.is_empty() {
            return;
        }
        let message = format!("{}: nothing says its `{}`", reader.what(), self.key);
        let help = format!("give `{}`, or {}", self.key, missing.join(" and "));
        let label = format!("the {what} of the beam is not known");
        context.error("missing-key", message, (reader.span(), &label), Some(help));
    }
}

fn profile<'t>(field: &Field<'t>, context: &Context<'t>) -> Option<Profile> {
    let table = field.table()?;
    let reader = Reader::called(
        &field.what(),
        &keys::BEAM_SECTION,
        table.value,
        context.diagnostics,
    );
    let variant = choose(&reader, Variants::Profiles, "type = \"circle\"");
    let length = |key: &'static str| {
        context.positive(&reader.require(key, &format!("{key} = \"10 mm\"")), "m")
    };
    let read = |word: &str| match word {
        "circle" => Some(Profile::Circle {
            radius: length("radius")?,
        }),
        "tube" => {
            let (radius, inner) = (length("radius"), length("inner"));
            Some(Profile::Tube {
                radius: radius?,
                inner: inner?,
            })
        }
        "rectangle" => {
            let (width, height) = (length("width"), length("height"));
            Some(Profile::Rectangle {
                width: width?,
                height: height?,
            })
        }
        _ => {
            let (width, height) = (length("width"), length("height"));
            let (flange, web) = (length("flange"), length("web"));
            Some(Profile::I {
                width: width?,
                height: height?,
                flange: flange?,
                web: web?,
            })
        }
    };
    let profile = variant.and_then(|variant| read(variant.name));
    let thin = profile.filter(|profile| !profile.is_sound());
    reader.finish();
    if thin.is_some() {
        let problem = "does not fit together";
        let help = "the hole must be smaller than the tube; web and flanges thinner than the whole";
        field.error("bad-shape", problem, "", Some(help.to_owned()));
        return None;
    }
    profile
}
