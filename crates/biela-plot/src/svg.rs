//! The SVG backend.

use crate::{
    canvas::{Anchor, Canvas, ImagePoint, Polylines, Rect, Stroke, TextLine},
    figure::MarkerShape,
    font::printable,
    theme::{Color, Dash},
};
use std::fmt::Write as _;

/// An SVG document being written.
pub(crate) struct SvgCanvas {
    out: String,
}

impl SvgCanvas {
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        let (w, h) = (SvgNumber::of(width), SvgNumber::of(height));
        let mut svg = Self { out: String::new() };
        svg.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"'DejaVu Sans', Verdana, sans-serif\" fill=\"none\">\n"
        ));
        svg.title(if title.trim().is_empty() {
            "plot"
        } else {
            title
        });
        svg
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // writing to a string cannot fail
        let _ok = self.out.write_fmt(text);
    }

    fn title(&mut self, text: &str) {
        self.out.push_str("<title>");
        self.escaped(&printable(text));
        self.out.push_str("</title>\n");
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                c => self.out.push(c),
            }
        }
    }

    /// Numbers of a path, which need no space before a sign.
    fn numbers(&mut self, numbers: &[SvgNumber]) {
        for number in numbers {
            if number.0 >= 0 && self.out.ends_with(|c: char| c.is_ascii_digit()) {
                self.out.push(' ');
            }
            self.put(format_args!("{number}"));
        }
    }

    /// One polyline: its start, then relative steps, which are shorter.
    fn polyline(&mut self, points: &[ImagePoint]) {
        let mut at: Option<(SvgNumber, SvgNumber)> = None;
        for p in points {
            let (x, y) = (SvgNumber::of(p.x), SvgNumber::of(p.y));
            match at {
                None => {
                    self.out.push('M');
                    self.numbers(&[x, y]);
                    self.out.push('l');
                }
                Some((px, py)) if (px, py) == (x, y) => continue,
                Some((px, py)) => self.numbers(&[SvgNumber(x.0 - px.0), SvgNumber(y.0 - py.0)]),
            }
            at = Some((x, y));
        }
        if self.out.ends_with('l') {
            self.out.push_str("0 0");
        }
    }
}

/// A coordinate in hundredths of a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SvgNumber(i64);

impl SvgNumber {
    fn of(value: f64) -> Self {
        Self((value * 100.0).round() as i64)
    }
}

impl std::fmt::Display for SvgNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, hundredths) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        match (whole, hundredths) {
            (_, 0) => write!(f, "{sign}{whole}"),
            (0, _) if hundredths % 10 == 0 => write!(f, "{sign}.{}", hundredths / 10),
            (0, _) => write!(f, "{sign}.{hundredths:02}"),
            _ if hundredths % 10 == 0 => write!(f, "{sign}{whole}.{}", hundredths / 10),
            _ => write!(f, "{sign}{whole}.{hundredths:02}"),
        }
    }
}

impl Canvas for SvgCanvas {
    fn columns_per_unit(&self) -> f64 {
        1.0
    }

    fn begin(&mut self, name: &str) {
        self.out.push_str("<g>");
        self.title(name);
    }

    fn end(&mut self) {
        self.out.push_str("</g>\n");
    }

