//! Plots of a sweep: response curves, heat maps, distributions, and percentile bands of histories.

use std::path::Path;

use biela::parameter_methods::Plan;
use biela::parameter_study::{Sweep, SweepTable};
use biela::plot::{Color, Figure, LineShape, MarkerShape, Panel, Series, SeriesStyle};
use biela::record::Results;

use crate::failure::Failure;
use crate::terminal::beside;

/// The maximum number of plotted measures.
const MOST_PANELS: usize = 8;
/// The maximum number of thin histories behind the percentiles.
const MOST_THREADS: usize = 60;
/// Percentiles of a band.
const PERCENTILES: [f64; 5] = [5.0, 25.0, 50.0, 75.0, 95.0];

/// Colours from low to high: perceptually uniform, suitable for colour-blind readers (after viridis, S. van der Walt and N. Smith 2015).
const SCALE: [u32; 9] = [
    0x44_01_54, 0x47_2D_7B, 0x3B_52_8B, 0x2C_72_8E, 0x21_91_8C, 0x28_AE_80, 0x5E_C9_62, 0xAD_DC_30,
    0xFD_E7_25,
];

fn label(name: &str, unit: &str) -> String {
    match unit {
        "1" => name.to_owned(),
        _ => format!("{name} ({unit})"),
    }
}

/// The figure for the plan: a curve over one parameter, a map over a grid of two, otherwise the distribution of each measure.
pub(super) fn figure(sweep: &Sweep, table: &SweepTable) -> Figure<'static> {
    let mut figure = Figure::new(sweep.runs().about().name.clone());
    let measures = table.measures.len().min(MOST_PANELS);
    match (sweep.plan(), table.parameters.len()) {
        (_, 1) => {
            let drawn = matches!(sweep.plan(), Plan::Sampled(_));
            for m in 0..measures {
                figure = figure.panel(curve(table, m, drawn));
            }
        }
        (Plan::Grid(levels), 2) if levels.iter().all(|levels| levels.len() > 1) => {
            figure.share_x = false;
            for m in 0..measures {
                figure = figure.panel(map(table, m, &levels[0], &levels[1]));
            }
        }
        _ => {
            figure.share_x = false;
            for m in 0..measures {
                figure = figure.panel(distribution(table, m));
            }
        }
    }
    figure
}

/// A measure over the only parameter.
fn curve(table: &SweepTable, m: usize, drawn: bool) -> Panel<'static> {
    let (parameter, measure) = (&table.parameters[0], &table.measures[m]);
    let mut points: Vec<(f64, f64)> = (table.parameter(0).into_iter())
        .zip(table.measure(m))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let style = SeriesStyle {
        line: if drawn {
            LineShape::None
        } else {
            LineShape::Straight
        },
        marker: Some(MarkerShape::Circle),
        ..SeriesStyle::default()
    };
    Panel::new(
        label(&parameter.0, &parameter.1),
        label(&measure.0, &measure.1),
    )
    .series(Series::new("", x, y).style(style))
}

/// The edges of cells whose centres have these values.
fn edges(levels: &[f64]) -> Vec<f64> {
    let n = levels.len();
    let mut edges = vec![levels[0] - 0.5 * (levels[1] - levels[0])];
    edges.extend(levels.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])));
    edges.push(levels[n - 1] + 0.5 * (levels[n - 1] - levels[n - 2]));
    edges
}

/// The colour for a fraction from 0 to 1.
fn color(share: f64) -> Color {
    let at = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let low = (at.floor() as usize).min(SCALE.len() - 2);
    let (a, b) = (Color::hex(SCALE[low]), Color::hex(SCALE[low + 1]));
    let mix = |a: u8, b: u8| {
        (f64::from(a) + (at - low as f64) * (f64::from(b) - f64::from(a))).round() as u8
    };
    Color {
        r: mix(a.r, b.r),
        g: mix(a.g, b.g),
        b: mix(a.b, b.b),
    }
}

/// A measure over a grid of two parameters; cells without a value stay empty.
fn map(table: &SweepTable, m: usize, across: &[f64], up: &[f64]) -> Panel<'static> {
    let (x, y, measure) = (
        &table.parameters[0],
        &table.parameters[1],
        &table.measures[m],
    );
    let values = table.measure(m);
    let known = values.iter().copied().filter(|v| v.is_finite());
    let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    let mut order = [across.to_vec(), up.to_vec()];
    for list in &mut order {
        list.sort_by(f64::total_cmp);
    }
    let (columns, rows) = (edges(&order[0]), edges(&order[1]));
    let ends = |edges: &[f64]| (edges[0], edges[edges.len() - 1]);
    let mut panel = Panel::new(label(&x.0, &x.1), label(&y.0, &y.1))
        .x_range(ends(&columns).0, ends(&columns).1)
        .y_range(ends(&rows).0, ends(&rows).1);
    for (point, value) in table.points.iter().zip(&values) {
        let cell = |list: &[f64], value: f64| list.iter().position(|x| *x == value);
        let place = (cell(&order[0], point[0]), cell(&order[1], point[1]));
        if let (Some(i), Some(j), true) = (place.0, place.1, value.is_finite()) {
            let share = if high > low {
                (value - low) / (high - low)
            } else {
                0.5
            };
            panel = panel.tile(
                (columns[i], columns[i + 1]),
                (rows[j], rows[j + 1]),
                color(share),
            );
        }
    }
    // the colour scale, as legend entries without points
    let steps = if high > low { 5 } else { 1 };
    for k in (0..steps).rev() {
        let share = if steps > 1 {
            f64::from(k) / f64::from(steps - 1)
        } else {
            0.5
        };
        let value = if high > low {
            low + share * (high - low)
        } else {
            low
        };
        let shown = beside(value, low.abs().max(high.abs()));
        let name = format!("{shown} {}", label(&measure.0, &measure.1));
        let style = SeriesStyle {
            color: Some(color(share)),
            line: LineShape::None,
            marker: Some(MarkerShape::Square),
            ..SeriesStyle::default()
        };
        panel = panel.series(Series::new(name, Vec::new(), Vec::new()).style(style));
    }
    panel
}

