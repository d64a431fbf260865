//! The arms of F. A. M. Cipparrone's dissertation of 1991, from their robot files: coefficients, forces along motions, linear models and
//! accelerations by the closed form in both axes, and the forces by the recursion.
//!
//! Every printed digit of the references counts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    non_snake_case
)]

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, FRAC_PI_6, PI, TAU};
use std::path::{Path, PathBuf};

use biela::core::model::Model;
use biela::core::robot::Efforts;
use biela::core::robot::li::{Chain, Frames, Li, LinearChainModel};
use biela::core::tree::{Tree, TreeWorkspace, pose_of, positions, rnea};
use biela::model::import::robo;
use biela::model::{Overrides, parse};

const BOTH: [Frames; 2] = [Frames::Base, Frames::Links];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation")
}

/// A table of the folder: rows of printed values.
fn table(path: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder().join(path)).unwrap();
    let split = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(split).collect()
}

/// The model that a robot file makes.
fn arm(path: &str) -> Model {
    let file = std::fs::read(folder().join(path)).unwrap();
    let text = robo::import(path, &file, None).text.expect("a model");
    let loaded = parse("model.toml", &text, &Overrides::default());
    loaded.model.expect("a model that can be read").model
}

fn closed_form(model: &Model, frames: Frames) -> Li {
    Li::new(Chain::new(model).unwrap(), frames)
}

/// Asserts that a number is the one printed, to half a unit of its last digit.
fn printed(found: f64, text: &str, what: &str) {
    let digits = text.split_once('.').map_or(0, |(_, d)| d.len());
    // what is printed without decimals is exact
    let half = if digits == 0 {
        1e-12
    } else {
        0.501 * 10.0_f64.powi(-(digits as i32))
    };
    let wanted: f64 = text.parse().unwrap();
    assert!(
        (found - wanted).abs() <= half,
        "{what}: {found} is not {text}"
    );
}

fn all_printed<'t>(found: &[f64], text: impl IntoIterator<Item = &'t str>, what: &str) {
    let text: Vec<&str> = text.into_iter().collect();
    assert_eq!(found.len(), text.len());
    for (i, (found, text)) in found.iter().zip(text).enumerate() {
        printed(*found, text, &format!("{what} {}", i + 1));
    }
}

/// Forces of a motion by the recursion.
fn recursion(model: &Model, [q, v, a]: [&[f64]; 3]) -> Vec<f64> {
    let tree = Tree::spanning(model);
    let mut out = vec![0.0; q.len()];
    rnea(
        &tree,
        &mut TreeWorkspace::new(&tree),
        q,
        v,
        a,
        &[],
        &mut out,
    );
    out
}

fn wave(t: f64, period: f64, start: &[f64], size: &[f64]) -> [Vec<f64>; 3] {
    let w = TAU / period;
    let (s, c) = (w * t).sin_cos();
    let q = start.iter().zip(size).map(|(q, a)| q + 0.5 * a * (1.0 - c));
    let v = size.iter().map(|a| 0.5 * a * w * s);
    let a = size.iter().map(|a| 0.5 * a * w * w * c);
    [q.collect(), v.collect(), a.collect()]
}

#[test]
fn the_double_pendulum_has_the_coefficients_of_its_closed_form() {
    let model = arm("cipparrone-double-pendulum/planar1.rob");
    for frames in BOTH {
        let mut li = closed_form(&model, frames);
        for row in table("cipparrone-double-pendulum/coefficients.csv") {
            let angle = |k: usize| row[k].parse::<f64>().unwrap().to_radians();
            let D = li.place(&[angle(0), angle(1)]);
            let found = [
                D.inertia(0, 0),
                D.inertia(0, 1),
                D.inertia(1, 1),
                D.velocity(0, 0, 1),
                D.gravity(0),
                D.gravity(1),
            ];
            all_printed(&found, row[2..].iter().map(String::as_str), "coefficient");
            printed(D.velocity(0, 1, 1), &row[5], "D122");
            assert_eq!(D.velocity(1, 0, 0), -D.velocity(0, 0, 1));
            for (i, j, k) in [(0, 0, 0), (1, 1, 1), (1, 0, 1), (1, 1, 0)] {
                assert_eq!(D.velocity(i, j, k), 0.0);
            }
        }
    }
}

