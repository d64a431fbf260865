//! The surface of a beam: its cross-section swept along its samples.

use std::borrow::Cow;
use std::f64::consts::TAU;

use super::surface::Surface;
use super::vector::{RigidTransform, V3, add, cross, direction, dot, scaled, sub};
use crate::scene::{POSE, Polygon, SAMPLE, SceneBeam, SceneSection, SceneSpace};

/// The number of points of a circle.
const AROUND: usize = 24;
/// A section that is thin in one direction only keeps this fraction of the minimum size in that direction.
const THIN: f32 = 2.0 / 3.0;

/// A surface with the sample of each of its vertices.
#[derive(Debug, Default)]
pub(super) struct Swept {
    pub(super) surface: Surface,
    pub(super) samples: Vec<usize>,
}

/// The drawn section: the cross-section, or a round bar if it is unknown.
pub(super) fn section(beam: &SceneBeam) -> Cow<'_, SceneSection> {
    if let Some(section) = &beam.section {
        return Cow::Borrowed(section);
    }
    let point = |k: usize| {
        let (sine, cosine) = (TAU * k as f64 / AROUND as f64).sin_cos();
        [beam.radius * cosine, beam.radius * sine]
    };
    let circle: Polygon = (0..AROUND).map(point).collect();
    Cow::Owned(SceneSection {
        start: vec![circle.clone()],
        end: vec![circle],
        faces: (2..AROUND).map(|k| [0, k - 1, k]).collect(),
        round: true,
        nodes: Vec::new(),
    })
}

