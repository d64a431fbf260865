//! Tests of every integrator of the list: order, dense output, error relative to the tolerance, work, replaced states, end times.

use super::{Abm, INTEGRATORS, IntegrationError, Integrator, ORDERS, Ode, build, general};
use crate::element::{Arguments, FieldValue, Info};
use crate::methods::MethodError;
use crate::model::Space;

/// An oscillator that drives the growth of a third quantity: smooth, coupled, with a closed-form solution.
struct Smooth;

fn exact(t: f64) -> [f64; 3] {
    [t.cos(), -t.sin(), (0.2 * t.sin()).exp()]
}

impl Ode for Smooth {
    fn len(&self) -> usize {
        3
    }
    fn derivative(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
        dy[0] = y[1];
        dy[1] = -y[0];
        dy[2] = 0.2 * y[0] * y[2];
        Ok(())
    }
}

fn made(kind: &str, fields: &[(&'static str, f64)], len: usize) -> Box<dyn Integrator> {
    let mut arguments = Arguments::new(Space::Planar);
    for (name, value) in fields {
        arguments.set(name, FieldValue::Number(*value));
    }
    let info = INTEGRATORS.iter().find(|info| info.name == kind).unwrap();
    let arguments = arguments.only_of(info);
    build(kind, &arguments, len).unwrap().unwrap()
}

fn has(info: &Info, field: &str) -> bool {
    info.fields.iter().any(|f| f.name == field)
}

/// The integrators with error control.
fn adaptive() -> impl Iterator<Item = &'static Info> {
    general().filter(|info| has(info, "tolerance"))
}

fn started(kind: &str, fields: &[(&'static str, f64)]) -> Box<dyn Integrator> {
    let mut integrator = made(kind, fields, 3);
    integrator.start(&mut Smooth, 0.0, &exact(0.0)).unwrap();
    integrator
}

/// An integrator with fixed steps of `h` and its highest order. An adaptive integrator is restricted to them by a loose tolerance and its step bounds;
/// a multistep method starts with exact slopes.
fn fixed(info: &Info, h: f64) -> Box<dyn Integrator> {
    if info.name == "abm" {
        return Box::new(multistep(10, h));
    }
    let adaptive = [("tolerance", 1e10), ("max_step", h), ("first_step", h)];
    let fixed = [("step", h)];
    let choose = has(info, "tolerance");
    started(info.name, if choose { &adaptive } else { &fixed })
}

fn multistep(order: u32, h: f64) -> Abm {
    Abm::under_way(order, h, &exact(0.0), |t| {
        let mut slope = vec![0.0; 3];
        Smooth.derivative(t, &exact(t), &mut slope).unwrap();
        slope
    })
}

fn error(found: &[f64], t: f64) -> f64 {
    let off = found.iter().zip(exact(t)).map(|(a, b)| (a - b).abs());
    off.fold(0.0, f64::max)
}

/// Returns the largest errors at the ends of steps and between them, up to a time.
fn errors(integrator: &mut dyn Integrator, end: f64) -> (f64, f64) {
    let (mut t, mut at_ends, mut between) = (0.0, 0.0_f64, 0.0_f64);
    let mut y = [0.0; 3];
    while t < end {
        let reached = integrator.step(&mut Smooth, end).unwrap();
        integrator.prepare_dense(&mut Smooth).unwrap();
        at_ends = at_ends.max(error(integrator.y(), reached));
        for part in [0.25, 0.5, 0.8] {
            let at = t + part * (reached - t);
            integrator.interpolate(at, &mut y);
            between = between.max(error(&y, at));
        }
        t = reached;
    }
    (at_ends, between)
}

/// Returns the slope of the regression line through (ln x, ln y).
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let (mx, my) = (
        logs().map(|p| p.0).sum::<f64>() / n,
        logs().map(|p| p.1).sum::<f64>() / n,
    );
    let (mut xy, mut xx) = (0.0, 0.0);
    for (x, y) in logs() {
        xy += (x - mx) * (y - my);
        xx += (x - mx) * (x - mx);
    }
    xy / xx
}

/// Returns the measured orders at the ends of steps and between them, for these numbers of steps per second.
fn orders(make: impl Fn(f64) -> Box<dyn Integrator>, counts: [u32; 5]) -> (f64, f64) {
    let (mut at_ends, mut between) = (Vec::new(), Vec::new());
    for count in counts {
        let h = 1.0 / f64::from(count);
        let found = errors(make(h).as_mut(), 30.0);
        at_ends.push((h, found.0));
        between.push((h, found.1));
    }
    (slope(&at_ends), slope(&between))
}

/// Returns the nominal order of an integrator.
fn order(info: &Info) -> u32 {
    let place = INTEGRATORS.iter().position(|i| i.name == info.name);
    ORDERS[place.unwrap()]
}

// Steps per second in the asymptotic range: the next error term is small, and rounding error is smaller still.
const MANY: [u32; 5] = [6, 8, 12, 16, 24];
const SOME: [u32; 5] = [8, 9, 10, 11, 12];
const FEW: [u32; 5] = [2, 3, 4, 5, 6];

#[test]
fn every_integrator_has_its_order_at_the_end_and_one_less_at_most_between_steps() {
    for info in general() {
        let order = order(info);
        let counts = match order {
            ..=5 => MANY,
            6..=8 => FEW,
            _ => SOME,
        };
        let (end, between) = orders(|h| fixed(info, h), counts);
        let name = info.name;
        assert!((end - f64::from(order)).abs() < 0.15, "{name}: {end:.3}");
        assert!(between > f64::from(order) - 1.15, "{name}: {between:.3}");
    }
}

#[test]
fn the_corrector_has_one_order_more_than_the_predictor() {
    for k in 1..=10 {
        let counts = if k < 7 { MANY } else { SOME };
        let (end, between) = orders(|h| Box::new(multistep(k, h)), counts);
        let order = f64::from(k + 1);
        assert!((end - order).abs() < 0.15, "{k}: {end:.3}");
        assert!((between - order).abs() < 0.15, "{k}: {between:.3}");
    }
}

#[test]
fn errors_follow_the_tolerance() {
    for info in adaptive() {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
            let mut integrator = started(info.name, &[("tolerance", tolerance)]);
            let (end, between) = errors(integrator.as_mut(), 2.0);
            let what = format!("{} at {tolerance:.0e}: {end:.1e}, {between:.1e}", info.name);
            // each step may have an error of the tolerance, and the errors accumulate
            let allowed = tolerance * (integrator.work().steps as f64).max(10.0);
            assert!(end < allowed, "{what}");
            assert!(between < 2.0 * allowed.max(50.0 * tolerance), "{what}");
        }
    }
}

#[test]
fn the_work_of_a_run_is_known() {
    let work: Vec<(&str, u64, u64, u64)> = adaptive()
        .map(|info| {
            let mut integrator = started(info.name, &[("tolerance", 1e-8)]);
            let _ = errors(integrator.as_mut(), 2.0);
            let work = integrator.work();
            (info.name, work.steps, work.rejected, work.evaluations)
        })
        .collect();
    let known = [
        ("rk4-doubling", 20, 0, 222),
        ("merson", 24, 0, 122),
        ("dopri5", 22, 0, 134),
        ("dop853", 7, 0, 107),
        ("abm", 26, 0, 81),
    ];
    assert_eq!(work, known);
}

#[test]
fn every_evaluation_and_every_step_is_counted() {
    struct Counting {
        evaluations: u64,
        announced: u64,
    }
    impl Ode for Counting {
        fn len(&self) -> usize {
            3
        }
        fn trying(&mut self, step: f64) {
            assert!(step > 0.0);
            self.announced += 1;
        }
        fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
            self.evaluations += 1;
            Smooth.derivative(t, y, dy)
        }
    }
    for info in general() {
        let mut ode = Counting {
            evaluations: 0,
            announced: 0,
        };
        let mut integrator = made(info.name, &[("tolerance", 1e-8), ("step", 0.01)], 3);
        integrator.start(&mut ode, 0.0, &exact(0.0)).unwrap();
        let mut t = 0.0;
        while t < 3.0 {
            t = integrator.step(&mut ode, 3.0).unwrap();
            if t < 2.0 {
                integrator.prepare_dense(&mut ode).unwrap();
            }
        }
        let work = integrator.work();
        assert_eq!(work.evaluations, ode.evaluations, "{}", info.name);
        assert_eq!(work.steps + work.rejected, ode.announced, "{}", info.name);
    }
}

