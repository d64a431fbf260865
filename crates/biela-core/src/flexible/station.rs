//! Stations: points on a beam to which joints and forces are attached.
//!
//! A station at x moves like a body frame with origin r(x) and x axis along r'(x). Its motion follows from the nodes,
//!
//! ```text
//! ṙ = S ė        ω = r' × ṙ' / |r'|²        ω̇ = r' × r̈' / |r'|² − 2 ω r'·ṙ' / |r'|²
//! ```
//!
//! so that a force F and a moment m on it act on the nodes as `Sᵀ F + S'ᵀ (m × r') / |r'|²`.
//!
//! In space ω is the angular velocity of the tangent: a centreline has no torsion, so there is no spin about it, and the component of a moment along it
//! does no work. The axes normal to the tangent are the initial ones, rotated by the smallest rotation from the initial to the current tangent.
#![allow(non_snake_case)]

use super::{Beam, BeamMotion, hermite};
use crate::joints::GuideCurve;
use crate::math::rotation::{about, apply_transposed, column, cross, dot, unit};
use crate::math::{Mat3, Vec3};
use crate::model::BeamIndex;

/// Distance to a node, relative to the length of the element, below which a point coincides with the node.
const NEAR: f64 = 1e-9;

/// A point on a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// The beam.
    pub beam: BeamIndex,
    /// Its element.
    pub element: usize,
    /// Position on the element, from 0 to 1.
    pub xi: f64,
    /// First node on which its motion depends.
    pub node: usize,
    /// Number of nodes on which its motion depends: one if it coincides with a node, otherwise two.
    pub nodes: usize,
    /// Number of position axes, 2 or 3.
    axes: usize,
    /// Coefficients of the position and of the slope.
    shape: [f64; 4],
    slope: [f64; 4],
    /// Orientation in the reference shape of the beam.
    start: Mat3<f64>,
}

/// Motion of a station; in the plane without components along z.
#[derive(Clone, Copy, Debug)]
pub struct StationMotion {
    /// r.
    pub r: Vec3<f64>,
    /// ṙ.
    pub v: Vec3<f64>,
    /// r'.
    pub slope: Vec3<f64>,
    /// ṙ'.
    pub slope_rate: Vec3<f64>,
}

impl StationMotion {
    /// `|r'|²`.
    fn square(&self) -> f64 {
        dot(&self.slope, &self.slope)
    }

    /// Angle of the tangent in the plane, between −180° and 180°.
    pub fn angle(&self) -> f64 {
        self.slope[1].atan2(self.slope[0])
    }

    /// Angular velocity.
    pub fn omega(&self) -> Vec3<f64> {
        cross(&self.slope, &self.slope_rate) / self.square()
    }

    /// The part of the angular acceleration that is independent of r̈'.
    pub fn alpha_bias(&self) -> Vec3<f64> {
        self.omega() * (-2.0 * dot(&self.slope, &self.slope_rate) / self.square())
    }

    /// `r' / |r'|²`, which maps a moment to forces on the slopes.
    fn lever(&self) -> Vec3<f64> {
        self.slope / self.square()
    }
}

