//! Stiffness and mass of a beam: from cross-sections and materials, or given directly.

use biela_core::flexible::{Profile, Section};
use biela_core::model::Space;

use crate::document::{DocumentField, ValueKind};
use crate::lower::fields::choose;
use crate::lower::keys;
use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// Stiffness and mass of each element, and the cross-sections at both ends.
pub(super) fn sections<'t>(
    reader: &SectionReader<'t>,
    elements: usize,
    length: f64,
    context: &Context<'t>,
) -> (Vec<Section>, Option<[Profile; 2]>) {
    let given = GivenSections::read(reader, context);
    if context.space == Space::Spatial {
        check_alike(&reader.get("section"), given.start.as_ref(), reader);
        check_alike(&reader.get("end_section"), given.end.as_ref(), reader);
    }
    let axial = SectionValue::new(reader, "axial_stiffness", "N", context);
    let bending = SectionValue::new(reader, "bending_stiffness", "N*m^2", context);
    axial.check(reader, &["section", "young"], "stiffness", context);
    bending.check(reader, &["section", "young"], "stiffness", context);
    let at = |k: usize| {
        let profile = given.profile((k as f64 + 0.5) / elements as f64);
        Section::new(&profile, given.young.unwrap_or(1.0), given.density())
    };
    let mut list: Vec<Section> = (0..elements).map(at).collect();
    let heaviness: Vec<f64> = list.iter().map(|section| section.mass).collect();
    let masses = given.masses(&heaviness, &vec![length / elements as f64; elements]);
    for (section, mass) in list.iter_mut().zip(masses) {
        section.axial = axial.value.unwrap_or(section.axial);
        section.bending = bending.value.unwrap_or(section.bending);
        section.mass = mass;
        section.damping = given.damping;
    }
    (list, given.profiles())
}

/// The given sections and materials of a beam of any type.
pub(super) struct GivenSections {
    start: Option<Profile>,
    end: Option<Profile>,
    pub(super) young: Option<f64>,
    density: Option<f64>,
    per_length: Option<f64>,
    mass: Option<f64>,
    /// Kelvin–Voigt damping time, s.
    pub(super) damping: f64,
}

impl GivenSections {
    pub(super) fn read<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Self {
        let field = reader.get("section");
        let start = profile(&field, context);
        let end_field = reader.get("end_section");
        let end = profile(&end_field, context);
        if let (Some(end), Some(start)) = (&end, &start)
            && start.between(end, 0.5).is_none()
        {
            let problem = "must have the same type as `section`";
            end_field.error("conflict", problem, "", None);
        }
        if end_field.is_present() && !field.is_present() {
            let help = "add section = { … }".to_owned();
            let problem = "needs `section`, the cross-section at the start";
            end_field.error("conflict", problem, "", Some(help));
        }
        let per_length = SectionValue::new(reader, "mass_per_length", "kg/m", context);
        let mass = SectionValue::new(reader, "mass", "kg", context);
        if !mass.given {
            per_length.check(reader, &["section", "density"], "mass", context);
        } else if per_length.given || reader.has("density") {
            let other = if per_length.given {
                "mass_per_length"
            } else {
                "density"
            };
            let help = format!("leave `mass` or `{other}` out");
            let problem = "conflicts with `mass`";
            reader.get(other).error("conflict", problem, "", Some(help));
        }
        let damping = reader.get("damping");
        let tau = context.number(&damping, "s").unwrap_or(0.0);
        if tau < 0.0 {
            let label = format!("this is {tau} s");
            damping.error("negative", "must not be negative", &label, None);
        }
        GivenSections {
            start,
            end,
            young: context.positive(&reader.get("young"), "Pa"),
            density: context.positive(&reader.get("density"), "kg/m^3"),
            per_length: per_length.value,
            mass: mass.value,
            damping: tau.max(0.0),
        }
    }

    /// The cross-section at a fraction of the length; a placeholder if none is given.
    pub(super) fn profile(&self, share: f64) -> Profile {
        let profile = match (&self.start, &self.end) {
            (Some(start), Some(end)) => start.between(end, share),
            (start, _) => *start,
        };
        profile.unwrap_or(Profile::Circle { radius: 1.0 })
    }

    /// The cross-sections at the start and at the end, if given.
    pub(super) fn profiles(&self) -> Option<[Profile; 2]> {
        let start = self.start?;
        Some([start, self.end.unwrap_or(start)])
    }

    /// The density; 1 if it is not given.
    pub(super) fn density(&self) -> f64 {
        self.density.unwrap_or(1.0)
    }

