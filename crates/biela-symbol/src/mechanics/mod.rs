//! The equations of motion of a model in symbolic form: the algorithms of [`biela_core::tree`] with symbols as scalars.
//!
//! ```text
//! M(q) v̇ + h(q, v) + g(q) = Q + G(q)ᵀ λ      Φ(q, t) = 0      G v̇ = γ
//! ```
//!
//! [`Mechanism`] computes M by the composite-rigid-body algorithm, h and g by the recursive Newton–Euler algorithm, and Φ, G, γ of loops, couplers and drivers.
//! [`lagrange`] derives the same equations from the energies; [`kane`] formulates them in chosen generalized speeds, in which constraints, holonomic or not,
//! are eliminated.

pub mod angles;
mod applied;
pub mod constraints;
pub mod kane;
pub mod lagrange;
mod linear;
mod names;

use biela_core::math::rotation::{normalized, zero3};
use biela_core::math::spatial::Twist;
use biela_core::math::{Pose, Random, Vec3};
use biela_core::model::Model;
use biela_core::tree::{
    Link, Numbers, Tree, TreeLocation, TreeWorkspace, jacobian, mass, pose_of, position_rates,
    positions, rnea, velocities,
};

pub use applied::{Applied, Stand};
pub use constraints::{ConstraintEquation, ConstraintEquations};
pub use names::TreeCoordinate;

use constraints::TreeKinematics;

use crate::arena::{Symbol, VariableKind};
use crate::poly::{Expander, shorter};
use crate::tape::cost;

/// With more coordinates, sums of velocities are never expanded.
const MOST_MULTIPLIED_OUT: usize = 4;

/// A joint of another crate, whose equations exist for numbers only.
#[derive(Clone, PartialEq, Eq)]
pub struct NumericJoint {
    /// The joint.
    pub joint: String,
    /// The name of its type.
    pub kind: &'static str,
}

impl std::fmt::Display for NumericJoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "joint `{}` is a `{}` of another crate, whose equations exist for numbers only; use a joint of biela for symbolic equations",
            self.joint, self.kind
        )
    }
}

impl std::fmt::Debug for NumericJoint {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for NumericJoint {}

/// A model whose coordinates are symbols.
pub struct Mechanism<'m> {
    /// The model.
    pub model: &'m Model,
    /// Its numbers, as symbols if they are named.
    pub numbers: Numbers<Symbol>,
    /// The tree of links.
    pub tree: Tree<Symbol>,
    /// The coordinates.
    pub coordinates: Vec<TreeCoordinate>,
    /// Position coordinates.
    pub q: Vec<Symbol>,
    /// Velocity coordinates.
    pub v: Vec<Symbol>,
    /// Derivatives of the velocity coordinates.
    pub a: Vec<Symbol>,
    /// Derivatives of the position coordinates.
    pub q_rates: Vec<Symbol>,
    /// The kinematics: poses and velocities.
    workspace: TreeWorkspace<Symbol>,
}

impl<'m> Mechanism<'m> {
    /// Creates symbols for the coordinates of a model.
    ///
    /// # Errors
    ///
    /// A joint of another crate, whose equations exist for numbers only.
    pub fn new(model: &'m Model, numbers: Numbers<Symbol>) -> Result<Self, NumericJoint> {
        let mut joints = model.joints.iter();
        if let Some(element) = joints.find(|element| !element.joint.supports::<Symbol>()) {
            return Err(NumericJoint {
                joint: element.name.clone(),
                kind: element.joint.info().name,
            });
        }
        let tree = Tree::with(model, &numbers);
        let coordinates = names::coordinates(model, &tree);
        let (q, v, a) = variables(&tree, &coordinates);
        let mut q_rates = vec![Symbol::ZERO; q.len()];
        position_rates(&tree, &q, &v, &mut q_rates);
        let mut workspace = TreeWorkspace::new(&tree);
        velocities(&tree, &mut workspace, &q, &v);
        Ok(Mechanism {
            model,
            numbers,
            tree,
            coordinates,
            q,
            v,
            a,
            q_rates,
            workspace,
        })
    }

    /// Number of velocity coordinates.
    pub fn freedom(&self) -> usize {
        self.v.len()
    }

