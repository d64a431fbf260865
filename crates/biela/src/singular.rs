//! Singular poses, for people and for machines.

use biela::core::system::SingularPose;
use serde_json::{Value, json};

/// What depends on what and what it means: "joint `A`, joint `B`: a bifurcation, the mechanism may …".
pub(crate) fn describe(pose: &SingularPose) -> String {
    let (word, text) = (pose.meaning.word().replace('-', " "), pose.meaning.text());
    format!("{}: a {word}, {text}", pose.elements.join(", "))
}

/// For machines.
pub(crate) fn to_json(pose: &SingularPose) -> Value {
    json!({
        "time": pose.time,
        "measure": pose.measure,
        "meaning": pose.meaning.word(),
        "elements": pose.elements,
    })
}
