//! The slider-crank with friction of Vaz, Rade and Albuquerque: every number of its published and recomputed data.
use crate::common::{Series, run, slider_crank, study};
use biela_core::model::Space;

const L1: f64 = 0.0508;
const L2: f64 = 0.2032;
const E1: f64 = 0.0101;
const E2: f64 = 0.0407;

fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let scale = expected.abs().max(1e-3);
    assert!(
        (found - expected).abs() <= tolerance * scale,
        "{what}: {found:.10} instead of {expected:.10}"
    );
}

#[test]
fn accelerations_and_reactions_at_the_start() {
    let planar = Space::Planar;
    let series = run(
        slider_crank(0.1, true),
        &study(planar, 1e-6, 1e-6, "augmented", "rk4", 1e-6),
    );
    let at = |name: &str| series.at(name, 0.0);
    // q'' = (0, 10.524371, 1042.016911, 0, 42.331937, -260.504228, 0, 0)
    close("crank ax", at("crank.ax"), 0.0, 1e-6);
    close("crank ay", at("crank.ay"), 10.524_371, 1e-6);
    close("crank alpha", at("crank.alpha"), 1_042.016_911, 1e-6);
    close("rod ax", at("rod.ax"), 0.0, 1e-6);
    close("rod ay", at("rod.ay"), 42.331_937, 1e-6);
    close("rod alpha", at("rod.alpha"), -260.504_228, 1e-6);
    close("slider ax", at("slider.ax"), 0.0, 1e-6);
    close("slider ay", at("slider.ay"), 0.0, 1e-6);
    // λ = (0, -18.615239, 0, -18.257411, 0, -12.500267, 12.500267); a reaction on the second body is −λ
    close("O x", at("pin_O.reaction.fx"), 0.0, 1e-6);
    close("O y", at("pin_O.reaction.fy"), 18.615_239, 1e-6);
    close("A x", at("pin_A.reaction.fx"), 0.0, 1e-6);
    close("A y", at("pin_A.reaction.fy"), 18.257_411, 1e-6);
    close("B x", at("pin_B.reaction.fx"), 0.0, 1e-6);
    close("B y", at("pin_B.reaction.fy"), 12.500_267, 1e-6);
    close("guide", at("guide.reaction.fy"), -12.500_267, 1e-6);
}

/// Reference A, friction with the magnitude of the guide force: t, θ1, ω1, θ2, x3, v3, a3, λ7.
const REFERENCE_A: [[f64; 8]; 8] = [
    [
        0.05,
        1.260_669_5,
        48.750_26,
        -0.240_382_1,
        0.212_860_52,
        -2.543_629,
        -60.5272,
        -10.8474,
    ],
    [
        0.10,
        4.997_259_1,
        96.584_84,
        0.242_288_1,
        0.211_541_31,
        5.049_552,
        16.4913,
        123.4704,
    ],
    [
        0.15,
        11.175_555_6,
        143.837_14,
        0.248_511_8,
        0.206_051_37,
        7.520_818,
        96.9908,
        291.1314,
    ],
    [
        0.20,
        19.744_353_5,
        191.901_13,
        -0.196_278_5,
        0.231_082_76,
        -8.817_501,
        -1039.5817,
        -158.7680,
    ],
    [
        0.25,
        30.627_043_4,
        237.566_47,
        0.178_335_5,
        0.235_772_94,
        10.096_140,
        -1856.7476,
        206.1090,
    ],
    [
        0.30,
        43.770_071_9,
        290.178_46,
        0.052_683_3,
        0.252_578_35,
        3.864_883,
        -5109.1202,
        -5.9289,
    ],
    [
        0.40,
        76.400_862_0,
        359.084_09,
        -0.212_314_9,
        0.225_971_77,
        -17.491_458,
        -2663.9389,
        -809.2957,
    ],
    [
        0.50,
        116.738_520_4,
        447.047_32,
        0.120_055_1,
        0.157_146_25,
        8.474_844,
        7434.1926,
        2007.4167,
    ],
];

