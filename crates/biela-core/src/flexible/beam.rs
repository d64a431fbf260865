//! A beam: elements in a row that share their nodes; and stations, the places on it that joints and forces hold on to.
//!
//! A station at x moves as a body would: origin r(x), x axis along r'(x). Its motion follows from the nodes,
//!
//! ```text
//! ṙ = S ė        ω = r' × ṙ' / |r'|²        ω̇ = r' × r̈' / |r'|² − 2 ω r'·ṙ' / |r'|²
//! ```
//!
//! so that a force F and a moment m on it act on the nodes as `Sᵀ F + m S'ᵀ (k × r') / |r'|²`.

use std::collections::BTreeMap;

use super::element::SIZE;
use super::quadrature::gauss;
use super::strain::{cross, dot};
use super::{Element, ElementKind, MOST_POINTS, Node, Section, hermite};
use crate::element::Origin;
use crate::math::Vec3;
use crate::model::BeamIndex;

/// Coordinates of a node.
pub const NODE: usize = 4;
/// A place this near to a node, against the length of the element, is the node.
const NEAR: f64 = 1e-9;

/// A flexible beam.
#[derive(Clone, Debug)]
pub struct Beam {
    /// Name.
    pub name: String,
    /// Where it was written.
    pub origin: Origin,
    /// Its elements, from the start to the end.
    pub elements: Vec<Element>,
    /// Node coordinates of the shape it was written in.
    pub reference: Vec<f64>,
    /// Node velocities at the start.
    pub velocity: Vec<f64>,
    /// Axial force at the shape it was written in.
    pub tension: f64,
}

/// Node coordinates of a beam and their rates.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamMotion {
    /// e.
    pub e: Vec<f64>,
    /// ė.
    pub rates: Vec<f64>,
}

/// A place on a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// The beam.
    pub beam: BeamIndex,
    /// Its element, and the place on it.
    pub element: usize,
    /// From 0 to 1.
    pub xi: f64,
    /// First node that moves it, and how many do: one or two.
    pub node: usize,
    /// One where the place is a node.
    pub nodes: usize,
    /// Coefficients of the position and of the slope.
    shape: [f64; 4],
    slope: [f64; 4],
}

/// How a station moves, in the plane.
#[derive(Clone, Copy, Debug)]
pub struct StationMotion {
    /// r.
    pub r: [f64; 2],
    /// ṙ.
    pub v: [f64; 2],
    /// r'.
    pub slope: [f64; 2],
    /// ṙ'.
    pub slope_rate: [f64; 2],
}

impl StationMotion {
    /// `|r'|²`.
    fn square(&self) -> f64 {
        dot(self.slope, self.slope)
    }

    /// Angle of the tangent, between −180° and 180°.
    pub fn angle(&self) -> f64 {
        self.slope[1].atan2(self.slope[0])
    }

    /// Angular velocity.
    pub fn omega(&self) -> f64 {
        cross(self.slope, self.slope_rate) / self.square()
    }

    /// The part of the angular acceleration without r̈'.
    pub fn alpha_bias(&self) -> f64 {
        -2.0 * self.omega() * dot(self.slope, self.slope_rate) / self.square()
    }

    /// `k × r' / |r'|²`: how the angle depends on r'.
    pub fn turn(&self) -> [f64; 2] {
        let n = self.square();
        [-self.slope[1] / n, self.slope[0] / n]
    }

    /// The second derivative of the angle by r'.
    pub fn turn_slope(&self) -> [[f64; 2]; 2] {
        let ([x, y], n) = (self.slope, self.square());
        let (a, b) = (2.0 * x * y / (n * n), (y * y - x * x) / (n * n));
        [[a, b], [b, -a]]
    }
}

