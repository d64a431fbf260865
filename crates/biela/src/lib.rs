//! biela, a multibody-dynamics workbench.
//!
//! This crate is the entry point: it loads a model file, assembles and runs the model, and returns or records the results. It re-exports the underlying crates
//! under short names.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pendulum.toml");
//! # std::fs::write(&path, include_str!("../templates/pendulum.toml"))?;
//! let job = biela::load(&path)?;
//! let run = biela::run(job)?;
//! let angle = run.column("pin.angle").ok_or("no such signal")?;
//! assert_eq!(angle.len(), run.times().len());
//! # Ok(())
//! # }
//! ```

pub use biela_core as core;
pub use biela_model as model;
pub use biela_plot as plot;
pub use biela_record as record;
pub use biela_study as studies;
pub use biela_symbol as symbol;
pub use biela_view as viewer;

mod changes;
pub mod derive;
mod digits;
pub mod distance;
pub mod evidence;
pub mod explain;
mod figure;
mod job;
mod linear;
mod memory;
mod options;
mod redundancy;
pub mod robot;
mod row;
mod signals;
pub mod sismul;
pub mod study;
pub mod validate;
pub mod view;
mod watch;

pub use changes::{Changes, nothing_moves, rows, set_duration, study_options};
pub use digits::digits;
pub use figure::{UnknownSignal, View, ViewError};
pub use job::{Job, ModelError, Report, load, load_given, load_with, read};
pub use linear::{At, Linear, LinearError, linearize};
pub use memory::{
    AT_EQUILIBRIUM, MOST_EVENTS, MOST_MEMORY, MOST_POSES, Onlooker, Run, RunError, assemble_within,
    check_table, note, run, run_watched, start, start_within, status, table_fits,
};
pub use options::{OptionError, bytes, choose, formulation, number, quantity, set_field};
pub use redundancy::{Redundancy, left_open, redundancies, shared_reactions};
pub use row::Row;
pub use signals::select_signals;
pub use watch::Watch;
