//! The tree of links, mimic joints, and initial positions of joints.

use std::collections::BTreeMap;

use super::UrdfOptions;
use super::resist::loose_joints;
use super::robot::{UrdfJoint, UrdfRobot};
use crate::diagnostic::{Diagnostic, Diagnostics, Span, Spanned, shown};
use crate::suggest::did_you_mean;

/// The maximum number of names in a message.
const MOST_LISTED: usize = 8;

/// The structure of links and joints.
pub(super) struct LinkTree {
    /// Links, each after its parent.
    pub(super) order: Vec<usize>,
    /// The joint between each link and its parent; `None` for the root.
    pub(super) joint: Vec<Option<usize>>,
    /// The parent of each link.
    pub(super) parent: Vec<Option<usize>>,
    /// The joint that each mimic joint follows.
    pub(super) followed: Vec<Option<usize>>,
    /// The initial position of each joint with one coordinate: zero, clamped to its limits.
    pub(super) start: Vec<f64>,
    /// Joints that are locked at their initial position, because their acceleration would be undetermined.
    pub(super) held: Vec<bool>,
}

/// Arranges a robot; `None` if it is not a tree, which was reported.
pub(super) fn arrange(
    robot: &UrdfRobot<'_>,
    options: UrdfOptions,
    diagnostics: &Diagnostics,
) -> Option<LinkTree> {
    let links = by_name(
        robot.links.iter().map(|link| link.name),
        "links",
        diagnostics,
    );
    let joints = by_name(
        robot.joints.iter().map(|joint| joint.name),
        "joints",
        diagnostics,
    );
    let mut tree = LinkTree {
        order: Vec::new(),
        joint: vec![None; robot.links.len()],
        parent: vec![None; robot.links.len()],
        followed: vec![None; robot.joints.len()],
        start: vec![0.0; robot.joints.len()],
        held: vec![false; robot.joints.len()],
    };
    let mut complete = robot.complete;
    for (j, joint) in robot.joints.iter().enumerate() {
        let find = |end: Spanned<&str>| {
            let found = links.get(end.value).copied();
            if found.is_none() {
                unknown(joint, "link", end, links.keys().copied());
            }
            found
        };
        let (parent, child) = (find(joint.parent), find(joint.child));
        let (Some(parent), Some(child)) = (parent, child) else {
            complete = false;
            continue;
        };
        if let Some(first) = tree.joint[child] {
            two_parents(robot, child, [first, j], diagnostics);
        } else {
            (tree.joint[child], tree.parent[child]) = (Some(j), Some(parent));
        }
    }
    tree.follow(robot, &joints);
    // a missing joint would make any robot appear disconnected
    if complete {
        tree.sort(robot, diagnostics);
    }
    if diagnostics.has_errors() {
        return None;
    }
    tree.hold(robot, options);
    tree.place(robot);
    Some(tree).filter(|_| !diagnostics.has_errors())
}

/// Indices by name; duplicate names are reported.
fn by_name<'x>(
    names: impl Iterator<Item = Spanned<&'x str>>,
    what: &str,
    diagnostics: &Diagnostics,
) -> BTreeMap<&'x str, usize> {
    let mut found: BTreeMap<&str, (usize, Span)> = BTreeMap::new();
    for (i, name) in names.enumerate() {
        if let Some((_, first)) = found.get(name.value) {
            let message = format!("two {what} are called {}", shown(name.value));
            let error = Diagnostic::error("duplicate-name", message);
            diagnostics.push(error.at(name.span, "the second").also(*first, "the first"));
        } else {
            let _ = found.insert(name.value, (i, name.span));
        }
    }
    found.into_iter().map(|(name, (i, _))| (name, i)).collect()
}

fn unknown<'x>(
    joint: &UrdfJoint<'_>,
    what: &str,
    name: Spanned<&str>,
    known: impl Iterator<Item = &'x str>,
) {
    let message = format!(
        "{}: there is no {what} {}",
        joint.element.what(),
        shown(name.value)
    );
    let near = did_you_mean(name.value, known);
    let help = near.map_or(String::new(), |near| format!("did you mean \"{near}\"?"));
    joint
        .element
        .error("unknown-name", message, (name.span, ""), &help);
}

