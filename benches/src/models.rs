//! Chains of equal bars hanging from the ground, straight and horizontal at the start, joined by revolute joints about z.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Choice, Formulation, Observer, Simulation, Statistics, Study, assemble,
};
use biela_core::element::Arguments;
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, PointQuantity, Signal, Space};
use biela_core::system::Instant;

use crate::{Error, clock};

/// A bar from its frame's origin along x, its mass centre halfway.
pub(crate) struct BenchmarkBar {
    pub(crate) length: f64,
    pub(crate) mass: f64,
    /// Moment of inertia about its axis.
    pub(crate) along: f64,
    /// Moment of inertia about any transverse axis through its mass centre.
    pub(crate) across: f64,
}

impl BenchmarkBar {
    /// A bar of square section.
    pub(crate) fn square(length: f64, width: f64, mass: f64) -> Self {
        BenchmarkBar {
            length,
            mass,
            along: mass * width * width / 6.0,
            across: mass * (length * length + width * width) / 12.0,
        }
    }

    /// A solid cylinder.
    pub(crate) fn cylinder(length: f64, radius: f64, density: f64) -> Self {
        let mass = density * std::f64::consts::PI * radius * radius * length;
        BenchmarkBar {
            length,
            mass,
            along: mass * radius * radius / 2.0,
            across: mass * (3.0 * radius * radius + length * length) / 12.0,
        }
    }

    pub(crate) fn properties(&self, space: Space) -> Result<MassProperties, Error> {
        let centre = 0.5 * self.length;
        Ok(match space {
            Space::Planar => MassProperties::planar(self.mass, [centre, 0.0], self.across)?,
            Space::Spatial => MassProperties::new(
                self.mass,
                Vec3::new(centre, 0.0, 0.0),
                Mat3::from_diagonal(&Vec3::new(self.along, self.across, self.across)),
            )?,
        })
    }
}

/// The chain and the marker at its free end; gravity acts along −y.
pub(crate) fn chain(
    space: Space,
    bars: usize,
    bar: &BenchmarkBar,
    gravity: f64,
) -> Result<(Model, MarkerIndex), Error> {
    let mut model = Model::new("chain", space);
    model.gravity = Vec3::new(0.0, -gravity, 0.0);
    let joint = Joint::build("revolute", &Arguments::new(space)).ok_or("no revolute joint")??;
    let mut end = MarkerIndex::GROUND;
    for i in 0..bars {
        let body = model.add_body(Body::new(format!("bar{i}"), bar.properties(space)?));
        let between = [end, model.body_marker(body)];
        let _ = model.add_joint(format!("joint{i}"), joint.clone(), between, &identity());
        let tip = Pose::new(identity(), Vec3::new(bar.length, 0.0, 0.0));
        end = model.add_marker("end", body, tip);
    }
    Ok((model, end))
}

/// A study with the named method and integrator.
pub(crate) fn study(duration: f64, output_step: f64, method: &str, integrator: Choice) -> Study {
    let mut study = Study::new(integrator.arguments.space, duration, output_step);
    study.formulation = Formulation::Absolute;
    study.method = Choice {
        kind: method.to_owned(),
        arguments: Arguments::new(integrator.arguments.space),
    };
    study.integrator = integrator;
    study
}

/// The final position of the free end, and the statistics of the run.
pub(crate) struct BenchmarkOutcome {
    pub(crate) tip: [f64; 2],
    pub(crate) statistics: Statistics,
}

/// Runs a model; the time excludes the assembly.
pub(crate) fn simulate(
    (model, end): (Model, MarkerIndex),
    study: &Study,
) -> Result<(f64, BenchmarkOutcome), Error> {
    let mut simulation = Simulation::new(assemble(model, study.formulation)?, study)?;
    let mut tip = Tip {
        marker: end,
        at: [0.0; 2],
    };
    let (seconds, stop) = clock::time(|| simulation.run(&mut tip));
    let _ = stop?;
    let outcome = BenchmarkOutcome {
        tip: tip.at,
        statistics: simulation.statistics(),
    };
    Ok((seconds, outcome))
}

struct Tip {
    marker: MarkerIndex,
    at: [f64; 2],
}

impl Observer for Tip {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let get = |quantity| instant.signal(Signal::Point(self.marker, quantity));
        self.at = [get(PointQuantity::X), get(PointQuantity::Y)];
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::BenchmarkBar;

    #[test]
    fn the_cylinder_has_the_published_mass_and_inertia() {
        let cylinder = BenchmarkBar::cylinder(1.0, 0.025, 7801.0);
        let near = |value: f64, published: f64| (value / published - 1.0).abs() < 1e-12;
        assert!(near(cylinder.mass, 15.317_227_681_659));
        assert!(near(cylinder.along, 4.786_633_650_518e-3));
        assert!(near(cylinder.across, 1.278_828_956_963));
    }
}
