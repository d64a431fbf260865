//! Events: located, marked, stopping.

use std::sync::Arc;

use biela_core::analysis::{Formulation, Observer, Simulation, Stop, Study, assemble};
use biela_core::element::Origin;
use biela_core::math::{Jet, Vec3};
use biela_core::model::{
    Body, BodyIndex, BodyQuantity, Crossing, Event, EventAction, Law, MassProperties, Model,
    Signal, SignalFunction, Space,
};
use biela_core::system::Instant;
use std::ops::ControlFlow;

use crate::common::{run, study};

/// The first input less a number.
#[derive(Debug)]
struct Less(f64);

impl SignalFunction for Less {
    fn value(&self, _: f64, inputs: &[f64]) -> f64 {
        inputs[0] - self.0
    }
    fn jet(&self, _: f64) -> Jet {
        Jet {
            value: f64::NAN,
            rate: f64::NAN,
            curvature: f64::NAN,
        }
    }
}

fn event(
    name: &str,
    q: BodyQuantity,
    level: f64,
    crossing: Crossing,
    action: EventAction,
) -> Event {
    let inputs: Arc<[Signal]> = Arc::from([Signal::Body(BodyIndex(0), q)]);
    Event {
        name: name.into(),
        origin: Origin::default(),
        law: Law::Function {
            inputs,
            function: Arc::new(Less(level)),
        },
        crossing,
        action,
    }
}

/// A stone thrown up at 10 m/s.
fn stone(events: Vec<Event>) -> Model {
    let mut model = Model::new("stone", Space::Planar);
    model.gravity = Vec3::new(0.0, -10.0, 0.0);
    let mut body = Body::new(
        "stone",
        MassProperties::planar(1.0, [0.0, 0.0], 1.0).unwrap(),
    );
    body.start.pose = Some(biela_core::math::Pose::identity());
    body.velocity = Some(biela_core::model::Velocity0 {
        linear: Vec3::new(1.0, 10.0, 0.0),
        angular: Vec3::zeros(),
    });
    let _ = model.add_body(body);
    model.events = events;
    model
}

struct Marks(Vec<(String, f64)>);

impl Observer for Marks {
    fn sample(&mut self, _: &Instant<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        self.0.push((event.name.clone(), instant.context().time()));
    }
}

fn marks(events: Vec<Event>, integrator: &str, number: f64) -> (Vec<(String, f64)>, Stop) {
    let study = study(Space::Planar, 3.0, 0.25, "augmented", integrator, number);
    marked(events, &study)
}

fn marked(events: Vec<Event>, study: &Study) -> (Vec<(String, f64)>, Stop) {
    let assembled = assemble(stone(events), Formulation::Absolute).unwrap();
    let mut simulation = Simulation::new(assembled, study).unwrap();
    let mut marks = Marks(Vec::new());
    let stop = simulation.run(&mut marks).unwrap();
    (marks.0, stop)
}

#[test]
fn crossings_are_located_in_order_and_a_stop_ends_the_run() {
    use BodyQuantity as Q;
    for (integrator, number) in [("dopri5", 1e-9), ("rk4", 0.07)] {
        let (found, stop) = marks(
            vec![
                event("ground", Q::Y, -0.01, Crossing::Falling, EventAction::Stop),
                event("top", Q::Vy, 0.0, Crossing::Any, EventAction::Mark),
                event("height", Q::Y, 3.0, Crossing::Any, EventAction::Mark),
                event(
                    "never rising",
                    Q::Vy,
                    0.0,
                    Crossing::Rising,
                    EventAction::Mark,
                ),
            ],
            integrator,
            number,
        );
        // y = 10 t − 5 t²
        let up = 1.0 - (1.0_f64 - 0.6).sqrt();
        let end = 1.0 + (1.0_f64 + 0.002).sqrt();
        let expected = [
            ("height", up),
            ("top", 1.0),
            ("height", 2.0 - up),
            ("ground", end),
        ];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((name, time), (wanted, at)) in found.iter().zip(expected) {
            assert_eq!(name, wanted);
            assert!(
                (time - at).abs() < 1e-9,
                "{integrator}: {name} at {time} instead of {at}"
            );
        }
        assert!(matches!(stop, Stop::Event { name, .. } if name == "ground"));
    }
}

#[test]
fn the_state_at_a_stop_is_the_last_sample() {
    let ground = event(
        "ground",
        BodyQuantity::Y,
        -0.01,
        Crossing::Falling,
        EventAction::Stop,
    );
    let s = study(Space::Planar, 3.0, 0.25, "augmented", "dopri5", 1e-9);
    let series = run(stone(vec![ground]), &s);
    assert!((series.last("stone.y") + 0.01).abs() < 1e-9);
    assert!(series.times.last().unwrap() < &2.1);
    assert!(matches!(series.stop, Stop::Event { .. }));
}

#[test]
fn two_crossings_of_an_event_within_one_step_are_located() {
    // a parabola is exact for the integrator, which steps over both crossings at once where nothing bounds it
    let high = event(
        "high",
        BodyQuantity::Y,
        3.0,
        Crossing::Any,
        EventAction::Mark,
    );
    let study = study(Space::Planar, 3.0, 3.0, "augmented", "dopri5", 1e-6);
    let (found, _) = marked(vec![high], &study);
    let up = 1.0 - (1.0_f64 - 0.6).sqrt();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!((found[0].1 - up).abs() < 1e-9, "{found:?}");
    assert!((found[1].1 - (2.0 - up)).abs() < 1e-9, "{found:?}");
}

#[test]
fn the_end_is_recorded_even_if_it_is_not_an_output_time() {
    let s = study(Space::Planar, 1.0, 0.3, "augmented", "dopri5", 1e-9);
    let series = run(stone(Vec::new()), &s);
    assert_eq!(series.times.len(), 5);
    assert!((series.times[4] - 1.0).abs() < 1e-15);
    assert!((series.last("stone.y") - 5.0).abs() < 1e-9);
}
