use super::equations::{Accelerations, saddle_point};
use super::{Method, MethodKind};
use crate::element::{ArgumentError, Arguments, Info};
use crate::model::Space;
use crate::system::System;

/// The augmented system: accelerations and multipliers from one symmetric sparse factorisation, constraints imposed at
/// acceleration level only.
///
/// ```text
/// ⎡ M   Gᵀ ⎤ ⎡ v̇ ⎤   ⎡ f ⎤
/// ⎣ G   0  ⎦ ⎣ λ ⎦ = ⎣ γ ⎦
/// ```
///
/// Small errors in positions and velocities add up as drift; [`super::Projection`] takes them out. Rows found redundant
/// at the start are left out (their multiplier is zero); rows that become dependent on the way, at a singular pose, are skipped there.
///
/// Cost: that of a sparse LDLᵀ, in proportion to the number of bodies for chains. Use it for short runs and for teaching.
#[derive(Clone, Copy, Debug)]
pub struct Augmented;

impl MethodKind for Augmented {
    const INFO: Info = Info {
        name: "augmented",
        aliases: &["lagrange"],
        summary: "accelerations and multipliers together, constraints at acceleration level",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };

    fn build(
        _: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let method = Accelerations::new(system, active, saddle_point(system));
        Ok(Box::new(method))
    }
}
