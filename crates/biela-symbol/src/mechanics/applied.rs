//! Applied forces in symbolic form: springs, dampers, motors, forces and torques as generalized forces Q.
//!
//! A force element is a force or torque τ along a velocity ṡ ([`ForceTerm`]): its generalized force is `Q = τ ∂ṡ/∂v`. A law that depends on time or on signals
//! becomes a symbol.

use biela_core::forces::{ForceTerm, LineOfAction};
use biela_core::math::rotation::{apply, constant3, dot};
use biela_core::math::{Real, Vec3};
use biela_core::model::{Law, MarkerIndex, Model};
use biela_core::tree::{TreeLocation, pose_of, velocity_of};

use super::Mechanism;
use super::constraints::TreeKinematics;
use crate::arena::{Symbol, VariableKind};
use crate::code::identifier;
use crate::diff::derivative;
use crate::substitute::substitute;

/// The applied forces of a mechanism.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Q of all forces with a symbolic form.
    pub forces: Vec<Symbol>,
    /// Symbols in Q for the lengths of lines between points, and their formulas.
    pub lengths: Vec<(Symbol, Symbol)>,
    /// Symbols for forces and torques that follow laws of time and signals, and their force elements.
    pub efforts: Vec<(Symbol, String)>,
    /// Forces without a symbolic form.
    pub left_out: Vec<String>,
}

/// Placeholders for values that the tree kinematics do not know or do not expand.
pub trait Stand<T> {
    /// The value of a law that depends on time or signals, given the force and the index of the law.
    fn law(&mut self, force: usize, law: usize) -> T;
    /// The length of a line between two points, along which a force acts.
    fn length(&mut self, force: usize, length: T) -> T;
}

/// Symbols for laws and lengths.
struct Symbols<'m> {
    model: &'m Model,
    efforts: Vec<(Symbol, String)>,
    lengths: Vec<(Symbol, Symbol)>,
}

impl Stand<Symbol> for Symbols<'_> {
    fn law(&mut self, force: usize, law: usize) -> Symbol {
        let element = &self.model.forces[force];
        let mut name = format!("F_{}", identifier(&element.name));
        if element.force.laws().len() > 1 {
            name = format!("{name}_{}", law + 1);
        }
        let symbol = Symbol::variable(&name, VariableKind::Other, 0.61);
        self.efforts.push((symbol, element.name.clone()));
        symbol
    }

    fn length(&mut self, force: usize, length: Symbol) -> Symbol {
        let name = format!("L_{}", identifier(&self.model.forces[force].name));
        let symbol = Symbol::variable(&name, VariableKind::Other, length.sample());
        self.lengths.push((symbol, length));
        symbol
    }
}

pub(super) fn applied(mechanism: &Mechanism<'_>) -> Applied {
    let model = mechanism.model;
    let mut symbols = Symbols {
        model,
        efforts: Vec::new(),
        lengths: Vec::new(),
    };
    let parts = mechanism.tree_kinematics().efforts(&mut symbols);
    let along = |v: &Symbol| {
        let terms = parts
            .iter()
            .map(|(effort, rate)| *effort * derivative(*rate, *v));
        terms.fold(Symbol::ZERO, |sum, term| sum + term)
    };
    let left_out = model.forces.iter().filter(|f| f.force.terms().is_none());
    Applied {
        forces: mechanism.v.iter().map(along).collect(),
        lengths: symbols.lengths,
        efforts: symbols.efforts,
        left_out: left_out.map(|f| f.name.clone()).collect(),
    }
}

impl Applied {
    /// Q with the lengths substituted.
    pub fn written_out(&self) -> Vec<Symbol> {
        let lengths = || self.lengths.iter().copied();
        self.forces
            .iter()
            .map(|q| substitute(*q, lengths()))
            .collect()
    }
}

impl<T: Real> TreeKinematics<'_, T> {
    /// Forces or torques and the velocities along which they act.
    pub fn efforts(&self, stand: &mut dyn Stand<T>) -> Vec<(T, T)> {
        let mut all = Vec::new();
        for (f, element) in self.model.forces.iter().enumerate() {
            let mut laws = 0;
            for term in element.force.terms().unwrap_or_default() {
                all.push(self.effort(&term, f, &mut laws, stand));
            }
        }
        all
    }

    fn effort(
        &self,
        term: &ForceTerm<'_>,
        force: usize,
        laws: &mut usize,
        stand: &mut dyn Stand<T>,
    ) -> (T, T) {
        let (s, rate) = self.along(&term.line, &mut |length| stand.length(force, length));
        let mut value = |law: &Law| {
            law.constant().map_or_else(
                || {
                    *laws += 1;
                    stand.law(force, *laws - 1)
                },
                T::constant,
            )
        };
        let mut effort = -(T::constant(term.stiffness) * (s - T::constant(term.rest)));
        effort -= value(&term.damping) * rate;
        if !term.quadratic.is_zero() {
            effort -= value(&term.quadratic) * rate.abs() * rate;
        }
        if let Some(law) = term.law {
            let law = value(law);
            effort += if term.opposes { -law } else { law };
        }
        (effort, rate)
    }

    /// The quantity of a line and its derivative.
    fn along(&self, line: &LineOfAction, name: &mut dyn FnMut(T) -> T) -> (T, T) {
        match *line {
            LineOfAction::Joint(joint, k) => self.measured(joint, k),
            LineOfAction::Distance(ends) => {
                let [a, b] = ends.map(|marker| self.marker(marker));
                let d = pose_of(self.workspace, &b).p - pose_of(self.workspace, &a).p;
                let moving = velocity_of(self.workspace, &b).v - velocity_of(self.workspace, &a).v;
                let length = name(dot(&d, &d).sqrt());
                (length, dot(&d, &moving) / length)
            }
            LineOfAction::Point { at, axis, follows } => {
                let place = self.marker(at);
                let axis = self.direction(&place, &axis, follows);
                (
                    T::zero(),
                    dot(&axis, &velocity_of(self.workspace, &place).v),
                )
            }
            LineOfAction::Turn {
                on,
                against,
                axis,
                follows,
            } => {
                let place = self.marker(on);
                let axis = self.direction(&place, &axis, follows);
                let against = velocity_of(self.workspace, &self.marker(against)).w;
                let turning = velocity_of(self.workspace, &place).w - against;
                (T::zero(), dot(&axis, &turning))
            }
        }
    }

    fn marker(&self, marker: MarkerIndex) -> TreeLocation<T> {
        let marker = &self.model.markers[marker.0];
        self.frame(marker.body, &marker.pose.constant())
    }

    fn direction(&self, place: &TreeLocation<T>, axis: &Vec3<f64>, follows: bool) -> Vec3<T> {
        let axis = constant3(axis);
        if follows {
            apply(&pose_of(self.workspace, place).R, &axis)
        } else {
            axis
        }
    }
}
