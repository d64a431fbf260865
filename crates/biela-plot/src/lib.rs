//! biela-plot
