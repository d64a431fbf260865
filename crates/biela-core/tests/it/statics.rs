//! Equilibria against closed forms, scalar equations solved by bisection, and energies minimised by hand.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Equilibrium, Formulation, Observer, Stability, Statics, StaticsError, assemble,
};
use biela_core::element::{Arguments, FieldValue};
use biela_core::joints::Joint;
use biela_core::math::rotation::{aligning, product};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, BodyIndex, InitialValue, MarkerIndex, MassProperties, Model, Space};
use biela_core::system::{Instant, channels};

use crate::common::{at, force, joint, straight};

pub(crate) const G: f64 = 9.81;

/// Equilibria, each with the values of all signals.
pub(crate) struct Balanced {
    pub(crate) list: Vec<Equilibrium>,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Balanced {
    /// The value of a signal at equilibrium `k`.
    pub(crate) fn value(&self, k: usize, name: &str) -> f64 {
        let at = self.names.iter().position(|n| n == name);
        self.rows[k][at.unwrap_or_else(|| panic!("no signal {name} among {:?}", self.names))]
    }

    pub(crate) fn stability(&self) -> Vec<Stability> {
        self.list.iter().map(|found| found.stability).collect()
    }
}

struct Rows {
    channels: Vec<biela_core::system::Channel>,
    rows: Vec<Vec<f64>>,
}

impl Observer for Rows {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let values = self.channels.iter().map(|c| instant.signal(c.signal));
        self.rows.push(values.collect());
        ControlFlow::Continue(())
    }
}

pub(crate) fn search(model: Model, start_points: usize) -> Result<Balanced, StaticsError> {
    search_in(Formulation::Absolute, model, start_points)
}

pub(crate) fn search_in(
    formulation: Formulation,
    model: Model,
    start_points: usize,
) -> Result<Balanced, StaticsError> {
    let assembled = assemble(model, formulation).unwrap_or_else(|e| panic!("{e}"));
    let mut statics = Statics::new(&assembled);
    let list = statics.search(start_points)?;
    let mut rows = Rows {
        channels: channels(assembled.system.model()),
        rows: Vec::new(),
    };
    for found in &list {
        assert!(found.residual < 1e-10, "residual {:e}", found.residual);
        let _ = statics.show(found, &mut rows)?;
    }
    Ok(Balanced {
        list,
        names: rows.channels.into_iter().map(|c| c.name).collect(),
        rows: rows.rows,
    })
}

pub(crate) fn balanced(model: Model, start_points: usize) -> Balanced {
    search(model, start_points).unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) fn close(found: f64, expected: f64, tolerance: f64) {
    let slack = tolerance * expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= slack,
        "{found} is not {expected}"
    );
}

/// The zero of a function between two signs.
fn bisect(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    assert!(f(a) * f(b) < 0.0, "no change of sign");
    for _ in 0..200 {
        let c = 0.5 * (a + b);
        if f(a) * f(c) <= 0.0 {
            b = c;
        } else {
            a = c;
        }
    }
    0.5 * (a + b)
}

pub(crate) fn starting(value: f64) -> Vec<InitialValue> {
    vec![InitialValue {
        coordinate: 0,
        value: Some(value),
        rate: None,
        keep: false,
    }]
}

/// A world with gravity along −y in the plane, −z in space.
pub(crate) fn world(space: Space) -> Model {
    let mut model = Model::new("rest", space);
    model.gravity = match space {
        Space::Planar => Vec3::new(0.0, -G, 0.0),
        Space::Spatial => Vec3::new(0.0, 0.0, -G),
    };
    model
}

pub(crate) fn planar_body(name: &str, mass: f64, center: [f64; 2], inertia: f64) -> Body {
    Body::new(name, MassProperties::planar(mass, center, inertia).unwrap())
}

pub(crate) fn spring(
    model: &mut Model,
    name: &str,
    ends: [MarkerIndex; 2],
    stiffness: f64,
    length: f64,
) {
    let fields = [
        ("between", FieldValue::Markers(ends)),
        ("stiffness", FieldValue::Number(stiffness)),
        ("length", FieldValue::Number(length)),
    ];
    let spring = force("spring-damper", model.space, &fields);
    let _ = model.add_force(name, spring);
}

