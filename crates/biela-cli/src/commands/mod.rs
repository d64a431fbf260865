//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod derive;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod import;
pub(crate) mod info;
mod limits;
pub(crate) mod linearize;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod optimize;
pub(crate) mod plot;
pub(crate) mod reference;
pub(crate) mod robot;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod sensitivity;
pub(crate) mod sweep;
pub(crate) mod validate;
pub(crate) mod view;
