//! Reports unused elements and attributes in a few groups, so that nothing is ignored silently.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::files::Files;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::import::xml::{Form, Unused, lines};

/// The purpose of a part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Motion,
    Unknown,
    Contact,
    Numerics,
    Looks,
    Rest,
}

impl Group {
    /// The beginning of a message, and advice.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Group::Motion => (
                "not used, and the motion differs for it",
                "add what matters to the model by hand: see `biela reference forces`",
            ),
            Group::Unknown => (
                "not used, and unknown to this reader",
                "MuJoCo refuses what it does not know either; look for a slip of the pen",
            ),
            Group::Contact => (
                "contact is not used",
                "bodies do not touch here; ends of travel can be had by [[force]] type = \"limit\"",
            ),
            Group::Numerics => (
                "settings of MuJoCo's solvers are not used",
                "how the model is solved stands in its [study]",
            ),
            Group::Looks => ("looks are not used", ""),
            Group::Rest => ("not used, without effect on the motion", ""),
        }
    }
}

/// Unsupported items collected individually while reading.
#[derive(Default)]
pub(super) struct Left {
    notes: RefCell<Vec<(Group, String, Span)>>,
}

impl Left {
    /// Records an item without which the motion differs.
    pub(super) fn motion(&self, what: &str, place: Span) {
        self.note(Group::Motion, what, place);
    }

    /// Records an item that concerns contacts.
    pub(super) fn contact(&self, what: &str, place: Span) {
        self.note(Group::Contact, what, place);
    }

    /// Records an item without effect on the motion.
    pub(super) fn idle(&self, what: &str, place: Span) {
        self.note(Group::Rest, what, place);
    }

    fn note(&self, group: Group, what: &str, place: Span) {
        self.notes
            .borrow_mut()
            .push((group, what.to_owned(), place));
    }

    /// Reports all items.
    pub(super) fn report(&self, files: &Files<'_>, diagnostics: &Diagnostics) {
        let mut groups: BTreeMap<Group, BTreeMap<String, Vec<Span>>> = BTreeMap::new();
        let mut add = |group: Group, what: String, places: Vec<Span>| {
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
fn group(kind: &Unused) -> Group {
    let name = kind.name.as_str();
    match kind.form {
        Form::Text => Group::Unknown,
        Form::Element => element_group(name),
        Form::Attribute => attribute_group(name, &kind.owner),
    }
}

fn element_group(name: &str) -> Group {
    match name {
        "light" | "camera" | "texture" | "material" | "layer" | "visual" | "statistic" | "skin"
        | "hfield" | "site" | "mesh" => Group::Looks,
        "contact" | "pair" | "exclude" => Group::Contact,
        "size" | "lengthrange" => Group::Numerics,
        "tendon" | "spatial" | "fixed" | "actuator" | "equality" | "deformable" | "flex"
        | "plugin" | "extension" | "pulley" => Group::Motion,
        // sensors, names for numbers, poses to choose from, and defaults without elements
        "sensor" | "custom" | "keyframe" | "key" | "model" | "asset" => Group::Rest,
        _ if SENSORS.contains(&name) || DEFAULTS.contains(&name) => Group::Rest,
        _ => Group::Unknown,
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

fn attribute_group(name: &str, owner: &str) -> Group {
    match name {
        "wind" | "fluidshape" | "fluidcoef" | "springdamper" | "actuatorgravcomp" => Group::Motion,
        "rgba" | "material" | "group" | "user" | "width" | "ipd" | "texcoord" | "normal"
        | "smoothnormal" | "maxhullvert" | "content_type" | "fitscale" | "texturedir"
        | "hfield" => Group::Looks,
        // of meshes that contribute no mass
        "vertex" | "face" | "builtin" | "params" if owner == "mesh" => Group::Looks,
        "size" | "type" | "fromto" | "mesh" if owner == "site" => Group::Looks,
        "solref" | "solimp" | "margin" if owner != "geom" => Group::Numerics,
        "solreflimit" | "solimplimit" | "solreffriction" | "solimpfriction" => Group::Numerics,
        "contype" | "conaffinity" | "condim" | "friction" | "margin" | "gap" | "solref"
        | "solimp" | "solmix" | "priority" | "adhesion" | "surfacevel" => Group::Contact,
        "limited" | "range" | "frictionloss" | "armature" | "actuatorfrcrange"
        | "actuatorfrclimited"
            if matches!(owner, "spatial" | "fixed" | "tendon") =>
        {
            Group::Motion
        }
        "cutoff" | "noise" | "delay" | "interp" | "interval" | "nsample" | "lengthrange"
        | "actdim" | "actearly" | "actlimited" | "actrange" | "torquescale" | "sleep"
        | "simple" | "fuse" | "mocap" | "time" | "act" | "ctrl" | "mpos" | "mquat" => Group::Rest,
        _ if matches!(owner, "option" | "flag") => Group::Numerics,
        "fusestatic" | "discardvisual" | "usethread" | "savecanonical" | "savecompiled"
        | "saveinertial" | "passthrough" | "conflict" | "fitaabb" => Group::Rest,
        _ => Group::Unknown,
    }
}
