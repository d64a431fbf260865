//! A model file in the viewer: shown as assembled, reloaded when it changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use biela_core::analysis::AssembleError;
use biela_core::element::SourceLocation;
use biela_model::diagnostic::{ReportStyle, Severity};
use biela_view::{Scene, SessionDiagnostic, Show, ViewerMode};

use super::{bare_scene, scene};
use crate::{Job, ModelReport, RunError, load_with, start};

/// A model file shown in the viewer.
#[derive(Debug)]
pub struct ModelView {
    path: PathBuf,
    set: Vec<String>,
    show: Arc<Show>,
    /// The model and its included files, with their stamps when they were read.
    stamps: Vec<(PathBuf, Stamp)>,
}

/// Size and time of modification of a file.
type Stamp = Option<(u64, SystemTime)>;

fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()?))
}

impl ModelView {
    /// Loads a model with these parameter values, each `name=value`, and shows it together with its problems.
    pub fn open(path: &Path, set: &[String]) -> Self {
        let title = path.display().to_string();
        let mut view = Self {
            path: path.to_path_buf(),
            set: set.to_vec(),
            show: Arc::new(Show::new(ViewerMode::Model, title)),
            stamps: vec![(path.to_path_buf(), None)],
        };
        view.read();
        view
    }

    /// The content of the page.
    pub fn show(&self) -> &Arc<Show> {
        &self.show
    }

    /// Reloads the model if one of its files has changed. Returns `true` if so.
    pub fn refresh(&mut self) -> bool {
        let changed = self.stamps.iter().any(|(path, was)| stamp(path) != *was);
        if changed {
            self.read();
        }
        changed
    }

    fn read(&mut self) {
        // stamped before reading, so that a concurrent change is detected next time
        for (path, stamp_of) in &mut self.stamps {
            *stamp_of = stamp(path);
        }
        let read = read(&self.path, &self.set);
        let is_used = |path: &PathBuf| *path == self.path || read.files.contains(path);
        self.stamps.retain(|(path, _)| is_used(path));
        for file in read.files {
            if self.stamps.iter().all(|(path, _)| *path != file) {
                let now = stamp(&file);
                self.stamps.push((file, now));
            }
        }
        match read.scene {
            Some(scene) => self.show.set_scene(scene, read.source, read.diagnostics),
            None => self.show.set_diagnostics(read.source, read.diagnostics),
        }
    }
}

/// The result of loading a model.
struct ModelLoad {
    scene: Option<Scene>,
    source: Option<String>,
    diagnostics: Vec<SessionDiagnostic>,
    files: Vec<PathBuf>,
}

fn read(path: &Path, set: &[String]) -> ModelLoad {
    let (report, scene) = match load_with(path, set) {
        Ok(job) => {
            let study = job.study_or_start();
            let Job {
                model,
                description,
                parameters,
                report,
                ..
            } = job;
            let empty = model.bodies.is_empty();
            let bare = empty.then(|| bare_scene(&model, &description, &parameters));
            let scene = match start(model, &study) {
                Ok(assembled) => Ok(self::scene(&assembled, &description, &parameters)),
                Err(RunError::Assemble(AssembleError::Empty)) => bare.ok_or(None),
                Err(error) => Err(Some(not_started(path, &error))),
            };
            (report, scene)
        }
        Err(error) => (error.0, Err(None)),
    };
    let mut diagnostics = diagnostics(&report);
    let scene = match scene {
        Ok(scene) => Some(scene),
        Err(problem) => {
            diagnostics.extend(problem);
            None
        }
    };
    let texts = || report.files();
    ModelLoad {
        scene,
        source: texts().next().map(|source| source.text().to_owned()),
        diagnostics,
        files: texts().map(|source| PathBuf::from(source.name())).collect(),
    }
}

/// The diagnostics of a model's text, for the page.
pub fn diagnostics(report: &ModelReport) -> Vec<SessionDiagnostic> {
    let sources = &report.sources;
    let one = |found: biela_model::diagnostic::Diagnostic| {
        let label = found.primary.as_ref();
        let place = label.and_then(|label| {
            let source = sources.get(label.span.source)?;
            Some((source.name(), source.position(label.span.start)))
        });
        SessionDiagnostic {
            severity: found.severity.word().to_owned(),
            code: found.code.to_owned(),
            file: place.map_or("", |(name, _)| name).to_owned(),
            line: place.map_or(0, |(_, at)| at.line),
            column: place.map_or(0, |(_, at)| at.column),
            label: label.map_or("", |label| &label.text).to_owned(),
            help: found.help.clone().unwrap_or_default(),
            text: found.render(sources, ReportStyle::Plain),
            message: found.message,
        }
    };
    report.diagnostics.sorted().into_iter().map(one).collect()
}

/// The diagnostic for a model that cannot be assembled, or has no equilibrium to start from.
fn not_started(path: &Path, error: &RunError) -> SessionDiagnostic {
    let text = error.to_string();
    let (message, help) = text.split_once('\n').unwrap_or((&text, ""));
    let place = place(error);
    SessionDiagnostic {
        severity: Severity::Error.word().to_owned(),
        code: match error {
            RunError::Assemble(_) => "cannot-assemble",
            RunError::Study(_) => "bad-study",
            RunError::Statics(_) => "no-equilibrium",
            RunError::TooLarge { .. } | RunError::TableTooLarge { .. } => "too-large",
        }
        .to_owned(),
        message: message.to_owned(),
        file: place.map_or_else(|| path.display().to_string(), |place| place.file.clone()),
        line: place.map_or(0, |place| place.line),
        column: place.map_or(0, |place| place.column),
        label: String::new(),
        help: help.to_owned(),
        text: format!("error: {}: {text}", path.display()),
    }
}

/// The source location of the main cause.
fn place(error: &RunError) -> Option<&SourceLocation> {
    let origin = match error {
        RunError::Assemble(
            AssembleError::Positions { open, .. } | AssembleError::Velocities { open },
        ) => &open.first()?.origin,
        RunError::Assemble(
            AssembleError::NeedsTree { origin, .. } | AssembleError::NeedsAbsolute { origin, .. },
        ) => origin,
        _ => return None,
    };
    origin.0.as_deref()
}
