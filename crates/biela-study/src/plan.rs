//! Sampling plans: the points of a parameter space to compute. Every point is determined by its number alone, so that points can be computed in any order, on
//! any machine, and repeatedly.

use crate::distribution::Distribution;
use crate::random::{bits, uniform};
use crate::sobol::{MOST_FACTORS, Sobol};

/// The points of a study.
#[derive(Clone, Debug)]
pub enum Plan {
    /// All combinations of the levels of each factor; the last factor changes fastest.
    Grid(Vec<Vec<f64>>),
    /// A list of rows: one column per factor, all of equal length.
    List(Vec<Vec<f64>>),
    /// Points sampled from distributions.
    Sampled(SampledPlan),
}

/// The sampling method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplingMethod {
    /// Independent random points (Monte Carlo).
    Random,
    /// A Latin hypercube: each factor has one value in each of n equally probable intervals, where n is the number of points.
    Latin,
    /// Sobol's low-discrepancy sequence; best with 2ⁿ points.
    Sobol,
}

/// Points sampled from distributions, one per factor.
#[derive(Clone, Debug)]
pub struct SampledPlan {
    points: usize,
    seed: u64,
    distributions: Vec<Distribution>,
    design: SamplingDesign,
}

#[derive(Clone, Debug)]
enum SamplingDesign {
    Random,
    /// The interval of each point for each factor.
    Latin(Vec<Vec<u32>>),
    Sobol(Sobol),
}

/// An invalid plan.
#[derive(Clone, PartialEq, Eq)]
pub enum PlanError {
    /// Sobol's sequence has no direction numbers for so many factors.
    TooManyFactors,
    /// There are too many points.
    TooManyPoints,
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlanError::TooManyFactors => write!(
                f,
                "the Sobol sequence is available for at most {MOST_FACTORS} factors; use a Latin hypercube for more"
            ),
            PlanError::TooManyPoints => write!(f, "there are more than {} points", u32::MAX),
        }
    }
}

impl std::fmt::Debug for PlanError {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for PlanError {}

/// A random permutation of `0..points`, by the Fisher–Yates shuffle.
fn shuffled(points: u32, seed: u64, factor: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..points).collect();
    for k in (1..order.len()).rev() {
        // the bias of a remainder of 64 bits is below 2^-32
        let other = bits(seed, k as u64, factor) % (k as u64 + 1);
        order.swap(k, other as usize);
    }
    order
}

/// The offset of the columns of shuffles, which separates them from those of numbers.
const SHUFFLES: u64 = 1 << 32;

impl SampledPlan {
    /// Creates a plan with this number of points.
    pub fn new(
        sampling: SamplingMethod,
        points: usize,
        seed: u64,
        distributions: Vec<Distribution>,
    ) -> Result<Self, PlanError> {
        let count = u32::try_from(points).map_err(|_| PlanError::TooManyPoints)?;
        let factors = distributions.len();
        let design = match sampling {
            SamplingMethod::Random => SamplingDesign::Random,
            SamplingMethod::Latin => SamplingDesign::Latin(
                (0..factors as u64)
                    .map(|factor| shuffled(count, seed, SHUFFLES + factor))
                    .collect(),
            ),
            SamplingMethod::Sobol if factors > MOST_FACTORS => {
                return Err(PlanError::TooManyFactors);
            }
            SamplingMethod::Sobol => SamplingDesign::Sobol(Sobol::new(factors, seed)),
        };
        Ok(Self {
            points,
            seed,
            distributions,
            design,
        })
    }

    fn at(&self, k: usize, factor: usize) -> f64 {
        let within = || uniform(self.seed, k as u64, factor as u64);
        let u = match &self.design {
            SamplingDesign::Random => within(),
            SamplingDesign::Latin(parts) => {
                (f64::from(parts[factor][k]) + within()) / self.points as f64
            }
            SamplingDesign::Sobol(sobol) => sobol.at(k, factor),
        };
        self.distributions[factor].quantile(u)
    }
}

