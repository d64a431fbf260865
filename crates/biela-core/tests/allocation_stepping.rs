//! A simulation that is stepped, fed and read does not allocate.
#![allow(clippy::unwrap_used)]

use biela_core::analysis::{Formulation, Simulation, Study, assemble};
use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::forces;
use biela_core::joints::Joint;
use biela_core::math::Vec3;
use biela_core::math::rotation::identity;
use biela_core::model::{
    Body, Hold, InputElement, InputIndex, JointIndex, JointQuantity, Law, MarkerIndex,
    MassProperties, Model, Signal, Space,
};

fn cart_pole() -> Model {
    let space = Space::Planar;
    let mut model = Model::new("cart-pole", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.inputs.push(InputElement {
        name: "push".to_owned(),
        origin: Origin::default(),
        unit: "N".to_owned(),
        initial: 0.0,
        hold: Hold::Zero,
    });
    let cart = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
    let cart = model.add_body(Body::new("cart", cart));
    let pole = MassProperties::planar(0.1, [0.0, 0.5], 0.0083).unwrap();
    let pole = model.add_body(Body::new("pole", pole));
    let (on, pivot) = (model.body_marker(cart), model.body_marker(pole));
    let joint = |kind| Joint::build(kind, &Arguments::new(space)).unwrap().unwrap();
    let rail = joint("prismatic");
    let rail = model.add_joint("rail", rail, [MarkerIndex::GROUND, on], &identity());
    let _ = model.add_joint("hinge", joint("revolute"), [on, pivot], &identity());
    let mut motor = Arguments::new(space);
    motor.set("joint", FieldValue::Coordinate(rail, 0));
    let push = Law::signal(Signal::Input(InputIndex(0)));
    motor.set("effort", FieldValue::Law(push));
    let _ = model.add_force("motor", forces::build("actuator", &motor).unwrap().unwrap());
    model
}

#[test]
fn a_step_with_an_input_set_and_signals_read_does_not_allocate() {
    for formulation in [Formulation::Tree, Formulation::Absolute] {
        let mut study = Study::new(Space::Planar, 10.0, 0.02);
        study.formulation = formulation;
        study.integrator.kind = "rk4".to_owned();
        study.integrator.arguments =
            Arguments::new(Space::Planar).with("step", FieldValue::Number(1e-3));
        let assembled = assemble(cart_pole(), formulation).unwrap();
        let mut simulation = Simulation::new(assembled, &study).unwrap();
        let joint = |j, quantity| Signal::Joint(JointIndex(j), quantity);
        let signals = [
            joint(0, JointQuantity::Value(0)),
            joint(1, JointQuantity::Value(0)),
            joint(0, JointQuantity::Rate(0)),
            joint(1, JointQuantity::Acceleration(0)),
        ];
        let mut values = [0.0; 4];
        let mut steps = |count: u32| {
            for k in 0..count {
                let push = f64::from(k % 7) - 3.0;
                simulation.set(InputIndex(0), push).unwrap();
                let _ = simulation.step().unwrap();
                simulation.observe(&signals, &mut values).unwrap();
            }
        };
        steps(50);
        let counted = allocation_counter::measure(|| steps(500));
        assert_eq!(counted.count_total, 0, "{formulation:?}");
    }
}
