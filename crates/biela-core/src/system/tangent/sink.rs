//! The destination of the blocks of the tangent.
#![allow(non_snake_case)]

use super::layout::{StationBlock, TangentLayout, part_range};
use crate::flexible::MOST_OF_ELEMENT;
use crate::math::{Mat3, Vec3};
use crate::system::coordinate_layout::BodyCoordinates;
use crate::system::{Absolute, System, SystemKinematics};

/// A dense matrix over the coordinates of two bodies.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    pub(super) values: [[f64; 12]; 12],
}

impl Dense {
    pub(super) fn new() -> Self {
        Dense {
            values: [[0.0; 12]; 12],
        }
    }
    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i][j]
    }
    pub(super) fn set(&mut self, i: usize, j: usize, x: f64) {
        self.values[i][j] = x;
    }
}

/// The destination of a scaled part of T.
pub(super) struct TangentSink<'a> {
    pub(super) layout: &'a TangentLayout,
    pub(super) scale: f64,
    pub(super) out: &'a mut [f64],
    /// The skew-symmetric part, if requested.
    pub(super) skew: Option<&'a mut [f64]>,
}

impl TangentSink<'_> {
    /// Adds a matrix over three coordinates of a part with itself, starting at index `start`.
    pub(super) fn add_turning(&mut self, start: usize, K: &Mat3<f64>) {
        let mut at = start;
        for i in 0..3 {
            for j in 0..=i {
                self.out[at] += self.scale * 0.5 * (K[(i, j)] + K[(j, i)]);
                if let Some(skew) = &mut self.skew {
                    skew[at] += self.scale * 0.5 * (K[(i, j)] - K[(j, i)]);
                }
                at += 1;
            }
        }
    }

    /// Adds a dense matrix over the coordinates of some bodies, with stations treated as bodies: its symmetric part, and the skew-symmetric part between
    /// bodies with coordinates of their own.
    pub(super) fn add(
        &mut self,
        system: &Absolute,
        k: &SystemKinematics,
        bodies: &[usize],
        dense: &Dense,
    ) {
        let places = system.places();
        let space = system.model().space;
        let n = space.freedom();
        for (ba, &a) in bodies.iter().enumerate() {
            for (bb, &b) in bodies.iter().enumerate() {
                let at = |i: usize, j: usize| {
                    let (i, j) = (n * ba + i, n * bb + j);
                    0.5 * (dense.at(i, j) + dense.at(j, i))
                };
                if let Some(block) = self.layout.station_blocks.get(&(a, b)) {
                    let (left, right) = (
                        BodyMotionColumns::new(system, k, a),
                        BodyMotionColumns::new(system, k, b),
                    );
                    let value = |i: usize, j: usize| left.times(i, &right, j, at);
                    self.add_block((a == b, &left, &right), block, value);
                    continue;
                }
                for (ka, kb) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (pa, pb) = (2 * a + ka, 2 * b + kb);
                    let blocks = &self.layout.blocks;
                    let Some(&start) = (pa >= pb).then(|| blocks.get(&(pa, pb))).flatten() else {
                        continue;
                    };
                    let (first_a, first_b) = (places.columns(a).start, places.columns(b).start);
                    let mut place = start;
                    for i in part_range(space, places, pa) {
                        for j in part_range(space, places, pb) {
                            if i < j {
                                continue;
                            }
                            let (i, j) = (i - first_a, j - first_b);
                            self.out[place] += self.scale * at(i, j);
                            if let Some(skew) = &mut self.skew {
                                let (i, j) = (n * ba + i, n * bb + j);
                                skew[place] += self.scale * 0.5 * (dense.at(i, j) - dense.at(j, i));
                            }
                            place += 1;
                        }
                    }
                }
            }
        }
    }

    /// Adds the block of a pair of bodies of which one is a station; `same` if they are the same body.
    pub(super) fn add_block(
        &mut self,
        (same, left, right): (bool, &BodyMotionColumns, &BodyMotionColumns),
        block: &StationBlock,
        value: impl Fn(usize, usize) -> f64,
    ) {
        let pairs = (0..left.count).flat_map(|i| (0..right.count).map(move |j| (i, j)));
        for (i, j) in pairs.filter(|(i, j)| !same || i >= j) {
            let entry = match block {
                StationBlock::Pairs(entries, width) => {
                    entries[(left.offset + i) * width + right.offset + j]
                }
                StationBlock::Sliding(beam) => {
                    let triangle = left.count * (left.count + 1) / 2;
                    let start = triangle * left.element;
                    self.layout.elements[*beam][start + i * (i + 1) / 2 + j]
                }
            };
            // the block and its transpose: for a shared node both have the same index, a body has only one block
            let shared = left.start + i == right.start + j;
            let factor = if shared && !same { 2.0 } else { 1.0 };
            self.out[entry] += factor * self.scale * value(i, j);
        }
    }

    /// Adds `m ∂²θ/∂e²` for a moment m on a station (in Gᵀλ − f); nothing for other bodies.
    pub(super) fn add_turn_curvature(
        &mut self,
        system: &Absolute,
        k: &SystemKinematics,
        body: usize,
        moment: &Vec3<f64>,
    ) {
        let places = system.places();
        if let (BodyCoordinates::Station(station, _), Some(block)) = (
            places.at(k, body),
            self.layout.station_blocks.get(&(body, body)),
        ) {
            let motion = station.motion(&k.beams[station.beam.0]);
            let columns = BodyMotionColumns::new(system, k, body);
            let value = |i: usize, j: usize| station.turn_curvature(&motion, moment, i, j);
            self.add_block((true, &columns, &columns), block, value);
        }
    }
}

