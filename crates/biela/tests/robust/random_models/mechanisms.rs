//! Trees of bodies with all joints, loops closed where the bodies start, and everything that acts on them.

use biela::core::analysis::{Formulation, assemble};
use biela::core::joints::JOINTS;
use biela::core::math::rotation::{matrix, parameters};
use biela::core::math::{Mat3, Vec3};
use biela::core::model::Space;
use biela::core::system::Workspace;

use super::writer::Writer;
use crate::linkages::read;

/// A body as it will be written.
struct BodyText {
    name: String,
    lines: String,
    points: Vec<(String, String)>,
    frames: Vec<(String, String)>,
}

/// A joint as it will be written, with its coordinates: name, and whether it is an angle.
struct JointText {
    name: String,
    kind: &'static str,
    lines: String,
    initial: String,
    coordinates: Vec<(String, bool)>,
}

/// A model under way.
struct Draft {
    writer: Writer,
    ground: BodyText,
    bodies: Vec<BodyText>,
    joints: Vec<JointText>,
}

/// Joints whose coordinates are driven, coupled and rubbed.
const PLAIN: &[&str] = &["revolute", "prismatic", "cylindrical", "screw"];

/// Text of a mechanism.
pub(super) fn mechanism(seed: u64, space: Space, integrator: &str, method: &str) -> String {
    let mut draft = Draft::new(Writer::new(seed, space));
    draft.bodies_and_joints();
    draft.starts();
    draft.close_loops();
    let mut text = draft.skeleton();
    draft.writer.text.clear();
    draft.elements();
    let formulations: &[&str] = &["absolute", "tree"];
    draft.writer.study(formulations, integrator, method);
    text.push_str(&draft.writer.text);
    text
}

impl Draft {
    fn new(writer: Writer) -> Self {
        let ground = BodyText {
            name: "ground".to_owned(),
            lines: String::new(),
            points: Vec::new(),
            frames: Vec::new(),
        };
        let (bodies, joints) = (Vec::new(), Vec::new());
        Draft {
            writer,
            ground,
            bodies,
            joints,
        }
    }

    /// Head, bodies and joints.
    fn skeleton(&self) -> String {
        let flat = self.writer.flat();
        let (space, gravity) = if flat {
            ("planar", "[0, \"-1 g0\"]")
        } else {
            ("spatial", "[0, 0, -9.81]")
        };
        let mut text = format!(
            "format = 1\nname = \"random\"\nspace = \"{space}\"\ngravity = {gravity}\n[parameters]\nk = \"500 N/m\"\nhalf_k = \"k/2\"\n"
        );
        let list = |items: &[(String, String)]| -> String {
            let items: Vec<String> = items
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            items.join(", ")
        };
        for body in std::iter::once(&self.ground).chain(&self.bodies) {
            text += &if body.name == "ground" {
                "[ground]\n".to_owned()
            } else {
                format!("[[body]]\nname = \"{}\"\n", body.name)
            };
            text += &body.lines;
            text += &format!(
                "points = {{ {} }}\nframes = {{ {} }}\n",
                list(&body.points),
                list(&body.frames)
            );
        }
        for joint in &self.joints {
            text += &format!(
                "[[joint]]\nname = \"{}\"\ntype = \"{}\"\n{}",
                joint.name, joint.kind, joint.lines
            );
            if !joint.initial.is_empty() {
                text += &format!("initial = {{ {} }}\n", joint.initial);
            }
        }
        text
    }

    fn bodies_and_joints(&mut self) {
        let count = 1 + self.writer.random.below(6);
        for name in ["P", "Q"] {
            let at = self.writer.vector(1.0);
            self.ground.points.push((name.to_owned(), at));
        }
        for _ in 0..count {
            let parent = self.writer.random.below(self.bodies.len() + 1);
            self.body();
            self.joint_to(parent);
        }
    }

