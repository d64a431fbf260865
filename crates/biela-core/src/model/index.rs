//! Typed indices into the lists of a model.
//!
//! An index belongs to the model that returned it, and to its clones. [`Model::check`](super::Model::check) reports an index that is out of range. One of
//! another model that is in range denotes another element: nothing in it identifies its model.

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )*};
}

indices! {
    /// A body; [`BodyIndex::GROUND`] is the ground.
    BodyIndex,
    /// A marker; the first is the ground's own frame.
    MarkerIndex,
    /// A joint.
    JointIndex,
    /// A coupler.
    CouplerIndex,
    /// A driver.
    DriverIndex,
    /// A force.
    ForceIndex,
    /// A contact.
    ContactIndex,
    /// A material.
    MaterialIndex,
    /// An external input.
    InputIndex,
    /// A flexible beam.
    BeamIndex,
}

/// A flexible beam of either family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyBeam {
    /// In absolute nodal coordinates.
    Nodal(BeamIndex),
    /// A geometrically exact one, by its index in the model's list.
    Exact(usize),
}

impl BodyIndex {
    /// The ground.
    pub const GROUND: BodyIndex = BodyIndex(usize::MAX);

    /// Index in the list of bodies; `None` for the ground.
    pub fn number(self) -> Option<usize> {
        (self != Self::GROUND).then_some(self.0)
    }
}

impl MarkerIndex {
    /// The ground's own frame.
    pub const GROUND: MarkerIndex = MarkerIndex(0);
}
