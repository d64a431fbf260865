//! biela, a multibody-dynamics workbench: rigid and flexible bodies, joints, forces and controllers, simulated, linearised and brought to equilibrium.
//!
//! This crate is the entry point. It reads model files, assembles and runs models, and returns or records the results; it re-exports the underlying crates
//! under short names. `use biela::prelude::*;` imports what most programs need, and [the prelude](prelude) lists it by task.
//!
//! # A model file
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pendulum.toml");
//! # std::fs::write(&path, include_str!("../templates/pendulum.toml"))?;
//! let job = biela::load(&path)?;
//! let run = biela::run(job)?.complete()?;
//! let angle = run.column("pin.angle").ok_or("no such signal")?;
//! assert_eq!(angle.len(), run.times().len());
//! # Ok(())
//! # }
//! ```
//!
//! # A model in code
//!
//! A [`Model`](core::model::Model) has bodies, markers on them (points or frames), joints between markers, and forces. All numbers are in SI units, angles in
//! radians.
//!
//! ```
//! use biela::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("pendulum", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! // 2 kg, mass centre 0.5 m along x of the body frame, moment of inertia about the mass centre
//! let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 1.0 / 6.0)?));
//! let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
//! model.set_initial(pin, 0, -0.5, 0.0);
//! model.add_force("bearing", JointDamping::new(pin, 0.05));
//!
//! let study = Study::new(Space::Planar, 10.0, 0.01);
//! let run = biela::run(Job::of(model, study))?;
//! let energy = run.column("energy.total").ok_or("no such signal")?;
//! assert!(energy[1000] < energy[0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Step by step
//!
//! A [`Simulation`](core::analysis::Simulation) can be advanced in parts, for a control loop or a game. Between the parts signals are read and external inputs
//! set. The division into parts does not change the motion: the bits are those of a run in one piece.
//!
//! ```
//! use biela::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("cart", Space::Planar);
//! let cart = model.add_body(Body::new("cart", MassProperties::planar(2.0, [0.0, 0.0], 1.0)?));
//! let rail = model.connect("rail", Prismatic, [MarkerIndex::GROUND, model.body_marker(cart)]);
//! let push = model.add_input("push", "N", 0.0);
//! model.add_force("motor", Actuator::new(rail, Signal::Input(push)));
//! let signals = [find_signal(&model, "rail.position")?, find_signal(&model, "rail.rate")?];
//!
//! let mut simulation = simulate(model, &Study::new(Space::Planar, 10.0, 0.1))?;
//! let mut state = [0.0; 2];
//! for period in 1..=5000 {
//!     simulation.observe(&signals, &mut state)?;
//!     // a PD controller at 1 kHz moves the cart to 0.5 m
//!     simulation.set(push, 40.0 * (0.5 - state[0]) - 12.0 * state[1])?;
//!     simulation.advance(f64::from(period) * 1e-3)?;
//! }
//! assert!((simulation.read(signals[0])? - 0.5).abs() < 1e-4);
//! # Ok(())
//! # }
//! ```
//!
//! # Notation
//!
//! The names of fields and functions follow the equations of motion, which every formulation has in common:
//!
//! ```text
//! q̇ = N(q) v      M(q) v̇ + Gᵀ λ = f(t, q, v)      Φ(q, t) = 0      A(q, t) v + b(t) = 0
//! ```
//!
//! | symbol | meaning |
//! | --- | --- |
//! | q, v | position and velocity coordinates of the formulation: of bodies ([`Formulation::Absolute`](core::analysis::Formulation)) or of joints (`Tree`) |
//! | M, f | mass matrix, generalised forces without those of constraints |
//! | Φ, G, λ | position constraints, constraint Jacobian, Lagrange multipliers; the constraint forces are −Gᵀ λ |
//! | R, p | rotation matrix (components in the frame to components in its base), origin of a frame |
//! | F, M | the frames of a joint on its first and its second body |
//! | x, u, w, y | states, independent speeds, inputs and outputs of linear models |
//!
//! Signals are named `element.quantity`: `pin.angle`, `rod.tip.vx`, `motor.effort`, `energy.total`. In their names `rate` is a joint velocity and `effort` a force
//! or torque. [`channels`](core::system::channels) lists all signals of a model with their units.
//!
//! # Map
//!
//! | module | contents |
//! | --- | --- |
//! | [`prelude`] | the types and functions that most programs need |
//! | [`core::model`] | bodies, markers, joints, forces, laws, controllers, signals |
//! | [`core::joints`], [`core::forces`] | the elements, each with its equations; the traits for more |
//! | [`core::analysis`] | assembly, simulation, statics, linearisation, modes |
//! | [`core::system`], [`core::methods`], [`core::integrators`] | equations of motion, solution methods, time integration |
//! | [`core::tree`], [`core::robot`] | algorithms in joint coordinates (ABA, CRBA, RNEA), robots and inverse kinematics |
//! | [`core::flexible`] | flexible beams |
//! | [`core::control`] | trajectories and control laws |
//! | [`core::math`] | vectors, rotations, poses, matrices, eigenvalues, Riccati equations |
//! | [`model`] | the model language: reading, diagnostics, units, import of URDF and MJCF |
//! | [`parameter_study`], [`parameter_methods`] | sweeps, optimisation, fits |
//! | [`derive`](mod@derive), [`symbol`] | symbolic equations of motion, code generation |
//! | [`record`], `plot`, `viewer` | results folders, plots (feature `plot`), the viewer (feature `view`) |
//!
//! # Features
//!
//! None is on by default. `plot` adds figures as SVG and PNG, `view` the viewer with its pictures and films. The command `biela` is the crate `biela-cli`.
//!
//! The [examples](https://docs.rs/crate/biela/latest/source/examples/rust/) are complete programs: `pendulum`, `four_bar`, `control_loop`, `own_force`,
//! `robot_arm`, `lqr`, `sweep`, `checkpoint`, `flexible_beam` and `custom_observer`. `cargo run -p biela --example pendulum` runs one.

