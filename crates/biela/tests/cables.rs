//! Cables in space against the plane, closed forms and the laws of conservation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use std::f64::consts::TAU;

use biela::Run;
use biela::core::math::rotation::about_axis;
use biela::core::math::{Mat3, Vec3};

use runs::{column, finish, largest, run_folder};

/// Loads a model given as text.
fn job(text: &str) -> biela::Job {
    runs::job(&format!("format = 1\n{text}"))
}

fn run(text: &str) -> Run {
    finish(job(text))
}

/// x, y, z of a place, row by row.
fn path(run: &Run, place: &str) -> Vec<Vec3<f64>> {
    let [x, y, z] = ["x", "y", "z"].map(|axis| column(run, &format!("{place}.{axis}")));
    (0..x.len()).map(|k| Vec3::new(x[k], y[k], z[k])).collect()
}

/// The largest change of a signal, against a size.
fn change(run: &Run, name: &str, size: f64) -> f64 {
    let values = column(run, name);
    largest(values.iter().map(|x| (x - values[0]) / size))
}

fn written(v: &Vec3<f64>) -> String {
    format!("[{:?}, {:?}, {:?}]", v[0], v[1], v[2])
}

/// Some turn of space.
fn tilt() -> Mat3<f64> {
    about_axis(&Vec3::new(0.48, -0.6, 0.64), 1.3)
}

const ROPE: &str = "axial_stiffness = \"2e3 N\"\nbending_stiffness = \"0.5 N*m^2\"\nmass_per_length = \"1.2 kg/m\"\n";

#[test]
fn a_spatial_cable_swings_in_any_plane_like_the_planar_one() {
    let ways = [
        ("rk4\", step = \"0.2 ms\"", 1e-10),
        // as far as Newton's method goes
        (
            "generalized-alpha\", step = \"1 ms\", spectral_radius = 0.9",
            1e-7,
        ),
    ];
    for (element, (way, allowed)) in ["cable", "green-lagrange"]
        .into_iter()
        .flat_map(|element| ways.map(|way| (element, way)))
    {
        let study = format!(
            "[study]\nduration = \"0.6 s\"\noutput_step = \"20 ms\"\nintegrator = {{ type = \"{way} }}\n"
        );
        let beam = |from: &str, to: &str, omega: &str| {
            format!(
                "[[beam]]\nname = \"rope\"\nelement = \"{element}\"\nfrom = {from}\nto = {to}\nomega = {omega}\nelements = 6\n{ROPE}points = {{ mid = 0.41 }}\n"
            )
        };
        let flat = run(&format!(
            "space = \"planar\"\ngravity = [0, -9.81]\n{}[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rope.start\"]\n{study}",
            beam("[0, 0]", "[1.5, 0]", "2"),
        ));
        for turn in [Mat3::identity(), tilt()] {
            let gravity = written(&(turn * Vec3::new(0.0, -9.81, 0.0)));
            let to = written(&(turn * Vec3::new(1.5, 0.0, 0.0)));
            let omega = written(&(turn * Vec3::new(0.0, 0.0, 2.0)));
            let deep = run(&format!(
                "space = \"spatial\"\ngravity = {gravity}\n{}[[joint]]\nname = \"pin\"\ntype = \"spherical\"\nbetween = [\"ground\", \"rope.start\"]\n{study}",
                beam("[0, 0, 0]", &to, &omega),
            ));
            for place in ["rope.mid", "rope.end"] {
                let [x, y] = ["x", "y"].map(|axis| column(&flat, &format!("{place}.{axis}")));
                let there = path(&deep, place);
                let errors = there.iter().enumerate();
                let errors = errors.map(|(k, p)| (turn * Vec3::new(x[k], y[k], 0.0) - p).norm());
                let error = largest(errors);
                assert!(error < allowed, "{element} {way} {place}: {error:e}");
                for (name, sign) in [("axial_force", 0.0), ("bending_moment", 1.0)] {
                    let (a, b) = (
                        column(&flat, &format!("{place}.{name}")),
                        column(&deep, &format!("{place}.{name}")),
                    );
                    let shown = |x: f64| if sign == 0.0 { x } else { x.abs() };
                    let error = largest(a.iter().zip(&b).map(|(a, b)| shown(*a) - b));
                    assert!(error < 1e5 * allowed, "{element} {place}.{name}: {error:e}");
                }
            }
        }
    }
}

