//! The motion file: the positions of all objects at every output time, in single precision.
//!
//! ```text
//! file   = header (32 bytes), frame …                          little-endian
//! header = "biela-mo" | u32 version | u32 numbers in a frame | u64 rows of the results in a frame | u64 zero
//! frame  = f64 time | f32 × numbers
//! ```
//!
//! Frames have a fixed size, so that the k-th is found without reading those before it, and a file that is still being written is read up to its last complete
//! frame.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use biela_files::Checksum;

/// Name of the motion in a results folder.
pub const MOTION_FILE: &str = "motion.bin";
const MAGIC: &[u8; 8] = b"biela-mo";
const VERSION: u32 = 1;
const HEADER: u64 = 32;
/// The maximum number of values in a frame of a valid motion file.
const MOST_NUMBERS: u32 = 16 << 20;
const BUFFER: usize = 256 << 10;

/// An error while reading a motion.
pub struct MotionError {
    path: PathBuf,
    problem: String,
}

impl std::fmt::Display for MotionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::fmt::Debug for MotionError {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for MotionError {}

/// The size in bytes of a frame with this number of values.
pub(crate) fn record(numbers: usize) -> u64 {
    8 + 4 * numbers as u64
}

fn header(numbers: usize, stride: u64) -> io::Result<[u8; HEADER as usize]> {
    let size = u32::try_from(numbers).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut header = [0; HEADER as usize];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&size.to_le_bytes());
    header[16..24].copy_from_slice(&stride.to_le_bytes());
    Ok(header)
}

/// Writes a motion, frame by frame.
#[derive(Debug)]
pub struct MotionWriter {
    to: BufWriter<File>,
    numbers: usize,
    stride: u64,
    rows: u64,
    frames: u64,
    bytes: Vec<u8>,
    /// The checksum of the file including the buffered data.
    sum: Checksum,
}

impl MotionWriter {
    /// Creates a motion with frames of `numbers` values, one for every `stride` rows of the results.
    pub fn create(dir: &Path, numbers: usize, stride: u64) -> io::Result<Self> {
        let stride = stride.max(1);
        let path = dir.join(MOTION_FILE);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut to = BufWriter::with_capacity(BUFFER, biela_files::create_new(&path)?);
        let header = header(numbers, stride)?;
        to.write_all(&header)?;
        let mut sum = Checksum::default();
        sum.update(&header);
        Ok(Self::at(to, numbers, stride, 0, sum))
    }

    /// Resumes a motion after the frames of a number of rows; later ones are truncated. `sum` is the checksum of the file up to there.
    pub fn resume(
        dir: &Path,
        numbers: usize,
        stride: u64,
        rows: u64,
        sum: Checksum,
    ) -> io::Result<Self> {
        let stride = stride.max(1);
        let mut options = File::options();
        let _ = options.read(true).write(true);
        let mut file = biela_files::open_own(&dir.join(MOTION_FILE), &mut options)?;
        let mut found = [0; HEADER as usize];
        file.read_exact(&mut found)?;
        if found != header(numbers, stride)? {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it belongs to another run",
            ));
        }
        let there = file.metadata()?.len().saturating_sub(HEADER) / record(numbers);
        let wanted = rows.div_ceil(stride);
        if there < wanted {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("it has {there} frames; at the checkpoint it had {wanted}"),
            ));
        }
        let length = HEADER + wanted * record(numbers);
        if sum.bytes() != length {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "the checkpoint records {} bytes for {wanted} frames, which take {length} bytes",
                    sum.bytes()
                ),
            ));
        }
        file.set_len(length)?;
        let _ = file.seek(SeekFrom::End(0))?;
        let to = BufWriter::with_capacity(BUFFER, file);
        Ok(Self::at(to, numbers, stride, rows, sum))
    }

    fn at(to: BufWriter<File>, numbers: usize, stride: u64, rows: u64, sum: Checksum) -> Self {
        Self {
            to,
            numbers,
            stride,
            rows,
            frames: rows.div_ceil(stride),
            bytes: Vec::with_capacity(record(numbers) as usize),
            sum,
        }
    }

    /// The number of rows per frame with which a motion of `rows` rows stays below `most` bytes.
    pub fn stride(numbers: usize, rows: u64, most: u64) -> u64 {
        let fit = (most.saturating_sub(HEADER) / record(numbers)).max(1);
        rows.div_ceil(fit).max(1)
    }

    /// Returns `true` if the next row of the results has a frame.
    pub fn is_due(&self) -> bool {
        self.rows.is_multiple_of(self.stride)
    }

    /// Skips a row of the results without a frame.
    pub fn skip(&mut self) {
        self.rows += 1;
    }

    /// Writes the frame of a row.
    pub fn push(&mut self, time: f64, frame: &[f32]) -> io::Result<()> {
        if frame.len() != self.numbers {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.rows += 1;
        self.bytes.clear();
        self.bytes.extend(time.to_le_bytes());
        for x in frame {
            self.bytes.extend(x.to_le_bytes());
        }
        self.to.write_all(&self.bytes)?;
        self.sum.update(&self.bytes);
        self.frames += 1;
        Ok(())
    }

    /// Makes all frames so far visible to readers.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    /// Synchronizes all frames so far to disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.to.flush()?;
        self.to.get_ref().sync_all()
    }

    /// The checksum of the file after all frames so far are written.
    pub fn checksum(&self) -> &Checksum {
        &self.sum
    }

    /// The number of frames written.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The number of rows of the results per frame.
    pub fn rows_in_frame(&self) -> u64 {
        self.stride
    }

    /// The current size of the file in bytes.
    pub fn size(&self) -> u64 {
        HEADER + self.frames * record(self.numbers)
    }
}

