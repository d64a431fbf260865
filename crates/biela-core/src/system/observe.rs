//! Values of all signals, and the list of signals.

use super::armature;
use super::reaction::row_acceleration;
use super::{EvaluationContext, RowOwner, System, Workspace, spin};
use crate::element::unit_along;
use crate::flexible::{Beam, BeamMotion};
use crate::forces::Force;
use crate::math::Vec3;
use crate::math::rotation::{apply_transposed, cross, dot, parameters, to_dextral};
use crate::model::{
    BeamIndex, BeamQuantity, BodyIndex, BodyQuantity, CouplerIndex, CouplerQuantity, DriverIndex,
    DriverQuantity, DriverTarget, EnergyQuantity, ForceIndex, ForceQuantity, InputIndex,
    JointIndex, JointQuantity, MarkerIndex, Model, NodeQuantity, PointQuantity, SectionQuantity,
    Signal, SolverQuantity, Space, Stage, StationQuantity, TrajectoryQuantity,
};

/// A signal with its name and unit: a column of the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// `crank.angle`.
    pub name: String,
    /// SI unit, "1" for none.
    pub unit: String,
    /// One-line description.
    pub text: String,
    /// The quantities required to compute it.
    pub stage: Stage,
    /// The signal.
    pub signal: Signal,
}

impl Model {
    /// Returns the signal with a name such as `pin.angle`; `None` if there is none. [`channels`] lists all of them. Find a signal once: reading it by its
    /// identification is fast.
    pub fn signal(&self, name: &str) -> Option<Signal> {
        let found = channels(self).into_iter().find(|c| c.name == name);
        found.map(|channel| channel.signal)
    }
}

