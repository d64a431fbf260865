//! The pattern of the tangent, and the indices of its blocks.

use std::collections::{BTreeMap, BTreeSet};

use crate::joints::{JointEquations, Relative};
use crate::math::rotation::{about_axis, zero3};
use crate::math::{SymmetricPattern, Vec3};
use crate::model::{BodyIndex, DriverTarget, Model, Space};
use crate::system::coordinate_layout::CoordinateLayout;

/// The layout of the blocks of T.
#[derive(Debug)]
pub(in crate::system) struct TangentLayout {
    pub(in crate::system) pattern: SymmetricPattern,
    /// Indices of the mass matrix's entries.
    pub(super) mass: Vec<usize>,
    /// Start of the block of each pair of parts (part 2b is the translation of body b, part 2b+1 its rotation), larger part first.
    pub(super) blocks: BTreeMap<(usize, usize), usize>,
    /// Joints at each body, for the finite differences of forces.
    pub(super) joints_at: Vec<Vec<usize>>,
    /// Bodies each joint connects.
    pub(super) joint_bodies: Vec<Vec<usize>>,
    /// Bodies each force acts on.
    pub(super) force_bodies: Vec<Vec<usize>>,
    /// Indices of the entries of each pair of bodies of which one is a station, larger body first: its coordinates by those of the other.
    pub(super) station_blocks: BTreeMap<(usize, usize), StationBlock>,
    /// Indices of the entries of each element of each beam, lower triangle, row after row.
    pub(super) elements: Vec<Vec<usize>>,
}

/// The indices of the entries of a pair of bodies of which one is a station.
#[derive(Debug)]
pub(super) enum StationBlock {
    /// The coordinates of the first, one after the other, each with this number of coordinates of the second.
    Pairs(Vec<usize>, usize),
    /// A sliding station with itself: among the entries of its current element.
    Sliding(usize),
}

/// Coordinates of a part: translation or rotation of a body with coordinates of its own.
pub(super) fn part_range(
    space: Space,
    places: &CoordinateLayout,
    part: usize,
) -> std::ops::Range<usize> {
    let columns = places.columns(part / 2);
    let turning = columns.start + space.axes();
    if part.is_multiple_of(2) {
        columns.start..turning
    } else {
        turning..columns.end
    }
}

impl TangentLayout {
    pub(in crate::system) fn new(
        model: &Model,
        places: &CoordinateLayout,
        mass: &SymmetricPattern,
    ) -> Self {
        let joints = model.joints.iter();
        let joint_bodies: Vec<Vec<usize>> = joints
            .map(|element| numbers(&[element.first.0, element.second.0]))
            .collect();
        let mut joints_at = vec![Vec::new(); model.bodies.len()];
        for (j, bodies) in joint_bodies.iter().enumerate() {
            for &b in bodies {
                joints_at[b].push(j);
            }
        }
        let forces = model.forces.iter();
        let force_bodies: Vec<Vec<usize>> =
            forces.map(|f| numbers(&f.force.bodies(model))).collect();

        let coupled = CoupledParts::new(model, places, &joint_bodies, &force_bodies);
        let mut entries = TangentEntries::default();
        let mut blocks = BTreeMap::new();
        for (a, b) in coupled.pairs {
            let _ = blocks.insert((a, b), entries.list.len());
            for i in part_range(model.space, places, a) {
                for j in part_range(model.space, places, b).take_while(|j| *j <= i) {
                    let _ = entries.locate(i, j);
                }
            }
        }
        // the mass matrix needs the diagonal of translations, which may be outside all blocks
        let mass = mass.entries.iter();
        let mass = mass.map(|(i, j)| entries.locate(*i, *j)).collect();
        let elements = entries.of_elements(model, places);
        let mut station_blocks = BTreeMap::new();
        for (a, b) in coupled.with_station {
            let block = entries.of_station(model, places, (a, b));
            let _ = station_blocks.insert((a, b), block);
        }
        TangentLayout {
            pattern: SymmetricPattern {
                entries: entries.list,
            },
            mass,
            blocks,
            joints_at,
            joint_bodies,
            force_bodies,
            station_blocks,
            elements,
        }
    }
}

/// The pairs of parts and of bodies that an element couples.
struct CoupledParts<'a> {
    places: &'a CoordinateLayout,
    /// Parts of bodies with coordinates of their own, larger part first.
    pairs: BTreeSet<(usize, usize)>,
    /// Bodies of which one is a station, larger body first.
    with_station: BTreeSet<(usize, usize)>,
}

