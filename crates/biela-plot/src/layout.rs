//! Layout of a figure: frames, axes and ticks of all panels.

use crate::{
    Figure, Panel, PlotError, Series, Theme,
    axis::{AxisScale, Extent, PlotAxis},
    canvas::{ImagePoint, Polylines, Rect},
    figure::{LARGEST_SIDE, SMALLEST_SIDE},
    font::{Font, LINE_HEIGHT, printable},
    legend::{Legend, Spot},
    marks::{self, Flag, Strip},
    ticks::Ticks,
    trace::{PlotProjection, SeriesTrace, runs_forward, trace},
};

/// Margin of the figure.
pub(crate) const RIM: f64 = 10.0;
/// Length of a major tick.
pub(crate) const TICK: f64 = 5.0;
/// Space between related items.
pub(crate) const GAP: f64 = 4.0;
/// The minimum height of a frame.
const LOWEST_FRAME: f64 = 36.0;

/// Font sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FontSizes {
    pub(crate) title: f64,
    pub(crate) label: f64,
    pub(crate) small: f64,
}

impl FontSizes {
    fn of(theme: &Theme) -> Self {
        let label = theme.font_size;
        Self {
            title: 1.3 * label,
            label,
            small: 0.92 * label,
        }
    }
}

/// The layout of one panel.
#[derive(Debug)]
pub(crate) struct PanelLayout {
    pub(crate) frame: Rect,
    pub(crate) x: PlotAxis,
    pub(crate) y: PlotAxis,
    pub(crate) x_ticks: Ticks,
    pub(crate) y_ticks: Ticks,
    /// The label below the x axis; `None` if a lower panel has it, together with the numbers.
    pub(crate) x_label: Option<String>,
    pub(crate) flags: Vec<Flag>,
    pub(crate) legend: Legend,
}

/// The layout of a figure.
#[derive(Debug)]
pub(crate) struct FigureLayout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) theme: Theme,
    pub(crate) sizes: FontSizes,
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) panels: Vec<PanelLayout>,
}

impl PanelLayout {
    /// The position of the legend among the lines of the panel; `None` without names.
    pub(crate) fn legend_spot(&self, traces: &[SeriesTrace]) -> Option<Spot> {
        if self.legend.entries.is_empty() {
            return None;
        }
        let mut poles = Polylines::default();
        for flag in &self.flags {
            poles.segment(flag.x, self.frame.top, flag.x, self.frame.bottom);
        }
        let lines = traces.iter().map(|trace| &trace.line);
        let lines: Vec<&Polylines> = lines.chain([&poles]).collect();
        let dots: Vec<&[ImagePoint]> = traces
            .iter()
            .flat_map(|t| [t.dots.as_slice(), t.isolated.as_slice()])
            .collect();
        let strip_is_free = self.flags.is_empty();
        Some(self.legend.spot(&self.frame, &lines, &dots, strip_is_free))
    }

    /// The projection from values to positions in its frame.
    pub(crate) fn projection(&self) -> PlotProjection<'_> {
        PlotProjection {
            frame: &self.frame,
            x: &self.x,
            y: &self.y,
        }
    }

    /// Returns `true` if its legend would cover lines.
    fn is_crowded(&self, panel: &Panel<'_>) -> bool {
        let projection = self.projection();
        let of_series = |series| trace(series, &projection, 1.0);
        let traces: Vec<SeriesTrace> = panel.series.iter().map(of_series).collect();
        self.legend_spot(&traces).is_some_and(|spot| spot.hides)
    }
}

impl FigureLayout {
    /// Computes the layout; legends that would cover lines are placed beside their panels.
    pub(crate) fn of(figure: &Figure<'_>, font: &Font) -> Result<Self, PlotError> {
        let inside = Self::with_names(figure, font, &vec![false; figure.panels.len()])?;
        let panels = figure.panels.iter().zip(&inside.panels);
        let crowded: Vec<bool> = panels
            .map(|(panel, place)| place.is_crowded(panel))
            .collect();
        if crowded.contains(&true) {
            Self::with_names(figure, font, &crowded)
        } else {
            Ok(inside)
        }
    }

