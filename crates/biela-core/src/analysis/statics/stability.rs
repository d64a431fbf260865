//! Stability of an equilibrium: the stiffness on the free directions.
//!
//! ```text
//! Nᵀ K N x = ω² x        K = ∂(Gᵀλ − f)/∂q        G N = 0,  Nᵀ M N = 1
//! ```
//!
//! A positive ω² is the square of a natural frequency; if one is negative, the system diverges. Only the symmetric part of K
//! is used: if K is not symmetric, the eigenvalues indicate divergence but not flutter.

use super::inertia::StiffnessPencil;
use super::rest::Rest;
use super::{DENSE, Stability};
use crate::math::dense::{add, dot, symmetric_eigen};
use crate::model::JointIndex;
use crate::system::{NotFinite, State};

/// Eigenvalues below this fraction of the geometric stiffness of the forces there are zero.
const NEUTRAL: f64 = 1e-7;
/// So are those below this fraction of the stiffest coordinate, without joints: the accuracy of finite differences.
const DIFFERENCED: f64 = 1e-9;
/// With an exact tangent, those below this fraction of the stiffest motion: the rounding error.
const ROUNDED: f64 = 64.0 * f64::EPSILON;
/// An exact tangent that differs from finite differences by more than this fraction of the stiffest coordinate is incomplete, for example if a law reads
/// distant signals.
const COMPLETE: f64 = 1e-6;
/// A stiffness with a larger relative asymmetry than this has parts without a potential.
const ASYMMETRIC: f64 = 1e-5;

/// The stiffness at an equilibrium.
#[derive(Clone, Debug)]
pub(super) struct Stiffness {
    pub(super) stability: Stability,
    /// ω² in increasing order, exactly zero in neutral directions.
    pub(super) eigenvalues: Vec<f64>,
    /// Neutral motions, without restoring or destabilising force; for a large model only one of them.
    pub(super) neutral: Vec<Vec<f64>>,
    /// Number of neutral motions.
    pub(super) num_neutral: usize,
    pub(super) asymmetric: bool,
    /// The element with the largest motion in the direction of the smallest eigenvalue.
    pub(super) mover: Option<String>,
}

/// Computes the stiffness at a state that is evaluated by mass in `rest`.
pub(super) fn examine(rest: &mut Rest<'_>, state: &State) -> Result<Stiffness, NotFinite> {
    if rest.freedom() > DENSE {
        return Ok(examine_large(rest, state));
    }
    let directions = rest.free_directions();
    let columns = rest.stiffness(state, &directions)?;
    let n = directions.len();
    let (mut symmetric, mut odd, mut most) = (vec![0.0; n * n], 0.0_f64, 0.0_f64);
    for i in 0..n {
        for j in 0..n {
            let (a, b) = (columns[j][i], columns[i][j]);
            symmetric[n * i + j] = 0.5 * (a + b);
            odd = odd.max((a - b).abs());
            most = most.max(a.abs());
        }
    }
    let tangent = TangentMatrix::new(rest);
    let stiffest = tangent.stiffest(rest);
    let exact = tangent.on(rest, &directions, &symmetric, COMPLETE * stiffest);
    let rounding = if exact.is_some() {
        ROUNDED
    } else {
        DIFFERENCED
    };
    let mut eigen = symmetric_eigen(&mut exact.unwrap_or(symmetric), n);
    let motion = |shares: &[f64]| {
        let mut motion = vec![0.0; rest.unbalanced.len()];
        for (direction, share) in directions.iter().zip(shares) {
            add(&mut motion, *share, direction);
        }
        motion
    };
    let motions: Vec<Vec<f64>> = eigen.vectors.iter().map(|x| motion(x)).collect();
    let sizes = rest.force_sizes();
    let values = eigen.values.iter();
    let fastest = values.fold(stiffest, |most, x| most.max(x.abs()));
    for (value, motion) in eigen.values.iter_mut().zip(&motions) {
        // geometric stiffness: the forces there, rotated with the motion
        let magnitudes: Vec<f64> = motion.iter().map(|x| x.abs()).collect();
        let natural = dot(&sizes, &magnitudes) * rest.reach(state, motion);
        let zero = NEUTRAL * natural + rounding * fastest;
        if value.abs() <= zero {
            *value = 0.0;
        }
    }
    let stability = if eigen.values.iter().any(|value| *value < 0.0) {
        Stability::Unstable
    } else if eigen.values.contains(&0.0) {
        Stability::Marginal
    } else {
        Stability::Stable
    };
    let pairs = motions.iter().zip(&eigen.values);
    let neutral = pairs.filter(|(_, value)| **value == 0.0);
    Ok(Stiffness {
        stability,
        num_neutral: neutral.clone().count(),
        neutral: neutral.map(|(motion, _)| motion.clone()).collect(),
        mover: motions.first().map(|motion| mover(rest, state, motion)),
        eigenvalues: eigen.values,
        asymmetric: odd > ASYMMETRIC * most + DIFFERENCED * stiffest,
    })
}

