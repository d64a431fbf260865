//! Closest points of two segments: the axes of capsules, the edges of boxes.

use crate::contact::nearest::{COINCIDENT, Nearest, direction, numbers, pose_numbers};
use crate::contact::{Capsule, ContactPoint, Cuboid};
use crate::math::rotation::{apply_transposed, column, constant3, cross, dot, unit};
use crate::math::{Pose, Real, Vec3};

/// 1 − (d₁·d₂)² below which two directions are parallel.
const PARALLEL: f64 = 1e-12;

/// A segment c + s d, |s| ≤ h, with the unit direction d.
#[derive(Clone, Copy)]
struct Segment<T: Real> {
    centre: Vec3<T>,
    along: Vec3<T>,
    half: f64,
}

impl<T: Real> Segment<T> {
    fn at(&self, s: T) -> Vec3<T> {
        self.centre + self.along * s
    }
}

/// Returns the parameters (s, t) of the closest points of two segments. With w = c₂ − c₁ and b = d₁ · d₂,
///
/// ```text
/// s = d₁·w + t b      t = s b − d₂·w      both free: s = (d₁·w − b d₂·w)/(1 − b²)
/// ```
///
/// each clamped to its segment. Of parallel segments the middle of the overlap is taken.
fn closest<T: Real>(first: &Segment<T>, second: &Segment<T>) -> (T, T) {
    let w = second.centre - first.centre;
    let b = dot(&first.along, &second.along);
    let (e, f) = (dot(&first.along, &w), dot(&second.along, &w));
    let (h1, h2) = (first.half, second.half);
    let sine = T::one() - b * b;
    let crossing = sine.number() > PARALLEL;
    let free = if crossing {
        (e - b * f) / sine
    } else {
        let (low, high) = ((-h1).max(e.number() - h2), h1.min(e.number() + h2));
        T::constant(0.5 * (low + high))
    };
    let s = clamped(free, h1);
    let t = s * b - f;
    if t.number().abs() <= h2 {
        return (s, t);
    }
    let t = clamped(t, h2);
    (clamped(e + t * b, h1), t)
}

fn clamped<T: Real>(x: T, half: f64) -> T {
    if x.number().abs() <= half {
        x
    } else {
        T::constant(half.copysign(x.number()))
    }
}

/// Two capsules: g = |x₂ − x₁| − r₁ − r₂ with the closest points of their axes.
///
/// Where the axes intersect, the normal is perpendicular to both, or +x. Parallel capsules have one candidate, in the middle of the overlap; the gap has no
/// second derivative there.
pub(in crate::contact) fn capsules<T: Real>(
    a: &Capsule,
    b: &Capsule,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let first = Segment {
        centre: Vec3::new(T::zero(), T::zero(), T::zero()),
        along: unit(2),
        half: a.half_length(),
    };
    let second = Segment {
        centre: pose.p,
        along: column(&pose.R, 2),
        half: b.half_length(),
    };
    let (s, t) = closest(&first, &second);
    let (x, c) = (first.at(s), second.at(t));
    let across = numbers(&cross(&first.along, &second.along));
    let fallback = across.try_normalize(1e-6).unwrap_or_else(Vec3::x);
    let (length, normal) = direction(&(c - x), &fallback, COINCIDENT);
    let distance = length - T::constant(a.radius());
    Nearest { distance, normal }.ball(&c, b.radius())
}

/// Number of candidates at which edges of two boxes cross.
pub(in crate::contact) const CROSSINGS: usize = 4;

/// Sine of the angle below which two edges are parallel.
const PARALLEL_EDGES: f64 = 1e-6;

/// The edges of two boxes along axis i of the first and axis j of the second: the signs of their other coordinates, and of the normal aᵢ × bⱼ.
#[derive(Clone, Copy)]
struct EdgePair {
    axes: [usize; 2],
    sides: [Vec3<f64>; 2],
    turn: f64,
}