/// The empirical distribution function of a measure.
fn distribution(table: &SweepTable, m: usize) -> Panel<'static> {
    let measure = &table.measures[m];
    let mut values: Vec<f64> = table
        .measure(m)
        .into_iter()
        .filter(|v| v.is_finite())
        .collect();
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let shares: Vec<f64> = (0..values.len())
        .map(|k| 100.0 * (k as f64 + 0.5) / n)
        .collect();
    let style = SeriesStyle {
        line: LineShape::Steps,
        ..SeriesStyle::default()
    };
    Panel::new(label(&measure.0, &measure.1), "points below (%)")
        .y_range(0.0, 100.0)
        .series(Series::new("", values, shares).style(style))
}

/// The histories of a signal over all points: a sample of them, and their percentiles.
pub(super) fn band(
    sweep: &Sweep,
    table: &SweepTable,
    folder: &Path,
    signal: &str,
) -> Result<Figure<'static>, Failure> {
    let mut times: Vec<f64> = Vec::new();
    let mut histories: Vec<Vec<f64>> = Vec::new();
    let mut unit = String::new();
    for row in table.rows.iter().filter(|row| row.values.is_ok()) {
        let dir = Sweep::history(folder, row.point);
        let results = Results::open(&dir).map_err(|error| {
            Failure::command(format!(
                "{error}; bands need the rows of every run: repeat the sweep with --histories"
            ))
        })?;
        let Some(values) = results.column(signal) else {
            let names: Vec<&str> = results.columns().iter().map(|c| c.name.as_str()).collect();
            return Err(Failure::command(format!(
                "--band: signal `{signal}` was not recorded; recorded: {}",
                names.join(", ")
            )));
        };
        if let Some(column) = results.columns().iter().find(|c| c.name == signal) {
            unit.clone_from(&column.unit);
        }
        let own = results.series(0).unwrap_or_default();
        if own.len() > times.len() {
            times = own.to_vec();
        }
        histories.push(values.to_vec());
    }
    let mut panel = Panel::new("time (s)", label(signal, &unit));
    let every = histories.len().div_ceil(MOST_THREADS).max(1);
    for history in histories.iter().step_by(every) {
        let style = SeriesStyle {
            color: Some(Color::hex(0xC8_CD_D3)),
            dash: Some(biela::plot::Dash::Solid),
            width: Some(0.6),
            ..SeriesStyle::default()
        };
        let x = times[..history.len()].to_vec();
        panel = panel.series(Series::new("", x, history.clone()).style(style));
    }
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(times.len());
    for k in 0..times.len() {
        let mut column: Vec<f64> = histories.iter().filter_map(|h| h.get(k).copied()).collect();
        column.retain(|x| x.is_finite());
        column.sort_by(f64::total_cmp);
        rows.push(column);
    }
    for share in PERCENTILES {
        let middle = share == 50.0;
        let style = SeriesStyle {
            color: Some(Color::hex(if middle { 0x0B_3C_5D } else { 0x2C_7F_B8 })),
            dash: Some(match share {
                5.0 | 95.0 => biela::plot::Dash::Dotted,
                50.0 => biela::plot::Dash::Solid,
                _ => biela::plot::Dash::Dashed,
            }),
            width: Some(if middle { 2.0 } else { 1.3 }),
            ..SeriesStyle::default()
        };
        let values: Vec<f64> = rows
            .iter()
            .map(|column| percentile(column, share))
            .collect();
        let name = if middle {
            "median".to_owned()
        } else {
            format!("{share} %")
        };
        panel = panel.series(Series::new(name, times.clone(), values).style(style));
    }
    let runs = crate::terminal::count(histories.len(), "run");
    let title = format!("{}: {runs}", sweep.runs().about().name);
    Ok(Figure::new(title).panel(panel))
}

/// The percentile of sorted values, by linear interpolation.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let at = share / 100.0 * last as f64;
    let low = (at.floor() as usize).min(last);
    let high = (low + 1).min(last);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_interpolated_linearly() {
        assert_eq!(percentile(&[1.0, 2.0, 3.0], 50.0), 2.0);
        assert_eq!(percentile(&[1.0, 3.0], 25.0), 1.5);
        assert_eq!(percentile(&[4.0], 95.0), 4.0);
        assert!(percentile(&[], 5.0).is_nan());
    }

    #[test]
    fn the_colour_scale_covers_the_whole_range() {
        assert_eq!(color(0.0), Color::hex(SCALE[0]));
        assert_eq!(color(1.0), Color::hex(SCALE[8]));
        assert_eq!(color(0.5), Color::hex(SCALE[4]));
    }

    #[test]
    fn cells_end_midway_between_levels() {
        assert_eq!(edges(&[1.0, 2.0, 4.0]), [0.5, 1.5, 3.0, 5.0]);
    }
}
