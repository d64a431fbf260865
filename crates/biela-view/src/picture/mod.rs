//! Pictures of a scene without a screen or a graphics card.
//!
//! A frame of a motion becomes pixels: bodies by their shapes, beams with their sections and coloured by their value, springs as coils, joints as
//! small solids, a grid where the ground is. The camera is placed once for a whole motion, so that films do not jump.

mod beam;
mod camera;
mod canvas;
mod film;
mod mesh;
mod moments;
mod palette;
mod surface;
mod vector;

pub use camera::View;
pub use film::{Film, FilmError, save_png};
pub use moments::{Moments, frames};

use camera::{Camera, vertical};
use canvas::{Canvas, Colour, NO_EDGE, SAMPLES, Vertex, mixed};
use surface::{Surface, coil};
use vector::{Place, V3, add, cross, direction, dot, scaled, sub};

use crate::scene::{ForceKind, POSE, SAMPLE, Scene, Space};

/// How a picture looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Pixels across and down.
    pub size: [usize; 2],
    /// From where.
    pub view: View,
    /// Light on dark instead of dark on light.
    pub dark: bool,
}

/// Pixels across and down that a picture may have.
pub const MOST_PIXELS: usize = 8192;

/// Something that moves with a body.
#[derive(Debug)]
struct Solid {
    body: usize,
    surface: Surface,
    colour: Colour,
    owner: u32,
    /// Drawn over everything.
    on_top: bool,
}

/// Draws frames of a scene.
#[derive(Debug)]
pub struct Painter<'s> {
    scene: &'s Scene,
    look: Look,
    solids: Vec<Solid>,
    camera: Camera,
    /// Largest size of the value of beams.
    most: f32,
    canvas: Canvas,
    grid: Vec<[V3; 2]>,
}

/// Colours that those who see few of them tell apart (M. Okabe, K. Ito, 2008), in an order of good neighbours.
const BODIES: [Colour; 7] = [
    [0.00, 0.45, 0.70],
    [0.90, 0.62, 0.00],
    [0.00, 0.62, 0.45],
    [0.80, 0.47, 0.65],
    [0.34, 0.71, 0.91],
    [0.84, 0.37, 0.00],
    [0.94, 0.89, 0.26],
];
const GROUND: Colour = [0.55, 0.57, 0.60];
const JOINT: Colour = [0.25, 0.27, 0.30];
const SPRING: Colour = [0.40, 0.43, 0.48];
/// Share of a cylinder's length at the start that is its barrel.
const BARREL: f32 = 0.55;
/// What owns rods, for outlines.
const RODS: u32 = u32::MAX - 1;

impl<'s> Painter<'s> {
    /// A painter that has every one of `frames` in the picture; `mesh` gives the bytes of a mesh file by its name in the scene.
    pub fn new<'f>(
        scene: &'s Scene,
        look: Look,
        frames: impl Iterator<Item = &'f [f32]>,
        mesh: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Self {
        let look = Look {
            size: look.size.map(|n| n.clamp(16, MOST_PIXELS)),
            ..look
        };
        let mut painter = Painter {
            scene,
            look,
            solids: solids(scene, mesh),
            camera: Camera::new(scene, look.view, &[], look.size),
            most: 0.0,
            canvas: Canvas::new(look.size),
            grid: Vec::new(),
        };
        let mut points = painter.corners(&scene.pose);
        for frame in frames {
            points.extend(painter.corners(frame));
            thin(&mut points);
            for sample in painter.samples(frame) {
                painter.most = painter.most.max(sample[3].abs());
            }
        }
        painter.camera = Camera::new(scene, look.view, &points, painter.canvas.size());
        painter.add_joints();
        painter.grid = grid(scene, &points, &painter.camera);
        painter
    }

    /// Pixels across and down.
    pub fn size(&self) -> [usize; 2] {
        self.look.size
    }

