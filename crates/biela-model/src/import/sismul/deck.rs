//! The deck: the contents of the cards.

use crate::diagnostic::Span;

/// The upward vertical: the axis (0, 1, 2) and its sign. Gravity points in the opposite direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vertical {
    /// 0 = X, 1 = Y, 2 = Z.
    pub(super) axis: usize,
    /// 1 or −1.
    pub(super) sign: f64,
}

/// A body with its joint to the lower body.
#[derive(Clone, Debug)]
pub(super) struct SismulBar {
    /// Label of the mass centre.
    pub(super) label: String,
    /// Label of the joint.
    pub(super) joint_label: String,
    /// The number of the lower body; 0 for the inertial frame.
    pub(super) lower: usize,
    /// Mass.
    pub(super) mass: f64,
    /// O_j → Q_k in the axes of the lower body.
    pub(super) q: [f64; 3],
    /// O_k → G_k in the body's axes.
    pub(super) r: [f64; 3],
    /// Inertia about the mass centre, as on the three cards.
    pub(super) inertia: [[f64; 3]; 3],
    /// Locked or prescribed components: rotations about x, y, z, translations along x, y, z of the lower body.
    pub(super) locked: [bool; 6],
    /// Q_k → O_k in the axes of the lower body.
    pub(super) xi: [f64; 3],
    /// The derivative of `xi`.
    pub(super) xi_rate: [f64; 3],
    /// Dextral angles in degrees.
    pub(super) angles: [f64; 3],
    /// The derivatives of `angles`.
    pub(super) angle_rates: [f64; 3],
    /// Source spans of the cards.
    pub(super) places: BodySpans,
}

/// The source spans of the data of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodySpans {
    /// The mass.
    pub(super) mass: Span,
    /// The three cards of the inertia.
    pub(super) inertia: Span,
    /// The flags of the joint.
    pub(super) flags: Span,
    /// The card of ξ.
    pub(super) xi: Span,
    /// The card of the angles.
    pub(super) angles: Span,
}

/// A loop closed by a cut joint: two coincident points.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The number of the body common to both branches.
    pub(super) common: usize,
    /// The numbers of the two end bodies.
    pub(super) ends: [usize; 2],
    /// The point in the axes of each end body.
    pub(super) points: [[f64; 3]; 2],
    /// The card.
    pub(super) span: Span,
}

/// A prescribed acceleration: piecewise linear, with velocity and position at its first time.
#[derive(Clone, Debug)]
pub(super) struct SismulProfile {
    /// Number of the body.
    pub(super) body: usize,
    /// 0, 1, 2.
    pub(super) component: usize,
    /// Time and acceleration.
    pub(super) points: Vec<[f64; 2]>,
    /// Velocity at the first time.
    pub(super) velocity: f64,
    /// Position at the first time.
    pub(super) position: f64,
    /// The card of body and component.
    pub(super) span: Span,
}

/// The contents of all cards.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    /// Title.
    pub(super) title: String,
    /// The upward vertical, if there is gravity.
    pub(super) vertical: Option<Vertical>,
    /// Set if the motion is declared two-dimensional.
    pub(super) planar: bool,
    /// Gravity, given even if it is not used.
    pub(super) gravity: f64,
    /// Bodies 1, 2, …
    pub(super) bodies: Vec<SismulBar>,
    /// The loop, if there is one.
    pub(super) closure: Option<Loop>,
    /// Profiles of angles, in degrees.
    pub(super) angular: Vec<SismulProfile>,
    /// Profiles of translations.
    pub(super) linear: Vec<SismulProfile>,
    /// First time.
    pub(super) start: f64,
    /// Last time.
    pub(super) end: f64,
    /// First step size of the integrator.
    pub(super) step: f64,
    /// Tolerance of the local error per step.
    pub(super) tolerance: f64,
    /// Time between printed outputs.
    pub(super) print: f64,
}

impl Deck {
    /// The numbers of the bodies from k down to the inertial frame, k first; truncated if there is a cycle.
    pub(super) fn path(&self, k: usize) -> Vec<usize> {
        let mut path = vec![k];
        while let Some(bar) = path.last().and_then(|k| self.bodies.get(k.wrapping_sub(1))) {
            if bar.lower == 0 || path.len() > self.bodies.len() {
                break;
            }
            path.push(bar.lower);
        }
        path
    }
}
