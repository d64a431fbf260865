//! Reduces data to the points that the image can show.
//!
//! Within a column of pixels a line covers everything from its lowest to its highest point. Therefore the first, lowest, highest and last point of each
//! sequence of points in one column produce the same image as all of them, and no peak is lost. A trajectory, which crosses the columns repeatedly, is also
//! simplified by removing points with an invisible distance from the line (Douglas and Peucker 1973).

use crate::{
    axis::PlotAxis,
    canvas::{ImagePoint, Polylines, Rect},
    figure::{LineShape, Series},
};

/// Positions are clamped to this distance, far outside every image.
const FAR: f64 = 1e6;

/// A trajectory with more points is drawn only where it is not drawn yet.
const MOST_POINTS: usize = 20_000;

/// The maximum number of points between two fixed points of a trajectory; it bounds the work.
const CHUNK: usize = 256;

/// The number of columns of a trajectory per column of a time series: a reversal inside a column must be kept.
const NARROWER: f64 = 16.0;

/// The largest invisible distance from the line.
const FINEST: f64 = 0.15;

/// The maximum number of pixels in the test of whether a trajectory is already drawn.
const MOST_DOTS: f64 = 1.6e7;

/// The path of a series in the image.
pub(crate) struct SeriesTrace {
    pub(crate) line: Polylines,
    /// Points with a gap on both sides, which no line shows.
    pub(crate) isolated: Vec<ImagePoint>,
    /// Positions of markers, one per pixel.
    pub(crate) dots: Vec<ImagePoint>,
    /// Set if the series has a point that the axes can show.
    pub(crate) has_data: bool,
}

/// The projection from values to positions in a frame.
#[derive(Clone, Copy)]
pub(crate) struct PlotProjection<'a> {
    pub(crate) frame: &'a Rect,
    pub(crate) x: &'a PlotAxis,
    pub(crate) y: &'a PlotAxis,
}

impl PlotProjection<'_> {
    pub(crate) fn x(&self, value: f64) -> f64 {
        (self.frame.left + self.x.place(value) * self.frame.width()).clamp(-FAR, FAR)
    }

    pub(crate) fn y(&self, value: f64) -> f64 {
        (self.frame.bottom - self.y.place(value) * self.frame.height()).clamp(-FAR, FAR)
    }

    fn point(&self, (x, y): (f64, f64)) -> Option<ImagePoint> {
        let shown = self.x.scale.shows(x) && self.y.scale.shows(y);
        shown.then(|| ImagePoint {
            x: self.x(x),
            y: self.y(y),
        })
    }
}

/// Computes the path of a series in an image with this number of pixel columns per unit.
pub(crate) fn trace(
    series: &Series<'_>,
    projection: &PlotProjection<'_>,
    columns_per_unit: f64,
) -> SeriesTrace {
    let forward = runs_forward(&series.x);
    let mut line = Polylines::default();
    if series.style.line != LineShape::None {
        let narrowing = if forward { 1.0 } else { NARROWER };
        let mut columns = ColumnCollector::new(narrowing * columns_per_unit);
        let mut held: Option<ImagePoint> = None;
        for p in series.points().map(|values| projection.point(values)) {
            match (p, held) {
                (Some(p), Some(before)) if series.style.line == LineShape::Steps => {
                    columns.push(ImagePoint {
                        x: p.x,
                        y: before.y,
                    });
                    columns.push(p);
                }
                (Some(p), _) => columns.push(p),
                (None, _) => columns.gap(),
            }
            held = p;
        }
        line = columns.finish();
    }
    let isolated = line
        .pieces()
        .filter(|piece| piece.len() == 1)
        .map(|piece| piece[0]);
    let isolated = isolated.filter(|p| projection.frame.contains(*p)).collect();
    let has_data = !line.is_empty()
        || series
            .points()
            .any(|values| projection.point(values).is_some());
    line = line.clipped(projection.frame);
    if !forward {
        line = thinned(&line, projection.frame, columns_per_unit);
    }
    let dots = match series.style.marker {
        Some(_) => dots(series, projection, columns_per_unit),
        None => Vec::new(),
    };
    SeriesTrace {
        line,
        isolated,
        dots,
        has_data,
    }
}

