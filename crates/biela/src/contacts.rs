//! Contacts of a model and the statistics of their modes and impacts, as text and as JSON.

use std::fmt::Write as _;

use biela_core::analysis::{ContactStatistics, Statistics};
use biela_core::contact::Surface;
use biela_core::model::{BodyIndex, ContactElement, ContactLaw, MaterialIndex, Model};
use biela_core::unilateral::unilaterals;
use serde_json::{Map, Value, json};

use crate::digits;

/// Energy that impacts create, as a share of the energy exchanged, beyond rounding.
const CREATED: f64 = 1e-9;
/// Relative residual of a contact problem beyond which its forces are doubtful.
const UNSOLVED: f64 = 1e-6;
/// Relative residual of a contact problem, and penetration in m or rad, beyond rounding.
const NOTEWORTHY: f64 = 1e-10;

/// The bodies of a contact, in the order of its surfaces; a beam as a whole is one.
pub fn contact_bodies<'m>(model: &'m Model, contact: &'m ContactElement) -> [&'m str; 2] {
    let (joint, _) = contact.candidate(0);
    let joint = &model.joints[joint.0];
    let mut names = [joint.first.0, joint.second.0].map(|body: BodyIndex| model.body_name(body));
    if let Some(beam) = &contact.beam {
        names[beam.side] = &beam.name;
    }
    names
}

/// The types of the surfaces of a contact: `beam` for a beam as a whole.
fn surface_names(contact: &ContactElement) -> [&str; 2] {
    let mut names = [contact.pair.first(), contact.pair.second()].map(Surface::name);
    if let Some(beam) = &contact.beam {
        names[beam.side] = "beam";
    }
    names
}

/// The surfaces of a contact as text: `line (ground) – circle (ball)`, `line (ground) – beam (rope, 9 points)`.
pub fn contact_surfaces(model: &Model, contact: &ContactElement) -> String {
    let (bodies, surfaces) = (contact_bodies(model, contact), surface_names(contact));
    let side = |k: usize| {
        let (surface, body) = (surfaces[k], bodies[k]);
        match &contact.beam {
            Some(beam) if beam.side == k => {
                format!("{surface} ({body}, {} points)", contact.joints.len())
            }
            _ => format!("{surface} ({body})"),
        }
    };
    format!("{} – {}", side(0), side(1))
}

/// The law of a contact as text: `friction 0.3 (0.4 in stick), restitution 0.5`.
pub fn contact_law(law: &ContactLaw) -> String {
    let friction = if law.static_friction == 0.0 {
        "no friction".to_owned()
    } else if law.friction.to_bits() == law.static_friction.to_bits() {
        format!("friction {}", digits(law.friction, 6))
    } else {
        let [slip, stick] = [law.friction, law.static_friction].map(|mu| digits(mu, 6));
        format!("friction {slip} ({stick} in stick)")
    };
    let mut text = format!("{friction}, restitution {}", digits(law.restitution, 6));
    if law.tangential_restitution > 0.0 {
        let tangential = digits(law.tangential_restitution, 6);
        let _ = write!(text, " ({tangential} tangential)");
    }
    for (word, length) in [
        ("rolling", law.rolling_resistance),
        ("spinning", law.spinning_resistance),
    ] {
        if length > 0.0 {
            let _ = write!(text, ", {word} resistance {} m", digits(length, 6));
        }
    }
    match (law.compliance.stiffness, law.compliance.modulus) {
        (Some(k), _) => {
            let unit = if law.compliance.exponent == 1.0 {
                "N/m"
            } else {
                "N/m^1.5"
            };
            let _ = write!(text, ", stiffness {} {unit}", digits(k, 6));
        }
        (None, Some(modulus)) => {
            let _ = write!(text, ", contact modulus {} Pa", digits(modulus, 6));
        }
        (None, None) => {}
    }
    text
}

/// A contact as JSON.
pub fn contact_json(model: &Model, contact: &ContactElement) -> Value {
    let ContactLaw {
        friction,
        static_friction,
        restitution,
        tangential_restitution,
        rolling_resistance,
        spinning_resistance,
        ..
    } = contact.law;
    let material = |material: MaterialIndex| &model.materials[material.0].name;
    json!({
        "name": contact.name,
        "between": contact_bodies(model, contact),
        "surfaces": surface_names(contact),
        "points": contact.num_points(),
        "friction": friction,
        "static_friction": static_friction,
        "restitution": restitution,
        "tangential_restitution": tangential_restitution,
        "rolling_resistance": rolling_resistance,
        "spinning_resistance": spinning_resistance,
        "materials": contact.materials.map(|side| side.map(material)),
    })
}

/// What happened to the unilateral constraints of a run, with the names of their elements.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactSummary {
    /// The counts and accuracies.
    pub statistics: ContactStatistics,
    /// The element whose impacts accumulated last, such as `contact floor`; empty if none did.
    pub accumulated: String,
    /// The element with the largest penetration; empty if there is none.
    pub penetrated: String,
    /// The unit of this penetration.
    pub unit: &'static str,
}

