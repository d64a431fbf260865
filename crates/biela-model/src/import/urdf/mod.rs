//! Import of robots in URDF, the Unified Robot Description Format of ROS.
//!
//! ```text
//! XML ─read→ Robot ─arrange→ tree, mimics, carriers ─write→ model.toml
//! ```
//!
//! A URDF robot is a tree of links. The frame of a link is the frame of its joint to the parent. With the `origin` of the joint in the frame of the parent link
//! and its motion about or along `axis`
//!
//! ```text
//! X_child = X_parent · X_origin · X_motion(axis, q)        X = (Rz(yaw) Ry(pitch) Rx(roll), xyz)
//! ```
//!
//! In biela the first joint frame is X_origin on the body of the parent and the second the frame of the child. A massless link that cannot move relative to its
//! parent becomes a frame of the body of the parent; every other link is a body.
//!
//! ```
//! use biela_model::import::urdf;
//!
//! let text = r#"
//! <robot name="arm">
//!   <link name="base"/>
//!   <link name="upper">
//!     <inertial>
//!       <origin xyz="0 0 0.2"/> <mass value="1.5"/>
//!       <inertia ixx="0.02" iyy="0.02" izz="0.001" ixy="0" ixz="0" iyz="0"/>
//!     </inertial>
//!   </link>
//!   <joint name="shoulder" type="revolute">
//!     <parent link="base"/> <child link="upper"/>
//!     <origin xyz="0 0 0.5"/> <axis xyz="0 1 0"/>
//!     <limit lower="-2" upper="2" velocity="3" effort="40"/>
//!   </joint>
//! </robot>"#;
//! let imported = urdf::import("arm.urdf", text, &urdf::UrdfOptions::default());
//! let model = imported.text.unwrap();
//! assert!(model.contains("limits = { lower = -2, upper = 2, rate = 3, effort = 40 }"));
//! ```

mod arrange;
mod carry;
mod joints;
mod links;
mod resist;
mod robot;
mod write;

use super::Imported;
use super::xml::{File, without_late_declaration};
use crate::diagnostic::{Diagnostics, Sources};

/// The attachment of the root link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Welded to the ground.
    #[default]
    Fixed,
    /// Free-floating.
    Floating,
}

/// The geometry of a link that is imported; the other kind is used for a link without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shapes {
    /// The visual geometry.
    #[default]
    Visual,
    /// The collision geometry.
    Collision,
}

/// Options that a robot description does not define.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UrdfOptions {
    /// The attachment of the root link.
    pub base: Base,
    /// The geometry that becomes the shapes of bodies.
    pub shapes: Shapes,
}

/// Converts a robot description to a model. Every problem and every unsupported element is reported with its location.
pub fn import(name: &str, text: &str, options: &UrdfOptions) -> Imported {
    let diagnostics = Diagnostics::new();
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let text = without_late_declaration(text);
    let model = File::parse(&text, source, &diagnostics).and_then(|file| {
        let robot = robot::read(file.root(), *options, &diagnostics)?;
        let tree = arrange::arrange(&robot, *options, &diagnostics)?;
        let model = write::model(&robot, &tree, name, *options);
        file.report_unused();
        Some(model)
    });
    Imported::new(model, "the robot", sources, diagnostics)
}