pub(crate) const PENDULUM: [f64; 3] = [1.4, 0.6, 0.1];

/// A bar on a hinge at the origin, its mass centre at distance l along x; inertia about it.
pub(crate) fn pendulum(space: Space, angle: f64) -> Model {
    let [m, l, inertia] = PENDULUM;
    let mut model = world(space);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = match space {
        Space::Planar => MassProperties::planar(m, [l, 0.0], inertia).unwrap(),
        Space::Spatial => {
            let moments = Vec3::new(0.03, 0.09, inertia);
            MassProperties::new(m, Vec3::new(l, 0.0, 0.0), Mat3::from_diagonal(&moments)).unwrap()
        }
    };
    let bar = model.add_body(Body::new("bar", mass));
    let pair = [MarkerIndex::GROUND, model.body_marker(bar)];
    let _ = model.add_joint("pin", joint("revolute", space), pair, &straight());
    model.joints[0].initial = starting(angle);
    model
}

#[test]
fn a_pendulum_hangs_stable_and_stands_unstable() {
    let [m, l, inertia] = PENDULUM;
    let squared = m * G * l / (inertia + m * l * l);
    for space in [Space::Planar, Space::Spatial] {
        let found = balanced(pendulum(space, 0.7), 8);
        let expected = [Stability::Stable, Stability::Unstable];
        assert_eq!(found.stability(), expected, "{space:?}");
        for (k, side) in [(0, -1.0), (1, 1.0)] {
            close(found.value(k, "pin.angle").sin(), side, 1e-14);
            close(found.list[k].potential, side * m * G * l, 1e-12);
            close(found.list[k].smallest.unwrap(), -side * squared, 1e-8);
            close(found.value(k, "pin.force"), m * G, 1e-12);
        }
        let mover = found.list[1].mover.as_deref();
        assert_eq!(mover, Some("pin.angle"));
        assert_eq!(found.list[0].start, 0);
    }
}

#[test]
fn an_upright_start_is_an_unstable_equilibrium_and_stays() {
    let found = balanced(pendulum(Space::Planar, std::f64::consts::FRAC_PI_2), 1);
    assert_eq!(found.stability(), [Stability::Unstable]);
    // a hair beside it, it falls
    let found = balanced(
        pendulum(Space::Planar, std::f64::consts::FRAC_PI_2 + 1e-6),
        1,
    );
    assert_eq!(found.stability(), [Stability::Stable]);
}

/// A puck on a guide along x.
pub(crate) fn puck(start: f64) -> (Model, [MarkerIndex; 3]) {
    let mut model = world(Space::Planar);
    let puck = model.add_body(planar_body("puck", 2.0, [0.0, 0.0], 0.1));
    let pair = [MarkerIndex::GROUND, model.body_marker(puck)];
    let guide = joint("prismatic", Space::Planar);
    let _ = model.add_joint("guide", guide, pair, &straight());
    model.joints[0].initial = starting(start);
    let left = model.add_marker("left", BodyIndex::GROUND, at(0.0, 0.0, 0.0));
    let right = model.add_marker("right", BodyIndex::GROUND, at(2.0, 0.0, 0.0));
    (model, [left, pair[1], right])
}

#[test]
fn a_mass_between_two_springs_rests_where_their_forces_are_equal() {
    let (mut model, [left, puck, right]) = puck(0.4);
    spring(&mut model, "a", [left, puck], 300.0, 0.5);
    spring(&mut model, "b", [puck, right], 200.0, 0.3);
    let found = balanced(model, 1);
    // 300 (x − 0.5) = 200 (2 − x − 0.3)
    close(found.value(0, "guide.position"), 0.98, 1e-12);
    close(found.list[0].smallest.unwrap(), 500.0 / 2.0, 1e-8);
    close(found.value(0, "guide.force"), 2.0 * G, 1e-12);
}

