//! Access to single signals of results that may exceed memory, or are still being written.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use crate::{
    DATA_FILE, FORMAT, RecordError, RecordedColumn,
    arrow::{END, MAX_METADATA, Message, PREFIX},
    error::IoContext,
};

/// The number of values read at a time.
const PORTION: usize = 2048;

/// Reads one signal at a time from the data of a results folder, chunk by chunk.
///
/// Only the positions of the chunks are held in memory. The checksum of a chunk covers all its signals, so it is not verified here.
///
/// ```
/// use biela_record::{Browser, RecordedColumn, Header, WriterOptions, Writer};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let dir = folder.path().join("r");
/// let columns = vec![RecordedColumn::new("x", "m", "")];
/// let mut writer = Writer::create(&dir, &Header { columns, ..Header::default() }, WriterOptions::default())?;
/// let mut browser = Browser::open(&dir)?;
/// for i in 0..1000 {
///     writer.push(f64::from(i), &[2.0 * f64::from(i)])?;
/// }
/// browser.refresh()?;
/// let mut last = 0.0;
/// let x = browser.find("x").ok_or("no such signal")?;
/// browser.read(x, (100.0, 200.0), &mut |_times, values| last = values[values.len() - 1])?;
/// assert!(last >= 400.0, "the chunk with t = 200 is the last one that is read");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Browser {
    path: PathBuf,
    file: File,
    columns: Vec<RecordedColumn>,
    chunks: Vec<Chunk>,
    rows: u64,
    /// The offset of the next message.
    next: u64,
    metadata: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// The offset of its metadata and of its body.
    metadata: u64,
    body: u64,
    rows: u64,
    /// Times of its first and last row.
    times: (f64, f64),
}

/// The reason why a message cannot be used.
enum MessageStop {
    /// It is incomplete.
    Cut,
    Bad(&'static str),
    Io(io::Error),
}

impl From<&'static str> for MessageStop {
    fn from(problem: &'static str) -> Self {
        MessageStop::Bad(problem)
    }
}

impl From<io::Error> for MessageStop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => MessageStop::Cut,
            _ => MessageStop::Io(error),
        }
    }
}

impl Browser {
    /// Opens the data of a results folder and finds its chunks.
    pub fn open(dir: &Path) -> Result<Self, RecordError> {
        let path = dir.join(DATA_FILE);
        // checked before opening, because opening a pipe blocks until its other end is opened
        let about = std::fs::metadata(&path).context(&path, "open the results")?;
        if !about.is_file() {
            return Err(RecordError::Data {
                path,
                problem: "not a regular file".into(),
            });
        }
        let file = File::open(&path).context(&path, "open the results")?;
        let mut browser = Self {
            path,
            file,
            columns: Vec::new(),
            chunks: Vec::new(),
            rows: 0,
            next: 0,
            metadata: Vec::new(),
        };
        let schema = browser.schema();
        browser.told(schema)?;
        browser.refresh()?;
        Ok(browser)
    }

    /// Finds chunks that have been written meanwhile. Unreadable bytes end the data, as an incomplete tail does.
    pub fn refresh(&mut self) -> Result<(), RecordError> {
        loop {
            match self.chunk() {
                Ok(Some(chunk)) => {
                    self.rows = self.rows.saturating_add(chunk.rows);
                    self.chunks.push(chunk);
                }
                Ok(None) | Err(MessageStop::Cut | MessageStop::Bad(_)) => return Ok(()),
                Err(stop) => return self.told(Err(stop)),
            }
        }
    }

    /// The columns in order, `time` first.
    pub fn columns(&self) -> &[RecordedColumn] {
        &self.columns
    }

    /// Returns the index of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The number of rows found.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Times of the first and the last row found.
    pub fn times(&self) -> Option<(f64, f64)> {
        Some((self.chunks.first()?.times.0, self.chunks.last()?.times.1))
    }

    /// Passes times and values of a column to `each`, in parts; chunks completely outside the time interval are skipped.
    pub fn read(
        &mut self,
        column: usize,
        times: (f64, f64),
        each: &mut dyn FnMut(&[f64], &[f64]),
    ) -> Result<(), RecordError> {
        let (mut t, mut x) = (Vec::new(), Vec::new());
        for k in 0..self.chunks.len() {
            let chunk = self.chunks[k];
            let (first, last) = chunk.times;
            if last < times.0 || first > times.1 {
                continue;
            }
            let read = self.portions(chunk, column, (&mut t, &mut x), each);
            self.told(read)?;
        }
        Ok(())
    }

