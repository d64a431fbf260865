//! Legends, placed where they hide least.

use crate::{
    Panel, Theme,
    canvas::{ImagePoint, Polylines, Rect},
    figure::{LineShape, MarkerShape, Series},
    font::{Font, LINE_HEIGHT, printable},
    theme::{Color, Dash, line_width},
};

/// Length of the line sample next to a name.
pub(crate) const SAMPLE: f64 = 22.0;
/// Space around and between entries.
pub(crate) const PAD: f64 = 6.0;
/// With more entries than this, the legend is beside the panel.
const MOST_INSIDE: usize = 6;
/// The number of positions tried along each side of a panel without space at its edges.
const GRID: u32 = 12;
/// Distance from the frame.
const INSET: f64 = 6.0;

/// The appearance of a series in the panel and in the legend.
#[derive(Clone, Debug)]
pub(crate) struct LegendEntry {
    pub(crate) name: String,
    pub(crate) color: Color,
    pub(crate) dash: Dash,
    pub(crate) width: f64,
    pub(crate) line: bool,
    pub(crate) marker: Option<MarkerShape>,
    /// Set for an entry that counts the series that are not shown.
    pub(crate) is_remark: bool,
}

/// Colour and line of the series with this index in a panel.
pub(crate) fn entry(series: &Series<'_>, index: usize, theme: &Theme) -> LegendEntry {
    let (color, dash) = theme.pen(index);
    let style = &series.style;
    LegendEntry {
        name: printable(&series.name),
        color: style.color.unwrap_or(color),
        dash: style.dash.unwrap_or(dash),
        width: line_width(style.width.unwrap_or(theme.line_width), theme.line_width),
        line: style.line != LineShape::None,
        marker: style.marker,
        is_remark: false,
    }
}

/// The entries of a panel, and the size of their box.
#[derive(Clone, Debug, Default)]
pub(crate) struct Legend {
    pub(crate) entries: Vec<LegendEntry>,
    pub(crate) size: f64,
    columns: usize,
    column_width: f64,
    outside: bool,
}

impl Legend {
    /// The named series of a panel in a figure of this width; `beside` the panel if required, or if there are many.
    pub(crate) fn of(
        panel: &Panel<'_>,
        theme: &Theme,
        size: f64,
        font: &Font,
        (figure_width, beside): (f64, bool),
    ) -> Self {
        let all = panel.series.iter().enumerate().map(|(i, series)| {
            let mut entry = entry(series, i, theme);
            let empty = !series.points().any(|(x, y)| x.is_finite() && y.is_finite());
            // with tiles such entries form the colour scale
            if empty && panel.tiles.is_empty() && !entry.name.is_empty() {
                entry.name.push_str(" (no data)");
            }
            entry
        });
        let mut entries: Vec<LegendEntry> = all.filter(|entry| !entry.name.is_empty()).collect();
        let outside = beside || entries.len() > MOST_INSIDE || !panel.tiles.is_empty();
        let room = if outside { 0.24 } else { 0.4 } * figure_width - SAMPLE;
        for entry in &mut entries {
            entry.name = font.shortened(&entry.name, size, room);
        }
        let mut legend = Self {
            entries,
            size,
            columns: 1,
            column_width: 0.0,
            outside,
        };
        legend.measure(font);
        legend
    }

    fn measure(&mut self, font: &Font) {
        let names = self
            .entries
            .iter()
            .map(|entry| font.width(&entry.name, self.size));
        self.column_width = SAMPLE + 2.0 * PAD + names.fold(0.0, f64::max);
    }

    pub(crate) fn is_outside(&self) -> bool {
        self.outside
    }

    fn row_height(&self) -> f64 {
        LINE_HEIGHT * self.size + 1.0
    }

    fn rows(&self) -> usize {
        self.entries.len().div_ceil(self.columns.max(1))
    }

    pub(crate) fn width(&self) -> f64 {
        self.columns as f64 * self.column_width + PAD
    }

    fn height(&self) -> f64 {
        self.rows() as f64 * self.row_height() + PAD
    }

