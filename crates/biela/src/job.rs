//! A loaded model file.

use std::path::Path;

use biela_core::analysis::{Formulation, Study};
use biela_core::model::Model;
use biela_core::system::channels;
use biela_model::diagnostic::{Diagnostics, ReportStyle, SourceFile, Sources};
use biela_model::document::{DiskLoader, DocumentLimits, LoadError, Loader};
use biela_model::lower::{
    self, ComponentInstance, FitDefinition, Loaded, Measures, OVERRIDES, Optimize, Outputs,
    Overrides, Parameters, SweepDefinition,
};
use biela_record::{Header, ModelInfo, RecordedColumn, digest};
use serde_json::{Map, Value, json};

use crate::import::ForeignFormat;

/// A model with its studies and outputs.
#[derive(Debug)]
pub struct Job {
    /// The model.
    pub model: Model,
    /// The description of the model by its author.
    pub description: String,
    /// The study; `None` if only the initial configuration is to be assembled.
    pub study: Option<Study>,
    /// The signals to record.
    pub outputs: Outputs,
    /// The instances of components, each before those that it contains.
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
    /// The sources and warnings.
    pub report: ModelReport,
}

/// The sources of a model and their diagnostics.
#[derive(Debug)]
pub struct ModelReport {
    /// The model file and the files that it includes.
    pub sources: Sources,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ModelReport {
    /// The sources that are files.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.sources
            .iter()
            .filter(|source| source.name() != OVERRIDES)
    }

    /// The diagnostics as text; empty if there are none.
    pub fn render(&self, style: ReportStyle) -> String {
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

/// An invalid model file. Its `Display` output is the report.
pub struct ModelError(pub ModelReport);

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.render(ReportStyle::Plain))
    }
}

biela_core::readable_errors!(ModelError);

/// Loads a model file and all files that it includes. The error lists every problem with its location.
///
/// A file `.urdf` is imported as by [`load_urdf`](crate::load_urdf), `.xml` and `.mjcf` as by [`load_mjcf`](crate::load_mjcf).
pub fn load(path: impl AsRef<Path>) -> Result<Job, ModelError> {
    load_with::<&str>(path, &[])
}

/// Loads a model file with overridden parameter values, each `name=value`.
pub fn load_with<S: AsRef<str>>(path: impl AsRef<Path>, set: &[S]) -> Result<Job, ModelError> {
    load_given(path, &Overrides::new(set.iter().map(AsRef::as_ref)))
}

/// Loads a model file with external definitions: parameter values, and functions for formulas.
pub fn load_given(path: impl AsRef<Path>, given: &Overrides) -> Result<Job, ModelError> {
    let path = path.as_ref();
    match ForeignFormat::of(path) {
        Some(format) => format.load(path, given),
        None => Job::new(lower::load(path, given)),
    }
}

/// Parses a model from text, with external definitions. Messages refer to it as `name`; included files are searched in `folder`.
///
/// ```
/// let text = "format = 1\nspace = \"planar\"\n[[body]]\nname = \"bob\"\nmass = 1\ninertia = \"2 kg\"\n";
/// let error = biela::read("bob", text, ".".as_ref(), &Default::default()).unwrap_err();
/// assert!(error.to_string().contains("bob:6:12"));
/// ```
pub fn read(name: &str, text: &str, folder: &Path, given: &Overrides) -> Result<Job, ModelError> {
    let loader = TextInFolder::new(name, text, folder);
    Job::new(lower::load_with(name, &loader, given))
}

/// A text, other texts by their names, and the files of a folder.
pub(crate) struct TextInFolder<'t> {
    texts: Vec<(&'t str, &'t str)>,
    folder: DiskLoader,
}

impl<'t> TextInFolder<'t> {
    pub(crate) fn new(name: &'t str, text: &'t str, folder: &Path) -> Self {
        TextInFolder {
            texts: vec![(name, text)],
            folder: DiskLoader::new(folder, &DocumentLimits::default()),
        }
    }

    /// Adds texts that replace files of the folder.
    pub(crate) fn with(mut self, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        self.texts.extend(texts);
        self
    }
}

impl Loader for TextInFolder<'_> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        match self.texts.iter().find(|(name, _)| *name == path) {
            Some((_, text)) => Ok((*text).to_owned()),
            None => self.folder.load(path),
        }
    }
}

impl Job {
    /// Returns the job of a model built in code, which records every signal.
    ///
    /// ```
    /// use biela::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("stone", Space::Planar);
    /// model.gravity = Vec3::new(0.0, -9.81, 0.0);
    /// model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
    /// let run = biela::run(Job::of(model, Study::new(Space::Planar, 1.0, 0.1)))?;
    /// let height = run.column("stone.y").ok_or("no such signal")?;
    /// assert!((height[10] + 9.81 / 2.0).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    pub fn of(model: Model, study: Study) -> Self {
        let outputs = Outputs {
            channels: channels(&model),
            panels: Vec::new(),
        };
        Self {
            model,
            description: String::new(),
            study: Some(study),
            outputs,
            components: Vec::new(),
            parameters: Parameters::default(),
            measures: Measures::default(),
            sweep: None,
            optimize: None,
            fit: None,
            report: ModelReport {
                sources: Sources::default(),
                diagnostics: Diagnostics::default(),
            },
        }
    }

    /// Converts the result of the loader.
    pub fn new(loaded: Loaded) -> Result<Self, ModelError> {
        let report = ModelReport {
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
            components: lowered.components,
            parameters: lowered.parameters,
            measures: lowered.measures,
            sweep: lowered.sweep,
            optimize: lowered.optimize,
            fit: lowered.fit,
            report,
        })
    }

    /// The study, or the assembly of the initial configuration if there is none.
    pub fn study_or_start(&self) -> Study {
        let start = || {
            let mut study = Study::new(self.model.space, 0.0, 1.0);
            study.formulation = Formulation::of(&self.model);
            study
        };
        self.study.clone().unwrap_or_else(start)
    }

    /// The header of the results of a run. `set` lists the overridden parameters, `options` the other settings.
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
                .map(|channel| RecordedColumn::new(&channel.name, &channel.unit, &channel.text))
                .collect(),
        }
    }
}