    /// The layout with the legends of some panels beside them.
    fn with_names(figure: &Figure<'_>, font: &Font, beside: &[bool]) -> Result<Self, PlotError> {
        let count = figure.panels.len() as f64;
        let width = figure.width;
        let height = figure.height.unwrap_or(if count <= 1.0 {
            500.0
        } else {
            110.0 + 190.0 * count
        });
        let drawable = |side: f64| (SMALLEST_SIDE..=LARGEST_SIDE).contains(&side);
        if !drawable(width) || !drawable(height) {
            return Err(PlotError::Size { width, height });
        }
        let theme = figure.theme.drawable();
        let sizes = FontSizes::of(&theme);
        let fitted =
            |text: &str, size: f64| font.shortened(&printable(text), size, width - 2.0 * RIM);
        let mut layout = Self {
            width,
            height,
            sizes,
            theme,
            title: fitted(&figure.title, sizes.title),
            subtitle: fitted(&figure.subtitle, sizes.label),
            panels: Vec::new(),
        };
        layout.place_panels(figure, font, beside)?;
        Ok(layout)
    }

    /// The top of the first panel.
    fn top(&self) -> f64 {
        let line = |text: &str, size: f64| {
            if text.is_empty() {
                0.0
            } else {
                LINE_HEIGHT * size
            }
        };
        RIM + line(&self.title, self.sizes.title) + line(&self.subtitle, self.sizes.label)
    }

    /// The right edge of the frames: legends beside them need room.
    fn right_edge(&self, legends: &[Legend]) -> f64 {
        let beside = legends
            .iter()
            .filter(|l| l.is_outside())
            .map(Legend::width)
            .fold(0.0, f64::max);
        let room = if beside > 0.0 {
            beside + 2.0 * GAP
        } else {
            0.5 * self.sizes.small
        };
        self.width - RIM - GAP - room
    }

    /// The left edge of the frames: labels and at most so many numbers of the y axes need room.
    fn left_edge(&self, figure: &Figure<'_>, axes: &[PlotAxis], most: usize, font: &Font) -> f64 {
        let sizes = self.sizes;
        let panels = figure.panels.iter().zip(axes);
        let ticks = panels.flat_map(|(panel, axis)| y_ticks(panel, axis, most).major);
        let widths = ticks.map(|tick| font.width(&tick.label, sizes.small));
        let numbers = widths.fold(0.0, f64::max);
        let named = |panel: &Panel<'_>| !panel.y_label.trim().is_empty();
        let label_column = if figure.panels.iter().any(named) {
            LINE_HEIGHT * sizes.label + GAP
        } else {
            0.0
        };
        // an equal aspect ratio may extend the y axis and with it its numbers, by a character
        let spare = if figure.panels.iter().any(|p| p.equal_aspect) {
            0.7 * sizes.small
        } else {
            0.0
        };
        (RIM + label_column + numbers + spare + GAP + TICK).min(0.6 * self.width)
    }

