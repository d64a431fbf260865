//! Lowering: converts a model's text to a [`Model`] and reports every problem at its location.
//!
//! An invalid part of an element gets a placeholder, so that the rest can be checked. Consequences of a reported error are not reported. A model is returned
//! only if there is no error.
//!
//! ```
//! use biela_model::diagnostic::ReportStyle;
//! use biela_model::lower::{Overrides, parse};
//!
//! let text = r#"
//! format = 1
//! space = "planar"
//! [[body]]
//! name = "bob"
//! mass = "2 kg"
//! inertia = 0.1
//! points = { O = [0, "l"] }
//! [[joint]]
//! name = "pin"
//! type = "revolut"
//! between = ["ground", "bbo.O"]
//! "#;
//! let loaded = parse("pendulum.toml", text, &Overrides::default());
//! assert!(loaded.model.is_none());
//! let report = loaded.diagnostics.render(&loaded.sources, ReportStyle::Plain);
//! assert!(report.contains("pendulum.toml:8:21"), "unknown name `l`");
//! assert!(report.contains("did you mean `revolute`?"));
//! assert!(report.contains("did you mean `bob`?"));
//! ```

mod beams;
mod bodies;
mod chains;
mod components;
mod contacts;
mod controllers;
mod couplers;
mod drivers;
mod fields;
mod forces;
mod formula;
mod hard_points;
mod inputs;
mod joints;
pub(crate) mod keys;
mod laws;
mod limits;
mod mass;
mod measures;
pub(crate) mod names;
mod order;
mod output;
mod parameters;
mod reader;
mod robot;
mod rotation;
mod sensors;
mod series;
mod shapes;
mod signals;
mod study;
mod sweep;
mod trajectories;
mod values;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;

use biela_core::analysis::Study;
use biela_core::math::Vec3;
use biela_core::model::{Model, Space};

pub use components::ComponentInstance;
pub use measures::{Measure, MeasureKind, Measures, Take};
pub use output::{MOST_NUMBERS, MOST_ROWS, Outputs};
pub use parameters::{ParameterValue, Parameters};
pub use sweep::{
    BoundedParameter, FitDefinition, MeasuredSignal, Optimize, SweepDefinition, Varied,
};

use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span, escaped};
use crate::document::{
    self, DiskLoader, Document, DocumentLimits, Loader, MemoryLoader, Table, ValueKind,
    parse_source,
};
use crate::expr::OutsideFunction;
use components::Instance;
use components::placement::Placements;
use keys::SPACES;
use names::NameIndex;
use parameters::Constants;
use reader::SectionReader;
use series::FileTexts;
use signals::Signals;
use values::Context;

/// The supported version of the language.
pub const FORMAT: i64 = 1;
/// The maximum total number of bodies, points, joints, couplers, materials, contacts, trajectories, drivers, forces, sensors, controllers and events.
pub const MOST_ELEMENTS: usize = 100_000;

/// Parameters overridden from outside the file, each as `name=value`.
///
/// ```
/// use biela_model::lower::{Overrides, parse};
///
/// let text = "format = 1\nspace = \"planar\"\n[parameters]\nl = \"1 m\"\n[ground]\npoints = { A = [\"l\", 0] }\n";
/// let loaded = parse("m.toml", text, &Overrides::new(["l=250 mm"]));
/// let model = loaded.model.unwrap().model;
/// assert_eq!(model.markers[1].pose.p[0], 0.25);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    texts: Vec<String>,
    functions: BTreeMap<String, OutsideFunction>,
}

impl Overrides {
    /// Creates overrides from command-line arguments; an invalid one is reported with the other problems of the model.
    pub fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self {
            texts: texts.into_iter().map(Into::into).collect(),
            functions: BTreeMap::new(),
        }
    }

    /// Adds a function for formulas; parameters and tables of the same name have priority.
    ///
    /// ```
    /// use biela_model::expr::{Outside, OutsideFunction};
    /// use biela_model::lower::{Overrides, parse};
    ///
    /// #[derive(Debug)]
    /// struct Double;
    /// impl Outside for Double {
    ///     fn value(&self, arguments: &[f64]) -> f64 {
    ///         2.0 * arguments[0]
    ///     }
    /// }
    /// let double = OutsideFunction {
    ///     arguments: Some(1),
    ///     dimension: None,
    ///     smooth: false,
    ///     function: std::sync::Arc::new(Double),
    /// };
    /// let mut overrides = Overrides::default();
    /// overrides.function("double", double);
    /// let text = "format = 1\nspace = \"planar\"\n[[sensor]]\nname = \"s\"\nvalue = \"double(t)\"\n";
    /// assert!(parse("m.toml", text, &overrides).model.is_some());
    /// ```
    pub fn function(&mut self, name: impl Into<String>, function: OutsideFunction) {
        let _ = self.functions.insert(name.into(), function);
    }

    /// Overrides one more parameter; the last override of a name is used.
    pub fn set(&mut self, name: &str, value: &str) {
        self.texts.push(format!("{name}={value}"));
    }

    fn texts(&self) -> &[String] {
        &self.texts
    }
}

