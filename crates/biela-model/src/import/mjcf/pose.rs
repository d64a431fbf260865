//! Settings of the compiler, and its conventions for poses.
#![allow(non_snake_case)]

use std::collections::BTreeMap;

use biela_core::math::rotation::{about, about_axis, matrix, normalized};
use biela_core::math::{Mat3, Pose, Vec3};

use super::element::MjcfElement;
use super::files::MjcfFiles;
use crate::diagnostic::{Span, shown};
use crate::import::xml::XmlElement;

/// Switches of the compiler with their default values.
const SWITCHES: &[(&str, bool)] = &[
    ("autolimits", true),
    ("balanceinertia", false),
    ("alignfree", false),
    ("strippath", false),
];

/// Flags of the options that enable forces and constraints.
const FLAGS: &[(&str, bool)] = &[
    ("spring", true),
    ("damper", true),
    ("frictionloss", true),
    ("equality", true),
    ("actuation", true),
];

/// Shorter vectors have no direction.
const SHORT: f64 = 1e-10;

/// The settings in the sections `compiler` and `option`.
pub(super) struct CompilerSettings {
    /// The factor from angles in the file to radians.
    pub(super) angle: f64,
    /// Axes of the Euler angles; capital letters denote fixed axes.
    sequence: [(usize, bool); 3],
    /// Switches of the compiler and flags of the options, by name.
    switches: BTreeMap<&'static str, bool>,
    /// Whether masses come from geoms; `None` for bodies without `inertial`.
    pub(super) inertia_from_geoms: Option<bool>,
    pub(super) inertia_groups: [f64; 2],
    pub(super) least_mass: f64,
    pub(super) least_inertia: f64,
    pub(super) total_mass: Option<f64>,
    pub(super) mesh_folder: String,
    pub(super) gravity: [f64; 3],
    /// Density and viscosity of the medium.
    pub(super) medium: Option<Span>,
}

impl CompilerSettings {
    pub(super) fn read(files: &MjcfFiles<'_>, root: XmlElement<'_>) -> Self {
        let mut settings = CompilerSettings {
            angle: std::f64::consts::PI / 180.0,
            sequence: [(0, true), (1, true), (2, true)],
            switches: SWITCHES.iter().chain(FLAGS).copied().collect(),
            inertia_from_geoms: None,
            inertia_groups: [0.0, f64::INFINITY],
            least_mass: 0.0,
            least_inertia: 0.0,
            total_mass: None,
            mesh_folder: String::new(),
            gravity: [0.0, 0.0, -9.81],
            medium: None,
        };
        for section in files.each(root, "compiler") {
            settings.compiler(&MjcfElement::plain(section));
        }
        for section in files.each(root, "option") {
            settings.option(&MjcfElement::plain(section), files);
        }
        settings
    }

    fn compiler(&mut self, part: &MjcfElement<'_>) {
        match part.word("angle", &["degree", "radian"]) {
            Some("radian") => self.angle = 1.0,
            Some(_) => self.angle = std::f64::consts::PI / 180.0,
            None => {}
        }
        if let Some(found) = part.attribute("coordinate")
            && found.value != "local"
        {
            let message = format!("coordinates {} are not supported", shown(found.value));
            let help = "MuJoCo removed global coordinates; convert the model by loading and saving it in version 2.3.3";
            part.error("coordinates", message, found.span, help);
        }
        if let Some(found) = part.attribute("eulerseq") {
            let axes = found.value.chars().map(|c| {
                let axis = "xyz".find(c.to_ascii_lowercase());
                axis.map(|axis| (axis, c.is_ascii_lowercase()))
            });
            let axes: Option<Vec<_>> = axes.collect();
            if let Some(sequence) = axes.and_then(|axes| <[_; 3]>::try_from(axes).ok()) {
                self.sequence = sequence;
            } else {
                let message = format!("eulerseq {} is not a sequence of axes", shown(found.value));
                let help = "write three of the letters x, y, z for body-fixed axes, or X, Y, Z for space-fixed axes";
                part.error("euler-sequence", message, found.span, help);
            }
        }
        self.turn(part, SWITCHES);
        if part.attribute("inertiafromgeom").is_some() {
            self.inertia_from_geoms = part.switch("inertiafromgeom");
        }
        if let Some(range) = part.vector::<2>("inertiagrouprange") {
            self.inertia_groups = range.value;
        }
        self.least_mass = part.number("boundmass").unwrap_or(self.least_mass);
        self.least_inertia = part.number("boundinertia").unwrap_or(self.least_inertia);
        if let Some(total) = part.number("settotalmass") {
            self.total_mass = (total > 0.0).then_some(total);
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = part.attribute(name) {
                folder.value.clone_into(&mut self.mesh_folder);
            }
        }
    }

