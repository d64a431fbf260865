//! Cases of validation: models, what is changed in them, and the numbers that must come out.
//!
//! A case is a folder with a `case.toml`, written like a model. Each `[[run]]` names a model, changes it in the words of the
//! model language, and has the checks of what came of it:
//!
//! ```
//! use biela_model::case::{Allowed, Case, What};
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
//! let case = Case::read("cases/falling", &files).unwrap();
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
use crate::document::{Entry, Kind, LoadError, Loader, Table, Value};
use crate::import::{Imported, robo, sismul, urdf};
use crate::lower::{self, Loaded};

/// The file of a case in its folder.
pub const FILE: &str = "case.toml";

/// Where a reference comes from: the word in the file, and a heading.
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

/// A case of validation.
#[derive(Clone, Debug)]
pub struct Case {
    /// The folder.
    pub name: String,
    /// What it is about, in a few words.
    pub title: String,
    /// Where the reference comes from: a word of [`KINDS`].
    pub kind: &'static str,
    /// Who is to be cited for it.
    pub source: String,
    /// Whether it takes long, and is left out of a quick look.
    pub slow: bool,
    /// What is computed.
    pub runs: Vec<Run>,
    /// The folder in messages.
    place: String,
    text: String,
}

/// A model, changed, with what must come of it.
#[derive(Clone, Debug)]
pub struct Run {
    /// What tells it from other runs of the case.
    pub name: Option<String>,
    /// The file of the model, in the folder of the case or, where it begins with `examples/`, of the gallery.
    pub model: String,
    /// Where the model is linearised, instead of being run.
    pub linearize: Option<String>,
    /// What is checked.
    pub checks: Vec<Check>,
}

/// Something that must come out.
#[derive(Clone, Debug)]
pub struct Check {
    /// What it is, in a few words.
    pub quantity: String,
    /// What is compared.
    pub what: What,
    /// How far it may be from the reference.
    pub allowed: Allowed,
}

/// What a check compares.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The measure that [`Check::value`] names.
    Measure,
    /// Signals with the columns of a file.
    Table {
        /// The file, in the folder of the case.
        file: String,
        /// The columns; all when there are none.
        columns: Vec<String>,
        /// The last row, by its first column.
        to: Option<f64>,
    },
    /// The n-th frequency of a linear model, rad/s, counted from 0.
    Frequency(usize),
    /// The damping of the n-th frequency, as a share of the critical one.
    Damping(usize),
    /// The eigenvalue of a linear model next to the reference.
    Eigenvalue,
    /// A count of the assembled model.
    Count(Counted),
    /// All that moves, with the same model computed otherwise: so many other ways.
    Agreement(usize),
}

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Freedom of motion.
    Freedom,
    /// Equations of constraint.
    Equations,
    /// Equations that say what others say.
    Redundant,
}

impl Counted {
    /// The words of the file.
    pub const LIST: &'static [(&'static str, Self)] = &[
        ("freedom", Self::Freedom),
        ("equations", Self::Equations),
        ("redundant", Self::Redundant),
    ];
}

/// How far a result may be from its reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// So much, as the measure [`Check::allowed_name`] says.
    Within,
    /// This share of the reference; in a table of the largest value of the column.
    Share(f64),
    /// So many units of the last printed digit.
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

    /// The name of the measure with how far it may be off.
    pub fn allowed_name(k: usize) -> String {
        format!("check_{}_within", k + 1)
    }
}

/// A case that cannot be used.
#[derive(Debug)]
pub struct Unread {
    /// The text, for rendering the diagnostics.
    pub sources: Sources,
    /// All problems.
    pub diagnostics: Diagnostics,
}

impl Case {
    /// Reads `case.toml` of the folder that the files are of; messages call the folder `place`. An error names every problem at once.
    pub fn read(place: &str, files: &dyn Loader) -> Result<Self, Unread> {
        read::case(place, files)
    }

    /// The model of a run, changed, with the measures that its checks are about.
    pub fn load(&self, run: usize, files: &dyn Loader) -> Loaded {
        self.load_by(run, None, files)
    }

    /// The same computed otherwise: as the n-th way of an agreement, both counted from 0.
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

/// The model of another program, by the end of its name.
fn import(file: &str, files: &dyn Loader) -> Option<Imported> {
    let text = |files: &dyn Loader| files.load(file).ok();
    match Path::new(file).extension()?.to_str()? {
        "dat" => Some(sismul::import(
            file,
            text(files)?.as_bytes(),
            &sismul::Options::default(),
        )),
        "rob" => Some(robo::import(file, text(files)?.as_bytes(), None)),
        "urdf" => Some(urdf::import(file, &text(files)?, &urdf::Options::default())),
        _ => None,
    }
}

/// The files of a folder below.
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

/// An entry of a table made here, at the place of `at`.
fn entry(key: &str, kind: Kind, at: &Table) -> Entry {
    Entry {
        key: key.to_owned(),
        key_span: at.span,
        value: Value {
            span: at.span,
            kind,
        },
    }
}
