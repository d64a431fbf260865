//! No integrator allocates once it is built.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::element::{Arguments, FieldValue};
use biela_core::integrators::{Integrator, Ode, build, general};
use biela_core::methods::MethodError;
use biela_core::model::Space;

/// A pendulum whose pivot force jumps now and then, so that steps are rejected and orders change.
struct Knocked;

impl Ode for Knocked {
    fn len(&self) -> usize {
        2
    }
    fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
        dy[0] = y[1];
        dy[1] = -y[0].sin() + if t.sin() > 0.9 { 0.5 } else { 0.0 };
        Ok(())
    }
}

/// Steps, dense output and replaced states up to t = 50.
fn march(integrator: &mut dyn Integrator) {
    integrator.start(&mut Knocked, 0.0, &[1.0, 0.0]).unwrap();
    let (mut time, mut y) = (0.0, [0.0; 2]);
    while time < 50.0 {
        let before = time;
        time = integrator.step(&mut Knocked, 50.0).unwrap();
        integrator.prepare_dense(&mut Knocked).unwrap();
        integrator.interpolate(0.5 * (before + time), &mut y);
        y.copy_from_slice(integrator.y());
        y[1] *= 1.0 - 1e-12;
        integrator.replace(&y);
    }
}

#[test]
fn steps_dense_output_and_replaced_states_do_not_allocate() {
    for info in general() {
        let arguments = Arguments::new(Space::Planar)
            .with("tolerance", FieldValue::Number(1e-8))
            .with("step", FieldValue::Number(0.01))
            .only_of(info);
        let mut integrator = build(info.name, &arguments, 2).unwrap().unwrap();
        let measured = allocation_counter::measure(|| march(integrator.as_mut()));
        assert_eq!(measured.count_total, 0, "{}", info.name);
        assert!(integrator.work().steps > 40, "{}", info.name);
    }
}
