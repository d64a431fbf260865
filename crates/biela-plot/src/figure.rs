//! What a figure shows.

use crate::{
    PlotError, Theme,
    canvas::Canvas,
    draw,
    font::Font,
    layout::Layout,
    png::PngCanvas,
    svg::SvgCanvas,
    theme::{Color, Dash},
};
use std::borrow::Cow;

/// Least width and height of a figure.
pub(crate) const SMALLEST_SIDE: f64 = 100.0;
/// Greatest width and height of a figure.
pub(crate) const LARGEST_SIDE: f64 = 20_000.0;

/// A picture of one or several panels, one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure<'a> {
    /// Shown above the panels, unless empty.
    pub title: String,
    /// Shown below the title, unless empty.
    pub subtitle: String,
    /// From top to bottom.
    pub panels: Vec<Panel<'a>>,
    /// In CSS pixels.
    pub width: f64,
    /// In CSS pixels; without it the figure grows with the number of panels.
    pub height: Option<f64>,
    /// All panels show the same span of x, with numbers at the lowest only. Panels with an equal aspect, or with both linear and
    /// logarithmic x among them, each keep their own.
    pub share_x: bool,
    /// Colours and sizes.
    pub theme: Theme,
}

impl<'a> Figure<'a> {
    /// A figure with nothing in it yet, 800 wide.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: String::new(),
            panels: Vec::new(),
            width: 800.0,
            height: None,
            share_x: true,
            theme: Theme::default(),
        }
    }

    /// With a line below the title.
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// With one more panel at the bottom.
    pub fn panel(mut self, panel: Panel<'a>) -> Self {
        self.panels.push(panel);
        self
    }

    /// With a width and height in CSS pixels.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        (self.width, self.height) = (width, Some(height));
        self
    }

    /// With other colours and sizes.
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// The figure as an SVG document.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let (font, layout) = self.laid_out()?;
        let mut canvas = SvgCanvas::new(layout.width, layout.height, &self.title);
        self.draw_on(&mut canvas, &font, &layout);
        Ok(canvas.finish())
    }

    /// The figure as a PNG file, `scale` dots to a CSS pixel: 1 for a screen, 2 to 4 for paper.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        let (font, layout) = self.laid_out()?;
        let mut canvas = PngCanvas::new(layout.width, layout.height, scale, &font)?;
        self.draw_on(&mut canvas, &font, &layout);
        canvas.finish()
    }

    fn laid_out(&self) -> Result<(Font, Layout), PlotError> {
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            series.check()?;
        }
        let font = Font::load()?;
        let layout = Layout::of(self, &font)?;
        Ok((font, layout))
    }

    fn draw_on(&self, canvas: &mut dyn Canvas, font: &Font, layout: &Layout) {
        draw::figure(canvas, self, font, layout);
    }
}

/// One pair of axes and what is drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel<'a> {
    /// Quantity and unit along x, such as `time (s)`.
    pub x_label: String,
    /// Quantity and unit along y, such as `torque (N·m)`.
    pub y_label: String,
    /// Coloured rectangles below the lines, as of a heat map.
    pub tiles: Vec<Tile>,
    /// The lines.
    pub series: Vec<Series<'a>>,
    /// Events.
    pub marks: Vec<Mark>,
    /// Logarithmic x: values that are not positive are left out.
    pub log_x: bool,
    /// Logarithmic y: values that are not positive are left out.
    pub log_y: bool,
    /// The span of x shown; without it, or where it cannot be shown, that of the data.
    pub x_range: Option<(f64, f64)>,
    /// The span of y shown; without it, or where it cannot be shown, that of the data in view.
    pub y_range: Option<(f64, f64)>,
    /// A unit of x is as long as a unit of y, for trajectories. Both axes must be linear.
    pub equal_aspect: bool,
    /// Data whose y spans less than this is shown as a constant: differences that small are rounding. Set it to 0 to look at them.
    pub noise_floor: f64,
}

impl<'a> Panel<'a> {
    /// A panel with nothing in it yet.
    pub fn new(x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self {
            x_label: x_label.into(),
            y_label: y_label.into(),
            tiles: Vec::new(),
            series: Vec::new(),
            marks: Vec::new(),
            log_x: false,
            log_y: false,
            x_range: None,
            y_range: None,
            equal_aspect: false,
            noise_floor: 1e-12,
        }
    }

    /// With one more line.
    pub fn series(mut self, series: Series<'a>) -> Self {
        self.series.push(series);
        self
    }

    /// With one more coloured rectangle; the spans shown are those of the lines, so give them with `x_range` and `y_range`.
    pub fn tile(mut self, x: (f64, f64), y: (f64, f64), color: Color) -> Self {
        self.tiles.push(Tile { x, y, color });
        self
    }