/// A curved cable without gravity, thrown with a spin about no axis of symmetry.
#[test]
fn a_free_floating_cable_conserves_momentum_angular_momentum_and_energy() {
    let run = run(&format!(
        "space = \"spatial\"\n[[beam]]\nname = \"rope\"\nshape = [[0, 0, 0], [0.4, 0.2, 0.1], [0.8, 0.1, 0.4], [1.1, -0.2, 0.5]]\nvelocity = [0.3, -0.2, 0.5]\nomega = [2, -1, 3]\nelements = 8\n{ROPE}[study]\nduration = \"0.4 s\"\noutput_step = \"20 ms\"\nintegrator = {{ type = \"dop853\", tolerance = 1e-10 }}\n"
    ));
    for (name, size) in [("momentum", 1.0), ("angular_momentum", 1.0)] {
        for axis in ["x", "y", "z"] {
            let off = change(&run, &format!("system.{name}_{axis}"), size);
            assert!(off < 1e-9, "{name} {axis}: {off:e}");
        }
    }
    let energy = column(&run, "energy.total");
    assert!(change(&run, "energy.total", energy[0]) < 1e-8);
    // it is not a rigid motion: bending gives energy to and fro
    assert!(change(&run, "rope.elastic", energy[0]) > 1e-3);
}

/// With damping of the stretch energy balances with its work, and momenta stay.
#[test]
fn damping_dissipates_energy_of_a_free_floating_cable_and_no_momentum() {
    let run = run(&format!(
        "space = \"spatial\"\n[[beam]]\nname = \"rope\"\nshape = [[0, 0, 0], [0.4, 0.2, 0.1], [0.8, 0.1, 0.4], [1.1, -0.2, 0.5]]\nomega = [2, -1, 3]\nelements = 6\ndamping = \"1 ms\"\n{ROPE}[study]\nduration = \"0.3 s\"\noutput_step = \"20 ms\"\nintegrator = {{ type = \"dop853\", tolerance = 1e-10 }}\n"
    ));
    let total = column(&run, "energy.total");
    assert!(largest(column(&run, "energy.balance")) < 1e-8 * total[0]);
    assert!(total[total.len() - 1] < total[0] * (1.0 - 1e-6));
    for axis in ["x", "y", "z"] {
        let off = change(&run, &format!("system.angular_momentum_{axis}"), 1.0);
        assert!(off < 1e-9, "{axis}: {off:e}");
    }
}

/// A cable with a bar clamped to its end goes round and round: the tangents pass the opposite of where they started.
#[test]
fn a_cable_swings_over_the_top_with_a_body_clamped_to_its_end() {
    let model = |side: &str| {
        run(&format!(
            "space = \"spatial\"\ngravity = [0, 0, -9.81]\n[[beam]]\nname = \"rope\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nomega = [{side}, -9, 0]\nelements = 4\naxial_stiffness = \"2e4 N\"\nbending_stiffness = \"2 N*m^2\"\nmass_per_length = \"1 kg/m\"\n[[body]]\nname = \"bar\"\nposition = [1, 0, 0]\nmass = 0.3\ncom = [0.05, 0, 0]\ninertia = [1e-4, 1e-3, 1e-3]\nvelocity = [0, 0, 9]\nomega = [{side}, -9, 0]\n[[joint]]\nname = \"pin\"\ntype = \"spherical\"\nbetween = [\"ground\", \"rope.start\"]\n[[joint]]\nname = \"clamp\"\ntype = \"revolute\"\naxis = [1, 0, 0]\nbetween = [\"rope.end\", \"bar\"]\n[study]\nduration = \"1.5 s\"\noutput_step = \"5 ms\"\nintegrator = {{ type = \"generalized-alpha\", step = \"0.25 ms\", spectral_radius = 1 }}\n"
        ))
    };
    for side in ["0", "0.3"] {
        let run = model(side);
        let heights = column(&run, "rope.end.z");
        // over the top, twice at least
        let rises = heights.windows(2).filter(|w| w[0] < 0.0 && w[1] >= 0.0);
        assert!(rises.count() >= 2);
        assert!(largest(heights.iter().copied()) > 0.99);
        let energies = column(&run, "energy.total");
        let kinetic = column(&run, "energy.kinetic");
        let off = change(&run, "energy.total", largest(kinetic));
        assert!(off < 1e-4, "{off:e} {}", energies[0]);
        assert!(largest(column(&run, "system.position_error")) < 1e-7);
        // the bar stays along the cable
        let along = |body: &str| {
            let [w, x, y, z] =
                ["e0", "e1", "e2", "e3"].map(|e| column(&run, &format!("{body}.{e}")));
            (0..w.len())
                .map(|k| {
                    biela::core::math::rotation::matrix(&[w[k], x[k], y[k], z[k]])
                        .column(0)
                        .into_owned()
                })
                .collect::<Vec<Vec3<f64>>>()
        };
        let apart = along("bar")
            .iter()
            .zip(along("rope.end"))
            .map(|(a, b)| (a - b).norm())
            .collect::<Vec<_>>();
        assert!(largest(apart) < 1e-7);
    }
}

