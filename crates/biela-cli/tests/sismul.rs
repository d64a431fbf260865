//! The commands for those who come from SISMUL, and the parts of its FORTRAN routines in the language: motion against the
//! ground (MATRA), springs at connections (MOLAR, FORCI), external forces (FORCE).
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::{Path, PathBuf};

use biela::core::analysis::Formulation;
use biela::core::element::FieldValue;
use biela::core::system::channels;
use biela::model::diagnostic::ReportStyle;
use biela::model::lower::{Overrides, parse};
use biela::{Job, Run};
use common::Place;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cards(name: &str) -> String {
    std::fs::read_to_string(root().join("examples/sismul").join(name).join("cards.dat")).unwrap()
}

/// Runs a model in a formulation at tolerance 1e-11 and keeps every signal.
fn run(text: &str, formulation: Formulation) -> Run {
    let loaded = parse("model.toml", text, &Overrides::default());
    let mut job = Job::new(loaded).unwrap();
    assert_eq!(job.report.render(ReportStyle::Plain), "");
    let study = job.study.as_mut().unwrap();
    study.formulation = formulation;
    study
        .integrator
        .arguments
        .set("tolerance", FieldValue::Number(1e-11));
    job.outputs.channels = channels(&job.model);
    biela::run(job).unwrap_or_else(|e| panic!("{e}"))
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.column(name)
        .unwrap_or_else(|| panic!("no signal {name}"))
}

#[test]
fn cards_are_imported_to_stdout_or_to_a_new_file() {
    let place = Place::new();
    place.write("cards.dat", &cards("two-bar-pendulum"));
    let printed = place.run(&["import", "sismul", "cards.dat"]).exits(0);
    assert!(printed.out.contains("type = \"revolute\"") && printed.err.is_empty());
    let _ = place
        .run(&["import", "sismul", "cards.dat", "-o", "new/model.toml"])
        .exits(0)
        .says(&["wrote new/model.toml", "next: biela check new/model.toml"]);
    assert_eq!(place.text("new/model.toml"), printed.out);
    let _ = place
        .run(&["import", "sismul", "cards.dat", "-o", "new/model.toml"])
        .exits(2)
        .says(&["exists and is not replaced"]);
    let _ = place.run(&["check", "new/model.toml", "--strict"]).exits(0);
}

#[test]
fn a_unit_of_length_is_checked_and_scales_the_model() {
    let place = Place::new();
    place.write("cards.dat", &cards("two-bar-pendulum"));
    let import = |length: &str| place.run(&["import", "sismul", "cards.dat", "--length", length]);
    let text = import("1 ft").exits(0).out;
    assert!(text.contains("unit = \"1 ft\"") && text.contains("com = [\"1*unit\", 0]"));
    let _ = import("1 s").exits(2).says(&["--length"]);
    let _ = import("long").exits(2).says(&["--length"]);
}

#[test]
fn invalid_cards_exit_with_3_and_missing_files_with_2() {
    let place = Place::new();
    let wrong = cards("two-bar-pendulum").replace("9.8 ", "9.x ");
    place.write("cards.dat", &wrong);
    let _ = place
        .run(&["import", "sismul", "cards.dat", "-o", "model.toml"])
        .exits(3)
        .says(&["cards.dat:10:1", "item 10, gravity", "columns 1 to 10"]);
    assert!(!place.path("model.toml").exists());
    let _ = place
        .run(&["import", "sismul", "nothing.dat"])
        .exits(2)
        .says(&["nothing.dat"]);
    let _ = place
        .run(&["import", "sismul", "."])
        .exits(2)
        .says(&["is a folder"]);
}

