//! Flexible beams in absolute nodal coordinates.
//!
//! ```text
//! r(x) = S(x) e        e = (r, r') at the nodes        M ë + Q(e, ė) = Q_loads        M constant
//! ```
//!
//! A node carries the position of the centreline and its derivative by material length, 4 coordinates in the plane and 6 in space; sections stay
//! plane and normal to it. Neither size nor speed of the motion is limited, and a rigid motion strains nothing. An element kind says what the
//! strains are, one file each; everything else is shared:
//!
//! ```text
//! V = ½ ∫ EA (ε − ε₀)² + EI (κ − κ₀)² dx        Q = ∂V/∂e + ∫ τ (EA ε̇ ∂ε/∂e + EI κ̇ ∂κ/∂e) dx
//! ```
//!
//! ε₀ and κ₀ are the strains of the shape without stress; the damping τ acts on strain rates, so a rigid motion is not damped. In space there is
//! no torsion, κ₀ = 0 and the damping acts on ε alone; so it does where κ is taken in ground axes, as by `green-lagrange`.

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
pub use element::Element;
pub(crate) use element::MOST as MOST_OF_ELEMENT;
pub use exact::{Carried, ExactBeam, ExactElement, Plan, SpatialSection};
pub use outline::Outline;
pub use point::Point;
pub use quadrature::MOST_POINTS;
pub(crate) use quadrature::gauss;
pub use section::{Profile, Section};
pub use shape::{Node, along, along_curve, straight};
pub use station::{Station, StationMotion};
pub use strain::{Local, Measure, Measures, Measuring, Strain};

/// What an element kind says of itself.
#[derive(Clone, Copy, Debug)]
pub struct ElementInfo {
    /// Word in the model file.
    pub name: &'static str,
    /// One line for the reader.
    pub summary: &'static str,
    /// Gauss points for stretch and for bending when nothing is said.
    pub points: [usize; 2],
}

/// A kind of element.
pub trait ElementKind: std::fmt::Debug + Send + Sync {
    /// The description.
    fn info(&self) -> ElementInfo;
    /// Its strains in the plane.
    fn plane(&self) -> &'static dyn Measures<2>;
    /// Its strains in space; `None` where it is for the plane.
    fn space(&self) -> Option<&'static dyn Measures<3>>;
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
