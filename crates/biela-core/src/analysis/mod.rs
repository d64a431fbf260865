//! Analyses of a model: [assembly](assemble), [simulation](Simulation), [equilibria](Statics), [linear models](linearize) and their [modes].
//!
//! Each begins with [`assemble`], which finds an initial state that satisfies the constraints.
//!
//! ```
//! use biela_core::analysis::{Formulation, LinearModelRequest, Simulation, Statics, Study, assemble, modes};
//! use biela_core::joints::Revolute;
//! use biela_core::math::Vec3;
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("pendulum", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.0, -0.5], 1.0 / 6.0)?));
//! let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
//! model.set_initial(pin, 0, 0.0, 0.0);
//! let assembled = assemble(model, Formulation::Tree)?;
//!
//! // it hangs in equilibrium, and swings about it with ω² = 3 g/(2 L)
//! let equilibrium = Statics::new(&assembled).settle()?;
//! assert!(equilibrium.state.q[0].abs() < 1e-9);
//! let study = Study::new(Space::Planar, 1.0, 0.1).with_formulation(Formulation::Tree);
//! let linear = Simulation::new(assembled, &study)?.linearize(&LinearModelRequest::default())?;
//! assert!((modes(&linear)?[0].value.im - (1.5_f64 * 9.81).sqrt()).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```

mod assemble;
mod delassus;
mod dynamics;
mod linearize;
mod modes;
mod size;
mod statics;
mod study;

pub use assemble::{
    AssembleError, Assembled, AssemblyDisplacement, FollowingRate, GapMeaning, InitialGap,
    OpenElement, assemble,
};
pub use dynamics::{
    ContactStatistics, Evidence, InputTable, InputTableError, Observer, Observers, Progress,
    ReadError, ResetError, ResumeError, RunFailure, SetError, Simulation, Statistics, Stop,
    on_output, stop_when,
};
pub use linearize::{LinearModelRequest, LinearVariable, Linearization, LinearizeError, linearize};
pub use modes::{Mode, Trend, mode_motion, modes};
pub use size::least_memory;
pub use statics::{
    BALANCED, BALANCES, Equilibrium, Stability, Statics, StaticsError, SupportForce, Supports,
};
pub use study::{Analysis, Choice, ContactFormulation, Formulation, ImpactLaw, MOST_STEPS, Study};
