//! Eigenvalues over a parameter.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use biela::core::analysis::{LinearModelRequest, Mode, Trend};
use biela::core::math::Complex;
use biela::plot::{Figure, LineShape, MarkerShape, Panel, Series, SeriesStyle};
use biela::{OperatingPoint, OptionError};
use serde_json::json;

use super::{Args, files, report};
use crate::commands::plot;
use crate::commands::run::{is_interrupted, listen};
use crate::failure::{CommandResult, FailureCode};
use crate::terminal::{self, number, table};

/// The maximum number of values of a sweep.
const MOST_VALUES: usize = 100_000;

/// Evenly spaced values of a parameter.
#[derive(Debug, PartialEq)]
pub(super) struct ParameterGrid {
    name: String,
    from: f64,
    to: f64,
    count: usize,
    unit: String,
}

impl ParameterGrid {
    /// Parses `v=0:10:101` or `v=0:10 m/s:101`.
    pub(super) fn parse(text: &str) -> Result<Self, OptionError> {
        let refuse = |why: &str| {
            OptionError::new(format!(
                "--sweep: cannot parse `{text}`: {why}; write NAME=FIRST:LAST:COUNT, e.g. v=0:10:101 or \"length=10 cm:30 cm:41\""
            ))
        };
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| refuse("it has no `=`"))?;
        let parts: Vec<&str> = values.split(':').map(str::trim).collect();
        let [from, to, count] = parts.as_slice() else {
            return Err(refuse("it must have two values and a count"));
        };
        let count: usize = count
            .parse()
            .map_err(|_| refuse("the count is not a whole number"))?;
        if !(2..=MOST_VALUES).contains(&count) {
            return Err(refuse(&format!(
                "the count must be from 2 to {MOST_VALUES}"
            )));
        }
        let value = |text: &str| {
            let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
            let (digits, unit) = text.split_at(end);
            let number = digits.parse::<f64>().ok().filter(|x| x.is_finite());
            let number = number.ok_or_else(|| refuse(&format!("`{text}` is not a number")))?;
            Ok((number, unit.trim().to_owned()))
        };
        let ((from, first_unit), (to, unit)) = (value(from)?, value(to)?);
        if !first_unit.is_empty() && first_unit != unit {
            return Err(refuse("both values must have the same unit"));
        }
        Ok(ParameterGrid {
            name: name.trim().to_owned(),
            from,
            to,
            count,
            unit,
        })
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let step = (self.to - self.from) / (self.count - 1) as f64;
        (0..self.count).map(move |k| self.from + step * k as f64)
    }

    /// The argument of `--set` for a value.
    fn setting(&self, value: f64) -> String {
        format!("{}={value:?} {}", self.name, self.unit)
            .trim_end()
            .to_owned()
    }

    fn label(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.unit)
        }
    }
}

/// The modes at a value, or the error.
type ModesRow = (f64, Result<Vec<Mode>, String>);

pub(super) fn run(
    args: &Args,
    sweep: &ParameterGrid,
    at: OperatingPoint,
    request: &LinearModelRequest,
) -> CommandResult {
    // an unreadable model or an unknown parameter is reported once
    let mut first = args.model.set.clone();
    first.push(sweep.setting(sweep.from));
    let job = crate::input::load(&args.model.path, &first, args.json)?;
    let name = job.model.name;
    listen();
    let mut rows: Vec<ModesRow> = Vec::with_capacity(sweep.count);
    for value in sweep.values() {
        if is_interrupted() {
            break;
        }
        let mut set = args.model.set.clone();
        set.push(sweep.setting(value));
        let modes = match biela::load_with(&args.model.path, &set) {
            Ok(job) => biela::linearize(job, at, request)
                .map(|linear| linear.modes)
                .map_err(|error| error.to_string()),
            Err(_) => Err("the model cannot be read with this value".to_owned()),
        };
        if args.json {
            terminal::data(&json_line(sweep, value, &modes))?;
        }
        rows.push((value, modes));
    }
    if !args.json {
        terminal::data(&render(sweep, &name, &rows))?;
    }
    if let Some(dir) = &args.out {
        files::prepare(dir)?;
        files::text(&dir.join("sweep.csv"), &csv(sweep, &rows))?;
    }
    if let Some(file) = args.picture() {
        let locus = beside(&file, "-locus");
        plot::write(&figure(sweep, &name, &rows), &file)?;
        plot::write(&locus_figure(sweep, &name, &rows), &locus)?;
        if !args.json {
            terminal::say(&format!(
                "drew {} and {}\n",
                file.display(),
                locus.display()
            ));
        }
    }
    if is_interrupted() {
        return Ok(FailureCode::Interrupted);
    }
    let nowhere = rows.iter().all(|(_, modes)| modes.is_err());
    Ok(if nowhere {
        FailureCode::Solver
    } else {
        FailureCode::Done
    })
}

