//! Mesh files, which must be in the folder of their model or below.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use biela_core::model::{Model, ShapeKind};
use biela_view::{Scene, scene::ShapeGeometry};

/// The maximum size of a mesh in bytes.
const MOST: u64 = 64 << 20;

/// The folder of meshes in results.
const MESHES: &str = "meshes";

/// Returns the bytes of a mesh by its name in a model or in results, or an error message.
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
        return Err(format!("{file}: outside the folder of the model"));
    }
    let about = std::fs::metadata(&path).map_err(cannot)?;
    if !about.is_file() || about.len() > MOST {
        return Err(format!(
            "{file}: not a regular file of at most {} MiB",
            MOST >> 20
        ));
    }
    std::fs::read(&path).map_err(cannot)
}

/// The meshes of a model that cannot be read from its folder: the body and the reason.
pub fn missing_meshes(model: &Model, folder: &Path) -> Vec<(String, String)> {
    let ground = ("ground", model.ground_shapes.as_slice());
    let bodies = model.bodies.iter();
    let bodies = bodies.map(|body| (body.name.as_str(), body.shapes.as_slice()));
    let mut missing = Vec::new();
    for (body, shapes) in [ground].into_iter().chain(bodies) {
        for shape in shapes {
            if let ShapeKind::Mesh { file, .. } = &shape.kind
                && let Err(why) = read_mesh(folder, file)
            {
                missing.push((body.to_owned(), why));
            }
        }
    }
    missing
}

/// Copies the meshes of a scene from the model's folder to a results folder. Returns the scene with the new names, and these names. An unreadable mesh keeps
/// its name and is not drawn.
pub(super) fn with_meshes(
    scene: &Scene,
    folder: &Path,
    results: &Path,
) -> io::Result<(Scene, Vec<String>)> {
    let mut scene = scene.clone();
    let mut copied: BTreeMap<String, String> = BTreeMap::new();
    let shapes = scene.bodies.iter_mut().flat_map(|body| &mut body.shapes);
    for shape in shapes {
        let ShapeGeometry::Mesh { file, mesh, .. } = &mut shape.form else {
            continue;
        };
        if !copied.contains_key(file)
            && let Ok(bytes) = read_mesh(folder, file)
        {
            let ending = Path::new(file.as_str()).extension();
            let ending = ending.map_or("stl".into(), |e| e.to_string_lossy());
            let name = format!("{MESHES}/{mesh}.{ending}");
            let _ = biela_files::subfolder(results, Path::new(MESHES))?;
            biela_files::write(&results.join(&name), &bytes)?;
            let _ = copied.insert(file.clone(), name);
        }
        if let Some(name) = copied.get(file) {
            file.clone_from(name);
        }
    }
    Ok((scene, copied.into_values().collect()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_the_folder_are_read() {
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
