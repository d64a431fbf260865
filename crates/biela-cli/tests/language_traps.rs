//! Traps of the language: texts that are ambiguous, have the wrong unit, or are invalid.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Done, Place};

fn check(model: &str) -> Done {
    let place = Place::new();
    place.write("model.toml", model);
    place.run(&["check", "model.toml"])
}

/// A body on a joint of this type, with these elements.
fn with_joint(kind: &str, elements: &str) -> String {
    format!(
        "format = 1\nname = \"trap\"\nspace = \"planar\"\n\
         [[body]]\nname = \"a\"\nmass = 1\ninertia = 0.01\n\
         [[joint]]\nname = \"ja\"\ntype = \"{kind}\"\nbetween = [\"ground\", \"a\"]\n\
         {elements}\n[study]\nduration = \"0.1 s\"\n"
    )
}

fn actuator(effort: &str) -> String {
    format!(
        "[[force]]\nname = \"drive\"\ntype = \"actuator\"\njoint = \"ja\"\neffort = \"{effort}\"\n"
    )
}

#[test]
fn a_parameter_named_like_a_unit_is_an_error_that_names_both() {
    for effort in ["10 N*m", "10 N*m*1", "2*(10 N*m)"] {
        let model = with_joint(
            "revolute",
            &format!("[parameters]\nm = \"2 mm\"\n{}", actuator(effort)),
        );
        let _ = check(&model).exits(3).says(&[
            "error[ambiguous-unit]",
            "`m` could be the unit or the parameter `m`",
            "10 [N*m]",
            "10 [N] * m",
        ]);
    }
    // with brackets or spaces there is one meaning
    for (effort, expected) in [("10 [N*m]", 10.0), ("10 [N] * m", 0.02), ("10 N * m", 0.02)] {
        let model = with_joint(
            "revolute",
            &format!("[parameters]\nm = \"2 mm\"\n{}", actuator(effort)),
        );
        let place = Place::new();
        place.write("model.toml", &model);
        let _ = place
            .run(&["run", "model.toml", "--csv", "--signals", "drive.effort"])
            .exits(0);
        let csv = place.text("results/trap/data.csv");
        let row = csv.lines().nth(1).unwrap();
        let value: f64 = row.split(',').nth(1).unwrap().parse().unwrap();
        assert!((value - expected).abs() < 1e-15, "{effort}: {row}");
    }
    // a mass cannot be meant where the metre is
    let model = with_joint(
        "revolute",
        &format!("[parameters]\nm = \"2 kg\"\n{}", actuator("10 N*m")),
    );
    let _ = check(&model).exits(0);
    // nor does the order of parameters matter
    let model = with_joint("revolute", "[parameters]\nT = \"10 N*m\"\nm = \"2 mm\"\n");
    let _ = check(&model).exits(3).says(&["parameter `T`"]);
}

#[test]
fn the_unit_of_a_joint_force_follows_from_its_coordinate() {
    for (kind, keys, wanted) in [
        (
            "prismatic",
            "type = \"actuator\"\neffort = \"3 N*m\"",
            "force (N)",
        ),
        ("revolute", "type = \"actuator\"\neffort = \"3 N\"", "N*m"),
        (
            "revolute",
            "type = \"joint-spring-damper\"\nstiffness = \"3 N/m\"",
            "N*m",
        ),
        (
            "prismatic",
            "type = \"joint-damping\"\ndamping = \"3 N*m*s/rad\"",
            "N*s/m",
        ),
        (
            "revolute",
            "type = \"joint-friction\"\ncoulomb = \"3 N\"",
            "N*m",
        ),
        ("revolute", "type = \"motor\"\neffort = \"3 N\"", "N*m"),
    ] {
        let force = format!("[[force]]\nname = \"f\"\njoint = \"ja\"\n{keys}\n");
        let found = check(&with_joint(kind, &force)).exits(3);
        let _ = found.says(&["error[wrong-unit]", wanted]);
    }
}

