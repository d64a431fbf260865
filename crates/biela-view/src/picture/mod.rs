//! Software rendering of a scene without a display or a graphics card.
//!
//! A frame of a motion is rendered to pixels: bodies by their shapes, beams with their sections and coloured by their value, springs as coils, joints as small
//! solids, a grid at the ground. The camera is placed once for a whole motion, so that animations are steady. An image may show other instants faintly behind
//! its pose, and the paths of points.

mod beam;
mod camera;
mod canvas;
mod contact;
mod film;
mod interpolated_motion;
mod mesh;
mod palette;
mod shot;
mod surface;
mod vector;

pub use camera::ViewDirection;
pub use film::{Film, FilmError, save_png};
pub use interpolated_motion::{InterpolatedMotion, frames};
pub use shot::{Shot, Tracer};

use camera::{Camera, vertical};
use canvas::{Colour, ImageVertex, NO_EDGE, PixelCanvas, SAMPLES, mixed};
use surface::{Surface, coil};
use vector::{RigidTransform, V3, add, cross, direction, dot, scaled, sub};

use crate::scene::{POSE, SAMPLE, Scene, SceneForceKind, SceneSpace, ShapeGeometry};

/// The settings of an image.
#[derive(Clone, Copy, Debug)]
pub struct ImageSettings {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// The direction of view.
    pub view: ViewDirection,
    /// Dark background.
    pub dark: bool,
    /// Surfaces, points and forces of contacts.
    pub contacts: bool,
}

/// The maximum width and height of an image in pixels.
pub const MOST_PIXELS: usize = 8192;

/// An object that moves with a body.
#[derive(Debug)]
struct Solid {
    body: usize,
    surface: Surface,
    colour: Colour,
    owner: u32,
    /// Drawn in front of everything.
    on_top: bool,
}

/// Renders frames of a scene.
#[derive(Debug)]
pub struct Painter<'s> {
    scene: &'s Scene,
    look: ImageSettings,
    solids: Vec<Solid>,
    camera: Camera,
    /// The largest magnitude of the value of beams.
    most: f32,
    /// The largest magnitude of a contact force.
    largest_force: f32,
    canvas: PixelCanvas,
    grid: Vec<[V3; 2]>,
}

/// Colours suitable for colour-blind viewers (M. Okabe, K. Ito, 2008), ordered for contrast between neighbours.
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
/// Colours of paths, used cyclically.
const TRACES: [Colour; 3] = [[0.80, 0.10, 0.12], [0.10, 0.35, 0.75], [0.00, 0.50, 0.35]];
/// Length of the barrel of a hydraulic cylinder, as a fraction of its initial length.
const BARREL: f32 = 0.55;
/// The largest radius of the solid of a joint, as a fraction of the available space.
const JOINT_SHARE: f32 = 0.16;
/// The owner of rods, for outlines.
const RODS: u32 = u32::MAX - 1;

impl<'s> Painter<'s> {
    /// Creates a painter whose image contains all `frames`; `mesh` returns the bytes of a mesh file by its name in the scene.
    pub fn new<'f>(
        scene: &'s Scene,
        look: ImageSettings,
        frames: impl Iterator<Item = &'f [f32]>,
        mesh: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Self {
        Painter::around(scene, look, frames, &[], mesh)
    }