#[test]
fn steps_end_exactly_at_the_end() {
    for info in general() {
        // the first end time falls into the starting phase of a multistep method, the later ones after it
        let fields = [("tolerance", 1e-6), ("step", 0.3)];
        let mut integrator = started(info.name, &fields);
        let mut last = 0.0;
        for end in [0.01, 1.0, 1.0 + 1e-9, 7.3] {
            while last < end {
                last = integrator.step(&mut Smooth, end).unwrap();
                assert!(integrator.step_size() > 0.0);
            }
            assert_eq!(last, end, "{}", info.name);
        }
    }
}

#[test]
fn the_dense_output_interpolates_both_ends_of_the_step() {
    for info in general() {
        let mut integrator = started(info.name, &[("tolerance", 1e-6), ("step", 0.1)]);
        let (mut t, mut before, mut found) = (0.0, exact(0.0).to_vec(), [0.0; 3]);
        while t < 6.0 {
            let reached = integrator.step(&mut Smooth, 6.0).unwrap();
            integrator.prepare_dense(&mut Smooth).unwrap();
            for (at, y) in [(t, before.as_slice()), (reached, integrator.y())] {
                integrator.interpolate(at, &mut found);
                for (a, b) in found.iter().zip(y) {
                    assert!((a - b).abs() < 1e-14, "{}", info.name);
                }
            }
            before.copy_from_slice(integrator.y());
            t = reached;
        }
    }
}

