//! Loads on flexible beams, against closed forms and equivalent models.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use runs::{column, first, largest, march, run};

/// A strip of unit length along x, EI = 1, clamped at its start, and more of the model.
fn strip(elements: usize, rest: &str) -> String {
    format!(
        r#"
format = 1
space = "planar"
[[beam]]
name = "strip"
from = [0, 0]
to = [1, 0]
elements = {elements}
axial_stiffness = "1e5 N"
bending_stiffness = "1 N*m^2"
mass_per_length = "2 kg/m"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "strip.start"]
{rest}
"#
    )
}

const STATICS: &str = "[study]\nanalysis = \"statics\"\n";

#[test]
fn a_partial_distributed_load_bends_a_cantilever_by_the_handbook_formula() {
    // w = q a³ (4 L − a)/(24 EI) at the end, q over the first a; a triangle that rises to q at the end: 11 q L⁴/(120 EI)
    let q = 1e-3;
    for (fields, deflection, force) in [
        ("value = [0, 1e-3]", q / 8.0, q),
        (
            "value = [0, 1e-3]\nto = \"400 mm\"",
            q * 0.064 * 3.6 / 24.0,
            0.4 * q,
        ),
        (
            "value = [0, 1e-3]\nfrom = 0.4",
            q / 8.0 - q * 0.064 * 3.6 / 24.0,
            0.6 * q,
        ),
        (
            "value = [0, 0]\nend_value = [0, 1e-3]",
            11.0 * q / 120.0,
            q / 2.0,
        ),
        // that triangle over the first a: q a³ (15 L − 4 a)/(120 EI)
        (
            "value = [0, 0]\nend_value = [0, 1e-3]\nto = 0.4",
            q * 0.064 * 13.4 / 120.0,
            0.2 * q,
        ),
        ("value = [0, 1e-3]\nframe = \"beam\"", q / 8.0, q),
    ] {
        let load = format!(
            "[[force]]\nname = \"load\"\ntype = \"distributed\"\non = \"strip\"\n{fields}\n{STATICS}"
        );
        let run = run(&strip(5, &load));
        let found = first(&run, "strip.end.y");
        // the square of the deflection is left out by the handbook
        assert!(
            (found / deflection - 1.0).abs() < 1e-6,
            "{fields}: {found:e} {deflection:e}"
        );
        assert!((first(&run, "load.fy") / force - 1.0).abs() < 1e-7);
        assert!((first(&run, "clamp.reaction.fy") + force).abs() < 1e-7 * force);
    }
}

#[test]
fn weight_as_a_distributed_load_equals_gravity_on_a_beam() {
    let study = "[study]\nduration = \"0.3 s\"\nintegrator = { type = \"generalized-alpha\", step = \"1 ms\" }\n";
    let load = "[[force]]\nname = \"weight\"\ntype = \"distributed\"\non = \"strip\"\nvalue = [0, -19.62]\n";
    let heavy = run(&strip(4, &format!("{load}{study}")));
    let text = strip(4, study).replace(
        "space = \"planar\"",
        "space = \"planar\"\ngravity = [0, -9.81]",
    );
    let gravity = run(&text);
    for name in ["strip.end.x", "strip.end.y", "clamp.reaction.mz"] {
        let (a, b) = (column(&heavy, name), column(&gravity, name));
        let size = largest(b.iter().copied());
        let difference = largest(a.iter().zip(&b).map(|(a, b)| a - b));
        assert!(difference < 1e-11 * size, "{name}: {difference:e}");
    }
    // its potential is that of the weight
    let (a, b) = (
        column(&heavy, "weight.potential"),
        column(&gravity, "energy.gravity"),
    );
    assert!(largest(a.iter().zip(&b).map(|(a, b)| a - b)) < 1e-10);
    assert!(heavy.column("weight.work").is_none());
}

