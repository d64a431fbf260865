//! Robustness: random initial poses, redundant constraints, free-floating systems, random models.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::print_stdout,
    reason = "figures of the long tests are shown with --nocapture"
)]
#![allow(
    clippy::format_push_string,
    reason = "texts of models are put together from pieces"
)]

#[path = "robust/conservation.rs"]
mod conservation;
#[path = "robust/linkages.rs"]
mod linkages;
#[path = "robust/overconstrained.rs"]
mod overconstrained;
#[path = "robust/planar_in_space.rs"]
mod planar_in_space;
#[path = "robust/random_initial_poses.rs"]
mod random_initial_poses;
#[path = "robust/random_models.rs"]
mod random_models;
#[path = "robust/scales.rs"]
mod scales;
#[path = "robust/singular.rs"]
mod singular;
#[path = "robust/stop_contacts.rs"]
mod stop_contacts;
#[path = "robust/switching.rs"]
mod switching;
#[path = "robust/tolerances.rs"]
mod tolerances;
#[path = "robust/turns.rs"]
mod turns;
