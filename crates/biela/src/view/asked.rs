//! The requests of the page to the model editor, as JSON.
//!
//! ```text
//! language   {}                       → { tables }                   every table of the model language and its keys
//! elements   {}                       → { elements, … now }          as they are written; { missing: true } where there is no file yet
//! create     { space }                → { … now }
//! edit       { version, changes }     → { … now } or { problems }    undo, redo: { version } → the same
//! preview    { version, changes }     → { gone, changed }            the effect of the changes; nothing is written
//! drag       { body, point, to }      → { pose }                     numbers of a frame; nothing is written
//! drop       { version }              → { … now }                    writes where it was dragged to
//! release    {}                       → {}                           back to where the file has it
//! ```
//!
//! `now` is `{ version, undo, redo }`: the version of the text, and the numbers of changes that can be undone and redone. A request for a change names the
//! version that it is based on, so that the changes of another program are not overwritten.

use biela_core::model::Space;
use biela_model::edit::{ModelEdit, elements};
use biela_model::language::{TableInfo, tables};
use biela_view::Refusal;
use serde_json::{Value, json};

use super::desk::{Desk, DeskError};
use super::drag::Pull;

/// The maximum number of changes in one request.
const MOST_CHANGES: usize = 1000;

impl From<DeskError> for Refusal {
    fn from(error: DeskError) -> Self {
        Refusal::Cannot(error.to_string())
    }
}

/// Executes a request of the page.
pub(super) fn answer(desk: &mut Desk, action: &str, request: &Value) -> Result<Value, Refusal> {
    match action {
        "language" => {
            let tables: Vec<Value> = tables().iter().map(TableInfo::json).collect();
            return Ok(json!({ "tables": tables }));
        }
        "elements" => return listed(desk),
        "create" => desk.create(space(request)?)?,
        "edit" => {
            expect(desk, request)?;
            if let Err(error) = desk.apply(&changes(request)?) {
                return problems(error);
            }
        }
        "preview" => {
            expect(desk, request)?;
            return match desk.preview(&changes(request)?) {
                Ok(effect) => Ok(json!(effect)),
                Err(error) => problems(error),
            };
        }
        "undo" => {
            expect(desk, request)?;
            desk.undo()?;
        }
        "redo" => {
            expect(desk, request)?;
            desk.redo()?;
        }
        "drag" => {
            let pose = desk.drag(&pull(request)?)?;
            return Ok(json!({ "pose": pose }));
        }
        "drop" => {
            expect(desk, request)?;
            desk.drop_here()?;
        }
        "release" => {
            desk.let_go();
            return Ok(json!({}));
        }
        _ => return Err(Refusal::NotHere),
    }
    now(desk)
}

/// An invalid change is answered with its errors, so that the page shows them at the right location.
fn problems(error: DeskError) -> Result<Value, Refusal> {
    match error {
        DeskError::Mistake(problems) => Ok(json!({ "problems": problems })),
        error => Err(error.into()),
    }
}

fn now(desk: &mut Desk) -> Result<Value, Refusal> {
    let version = Desk::version(&desk.look()?);
    let (undo, redo) = desk.steps();
    Ok(json!({ "version": version, "undo": undo, "redo": redo }))
}

fn expect(desk: &mut Desk, request: &Value) -> Result<(), Refusal> {
    let version = request.get("version").and_then(Value::as_str);
    let version = version
        .ok_or_else(|| Refusal::Cannot("the request has no `version` of the file".to_owned()))?;
    Ok(desk.expect(version)?)
}

fn space(request: &Value) -> Result<Space, Refusal> {
    match request.get("space").and_then(Value::as_str) {
        Some("planar") => Ok(Space::Planar),
        Some("spatial") => Ok(Space::Spatial),
        _ => Err(Refusal::Cannot(
            "`space` must be `planar` or `spatial`".to_owned(),
        )),
    }
}

fn changes(request: &Value) -> Result<Vec<ModelEdit>, Refusal> {
    let list = request.get("changes").cloned().unwrap_or_default();
    let changes: Vec<ModelEdit> = serde_json::from_value(list)
        .map_err(|error| Refusal::Cannot(format!("invalid list of changes: {error}")))?;
    if changes.len() > MOST_CHANGES {
        return Err(Refusal::Cannot(format!(
            "{} changes in one request; at most {MOST_CHANGES} are allowed",
            changes.len()
        )));
    }
    Ok(changes)
}

fn pull(request: &Value) -> Result<Pull, Refusal> {
    let three = |key: &str| -> Option<[f64; 3]> {
        let list = request.get(key)?.as_array()?;
        let numbers: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
        numbers?.try_into().ok()
    };
    let body = request.get("body").and_then(Value::as_u64);
    let parts = body.zip(three("point")).zip(three("to"));
    let wrong = || {
        Refusal::Cannot(
            "a drag needs a `body`, a `point` on it and a target position `to`".to_owned(),
        )
    };
    let ((body, point), to) = parts.ok_or_else(wrong)?;
    let body = usize::try_from(body).map_err(|_| wrong())?;
    Ok(Pull { body, point, to })
}

/// The elements of the file as they are written.
fn listed(desk: &mut Desk) -> Result<Value, Refusal> {
    if desk.is_missing() {
        return Ok(json!({ "missing": true }));
    }
    let text = desk.look()?;
    let mut answer = now(desk)?;
    // a file that is not TOML has no elements; its errors are reported elsewhere
    let list = elements(&text).unwrap_or_default();
    let list = list.into_iter().map(|written| {
        json!({
            "table": written.element.table,
            "name": written.element.name,
            "entries": written.entries,
        })
    });
    answer["elements"] = list.collect();
    Ok(answer)
}
