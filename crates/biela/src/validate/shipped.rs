//! The built-in cases, and those in a user's folders.

use std::path::{Path, PathBuf};

use biela_model::case::{FILE, ValidationCase};
use biela_model::document::{DiskLoader, DocumentLimits, LoadError, Loader};

use crate::{ModelError, ModelReport};

/// Paths in the repository and texts, embedded by the build script.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// A case and its files.
#[derive(Debug)]
pub struct ShippedCase {
    /// The case.
    pub case: ValidationCase,
    pub(super) files: CaseFiles,
}

/// The location of the files of a case.
#[derive(Debug)]
pub(super) enum CaseFiles {
    /// Embedded in the program, below this path.
    Shipped(String),
    /// In a folder.
    Folder(DiskLoader),
}

impl Loader for CaseFiles {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        let shipped = |path: &str| {
            let found = FILES.iter().find(|(known, _)| *known == path);
            found.map(|(_, text)| (*text).to_owned())
        };
        // models of the gallery always come from the program
        if path.starts_with("examples/") {
            return shipped(path).ok_or(LoadError::NotFound);
        }
        match self {
            Self::Shipped(folder) => {
                shipped(&format!("{folder}/{path}")).ok_or(LoadError::NotFound)
            }
            Self::Folder(folder) => folder.load(path),
        }
    }
}

impl ShippedCase {
    fn new(place: &str, files: CaseFiles) -> Result<Self, ModelError> {
        let case = ValidationCase::read(place, &files).map_err(|unread| {
            ModelError(ModelReport {
                sources: unread.sources,
                diagnostics: unread.diagnostics,
            })
        })?;
        Ok(Self { case, files })
    }

    /// Returns a built-in case.
    pub fn shipped(name: &str) -> Result<Self, ModelError> {
        let place = format!("validation/{name}");
        Self::new(&place, CaseFiles::Shipped(place.clone()))
    }

    /// Loads the case in a folder.
    pub fn in_folder(folder: &Path) -> Result<Self, ModelError> {
        let place = folder.to_string_lossy();
        let files = DiskLoader::new(PathBuf::from(folder), &DocumentLimits::default());
        Self::new(place.trim_end_matches('/'), CaseFiles::Folder(files))
    }
}

/// The names of all built-in cases, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| {
        let (folder, file) = path.strip_prefix("validation/")?.split_once('/')?;
        (file == FILE).then_some(folder)
    })
}
