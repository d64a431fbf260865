//! Flexible beams in absolute nodal coordinates.
//!
//! ```text
//! r(x) = S(x) e        e = (r, r') at the nodes        M ë + Q(e, ė) = Q_loads        M constant
//! ```
//!
//! A node carries the position of the centreline and its derivative with respect to material length (the slope), 4 coordinates in the plane and 6 in
//! space. Cross-sections stay plane and normal to the centreline. Displacements, rotations and velocities may be arbitrarily large, and a rigid motion
//! causes no strain. An element formulation defines the strains, one file each; everything else is shared:
//!
//! ```text
//! V = ½ ∫ EA (ε − ε₀)² + EI (κ − κ₀)² dx        Q = ∂V/∂e + ∫ τ (EA ε̇ ∂ε/∂e + EI κ̇ ∂κ/∂e) dx
//! ```
//!
//! ε₀ and κ₀ are the strains of the unstressed shape. The damping τ acts on strain rates, so a rigid motion is not damped. In space there is
//! no torsion, κ₀ = 0 and damping acts on ε only; likewise where κ is measured in ground axes, as in `green-lagrange`.

mod beam;
mod cable;
mod element;
mod exact;
mod green_lagrange;
mod hermite;
mod outline;
mod point;
mod quadrature;
mod section;
mod shape;
mod station;
mod strain;
mod structural;
#[cfg(test)]
mod suite;

pub use beam::{Beam, BeamMotion, Internal};
pub use element::BeamElement;
pub(crate) use element::MOST as MOST_OF_ELEMENT;
pub use exact::{ExactBeam, ExactBeamDefinition, ExactElement, NodalResultants, SpatialSection};
pub use outline::Outline;
pub use point::GaussStrain;
pub use quadrature::MOST_POINTS;
pub(crate) use quadrature::gauss;
pub use section::{Profile, Section};
pub use shape::{ShapeNode, along, along_curve, straight};
pub use station::{Station, StationMotion};
pub use strain::{ElementStrains, LocalDerivatives, Strain, StrainKind, StrainMeasures};

use crate::element::Info;

/// An element formulation.
pub trait ElementKind: std::fmt::Debug + Send + Sync {
    /// The description.
    fn info(&self) -> Info;
    /// Default numbers of Gauss points for stretch and for bending.
    fn points(&self) -> [usize; 2];
    /// Its strains in the plane.
    fn plane(&self) -> &'static dyn StrainMeasures<2>;
    /// Its strains in space; `None` if it is planar only.
    fn space(&self) -> Option<&'static dyn StrainMeasures<3>>;
}

/// All element formulations; the first is the default.
pub const ELEMENTS: &[&'static dyn ElementKind] = &[
    &cable::Cable,
    &green_lagrange::GreenLagrange,
    &structural::Structural,
];

/// Returns the element formulation of a name.
pub fn element_kind(name: &str) -> Option<&'static dyn ElementKind> {
    ELEMENTS
        .iter()
        .copied()
        .find(|kind| kind.info().name == name)
}
