//! Models of MuJoCo: invalid files produce the reports next to them, and nothing makes the reader panic.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use biela_core::math::Random;
use biela_model::diagnostic::{ReportStyle, Severity};
use biela_model::import::Imported;
use biela_model::import::mjcf::{AssetFolder, MjcfOptions, NoFolder, import};

struct Beside(PathBuf);

impl AssetFolder for Beside {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        fs::read(self.0.join(path)).map_err(|_| "there is no such file".to_owned())
    }
}

fn bad() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-mjcf")
}

fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(bad()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "xml"));
    paths.sort();
    paths
}

fn read(path: &Path) -> Imported {
    let name = path.file_name().unwrap().to_string_lossy();
    let text = fs::read_to_string(path).unwrap();
    import(&name, &text, &Beside(bad()), &MjcfOptions::default())
}

fn said(imported: &Imported) -> String {
    imported
        .diagnostics
        .render(&imported.sources, ReportStyle::Plain)
}

/// The text of a model inside `<mujoco>`.
fn text(inside: &str, options: &MjcfOptions) -> String {
    let xml = format!("<mujoco>{inside}</mujoco>");
    let imported = import("model.xml", &xml, &NoFolder, options);
    let report = said(&imported);
    assert!(imported.text.is_some(), "{report}");
    imported.text.unwrap()
}

#[test]
fn bad_files_give_the_golden_reports() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let paths = files();
    assert!(paths.len() >= 10);
    let mut wrong = Vec::new();
    for path in paths {
        let imported = read(&path);
        assert_eq!(imported.text.is_none(), imported.diagnostics.has_errors());
        let report = said(&imported);
        let golden = path.with_extension("txt");
        if update {
            fs::write(&golden, &report).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != report {
            wrong.push(format!("{}\n{report}", path.display()));
        }
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "UPDATE_GOLDEN=1 rewrites\n{wrong}");
}

#[test]
fn every_problem_names_its_line_and_column() {
    for path in files() {
        for problem in read(&path).diagnostics.sorted() {
            let placed = problem.primary.is_some();
            assert!(placed, "{}: {}", path.display(), problem.message);
        }
    }
}

#[test]
fn a_keyframe_is_the_initial_state_of_the_model() {
    let model = r#"<worldbody>
        <body name="a" pos="1 0 0"><joint name="j" axis="1 0 0" ref="90"/><geom size="1"/></body>
        <body name="b"><freejoint name="f"/><geom size="1"/></body>
        <body name="c"><joint name="s" type="ball"/><geom size="1"/></body></worldbody>
        <keyframe><key name="home" qpos="0.5 1 2 3 0 0 0 2 0.6 0.8 0 0" qvel="3 1 2 3 0.1 0.2 0.3 0 0 2"/></keyframe>"#;
    let placed = text(model, &MjcfOptions::default());
    assert!(placed.contains("initial = { angle = 1.570796"), "{placed}");
    let keyframe = |wanted: &str| MjcfOptions {
        keyframe: Some(wanted.to_owned()),
    };
    for wanted in ["home", "0"] {
        let started = text(model, &keyframe(wanted));
        assert!(started.contains("initial = { angle = 0.5, rate = 3 }"));
        assert!(started.contains("position = [1, 2, 3]\nrotation = { axis = [0, 0, 1]"));
        assert!(started.contains("velocity = [1, 2, 3]\nomega = [-0.1, -0.2, 0.3]"));
        assert!(
            started.contains("initial = { alpha = 1.854590436003224"),
            "{started}"
        );
    }
    let xml = format!("<mujoco>{model}</mujoco>");
    let missing = import("model.xml", &xml, &NoFolder, &keyframe("hom"));
    assert!(said(&missing).contains("did you mean `home`?"));
}

#[test]
fn a_body_with_several_joints_becomes_a_chain_of_bodies_whose_last_has_the_mass() {
    let made = import(
        "model.xml",
        r#"<mujoco><worldbody><body name="b"><joint name="x" type="slide" axis="1 0 0"/><joint name="y"/>
        <geom size="0.1"/></body></worldbody></mujoco>"#,
        &NoFolder,
        &MjcfOptions::default(),
    );
    let text = made.text.unwrap_or_default();
    assert!(text.contains("name = \"b_x\"\nmass = 0"), "{text}");
    assert!(text.contains("between = [\"ground\", \"b_x\"]\naxis = [1, 0, 0]"));
    assert!(text.contains("between = [\"b_x\", \"b\"]"));
}

#[test]
fn reading_a_mutated_file_never_panics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../biela/tests/mjcf");
    let names = ["joints.xml", "classes.xml", "loops.xml", "meshes.xml"];
    let words = [
        "nan",
        "-1",
        "0",
        "1e308",
        "1e-320",
        "\"",
        "<",
        "/>",
        "</body>",
        "<body>",
        "true",
        "free",
        "ball",
        "mesh",
        "plane",
        "fromto=\"0 0 0 0 0 0\"",
        "class=\"foot\"",
        "é",
        "&amp;",
        "include",
    ];
    let mut random = Random::new(3);
    let mut pick = |count: usize| (random.between(0.0, count as f64) as usize).min(count - 1);
    for name in names {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let marks: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for _ in 0..60 {
            let mut changed = text.clone();
            for _ in 0..=pick(3) {
                let mut ends = [marks[pick(marks.len())], marks[pick(marks.len())]];
                ends.sort_unstable();
                let near = ends[0] + (ends[1] - ends[0]).min(pick(30));
                if changed.is_char_boundary(ends[0])
                    && changed.is_char_boundary(near)
                    && near <= changed.len()
                {
                    changed.replace_range(ends[0]..near, words[pick(words.len())]);
                }
            }
            let imported = import(
                name,
                &changed,
                &Beside(folder.clone()),
                &MjcfOptions::default(),
            );
            let errors = imported.diagnostics.sorted();
            let errors = errors
                .iter()
                .filter(|p| p.severity == Severity::Error)
                .count();
            assert_eq!(imported.text.is_none(), errors > 0, "{changed}");
            let _ = said(&imported);
        }
    }
}

#[test]
fn a_mass_at_a_huge_distance_is_reported_without_delay() {
    let xml = r#"<mujoco><worldbody><body name="wrist"><joint name="ball" type="ball"/>
<inertial pos="0 42949672960.1 0" mass="0.5" diaginertia="0.02 0.03 0.025"/>
<body name="cup" pos="0 0.2 0"><joint name="slide" type="slide" axis="1 0 0"/><joint name="spin" type="ball"/>
<geom type="sphere" size="0.05"/></body></body></worldbody></mujoco>"#;
    let imported = import("far.xml", xml, &NoFolder, &MjcfOptions::default());
    assert!(imported.text.is_none());
    let report = said(&imported);
    assert!(report.contains("has zero inertia"), "{report}");
}