#[test]
fn reference_a_with_a_fine_step_and_projection() {
    let planar = Space::Planar;
    let series = run(
        slider_crank(0.1, false),
        &study(planar, 0.5, 0.05, "projection", "rk4", 5e-6),
    );
    for row in REFERENCE_A {
        let [t, th1, w1, th2, x3, v3, a3, l7] = row;
        let at = |name: &str| series.at(name, t);
        assert!(
            (at("crank.angle") - th1).abs() < 1e-6,
            "θ1({t}) = {}",
            at("crank.angle")
        );
        assert!(
            (at("pin_O.angle") - th1).abs() < 1e-6,
            "the joint counts turns"
        );
        close("ω1", at("crank.omega"), w1, 1e-6);
        close("θ2", at("rod.angle"), th2, 2e-6);
        close("x3", at("slider.x"), x3, 1e-6);
        close("v3", at("slider.vx"), v3, 2e-6);
        close("a3", at("slider.ax"), a3, 2e-5);
        close("λ7", -at("guide.reaction.fy"), l7, 2e-5);
    }
    close(
        "work of the torque",
        series.last("drive.work"),
        2_334.770_41,
        1e-6,
    );
    close(
        "work of friction",
        series.last("rubbing.work"),
        -396.585_82,
        1e-6,
    );
    close(
        "kinetic energy",
        series.last("energy.kinetic"),
        1_938.184_59,
        1e-6,
    );
    assert!(series.last("energy.balance").abs() < 1e-4);
    // full multiplier vector at 0.5 s
    for (signal, lambda) in [
        ("pin_O.reaction.fx", -8165.7855),
        ("pin_O.reaction.fy", -2587.1206),
        ("pin_A.reaction.fx", -8106.1145),
        ("pin_A.reaction.fy", -2553.1982),
        ("pin_B.reaction.fx", -6943.5543),
        ("pin_B.reaction.fy", -2007.4167),
        ("guide.reaction.fy", 2007.4167),
    ] {
        // joint axes of A and B turn with crank and rod; turn the reaction back to the ground
        let angle = match &signal[..5] {
            "pin_A" => series.last("crank.angle"),
            "pin_B" => series.last("rod.angle"),
            _ => 0.0,
        };
        let joint = signal.split('.').next().unwrap();
        let (fx, fy) = (
            series.last(&format!("{joint}.reaction.fx")),
            series.last(&format!("{joint}.reaction.fy")),
        );
        let ground = if signal.ends_with("fx") {
            fx * angle.cos() - fy * angle.sin()
        } else {
            fx * angle.sin() + fy * angle.cos()
        };
        close(signal, -ground, lambda, 2e-5);
    }
}

#[test]
fn frictionless_speed_follows_the_closed_form() {
    let planar = Space::Planar;
    let study = study(planar, 0.5, 0.005, "projection", "dopri5", 1e-12);
    let series = run(slider_crank(0.0, false), &study);
    for (i, &t) in series.times.iter().enumerate().skip(1) {
        let th1 = series.all("crank.angle")[i];
        let w1 = (2.0 * 20.0 * th1 / effective_inertia(th1)).sqrt();
        let found = series.all("crank.omega")[i];
        assert!(
            (found / w1 - 1.0).abs() < 1e-8,
            "ω1({t}) = {found}, closed form {w1}"
        );
        let kinetic = series.all("energy.kinetic")[i];
        assert!((kinetic / (20.0 * th1) - 1.0).abs() < 1e-8);
    }
    // Reference B
    for (t, th1, w1, x3, v3, a3) in [
        (
            0.05,
            1.261_569_9,
            48.802_59,
            0.212_813_54,
            -2.546_575,
            -60.5711,
        ),
        (
            0.10,
            5.011_638_3,
            97.267_81,
            0.212_292_69,
            5.079_970,
            9.7903,
        ),
        (
            0.25,
            31.160_528_7,
            253.509_25,
            0.251_946_52,
            4.041_994,
            -3818.8988,
        ),
        (
            0.50,
            124.482_730_0,
            485.067_25,
            0.216_997_53,
            25.018_518,
            -2182.9999,
        ),
    ] {
        assert!((series.at("crank.angle", t) - th1).abs() < 1e-6);
        close("ω1", series.at("crank.omega", t), w1, 1e-6);
        close("x3", series.at("slider.x", t), x3, 1e-6);
        close("v3", series.at("slider.vx", t), v3, 2e-6);
        close("a3", series.at("slider.ax", t), a3, 2e-5);
    }
}

/// J_eff of the mechanism seen from the crank.
fn effective_inertia(th1: f64) -> f64 {
    let th2 = -(L1 * th1.sin() / L2).asin();
    let rho = -L1 * th1.cos() / (L2 * th2.cos());
    let slider = L1 * th1.sin() + L2 * th2.sin() * rho;
    let (rx, ry) = (
        L1 * th1.sin() + E2 * th2.sin() * rho,
        L1 * th1.cos() + E2 * th2.cos() * rho,
    );
    0.01830
        + 0.0340 * E1 * E1
        + 0.1360 * (rx * rx + ry * ry)
        + 0.01065 * rho * rho
        + 0.907 * slider * slider
}

#[test]
fn the_published_step_without_stabilisation_drifts_as_published() {
    let planar = Space::Planar;
    let seed = study(planar, 0.5, 2.5e-4, "augmented", "rk4", 2.5e-4);
    let series = run(slider_crank(0.1, false), &seed);
    let worst = closure_norm(&series);
    assert!(
        (worst / 1.97e-5 - 1.0).abs() < 0.1,
        "drift {worst:.3e} m instead of 1.97e-5 m"
    );
    // the published run steps across the reversals of friction; here steps end at them
    let angle = series.last("crank.angle");
    assert!((angle - 116.738_513_5).abs() < 2e-6, "{angle}");
    assert!((angle - 116.738_520_4).abs() < 1e-4, "{angle}");
    close("x3", series.last("slider.x"), 0.157_122_05, 5e-6);
    let balance = series
        .all("energy.balance")
        .iter()
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(
        (balance / 6.4e-3 - 1.0).abs() < 0.1,
        "energy balance error {balance:.3e} J"
    );

    // with projection the same step stays on the constraints
    let projected = study(planar, 0.5, 2.5e-4, "projection", "rk4", 2.5e-4);
    let series = run(slider_crank(0.1, false), &projected);
    assert!(
        closure_norm(&series) < 1e-12,
        "{:.3e}",
        closure_norm(&series)
    );
}