#[test]
fn printed_blocks_match_the_source() {
    let place = Place::new();
    place.write("cards.dat", &cards("two-bar-pendulum"));
    let _ = place
        .run(&["import", "sismul", "cards.dat", "-o", "model.toml"])
        .exits(0);
    let options = ["run", "model.toml", "--print", "sismul", "--to", "1.25s"];
    let printed = place
        .run(&[&options[..], &["--output-step", "1.25s", "--quiet"]].concat())
        .exits(0)
        .out;
    for words in [
        "MASSA TOTAL     10.00000   PESO TOTAL     98.00000",
        "TEMPO = 0.0000 SEGUNDOS   INTERVALO DE DIVISAO = 0   STEP COUNT = 0",
        "CORPO   1):      0.00000      0.00000     87.00000   CORPO   2):      0.00000      0.00000      3.00000",
        "CORPO   1):      0.00000      0.00000      0.65712   CORPO   2):      0.00000      0.00000     -1.64145",
        "CORPO   1):     -4.92164    -97.48414      0.00000   CORPO   2):    -48.67527     -0.90817      0.00000",
        "CORPO   1):      0.05234      0.99863      0.00000   CORPO   2):      0.10467      2.99726      0.00000",
        "TEMPO = 1.2500 SEGUNDOS",
    ] {
        assert!(printed.contains(words), "no {words:?} in\n{printed}");
    }
    let blocks: String = printed
        .lines()
        .filter_map(|line| line.split_once(". ")?.0.chars().next())
        .filter(char::is_ascii_uppercase)
        .collect();
    assert_eq!(blocks, "ABCDEFGHIJKLMABCDEFGHIJKLM");
    // the results are recorded as ever
    assert!(
        place
            .path("results/exemplo-2-pendulo-duplo-se-movendo-no-plano-xy/manifest.json")
            .exists()
    );
}

#[test]
fn the_printed_range_of_angles_is_an_option() {
    let place = Place::new();
    place.write("cards.dat", &cards("driven-link"));
    let _ = place
        .run(&["import", "sismul", "cards.dat", "-o", "model.toml"])
        .exits(0);
    let options = [
        "run",
        "model.toml",
        "--print",
        "sismul",
        "--quiet",
        "--to",
        "0.001s",
    ];
    let signed = place.run(&options).exits(0).out;
    assert!(
        signed.contains("-101.53") && !signed.contains("258.46"),
        "{signed}"
    );
    let source = place
        .run(&[&options[..], &["--print-angles", "270"]].concat())
        .exits(0)
        .out;
    assert!(
        source.contains("258.46") && !source.contains("-101.53"),
        "{source}"
    );
}

#[test]
fn a_model_that_is_not_a_tree_from_the_ground_is_rejected() {
    let place = Place::new();
    let text = "format = 1\nspace = \"planar\"\n\
        [[body]]\nname = \"far\"\nmass = 1\ninertia = 1\n[[body]]\nname = \"near\"\nmass = 1\ninertia = 1\n\
        [[joint]]\nname = \"a\"\ntype = \"revolute\"\nbetween = [\"ground\", \"near\"]\n\
        [[joint]]\nname = \"b\"\ntype = \"revolute\"\nbetween = [\"near\", \"far\"]\n[study]\nduration = 1\n";
    place.write("model.toml", text);
    let _ = place
        .run(&["run", "model.toml", "--print", "sismul"])
        .exits(2)
        .says(&["--print", "no joint connects body `far`"]);
}