    /// Red, green and blue of every pixel of a frame, by rows from the top.
    pub fn paint(&mut self, frame: &[f32]) -> Vec<u8> {
        let (top, bottom) = if self.look.dark {
            ([0.10, 0.11, 0.13], [0.16, 0.17, 0.20])
        } else {
            ([1.0, 1.0, 1.0], [0.93, 0.94, 0.96])
        };
        let Painter { canvas, camera, .. } = self;
        canvas.clear(top, bottom);
        if frame.len() != self.scene.frame_size {
            return canvas.pixels();
        }
        let faint = mixed(top, if self.look.dark { [1.0; 3] } else { [0.0; 3] }, 0.17);
        for [a, b] in &self.grid {
            if let (Some(a), Some(b)) = (camera.project(*a), camera.project(*b)) {
                canvas.line(a, b, SAMPLES as f32 * 0.7, faint, NO_EDGE);
            }
        }
        let light = camera.light();
        self.paint_solids(frame, light, false);
        self.paint_springs(frame);
        self.paint_rods(frame, light);
        self.paint_beams(frame, light);
        self.canvas.outline(0.45);
        self.canvas.forget_nearness();
        self.paint_solids(frame, light, true);
        self.canvas.outline(0.45);
        self.canvas.pixels()
    }

    fn paint_solids(&mut self, frame: &[f32], light: V3, on_top: bool) {
        let Painter { canvas, camera, .. } = self;
        for solid in self.solids.iter().filter(|solid| solid.on_top == on_top) {
            let place = Place::new(&frame[POSE * solid.body..][..POSE]);
            let moved = |k: usize| {
                let (p, n) = solid.surface.corners[k];
                (place.point(p), place.turn(n))
            };
            draw(
                canvas,
                camera,
                light,
                &solid.surface,
                moved,
                |_| solid.colour,
                solid.owner,
            );
        }
    }

    fn paint_springs(&mut self, frame: &[f32]) {
        let colour = if self.look.dark { [0.75; 3] } else { SPRING };
        let Painter {
            canvas,
            camera,
            scene,
            ..
        } = self;
        for force in &scene.forces {
            let [from, to] = force.ends.as_slice() else {
                continue;
            };
            let [from, to] = [from, to].map(|end| {
                Place::new(&frame[POSE * end.body..][..POSE]).point(end.point.map(|x| x as f32))
            });
            let points = match force.drawn {
                ForceKind::Spring => coil(from, to, camera.metres(7.0 * SAMPLES as f32)),
                ForceKind::Line => vec![from, to],
                ForceKind::Arrow | ForceKind::Torque | ForceKind::Cylinder => continue,
            };
            let points: Vec<Option<V3>> = points.iter().map(|p| camera.project(*p)).collect();
            for pair in points.windows(2) {
                if let [Some(a), Some(b)] = pair {
                    canvas.line(*a, *b, SAMPLES as f32 * 1.8, colour, NO_EDGE);
                }
            }
        }
    }

    /// Rods of distance joints, and cylinders: a barrel that keeps its length with a rod out of it.
    fn paint_rods(&mut self, frame: &[f32], light: V3) {
        let colour = if self.look.dark { [0.75; 3] } else { SPRING };
        let scene = self.scene;
        let thin = self.camera.metres(1.6 * SAMPLES as f32);
        let mut rod = |from: V3, to: V3, radius: f32| {
            let form = crate::scene::Form::Bar {
                radius: f64::from(radius),
                from: from.map(f64::from),
                to: to.map(f64::from),
            };
            if let Some(surface) = Surface::of(&form).filter(|_| from != to) {
                let Painter { canvas, camera, .. } = self;
                let corner = |k: usize| surface.corners[k];
                draw(canvas, camera, light, &surface, corner, |_| colour, RODS);
            }
        };
        let at = |frame: &[f32], body: usize, point: V3| {
            Place::new(&frame[POSE * body..][..POSE]).point(point)
        };
        for joint in scene.joints.iter().filter(|j| j.kind == "distance") {
            let [from, to] = [0, 1].map(|k| {
                let point = Place::from_f64(&joint.frames[k]).point([0.0; 3]);
                at(frame, joint.bodies[k], point)
            });
            rod(from, to, thin);
        }
        for force in &scene.forces {
            let (ForceKind::Cylinder, [a, b]) = (force.drawn, force.ends.as_slice()) else {
                continue;
            };
            let ends = |frame: &[f32]| [a, b].map(|e| at(frame, e.body, e.point.map(|x| x as f32)));
            let span = |[from, to]: [V3; 2]| vector::length(sub(to, from));
            let [from, to] = ends(frame);
            let barrel = BARREL * span(ends(&scene.pose)) / span([from, to]).max(f32::MIN_POSITIVE);
            let middle = add(from, scaled(sub(to, from), barrel.min(1.0)));
            rod(from, middle, 2.6 * thin);
            rod(middle, to, thin);
        }
    }

