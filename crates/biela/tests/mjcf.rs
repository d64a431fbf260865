//! Models of MuJoCo beside MuJoCo itself: mass matrices, bias, forces of springs, dampers and actuators, poses of all bodies.
//!
//! The comparison runs when `BIELA_ROBOTS_PYTHON` names a Python with mujoco and gymnasium.
#![allow(clippy::unwrap_used, clippy::panic, non_snake_case)]

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use biela::core::analysis::{Formulation, assemble};
use biela::core::joints::Joint;
use biela::core::math::rotation::{matrix, parameters};
use biela::core::math::{Mat3, Vec3};
use biela::core::model::{JointIndex, Model};
use biela::core::system::{System, SystemKinematics, TreeSystem, Workspace};
use biela::core::tree::{self, Tree};
use biela::model::diagnostic::ReportStyle;
use biela::model::import::mjcf::{self, AssetFolder};
use biela::model::lower::{Overrides, parse};
use serde_json::Value;

/// Files of one folder.
struct Beside(PathBuf);

impl AssetFolder for Beside {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(path)).map_err(|e| e.to_string())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mjcf")
}

/// The output of MuJoCo; `None` if it is not installed.
fn references<T: AsRef<OsStr>>(arguments: &[T]) -> Option<Vec<Value>> {
    let Some(python) = std::env::var_os("BIELA_ROBOTS_PYTHON") else {
        // Past the test harness, which would keep the words of a passing test to itself.
        let note = "skipped: set BIELA_ROBOTS_PYTHON to a Python with mujoco and gymnasium\n";
        std::io::stderr().write_all(note.as_bytes()).unwrap();
        return None;
    };
    let place = tempfile::tempdir().unwrap();
    let output = Command::new(python)
        .arg(folder().join("peers.py"))
        .args(arguments)
        // MuJoCo leaves a log where it runs
        .current_dir(place.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap();
    list.iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The text of a model.
fn text_of(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let beside = Beside(file.parent().unwrap().to_owned());
    let name = file.file_name().unwrap().to_string_lossy();
    let imported = mjcf::import(&name, &text, &beside, &mjcf::MjcfOptions::default());
    let said = imported
        .diagnostics
        .render(&imported.sources, ReportStyle::Plain);
    imported.text.unwrap_or_else(|| panic!("{said}"))
}

/// The model, its parameters for controls set.
fn model_of(text: &str, controls: &[f64]) -> Model {
    let names = text.lines().filter_map(|line| line.strip_suffix(" = 0"));
    let names: Vec<&str> = names.filter(|name| name.starts_with("u_")).collect();
    assert_eq!(
        names.len(),
        controls.len(),
        "every actuator has a parameter"
    );
    let mut overrides = Overrides::default();
    for (name, control) in names.iter().zip(controls) {
        overrides.set(name, &format!("{control}"));
    }
    let loaded = parse("model.toml", text, &overrides);
    let said = loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain);
    loaded.model.unwrap_or_else(|| panic!("{said}")).model
}

/// MuJoCo's joints in the model, in its order: all but welds and those that close loops.
fn moving(model: &Model, count: usize) -> Vec<JointIndex> {
    let moves = |j: &usize| !matches!(model.joints[*j].joint, Joint::Weld(_));
    let joints = (0..model.joints.len()).filter(moves).map(JointIndex);
    joints.take(count).collect()
}

/// The largest difference, as a share of the largest number.
fn apart(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let size = theirs.iter().fold(1e-3_f64, |size, x| size.max(x.abs()));
    let pairs = ours.iter().zip(theirs);
    pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size
}

/// How far a file is from its reference: mass matrix, bias, other forces, poses.
fn compare(reference: &Value) -> [f64; 4] {
    let file = PathBuf::from(reference["file"].as_str().unwrap());
    let text = text_of(&file);
    let kinds = numbers(&reference["joints"]);
    let mut worst = [0.0_f64; 4];
    for case in reference["cases"].as_array().unwrap() {
        let model = model_of(&text, &numbers(&case["ctrl"]));
        let (qpos, qvel) = (numbers(&case["qpos"]), numbers(&case["qvel"]));
        let still = SystemKinematics::new(&model);
        let system = TreeSystem::new(model, &still);
        let model = system.model();
        let joints = moving(model, kinds.len());
        let tree = &Tree::spanning(model);
        let n = tree.velocities;
        assert_eq!(n, qvel.len(), "{}", file.display());
        // velocities: v = T theirs, where T turns the angular velocities of balls and free bodies out of their own axes
        let (mut q, mut v) = (vec![0.0; tree.positions], vec![0.0; n]);
        let mut T = vec![0.0; n * n];
        let (mut from_q, mut from_v) = (0, 0);
        for (kind, joint) in kinds.iter().zip(&joints) {
            let of = |link: &&tree::Link| link.element == Some(*joint);
            let link = tree.links.iter().find(of).unwrap();
            let (positions, freedom) = match *kind as usize {
                0 => (7, 6),
                1 => (4, 3),
                _ => (1, 1),
            };
            assert_eq!(
                (link.positions().len(), freedom),
                (positions, link.shape.freedom())
            );
            q[link.positions()].copy_from_slice(&qpos[from_q..from_q + positions]);
            let turn = if positions == 1 {
                Mat3::identity()
            } else {
                let e = &qpos[from_q + positions - 4..from_q + positions];
                matrix(&[e[0], e[1], e[2], e[3]])
            };
            for k in 0..freedom {
                T[(link.v + k) * n + from_v + k] = 1.0;
            }
            if freedom >= 3 {
                for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
                    let (row, col) = (link.v + freedom - 3 + a, from_v + freedom - 3 + b);
                    T[row * n + col] = turn[(a, b)];
                }
            }
            from_q += positions;
            from_v += freedom;
        }
        for (row, v) in v.iter_mut().enumerate() {
            *v = (0..n).map(|k| T[row * n + k] * qvel[k]).sum();
        }
        let back = |f: &[f64]| -> Vec<f64> {
            (0..n)
                .map(|k| (0..n).map(|row| T[row * n + k] * f[row]).sum())
                .collect()
        };

        let mut ws = tree::TreeWorkspace::new(tree);
        let mut mass = vec![0.0; n * n];
        tree::positions(tree, &mut ws, &q);
        tree::mass(tree, &mut ws, |i, j, x| {
            mass[i * n + j] = x;
            mass[j * n + i] = x;
        });
        // T' M T
        let half: Vec<f64> = (0..n)
            .flat_map(|i| back(&mass[i * n..(i + 1) * n]))
            .collect();
        let whole: Vec<f64> = (0..n)
            .flat_map(|k| back(&(0..n).map(|i| half[i * n + k]).collect::<Vec<_>>()))
            .collect();
        worst[0] = worst[0].max(apart(&whole, &numbers(&case["mass"])));

        let mut bias = vec![0.0; n];
        tree::rnea(tree, &mut ws, &q, &v, &vec![0.0; n], &[], &mut bias);
        worst[1] = worst[1].max(apart(&back(&bias), &numbers(&case["bias"])));

        for (body, joint) in bodies(model, reference, &joints).into_iter().enumerate() {
            let Some(number) = joint else { continue };
            let pose = tree::pose_of(&ws, &tree.places[number]);
            let xpos = &numbers(&case["xpos"])[3 * body..3 * body + 3];
            let e = &numbers(&case["xquat"])[4 * body..4 * body + 4];
            let turn = matrix(&[e[0], e[1], e[2], e[3]]);
            let far = (pose.p - Vec3::from_column_slice(xpos)).norm();
            worst[3] = worst[3].max(far).max((pose.R - turn).norm());
        }

        // springs, dampers, held weight and actuators: f = forces - bias
        let mut ws = Workspace::new(&system);
        let turns = vec![0.0; system.sizes().turns];
        system.update(0.0, &q, &v, &turns, &mut ws.kinematics);
        system.forces(&mut ws).unwrap();
        let applied: Vec<f64> = ws.force.iter().zip(&bias).map(|(f, b)| f + b).collect();
        let both = numbers(&case["passive"]);
        let both: Vec<f64> = both
            .iter()
            .zip(numbers(&case["actuator"]))
            .map(|(p, a)| p + a)
            .collect();
        worst[2] = worst[2].max(apart(&back(&applied), &both));
    }
    worst
}

