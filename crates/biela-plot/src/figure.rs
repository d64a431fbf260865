//! The contents of a figure.

use crate::{
    PlotError, Theme,
    canvas::Canvas,
    draw,
    font::Font,
    layout::FigureLayout,
    png::PngCanvas,
    svg::SvgCanvas,
    theme::{Color, Dash},
};
use std::borrow::Cow;

/// The minimum width and height of a figure.
pub(crate) const SMALLEST_SIDE: f64 = 100.0;
/// The maximum width and height of a figure.
pub(crate) const LARGEST_SIDE: f64 = 20_000.0;

/// A figure with one or several panels, one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure<'a> {
    /// Title above the panels; hidden if empty.
    pub title: String,
    /// Subtitle; hidden if empty.
    pub subtitle: String,
    /// Panels from top to bottom.
    pub panels: Vec<Panel<'a>>,
    /// Width in CSS pixels.
    pub width: f64,
    /// Height in CSS pixels; by default it grows with the number of panels.
    pub height: Option<f64>,
    /// All panels share the x axis, with numbers at the lowest only. Panels with an equal aspect ratio, or a mixture of linear and logarithmic x axes, keep
    /// their own.
    pub share_x: bool,
    /// Colours and sizes.
    pub theme: Theme,
}

impl<'a> Figure<'a> {
    /// Creates an empty figure, 800 wide.
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

    /// Sets the subtitle.
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// Adds a panel at the bottom.
    pub fn panel(mut self, panel: Panel<'a>) -> Self {
        self.panels.push(panel);
        self
    }

    /// Sets width and height in CSS pixels.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        (self.width, self.height) = (width, Some(height));
        self
    }

    /// Sets colours and sizes.
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

    /// The figure as a PNG file with `scale` pixels per CSS pixel: 1 for a screen, 2 to 4 for print.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        let (font, layout) = self.laid_out()?;
        let mut canvas = PngCanvas::new(layout.width, layout.height, scale, &font)?;
        self.draw_on(&mut canvas, &font, &layout);
        canvas.finish()
    }

    fn laid_out(&self) -> Result<(Font, FigureLayout), PlotError> {
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            series.check()?;
        }
        let font = Font::load()?;
        let layout = FigureLayout::of(self, &font)?;
        Ok((font, layout))
    }

    fn draw_on(&self, canvas: &mut dyn Canvas, font: &Font, layout: &FigureLayout) {
        draw::figure(canvas, self, font, layout);
    }
}

/// A pair of axes with its contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel<'a> {
    /// Label of the x axis: quantity and unit, such as `time (s)`.
    pub x_label: String,
    /// Label of the y axis: quantity and unit, such as `torque (N·m)`.
    pub y_label: String,
    /// Coloured rectangles below the lines, for heat maps.
    pub tiles: Vec<Tile>,
    /// The series.
    pub series: Vec<Series<'a>>,
    /// Events.
    pub marks: Vec<EventMark>,
    /// Logarithmic x axis: values that are not positive are omitted.
    pub log_x: bool,
    /// Logarithmic y axis: values that are not positive are omitted.
    pub log_y: bool,
    /// The range of x; by default, or if it is invalid, that of the data.
    pub x_range: Option<(f64, f64)>,
    /// The range of y; by default, or if it is invalid, that of the visible data.
    pub y_range: Option<(f64, f64)>,
    /// Names on the y axis instead of numbers, with their positions.
    pub y_names: Vec<(f64, String)>,
    /// Equal scales of x and y, for trajectories. Both axes must be linear.
    pub equal_aspect: bool,
    /// Data with a smaller range of y are shown as constant, because such differences are rounding errors. Set it to 0 to show them.
    pub noise_floor: f64,
}

impl<'a> Panel<'a> {
    /// Creates an empty panel.
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
            y_names: Vec::new(),
            equal_aspect: false,
            noise_floor: 1e-12,
        }
    }

    /// Adds a series.
    pub fn series(mut self, series: Series<'a>) -> Self {
        self.series.push(series);
        self
    }

    /// Adds a coloured rectangle. The default ranges are those of the lines, so set `x_range` and `y_range`.
    pub fn tile(mut self, x: (f64, f64), y: (f64, f64), color: Color) -> Self {
        self.tiles.push(Tile { x, y, color });
        self
    }

    /// Adds an event mark.
    pub fn mark(mut self, x: f64, label: impl Into<String>) -> Self {
        self.marks.push(EventMark {
            x,
            label: label.into(),
        });
        self
    }

    /// Sets names on the y axis instead of numbers.
    pub fn y_names(mut self, names: Vec<(f64, String)>) -> Self {
        self.y_names = names;
        self
    }

    /// Makes the x axis logarithmic.
    pub fn log_x(mut self) -> Self {
        self.log_x = true;
        self
    }

    /// Makes the y axis logarithmic.
    pub fn log_y(mut self) -> Self {
        self.log_y = true;
        self
    }

    /// Sets equal scales of x and y.
    pub fn equal_aspect(mut self) -> Self {
        self.equal_aspect = true;
        self
    }

    /// Sets the range of x.
    pub fn x_range(mut self, low: f64, high: f64) -> Self {
        self.x_range = Some((low, high));
        self
    }

    /// Sets the range of y.
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        self.y_range = Some((low, high));
        self
    }
}

/// Points in the order in which they are connected. A coordinate that is not finite leaves a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Series<'a> {
    /// Name in the legend; hidden if empty.
    pub name: String,
    /// As many values as `y`.
    pub x: Cow<'a, [f64]>,
    /// As many values as `x`.
    pub y: Cow<'a, [f64]>,
    /// The style.
    pub style: SeriesStyle,
}

impl<'a> Series<'a> {
    /// Creates a line through the points.
    pub fn new(
        name: impl Into<String>,
        x: impl Into<Cow<'a, [f64]>>,
        y: impl Into<Cow<'a, [f64]>>,
    ) -> Self {
        Self {
            name: name.into(),
            x: x.into(),
            y: y.into(),
            style: SeriesStyle::default(),
        }
    }

    /// Sets the style.
    pub fn style(mut self, style: SeriesStyle) -> Self {
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
    /// Range along x.
    pub x: (f64, f64),
    /// Range along y.
    pub y: (f64, f64),
    /// Its colour.
    pub color: Color,
}

/// An event: a vertical line with a label above the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct EventMark {
    /// Its position.
    pub x: f64,
    /// Its label.
    pub label: String,
}

/// The style of a series; unset fields follow from its index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesStyle {
    /// Colour instead of the next one of the theme.
    pub color: Option<Color>,
    /// Dash pattern instead of the next one of the theme.
    pub dash: Option<Dash>,
    /// Line width instead of that of the theme.
    pub width: Option<f64>,
    /// The connection of the points.
    pub line: LineShape,
    /// Marker at each point.
    pub marker: Option<MarkerShape>,
}

/// The connection of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineShape {
    /// Straight lines.
    #[default]
    Straight,
    /// Steps: a value is held until the next point, as for a sampled controller.
    Steps,
    /// No line.
    None,
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerShape {
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
    fn tiles_are_drawn_below_the_lines_and_clipped_at_the_frame() {
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
    fn series_without_points_beside_tiles_form_a_colour_scale() {
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
