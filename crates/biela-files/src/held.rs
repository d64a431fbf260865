use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A folder that a process writes to for a long time. It is held open, so that the process detects when it is moved or deleted. Without this, open files would
/// accept data that nobody could find.
#[derive(Debug)]
pub struct HeldFolder {
    path: PathBuf,
    folder: Option<File>,
}

/// The location of a held folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// At its original path.
    InPlace,
    /// Moved to this path, if known.
    Moved(Option<PathBuf>),
    /// Deleted.
    Deleted,
}

impl HeldFolder {
    /// Holds a folder open.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        // on other systems a folder with open files can be neither moved nor deleted
        let folder = cfg!(unix).then(|| File::open(path)).transpose()?;
        Ok(Self {
            path: path.to_owned(),
            folder,
        })
    }

    /// A path to the folder at its current location, if the system provides one; otherwise the original path. For access, not for messages.
    pub fn anchor(&self) -> PathBuf {
        self.folder
            .as_ref()
            .map(link_to)
            .filter(|anchor| anchor.is_dir())
            .unwrap_or_else(|| self.path.clone())
    }

    /// Its current location.
    pub fn whereabouts(&self) -> Whereabouts {
        match &self.folder {
            Some(folder) if !is_at(folder, &self.path) => find(folder),
            _ => Whereabouts::InPlace,
        }
    }
}

/// Returns `true` if an open file or folder is the one at a path.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()),
        _ => false,
    }
}

/// Returns `true` if an open file is the one at a path: on this system an open file cannot be replaced by another of the same name.
#[cfg(not(unix))]
pub fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// The link to an open file on Linux; this path does not exist on other systems.
#[cfg(unix)]
fn link_to(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(not(unix))]
fn link_to(_file: &File) -> PathBuf {
    PathBuf::new()
}

/// The location of an open folder that is not at its path.
#[cfg(unix)]
fn find(folder: &File) -> Whereabouts {
    use std::os::unix::fs::MetadataExt;
    // the link contains the path, with a mark if the folder is deleted
    let shown = fs::read_link(link_to(folder)).ok();
    if let Some(now) = shown.as_ref().filter(|now| is_at(folder, now)) {
        return Whereabouts::Moved(Some(now.clone()));
    }
    let marked = shown.is_some_and(|shown| shown.to_string_lossy().ends_with(" (deleted)"));
    if marked || folder.metadata().is_ok_and(|about| about.nlink() == 0) {
        Whereabouts::Deleted
    } else {
        Whereabouts::Moved(None)
    }
}

#[cfg(not(unix))]
fn find(_folder: &File) -> Whereabouts {
    Whereabouts::InPlace
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_replaced_or_deleted_folder_is_detected() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let (first, second) = (root.join("first"), root.join("second"));
        fs::create_dir(&first).unwrap();
        let held = HeldFolder::open(&first).unwrap();
        assert_eq!(held.whereabouts(), Whereabouts::InPlace);
        fs::rename(&first, &second).unwrap();
        let moved = Whereabouts::Moved(Some(second.clone()));
        assert_eq!(held.whereabouts(), moved);
        fs::create_dir(&first).unwrap();
        fs::write(held.anchor().join("file"), "").unwrap();
        fs::remove_file(second.join("file")).unwrap();
        assert_eq!(held.whereabouts(), moved, "another folder in its place");
        fs::remove_dir(&second).unwrap();
        assert_eq!(held.whereabouts(), Whereabouts::Deleted);
        assert!(fs::write(held.anchor().join("file"), "").is_err());
    }
}
