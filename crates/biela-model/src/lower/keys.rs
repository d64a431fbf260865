//! Every key of the model language; readers, schema and reference pages use these definitions.

mod beam;
mod chain;
mod component;
mod contact;
mod control;
mod joint;
mod law;
mod parameter_studies;
mod sections;
mod trajectory;

use biela_core::element::{Field, FieldKind, Info};

pub(crate) use beam::*;
pub(crate) use chain::*;
pub(crate) use component::*;
pub(crate) use contact::*;
pub(crate) use control::*;
pub(crate) use joint::*;
pub(crate) use law::*;
pub(crate) use parameter_studies::*;
pub(crate) use sections::*;
pub(crate) use trajectory::*;
