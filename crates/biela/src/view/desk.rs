//! Editing of a model file from the page: edits, undo and redo, dragging.
//!
//! Every change modifies the text. The new text is parsed before it is written, and rejected if it introduces an error, so that text and view always agree.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use biela_core::analysis::Analysis;
use biela_core::model::{Model, Space};
use biela_files::Draft;
use biela_model::diagnostic::Severity;
use biela_model::document::{DiskLoader, DocumentLimits, LoadError, Loader};
use biela_model::edit::{
    EditError, Effect, ModelEdit, ModelElement, edit, effect, remove, rename, unknown_names,
};
use biela_model::{Loaded, Overrides};
use biela_view::SessionDiagnostic;

use super::diagnostics;
use super::drag::{Dragged, Pull};
use crate::ModelReport;

/// The maximum number of undo steps.
const MOST_STEPS: usize = 200;

/// A model file that is being edited.
#[derive(Debug)]
pub struct Desk {
    path: PathBuf,
    set: Vec<String>,
    past: Vec<String>,
    future: Vec<String>,
    /// The text when it was last read.
    known: Option<String>,
    dragged: Option<Dragged>,
}

/// The reason why a change is rejected.
pub enum DeskError {
    /// The change cannot be applied.
    Edit(EditError),
    /// The change would introduce these errors.
    Mistake(Vec<SessionDiagnostic>),
    /// The file differs from the version of the request.
    Changed,
    /// The file cannot be read or written.
    File(PathBuf, std::io::Error),
    /// There is nothing to undo or redo, or nothing was dragged.
    Nothing(&'static str),
    /// The mechanism cannot follow.
    Stuck(String),
}

impl std::fmt::Display for DeskError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DeskError::Edit(error) => write!(f, "{error}"),
            DeskError::Mistake(problems) => {
                let texts: Vec<&str> = problems.iter().map(|p| p.text.trim_end()).collect();
                f.write_str(&texts.join("\n"))
            }
            DeskError::Changed => f.write_str(
                "another program has changed the file; its version was kept: check it and try again",
            ),
            DeskError::Stuck(text) => f.write_str(text),
            DeskError::File(path, error) => write!(f, "{}: {error}", path.display()),
            DeskError::Nothing(what) => f.write_str(what),
        }
    }
}

biela_core::readable_errors!(DeskError);

impl From<EditError> for DeskError {
    fn from(error: EditError) -> Self {
        DeskError::Edit(error)
    }
}

impl Desk {
    /// Creates an editor for a model file with these parameter values, each `name=value`.
    pub fn new(path: &Path, set: &[String]) -> Self {
        Desk {
            path: path.to_owned(),
            set: set.to_vec(),
            past: Vec::new(),
            future: Vec::new(),
            known: None,
            dragged: None,
        }
    }

    /// Returns `true` if the file does not exist.
    pub fn is_missing(&self) -> bool {
        !self.path.exists()
    }

    /// Writes a minimal model file; an existing one is not overwritten.
    pub fn create(&mut self, space: Space) -> Result<(), DeskError> {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let (word, gravity) = match space {
            Space::Planar => ("planar", "[0, -9.81]"),
            Space::Spatial => ("spatial", "[0, 0, -9.81]"),
        };
        let start = ModelEdit::Set {
            element: ModelElement::own(),
            key: "name".to_owned(),
            value: serde_json::json!(name).to_string(),
        };
        let text = edit(
            &format!(
                "format = 1\nname = \"\"\nspace = \"{word}\"\ngravity = {gravity}\n\n[study]\nduration = \"5 s\"\n"
            ),
            &[start],
        )?;
        let file = biela_files::create_new(&self.path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| DeskError::File(self.path.clone(), error))?;
        self.known = Some(text);
        Ok(())
    }

    /// The current text of the file.
    pub fn text(&self) -> Result<String, DeskError> {
        fs::read_to_string(&self.path).map_err(|error| DeskError::File(self.path.clone(), error))
    }

    /// Reads the current text of the file. A change by another program becomes an undo step.
    pub fn look(&mut self) -> Result<String, DeskError> {
        let text = self.text()?;
        if self.known.as_ref() != Some(&text)
            && let Some(before) = self.known.replace(text.clone())
        {
            self.remember(before);
        }
        Ok(text)
    }