impl EdgePair {
    fn segments<T: Real>(&self, boxes: [&Cuboid; 2], pose: &Pose<T>) -> [Segment<T>; 2] {
        let [i, j] = self.axes;
        let centre = |k: usize| constant3::<T>(&boxes[k].half().component_mul(&self.sides[k]));
        [
            Segment {
                centre: centre(0),
                along: unit(i),
                half: boxes[0].half()[i],
            },
            Segment {
                centre: pose.point(&centre(1)),
                along: column(&pose.R, j),
                half: boxes[1].half()[j],
            },
        ]
    }

    /// The edges of both boxes that are foremost along the normal (bits 0 and 1 of `m` clear), or the second ones, along with the separation of the boxes
    /// along the normal. `None` if the edges are parallel.
    fn new(
        boxes: [&Cuboid; 2],
        axes: [usize; 2],
        m: usize,
        pose: &Pose<f64>,
    ) -> Option<(Self, f64)> {
        let [i, j] = axes;
        let across = unit::<f64>(i).cross(&column(&pose.R, j));
        let length = across.norm();
        if length < PARALLEL_EDGES {
            return None;
        }
        let turn = if across.dot(&pose.p) < 0.0 { -1.0 } else { 1.0 };
        let normal = across * (turn / length);
        let directions = [normal, -apply_transposed(&pose.R, &normal)];
        let mut sides = [Vec3::zeros(); 2];
        let mut separation = normal.dot(&pose.p);
        for k in 0..2 {
            let (n, half, axis) = (directions[k], boxes[k].half(), axes[k]);
            let (l1, l2) = ((axis + 1) % 3, (axis + 2) % 3);
            for l in [l1, l2] {
                sides[k][l] = if n[l] < 0.0 { -1.0 } else { 1.0 };
                separation -= n[l].abs() * half[l];
            }
            if m >> k & 1 == 1 {
                let weaker = if n[l1].abs() * half[l1] < n[l2].abs() * half[l2] {
                    l1
                } else {
                    l2
                };
                sides[k][weaker] = -sides[k][weaker];
            }
        }
        Some((Self { axes, sides, turn }, separation))
    }

    /// A number for these edges.
    fn code(&self) -> usize {
        let bit = |x: f64| usize::from(x < 0.0);
        let [i, j] = self.axes;
        let sides = self.axes.iter().zip(&self.sides);
        let sides = sides.fold(0, |code, (axis, side)| {
            4 * code + 2 * bit(side[(axis + 1) % 3]) + bit(side[(axis + 2) % 3])
        });
        2 * (16 * (3 * i + j) + sides) + bit(self.turn)
    }

    /// The edges of a number.
    fn of_code(code: usize) -> Self {
        let sign = |bit: usize| if code >> bit & 1 == 1 { -1.0 } else { 1.0 };
        let axes = [code / 96 % 3, code / 32 % 3];
        let sides = [0, 1].map(|k| {
            let mut side = Vec3::zeros();
            side[(axes[k] + 1) % 3] = sign(4 - 2 * k);
            side[(axes[k] + 2) % 3] = sign(3 - 2 * k);
            side
        });
        EdgePair {
            axes,
            sides,
            turn: sign(0),
        }
    }

    /// Distance along the edges by which the closest points of their lines lie beyond their ends.
    fn excess(&self, boxes: [&Cuboid; 2], pose: &Pose<f64>) -> f64 {
        let [first, second] = self.segments(boxes, pose);
        let (s, t) = line_parameters(&first, &second);
        (s.abs() - first.half).max(0.0) + (t.abs() - second.half).max(0.0)
    }
}

/// The parameters of the closest points of two lines that are not parallel.
fn line_parameters<T: Real>(first: &Segment<T>, second: &Segment<T>) -> (T, T) {
    let w = second.centre - first.centre;
    let b = dot(&first.along, &second.along);
    let (e, f) = (dot(&first.along, &w), dot(&second.along, &w));
    let s = (e - b * f) / (T::one() - b * b);
    (s, s * b - f)
}