    fn paint_beams(&mut self, frame: &[f32], light: V3) {
        let (scene, most) = (self.scene, self.most);
        let mut at = POSE * scene.bodies.len();
        for (number, beam) in scene.beams.iter().enumerate() {
            let samples = &frame[at..at + SAMPLE * beam.samples];
            at += samples.len();
            let section = beam::section(beam);
            let axes = beam::axes(&section, samples, frame, scene.space);
            // thin beams stay visible
            let least = self.camera.metres(1.5 * SAMPLES as f32);
            let beam::Swept {
                surface,
                samples: owners,
            } = beam::sweep(&section, samples, &axes, least);
            let colour = |corner: usize| {
                let value = samples[SAMPLE * owners[corner] + 3];
                scale_colour(if most > 0.0 { value.abs() / most } else { 0.0 })
            };
            let corner = |k: usize| surface.corners[k];
            let owner = (scene.bodies.len() + 2 + number) as u32;
            draw(
                &mut self.canvas,
                &self.camera,
                light,
                &surface,
                corner,
                colour,
                owner,
            );
        }
    }

    /// Samples of all beams in a frame.
    fn samples<'f>(&self, frame: &'f [f32]) -> impl Iterator<Item = &'f [f32]> + use<'f> {
        let from = POSE * self.scene.bodies.len();
        let count: usize = self.scene.beams.iter().map(|beam| beam.samples).sum();
        let numbers = frame.get(from..from + SAMPLE * count).unwrap_or_default();
        numbers.chunks_exact(SAMPLE)
    }

    /// Points around everything in a frame: corners of boxes around solids, and beams.
    fn corners(&self, frame: &[f32]) -> Vec<V3> {
        let mut points = Vec::new();
        if frame.len() != self.scene.frame_size {
            return points;
        }
        for solid in &self.solids {
            let place = Place::new(&frame[POSE * solid.body..][..POSE]);
            let own = solid.surface.corners.iter().step_by(7);
            points.extend(own.map(|(p, _)| place.point(*p)));
        }
        for joint in &self.scene.joints {
            let place = Place::new(&frame[POSE * joint.bodies[1]..][..POSE]);
            points.push(place.point(Place::from_f64(&joint.frames[1]).point([0.0; 3])));
            // the ends of a rod are apart
            let place = Place::new(&frame[POSE * joint.bodies[0]..][..POSE]);
            points.push(place.point(Place::from_f64(&joint.frames[0]).point([0.0; 3])));
        }
        let drawn = self.scene.forces.iter().filter(|f| f.ends.len() == 2);
        for end in drawn.flat_map(|force| &force.ends) {
            let place = Place::new(&frame[POSE * end.body..][..POSE]);
            points.push(place.point(end.point.map(|x| x as f32)));
        }
        let mut from = POSE * self.scene.bodies.len();
        for beam in &self.scene.beams {
            let samples = &frame[from..from + SAMPLE * beam.samples];
            from += samples.len();
            let section = beam::section(beam);
            let axes = beam::axes(&section, samples, frame, self.scene.space);
            let [start, end] = [&section.start, &section.end].map(|ends| beam::extents(ends));
            let size = [start[0].max(end[0]), start[1].max(end[1])];
            for (s, [width, height]) in samples.chunks_exact(SAMPLE).zip(axes) {
                let middle = [s[0], s[1], s[2]];
                let [across, up] = [scaled(width, size[0]), scaled(height, size[1])];
                points.extend([add(middle, across), sub(middle, across)]);
                points.extend([add(middle, up), sub(middle, up)]);
            }
        }
        points.retain(|p| p.iter().all(|x| x.is_finite()));
        points
    }

    /// Small solids where joints are, as large as suits the picture.
    fn add_joints(&mut self) {
        let size = self.camera.metres(4.5 * SAMPLES as f32);
        for joint in &self.scene.joints {
            let frame = Place::from_f64(&joint.frames[1]);
            let along = match joint.axis.as_deref() {
                Some("x") => [1.0, 0.0, 0.0],
                Some("y") => [0.0, 1.0, 0.0],
                Some(_) => [0.0, 0.0, 1.0],
                None => [0.0; 3],
            };
            let half = scaled(frame.turn(along), 1.6 * size);
            let middle = frame.point([0.0; 3]);
            let [from, to] = [sub(middle, half), add(middle, half)].map(|p| p.map(f64::from));
            let form = crate::scene::Form::Bar {
                radius: f64::from(size),
                from,
                to,
            };
            let body = joint.bodies[1];
            self.solids.extend(Surface::of(&form).map(|surface| Solid {
                body,
                surface,
                colour: JOINT,
                owner: body as u32 + 2,
                // seen straight on, a pin would hide in its own bars
                on_top: self.scene.space == Space::Planar,
            }));
        }
    }
}

