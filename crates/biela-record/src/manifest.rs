//! The manifest: the model, the options and the outcome of a run.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::Path,
};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::{FORMAT, MANIFEST_FILE, RecordError, error::IoContext};

/// The maximum size of a manifest.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// A recorded quantity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedColumn {
    /// Name, as in `crank.angle`; any text.
    pub name: String,
    /// SI unit, as in `rad/s`; empty if dimensionless.
    pub unit: String,
    /// Its description.
    pub description: String,
}

impl RecordedColumn {
    /// Creates a column.
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            description: description.into(),
        }
    }
}

/// The model that was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Name of the model.
    pub name: String,
    /// The model file.
    pub file: Option<String>,
    /// [`digest`] of that file.
    pub digest: Option<String>,
}

/// An event during the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedEvent {
    /// Its time, s.
    #[serde(deserialize_with = "null_is_nan")]
    pub time: f64,
    /// Name of the event.
    pub name: String,
}

/// The status of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum RunStatus {
    /// Running, or killed.
    Running,
    /// Reached its end time.
    Finished,
    /// Ended by an event.
    Event {
        /// Name of the event.
        name: String,
        /// The time of the event, s.
        #[serde(deserialize_with = "null_is_nan")]
        time: f64,
    },
    /// Ended by the user.
    Interrupted,
    /// Ended by a failure.
    Failed {
        /// The message.
        message: String,
        /// The time of the failure, s.
        #[serde(deserialize_with = "null_is_nan")]
        time: f64,
    },
}

/// Contents of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the folder's format, see [`FORMAT`].
    pub format: u64,
    /// Version of biela that wrote it.
    pub biela: String,
    /// The model.
    pub model: ModelInfo,
    /// The options.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// The status of the run.
    pub status: RunStatus,
    /// Rows in the data file.
    pub rows: u64,
    /// Time of the last row.
    pub last_time: Option<f64>,
    /// Solver statistics: steps, iterations, factorizations.
    #[serde(default)]
    pub statistics: Map<String, Value>,
    /// Energy and constraint errors.
    #[serde(default)]
    pub checks: Map<String, Value>,
    /// Events in order of time.
    #[serde(default)]
    pub events: Vec<RecordedEvent>,
    /// The columns of the data file, `time` first.
    pub columns: Vec<RecordedColumn>,
    /// Wall-clock times: the only part of the folder that differs between repeated runs.
    #[serde(default)]
    pub timing: Map<String, Value>,
}

impl Manifest {
    fn text(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// A copy without the results of the run, which may be long.
    fn shortened(&self) -> Self {
        Self {
            statistics: Map::new(),
            checks: Map::new(),
            events: Vec::new(),
            timing: Map::new(),
            ..self.clone()
        }
    }

    /// Loads the manifest of a folder, if there is one.
    pub fn load(dir: &Path) -> Result<Option<Self>, RecordError> {
        let path = dir.join(MANIFEST_FILE);
        let text = match read_limited(&path, MAX_MANIFEST_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.context(&path, "read the manifest")?,
        };
        let broken = |error: serde_json::Error| RecordError::Manifest {
            path: path.clone(),
            problem: format!("not a manifest of biela: {error}"),
        };
        let Version { format, .. } = serde_json::from_slice(&text).map_err(broken)?;
        if format > FORMAT {
            return Err(RecordError::Newer { path, format });
        }
        serde_json::from_slice(&text).map(Some).map_err(broken)
    }

    /// Returns `true` if a folder contains a manifest of any version of biela.
    pub(crate) fn is_in(dir: &Path) -> bool {
        read_limited(&dir.join(MANIFEST_FILE), MAX_MANIFEST_BYTES)
            .is_ok_and(|text| serde_json::from_slice::<Version>(&text).is_ok())
    }
}

/// Reserves disk space for the final manifest, which is written here before it replaces the first one.
pub(crate) const TEMPORARY_FILE: &str = "manifest.json.tmp";
/// The manifest of a run that is about to start.
pub(crate) const NEW_FILE: &str = "manifest.json.new";
/// Additional bytes for the manifest of a failed run: the message.
const ROOM: usize = 4 << 10;

/// The manifest of a run from start to end. Disk space for the final one is reserved before the run, so that a full disk can be reported in it.
#[derive(Debug)]
pub(crate) struct ManifestFile {
    /// Opened when it was created, so that it cannot be replaced.
    room: File,
}

impl ManifestFile {
    /// Reserves space for the manifest of a new run, calls `clear` to remove the previous contents of the folder, and writes the manifest. If there is no
    /// space, nothing is removed.
    pub(crate) fn begin(
        dir: &Path,
        manifest: &Manifest,
        clear: impl FnOnce() -> Result<(), RecordError>,
    ) -> Result<Self, RecordError> {
        let path = dir.join(MANIFEST_FILE);
        let [new, room] = [NEW_FILE, TEMPORARY_FILE].map(|name| dir.join(name));
        let make = || -> io::Result<File> {
            let mut text = manifest.text()?;
            let _ = filled(&new, &text)?;
            text.resize(text.len() + ROOM, b' ');
            filled(&room, &text)
        };
        let begin = || {
            let room = make().context(&path, "write the manifest")?;
            clear()?;
            fs::rename(&new, &path).context(&path, "write the manifest")?;
            Ok(Self { room })
        };
        begin().inspect_err(|_| {
            // the first failure is the one to report
            let _ = fs::remove_file(&new);
            let _ = fs::remove_file(&room);
        })
    }