/// The body of the model for each body of MuJoCo: the one that its last joint moves, or that its weld holds.
fn bodies(model: &Model, reference: &Value, joints: &[JointIndex]) -> Vec<Option<usize>> {
    let counts = numbers(&reference["joints_of_bodies"]);
    let mut next = 0;
    let mut welds = (0..model.joints.len())
        .filter(|j| matches!(model.joints[*j].joint, Joint::Weld(_)))
        .map(|j| model.joints[j].second.0.number());
    let mut all = vec![None];
    for count in counts.iter().skip(1) {
        if *count == 0.0 {
            all.push(welds.next().unwrap());
        } else {
            next += *count as usize;
            all.push(model.joints[joints[next - 1].0].second.0.number());
        }
    }
    all
}

fn agree(references: &[Value]) {
    for reference in references {
        let worst = compare(reference);
        let file = reference["file"].as_str().unwrap();
        assert!(worst.iter().all(|x| *x < 1e-9), "{file}: {worst:?}");
    }
}

#[test]
fn models_with_every_feature_agree_with_mujoco() {
    let names = ["joints.xml", "classes.xml", "meshes.xml"];
    let mut files: Vec<PathBuf> = names.iter().map(|name| folder().join(name)).collect();
    files.push(folder().join("../../../../examples/robots/quadruped-leg/leg.xml"));
    if let Some(references) = references(&files) {
        agree(&references);
    }
}

