//! Checkpoints: the data needed to resume an incomplete run.
//!
//! ```text
//! checkpoint.bin = "biela-cp" | u32 version | u32 zero | header | files | place | pending | state | notes | SHA-256 of all that
//! header         = u64 bytes | JSON: version of biela, model, options, columns
//! files          = u64 bytes | JSON: name, length and SHA-256 of each result file
//! place … notes  = u64 count | u64 × count                                                        little-endian
//! ```
//!
//! A checkpoint is written under a temporary name after its files are synchronized to disk, and then replaces the previous one atomically. That one is kept as
//! `checkpoint.old.bin`, as a fallback. A run resumes only if its files still have the content that they had at the checkpoint: writers update checksums as
//! they write, and resuming reads the files once to compare.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

use biela_files::Checksum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    DATA_FILE, Header, Kept, Manifest, RecordError, RunStatus,
    error::IoContext,
    folder::FolderLock,
    manifest::{read_limited, remove_if_there},
};

/// Name of the checkpoint in a results folder.
pub const CHECKPOINT_FILE: &str = "checkpoint.bin";
const OLD_FILE: &str = "checkpoint.old.bin";
const TEMPORARY_FILE: &str = "checkpoint.bin.tmp";
const MAGIC: &[u8; 8] = b"biela-cp";
const VERSION: u32 = 2;
/// The maximum size of a checkpoint, for writing and reading.
const MAX_BYTES: u64 = 1 << 30;

/// The content of a result file at a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    /// Name in the results folder, with `/` between folder and file.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of these bytes in hexadecimal.
    pub sha256: String,
    /// Set if the file was complete. Other files grow, and data written after the checkpoint are truncated.
    pub complete: bool,
}

impl FileMark {
    /// The mark of a growing file.
    pub fn growing(name: &str, sum: &Checksum) -> Self {
        Self {
            name: name.to_owned(),
            bytes: sum.bytes(),
            sha256: sum.to_string(),
            complete: false,
        }
    }

    /// The mark of a complete file in a results folder.
    pub fn complete(dir: &Path, name: &str) -> io::Result<Self> {
        let sum = Checksum::of_start(&dir.join(name), u64::MAX)?;
        Ok(Self {
            complete: true,
            ..Self::growing(name, &sum)
        })
    }

    /// The checksum of the marked bytes of a file in a folder, or the reason why the file differs.
    fn verify(&self, dir: &Path) -> Result<Checksum, String> {
        let mut parts = Path::new(&self.name).components();
        if !parts.all(|part| matches!(part, Component::Normal(_))) {
            return Err("its path leaves the results folder".to_owned());
        }
        let limit = if self.complete { u64::MAX } else { self.bytes };
        let sum = Checksum::of_start(&dir.join(&self.name), limit).map_err(|e| e.to_string())?;
        let (is, was) = (sum.bytes(), self.bytes);
        if is != was {
            return Err(format!("it has {is} bytes; at the checkpoint it had {was}"));
        }
        if sum.to_string() != self.sha256 {
            return Err(format!(
                "its first {was} bytes have changed (SHA-256 differs)"
            ));
        }
        Ok(sum)
    }
}

/// The position of a run in its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordPosition {
    /// The rows in the files.
    pub kept: Kept,
    /// The content of the result files.
    pub files: Vec<FileMark>,
    /// Pending rows of an incomplete chunk, concatenated.
    pub pending: Vec<f64>,
}

impl RecordPosition {
    /// The pending rows, each with its time first, of `columns` values each.
    pub fn pending_rows(&self, columns: usize) -> impl Iterator<Item = &[f64]> {
        self.pending.chunks_exact(columns.max(1))
    }

    /// The length of a file; `None` if the run has no such file.
    pub(crate) fn bytes(&self, name: &str) -> Option<u64> {
        let mark = self.files.iter().find(|mark| mark.name == name);
        mark.map(|mark| mark.bytes)
    }
}

/// A snapshot of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// The model and the options.
    pub header: Header,
    /// The time reached, s.
    pub time: f64,
    /// The position in the files.
    pub place: RecordPosition,
    /// The serialized state of the solver.
    pub state: Vec<u64>,
    /// The serialized data recorded in addition to the rows.
    pub notes: Vec<u64>,
}