    fn portions(
        &mut self,
        chunk: Chunk,
        column: usize,
        (t, x): (&mut Vec<f64>, &mut Vec<f64>),
        each: &mut dyn FnMut(&[f64], &[f64]),
    ) -> Result<(), MessageStop> {
        let size = chunk.body - chunk.metadata;
        self.take(chunk.metadata, size)?;
        let message = Message::decode(&self.metadata)?;
        let batch = message.batch(self.columns.len())?;
        let (times, values) = (batch.block(0)?.start, batch.block(column)?.start);
        let mut done = 0;
        while done < chunk.rows {
            let rows = (chunk.rows - done).min(PORTION as u64) as usize;
            for (start, numbers) in [(times, &mut *t), (values, &mut *x)] {
                let at = chunk.body + start as u64 + 8 * done;
                numbers_at(&mut self.file, at, rows, numbers)?;
            }
            each(t, x);
            done += rows as u64;
        }
        Ok(())
    }

    /// Reads bytes of the file into `metadata`.
    fn take(&mut self, at: u64, size: u64) -> Result<(), MessageStop> {
        let there = self.file.metadata()?.len();
        if at.checked_add(size).is_none_or(|end| end > there) {
            return Err(MessageStop::Cut);
        }
        self.metadata.resize(size as usize, 0);
        let _ = self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut self.metadata)?;
        Ok(())
    }

    /// Reads the metadata of the next message. Returns the offset of its body, or `None` at the end mark.
    fn message(&mut self) -> Result<Option<u64>, MessageStop> {
        self.take(self.next, PREFIX as u64)?;
        if self.metadata[..4] != END[..4] {
            return Err(MessageStop::Bad("a message has no valid start"));
        }
        let size: [u8; 4] = std::array::from_fn(|k| self.metadata[4 + k]);
        let size = u32::from_le_bytes(size);
        if size == 0 {
            return Ok(None);
        }
        if size as usize > MAX_METADATA {
            return Err(MessageStop::Bad(
                "a message has metadata of more than 64 MiB",
            ));
        }
        let start = self.next + PREFIX as u64;
        self.take(start, u64::from(size))?;
        Ok(Some(start + u64::from(size)))
    }

    fn schema(&mut self) -> Result<(), MessageStop> {
        let body = self
            .message()?
            .ok_or("it ends before its header is complete")?;
        let message = Message::decode(&self.metadata)?;
        let schema = message.schema()?;
        if schema.format.is_some_and(|format| format > FORMAT) {
            return Err(MessageStop::Bad("it was written by a newer biela"));
        }
        let body_len = message.body_len;
        self.next = body.checked_add(body_len).ok_or("a message is too long")?;
        self.columns = schema.columns;
        Ok(())
    }

    fn chunk(&mut self) -> Result<Option<Chunk>, MessageStop> {
        let Some(body) = self.message()? else {
            return Ok(None);
        };
        let message = Message::decode(&self.metadata)?;
        let batch = message.batch(self.columns.len())?;
        let end = body
            .checked_add(message.body_len)
            .ok_or("a message is too long")?;
        if end > self.file.metadata()?.len() {
            return Err(MessageStop::Cut);
        }
        let (rows, times) = (batch.rows, batch.block(0)?.start as u64);
        let metadata = self.next + PREFIX as u64;
        let mut time = |row: u64| -> Result<f64, MessageStop> {
            let mut one = Vec::new();
            numbers_at(&mut self.file, body + times + 8 * row, 1, &mut one)?;
            Ok(one[0])
        };
        let times = match rows {
            0 => (f64::INFINITY, f64::NEG_INFINITY),
            rows => (time(0)?, time(rows - 1)?),
        };
        self.next = end;
        Ok(Some(Chunk {
            metadata,
            body,
            rows,
            times,
        }))
    }

    fn told(&self, outcome: Result<(), MessageStop>) -> Result<(), RecordError> {
        let problem = match outcome {
            Ok(()) => return Ok(()),
            Err(MessageStop::Io(error)) => {
                return Err(error).context(&self.path, "read the results");
            }
            Err(MessageStop::Cut) => "it is truncated",
            Err(MessageStop::Bad(problem)) => problem,
        };
        Err(RecordError::Data {
            path: self.path.clone(),
            problem: problem.into(),
        })
    }
}

