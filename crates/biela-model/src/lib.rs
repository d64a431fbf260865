//! The biela model language: from text to model, with every problem reported at its location.
//!
//! [`lower::load`] is the entry point. Its parts: [`document`] reads TOML into a tree with source spans, [`expr`] and [`units`] parse the formulas and
//! quantities in its strings, [`lower`] builds the model, and [`diagnostic`] collects and renders problems. [`schema`], [`language`] and [`mod@reference`]
//! describe the language to editors, programs and readers, from the same lists that the lowering uses; [`edit`] changes a text and keeps its layout. [`case`]
//! reads validation cases.
//!
//! ```
//! use biela_model::{Overrides, parse};
//!
//! let text = "format = 1\nspace = \"planar\"\n[parameters]\nm = \"2 kg\"\n[[body]]\nname = \"rod\"\nmass = \"m\"\ninertia = 0.1\n";
//! let loaded = parse("rod.toml", text, &Overrides::new(["m=500 g"]));
//! let lowered = loaded.model.ok_or("the model is invalid")?;
//! assert_eq!(lowered.model.bodies[0].mass.mass, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub mod units;

pub use biela_core::suggest;
pub use lower::{
    ComponentInstance, Loaded, Lowered, Outputs, Overrides, ParameterValue, Parameters, load,
    load_with, parse,
};
