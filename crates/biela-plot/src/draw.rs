//! Draws a figure with a finished layout on any canvas.

use crate::{
    Figure, Panel,
    canvas::{Anchor, Canvas, ImagePoint, Polylines, Rect, Stroke, TextLine},
    figure::MarkerShape,
    font::{Font, LINE_HEIGHT, MIDDLE_TO_BASELINE, printable},
    layout::{FigureLayout, GAP, PanelLayout, RIM, TICK, note_start},
    legend::{self, Legend, LegendEntry, SAMPLE, Spot},
    marks::POLE_GAP,
    theme::Dash,
    trace::{PlotProjection, SeriesTrace, trace},
};

/// The minimum distance of two minor ticks.
const MINOR_SPACE: f64 = 6.0;

/// Draws the whole figure.
pub(crate) fn figure(
    canvas: &mut dyn Canvas,
    figure: &Figure<'_>,
    font: &Font,
    layout: &FigureLayout,
) {
    let (width, height) = (layout.width, layout.height);
    canvas.fill(
        Rect {
            left: 0.0,
            top: 0.0,
            right: width,
            bottom: height,
        },
        layout.theme.background,
        1.0,
    );
    let mut pen = Pen {
        canvas,
        layout,
        font,
    };
    pen.headings();
    for (panel, place) in figure.panels.iter().zip(&layout.panels) {
        pen.panel(panel, place);
    }
}

struct Pen<'a> {
    canvas: &'a mut dyn Canvas,
    layout: &'a FigureLayout,
    font: &'a Font,
}

