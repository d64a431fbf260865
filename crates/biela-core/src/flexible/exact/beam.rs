//! A beam: a chain of nodes and elements.

use super::SpatialSection;
use super::element::ExactElement;
use super::screw::BeamScrew;
use crate::element::Origin;
use crate::flexible::Profile;
use crate::flexible::quadrature::gauss;
use crate::math::{Mat3, Pose, Vec3};
use crate::model::{Body, BodyIndex, ForceIndex, MassProperties, Model, Shape, ShapeKind, Space};
use crate::system::EvaluationContext;

/// Gauss points of half an element, for its mass centre and inertia.
const POINTS: usize = 4;

/// A geometrically exact beam of a model.
#[derive(Clone, Debug)]
pub struct ExactBeam {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// Its nodes, from the start to the end.
    pub nodes: Vec<BodyIndex>,
    /// Its elements.
    pub elements: Vec<ForceIndex>,
    /// Indices of the named nodes.
    pub places: Vec<usize>,
    /// Cross-sections at the start and at the end, between which it tapers; `None` if only its stiffnesses are known.
    pub profiles: Option<[Profile; 2]>,
}

/// The definition of a beam.
#[derive(Clone, Debug)]
pub struct ExactBeamDefinition {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// Frames of the nodes in the unstressed shape: x along the beam, z along the height of the section.
    pub frames: Vec<Pose>,
    /// One per element.
    pub sections: Vec<SpatialSection>,
    /// Axial force in that shape.
    pub tension: f64,
    /// The named nodes.
    pub places: Vec<(usize, String)>,
    /// Cross-sections at the start and at the end, if known.
    pub profiles: Option<[Profile; 2]>,
}

/// Internal forces and deformation of a beam at a node, in the node's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodalResultants {
    /// Axial force, two shear forces, torsional moment and two bending moments exerted by the part beyond the node on the part before it.
    pub wrench: [f64; 6],
    /// Axial strain and two shear strains relative to the unstressed shape; twist and two curvatures.
    pub strain: [f64; 6],
}

impl ExactBeamDefinition {
    /// Mass properties of the part of the beam that belongs to each node, in the node's frame.
    pub fn pieces(&self) -> Vec<MassProperties> {
        let mut pieces = vec![MassProperties::massless(Vec3::zeros()); self.frames.len()];
        for (k, section) in self.sections.iter().enumerate() {
            let [first, second] = [&self.frames[k], &self.frames[k + 1]];
            let screw = BeamScrew::between(first, second);
            let back = second.inverse().then(first);
            let half = 0.5 * screw.u.norm();
            for (xi, weight) in gauss(POINTS) {
                let length = weight * half;
                let slice = slice(section, length);
                pieces[k] = pieces[k].joined(&slice.moved(&screw.part(0.5 * xi)));
                let beyond = back.then(&screw.part(1.0 - 0.5 * xi));
                pieces[k + 1] = pieces[k + 1].joined(&slice.moved(&beyond));
            }
        }
        pieces
    }

    /// Whether all its values are valid: lengths, stiffnesses, masses and inertias are finite and positive.
    pub fn is_sound(&self) -> bool {
        let positive = |x: &f64| *x > 0.0 && x.is_finite();
        let section = |s: &SpatialSection| {
            let numbers = s.stiffness.iter().chain(&s.inertia).chain([&s.mass]);
            numbers.copied().all(|x| positive(&x)) && s.damping.is_finite()
        };
        let finite = |frame: &Pose| frame.p.iter().chain(frame.R.iter()).all(|x| x.is_finite());
        let fits = self.frames.len() == self.sections.len() + 1 && !self.sections.is_empty();
        fits && self.frames.iter().all(finite)
            && self.sections.iter().all(section)
            && self.tension.is_finite()
            && self.pieces().iter().all(|piece| {
                positive(&piece.mass)
                    && piece.center.iter().all(|x| x.is_finite())
                    && piece.inertia.iter().all(|x| x.is_finite())
                    && piece.is_definite(Space::Spatial)
            })
    }

    /// Mass properties of the whole beam as one rigid body, in the frame of its first node.
    pub fn whole(&self) -> MassProperties {
        let start = self.frames[0].inverse();
        let pieces = self.pieces();
        let mut whole = MassProperties::massless(Vec3::zeros());
        for (piece, frame) in pieces.iter().zip(&self.frames) {
            whole = whole.joined(&piece.moved(&start.then(frame)));
        }
        whole
    }

    /// Bars along the half elements adjacent to a node, in the node's frame.
    pub fn bars(&self, node: usize) -> Vec<Shape> {
        let own = self.frames[node].inverse();
        let mut bars = Vec::new();
        for k in node.saturating_sub(1)..(node + 1).min(self.sections.len()) {
            let [first, second] = [&self.frames[k], &self.frames[k + 1]];
            let middle = first.then(&BeamScrew::between(first, second).part(0.5));
            let section = &self.sections[k];
            // a round bar with the same ratio of bending to axial stiffness: r² = 4 EI/EA
            let [axial, .., about_y, about_z] = section.stiffness;
            bars.push(Shape {
                kind: ShapeKind::Bar {
                    radius: 2.0 * (about_y.min(about_z) / axial).sqrt(),
                    from: Vec3::zeros(),
                    to: own.point(&middle.p),
                },
                pose: Pose::identity(),
            });
        }
        bars
    }
}

