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
    /// The first coordinate of each beam, counted from the first of all beams, and where the last ends.
    beams: Vec<usize>,
    /// How many bodies have coordinates of their own.
    pub(super) num_own: usize,
}

impl Places {
    pub(super) fn new(model: &Model) -> Self {
        let own = model.bodies.iter().filter(|b| b.station.is_none()).count();
        let first = model.space.freedom() * own;
        let mut beams = vec![0];
        for (k, beam) in model.beams.iter().enumerate() {
            beams.push(beams[k] + beam.num_coordinates());
        }
        let mut count = 0;
        let bodies = model
            .bodies
            .iter()
            .map(|body| {
                if let Some(station) = body.station {
                    let start = first + beams[station.beam.0] + station.coordinates().start;
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
        }
    }

    /// Position coordinates in all.
    pub(super) fn positions(&self) -> usize {
        self.own_positions() + self.nodes()
    }

    /// Velocity coordinates in all.
    pub(super) fn velocities(&self) -> usize {
        self.own_velocities() + self.nodes()
    }

    /// Coordinates of all beams.
    fn nodes(&self) -> usize {
        self.beams[self.beams.len() - 1]
    }

    /// Position coordinates of rigid bodies; those of beams come behind.
    pub(super) fn own_positions(&self) -> usize {
        self.space.positions() * self.num_own
    }

    /// Velocity coordinates of rigid bodies; those of beams come behind.
    pub(super) fn own_velocities(&self) -> usize {
        self.space.freedom() * self.num_own
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
        if self.nodes() > 0 {
            columns.sort_unstable();
            columns.dedup();
        }
        columns
    }

    /// The velocity coordinates of a beam's nodes.
    pub(super) fn beam(&self, beam: usize) -> Range<usize> {
        let first = self.own_velocities();
        first + self.beams[beam]..first + self.beams[beam + 1]
    }

    /// The position coordinates of a beam's nodes.
    pub(super) fn beam_positions(&self, beam: usize) -> Range<usize> {
        let first = self.own_positions();
        first + self.beams[beam]..first + self.beams[beam + 1]
    }
}
