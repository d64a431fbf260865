use super::equations::{Accelerations, saddle_point};
use super::{Method, MethodKind};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;
use crate::system::System;

/// The augmented system: one symmetric sparse factorisation yields accelerations and multipliers. Constraints are imposed at the
/// acceleration level only.
///
/// ```text
/// ⎡ M   Gᵀ ⎤ ⎡ v̇ ⎤   ⎡ f ⎤
/// ⎣ G   0  ⎦ ⎣ λ ⎦ = ⎣ γ ⎦
/// ```
///
/// Small errors of positions and velocities accumulate (constraint drift); [`super::Projection`] removes them. Rows that are redundant
/// at the start are deactivated (their multipliers are zero). Rows that become dependent during the run, in a singular configuration, are skipped there.
///
/// Cost: one sparse LDLᵀ factorisation per evaluation, proportional to the number of bodies for chains. Use it for short runs and for teaching.
#[derive(Clone, Copy, Debug)]
pub struct Augmented;

fields! { Augmented {} }

impl MethodKind for Augmented {
    const INFO: Info = Info {
        name: "augmented",
        aliases: &["lagrange"],
        summary: "accelerations and multipliers from the augmented system, constraints at acceleration level",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
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