#[test]
fn springs_at_their_rest_length_leave_no_reference_force() {
    for start in [0.4, 0.7 + 1e-15, 0.7] {
        let (mut model, [left, puck, right]) = puck(start);
        model.gravity = Vec3::zeros();
        spring(&mut model, "a", [left, puck], 300.0, 0.7);
        spring(&mut model, "b", [puck, right], 200.0, 1.3);
        let assembled = assemble(model, Formulation::Absolute).unwrap();
        let found = Statics::new(&assembled).settle().unwrap();
        close(found.state.q[0], 0.7, 1e-14);
        assert_eq!(found.stability, Stability::Stable, "from {start}");
    }
}

#[test]
fn a_snap_through_truss_has_three_equilibria() {
    // two bars of stiffness k and free length l from (±b, 0) to a mass that a guide keeps on the y axis
    let (b, l, k, m) = (1.0, 1.2, 500.0, 3.0);
    let mut model = world(Space::Planar);
    let mass = model.add_body(planar_body("mass", m, [0.0, 0.0], 0.1));
    let pair = [MarkerIndex::GROUND, model.body_marker(mass)];
    let upright = aligning(0, &Vec3::new(0.0, 1.0, 0.0));
    let _ = model.add_joint("guide", joint("prismatic", Space::Planar), pair, &upright);
    model.joints[0].initial = starting(0.9);
    for (name, x) in [("left", -b), ("right", b)] {
        let foot = model.add_marker(name, BodyIndex::GROUND, at(x, 0.0, 0.0));
        spring(&mut model, &format!("bar_{name}"), [foot, pair[1]], k, l);
    }
    let pull = |y: f64| 2.0 * k * (l / y.hypot(b) - 1.0) * y - m * G;
    let stiffness = |y: f64| 2.0 * k * (1.0 - l * b * b / y.hypot(b).powi(3)) / m;
    let free = (l * l - b * b).sqrt();
    let expected = [
        bisect(pull, 0.4, free),
        bisect(pull, -1.5, -0.4),
        bisect(pull, 0.0, 0.4),
    ];
    let found = balanced(model, 12);
    let mut stability = found.stability();
    let mut heights: Vec<f64> = (0..3).map(|k| found.value(k, "mass.y")).collect();
    close(heights[0], expected[0], 1e-12);
    if heights[1] > heights[2] {
        heights.swap(1, 2);
        stability.swap(1, 2);
    }
    assert_eq!(
        stability,
        [Stability::Stable, Stability::Stable, Stability::Unstable]
    );
    for (y, wanted) in heights.iter().zip(expected) {
        close(*y, wanted, 1e-11);
        let of = |found: &&Equilibrium| (found.state.q[1] - y).abs() < 1e-9;
        let found = found.list.iter().find(of).unwrap();
        close(found.smallest.unwrap(), stiffness(wanted), 1e-7);
    }
}

/// A chain of bars from the origin to (span, 0).
pub(crate) fn hanging_chain(space: Space, bars: usize, span: f64) -> Model {
    let mut model = world(space);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let l = 1.0 / bars as f64;
    let m = 2.0 * l;
    let pin = joint(
        if space == Space::Planar {
            "revolute"
        } else {
            "spherical"
        },
        space,
    );
    let mut last = MarkerIndex::GROUND;
    for i in 0..bars {
        let mass = match space {
            Space::Planar => MassProperties::planar(m, [0.5 * l, 0.0], m * l * l / 12.0).unwrap(),
            Space::Spatial => {
                let moments = Vec3::new(1e-3, 1.0, 1.0) * (m * l * l / 12.0);
                let center = Vec3::new(0.5 * l, 0.0, 0.0);
                MassProperties::new(m, center, Mat3::from_diagonal(&moments)).unwrap()
            }
        };
        let bar = model.add_body(Body::new(format!("bar{i}"), mass));
        let near = model.body_marker(bar);
        let _ = model.add_joint(format!("pin{i}"), pin.clone(), [last, near], &straight());
        last = model.add_marker("end", bar, at(l, 0.0, 0.0));
    }
    let anchor = model.add_marker("anchor", BodyIndex::GROUND, at(span, 0.0, 0.0));
    let _ = model.add_joint("last", pin, [last, anchor], &straight());
    model
}

