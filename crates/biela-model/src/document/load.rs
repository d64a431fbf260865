//! Sources of model texts.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::DocumentLimits;

/// Returns the text of a file by its path relative to the model's folder, with forward slashes and without `..`.
pub trait Loader {
    /// The whole text.
    fn load(&self, path: &str) -> Result<String, LoadError>;
}

/// An error while loading a file.
#[derive(Clone, PartialEq, Eq)]
pub enum LoadError {
    /// There is no such file.
    NotFound,
    /// A folder or a device.
    NotAFile,
    /// A link to a location outside the model's folder.
    Outside,
    /// More bytes than allowed.
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Not UTF-8.
    NotText {
        /// The first bad byte.
        offset: usize,
    },
    /// Another error of the operating system.
    Other(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => write!(f, "there is no such file"),
            Self::NotAFile => write!(f, "it is not a regular file"),
            Self::Outside => write!(f, "it is a symbolic link that leaves the model's folder"),
            Self::TooLarge { limit } => write!(f, "it has more than {limit} bytes"),
            Self::NotText { offset } => {
                write!(f, "it is not UTF-8 text (invalid byte at offset {offset})")
            }
            Self::Other(reason) => write!(f, "{reason}"),
        }
    }
}

biela_core::readable_errors!(LoadError);

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::Other(error.to_string()),
        }
    }
}

/// Reads from disk, inside one folder only.
#[derive(Clone, Debug)]
pub struct DiskLoader {
    folder: PathBuf,
    bytes: usize,
}

impl DiskLoader {
    /// Creates a loader for the folder that contains the model.
    pub fn new(folder: impl Into<PathBuf>, limits: &DocumentLimits) -> Self {
        let folder = folder.into();
        Self {
            folder: if folder.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                folder
            },
            bytes: limits.bytes,
        }
    }

    /// Creates a loader for the folder of a model file. Returns it with the file's name in it.
    pub fn for_model(model: &Path, limits: &DocumentLimits) -> Option<(Self, String)> {
        let name = model.file_name()?.to_str()?.to_owned();
        let folder = model.parent().unwrap_or(Path::new(""));
        Some((Self::new(folder, limits), name))
    }
}

impl Loader for DiskLoader {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        let folder = self.folder.canonicalize()?;
        let path = folder.join(path).canonicalize()?;
        if !path.starts_with(&folder) {
            return Err(LoadError::Outside);
        }
        // Checked before opening, because opening a pipe would block until a writer appears.
        if !path.metadata()?.is_file() {
            return Err(LoadError::NotAFile);
        }
        let mut bytes = Vec::new();
        let most = u64::try_from(self.bytes).unwrap_or(u64::MAX);
        let read = File::open(&path)?
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)?;
        if read > self.bytes {
            return Err(LoadError::TooLarge { limit: self.bytes });
        }
        String::from_utf8(bytes).map_err(|error| LoadError::NotText {
            offset: error.utf8_error().valid_up_to(),
        })
    }
}

/// Texts held in memory, by path.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: BTreeMap<String, String>,
}

impl MemoryLoader {
    /// Creates a loader of the given `(path, text)` pairs.
    pub fn new<P: Into<String>, T: Into<String>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        let files = files
            .into_iter()
            .map(|(path, text)| (path.into(), text.into()));
        Self {
            files: files.collect(),
        }
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        self.files.get(path).cloned().ok_or(LoadError::NotFound)
    }
}
