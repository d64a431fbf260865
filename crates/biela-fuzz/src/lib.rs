//! What reads untrusted bytes, one function each: no input may make one of them panic, hang or take memory without bound.
//!
//! `cargo xtask fuzz` lets libFuzzer look for such an input in each of [`TARGETS`] (the folder `fuzz` only has a line for each of them); the tests
//! of this crate feed them the committed seeds and some thousands of seeded [mutations](mutate::Mutator).

pub mod mutate;
mod targets;

/// A reader of untrusted bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its word: that of `cargo xtask fuzz`, of its seeds and of its dictionary.
    pub name: &'static str,
    /// Reads bytes; that it returns is all that is asked.
    pub run: fn(&[u8]),
}

/// Makes the list of all targets from one line a target.
macro_rules! targets {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// All targets, in the order of the list.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: targets::$name }),*];
        $($(#[$doc])* pub fn $name(bytes: &[u8]) { targets::$name(bytes); })*
    };
}

targets! {
    /// A model with an include, read, reported and, where it is whole, named.
    model,
    /// A formula, compiled and evaluated.
    expression,
    /// A unit, and a quantity with one.
    unit,
    /// A robot description.
    urdf,
    /// A MuJoCo model.
    mjcf,
    /// A robot of the S3 program and its payload.
    robo,
    /// The cards of the S4 program.
    sismul,
    /// The data of results.
    results,
    /// The manifest of results.
    manifest,
    /// The motion of results.
    motion,
    /// A checkpoint, with the digest that makes it whole.
    checkpoint,
    /// A whole results folder: manifest, data, motion and checkpoint.
    folder,
    /// Paths of includes and of folders to write to, beside a file and a link that lead out.
    paths,
    /// The title and the names of generated code.
    code,
    /// A request to the viewer.
    http,
    /// Changes of a model file, as the page of the viewer asks for them.
    edit,
}
