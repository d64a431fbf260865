//! The drawing primitives of a backend, and their geometry. Units are CSS pixels, y points down.

use crate::{
    figure::MarkerShape,
    theme::{Color, Dash},
};

/// A point of the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImagePoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A rectangle of the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn contains(&self, p: ImagePoint) -> bool {
        (self.left..=self.right).contains(&p.x) && (self.top..=self.bottom).contains(&p.y)
    }

    /// The part of a segment inside the rectangle (Liang and Barsky 1984), if any.
    pub(crate) fn clip(&self, a: ImagePoint, b: ImagePoint) -> Option<(ImagePoint, ImagePoint)> {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let edges = [
            (-dx, a.x - self.left),
            (dx, self.right - a.x),
            (-dy, a.y - self.top),
            (dy, self.bottom - a.y),
        ];
        for (towards, room) in edges {
            if towards == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if towards < 0.0 {
                enter = enter.max(room / towards);
            } else {
                leave = leave.min(room / towards);
            }
        }
        let at = |s: f64| match s {
            0.0 => a,
            1.0 => b,
            _ => ImagePoint {
                x: a.x + s * dx,
                y: a.y + s * dy,
            },
        };
        (enter <= leave).then(|| (at(enter), at(leave)))
    }
}

/// A sequence of polylines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Polylines {
    points: Vec<ImagePoint>,
    starts: Vec<usize>,
}

impl Polylines {
    /// Begins a new polyline.
    pub(crate) fn move_to(&mut self, p: ImagePoint) {
        self.starts.push(self.points.len());
        self.points.push(p);
    }

    /// Continues the last polyline.
    pub(crate) fn line_to(&mut self, p: ImagePoint) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.points.push(p);
    }

    /// Adds a separate polyline of two points.
    pub(crate) fn segment(&mut self, x1: f64, y1: f64, x2: f64, y2: f64) {
        self.move_to(ImagePoint { x: x1, y: y1 });
        self.line_to(ImagePoint { x: x2, y: y2 });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    pub(crate) fn points(&self) -> &[ImagePoint] {
        &self.points
    }

    /// The polylines in drawing order, none of them empty.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[ImagePoint]> {
        let ends = self
            .starts
            .iter()
            .skip(1)
            .copied()
            .chain([self.points.len()]);
        self.starts
            .iter()
            .zip(ends)
            .map(|(&from, to)| &self.points[from..to])
    }

    /// The part inside a rectangle.
    pub(crate) fn clipped(&self, to: &Rect) -> Self {
        let mut inside = Self::default();
        for piece in self.pieces() {
            let mut pen: Option<ImagePoint> = None;
            for pair in piece.windows(2) {
                let Some((a, b)) = to.clip(pair[0], pair[1]) else {
                    pen = None;
                    continue;
                };
                if pen != Some(a) {
                    inside.move_to(a);
                }
                inside.line_to(b);
                pen = Some(b);
            }
        }
        inside
    }
}

/// The style of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub(crate) color: Color,
    pub(crate) width: f64,
    pub(crate) dash: Dash,
}

impl Stroke {
    pub(crate) fn solid(color: Color, width: f64) -> Self {
        Self {
            color,
            width,
            dash: Dash::Solid,
        }
    }
}

/// The point of a text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text on its baseline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLine<'a> {
    pub(crate) content: &'a str,
    pub(crate) at: ImagePoint,
    pub(crate) size: f64,
    pub(crate) color: Color,
    pub(crate) anchor: Anchor,
    /// Set for text that reads upwards instead of to the right.
    pub(crate) upwards: bool,
}

/// A backend.
pub(crate) trait Canvas {
    /// The resolution: columns of pixels per unit; finer detail is lost.
    fn columns_per_unit(&self) -> f64;

    /// Begins a named group of shapes.
    fn begin(&mut self, name: &str);

    /// Ends the group.
    fn end(&mut self);

    /// Draws a filled rectangle; `opacity` is from 0 to 1.
    fn fill(&mut self, area: Rect, color: Color, opacity: f64);

    /// Draws lines.
    fn stroke(&mut self, path: &Polylines, stroke: Stroke);

    /// Draws markers with `radius` from the centre to the edge.
    fn markers(&mut self, at: &[ImagePoint], shape: MarkerShape, radius: f64, color: Color);

    /// Draws a line of text.
    fn text(&mut self, text: TextLine<'_>);
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect {
        left: 0.0,
        top: 0.0,
        right: 10.0,
        bottom: 10.0,
    };

    fn path(points: &[(f64, f64)]) -> Polylines {
        let mut path = Polylines::default();
        for &(x, y) in points {
            path.line_to(ImagePoint { x, y });
        }
        path
    }

    #[test]
    fn a_line_through_the_box_is_clipped_at_both_sides() {
        let cut = path(&[(-10.0, 5.0), (20.0, 5.0)]).clipped(&BOX);
        assert_eq!(cut, path(&[(0.0, 5.0), (10.0, 5.0)]));
    }

    #[test]
    fn a_line_that_leaves_and_returns_becomes_two_pieces() {
        let cut = path(&[(2.0, 5.0), (5.0, 15.0), (8.0, 5.0)]).clipped(&BOX);
        let pieces: Vec<_> = cut.pieces().collect();
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0][1], ImagePoint { x: 3.5, y: 10.0 });
        assert_eq!(pieces[1][0], ImagePoint { x: 6.5, y: 10.0 });
    }

    #[test]
    fn a_line_inside_is_unchanged_and_one_outside_is_removed() {
        let inside = path(&[(1.0, 1.0), (2.0, 9.0), (3.0, 1.0)]);
        assert_eq!(inside.clipped(&BOX), inside);
        assert!(path(&[(-1.0, 1.0), (5.0, -9.0)]).clipped(&BOX).is_empty());
    }
}