#[test]
fn the_double_pendulum_has_the_forces_and_linear_model_of_its_closed_form() {
    let model = arm("cipparrone-double-pendulum/planar1.rob");
    let motion = [&[0.3, -0.7][..], &[1.5, -2.0], &[-4.0, 6.0]];
    for frames in BOTH {
        let mut li = closed_form(&model, frames);
        let mut forces = Efforts::default();
        li.efforts(motion, &mut forces);
        all_printed(&forces.inertial, ["-0.0211873750", "0.0376252500"], "fa");
        all_printed(&forces.coriolis, ["-0.0515374150", "-0.0579795919"], "fc");
        all_printed(&forces.gravity, ["-0.6576904943", "-1.5265199018"], "fg");
        all_printed(&forces.total, ["-0.7304152842", "-1.5468742437"], "f");
        let mut linear = LinearChainModel::new(2);
        li.linearize(motion[1], motion[2], &mut linear);
        let rows = [
            (
                &linear.A,
                ["0.1711873750", "0.1105936875", "0.1105936875", "0.08"],
            ),
            (
                &linear.B,
                ["-0.0515374150", "-0.0128843537", "-0.0386530612", "0"],
            ),
            (
                &linear.inertial,
                ["0", "-0.0515374150", "0", "-0.1030748300"],
            ),
            (
                &linear.centripetal,
                ["0", "0.0611873750", "0", "0.0688357969"],
            ),
            (
                &linear.gravity,
                [
                    "6.4192483745",
                    "3.6105590965",
                    "3.6105590965",
                    "3.6105590965",
                ],
            ),
            (
                &linear.C,
                [
                    "6.4192483745",
                    "3.6202090565",
                    "3.6105590965",
                    "3.5763200634",
                ],
            ),
        ];
        for (found, text) in rows {
            all_printed(found, text, "linear model");
        }
        // gains that make every joint s² + 90.25 s + 2500: K_P = A Ω² − C, K_D = 2 A Ψ Ω Ψ − 2 B
        let gains = |a: f64, less: &[f64], factor: f64| -> Vec<f64> {
            let each = linear.A.iter().zip(less);
            each.map(|(x, y)| a * x - factor * y).collect()
        };
        all_printed(
            &gains(2500.0, &linear.C, 1.0),
            [
                "421.5491890824",
                "272.8640096720",
                "272.8736596320",
                "196.4236799366",
            ],
            "K_P",
        );
        all_printed(
            &gains(90.25, &linear.B, 2.0),
            ["15.5527354222", "10.0068490036", "10.0583864186", "7.22"],
            "K_D",
        );
    }
    let by_recursion = recursion(&model, motion);
    all_printed(
        &by_recursion,
        ["-0.7304152842", "-1.5468742437"],
        "recursion",
    );
}

#[test]
fn the_double_pendulum_moves_by_its_closed_form() {
    let model = arm("cipparrone-double-pendulum/planar1.rob");
    let mut li = closed_form(&model, Frames::Base);
    let mut linear = LinearChainModel::new(2);
    // trace and determinant of A⁻¹ C
    let mut pair = |q: &[f64; 2]| {
        let _ = li.place(q);
        li.linearize(&[0.0; 2], &[0.0; 2], &mut linear);
        let (A, C) = (&linear.A, &linear.C);
        let det = |m: &[f64]| m[0] * m[3] - m[1] * m[2];
        let trace = (A[3] * C[0] - A[1] * C[2] - A[2] * C[1] + A[0] * C[3]) / det(A);
        (trace, det(C) / det(A))
    };
    let (sum, product) = pair(&[0.0, 0.0]);
    assert!((sum - 441.0).abs() < 1e-10 && (product - 14406.0).abs() < 1e-9);
    let (sum, product) = pair(&[PI, 0.0]);
    let root = (sum * sum / 4.0 - product).sqrt();
    printed(sum / 2.0 - root, "-405.4709436641", "upright");
    printed(sum / 2.0 + root, "-35.5290563359", "upright");
    let mut free = [0.0; 2];
    let _ = li.place(&[FRAC_PI_2, 0.0]);
    li.accelerations(&[0.0; 2], &[0.0; 2], &mut free).unwrap();
    assert!((free[0] + 98.0).abs() < 1e-11 && (free[1] - 98.0).abs() < 1e-11);
}

