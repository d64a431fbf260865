//! Models and runs for the viewer.
//!
//! [`fn@scene`] describes the objects to draw, [`Framer`] their positions at an instant; [`ModelView`] is a file shown in the viewer.
//!
//! ```
//! use biela::core::analysis::{Formulation, assemble};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pendulum.toml");
//! # std::fs::write(&path, include_str!("../../templates/pendulum.toml"))?;
//! let job = biela::load(&path)?;
//! let assembled = assemble(job.model, Formulation::Absolute)?;
//! let scene = biela::view::scene(&assembled, "a pendulum", &job.parameters);
//! assert_eq!(scene.joints[0].name, "pin");
//! # Ok(())
//! # }
//! ```

mod asked;
mod background;
mod browser;
mod desk;
mod drag;
mod export;
mod frame;
mod links;
mod live;
mod live_rows;
mod mesh;
mod model;
mod modes;
mod motion_recorder;
mod recorder;
mod results;
mod run_folder;
mod saved;
mod scene;
mod stepped;

pub use background::ModelBackend;
pub use browser::open_browser;
pub use desk::{Desk, DeskError};
pub use drag::Pull;
pub use export::{ExportError, ExportSettings, Recording, view_direction};
pub use frame::Framer;
pub use live::LiveRun;
pub use mesh::{missing_meshes, read_mesh};
pub use model::{ModelView, diagnostics};
pub use motion_recorder::{Filmed, MOST_BYTES, MotionRecorder};
pub use recorder::FolderRecorder;
pub use results::ResultsView;
pub use run_folder::{FolderError, PLOT_FILES, RunFolder};
pub use saved::page;
pub use scene::{bare_scene, freedom_in_words, scene};
pub use stepped::{SteppedError, SteppedPage, SteppedScene};

use biela_core::math::rotation::{matrix, parameters};
use biela_core::math::{Pose, Vec3};
use biela_core::model::{BodyIndex, JointIndex, MarkerIndex, Model};
use biela_view::scene::{AttachmentPoint, PoseArray};

/// The number of a body in a scene; the ground is the first.
fn number(body: BodyIndex) -> usize {
    body.number().map_or(0, |b| b + 1)
}

fn triple(v: &Vec3<f64>) -> [f64; 3] {
    [v[0], v[1], v[2]]
}

/// `x y z qx qy qz qw`.
fn seven(pose: &Pose) -> PoseArray {
    let e = parameters(&pose.R);
    let p = &pose.p;
    [p[0], p[1], p[2], e[1], e[2], e[3], e[0]]
}

/// The pose from `x y z qx qy qz qw`.
fn unseven(x: &PoseArray) -> Pose {
    Pose {
        R: matrix(&[x[6], x[3], x[4], x[5]]),
        p: Vec3::new(x[0], x[1], x[2]),
    }
}

fn end_of_marker(model: &Model, marker: MarkerIndex) -> AttachmentPoint {
    let marker = &model.markers[marker.0];
    AttachmentPoint {
        body: number(marker.body),
        point: triple(&marker.pose.p),
    }
}

/// The second frame of a joint.
fn end_of_joint(model: &Model, joint: JointIndex) -> AttachmentPoint {
    let (body, pose) = &model.joints[joint.0].second;
    AttachmentPoint {
        body: number(*body),
        point: triple(&pose.p),
    }
}