/// A model with all data of its file.
#[derive(Debug)]
pub struct Lowered {
    /// The model.
    pub model: Model,
    /// The description of the model by its author.
    pub description: String,
    /// The study; `None` if only the initial configuration is to be assembled.
    pub study: Option<Study>,
    /// The signals to record.
    pub outputs: Outputs,
    /// The instances of components.
    pub components: Vec<ComponentInstance>,
    /// The parameters and the values computed from them.
    pub parameters: Parameters,
    /// Scalar measures of a run.
    pub measures: Measures,
    /// The parameter sweep.
    pub sweep: Option<SweepDefinition>,
    /// The optimization of parameters.
    pub optimize: Option<Optimize>,
    /// The fit of parameters to measurements.
    pub fit: Option<FitDefinition>,
}

/// The result of loading a model.
#[derive(Debug)]
pub struct Loaded {
    /// The model, if there is no error.
    pub model: Option<Lowered>,
    /// The texts, for rendering the diagnostics.
    pub sources: Sources,
    /// All problems.
    pub diagnostics: Diagnostics,
}

/// A parsed model text from which models with different parameters are created.
///
/// ```
/// use biela_model::lower::{Overrides, ModelText};
///
/// let text = "format = 1\nspace = \"planar\"\n[parameters]\nl = 1\n[ground]\npoints = { A = [\"l\", 0] }\n";
/// let text = ModelText::of("m.toml", [("m.toml", text)]).unwrap();
/// for l in [0.5, 2.0] {
///     let loaded = text.model(&Overrides::new([format!("l={l:e}")]));
///     assert_eq!(loaded.model.unwrap().model.markers[1].pose.p[0], l);
/// }
/// ```
#[derive(Debug)]
pub struct ModelText {
    root: Table,
    sources: Sources,
    designs: Vec<(Span, Table)>,
    /// The instances of components, those of the designs last.
    instances: Vec<Instance>,
    /// The number of instances in the model itself.
    own_instances: usize,
    files: FileTexts,
    /// The names of the texts as the model's files refer to each other, the main one first.
    names: Vec<String>,
}

impl ModelText {
    /// Reads a model file and all files that it names. An error is returned as a [`Loaded`] with diagnostics.
    pub fn read(path: &Path) -> Result<Self, Box<Loaded>> {
        let (text, diagnostics) = on_disk(path)?;
        text.unless_wrong(diagnostics)
    }