/// Keeps the points farthest along a few directions: all that a camera asks for.
fn thin(points: &mut Vec<V3>) {
    const ENOUGH: usize = 4096;
    if points.len() < ENOUGH {
        return;
    }
    let mut kept = Vec::new();
    for x in -2..=2_i8 {
        for y in -2..=2_i8 {
            for z in -2..=2_i8 {
                let axis = [x, y, z].map(f32::from);
                let far = |a: &&V3, b: &&V3| dot(**a, axis).total_cmp(&dot(**b, axis));
                kept.extend(points.iter().max_by(far).copied());
            }
        }
    }
    *points = kept;
}

/// Draws a surface whose corners are moved by `corner` and coloured by `colour`.
fn draw(
    canvas: &mut Canvas,
    camera: &Camera,
    light: V3,
    surface: &Surface,
    corner: impl Fn(usize) -> (V3, V3),
    colour: impl Fn(usize) -> Colour,
    owner: u32,
) {
    let vertices: Vec<Option<Vertex>> = (0..surface.corners.len())
        .map(|k| {
            let (p, n) = corner(k);
            let bright = 0.42 + 0.58 * dot(n, light).max(0.0);
            Some(Vertex {
                at: camera.project(p)?,
                colour: colour(k).map(|x| x * bright),
            })
        })
        .collect();
    for triangle in &surface.triangles {
        if let [Some(a), Some(b), Some(c)] = triangle.map(|k| vertices[k as usize]) {
            canvas.triangle([a, b, c], owner);
        }
    }
}

/// The solids of all bodies.
fn solids(scene: &Scene, mesh: &dyn Fn(&str) -> Option<Vec<u8>>) -> Vec<Solid> {
    let mut list = Vec::new();
    let mut next = 0;
    for (b, body) in scene.bodies.iter().enumerate() {
        let mut own = GROUND;
        if b > 0 && !body.shapes.is_empty() {
            own = BODIES[next % BODIES.len()];
            next += 1;
        }
        for shape in &body.shapes {
            let surface = match &shape.form {
                crate::scene::Form::Mesh { file, scale, .. } => {
                    mesh(file).and_then(|bytes| mesh::read(&bytes, scale.map(|x| x as f32)))
                }
                form => Surface::of(form),
            };
            let place = Place::from_f64(&shape.pose);
            list.extend(surface.map(|surface| Solid {
                body: b,
                surface: surface.mapped(|(p, n)| (place.point(p), place.turn(n))),
                colour: shape.color.as_deref().and_then(hex).unwrap_or(own),
                owner: b as u32 + 2,
                on_top: false,
            }));
        }
    }
    list
}

/// `#rrggbb`.
fn hex(text: &str) -> Option<Colour> {
    let digits = text
        .strip_prefix('#')
        .filter(|d| d.len() == 6 && d.is_ascii())?;
    let part = |k: usize| u8::from_str_radix(digits.get(2 * k..2 * k + 2)?, 16).ok();
    Some([part(0)?, part(1)?, part(2)?].map(|x| f32::from(x) / 255.0))
}

