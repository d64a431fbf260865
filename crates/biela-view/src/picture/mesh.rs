//! Triangles from STL (text and binary), OBJ and MSH files.

use super::surface::Surface;
use super::vector::{V3, cross, direction, sub};

/// The maximum number of triangles of a drawn mesh.
const MOST: usize = 2_000_000;

/// Reads the surface in a file and scales it along its axes; `None` if it contains no triangle.
pub(super) fn read(bytes: &[u8], scale: V3) -> Option<Surface> {
    let triangles = binary_stl(bytes)
        .or_else(|| msh(bytes))
        .or_else(|| text(bytes))?;
    let mut surface = Surface::default();
    for corners in triangles.into_iter().take(MOST) {
        let [a, b, c] = corners.map(|p| std::array::from_fn(|k| p[k] * scale[k]));
        // a mirrored mesh would have inward normals
        let (b, c) = if scale[0] * scale[1] * scale[2] < 0.0 {
            (c, b)
        } else {
            (b, c)
        };
        let normal = direction(cross(sub(b, a), sub(c, a)), [0.0, 0.0, 1.0]);
        let first = surface.corners.len() as u32;
        surface.corners.extend([a, b, c].map(|p: V3| (p, normal)));
        surface.triangles.push([first, first + 1, first + 2]);
    }
    (!surface.triangles.is_empty()).then_some(surface)
}

/// 80 bytes, a count, and 50 bytes per triangle: normal, three vertices, two further bytes.
fn binary_stl(bytes: &[u8]) -> Option<Vec<[V3; 3]>> {
    let count = bytes.get(80..84)?.try_into().ok().map(u32::from_le_bytes)? as usize;
    if bytes.len() != 84_usize.checked_add(count.checked_mul(50)?)? {
        return None;
    }
    let number = |b: &[u8]| b.try_into().map_or(f32::NAN, f32::from_le_bytes);
    let corners = |record: &[u8]| {
        std::array::from_fn(|k| {
            std::array::from_fn(|i| number(&record[12 + 12 * k + 4 * i..][..4]))
        })
    };
    Some(
        bytes[84..]
            .chunks_exact(50)
            .take(MOST)
            .map(corners)
            .collect(),
    )
}

/// MuJoCo's MSH format: counts of vertices, normals, texture coordinates and faces, then these, in four-byte words.
fn msh(bytes: &[u8]) -> Option<Vec<[V3; 3]>> {
    let (words, rest) = bytes.as_chunks::<4>();
    let whole = |k: usize| usize::try_from(i32::from_le_bytes(*words.get(k)?)).ok();
    let [vertices, normals, textures, faces] = [whole(0)?, whole(1)?, whole(2)?, whole(3)?];
    let size = 4 + 3 * vertices + 3 * normals + 2 * textures + 3 * faces;
    if size != words.len() || !rest.is_empty() || faces == 0 {
        return None;
    }
    let corner = |k: usize| -> Option<V3> {
        let vertex = whole(k).filter(|vertex| *vertex < vertices)?;
        Some(std::array::from_fn(|i| {
            f32::from_le_bytes(words[4 + 3 * vertex + i])
        }))
    };
    let first = size - 3 * faces;
    (0..faces.min(MOST))
        .map(|f| first + 3 * f)
        .map(|k| Some([corner(k)?, corner(k + 1)?, corner(k + 2)?]))
        .collect()
}

/// Lines of a text STL (`vertex x y z`, three by three) or of an OBJ file (`v x y z`, `f i j k …`).
fn text(bytes: &[u8]) -> Option<Vec<[V3; 3]>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (mut corners, mut loose, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                loose.push(three(&mut words)?);
                if let [a, b, c] = loose[..] {
                    triangles.push([a, b, c]);
                    loose.clear();
                }
            }
            Some("v") => corners.push(three(&mut words)?),
            Some("f") => {
                let face: Option<Vec<V3>> = words.map(|word| indexed(&corners, word)).collect();
                let face = face?;
                for k in 1..face.len().saturating_sub(1) {
                    triangles.push([face[0], face[k], face[k + 1]]);
                }
            }
            _ => {}
        }
        if triangles.len() > MOST {
            break;
        }
    }
    Some(triangles)
}

fn three<'t>(words: &mut impl Iterator<Item = &'t str>) -> Option<V3> {
    let mut number = || words.next()?.parse().ok();
    Some([number()?, number()?, number()?])
}

/// A vertex by its number, from 1, or from the end if negative; text after a slash is ignored.
fn indexed(corners: &[V3], word: &str) -> Option<V3> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number < 0 {
        corners.len() as i64 + number
    } else {
        number - 1
    };
    corners.get(usize::try_from(index).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    const OBJ: &str = "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1/1 2/2 3 -1\n";

    #[test]
    fn the_three_formats_give_the_same_triangles() {
        let square = read(OBJ.as_bytes(), [1.0; 3]).unwrap_or_default();
        assert_eq!(square.triangles.len(), 2);
        let mut stl = "solid square\n".to_owned();
        let mut binary = vec![0; 80];
        binary.extend(2_u32.to_le_bytes());
        for triangle in &square.triangles {
            stl.push_str("facet normal 0 0 1\nouter loop\n");
            binary.extend([0; 12]);
            for k in triangle {
                let [x, y, z] = square.corners[*k as usize].0;
                let _ = writeln!(stl, "vertex {x} {y} {z}");
                binary.extend([x, y, z].iter().flat_map(|x| x.to_le_bytes()));
            }
            stl.push_str("endloop\nendfacet\n");
            binary.extend([0; 2]);
        }
        stl.push_str("endsolid\n");
        for bytes in [stl.as_bytes(), &binary] {
            let again = read(bytes, [1.0; 3]).unwrap_or_default();
            assert_eq!(again.corners, square.corners);
        }
    }

    #[test]
    fn invalid_meshes_are_rejected() {
        for bytes in [
            &b""[..],
            b"hello",
            b"f 1 2 3",
            b"v 1 2\nf 1 1 1",
            &[255; 200],
        ] {
            assert!(read(bytes, [1.0; 3]).is_none());
        }
    }

    #[test]
    fn a_mirrored_mesh_keeps_outward_normals() {
        let there = read(OBJ.as_bytes(), [1.0, 1.0, 1.0]).unwrap_or_default();
        let back = read(OBJ.as_bytes(), [-1.0, 1.0, 1.0]).unwrap_or_default();
        assert_eq!(there.corners[0].1, back.corners[0].1);
    }
}
