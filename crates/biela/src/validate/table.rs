//! Reference tables: time or another signal in the first column, then signals by name. A unit in brackets follows the name if it is not the SI unit.
//!
//! ```csv
//! t,slider.x,crank.angle [deg]
//! 0.25,0.2541,31.0
//! ```

use biela_model::case::Allowed;
use biela_model::units::Unit;

use super::{CheckOutcome, CheckedResult};
use crate::Run;

/// Times of rows and of the run are equal within this tolerance.
const SAME: f64 = 1e-9;

/// A table of printed numbers.
pub(super) struct PrintedTable {
    columns: Vec<PrintedColumn>,
    rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone)]
struct PrintedColumn {
    /// The signal.
    name: String,
    /// The unit, if given.
    unit: Option<Unit>,
}

impl PrintedColumn {
    /// Parses a name and its unit in brackets.
    fn read(cell: &str) -> Result<Self, String> {
        let (name, unit) = match cell.split_once('[') {
            None => (cell, None),
            Some((name, unit)) => (name.trim(), Some(unit.trim_end_matches(']').trim())),
        };
        let unit = unit.map(|unit| Unit::parse(unit).map_err(|error| error.to_string()));
        Ok(Self {
            name: name.to_owned(),
            unit: unit.transpose()?,
        })
    }

    /// The conversion factor to SI units.
    fn factor(&self) -> f64 {
        self.unit.as_ref().map_or(1.0, |unit| unit.factor)
    }

    /// The values and unit of its signal in a run.
    fn of<'r>(&self, run: &'r Run) -> Result<(Vec<f64>, &'r str), String> {
        let name = &self.name;
        let channel = run.channels().iter().find(|channel| channel.name == *name);
        let found = channel.zip(run.column(name));
        let (channel, values) = found.ok_or_else(|| format!("the model has no signal `{name}`"))?;
        let other = |unit: &Unit| {
            let own = Unit::parse(&channel.unit);
            own.is_ok_and(|own| own.dimension != unit.dimension)
        };
        if self.unit.as_ref().is_some_and(other) {
            let unit = &channel.unit;
            return Err(format!(
                "the unit of `{name}` in the table is not compatible with {unit}"
            ));
        }
        Ok((values, &channel.unit))
    }
}

