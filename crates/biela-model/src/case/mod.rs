//! Validation cases: models, changes to them, and reference values.
//!
//! A case is a folder with a `case.toml`, written like a model. Each `[[run]]` names a model, changes it with keys of the model language, and lists checks of
//! the results:
//!
//! ```
//! use biela_model::case::{Allowed, ValidationCase, What};
//! use biela_model::document::MemoryLoader;
//!
//! let case = r#"
//! title = "Stone let go"
//! kind = "closed-form"
//! source = "Galileo (1638)"
//! [[run]]
//! model = "stone.toml"
//! parameters = { h = "20 m" }
//! [[run.check]]
//! quantity = "time to the ground"
//! event = "landing"
//! reference = "sqrt(2*h/g)"
//! within = "1e-9 s"
//! "#;
//! let model = r#"
//! format = 1
//! space = "planar"
//! gravity = [0, "-g"]
//! [parameters]
//! g = "9.81 m/s^2"
//! h = "1 m"
//! [[body]]
//! name = "stone"
//! mass = 1
//! inertia = 1
//! position = [0, "h"]
//! [[event]]
//! name = "landing"
//! when = "stone.y"
//! [study]
//! duration = 3
//! "#;
//! let files = MemoryLoader::new([("case.toml", case), ("stone.toml", model)]);
//! let case = ValidationCase::read("cases/falling", &files).unwrap();
//! assert_eq!(case.name, "falling");
//! assert_eq!(case.runs[0].checks[0].what, What::Measure);
//! let loaded = case.load(0, &files);
//! let measures = loaded.model.unwrap().measures;
//! assert_eq!(measures.list[0].name, "check_1");
//! assert_eq!(measures.list[1].name, "check_1_reference");
//! ```

mod read;

use std::path::Path;

use crate::diagnostic::{Diagnostics, Sources};
use crate::document::{LoadError, Loader, Table, TableEntry, Value, ValueKind};
use crate::import::{Imported, robo, sismul, urdf};
use crate::lower::{self, Loaded};

/// The name of the case file in its folder.
pub const FILE: &str = "case.toml";

/// The kinds of reference: the keyword in the file, and a heading.
pub const KINDS: &[(&str, &str)] = &[
    (
        "pacheco",
        "Absolute coordinates and closed loops: G. O. de C. Pacheco (2006)",
    ),
    (
        "fernandes",
        "Flexible beams in absolute nodal coordinates: M. B. R. Fernandes (2019)",
    ),
    (
        "vaz",
        "Lagrange multipliers in the plane: C. M. Vaz, D. A. Rade, E. L. Albuquerque",
    ),
    (
        "cipparrone",
        "Robots, their motions and controllers: F. A. M. Cipparrone (1991)",
    ),
    (
        "henrique",
        "Kane's equations in relative coordinates: H. A. A. Henrique (1993)",
    ),
    ("closed-form", "Closed forms"),
    ("published", "Published benchmarks"),
    (
        "independent",
        "Computed independently, from equations in minimal coordinates",
    ),
    (
        "cross-check",
        "The same model by other formulations, methods and integrators",
    ),
];

/// A validation case.
#[derive(Clone, Debug)]
pub struct ValidationCase {
    /// The name of the folder.
    pub name: String,
    /// A short title.
    pub title: String,
    /// The kind of reference: a keyword of [`KINDS`].
    pub kind: &'static str,
    /// The citation of the reference.
    pub source: String,
    /// Set for slow cases, which a quick validation omits.
    pub slow: bool,
    /// The runs.
    pub runs: Vec<CaseRun>,
    /// The folder name in messages.
    place: String,
    text: String,
}

/// A model with changes, and its checks.
#[derive(Clone, Debug)]
pub struct CaseRun {
    /// The name that distinguishes it from other runs of the case.
    pub name: Option<String>,
    /// The model file, in the folder of the case, or in the gallery if the path starts with `examples/`.
    pub model: String,
    /// The operating point, if the model is linearized instead of run.
    pub linearize: Option<String>,
    /// The checks.
    pub checks: Vec<Check>,
}

/// A check of a result.
#[derive(Clone, Debug)]
pub struct Check {
    /// A short description of the quantity.
    pub quantity: String,
    /// The compared values.
    pub what: What,
    /// The tolerance.
    pub allowed: Allowed,
}

/// The values that a check compares.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The measure that [`Check::value`] names.
    Measure,
    /// Signals, compared with the columns of a file.
    Table {
        /// The file, in the folder of the case.
        file: String,
        /// The columns; all if empty.
        columns: Vec<String>,
        /// The last row, given by the value in its first column.
        to: Option<f64>,
    },
    /// The n-th frequency of a linear model in rad/s, counted from 0.
    Frequency(usize),
    /// The damping ratio of the n-th frequency.
    Damping(usize),
    /// The eigenvalue of a linear model nearest to the reference.
    Eigenvalue,
    /// A number of the assembled model.
    Count(CheckedCount),
    /// The whole motion, compared with the given number of alternative computations of the same model.
    Agreement(usize),
}

