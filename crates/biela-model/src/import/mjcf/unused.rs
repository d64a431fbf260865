//! Reports unused elements and attributes in a few groups, so that nothing is ignored silently.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::files::MjcfFiles;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::import::xml::{ContentForm, Unused, lines};

/// The purpose of a part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PartPurpose {
    Motion,
    Unknown,
    Contact,
    Numerics,
    Looks,
    Rest,
}

impl PartPurpose {
    /// The beginning of a message, and advice.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            PartPurpose::Motion => (
                "not used, which changes the motion",
                "add the relevant ones to the model by hand, for example as [[force]]",
            ),
            PartPurpose::Unknown => (
                "not used, because unknown",
                "MuJoCo rejects unknown names too; check the spelling",
            ),
            PartPurpose::Contact => (
                "contact is not used",
                "contact between bodies is not modelled; for end stops use [[force]] type = \"limit\"",
            ),
            PartPurpose::Numerics => (
                "settings of MuJoCo's solvers are not used",
                "the settings of biela are in [study]",
            ),
            PartPurpose::Looks => ("visual properties are not used", ""),
            PartPurpose::Rest => ("not used, without effect on the motion", ""),
        }
    }
}

/// Unsupported items collected individually while reading.
#[derive(Default)]
pub(super) struct Left {
    notes: RefCell<Vec<(PartPurpose, String, Span)>>,
}

impl Left {
    /// Records an item without which the motion differs.
    pub(super) fn motion(&self, what: &str, place: Span) {
        self.note(PartPurpose::Motion, what, place);
    }

    /// Records an item that concerns contacts.
    pub(super) fn contact(&self, what: &str, place: Span) {
        self.note(PartPurpose::Contact, what, place);
    }

    /// Records an item without effect on the motion.
    pub(super) fn idle(&self, what: &str, place: Span) {
        self.note(PartPurpose::Rest, what, place);
    }

    fn note(&self, group: PartPurpose, what: &str, place: Span) {
        self.notes
            .borrow_mut()
            .push((group, what.to_owned(), place));
    }

    /// Reports all items.
    pub(super) fn report(&self, files: &MjcfFiles<'_>, diagnostics: &Diagnostics) {
        let mut groups: BTreeMap<PartPurpose, BTreeMap<String, Vec<Span>>> = BTreeMap::new();
        let mut add = |group: PartPurpose, what: String, places: Vec<Span>| {
            let kinds = groups.entry(group).or_default();
            kinds.entry(what).or_default().extend(places);
        };
        for (group, what, place) in self.notes.borrow().iter() {
            add(*group, what.clone(), vec![*place]);
        }
        for file in files.all() {
            for (kind, places) in file.unused() {
                add(group(&kind), kind.to_string(), places);
            }
        }
        let row = |place: &Span| {
            let file = files.all().iter().find(|file| file.holds(place));
            file.map_or(0, |file| file.row(place))
        };
        for (group, kinds) in groups {
            let (head, help) = group.words();
            let Some(first) = kinds.values().flatten().min() else {
                continue;
            };
            let kind = |(what, places): (&String, &Vec<Span>)| {
                let lines = lines(places.iter().map(row));
                match places.len() {
                    1 => format!("{what} ({lines})"),
                    count => format!("{what} ({count} times: {lines})"),
                }
            };
            let kinds: Vec<String> = kinds.iter().map(kind).collect();
            let message = format!("{head}: {}", kinds.join("; "));
            let help = (!help.is_empty()).then(|| help.to_owned());
            let warning = Diagnostic::warning("not-used", message).at(*first, "");
            diagnostics.push(warning.maybe_help(help));
        }
    }
}

/// The group of an item that was not read.
fn group(kind: &Unused) -> PartPurpose {
    let name = kind.name.as_str();
    match kind.form {
        ContentForm::Text => PartPurpose::Unknown,
        ContentForm::Element => element_group(name),
        ContentForm::Attribute => attribute_group(name, &kind.owner),
    }
}

