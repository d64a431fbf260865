//! Signals of drivers and couplers.

use super::Evaluation;
use super::quantities::quantities;
use super::table::ChannelList;
use crate::model::{CouplerIndex, DriverIndex, DriverTarget, Signal};
use crate::system::first_driver_work;

quantities! {
    /// Quantities of a driver.
    DriverQuantity, at: &Driving<'_> {
        Target "target" "m|rad" Position "the prescribed value" = at.target(),
        Effort "effort" "N|N*m" Acceleration "force or torque the driver applies along its coordinate" = at.effort(),
        Power "power" "W" Acceleration "power the driver delivers" = at.evaluation.at_instant(|i| at.exchanged(i.power)),
        Work "work" "J" Run "work delivered since the start" = at.evaluation.at_instant(|i| at.exchanged(i.work)),
    }
}

/// A driver at an instant.
pub(super) struct Driving<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) driver: DriverIndex,
}

impl Driving<'_> {
    fn target(&self) -> f64 {
        let context = &self.evaluation.context;
        let motion = &context.model.drivers[self.driver.0].motion;
        motion.at(context.kinematics.law_time()).value
    }

    fn effort(&self) -> f64 {
        self.evaluation.at_instant(|instant| {
            let row = instant.system.signals().driver_row(self.driver);
            row.map_or(0.0, |row| -instant.multipliers[row])
        })
    }

    /// Returns its power or work, from those of all work integrals.
    fn exchanged(&self, values: &[f64]) -> f64 {
        values[first_driver_work(self.evaluation.context.model) + self.driver.0]
    }
}

quantities! {
    /// Quantities of a coupler.
    CouplerQuantity, at: &Coupling<'_> {
        Effort "effort" "N|N*m" Acceleration "force or torque on the first coordinate" = at.effort(),
        Error "error" "m|rad" Position "deviation of the first coordinate from the coupling relation" = at.error(),
    }
}

/// A coupler at an instant.
pub(super) struct Coupling<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) coupler: CouplerIndex,
}

impl Coupling<'_> {
    /// The factor of its first coordinate.
    fn first_factor(&self) -> f64 {
        let element = &self.evaluation.context.model.couplers[self.coupler.0];
        element.terms.first().map_or(1.0, |(_, _, factor)| *factor)
    }

    fn effort(&self) -> f64 {
        self.evaluation.at_instant(|instant| {
            let row = instant.system.signals().coupler_row(self.coupler);
            row.map_or(0.0, |row| -instant.multipliers[row]) * self.first_factor()
        })
    }

    fn error(&self) -> f64 {
        let context = &self.evaluation.context;
        let element = &context.model.couplers[self.coupler.0];
        let terms = element.terms.iter();
        let sum: f64 = terms
            .map(|(j, k, factor)| factor * context.coordinate_value(*j, *k))
            .sum();
        (sum - element.offset.unwrap_or(0.0)) / self.first_factor()
    }
}

/// Adds the signals of the drivers.
pub(super) fn list_drivers(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (d, element) in model.drivers.iter().enumerate() {
        let angular = match element.target {
            DriverTarget::Joint(j, k) => model.is_angle(j, k),
            DriverTarget::Point(..) => false,
        };
        channels.add_along(
            &element.name,
            angular,
            DriverQuantity::ALL,
            |text| format!("{text}, of {}", element.name),
            |q| Signal::Driver(DriverIndex(d), q),
        );
    }
}

/// Adds the signals of the couplers.
pub(super) fn list_couplers(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (c, element) in model.couplers.iter().enumerate() {
        let first = element.terms.first();
        channels.add_along(
            &element.name,
            first.is_some_and(|(j, k, _)| model.is_angle(*j, *k)),
            CouplerQuantity::ALL,
            |text| format!("{text}, of {}", element.name),
            |q| Signal::Coupler(CouplerIndex(c), q),
        );
    }
}
