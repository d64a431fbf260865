//! The layout of the coordinates of bodies and beams.
//!
//! Rigid bodies come first, then the nodes of beams. A station of a beam has no coordinates of its own: it moves with the adjacent nodes.

use std::ops::Range;

use super::SystemKinematics;
use crate::flexible::Station;
use crate::model::{Model, Space};

/// The coordinates that move a body.
#[derive(Clone, Copy, Debug)]
pub(super) enum BodyCoordinates<'a> {
    /// Its own: index among the bodies with coordinates.
    Own(usize),
    /// Those of nodes of a beam, starting at this velocity coordinate.
    Station(&'a Station, usize),
}

/// The start of a body's coordinates.
#[derive(Clone, Debug)]
enum StoredBodyCoordinates {
    /// Index among the bodies with coordinates of their own.
    Own(usize),
    /// A station, with the first velocity coordinate that moves it.
    Station(Box<Station>, usize),
}

impl StoredBodyCoordinates {
    fn place(&self) -> BodyCoordinates<'_> {
        match self {
            StoredBodyCoordinates::Own(k) => BodyCoordinates::Own(*k),
            StoredBodyCoordinates::Station(station, start) => {
                BodyCoordinates::Station(station, *start)
            }
        }
    }
}

/// The layout of all coordinates.
#[derive(Clone, Debug)]
pub(super) struct CoordinateLayout {
    space: Space,
    /// Initial entries of bodies; a station that slides along its beam changes.
    bodies: Vec<StoredBodyCoordinates>,
    /// Index of each body among the sliding stations.
    sliding: Vec<Option<usize>>,
    /// The first coordinate of each beam, relative to the first of all beams, and the end of the last.
    beams: Vec<usize>,
    /// Number of bodies with coordinates of their own.
    pub(super) num_own: usize,
}

impl CoordinateLayout {
    pub(super) fn new(model: &Model) -> Self {
        let own = model.bodies.iter().filter(|b| b.station.is_none()).count();
        let first = model.space.freedom() * own;
        let mut beams = vec![0];
        for (k, beam) in model.beams.iter().enumerate() {
            beams.push(beams[k] + beam.num_coordinates());
        }
        let mut sliders = 0..;
        let sliding = model.bodies.iter().map(|body| match body.follows {
            Some(_) => sliders.next(),
            None => None,
        });
        let sliding = sliding.collect();
        let mut count = 0;
        let bodies = model
            .bodies
            .iter()
            .map(|body| {
                if let Some(station) = body.station {
                    let start = first + beams[station.beam.0] + station.coordinates().start;
                    return StoredBodyCoordinates::Station(Box::new(station), start);
                }
                count += 1;
                StoredBodyCoordinates::Own(count - 1)
            })
            .collect();
        CoordinateLayout {
            space: model.space,
            bodies,
            sliding,
            beams,
            num_own: own,
        }
    }

    /// Returns the total number of position coordinates.
    pub(super) fn positions(&self) -> usize {
        self.own_positions() + self.nodes()
    }

    /// Returns the total number of velocity coordinates.
    pub(super) fn velocities(&self) -> usize {
        self.own_velocities() + self.nodes()
    }

    /// Returns the number of coordinates of all beams.
    fn nodes(&self) -> usize {
        self.beams[self.beams.len() - 1]
    }

    /// Returns the number of position coordinates of rigid bodies; those of beams follow.
    pub(super) fn own_positions(&self) -> usize {
        self.space.positions() * self.num_own
    }

    /// Returns the number of velocity coordinates of rigid bodies; those of beams follow.
    pub(super) fn own_velocities(&self) -> usize {
        self.space.freedom() * self.num_own
    }

    /// Whether a body has coordinates of its own.
    pub(super) fn owns(&self, body: usize) -> bool {
        matches!(self.bodies[body], StoredBodyCoordinates::Own(_))
    }

    /// Whether a body is a station that slides along its beam.
    pub(super) fn slides(&self, body: usize) -> bool {
        self.sliding[body].is_some()
    }

    /// Returns the coordinates that move a body at an instant.
    #[inline]
    pub(super) fn at<'a>(&'a self, k: &'a SystemKinematics, body: usize) -> BodyCoordinates<'a> {
        match &self.bodies[body] {
            StoredBodyCoordinates::Own(number) => BodyCoordinates::Own(*number),
            StoredBodyCoordinates::Station(..) => self.station_at(k, body),
        }
    }

    fn station_at<'a>(&'a self, k: &'a SystemKinematics, body: usize) -> BodyCoordinates<'a> {
        let Some(slider) = self.sliding[body] else {
            return self.bodies[body].place();
        };
        let station = &k.sliders[slider].station;
        let start = self.beam(station.beam.0).start + station.coordinates().start;
        BodyCoordinates::Station(station, start)
    }

    /// Iterates over bodies with coordinates of their own, and their indices among them.
    pub(super) fn own(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let bodies = self.bodies.iter().enumerate();
        bodies.filter_map(|(b, place)| match place {
            StoredBodyCoordinates::Own(k) => Some((b, *k)),
            StoredBodyCoordinates::Station(..) => None,
        })
    }

    /// Iterates over fixed stations.
    pub(super) fn stations(&self) -> impl Iterator<Item = (usize, Station)> + '_ {
        let bodies = self.bodies.iter().zip(&self.sliding).enumerate();
        bodies.filter_map(|(b, place)| match place {
            (StoredBodyCoordinates::Station(station, _), None) => Some((b, **station)),
            _ => None,
        })
    }

    /// Returns the velocity coordinates that move a body at any instant.
    pub(super) fn columns(&self, body: usize) -> Range<usize> {
        match self.bodies[body].place() {
            BodyCoordinates::Station(station, _) if self.slides(body) => self.beam(station.beam.0),
            place => self.columns_of(place),
        }
    }

    /// Returns the velocity coordinates that move a body at an instant.
    #[inline]
    pub(super) fn columns_at(&self, k: &SystemKinematics, body: usize) -> Range<usize> {
        self.columns_of(self.at(k, body))
    }

    /// Returns the velocity coordinates of an entry.
    #[inline]
    pub(super) fn columns_of(&self, place: BodyCoordinates<'_>) -> Range<usize> {
        let n = self.space.freedom();
        match place {
            BodyCoordinates::Own(k) => n * k..n * k + n,
            BodyCoordinates::Station(station, start) => start..start + station.coordinates().len(),
        }
    }

    /// Returns the velocity coordinates that move some bodies; with beams each once and in order.
    pub(super) fn joined(&self, bodies: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut columns: Vec<usize> = bodies.flat_map(|b| self.columns(b)).collect();
        if self.nodes() > 0 {
            columns.sort_unstable();
            columns.dedup();
        }
        columns
    }

    /// Returns the velocity coordinates of a beam's nodes.
    pub(super) fn beam(&self, beam: usize) -> Range<usize> {
        let first = self.own_velocities();
        first + self.beams[beam]..first + self.beams[beam + 1]
    }

    /// Returns the position coordinates of a beam's nodes.
    pub(super) fn beam_positions(&self, beam: usize) -> Range<usize> {
        let first = self.own_positions();
        first + self.beams[beam]..first + self.beams[beam + 1]
    }
}
