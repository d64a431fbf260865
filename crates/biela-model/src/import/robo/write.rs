//! Generates the model of a robot file: a chain.

use biela_core::math::Mat3;

use super::{RoboFile, RoboLink, RoboValue};
use crate::diagnostic::{Diagnostic, Diagnostics, Spanned};
use crate::import::names::{TakenNames, valid};
use crate::import::text::{ImportedText, inertia, number, quoted, vector};

/// A negative second moment beyond this fraction of the largest is not a rounding error.
const ROUNDING: f64 = 1e-9;

/// Returns the text of the model; links that are physically impossible are reported.
pub(super) fn model(robot: &RoboFile<'_>, file: &str, diagnostics: &Diagnostics) -> String {
    let mut text = ImportedText::default();
    let mut taken = TakenNames::default();
    let links: Vec<String> = (1..=robot.links.len())
        .map(|i| taken.choose(&format!("link{i}"), "link", i))
        .collect();
    let name = taken.choose(&valid(&robot.name.value.to_lowercase()), "robot", 1);
    text.line(&format!("# From the robot file {}.", plain(file)));
    text.key("format", "1");
    text.key("name", &quoted(&name));
    text.key("space", "\"spatial\"");
    text.key("gravity", &vector(&robot.gravity));
    text.table("[[chain]]");
    text.key("name", &quoted(&name));
    for (i, link) in robot.links.iter().enumerate() {
        text.table("[[chain.links]]");
        text.key("name", &quoted(&links[i]));
        text.key("joint", &quoted(&format!("joint{}", i + 1)));
        row(link, &mut text);
        mass(link, i, &mut text, diagnostics);
    }
    text.table("[robot]");
    if let Some(last) = links.last() {
        text.key("tool", &quoted(last));
    }
    text.table("[study]");
    text.key("duration", "1");
    text.key("formulation", "\"tree\"");
    text.finish()
}

/// The file name without characters that are invalid in a comment.
fn plain(file: &str) -> String {
    file.chars().filter(|c| !c.is_control()).collect()
}

/// The four parameters; zeros are omitted.
fn row(link: &RoboLink, text: &mut ImportedText) {
    if link.d == RoboValue::Moves {
        text.key("type", "\"prismatic\"");
    }
    let mut degrees = |key: &str, value: f64| {
        if value != 0.0 {
            text.key(key, &quoted(&format!("{} deg", number(value))));
        }
    };
    degrees("alpha", link.alpha);
    degrees("theta", link.theta.number());
    for (key, value) in [("d", link.d.number()), ("a", link.a)] {
        if value != 0.0 {
            text.key(key, &number(value));
        }
    }
}

/// Mass, its centre and the inertia of the second moments: `Ixx = J + K`, `Ixy = −XY`.
fn mass(link: &RoboLink, i: usize, text: &mut ImportedText, diagnostics: &Diagnostics) {
    let [xx, yy, zz] = link.squares.map(|square| square.value);
    let [xy, xz, yz] = link.products;
    let second = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let moments = Mat3::new(yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy);
    text.key("mass", &number(link.mass));
    if link.center != [0.0; 3] {
        text.key("com", &vector(&link.center));
    }
    text.key("inertia", &inertia(&moments, number));
    let least = second.symmetric_eigenvalues().min();
    if least < -ROUNDING * second.norm() {
        let named = ["I", "J", "K"].into_iter().zip(&link.squares);
        let by_size =
            |a: &(&str, &Spanned<f64>), b: &(&str, &Spanned<f64>)| a.1.value.total_cmp(&b.1.value);
        let Some((name, worst)) = named.min_by(by_size) else {
            return;
        };
        let message = format!(
            "the second moments of link {} are physically impossible",
            i + 1
        );
        let label = if worst.value < 0.0 {
            format!("{name} is {}; none can be negative", number(worst.value))
        } else {
            format!(
                "with the products XY, XZ, YZ the smallest principal second moment is {least:.4}; none can be negative"
            )
        };
        diagnostics.push(Diagnostic::warning("unphysical", message).at(worst.span, label).help(
            "I, J, K are the integrals of x^2, y^2, z^2 about the mass centre: I = (Iyy + Izz - Ixx)/2 and so on; the numbers are \
             kept as they are, with `unphysical = true`",
        ));
        text.key("unphysical", "true");
    }
}