/// Returns every signal of a model, in the order of the results; names are unique if the names of elements are.
///
/// ```
/// use biela_core::model::{Body, MassProperties, Model, Space};
/// use biela_core::system::channels;
///
/// let mut model = Model::new("stone", Space::Planar);
/// let _ = model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let speed = channels(&model).into_iter().find(|channel| channel.name == "stone.vx");
/// assert_eq!(speed.ok_or("no such signal")?.unit, "m/s");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn channels(model: &Model) -> Vec<Channel> {
    let mut list = List {
        channels: Vec::new(),
    };
    let spatial = model.space == Space::Spatial;
    for (b, body) in model.bodies.iter().enumerate() {
        let station = body.station.is_some();
        for &q in BodyQuantity::ALL {
            let only_planar = q.text().ends_with("(planar)");
            let only_spatial = q.text().ends_with("(spatial)");
            let heavy = q == BodyQuantity::Kinetic;
            if (only_planar && spatial) || (only_spatial && !spatial) || (station && heavy) {
                continue;
            }
            let text = format!("{} of {}", strip(q.text()), body.name);
            list.add(
                format!("{}.{}", body.name, q.name()),
                q.unit(),
                text,
                q.stage(),
                Signal::Body(BodyIndex(b), q),
            );
        }
        for &q in StationQuantity::ALL.iter().filter(|_| station) {
            let text = format!("{}, at {}", q.text(), body.name);
            let name = format!("{}.{}", body.name, q.name());
            let signal = Signal::Station(BodyIndex(b), q);
            list.add(name, q.unit(), text, q.stage(), signal);
        }
    }
    for (b, beam) in model.beams.iter().enumerate() {
        for &q in BeamQuantity::ALL {
            let text = format!("{} of beam {}", q.text(), beam.name);
            let name = format!("{}.{}", beam.name, q.name());
            let signal = Signal::Beam(BeamIndex(b), q);
            list.add(name, q.unit(), text, q.stage(), signal);
        }
        for node in 0..=beam.elements.len() {
            for &q in NodeQuantity::ALL {
                if !spatial && q.text().ends_with("(spatial)") {
                    continue;
                }
                let text = format!("{} of node {node} of beam {}", strip(q.text()), beam.name);
                let name = format!("{}.node{node}.{}", beam.name, q.name());
                let signal = Signal::Node(BeamIndex(b), node, q);
                list.add(name, q.unit(), text, q.stage(), signal);
            }
        }
    }
    list.add_exact_beams(model);
    for (m, marker) in model.markers.iter().enumerate() {
        if marker.name.is_empty() || marker.body == BodyIndex::GROUND {
            continue;
        }
        let owner = model.marker_name(MarkerIndex(m));
        for &q in PointQuantity::ALL {
            if !spatial && q.text().ends_with("(spatial)") {
                continue;
            }
            let text = format!("{} of point {owner}", strip(q.text()));
            let signal = Signal::Point(MarkerIndex(m), q);
            list.add(
                format!("{owner}.{}", q.name()),
                q.unit(),
                text,
                q.stage(),
                signal,
            );
        }
    }
    for j in 0..model.joints.len() {
        list.add_joint(model, JointIndex(j));
    }
    let single = model.forces.iter().enumerate();
    for (f, element) in single.filter(|(_, e)| e.force.beam_element().is_none()) {
        let name = &element.name;
        let signal = |q| Signal::Force(ForceIndex(f), q);
        let angular = (element.force.coordinate())
            .is_some_and(|(joint, k)| coordinate_is_angle(model, joint, k));
        for (k, measure) in element.force.measures().iter().enumerate() {
            let unit = unit_along(measure.unit, angular);
            let text = format!("{} of {name}", measure.text);
            let signal = signal(ForceQuantity::Measure(k));
            list.add(
                format!("{name}.{}", measure.name),
                unit,
                text,
                measure.stage,
                signal,
            );
        }
        if element.force.dissipates() {
            let power = signal(ForceQuantity::Power);
            let work = signal(ForceQuantity::Work);
            let text = format!("power of {name} without its springs");
            list.add(
                format!("{name}.power"),
                "W",
                text,
                Stage::Acceleration,
                power,
            );
            let text = format!("work of {name} since the start, without its springs");
            list.add(format!("{name}.work"), "J", text, Stage::Run, work);
        }
        let potential = signal(ForceQuantity::Potential);
        let text = format!("potential energy of {name}");
        list.add(
            format!("{name}.potential"),
            "J",
            text,
            Stage::Position,
            potential,
        );
    }
    for (d, element) in model.drivers.iter().enumerate() {
        let (length, effort) = match element.target {
            DriverTarget::Joint(j, k) if coordinate_is_angle(model, j, k) => ("rad", "N*m"),
            _ => ("m", "N"),
        };
        for &q in DriverQuantity::ALL {
            let unit = match q {
                DriverQuantity::Target => length,
                DriverQuantity::Effort => effort,
                _ => q.unit(),
            };
            let text = format!("{}, of {}", q.text(), element.name);
            let signal = Signal::Driver(DriverIndex(d), q);
            list.add(
                format!("{}.{}", element.name, q.name()),
                unit,
                text,
                q.stage(),
                signal,
            );
        }
    }
    for (c, element) in model.couplers.iter().enumerate() {
        let first = element.terms.first();
        let (value, effort) = match first {
            Some((j, k, _)) if coordinate_is_angle(model, *j, *k) => ("rad", "N*m"),
            _ => ("m", "N"),
        };
        for &q in CouplerQuantity::ALL {
            let unit = match q {
                CouplerQuantity::Effort => effort,
                CouplerQuantity::Error => value,
            };
            let text = format!("{}, of {}", q.text(), element.name);
            let signal = Signal::Coupler(CouplerIndex(c), q);
            list.add(
                format!("{}.{}", element.name, q.name()),
                unit,
                text,
                q.stage(),
                signal,
            );
        }
    }
    for (k, sensor) in model.sensors.iter().enumerate() {
        let stage = law_stage(model, &sensor.law);
        let text = format!("sensor {}", sensor.name);
        list.add(
            sensor.name.clone(),
            &sensor.unit,
            text,
            stage,
            Signal::Sensor(k),
        );
    }
    let outputs = model
        .controllers
        .iter()
        .flat_map(|controller| controller.outputs.iter().map(move |o| (controller, o)));
    for (k, (controller, output)) in outputs.enumerate() {
        list.add(
            format!("{}.{}", controller.name, output.name),
            &output.unit,
            format!("output {} of controller {}", output.name, controller.name),
            Stage::Position,
            Signal::Controller(k),
        );
    }
    for (k, input) in model.inputs.iter().enumerate() {
        list.add(
            input.name.clone(),
            &input.unit,
            format!("external input {}", input.name),
            Stage::Position,
            Signal::Input(InputIndex(k)),
        );
    }
    for (t, element) in model.trajectories.iter().enumerate() {
        for (k, joint) in element.joints.iter().enumerate() {
            let angle = coordinate_is_angle(model, *joint, 0);
            let joint = &model.joints[joint.0].name;
            for q in TrajectoryQuantity::ALL {
                list.add(
                    format!("{}.{joint}{}", element.name, q.suffix()),
                    q.unit(angle),
                    format!("{} of {joint} along {}", q.text(), element.name),
                    Stage::Position,
                    Signal::Trajectory(t, k, q),
                );
            }
        }
    }
    for &q in EnergyQuantity::ALL {
        let name = format!("energy.{}", q.name());
        list.add(
            name,
            q.unit(),
            q.text().to_owned(),
            q.stage(),
            Signal::Energy(q),
        );
    }
    for &q in SolverQuantity::ALL {
        let name = format!("system.{}", q.name());
        list.add(
            name,
            q.unit(),
            q.text().to_owned(),
            q.stage(),
            Signal::Solver(q),
        );
    }
    list.channels
}