    fn body(&mut self) {
        let w = &mut self.writer;
        let name = w.name("b");
        let mut lines = String::new();
        let flat = w.flat();
        match w.random.below(3) {
            0 => {
                let shapes = [w.shape(), w.shape()].join(", ");
                let density = w.quantity(500.0, 8000.0, &[("kg/m^3", 1.0), ("g/cm^3", 1000.0)]);
                lines += &format!("density = {density}\nshapes = [{shapes}]\n");
            }
            1 if !flat => {
                let com = w.vector(0.2);
                lines += &format!("mass = {}\ncom = {com}\n", w.number(0.2, 5.0));
                lines += "inertia = { xx = 0.03, yy = 0.04, zz = 0.05, xy = 0.002, yz = -0.003 }\n";
            }
            _ => {
                let mass = w.quantity(0.2, 5.0, &[("kg", 1.0), ("g", 1e-3)]);
                let inertia = if flat {
                    w.number(0.01, 0.2)
                } else {
                    "[0.05, \"0.06 kg*m^2\", 0.07]".to_owned()
                };
                let com = w.vector(0.2);
                lines += &format!("mass = {mass}\ninertia = {inertia}\ncom = {com}\n");
            }
        }
        let points = ["a", "b"].map(|point| (point.to_owned(), w.vector(0.5)));
        let (at, turn) = (w.vector(0.4), w.turn());
        let frames = vec![("f".to_owned(), format!("{{ at = {at}, {turn} }}"))];
        self.bodies.push(BodyText {
            name,
            lines,
            points: points.to_vec(),
            frames,
        });
    }

    /// A joint from a body, or the ground where `parent` is past the last, to the newest body.
    fn joint_to(&mut self, parent: usize) {
        let w = &mut self.writer;
        let kinds: Vec<&'static str> = JOINTS
            .iter()
            .filter(|info| info.spaces.contains(&w.space) && info.name != "beam-slider")
            .map(|info| info.name)
            .collect();
        let kind = w.pick(&kinds);
        let newest = self.bodies.len() - 1;
        let first = match self.bodies.get(parent).filter(|_| parent < newest) {
            Some(body) => format!("{}.{}", body.name, w.pick(&["a", "b", "f"])),
            None => format!("ground.{}", w.pick(&["P", "Q"])),
        };
        let second = format!("{}.{}", self.bodies[newest].name, w.pick(&["a", "b", "f"]));
        let mut lines = format!("between = [\"{first}\", \"{second}\"]\n");
        lines += &fields(w, kind);
        let name = w.name("j");
        if matches!(kind, "rolling-disc" | "knife-edge") {
            let (at, turn) = (w.vector(0.3), w.turn());
            self.bodies[newest].lines += &format!("position = {at}\n{turn}\n");
        }
        self.joints.push(JointText {
            name,
            kind,
            lines,
            initial: String::new(),
            coordinates: Vec::new(),
        });
    }

    /// Starting coordinates and rates of some joints.
    fn starts(&mut self) {
        let job = read(&self.skeleton());
        for (joint, element) in self.joints.iter_mut().zip(&job.model.joints) {
            let coordinates = element.joint.coordinates(job.model.space);
            joint.coordinates = coordinates
                .iter()
                .map(|c| (c.name.to_owned(), c.angular))
                .collect();
            let w = &mut self.writer;
            let tree = element.joint.shape(job.model.space).tree;
            if coordinates.is_empty() || tree.is_none() || w.chance(0.3) {
                continue;
            }
            let c = &coordinates[0];
            let most = if joint.kind == "constant-velocity" {
                0.5
            } else {
                1.0
            };
            let value = if c.angular {
                w.angle(most)
            } else {
                w.length(-0.5, 0.5)
            };
            joint.initial = format!(
                "{} = {value}, {}_rate = {}",
                c.name,
                c.name,
                w.number(-2.0, 2.0)
            );
        }
    }

