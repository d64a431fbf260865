use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A folder that a process writes to for a long time. It is held open, so that the process notices when it is moved or deleted meanwhile: files that are open
/// still take what is written, and nobody would find it.
#[derive(Debug)]
pub struct HeldFolder {
    path: PathBuf,
    folder: Option<File>,
}

/// Where a held folder is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// Where it was.
    InPlace,
    /// Elsewhere, at this path where the system says so.
    Moved(Option<PathBuf>),
    /// Deleted.
    Deleted,
}

impl HeldFolder {
    /// Holds a folder.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        // elsewhere a folder with open files in it can be neither moved nor deleted
        let folder = cfg!(unix).then(|| File::open(path)).transpose()?;
        Ok(Self {
            path: path.to_owned(),
            folder,
        })
    }

    /// A path that leads to the folder wherever it is now, where the system has one; else the path where it was. For use, not for messages.
    pub fn anchor(&self) -> PathBuf {
        self.folder
            .as_ref()
            .map(link_to)
            .filter(|anchor| anchor.is_dir())
            .unwrap_or_else(|| self.path.clone())
    }

    /// Where it is now.
    pub fn whereabouts(&self) -> Whereabouts {
        match &self.folder {
            Some(folder) if !is_at(folder, &self.path) => find(folder),
            _ => Whereabouts::InPlace,
        }
    }
}

/// Whether an open file or folder is the one that is found at a path.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(theirs)) => (ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()),
        _ => false,
    }
}

/// Whether an open file is the one that is found at a path: elsewhere an open file cannot be replaced by another of the same name.
#[cfg(not(unix))]
pub fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// The link to an open file that Linux has; there is nothing at this path on other systems.
#[cfg(unix)]
fn link_to(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(not(unix))]
fn link_to(_file: &File) -> PathBuf {
    PathBuf::new()
}

/// Where an open folder is that is not at its path.
#[cfg(unix)]
fn find(folder: &File) -> Whereabouts {
    use std::os::unix::fs::MetadataExt;
    // the link shows the path, with a mark on folders that are deleted
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
    fn a_folder_that_is_moved_replaced_or_deleted_is_found_out() {
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
