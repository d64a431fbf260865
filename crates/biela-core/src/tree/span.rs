//! The spanning tree of a model: which joint carries each body, and which joints close loops.

use std::collections::BinaryHeap;

use crate::joints::Joint;
use crate::model::{BodyIndex, JointIndex, Model};

/// How a body hangs on the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The body.
    pub body: usize,
    /// The body that carries it.
    pub parent: BodyIndex,
    /// The joint between them; `None` leaves the body free in the ground frame.
    pub joint: Option<JointIndex>,
    /// The body is the first body of the joint.
    pub reversed: bool,
}

/// A spanning tree: each body once, parents first and every subtree in one piece, and the joints that are left over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Bodies in the order of the tree.
    pub branches: Vec<Branch>,
    /// Joints that close loops or have equations on velocities.
    pub cuts: Vec<JointIndex>,
}

/// The tree with the fewest joint coordinates; among equals it keeps joints with an inertia behind them, and bodies hang as near the
/// ground as they can, so that loops are cut in their middle.
pub fn span(model: &Model) -> Span {
    span_of(model, |_| true)
}

/// The same from joints whose coordinates are good at every pose: a body on any other joint moves freely and the joint closes a loop.
pub fn span_without_poles(model: &Model) -> Span {
    span_of(model, |joint| !joint.has_poles(model.space))
}

fn span_of(model: &Model, good: impl Fn(&Joint) -> bool) -> Span {
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
    let cuts = (0..model.joints.len())
        .filter(|j| !used[*j])
        .map(JointIndex)
        .collect();
    Span { branches, cuts }
}

/// Freedom, whether no inertia is behind the joint, depth of the parent, and the place in the list: the least is taken.
type Key = (usize, bool, usize, usize);

/// A branch from what is reached to what was not when it was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    key: Key,
    branch: Branch,
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // the least key is the greatest offer
        other.key.cmp(&self.key)
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The branches that could be next.
struct Offers<'m> {
    model: &'m Model,
    /// The good joints on each body, and at last on the ground.
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

    /// A body has its place at a depth: the joints on it lead on.
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

    /// The branch with the least freedom to a body that is not carried yet; `free` is the first of those.
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
        // a body that no joint holds moves freely in the ground frame
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

/// Parents before children, each subtree in one piece, children in the order of the bodies.
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