/// Removes the note on the space from a text.
fn strip(text: &str) -> &str {
    text.trim_end_matches(" (planar)")
        .trim_end_matches(" (spatial)")
}

/// The factor of a coupler's first coordinate.
fn first_factor(model: &Model, coupler: CouplerIndex) -> f64 {
    model.couplers[coupler.0]
        .terms
        .first()
        .map_or(1.0, |(_, _, factor)| *factor)
}

fn coordinate_is_angle(model: &Model, joint: JointIndex, k: usize) -> bool {
    model.joints[joint.0].joint.coordinates(model.space)[k].angular
}

/// Returns the latest stage of the signals that a law reads.
pub(crate) fn law_stage(model: &Model, law: &crate::model::Law) -> Stage {
    let stages = law
        .inputs()
        .iter()
        .map(|signal| signal_stage(model, signal));
    stages.max().unwrap_or(Stage::Position)
}

/// Returns the stage of the evaluation after which a signal is known.
pub(crate) fn signal_stage(model: &Model, signal: &Signal) -> Stage {
    match signal {
        Signal::Time
        | Signal::Controller(_)
        | Signal::Input(_)
        | Signal::Trajectory(..)
        | Signal::Joint(
            _,
            JointQuantity::Value(_) | JointQuantity::Parameter(_) | JointQuantity::Turn(_),
        )
        | Signal::Force(_, ForceQuantity::Potential) => Stage::Position,
        Signal::Joint(_, JointQuantity::Rate(_) | JointQuantity::Omega(_)) => Stage::Velocity,
        Signal::Joint(..) | Signal::Force(_, ForceQuantity::Power) => Stage::Acceleration,
        Signal::Force(_, ForceQuantity::Work) => Stage::Run,
        Signal::Force(f, ForceQuantity::Measure(k)) => model.forces[f.0].force.measures()[*k].stage,
        Signal::Body(_, q) => q.stage(),
        Signal::Station(_, q) => q.stage(),
        Signal::Beam(_, q) | Signal::ExactBeam(_, q) => q.stage(),
        Signal::Section(_, _, q) => q.stage(),
        Signal::Node(_, _, q) => q.stage(),
        Signal::Point(_, q) => q.stage(),
        Signal::Driver(_, q) => q.stage(),
        Signal::Coupler(_, q) => q.stage(),
        Signal::Energy(q) => q.stage(),
        // residuals are computed with the accelerations
        Signal::Solver(SolverQuantity::PositionError | SolverQuantity::VelocityError) => {
            Stage::Acceleration
        }
        Signal::Solver(q) => q.stage(),
        Signal::Sensor(k) => law_stage(model, &model.sensors[*k].law),
    }
}

struct List {
    channels: Vec<Channel>,
}

impl List {
    fn add(&mut self, name: String, unit: &str, text: String, stage: Stage, signal: Signal) {
        self.channels.push(Channel {
            name,
            unit: unit.to_owned(),
            text,
            stage,
            signal,
        });
    }

    fn add_exact_beams(&mut self, model: &Model) {
        for (b, beam) in model.exact_beams.iter().enumerate() {
            for &q in BeamQuantity::ALL {
                let text = format!("{} of beam {}", q.text(), beam.name);
                let name = format!("{}.{}", beam.name, q.name());
                self.add(name, q.unit(), text, q.stage(), Signal::ExactBeam(b, q));
            }
            for &node in &beam.places {
                let place = model.body_name(beam.nodes[node]);
                for &q in SectionQuantity::ALL {
                    let text = format!("{}, at {place}", q.text());
                    let name = format!("{place}.{}", q.name());
                    let signal = Signal::Section(b, node, q);
                    self.add(name, q.unit(), text, q.stage(), signal);
                }
            }
        }
    }

