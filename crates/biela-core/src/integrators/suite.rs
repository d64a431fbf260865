//! Every integrator of the list: order, dense output, error against tolerance, repeatability.

use super::{INTEGRATORS, Integrator, ORDERS, Ode, build};
use crate::element::{Arguments, Value};
use crate::methods::MethodError;
use crate::model::Space;

/// Two oscillators of different pace, one driven, and a decaying quantity: smooth, with a closed form.
struct Smooth;

fn exact(t: f64) -> [f64; 3] {
    [t.cos(), -t.sin(), (t.sin()).exp()]
}

impl Ode for Smooth {
    fn len(&self) -> usize {
        3
    }
    fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
        dy[0] = y[1];
        dy[1] = -y[0];
        dy[2] = t.cos() * y[2];
        Ok(())
    }
}

fn made(kind: &str, fields: &[(&'static str, f64)]) -> Box<dyn Integrator> {
    let mut arguments = Arguments::new(Space::Planar);
    for (name, value) in fields {
        arguments.set(name, Value::Number(*value));
    }
    build(kind, &arguments, 3).unwrap().unwrap()
}

/// Fixed steps of `h`: an adaptive integrator is held to them by a loose tolerance and its bounds.
fn fixed(kind: &str, h: f64) -> Box<dyn Integrator> {
    match kind {
        "rk4" => made(kind, &[("step", h)]),
        _ => made(
            kind,
            &[("tolerance", 1e10), ("max_step", h), ("first_step", h)],
        ),
    }
}

fn error(found: &[f64], t: f64) -> f64 {
    found
        .iter()
        .zip(exact(t))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

/// Errors at the end of [0, 2] and at the worst of points between steps.
fn errors(integrator: &mut dyn Integrator) -> (f64, f64) {
    let mut ode = Smooth;
    integrator.start(&mut ode, 0.0, &exact(0.0)).unwrap();
    let (mut t, mut between) = (0.0, 0.0_f64);
    let mut y = [0.0; 3];
    while t < 2.0 {
        let reached = integrator.step(&mut ode, 2.0).unwrap();
        integrator.prepare_dense(&mut ode).unwrap();
        for part in [0.25, 0.5, 0.8] {
            let at = t + part * (reached - t);
            integrator.interpolate(at, &mut y);
            between = between.max(error(&y, at));
        }
        t = reached;
    }
    (error(integrator.y(), t), between)
}

#[test]
fn every_integrator_has_its_order_at_the_end_and_one_less_at_most_between_steps() {
    for (info, &order) in INTEGRATORS.iter().zip(ORDERS) {
        let measured = |h: f64| errors(fixed(info.name, h).as_mut());
        let coarse = measured(0.1);
        let fine = measured(0.025);
        let slope = |a: f64, b: f64| (a / b).ln() / 4.0_f64.ln();
        let end = slope(coarse.0, fine.0);
        assert!(
            (end - f64::from(order)).abs() < 0.15,
            "{}: order {end:.3}",
            info.name
        );
        let between = slope(coarse.1, fine.1);
        assert!(
            between > f64::from(order) - 1.15,
            "{}: dense order {between:.3}",
            info.name
        );
    }
}

#[test]
fn errors_follow_the_tolerance() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let mut integrator = made("dopri5", &[("tolerance", tolerance)]);
        let (end, between) = errors(integrator.as_mut());
        assert!(end < 10.0 * tolerance, "{end:.1e} at {tolerance:.0e}");
        assert!(
            between < 100.0 * tolerance,
            "{between:.1e} at {tolerance:.0e}"
        );
    }
}

#[test]
fn the_work_of_a_run_is_known() {
    let mut integrator = made("dopri5", &[("tolerance", 1e-8)]);
    let _ = errors(integrator.as_mut());
    let work = integrator.work();
    assert_eq!((work.steps, work.rejected, work.evaluations), (22, 0, 135));
}

#[test]
fn steps_end_exactly_at_the_end() {
    for info in INTEGRATORS {
        let mut integrator = fixed(info.name, 0.3);
        let mut ode = Smooth;
        integrator.start(&mut ode, 0.0, &exact(0.0)).unwrap();
        let mut last = 0.0;
        while last < 1.0 {
            last = integrator.step(&mut ode, 1.0).unwrap();
        }
        assert_eq!(last, 1.0, "{}", info.name);
    }
}

/// y' = 1/(1 − t): blows up at 1.
struct Blowing;

impl Ode for Blowing {
    fn len(&self) -> usize {
        1
    }
    fn derivative(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
        dy[0] = y[0] * y[0];
        Ok(())
    }
}

#[test]
fn a_motion_that_blows_up_ends_with_its_time_not_in_a_loop() {
    let arguments = Arguments::new(Space::Planar).with("tolerance", Value::Number(1e-8));
    let mut integrator = build("dopri5", &arguments, 1).unwrap().unwrap();
    let mut ode = Blowing;
    integrator.start(&mut ode, 0.0, &[1.0]).unwrap();
    let error = loop {
        if let Err(error) = integrator.step(&mut ode, 2.0) {
            break error;
        }
        assert!(integrator.work().steps < 5000);
    };
    let super::IntegrationError::StepTooSmall { time, .. } = error else {
        panic!("{error}")
    };
    assert!((time - 1.0).abs() < 1e-6);
}
