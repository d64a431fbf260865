//! Slow modes beside fast and damped ones: beams, bushings, controllers, over ten decades.

use std::fmt::Write;

use biela::core::analysis::Formulation;

use super::*;

/// Both roots of `m λ² + c λ + k = 0`, one of a conjugate pair; the smaller real one without cancellation.
fn roots(m: f64, c: f64, k: f64) -> Vec<Complex<f64>> {
    let d = c * c - 4.0 * m * k;
    if d < 0.0 {
        return vec![Complex::new(-c / (2.0 * m), (-d).sqrt() / (2.0 * m))];
    }
    let far = -(c + d.sqrt()) / 2.0;
    vec![Complex::new(far / m, 0.0), Complex::new(k / far, 0.0)]
}

/// The modes of a model in one formulation.
fn in_formulation(text: &str, formulation: Formulation) -> LinearizedModel {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    let mut job = biela::load(&path).unwrap_or_else(|e| panic!("{e}"));
    let mut study = job.study_or_start();
    study.formulation = formulation;
    job.study = Some(study);
    biela::linearize(job, OperatingPoint::Start, &LinearModelRequest::default())
        .unwrap_or_else(|e| panic!("{e}"))
}

fn in_both(text: &str, check: impl Fn(&LinearizedModel)) {
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        check(&in_formulation(text, formulation));
    }
}

/// Masses on sliders in a row, each on the one before, with a spring and a damper behind each joint.
fn sliders(stages: &[(f64, f64, f64)]) -> String {
    let mut text = "format = 1\nspace = \"planar\"\n".to_owned();
    for (i, (mass, damping, stiffness)) in stages.iter().enumerate() {
        let before = if i == 0 {
            "ground".to_owned()
        } else {
            format!("m{}", i - 1)
        };
        let _ = write!(
            text,
            "[[body]]\nname = \"m{i}\"\nmass = {mass:e}\ninertia = 1\n\
             [[joint]]\nname = \"s{i}\"\ntype = \"prismatic\"\nbetween = [\"{before}\", \"m{i}\"]\naxis = [1, 0]\n\
             [[force]]\nname = \"f{i}\"\ntype = \"joint-spring-damper\"\njoint = \"s{i}\"\nstiffness = {stiffness:e}\ndamping = {damping:e}\n"
        );
    }
    text
}

#[test]
fn an_overdamped_slider_keeps_its_slow_eigenvalue() {
    for damping in [0.0, 1e-6, 1e-2, 1.0, 1e2, 1e4, 1e5, 1e6] {
        let text = sliders(&[(2.0, damping, 3.0)]);
        in_both(&text, |found| {
            assert_values(found, &roots(2.0, damping, 3.0), 0, 1e-9);
        });
    }
}

#[test]
fn eigenvalues_over_ten_decades_are_found() {
    for (damping, stiffness) in [(1e-3, 1e20), (1e10, 1e10), (1e10, 1e20), (0.0, 1e20)] {
        let mut text = sliders(&[(1.0, 1e-3, 1.0)]);
        let _ = write!(
            text,
            "[[body]]\nname = \"fast\"\nmass = 1\ninertia = 1\n\
             [[joint]]\nname = \"quick\"\ntype = \"prismatic\"\nbetween = [\"ground\", \"fast\"]\naxis = [1, 0]\n\
             [[force]]\nname = \"stiff\"\ntype = \"joint-spring-damper\"\njoint = \"quick\"\nstiffness = {stiffness:e}\ndamping = {damping:e}\n"
        );
        let mut expected = roots(1.0, 1e-3, 1.0);
        expected.extend(roots(1.0, damping, stiffness));
        in_both(&text, |found| assert_values(found, &expected, 0, 1e-6));
    }
}

#[test]
fn a_soft_spring_behind_a_stiff_damped_one_keeps_its_frequency() {
    // both masses move as one in the slow mode; the correction is of the order of the ratio of the stiffnesses
    for stiffness in [1e8, 1e10, 1e12, 1e14] {
        let (soft, damper) = (4.0, 0.4);
        let text = sliders(&[(1.0, damper, soft), (3.0, 1e-3 * stiffness, stiffness)]);
        in_both(&text, |found| {
            let slow = found
                .modes
                .iter()
                .min_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
            let slow = slow.unwrap().value;
            let expected = roots(4.0, damper, soft)[0];
            let error = (slow - expected).norm() / expected.norm();
            assert!(
                error < 1e-6,
                "{stiffness:e}: {slow} is not {expected}, {error:e}"
            );
        });
    }
}