    fn add_joint(&mut self, model: &Model, joint: JointIndex) {
        let element = &model.joints[joint.0];
        let name = &element.name;
        let coordinates = element.joint.coordinates(model.space);
        for (k, c) in coordinates.iter().enumerate() {
            let unit = if c.angular { "rad" } else { "m" };
            let prefix = if coordinates.len() == 1 {
                format!("{name}.")
            } else {
                format!("{name}.{}_", c.name)
            };
            let signal = |q| Signal::Joint(joint, q);
            let text = format!("{} of joint {name}", c.name);
            let value = signal(JointQuantity::Value(k));
            self.add(
                format!("{name}.{}", c.name),
                unit,
                text.clone(),
                Stage::Position,
                value,
            );
            let rate = signal(JointQuantity::Rate(k));
            let rate_text = format!("rate of {text}");
            self.add(
                format!("{prefix}rate"),
                &format!("{unit}/s"),
                rate_text,
                Stage::Velocity,
                rate,
            );
            self.add(
                format!("{prefix}acceleration"),
                &format!("{unit}/s^2"),
                format!("acceleration of {text}"),
                Stage::Acceleration,
                signal(JointQuantity::Acceleration(k)),
            );
        }
        if model.space == Space::Spatial {
            self.add_orientation(name, joint);
        }
        let shape = element.joint.shape(model.space);
        if shape.position_rows + shape.velocity_rows == 0 {
            return;
        }
        let components: &[usize] = match model.space {
            Space::Planar => &[0, 1, 5],
            Space::Spatial => &[0, 1, 2, 3, 4, 5],
        };
        for &i in components {
            let component = crate::model::REACTIONS[i];
            let (unit, what) = if i < 3 {
                ("N", "force")
            } else {
                ("N*m", "moment")
            };
            self.add(
                format!("{name}.reaction.{component}"),
                unit,
                format!(
                    "{what} of joint {name} on its second body, along the axes of its first frame as turned by `axis`"
                ),
                Stage::Acceleration,
                Signal::Joint(joint, JointQuantity::Reaction(i)),
            );
        }
        for (word, unit, quantity) in [
            ("force", "N", JointQuantity::ReactionForce),
            ("moment", "N*m", JointQuantity::ReactionMoment),
        ] {
            self.add(
                format!("{name}.{word}"),
                unit,
                format!("magnitude of the reaction {word} of joint {name}"),
                Stage::Acceleration,
                Signal::Joint(joint, quantity),
            );
        }
    }
}

impl List {
    /// Adds the orientation of the second frame of a joint relative to the first, in space.
    fn add_orientation(&mut self, name: &str, joint: JointIndex) {
        for k in 0..4 {
            self.add(
                format!("{name}.e{k}"),
                "1",
                format!("relative Euler parameter e{k} of joint {name}"),
                Stage::Position,
                Signal::Joint(joint, JointQuantity::Parameter(k)),
            );
        }
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let whose = format!("joint {name}");
            for (word, unit, text, stage, quantity) in [
                (
                    "rot",
                    "rad",
                    format!("relative dextral angle about {axis} of {whose}"),
                    Stage::Position,
                    JointQuantity::Turn(k),
                ),
                (
                    "omega",
                    "rad/s",
                    format!("relative angular velocity about {axis} of {whose}'s first frame"),
                    Stage::Velocity,
                    JointQuantity::Omega(k),
                ),
                (
                    "alpha",
                    "rad/s^2",
                    format!(
                        "time derivative of the relative angular velocity about {axis} of {whose}'s first frame"
                    ),
                    Stage::Acceleration,
                    JointQuantity::Alpha(k),
                ),
            ] {
                let name = format!("{name}.{word}_{axis}");
                self.add(name, unit, text, stage, Signal::Joint(joint, quantity));
            }
        }
    }
}

/// Returns the value of a signal that depends on positions and velocities only; NaN for others.
pub(super) fn kinematic_signal(context: &EvaluationContext<'_>, signal: Signal) -> f64 {
    let model = context.model;
    match signal {
        Signal::Time => context.time(),
        Signal::Body(body, q) => body_signal(context, body, q),
        Signal::Station(body, q) => station_signal(context, body, q),
        Signal::Beam(beam, q) => beam_signal(context, beam, q),
        Signal::ExactBeam(beam, q) => exact_beam_signal(context, beam, q),
        Signal::Section(beam, node, q) => section_signal(context, beam, node, q),
        Signal::Node(beam, node, q) => {
            let motion = &context.kinematics.beams[beam.0];
            let at = motion.node * node + q.coordinate(motion.node / 2);
            match q.stage() {
                Stage::Position => motion.e[at],
                Stage::Velocity => motion.rates[at],
                _ => f64::NAN,
            }
        }
        Signal::Point(marker, q) => {
            let m = context.marker(marker);
            match q {
                PointQuantity::X => m.p[0],
                PointQuantity::Y => m.p[1],
                PointQuantity::Z => m.p[2],
                PointQuantity::Vx => m.v[0],
                PointQuantity::Vy => m.v[1],
                PointQuantity::Vz => m.v[2],
                _ => f64::NAN,
            }
        }
        Signal::Joint(joint, JointQuantity::Value(k)) => context.coordinate(joint, k).phi,
        Signal::Joint(joint, JointQuantity::Rate(k)) => context.coordinate_rate(joint, k),
        Signal::Joint(joint, q) => {
            let rel = &context.kinematics.joints[joint.0].rel;
            match q {
                JointQuantity::Parameter(k) => parameters(&rel.R)[k],
                JointQuantity::Turn(k) => to_dextral(&rel.R)[k],
                JointQuantity::Omega(k) => rel.w[k],
                _ => f64::NAN,
            }
        }
        Signal::Force(f, q) => {
            let force = &model.forces[f.0].force;
            match q {
                ForceQuantity::Measure(k) => force.measure(k, context),
                ForceQuantity::Potential => force.potential(context),
                _ => f64::NAN,
            }
        }
        Signal::Driver(d, DriverQuantity::Target) => {
            model.drivers[d.0]
                .motion
                .at(context.kinematics.law_time())
                .value
        }
        Signal::Coupler(c, CouplerQuantity::Error) => {
            let element = &model.couplers[c.0];
            let terms = element.terms.iter();
            let sum: f64 = terms
                .map(|(j, k, factor)| factor * context.coordinate(*j, *k).phi)
                .sum();
            (sum - element.offset.unwrap_or(0.0)) / first_factor(model, c)
        }
        Signal::Energy(q) => energy_signal(context, q),
        Signal::Solver(q) => momentum_signal(context, q),
        Signal::Sensor(k) => context.evaluate(&model.sensors[k].law),
        Signal::Controller(k) => context.kinematics.inputs.controller(k),
        Signal::Input(k) => context
            .kinematics
            .inputs
            .segment(k.0)
            .at(context.kinematics.law_time()),
        Signal::Trajectory(t, joint, q) => {
            let motion = &model.trajectories[t].motion;
            let time = context.kinematics.law_time();
            match q {
                TrajectoryQuantity::Position => motion.joint(joint, time).value,
                TrajectoryQuantity::Rate => motion.joint(joint, time).rate,
                TrajectoryQuantity::Acceleration => motion.joint(joint, time).curvature,
                TrajectoryQuantity::Jerk => motion.jerk(joint, time),
            }
        }
        _ => f64::NAN,
    }
}

