//! Tables of Denavit and Hartenberg make the arms they describe.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use biela_core::math::{Mat3, Pose, Random, Vec3};
use biela_core::model::Model;
use biela_core::tree::{Tree, TreeWorkspace, pose_of, positions, rnea};
use biela_model::diagnostic::ReportStyle;
use biela_model::{Overrides, parse};

fn model(text: &str) -> Model {
    let loaded = parse("arm.toml", text, &Overrides::default());
    let report = loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain);
    assert!(loaded.model.is_some(), "{report}");
    loaded.model.unwrap().model
}

/// One row: alpha, a, d, theta, and whether it slides.
#[derive(Clone, Copy)]
struct Row {
    alpha: f64,
    a: f64,
    d: f64,
    theta: f64,
    slides: bool,
}

impl Row {
    fn random(random: &mut Random) -> Self {
        Row {
            alpha: random.symmetric(3.0),
            a: random.symmetric(0.5),
            d: random.symmetric(0.5),
            theta: random.symmetric(3.0),
            slides: random.below(3) == 0,
        }
    }

    /// The row's frame in the frame before, by the products of the textbook.
    fn pose(&self, q: f64, modified: bool) -> Pose {
        let (d, theta) = if self.slides {
            (self.d + q, self.theta)
        } else {
            (self.d, self.theta + q)
        };
        let (st, ct) = theta.sin_cos();
        let (sa, ca) = self.alpha.sin_cos();
        if modified {
            // J. J. Craig, Introduction to Robotics, 3rd ed. 2005, eq. 3.6
            Pose::new(
                Mat3::new(ct, -st, 0.0, st * ca, ct * ca, -sa, st * sa, ct * sa, ca),
                Vec3::new(self.a, -sa * d, ca * d),
            )
        } else {
            // R. P. Paul, Robot Manipulators, 1981, eq. 2.34
            Pose::new(
                Mat3::new(ct, -st * ca, st * sa, st, ct * ca, -ct * sa, 0.0, sa, ca),
                Vec3::new(self.a * ct, self.a * st, d),
            )
        }
    }
}

/// A model with a chain of these rows on a frame of the ground.
fn text(rows: &[Row], modified: bool, masses: &[String]) -> String {
    let mut text = String::from(
        "format = 1\nspace = \"spatial\"\ngravity = [1, -2, -9.81]\n\
         [ground]\nframes = { base = { at = [0.1, 0.2, 0.3], rotation = { dextral = [0.4, 0.5, 0.6] } } }\n\
         [[chain]]\nname = \"arm\"\nbase = \"ground.base\"\n",
    );
    if modified {
        text += "convention = \"modified\"\n";
    }
    for (i, row) in rows.iter().enumerate() {
        let kind = if row.slides { "prismatic" } else { "revolute" };
        let row = format!(
            "[[chain.links]]\nname = \"link{i}\"\njoint = \"joint{i}\"\ntype = \"{kind}\"\n\
             alpha = {:?}\na = {:?}\nd = {:?}\ntheta = {:?}\n{}\n",
            row.alpha, row.a, row.d, row.theta, masses[i]
        );
        text.push_str(&row);
    }
    text
}

fn plain(count: usize) -> Vec<String> {
    vec!["mass = 1\ninertia = [0.1, 0.1, 0.1]".to_owned(); count]
}

/// Where the bodies of a chain are.
fn poses(model: &Model, q: &[f64]) -> Vec<Pose> {
    let tree = Tree::spanning(model);
    let mut ws = TreeWorkspace::new(&tree);
    positions(&tree, &mut ws, q);
    tree.places
        .iter()
        .map(|place| pose_of(&ws, place))
        .collect()
}

fn apart(a: &Pose, b: &Pose) -> f64 {
    (a.R - b.R).norm() + (a.p - b.p).norm()
}

#[test]
fn links_have_the_poses_of_the_denavit_hartenberg_products() {
    let mut random = Random::new(5);
    for count in 1..=7 {
        for modified in [false, true] {
            let rows: Vec<Row> = (0..count).map(|_| Row::random(&mut random)).collect();
            let model = model(&text(&rows, modified, &plain(count)));
            let q: Vec<f64> = rows.iter().map(|_| random.symmetric(2.0)).collect();
            let mut frame = model.markers[1].pose;
            for (i, pose) in poses(&model, &q).iter().enumerate() {
                frame = frame.then(&rows[i].pose(q[i], modified));
                let error = apart(pose, &frame);
                assert!(error < 1e-13, "link {i} of {count}: {error:e}");
            }
        }
    }
}

