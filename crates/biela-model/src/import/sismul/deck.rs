//! The deck: what the cards say.

use crate::diagnostic::Span;

/// Which way is up: the axis (0, 1, 2) and its sign. The weight points the other way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vertical {
    /// 0 = X, 1 = Y, 2 = Z.
    pub(super) axis: usize,
    /// 1 or −1.
    pub(super) sign: f64,
}

/// A body with its joint to the lower body.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    /// Label of the mass centre, and of the joint.
    pub(super) label: String,
    /// See above.
    pub(super) joint_label: String,
    /// Number of the lower body, 0 for the inertial frame.
    pub(super) lower: usize,
    /// Mass.
    pub(super) mass: f64,
    /// O_j → Q_k in the axes of the lower body.
    pub(super) q: [f64; 3],
    /// O_k → G_k in the body's axes.
    pub(super) r: [f64; 3],
    /// Inertia about the mass centre, as the three cards have it.
    pub(super) inertia: [[f64; 3]; 3],
    /// Locked or prescribed: rotations about x, y, z, translations along x, y, z of the lower body.
    pub(super) locked: [bool; 6],
    /// Q_k → O_k in the axes of the lower body, and its rate.
    pub(super) xi: [f64; 3],
    /// See above.
    pub(super) xi_rate: [f64; 3],
    /// Dextral angles, degrees, and their rates.
    pub(super) angles: [f64; 3],
    /// See above.
    pub(super) angle_rates: [f64; 3],
    /// Where things stand on the cards.
    pub(super) places: Places,
}

/// Where the numbers of a body stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
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

/// A loop closed by a cut: two points that coincide.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// Number of the body that both branches share.
    pub(super) common: usize,
    /// Numbers of the two end bodies.
    pub(super) ends: [usize; 2],
    /// The point in the axes of each.
    pub(super) points: [[f64; 3]; 2],
    /// The card.
    pub(super) span: Span,
}

/// A prescribed acceleration: piecewise linear, with velocity and position at its first time.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// Number of the body.
    pub(super) body: usize,
    /// 0, 1, 2.
    pub(super) component: usize,
    /// Time and acceleration.
    pub(super) points: Vec<[f64; 2]>,
    /// At the first time.
    pub(super) velocity: f64,
    /// At the first time.
    pub(super) position: f64,
    /// The card of body and component.
    pub(super) span: Span,
}

/// All that the cards say.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    /// Title.
    pub(super) title: String,
    /// Which way is up, when there is weight.
    pub(super) vertical: Option<Vertical>,
    /// Whether the motion is said to be two-dimensional.
    pub(super) planar: bool,
    /// Gravity, given even where it is not used.
    pub(super) gravity: f64,
    /// Bodies 1, 2, …
    pub(super) bodies: Vec<Bar>,
    /// The loop, if there is one.
    pub(super) closure: Option<Loop>,
    /// Profiles of angles, in degrees.
    pub(super) angular: Vec<Profile>,
    /// Profiles of translations.
    pub(super) linear: Vec<Profile>,
    /// First time.
    pub(super) start: f64,
    /// Last time.
    pub(super) end: f64,
    /// First step of the integrator.
    pub(super) step: f64,
    /// Error that a step may make.
    pub(super) tolerance: f64,
    /// Time between prints.
    pub(super) print: f64,
}

impl Deck {
    /// The numbers of the bodies from k down to the inertial frame, k first; cut short should they go round in a circle.
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