/// From calm blue to warm yellow, even to the eye.
fn scale_colour(share: f32) -> Colour {
    const STOPS: [Colour; 5] = [
        [0.13, 0.27, 0.55],
        [0.20, 0.48, 0.60],
        [0.35, 0.66, 0.47],
        [0.72, 0.77, 0.27],
        [0.98, 0.80, 0.13],
    ];
    let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let k = (at as usize).min(STOPS.len() - 2);
    mixed(STOPS[k], STOPS[k + 1], at - k as f32)
}

/// Lines of a grid of round spacing: behind a planar model, below a spatial one.
fn grid(scene: &Scene, points: &[V3], camera: &Camera) -> Vec<[V3; 2]> {
    let up = match scene.space {
        Space::Planar => [0.0, 0.0, 1.0],
        Space::Spatial => vertical(scene),
    };
    let x = match scene.space {
        Space::Planar => [1.0, 0.0, 0.0],
        Space::Spatial => direction(cross([up[1], up[2], up[0]], up), vector::across(up).0),
    };
    let y = cross(up, x);
    let range = |axis: V3| {
        let along = points.iter().map(|p| dot(*p, axis));
        along.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        })
    };
    let (floor, _) = range(up);
    let ((x0, x1), (y0, y1)) = (range(x), range(y));
    let extent = (x1 - x0).max(y1 - y0).max(camera.metres(40.0));
    if !extent.is_finite() || extent <= 0.0 {
        return Vec::new();
    }
    let step = round_below(extent / 6.0);
    // a spatial model stands on more ground than it covers
    let beyond = match scene.space {
        Space::Planar => step,
        Space::Spatial => 0.4 * extent,
    };
    let ends = |a: f32, b: f32| {
        (
            ((a - beyond) / step).floor() as i32,
            ((b + beyond) / step).ceil() as i32,
        )
    };
    let ((i0, i1), (j0, j1)) = (ends(x0, x1), ends(y0, y1));
    let at = |i: i32, j: i32| {
        let place = add(scaled(x, i as f32 * step), scaled(y, j as f32 * step));
        add(place, scaled(up, floor))
    };
    let mut lines: Vec<[V3; 2]> = (i0..=i1).map(|i| [at(i, j0), at(i, j1)]).collect();
    lines.extend((j0..=j1).map(|j| [at(i0, j), at(i1, j)]));
    lines
}

/// 1, 2 or 5 times a power of ten, at most x.
fn round_below(x: f32) -> f32 {
    let power = 10_f32.powf(x.log10().floor());
    let first = x / power;
    power
        * if first >= 5.0 {
            5.0
        } else if first >= 2.0 {
            2.0
        } else {
            1.0
        }
}