    /// Returns `true` if velocity coordinates are the derivatives of position coordinates, i.e. if there are no Euler parameters.
    pub fn has_plain_rates(&self) -> bool {
        self.q_rates == self.v
    }

    /// M(q), row by row.
    pub fn mass(&self) -> Vec<Symbol> {
        let n = self.freedom();
        let mut entries = vec![Symbol::ZERO; n * n];
        let mut workspace = TreeWorkspace::new(&self.tree);
        positions(&self.tree, &mut workspace, &self.q);
        mass(&self.tree, &mut workspace, |i, j, value| {
            entries[i * n + j] = value;
            entries[j * n + i] = value;
        });
        entries
    }

    /// h(q, v): the centrifugal and Coriolis terms, i.e. the inertia terms at zero acceleration.
    pub fn bias(&self) -> Vec<Symbol> {
        let weightless = Tree {
            gravity: zero3(),
            ..self.tree.clone()
        };
        self.holding(&weightless, &self.v)
    }

    /// g(q): the gravity terms, on the side of inertia.
    pub fn gravity(&self) -> Vec<Symbol> {
        self.holding(&self.tree, &vec![Symbol::ZERO; self.freedom()])
    }

    fn holding(&self, tree: &Tree<Symbol>, v: &[Symbol]) -> Vec<Symbol> {
        let still = vec![Symbol::ZERO; self.freedom()];
        let mut out = still.clone();
        rnea(
            tree,
            &mut TreeWorkspace::new(tree),
            &self.q,
            v,
            &still,
            &[],
            &mut out,
        );
        out
    }

    /// Φ, G and γ of loops, couplers and drivers.
    pub fn constraints(&self) -> ConstraintEquations {
        constraints::constraints(self)
    }

    /// Generalized forces of springs, dampers, motors, forces and torques.
    pub fn applied(&self) -> Applied {
        applied::applied(self)
    }

    fn tree_kinematics(&self) -> TreeKinematics<'_, Symbol> {
        TreeKinematics {
            model: self.model,
            numbers: &self.numbers,
            tree: &self.tree,
            workspace: &self.workspace,
            q: &self.q,
            v: &self.v,
        }
    }

    /// The frame of a body with its origin at the mass centre.
    fn mass_center(&self, body: usize) -> TreeLocation<Symbol> {
        let mut place = self.tree.places[body];
        place.pose.p = place.pose.point(&self.numbers.bodies[body].1);
        place
    }

    /// The position of the mass centre of a body, in the ground frame.
    pub fn center(&self, body: usize) -> Vec3<Symbol> {
        pose_of(&self.workspace, &self.mass_center(body)).p
    }

    /// Partial velocities of a body: its angular velocity and the velocity of its mass centre for unit velocities, in ground axes.
    pub fn partial_velocities(&self, body: usize) -> Vec<Twist<Symbol>> {
        let mut columns = vec![Twist::zero(); self.freedom()];
        let place = self.mass_center(body);
        jacobian(&self.tree, &self.workspace, &place, &mut columns);
        columns
    }

    /// A link relative to its parent: its pose, and its motion for unit velocities of the joint, at its origin and along the axes of the parent.
    pub fn relative(&self, link: usize) -> (Pose<Symbol>, Vec<Twist<Symbol>>) {
        let own = &self.tree.links[link];
        let alone = Tree {
            links: vec![Link {
                parent: None,
                end: 1,
                q: 0,
                v: 0,
                ..own.clone()
            }],
            positions: own.shape.positions(),
            velocities: own.shape.freedom(),
            ..self.tree.clone()
        };
        let mut workspace = TreeWorkspace::new(&alone);
        positions(&alone, &mut workspace, &self.q[own.positions()]);
        let state = &workspace.links[0];
        let pose = Pose {
            R: state.R,
            p: state.o,
        };
        (pose, workspace.columns.clone())
    }

    /// Creates the simplifier for formulas of this mechanism.
    pub fn simplifier(&self) -> Simplifier {
        Simplifier::for_freedom(self.freedom())
    }
}

/// Simplifies formulas, with sums of velocities kept together if that is shorter.
pub struct Simplifier {
    whole: Expander,
    apart: Option<Expander>,
}

