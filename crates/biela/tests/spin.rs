//! Steady rotation: what is seen from a ground that spins, against closed forms, series and driven hubs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use biela::Run;

use runs::{column, finish, first, frequencies, job, largest, run};

/// A blade of unit length, EI and mass on a hub of radius `hub` that spins; ratio of stretching to bending stiffness as given.
fn blade(hub: f64, spin: f64, axial: f64) -> biela::Job {
    job(&format!(
        r#"
format = 1
space = "planar"
spin = {spin}
ground = {{ points = {{ hub = [{hub}, 0] }} }}
[[beam]]
name = "blade"
from = [{hub}, 0]
to = ["{hub} + 1", 0]
elements = 8
axial_stiffness = "{axial} N"
bending_stiffness = "1 N*m^2"
mass_per_length = "1 kg/m"
[[joint]]
name = "root"
type = "weld"
between = ["ground.hub", "blade.start"]
[study]
analysis = "statics"
"#
    ))
}

#[test]
fn the_centrifugal_stretch_of_a_spinning_blade_has_its_closed_form() {
    // EA r'' = −Ω² r with r(0) = hub and r'(1) = 1
    let (hub, spin, axial) = (0.3, 8.0, 400.0_f64);
    let run = finish(blade(hub, spin, axial));
    let k = spin / axial.sqrt();
    let exact = hub / k.cos() + k.tan() / k;
    assert!((first(&run, "blade.end.x") - exact).abs() < 1e-7);
    let pull = axial * (k * hub * k.tan() + 1.0 / k.cos() - 1.0);
    assert!((first(&run, "root.reaction.fx") / pull + 1.0).abs() < 1e-3);
}

