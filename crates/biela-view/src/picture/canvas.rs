//! Rasterizer for triangles and lines: with a depth buffer, outlines between objects, and four samples per pixel.

use super::vector::V3;

/// Samples per pixel along each axis.
pub(super) const SAMPLES: usize = 2;
/// No object.
const NOTHING: u32 = 0;
/// The owner of lines and grids, which have no outline.
pub(super) const NO_EDGE: u32 = 1;

/// Red, green, blue from 0 to 1.
pub(super) type Colour = [f32; 3];

/// A vertex in the image: position, nearness and colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImageVertex {
    /// x to the right, y down, nearness.
    pub(super) at: V3,
    /// Its colour.
    pub(super) colour: Colour,
}

/// An image under construction.
#[derive(Clone, Debug)]
pub(super) struct PixelCanvas {
    width: usize,
    height: usize,
    colour: Vec<Colour>,
    near: Vec<f32>,
    owner: Vec<u32>,
    /// Nearness of the base of all layers.
    base: Vec<f32>,
}

impl PixelCanvas {
    /// Creates an image with this number of pixels.
    pub(super) fn new([width, height]: [usize; 2]) -> Self {
        let (width, height) = (SAMPLES * width, SAMPLES * height);
        PixelCanvas {
            width,
            height,
            colour: vec![[0.0; 3]; width * height],
            near: vec![f32::NEG_INFINITY; width * height],
            owner: vec![NOTHING; width * height],
            base: vec![f32::NEG_INFINITY; width * height],
        }
    }

    /// The number of samples along both axes.
    pub(super) fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Clears to a background with a gradient from top to bottom.
    pub(super) fn clear(&mut self, top: Colour, bottom: Colour) {
        self.near.fill(f32::NEG_INFINITY);
        self.base.fill(f32::NEG_INFINITY);
        self.owner.fill(NOTHING);
        let height = self.height as f32;
        for (y, row) in self.colour.chunks_exact_mut(self.width).enumerate() {
            row.fill(mixed(top, bottom, y as f32 / height));
        }
    }

    /// Clears the depth buffer, so that the following objects are drawn in front.
    pub(super) fn forget_nearness(&mut self) {
        self.near.fill(f32::NEG_INFINITY);
    }

    /// Makes the current content the base of all layers: it hides objects behind it in each of them.
    pub(super) fn set_base(&mut self) {
        self.base.copy_from_slice(&self.near);
        self.owner.fill(NOTHING);
    }

    /// Begins a layer in front of all earlier ones except the base; returns the colours below it.
    pub(super) fn new_layer(&mut self) -> Vec<Colour> {
        self.near.copy_from_slice(&self.base);
        self.owner.fill(NOTHING);
        self.colour.clone()
    }

    /// Blends the content drawn over the colours `below` with an opacity from 0 to 1.
    pub(super) fn fade(&mut self, below: &[Colour], opacity: f32) {
        for (colour, below) in self.colour.iter_mut().zip(below) {
            *colour = mixed(*below, *colour, opacity);
        }
    }

    /// Draws a triangle that belongs to `owner`.
    pub(super) fn triangle(&mut self, [a, b, c]: [ImageVertex; 3], owner: u32) {
        let area = edge(a.at, b.at, c.at);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let least = |k: usize| a.at[k].min(b.at[k]).min(c.at[k]).floor().max(0.0) as usize;
        let most = |k: usize, size: usize| {
            let end = a.at[k].max(b.at[k]).max(c.at[k]).ceil();
            (end.max(0.0) as usize).min(size)
        };
        let (x0, x1) = (least(0), most(0, self.width));
        for y in least(1)..most(1, self.height) {
            for x in x0..x1 {
                let p = [x as f32 + 0.5, y as f32 + 0.5, 0.0];
                let u = edge(b.at, c.at, p) / area;
                let v = edge(c.at, a.at, p) / area;
                let w = 1.0 - u - v;
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let near = u * a.at[2] + v * b.at[2] + w * c.at[2];
                let i = y * self.width + x;
                if near > self.near[i] {
                    self.near[i] = near;
                    self.owner[i] = owner;
                    self.colour[i] = std::array::from_fn(|k| {
                        u * a.colour[k] + v * b.colour[k] + w * c.colour[k]
                    });
                }
            }
        }
    }

    /// Draws a line with a width in samples.
    pub(super) fn line(&mut self, a: V3, b: V3, width: f32, colour: Colour, owner: u32) {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let n = dx.hypot(dy);
        if n < 1e-3 || !n.is_finite() {
            return;
        }
        let (ox, oy) = (-dy / n * 0.5 * width, dx / n * 0.5 * width);
        let corner = |p: V3, side: f32| ImageVertex {
            at: [p[0] + side * ox, p[1] + side * oy, p[2]],
            colour,
        };
        let [p, q, r, s] = [
            corner(a, 1.0),
            corner(a, -1.0),
            corner(b, -1.0),
            corner(b, 1.0),
        ];
        self.triangle([p, q, r], owner);
        self.triangle([p, r, s], owner);
    }