    fn place_panels(
        &mut self,
        figure: &Figure<'_>,
        font: &Font,
        beside: &[bool],
    ) -> Result<(), PlotError> {
        let sizes = self.sizes;
        let shared = shares_x(figure);
        let x_axes = x_axes(figure, shared);
        let count = figure.panels.len();

        // Estimate the width from the legends: the numbers of the y axis are not known yet, but hardly affect the marks.
        let mut legends: Vec<Legend> = figure
            .panels
            .iter()
            .zip(beside)
            .map(|(p, beside)| Legend::of(p, &self.theme, sizes.small, font, (self.width, *beside)))
            .collect();
        let right = self.right_edge(&legends);
        let y_axes: Vec<PlotAxis> = (figure.panels.iter().zip(&x_axes))
            .map(|(panel, x)| y_axis(panel, x))
            .collect();
        let right_limit = self.width - RIM;
        let strip = |frame: &Rect, y: &Ticks, rows: usize| Strip {
            rows,
            right: right_limit,
            left: y.note.as_ref().map_or(0.0, |note| {
                let width = font.width(note, sizes.small);
                let end = note_start(frame, width) + width;
                if end > frame.left { end + GAP } else { 0.0 }
            }),
        };
        let guess = Rect {
            left: 6.0 * sizes.label,
            top: 0.0,
            right,
            bottom: 0.0,
        };
        // marks leave most of the height to the data
        let small_line = LINE_HEIGHT * sizes.small;
        let most_rows = 0.2 * self.height / (count.max(1) as f64 * small_line);
        let most_rows = (most_rows as usize).clamp(1, marks::MOST_ROWS);
        let rows_needed = |i: usize| {
            let strip = strip(
                &guess,
                &y_ticks(&figure.panels[i], &y_axes[i], 5),
                most_rows,
            );
            let flags = marks::flags(
                &figure.panels[i],
                &x_axes[i],
                &guess,
                strip,
                sizes.small,
                font,
            );
            flags
                .iter()
                .filter_map(|flag| flag.row)
                .map(|row| row + 1)
                .max()
                .unwrap_or(0)
        };
        let rows: Vec<usize> = (0..count).map(rows_needed).collect();

        // compute the height left for the frames from the text above and below
        let x_labels = x_labels(figure, shared);
        let above = |i: usize| {
            // a multiplier must not overlap the lowest number of the panel above
            let noted = y_ticks(&figure.panels[i], &y_axes[i], 5).note.is_some();
            let room = if noted { 0.6 * sizes.small } else { 0.0 };
            small_line * rows[i].max(1) as f64 + GAP + room
        };
        let below = |i: usize| {
            let numbers = TICK + GAP + small_line;
            let noted = x_axes[i].ticks(5).note.is_some();
            match &x_labels[i] {
                None => 0.0,
                Some(label) if label.is_empty() && !noted => numbers,
                Some(_) => numbers + LINE_HEIGHT * sizes.label,
            }
        };
        let taken = self.top() + RIM + (0..count).map(|i| above(i) + below(i)).sum::<f64>();
        let frame_height = ((self.height - taken) / count.max(1) as f64).floor();
        if count > 0 && frame_height < LOWEST_FRAME {
            // a taller figure may give the marks more rows
            let rows_to_come = small_line * (marks::MOST_ROWS - 1) as f64;
            let needed = (taken + (LOWEST_FRAME + rows_to_come) * count as f64).ceil();
            return Err(PlotError::TooLow {
                height: self.height,
                needed,
            });
        }

        // compute the numbers of the y axes from the height, and the frames from their width
        let most = most_y_ticks(frame_height, sizes.small);
        let left = self.left_edge(figure, &y_axes, most, font);

        let mut y = self.top();
        for (i, panel) in figure.panels.iter().enumerate() {
            let top = y + above(i);
            let frame = Rect {
                left: left.floor() + 0.5,
                top: top.floor() + 0.5,
                right: right.floor() + 0.5,
                bottom: (top + frame_height).floor() + 0.5,
            };
            y = top + frame_height + below(i);

            let (x_axis, y_axis) = if panel.equal_aspect {
                equal_aspect(x_axes[i], y_axes[i], &frame)
            } else {
                (x_axes[i], y_axes[i])
            };
            let y_ticks = y_ticks(panel, &y_axis, most);
            let strip = strip(&frame, &y_ticks, rows[i]);
            let flags = marks::flags(panel, &x_axis, &frame, strip, sizes.small, font);
            let mut legend = std::mem::take(&mut legends[i]);
            legend.fit(&frame, font);
            self.panels.push(PanelLayout {
                x_ticks: x_ticks(&x_axis, frame.width(), sizes.small, font),
                frame,
                x: x_axis,
                y: y_axis,
                y_ticks,
                x_label: x_labels[i].clone(),
                flags,
                legend,
            });
        }
        Ok(())
    }
}

/// The start of the multiplier of the y axis: above the numbers, or at the margin if it is too long.
pub(crate) fn note_start(frame: &Rect, width: f64) -> f64 {
    (frame.left - GAP - width).max(RIM / 2.0)
}

/// Returns `true` if all panels share one x axis.
fn shares_x(figure: &Figure<'_>) -> bool {
    let same_scale = figure
        .panels
        .windows(2)
        .all(|pair| pair[0].log_x == pair[1].log_x);
    figure.share_x && same_scale && !figure.panels.iter().any(|panel| panel.equal_aspect)
}

