//! Numerics of the biela multibody workbench.

pub mod math;
