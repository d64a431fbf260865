//! Contacts between surfaces of bodies.

use super::{
    BeamIndex, ContactIndex, JointElement, JointIndex, JointLimits, MarkerIndex, MaterialIndex,
    Model, Space,
};
use crate::contact::{Circle, Point, Sphere, Surface, SurfacePair};
use crate::element::{ArgumentError, Arguments, Info, Origin};
use crate::flexible::Beam;
use crate::joints::{
    Across, Coordinate, Joint, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
};
use crate::math::Real;
use crate::unilateral::{Compliance, Elasticity};

/// The law of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactLaw {
    /// Coefficient of friction in slip, μ.
    pub friction: f64,
    /// Coefficient of friction in stick, μ_s ≥ μ.
    pub static_friction: f64,
    /// Coefficient of restitution, 0 ≤ e ≤ 1.
    pub restitution: f64,
    /// Stiffness and dissipation, for the compliant formulation.
    pub compliance: Compliance,
    /// Coefficient of tangential restitution e_t of Newton's law of impact, 0 ≤ e_t ≤ 1: friction that sticks reverses this share of the slip velocity.
    pub tangential_restitution: f64,
    /// Length of rolling resistance, m: the moment about the tangential directions is at most this length times the normal force.
    pub rolling_resistance: f64,
    /// Length of spinning resistance, m: the moment about the normal is at most this length times the normal force; in space.
    pub spinning_resistance: f64,
}

impl ContactLaw {
    /// Without friction, perfectly inelastic.
    pub const SMOOTH: ContactLaw = ContactLaw {
        friction: 0.0,
        static_friction: 0.0,
        restitution: 0.0,
        compliance: Compliance::NONE,
        tangential_restitution: 0.0,
        rolling_resistance: 0.0,
        spinning_resistance: 0.0,
    };

    /// Returns the law with a coefficient of friction, in stick and in slip.
    #[must_use]
    pub fn with_friction(self, mu: f64) -> Self {
        ContactLaw {
            friction: mu,
            static_friction: mu,
            ..self
        }
    }

    /// Returns the law with another coefficient of friction in stick.
    #[must_use]
    pub fn with_static_friction(self, mu: f64) -> Self {
        ContactLaw {
            static_friction: mu,
            ..self
        }
    }

    /// Returns the law with a coefficient of restitution.
    #[must_use]
    pub fn with_restitution(self, e: f64) -> Self {
        ContactLaw {
            restitution: e,
            ..self
        }
    }

    /// Returns the law with a normal stiffness, N/mᵖ, and its exponent p, 1 or 3/2, for the compliant formulation.
    #[must_use]
    pub fn with_stiffness(self, stiffness: f64, exponent: f64) -> Self {
        let compliance = Compliance {
            stiffness: Some(stiffness),
            exponent,
            ..self.compliance
        };
        ContactLaw { compliance, ..self }
    }

    /// Returns the law with the stiffnesses of two elastic bodies after Hertz and Mindlin, for the compliant formulation. The radii are those of the surfaces.
    #[must_use]
    pub fn with_elasticity(self, sides: [Elasticity; 2]) -> Self {
        let compliance = self.compliance.hertz(sides);
        ContactLaw { compliance, ..self }
    }

    /// Returns the law with a dissipation factor, s/m, in place of that of the coefficient of restitution, for the compliant formulation.
    #[must_use]
    pub fn with_dissipation(self, c: f64) -> Self {
        let compliance = Compliance {
            dissipation: Some(c),
            ..self.compliance
        };
        ContactLaw { compliance, ..self }
    }

    /// Returns the law with a stiffness of the bristles, N/m, for the compliant formulation.
    #[must_use]
    pub fn with_tangential_stiffness(self, stiffness: f64) -> Self {
        let compliance = Compliance {
            tangential_stiffness: Some(stiffness),
            ..self.compliance
        };
        ContactLaw { compliance, ..self }
    }

    /// Returns the law with a damping ratio of vibrations on the bristles, for the compliant formulation.
    #[must_use]
    pub fn with_tangential_damping(self, ratio: f64) -> Self {
        let compliance = Compliance {
            tangential_damping: Some(ratio),
            ..self.compliance
        };
        ContactLaw { compliance, ..self }
    }

    /// Returns the law with a coefficient of tangential restitution.
    #[must_use]
    pub fn with_tangential_restitution(self, e: f64) -> Self {
        ContactLaw {
            tangential_restitution: e,
            ..self
        }
    }

    /// Returns the law with a length of rolling resistance.
    #[must_use]
    pub fn with_rolling_resistance(self, length: f64) -> Self {
        ContactLaw {
            rolling_resistance: length,
            ..self
        }
    }

    /// Returns the law with a length of spinning resistance.
    #[must_use]
    pub fn with_spinning_resistance(self, length: f64) -> Self {
        ContactLaw {
            spinning_resistance: length,
            ..self
        }
    }

