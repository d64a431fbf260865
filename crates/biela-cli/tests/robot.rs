//! The robot workbench: reference motions, efforts, their sensitivities, and the command.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use biela::core::integrators::INTEGRATORS;
use biela::core::robot::li::{Chain, Frames, Li};
use biela::core::robot::{Efforts, Sensitivity};
use biela::robot::{
    History, MotionTable, RobotReference, WorkbenchError, effort_excesses, feedforward,
    feedforward_laws, forward, linearize_at, put_to_work, sensitivities, simulate, start_on,
};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/robots")
        .join(name)
        .join("model.toml")
}

fn robot(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_biela"));
    command.arg("robot").args(arguments).output().unwrap()
}

/// The reference motion of an example.
fn reference(name: &str) -> RobotReference {
    let job = biela::load(example(name)).unwrap();
    RobotReference::of(&job.model, None).unwrap()
}

const ARMS: [&str; 2] = ["scara", "seven-axis"];

#[test]
fn feedforward_separates_the_terms_of_the_closed_form() {
    for name in ARMS {
        let job = biela::load(example(name)).unwrap();
        let mut reference = RobotReference::of(&job.model, None).unwrap();
        let times = reference.times(33, None).unwrap();
        let history = feedforward(&mut reference, &times);
        for frames in [Frames::Base, Frames::Links] {
            let mut li = Li::new(Chain::new(&job.model).unwrap(), frames);
            let mut efforts = Efforts::default();
            for (k, &time) in times.iter().enumerate() {
                reference.at(time);
                let [q, v, a] = &reference.point;
                li.efforts([q, v, a], &mut efforts);
                for (j, joint) in reference.robot.joints.iter().enumerate() {
                    let at =
                        |word: &str| history.column(&format!("{}.{word}", joint.name)).unwrap()[k];
                    for (found, expected) in [
                        (at("inertial"), efforts.inertial[j]),
                        (at("coriolis"), efforts.coriolis[j]),
                        (at("gravity"), efforts.gravity[j]),
                        (at("total"), efforts.total[j]),
                    ] {
                        assert!(
                            (found - expected).abs() < 1e-11,
                            "{name} {} {time}",
                            joint.name
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn doubling_the_speed_of_a_path_quadruples_the_inertial_torques_and_keeps_those_of_gravity() {
    let text = std::fs::read_to_string(example("seven-axis")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let of = |end: &str| {
        let path = folder.path().join("model.toml");
        std::fs::write(&path, text.replace("times = [0, \"2 s\"]", end)).unwrap();
        let mut reference = RobotReference::of(&biela::load(&path).unwrap().model, None).unwrap();
        let times = reference.times(17, None).unwrap();
        feedforward(&mut reference, &times)
    };
    let (slow, fast) = (of("times = [0, 2]"), of("times = [0, 1]"));
    for (column, (slow, fast)) in slow
        .columns
        .iter()
        .zip(slow.values.iter().zip(&fast.values))
    {
        let factor = match column.name.rsplit('.').next().unwrap() {
            "inertial" | "coriolis" => 4.0,
            "gravity" => 1.0,
            _ => continue,
        };
        for (slow, fast) in slow.iter().zip(fast) {
            assert!(
                (factor * slow - fast).abs() < 1e-12 * fast.abs().max(1.0),
                "{}",
                column.name
            );
        }
    }
}

#[test]
fn feedforward_as_a_function_of_time_reproduces_the_motion() {
    for (name, limit) in [("scara", 1e-9), ("seven-axis", 1e-8)] {
        let mut job = biela::load(example(name)).unwrap();
        let study = job.study.as_mut().unwrap();
        biela::set_field(&mut study.integrator, INTEGRATORS, "tolerance", "1e-11").unwrap();
        let mut reference = RobotReference::of(&job.model, None).unwrap();
        start_on(&mut job.model, &mut reference);
        let laws = feedforward_laws(&reference);
        let end = reference.element.motion.duration();
        let (run, history) = forward(job, laws, Some(end)).unwrap();
        assert!(run.ended.is_ok());
        for (k, &time) in history.times.iter().enumerate() {
            reference.at(time);
            for (j, joint) in reference.robot.joints.iter().enumerate() {
                let found = history.column(&format!("{}.position", joint.name)).unwrap()[k];
                let error = (found - reference.point[0][j]).abs();
                assert!(
                    error < limit,
                    "{name}: {} is off by {error:e} at {time}",
                    joint.name
                );
            }
        }
    }
}

#[test]
fn sensitivities_match_finite_differences_of_joint_torques() {
    for name in ARMS {
        let mut reference = reference(name);
        reference.at(0.31);
        let point = reference.point.clone();
        let n = point[0].len();
        let (mut ws, mut efforts) = (reference.workspace(), Efforts::default());
        let mut out = Sensitivity::new(&reference.robot);
        out.compute(&reference.robot, &mut ws, [&point[0], &point[1], &point[2]]);
        let h = 1e-6;
        for (part, matrix) in [(2, out.a.clone()), (1, &out.b * 2.0), (0, out.c.clone())] {
            for j in 0..n {
                let mut at = |step: f64| {
                    let mut moved = point.clone();
                    moved[part][j] += step;
                    let [q, v, a] = &moved;
                    reference.robot.efforts(&mut ws, [q, v, a], &mut efforts);
                    efforts.total.clone()
                };
                let (up, down) = (at(h), at(-h));
                for i in 0..n {
                    let slope = (up[i] - down[i]) / (2.0 * h);
                    let error = (slope - matrix[(i, j)]).abs();
                    assert!(
                        error < 1e-6,
                        "{name}, part {part}: entry ({i}, {j}) off by {error:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn poles_of_a_hanging_arm_are_its_natural_frequencies() {
    // a bar on a pin, hanging: ω² = m g c / (J + m c²)
    let text = "format = 1\nname = \"bar\"\nspace = \"spatial\"\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"bar\"\nmass = 2\n\
                com = [0, -0.5, 0]\ninertia = [0.2, 0.01, 0.2]\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\n\
                between = [\"ground\", \"bar\"]\n[[trajectory]]\nname = \"rest\"\ntype = \"hold\"\nat = 0\nduration = 1\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.toml");
    std::fs::write(&path, text).unwrap();
    let mut reference = RobotReference::of(&biela::load(&path).unwrap().model, None).unwrap();
    let found = linearize_at(&mut reference, 0.0).unwrap();
    let expected = (2.0 * 9.81 * 0.5 / (0.2 + 2.0 * 0.25_f64)).sqrt();
    assert!((found.poles[0].im.abs() - expected).abs() < 1e-12 && found.poles[0].re.abs() < 1e-12);
    let history = sensitivities(&mut reference, &[0.0, 0.5, 1.0]);
    assert_eq!(history.columns[0].name, "A.pin.pin");
    assert_eq!(history.columns[0].unit, "N*m*s^2/rad");
    assert!((history.values[2][1] - 9.81).abs() < 1e-12);
}

#[test]
fn missing_definitions_are_reported_with_a_remedy() {
    let job = biela::load(example("computed-torque")).unwrap();
    assert_eq!(
        RobotReference::of(&job.model, None).unwrap_err(),
        WorkbenchError::NoTrajectory
    );
    let job = biela::load(example("scara")).unwrap();
    let error = RobotReference::of(&job.model, Some("circle")).unwrap_err();
    assert!(error.to_string().contains("`circle`") && error.to_string().contains("`cycle`"));
}

#[test]
fn the_command_writes_data_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let model = example("scara");
    for (analysis, files) in [
        (
            "trajectory",
            &["data.csv", "data.arrows", "plot.svg", "plot.png"][..],
        ),
        ("feedforward", &["data.csv", "plot.svg"]),
        ("linearize", &["data.csv", "plot.svg"]),
    ] {
        let out = folder.path().join(analysis);
        let done = robot(&[
            analysis,
            model.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ]);
        assert_eq!(
            done.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        for file in files {
            assert!(out.join(file).is_file(), "{analysis}: {file}");
        }
        let rows = std::fs::read_to_string(out.join("data.csv")).unwrap();
        assert_eq!(rows.lines().count(), 258, "a heading and 257 points");
    }
}

#[test]
fn the_command_prints_json() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let model = example("scara");
    let model = model.to_str().unwrap();
    let done = robot(&[
        "feedforward",
        model,
        "--json",
        "--no-plot",
        "--points",
        "5",
        "--out",
        out.to_str().unwrap(),
    ]);
    let text: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(text["points"], 5);
    assert_eq!(text["signals"].as_array().unwrap().len(), 16);
    let done = robot(&["linearize", model, "--at", "0.3", "--json"]);
    let text: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(text["A"].as_array().unwrap().len(), 4);
    let done = robot(&["coefficients", model, "--at", "10deg,45deg,0.1,0", "--json"]);
    let text: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    // the load on the drive of the quill: its own weight and that of the gripper, 2 kg
    assert!((text["D_i"][2].as_f64().unwrap() + 2.0 * 9.81).abs() < 1e-12);
}

#[test]
fn exceeded_limits_exit_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let model = example("scara");
    let arguments = |analysis| {
        let (model, out) = (model.to_str().unwrap(), out.to_str().unwrap());
        [
            analysis,
            model,
            "--set",
            "lift=130 mm",
            "--no-plot",
            "--out",
            out,
        ]
        .map(str::to_owned)
    };
    let run = |analysis: &'static str| {
        let arguments = arguments(analysis);
        robot(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let done = run("trajectory");
    assert_eq!(done.status.code(), Some(1));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(
        said.contains("the position of `stroke` reaches -0.010000 m"),
        "{said}"
    );
}

#[test]
fn invalid_commands_are_reported_with_a_remedy() {
    let model = example("scara");
    let model = model.to_str().unwrap();
    for (arguments, words) in [
        (
            &["trajectory", model, "--trajectory", "cirlce"][..],
            "only `cycle`",
        ),
        (&["trajectory", model, "--points", "1"], "from 2 to"),
        (
            &["coefficients", model, "--at", "1,2"],
            "2 values for 4 joints",
        ),
        (&["coefficients", model, "--at", "1,2,3 s,4"], "--at"),
    ] {
        let done = robot(arguments);
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn driver_reactions_equal_the_feedforward_torques() {
    let mut reference = reference("scara");
    let mut job = biela::load(example("scara")).unwrap();
    job.study.as_mut().unwrap().output_step = 0.05;
    let run = biela::run(job).unwrap();
    let history = feedforward(&mut reference, run.times());
    for joint in ["shoulder", "elbow", "stroke", "turn"] {
        let driven = run.column(&format!("{joint}_drive.effort")).unwrap();
        let computed = history.column(&format!("{joint}.total")).unwrap();
        for (driven, computed) in driven.iter().zip(computed) {
            assert!(
                (driven - computed).abs() < 1e-9,
                "{joint}: {driven} for {computed}"
            );
        }
    }
}

#[test]
fn a_somersault_conserves_angular_momentum() {
    let mut job = biela::load(example("somersault")).unwrap();
    job.outputs.channels = biela::core::system::channels(&job.model);
    let bodies: Vec<(String, f64, f64)> = job
        .model
        .bodies
        .iter()
        .map(|body| (body.name.clone(), body.mass.mass, body.mass.inertia[(1, 1)]))
        .collect();
    let run = biela::run(job).unwrap();
    let column = |body: &str, word: &str| run.column(&format!("{body}.{word}")).unwrap();
    let mass: f64 = bodies.iter().map(|(_, m, _)| m).sum();
    // x, z, vx, vz of the mass centre, and the angular momentum about it
    let mut center = vec![[0.0; 4]; run.times().len()];
    for (name, m, _) in &bodies {
        for (k, word) in ["x", "z", "vx", "vz"].into_iter().enumerate() {
            for (sum, value) in center.iter_mut().zip(column(name, word)) {
                sum[k] += m * value / mass;
            }
        }
    }
    let mut momentum = vec![0.0; run.times().len()];
    for (name, m, inertia) in &bodies {
        let [x, z, vx, vz] = ["x", "z", "vx", "vz"].map(|word| column(name, word));
        let turning = column(name, "omega_y");
        for (k, sum) in momentum.iter_mut().enumerate() {
            let c = &center[k];
            *sum += m * ((z[k] - c[1]) * (vx[k] - c[2]) - (x[k] - c[0]) * (vz[k] - c[3]));
            *sum += inertia * turning[k];
        }
    }
    let [x0, z0, vx0, vz0] = center[0];
    for (k, &t) in run.times().iter().enumerate() {
        assert!((center[k][0] - (x0 + vx0 * t)).abs() < 1e-9);
        assert!((center[k][1] - (z0 + vz0 * t - 9.81 / 2.0 * t * t)).abs() < 1e-9);
        assert!(
            (momentum[k] / momentum[0] - 1.0).abs() < 1e-9,
            "{}",
            momentum[k]
        );
    }
    let fastest = column("trunk", "omega_y").into_iter().fold(0.0, f64::max);
    assert!(fastest > 3.0 * 3.3, "tucking triples the speed: {fastest}");
}

#[test]
fn the_puma_has_the_gravity_and_inertia_of_the_textbook() {
    let job = biela::load(example("puma")).unwrap();
    let reference = RobotReference::of(&job.model, None).unwrap();
    let (mut ws, mut efforts) = (reference.workspace(), Efforts::default());
    let still = [0.0; 6];
    let (eighth, half) = (std::f64::consts::FRAC_PI_4, std::f64::consts::PI);
    let q = [0.0, eighth, half, 0.0, eighth, 0.0];
    reference
        .robot
        .efforts(&mut ws, [&q, &still, &still], &mut efforts);
    // P. I. Corke, Robotics, Vision and Control (2011): as printed, four decimals
    let printed = [0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0];
    for (found, printed) in efforts.gravity.iter().zip(printed) {
        assert!((found - printed).abs() < 0.6e-4, "{found} for {printed}");
    }
    let mut out = Sensitivity::new(&reference.robot);
    out.compute(&reference.robot, &mut ws, [&q, &still, &still]);
    let printed = [
        [3.6594, -0.4044, 0.1006, -0.0025, 0.0, 0.0],
        [-0.4044, 4.4137, 0.3509, 0.0, 0.0024, 0.0],
        [0.1006, 0.3509, 0.9378, 0.0, 0.0015, 0.0],
        [-0.0025, 0.0, 0.0, 0.1925, 0.0, 0.0],
        [0.0, 0.0024, 0.0015, 0.0, 0.1713, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.1941],
    ];
    for (i, row) in printed.iter().enumerate() {
        for (j, printed) in row.iter().enumerate() {
            let found = out.a[(i, j)];
            assert!(
                (found - printed).abs() < 0.6e-4,
                "({i}, {j}): {found} for {printed}"
            );
        }
    }
}

#[test]
fn inverse_kinematics_places_the_tool_at_the_goal() {
    let model = example("puma");
    let model = model.to_str().unwrap();
    let goal = ["--to", "0.45,-0.15,0.25", "--turn", "170deg,10deg,30deg"];
    let done = robot(&[&["ik", model, "--json", "--all", "8"][..], &goal].concat());
    let text: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(text["reached"], true);
    let answers = text["answers"].as_array().unwrap();
    assert!(
        answers.len() > 1,
        "an arm with a spherical wrist has several answers"
    );
    for answer in answers {
        let q: Vec<String> = answer["q"]
            .as_array()
            .unwrap()
            .iter()
            .map(|q| q.as_f64().unwrap().to_string())
            .collect();
        let done = robot(&["fk", model, "--json", "--at", &q.join(",")]);
        let there: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        for (k, wanted) in [0.45, -0.15, 0.25].into_iter().enumerate() {
            let found = there["pose"]["position"][k].as_f64().unwrap();
            assert!((found - wanted).abs() < 1e-10);
        }
        for (k, wanted) in [170.0_f64, 10.0, 30.0].into_iter().enumerate() {
            let found = there["pose"]["dextral"][k].as_f64().unwrap();
            assert!((found - wanted.to_radians()).abs() < 1e-10);
        }
    }
}

#[test]
fn an_unreachable_goal_exits_with_1() {
    let model = example("seven-axis");
    let done = robot(&["ik", model.to_str().unwrap(), "--to", "2,0,0.6"]);
    assert_eq!(done.status.code(), Some(1));
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        said.contains("not reached") && said.contains("beyond the workspace"),
        "{said}"
    );
}

#[test]
fn the_workspace_of_a_scara_is_a_ring() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (model, path) = (example("scara"), out.to_str().unwrap().to_owned());
    let arguments = [
        "workspace",
        model.to_str().unwrap(),
        "--section",
        "xy",
        "--json",
        "--out",
        &path,
    ];
    let done = robot(&arguments);
    let text: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let of = |what: &str| {
        let list = text["extremes"].as_array().unwrap();
        list.iter().find(|e| e["what"] == what).unwrap()["value"]
            .as_f64()
            .unwrap()
    };
    // both arms stretched, 250 + 200 mm
    assert!((of("largest x") - 0.45).abs() < 1e-6 && (of("least y") + 0.45).abs() < 1e-6);
    // folded as far as the elbow goes, 145°: √(l1² + l2² + 2 l1 l2 cos 145°), seen along the axis of the shoulder
    let map = std::fs::read_to_string(out.join("section.csv")).unwrap();
    let fold = (0.25_f64.powi(2) + 0.2_f64.powi(2) + 0.1 * 145_f64.to_radians().cos()).sqrt();
    let mut reached = 0;
    for line in map.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (x, y): (f64, f64) = (cells[0].parse().unwrap(), cells[1].parse().unwrap());
        if !cells[2].is_empty() {
            reached += 1;
            let radius = x.hypot(y);
            assert!(radius < 0.45 + 1e-6 && radius > fold - 1e-6, "{radius}");
        }
    }
    assert!(reached > 500, "{reached}");
    assert!(out.join("workspace.png").is_file());
}

#[test]
fn torques_from_a_file_move_the_arm_like_those_of_the_trajectory() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // the drivers of the model start the joints on the cycle; so do the first positions given here
    let model = example("scara");
    let text = std::fs::read_to_string(&model).unwrap();
    let text = text
        .replace(
            "armature = 0.15",
            "armature = 0.15\ninitial = { angle = \"-40 deg\" }",
        )
        .replace(
            "armature = 0.05",
            "armature = 0.05\ninitial = { angle = \"60 deg\" }",
        )
        .replace(
            "armature = 2",
            "armature = 2\ninitial = { position = \"120 mm\" }",
        );
    std::fs::write(at("model.toml"), text).unwrap();
    let model = at("model.toml");
    let done = robot(&[
        "feedforward",
        &model,
        "--points",
        "8001",
        "--no-plot",
        "--quiet",
        "--out",
        &at("needed"),
    ]);
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let done = robot(&[
        "forward",
        &model,
        "--no-plot",
        "--quiet",
        "--out",
        &at("exact"),
    ]);
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let file = at("needed") + "/data.csv";
    let done = robot(&[
        "forward",
        &model,
        "--efforts",
        &file,
        "--no-plot",
        "--quiet",
        "--out",
        &at("file"),
    ]);
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let last = |name: &str| {
        let text = std::fs::read_to_string(at(name) + "/data.csv").unwrap();
        let cells: Vec<f64> = text
            .lines()
            .last()
            .unwrap()
            .split(',')
            .map(|x| x.parse().unwrap())
            .collect();
        cells
    };
    for (exact, file) in last("exact").iter().zip(last("file")).take(5) {
        assert!((exact - file).abs() < 1e-5, "{exact} for {file}");
    }
}

#[test]
fn all_errors_in_a_file_of_torques_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("efforts.csv");
    std::fs::write(&file, "t,shoulder\n0,1\n0.5,x\n0.4\n0,2\n").unwrap();
    let model = example("scara");
    let done = robot(&[
        "forward",
        model.to_str().unwrap(),
        "--efforts",
        file.to_str().unwrap(),
    ]);
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8_lossy(&done.stderr);
    for words in [
        ":1: the first column must be called `time`",
        ":3: cell 2, `x`",
        ":4: 1 cells instead of 2",
        ":5: the time must increase",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

/// A seven-axis arm that moves all its joints along sinusoids, and its joint torques, as files.
fn excited(folder: &Path, change: impl Fn(&str) -> String) -> String {
    let text = std::fs::read_to_string(example("seven-axis")).unwrap();
    let start = text.find("[[trajectory]]").unwrap();
    let text = text[..start].to_owned()
        + "[[trajectory]]\nname = \"wobble\"\ntype = \"sinusoid\"\nform = \"sin\"\nduration = 4\n\
           amplitude = [[0.5, 0.4, 0.6, 0.5, 0.7, 0.5, 0.8], [0.2, 0.3, 0.2, 0.3, 0.2, 0.4, 0.3]]\n\
           period = [\"1.9 s\", \"0.7 s\"]\n[study]\nduration = 4\nformulation = \"tree\"\n";
    let path = folder.join("moved.toml");
    std::fs::write(&path, change(&text)).unwrap();
    let out = folder.join("moved");
    let done = robot(&[
        "forward",
        path.to_str().unwrap(),
        "--no-plot",
        "--quiet",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    out.join("data.csv").to_str().unwrap().to_owned()
}

#[test]
fn parameters_are_identified_from_measured_torques() {
    let folder = tempfile::tempdir().unwrap();
    let data = excited(folder.path(), str::to_owned);
    let model = folder.path().join("moved.toml");
    let done = robot(&[
        "parameters",
        model.to_str().unwrap(),
        "--data",
        &data,
        "--drives",
        "--json",
    ]);
    let text: serde_json::Value = serde_json::from_slice(&done.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    for found in text["found"].as_array().unwrap() {
        let (value, model) = (
            found["value"].as_f64().unwrap(),
            found["model"].as_f64().unwrap(),
        );
        assert!((value - model).abs() < 1e-5, "{found}");
    }
}

#[test]
fn the_payload_is_identified_from_torques() {
    let folder = tempfile::tempdir().unwrap();
    // the arm that was measured holds 1.5 kg, 40 mm beyond its flange
    let data = excited(folder.path(), |text| {
        text.replace(
            "[robot]",
            "[[body]]\nname = \"load\"\nmass = 1.5\ncom = [0, 0.01, 0.04]\ninertia = [0.002, 0.003, 0.004]\n\
             [[joint]]\nname = \"grip\"\ntype = \"weld\"\nbetween = [\"link7.flange\", \"load\"]\n[robot]",
        )
    });
    let model = example("seven-axis");
    let done = robot(&[
        "parameters",
        model.to_str().unwrap(),
        "--data",
        &data,
        "--payload",
        "--json",
    ]);
    let text: serde_json::Value = serde_json::from_slice(&done.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    let of = |name: &str| {
        let list = text["found"].as_array().unwrap();
        list.iter().find(|f| f["formula"] == name).unwrap()["value"]
            .as_f64()
            .unwrap()
    };
    // about the flange: m, m c, J + m (c² − c cᵀ)
    let (m, y, z) = (1.5, 0.01, 0.04);
    for (name, expected) in [
        ("m", m),
        ("mx", 0.0),
        ("my", m * y),
        ("mz", m * z),
        ("Ixx", 0.002 + m * (y * y + z * z)),
        ("Iyy", 0.003 + m * z * z),
        ("Izz", 0.004 + m * y * y),
        ("Iyz", -m * y * z),
        ("Ixy", 0.0),
    ] {
        assert!(
            (of(name) - expected).abs() < 1e-6,
            "{name}: {} for {expected}",
            of(name)
        );
    }
}

#[test]
fn robots_of_other_programs_are_referred_to_import() {
    let file = example("ur-like").with_file_name("robot.urdf");
    let done = robot(&["fk", file.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("biela import urdf"));
}

/// The largest error of a joint.
fn largest_error(history: &History, joint: &str) -> f64 {
    let errors = history.column(&format!("{joint}.error")).unwrap();
    errors.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[test]
fn the_tracking_error_of_a_closed_loop_matches_its_independent_prototype() {
    let job = biela::load(example("model-mismatch")).unwrap();
    let (run, history) = simulate(job, None).unwrap();
    assert!(run.ended.is_ok());
    for (joint, expected) in [("shoulder", 0.028_151_479), ("elbow", 0.024_648_128)] {
        let found = largest_error(&history, joint);
        assert!(
            (found - expected).abs() < 1e-5,
            "{joint}: {found} for {expected}"
        );
        let [q, wanted, error] = ["position", "reference", "error"]
            .map(|word| history.column(&format!("{joint}.{word}")).unwrap());
        assert!((0..q.len()).all(|k| wanted[k] - q[k] == error[k]));
    }
    assert_eq!((history.tracking.len(), history.planes.len()), (2, 2));
}

/// The loop of the gallery as two files: a light model with the controller, and the heavy arm with other names.
fn model_and_real(folder: &Path) -> (biela::Job, biela::Job) {
    let text = std::fs::read_to_string(example("model-mismatch")).unwrap();
    let believed = "model = { file = \"design.toml\" }";
    assert!(text.contains(believed) && text.contains("1.2 kg") && text.contains("2.4 kg"));
    let light = text.replace("1.2 kg", "1 kg").replace("2.4 kg", "2 kg");
    let bare = text[..text.find("[[trajectory]]").unwrap()]
        .replace("w = \"50 rad/s\"", "# ")
        .replace("psi = 0.95", "# ")
        .replace("name = \"shoulder\"", "name = \"first\"")
        .replace("name = \"elbow\"", "name = \"second\"");
    let read = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        biela::load(&path).unwrap_or_else(|error| panic!("{error}"))
    };
    let design = read("model.toml", &light.replace(believed, ""));
    (design, read("real.toml", &bare))
}

#[test]
fn controllers_of_a_model_control_a_real_robot_of_another_file() {
    let whole = simulate(biela::load(example("model-mismatch")).unwrap(), None)
        .unwrap()
        .1;
    let folder = tempfile::tempdir().unwrap();
    let (design, mut real) = model_and_real(folder.path());
    put_to_work(&design.model, &mut real.model).unwrap();
    real.study = design.study;
    let pair = simulate(real, None).unwrap().1;
    for (one, other) in [("shoulder", "first"), ("elbow", "second")] {
        for word in ["position", "rate", "error"] {
            let (x, y) = (
                whole.column(&format!("{one}.{word}")),
                pair.column(&format!("{other}.{word}")),
            );
            let pairs = x.unwrap().iter().zip(y.unwrap());
            let apart = pairs.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
            assert!(apart < 1e-9, "{other}.{word}: {apart:e}");
        }
    }
}

#[test]
fn one_file_may_be_model_and_real_robot_with_other_parameters() {
    let heavier = ["m1=1.44 kg", "m2=2.88 kg"];
    let path = example("model-mismatch");
    let design = biela::load(&path).unwrap();
    let mut real = biela::load_with(&path, &heavier).unwrap();
    put_to_work(&design.model, &mut real.model).unwrap();
    let pair = simulate(real, None).unwrap().1;
    // the controller believes in a third file either way
    let whole = simulate(biela::load_with(&path, &heavier).unwrap(), None)
        .unwrap()
        .1;
    for joint in ["shoulder", "elbow"] {
        let errors = [&pair, &whole].map(|history| largest_error(history, joint));
        assert_eq!(errors[0], errors[1]);
        assert!(errors[0] > 0.03, "{joint}: {}", errors[0]);
    }
}

#[test]
fn robots_that_do_not_correspond_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let (design, _) = model_and_real(folder.path());
    let refusal = |name: &str| {
        let mut other = biela::load(example(name)).unwrap();
        put_to_work(&design.model, &mut other.model)
            .unwrap_err()
            .to_string()
    };
    assert!(refusal("scara").contains("has 2 joints, the real robot 4"));
    let error = simulate(biela::load(example("scara")).unwrap(), None).unwrap_err();
    assert!(error.to_string().contains("no controller"), "{error}");
}

#[test]
fn a_torque_beyond_its_limit_is_reported_at_its_maximum() {
    let text = std::fs::read_to_string(example("scara")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text.replace("\"60 N*m\"", "\"40 N*m\"")).unwrap();
    let mut reference = RobotReference::of(&biela::load(&path).unwrap().model, None).unwrap();
    let times = reference.times(257, None).unwrap();
    let history = feedforward(&mut reference, &times);
    let found = effort_excesses(&reference.robot, &history, "total");
    let [excess] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((excess.joint.as_str(), excess.limit), ("shoulder", 40.0));
    assert!((excess.value - 45.28).abs() < 0.01, "{}", excess.value);
}

#[test]
fn a_quill_moves_under_gravity_and_the_forces_of_a_file_only() {
    // 2 kg hang on the stroke, whose drive has an armature of 2 kg; the drivers of the model are left out
    let table = "time,shoulder,elbow,stroke,turn\n0,0,0,0,0\n1,0,0,6,0\n";
    let table = MotionTable::parse("efforts.csv", table).unwrap();
    for (hold, jerk) in [(false, 6.0 / 4.0), (true, 0.0)] {
        let job = biela::load(example("scara")).unwrap();
        let robot = biela::core::robot::Robot::of(&job.model).unwrap();
        let laws = table.efforts(&robot, hold).unwrap();
        let (_, history) = forward(job, laws, Some(0.5)).unwrap();
        let fallen = history.column("stroke.position").unwrap();
        for (&t, &s) in history.times.iter().zip(fallen) {
            let expected = 2.0 * 9.81 / 4.0 * t * t / 2.0 + jerk * t.powi(3) / 6.0;
            assert!((s - expected).abs() < 1e-7, "{s} for {expected} at {t}");
        }
    }
}

/// A pendulum that a sampled controller and an actuator drive, without gravity.
const DRIVEN: &str = r#"
format = 1
name = "driven"
space = "planar"

[[body]]
name = "arm"
mass = 1
inertia = 0.5

[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "arm"]

[[controller]]
name = "brain"
period = "10 ms"
inputs = { angle = "pin.angle" }
outputs = { push = "2 [N*m] - 1 [N*m]*angle" }

[[force]]
name = "motor"
type = "actuator"
joint = "pin"
effort = "brain.push"

[[force]]
name = "constant"
type = "joint-spring-damper"
joint = "pin"
effort = "3 N*m"

[study]
duration = "1 s"
"#;

#[test]
fn forward_applies_only_the_given_torques() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, DRIVEN).unwrap();
    let run = |effort: f64| {
        let job = biela::load(&path).unwrap();
        let laws = vec![biela::core::model::Law::Constant(effort)];
        let (_, history) = forward(job, laws, Some(1.0)).unwrap();
        *history.column("pin.position").unwrap().last().unwrap()
    };
    assert_eq!(run(0.0), 0.0);
    // ½ (τ/J) t²
    assert!((run(0.25) - 0.25).abs() < 1e-9);
}

#[test]
fn the_position_matrix_is_the_sum_of_its_three_parts_at_any_state() {
    let job = biela::load(example("scara")).unwrap();
    let robot = biela::core::robot::Robot::of(&job.model).unwrap();
    let n = robot.joints.len();
    let values = |scale: f64| {
        (0..n)
            .map(|k| scale * (1.0 + k as f64))
            .collect::<Vec<f64>>()
    };
    let point = [values(0.1), values(0.3), values(-0.2)];
    let found = biela::robot::linearize(&robot, point.clone()).unwrap();
    let [a, c, g] = &found.c_parts;
    assert!((a + c + g - &found.c).amax() < 1e-12 * found.c.amax().max(1.0));
    // at twice the rates the part by products of rates is four times as large, at twice the accelerations that part twice
    let doubled = |x: &[f64]| x.iter().map(|x| 2.0 * x).collect::<Vec<f64>>();
    let [q, v, acceleration] = &point;
    let twice = biela::robot::linearize(&robot, [q.clone(), doubled(v), doubled(acceleration)]);
    let [a2, c2, g2] = twice.unwrap().c_parts;
    assert!((a2 - a * 2.0).amax() < 1e-12 && (c2 - c * 4.0).amax() < 1e-12);
    assert!((g2 - g).amax() < 1e-12);
    // state form: A times the lower half is −C and −2B, and A times the inputs is one
    let lower = found.states.rows(n, n).into_owned();
    let by_position = &found.a * lower.columns(0, n).into_owned() + &found.c;
    let by_rate = &found.a * lower.columns(n, n).into_owned() + &found.b * 2.0;
    assert!(by_position.amax() < 1e-10 && by_rate.amax() < 1e-10);
    let one = &found.a * found.inputs.rows(n, n).into_owned();
    assert!((one - biela::core::math::Matrix::identity(n, n)).amax() < 1e-12);
}

#[test]
fn the_workbench_ends_with_the_study_and_prints_any_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    let trajectory = "[[trajectory]]\nname = \"swing\"\ntype = \"sinusoid\"\njoints = [\"pin\"]\namplitude = [0.5]\nperiod = \"0.4 s\"\n";
    std::fs::write(&path, format!("{DRIVEN}\n{trajectory}")).unwrap();
    let model = path.to_str().unwrap();
    for analysis in ["trajectory", "feedforward", "linearize"] {
        let out = folder.path().join(analysis);
        let out = out.to_str().unwrap();
        let done = robot(&[analysis, model, "--out", out, "--no-plot"]);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{text}");
        let csv = std::fs::read_to_string(format!("{out}/data.csv")).unwrap();
        let last = csv.lines().last().unwrap().split(',').next().unwrap();
        assert_eq!(last.parse::<f64>().unwrap(), 1.0, "{analysis}");
    }
    let done = robot(&[
        "linearize",
        model,
        "--position",
        "30deg",
        "--rate",
        "1",
        "--json",
    ]);
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["A"][0][0], 0.5);
    assert!((found["input_matrix"][1][0].as_f64().unwrap() - 2.0).abs() < 1e-14);
    assert_eq!(found["state_matrix"][0][1], 1.0);
    assert!(found["Cc"][0][0].is_number());
}