    /// Replaces the manifest of a folder atomically after it is synchronized to disk: a reader sees the old or the new one. If there is no space for all of it,
    /// it still contains the outcome. `shown` is the folder in messages.
    pub(crate) fn end(
        mut self,
        dir: &Path,
        shown: &Path,
        manifest: &Manifest,
    ) -> Result<(), RecordError> {
        let mut end = || -> io::Result<()> {
            match self.fill(&manifest.text()?) {
                Err(error) if biela_files::is_out_of_space(&error) => {
                    self.fill(&manifest.shortened().text()?)?;
                }
                filled => filled?,
            }
            self.room.sync_all()?;
            fs::rename(dir.join(TEMPORARY_FILE), dir.join(MANIFEST_FILE))
        };
        end().context(&shown.join(MANIFEST_FILE), "write the manifest")
    }

    /// Keeps the initial manifest, as a killed run does.
    pub(crate) fn give_up(self, dir: &Path) {
        let room = dir.join(TEMPORARY_FILE);
        if biela_files::is_at(&self.room, &room) {
            // a leftover file does no harm
            let _ = fs::remove_file(room);
        }
    }

    fn fill(&mut self, text: &[u8]) -> io::Result<()> {
        self.room.rewind()?;
        self.room.write_all(text)?;
        self.room.set_len(text.len() as u64)
    }
}

/// Creates a file with this content, replacing an existing one.
fn filled(path: &Path, bytes: &[u8]) -> io::Result<File> {
    remove_if_there(path)?;
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// The part of a manifest that is common to all versions.
#[derive(Deserialize)]
struct Version {
    format: u64,
    #[serde(rename = "biela")]
    _biela: String,
}

/// Removes a file if it exists.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads a regular file of at most `most` bytes.
pub(crate) fn read_limited(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // checked before opening, because opening a pipe blocks until its other end is opened
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    if about.len() > most {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("larger than {} MiB", most >> 20),
        ));
    }
    let mut text = Vec::new();
    let _ = File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}

/// JSON has no NaN; it is written as null.
fn null_is_nan<'de, D: Deserializer<'de>>(input: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(input)?.unwrap_or(f64::NAN))
}

/// Returns the SHA-256 of bytes in hexadecimal, to detect changes of a model file since a run.
///
/// ```
/// let empty = biela_record::digest(b"");
/// assert_eq!(empty, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// ```
pub fn digest(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // writing to a string cannot fail
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(status: RunStatus) -> Manifest {
        Manifest {
            format: FORMAT,
            biela: "0.1.0".into(),
            model: ModelInfo::default(),
            options: Map::new(),
            status,
            rows: 3,
            last_time: Some(0.1 + 0.2),
            statistics: Map::new(),
            checks: Map::new(),
            events: vec![RecordedEvent {
                time: 1.0 / 3.0,
                name: "impact".into(),
            }],
            columns: vec![RecordedColumn::new("time", "s", "time")],
            timing: Map::new(),
        }
    }

    fn save(last: &Manifest, dir: &Path) {
        let first = manifest(RunStatus::Running);
        let file = ManifestFile::begin(dir, &first, || Ok(())).unwrap();
        assert_eq!(Manifest::load(dir).unwrap(), Some(first));
        file.end(dir, dir, last).unwrap();
    }

    #[test]
    fn every_status_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        for status in [
            RunStatus::Running,
            RunStatus::Finished,
            RunStatus::Event {
                name: "stop".into(),
                time: 1e-7,
            },
            RunStatus::Interrupted,
            RunStatus::Failed {
                message: "no convergence".into(),
                time: 3.41,
            },
        ] {
            let written = manifest(status);
            save(&written, dir.path());
            assert_eq!(Manifest::load(dir.path()).unwrap(), Some(written));
        }
        for name in [TEMPORARY_FILE, NEW_FILE] {
            assert!(!dir.path().join(name).exists());
        }
    }

    #[test]
    fn a_time_that_is_nan_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let failed = RunStatus::Failed {
            message: "diverged".into(),
            time: f64::NAN,
        };
        save(&manifest(failed), dir.path());
        let RunStatus::Failed { time, .. } = Manifest::load(dir.path()).unwrap().unwrap().status
        else {
            panic!("the status changed");
        };
        assert!(time.is_nan());
    }

    #[test]
    fn a_later_format_is_distinguished_from_a_damaged_manifest() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(MANIFEST_FILE);
        fs::write(&path, r#"{"format": 99, "biela": "9.0", "new": []}"#).unwrap();
        assert!(matches!(
            Manifest::load(dir.path()),
            Err(RecordError::Newer { format: 99, .. })
        ));
        assert!(Manifest::is_in(dir.path()));
        fs::write(&path, r#"{"name": "a web page", "version": 3}"#).unwrap();
        assert!(matches!(
            Manifest::load(dir.path()),
            Err(RecordError::Manifest { .. })
        ));
        assert!(!Manifest::is_in(dir.path()));
    }

    #[test]
    fn the_digest_is_sha_256() {
        // FIPS 180-4, examples for one block and two blocks.
        assert_eq!(
            digest(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            digest(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
