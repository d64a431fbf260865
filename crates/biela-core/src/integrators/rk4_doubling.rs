use super::control::{
    Pace, absolute_field, combine, first_step_field, max_step_field, tolerance_field,
};
use super::runge_kutta::{EmbeddedTableau, RungeKutta, Stages, Tableau};
use super::{IntegratorKind, Ode};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::methods::MethodError;
use crate::model::Space;

/// Classical Runge-Kutta method of order 4 with step doubling: one step of h (result y₁) is compared with two steps of h/2 (result y₂).
///
/// ```text
/// error = (y₂ − y₁)/15      y⁺ = y₂ + error      (order 5 by local extrapolation)
/// ```
///
/// Eleven evaluations per step: one step and two half steps, of which the first evaluation is shared. On the real axis stable for hλ from −6.46 to 0. With
/// local extrapolation, an undamped vibration is stable only to hω = 0.27; above that it grows per step by less than the error tolerance.
///
/// This is the adaptive Runge-Kutta method of Henrique and of Cipparrone, after Press et al. Cipparrone continues from y₂ and, with ρ the largest ratio of
/// error to tolerance of all components, sets the next step to 0.9 h ρ^(−0.2) after an accepted step (ρ ≤ 1) and to 0.9 h ρ^(−0.25) after a rejected one.
/// Here the error is a root mean square, y₂ is extrapolated, and the shared proportional-integral controller sets the step from the fifth root of
/// the error.
///
/// Dense output: the quintic Hermite interpolant of values and slopes at both ends and in the middle of the step, where half of the error is added.
pub type Rk4Doubling = RungeKutta<ClassicalDoubled>;

/// The coefficients of [`Rk4Doubling`]: stages 1 to 3 are those of the step, 4 to 6 those of the first half step, 7 to 10 those of the second.
#[derive(Clone, Copy, Debug)]
pub struct ClassicalDoubled;

/// Weights of y₁, and of the middle of the step: the first half step.
const WHOLE: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
const MIDDLE: [f64; 7] = [1.0 / 12.0, 0.0, 0.0, 0.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 12.0];
/// Weights of y₂: the second half step follows the first.
const HALVES: [f64; 11] = {
    let mut weights = behind_middle(7, 1.0 / 12.0);
    (weights[8], weights[9], weights[10]) = (1.0 / 6.0, 1.0 / 6.0, 1.0 / 12.0);
    weights
};
/// (y₂ − y₁)/15.
const E: [f64; 11] = mixed(1.0 / 15.0, -1.0 / 15.0);
const B: [f64; 11] = mixed(16.0 / 15.0, -1.0 / 15.0);
/// The middle of the step with half of the error.
const CORRECTED_MIDDLE: [f64; 11] = {
    let mut weights = E;
    let mut i = 0;
    while i < weights.len() {
        weights[i] = 0.5 * weights[i] + if i < MIDDLE.len() { MIDDLE[i] } else { 0.0 };
        i += 1;
    }
    weights
};
/// Rows of the second half step, which starts in the middle.
const SECOND: [[f64; 11]; 3] = [
    behind_middle(7, 0.25),
    behind_middle(8, 0.25),
    behind_middle(9, 0.5),
];

/// The weights `halves` y₂ + `whole` y₁.
const fn mixed(halves: f64, whole: f64) -> [f64; 11] {
    let mut weights = [0.0; 11];
    let mut i = 0;
    while i < weights.len() {
        weights[i] = halves * HALVES[i]
            + if i < WHOLE.len() {
                whole * WHOLE[i]
            } else {
                0.0
            };
        i += 1;
    }
    weights
}

/// The weights of the middle, and of one stage after it.
const fn behind_middle(stage: usize, weight: f64) -> [f64; 11] {
    let mut weights = [0.0; 11];
    let mut i = 0;
    while i < MIDDLE.len() {
        weights[i] = MIDDLE[i];
        i += 1;
    }
    weights[stage] = weight;
    weights
}

impl Tableau for ClassicalDoubled {
    const C: &'static [f64] = &[
        0.0, 0.5, 0.5, 1.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1.0, 1.0,
    ];
    const A: &'static [&'static [f64]] = &[
        &[],
        &[0.5],
        &[0.0, 0.5],
        &[0.0, 0.0, 1.0],
        &[0.25],
        &[0.0, 0.0, 0.0, 0.0, 0.25],
        &[0.0, 0.0, 0.0, 0.0, 0.0, 0.5],
        &MIDDLE,
        &SECOND[0],
        &SECOND[1],
        &SECOND[2],
        &B,
    ];
    const END: usize = 11;
    const DENSE: usize = 1;

    fn prepare_dense(steps: &mut Stages<Self>, ode: &mut dyn Ode) -> Result<(), MethodError> {
        steps.find_slope(ode)?;
        let h = steps.size();
        let (start, middle) = (&steps.y_other, &mut steps.dense[0]);
        combine(middle, start, &steps.k, &CORRECTED_MIDDLE, h);
        Ok(())
    }

    fn interpolate(steps: &Stages<Self>, (s, h): (f64, f64), y: &mut [f64]) {
        let k = &steps.k;
        // Newton's form of the interpolant with the nodes 0, 0, 1, 1, ½, ½
        for (i, out) in y.iter_mut().enumerate() {
            let (y0, change) = (steps.y_other[i], steps.y[i] - steps.y_other[i]);
            let (f0, f1) = (h * k[0][i], h * k[Self::END][i]);
            let bend = change - f0;
            let twist = f0 + f1 - 2.0 * change;
            let middle = y0 + 0.5 * f0 + 0.25 * bend - 0.125 * twist;
            let middle_slope = f0 + bend - 0.25 * twist;
            let value = 16.0 * (steps.dense[0][i] - middle);
            let slope = 16.0 * (h * k[7][i] - middle_slope);
            let r = s - 1.0;
            *out = y0 + s * (f0 + s * (bend + r * (twist + r * (value + (s - 0.5) * slope))));
        }
    }
}

impl EmbeddedTableau for ClassicalDoubled {
    const ESTIMATES: &'static [&'static [f64]] = &[&E];
    const ESTIMATED_ORDER: u32 = 4;
    // between the stages at h/2 and 3h/4
    const GAP: f64 = 0.625;
}

fields! { Rk4Doubling {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Rk4Doubling {
    const INFO: Info = Info {
        name: "rk4-doubling",
        aliases: &["step-doubling"],
        summary: "classical Runge-Kutta method with step doubling, local error control and dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 5;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let pace = Pace::new(arguments, ClassicalDoubled::ESTIMATED_ORDER)?;
        Ok(Rk4Doubling::with_pace(pace, len))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::order_of;
    use super::{B, ClassicalDoubled, HALVES, Tableau, WHOLE};

    #[test]
    fn the_step_and_the_half_steps_have_order_4_and_their_extrapolation_5() {
        let stages = &ClassicalDoubled::A[..11];
        assert_eq!(order_of(stages, &WHOLE, 1e-14), 4);
        assert_eq!(order_of(stages, &HALVES, 1e-14), 4);
        assert_eq!(order_of(stages, &B, 1e-14), 5);
    }
}
