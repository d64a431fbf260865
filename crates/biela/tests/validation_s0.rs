//! The cases of G. O. de C. Pacheco's thesis of 2006, against references that were computed another way: pendulums of two to
//! ten bodies, a closed chain of thirty, stabilisation of constraints, and a robot under computed torque.
//!
//! A comment beside a tolerance gives the error that was measured.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::{PI, SQRT_2};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use biela::core::analysis::{Assembled, Formulation, Stop, assemble};
use biela::core::element::Value;
use biela::core::system::channels;
use biela::model::lower::{Overrides, parse};
use biela::{Job, Run, redundancies};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A table of the folder `validation`: names of columns, and rows of printed numbers.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(path: &str) -> Self {
        let text = std::fs::read_to_string(root().join("validation").join(path)).unwrap();
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let names = split(lines.next().unwrap());
        let rows: Vec<_> = lines.map(split).collect();
        assert!(rows.len() > 1 && rows.iter().all(|row| row.len() == names.len()));
        Table { names, rows }
    }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

/// Size of a unit of the last digit of a printed number.
fn last_digit(text: &str) -> f64 {
    let decimals = text.split_once('.').map_or(0, |(_, d)| d.len());
    10.0_f64.powi(-(decimals as i32))
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.column(name)
        .unwrap_or_else(|| panic!("no signal {name}"))
}

/// A signal at an output time.
fn at(run: &Run, name: &str, time: f64) -> f64 {
    let row = run.times().iter().position(|t| (t - time).abs() < 1e-9);
    column(run, name)[row.unwrap_or_else(|| panic!("no output at {time}"))]
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn energy_drift(run: &Run) -> f64 {
    run.statistics.worst_energy / run.statistics.energy_scale
}

/// Reads a model from text.
fn job(text: &str) -> Job {
    let loaded = parse("model.toml", text, &Overrides::default());
    let job = Job::new(loaded).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        job.report.render(biela::model::diagnostic::Style::Plain),
        ""
    );
    job
}

/// Runs a job to its end and keeps every signal.
fn run(mut job: Job) -> Run {
    job.outputs.channels = channels(&job.model);
    let run = biela::run(job).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(run.ended, Ok(Stop::Finished));
    run
}

/// What is done with a generated model.
struct Plan {
    duration: f64,
    output_step: f64,
    integrator: &'static str,
    tolerance: f64,
}

/// Text of a model of steel cylinders of 1 m, radius 25 mm, on hinges along z, in gravity along −y.
struct Cylinders(String);

impl Cylinders {
    fn new(count: usize) -> Self {
        let mut text = "format = 1\nname = \"cylinders\"\nspace = \"spatial\"\n\
                        gravity = [0, \"-9.80665 m/s^2\", 0]\n"
            .to_owned();
        for k in 1..=count {
            write!(
                text,
                "[[body]]\nname = \"link{k}\"\ndensity = \"7801 kg/m^3\"\n\
                 shapes = [{{ type = \"bar\", radius = \"25 mm\", from = [-0.5, 0, 0], to = [0.5, 0, 0] }}]\n\
                 points = {{ A = [-0.5, 0, 0], B = [0.5, 0, 0] }}\n"
            )
            .unwrap();
        }
        Cylinders(text)
    }

