//! The scene: the objects to draw, as JSON for the page and for the file `scene.json` of a results folder.
//!
//! Numbers are in SI units. A pose is `x y z qx qy qz qw`: the position of a frame, and the unit quaternion of its orientation. Body 0 is the ground.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Name of the scene in a results folder.
pub const SCENE_FILE: &str = "scene.json";
/// The maximum size of a scene file.
const MAX_BYTES: u64 = 64 << 20;
/// The maximum number of points of the surface of a beam.
const MAX_SWEPT: usize = 1 << 22;
/// The number of values in a pose.
pub const POSE: usize = 7;
/// The number of values in a sample of a beam: position and value.
pub const SAMPLE: usize = 4;
/// The number of values in an arrow.
pub const ARROW: usize = 3;

/// The number of values of a contact point: state (0 open, 1 stick, 2 slip), position, unit normal, force on the second surface.
pub const TOUCH: usize = 10;

/// `x y z qx qy qz qw`.
pub type PoseArray = [f64; POSE];

/// The space in which bodies move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneSpace {
    /// In the x–y plane.
    Planar,
    /// In space.
    Spatial,
}

/// The bounding box at the start, along the ground's axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundingBox {
    /// Minimum coordinates.
    pub min: [f64; 3],
    /// Maximum coordinates.
    pub max: [f64; 3],
}

/// The geometry of a shape, lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ShapeGeometry {
    /// A box, centred.
    Box {
        /// Edge lengths.
        size: [f64; 3],
    },
    /// A cylinder along z, centred.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A sphere, centred.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// An ellipsoid, centred.
    Ellipsoid {
        /// Semi-axes along x, y, z.
        semi_axes: [f64; 3],
    },
    /// A cone along z: base at z = 0, tip at z = `length`.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Length from base to tip.
        length: f64,
    },
    /// A cylinder along z with hemispheres at both ends, centred; `length` is that of the cylinder.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylindrical part.
        length: f64,
    },
    /// A hollow cylinder along z, centred.
    Tube {
        /// Outer radius.
        radius: f64,
        /// Inner radius.
        inner: f64,
        /// Length.
        length: f64,
    },
    /// A round bar between two points.
    Bar {
        /// Radius.
        radius: f64,
        /// One end.
        from: [f64; 3],
        /// The other end.
        to: [f64; 3],
    },
    /// A surface in a file.
    Mesh {
        /// Its number among the meshes that the server provides.
        mesh: usize,
        /// The file, as named in the model.
        file: String,
        /// Scale factors along the axes of the file.
        scale: [f64; 3],
    },
}

/// A shape with its pose in the body frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneShape {
    /// Geometry and dimensions.
    #[serde(flatten)]
    pub form: ShapeGeometry,
    /// Pose of the shape's frame in the body frame.
    pub pose: PoseArray,
    /// `#rrggbb`, if the model defines a colour.
    pub color: Option<String>,
    /// Set if it was generated, because the body has no shapes of its own.
    pub generated: bool,
}

/// A point or frame fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneMarker {
    /// Name within its body.
    pub name: String,
    /// Pose in the body frame.
    pub pose: PoseArray,
}

/// A body; the first of a scene is the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// Mass centre in the body frame.
    pub center: [f64; 3],
    /// Inertia about the mass centre along the axes of the body frame: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// Its parent: the neighbour closest to the ground along the joints.
    pub parent: Option<usize>,
    /// The beam to which it belongs, for a station.
    pub station_of: Option<String>,
    /// Its shapes.
    pub shapes: Vec<SceneShape>,
    /// Its named points and frames.
    pub markers: Vec<SceneMarker>,
}

impl SceneBody {
    /// Returns `true` if a bar among its shapes has a smaller radius.
    pub(crate) fn has_bar_below(&self, least: f64) -> bool {
        let is_thin = |shape: &SceneShape| matches!(shape.form, ShapeGeometry::Bar { radius, .. } if radius < least);
        self.shapes.iter().any(is_thin)
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneJoint {
    /// Name.
    pub name: String,
    /// The type in the model file.
    #[serde(rename = "type")]
    pub kind: String,
    /// The two bodies.
    pub bodies: [usize; 2],
    /// The joint frame on each of them, in its body frame.
    pub frames: [PoseArray; 2],
    /// The axis of the joint frames about or along which the joint moves, if it has one: `x`, `y` or `z`.
    pub axis: Option<String>,
    /// Signals of its coordinates.
    pub coordinates: Vec<String>,
    /// The number of its degrees of freedom.
    pub freedom: usize,
}

/// The representation of a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SceneForceKind {
    /// A coil between two points.
    Spring,
    /// A barrel and its rod between two points: a damper or a hydraulic cylinder.
    Cylinder,
    /// A line between two points.
    Line,
    /// A force at a point.
    Arrow,
    /// A torque at a point.
    Torque,
}

/// A point fixed to a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttachmentPoint {
    /// The body.
    pub body: usize,
    /// The point in its frame.
    pub point: [f64; 3],
}