impl Checkpoint {
    /// Serializes the checkpoint.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let header = serde_json::to_vec(&self.header)?;
        let RecordPosition {
            kept,
            files,
            pending,
        } = &self.place;
        let files = serde_json::to_vec(files)?;
        let place = [
            self.time.to_bits(),
            kept.rows,
            u64::from(kept.last_time.is_some()),
            kept.last_time.unwrap_or(0.0).to_bits(),
        ];
        let words = place.len() + pending.len() + self.state.len() + self.notes.len();
        let mut file = Vec::with_capacity(100 + header.len() + files.len() + 8 * words);
        file.extend(MAGIC);
        file.extend(VERSION.to_le_bytes());
        file.extend([0; 4]);
        for text in [header, files] {
            file.extend((text.len() as u64).to_le_bytes());
            file.extend(text);
        }
        put(&mut file, place.len(), place.into_iter());
        put(
            &mut file,
            pending.len(),
            pending.iter().map(|x| x.to_bits()),
        );
        put(&mut file, self.state.len(), self.state.iter().copied());
        put(&mut file, self.notes.len(), self.notes.iter().copied());
        let sum = Sha256::digest(&file);
        file.extend_from_slice(&sum);
        Ok(file)
    }

    /// Deserializes a checkpoint, or returns an error message. Accepts any bytes, and uses only a small multiple of their size in memory.
    ///
    /// ```
    /// use biela_record::Checkpoint;
    ///
    /// let kept = Checkpoint { time: 0.1, state: vec![7], ..Checkpoint::default() };
    /// let mut bytes = kept.to_bytes()?;
    /// assert_eq!(Checkpoint::read(&bytes), Ok(kept));
    /// bytes[20] ^= 1;
    /// assert!(Checkpoint::read(&bytes).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut left = Bytes(bytes);
        if left.take(8)? != MAGIC {
            return Err("not a checkpoint of biela".to_owned());
        }
        let version = left.take(8)?;
        let version = u32::from_le_bytes([version[0], version[1], version[2], version[3]]);
        if version != VERSION {
            return Err(format!(
                "it has version {version}; this biela reads version {VERSION}"
            ));
        }
        let (body, sum) = bytes
            .split_last_chunk::<32>()
            .filter(|(body, _)| body.len() >= 16)
            .ok_or_else(cut_off)?;
        if Sha256::digest(body)[..] != sum[..] {
            return Err("its checksum is wrong: it is damaged or truncated".to_owned());
        }
        left = Bytes(&body[16..]);
        let header = left.json("header")?;
        let files = left.json("list of files")?;
        let [place, pending, state, notes] =
            [left.list()?, left.list()?, left.list()?, left.list()?];
        let [time, rows, has_last, last] = place[..] else {
            return Err("its list of times and rows has another length".to_owned());
        };
        if !left.0.is_empty() {
            return Err("trailing bytes after the end".to_owned());
        }
        Ok(Self {
            header,
            time: f64::from_bits(time),
            place: RecordPosition {
                kept: Kept {
                    rows,
                    last_time: (has_last != 0).then_some(f64::from_bits(last)),
                },
                files,
                pending: pending.into_iter().map(f64::from_bits).collect(),
            },
            state,
            notes,
        })
    }

    /// Writes the checkpoint to a results folder, where it replaces an earlier one atomically. `shown` is the folder in messages.
    pub(crate) fn save(&self, dir: &Path, shown: &Path) -> Result<(), RecordError> {
        let path = dir.join(CHECKPOINT_FILE);
        let temporary = dir.join(TEMPORARY_FILE);
        let write = || -> io::Result<()> {
            let bytes = self.to_bytes()?;
            if bytes.len() as u64 > MAX_BYTES {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            remove_if_there(&temporary)?;
            let mut file = File::create_new(&temporary)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            match fs::rename(&path, dir.join(OLD_FILE)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            fs::rename(&temporary, &path)
        };
        let written = write();
        if written.is_err() {
            // the first failure is the one to report
            let _ = fs::remove_file(&temporary);
        }
        written.context(&shown.join(CHECKPOINT_FILE), "write the checkpoint")?;
        sync_folder(dir);
        Ok(())
    }

    /// Verifies that the files of a folder have the content of this checkpoint. Returns their checksums up to it.
    fn verify(&self, dir: &Path) -> Result<Checksums, RecordError> {
        let place = &self.place;
        let columns = self.header.columns.len() + 1;
        let data = place.bytes(DATA_FILE);
        if !place.pending.len().is_multiple_of(columns)
            || data.is_none_or(|bytes| place.kept.rows > bytes / 8)
        {
            return Err(RecordError::Checkpoint {
                path: dir.join(CHECKPOINT_FILE),
                problem: "its number of rows contradicts the lengths of the files".to_owned(),
            });
        }
        let verified = |mark: &FileMark| match mark.verify(dir) {
            Ok(sum) => Ok((mark.name.clone(), sum)),
            Err(problem) => Err(RecordError::Damaged {
                path: dir.join(&mark.name),
                problem,
                time: self.time,
            }),
        };
        place.files.iter().map(verified).collect()
    }
}

/// Checksums of files by name.
type Checksums = BTreeMap<String, Checksum>;

fn put(file: &mut Vec<u8>, count: usize, words: impl Iterator<Item = u64>) {
    file.extend((count as u64).to_le_bytes());
    for word in words {
        file.extend(word.to_le_bytes());
    }
}

fn cut_off() -> String {
    "unexpected end of file".to_owned()
}

/// The bytes that remain to be read.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], String> {
        let (taken, left) = self.0.split_at_checked(count).ok_or_else(cut_off)?;
        self.0 = left;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u64, String> {
        let (word, left) = self.0.split_first_chunk().ok_or_else(cut_off)?;
        self.0 = left;
        Ok(u64::from_le_bytes(*word))
    }

    fn json<T: for<'d> Deserialize<'d>>(&mut self, what: &str) -> Result<T, String> {
        let count = self.word()?;
        let text = self.take(usize::try_from(count).map_err(|_| cut_off())?)?;
        serde_json::from_slice(text).map_err(|error| format!("its {what}: {error}"))
    }

    fn list(&mut self) -> Result<Vec<u64>, String> {
        let count = self.word()?;
        let bytes = usize::try_from(count).ok().and_then(|n| n.checked_mul(8));
        let bytes = self.take(bytes.ok_or_else(cut_off)?)?;
        let (words, _) = bytes.as_chunks();
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}

/// Synchronizes the directory entries of a folder, if the system supports it.
fn sync_folder(dir: &Path) {
    // if the name is lost in a power failure, the previous checkpoint remains
    let _ = File::open(dir).and_then(|folder| folder.sync_all());
}

/// Removes the checkpoints of a folder.
pub(crate) fn remove(dir: &Path) -> io::Result<()> {
    [CHECKPOINT_FILE, OLD_FILE, TEMPORARY_FILE]
        .iter()
        .try_for_each(|name| remove_if_there(&dir.join(name)))
}

/// A checkpoint whose files are unchanged.
struct LoadedCheckpoint {
    checkpoint: Checkpoint,
    sums: Checksums,
    /// The reason why a later checkpoint cannot be used.
    passed_over: Option<RecordError>,
}

/// Loads the latest usable checkpoint of a folder.
fn load(dir: &Path) -> Result<LoadedCheckpoint, RecordError> {
    let mut passed_over = None;
    for name in [CHECKPOINT_FILE, OLD_FILE] {
        let path = dir.join(name);
        let bytes = match read_limited(&path, MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            read => read.context(&path, "read the checkpoint")?,
        };
        let read = Checkpoint::read(&bytes);
        let verified = read
            .map_err(|problem| RecordError::Checkpoint { path, problem })
            .and_then(|checkpoint| Ok((checkpoint.verify(dir)?, checkpoint)));
        match verified {
            Ok((sums, checkpoint)) => {
                return Ok(LoadedCheckpoint {
                    checkpoint,
                    sums,
                    passed_over,
                });
            }
            Err(problem) => {
                let _ = passed_over.get_or_insert(problem);
            }
        }
    }
    Err(passed_over.unwrap_or_else(|| RecordError::NoCheckpoint {
        path: dir.to_path_buf(),
    }))
}

/// A results folder that is about to be resumed: it is locked and unmodified.
#[derive(Debug)]
pub struct Resuming {
    pub(crate) dir: PathBuf,
    /// The checkpoint to resume from.
    pub checkpoint: Checkpoint,
    /// The reason why a later checkpoint is not used, if there is one.
    pub passed_over: Option<RecordError>,
    pub(crate) lock: FolderLock,
    sums: Checksums,
}

impl Resuming {
    /// Opens the folder of an incomplete run. The run must match `header`, and its files must be unchanged since the checkpoint. If only data after the
    /// previous checkpoint have changed, the run resumes from that one.
    pub fn open(dir: &Path, header: &Header) -> Result<Self, RecordError> {
        // first without modifying a foreign folder, then again with the folder locked
        unfinished(dir)?;
        let lock = FolderLock::acquire(dir)?;
        unfinished(dir)?;
        let LoadedCheckpoint {
            checkpoint,
            sums,
            passed_over,
        } = load(dir)?;
        let differences = differences(&checkpoint.header, header);
        if !differences.is_empty() {
            return Err(RecordError::OtherRun {
                path: dir.to_path_buf(),
                differences,
            });
        }
        Ok(Self {
            dir: dir.to_path_buf(),
            checkpoint,
            passed_over,
            lock,
            sums,
        })
    }

    /// The checksum of a file up to the checkpoint, to be continued with the file; `None` if the run has no such file.
    pub fn checksum(&self, name: &str) -> Option<Checksum> {
        self.sums.get(name).cloned()
    }
}

/// The time from which the run with this `header` could be resumed in a folder.
pub fn waiting(dir: &Path, header: &Header) -> Option<f64> {
    unfinished(dir).ok()?;
    let LoadedCheckpoint { checkpoint, .. } = load(dir).ok()?;
    differences(&checkpoint.header, header)
        .is_empty()
        .then_some(checkpoint.time)
}

/// Rejects a folder without results, and one whose run is complete.
fn unfinished(dir: &Path) -> Result<(), RecordError> {
    let path = dir.to_path_buf();
    let Some(manifest) = Manifest::load(dir)? else {
        return Err(RecordError::Missing { path });
    };
    let how = match manifest.status {
        RunStatus::Finished => "finished".to_owned(),
        RunStatus::Event { name, .. } => format!("was ended by event `{name}`"),
        RunStatus::Running | RunStatus::Interrupted | RunStatus::Failed { .. } => return Ok(()),
    };
    Err(RecordError::NothingToResume { path, how })
}

/// The differences between two runs, as text.
fn differences(was: &Header, is: &Header) -> Vec<String> {
    let mut list = Vec::new();
    if was.biela != is.biela {
        list.push(format!("biela was {}, is {}", was.biela, is.biela));
    }
    if was.model.digest != is.model.digest {
        let digest = |header: &Header| {
            let digest = header.model.digest.as_deref().unwrap_or("unknown");
            digest.chars().take(12).collect::<String>()
        };
        list.push(format!(
            "the text of the model has changed (SHA-256 was {}…, is {}…)",
            digest(was),
            digest(is)
        ));
    }
    for name in names(&was.options, &is.options) {
        compare(name, was.options.get(name), is.options.get(name), &mut list);
    }
    if list.is_empty() && was.columns != is.columns {
        list.push("the recorded signals differ".to_owned());
    }
    list
}

/// The keys of two objects, each once.
fn names<'m>(
    one: &'m serde_json::Map<String, Value>,
    other: &'m serde_json::Map<String, Value>,
) -> Vec<&'m String> {
    let only_here = other.keys().filter(|name| !one.contains_key(*name));
    one.keys().chain(only_here).collect()
}

fn compare(name: &str, was: Option<&Value>, is: Option<&Value>, list: &mut Vec<String>) {
    if was == is {
        return;
    }
    if let (Some(Value::Object(was)), Some(Value::Object(is))) = (was, is) {
        // a different type has different fields, which add no information
        let kinds = (was.get("type"), is.get("type"));
        if kinds.0 != kinds.1 {
            return compare(name, kinds.0, kinds.1, list);
        }
        for field in names(was, is) {
            compare(
                &format!("{name}.{field}"),
                was.get(field),
                is.get(field),
                list,
            );
        }
        return;
    }
    let text = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "not given".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    list.push(format!("{name} was {}, is {}", text(was), text(is)));
}