    /// As [`Painter::new`], with additional points in the image.
    pub fn around<'f>(
        scene: &'s Scene,
        look: ImageSettings,
        frames: impl Iterator<Item = &'f [f32]>,
        points: &[[f32; 3]],
        mesh: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Self {
        let look = ImageSettings {
            size: look.size.map(|n| n.clamp(16, MOST_PIXELS)),
            ..look
        };
        let mut painter = Painter {
            scene,
            look,
            solids: solids(scene, mesh, 0.0),
            camera: Camera::new(scene, look.view, &[], look.size),
            most: 0.0,
            largest_force: 0.0,
            canvas: PixelCanvas::new(look.size),
            grid: Vec::new(),
        };
        let mut points = points.to_vec();
        thin(&mut points);
        let mut frames = frames.peekable();
        if frames.peek().is_none() {
            points.extend(painter.corners(&scene.pose));
        }
        for frame in frames {
            points.extend(painter.corners(frame));
            thin(&mut points);
            for sample in painter.samples(frame) {
                painter.most = painter.most.max(sample[3].abs());
            }
            let touches = frame.get(scene.first_touch()..).unwrap_or_default();
            painter.largest_force = painter.largest_force.max(contact::largest_force(touches));
        }
        points.extend(near(painter.ground(), &points));
        painter.camera = Camera::new(scene, look.view, &points, painter.canvas.size());
        // thin bars stay visible
        let least = f64::from(painter.camera.metres(0.8 * SAMPLES as f32));
        if scene.bodies.iter().any(|body| body.has_bar_below(least)) {
            painter.solids = solids(scene, mesh, least);
        }
        painter.add_joints();
        painter.grid = grid(scene, &points, &painter.camera);
        painter
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [usize; 2] {
        self.look.size
    }

    /// Red, green and blue of every pixel of a frame, by rows from the top.
    pub fn paint(&mut self, frame: &[f32]) -> Vec<u8> {
        self.paint_shot(&Shot::of(frame))
    }

    /// Red, green and blue of every pixel of a pose with its ghosts and traces, by rows from the top.
    pub fn paint_shot(&mut self, shot: &Shot<'_>) -> Vec<u8> {
        let (top, bottom) = if self.look.dark {
            ([0.10, 0.11, 0.13], [0.16, 0.17, 0.20])
        } else {
            ([1.0, 1.0, 1.0], [0.93, 0.94, 0.96])
        };
        let Painter { canvas, camera, .. } = self;
        canvas.clear(top, bottom);
        if shot.frame.len() != self.scene.frame_size {
            return canvas.pixels();
        }
        let faint = mixed(top, if self.look.dark { [1.0; 3] } else { [0.0; 3] }, 0.17);
        for [a, b] in &self.grid {
            if let (Some(a), Some(b)) = (camera.project(*a), camera.project(*b)) {
                canvas.line(a, b, SAMPLES as f32 * 0.7, faint, NO_EDGE);
            }
        }
        let light = self.camera.light();
        self.paint_solids(shot.frame, light, |solid| solid.body == 0);
        self.canvas.outline(0.45);
        self.canvas.set_base();
        let whole = |ghost: &&Vec<f32>| ghost.len() == self.scene.frame_size;
        let ghosts: Vec<&Vec<f32>> = shot.ghosts.iter().filter(whole).collect();
        for (k, ghost) in ghosts.iter().enumerate() {
            let below = self.canvas.new_layer();
            self.paint_things(ghost);
            self.canvas.fade(&below, shot::opacity(k, ghosts.len()));
        }
        if !ghosts.is_empty() {
            let _ = self.canvas.new_layer();
        }
        self.paint_traces(shot.traces);
        self.paint_things(shot.frame);
        // surfaces of a planar model are inside its bodies
        if self.scene.space == SceneSpace::Planar {
            self.canvas.forget_nearness();
        }
        if self.look.contacts {
            self.paint_surfaces(shot.frame);
        }
        self.canvas.forget_nearness();
        self.paint_solids(shot.frame, light, |solid| solid.on_top);
        if self.look.contacts {
            self.paint_touches(shot.frame);
        }
        self.canvas.outline(0.45);
        self.canvas.pixels()
    }

    /// Draws bodies except the ground, springs, rods and beams of a frame, with outlines.
    fn paint_things(&mut self, frame: &[f32]) {
        let light = self.camera.light();
        self.paint_solids(frame, light, |solid| solid.body > 0 && !solid.on_top);
        self.paint_springs(frame);
        self.paint_rods(frame, light);
        self.paint_beams(frame, light);
        self.canvas.outline(0.45);
    }

    fn paint_traces(&mut self, traces: &[&[V3]]) {
        let Painter { canvas, camera, .. } = self;
        for (trace, colour) in traces.iter().zip(TRACES.iter().cycle()) {
            let colour = if self.look.dark {
                mixed(*colour, [1.0; 3], 0.35)
            } else {
                *colour
            };
            let points: Vec<Option<V3>> = trace.iter().map(|p| camera.project(*p)).collect();
            for pair in points.windows(2) {
                if let [Some(a), Some(b)] = pair {
                    canvas.line(*a, *b, SAMPLES as f32 * 1.5, colour, NO_EDGE);
                }
            }
        }
    }

    /// Draws the solids that `shown` accepts.
    fn paint_solids(&mut self, frame: &[f32], light: V3, shown: impl Fn(&Solid) -> bool) {
        let Painter { canvas, camera, .. } = self;
        for solid in self.solids.iter().filter(|solid| shown(solid)) {
            let place = RigidTransform::new(&frame[POSE * solid.body..][..POSE]);
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
                RigidTransform::new(&frame[POSE * end.body..][..POSE])
                    .point(end.point.map(|x| x as f32))
            });
            let points = match force.drawn {
                SceneForceKind::Spring => coil(from, to, camera.metres(7.0 * SAMPLES as f32)),
                SceneForceKind::Line => vec![from, to],
                SceneForceKind::Arrow | SceneForceKind::Torque | SceneForceKind::Cylinder => {
                    continue;
                }
            };
            let points: Vec<Option<V3>> = points.iter().map(|p| camera.project(*p)).collect();
            for pair in points.windows(2) {
                if let [Some(a), Some(b)] = pair {
                    canvas.line(*a, *b, SAMPLES as f32 * 1.8, colour, NO_EDGE);
                }
            }
        }
    }

    /// Draws rods of distance joints, and cylinders: a barrel of constant length with a rod.
    fn paint_rods(&mut self, frame: &[f32], light: V3) {
        let colour = if self.look.dark { [0.75; 3] } else { SPRING };
        let scene = self.scene;
        let thin = self.camera.metres(1.6 * SAMPLES as f32);
        let mut rod = |from: V3, to: V3, radius: f32| {
            let form = ShapeGeometry::Bar {
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
            RigidTransform::new(&frame[POSE * body..][..POSE]).point(point)
        };
        for joint in scene.joints.iter().filter(|j| j.kind == "distance") {
            let [from, to] = [0, 1].map(|k| {
                let point = RigidTransform::from_f64(&joint.frames[k]).point([0.0; 3]);
                at(frame, joint.bodies[k], point)
            });
            rod(from, to, thin);
        }
        for force in &scene.forces {
            let (SceneForceKind::Cylinder, [a, b]) = (force.drawn, force.ends.as_slice()) else {
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

    /// Vertices of the shapes of the ground.
    fn ground(&self) -> impl Iterator<Item = V3> + '_ {
        let solids = self.solids.iter().filter(|solid| solid.body == 0);
        solids.flat_map(|solid| solid.surface.outer().map(|(p, _)| *p))
    }

    /// Vertices of bounding boxes of all solids in a frame except the ground, and beams.
    fn corners(&self, frame: &[f32]) -> Vec<V3> {
        let mut points = Vec::new();
        if frame.len() != self.scene.frame_size {
            return points;
        }
        for solid in self.solids.iter().filter(|solid| solid.body > 0) {
            let place = RigidTransform::new(&frame[POSE * solid.body..][..POSE]);
            points.extend(solid.surface.outer().map(|(p, _)| place.point(*p)));
        }
        for joint in &self.scene.joints {
            let place = RigidTransform::new(&frame[POSE * joint.bodies[1]..][..POSE]);
            points.push(place.point(RigidTransform::from_f64(&joint.frames[1]).point([0.0; 3])));
            // the ends of a rod are separate
            let place = RigidTransform::new(&frame[POSE * joint.bodies[0]..][..POSE]);
            points.push(place.point(RigidTransform::from_f64(&joint.frames[0]).point([0.0; 3])));
        }
        let drawn = self.scene.forces.iter().filter(|f| f.ends.len() == 2);
        for end in drawn.flat_map(|force| &force.ends) {
            let place = RigidTransform::new(&frame[POSE * end.body..][..POSE]);
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
        if self.look.contacts {
            points.extend(self.surface_points(frame));
        }
        points.retain(|p| p.iter().all(|x| x.is_finite()));
        points
    }

    /// The space for a joint on the body that it moves: the extent of the shapes of the body, and the distance to its next joint.
    fn room(&self, number: usize) -> f32 {
        let joint = &self.scene.joints[number];
        let body = joint.bodies[1];
        let at = RigidTransform::from_f64(&joint.frames[1]).point([0.0; 3]);
        let away = |p: V3| vector::length(sub(p, at));
        let own = self.solids.iter().filter(|solid| solid.body == body);
        let reach = own
            .flat_map(|solid| &solid.surface.corners)
            .fold(0.0, |m: f32, (p, _)| m.max(away(*p)));
        let others = self.scene.joints.iter().enumerate();
        let others = others.filter(|(k, _)| *k != number).flat_map(|(_, other)| {
            let sides = [0, 1].into_iter().filter(|k| other.bodies[*k] == body);
            sides.map(|k| away(RigidTransform::from_f64(&other.frames[k]).point([0.0; 3])))
        });
        // coincident joints obstruct each other no more than one joint does
        let next = others
            .filter(|d| *d > 1e-3 * reach)
            .fold(f32::INFINITY, f32::min);
        if reach > 0.0 { reach.min(next) } else { next }
    }

    /// Adds small solids at the joints, sized for the image so that the bodies stay visible.
    fn add_joints(&mut self) {
        let [least, most] = [1.2, 4.5].map(|pixels| self.camera.metres(pixels * SAMPLES as f32));
        for (number, joint) in self.scene.joints.iter().enumerate() {
            let size = (JOINT_SHARE * self.room(number)).clamp(least, most);
            let frame = RigidTransform::from_f64(&joint.frames[1]);
            let along = match joint.axis.as_deref() {
                Some("x") => [1.0, 0.0, 0.0],
                Some("y") => [0.0, 1.0, 0.0],
                Some(_) => [0.0, 0.0, 1.0],
                None => [0.0; 3],
            };
            let half = scaled(frame.turn(along), 1.6 * size);
            let middle = frame.point([0.0; 3]);
            let [from, to] = [sub(middle, half), add(middle, half)].map(|p| p.map(f64::from));
            let form = ShapeGeometry::Bar {
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
                // in a frontal view a pin would be hidden by its own bars
                on_top: self.scene.space == SceneSpace::Planar,
            }));
        }
    }
}

/// Points of the ground, which may extend far beyond the moving parts: clamped to the enlarged box around `moving`.
fn near(ground: impl Iterator<Item = V3>, moving: &[V3]) -> Vec<V3> {
    const ROOM: f32 = 0.2;
    let range = |k: usize| {
        let along = moving.iter().map(|p| p[k]);
        along.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], x| {
            [a.min(x), b.max(x)]
        })
    };
    let ranges = [0, 1, 2].map(range);
    let widest = ranges.iter().fold(0.0, |m: f32, [a, b]| m.max(b - a));
    if !(widest > 0.0 && widest.is_finite()) {
        return ground.collect();
    }
    let inside = |p: V3| {
        std::array::from_fn(|k| {
            let [a, b] = ranges[k];
            p[k].clamp(a - ROOM * widest, b + ROOM * widest)
        })
    };
    ground.map(inside).collect()
}