    /// Checks the coefficients.
    ///
    /// # Errors
    ///
    /// The first field that is out of its range.
    pub fn check(&self) -> Result<(), ArgumentError> {
        let fault = |field, message: String| Err(ArgumentError { field, message });
        let ContactLaw {
            friction,
            static_friction,
            restitution,
            compliance,
            tangential_restitution,
            rolling_resistance,
            spinning_resistance,
        } = *self;
        if !(friction >= 0.0 && friction.is_finite()) {
            return fault(
                "friction",
                format!("{friction} is not a coefficient of friction; it must be zero or greater"),
            );
        }
        if !(static_friction >= friction && static_friction.is_finite()) {
            return fault(
                "static_friction",
                format!("{static_friction} is below the coefficient in slip, {friction}"),
            );
        }
        for (field, e) in [
            ("restitution", restitution),
            ("tangential_restitution", tangential_restitution),
        ] {
            if !(0.0..=1.0).contains(&e) {
                return fault(field, format!("{e} is not between 0 and 1"));
            }
        }
        for (field, length) in [
            ("rolling_resistance", rolling_resistance),
            ("spinning_resistance", spinning_resistance),
        ] {
            if !(length >= 0.0 && length.is_finite()) {
                return fault(
                    field,
                    format!("{length} m is not zero or a positive length"),
                );
            }
        }
        compliance.check()
    }
}

/// A material. Its elastic constants are for contact laws with a stiffness.
#[derive(Clone, Debug)]
pub struct Material {
    /// Name.
    pub name: String,
    /// Young's modulus E, Pa.
    pub youngs_modulus: Option<f64>,
    /// Poisson's ratio ν.
    pub poisson_ratio: Option<f64>,
}

impl Material {
    /// The elastic constants, with ν = 0.3 if it is unknown; `None` without Young's modulus.
    pub fn elasticity(&self) -> Option<Elasticity> {
        Some(Elasticity {
            youngs_modulus: self.youngs_modulus?,
            poisson: self.poisson_ratio.unwrap_or(0.3),
        })
    }
}

/// A contact between two surfaces.
#[derive(Clone, Debug)]
pub struct ContactElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The surfaces.
    pub pair: SurfacePair,
    /// The law.
    pub law: ContactLaw,
    /// The materials of the surfaces.
    pub materials: [Option<MaterialIndex>; 2],
    /// The joints without equations that have the relative poses of the surfaces: one, or one per candidate point of a beam.
    pub joints: Vec<JointIndex>,
    /// The side that is a beam as a whole.
    pub beam: Option<BeamSide>,
}

/// The side of a contact that is a beam as a whole: its surfaces are fixed to several points of the beam.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeamSide {
    /// The number of the side, 0 or 1.
    pub side: usize,
    /// The name of the beam.
    pub name: String,
}

impl ContactElement {
    /// Number of candidate points.
    pub fn num_points(&self) -> usize {
        self.joints.len() * self.pair.num_points()
    }

    /// The joint of a candidate point, and the number of the point among those of the pair of surfaces.
    pub fn candidate(&self, point: usize) -> (JointIndex, usize) {
        let each = self.pair.num_points();
        (self.joints[point / each], point % each)
    }
}