/// Mass properties of a thin slice of a section.
fn slice(section: &SpatialSection, length: f64) -> MassProperties {
    let [about_y, about_z] = section.inertia.map(|inertia| length * inertia);
    MassProperties {
        mass: length * section.mass,
        center: Vec3::zeros(),
        inertia: Mat3::from_diagonal(&Vec3::new(about_y + about_z, about_y, about_z)),
    }
}

impl ExactBeam {
    /// Adds nodes and elements to a model.
    pub fn build(model: &mut Model, plan: &ExactBeamDefinition) -> usize {
        let mut nodes = Vec::with_capacity(plan.frames.len());
        for (k, piece) in plan.pieces().into_iter().enumerate() {
            let place = plan.places.iter().find(|(node, _)| *node == k);
            let name = match place {
                Some((_, name)) => format!("{}.{name}", plan.name),
                None => format!("{}.node{k}", plan.name),
            };
            let mut body = Body::new(name, piece).at(plan.frames[k]);
            body.origin = plan.origin.clone();
            body.shapes = plan.bars(k);
            nodes.push(model.add_body(body));
        }
        let mut elements = Vec::with_capacity(plan.sections.len());
        for (k, section) in plan.sections.iter().enumerate() {
            let element = ExactElement::new(
                [nodes[k], nodes[k + 1]],
                [&plan.frames[k], &plan.frames[k + 1]],
                *section,
                plan.tension,
            );
            let name = format!("{}.element{k}", plan.name);
            let index = model.add_force(name, element);
            model.forces[index.0].origin = plan.origin.clone();
            elements.push(index);
        }
        model.exact_beams.push(ExactBeam {
            name: plan.name.clone(),
            origin: plan.origin.clone(),
            nodes,
            elements,
            places: plan.places.iter().map(|(node, _)| *node).collect(),
            profiles: plan.profiles,
        });
        model.exact_beams.len() - 1
    }

    /// Its elements in a model.
    pub fn elements<'m>(&self, model: &'m Model) -> impl Iterator<Item = &'m ExactElement> {
        let forces = self.elements.iter().map(|index| &model.forces[index.0]);
        forces.filter_map(|element| element.force.beam_element())
    }

    /// Unstressed length.
    pub fn length(&self, model: &Model) -> f64 {
        self.elements(model).map(|element| element.length).sum()
    }

    /// Mass.
    pub fn mass(&self, model: &Model) -> f64 {
        let nodes = self.nodes.iter();
        nodes.map(|node| model.bodies[node.0].mass.mass).sum()
    }

    /// Start and end of the half elements along the unstressed beam; each belongs to a node.
    pub(crate) fn halves(&self, model: &Model) -> Vec<[f64; 2]> {
        let mut start = 0.0;
        let mut halves = Vec::with_capacity(2 * self.elements.len());
        for element in self.elements(model) {
            let (middle, end) = (start + 0.5 * element.length, start + element.length);
            halves.extend([[start, middle], [middle, end]]);
            start = end;
        }
        halves
    }

    /// Returns the point at a fraction of half element `half`, from its start: the node to which it is fixed, and its frame in the node's.
    pub(crate) fn place(&self, model: &Model, half: usize, share: f64) -> (BodyIndex, Pose) {
        let (k, second) = (half / 2, half % 2 == 1);
        let [near, far] = [self.nodes[k], self.nodes[k + 1]];
        let frame = |node: BodyIndex| {
            let pose = model.bodies[node.0].start.pose;
            pose.unwrap_or_else(Pose::identity)
        };
        let (first, last) = (frame(near), frame(far));
        let screw = BeamScrew::between(&first, &last);
        if second {
            let back = last.inverse().then(&first);
            (far, back.then(&screw.part(0.5 + 0.5 * share)))
        } else {
            (near, screw.part(0.5 * share))
        }
    }

    /// Returns the internal forces at a node: between two elements the mean of both sides, which differ by the loads on the node.
    pub fn carried(&self, context: &EvaluationContext<'_>, node: usize) -> NodalResultants {
        let model = context.model;
        let of = |k: usize| {
            let index = self.elements.get(k)?;
            model.forces[index.0].force.beam_element()
        };
        let sides = [(node.checked_sub(1).and_then(of), 1), (of(node), 0)];
        let count = sides
            .iter()
            .filter(|(element, _)| element.is_some())
            .count();
        let mut mean = NodalResultants {
            wrench: [0.0; 6],
            strain: [0.0; 6],
        };
        for (element, end) in sides {
            let Some(element) = element else { continue };
            let [all, elastic] = element.carried(context, end);
            let before = element.bent_before();
            for i in 0..6 {
                let start = if i < 3 { 0.0 } else { before[i - 3] };
                mean.wrench[i] += all[i] / count as f64;
                let strain = start + elastic[i] / element.section.stiffness[i];
                mean.strain[i] += strain / count as f64;
            }
        }
        mean
    }
}