/// An elastic catenary of length `l` between points `span` apart and the second `rise` above the first: horizontal and first vertical force
/// (H. M. Irvine, *Cable Structures*, 1981).
fn catenary(l: f64, span: f64, rise: f64, weight: f64, stiffness: f64) -> [f64; 2] {
    // x(s) and y(s) of the end for horizontal force h and upward force v at the start
    let end = |h: f64, v: f64| {
        let (a, b) = (v / h, (v - weight * l) / h);
        let x = h * l / stiffness + h / weight * (a.asinh() - b.asinh());
        let y = (v * l - 0.5 * weight * l * l) / stiffness
            + h / weight * ((1.0 + a * a).sqrt() - (1.0 + b * b).sqrt());
        // the cable hangs down by y from the start
        [x - span, y + rise]
    };
    let (mut h, mut v) = (0.5 * weight * l, 0.5 * weight * l);
    for _ in 0..200 {
        let r = end(h, v);
        let d = 1e-6 * weight * l;
        let (by_h, by_v) = (end(h + d, v), end(h, v + d));
        let j = [
            [(by_h[0] - r[0]) / d, (by_v[0] - r[0]) / d],
            [(by_h[1] - r[1]) / d, (by_v[1] - r[1]) / d],
        ];
        let det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        let dh = (r[0] * j[1][1] - r[1] * j[0][1]) / det;
        let dv = (j[0][0] * r[1] - j[1][0] * r[0]) / det;
        // h stays positive
        let share = if dh > 0.5 * h { 0.5 * h / dh } else { 1.0 };
        h -= share * dh;
        v -= share * dv;
    }
    [h, v]
}