/// Runs to 6 and replaces the state after each step; interpolates between steps if `dense`.
fn replacing(kind: &str, dense: bool, change: impl Fn(f64, &mut [f64])) -> (f64, Vec<f64>) {
    let mut integrator = started(kind, &[("tolerance", 1e-9), ("step", 0.01)]);
    let (mut t, mut y) = (0.0, [0.0; 3]);
    while t < 6.0 {
        t = integrator.step(&mut Smooth, 6.0).unwrap();
        if dense {
            integrator.prepare_dense(&mut Smooth).unwrap();
        }
        y.copy_from_slice(integrator.y());
        change(t, &mut y);
        integrator.replace(&y);
    }
    (error(&y, t), y.to_vec())
}

#[test]
fn a_state_replaced_by_itself_changes_nothing() {
    for info in general() {
        let mut integrator = started(info.name, &[("tolerance", 1e-9), ("step", 0.01)]);
        let _ = errors(integrator.as_mut(), 6.0);
        for dense in [false, true] {
            let (_, y) = replacing(info.name, dense, |_, _| {});
            assert_eq!(y, integrator.y(), "{} {dense}", info.name);
        }
    }
}

#[test]
fn a_replaced_state_is_where_the_next_step_starts() {
    for info in general() {
        // error of one step of 0.01, and of 600 steps
        let (step, run) = if has(info, "tolerance") {
            (2e-9, 2e-7)
        } else {
            let run = 20.0 * 0.01_f64.powi(order(info).cast_signed());
            (0.01 * run, run)
        };
        for dense in [false, true] {
            // if the exact state is inserted after each step, only the last step contributes an error
            let (error, _) = replacing(info.name, dense, |t, y| {
                if t < 6.0 {
                    y.copy_from_slice(&exact(t));
                }
            });
            assert!(error < step, "{} {dense}: {error:.1e}", info.name);
            // projection to the circle does not reduce the accuracy
            let (error, _) = replacing(info.name, dense, |_, y| {
                let r = y[0].hypot(y[1]);
                y[0] /= r;
                y[1] /= r;
            });
            assert!(error < run, "{} {dense}: {error:.1e}", info.name);
        }
    }
}