#[test]
fn a_hanging_chain_has_the_shape_of_constant_horizontal_tension() {
    let (bars, span) = (21, 0.7);
    let weight = 2.0 * G / bars as f64;
    let middle = 0.5 * (bars as f64 - 1.0);
    // the slope of bar i is that of the force in its middle
    let slope = |i: usize, tension: f64| ((i as f64 - middle) * weight / tension).atan();
    let reached = |tension: f64| {
        let cosines = (0..bars).map(|i| slope(i, tension).cos());
        cosines.sum::<f64>() / bars as f64 - span
    };
    let tension = bisect(reached, 0.1, 100.0);
    for space in [Space::Planar, Space::Spatial] {
        let found = balanced(hanging_chain(space, bars, span), 1);
        let mut height = 0.0;
        for i in 0..bars {
            close(found.value(0, &format!("bar{i}.y")), height, 1e-9);
            height += slope(i, tension).sin() / bars as f64;
        }
        // in space every bar may turn about itself
        let (kind, neutral) = match space {
            Space::Planar => (Stability::Stable, 0),
            Space::Spatial => (Stability::Marginal, bars),
        };
        assert_eq!(found.stability(), [kind]);
        assert_eq!(found.list[0].neutral, neutral);
        let half = 0.5 * 2.0 * G;
        close(found.value(0, "pin0.force"), tension.hypot(half), 1e-10);
        close(found.value(0, "last.force"), tension.hypot(half), 1e-10);
    }
}

#[test]
fn a_four_bar_with_a_spring_rests_where_its_energy_is_least() {
    // crank 0.2, coupler 0.5, rocker 0.4, ground 0.45, bars of 1 kg; a spring from the crank pin to (0.1, −0.3)
    let (a, b, c, d) = (0.2, 0.5, 0.4, 0.45);
    let mut model = crate::assembly::four_bar(Space::Planar, [a, b, c], d, [1.0, 0.4, -1.4]);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let crank_end = model
        .markers
        .iter()
        .position(|m| m.body == BodyIndex(0) && m.pose.p[0] > 0.1)
        .map(MarkerIndex)
        .unwrap();
    let anchor = model.add_marker("anchor", BodyIndex::GROUND, at(0.1, -0.3, 0.0));
    spring(&mut model, "spring", [anchor, crank_end], 80.0, 0.2);
    let masses: Vec<(f64, f64)> = model
        .bodies
        .iter()
        .map(|body| (body.mass.mass, body.mass.center[0]))
        .collect();
    let found = balanced(model, 16);
    // both closures of the loop, every crank angle
    let energy = |crank: f64, closure: f64| {
        let p = [a * crank.cos(), a * crank.sin()];
        let e = [d - p[0], -p[1]];
        let r = e[0].hypot(e[1]);
        let along = (b * b + r * r - c * c) / (2.0 * r);
        let across = closure * (b * b - along * along).sqrt();
        let u = [e[0] / r, e[1] / r];
        let rod = [along * u[0] - across * u[1], along * u[1] + across * u[0]];
        let tip = p[1] + rod[1];
        let height = [
            masses[0].1 / a * p[1],
            p[1] + masses[1].1 / b * rod[1],
            // the rocker is written from the coupler to the ground
            tip * (1.0 - masses[2].1 / c),
        ];
        let weights: f64 = height.iter().zip(&masses).map(|(h, m)| m.0 * G * h).sum();
        let stretch = (p[0] - 0.1).hypot(p[1] + 0.3) - 0.2;
        weights + 40.0 * stretch * stretch
    };
    let slope = |x: f64, closure: f64| {
        let h = 1e-5;
        (energy(x + h, closure) - energy(x - h, closure)) / (2.0 * h)
    };
    let mut wells = Vec::new();
    let mut tops = Vec::new();
    for closure in [1.0, -1.0] {
        let n = 2000;
        for i in 0..n {
            let x = |i: usize| -3.2 + std::f64::consts::TAU * i as f64 / f64::from(n as u32);
            let (low, high) = (slope(x(i), closure), slope(x(i + 1), closure));
            if low * high < 0.0 {
                let zero = bisect(|x| slope(x, closure), x(i), x(i + 1));
                let list = if low < 0.0 { &mut wells } else { &mut tops };
                list.push(energy(zero, closure));
            }
        }
    }
    let of = |kind: Stability| -> Vec<f64> {
        let list = found.list.iter().filter(|e| e.stability == kind);
        list.map(|e| e.potential).collect()
    };
    // the walk stays on the closure of the start where the loop cannot change over: all found are among the known
    for (kind, known) in [(Stability::Stable, &wells), (Stability::Unstable, &tops)] {
        let energies = of(kind);
        assert!(!energies.is_empty(), "{kind:?}");
        for e in energies {
            let nearest = known
                .iter()
                .map(|w| (w - e).abs())
                .fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-8, "{kind:?} {e} among {known:?}");
        }
    }
}

