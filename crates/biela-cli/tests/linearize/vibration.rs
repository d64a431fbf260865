//! Small oscillations about equilibria.

use std::fmt::Write;

use super::*;

const G: f64 = 9.81;

/// Uniform rods of 0.7 m and 1.3 kg in series, hanging or standing.
fn rods(count: usize, space: &str, angle: f64) -> String {
    let (gravity, inertia, com, tip, position) = if space == "planar" {
        (
            format!("[0, -{G}]"),
            "1.3*0.49/12",
            "[0.35, 0]",
            "[0.7, 0]",
            "angle",
        )
    } else {
        (
            format!("[0, -{G}, 0]"),
            "[0.01, 1.3*0.49/12, 1.3*0.49/12]",
            "[0.35, 0, 0]",
            "[0.7, 0, 0]",
            "angle",
        )
    };
    let inertia = if inertia.starts_with('[') {
        "[0.01, \"1.3*0.49/12\", \"1.3*0.49/12\"]".to_owned()
    } else {
        format!("\"{inertia}\"")
    };
    let mut text =
        format!("format = 1\nname = \"rods\"\nspace = \"{space}\"\ngravity = {gravity}\n");
    for i in 0..count {
        let _ = write!(
            text,
            "[[body]]\nname = \"rod{i}\"\nmass = 1.3\ninertia = {inertia}\ncom = {com}\npoints = {{ tip = {tip} }}\n"
        );
        let first = if i == 0 {
            "ground".to_owned()
        } else {
            format!("rod{}.tip", i - 1)
        };
        let start = if i == 0 { angle } else { 0.0 };
        let _ = write!(
            text,
            "[[joint]]\nname = \"pin{i}\"\ntype = \"revolute\"\nbetween = [\"{first}\", \"rod{i}\"]\ninitial = {{ {position} = \"{start} deg\" }}\n"
        );
    }
    text
}

#[test]
fn a_pendulum_has_its_frequency_hanging_and_its_time_constant_inverted() {
    // ω² = 3 g/2 l
    let rate = (1.5 * G / 0.7).sqrt();
    for space in ["planar", "spatial"] {
        let hanging = linear(&rods(1, space, -90.0));
        assert_values(&hanging, &[oscillation(rate)], 0, 1e-12);
        assert_eq!(hanging.modes[0].describe(), "undamped oscillation");
        assert!(hanging.model.accelerations[0].abs() < 1e-13);
        let standing = linear(&rods(1, space, 90.0));
        let real = [Complex::new(rate, 0.0), Complex::new(-rate, 0.0)];
        assert_values(&standing, &real, 0, 1e-12);
        let words: Vec<&str> = standing.modes.iter().map(Mode::describe).collect();
        assert!(
            words.contains(&"stable") && words.contains(&"unstable"),
            "{words:?}"
        );
        assert!((standing.modes[0].time_constant().unwrap().abs() - 1.0 / rate).abs() < 1e-12);
    }
}

#[test]
fn a_pendulum_away_from_equilibrium_is_reported_with_its_acceleration() {
    let away = linear(&rods(1, "planar", -60.0));
    assert!((away.model.accelerations[0] + 1.5 * G / 0.7 * 0.5).abs() < 1e-12);
    // it falls from rest: to first order in time nothing changes, but far from an equilibrium A is that of the slope
    assert!((away.model.a[(1, 0)] + 1.5 * G / 0.7 * 30_f64.to_radians().cos()).abs() < 1e-11);
}

#[test]
fn a_pendulum_is_linearised_at_the_equilibrium_found_from_any_start() {
    let text = rods(1, "planar", -20.0);
    let found = try_linear(
        &text,
        &[],
        OperatingPoint::Equilibrium,
        &LinearModelRequest::default(),
    )
    .unwrap();
    assert_values(&found, &[oscillation((1.5 * G / 0.7).sqrt())], 0, 1e-9);
    assert!((found.model.state.q[2] + std::f64::consts::FRAC_PI_2).abs() < 1e-9);
}