fn body_signal(context: &EvaluationContext<'_>, body: BodyIndex, q: BodyQuantity) -> f64 {
    use BodyQuantity as Q;
    let motion = context.kinematics.body(body);
    let Some(b) = body.number() else { return 0.0 };
    let mass = &context.model.bodies[b].mass;
    // from the mass centre to the origin of the body frame
    let s = || -(motion.R * mass.center);
    match q {
        Q::X => motion.r[0] + s()[0],
        Q::Y => motion.r[1] + s()[1],
        Q::Z => motion.r[2] + s()[2],
        Q::Angle => motion.angle,
        Q::E0 => parameters(&motion.R)[0],
        Q::E1 => parameters(&motion.R)[1],
        Q::E2 => parameters(&motion.R)[2],
        Q::E3 => parameters(&motion.R)[3],
        Q::Roll => to_dextral(&motion.R)[0],
        Q::Pitch => to_dextral(&motion.R)[1],
        Q::Yaw => to_dextral(&motion.R)[2],
        Q::Vx => motion.v[0] + cross(&motion.w, &s())[0],
        Q::Vy => motion.v[1] + cross(&motion.w, &s())[1],
        Q::Vz => motion.v[2] + cross(&motion.w, &s())[2],
        Q::Omega | Q::OmegaZ => motion.w[2],
        Q::OmegaX => motion.w[0],
        Q::OmegaY => motion.w[1],
        Q::SpinX => apply_transposed(&motion.R, &motion.w)[0],
        Q::SpinY => apply_transposed(&motion.R, &motion.w)[1],
        Q::SpinZ => apply_transposed(&motion.R, &motion.w)[2],
        Q::Kinetic => kinetic(context, b),
        Q::Ax | Q::Ay | Q::Az | Q::Alpha | Q::AlphaX | Q::AlphaY | Q::AlphaZ => f64::NAN,
    }
}

fn station_signal(context: &EvaluationContext<'_>, body: BodyIndex, q: StationQuantity) -> f64 {
    let Some(station) = context.kinematics.station(context.model, body) else {
        return f64::NAN;
    };
    let beam = station.beam.0;
    let inside = context.model.beams[beam].internal(&station, &context.kinematics.beams[beam]);
    match q {
        StationQuantity::Strain => inside.strain,
        StationQuantity::Curvature => inside.curvature,
        StationQuantity::Axial => inside.axial,
        StationQuantity::Moment => inside.moment,
        StationQuantity::Shear => inside.shear,
    }
}

fn beam_signal(context: &EvaluationContext<'_>, beam: BeamIndex, q: BeamQuantity) -> f64 {
    let (beam, motion) = (
        &context.model.beams[beam.0],
        &context.kinematics.beams[beam.0],
    );
    match q {
        BeamQuantity::Elastic => beam.strain_energy(motion),
        BeamQuantity::Kinetic => beam.kinetic_energy(motion),
        BeamQuantity::Length => beam.stretched_length(motion),
        BeamQuantity::Power | BeamQuantity::Work => f64::NAN,
    }
}

