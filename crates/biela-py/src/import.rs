//! Import of models of other programs.

use std::path::{Path, PathBuf};

use biela::model::diagnostic::ReportStyle;
use biela::model::import::{Imported, mjcf, robo, sismul, urdf};
use biela::{ModelError, ModelReport};
use pyo3::prelude::*;

use crate::convert::{ExceptionKind, failure, model_error, report_in_python};

/// The maximum number of bytes of a file.
const MOST_BYTES: u64 = 25_000_000;

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("not a regular file".to_owned());
    }
    if about.len() > MOST_BYTES {
        return Err(format!("it has more than {MOST_BYTES} bytes"));
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// The text of a model imported from a file of another program, and the warnings about it. Files that it names are read from its own folder,
/// or from anywhere below `root`.
#[pyfunction]
#[pyo3(signature = (program, path, option, root=None))]
pub(crate) fn import_text(
    py: Python<'_>,
    program: &str,
    path: PathBuf,
    option: Option<String>,
    root: Option<PathBuf>,
) -> PyResult<(String, String)> {
    let name = path.display().to_string();
    let refuse = |text: String| failure(py, ExceptionKind::Option, text);
    let bytes = read(&path).map_err(|why| refuse(format!("{name}: cannot be read: {why}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let imported: Imported = match program {
        "urdf" => {
            let base = match option.as_deref() {
                None | Some("fixed") => urdf::Base::Fixed,
                Some("floating") => urdf::Base::Floating,
                Some(word) => {
                    let text = format!("no base is called `{word}`; use \"fixed\" or \"floating\"");
                    return Err(refuse(text));
                }
            };
            let options = urdf::UrdfOptions {
                base,
                shapes: urdf::Shapes::Visual,
            };
            urdf::import(&name, &text, &options)
        }
        "mjcf" => {
            let folder = mjcf::DiskFolder::beside(&path);
            let folder = match &root {
                Some(root) => folder.within(root),
                None => folder,
            };
            mjcf::import(
                &name,
                &text,
                &folder,
                &mjcf::MjcfOptions { keyframe: option },
            )
        }
        "robo" => robo::import(&name, &bytes, None),
        "sismul" => sismul::import(&name, &bytes, &sismul::SismulOptions { length: option }),
        word => {
            let text = format!("no format is called `{word}`; use urdf, mjcf, robo or sismul");
            return Err(refuse(text));
        }
    };
    let Imported {
        text,
        sources,
        diagnostics,
        ..
    } = imported;
    let report = ModelReport {
        sources,
        diagnostics,
    };
    match text {
        Some(text) => Ok((text, report_in_python(&report.render(ReportStyle::Plain)))),
        None => Err(model_error(py, &ModelError(report))),
    }
}
