//! Components: instances, arrays and placements are the models that one would write by hand.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may panic as tests do"
)]

use std::fmt::Write;

use biela_core::model::{Model, Motion};
use biela_model::document::MemoryLoader;
use biela_model::lower::{ModelText, load_with};
use biela_model::{Loaded, Overrides, parse};

fn lowered(text: &str) -> biela_model::Lowered {
    whole(parse("model.toml", text, &Overrides::default()))
}

fn whole(loaded: Loaded) -> biela_model::Lowered {
    let style = biela_model::diagnostic::ReportStyle::Plain;
    let report = loaded.diagnostics.render(&loaded.sources, style);
    assert_eq!(report, "");
    loaded.model.unwrap()
}

/// Everything that determines the motion, with all digits; `rename` maps the names.
fn described(model: &Model, rename: impl Fn(&str) -> String) -> String {
    let mut text = format!(
        "{:?} {:?} {:?}\n",
        model.space, model.gravity, model.ground_shapes
    );
    for body in &model.bodies {
        let name = rename(&body.name);
        let _ = writeln!(
            text,
            "{name} {:?} {:?} {:?} {:?}",
            body.mass, body.shapes, body.start, body.velocity
        );
    }
    for marker in &model.markers {
        let _ = writeln!(
            text,
            "{} {:?} {:?}",
            rename(&marker.name),
            marker.body,
            marker.pose
        );
    }
    for joint in &model.joints {
        let name = rename(&joint.name);
        let _ = writeln!(
            text,
            "{name} {:?} {:?} {:?}",
            joint.joint, joint.first, joint.second
        );
    }
    for force in &model.forces {
        let _ = writeln!(text, "{} {:?}", rename(&force.name), force.force);
    }
    text
}

const LINK: &str = r#"
format = 1
space = "planar"
gravity = [0, -9.81]

[component.link]
ports = { from = "frame" }
parameters = { length = { unit = "m" }, mass = "3 [kg/m]*length" }

[[component.link.body]]
name = "rod"
mass = "mass"
inertia = "mass*length^2/12"
com = ["length/2", 0]
points = { tip = ["length", 0] }

[[component.link.joint]]
name = "pin"
type = "revolute"
between = ["from", "rod"]

[[component.link.force]]
name = "rubbing"
type = "joint-damping"
joint = "pin"
damping = "0.01 [m^2/s]*mass"
"#;