/// Reads frames of a motion by their index, also while it is being written.
#[derive(Debug)]
pub struct MotionReader {
    file: Mutex<File>,
    path: PathBuf,
    numbers: usize,
    stride: u64,
}

impl MotionReader {
    /// Opens the motion of a results folder; `None` if there is none.
    pub fn open(dir: &Path) -> Result<Option<Self>, MotionError> {
        let path = dir.join(MOTION_FILE);
        let fail = |problem: String| MotionError {
            path: path.clone(),
            problem,
        };
        // checked before opening, because opening a pipe blocks until its other end is opened
        match std::fs::metadata(&path) {
            Ok(about) if about.is_file() => {}
            Ok(_) => return Err(fail("not a regular file".to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fail(error.to_string())),
        }
        let mut file = File::open(&path).map_err(|error| fail(error.to_string()))?;
        let mut header = [0; HEADER as usize];
        file.read_exact(&mut header)
            .map_err(|_| fail("it ends before its header is complete".to_owned()))?;
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        if header[..8] != MAGIC[..] {
            return Err(fail("not a motion file of biela".to_owned()));
        }
        if word(8) != VERSION {
            return Err(fail(format!(
                "the motion has version {}; this biela reads version {VERSION}",
                word(8)
            )));
        }
        if word(12) > MOST_NUMBERS {
            return Err(fail(format!(
                "a frame of {} values exceeds the limit",
                word(12)
            )));
        }
        Ok(Some(Self {
            numbers: word(12) as usize,
            stride: u64::from(word(16)) | u64::from(word(20)) << 32,
            file: Mutex::new(file),
            path,
        }))
    }

    /// The number of values in a frame.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// The number of rows of the results per frame.
    pub fn rows_in_frame(&self) -> u64 {
        self.stride
    }

    /// The current number of complete frames in the file.
    pub fn frames(&self) -> u64 {
        let bytes = std::fs::metadata(&self.path).map_or(0, |about| about.len());
        bytes.saturating_sub(HEADER) / record(self.numbers)
    }

    /// Returns the bytes of up to `count` frames, every `every`-th from index `from` on.
    pub fn read(&self, from: u64, count: u64, every: u64) -> io::Result<Vec<u8>> {
        let (size, every) = (record(self.numbers), every.max(1));
        let there = self.frames().saturating_sub(from).div_ceil(every);
        let count = count.min(there);
        let mut bytes = vec![0; (count * size) as usize];
        let mut file = self.file.lock().map_err(|_| io::ErrorKind::Other)?;
        let block = if every == 1 {
            bytes.len()
        } else {
            size as usize
        };
        for (k, block) in bytes.chunks_exact_mut(block.max(1)).enumerate() {
            let frame = from + k as u64 * every;
            let _ = file.seek(SeekFrom::Start(HEADER + frame * size))?;
            file.read_exact(block)?;
        }
        Ok(bytes)
    }

    /// Time of a frame.
    pub fn time(&self, frame: u64) -> io::Result<Option<f64>> {
        if frame >= self.frames() {
            return Ok(None);
        }
        let mut bytes = [0; 8];
        let mut file = self.file.lock().map_err(|_| io::ErrorKind::Other)?;
        let _ = file.seek(SeekFrom::Start(HEADER + frame * record(self.numbers)))?;
        file.read_exact(&mut bytes)?;
        Ok(Some(f64::from_le_bytes(bytes)))
    }
}