fn element_group(name: &str) -> PartPurpose {
    match name {
        "light" | "camera" | "texture" | "material" | "layer" | "visual" | "statistic" | "skin"
        | "hfield" | "site" | "mesh" => PartPurpose::Looks,
        "contact" | "pair" | "exclude" => PartPurpose::Contact,
        "size" | "lengthrange" => PartPurpose::Numerics,
        "tendon" | "spatial" | "fixed" | "actuator" | "equality" | "deformable" | "flex"
        | "plugin" | "extension" | "pulley" => PartPurpose::Motion,
        // sensors, names for numbers, poses to choose from, and defaults without elements
        "sensor" | "custom" | "keyframe" | "key" | "model" | "asset" => PartPurpose::Rest,
        _ if SENSORS.contains(&name) || DEFAULTS.contains(&name) => PartPurpose::Rest,
        _ => PartPurpose::Unknown,
    }
}

/// Kinds of defaults.
const DEFAULTS: &[&str] = &[
    "joint",
    "geom",
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
];

/// Kinds of sensor.
const SENSORS: &[&str] = &[
    "touch",
    "accelerometer",
    "velocimeter",
    "gyro",
    "force",
    "torque",
    "magnetometer",
    "camprojection",
    "rangefinder",
    "tendonpos",
    "tendonvel",
    "actuatorpos",
    "actuatorvel",
    "actuatorfrc",
    "jointactuatorfrc",
    "tendonactuatorfrc",
    "ballquat",
    "ballangvel",
    "jointlimitpos",
    "jointlimitvel",
    "jointlimitfrc",
    "tendonlimitpos",
    "tendonlimitvel",
    "tendonlimitfrc",
    "framepos",
    "framequat",
    "framexaxis",
    "frameyaxis",
    "framezaxis",
    "framelinvel",
    "frameangvel",
    "framelinacc",
    "frameangacc",
    "subtreecom",
    "subtreelinvel",
    "subtreeangmom",
    "insidesite",
    "distance",
    "normal",
    "fromto",
    "e_potential",
    "e_kinetic",
    "clock",
    "tactile",
    "user",
];

fn attribute_group(name: &str, owner: &str) -> PartPurpose {
    match name {
        "wind" | "fluidshape" | "fluidcoef" | "springdamper" | "actuatorgravcomp" => {
            PartPurpose::Motion
        }
        "rgba" | "material" | "group" | "user" | "width" | "ipd" | "texcoord" | "normal"
        | "smoothnormal" | "maxhullvert" | "content_type" | "fitscale" | "texturedir"
        | "hfield" => PartPurpose::Looks,
        // of meshes that contribute no mass
        "vertex" | "face" | "builtin" | "params" if owner == "mesh" => PartPurpose::Looks,
        "size" | "type" | "fromto" | "mesh" if owner == "site" => PartPurpose::Looks,
        "solref" | "solimp" | "margin" if owner != "geom" => PartPurpose::Numerics,
        "solreflimit" | "solimplimit" | "solreffriction" | "solimpfriction" => {
            PartPurpose::Numerics
        }
        "contype" | "conaffinity" | "condim" | "friction" | "margin" | "gap" | "solref"
        | "solimp" | "solmix" | "priority" | "adhesion" | "surfacevel" => PartPurpose::Contact,
        "limited" | "range" | "frictionloss" | "armature" | "actuatorfrcrange"
        | "actuatorfrclimited"
            if matches!(owner, "spatial" | "fixed" | "tendon") =>
        {
            PartPurpose::Motion
        }
        "cutoff" | "noise" | "delay" | "interp" | "interval" | "nsample" | "lengthrange"
        | "actdim" | "actearly" | "actlimited" | "actrange" | "torquescale" | "sleep"
        | "simple" | "fuse" | "mocap" | "time" | "act" | "ctrl" | "mpos" | "mquat" => {
            PartPurpose::Rest
        }
        _ if matches!(owner, "option" | "flag") => PartPurpose::Numerics,
        "fusestatic" | "discardvisual" | "usethread" | "savecanonical" | "savecompiled"
        | "saveinertial" | "passthrough" | "conflict" | "fitaabb" => PartPurpose::Rest,
        _ => PartPurpose::Unknown,
    }
}
