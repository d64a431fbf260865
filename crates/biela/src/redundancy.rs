//! Redundant constraints, by the names of their elements.
//!
//! A row of the constraint Jacobian G that is a linear combination of others does not affect the motion. The multipliers of all rows in that combination are
//! then not unique: only their combined effect is determined, so the reactions of these joints are not unique.

use biela_core::analysis::Assembled;
use biela_core::system::RowOwner;

/// Redundant rows of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// "joint `pin`".
    pub element: String,
    /// The number of its redundant rows.
    pub rows: usize,
    /// Names of the elements whose rows imply the redundant ones.
    pub said_by: Vec<String>,
}

impl std::fmt::Display for Redundancy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, verb) = match self.rows {
            1 => ("1 row".to_owned(), "is"),
            n => (format!("{n} rows"), "are"),
        };
        write!(f, "{rows} of {} {verb} implied by ", self.element)?;
        match self.said_by.as_slice() {
            [] => write!(f, "the other constraints"),
            [one] => write!(f, "`{one}`"),
            [first, rest @ ..] => {
                write!(f, "`{first}`")?;
                for name in rest {
                    write!(f, ", `{name}`")?;
                }
                Ok(())
            }
        }
    }
}

/// Returns the redundant rows of a model by element.
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

/// Returns the joints whose reactions are not unique, in the order of the model.
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

/// Describes the quantities that redundant constraints leave undetermined; `None` if there are none. The motion is unique even if reactions are not, unless
/// friction depends on them.
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
        "neither the motion nor the reactions of {names} are unique: friction {} depends on how they share the load; the minimum-norm reactions are used",
        rubbing.join(", ")
    ))
}

/// The rows of which a redundant row is a linear combination.
fn combination(assembled: &Assembled, row: usize) -> impl Iterator<Item = usize> {
    let dependent = assembled.mobility.dependent.iter();
    dependent
        .filter(move |dependent| dependent.row == row)
        .flat_map(|dependent| dependent.depends_on.iter().copied())
}
