//! Contacts in model files: runs, summaries, JSON, sweeps, checkpoints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Place;
use serde_json::Value;

/// A ball that falls from 1 m above the floor.
const BALL: &str = r#"format = 1
name = "ball"
space = "planar"
gravity = [0, -10]
[parameters]
e = 0.5
[[body]]
name = "ball"
mass = "1 kg"
inertia = "0.004 kg*m^2"
position = [0, "1.1 m"]
[[contact]]
name = "floor"
between = ["ground", "ball"]
surfaces = [{ type = "line" }, { type = "circle", radius = "0.1 m" }]
friction = 0.3
static_friction = 0.4
restitution = "e"
[study]
duration = "2 s"
output_step = "10 ms"
[[measure]]
name = "kept"
of = "energy.total"
take = "final"
[sweep]
plan = "grid"
vary.e = { values = [0, 0.5, 0.8] }
"#;

/// A block on a slope of 20 degrees.
const SLOPE: &str = r#"format = 1
name = "slope"
space = "planar"
gravity = [0, -10]
[parameters]
slope = "20 deg"
mu = 0.3
[ground]
frames = { slope = { angle = "slope" } }
[[body]]
name = "block"
mass = "2 kg"
shapes = [{ type = "box", size = ["0.2 m", "0.1 m", "0.1 m"] }]
position = ["-0.05*sin(slope)", "0.05*cos(slope)"]
angle = "slope"
[[contact]]
name = "plane"
between = ["ground.slope", "block"]
surfaces = [{ type = "line" }, { type = "shape" }]
friction = "mu"
[study]
duration = "1 s"
output_step = "10 ms"
"#;

/// Two jaws grip a box on the floor, and rise.
const GRIPPED: &str = r#"format = 1
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "palm"
mass = 1
inertia = 1
[[joint]]
name = "slide"
type = "prismatic"
between = ["ground", "palm"]
axis = [0, 1]
[[driver]]
name = "lift"
on = "slide"
value = "0.1*step5(t, 0.5 [s], 0, 1 [s], 1)"
[[body]]
name = "left"
mass = 0.1
inertia = 1
[[body]]
name = "right"
mass = 0.1
inertia = 1
[[joint]]
name = "rail_left"
type = "prismatic"
between = ["palm", "left"]
initial = { position = -0.03 }
[[joint]]
name = "rail_right"
type = "prismatic"
between = ["palm", "right"]
initial = { position = 0.03 }
[[coupler]]
name = "pinion"
type = "linear"
joints = ["rail_left", "rail_right"]
factors = [1, 1]
[[force]]
name = "drive"
type = "actuator"
joint = "rail_right"
effort = -24
[[body]]
name = "box"
mass = 0.5
position = [0, 0.03]
shapes = [{ type = "box", size = [0.06, 0.06, 0.06] }]
[[contact]]
name = "grip_left"
between = ["left", "box"]
surfaces = [{ type = "line", normal = [1, 0] }, { type = "shape" }]
friction = 0.4
[[contact]]
name = "grip_right"
between = ["right", "box"]
surfaces = [{ type = "line", normal = [-1, 0] }, { type = "shape" }]
friction = 0.4
[[contact]]
name = "floor"
between = ["ground", "box"]
surfaces = [{ type = "line" }, { type = "shape" }]
friction = 0.4
[study]
duration = 1.5
output_step = 0.01
integrator = { type = "dopri5", tolerance = 1e-10 }
"#;

fn with(text: &str) -> Place {
    let place = Place::new();
    place.write("model.toml", text);
    place
}

/// The recorded values of a signal.
fn column(place: &Place, folder: &str, name: &str) -> Vec<f64> {
    let text = place.text(&format!("{folder}/data.csv"));
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut heads = lines.next().unwrap().split(',');
    let is_named = |head: &str| head.split_whitespace().next() == Some(name);
    let index = heads.position(is_named).unwrap();
    let cell = |line: &str| line.split(',').nth(index).unwrap().parse().unwrap();
    lines.map(cell).collect()
}

