//! Cost and reliability of a run as JSON, and warnings about its reliability.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let job = biela::load("../../examples/basics/pendulum/model.toml")?;
//! let run = biela::run(job)?.complete()?;
//! assert!(biela::evidence::relative_energy(&run.statistics).is_some_and(|share| share < 1e-3));
//! let checks = biela::evidence::run_checks(&run);
//! assert_eq!(checks["warnings"].as_array().map(Vec::len), Some(0));
//! # Ok(())
//! # }
//! ```

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use biela_core::analysis::{
    Assembled, AssemblyDisplacement, Equilibrium, InitialGap, Statistics, SupportForce, Supports,
};
use biela_core::model::Stage;
use biela_core::system::{Channel, SingularPose};
use serde_json::{Map, Value, json};

use crate::{
    Redundancy, Run, contact_figures, contact_json, digits, redundancies, shared_reactions,
};

fn map<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    let owned = entries.map(|(name, value)| (name.to_owned(), value));
    owned.into_iter().collect()
}

/// The statistics of a run for its manifest: [`work`], singular poses, and the numbers of events and poses that are not listed.
pub fn run_statistics(run: &Run) -> Map<String, Value> {
    let poses: Vec<Value> = run.singular_poses.iter().map(singular_pose).collect();
    let mut statistics = work(&run.statistics);
    if let Some(contacts) = &run.contacts {
        statistics.extend(map([("contacts", json!(contact_figures(contacts)))]));
    }
    statistics.extend(map([
        ("events_not_listed", json!(run.events_not_listed)),
        ("singular_poses", json!(poses)),
        (
            "singular_poses_not_listed",
            json!(run.singular_poses_not_listed),
        ),
    ]));
    statistics
}

/// The error figures of a run for its manifest: [`checks`], and the warnings about its reliability.
pub fn run_checks(run: &Run) -> Map<String, Value> {
    let mut figures = checks(&run.statistics);
    figures.extend(map([("warnings", json!(run.doubts()))]));
    figures
}

/// The wall-clock time of a run that reached the time `reached`, and the time at which it ended, which is now.
pub fn timing(reached: f64, elapsed: Duration) -> Map<String, Value> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    map([
        ("wall_seconds", json!(elapsed.as_secs_f64())),
        ("times_real_time", json!(real_time_factor(reached, elapsed))),
        (
            "ended_at_unix_seconds",
            json!(now.map_or(0, |d| d.as_secs())),
        ),
    ])
}

/// The ratio of simulated time to wall-clock time.
pub fn real_time_factor(simulated: f64, elapsed: Duration) -> f64 {
    simulated / elapsed.as_secs_f64().max(1e-9)
}

/// The numbers of steps, evaluations and factorizations.
pub fn work(statistics: &Statistics) -> Map<String, Value> {
    let Statistics {
        integrator,
        method,
        steps_between: (least, most),
        ..
    } = statistics;
    map([
        ("steps", json!(integrator.steps)),
        ("rejected_steps", json!(integrator.rejected)),
        ("order_reductions", json!(integrator.order_reductions)),
        ("acceleration_jumps", json!(integrator.jumps)),
        ("evaluations", json!(integrator.evaluations)),
        (
            "factorizations",
            json!(method.factorizations + integrator.factorizations),
        ),
        ("projections", json!(method.projections)),
        ("singular_evaluations", json!(method.singular)),
        ("smallest_step", json!(least)),
        ("largest_step", json!(most)),
    ])
}

/// Constraint residuals and energy error.
pub fn checks(statistics: &Statistics) -> Map<String, Value> {
    let s = statistics;
    map([
        ("largest_position_error", json!(s.worst_position)),
        ("largest_velocity_error", json!(s.worst_velocity)),
        ("largest_acceleration_error", json!(s.worst_acceleration)),
        ("largest_energy_error", json!(s.worst_energy)),
        ("numerical_energy", json!(s.numerical_energy)),
        ("energy_exchanged", json!(s.energy_scale)),
        ("relative_energy_error", json!(relative_energy(s))),
    ])
}

/// Energy error relative to the energy exchanged; `None` if none was exchanged.
pub fn relative_energy(statistics: &Statistics) -> Option<f64> {
    let s = statistics;
    (s.energy_scale > 0.0).then(|| s.worst_energy / s.energy_scale)
}