#[test]
fn weight_as_a_distributed_load_equals_gravity_on_a_spatial_cable() {
    let of = |gravity: &str, load: &str| {
        run(&format!(
            r#"
format = 1
space = "spatial"
{gravity}
[[beam]]
name = "rope"
from = [0, 0, 0]
to = [0.6, 0.7, 0.2]
elements = 4
axial_stiffness = "1e4 N"
bending_stiffness = "0.2 N*m^2"
mass_per_length = "2 kg/m"
[[joint]]
name = "hook"
type = "spherical"
between = ["ground", "rope.start"]
{load}
[study]
duration = "0.2 s"
integrator = {{ type = "generalized-alpha", step = "1 ms" }}
"#
        ))
    };
    let load = "[[force]]\nname = \"weight\"\ntype = \"distributed\"\non = \"rope\"\nvalue = [2, -4, -19.62]\n";
    let (heavy, gravity) = (of("", load), of("gravity = [1, -2, -9.81]", ""));
    for name in ["rope.end.x", "rope.end.y", "rope.end.z"] {
        let (a, b) = (column(&heavy, name), column(&gravity, name));
        let difference = largest(a.iter().zip(&b).map(|(a, b)| a - b));
        assert!(difference < 1e-10, "{name}: {difference:e}");
    }
}

#[test]
fn the_work_of_a_follower_load_balances_the_energy() {
    // beyond the flutter of Leipholz's column, 40.05 EI/L³, so that much work is done
    let rest = r#"
[[force]]
name = "push"
type = "distributed"
on = "strip"
value = ["-60*min(1, 4*t)", "0.2*sin(30*t)"]
end_value = ["-60*min(1, 4*t)", 0]
frame = "beam"
[study]
duration = "1.5 s"
output_step = "10 ms"
integrator = { type = "dopri5", tolerance = 1e-9 }
"#;
    let run = run(&strip(4, rest).replace("1e5 N", "2e3 N"));
    let balance = largest(column(&run, "energy.balance"));
    let work = largest(column(&run, "push.work"));
    assert!(work > 1.0, "{work}");
    assert!(balance < 1e-6 * work, "{balance:e} {work}");
}

/// Where the end of a clamped strip goes under a force across it that follows: reach, height and angle.
///
/// `θ' = M/EI`, `M' = −(1 + ε) t × F`, `r' = (1 + ε) t`, `ε = F·t/EA`, marched from the end, where `M = 0`, back to the clamp. In the axes
/// of the end F is known, so that nothing has to be guessed; the strip is turned in the end.
fn following_elastica(force: f64, axial: f64) -> [f64; 3] {
    let slope = |_: f64, y: [f64; 4]| {
        let (sin, cos) = y[0].sin_cos();
        let stretch = 1.0 + force * sin / axial;
        [y[1], -stretch * force * cos, stretch * cos, stretch * sin]
    };
    let [angle, _, x, y] = march(slope, [0.0; 4], (-1.0, 20_000));
    let (sin, cos) = (-angle).sin_cos();
    [sin * y - cos * x, -sin * x - cos * y, -angle]
}

#[test]
fn a_follower_force_bends_a_cantilever_to_the_elastica() {
    for load in [1.0, 5.0, 10.0] {
        let rest = format!(
            "[[force]]\nname = \"tip\"\ntype = \"force\"\nat = \"strip.end\"\nvalue = [0, {load}]\nframe = \"body\"\n{STATICS}"
        );
        let run = run(&strip(24, &rest));
        let [x, y, angle] = following_elastica(load, 1e5);
        let error = (first(&run, "strip.end.x") - x).hypot(first(&run, "strip.end.y") - y);
        assert!(error < 1e-4, "{load}: {error:e} {x} {y}");
        let turned = first(&run, "strip.end.angle");
        assert!((turned - angle).abs() < 1e-3, "{load}: {turned} {angle}");
    }
}