    /// Darkens the border of objects in front of others; of objects drawn on top, the whole border.
    pub(super) fn outline(&mut self, strength: f32) {
        let mut marks = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                let i = y * self.width + x;
                if self.owner[i] <= NO_EDGE {
                    continue;
                }
                let behind =
                    |j: usize| self.owner[j] != self.owner[i] && self.near[j] < self.near[i];
                let beside = (x > 0 && behind(i - 1))
                    || (x + 1 < self.width && behind(i + 1))
                    || (y > 0 && behind(i - self.width))
                    || (y + 1 < self.height && behind(i + self.width));
                if beside {
                    marks.push(i);
                }
            }
        }
        for i in marks {
            self.colour[i] = self.colour[i].map(|x| x * (1.0 - strength));
        }
    }

    /// Red, green and blue of every pixel, by rows from the top.
    pub(super) fn pixels(&self) -> Vec<u8> {
        let (width, height) = (self.width / SAMPLES, self.height / SAMPLES);
        let mut bytes = Vec::with_capacity(3 * width * height);
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0.0; 3];
                for j in 0..SAMPLES {
                    for i in 0..SAMPLES {
                        let at = (SAMPLES * y + j) * self.width + SAMPLES * x + i;
                        for (sum, x) in sum.iter_mut().zip(self.colour[at]) {
                            *sum += x;
                        }
                    }
                }
                let scale = 255.0 / (SAMPLES * SAMPLES) as f32;
                bytes.extend(sum.map(|x| (x * scale).round().clamp(0.0, 255.0) as u8));
            }
        }
        bytes
    }
}

/// Twice the signed area of a triangle.
fn edge(a: V3, b: V3, p: V3) -> f32 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Interpolates between two colours.
pub(super) fn mixed(a: Colour, b: Colour, share: f32) -> Colour {
    std::array::from_fn(|k| a[k] + share * (b[k] - a[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Colour = [1.0, 0.0, 0.0];
    const BLUE: Colour = [0.0, 0.0, 1.0];

    fn vertex(x: f32, y: f32, near: f32, colour: Colour) -> ImageVertex {
        ImageVertex {
            at: [x, y, near],
            colour,
        }
    }

    fn pixel(canvas: &PixelCanvas, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * canvas.width / SAMPLES + x);
        let bytes = canvas.pixels();
        [bytes[at], bytes[at + 1], bytes[at + 2]]
    }

    #[test]
    fn the_nearer_of_two_triangles_is_visible_in_any_drawing_order() {
        let all = |near: f32, colour: Colour| {
            [
                vertex(-50.0, -50.0, near, colour),
                vertex(200.0, -50.0, near, colour),
                vertex(-50.0, 200.0, near, colour),
            ]
        };
        for order in [[1.0, 2.0], [2.0, 1.0]] {
            let mut canvas = PixelCanvas::new([20, 20]);
            for near in order {
                canvas.triangle(all(near, if near > 1.5 { RED } else { BLUE }), 2);
            }
            assert_eq!(pixel(&canvas, 10, 10), [255, 0, 0]);
        }
    }

    #[test]
    fn points_that_are_not_finite_or_outside_are_not_drawn() {
        let mut canvas = PixelCanvas::new([8, 8]);
        canvas.clear([1.0; 3], [1.0; 3]);
        let lost = vertex(f32::NAN, 0.0, 1.0, RED);
        canvas.triangle(
            [lost, vertex(9.0, 0.0, 1.0, RED), vertex(0.0, 9.0, 1.0, RED)],
            2,
        );
        canvas.line([1e30, 0.0, 0.0], [f32::INFINITY, 0.0, 0.0], 2.0, RED, 2);
        canvas.triangle(
            [
                vertex(1e9, 0.0, 1.0, RED),
                vertex(2e9, 0.0, 1.0, RED),
                vertex(2e9, 9.0, 1.0, RED),
            ],
            2,
        );
        assert!(canvas.pixels().iter().all(|x| *x == 255));
    }

    #[test]
    fn a_line_has_the_given_width() {
        let mut canvas = PixelCanvas::new([40, 40]);
        canvas.line([0.0, 40.0, 0.0], [80.0, 40.0, 0.0], 8.0, RED, 2);
        let column: usize = (0..40).filter(|&y| pixel(&canvas, 20, y)[0] > 128).count();
        assert_eq!(column, 4, "8 samples are 4 pixels");
    }
}