    /// Uses as many columns as a low frame needs; entries that do not fit are counted in a last one.
    pub(crate) fn fit(&mut self, frame: &Rect, font: &Font) {
        let room = frame.height() - if self.outside { 0.0 } else { 2.0 * INSET };
        if !self.outside {
            let widest = 0.9 * frame.width();
            while self.height() > 0.45 * room
                && self.columns < self.entries.len()
                && self.width() + self.column_width <= widest
            {
                self.columns += 1;
            }
        }
        let rows = ((room - PAD) / self.row_height()).floor().max(1.0) as usize;
        let most = rows * self.columns;
        if self.entries.len() > most {
            let hidden = self.entries.len() - most + 1;
            self.entries.truncate(most);
            if let Some(last) = self.entries.last_mut() {
                last.name = format!("… and {hidden} more");
                last.is_remark = true;
            }
            self.measure(font);
        }
    }

    /// The start of the entry with this index, at the middle of its height.
    pub(crate) fn place(&self, spot: &Spot, index: usize) -> ImagePoint {
        let rows = self.entries.len().div_ceil(spot.columns.max(1)).max(1);
        let (column, row) = (index / rows, index % rows);
        ImagePoint {
            x: spot.area.left + PAD + column as f64 * self.column_width,
            y: spot.area.top + 0.5 * PAD + (row as f64 + 0.5) * self.row_height(),
        }
    }

    /// Chooses the position: beside the frame; otherwise inside at an edge without hiding a line; otherwise in one row in the strip above, if that is free;
    /// otherwise anywhere inside without hiding a line; otherwise where the hidden length of line is smallest. Earlier positions have priority.
    pub(crate) fn spot(
        &self,
        frame: &Rect,
        lines: &[&Polylines],
        dots: &[&[ImagePoint]],
        strip_is_free: bool,
    ) -> Spot {
        let (width, height) = (self.width(), self.height());
        let at = |left: f64, top: f64| Rect {
            left,
            top,
            right: left + width,
            bottom: top + height,
        };
        if self.outside {
            return Spot {
                area: at(frame.right + PAD, frame.top),
                columns: self.columns,
                inside: false,
                hides: false,
            };
        }
        let [left, right] = [frame.left + INSET, frame.right - INSET - width];
        let [top, bottom] = [frame.top + INSET, frame.bottom - INSET - height];
        let [center, middle] = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
        let places = [
            (right, top),
            (left, top),
            (right, bottom),
            (left, bottom),
            (center, top),
            (center, bottom),
            (right, middle),
            (left, middle),
        ];
        let mut best = (f64::INFINITY, at(right, top));
        let mut try_places = |places: &mut dyn Iterator<Item = (f64, f64)>| {
            for (left, top) in places {
                let area = at(left, top);
                let cost = hidden(&area, lines, dots);
                if cost < best.0 {
                    best = (cost, area);
                }
            }
            best
        };
        let best = try_places(&mut places.into_iter());
        let one_row = self.entries.len() as f64 * self.column_width;
        if best.0 > 0.0 && strip_is_free && one_row <= 0.8 * frame.width() {
            let bottom = frame.top - 1.0;
            let top = bottom - self.row_height() - 0.5 * PAD;
            let area = Rect {
                left: frame.right - one_row,
                top,
                right: frame.right,
                bottom,
            };
            return Spot {
                area,
                columns: self.entries.len(),
                inside: false,
                hides: false,
            };
        }
        let best = if best.0 > 0.0 {
            let between = |a: f64, b: f64, k: u32| a + (b - a) * f64::from(k) / f64::from(GRID);
            let inner = (0..=GRID).flat_map(|row| (0..=GRID).map(move |column| (row, column)));
            try_places(
                &mut inner
                    .map(|(row, column)| (between(right, left, column), between(top, bottom, row))),
            )
        } else {
            best
        };
        Spot {
            area: best.1,
            columns: self.columns,
            inside: true,
            hides: best.0 > 0.0,
        }
    }
}

