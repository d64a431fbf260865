//! A beam: a chain of elements that share their nodes.

use std::collections::BTreeMap;

use super::element::{MOST, in_space};
use super::quadrature::gauss;
use super::strain::{ElementStrains, StrainMeasures};
use super::{BeamElement, MOST_POINTS, Profile, Section, ShapeNode, Station, hermite};
use crate::element::Origin;
use crate::math::Vec3;
use crate::math::rotation::{cross, dot};
use crate::system::spin::acceleration;

/// A flexible beam.
///
/// ```
/// use biela_core::flexible::{Beam, Profile, Section, element_kind, straight};
/// use biela_core::joints::Weld;
/// use biela_core::model::{MarkerIndex, Model, Space};
///
/// // a steel strip of 1 m in four elements, clamped at its start
/// let mut model = Model::new("cantilever", Space::Planar);
/// let section = Section::new(&Profile::Rectangle { width: 0.02, height: 0.01 }, 210e9, 7850.0);
/// let kind = element_kind("cable").ok_or("no such element")?;
/// let (nodes, length) = straight([0.0, 0.0], [1.0, 0.0], 4).ok_or("no line")?;
/// let beam = Beam::new("strip", kind.plane(), (&nodes, length), &[section; 4], 0.0, kind.points());
/// let beam = model.add_beam(beam);
/// let root = model.add_station(beam, "root", 0.0);
/// let _ = model.connect("clamp", Weld, [MarkerIndex::GROUND, model.body_marker(root)]);
/// assert!(model.signal("strip.root.x").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Beam {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// Its elements, from the start to the end.
    pub elements: Vec<BeamElement>,
    /// Nodal coordinates of the reference shape, as written in the model.
    pub reference: Vec<f64>,
    /// Initial nodal velocities.
    pub velocity: Vec<f64>,
    /// Axial force in the reference shape.
    pub tension: f64,
    /// Cross-sections at the start and at the end, between which it tapers; `None` if only its stiffnesses are known.
    pub profiles: Option<[Profile; 2]>,
    /// Number of position axes, 2 or 3.
    axes: usize,
}

/// Nodal coordinates of a beam and their time derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamMotion {
    /// e.
    pub e: Vec<f64>,
    /// ė.
    pub rates: Vec<f64>,
    /// Number of coordinates per node.
    pub node: usize,
}

/// Internal forces and deformation at a station; in space curvature, moment and shear are magnitudes of vectors.
#[derive(Clone, Copy, Debug)]
pub struct Internal {
    /// Axial strain relative to the unstressed shape.
    pub strain: f64,
    /// Curvature: rotation of the sections per unit length.
    pub curvature: f64,
    /// Axial force, positive in tension.
    pub axial: f64,
    /// Bending moment exerted by the part beyond the station on the part before it.
    pub moment: f64,
    /// Shear force exerted by the part beyond the station on the part before it, along the station's y axis: `−dM/dx`.
    pub shear: f64,
}

/// Bending at a point of an element.
struct Bent {
    curvature: Vec3<f64>,
    /// Curvature relative to the unstressed shape.
    bend: Vec3<f64>,
    bend_rate: Vec3<f64>,
}

impl Beam {
    /// A beam of elements of equal length through the given nodes, at rest and unstressed except for `tension`. An element formulation that is straight
    /// when unstressed has the bending stress that its nodes imply.
    ///
    /// `sections` has one entry per element; `points` are the numbers of Gauss points for stretch and for bending.
    pub fn new<const D: usize>(
        name: impl Into<String>,
        kind: &'static dyn StrainMeasures<D>,
        (nodes, length): (&[ShapeNode<D>], f64),
        sections: &[Section],
        tension: f64,
        points: [usize; 2],
    ) -> Self
    where
        ElementStrains: From<&'static dyn StrainMeasures<D>>,
    {
        let measuring = ElementStrains::from(kind);
        let reference: Vec<f64> = nodes.iter().flatten().flatten().copied().collect();
        let points = points.map(|n| n.clamp(1, MOST_POINTS));
        let element = |(k, section): (usize, &Section)| {
            let e = &reference[2 * D * k..2 * D * (k + 2)];
            BeamElement::new(measuring, length, *section, e, tension, points)
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
            profiles: None,
            axes: D,
        }
    }