    /// Reads a model from named texts, starting with the one called `main`.
    pub fn of<N: Into<String>, T: Into<String>>(
        main: &str,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Self, Box<Loaded>> {
        Self::load(main, &MemoryLoader::new(texts))
    }

    /// Reads a model from the texts of a loader, starting with the one called `main`.
    pub fn load(main: &str, loader: &dyn Loader) -> Result<Self, Box<Loaded>> {
        let (text, diagnostics) = loaded(main, loader, |_| ());
        text.unless_wrong(diagnostics)
    }

    /// Reads a model from the texts of a loader, starting with `main`, and changes it by the tables of another text, given with its name: lists of elements
    /// are concatenated, and keys of tables replace those of the model. [`ModelText::texts`] has the texts before the change.
    ///
    /// ```
    /// use biela_model::document::MemoryLoader;
    /// use biela_model::lower::{ModelText, Overrides};
    ///
    /// let text = "format = 1\nspace = \"planar\"\n[parameters]\nl = 1\n[ground]\npoints = { A = [\"l\", 0] }\n";
    /// let changes = ("other values", "[parameters]\nl = 3\n");
    /// let text = ModelText::changed("m.toml", &MemoryLoader::new([("m.toml", text)]), changes).unwrap();
    /// let loaded = text.model(&Overrides::default());
    /// assert_eq!(loaded.model.unwrap().model.markers[1].pose.p[0], 3.0);
    /// ```
    pub fn changed(
        main: &str,
        loader: &dyn Loader,
        (name, changes): (&str, &str),
    ) -> Result<Self, Box<Loaded>> {
        let (text, diagnostics) = loaded(main, loader, |document| {
            let Document {
                root,
                sources,
                diagnostics,
                ..
            } = document;
            let limits = DocumentLimits::default();
            let (changes, _) = parse_source(name, changes, &limits, sources, diagnostics);
            // an objective replaces that of the model, whichever it is
            let optimize = changes.get("optimize").and_then(|e| e.value.as_table());
            for (given, other) in [("minimize", "maximize"), ("maximize", "minimize")] {
                if optimize.is_some_and(|table| table.get(given).is_some()) {
                    root.remove("optimize", other);
                }
            }
            root.change(changes);
        });
        text.unless_wrong(diagnostics)
    }

    fn unless_wrong(self, diagnostics: Diagnostics) -> Result<Self, Box<Loaded>> {
        if diagnostics.has_errors() {
            return Err(Box::new(self.lower(diagnostics, &Overrides::default())));
        }
        Ok(self)
    }

    /// Returns the model with these parameter values.
    pub fn model(&self, overrides: &Overrides) -> Loaded {
        self.lower(Diagnostics::new(), overrides)
    }

    /// All texts with their names, the main one first; [`ModelText::of`] recreates the model from them.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.sources.iter().map(crate::diagnostic::SourceFile::text);
        self.names.iter().map(String::as_str).zip(texts)
    }

    fn lower(&self, diagnostics: Diagnostics, overrides: &Overrides) -> Loaded {
        let mut sources = self.sources.clone();
        let source = sources.add(OVERRIDES, overrides.texts().join("\n"));
        // Without a tree there is nothing to report beyond the errors of the reader.
        let unread = self.root.is_empty() && diagnostics.has_errors();
        let model = if unread {
            None
        } else {
            let overridden = parameters::split_overrides(overrides, source, &diagnostics);
            let texts = Texts {
                root: &self.root,
                overridden: &overridden,
                functions: &overrides.functions,
                designs: &self.designs,
                instances: &self.instances,
                files: &self.files,
            };
            lower_root(texts, self.own_instances, &sources, &diagnostics)
        };
        Loaded {
            model: model.filter(|_| !diagnostics.has_errors()),
            sources,
            diagnostics,
        }
    }
}

/// Reads the texts of a model and applies a change before the files that it names are read.
fn loaded(
    main: &str,
    loader: &dyn Loader,
    change: impl FnOnce(&mut Document),
) -> (ModelText, Diagnostics) {
    let mut document = document::load(main, loader, &DocumentLimits::default());
    change(&mut document);
    let files = series::gather(&mut document, loader);
    let Document {
        mut root,
        mut sources,
        diagnostics,
        mut designs,
    } = document;
    let mut instances = Vec::new();
    components::expand(&mut root, &mut sources, &diagnostics, &mut instances);
    hard_points::spread(&mut root);
    let own_instances = instances.len();
    for (_, design) in &mut designs {
        components::expand(design, &mut sources, &diagnostics, &mut instances);
        hard_points::spread(design);
    }
    let names = sources.iter().map(|source| source.name().to_owned());
    let names = names.collect();
    let text = ModelText {
        root,
        sources,
        designs,
        instances,
        own_instances,
        files,
        names,
    };
    (text, diagnostics)
}

fn on_disk(path: &Path) -> Result<(ModelText, Diagnostics), Box<Loaded>> {
    let Some((loader, name)) = DiskLoader::for_model(path, &DocumentLimits::default()) else {
        let diagnostics = Diagnostics::new();
        let shown = escaped(&path.display().to_string());
        let message = format!("cannot read {shown}: it does not name a file");
        diagnostics.push(Diagnostic::error("cannot-read", message));
        return Err(Box::new(Loaded {
            model: None,
            sources: Sources::new(),
            diagnostics,
        }));
    };
    let (mut text, diagnostics) = loaded(&name, &loader, |_| ());
    let folder = path.parent().unwrap_or(Path::new(""));
    text.sources.put_in(folder, None);
    Ok((text, diagnostics))
}

