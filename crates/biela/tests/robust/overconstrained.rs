//! Overconstrained linkages: degrees of freedom, the reported redundant constraints, and the motion.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::path::Path;

use biela::core::analysis::{Assembled, Formulation, assemble};
use biela::core::methods::METHODS;
use biela::core::system::{RowOwner, Workspace};
use biela::{Job, Run, redundancies};

use super::linkages::{bennett, bricard, closed_chain, goldberg, read};

/// The rows of G at the start as dense vectors, with the name of the element of each.
fn dense_rows(assembled: &Assembled) -> Vec<(String, Vec<f64>)> {
    let system = assembled.system.as_ref();
    let state = &assembled.state;
    let mut ws = Workspace::new(system);
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut ws.kinematics,
    );
    system.constraints(&mut ws);
    let pattern = system.jacobian_pattern();
    let dense = |i: usize| {
        let mut row = vec![0.0; system.sizes().velocities];
        for e in pattern.range(i) {
            row[pattern.columns[e]] = ws.jacobian[e];
        }
        row
    };
    let labels = system.rows().iter().enumerate();
    labels
        .map(|(i, label)| (label.owner_name(system.model()).to_owned(), dense(i)))
        .collect()
}

/// The rank of a list of rows, by orthogonalisation.
fn rank(rows: &[&[f64]]) -> usize {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut rest = row.to_vec();
        for _ in 0..2 {
            for unit in &basis {
                let along: f64 = rest.iter().zip(unit).map(|(x, u)| x * u).sum();
                rest.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
            }
        }
        let left = length(&rest);
        if left > 1e-6 * length(row) {
            basis.push(rest.iter().map(|x| x / left).collect());
        }
    }
    basis.len()
}

/// Asserts that a model has these degrees of freedom and these redundant rows by element, and that the report is correct: without the rows the rank is
/// the same, and each of them is implied by the elements that the report names.
pub(super) fn is_overconstrained(job: Job, freedom: usize, expected: &[(&str, usize)]) {
    let name = job.model.name.clone();
    let assembled =
        assemble(job.model, Formulation::Absolute).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(assembled.mobility.freedom, freedom, "{name}");
    assert_eq!(assembled.singular_rows, 0, "{name}");
    let found = redundancies(&assembled);
    let counts: Vec<(&str, usize)> = found
        .iter()
        .map(|r| {
            (
                r.element.trim_start_matches("joint ").trim_matches('`'),
                r.rows,
            )
        })
        .collect();
    assert_eq!(counts, expected, "{name}");

    let rows = dense_rows(&assembled);
    let all: Vec<&[f64]> = rows.iter().map(|(_, row)| row.as_slice()).collect();
    let whole = rank(&all);
    assert_eq!(assembled.mobility.velocities - whole, freedom, "{name}");
    let (kept, left_out): (Vec<usize>, Vec<usize>) =
        (0..rows.len()).partition(|&i| assembled.active[i]);
    let of = |list: &[usize]| -> Vec<&[f64]> { list.iter().map(|&i| all[i]).collect() };
    assert_eq!(
        rank(&of(&kept)),
        whole,
        "{name}: rows left out that say something"
    );
    assert_eq!(kept.len(), whole, "{name}: rows kept that say nothing");
    for row in left_out {
        let owner = &rows[row].0;
        let told = found
            .iter()
            .find(|r| r.element.contains(&format!("`{owner}`")))
            .unwrap();
        let named = |i: &usize| {
            *i != row
                && assembled.active[*i]
                && (rows[*i].0 == *owner || told.said_by.contains(&rows[*i].0))
        };
        let saying: Vec<usize> = (0..rows.len()).filter(named).collect();
        let mut with = of(&saying);
        let without = rank(&with);
        with.push(all[row]);
        assert_eq!(
            rank(&with),
            without,
            "{name}: `{owner}` is not said by {:?}",
            told.said_by
        );
    }
    assert!(
        assembled
            .system
            .rows()
            .iter()
            .all(|row| !matches!(row.owner, RowOwner::Driver(_))),
        "{name}"
    );
}

