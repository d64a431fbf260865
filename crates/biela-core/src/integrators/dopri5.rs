use super::control::{
    Pace, absolute_field, add, first_step_field, max_step_field, tolerance_field,
};
use super::runge_kutta::{EmbeddedTableau, RungeKutta, Stages, Tableau};
use super::{IntegratorKind, Ode};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::methods::MethodError;
use crate::model::Space;

/// Dormand-Prince 5(4): order 5 with an embedded error estimate, step-size control and dense output of order 4.
///
/// ```text
/// k_i = F(t + c_i h, y + h Σ a_ij k_j)      y⁺ = y + h Σ b_i k_i      error = h Σ (b_i − b̂_i) k_i      (behaves like h⁵)
/// ```
///
/// Six evaluations per step. Stable for hλ from −3.31 to 0 on the real axis. An undamped vibration is stable to hω = 1.0; above that it grows so slowly that
/// the error control limits the step first. If stability limits the step, as with stiff springs or beams, an implicit integrator requires less work.
///
/// Coefficients: J. R. Dormand, P. J. Prince, *J. Comp. Appl. Math.* 6 (1980) 19-26. Dense output and step-size control: E. Hairer, S. P. Nørsett, G. Wanner,
/// *Solving Ordinary Differential Equations I*, 2nd ed., II.5 and II.6. The last stage of a step is the first of the next (FSAL), unless the state was
/// projected to the constraints in between.
pub type Dopri5 = RungeKutta<DormandPrince5>;

/// The coefficients of [`Dopri5`].
#[derive(Clone, Copy, Debug)]
pub struct DormandPrince5;

/// Result of order 5 minus the embedded result of order 4.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
/// Coefficients of the highest term of the dense output.
const D: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

impl Tableau for DormandPrince5 {
    const C: &'static [f64] = &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
    const A: &'static [&'static [f64]] = &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
        ],
        &[
            35.0 / 384.0,
            0.0,
            500.0 / 1113.0,
            125.0 / 192.0,
            -2187.0 / 6784.0,
            11.0 / 84.0,
        ],
    ];
    const END: usize = 6;
    const LAST_IS_FIRST: bool = true;
    const DENSE: usize = 4;

    fn prepare_dense(steps: &mut Stages<Self>, _: &mut dyn Ode) -> Result<(), MethodError> {
        let h = steps.size();
        let Stages {
            y,
            y_other,
            k,
            dense,
            ..
        } = steps;
        let [change, bend, twist, high] = dense.as_mut_slice() else {
            return Ok(());
        };
        for i in 0..y.len() {
            change[i] = y[i] - y_other[i];
            bend[i] = h * k[0][i] - change[i];
            twist[i] = change[i] - h * k[6][i] - bend[i];
        }
        high.fill(0.0);
        add(high, k, &D, h);
        Ok(())
    }

    fn interpolate(steps: &Stages<Self>, (s, _): (f64, f64), y: &mut [f64]) {
        let (r, start) = (1.0 - s, &steps.y_other);
        if let [change, bend, twist, high] = steps.dense.as_slice() {
            for (i, out) in y.iter_mut().enumerate() {
                *out = start[i] + s * (change[i] + r * (bend[i] + s * (twist[i] + r * high[i])));
            }
        }
    }
}

impl EmbeddedTableau for DormandPrince5 {
    const ESTIMATES: &'static [&'static [f64]] = &[&E];
    const ESTIMATED_ORDER: u32 = 4;
    // between the stages at 0.3 h and 0.8 h
    const GAP: f64 = 0.55;
}

fields! { Dopri5 {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Dopri5 {
    const INFO: Info = Info {
        name: "dopri5",
        aliases: &["dormand-prince", "rk45"],
        summary: "Dormand-Prince 5(4) method with local error control and dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 5;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let pace = Pace::new(arguments, DormandPrince5::ESTIMATED_ORDER)?;
        Ok(Dopri5::with_pace(pace, len))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::{order_of, residuals};
    use super::{D, DormandPrince5, E, Tableau};

    const A: &[&[f64]] = DormandPrince5::A;

    #[test]
    fn the_step_has_order_5_its_embedded_value_4_and_its_dense_output_4() {
        assert_eq!(order_of(A, A[6], 1e-14), 5);
        let b = |i: usize| A[6].get(i).copied().unwrap_or(0.0);
        let embedded: Vec<f64> = (0..7).map(|i| b(i) - E[i]).collect();
        assert_eq!(order_of(A, &embedded, 1e-14), 4);
        let unit = |i: usize, n: usize| f64::from(u8::from(i == n));
        for s in [0.2, 0.5, 0.9] {
            let r = 1.0 - s;
            let weight = |i: usize| {
                let bend = unit(i, 0) - b(i);
                s * (b(i) + r * (bend + s * (b(i) - unit(i, 6) - bend + r * D[i])))
            };
            let weights: Vec<f64> = (0..7).map(weight).collect();
            let worst = residuals(A, &weights, s, 4);
            assert!(worst.iter().all(|r| *r < 1e-14), "{s}: {worst:?}");
        }
    }
}