    /// Joints that close loops where the bodies start.
    fn close_loops(&mut self) {
        let loops = self.writer.random.below(3);
        if loops == 0 {
            return;
        }
        let Ok(assembled) = assemble(read(&self.skeleton()).model, Formulation::Absolute) else {
            return;
        };
        let (system, state) = (assembled.system.as_ref(), &assembled.state);
        let mut ws = Workspace::new(system);
        system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut ws.kinematics,
        );
        let bodies = ws.kinematics.bodies.iter().zip(&system.model().bodies);
        let poses: Vec<(Mat3<f64>, Vec3<f64>)> = bodies
            .map(|(motion, body)| (motion.R, motion.r - motion.R * body.mass.center))
            .collect();
        for _ in 0..loops {
            let w = &mut self.writer;
            let (one, other) = (w.random.below(poses.len()), w.random.below(poses.len() + 1));
            if one == other {
                continue;
            }
            let kinds: &[&'static str] = if w.flat() {
                &[
                    "revolute",
                    "point-on-line",
                    "prismatic",
                    "distance",
                    "weld",
                    "generic",
                ]
            } else {
                &[
                    "revolute",
                    "spherical",
                    "cylindrical",
                    "universal",
                    "planar",
                    "point-on-line",
                    "point-in-plane",
                    "distance",
                    "parallel-axes",
                    "constant-velocity",
                    "generic",
                    "prismatic",
                    "free",
                    "weld",
                ]
            };
            let kind = w.pick(kinds);
            let at = poses[one].1 + w.random.vector(0.5);
            let mut turned = matrix(&w.random.rotation());
            let mut at = at;
            if w.flat() {
                at.z = 0.0;
                turned = biela::core::math::rotation::about(2, w.random.symmetric(3.0));
            }
            let name = w.name("j");
            let flat = w.flat();
            let mut ends = Vec::new();
            for (side, body) in [one, other].into_iter().enumerate() {
                let (rotation, origin) = poses
                    .get(body)
                    .copied()
                    .unwrap_or((Mat3::identity(), Vec3::zeros()));
                // a rod has its ends apart
                let apart = if kind == "distance" && side == 1 {
                    turned * Vec3::new(0.4, 0.0, 0.0)
                } else {
                    Vec3::zeros()
                };
                let local = rotation.transpose() * (at + apart - origin);
                let turn = rotation.transpose() * turned;
                let frame = if flat {
                    let angle = turn[(1, 0)].atan2(turn[(0, 0)]);
                    format!("{{ at = [{}, {}], angle = {angle} }}", local.x, local.y)
                } else {
                    let e = parameters(&turn);
                    format!(
                        "{{ at = [{}, {}, {}], rotation = {{ euler_parameters = [{}, {}, {}, {}] }} }}",
                        local.x, local.y, local.z, e[0], e[1], e[2], e[3]
                    )
                };
                let text = self.bodies.get_mut(body).unwrap_or(&mut self.ground);
                text.frames.push((name.clone(), frame));
                ends.push(format!("\"{}.{name}\"", text.name));
            }
            let mut lines = format!("between = [{}]\n", ends.join(", "));
            if kind == "distance" {
                lines += "length = 0.4\n";
            }
            if kind == "generic" {
                lines += "locked = [\"x\", \"y\"]\n";
            }
            self.joints.push(JointText {
                name,
                kind,
                lines,
                initial: String::new(),
                coordinates: Vec::new(),
            });
        }
    }

    /// Everything that acts: forces, couplers, drivers, sensors, controllers, events, tables.
    fn elements(&mut self) {
        let points: Vec<String> = self
            .bodies
            .iter()
            .flat_map(|b| [format!("{}.a", b.name), format!("{}.b", b.name)])
            .collect();
        let bodies: Vec<String> = self.bodies.iter().map(|b| b.name.clone()).collect();
        let plain = self.joints.iter().filter(|j| PLAIN.contains(&j.kind));
        let mut free: Vec<(String, bool, &'static str)> = plain
            .flat_map(|j| {
                j.coordinates
                    .iter()
                    .map(|(c, angular)| (format!("{}.{c}", j.name), *angular, j.kind))
            })
            .collect();
        let mut signals: Vec<String> = free.iter().map(|(c, ..)| c.clone()).collect();
        for joint in self.joints.iter().filter(|j| PLAIN.contains(&j.kind)) {
            match joint.coordinates.as_slice() {
                [_] => signals.push(format!("{}.rate", joint.name)),
                all => signals.extend(all.iter().map(|(c, _)| format!("{}.{c}_rate", joint.name))),
            }
        }
        signals.extend(
            bodies
                .iter()
                .flat_map(|b| [format!("{b}.x"), format!("{b}.vy")]),
        );
        let w = &mut self.writer;
        if w.chance(0.3) {
            w.line("[table.bend]\nx = [-1, 0, 1]\ny = [0.5, 0, 1]\ninterpolation = \"cubic\"\noutside = \"linear\"");
        }
        for _ in 0..w.random.below(4) {
            force(w, &bodies, &points, &signals);
        }
        for _ in 0..w.random.below(3) {
            if free.is_empty() {
                break;
            }
            let (coordinate, angular, kind) = w.pick(&free);
            joint_force(w, &coordinate, angular, kind, &signals);
        }
        if free.len() > 1 && w.chance(0.4) {
            coupler(w, &mut free);
        }
        if !free.is_empty() && w.chance(0.4) {
            let (coordinate, ..) = free.swap_remove(w.random.below(free.len()));
            driver(w, &coordinate);
        }
        let sensor = w.chance(0.5).then(|| {
            let (name, value) = (w.name("s"), w.formula(&signals, 3));
            w.line(&format!(
                "[[sensor]]\nname = \"{name}\"\nvalue = \"{value}\""
            ));
            name
        });
        if let Some((coordinate, ..)) = free.first().cloned().filter(|_| w.chance(0.4)) {
            let (name, push) = (w.name("c"), w.name("f"));
            let gain = w.number(-2.0, 2.0);
            w.line(&format!(
                "[[controller]]\nname = \"{name}\"\nperiod = \"3 ms\"\ninputs = {{ x = \"{coordinate}\" }}\nstates = {{ sum = \"sum + 0.003*x\" }}\noutputs = {{ u = \"{gain}*x - 0.1*sum\" }}\n\
                 [[force]]\nname = \"{push}\"\ntype = \"actuator\"\njoint = \"{coordinate}\"\neffort = \"1*{name}.u\""
            ));
        }
        if let Some(sensor) = sensor.filter(|_| w.chance(0.5)) {
            let (name, crossing, action) = (
                w.name("e"),
                w.pick(&["rising", "falling", "any"]),
                w.pick(&["mark", "stop"]),
            );
            w.line(&format!("[[event]]\nname = \"{name}\"\nwhen = \"{sensor} - 0.1\"\ncrossing = \"{crossing}\"\naction = \"{action}\""));
        }
    }
}