    fn fill(&mut self, area: Rect, color: Color, opacity: f64) {
        let [x, y, w, h] = [area.left, area.top, area.width(), area.height()].map(SvgNumber::of);
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{color}\""
        ));
        if opacity < 1.0 {
            self.put(format_args!(" fill-opacity=\"{}\"", SvgNumber::of(opacity)));
        }
        self.out.push_str("/>\n");
    }

    fn stroke(&mut self, path: &Polylines, stroke: Stroke) {
        if path.is_empty() {
            return;
        }
        let width = SvgNumber::of(stroke.width);
        self.put(format_args!(
            "<path stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"",
            stroke.color
        ));
        if stroke.dash != Dash::Solid {
            self.out.push_str(" stroke-dasharray=\"");
            for (i, length) in stroke.dash.pattern().iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                self.put(format_args!(
                    "{space}{}",
                    SvgNumber::of(length * stroke.width)
                ));
            }
            self.out.push('"');
        }
        self.out.push_str(" d=\"");
        for piece in path.pieces() {
            self.polyline(piece);
        }
        self.out.push_str("\"/>\n");
    }

    fn markers(&mut self, at: &[ImagePoint], shape: MarkerShape, radius: f64, color: Color) {
        if at.is_empty() {
            return;
        }
        let [r, side, down] = [radius, 2.0 * radius, -2.0 * radius].map(SvgNumber::of);
        match shape {
            // a line of zero length with round ends is a disc, in few characters
            MarkerShape::Circle => self.put(format_args!(
                "<path stroke=\"{color}\" stroke-width=\"{side}\" stroke-linecap=\"round\" d=\""
            )),
            MarkerShape::Cross => self.put(format_args!(
                "<path stroke=\"{color}\" stroke-width=\"1.2\" d=\""
            )),
            MarkerShape::Square | MarkerShape::Triangle => {
                self.put(format_args!("<path fill=\"{color}\" d=\""));
            }
        }
        for p in at {
            let (x, y) = (SvgNumber::of(p.x), SvgNumber::of(p.y));
            let (left, top, bottom) = (
                SvgNumber(x.0 - r.0),
                SvgNumber(y.0 - r.0),
                SvgNumber(y.0 + r.0),
            );
            self.out.push('M');
            match shape {
                MarkerShape::Circle => {
                    self.numbers(&[x, y]);
                    self.out.push_str("h0");
                }
                MarkerShape::Square => {
                    self.numbers(&[left, top]);
                    self.put(format_args!("h{side}v{side}h{down}z"));
                }
                MarkerShape::Triangle => {
                    self.numbers(&[left, bottom]);
                    self.put(format_args!("h{side}l-{r}{down}z"));
                }
                MarkerShape::Cross => {
                    self.numbers(&[left, top]);
                    self.put(format_args!("l{side} {side}m0{down}l{down} {side}"));
                }
            }
        }
        self.out.push_str("\"/>\n");
    }

    fn text(&mut self, text: TextLine<'_>) {
        if text.content.is_empty() {
            return;
        }
        let [x, y, size] = [text.at.x, text.at.y, text.size].map(SvgNumber::of);
        if text.upwards {
            self.put(format_args!(
                "<text transform=\"translate({x} {y}) rotate(-90)\""
            ));
        } else {
            self.put(format_args!("<text x=\"{x}\" y=\"{y}\""));
        }
        self.put(format_args!(
            " font-size=\"{size}\" fill=\"{}\"",
            text.color
        ));
        match text.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.out.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.out.push_str(" text-anchor=\"end\""),
        }
        self.out.push('>');
        self.escaped(text.content);
        self.out.push_str("</text>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_short_as_possible() {
        let written = |v: f64| SvgNumber::of(v).to_string();
        assert_eq!(
            [0.0, 12.0, 0.5, -0.05, 3.1372, -2.5, -0.001].map(written),
            ["0", "12", ".5", "-.05", "3.14", "-2.5", "0"]
        );
    }

    #[test]
    fn rounding_errors_do_not_accumulate_along_a_path() {
        let mut path = Polylines::default();
        for i in 0..1000 {
            path.line_to(ImagePoint {
                x: f64::from(i) * 0.004,
                y: 0.0,
            });
        }
        let mut svg = SvgCanvas::new(100.0, 100.0, "");
        svg.polyline(path.points());
        let steps = svg.out.rsplit_once('l').unwrap().1;
        let sum: f64 = steps
            .split_whitespace()
            .filter_map(|n| n.parse::<f64>().ok())
            .sum();
        assert!((sum - 3.996).abs() <= 0.005, "{sum}");
    }
}
