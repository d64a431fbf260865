//! The force of a compliant contact.
//!
//! With the depth δ = −g and the slip velocity γ_t, the forces are
//!
//! ```text
//! λₙ = k δᵖ (1 + c δ̇)₊                               normal; k δᵖ has the potential k δᵖ⁺¹/(p + 1)
//! λ_t = −k_t (z + τ γ_t),  ż = γ_t                   stick, within |λ_t| ≤ μ_s λₙ
//! λ_t = −μ λₙ s                                      slip in the direction s
//! ```
//!
//! (K. H. Hunt, F. R. E. Crossley, *J. Appl. Mech.* 42 (1975) 440-445). p is one for a linear contact and 3/2 for the contact of two elastic bodies, for which
//!
//! ```text
//! k = 4/3 E* √r      1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂      1/r = 1/r₁ + 1/r₂      k_t/k_n = 4 G*/E*,  1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂
//! ```
//!
//! with the normal stiffness `k_n = p k δᵖ⁻¹` (H. Hertz 1882; R. D. Mindlin, *J. Appl. Mech.* 16 (1949) 259-268).
//!
//! **Restitution.** `v dv/dδ = −(k/m) δᵖ (1 + c v)` integrates to `c v − ln(1 + c v)` on both ways, so that a free impact with the velocity v ends with −e v if
//! d = c v satisfies
//!
//! ```text
//! d (1 + e) = ln((1 + d)/(1 − e d))
//! ```
//!
//! for any k, m and p. It is solved at each touch-down with the velocity of approach. A contact that closes slowly under a load gets the velocity at which it
//! would oscillate about its rest, `√(a δ₀/p)` with the free acceleration a and the depth δ₀ at rest.
//!
//! **Slip ends** where the bristles would no longer yield: in slip `z + τ γ_t = u s` with `u = μ λₙ/k_t`, so that the rate of yielding is
//! `(γ_t + τ γ̇_t)·s − u̇`. At the transitions between slip and stick the force is continuous if μ_s = μ.

use super::{ContactMemory, FrictionBound, GapFunction, Mode, Unilateral, UnilateralRows};
use crate::element::ArgumentError;
use crate::model::JointIndex;
use crate::system::EvaluationContext;

/// The stiffness and the dissipation of a contact in the compliant formulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Compliance {
    /// k, N/mᵖ; from `modulus` and the radii of the surfaces if omitted.
    pub stiffness: Option<f64>,
    /// p, 1 or 3/2.
    pub exponent: f64,
    /// The contact modulus E*, Pa.
    pub modulus: Option<f64>,
    /// c, s/m; from the coefficient of restitution if omitted.
    pub dissipation: Option<f64>,
    /// k_t, N/m; a share of the normal stiffness if omitted.
    pub tangential_stiffness: Option<f64>,
    /// That share, k_t/k_n.
    pub tangential_share: f64,
    /// The damping ratio of a body that vibrates on its bristles; that of the coefficient of restitution if omitted.
    pub tangential_damping: Option<f64>,
}

/// The elastic constants of one side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// Young's modulus E, Pa.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
}

/// The least coefficient of restitution that the law attains: e = 0 would need an infinite dissipation.
pub const LEAST_RESTITUTION: f64 = 0.05;

impl Compliance {
    /// No stiffness: the contact has no compliant formulation.
    pub const NONE: Compliance = Compliance {
        stiffness: None,
        exponent: 1.0,
        modulus: None,
        dissipation: None,
        tangential_stiffness: None,
        // equal materials with ν = 0.3
        tangential_share: 14.0 / 17.0,
        tangential_damping: None,
    };

    /// Whether the normal stiffness is known.
    pub fn is_given(&self) -> bool {
        self.stiffness.is_some() || self.modulus.is_some()
    }

    /// Hertz's law for the elastic constants of the two sides.
    pub(crate) fn hertz(self, sides: [Elasticity; 2]) -> Self {
        let plain = |side: &Elasticity| (1.0 - side.poisson * side.poisson) / side.youngs_modulus;
        let shear = |side: &Elasticity| {
            (2.0 - side.poisson) * 2.0 * (1.0 + side.poisson) / side.youngs_modulus
        };
        let modulus = 1.0 / sides.iter().map(plain).sum::<f64>();
        let of_shear = 1.0 / sides.iter().map(shear).sum::<f64>();
        Compliance {
            exponent: 1.5,
            modulus: Some(modulus),
            tangential_share: 4.0 * of_shear / modulus,
            ..self
        }
    }

