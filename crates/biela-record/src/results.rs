//! Reads results, complete or partial.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::Path,
};

use crate::{
    DATA_FILE, FORMAT, Manifest, RecordError, RecordedColumn, RunStatus,
    arrow::{END, MAX_METADATA, Message, PREFIX},
    error::IoContext,
};

/// The end of the data of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The end mark is present: the data are complete.
    Complete,
    /// The end mark is missing: the run is in progress or was killed. All complete chunks have been read.
    Cut,
    /// Invalid bytes follow. All chunks before them have been read.
    Damaged(String),
}

/// The results of a run, in memory.
#[derive(Clone, Debug)]
pub struct Results {
    manifest: Option<Manifest>,
    model: Option<String>,
    columns: Vec<RecordedColumn>,
    data: Vec<Vec<f64>>,
    rows: u64,
    tail: Tail,
}

impl Results {
    /// Opens a results folder, or an Arrow stream file with `Float64` columns of any origin.
    ///
    /// Bytes after the last complete chunk are ignored and reported by [`Results::tail`]. Memory is bounded by the size of the file, for any content.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let about = fs::metadata(path).context(path, "open the results")?;
        if about.is_dir() {
            return Self::open_folder(path);
        }
        Self::open_file(path)
    }

    fn open_folder(dir: &Path) -> Result<Self, RecordError> {
        // The manifest is read first: during a run, the data can then only be ahead of it.
        let manifest = Manifest::load(dir)?;
        let file = dir.join(DATA_FILE);
        let there = file.try_exists().context(&file, "open the results")?;
        let mut results = match (&manifest, there) {
            (_, true) => Self::open_file(&file)?,
            (Some(_), false) => Self::empty(Tail::Cut),
            (None, false) => {
                return Err(RecordError::Missing {
                    path: dir.to_path_buf(),
                });
            }
        };
        if let Some(manifest) = &manifest {
            if results.columns.is_empty() {
                // The run was killed before the schema was written.
                results.model = Some(manifest.model.name.clone());
                results.columns.clone_from(&manifest.columns);
                results.data = vec![Vec::new(); results.columns.len()];
            }
            if manifest.status != RunStatus::Running && manifest.rows > results.rows {
                results.tail =
                    Tail::Damaged(format!("it has {} of {} rows", results.rows, manifest.rows));
            }
        }
        results.manifest = manifest;
        Ok(results)
    }

    fn open_file(path: &Path) -> Result<Self, RecordError> {
        // checked before opening, because opening a pipe blocks until its other end is opened
        let about = fs::metadata(path).context(path, "open the results")?;
        if !about.is_file() {
            return Err(RecordError::Data {
                path: path.to_path_buf(),
                problem: "not a regular file".into(),
            });
        }
        let file = File::open(path).context(path, "open the results")?;
        Self::from_stream(BufReader::new(file), about.len(), path)
    }

    /// Reads the bytes of a data file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        Self::from_stream(bytes, bytes.len() as u64, Path::new("results in memory"))
    }

    fn from_stream(input: impl Read, left: u64, path: &Path) -> Result<Self, RecordError> {
        match Self::read(&mut Stream { input, left }) {
            Ok(results) => Ok(results),
            Err(ReadStop::Cut) => Ok(Self::empty(Tail::Cut)),
            Err(ReadStop::Newer(format)) => Err(RecordError::Newer {
                path: path.to_path_buf(),
                format,
            }),
            Err(ReadStop::Bad(problem)) => Err(RecordError::Data {
                path: path.to_path_buf(),
                problem: problem.into(),
            }),
            Err(ReadStop::Io(source)) => Err(source).context(path, "read the results"),
        }
    }

    fn empty(tail: Tail) -> Self {
        Self {
            manifest: None,
            model: None,
            columns: Vec::new(),
            data: Vec::new(),
            rows: 0,
            tail,
        }
    }

    /// Fails only if the schema is unreadable, or if the system reports an error.
    fn read(stream: &mut Stream<impl Read>) -> Result<Self, ReadStop> {
        let (mut metadata, mut body) = (Vec::new(), Vec::new());
        if !stream.metadata(&mut metadata)? {
            return Err(ReadStop::Bad("it ends before its header is complete"));
        }
        let message = Message::decode(&metadata)?;
        stream.take(message.body_len, &mut body)?;
        // Damage is reported before its consequences; a schema written by biela must have its checksum.
        message.verify(&body, false)?;
        let schema = message.schema()?;
        let ours = schema.format.is_some();
        message.verify(&body, ours)?;
        if let Some(format) = schema.format.filter(|&format| format > FORMAT) {
            return Err(ReadStop::Newer(format));
        }

        let mut results = Self::empty(Tail::Complete);
        results.model = schema.model;
        results.data = vec![Vec::new(); schema.columns.len()];
        results.columns = schema.columns;
        let ended = loop {
            match stream.metadata(&mut metadata) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(stop) => break Err(stop),
            }
            let appended = Message::decode(&metadata)
                .map_err(ReadStop::from)
                .and_then(|message| {
                    stream.take(message.body_len, &mut body)?;
                    message.verify(&body, ours)?;
                    Ok(message.append_rows(&body, &mut results.data)?)
                });
            match appended {
                Ok(rows) => results.rows = results.rows.saturating_add(rows),
                Err(stop) => break Err(stop),
            }
        };
        results.tail = match ended {
            Ok(()) => Tail::Complete,
            Err(ReadStop::Cut) => Tail::Cut,
            Err(ReadStop::Bad(problem)) => Tail::Damaged(problem.into()),
            Err(stop) => return Err(stop),
        };
        Ok(results)
    }

    /// The manifest; `None` for a single file.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// Name of the model.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The columns in order, `time` first.
    pub fn columns(&self) -> &[RecordedColumn] {
        &self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The values of a column.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let index = self.columns.iter().position(|column| column.name == name)?;
        self.series(index)
    }

    /// The values of the column with this index in [`Results::columns`].
    pub fn series(&self, index: usize) -> Option<&[f64]> {
        self.data.get(index).map(Vec::as_slice)
    }

    /// The end of the data.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Returns `true` if all data of the run are present.
    pub fn is_complete(&self) -> bool {
        self.tail == Tail::Complete
    }
}