/// Keeps the extreme points along a few directions, which are sufficient for the camera.
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

/// Draws a surface with vertices transformed by `corner` and coloured by `colour`.
fn draw(
    canvas: &mut PixelCanvas,
    camera: &Camera,
    light: V3,
    surface: &Surface,
    corner: impl Fn(usize) -> (V3, V3),
    colour: impl Fn(usize) -> Colour,
    owner: u32,
) {
    let vertices: Vec<(V3, Colour)> = (0..surface.corners.len())
        .map(|k| {
            let (p, n) = corner(k);
            let bright = 0.42 + 0.58 * dot(n, light).max(0.0);
            (p, colour(k).map(|x| x * bright))
        })
        .collect();
    for triangle in &surface.triangles {
        let seen = in_front(camera, triangle.map(|k| vertices[k as usize]));
        let seen: Vec<ImageVertex> = seen
            .into_iter()
            .filter_map(|(p, colour)| {
                let at = camera.project(p)?;
                Some(ImageVertex { at, colour })
            })
            .collect();
        for k in 2..seen.len() {
            canvas.triangle([seen[0], seen[k - 1], seen[k]], owner);
        }
    }
}

/// Clips a triangle at the near plane and returns its vertices in order.
fn in_front(camera: &Camera, triangle: [(V3, Colour); 3]) -> Vec<(V3, Colour)> {
    let before = triangle.map(|(p, _)| camera.before(p));
    if before.iter().all(|x| *x >= 0.0) {
        return triangle.to_vec();
    }
    let mut kept = Vec::with_capacity(4);
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (a, b) = (before[k], before[next]);
        if a >= 0.0 {
            kept.push(triangle[k]);
        }
        if (a >= 0.0) != (b >= 0.0) {
            let share = a / (a - b);
            let ((p, c), (q, d)) = (triangle[k], triangle[next]);
            kept.push((mixed(p, q, share), mixed(c, d, share)));
        }
    }
    kept
}

