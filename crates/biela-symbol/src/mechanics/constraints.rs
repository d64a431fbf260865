//! The constraint equations of loops, couplers and drivers: Φ(q, t) = 0, G v̇ = γ.
//!
//! G is the derivative of Φ̇ with respect to v, and `γ = −(d/dt Φ̇)` at constant v. Both are obtained by differentiating the formulas, independently of the
//! Jacobians of the engine.
//!
//! ```
//! use biela_core::joints::{Distance, Revolute};
//! use biela_core::math::Pose;
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//! use biela_core::tree::Numbers;
//! use biela_symbol::mechanics::Mechanism;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // a rod on a pin, whose tip a massless link connects to the ground
//! let mut model = Model::new("rod", Space::Planar);
//! let rod = model.add_body(Body::new("rod", MassProperties::planar(1.0, [0.5, 0.0], 0.1)?));
//! let tip = model.add_marker("tip", rod, Pose::translation(1.0, 0.0, 0.0));
//! let _ = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
//! let _ = model.connect("link", Distance::new(1.0), [MarkerIndex::GROUND, tip]);
//! let mechanism = Mechanism::new(&model, Numbers::of(&model)).map_err(|e| e.to_string())?;
//! let rows = mechanism.constraints().rows;
//! // the link turns with the rod: its constraint does not depend on the angle
//! assert_eq!(rows.len(), 1);
//! assert_eq!(rows[0].jacobian.len(), 1);
//! # Ok(())
//! # }
//! ```

use biela_core::joints::{JointEquations, Relative};
use biela_core::math::rotation::{apply_transposed, cross, transposed_product};
use biela_core::math::{Pose, Real, Vec3};
use biela_core::model::{BodyIndex, DriverTarget, JointIndex, Model};
use biela_core::tree::{Numbers, Tree, TreeLocation, TreeWorkspace, pose_of, velocity_of};

use super::{Mechanism, angles, time_rates};
use crate::arena::{Symbol, VariableKind};
use crate::code::identifier;
use crate::diff::{Derivatives, derivative};
use crate::number::Number;
use crate::words::latex_name;

/// A constraint equation.
#[derive(Clone, Debug)]
pub struct ConstraintEquation {
    /// The element, and the index of the equation.
    pub label: String,
    /// Φ; `None` for a velocity constraint.
    pub phi: Option<Symbol>,
    /// Φ̇ = G v + the term of prescribed motion.
    pub rate: Symbol,
    /// The row of G.
    pub jacobian: Vec<Symbol>,
    /// γ.
    pub gamma: Symbol,
}

/// All constraint equations.
#[derive(Clone, Debug, Default)]
pub struct ConstraintEquations {
    /// The equations.
    pub rows: Vec<ConstraintEquation>,
    /// Prescribed motions with their derivatives: s, ṡ, s̈ of each driver.
    pub motions: Vec<[Symbol; 3]>,
    /// Offsets of couplers that are determined by assembly.
    pub offsets: Vec<Symbol>,
}

/// A row before differentiation: its label, Φ unless it is a velocity constraint, and Φ̇.
pub type EquationDraft<T> = (String, Option<T>, T);

pub(super) fn constraints(mechanism: &Mechanism<'_>) -> ConstraintEquations {
    let model = mechanism.model;
    let mut all = ConstraintEquations::default();
    for coupler in model.couplers.iter().filter(|c| c.offset.is_none()) {
        let name = format!("offset_{}", identifier(&coupler.name));
        all.offsets
            .push(Symbol::variable(&name, VariableKind::Parameter, 0.0));
    }
    for driver in &model.drivers {
        let name = identifier(&driver.name);
        let below = latex_name(&format!("s_{name}"));
        let rates = [("", "s"), ("'", r"\dot{s}"), ("''", r"\ddot{s}")];
        all.motions.push(rates.map(|(dots, latex)| {
            Symbol::variable(&format!("s_{name}{dots}"), VariableKind::Other, 0.7)
                .written(&below.replacen('s', latex, 1))
        }));
    }
    let open = mechanism.tree_kinematics().rows(&all.offsets, &all.motions);
    let motions = all
        .motions
        .iter()
        .flat_map(|[s, r, c]| [(*s, *r), (*r, *c)]);
    let mut along = Derivatives::along(time_rates(mechanism).into_iter().chain(motions));
    for (label, phi, rate) in open {
        let jacobian = mechanism.v.iter().map(|v| derivative(rate, *v)).collect();
        let gamma = along.of(rate).scaled(Number::MINUS_ONE);
        all.rows.push(ConstraintEquation {
            label,
            phi,
            rate,
            jacobian,
            gamma,
        });
    }
    all
}

/// A tree in motion, for any scalar type.
#[derive(Clone, Copy)]
pub struct TreeKinematics<'a, T: Real> {
    /// The model.
    pub model: &'a Model,
    /// Its numbers.
    pub numbers: &'a Numbers<T>,
    /// The tree.
    pub tree: &'a Tree<T>,
    /// The kinematics: poses and velocities.
    pub workspace: &'a TreeWorkspace<T>,
    /// Position coordinates.
    pub q: &'a [T],
    /// Velocity coordinates.
    pub v: &'a [T],
}