    /// Checks the values.
    ///
    /// # Errors
    ///
    /// The first field that is out of its range.
    pub(crate) fn check(&self) -> Result<(), ArgumentError> {
        let positive = [
            ("stiffness", self.stiffness),
            ("young", self.modulus),
            ("tangential_stiffness", self.tangential_stiffness),
            ("tangential_stiffness", Some(self.tangential_share)),
        ];
        for (field, value) in positive {
            if let Some(x) = value.filter(|x| !(*x > 0.0 && x.is_finite())) {
                let message = format!("{x} must be greater than zero and finite");
                return Err(ArgumentError { field, message });
            }
        }
        let not_negative = [
            ("dissipation", self.dissipation),
            ("tangential_damping", self.tangential_damping),
        ];
        for (field, value) in not_negative {
            if let Some(x) = value.filter(|x| !(*x >= 0.0 && x.is_finite())) {
                let message = format!("{x} must be zero or greater, and finite");
                return Err(ArgumentError { field, message });
            }
        }
        if self.exponent != 1.0 && self.exponent != 1.5 {
            return Err(ArgumentError {
                field: "exponent",
                message: format!("{} is neither 1 nor 1.5", self.exponent),
            });
        }
        Ok(())
    }

    /// Returns k for surfaces with the effective radius r; `None` if it is not given and Hertz's law does not apply.
    pub(crate) fn stiffness_for(&self, radius: Option<f64>) -> Option<f64> {
        self.stiffness.or_else(|| {
            let radius = radius.filter(|r| *r > 0.0 && r.is_finite())?;
            Some(4.0 / 3.0 * self.modulus? * radius.sqrt())
        })
    }

    /// The elastic energy at a depth.
    pub(crate) fn energy(&self, touch: &TouchDown, depth: f64) -> f64 {
        let p = self.exponent + 1.0;
        touch.stiffness * depth.max(0.0).powf(p) / p
    }

    /// The constants of a contact that closes.
    pub(crate) fn touch_down(&self, restitution: f64, approach: &Approach) -> TouchDown {
        let Approach {
            stiffness: k,
            speed,
            acceleration: a,
            normal_response,
            tangential_response,
        } = *approach;
        let p = self.exponent;
        // the depth at rest, and the velocity of an oscillation about it
        let rest = (a.max(0.0) / (k * normal_response)).powf(1.0 / p);
        let speed = speed.max((a.max(0.0) * rest / p).sqrt());
        let e = restitution.max(LEAST_RESTITUTION);
        let dissipation = self.dissipation.unwrap_or_else(|| {
            if speed > 0.0 {
                dissipation_number(e) / speed
            } else {
                0.0
            }
        });
        let zeta = self.tangential_damping.unwrap_or_else(|| {
            let decrement = -e.ln();
            decrement / decrement.hypot(std::f64::consts::PI)
        });
        let deepest =
            ((p + 1.0) * speed * speed / (2.0 * k * normal_response)).powf(1.0 / (p + 1.0));
        let frequency = (self.tangential(k, deepest) * tangential_response).sqrt();
        TouchDown {
            stiffness: k,
            dissipation,
            retardation: if frequency > 0.0 {
                2.0 * zeta / frequency
            } else {
                0.0
            },
        }
    }

    /// k_t at a depth.
    fn tangential(&self, k: f64, depth: f64) -> f64 {
        let p = self.exponent;
        self.tangential_stiffness
            .unwrap_or_else(|| self.tangential_share * p * k * depth.max(0.0).powf(p - 1.0))
    }

    /// The normal force at a depth and its rate.
    pub(crate) fn press(&self, touch: &TouchDown, depth: f64, rate: f64) -> Pressure {
        let depth = depth.max(0.0);
        let p = self.exponent;
        let elastic = touch.stiffness * depth.powf(p);
        let slope = touch.stiffness * p * depth.powf(p - 1.0);
        let share = 1.0 + touch.dissipation * rate;
        let pulls = share <= 0.0;
        let share = share.max(0.0);
        let tangential = self.tangential(touch.stiffness, depth);
        Pressure {
            elastic,
            normal: elastic * share,
            by_depth: if depth > 0.0 { slope * share } else { 0.0 },
            by_rate: if pulls {
                0.0
            } else {
                elastic * touch.dissipation
            },
            tangential,
            tangential_by_depth: if self.tangential_stiffness.is_some() || depth == 0.0 {
                0.0
            } else {
                (p - 1.0) * tangential / depth
            },
            // λₙ/k_t without the division of two small numbers
            reach: match self.tangential_stiffness {
                Some(stiffness) => elastic * share / stiffness,
                None => depth * share / (self.tangential_share * p),
            },
        }
    }