impl Args {
    /// The plot file, in the results folder if there is one.
    fn picture(&self) -> Option<PathBuf> {
        let file = self.plot.clone()?;
        let bare = file.parent().is_none_or(|p| p.as_os_str().is_empty());
        Some(match &self.out {
            Some(dir) if bare => dir.join(file),
            _ => file,
        })
    }
}

/// A file with the same extension and a longer name.
fn beside(file: &Path, more: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}{more}.{extension}"))
}

fn moving(modes: &[Mode]) -> impl Iterator<Item = &Mode> {
    modes.iter().filter(|mode| !mode.is_zero())
}

fn json_line(sweep: &ParameterGrid, value: f64, modes: &Result<Vec<Mode>, String>) -> String {
    let line = match modes {
        Ok(modes) => json!({
            "parameter": sweep.name,
            "value": value,
            "unit": sweep.unit,
            "zeros": modes.iter().filter(|m| m.is_zero()).count(),
            "eigenvalues": moving(modes).map(|m| [m.value.re, m.value.im]).collect::<Vec<_>>(),
        }),
        Err(problem) => json!({ "parameter": sweep.name, "value": value, "problem": problem }),
    };
    format!("{line}\n")
}

fn render(sweep: &ParameterGrid, name: &str, rows: &[ModesRow]) -> String {
    let ink = terminal::out_page().ink;
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|(value, modes)| match modes {
            Ok(modes) => {
                let values: Vec<String> =
                    moving(modes).map(|m| report::value_text(m.value)).collect();
                vec![
                    number(*value),
                    trend(modes).word().to_owned(),
                    values.join("   "),
                ]
            }
            Err(problem) => vec![number(*value), String::new(), problem.clone()],
        })
        .collect();
    let label = sweep.label();
    let heading = [label.as_str(), "motion", "eigenvalues (1/s), zeros omitted"];
    let mut out = format!("{}\n\n{}", ink.bold(name), table(ink, &heading, &lines));
    let changes = changes(rows);
    for (before, after, was, now) in &changes {
        let line = format!(
            "  {} becomes {} between {} = {} and {} {}",
            was.word(),
            now.word(),
            sweep.name,
            number(*before),
            number(*after),
            sweep.unit
        );
        let _ = write!(out, "\n{}", line.trim_end());
    }
    if !changes.is_empty() {
        out.push('\n');
    }
    out
}

/// The stability changes of the least stable mode: the values before and after, and its behaviour there.
fn changes(rows: &[ModesRow]) -> Vec<(f64, f64, Trend, Trend)> {
    let known: Vec<(f64, Trend)> = rows
        .iter()
        .filter_map(|(value, modes)| Some((*value, trend(modes.as_ref().ok()?))))
        .collect();
    known
        .windows(2)
        .filter(|pair| pair[0].1 != pair[1].1)
        .map(|pair| (pair[0].0, pair[1].0, pair[0].1, pair[1].1))
        .collect()
}

/// The behaviour of a disturbance in the least stable mode; zero eigenvalues are ignored.
fn trend(modes: &[Mode]) -> Trend {
    let is = |trend: Trend| moving(modes).any(|m| m.trend() == trend);
    if is(Trend::Grows) {
        Trend::Grows
    } else if is(Trend::Stays) || moving(modes).next().is_none() {
        Trend::Stays
    } else {
        Trend::Decays
    }
}