/// Warnings about the figures of a run; set `damps` if the integrator has numerical damping.
pub fn doubts(statistics: &Statistics, damps: bool) -> Vec<String> {
    let mut doubts = Vec::new();
    if let Some(share) = relative_energy(statistics).filter(|share| *share > 0.01) {
        let share = digits(100.0 * share, 4);
        let damping = if damps {
            ", or less numerical damping"
        } else {
            ""
        };
        doubts.push(format!(
            "the energy balance error is {share} % of the energy exchanged; \
             use a smaller step or tolerance{damping}"
        ));
    }
    doubts.extend(phase(statistics));
    if statistics.worst_position > 1e-3 {
        let off = digits(statistics.worst_position, 4);
        doubts.push(format!(
            "the joints are violated by up to {off} (m, rad); use method = \"projection\" or a smaller step"
        ));
    }
    let work = &statistics.integrator;
    if work.rejected > work.steps.max(10) {
        doubts.push(format!(
            "{} of {} attempted steps were rejected: the step is too large for this motion; use a smaller one, or step-size control with a tolerance",
            work.rejected,
            work.rejected + work.steps
        ));
    }
    doubts
}

/// The largest work of forces without a potential, as a share of the kinetic energy, with which a motion keeps the phase that it had.
const CONSERVATIVE: f64 = 0.1;
/// Errors of the phase, in radians, that are not worth a word.
const IN_PHASE: f64 = 0.3;

/// Says that the phase of a long oscillation cannot be trusted, if so.
///
/// Where the period depends on the energy, a relative drift ε of the energy, reached evenly over n half-swings, changes the phase by π n ε/2 times a factor
/// of order one. Motions that forces drive or damp do not keep such errors.
fn phase(statistics: &Statistics) -> Option<String> {
    let s = statistics;
    let drift = relative_energy(s)?;
    let off = 0.5 * std::f64::consts::PI * s.reversals as f64 * drift;
    let conserves = s.largest_work < CONSERVATIVE * s.largest_kinetic;
    (conserves && off > IN_PHASE).then(|| {
        format!(
            "the energy drifted by {} % over {} reversals of the motion: if the period depends on the amplitude, the phase error may reach {} rad at the end, \
             although each oscillation is accurate; for an accurate phase use a smaller tolerance or step",
            digits(100.0 * drift, 2),
            s.reversals,
            digits(off, 2)
        )
    })
}

/// Says that the accelerations and reactions among the recorded signals change from step to step, if they do: an implicit integrator may step over fast
/// vibrations whose displacements are too small to matter.
pub fn unresolved(statistics: &Statistics, recorded: &[Channel]) -> Option<String> {
    let work = &statistics.integrator;
    let shown = recorded.iter().find(|c| c.stage == Stage::Acceleration)?;
    (5 * work.jumps > work.steps.max(20)).then(|| {
        format!(
            "accelerations change by more than half in {} of {} steps: `{}` and other accelerations and reactions are not resolved, even if the energy \
             balance is accurate; use a smaller step, or step-size control with a tolerance",
            work.jumps, work.steps, shown.name
        )
    })
}

/// Notes on automatic changes of the integrator.
pub fn notes(statistics: &Statistics) -> Vec<String> {
    let times = statistics.integrator.order_reductions;
    let often = match times {
        0 => return Vec::new(),
        1 => String::new(),
        n => format!(", {n} times"),
    };
    vec![format!(
        "bdf lowered its order to 2{often}: fast, lightly damped vibrations, not accuracy, limited the steps of higher orders; max_order = 2 sets this from the start"
    )]
}

/// Advice if the stiffness of a force limited the step size of an explicit integrator; `time` is the time constant of the force.
pub fn stiff((force, time): &(String, f64)) -> String {
    format!(
        "{force} has a time constant of {} s: its stiffness, not accuracy, limited the steps of the explicit integrator; an implicit one (bdf, generalized-alpha) may need far fewer",
        digits(*time, 2)
    )
}

/// A redundant element as JSON.
pub fn redundant(redundancy: &Redundancy) -> Value {
    let r = redundancy;
    json!({ "element": r.element, "rows": r.rows, "said_by": r.said_by })
}

/// A singular configuration as JSON.
pub fn singular_pose(pose: &SingularPose) -> Value {
    json!({
        "time": pose.time,
        "measure": pose.measure,
        "meaning": pose.meaning.word(),
        "elements": pose.elements,
        "velocity_jump": pose.jump,
    })
}

