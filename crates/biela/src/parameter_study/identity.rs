//! The identity of a study, which determines whether points computed at different times and on different machines belong together.

use std::fs;
use std::io;
use std::path::Path;

use biela_record::LOCK_FILE;
use serde_json::{Value, json};

use super::error::ParameterStudyError;

/// Name of the file that describes a study in its folder.
const FILE: &str = "study.json";
/// Version of the folder's format.
const FORMAT: u64 = 1;

/// The properties that must agree for points to belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The model's name.
    pub model: String,
    /// SHA-256 of the model's sources and of the parameters set for all runs.
    pub texts: String,
    /// SHA-256 of the varied parameters and all their values.
    pub plan: String,
    /// The number of points.
    pub points: usize,
    /// Names and units of the varied parameters.
    pub parameters: Vec<(String, String)>,
    /// Names and units of the measures.
    pub measures: Vec<(String, String)>,
}

/// The table of a sweep.
pub const TABLE_FILE: &str = "table.parquet";
/// The table of a sweep as text.
pub const TABLE_CSV_FILE: &str = "table.csv";
/// The job script of a sweep for a cluster.
pub const SBATCH_FILE: &str = "sweep.sbatch";

/// The plots of the table of a sweep.
pub const POINT_PICTURES: [&str; 2] = ["plot.svg", "plot.png"];
/// The plots of the percentile band of the histories.
pub const BAND_PICTURES: [&str; 2] = ["band.svg", "band.png"];

/// Returns `true` if an earlier study may have left a file of this name in a folder.
fn is_of_study(name: &str) -> bool {
    let files = [FILE, TABLE_FILE, TABLE_CSV_FILE, SBATCH_FILE, LOCK_FILE];
    let mut known = files.iter().chain(&POINT_PICTURES).chain(&BAND_PICTURES);
    known.any(|known| *known == name) || super::journal::is_journal(name)
}

impl Identity {
    /// The description that is stored in a folder.
    pub fn to_json(&self) -> Value {
        let columns = |list: &[(String, String)]| -> Vec<Value> {
            let column = |(name, unit): &(String, String)| json!({ "name": name, "unit": unit });
            list.iter().map(column).collect()
        };
        json!({
            "format": FORMAT,
            "biela": env!("CARGO_PKG_VERSION"),
            "model": self.model,
            "texts": self.texts,
            "plan": self.plan,
            "points": self.points,
            "parameters": columns(&self.parameters),
            "measures": columns(&self.measures),
        })
    }

    /// The difference from a description, as text.
    fn difference(&self, other: &Value) -> Option<&'static str> {
        let own = self.to_json();
        let differs = |key: &str| own[key] != other[key];
        [
            ("format", "they have another file format"),
            ("biela", "they were computed by another version of biela"),
            ("points", "the number of points has changed"),
            ("plan", "the values of the parameters have changed"),
            ("texts", "the model has changed"),
            ("measures", "the measures have changed"),
        ]
        .into_iter()
        .find_map(|(key, words)| differs(key).then_some(words))
    }

    /// Claims a folder: writes the description, or compares it with the existing one.
    pub(super) fn claim(&self, folder: &Path) -> Result<(), ParameterStudyError> {
        let file = folder.join(FILE);
        let failed = |error: io::Error| ParameterStudyError::File(file.clone(), error);
        match fs::read_to_string(&file) {
            Ok(text) => {
                let what = serde_json::from_str(&text)
                    .map_or(Some("study.json cannot be read"), |other: Value| {
                        self.difference(&other)
                    });
                match what {
                    None => Ok(()),
                    Some(what) => Err(ParameterStudyError::Other {
                        folder: folder.to_owned(),
                        what: what.to_owned(),
                    }),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                biela_files::own_folder(folder, is_of_study)
                    .map_err(|error| ParameterStudyError::File(folder.to_owned(), error))?;
                // atomically, even if another process writes the same
                let text = format!("{:#}\n", self.to_json());
                biela_files::write(&file, text.as_bytes()).map_err(failed)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Removes the files of an earlier study from a folder, unless a process still uses it.
    pub(super) fn clear(folder: &Path) -> Result<(), ParameterStudyError> {
        let files = super::journal::files(folder)?;
        for file in &files {
            super::journal::refuse_busy(file)?;
        }
        for file in files {
            fs::remove_file(&file)
                .map_err(|error| ParameterStudyError::File(file.clone(), error))?;
        }
        match fs::remove_file(folder.join(FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(ParameterStudyError::File(folder.join(FILE), error))
            }
            _ => Ok(()),
        }
    }
}
