//! Data in CSV files, such as motions of joints: a header with names and units, then numbers.
//!
//! ```csv
//! time [s], shoulder [deg], reach [mm], shoulder_rate [deg/s], reach_rate [mm/s]
//! 0, 0, 0, 0, 0
//! 0.1, 3.5, 12, 60, 100
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use biela_core::element::JointMotionSamples;
use biela_core::model::{JointIndex, Model};

use super::names::nearest;
use super::robot::DERIVATIVES;
use super::values::Context;
use crate::diagnostic::{SourceId, Span, shown};
use crate::document::{Document, DocumentField, LoadError, Loader, Value, ValueKind};
use crate::units::{Dimension, Unit};

/// The texts of the files that a model names, or the error.
pub(super) type FileTexts = BTreeMap<String, Result<SourceId, LoadError>>;

/// Reads the files that trajectories, sweeps and fits name, so that messages can show their lines.
pub(super) fn gather(document: &mut Document, loader: &dyn Loader) -> FileTexts {
    let mut files = FileTexts::new();
    let tables = match document.root.get("trajectory").map(|e| &e.value.kind) {
        Some(ValueKind::Array(tables)) => tables.as_slice(),
        _ => &[],
    };
    let named = |value: &Value, key: &str| {
        let file = value.as_table()?.get(key)?;
        file.value.as_str().map(str::to_owned)
    };
    let mut names: Vec<String> = tables.iter().filter_map(|t| named(t, "file")).collect();
    for (section, key) in [("sweep", "file"), ("fit", "data")] {
        let section = document.root.get(section);
        names.extend(section.and_then(|entry| named(&entry.value, key)));
    }
    for name in names {
        let Entry::Vacant(place) = files.entry(name) else {
            continue;
        };
        let name = place.key();
        let outside = name.starts_with('/') || name.split('/').any(|part| part == "..");
        let text = if outside {
            let reason = "it lies outside the model's folder";
            Err(LoadError::Other(reason.to_owned()))
        } else {
            loader.load(name)
        };
        let read = text.map(|text| document.sources.add(name.clone(), text));
        let _ = place.insert(read);
    }
    files
}

/// A cell of a file and its span.
#[derive(Clone, Copy)]
struct FileCell<'s> {
    text: &'s str,
    source: SourceId,
    start: usize,
}

impl FileCell<'_> {
    fn span(&self) -> Span {
        self.part(0..self.text.len().max(1))
    }

    fn part(&self, range: Range<usize>) -> Span {
        Span::new(
            self.source,
            self.start + range.start..self.start + range.end,
        )
    }
}

/// The cells of a line, without surrounding space and quotes.
fn cells(line: &str, source: SourceId, start: usize) -> Vec<FileCell<'_>> {
    let mut at = start;
    let mut list = Vec::new();
    for part in line.split(',') {
        let text = part.trim().trim_matches('"').trim();
        let before = part.find(text).unwrap_or(0);
        list.push(FileCell {
            text,
            source,
            start: at + before,
        });
        at += part.len() + 1;
    }
    list
}

/// A column of the header: its name and its unit.
pub(super) struct HeaderColumn<'s> {
    pub(super) name: &'s str,
    /// The source span.
    pub(super) place: Span,
    unit: Option<(Unit, Span)>,
}

impl HeaderColumn<'_> {
    /// The factor to SI units; `None` if the dimension is wrong, which is reported.
    pub(super) fn factor(&self, expected: Option<Dimension>, context: &Context<'_>) -> Option<f64> {
        let Some((given, place)) = &self.unit else {
            return Some(1.0);
        };
        if let Some(expected) = expected.filter(|expected| given.dimension != *expected) {
            let message = format!(
                "column {} {}; {} is required",
                shown(self.name),
                given.dimension.predicate(),
                expected.describe()
            );
            context.error("wrong-unit", message, (*place, ""), None);
            return None;
        }
        Some(given.factor)
    }
}

