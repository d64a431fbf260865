//! Loading of robots in URDF and of models in MJCF.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use biela_model::diagnostic::{Diagnostic, Diagnostics, Severity, Sources};
use biela_model::import::{Imported, mjcf, urdf};
use biela_model::lower::Overrides;

use crate::{Job, ModelError, ModelReport, read};

/// The maximum number of bytes of a file.
const MOST_BYTES: u64 = 25_000_000;

/// The formats of other programs that [`load`](crate::load) recognises by the extension of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignFormat {
    /// `.urdf`
    Urdf,
    /// `.xml`, `.mjcf`
    Mjcf,
}

impl ForeignFormat {
    /// Returns the format of a file; `None` for a model file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "urdf" => Some(ForeignFormat::Urdf),
            "xml" | "mjcf" => Some(ForeignFormat::Mjcf),
            _ => None,
        }
    }

    /// Loads a file of this format with default options.
    pub(crate) fn load(self, path: &Path, given: &Overrides) -> Result<Job, ModelError> {
        match self {
            ForeignFormat::Urdf => job(path, given, urdf_of(path, urdf::UrdfOptions::default())?),
            ForeignFormat::Mjcf => job(path, given, mjcf_of(path, &mjcf::MjcfOptions::default())?),
        }
    }
}

/// Loads a robot in URDF with options; [`load`](crate::load) has the default ones. The job has no study.
///
/// ```
/// use biela::model::import::urdf::{Base, UrdfOptions};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("crate.urdf");
/// # let inertia = r#"<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>"#;
/// # std::fs::write(&path, format!(r#"<robot name="crate"><link name="crate"><inertial><mass value="2"/>{inertia}</inertial></link></robot>"#))?;
///
/// let floating = UrdfOptions { base: Base::Floating, ..UrdfOptions::default() };
/// let job = biela::load_urdf(&path, &floating)?;
/// assert_eq!(job.model.bodies.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The file cannot be read or is invalid; the error lists every problem with its location.
pub fn load_urdf(path: impl AsRef<Path>, options: &urdf::UrdfOptions) -> Result<Job, ModelError> {
    let path = path.as_ref();
    job(path, &Overrides::default(), urdf_of(path, *options)?)
}

/// Loads a model in MJCF, the format of MuJoCo, with options; [`load`](crate::load) has the default ones. The job has no study. Files that it includes are
/// read from its folder.
///
/// # Errors
///
/// The file cannot be read or is invalid; the error lists every problem with its location.
pub fn load_mjcf(path: impl AsRef<Path>, options: &mjcf::MjcfOptions) -> Result<Job, ModelError> {
    let path = path.as_ref();
    job(path, &Overrides::default(), mjcf_of(path, options)?)
}

fn urdf_of(path: &Path, options: urdf::UrdfOptions) -> Result<Imported, ModelError> {
    let text = text_of(path)?;
    Ok(urdf::import(&path.display().to_string(), &text, &options))
}

fn mjcf_of(path: &Path, options: &mjcf::MjcfOptions) -> Result<Imported, ModelError> {
    let text = text_of(path)?;
    let folder = mjcf::DiskFolder::beside(path);
    let name = path.display().to_string();
    Ok(mjcf::import(&name, &text, &folder, options))
}

fn text_of(path: &Path) -> Result<String, ModelError> {
    let read = || -> Result<Vec<u8>, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let about = file.metadata().map_err(|error| error.to_string())?;
        if !about.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        let mut bytes = Vec::new();
        let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        let _ = read.map_err(|error| error.to_string())?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(format!("it has more than {MOST_BYTES} bytes"));
        }
        Ok(bytes)
    };
    let bytes = read().map_err(|reason| {
        let diagnostics = Diagnostics::new();
        let message = format!("cannot read {}: {reason}", path.display());
        diagnostics.push(Diagnostic::error("no-file", message));
        ModelError(ModelReport {
            sources: Sources::new(),
            diagnostics,
        })
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads the model that an importer wrote. The report refers to the file of the other program.
fn job(path: &Path, given: &Overrides, imported: Imported) -> Result<Job, ModelError> {
    let report = ModelReport {
        sources: imported.sources,
        diagnostics: imported.diagnostics,
    };
    let Some(text) = imported.text else {
        return Err(ModelError(report));
    };
    let name = path.with_extension("toml");
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut job = read(&name, &text, folder, given)?;
    for warning in job.report.diagnostics.sorted() {
        if warning.severity == Severity::Warning {
            let message = format!("in the imported model: {}", warning.message);
            let warning = Diagnostic::warning(warning.code, message).maybe_help(warning.help);
            report.diagnostics.push(warning);
        }
    }
    job.report = report;
    Ok(job)
}