/// The directions of width and height at each sample of a beam in a frame.
pub(super) fn axes(
    section: &SceneSection,
    samples: &[f32],
    frame: &[f32],
    space: SceneSpace,
) -> Vec<[V3; 2]> {
    if !section.nodes.is_empty() {
        let place = |body: usize| RigidTransform::new(&frame[POSE * body..][..POSE]);
        let nodes = section.nodes.iter().map(|node| place(node.body));
        return nodes
            .map(|place| [place.turn([0.0, 1.0, 0.0]), place.turn([0.0, 0.0, 1.0])])
            .collect();
    }
    let count = samples.len() / SAMPLE;
    let tangent = |k: usize| {
        let [before, after] = [k.saturating_sub(1), (k + 1).min(count - 1)].map(|k| at(samples, k));
        direction(sub(after, before), [1.0, 0.0, 0.0])
    };
    let mut list = Vec::with_capacity(count);
    let mut width = match (space, count) {
        (SceneSpace::Planar, _) | (_, 0) => [0.0, 0.0, -1.0],
        (SceneSpace::Spatial, _) => {
            let along = tangent(0);
            // vertical beams have their height along x
            let steep = along[2].abs() > 0.999;
            let up = if steep {
                [1.0, 0.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            };
            cross(up, along)
        }
    };
    for k in 0..count {
        let along = tangent(k);
        // transported along the beam without rotation about it
        let across = sub(width, scaled(along, dot(width, along)));
        width = direction(across, super::vector::across(along).0);
        list.push([width, cross(along, width)]);
    }
    list
}

/// The largest distances of its points from the centreline, along width and height.
pub(super) fn extents(polygons: &[Polygon]) -> [f32; 2] {
    let points = polygons.iter().flatten();
    points.fold([0.0; 2], |[y, z], p| {
        [y.max(p[0].abs() as f32), z.max(p[1].abs() as f32)]
    })
}

/// The points of polygons, enlarged to a visible size.
fn visible(polygons: &[Polygon], least: f32) -> Vec<[f32; 2]> {
    let [y, z] = extents(polygons);
    let factor = (least / y.max(z).max(f32::MIN_POSITIVE)).max(1.0);
    let factors = [y, z].map(|x| factor.max(THIN * least / x.max(f32::MIN_POSITIVE)));
    let points = polygons.iter().flatten();
    points
        .map(|p| [p[0] as f32 * factors[0], p[1] as f32 * factors[1]])
        .collect()
}

/// An edge of a polygon: its two points with the outward normal at each.
type Edge = [(usize, [f32; 2]); 2];

/// The edges of all polygons; round ones have smooth normals.
fn edges(section: &SceneSection) -> Vec<Edge> {
    let mut list = Vec::new();
    let mut first = 0;
    for (start, end) in section.start.iter().zip(&section.end) {
        let count = start.len();
        let outward = |k: usize| {
            let (a, b) = (k % count, (k + 1) % count);
            // the mean of both ends, because an edge may vanish at one of them
            let along = [0, 1].map(|i| (start[b][i] - start[a][i] + end[b][i] - end[a][i]) as f32);
            let [_, y, z] = direction([0.0, along[1], -along[0]], [0.0; 3]);
            [y, z]
        };
        let mean = |k: usize| {
            let (before, after) = (outward(k + count - 1), outward(k));
            let sum = [0.0, before[0] + after[0], before[1] + after[1]];
            let [_, y, z] = direction(sum, [0.0, after[0], after[1]]);
            [y, z]
        };
        for k in 0..count {
            let normals = if section.round {
                [mean(k), mean(k + 1)]
            } else {
                [outward(k); 2]
            };
            let next = first + (k + 1) % count;
            list.push([(first + k, normals[0]), (next, normals[1])]);
        }
        first += count;
    }
    list
}

fn at(samples: &[f32], k: usize) -> V3 {
    let from = SAMPLE * k;
    [samples[from], samples[from + 1], samples[from + 2]]
}

/// Sweeps a section along samples, whose directions of width and height are `axes`.
pub(super) fn sweep(
    section: &SceneSection,
    samples: &[f32],
    axes: &[[V3; 2]],
    least: f32,
) -> Swept {
    let mut swept = Swept::default();
    let Some(last) = axes.len().checked_sub(1).filter(|last| *last > 0) else {
        return swept;
    };
    let [start, end] = [&section.start, &section.end].map(|polygons| visible(polygons, least));
    let share = |k: usize| match section.nodes.get(k) {
        Some(node) => node.share as f32,
        None => k as f32 / last as f32,
    };
    let across = |k: usize, [y, z]: [f32; 2]| {
        let [width, height] = axes[k];
        add(scaled(width, y), scaled(height, z))
    };
    let place = |k: usize, point: usize| {
        let part = |i: usize| start[point][i] + share(k) * (end[point][i] - start[point][i]);
        add(at(samples, k), across(k, [part(0), part(1)]))
    };
    let Swept {
        surface: Surface { corners, triangles },
        samples: owners,
    } = &mut swept;
    for edge in edges(section) {
        let first = corners.len() as u32;
        for k in 0..=last {
            corners.extend(edge.map(|(point, normal)| (place(k, point), across(k, normal))));
            owners.extend([k; 2]);
        }
        for k in 0..last as u32 {
            let [a, b, c, d] = [0, 1, 3, 2].map(|i| first + 2 * k + i);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for k in [0, last] {
        let first = corners.len() as u32;
        let [width, height] = axes[k];
        let along = scaled(cross(width, height), if k == 0 { -1.0 } else { 1.0 });
        corners.extend((0..start.len()).map(|point| (place(k, point), along)));
        owners.extend(std::iter::repeat_n(k, start.len()));
        triangles.extend(section.faces.iter().map(|face| {
            let [a, b, c] = face.map(|point| first + point as u32);
            if k == 0 { [a, c, b] } else { [a, b, c] }
        }));
    }
    swept
}

#[cfg(test)]
mod tests {
    use super::super::vector::length;
    use super::*;
    use crate::scene::BeamNode;

    fn block(y: f64, z: f64) -> Polygon {
        vec![[y, z], [-y, z], [-y, -z], [y, -z]]
    }

    /// A hollow rectangle, 0.2 wide and 0.4 high at the start, with a wall of 0.05.
    fn hollow(end: f64) -> SceneSection {
        let polygons = |size: f64| {
            let mut hole = block(0.05 * size, 0.15 * size);
            hole.reverse();
            vec![block(0.1 * size, 0.2 * size), hole]
        };
        let face = |k: usize| {
            let next = (k + 1) % 4;
            [[k, next, 7 - next], [k, 7 - next, 7 - k]]
        };
        SceneSection {
            start: polygons(1.0),
            end: polygons(end),
            faces: (0..4).flat_map(face).collect(),
            round: false,
            nodes: Vec::new(),
        }
    }

    /// Samples along a line of length 2.
    fn straight(to: V3, count: usize) -> Vec<f32> {
        let point = |k: usize| scaled(to, k as f32 / (count - 1) as f32);
        let samples = (0..count).map(point);
        samples.flat_map(|p| [p[0], p[1], p[2], 0.0]).collect()
    }

    fn volume(surface: &Surface) -> f32 {
        let at = |k: u32| surface.corners[k as usize].0;
        let of = |t: &[u32; 3]| dot(at(t[0]), cross(at(t[1]), at(t[2]))) / 6.0;
        surface.triangles.iter().map(of).sum()
    }

    fn near(found: f32, expected: f32) {
        assert!(
            (found - expected).abs() < 1e-5,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn a_hollow_tapered_section_is_swept_to_a_closed_surface() {
        let (to, area) = ([1.2, 1.6, 0.0], 0.2 * 0.4 - 0.1 * 0.3);
        let samples = straight(to, 5);
        for (end, expected) in [(1.0, 2.0 * area), (0.5, 2.0 * area * 1.75 / 3.0)] {
            let section = hollow(end);
            for space in [SceneSpace::Planar, SceneSpace::Spatial] {
                let axes = axes(&section, &samples, &[], space);
                let swept = sweep(&section, &samples, &axes, 0.0);
                let surface = &swept.surface;
                near(volume(surface), expected);
                assert_eq!(surface.corners.len(), swept.samples.len());
                for t in &surface.triangles {
                    let [a, b, c] = t.map(|k| surface.corners[k as usize]);
                    let face = cross(sub(b.0, a.0), sub(c.0, a.0));
                    let normal = direction(face, [0.0; 3]);
                    // a side slopes with the taper of the section
                    assert!(dot(normal, a.1) > 0.99, "{normal:?} {:?}", a.1);
                    near(length(c.1), 1.0);
                }
            }
        }
        // a round bar if the section is unknown
        let bar = SceneBeam {
            name: String::new(),
            mass: 1.0,
            samples: 5,
            radius: 0.1,
            section: None,
            value: crate::scene::BeamValue {
                name: String::new(),
                unit: String::new(),
            },
        };
        let section = section(&bar);
        let axes = axes(&section, &samples, &[], SceneSpace::Planar);
        let swept = sweep(&section, &samples, &axes, 0.0);
        near(
            volume(&swept.surface),
            2.0 * 12.0 * 0.01 * (std::f32::consts::TAU / 24.0).sin(),
        );
    }

    #[test]
    fn the_height_is_in_the_plane_of_a_planar_model_and_vertical_in_space() {
        let section = hollow(1.0);
        let samples = straight([0.0, 2.0, 0.0], 3);
        let extent = |axes: &[[V3; 2]]| {
            let swept = sweep(&section, &samples, axes, 0.0);
            let corners = swept.surface.corners;
            let most = |axis: usize| corners.iter().map(|(p, _)| p[axis]).fold(0.0, f32::max);
            [most(0), most(2)]
        };
        let [x, z] = extent(&axes(&section, &samples, &[], SceneSpace::Planar));
        near(x, 0.2);
        near(z, 0.1);
        let [x, z] = extent(&axes(&section, &samples, &[], SceneSpace::Spatial));
        near(x, 0.1);
        near(z, 0.2);
        // the axes of bodies: the first and last as the beam, the one between rotated by 90° about it
        let h = 0.5_f32.sqrt();
        let along = [0.0, 0.0, 0.0, 0.0, 0.0, h, h];
        let rolled = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5];
        let frame = [along, rolled].concat();
        let nodes = [(0, 0.0), (1, 0.25), (0, 1.0)];
        let section = SceneSection {
            nodes: nodes.map(|(body, share)| BeamNode { body, share }).to_vec(),
            ..hollow(3.0)
        };
        let axes = axes(&section, &samples, &frame, SceneSpace::Spatial);
        let swept = sweep(&section, &samples, &axes, 0.0);
        let of = |sample: usize, axis: usize| {
            let corners = swept.surface.corners.iter().zip(&swept.samples);
            let own = corners.filter(|(_, s)| **s == sample);
            own.map(|((p, _), _)| p[axis]).fold(0.0, f32::max)
        };
        let found = [0, 1, 2].map(|sample| [of(sample, 0), of(sample, 2)]);
        // 1 + 0.25 (3 − 1) times as large in the middle
        let expected = [[0.1, 0.2], [0.3, 0.15], [0.3, 0.6]];
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            near(*found, *expected);
        }
    }

    #[test]
    fn small_sections_are_enlarged_and_keep_their_larger_dimension() {
        let sizes = |y: f64, z: f64| {
            let points = visible(&[block(y, z)], 0.3);
            let most = |i: usize| points.iter().map(|p| p[i]).fold(0.0, f32::max);
            [most(0), most(1)]
        };
        let expected = [
            ([1.0, 2.0], [1.0, 2.0]),
            ([0.001, 0.001], [0.3, 0.3]),
            ([0.1, 0.2], [0.2, 0.3]),
            ([1.0, 0.001], [1.0, 0.2]),
        ];
        for ([y, z], expected) in expected {
            let found = sizes(y, z);
            near(found[0], expected[0]);
            near(found[1], expected[1]);
        }
    }
}
