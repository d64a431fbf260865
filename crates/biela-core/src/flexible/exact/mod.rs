//! Geometrically exact beams in space: stretch, shear, torsion and bending with arbitrarily large motion.
//!
//! ```text
//! d = log(H₁⁻¹ H₂)        V = ½ (d − d₀)ᵀ K (d − d₀) / L        K = diag(EA, k_y GA, k_z GA, GJ, EI_y, EI_z)
//! ```
//!
//! Nodes are rigid bodies, each with the mass and inertia of the adjacent half elements. Everything that applies to rigid bodies therefore applies to
//! such a beam, and its total inertia is that of the beam. An element is a force between the frames H₁ and H₂ of two nodes: the exact gradient of V, with
//! the [screw](screw) d between them. The strains d/L are constant along an element, whose axis is then a helix: an element bends to a circle without
//! locking, and a rigid motion causes no strain. d₀ belongs to the unstressed shape. The damping is of Kelvin–Voigt type, `τ K ḋ / L` in addition to
//! `K (d − d₀) / L`.
//!
//! In a section x is along the beam, y along its width and z along its height.

mod beam;
mod element;
mod screw;
#[cfg(test)]
mod suite;

pub use beam::{ExactBeam, ExactBeamDefinition, NodalResultants};
pub use element::ExactElement;

/// Stiffness and mass properties of a beam segment in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialSection {
    /// Axial stiffness, shear stiffness along y and along z (N), torsional stiffness, bending stiffness about y and about z (N·m²).
    pub stiffness: [f64; 6],
    /// Mass per unit length, kg/m.
    pub mass: f64,
    /// Inertia per unit length about y and about z, kg·m; that about x is their sum.
    pub inertia: [f64; 2],
    /// Kelvin–Voigt time constant τ, s: stress = stiffness × (strain + τ × strain rate).
    pub damping: f64,
}

impl SpatialSection {
    /// The section of a homogeneous beam with known stiffness and mass: the ratio of its inertia to its mass equals the ratio of bending to axial
    /// stiffness.
    pub fn homogeneous(stiffness: [f64; 6], mass: f64) -> Self {
        let [axial, .., about_y, about_z] = stiffness;
        SpatialSection {
            stiffness,
            mass,
            inertia: [mass * about_y / axial, mass * about_z / axial],
            damping: 0.0,
        }
    }
}