pub use biela_core as core;
pub use biela_model as model;
#[cfg(feature = "plot")]
pub use biela_plot as plot;
pub use biela_record as record;
pub use biela_study as parameter_methods;
pub use biela_symbol as symbol;
#[cfg(feature = "view")]
pub use biela_view as viewer;

mod changes;
mod contacts;
pub mod derive;
mod digits;
pub mod distance;
pub mod evidence;
pub mod explain;
mod external_inputs;
#[cfg(feature = "plot")]
mod figure;
mod import;
mod job;
mod linear;
mod options;
pub mod parameter_study;
pub mod prelude;
mod redundancy;
mod results_row;
pub mod robot;
mod row_monitor;
mod row_recorder;
mod run;
mod session;
mod signals;
pub mod sismul;
mod start;
pub mod validate;
#[cfg(feature = "view")]
pub mod view;

pub use changes::{Changes, nothing_moves, rows, set_duration, study_options};
pub use contacts::{
    ContactSummary, contact_bodies, contact_figures, contact_json, contact_law, contact_lines,
    contact_surfaces,
};
pub use digits::digits;
pub use external_inputs::{constant_input, find_input, input_table};
#[cfg(feature = "plot")]
pub use figure::{PlotPanels, PlotPanelsError, UnknownSignal};
pub use import::{load_mjcf, load_urdf};
pub use job::{Job, ModelError, ModelReport, load, load_given, load_with, read};
pub use linear::{LinearError, LinearizedModel, OperatingPoint, linearize};
pub use options::{
    OptionError, bytes, choose, contact_formulation, formulation, number, quantity, set_field,
    wall_clock_time,
};
pub use redundancy::{Redundancy, left_open, redundancies, shared_reactions};
pub use results_row::ResultsRow;
pub use row_recorder::RowRecorder;
pub use run::Run;
pub use session::{MOST_EVENTS, MOST_POSES, Session, check_table, run, run_observed};
pub use signals::{find_signal, select_signals};
pub use start::{
    AT_EQUILIBRIUM, MOST_MEMORY, RunError, assemble_for, assemble_within, simulate, start,
    start_within, table_fits,
};