impl PrintedTable {
    pub(super) fn read(file: &str, text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate();
        let (_, header) = lines.next().ok_or(format!("{file} is empty"))?;
        let columns: Vec<PrintedColumn> = (header.split(','))
            .map(|cell| {
                PrintedColumn::read(cell.trim()).map_err(|problem| format!("{file}:1: {problem}"))
            })
            .collect::<Result<_, _>>()?;
        let mut rows = Vec::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let cells = line.split(',').map(str::trim);
            let row: Vec<String> = cells.map(str::to_owned).collect();
            let is_number = |cell: &&String| cell.parse().is_ok_and(f64::is_finite);
            let wrong = row.iter().find(|cell| !cell.is_empty() && !is_number(cell));
            if let Some(cell) = wrong {
                return Err(format!("{file}:{}: `{cell}` is not a number", number + 1));
            }
            if row.len() != columns.len() {
                let (has, wants) = (row.len(), columns.len());
                let number = number + 1;
                return Err(format!("{file}:{number}: {has} cells instead of {wants}"));
            }
            rows.push(row);
        }
        if columns.len() < 2 || rows.is_empty() {
            return Err(format!("{file} has no values to compare"));
        }
        Ok(Self { columns, rows })
    }

    /// The signals in the table.
    pub(super) fn signals(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// Restricts the table to its first column and these columns (all if empty), and to the rows up to a value of the first column.
    pub(super) fn restricted(mut self, names: &[String], to: Option<f64>) -> Result<Self, String> {
        let to = to.unwrap_or(f64::INFINITY);
        self.rows.retain(|row| number(&row[0]) <= to);
        if names.is_empty() {
            return Ok(self);
        }
        let mut kept = vec![0];
        for name in names {
            let found = self.signals().position(|known| known == name);
            kept.push(found.ok_or_else(|| format!("the table has no column `{name}`"))?);
        }
        let rows = self.rows.iter();
        let rows = rows.map(|row| kept.iter().map(|&k| row[k].clone()).collect());
        Ok(Self {
            columns: kept.iter().map(|&k| self.columns[k].clone()).collect(),
            rows: rows.collect(),
        })
    }

    /// Compares a run with the table. Returns the entry with the largest error relative to its tolerance; empty cells are skipped.
    pub(super) fn compare(
        &self,
        run: &Run,
        (allowed, within): (Allowed, f64),
    ) -> Result<CheckOutcome, String> {
        let [first, others @ ..] = self.columns.as_slice() else {
            return Err("the table has no values to compare".to_owned());
        };
        let when = self.places(run, first)?;
        let mut worst: Option<(f64, CheckOutcome)> = None;
        for (k, column) in (1..).zip(others) {
            let (values, unit) = column.of(run)?;
            let factor = column.factor();
            let printed = self.rows.iter().map(|row| number(&row[k]) * factor);
            let printed: Vec<f64> = printed.collect();
            let largest = printed.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let cells = self.rows.iter().zip(printed).zip(&when);
            for ((row, reference), at) in cells.filter(|((_, x), _)| !x.is_nan()) {
                let tolerance = match allowed {
                    Allowed::Within => within,
                    Allowed::Share(share) if largest > 0.0 => share * largest,
                    Allowed::Share(share) => share,
                    Allowed::LastDigits(units) => units * last_digit(&row[k]) * factor,
                };
                let found = CheckedResult {
                    reference,
                    value: values[*at],
                    tolerance,
                };
                let share = found.error() / tolerance;
                let share = if share.is_nan() { f64::INFINITY } else { share };
                if worst.as_ref().is_none_or(|(least, _)| share > *least) {
                    let outcome = CheckOutcome {
                        quantity: String::new(),
                        place: Some(format!("{} at {} = {}", column.name, first.name, row[0])),
                        unit: unit.to_owned(),
                        result: Ok(found),
                    };
                    worst = Some((share, outcome));
                }
            }
        }
        let worst = worst.map(|(_, outcome)| outcome);
        worst.ok_or_else(|| "the table has no values to compare".to_owned())
    }

    /// The row of the run for each row of the table.
    fn places(&self, run: &Run, first: &PrintedColumn) -> Result<Vec<usize>, String> {
        let keys = match first.name.as_str() {
            "t" => run.times().to_vec(),
            _ => first.of(run)?.0,
        };
        let place = |row: &Vec<String>| {
            let wanted = number(&row[0]) * first.factor();
            let found = keys.iter().position(|key| (key - wanted).abs() < SAME);
            found.ok_or_else(|| format!("the run has no row at {} = {}", first.name, row[0]))
        };
        self.rows.iter().map(place).collect()
    }
}

/// Parses a number that was validated before.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// The unit of the last digit of a printed number.
fn last_digit(text: &str) -> f64 {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, d)| d.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    10.0_f64.powi(exponent - i32::try_from(decimals).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_of_a_printed_number_includes_its_exponent() {
        for (text, size) in [
            ("12.250", 1e-3),
            ("7", 1.0),
            ("-1.5e-3", 1e-4),
            ("2E2", 100.0),
        ] {
            assert!((last_digit(text) / size - 1.0).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn an_invalid_table_is_reported_with_its_line() {
        let message = |text: &str| PrintedTable::read("r.csv", text).err().unwrap_or_default();
        assert_eq!(
            message("t,x\n0,1\n1,one\n"),
            "r.csv:3: `one` is not a number"
        );
        assert_eq!(message("t,x\n0,1,2\n"), "r.csv:2: 3 cells instead of 2");
        assert!(message("t,x [furlong]\n0,1\n").starts_with("r.csv:1: "));
        assert_eq!(message("t,x\n0,nan\n"), "r.csv:2: `nan` is not a number");
        assert_eq!(message("t,x\n"), "r.csv has no values to compare");
        let table = PrintedTable::read("r.csv", "t,angle [deg]\n0,90\n").unwrap();
        assert_eq!(table.columns[1].name, "angle");
        assert!((table.columns[1].factor() - 1_f64.to_radians()).abs() < 1e-15);
    }
}
