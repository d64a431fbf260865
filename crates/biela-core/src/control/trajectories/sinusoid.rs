//! Sums of sinusoids.
//!
//! ```text
//! q(t) = q0 + Σ ½ a_k (1 − cos(2π t/T_k + φ_k))        from rest at q0, form = "1-cos"
//! q(t) = q0 + Σ a_k sin(2π t/T_k + φ_k)                form = "sin"
//! ```
//!
//! Both are `c + Σ b_k sin(ω_k t + ψ_k)`: `−cos x = sin(x − π/2)`.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use super::pieces::first_after;
use super::{EVERYWHERE, Setting, TrajectoryKind, check_duration};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Jet;

/// A sum of sinusoids.
#[derive(Clone, Debug)]
pub struct Sinusoid {
    start: f64,
    end: f64,
    /// Mean value of each joint.
    mean: Vec<f64>,
    /// Angular frequency and phase of each term.
    terms: Vec<(f64, f64)>,
    /// By term, then joint.
    amplitudes: Vec<f64>,
}

/// The two forms of a term.
const FORMS: &[&str] = &["1-cos", "sin"];

fields! { Sinusoid {
    /// position to which the terms are added; zero if omitted
    offset: PerJoint { order: 0 } = "",
    /// one list of joint amplitudes per term
    amplitude: Points { order: 0 },
    /// period of each term
    period: Numbers { unit: "s" },
    /// phase of each term; zero if omitted
    phase: Numbers { unit: "rad" } = "",
    /// form of a term: amplitude/2 * (1 - cos(2*pi*t/period + phase)), or amplitude * sin(2*pi*t/period + phase)
    form: Choice(FORMS) = "1-cos",
    /// duration; unlimited if omitted
    duration: Positive { unit: "s" } = "",
} }

impl TrajectoryKind for Sinusoid {
    const INFO: Info = Info {
        name: "sinusoid",
        aliases: &["sine"],
        summary: "a sum of sinusoids about a position, or starting from rest at it",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 3;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let amplitudes = arguments.points("amplitude");
        let periods = arguments.numbers("period");
        let mut phases = arguments.numbers("phase");
        if phases.is_empty() {
            phases = vec![0.0; periods.len()];
        }
        let fault = |field, message| Err(ArgumentError { field, message });
        for (field, given) in [("period", periods.len()), ("phase", phases.len())] {
            if given != amplitudes.len() {
                let terms = amplitudes.len();
                return fault(
                    field,
                    format!("{given} values for {terms} lists of amplitudes"),
                );
            }
        }
        for period in &periods {
            check_duration("period", *period)?;
        }
        let rises = arguments.word("form") != "sin";
        let mut mean = arguments.numbers("offset");
        mean.resize(setting.joints.len(), 0.0);
        if rises {
            for term in &amplitudes {
                for (mean, amplitude) in mean.iter_mut().zip(term) {
                    *mean += 0.5 * amplitude;
                }
            }
        }
        let (scale, shift) = if rises { (0.5, -FRAC_PI_2) } else { (1.0, 0.0) };
        let terms = periods.iter().zip(&phases);
        let duration = arguments.optional_number("duration");
        Ok(Arc::new(Sinusoid {
            start: setting.start,
            end: setting.start + duration.unwrap_or(f64::INFINITY),
            mean,
            terms: terms.map(|(t, phase)| (TAU / t, phase + shift)).collect(),
            amplitudes: amplitudes.iter().flatten().map(|a| a * scale).collect(),
        }))
    }
}

impl Sinusoid {
    /// Value and three derivatives of the motion at a time within it.
    fn moving(&self, joint: usize, time: f64) -> [f64; 4] {
        let mut d = [self.mean[joint], 0.0, 0.0, 0.0];
        for (k, (w, phase)) in self.terms.iter().enumerate() {
            let a = self.amplitudes[k * self.mean.len() + joint];
            let (s, c) = (w * (time - self.start) + phase).sin_cos();
            d[0] += a * s;
            d[1] += a * w * c;
            d[2] -= a * w * w * s;
            d[3] -= a * w * w * w * c;
        }
        d
    }

    fn evaluate(&self, joint: usize, time: f64) -> [f64; 4] {
        let rest = |at: f64| [self.moving(joint, at)[0], 0.0, 0.0, 0.0];
        if time < self.start {
            rest(self.start)
        } else if time > self.end {
            rest(self.end)
        } else {
            self.moving(joint, time)
        }
    }
}

impl Trajectory for Sinusoid {
    fn joints(&self) -> usize {
        self.mean.len()
    }

    fn duration(&self) -> f64 {
        self.end
    }

    fn joint(&self, joint: usize, time: f64) -> Jet {
        let [value, rate, curvature, _] = self.evaluate(joint, time);
        Jet::new(value, rate, curvature)
    }