/// Returns `true` if the numbers never decrease, as in a time series.
pub(crate) fn runs_forward(x: &[f64]) -> bool {
    let mut latest = f64::NEG_INFINITY;
    x.iter().filter(|x| x.is_finite()).all(|&x| {
        let forward = x >= latest;
        latest = x;
        forward
    })
}

/// Collects points by column.
struct ColumnCollector {
    path: Polylines,
    per_unit: f64,
    run: Option<ColumnRun>,
    after_gap: bool,
}

/// Consecutive points in one column, each with its index.
struct ColumnRun {
    column: f64,
    count: usize,
    first: ImagePoint,
    lowest: (usize, ImagePoint),
    highest: (usize, ImagePoint),
    last: ImagePoint,
}

impl ColumnCollector {
    fn new(per_unit: f64) -> Self {
        Self {
            path: Polylines::default(),
            per_unit,
            run: None,
            after_gap: true,
        }
    }

    fn push(&mut self, p: ImagePoint) {
        let column = (p.x * self.per_unit).floor();
        match &mut self.run {
            Some(run) if run.column == column => {
                if p.y < run.lowest.1.y {
                    run.lowest = (run.count, p);
                }
                if p.y > run.highest.1.y {
                    run.highest = (run.count, p);
                }
                run.last = p;
                run.count += 1;
            }
            _ => {
                self.flush();
                self.run = Some(ColumnRun {
                    column,
                    count: 1,
                    first: p,
                    lowest: (0, p),
                    highest: (0, p),
                    last: p,
                });
            }
        }
    }

    fn gap(&mut self) {
        self.flush();
        self.after_gap = true;
    }

    fn flush(&mut self) {
        let Some(run) = self.run.take() else { return };
        if self.after_gap {
            self.path.move_to(run.first);
            self.after_gap = false;
        } else {
            self.path.line_to(run.first);
        }
        let final_index = run.count - 1;
        let (a, b) = if run.lowest.0 <= run.highest.0 {
            (run.lowest, run.highest)
        } else {
            (run.highest, run.lowest)
        };
        if a.0 != 0 && a.0 != final_index {
            self.path.line_to(a.1);
        }
        if b.0 != a.0 && b.0 != 0 && b.0 != final_index {
            self.path.line_to(b.1);
        }
        if final_index != 0 {
            self.path.line_to(run.last);
        }
    }

    fn finish(mut self) -> Polylines {
        self.flush();
        self.path
    }
}

/// The path without points at an invisible distance from it. If there are still very many, as for an orbit of many turns, also without segments over pixels
/// that earlier ones cover; if necessary with coarser tolerances.
fn thinned(path: &Polylines, frame: &Rect, dots_per_unit: f64) -> Polylines {
    let finest_dots = dots_per_unit.min((MOST_DOTS / (frame.width() * frame.height())).sqrt());
    let mut tolerance = FINEST;
    let mut thin = simplified(path, tolerance);
    while thin.points().len() > MOST_POINTS {
        thin = uncovered(&thin, frame, finest_dots.min(1.0 / tolerance));
        if thin.points().len() > MOST_POINTS {
            tolerance *= 2.0;
            thin = simplified(path, tolerance);
        }
    }
    thin
}

/// The segments inside the frame that cover a pixel not covered before.
fn uncovered(path: &Polylines, frame: &Rect, per_unit: f64) -> Polylines {
    let columns = (frame.width() * per_unit) as usize + 1;
    let rows = (frame.height() * per_unit) as usize + 1;
    let mut covered = vec![false; columns * rows];
    let mut kept = Polylines::default();
    let mut pen: Option<ImagePoint> = None;
    for pair in path.pieces().flat_map(|piece| piece.windows(2)) {
        let (a, b) = (pair[0], pair[1]);
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let steps = (dx.abs().max(dy.abs()) * per_unit).ceil().max(1.0) as usize;
        let mut new = false;
        for k in 0..=steps {
            let s = k as f64 / steps as f64;
            let column = ((a.x + s * dx - frame.left) * per_unit) as usize;
            let row = ((a.y + s * dy - frame.top) * per_unit) as usize;
            let dot = &mut covered[row.min(rows - 1) * columns + column.min(columns - 1)];
            new |= !std::mem::replace(dot, true);
        }
        if !new {
            pen = None;
            continue;
        }
        if pen != Some(a) {
            kept.move_to(a);
        }
        kept.line_to(b);
        pen = Some(b);
    }
    kept
}

