#![allow(non_snake_case)]

use super::arguments::{fault, markers, not_negative, vector_not_negative};
use super::{Force, ForceKind, ForceMeasure};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::{
    apply, apply_transposed, cross, dot, parameters, transposed_product, zero3,
};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyIndex, MarkerIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Bushing (rubber mount): translational and rotational springs and dampers between two frames, in all directions.
///
/// In the axes of the first frame F, with x the position of the second frame M, φ the rotation vector of M (axis times angle),
/// ẋ the velocity and w the angular velocity of M relative to F:
///
/// ```text
/// f = −K x − C ẋ                         on M at its origin; the reaction acts on F's body at the same point
/// τ = −J(φ)⁻ᵀ κ φ − γ w                  φ̇ = J(φ)⁻¹ w
/// V = ½ xᵀ K x + ½ φᵀ κ φ                P = −ẋᵀ C ẋ − wᵀ γ w
/// J⁻¹ = 1 − ½ [φ] + (1 − ½θ cot ½θ)/θ² [φ]²,  θ = |φ|,  [φ] a = φ × a
/// ```
///
/// The elastic torque is conjugate to φ, so the potential energy is exact at any angle; for small rotations the torque is −κφ. K, C, κ, γ are
/// diagonal. The rotation angle must stay below half a turn: at θ = π the rotation vector is discontinuous. In a planar model
/// K and C act along x and y, and the rotation about z has `torsional_stiffness_z` and `torsional_damping_z`. Measured:
/// `x`, `y`, `z`, `turn_x`, `turn_y`, `turn_z`, the components of x and φ.
#[derive(Debug)]
pub struct Bushing {
    between: [MarkerIndex; 2],
    stiffness: Vec3<f64>,
    damping: Vec3<f64>,
    torsional_stiffness: Vec3<f64>,
    torsional_damping: Vec3<f64>,
    space: Space,
}

/// Relative pose and velocity of the second frame, in the axes of the first.
struct Deflection {
    R_F: Mat3<f64>,
    p_M: Vec3<f64>,
    x: Vec3<f64>,
    turn: Vec3<f64>,
    v: Vec3<f64>,
    w: Vec3<f64>,
}

impl Bushing {
    fn deflection(&self, context: &EvaluationContext<'_>) -> Deflection {
        let [F, M] = self.between.map(|m| context.marker(m));
        let d = M.p - F.p;
        Deflection {
            R_F: F.R,
            p_M: M.p,
            x: apply_transposed(&F.R, &d),
            turn: rotation_vector(&transposed_product(&F.R, &M.R)),
            v: apply_transposed(&F.R, &(M.v - F.v - cross(&F.w, &d))),
            w: apply_transposed(&F.R, &(M.w - F.w)),
        }
    }

    /// The coefficients about x, y, z; in a planar model the coefficient about z has its own field.
    fn torsional(
        arguments: &Arguments,
        field: &'static str,
        field_z: &'static str,
    ) -> Result<Vec3<f64>, ArgumentError> {
        let mut all = vector_not_negative(arguments, field)?;
        let about_z = not_negative(arguments, field_z)?;
        match arguments.space {
            Space::Planar if all != zero3() => Err(fault(
                field,
                format!("a planar bushing rotates about z only; use `{field_z}`"),
            )),
            Space::Spatial if about_z != 0.0 => Err(fault(
                field_z,
                format!("this field is for planar models; use `{field}` with three components"),
            )),
            _ => {
                all[2] += about_z;
                Ok(all)
            }
        }
    }
}

/// Rotation vector (axis times angle) of a rotation, with an angle of at most half a turn.
fn rotation_vector(R: &Mat3<f64>) -> Vec3<f64> {
    let [e0, e1, e2, e3] = parameters(R);
    let e = Vec3::new(e1, e2, e3);
    let sine = dot(&e, &e).sqrt();
    // angle/sin(angle/2) is 2 to rounding for the smallest angles
    let factor = if sine < 1e-9 {
        2.0
    } else {
        2.0 * sine.atan2(e0) / sine
    };
    e * factor
}

/// `J(φ)⁻ᵀ a = a + ½ φ × a + g φ × (φ × a)`.
fn conjugate(turn: &Vec3<f64>, a: &Vec3<f64>) -> Vec3<f64> {
    let square = dot(turn, turn);
    // the closed form is inaccurate (cancellation) at small angles
    let g = if square < 1e-2 {
        factor_series(square)
    } else {
        factor(square)
    };
    let once = cross(turn, a);
    a + once * 0.5 + cross(turn, &once) * g
}

/// `g = (1 − ½θ cot ½θ)/θ²` from θ².
fn factor(square: f64) -> f64 {
    let half = 0.5 * square.sqrt();
    (1.0 - half / half.tan()) / square
}

/// Its series for small angles, to θ⁴.
fn factor_series(square: f64) -> f64 {
    1.0 / 12.0 + square / 720.0 + square * square / 30240.0
}

