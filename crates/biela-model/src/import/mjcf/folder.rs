//! Access to included files and meshes.

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum size of a file in bytes.
const MOST_BYTES: u64 = 25_000_000;

/// Access to included files and meshes.
pub trait AssetFolder {
    /// Returns the bytes of a file by its path relative to the folder of the main file, or an error message.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// No files other than the main one.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFolder;

impl AssetFolder for NoFolder {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("only the main file is available".to_owned())
    }
}

/// The files in the main file's folder and below. Paths and links to other locations are rejected, because the file may be untrusted.
#[derive(Clone, Debug)]
pub struct DiskFolder {
    folder: PathBuf,
    root: PathBuf,
}

impl DiskFolder {
    /// Creates the folder for the main file of a model.
    pub fn beside(main: &Path) -> Self {
        let folder = match main.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        DiskFolder {
            root: folder.clone(),
            folder,
        }
    }

    /// Allows all files below `root`.
    #[must_use]
    pub fn within(self, root: &Path) -> Self {
        let root = root.to_owned();
        DiskFolder { root, ..self }
    }
}

impl AssetFolder for DiskFolder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let why = |error: std::io::Error| error.to_string();
        let root = self.root.canonicalize().map_err(why)?;
        let path = self.folder.join(path).canonicalize().map_err(why)?;
        if !path.starts_with(&root) {
            let root = self.root.display();
            return Err(format!(
                "it lies outside `{root}`, the folder of this model"
            ));
        }
        let about = fs::metadata(&path).map_err(why)?;
        if !about.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        if about.len() > MOST_BYTES {
            return Err(format!("it has more than {MOST_BYTES} bytes"));
        }
        fs::read(&path).map_err(why)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_of_the_folder_are_not_read_unless_it_is_widened() {
        let outer = tempfile::tempdir().unwrap();
        let inside = outer.path().join("robot");
        fs::create_dir_all(inside.join("assets")).unwrap();
        fs::write(inside.join("assets/a.stl"), "a").unwrap();
        fs::write(outer.path().join("secret"), "s").unwrap();
        let folder = DiskFolder::beside(&inside.join("robot.xml"));
        assert_eq!(folder.read("assets/a.stl").unwrap(), b"a");
        assert_eq!(folder.read("assets/../assets/a.stl").unwrap(), b"a");
        let secret = outer.path().join("secret").display().to_string();
        for path in ["../secret", "/etc/passwd", secret.as_str()] {
            let refused = folder.read(path).unwrap_err();
            assert!(refused.contains("outside"), "{path}: {refused}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret", inside.join("link")).unwrap();
            assert!(folder.read("link").unwrap_err().contains("outside"));
        }
        let wide = folder.within(outer.path());
        assert_eq!(wide.read("../secret").unwrap(), b"s");
    }
}