/// Loads a model file with all files that it includes.
pub fn load(path: &Path, overrides: &Overrides) -> Loaded {
    match on_disk(path) {
        Ok((text, diagnostics)) => text.lower(diagnostics, overrides),
        Err(loaded) => *loaded,
    }
}

/// Loads a model from the texts of a loader, starting with `main`.
pub fn load_with(main: &str, loader: &dyn Loader, overrides: &Overrides) -> Loaded {
    let (text, diagnostics) = loaded(main, loader, |_| ());
    text.lower(diagnostics, overrides)
}

/// Loads a model from the texts of a loader and changes it: lists of elements are concatenated, tables are merged key by key, and other values are replaced.
/// The changes are the result of `pick` on another text, called `name`. In messages the texts of the model are in `folder`.
pub(crate) fn load_changed(
    (main, loader, folder): (&str, &dyn Loader, &Path),
    (name, changes): (&str, &str),
    pick: impl FnOnce(&Table) -> Table,
) -> Loaded {
    let mut changed_by = None;
    let (mut text, diagnostics) = loaded(main, loader, |document| {
        let limits = DocumentLimits::default();
        let (table, _) = parse_source(
            name,
            changes,
            &limits,
            &mut document.sources,
            &document.diagnostics,
        );
        document.root.change(pick(&table));
        changed_by = Some(table.span.source);
    });
    text.sources.put_in(folder, changed_by);
    text.lower(diagnostics, &Overrides::default())
}

/// Loads a model from one text.
pub fn parse(name: &str, text: &str, overrides: &Overrides) -> Loaded {
    load_with(name, &MemoryLoader::new([(name, text)]), overrides)
}

/// The sources of a model.
#[derive(Clone, Copy)]
struct Texts<'t, 'o> {
    /// The file itself, with its included files.
    root: &'t Table,
    /// Overridden parameters.
    overridden: &'o [parameters::Override<'t>],
    /// External functions.
    functions: &'o BTreeMap<String, OutsideFunction>,
    /// See [`Document::designs`].
    designs: &'t [(Span, Table)],
    /// The instances of components.
    instances: &'t [Instance],
    /// Other files that the model names.
    files: &'t FileTexts,
}

/// The data that are known before any element is read.
fn context<'t>(
    reader: &SectionReader<'t>,
    texts: Texts<'t, '_>,
    sources: &'t Sources,
    diagnostics: &'t Diagnostics,
) -> Context<'t> {
    check_format(reader, diagnostics);
    let space = reader
        .require("space", "space = \"planar\" or space = \"spatial\"")
        .one_of(SPACES);
    let mut context = Context {
        diagnostics,
        sources,
        files: texts.files,
        space: space.map_or_else(|| guess_space(texts.root), |word| space_of(word.value)),
        space_known: space.is_some(),
        constants: Constants::default(),
        designs: texts.designs,
        placements: Placements::new(texts.instances),
        frame: Cell::new(None),
    };
    let points = reader.get("points");
    context.constants = parameters::parameters(
        [&reader.get("parameters"), &points],
        texts.overridden,
        sources,
        diagnostics,
    );
    context.constants.give(texts.functions);
    parameters::tables(&reader.get("table"), &mut context);
    context.check_hard_points(&points);
    context
}

/// Bodies, joints, rotors, gravity and robot of a file: the design model of a controller.
fn design<'t>(
    texts: Texts<'t, '_>,
    sources: &'t Sources,
    diagnostics: &'t Diagnostics,
) -> Option<Model> {
    let reader = SectionReader::new(&keys::MODEL, texts.root, diagnostics);
    let context = context(&reader, texts, sources, diagnostics);
    let mut model = Model::new("design", context.space);
    let mut names = NameIndex::default();
    let _ = mechanism(&reader, &mut model, &mut names, &context)?;
    // rotors of motors contribute to the armature of joints
    let forces = reader.get("force").array_of_tables();
    let _ = forces::forces(&forces, &mut model, &mut names, &context);
    model.forces.clear();
    Some(model)
}

