//! Models as they come: thrown together, with more equations than they need.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "robust/far_starts.rs"]
mod far_starts;
#[path = "robust/linkages.rs"]
mod linkages;
#[path = "robust/overconstrained.rs"]
mod overconstrained;
