//! The command `biela linearize`.

use super::common::Place;

/// A cart on a spring with a pendulum below.
const MODEL: &str = r#"
format = 1
name = "crane"
space = "planar"
gravity = [0, -9.81]

[parameters]
k = "40 N/m"
c = 0

[[body]]
name = "cart"
mass = 3
inertia = 0.1

[[body]]
name = "load"
mass = 1
inertia = 0.02
com = [0, -0.5]

[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]

[[joint]]
name = "hook"
type = "revolute"
between = ["cart", "load"]

[[force]]
name = "spring"
type = "joint-spring-damper"
joint = "rail"
stiffness = "k"
damping = "c"

[study]
duration = 1
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("crane.toml", MODEL);
    place
}

#[test]
fn the_table_names_states_and_modes() {
    let done = place().run(&["linearize", "crane.toml"]).exits(0);
    for words in [
        "2 coordinates: rail.position, hook.angle",
        "at rest, in equilibrium",
        "undamped oscillation",
        "hook.angle 1",
    ] {
        assert!(done.out.contains(words), "{}", done.out);
    }
    let swinging = place()
        .run(&["linearize", "crane.toml", "--set", "c=5"])
        .exits(0);
    assert!(
        swinging.out.contains("stable oscillation"),
        "{}",
        swinging.out
    );
}

#[test]
fn json_contains_matrices_and_modes() {
    let done = place()
        .run(&[
            "linearize",
            "crane.toml",
            "--inputs",
            "spring",
            "--outputs",
            "load.x,hook.rate",
            "--json",
        ])
        .exits(0);
    let json = done.json();
    assert_eq!(json["A"].as_array().unwrap().len(), 4);
    assert_eq!(json["B"][0].as_array().unwrap().len(), 1);
    assert_eq!(json["C"].as_array().unwrap().len(), 2);
    assert_eq!(json["C"][1][3], 1.0);
    assert_eq!(json["steady"], true);
    assert_eq!(json["modes"][0]["kind"], "undamped oscillation");
    assert_eq!(json["states"][2]["name"], "rail.rate");
}

#[test]
fn a_folder_contains_matrices_and_poses_over_a_period() {
    let place = place();
    let _ = place
        .run(&[
            "linearize",
            "crane.toml",
            "--inputs",
            "spring",
            "--outputs",
            "load.x",
            "--out",
            "linear",
            "--amplitude",
            "0.05",
        ])
        .exits(0)
        .says(&["wrote linear"]);
    let a = place.text("linear/A.csv");
    assert!(
        a.starts_with(
            ",rail.position,hook.angle,rail.rate,hook.rate\nrail.position,0.0,0.0,1.0,0.0\n"
        ),
        "{a}"
    );
    for (name, lines) in [("A", 5), ("B", 5), ("C", 2), ("D", 2)] {
        assert_eq!(
            place.text(&format!("linear/{name}.csv")).lines().count(),
            lines,
            "{name}"
        );
    }
    assert_eq!(place.text("linear/modes.csv").lines().count(), 3);
    for mode in 1..=2 {
        let period = 1.0
            / place.json("linear/linear.json")["modes"][mode - 1]["frequency"]
                .as_f64()
                .unwrap();
        let results =
            biela::record::Results::open(&place.path(&format!("linear/mode-{mode}"))).unwrap();
        let time = results.column("time").unwrap();
        assert!((time.last().unwrap() / period - 1.0).abs() < 1e-12);
        // it comes back after a period, and its largest motion is the amplitude
        let (cart, load) = (
            results.column("cart.x").unwrap(),
            results.column("load.angle").unwrap(),
        );
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!((cart[0] - cart.last().unwrap()).abs() < 1e-12);
        assert!(largest(cart).max(largest(load)) < 0.05 + 1e-12);
        assert!(largest(cart).max(largest(load)) > 0.02);
    }
    let _ = place
        .run(&["plot", "linear/mode-1", "cart.x", "--out", "mode.svg"])
        .exits(0);
}

#[test]
fn a_sweep_reports_and_plots_changes_of_stability() {
    let place = place();
    let done = place
        .run(&[
            "linearize",
            "crane.toml",
            "--sweep",
            "k=-20:40 N/m:7",
            "--plot",
            "--out",
            "locus",
        ])
        .exits(3);
    // a spring cannot push: the model refuses a negative stiffness
    assert!(done.err.contains("stiffness"), "{}", done.err);
    let done = place
        .run(&[
            "linearize",
            "crane.toml",
            "--sweep",
            "c=0:4:5",
            "--plot",
            "--out",
            "locus",
        ])
        .exits(0)
        .says(&["drew locus/sweep.svg and locus/sweep-locus.svg"]);
    assert!(
        done.out
            .contains("neutral becomes stable between c = 0 and 1"),
        "{}",
        done.out
    );
    assert!(place.text("locus/sweep.svg").contains("imaginary part"));
    assert!(place.text("locus/sweep.csv").lines().count() > 10);
    let lines = place
        .run(&["linearize", "crane.toml", "--sweep", "c=0:4:5", "--json"])
        .exits(0)
        .out;
    assert_eq!(lines.lines().count(), 5);
}

#[test]
fn invalid_requests_exit_with_their_codes() {
    let place = place();
    let run = |args: &[&str]| {
        let mut all = vec!["linearize", "crane.toml"];
        all.extend(args);
        place.run(&all)
    };
    let _ = run(&["--at", "noon"])
        .exits(2)
        .says(&["--at", "equilibrium"]);
    let _ = run(&["--inputs", "motor"])
        .exits(2)
        .says(&["`motor` is not a valid input", "spring"]);
    let _ = run(&["--outputs", "nothing"])
        .exits(2)
        .says(&["`nothing` is not a valid output"]);
    let _ = run(&["--sweep", "c"])
        .exits(2)
        .says(&["NAME=FIRST:LAST:COUNT"]);
    let _ = run(&["--sweep", "d=0:1:3"]).exits(3).says(&["`d`"]);
    let _ = run(&["--amplitude", "-1"]).exits(2);
    let json = run(&["--outputs", "nothing", "--json"]).exits(2).json();
    assert_eq!(json["status"], "bad-command");
}

#[test]
fn a_time_of_the_run_or_an_equilibrium_can_be_selected() {
    let moving = place()
        .run(&["linearize", "crane.toml", "--set", "c=1", "--at", "0.3s"])
        .exits(0);
    assert!(
        moving.out.contains("the state at t = 0.3 s"),
        "{}",
        moving.out
    );
    let away = Place::new();
    away.write(
        "crane.toml",
        &MODEL.replace(
            "between = [\"cart\", \"load\"]",
            "between = [\"cart\", \"load\"]\ninitial = { angle = 1 }",
        ),
    );
    let done = away.run(&["linearize", "crane.toml"]).exits(0);
    assert!(done.out.contains("not an equilibrium"), "{}", done.out);
    let done = away
        .run(&["linearize", "crane.toml", "--at", "equilibrium"])
        .exits(0);
    assert!(done.out.contains("at rest, in equilibrium"), "{}", done.out);
}
