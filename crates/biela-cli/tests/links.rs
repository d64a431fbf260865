//! Projects of strangers, full of links where the program writes: nothing outside of the output folder changes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use biela::model::edit::{ModelEdit, ModelElement};
use common::Place;

const MODEL: &str = r#"
format = 1
name = "trap"
space = "planar"
gravity = [0, -9.81]
[parameters]
l = 0.5
[[body]]
name = "rod"
mass = 1
inertia = 0.1
com = ["l", 0]
shapes = [{ type = "mesh", file = "part.stl" }]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "rod"]
[study]
duration = 0.1
output_step = 0.05
[output]
signals = ["pin.angle"]
[[measure]]
name = "last"
of = "pin.angle"
[sweep]
plan = "grid"
vary.l = { values = [0.4, 0.5] }
"#;

const MESH: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

/// All names that the program writes to in folders of its own.
const NAMES: &[&str] = &[
    "biela.lock",
    "manifest.json",
    "manifest.json.part",
    "manifest.json.tmp",
    "manifest.json.new",
    "data.arrows",
    "data.csv",
    "motion.bin",
    "scene.json",
    "plot.svg",
    "plot.png",
    "checkpoint.bin",
    "checkpoint.old",
    "checkpoint.part",
    "study.json",
    "journal.txt",
    "table.parquet",
    "table.part",
    "table.csv",
    "A.csv",
    "modes.csv",
    "linear.json",
    "film.gif",
    "page.html",
];

/// A project beside a folder of the user's files.
struct Trap {
    place: Place,
}

impl Trap {
    fn new() -> Self {
        let place = Place::new();
        std::fs::create_dir(place.path("home")).unwrap();
        for name in ["bashrc", "thesis.toml"] {
            place.write(&format!("home/{name}"), &format!("the user's {name}\n"));
        }
        place.write("trap.toml", MODEL);
        place.write("part.stl", MESH);
        Trap { place }
    }

    /// Links of all names in a folder, to a file of the user.
    fn fill(&self, folder: &str) {
        let folder = self.place.path(folder);
        std::fs::create_dir_all(&folder).unwrap();
        for name in NAMES {
            let _ = std::fs::remove_file(folder.join(name));
            symlink(self.place.path("home/bashrc"), folder.join(name)).unwrap();
        }
    }

    /// Every file of the user with its contents.
    fn home(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, found);
                    let _ = found.insert(path, Vec::new());
                } else {
                    let bytes = std::fs::read(&path).unwrap();
                    let _ = found.insert(path, bytes);
                }
            }
        }
        let mut found = BTreeMap::new();
        walk(&self.place.path("home"), &mut found);
        found
    }
}

/// Runs a command, whatever comes of it; the user's files are as they were.
#[track_caller]
fn harmless(trap: &Trap, words: &[&str]) {
    let before = trap.home();
    let done = trap.place.run(words);
    assert_eq!(trap.home(), before, "{words:?}: {}{}", done.out, done.err);
}

#[test]
fn symbolic_links_in_a_results_folder_are_not_followed() {
    let trap = Trap::new();
    for csv in [&["--csv"][..], &[]] {
        trap.fill("results/trap");
        harmless(&trap, &[&["run", "trap.toml"], csv].concat());
        // earlier results of biela, in which a stranger has put links beside a good manifest
        let _ = std::fs::remove_dir_all(trap.place.path("results"));
        let _ = trap.place.run(&["run", "trap.toml", "--csv"]).exits(0);
        for name in NAMES.iter().filter(|name| **name != "manifest.json") {
            let path = trap.place.path("results/trap").join(name);
            let _ = std::fs::remove_file(&path);
            symlink(trap.place.path("home/bashrc"), &path).unwrap();
        }
        harmless(&trap, &[&["run", "trap.toml"], csv].concat());
        harmless(&trap, &["run", "trap.toml", "--checkpoint", "0s"]);
        harmless(&trap, &["run", "trap.toml", "--resume"]);
    }
}

#[test]
fn a_mesh_is_not_copied_through_a_symbolic_link() {
    let trap = Trap::new();
    for what in ["file", "folder"] {
        let _ = std::fs::remove_dir_all(trap.place.path("results"));
        let _ = trap.place.run(&["run", "trap.toml"]).exits(0);
        let meshes = trap.place.path("results/trap/meshes");
        std::fs::remove_dir_all(&meshes).unwrap();
        if what == "file" {
            std::fs::create_dir(&meshes).unwrap();
            symlink(trap.place.path("home/bashrc"), meshes.join("0.stl")).unwrap();
        } else {
            symlink(trap.place.path("home"), &meshes).unwrap();
        }
        harmless(&trap, &["run", "trap.toml"]);
    }
}

