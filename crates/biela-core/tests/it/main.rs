//! Whole models against closed forms, published numbers and each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod assembly;
mod common;
mod control;
mod drivers;
mod events;
mod exact;
mod fields;
mod formulations;
mod four_bar_angles;
mod friction;
mod hht;
mod implicit;
mod linear;
mod mechanisms;
mod methods;
mod motors;
mod nonholonomic;
mod own;
mod sampling;
mod singular;
mod slider_crank;
mod statics;
mod statics_hard;
mod stepping;
mod system;
mod trajectories;