/// Keys that a joint needs beside its ends.
fn fields(w: &mut Writer, kind: &str) -> String {
    let flat = w.flat();
    match kind {
        "screw" => format!(
            "pitch = {}\naxis = {}\n",
            w.length(0.01, 0.1),
            w.direction()
        ),
        "distance" => format!("length = {}\n", w.length(0.2, 1.0)),
        "rolling-disc" => "radius = 0.3\n".to_owned(),
        "universal" => {
            let x = w.number(-1.0, 1.0);
            format!("axis = [{x}, 1, 0]\naxis2 = [1, -({x}), 0]\n")
                .replace("-(-", "(")
                .replace("-(", "-")
                .replace(['(', ')'], "")
        }
        "generic" => {
            let words: &[&str] = if flat {
                &["x", "y", "gamma"]
            } else {
                &["x", "y", "z", "alpha", "beta", "gamma"]
            };
            let mut locked: Vec<String> = Vec::new();
            for word in words {
                if w.chance(0.5) {
                    locked.push(format!("\"{word}\""));
                }
            }
            if locked.is_empty() {
                locked.push("\"x\"".to_owned());
            }
            format!("locked = [{}]\n", locked.join(", "))
        }
        "revolute" | "cylindrical" | "planar" | "parallel-axes" | "point-in-plane"
            if !flat && w.chance(0.6) =>
        {
            format!("axis = {}\n", w.direction())
        }
        "prismatic" | "point-on-line" if w.chance(0.6) => format!("axis = {}\n", w.direction()),
        _ => String::new(),
    }
}

/// A force between points or on a body.
fn force(w: &mut Writer, bodies: &[String], points: &[String], signals: &[String]) {
    let flat = w.flat();
    let name = w.name("f");
    let at = w.pick(points);
    let body = w.pick(bodies);
    let frame = w.pick(&["ground", "body"]);
    let text = match w.random.below(4) {
        0 => {
            let parts: Vec<String> = (0..w.space.axes())
                .map(|_| format!("\"{}\"", w.formula(signals, 2)))
                .collect();
            format!(
                "type = \"force\"\nat = \"{at}\"\nvalue = [{}]\nframe = \"{frame}\"",
                parts.join(", ")
            )
        }
        1 => {
            let axis = if flat {
                String::new()
            } else {
                format!("\naxis = {}\nframe = \"{frame}\"", w.direction())
            };
            format!(
                "type = \"torque\"\non = \"{body}\"\nvalue = \"{}\"{axis}",
                w.formula(signals, 2)
            )
        }
        2 => format!(
            "type = \"spring-damper\"\nbetween = [\"ground.P\", \"{at}\"]\nstiffness = \"half_k\"\nlength = {}\ndamping = {}",
            w.length(0.1, 1.0),
            w.quantity(0.0, 5.0, &[("N*s/m", 1.0)])
        ),
        _ if flat => format!(
            "type = \"bushing\"\nbetween = [\"ground\", \"{body}\"]\nstiffness = [{}, 300]\ndamping = [1, 2]\ntorsional_stiffness_z = 20",
            w.number(10.0, 500.0)
        ),
        _ => format!(
            "type = \"bushing\"\nbetween = [\"ground\", \"{body}\"]\nstiffness = [{}, 300, 200]\ndamping = [1, 2, 1]\ntorsional_stiffness = [5, 5, 5]\ntorsional_damping = [0.1, 0.1, 0.1]",
            w.number(10.0, 500.0)
        ),
    };
    w.line(&format!("[[force]]\nname = \"{name}\"\n{text}"));
}