/// Reads `count` values.
fn numbers_at(file: &mut File, at: u64, count: usize, out: &mut Vec<f64>) -> io::Result<()> {
    let mut bytes = [0; 8 * PORTION];
    let bytes = &mut bytes[..8 * count];
    let _ = file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)?;
    out.clear();
    let (numbers, _) = bytes.as_chunks();
    out.extend(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, Results, RunOutcome, RunStatus, Writer, WriterOptions};

    fn written(dir: &Path, rows: u32, finish: bool) {
        let columns = ["x", "y"]
            .map(|name| RecordedColumn::new(name, "m", ""))
            .to_vec();
        let header = Header {
            columns,
            ..Header::default()
        };
        let mut writer = Writer::create(dir, &header, WriterOptions::default()).unwrap();
        for i in 0..rows {
            let t = f64::from(i);
            writer.push(t, &[t.sin(), t * t]).unwrap();
        }
        if finish {
            let _ = writer.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
        }
    }

    fn all(browser: &mut Browser, column: usize, times: (f64, f64)) -> (Vec<f64>, Vec<f64>) {
        let (mut t, mut x) = (Vec::new(), Vec::new());
        let each = &mut |a: &[f64], b: &[f64]| {
            t.extend_from_slice(a);
            x.extend_from_slice(b);
        };
        browser.read(column, times, each).unwrap();
        (t, x)
    }

    #[test]
    fn a_signal_is_the_same_as_in_the_whole_results() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("r");
        written(&dir, 20_000, true);
        let results = Results::open(&dir).unwrap();
        let mut browser = Browser::open(&dir).unwrap();
        assert_eq!(browser.rows(), results.rows());
        assert_eq!(browser.columns(), results.columns());
        assert_eq!(browser.times(), Some((0.0, 19_999.0)));
        for column in 0..3 {
            let (t, x) = all(&mut browser, column, (f64::NEG_INFINITY, f64::INFINITY));
            assert_eq!(t, results.column("time").unwrap());
            assert_eq!(x, results.series(column).unwrap());
        }
    }

    #[test]
    fn only_the_chunks_of_the_times_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("r");
        written(&dir, 20_000, true);
        let (t, _) = all(&mut Browser::open(&dir).unwrap(), 1, (10_000.0, 10_010.0));
        assert!(t[0] <= 10_000.0 && t[t.len() - 1] >= 10_010.0);
        assert!(t.len() <= 2 * 4096, "{}", t.len());
    }

    #[test]
    fn a_truncated_file_gives_its_complete_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("r");
        written(&dir, 300, true);
        let bytes = std::fs::read(dir.join(DATA_FILE)).unwrap();
        for cut in (0..bytes.len()).step_by(97) {
            std::fs::write(dir.join(DATA_FILE), &bytes[..cut]).unwrap();
            let whole = Results::from_bytes(&bytes[..cut]).map_or(0, |r| r.rows());
            match Browser::open(&dir) {
                Ok(browser) => assert_eq!(browser.rows(), whole, "cut at {cut}"),
                Err(_) => assert_eq!(whole, 0, "cut at {cut}"),
            }
        }
    }

    #[test]
    fn damaged_bytes_are_reported_or_skipped_without_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("r");
        written(&dir, 70, true);
        let bytes = std::fs::read(dir.join(DATA_FILE)).unwrap();
        for at in (0..bytes.len().min(3000)).step_by(11) {
            let mut bad = bytes.clone();
            bad[at] ^= 0x81;
            std::fs::write(dir.join(DATA_FILE), &bad).unwrap();
            if let Ok(mut browser) = Browser::open(&dir) {
                for column in 0..browser.columns().len() {
                    let _ = browser.read(column, (0.0, 100.0), &mut |_, _| {});
                }
            }
        }
    }
}