/// The two frames of a joint: pose, velocity of the origin and angular velocity, in ground axes.
struct Sides<T: Real> {
    first: Pose<T>,
    second: Pose<T>,
    /// Velocity of the second origin relative to the first.
    slip: Vec3<T>,
    /// Angular velocity of the first side, and of the second relative to it.
    turning: [Vec3<T>; 2],
}

impl<T: Real> TreeKinematics<'_, T> {
    /// The equations of loops, couplers and drivers, with the offsets and motions that the model does not define.
    pub fn rows(&self, offsets: &[T], motions: &[[T; 3]]) -> Vec<EquationDraft<T>> {
        let model = self.model;
        let mut rows: Vec<EquationDraft<T>> = Vec::new();
        for cut in &self.tree.span.cuts {
            self.loop_rows(*cut, &mut rows);
        }
        let mut offsets = offsets.iter().copied();
        for coupler in &model.couplers {
            let offset = coupler.offset.map(T::constant);
            let offset = offset.or_else(|| offsets.next()).unwrap_or_else(T::zero);
            let (mut phi, mut rate) = (-offset, T::zero());
            for &(joint, coordinate, factor) in &coupler.terms {
                let (value, speed) = self.measured(joint, coordinate);
                let factor = T::constant(factor);
                phi += factor * value;
                rate += factor * speed;
            }
            rows.push((format!("coupler `{}`", coupler.name), Some(phi), rate));
        }
        for (driver, motion) in model.drivers.iter().zip(motions) {
            let (value, speed) = match driver.target {
                DriverTarget::Joint(joint, coordinate) => self.measured(joint, coordinate),
                DriverTarget::Point(marker, axis) => {
                    let marker = &model.markers[marker.0];
                    let place = self.frame(marker.body, &marker.pose.constant());
                    let at = pose_of(self.workspace, &place).p[axis];
                    (at, velocity_of(self.workspace, &place).v[axis])
                }
            };
            let label = format!("driver `{}`", driver.name);
            rows.push((label, Some(value - motion[0]), speed - motion[1]));
        }
        rows
    }

    /// The pose and velocity of a frame of a body.
    pub(super) fn frame(&self, body: BodyIndex, pose: &Pose<T>) -> TreeLocation<T> {
        let ground = TreeLocation {
            link: None,
            pose: *pose,
        };
        body.number().map_or(ground, |b| {
            let place = &self.tree.places[b];
            TreeLocation {
                link: place.link,
                pose: place.pose.then(pose),
            }
        })
    }

    fn sides(&self, joint: JointIndex) -> Sides<T> {
        let element = &self.model.joints[joint.0];
        let [f, m] = &self.numbers.joints[joint.0];
        let places = [
            self.frame(element.first.0, f),
            self.frame(element.second.0, m),
        ];
        let [first, second] = places.map(|place| pose_of(self.workspace, &place));
        let [u, w] = places.map(|place| velocity_of(self.workspace, &place));
        Sides {
            first,
            second,
            slip: w.v - u.v,
            turning: [u.w, w.w - u.w],
        }
    }

    /// The equations of a joint that closes a loop; coincident points along ground axes.
    fn loop_rows(&self, joint: JointIndex, out: &mut Vec<EquationDraft<T>>) {
        let element = &self.model.joints[joint.0];
        let space = self.model.space;
        let sides = self.sides(joint);
        let motion = relative(&sides);
        let mut rows = JointEquations::new();
        element.joint.rows(space, &motion, &mut rows);
        let position_rows = element.joint.shape(space).position_rows;
        for (i, row) in rows.as_slice().iter().enumerate() {
            let label = format!("joint `{}`, equation {}", element.name, i + 1);
            let (phi, rate) = if i < rows.coincident() {
                (sides.second.p[i] - sides.first.p[i], sides.slip[i])
            } else {
                (row.phi, row.rate(&motion))
            };
            out.push((label, (i < position_rows).then_some(phi), rate));
        }
    }

    /// A measured coordinate of a joint and its derivative.
    pub fn measured(&self, joint: JointIndex, k: usize) -> (T, T) {
        let (joint, k) = angles::where_is(self.model, joint, k);
        let mut links = self.tree.links.iter();
        let on_tree = links.find(|link| link.element == Some(joint));
        if let Some(link) = on_tree.filter(|link| k < link.shape.scalars) {
            return (self.q[link.q + k], self.v[link.v + k]);
        }
        let motion = relative(&self.sides(joint));
        let element = &self.model.joints[joint.0];
        let row = element.joint.coordinate(self.model.space, k, &motion);
        (row.phi, row.rate(&motion))
    }
}

/// The relative motion of a joint, in the axes of F.
fn relative<T: Real>(sides: &Sides<T>) -> Relative<T> {
    let between = sides.second.p - sides.first.p;
    let carried = cross(&sides.turning[0], &between);
    let own = |x: &Vec3<T>| apply_transposed(&sides.first.R, x);
    let mut relative = Relative::at_rest(
        transposed_product(&sides.first.R, &sides.second.R),
        own(&between),
    );
    relative.v = own(&(sides.slip - carried));
    relative.w = own(&sides.turning[1]);
    relative
}
