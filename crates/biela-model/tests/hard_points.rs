//! Hard points: joints and bodies by the points of the design position are those with points in the frames of the bodies.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may panic as tests do"
)]

use biela_core::math::rotation::about_axis;
use biela_core::math::{Pose, Random, Vec3};
use biela_core::model::{BodyIndex, Model};
use biela_model::{Lowered, Overrides, parse};

fn lowered(text: &str, set: &[&str]) -> Lowered {
    let loaded = parse("model.toml", text, &Overrides::new(set.iter().copied()));
    let style = biela_model::diagnostic::ReportStyle::Plain;
    let report = loaded.diagnostics.render(&loaded.sources, style);
    loaded.model.unwrap_or_else(|| panic!("{report}\n{text}"))
}

/// The largest distance and angle between the two frames of a joint, with all bodies in these poses.
fn apart(model: &Model, poses: &dyn Fn(&str) -> Pose) -> f64 {
    let pose = |body: BodyIndex| match body.number() {
        Some(b) => poses(&model.bodies[b].name),
        None => Pose::identity(),
    };
    let gaps = model.joints.iter().map(|joint| {
        let [a, b] = [&joint.first, &joint.second].map(|side| pose(side.0).then(&side.1));
        (a.p - b.p).norm() + (a.R - b.R).norm()
    });
    gaps.fold(0.0, f64::max)
}

const FOUR_BAR: &str = r#"
format = 1
name = "four-bar"
space = "planar"
[points]
A = [0, 0]
B = ["20 mm", "80 mm"]
C = ["220 mm", "140 mm"]
D = ["ground_length", 0]
[parameters]
ground_length = "180 mm"
[[body]]
name = "crank"
along = ["A", "B"]
mass = 1
inertia = 0.01
com = "B"
[[body]]
name = "coupler"
mass = 1
inertia = 0.01
shapes = [{ type = "bar", radius = "5 mm", from = "B", to = "C" }]
[[body]]
name = "rocker"
position = [0.5, 0.25]
angle = "40 deg"
mass = 1
inertia = 0.01
points = { own = "C", C = [0, 0] }
[[joint]]
name = "a"
type = "revolute"
between = ["ground", "crank"]
at = "A"
[[joint]]
name = "b"
type = "revolute"
between = ["crank", "coupler"]
at = "B"
[[joint]]
name = "c"
type = "revolute"
between = ["coupler", "rocker"]
at = "C"
[[joint]]
name = "d"
type = "revolute"
between = ["rocker", "ground"]
at = ["ground_length", 0]
[[force]]
name = "spring"
type = "spring-damper"
between = ["ground.B", "coupler.C"]
stiffness = 1
length = "hypot(C.x - B.x, C.y - B.y)"
[[sensor]]
name = "height"
value = "coupler.B.y + D.x"
unit = "m"
"#;

#[test]
fn joints_are_closed_in_the_design_position_wherever_the_hard_points_are() {
    let mut random = Random::new(3);
    for _ in 0..20 {
        let mut x = || format!("{}", random.between(-1.0, 1.0));
        let set = [
            format!("B.x={}", x()),
            format!("C.y={}", x()),
            format!("ground_length={}", x()),
        ];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let model = lowered(FOUR_BAR, &set).model;
        let design = |name: &str| {
            let body = model.bodies.iter().find(|body| body.name == name).unwrap();
            body.start.pose.unwrap_or_else(Pose::identity)
        };
        assert!(apart(&model, &design) < 1e-13);
    }
}

#[test]
fn hard_points_are_points_of_bodies_shapes_and_formulas() {
    let lowered = lowered(FOUR_BAR, &[]);
    let model = &lowered.model;
    let length = f64::hypot(0.02, 0.08);
    // the frame of the crank lies along it
    assert!((model.bodies[0].mass.center[0] - length).abs() < 1e-15);
    assert!(model.bodies[0].mass.center[1].abs() < 1e-15);
    let rocker = model.bodies[2].start.pose.unwrap();
    let marker = |body: usize, name: &str| {
        let of_body = |m: &&biela_core::model::Marker| m.body == BodyIndex(body) && m.name == name;
        model.markers.iter().find(of_body).unwrap().pose
    };
    let own = rocker.point(&marker(2, "own").p);
    assert!((own[0] - 0.22).abs() < 1e-15 && (own[1] - 0.14).abs() < 1e-15);
    // an own point has precedence
    assert_eq!(marker(2, "C").p.norm(), 0.0);
    assert_eq!(marker(1, "C").p[0], 0.22);
    let names: Vec<&str> = lowered
        .parameters
        .list
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    assert_eq!(names[1..3], ["A.x", "A.y"]);
}

