//! Equations that say what others already say, by the names of their elements.
//!
//! A row of G that is a combination of others changes no motion. It leaves the multipliers of all the rows in that
//! combination open: only their joint effect is known, so the reactions of these joints are not unique.

use biela_core::analysis::Assembled;
use biela_core::system::RowOwner;

/// Redundant rows of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// "joint `pin`".
    pub element: String,
    /// How many of its rows are redundant.
    pub rows: usize,
    /// Names of the elements whose rows already say the same.
    pub said_by: Vec<String>,
}

impl std::fmt::Display for Redundancy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, verb) = match self.rows {
            1 => ("1 row".to_owned(), "says"),
            n => (format!("{n} rows"), "say"),
        };
        write!(f, "{rows} of {} {verb} what ", self.element)?;
        match self.said_by.as_slice() {
            [] => write!(f, "the rest already says"),
            [one] => write!(f, "`{one}` already says"),
            [first, rest @ ..] => {
                write!(f, "`{first}`")?;
                for name in rest {
                    write!(f, ", `{name}`")?;
                }
                write!(f, " already say")
            }
        }
    }
}

/// The redundant rows of a model, element by element.
pub fn redundancies(assembled: &Assembled) -> Vec<Redundancy> {
    let system = assembled.system.as_ref();
    let (labels, model) = (system.rows(), system.model());
    let mut found: Vec<Redundancy> = Vec::new();
    for row in (0..labels.len()).filter(|row| !assembled.active[*row]) {
        let element = labels[row].describe(model);
        let at = found.iter().position(|known| known.element == element);
        let known = if let Some(at) = at {
            &mut found[at]
        } else {
            found.push(Redundancy {
                element,
                rows: 0,
                said_by: Vec::new(),
            });
            let last = found.len() - 1;
            &mut found[last]
        };
        known.rows += 1;
        for other in combination(assembled, row) {
            let name = labels[other].owner_name(model);
            let own = labels[other].owner == labels[row].owner;
            if !own && !known.said_by.iter().any(|said| said == name) {
                known.said_by.push(name.to_owned());
            }
        }
    }
    found
}

/// The joints whose reactions are not unique, in the order of the model.
pub fn shared_reactions(assembled: &Assembled) -> Vec<String> {
    let system = assembled.system.as_ref();
    let (labels, model) = (system.rows(), system.model());
    let mut shared = vec![false; model.joints.len()];
    for row in (0..labels.len()).filter(|row| !assembled.active[*row]) {
        for row in std::iter::once(row).chain(combination(assembled, row)) {
            if let RowOwner::Joint(joint) = labels[row].owner {
                shared[joint.0] = true;
            }
        }
    }
    let joints = model.joints.iter().zip(shared);
    joints
        .filter(|(_, shared)| *shared)
        .map(|(joint, _)| joint.name.clone())
        .collect()
}

/// What redundant rows leave open, in a sentence; `None` where there are none. Reactions that are not unique leave the motion unique, unless friction depends on them.
pub fn left_open(assembled: &Assembled) -> Option<String> {
    let shared = shared_reactions(assembled);
    if shared.is_empty() {
        return None;
    }
    let model = assembled.system.model();
    let names: Vec<String> = shared.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    let rubbing = model.forces.iter().filter(|element| {
        let friction = element.force.friction();
        friction.is_some_and(|friction| shared.contains(&model.joints[friction.joint().0].name))
    });
    let rubbing: Vec<String> = rubbing.map(|force| format!("`{}`", force.name)).collect();
    if rubbing.is_empty() {
        return Some(format!(
            "the motion is unique, the reactions of {names} are not"
        ));
    }
    Some(format!(
        "neither the motion nor the reactions of {names} are unique: friction {} depends on how they share the load; of all ways the one with the least reactions is taken",
        rubbing.join(", ")
    ))
}

/// The rows that a redundant row is a combination of.
fn combination(assembled: &Assembled, row: usize) -> impl Iterator<Item = usize> {
    let dependent = assembled.mobility.dependent.iter();
    dependent
        .filter(move |dependent| dependent.row == row)
        .flat_map(|dependent| dependent.depends_on.iter().copied())
}