impl Pen<'_> {
    fn headings(&mut self) {
        let FigureLayout {
            sizes,
            theme,
            width,
            ..
        } = self.layout;
        let mut top = RIM;
        let headings = [
            (&self.layout.title, sizes.title, theme.foreground),
            (&self.layout.subtitle, sizes.label, theme.muted),
        ];
        for (content, size, color) in headings
            .into_iter()
            .filter(|(content, ..)| !content.is_empty())
        {
            let at = ImagePoint {
                x: width / 2.0,
                y: top + size,
            };
            self.canvas.text(TextLine {
                content,
                at,
                size,
                color,
                anchor: Anchor::Middle,
                upwards: false,
            });
            top += LINE_HEIGHT * size;
        }
    }

    fn panel(&mut self, panel: &Panel<'_>, place: &PanelLayout) {
        let projection = place.projection();
        self.grid(place, &projection);
        self.tiles(panel, place, &projection);
        self.marks(place);

        let columns = self.canvas.columns_per_unit();
        let traces: Vec<SeriesTrace> = panel
            .series
            .iter()
            .map(|series| trace(series, &projection, columns))
            .collect();
        for (i, (series, trace)) in panel.series.iter().zip(&traces).enumerate() {
            let entry = legend::entry(series, i, &self.layout.theme);
            self.series(&entry, trace);
        }
        self.frame(place);
        self.axes(panel, place, &projection);
        if panel.tiles.is_empty() && !traces.iter().any(|trace| trace.has_data) {
            self.no_data(&place.frame);
        }
        if let Some(spot) = place.legend_spot(&traces) {
            self.legend(&place.legend, &spot);
        }
    }

    fn grid(&mut self, place: &PanelLayout, projection: &PlotProjection<'_>) {
        let frame = &place.frame;
        let theme = &self.layout.theme;
        let (mut lines, mut zero) = (Polylines::default(), Polylines::default());
        for tick in &place.x_ticks.major {
            let x = crisp(projection.x(tick.value));
            lines.segment(x, frame.top, x, frame.bottom);
        }
        for tick in &place.y_ticks.major {
            let y = crisp(projection.y(tick.value));
            let path = if tick.value == 0.0 {
                &mut zero
            } else {
                &mut lines
            };
            path.segment(frame.left, y, frame.right, y);
        }
        self.canvas.stroke(&lines, Stroke::solid(theme.grid, 1.0));
        self.canvas.stroke(
            &zero,
            Stroke {
                color: theme.muted,
                width: 0.6,
                dash: Dash::Solid,
            },
        );
    }

    fn tiles(&mut self, panel: &Panel<'_>, place: &PanelLayout, projection: &PlotProjection<'_>) {
        let frame = &place.frame;
        for tile in &panel.tiles {
            let (x, y) = (tile.x, tile.y);
            let (x0, x1) = (projection.x(x.0), projection.x(x.1));
            let (y0, y1) = (projection.y(y.0), projection.y(y.1));
            let area = Rect {
                left: x0.min(x1).clamp(frame.left, frame.right),
                right: x0.max(x1).clamp(frame.left, frame.right),
                top: y0.min(y1).clamp(frame.top, frame.bottom),
                bottom: y0.max(y1).clamp(frame.top, frame.bottom),
            };
            if area.width() > 0.0 && area.height() > 0.0 {
                self.canvas.fill(area, tile.color, 1.0);
            }
        }
    }

    fn frame(&mut self, place: &PanelLayout) {
        let Rect {
            left,
            top,
            right,
            bottom,
        } = place.frame;
        let mut outline = Polylines::default();
        for (x, y) in [
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
            (left, top),
        ] {
            outline.line_to(ImagePoint { x, y });
        }
        self.canvas
            .stroke(&outline, Stroke::solid(self.layout.theme.foreground, 1.0));
    }

    /// Draws ticks, numbers, multipliers and labels.
    fn axes(&mut self, panel: &Panel<'_>, place: &PanelLayout, projection: &PlotProjection<'_>) {
        let frame = &place.frame;
        let FigureLayout {
            sizes,
            theme,
            width,
            ..
        } = self.layout;
        let mut ticks = Polylines::default();
        for tick in &place.x_ticks.major {
            let x = crisp(projection.x(tick.value));
            ticks.segment(x, frame.bottom, x, frame.bottom + TICK);
        }
        for tick in &place.y_ticks.major {
            let y = crisp(projection.y(tick.value));
            ticks.segment(frame.left - TICK, y, frame.left, y);
        }
        for x in spaced(place.x_ticks.minor.iter().map(|v| projection.x(*v))) {
            ticks.segment(x, frame.bottom, x, frame.bottom + TICK / 2.0);
        }
        for y in spaced(place.y_ticks.minor.iter().map(|v| projection.y(*v))) {
            ticks.segment(frame.left - TICK / 2.0, y, frame.left, y);
        }
        self.canvas
            .stroke(&ticks, Stroke::solid(theme.foreground, 0.8));

        let small = |content, at, anchor| TextLine {
            content,
            at,
            size: sizes.small,
            color: theme.foreground,
            anchor,
            upwards: false,
        };
        for tick in &place.y_ticks.major {
            let at = ImagePoint {
                x: frame.left - TICK - GAP,
                y: projection.y(tick.value) + MIDDLE_TO_BASELINE * sizes.small,
            };
            self.canvas.text(small(&tick.label, at, Anchor::End));
        }
        if let Some(note) = &place.y_ticks.note {
            let x = note_start(frame, self.font.width(note, sizes.small));
            // high enough for a number next to the upper end of the axis
            let y = frame.top - 0.5 * sizes.small - 3.0;
            self.canvas
                .text(small(note, ImagePoint { x, y }, Anchor::Start));
        }
        let label = self.font.shortened(
            &printable(&panel.y_label),
            sizes.label,
            frame.height() + GAP,
        );
        if !label.is_empty() {
            let at = ImagePoint {
                x: RIM + sizes.label,
                y: f64::midpoint(frame.top, frame.bottom),
            };
            let upwards = TextLine {
                content: &label,
                at,
                size: sizes.label,
                color: theme.foreground,
                anchor: Anchor::Middle,
                upwards: true,
            };
            self.canvas.text(upwards);
        }

        let Some(label) = &place.x_label else { return };
        let numbers = frame.bottom + TICK + GAP + sizes.small;
        for tick in &place.x_ticks.major {
            let half = self.font.width(&tick.label, sizes.small) / 2.0;
            let x = projection.x(tick.value).min(width - 2.0 - half);
            self.canvas.text(small(
                &tick.label,
                ImagePoint { x, y: numbers },
                Anchor::Middle,
            ));
        }
        let below = numbers + LINE_HEIGHT * sizes.label + 2.0;
        let mut room = frame.width();
        if let Some(note) = &place.x_ticks.note {
            room -= 2.0 * (self.font.width(note, sizes.small) + 2.0 * GAP);
            self.canvas.text(small(
                note,
                ImagePoint {
                    x: frame.right,
                    y: below,
                },
                Anchor::End,
            ));
        }
        let label = self.font.shortened(label, sizes.label, room);
        let at = ImagePoint {
            x: f64::midpoint(frame.left, frame.right),
            y: below,
        };
        self.canvas.text(TextLine {
            content: &label,
            at,
            size: sizes.label,
            color: theme.foreground,
            anchor: Anchor::Middle,
            upwards: false,
        });
    }

    fn marks(&mut self, place: &PanelLayout) {
        let FigureLayout { sizes, theme, .. } = self.layout;
        let frame = &place.frame;
        let line = LINE_HEIGHT * sizes.small;
        for flag in &place.flags {
            let x = crisp(flag.x);
            let top = flag.row.map_or(frame.top, |row| {
                frame.top - GAP - (row as f64 + 0.85) * line
            });
            let mut pole = Polylines::default();
            pole.segment(x, top, x, frame.bottom);
            self.canvas.begin(&flag.label);
            self.canvas.stroke(
                &pole,
                Stroke {
                    color: theme.muted,
                    width: 1.0,
                    dash: Dash::Dashed,
                },
            );
            if let Some(row) = flag.row {
                let y = frame.top - GAP - row as f64 * line - 1.0;
                let (x, anchor) = if flag.leftwards {
                    (x - POLE_GAP, Anchor::End)
                } else {
                    (x + POLE_GAP, Anchor::Start)
                };
                self.canvas.text(TextLine {
                    content: &flag.label,
                    at: ImagePoint { x, y },
                    size: sizes.small,
                    color: theme.muted,
                    anchor,
                    upwards: false,
                });
            }
            self.canvas.end();
        }
    }

    fn series(&mut self, entry: &LegendEntry, trace: &SeriesTrace) {
        self.canvas.begin(&entry.name);
        let stroke = Stroke {
            color: entry.color,
            width: entry.width,
            dash: entry.dash,
        };
        self.canvas.stroke(&trace.line, stroke);
        self.canvas.markers(
            &trace.isolated,
            MarkerShape::Circle,
            entry.width,
            entry.color,
        );
        if let Some(marker) = entry.marker {
            self.canvas
                .markers(&trace.dots, marker, marker_radius(entry), entry.color);
        }
        self.canvas.end();
    }

    fn no_data(&mut self, frame: &Rect) {
        let FigureLayout { sizes, theme, .. } = self.layout;
        let content = "no data";
        let (x, y) = (
            f64::midpoint(frame.left, frame.right),
            f64::midpoint(frame.top, frame.bottom),
        );
        let half = self.font.width(content, sizes.title) / 2.0 + GAP;
        let area = Rect {
            left: x - half,
            top: y - sizes.title,
            right: x + half,
            bottom: y + sizes.title,
        };
        self.canvas.fill(area, theme.background, 1.0);
        self.canvas.text(TextLine {
            content,
            at: ImagePoint {
                x,
                y: y + MIDDLE_TO_BASELINE * sizes.title,
            },
            size: sizes.title,
            color: theme.muted,
            anchor: Anchor::Middle,
            upwards: false,
        });
    }

    fn legend(&mut self, legend: &Legend, spot: &Spot) {
        let theme = &self.layout.theme;
        if spot.inside {
            self.canvas.fill(spot.area, theme.background, 0.85);
        }
        for (i, entry) in legend.entries.iter().enumerate() {
            let at = legend.place(spot, i);
            let baseline = at.y + MIDDLE_TO_BASELINE * legend.size;
            let mut color = theme.foreground;
            let mut x = at.x + SAMPLE + legend::PAD;
            if entry.is_remark {
                (x, color) = (at.x, theme.muted);
            } else {
                self.sample(entry, at);
            }
            let at = ImagePoint { x, y: baseline };
            self.canvas.text(TextLine {
                content: &entry.name,
                at,
                size: legend.size,
                color,
                anchor: Anchor::Start,
                upwards: false,
            });
        }
    }

    fn sample(&mut self, entry: &LegendEntry, at: ImagePoint) {
        let ImagePoint { x, y } = at;
        if entry.line {
            let mut line = Polylines::default();
            line.segment(x, y, x + SAMPLE, y);
            self.canvas.stroke(
                &line,
                Stroke {
                    color: entry.color,
                    width: entry.width,
                    dash: entry.dash,
                },
            );
        }
        if let Some(marker) = entry.marker {
            let middle = ImagePoint {
                x: x + SAMPLE / 2.0,
                y,
            };
            self.canvas
                .markers(&[middle], marker, marker_radius(entry), entry.color);
        }
    }
}

fn marker_radius(entry: &LegendEntry) -> f64 {
    1.2 + entry.width
}

/// The centre of the pixel that a line of one pixel's width should fill.
fn crisp(place: f64) -> f64 {
    place.floor() + 0.5
}

/// The positions; empty if they would be too close.
fn spaced(places: impl Iterator<Item = f64>) -> Vec<f64> {
    let places: Vec<f64> = places.map(crisp).collect();
    let close = places
        .windows(2)
        .any(|pair| (pair[1] - pair[0]).abs() < MINOR_SPACE);
    if close { Vec::new() } else { places }
}
