//! Models and helpers shared by the validation tests.
use std::ops::ControlFlow;

use biela_core::analysis::{
    Choice, Formulation, Observer, Simulation, Statistics, Stop, Study, assemble,
};
use biela_core::element::{Arguments, FieldValue};
use biela_core::forces;
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
use biela_core::system::{Instant, SingularPose, channels};

/// A joint without fields.
pub(crate) fn joint(kind: &str, space: Space) -> Joint {
    Joint::build(kind, &Arguments::new(space)).unwrap().unwrap()
}

/// A force by its fields.
pub(crate) fn force(
    kind: &str,
    space: Space,
    fields: &[(&'static str, FieldValue)],
) -> Box<dyn biela_core::forces::Force> {
    let mut arguments = Arguments::new(space);
    for (name, value) in fields {
        arguments.set(name, value.clone());
    }
    forces::build(kind, &arguments).unwrap().unwrap()
}

/// No turn.
pub(crate) fn straight() -> Mat3<f64> {
    identity()
}

/// A pose without turn.
pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(identity(), Vec3::new(x, y, z))
}

/// Every signal at every output time.
pub(crate) struct Series {
    names: Vec<String>,
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) times: Vec<f64>,
    pub(crate) statistics: Statistics,
    pub(crate) stop: Stop,
    pub(crate) singular: Vec<SingularPose>,
}

impl Series {
    /// The names of all signals.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The column of a signal.
    pub(crate) fn index(&self, name: &str) -> usize {
        let k = self.names.iter().position(|n| n == name);
        k.unwrap_or_else(|| panic!("no signal {name} among {:?}", self.names))
    }

    /// All values of a signal.
    pub(crate) fn all(&self, name: &str) -> Vec<f64> {
        let k = self.index(name);
        self.rows.iter().map(|row| row[k]).collect()
    }

    /// The value of a signal at an output time.
    pub(crate) fn at(&self, name: &str, time: f64) -> f64 {
        let i = self
            .times
            .iter()
            .position(|t| (t - time).abs() < 1e-9)
            .expect("output time");
        self.all(name)[i]
    }

    /// The last value of a signal.
    pub(crate) fn last(&self, name: &str) -> f64 {
        *self.all(name).last().unwrap()
    }
}

struct Everything {
    channels: Vec<biela_core::system::Channel>,
    rows: Vec<Vec<f64>>,
    times: Vec<f64>,
    singular: Vec<SingularPose>,
}

impl Observer for Everything {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        self.times.push(instant.context().time());
        self.rows.push(
            self.channels
                .iter()
                .map(|c| instant.signal(c.signal))
                .collect(),
        );
        ControlFlow::Continue(())
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        self.singular.push(pose.clone());
    }
}

/// A study by words.
pub(crate) fn study(
    space: Space,
    duration: f64,
    output: f64,
    method: &str,
    integrator: &str,
    number: f64,
) -> Study {
    let field = if matches!(integrator, "rk4" | "kinematics" | "generalized-alpha") {
        "step"
    } else {
        "tolerance"
    };
    let mut study = Study::new(space, duration, output);
    study.formulation = Formulation::Absolute;
    study.method = Choice {
        kind: method.to_owned(),
        arguments: Arguments::new(space),
    };
    study.integrator = Choice {
        kind: integrator.to_owned(),
        arguments: Arguments::new(space).with(field, FieldValue::Number(number)),
    };
    study
}

/// Assembles and runs.
pub(crate) fn run(model: Model, study: &Study) -> Series {
    let assembled = assemble(model, study.formulation).unwrap_or_else(|e| panic!("{e}"));
    let channels = channels(assembled.system.model());
    let mut simulation = Simulation::new(assembled, study).unwrap();
    let mut everything = Everything {
        channels,
        rows: Vec::new(),
        times: Vec::new(),
        singular: Vec::new(),
    };
    let stop = simulation
        .run(&mut everything)
        .unwrap_or_else(|e| panic!("{e}"));
    Series {
        names: everything.channels.into_iter().map(|c| c.name).collect(),
        rows: everything.rows,
        times: everything.times,
        statistics: simulation.statistics(),
        stop,
        singular: everything.singular,
    }
}

/// The slider-crank of Vaz, Rade and Albuquerque: crank 1, rod 2, slider 3; frames at the crank pivot and crank pin when
/// `centroidal` is false, at the mass centres when it is true.
pub(crate) fn slider_crank(mu: f64, centroidal: bool) -> Model {
    let space = Space::Planar;
    let (l1, l2, e1, e2) = (0.0508, 0.2032, 0.0101, 0.0407);
    let mut model = Model::new("slider-crank", space);
    let (c1, c2) = if centroidal { (e1, e2) } else { (0.0, 0.0) };
    let crank = model.add_body(Body::new(
        "crank",
        MassProperties::planar(0.0340, [e1 - c1, 0.0], 0.01830).unwrap(),
    ));
    let rod = model.add_body(Body::new(
        "rod",
        MassProperties::planar(0.1360, [e2 - c2, 0.0], 0.01065).unwrap(),
    ));
    let slider = model.add_body(
        Body::new(
            "slider",
            MassProperties::planar(0.907, [0.0, 0.0], 1.0).unwrap(),
        )
        .at(at(l1 + l2, 0.0, 0.0)),
    );
    let o = model.add_marker("O", crank, at(-c1, 0.0, 0.0));
    let a1 = model.add_marker("A", crank, at(l1 - c1, 0.0, 0.0));
    let a2 = model.add_marker("A", rod, at(-c2, 0.0, 0.0));
    let b2 = model.add_marker("B", rod, at(l2 - c2, 0.0, 0.0));
    let b3 = model.body_marker(slider);
    let pin = joint("revolute", space);
    let _ = model.add_joint("pin_O", pin.clone(), [MarkerIndex::GROUND, o], &straight());
    let _ = model.add_joint("pin_A", pin.clone(), [a1, a2], &straight());
    let _ = model.add_joint("pin_B", pin, [b2, b3], &straight());
    let guide = joint("prismatic", space);
    let guide = model.add_joint("guide", guide, [MarkerIndex::GROUND, b3], &straight());
    let crank_marker = model.body_marker(crank);
    let torque = force(
        "torque",
        space,
        &[
            ("on", FieldValue::Marker(crank_marker)),
            ("value", FieldValue::Number(20.0)),
        ],
    );
    let _ = model.add_force("drive", torque);
    if mu > 0.0 {
        let friction = force(
            "coulomb-friction",
            space,
            &[
                ("joint", FieldValue::Coordinate(guide, 0)),
                ("mu", FieldValue::Number(mu)),
                ("transition_speed", FieldValue::Number(0.0)),
            ],
        );
        let _ = model.add_force("rubbing", friction);
    }
    model
}