fn column<'s>(cell: &FileCell<'s>, context: &Context<'_>) -> HeaderColumn<'s> {
    let Some((name, rest)) = cell.text.split_once('[') else {
        return HeaderColumn {
            name: cell.text,
            place: cell.span(),
            unit: None,
        };
    };
    let from = name.len() + 1;
    let unit = rest.trim_end().trim_end_matches(']').trim();
    let place = cell.part(from..from + rest.trim_end_matches(']').len().max(1));
    let unit = match Unit::parse(unit) {
        Ok(unit) => Some((unit, place)),
        Err(_) if unit == "1" => None,
        Err(error) => {
            let message = format!("unit of column {}: {}", shown(name.trim()), error.message);
            context.error("unknown-unit", message, (place, ""), error.help);
            None
        }
    };
    HeaderColumn {
        name: name.trim(),
        place: cell.span(),
        unit,
    }
}

/// The cells of a file.
pub(super) struct FileCells<'s> {
    header: Vec<FileCell<'s>>,
    rows: Vec<Vec<FileCell<'s>>>,
    /// Set if every row has as many cells as the header; others were reported.
    whole: bool,
}

/// The file that a field names.
pub(super) fn sheet<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<FileCells<'t>> {
    let name = field.string()?;
    let source = match context.files.get(name.value) {
        Some(Ok(source)) => *source,
        Some(Err(error)) => {
            let problem = format!("names a file that cannot be read: {error}");
            field.error("cannot-read", &problem, "", None);
            return None;
        }
        None => return None,
    };
    let text = context.sources.get(source)?.text();
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').filter_map(|line| {
        let start = at;
        at += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        let empty = content.trim().is_empty() || content.trim_start().starts_with('#');
        (!empty).then_some((content, start))
    });
    let Some((header, start)) = lines.next() else {
        field.error("bad-file", "names a file without a header", "", None);
        return None;
    };
    let header = cells(header, source, start);
    let mut sheet = FileCells {
        header,
        rows: Vec::new(),
        whole: true,
    };
    for (line, start) in lines {
        let row = cells(line, source, start);
        if row.len() == sheet.header.len() {
            sheet.rows.push(row);
            continue;
        }
        let end = start + line.len().max(1);
        let message = format!(
            "the row has {} cells, the header {}",
            row.len(),
            sheet.header.len()
        );
        let span = Span::new(source, start..end);
        context.error("bad-row", message, (span, ""), None);
        sheet.whole = false;
    }
    Some(sheet)
}

/// Parses a cell as a number in SI units; an invalid one is reported.
fn number(cell: &FileCell<'_>, factor: f64, context: &Context<'_>) -> Option<f64> {
    let found = cell.text.parse::<f64>().ok().filter(|x| x.is_finite());
    if found.is_none() {
        let message = format!("{} is not a finite number", shown(cell.text));
        context.error("bad-number", message, (cell.span(), ""), None);
    }
    found.map(|x| x * factor)
}

impl<'s> FileCells<'s> {
    /// The columns by name and unit.
    pub(super) fn columns(&self, context: &Context<'_>) -> Vec<HeaderColumn<'s>> {
        self.header
            .iter()
            .map(|cell| column(cell, context))
            .collect()
    }

    /// All numbers in SI units, column by column; every invalid cell is reported.
    pub(super) fn numbers(&self, factors: &[f64], context: &Context<'_>) -> Option<Vec<Vec<f64>>> {
        let columns: Vec<Vec<Option<f64>>> = factors
            .iter()
            .enumerate()
            .map(|(k, &factor)| {
                let cells = self.rows.iter().map(|row| &row[k]);
                cells.map(|cell| number(cell, factor, context)).collect()
            })
            .collect();
        let whole = |column: Vec<Option<f64>>| column.into_iter().collect::<Option<Vec<f64>>>();
        let columns: Option<Vec<Vec<f64>>> = columns.into_iter().map(whole).collect();
        columns.filter(|_| self.whole)
    }

    /// The source span of a cell.
    pub(super) fn place(&self, row: usize, column: usize) -> Span {
        let cell = self.rows.get(row).and_then(|row| row.get(column));
        cell.map_or_else(|| self.header[0].span(), FileCell::span)
    }
}

/// Reads the file that a field names as a motion of joints.
pub(super) fn series<'t>(
    field: &DocumentField<'t>,
    joints: &[JointIndex],
    model: &Model,
    context: &Context<'t>,
) -> Option<JointMotionSamples> {
    let sheet = sheet(field, context)?;
    let picked = Picked::new(&sheet, joints, model, context)?;
    let mut series = JointMotionSamples::default();
    let mut whole = sheet.whole;
    for row in &sheet.rows {
        whole &= picked.read(row, &mut series, context).is_some();
    }
    whole.then_some(series)
}