#[test]
fn components_place_their_hard_points() {
    let corner = r#"
format = 1
name = "axle"
space = "spatial"
[points]
middle = [0, 0, 0.1]
[component.arm]
ports = { chassis = "frame" }
parameters = { reach = "0.4 m" }
[component.arm.points]
front = [0.1, 0.2, 0.3]
rear = [-0.2, 0.25, 0.28]
ball = [0, "reach", 0.31]
[[component.arm.body]]
name = "link"
mass = 1
inertia = [0.1, 0.1, 0.1]
com = "ball"
[[component.arm.body]]
name = "hub"
along = ["ball", "front", "rear"]
mass = 1
inertia = [0.1, 0.1, 0.1]
[[component.arm.joint]]
name = "bush"
type = "revolute"
between = ["chassis", "link"]
at = "front"
axis = ["front", "rear"]
[[component.arm.joint]]
name = "knuckle"
type = "universal"
between = ["link", "hub"]
at = "ball"
axis = [0, 0, 1]
axis2 = [1, 0, 0]
[[component.arm.joint]]
name = "strut"
type = "weld"
between = ["hub", "ground"]
at = ["reach/2", 0, 0]
[[component.arm.force]]
name = "spring"
type = "spring-damper"
between = ["ground.rear", "link.ball"]
stiffness = 1
length = "2*ball.y"
[[instance]]
name = "left"
component = "arm"
connect = { chassis = "frame" }
at = [1, 2, 3]
rotation = { axis = [1, 2, 3], angle = "50 deg" }
parameters = { reach = "middle.z + 0.5" }
[[body]]
name = "frame"
mass = 1
inertia = [1, 1, 1]
position = "middle"
rotation = { axis = [0, 1, 0], angle = "20 deg" }
[[sensor]]
name = "high"
value = "left.link.ball.z + left.ball.y + frame.middle.x"
unit = "m"
"#;
    let lowered = lowered(corner, &["left.ball.x=0.05"]);
    let model = &lowered.model;
    let placement = model.bodies.iter().find(|b| b.name == "left.hub").unwrap();
    let hub = placement.start.pose.unwrap();
    let at = Vec3::new(1.0, 2.0, 3.0);
    let placed = Pose::new(about_axis(&at.normalize(), 50.0_f64.to_radians()), at);
    let local = |p: [f64; 3]| placed.point(&Vec3::from(p));
    assert!((hub.p - local([0.05, 0.6, 0.31])).norm() < 1e-14);
    let toward = (local([0.1, 0.2, 0.3]) - hub.p).normalize();
    assert!((hub.R.column(0) - toward).norm() < 1e-14);
    assert!(hub.R.column(1).dot(&(local([-0.2, 0.25, 0.28]) - hub.p)) > 0.0);
    let design = |name: &str| {
        let body = model.bodies.iter().find(|body| body.name == name).unwrap();
        let own = body.start.pose;
        own.unwrap_or(placed)
    };
    assert!(apart(model, &design) < 1e-13);
    // the axis goes through both hard points
    let bush = model.joints.iter().find(|j| j.name == "left.bush").unwrap();
    let axis = bush.first.1.R.column(bush.joint.axis()).into_owned();
    let frame = model.bodies.iter().find(|b| b.name == "frame").unwrap();
    let axis = frame.start.pose.unwrap().R * axis;
    let wanted = (local([-0.2, 0.25, 0.28]) - local([0.1, 0.2, 0.3])).normalize();
    assert!((axis - wanted).norm() < 1e-14);
    let spring = model
        .markers
        .iter()
        .find(|m| m.name == "left.rear")
        .unwrap();
    assert!((spring.pose.p - local([-0.2, 0.25, 0.28])).norm() < 1e-14);
}
