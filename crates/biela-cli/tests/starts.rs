//! Starts: what is given is had, what is left out is zero relative to the parent, and whatever assembly changes is listed.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::fmt::Write as _;

use common::{Done, Place};

/// Bodies of mass 1 and inertia 1 by these names.
fn bodies(names: &[&str]) -> String {
    let body = |name: &&str| format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = 1\n");
    names.iter().map(body).collect()
}

fn revolute(name: &str, between: [&str; 2], rest: &str) -> String {
    let [first, second] = between;
    format!(
        "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]\n{rest}\n"
    )
}

fn planar(elements: &[String]) -> String {
    format!(
        "format = 1\nname = \"start\"\nspace = \"planar\"\n{}",
        elements.concat()
    )
}

/// The signals of the first row of a run.
fn first_row(model: &str, formulation: &str) -> impl Fn(&str) -> f64 + use<> {
    let place = Place::new();
    place.write("model.toml", model);
    let _ = place
        .run(&[
            "run",
            "model.toml",
            "--csv",
            "--to",
            "1 ms",
            "--output-step",
            "1 ms",
            "--formulation",
            formulation,
            "--signals",
            "+*.*",
        ])
        .exits(0);
    let csv = place.text("results/start/data.csv");
    let mut lines = csv.lines().map(str::to_owned);
    let names: Vec<String> = lines
        .next()
        .unwrap()
        .split(',')
        .map(str::to_owned)
        .collect();
    let row: Vec<f64> = lines
        .next()
        .unwrap()
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    move |name| {
        let at = names.iter().position(|n| n == name);
        row[at.unwrap_or_else(|| panic!("no {name} in {names:?}"))]
    }
}

fn check(model: &str, options: &[&str]) -> Done {
    let place = Place::new();
    place.write("model.toml", model);
    place.run(&[&["check", "model.toml"], options].concat())
}

const FORMULATIONS: [&str; 2] = ["absolute", "tree"];

#[test]
fn an_omitted_joint_velocity_is_zero_relative_to_the_parent() {
    let model = planar(&[
        bodies(&["a", "b"]),
        revolute("j1", ["ground", "a"], "initial = { rate = 100 }"),
        revolute("j2", ["a", "b"], ""),
    ]);
    for formulation in FORMULATIONS {
        let at = first_row(&model, formulation);
        assert!((at("j1.rate") - 100.0).abs() < 1e-10 && at("j2.rate").abs() < 1e-10);
    }
    assert!(!check(&model, &["--strict"]).exits(0).out.contains("moving"));
}

#[test]
fn a_driver_moves_the_bodies_on_its_joint() {
    let driver = "[[driver]]\nname = \"motor\"\non = \"j1\"\nvalue = \"100*t\"\n";
    let model = planar(&[
        bodies(&["a", "b"]),
        revolute("j1", ["ground", "a"], ""),
        revolute("j2", ["a", "b"], ""),
        driver.to_owned(),
    ]);
    for formulation in FORMULATIONS {
        let at = first_row(&model, formulation);
        assert!((at("j1.rate") - 100.0).abs() < 1e-10 && at("j2.rate").abs() < 1e-10);
    }
}

#[test]
fn initial_velocities_of_geared_bodies_follow_and_are_listed() {
    let gear = "[[coupler]]\nname = \"gear\"\ntype = \"linear\"\njoints = [\"jb\", \"ja\"]\nfactors = [1, -2]\n";
    let model = planar(&[
        bodies(&["a", "b", "c"]),
        revolute("ja", ["ground", "a"], "initial = { rate = 3 }"),
        revolute("jb", ["ground", "b"], ""),
        revolute("jc", ["b", "c"], ""),
        gear.to_owned(),
    ]);
    for formulation in FORMULATIONS {
        let at = first_row(&model, formulation);
        for (name, expected) in [("ja.rate", 3.0), ("jb.rate", 6.0), ("jc.rate", 0.0)] {
            assert!((at(name) - expected).abs() < 1e-10, "{name} {}", at(name));
        }
    }
    let found = check(&model, &["--strict"]).exits(0);
    assert!(
        found.out.contains("moving") && found.out.contains("`jb.angle` at 6 rad/s"),
        "{}",
        found.out
    );
    assert!(!found.out.contains("jc.angle"), "{}", found.out);
}

/// Two geared wheels and a body on the first; the rate of the second is off by as much.
fn contradictory(off: f64) -> String {
    let gear = "[[coupler]]\nname = \"gear\"\ntype = \"linear\"\njoints = [\"jb\", \"ja\"]\nfactors = [1, -2]\n";
    planar(&[
        bodies(&["a", "b", "c"]),
        revolute("ja", ["ground", "a"], "initial = { rate = 1 }"),
        revolute(
            "jb",
            ["ground", "b"],
            &format!("initial = {{ rate = {} }}", 2.0 + off),
        ),
        revolute("jc", ["a", "c"], "initial = { rate = 5 }"),
        gear.to_owned(),
    ])
}

#[test]
fn slightly_inconsistent_velocities_are_projected_and_not_discarded() {
    for off in [1e-7, 1e-3, 1.0] {
        let model = contradictory(off);
        for formulation in FORMULATIONS {
            let at = first_row(&model, formulation);
            let (a, b, c) = (at("ja.rate"), at("jb.rate"), at("jc.rate"));
            assert!((a - 1.0).abs() < off && (b - 2.0).abs() < off, "{a} {b}");
            assert!((b - 2.0 * a).abs() < 1e-10, "{a} {b}");
            assert!((c - 5.0).abs() < 1e-10, "the independent one stays: {c}");
        }
        let found = check(&model, &["--strict"]).exits(1);
        assert!(
            found.out.contains("`jb.angle` (changed by"),
            "{}",
            found.out
        );
    }
    let _ = check(&contradictory(0.0), &["--strict"]).exits(0);
}