/// A warning for each singular configuration after which the velocity is not the continuous extension of that before.
pub fn velocity_jumps(poses: &[SingularPose]) -> impl Iterator<Item = String> {
    poses.iter().filter_map(|pose| {
        let jump = pose.jump?;
        Some(format!(
            "the velocity jumps by {jump:.3e} at the singular configuration at t = {:.9} s: the mechanism changed its branch, or an impulse acts there",
            pose.time
        ))
    })
}

/// Describes the dependent elements of a singular configuration and its kind: "joint `A`, joint `B`: a bifurcation, the mechanism may …".
pub fn describe_pose(pose: &SingularPose) -> String {
    let (word, text) = (pose.meaning.word().replace('-', " "), pose.meaning.text());
    format!("{}: a {word}, {text}", pose.elements.join(", "))
}

/// An equilibrium as JSON.
pub fn equilibrium(found: &Equilibrium) -> Value {
    json!({
        "stability": found.stability.word(),
        "potential_energy": found.potential,
        "smallest_eigenvalue": found.smallest,
        "neutral_directions": found.neutral,
        "symmetric": !found.asymmetric,
        "singular": found.singular,
        "moves_most": found.mover,
        "residual": found.residual,
        "start_point": found.start,
        "load": found.load,
        "supports": found.supports.as_ref().map(supports),
    })
}

/// The forces of closed contacts at an equilibrium as JSON.
fn supports(supports: &Supports) -> Value {
    let one = |force: &SupportForce| {
        json!({
            "element": force.element,
            "point": force.point,
            "normal": force.normal,
            "tangential": force.tangential,
            "unit": force.unit,
            "friction_used": force.used,
        })
    };
    json!({
        "forces": supports.forces.iter().map(one).collect::<Vec<_>>(),
        "indeterminate": supports.indeterminate,
        "least_share": supports.least_share(),
        "most_friction_used": supports.most_used(),
    })
}

/// The bodies that assembly moved from the poses in the model, as text.
pub fn moved(assembled: &Assembled) -> Vec<String> {
    let changes = assembled.changes.iter().filter(|change| change.given);
    changes.map(describe_change).collect()
}

/// The displacement of a body by assembly, as text.
pub fn describe_change(change: &AssemblyDisplacement) -> String {
    let mut moves = Vec::new();
    if change.distance > 0.0 {
        moves.push(format!("{} m", digits(change.distance, 4)));
    }
    if change.angle > 0.0 {
        let degrees = change.angle.to_degrees();
        moves.push(format!("{} deg", digits(degrees, 4)));
    }
    let moves = moves.join(" and ");
    format!("`{}` by {moves} to close the joints", change.body)
}

/// The results of assembly as JSON.
pub fn start(assembled: &Assembled) -> Value {
    let mobility = &assembled.mobility;
    let moved: Vec<Value> = assembled
        .changes
        .iter()
        .map(|c| json!({ "body": c.body, "distance": c.distance, "angle": c.angle, "given": c.given }))
        .collect();
    let following: Vec<Value> = (assembled.following.iter())
        .map(|f| json!({ "joint": f.joint, "coordinate": f.coordinate, "rate": f.rate, "unit": f.unit }))
        .collect();
    let model = assembled.system.model();
    let gaps = assembled.initial_gaps();
    let state = |gap: &InitialGap| gap.meaning(assembled.size()).word();
    let contacts = model.contacts.iter().zip(&gaps).map(|(contact, gap)| {
        let mut written = contact_json(model, contact);
        written["initial_gap"] = json!(gap.gap);
        written["starts"] = json!(state(gap));
        written
    });
    let others = gaps.iter().skip(model.contacts.len()).map(
        |one| json!({ "element": one.element, "initial_gap": one.gap, "unit": one.unit, "starts": state(one) }),
    );
    json!({
        "model": model.name,
        "contacts": contacts.collect::<Vec<_>>(),
        "other_gaps": others.collect::<Vec<_>>(),
        "freedom": mobility.freedom,
        "freedom_without_drivers": mobility.undriven_freedom,
        "velocities": mobility.velocities,
        "equations": mobility.rows,
        "redundant": redundancies(assembled).iter().map(redundant).collect::<Vec<_>>(),
        "reactions_not_unique": shared_reactions(assembled),
        "singular_rows": assembled.singular_rows,
        "singular_pose": assembled.singular_pose.as_ref().map(singular_pose),
        "position_error": assembled.position_error,
        "velocity_error": assembled.velocity_error,
        "iterations": assembled.iterations,
        "moved": moved,
        "following_rates": following,
        "notes": assembled.notes,
    })
}
