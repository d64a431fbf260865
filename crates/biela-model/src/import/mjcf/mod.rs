//! Import of MJCF, the model format of MuJoCo (its XML reference, version 3).
//!
//! ```text
//! XML, includes ─read→ classes, bodies, joints, tendons … ─write→ model.toml
//! ```
//!
//! A body of MJCF has its own joints in sequence, each with an anchor and an axis in the body frame as moved by the joints before it. In biela a joint moves
//! one body, so a body with n joints becomes a chain of n bodies that share its frame, all but the last without mass. A joint coordinate includes MuJoCo's
//! `ref`, so that coordinates equal the entries of its `qpos`.
//!
//! ```
//! use biela_model::import::mjcf;
//!
//! let xml = r#"<mujoco model="pendulum">
//!   <worldbody>
//!     <body name="rod">
//!       <joint name="pin" axis="0 1 0" damping="0.1" range="-170 170"/>
//!       <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02"/>
//!     </body>
//!   </worldbody>
//! </mujoco>"#;
//! let imported = mjcf::import("pendulum.xml", xml, &mjcf::NoFolder, &mjcf::MjcfOptions::default());
//! let text = imported.text.unwrap();
//! assert!(text.contains("type = \"revolute\"") && text.contains("damping = 0.1"));
//! ```

mod body;
mod element;
mod files;
mod folder;
mod geom;
mod joint;
mod keyframe;
mod mesh;
mod pose;
mod relation;
mod unused;
mod write;

use super::Imported;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, shown};

pub use folder::{AssetFolder, DiskFolder, NoFolder};

/// Options that the file does not define.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MjcfOptions {
    /// The initial keyframe, by name or by number from zero; `None` for the poses in the file.
    pub keyframe: Option<String>,
}

/// Converts MJCF to a model. Every problem is reported with its location.
pub fn import(name: &str, text: &str, folder: &dyn AssetFolder, options: &MjcfOptions) -> Imported {
    let diagnostics = Diagnostics::new();
    let mut sources = Sources::new();
    let loaded = files::load(name, text, folder, &mut sources, &diagnostics);
    let text = model(&loaded, name, folder, options, &diagnostics);
    Imported::new(text, "this file", sources, diagnostics)
}

fn model(
    loaded: &[files::MjcfText],
    name: &str,
    folder: &dyn AssetFolder,
    options: &MjcfOptions,
    diagnostics: &Diagnostics,
) -> Option<String> {
    let parsed = files::MjcfFiles::parse(loaded, diagnostics)?;
    let files = files::MjcfFiles::new(loaded, &parsed);
    let root = files.root()?;
    if root.name() != "mujoco" {
        let message = format!(
            "this is not MJCF: the root element is <{}>",
            shown(root.name()).trim_matches('`')
        );
        let error = Diagnostic::error("not-mjcf", message).at(root.span(), "");
        let help = match root.name() {
            "robot" => "this looks like URDF: import it as URDF",
            _ => "the root element of MJCF is <mujoco>",
        };
        diagnostics.push(error.help(help));
        return None;
    }
    let left = unused::Left::default();
    let settings = pose::CompilerSettings::read(&files, root);
    let classes = element::Classes::read(&files, root);
    let meshes = geom::Meshes::read(&files, root, &classes, &settings);
    let reading = body::BodyReader {
        files: &files,
        classes: &classes,
        settings: &settings,
        meshes: &meshes,
        folder,
    };
    let mut bodies = reading.bodies(root);
    let reading = relation::RelationReader {
        files: &files,
        classes: &classes,
        settings: &settings,
        left: &left,
    };
    let relations = reading.relations(root, &mut bodies);
    let wanted = options.keyframe.as_deref();
    let start = keyframe::Keyframe::read(
        &files,
        root,
        wanted,
        &bodies,
        relations.all_actuators,
        diagnostics,
    );
    let called = root.attribute("model").map_or(name, |n| n.value);
    let whole = write::Whole {
        called,
        file: name,
        settings: &settings,
        meshes: &meshes,
        bodies: &bodies,
        relations: &relations,
        start: &start,
        left: &left,
    };
    let text = write::model(&whole);
    if let Some(place) = settings.medium {
        left.motion("density and viscosity of the medium", place);
    }
    let geoms = bodies.bodies.iter().flat_map(|body| &body.geoms);
    for place in geoms.filter_map(geom::Geom::touches) {
        left.contact("geoms with contact", place);
    }
    if diagnostics.has_errors() {
        return None;
    }
    left.report(&files, diagnostics);
    Some(text)
}