/// A second of free motion of a model in a formulation, in which energy stays and left-out rows hold too.
pub(super) fn free_motion(text: &str, formulation: &str) -> Run {
    let study = format!(
        "{text}\n[study]\nduration = 1\noutput_step = 0.05\nformulation = \"{formulation}\"\nintegrator = {{ type = \"dop853\", tolerance = 1e-11 }}\n"
    );
    let mut job = read(&study);
    job.outputs.channels = biela::core::system::channels(&job.model);
    let name = job.model.name.clone();
    let run = biela::run(job).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(run.ended.is_ok(), "{name}: {:?}", run.ended);
    let s = &run.statistics;
    assert!(
        s.worst_position < 1e-9,
        "{name}: off by {:e}",
        s.worst_position
    );
    assert!(
        s.worst_energy < 1e-8 * s.energy_scale,
        "{name}: {:e} of {:e} J",
        s.worst_energy,
        s.energy_scale
    );
    run
}

/// How far an angle is from another, whole turns aside.
fn apart(x: f64, y: f64) -> f64 {
    let off = (x - y).abs() % TAU;
    off.min(TAU - off)
}

/// Asserts that the angles of a closed chain follow a closed form of the first one while it moves freely.
fn follows(
    name: &str,
    (start, gravity): (f64, f64),
    form: impl Fn(f64) -> (Vec<(f64, f64)>, Vec<f64>),
    least: f64,
) {
    let (links, angles) = form(start);
    let text = closed_chain(name, &links, &angles).replace("-9.81", &format!("-{gravity}"));
    for formulation in ["absolute", "tree"] {
        let run = free_motion(&text, formulation);
        let column = |i: usize| run.column(&format!("J{i}.angle")).unwrap();
        let first = column(1);
        for i in 2..=links.len() {
            for (theta, angle) in first.iter().zip(column(i)) {
                let expected = form(*theta).1[i - 1];
                assert!(
                    apart(angle, expected) < 1e-8,
                    "{name} in {formulation}: J{i} at {angle} instead of {expected}"
                );
            }
        }
        let moved = first.iter().fold(0.0, |m: f64, x| m.max((x - start).abs()));
        assert!(moved > least, "{name} only moved by {moved}");
    }
}

#[test]
fn the_bennett_linkage_has_three_redundant_constraints_and_its_closed_form_motion() {
    let (links, angles) = bennett(0.9);
    is_overconstrained(
        read(&closed_chain("bennett", &links, &angles)),
        1,
        &[("J4", 3)],
    );
    // through poses at which the rows selected at the start are linearly dependent
    follows("bennett", (0.9, 9.81), bennett, 2.5);
}

#[test]
fn the_goldberg_linkage_has_two_redundant_constraints_and_its_closed_form_motion() {
    let (links, angles) = goldberg(0.9);
    is_overconstrained(
        read(&closed_chain("goldberg", &links, &angles)),
        1,
        &[("J5", 2)],
    );
    follows("goldberg", (0.9, 1.0), goldberg, 0.2);
}

#[test]
fn the_threefold_bricard_linkage_has_one_redundant_constraint_and_its_closed_form_motion() {
    let (links, angles) = bricard(1.0);
    is_overconstrained(
        read(&closed_chain("bricard", &links, &angles)),
        1,
        &[("J6", 1)],
    );
    follows("bricard", (1.0, 1.0), bricard, 0.1);
}