/// The position of a legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) area: Rect,
    columns: usize,
    /// Set if it covers the data area.
    pub(crate) inside: bool,
    /// Set if it covers lines.
    pub(crate) hides: bool,
}

/// The length of line inside an area; a marker counts as a few units.
fn hidden(area: &Rect, lines: &[&Polylines], dots: &[&[ImagePoint]]) -> f64 {
    let segments = lines
        .iter()
        .flat_map(|line| line.pieces())
        .flat_map(|piece| piece.windows(2));
    let inside = segments.filter_map(|pair| area.clip(pair[0], pair[1]));
    let length: f64 = inside.map(|(a, b)| (b.x - a.x).hypot(b.y - a.y)).sum();
    let dots = dots
        .iter()
        .flat_map(|dots| dots.iter())
        .filter(|dot| area.contains(**dot))
        .count();
    length + 4.0 * dots as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rect = Rect {
        left: 60.0,
        top: 20.0,
        right: 760.0,
        bottom: 420.0,
    };

    fn legend(names: usize, frame: &Rect) -> Legend {
        let font = Font::load().unwrap();
        let mut panel = Panel::new("", "");
        for i in 0..names {
            panel = panel.series(Series::new(format!("joint {i}"), &[0.0], &[0.0]));
        }
        let mut legend = Legend::of(&panel, &Theme::light(), 11.0, &font, (800.0, false));
        legend.fit(frame, &font);
        legend
    }

    #[test]
    fn the_legend_is_placed_where_it_hides_no_line() {
        let legend = legend(3, &FRAME);
        let mut line = Polylines::default();
        line.segment(400.0, 20.0, 760.0, 60.0);
        let area = legend.spot(&FRAME, &[&line], &[], true).area;
        assert_eq!(hidden(&area, &[&line], &[]), 0.0);
        assert!(
            area.left < 100.0 && area.top < 60.0,
            "top left is the next choice: {area:?}"
        );
    }

    #[test]
    fn the_legend_is_above_a_panel_full_of_lines_if_the_strip_is_free() {
        let legend = legend(3, &FRAME);
        let mut lines = Polylines::default();
        for x in 60..=760 {
            lines.segment(f64::from(x), FRAME.top, f64::from(x), FRAME.bottom);
        }
        let above = legend.spot(&FRAME, &[&lines], &[], true);
        assert!(above.area.bottom < FRAME.top && !above.inside);
        let inside = legend.spot(&FRAME, &[&lines], &[], false);
        assert!(inside.inside && inside.hides);
    }

    #[test]
    fn the_legend_is_placed_in_a_gap_inside_a_frame_of_lines() {
        let legend = legend(2, &FRAME);
        let mut rim = Polylines::default();
        for inset in 0..60 {
            let d = f64::from(inset);
            let (left, right) = (FRAME.left + d, FRAME.right - d);
            let (top, bottom) = (FRAME.top + d, FRAME.bottom - d);
            rim.segment(left, top, right, top);
            rim.segment(left, bottom, right, bottom);
            rim.segment(left, top, left, bottom);
            rim.segment(right, top, right, bottom);
        }
        let spot = legend.spot(&FRAME, &[&rim], &[], false);
        assert!(spot.inside && !spot.hides, "{spot:?}");
    }

    #[test]
    fn a_long_legend_is_beside_the_panel() {
        let legend = legend(7, &FRAME);
        assert!(legend.is_outside());
        assert!(legend.spot(&FRAME, &[], &[], true).area.left > FRAME.right);
    }

    #[test]
    fn a_low_panel_has_a_legend_of_more_columns() {
        let low = Rect {
            bottom: 90.0,
            ..FRAME
        };
        let legend = legend(6, &low);
        assert!(legend.columns > 1);
        assert!(legend.height() < low.height());
    }

    #[test]
    fn names_that_do_not_fit_are_counted() {
        let legend = legend(60, &FRAME);
        let last = legend.entries.last().unwrap();
        assert_eq!(
            last.name,
            format!("… and {} more", 60 - legend.entries.len() + 1)
        );
        assert!(legend.height() <= FRAME.height());
    }
}