/// Largest Euclidean norm of the closure equations of the two pins on moving bodies, the ground pin and the guide.
fn closure_norm(series: &Series) -> f64 {
    let all = |name: &str| series.all(name);
    let (x1, y1, th1) = (all("crank.x"), all("crank.y"), all("crank.angle"));
    let (x2, y2, th2) = (all("rod.x"), all("rod.y"), all("rod.angle"));
    let (x3, y3) = (all("slider.x"), all("slider.y"));
    (0..x1.len())
        .map(|i| {
            let c = [
                x1[i],
                y1[i],
                x2[i] - x1[i] - L1 * th1[i].cos(),
                y2[i] - y1[i] - L1 * th1[i].sin(),
                x3[i] - x2[i] - L2 * th2[i].cos(),
                y3[i] - y2[i] - L2 * th2[i].sin(),
                y3[i],
            ];
            c.iter().map(|x| x * x).sum::<f64>().sqrt()
        })
        .fold(0.0, f64::max)
}

#[test]
fn friction_never_delivers_power() {
    let planar = Space::Planar;
    let series = run(
        slider_crank(0.1, false),
        &study(planar, 0.5, 1e-4, "projection", "rk4", 1e-4),
    );
    assert!(series.all("rubbing.power").iter().all(|p| *p <= 0.0));
    assert!(series.last("rubbing.work") < -396.0);
}

#[test]
fn each_body_is_in_balance_under_its_reactions() {
    // Newton and Euler for every body at every output, from the reactions alone
    let planar = Space::Planar;
    let series = run(
        slider_crank(0.1, true),
        &study(planar, 0.5, 0.005, "projection", "dopri5", 1e-10),
    );
    let all = |name: &str| series.all(name);
    let turned = |joint: &str, angle: &[f64]| -> Vec<[f64; 2]> {
        let (fx, fy) = (
            all(&format!("{joint}.reaction.fx")),
            all(&format!("{joint}.reaction.fy")),
        );
        (0..fx.len())
            .map(|i| {
                let (s, c) = angle[i].sin_cos();
                [fx[i] * c - fy[i] * s, fx[i] * s + fy[i] * c]
            })
            .collect()
    };
    let (th1, th2) = (all("crank.angle"), all("rod.angle"));
    let zero = vec![0.0; th1.len()];
    let o = turned("pin_O", &zero);
    let a = turned("pin_A", &th1);
    let b = turned("pin_B", &th2);
    let guide = all("guide.reaction.fy");
    let rub = all("rubbing.effort");
    let get = |name: &str, i: usize| series.rows[i][series.index(name)];
    for i in 0..th1.len() {
        let scale = 1.0 + o[i][0].abs() + o[i][1].abs() + a[i][0].abs();
        let zero = |x: f64, what: &str| assert!(x.abs() < 1e-9 * scale, "{what} at {i}: {x:.3e}");
        zero(0.0340 * get("crank.ax", i) - o[i][0] + a[i][0], "crank x");
        zero(0.0340 * get("crank.ay", i) - o[i][1] + a[i][1], "crank y");
        let (s1, c1) = th1[i].sin_cos();
        let moment =
            20.0 - E1 * (c1 * o[i][1] - s1 * o[i][0]) - (L1 - E1) * (c1 * a[i][1] - s1 * a[i][0]);
        zero(0.01830 * get("crank.alpha", i) - moment, "crank moment");
        zero(0.1360 * get("rod.ax", i) - a[i][0] + b[i][0], "rod x");
        zero(0.1360 * get("rod.ay", i) - a[i][1] + b[i][1], "rod y");
        let (s2, c2) = th2[i].sin_cos();
        let moment =
            -E2 * (c2 * a[i][1] - s2 * a[i][0]) - (L2 - E2) * (c2 * b[i][1] - s2 * b[i][0]);
        zero(0.01065 * get("rod.alpha", i) - moment, "rod moment");
        zero(0.907 * get("slider.ax", i) - b[i][0] - rub[i], "slider x");
        zero(0.907 * get("slider.ay", i) - b[i][1] - guide[i], "slider y");
    }
}

#[test]
fn frames_off_the_mass_centre_give_the_same_motion() {
    let planar = Space::Planar;
    let s = study(planar, 0.2, 0.01, "projection", "rk4", 1e-4);
    let (a, b) = (
        run(slider_crank(0.1, false), &s),
        run(slider_crank(0.1, true), &s),
    );
    for name in [
        "crank.angle",
        "slider.x",
        "slider.ax",
        "pin_O.reaction.fx",
        "pin_A.force",
    ] {
        for (x, y) in a.all(name).iter().zip(b.all(name)) {
            assert!(
                (x - y).abs() < 1e-9 * (1.0 + x.abs()),
                "{name}: {x} and {y}"
            );
        }
    }
}