/// A beam on three equal parallel cranks, in the plane: the third holds what the others already hold.
const THREE_CRANKS: &str = r#"
format = 1
name = "three-cranks"
space = "planar"
gravity = [0, -1]
[ground]
points = { C1 = [0.4, 0], C2 = [0.8, 0] }
[[body]]
name = "crank0"
mass = 1
inertia = 0.01
points = { end = [0.3, 0] }
[[body]]
name = "crank1"
mass = 1
inertia = 0.01
points = { end = [0.3, 0] }
[[body]]
name = "beam"
mass = 2
inertia = 0.1
com = [0.4, 0]
points = { B = [0.4, 0], C = [0.8, 0] }
[[joint]]
name = "O0"
type = "revolute"
between = ["ground", "crank0"]
initial = { angle = 1.1 }
[[joint]]
name = "O1"
type = "revolute"
between = ["ground.C1", "crank1"]
initial = { angle = 1.1 }
[[joint]]
name = "A0"
type = "revolute"
between = ["crank0.end", "beam"]
initial = { angle = -1.1 }
[[joint]]
name = "A1"
type = "revolute"
between = ["crank1.end", "beam.B"]
"#;

#[test]
fn a_beam_on_three_parallel_cranks_has_one_redundant_constraint() {
    let third = r#"
[[body]]
name = "crank2"
mass = 1
inertia = 0.01
points = { end = [0.3, 0] }
[[joint]]
name = "O2"
type = "revolute"
between = ["ground.C2", "crank2"]
initial = { angle = 1.1 }
[[joint]]
name = "A2"
type = "revolute"
between = ["crank2.end", "beam.C"]
"#;
    let text = format!("{THREE_CRANKS}{third}");
    is_overconstrained(read(&text), 1, &[("A2", 1)]);
    // one crank more of the same mass: the inertia and weight of three cranks instead of two, (3·0.01 + 2·0.3²) φ̈ = −2·0.3 cos φ
    for formulation in ["absolute", "tree"] {
        let run = free_motion(&text, formulation);
        let (angle, rate) = (
            run.column("O0.angle").unwrap(),
            run.column("O0.rate").unwrap(),
        );
        for (phi, speed) in angle.iter().zip(&rate) {
            let inertia = 3.0 * 0.01 + 2.0 * 0.3 * 0.3;
            let fallen = 2.0 * 0.3 * (1.1_f64.sin() - phi.sin());
            assert!(
                (0.5 * inertia * speed * speed - fallen).abs() < 1e-7,
                "{phi} {speed}"
            );
        }
        assert!(rate.iter().any(|r| r.abs() > 0.5));
    }
}

/// A leaf on so many hinges along a slanting axis.
fn door(hinges: usize) -> String {
    let heights = [0.2, 1.0, 1.8];
    let mut text =
        "format = 1\nname = \"door\"\nspace = \"spatial\"\ngravity = [0, -3, -9]\n".to_owned();
    let points: Vec<String> = heights
        .iter()
        .enumerate()
        .map(|(i, z)| format!("h{i} = [0, 0, {z}]"))
        .collect();
    let points = points.join(", ");
    let _ = writeln!(
        text,
        "[ground]\npoints = {{ {points} }}\n[[body]]\nname = \"leaf\"\nmass = 20\ninertia = [7, 8, 1.1]\ncom = [0.4, 0.1, 1]\npoints = {{ {points} }}"
    );
    for i in 0..hinges {
        let _ = writeln!(
            text,
            "[[joint]]\nname = \"hinge{i}\"\ntype = \"revolute\"\nbetween = [\"ground.h{i}\", \"leaf.h{i}\"]"
        );
    }
    text
}

#[test]
fn a_door_on_three_hinges_has_ten_redundant_constraints_and_swings_as_on_one() {
    is_overconstrained(read(&door(3)), 1, &[("hinge1", 5), ("hinge2", 5)]);
    let one = free_motion(&door(1), "absolute");
    for formulation in ["absolute", "tree"] {
        let three = free_motion(&door(3), formulation);
        for i in 0..3 {
            let angle = three.column(&format!("hinge{i}.angle")).unwrap();
            for (x, y) in angle.iter().zip(one.column("hinge0.angle").unwrap()) {
                assert!((x - y).abs() < 1e-9, "{x} {y}");
            }
        }
    }
}