    /// With one more event.
    pub fn mark(mut self, x: f64, label: impl Into<String>) -> Self {
        self.marks.push(Mark {
            x,
            label: label.into(),
        });
        self
    }

    /// With a logarithmic x axis.
    pub fn log_x(mut self) -> Self {
        self.log_x = true;
        self
    }

    /// With a logarithmic y axis.
    pub fn log_y(mut self) -> Self {
        self.log_y = true;
        self
    }

    /// With a unit of x as long as a unit of y.
    pub fn equal_aspect(mut self) -> Self {
        self.equal_aspect = true;
        self
    }

    /// With this span of x shown.
    pub fn x_range(mut self, low: f64, high: f64) -> Self {
        self.x_range = Some((low, high));
        self
    }

    /// With this span of y shown.
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        self.y_range = Some((low, high));
        self
    }
}

/// Points in the order they are joined. A point with a coordinate that is not finite leaves a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Series<'a> {
    /// Shown in the legend, unless empty.
    pub name: String,
    /// As many as `y`.
    pub x: Cow<'a, [f64]>,
    /// As many as `x`.
    pub y: Cow<'a, [f64]>,
    /// How it is drawn.
    pub style: Style,
}

impl<'a> Series<'a> {
    /// A line through the points.
    pub fn new(
        name: impl Into<String>,
        x: impl Into<Cow<'a, [f64]>>,
        y: impl Into<Cow<'a, [f64]>>,
    ) -> Self {
        Self {
            name: name.into(),
            x: x.into(),
            y: y.into(),
            style: Style::default(),
        }
    }

    /// Drawn in another way.
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    pub(crate) fn check(&self) -> Result<(), PlotError> {
        if self.x.len() == self.y.len() {
            return Ok(());
        }
        Err(PlotError::Lengths {
            series: self.name.clone(),
            x: self.x.len(),
            y: self.y.len(),
        })
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.x.iter().copied().zip(self.y.iter().copied())
    }
}

/// A coloured rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// From and to along x.
    pub x: (f64, f64),
    /// From and to along y.
    pub y: (f64, f64),
    /// Its colour.
    pub color: Color,
}

/// An event: a vertical line with a label above the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What.
    pub label: String,
}

/// How a series is drawn; what is not told follows from its place among the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Instead of the next colour of the theme.
    pub color: Option<Color>,
    /// Instead of the next dash of the theme.
    pub dash: Option<Dash>,
    /// Instead of the theme's line width.
    pub width: Option<f64>,
    /// How the points are joined.
    pub line: Line,
    /// Drawn at each point.
    pub marker: Option<Marker>,
}

/// How points are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Line {
    /// By straight lines.
    #[default]
    Straight,
    /// A value holds until the next point, as of a sampled controller.
    Steps,
    /// Not at all.
    None,
}

/// The shape drawn at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square.
    Square,
    /// A triangle on its base.
    Triangle,
    /// A diagonal cross.
    Cross,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_drawn_below_the_lines_and_cut_at_the_frame() {
        let color = Color::hex(0x12_34_56);
        let panel = Panel::new("x", "y")
            .x_range(0.0, 2.0)
            .y_range(0.0, 1.0)
            .tile((0.0, 1.0), (0.0, 1.0), color)
            .tile((5.0, 6.0), (0.0, 1.0), Color::hex(0x65_43_21))
            .series(Series::new("line", vec![0.0, 2.0], vec![0.0, 1.0]));
        let svg = Figure::new("").panel(panel).to_svg().unwrap_or_default();
        let (tile, line) = (svg.find("#123456"), svg.rfind("<path"));
        assert!(tile.is_some() && tile < line, "{svg}");
        assert!(!svg.contains("#654321"), "a tile out of view has no area");
    }

    #[test]
    fn names_without_points_beside_tiles_are_a_scale_of_colours() {
        let tiled = Panel::new("x", "y")
            .x_range(0.0, 1.0)
            .y_range(0.0, 1.0)
            .tile((0.0, 1.0), (0.0, 1.0), Color::hex(0));
        let scale = Series::new("high", Vec::new(), Vec::new());
        let svg = Figure::new("").panel(tiled.series(scale.clone())).to_svg();
        assert!(svg.is_ok_and(|svg| svg.contains("high") && !svg.contains("no data")));
        let bare = Figure::new("")
            .panel(Panel::new("x", "y").series(scale))
            .to_svg();
        assert!(bare.is_ok_and(|svg| svg.contains("high (no data)")));
    }
}
