//! Sliders along flexible beams, against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use std::f64::consts::PI;

use biela::core::analysis::Stop;

use runs::{attempt, column, job, largest, run};

#[test]
fn a_bead_on_a_rotating_rod_moves_by_the_hyperbolic_cosine() {
    let text = r#"
format = 1
space = "planar"
[[beam]]
name = "rod"
from = [0, 0]
to = [1, 0]
elements = 5
axial_stiffness = "1e9 N"
bending_stiffness = "1e5 N*m^2"
mass_per_length = "1 kg/m"
omega = 2
[[body]]
name = "bead"
mass = 1e-3
inertia = 1e-6
position = [0.31, 0]
velocity = [0, 0.62]
[[joint]]
name = "hub"
type = "revolute"
between = ["ground", "rod.start"]
[[joint]]
name = "slide"
type = "beam-slider"
between = ["rod", "bead"]
[[driver]]
name = "motor"
on = "hub"
value = "2 [rad/s]*t"
[study]
duration = "0.5 s"
output_step = "50 ms"
integrator = { type = "generalized-alpha", step = "0.2 ms" }
"#;
    let run = run(text);
    for (k, t) in run.times().iter().enumerate() {
        // s̈ = ω² s
        let (place, rate) = (0.31 * (2.0 * t).cosh(), 0.62 * (2.0 * t).sinh());
        let found = column(&run, "slide.position")[k];
        assert!((found - place).abs() < 1e-5, "{t}: {found} {place}");
        assert!((column(&run, "slide.rate")[k] - rate).abs() < 3e-5);
        // Coriolis: the rod pushes with 2 m ω ṡ
        let push = 1e-3 * 2.0 * 2.0 * rate;
        let pushed = column(&run, "slide.reaction.fy")[k];
        assert!(
            (pushed - push).abs() < 2e-2 * (push + 1e-3),
            "{t}: {pushed} {push}"
        );
    }
}

/// A cable between two hooks with a bead on it.
fn cable(bead: &str, study: &str) -> String {
    format!(
        r#"
format = 1
space = "planar"
gravity = [0, -9.81]
[[beam]]
name = "cable"
shape = [[0, 0], [0.25, -0.2], [0.5, -0.25], [0.75, -0.15], [1, 0.1]]
elements = 6
axial_stiffness = "2e3 N"
bending_stiffness = "0.05 N*m^2"
mass_per_length = "0.2 kg/m"
[[body]]
name = "bead"
mass = 0.3
inertia = 1e-4
{bead}
[[joint]]
name = "left"
type = "revolute"
between = ["ground", "cable.start"]
[ground]
points = {{ hook = [1, 0.1] }}
[[joint]]
name = "right"
type = "revolute"
between = ["ground.hook", "cable.end"]
[[joint]]
name = "slide"
type = "beam-slider"
between = ["cable", "bead"]
initial = {{ position = 0.2 }}
{study}
"#
    )
}

#[test]
fn a_bead_on_a_sagging_cable_conserves_energy_across_element_boundaries() {
    let study = "[study]\nduration = \"0.4 s\"\noutput_step = \"1 ms\"\nintegrator = { type = \"dopri5\", tolerance = 1e-9 }\n";
    let run = run(&cable("", study));
    let place = column(&run, "slide.position");
    let (least, most) = place
        .iter()
        .fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), s| {
            (a.min(*s), b.max(*s))
        });
    // elements are 0.2 m long
    assert!(least < 0.201 && most > 0.45, "{least} {most}");
    let total = column(&run, "energy.total");
    let moving = largest(column(&run, "energy.kinetic"));
    let drift = largest(total.iter().map(|e| e - total[0]));
    assert!(drift < 3e-7 * moving, "{drift:e} {moving}");
    assert!(largest(column(&run, "system.position_error")) < 1e-9);
    // the station is at the position of the bead, and its velocity is a signal
    for axis in ["x", "y"] {
        let (a, b) = (
            column(&run, &format!("cable.slide.{axis}")),
            column(&run, &format!("bead.{axis}")),
        );
        assert!(largest(a.iter().zip(&b).map(|(a, b)| a - b)) < 1e-9);
    }
    let (rate, times) = (column(&run, "slide.rate"), run.times());
    for k in 1..times.len() - 1 {
        let difference = (place[k + 1] - place[k - 1]) / (times[k + 1] - times[k - 1]);
        assert!((difference - rate[k]).abs() < 0.05 * largest(rate.iter().copied()));
    }
    let implicit = "[study]\nduration = \"0.4 s\"\noutput_step = \"1 ms\"\nintegrator = { type = \"generalized-alpha\", step = \"0.25 ms\" }\n";
    let other = column(&runs::run(&cable("", implicit)), "slide.position");
    let apart = largest(other.iter().zip(&place).map(|(a, b)| a - b));
    assert!(apart < 2e-3, "{apart:e}");
}