#[test]
fn published_models_agree_with_mujoco() {
    if let Some(references) = references::<&str>(&[]) {
        assert_eq!(references.len(), 14, "all that gymnasium brings");
        agree(&references);
    }
}

/// Joint positions as MuJoCo has them, after assembly.
fn assembled_positions(text: &str) -> Vec<f64> {
    let assembled = assemble(model_of(text, &[]), Formulation::Tree);
    let assembled = assembled.unwrap_or_else(|e| panic!("{e}"));
    let (system, state) = (&assembled.system, &assembled.state);
    let mut at = SystemKinematics::new(system.model());
    system.update(0.0, &state.q, &state.v, &state.turns, &mut at);
    let model = system.model();
    let mut qpos = Vec::new();
    for joint in moving(model, 6) {
        let rel = &at.joints[joint.0].rel;
        match model.joints[joint.0].joint {
            Joint::Spherical(_) => qpos.extend(parameters(&rel.R)),
            _ => qpos.push(
                model.joints[joint.0]
                    .joint
                    .coordinate(model.space, 0, rel)
                    .phi,
            ),
        }
    }
    qpos
}

#[test]
fn loops_close_as_the_equalities_of_mujoco() {
    let file = folder().join("loops.xml");
    let qpos = assembled_positions(&text_of(&file));
    // locked: q = reference + 0.05; geared: e - 0.1 = 0.3 - 2 f
    assert!((qpos[2] - 0.25).abs() < 1e-9, "{qpos:?}");
    assert!(
        (qpos[7] - 0.1 - (0.3 - 2.0 * qpos[8])).abs() < 1e-9,
        "{qpos:?}"
    );
    assert!(qpos[0].abs() > 1e-3, "the crank has to move");
    let mut arguments = vec!["--equalities".to_owned(), file.display().to_string()];
    arguments.extend(qpos.iter().map(f64::to_string));
    if let Some(residuals) = references(&arguments) {
        assert_eq!(residuals.len(), 3 + 6 + 1 + 1);
        let worst = residuals.iter().map(|x| x.as_f64().unwrap().abs());
        let worst = worst.fold(0.0, f64::max);
        assert!(worst < 1e-9, "{worst}");
    }
}

#[test]
fn the_armature_of_a_free_joint_was_omitted() {
    let xml = |armature: &str| {
        format!(
            "<mujoco><option gravity=\"0 0 -9.81\"/><worldbody><body name=\"b\" pos=\"0 0 1\">\
             <joint name=\"f\" type=\"free\" {armature}/>\
             <inertial pos=\"0.1 -0.2 0.3\" mass=\"2\" fullinertia=\"0.3 0.4 0.5 0.01 0.02 -0.03\"/>\
             </body></worldbody></mujoco>"
        )
    };
    let mass_matrix = |armature: &str| {
        let imported = mjcf::import(
            "a.xml",
            &xml(armature),
            &Beside(folder()),
            &mjcf::MjcfOptions::default(),
        );
        let report = imported
            .diagnostics
            .render(&imported.sources, ReportStyle::Plain);
        assert!(!report.contains("armature"), "{report}");
        let loaded = parse("m.toml", &imported.text.unwrap(), &Overrides::default());
        let model = loaded.model.unwrap().model;
        let tree = Tree::spanning(&model);
        let n = tree.velocities;
        let mut ws = tree::TreeWorkspace::new(&tree);
        tree::positions(&tree, &mut ws, &[0.3, -0.2, 0.7, 0.8, 0.0, 0.6, 0.0]);
        let mut M = vec![0.0; n * n];
        tree::mass(&tree, &mut ws, |i, j, x| M[n * i + j] = x);
        (n, M)
    };
    let (n, plain) = mass_matrix("");
    let (_, heavy) = mass_matrix("armature=\"0.25\"");
    for i in 0..n {
        for j in 0..n {
            let added = heavy[n * i + j] - plain[n * i + j];
            let expected = if i == j { 0.25 } else { 0.0 };
            assert!((added - expected).abs() < 1e-14, "{i} {j}: {added}");
        }
    }
}
