//! Geoms: the appearance of bodies, and the source of their masses.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::f64::consts::PI;

use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{MassProperties, Shape, ShapeKind};

use super::AssetFolder;
use super::element::{Classes, MjcfElement};
use super::files::MjcfFiles;
use super::mesh::{MeshProperties, Rule, Triangles};
use super::pose::{CompilerSettings, along};
use crate::diagnostic::{Span, shown};
use crate::import::xml::XmlElement;
use crate::suggest::did_you_mean;

/// Kinds of geom.
const KINDS: &[&str] = &[
    "plane",
    "hfield",
    "sphere",
    "capsule",
    "ellipsoid",
    "cylinder",
    "box",
    "mesh",
    "sdf",
];

/// The default density: that of water.
const DENSITY: f64 = 1000.0;

/// A mesh of the assets.
pub(super) struct Mesh<'x> {
    part: MjcfElement<'x>,
    /// The path of the file relative to the folder of the model.
    path: Option<String>,
    scale: [f64; 3],
    /// Pose that is removed from the vertices before they are scaled.
    reference: Pose,
    rule: Option<Rule>,
    /// Its mass properties, computed on demand.
    unit: OnceCell<Result<MeshProperties, String>>,
}

/// The meshes by name.
pub(super) struct Meshes<'x> {
    list: BTreeMap<String, Mesh<'x>>,
}

impl<'x> Meshes<'x> {
    pub(super) fn read(
        files: &MjcfFiles<'x>,
        root: XmlElement<'x>,
        classes: &Classes<'x>,
        settings: &CompilerSettings,
    ) -> Self {
        let mut list = BTreeMap::new();
        for section in files.each(root, "asset") {
            for element in files.each(section, "mesh") {
                let part = classes.part(element, &["mesh"], None);
                let path = part
                    .attribute("file")
                    .map(|file| path(file.value, settings));
                let stem = path.as_deref().map(stem).map(str::to_owned);
                let Some(name) = part.attribute("name").map(|n| n.value.to_owned()).or(stem) else {
                    let message = format!("{} has neither a name nor a file", part.what());
                    part.error("mesh-name", message, part.span(), "");
                    continue;
                };
                let position = part.vector::<3>("refpos").map_or([0.0; 3], |p| p.value);
                let turn = part.vector::<4>("refquat").map(|q| q.value);
                let turn = turn.filter(|q| q.iter().any(|x| *x != 0.0));
                let turn = turn.map_or_else(Mat3::identity, |q| {
                    biela_core::math::rotation::matrix(&biela_core::math::rotation::normalized(&q))
                });
                let rule = match part.word("inertia", &["legacy", "exact", "shell", "convex"]) {
                    Some("exact") => Some(Rule::Exact),
                    Some("shell") => Some(Rule::Shell),
                    Some("convex") => None,
                    _ => Some(Rule::Legacy),
                };
                let mesh = Mesh {
                    path,
                    scale: part.vector::<3>("scale").map_or([1.0; 3], |s| s.value),
                    reference: Pose::new(turn, Vec3::from(position)),
                    rule,
                    unit: OnceCell::new(),
                    part,
                };
                let _ = list.insert(name, mesh);
            }
        }
        Meshes { list }
    }

    /// The mesh that a part names.
    fn named(&self, part: &MjcfElement<'_>) -> Option<(&str, &Mesh<'x>)> {
        let Some(name) = part.attribute("mesh") else {
            let message = format!("{} has no mesh", part.what());
            part.error(
                "no-mesh",
                message,
                part.span(),
                "mesh=\"…\" names one of the assets",
            );
            return None;
        };
        let found = self.list.get_key_value(name.value);
        if found.is_none() {
            let message = format!("{}: there is no mesh {}", part.what(), shown(name.value));
            let close = did_you_mean(name.value, self.list.keys().map(String::as_str));
            let help = close
                .map(|c| format!("did you mean `{c}`?"))
                .unwrap_or_default();
            part.error("unknown-mesh", message, name.span, &help);
        }
        found.map(|(name, mesh)| (name.as_str(), mesh))
    }
}