/// Flapping frequency of a clamped blade on a hub of no radius that turns at Ω, EI = ρA = L = 1: the first μ for which
///
/// ```text
/// w'''' − (T w')' = μ² w        T = ½ Ω² (1 − x²)        w(0) = w'(0) = 0        w''(1) = w'''(1) = 0
/// ```
///
/// has a solution. Power series in x: `(n+4)(n+3)(n+2)(n+1) a_{n+4} = ½ Ω² ((n+2)(n+1) a_{n+2} − n (n−1) a_n) + (μ² − Ω² n) a_n` for each of two solutions that meet
/// the conditions at the clamp; μ makes the determinant of those at the end vanish.
fn flapping(spin: f64) -> f64 {
    let square = spin * spin;
    let ends = |mu: f64, first: usize| {
        let mut a = [0.0; 120];
        a[first] = 1.0;
        for n in 0..a.len() - 4 {
            let k = n as f64;
            let rest = 0.5 * square * ((k + 2.0) * (k + 1.0) * a[n + 2] - k * (k - 1.0) * a[n])
                + (mu * mu - square * k) * a[n];
            a[n + 4] = rest / ((k + 4.0) * (k + 3.0) * (k + 2.0) * (k + 1.0));
        }
        let terms = || a.iter().enumerate().map(|(n, a)| (n as f64, a));
        let bend: f64 = terms().map(|(n, a)| n * (n - 1.0) * a).sum();
        let shear: f64 = terms().map(|(n, a)| n * (n - 1.0) * (n - 2.0) * a).sum();
        [bend, shear]
    };
    let determinant = |mu: f64| {
        let ([a, b], [c, d]) = (ends(mu, 2), ends(mu, 3));
        a * d - b * c
    };
    let mut low = 0.0;
    while determinant(low + 0.1) * determinant(0.0) > 0.0 {
        low += 0.1;
    }
    let mut high = low + 0.1;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if determinant(middle) * determinant(low) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn the_series_of_a_spinning_blade_gives_the_frequencies_of_the_literature() {
    // A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang (Journal of Applied Mechanics 49 (1982) 197-202)
    for (spin, expected) in [(0.0, 3.5160), (2.0, 4.1373), (5.0, 6.4495), (10.0, 11.2023)] {
        let found = flapping(spin);
        assert!(
            (found - expected).abs() < 6e-5,
            "{spin}: {found} {expected}"
        );
    }
}

#[test]
fn the_in_plane_frequency_of_a_spinning_blade_grows_with_its_speed() {
    for spin in [0.0, 2.0, 5.0, 10.0] {
        // in the plane of rotation ω² is less by Ω²
        let expected = f64::sqrt(flapping(spin).powi(2) - spin * spin);
        let softest = finish(blade(0.0, spin, 1e5)).equilibria[0].smallest;
        let softest = softest.unwrap().sqrt();
        // 3.5e-5 at most
        assert!(
            (softest / expected - 1.0).abs() < 1e-4,
            "{spin}: {softest} {expected}"
        );
        // forces of Coriolis couple it with stretching: 8e-4 less at 10
        let found = frequencies(blade(0.0, spin, 1e5), biela::OperatingPoint::Equilibrium)[0];
        assert!(
            (found / expected - 1.0).abs() < 1e-3,
            "{spin}: {found} {expected}"
        );
    }
}

/// The same blade in space, as a cable or with torsion and shear.
fn blade_in_space(spin: f64, beam: &str) -> biela::Job {
    job(&format!(
        r#"
format = 1
space = "spatial"
spin = {spin}
[[beam]]
name = "blade"
from = [0, 0, 0]
to = [1, 0, 0]
axial_stiffness = 1e5
mass_per_length = 1
{beam}
between = ["ground", "blade.start"]
[study]
analysis = "statics"
"#
    ))
}

#[test]
fn a_spinning_cable_has_its_flapwise_and_in_plane_frequencies() {
    let clamped = r#"
elements = 8
bending_stiffness = 1
[[joint]]
name = "root"
type = "revolute"
axis = [1, 0, 0]"#;
    for spin in [2.0, 5.0, 10.0] {
        let found = frequencies(
            blade_in_space(spin, clamped),
            biela::OperatingPoint::Equilibrium,
        );
        let flap = flapping(spin);
        for (found, expected) in found.iter().zip([(flap * flap - spin * spin).sqrt(), flap]) {
            assert!(
                (found / expected - 1.0).abs() < 1e-3,
                "{spin}: {found} {expected}"
            );
        }
    }
}

#[test]
fn a_spinning_beam_with_torsion_has_the_flapwise_frequencies_of_the_series() {
    // stiff in the plane of rotation, so that flapping is softest
    let clamped = |elements: usize| {
        format!(
            r#"
element = "exact"
elements = {elements}
shear_stiffness = 1e5
bending_stiffness = [1, 1000]
torsional_stiffness = 1e3
[[joint]]
name = "root"
type = "weld""#
        )
    };
    for spin in [2.0, 10.0] {
        let expected = flapping(spin);
        let off = |elements: usize| {
            let job = blade_in_space(spin, &clamped(elements));
            let softest = finish(job).equilibria[0].smallest;
            softest.unwrap().sqrt() / expected - 1.0
        };
        // errors of its elements fall with the square of their length
        let (coarse, fine) = (off(10), off(20));
        let rest = (4.0 * fine - coarse) / 3.0;
        assert!(
            fine.abs() < 2e-3 && rest.abs() < 3e-4,
            "{spin}: {coarse:e} {fine:e} {rest:e}"
        );
    }
}

#[test]
fn a_body_in_a_rotating_frame_moves_as_on_a_driven_hub() {
    let body = |more: &str| {
        format!(
            r#"
[[body]]
name = "top"
mass = 1.3
inertia = [0.05, 0.11, 0.14]
com = [0.1, 0.2, -0.1]
position = [0.3, 0, 0]
rotation = {{ axis = [0.6, 0, 0.8], angle = "40 deg" }}
points = {{ tip = [0.5, -0.2, 0.3] }}
{more}
"#
        )
    };
    let study = |formulation: &str| {
        format!(
            r#"
[study]
duration = 1
output_step = 0.1
formulation = "{formulation}"
integrator = {{ type = "dop853", tolerance = 1e-10 }}
"#
        )
    };
    let head = "format = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n";
    let seen = |formulation: &str| {
        let (body, study) = (body(""), study(formulation));
        run(&format!(
            r#"{head}
spin = 5
ground = {{ points = {{ rim = [0.3, 0, 0] }} }}
{body}
[[joint]]
name = "ball"
type = "spherical"
between = ["ground.rim", "top"]
{study}"#
        ))
    };
    let (body, study) = (
        body("velocity = [0, 1.5, 0]\nomega = [0, 0, 5]"),
        study("absolute"),
    );
    let driven = run(&format!(
        r#"{head}
[[body]]
name = "hub"
mass = 1
inertia = [1, 1, 1]
points = {{ rim = [0.3, 0, 0] }}
{body}
[[joint]]
name = "axle"
type = "revolute"
axis = [0, 0, 1]
between = ["ground", "hub"]
[[joint]]
name = "ball"
type = "spherical"
between = ["hub.rim", "top"]
[[driver]]
name = "motor"
on = "axle"
value = "5*t"
{study}"#
    ));
    let way = |run: &Run| ["x", "y", "z"].map(|axis| column(run, &format!("top.tip.{axis}")));
    let there = way(&driven);
    for formulation in ["absolute", "tree"] {
        let seen = seen(formulation);
        let [x, y, z] = way(&seen);
        for (k, time) in seen.times().iter().enumerate() {
            let (s, c) = (5.0 * time).sin_cos();
            let across = (
                c * x[k] - s * y[k] - there[0][k],
                s * x[k] + c * y[k] - there[1][k],
            );
            let off = across.0.hypot(across.1).hypot(z[k] - there[2][k]);
            assert!(off < 1e-7, "{formulation} {time} s: {off:e}");
        }
        let moving = largest(column(&seen, "energy.kinetic"));
        let balance = largest(column(&seen, "energy.balance"));
        assert!(
            moving > 1.0 && balance < 1e-8 * moving,
            "{balance:e} {moving}"
        );
    }
}

#[test]
fn a_blade_in_the_frame_of_its_hub_moves_as_on_a_driven_hub() {
    let beam = r#"
elements = 8
axial_stiffness = "4000 N"
bending_stiffness = "2 N*m^2"
mass_per_length = "1 kg/m"
"#;
    let study = r#"
[study]
duration = "0.2 s"
output_step = "0.05 s"
integrator = { type = "generalized-alpha", step = "0.1 ms" }
"#;
    // let go without stress: it swings about its steady state
    let seen = format!(
        "format = 1\nspace = \"planar\"\nspin = 20\nground = {{ points = {{ rim = [0.2, 0] }} }}\n\
         [[beam]]\nname = \"blade\"\nfrom = [0.2, 0]\nto = [1.1, 0]{beam}\
         [[joint]]\nname = \"root\"\ntype = \"weld\"\nbetween = [\"ground.rim\", \"blade.start\"]{study}"
    );
    let driven = format!(
        "format = 1\nspace = \"planar\"\n[[body]]\nname = \"hub\"\nmass = 1\ninertia = 1\npoints = {{ rim = [0.2, 0] }}\n\
         [[beam]]\nname = \"blade\"\nfrom = [0.2, 0]\nto = [1.1, 0]\nvelocity = [0, 4]\nomega = 20{beam}\
         [[joint]]\nname = \"axle\"\ntype = \"revolute\"\nbetween = [\"ground\", \"hub\"]\n\
         [[joint]]\nname = \"root\"\ntype = \"weld\"\nbetween = [\"hub.rim\", \"blade.start\"]\n\
         [[driver]]\nname = \"motor\"\non = \"axle\"\nvalue = \"20*t\"{study}"
    );
    let (seen, driven) = (finish(job(&seen)), finish(job(&driven)));
    let balance = largest(column(&seen, "energy.balance"));
    assert!(
        balance < 1e-3 * largest(column(&seen, "energy.kinetic")),
        "{balance:e}"
    );
    for (k, time) in seen.times().iter().enumerate() {
        let [x, y] = ["blade.end.x", "blade.end.y"].map(|name| column(&seen, name)[k]);
        let (s, c) = (20.0 * time).sin_cos();
        let there = ["blade.end.x", "blade.end.y"].map(|name| column(&driven, name)[k]);
        let off = (c * x - s * y - there[0]).hypot(s * x + c * y - there[1]);
        assert!(off < 1e-4, "{time} s: {off:e}");
    }
}