#[test]
fn a_carriage_on_two_rails_has_five_redundant_constraints_and_falls_along_them() {
    let text = r#"
format = 1
name = "rails"
space = "spatial"
gravity = [2, 0, -9]
[ground]
points = { left = [0, -1, 0], right = [0, 1, 0] }
[[body]]
name = "carriage"
mass = 3
inertia = [1, 2, 3]
com = [0.1, 0.2, 0.3]
points = { left = [0, -1, 0], right = [0, 1, 0] }
[[joint]]
name = "rail1"
type = "prismatic"
between = ["ground.left", "carriage.left"]
[[joint]]
name = "rail2"
type = "prismatic"
between = ["ground.right", "carriage.right"]
"#;
    is_overconstrained(read(text), 1, &[("rail2", 5)]);
    for formulation in ["absolute", "tree"] {
        let run = free_motion(text, formulation);
        for (t, x) in run
            .times()
            .iter()
            .zip(run.column("rail1.position").unwrap())
        {
            assert!((x - t * t).abs() < 1e-10, "{x} at {t}");
        }
    }
}

/// The linkage of Sarrus: two folding pairs of plates at right angles let a platform rise straight (P. F. Sarrus, *Note sur la transformation des
/// mouvements rectilignes alternatifs en mouvements circulaires et réciproquement*, Comptes rendus 36, 1853).
fn sarrus(angle: f64) -> String {
    let mut text = format!(
        r#"
format = 1
name = "sarrus"
space = "spatial"
gravity = [0, 0, -9.81]
[ground]
points = {{ a = [0.1, 0, 0], b = [0, 0.1, 0] }}
[[body]]
name = "platform"
mass = 2
inertia = [0.02, 0.02, 0.04]
position = [0, 0, {}]
points = {{ a = [0.1, 0, 0], b = [0, 0.1, 0] }}
"#,
        0.6 * angle.sin()
    );
    // a plate leans outward by `angle` from level and back: about −y for a, about x for b
    for (leg, axis, out) in [
        ("a", "[0, -1, 0]", "[0.3, 0, 0]"),
        ("b", "[1, 0, 0]", "[0, 0.3, 0]"),
    ] {
        let (x, y) = if leg == "a" { (1.0, 0.0) } else { (0.0, 1.0) };
        let knee = 0.1 + 0.3 * angle.cos();
        let _ = write!(
            text,
            r#"
[[body]]
name = "low_{leg}"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [{}, {}, 0]
rotation = {{ axis = {axis}, angle = {angle} }}
points = {{ end = {out} }}
[[body]]
name = "high_{leg}"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [{}, {}, {}]
rotation = {{ axis = {axis}, angle = {} }}
points = {{ end = {out} }}
[[joint]]
name = "foot_{leg}"
type = "revolute"
between = ["ground.{leg}", "low_{leg}"]
axis = {axis}
[[joint]]
name = "knee_{leg}"
type = "revolute"
between = ["low_{leg}.end", "high_{leg}"]
axis = {axis}
[[joint]]
name = "head_{leg}"
type = "revolute"
between = ["high_{leg}.end", "platform.{leg}"]
axis = {axis}
"#,
            0.1 * x,
            0.1 * y,
            knee * x,
            knee * y,
            0.3 * angle.sin(),
            std::f64::consts::PI - angle,
        );
    }
    text
}