impl Mesh<'_> {
    /// Returns its triangles as written, or an error message.
    fn triangles(&self, folder: &dyn AssetFolder) -> Result<Triangles, String> {
        if let Some(path) = &self.path {
            let read = folder.read(path);
            let read = read.and_then(|bytes| Triangles::read(path, &bytes));
            return read.map_err(|reason| format!("{path}: {reason}; give the body an <inertial>"));
        }
        let numbers = |name| self.part.numbers(name).map(|n| n.value);
        let vertices = numbers("vertex").ok_or("it has neither a file nor vertices")?;
        let faces = numbers("face").ok_or(
            "its faces are those of the convex hull of its vertices, which is not computed: give the body an <inertial>",
        )?;
        Triangles::indexed(&vertices, &faces)
    }

    /// Returns mass properties at unit density, or an error message.
    fn unit(&self, folder: &dyn AssetFolder) -> Result<MeshProperties, String> {
        self.unit.get_or_init(|| self.computed(folder)).clone()
    }

    fn computed(&self, folder: &dyn AssetFolder) -> Result<MeshProperties, String> {
        let rule = self.rule.ok_or(
            "its inertia is that of its convex hull, which is not computed: write inertia=\"exact\", or an <inertial> for the body",
        )?;
        let triangles = self.triangles(folder)?;
        let [x, y, z] = self.scale;
        let back = self.reference.inverse();
        let scaled = triangles.moved(|v| back.point(&v).component_mul(&Vec3::new(x, y, z)));
        // a mirrored mesh has inverted faces
        let mirrored = x * y * z < 0.0;
        let scaled = if mirrored {
            Triangles(scaled.0.into_iter().map(|[a, b, c]| [a, c, b]).collect())
        } else {
            scaled
        };
        scaled
            .unit(rule)
            .ok_or_else(|| "it encloses no volume; its faces may point inwards".to_owned())
    }
}

/// Marks an error that was already reported.
pub(super) struct Reported;

/// A geom in the frame of its body.
pub(super) struct Geom<'x> {
    part: MjcfElement<'x>,
    pub(super) pose: Pose,
    pub(super) form: GeomShape,
    group: f64,
    /// Its mass, if given.
    told: Option<f64>,
    density: f64,
    hollow: bool,
}

/// The shape of a geom.
#[derive(Clone, Debug)]
pub(super) enum GeomShape {
    Solid(ShapeKind),
    Mesh(String),
    /// Planes and height fields: without mass, and without a counterpart in biela.
    Ground,
    /// An error, which was reported.
    Wrong,
}

impl<'x> Geom<'x> {
    /// Reads a geom; `frame` is the frame of its pose.
    pub(super) fn read(
        part: MjcfElement<'x>,
        frame: &Pose,
        settings: &CompilerSettings,
        meshes: &Meshes<'x>,
    ) -> Self {
        let kind = part.word("type", KINDS);
        let named_otherwise = kind.is_none() && part.attribute("type").is_some();
        let kind = kind.unwrap_or("sphere");
        let sizes = part.numbers("size").map(|s| s.value);
        let mut wrong = named_otherwise || (sizes.is_none() && part.attribute("size").is_some());
        let mut pose = settings.pose(&part);
        let mut half_length = None;
        if let Some(ends) = part.vector::<6>("fromto") {
            let [a, b, c, d, e, f] = ends.value;
            let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
            let apart = from - to;
            wrong = true;
            if !["capsule", "cylinder", "box", "ellipsoid"].contains(&kind) {
                let message = format!("{}: fromto is not allowed for a {kind}", part.what());
                let help = "fromto defines capsules, cylinders, boxes and ellipsoids";
                part.error("fromto", message, ends.span, help);
            } else if let Some(at) = part.element.attribute("pos") {
                let message = format!("{} has both pos and fromto", part.what());
                part.error("fromto", message, at.span, "leave one of them out");
            } else if apart.norm() < 1e-14 {
                let message = format!("{}: the ends of fromto are the same point", part.what());
                part.error("fromto", message, ends.span, "");
            } else {
                wrong = named_otherwise;
                pose = Pose::new(along(&apart), (from + to) * 0.5);
                half_length = Some(apart.norm() / 2.0);
            }
        }
        let form = if wrong {
            GeomShape::Wrong
        } else {
            let sizes = sizes.unwrap_or_default();
            form(&part, kind, &sizes, half_length, meshes)
        };
        Geom {
            pose: frame.then(&pose),
            form,
            group: part.number("group").unwrap_or(0.0),
            told: part.attribute("mass").map(|_| part.at_least_zero("mass")),
            density: match part.attribute("density") {
                Some(_) => part.at_least_zero("density"),
                None => DENSITY,
            },
            hollow: part.switch("shellinertia").unwrap_or(false),
            part,
        }
    }