    /// Sets a rigid initial motion: a velocity at the origin of the ground frame and an angular velocity.
    pub fn set_rigid_velocity(&mut self, velocity: &Vec3<f64>, omega: &Vec3<f64>) {
        let axes = self.axes;
        let pairs = self.velocity.chunks_exact_mut(axes);
        for (k, (rates, e)) in pairs.zip(self.reference.chunks_exact(axes)).enumerate() {
            let turning = cross(omega, &vector(e));
            for (axis, rate) in rates.iter_mut().enumerate() {
                // positions translate and rotate, slopes rotate only
                let shift = if k % 2 == 0 { velocity[axis] } else { 0.0 };
                *rate = shift + turning[axis];
            }
        }
    }

    /// Number of position axes: 2 in the plane, 3 in space.
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// Number of coordinates per node: position, then slope with respect to material length.
    pub fn node_size(&self) -> usize {
        2 * self.axes
    }

    /// Sets the weight of each slope to the length of the shortest element at its node: the product is the displacement that the slope causes.
    pub fn weigh_slopes(&self, weights: &mut [f64]) {
        let node = self.node_size();
        for (k, element) in self.elements.iter().enumerate() {
            for weights in weights[node * k..node * (k + 2)].chunks_exact_mut(node) {
                for weight in &mut weights[self.axes..] {
                    *weight = weight.min(element.length);
                }
            }
        }
    }

    /// Number of nodal coordinates.
    pub fn num_coordinates(&self) -> usize {
        self.reference.len()
    }

    /// Unstressed length.
    pub fn length(&self) -> f64 {
        self.elements.iter().map(|element| element.length).sum()
    }

    /// Current length of the centreline, with 5 Gauss points per element.
    pub fn stretched_length(&self, motion: &BeamMotion) -> f64 {
        let of = |(element, at): (&BeamElement, std::ops::Range<usize>)| {
            let e = &motion.e[at];
            let stretch = |xi: f64| in_space(&hermite::slope(element.length, xi), e).norm();
            let sum = gauss(5).iter().map(|(xi, w)| w * stretch(*xi));
            sum.sum::<f64>() * element.length
        };
        self.placed().map(of).sum()
    }

    /// Mass.
    pub fn mass(&self) -> f64 {
        self.elements.iter().map(BeamElement::mass).sum()
    }

    /// Returns the initial motion, as written in the model.
    pub fn start(&self) -> BeamMotion {
        BeamMotion {
            e: self.reference.clone(),
            rates: self.velocity.clone(),
            node: self.node_size(),
        }
    }

    /// The index range of the nodal coordinates of an element.
    pub(crate) fn of_element(&self, element: usize) -> std::ops::Range<usize> {
        self.node_size() * element..self.node_size() * (element + 2)
    }

    /// Elements with the index ranges of their nodal coordinates.
    fn placed(&self) -> impl Iterator<Item = (&BeamElement, std::ops::Range<usize>)> {
        let elements = self.elements.iter().enumerate();
        elements.map(|(k, element)| (element, self.of_element(k)))
    }

    /// Lower triangle of the mass matrix, each entry once, in nodal coordinates.
    pub fn mass_matrix(&self) -> BTreeMap<(usize, usize), f64> {
        let mut entries = BTreeMap::new();
        let axes = self.axes;
        for (element, at) in self.placed() {
            let (mass, pattern) = (element.mass(), hermite::mass(element.length));
            for (i, row) in pattern.iter().enumerate() {
                for (j, value) in row.iter().enumerate().take(i + 1) {
                    for axis in 0..axes {
                        let place = (at.start + axes * i + axis, at.start + axes * j + axis);
                        *entries.entry(place).or_insert(0.0) += mass * value;
                    }
                }
            }
        }
        entries
    }