#[test]
fn a_slender_body_in_a_damped_bushing_has_the_same_modes_in_every_formulation() {
    for spin in [1e-2, 1e-4, 1e-6, 1e-8] {
        let text = format!(
            "format = 1\nspace = \"spatial\"\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.1, 0.1, {spin:e}]\n\
             [[force]]\nname = \"mount\"\ntype = \"bushing\"\nbetween = [\"ground\", \"rod\"]\nstiffness = [100, 200, 300]\n\
             damping = [1, 2, 3]\ntorsional_stiffness = [1, 2, 3]\ntorsional_damping = [0.01, 0.02, 0.003]\n"
        );
        let mut expected = Vec::new();
        for axis in 1..=3 {
            let axis = f64::from(axis);
            expected.extend(roots(1.0, axis, 100.0 * axis));
        }
        expected.extend(roots(0.1, 0.01, 1.0));
        expected.extend(roots(0.1, 0.02, 2.0));
        expected.extend(roots(spin, 0.003, 3.0));
        in_both(&text, |found| assert_values(found, &expected, 0, 1e-6));
    }
}

#[test]
fn a_slender_body_adds_no_spurious_pole_in_absolute_coordinates() {
    let text = "format = 1\nspace = \"spatial\"\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0.1, 0.1, 1e-4]\n\
         [[force]]\nname = \"mount\"\ntype = \"bushing\"\nbetween = [\"ground\", \"rod\"]\nstiffness = [100, 100, 100]\ntorsional_stiffness = [1, 1, 1]\n\
         [study]\nduration = 1\n";
    let turning = 10_f64.sqrt();
    let expected = [10.0, 10.0, 10.0, turning, turning, 100.0].map(oscillation);
    in_both(text, |found| assert_values(found, &expected, 0, 1e-9));
}

fn cantilever(element: &str, height: f64, damping: f64, elements: usize) -> String {
    let (space, kind, from, to, start) = match element {
        "exact" => (
            "spatial",
            "element = \"exact\"\n",
            "[0, 0, 0]",
            "[1, 0, 0]",
            "blade.start",
        ),
        _ => ("planar", "", "[0, 0]", "[1, 0]", "blade.start"),
    };
    format!(
        "format = 1\nspace = \"{space}\"\n[[beam]]\nname = \"blade\"\n{kind}from = {from}\nto = {to}\nelements = {elements}\n\
         section = {{ type = \"rectangle\", width = \"10 mm\", height = {height:e} }}\nyoung = \"70 GPa\"\ndensity = 2700\ndamping = {damping:e}\n\
         [[joint]]\nname = \"clamp\"\ntype = \"weld\"\nbetween = [\"ground\", \"{start}\"]\n[study]\nduration = 1\nformulation = \"absolute\"\n"
    )
}

/// Damping in proportion to stiffness: `λ² + τ ω² λ + ω² = 0` for every ω without damping.
fn check_proportional(element: &str, height: f64, damping: f64, elements: usize) {
    let free = in_formulation(
        &cantilever(element, height, 0.0, elements),
        Formulation::Absolute,
    );
    let damped = in_formulation(
        &cantilever(element, height, damping, elements),
        Formulation::Absolute,
    );
    let mut expected = Vec::new();
    for mode in &free.modes {
        assert!(
            mode.value.re.abs() < 1e-9 * mode.value.norm(),
            "{}",
            mode.value
        );
        let square = mode.value.im * mode.value.im;
        expected.extend(roots(1.0, damping * square, square));
    }
    assert_values(&damped, &expected, 0, 1e-6);
}

#[test]
fn damped_exact_beams_have_the_modes_of_the_undamped_ones() {
    for (height, damping) in [
        (1.2e-2, 1e-5),
        (1.2e-2, 1e-3),
        (3e-3, 1e-3),
        (1e-3, 1e-4),
        (1e-3, 1e-2),
        (3e-4, 1e-3),
    ] {
        check_proportional("exact", height, damping, 4);
    }
}

#[test]
fn damped_planar_beams_have_the_modes_of_the_undamped_ones() {
    for (height, damping) in [(1.2e-2, 1e-5), (1.2e-2, 1e-3), (1e-3, 1e-3), (1e-3, 1e-2)] {
        check_proportional("cable", height, damping, 8);
    }
}

#[test]
fn a_slender_exact_beam_vibrates_in_absolute_coordinates_as_in_joint_coordinates() {
    let text = cantilever("exact", 1e-2, 0.0, 4);
    let [absolute, tree] =
        [Formulation::Absolute, Formulation::Tree].map(|f| in_formulation(&text, f));
    assert_eq!(absolute.modes.len(), 24);
    for (a, b) in absolute.modes.iter().zip(&tree.modes) {
        let error = (a.value.im - b.value.im).abs() / b.value.im;
        assert!(error < 1e-6, "{} {}", a.value, b.value);
    }
    // λ² = 1.8751² √(EI/ρA), within the discretization error of four elements
    let first = 1.875_104_f64.powi(2) * (70e9_f64 * 1e-8 / 12.0 / (2700.0 * 1e-4)).sqrt();
    let found = absolute.modes[0].value.im;
    assert!((found / first - 1.0).abs() < 0.05, "{found} {first}");
}

