//! Nothing is allocated once a run with flexible beams is under way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;

use biela_core::analysis::{Choice, Formulation, Observer, Simulation, Study, assemble};
use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::flexible::{
    Beam, ELEMENTS, ExactBeam, ExactBeamDefinition, Section, SpatialSection, straight,
};
use biela_core::integrators::INTEGRATORS;
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Pose, Vec3};
use biela_core::model::{AnyBeam, Body, Law, MarkerIndex, MassProperties, Model, Space};
use biela_core::system::{Channel, Instant, channels};

/// Fills the same row again and again, as a recorder does.
struct Row {
    channels: Vec<Channel>,
    values: Vec<f64>,
}

impl Observer for Row {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        for (value, channel) in self.values.iter_mut().zip(&self.channels) {
            *value = instant.signal(channel.signal);
        }
        ControlFlow::Continue(())
    }
}

fn add_force(model: &mut Model, kind: &str, fields: &[(&'static str, FieldValue)]) {
    let mut arguments = Arguments::new(model.space);
    for (name, value) in fields {
        arguments.set(name, value.clone());
    }
    let force = biela_core::forces::build(kind, &arguments);
    let _ = model.add_force(kind, force.unwrap().unwrap());
}

/// A swinging damped beam with a body on an offset at its end, a spring, a torque and a load that follows.
fn nodal() -> Model {
    let mut model = Model::new("swing", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let section = Section {
        axial: 1e3,
        bending: 1.0,
        mass: 1.0,
        damping: 1e-3,
    };
    let (nodes, length) = straight([0.0, 0.0], [1.0, 0.0], 3).unwrap();
    let kind = ELEMENTS[0];
    let (shape, points) = ((&nodes[..], length), kind.points());
    let beam = Beam::new("beam", kind.plane(), shape, &[section; 3], 0.0, points);
    let beam = model.add_beam(beam);
    let start = model.add_station(beam, "start", 0.0);
    let end = model.add_station(beam, "end", 1.0);
    let horn = Pose::new(identity(), Vec3::new(0.1, 0.2, 0.0));
    model.set_station_frame(end, &horn);
    let middle = model.add_station(beam, "middle", 0.4);
    let mass = MassProperties::planar(0.2, [0.05, 0.0], 0.01).unwrap();
    let bob = model.add_body(Body::new("bob", mass).at(horn));
    let [start, end, middle, bob] = [start, end, middle, bob].map(|b| model.body_marker(b));
    for (name, between) in [("pin", [MarkerIndex::GROUND, start]), ("hinge", [end, bob])] {
        let joint = Joint::build("revolute", &Arguments::new(Space::Planar));
        let _ = model.add_joint(name, joint.unwrap().unwrap(), between, &identity());
    }
    let ends = FieldValue::Markers([MarkerIndex::GROUND, middle]);
    let (stiffness, rest) = (FieldValue::Number(5.0), FieldValue::Number(0.3));
    let spring = [
        ("between", ends),
        ("stiffness", stiffness),
        ("length", rest),
    ];
    add_force(&mut model, "spring-damper", &spring);
    let constant = |x: f64| Law::Constant(x);
    let load = [
        ("on", FieldValue::Beam(AnyBeam::Nodal(beam))),
        (
            "value",
            FieldValue::Laws(vec![constant(0.0), constant(1.0)]),
        ),
        ("frame", FieldValue::Word("beam".to_owned())),
    ];
    add_force(&mut model, "distributed", &load);
    let torque = [
        ("on", FieldValue::Marker(middle)),
        ("value", FieldValue::Law(constant(0.1))),
    ];
    add_force(&mut model, "torque", &torque);
    model
}

/// A swinging damped beam with shear and torsion, and a load that follows it.
fn exact() -> Model {
    let mut model = Model::new("swing", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let stiffness = [1e3, 5e2, 5e2, 1.0, 1.0, 1.0];
    let section = SpatialSection {
        damping: 1e-3,
        ..SpatialSection::homogeneous(stiffness, 1.0)
    };
    let frame = |k: i32| Pose::new(identity(), Vec3::new(f64::from(k) / 3.0, 0.0, 0.0));
    let plan = ExactBeamDefinition {
        name: "beam".to_owned(),
        origin: Origin::default(),
        frames: (0..4).map(frame).collect(),
        sections: vec![section; 3],
        tension: 0.0,
        places: vec![(0, "start".to_owned()), (3, "end".to_owned())],
        profiles: None,
    };
    let beam = ExactBeam::build(&mut model, &plan);
    let start = model.body_marker(model.exact_beams[beam].nodes[0]);
    let joint = Joint::build("spherical", &Arguments::new(Space::Spatial));
    let between = [MarkerIndex::GROUND, start];
    let _ = model.add_joint("pin", joint.unwrap().unwrap(), between, &identity());
    let value = [0.0, 1.0, 0.5].map(Law::Constant).to_vec();
    let load = [
        ("on", FieldValue::Beam(AnyBeam::Exact(beam))),
        ("value", FieldValue::Laws(value)),
        ("frame", FieldValue::Word("beam".to_owned())),
    ];
    add_force(&mut model, "distributed", &load);
    model
}

fn allocations(model: Model, duration: f64, integrator: &str) -> (u64, u64) {
    let space = model.space;
    let arguments = Arguments::new(space)
        .with("step", FieldValue::Number(5e-4))
        .with("tolerance", FieldValue::Number(1e-6));
    let mut study = Study::new(space, duration, 0.01);
    study.formulation = Formulation::Absolute;
    study.method = Choice {
        kind: "augmented".to_owned(),
        arguments: Arguments::new(space),
    };
    study.integrator = Choice {
        kind: integrator.to_owned(),
        arguments: arguments.only_of(info(integrator)),
    };
    let assembled = assemble(model, study.formulation).unwrap();
    let channels = channels(assembled.system.model());
    let mut row = Row {
        values: vec![0.0; channels.len()],
        channels,
    };
    let mut simulation = Simulation::new(assembled, &study).unwrap();
    let info = allocation_counter::measure(|| {
        let _ = simulation.run(&mut row).unwrap();
    });
    (info.count_total, simulation.statistics().integrator.steps)
}

#[test]
fn a_long_run_with_beams_allocates_no_more_than_a_short_one_with_any_integrator() {
    // kinematics are for models that are driven through and through
    let moving = INTEGRATORS.iter().filter(|info| info.name != "kinematics");
    for info in moving {
        for model in [nodal, exact] {
            let (short, few) = allocations(model(), 0.01, info.name);
            let (long, many) = allocations(model(), 0.4, info.name);
            assert!(many > few + 20, "{}: {few} and {many} steps", info.name);
            assert_eq!(long, short, "{}", info.name);
        }
    }
}

fn info(integrator: &str) -> &'static biela_core::element::Info {
    let mut list = biela_core::integrators::INTEGRATORS.iter();
    list.find(|info| info.name == integrator).unwrap()
}
