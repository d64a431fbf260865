//! Contacts in images: their surfaces as lines, and at each closed point a marker, the normal and the force on the second surface.

use super::canvas::{Colour, NO_EDGE, SAMPLES};
use super::surface::Surface;
use super::vector::{RigidTransform, V3, across, add, direction, length, scaled, sub};
use super::{Painter, draw, round_below};
use crate::scene::{POSE, SceneSpace, SceneSurface, ShapeGeometry, TOUCH};

const SURFACE: Colour = [0.36, 0.38, 0.42];
const SURFACE_IN_DARK: Colour = [0.72, 0.75, 0.80];
/// Colours of points and forces that colour-blind viewers distinguish.
const STICK: Colour = [0.05, 0.36, 0.72];
const SLIP: Colour = [0.86, 0.36, 0.00];
/// The owner of markers and arrows, for outlines.
const MARKS: u32 = u32::MAX - 2;
/// Length of the longest force and of a normal, as a fraction of the smaller side of the image.
const LONGEST: f32 = 0.26;
const NORMAL: f32 = 0.07;

/// A closed contact point in a frame.
pub(super) struct Touch {
    slips: bool,
    point: V3,
    normal: V3,
    force: V3,
}

/// The closed contact points among the last values of a frame.
fn closed(touches: &[f32]) -> impl Iterator<Item = Touch> + '_ {
    let (touches, _) = touches.as_chunks::<TOUCH>();
    let closed = touches.iter().filter(|touch| touch[0] > 0.0);
    closed.map(|touch| Touch {
        slips: touch[0] > 1.5,
        point: [touch[1], touch[2], touch[3]],
        normal: [touch[4], touch[5], touch[6]],
        force: [touch[7], touch[8], touch[9]],
    })
}

/// The largest magnitude of a contact force in the last values of a frame.
pub(super) fn largest_force(touches: &[f32]) -> f32 {
    let sizes = closed(touches).map(|touch| length(touch.force));
    sizes.filter(|x| x.is_finite()).fold(0.0, f32::max)
}

/// The pose of a surface in a frame.
fn place(frame: &[f32], surface: &SceneSurface) -> impl Fn([f64; 3]) -> V3 + use<> {
    let body = RigidTransform::new(&frame[POSE * surface.body..][..POSE]);
    let own = RigidTransform::from_f64(&surface.pose);
    move |p| body.point(own.point(p.map(|x| x as f32)))
}