impl Station {
    /// The place at a distance along a beam, from 0 to its length.
    pub fn new(beam: BeamIndex, of: &Beam, distance: f64) -> Self {
        let last = of.elements.len() - 1;
        let mut rest = distance.max(0.0);
        let mut element = 0;
        while element < last && rest > of.elements[element].length {
            rest -= of.elements[element].length;
            element += 1;
        }
        let length = of.elements[element].length;
        let xi = (rest / length).min(1.0);
        let (xi, node, nodes) = if xi < NEAR {
            (0.0, element, 1)
        } else if xi > 1.0 - NEAR {
            (1.0, element + 1, 1)
        } else {
            (xi, element, 2)
        };
        let (shape, slope) = if nodes == 1 {
            ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0])
        } else {
            (hermite::shape(length, xi), hermite::slope(length, xi))
        };
        Station {
            beam,
            element,
            xi,
            node,
            nodes,
            shape,
            slope,
        }
    }

    /// The node coordinates that move it, among those of the beam.
    pub fn coordinates(&self) -> std::ops::Range<usize> {
        NODE * self.node..NODE * (self.node + self.nodes)
    }

    /// Its motion.
    pub fn motion(&self, motion: &BeamMotion) -> StationMotion {
        let (e, rates) = (
            &motion.e[self.coordinates()],
            &motion.rates[self.coordinates()],
        );
        let of = |c: &[f64; 4], e: &[f64]| {
            let mut sum = [0.0; 2];
            for (k, pair) in e.chunks_exact(2).enumerate() {
                sum[0] += c[k] * pair[0];
                sum[1] += c[k] * pair[1];
            }
            sum
        };
        StationMotion {
            r: of(&self.shape, e),
            v: of(&self.shape, rates),
            slope: of(&self.slope, e),
            slope_rate: of(&self.slope, rates),
        }
    }

    /// Adds the force and moment on the station to the node coordinates that move it.
    pub fn add_load(&self, motion: &StationMotion, force: [f64; 2], moment: f64, out: &mut [f64]) {
        let turn = motion.turn();
        for (k, pair) in out.chunks_exact_mut(2).enumerate() {
            for axis in 0..2 {
                pair[axis] += self.shape[k] * force[axis] + self.slope[k] * moment * turn[axis];
            }
        }
    }

    /// How coordinate `i` of those that move it moves it: velocity and angular velocity.
    pub fn column(&self, motion: &StationMotion, i: usize) -> [f64; 3] {
        let mut column = [0.0; 3];
        column[i % 2] = self.shape[i / 2];
        column[2] = self.slope[i / 2] * motion.turn()[i % 2];
        column
    }

    /// The second derivative of the angle by coordinates `i` and `j`.
    pub fn angle_curvature(&self, motion: &StationMotion, i: usize, j: usize) -> f64 {
        self.slope[i / 2] * self.slope[j / 2] * motion.turn_slope()[i % 2][j % 2]
    }

    /// Acceleration of the origin and angular acceleration from those of the node coordinates that move it.
    pub fn acceleration(&self, motion: &StationMotion, rates: &[f64]) -> ([f64; 2], f64) {
        let (mut a, mut slope) = ([0.0; 2], [0.0; 2]);
        for (k, pair) in rates.chunks_exact(2).enumerate() {
            for axis in 0..2 {
                a[axis] += self.shape[k] * pair[axis];
                slope[axis] += self.slope[k] * pair[axis];
            }
        }
        (a, dot(motion.turn(), slope) + motion.alpha_bias())
    }
}

/// What a beam carries at a station, and how it is deformed there.
#[derive(Clone, Copy, Debug)]
pub struct Internal {
    /// Stretch beyond that of the shape without stress.
    pub strain: f64,
    /// Turn of the sections by length.
    pub curvature: f64,
    /// Axial force, positive in tension.
    pub axial: f64,
    /// Bending moment of the part beyond on the part before.
    pub moment: f64,
    /// Force across the beam of the part beyond on the part before, along the station's y axis: `−dM/dx`.
    pub shear: f64,
}

