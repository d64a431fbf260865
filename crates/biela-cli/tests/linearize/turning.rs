//! Gyroscopes, tops and rolling discs: small motions about steady ones.

use super::*;

const G: f64 = 9.81;

/// A symmetric top on a fixed tip; Ia along, It across about the tip, m l g.
const TOP: &str = r#"
format = 1
name = "top"
space = "spatial"
gravity = [0, 0, -9.81]

[parameters]
m = 0.5
l = 0.06
Ia = 5e-4
Ic = 3e-4
It = "Ic + m*l^2"
tilt = 0
spin = 300
precession = 0

[ground]
frames = { upright = { at = [0, 0, 0], rotation = { x = [0, 0, 1], y = [1, 0, 0] } } }

[[body]]
name = "top"
mass = "m"
inertia = ["Ic", "Ic", "Ia"]
com = [0, 0, "l"]
position = [0, 0, 0]
rotation = { axis = [0, 1, 0], angle = "tilt" }
omega = ["spin*sin(tilt)", 0, "precession + spin*cos(tilt)"]

[[joint]]
name = "tip"
type = "spherical"
between = ["ground", "top"]
"#;

const IA: f64 = 5e-4;
const IT: f64 = 3e-4 + 0.5 * 0.0036;
const MGL: f64 = 0.5 * G * 0.06;

#[test]
fn a_sleeping_top_precesses_and_nutates_and_is_unstable_below_its_critical_spin() {
    // It λ² − i Ia s λ − m g l = 0 for the complex lean of the axis
    for spin in [300.0, 90.0] {
        let text = TOP.replace("spin = 300", &format!("spin = {spin}"));
        let found = linear(&text);
        assert!(
            found.model.change_rate < 1e-6,
            "{}",
            found.model.change_rate
        );
        let square = (IA * spin).powi(2) - 4.0 * IT * MGL;
        let root = Complex::new(square, 0.0).sqrt();
        let expected = [1.0, -1.0].map(|sign| {
            let value = Complex::new(0.0, 1.0) * (root * sign + IA * spin) / (2.0 * IT);
            if value.im < 0.0 { value.conj() } else { value }
        });
        // the spin itself is ignorable: angle and rate
        assert_values(&found, &expected, 2, 1e-11);
        let unstable = found
            .modes
            .iter()
            .any(|m| m.describe() == "unstable oscillation");
        assert_eq!(unstable, square < 0.0);
    }
}

#[test]
fn a_top_in_steady_precession_nutates_by_its_effective_potential() {
    // I² ω² = (L₃ − 2 I Ω cos θ)² + (I Ω sin θ)²
    let (tilt, spin) = (0.5_f64, 200.0);
    let (cosine, sine) = (tilt.cos(), tilt.sin());
    // steady: (Ia − It) c Ω² + Ia s Ω − m g l = 0, s the spin beside the precession
    let (p, q) = ((IA - IT) * cosine, IA * spin);
    let precession = (-q + (q * q + 4.0 * p * MGL).sqrt()) / (2.0 * p);
    let text = TOP
        .replace("tilt = 0", &format!("tilt = {tilt}"))
        .replace("spin = 300", &format!("spin = {spin}"))
        .replace("precession = 0", &format!("precession = {precession}"))
        // heading first, so that precession is ignorable
        .replace(
            "between = [\"ground\", \"top\"]",
            "between = [\"ground.upright\", \"top\"]",
        );
    let found = linear(&text);
    assert!(found.model.accelerations.iter().all(|a| a.abs() < 1e-9));
    assert!(
        found.model.change_rate < 1e-5,
        "{}",
        found.model.change_rate
    );
    let l3 = IA * (spin + precession * cosine);
    let nutation =
        ((l3 / IT - 2.0 * precession * cosine).powi(2) + (precession * sine).powi(2)).sqrt();
    // precession angle and spin angle are ignorable, with both momenta
    assert_values(&found, &[oscillation(nutation)], 4, 1e-10);

    // along ground axes the coefficients rotate with the precession, which is reported
    let turning = try_linear(
        &TOP.replace("tilt = 0", &format!("tilt = {tilt}"))
            .replace("spin = 300", &format!("spin = {spin}"))
            .replace("precession = 0", &format!("precession = {precession}")),
        &[],
        OperatingPoint::Start,
        &LinearModelRequest::default(),
    )
    .unwrap();
    assert!(turning.model.change_rate > 0.1 * precession);
}