impl Painter<'_> {
    /// Points of the bounded surfaces in a frame.
    pub(super) fn surface_points(&self, frame: &[f32]) -> Vec<V3> {
        let surfaces = self.scene.contacts.iter().flat_map(|c| &c.surfaces);
        let bounded = surfaces.filter(|surface| !surface.unbounded);
        let points = bounded.flat_map(|surface| {
            let place = place(frame, surface);
            surface.outline.iter().flatten().map(move |p| place(*p))
        });
        points.collect()
    }

    /// Draws the surfaces of all contacts.
    pub(super) fn paint_surfaces(&mut self, frame: &[f32]) {
        let colour = if self.look.dark {
            SURFACE_IN_DARK
        } else {
            SURFACE
        };
        let width = SAMPLES as f32;
        for surface in self.scene.contacts.iter().flat_map(|c| &c.surfaces) {
            if surface.unbounded {
                self.paint_unbounded(frame, surface, colour);
                continue;
            }
            let place = place(frame, surface);
            for line in &surface.outline {
                if let [point] = line.as_slice() {
                    self.paint_ball(place(*point), 1.8, colour);
                }
                for pair in line.windows(2) {
                    self.paint_line(place(pair[0]), place(pair[1]), 1.6 * width, colour);
                }
            }
        }
    }

    /// Draws the part of a half-plane or half-space that the image shows: its boundary, with hatches on the side of the material in the plane, as a grid in space.
    fn paint_unbounded(&mut self, frame: &[f32], surface: &SceneSurface, colour: Colour) {
        let place = place(frame, surface);
        let origin = place([0.0; 3]);
        let axis = |k: usize| {
            let mut end = [0.0; 3];
            end[k] = 1.0;
            sub(place(end), origin)
        };
        let [width, height] = self.canvas.size().map(|n| self.camera.metres(n as f32));
        let middle = sub(self.camera.target(), origin);
        let along = |axis: V3| super::vector::dot(middle, axis);
        let width_of_line = SAMPLES as f32;
        if self.scene.space == SceneSpace::Planar {
            let (x, y) = (axis(0), axis(1));
            let reach = 0.6 * width.hypot(height);
            let step = round_below(0.05 * width.min(height));
            let (from, to) = range(along(x), reach, step);
            let at = |k: f32, down: f32| add(origin, add(scaled(x, k * step), scaled(y, -down)));
            self.paint_line(at(from, 0.0), at(to, 0.0), 2.0 * width_of_line, colour);
            let mut k = from;
            while k < to {
                self.paint_line(
                    at(k + 0.6, 0.0),
                    at(k, 0.6 * step),
                    0.8 * width_of_line,
                    colour,
                );
                k += 1.0;
            }
            return;
        }
        let (x, y) = (axis(0), axis(1));
        let reach = 0.35 * width.hypot(height);
        let step = round_below(0.5 * reach);
        let ((x0, x1), (y0, y1)) = (range(along(x), reach, step), range(along(y), reach, step));
        let at = |i: f32, j: f32| add(origin, add(scaled(x, i * step), scaled(y, j * step)));
        let mut line = |a: V3, b: V3, edge: bool| {
            let width = if edge { 1.6 } else { 0.7 };
            self.paint_line(a, b, width * width_of_line, colour);
        };
        let mut i = x0;
        while i <= x1 {
            line(at(i, y0), at(i, y1), i <= x0 || i >= x1);
            i += 1.0;
        }
        let mut j = y0;
        while j <= y1 {
            line(at(x0, j), at(x1, j), j <= y0 || j >= y1);
            j += 1.0;
        }
    }

    /// Draws the closed contact points of a frame.
    pub(super) fn paint_touches(&mut self, frame: &[f32]) {
        let [width, height] = self.look.size;
        let side = self.camera.metres((SAMPLES * width.min(height)) as f32);
        let thick = self.camera.metres(1.3 * SAMPLES as f32);
        let dark = if self.look.dark { [0.9; 3] } else { [0.1; 3] };
        for touch in closed(&frame[self.scene.first_touch()..]) {
            let colour = if touch.slips { SLIP } else { STICK };
            let tip = add(touch.point, scaled(touch.normal, NORMAL * side));
            self.paint_line(touch.point, tip, 0.9 * SAMPLES as f32, dark);
            let size = length(touch.force);
            if self.largest_force > 0.0 && size.is_finite() {
                let long = LONGEST * side * size / self.largest_force;
                let along = direction(touch.force, touch.normal);
                self.paint_arrow(touch.point, along, long, thick, colour);
            }
            self.paint_ball(touch.point, 3.0, colour);
        }
    }

    fn paint_line(&mut self, from: V3, to: V3, width: f32, colour: Colour) {
        let Painter { canvas, camera, .. } = self;
        if let (Some(a), Some(b)) = (camera.project(from), camera.project(to)) {
            canvas.line(a, b, width, colour, NO_EDGE);
        }
    }

    /// Draws a ball with a radius in pixels.
    fn paint_ball(&mut self, at: V3, pixels: f32, colour: Colour) {
        let radius = f64::from(self.camera.metres(pixels * SAMPLES as f32));
        self.paint_mark(
            &ShapeGeometry::Sphere { radius },
            |p| add(at, p),
            |n| n,
            colour,
        );
    }

    /// Draws an arrow; a force shorter than its head is a head alone.
    fn paint_arrow(&mut self, from: V3, along: V3, long: f32, thick: f32, colour: Colour) {
        let head = (6.0 * thick).min(long);
        let (x, y) = across(along);
        let turn = |v: V3| add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(along, v[2]));
        let neck = add(from, scaled(along, long - head));
        let shaft = f64::from(long - head);
        if shaft > 0.0 {
            let shape = ShapeGeometry::Cylinder {
                radius: f64::from(thick),
                length: shaft,
            };
            let middle = scaled(add(from, neck), 0.5);
            self.paint_mark(&shape, |p| add(middle, turn(p)), turn, colour);
        }
        let shape = ShapeGeometry::Cone {
            radius: f64::from(0.4 * head),
            length: f64::from(head),
        };
        self.paint_mark(&shape, |p| add(neck, turn(p)), turn, colour);
    }

    fn paint_mark(
        &mut self,
        shape: &ShapeGeometry,
        point: impl Fn(V3) -> V3,
        turn: impl Fn(V3) -> V3,
        colour: Colour,
    ) {
        let light = self.camera.light();
        let Some(surface) = Surface::of(shape) else {
            return;
        };
        let corner = |k: usize| {
            let (p, n) = surface.corners[k];
            (point(p), turn(n))
        };
        let Painter { canvas, camera, .. } = self;
        draw(canvas, camera, light, &surface, corner, |_| colour, MARKS);
    }
}

/// The first and last multiple of a step around a middle.
fn range(middle: f32, reach: f32, step: f32) -> (f32, f32) {
    (
        ((middle - reach) / step).floor(),
        ((middle + reach) / step).ceil(),
    )
}