    /// A hinge at rest, its angle given where no other hinge determines it.
    fn hinge(mut self, name: &str, between: [&str; 2], degrees: Option<i32>) -> Self {
        let [a, b] = between;
        write!(
            self.0,
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbetween = [\"{a}\", \"{b}\"]\naxis = [0, 0, 1]\n"
        )
        .unwrap();
        if let Some(degrees) = degrees {
            writeln!(
                self.0,
                "initial = {{ angle = \"{degrees} deg\", rate = 0 }}"
            )
            .unwrap();
        }
        self
    }

    /// Hinges `hinge<k>` that continue a line of links.
    fn line(self, links: impl IntoIterator<Item = usize>) -> Self {
        links.into_iter().fold(self, |text, k| {
            let ends = [format!("link{}.B", k - 1), format!("link{k}.A")];
            text.hinge(&format!("hinge{k}"), [&ends[0], &ends[1]], Some(0))
        })
    }

    fn job(self, plan: &Plan) -> Job {
        let Plan {
            duration,
            output_step,
            integrator,
            tolerance,
        } = plan;
        job(&format!(
            "{}[study]\nduration = {duration:?}\noutput_step = {output_step:?}\nmethod = \"projection\"\n\
             integrator = {{ type = \"{integrator}\", tolerance = {tolerance:?} }}\n",
            self.0
        ))
    }
}

/// n cylinders in series, the first on the ground, let go in line and horizontal.
fn pendulums(n: usize) -> Cylinders {
    let mut chain = Cylinders::new(n)
        .hinge("hinge1", ["ground", "link1.A"], Some(0))
        .line(2..=n);
    let sum: Vec<String> = (1..=n).map(|k| format!("hinge{k}.angle")).collect();
    write!(
        chain.0,
        "[[sensor]]\nname = \"theta\"\nvalue = \"{}\"\nunit = \"rad\"\n",
        sum.join(" + ")
    )
    .unwrap();
    chain
}

/// A square of four cylinders on a pin, and a line of 26 more from its far corner.
fn closed_chain() -> Cylinders {
    Cylinders::new(30)
        .hinge("pin", ["ground", "link1.A"], Some(0))
        .hinge("corner2", ["link1.B", "link2.A"], Some(-90))
        .hinge("corner3", ["link2.B", "link3.A"], Some(-90))
        .hinge("corner4", ["link3.B", "link4.A"], Some(-90))
        .hinge("closure", ["link4.B", "link1.A"], None)
        .hinge("hinge5", ["link1.B", "link5.A"], Some(0))
        .line(6..=30)
}

fn assembled(job: Job) -> Assembled {
    assemble(job.model, Formulation::Absolute).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn two_to_ten_pendulums_in_series_follow_their_table() {
    let table = Table::read("pacheco-pendulums/reference.csv");
    assert_eq!(
        table.names,
        ["n", "t", "x", "y", "vx", "vy", "theta", "omega"]
    );
    for n in 2..=10 {
        let own = n.to_string();
        let rows: Vec<_> = table.rows.iter().filter(|row| row[0] == own).collect();
        assert!(rows.len() >= 3, "{n}");
        let run = run(pendulums(n).job(&Plan {
            duration: number(&rows[rows.len() - 1][1]),
            output_step: 0.125,
            integrator: "dop853",
            tolerance: 1e-12,
        }));
        for row in rows {
            let time = number(&row[1]);
            for (name, printed) in table.names.iter().zip(row).skip(2) {
                let signal = match name.as_str() {
                    "theta" => "theta".to_owned(),
                    "omega" => format!("link{n}.omega_z"),
                    other => format!("link{n}.{other}"),
                };
                let found = at(&run, &signal, time);
                let units = (found - number(printed)).abs() / last_digit(printed);
                // measured 0.498
                assert!(
                    units <= 0.6,
                    "{n} bodies: {signal}({time}) = {found:.12} instead of {printed}"
                );
            }
        }
        // released at the height of the pin: no energy, and it stays so; the motion stays in its plane
        let drift = energy_drift(&run);
        // measured 6e-13
        assert!(drift <= 1e-11, "{n}: {drift:e}");
        assert!(run.statistics.worst_position <= 1e-10 && run.statistics.worst_velocity <= 1e-10);
        for name in ["z", "omega_x", "omega_y"] {
            let off = largest(column(&run, &format!("link{n}.{name}")));
            assert!(off <= 1e-9, "{n}: {name} {off:e}");
        }
    }
}

#[test]
fn ten_pendulums_reach_the_printed_extremes() {
    let run = run(pendulums(10).job(&Plan {
        duration: 7.0,
        output_step: 0.025,
        integrator: "dop853",
        tolerance: 1e-11,
    }));
    // signal, sign of the extreme, its printed value and time where given
    let printed = [
        ("ax", -1.0, "-223.4", Some(5.05)),
        ("ax", 1.0, "113.6", None),
        ("ay", 1.0, "423.3", Some(4.325)),
        ("omega_z", -1.0, "-31.42", Some(4.325)),
        ("omega_z", 1.0, "9.61", None),
        ("alpha_z", -1.0, "-881.1", Some(4.325)),
        ("alpha_z", 1.0, "718.8", Some(4.35)),
    ];
    for (name, sign, value, time) in printed {
        let values = column(&run, &format!("link10.{name}"));
        let top = (0..values.len())
            .max_by(|a, b| (sign * values[*a]).total_cmp(&(sign * values[*b])))
            .unwrap();
        let off = (values[top] - number(value)).abs();
        assert!(
            off <= 0.5 * last_digit(value) + 1e-5,
            "{name}: {} instead of {value}",
            values[top]
        );
        assert!(time.is_none_or(|t| (run.times()[top] - t).abs() < 1e-9));
    }
}

#[test]
fn pendulums_let_go_have_the_printed_accelerations_and_one_freedom_a_body() {
    let table = Table::read("pacheco-pendulums/accelerations.csv");
    assert_eq!(table.names, ["n", "ay", "alpha"]);
    for (row, n) in table.rows.iter().zip(2..) {
        assert_eq!(row[0], n.to_string());
        let plan = Plan {
            duration: 1e-3,
            output_step: 1e-3,
            integrator: "dop853",
            tolerance: 1e-9,
        };
        let mobility = assembled(pendulums(n).job(&plan)).mobility;
        assert_eq!((mobility.rows, mobility.freedom), (5 * n, n));
        assert!(mobility.dependent.is_empty());
        let run = run(pendulums(n).job(&plan));
        for (signal, printed) in ["ay", "alpha_z"].iter().zip(&row[1..]) {
            let found = at(&run, &format!("link{n}.{signal}"), 0.0);
            let off = (found - number(printed)).abs();
            // measured 5.0e-9: what printing leaves
            assert!(off <= 0.6e-8, "{n}: {signal} off by {off:e}");
        }
    }
}

#[test]
fn the_closed_chain_has_28_freedoms_and_says_three_things_twice() {
    let assembled = assembled(closed_chain().job(&Plan {
        duration: 1.0,
        output_step: 1.0,
        integrator: "dop853",
        tolerance: 1e-9,
    }));
    let mobility = &assembled.mobility;
    assert_eq!((mobility.velocities, mobility.rows), (180, 155));
    assert_eq!((mobility.freedom, mobility.dependent.len()), (28, 3));
    assert_eq!(
        assembled.active.iter().filter(|active| !**active).count(),
        3
    );
    let said = redundancies(&assembled);
    assert_eq!((said.len(), said[0].rows), (1, 3));
    assert_eq!(said[0].element, "joint `closure`");
    assert_eq!(said[0].said_by, ["corner2", "corner3", "corner4"]);
}

/// Largest difference of a run of the closed chain from its table, up to a time.
fn off_the_table(run: &Run, end: f64) -> f64 {
    let table = Table::read("pacheco-closed-chain/reference.csv");
    let rows = table.rows.iter().filter(|row| number(&row[0]) <= end);
    let cells = rows.flat_map(|row| table.names.iter().zip(row).skip(1).map(|c| (&row[0], c)));
    largest(cells.map(|(time, (name, printed))| at(run, name, number(time)) - number(printed)))
}

#[test]
fn the_closed_chain_follows_its_equations_in_angles_through_the_flat_pose() {
    let run = run(closed_chain().job(&Plan {
        duration: 4.0,
        output_step: 0.5,
        integrator: "abm",
        tolerance: 1e-10,
    }));
    let (before, all) = (off_the_table(&run, 2.0), off_the_table(&run, 4.0));
    // measured 2.8e-10 and 4.2e-9; from tolerance 1e-12 on the steps shrink to nothing at the flat pose
    assert!(before <= 1e-8, "{before:e}");
    assert!(all <= 1e-7, "{all:e}");
    // the flat pose by the same equations in angles: sin(θ1 − θ2) = 0
    let [pose] = run.singular_poses.as_slice() else {
        panic!("{:?}", run.singular_poses)
    };
    // measured 2e-10
    let flat = 2.484_289_509_049;
    assert!((pose.time - flat).abs() <= 1e-8, "{:.12}", pose.time);
    let corners = ["corner2", "corner3", "corner4", "closure"].map(|c| format!("joint `{c}`"));
    assert_eq!(pose.elements, corners);
    // the tip falls freely until the chain has passed the news on
    assert!((at(&run, "link30.y", 0.5) + 9.80665 / 8.0).abs() <= 1e-9);
}

#[test]
fn the_closed_chain_keeps_energy_and_all_its_equations_the_doubled_ones_too() {
    let run = run(closed_chain().job(&Plan {
        duration: 20.0,
        output_step: 0.1,
        integrator: "abm",
        tolerance: 1e-7,
    }));
    let (before, all) = (off_the_table(&run, 2.0), off_the_table(&run, 4.0));
    // measured 2.9e-7 and 7.1e-6 at this loose tolerance
    assert!(before <= 1e-6, "{before:e}");
    assert!(all <= 2e-5, "{all:e}");
    let s = run.statistics;
    // the residual is that of all 155 rows, the three left out as well
    // measured 5e-14 and 7e-14
    assert!(s.worst_position <= 1e-12, "{:e}", s.worst_position);
    assert!(s.worst_velocity <= 1e-12, "{:e}", s.worst_velocity);
    // measured 7.6e-7, of 54 kJ
    assert!(energy_drift(&run) <= 3e-6, "{:e}", energy_drift(&run));
    for k in [2, 3, 4, 30] {
        let off = largest(column(&run, &format!("link{k}.z")));
        assert!(off <= 1e-9, "link{k} leaves the plane by {off:e}");
    }
}

/// The conical pendulum of the gallery with another method and integrator.
fn conical(method: &str, integrator: &str, output_step: f64) -> Run {
    let path = root().join("examples/spatial/conical-pendulum/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let model = text.split("[study]").next().unwrap();
    run(job(&format!(
        "{model}[study]\nduration = 30\noutput_step = {output_step}\nmethod = {method}\nintegrator = {integrator}\n"
    )))
}

/// Largest error of the length of the rod, and of the height of the ball.
fn conical_errors(run: &Run) -> (f64, f64) {
    let [x, y, z] = ["ball.x", "ball.y", "ball.z"].map(|name| column(run, name));
    let length = |k: usize| (x[k] * x[k] + y[k] * y[k] + z[k] * z[k]).sqrt();
    (
        largest((0..x.len()).map(|k| length(k) - 5.0)),
        largest(z.iter().map(|z| z + 5.0 / SQRT_2)),
    )
}

#[test]
fn small_fixed_steps_hardly_leave_the_sphere_with_or_without_stabilisation() {
    let step = "{ type = \"rk4\", step = 0.005 }";
    let free = conical("\"augmented\"", step, 0.05);
    let damped = conical(
        "{ type = \"baumgarte\", alpha = 10, beta = 10 }",
        step,
        0.05,
    );
    // measured 3.5e-11 and 6e-14 m; 5.5e-9 and 9e-9 m
    let (length, height) = conical_errors(&free);
    assert!(length <= 1e-10 && height <= 1e-12, "{length:e}, {height:e}");
    let (length, height) = conical_errors(&damped);
    assert!(length <= 2e-8 && height <= 3e-8, "{length:e}, {height:e}");
}

#[test]
fn projection_takes_steps_many_times_those_of_automatic_stabilisation() {
    let integrator = "{ type = \"merson\", tolerance = 1e-3, first_step = 0.01 }";
    let damped = conical(
        "{ type = \"baumgarte\", automatic = true }",
        integrator,
        30.0,
    );
    let projected = conical(
        "{ type = \"projection\", tolerance = 1e-3 }",
        integrator,
        30.0,
    );
    let steps = |run: &Run| run.statistics.integrator.steps;
    // measured 1309 and 52
    assert!(steps(&damped) >= 20 * steps(&projected));
    // at most one iteration a step (measured 25 in all)
    assert!(projected.statistics.method.projections <= steps(&projected));
    // measured 2.7e-5 m
    assert!(conical_errors(&damped).0 <= 1e-4);
    assert!(conical_errors(&projected).0 <= 1e-3);
}

const DEGREE: f64 = PI / 180.0;
/// Rate of the motion wanted of the robot, 1/s, and its three angles in degrees.
const PACE: f64 = 1.3158;
const WANTED: [(&str, f64); 3] = [("waist", 30.0), ("shoulder", 35.0), ("elbow", 10.0)];

fn robot(set: &[&str], output_step: f64, duration: f64) -> Run {
    let path = root().join("examples/robots/computed-torque/model.toml");
    let mut job = biela::load_with(path, set).unwrap_or_else(|e| panic!("{e}"));
    let study = job.study.as_mut().expect("a study");
    study
        .integrator
        .arguments
        .set("tolerance", Value::Number(1e-12));
    (study.output_step, study.duration) = (output_step, duration);
    run(job)
}

/// Tracking error of a wanted angle of 1: ë + 10 ė + 10 e = 0, e(0) = 0, ė(0) = the pace.
fn tracking(t: f64) -> f64 {
    let (p1, p2) = (-5.0 + 15.0_f64.sqrt(), -5.0 - 15.0_f64.sqrt());
    PACE * ((p1 * t).exp() - (p2 * t).exp()) / (p1 - p2)
}

#[test]
fn the_robot_follows_the_closed_form_of_its_tracking_error() {
    let run = robot(&[], 0.01, 5.0);
    for (joint, angle) in WANTED {
        let (found, error) = (
            column(&run, &format!("{joint}.angle")),
            column(&run, &format!("error_{joint}")),
        );
        for (k, t) in run.times().iter().enumerate() {
            let e = angle * tracking(*t);
            let q = angle * (1.0 - (-PACE * t).exp()) - e;
            // degrees; measured 5e-12
            let off = (found[k] / DEGREE - q)
                .abs()
                .max((error[k] / DEGREE - e).abs());
            assert!(off <= 1e-10, "{joint}({t}) is off by {off:e}");
        }
    }
}

#[test]
fn the_tracking_error_of_the_robot_peaks_when_and_as_high_as_printed() {
    let run = robot(&[], 0.266_389 / 1000.0, 0.4);
    for ((joint, _), printed) in WANTED.iter().zip([3.295_002, 3.844_169, 1.098_334]) {
        let error = column(&run, &format!("error_{joint}"));
        let top = (0..error.len())
            .max_by(|a, b| error[*a].total_cmp(&error[*b]))
            .unwrap();
        let off = (error[top] / DEGREE - printed).abs();
        // measured 2e-8 degrees
        assert!(off <= 0.6e-6, "{joint}: {off:e}");
        assert!((run.times()[top] - 0.266_389).abs() <= 3e-4);
    }
}

#[test]
fn the_motors_of_the_robot_give_the_printed_torques() {
    let table = Table::read("pacheco-computed-torque/reference.csv");
    let run = robot(&[], 0.05, 5.0);
    for row in &table.rows {
        let time = number(&row[0]);
        for (name, printed) in table.names.iter().zip(row).skip(1) {
            let unit = if name.ends_with("angle") { DEGREE } else { 1.0 };
            let found = at(&run, name, time) / unit;
            let off = (found - number(printed)).abs();
            // measured 4.8e-7: what printing leaves
            assert!(
                off <= 0.6e-6,
                "{name}({time}) = {found:.9} instead of {printed}"
            );
        }
    }
}

#[test]
fn the_robot_comes_to_rest_on_its_holding_torques() {
    let run = robot(&[], 1.0, 30.0);
    for (motor, printed) in [
        ("waist", 0.0),
        ("shoulder", 54.760_456),
        ("elbow", 12.235_968),
    ] {
        let off = at(&run, &format!("{motor}_motor.effort"), 30.0) - printed;
        // measured 2.2e-7
        assert!(off.abs() <= 0.6e-6, "{motor}: {off:e}");
    }
    // held in the straight pose: nothing wanted, nothing moves
    let held = robot(&["turn=0", "raise=0", "bend=0"], 1.0, 2.0);
    for (motor, printed) in [
        ("waist", 0.0),
        ("shoulder", 69.217_086),
        ("elbow", 17.304_272),
    ] {
        let off = at(&held, &format!("{motor}_motor.effort"), 2.0) - printed;
        assert!(off.abs() <= 0.6e-6, "{motor}: {off:e}");
    }
}