impl Plan {
    /// The number of points.
    pub fn len(&self) -> usize {
        match self {
            Plan::Grid(levels) => levels.iter().map(Vec::len).product(),
            Plan::List(columns) => columns.first().map_or(0, Vec::len),
            Plan::Sampled(sampled) => sampled.points,
        }
    }

    /// Returns `true` if there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of factors.
    pub fn factors(&self) -> usize {
        match self {
            Plan::Grid(columns) | Plan::List(columns) => columns.len(),
            Plan::Sampled(sampled) => sampled.distributions.len(),
        }
    }

    /// The coordinates of point `k`, one per factor; empty beyond the last point.
    ///
    /// ```
    /// let plan = biela_study::Plan::Grid(vec![vec![1.0, 2.0], vec![5.0, 6.0, 7.0]]);
    /// assert_eq!(plan.len(), 6);
    /// assert_eq!(plan.point(4), [2.0, 6.0]);
    /// assert!(plan.point(6).is_empty());
    /// ```
    pub fn point(&self, k: usize) -> Vec<f64> {
        if k >= self.len() {
            return Vec::new();
        }
        match self {
            Plan::Grid(levels) => {
                let mut rest = k;
                let mut point: Vec<f64> = levels
                    .iter()
                    .rev()
                    .map(|levels| {
                        let level = levels[rest % levels.len()];
                        rest /= levels.len();
                        level
                    })
                    .collect();
                point.reverse();
                point
            }
            Plan::List(columns) => columns.iter().map(|column| column[k]).collect(),
            Plan::Sampled(sampled) => (0..self.factors()).map(|f| sampled.at(k, f)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit() -> Distribution {
        Distribution::Uniform {
            low: 0.0,
            high: 1.0,
        }
    }

    fn plan(sampling: SamplingMethod, points: usize, seed: u64, factors: usize) -> Plan {
        let list = vec![unit(); factors];
        Plan::Sampled(
            SampledPlan::new(sampling, points, seed, list).unwrap_or_else(|e| panic!("{e}")),
        )
    }

    proptest! {
        #[test]
        fn a_latin_hypercube_has_one_value_per_stratum(points in 1_usize..200, seed: u64) {
            let plan = plan(SamplingMethod::Latin, points, seed, 3);
            for factor in 0..3 {
                let mut parts: Vec<usize> = (0..points)
                    .map(|k| (plan.point(k)[factor] * points as f64) as usize)
                    .collect();
                parts.sort_unstable();
                prop_assert_eq!(parts, (0..points).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_point_depends_only_on_seed_and_index() {
        let (short, long) = (
            plan(SamplingMethod::Random, 10, 4, 2),
            plan(SamplingMethod::Random, 1000, 4, 2),
        );
        assert_eq!(short.point(7), long.point(7));
        assert_ne!(
            short.point(7),
            plan(SamplingMethod::Random, 10, 5, 2).point(7)
        );
    }

    #[test]
    fn low_discrepancy_points_integrate_more_accurately_than_random_ones() {
        // ∫ over the cube of Π (1 + (x - ½)) = 1
        let error = |sampling| {
            let plan = plan(sampling, 1024, 1, 4);
            let sum: f64 = (0..1024)
                .map(|k| plan.point(k).iter().map(|x| 0.5 + x).product::<f64>())
                .sum();
            (sum / 1024.0 - 1.0).abs()
        };
        assert!(error(SamplingMethod::Random) < 0.06);
        assert!(error(SamplingMethod::Latin) < 5e-3);
        assert!(error(SamplingMethod::Sobol) < 5e-4);
    }

    #[test]
    fn too_many_factors_for_sobol_are_rejected() {
        let many = SampledPlan::new(SamplingMethod::Sobol, 8, 0, vec![unit(); 22]);
        assert_eq!(many.err(), Some(PlanError::TooManyFactors));
    }
}
