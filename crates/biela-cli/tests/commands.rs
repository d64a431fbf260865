//! The output of each command for valid input, and its help.

mod common;

use common::{Place, golden};

#[test]
fn a_new_model_is_ready_to_run() {
    for (template, signal) in [
        ("pendulum", "pin.angle"),
        ("spatial-pendulum", "plate.corner.z"),
    ] {
        let place = Place::new();
        let _ = place
            .run(&["new", "swing", "--template", template])
            .exits(0)
            .says(&["wrote swing/model.toml", "next: biela run swing/model.toml"]);
        let _ = place
            .run(&["check", "swing/model.toml", "--strict"])
            .exits(0);
        let _ = place.run(&["run", "swing/model.toml"]).exits(0);
        let manifest = place.json("results/swing/manifest.json");
        assert_eq!(manifest["model"]["name"], "swing");
        let _ = place.run(&["plot", "results/swing", signal]).exits(0);
    }
}

#[test]
fn a_new_model_never_replaces_one() {
    let place = Place::new();
    let _ = place.run(&["new", "a"]).exits(0);
    place.write("a/model.toml", "mine");
    let _ = place
        .run(&["new", "a"])
        .exits(2)
        .says(&["a/model.toml exists and is not replaced"]);
    assert_eq!(place.text("a/model.toml"), "mine");
    place.write("file", "");
    let _ = place
        .run(&["new", "file"])
        .exits(2)
        .says(&["a file of this name exists"]);
    let _ = place
        .run(&["new", ".."])
        .exits(2)
        .says(&["not a name for a folder"]);
}

#[test]
fn a_name_with_quotes_produces_a_valid_model() {
    let place = Place::new();
    let name = "it's 5\" wide \\ high";
    let _ = place.run(&["new", name]).exits(0);
    let done = place.run(&["info", &format!("{name}/model.toml")]).exits(0);
    assert!(done.out.starts_with(name), "{}", done.out);
}

#[test]
fn check_reports_a_valid_model() {
    let done = Place::new()
        .with("pendulum.toml")
        .run(&["check", "pendulum.toml"])
        .exits(0);
    golden("check-pendulum.txt", &done.out);
    assert_eq!(done.err, "");
}

#[test]
fn check_names_redundant_joints() {
    let done = Place::new()
        .with("door.toml")
        .run(&["check", "door.toml"])
        .exits(0);
    golden("check-door.txt", &done.out);
    assert!(
        done.out
            .contains("5 rows of joint `hinge_2` are implied by `hinge_1`")
    );
}

#[test]
fn check_lists_what_assembly_moved() {
    let place = Place::new().with("loose.toml");
    let done = place
        .run(&["check", "loose.toml"])
        .exits(0)
        .says(&["unused"]);
    golden("check-loose.txt", &done.out);
}