impl Simplifier {
    /// Creates a simplifier for a mechanism with this number of velocity coordinates.
    pub fn for_freedom(freedom: usize) -> Self {
        Simplifier {
            whole: Expander::with_whole_rates(),
            apart: (freedom <= MOST_MULTIPLIED_OUT).then(Expander::new),
        }
    }

    /// The formula in a readable form.
    pub fn simplify(&mut self, symbol: Symbol) -> Symbol {
        let whole = self.whole.simplify(symbol);
        match &mut self.apart {
            Some(apart) => shorter(apart.simplify(symbol), whole),
            None => whole,
        }
    }

    /// The formula with few operations.
    pub fn compact(&mut self, symbol: Symbol) -> Symbol {
        let whole = self.whole.compact(symbol);
        match &mut self.apart {
            Some(apart) => {
                let apart = apart.compact(symbol);
                if cost(&[apart]) <= cost(&[whole]) {
                    apart
                } else {
                    whole
                }
            }
            None => whole,
        }
    }

    /// Returns `true` if the formulas exceeded the limit of simplification.
    pub fn is_exhausted(&self) -> bool {
        let apart = self.apart.as_ref().is_some_and(Expander::is_exhausted);
        apart || self.whole.is_exhausted()
    }

    /// Formulas in a readable form.
    pub fn simplify_all(&mut self, symbols: &[Symbol]) -> Vec<Symbol> {
        symbols.iter().map(|s| self.simplify(*s)).collect()
    }

    /// Formulas with few operations in total: unchanged, or each rewritten.
    pub fn compact_all(&mut self, symbols: &[Symbol]) -> Vec<Symbol> {
        let compact: Vec<Symbol> = symbols.iter().map(|s| self.compact(*s)).collect();
        if !self.is_exhausted() && cost(&compact) < cost(symbols) {
            compact
        } else {
            symbols.to_vec()
        }
    }
}

/// Variables for the coordinates, velocities and accelerations. Samples are within a quarter turn, so that roots of squares of cosines are cosines.
fn variables(
    tree: &Tree<Symbol>,
    coordinates: &[TreeCoordinate],
) -> (Vec<Symbol>, Vec<Symbol>, Vec<Symbol>) {
    let mut random = Random::new(7);
    let mut q = Vec::new();
    for coordinate in coordinates {
        let sample = random.between(0.2, 1.2);
        let variable = Symbol::variable(&coordinate.name, VariableKind::Coordinate, sample);
        q.push(variable.written(&coordinate.latex));
    }
    let (mut v, mut a) = (Vec::new(), Vec::new());
    for link in &tree.links {
        for k in 0..link.shape.freedom() {
            let names = match coordinates.get(link.q + k) {
                Some(c) if k < link.shape.scalars => c.rates(),
                _ => names::spin(&coordinates[link.q].joint, k - link.shape.scalars),
            };
            let [rate, acceleration] = names;
            let sample = random.between(0.2, 1.2);
            v.push(Symbol::variable(&rate.0, VariableKind::Rate, sample).written(&rate.1));
            let sample = random.between(0.2, 1.2);
            let variable = Symbol::variable(&acceleration.0, VariableKind::Acceleration, sample);
            a.push(variable.written(&acceleration.1));
        }
        if link.shape.rotation {
            let first = link.q + link.shape.scalars;
            Symbol::have_unit_length(&q[first..first + 4]);
        }
    }
    (q, v, a)
}

/// Normalizes the Euler parameters in given numbers, to test formulas.
pub fn normalize(tree: &Tree<Symbol>, q: &mut [f64]) {
    for link in tree.links.iter().filter(|link| link.shape.rotation) {
        let first = link.q + link.shape.scalars;
        let unit = normalized(&[q[first], q[first + 1], q[first + 2], q[first + 3]]);
        q[first..first + 4].copy_from_slice(&unit);
    }
}

/// The time derivatives of the position coordinates along the motion.
pub(crate) fn time_rates(mechanism: &Mechanism<'_>) -> Vec<(Symbol, Symbol)> {
    let rates = mechanism
        .q
        .iter()
        .copied()
        .zip(mechanism.q_rates.iter().copied());
    rates.collect()
}
