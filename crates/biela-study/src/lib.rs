//! The mathematics of parameter studies: sampling plans, optimization, least squares and sensitivities. This crate is independent of models, files and threads.
//!
//! ```
//! use biela_study::{Distribution, Plan, SampledPlan, SamplingMethod};
//!
//! let length = Distribution::Normal { mean: 0.2, deviation: 1e-4 };
//! let plan = Plan::Sampled(SampledPlan::new(SamplingMethod::Latin, 100, 7, vec![length])?);
//! let mean = (0..plan.len()).map(|k| plan.point(k)[0]).sum::<f64>() / 100.0;
//! assert!((mean - 0.2).abs() < 1e-6);
//! # Ok::<(), biela_study::PlanError>(())
//! ```

mod derivative;
mod distribution;
mod least_squares;
mod minimize;
mod plan;
mod random;
mod sobol;

pub use derivative::{Derivative, DifferencePoints};
pub use distribution::{Distribution, student_quantile};
pub use least_squares::{Fit, FitEnded, LeastSquares, Residuals, fit};
pub use minimize::{Evaluate, Minimum, SearchEnded, VariableBounds, evolution, nelder_mead};
pub use plan::{Plan, PlanError, SampledPlan, SamplingMethod};
pub use random::uniform;
pub use sobol::MOST_FACTORS as MOST_SOBOL_FACTORS;
