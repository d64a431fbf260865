//! biela
