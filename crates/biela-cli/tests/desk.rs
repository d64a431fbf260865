//! Changing a model file as the page does: edits, undo, dragging.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use biela::model::edit::{ModelEdit, ModelElement};
use biela::view::{Desk, Pull};

const CRANK: &str = r#"# a crank on the ground
format = 1
name = "crank"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "crank"      # turns
mass = 1
inertia = 0.01
com = [0.1, 0]
points = { pin = [0.2, 0] }

[[body]]
name = "rod"
mass = 1
inertia = 0.02
com = [0.25, 0]
points = { end = [0.5, 0] }

[[joint]]
name = "main"
type = "revolute"
between = ["ground", "crank"]
initial = { angle = "30 deg" }   # where it begins

[[joint]]
name = "pin"
type = "revolute"
between = ["crank.pin", "rod"]

[[joint]]
name = "guide"
type = "point-on-line"
between = ["ground", "rod.end"]
axis = [1, 0]

[study]
duration = 1

[output]
signals = ["main.angle", "rod.x"]
"#;

struct Bench {
    _folder: tempfile::TempDir,
    path: PathBuf,
    desk: Desk,
}

fn bench(text: &str) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    let desk = Desk::new(&path, &[]);
    Bench {
        _folder: folder,
        path,
        desk,
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn element(table: &str, name: &str) -> ModelElement {
    ModelElement {
        table: table.to_owned(),
        name: Some(name.to_owned()),
    }
}

fn set(table: &str, name: &str, key: &str, value: &str) -> ModelEdit {
    ModelEdit::Set {
        element: element(table, name),
        key: key.to_owned(),
        value: value.to_owned(),
    }
}

#[test]
fn a_change_is_written_and_can_be_undone_and_redone() {
    let mut bench = bench(CRANK);
    let changed = CRANK.replace("com = [0.25, 0]", "com = [0.3, 0]");
    bench
        .desk
        .apply(&[set("body", "rod", "com", "[0.3, 0]")])
        .unwrap();
    assert_eq!(read(&bench.path), changed);
    bench.desk.undo().unwrap();
    assert_eq!(read(&bench.path), CRANK);
    bench.desk.redo().unwrap();
    assert_eq!(read(&bench.path), changed);
    assert!(bench.desk.redo().is_err());
    assert_eq!(
        std::fs::read_dir(bench.path.parent().unwrap())
            .unwrap()
            .count(),
        1
    );
}

#[test]
fn an_invalid_change_is_rejected_with_its_location_and_keeps_the_file() {
    let mut bench = bench(CRANK);
    let error = bench.desk.apply(&[set("body", "rod", "mass", "heavy")]);
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("model.toml:16:9") && error.contains("heavy"),
        "{error}"
    );
    assert_eq!(read(&bench.path), CRANK);
    assert!(bench.desk.undo().is_err());
}

#[test]
fn a_file_with_errors_can_still_be_corrected() {
    let broken = CRANK.replace("mass = 1\ninertia = 0.02", "mass = \"1 m\"\ninertia = 0.02");
    let mut bench = bench(&broken);
    bench
        .desk
        .apply(&[set("body", "rod", "mass", "1 kg")])
        .unwrap();
    assert!(biela::load(&bench.path).is_ok());
}

#[test]
fn removing_a_body_removes_its_joints_and_signals() {
    let mut bench = bench(CRANK);
    let element = element("body", "rod");
    bench.desk.apply(&[ModelEdit::Remove { element }]).unwrap();
    let text = read(&bench.path);
    assert!(!text.contains("rod") && !text.contains("guide"), "{text}");
    assert!(text.contains("# where it begins"));
    assert!(biela::load(&bench.path).is_ok());
}

