//! A plot of braille dots for the terminal, two dots wide and four high per character.

use crate::{
    PlotError, Series,
    axis::{AxisScale, Extent, PlotAxis},
    canvas::{ImagePoint, Rect},
    font::printable,
    ticks::Ticks,
    trace::{PlotProjection, runs_forward, trace},
};

/// Size limits in characters.
const WIDTHS: std::ops::RangeInclusive<usize> = 16..=1000;
const HEIGHTS: std::ops::RangeInclusive<usize> = 3..=500;

/// ANSI colours in the order of the series: blue, yellow, green, magenta, cyan, red.
const COLORS: [u8; 6] = [34, 33, 32, 35, 36, 31];

/// A plot for the terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Total width in characters, from 16 to 1000; other values are clamped.
    pub width: usize,
    /// Height of the plot in characters, from 3 to 500, without the lines above and below it.
    pub height: usize,
    /// Quantity and unit along x.
    pub x_label: String,
    /// Quantity and unit along y.
    pub y_label: String,
    /// Names on the y axis instead of numbers, with their positions.
    pub y_names: Vec<(f64, String)>,
    /// Use ANSI colours.
    pub color: bool,
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            width: 80,
            height: 12,
            x_label: String::new(),
            y_label: String::new(),
            y_names: Vec::new(),
            color: false,
        }
    }
}

impl Sketch {
    /// Draws the series as lines of text, each with a line break at its end. Names are at the right, where their lines end.
    pub fn draw(&self, series: &[Series<'_>]) -> Result<String, PlotError> {
        for s in series {
            s.check()?;
        }
        let width = self.width.clamp(*WIDTHS.start(), *WIDTHS.end());
        let height = self.height.clamp(*HEIGHTS.start(), *HEIGHTS.end());
        let finite = || {
            series
                .iter()
                .flat_map(Series::points)
                .filter(|(x, y)| x.is_finite() && y.is_finite())
        };
        let x_extent = Extent::of(finite().map(|p| p.0));
        let y_extent = Extent::of(finite().map(|p| p.1));
        let padded = !series.iter().all(|s| runs_forward(&s.x));
        let x = PlotAxis::around(x_extent, AxisScale::Linear, padded, 0.0);
        let y = PlotAxis::around(y_extent, AxisScale::Linear, true, 1e-12);

        let y_ticks = if self.y_names.is_empty() {
            y.ticks(height.div_ceil(2).clamp(2, 6))
        } else {
            Ticks::named(&self.y_names, y.low, y.high)
        };
        let left = y_ticks
            .major
            .iter()
            .map(|t| chars(&t.label))
            .max()
            .unwrap_or(0);
        let longest = series
            .iter()
            .map(|s| chars(&printable(&s.name)))
            .max()
            .unwrap_or(0);
        let names = longest.min(width / 4);
        let columns = width
            .saturating_sub(left + 2 + names + usize::from(names > 0))
            .max(4);

        let mut grid = Grid::new(columns, height);
        for (i, s) in series.iter().enumerate() {
            grid.series(i, s, &x, &y);
        }
        let mut page = SketchText {
            sketch: self,
            text: String::new(),
            left,
            columns,
        };
        page.head(&y_ticks);
        page.body(&grid, &y, &y_ticks, series, names);
        page.foot(&x);
        if y_extent.is_none() {
            page.text.push_str("no data\n");
        }
        Ok(page.text)
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// The text in at most `room` characters, abbreviated in the middle.
fn shortened(text: &str, room: usize) -> String {
    let all: Vec<char> = text.chars().collect();
    if all.len() <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let tail = kept / 2;
    let head = all[..kept - tail].iter();
    head.chain(&['…']).chain(&all[all.len() - tail..]).collect()
}

/// Characters with their dots, and the series that drew last in each.
struct Grid {
    columns: usize,
    rows: usize,
    dots: Vec<u8>,
    owner: Vec<usize>,
    /// The row in which each series ends.
    ends: Vec<Option<usize>>,
}

impl Grid {
    fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            dots: vec![0; columns * rows],
            owner: vec![0; columns * rows],
            ends: Vec::new(),
        }
    }

    /// Draws a series, in units of a dot.
    fn series(&mut self, index: usize, series: &Series<'_>, x: &PlotAxis, y: &PlotAxis) {
        let frame = Rect {
            left: 0.5,
            top: 0.5,
            right: (2 * self.columns) as f64 - 0.5,
            bottom: (4 * self.rows) as f64 - 0.5,
        };
        let trace = trace(
            series,
            &PlotProjection {
                frame: &frame,
                x,
                y,
            },
            1.0,
        );
        for piece in trace.line.pieces() {
            for pair in piece.windows(2) {
                self.segment(index, pair[0], pair[1]);
            }
        }
        for p in trace.isolated.iter().chain(&trace.dots) {
            self.dot(index, p.x, p.y);
        }
        let line_end = trace.line.points().last();
        let others = trace.isolated.last().into_iter().chain(trace.dots.last());
        let end = line_end
            .into_iter()
            .chain(others)
            .max_by(|a, b| a.x.total_cmp(&b.x));
        self.ends.push(end.map(|p| (p.y / 4.0) as usize));
    }

    fn segment(&mut self, index: usize, a: ImagePoint, b: ImagePoint) {
        let steps = (b.x - a.x).abs().max((b.y - a.y).abs()).ceil().max(1.0);
        for k in 0..=steps as usize {
            let s = k as f64 / steps;
            self.dot(index, a.x + s * (b.x - a.x), a.y + s * (b.y - a.y));
        }
    }

    fn dot(&mut self, index: usize, x: f64, y: f64) {
        /// Bits of the dots of a braille character, by row and column.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let (column, row) = (x as usize, y as usize);
        if column / 2 < self.columns && row / 4 < self.rows {
            let cell = row / 4 * self.columns + column / 2;
            self.dots[cell] |= BITS[row % 4][column % 2];
            self.owner[cell] = index;
        }
    }
}

/// The text being written.
struct SketchText<'a> {
    sketch: &'a Sketch,
    text: String,
    left: usize,
    columns: usize,
}