/// The angular velocity of the ground frame.
fn spin<'t>(reader: &SectionReader<'t>, model: &Model, context: &Context<'t>) -> f64 {
    let field = reader.get("spin");
    let spin = context.number(&field, "rad/s").unwrap_or(0.0);
    let [x, y, _] = model.gravity.into();
    if spin != 0.0 && (x, y) != (0.0, 0.0) {
        let help = match context.space {
            Space::Planar => "leave one of them out",
            Space::Spatial => {
                "leave one of them out, or let gravity act along z, the axis of `spin`"
            }
        };
        let help = help.to_owned();
        let problem =
            "conflicts with `gravity`, whose direction would rotate in the rotating ground frame";
        field.error("conflict", problem, "", Some(help));
    }
    spin
}

/// Reads gravity, bodies, joints, couplers and robot. Returns the source spans of the bodies, unless there are too many elements.
fn mechanism<'t>(
    reader: &SectionReader<'t>,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Option<Vec<Span>> {
    let gravity = context.vector(&reader.get("gravity"), "m/s^2");
    model.gravity = gravity.unwrap_or_else(Vec3::zeros);
    model.spin = spin(reader, model, context);
    let tables = |key: &'static str| reader.get(key).array_of_tables();
    let elements: usize = FAMILIES.iter().map(|key| tables(key).len()).sum();
    let chains = tables("chain");
    let elements = elements + chains::elements(&chains);
    let has_room = |count: usize| {
        if count > MOST_ELEMENTS {
            let message = format!(
                "the model has {count} elements and points; at most {MOST_ELEMENTS} are allowed"
            );
            let error = Diagnostic::error("too-many-elements", message);
            context.diagnostics.push(error);
        }
        count <= MOST_ELEMENTS
    };
    if !has_room(elements) {
        return None;
    }
    contacts::materials(&tables("material"), model, names, context);
    bodies::ground(&reader.get("ground"), model, names, context);
    let mut places = bodies::bodies(&tables("body"), model, names, context);
    chains::chains(&chains, model, names, &mut places, context);
    beams::beams(&tables("beam"), model, names, context);
    // every body and the ground have their own marker
    let points = model.markers.len() - model.bodies.len() - 1;
    if !has_room(elements + points) {
        return None;
    }
    joints::joints(&tables("joint"), model, names, context);
    couplers::couplers(&tables("coupler"), model, names, context);
    model.robot = robot::robot(&reader.get("robot"), names, model, context);
    Some(places)
}

/// The name of the source that holds overridden parameter values, which is not a file.
pub const OVERRIDES: &str = "<set>";

/// The lists of elements.
const FAMILIES: [&str; 16] = [
    "body",
    "beam",
    "joint",
    "coupler",
    "material",
    "material_pair",
    "contact",
    "trajectory",
    "driver",
    "force",
    "input",
    "sensor",
    "controller",
    "event",
    "measure",
    "chain",
];

/// The model's name: one line, since it heads tables, comments of generated code and pages.
fn model_name<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> &'t str {
    let Some(name) = reader.get("name").string() else {
        return "model";
    };
    if name.value.contains(['\n', '\r', '\t']) {
        let help =
            "a name is one line without tabs; `description` may have several lines".to_owned();
        let message = "the name of the model has a line break or a tab";
        context.error("bad-name", message, (name.span, ""), Some(help));
    }
    name.value
}