#[test]
fn check_prints_json() {
    let place = Place::new().with("door.toml").with("loose.toml");
    let door = place.run(&["check", "door.toml", "--json"]).exits(0).json();
    assert_eq!(door["freedom"], 1);
    assert_eq!(door["redundant"][0]["element"], "joint `hinge_2`");
    assert_eq!(door["redundant"][0]["rows"], 5);
    assert_eq!(door["redundant"][0]["said_by"][0], "hinge_1");
    assert_eq!(door["reactions_not_unique"][1], "hinge_2");
    assert_eq!(door["status"], "done");
    let loose = place
        .run(&["check", "loose.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(loose["freedom"], 0);
    assert_eq!(loose["freedom_without_drivers"], 1);
    assert_eq!(loose["problems"]["warnings"], 1);
    assert!(
        loose["moved"]
            .as_array()
            .unwrap()
            .iter()
            .any(|m| m["body"] == "rocker")
    );
}

#[test]
fn a_start_at_a_dead_centre_is_reported() {
    let place = Place::new();
    // a flat parallelogram can fold into an antiparallelogram
    place.write(
        "flat.toml",
        r#"
format = 1
name = "flat"
space = "planar"
ground = { points = { C = [1, 0] } }
[[body]]
name = "a"
mass = 1
inertia = 0.1
points = { tip = [0.5, 0] }
[[body]]
name = "b"
mass = 1
inertia = 0.1
points = { tip = [1, 0] }
[[body]]
name = "c"
mass = 1
inertia = 0.1
points = { tip = [0.5, 0] }
[[joint]]
name = "O"
type = "revolute"
between = ["ground", "a"]
[[joint]]
name = "A"
type = "revolute"
between = ["a.tip", "b"]
[[joint]]
name = "C"
type = "revolute"
between = ["ground.C", "c"]
[[joint]]
name = "B"
type = "revolute"
between = ["b.tip", "c.tip"]
[study]
duration = 1
"#,
    );
    let done = place.run(&["check", "flat.toml"]).exits(0);
    assert!(done.out.contains("singular"), "{}", done.out);
    let report = place.run(&["check", "flat.toml", "--json"]).exits(0).json();
    assert_eq!(report["singular_rows"], 1);
    let pose = &report["singular_pose"];
    assert_eq!(pose["meaning"], "bifurcation");
    let joints = ["joint `O`", "joint `A`", "joint `C`", "joint `B`"];
    assert_eq!(pose["elements"], serde_json::json!(joints));
    let _ = place
        .run(&["check", "flat.toml", "--strict"])
        .exits(1)
        .says(&["the start is a singular configuration"]);
    let done = place.run(&["info", "flat.toml"]).exits(0);
    assert!(done.out.contains("singular"), "{}", done.out);
    let report = place.run(&["info", "flat.toml", "--json"]).exits(0).json();
    assert_eq!(report["singular_pose"]["meaning"], "bifurcation");
    let report = place.run(&["run", "flat.toml", "--json"]).exits(0).json();
    let warnings = report["checks"]["warnings"].to_string();
    assert!(warnings.contains("singular configuration"), "{warnings}");
}

#[test]
fn info_lists_the_elements_of_a_model() {
    let place = Place::new().with("pendulum.toml").with("loose.toml");
    golden(
        "info-pendulum.txt",
        &place.run(&["info", "pendulum.toml"]).exits(0).out,
    );
    golden(
        "info-loose.txt",
        &place.run(&["info", "loose.toml"]).exits(0).out,
    );
}

#[test]
fn info_lists_every_signal() {
    let place = Place::new().with("pendulum.toml");
    let done = place.run(&["info", "pendulum.toml", "--signals"]).exits(0);
    for line in [
        "pin.reaction.fx            N         force of joint pin on its second body, along the axes of its first frame as turned by `axis`",
        "energy.total               J         kinetic and potential energy",
    ] {
        assert!(done.out.contains(line), "{}", done.out);
    }
    let json = place
        .run(&["info", "pendulum.toml", "--signals", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        done.out.lines().count(),
        1 + json["signals"].as_array().unwrap().len()
    );
}

#[test]
fn info_of_results_lists_every_signal_with_unit_and_range() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    for path in ["results/pendulum", "results/pendulum/data.arrows"] {
        let done = place.run(&["info", path]).exits(0);
        for words in [
            &["signal", "unit", "least", "largest"][..],
            &["time", "s", "0"],
            &["pin.rate", "rad/s"],
        ] {
            let line = done
                .out
                .lines()
                .find(|line| line.trim().starts_with(words[0]));
            let found: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
            assert!(found.starts_with(words), "{words:?} in\n{}", done.out);
        }
    }
    let json = place
        .run(&["info", "results/pendulum", "--json"])
        .exits(0)
        .json();
    let results = biela::record::Results::open(&place.path("results/pendulum")).unwrap();
    let signals = json["signals"].as_array().unwrap();
    assert_eq!(signals.len(), results.columns().len());
    let rate = results.column("pin.rate").unwrap();
    let largest = rate.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let told = signals.iter().find(|signal| signal["name"] == "pin.rate");
    assert_eq!(told.unwrap()["largest"], largest);
    let _ = place.run(&["info", "results"]).exits(2).says(&["results"]);
}

/// A block that starts at the other end of its spring, and sensors that divide by zero and take roots of negative numbers.
const DOUBTS: &str = r#"
format = 1
name = "doubts"
space = "planar"
[[body]]
name = "block"
mass = 1
inertia = 0.1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "block"]
initial = { position = 0, rate = 1 }
[[force]]
name = "spring"
type = "spring-damper"
between = ["ground", "block"]
stiffness = 10
length = 0.5
[[sensor]]
name = "pole"
value = "1/rail.position"
[[sensor]]
name = "root"
value = "sqrt(0.5 - rail.position)"
[[sensor]]
name = "twice"
value = "2*root"
[study]
duration = 1
output_step = 0.25
"#;

#[test]
fn nan_infinite_values_and_doubtful_forces_are_reported_once_with_time_and_cause() {
    let place = Place::new();
    place.write("doubts.toml", DOUBTS);
    let done = place.run(&["run", "doubts.toml", "--json"]).exits(0).says(&[
        "force `spring` at t = 0.000000 s has coincident ends",
        "sensor `pole` is infinite at t = 0.000000 s: its formula evaluates a division by zero, 1/0 where rail.position = 0.000000",
        "sensor `root` is NaN at t = 0.500000 s",
        "sensor `twice` is NaN at t = 0.500000 s: it reads sensor `root` (doubts.toml:",
    ]);
    assert_eq!(done.err.matches("sensor `root` is").count(), 1);
    let warnings = &done.json()["checks"]["warnings"];
    assert_eq!(warnings.as_array().unwrap().len(), 4, "{warnings}");
}

#[test]
fn info_prints_json() {
    let place = Place::new().with("pendulum.toml");
    let info = place
        .run(&["info", "pendulum.toml", "--set", "mass=3", "--json"])
        .exits(0)
        .json();
    assert_eq!(info["bodies"][0]["mass"], 3.0);
    assert_eq!(info["bodies"][0]["inertia"], 0.25);
    assert_eq!(info["joints"][0]["between"][0], "ground");
    assert_eq!(info["mobility"]["freedom"], 1);
    assert_eq!(info["study"]["integrator"]["tolerance"], 1e-8);
    let sum = biela::record::digest(&place.read("pendulum.toml"));
    assert_eq!(info["digest"], sum);
}

#[test]
fn the_schema_is_json_and_is_written_to_a_file() {
    let place = Place::new();
    let schema = place.run(&["schema"]).exits(0).json();
    assert!(schema["properties"]["joint"].is_object());
    let _ = place
        .run(&["schema", "--out", "s.json"])
        .exits(0)
        .says(&["wrote s.json"]);
    assert_eq!(place.json("s.json"), schema);
    let _ = place
        .run(&["schema", "--out", "no/where.json"])
        .exits(2)
        .says(&["no/where.json"]);
}

#[test]
fn the_reference_has_every_joint() {
    let place = Place::new();
    let all = place.run(&["reference"]).exits(0).out;
    for info in biela::core::joints::JOINTS {
        assert!(all.contains(&format!("`{}`", info.name)), "{}", info.name);
    }
    let joints = place.run(&["reference", "joints"]).exits(0).out;
    assert!(all.contains(joints.trim_end()));
    let _ = place
        .run(&["reference", "joint"])
        .exits(2)
        .says(&["did you mean `joints`?"]);
}

/// The commands that the help lists.
fn listed_commands(place: &Place) -> Vec<String> {
    let help = place.run(&["--help"]).exits(0).out;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !["", "help"].contains(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn shells_can_complete_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(&["completions", shell]).exits(0).out;
        for command in listed_commands(&place) {
            assert!(script.contains(&command), "{shell} lacks {command}");
        }
        assert!(script.contains("tolerance"), "{shell} lacks options");
    }
    let _ = place.run(&["completions", "csh"]).exits(2).says(&["bash"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let page = place.run(&["man"]).exits(0).out;
    assert!(page.contains(".TH biela 1") && page.contains("Exit codes:"));
    let _ = place.run(&["man", "--out", "man1"]).exits(0);
    assert_eq!(place.text("man1/biela.1"), page);
    for command in listed_commands(&place) {
        let text = place.text(&format!("man1/biela-{command}.1"));
        assert!(text.contains("Examples:"), "{command}");
    }
    assert!(!page.contains("help(1)"), "there is no such page");
    let of_a_robot = place.text("man1/biela-robot-ik.1");
    assert!(of_a_robot.contains("biela\\-robot\\-ik"), "{of_a_robot}");
    let _ = place
        .run(&["man", "--out", "man1/biela.1"])
        .exits(2)
        .says(&["cannot write man1/biela.1"]);
}

#[test]
fn every_help_ends_in_examples() {
    let place = Place::new();
    for command in [
        "",
        "new",
        "check",
        "info",
        "run",
        "plot",
        "schema",
        "reference",
        "completions",
        "man",
    ] {
        let args: Vec<&str> = [command, "--help"]
            .into_iter()
            .filter(|s| !s.is_empty())
            .collect();
        let help = place.run(&args).exits(0).out;
        let (_, examples) = help
            .rsplit_once("Examples:")
            .unwrap_or_else(|| panic!("{help}"));
        let all = examples.lines().filter(|line| !line.trim().is_empty());
        assert!(
            all.clone().all(|line| line.starts_with("  biela ")),
            "{help}"
        );
        assert!(all.count() >= 2 && examples.contains(command), "{help}");
    }
    let version = place.run(&["--version"]).exits(0).out;
    assert_eq!(version, format!("biela {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn nothing_is_coloured_outside_a_terminal() {
    let place = Place::new().with("loose.toml").with("wrong.toml");
    for args in [
        &["check", "loose.toml"][..],
        &["info", "loose.toml"],
        &["check", "wrong.toml"],
        &["run", "loose.toml", "--plot"],
        &["plot", "results/loose"],
    ] {
        let done = place.run(args);
        assert!(
            !done.out.contains('\x1b') && !done.err.contains('\x1b'),
            "{args:?}"
        );
    }
}

#[test]
fn a_missing_mesh_was_not_reported() {
    let place = Place::new();
    let model = |file: &str| {
        format!(
            "format = 1\nname = \"m\"\nspace = \"spatial\"\n[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\n\
             shapes = [{{ type = \"mesh\", file = \"{file}\" }}]\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"arm\"]\n"
        )
    };
    place.write("arm.stl", "solid arm\nendsolid arm\n");
    place.write("model.toml", &model("arm.stl"));
    let done = place.run(&["check", "model.toml", "--strict"]).exits(0);
    assert!(!done.out.contains("cannot be read"), "{}", done.out);
    place.write("model.toml", &model("leg.stl"));
    let done = place.run(&["check", "model.toml"]).exits(0);
    for words in ["`arm` cannot be read and is not drawn", "leg.stl"] {
        assert!(done.out.contains(words), "{}", done.out);
    }
    let _ = place
        .run(&["check", "model.toml", "--strict"])
        .exits(1)
        .says(&["a mesh is missing"]);
    let json = place.run(&["check", "model.toml", "--json"]).exits(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["missing_meshes"][0]["body"], "arm");
}