#[test]
fn a_joint_under_a_controller_has_the_roots_of_its_law() {
    for (kp, kd) in [(1e-3, 1e-1), (1.0, 1e3), (1e6, 1e2), (1e6, 1e8)] {
        let text = format!(
            "format = 1\nspace = \"spatial\"\n[[body]]\nname = \"rotor\"\nmass = 2\ninertia = [0.3, 0.2, 0.5]\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rotor\"]\naxis = [0, 0, 1]\n\
             [[force]]\nname = \"servo\"\ntype = \"actuator\"\njoint = \"pin\"\neffort = \"-{kp:e} [N*m/rad]*pin.angle - {kd:e} [N*m*s/rad]*pin.rate\"\n"
        );
        in_both(&text, |found| {
            assert_values(found, &roots(0.5, kd, kp), 0, 1e-6);
        });
    }
}

const SATELLITE: &str = r#"
format = 1
name = "satellite"
space = "spatial"
[parameters]
target = "30 deg"
kp = "60 N*m/rad"
kd = "220 N*m*s/rad"
[[body]]
name = "hub"
mass = "300 kg"
shapes = [{ type = "box", size = [1.2, 1.2, 1.6] }]
frames = { l = { at = [0, 0.6, 0], rotation = { axis = [0,0,1], angle = "90 deg" } }, r = { at = [0, -0.6, 0], rotation = { axis = [0,0,1], angle = "-90 deg" } } }
[[body]]
name = "rw"
mass = "8 kg"
shapes = [{ type = "cylinder", radius = 0.2, length = 0.05, rotation = { axis = [0,1,0], angle = "90 deg" } }]
[[beam]]
name = "panel_l"
element = "exact"
from = [0, 0.6, 0]
to = [0, 6.6, 0]
elements = 8
section = { type = "rectangle", width = "1.5 m", height = "8 mm" }
young = "20 GPa"
density = "300 kg/m^3"
damping = "DAMPING"
[[beam]]
name = "panel_r"
element = "exact"
from = [0, -0.6, 0]
to = [0, -6.6, 0]
elements = 8
section = { type = "rectangle", width = "1.5 m", height = "8 mm" }
young = "20 GPa"
density = "300 kg/m^3"
damping = "DAMPING"
[[joint]]
name = "pose"
type = "free"
between = ["ground", "hub"]
[[joint]]
name = "wheel"
type = "revolute"
between = ["hub", "rw"]
axis = [1,0,0]
[[joint]]
name = "root_l"
type = "weld"
between = ["hub.l", "panel_l.start"]
[[joint]]
name = "root_r"
type = "weld"
between = ["hub.r", "panel_r.start"]
[[force]]
name = "rw_motor"
type = "actuator"
joint = "wheel"
effort = "-clamp(kp*(target*smoothstep(t,1,20) - hub.rot_x) - kd*hub.omega_x, -2 [N*m], 2 [N*m])"
[study]
duration = "120 s"
"#;

#[test]
fn damping_in_panels_keeps_the_slow_modes_of_a_satellite() {
    let modes = |damping: &str| {
        let text = SATELLITE.replace("DAMPING", damping);
        in_formulation(&text, Formulation::Absolute).modes
    };
    let (free, damped) = (modes("0 s"), modes("1 ms"));
    let zeros = |modes: &[Mode]| modes.iter().filter(|m| m.is_zero()).count();
    assert_eq!(zeros(&free), zeros(&damped));
    let slow = |modes: &[Mode]| -> Vec<Complex<f64>> {
        let slow = modes
            .iter()
            .filter(|m| !m.is_zero() && m.value.norm() < 20.0);
        slow.map(|m| m.value).collect()
    };
    let (free, damped) = (slow(&free), slow(&damped));
    assert_eq!(free.len(), damped.len(), "{free:?} {damped:?}");
    for frequency in [0.038, 0.306] {
        let near =
            |x: &&Complex<f64>| (x.im / std::f64::consts::TAU / frequency - 1.0).abs() < 0.02;
        let before = free
            .iter()
            .find(near)
            .unwrap_or_else(|| panic!("{frequency}: {free:?}"));
        let after = damped
            .iter()
            .find(near)
            .unwrap_or_else(|| panic!("{frequency}: {damped:?}"));
        assert!(
            (after.im / before.im - 1.0).abs() < 1e-3,
            "{before} {after}"
        );
        assert!(after.re < 0.0, "{after}");
    }
    // the symmetric mode moves no wheel: damping in proportion to stiffness
    let symmetric =
        |list: &[Complex<f64>]| *list.iter().find(|x| (x.im - 1.92).abs() < 0.01).unwrap();
    let (before, after) = (symmetric(&free), symmetric(&damped));
    let expected = roots(1.0, 1e-3 * before.im * before.im, before.im * before.im)[0];
    assert!(
        (after - expected).norm() < 1e-6 * before.im,
        "{before} {after} {expected}"
    );
}