/// A rope between two points that bulges sideways at first; its forces and its middle against the closed form, and its tension there, how far off.
fn tension_error(elements: usize) -> f64 {
    let rope = format!(
        "space = \"spatial\"\ngravity = [0, 0, -9.81]\n[ground]\npoints = {{ right = [3, 1.5, 0.8] }}\n[[beam]]\nname = \"rope\"\nshape = [[0, 0, 0], [0.5, 1.6, -0.6], [1.6, 2.2, -0.4], [2.6, 2.2, 0.3], [3, 1.5, 0.8]]\nelements = {elements}\naxial_stiffness = \"4e3 N\"\nbending_stiffness = \"1e-3 N*m^2\"\nmass_per_length = \"1.5 kg/m\"\npoints = {{ mid = 0.5 }}\n[[joint]]\nname = \"left\"\ntype = \"spherical\"\nbetween = [\"ground\", \"rope.start\"]\n[[joint]]\nname = \"right\"\ntype = \"spherical\"\nbetween = [\"ground.right\", \"rope.end\"]\n[study]\nanalysis = \"statics\"\n"
    );
    let run = run(&rope);
    // without stress it is as long as the curve
    let length = job(&rope).model.beams[0].length();
    let (span, rise) = (3.0_f64.hypot(1.5), 0.8);
    let [h, v] = catenary(length, span, rise, 1.5 * 9.81, 4e3);
    let [fx, fy, fz] = ["fx", "fy", "fz"].map(|f| column(&run, &format!("left.reaction.{f}"))[0]);
    assert!(
        (fx.hypot(fy) / h - 1.0).abs() < 1e-4,
        "{} {h}",
        fx.hypot(fy)
    );
    assert!((fz / v - 1.0).abs() < 1e-4, "{fz} {v}");
    // in the plane of the supports
    let mid = path(&run, "rope.mid")[0];
    assert!((mid[0] * 1.5 - mid[1] * 3.0).abs() < 1e-5, "{mid:?}");
    // how far down it is half way along
    let (w, s) = (1.5 * 9.81, 0.5 * length);
    let (a, b) = (v / h, (v - w * s) / h);
    let down =
        (v * s - 0.5 * w * s * s) / 4e3 + h / w * ((1.0 + a * a).sqrt() - (1.0 + b * b).sqrt());
    assert!(
        (mid[2] + down).abs() < 1e-4 * down.abs(),
        "{} {down}",
        mid[2]
    );
    let tension = h.hypot(v - w * s);
    column(&run, "rope.mid.axial_force")[0] / tension - 1.0
}

#[test]
fn a_cable_hangs_in_a_tilted_plane_as_an_elastic_catenary() {
    // the strain within an element is less accurate than its position and the forces at its ends: 4.4e-3 and 6.8e-4
    let [coarse, fine] = [40, 80].map(|elements| tension_error(elements).abs());
    assert!(fine < 1e-3 && fine < 0.25 * coarse, "{coarse:e} {fine:e}");
}

/// J₀ by its series.
fn bessel(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..40 {
        term *= -x * x / (4.0 * f64::from(k * k));
        sum += term;
    }
    sum
}

/// A hanging chain that goes round in its first mode, `r = a J₀(λ √(z/L))` at height z above its end: ω² = λ² g/(4L) (D. Bernoulli 1733).
#[test]
fn a_hanging_cable_whirls_in_its_first_mode() {
    let (l, g, a, root) = (2.0, 9.81, 4e-3, 2.404_825_557_695_773);
    let omega = root * 0.5 * f64::sqrt(g / l);
    let period = TAU / omega;
    let points: Vec<String> = (0..=20)
        .map(|k| {
            let z = l * (1.0 - f64::from(k) / 20.0);
            let r = a * bessel(root * (z / l).sqrt());
            format!("[{:?}, 0, {:?}]", if k == 0 { 0.0 } else { r }, z - l)
        })
        .collect();
    let run = run(&format!(
        "space = \"spatial\"\ngravity = [0, 0, -9.81]\n[[beam]]\nname = \"rope\"\nshape = [{}]\nomega = [0, 0, {omega:?}]\nelements = 16\naxial_stiffness = \"1e6 N\"\nbending_stiffness = \"1e-5 N*m^2\"\nmass_per_length = \"1 kg/m\"\n[[joint]]\nname = \"pin\"\ntype = \"spherical\"\nbetween = [\"ground\", \"rope.start\"]\n[study]\nduration = {period:?}\noutput_step = {:?}\nintegrator = {{ type = \"generalized-alpha\", step = {:?}, spectral_radius = 0.8 }}\n",
        points.join(", "),
        period / 8.0,
        period / 800.0,
    ));
    for (k, p) in path(&run, "rope.end").iter().enumerate() {
        let angle = TAU * k as f64 / 8.0;
        let expected = Vec3::new(a * angle.cos(), a * angle.sin(), p[2]);
        let off = (p - expected).norm() / a;
        assert!(off < 2e-2, "{k}: {off:e}");
    }
}

