//! The files of meshes, which lie in the folder of their model or below, as all that a model may read.

use std::path::Path;

/// Bytes of a mesh.
const MOST: u64 = 64 << 20;

/// The bytes of a mesh by its name in a model or in results; why not, for people.
pub fn read_mesh(folder: &Path, file: &str) -> Result<Vec<u8>, String> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let cannot = |error: std::io::Error| format!("{file}: {error}");
    let folder = folder.canonicalize().map_err(cannot)?;
    let path = folder.join(file).canonicalize().map_err(cannot)?;
    if !path.starts_with(&folder) {
        return Err(format!("{file}: outside of the model's folder"));
    }
    let about = std::fs::metadata(&path).map_err(cannot)?;
    if !about.is_file() || about.len() > MOST {
        return Err(format!("{file}: not a file of at most {} MiB", MOST >> 20));
    }
    std::fs::read(&path).map_err(cannot)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_read() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("model");
        std::fs::create_dir_all(folder.join("meshes")).unwrap();
        std::fs::write(folder.join("meshes/a.stl"), "solid").unwrap();
        std::fs::write(outer.path().join("secret.stl"), "no").unwrap();
        assert_eq!(read_mesh(&folder, "meshes/a.stl").unwrap(), b"solid");
        let outside = outer.path().join("secret.stl");
        for file in ["../secret.stl", outside.to_str().unwrap()] {
            let why = read_mesh(&folder, file).unwrap_err();
            assert!(why.contains("outside"), "{why}");
        }
        assert!(read_mesh(&folder, "meshes").is_err());
        assert!(read_mesh(&folder, "none.stl").is_err());
    }
}