#[test]
fn a_joint_defined_from_the_outer_body_prints_the_same() {
    // a slider on a turning axis, so that the joint's frames are apart and the load has a moment about each
    let model = |between: &str, sign: &str| {
        format!(
            "format = 1\nname = \"m\"\nspace = \"planar\"\ngravity = [0, -9.8]\n\
             [[body]]\nname = \"arm\"\nmass = 1\ninertia = 0.2\npoints = {{ P = [0.3, 0.1] }}\n\
             [[body]]\nname = \"near\"\nmass = 2\ninertia = 0.1\ncom = [0.5, 0]\npoints = {{ A = [0.1, 0.2] }}\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"arm\"]\ninitial = {{ rate = 2 }}\n\
             [[joint]]\nname = \"a\"\ntype = \"prismatic\"\nbetween = [{between}]\n\
             [[driver]]\nname = \"push\"\non = \"a\"\nvalue = \"{sign}(0.2 + t^2)\"\n[study]\nduration = 0.1\noutput_step = 0.05\n"
        )
    };
    let place = Place::new();
    let print = |text: String| {
        place.write("model.toml", &text);
        let printed = place.run(&["run", "model.toml", "--print", "sismul", "--quiet"]);
        let out = printed.exits(0).out;
        let lines = out.lines().filter(|line| line.starts_with("CORPO   1)"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let one = print(model("\"arm.P\", \"near.A\"", ""));
    let other = print(model("\"near.A\", \"arm.P\"", "-"));
    assert_eq!(one.len(), 6 + 3 * 13);
    for (a, b) in one.iter().zip(&other) {
        assert_eq!(a, b);
    }
    assert!(
        one.iter().any(|line| line.contains("0.20250")),
        "ξ at 0.05 s"
    );
}

const ARMS: &str = r#"
format = 1
space = "spatial"
gravity = [0, 0, -9.8]
[[body]]
name = "upper"
mass = 2
inertia = [0.1, 0.1, 0.01]
com = [0, 0, -0.5]
points = { elbow = [0, 0, -1] }
[[body]]
name = "lower"
mass = 1.5
inertia = [0.05, 0.05, 0.01]
com = [0, 0, -0.4]
[[joint]]
name = "shoulder"
type = "revolute"
axis = [0, 1, 0]
between = ["ground", "upper"]
initial = { angle = 0.5, rate = 0 }
[[joint]]
name = "elbow"
type = "revolute"
axis = [0, 1, 0]
between = ["upper.elbow", "lower"]
initial = { angle = -0.5, rate = 0 }
[[joint]]
name = "seen"
type = "free"
between = ["ground", "lower"]
[[driver]]
name = "hold"
on = "seen.beta"
acceleration = { time = [0, 0.4, 1], value = [0, 6, 0] }
[study]
duration = 1
output_step = 0.01
"#;

#[test]
fn a_body_inside_the_tree_follows_a_motion_relative_to_the_ground() {
    // θ of the upper arm, β(t) of the lower one: one equation of Lagrange
    // (I + m a² + M l²) θ'' + M l c (cos(θ−β) β'' + sin(θ−β) β'²) + (m a + M l) g sin θ = 0
    let driven = |t: f64| {
        if t <= 0.4 {
            (15.0 * t, 7.5 * t * t, 2.5 * t.powi(3))
        } else {
            let s = t - 0.4;
            (
                6.0 - 10.0 * s,
                1.2 + 6.0 * s - 5.0 * s * s,
                0.16 + 1.2 * s + 3.0 * s * s - 5.0 / 3.0 * s.powi(3),
            )
        }
    };
    let slope = |t: f64, y: [f64; 2]| {
        let (a, v, beta) = driven(t);
        let (ml, mu, l, c) = (1.5, 2.0, 1.0, 0.4);
        let inertia = 0.1 + mu * 0.25 + ml * l * l;
        let (s, k) = (y[0] - beta).sin_cos();
        let torque = ml * l * c * (k * a + s * v * v) + (mu * 0.5 + ml * l) * 9.8 * y[0].sin();
        [y[1], -torque / inertia]
    };
    for &(word, formulation, _) in Formulation::LIST {
        let run = run(ARMS, formulation);
        let (theta, beta) = (column(&run, "shoulder.angle"), column(&run, "lower.rot_y"));
        let (mut y, steps) = ([0.5, 0.0], 20);
        let h = 0.01 / f64::from(steps);
        for (row, &time) in run.times().iter().enumerate() {
            // measured 1.7e-13, 1.9e-11
            assert!(
                (beta[row] - driven(time).2).abs() < 1e-11,
                "{word}: β at {time}"
            );
            assert!(
                (theta[row] - y[0]).abs() < 1e-9,
                "{word}: θ at {time}: {} {}",
                theta[row],
                y[0]
            );
            for i in 0..steps {
                let t = time + f64::from(i) * h;
                let k1 = slope(t, y);
                let k2 = slope(
                    t + h / 2.0,
                    [y[0] + h / 2.0 * k1[0], y[1] + h / 2.0 * k1[1]],
                );
                let k3 = slope(
                    t + h / 2.0,
                    [y[0] + h / 2.0 * k2[0], y[1] + h / 2.0 * k2[1]],
                );
                let k4 = slope(t + h, [y[0] + h * k3[0], y[1] + h * k3[1]]);
                y = [0, 1].map(|j| y[j] + h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]));
            }
        }
    }
}

/// A disc on a spinning arm, held by springs and dampers along the axes of the arm.
fn sprung(forces: &str) -> String {
    format!(
        r#"
format = 1
space = "spatial"
[[body]]
name = "arm"
mass = 2
inertia = [0.1, 0.2, 0.3]
points = {{ seat = [0.5, 0, 0] }}
[[body]]
name = "disc"
mass = 1
inertia = [0.02, 0.03, 0.04]
[[joint]]
name = "axle"
type = "revolute"
between = ["ground", "arm"]
initial = {{ angle = 0, rate = 3 }}
[[joint]]
name = "mount"
type = "free"
between = ["arm.seat", "disc"]
initial = {{ x = 0.02, y = 0.01, z = 0, x_rate = 0, y_rate = 0.3, z_rate = -0.2, alpha_rate = 0.4, beta_rate = 0, gamma_rate = 0 }}
{forces}
[[force]]
name = "brake"                    # an external torque that reads the relative angular velocity, as SISMUL's FORCE could
type = "torque"
on = "disc"
axis = [0, 0, 1]
value = "-0.1*mount.omega_z"
[study]
duration = 0.5
output_step = 0.05
"#
    )
}

#[test]
fn springs_and_dampers_at_a_connection_are_a_bushing_or_one_element_per_axis() {
    let bushing = "[[force]]\nname = \"all\"\ntype = \"bushing\"\nbetween = [\"arm.seat\", \"disc\"]\n\
                   stiffness = [300, 200, 250]\ndamping = [3, 2, 4]\n";
    let one_an_axis: String = [("x", 300, 3), ("y", 200, 2), ("z", 250, 4)]
        .iter()
        .map(|(axis, k, d)| {
            format!("[[force]]\nname = \"{axis}\"\ntype = \"joint-spring-damper\"\njoint = \"mount.{axis}\"\nstiffness = {k}\ndamping = {d}\n")
        })
        .collect::<Vec<_>>()
        .concat();
    for &(word, formulation, _) in Formulation::LIST {
        let (a, b) = (
            run(&sprung(bushing), formulation),
            run(&sprung(&one_an_axis), formulation),
        );
        for name in [
            "disc.x",
            "disc.y",
            "disc.z",
            "arm.omega_z",
            "disc.e0",
            "disc.spin_x",
            "mount.alpha_x",
        ] {
            for (x, y) in column(&a, name).into_iter().zip(column(&b, name)) {
                // measured 2.3e-14
                assert!((x - y).abs() < 1e-11, "{word}: {name} {x} {y}");
            }
        }
        // they do something, and the balance of energy knows it
        assert!(
            column(&a, "all.work")
                .last()
                .is_some_and(|work| *work < -1e-3)
        );
        assert!(a.statistics.worst_energy < 1e-8);
    }
}

#[test]
fn a_coin_rolls_in_a_steady_turn_at_the_spin_of_kanes_equations() {
    // θ = 20°, r = 0.5 m, u2 = 2 rad/s: u3 = −2.1132082 rad/s keeps the lean; a little more does not
    let model = root().join("validation/henrique-rolling-coin/model.toml");
    let lean = |u3: &str| {
        let set = [
            "lean=20 deg".to_owned(),
            "u2=2 rad/s".to_owned(),
            format!("u3={u3} rad/s"),
        ];
        let mut job = biela::load_with(&model, &set).unwrap();
        job.outputs.channels = channels(&job.model);
        let run = biela::run(job).unwrap();
        let z = column(&run, "disc.z");
        z.iter().fold(0.0_f64, |most, x| most.max((x - z[0]).abs()))
    };
    // measured 2.0e-9: the eighth decimal of the spin
    assert!(lean("-2.1132082") < 1e-8, "{:e}", lean("-2.1132082"));
    assert!(lean("-2.2") > 1e-2);
}