impl SketchText<'_> {
    fn head(&mut self, y_ticks: &Ticks) {
        let note = y_ticks.note.clone().unwrap_or_default();
        let head = [printable(&self.sketch.y_label), note].join("  ");
        if !head.trim().is_empty() {
            self.line(head.trim());
        }
    }

    fn body(
        &mut self,
        grid: &Grid,
        y: &PlotAxis,
        y_ticks: &Ticks,
        series: &[Series<'_>],
        names: usize,
    ) {
        let row_of = |value: f64| {
            ((1.0 - y.place(value)) * grid.rows as f64).clamp(0.0, grid.rows as f64 - 1.0) as usize
        };
        let mut labels: Vec<Option<&str>> = vec![None; grid.rows];
        for tick in &y_ticks.major {
            labels[row_of(tick.value)] = Some(&tick.label);
        }
        let name_of_row = names_by_row(grid, series);
        for row in 0..grid.rows {
            let (label, axis) = labels[row].map_or(("", '│'), |label| (label, '┤'));
            let blank = " ".repeat(self.left.saturating_sub(chars(label)));
            let mut line = format!("{blank}{label} {axis}");
            for column in 0..grid.columns {
                let cell = row * grid.columns + column;
                let dots = grid.dots[cell];
                let sign = if dots == 0 {
                    ' '
                } else {
                    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
                };
                if dots == 0 {
                    line.push(sign);
                } else {
                    line.push_str(&self.colored(grid.owner[cell], &sign.to_string()));
                }
            }
            if let Some(index) = name_of_row[row] {
                let name = shortened(&printable(&series[index].name), names);
                line.push(' ');
                line.push_str(&self.colored(index, &name));
            }
            self.line(&line);
        }
    }

    fn foot(&mut self, x: &PlotAxis) {
        let place = |value: f64| {
            (x.place(value) * (self.columns - 1) as f64)
                .round()
                .clamp(0.0, (self.columns - 1) as f64) as usize
        };
        let fits = |ticks: &Ticks| {
            let places = || {
                ticks
                    .major
                    .iter()
                    .map(|t| (place(t.value), chars(&t.label)))
            };
            places()
                .zip(places().skip(1))
                .all(|(a, b)| b.0.saturating_sub(a.0) >= usize::midpoint(a.1, b.1) + 2)
        };
        let ticks = (3..=8)
            .rev()
            .map(|most| x.ticks(most))
            .find(fits)
            .unwrap_or_else(|| x.ticks(2));
        let width = self.left + 2 + self.columns;
        let mut axis = vec!['─'; self.columns];
        let mut numbers: Vec<char> = Vec::new();
        for tick in &ticks.major {
            axis[place(tick.value)] = '┬';
            let middle = self.left + 2 + place(tick.value);
            let length = chars(&tick.label);
            let start = middle
                .saturating_sub(length / 2)
                .min(width.saturating_sub(length));
            if numbers.is_empty() || start > numbers.len() {
                numbers.resize(start.max(numbers.len()), ' ');
                numbers.extend(tick.label.chars());
            }
        }
        let blank = " ".repeat(self.left + 1);
        self.line(&format!("{blank}└{}", axis.into_iter().collect::<String>()));
        self.line(&numbers.into_iter().collect::<String>());
        let label = [
            ticks.note.unwrap_or_default(),
            printable(&self.sketch.x_label),
        ]
        .join("  ");
        let label = shortened(label.trim(), self.columns);
        if !label.is_empty() {
            let start = self.left + 2 + (self.columns - chars(&label)) / 2;
            self.line(&format!("{}{label}", " ".repeat(start)));
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn colored(&self, index: usize, text: &str) -> String {
        if self.sketch.color {
            format!("\u{1b}[{}m{text}\u{1b}[0m", COLORS[index % COLORS.len()])
        } else {
            text.to_owned()
        }
    }
}

/// The name in each row: that of the series that ends there, or as near as there is space.
fn names_by_row(grid: &Grid, series: &[Series<'_>]) -> Vec<Option<usize>> {
    let mut rows: Vec<Option<usize>> = vec![None; grid.rows];
    for (index, end) in grid.ends.iter().enumerate() {
        let Some(end) = *end else { continue };
        if printable(&series[index].name).is_empty() {
            continue;
        }
        let free = (0..grid.rows).filter(|row| rows[*row].is_none());
        if let Some(row) = free.min_by_key(|row| row.abs_diff(end)) {
            rows[row] = Some(index);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_rising_line_rises() {
        let x: Vec<f64> = (0..=20).map(f64::from).collect();
        let sketch = Sketch {
            width: 40,
            height: 5,
            x_label: "time (s)".into(),
            y_label: "x (m)".into(),
            ..Sketch::default()
        };
        let text = sketch.draw(&[Series::new("slider", &x, &x)]).unwrap();
        let expected = "\
x (m)
20 ┤                        ⣀⣀⠤⠔⠒ slider
   │                 ⢀⣀⡠⠤⠒⠒⠉⠁
10 ┤           ⢀⣀⠤⠴⠒⠉⠁
   │     ⣀⠤⠤⠒⠊⠉⠁
 0 ┤⠤⠔⠒⠉⠉
   └┬──────┬──────┬──────┬──────┬
    0      5     10     15     20
              time (s)
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn names_cannot_send_commands_to_the_terminal() {
        let text = Sketch::default()
            .draw(&[Series::new("\u{1b}[2Jgone", &[0.0, 1.0], &[0.0, 1.0])])
            .unwrap();
        assert!(!text.contains('\u{1b}') && text.contains("[2Jgone"));
    }

    #[test]
    fn each_series_has_its_colour() {
        let sketch = Sketch {
            color: true,
            ..Sketch::default()
        };
        let text = sketch
            .draw(&[
                Series::new("a", &[0.0, 1.0], &[0.0, 0.0]),
                Series::new("b", &[0.0, 1.0], &[1.0, 1.0]),
            ])
            .unwrap();
        assert!(text.contains("\u{1b}[34ma\u{1b}[0m") && text.contains("\u{1b}[33mb\u{1b}[0m"));
    }

    #[test]
    fn missing_data_is_shown_as_no_data() {
        let text = Sketch::default()
            .draw(&[Series::new("a", &[f64::NAN], &[1.0])])
            .unwrap();
        assert!(text.ends_with("no data\n"));
        assert!(Sketch::default().draw(&[]).unwrap().ends_with("no data\n"));
    }

    proptest! {
        #[test]
        fn any_input_gives_lines_of_at_most_the_width(
            points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..40),
            name in ".{0,30}", width in 0..200_usize, height in 0..60_usize,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let sketch = Sketch { width, height, x_label: name.clone(), ..Sketch::default() };
            let text = sketch.draw(&[Series::new(name.clone(), &x, &y), Series::new(name, &y, &x)]).unwrap();
            prop_assert!(text.lines().all(|line| chars(line) <= width.max(24)), "{}", text);
        }
    }
}