    /// The rate of `λₙ/k_t` at a depth, its rate and its second derivative.
    pub(crate) fn reach_rate(
        &self,
        touch: &TouchDown,
        depth: f64,
        rate: f64,
        acceleration: f64,
    ) -> f64 {
        let depth = depth.max(0.0);
        let c = touch.dissipation;
        let share = 1.0 + c * rate;
        if share <= 0.0 {
            return 0.0;
        }
        if let Some(stiffness) = self.tangential_stiffness {
            let pressure = self.press(touch, depth, rate);
            return (pressure.by_depth * rate + pressure.by_rate * acceleration) / stiffness;
        }
        let slope = rate * share + depth * c * acceleration;
        slope / (self.tangential_share * self.exponent)
    }
}

/// What the constants of a contact that closes depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    /// k.
    pub(crate) stiffness: f64,
    /// Velocity of approach.
    pub(crate) speed: f64,
    /// Acceleration of approach without the force of the contact.
    pub(crate) acceleration: f64,
    /// Acceleration per unit normal and tangential force: the reciprocal of the effective mass.
    pub(crate) normal_response: f64,
    /// See above.
    pub(crate) tangential_response: f64,
}

/// Constants that a contact gets at touch-down.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct TouchDown {
    /// k, N/mᵖ.
    pub stiffness: f64,
    /// c, s/m.
    pub dissipation: f64,
    /// τ, s.
    pub retardation: f64,
}

/// The normal force of a contact at an instant with its derivatives, and the stiffness of its bristles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressure {
    /// k δᵖ.
    pub(crate) elastic: f64,
    /// λₙ, and its derivatives with respect to δ and δ̇.
    pub(crate) normal: f64,
    pub(crate) by_depth: f64,
    pub(crate) by_rate: f64,
    /// k_t, and its derivative with respect to δ.
    pub(crate) tangential: f64,
    pub(crate) tangential_by_depth: f64,
    /// λₙ/k_t.
    pub(crate) reach: f64,
}

/// The force of a compliant contact along its rows at an instant, and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactForce {
    /// Along the normal and the tangential directions.
    pub(crate) force: [f64; 3],
    /// Derivatives with respect to the gap and its rate, and of the friction with respect to the slip velocity.
    pub(crate) by_gap: [f64; 3],
    pub(crate) by_gap_rate: [f64; 3],
    pub(crate) by_slip: [[f64; 2]; 2],
    /// Power without that of the elastic normal force.
    pub(crate) power: f64,
    /// Rates of the integrals of the contact, see [`Unilateral::NUM_INTEGRALS`].
    pub(crate) rates: [f64; Unilateral::NUM_INTEGRALS],
}

impl Unilateral {
    /// Number of integrals of a compliant contact: of its normal force, then of the slip velocity in stick, the deflections z of its bristles.
    pub(crate) const NUM_INTEGRALS: usize = 3;