    /// Mass per length of each element: a given mass is distributed like `heaviness`, which follows from the areas.
    pub(super) fn masses(&self, heaviness: &[f64], lengths: &[f64]) -> Vec<f64> {
        let all = heaviness.iter().zip(lengths).map(|(h, length)| h * length);
        let total: f64 = all.sum();
        let of = |h: &f64| {
            let shared = self.mass.map(|mass| mass * h / total);
            self.per_length.or(shared).unwrap_or(*h)
        };
        heaviness.iter().map(of).collect()
    }
}

/// A number that is given, or computed from others.
pub(super) struct SectionValue {
    key: &'static str,
    given: bool,
    pub(super) value: Option<f64>,
}

impl SectionValue {
    pub(super) fn new<'t>(
        reader: &SectionReader<'t>,
        key: &'static str,
        unit: &str,
        context: &Context<'t>,
    ) -> Self {
        SectionValue {
            key,
            given: reader.has(key) || reader.is_misspelt(key),
            value: context.positive(&reader.get(key), unit),
        }
    }

    /// Reports an error if it is neither given nor computable.
    pub(super) fn check(
        &self,
        reader: &SectionReader<'_>,
        from: &[&str],
        what: &str,
        context: &Context<'_>,
    ) {
        let missing: Vec<String> = from
            .iter()
            .filter(|key| !reader.has(key) && !reader.is_misspelt(key))
            .map(|key| format!("`{key}`"))
            .collect();
        if self.given || missing.is_empty() {
            return;
        }
        let message = format!("{} has no `{}`", reader.what(), self.key);
        let help = format!("give `{}`, or {}", self.key, missing.join(" and "));
        let label = format!("the {what} of the beam is undetermined");
        context.error("missing-key", message, (reader.span(), &label), Some(help));
    }
}

/// Two numbers along or about y and z; equal if one is given.
pub(super) struct AxisPair {
    source: SectionValue,
    pub(super) values: Option<[f64; 2]>,
}

impl AxisPair {
    pub(super) fn new<'t>(
        reader: &SectionReader<'t>,
        key: &'static str,
        unit: &str,
        context: &Context<'t>,
    ) -> Self {
        let field = reader.get(key);
        let is_list = matches!(field.value().map(|v| &v.kind), Some(ValueKind::Array(_)));
        let values = if is_list {
            let items = field.fixed_array::<2>().map(|items| items.value);
            let numbers = items.map(|items| items.map(|item| context.positive(&item, unit)));
            numbers.and_then(|[y, z]| Some([y?, z?]))
        } else {
            context.positive(&field, unit).map(|x| [x; 2])
        };
        AxisPair {
            source: SectionValue {
                key,
                given: reader.has(key) || reader.is_misspelt(key),
                value: None,
            },
            values,
        }
    }

    /// See [`SectionValue::check`].
    pub(super) fn check(
        &self,
        reader: &SectionReader<'_>,
        from: &[&str],
        what: &str,
        context: &Context<'_>,
    ) {
        self.source.check(reader, from, what, context);
    }
}

fn profile<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<Profile> {
    let table = field.table()?;
    let reader = SectionReader::called(
        &field.what(),
        &keys::BEAM_SECTION,
        table.value,
        context.diagnostics,
    );
    let kind = choose(&reader, ("type", Profile::LIST), "type = \"circle\"");
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
        walls => {
            let (width, height) = (length("width"), length("height"));
            let (flange, web) = (length("flange"), length("web"));
            let (width, height, flange, web) = (width?, height?, flange?, web?);
            Some(if walls == "box" {
                Profile::Box {
                    width,
                    height,
                    flange,
                    web,
                }
            } else {
                Profile::I {
                    width,
                    height,
                    flange,
                    web,
                }
            })
        }
    };
    let profile = kind.and_then(|kind| read(kind.name));
    let thin = profile.filter(|profile| !profile.is_sound());
    reader.finish();
    if thin.is_some() {
        let problem = "has inconsistent dimensions";
        let help =
            "`inner` must be less than `radius`; webs and flanges must be thinner than the section";
        field.error("bad-shape", problem, "", Some(help.to_owned()));
        return None;
    }
    profile
}

/// Rejects a section with two different bending stiffnesses where only one applies.
fn check_alike(field: &DocumentField<'_>, profile: Option<&Profile>, reader: &SectionReader<'_>) {
    if profile.is_none_or(Profile::bends_alike) || reader.has("bending_stiffness") {
        return;
    }
    let problem =
        "has different bending stiffnesses about its two axes; a cable in space needs equal ones";
    let help =
        "use a circle, a tube or a square, set `bending_stiffness`, or use element = \"exact\"";
    field.error(
        "wrong-space",
        problem,
        "not symmetric",
        Some(help.to_owned()),
    );
}
