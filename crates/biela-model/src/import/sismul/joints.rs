//! Converts flags to joints.
//!
//! The flags lock components of ω̂ and ξ̇ along the axes of the lower body. For a rotation about one axis c only,
//!
//! ```text
//! S_jk = R_c(θ) S_locked
//! ```
//!
//! so that the first joint frame has the axes of the lower body and the second is rotated by S_lockedᵀ if locked angles are nonzero. Locked translations offset
//! the first frame from Q_k.

use biela_core::math::Vec3;
use biela_core::math::rotation::{from_dextral, parameters};

use super::deck::{Deck, SismulBar};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Names of the six coordinates, rotations first as on the cards.
pub(super) const WORDS: [&str; 6] = ["alpha", "beta", "gamma", "x", "y", "z"];

/// The definition of a joint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JointDefinition {
    pub(super) kind: &'static str,
    /// The axis 0, 1, 2, if the kind requires one.
    pub(super) axis: Option<usize>,
    /// Names of locked coordinates of a generic joint.
    pub(super) locked: Vec<&'static str>,
    /// The name of each free coordinate.
    pub(super) coordinates: [Option<&'static str>; 6],
    /// Initial values (degrees, lengths) and velocities.
    pub(super) start: [f64; 6],
    pub(super) rate: [f64; 6],
    /// Dextral angles of the first frame in the lower body, degrees.
    pub(super) first_turn: Option<[f64; 3]>,
    /// Dextral angles by which the second frame is rotated back, in degrees.
    pub(super) turned_back: Option<[f64; 3]>,
    /// From Q_k to the first frame.
    pub(super) offset: [f64; 3],
}

impl JointDefinition {
    /// Euler parameters of the second frame in the body.
    pub(super) fn second_turn(&self) -> Option<[f64; 4]> {
        let degrees = self.turned_back?;
        let turn = from_dextral(&Vec3::from(degrees.map(f64::to_radians)));
        Some(parameters(&turn.transpose()))
    }
}

/// Returns the joint of body `k` (counted from 1).
pub(super) fn plan(
    deck: &Deck,
    planar: bool,
    k: usize,
    diagnostics: &Diagnostics,
) -> JointDefinition {
    let bar = &deck.bodies[k - 1];
    let mut prescribed = [false; 6];
    for (profiles, from) in [(&deck.angular, 0), (&deck.linear, 3)] {
        for profile in profiles.iter().filter(|profile| profile.body == k) {
            let c = from + profile.component;
            prescribed[c] = true;
            if !bar.locked[c] {
                let message = format!("joint {k} has a profile of {} but leaves it free", WORDS[c]);
                diagnostics.push(
                    Diagnostic::warning("free-profile", message)
                        .at(bar.places.flags, "flag 0")
                        .also(profile.span, "the profile")
                        .help("it is imported as prescribed; set its flag to 1 in item 21"),
                );
            }
        }
    }
    let moves: [bool; 6] = std::array::from_fn(|c| !bar.locked[c] || prescribed[c]);
    check(bar, k, moves, prescribed, diagnostics);
    shape(bar, planar, moves)
}