#[test]
fn a_four_bar_is_built_from_nothing() {
    let mut bench = bench("format = 1\nname = \"new\"\nspace = \"planar\"\n");
    let add = |table: &str, entries: &[(&str, &str)]| ModelEdit::Add {
        table: table.to_owned(),
        entries: entries
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect(),
    };
    let bar = |name: &str, x: f64, y: f64| {
        let tip = format!("{{ tip = [{x}, {y}] }}");
        add(
            "body",
            &[
                ("name", name),
                ("mass", "1"),
                ("inertia", "0.01"),
                ("points", &tip),
            ],
        )
    };
    let pin = |name: &str, a: &str, b: &str| {
        let between = format!("[\"{a}\", \"{b}\"]");
        add(
            "joint",
            &[("name", name), ("type", "revolute"), ("between", &between)],
        )
    };
    let changes = [
        bar("crank", 0.1, 0.0),
        bar("coupler", 0.4, 0.0),
        bar("rocker", 0.3, 0.0),
        pin("a", "ground", "crank"),
        pin("b", "crank.tip", "coupler"),
        pin("c", "coupler.tip", "rocker.tip"),
    ];
    for change in changes {
        bench.desk.apply(&[change]).unwrap();
    }
    let ground = ModelEdit::Set {
        element: ModelElement {
            table: "ground".to_owned(),
            name: None,
        },
        key: "points".to_owned(),
        value: "{ pivot = [0.35, 0] }".to_owned(),
    };
    // a table that is not there yet is made
    bench.desk.apply(&[ground]).unwrap();
    bench
        .desk
        .apply(&[pin("d", "ground.pivot", "rocker")])
        .unwrap();
    let job = biela::load(&bench.path).unwrap();
    let study = job.study_or_start();
    let assembled = biela::start(job.model, &study).unwrap();
    assert_eq!(assembled.mobility.freedom, 1);
}

#[test]
fn external_changes_are_kept_as_undo_steps() {
    let mut bench = bench(CRANK);
    let seen = Desk::version(&bench.desk.look().unwrap());
    let theirs = CRANK.replace("mass = 1\ninertia = 0.02", "mass = 2\ninertia = 0.02");
    std::fs::write(&bench.path, &theirs).unwrap();
    let refused = bench.desk.expect(&seen).unwrap_err();
    assert!(refused.to_string().contains("another program"), "{refused}");
    assert_eq!(read(&bench.path), theirs);
    let seen = Desk::version(&bench.desk.look().unwrap());
    bench.desk.expect(&seen).unwrap();
    bench
        .desk
        .apply(&[set("body", "rod", "com", "[0.3, 0]")])
        .unwrap();
    assert_eq!(bench.desk.steps(), (2, 0));
    bench.desk.undo().unwrap();
    assert_eq!(read(&bench.path), theirs);
    bench.desk.undo().unwrap();
    assert_eq!(read(&bench.path), CRANK);
    bench.desk.redo().unwrap();
    assert_eq!(read(&bench.path), theirs);
}

#[test]
fn a_drag_does_not_overwrite_external_changes() {
    let mut bench = bench(CRANK);
    let pull = Pull {
        body: 1,
        point: [0.2, 0.0, 0.0],
        to: [0.0, 0.2, 0.0],
    };
    let _ = bench.desk.drag(&pull).unwrap();
    let theirs = CRANK.replace("0.02", "0.03");
    std::fs::write(&bench.path, &theirs).unwrap();
    let _ = bench.desk.drop_here().unwrap_err();
    assert_eq!(read(&bench.path), theirs);
}

#[test]
fn the_consequences_of_a_removal_are_listed_before_it_is_made() {
    let mut bench = bench(CRANK);
    let change = ModelEdit::Remove {
        element: element("body", "rod"),
    };
    let effect = bench.desk.preview(&[change]).unwrap();
    let gone: Vec<String> = effect.gone.into_iter().filter_map(|e| e.name).collect();
    assert_eq!(gone, ["rod", "pin", "guide"]);
    assert_eq!(effect.changed.len(), 1);
    assert_eq!(read(&bench.path), CRANK);
}

#[test]
fn only_new_errors_are_reported() {
    let broken = CRANK.replace("com = [0.1, 0]", "com = [0.1, 0, 0, 0]");
    let mut bench = bench(&broken);
    let error = bench.desk.apply(&[set("body", "rod", "mass", "heavy")]);
    let Err(biela::view::DeskError::Mistake(problems)) = error else {
        panic!("{error:?}")
    };
    assert_eq!(problems.len(), 1);
    assert_eq!((problems[0].line, problems[0].column), (16, 9));
}

#[test]
fn a_file_is_created_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my \"new\" one.toml");
    let mut desk = Desk::new(&path, &[]);
    assert!(desk.is_missing());
    desk.create(biela::core::model::Space::Planar).unwrap();
    let view = biela::view::ModelView::open(&path, &[]);
    let scene = view.show().scene().unwrap();
    assert_eq!(scene.name, "my \"new\" one");
    assert_eq!((scene.bodies.len(), scene.pose.len()), (1, 7));
    let bounds = [scene.bounds.min, scene.bounds.max];
    assert!(bounds.iter().flatten().all(|x| x.is_finite()));
    std::fs::write(&path, CRANK).unwrap();
    assert!(desk.create(biela::core::model::Space::Spatial).is_err());
    assert_eq!(read(&path), CRANK);
}