fn csv(sweep: &ParameterGrid, rows: &[ModesRow]) -> String {
    let mut out = format!("{},re,im\n", biela::record::csv_cell(&sweep.name));
    for (value, modes) in rows {
        for mode in modes.iter().flatten() {
            let _ = writeln!(out, "{value:?},{:?},{:?}", mode.value.re, mode.value.im);
        }
    }
    out
}

/// Points of real eigenvalues and of complex pairs: parameter and eigenvalue, for a pair both.
fn points(rows: &[ModesRow]) -> [Vec<(f64, Complex<f64>)>; 2] {
    let (mut real, mut pairs) = (Vec::new(), Vec::new());
    for (value, modes) in rows {
        for mode in modes.iter().flatten().filter(|mode| !mode.is_zero()) {
            if mode.is_oscillation() {
                pairs.push((*value, mode.value));
                pairs.push((*value, mode.value.conj()));
            } else {
                real.push((*value, mode.value));
            }
        }
    }
    [real, pairs]
}

fn dots<'a>(name: &str, points: &[(f64, f64)]) -> Series<'a> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    Series::new(name, x, y).style(SeriesStyle {
        line: LineShape::None,
        marker: Some(MarkerShape::Circle),
        width: Some(0.8),
        ..SeriesStyle::default()
    })
}

/// Real and imaginary parts over the parameter.
fn figure(sweep: &ParameterGrid, name: &str, rows: &[ModesRow]) -> Figure<'static> {
    let [real, pairs] = points(rows);
    let part = |list: &[(f64, Complex<f64>)], of: fn(&Complex<f64>) -> f64| -> Vec<(f64, f64)> {
        list.iter().map(|(x, value)| (*x, of(value))).collect()
    };
    let mut upper = Panel::new(sweep.label(), "real part (1/s)")
        .series(dots("real", &part(&real, |v| v.re)))
        .series(dots("pair", &part(&pairs, |v| v.re)));
    let mut lower = Panel::new(sweep.label(), "imaginary part (rad/s)")
        .series(dots("pair", &part(&pairs, |v| v.im)));
    for (before, after, _, now) in changes(rows) {
        upper = upper.mark(f64::midpoint(before, after), now.word());
        lower = lower.mark(f64::midpoint(before, after), "");
    }
    Figure::new(format!("{name}: eigenvalues over {}", sweep.name))
        .panel(upper)
        .panel(lower)
}

/// The eigenvalues in the complex plane.
fn locus_figure(sweep: &ParameterGrid, name: &str, rows: &[ModesRow]) -> Figure<'static> {
    let [real, pairs] = points(rows);
    let plane = |list: &[(f64, Complex<f64>)]| -> Vec<(f64, f64)> {
        list.iter().map(|(_, value)| (value.re, value.im)).collect()
    };
    let panel = Panel::new("real part (1/s)", "imaginary part (rad/s)")
        .series(dots("real", &plane(&real)))
        .series(dots("pair", &plane(&pairs)));
    let mut figure = Figure::new(format!("{name}: root locus"));
    figure.subtitle = format!(
        "{} from {} to {} {}",
        sweep.name,
        number(sweep.from),
        number(sweep.to),
        sweep.unit
    );
    figure.height = Some(560.0);
    figure.panel(panel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_has_a_name_two_values_and_a_count() {
        let sweep = ParameterGrid::parse("v=0:10 m/s:5").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            sweep.values().collect::<Vec<_>>(),
            [0.0, 2.5, 5.0, 7.5, 10.0]
        );
        assert_eq!(sweep.setting(2.5), "v=2.5 m/s");
        assert_eq!(
            ParameterGrid::parse("k=-1:1:3").map(|s| s.setting(-1.0)),
            Ok("k=-1.0".to_owned())
        );
        for wrong in [
            "v",
            "v=1:2",
            "v=1:2:1",
            "v=1:2:x",
            "v=a:2:3",
            "v=1 s:2 m:3",
            "v=inf:2:3",
        ] {
            assert!(ParameterGrid::parse(wrong).is_err(), "{wrong}");
        }
    }
}