#[test]
fn a_bouncing_ball_comes_to_rest_and_the_accumulation_point_is_reported() {
    let place = with(BALL);
    let done = place
        .run(&["run", "model.toml", "--csv", "--out", "r"])
        .exits(0);
    // √(2h/g) (1 + e)/(1 − e)
    let rests = 0.2_f64.sqrt() * 3.0;
    let _ = done.says(&[
        "mode transitions",
        "impacts of contact `floor` accumulate at t = 1.341641 s",
    ]);
    let last = *column(&place, "r", "ball.y").last().unwrap();
    assert!((last - 0.1).abs() < 1e-12, "{last}");
    let normal = *column(&place, "r", "floor.normal").last().unwrap();
    assert!((normal - 10.0).abs() < 1e-9, "{normal}");
    let manifest = place.json("r/manifest.json");
    let text = manifest.to_string();
    let contacts = find(&manifest, "contacts").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(contacts["accumulation_points"], 1);
    let at = contacts["last_accumulation_point"].as_f64().unwrap();
    assert!((at - rests).abs() < 1e-6, "{at} for {rests}");
}

/// The first value with a key, at any depth.
fn find<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map
            .get(key)
            .or_else(|| map.values().find_map(|inner| find(inner, key))),
        Value::Array(list) => list.iter().find_map(|inner| find(inner, key)),
        _ => None,
    }
}

#[test]
fn a_block_slides_down_a_slope_or_sticks_to_it() {
    let slope = 20.0_f64.to_radians();
    for (mu, acceleration) in [(0.3, 10.0 * (slope.sin() - 0.3 * slope.cos())), (0.5, 0.0)] {
        for formulation in ["absolute", "tree"] {
            let place = with(SLOPE);
            let set = format!("mu={mu}");
            let options = ["run", "model.toml", "--csv", "--out", "r", "--set", &set];
            let options = [&options[..], &["--formulation", formulation]].concat();
            let _ = place.run(&options).exits(0);
            let [x, y] = ["block.x", "block.y"].map(|name| column(&place, "r", name));
            let moved = (x.last().unwrap() - x[0]).hypot(y.last().unwrap() - y[0]);
            let error = (moved - 0.5 * acceleration).abs();
            assert!(error < 1e-9, "{mu} {formulation}: {moved}");
        }
    }
}