    /// The source span, if the geom takes part in contacts in MuJoCo.
    pub(super) fn touches(&self) -> Option<Span> {
        let bits = |name| self.part.number(name).unwrap_or(1.0) != 0.0;
        // both attributes must be read
        let touches = [bits("contype"), bits("conaffinity")];
        touches.contains(&true).then(|| self.part.span())
    }

    /// The file, scale and pose of the mesh that it shows.
    pub(super) fn mesh<'m>(&self, meshes: &'m Meshes<'x>) -> Option<(&'m str, [f64; 3], Pose)> {
        let GeomShape::Mesh(name) = &self.form else {
            return None;
        };
        let mesh = meshes.list.get(name)?;
        let [x, y, z] = mesh.scale;
        let back = mesh.reference.inverse();
        let turned = back.R != Mat3::identity();
        let flat = mesh.scale.contains(&0.0);
        if flat || (turned && (x != y || y != z)) {
            // a scale along rotated axes cannot be expressed by a rotation and a scale of the file
            return None;
        }
        let shift = back.p.component_mul(&Vec3::new(x, y, z));
        let pose = self.pose.then(&Pose::new(back.R, shift));
        Some((mesh.path.as_deref()?, mesh.scale, pose))
    }

    /// Returns `true` if it contributes to the mass of its body.
    pub(super) fn has_mass(&self, settings: &CompilerSettings) -> bool {
        let [first, last] = settings.inertia_groups;
        !matches!(self.form, GeomShape::Ground) && (first..=last).contains(&self.group)
    }

    /// Its mass properties in the frame of its body; zero without mass. Errors are reported.
    pub(super) fn mass(
        &self,
        meshes: &Meshes<'_>,
        folder: &dyn AssetFolder,
    ) -> Result<Option<MassProperties>, Reported> {
        let part = &self.part;
        if self.told == Some(0.0) || (self.told.is_none() && self.density == 0.0) {
            return Ok(None);
        }
        let unit = match &self.form {
            GeomShape::Mesh(name) => match meshes.list.get(name).map(|mesh| mesh.unit(folder)) {
                Some(Ok(unit)) => unit,
                None => return Err(Reported),
                Some(Err(reason)) => {
                    let message = format!(
                        "{}: mass cannot be computed from mesh {}: {reason}",
                        part.what(),
                        shown(name)
                    );
                    part.error("mesh-mass", message, part.span(), "");
                    return Err(Reported);
                }
            },
            GeomShape::Solid(kind) if self.hollow => {
                let Some(unit) = shell(kind) else {
                    let message =
                        format!("{}: a hollow {} is not supported", part.what(), kind.name());
                    let help = "give the body an <inertial>, or leave shellinertia out";
                    part.error("shell", message, part.span(), help);
                    return Err(Reported);
                };
                unit
            }
            GeomShape::Solid(kind) => {
                let pose = Pose::identity();
                let kind = kind.clone();
                let solid = Shape { kind, pose }.solid(1.0);
                MeshProperties {
                    size: solid.mass,
                    center: solid.center,
                    inertia: solid.inertia,
                }
            }
            GeomShape::Ground => return Ok(None),
            GeomShape::Wrong => return Err(Reported),
        };
        let mass = self.told.unwrap_or(self.density * unit.size);
        let properties = MassProperties {
            mass,
            center: unit.center,
            inertia: unit.inertia * (mass / unit.size),
        };
        Ok(Some(properties.moved(&self.pose)))
    }
}