#[test]
fn a_double_pendulum_has_the_two_textbook_frequencies() {
    // equal uniform rods: ω² = 3 g/l (1 ± 2/√7), E. J. Routh, Dynamics of a System of Rigid Bodies
    let base = 3.0 * G / 0.7;
    let expected = [1.0, -1.0].map(|s| oscillation((base * (1.0 + s * 2.0 / 7_f64.sqrt())).sqrt()));
    for space in ["planar", "spatial"] {
        let found = linear(&rods(2, space, -90.0));
        assert_values(&found, &expected, 0, 1e-11);
        let names: Vec<&str> = found.model.states().map(|v| v.name.as_str()).collect();
        assert_eq!(
            names,
            ["pin0.angle", "pin1.angle", "pin0.rate", "pin1.rate"]
        );
        // slow: both to the same side; fast: against each other. Relative angle of the second: θ₂/θ₁ − 1
        let ratio = |m: usize| (found.modes[m].shape[1] / found.modes[m].shape[0]).re + 1.0;
        let root = 7_f64.sqrt();
        for (mode, sign) in [(0, 1.0), (1, -1.0)] {
            // from (4/3 − ω̂² …): θ₂/θ₁ = (−1 ± 2√7)/3 for these rods
            let expected = (-1.0 + sign * 2.0 * root) / 3.0;
            assert!(
                (ratio(mode) - expected).abs() < 1e-9,
                "{} {expected}",
                ratio(mode)
            );
        }
    }
}

/// Blocks of 2 kg on a rail, joined by springs of 300 N/m 0.1 m long, held at both ends or free.
fn chain(count: usize, held: bool) -> String {
    let mut text = "format = 1\nname = \"chain\"\nspace = \"planar\"\n[ground]\npoints = { right = [\"(n + 1)*0.1\", 0] }\n".to_owned();
    text = text.replace("[ground]", &format!("[parameters]\nn = {count}\n[ground]"));
    let end = |i: usize| match i {
        0 => "ground".to_owned(),
        i if i == count + 1 => "ground.right".to_owned(),
        i => format!("block{i}"),
    };
    for i in 1..=count {
        let x = 0.1 * i as f64;
        let _ = write!(
            text,
            "[[body]]\nname = \"block{i}\"\nmass = 2\ninertia = 0.01\n[[joint]]\nname = \"rail{i}\"\ntype = \"prismatic\"\n\
             between = [\"ground\", \"block{i}\"]\ninitial = {{ position = {x} }}\n"
        );
    }
    let springs = if held { 0..count + 1 } else { 1..count };
    for i in springs {
        let _ = write!(
            text,
            "[[force]]\nname = \"spring{i}\"\ntype = \"spring-damper\"\nbetween = [\"{}\", \"{}\"]\nstiffness = 300\nlength = 0.1\n",
            end(i),
            end(i + 1)
        );
    }
    text
}

#[test]
fn chains_of_springs_have_their_closed_form_frequencies() {
    let (count, base) = (5, 2.0 * (300.0_f64 / 2.0).sqrt());
    let held: Vec<_> = (1..=count)
        .map(|k| {
            oscillation(
                base * (k as f64 * std::f64::consts::PI / (2.0 * (count as f64 + 1.0))).sin(),
            )
        })
        .collect();
    assert_values(&linear(&chain(count, true)), &held, 0, 1e-11);
    // a free chain drifts as a whole: two zeros, no coordinate of its own
    let free: Vec<_> = (1..count)
        .map(|k| oscillation(base * (k as f64 * std::f64::consts::PI / (2.0 * count as f64)).sin()))
        .collect();
    let found = linear(&chain(count, false));
    assert_values(&found, &free, 2, 1e-11);
    let drift = &found.modes[0];
    assert!(drift.is_zero() && drift.parts(&found.model.positions).len() == count);
}

#[test]
fn damping_causes_decay_and_above_critical_two_time_constants() {
    let text = |c: f64| {
        format!(
            "format = 1\nname = \"block\"\nspace = \"planar\"\n[[body]]\nname = \"block\"\nmass = 2\ninertia = 0.01\n\
             [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbetween = [\"ground\", \"block\"]\n\
             [[force]]\nname = \"spring\"\ntype = \"joint-spring-damper\"\njoint = \"rail\"\nstiffness = 800\ndamping = {c}\n"
        )
    };
    let soft = linear(&text(4.0));
    let root = (400.0_f64 - 1.0).sqrt();
    assert_values(&soft, &[Complex::new(-1.0, root)], 0, 1e-13);
    let mode = &soft.modes[0];
    assert!((mode.damping_ratio().unwrap() - 0.05).abs() < 1e-14);
    assert!((mode.frequency() - root / std::f64::consts::TAU).abs() < 1e-12);
    assert!((mode.natural_frequency() - 20.0).abs() < 1e-12);
    assert_eq!(mode.describe(), "stable oscillation");
    let stiff = linear(&text(100.0));
    let root = (625.0_f64 - 400.0).sqrt();
    let real = [
        Complex::new(-25.0 + root, 0.0),
        Complex::new(-25.0 - root, 0.0),
    ];
    assert_values(&stiff, &real, 0, 1e-13);
}