    /// Adds weight minus elastic and damping forces; returns the power of the damping.
    pub fn add_forces(&self, motion: &BeamMotion, gravity: &Vec3<f64>, out: &mut [f64]) -> f64 {
        let mut power = 0.0;
        for (element, at) in self.placed() {
            let out = &mut out[at.clone()];
            self.add_weight(element, gravity, out);
            power += element.add_force(&motion.e[at.clone()], &motion.rates[at], -1.0, out);
        }
        power
    }

    /// Adds the magnitudes of weight, elastic and damping forces of each element.
    pub fn add_force_sizes(&self, motion: &BeamMotion, gravity: &Vec3<f64>, out: &mut [f64]) {
        for (element, at) in self.placed() {
            let mut parts = [[0.0; MOST]; 2];
            self.add_weight(element, gravity, &mut parts[0]);
            let (e, rates) = (&motion.e[at.clone()], &motion.rates[at.clone()]);
            let _ = element.add_force(e, rates, 1.0, &mut parts[1]);
            for part in parts {
                for (size, x) in out[at.clone()].iter_mut().zip(part) {
                    *size += x.abs();
                }
            }
        }
    }

    /// Adds the weight of an element.
    fn add_weight(&self, element: &BeamElement, gravity: &Vec3<f64>, out: &mut [f64]) {
        let mass = element.mass();
        let nodes = out.chunks_exact_mut(self.axes);
        for (out, share) in nodes.zip(hermite::mean(element.length)) {
            for (x, g) in out.iter_mut().zip(gravity) {
                *x += mass * g * share;
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
        let twice = |a: &Vec3<f64>, b: &Vec3<f64>| Vec3::new(dot(a, b), 0.0, 0.0);
        0.5 * self.product(&motion.rates, &motion.rates, twice)[0]
    }

    /// `∫ x² + y² dm`.
    pub fn moment_about_z(&self, motion: &BeamMotion) -> f64 {
        let times = |a: &Vec3<f64>, b: &Vec3<f64>| Vec3::new(a[0] * b[0] + a[1] * b[1], 0.0, 0.0);
        self.product(&motion.e, &motion.e, times)[0]
    }

    /// Adds a fraction of the inertia forces of a ground frame that rotates about z.
    pub fn add_spin(&self, motion: &BeamMotion, spin: f64, share: f64, out: &mut [f64]) {
        for (element, at) in self.placed() {
            let pattern = hermite::mass(element.length);
            let (e, rates) = (&motion.e[at.clone()], &motion.rates[at.clone()]);
            let axes = self.axes;
            let pairs = e.chunks_exact(axes).zip(rates.chunks_exact(axes));
            for (j, (r, v)) in pairs.enumerate() {
                let a = acceleration(spin, r, v);
                let nodes = out[at.clone()].chunks_exact_mut(axes);
                for (row, out) in pattern.iter().zip(nodes) {
                    let mass = share * element.mass() * row[j];
                    out[0] += mass * a[0];
                    out[1] += mass * a[1];
                }
            }
        }
    }

    /// Angular momentum about the ground's origin.
    pub fn angular_momentum(&self, motion: &BeamMotion) -> Vec3<f64> {
        self.product(&motion.e, &motion.rates, cross)
    }

    /// `∫ ρA f dx` of a field f with these nodal values: first moment of mass from positions, momentum from velocities.
    pub fn sum(&self, nodes: &[f64]) -> Vec3<f64> {
        let mut total = Vec3::zeros();
        for (element, at) in self.placed() {
            total += in_space(&hermite::mean(element.length), &nodes[at]) * element.mass();
        }
        total
    }

    /// `∫ ρA a(x) ∘ b(x) dx` of fields with nodal values a and b.
    fn product(
        &self,
        a: &[f64],
        b: &[f64],
        times: impl Fn(&Vec3<f64>, &Vec3<f64>) -> Vec3<f64>,
    ) -> Vec3<f64> {
        let mut total = Vec3::zeros();
        for (element, at) in self.placed() {
            let pattern = hermite::mass(element.length);
            for (row, a) in pattern.iter().zip(a[at.clone()].chunks_exact(self.axes)) {
                for (value, b) in row.iter().zip(b[at.clone()].chunks_exact(self.axes)) {
                    total += times(&vector(a), &vector(b)) * (element.mass() * value);
                }
            }
        }
        total
    }

    /// Returns deformation and internal forces at a station, evaluated where they are most accurate. Bending is on the straight line through the values at
    /// two Gauss points of the element. Stretch is on the straight line that fits the values at three points best, which filters the non-uniform stretch of
    /// the cubic shape functions of a bent element.
    pub fn internal(&self, station: &Station, motion: &BeamMotion) -> Internal {
        let element = &self.elements[station.element];
        let section = &element.section;
        let (first, last) = (gauss(2)[0].0, gauss(2)[1].0);
        let [near, far] = [first, last].map(|xi| self.bent(station.element, xi, motion));
        let share = (station.xi - first) / (last - first);
        let vector = |of: fn(&Bent) -> Vec3<f64>| of(&near) + (of(&far) - of(&near)) * share;
        let size = |x: Vec3<f64>| if self.axes == 2 { x[2] } else { x.norm() };
        let (mut strain, mut strain_rate) = (0.0, 0.0);
        for (xi, weight) in gauss(3) {
            let (value, rate) = self.stretch(station.element, *xi, motion);
            // mean, and slope with respect to ξ − ½, whose square has the mean 1/12
            let weight = weight * (1.0 + 12.0 * (xi - 0.5) * (station.xi - 0.5));
            strain += weight * value;
            strain_rate += weight * rate;
        }
        let moment = vector(|at| at.bend) + vector(|at| at.bend_rate) * section.damping;
        let slope = (far.bend - near.bend) / ((last - first) * element.length);
        Internal {
            strain,
            curvature: size(vector(|at| at.curvature)),
            axial: section.axial * (strain + section.damping * strain_rate),
            moment: section.bending * size(moment),
            shear: section.bending * size(-slope),
        }
    }

    /// Axial strain at a point of an element relative to the unstressed shape, and its time derivative.
    fn stretch(&self, element: usize, xi: f64, motion: &BeamMotion) -> (f64, f64) {
        let (of, at) = (&self.elements[element], self.of_element(element));
        let reference = of.stretch(xi, &self.reference[at.clone()]);
        let (stretch, rate) = of.stretch_and_rate(xi, &motion.e[at.clone()], &motion.rates[at]);
        (stretch - reference + self.tension / of.section.axial, rate)
    }

    /// Returns the bending at a point of an element.
    fn bent(&self, element: usize, xi: f64, motion: &BeamMotion) -> Bent {
        let (of, at) = (&self.elements[element], self.of_element(element));
        let (e, rates) = (&motion.e[at.clone()], &motion.rates[at.clone()]);
        let curvature = of.curvature(xi, e);
        Bent {
            curvature,
            bend: if of.curved() {
                curvature - of.curvature(xi, &self.reference[at])
            } else {
                curvature
            },
            bend_rate: if of.damps_bending() {
                of.curvature_rate(xi, e, rates)
            } else {
                Vec3::zeros()
            },
        }
    }
}

/// Nodal values in the plane or in space as a vector.
fn vector(values: &[f64]) -> Vec3<f64> {
    Vec3::new(values[0], values[1], values.get(2).copied().unwrap_or(0.0))
}
