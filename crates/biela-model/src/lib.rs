//! biela-model
