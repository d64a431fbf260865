//! Every law against a closed form or what is proved of it.

use super::*;

/// One link of 1 m with a mass of 2 kg that hangs along x.
fn one_link(mass: f64, q: f64) -> Model {
    chain(&[(1.0, mass)], &[q])
}

/// Runs a loop with an exact model.
fn exact(
    mut plant: Model,
    mut model: Model,
    closed: Loop,
    law: &str,
    given: &[(&'static str, FieldValue)],
    study: &Study,
) -> Series {
    closed.close(&mut plant, &mut model, law, given).unwrap();
    run(plant, study)
}

/// ë + K_D ė + K_P e = 0: with short periods an error dies out as the closed form says, on both joints of a robot that swings.
#[test]
fn computed_torque_gives_errors_the_specified_dynamics() {
    let off = [0.3, -0.2];
    let start = |masses| pendulum(masses, off);
    let (w, zeta) = (10.0_f64, 0.6_f64);
    let given = [
        ("kp", number(w * w)),
        ("kd", number(2.0 * zeta * w)),
        ("ki", number(0.0)),
    ];
    // how far errors are from the closed form
    let faults = |period: f64| {
        let series = exact(
            start([1.0, 2.0]),
            start([1.0, 2.0]),
            Loop::new(swing(), period),
            "computed-torque",
            &given,
            &tight(0.4, 0.05),
        );
        let damped = w * (1.0 - zeta * zeta).sqrt();
        let mut all = Vec::new();
        for (k, time) in series.times.iter().enumerate() {
            let wanted = swing().point(*time).q;
            let decay = (-zeta * w * time).exp();
            let shape = decay * ((damped * time).cos() + zeta * w / damped * (damped * time).sin());
            for (i, signal) in ["j1.angle", "j2.angle"].iter().enumerate() {
                all.push(wanted[i] - series.all(signal)[k] + off[i] * shape);
            }
        }
        all
    };
    // a force held over a sampling period causes an error of first order in the period: two periods extrapolate to zero
    let (coarse, fine) = (faults(1e-3), faults(5e-4));
    for (coarse, fine) in coarse.iter().zip(&fine) {
        close_to(2.0 * fine - coarse, 0.0, 2e-5);
        assert!(fine.abs() < 2e-3, "{fine}");
    }
}

/// A uniform pole of 1 m and 0.1 kg on a cart of 1 kg.
fn cart_pole(x: f64, angle: f64) -> Model {
    let mut model = Model::new("cart-pole", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let cart = model.add_body(Body::new(
        "cart",
        MassProperties::planar(1.0, [0.0, 0.0], 1.0).unwrap(),
    ));
    let pole = MassProperties::planar(0.1, [0.0, 0.5], 0.1 / 12.0).unwrap();
    let pole = model.add_body(Body::new("pole", pole));
    let (cart, pole) = (model.body_marker(cart), model.body_marker(pole));
    let rail = joint("prismatic", Space::Planar);
    let rail = model.add_joint("rail", rail, [MarkerIndex::GROUND, cart], &straight());
    let hinge = joint("revolute", Space::Planar);
    let hinge = model.add_joint("hinge", hinge, [cart, pole], &straight());
    for (joint, value) in [(rail, x), (hinge, angle)] {
        model.joints[joint.0].initial.push(InitialValue {
            coordinate: 0,
            value: Some(value),
            rate: Some(0.0),
            keep: true,
        });
    }
    model
}

/// The linear model by hand, and a gain that balances the pole.
#[test]
fn an_lqr_balances_an_undriven_pole() {
    let model = cart_pole(0.0, 0.0);
    let mut design = DesignModel::new(&model, 0.01).unwrap();
    design.driven = vec![true, false];
    let given = [
        ("position_weight", FieldValue::Numbers(vec![10.0, 100.0])),
        ("rate_weight", FieldValue::Numbers(vec![1.0, 1.0])),
        ("effort_weight", number(0.1)),
    ];
    let problem = Lqr::problem(&fields(Space::Planar, &given), &design).unwrap();
    // M = [[M + m, −m l], [−m l, m l² + I]] with x to the right and the pole turning to the left
    let (cart, m, l, i, g) = (1.0, 0.1, 0.5, 0.1 / 12.0, 9.81);
    let det = (cart + m) * (i + m * l * l) - (m * l) * (m * l);
    let a = [
        [0.0, (m * l) * (m * g * l) / det],
        [0.0, (cart + m) * (m * g * l) / det],
    ];
    let b = [(i + m * l * l) / det, m * l / det];
    for row in 0..2 {
        for column in 0..2 {
            close_to(problem.a[(2 + row, column)], a[row][column], 1e-12);
        }
        close_to(problem.b[(2 + row, 0)], b[row], 1e-12);
    }
    let mut plant = cart_pole(0.2, 0.3);
    let mut model = cart_pole(0.0, 0.0);
    let closed = Loop {
        passive: vec![JointIndex(1)],
        ..Loop::new(ReferenceMotion::rest(vec![0.0; 2]), 0.01)
    };
    closed.close(&mut plant, &mut model, "lqr", &given).unwrap();
    let series = run(plant, &tight(10.0, 0.5));
    close_to(series.last("rail.position"), 0.0, 1e-4);
    close_to(series.last("hinge.angle"), 0.0, 1e-4);
}

/// A pole that leans is no equilibrium for a hinge that nothing drives.
#[test]
fn an_lqr_without_an_equilibrium_is_rejected() {
    let given = [
        ("position_weight", number(1.0)),
        ("effort_weight", number(1.0)),
    ];
    let closed = Loop {
        passive: vec![JointIndex(1)],
        ..Loop::new(ReferenceMotion::rest(vec![0.0, 0.2]), 0.01)
    };
    let (mut plant, mut model) = (cart_pole(0.0, 0.0), cart_pole(0.0, 0.0));
    let error = closed
        .close(&mut plant, &mut model, "lqr", &given)
        .unwrap_err();
    assert!(error.message.contains("`hinge`"), "{error}");
    assert!(error.message.contains("equilibrium"), "{error}");
}

/// Driving the cart alone, computed torque gives it exactly the acceleration asked for.
#[test]
fn computed_torque_controls_the_driven_joints_of_an_underactuated_robot() {
    let model = cart_pole(0.0, 0.4);
    let mut design = DesignModel::new(&model, 1e-3).unwrap();
    design.driven = vec![true, false];
    let given = [
        ("kp", number(0.0)),
        ("kd", number(0.0)),
        ("ki", number(0.0)),
    ];
    let mut law = laws::build("computed-torque", &fields(Space::Planar, &given), &design)
        .unwrap()
        .unwrap();
    let mut wanted = ReferencePoint::new(2);
    wanted.a[0] = 3.0;
    let (q, v) = ([0.1, 0.4], [0.5, -1.2]);
    let tau = asked(law.as_mut(), &q, &v, &wanted);
    let robot = &design.robot;
    let mut rates = [0.0; 2];
    let push = [tau[0], 0.0];
    biela_core::tree::aba(
        &robot.tree,
        &mut robot.workspace().tree,
        &q,
        &v,
        &push,
        &[],
        &mut rates,
    );
    close_to(rates[0], 3.0, 1e-12);
}

/// A link that carries 30 % less than it is: the sliding error stays within the layer, and smaller layers give smaller errors.
#[test]
fn sliding_mode_keeps_errors_small_with_a_wrong_model() {
    let error = |layer: f64, gain: f64| {
        let given = [
            ("slope", number(20.0)),
            ("gain", number(gain)),
            ("layer", number(layer)),
        ];
        let series = exact(
            pendulum([1.3, 2.6], [0.0, 0.0]),
            pendulum([1.0, 2.0], [0.0, 0.0]),
            Loop::new(swing(), 5e-4),
            "sliding-mode",
            &given,
            &tight(1.28, 0.01),
        );
        let found = worst(&series);
        found[0].max(found[1])
    };
    // |s| ≤ φ leads to |e| ≤ φ/Λ
    let (wide, narrow) = (error(0.4, 60.0), error(0.1, 60.0));
    assert!(wide < 0.4 / 20.0 && narrow < 0.1 / 20.0, "{wide} {narrow}");
    assert!(
        error(0.1, 0.0) > 0.1 / 20.0,
        "without the push the layer is left"
    );
}

/// The end of a link is 50 % heavier than known: it is learnt, and errors fall to a small part.
#[test]
fn adaptive_control_estimates_a_payload() {
    let given = |gain: f64| {
        [
            ("slope", number(10.0)),
            ("kd", number(2.0)),
            ("bodies", FieldValue::Words(vec!["link2".to_owned()])),
            ("mass_gain", FieldValue::Number(gain)),
        ]
    };
    let motion = || cosine(&[1.0, -1.4], 1.0);
    let run_with = |gain: f64| {
        let plant = pendulum([1.0, 3.0], [0.0, 0.0]);
        let model = pendulum([1.0, 2.0], [0.0, 0.0]);
        let closed = Loop::new(motion(), 1e-3);
        exact(
            plant,
            model,
            closed,
            "adaptive",
            &given(gain),
            &tight(6.0, 0.01),
        )
    };
    let late = |series: &Series| {
        let angle = series.all("j1.angle");
        let late = series.times.iter().enumerate().filter(|(_, t)| **t > 5.0);
        late.map(|(k, t)| (motion().point(*t).q[0] - angle[k]).abs())
            .fold(0.0, f64::max)
    };
    let (learning, stubborn) = (run_with(50.0), run_with(1e-9));
    close_to(learning.at("law.link2_mass", 0.0), 2.0, 1e-12);
    close_to(learning.last("law.link2_mass"), 3.0, 0.01);
    let (good, bad) = (late(&learning), late(&stubborn));
    assert!(good < 0.05 * bad, "{good} {bad}");
}

/// Y π is linear: estimates that are right give the efforts of the right model, whatever is learnt.
#[test]
fn estimates_enter_the_forces_as_masses_do() {
    let (right, wrong) = (
        pendulum([1.0, 3.0], [0.0, 0.0]),
        pendulum([1.0, 2.0], [0.0, 0.0]),
    );
    let given = [
        ("slope", number(10.0)),
        ("kd", number(2.0)),
        ("bodies", FieldValue::Words(vec!["link2".to_owned()])),
        ("mass_gain", FieldValue::Number(1.0)),
        ("moment_gain", FieldValue::Number(1.0)),
        ("inertia_gain", FieldValue::Number(1.0)),
    ];
    let (mut knows, mut learns) = (
        law_of(&right, "adaptive", &given),
        law_of(&wrong, "adaptive", &given),
    );
    let point = table_point();
    let (q, v) = ([0.2, -0.5], [1.0, 0.7]);
    let sample = ControlSample {
        q: &q,
        v: &v,
        now: &point,
        next: &point,
    };
    let (mut wanted, mut found) = (vec![0.0; 2], vec![0.0; 2]);
    let truth = knows.start();
    assert_eq!(truth.len(), 4, "mass, two first moments, one inertia");
    close_to(truth[1], 0.6, 1e-12);
    close_to(truth[3], 0.12, 1e-9);
    knows.efforts(&sample, &truth, &mut wanted);
    learns.efforts(&sample, &truth, &mut found);
    for i in 0..2 {
        close_to(found[i], wanted[i], 1e-12);
    }
}

/// A constant force at the tool of a robot under impedance control moves it by K⁻¹F, with a null space left over too.
#[test]
fn a_force_moves_the_tool_by_the_specified_compliance() {
    let links = [(0.5, 1.0), (0.4, 1.0), (0.3, 0.5)];
    let pose = [0.4, 0.6, -0.3];
    let mut plant = chain(&links, &pose);
    let mut model = chain(&links, &pose);
    let given = [
        ("tool", word("link3.tip")),
        (
            "stiffness",
            FieldValue::Vector(Vec3::new(800.0, 500.0, 0.0)),
        ),
        ("damping", FieldValue::Vector(Vec3::new(80.0, 60.0, 0.0))),
        ("null_damping", number(1.0)),
    ];
    Loop::new(ReferenceMotion::rest(pose.to_vec()), 1e-3)
        .close(&mut plant, &mut model, "impedance", &given)
        .unwrap();
    let tip = plant.markers.iter().rposition(|m| m.name == "tip").unwrap();
    let push = [Law::Constant(6.0), Law::Constant(-4.0)];
    let push = force(
        "force",
        Space::Planar,
        &[
            ("at", FieldValue::Marker(MarkerIndex(tip))),
            ("value", FieldValue::Laws(push.to_vec())),
        ],
    );
    let _ = plant.add_force("push", push);
    let series = run(plant, &tight(6.0, 1.0));
    let moved = |axis: &str| {
        series.last(&format!("link3.tip.{axis}")) - series.at(&format!("link3.tip.{axis}"), 0.0)
    };
    close_to(moved("x"), 6.0 / 800.0, 1e-7);
    close_to(moved("y"), -4.0 / 500.0, 1e-7);
    for joint in ["j1", "j2", "j3"] {
        close_to(series.last(&format!("{joint}.rate")), 0.0, 1e-6);
    }
}

/// Springs hold a link up with gravity carried: at rest on the reference; without, it hangs by K⁻¹ times its weight.
#[test]
fn a_pd_controlled_pose_sags_only_without_gravity_compensation() {
    let start = FRAC_PI_2;
    for (word_of, sag) in [("actual", 0.0), ("reference", 0.0), ("none", 1.0)] {
        let given = [
            ("kp", number(100.0)),
            ("kd", number(20.0)),
            ("gravity", word(word_of)),
        ];
        let series = exact(
            one_link(2.0, start),
            one_link(2.0, start),
            Loop::new(ReferenceMotion::rest(vec![start]), 1e-3),
            "pd",
            &given,
            &tight(5.0, 1.0),
        );
        let found = start - series.last("j1.angle");
        // 100 e = 19.6 sin(q)
        close_to(100.0 * found, sag * 19.6 * (start - found).sin(), 1e-9);
    }
}

/// The integral takes over the whole weight; its discrete equation is the one of the table of the law.
#[test]
fn an_integral_removes_the_steady_error_and_does_not_wind_up() {
    let start = FRAC_PI_2;
    let given = [
        ("kp", number(100.0)),
        ("kd", number(20.0)),
        ("ki", number(100.0)),
        ("gravity", word("none")),
    ];
    let series = exact(
        one_link(2.0, start),
        one_link(2.0, start),
        Loop::new(ReferenceMotion::rest(vec![start]), 1e-3),
        "pid",
        &given,
        &tight(12.0, 1.0),
    );
    close_to(series.last("j1.angle"), start, 1e-4);
    close_to(series.last("law.j1"), 19.6, 1e-3);

    // a step of half a turn with weak motors: the integral rests while they are at their limit
    let overshoot = |law: &str| {
        let mut closed = Loop::new(ReferenceMotion::rest(vec![2.0]), 1e-3);
        closed.change = |wiring| wiring.saturation = vec![30.0];
        let given: Vec<(&'static str, FieldValue)> = if law == "pid" {
            given.to_vec()
        } else {
            given[..2].to_vec()
        };
        let series = exact(
            one_link(2.0, 0.0),
            one_link(2.0, 0.0),
            closed,
            law,
            &given,
            &tight(4.0, 0.01),
        );
        assert!(series.all("law.j1").iter().all(|u| u.abs() <= 30.0));
        series.all("j1.angle").into_iter().fold(0.0, f64::max) - 2.0
    };
    assert!(overshoot("pid") < 0.35, "{}", overshoot("pid"));
}

/// What is measured: noise of the right size that a seed repeats, steps, rates by differences, delay.
#[test]
fn measurements_have_the_given_noise_quantization_and_delay() {
    let given = [
        ("kp", number(1.0)),
        ("kd", number(0.0)),
        ("gravity", word("none")),
    ];
    // a link that nothing moves but its controller, which only looks on: efforts of 1 N*m per rad of error are what it measures
    let looking = |change: fn(&mut Wiring)| {
        let mut closed = Loop::new(ReferenceMotion::rest(vec![0.0]), 1e-3);
        closed.change = change;
        let heavy = || {
            let mut model = chain_with(&[(1.0, 2.0)], &[0.25], 1e12);
            model.gravity = Vec3::zeros();
            model
        };
        exact(heavy(), heavy(), closed, "pd", &given, &tight(2.0, 1e-3))
    };
    let noisy = |change| -> Vec<f64> {
        let series = looking(change);
        series.all("law.j1").iter().map(|u| -u - 0.25).collect()
    };
    let once = noisy(|w| {
        w.measuring.position_noise = vec![0.01];
        w.measuring.seed = 5;
    });
    let again = noisy(|w| {
        w.measuring.position_noise = vec![0.01];
        w.measuring.seed = 5;
    });
    let other = noisy(|w| {
        w.measuring.position_noise = vec![0.01];
        w.measuring.seed = 6;
    });
    assert_eq!(once, again);
    assert_ne!(once, other);
    let n = once.len() as f64;
    let mean = once.iter().sum::<f64>() / n;
    let spread = (once.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
    let neighbours = once.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n / 1e-4;
    assert!(mean.abs() < 4.0 * 0.01 / n.sqrt(), "{mean}");
    assert!(
        (spread / 0.01 - 1.0).abs() < 4.0 / (2.0 * n).sqrt(),
        "{spread}"
    );
    assert!(neighbours.abs() < 4.0 / n.sqrt(), "{neighbours}");

    let rounded = noisy(|w| w.measuring.position_quantum = vec![0.04]);
    assert!(rounded.iter().all(|x| (x - (0.24 - 0.25)).abs() < 1e-12));
    let stepped = looking(|w| w.effort_quantum = vec![0.08]);
    close_to(stepped.last("law.j1"), -0.24, 1e-12);
    let late = looking(|w| w.delay = 2.5e-3);
    close_to(late.at("law.j1", 2e-3), 0.0, 0.0);
    close_to(late.at("law.j1", 3e-3), -0.25, 1e-9);
}

/// Rates by differences of positions are those of the period before, and zero at the first sample.
#[test]
fn velocities_from_differences_lag_by_half_a_period() {
    let given = [
        ("kp", number(0.0)),
        ("kd", number(1.0)),
        ("gravity", word("none")),
    ];
    let mut closed = Loop::new(ReferenceMotion::rest(vec![0.0]), 0.01);
    closed.change = |wiring| wiring.measuring.difference = true;
    let spinning = || {
        let mut model = chain_with(&[(1.0, 2.0)], &[0.0], 1e12);
        model.gravity = Vec3::zeros();
        model.joints[0].initial[0].rate = Some(3.0);
        model
    };
    let series = exact(
        spinning(),
        spinning(),
        closed,
        "pd",
        &given,
        &tight(0.1, 0.01),
    );
    close_to(series.at("law.j1", 0.0), 0.0, 0.0);
    for k in 1..10 {
        close_to(series.at("law.j1", 0.01 * f64::from(k)), -3.0, 1e-8);
    }
}
