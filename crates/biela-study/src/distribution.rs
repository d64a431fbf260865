//! Probability distributions by their quantile functions: one number between 0 and 1 determines one value, for any plan.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A probability distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Uniform between two bounds.
    Uniform {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// The logarithm is uniform.
    LogUniform {
        /// The lower bound, greater than zero.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Normal (Gaussian).
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// Normal, truncated at two bounds.
    TruncatedNormal {
        /// The mean before truncation.
        mean: f64,
        /// The standard deviation before truncation.
        deviation: f64,
        /// The lower bound; may be infinite.
        low: f64,
        /// The upper bound; may be infinite.
        high: f64,
    },
    /// The logarithm is normal: two thirds of the values are between `median/factor` and `median·factor`.
    LogNormal {
        /// The median.
        median: f64,
        /// The geometric standard deviation: the exponential of the standard deviation of the logarithm; greater than one.
        factor: f64,
    },
    /// Triangular.
    Triangular {
        /// The lower bound.
        low: f64,
        /// The most likely value.
        mode: f64,
        /// The upper bound.
        high: f64,
    },
    /// One of several values.
    Discrete {
        /// The values.
        values: Vec<f64>,
        /// The weights, proportional to the probabilities.
        weights: Vec<f64>,
    },
}

/// The standard normal distribution function.
fn phi(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

fn phi_inverse(u: f64) -> f64 {
    Normal::standard().inverse_cdf(u)
}

/// The quantile of Student's t distribution: the value that is exceeded with probability `1 - u`.
///
/// ```
/// // tables: 97.5 % with ten degrees of freedom
/// let t = biela_study::student_quantile(0.975, 10.0);
/// assert!((t - 2.228_138_85).abs() < 1e-7);
/// ```
pub fn student_quantile(u: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |student| student.inverse_cdf(u))
}

impl Distribution {
    /// The first invalid number and its requirement, if any.
    pub fn problem(&self) -> Option<(&'static str, &'static str)> {
        let above = "must be greater than the lower bound";
        match self {
            Self::Uniform { low, high } if low >= high => Some(("high", above)),
            Self::LogUniform { low, .. } if *low <= 0.0 => {
                Some(("low", "must be greater than zero"))
            }
            Self::LogUniform { low, high } if low >= high => Some(("high", above)),
            Self::Normal { deviation, .. } | Self::TruncatedNormal { deviation, .. }
                if *deviation <= 0.0 =>
            {
                Some(("deviation", "must be greater than zero"))
            }
            Self::TruncatedNormal { low, high, .. } if low >= high => Some(("high", above)),
            Self::TruncatedNormal {
                mean,
                deviation,
                low,
                high,
            } if (low - mean) / deviation > 30.0 || (high - mean) / deviation < -30.0 => Some((
                "mean",
                "must be within 30 standard deviations of the truncated interval",
            )),
            Self::LogNormal { median, .. } if *median <= 0.0 => {
                Some(("median", "must be greater than zero"))
            }
            Self::LogNormal { factor, .. } if *factor <= 1.0 => {
                Some(("factor", "must be greater than one"))
            }
            Self::Triangular { low, mode, high }
                if low >= high || !(low..=high).contains(&mode) =>
            {
                Some(("mode", "must be between the bounds, which must differ"))
            }
            Self::Discrete { values, .. } if values.is_empty() => {
                Some(("values", "must not be empty"))
            }
            Self::Discrete { values, weights } if values.len() != weights.len() => {
                Some(("weights", "must have one weight per value"))
            }
            Self::Discrete { weights, .. }
                if weights.iter().any(|weight| *weight < 0.0)
                    || weights.iter().sum::<f64>() <= 0.0 =>
            {
                Some(("weights", "must not be negative, nor all zero"))
            }
            _ => None,
        }
    }

    /// The quantile: the value below which a fraction `u` of all values lies.
    ///
    /// ```
    /// use biela_study::Distribution;
    ///
    /// let play = Distribution::Triangular { low: 0.0, mode: 1.0, high: 2.0 };
    /// assert_eq!(play.quantile(0.5), 1.0);
    /// assert_eq!(play.quantile(0.125), 0.5);
    /// ```
    pub fn quantile(&self, u: f64) -> f64 {
        match *self {
            Self::Uniform { low, high } => low + u * (high - low),
            Self::LogUniform { low, high } => (low.ln() + u * (high / low).ln()).exp(),
            Self::Normal { mean, deviation } => mean + deviation * phi_inverse(u),
            Self::TruncatedNormal {
                mean,
                deviation,
                low,
                high,
            } => {
                let (a, b) = ((low - mean) / deviation, (high - mean) / deviation);
                // in the upper tail, where Φ is close to one, its mirror image has full precision
                let z = if a > 0.0 {
                    let (pa, pb) = (phi(-a), phi(-b));
                    -phi_inverse(pa + u * (pb - pa))
                } else {
                    let (pa, pb) = (phi(a), phi(b));
                    phi_inverse(pa + u * (pb - pa))
                };
                (mean + deviation * z).clamp(low, high)
            }
            Self::LogNormal { median, factor } => median * (factor.ln() * phi_inverse(u)).exp(),
            Self::Triangular { low, mode, high } => {
                let width = high - low;
                let below = (mode - low) / width;
                if u < below {
                    low + (u * width * (mode - low)).sqrt()
                } else {
                    high - ((1.0 - u) * width * (high - mode)).sqrt()
                }
            }
            Self::Discrete {
                ref values,
                ref weights,
            } => {
                let total: f64 = weights.iter().sum();
                let mut below = 0.0;
                for (value, weight) in values.iter().zip(weights) {
                    below += weight / total;
                    if u < below {
                        return *value;
                    }
                }
                let likely = values.iter().zip(weights).rfind(|(_, w)| **w > 0.0);
                likely.map_or(f64::NAN, |(value, _)| *value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_and_deviation(of: &Distribution) -> (f64, f64) {
        let n = 200_000;
        let values: Vec<f64> = (0..n)
            .map(|k| of.quantile((f64::from(k) + 0.5) / f64::from(n)))
            .collect();
        let mean = values.iter().sum::<f64>() / f64::from(n);
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
        (mean, variance.sqrt())
    }

    #[test]
    fn quantiles_of_the_normal_distribution_are_those_of_tables() {
        let normal = Distribution::Normal {
            mean: 0.0,
            deviation: 1.0,
        };
        for (u, z) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.841_344_746_068_542_9, 1.0),
            (1e-10, -6.361_340_902_404_056),
        ] {
            assert!((normal.quantile(u) - z).abs() < 1e-9, "{u}");
        }
    }

    #[test]
    fn moments_are_those_of_the_formulas() {
        let cases = [
            (
                Distribution::Uniform {
                    low: 1.0,
                    high: 3.0,
                },
                (2.0, 2.0 / 12.0_f64.sqrt()),
            ),
            (
                Distribution::Triangular {
                    low: 0.0,
                    mode: 1.0,
                    high: 4.0,
                },
                (5.0 / 3.0, (13.0 / 18.0_f64).sqrt()),
            ),
            (
                Distribution::LogUniform {
                    low: 1.0,
                    high: 10.0,
                },
                // variance (b² - a²) / (2 ln b/a) - mean²
                (
                    9.0 / 10.0_f64.ln(),
                    (49.5 / 10.0_f64.ln() - (9.0 / 10.0_f64.ln()).powi(2)).sqrt(),
                ),
            ),
            (
                // mean e^{s²/2}, variance (e^{s²} - 1) e^{s²}
                Distribution::LogNormal {
                    median: 1.0,
                    factor: 0.25_f64.exp(),
                },
                (
                    0.031_25_f64.exp(),
                    ((0.062_5_f64.exp() - 1.0) * 0.062_5_f64.exp()).sqrt(),
                ),
            ),
            (
                // half-normal: mean √(2/π), variance 1 - 2/π
                Distribution::TruncatedNormal {
                    mean: 0.0,
                    deviation: 1.0,
                    low: 0.0,
                    high: f64::INFINITY,
                },
                (0.797_884_56, 0.602_810_27),
            ),
            (
                Distribution::Discrete {
                    values: vec![1.0, 5.0],
                    weights: vec![3.0, 1.0],
                },
                (2.0, 3.0_f64.sqrt()),
            ),
        ];
        for (distribution, (mean, deviation)) in cases {
            assert_eq!(distribution.problem(), None);
            let (m, d) = mean_and_deviation(&distribution);
            assert!((m - mean).abs() < 2e-4, "{distribution:?}: mean {m}");
            assert!((d - deviation).abs() < 2e-3, "{distribution:?}: {d}");
        }
    }

    #[test]
    fn a_distribution_truncated_far_in_the_tail_keeps_its_accuracy() {
        let tail = Distribution::TruncatedNormal {
            mean: 0.0,
            deviation: 1.0,
            low: 10.0,
            high: 12.0,
        };
        // beyond z the tail decays like exp(-z x): the median is ln 2 / 10 further, within some hundredths
        let median = tail.quantile(0.5);
        assert!((median - 10.0 - 0.0686).abs() < 1e-3, "{median}");
        assert!(tail.quantile(1e-12) >= 10.0 && tail.quantile(1.0 - 1e-12) <= 12.0);
    }

    #[test]
    fn a_value_with_zero_weight_is_never_drawn() {
        let coin = Distribution::Discrete {
            values: vec![1.0, 2.0, 3.0],
            weights: vec![1.0, 1.0, 0.0],
        };
        assert_eq!(coin.quantile(1.0 - 1e-16), 2.0);
    }

    #[test]
    fn invalid_parameters_of_distributions_are_named() {
        let flat = Distribution::Normal {
            mean: 1.0,
            deviation: 0.0,
        };
        assert_eq!(
            flat.problem(),
            Some(("deviation", "must be greater than zero"))
        );
        let far = Distribution::TruncatedNormal {
            mean: 0.0,
            deviation: 1.0,
            low: 50.0,
            high: 60.0,
        };
        assert_eq!(far.problem().map(|p| p.0), Some("mean"));
    }
}
