//! Bodies whose own mass matrix is singular: massless bodies, point masses, thin rods.

use super::{BodyIndex, Model};
use crate::joints::Joint;

impl Model {
    /// Whether each body is welded to the ground, directly or through others.
    pub fn welded_to_ground(&self) -> Vec<bool> {
        // the ground has the index after the last body
        let ground = self.bodies.len();
        let place = |body: BodyIndex| body.number().unwrap_or(ground);
        let mut welded = vec![Vec::new(); ground + 1];
        for joint in &self.joints {
            if matches!(joint.joint, Joint::Weld(_)) {
                let (a, b) = (place(joint.first.0), place(joint.second.0));
                welded[a].push(b);
                welded[b].push(a);
            }
        }
        let mut held = vec![false; ground + 1];
        let mut reached = vec![ground];
        while let Some(b) = reached.pop() {
            if !held[b] {
                held[b] = true;
                reached.extend(&welded[b]);
            }
        }
        held.truncate(ground);
        held
    }

    /// Returns the first movable body whose own mass matrix is singular. Its accelerations are undetermined in absolute coordinates,
    /// but not in joint coordinates.
    pub fn body_without_inertia(&self) -> Option<BodyIndex> {
        let indefinite = |b: &usize| {
            let body = &self.bodies[*b];
            // the inertia of a station is that of its beam
            body.station.is_none() && !body.mass.is_definite(self.space)
        };
        let lacking: Vec<usize> = (0..self.bodies.len()).filter(indefinite).collect();
        if lacking.is_empty() {
            return None;
        }
        let held = self.welded_to_ground();
        lacking.into_iter().find(|b| !held[*b]).map(BodyIndex)
    }
}
