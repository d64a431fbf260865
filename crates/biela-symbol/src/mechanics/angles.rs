//! Replaces Euler parameters by angles, as in textbooks, with a singular orientation.
//!
//! A joint with free rotation (free, spherical, generic) becomes two: one with the translations and the first two dextral angles α, β, and a revolute joint
//! with the third, γ, with a massless body between them. The relative rotation is still `Rx(α) Ry(β) Rz(γ)`; it is singular at β = ±90°.
//!
//! ```
//! use biela_core::joints::Spherical;
//! use biela_core::math::{Mat3, Vec3};
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//! use biela_symbol::mechanics::angles::use_angles;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("pendulum", Space::Spatial);
//! let mass = MassProperties::new(1.0, Vec3::zeros(), Mat3::identity())?;
//! let bob = model.add_body(Body::new("bob", mass));
//! let _ = model.connect("pin", Spherical, [MarkerIndex::GROUND, model.body_marker(bob)]);
//! use_angles(&mut model);
//! assert_eq!(model.joints.len(), 2);
//! # Ok(())
//! # }
//! ```

use biela_core::element::{Arguments, FieldValue};
use biela_core::joints::{Free, Joint, Revolute};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, JointElement, JointIndex, JointLimits, MarkerIndex, MassProperties, Model,
};

const WORDS: [&str; 6] = ["x", "y", "z", "alpha", "beta", "gamma"];

/// Replaces every free rotation of the tree by angles. Bodies without joints get a free joint to the ground.
pub fn use_angles(model: &mut Model) {
    hold_free_bodies(model);
    // a joint that closes a loop is unchanged, because it has no coordinates
    let carrying = biela_core::tree::span(model).branches;
    for j in carrying.iter().filter_map(|branch| branch.joint) {
        let joint = &model.joints[j.0].joint;
        let turns = joint
            .shape(model.space)
            .tree
            .is_some_and(|tree| tree.rotation);
        let measures_angles = matches!(
            joint,
            Joint::Free(_) | Joint::Spherical(_) | Joint::Generic(_)
        );
        if turns && measures_angles {
            split(model, j);
        }
    }
}

fn hold_free_bodies(model: &mut Model) {
    let tree = biela_core::tree::span(model);
    for branch in tree.branches {
        if branch.joint.is_none() {
            let name = model.bodies[branch.body].name.clone();
            let ends = [
                MarkerIndex::GROUND,
                model.body_marker(BodyIndex(branch.body)),
            ];
            let _ = model.add_joint(name, Joint::Free(Free), ends, &Mat3::identity());
        }
    }
}

fn split(model: &mut Model, index: JointIndex) {
    let element = &model.joints[index.0];
    let free: Vec<&str> = element
        .joint
        .coordinates(model.space)
        .iter()
        .map(|c| c.name)
        .collect();
    let locked = |word: &&str| *word == "gamma" || !free.contains(word);
    let locked: Vec<String> = WORDS
        .into_iter()
        .filter(locked)
        .map(str::to_owned)
        .collect();
    let arguments = Arguments::new(model.space).with("locked", FieldValue::Words(locked));
    let Some(Ok(first)) = Joint::build("generic", &arguments) else {
        return;
    };
    let massless = MassProperties {
        mass: 0.0,
        center: Vec3::zeros(),
        inertia: Mat3::zeros(),
    };
    let name = element.name.clone();
    let between = model.add_body(Body::new(format!("{name} between angles"), massless));
    let element = &mut model.joints[index.0];
    let last = JointElement {
        name: added_name(&name),
        origin: element.origin.clone(),
        joint: Joint::Revolute(Revolute),
        first: (between, Pose::identity()),
        second: element.second,
        initial: Vec::new(),
        limits: JointLimits::NONE,
        armature: element.armature,
        is_contact: false,
    };
    element.joint = first;
    element.second = (between, Pose::identity());
    element.initial = Vec::new();
    model.joints.push(last);
}

/// The location of a measured coordinate after the replacement: γ belongs to the added joint.
pub(super) fn where_is(model: &Model, joint: JointIndex, coordinate: usize) -> (JointIndex, usize) {
    let element = &model.joints[joint.0];
    if coordinate < element.joint.coordinates(model.space).len() {
        return (joint, coordinate);
    }
    let name = added_name(&element.name);
    let added = model.joints.iter().position(|j| j.name == name);
    added.map_or((joint, coordinate), |j| (JointIndex(j), 0))
}

/// The name of the joint with the third angle: with a dot, which no name in a model contains.
fn added_name(name: &str) -> String {
    format!("{name}.gamma")
}