#[test]
fn a_rotor_on_springs_whirls_forward_and_backward() {
    let (spin, stiffness, along, across) = (250.0_f64, 40.0, 0.02, 0.012);
    let text = format!(
        "format = 1\nname = \"rotor\"\nspace = \"spatial\"\n[[body]]\nname = \"rotor\"\nmass = 3\ninertia = [{across}, {across}, {along}]\n\
         position = [0, 0, 0]\nomega = [0, 0, {spin}]\n\
         [[joint]]\nname = \"bearing\"\ntype = \"spherical\"\nbetween = [\"ground\", \"rotor\"]\n\
         [[force]]\nname = \"x\"\ntype = \"joint-spring-damper\"\njoint = \"bearing.alpha\"\nstiffness = {stiffness}\n\
         [[force]]\nname = \"y\"\ntype = \"joint-spring-damper\"\njoint = \"bearing.beta\"\nstiffness = {stiffness}\n"
    );
    let found = linear(&text);
    // across ω² ∓ along s ω − k = 0
    let root = ((along * spin).powi(2) + 4.0 * across * stiffness).sqrt();
    let expected = [
        oscillation((root + along * spin) / (2.0 * across)),
        oscillation((root - along * spin) / (2.0 * across)),
    ];
    assert_values(&found, &expected, 2, 1e-11);
    // forward whirl is the fast one: about x leads about y by a quarter turn as the spin goes
    let whirl = |k: usize| {
        let shape = &found.modes[k].shape;
        (shape[0] / shape[1]).im
    };
    assert!(whirl(3) * whirl(2) < 0.0 && (whirl(3).abs() - 1.0).abs() < 1e-9);
}

/// A disc of any inertia about its axis that rolls upright at a speed.
fn disc(speed: f64) -> String {
    format!(
        "format = 1\nname = \"disc\"\nspace = \"spatial\"\ngravity = [0, 0, -{G}]\n[parameters]\nr = 0.3\nv = {speed}\n\
         [[body]]\nname = \"disc\"\nmass = 3\ninertia = [\"3*r^2/4\", \"3*r^2/4\", \"3*r^2/2\"]\nposition = [0, 0, \"r\"]\n\
         rotation = {{ axis = [1, 0, 0], angle = \"-90 deg\" }}\nvelocity = [\"v\", 0, 0]\nomega = [0, \"v/r\", 0]\n\
         [[joint]]\nname = \"road\"\ntype = \"rolling-disc\"\nbetween = [\"ground\", \"disc\"]\nradius = \"r\"\n"
    )
}

#[test]
fn an_upright_disc_is_stable_above_a_third_of_g_over_r() {
    // thin disc: λ² = 4g/5r − 12 Ω²/5, with the heading carried along; stable when Ω² > g/3r
    let r: f64 = 0.3;
    let limit = (G * r / 3.0).sqrt();
    for factor in [0.3, 0.99, 1.01, 4.0] {
        let speed = factor * limit;
        let found = linear(&disc(speed));
        assert_eq!(
            (found.model.positions.len(), found.model.speeds.len()),
            (5, 3)
        );
        assert!(
            found.model.change_rate < 1e-6,
            "{}",
            found.model.change_rate
        );
        let square = 0.8 * G / r - 2.4 * (speed / r).powi(2);
        let expected = if square < 0.0 {
            vec![oscillation((-square).sqrt())]
        } else {
            vec![
                Complex::new(square.sqrt(), 0.0),
                Complex::new(-square.sqrt(), 0.0),
            ]
        };
        assert_values(&found, &expected, 6, 1e-9);
    }
}

#[test]
fn a_circling_disc_is_steady_in_rotating_coordinates() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/vehicles/rolling-disc/model.toml"
    );
    // heading, lean and spin of the disc as coordinates
    let frame = "[ground]\nframes = { upright = { at = [0, 0, 0], rotation = { x = [0, 0, 1], y = [1, 0, 0] } } }";
    let ride = "[[joint]]\nname = \"ride\"\ntype = \"free\"\nbetween = [\"ground.upright\", \"disc\"]\n[[joint]]";
    let text = std::fs::read_to_string(example).unwrap();
    let text = text.replace("[ground]", frame).replace("[[joint]]", ride);
    let request = LinearModelRequest {
        coordinates: names(&["ride.alpha", "ride.beta", "ride.gamma"]),
        ..LinearModelRequest::default()
    };
    let found = try_linear(&text, &[], OperatingPoint::Start, &request).unwrap();
    let speeds: Vec<&str> = found.model.speeds.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(
        speeds,
        ["ride.alpha_rate", "ride.beta_rate", "ride.gamma_rate"]
    );
    assert!(found.model.accelerations.iter().all(|a| a.abs() < 1e-12));

    // thin disc with lean θ, u₂ = φ̇ cos θ and u₃ the spin about its axis:
    // 5/4 u₁′ = ¼ u₂² tan θ − 3/2 u₂ u₃ − g/r sin θ, u₂′ = u₁ (2 u₃ − u₂ tan θ), 3/2 u₃′ = u₁ u₂, θ′ = −u₁
    let (lean, turn, r) = (15_f64.to_radians(), 1.2, 0.3);
    let (tangent, cosine) = (lean.tan(), lean.cos());
    let u2 = turn * cosine;
    let u3 = tangent * (turn * turn * r * cosine / 4.0 - G) / (1.5 * r * turn);
    let by_lean = 0.25 * (u2 / cosine).powi(2) - G / r * cosine;
    let by_u2 = 0.5 * u2 * tangent - 1.5 * u3;
    let square = 0.8 * (by_lean - by_u2 * (2.0 * u3 - u2 * tangent) + u2 * u2);
    // place and heading do not matter, and there is a steady motion for every turn and spin
    assert_values(&found, &[oscillation(square.sqrt())], 6, 1e-9);
}
