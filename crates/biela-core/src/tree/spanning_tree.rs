//! The spanning tree of a model: the tree joint of each body, and the joints that close loops.

use std::collections::BinaryHeap;

use crate::joints::Joint;
use crate::model::{BodyIndex, JointIndex, Model};

/// The connection of a body to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The body.
    pub body: usize,
    /// Its parent body.
    pub parent: BodyIndex,
    /// The joint between them; `None` for a body that floats freely in the ground frame.
    pub joint: Option<JointIndex>,
    /// Whether the body is the first body of the joint.
    pub reversed: bool,
}

/// A spanning tree: each body once, parents first and every subtree contiguous, and the remaining joints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanningTree {
    /// Bodies in tree order.
    pub branches: Vec<Branch>,
    /// Joints that close loops or are velocity (nonholonomic) constraints.
    pub cuts: Vec<JointIndex>,
}

/// Returns the first joint, in the order of the model, that closes a loop: the joints before it connect its bodies already, or it is a constraint that no
/// tree contains.
pub fn closing_joint(model: &Model) -> Option<JointIndex> {
    let ground = model.bodies.len();
    // the representative of the bodies that are connected to a body
    let mut group: Vec<usize> = (0..=ground).collect();
    for (j, element) in model.joints.iter().enumerate() {
        let shape = element.joint.shape(model.space);
        let [first, second] =
            [element.first.0, element.second.0].map(|body| group[body.number().unwrap_or(ground)]);
        if shape.tree.is_none() || shape.velocity_rows > 0 || first == second {
            return Some(JointIndex(j));
        }
        for member in &mut group {
            if *member == second {
                *member = first;
            }
        }
    }
    None
}

/// Returns the tree with the fewest joint coordinates. Of equal candidates it prefers joints with an armature, then bodies as close as possible to the
/// ground, so that loops are cut in the middle.
pub fn span(model: &Model) -> SpanningTree {
    span_of(model, |_| true)
}

/// The same with joints whose coordinates have no singularity: a body on any other joint floats freely, and the joint closes a loop.
pub fn span_without_poles(model: &Model) -> SpanningTree {
    span_of(model, |joint| !joint.has_poles(model.space))
}

fn span_of(model: &Model, good: impl Fn(&Joint) -> bool) -> SpanningTree {
    let bodies = model.bodies.len();
    let mut carried: Vec<Option<Branch>> = vec![None; bodies];
    let mut offers = Offers::new(model, good);
    offers.reach(BodyIndex::GROUND, 0);
    let mut free = 0;
    loop {
        while free < bodies && carried[free].is_some() {
            free += 1;
        }
        let Some(Offer { key, branch }) = offers.best(&carried, free) else {
            break;
        };
        carried[branch.body] = Some(branch);
        offers.reach(BodyIndex(branch.body), key.2 + 1);
    }
    let branches = in_order(&carried);
    let mut used = vec![false; model.joints.len()];
    for joint in branches.iter().filter_map(|branch| branch.joint) {
        used[joint.0] = true;
    }
    let connects = |j: &usize| model.joints[*j].connects(model.space);
    let cuts = (0..model.joints.len())
        .filter(|j| !used[*j] && connects(j))
        .map(JointIndex)
        .collect();
    SpanningTree { branches, cuts }
}

/// Degrees of freedom, whether the joint has no armature, depth of the parent, and index in the list: the smallest key is selected.
type SpanningKey = (usize, bool, usize, usize);

/// A candidate branch from a connected body to one that was not connected when it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    key: SpanningKey,
    branch: Branch,
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // the smallest key is the greatest candidate
        other.key.cmp(&self.key)
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The candidates for the next branch.
struct Offers<'m> {
    model: &'m Model,
    /// The admissible joints on each body; the last entry is the ground.
    joints: Vec<Vec<usize>>,
    heap: BinaryHeap<Offer>,
}

impl<'m> Offers<'m> {
    fn new(model: &'m Model, good: impl Fn(&Joint) -> bool) -> Self {
        let mut joints = vec![Vec::new(); model.bodies.len() + 1];
        for (j, element) in model.joints.iter().enumerate() {
            let shape = element.joint.shape(model.space);
            if shape.tree.is_some() && shape.velocity_rows == 0 && good(&element.joint) {
                for side in [element.first.0, element.second.0] {
                    joints[side.number().unwrap_or(model.bodies.len())].push(j);
                }
            }
        }
        Offers {
            model,
            joints,
            heap: BinaryHeap::new(),
        }
    }

    /// Registers a connected body at a depth: adds the joints on it.
    fn reach(&mut self, parent: BodyIndex, depth: usize) {
        let at = parent.number().unwrap_or(self.model.bodies.len());
        for &j in &self.joints[at] {
            let element = &self.model.joints[j];
            let Some(tree) = element.joint.shape(self.model.space).tree else {
                continue;
            };
            let (first, second) = (element.first.0, element.second.0);
            for (from, child, reversed) in [(first, second, false), (second, first, true)] {
                let (true, Some(body)) = (from == parent, child.number()) else {
                    continue;
                };
                let place = 2 * j + usize::from(reversed);
                let key = (tree.freedom(), element.armature == 0.0, depth, place);
                let joint = Some(JointIndex(j));
                let branch = Branch {
                    body,
                    parent,
                    joint,
                    reversed,
                };
                self.heap.push(Offer { key, branch });
            }
        }
    }

    /// Returns the branch with the fewest degrees of freedom to a body that is not connected yet; `free` is the first of those.
    fn best(&mut self, carried: &[Option<Branch>], free: usize) -> Option<Offer> {
        while self
            .heap
            .peek()
            .is_some_and(|offer| carried[offer.branch.body].is_some())
        {
            let _ = self.heap.pop();
        }
        if free >= carried.len() {
            return None;
        }
        // a body without a joint floats freely in the ground frame
        let alone = Offer {
            key: (self.model.space.freedom(), true, 0, usize::MAX),
            branch: Branch {
                body: free,
                parent: BodyIndex::GROUND,
                joint: None,
                reversed: false,
            },
        };
        match self.heap.peek() {
            Some(offer) if offer.key < alone.key => self.heap.pop(),
            _ => Some(alone),
        }
    }
}

/// Returns parents before children, each subtree contiguous, children in the order of the bodies.
fn in_order(carried: &[Option<Branch>]) -> Vec<Branch> {
    let ground = carried.len();
    let mut children = vec![Vec::new(); carried.len() + 1];
    for branch in carried.iter().flatten().rev() {
        children[branch.parent.number().unwrap_or(ground)].push(*branch);
    }
    let mut order = Vec::with_capacity(carried.len());
    let mut waiting = std::mem::take(&mut children[ground]);
    while let Some(branch) = waiting.pop() {
        order.push(branch);
        waiting.append(&mut children[branch.body]);
    }
    order
}