/// The reason why reading ended before the end mark.
enum ReadStop {
    Cut,
    Bad(&'static str),
    Newer(u64),
    Io(io::Error),
}

impl From<&'static str> for ReadStop {
    fn from(problem: &'static str) -> Self {
        Self::Bad(problem)
    }
}

/// A stream that never returns more than the rest of its file.
struct Stream<R> {
    input: R,
    left: u64,
}

impl<R: Read> Stream<R> {
    /// Reads the next metadata; `false` at the end mark.
    fn metadata(&mut self, metadata: &mut Vec<u8>) -> Result<bool, ReadStop> {
        self.take(PREFIX as u64, metadata)?;
        if metadata[..4] != END[..4] {
            return Err(ReadStop::Bad("a message has no valid start"));
        }
        let size = i32::from_le_bytes([metadata[4], metadata[5], metadata[6], metadata[7]]);
        if size == 0 {
            return if self.left == 0 {
                Ok(false)
            } else {
                Err(ReadStop::Bad("trailing bytes after the end marker"))
            };
        }
        let size =
            u64::try_from(size).map_err(|_| ReadStop::Bad("a message has a negative size"))?;
        if size > MAX_METADATA as u64 {
            return Err(ReadStop::Bad("a message has metadata of more than 64 MiB"));
        }
        self.take(size, metadata)?;
        Ok(true)
    }

    fn take(&mut self, size: u64, bytes: &mut Vec<u8>) -> Result<(), ReadStop> {
        if size > self.left {
            return Err(ReadStop::Cut);
        }
        self.left -= size;
        bytes.clear();
        let read = self.input.by_ref().take(size).read_to_end(bytes);
        match read.map_err(ReadStop::Io)? as u64 {
            all if all == size => Ok(()),
            _ => Err(ReadStop::Cut),
        }
    }
}