#[test]
fn unknowns_outside_the_error_control_do_not_change_the_steps() {
    struct Carrying;
    impl Ode for Carrying {
        fn len(&self) -> usize {
            4
        }
        fn num_controlled(&self) -> usize {
            3
        }
        fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
            dy[3] = 1e3 * (40.0 * t).sin();
            Smooth.derivative(t, &y[..3], &mut dy[..3])
        }
    }
    for info in adaptive() {
        let mut plain = started(info.name, &[("tolerance", 1e-6)]);
        let mut carrying = made(info.name, &[("tolerance", 1e-6)], 4);
        let [a, b, c] = exact(0.0);
        carrying.start(&mut Carrying, 0.0, &[a, b, c, 0.0]).unwrap();
        let mut t = 0.0;
        while t < 5.0 {
            t = plain.step(&mut Smooth, 5.0).unwrap();
            assert_eq!(t, carrying.step(&mut Carrying, 5.0).unwrap());
        }
        assert_eq!(plain.y(), &carrying.y()[..3]);
    }
}

/// ẏ = y²: singular at t = 1.
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

/// Returns the error that ends a run.
fn failure(integrator: &mut dyn Integrator, ode: &mut dyn Ode) -> IntegrationError {
    loop {
        if let Err(error) = integrator.step(ode, 2.0) {
            return error;
        }
        assert!(integrator.work().steps < 20_000);
    }
}

#[test]
fn a_solution_with_finite_escape_time_ends_with_an_error_at_its_time() {
    for info in adaptive() {
        let mut integrator = made(info.name, &[("tolerance", 1e-8)], 1);
        integrator.start(&mut Blowing, 0.0, &[1.0]).unwrap();
        let error = failure(integrator.as_mut(), &mut Blowing);
        let IntegrationError::StepTooSmall { time, .. } = error else {
            panic!("{}: {error}", info.name)
        };
        assert!((time - 1.0).abs() < 1e-6, "{}: {time}", info.name);
    }
}

#[test]
fn a_failing_right_hand_side_ends_the_run_near_its_time_with_the_cause() {
    struct Jamming {
        reached: f64,
    }
    impl Ode for Jamming {
        fn len(&self) -> usize {
            3
        }
        fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
            if t > 1.0 {
                return Err(MethodError::Jammed {
                    force: "brake".to_owned(),
                    time: t,
                });
            }
            self.reached = self.reached.max(t);
            Smooth.derivative(t, y, dy)
        }
    }
    for info in adaptive() {
        let mut ode = Jamming { reached: 0.0 };
        let mut integrator = made(info.name, &[("tolerance", 1e-6)], 3);
        integrator.start(&mut ode, 0.0, &exact(0.0)).unwrap();
        let error = failure(integrator.as_mut(), &mut ode);
        let jammed = matches!(error, IntegrationError::Method(MethodError::Jammed { .. }));
        assert!(jammed, "{}: {error}", info.name);
        assert!(ode.reached > 1.0 - 1e-9, "{}: {}", info.name, ode.reached);
    }
}

#[test]
fn a_discontinuity_of_f_is_passed_within_the_tolerance() {
    struct Kicked;
    impl Ode for Kicked {
        fn len(&self) -> usize {
            3
        }
        fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
            Smooth.derivative(t, y, dy)?;
            // the third quantity grows at a constant rate from t = 1
            dy[2] = if t < 1.0 { 0.0 } else { 5.0 };
            Ok(())
        }
    }
    for info in adaptive() {
        let mut integrator = made(info.name, &[("tolerance", 1e-8)], 3);
        integrator
            .start(&mut Kicked, 0.0, &[1.0, 0.0, 0.0])
            .unwrap();
        let mut t = 0.0;
        while t < 3.0 {
            t = integrator.step(&mut Kicked, 3.0).unwrap();
        }
        let error = (integrator.y()[2] - 10.0).abs();
        assert!(error < 1e-6, "{}: {error:.1e}", info.name);
        let work = integrator.work();
        assert!(work.rejected < 60, "{}: {work:?}", info.name);
    }
}

#[test]
fn a_tolerance_below_rounding_and_an_invalid_order_are_rejected() {
    let refused = |kind: &str, name: &'static str, value: f64| {
        let arguments = Arguments::new(Space::Planar).with(name, FieldValue::Number(value));
        build(kind, &arguments, 1).unwrap().err().map(|e| e.field)
    };
    for info in adaptive() {
        assert_eq!(refused(info.name, "tolerance", 1e-17), Some("tolerance"));
    }
    for order in [0.0, 2.5, 13.0, f64::NAN] {
        assert_eq!(refused("abm", "order", order), Some("order"));
    }
    assert_eq!(refused("abm", "order", 12.0), None);
}