#[test]
fn a_bead_rests_where_the_cable_is_level() {
    let run = run(&cable("", "[study]\nanalysis = \"statics\"\n"));
    let angle = column(&run, "cable.slide.angle")[0];
    assert!(angle.abs() < 1e-6, "{angle:e}");
    let carried = column(&run, "slide.reaction.fy")[0];
    assert!((carried - 0.3 * 9.81).abs() < 1e-6, "{carried}");
    let held = column(&run, "left.force")[0];
    assert!(held > 1.0, "{held}");
}

#[test]
fn a_driven_bead_and_its_friction_balance_the_energy() {
    let drive = r#"
[[driver]]
name = "haul"
on = "slide"
value = "0.2 [m] + 0.5 [m/s]*t^2/(0.5 [s] + t)"
[[force]]
name = "drag"
type = "joint-damping"
joint = "slide"
damping = "0.4 N*s/m"
[study]
duration = "0.6 s"
output_step = "5 ms"
integrator = { type = "dopri5", tolerance = 1e-9 }
"#;
    let run = run(&cable("", drive));
    for (t, place) in run.times().iter().zip(column(&run, "slide.position")) {
        let wanted = 0.2 + 0.5 * t * t / (0.5 + t);
        assert!((place - wanted).abs() < 1e-9, "{t}: {place} {wanted}");
    }
    let (work, lost) = (column(&run, "haul.work"), column(&run, "drag.work"));
    let size = largest(work.iter().chain(&lost).copied());
    assert!(size > 0.01, "{size}");
    assert!(largest(column(&run, "energy.balance")) < 1e-6 * (1.0 + size));
}

#[test]
fn a_moving_load_bends_a_beam_by_the_modal_solution() {
    // L. Frýba, Vibration of Solids and Structures under Moving Loads (1972), a constant force P at speed c:
    // w = Σ 2P/(μL) sin(nπx/L) (sin(nωt) − (nω/ω_n) sin(ω_n t)) / (ω_n² − n²ω²),  ω = πc/L
    let text = r#"
format = 1
space = "planar"
[ground]
points = { far = [1, 0] }
[[beam]]
name = "bridge"
from = [0, 0]
to = [1, 0]
elements = 8
axial_stiffness = "1e4 N"
bending_stiffness = "1 N*m^2"
mass_per_length = "1 kg/m"
points = { mid = 0.5 }
[[body]]
name = "load"
mass = 1e-7
inertia = 1e-7
position = [0, 0]
velocity = [1, 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "bridge.start"]
[[joint]]
name = "roller"
type = "point-on-line"
between = ["ground.far", "bridge.end"]
[[joint]]
name = "wheel"
type = "beam-slider"
between = ["bridge", "load"]
[[driver]]
name = "pull"
on = "load.x"
value = "1 [m/s]*t"
[[force]]
name = "weight"
type = "force"
at = "load"
value = [0, -1e-3]
[study]
duration = "0.99 s"
output_step = "10 ms"
integrator = { type = "generalized-alpha", step = "0.25 ms" }
"#;
    let run = run(text);
    let expected = |t: f64| -> f64 {
        let mode = |n: u32| {
            let n = f64::from(n);
            let (drive, own) = (n * PI, (n * PI).powi(2));
            let shape = (n * PI / 2.0).sin();
            -2e-3 * shape * ((drive * t).sin() - drive / own * (own * t).sin())
                / (own * own - drive * drive)
        };
        (1..40).map(mode).sum()
    };
    let middle = column(&run, "bridge.mid.y");
    let times = run.times();
    let peak = largest(times.iter().map(|t| expected(*t)));
    assert!(peak > 2.5e-5, "{peak:e}");
    let error = largest(times.iter().zip(&middle).map(|(t, y)| y - expected(*t)));
    assert!(error < 2e-3 * peak, "{error:e} {peak:e}");
    // the reaction of the wheel is the load: there is no discontinuity at the end of an element
    let carried = column(&run, "wheel.reaction.fy");
    let worst = largest(carried.iter().skip(1).map(|f| f / 1e-3 - 1.0));
    assert!(worst < 1e-2, "{worst:e}");
}

