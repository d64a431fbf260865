//! Robot files of the manipulator simulator of F. A. M. Cipparrone (master's dissertation, Escola Politécnica, Universidade de São Paulo, 1991, §5.2): words
//! and numbers in free format, a fixed order of keywords, one value per link after each.
//!
//! ```text
//! G x y z   ROBO name   NLIGS n
//! GEOM      ALFA … TETA … DD … LL …                       Denavit-Hartenberg, degrees and metres; VAR is the joint variable
//! MIHMOD    I … J … K … M … XY … XZ … YZ … X … Y … Z …    ∫x² ∫y² ∫z² about the mass centre, mass, ∫xy ∫xz ∫yz, mass centre
//! ```
//!
//! A line that starts with `*` is a comment. I, J, K are second moments, so that `Ixx = J + K`, and the products have no minus sign.
//!
//! ```
//! use biela_model::import::robo;
//!
//! let file = "G 0 0 -9.8 ROBO PLANAR NLIGS 1\nGEOM ALFA 0 TETA VAR DD 0 LL 0.5\n\
//!             MIHMOD I 0.1 J 0.1 K 0.1 M 2 XY 0 XZ 0 YZ 0 X 0 Y 0 Z 0\n";
//! let imported = robo::import("planar.rob", file.as_bytes(), None);
//! let text = imported.text.unwrap();
//! assert!(text.contains("[[chain]]") && text.contains("inertia = [0.2, 0.2, 0.2]"));
//! ```

mod read;
mod write;

use super::Imported;
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Sources, Spanned};

/// The maximum number of bytes.
const MOST_BYTES: usize = 1_000_000;

/// A number, or `VAR` for the joint variable.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RoboValue {
    Number(f64),
    Moves,
    /// Another entry, which was reported.
    Unread,
}

impl RoboValue {
    /// The number; zero if there is none.
    fn number(self) -> f64 {
        match self {
            RoboValue::Number(number) => number,
            RoboValue::Moves | RoboValue::Unread => 0.0,
        }
    }
}

/// The content of a file.
struct RoboFile<'f> {
    gravity: [f64; 3],
    name: Spanned<&'f str>,
    count: Spanned<usize>,
    links: Vec<RoboLink>,
}

/// A row of the tables.
struct RoboLink {
    alpha: f64,
    theta: RoboValue,
    d: RoboValue,
    a: f64,
    mass: f64,
    /// ∫x², ∫y², ∫z² about the mass centre.
    squares: [Spanned<f64>; 3],
    /// ∫xy, ∫xz, ∫yz.
    products: [f64; 3],
    center: [f64; 3],
}

/// Converts a robot file to a model. Every problem is reported with its line and column and the expected word. With `other`, the name and text of another file,
/// both must have the same number of links: a model and the real robot.
pub fn import(name: &str, file: &[u8], other: Option<(&str, &[u8])>) -> Imported {
    let diagnostics = Diagnostics::new();
    let mut sources = Sources::new();
    let add = |sources: &mut Sources, name: &str, bytes: &[u8]| -> Option<(SourceId, String)> {
        if bytes.len() > MOST_BYTES {
            let message =
                format!("{name} has more than {MOST_BYTES} bytes, the limit for robot files");
            diagnostics.push(Diagnostic::error("too-large", message));
            return None;
        }
        let text = super::decoded(bytes);
        Some((sources.add(name, text.as_str()), text))
    };
    let first = add(&mut sources, name, file);
    let second = other.and_then(|(name, bytes)| add(&mut sources, name, bytes));
    let robot = read(first.as_ref(), &diagnostics);
    let pair = read(second.as_ref(), &diagnostics);
    if let (Some(robot), Some(pair)) = (&robot, &pair)
        && robot.count.value != pair.count.value
    {
        let message = format!(
            "the two robots have {} and {} links; a design model must have as many as the robot",
            robot.count.value, pair.count.value
        );
        let error = Diagnostic::error("different-robots", message).at(robot.count.span, "here");
        diagnostics.push(error.also(pair.count.span, "and here"));
    }
    let text = robot.map(|robot| write::model(&robot, name, &diagnostics));
    Imported::new(text, "the robot file", sources, diagnostics)
}

fn read<'f>(
    file: Option<&'f (SourceId, String)>,
    diagnostics: &Diagnostics,
) -> Option<RoboFile<'f>> {
    let (source, text) = file?;
    read::robot(text, *source, diagnostics)
}
