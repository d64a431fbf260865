//! Joint armatures of velocities that are not coordinates of the formulation, as rank-one terms of the mass matrix.
//!
//! ```text
//! T = ½ a q̇²      q̇ = g v      q̈ = g v̇ − γ      ⇒      M += a gᵀ g      f += a γ gᵀ
//! ```
//!
//! The number of equations does not change: no coordinate and no row is added, and the multipliers of a joint remain its reaction.

use std::collections::BTreeMap;

use super::rows::RowDerivatives;
use super::{EvaluationContext, SystemKinematics};
use crate::joints::{PoseFunction, TreeShape};
use crate::math::RowPattern;
use crate::model::{JointElement, JointIndex, Model};

/// The armature of one velocity coordinate of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Armature {
    pub(super) joint: JointIndex,
    rate: usize,
    pub(super) inertia: f64,
}

impl Armature {
    /// Returns the joint velocity as a function of the relative motion across the joint.
    pub(super) fn row(&self, model: &Model, kinematics: &SystemKinematics) -> PoseFunction {
        let rel = &kinematics.joints[self.joint.0].rel;
        model.joints[self.joint.0]
            .joint
            .rate(model.space, self.rate, rel)
    }
}

/// Returns the armatures of the selected joints.
pub(super) fn of_joints(model: &Model, wanted: impl Fn(JointIndex) -> bool) -> Vec<Armature> {
    let mut all = Vec::new();
    for (j, element) in model.joints.iter().enumerate() {
        if wanted(JointIndex(j)) {
            all.extend(of_joint(model, JointIndex(j), element));
        }
    }
    all
}

/// Returns the armatures of one joint.
fn of_joint(
    model: &Model,
    joint: JointIndex,
    element: &JointElement,
) -> impl Iterator<Item = Armature> + use<> {
    let inertia = element.armature;
    let tree = element.joint.shape(model.space).tree;
    let freedom = tree.map_or(0, TreeShape::freedom);
    let rates = if inertia == 0.0 { 0 } else { freedom };
    (0..rates).map(move |rate| Armature {
        joint,
        rate,
        inertia,
    })
}

/// Returns the kinetic energy of all armatures.
pub(super) fn kinetic_energy(context: &EvaluationContext<'_>) -> f64 {
    let energy = |behind: Armature| {
        let row = behind.row(context.model, context.kinematics);
        let rate = row.rate(&context.kinematics.joints[behind.joint.0].rel);
        0.5 * behind.inertia * rate * rate
    };
    let joints = context.model.joints.iter().enumerate();
    joints
        .flat_map(|(j, element)| of_joint(context.model, JointIndex(j), element))
        .map(energy)
        .sum()
}

/// The armatures that are rank-one terms of a mass matrix.
#[derive(Debug)]
pub(super) struct Armatures {
    pub(super) all: Vec<Armature>,
    /// The velocity coordinates on which each joint velocity depends.
    pub(super) pattern: RowPattern,
    /// Target index of each product of two of its derivatives.
    target: Vec<usize>,
}

impl Armatures {
    /// Creates each armature with the columns that move the bodies of its joint; adds missing entries to those of the mass matrix.
    pub(super) fn new(
        all: Vec<Armature>,
        columns: impl Fn(JointIndex) -> Vec<usize>,
        entries: &mut Vec<(usize, usize)>,
    ) -> Self {
        let (mut pattern, mut target) = (RowPattern::new(), Vec::new());
        let mut place = BTreeMap::new();
        if !all.is_empty() {
            place.extend(entries.iter().enumerate().map(|(k, entry)| (*entry, k)));
        }
        for behind in &all {
            let columns = columns(behind.joint);
            for (k, &a) in columns.iter().enumerate() {
                for &b in &columns[..=k] {
                    let entry = (a.max(b), a.min(b));
                    target.push(*place.entry(entry).or_insert_with(|| {
                        entries.push(entry);
                        entries.len() - 1
                    }));
                }
            }
            pattern.push(columns);
        }
        Armatures {
            all,
            pattern,
            target,
        }
    }

    /// Returns the buffer size: the derivatives g, then γ of each armature.
    pub(super) fn buffer(&self) -> usize {
        self.pattern.num_entries() + self.all.len()
    }