impl Beam {
    /// A beam of elements of one length along nodes, at rest, without stress but for `tension`.
    ///
    /// `sections` has one entry an element; `points` are Gauss points for stretch and for bending.
    pub fn new(
        name: impl Into<String>,
        kind: &'static dyn ElementKind,
        (nodes, length): (&[Node], f64),
        sections: &[Section],
        tension: f64,
        points: Option<[usize; 2]>,
    ) -> Self {
        let reference: Vec<f64> = nodes.iter().flatten().copied().collect();
        let points = points.unwrap_or(kind.info().points);
        let points = points.map(|n| n.clamp(1, MOST_POINTS));
        let element = |(k, section): (usize, &Section)| {
            let e = &reference[NODE * k..NODE * k + SIZE];
            Element::new(kind, length, *section, e, tension, points)
        };
        Beam {
            name: name.into(),
            origin: Origin::default(),
            elements: sections
                .iter()
                .take(nodes.len().saturating_sub(1))
                .enumerate()
                .map(element)
                .collect(),
            velocity: vec![0.0; reference.len()],
            reference,
            tension,
        }
    }

    /// Gives it a rigid motion at the start: a velocity of the origin of the ground frame and an angular velocity.
    pub fn set_rigid_velocity(&mut self, velocity: [f64; 2], omega: f64) {
        for (rates, e) in self
            .velocity
            .chunks_exact_mut(NODE)
            .zip(self.reference.chunks_exact(NODE))
        {
            rates.copy_from_slice(&[
                velocity[0] - omega * e[1],
                velocity[1] + omega * e[0],
                -omega * e[3],
                omega * e[2],
            ]);
        }
    }

    /// Number of node coordinates.
    pub fn num_coordinates(&self) -> usize {
        self.reference.len()
    }

    /// Length without stress.
    pub fn length(&self) -> f64 {
        self.elements.iter().map(|element| element.length).sum()
    }

    /// Length of the centreline as it is, 5 Gauss points an element.
    pub fn stretched_length(&self, motion: &BeamMotion) -> f64 {
        let of = |(element, at): (&Element, std::ops::Range<usize>)| {
            let e = &motion.e[at];
            let stretch = |xi: f64| {
                let slope = hermite::combine(&hermite::slope(element.length, xi), e);
                slope[0].hypot(slope[1])
            };
            let sum = gauss(5).iter().map(|(xi, w)| w * stretch(*xi));
            sum.sum::<f64>() * element.length
        };
        self.placed().map(of).sum()
    }

    /// Mass.
    pub fn mass(&self) -> f64 {
        self.elements.iter().map(Element::mass).sum()
    }

    /// As it was written.
    pub fn start(&self) -> BeamMotion {
        BeamMotion {
            e: self.reference.clone(),
            rates: self.velocity.clone(),
        }
    }

    /// Elements with the coordinates where they begin.
    fn placed(&self) -> impl Iterator<Item = (&Element, std::ops::Range<usize>)> {
        let elements = self.elements.iter().enumerate();
        elements.map(|(k, element)| (element, NODE * k..NODE * k + SIZE))
    }

    /// Lower triangle of the mass matrix, each entry once, in node coordinates.
    pub fn mass_matrix(&self) -> BTreeMap<(usize, usize), f64> {
        let mut entries = BTreeMap::new();
        for (element, at) in self.placed() {
            let (mass, pattern) = (element.mass(), hermite::mass(element.length));
            for (i, row) in pattern.iter().enumerate() {
                for (j, value) in row.iter().enumerate().take(i + 1) {
                    for axis in 0..2 {
                        let place = (at.start + 2 * i + axis, at.start + 2 * j + axis);
                        *entries.entry(place).or_insert(0.0) += mass * value;
                    }
                }
            }
        }
        entries
    }

    /// Adds weight less elastic and damping forces; gives the power of the damping.
    pub fn add_forces(&self, motion: &BeamMotion, gravity: &Vec3<f64>, out: &mut [f64]) -> f64 {
        let mut power = 0.0;
        for (element, at) in self.placed() {
            let out = &mut out[at.clone()];
            add_weight(element, gravity, out);
            power += element.add_force(&motion.e[at.clone()], &motion.rates[at], -1.0, out);
        }
        power
    }