/// The selected columns, and their factors to SI units.
struct Picked {
    time: (usize, f64),
    /// Positions, velocities and accelerations; the latter are empty if the file does not contain them.
    columns: [Vec<(usize, f64)>; 3],
}

const SUFFIXES: [&str; 3] = ["", "_rate", "_acceleration"];

impl Picked {
    fn new(
        sheet: &FileCells<'_>,
        joints: &[JointIndex],
        model: &Model,
        context: &Context<'_>,
    ) -> Option<Self> {
        let columns = sheet.columns(context);
        let find = |wanted: &str, other: &str, unit: &str| {
            let at = columns
                .iter()
                .position(|c| c.name == wanted || c.name == other)?;
            let expected = super::values::dimension_of(unit)?;
            let factor = columns[at].factor(Some(expected), context).unwrap_or(1.0);
            Some((at, factor))
        };
        let place = sheet.header.first().map(FileCell::span)?;
        let missing = |name: &str| {
            let names = columns.iter().map(|column| column.name);
            let message = format!("the file has no column {}", shown(name));
            let help = nearest(name, names, "");
            context.error(
                "missing-column",
                message,
                (place, "in this header"),
                Some(help),
            );
        };
        let time = find("time", "t", "s");
        if time.is_none() {
            missing("time");
        }
        let mut whole = true;
        let mut picked: [Vec<(usize, f64)>; 3] = Default::default();
        for (order, list) in picked.iter_mut().enumerate() {
            let mut absent = Vec::new();
            for joint in joints {
                let element = &model.joints[joint.0];
                let coordinate = element.joint.coordinates(model.space).first()?;
                let units = DERIVATIVES[order][usize::from(coordinate.angular)];
                let name = format!("{}{}", element.name, SUFFIXES[order]);
                let signal = format!("{}.{}{}", element.name, coordinate.name, SUFFIXES[order]);
                match find(&name, &signal, units) {
                    Some(column) => list.push(column),
                    None => absent.push(name),
                }
            }
            // velocities and accelerations must be present for all joints or for none
            if order == 0 || !list.is_empty() {
                for name in &absent {
                    missing(name);
                }
                whole &= absent.is_empty();
            }
        }
        if picked[1].is_empty() && !picked[2].is_empty() {
            let message = "the file has accelerations but no velocities, columns JOINT_rate";
            context.error("missing-column", message, (place, "in this header"), None);
            whole = false;
        }
        let time = time?;
        whole.then_some(Picked {
            time,
            columns: picked,
        })
    }

    /// Adds a row; `None` if a cell is invalid, which is reported.
    fn read(
        &self,
        row: &[FileCell<'_>],
        series: &mut JointMotionSamples,
        context: &Context<'_>,
    ) -> Option<()> {
        let number = |&(at, factor): &(usize, f64)| number(&row[at], factor, context);
        let time = number(&self.time);
        let lists: Vec<Vec<Option<f64>>> = self
            .columns
            .iter()
            .map(|columns| columns.iter().map(number).collect())
            .collect();
        let time = time?;
        if let Some(last) = series.times.last().filter(|last| **last >= time) {
            let message = format!("{time} s is not after {last} s");
            let place = row[self.time.0].span();
            context.error("bad-table", message, (place, "times must increase"), None);
            return None;
        }
        series.times.push(time);
        let rows = [
            &mut series.positions,
            &mut series.rates,
            &mut series.accelerations,
        ];
        for (rows, list) in rows.into_iter().zip(lists) {
            let list = list.into_iter().collect::<Option<Vec<f64>>>()?;
            if !list.is_empty() {
                rows.push(list);
            }
        }
        Some(())
    }
}
