//! Robots in URDF: the command, and every robot of a published collection beside Pinocchio, which reads the same files.
#![allow(clippy::unwrap_used, clippy::panic, non_snake_case)]

mod common;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use biela::core::math::{Mat3, Pose, Vec3};
use biela::core::model::Model;
use biela::core::tree::{self, Tree, TreeLocation, TreeWorkspace};
use biela::model::diagnostic::ReportStyle;
use biela::model::import::urdf;
use biela::model::lower::{Overrides, parse};
use common::Place;
use serde_json::Value;

/// Robots of the collection that are no robots, and what is said of them: the first file is empty, in the second joints follow others that
/// are not there, which Pinocchio passes over.
const REFUSED: [(&str, &str); 2] = [
    ("ur3.urdf", "this robot has no link\n --> ur3.urdf:6:1"),
    (
        "alex_psyonic_hands.urdf",
        "<joint> `Left_index_q2`: there is no joint `index_q1`\n    --> alex_psyonic_hands.urdf:",
    ),
];
/// Largest difference from Pinocchio, relative to the largest entry.
const TOLERANCE: f64 = 1e-9;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What Pinocchio says of every robot; `None` when it is not there.
fn references(out: &Path) -> Option<Vec<Value>> {
    let Some(python) = std::env::var_os("BIELA_ROBOTS_PYTHON") else {
        // Past the test harness, which would keep the words of a passing test to itself.
        let note = "skipped: set BIELA_ROBOTS_PYTHON to a Python with pin and example-robot-data\n";
        std::io::stderr().write_all(note.as_bytes()).unwrap();
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots/urdf_peers.py");
    let output = Command::new(python)
        .arg(script)
        .arg(out)
        .arg(root().join("examples/robots/ur-like/robot.urdf"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = std::fs::read_to_string(out).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

fn numbers(value: &Value) -> Vec<f64> {
    let items = value.as_array().unwrap().iter();
    items.map(|x| x.as_f64().unwrap()).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    let items = value.as_array().unwrap().iter();
    items.map(|x| x.as_str().unwrap()).collect()
}

/// A name as imports write it: the first of these that the model has.
fn candidates(name: &str, word: &str) -> [String; 2] {
    let plain = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let valid: String = name.chars().map(plain).collect();
    let valid = valid.trim_matches('_').to_owned();
    [valid.clone(), format!("{word}_{valid}")]
}

/// An imported robot in joint coordinates.
struct Robot {
    model: Model,
    tree: Tree,
    ws: TreeWorkspace,
}

impl Robot {
    fn new(model: Model) -> Self {
        let tree = Tree::spanning(&model);
        let ws = TreeWorkspace::new(&tree);
        Robot { model, tree, ws }
    }

    /// The coordinate of a joint; `None` where it is held.
    fn coordinate(&self, name: &str) -> Option<usize> {
        let names = candidates(name, "joint");
        let joints = &self.model.joints;
        let index = names
            .iter()
            .find_map(|name| joints.iter().position(|joint| joint.name == *name))?;
        let mut links = self.tree.links.iter();
        let link = links.find(|link| link.element.is_some_and(|j| j.0 == index))?;
        assert!(!link.reversed && link.q == link.v);
        Some(link.q)
    }

    /// Where a link is fixed: it is a body, or a frame of one or of the ground.
    fn place(&self, name: &str) -> TreeLocation {
        for name in candidates(name, "link") {
            if let Some(b) = self.model.bodies.iter().position(|b| b.name == name) {
                return self.tree.places[b];
            }
            if let Some(marker) = self.model.markers.iter().find(|m| m.name == name) {
                let ground = TreeLocation {
                    link: None,
                    pose: Pose::identity(),
                };
                let body = marker.body.number().map_or(ground, |b| self.tree.places[b]);
                return TreeLocation {
                    link: body.link,
                    pose: body.pose.then(&marker.pose),
                };
            }
        }
        panic!("no link {name}")
    }

    /// The mass matrix without armature, all of it.
    fn mass(&mut self, q: &[f64]) -> Vec<Vec<f64>> {
        let n = self.tree.velocities;
        let mut mass = vec![vec![0.0; n]; n];
        tree::crba(&self.tree, &mut self.ws, q, |i, j, value| {
            mass[i][j] = value;
            mass[j][i] = value;
        });
        mass
    }
}

/// The largest difference of two lists over the largest entry of the second.
fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let pairs = found.iter().zip(expected);
    let off = pairs.fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
    if size > 0.0 { off / size } else { off }
}

/// The worst differences of mass matrix, bias and poses in a case.
fn compare(robot: &mut Robot, case: &Value) -> [f64; 3] {
    let joints = case["joints"].as_array().unwrap();
    let n = robot.tree.velocities;
    let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
    let coordinates: Vec<Option<usize>> = joints
        .iter()
        .map(|joint| {
            let k = robot.coordinate(joint[0].as_str().unwrap());
            if let Some(k) = k {
                q[k] = joint[1].as_f64().unwrap();
                v[k] = joint[2].as_f64().unwrap();
            }
            k
        })
        .collect();
    assert_eq!(coordinates.iter().flatten().count(), n, "joints differ");
    let mass = robot.mass(&q);
    let ours: Vec<f64> = coordinates
        .iter()
        .flat_map(|i| coordinates.iter().map(move |j| (*i, *j)))
        // what is held is what nothing resists
        .map(|pair| match pair {
            (Some(i), Some(j)) => mass[i][j],
            _ => 0.0,
        })
        .collect();
    let mass_off = apart(&ours, &numbers(&case["mass"]));
    let mut effort = vec![0.0; n];
    let zeros = vec![0.0; n];
    tree::rnea(&robot.tree, &mut robot.ws, &q, &v, &zeros, &[], &mut effort);
    let ours: Vec<f64> = coordinates
        .iter()
        .map(|k| k.map_or(0.0, |k| effort[k]))
        .collect();
    let bias_off = apart(&ours, &numbers(&case["bias"]));
    let mut pose_off: f64 = 0.0;
    for (name, expected) in case["links"].as_object().unwrap() {
        let found = tree::pose_of(&robot.ws, &robot.place(name));
        let expected = numbers(expected);
        let R = Mat3::from_row_slice(&expected[..9]);
        let p = Vec3::from_column_slice(&expected[9..]);
        let off = (found.R - R)
            .norm()
            .max((found.p - p).norm() / p.norm().max(1.0));
        assert!(off < TOLERANCE, "link {name} is off by {off:e}");
        pose_off = pose_off.max(off);
    }
    [mass_off, bias_off, pose_off]
}

/// The difference of the mass matrices in the rates of joints that follow no other, at zero. With q = G q_r + offsets from the
/// couplers it is Gᵀ M G.
fn compare_reduced(robot: &mut Robot, reduced: &Value) -> f64 {
    let names = texts(&reduced["joints"]);
    let n = robot.tree.velocities;
    let mut q = vec![0.0; n];
    let mut G = vec![vec![0.0; names.len()]; n];
    let leaders: Vec<usize> = names
        .iter()
        .map(|name| robot.coordinate(name).unwrap())
        .collect();
    for (c, k) in leaders.iter().enumerate() {
        G[*k][c] = 1.0;
    }
    let mut followers: BTreeMap<usize, (usize, f64, f64)> = BTreeMap::new();
    for coupler in &robot.model.couplers {
        let [(own, _, one), (leader, _, factor)] = coupler.terms[..] else {
            panic!("{}", coupler.name)
        };
        assert_eq!(one, 1.0);
        let at = |j: usize| robot.coordinate(&robot.model.joints[j].name).unwrap();
        let offset = coupler.offset.unwrap();
        let _ = followers.insert(at(own.0), (at(leader.0), -factor, offset));
    }
    // followers of followers come right when all are gone through as often as there are any
    for _ in 0..followers.len() {
        for (own, (leader, factor, offset)) in &followers {
            q[*own] = factor * q[*leader] + offset;
            G[*own] = G[*leader].iter().map(|g| factor * g).collect();
        }
    }
    assert_eq!(names.len() + followers.len(), n, "joints differ");
    let mass = robot.mass(&q);
    let mut ours = Vec::new();
    for a in 0..names.len() {
        for b in 0..names.len() {
            let entries = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            ours.push(entries.map(|(i, j)| G[i][a] * mass[i][j] * G[j][b]).sum());
        }
    }
    apart(&ours, &numbers(&reduced["mass"]))
}

#[test]
fn every_robot_of_a_published_collection_agrees_with_pinocchio() {
    let folder = Place::new();
    let Some(references) = references(&folder.path("references.json")) else {
        return;
    };
    assert!(references.len() >= 70);
    let (mut same, mut followed) = (0, 0);
    let mut wrong = Vec::new();
    for reference in &references {
        let path = reference["path"].as_str().unwrap();
        let name = Path::new(path)
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let imported = urdf::import(&name, &text, &urdf::UrdfOptions::default());
        let said = imported
            .diagnostics
            .render(&imported.sources, ReportStyle::Plain);
        let refusal = REFUSED.iter().find(|(refused, _)| *refused == name);
        assert!(refusal.is_some() || reference["error"].is_null(), "{name}");
        if let Some((_, reason)) = refusal {
            assert!(imported.text.is_none() && said.contains(reason), "{said}");
            continue;
        }
        let Some(text) = &imported.text else {
            wrong.push(format!("{name}: {said}"));
            continue;
        };
        let loaded = parse("model.toml", text, &Overrides::default());
        let report = loaded
            .diagnostics
            .render(&loaded.sources, ReportStyle::Plain);
        let mut robot = Robot::new(loaded.model.unwrap_or_else(|| panic!("{report}")).model);
        for case in reference["cases"].as_array().unwrap() {
            let off = compare(&mut robot, case);
            if !off.iter().all(|off| *off < TOLERANCE) {
                let [mass, bias, poses] = off;
                wrong.push(format!(
                    "{name}: mass off by {mass:e}, bias {bias:e}, poses {poses:e}"
                ));
            }
        }
        same += 1;
        if reference["reduced"].is_object() {
            let off = compare_reduced(&mut robot, &reference["reduced"]);
            if off > TOLERANCE {
                wrong.push(format!("{name}: reduced mass off by {off:e}"));
            }
            followed += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((same, followed), (references.len() - REFUSED.len(), 5));
}

#[test]
fn a_robot_is_imported_to_stdout_or_to_a_new_file() {
    let place = Place::new();
    let robot = root().join("examples/robots/ur-like/robot.urdf");
    place.write("robot.urdf", &std::fs::read_to_string(robot).unwrap());
    let printed = place.run(&["import", "urdf", "robot.urdf"]).exits(0);
    assert!(printed.out.contains("tool = \"wrist_3_link.tool0\"") && printed.err.is_empty());
    let _ = place
        .run(&["import", "urdf", "robot.urdf", "--out", "new/model.toml"])
        .exits(0)
        .says(&["wrote new/model.toml", "next: biela check new/model.toml"]);
    assert_eq!(place.text("new/model.toml"), printed.out);
    let _ = place.run(&["check", "new/model.toml", "--strict"]).exits(0);
    let floating = place
        .run(&["import", "urdf", "robot.urdf", "--base", "floating"])
        .exits(0);
    assert!(floating.out.contains("type = \"free\""));
    place.write("broken.urdf", "<robot name='r'><link name='a'></robot>");
    let _ = place
        .run(&["import", "urdf", "broken.urdf"])
        .exits(3)
        .says(&["</robot> does not match <link>", "broken.urdf:1:32"]);
}