#[test]
fn listings_have_contacts_and_not_their_auxiliary_joints() {
    let place = with(BALL);
    let json = place.run(&["info", "model.toml", "--json"]).exits(0).json();
    assert_eq!(json["joints"].as_array().unwrap().len(), 0, "{json}");
    let contact = &json["contacts"][0];
    assert_eq!(contact["name"], "floor");
    assert_eq!(contact["surfaces"][1], "circle");
    assert_eq!(contact["static_friction"], 0.4);
    let json = place
        .run(&["check", "model.toml", "--json"])
        .exits(0)
        .json();
    let gap = json["contacts"][0]["initial_gap"].as_f64().unwrap();
    assert!((gap - 1.0).abs() < 1e-12, "{gap}");
    let text = place.run(&["check", "model.toml"]).exits(0).out;
    for words in [
        "1 contact",
        "`floor`: line (ground) – circle (ball)",
        "starts open, gap 1 m",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let _ = place.run(&["run", "model.toml", "--out", "r"]).exits(0);
    let scene = place.json("r/scene.json");
    assert_eq!(scene["joints"].as_array().unwrap().len(), 0, "{scene}");
    let _ = place
        .run(&["derive", "model.toml"])
        .exits(0)
        .says(&["contact `floor` is not part of the equations"]);
}

#[test]
fn the_json_of_a_run_has_the_figures_of_its_contacts() {
    let place = with(BALL);
    let done = place.run(&["run", "model.toml", "--json", "--out", "r"]);
    let json = done.exits(0).json();
    let contacts = &json["statistics"]["contacts"];
    assert_eq!(contacts["accumulation_points"], 1, "{json}");
    assert!(contacts["impacts"].as_u64() > Some(3), "{json}");
    assert_eq!(contacts["simultaneous_impacts"], 0, "{json}");
    assert!(contacts["largest_residual"].as_f64() < Some(1e-9), "{json}");
}

#[test]
fn a_sweep_varies_the_restitution() {
    // one impact, with the kinetic energy of 10 J; the ball at rest on the floor has 1 J
    let place = with(&BALL.replace("\"2 s\"", "\"0.8 s\""));
    let options = ["sweep", "model.toml", "--csv", "--quiet", "--out", "s"];
    let _ = place.run(&options).exits(0);
    let table = place.text("s/table.csv");
    let mut lines = table.lines();
    let mut heads = lines.next().unwrap().split(',');
    let kept = heads.position(|head| head.starts_with("kept")).unwrap();
    let kept = lines.map(|line| line.split(',').nth(kept).unwrap().parse::<f64>().unwrap());
    for (kept, e) in kept.zip([0.0, 0.5, 0.8_f64]) {
        assert!((kept - 1.0 - 10.0 * e * e).abs() < 1e-9, "{table}");
    }
    assert_eq!(table.lines().count(), 4, "{table}");
    // a single run with another value
    let set = [
        "run",
        "model.toml",
        "--set",
        "e=0.8",
        "--json",
        "--out",
        "r",
    ];
    let json = place.run(&set).exits(0).json();
    assert_eq!(json["statistics"]["contacts"]["impacts"], 1, "{json}");
}

#[test]
fn failures_of_contacts_are_explained() {
    let buried = BALL.replace("1.1 m", "99 mm");
    let place = with(&buried);
    let _ = place
        .run(&["run", "model.toml", "--out", "r"])
        .exits(5)
        .says(&[
            "contact `floor` (model.toml:",
            "is penetrated by 1.000000e-3 m at t = 0.000000 s",
            "biela explain initial-penetration",
        ]);
    for word in [
        "contact",
        "friction",
        "accumulation",
        "restitution",
        "penetration",
        "painleve",
        "initial-penetration",
        "painleve-paradox",
        "no-consistent-contact-modes",
        "friction-sticks",
    ] {
        let _ = place.run(&["explain", word]).exits(0);
    }
}

/// Three balls above a floor; two of them are connected by a joint.
const BALLS: &str = r#"format = 1
name = "balls"
space = "planar"
gravity = [0, -10]
[[material]]
name = "steel"
[[material_pair]]
between = ["steel", "steel"]
friction = 0.2
restitution = 0.5
rolling_resistance = "1 mm"
[ground]
material = "steel"
[[body]]
name = "a"
mass = "1 kg"
material = "steel"
shapes = [{ type = "sphere", radius = "0.1 m" }]
position = [0, "0.4 m"]
[[body]]
name = "b"
mass = "1 kg"
material = "steel"
shapes = [{ type = "sphere", radius = "0.1 m" }, { type = "sphere", radius = "0.05 m", at = [0, "0.15 m"] }]
position = [1, "0.4 m"]
[[body]]
name = "c"
mass = "1 kg"
shapes = [{ type = "sphere", radius = "0.1 m" }]
position = [1, "0.7 m"]
[[joint]]
name = "hinge"
type = "revolute"
between = ["b", "c"]
[contacts]
surfaces = [{ on = "ground", type = "line" }]
friction = 0.1
[[sensor]]
name = "doubled"
value = "2*contact.a.b.s2.gap"
[study]
duration = "2 s"
output_step = "10 ms"
[output]
signals = ["contact.ground.a.normal", "doubled"]
"#;

#[test]
fn generated_contacts_have_names_laws_and_signals() {
    let place = with(BALLS);
    let info = place.run(&["info", "model.toml", "--json"]).exits(0).json();
    let contacts = info["contacts"].as_array().unwrap();
    let names: Vec<&str> = contacts
        .iter()
        .map(|contact| contact["name"].as_str().unwrap())
        .collect();
    let expected = [
        "contact.ground.a",
        "contact.ground.b.s1",
        "contact.ground.b.s2",
        "contact.ground.c",
        "contact.a.b.s1",
        "contact.a.b.s2",
        "contact.a.c",
    ];
    assert_eq!(names, expected);
    // of the materials, and of `[contacts]` where a surface has none
    assert_eq!(contacts[0]["friction"], 0.2);
    assert_eq!(contacts[0]["rolling_resistance"], 1e-3);
    assert_eq!(contacts[3]["friction"], 0.1);
    assert_eq!(contacts[3]["materials"], serde_json::json!(["steel", null]));
    let check = place.run(&["check", "model.toml"]).exits(0).out;
    assert!(check.contains("7 contacts"), "{check}");
    let options = ["run", "model.toml", "--csv", "--out", "r"];
    let _ = place.run(&options).exits(0);
    let normal = *column(&place, "r", "contact.ground.a.normal")
        .last()
        .unwrap();
    assert!((normal - 10.0).abs() < 1e-9, "{normal}");
    assert!(*column(&place, "r", "doubled").last().unwrap() > 0.0);
}

#[test]
fn initial_penetrations_are_reported_and_resolved_on_request() {
    let place = with(&BALL.replace("1.1 m", "99 mm"));
    let checked = place.run(&["check", "model.toml"]).exits(0).out;
    assert!(checked.contains("penetrates by 0.001 m"), "{checked}");
    let json = place
        .run(&["check", "model.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(json["contacts"][0]["starts"], "penetrating", "{json}");
    let _ = place
        .run(&["run", "model.toml", "--resolve-penetration", "--out", "r"])
        .exits(0)
        .says(&["body `ball` moved by 0.001 m"]);
    let resolving = "[study]\nresolve_penetration = true";
    let place = with(&BALL.replace("1.1 m", "99 mm").replace("[study]", resolving));
    let json = place
        .run(&["check", "model.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(json["contacts"][0]["starts"], "closed", "{json}");
    let _ = place.run(&["run", "model.toml", "--out", "r"]).exits(0);
}

#[test]
fn statics_lists_the_forces_of_contacts() {
    let statics = "[study]\nanalysis = \"statics\"\n";
    let model = BALL.replace("1.1 m", "0.1 m");
    let model = model.split("[study]").next().unwrap().to_owned() + statics;
    let place = with(&model);
    let done = place.run(&["run", "model.toml", "--json", "--out", "r"]);
    let json = done.exits(0).json();
    let force = &json["equilibria"][0]["supports"]["forces"][0];
    assert_eq!(force["element"], "contact `floor`", "{json}");
    assert!(force["normal"].as_f64() > Some(0.0), "{json}");
    let _ = place
        .run(&["run", "model.toml", "--out", "r"])
        .exits(0)
        .says(&["normal force", "contact `floor`"]);
}

#[test]
fn a_force_that_jumps_opens_a_contact_at_its_instant() {
    let jump = BALL.replace("1.1 m", "0.1 m")
        + "[[force]]\nname = \"pull\"\ntype = \"force\"\nat = \"ball\"\nvalue = [0, \"30*step(t - 0.5)\"]\n";
    let place = with(&jump.replace("\"2 s\"", "\"1 s\""));
    let _ = place
        .run(&["run", "model.toml", "--csv", "--out", "r"])
        .exits(0);
    let normal = column(&place, "r", "floor.normal");
    assert!(normal.iter().all(|n| *n >= 0.0), "{normal:?}");
    assert!((normal[49] - 10.0).abs() < 1e-12 && normal[50] == 0.0);
    let y = *column(&place, "r", "ball.y").last().unwrap();
    // half of 20 m/s² for half a second
    assert!((y - 2.6).abs() < 1e-9, "{y}");
}

#[test]
fn an_event_of_the_slip_marks_the_begin_of_stick() {
    let pushed = SLOPE.replace("mu = 0.3", "mu = 0.4").replace(
        "angle = \"slope\"\n[[contact]]",
        "angle = \"slope\"\nvelocity = [\"2*cos(slope)\", \"2*sin(slope)\"]\n[[contact]]",
    ) + "[[event]]\nname = \"stops\"\nwhen = \"plane.slip\"\n";
    let place = with(&pushed);
    let _ = place
        .run(&["run", "model.toml", "--csv", "--out", "r"])
        .exits(0);
    let manifest = place.json("r/manifest.json");
    let events = find(&manifest, "events").unwrap_or_else(|| panic!("{manifest}"));
    let slope = 20.0_f64.to_radians();
    let stops = 2.0 / (10.0 * (slope.sin() + 0.4 * slope.cos()));
    let times: Vec<f64> = events
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|event| event["time"].as_f64())
        .collect();
    assert_eq!(times.len(), 1, "{events}");
    assert!((times[0] - stops).abs() < 1e-9, "{events}");
    assert_eq!(*column(&place, "r", "plane.slip").last().unwrap(), 0.0);
}

const CAM: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/contact/cam-lift-off/model.toml"
);

/// Runs the cam at a multiple of its critical speed and checks the times at which the follower leaves it.
fn lifts_off(ratio: f64, count: usize, options: &[&str]) {
    // m e ω² sin φ = m g + F₀ + k e (1 + sin φ), φ from −90°
    let (g, e, m, k, f): (f64, f64, f64, f64, f64) = (9.81, 0.01, 0.6, 2000.0, 30.0);
    let speed = ratio * ((g + f / m) / e + 2.0 * k / m).sqrt();
    let phase = ((m * g + f + k * e) / (m * e * speed * speed - k * e)).asin();
    let first = (std::f64::consts::FRAC_PI_2 + phase) / speed;
    let place = Place::new();
    let ratio = format!("ratio={ratio}");
    let run = ["run", CAM, "--out", "r", "--set", &ratio];
    let _ = place.run(&[&run[..], options].concat()).exits(0);
    let manifest = place.json("r/manifest.json");
    let events = find(&manifest, "events").unwrap().as_array().unwrap();
    assert_eq!(events.len(), count, "{options:?} {events:?}");
    for (n, event) in events.iter().enumerate() {
        let expected = first + n as f64 * std::f64::consts::TAU / speed;
        let time = event["time"].as_f64().unwrap();
        assert!((time - expected).abs() < 1e-7, "{options:?} {events:?}");
    }
}

#[test]
fn a_contact_opens_where_its_force_vanishes_with_every_method() {
    for options in [
        ["--formulation", "absolute"],
        ["--formulation", "tree"],
        ["--method", "nullspace"],
        ["--method", "tangent"],
    ] {
        lifts_off(1.1, 6, &options);
    }
}

#[test]
fn a_lift_off_shorter_than_a_step_is_located() {
    for integrator in ["dopri5", "dop853", "abm", "bdf"] {
        lifts_off(1.0001, 5, &["--integrator", integrator]);
    }
}

#[test]
fn a_wheel_comes_to_rest_where_nothing_drives_it() {
    let place = Place::new();
    let model = CAM.replace("cam-lift-off", "geneva-drive");
    for formulation in ["absolute", "tree"] {
        let _ = place
            .run(&[
                "run",
                &model,
                "--set",
                "speed=90 rpm",
                "--formulation",
                formulation,
                "--csv",
                "--out",
                formulation,
            ])
            .exits(0);
        let angle = column(&place, formulation, "axle.angle");
        let turned = (angle[angle.len() - 1] - angle[0]).to_degrees();
        // a quarter of a turn in each revolution, and the play of the slots
        assert!((turned.abs() - 270.0).abs() < 1.0, "{turned}");
    }
}

#[test]
fn a_gripped_box_leaves_the_floor_that_its_grip_made_redundant() {
    let place = with(GRIPPED);
    let _ = place
        .run(&["run", "model.toml", "--csv", "--out", "r"])
        .exits(0);
    let height = column(&place, "r", "box.y");
    let palm = column(&place, "r", "slide.position");
    let open = column(&place, "r", "floor.state");
    for ((y, palm), open) in height.iter().zip(&palm).zip(&open).skip(1) {
        assert!((y - palm - 0.03).abs() < 1e-12, "{y} {palm}");
        // below, the height is the rounding of rest
        let raised = *palm > 1e-9;
        assert_eq!(*open > 0.0, !raised, "{palm}");
    }
    assert!((palm[palm.len() - 1] - 0.1).abs() < 1e-9);
}