#[test]
fn results_have_the_units_of_joint_forces() {
    for (kind, unit, effort) in [("revolute", "N*m", "3 N*m"), ("prismatic", "N", "3 N")] {
        let place = Place::new();
        place.write("model.toml", &with_joint(kind, &actuator(effort)));
        let _ = place
            .run(&["run", "model.toml", "--signals", "drive.effort"])
            .exits(0);
        let manifest = place.json("results/trap/manifest.json");
        let columns = manifest["columns"].as_array().unwrap();
        let column = columns
            .iter()
            .find(|c| c["name"] == "drive.effort")
            .unwrap();
        assert_eq!(column["unit"], unit);
    }
}

#[test]
fn the_number_of_beam_elements_may_be_a_parameter() {
    let model = |elements: &str| {
        format!(
            "format = 1\nspace = \"planar\"\n[parameters]\nn = 6\n[[beam]]\nname = \"rod\"\nfrom = [0, 0]\nto = [1, 0]\nelements = {elements}\n\
             density = \"7850 kg/m^3\"
young = \"210 GPa\"
section = {{ type = \"circle\", radius = \"5 mm\" }}
"
        )
    };
    let place = Place::new();
    place.write("model.toml", &model("\"2*n\""));
    let info = place.run(&["info", "model.toml", "--json"]).exits(0).json();
    assert_eq!(info["beams"][0]["elements"], 12);
    place.write("model.toml", &model("\"n/4\""));
    let _ = place
        .run(&["check", "model.toml"])
        .exits(3)
        .says(&["`elements` of beam `rod` must be an integer", "1.5"]);
}

#[test]
fn the_duration_of_an_included_model_can_be_changed() {
    let place = Place::new();
    place.write("part.toml", &with_joint("revolute", ""));
    place.write(
        "model.toml",
        "format = 1\nname = \"whole\"\ninclude = [\"part.toml\"]\n[study]\nduration = \"0.3 s\"\n",
    );
    let done = place.run(&["run", "model.toml", "--json"]).exits(0);
    assert_eq!(done.json()["last_time"], 0.3);
    // two included files still have to agree, unless the including one says
    place.write("other.toml", "[study]\nduration = \"5 s\"\n");
    let both = "format = 1\nname = \"whole\"\ninclude = [\"part.toml\", \"other.toml\"]\n";
    place.write("model.toml", both);
    let _ = place
        .run(&["check", "model.toml"])
        .exits(3)
        .says(&["`duration` is given in two files"]);
    place.write(
        "model.toml",
        &format!("{both}[study]\nduration = \"0.2 s\"\n"),
    );
    let done = place.run(&["run", "model.toml", "--json"]).exits(0);
    assert_eq!(done.json()["last_time"], 0.2);
}

#[test]
fn a_run_records_other_signals_and_the_error_of_plot_names_the_option() {
    let place = Place::new();
    place.write("model.toml", &with_joint("revolute", &actuator("1")));
    let columns = |signals: &str| {
        let _ = place
            .run(&["run", "model.toml", "--csv", "--signals", signals])
            .exits(0);
        let csv = place.text("results/trap/data.csv");
        csv.lines().next().unwrap().to_owned()
    };
    assert_eq!(columns("drive.effort,ja.r*e"), "time,drive.effort,ja.rate");
    let besides = columns("+drive.effort");
    assert!(besides.contains("ja.angle") && besides.ends_with(",drive.effort"));
    let _ = place
        .run(&["run", "model.toml", "--signals", "drive.efort"])
        .exits(2)
        .says(&["--signals", "did you mean `drive.effort`?"]);
    let _ = place.run(&["run", "model.toml"]).exits(0);
    let _ = place
        .run(&["plot", "results/trap", "drive.power"])
        .says(&["no signal `drive.power`", "--signals +drive.power"]);
}
