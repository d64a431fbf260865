//! Geometrically exact beams in space: stretch, shear, torsion and bending at any size of motion.
//!
//! ```text
//! d = log(H₁⁻¹ H₂)        V = ½ (d − d₀)ᵀ K (d − d₀) / L        K = diag(EA, k_y GA, k_z GA, GJ, EI_y, EI_z)
//! ```
//!
//! Nodes are rigid bodies, each with the mass and inertia of the half elements beside it, so that all that holds for rigid bodies holds for
//! such a beam, and its inertia as a whole is that of the beam. An element is a force between the frames H₁ and H₂ of two nodes: the exact slope of V, with
//! the [screw](screw) d between them. Strains d/L are constant along an element, whose axis is then a helix: an element rolls up without locking, and
//! a rigid motion strains nothing. d₀ is that of the shape without stress. Damping is Kelvin-Voigt's, `τ K ḋ / L` beside `K (d − d₀) / L`.
//!
//! In a section x is along the beam, y along its width and z along its height.

mod beam;
mod element;
mod screw;
#[cfg(test)]
mod suite;

pub use beam::{Carried, ExactBeam, Plan};
pub use element::ExactElement;

/// Stiffness and mass of a piece of beam in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialSection {
    /// Against stretch, shear along y and along z (N), torsion, bending about y and about z (N·m²).
    pub stiffness: [f64; 6],
    /// Mass a length, kg/m.
    pub mass: f64,
    /// Inertia a length about y and about z, kg·m; that about x is their sum.
    pub inertia: [f64; 2],
    /// Stress by strain rate is this time times the stiffness (Kelvin-Voigt), s.
    pub damping: f64,
}

impl SpatialSection {
    /// The section of a homogeneous beam of which stiffness and mass are known: the inertia of a section is to its mass as its bending
    /// stiffness is to its stiffness against stretch.
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