    fn option(&mut self, part: &MjcfElement<'_>, files: &MjcfFiles<'_>) {
        if let Some(gravity) = part.vector::<3>("gravity") {
            self.gravity = gravity.value;
        }
        for name in ["density", "viscosity"] {
            if part.number(name).is_some_and(|x| x > 0.0) {
                self.medium = part.attribute(name).map(|found| found.span);
            }
        }
        for flag in files.each(part.element, "flag") {
            let flag = MjcfElement::plain(flag);
            if flag.switch("gravity") == Some(false) {
                self.gravity = [0.0; 3];
            }
            self.turn(&flag, FLAGS);
        }
    }

    /// Reads the switches of a part.
    fn turn(&mut self, part: &MjcfElement<'_>, switches: &[(&'static str, bool)]) {
        for (name, _) in switches {
            if let Some(on) = part.switch(name) {
                let _ = self.switches.insert(name, on);
            }
        }
    }

    /// Returns `true` if a switch of the compiler or a flag of the options is on.
    pub(super) fn on(&self, name: &str) -> bool {
        self.switches.get(name).copied().unwrap_or(false)
    }

    /// The pose of a part: `pos` and one of the representations of an orientation.
    pub(super) fn pose(&self, part: &MjcfElement<'_>) -> Pose {
        let p = part.vector::<3>("pos").map_or([0.0; 3], |p| p.value);
        let R = self.orientation(part);
        Pose::new(R.unwrap_or_else(Mat3::identity), Vec3::from(p))
    }

    /// The orientation of a part, if given.
    pub(super) fn orientation(&self, part: &MjcfElement<'_>) -> Option<Mat3<f64>> {
        let ways = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
        // an orientation of the element overrides one of its class, in any representation
        let own: Vec<_> = ways
            .iter()
            .filter(|way| part.element.attribute(way).is_some())
            .collect();
        if let [_, second, ..] = own[..] {
            let span = part.element.attribute(second)?.span;
            let message = format!("{}: its orientation is given twice", part.what());
            let help = "keep one of quat, axisangle, euler, xyaxes and zaxis";
            part.error("two-orientations", message, span, help);
            return None;
        }
        let way = match own.first() {
            Some(way) => way,
            None => ways.iter().find(|way| part.attribute(way).is_some())?,
        };
        let span = part.attribute(way)?.span;
        let refuse = |problem: &str| {
            let message = format!("{}: {problem}", part.what());
            part.error("no-direction", message, span, "");
            None
        };
        match *way {
            "quat" => {
                let e = part.vector::<4>("quat")?.value;
                if e.iter().all(|x| x.abs() < SHORT) {
                    return refuse("the quaternion has length 0");
                }
                Some(matrix(&normalized(&e)))
            }
            "axisangle" => {
                let [x, y, z, angle] = part.vector::<4>("axisangle")?.value;
                let axis = Vec3::new(x, y, z);
                if axis.norm() < SHORT {
                    return refuse("the axis has length 0");
                }
                Some(about_axis(&axis.normalize(), angle * self.angle))
            }
            "euler" => {
                let angles = part.vector::<3>("euler")?.value;
                let mut R = Mat3::identity();
                for ((axis, moving), angle) in self.sequence.into_iter().zip(angles) {
                    let turn = about(axis, angle * self.angle);
                    R = if moving { R * turn } else { turn * R };
                }
                Some(R)
            }
            "xyaxes" => {
                let a = part.vector::<6>("xyaxes")?.value;
                let (x, y) = (Vec3::new(a[0], a[1], a[2]), Vec3::new(a[3], a[4], a[5]));
                if x.norm() < SHORT {
                    return refuse("the x axis has length 0");
                }
                let x = x.normalize();
                let y = y - x * x.dot(&y);
                if y.norm() < SHORT {
                    return refuse("the y axis is parallel to the x axis");
                }
                let y = y.normalize();
                Some(Mat3::from_columns(&[x, y, x.cross(&y)]))
            }
            _ => {
                let z = Vec3::from(part.vector::<3>("zaxis")?.value);
                if z.norm() < SHORT {
                    return refuse("the z axis has length 0");
                }
                Some(along(&z))
            }
        }
    }
}

/// The smallest rotation that maps z to a direction; half a turn is about x, as in MuJoCo.
pub(super) fn along(direction: &Vec3<f64>) -> Mat3<f64> {
    let d = direction.normalize();
    let axis = Vec3::new(-d[1], d[0], 0.0);
    let s = axis.norm();
    if s < SHORT {
        let angle = if d[2] < 0.0 {
            std::f64::consts::PI
        } else {
            0.0
        };
        return about(0, angle);
    }
    about_axis(&(axis / s), s.atan2(d[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rotation_to_a_direction_is_the_smallest_and_a_half_turn_is_about_x() {
        for d in [[1.0, 2.0, -3.0], [0.0, 0.0, 2.0], [1e-12, 0.0, -1.0]] {
            let d = Vec3::from(d);
            let R = along(&d);
            assert!((R * Vec3::z() - d.normalize()).norm() < 1e-9);
            assert!((R.determinant() - 1.0).abs() < 1e-14);
        }
        assert!((along(&-Vec3::z()) * Vec3::x() - Vec3::x()).norm() < 1e-15);
    }
}