    /// A short identifier of a text of the file.
    pub fn version(text: &str) -> String {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// Returns an error if the file is not at this version.
    pub fn expect(&mut self, version: &str) -> Result<(), DeskError> {
        if Self::version(&self.look()?) == version {
            Ok(())
        } else {
            Err(DeskError::Changed)
        }
    }

    /// The numbers of changes that can be undone and redone.
    pub fn steps(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// Applies changes, all or none. Removing an element also removes the references to it.
    pub fn apply(&mut self, changes: &[ModelEdit]) -> Result<(), DeskError> {
        let before = self.look()?;
        let text = self.changed(&before, changes)?;
        self.write(before, text)
    }

    /// The effect of changes on the elements of the file.
    pub fn preview(&mut self, changes: &[ModelEdit]) -> Result<Effect, DeskError> {
        let before = self.look()?;
        let after = self.changed(&before, changes)?;
        Ok(effect(&before, &after)?)
    }

    fn changed(&self, before: &str, changes: &[ModelEdit]) -> Result<String, DeskError> {
        let mut text = before.to_owned();
        for change in changes {
            text = match change {
                ModelEdit::Remove { element } => {
                    remove(&text, element, &|text| self.unknown(text))?
                }
                ModelEdit::Rename { element, name } => {
                    rename(&text, element, name, &|text| self.unknown(text))?
                }
                change => edit(&text, std::slice::from_ref(change))?,
            };
        }
        self.refuse_mistakes(before, &text)?;
        Ok(text)
    }

    /// Undoes the last change.
    pub fn undo(&mut self) -> Result<(), DeskError> {
        let now = self.look()?;
        let nothing = DeskError::Nothing("there is nothing to undo");
        let text = self.past.last().ok_or(nothing)?.clone();
        self.store(text)?;
        let _ = self.past.pop();
        self.future.push(now);
        Ok(())
    }

    /// Redoes the last undone change.
    pub fn redo(&mut self) -> Result<(), DeskError> {
        let now = self.look()?;
        let nothing = DeskError::Nothing("there is nothing to redo");
        let text = self.future.last().ok_or(nothing)?.clone();
        self.store(text)?;
        let _ = self.future.pop();
        self.past.push(now);
        Ok(())
    }

    /// Drags a body; returns the frame of the resulting pose.
    pub fn drag(&mut self, pull: &Pull) -> Result<Vec<f32>, DeskError> {
        let text = self.text()?;
        let known = self.dragged.take();
        let mut dragged = match known.filter(|dragged| dragged.belongs_to(&text)) {
            Some(dragged) => dragged,
            None => Dragged::new(&text, self.model(&text)?)?,
        };
        let frame = dragged.pull(pull, self.model(&text)?);
        self.dragged = Some(dragged);
        Ok(frame)
    }

    /// Writes the dragged pose to the file.
    pub fn drop_here(&mut self) -> Result<(), DeskError> {
        let nothing = DeskError::Nothing("nothing was dragged");
        let dragged = self.dragged.take().ok_or(nothing)?;
        let before = self.look()?;
        if !dragged.belongs_to(&before) {
            return Err(DeskError::Changed);
        }
        let text = dragged.written(&before, &|text| self.model(text))?;
        self.refuse_mistakes(&before, &text)?;
        self.write(before, text)
    }

    /// Returns a dragged mechanism to the pose in the file.
    pub fn let_go(&mut self) {
        self.dragged = None;
    }

    fn load(&self, text: &str) -> Option<Loaded> {
        let (disk, name) = DiskLoader::for_model(&self.path, &DocumentLimits::default())?;
        let overlay = Overlay {
            name: &name,
            text,
            disk,
        };
        let overrides = Overrides::new(self.set.iter().map(String::as_str));
        Some(biela_model::load_with(&name, &overlay, &overrides))
    }

    /// The model of a text, to be dragged.
    fn model(&self, text: &str) -> Result<Model, DeskError> {
        let loaded = self.load(text).and_then(|loaded| loaded.model);
        let stuck = |text: &str| DeskError::Stuck(text.to_owned());
        let lowered = loaded.ok_or_else(|| stuck("the file has errors; correct them first"))?;
        let analysis = lowered
            .study
            .map_or(Analysis::Motion, |study| study.analysis);
        if analysis != Analysis::Motion {
            return Err(stuck(
                "the study starts from the equilibrium, so a dragged pose would have no effect",
            ));
        }
        Ok(lowered.model)
    }

    /// Source spans of unknown names in the model file.
    fn unknown(&self, text: &str) -> Vec<Range<usize>> {
        let loaded = self.load(text);
        loaded.map_or_else(Vec::new, |loaded| unknown_names(&loaded, text))
    }

    /// The errors of a text.
    fn errors(&self, text: &str) -> Vec<SessionDiagnostic> {
        let Some(Loaded {
            sources,
            diagnostics: found,
            ..
        }) = self.load(text)
        else {
            return Vec::new();
        };
        let report = ModelReport {
            sources,
            diagnostics: found,
        };
        let mut list = diagnostics(&report);
        list.retain(|one| one.severity == Severity::Error.word());
        list
    }

    /// Rejects a text with more errors than before, and returns the new ones.
    fn refuse_mistakes(&self, before: &str, after: &str) -> Result<(), DeskError> {
        let (mut old, mut new) = (self.errors(before), self.errors(after));
        if new.len() <= old.len() {
            return Ok(());
        }
        new.retain(|one| {
            let same = |known: &SessionDiagnostic| {
                (&known.code, &known.message) == (&one.code, &one.message)
            };
            match old.iter().position(same) {
                Some(at) => {
                    let _ = old.swap_remove(at);
                    false
                }
                None => true,
            }
        });
        Err(DeskError::Mistake(new))
    }

    fn write(&mut self, before: String, text: String) -> Result<(), DeskError> {
        if before == text {
            return Ok(());
        }
        self.store(text)?;
        self.remember(before);
        Ok(())
    }

    /// Adds an undo step; the redo steps are discarded.
    fn remember(&mut self, before: String) {
        self.past.push(before);
        if self.past.len() > MOST_STEPS {
            let _ = self.past.remove(0);
        }
        self.future.clear();
    }

    /// Writes a text atomically: to a temporary file that then replaces the model file.
    fn store(&mut self, text: String) -> Result<(), DeskError> {
        let fault = |error| DeskError::File(self.path.clone(), error);
        // a symbolic link is preserved
        let path = fs::canonicalize(&self.path).map_err(fault)?;
        let done = Draft::new(&path).and_then(|mut draft| {
            draft.write_all(text.as_bytes())?;
            draft.keep(true)
        });
        self.dragged = None;
        done.map_err(fault)?;
        self.known = Some(text);
        Ok(())
    }
}

/// The files of a folder, one of them with another text.
struct Overlay<'t> {
    name: &'t str,
    text: &'t str,
    disk: DiskLoader,
}

impl Loader for Overlay<'_> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        if path == self.name {
            return Ok(self.text.to_owned());
        }
        self.disk.load(path)
    }
}
