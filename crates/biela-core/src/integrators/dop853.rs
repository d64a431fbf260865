use super::control::{
    Pace, absolute_field, add, first_step_field, max_step_field, tolerance_field,
};
use super::dop853_table::{A, C, D, E3, E5};
use super::runge_kutta::{EmbeddedTableau, RungeKutta, Stages, Tableau};
use super::{IntegratorKind, Ode};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::methods::MethodError;
use crate::model::Space;

/// Dormand-Prince 8(5,3): order 8 with two embedded error estimates, step-size control and dense output of order 7.
///
/// ```text
/// e₅ = ‖h Σ E5_i k_i‖     e₃ = ‖h Σ E3_i k_i‖     error = e₅² / √(e₅² + 0.01 e₃²)      (behaves like h⁸)
/// ```
///
/// Stable for hλ from −6.39 to 0 on the real axis, and up to 5.96 on the imaginary axis. Use it for tolerances below about 1e-9 and smooth forces.
///
/// E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.5 and II.6. Twelve
/// evaluations per step; dense output requires three more, only in steps that are interpolated.
pub type Dop853 = RungeKutta<DormandPrince8>;

/// The coefficients of [`Dop853`].
#[derive(Clone, Copy, Debug)]
pub struct DormandPrince8;

impl Tableau for DormandPrince8 {
    const C: &'static [f64] = &C;
    const A: &'static [&'static [f64]] = &A;
    const END: usize = 12;
    const DENSE: usize = 7;

    fn prepare_dense(steps: &mut Stages<Self>, ode: &mut dyn Ode) -> Result<(), MethodError> {
        steps.find_slope(ode)?;
        steps.extend(ode)?;
        let h = steps.size();
        let Stages {
            y,
            y_other,
            k,
            dense,
            ..
        } = steps;
        for i in 0..y.len() {
            let (f0, f1) = (h * k[0][i], h * k[12][i]);
            let change = y[i] - y_other[i];
            dense[0][i] = change;
            dense[1][i] = f0 - change;
            dense[2][i] = 2.0 * change - f0 - f1;
        }
        for (dense, weights) in dense[3..].iter_mut().zip(&D) {
            dense.fill(0.0);
            add(dense, k, weights, h);
        }
        Ok(())
    }

    fn interpolate(steps: &Stages<Self>, (s, _): (f64, f64), y: &mut [f64]) {
        let r = 1.0 - s;
        for (i, out) in y.iter_mut().enumerate() {
            let mut value = 0.0;
            for (power, dense) in steps.dense.iter().enumerate().rev() {
                value = (dense[i] + value) * if power % 2 == 0 { s } else { r };
            }
            *out = steps.y_other[i] + value;
        }
    }
}

impl EmbeddedTableau for DormandPrince8 {
    const ESTIMATES: &'static [&'static [f64]] = &[&E5, &E3];
    const ESTIMATED_ORDER: u32 = 7;
    // between the stages at h/3 and 0.6 h
    const GAP: f64 = 0.466;

    fn error(norm: &mut dyn FnMut(&[f64]) -> f64) -> f64 {
        let (fifth, third) = (norm(Self::ESTIMATES[0]), norm(Self::ESTIMATES[1]));
        if fifth == 0.0 {
            return 0.0;
        }
        fifth * (fifth / fifth.hypot(0.1 * third))
    }
}

fields! { Dop853 {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Dop853 {
    const INFO: Info = Info {
        name: "dop853",
        aliases: &["dopri8"],
        summary: "Dormand-Prince 8(5,3) method with local error control and dense output, for tight tolerances",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 8;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let pace = Pace::new(arguments, DormandPrince8::ESTIMATED_ORDER)?;
        Ok(Dop853::with_pace(pace, len))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::{order_of, residuals};
    use super::{A, C, D, E3, E5};

    #[test]
    fn rows_of_the_tableau_sum_to_the_times_of_the_stages() {
        for (c, row) in C.iter().zip(A) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-13);
        }
    }

    #[test]
    fn the_step_has_order_8_and_its_embedded_values_5_and_3() {
        assert_eq!(order_of(&A, A[12], 1e-13), 8);
        let embedded =
            |error: &[f64]| -> Vec<f64> { A[12].iter().zip(error).map(|(b, e)| b - e).collect() };
        assert_eq!(order_of(&A, &embedded(&E5), 1e-13), 5);
        assert_eq!(order_of(&A, &embedded(&E3), 1e-13), 3);
    }

    #[test]
    fn the_dense_output_has_order_7_all_through_the_step() {
        let unit = |i: usize, n: usize| f64::from(u8::from(i == n));
        for s in [0.1, 0.37, 0.5, 0.81, 1.0] {
            let r = 1.0 - s;
            let weights: Vec<f64> = (0..16)
                .map(|i| {
                    let b = A[12].get(i).copied().unwrap_or(0.0);
                    let (f0, f1) = (unit(i, 0), unit(i, 12));
                    let high = D[0][i] + s * (D[1][i] + r * (D[2][i] + s * D[3][i]));
                    s * (b + r * (f0 - b + s * (2.0 * b - f0 - f1 + r * high)))
                })
                .collect();
            let worst = residuals(&A, &weights, s, 7);
            assert!(worst.iter().all(|r| *r < 1e-12), "{s}: {worst:?}");
        }
    }
}
