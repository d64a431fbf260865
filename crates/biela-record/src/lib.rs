//! biela-record