/// The solids of all bodies, with a minimum radius of bars.
fn solids(scene: &Scene, mesh: &dyn Fn(&str) -> Option<Vec<u8>>, least: f64) -> Vec<Solid> {
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
                ShapeGeometry::Mesh { file, scale, .. } => {
                    mesh(file).and_then(|bytes| mesh::read(&bytes, scale.map(|x| x as f32)))
                }
                ShapeGeometry::Bar { radius, from, to } => Surface::of(&ShapeGeometry::Bar {
                    radius: radius.max(least),
                    from: *from,
                    to: *to,
                }),
                form => Surface::of(form),
            };
            let place = RigidTransform::from_f64(&shape.pose);
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

/// A colour scale from blue to yellow, perceptually uniform.
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

/// Lines of a grid with round spacing: behind a planar model, below a spatial one.
fn grid(scene: &Scene, points: &[V3], camera: &Camera) -> Vec<[V3; 2]> {
    let up = match scene.space {
        SceneSpace::Planar => [0.0, 0.0, 1.0],
        SceneSpace::Spatial => vertical(scene),
    };
    let x = match scene.space {
        SceneSpace::Planar => [1.0, 0.0, 0.0],
        SceneSpace::Spatial => direction(cross([up[1], up[2], up[0]], up), vector::across(up).0),
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
    // the grid of a spatial model extends beyond its footprint
    let beyond = match scene.space {
        SceneSpace::Planar => step,
        SceneSpace::Spatial => 0.4 * extent,
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

/// A scene that contains only the ground.
#[cfg(test)]
pub(crate) fn empty(space: SceneSpace) -> Scene {
    let ground = crate::scene::SceneBody {
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
        bounds: crate::scene::BoundingBox {
            min: [0.0; 3],
            max: [0.0; 3],
        },
        bodies: vec![ground],
        joints: Vec::new(),
        forces: Vec::new(),
        beams: Vec::new(),
        arrows: Vec::new(),
        contacts: Vec::new(),
        parameters: Vec::new(),
        frame_size: POSE,
        pose,
        freedom: 0,
        mobility: String::new(),
    }
}

#[cfg(test)]
mod tests;