    fn jerk(&self, joint: usize, time: f64) -> f64 {
        self.evaluate(joint, time)[3]
    }

    fn corners(&self) -> Vec<f64> {
        let ends = [self.start, self.end].into_iter();
        ends.filter(|time| time.is_finite()).collect()
    }

    fn next_corner(&self, after: f64) -> f64 {
        first_after(&[self.start, self.end], after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::trajectories::{Bound, violations};
    use crate::element::FieldValue;
    use crate::model::{JointLimits, Space};
    use std::f64::consts::{FRAC_PI_3, PI};

    fn made(limits: Vec<JointLimits>, arguments: &Arguments) -> Arc<dyn Trajectory> {
        let setting = Setting {
            joints: limits,
            start: 0.0,
            robot: Err(String::new()),
        };
        Sinusoid::build(arguments, &setting).unwrap()
    }

    fn rising() -> Arguments {
        let amplitude = vec![vec![FRAC_PI_2, -FRAC_PI_3]];
        Arguments::new(Space::Planar)
            .with("amplitude", FieldValue::Points(amplitude))
            .with("period", FieldValue::Numbers(vec![1.28]))
            .with("form", FieldValue::Word("1-cos".to_owned()))
    }

    #[test]
    fn a_rise_and_return_is_half_of_one_minus_cosine() {
        let motion = made(vec![JointLimits::NONE; 2], &rising());
        for k in 0..=256 {
            let t = 0.005 * f64::from(k);
            let w = 2.0 * PI / 1.28;
            for (joint, a) in [FRAC_PI_2, -FRAC_PI_3].into_iter().enumerate() {
                let jet = motion.joint(joint, t);
                assert!((jet.value - 0.5 * a * (1.0 - (w * t).cos())).abs() < 1e-15 * 4.0);
                assert!((jet.rate - 0.5 * a * w * (w * t).sin()).abs() < 1e-13);
                assert!((jet.curvature - 0.5 * a * w * w * (w * t).cos()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn sines_add_up_with_their_phases() {
        let arguments = Arguments::new(Space::Planar)
            .with("offset", FieldValue::Numbers(vec![0.3]))
            .with("amplitude", FieldValue::Points(vec![vec![2.0], vec![0.5]]))
            .with("period", FieldValue::Numbers(vec![2.0, 0.5]))
            .with("phase", FieldValue::Numbers(vec![0.1, FRAC_PI_2]))
            .with("form", FieldValue::Word("sin".to_owned()))
            .with("duration", FieldValue::Number(3.0));
        let motion = made(vec![JointLimits::NONE], &arguments);
        let value = |t: f64| 0.3 + 2.0 * (PI * t + 0.1).sin() + 0.5 * (4.0 * PI * t).cos();
        for t in [0.0, 0.7, 2.9] {
            assert!((motion.joint(0, t).value - value(t)).abs() < 1e-14);
        }
        assert!((motion.joint(0, 9.0).value - value(3.0)).abs() < 1e-14);
        assert_eq!(motion.corners(), [0.0, 3.0]);
    }

    #[test]
    fn every_exceeded_limit_is_reported_at_its_largest_excess() {
        let limits = JointLimits {
            lower: -0.9,
            upper: 1.2,
            rate: 3.0,
            effort: f64::INFINITY,
        };
        let motion = made(vec![limits; 2], &rising());
        let found = violations(&*motion, &[limits; 2], 1.28);
        let bounds: Vec<(usize, Bound)> = found.iter().map(|v| (v.joint, v.bound)).collect();
        let expected = [(0, Bound::Upper), (0, Bound::Rate), (1, Bound::Lower)];
        assert_eq!(bounds, expected);
        assert!((found[0].value - FRAC_PI_2).abs() < 1e-12 && (found[0].time - 0.64).abs() < 1e-6);
        let fastest = 0.5 * FRAC_PI_2 * 2.0 * PI / 1.28;
        assert!((found[1].value.abs() - fastest).abs() < 1e-12);
        assert_eq!(
            (
                found[2].limit,
                violations(&*motion, &[JointLimits::NONE; 2], 1.28).len()
            ),
            (-0.9, 0)
        );
    }

    #[test]
    fn periods_must_be_positive_and_as_many_as_amplitudes() {
        let setting = Setting {
            joints: vec![JointLimits::NONE; 2],
            start: 0.0,
            robot: Err(String::new()),
        };
        for periods in [vec![0.0], vec![-1.0], vec![f64::NAN], vec![1.0, 2.0]] {
            let arguments = rising().with("period", FieldValue::Numbers(periods));
            let error = Sinusoid::build(&arguments, &setting).unwrap_err();
            assert_eq!(error.field, "period");
        }
    }
}
