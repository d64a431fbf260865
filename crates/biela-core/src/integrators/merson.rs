use super::IntegratorKind;
use super::control::{Pace, absolute_field, first_step_field, max_step_field, tolerance_field};
use super::runge_kutta::{EmbeddedTableau, RungeKutta, Tableau};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;

/// Kutta-Merson method: order 4 with an error estimate and step-size control.
///
/// ```text
/// f0 = F(t, y)                          f1 = F(t + h/3, y + h/3 f0)
/// f2 = F(t + h/3, y + h/6 (f0 + f1))    f3 = F(t + h/2, y + h/8 (f0 + 3 f2))
/// y4 = y + h/2 (f0 − 3 f2 + 4 f3)       f4 = F(t + h, y4)
/// y⁺ = y + h/6 (f0 + 4 f3 + f4)         error = (y⁺ − y4)/5
/// ```
///
/// Five evaluations per step. Stable for hλ from −3.55 to 0 on the real axis, and up to 3.46 on the imaginary axis.
///
/// y4 has order 4 if F is linear and order 3 otherwise. The step-size controller therefore uses the fourth root of the error (R. H. Merson,
/// *Proc. Symp. Data Processing*, Weapons Research Establishment, Salisbury, 1957; Pacheco, 5.3: the listings there have
/// f1 instead of f0 in the fourth stage, which reduces the order to 2).
///
/// Dense output: the cubic Hermite interpolant of values and slopes at both ends of the step.
pub type Merson = RungeKutta<KuttaMerson>;

/// The coefficients of [`Merson`].
#[derive(Clone, Copy, Debug)]
pub struct KuttaMerson;

impl Tableau for KuttaMerson {
    const C: &'static [f64] = &[0.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 1.0, 1.0];
    const A: &'static [&'static [f64]] = &[
        &[],
        &[1.0 / 3.0],
        &[1.0 / 6.0, 1.0 / 6.0],
        &[1.0 / 8.0, 0.0, 3.0 / 8.0],
        &[1.0 / 2.0, 0.0, -3.0 / 2.0, 2.0],
        &[1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0],
    ];
    const END: usize = 5;
}

impl EmbeddedTableau for KuttaMerson {
    // (y⁺ − y4)/5
    const ESTIMATES: &'static [&'static [f64]] =
        &[&[-1.0 / 15.0, 0.0, 3.0 / 10.0, -4.0 / 15.0, 1.0 / 30.0]];
    const ESTIMATED_ORDER: u32 = 3;
    // between the stages at h/2 and h
    const GAP: f64 = 0.75;
}

fields! { Merson {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Merson {
    const INFO: Info = Info {
        name: "merson",
        aliases: &["kutta-merson"],
        summary: "Kutta-Merson method of order 4 with local error control and dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 4;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let pace = Pace::new(arguments, KuttaMerson::ESTIMATED_ORDER)?;
        Ok(Merson::with_pace(pace, len))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::order_of;
    use super::{KuttaMerson, Tableau};

    const A: &[&[f64]] = KuttaMerson::A;

    #[test]
    fn the_tableau_has_order_4_and_its_last_stage_order_3() {
        assert_eq!(order_of(&A[..5], A[5], 1e-14), 4);
        assert_eq!(order_of(&A[..5], A[4], 1e-14), 3);
    }

    #[test]
    fn the_fourth_stage_as_printed_leaves_order_2() {
        let mut printed = A[..5].to_vec();
        printed[3] = &[0.0, 1.0 / 8.0, 3.0 / 8.0];
        assert_eq!(order_of(&printed, A[5], 1e-14), 2);
    }
}
