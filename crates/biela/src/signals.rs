//! Selection of recorded signals without a change to the model file.

use biela_core::model::{Model, Signal};
use biela_core::system::{Channel, channels};
use biela_model::suggest::did_you_mean;

use crate::{Job, OptionError};

/// Selects the signals that a job records. A name may select all signals below it (`pin.reaction`) and may contain the wildcards `*` and `?`. If the first name
/// starts with `+`, the signals are recorded in addition to those of the model, otherwise instead of them.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pendulum.toml");
/// # std::fs::write(&path, include_str!("../templates/pendulum.toml"))?;
/// let mut job = biela::load(&path)?;
/// biela::select_signals(&mut job, &["*.angle", "energy.total"])?;
/// assert!(job.outputs.channels.iter().all(|c| c.name.ends_with("angle") || c.name == "energy.total"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select_signals<S: AsRef<str>>(job: &mut Job, names: &[S]) -> Result<(), OptionError> {
    let all = channels(&job.model);
    let mut besides = false;
    let mut wanted: Vec<Channel> = Vec::new();
    for (k, name) in names.iter().map(|name| name.as_ref().trim()).enumerate() {
        let plain = name.strip_prefix('+').unwrap_or(name);
        besides |= k == 0 && plain != name;
        let found: Vec<&Channel> = all.iter().filter(|c| stands_for(plain, &c.name)).collect();
        if found.is_empty() {
            return Err(no_signal(plain, &all));
        }
        wanted.extend(found.into_iter().cloned());
    }
    let outputs = &mut job.outputs;
    if !besides {
        outputs.channels.clear();
        outputs.panels.clear();
    }
    for channel in wanted {
        if !outputs.channels.iter().any(|c| c.name == channel.name) {
            outputs.channels.push(channel);
        }
    }
    Ok(())
}

/// Returns the signal of a model with this name; the error suggests a similar one.
///
/// ```
/// use biela::core::model::{Body, MassProperties, Model, Space};
///
/// let mut model = Model::new("stone", Space::Planar);
/// model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let height = biela::find_signal(&model, "stone.y")?;
/// assert_eq!(Some(height), model.signal("stone.y"));
/// let error = biela::find_signal(&model, "ston.y").unwrap_err();
/// assert!(error.to_string().contains("did you mean `stone.y`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_signal(model: &Model, name: &str) -> Result<Signal, OptionError> {
    model
        .signal(name)
        .ok_or_else(|| no_signal(name, &channels(model)))
}

/// The error for a name that selects no signal.
fn no_signal(name: &str, all: &[Channel]) -> OptionError {
    let near = did_you_mean(name, all.iter().map(|c| c.name.as_str()));
    let help = near.map_or_else(
        || "signals are named ELEMENT.QUANTITY, e.g. `pin.angle`".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    OptionError::new(format!("the model has no signal `{name}`; {help}"))
}

/// Returns `true` if a name, a prefix of names or a pattern selects a signal.
fn stands_for(pattern: &str, name: &str) -> bool {
    if pattern.contains(['*', '?']) {
        let pattern: Vec<char> = pattern.chars().collect();
        let name: Vec<char> = name.chars().collect();
        return matches(&pattern, &name);
    }
    let rest = name.strip_prefix(pattern);
    rest.is_some_and(|rest| rest.is_empty() || (rest.starts_with('.') && !pattern.is_empty()))
}

/// Returns `true` if a pattern with `*` and `?` matches a text; backtracking extends only the last `*`.
fn matches(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    (p, t) = (*at + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::stands_for;

    #[test]
    fn names_groups_and_patterns_select_signals() {
        for (pattern, name, expected) in [
            ("pin.angle", "pin.angle", true),
            ("pin", "pin.reaction.fx", true),
            ("pin.re", "pin.reaction.fx", false),
            ("", "pin.angle", false),
            ("*.f?", "pin.reaction.fx", true),
            ("p*n.*x", "pin.reaction.fx", true),
            ("*.fy", "pin.reaction.fx", false),
            ("*", "energy.total", true),
        ] {
            assert_eq!(stands_for(pattern, name), expected, "{pattern} {name}");
        }
    }
}
