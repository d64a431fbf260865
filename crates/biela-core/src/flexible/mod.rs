//! Flexible beams in absolute nodal coordinates.
//!
//! ```text
//! r(x) = S(x) e        e = (r, r') at the nodes        M ë + Q(e, ė) = Q_loads        M constant
//! ```
//!
//! A node carries the position of the centreline and its derivative by material length; sections stay plane and normal to it. Neither
//! size nor speed of the motion is limited, and a rigid motion strains nothing. An element kind says what the strains are, one file
//! each; everything else is shared:
//!
//! ```text
//! V = ½ ∫ EA (ε − ε₀)² + EI (κ − κ₀)² dx        Q = ∂V/∂e + ∫ τ (EA ε̇ ∂ε/∂e + EI κ̇ ∂κ/∂e) dx
//! ```
//!
//! ε₀ and κ₀ are the strains of the shape without stress; the damping τ acts on strain rates, so a rigid motion is not damped.

mod beam;
mod cable;
mod element;
mod exact;
mod green_lagrange;
mod hermite;
mod quadrature;
mod section;
mod shape;
mod strain;
mod structural;
#[cfg(test)]
mod suite;

pub use beam::{Beam, BeamMotion, NODE, Station, StationMotion};
pub use element::Element;
pub use exact::{Carried, ExactBeam, ExactElement, Plan, SpatialSection};
pub use quadrature::MOST_POINTS;
pub use section::{Profile, Section};
pub use shape::{Node, along_curve, straight};
pub use strain::{Local, Measure, Strain};

/// What an element kind says of itself.
#[derive(Clone, Copy, Debug)]
pub struct ElementInfo {
    /// Word in the model file.
    pub name: &'static str,
    /// One line for the reader.
    pub summary: &'static str,
    /// Gauss points for stretch and for bending when nothing is said.
    pub points: [usize; 2],
    /// Components of the bending strain.
    pub components: usize,
    /// Whether a shape without stress may be curved.
    pub curved: bool,
}

/// What the strains of an element are.
pub trait ElementKind: std::fmt::Debug + Send + Sync {
    /// The description.
    fn info(&self) -> ElementInfo;
    /// A strain, its gradient and, where wanted, its second derivative; `out` holds zeros.
    fn measure(&self, which: Measure, z: &Local, second: bool, out: &mut Strain);
}

/// Every element kind; the first is the one taken when nothing is said.
pub const ELEMENTS: &[&'static dyn ElementKind] = &[
    &cable::Cable,
    &green_lagrange::GreenLagrange,
    &structural::Structural,
];

/// The element kind of a name.
pub fn element_kind(name: &str) -> Option<&'static dyn ElementKind> {
    ELEMENTS
        .iter()
        .copied()
        .find(|kind| kind.info().name == name)
}