    /// Adds the sizes of weight, elastic and damping forces of each element.
    pub fn add_force_sizes(&self, motion: &BeamMotion, gravity: &Vec3<f64>, out: &mut [f64]) {
        for (element, at) in self.placed() {
            let mut parts = [[0.0; SIZE]; 2];
            add_weight(element, gravity, &mut parts[0]);
            let (e, rates) = (&motion.e[at.clone()], &motion.rates[at.clone()]);
            let _ = element.add_force(e, rates, 1.0, &mut parts[1]);
            for part in parts {
                for (size, x) in out[at.clone()].iter_mut().zip(part) {
                    *size += x.abs();
                }
            }
        }
    }

    /// Strain energy.
    pub fn strain_energy(&self, motion: &BeamMotion) -> f64 {
        self.placed()
            .map(|(element, at)| element.energy(&motion.e[at]))
            .sum()
    }

    /// `½ ėᵀ M ė`.
    pub fn kinetic_energy(&self, motion: &BeamMotion) -> f64 {
        let of = |(element, at): (&Element, std::ops::Range<usize>)| {
            0.5 * element.mass()
                * product(
                    element.length,
                    &motion.rates[at.clone()],
                    &motion.rates[at],
                    dot,
                )
        };
        self.placed().map(of).sum()
    }

    /// `∫ ρA f dx` of what has these node values: moments of the positions, momentum of the rates.
    pub fn sum(&self, nodes: &[f64]) -> [f64; 2] {
        let mut total = [0.0; 2];
        for (element, at) in self.placed() {
            let mean = hermite::combine(&hermite::mean(element.length), &nodes[at]);
            for axis in 0..2 {
                total[axis] += element.mass() * mean[axis];
            }
        }
        total
    }

    /// Angular momentum about the ground's origin.
    pub fn angular_momentum(&self, motion: &BeamMotion) -> f64 {
        let of = |(element, at): (&Element, std::ops::Range<usize>)| {
            element.mass()
                * product(
                    element.length,
                    &motion.e[at.clone()],
                    &motion.rates[at],
                    cross,
                )
        };
        self.placed().map(of).sum()
    }

    /// Deformation and internal forces at a station, on the straight line through the values at two Gauss points of its element, where
    /// they are most accurate.
    pub fn internal(&self, station: &Station, motion: &BeamMotion) -> Internal {
        let element = &self.elements[station.element];
        let at = NODE * station.element..NODE * station.element + SIZE;
        let (e, rates) = (&motion.e[at.clone()], &motion.rates[at.clone()]);
        let reference = &self.reference[at];
        let section = &element.section;
        let pretension = self.tension / section.axial;
        let [near, far] = [0, 1].map(|k| {
            let xi = gauss(2)[k].0;
            let stretch = element.stretch(xi, e) - element.stretch(xi, reference) + pretension;
            let bend = element.curvature(xi, e);
            [
                stretch,
                bend,
                stretch + section.damping * element.stretch_rate(xi, e, rates),
                bend - element.curvature(xi, reference)
                    + section.damping * element.curvature_rate(xi, e, rates),
                bend - element.curvature(xi, reference),
            ]
        });
        let (first, last) = (gauss(2)[0].0, gauss(2)[1].0);
        let share = (station.xi - first) / (last - first);
        let [strain, curvature, stress, couple, _] =
            std::array::from_fn(|k| near[k] + share * (far[k] - near[k]));
        Internal {
            strain,
            curvature,
            axial: section.axial * stress,
            moment: section.bending * couple,
            shear: -section.bending * (far[4] - near[4]) / ((last - first) * element.length),
        }
    }
}

/// Adds the weight of an element.
fn add_weight(element: &Element, gravity: &Vec3<f64>, out: &mut [f64]) {
    let mass = element.mass();
    for (k, share) in hermite::mean(element.length).iter().enumerate() {
        for axis in 0..2 {
            out[2 * k + axis] += mass * gravity[axis] * share;
        }
    }
}

/// `∫ a(x) ∘ b(x) dξ` of what has node values a and b.
fn product(l: f64, a: &[f64], b: &[f64], times: fn([f64; 2], [f64; 2]) -> f64) -> f64 {
    let pattern = hermite::mass(l);
    let mut sum = 0.0;
    for (i, row) in pattern.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            sum += value * times([a[2 * i], a[2 * i + 1]], [b[2 * j], b[2 * j + 1]]);
        }
    }
    sum
}