#[test]
fn the_sarrus_linkage_has_one_redundant_constraint_and_moves_along_a_line() {
    is_overconstrained(read(&sarrus(1.0)), 1, &[("head_b", 1)]);
    for formulation in ["absolute", "tree"] {
        // it falls a second through, flat on the ground there: half of it is enough
        let run = free_motion(&sarrus(1.0).replace("-9.81", "-0.5"), formulation);
        let (x, y, z) = (
            run.column("platform.x").unwrap(),
            run.column("platform.y").unwrap(),
            run.column("platform.z").unwrap(),
        );
        let angle = run.column("foot_a.angle").unwrap();
        for i in 0..z.len() {
            assert!(x[i].abs() < 1e-9 && y[i].abs() < 1e-9, "{} {}", x[i], y[i]);
            assert!(
                (z[i] - 0.6 * angle[i].sin()).abs() < 1e-9,
                "{} {}",
                z[i],
                angle[i]
            );
        }
        assert!(z[0] - z[z.len() - 1] > 0.05);
    }
}

#[test]
fn a_body_welded_twice_stays_at_rest_with_every_method() {
    let weld = |name: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"weld\"\nbetween = [\"ground\", \"block\"]\n"
        )
    };
    let block = "[[body]]\nname = \"block\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let joints = weld("one") + &weld("other");
    let head = "format = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n";
    for method in METHODS {
        for formulation in ["absolute", "tree"] {
            let study = format!(
                "[study]\nduration = 0.1\nmethod = \"{}\"\nformulation = \"{formulation}\"\n",
                method.name
            );
            let run = biela::run(read(&format!("{head}{block}{joints}{study}"))).unwrap();
            assert!(run.ended.is_ok(), "{}: {:?}", method.name, run.ended);
            assert!(
                run.column("block.z")
                    .unwrap()
                    .iter()
                    .all(|z| z.abs() < 1e-12)
            );
        }
    }
}

/// Points on a circle with a rod between every two: all but 2n − 3 of the n (n − 1)/2 rods are redundant.
#[test]
fn a_dense_network_of_rods_has_the_degrees_of_freedom_of_a_rigid_body_and_of_its_joints() {
    let count = 38;
    let at = |i: usize| (TAU * i as f64 / count as f64).sin_cos();
    let mut text = "format = 1\nspace = \"planar\"\n".to_owned();
    for i in 0..count {
        let (y, x) = at(i);
        let _ = write!(
            text,
            "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 0.1\nposition = [{x:?}, {y:?}]\n"
        );
    }
    for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
        let ((y1, x1), (y2, x2)) = (at(i), at(j));
        let length = (x2 - x1).hypot(y2 - y1);
        let _ = write!(
            text,
            "[[joint]]\nname = \"d{i}-{j}\"\ntype = \"distance\"\nbetween = [\"b{i}\", \"b{j}\"]\nlength = {length:?}\n"
        );
    }
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        let mobility = assemble(read(&text).model, formulation).unwrap().mobility;
        assert_eq!(mobility.freedom, count + 3, "{formulation:?}");
        let independent = mobility.rows - mobility.dependent.len();
        assert_eq!(mobility.freedom, mobility.velocities - independent);
    }
}

/// Models of the gallery that have more equations than they need.
const REDUNDANT: &[(&str, usize)] = &[
    ("bennett", 3),
    ("closed-chain", 3),
    ("overconstrained-four-bar", 3),
];

#[test]
fn no_other_model_of_the_gallery_is_reported_as_redundant() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = |path: &Path| -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    let (mut found, mut looked) = (BTreeMap::new(), 0);
    for model in folders(&root).iter().flat_map(|topic| folders(topic)) {
        let job = biela::load(model.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
        let study = job.study_or_start();
        let name = model.file_name().unwrap().to_string_lossy().into_owned();
        let assembled =
            assemble(job.model, study.formulation).unwrap_or_else(|e| panic!("{name}: {e}"));
        let rows: usize = redundancies(&assembled).iter().map(|r| r.rows).sum();
        looked += 1;
        if rows > 0 {
            let _ = found.insert(name, rows);
        }
    }
    assert!(looked > 50);
    let expected: BTreeMap<String, usize> = REDUNDANT
        .iter()
        .map(|(n, r)| ((*n).to_owned(), *r))
        .collect();
    assert_eq!(found, expected);
}