/// The PUMA 560 in the standard convention: alpha, a, d (P. I. Corke, B. Armstrong-Hélouvry, ICRA 1994).
const PUMA: [[f64; 3]; 6] = [
    [std::f64::consts::FRAC_PI_2, 0.0, 0.0],
    [0.0, 0.4318, 0.0],
    [-std::f64::consts::FRAC_PI_2, 0.0203, 0.15005],
    [std::f64::consts::FRAC_PI_2, 0.0, 0.4318],
    [-std::f64::consts::FRAC_PI_2, 0.0, 0.0],
    [0.0, 0.0, 0.0],
];

#[test]
fn both_conventions_describe_the_same_puma() {
    let row = |alpha: f64, a: f64, d: f64| Row {
        alpha,
        a,
        d,
        theta: 0.0,
        slides: false,
    };
    let standard: Vec<Row> = PUMA
        .iter()
        .map(|[alpha, a, d]| row(*alpha, *a, *d))
        .collect();
    // in Craig's table a row has the twist and length of the link before
    let modified: Vec<Row> = (0..6_usize)
        .map(|i| {
            let [alpha, a, _] = i.checked_sub(1).map_or([0.0; 3], |before| PUMA[before]);
            row(alpha, a, PUMA[i][2])
        })
        .collect();
    let mut random = Random::new(560);
    let center: Vec<Vec3<f64>> = (0..6).map(|_| random.vector(0.2)).collect();
    let describe = |c: &Vec3<f64>, inertia: &Mat3<f64>| {
        let rows: Vec<String> = inertia
            .row_iter()
            .map(|row| format!("[{:?}, {:?}, {:?}]", row[0], row[1], row[2]))
            .collect();
        let c = format!("[{:?}, {:?}, {:?}]", c[0], c[1], c[2]);
        format!("mass = 3\ncom = {c}\ninertia = [{}]", rows.join(", "))
    };
    let moments = Mat3::from_diagonal(&Vec3::new(0.1, 0.12, 0.15));
    let ours: Vec<String> = center.iter().map(|c| describe(c, &moments)).collect();
    // frame i of the standard convention in frame i of the modified one
    let shift = |i: usize| {
        let [alpha, a, _] = PUMA[i];
        row(alpha, a, 0.0).pose(0.0, true)
    };
    let theirs: Vec<String> = (0..6)
        .map(|i| {
            let shift = shift(i);
            let turned = shift.R * moments * shift.R.transpose();
            describe(
                &shift.point(&center[i]),
                &((turned + turned.transpose()) * 0.5),
            )
        })
        .collect();
    let first = model(&text(&standard, false, &ours));
    let second = model(&text(&modified, true, &theirs));
    let mut vector = || -> Vec<f64> { (0..6).map(|_| random.symmetric(2.0)).collect() };
    let (q, v, a) = (vector(), vector(), vector());
    for (i, (x, y)) in poses(&first, &q).iter().zip(poses(&second, &q)).enumerate() {
        assert!(apart(x, &y.then(&shift(i))) < 1e-13, "link {i}");
    }
    let forces = |model: &Model| {
        let tree = Tree::spanning(model);
        let mut out = vec![0.0; 6];
        rnea(
            &tree,
            &mut TreeWorkspace::new(&tree),
            &q,
            &v,
            &a,
            &[],
            &mut out,
        );
        out
    };
    for (x, y) in forces(&first).iter().zip(forces(&second)) {
        assert!((x - y).abs() < 1e-12, "{x} {y}");
    }
}

#[test]
fn a_planar_chain_is_an_arm_in_the_plane() {
    let text = "format = 1\nspace = \"planar\"\n[[chain]]\nname = \"arm\"\nlinks = [\n\
        { name = \"upper\", joint = \"shoulder\", a = 0.3, mass = 1, inertia = 0.1 },\n\
        { name = \"lower\", joint = \"elbow\", a = 0.2, theta = 0.5, mass = 1, inertia = 0.1 } ]\n";
    let found = poses(&model(text), &[0.4, -0.3]);
    let turn = |angle: f64, length: f64| Vec3::new(length * angle.cos(), length * angle.sin(), 0.0);
    let elbow = turn(0.4, 0.3);
    assert!((found[0].p - elbow).norm() < 1e-15);
    assert!((found[1].p - elbow - turn(0.6, 0.2)).norm() < 1e-15);
}
