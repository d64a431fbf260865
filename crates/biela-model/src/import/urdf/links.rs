//! Links: mass properties and geometry.
#![allow(non_snake_case)]

use biela_core::math::{Mat3, Pose};

use super::robot::{Geometry, Inertial, UrdfLink, UrdfShape, name_of, origin};
use super::{Shapes, UrdfOptions};
use crate::import::xml::XmlElement;

/// Reads a link.
pub(super) fn link(element: XmlElement<'_>, options: UrdfOptions) -> Option<UrdfLink<'_>> {
    let name = name_of(element);
    let inertial = element.first("inertial").and_then(inertial);
    let (wanted, other) = match options.shapes {
        Shapes::Visual => ("visual", "collision"),
        Shapes::Collision => ("collision", "visual"),
    };
    let has_wanted = element.children().any(|child| child.name() == wanted);
    let source = if has_wanted { wanted } else { other };
    let shapes = element.each(source).filter_map(shape).collect();
    Some(UrdfLink {
        element,
        name: name?,
        inertial,
        shapes,
    })
}

fn inertial(element: XmlElement<'_>) -> Option<Inertial<'_>> {
    let Pose { R, p: center } = origin(element);
    let mass = required(element, "mass", "<mass value=\"1.5\"/>").and_then(|mass| {
        let value = mass.required("value", "write <mass value=\"1.5\"/>");
        let value = value.and_then(|_| mass.number("value"))?;
        if value.value < 0.0 {
            let message = format!("{} is negative", mass.what());
            mass.error("negative-mass", message, (value.span, ""), "");
        }
        Some(value.value)
    });
    let example = "<inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.02\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>";
    let matrix = required(element, "inertia", example).and_then(|inertia| {
        let moment = |name: &str| {
            let _ = inertia.required(name, &format!("write {example}"))?;
            Some(inertia.number(name)?.value)
        };
        let product = |name: &str| inertia.number(name).map_or(0.0, |x| x.value);
        let (xy, xz, yz) = (product("ixy"), product("ixz"), product("iyz"));
        let (xx, yy, zz) = (moment("ixx"), moment("iyy"), moment("izz"));
        let (xx, yy, zz) = (xx?, yy?, zz?);
        Some((inertia, Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)))
    });
    let (mass, (inertia, matrix)) = (mass?, matrix?);
    let turned = if R == Mat3::identity() {
        matrix
    } else {
        let turned = R * matrix * R.transpose();
        (turned + turned.transpose()) * 0.5
    };
    Some(Inertial {
        element: inertia,
        mass,
        center,
        inertia: turned,
    })
}

/// A required child element of this name.
fn required<'x>(element: XmlElement<'x>, name: &str, example: &str) -> Option<XmlElement<'x>> {
    let found = element.first(name);
    if found.is_none() {
        let message = format!("{} has no <{name}>", element.what());
        let help = format!("add {example}");
        element.error("missing-element", message, (element.span(), ""), &help);
    }
    found
}

/// The scale of a mesh: three factors, or one for all axes. It affects only the appearance, so an unreadable one is a warning.
fn scale(mesh: XmlElement<'_>) -> Option<[f64; 3]> {
    let Some(text) = mesh.attribute("scale") else {
        return Some([1.0; 3]);
    };
    let words = text.value.split_whitespace();
    let factors: Option<Vec<f64>> = words
        .map(|word| word.parse().ok().filter(|x: &f64| x.is_finite()))
        .collect();
    match factors.as_deref() {
        Some(&[x, y, z]) => Some([x, y, z]),
        Some(&[all]) => Some([all; 3]),
        _ => {
            let message = format!("{}: its scale must have three numbers", mesh.what());
            let help = "the mesh is left out; write scale=\"0.001 0.001 0.001\"";
            mesh.warning("bad-scale", message, (text.span, ""), help);
            None
        }
    }
}

fn shape(element: XmlElement<'_>) -> Option<UrdfShape<'_>> {
    let pose = origin(element);
    let example = "<geometry><box size=\"1 0.2 0.2\"/></geometry>";
    let holder = required(element, "geometry", example)?;
    let geometry = ["box", "cylinder", "capsule", "sphere", "mesh"]
        .iter()
        .find_map(|name| holder.first(name));
    let Some(found) = geometry else {
        if holder.children().next().is_none() {
            let message = format!("{} is empty", holder.what());
            let help = format!("write {example}");
            element.error("missing-element", message, (holder.span(), ""), &help);
        }
        return None;
    };
    let length = |name: &str| {
        let _ = found.required(name, "sizes are in metres")?;
        Some(found.number(name)?.value)
    };
    let (geometry, sizes) = match found.name() {
        "box" => {
            let _ = found.required("size", "write <box size=\"1 0.2 0.2\"/>")?;
            let size = found.vector::<3>("size")?.value;
            (Geometry::Box(size), size.to_vec())
        }
        "sphere" => {
            let radius = length("radius")?;
            (Geometry::Sphere { radius }, vec![radius])
        }
        "mesh" => {
            let file = found.required("filename", "write <mesh filename=\"arm.stl\"/>")?;
            let scale = scale(found)?;
            let sizes = scale.map(f64::abs).to_vec();
            let file = file.value;
            (Geometry::Mesh { file, scale }, sizes)
        }
        name => {
            let (radius, length) = (length("radius"), length("length"));
            let (radius, length) = (radius?, length?);
            let geometry = if name == "capsule" {
                Geometry::Capsule { radius, length }
            } else {
                Geometry::Cylinder { radius, length }
            };
            (geometry, vec![radius, length])
        }
    };
    if let Some(size) = sizes.iter().find(|size| **size <= 0.0) {
        let message = format!("{} has a size of {size}", found.what());
        let help = "it is left out; sizes must be greater than zero";
        found.warning("no-extent", message, (found.span(), ""), help);
        return None;
    }
    Some(UrdfShape { pose, geometry })
}