#[test]
fn an_eccentric_wheel_rests_on_a_slope_held_by_a_spring() {
    // gravity leans by `slope` so that the wheel would roll along +x; its mass centre is at e from the middle
    let (r, e, m, slope) = (0.3, 0.05, 4.0, 0.2_f64);
    let (k, free) = (120.0, 0.5);
    let mut model = world(Space::Spatial);
    model.gravity = Vec3::new(slope.sin(), 0.0, -slope.cos()) * G;
    let moments = Vec3::new(0.09, 0.09, 0.18);
    let center = Vec3::new(e, 0.0, 0.0);
    let mass = MassProperties::new(m, center, Mat3::from_diagonal(&moments)).unwrap();
    let turn = aligning(2, &Vec3::new(0.0, -1.0, 0.0));
    let wheel = Body::new("wheel", mass).at(Pose::new(turn, Vec3::new(0.0, 0.0, r)));
    let wheel = model.add_body(wheel);
    let middle = model.body_marker(wheel);
    let arguments = Arguments::new(Space::Spatial).with("radius", FieldValue::Number(r));
    let rolling = Joint::build("rolling-disc", &arguments).unwrap().unwrap();
    let _ = model.add_joint("road", rolling, [MarkerIndex::GROUND, middle], &straight());
    // a guide keeps it upright: rows that rolling says too
    let guide = joint("planar", Space::Spatial);
    let plane = Pose::new(turn, Vec3::new(0.0, 0.0, r));
    let plane = model.add_marker("plane", BodyIndex::GROUND, plane);
    let _ = model.add_joint("guide", guide, [plane, middle], &straight());
    let post = model.add_marker("post", BodyIndex::GROUND, at(-1.0, 0.0, r));
    spring(&mut model, "spring", [post, middle], k, free);

    let written = turn * center;
    // x = r φ: forward rolling carries the mass centre from its written direction, down at first where φ grows
    let potential = |x: f64| {
        let phi = x / r;
        let (s, c) = phi.sin_cos();
        // turning forward about +y: x towards −z
        let (ex, ez) = (
            written[0] * c + written[2] * s,
            -written[0] * s + written[2] * c,
        );
        let drop = slope.sin() * (x + ex) - slope.cos() * (r + ez);
        let stretch = 1.0 + x - free;
        -m * G * drop + 0.5 * k * stretch * stretch
    };
    let pull = |x: f64| (potential(x - 1e-5) - potential(x + 1e-5)) / 2e-5;
    let found = balanced(model, 1);
    let x = found.value(0, "road.x");
    let nearest = bisect(pull, x - 0.02, x + 0.02);
    close(x, nearest, 1e-9);
    assert_eq!(found.stability(), [Stability::Stable]);
    // along the slope: weight against spring and road; across it the road carries
    let tension = k * (1.0 + x - free);
    let friction = tension - m * G * slope.sin();
    close(found.value(0, "road.reaction.fx"), friction, 1e-9);
    assert!(friction.abs() > 0.5, "the velocity rows carry {friction}");
    close(
        found.value(0, "road.reaction.fz"),
        m * G * slope.cos(),
        1e-9,
    );
}

