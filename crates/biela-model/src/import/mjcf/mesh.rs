//! Mass properties of meshes: a sum over tetrahedra from a point to each triangle.
//!
//! ```text
//! V = Σ vᵢ      V c = Σ vᵢ (a + b + c + p)/4      ∫ x xᵀ dV = Σ vᵢ/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)   s = a + b + c, from p
//! ```
//!
//! By the divergence theorem the signed volumes give the exact integrals over a closed mesh for any point p. MuJoCo's `legacy` rule, its default, uses their
//! absolute values instead, first from the centre of the surface and then from the mass centre. The result is equal for a convex mesh, and larger for any
//! other.

use biela_core::math::{Mat3, Vec3};

/// The maximum number of triangles.
const MOST_TRIANGLES: usize = 5_000_000;

/// The distribution of the mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Legacy,
    Exact,
    Shell,
}

/// Volume (area of a shell), mass centre and central inertia at unit density.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshProperties {
    pub(super) size: f64,
    pub(super) center: Vec3<f64>,
    pub(super) inertia: Mat3<f64>,
}

/// Triangles, in single precision as in MuJoCo.
pub(super) struct Triangles(pub(super) Vec<[Vec3<f64>; 3]>);

impl Triangles {
    /// Creates triangles from vertex coordinates and vertex indices from zero.
    pub(super) fn indexed(vertices: &[f64], faces: &[f64]) -> Result<Self, String> {
        if !vertices.len().is_multiple_of(3) || !faces.len().is_multiple_of(3) {
            return Err("vertices and faces must have three numbers each".to_owned());
        }
        let places: Vec<_> = vertices.chunks_exact(3).collect();
        let corner = |face: &f64| {
            let whole = *face >= 0.0 && face.fract() == 0.0;
            let place = places.get(*face as usize).filter(|_| whole);
            place
                .map(|place| single([place[0], place[1], place[2]]))
                .ok_or_else(|| format!("there is no vertex {face}; there are {}", places.len()))
        };
        let triangle = |f: &[f64]| Ok([corner(&f[0])?, corner(&f[1])?, corner(&f[2])?]);
        faces
            .chunks_exact(3)
            .map(triangle)
            .collect::<Result<_, _>>()
            .map(Triangles)
    }

    /// Reads a file by its extension: STL (binary or text), OBJ or MuJoCo's MSH.
    pub(super) fn read(path: &str, bytes: &[u8]) -> Result<Self, String> {
        let ending = path.rsplit('.').next().unwrap_or_default();
        let triangles = match ending.to_ascii_lowercase().as_str() {
            "stl" => stl(bytes)?,
            "obj" => obj(&String::from_utf8_lossy(bytes))?,
            "msh" => msh(bytes)?,
            _ => return Err("only .stl, .obj and .msh files are supported".to_owned()),
        };
        if triangles.0.is_empty() {
            return Err("it has no triangles".to_owned());
        }
        Ok(triangles)
    }

    /// Transforms every vertex.
    pub(super) fn moved(mut self, change: impl Fn(Vec3<f64>) -> Vec3<f64>) -> Self {
        for corner in self.0.iter_mut().flatten() {
            *corner = change(*corner);
        }
        self
    }

    /// Mass properties at unit density; `None` if the volume is zero.
    pub(super) fn unit(&self, rule: Rule) -> Option<MeshProperties> {
        let unit = match rule {
            Rule::Shell => self.shell(),
            Rule::Exact => self.solid(&Vec3::zeros(), |v| v),
            Rule::Legacy => {
                let first = self.solid(&self.shell().center, f64::abs);
                // about the mass centre of the first sum, with the volume of the second
                let second = self.solid(&first.center, f64::abs);
                let from_center = second.center - first.center;
                MeshProperties {
                    size: second.size,
                    center: first.center,
                    inertia: second.inertia + steiner(&from_center, second.size),
                }
            }
        };
        let finite = unit.size.is_finite() && unit.inertia.iter().all(|x| x.is_finite());
        (unit.size > 0.0 && finite).then_some(unit)
    }