fn simplified(path: &Polylines, tolerance: f64) -> Polylines {
    let mut simpler = Polylines::default();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for piece in path.pieces() {
        simpler.move_to(piece[0]);
        let mut start = 0;
        while start + 1 < piece.len() {
            let end = (start + CHUNK).min(piece.len() - 1);
            // the later half of a span waits on the stack, so that points are in order
            spans.push((start, end));
            while let Some((from, to)) = spans.pop() {
                match farthest(&piece[from..=to]) {
                    Some((k, distance)) if distance > tolerance => {
                        spans.push((from + k, to));
                        spans.push((from, from + k));
                    }
                    _ => simpler.line_to(piece[to]),
                }
            }
            start = end;
        }
    }
    simpler
}

/// The point with the largest distance from the segment between the ends.
fn farthest(span: &[ImagePoint]) -> Option<(usize, f64)> {
    let [a, inner @ .., b] = span else {
        return None;
    };
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length_squared = dx * dx + dy * dy;
    let distance = |p: &ImagePoint| {
        let along = if length_squared > 0.0 {
            (((p.x - a.x) * dx + (p.y - a.y) * dy) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (p.x - a.x - along * dx).hypot(p.y - a.y - along * dy)
    };
    let distances = inner.iter().map(distance).enumerate();
    distances
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(k, d)| (k + 1, d))
}

/// The positions of markers in the frame, one for each pixel of the image.
fn dots(
    series: &Series<'_>,
    projection: &PlotProjection<'_>,
    columns_per_unit: f64,
) -> Vec<ImagePoint> {
    let inside = series
        .points()
        .filter_map(|values| projection.point(values));
    let mut dots: Vec<ImagePoint> = inside.filter(|p| projection.frame.contains(*p)).collect();
    let cell = |p: &ImagePoint| {
        (
            (p.x * columns_per_unit).floor() as i64,
            (p.y * columns_per_unit).floor() as i64,
        )
    };
    let mut seen = std::collections::BTreeSet::new();
    dots.retain(|p| seen.insert(cell(p)));
    dots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MarkerShape, SeriesStyle, axis::AxisScale};
    use proptest::prelude::*;

    const FRAME: Rect = Rect {
        left: 0.0,
        top: 0.0,
        right: 100.0,
        bottom: 100.0,
    };
    const X: PlotAxis = PlotAxis {
        scale: AxisScale::Linear,
        low: 0.0,
        high: 100.0,
    };
    const Y: PlotAxis = PlotAxis {
        scale: AxisScale::Linear,
        low: -1.0,
        high: 1.0,
    };

    fn traced(series: &Series<'_>) -> SeriesTrace {
        trace(
            series,
            &PlotProjection {
                frame: &FRAME,
                x: &X,
                y: &Y,
            },
            1.0,
        )
    }

    #[test]
    fn a_peak_of_one_sample_among_a_million_survives() {
        let x: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) / 1e4).collect();
        let mut y: Vec<f64> = x.iter().map(|t| 0.1 * t.sin()).collect();
        y[345_678] = 0.9;
        y[345_679] = -0.8;
        let line = traced(&Series::new("", &x, &y)).line;
        assert!(line.points().len() <= 400);
        let has = |value: f64| {
            line.points()
                .iter()
                .any(|p| (p.y - 50.0 * (1.0 - value)).abs() < 1e-9)
        };
        assert!(has(0.9) && has(-0.8));
    }

    #[test]
    fn a_value_that_is_not_finite_leaves_a_gap() {
        let x = [0.0, 10.0, 20.0, 30.0, 40.0, f64::NAN, 50.0, 60.0, 70.0];
        let y = [
            0.0,
            0.1,
            f64::NAN,
            0.2,
            f64::INFINITY,
            0.3,
            0.4,
            f64::NEG_INFINITY,
            0.5,
        ];
        let trace = traced(&Series::new("", &x, &y));
        assert_eq!(
            trace.line.pieces().count(),
            1,
            "only the first two points can be joined"
        );
        let isolated: Vec<f64> = trace.isolated.iter().map(|p| p.x).collect();
        assert_eq!(isolated, [30.0, 50.0, 70.0]);
    }

    #[test]
    fn steps_hold_the_value_until_the_next_point() {
        let style = SeriesStyle {
            line: LineShape::Steps,
            ..SeriesStyle::default()
        };
        let line = traced(&Series::new("", &[0.0, 50.0], &[0.0, 1.0]).style(style)).line;
        let corners: Vec<_> = line.points().iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(corners, [(0.0, 50.0), (50.0, 50.0), (50.0, 0.0)]);
    }

    #[test]
    fn many_revolutions_of_an_orbit_take_few_points_and_stay_circular() {
        let angle: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) * 0.01).collect();
        let x: Vec<f64> = angle.iter().map(|a| 50.0 + 40.0 * a.cos()).collect();
        let y: Vec<f64> = angle.iter().map(|a| 0.8 * a.sin()).collect();
        let line = traced(&Series::new("", &x, &y)).line;
        assert!(
            line.points().len() <= MOST_POINTS,
            "{}",
            line.points().len()
        );
        for pair in line.pieces().flat_map(|piece| piece.windows(2)) {
            let middle = f64::midpoint(pair[0].x, pair[1].x) - 50.0;
            let radius = middle.hypot(f64::midpoint(pair[0].y, pair[1].y) - 50.0);
            assert!((radius - 40.0).abs() < 0.5, "{radius}");
        }
    }

    #[test]
    fn coinciding_markers_are_drawn_once() {
        let style = SeriesStyle {
            marker: Some(MarkerShape::Circle),
            line: LineShape::None,
            ..SeriesStyle::default()
        };
        let trace = traced(&Series::new("", &[1.1, 1.2, 5.0, 500.0], &[0.0; 4]).style(style));
        assert_eq!(trace.dots.len(), 2);
        assert!(trace.line.is_empty() && trace.has_data);
    }

    proptest! {
        #[test]
        fn each_column_keeps_its_lowest_and_highest_point(values in prop::collection::vec((0.0..99.0_f64, -1.0..1.0_f64), 1..400)) {
            let mut values = values;
            values.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (x, y): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
            let mut columns = ColumnCollector::new(1.0);
            for (&x, &y) in x.iter().zip(&y) {
                columns.push(ImagePoint { x, y });
            }
            let path = columns.finish();
            for column in 0..99 {
                let within = |x: f64| x.floor() == f64::from(column);
                let all = || x.iter().zip(&y).filter(|(x, _)| within(**x)).map(|(_, y)| *y);
                let kept = || path.points().iter().filter(|p| within(p.x)).map(|p| p.y);
                prop_assert_eq!(all().reduce(f64::min), kept().reduce(f64::min));
                prop_assert_eq!(all().reduce(f64::max), kept().reduce(f64::max));
                prop_assert!(kept().count() <= 4);
            }
            prop_assert!(path.points().windows(2).all(|w| w[0].x <= w[1].x));
        }

        #[test]
        fn a_simplified_path_stays_within_its_tolerance(values in prop::collection::vec((0.0..100.0_f64, 0.0..100.0_f64), 2..300)) {
            let mut path = Polylines::default();
            for &(x, y) in &values {
                path.line_to(ImagePoint { x, y });
            }
            let simple = simplified(&path, 3.0);
            for p in path.points() {
                let nearest = simple.points().windows(2).filter_map(|w| farthest(&[w[0], *p, w[1]])).map(|(_, d)| d).reduce(f64::min);
                prop_assert!(nearest.unwrap_or(0.0) <= 3.0 + 1e-9);
            }
        }
    }
}
