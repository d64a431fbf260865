//! Records a run.

use std::{
    fs::File,
    io::{Seek, SeekFrom},
    path::{Path, PathBuf},
};

use biela_files::{Checksum, HeldFolder, Whereabouts};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    CSV_FILE, Checkpoint, DATA_FILE, FORMAT, Kept, Manifest, ModelInfo, RecordError,
    RecordedColumn, RecordedEvent, RunStatus, arrow,
    checkpoint::{self, RecordPosition, Resuming},
    error::IoContext,
    folder::{self, FolderLock},
    manifest::ManifestFile,
    recorder::{RecordSink, Recorder},
};

/// The data known before a run starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of biela.
    pub biela: String,
    /// The model.
    pub model: ModelInfo,
    /// The options.
    pub options: Map<String, Value>,
    /// The columns after `time`, which is added first.
    pub columns: Vec<RecordedColumn>,
}

/// The data known when a run has ended.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// The status.
    pub status: RunStatus,
    /// Solver statistics.
    pub statistics: Map<String, Value>,
    /// Energy and constraint errors.
    pub checks: Map<String, Value>,
    /// Events in order of time.
    pub events: Vec<RecordedEvent>,
    /// Wall-clock times.
    pub timing: Map<String, Value>,
}

impl RunOutcome {
    /// Creates an outcome with a status only.
    pub fn new(status: RunStatus) -> Self {
        Self {
            status,
            statistics: Map::new(),
            checks: Map::new(),
            events: Vec::new(),
            timing: Map::new(),
        }
    }
}

/// Options of a writer.
#[derive(Clone, Copy, Debug)]
pub struct WriterOptions {
    /// Also write `data.csv`.
    pub csv: bool,
    /// The maximum number of rows in a chunk.
    pub chunk_rows: usize,
    /// Replace earlier results of biela in the folder.
    pub overwrite: bool,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            csv: false,
            chunk_rows: 4096,
            overwrite: true,
        }
    }
}

/// Writes the results folder of one run.
///
/// A writer that is dropped before [`Writer::finish`] leaves its rows readable and the manifest with [`RunStatus::Running`], as a killed run does.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    held: HeldFolder,
    manifest: Manifest,
    /// Taken when the run is finished.
    manifest_file: Option<ManifestFile>,
    recorder: Recorder<File>,
    /// Last, so that the folder is unlocked only after everything is written.
    _lock: FolderLock,
}

impl Writer {
    /// Prepares a folder and writes everything except the rows.
    pub fn create(
        dir: &Path,
        header: &Header,
        options: WriterOptions,
    ) -> Result<Self, RecordError> {
        let columns = all_columns(header)?;
        let lock = folder::take(dir, options.overwrite)?;
        let held = HeldFolder::open(dir).context(dir, "open the folder")?;
        let manifest = beginning(header, columns);
        let file = ManifestFile::begin(dir, &manifest, || folder::clear(dir))?;
        let sink = |name| -> Result<RecordSink<File>, RecordError> {
            let path = dir.join(name);
            let to = File::create_new(&path).context(&path, "create the file")?;
            let good = Checksum::default();
            Ok(RecordSink { path, to, good })
        };
        let begin = || {
            let data = sink(DATA_FILE)?;
            let csv = options.csv.then(|| sink(CSV_FILE)).transpose()?;
            Recorder::new(
                data,
                csv,
                &header.model.name,
                &manifest.columns,
                options.chunk_rows,
            )
        };
        match begin() {
            Ok(recorder) => Ok(Self {
                dir: dir.to_path_buf(),
                held,
                manifest,
                manifest_file: Some(file),
                recorder,
                _lock: lock,
            }),
            Err(error) => {
                let status = RunStatus::Failed {
                    message: error.to_string(),
                    time: f64::NAN,
                };
                // the first failure is the one to report
                let _ = file.end(dir, dir, &Manifest { status, ..manifest });
                Err(error)
            }
        }
    }

    /// Resumes a run from its checkpoint: later rows are truncated. Header and options are those of [`Writer::create`].
    pub fn resume(
        resuming: Resuming,
        header: &Header,
        options: WriterOptions,
    ) -> Result<(Self, Checkpoint), RecordError> {
        let columns = all_columns(header)?;
        let sums = [DATA_FILE, CSV_FILE].map(|name| resuming.checksum(name));
        let Resuming {
            dir,
            checkpoint,
            lock,
            ..
        } = resuming;
        let open = |name, good: Checksum| -> Result<RecordSink<File>, RecordError> {
            let path = dir.join(name);
            let open = || {
                let mut file = biela_files::open_own(&path, File::options().write(true))?;
                file.set_len(good.bytes())?;
                let _ = file.seek(SeekFrom::End(0))?;
                Ok(file)
            };
            let to = open().context(&path, "continue the file")?;
            Ok(RecordSink { path, to, good })
        };
        let held = HeldFolder::open(&dir).context(&dir, "open the folder")?;
        let manifest = beginning(header, columns);
        let file = ManifestFile::begin(&dir, &manifest, || Ok(()))?;
        let [data, csv] = sums;
        let data = open(DATA_FILE, data.unwrap_or_default())?;
        let csv = csv.map(|good| open(CSV_FILE, good));
        let recorder = Recorder::resumed(
            data,
            csv.transpose()?,
            &manifest.columns,
            options.chunk_rows,
            &checkpoint.place,
        );
        let writer = Self {
            dir,
            held,
            manifest,
            manifest_file: Some(file),
            recorder,
            _lock: lock,
        };
        Ok((writer, checkpoint))
    }

