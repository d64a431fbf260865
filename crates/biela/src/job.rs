//! A model file, read.

use std::path::Path;

use biela_core::analysis::{Formulation, Study};
use biela_core::model::Model;
use biela_model::diagnostic::{Diagnostics, Source, Sources, Style};
use biela_model::document::{DiskLoader, Limits, LoadError, Loader};
use biela_model::lower::{
    self, Fit, Loaded, Measures, Optimize, Outputs, Overrides, Parameters, Sweep,
};
use biela_record::{Column, Header, ModelInfo, digest};
use serde_json::{Map, Value, json};

/// What the parameters set from outside are called among the sources.
const OVERRIDES: &str = "--set";

/// A model with what is to be done with it.
#[derive(Debug)]
pub struct Job {
    /// The model.
    pub model: Model,
    /// What the model is about, in its author's words.
    pub description: String,
    /// What is to be computed; `None` when only the start is to be assembled.
    pub study: Option<Study>,
    /// What is to be kept.
    pub outputs: Outputs,
    /// The parameters, and the numbers that follow from them.
    pub parameters: Parameters,
    /// Numbers of a whole run.
    pub measures: Measures,
    /// Runs with other values of parameters.
    pub sweep: Option<Sweep>,
    /// Values of parameters that make something least or greatest.
    pub optimize: Option<Optimize>,
    /// Values of parameters with which the run follows measurements.
    pub fit: Option<Fit>,
    /// What there is to say about the text: warnings.
    pub report: Report,
}

/// The texts of a model and what is to be said about them.
#[derive(Debug)]
pub struct Report {
    /// The model file and what it includes.
    pub sources: Sources,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl Report {
    /// The texts that are files.
    pub fn files(&self) -> impl Iterator<Item = &Source> {
        self.sources
            .iter()
            .filter(|source| source.name() != OVERRIDES)
    }

    /// For people; empty when there is nothing to say.
    pub fn render(&self, style: Style) -> String {
        self.diagnostics.render(&self.sources, style)
    }

    /// SHA-256 of the model file; with includes, of the list of all digests and names as `sha256sum` prints it.
    pub fn digest(&self) -> String {
        let files: Vec<_> = self.files().collect();
        if let [one] = files.as_slice() {
            return digest(one.text().as_bytes());
        }
        let line = |name: &str, text: &str| format!("{}  {name}\n", digest(text.as_bytes()));
        let list: String = files.iter().map(|s| line(s.name(), s.text())).collect();
        digest(list.as_bytes())
    }
}

/// A model file that cannot be used; its text is the report for people.
#[derive(Debug)]
pub struct ModelError(pub Report);

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.render(Style::Plain))
    }
}

impl std::error::Error for ModelError {}

/// Reads a model file and all it includes. An error names every problem at once, each with its place.
pub fn load(path: impl AsRef<Path>) -> Result<Job, ModelError> {
    load_with::<&str>(path, &[])
}

/// Reads a model file with other values of parameters, each `name=value`.
pub fn load_with<S: AsRef<str>>(path: impl AsRef<Path>, set: &[S]) -> Result<Job, ModelError> {
    load_given(path, &Overrides::new(set.iter().map(AsRef::as_ref)))
}

/// Reads a model file with what is given from outside: values of parameters, and functions for formulas.
pub fn load_given(path: impl AsRef<Path>, given: &Overrides) -> Result<Job, ModelError> {
    Job::new(lower::load(path.as_ref(), given))
}

/// Reads a model from its text, with what is given from outside. Messages call it `name`; what it includes is looked for in `folder`.
///
/// ```
/// let text = "format = 1\nspace = \"planar\"\n[[body]]\nname = \"bob\"\nmass = 1\ninertia = \"2 kg\"\n";
/// let error = biela::read("bob", text, ".".as_ref(), &Default::default()).unwrap_err();
/// assert!(error.to_string().contains("bob:6:12"));
/// ```
pub fn read(name: &str, text: &str, folder: &Path, given: &Overrides) -> Result<Job, ModelError> {
    let loader = Beside {
        name,
        text,
        folder: DiskLoader::new(folder, &Limits::default()),
    };
    Job::new(lower::load_with(name, &loader, given))
}

/// A text, and the files of a folder.
struct Beside<'t> {
    name: &'t str,
    text: &'t str,
    folder: DiskLoader,
}

impl Loader for Beside<'_> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        if path == self.name {
            Ok(self.text.to_owned())
        } else {
            self.folder.load(path)
        }
    }
}

impl Job {
    /// What came of reading a model.
    pub fn new(loaded: Loaded) -> Result<Self, ModelError> {
        let report = Report {
            sources: loaded.sources,
            diagnostics: loaded.diagnostics,
        };
        let Some(lowered) = loaded.model else {
            return Err(ModelError(report));
        };
        Ok(Self {
            model: lowered.model,
            description: lowered.description,
            study: lowered.study,
            outputs: lowered.outputs,
            parameters: lowered.parameters,
            measures: lowered.measures,
            sweep: lowered.sweep,
            optimize: lowered.optimize,
            fit: lowered.fit,
            report,
        })
    }

    /// What is to be computed: the study, or the start alone.
    pub fn study_or_start(&self) -> Study {
        let start = || {
            let mut study = Study::new(self.model.space, 0.0, 1.0);
            study.formulation = Formulation::of(&self.model);
            study
        };
        self.study.clone().unwrap_or_else(start)
    }

    /// What the results of a run of it begin with; `set` are the parameters given other values, `options` what else was chosen.
    pub fn header(&self, path: &Path, set: &[String], mut options: Map<String, Value>) -> Header {
        let channels = &self.outputs.channels;
        let panel = |panel: &Vec<usize>| -> Vec<&str> {
            panel.iter().map(|&c| channels[c].name.as_str()).collect()
        };
        let panels: Vec<Vec<&str>> = self.outputs.panels.iter().map(panel).collect();
        let _ = options.insert("set".into(), json!(set));
        let _ = options.insert("plot".into(), json!(panels));
        Header {
            biela: env!("CARGO_PKG_VERSION").into(),
            model: ModelInfo {
                name: self.model.name.clone(),
                file: Some(path.display().to_string()),
                digest: Some(self.report.digest()),
            },
            options,
            columns: channels
                .iter()
                .map(|channel| Column::new(&channel.name, &channel.unit, &channel.text))
                .collect(),
        }
    }
}