#[test]
fn changes_by_assembly_are_listed_even_if_quiet() {
    let place = Place::new();
    place.write("model.toml", &contradictory(0.1));
    let done = place.run(&["run", "model.toml", "--to", "1 ms", "--quiet"]);
    let _ = done.exits(0).says(&["warning:", "`jb.angle` (changed by"]);
    // a body that is put beside its pin
    let model = planar(&[
        "[[body]]\nname = \"rod\"\nmass = 1\ninertia = 1\nposition = [0.01, 0]\n".to_owned(),
        revolute("pin", ["ground", "rod"], ""),
    ]);
    place.write("model.toml", &model);
    let done = place.run(&["run", "model.toml", "--to", "1 ms", "--quiet"]);
    let _ = done
        .exits(0)
        .says(&["warning: assembly moved `rod` by 0.01 m"]);
    let _ = place
        .run(&["check", "model.toml", "--strict"])
        .exits(1)
        .says(&["not exactly as written"]);
}

/// A rod that is pinned at its end, with these keys.
fn pinned(keys: &str) -> String {
    planar(&[
        format!(
            "[[body]]\nname = \"rod\"\nmass = 1\ninertia = 0.1\npoints = {{ end = [-0.5, 0] }}\nposition = [0.5, 0]\nangle = 0\n{keys}\n"
        ),
        revolute("pin", ["ground", "rod.end"], ""),
    ])
}

#[test]
fn keep_fixes_only_given_values() {
    let _ = check(&pinned("omega = 1\nkeep = true"), &["--strict"]).exits(0);
    let found = check(&pinned("velocity = [0, 1]\nomega = 1\nkeep = true"), &[]);
    let _ = found.exits(4).says(&["cannot keep the initial velocity"]);
}

#[test]
fn omega_of_a_pinned_body_has_its_given_initial_value() {
    for keys in ["omega = 1", "omega = 1\nkeep = true", "velocity = [0, 0.5]"] {
        for formulation in FORMULATIONS {
            let at = first_row(&pinned(keys), formulation);
            let (omega, v) = (at("rod.omega"), at("rod.vy"));
            assert!((omega - 1.0).abs() < 1e-12, "{keys}: {omega}");
            assert!((v - 0.5).abs() < 1e-12, "{keys}: {v}");
        }
        let _ = check(&pinned(keys), &["--strict"]).exits(0);
    }
}

/// A weld to the ground whose frame on the ground is turned about an axis.
fn twisted(axis: [u8; 3]) -> String {
    format!(
        "format = 1\nname = \"start\"\nspace = \"spatial\"\n[ground]\nframes = {{ seat = {{ rotation = {{ axis = {axis:?}, angle = \"90 deg\" }} }} }}\n\
         [[body]]\nname = \"box\"\nmass = 1\ninertia = [1, 2, 2.5]\nposition = [0, 0, 0]\n\
         [[joint]]\nname = \"bolts\"\ntype = \"weld\"\nbetween = [\"ground.seat\", \"box\"]\n"
    )
}

#[test]
fn a_weld_rotated_by_a_right_angle_has_its_own_warning() {
    for axis in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]] {
        let found = check(&twisted(axis), &["--strict"]).exits(1);
        assert!(
            found.out.contains("weld `bolts`") && found.out.contains("90 deg"),
            "{}",
            found.out
        );
    }
}

#[test]
fn the_axis_of_a_rolling_disc_does_not_rotate_its_plane() {
    // a wheel about its own y axis on the ground's horizontal plane
    let model = "format = 1\nname = \"start\"\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n\
         [[body]]\nname = \"wheel\"\nmass = 1\ninertia = [0.1, 0.2, 0.1]\nposition = [0, 0, 0.5]\n\
         velocity = [1, 0, 0]\nomega = [0, 2, 0]\n\
         [[joint]]\nname = \"contact\"\ntype = \"rolling-disc\"\nbetween = [\"ground\", \"wheel\"]\naxis = [0, 1, 0]\nradius = 0.5\n";
    let found = check(model, &["--strict"]).exits(0);
    assert!(found.out.contains("moved      nothing"), "{}", found.out);
    let at = first_row(model, "absolute");
    assert!((at("wheel.vx") - 1.0).abs() < 1e-12 && at("wheel.vz").abs() < 1e-12);
}

#[test]
fn rods_between_all_points_of_a_body_leave_41_degrees_of_freedom_and_not_37() {
    // 38 bodies on a circle, each joined to each other by a rod at its mass centre: 2·38 − 3 independent rows, 38 turns
    let n = 38;
    let place = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / f64::from(n);
        [angle.cos(), angle.sin()]
    };
    let points: Vec<[f64; 2]> = (0..38).map(place).collect();
    let mut model = "format = 1\nname = \"start\"\nspace = \"planar\"\n".to_owned();
    for (k, p) in points.iter().enumerate() {
        let _ = write!(
            model,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = 0.1\nposition = {p:?}\n"
        );
    }
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            let length = (a[0] - b[0]).hypot(a[1] - b[1]);
            let _ = write!(
                model,
                "[[joint]]\nname = \"d{i}-{j}\"\ntype = \"distance\"\nbetween = [\"b{i}\", \"b{j}\"]\nlength = {length:?}\n"
            );
        }
    }
    let report = check(&model, &["--json"]).exits(0).json();
    assert_eq!(report["freedom"], 41);
}
