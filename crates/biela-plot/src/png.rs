//! The PNG backend.

use crate::{
    PlotError,
    canvas::{Anchor, Canvas, ImagePoint, Polylines, Rect, Stroke, TextLine},
    figure::MarkerShape,
    font::Font,
    theme::Color,
};
use tiny_skia::{FillRule, LineJoin, Paint, PathBuilder, Pixmap, StrokeDash, Transform};

/// The maximum number of pixels of an image.
pub(crate) const MOST_PIXELS: u64 = 100_000_000;

/// An image under construction.
pub(crate) struct PngCanvas<'a> {
    pixels: Pixmap,
    scale: f64,
    font: &'a Font,
}

impl<'a> PngCanvas<'a> {
    pub(crate) fn new(
        width: f64,
        height: f64,
        scale: f64,
        font: &'a Font,
    ) -> Result<Self, PlotError> {
        let wrong_scale = || PlotError::Scale { scale };
        if !scale.is_finite() || scale <= 0.0 {
            return Err(wrong_scale());
        }
        let dots = |side: f64| (side * scale).round().clamp(1.0, 1e9) as u32;
        let (columns, rows) = (dots(width), dots(height));
        if u64::from(columns) * u64::from(rows) > MOST_PIXELS {
            return Err(wrong_scale());
        }
        let pixels = Pixmap::new(columns, rows).ok_or_else(wrong_scale)?;
        Ok(Self {
            pixels,
            scale,
            font,
        })
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, PlotError> {
        self.pixels
            .encode_png()
            .map_err(|why| PlotError::Encode(why.to_string()))
    }

    fn transform(&self) -> Transform {
        Transform::from_scale(self.scale as f32, self.scale as f32)
    }

    fn fill_path(&mut self, path: PathBuilder, color: Color, transform: Transform) {
        if let Some(path) = path.finish() {
            self.pixels.fill_path(
                &path,
                &paint(color, 1.0),
                FillRule::Winding,
                transform,
                None,
            );
        }
    }
}

fn paint(color: Color, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    let alpha = (opacity * 255.0).round() as u8;
    paint.set_color_rgba8(color.r, color.g, color.b, alpha);
    paint
}

impl Canvas for PngCanvas<'_> {
    fn columns_per_unit(&self) -> f64 {
        self.scale
    }

    fn begin(&mut self, _name: &str) {}

    fn end(&mut self) {}

    fn fill(&mut self, area: Rect, color: Color, opacity: f64) {
        let [x, y, w, h] = [area.left, area.top, area.width(), area.height()].map(|v| v as f32);
        if let Some(rect) = tiny_skia::Rect::from_xywh(x, y, w, h) {
            self.pixels
                .fill_rect(rect, &paint(color, opacity), self.transform(), None);
        }
    }

    fn stroke(&mut self, path: &Polylines, stroke: Stroke) {
        let mut builder = PathBuilder::new();
        for piece in path.pieces() {
            for (i, p) in piece.iter().enumerate() {
                let (x, y) = (p.x as f32, p.y as f32);
                if i == 0 {
                    builder.move_to(x, y);
                } else {
                    builder.line_to(x, y);
                }
            }
        }
        let Some(path) = builder.finish() else { return };
        let dashes = stroke
            .dash
            .pattern()
            .iter()
            .map(|length| (length * stroke.width) as f32)
            .collect();
        let stroke_style = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(dashes, 0.0),
            ..tiny_skia::Stroke::default()
        };
        self.pixels.stroke_path(
            &path,
            &paint(stroke.color, 1.0),
            &stroke_style,
            self.transform(),
            None,
        );
    }

    fn markers(&mut self, at: &[ImagePoint], shape: MarkerShape, radius: f64, color: Color) {
        let r = radius as f32;
        let mut builder = PathBuilder::new();
        for p in at {
            let (x, y) = (p.x as f32, p.y as f32);
            match shape {
                MarkerShape::Circle => builder.push_circle(x, y, r),
                MarkerShape::Square => {
                    if let Some(square) = tiny_skia::Rect::from_ltrb(x - r, y - r, x + r, y + r) {
                        builder.push_rect(square);
                    }
                }
                MarkerShape::Triangle => {
                    builder.move_to(x - r, y + r);
                    builder.line_to(x + r, y + r);
                    builder.line_to(x, y - r);
                    builder.close();
                }
                MarkerShape::Cross => {
                    builder.move_to(x - r, y - r);
                    builder.line_to(x + r, y + r);
                    builder.move_to(x + r, y - r);
                    builder.line_to(x - r, y + r);
                }
            }
        }
        let transform = self.transform();
        if shape != MarkerShape::Cross {
            return self.fill_path(builder, color, transform);
        }
        if let Some(path) = builder.finish() {
            let stroke = tiny_skia::Stroke {
                width: 1.2,
                ..tiny_skia::Stroke::default()
            };
            self.pixels
                .stroke_path(&path, &paint(color, 1.0), &stroke, transform, None);
        }
    }

    fn text(&mut self, text: TextLine<'_>) {
        let width = self.font.width(text.content, text.size);
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let mut outlines = Outlines {
            path: PathBuilder::new(),
            shift: 0.0,
            per_unit: (text.size / self.font.units_per_em()) as f32,
        };
        for (glyph, at) in self.font.glyphs(text.content, text.size) {
            outlines.shift = (start + at) as f32;
            self.font.outline(glyph, &mut outlines);
        }
        let turned = if text.upwards {
            Transform::from_rotate(-90.0)
        } else {
            Transform::identity()
        };
        let placed = turned
            .post_translate(text.at.x as f32, text.at.y as f32)
            .post_concat(self.transform());
        self.fill_path(outlines.path, text.color, placed);
    }
}

/// Collects the outlines of glyphs along a baseline; y points up in fonts, down in images.
struct Outlines {
    path: PathBuilder,
    shift: f32,
    per_unit: f32,
}

impl Outlines {
    fn point(&self, x: f32, y: f32) -> (f32, f32) {
        (self.shift + x * self.per_unit, -y * self.per_unit)
    }
}

impl ttf_parser::OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.point(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.point(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.point(x1, y1), self.point(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) =
            (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