/// A force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneForce {
    /// Name.
    pub name: String,
    /// The type in the model file.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its representation.
    #[serde(rename = "kind")]
    pub drawn: SceneForceKind,
    /// Its points of application: one or two.
    pub ends: Vec<AttachmentPoint>,
    /// The joint along which it acts, if any.
    pub joint: Option<usize>,
}

/// The value that determines the colour of a beam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeamValue {
    /// Its name.
    pub name: String,
    /// SI unit.
    pub unit: String,
}

/// A polygon in the plane of a cross-section: `[y, z]`, width along y, height along z.
pub type Polygon = Vec<[f64; 2]>;

/// A sample of a beam at a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeamNode {
    /// The body, whose axes y and z are those of the section.
    pub body: usize,
    /// The fraction of the stress-free length up to it.
    pub share: f64,
}

/// The cross-section of a beam: its points vary linearly from the start to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneSection {
    /// Polygons at the start: the outer one, anticlockwise; then holes, clockwise.
    pub start: Vec<Polygon>,
    /// The same polygons at the end.
    pub end: Vec<Polygon>,
    /// Triangles of an end face, anticlockwise; points are counted through all polygons.
    pub faces: Vec<[usize; 3]>,
    /// Set if the polygons approximate circles and are shaded smoothly.
    pub round: bool,
    /// One per sample; empty if samples are evenly spaced and the axes follow from the centreline: in the plane the height lies in it, in space the section is
    /// upright at the start and has minimal rotation about the beam.
    #[serde(default)]
    pub nodes: Vec<BeamNode>,
}

impl SceneSection {
    /// The number of points of all polygons.
    fn points(&self) -> usize {
        self.start.iter().map(Vec::len).sum()
    }

    /// Returns `true` if a beam can be drawn with it.
    fn is_sound(&self, samples: usize, bodies: usize) -> bool {
        let counts = |polygons: &[Polygon]| polygons.iter().map(Vec::len).collect::<Vec<_>>();
        let ends = [&self.start, &self.end];
        let mut numbers = ends.into_iter().flatten().flatten().flatten();
        let points = self.points();
        let node = |node: &BeamNode| node.body < bodies && (0.0..=1.0).contains(&node.share);
        counts(&self.start) == counts(&self.end)
            && self.start.iter().all(|polygon| polygon.len() >= 3)
            && numbers.all(|x| (*x as f32).is_finite())
            && points.saturating_mul(samples) <= MAX_SWEPT
            && self.faces.len() <= 2 * points
            && self.faces.iter().flatten().all(|k| *k < points)
            && (self.nodes.is_empty() || self.nodes.len() == samples)
            && self.nodes.iter().all(node)
    }
}

/// A flexible beam, drawn with its section through its samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneBeam {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// The number of its samples in a frame, from its start to its end.
    pub samples: usize,
    /// Radius of a round bar of equal stiffnesses, which is drawn if the section is unknown.
    pub radius: f64,
    /// Its cross-section, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SceneSection>,
    /// The meaning of the fourth value of a sample.
    pub value: BeamValue,
}

/// The meaning of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArrowKind {
    /// The force of a joint on its second body.
    Reaction,
    /// The force of a force element on a body.
    Force,
    /// The torque of a force element on a body.
    Torque,
}

/// A vector of a frame, in ground axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    /// The joint or force to which it belongs.
    pub name: String,
    /// Its meaning.
    pub kind: ArrowKind,
    /// SI unit.
    pub unit: String,
    /// Its origin.
    pub at: AttachmentPoint,
}

/// A surface of a contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneSurface {
    /// The type in the model file.
    #[serde(rename = "type")]
    pub kind: String,
    /// The body to which it is fixed.
    pub body: usize,
    /// Pose of its frame in the body frame.
    pub pose: PoseArray,
    /// Polylines in its frame; a polyline of one point is a point. Those of an unbounded surface have unit half-lengths: it extends beyond them.
    pub outline: Vec<Vec<[f64; 3]>>,
    /// Whether it is a half-plane (y ≤ 0) or a half-space (z ≤ 0).
    pub unbounded: bool,
}

/// A contact between two surfaces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneContact {
    /// Name.
    pub name: String,
    /// Its surfaces: two, or more if one of them belongs to several points of a beam.
    pub surfaces: Vec<SceneSurface>,
    /// The number of its points in a frame.
    pub points: usize,
}

/// A parameter of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneParameter {
    /// Name.
    pub name: String,
    /// Value in SI units.
    pub value: f64,
    /// SI unit; empty if unknown.
    pub unit: String,
    /// Set if it is a formula of others.
    pub derived: bool,
}

