//! The outline of a cross-section, for drawing.

use std::f64::consts::TAU;

use super::Profile;

/// Number of points of a circle.
const AROUND: usize = 24;

/// A cross-section as polygons: `[y, z]` in the axes of the section, width along y, height along z.
///
/// The outlines of two profiles of the same type have the same points in the same order. Each point of a profile [between](Profile::between) them lies on
/// the straight line between its counterparts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The outer polygon, anticlockwise; then holes, clockwise.
    pub loops: Vec<Vec<[f64; 2]>>,
    /// Triangles that fill the area, anticlockwise, with point indices over all polygons.
    pub faces: Vec<[usize; 3]>,
    /// Whether the polygons approximate circles.
    pub round: bool,
}

impl Profile {
    /// Its outline.
    pub fn outline(&self) -> Outline {
        match *self {
            Profile::Circle { radius } => {
                let fan = (2..AROUND).map(|k| [0, k - 1, k]);
                Outline {
                    loops: vec![circle(radius)],
                    faces: fan.collect(),
                    round: true,
                }
            }
            Profile::Tube { radius, inner } => ring(circle(radius), circle(inner), true),
            Profile::Rectangle { width, height } => Outline {
                loops: vec![block(width, height)],
                faces: vec![[0, 1, 2], [0, 2, 3]],
                round: false,
            },
            Profile::I {
                width,
                height,
                flange,
                web,
            } => {
                let ([a, b], [c, d]) = (
                    [0.5 * width, 0.5 * height],
                    [0.5 * web, 0.5 * height - flange],
                );
                let right = [[a, -b], [a, -d], [c, -d], [c, d], [a, d], [a, b]];
                let left = right.map(|[y, z]| [-y, -z]);
                // each flange is a triangle fan about one of its outer points, with the web between them
                let flange = |k: usize| {
                    let at = |i: usize| (k + i) % 12;
                    [(0, 1), (1, 2), (2, 9), (9, 10)].map(|(i, j)| [at(11), at(i), at(j)])
                };
                let mut faces = [flange(0), flange(6)].concat();
                faces.extend([[2, 3, 8], [2, 8, 9]]);
                Outline {
                    loops: vec![[right, left].concat()],
                    faces,
                    round: false,
                }
            }
            Profile::Box {
                width,
                height,
                flange,
                web,
            } => {
                let hole = block(width - 2.0 * web, height - 2.0 * flange);
                ring(block(width, height), hole, false)
            }
        }
    }
}

fn circle(radius: f64) -> Vec<[f64; 2]> {
    let point = |k: usize| {
        let (sine, cosine) = (TAU * k as f64 / AROUND as f64).sin_cos();
        [radius * cosine, radius * sine]
    };
    (0..AROUND).map(point).collect()
}

fn block(width: f64, height: f64) -> Vec<[f64; 2]> {
    let (a, b) = (0.5 * width, 0.5 * height);
    vec![[a, b], [-a, b], [-a, -b], [a, -b]]
}

/// The area between two polygons with the same number of points, both given anticlockwise.
fn ring(outer: Vec<[f64; 2]>, mut hole: Vec<[f64; 2]>, round: bool) -> Outline {
    let count = outer.len();
    hole.reverse();
    let across = |k: usize| 2 * count - 1 - k;
    let pair = |k: usize| {
        let next = (k + 1) % count;
        [[k, next, across(next)], [k, across(next), across(k)]]
    };
    Outline {
        loops: vec![outer, hole],
        faces: (0..count).flat_map(pair).collect(),
        round,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILES: [Profile; 6] = [
        Profile::Circle { radius: 0.03 },
        Profile::Tube {
            radius: 0.03,
            inner: 0.02,
        },
        Profile::Rectangle {
            width: 0.02,
            height: 0.05,
        },
        Profile::I {
            width: 0.04,
            height: 0.06,
            flange: 0.006,
            web: 0.004,
        },
        Profile::Box {
            width: 0.04,
            height: 0.06,
            flange: 0.003,
            web: 0.005,
        },
        // an I whose flanges meet
        Profile::I {
            width: 0.04,
            height: 0.06,
            flange: 0.03,
            web: 0.004,
        },
    ];

    /// Area and second moment about y of a polygon, by the shoelace formula; negative if it is clockwise.
    fn moments(polygon: &[[f64; 2]]) -> [f64; 2] {
        let next = polygon.iter().cycle().skip(1);
        let pairs = polygon.iter().zip(next);
        pairs.fold([0.0; 2], |[area, second], (p, q)| {
            let twice = p[0] * q[1] - q[0] * p[1];
            let squares = p[1] * p[1] + p[1] * q[1] + q[1] * q[1];
            [area + twice / 2.0, second + twice * squares / 12.0]
        })
    }

    #[test]
    fn outlines_have_the_area_and_the_second_moment_of_their_profile() {
        for profile in PROFILES {
            let outline = profile.outline();
            let [area, second] = outline.loops.iter().fold([0.0; 2], |sum, polygon| {
                let [area, second] = moments(polygon);
                [sum[0] + area, sum[1] + second]
            });
            // a regular polygon in a circle: n/2 sin(2π/n) r², and n/48 (2 + cos(2π/n)) sin(2π/n) r⁴ · 2
            let step = TAU / AROUND as f64;
            let shares = if outline.round {
                let share = step.sin() / step;
                [share, share * (2.0 + step.cos()) / 3.0]
            } else {
                [1.0; 2]
            };
            let expected = [profile.area(), profile.second_moment()];
            for k in 0..2 {
                let off = [area, second][k] / (shares[k] * expected[k]) - 1.0;
                assert!(off.abs() < 1e-12, "{profile:?}: {off:e}");
            }
        }
    }

    #[test]
    fn faces_fill_the_outline_once() {
        for profile in PROFILES {
            let outline = profile.outline();
            let points = outline.loops.concat();
            let mut filled = 0.0;
            for face in &outline.faces {
                let [area, _] = moments(&face.map(|k| points[k]));
                assert!(area > -1e-15, "{profile:?}: {face:?}");
                filled += area;
            }
            let area: f64 = outline.loops.iter().map(|l| moments(l)[0]).sum();
            assert!((filled / area - 1.0).abs() < 1e-12, "{profile:?}");
            // the number of triangles of any triangulation
            let holes = outline.loops.len() - 1;
            assert_eq!(outline.faces.len(), points.len() + 2 * holes - 2);
        }
    }

    #[test]
    fn outlines_taper_linearly() {
        let [from, to] = [PROFILES[3], PROFILES[5]];
        let middle = from.between(&to, 0.25).map(|profile| profile.outline());
        let [from, to] = [from, to].map(|profile| profile.outline().loops.concat());
        for (k, point) in middle.unwrap().loops.concat().iter().enumerate() {
            for axis in 0..2 {
                let expected = from[k][axis] + 0.25 * (to[k][axis] - from[k][axis]);
                assert!((point[axis] - expected).abs() < 1e-15);
            }
        }
    }
}