fn exact_beam_signal(context: &EvaluationContext<'_>, beam: usize, q: BeamQuantity) -> f64 {
    let beam = &context.model.exact_beams[beam];
    let elements = beam.elements(context.model);
    match q {
        BeamQuantity::Elastic => elements.map(|e| e.potential(context)).sum(),
        BeamQuantity::Kinetic => {
            let nodes = beam.nodes.iter().filter_map(|node| node.number());
            nodes.map(|b| kinetic(context, b)).sum()
        }
        BeamQuantity::Length => elements.map(|e| e.stretched_length(context)).sum(),
        BeamQuantity::Power | BeamQuantity::Work => f64::NAN,
    }
}

fn section_signal(
    context: &EvaluationContext<'_>,
    beam: usize,
    node: usize,
    q: SectionQuantity,
) -> f64 {
    use SectionQuantity as Q;
    let carried = context.model.exact_beams[beam].carried(context, node);
    match q {
        Q::Strain => carried.strain[0],
        Q::ShearStrainY => carried.strain[1],
        Q::ShearStrainZ => carried.strain[2],
        Q::Twist => carried.strain[3],
        Q::CurvatureY => carried.strain[4],
        Q::CurvatureZ => carried.strain[5],
        Q::Axial => carried.wrench[0],
        Q::ShearY => carried.wrench[1],
        Q::ShearZ => carried.wrench[2],
        Q::Torsion => carried.wrench[3],
        Q::MomentY => carried.wrench[4],
        Q::MomentZ => carried.wrench[5],
    }
}

fn kinetic(context: &EvaluationContext<'_>, b: usize) -> f64 {
    let motion = &context.kinematics.bodies[b];
    let mass = &context.model.bodies[b].mass;
    let w = apply_transposed(&motion.R, &motion.w);
    0.5 * (mass.mass * dot(&motion.v, &motion.v) + dot(&w, &(mass.inertia * w)))
}

fn energy_signal(context: &EvaluationContext<'_>, q: EnergyQuantity) -> f64 {
    let model = context.model;
    let bodies = 0..model.bodies.len();
    let gravity = |b: usize| {
        -model.bodies[b].mass.mass * dot(&model.gravity, &context.kinematics.bodies[b].r)
    };
    let beams = || model.beams.iter().zip(&context.kinematics.beams);
    let weight = |beam: &Beam, motion: &BeamMotion| -dot(&model.gravity, &beam.sum(&motion.e));
    match q {
        EnergyQuantity::Kinetic => {
            bodies.map(|b| kinetic(context, b)).sum::<f64>()
                + armature::kinetic_energy(context)
                + beams().map(|(b, m)| b.kinetic_energy(m)).sum::<f64>()
        }
        EnergyQuantity::Gravity => {
            let turning = if model.spin == 0.0 {
                0.0
            } else {
                spin::potential(model, context.kinematics)
            };
            bodies.map(gravity).sum::<f64>()
                + beams().map(|(b, m)| weight(b, m)).sum::<f64>()
                + turning
        }
        EnergyQuantity::Elastic => {
            let springs = model.forces.iter().map(|f| f.force.potential(context));
            springs.sum::<f64>() + beams().map(|(b, m)| b.strain_energy(m)).sum::<f64>()
        }
        EnergyQuantity::Potential => {
            energy_signal(context, EnergyQuantity::Gravity)
                + energy_signal(context, EnergyQuantity::Elastic)
        }
        EnergyQuantity::Total => {
            energy_signal(context, EnergyQuantity::Kinetic)
                + energy_signal(context, EnergyQuantity::Potential)
        }
        EnergyQuantity::Work | EnergyQuantity::Balance => f64::NAN,
    }
}

fn momentum_signal(context: &EvaluationContext<'_>, q: SolverQuantity) -> f64 {
    use SolverQuantity as Q;
    let bodies = context.kinematics.bodies.iter().zip(&context.model.bodies);
    let beams = context.model.beams.iter().zip(&context.kinematics.beams);
    let linear = |axis: usize| -> f64 {
        let rigid = bodies.clone();
        let rigid = rigid.map(|(motion, body)| body.mass.mass * motion.v[axis]);
        let flexible = beams
            .clone()
            .map(|(beam, motion)| beam.sum(&motion.rates)[axis]);
        rigid.sum::<f64>() + flexible.sum::<f64>()
    };
    let angular = |axis: usize| -> f64 {
        let rigid = bodies.clone().map(|(motion, body)| {
            let w = apply_transposed(&motion.R, &motion.w);
            let spin = motion.R * (body.mass.inertia * w);
            (cross(&motion.r, &motion.v) * body.mass.mass + spin)[axis]
        });
        let flexible = beams.clone();
        let flexible = flexible.map(|(beam, motion)| beam.angular_momentum(motion)[axis]);
        rigid.sum::<f64>() + flexible.sum::<f64>()
    };
    match q {
        Q::MomentumX => linear(0),
        Q::MomentumY => linear(1),
        Q::MomentumZ => linear(2),
        Q::AngularX => angular(0),
        Q::AngularY => angular(1),
        Q::AngularZ => angular(2),
        Q::Load => context.kinematics.inputs.load_share,
        Q::PositionError | Q::VelocityError | Q::AccelerationError | Q::Step => f64::NAN,
    }
}

