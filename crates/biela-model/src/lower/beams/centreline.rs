//! The attachment of contacts to beams as a whole.

use biela_core::flexible::Profile;
use biela_core::math::Pose;
use biela_core::model::{BeamIndex, BodyIndex, Model, Space};

use crate::lower::names::{NameIndex, Points};

/// Points closer than this fraction of the length of the beam coincide.
const NEAR: f64 = 1e-9;

/// The centreline of a beam with the bodies that move with its points.
pub(in crate::lower) struct Centreline {
    /// Length without stress.
    pub(in crate::lower) length: f64,
    /// Number of nodes.
    pub(in crate::lower) nodes: usize,
    /// Half the height of its section, if it is the same everywhere and in all directions across the beam in which a contact can be.
    pub(in crate::lower) radius: Option<f64>,
    /// How a point is fixed to it.
    pub(super) attachment: Attachment,
}

/// The pose on a body at a distance from the start.
type PoseAlong = Box<dyn Fn(f64) -> (BodyIndex, Pose)>;

/// How a point is fixed to a beam.
pub(super) enum Attachment {
    /// By a station, which is added for it.
    Station(BeamIndex),
    /// To rigid bodies, anywhere.
    Bodies(PoseAlong),
    /// To nodes alone: the distance of each from the start as a share of the length, its body and its pose on it.
    Nodes(Vec<(f64, BodyIndex, Pose)>),
}

impl Centreline {
    /// Half the height of a section, by which a contact is apart from the centreline; `None` if it varies, or depends on the direction across the beam.
    pub(super) fn radius(profiles: Option<[Profile; 2]>, space: Space) -> Option<f64> {
        let half = |profile| match (profile, space) {
            (Profile::Circle { radius } | Profile::Tube { radius, .. }, _) => Some(radius),
            (
                Profile::Rectangle { height, .. }
                | Profile::I { height, .. }
                | Profile::Box { height, .. },
                Space::Planar,
            ) => Some(0.5 * height),
            _ => None,
        };
        let [start, end] = profiles?;
        let (start, end) = (half(start)?, half(end)?);
        (start.to_bits() == end.to_bits()).then_some(start)
    }

    /// Points at equal distances from the start to the end, or all nodes: the bodies to which they are fixed and their poses on them. `None` if a point is between
    /// the nodes of a beam whose points are its nodes.
    pub(in crate::lower) fn candidates(
        &self,
        contact: &str,
        points: Option<usize>,
        model: &mut Model,
        names: &mut NameIndex,
    ) -> Option<Vec<(BodyIndex, Pose)>> {
        let last = points.unwrap_or(self.nodes).max(2) - 1;
        let mut shares = (0..=last).map(|k| k as f64 / last as f64);
        match &self.attachment {
            Attachment::Station(beam) => {
                let markers = model.add_candidates(*beam, contact, last + 1);
                let list = markers.into_iter().map(|marker| {
                    names.bodies.push(Points::new(marker));
                    (model.markers[marker.0].body, Pose::identity())
                });
                Some(list.collect())
            }
            Attachment::Bodies(at) => Some(shares.map(|share| at(share * self.length)).collect()),
            Attachment::Nodes(nodes) if points.is_none() => {
                let all = nodes.iter().map(|(_, body, pose)| (*body, *pose));
                Some(all.collect())
            }
            Attachment::Nodes(nodes) => {
                let at = |share: f64| {
                    let mut nodes = nodes.iter();
                    let node = nodes.find(|(other, ..)| (share - other).abs() < NEAR)?;
                    Some((node.1, node.2))
                };
                shares.try_fold(Vec::new(), |mut list, share| {
                    list.push(at(share)?);
                    Some(list)
                })
            }
        }
    }
}