/// A four-bar without gravity in a pose at which its spring is slack: crank 0.2 m, coupler 0.5 m, rocker 0.4 m, ground 0.45 m.
fn four_bar(space: &str) -> String {
    let spatial = space == "spatial";
    let point = |x: &str, y: &str| {
        if spatial {
            format!("[{x}, {y}, 0]")
        } else {
            format!("[{x}, {y}]")
        }
    };
    let mut text = format!(
        "format = 1\nname = \"four-bar\"\nspace = \"{space}\"\n[ground]\npoints = {{ C = {}, S = {} }}\n",
        point("0.45", "0"),
        point("-0.2", "0.3")
    );
    for (name, length, mass, inertia) in [
        ("crank", 0.2, 0.8, 0.02),
        ("coupler", 0.5, 1.1, 0.03),
        ("rocker", 0.4, 0.9, 0.025),
    ] {
        let inertia = if spatial {
            format!("[0.01, {inertia}, {inertia}]")
        } else {
            inertia.to_string()
        };
        let (com, tip) = (
            point(&(0.5 * length).to_string(), "0"),
            point(&length.to_string(), "0"),
        );
        let _ = write!(
            text,
            "[[body]]\nname = \"{name}\"\nmass = {mass}\ninertia = {inertia}\ncom = {com}\npoints = {{ tip = {tip} }}\n"
        );
        let at = match name {
            "coupler" => ("0.05", "0.19", "20"),
            "rocker" => ("0.45", "0", "70"),
            _ => ("0", "0", "70"),
        };
        let turn = if spatial {
            format!(
                "rotation = {{ axis = [0, 0, 1], angle = \"{} deg\" }}",
                at.2
            )
        } else {
            format!("angle = \"{} deg\"", at.2)
        };
        let _ = write!(text, "position = {}\n{turn}\n", point(at.0, at.1));
    }
    for (name, a, b) in [
        ("O", "ground", "crank"),
        ("A", "crank.tip", "coupler"),
        ("B", "coupler.tip", "rocker.tip"),
        ("C", "ground.C", "rocker"),
    ] {
        let start = if name == "O" {
            "initial = { angle = \"70 deg\", keep = true }\n"
        } else {
            ""
        };
        let _ = write!(
            text,
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbetween = [\"{a}\", \"{b}\"]\n{start}"
        );
    }
    text + "[[force]]\nname = \"spring\"\ntype = \"spring-damper\"\nbetween = [\"ground.S\", \"rocker.tip\"]\nstiffness = 900\nlength = \"rest\"\n"
}

/// Stiffness and mass of the linkage reduced by hand to the crank angle: angles from the loop, rates from its derivative.
fn four_bar_by_hand() -> (f64, f64) {
    let (a, b, c, d) = (0.2, 0.5, 0.4, 0.45);
    let theta = 70_f64.to_radians();
    let (ax, ay) = (a * theta.cos(), a * theta.sin());
    // B from two circles, the upper one
    let (dx, dy) = (d - ax, -ay);
    let span = (dx * dx + dy * dy).sqrt();
    let along = (b * b - c * c + span * span) / (2.0 * span);
    let height = (b * b - along * along).sqrt();
    let (bx, by) = (
        ax + (along * dx - height * dy) / span,
        ay + (along * dy + height * dx) / span,
    );
    let phi = (by - ay).atan2(bx - ax);
    let psi = by.atan2(bx - d);
    // a ω₁ + b ω₂ = c ω₃, components: ω₂ and ω₃ for ω₁ = 1
    let omega2 = a * (psi - theta).sin() / (b * (phi - psi).sin());
    let omega3 = a * (phi - theta).sin() / (c * (phi - psi).sin());
    let crank = 0.02 + 0.8 * 0.01;
    let rocker = (0.025 + 0.9 * 0.04) * omega3 * omega3;
    let (vx, vy) = (
        -ay - 0.5 * b * phi.sin() * omega2,
        ax + 0.5 * b * phi.cos() * omega2,
    );
    let coupler = 1.1 * (vx * vx + vy * vy) + 0.03 * omega2 * omega2;
    let mass = crank + rocker + coupler;
    let (sx, sy) = (bx + 0.2, by - 0.3);
    let rest = (sx * sx + sy * sy).sqrt();
    let rate = (sx * -c * psi.sin() + sy * c * psi.cos()) / rest * omega3;
    (900.0 * rate * rate / mass, rest)
}

#[test]
fn a_four_bar_on_a_spring_has_its_closed_form_frequency_redundant_or_not() {
    let (ratio, rest) = four_bar_by_hand();
    for (space, redundant) in [("planar", 0), ("spatial", 3)] {
        let text = four_bar(space).replace("\"rest\"", &rest.to_string());
        let found = linear(&text);
        assert_values(&found, &[oscillation(ratio.sqrt())], 0, 1e-10);
        assert_eq!(found.model.positions[0].name, "O.angle");
        assert!(found.model.accelerations[0].abs() < 1e-9);
        let rows = found.system.rows().len();
        assert_eq!(rows, if redundant == 0 { 8 } else { 20 });
        // other coordinates give other matrices and the same modes
        let request = LinearModelRequest {
            coordinates: names(&["C.angle"]),
            ..LinearModelRequest::default()
        };
        let other = try_linear(&text, &[], OperatingPoint::Start, &request).unwrap();
        assert_eq!(other.model.positions[0].name, "C.angle");
        assert_values(&other, &[oscillation(ratio.sqrt())], 0, 1e-10);
    }
}

#[test]
fn angles_at_a_singularity_are_replaced_by_rotations_of_bodies() {
    // a ball on a massless rod, and a bar on a ball joint, both hanging where their angles have a pole
    let ball = "format = 1\nname = \"ball\"\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\n\
        inertia = [0.01, 0.01, 0.01]\nposition = [0, 0, -0.8]\n\
        [[joint]]\nname = \"rod\"\ntype = \"distance\"\nbetween = [\"ground\", \"ball\"]\nlength = 0.8\n";
    let formulated =
        |word: &str| format!("{ball}[study]\nduration = 1\nformulation = \"{word}\"\n");
    let swing = oscillation((G / 0.8).sqrt());
    for word in ["absolute", "tree"] {
        let found = linear(&formulated(word));
        // the ball may also turn about its own centre: three angles with their rates
        assert_values(&found, &[swing, swing], 6, 1e-11);
    }

    let bar = "format = 1\nname = \"bar\"\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"bar\"\nmass = 2\n\
        inertia = [0.03, 0.08, 0.1]\ncom = [0.4, 0, 0]\nposition = [0, 0, 0]\nrotation = { axis = [0, 1, 0], angle = \"90 deg\" }\n\
        [[joint]]\nname = \"eye\"\ntype = \"spherical\"\nbetween = [\"ground\", \"bar\"]\n";
    let found = linear(bar);
    let rate = |inertia: f64| oscillation((2.0 * G * 0.4 / (inertia + 2.0 * 0.16)).sqrt());
    assert_values(&found, &[rate(0.08), rate(0.1)], 2, 1e-11);
    assert!(
        found
            .model
            .positions
            .iter()
            .all(|v| v.name.starts_with("bar."))
    );
}

#[test]
fn friction_at_rest_damps_with_its_slope() {
    let text = "format = 1\nname = \"block\"\nspace = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"block\"\nmass = 2\ninertia = 0.01\n\
        [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbetween = [\"ground\", \"block\"]\n\
        [[force]]\nname = \"spring\"\ntype = \"joint-spring-damper\"\njoint = \"rail\"\nstiffness = 800\n\
        [[force]]\nname = \"rub\"\ntype = \"coulomb-friction\"\njoint = \"rail\"\nmu = 0.1\ntransition_speed = 0.2\n";
    let found = linear(text);
    // μ m g tanh(q̇/v) has the slope μ m g/v at rest
    let damping = 0.1 * 2.0 * G / 0.2;
    let found = -found.model.a[(1, 1)] * 2.0;
    assert!(
        (found - damping).abs() < 1e-10 * damping,
        "{found} {damping}"
    );
}