    /// Returns the force of a compliant contact with its joint and its rows; `None` if it is open, or not compliant. `index` is that among all unilateral
    /// constraints.
    pub(crate) fn respond(
        &self,
        context: &EvaluationContext<'_>,
        index: usize,
    ) -> Option<(JointIndex, UnilateralRows, ContactForce)> {
        let compliance = self.compliance?;
        let inputs = &context.kinematics.inputs;
        let memory = inputs.contact(index);
        if memory.mode == Mode::Open {
            return None;
        }
        let GapFunction::Pair { joint, .. } = self.gap else {
            return None;
        };
        let rows = self.pair_rows(context, &memory)?;
        let rel = &context.kinematics.joints[joint.0].rel;
        let rate = rows.normal.rate(rel);
        let pressure = compliance.press(&memory.touch, -rows.normal.phi, -rate);
        let mut out = ContactForce {
            force: [pressure.normal, 0.0, 0.0],
            by_gap: [-pressure.by_depth, 0.0, 0.0],
            by_gap_rate: [-pressure.by_rate, 0.0, 0.0],
            by_slip: [[0.0; 2]; 2],
            power: (pressure.normal - pressure.elastic) * rate,
            rates: [pressure.normal, 0.0, 0.0],
        };
        let mut slip = [0.0; 2];
        for (value, row) in slip.iter_mut().zip(&rows.tangents[..self.tangents]) {
            *value = row.rate(rel);
        }
        if memory.mode == Mode::Stick {
            let (deflection, lag) = inputs.bristles(index, slip);
            let touch = &memory.touch;
            for k in 0..self.tangents {
                let yielding = deflection[k] + touch.retardation * slip[k];
                out.force[1 + k] = -pressure.tangential * yielding;
                out.by_gap[1 + k] = pressure.tangential_by_depth * yielding;
                out.by_slip[k][k] = -pressure.tangential * (lag + touch.retardation);
                out.rates[1 + k] = slip[k];
            }
        } else if let FrictionBound::Coulomb { slip: mu, .. } = self.friction {
            self.slide(&memory, slip, mu, &pressure, &mut out);
        }
        out.power += out.force[1] * slip[0] + out.force[2] * slip[1];
        Some((joint, rows, out))
    }

    /// Adds the friction in slip.
    fn slide(
        &self,
        memory: &ContactMemory,
        slip: [f64; 2],
        mu: f64,
        pressure: &Pressure,
        out: &mut ContactForce,
    ) {
        let s = memory.direction(self.tangents, slip);
        let size = slip[0].hypot(slip[1]);
        let turns = self.tangents == 2 && slip[0] * s[0] + slip[1] * s[1] > 0.0;
        for k in 0..self.tangents {
            out.force[1 + k] = -mu * pressure.normal * s[k];
            out.by_gap[1 + k] = mu * pressure.by_depth * s[k];
            out.by_gap_rate[1 + k] = mu * pressure.by_rate * s[k];
            for (l, entry) in out.by_slip[k].iter_mut().enumerate().filter(|_| turns) {
                let across = if k == l { 1.0 } else { 0.0 } - s[k] * s[l];
                *entry = -mu * pressure.normal * across / size;
            }
        }
    }
}

/// Returns the d of `d (1 + e) = ln((1 + d)/(1 − e d))` for 0 < e ≤ 1.
pub(crate) fn dissipation_number(e: f64) -> f64 {
    // ln(1 + x) − x without cancellation
    let bend = |x: f64| {
        if x.abs() > 1e-2 {
            x.ln_1p() - x
        } else {
            let mut sum = 0.0;
            for n in (2..=10).rev() {
                let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
                sum = sum * x + sign / f64::from(n);
            }
            sum * x * x
        }
    };
    if e >= 1.0 {
        return 0.0;
    }
    // the difference is negative below the solution
    let (mut low, mut high) = (0.0, 1.0 / e);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if bend(middle) - bend(-e * middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dissipation_gives_the_coefficient_of_restitution() {
        for (p, e) in [
            (1.0, 0.05),
            (1.0, 0.3),
            (1.5, 0.5),
            (1.5, 0.9),
            (1.0, 0.999),
        ] {
            // unit mass, stiffness and velocity, by the classical Runge–Kutta method
            let c = dissipation_number(e);
            let law = |x: f64, v: f64| -x.max(0.0_f64).powf(p) * (1.0 + c * v).max(0.0);
            let (mut x, mut v, h) = (0.0_f64, 1.0_f64, 1e-4);
            loop {
                let before = (x, v);
                let k1 = (v, law(x, v));
                let k2 = (
                    v + 0.5 * h * k1.1,
                    law(x + 0.5 * h * k1.0, v + 0.5 * h * k1.1),
                );
                let k3 = (
                    v + 0.5 * h * k2.1,
                    law(x + 0.5 * h * k2.0, v + 0.5 * h * k2.1),
                );
                let k4 = (v + h * k3.1, law(x + h * k3.0, v + h * k3.1));
                x += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
                v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
                if x <= 0.0 {
                    v = before.1 + (v - before.1) * before.0 / (before.0 - x);
                    break;
                }
            }
            assert!((-v - e).abs() < 1e-6, "p = {p}: {} for {e}", -v);
        }
        assert_eq!(dissipation_number(1.0), 0.0);
        // 3/2 (1 − e) for e close to one
        assert!((dissipation_number(1.0 - 1e-9) / 1.5e-9 - 1.0).abs() < 1e-6);
    }
}
