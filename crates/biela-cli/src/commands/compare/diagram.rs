//! The work-precision diagram: error over computational cost.

use biela::plot::{Dash, Figure, LineShape, MarkerShape, Panel, Series, SeriesStyle, Theme};

use super::ComparisonRow;
use super::plan::Combination;

/// The maximum number of series in one panel; beyond it each method gets its own panel.
const MOST_SERIES: usize = 8;
/// Smaller distances are rounding errors and are drawn at this value.
const LEAST_DISTANCE: f64 = 1e-16;
/// Margin around the points, as a factor.
const ROOM: f64 = 2.0;
const MARKERS: [MarkerShape; 4] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Cross,
];
const DASHES: [Dash; 4] = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDotted];

/// The measure of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Work {
    /// Processor time
    Cpu,
    /// Evaluations of the equations of motion
    Evaluations,
}

impl Work {
    fn label(self) -> &'static str {
        match self {
            Work::Cpu => "CPU time (s)",
            Work::Evaluations => "evaluations",
        }
    }
}

/// The runs of one method and integrator.
struct Curve<'r> {
    method: String,
    integrator: &'r str,
    /// Work and distance.
    points: Vec<(f64, f64)>,
}

/// Returns the diagram, or `None` if no run has a distance.
pub(super) fn figure(
    name: &str,
    finest: &Combination,
    work: Work,
    rows: &[ComparisonRow],
) -> Option<Figure<'static>> {
    let curves = curves(work, rows);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let span = |of: fn(&(f64, f64)) -> f64| {
        let values = points().map(of);
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        (low / ROOM, high * ROOM)
    };
    let _ = points().next()?;
    let (x, y) = (span(|p| p.0), span(|p| p.1));
    let mut methods: Vec<&str> = Vec::new();
    let mut integrators: Vec<&str> = Vec::new();
    for curve in &curves {
        if !methods.contains(&curve.method.as_str()) {
            methods.push(&curve.method);
        }
        if !integrators.contains(&curve.integrator) {
            integrators.push(curve.integrator);
        }
    }
    let together = curves.len() <= MOST_SERIES || methods.len() == 1;
    let panel = |label: String| {
        let panel = Panel::new(work.label(), label).log_x().log_y();
        panel.x_range(x.0, x.1).y_range(y.0, y.1)
    };
    let title = format!("{name}: work and precision");
    let mut figure = Figure::new(title).subtitle(format!("distance from {}", finest.name()));
    if together {
        let mut one = panel("distance".to_owned());
        for (place, curve) in curves.iter().enumerate() {
            let name = format!("{}/{}", curve.method, curve.integrator);
            one = one.series(drawn(curve, name, place));
        }
        let height = 420.0;
        figure = figure.panel(one);
        figure.height = Some(height);
        return Some(figure);
    }
    for method in &methods {
        let mut of_method = panel(format!("distance, {method}"));
        for curve in curves.iter().filter(|curve| curve.method == *method) {
            let place = integrators.iter().position(|i| *i == curve.integrator);
            let name = curve.integrator.to_owned();
            of_method = of_method.series(drawn(curve, name, place.unwrap_or(0)));
        }
        figure = figure.panel(of_method);
    }
    Some(figure)
}

/// The runs with a distance, by method and integrator, from coarse to fine.
fn curves(work: Work, rows: &[ComparisonRow]) -> Vec<Curve<'_>> {
    type Word = fn(&Combination) -> &'static str;
    let mut formulations: Vec<Word> = vec![Combination::formulation, Combination::contact];
    formulations.retain(|word| {
        rows.windows(2)
            .any(|pair| word(&pair[0].0) != word(&pair[1].0))
    });
    let mut curves: Vec<Curve<'_>> = Vec::new();
    for (combination, measured) in rows {
        let Some(distance) = &measured.distance else {
            continue;
        };
        let x = match work {
            Work::Cpu => measured.cpu,
            Work::Evaluations => measured.statistics.integrator.evaluations as f64,
        };
        let point = (x, distance.share().max(LEAST_DISTANCE));
        if !(x > 0.0 && point.1.is_finite()) {
            continue;
        }
        let mut words: Vec<&str> = formulations.iter().map(|word| word(combination)).collect();
        words.push(combination.method());
        let method = words.join(" ");
        let integrator = combination.integrator();
        let same =
            |curve: &&mut Curve<'_>| curve.method == method && curve.integrator == integrator;
        match curves.iter_mut().find(same) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve {
                method,
                integrator,
                points: vec![point],
            }),
        }
    }
    for curve in &mut curves {
        curve.points.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    curves
}

/// A curve with the colour, dash and marker of its index.
fn drawn(curve: &Curve<'_>, name: String, place: usize) -> Series<'static> {
    let palette = Theme::default().palette;
    let round = place / palette.len().max(1);
    let (x, y): (Vec<f64>, Vec<f64>) = curve.points.iter().copied().unzip();
    Series::new(name, x, y).style(SeriesStyle {
        color: palette.get(place % palette.len().max(1)).copied(),
        dash: DASHES.get(round % DASHES.len()).copied(),
        marker: MARKERS.get(place % MARKERS.len()).copied(),
        line: if curve.points.len() > 1 {
            LineShape::Straight
        } else {
            LineShape::None
        },
        width: None,
    })
}
