//! Recording a run, chunk by chunk.
//!
//! A chunk is written when it is full. Its size is an eighth of the rows already written, between 64 and 4096 rows: a
//! killed run loses at most 64 rows or an eighth of itself, and a long run has few, large chunks. No clock decides,
//! so that the same run always gives the same bytes.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use crate::{
    CSV_FILE, Column, DATA_FILE, Event, FORMAT, Kept, Manifest, ModelInfo, RecordError, Status,
    arrow,
    csv::{write_csv_header, write_csv_row},
    error::Context,
    folder::{self, Lock},
};

/// Rows in the first chunk.
const FIRST_CHUNK_ROWS: usize = 64;
/// A chunk's values stay below this, unless the first chunk is larger already.
const MAX_CHUNK_BYTES: usize = 4 << 20;

/// What is known before a run starts.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Version of biela.
    pub biela: String,
    /// What is run.
    pub model: ModelInfo,
    /// With which options.
    pub options: Map<String, Value>,
    /// The columns after `time`, which comes first by itself.
    pub columns: Vec<Column>,
}

/// What is known when a run has ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What the solver did.
    pub statistics: Map<String, Value>,
    /// How well energy and constraints were kept.
    pub checks: Map<String, Value>,
    /// What happened, in order of time.
    pub events: Vec<Event>,
    /// Wall-clock times.
    pub timing: Map<String, Value>,
}

impl Outcome {
    /// An outcome with nothing to add to its status.
    pub fn new(status: Status) -> Self {
        Self {
            status,
            statistics: Map::new(),
            checks: Map::new(),
            events: Vec::new(),
            timing: Map::new(),
        }
    }
}

/// How to write.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Write `data.csv` as well.
    pub csv: bool,
    /// Most rows in a chunk.
    pub chunk_rows: usize,
    /// Replace earlier results of biela in the folder.
    pub overwrite: bool,
}

impl Default for Options {
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
/// A writer that is dropped before [`Writer::finish`] leaves its rows readable and the manifest in the state
/// [`Status::Running`], as a killed run does.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    manifest: Manifest,
    recorder: Recorder<File>,
    finished: bool,
    /// Last, so that the folder is free only once everything is written.
    _lock: Lock,
}

impl Writer {
    /// Prepares a folder and writes everything but the rows.
    pub fn create(dir: &Path, header: &Header, options: Options) -> Result<Self, RecordError> {
        let columns = all_columns(header)?;
        let lock = folder::prepare(dir, options.overwrite)?;
        let manifest = Manifest {
            format: FORMAT,
            biela: header.biela.clone(),
            model: header.model.clone(),
            options: header.options.clone(),
            status: Status::Running,
            rows: 0,
            last_time: None,
            statistics: Map::new(),
            checks: Map::new(),
            events: Vec::new(),
            columns,
            timing: Map::new(),
        };
        manifest.save(dir, false)?;
        let sink = |name| -> Result<Sink<File>, RecordError> {
            let path = dir.join(name);
            let to = File::create_new(&path).context(&path, "create the file")?;
            Ok(Sink { path, to })
        };
        let data = sink(DATA_FILE)?;
        let csv = options.csv.then(|| sink(CSV_FILE)).transpose()?;
        let recorder = Recorder::new(
            data,
            csv,
            &header.model.name,
            &manifest.columns,
            options.chunk_rows,
        )?;
        Ok(Self {
            dir: dir.to_path_buf(),
            manifest,
            recorder,
            finished: false,
            _lock: lock,
        })
    }

    /// Records one row: the time and one value per column of the header.
    pub fn push(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        let pushed = self.recorder.push(time, values);
        if pushed.is_err() {
            self.drop_torn_tail();
        }
        pushed
    }

    /// What is safe so far; rows of a chunk that is not yet full are not.
    pub fn kept(&self) -> Kept {
        self.recorder.kept
    }

    /// Writes what is left and the final manifest.
    ///
    /// If a write fails or has failed before, this is an error as well, and the status in the manifest is
    /// [`Status::Failed`] whatever the outcome says.
    pub fn finish(mut self, outcome: Outcome) -> Result<Manifest, RecordError> {
        self.finished = true;
        let ended = self.recorder.end().and_then(|()| self.recorder.sync());
        let Kept { rows, last_time } = self.recorder.kept;
        let status = match &ended {
            Err(error) if !matches!(outcome.status, Status::Failed { .. }) => Status::Failed {
                message: error.to_string(),
                time: last_time.unwrap_or(f64::NAN),
            },
            _ => outcome.status,
        };
        if ended.is_err() {
            self.drop_torn_tail();
        }
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
        let saved = manifest.save(&self.dir, true);
        ended?;
        saved?;
        Ok(manifest)
    }

    /// After a failed write, cuts the file back to its last whole chunk, so that every Arrow reader is content.
    fn drop_torn_tail(&self) {
        // biela reads past a torn tail, so a failure here costs nothing.
        let _ = self.recorder.data.to.set_len(self.recorder.good_bytes);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Nobody is left to tell about a failure.
        if !self.finished && self.recorder.flush().is_err() {
            self.drop_torn_tail();
        }
    }
}