/// A force along a joint coordinate.
fn joint_force(w: &mut Writer, coordinate: &str, angular: bool, kind: &str, signals: &[String]) {
    let name = w.name("f");
    let radius = if angular { "\nradius = \"20 mm\"" } else { "" };
    let text = match w.random.below(8) {
        6 if w.chance(0.5) => format!(
            "type = \"one-way-clutch\"\nfree = \"{}\"",
            w.pick(&["forward", "backward"])
        ),
        7 => format!(
            "type = \"brake\"\ncapacity = \"abs({})\"\nstatic_ratio = 1.2",
            w.formula(signals, 1)
        ),
        0 => format!(
            "type = \"joint-spring-damper\"\nstiffness = {}\nrest = 0.1\ndamping = 0.2\neffort = \"{}\"",
            w.number(1.0, 100.0),
            w.formula(signals, 1)
        ),
        1 if kind != "screw" => format!(
            "type = \"coulomb-friction\"\nmu = {}\npreload = 2{radius}",
            w.number(0.0, 0.4)
        ),
        2 => format!(
            "type = \"joint-damping\"\ndamping = {}\nquadratic = 0.1",
            w.number(0.0, 2.0)
        ),
        3 => format!(
            "type = \"joint-friction\"\nviscous = 0.1\ncoulomb = {}\ntransition_speed = 0.01",
            w.number(0.0, 2.0)
        ),
        // a rotor needs a joint of one coordinate
        4 => format!(
            "type = \"motor\"\neffort = \"{}\"\nratio = {}\ntorque_limit = 0.5{}",
            w.formula(signals, 2),
            w.number(1.0, 30.0),
            if kind == "cylindrical" {
                ""
            } else {
                "\nrotor_inertia = 1e-4"
            }
        ),
        5 => {
            "type = \"limit\"\nlower = -0.2\nupper = 0.2\nstiffness = 5e3\ndamping = 0.1".to_owned()
        }
        _ => format!(
            "type = \"actuator\"\neffort = \"{}\"",
            w.formula(signals, 3)
        ),
    };
    w.line(&format!(
        "[[force]]\nname = \"{name}\"\njoint = \"{coordinate}\"\n{text}"
    ));
}

/// A coupler of two coordinates that nothing else holds.
fn coupler(w: &mut Writer, free: &mut Vec<(String, bool, &'static str)>) {
    let (one, one_angular, _) = free.swap_remove(w.random.below(free.len()));
    let (other, other_angular, _) = free.swap_remove(w.random.below(free.len()));
    let name = w.name("k");
    let text = match (one_angular, other_angular) {
        (true, true) if w.chance(0.7) => {
            let how = w.pick(&[
                "ratio = 2.5",
                "teeth = [20, 35]",
                "teeth = [20, 60]\ninternal = true",
            ]);
            format!("type = \"gear\"\njoints = [\"{one}\", \"{other}\"]\n{how}")
        }
        (false, true) => format!(
            "type = \"rack-and-pinion\"\nrack = \"{one}\"\npinion = \"{other}\"\nradius = \"50 mm\""
        ),
        (true, false) => format!(
            "type = \"rack-and-pinion\"\nrack = \"{other}\"\npinion = \"{one}\"\nradius = \"-50 mm\""
        ),
        _ => format!(
            "type = \"linear\"\njoints = [\"{one}\", \"{other}\"]\nfactors = [1, {}]",
            w.number(0.5, 2.0)
        ),
    };
    w.line(&format!("[[coupler]]\nname = \"{name}\"\n{text}"));
}

/// A driver of a coordinate that nothing else holds.
fn driver(w: &mut Writer, coordinate: &str) {
    let name = w.name("d");
    let (size, rate) = (w.number(-0.3, 0.3), w.number(0.5, 5.0));
    let text = match w.random.below(3) {
        0 => {
            "acceleration = { time = [0, 0.1, 0.3], value = [0, 2, -1], velocity = 0.1 }".to_owned()
        }
        1 => {
            w.line(&format!("[table.{name}_way]\nx = [0, 0.1, 0.2, 0.4]\ny = [0, {size}, 0.1, 0]\ninterpolation = \"cubic\"\noutside = \"linear\""));
            format!("table = \"{name}_way\"")
        }
        _ => format!("value = \"{size}*sin({rate}*t) + 0.1*t^2\""),
    };
    w.line(&format!(
        "[[driver]]\nname = \"{name}\"\non = \"{coordinate}\"\n{text}"
    ));
}