fn check(
    bar: &SismulBar,
    k: usize,
    moves: [bool; 6],
    prescribed: [bool; 6],
    diagnostics: &Diagnostics,
) {
    let turning: Vec<usize> = (0..3).filter(|&c| moves[c]).collect();
    let driven = turning.iter().filter(|&&c| prescribed[c]).count();
    if driven > 0 && driven < turning.len() {
        let message = format!("joint {k} prescribes some of its angles and leaves others free");
        diagnostics.push(
            Diagnostic::error("angles-in-part", message)
                .at(bar.places.flags, "")
                .help("give profiles of all angles that move, or of none"),
        );
    }
    let locked_turn = (0..3).find(|&c| !moves[c]);
    if let (2, Some(c)) = (turning.len(), locked_turn) {
        let axis = WORDS[c];
        if bar.angles[c] == 0.0 {
            let message = format!("joint {k} rotates about two axes; SISMUL has no such joint");
            diagnostics.push(
                Diagnostic::warning("two-rotations", message)
                    .at(bar.places.flags, "")
                    .help(format!(
                        "the dextral angle {axis} is held; SISMUL would hold that component of the angular velocity, which is another motion"
                    )),
            );
        } else {
            let message = format!(
                "joint {k} rotates about two axes and holds {axis} at {} deg",
                bar.angles[c]
            );
            diagnostics.push(
                Diagnostic::error("two-rotations", message)
                    .at(bar.places.angles, "")
                    .help("not supported: make the held angle start at zero by rotating the axes of the body"),
            );
        }
    }
    for c in 0..6 {
        let rate = if c < 3 {
            bar.angle_rates[c]
        } else {
            bar.xi_rate[c - 3]
        };
        if !moves[c] && rate != 0.0 {
            let message = format!(
                "joint {k} locks {} but gives it an initial velocity",
                WORDS[c]
            );
            let place = if c < 3 {
                bar.places.angles
            } else {
                bar.places.xi
            };
            diagnostics.push(
                Diagnostic::warning("locked-rate", message)
                    .at(place, format!("{rate} is not used"))
                    .also(bar.places.flags, "locked here")
                    .help("set it to zero, or give a profile"),
            );
        }
    }
}

fn shape(bar: &SismulBar, planar: bool, moves: [bool; 6]) -> JointDefinition {
    let turning: Vec<usize> = (0..3).filter(|&c| moves[c]).collect();
    let sliding: Vec<usize> = (0..3).filter(|&c| moves[3 + c]).collect();
    let mut plan = JointDefinition {
        kind: "generic",
        axis: None,
        locked: Vec::new(),
        coordinates: std::array::from_fn(|c| moves[c].then_some(WORDS[c])),
        start: std::array::from_fn(|c| if c < 3 { bar.angles[c] } else { bar.xi[c - 3] }),
        rate: std::array::from_fn(|c| {
            if c < 3 {
                bar.angle_rates[c]
            } else {
                bar.xi_rate[c - 3]
            }
        }),
        first_turn: None,
        turned_back: None,
        offset: std::array::from_fn(|c| if moves[3 + c] { 0.0 } else { bar.xi[c] }),
    };
    let all_slide = sliding.len() == if planar { 2 } else { 3 };
    match (turning[..].as_ref(), sliding[..].as_ref()) {
        ([], []) => plan.kind = "weld",
        ([c], []) => {
            plan.kind = "revolute";
            plan.axis = (*c != 2).then_some(*c);
            plan.coordinates[*c] = Some("angle");
        }
        ([], [c]) => {
            plan.kind = "prismatic";
            plan.axis = (*c != 0).then_some(*c);
            plan.coordinates[3 + c] = Some("position");
        }
        ([a], [c]) if a == c && !planar => {
            plan.kind = "cylindrical";
            plan.axis = (*c != 2).then_some(*c);
            plan.coordinates[*c] = Some("angle");
            plan.coordinates[3 + c] = Some("position");
        }
        ([_, _, _], []) => plan.kind = "spherical",
        ([2], _) if planar && all_slide => {
            plan.kind = "free";
            plan.coordinates[2] = Some("angle");
        }
        ([_, _, _], _) if all_slide => plan.kind = "free",
        _ => {
            // in the plane the remaining coordinates are locked implicitly
            let words: &[usize] = if planar {
                &[2, 3, 4]
            } else {
                &[0, 1, 2, 3, 4, 5]
            };
            plan.locked = words
                .iter()
                .filter(|c| !moves[**c])
                .map(|c| WORDS[*c])
                .collect();
        }
    }
    match turning[..] {
        [] if bar.angles != [0.0; 3] && plan.kind == "weld" => plan.first_turn = Some(bar.angles),
        [] if bar.angles != [0.0; 3] => plan.turned_back = Some(bar.angles),
        [c] => {
            // R_c(θ) is the first factor of the product if the angles before it are zero
            let leads = bar.angles[..c].iter().all(|angle| *angle == 0.0);
            let mut held = bar.angles;
            if leads {
                held[c] = 0.0;
            } else {
                plan.start[c] = 0.0;
            }
            plan.turned_back = (held != [0.0; 3]).then_some(held);
        }
        _ => {}
    }
    plan
}