/// `time` and the columns of the header, if they can be told apart and stored.
fn all_columns(header: &Header) -> Result<Vec<Column>, RecordError> {
    let refuse = |problem| Err(RecordError::Columns { problem });
    if header.columns.len() >= arrow::MAX_COLUMNS {
        return refuse(format!(
            "there are {}, and {} is the most",
            header.columns.len(),
            arrow::MAX_COLUMNS - 1
        ));
    }
    let mut columns = Vec::with_capacity(1 + header.columns.len());
    columns.push(Column::new("time", "s", "time"));
    columns.extend_from_slice(&header.columns);
    let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    if let Some([twice, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return refuse(format!(
            "the name \"{twice}\" is used twice; each signal needs its own (\"time\" is taken)"
        ));
    }
    if arrow::schema_size_bound(&header.model.name, &columns) > arrow::MAX_METADATA {
        return refuse("their names and descriptions together are longer than 64 MiB".into());
    }
    Ok(columns)
}

/// Somewhere to write, and its name for messages.
#[derive(Debug)]
struct Sink<W> {
    path: PathBuf,
    to: W,
}

impl<W: Write> Sink<W> {
    fn write(&mut self, bytes: &[u8], kept: Kept) -> Result<(), RecordError> {
        self.to
            .write_all(bytes)
            .map_err(|source| RecordError::Write {
                path: self.path.clone(),
                source,
                kept,
            })
    }
}

/// Collects rows and writes them as chunks. All buffers get their size at creation.
#[derive(Debug)]
struct Recorder<W: Write> {
    columns: usize,
    most_rows: usize,
    chunk_rows: usize,
    pending: Vec<f64>,
    message: Vec<u8>,
    data: Sink<W>,
    csv: Option<(Sink<W>, Vec<u8>)>,
    kept: Kept,
    good_bytes: u64,
    /// The file whose write failed, after which nothing more is written.
    broken: Option<PathBuf>,
}

impl<W: Write> Recorder<W> {
    fn new(
        data: Sink<W>,
        csv: Option<Sink<W>>,
        model: &str,
        columns: &[Column],
        most_rows: usize,
    ) -> Result<Self, RecordError> {
        let count = columns.len();
        let fitting = (MAX_CHUNK_BYTES / (8 * count)).max(FIRST_CHUNK_ROWS);
        let most_rows = most_rows.clamp(1, fitting);
        let mut recorder = Self {
            columns: count,
            most_rows,
            chunk_rows: most_rows.min(FIRST_CHUNK_ROWS),
            pending: Vec::with_capacity(count * most_rows),
            message: Vec::with_capacity(arrow::batch_size_bound(count, most_rows)),
            data,
            csv: csv.map(|sink| (sink, Vec::new())),
            kept: Kept::default(),
            good_bytes: 0,
            broken: None,
        };
        arrow::encode_schema(&mut recorder.message, model, columns);
        recorder.data.write(&recorder.message, Kept::default())?;
        recorder.good_bytes = recorder.message.len() as u64;
        if let Some((sink, text)) = &mut recorder.csv {
            write_csv_header(text, columns);
            sink.write(text, Kept::default())?;
            text.clear();
            // No f64 needs more than 24 characters; one more for the comma.
            text.reserve(25 * count * most_rows);
        }
        Ok(recorder)
    }

    fn push(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        self.refuse_if_broken()?;
        if values.len() + 1 != self.columns {
            return Err(RecordError::RowLength {
                expected: self.columns - 1,
                found: values.len(),
            });
        }
        self.pending.push(time);
        self.pending.extend_from_slice(values);
        if self.pending.len() == self.columns * self.chunk_rows {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the pending rows as one chunk.
    fn flush(&mut self) -> Result<(), RecordError> {
        self.refuse_if_broken()?;
        if self.pending.is_empty() {
            return Ok(());
        }
        arrow::encode_batch(&mut self.message, self.columns, &self.pending);
        if let Err(error) = self.data.write(&self.message, self.kept) {
            self.broken = Some(self.data.path.clone());
            return Err(error);
        }
        let last_row = self.pending.len() - self.columns;
        self.kept.rows += (self.pending.len() / self.columns) as u64;
        self.kept.last_time = Some(self.pending[last_row]);
        self.good_bytes += self.message.len() as u64;
        if let Some((sink, text)) = &mut self.csv {
            text.clear();
            for row in self.pending.chunks_exact(self.columns) {
                write_csv_row(text, row);
            }
            if let Err(error) = sink.write(text, self.kept) {
                self.broken = Some(sink.path.clone());
                return Err(error);
            }
        }
        self.pending.clear();
        let eighth = usize::try_from(self.kept.rows / 8).unwrap_or(usize::MAX);
        self.chunk_rows = eighth.max(FIRST_CHUNK_ROWS).min(self.most_rows);
        Ok(())
    }

    /// Writes what is pending and the end mark.
    fn end(&mut self) -> Result<(), RecordError> {
        self.flush()?;
        if let Err(error) = self.data.write(&arrow::END, self.kept) {
            self.broken = Some(self.data.path.clone());
            return Err(error);
        }
        Ok(())
    }

    fn refuse_if_broken(&self) -> Result<(), RecordError> {
        match &self.broken {
            None => Ok(()),
            Some(path) => Err(RecordError::Stopped {
                path: path.clone(),
                kept: self.kept,
            }),
        }
    }
}

impl Recorder<File> {
    /// Waits until everything is on the disk.
    fn sync(&self) -> Result<(), RecordError> {
        for Sink { path, to } in [Some(&self.data), self.csv.as_ref().map(|(sink, _)| sink)]
            .into_iter()
            .flatten()
        {
            to.sync_all().map_err(|source| RecordError::Write {
                path: path.clone(),
                source,
                kept: self.kept,
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(count: usize) -> Vec<Column> {
        (0..count)
            .map(|i| Column::new(format!("c{i}"), "m", ""))
            .collect()
    }

    fn sink<W>(to: W) -> Sink<W> {
        Sink {
            path: PathBuf::from("data"),
            to,
        }
    }

    /// Takes `room` bytes, then reports a full disk.
    #[derive(Debug)]
    struct SmallDisk {
        room: usize,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.room == 0 && !bytes.is_empty() {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(self.room);
            self.room -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn recording_reuses_its_buffers() {
        let mut recorder = Recorder::new(
            sink(std::io::sink()),
            Some(sink(std::io::sink())),
            "m",
            &columns(5),
            4096,
        )
        .unwrap();
        let capacities = |r: &Recorder<_>| {
            let text = r.csv.as_ref().unwrap().1.capacity();
            (r.pending.capacity(), r.message.capacity(), text)
        };
        let before = capacities(&recorder);
        for i in 0..100_000 {
            let x = -f64::from(i) * 1.234_567_890_123_456_7e-300;
            recorder.push(x, &[x; 4]).unwrap();
        }
        assert_eq!(recorder.chunk_rows, 4096);
        assert_eq!(capacities(&recorder), before);
    }

    #[test]
    fn a_killed_run_loses_at_most_64_rows_or_an_eighth() {
        let mut recorder =
            Recorder::new(sink(std::io::sink()), None, "m", &columns(1), 4096).unwrap();
        for row in 1..50_000_u64 {
            recorder.push(row as f64, &[]).unwrap();
            let lost = row - recorder.kept.rows;
            assert!(lost < 64.max(recorder.kept.rows / 8).min(4096));
        }
    }

    #[test]
    fn a_wide_table_has_shorter_chunks() {
        let recorder =
            Recorder::new(sink(std::io::sink()), None, "m", &columns(5000), usize::MAX).unwrap();
        assert_eq!(recorder.most_rows, (4 << 20) / 8 / 5000);
    }

    #[test]
    fn a_full_disk_says_how_far_results_are_kept() {
        let mut recorder =
            Recorder::new(sink(SmallDisk { room: 5000 }), None, "m", &columns(2), 64).unwrap();
        let error = (1..1000)
            .find_map(|i| recorder.push(f64::from(i) / 64.0, &[0.0]).err())
            .unwrap();
        let text = error.to_string();
        assert!(text.contains("results kept to t = 3;"), "{text}");
        assert!(text.contains("free some space"), "{text}");
        let again = recorder.push(9.0, &[0.0]).unwrap_err();
        assert!(matches!(again, RecordError::Stopped { .. }));
        assert!(recorder.end().is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_full_device_is_reported() {
        let full = || {
            let file = File::options().write(true).open("/dev/full").unwrap();
            sink(file)
        };
        let error = Recorder::new(full(), None, "m", &columns(1), 64).unwrap_err();
        assert!(error.to_string().contains("no results kept"), "{error}");

        let data = sink(tempfile::tempfile().unwrap());
        let error = Recorder::new(data, Some(full()), "m", &columns(1), 64).unwrap_err();
        assert!(matches!(error, RecordError::Write { .. }), "{error}");
    }

    #[test]
    fn a_failed_write_leaves_whole_chunks_and_a_manifest_that_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("r");
        let mut writer = Writer::create(&dir, &Header::default(), Options::default()).unwrap();
        for i in 0..100 {
            writer.push(f64::from(i), &[]).unwrap();
        }
        // Half a chunk reaches the disk, then it is full.
        writer.recorder.data.to.write_all(&[0xff; 100]).unwrap();
        writer.recorder.data.to = File::open(dir.join(DATA_FILE)).unwrap();
        let error = (100..200)
            .find_map(|i| writer.push(f64::from(i), &[]).err())
            .unwrap();
        assert!(error.to_string().contains("results kept to t = 63"));
        let _ = writer.finish(Outcome::new(Status::Finished)).unwrap_err();
        let results = crate::Results::open(&dir).unwrap();
        assert_eq!(results.rows(), 64);
        assert!(!results.is_complete());
        let manifest = results.manifest().unwrap();
        assert_eq!((manifest.rows, manifest.last_time), (64, Some(63.0)));
        assert!(matches!(
            &manifest.status,
            Status::Failed { time: 63.0, .. }
        ));
    }
}