    /// Records one row: the time and one value per column of the header.
    pub fn push(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        let before = self.recorder.kept.rows;
        let pushed = self.recorder.push(time, values);
        if pushed.is_err() {
            self.recorder.drop_torn_tails();
        }
        pushed?;
        if self.recorder.kept.rows > before {
            self.in_place()?;
        }
        Ok(())
    }

    /// Returns an error if the folder was moved or deleted.
    fn in_place(&self) -> Result<(), RecordError> {
        match self.held.whereabouts() {
            Whereabouts::InPlace => Ok(()),
            now => Err(RecordError::Gone {
                path: self.dir.clone(),
                now,
                kept: self.recorder.kept,
            }),
        }
    }

    /// The position in the files, after they are synchronized to disk.
    pub fn place(&self) -> Result<RecordPosition, RecordError> {
        self.in_place()?;
        self.recorder.sync()?;
        Ok(self.recorder.place())
    }

    /// The rows of an incomplete chunk, each with its time first.
    pub fn pending(&self) -> impl Iterator<Item = &[f64]> {
        self.recorder.pending_rows()
    }

    /// Writes a checkpoint to the folder, at its current location.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), RecordError> {
        checkpoint.save(&self.held.anchor(), &self.dir)
    }

    /// The part that is safely stored; rows of an incomplete chunk are not.
    pub fn kept(&self) -> Kept {
        self.recorder.kept
    }

    /// Writes the remaining rows and the final manifest.
    ///
    /// If a write fails or has failed before, this returns an error, and the status in the manifest is [`RunStatus::Failed`] for any outcome. A folder that was
    /// moved gets its manifest at its current location, which is also an error. The checkpoints of a complete run are removed.
    pub fn finish(mut self, outcome: RunOutcome) -> Result<Manifest, RecordError> {
        let ended = self.recorder.end().and_then(|()| self.recorder.sync());
        let in_place = self.in_place();
        let Kept { rows, last_time } = self.recorder.kept;
        let status = match &ended {
            Err(error) if !matches!(outcome.status, RunStatus::Failed { .. }) => {
                RunStatus::Failed {
                    message: error.to_string(),
                    time: last_time.unwrap_or(f64::NAN),
                }
            }
            _ => outcome.status,
        };
        if ended.is_err() {
            self.recorder.drop_torn_tails();
        }
        let over = matches!(status, RunStatus::Finished | RunStatus::Event { .. });
        let manifest = Manifest {
            status,
            rows,
            last_time,
            statistics: outcome.statistics,
            checks: outcome.checks,
            events: outcome.events,
            timing: outcome.timing,
            ..self.manifest.clone()
        };
        let dir = self.held.anchor();
        let saved = match self.manifest_file.take() {
            Some(file) => file.end(&dir, &self.dir, &manifest),
            None => Ok(()),
        };
        if over && saved.is_ok() {
            // the manifest says that there is nothing to resume, so a leftover checkpoint does no harm
            let _ = checkpoint::remove(&dir);
        }
        ended.and(in_place).and(saved)?;
        Ok(manifest)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let Some(file) = self.manifest_file.take() else {
            return;
        };
        // a failure on drop cannot be reported
        if self.recorder.flush().is_err() {
            self.recorder.drop_torn_tails();
        }
        file.give_up(&self.held.anchor());
    }
}

/// The manifest of a run that starts.
fn beginning(header: &Header, columns: Vec<RecordedColumn>) -> Manifest {
    Manifest {
        format: FORMAT,
        biela: header.biela.clone(),
        model: header.model.clone(),
        options: header.options.clone(),
        status: RunStatus::Running,
        rows: 0,
        last_time: None,
        statistics: Map::new(),
        checks: Map::new(),
        events: Vec::new(),
        columns,
        timing: Map::new(),
    }
}

/// `time` and the columns of the header, if their names are distinct and valid.
fn all_columns(header: &Header) -> Result<Vec<RecordedColumn>, RecordError> {
    let refuse = |problem| Err(RecordError::Columns { problem });
    if header.columns.len() >= arrow::MAX_COLUMNS {
        return refuse(format!(
            "there are {}; the limit is {}",
            header.columns.len(),
            arrow::MAX_COLUMNS - 1
        ));
    }
    let mut columns = Vec::with_capacity(1 + header.columns.len());
    columns.push(RecordedColumn::new("time", "s", "time"));
    columns.extend_from_slice(&header.columns);
    let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    if let Some([twice, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return refuse(format!(
            "the name \"{twice}\" is used twice; give each signal its own name, other than \"time\""
        ));
    }
    if arrow::schema_size_bound(&header.model.name, &columns) > arrow::MAX_METADATA {
        return refuse("their names and descriptions together exceed 64 MiB".into());
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_write_leaves_complete_chunks_and_a_failed_status() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("r");
        let mut writer =
            Writer::create(&dir, &Header::default(), WriterOptions::default()).unwrap();
        for i in 0..100 {
            writer.push(f64::from(i), &[]).unwrap();
        }
        // Half a chunk is written to the disk, then it is full.
        writer.recorder.data.to.write_all(&[0xff; 100]).unwrap();
        writer.recorder.data.to = File::open(dir.join(DATA_FILE)).unwrap();
        let error = (100..200)
            .find_map(|i| writer.push(f64::from(i), &[]).err())
            .unwrap();
        assert!(error.to_string().contains("results kept to t = 63"));
        let _ = writer
            .finish(RunOutcome::new(RunStatus::Finished))
            .unwrap_err();
        let results = crate::Results::open(&dir).unwrap();
        assert_eq!(results.rows(), 64);
        assert!(!results.is_complete());
        let manifest = results.manifest().unwrap();
        assert_eq!((manifest.rows, manifest.last_time), (64, Some(63.0)));
        assert!(matches!(
            &manifest.status,
            RunStatus::Failed { time: 63.0, .. }
        ));
    }
}