/// All objects to draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// Description of the model.
    pub description: String,
    /// Planar or spatial.
    pub space: SceneSpace,
    /// Acceleration of gravity.
    pub gravity: [f64; 3],
    /// Bounding box at the start.
    pub bounds: BoundingBox,
    /// Bodies, the ground first.
    pub bodies: Vec<SceneBody>,
    /// Joints.
    pub joints: Vec<SceneJoint>,
    /// Forces.
    pub forces: Vec<SceneForce>,
    /// Beams.
    pub beams: Vec<SceneBeam>,
    /// Vectors of a frame.
    pub arrows: Vec<Arrow>,
    /// Contacts; scenes of older versions have none.
    #[serde(default)]
    pub contacts: Vec<SceneContact>,
    /// Parameters.
    pub parameters: Vec<SceneParameter>,
    /// The number of values in a frame: seven per body, then four per sample of every beam, then three per arrow, then ten per contact point.
    pub frame_size: usize,
    /// The frame of the assembled initial configuration.
    pub pose: Vec<f32>,
    /// The number of degrees of freedom at the start.
    pub freedom: usize,
    /// The degrees of freedom as text.
    pub mobility: String,
}

impl Scene {
    /// The number of values in a frame, computed from the contents.
    pub fn count(&self) -> usize {
        let samples = self.beams.iter().map(|beam| beam.samples);
        let samples = samples.fold(0, usize::saturating_add);
        (POSE * self.bodies.len())
            .saturating_add(samples.saturating_mul(SAMPLE))
            .saturating_add(ARROW * self.arrows.len())
            .saturating_add(TOUCH.saturating_mul(self.touches()))
    }

    /// The number of contact points in a frame.
    pub fn touches(&self) -> usize {
        let points = self.contacts.iter().map(|contact| contact.points);
        points.fold(0, usize::saturating_add)
    }

    /// The index of the first value of the contact points in a frame.
    pub fn first_touch(&self) -> usize {
        self.frame_size
            .saturating_sub(TOUCH.saturating_mul(self.touches()))
    }

    /// An inconsistency, if any: a scene may come from an untrusted file.
    pub fn problem(&self) -> Option<String> {
        let bodies = self.bodies.len();
        if bodies == 0 {
            return Some("it has no ground".to_owned());
        }
        if self.count() != self.frame_size || self.pose.len() != self.frame_size {
            return Some(
                "the size of a frame does not match the bodies, beams, arrows and contacts"
                    .to_owned(),
            );
        }
        let joints = self.joints.iter().flat_map(|joint| joint.bodies);
        let forces = self.forces.iter().flat_map(|force| &force.ends);
        let arrows = self.arrows.iter().map(|arrow| &arrow.at);
        let parents = self.bodies.iter().filter_map(|body| body.parent);
        let ends = forces.chain(arrows).map(|end| end.body);
        let surfaces = self.contacts.iter().flat_map(|contact| &contact.surfaces);
        let surfaces = surfaces.map(|surface| surface.body);
        let mut used = joints.chain(ends).chain(parents).chain(surfaces);
        if used.any(|body| body >= bodies) {
            return Some("an element refers to a body that does not exist".to_owned());
        }
        let sound = |beam: &SceneBeam| {
            let section = beam.section.as_ref();
            section.is_none_or(|section| section.is_sound(beam.samples, bodies))
        };
        if !self.beams.iter().all(sound) {
            return Some("the cross-section of a beam is invalid".to_owned());
        }
        let mut along = self.forces.iter().filter_map(|force| force.joint);
        if along.any(|joint| joint >= self.joints.len()) {
            return Some("a force refers to a joint that does not exist".to_owned());
        }
        None
    }

    /// Loads the scene of a results folder; `None` if there is none.
    pub fn load(dir: &Path) -> Result<Option<Self>, String> {
        let path = dir.join(SCENE_FILE);
        let shown = path.display();
        let about = match std::fs::metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{shown}: {error}")),
        };
        if !about.is_file() || about.len() > MAX_BYTES {
            return Err(format!(
                "{shown}: not a regular file of at most {} MiB",
                MAX_BYTES >> 20
            ));
        }
        let text = std::fs::read(&path).map_err(|error| format!("{shown}: {error}"))?;
        let scene: Scene =
            serde_json::from_slice(&text).map_err(|error| format!("{shown}: {error}"))?;
        match scene.problem() {
            Some(problem) => Err(format!("{shown}: {problem}")),
            None => Ok(Some(scene)),
        }
    }

    /// Numbers and files of the meshes.
    pub fn meshes(&self) -> impl Iterator<Item = (usize, &str)> {
        let shapes = self.bodies.iter().flat_map(|body| &body.shapes);
        shapes.filter_map(|shape| match &shape.form {
            ShapeGeometry::Mesh { mesh, file, .. } => Some((*mesh, file.as_str())),
            _ => None,
        })
    }

    /// The file of a mesh.
    pub fn mesh_file(&self, number: usize) -> Option<&str> {
        let mut meshes = self.meshes();
        Some(meshes.find(|(mesh, _)| *mesh == number)?.1)
    }

    /// Writes the scene into a results folder.
    pub fn save(&self, dir: &Path) -> std::io::Result<()> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        biela_files::write(&dir.join(SCENE_FILE), &text)
    }
}