#[test]
fn an_offset_force_equals_a_force_and_a_moment_at_the_section() {
    // the arm of the force at the end, (0.1, 0.2) in the axes of the end
    let frames =
        "frames = { horn = { along = 1, at = [0.1, 0.2], angle = \"90 deg\" } }\n[[joint]]";
    let of = |forces: &str| {
        let text = strip(8, &format!("{forces}\n{STATICS}"));
        run(&text.replacen("[[joint]]", frames, 1))
    };
    let offset = of(
        "[[force]]\nname = \"pull\"\ntype = \"force\"\nat = \"strip.horn\"\nvalue = [0.7, 1.1]\n",
    );
    let (sin, cos) = first(&offset, "strip.end.angle").sin_cos();
    let arm = [0.1 * cos - 0.2 * sin, 0.1 * sin + 0.2 * cos];
    let moment = arm[0] * 1.1 - arm[1] * 0.7;
    let plain = of(&format!(
        "[[force]]\nname = \"pull\"\ntype = \"force\"\nat = \"strip.end\"\nvalue = [0.7, 1.1]\n[[force]]\nname = \"turn\"\ntype = \"torque\"\non = \"strip.end\"\nvalue = {moment}\n"
    ));
    for name in [
        "strip.end.x",
        "strip.end.y",
        "strip.end.angle",
        "clamp.reaction.mz",
    ] {
        let (a, b) = (first(&offset, name), first(&plain, name));
        assert!((a - b).abs() < 1e-9, "{name} {a} {b}");
    }
    let end = |axis: &str| first(&offset, &format!("strip.end.{axis}"));
    assert!((first(&offset, "strip.horn.x") - end("x") - arm[0]).abs() < 1e-14);
    assert!((first(&offset, "strip.horn.y") - end("y") - arm[1]).abs() < 1e-14);
    // in the axes of the frame, turned by 90 deg, a force along x pulls along y of the section
    let turned = of(
        "[[force]]\nname = \"pull\"\ntype = \"force\"\nat = \"strip.horn\"\nvalue = [0.5, 0]\nframe = \"body\"\n",
    );
    let angle = first(&turned, "strip.end.angle");
    assert!((first(&turned, "pull.fx") + 0.5 * angle.sin()).abs() < 1e-12);
}

#[test]
fn an_eccentrically_loaded_column_follows_the_secant_formula() {
    // deflection of the end e (sec(L √(P/EI)) − 1), here with an eccentricity so small that nothing else counts
    let (load, arm) = (1.2_f64, 1e-4);
    let frames = format!("frames = {{ cap = {{ along = 1, at = [0, {arm}] }} }}\n[[joint]]");
    let rest = format!(
        "[[force]]\nname = \"press\"\ntype = \"force\"\nat = \"strip.cap\"\nvalue = [{}, 0]\n{STATICS}",
        -load
    );
    let run = run(&strip(8, &rest).replacen("[[joint]]", &frames, 1));
    let expected = arm * (1.0 / load.sqrt().cos() - 1.0);
    let found = first(&run, "strip.end.y");
    // the stretch P/EA changes the load that buckles by 1e-5
    assert!(
        (found / expected - 1.0).abs() < 1e-4,
        "{found:e} {expected:e}"
    );
}

#[test]
fn a_body_hung_from_an_offset_point_swings_and_conserves_energy() {
    let rest = r#"
[[body]]
name = "bob"
mass = 0.3
inertia = 0.002
position = [0.95, 0.3]
points = { low = [0.15, -0.1] }
[[joint]]
name = "pin"
type = "revolute"
between = ["strip.horn", "bob.low"]
[study]
duration = "0.1 s"
output_step = "0.25 ms"
integrator = { type = "dopri5", tolerance = 1e-9 }
"#;
    let frames = "frames = { horn = { along = \"1 m\", at = [0.1, 0.2] } }\n[[joint]]";
    let text = strip(3, rest)
        .replacen("[[joint]]", frames, 1)
        .replace("1e5 N", "2e3 N")
        .replace(
            "space = \"planar\"",
            "space = \"planar\"\ngravity = [0, -9.81]",
        );
    let run = run(&text);
    let total = column(&run, "energy.total");
    let swing = largest(column(&run, "energy.kinetic"));
    let drift = largest(total.iter().map(|e| e - total[0]));
    assert!(drift < 1e-6 * swing, "{drift:e} {swing}");
    for axis in ["x", "y"] {
        let (a, b) = (
            column(&run, &format!("strip.horn.{axis}")),
            column(&run, &format!("bob.low.{axis}")),
        );
        assert!(largest(a.iter().zip(&b).map(|(a, b)| a - b)) < 1e-9);
    }
    // its acceleration is the rate of its velocity
    let (v, a) = (column(&run, "strip.horn.vy"), column(&run, "strip.horn.ay"));
    let t = run.times();
    let scale = largest(a.iter().copied());
    let worst = largest((1..t.len() - 1).map(|k| {
        // Simpson's rule over the two steps around
        (v[k + 1] - v[k - 1]) - (t[k + 1] - t[k]) / 3.0 * (a[k - 1] + 4.0 * a[k] + a[k + 1])
    }));
    assert!(worst < 0.02 * scale * (t[1] - t[0]), "{worst:e} {scale}");
}