const MEASURES: &[ForceMeasure] = &[
    ForceMeasure {
        name: "x",
        unit: "m",
        stage: Stage::Position,
        text: "deflection along x of the first frame",
    },
    ForceMeasure {
        name: "y",
        unit: "m",
        stage: Stage::Position,
        text: "deflection along y of the first frame",
    },
    ForceMeasure {
        name: "z",
        unit: "m",
        stage: Stage::Position,
        text: "deflection along z of the first frame",
    },
    ForceMeasure {
        name: "turn_x",
        unit: "rad",
        stage: Stage::Position,
        text: "rotation vector along x of the first frame",
    },
    ForceMeasure {
        name: "turn_y",
        unit: "rad",
        stage: Stage::Position,
        text: "rotation vector along y of the first frame",
    },
    ForceMeasure {
        name: "turn_z",
        unit: "rad",
        stage: Stage::Position,
        text: "rotation vector along z of the first frame",
    },
];

fields! { Bushing {
    /// the two frames it connects
    between: MarkerPair,
    /// stiffness along the axes of the first frame
    stiffness: Vector { unit: "N/m" } = "",
    /// damping along the axes of the first frame
    damping: Vector { unit: "N*s/m" } = "",
    /// stiffness about the axes of the first frame (spatial)
    torsional_stiffness: Vector { unit: "N*m/rad" } = "",
    /// damping about the axes of the first frame (spatial)
    torsional_damping: Vector { unit: "N*m*s/rad" } = "",
    /// stiffness about z (planar)
    torsional_stiffness_z: Number { unit: "N*m/rad" } = "0",
    /// damping about z (planar)
    torsional_damping_z: Number { unit: "N*m*s/rad" } = "0",
} }

impl ForceKind for Bushing {
    const INFO: Info = Info {
        name: "bushing",
        aliases: &[],
        summary: "connects two frames by springs and dampers in all directions",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Bushing {
            between: markers(arguments, "between")?,
            stiffness: vector_not_negative(arguments, "stiffness")?,
            damping: vector_not_negative(arguments, "damping")?,
            torsional_stiffness: Self::torsional(
                arguments,
                "torsional_stiffness",
                "torsional_stiffness_z",
            )?,
            torsional_damping: Self::torsional(
                arguments,
                "torsional_damping",
                "torsional_damping_z",
            )?,
            space: arguments.space,
        })
    }
}

impl Force for Bushing {
    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        let on_beam = |marker: MarkerIndex| {
            let body = model.markers[marker.0].body.number();
            body.is_some_and(|b| model.bodies[b].station.is_some())
        };
        if model.space == Space::Spatial && self.between.into_iter().any(on_beam) {
            return Err(fault(
                "between",
                "a bushing needs the rotation of the beam about its axis, which an element without torsion does not have. Use spring-dampers, or set element = \"exact\" for the beam",
            ));
        }
        Ok(())
    }

    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.between
            .map(|marker| model.markers[marker.0].body)
            .to_vec()
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let Deflection {
            R_F,
            p_M,
            x,
            turn,
            v,
            w,
        } = self.deflection(context);
        let drag = self.damping.component_mul(&v);
        let torsional_drag = self.torsional_damping.component_mul(&w);
        let elastic = conjugate(&turn, &self.torsional_stiffness.component_mul(&turn));
        let force = apply(&R_F, &-(self.stiffness.component_mul(&x) + drag));
        let torque = apply(&R_F, &-(elastic + torsional_drag));

        let [a, b] = self.between.map(|m| context.body_of(m));
        loads.add_force(context, b, &p_M, &force);
        loads.add_torque(b, &torque);
        loads.add_force(context, a, &p_M, &-force);
        loads.add_torque(a, &-torque);
        loads.add_power(-dot(&drag, &v) - dot(&torsional_drag, &w));
    }

    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        let Deflection { x, turn, .. } = self.deflection(context);
        0.5 * dot(&self.stiffness.component_mul(&x), &x)
            + 0.5 * dot(&self.torsional_stiffness.component_mul(&turn), &turn)
    }

    fn dissipates(&self) -> bool {
        self.damping != zero3() || self.torsional_damping != zero3()
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        match self.space {
            Space::Planar => const { &[MEASURES[0], MEASURES[1], MEASURES[5]] },
            Space::Spatial => MEASURES,
        }
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        let Deflection { x, turn, .. } = self.deflection(context);
        match (self.space, k) {
            (Space::Planar, 2) => turn[2],
            (_, 0..=2) => x[k],
            _ => turn[k - 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_for_small_rotations_agrees_with_the_closed_form() {
        assert!((factor_series(1e-2) - factor(1e-2)).abs() < 1e-11);
        assert!((factor_series(1e-3) - factor(1e-3)).abs() < 1e-12);
    }
}
