//! A hanging chain falling from the horizontal: time, accuracy and growth with its length.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use std::ops::ControlFlow;
use std::time::Instant as Clock;

use biela_core::analysis::{Choice, Formulation, Observer, Simulation, Study, assemble};
use biela_core::element::{Arguments, Value};
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, PointQuantity, Signal, Space};
use biela_core::system::Instant;

fn chain(space: Space, bars: usize) -> (Model, MarkerIndex) {
    // bars of 250 × 20 × 20 mm
    let (length, width, mass) = (0.25, 0.02, 0.1);
    let across = mass * (length * length + width * width) / 12.0;
    let mut model = Model::new("chain", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let joint = Joint::build("revolute", &Arguments::new(space))
        .unwrap()
        .unwrap();
    let mut last = MarkerIndex::GROUND;
    for i in 0..bars {
        let properties = match space {
            Space::Planar => MassProperties::planar(mass, [0.5 * length, 0.0], across),
            Space::Spatial => MassProperties::new(
                mass,
                Vec3::new(0.5 * length, 0.0, 0.0),
                Mat3::from_diagonal(&Vec3::new(mass * width * width / 6.0, across, across)),
            ),
        };
        let body = model.add_body(Body::new(format!("bar{i}"), properties.unwrap()));
        let start = model.body_marker(body);
        let _ = model.add_joint(
            format!("joint{i}"),
            joint.clone(),
            [last, start],
            &identity(),
        );
        last = model.add_marker(
            "end",
            body,
            Pose::new(identity(), Vec3::new(length, 0.0, 0.0)),
        );
    }
    (model, last)
}

struct Tip {
    marker: MarkerIndex,
    at: [f64; 2],
}

impl Observer for Tip {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let get = |q| instant.signal(Signal::Point(self.marker, q));
        self.at = [get(PointQuantity::X), get(PointQuantity::Y)];
        ControlFlow::Continue(())
    }
}

fn main() {
    let reference = [
        (8, [-1.763_361_198, -0.928_873_860]),
        (32, [5.196_574_089, -4.905_143_873]),
        (128, [30.529_104_193, -4.905_000_000]),
        (1024, [f64::NAN, f64::NAN]),
    ];
    for space in [Space::Planar, Space::Spatial] {
        for (bars, tip) in reference {
            let study = Study {
                duration: 1.0,
                output_step: 1.0,
                formulation: Formulation::Absolute,
                method: Choice {
                    kind: "augmented".into(),
                    arguments: Arguments::new(space),
                },
                integrator: Choice {
                    kind: "generalized-alpha".into(),
                    arguments: Arguments::new(space)
                        .with("step", Value::Number(1e-3))
                        .with("spectral_radius", Value::Number(0.95)),
                },
            };
            let mut best = f64::INFINITY;
            let mut error = 0.0;
            let mut work = None;
            for _ in 0..3 {
                let (model, marker) = chain(space, bars);
                let assembled = assemble(model, study.formulation).unwrap();
                let mut simulation = Simulation::new(assembled, &study).unwrap();
                let mut observer = Tip {
                    marker,
                    at: [0.0; 2],
                };
                let clock = Clock::now();
                let _ = simulation.run(&mut observer).unwrap();
                best = best.min(clock.elapsed().as_secs_f64());
                error = (observer.at[0] - tip[0]).hypot(observer.at[1] - tip[1]);
                work = Some(simulation.statistics().integrator);
            }
            println!("{space:?} N = {bars}: {best:.4} s, tip error {error:.2e} m, {work:?}");
        }
    }
}