fn two_parents(robot: &UrdfRobot<'_>, child: usize, joints: [usize; 2], diagnostics: &Diagnostics) {
    let [first, second] = joints.map(|j| &robot.joints[j]);
    let message = format!(
        "link {} has two parent joints, {} and {}",
        shown(robot.links[child].name.value),
        shown(first.name.value),
        shown(second.name.value),
    );
    diagnostics.push(
        Diagnostic::error("two-parents", message)
            .at(second.child.span, "the second")
            .also(first.child.span, "the first")
            .help("a URDF robot is a tree; close the loop by a joint in the imported model"),
    );
}

/// Names for a message, truncated if there are many.
fn listed<'x>(names: impl Iterator<Item = &'x str>) -> String {
    let names: Vec<String> = names.map(shown).collect();
    let more = names.len().saturating_sub(MOST_LISTED);
    let first = names[..names.len() - more].join(", ");
    if more > 0 {
        format!("{first} and {more} more")
    } else {
        first
    }
}

impl LinkTree {
    /// Resolves the mimic joints.
    fn follow(&mut self, robot: &UrdfRobot<'_>, joints: &BTreeMap<&str, usize>) {
        for (j, joint) in robot.joints.iter().enumerate() {
            let Some(mimic) = joint.mimic else {
                continue;
            };
            let Some(&target) = joints.get(mimic.joint.value) else {
                unknown(joint, "joint", mimic.joint, joints.keys().copied());
                continue;
            };
            if !robot.joints[target].kind.is_single() {
                let (own, other) = (joint.element.what(), shown(mimic.joint.value));
                let message = format!("{own} follows {other}, which does not have one coordinate");
                let help = "only revolute, continuous and prismatic joints can be followed";
                joint
                    .element
                    .error("bad-mimic", message, (mimic.joint.span, ""), help);
                continue;
            }
            self.followed[j] = Some(target);
        }
        for (j, joint) in robot.joints.iter().enumerate() {
            let mut seen = vec![j];
            let mut next = self.followed[j];
            while let Some(k) = next {
                // a cycle is reported once, at its first joint
                if k == j && seen.iter().all(|k| *k >= j) {
                    let names = listed(seen.iter().map(|k| robot.joints[*k].name.value));
                    let message = format!("<mimic> joints form a cycle: {names}");
                    let place = joint.mimic.map_or(joint.element.span(), |m| m.joint.span);
                    let help = "remove <mimic> from one of them";
                    joint
                        .element
                        .error("mimic-circle", message, (place, ""), help);
                }
                if seen.contains(&k) {
                    break;
                }
                seen.push(k);
                next = self.followed[k];
            }
        }
    }

