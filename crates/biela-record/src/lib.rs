//! Results folders of biela.
//!
//! ```text
//! DIR/manifest.json   model, options, outcome, statistics, events, wall-clock times (key `timing`)
//! DIR/data.arrows     the series: Arrow IPC stream, one Float64 column per signal, `time` first, SI units
//! DIR/data.csv        the series as CSV, on request
//! DIR/checkpoint.bin  on request: the data needed to resume an incomplete run
//! DIR/biela.lock      while a run is writing
//! DIR/manifest.json.tmp  while a run is writing: room for its last manifest
//! ```
//!
//! The data file can be read without biela, and each of its columns has the metadata `unit` and `description`:
//!
//! ```python
//! import polars, pyarrow
//! polars.read_ipc_stream("DIR/data.arrows")
//! pyarrow.ipc.open_stream("DIR/data.arrows").read_pandas()
//! ```
//!
//! It is written in chunks. If the run fails for any reason, all complete chunks stay readable. Repeated runs produce identical bytes in every file, except for
//! `timing` in the manifest.
//!
//! ```
//! use biela_record::{RecordedColumn, Header, WriterOptions, RunOutcome, Results, RunStatus, Writer};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let dir = folder.path().join("pendulum");
//! let header = Header {
//!     columns: vec![RecordedColumn::new("arm.angle", "rad", "angle of the arm from below")],
//!     ..Header::default()
//! };
//! let mut writer = Writer::create(&dir, &header, WriterOptions::default())?;
//! for i in 0..100 {
//!     let time = 0.01 * f64::from(i);
//!     writer.push(time, &[0.1 * (3.13 * time).cos()])?;
//! }
//! writer.finish(RunOutcome::new(RunStatus::Finished))?;
//!
//! let results = Results::open(&dir)?;
//! assert!(results.is_complete());
//! assert_eq!(results.column("arm.angle").map(|angle| angle[0]), Some(0.1));
//! assert_eq!(results.columns()[1].unit, "rad");
//! # Ok(())
//! # }
//! ```
//!
//! # Why biela has its own Arrow encoder
//!
//! The crates `arrow-ipc`, `arrow-array` and `arrow-schema` (60.1, default features off) add 34 crates and 126 CPU seconds to a cold release build, with a new
//! major version every month or two. The required subset of the format, one type of column without nulls, takes some 600 lines here (`flat`, `arrow`) on top of
//! a stable specification; `crc32fast` and `sha2` add 10 crates and 5 CPU seconds. The encoder also provides a checksum per chunk and a reader with memory
//! bounded by the size of its file. The tests read its output with pyarrow, pandas and polars, and read with it the output of pyarrow and polars.

mod arrow;
mod browse;
pub mod checkpoint;
mod csv;
mod error;
mod flat;
mod folder;
mod manifest;
mod parquet;
mod recorder;
mod results;
mod writer;

pub use browse::Browser;
pub use checkpoint::{Checkpoint, FileMark, RecordPosition, Resuming};
pub use csv::csv_cell;
pub use error::{Kept, RecordError};
pub use folder::FolderLock;
pub use manifest::{Manifest, ModelInfo, RecordedColumn, RecordedEvent, RunStatus, digest};
pub use parquet::{TableColumn, write_parquet};
pub use results::{Results, Tail};
pub use writer::{Header, RunOutcome, Writer, WriterOptions};

/// Version of the folder format that this crate writes; it reads all versions up to this one.
pub const FORMAT: u64 = 1;
/// Name of the manifest in a results folder.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Name of the data file in a results folder.
pub const DATA_FILE: &str = "data.arrows";
/// Name of the CSV file in a results folder.
pub const CSV_FILE: &str = "data.csv";
/// Name of the lock file of a run or study.
pub const LOCK_FILE: &str = "biela.lock";