#[test]
fn an_array_is_the_model_written_by_hand() {
    let array = format!(
        "{LINK}
[[instance]]
name = \"link\"
component = \"link\"
count = 4
parameters = {{ length = \"0.1 m*(1 + index/count)\" }}
connect = {{ from = \"previous.rod.tip\" }}
first = {{ from = \"ground\" }}
"
    );
    let mut hand = "format = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n".to_owned();
    for index in 0..4 {
        let _ = write!(
            hand,
            "[parameters]\nlength{index} = \"0.1 m*(1 + {index}/4)\"\nmass{index} = \"3 [kg/m]*length{index}\"\n"
        );
    }
    // one table of parameters, then the elements
    let hand = hand.replacen("[parameters]\n", "[PARAMETERS]\n", 1);
    let mut hand = hand
        .replace("[parameters]\n", "")
        .replace("[PARAMETERS]", "[parameters]");
    for index in 0..4 {
        let from = match index {
            0 => "ground".to_owned(),
            _ => format!("rod{}.tip", index - 1),
        };
        let _ = write!(
            hand,
            "[[body]]\nname = \"rod{index}\"\nmass = \"mass{index}\"\ninertia = \"mass{index}*length{index}^2/12\"
com = [\"length{index}/2\", 0]\npoints = {{ tip = [\"length{index}\", 0] }}
[[joint]]\nname = \"pin{index}\"\ntype = \"revolute\"\nbetween = [\"{from}\", \"rod{index}\"]
[[force]]\nname = \"rubbing{index}\"\ntype = \"joint-damping\"\njoint = \"pin{index}\"\ndamping = \"0.01 [m^2/s]*mass{index}\"\n"
        );
    }
    let rename = |name: &str| match name.strip_prefix("link").and_then(|n| n.split_once('.')) {
        Some((index, own)) => format!("{own}{index}"),
        None => name.to_owned(),
    };
    let (array, hand) = (lowered(&array).model, lowered(&hand).model);
    assert_eq!(described(&array, rename), described(&hand, str::to_owned));
    assert_eq!(array.bodies.len(), 4);
}

#[test]
fn an_array_is_the_instances_written_one_by_one() {
    let array = format!(
        "{LINK}
[[instance]]
name = \"link\"
component = \"link\"
count = 3
parameters = {{ length = [\"1 m\", \"2 m\", \"3 m\"] }}
connect = {{ from = [\"ground\", \"link0.rod.tip\", \"link0.rod\"] }}
at = [\"index/count\", 0]
angle = \"2*pi*index/count\"
"
    );
    let mut single = LINK.to_owned();
    for (index, from) in ["ground", "link0.rod.tip", "link0.rod"].iter().enumerate() {
        let _ = write!(
            single,
            "[[instance]]\nname = \"link{index}\"\ncomponent = \"link\"\nparameters = {{ length = \"{} m\" }}
connect = {{ from = \"{from}\" }}\nat = [\"{index}/3\", 0]\nangle = \"2*pi*{index}/3\"\n",
            index + 1
        );
    }
    let (array, single) = (lowered(&array), lowered(&single));
    let same = str::to_owned;
    assert_eq!(
        described(&array.model, same),
        described(&single.model, same)
    );
    let names = |of: &biela_model::Lowered| -> Vec<String> {
        of.parameters
            .list
            .iter()
            .map(|p| format!("{} {}", p.name, p.value))
            .collect()
    };
    assert_eq!(names(&array), names(&single));
    assert_eq!(names(&array)[4], "link2.length 3");
}

const PLACED: &str = r#"
format = 1
space = "spatial"

[component.inner.ground]
points = { A = [1, 0, 0] }
frames = { F = { at = [0, 2, 0], rotation = { axis = [1, 0, 0], angle = "90 deg" } } }
shapes = [{ type = "sphere", radius = 1, at = [0, 0, 3] }]

[[component.inner.body]]
name = "ball"
mass = 1
inertia = [1, 2, 3]
points = { P = [1, 2, 3] }
position = [4, 0, 0]
rotation = { axis = [0, 0, 1], angle = "45 deg" }
velocity = [0, 1, 0]
omega = [1, 0, 0]

[[component.inner.joint]]
name = "a"
type = "spherical"
between = ["ground.A", "ball"]

[[component.inner.joint]]
name = "f"
type = "spherical"
between = ["ground.F", "ball"]

[[component.inner.joint]]
name = "o"
type = "spherical"
between = ["ground", "ball.P"]

[component.outer]
[[component.outer.instance]]
name = "inner"
component = "inner"
at = [10, 0, 0]
rotation = { axis = [0, 0, 1], angle = "90 deg" }

[[instance]]
name = "x"
component = "outer"
at = [0, 0, 100]
rotation = { axis = [0, 1, 0], angle = "180 deg" }
"#;

#[test]
fn nested_placements_move_poses_velocities_and_the_ground() {
    let model = lowered(PLACED).model;
    // inner: (x, y, z) → (10 − y, x, z); outer: (x, y, z) → (−x, y, 100 − z)
    let placed = |x: f64, y: f64, z: f64| [-(10.0 - y), x, 100.0 - z];
    let near = |found: &[f64], expected: [f64; 3]| {
        let close = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close, "{found:?} {expected:?}");
    };
    let marker = |name: &str| {
        model
            .markers
            .iter()
            .find(|marker| marker.name == name)
            .unwrap()
    };
    near(marker("x.inner.A").pose.p.as_slice(), placed(1.0, 0.0, 0.0));
    near(marker("x.inner.F").pose.p.as_slice(), placed(0.0, 2.0, 0.0));
    near(marker("x.inner").pose.p.as_slice(), placed(0.0, 0.0, 0.0));
    // the z axis of F is −y of the component
    let z = marker("x.inner.F").pose.R.column(2).into_owned();
    near(z.as_slice(), [-1.0, 0.0, 0.0]);
    near(marker("P").pose.p.as_slice(), [1.0, 2.0, 3.0]);
    near(
        model.ground_shapes[0].pose.p.as_slice(),
        placed(0.0, 0.0, 3.0),
    );
    let ball = &model.bodies[0];
    near(ball.start.pose.unwrap().p.as_slice(), placed(4.0, 0.0, 0.0));
    let velocity = ball.velocity.unwrap();
    near(velocity.linear.as_slice(), [1.0, 0.0, 0.0]);
    near(velocity.angular.as_slice(), [0.0, 1.0, 0.0]);
    // without a placement the frame of a component is that of the ground
    let alone = PLACED
        .replace("at = [10, 0, 0]", "")
        .replace("at = [0, 0, 100]", "");
    let alone: String = alone
        .lines()
        .filter(|l| !l.contains("180 deg") && !l.contains("axis = [0, 0, 1], angle = \"90"))
        .fold(String::new(), |text, line| text + line + "\n");
    let model = lowered(&alone).model;
    assert!(model.markers.iter().all(|marker| marker.name != "x.inner"));
}

#[test]
fn a_signal_port_takes_any_formula() {
    let effort = |command: &str| {
        let text = format!(
            "format = 1\nspace = \"planar\"\ngravity = [0, \"k\"]\n[parameters]\nk = 3\n[component.motor]\nports = {{ command = \"signal\", at = \"frame\" }}
[[component.motor.body]]\nname = \"rotor\"\nmass = 1\ninertia = 1
[[component.motor.joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"at\", \"rotor\"]
[[component.motor.driver]]\nname = \"drive\"\non = \"pin\"\nvalue = \"2*command - 1\"
[[instance]]\nname = \"m\"\ncomponent = \"motor\"\nconnect = {{ command = \"{command}\", at = \"ground\" }}\n"
        );
        match &lowered(&text).model.drivers[0].motion {
            Motion::Function(function) => function.value(0.5, &[]),
            other => panic!("{other:?}"),
        }
    };
    let same = |a: &str, b: &str| assert!((effort(a) - effort(b)).abs() < 1e-15, "{a} {b}");
    same("30 deg", "pi/6");
    same("-1.5e1 deg", "-pi/12");
    same("2 [m/m]", "2");
    same("1 + k", "4");
    same("k*sin(t)", "3*sin(0.5)");
}

#[test]
fn parameters_of_instances_are_set_by_their_paths() {
    let text = format!(
        "{LINK}\n[[instance]]\nname = \"a\"\ncomponent = \"link\"\nparameters = {{ length = \"1 m\" }}\nconnect = {{ from = \"ground\" }}\n"
    );
    let model = ModelText::of("m.toml", [("m.toml", text.as_str())]).unwrap();
    let mass = |overrides: &[&str]| {
        let loaded = model.model(&Overrides::new(overrides.iter().copied()));
        loaded
            .model
            .map(|lowered| lowered.model.bodies[0].mass.mass)
    };
    assert_eq!(mass(&[]), Some(3.0));
    assert_eq!(mass(&["a.length=50 cm"]), Some(1.5));
    assert_eq!(mass(&["a.length=50 cm", "a.mass=2 kg"]), Some(2.0));
    assert_eq!(mass(&["a.length=2 kg"]), None);
    assert_eq!(mass(&["a.lenght=2 m"]), None);
    assert_eq!(mass(&["a..length=2 m"]), None);
    let names: Vec<String> = model.texts().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(names, ["m.toml"]);
}

#[test]
fn a_component_used_a_hundred_times_reports_its_mistake_once_with_the_first_use() {
    let text = format!(
        "{}[[instance]]\nname = \"a\"\ncomponent = \"link\"\ncount = 100\nparameters = {{ length = 1 }}\nconnect = {{ from = \"ground\" }}\n",
        LINK.replace(
            "between = [\"from\", \"rod\"]",
            "between = [\"from\", \"rodd\"]"
        )
    );
    let loaded = parse("m.toml", &text, &Overrides::default());
    assert_eq!(loaded.diagnostics.errors(), 1);
    let report = loaded.diagnostics.to_json(&loaded.sources);
    let found = &report["diagnostics"][0];
    let line_of = |part: &str| 1 + text.lines().position(|line| line.contains(part)).unwrap();
    assert_eq!(found["line"], line_of("rodd"));
    assert_eq!(found["column"], 20);
    assert_eq!(found["secondary"][0]["line"], line_of("[[instance]]"));
    assert_eq!(
        found["secondary"][0]["label"],
        "in instance `a0` of component `link`"
    );
}

#[test]
fn component_files_are_read_from_the_folder_of_the_model_only() {
    let part = "[[body]]\nname = \"rod\"\nmass = 1\ninertia = 1\n[[joint]]\nname = \"free\"\ntype = \"free\"\nbetween = [\"ground\", \"rod\"]\n";
    let model = |file: &str| {
        format!(
            "format = 1\nspace = \"planar\"\n[component.rod]\nfile = \"{file}\"\n[[instance]]\nname = \"a\"\ncomponent = \"rod\"\n"
        )
    };
    let load = |file: &str| {
        let files = [("m.toml", model(file)), ("parts/rod.toml", part.to_owned())];
        load_with("m.toml", &MemoryLoader::new(files), &Overrides::default())
    };
    assert_eq!(whole(load("parts/rod.toml")).model.bodies[0].name, "a.rod");
    for file in [
        "../rod.toml",
        "/etc/passwd",
        "parts/../../rod.toml",
        "m.toml",
        "rod.toml",
    ] {
        assert!(load(file).model.is_none(), "{file}");
    }
}

#[test]
fn files_of_components_that_multiply_are_bounded() {
    // each of the 30 components of a file is read from the next file
    let level = |next: usize| {
        (0..30).fold(String::new(), |text, k| {
            text + &format!("[component.c{k}]\nfile = \"{next}.toml\"\n")
        })
    };
    let mut files = vec![(
        "m.toml".to_owned(),
        format!("format = 1\nspace = \"planar\"\n{}", level(0)),
    )];
    files.extend((0..6).map(|k| (format!("{k}.toml"), level(k + 1))));
    files.push(("6.toml".to_owned(), String::new()));
    let loaded = load_with("m.toml", &MemoryLoader::new(files), &Overrides::default());
    let codes: Vec<&str> = loaded.diagnostics.sorted().iter().map(|d| d.code).collect();
    assert!(codes.contains(&"include-count"), "{codes:?}");
}

#[test]
fn five_thousand_bodies_in_a_hundred_instances_are_read() {
    let text = format!(
        "{LINK}
[component.arm]
[[component.arm.instance]]
name = \"link\"
component = \"link\"
count = 50
parameters = {{ length = \"20 mm\" }}
connect = {{ from = \"previous.rod.tip\" }}
first = {{ from = \"ground\" }}
[[instance]]
name = \"arm\"
component = \"arm\"
count = 100
at = [\"0.1*index\", 0]
"
    );
    let lowered = lowered(&text);
    assert_eq!(lowered.model.bodies.len(), 5000);
    assert_eq!(lowered.components.len(), 5100);
    assert_eq!(lowered.components[1].path, "arm0.link0");
    assert_eq!(lowered.components[2].array, Some((1, 50)));
    let last = lowered.model.joints.last().unwrap();
    assert_eq!(last.name, "arm99.link49.pin");
}

#[test]
fn hostile_components_end_with_a_message_in_bounded_memory() {
    let model = |component: &str, name: &str| {
        format!(
            "format = 1\nspace = \"planar\"\n[component.a]\n{component}\n[[instance]]\nname = \"{name}\"\ncomponent = \"a\"\ncount = 10000\n"
        )
    };
    let long = "x".repeat(300_000);
    let ports: String = (0..20_000).fold("[component.a.ports]\n".to_owned(), |text, k| {
        text + &format!("p{k} = \"frame\"\n")
    });
    let texts = [
        // a long text, a long name of an instance, of a body and of a port, and many ports, ten thousand times each
        model(
            &format!("[[component.a.body]]\nname = \"b\"\nmass = \"{long}\""),
            "i",
        ),
        model("[[component.a.body]]\nname = \"b\"", &long),
        model(&format!("[[component.a.body]]\nname = \"{long}\""), "i"),
        model(&format!("[component.a.parameters]\n{long} = 1"), "i"),
        model(&ports, "i"),
    ];
    for text in texts {
        let loaded = parse("m.toml", &text, &Overrides::default());
        let codes: Vec<&str> = loaded.diagnostics.sorted().iter().map(|d| d.code).collect();
        assert!(
            codes.contains(&"too-many-instances") || loaded.diagnostics.left_out() > 0,
            "{codes:?}"
        );
    }
}