#[test]
fn the_double_pendulum_needs_the_tabulated_forces_along_its_motion() {
    let model = arm("cipparrone-double-pendulum/planar1.rob");
    let size = [FRAC_PI_2, -FRAC_PI_3];
    for frames in BOTH {
        let mut li = closed_form(&model, frames);
        let mut forces = Efforts::default();
        for row in table("cipparrone-double-pendulum/feedforward.csv") {
            let [q, v, a] = wave(row[0].parse().unwrap(), 1.28, &[0.0; 2], &size);
            li.efforts([&q, &v, &a], &mut forces);
            let parts = [&forces.inertial[..], &forces.coriolis, &forces.gravity].concat();
            all_printed(&parts, row[1..].iter().map(String::as_str), &row[0]);
        }
        let mut peaks = |period: f64| {
            let mut peaks = [0.0_f64; 4];
            for k in 0..=256 {
                let t = period * f64::from(k) / 256.0;
                let [q, v, a] = wave(t, period, &[0.0; 2], &size);
                li.efforts([&q, &v, &a], &mut forces);
                let parts = forces.inertial.iter().chain(&forces.coriolis);
                for (peak, f) in peaks.iter_mut().zip(parts) {
                    *peak = peak.max(f.abs());
                }
            }
            peaks
        };
        let fast = peaks(1.28);
        let text = ["2.081720236", "1.261648628", "0.302639869", "0.340469852"];
        all_printed(&fast, text, "peak");
        for (slow, fast) in peaks(5.12).iter().zip(fast) {
            assert!((slow - fast / 16.0).abs() < 1e-15 * fast * 16.0);
        }
    }
}

/// The state at which the tables of the Stanford arm are given.
const STATE: [[f64; 6]; 3] = [
    [0.1, 0.7, 0.6, -0.4, 0.5, 1.2],
    [0.5, -0.8, 0.3, 1.0, -1.2, 0.9],
    [1.0, -0.5, 0.4, 2.0, -1.5, 0.7],
];

/// The arm with the printed inertia, or with the corrected one.
fn stanford(data: &str) -> Model {
    arm(match data {
        "stanford" => "../examples/robots/stanford-printed/robot.rob",
        _ => "cipparrone-stanford/stanford-c.rob",
    })
}

#[test]
fn the_stanford_arm_has_the_tabulated_forces_and_linear_model() {
    for data in ["stanford", "stanford-c"] {
        let model = stanford(data);
        let [q, v, a] = STATE;
        for frames in BOTH {
            let mut li = closed_form(&model, frames);
            let mut forces = Efforts::default();
            li.efforts([&q, &v, &a], &mut forces);
            let mut free = [0.0; 6];
            li.accelerations(&v, &[0.0; 6], &mut free).unwrap();
            let mut linear = LinearChainModel::new(6);
            li.linearize(&v, &a, &mut linear);
            let twice_B: Vec<f64> = linear.B.iter().map(|b| 2.0 * b).collect();
            let diagonal: Vec<f64> = (0..6).map(|i| linear.A[7 * i]).collect();
            for row in table("cipparrone-stanford/state.csv") {
                if row[0] != data {
                    continue;
                }
                let found = match row[1].as_str() {
                    "fg" => &forces.gravity[..],
                    "fa" => &forces.inertial,
                    "fc" => &forces.coriolis,
                    "f" => &forces.total,
                    "free" => &free,
                    "diagonal" => &diagonal,
                    "C2" => &linear.C[6..12],
                    "C4" => &linear.C[18..24],
                    "2B1" => &twice_B[..6],
                    "2B5" => &twice_B[24..30],
                    other => panic!("no quantity {other}"),
                };
                all_printed(found, row[2..].iter().map(String::as_str), &row[1]);
            }
            for (i, f) in recursion(&model, [&q, &v, &a]).iter().enumerate() {
                assert!((f - forces.total[i]).abs() < 1e-12 * 50.0, "recursion {i}");
            }
        }
    }
}

