//! Locks of results folders.
//!
//! A run holds an exclusive lock of the operating system on `biela.lock` while it writes. The system releases the lock when the process ends for any reason, so
//! a lock is never stale. The file contains the process identifier only for messages. It is removed when the run ends normally; one left by a killed run does
//! no harm.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use biela_files::{is_at, open_own};

use crate::{
    CSV_FILE, DATA_FILE, LOCK_FILE, RecordError, checkpoint,
    error::IoContext,
    manifest::{Manifest, NEW_FILE, TEMPORARY_FILE, remove_if_there},
};

/// A write lock on a folder, released on drop, or by the system when the process ends.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
}

impl FolderLock {
    /// Acquires the write lock of an existing folder.
    ///
    /// # Errors
    ///
    /// [`RecordError::Locked`] if another process holds it.
    pub fn acquire(dir: &Path) -> Result<Self, RecordError> {
        let path = dir.join(LOCK_FILE);
        loop {
            let mut options = OpenOptions::new();
            let _ = options.read(true).write(true).create(true).truncate(false);
            let file = open_own(&path, &mut options).context(&path, "create the lock file")?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(RecordError::Locked {
                        path: dir.to_path_buf(),
                        process: fs::read_to_string(&path)
                            .ok()
                            .and_then(|text| text.trim().parse().ok()),
                    });
                }
                // Some network file systems do not support locks; the run is more important than the lock.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => {
                    return Err(error).context(&path, "lock the folder");
                }
            }
            // its last holder may have removed it in between
            if is_at(&file, &path) {
                let mut lock = Self { path, file };
                let text = format!("{}\n", std::process::id());
                let written = lock.file.set_len(0);
                let written = written.and_then(|()| lock.file.write_all(text.as_bytes()));
                written.context(&lock.path, "write the lock file")?;
                return Ok(lock);
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A leftover unlocked file does no harm; the file of another run, in a folder that replaced this one, must not be removed.
        if is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Prepares a folder for new results: creates it, or accepts one that contains only earlier results of biela.
pub(crate) fn take(dir: &Path, overwrite: bool) -> Result<FolderLock, RecordError> {
    biela_files::folder(dir).context(dir, "create the folder")?;
    // first without modifying a foreign folder, then again with the folder locked
    check(dir, overwrite)?;
    let lock = FolderLock::acquire(dir)?;
    check(dir, overwrite)?;
    Ok(lock)
}

/// Removes earlier results of biela, and nothing else.
pub(crate) fn clear(dir: &Path) -> Result<(), RecordError> {
    for name in [DATA_FILE, CSV_FILE] {
        let path = dir.join(name);
        remove_if_there(&path).context(&path, "remove earlier results")?;
    }
    checkpoint::remove(dir).context(dir, "remove earlier checkpoints")
}

fn check(dir: &Path, overwrite: bool) -> Result<(), RecordError> {
    if Manifest::is_in(dir) {
        return if overwrite {
            Ok(())
        } else {
            Err(RecordError::Exists {
                path: dir.to_path_buf(),
            })
        };
    }
    for entry in fs::read_dir(dir).context(dir, "list the folder")? {
        let name = entry.context(dir, "list the folder")?.file_name();
        if ![LOCK_FILE, TEMPORARY_FILE, NEW_FILE]
            .iter()
            .any(|own| name == *own)
        {
            return Err(RecordError::Foreign {
                path: dir.to_path_buf(),
                found: name.to_string_lossy().into_owned(),
            });
        }
    }
    Ok(())
}
