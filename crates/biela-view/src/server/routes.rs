//! Request routing.

use serde_json::{Map, Value, json};

use super::request::HttpRequest;
use super::response::{HttpResponse, HttpStatus};
use super::{Shared, limits};
use crate::assets::ASSETS;
use crate::motion::record;
use crate::{Bucket, Refusal};

/// Answers a request that passed the checks.
pub(super) fn answer(request: &HttpRequest, shared: &Shared) -> HttpResponse {
    route(request, shared).unwrap_or_else(HttpResponse::of)
}

fn route(request: &HttpRequest, shared: &Shared) -> Result<HttpResponse, HttpStatus> {
    if let Some(asset) = ASSETS.iter().find(|asset| asset.path == request.path) {
        only(request, &["GET", "HEAD"])?;
        return Ok(HttpResponse::new(asset.media, asset.bytes));
    }
    let Some(path) = request.path.strip_prefix("/api/") else {
        return Err(HttpStatus::NotFound);
    };
    shared.token.comes_with(request, false)?;
    let mut words = path.split('/');
    let words = [words.next(), words.next(), words.next(), words.next()];
    match words {
        [Some("session"), None, ..] => {
            only(request, &["GET"])?;
            Ok(HttpResponse::json(&shared.show.session()))
        }
        [Some("runs"), Some(id), Some("frames"), None] => {
            only(request, &["GET"])?;
            frames(request, shared, number(id)?)
        }
        [Some("runs"), Some(id), Some("scene"), None] => {
            only(request, &["GET"])?;
            let scene = shared.show.scene_of(number(id)?);
            Ok(HttpResponse::json(&json!(
                scene.ok_or(HttpStatus::NotFound)?.as_ref()
            )))
        }
        [Some("runs"), Some(id), Some("signals"), None] => {
            only(request, &["GET"])?;
            signals(request, shared, number(id)?)
        }
        [Some("modes"), None, ..] => {
            only(request, &["GET"])?;
            Ok(result(shared.backend.modes(), |modes| {
                HttpResponse::json(&modes)
            }))
        }
        [Some("meshes"), Some(id), None, _] => {
            only(request, &["GET"])?;
            let id = number(id)?;
            let mesh = match shared.backend.mesh(id) {
                Err(Refusal::NotHere) => shared.show.mesh(id),
                answer => answer,
            };
            Ok(result(mesh, HttpResponse::binary))
        }
        [Some("run"), None, ..] => {
            only(request, &["POST"])?;
            let wanted: Wanted =
                serde_json::from_slice(&request.body).map_err(|_| HttpStatus::Bad)?;
            let id = shared.backend.run(&wanted.parameters);
            Ok(result(id, |id| HttpResponse::json(&json!({ "id": id }))))
        }
        [Some("desk"), Some(action), None, _] => {
            only(request, &["POST"])?;
            let wanted: Map<String, Value> =
                serde_json::from_slice(&request.body).map_err(|_| HttpStatus::Bad)?;
            let done = shared.backend.desk(action, &Value::Object(wanted));
            Ok(result(done, |done| HttpResponse::json(&done)))
        }
        [Some("stop"), None, ..] => {
            only(request, &["POST"])?;
            shared.backend.stop();
            Ok(HttpResponse::json(&json!({})))
        }
        _ => Err(HttpStatus::NotFound),
    }
}

/// The body of `POST /api/run`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    parameters: Map<String, Value>,
}

fn only(request: &HttpRequest, methods: &[&str]) -> Result<(), HttpStatus> {
    if methods.contains(&request.method.as_str()) {
        Ok(())
    } else {
        Err(HttpStatus::Method)
    }
}

/// A number in a path: only digits.
fn number(text: &str) -> Result<usize, HttpStatus> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.ok_or(HttpStatus::NotFound)
}

fn result<T>(outcome: Result<T, Refusal>, good: impl FnOnce(T) -> HttpResponse) -> HttpResponse {
    match outcome {
        Ok(value) => good(value),
        Err(Refusal::NotHere) => HttpResponse::of(HttpStatus::NotFound),
        Err(Refusal::Cannot(why)) => HttpResponse::text(HttpStatus::Cannot, &why),
    }
}

/// `count` frames from index `from` on, every `every`-th; at most [`limits::FRAMES`] bytes.
fn frames(request: &HttpRequest, shared: &Shared, run: usize) -> Result<HttpResponse, HttpStatus> {
    let from = request.number("from")?.unwrap_or(0);
    let count: u64 = request.number("count")?.unwrap_or(1);
    let most = (limits::FRAMES / record(shared.show.frame_size())).max(1);
    let every: u64 = request.number("every")?.unwrap_or(1);
    let read = shared.show.frames(run, from, count.min(most), every.max(1));
    match read.ok_or(HttpStatus::NotFound)? {
        Ok(bytes) => Ok(HttpResponse::binary(bytes)),
        Err(_) => Err(HttpStatus::Internal),
    }
}

/// For each signal the number of points as `u32`, then time, minimum and maximum of each as `f64`.
fn signals(request: &HttpRequest, shared: &Shared, run: usize) -> Result<HttpResponse, HttpStatus> {
    let names = request.query("names").ok_or(HttpStatus::Bad)?;
    let names: Vec<String> = names.split(',').map(str::to_owned).collect();
    if names.len() > limits::SIGNALS {
        return Err(HttpStatus::Bad);
    }
    let times = (request.number("from")?, request.number("to")?);
    let points: usize = request.number("points")?.unwrap_or(1000);
    let points = points.clamp(1, limits::POINTS);
    let found = shared.show.signals(run, &names, times, points);
    let found = found.ok_or(HttpStatus::NotFound)?;
    let found: Vec<Vec<Bucket>> = found.map_err(|_| HttpStatus::Internal)?;
    let mut bytes = Vec::new();
    for buckets in &found {
        bytes.extend((buckets.len() as u32).to_le_bytes());
        for bucket in buckets {
            for x in [bucket.time, bucket.min, bucket.max] {
                bytes.extend(x.to_le_bytes());
            }
        }
    }
    Ok(HttpResponse::binary(bytes))
}