/// A clamped strip of unit length and stiffness, turned, under a moment about the normal of its plane.
fn rolled(turn: &Mat3<f64>, moment: f64) -> Run {
    let axis = |k: usize| written(&turn.column(k).into_owned());
    run(&format!(
        "space = \"spatial\"\n[ground]\nframes = {{ wall = {{ rotation = {{ x = {0}, y = {1} }} }} }}\n[[beam]]\nname = \"strip\"\nfrom = [0, 0, 0]\nto = {0}\nelements = 16\naxial_stiffness = \"1e4 N\"\nbending_stiffness = \"1 N*m^2\"\nmass_per_length = \"1 kg/m\"\npoints = {{ mid = 0.5 }}\n[[joint]]\nname = \"clamp\"\ntype = \"revolute\"\naxis = [1, 0, 0]\nbetween = [\"ground.wall\", \"strip.start\"]\n[[force]]\nname = \"moment\"\ntype = \"torque\"\non = \"strip.end\"\naxis = {2}\nvalue = {moment:?}\n[study]\nanalysis = \"statics\"\n",
        axis(0),
        axis(1),
        axis(2),
    ))
}

#[test]
fn a_moment_bends_a_cable_to_an_arc_in_any_plane_and_to_a_circle() {
    // without torsion the arc leaves its plane from a quarter of a circle on, where rounding lets it
    let angle = 0.9 * TAU / 4.0;
    for turn in [Mat3::identity(), tilt()] {
        let run = rolled(&turn, angle);
        let end = Vec3::new(angle.sin() / angle, (1.0 - angle.cos()) / angle, 0.0);
        let error = (path(&run, "strip.end")[0] - turn * end).norm();
        assert!(error < 1e-5, "{error:e}");
        let moment = column(&run, "strip.mid.bending_moment")[0];
        assert!((moment / angle - 1.0).abs() < 1e-5);
    }
    let run = rolled(&Mat3::identity(), TAU);
    let gap = path(&run, "strip.end")[0].norm();
    assert!(gap < 1e-3, "{gap:e}");
    let across = Vec3::new(0.0, 2.0 / TAU, 0.0);
    assert!((path(&run, "strip.mid")[0] - across).norm() < 1e-3);
}

/// A cantilever has each frequency of Bernoulli and Euler twice, once a plane.
#[test]
fn a_clamped_cable_has_the_frequencies_of_a_cantilever_in_both_planes() {
    let clamped = job(
        "space = \"spatial\"\n[[beam]]\nname = \"strip\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 6\naxial_stiffness = \"1e5 N\"\nbending_stiffness = \"4 N*m^2\"\nmass_per_length = \"0.25 kg/m\"\n[[joint]]\nname = \"clamp\"\ntype = \"revolute\"\naxis = [1, 0, 0]\nbetween = [\"ground\", \"strip.start\"]\n[study]\nduration = 1\n",
    );
    let request = biela::core::analysis::LinearModelRequest::default();
    let linear = biela::linearize(clamped, biela::OperatingPoint::Start, &request);
    let linear = linear.unwrap_or_else(|e| panic!("{e}"));
    let modes = linear.modes.iter().map(|mode| mode.value.im);
    let mut found: Vec<f64> = modes.filter(|omega| *omega > 0.0).collect();
    found.sort_by(f64::total_cmp);
    // roots of cos β cosh β = −1
    for (root, pair) in [1.875_104_07_f64, 4.694_091_13, 7.854_757_44]
        .iter()
        .zip(found.chunks_exact(2))
    {
        let expected = root * root * 4.0;
        for omega in pair {
            assert!((omega / expected - 1.0).abs() < 2e-3, "{omega} {expected}");
        }
    }
}

/// Runs a model of the gallery with other parameters.
fn example(name: &str, set: &[&str]) -> Run {
    run_folder(&format!("examples/flexible/{name}"), set)
}

