//! The Python package `biela`: models, runs, linear models and tree algorithms on numpy arrays.
//!
//! This crate is the compiled part, `biela._biela`; the public interface is in `python/biela`, which contains the documentation of every function. The global
//! interpreter lock is released during computations.
#![allow(
    clippy::needless_pass_by_value,
    reason = "what comes from Python comes by value"
)]

mod arrays;
mod batch;
mod convert;
mod document;
mod functions;
mod history;
mod import;
mod interrupt;
mod inverse;
mod running;
mod search;
mod simulation;
mod sweep;
mod threads;
mod tree;
mod words;

use pyo3::prelude::*;

#[pymodule]
mod _biela {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::document::Document;
    #[pymodule_export]
    use super::history::draw;
    #[pymodule_export]
    use super::history::export;
    #[pymodule_export]
    use super::history::page;
    #[pymodule_export]
    use super::history::save;
    #[pymodule_export]
    use super::import::import_text;
    #[pymodule_export]
    use super::search::Search;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::sweep::Sweep;
    #[pymodule_export]
    use super::tree::Tree;
    #[pymodule_export]
    use super::words::words;

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