    /// Sums over tetrahedra from `apex`.
    fn solid(&self, apex: &Vec3<f64>, weight: impl Fn(f64) -> f64) -> MeshProperties {
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for corners in &self.0 {
            let [a, b, c] = corners.map(|corner| corner - apex);
            let v = weight(a.cross(&b).dot(&c) / 6.0);
            let s = a + b + c;
            volume += v;
            first += s * (v / 4.0);
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            second += (s * s.transpose() + squares) * (v / 20.0);
        }
        about_center(volume, first / volume, second, apex)
    }

    /// Sums over triangles: their area, with ∫ x xᵀ dA = A/12 (s sᵀ + a aᵀ + b bᵀ + c cᵀ).
    fn shell(&self) -> MeshProperties {
        let (mut area, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for [a, b, c] in &self.0 {
            let part = (b - a).cross(&(c - a)).norm() / 2.0;
            let s = a + b + c;
            area += part;
            first += s * (part / 3.0);
            let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
            second += (s * s.transpose() + squares) * (part / 12.0);
        }
        about_center(area, first / area, second, &Vec3::zeros())
    }
}

/// Converts second moments about `origin` to the inertia about the mass centre, which has the offset `from_origin`.
fn about_center(
    size: f64,
    from_origin: Vec3<f64>,
    second: Mat3<f64>,
    origin: &Vec3<f64>,
) -> MeshProperties {
    let about_origin = Mat3::identity() * second.trace() - second;
    MeshProperties {
        size,
        center: origin + from_origin,
        inertia: about_origin - steiner(&from_origin, size),
    }
}

fn steiner(d: &Vec3<f64>, size: f64) -> Mat3<f64> {
    (Mat3::identity() * d.norm_squared() - d * d.transpose()) * size
}

fn single(x: [f64; 3]) -> Vec3<f64> {
    Vec3::from(x.map(|x| f64::from(x as f32)))
}

/// STL: in binary files the header is followed by a count and 50 bytes per triangle.
fn stl(bytes: &[u8]) -> Result<Triangles, String> {
    let word = |at: usize| {
        bytes
            .get(at..at + 4)
            .and_then(|b| <[u8; 4]>::try_from(b).ok())
    };
    if let Some(count) = word(80).map(u32::from_le_bytes) {
        let count = count as usize;
        if count <= MOST_TRIANGLES && bytes.len() == 84 + 50 * count {
            let number = |at: usize| word(at).map_or(0.0, |b| f64::from(f32::from_le_bytes(b)));
            let corner = |at: usize| Vec3::new(number(at), number(at + 4), number(at + 8));
            let triangle = |k: usize| [1, 2, 3].map(|c| corner(84 + 50 * k + 12 * c));
            return Ok(Triangles((0..count).map(triangle).collect()));
        }
    }
    let text = String::from_utf8_lossy(bytes);
    if !text.trim_start().starts_with("solid") {
        return Err("it is neither a binary nor a text STL file".to_owned());
    }
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for (line, words) in text.lines().map(str::trim).enumerate() {
        if let Some(numbers) = words.strip_prefix("vertex") {
            corners.push(three(numbers).ok_or_else(|| bad_line(line))?);
        } else if words.starts_with("endfacet") {
            let triangle = <[_; 3]>::try_from(std::mem::take(&mut corners));
            triangles.push(triangle.map_err(|_| bad_line(line))?);
            within_limit(triangles.len())?;
        }
    }
    Ok(Triangles(triangles))
}

/// OBJ: vertices `v x y z` and faces `f 1/… 2/… 3/…`; larger polygons are split into triangles from the first vertex.
fn obj(text: &str) -> Result<Triangles, String> {
    let (mut vertices, mut triangles): (Vec<Vec3<f64>>, Vec<_>) = (Vec::new(), Vec::new());
    for (line, words) in text.lines().map(str::trim).enumerate() {
        if let Some(numbers) = words.strip_prefix("v ") {
            vertices.push(three(numbers).ok_or_else(|| bad_line(line))?);
        } else if let Some(corners) = words.strip_prefix("f ") {
            let corner = |word: &str| {
                let number: i64 = word.split('/').next()?.parse().ok()?;
                let from_end = usize::try_from(number.unsigned_abs()).ok()?;
                let at = match number {
                    1.. => from_end.checked_sub(1)?,
                    _ => vertices.len().checked_sub(from_end.max(1))?,
                };
                vertices.get(at).copied()
            };
            let corners: Option<Vec<_>> = corners.split_whitespace().map(corner).collect();
            let corners = corners
                .filter(|c| c.len() >= 3)
                .ok_or_else(|| bad_line(line))?;
            for pair in corners[1..].windows(2) {
                triangles.push([corners[0], pair[0], pair[1]]);
            }
            within_limit(triangles.len())?;
        }
    }
    Ok(Triangles(triangles))
}

/// MSH: numbers of vertices, normals, texture coordinates and faces, then these, in four-byte words.
fn msh(bytes: &[u8]) -> Result<Triangles, String> {
    let (words, rest) = bytes.as_chunks::<4>();
    let count = |k: usize| {
        let count = words.get(k).map(|word| i32::from_le_bytes(*word));
        count.and_then(|count| usize::try_from(count).ok())
    };
    let counts = (count(0), count(1), count(2), count(3));
    let (Some(vertices), Some(normals), Some(textures), Some(faces)) = counts else {
        return Err("it is not an MSH file".to_owned());
    };
    let sizes = [(vertices, 3), (normals, 3), (textures, 2), (faces, 3)];
    let total = sizes.iter().try_fold(4_usize, |sum, (many, each)| {
        sum.checked_add(many.checked_mul(*each)?)
    });
    if total != Some(words.len()) || !rest.is_empty() {
        return Err(
            "its length does not match the numbers of vertices and faces in its header".to_owned(),
        );
    }
    within_limit(faces)?;
    if faces == 0 {
        return Err("it has no faces: those of the convex hull are not computed".to_owned());
    }
    let places = &words[4..4 + 3 * vertices];
    let number = |word: &[u8; 4]| f64::from(f32::from_le_bytes(*word));
    let places: Vec<f64> = places.iter().map(number).collect();
    if places.iter().any(|x| !x.is_finite()) {
        return Err("a vertex is NaN or infinite".to_owned());
    }
    let faces = &words[words.len() - 3 * faces..];
    let faces: Vec<f64> = faces
        .iter()
        .map(|word| f64::from(i32::from_le_bytes(*word)))
        .collect();
    Triangles::indexed(&places, &faces)
}

fn three(text: &str) -> Option<Vec3<f64>> {
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    let mut next = || numbers.next()?.ok().filter(|x| x.is_finite());
    Some(single([next()?, next()?, next()?]))
}

fn bad_line(line: usize) -> String {
    format!("its line {} cannot be read", line + 1)
}

fn within_limit(count: usize) -> Result<(), String> {
    if count > MOST_TRIANGLES {
        return Err(format!("it has more than {MOST_TRIANGLES} triangles"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use biela_core::math::Pose;
    use biela_core::model::{Shape, ShapeKind};

    /// A box with one vertex at the origin, as text.
    fn box_obj(x: f64, y: f64, z: f64) -> String {
        let mut text = String::new();
        for k in 0..8 {
            let at = |bit: usize, size: f64| if k >> bit & 1 == 1 { size } else { 0.0 };
            let _ = writeln!(text, "v {} {} {}", at(0, x), at(1, y), at(2, z));
        }
        text + "f 1 3 4 2\nf 5/1 6/2 8/3 7/4\nf 1 2 6 5\nf 3 7 8 4\nf -8 -4 -2 -6\nf 2 4 8 6\n"
    }

    #[test]
    fn a_box_of_triangles_is_a_box_by_every_rule() {
        let size = Vec3::new(0.5, 0.75, 2.0);
        let mesh = Triangles::read("a.OBJ", box_obj(size[0], size[1], size[2]).as_bytes()).unwrap();
        assert_eq!(mesh.0.len(), 12);
        let shape = Shape {
            kind: ShapeKind::Box { size },
            pose: Pose::new(Mat3::identity(), size / 2.0),
        };
        let solid = shape.solid(1.0);
        for rule in [Rule::Exact, Rule::Legacy] {
            let unit = mesh.unit(rule).unwrap();
            assert!((unit.size - solid.mass).abs() < 1e-15, "{rule:?}");
            assert!((unit.center - solid.center).norm() < 1e-15, "{rule:?}");
            assert!((unit.inertia - solid.inertia).norm() < 1e-14, "{rule:?}");
        }
        // a shell is the difference quotient of two solids
        let thin = 1e-6;
        let larger = Shape {
            kind: ShapeKind::Box {
                size: size.add_scalar(thin),
            },
            ..shape
        };
        let (larger, shell) = (
            larger.solid(1.0 / (thin / 2.0)),
            mesh.unit(Rule::Shell).unwrap(),
        );
        let smaller = shape.solid(1.0 / (thin / 2.0));
        assert!((larger.mass - smaller.mass - shell.size).abs() < 1e-4);
        assert!((larger.inertia - smaller.inertia - shell.inertia).norm() < 1e-4);
    }

    #[test]
    fn text_and_binary_stl_are_equivalent_and_truncated_files_are_rejected() {
        let mesh = Triangles::read("a.obj", box_obj(1.0, 2.0, 3.0).as_bytes()).unwrap();
        let mut text = "solid box\n".to_owned();
        let mut binary = vec![b's'; 80];
        binary.extend((mesh.0.len() as u32).to_le_bytes());
        for corners in &mesh.0 {
            text += " facet normal 0 0 0\n  outer loop\n";
            binary.extend([0; 12]);
            for c in corners {
                let _ = writeln!(text, "   vertex {} {} {}", c[0], c[1], c[2]);
                binary.extend(c.iter().flat_map(|x| (*x as f32).to_le_bytes()));
            }
            text += "  endloop\n endfacet\n";
            binary.extend([0; 2]);
        }
        let from_text = Triangles::read("a.stl", text.as_bytes()).unwrap();
        let from_binary = Triangles::read("a.stl", &binary).unwrap();
        assert!(from_text.0 == mesh.0 && from_binary.0 == mesh.0);
        assert!(Triangles::read("a.stl", &binary[..200]).is_err());
        assert!(Triangles::read("a.stl", &text.as_bytes()[..90]).is_err());
        assert!(Triangles::read("a.stl", b"solid a\nvertex 1 2\n").is_err());
        assert!(Triangles::read("a.obj", b"v 0 0 0\nf 1 2 3\n").is_err());
        assert!(Triangles::read("a.obj", b"v 0 0 0\nf 0 0 -9223372036854775808\n").is_err());
        assert!(Triangles::read("a.dae", b"").is_err());
    }

    #[test]
    fn a_file_of_mujocos_own_format_has_the_triangles_of_the_same_mesh_in_another() {
        let text = box_obj(1.0, 2.0, 3.0);
        let mesh = Triangles::read("a.obj", text.as_bytes()).unwrap();
        let vertices: Vec<Vec3<f64>> = text
            .lines()
            .filter_map(|line| three(line.strip_prefix("v ")?))
            .collect();
        let place = |c: &Vec3<f64>| vertices.iter().position(|v| v == c).unwrap() as i32;
        let mut bytes: Vec<u8> = Vec::new();
        for count in [vertices.len(), 1, 2, mesh.0.len()] {
            bytes.extend((count as i32).to_le_bytes());
        }
        let numbers = vertices.iter().flat_map(|v| [v[0], v[1], v[2]]);
        for x in numbers.chain([0.0; 3 + 4]) {
            bytes.extend((x as f32).to_le_bytes());
        }
        for corner in mesh.0.iter().flatten() {
            bytes.extend(place(corner).to_le_bytes());
        }
        assert!(Triangles::read("a.MSH", &bytes).unwrap().0 == mesh.0);
        // truncated, too long, a face without its vertex, negative counts or counts beyond the file
        let end = bytes.len();
        assert!(Triangles::read("a.msh", &bytes[..end - 4]).is_err());
        assert!(Triangles::read("a.msh", &bytes[..end - 1]).is_err());
        assert!(Triangles::read("a.msh", &[&bytes[..], &[0; 4]].concat()).is_err());
        assert!(Triangles::read("a.msh", b"").is_err());
        let changed = |at: usize, word: i32| {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            Triangles::read("a.msh", &bytes)
        };
        assert!(changed(end - 4, 8).is_err() && changed(end - 4, -1).is_err());
        assert!(changed(0, -1).is_err() && changed(12, i32::MAX).is_err());
        assert!(changed(16, f32::NAN.to_bits() as i32).is_err());
    }
}