#[test]
fn the_stanford_arm_has_the_tabulated_coefficients() {
    let mut li = closed_form(&stanford("stanford"), Frames::Links);
    let D = li.place(&STATE[0]);
    for ((i, j, k), text) in [
        ((1, 1, 2), "-1.630610905"),
        ((1, 1, 3), "0.535571016"),
        ((1, 2, 3), "-1.216615067"),
        ((2, 2, 3), "1.232933767"),
        ((4, 5, 6), "-0.006232532"),
    ] {
        printed(
            D.velocity(i - 1, j - 1, k - 1),
            text,
            &format!("D{i}{j}{k}"),
        );
    }
}

#[test]
fn known_properties_of_the_stanford_arm_hold() {
    for data in ["stanford", "stanford-c"] {
        let model = stanford(data);
        let mut li = closed_form(&model, Frames::Base);
        let mut linear = LinearChainModel::new(6);
        let [q, v, a] = STATE;
        let D = li.place(&q);
        assert!(
            (D.inertia(2, 2) - 6.47).abs() < 1e-13,
            "all beyond the boom"
        );
        assert!(D.gravity(0).abs() < 1e-13 && D.gravity(5).abs() < 1e-13);
        assert!((D.gravity(2) - 63.406 * q[1].cos()).abs() < 1e-12);
        li.linearize(&v, &a, &mut linear);
        for i in 0..6 {
            assert!(
                linear.C[6 * i].abs() < 1e-12,
                "nothing depends on where it faces"
            );
            assert!(linear.C[6 * i + 5].abs() < 1e-12, "the hand is round");
        }
        let gravity = |li: &mut Li, q: [f64; 6]| -> Vec<f64> {
            let D = li.place(&q);
            (0..6).map(|i| D.gravity(i)).collect()
        };
        let level = gravity(&mut li, [0.0, FRAC_PI_2, 0.5, 0.0, 0.0, 0.0]);
        let text = [
            "0.0",
            "-5.8800098",
            "0.0",
            "-0.0571536",
            "-1.1261376",
            "0.0",
        ];
        for (found, text) in level.iter().zip(text) {
            assert!(
                (found - text.parse::<f64>().unwrap()).abs() < 1e-12,
                "{found} {text}"
            );
        }
        let upright = gravity(&mut li, [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]);
        assert!((upright[2] - 63.406).abs() < 1e-12);
        assert!(
            upright
                .iter()
                .enumerate()
                .all(|(i, f)| i == 2 || f.abs() < 1e-13)
        );
        let tree = Tree::spanning(&model);
        let mut ws = TreeWorkspace::new(&tree);
        positions(&tree, &mut ws, &q);
        let hand = pose_of(&ws, &tree.places[5]).p;
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), q[1].sin_cos());
        let wrist = [
            c1 * s2 * q[2] - s1 * 0.25,
            s1 * s2 * q[2] + c1 * 0.25,
            c2 * q[2],
        ];
        for i in 0..3 {
            assert!((hand[i] - wrist[i]).abs() < 1e-15);
        }
    }
}

#[test]
fn the_stanford_arm_needs_the_tabulated_forces_along_its_motion() {
    let start = [0.0, FRAC_PI_6, 0.3, 0.0, 0.0, 0.0];
    let size = [FRAC_PI_2, FRAC_PI_3, 0.4, -FRAC_PI_2, FRAC_PI_4, PI];
    for row in table("cipparrone-stanford/feedforward.csv") {
        let model = stanford(&row[0]);
        let [q, v, a] = wave(row[1].parse().unwrap(), 2.56, &start, &size);
        for frames in BOTH {
            let mut forces = Efforts::default();
            closed_form(&model, frames).efforts([&q, &v, &a], &mut forces);
            all_printed(&forces.total, row[2..].iter().map(String::as_str), &row[1]);
        }
        let by_recursion = recursion(&model, [&q, &v, &a]);
        all_printed(
            &by_recursion,
            row[2..].iter().map(String::as_str),
            "recursion",
        );
    }
}