impl ContactSummary {
    /// Adds the names of a model to the statistics of its run.
    pub fn new(statistics: ContactStatistics, model: &Model) -> Self {
        let list = unilaterals(model);
        let named = |index: usize, wanted: bool| {
            let owner = list.get(index).filter(|_| wanted).map(|one| one.owner);
            owner.map_or_else(String::new, |owner| {
                format!("{} `{}`", owner.word(), owner.name(model))
            })
        };
        ContactSummary {
            accumulated: named(statistics.accumulated_by, statistics.accumulations > 0),
            penetrated: named(statistics.penetrated, statistics.penetration > 0.0),
            unit: list
                .get(statistics.penetrated)
                .map_or("m", |one| one.unit(model)),
            statistics,
        }
    }
}

/// The statistics of unilateral constraints for a manifest.
pub fn contact_figures(summary: &ContactSummary) -> Map<String, Value> {
    let s = &summary.statistics;
    let last = (s.accumulations > 0).then_some(s.accumulated_at);
    let name = |name: &String| (!name.is_empty()).then(|| name.clone());
    let entries = [
        ("impacts", json!(s.impacts)),
        ("simultaneous_impacts", json!(s.simultaneous)),
        ("jammed_impacts", json!(s.jammed)),
        ("mode_transitions", json!(s.transitions)),
        ("accumulation_points", json!(s.accumulations)),
        ("last_accumulation_point", json!(last)),
        ("last_accumulation_of", json!(name(&summary.accumulated))),
        ("energy_creating_impacts", json!(s.creating)),
        ("energy_created", json!(s.created)),
        ("indeterminate_contact_problems", json!(s.indeterminate)),
        ("largest_residual", json!(s.worst_residual)),
        ("largest_penetration", json!(s.penetration)),
        ("largest_penetration_unit", json!(summary.unit)),
        ("largest_penetration_of", json!(name(&summary.penetrated))),
    ];
    let indentation = (s.indentation > 0.0).then(|| ("largest_indentation", json!(s.indentation)));
    let owned = entries.into_iter().chain(indentation);
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The statistics of unilateral constraints as lines of a summary. Counts that are zero are omitted, as are residuals and penetrations at the level of rounding.
pub fn contact_lines(summary: &ContactSummary) -> Vec<String> {
    let s = &summary.statistics;
    let count = |n: u64, one: &str, several: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    };
    let counts = [
        (s.impacts, "impact", "impacts"),
        (s.transitions, "mode transition", "mode transitions"),
    ];
    let counts = counts.iter().filter(|(n, ..)| *n > 0);
    let counts: Vec<String> = counts.map(|(n, a, b)| count(*n, a, b)).collect();
    let mut lines = vec![if counts.is_empty() {
        "no impacts, no mode transitions".to_owned()
    } else {
        counts.join(", ")
    }];
    if s.accumulations > 0 {
        let at = digits(s.accumulated_at, 7);
        let by = &summary.accumulated;
        let points = match s.accumulations {
            1 => format!("impacts of {by} accumulate at t = {at} s"),
            n => format!("{n} accumulation points of impacts, the last of {by} at t = {at} s"),
        };
        lines.push(format!(
            "{points}: the infinite sequence was summed, and the contact closed"
        ));
    }
    if s.simultaneous > 0 {
        let several = count(
            s.simultaneous,
            "simultaneous impact",
            "simultaneous impacts",
        );
        lines.push(format!(
            "{several} at several contact points: the result depends on the impact law"
        ));
    }
    if s.jammed > 0 {
        let jammed = count(s.jammed, "impact", "impacts");
        lines.push(format!(
            "{jammed} without a solution by Newton's law, because friction jams a contact: the impulses of compression, times 1 + e, were applied"
        ));
    }
    if s.indeterminate > 0 {
        lines.push(
            "contact forces are statically indeterminate: their least-norm distribution is shown; where such contacts slip, the motion depends on it"
                .to_owned(),
        );
    }
    if s.indentation > 0.0 {
        lines.push(format!(
            "compliant contacts are indented by at most {} m",
            digits(s.indentation, 3)
        ));
    }
    if s.worst_residual > NOTEWORTHY {
        lines.push(format!(
            "contact forces are accurate to {} of the largest one",
            digits(s.worst_residual, 2)
        ));
    }
    if s.penetration > NOTEWORTHY {
        lines.push(format!(
            "largest penetration at the end of a step: {} {}, of {}",
            digits(s.penetration, 3),
            summary.unit,
            summary.penetrated
        ));
    }
    lines
}

/// Warnings about the contacts of a run.
pub(crate) fn doubts(summary: &ContactSummary, statistics: &Statistics) -> Vec<String> {
    let contacts = &summary.statistics;
    let mut doubts = Vec::new();
    if contacts.created > CREATED * statistics.energy_scale {
        let impacts = match contacts.creating {
            1 => "1 impact created".to_owned(),
            n => format!("{n} impacts created"),
        };
        doubts.push(format!(
            "{impacts} {} J of kinetic energy: Newton's law of restitution is not energetically consistent with this friction; \
             use a smaller `restitution` or `friction`, or Poisson's law: impact = \"poisson\"",
            digits(contacts.created, 3)
        ));
    }
    if contacts.worst_residual > UNSOLVED {
        doubts.push(format!(
            "a contact problem was solved only to a relative residual of {}: contact forces are inaccurate there",
            digits(contacts.worst_residual, 3)
        ));
    }
    doubts
}
