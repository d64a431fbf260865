//! Contacts of a model and the statistics of their modes and impacts, as text and as JSON.

use biela_core::analysis::{Assembled, ContactStatistics, Statistics};
use biela_core::model::{BodyIndex, ContactElement, ContactLaw, Model};
use biela_core::system::SystemKinematics;
use serde_json::{Map, Value, json};

use crate::digits;

/// Energy that impacts create, as a share of the energy exchanged, beyond rounding.
const CREATED: f64 = 1e-9;
/// Relative residual of a contact problem beyond which its forces are doubtful.
const UNSOLVED: f64 = 1e-6;

/// The bodies of a contact, in the order of its surfaces.
pub fn contact_bodies<'m>(model: &'m Model, contact: &ContactElement) -> [&'m str; 2] {
    let joint = &model.joints[contact.joint.0];
    [joint.first.0, joint.second.0].map(|body: BodyIndex| model.body_name(body))
}

/// The surfaces of a contact as text: `line (ground) – circle (ball)`.
pub fn contact_surfaces(model: &Model, contact: &ContactElement) -> String {
    let [first, second] = contact_bodies(model, contact);
    let surfaces =
        [contact.pair.first(), contact.pair.second()].map(biela_core::contact::Surface::name);
    format!("{} ({first}) – {} ({second})", surfaces[0], surfaces[1])
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
    let compliance = match (law.compliance.stiffness, law.compliance.modulus) {
        (Some(k), _) if law.compliance.exponent == 1.0 => {
            format!(", stiffness {} N/m", digits(k, 6))
        }
        (Some(k), _) => format!(", stiffness {} N/m^1.5", digits(k, 6)),
        (None, Some(modulus)) => format!(", contact modulus {} Pa", digits(modulus, 6)),
        (None, None) => String::new(),
    };
    format!(
        "{friction}, restitution {}{compliance}",
        digits(law.restitution, 6)
    )
}

/// The smallest gap of each contact in the assembled initial configuration, m; negative if its surfaces penetrate each other.
pub fn initial_gaps(assembled: &Assembled) -> Vec<f64> {
    let system = assembled.system.as_ref();
    let (state, mut kinematics) = (&assembled.state, SystemKinematics::new(system.model()));
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut kinematics,
    );
    let gap = |contact: &ContactElement| {
        let rel = &kinematics.joints[contact.joint.0].rel;
        let points = 0..contact.pair.num_points();
        let gaps = points.map(|k| contact.pair.point(k, &rel.R, &rel.p).gap);
        gaps.fold(f64::INFINITY, f64::min)
    };
    system.model().contacts.iter().map(gap).collect()
}

/// A contact as JSON.
pub fn contact_json(model: &Model, contact: &ContactElement) -> Value {
    let ContactLaw {
        friction,
        static_friction,
        restitution,
        ..
    } = contact.law;
    json!({
        "name": contact.name,
        "between": contact_bodies(model, contact),
        "surfaces": [contact.pair.first().name(), contact.pair.second().name()],
        "points": contact.pair.num_points(),
        "friction": friction,
        "static_friction": static_friction,
        "restitution": restitution,
    })
}

/// The statistics of unilateral constraints for a manifest.
pub fn contact_figures(statistics: &ContactStatistics) -> Map<String, Value> {
    let s = statistics;
    let last = (s.accumulations > 0).then_some(s.accumulated_at);
    let entries = [
        ("impacts", json!(s.impacts)),
        ("simultaneous_impacts", json!(s.simultaneous)),
        ("jammed_impacts", json!(s.jammed)),
        ("mode_transitions", json!(s.transitions)),
        ("accumulation_points", json!(s.accumulations)),
        ("last_accumulation_point", json!(last)),
        ("energy_creating_impacts", json!(s.creating)),
        ("energy_created", json!(s.created)),
        ("indeterminate_contact_problems", json!(s.indeterminate)),
        ("largest_residual", json!(s.worst_residual)),
        ("largest_penetration", json!(s.penetration)),
    ];
    let indentation = (s.indentation > 0.0).then(|| ("largest_indentation", json!(s.indentation)));
    let owned = entries.into_iter().chain(indentation);
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The statistics of unilateral constraints as lines of a summary.
pub fn contact_lines(statistics: &ContactStatistics) -> Vec<String> {
    let s = statistics;
    let count = |n: u64, one: &str, several: &str| match n {
        0 => format!("no {several}"),
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    };
    let mut lines = vec![format!(
        "{}, {}",
        count(s.impacts, "impact", "impacts"),
        count(s.transitions, "mode transition", "mode transitions")
    )];
    if s.accumulations > 0 {
        let at = digits(s.accumulated_at, 7);
        let points = match s.accumulations {
            1 => format!("impacts accumulate at t = {at} s"),
            n => format!("{n} accumulation points of impacts, the last at t = {at} s"),
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
    lines.push(format!(
        "contact problems solved to {}, penetration at most {} (m, rad)",
        digits(s.worst_residual, 3),
        digits(s.penetration, 3)
    ));
    lines
}

/// Warnings about the contacts of a run.
pub(crate) fn doubts(contacts: &ContactStatistics, statistics: &Statistics) -> Vec<String> {
    let mut doubts = Vec::new();
    if contacts.created > CREATED * statistics.energy_scale {
        let impacts = match contacts.creating {
            1 => "1 impact created".to_owned(),
            n => format!("{n} impacts created"),
        };
        doubts.push(format!(
            "{impacts} {} J of kinetic energy: Newton's law of restitution is not energetically consistent with this friction; \
             use a smaller `restitution` or `friction`",
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