/// The axes (i, j) of the edges whose normal separates the boxes most, reduced by the distance of the nearest crossing from the edges.
fn separating_axes(boxes: [&Cuboid; 2], pose: &Pose<f64>) -> [usize; 2] {
    let mut best = (f64::NEG_INFINITY, [0, 0]);
    for i in 0..3 {
        for j in 0..3 {
            let pairs = (0..CROSSINGS).filter_map(|m| EdgePair::new(boxes, [i, j], m, pose));
            let score = pairs
                .map(|(edges, separation)| separation - edges.excess(boxes, pose))
                .fold(f64::NEG_INFINITY, f64::max);
            if score > best.0 {
                best = (score, [i, j]);
            }
        }
    }
    best.1
}

/// Crossing `m` of the axes of greatest separation.
fn foremost_edges(boxes: [&Cuboid; 2], m: usize, pose: &Pose<f64>) -> EdgePair {
    let axes = separating_axes(boxes, pose);
    let pair = EdgePair::new(boxes, axes, m, pose).map(|(pair, _)| pair);
    // Three axes of one box are not all parallel to one axis of the other, so a pair exists for every proper pose.
    pair.unwrap_or(EdgePair {
        axes,
        sides: [Vec3::zeros(); 2],
        turn: 1.0,
    })
}

/// The number of the edges of crossing `m`; `None` if their closest points lie beyond their ends.
pub(in crate::contact) fn crossing_edges(
    boxes: [&Cuboid; 2],
    m: usize,
    pose: &Pose<f64>,
) -> Option<usize> {
    let pair = foremost_edges(boxes, m, pose);
    (pair.excess(boxes, pose) == 0.0).then(|| pair.code())
}

/// The distance of the closest points of two edges from the nearest end, negative beyond it.
pub(in crate::contact) fn edge_margin(boxes: [&Cuboid; 2], held: usize, pose: &Pose<f64>) -> f64 {
    let [first, second] = EdgePair::of_code(held).segments(boxes, pose);
    let (s, t) = line_parameters(&first, &second);
    (first.half - s.abs()).min(second.half - t.abs())
}

/// Crossing `m` of the edges of two boxes. With the edge directions a and b and the edge centres,
///
/// ```text
/// n = ± a × b/|a × b|      g = n · (c₂ − c₁)
/// ```
///
/// where the closest points lie on both edges. Elsewhere, and where g < 0 although neither point is in the other box, g is the (positive)
/// distance of the two segments; the contact is then that of a vertex. The axes (i, j) are those of greatest separation; the four candidates are the two foremost
/// edges of each box along them, so that two crossed bars have all four contact points.
///
/// A pair of edges in contact, by its number, keeps the height g on its common normal.
pub(in crate::contact) fn edges<T: Real>(
    [a, b]: [&Cuboid; 2],
    m: usize,
    held: Option<usize>,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let (boxes, fixed) = ([a, b], pose_numbers(pose));
    let pair = held.map_or_else(|| foremost_edges(boxes, m, &fixed), EdgePair::of_code);
    let [first, second] = pair.segments(boxes, pose);
    let across = cross(&first.along, &second.along) * T::constant(pair.turn);
    let (_, normal) = direction(&across, &Vec3::x(), COINCIDENT);
    let height = dot(&normal, &(second.centre - first.centre));
    let (s, t) = line_parameters(&first, &second);
    let on_edges = s.number().abs() <= first.half && t.number().abs() <= second.half;
    let is_in = |x: Vec3<f64>, body: &Cuboid| (0..3).all(|l| x[l].abs() <= body.half()[l]);
    let within =
        is_in(numbers(&second.at(t)), a) || is_in(fixed.inverse().point(&numbers(&first.at(s))), b);
    if held.is_some() || on_edges && (height.number() >= 0.0 || within) {
        return Nearest {
            distance: height,
            normal,
        }
        .ball(&second.at(t), 0.0);
    }
    let (s, t) = closest(&first, &second);
    let (x, c) = (first.at(s), second.at(t));
    let (distance, normal) = direction(&(c - x), &numbers(&normal), COINCIDENT);
    Nearest { distance, normal }.ball(&c, 0.0)
}