/// The shape of a geom from its sizes, which MuJoCo gives as half-lengths.
fn form(
    part: &MjcfElement<'_>,
    kind: &str,
    sizes: &[f64],
    half_length: Option<f64>,
    meshes: &Meshes<'_>,
) -> GeomShape {
    if matches!(kind, "plane" | "hfield") {
        return GeomShape::Ground;
    }
    if kind == "mesh" {
        return match meshes.named(part) {
            Some((name, _)) => GeomShape::Mesh(name.to_owned()),
            None => GeomShape::Wrong,
        };
    }
    if kind == "sdf" || part.attribute("mesh").is_some() {
        let message = format!(
            "{}: a {kind} fitted to a mesh is not supported",
            part.what()
        );
        let help = "write the fitted size, as in a model saved by MuJoCo, and leave the mesh out";
        part.error("fitted", message, part.span(), help);
        return GeomShape::Wrong;
    }
    let wanted = match kind {
        "sphere" => 1,
        "capsule" | "cylinder" => 2,
        _ => 3,
    };
    let sizes: Vec<f64> = match half_length {
        Some(half) => {
            let across = sizes.iter().take(1).cycle().take(wanted - 1);
            across.copied().chain([half]).collect()
        }
        None => sizes.iter().take(wanted).copied().collect(),
    };
    if sizes.len() < wanted || sizes.iter().any(|size| *size <= 0.0) {
        let count = wanted - usize::from(half_length.is_some()) * if wanted == 3 { 2 } else { 1 };
        let message = format!(
            "{}: a {kind} needs {}",
            part.what(),
            match count {
                1 => "a size greater than zero".to_owned(),
                _ => format!("{count} sizes greater than zero"),
            }
        );
        let span = part.attribute("size").map_or(part.span(), |s| s.span);
        part.error("size", message, span, "sizes are radii and half lengths");
        return GeomShape::Wrong;
    }
    GeomShape::Solid(match sizes[..] {
        [radius] => ShapeKind::Sphere { radius },
        [radius, half] if kind == "capsule" => ShapeKind::Capsule {
            radius,
            length: 2.0 * half,
        },
        [radius, half] => ShapeKind::Cylinder {
            radius,
            length: 2.0 * half,
        },
        [x, y, z] if kind == "box" => ShapeKind::Box {
            size: Vec3::new(x, y, z) * 2.0,
        },
        [x, y, z] => ShapeKind::Ellipsoid {
            semi_axes: Vec3::new(x, y, z),
        },
        _ => return GeomShape::Wrong,
    })
}

/// A thin closed shell over a solid at unit mass per area; `None` for an ellipsoid, whose area has no closed form.
fn shell(kind: &ShapeKind) -> Option<MeshProperties> {
    let side = |r: f64, l: f64| {
        let m = 2.0 * PI * r * l;
        (m, m * (r * r / 2.0 + l * l / 12.0), m * r * r)
    };
    let (size, across, along) = match *kind {
        ShapeKind::Sphere { radius: r } => {
            let m = 4.0 * PI * r * r;
            (m, m * r * r * 2.0 / 3.0, m * r * r * 2.0 / 3.0)
        }
        ShapeKind::Cylinder {
            radius: r,
            length: l,
        } => {
            let ((m, across, along), ends) = (side(r, l), 2.0 * PI * r * r);
            let ends_across = ends * (r * r / 4.0 + l * l / 4.0);
            (m + ends, across + ends_across, along + ends * r * r / 2.0)
        }
        ShapeKind::Capsule {
            radius: r,
            length: l,
        } => {
            let ((m, across, along), ball) = (side(r, l), 4.0 * PI * r * r);
            // each hemisphere has its mass centre r/2 beyond the end of the cylinder
            let out = f64::midpoint(l, r);
            let ball_across = ball * (r * r * 2.0 / 3.0 - r * r / 4.0 + out * out);
            let ball_along = ball * r * r * 2.0 / 3.0;
            (m + ball, across + ball_across, along + ball_along)
        }
        ShapeKind::Box { size } => {
            let corner = |k: usize| {
                let side = |bit: usize| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
                Vec3::new(side(0), side(1), side(2)).component_mul(&size)
            };
            let sides = [
                [0, 1, 3, 2],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 3, 7, 6],
                [0, 2, 6, 4],
                [1, 3, 7, 5],
            ];
            let halves = sides.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
            let triangles = halves
                .as_flattened()
                .iter()
                .map(|t| t.map(corner))
                .collect();
            return Triangles(triangles).unit(Rule::Shell);
        }
        _ => return None,
    };
    Some(MeshProperties {
        size,
        center: Vec3::zeros(),
        inertia: Mat3::from_diagonal(&Vec3::new(across, across, along)),
    })
}

/// The path of an asset relative to the folder of the main file.
fn path(file: &str, settings: &CompilerSettings) -> String {
    let file = if settings.on("strippath") {
        file.rsplit(['/', '\\']).next().unwrap_or(file)
    } else {
        file
    };
    let folder = settings.mesh_folder.trim_end_matches('/');
    if folder.is_empty() || file.starts_with('/') {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    }
}

/// The file name without folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