/// A scene with nothing but the ground.
#[cfg(test)]
pub(crate) fn empty(space: Space) -> Scene {
    let ground = crate::scene::Body {
        name: "ground".to_owned(),
        mass: 0.0,
        center: [0.0; 3],
        inertia: [0.0; 6],
        parent: None,
        station_of: None,
        shapes: Vec::new(),
        markers: Vec::new(),
    };
    let mut pose = vec![0.0; POSE];
    pose[6] = 1.0;
    Scene {
        name: "nothing".to_owned(),
        description: String::new(),
        space,
        gravity: [0.0, 0.0, -9.81],
        bounds: crate::scene::Bounds {
            min: [0.0; 3],
            max: [0.0; 3],
        },
        bodies: vec![ground],
        joints: Vec::new(),
        forces: Vec::new(),
        beams: Vec::new(),
        arrows: Vec::new(),
        parameters: Vec::new(),
        frame_size: POSE,
        pose,
        freedom: 0,
        mobility: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Form, Shape};

    /// A ball that a frame puts somewhere.
    fn ball(space: Space) -> Scene {
        let mut scene = empty(space);
        let mut body = scene.bodies[0].clone();
        body.name = "ball".to_owned();
        body.shapes = vec![Shape {
            form: Form::Sphere { radius: 0.1 },
            pose: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            color: Some("#ff0000".to_owned()),
            generated: false,
        }];
        scene.bodies.push(body);
        scene.frame_size = 2 * POSE;
        scene.pose.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        scene
    }

    fn frame(scene: &Scene, x: f32, y: f32) -> Vec<f32> {
        let mut frame = scene.pose.clone();
        (frame[POSE], frame[POSE + 1]) = (x, y);
        frame
    }

    /// Middle of what is red.
    fn middle(pixels: &[u8], width: usize) -> Option<(f32, f32)> {
        let red = |p: &[u8]| p[0] > 90 && p[1] < 60 && p[2] < 60;
        let places: Vec<(f32, f32)> = pixels
            .chunks_exact(3)
            .enumerate()
            .filter(|(_, p)| red(p))
            .map(|(i, _)| ((i % width) as f32, (i / width) as f32))
            .collect();
        let n = places.len() as f32;
        let sum = places
            .iter()
            .fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
        (n > 0.0).then(|| (sum.0 / n, sum.1 / n))
    }

    #[test]
    fn a_body_is_drawn_where_it_is_and_moves_with_the_frame() {
        let scene = ball(Space::Planar);
        let frames = [frame(&scene, -1.0, 0.0), frame(&scene, 1.0, 0.5)];
        let look = Look {
            size: [300, 200],
            view: View::Auto,
            dark: false,
        };
        let mut painter = Painter::new(&scene, look, frames.iter().map(Vec::as_slice), &|_| None);
        let left = painter.paint(&frames[0]);
        let right = painter.paint(&frames[1]);
        let (a, b) = (middle(&left, 300), middle(&right, 300));
        let (Some(a), Some(b)) = (a, b) else {
            panic!("the ball is not in the picture");
        };
        assert!(a.0 < 60.0 && b.0 > 240.0, "{a:?} {b:?}");
        assert!(
            a.1 > b.1 + 20.0,
            "up in the model is up in the picture: {a:?} {b:?}"
        );
        assert_eq!(painter.paint(&frames[0]), left, "pictures repeat");
    }

    #[test]
    fn distance_joints_and_cylinders_were_not_in_the_picture() {
        let pose = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let mut rod = ball(Space::Planar);
        rod.joints.push(crate::scene::Joint {
            name: "rod".to_owned(),
            kind: "distance".to_owned(),
            bodies: [0, 1],
            frames: [[0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0], pose],
            axis: None,
            coordinates: Vec::new(),
            freedom: 2,
        });
        let mut cylinder = ball(Space::Planar);
        let end = |body: usize, y: f64| crate::scene::End {
            body,
            point: [0.0, y, 0.0],
        };
        cylinder.forces.push(crate::scene::Force {
            name: "damper".to_owned(),
            kind: "spring-damper".to_owned(),
            drawn: ForceKind::Cylinder,
            ends: vec![end(0, 3.0), end(1, 0.0)],
            joint: None,
        });
        let look = Look {
            size: [120, 200],
            view: View::Auto,
            dark: false,
        };
        // pixels that differ from the picture without it, in a row of the picture
        let dark = |scene: &Scene, row: usize| {
            let frame = frame(scene, 0.0, 0.0);
            let mut painter = Painter::new(scene, look, [frame.as_slice()].into_iter(), &|_| None);
            let pixels = painter.paint(&frame);
            let row = &pixels[3 * 120 * row..][..3 * 120];
            row.chunks_exact(3).filter(|p| p[0] < 130).count()
        };
        for row in [60, 100, 140] {
            assert!(dark(&rod, row) >= 2, "row {row}");
        }
        // the barrel, then the rod
        let (barrel, thin) = (dark(&cylinder, 60), dark(&cylinder, 150));
        assert!(barrel >= thin + 3 && thin >= 2, "{barrel} {thin}");
    }

    /// A straight beam of length 2 along x with a rectangular section.
    fn beam(space: Space, width: f64, height: f64) -> Scene {
        let (y, z) = (0.5 * width, 0.5 * height);
        let block = vec![vec![[y, z], [-y, z], [-y, -z], [y, -z]]];
        let mut scene = empty(space);
        scene.beams.push(crate::scene::Beam {
            name: "beam".to_owned(),
            mass: 1.0,
            samples: 3,
            radius: 0.2,
            section: Some(crate::scene::Section {
                start: block.clone(),
                end: block,
                faces: vec![[0, 1, 2], [0, 2, 3]],
                round: false,
                nodes: Vec::new(),
            }),
            value: crate::scene::BeamValue {
                name: "bending moment".to_owned(),
                unit: "N*m".to_owned(),
            },
        });
        for x in [0.0, 1.0, 2.0] {
            scene.pose.extend([x, 0.0, 0.0, 0.0]);
        }
        scene.frame_size = scene.pose.len();
        scene
    }

    #[test]
    fn a_rectangular_beam_was_drawn_as_a_round_bar() {
        let look = Look {
            size: [400, 300],
            view: View::Auto,
            dark: false,
        };
        // pixels of the beam in a column and in a row through its middle
        let spans = |scene: &Scene| {
            let mut painter = Painter::new(scene, look, std::iter::empty(), &|_| None);
            let pixels = painter.paint(&scene.pose);
            let blue = |k: usize| pixels[3 * k] < 80 && pixels[3 * k + 2] > 60;
            let column = (0..300).filter(|row| blue(400 * row + 200)).count();
            let row = (0..400).filter(|k| blue(400 * 150 + k)).count();
            [column, row]
        };
        for (width, height, share) in [(0.1, 0.5, 0.25), (0.5, 0.1, 0.05)] {
            let scene = beam(Space::Planar, width, height);
            assert_eq!(scene.problem(), None);
            let [column, row] = spans(&scene);
            let off = column as f32 - share * row as f32;
            assert!(row > 200 && off.abs() < 3.0, "{column} {row}");
        }
    }

    #[test]
    fn sections_that_cannot_be_drawn_are_refused() {
        type Change = fn(&mut crate::scene::Section);
        let changes: [Change; 8] = [
            |s| s.start[0][1][0] = f64::INFINITY,
            |s| s.end[0][1][1] = 1e300,
            |s| s.end[0].truncate(3),
            |s| s.end.clear(),
            |s| s.faces[0][1] = 4,
            |s| s.faces = vec![[0, 1, 2]; 100],
            |s| {
                s.nodes = vec![
                    crate::scene::BeamNode {
                        body: 1,
                        share: 0.5
                    };
                    3
                ];
            },
            |s| {
                s.nodes = vec![
                    crate::scene::BeamNode {
                        body: 0,
                        share: 0.5
                    };
                    2
                ];
            },
        ];
        for (k, change) in changes.into_iter().enumerate() {
            let mut scene = beam(Space::Spatial, 0.1, 0.2);
            let section = scene.beams[0].section.as_mut();
            change(section.expect("the beam has a section"));
            let problem = scene.problem().unwrap_or_default();
            assert!(problem.contains("section"), "{k}: {problem}");
        }
        let mut large = beam(Space::Spatial, 0.1, 0.2);
        large.beams[0].samples = 2_000_000;
        large.frame_size = POSE + SAMPLE * 2_000_000;
        large.pose = vec![0.0; large.frame_size];
        assert!(large.problem().is_some());
        // files of before have no section
        let mut text = serde_json::to_value(beam(Space::Planar, 0.1, 0.2)).unwrap();
        let _ = text["beams"][0].as_object_mut().unwrap().remove("section");
        let old: Scene = serde_json::from_value(text).unwrap();
        assert!(old.problem().is_none() && old.beams[0].section.is_none());
    }

    #[test]
    fn frames_that_are_lost_or_short_are_no_harm() {
        for space in [Space::Planar, Space::Spatial] {
            let scene = ball(space);
            let lost = frame(&scene, f32::NAN, f32::INFINITY);
            let look = Look {
                size: [64, 48],
                view: View::Auto,
                dark: true,
            };
            let mut painter = Painter::new(&scene, look, [lost.as_slice()].into_iter(), &|_| None);
            let _ = painter.paint(&lost);
            assert_eq!(painter.paint(&[1.0, 2.0]).len(), 3 * 64 * 48);
        }
    }

    #[test]
    fn grids_have_round_steps() {
        for (x, step) in [(0.7, 0.5), (1.0, 1.0), (3.9, 2.0), (49.0, 20.0)] {
            assert!((round_below(x) / step - 1.0).abs() < 1e-5);
        }
    }
}