/// All quantities at an instant of a run; any signal can be computed from it.
#[derive(Clone, Copy)]
pub struct Instant<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// The evaluation at this instant.
    pub workspace: &'a Workspace,
    /// v̇.
    pub rates: &'a [f64],
    /// λ.
    pub multipliers: &'a [f64],
    /// Normal force of each friction element, in the order of the forces that have friction.
    pub normals: &'a [f64],
    /// Power of each work integral.
    pub power: &'a [f64],
    /// Work since the start of forces without a potential and of drivers.
    pub work: &'a [f64],
    /// Step size of the integrator.
    pub step: f64,
    /// Total energy at the start.
    pub start_energy: f64,
    /// Values of the signals that are recorded; empty unless the owner of the run computes them for its observers.
    pub row: &'a [f64],
}

impl Instant<'_> {
    /// Returns the time, s.
    pub fn time(&self) -> f64 {
        self.context().time()
    }

    /// The context.
    pub fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: self.system.model(),
            kinematics: &self.workspace.kinematics,
        }
    }

    /// Returns the value of a signal.
    pub fn signal(&self, signal: Signal) -> f64 {
        let context = self.context();
        match signal {
            Signal::Body(body, q) if q.stage() == Stage::Acceleration => {
                let marker = context.model.body_marker(body);
                let (a, alpha) = self.marker_acceleration(&context, marker);
                match q {
                    BodyQuantity::Ax => a[0],
                    BodyQuantity::Ay => a[1],
                    BodyQuantity::Az => a[2],
                    BodyQuantity::AlphaX => alpha[0],
                    BodyQuantity::AlphaY => alpha[1],
                    _ => alpha[2],
                }
            }
            Signal::Point(marker, q) if q.stage() == Stage::Acceleration => {
                let (a, _) = self.marker_acceleration(&context, marker);
                match q {
                    PointQuantity::Ax => a[0],
                    PointQuantity::Ay => a[1],
                    _ => a[2],
                }
            }
            Signal::Joint(joint, q) => self.joint_signal(&context, joint, q),
            Signal::Force(f, ForceQuantity::Power) => {
                self.work_slot(f).map_or(0.0, |s| self.power[s])
            }
            Signal::Force(f, ForceQuantity::Work) => {
                self.work_slot(f).map_or(0.0, |s| self.work[s])
            }
            Signal::Force(f, ForceQuantity::Measure(k)) => {
                let force = &context.model.forces[f.0].force;
                match force.friction() {
                    Some(friction) => {
                        let before = &context.model.forces[..f.0];
                        let slot = before
                            .iter()
                            .filter(|e| e.force.friction().is_some())
                            .count();
                        friction.measure_with_normal(k, &context, self.normals[slot])
                    }
                    None => force.measure(k, &context),
                }
            }
            Signal::Driver(d, q) => {
                let row = self
                    .system
                    .rows()
                    .iter()
                    .position(|l| l.owner == RowOwner::Driver(d));
                let effort = row.map_or(0.0, |r| -self.multipliers[r]);
                let slot = self.work.len() - context.model.drivers.len() + d.0;
                match q {
                    DriverQuantity::Effort => effort,
                    DriverQuantity::Power => self.power[slot],
                    DriverQuantity::Work => self.work[slot],
                    DriverQuantity::Target => kinematic_signal(&context, signal),
                }
            }
            Signal::Coupler(c, CouplerQuantity::Effort) => {
                let row = self
                    .system
                    .rows()
                    .iter()
                    .position(|l| l.owner == RowOwner::Coupler(c));
                row.map_or(0.0, |r| -self.multipliers[r]) * first_factor(context.model, c)
            }
            Signal::Node(beam, node, q) if q.stage() == Stage::Acceleration => {
                let axes = context.model.beams[beam.0].axes();
                let at = 2 * axes * node + q.coordinate(axes);
                self.rates[self.system.beam_columns(beam).start + at]
            }
            Signal::Beam(beam, BeamQuantity::Power) => self.power[self.beam_slot(beam)],
            Signal::Beam(beam, BeamQuantity::Work) => self.work[self.beam_slot(beam)],
            Signal::ExactBeam(beam, BeamQuantity::Power) => self.sum_over(beam, self.power),
            Signal::ExactBeam(beam, BeamQuantity::Work) => self.sum_over(beam, self.work),
            Signal::Energy(EnergyQuantity::Work) => self.work.iter().sum(),
            Signal::Energy(EnergyQuantity::Balance) => {
                energy_signal(&context, EnergyQuantity::Total)
                    - self.work.iter().sum::<f64>()
                    - self.start_energy
            }
            Signal::Solver(q) => self.solver_signal(&context, q),
            Signal::Sensor(k) => self.evaluate(&context.model.sensors[k].law),
            _ => kinematic_signal(&context, signal),
        }
    }

    /// Returns the value of a law that may read accelerations and reactions.
    pub fn evaluate(&self, law: &crate::model::Law) -> f64 {
        match law {
            crate::model::Law::Constant(x) => *x,
            crate::model::Law::Function { inputs, function } => {
                let mut values = [0.0; crate::model::MAX_INPUTS];
                for (value, signal) in values.iter_mut().zip(inputs.iter()) {
                    *value = self.signal(*signal);
                }
                function.value(
                    self.workspace.kinematics.law_time(),
                    &values[..inputs.len().min(values.len())],
                )
            }
        }
    }

    /// Beams come between forces and drivers.
    fn beam_slot(&self, beam: BeamIndex) -> usize {
        let model = self.system.model();
        self.work.len() - model.drivers.len() - model.beams.len() + beam.0
    }

    /// Returns the sum of powers or works over the elements of an exact beam.
    fn sum_over(&self, beam: usize, values: &[f64]) -> f64 {
        let elements = &self.system.model().exact_beams[beam].elements;
        let slots = elements.iter().filter_map(|f| self.work_slot(*f));
        slots.map(|slot| values[slot]).sum()
    }

    fn work_slot(&self, force: ForceIndex) -> Option<usize> {
        let forces = &self.system.model().forces;
        let dissipates = |f: &crate::model::ForceElement| f.force.dissipates();
        dissipates(&forces[force.0])
            .then(|| forces[..force.0].iter().filter(|f| dissipates(f)).count())
    }

    fn marker_acceleration(
        &self,
        context: &EvaluationContext<'_>,
        marker: MarkerIndex,
    ) -> (Vec3<f64>, Vec3<f64>) {
        let body = context.body_of(marker);
        let Some(b) = body.number() else {
            return (Vec3::zeros(), Vec3::zeros());
        };
        let motion = context.kinematics.bodies[b];
        let (a, alpha) = self
            .system
            .body_acceleration(context.kinematics, self.rates, b);
        let s = context.marker(marker).p - motion.r;
        (
            a + cross(&alpha, &s) + cross(&motion.w, &cross(&motion.w, &s)),
            alpha,
        )
    }

    fn joint_signal(
        &self,
        context: &EvaluationContext<'_>,
        joint: JointIndex,
        q: JointQuantity,
    ) -> f64 {
        let reaction = &self.workspace.reactions[joint.0];
        match q {
            JointQuantity::Alpha(k) => {
                // the derivative of components along axes that rotate with the first body: Rᵀ (α_B − α_A − ω_A × ω_B)
                let element = &context.model.joints[joint.0];
                let angular = |body: BodyIndex| {
                    body.number().map_or_else(Vec3::zeros, |b| {
                        let system = self.system;
                        system
                            .body_acceleration(context.kinematics, self.rates, b)
                            .1
                    })
                };
                let (first, second) = (element.first.0, element.second.0);
                let [a, b] = [first, second].map(|body| context.kinematics.body(body).w);
                let rate = angular(second) - angular(first) - cross(&a, &b);
                apply_transposed(&context.kinematics.joints[joint.0].R_F, &rate)[k]
            }
            JointQuantity::Acceleration(k) => {
                let row = context.coordinate(joint, k);
                row_acceleration(self.system, context, self.rates, joint, &row)
            }
            JointQuantity::Reaction(i) if i < 3 => reaction.0[i],
            JointQuantity::Reaction(i) => reaction.1[i - 3],
            JointQuantity::ReactionForce => reaction.0.norm(),
            JointQuantity::ReactionMoment => reaction.1.norm(),
            JointQuantity::Value(_)
            | JointQuantity::Rate(_)
            | JointQuantity::Parameter(_)
            | JointQuantity::Turn(_)
            | JointQuantity::Omega(_) => kinematic_signal(context, Signal::Joint(joint, q)),
        }
    }

    fn solver_signal(&self, context: &EvaluationContext<'_>, q: SolverQuantity) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let ws = self.workspace;
        match q {
            SolverQuantity::PositionError => largest(&ws.phi),
            SolverQuantity::VelocityError => largest(&ws.rate),
            SolverQuantity::AccelerationError => {
                let pattern = self.system.jacobian_pattern();
                let residual = |i| pattern.row_times(i, &ws.jacobian, self.rates) - ws.gamma[i];
                (0..ws.gamma.len()).fold(0.0, |m: f64, i| m.max(f64::abs(residual(i))))
            }
            SolverQuantity::Step => self.step,
            _ => momentum_signal(context, q),
        }
    }
}