/// The numbers that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedCount {
    /// Degrees of freedom.
    Freedom,
    /// Constraint equations.
    Equations,
    /// Redundant constraints.
    Redundant,
}

impl CheckedCount {
    /// The keywords in the file.
    pub const LIST: &'static [(&'static str, Self)] = &[
        ("freedom", Self::Freedom),
        ("equations", Self::Equations),
        ("redundant", Self::Redundant),
    ];
}

/// The tolerance of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// An absolute tolerance, given by the measure [`Check::allowed_name`].
    Within,
    /// A tolerance relative to the reference; in a table relative to the largest value of the column.
    Share(f64),
    /// A number of units of the last printed digit.
    LastDigits(f64),
}

impl Check {
    /// The name of the measure with the result of the k-th check of a run.
    pub fn value(k: usize) -> String {
        format!("check_{}", k + 1)
    }

    /// The name of the measure with its reference.
    pub fn reference(k: usize) -> String {
        format!("check_{}_reference", k + 1)
    }

    /// The name of the measure with the imaginary part of its reference.
    pub fn imaginary(k: usize) -> String {
        format!("check_{}_imaginary", k + 1)
    }

    /// The name of the measure with its tolerance.
    pub fn allowed_name(k: usize) -> String {
        format!("check_{}_within", k + 1)
    }
}

/// An invalid case.
#[derive(Debug)]
pub struct Unread {
    /// The text, for rendering the diagnostics.
    pub sources: Sources,
    /// All problems.
    pub diagnostics: Diagnostics,
}

impl ValidationCase {
    /// Reads `case.toml` of a folder, which messages call `place`. An error lists every problem.
    pub fn read(place: &str, files: &dyn Loader) -> Result<Self, Unread> {
        read::case(place, files)
    }

    /// Loads the changed model of a run, with the measures for its checks.
    pub fn load(&self, run: usize, files: &dyn Loader) -> Loaded {
        self.load_by(run, None, files)
    }

    /// Loads the model for the n-th alternative computation of an agreement check, both counted from 0.
    pub fn load_otherwise(&self, run: usize, way: (usize, usize), files: &dyn Loader) -> Loaded {
        self.load_by(run, Some(way), files)
    }

    fn load_by(&self, run: usize, way: Option<(usize, usize)>, files: &dyn Loader) -> Loaded {
        let path = self.runs.get(run).map_or("", |run| run.model.as_str());
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let folder_files = Below { folder, files };
        let shown = if path.starts_with("examples/") {
            folder.to_owned()
        } else {
            format!("{}/{folder}", self.place)
        };
        let place = Path::new(&shown);
        let name = format!("{}/{FILE}", self.place);
        let changes = (name.as_str(), self.text.as_str());
        let pick = |root: &Table| read::changes(root, run, way);
        let Some(imported) = import(file, &folder_files) else {
            return lower::load_changed((file, &folder_files, place), changes, pick);
        };
        let Some(text) = imported.text else {
            return Loaded {
                model: None,
                sources: imported.sources,
                diagnostics: imported.diagnostics,
            };
        };
        let made = crate::document::MemoryLoader::new([(file, text)]);
        lower::load_changed((file, &made, place), changes, pick)
    }
}

/// Imports the model of another program, selected by the file extension.
fn import(file: &str, files: &dyn Loader) -> Option<Imported> {
    let text = |files: &dyn Loader| files.load(file).ok();
    match Path::new(file).extension()?.to_str()? {
        "dat" => Some(sismul::import(
            file,
            text(files)?.as_bytes(),
            &sismul::SismulOptions::default(),
        )),
        "rob" => Some(robo::import(file, text(files)?.as_bytes(), None)),
        "urdf" => Some(urdf::import(
            file,
            &text(files)?,
            &urdf::UrdfOptions::default(),
        )),
        _ => None,
    }
}

/// The files of a subfolder.
struct Below<'f> {
    folder: &'f str,
    files: &'f dyn Loader,
}

impl Loader for Below<'_> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        if self.folder.is_empty() {
            return self.files.load(path);
        }
        self.files.load(&format!("{}/{path}", self.folder))
    }
}

/// Creates an entry of a table, with the source span of `at`.
fn entry(key: &str, kind: ValueKind, at: &Table) -> TableEntry {
    TableEntry {
        key: key.to_owned(),
        key_span: at.span,
        value: Value {
            span: at.span,
            kind,
        },
    }
}