impl<'a> CoupledParts<'a> {
    fn new(
        model: &Model,
        places: &'a CoordinateLayout,
        joint_bodies: &[Vec<usize>],
        force_bodies: &[Vec<usize>],
    ) -> Self {
        let mut coupled = CoupledParts {
            places,
            pairs: BTreeSet::new(),
            with_station: BTreeSet::new(),
        };
        for b in 0..model.bodies.len() {
            coupled.couple(&[b], true);
        }
        for (element, bodies) in model.joints.iter().zip(joint_bodies) {
            let mut rows = JointEquations::new();
            let rel = Relative::at_rest(
                about_axis(&Vec3::new(0.6, 0.0, 0.8), 0.4),
                Vec3::new(0.3, 0.2, 0.1),
            );
            element.joint.rows(model.space, &rel, &mut rows);
            let rest = &rows.as_slice()[rows.coincident()..];
            if !rest.is_empty() {
                coupled.couple(bodies, rest.iter().all(|row| row.v == zero3()));
            }
        }
        for (joint, _, _) in model.couplers.iter().flat_map(|element| &element.terms) {
            coupled.couple(&joint_bodies[joint.0], false);
        }
        for element in &model.drivers {
            match element.target {
                DriverTarget::Joint(j, _) => coupled.couple(&joint_bodies[j.0], false),
                DriverTarget::Point(m, _) => {
                    coupled.couple(&numbers(&[model.markers[m.0].body]), true);
                }
            }
        }
        for bodies in force_bodies {
            coupled.couple(bodies, false);
        }
        coupled
    }

    /// Couples all coordinates of bodies, or only their rotations.
    fn couple(&mut self, bodies: &[usize], turning_only: bool) {
        let first = usize::from(turning_only);
        let owns = |b: &usize| self.places.owns(*b);
        let parts: Vec<usize> = bodies
            .iter()
            .filter(|b| owns(b))
            .flat_map(|b| (first..2).map(move |k| 2 * b + k))
            .collect();
        for &station in bodies.iter().filter(|b| !owns(b)) {
            for &other in bodies {
                let pair = (station.max(other), station.min(other));
                let _ = self.with_station.insert(pair);
            }
        }
        for &a in &parts {
            for &b in &parts {
                let _ = self.pairs.insert((a.max(b), a.min(b)));
            }
        }
    }
}

/// The entries of the pattern as they are added.
#[derive(Default)]
struct TangentEntries {
    list: Vec<(usize, usize)>,
    indices: BTreeMap<(usize, usize), usize>,
}

impl TangentEntries {
    /// Returns the index of the entry of a pair of coordinates, which is added if it is new.
    fn locate(&mut self, i: usize, j: usize) -> usize {
        let entry = (i.max(j), i.min(j));
        *self.indices.entry(entry).or_insert_with(|| {
            self.list.push(entry);
            self.list.len() - 1
        })
    }

    /// Returns the indices of the entries of each element of each beam.
    fn of_elements(&mut self, model: &Model, places: &CoordinateLayout) -> Vec<Vec<usize>> {
        let mut elements = Vec::with_capacity(model.beams.len());
        for (k, beam) in model.beams.iter().enumerate() {
            let start = places.beam(k).start;
            let mut found = Vec::new();
            for element in 0..beam.elements.len() {
                let at = beam.of_element(element);
                for i in at.clone() {
                    found.extend((at.start..=i).map(|j| self.locate(start + i, start + j)));
                }
            }
            elements.push(found);
        }
        elements
    }

    fn of_station(
        &mut self,
        model: &Model,
        places: &CoordinateLayout,
        (a, b): (usize, usize),
    ) -> StationBlock {
        match model.bodies[a].station {
            Some(station) if a == b && places.slides(a) => StationBlock::Sliding(station.beam.0),
            _ => {
                let mut found = Vec::new();
                for i in places.columns(a) {
                    found.extend(places.columns(b).map(|j| self.locate(i, j)));
                }
                StationBlock::Pairs(found, places.columns(b).len())
            }
        }
    }
}

/// Returns the indices of bodies, each once, without the ground.
fn numbers(bodies: &[BodyIndex]) -> Vec<usize> {
    let mut list: Vec<usize> = bodies.iter().filter_map(|b| b.number()).collect();
    list.sort_unstable();
    list.dedup();
    list
}