/// The displacement and rotation of a body for each coordinate that moves it, in the convention of its own coordinates: in space, rotation about its own axes.
pub(super) struct BodyMotionColumns {
    start: usize,
    count: usize,
    /// Index of the first current coordinate among those that can move it, and its element.
    offset: usize,
    element: usize,
    freedom: usize,
    values: [[f64; 6]; MOST_OF_ELEMENT],
}

impl BodyMotionColumns {
    pub(super) fn new(system: &Absolute, k: &SystemKinematics, body: usize) -> Self {
        let places = system.places();
        let freedom = system.model().space.freedom();
        let range = places.columns_at(k, body);
        let mut element = 0;
        let mut values = [[0.0; 6]; MOST_OF_ELEMENT];
        match places.at(k, body) {
            BodyCoordinates::Own(_) => (0..freedom).for_each(|i| values[i][i] = 1.0),
            BodyCoordinates::Station(station, _) => {
                element = station.element;
                let motion = station.motion(&k.beams[station.beam.0]);
                for (i, column) in values[..range.len()].iter_mut().enumerate() {
                    let (v, w) = station.column(&motion, i);
                    system.add_block(&k.bodies[body], &v, &w, 1.0, column);
                }
            }
        }
        BodyMotionColumns {
            start: range.start,
            count: range.len(),
            offset: range.start - places.columns(body).start,
            element,
            freedom,
            values,
        }
    }

    /// Returns the rotation of the body for coordinate `i`.
    pub(super) fn turn(&self, i: usize) -> Vec3<f64> {
        let [.., x, y, z] = self.values[i];
        if self.freedom == 3 {
            return Vec3::new(0.0, 0.0, self.values[i][2]);
        }
        Vec3::new(x, y, z)
    }

    /// Returns entry (i, j) of `Jᵀ K J`.
    pub(super) fn times(
        &self,
        i: usize,
        right: &Self,
        j: usize,
        at: impl Fn(usize, usize) -> f64,
    ) -> f64 {
        let n = self.freedom;
        let (a, b) = (&self.values[i][..n], &right.values[j][..n]);
        let mut sum = 0.0;
        for (p, x) in a.iter().enumerate() {
            for (q, y) in b.iter().enumerate() {
                sum += x * y * at(p, q);
            }
        }
        sum
    }
}
