//! The spanning tree of a model: which joint carries each body, and which joints close loops.

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
    let mut depth: Vec<Option<usize>> = vec![None; bodies];
    let mut carried: Vec<Option<Branch>> = vec![None; bodies];
    for _ in 0..bodies {
        let Some(branch) = cheapest(model, &depth, &good) else {
            break;
        };
        let below = branch.parent.number().and_then(|p| depth[p]).unwrap_or(0);
        depth[branch.body] = Some(below + 1);
        carried[branch.body] = Some(branch);
    }
    let branches = in_order(&carried);
    let used = |j: usize| branches.iter().any(|b| b.joint == Some(JointIndex(j)));
    let cuts = (0..model.joints.len())
        .filter(|j| !used(*j))
        .map(JointIndex)
        .collect();
    Span { branches, cuts }
}

/// The branch with the least freedom from what is reached to what is not.
fn cheapest(
    model: &Model,
    depth: &[Option<usize>],
    good: impl Fn(&Joint) -> bool,
) -> Option<Branch> {
    let level = |body: BodyIndex| body.number().map_or(Some(0), |b| depth[b]);
    let mut best: Option<((usize, bool, usize), Branch)> = None;
    let mut offer = |key: (usize, bool, usize), branch: Branch| {
        if best.as_ref().is_none_or(|(least, _)| key < *least) {
            best = Some((key, branch));
        }
    };
    for (j, element) in model.joints.iter().enumerate() {
        let shape = element.joint.shape(model.space);
        let (Some(tree), 0) = (shape.tree, shape.velocity_rows) else {
            continue;
        };
        if !good(&element.joint) {
            continue;
        }
        let (first, second) = (element.first.0, element.second.0);
        for (parent, child, reversed) in [(first, second, false), (second, first, true)] {
            let (Some(at), Some(body)) = (level(parent), child.number()) else {
                continue;
            };
            if depth[body].is_none() {
                let joint = Some(JointIndex(j));
                let branch = Branch {
                    body,
                    parent,
                    joint,
                    reversed,
                };
                offer((tree.freedom(), element.armature == 0.0, at), branch);
            }
        }
    }
    // a body that no joint holds moves freely in the ground frame
    if let Some(body) = depth.iter().position(Option::is_none) {
        let branch = Branch {
            body,
            parent: BodyIndex::GROUND,
            joint: None,
            reversed: false,
        };
        offer((model.space.freedom(), true, 0), branch);
    }
    best.map(|(_, branch)| branch)
}

/// Parents before children, each subtree in one piece, children in the order of the bodies.
fn in_order(carried: &[Option<Branch>]) -> Vec<Branch> {
    let mut order = Vec::with_capacity(carried.len());
    let children = |parent: BodyIndex| {
        let of = carried.iter().flatten().filter(move |b| b.parent == parent);
        of.copied().collect::<Vec<_>>()
    };
    let mut waiting = children(BodyIndex::GROUND);
    waiting.reverse();
    while let Some(branch) = waiting.pop() {
        order.push(branch);
        waiting.extend(children(BodyIndex(branch.body)).into_iter().rev());
    }
    order
}