#[test]
fn a_symbolic_link_instead_of_a_folder_is_rejected() {
    let trap = Trap::new();
    symlink(trap.place.path("home"), trap.place.path("results")).unwrap();
    for command in ["run", "sweep"] {
        let done = trap.place.run(&[command, "trap.toml"]).exits(2);
        assert!(done.err.contains("symbolic link"), "{}", done.err);
    }
    harmless(&trap, &["run", "trap.toml"]);
    std::fs::remove_file(trap.place.path("results")).unwrap();
    std::fs::create_dir(trap.place.path("results")).unwrap();
    for name in ["trap", "trap-sweep"] {
        symlink(
            trap.place.path("home"),
            trap.place.path("results").join(name),
        )
        .unwrap();
    }
    harmless(&trap, &["run", "trap.toml"]);
    harmless(&trap, &["sweep", "trap.toml"]);
}

#[test]
fn sweeps_and_linear_models_do_not_write_through_symbolic_links() {
    let trap = Trap::new();
    trap.fill("results/trap-sweep");
    harmless(&trap, &["sweep", "trap.toml", "--csv"]);
    let _ = std::fs::remove_dir_all(trap.place.path("results"));
    let _ = trap.place.run(&["sweep", "trap.toml", "--csv"]).exits(0);
    for name in ["table.csv", "table.part", "table.parquet", "journal.txt"] {
        let path = trap.place.path("results/trap-sweep").join(name);
        let _ = std::fs::remove_file(&path);
        symlink(trap.place.path("home/bashrc"), &path).unwrap();
    }
    harmless(&trap, &["sweep", "trap.toml", "--csv"]);
    trap.fill("linear");
    harmless(&trap, &["linearize", "trap.toml", "--out", "linear"]);
}

#[test]
fn single_files_replace_symbolic_links_instead_of_following_them() {
    let trap = Trap::new();
    let _ = trap.place.run(&["run", "trap.toml"]).exits(0);
    let commands: &[&[&str]] = &[
        &["plot", "results/trap", "--out", "out.svg"],
        &["plot", "results/trap", "--out", "out.png"],
        &["export", "results/trap", "out.png", "--at", "0"],
        &[
            "export",
            "results/trap",
            "out.gif",
            "--width",
            "60",
            "--height",
            "40",
        ],
        &["export", "results/trap", "out.html"],
        &["derive", "trap.toml", "--to", "python", "-o", "out.py"],
        &["schema", "--out", "out.json"],
    ];
    for words in commands {
        let name = words.iter().find(|word| word.starts_with("out.")).unwrap();
        let path = trap.place.path(name);
        let _ = std::fs::remove_file(&path);
        symlink(trap.place.path("home/bashrc"), &path).unwrap();
        let before = trap.home();
        let done = trap.place.run(words).exits(0);
        assert_eq!(trap.home(), before, "{words:?}: {}", done.err);
        assert!(!path.is_symlink() && path.is_file(), "{words:?}");
    }
}

#[test]
fn files_of_the_user_are_not_replaced() {
    let trap = Trap::new();
    let _ = trap.place.run(&["run", "trap.toml"]).exits(0);
    let refused: &[&[&str]] = &[
        &["derive", "trap.toml", "-o", "trap.toml"],
        &["schema", "--out", "trap.toml"],
        &["schema", "--out", "home/bashrc"],
        &["linearize", "trap.toml", "--out", "."],
        &["sweep", "trap.toml", "--out", "home"],
        &["linearize", "trap.toml", "--out", "home"],
    ];
    for words in refused {
        let before = (trap.home(), trap.place.text("trap.toml"));
        let done = trap.place.run(words).exits(2);
        assert_eq!((trap.home(), trap.place.text("trap.toml")), before);
        let said = &done.err;
        assert!(said.contains("name a"), "{words:?}: {said}");
    }
}

#[test]
fn an_edit_in_the_viewer_replaces_a_symbolic_link_beside_the_model() {
    let trap = Trap::new();
    let before = trap.home();
    symlink(
        trap.place.path("home/bashrc"),
        trap.place.path("trap.toml.new"),
    )
    .unwrap();
    let mut desk = biela::view::Desk::new(&trap.place.path("trap.toml"), &[]);
    let rename = ModelEdit::Set {
        element: ModelElement::own(),
        key: "name".to_owned(),
        value: "\"other\"".to_owned(),
    };
    desk.apply(&[rename]).unwrap();
    assert!(trap.place.text("trap.toml").contains("other"));
    assert_eq!(trap.home(), before);
}
