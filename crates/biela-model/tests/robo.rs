//! Robot files of the simulator of 1991: their conversion, and diagnostics of invalid ones.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use biela_core::math::{Mat3, Random, Vec3};
use biela_model::diagnostic::ReportStyle;
use biela_model::import::{Imported, robo};
use biela_model::{Overrides, parse};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robo")
}

fn said(imported: &Imported) -> String {
    imported
        .diagnostics
        .render(&imported.sources, ReportStyle::Plain)
}

/// The robot files with their names, in order.
fn files() -> Vec<(String, Vec<u8>)> {
    let paths = fs::read_dir(folder()).unwrap();
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rob"));
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(path).unwrap())
    };
    paths.iter().map(read).collect()
}

#[test]
fn robot_files_give_the_golden_models_or_reports() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let files = files();
    assert!(files.len() >= 8);
    for (name, bytes) in files {
        let imported = robo::import(&name, &bytes, None);
        assert_eq!(imported.text.is_none(), imported.diagnostics.has_errors());
        let found = said(&imported) + imported.text.as_deref().unwrap_or_default();
        let golden = folder().join(&name).with_extension("txt");
        if update {
            fs::write(&golden, &found).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(found, expected, "{name}: UPDATE_GOLDEN=1 rewrites");
    }
}

#[test]
fn second_moments_become_moments_of_inertia() {
    let file = fs::read(folder().join("10-free-format.rob")).unwrap();
    let text = robo::import("arm.rob", &file, None).text.unwrap();
    let loaded = parse("model.toml", &text, &Overrides::default());
    let model = loaded.model.unwrap().model;
    assert_eq!(model.gravity, Vec3::new(0.0, 0.0, -9.8));
    let body = &model.bodies[0].mass;
    let expected = Mat3::new(0.5, -0.01, 0.0, -0.01, 0.4, 0.0, 0.0, 0.0, 0.3);
    assert!((body.inertia - expected).norm() < 1e-15);
    assert_eq!(body.center, Vec3::new(0.0, 0.0, -0.2));
    assert_eq!(model.bodies[1].mass.mass, 2.5);
    let kinds: Vec<_> = model.joints.iter().map(|j| j.joint.info().name).collect();
    assert_eq!(kinds, ["revolute", "prismatic"]);
}

#[test]
fn a_design_model_must_have_as_many_links_as_its_robot() {
    let one = "G 0 0 0 ROBO A NLIGS 1 GEOM ALFA 0 TETA VAR DD 0 LL 0 MIHMOD I 1 J 1 K 1 M 1 XY 0 XZ 0 YZ 0 X 0 Y 0 Z 0";
    let two = fs::read(folder().join("10-free-format.rob")).unwrap();
    let alone = robo::import("a.rob", one.as_bytes(), None);
    assert!(alone.text.is_some());
    let same = robo::import("a.rob", one.as_bytes(), Some(("b.rob", one.as_bytes())));
    assert!(same.text.is_some(), "{}", said(&same));
    let pair = robo::import("a.rob", one.as_bytes(), Some(("b.rob", &two)));
    assert!(pair.text.is_none());
    assert_eq!(
        said(&pair),
        "error[different-robots]: the two robots have 1 and 2 links; a design model must have as many as the robot
 --> a.rob:1:22
  |
1 | G 0 0 0 ROBO A NLIGS 1 GEOM ALFA 0 TETA VAR DD 0 LL 0 MIHMOD I 1 J 1 K 1 M 1 XY 0 XZ 0 YZ 0 X 0 Y 0 Z 0
  |                      ^ here
 ::: b.rob:5:1
  |
5 | 2
  | - and here

1 error; nothing was run
"
    );
}

#[test]
fn reading_any_robot_file_never_panics() {
    let mut random = Random::new(1991);
    for (_, bytes) in files() {
        for _ in 0..200 {
            let mut changed = bytes.clone();
            for _ in 0..=random.below(4) {
                let Some(last) = changed.len().checked_sub(1) else {
                    break;
                };
                let at = random.below(last + 1);
                match random.below(3) {
                    0 => changed[at] = (random.bits() % 256) as u8,
                    1 => drop(changed.remove(at)),
                    _ => changed.truncate(at + 1),
                }
            }
            let imported = robo::import("any.rob", &changed, None);
            assert_eq!(imported.text.is_none(), imported.diagnostics.has_errors());
            let _ = said(&imported);
        }
    }
}
