use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The prefix of the names of temporary files.
pub(crate) const PREFIX: &str = ".biela-";

/// A temporary file next to its target, which it replaces when it is [kept](Draft::keep). If it is dropped before, it is removed.
#[derive(Debug)]
pub struct Draft {
    target: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    Beside(NamedTempFile),
    /// A device or a pipe cannot be replaced by another file.
    Stream(File),
}

impl Draft {
    /// Creates a temporary file. The folder of the target must exist.
    ///
    /// # Errors
    ///
    /// If no file can be created there, or the target is a folder.
    pub fn new(target: &Path) -> io::Result<Self> {
        let to = if is_stream(target) {
            To::Stream(File::options().write(true).open(target)?)
        } else {
            To::Beside(beside(target)?)
        };
        Ok(Draft {
            target: target.to_owned(),
            to,
        })
    }

    /// The path of the temporary file, for a program that writes it.
    pub fn path(&self) -> &Path {
        match &self.to {
            To::Beside(file) => file.path(),
            To::Stream(_) => &self.target,
        }
    }

    /// Replaces the target. With `durable` it waits until the file is synchronized to disk, so that not even a power failure leaves a partial file.
    ///
    /// # Errors
    ///
    /// If it cannot be replaced; the target is then unchanged.
    pub fn keep(self, durable: bool) -> io::Result<()> {
        match self.to {
            To::Stream(mut file) => file.flush(),
            To::Beside(mut file) => {
                file.flush()?;
                if durable {
                    file.as_file().sync_all()?;
                }
                let kept = file.persist(&self.target);
                kept.map(drop).map_err(|refused| refused.error)
            }
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Beside(file) => file.write(bytes),
            To::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Beside(file) => file.flush(),
            To::Stream(file) => file.flush(),
        }
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.to {
            To::Beside(file) => file.seek(to),
            To::Stream(file) => file.seek(to),
        }
    }
}

/// Writes a file atomically; see [`Draft`].
///
/// # Errors
///
/// If it cannot be written; an existing file is then unchanged.
pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::new(target)?;
    draft.write_all(bytes)?;
    draft.keep(false)
}

/// A new file in the folder of the target, with the permissions of the file that it replaces or those of a new file.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let there = fs::symlink_metadata(target).ok();
    if there.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "a folder has this name",
        ));
    }
    let kept = there.filter(fs::Metadata::is_file);
    // a read-only file is not replaced either
    if kept.as_ref().is_some_and(|m| m.permissions().readonly()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if !folder.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("the folder `{}` does not exist", folder.display()),
        ));
    }
    let mut builder = tempfile::Builder::new();
    let _ = builder.prefix(PREFIX).rand_bytes(12);
    // permissions for all, restricted by the umask of the process; on other systems permissions come from the folder
    #[cfg(unix)]
    let _ = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // the temporary name is irrelevant to the user
    let file = builder
        .tempfile_in(folder)
        .map_err(|error| io::Error::from(error.kind()))?;
    if let Some(metadata) = kept {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(file)
}

/// Whether a target is a device or pipe that the user named, such as `/dev/stdout`; a link elsewhere that leads to one is not.
fn is_stream(target: &Path) -> bool {
    let Ok(own) = fs::symlink_metadata(target) else {
        return false;
    };
    let special = |m: &fs::Metadata| !m.is_file() && !m.is_dir() && !m.is_symlink();
    let of_system = target.starts_with("/dev") || target.starts_with("/proc/self/fd");
    special(&own) || (of_system && own.is_symlink())
}