#[test]
fn the_gantry_crane_has_no_residual_oscillation_with_pulses_of_one_period() {
    let (m, l, ea, rope) = (800.0, 6.0, 2e6, 1.1);
    let shaped = example("gantry-crane", &[]);
    let g = 9.81;
    let at_rest = |name: &str| column(&shaped, name)[0];
    for (name, expected) in [
        ("rope.start.axial_force", (m + rope * l) * g),
        ("rope.end.axial_force", m * g),
        ("rope.length", l + (m * g * l + 0.5 * rope * g * l * l) / ea),
    ] {
        let found = at_rest(name);
        assert!(
            (found / expected - 1.0).abs() < 1e-6,
            "{name}: {found} {expected}"
        );
    }
    // between the pushes
    let left = |run: &Run, from: f64, to: f64| {
        let swing = column(run, "swing");
        let rows = run.times().iter().zip(swing);
        let rows = rows.filter(|(t, _)| (from..to).contains(*t));
        largest(rows.map(|(_, x)| x))
    };
    let pushing = left(&shaped, 0.0, 5.5);
    let cruising = left(&shaped, 5.6, 7.4);
    let stopped = left(&shaped, 13.2, 20.0);
    assert!(pushing > 0.6, "{pushing}");
    assert!(cruising < 0.02 * pushing, "{cruising} {pushing}");
    assert!(stopped < 0.02 * pushing, "{stopped} {pushing}");
    let half = example("gantry-crane", &["push=T/2"]);
    assert!(left(&half, 3.0, 5.0) > 0.5 * pushing);
}

#[test]
fn the_hanging_cable_is_an_elastic_catenary() {
    let run = example("hanging-cable", &[]);
    let (l, weight, stiffness, span, rise) = (24.0, 0.8 * 9.81, 5e4, 16.0_f64.hypot(8.0), 5.0);
    let [h, v] = catenary(l, span, rise, weight, stiffness);
    let reaction = |joint: &str| {
        let [fx, fy, fz] =
            ["fx", "fy", "fz"].map(|f| column(&run, &format!("{joint}.reaction.{f}"))[0]);
        (fx.hypot(fy), fz)
    };
    let ((left, up), (right, down)) = (reaction("left"), reaction("right"));
    assert!(
        (left / h - 1.0).abs() < 1e-4 && (right / h - 1.0).abs() < 1e-4,
        "{left} {right} {h}"
    );
    assert!((up.abs() / v - 1.0).abs() < 1e-4, "{up} {v}");
    assert!(((up + down).abs() / (weight * l) - 1.0).abs() < 1e-6);
    let mid = path(&run, "cable.mid")[0];
    assert!((mid[0] - 2.0 * mid[1]).abs() < 1e-4, "{mid:?}");
}

/// A bead that runs down a hanging rope and swings with it: nothing is lost.
#[test]
fn a_bead_on_a_spatial_cable_conserves_energy() {
    let run = run(
        "space = \"spatial\"\ngravity = [0, 0, -9.81]\n[ground]\npoints = { right = [2, 0.6, 0.2] }\n[[beam]]\nname = \"rope\"\nshape = [[0, 0, 0], [0.6, 0.5, -0.5], [1.4, 0.7, -0.4], [2, 0.6, 0.2]]\nelements = 8\naxial_stiffness = \"2e3 N\"\nbending_stiffness = \"0.5 N*m^2\"\nmass_per_length = \"1.2 kg/m\"\n[[body]]\nname = \"bead\"\nmass = 0.4\ninertia = [1e-3, 1e-3, 1e-3]\n[[joint]]\nname = \"left\"\ntype = \"spherical\"\nbetween = [\"ground\", \"rope.start\"]\n[[joint]]\nname = \"right\"\ntype = \"spherical\"\nbetween = [\"ground.right\", \"rope.end\"]\n[[joint]]\nname = \"slide\"\ntype = \"beam-slider\"\nbetween = [\"rope\", \"bead\"]\ninitial = { position = \"0.3 m\" }\n[study]\nduration = \"0.5 s\"\noutput_step = \"10 ms\"\nintegrator = { type = \"rk4\", step = \"0.1 ms\" }\n",
    );
    let place = column(&run, "slide.position");
    assert!(largest(place.iter().map(|s| s - 0.3)) > 0.3);
    let kinetic = largest(column(&run, "energy.kinetic"));
    let off = change(&run, "energy.total", kinetic);
    assert!(off < 1e-5, "{off:e}");
    assert!(largest(column(&run, "system.position_error")) < 1e-8);
}
