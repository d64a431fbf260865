//! Parameter studies: many runs of one model with different parameter values.
//!
//! [`ParameterRuns`] loads a model once and computes its measures for any parameter values. It can be shared between threads, and sent to other machines as text. Based
//! on it are [`Sweep`] (the points of a plan, stored in a [`Journal`] as they finish), [`minimum`], [`fit`] and [`sensitivities`].
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"
//! format = 1
//! space = "planar"
//! gravity = [0, -9.81]
//! [parameters]
//! height = "1 m"
//! [[body]]
//! name = "stone"
//! mass = 1
//! inertia = 0.1
//! position = [0, "height"]
//! [[event]]
//! name = "landing"
//! when = "stone.y"
//! action = "stop"
//! [[measure]]
//! name = "fall"
//! event = "landing"
//! [study]
//! duration = "5 s"
//! [sweep]
//! plan = "grid"
//! vary.height = { values = ["1 m", "4 m"] }
//! "#;
//! let sweep = biela::parameter_study::Sweep::new(biela::parameter_study::ParameterRuns::of("stone.toml", [("stone.toml", text)], &[])?)?;
//! let fall = |k| -> Result<f64, _> { sweep.compute(k, None, &|| false).values.map(|values| values[0]) };
//! assert!((fall(1)? / fall(0)? - 2.0).abs() < 1e-7);
//! # Ok(())
//! # }
//! ```

mod error;
mod identity;
mod journal;
mod parallel;
mod runs;
mod search;
mod sweep;
mod table;
mod take;

pub use error::ParameterStudyError;
pub use identity::{
    BAND_PICTURES, Identity, POINT_PICTURES, SBATCH_FILE, TABLE_CSV_FILE, TABLE_FILE,
};
pub use journal::{Journal, SweepShard};
pub(crate) use parallel::as_they_come;
pub use parallel::{MOST_THREADS, in_order, threads};
pub use runs::{About, ParameterRuns, Stopped};
pub use search::{
    Effort, Fitted, MeasureSensitivity, OptimizationMethod, SearchResult, Unidentified, fit,
    minimum, sensitivities,
};
pub use sweep::{Sweep, SweepPoint, SweepRow};
pub use table::SweepTable;
pub use take::Taking;