/// The same by sparse factorisations, if all tangents are exact; otherwise unknown.
fn examine_large(rest: &mut Rest<'_>, state: &State) -> Stiffness {
    let mut found = Stiffness {
        stability: Stability::Unknown,
        eigenvalues: Vec::new(),
        neutral: Vec::new(),
        num_neutral: 0,
        asymmetric: false,
        mover: None,
    };
    let Some(mut pencil) = StiffnessPencil::new(rest) else {
        return found;
    };
    let fastest = TangentMatrix::new(rest).stiffest(rest);
    let smallest = pencil.smallest(ROUNDED * fastest, 2.0 * fastest);
    let (motion, value) = pencil.motion(smallest, fastest);
    found.mover = Some(mover(rest, state, &motion));
    found.asymmetric = pencil.asymmetry() > ASYMMETRIC;
    found.stability = if smallest < 0.0 {
        Stability::Unstable
    } else if smallest == 0.0 {
        Stability::Marginal
    } else {
        Stability::Stable
    };
    if smallest == 0.0 {
        found.eigenvalues.push(0.0);
        found.neutral.push(motion);
        found.num_neutral = pencil.below(ROUNDED * fastest);
    } else {
        found.eigenvalues.push(value);
    }
    found
}

/// `M + K` at the evaluated state, on the pattern of the tangent.
struct TangentMatrix {
    values: Vec<f64>,
}

impl TangentMatrix {
    fn new(rest: &mut Rest<'_>) -> Self {
        let mut values = vec![0.0; rest.system.tangent_pattern().entries.len()];
        rest.system
            .tangent(&mut rest.ws, &rest.multipliers, 1.0, 0.0, &mut values);
        TangentMatrix { values }
    }

    /// Returns the largest ω² of a single coordinate.
    fn stiffest(&self, rest: &Rest<'_>) -> f64 {
        let mut diagonal = vec![0.0; rest.unbalanced.len()];
        let pattern = rest.system.tangent_pattern();
        for (&(i, j), value) in pattern.entries.iter().zip(&self.values) {
            if i == j {
                diagonal[i] += value;
            }
        }
        // M + K against M
        let ratios = rest
            .weights()
            .map(|(i, mass)| (diagonal[i] / mass - 1.0).abs());
        ratios.fold(0.0, f64::max)
    }

    /// Returns `Nᵀ K N`, if the tangent is exact and differs from the finite-difference stiffness by no more than the given amount.
    fn on(
        &self,
        rest: &Rest<'_>,
        directions: &[Vec<f64>],
        differenced: &[f64],
        most: f64,
    ) -> Option<Vec<f64>> {
        // finite differences are sufficient if no fine mesh is much stiffer than the motion in question
        let model = rest.system.model();
        let meshed = !(model.beams.is_empty() && model.exact_beams.is_empty());
        if !meshed || !rest.system.has_analytic_tangent() {
            return None;
        }
        let n = directions.len();
        let mut out = vec![0.0; n * n];
        let mut bent = vec![0.0; rest.unbalanced.len()];
        for (j, direction) in directions.iter().enumerate() {
            bent.fill(0.0);
            let mass = rest.system.mass_pattern();
            mass.add_product(&rest.metric, direction, &mut bent);
            for x in &mut bent {
                *x = -*x;
            }
            let tangent = rest.system.tangent_pattern();
            tangent.add_product(&self.values, direction, &mut bent);
            for (i, other) in directions.iter().enumerate().take(j + 1) {
                let value = dot(other, &bent);
                (out[n * i + j], out[n * j + i]) = (value, value);
            }
        }
        let differences = out.iter().zip(differenced).map(|(a, b)| (a - b).abs());
        (differences.fold(0.0, f64::max) <= most).then_some(out)
    }
}

/// Returns the joint coordinate with the largest motion; in a model without joints, the body.
fn mover(rest: &mut Rest<'_>, state: &State, motion: &[f64]) -> String {
    let size = rest.size;
    let context = rest.move_by(state, motion);
    let model = context.model;
    let mut most = (0.0, String::new());
    for (j, element) in model.joints.iter().enumerate() {
        for (k, coordinate) in element.joint.coordinates(model.space).iter().enumerate() {
            let rate = context.coordinate_rate(JointIndex(j), k).abs();
            let rate = if coordinate.angular {
                rate
            } else {
                rate / size
            };
            if rate > most.0 * (1.0 + 1e-9) {
                most = (rate, format!("{}.{}", element.name, coordinate.name));
            }
        }
    }
    if most.0 > 0.0 {
        return most.1;
    }
    for (body, motion) in model.bodies.iter().zip(&context.kinematics.bodies) {
        let rate = motion.w.norm().max(motion.v.norm() / size);
        if rate > most.0 * (1.0 + 1e-9) {
            most = (rate, body.name.clone());
        }
    }
    most.1
}