#[test]
fn a_table_on_four_legs_is_in_equilibrium_with_one_redundant_leg() {
    let mut model = world(Space::Spatial);
    let moments = Mat3::from_diagonal(&Vec3::new(1.0, 1.5, 2.0));
    let mass = MassProperties::new(12.0, Vec3::new(0.1, 0.05, 0.0), moments).unwrap();
    let table = Body::new("table", mass).at(at(0.3, 0.2, 0.7));
    let table = model.add_body(table);
    let leg = joint("point-in-plane", Space::Spatial);
    for (i, (x, y)) in [(0.5, 0.4), (-0.5, 0.4), (-0.5, -0.4), (0.5, -0.4)]
        .into_iter()
        .enumerate()
    {
        let foot = model.add_marker(format!("foot{i}"), table, at(x, y, -0.7));
        let pair = [MarkerIndex::GROUND, foot];
        let _ = model.add_joint(format!("leg{i}"), leg.clone(), pair, &straight());
    }
    let found = balanced(model, 6);
    // it may slide and turn on the floor: one family
    assert_eq!(found.stability(), [Stability::Marginal]);
    assert_eq!(found.list[0].neutral, 3);
    let (mut sum, mut moment) = (0.0, 0.0);
    for (i, x) in [0.5, -0.5, -0.5, 0.5].into_iter().enumerate() {
        let load: f64 = ["fx", "fy", "fz"]
            .iter()
            .map(|c| found.value(0, &format!("leg{i}.reaction.{c}")))
            .sum();
        sum += load;
        moment += x * load;
    }
    close(sum, 12.0 * G, 1e-12);
    close(moment, 0.1 * 12.0 * G, 1e-12);
}

#[test]
fn a_plate_hangs_from_three_springs_in_space() {
    // vertical springs of free length l on a circle of radius R; twisting is the softest: ω² = m g R²/(length J_z)
    let (m, k, free, radius) = (6.0, 400.0, 1.0, 0.25);
    let moments = Vec3::new(0.4, 0.45, 0.8);
    let mut model = world(Space::Spatial);
    let mass = MassProperties::new(m, Vec3::zeros(), Mat3::from_diagonal(&moments)).unwrap();
    let tilted = product(
        &biela_core::math::rotation::about(0, 0.2),
        &biela_core::math::rotation::about(2, 0.3),
    );
    let plate = Body::new("plate", mass).at(Pose::new(tilted, Vec3::new(0.05, -0.1, 0.2)));
    let plate = model.add_body(plate);
    for i in 0..3 {
        let (s, c) = (f64::from(i) * std::f64::consts::TAU / 3.0).sin_cos();
        let hook = at(radius * c, radius * s, 2.0);
        let above = model.add_marker(format!("hook{i}"), BodyIndex::GROUND, hook);
        let rim = model.add_marker(format!("rim{i}"), plate, at(radius * c, radius * s, 0.0));
        spring(&mut model, &format!("spring{i}"), [above, rim], k, free);
    }
    let found = balanced(model, 1);
    let length = free + m * G / (3.0 * k);
    close(found.value(0, "plate.z"), 2.0 - length, 1e-10);
    for signal in [
        "plate.x",
        "plate.y",
        "plate.rot_x",
        "plate.rot_y",
        "plate.rot_z",
    ] {
        close(found.value(0, signal), 0.0, 1e-9);
    }
    assert_eq!(found.stability(), [Stability::Stable]);
    let twist = m * G * radius * radius / (length * moments[2]);
    close(found.list[0].smallest.unwrap(), twist, 1e-7);
    assert_eq!(found.list[0].mover.as_deref(), Some("plate"));
    close(found.value(0, "spring0.tension"), m * G / 3.0, 1e-10);
}