impl Station {
    /// The station at an arc length along a beam, from 0 to its length.
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
        let mut station = Station {
            beam,
            element,
            xi,
            node,
            nodes,
            axes: of.axes(),
            shape,
            slope,
            start: Mat3::identity(),
        };
        station.start = station.upright_at_start(of);
        station
    }

    /// Number of position axes: 2 in the plane, 3 in space.
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// The index range of the nodal coordinates on which its motion depends, among those of the beam.
    pub fn coordinates(&self) -> std::ops::Range<usize> {
        let node = 2 * self.axes;
        node * self.node..node * (self.node + self.nodes)
    }

    /// A linear combination of the values of its nodes.
    fn combined(&self, coefficients: &[f64; 4], values: &[f64]) -> Vec3<f64> {
        let mut sum = Vec3::zeros();
        for (c, values) in coefficients.iter().zip(values.chunks_exact(self.axes)) {
            for (x, value) in sum.iter_mut().zip(values) {
                *x += c * value;
            }
        }
        sum
    }

    /// Its motion.
    pub fn motion(&self, motion: &BeamMotion) -> StationMotion {
        let at = self.coordinates();
        let (e, rates) = (&motion.e[at.clone()], &motion.rates[at]);
        StationMotion {
            r: self.combined(&self.shape, e),
            v: self.combined(&self.shape, rates),
            slope: self.combined(&self.slope, e),
            slope_rate: self.combined(&self.slope, rates),
        }
    }

    /// Its orientation, x axis along the beam.
    pub fn orientation(&self, motion: &StationMotion) -> Mat3<f64> {
        if self.axes == 2 {
            return about(2, motion.angle());
        }
        let t = motion.slope / motion.square().sqrt();
        // the smallest rotation from t₀ to t reflects vectors normal to t₀ at the plane normal to the bisector of both; if they are opposite, any
        // rotation by half a turn is admissible
        let middle = column(&self.start, 0) + t;
        let size = middle.norm();
        let middle = if size > 1e-9 {
            middle / size
        } else {
            column(&self.start, 1)
        };
        let y = column(&self.start, 1);
        let y = y - middle * (2.0 * dot(&middle, &y));
        // t may deviate from the reflected direction by rounding
        let y = y - t * dot(&t, &y);
        let y = y / y.norm();
        Mat3::from_columns(&[t, y, cross(&t, &y)])
    }

    /// Adds the force and moment on the station to the generalized forces of its nodal coordinates.
    pub fn add_load(
        &self,
        motion: &StationMotion,
        force: &Vec3<f64>,
        moment: &Vec3<f64>,
        out: &mut [f64],
    ) {
        let turning = cross(moment, &motion.lever());
        for (k, out) in out.chunks_exact_mut(self.axes).enumerate() {
            for (axis, x) in out.iter_mut().enumerate() {
                *x += self.shape[k] * force[axis] + self.slope[k] * turning[axis];
            }
        }
    }

    /// Returns the column `i` of its Jacobian with respect to its nodal coordinates: velocity and angular velocity.
    pub fn column(&self, motion: &StationMotion, i: usize) -> (Vec3<f64>, Vec3<f64>) {
        let (k, along) = (i / self.axes, unit(i % self.axes));
        (
            along * self.shape[k],
            cross(&motion.lever(), &along) * self.slope[k],
        )
    }

    /// Returns the derivative with respect to coordinate `j` of the generalized force of a moment m along coordinate `i`, its symmetric part: in the plane, m
    /// times the second derivative of the angle.
    pub fn turn_curvature(
        &self,
        motion: &StationMotion,
        moment: &Vec3<f64>,
        i: usize,
        j: usize,
    ) -> f64 {
        let (lever, turning) = (motion.lever(), cross(moment, &motion.lever()));
        let (a, b) = (i % self.axes, j % self.axes);
        let both = turning[a] * lever[b] + turning[b] * lever[a];
        -self.slope[i / self.axes] * self.slope[j / self.axes] * both
    }

    /// Returns the acceleration of the origin and the angular acceleration from those of its nodal coordinates.
    pub fn acceleration(&self, motion: &StationMotion, rates: &[f64]) -> (Vec3<f64>, Vec3<f64>) {
        let slope = self.combined(&self.slope, rates);
        (
            self.combined(&self.shape, rates),
            cross(&motion.lever(), &slope) + motion.alpha_bias(),
        )
    }
}

/// Largest number of Newton iterations for the closest point.
const MOST_STEPS: usize = 50;