impl Model {
    /// Adds a contact between a surface fixed to a marker and another one fixed to a second marker.
    ///
    /// ```
    /// use biela_core::contact::{Circle, Line};
    /// use biela_core::math::Vec3;
    /// use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("bouncing ball", Space::Planar);
    /// model.gravity = Vec3::new(0.0, -9.81, 0.0);
    /// let ball = model.add_body(Body::new("ball", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
    /// let ball = model.body_marker(ball);
    /// let law = ContactLaw::SMOOTH.with_restitution(0.7);
    /// let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (ball, Circle::new(0.1)?), law);
    /// model.check()?;
    /// assert!(model.signal("floor.gap").is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_contact(
        &mut self,
        name: impl Into<String>,
        (first_marker, first): (MarkerIndex, impl Into<Surface>),
        (second_marker, second): (MarkerIndex, impl Into<Surface>),
        law: ContactLaw,
    ) -> Option<ContactIndex> {
        let sides = [first_marker, second_marker];
        self.add_contact_at(name, &[sides], [first.into(), second.into()], law)
    }

    /// Adds a contact between a surface fixed to a marker and a beam as a whole, which is a tube of a radius about its centreline. The tube is represented by
    /// candidate points fixed to the material at equal distances from the start to the end: circles in the plane, spheres in space, points for a radius of zero.
    ///
    /// ```
    /// use biela_core::contact::Line;
    /// use biela_core::flexible::{Beam, ELEMENTS, Section};
    /// use biela_core::model::{ContactLaw, MarkerIndex, Model, Space};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("a beam falls on a floor", Space::Planar);
    /// let section = Section { axial: 1e4, bending: 1.0, mass: 0.5, damping: 1e-3 };
    /// let nodes = [[[0.0, 0.1], [1.0, 0.0]], [[0.5, 0.1], [1.0, 0.0]], [[1.0, 0.1], [1.0, 0.0]]];
    /// let beam = model.add_beam(Beam::new("rod", ELEMENTS[0].plane(), (&nodes, 0.5), &[section; 2], 0.0, [3, 2]));
    /// let law = ContactLaw::SMOOTH.with_friction(0.3);
    /// let floor = model.add_beam_contact("floor", (MarkerIndex::GROUND, Line), (beam, 5, 0.01), law);
    /// model.check()?;
    /// assert_eq!(floor.map(|floor| model.contacts[floor.0].num_points()), Some(5));
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_beam_contact(
        &mut self,
        name: impl Into<String>,
        (marker, surface): (MarkerIndex, impl Into<Surface>),
        (beam, points, radius): (BeamIndex, usize, f64),
        law: ContactLaw,
    ) -> Option<ContactIndex> {
        let name = name.into();
        let tube = match self.tube_surface(radius) {
            Ok(tube) => tube,
            Err(message) => {
                let field = "radius";
                self.record(
                    format!("contact `{name}`"),
                    ArgumentError { field, message },
                );
                return None;
            }
        };
        let points = self.add_candidates(beam, &name, points);
        let sides: Vec<_> = points.into_iter().map(|point| [marker, point]).collect();
        let contact = self.add_contact_at(name, &sides, [surface.into(), tube], law)?;
        let name = self.beams[beam.0].name.clone();
        self.contacts[contact.0].beam = Some(BeamSide { side: 1, name });
        Some(contact)
    }

    /// Returns the surface of a tube about a centreline at one of its points.
    ///
    /// # Errors
    ///
    /// If the radius is negative or not finite.
    pub fn tube_surface(&self, radius: f64) -> Result<Surface, String> {
        if radius == 0.0 {
            return Ok(Point.into());
        }
        match self.space {
            Space::Planar => Circle::new(radius).map(Into::into),
            Space::Spatial => Sphere::new(radius).map(Into::into),
        }
    }

    /// Adds stations at equal distances from the start to the end of a beam, at least two, as the candidate points of a contact. They have no signals.
    pub fn add_candidates(
        &mut self,
        beam: BeamIndex,
        contact: &str,
        points: usize,
    ) -> Vec<MarkerIndex> {
        let length = self.beams.get(beam.0).map_or(0.0, Beam::length);
        let last = points.max(2) - 1;
        (0..=last)
            .map(|k| {
                let distance = length * k as f64 / last as f64;
                let station = self.add_station(beam, &format!("{contact}.{}", k + 1), distance);
                if let Some(body) = self.bodies.get_mut(station.0) {
                    body.is_candidate = true;
                }
                self.body_marker(station)
            })
            .collect()
    }

    /// Adds a contact between two surfaces that are fixed to each of several pairs of markers. There are candidate points for each pair of markers.
    pub fn add_contact_at(
        &mut self,
        name: impl Into<String>,
        markers: &[[MarkerIndex; 2]],
        [first, second]: [Surface; 2],
        law: ContactLaw,
    ) -> Option<ContactIndex> {
        let name = name.into();
        let element = format!("contact `{name}`");
        let mut sides = Vec::with_capacity(2 * markers.len());
        for &marker in markers.as_flattened() {
            match self.has_marker(marker) {
                Ok(()) => {
                    let marker = &self.markers[marker.0];
                    sides.push((marker.body, marker.pose));
                }
                Err(message) => {
                    let field = "between";
                    self.record(element.clone(), ArgumentError { field, message });
                }
            }
        }
        if let Err(error) = law.check() {
            self.record(element.clone(), error);
        }
        let pair = match SurfacePair::new(self.space, first, second) {
            Ok(pair) => pair,
            Err(message) => {
                let field = "between";
                self.record(element, ArgumentError { field, message });
                return None;
            }
        };
        if sides.is_empty() || sides.len() < 2 * markers.len() {
            return None;
        }
        let before = self.joints.len();
        for (k, ends) in sides.chunks_exact(2).enumerate() {
            self.joints.push(JointElement {
                name: if markers.len() == 1 {
                    name.clone()
                } else {
                    format!("{name}.{}", k + 1)
                },
                origin: Origin::default(),
                joint: Joint::custom(RelativePose),
                first: ends[0],
                second: ends[1],
                initial: Vec::new(),
                limits: JointLimits::NONE,
                armature: 0.0,
                is_contact: true,
            });
        }
        self.contacts.push(ContactElement {
            name,
            origin: Origin::default(),
            pair,
            law,
            materials: [None; 2],
            joints: (before..self.joints.len()).map(JointIndex).collect(),
            beam: None,
        });
        Some(ContactIndex(self.contacts.len() - 1))
    }
}

/// A joint without equations and coordinates: it only has the relative pose of two frames.
#[derive(Clone, Debug)]
struct RelativePose;

impl JointKind for RelativePose {
    const INFO: Info = Info {
        name: "contact-pair",
        aliases: &[],
        summary: "the relative pose of two surfaces",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;
    const HAS_AXIS: bool = false;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(RelativePose)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 0,
            velocity_rows: 0,
            tree: None,
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        &[]
    }

    fn rows<T: Real>(&self, _: Space, _: &Relative<T>, _: &mut JointEquations<T>) {}

    fn coordinate<T: Real>(&self, _: Space, _: usize, _: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::constant(f64::NAN)
    }

    fn across<T: Real>(&self, _: Space, _: &[T], _: &[T], _: &mut Across<T>) {}
}
