//! The viewer of biela.
//!
//! ```text
//! model or results ─→ Show (scene, diagnostics, runs) ─→ Server ─→ page in the browser
//! ```
//!
//! A [`Scene`] describes the objects to draw, a motion file ([`MotionWriter`], [`MotionReader`]) contains their positions at every output time, and a [`Show`]
//! is the current content of the page: whoever reads the model or computes the run changes it, and every open page is notified. The [`Server`] answers only a
//! browser on the same machine: see [`server`].

mod assets;
mod decimate;
mod motion;
pub mod picture;
mod saved;
pub mod scene;
pub mod server;
mod session;
mod show;

pub use decimate::{Bucket, Decimator};
pub use motion::{MOTION_FILE, MotionError, MotionReader, MotionWriter};
pub use saved::{SavedRun, saved_page};
pub use scene::{SCENE_FILE, Scene};
pub use server::{Server, ServerSettings};
pub use session::{
    RunState, SessionDiagnostic, SessionEvent, SessionRun, SessionSignal, Times, ViewerMode,
};
pub use show::{Backend, NoBackend, Refusal, RunData, Show};
