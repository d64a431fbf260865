//! The biela model language: text to model, with every problem reported at its place.
//!
//! [`lower::load`] does all of it. On the way: [`document`] reads TOML into a tree that knows where everything stands,
//! [`expr`] and [`units`] read the formulas and quantities in its strings, [`lower`] makes the model, and [`diagnostic`]
//! collects and shows what is wrong. [`schema`], [`language`] and [`mod@reference`] describe the language to editors, programs and readers, from the
//! same lists that the lowering uses; [`edit`] changes a text and keeps its layout. [`case`] reads what a model is validated by.

pub mod case;
pub mod diagnostic;
pub mod document;
pub mod edit;
pub mod expr;
pub mod import;
pub mod language;
pub mod lower;
pub mod reference;
pub mod schema;
pub mod suggest;
pub mod units;
pub mod vocabulary;

pub use lower::{
    Loaded, Lowered, Outputs, Overrides, ParameterValue, Parameters, load, load_with, parse,
};