/// x and y of a body's frame in a frame's numbers.
fn place(frame: &[f32], body: usize) -> [f64; 2] {
    [f64::from(frame[7 * body]), f64::from(frame[7 * body + 1])]
}

#[test]
fn a_dragged_mechanism_stays_assembled_and_its_pose_is_written() {
    let mut bench = bench(CRANK);
    // the crank's pin towards 80 degrees, in small moves as a pointer makes
    let mut frame = Vec::new();
    for k in 0..=10 {
        let angle = (30.0 + 5.0 * f64::from(k)).to_radians();
        let pull = Pull {
            body: 1,
            point: [0.2, 0.0, 0.0],
            to: [0.2 * angle.cos(), 0.2 * angle.sin(), 0.0],
        };
        frame = bench.desk.drag(&pull).unwrap();
    }
    let angle = 80_f64.to_radians();
    let [x, y] = place(&frame, 2);
    assert!(
        (x - 0.2 * angle.cos()).abs() < 1e-3 && (y - 0.2 * angle.sin()).abs() < 1e-3,
        "{x} {y}"
    );
    assert!(
        (x.hypot(y) - 0.2).abs() < 1e-6,
        "the rod is still on the crank"
    );
    assert_eq!(
        read(&bench.path),
        CRANK,
        "nothing is written while dragging"
    );
    bench.desk.drop_here().unwrap();
    let text = read(&bench.path);
    let line = text
        .lines()
        .find(|line| line.starts_with("initial"))
        .unwrap();
    assert!(line.ends_with("# where it begins"), "{line}");
    let job = biela::load(&bench.path).unwrap();
    let study = job.study_or_start();
    let assembled = biela::start(job.model, &study).unwrap();
    let scene = biela::view::scene(&assembled, "", &job.parameters);
    let there = place(&scene.pose, 2);
    assert!((there[0] - x).abs() < 1e-5 && (there[1] - y).abs() < 1e-5);
    bench.desk.undo().unwrap();
    assert_eq!(read(&bench.path), CRANK);
}

#[test]
fn a_drag_that_moved_nothing_writes_nothing() {
    let driven = CRANK.replace(
        "[study]",
        "[[driver]]\nname = \"turn\"\non = \"main\"\nvalue = \"30 deg + 1 [rad/s] * t\"\n\n[study]",
    );
    let mut bench = bench(&driven);
    let pull = Pull {
        body: 1,
        point: [0.2, 0.0, 0.0],
        to: [0.0, 0.2, 0.0],
    };
    let _ = bench.desk.drag(&pull).unwrap();
    bench.desk.drop_here().unwrap();
    assert_eq!(read(&bench.path), driven);
    assert_eq!(bench.desk.steps(), (0, 0));
}

#[test]
fn a_model_that_starts_at_its_equilibrium_cannot_be_dragged() {
    let resting = CRANK.replace("duration = 1", "duration = 1\nstart = \"equilibrium\"");
    let mut bench = bench(&resting);
    let pull = Pull {
        body: 1,
        point: [0.2, 0.0, 0.0],
        to: [0.0, 0.2, 0.0],
    };
    let error = bench.desk.drag(&pull).unwrap_err().to_string();
    assert!(error.contains("equilibrium"), "{error}");
}

#[test]
fn a_drag_out_of_reach_moves_as_far_as_possible() {
    let mut bench = bench(CRANK);
    let pull = Pull {
        body: 1,
        point: [0.2, 0.0, 0.0],
        to: [0.0, 5.0, 0.0],
    };
    let frame = bench.desk.drag(&pull).unwrap();
    let [x, y] = place(&frame, 2);
    assert!((x.hypot(y) - 0.2).abs() < 1e-6, "{x} {y}");
    for to in [[f64::NAN; 3], [1e300, 0.0, 0.0]] {
        let frame = bench.desk.drag(&Pull { to, ..pull }).unwrap();
        assert!(frame.iter().all(|x| x.is_finite()));
    }
    bench.desk.let_go();
    assert!(bench.desk.drop_here().is_err());
}