impl Station {
    /// Returns the station on a beam closest to a point, `r'·(p − r) = 0`, by Newton's method from a nearby value, and the centreline there. Beyond its ends
    /// the centreline is continued as a straight line.
    pub(crate) fn nearest(
        beam: BeamIndex,
        (of, motion): (&Beam, &BeamMotion),
        point: &Vec3<f64>,
        near: f64,
    ) -> (Self, GuideCurve) {
        let length = of.length();
        let mut place = near;
        let (mut station, mut bend) = Station::anywhere(beam, of, place);
        for _ in 0..MOST_STEPS {
            let here = station.motion(motion);
            let away = point - here.r;
            let bent = station.combined(&bend, &motion.e[station.coordinates()]);
            let square = here.square();
            let slope = square - dot(&bent, &away);
            // beyond the centre of curvature the distance has no local minimum
            let slope = if slope > 0.1 * square { slope } else { square };
            let step = dot(&here.slope, &away) / slope;
            place += step.max(-length).min(length);
            (station, bend) = Station::anywhere(beam, of, place);
            if step.abs() <= f64::EPSILON * length {
                break;
            }
        }
        station.start = station.upright_at_start(of);
        let here = station.motion(motion);
        let bent = station.combined(&bend, &motion.e[station.coordinates()]);
        let stretch = here.square().sqrt();
        let path = GuideCurve {
            place,
            stretch,
            stretch_rate: dot(&here.slope, &here.slope_rate) / stretch,
            bend: apply_transposed(&station.orientation(&here), &bent),
        };
        (station, path)
    }

    /// Returns the station at an arc length along a beam, continued as a straight line beyond its ends, and the coefficients of `r''` there.
    fn anywhere(beam: BeamIndex, of: &Beam, distance: f64) -> (Self, [f64; 4]) {
        let last = of.elements.len() - 1;
        let (mut element, mut rest) = (0, distance);
        while element < last && rest > of.elements[element].length {
            rest -= of.elements[element].length;
            element += 1;
        }
        let length = of.elements[element].length;
        let within = rest.max(0.0).min(length);
        let xi = within / length;
        let mut shape = hermite::shape(length, xi);
        let slope = hermite::slope(length, xi);
        let mut bend = hermite::bend(length, xi);
        let beyond = rest - within;
        if beyond != 0.0 {
            for (s, d) in shape.iter_mut().zip(slope) {
                *s += beyond * d;
            }
            bend = [0.0; 4];
        }
        let station = Station {
            beam,
            element,
            xi,
            node: element,
            nodes: 2,
            axes: of.axes(),
            shape,
            slope,
            start: Mat3::identity(),
        };
        (station, bend)
    }

    /// Returns its orientation in the reference shape of the beam.
    fn upright_at_start(&self, of: &Beam) -> Mat3<f64> {
        let slope = self.combined(&self.slope, &of.reference[self.coordinates()]);
        if self.axes == 2 {
            about(2, slope[1].atan2(slope[0]))
        } else {
            upright(&slope)
        }
    }
}

impl Beam {
    /// Returns the approximate arc length of the point of a beam closest to `point`, by sampling each element.
    pub(crate) fn place_near(&self, motion: &BeamMotion, point: &Vec3<f64>) -> f64 {
        const LOOKS: u32 = 4;
        let mut best = (f64::INFINITY, 0.0);
        let mut start = 0.0;
        for element in &self.elements {
            for k in 0..=LOOKS {
                let place = start + element.length * f64::from(k) / f64::from(LOOKS);
                let station = Station::anywhere(BeamIndex(0), self, place).0;
                let distance = (point - station.motion(motion).r).norm();
                if distance < best.0 {
                    best = (distance, place);
                }
            }
            start += element.length;
        }
        best.1
    }
}

/// Axes with x along a direction and z as close as possible to the ground's z; if the direction is that of z, y as close as possible to the ground's y.
fn upright(direction: &Vec3<f64>) -> Mat3<f64> {
    let x = direction / direction.norm();
    let across = |axis: usize| {
        let along: Vec3<f64> = unit(axis);
        along - x * x[axis]
    };
    let z = across(2);
    let y = if z.norm() > 1e-6 {
        cross(&z, &x)
    } else {
        across(1)
    };
    let y = y / y.norm();
    Mat3::from_columns(&[x, y, cross(&x, &y)])
}