#[test]
fn a_heavy_mass_crosses_element_boundaries_without_a_jump() {
    let text = r#"
format = 1
space = "planar"
gravity = [0, -9.81]
[ground]
points = { far = [1, 0] }
[[beam]]
name = "bridge"
from = [0, 0]
to = [1, 0]
elements = 10
axial_stiffness = "1e5 N"
bending_stiffness = "10 N*m^2"
mass_per_length = "2 kg/m"
damping = "2 ms"
[[body]]
name = "load"
mass = 0.5
inertia = 1e-3
position = [0.15, 0]
velocity = [2, 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "bridge.start"]
[[joint]]
name = "roller"
type = "point-on-line"
between = ["ground.far", "bridge.end"]
[[joint]]
name = "wheel"
type = "beam-slider"
between = ["bridge", "load"]
[study]
duration = "0.35 s"
output_step = "0.5 ms"
integrator = { type = "generalized-alpha", step = "0.1 ms" }
"#;
    let run = run(text);
    let carried = column(&run, "wheel.reaction.fy");
    let place = column(&run, "wheel.position");
    assert!(place[place.len() - 1] > 0.8);
    let jumps = carried.windows(2).skip(2).map(|pair| pair[1] - pair[0]);
    let worst = largest(jumps);
    // r'' jumps by the error of the cubic, so that m r'' ṡ² does by little
    assert!(worst < 0.05 * 0.5 * 9.81, "{worst:e}");
}

#[test]
fn a_bead_on_an_inclined_spatial_wire_has_constant_acceleration() {
    let text = r#"
format = 1
space = "spatial"
[ground]
points = { low = [0.8, 0, -0.6] }
[[beam]]
name = "wire"
from = [0, 0, 0]
to = [0.8, 0, -0.6]
elements = 5
axial_stiffness = "1e6 N"
bending_stiffness = "1e3 N*m^2"
mass_per_length = "0.1 kg/m"
[[body]]
name = "bead"
mass = 1e-3
inertia = [1e-7, 1e-7, 1e-7]
[[joint]]
name = "top"
type = "spherical"
between = ["ground", "wire.start"]
[[joint]]
name = "bottom"
type = "spherical"
between = ["ground.low", "wire.end"]
[[joint]]
name = "slide"
type = "beam-slider"
between = ["wire", "bead"]
initial = { position = 0.1 }
[[force]]
name = "weight"
type = "force"
at = "bead"
value = [0, 0, -9.81e-3]
[study]
duration = "0.4 s"
output_step = "50 ms"
integrator = { type = "generalized-alpha", step = "0.5 ms" }
"#;
    let run = run(text);
    let place = column(&run, "slide.position");
    for (t, found) in run.times().iter().zip(&place) {
        let expected = 0.1 + 0.5 * 9.81 * 0.6 * t * t;
        assert!((found - expected).abs() < 1e-5, "{t}: {found} {expected}");
    }
    // across the wire it carries the rest of the weight
    let carried = column(&run, "slide.force");
    let end = carried[carried.len() - 1];
    assert!((end / (1e-3 * 9.81 * 0.8) - 1.0).abs() < 0.02, "{end}");
}

#[test]
fn a_bead_that_reaches_the_end_of_its_beam_stops_the_run() {
    let text = r#"
format = 1
space = "planar"
[[beam]]
name = "rod"
from = [0, 0]
to = [1, 0]
elements = 3
axial_stiffness = "1e4 N"
bending_stiffness = "10 N*m^2"
mass_per_length = "1 kg/m"
[[body]]
name = "bead"
mass = 1e-2
inertia = 1e-6
position = [0.8, 0]
velocity = [2, 0]
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "rod.start"]
[[joint]]
name = "slide"
type = "beam-slider"
between = ["rod", "bead"]
[study]
duration = "0.5 s"
integrator = { type = "generalized-alpha", step = "1 ms" }
"#;
    let run = attempt(job(text));
    let times = run.times();
    assert!((times[times.len() - 1] - 0.1).abs() < 1e-6, "{times:?}");
    match &run.ended {
        Ok(Stop::Event { name, .. }) => assert_eq!(name, "slide at rod.end"),
        other => panic!("{other:?}"),
    }
}