/// The label below each panel, if it has one.
fn x_labels(figure: &Figure<'_>, shared: bool) -> Vec<Option<String>> {
    let mut labels = figure.panels.iter().map(|panel| printable(&panel.x_label));
    if !shared {
        return labels.map(Some).collect();
    }
    let mut shown = vec![None; figure.panels.len()];
    if let Some(lowest) = shown.last_mut() {
        *lowest = Some(labels.rfind(|label| !label.is_empty()).unwrap_or_default());
    }
    shown
}

fn x_axes(figure: &Figure<'_>, shared: bool) -> Vec<PlotAxis> {
    if !shared {
        return figure
            .panels
            .iter()
            .map(|panel| x_axis(std::slice::from_ref(panel)))
            .collect();
    }
    vec![x_axis(&figure.panels); figure.panels.len()]
}

/// An x axis for all panels: the exact range of time series, with margins for other data.
fn x_axis(panels: &[Panel<'_>]) -> PlotAxis {
    let scale = AxisScale::new(panels.iter().any(|panel| panel.log_x));
    let asked = panels
        .iter()
        .filter_map(|panel| PlotAxis::between(panel.x_range?, scale));
    let widest = asked.reduce(|a, b| PlotAxis {
        scale,
        low: a.low.min(b.low),
        high: a.high.max(b.high),
    });
    if let Some(axis) = widest {
        return axis;
    }
    let series = || panels.iter().flat_map(|panel| &panel.series);
    let shown = series()
        .flat_map(Series::points)
        .filter(|(x, y)| scale.shows(*x) && y.is_finite())
        .map(|(x, _)| x);
    let extent = Extent::of(shown);
    let padded = !series().all(|s| runs_forward(&s.x));
    PlotAxis::around(extent, scale, padded, 0.0)
}

/// A y axis for the visible data.
fn y_axis(panel: &Panel<'_>, x: &PlotAxis) -> PlotAxis {
    let scale = AxisScale::new(panel.log_y);
    if let Some(axis) = panel
        .y_range
        .and_then(|ends| PlotAxis::between(ends, scale))
    {
        return axis;
    }
    let in_view = |(px, py): &(f64, f64)| (x.low..=x.high).contains(px) && scale.shows(*py);
    let shown = panel.series.iter().flat_map(Series::points).filter(in_view);
    let extent = Extent::of(shown.map(|(_, y)| y));
    PlotAxis::around(extent, scale, true, panel.noise_floor)
}

/// Widens the axis with fewer values per length until both scales are equal.
fn equal_aspect(x: PlotAxis, y: PlotAxis, frame: &Rect) -> (PlotAxis, PlotAxis) {
    if x.scale == AxisScale::Logarithmic || y.scale == AxisScale::Logarithmic {
        return (x, y);
    }
    let per_unit = |axis: &PlotAxis, length: f64| (axis.high - axis.low) / length;
    let ratio = per_unit(&x, frame.width()) / per_unit(&y, frame.height());
    if ratio < 1.0 {
        (x.widened(1.0 / ratio), y)
    } else {
        (x, y.widened(ratio))
    }
}

/// The number of labels that fit in a column.
fn most_y_ticks(height: f64, text: f64) -> usize {
    let loose = height / (2.6 * text);
    let tight = height / (1.4 * text);
    loose.max(tight.min(5.0)).clamp(2.0, 9.0) as usize
}

/// The names of the y axis, or at most `most` ticks with numbers.
fn y_ticks(panel: &Panel<'_>, axis: &PlotAxis, most: usize) -> Ticks {
    if panel.y_names.is_empty() {
        axis.ticks(most)
    } else {
        Ticks::named(&panel.y_names, axis.low, axis.high)
    }
}

/// As many ticks as fit with space between their labels.
fn x_ticks(axis: &PlotAxis, width: f64, text: f64, font: &Font) -> Ticks {
    for most in (3..=10).rev() {
        let ticks = axis.ticks(most);
        let places: Vec<(f64, f64)> = ticks
            .major
            .iter()
            .map(|t| {
                (
                    axis.place(t.value) * width,
                    font.width(&t.label, text) / 2.0,
                )
            })
            .collect();
        if places
            .windows(2)
            .all(|pair| pair[1].0 - pair[0].0 > pair[0].1 + pair[1].1 + text)
        {
            return ticks;
        }
    }
    axis.ticks(2)
}
