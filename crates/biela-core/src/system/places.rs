//! Where the coordinates of bodies and beams are.
//!
//! Rigid bodies come first, then the nodes of beams. A station of a beam has no coordinates of its own: those of the nodes beside it move it.

use std::ops::Range;

use crate::flexible::Station;
use crate::model::{Model, Space};

/// Where the coordinates that move a body are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Its own: the so-manieth body that has some.
    Own(usize),
    /// Those of nodes of a beam, from this velocity coordinate on.
    Station(Station, usize),
}

/// Where all coordinates are.
#[derive(Clone, Debug)]
pub(super) struct Places {
    space: Space,
    bodies: Vec<Place>,
    /// The first velocity coordinate of each beam.
    beams: Vec<usize>,
    /// How many bodies have coordinates of their own.
    pub(super) num_own: usize,
    /// Coordinates of all beams.
    nodes: usize,
}

impl Places {
    pub(super) fn new(model: &Model) -> Self {
        let own = model.bodies.iter().filter(|b| b.station.is_none()).count();
        let mut next = model.space.freedom() * own;
        let first = next;
        let beams: Vec<usize> = model
            .beams
            .iter()
            .map(|beam| {
                let start = next;
                next += beam.num_coordinates();
                start
            })
            .collect();
        let mut count = 0;
        let bodies = model
            .bodies
            .iter()
            .map(|body| {
                if let Some(station) = body.station {
                    let start = beams[station.beam.0] + station.coordinates().start;
                    return Place::Station(station, start);
                }
                count += 1;
                Place::Own(count - 1)
            })
            .collect();
        Places {
            space: model.space,
            bodies,
            beams,
            num_own: own,
            nodes: next - first,
        }
    }

    /// Position coordinates in all.
    pub(super) fn positions(&self) -> usize {
        self.space.positions() * self.num_own + self.nodes
    }

    /// Velocity coordinates in all.
    pub(super) fn velocities(&self) -> usize {
        self.space.freedom() * self.num_own + self.nodes
    }

    pub(super) fn body(&self, body: usize) -> Place {
        self.bodies[body]
    }

    /// Every body with its place.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (usize, Place)> + '_ {
        self.bodies.iter().copied().enumerate()
    }

    /// Bodies with coordinates of their own, and which of those they are.
    pub(super) fn own(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.bodies().filter_map(|(b, place)| match place {
            Place::Own(k) => Some((b, k)),
            Place::Station(..) => None,
        })
    }

    /// Stations, with the first velocity coordinate that moves them.
    pub(super) fn stations(&self) -> impl Iterator<Item = (usize, Station, usize)> + '_ {
        self.bodies().filter_map(|(b, place)| match place {
            Place::Own(_) => None,
            Place::Station(station, start) => Some((b, station, start)),
        })
    }

    /// The velocity coordinates that move a body.
    pub(super) fn columns(&self, body: usize) -> Range<usize> {
        let n = self.space.freedom();
        match self.bodies[body] {
            Place::Own(k) => n * k..n * k + n,
            Place::Station(station, start) => start..start + station.coordinates().len(),
        }
    }

    /// The velocity coordinates that move some bodies, each once and in order where beams are among them.
    pub(super) fn joined(&self, bodies: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut columns: Vec<usize> = bodies.flat_map(|b| self.columns(b)).collect();
        if !self.beams.is_empty() {
            columns.sort_unstable();
            columns.dedup();
        }
        columns
    }

    /// The velocity coordinates of a beam's nodes, and in the plane, where beams are, the position coordinates too.
    pub(super) fn beam(&self, beam: usize) -> Range<usize> {
        let end = self.beams.get(beam + 1).copied();
        self.beams[beam]..end.unwrap_or(self.velocities())
    }
}