    /// Sorts links after their parents; several roots or cycles are reported.
    fn sort(&mut self, robot: &UrdfRobot<'_>, diagnostics: &Diagnostics) {
        let mut children = vec![Vec::new(); robot.links.len()];
        for (link, parent) in self.parent.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(link);
            }
        }
        let roots: Vec<usize> = (0..robot.links.len())
            .filter(|&link| self.joint[link].is_none())
            .collect();
        if roots.len() > 1 {
            let names = listed(roots.iter().map(|&link| robot.links[link].name.value));
            let message = format!("the robot has several root links: {names}");
            let second = &robot.links[roots[1]];
            diagnostics.push(
                Diagnostic::error("several-roots", message)
                    .at(second.name.span, "the second of them")
                    .also(robot.links[roots[0]].name.span, "the first")
                    .help("a robot has one root; connect the others by joints, such as fixed ones"),
            );
        }
        let mut reached = vec![false; robot.links.len()];
        let mut waiting: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(link) = waiting.pop() {
            reached[link] = true;
            self.order.push(link);
            waiting.extend(children[link].iter().rev());
        }
        while let Some(lost) = reached.iter().position(|reached| !reached) {
            self.report_circle(robot, lost, &mut reached);
        }
    }

    /// Reports the cycle of links below `lost`, and marks everything attached to it as reached.
    fn report_circle(&self, robot: &UrdfRobot<'_>, lost: usize, reached: &mut [bool]) {
        let mut path: Vec<usize> = Vec::new();
        let mut next = Some(lost);
        let mut circle = None;
        while let Some(link) = next.filter(|link| !reached[*link]) {
            circle = path.iter().position(|seen| *seen == link);
            if circle.is_some() {
                break;
            }
            path.push(link);
            next = self.parent[link];
        }
        for link in &path {
            reached[*link] = true;
        }
        let Some(first) = circle else { return };
        let first_link = path[first];
        let names = listed(path[first..].iter().map(|&l| robot.links[l].name.value));
        let message = format!("links form a cycle: {names}");
        if let Some(joint) = self.joint[first_link].map(|j| &robot.joints[j]) {
            let help = "a URDF robot is a tree; remove one of these joints";
            joint
                .element
                .error("circle", message, (joint.child.span, ""), help);
        }
    }

    /// Finds the joints without inertia, and those that mimic them.
    fn hold(&mut self, robot: &UrdfRobot<'_>, options: UrdfOptions) {
        for loose in loose_joints(robot, self, options) {
            let Some(j) = loose else {
                self.report_loose_base(robot);
                continue;
            };
            let joint = &robot.joints[j];
            let message = format!("{} has zero inertia", joint.element.what());
            let label = "its acceleration is undetermined";
            let help = "it is locked at its initial position; to free it give the link, or a link that it carries, mass and inertia about the axis";
            joint
                .element
                .warning("no-inertia", message, (joint.element.span(), label), help);
            self.held[j] = true;
        }
        for (j, joint) in robot.joints.iter().enumerate() {
            let Some(mimic) = joint.mimic else { continue };
            if mimic.multiplier == 0.0 && !self.held[j] {
                let message = format!("{} follows with a multiplier of 0", joint.element.what());
                let help = "it is locked at the offset";
                let place = (mimic.element.span(), "");
                joint.element.warning("held-mimic", message, place, help);
                self.held[j] = true;
            }
        }
        // up to the length of a chain of mimic joints
        for _ in 0..robot.joints.len() {
            let mut more = false;
            for (j, joint) in robot.joints.iter().enumerate() {
                if let (false, Some(target)) = (self.held[j], self.followed[j])
                    && self.held[target]
                {
                    let message = format!("{} follows a locked joint", joint.element.what());
                    let place = (joint.element.span(), "");
                    let help = "it is locked at its initial position";
                    joint.element.warning("held-mimic", message, place, help);
                    self.held[j] = true;
                    more = true;
                }
            }
            if !more {
                break;
            }
        }
    }

    /// Reports a floating base without inertia in some direction.
    fn report_loose_base(&self, robot: &UrdfRobot<'_>) {
        if let Some(base) = self.order.first().map(|&link| &robot.links[link]) {
            let name = base.element.what();
            let message = format!("the floating base, {name}, has a singular mass matrix");
            let help = "give it, or a link fixed to it, mass and inertia, or import the robot with a fixed base";
            let place = (base.name.span, "the floating base");
            base.element.error("no-inertia", message, place, help);
        }
    }

    /// Determines the initial positions of joints.
    fn place(&mut self, robot: &UrdfRobot<'_>) {
        for (j, joint) in robot.joints.iter().enumerate() {
            let mut chain = vec![j];
            while let Some(next) = chain.last().and_then(|last| self.followed[*last]) {
                chain.push(next);
            }
            let first = chain.last().map_or(joint, |last| &robot.joints[*last]);
            let mut value = first.limits.clamp(0.0);
            for mimic in chain.iter().rev().filter_map(|k| robot.joints[*k].mimic) {
                value = mimic.multiplier * value + mimic.offset;
            }
            self.start[j] = value;
        }
    }
}