    /// Adds the armatures to the values of the mass matrix.
    pub(super) fn add_mass(&self, buffer: &[f64], values: &mut [f64]) {
        let mut target = self.target.iter();
        for (i, behind) in self.all.iter().enumerate() {
            let g = &buffer[self.pattern.range(i)];
            for (k, a) in g.iter().enumerate() {
                for (b, at) in g[..=k].iter().zip(target.by_ref()) {
                    values[*at] += behind.inertia * a * b;
                }
            }
        }
    }

    /// Adds the velocity-dependent terms to the forces.
    pub(super) fn add_forces(&self, buffer: &[f64], force: &mut [f64]) {
        let (g, gamma) = buffer.split_at(self.pattern.num_entries());
        for (i, (behind, gamma)) in self.all.iter().zip(gamma).enumerate() {
            self.pattern.add_row(i, g, behind.inertia * gamma, force);
        }
    }

    /// Fills the buffer; `derivatives` creates a writer of g.
    pub(super) fn differentiate<'b, D: RowDerivatives>(
        &self,
        model: &Model,
        kinematics: &SystemKinematics,
        buffer: &'b mut [f64],
        derivatives: impl FnOnce(&'b mut [f64]) -> D,
    ) {
        let (g, gamma) = buffer.split_at_mut(self.pattern.num_entries());
        g.fill(0.0);
        let mut derivatives = derivatives(g);
        for (i, (behind, gamma)) in self.all.iter().zip(gamma).enumerate() {
            let row = behind.row(model, kinematics);
            *gamma = derivatives.relative(i, behind.joint, &row);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::joints::JOINTS;
    use crate::math::{Mat3, Random};
    use crate::model::BodyIndex;
    use crate::tree::beside::{absolute, accelerations_of_bodies, solve_absolute};
    use crate::tree::suite::{joint_of_kind, random_model, random_pose, random_state};
    use crate::tree::{Tree, TreeWorkspace, aba, accelerations, velocities};

    #[test]
    fn every_joint_with_an_armature_moves_the_same_in_both_formulations() {
        for (k, info) in JOINTS.iter().enumerate() {
            for space in info.spaces {
                for seed in 0..4 {
                    let build = || {
                        let mut random = Random::new(31 * k as u64 + seed);
                        let mut model = random_model(*space, 2, &mut random);
                        let joint = joint_of_kind(info, *space, &mut random)?;
                        let _ = joint.shape(*space).tree?;
                        let body = crate::model::Body::new("last", model.bodies[0].mass);
                        let body = model.add_body(body);
                        let near = model.add_marker(
                            "near",
                            BodyIndex(1),
                            random_pose(*space, &mut random),
                        );
                        let far = model.add_marker("far", body, random_pose(*space, &mut random));
                        let between = if seed % 2 == 0 {
                            [near, far]
                        } else {
                            [far, near]
                        };
                        let added = model.add_joint("last", joint, between, &Mat3::identity());
                        for joint in &mut model.joints {
                            joint.armature = 0.0;
                        }
                        model.joints[added.0].armature = 1.5;
                        Some(model)
                    };
                    let Some(model) = build() else { continue };
                    let tree = Tree::spanning(&model);
                    let (q, v) = random_state(&tree, &mut Random::new(seed));
                    let n = tree.velocities;
                    let mut ws = TreeWorkspace::new(&tree);
                    let mut rates = vec![0.0; n];
                    aba(&tree, &mut ws, &q, &v, &vec![0.0; n], &[], &mut rates);
                    velocities(&tree, &mut ws, &q, &v);
                    accelerations(&tree, &mut ws, &rates, &crate::math::Vec3::zeros());
                    let (system, mut evaluation) = absolute(model, &tree, &q, &v);
                    let solution = solve_absolute(&system, &mut evaluation);
                    let all = accelerations_of_bodies(&system, &evaluation, &solution);
                    for (place, (_, alpha)) in tree.places.iter().zip(&all) {
                        let Some(link) = place.link else { continue };
                        let expected = ws.links[link].acceleration.w;
                        let error = (alpha - expected).norm() / (1.0 + expected.norm());
                        assert!(error < 1e-9, "{} {space:?} {seed}: {error:e}", info.name);
                    }
                }
            }
        }
    }
}
