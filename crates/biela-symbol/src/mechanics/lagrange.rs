//! Lagrange's equations: the equations of motion derived from the energies.
//!
//! ```text
//! T = Σ ½ m v_G² + ½ ω·I ω      V = −Σ m g·r_G      d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Q
//! ```
//!
//! The energies are computed from the motion of each body, independently of the recursive force algorithms, so that agreement is a verification.

use biela_core::math::Real;
use biela_core::math::rotation::{apply, apply_transposed, dot};
use biela_core::tree::{pose_of, velocity_of};

use super::{Mechanism, time_rates};
use crate::arena::{Node, Symbol, VariableKind, variables};
use crate::diff::{Derivatives, derivative};
use crate::number::Number;

/// The energies of a mechanism.
#[derive(Clone, Copy, Debug)]
pub struct Energies {
    /// T.
    pub kinetic: Symbol,
    /// V of gravity; zero with all mass centres at the ground's origin. Bodies at a constant height are omitted.
    pub potential: Symbol,
}

/// Kinetic and potential energy, body by body.
pub fn energies(mechanism: &Mechanism<'_>) -> Energies {
    let (mut twice, mut potential) = (Symbol::ZERO, Symbol::ZERO);
    for (body, (mass, _, inertia)) in mechanism.numbers.bodies.iter().enumerate() {
        let place = mechanism.mass_center(body);
        let pose = pose_of(&mechanism.workspace, &place);
        let motion = velocity_of(&mechanism.workspace, &place);
        let spin = apply_transposed(&pose.R, &motion.w);
        twice += *mass * dot(&motion.v, &motion.v) + dot(&spin, &apply(inertia, &spin));
        potential -= moving_part(*mass * dot(&mechanism.numbers.gravity, &pose.p));
    }
    for (armature, rate) in mechanism.tree.armature.iter().zip(&mechanism.v) {
        twice += *armature * *rate * *rate;
    }
    Energies {
        kinetic: twice * Symbol::constant(0.5),
        potential,
    }
}

/// A formula without additive constants, because those of a potential do not affect the motion.
pub fn moving_part(sum: Symbol) -> Symbol {
    let moves = |term: Symbol| {
        let kinds = variables(&[term]).into_iter();
        let mut kinds = kinds.filter_map(|s| Some(s.as_variable()?.kind));
        kinds.any(|kind| kind == VariableKind::Coordinate)
    };
    match &*sum.node() {
        Node::Sum(terms, _) => {
            let moving = terms.iter().filter(|(term, _)| moves(*term));
            let moving = moving.map(|(term, factor)| (moving_part(*term), *factor));
            Symbol::sum(moving, Number::ZERO)
        }
        // m g (h + l sin q): the constants are within the only factor that has coordinates
        Node::Product(factors) if factors.iter().filter(|(f, _)| moves(*f)).count() == 1 => {
            let part = |(factor, exponent): &(Symbol, Number)| {
                let inner = moves(*factor) && exponent.is_one();
                let factor = if inner { moving_part(*factor) } else { *factor };
                (factor, *exponent)
            };
            Symbol::product(factors.iter().map(part))
        }
        _ if moves(sum) => sum,
        _ => Symbol::ZERO,
    }
}

/// Left sides of Lagrange's equations, with accelerations; `None` with Euler parameters, whose derivatives are not velocity coordinates.
pub fn equations(mechanism: &Mechanism<'_>) -> Option<Vec<Symbol>> {
    if !mechanism.has_plain_rates() {
        return None;
    }
    let Energies { kinetic, potential } = energies(mechanism);
    let speeds = mechanism.v.iter().copied().zip(mechanism.a.iter().copied());
    let mut time = Derivatives::along(time_rates(mechanism).into_iter().chain(speeds));
    let equation = |k: usize| {
        let momentum = derivative(kinetic, mechanism.v[k]);
        time.of(momentum) - derivative(kinetic - potential, mechanism.q[k])
    };
    Some((0..mechanism.freedom()).map(equation).collect())
}