fn lower_root<'t>(
    texts: Texts<'t, '_>,
    own_instances: usize,
    sources: &'t Sources,
    diagnostics: &'t Diagnostics,
) -> Option<Lowered> {
    let root = texts.root;
    let reader = SectionReader::new(&keys::MODEL, root, diagnostics);
    let context = context(&reader, texts, sources, diagnostics);
    context.check_placements(own_instances);

    let name = model_name(&reader, &context);
    let description = reader.get("description").string();
    let description = description.map_or(String::new(), |text| text.value.to_owned());
    let mut model = Model::new(name, context.space);
    let mut names = NameIndex::default();
    let places = mechanism(&reader, &mut model, &mut names, &context)?;
    let tables = |key: &'static str| reader.get(key).array_of_tables();
    let [
        material_pairs,
        contacts,
        trajectories,
        drivers,
        inputs,
        forces,
        sensors,
        controllers,
        events,
    ] = [
        "material_pair",
        "contact",
        "trajectory",
        "driver",
        "input",
        "force",
        "sensor",
        "controller",
        "event",
    ]
    .map(tables);
    let pairs = contacts::pairs(&material_pairs, &names, &context);
    contacts::contacts(&contacts, &mut model, &mut names, &pairs, &context);
    contacts::generated(
        &reader.get("contacts"),
        &mut model,
        &mut names,
        &pairs,
        &context,
    );
    trajectories::trajectories(&trajectories, &mut model, &mut names, &context);
    let doubtful = drivers::drivers(&drivers, &mut model, &mut names, &context);
    inputs::inputs(&inputs, &mut model, &mut names, &context);
    let pending = forces::forces(&forces, &mut model, &mut names, &context);
    let declared = sensors::declare(&sensors, &mut model, &mut names, &context);
    let (by_law, by_formula): (Vec<&Table>, Vec<&Table>) = controllers
        .into_iter()
        .partition(|table| table.get("law").is_some());
    let controllers = controllers::declare(&by_formula, &mut model, &mut names, &context);
    let wired = laws::controllers(&by_law, texts, &mut model, &mut names, &context);
    let event_names = sensors::event_names(&events, &mut names, &context);
    let measures = reader.get("measure").array_of_tables();
    let measure_names = measures::measure_names(&measures, &mut names, &context);

    let mut signals = Signals::new(&model, &names);
    sensors::sensors(&declared, &mut model, &mut signals, &context);
    forces::laws(pending, &mut model, &signals, &context);
    laws::connect(wired, &mut model, &names);
    if !diagnostics.has_errors() {
        bodies::refuse_unresisted(&model, &places, &context);
    }
    controllers::laws(&controllers, &mut model, &signals, &context);
    controllers::finish(controllers, &model, &context);
    sensors::events(&events, event_names, &mut model, &signals, &context);

    drop(signals);
    let study = study::study(&reader.get("study"), (&names, &model), &context);
    contacts::check_study(&reader.get("study"), study.as_ref(), &model, &context);
    let duration = study.as_ref().map(|study| study.duration);
    drivers::check_smoothness(&doubtful, duration, &context);
    trajectories::check_limits(&trajectories, &model, duration, &context);
    let signals = Signals::new(&model, &names);
    let outputs = output::outputs(&reader.get("output"), study.as_ref(), &signals, &context);
    let measures = measures::measures(&measures, measure_names, &signals, &names, &context);
    let sweep = sweep::sweep(&reader.get("sweep"), &context);
    let optimize = sweep::optimize(&reader.get("optimize"), &measures, &context);
    let fit = sweep::fit(&reader.get("fit"), &signals, &context);
    reader.finish();
    if !diagnostics.has_errors() {
        bodies::warn_of_free_bodies(&model, &places, &context);
        context.constants.warn_unused(root.span.source, diagnostics);
    }
    Some(Lowered {
        model,
        description,
        study,
        outputs,
        components: texts.instances[..own_instances]
            .iter()
            .map(Instance::summary)
            .collect(),
        parameters: context.constants.summary(),
        measures,
        sweep,
        optimize,
        fit,
    })
}

fn check_format(reader: &SectionReader<'_>, diagnostics: &Diagnostics) {
    let field = reader.require("format", "format = 1");
    if let Some(format) = field.integer()
        && format.value != FORMAT
    {
        let message = format!(
            "format {} of the model language is not supported; this version of biela reads format {FORMAT}",
            format.value
        );
        let error = Diagnostic::error("unknown-format", message).at(format.span, "");
        diagnostics.push(
            error.help("write format = 1, or use a version of biela that supports this format"),
        );
    }
}

fn space_of(word: &str) -> Space {
    if word == "planar" {
        Space::Planar
    } else {
        Space::Spatial
    }
}

/// The space guessed from the length of a vector, if the file does not define it.
fn guess_space(root: &Table) -> Space {
    let length = |table: &Table, key: &str| match table.get(key).map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(items)) => Some(items.len()),
        _ => None,
    };
    let bodies = match root.get("body").map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(bodies)) => bodies.as_slice(),
        _ => &[],
    };
    let first = bodies.iter().find_map(|body| {
        let body = body.as_table()?;
        let points = body.get("points").and_then(|entry| entry.value.as_table());
        let point = points.and_then(|points| points.iter().next());
        let point = point.and_then(|entry| match &entry.value.kind {
            ValueKind::Array(items) => Some(items.len()),
            _ => None,
        });
        length(body, "com").or(length(body, "position")).or(point)
    });
    match length(root, "gravity").or(first) {
        Some(2) => Space::Planar,
        _ => Space::Spatial,
    }
}
