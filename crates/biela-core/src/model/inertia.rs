//! Mass, mass centre and inertia of a body, with checks of physical consistency.

use nalgebra::SymmetricEigen;

use super::Space;
use crate::math::{Mat3, Pose, Vec3};

/// Rounding tolerance in comparisons of moments of inertia.
const ROOM: f64 = 1e-9;
/// Ratio to the largest principal moment below which a principal moment counts as zero.
const NOTHING: f64 = 1e-12;

/// The reason why values are not physically consistent mass properties.
#[derive(Clone, PartialEq)]
pub enum InertiaError {
    /// The mass is negative or not finite.
    Mass(f64),
    /// The inertia matrix is not symmetric or not finite.
    NotSymmetric,
    /// A principal moment of inertia is negative.
    Negative {
        /// Principal moments, smallest first.
        principal: [f64; 3],
    },
    /// The largest principal moment exceeds the sum of the others.
    Triangle {
        /// Principal moments, smallest first.
        principal: [f64; 3],
    },
}

impl std::fmt::Display for InertiaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InertiaError::Mass(m) => write!(f, "the mass is {m} kg; it must not be negative"),
            InertiaError::NotSymmetric => {
                write!(f, "the inertia must be a finite symmetric matrix")
            }
            InertiaError::Negative {
                principal: [a, b, c],
            } => write!(
                f,
                "the principal moments of inertia are {a:.6e}, {b:.6e}, {c:.6e} kg*m^2; none may be negative"
            ),
            InertiaError::Triangle {
                principal: [a, b, c],
            } => write!(
                f,
                "the principal moments of inertia violate the triangle inequality: {c:.6e} is more than {a:.6e} + {b:.6e} kg*m^2"
            ),
        }
    }
}

crate::readable_errors!(InertiaError);

/// Mass properties of a body. They are physically consistent, including point masses, thin rods and massless bodies, unless they are explicitly
/// taken as [unphysical](MassProperties::unphysical).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Mass centre in the body frame.
    pub center: Vec3<f64>,
    /// Inertia about the mass centre, axes parallel to the body frame.
    pub inertia: Mat3<f64>,
}

impl MassProperties {
    /// Checks and stores spatial mass properties.
    pub fn new(mass: f64, center: Vec3<f64>, inertia: Mat3<f64>) -> Result<Self, InertiaError> {
        Self::check_mass(mass)?;
        let inertia = symmetric(&inertia)?;
        let principal = principal(&inertia);
        let [a, b, c] = principal;
        // thin rods and flat bodies satisfy the inequality with equality, so a rounding tolerance is needed
        if a < -ROOM * c.abs() {
            return Err(InertiaError::Negative { principal });
        }
        if c > (a + b) * (1.0 + ROOM) {
            return Err(InertiaError::Triangle { principal });
        }
        Ok(MassProperties {
            mass,
            center,
            inertia,
        })
    }

    /// Stores given values without the physical check: any symmetric inertia, even an inconsistent one.
    pub fn unphysical(
        mass: f64,
        center: Vec3<f64>,
        inertia: Mat3<f64>,
    ) -> Result<Self, InertiaError> {
        Self::check_mass(mass)?;
        Ok(MassProperties {
            mass,
            center,
            inertia: symmetric(&inertia)?,
        })
    }

    /// Checks and stores planar mass properties: `inertia` is about the mass centre, normal to the plane.
    pub fn planar(mass: f64, center: [f64; 2], inertia: f64) -> Result<Self, InertiaError> {
        Self::check_mass(mass)?;
        if !(inertia >= 0.0 && inertia.is_finite()) {
            return Err(InertiaError::Negative {
                principal: [inertia; 3],
            });
        }
        // the two other moments do not enter a planar model; these are those of a flat round body
        let half = 0.5 * inertia;
        Ok(MassProperties {
            mass,
            center: Vec3::new(center[0], center[1], 0.0),
            inertia: Mat3::from_diagonal(&Vec3::new(half, half, inertia)),
        })
    }

    /// A massless body: the bodies to which it is connected must provide inertia for all its motions.
    pub fn massless(center: Vec3<f64>) -> Self {
        MassProperties {
            mass: 0.0,
            center,
            inertia: Mat3::zeros(),
        }
    }

    /// Whether mass and inertia are zero.
    pub fn is_massless(&self) -> bool {
        self.mass == 0.0
    }

    /// Whether the mass matrix of the body alone is positive definite.
    pub fn is_definite(&self, space: Space) -> bool {
        let [a, _, c] = match space {
            Space::Planar => [self.inertia[(2, 2)]; 3],
            Space::Spatial => principal(&self.inertia),
        };
        self.mass > 0.0 && a > NOTHING * c && c > 0.0
    }

    /// Returns the same body, with a positive definite inertia substituted if it has none: used as a metric for displacements of bodies.
    #[must_use]
    pub fn made_definite(&self, space: Space) -> Self {
        if self.is_definite(space) {
            return *self;
        }
        let mass = if self.mass > 0.0 { self.mass } else { 1.0 };
        MassProperties {
            mass,
            center: self.center,
            inertia: Mat3::identity() * (mass + self.inertia.norm()),
        }
    }

    fn check_mass(mass: f64) -> Result<(), InertiaError> {
        if mass >= 0.0 && mass.is_finite() {
            Ok(())
        } else {
            Err(InertiaError::Mass(mass))
        }
    }

    /// Returns the same body expressed in a frame in which its own frame has the pose `pose`.
    #[must_use]
    pub fn moved(&self, pose: &Pose) -> Self {
        MassProperties {
            mass: self.mass,
            center: pose.point(&self.center),
            inertia: pose.R * self.inertia * pose.R.transpose(),
        }
    }

    /// Returns two bodies rigidly joined.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        let center = if mass > 0.0 {
            (self.center * self.mass + other.center * other.mass) / mass
        } else {
            self.center
        };
        MassProperties {
            mass,
            center,
            inertia: self.inertia_about(&center) + other.inertia_about(&center),
        }
    }

    /// Inertia about a point of the body frame (parallel-axis theorem, Steiner).
    pub fn inertia_about(&self, point: &Vec3<f64>) -> Mat3<f64> {
        let d = self.center - point;
        self.inertia + (Mat3::identity() * d.norm_squared() - d * d.transpose()) * self.mass
    }
}

/// Returns the symmetric part of a matrix that is finite and symmetric up to rounding.
fn symmetric(inertia: &Mat3<f64>) -> Result<Mat3<f64>, InertiaError> {
    let size = inertia.norm();
    if !size.is_finite() || (inertia - inertia.transpose()).norm() > ROOM * size {
        return Err(InertiaError::NotSymmetric);
    }
    Ok((inertia + inertia.transpose()) * 0.5)
}

/// Principal moments of inertia, smallest first.
fn principal(inertia: &Mat3<f64>) -> [f64; 3] {
    let mut principal: [f64; 3] = SymmetricEigen::new(*inertia).eigenvalues.into();
    principal.sort_by(f64::total_cmp);
    principal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::math::rotation::matrix;

    #[test]
    fn invalid_inertias_are_rejected_with_their_principal_moments() {
        let diagonal = |a: f64, b: f64, c: f64| Mat3::from_diagonal(&Vec3::new(a, b, c));
        let make = |m: f64, i: Mat3<f64>| MassProperties::new(m, Vec3::zeros(), i);
        assert!(matches!(
            make(-1.0, diagonal(1.0, 1.0, 1.0)),
            Err(InertiaError::Mass(_))
        ));
        assert!(matches!(
            make(f64::NAN, diagonal(1.0, 1.0, 1.0)),
            Err(InertiaError::Mass(_))
        ));
        assert!(matches!(
            make(1.0, diagonal(1.0, -1.0, 1.0)),
            Err(InertiaError::Negative { .. })
        ));
        assert!(matches!(
            make(1.0, diagonal(1.0, 1.0, 2.1)),
            Err(InertiaError::Triangle { .. })
        ));
        let skewed = diagonal(1.0, 1.0, 1.0) + Mat3::new(0., 0.1, 0., 0., 0., 0., 0., 0., 0.);
        assert_eq!(make(1.0, skewed), Err(InertiaError::NotSymmetric));
        assert!(
            make(1.0, diagonal(1.0, 1.0, 2.0)).is_ok(),
            "a thin plate is a body"
        );
        let indefinite = diagonal(0.276, 0.2522, -0.0424);
        let kept = MassProperties::unphysical(1.0, Vec3::zeros(), indefinite);
        assert_eq!(kept.map(|kept| kept.inertia), Ok(indefinite));
    }

    #[test]
    fn point_masses_and_thin_rods_have_singular_inertias() {
        let make = |m: f64, i: [f64; 3]| {
            let inertia = Mat3::from_diagonal(&Vec3::from(i));
            let turn = matrix(&[0.3, 0.4, -0.2, 0.8].map(|x| x / f64::sqrt(0.93)));
            MassProperties::new(m, Vec3::zeros(), turn * inertia * turn.transpose()).unwrap()
        };
        assert!(make(1.0, [1.0, 1.0, 2.0]).is_definite(Space::Spatial));
        for lacking in [
            make(1.0, [0.0; 3]),
            make(1.0, [0.0, 2.0, 2.0]),
            make(0.0, [1.0; 3]),
            MassProperties::massless(Vec3::zeros()),
        ] {
            assert!(!lacking.is_definite(Space::Spatial));
            let whole = lacking.made_definite(Space::Spatial);
            assert!(whole.is_definite(Space::Spatial));
        }
        let point = MassProperties::planar(1.0, [0.0; 2], 0.0).unwrap();
        assert!(!point.is_definite(Space::Planar));
    }

    #[test]
    fn joining_is_associative_and_translation_keeps_principal_moments() {
        let mut random = Random::new(9);
        let mut body = || {
            let rotation = matrix(&random.rotation());
            let inertia =
                rotation * Mat3::from_diagonal(&Vec3::new(1.0, 1.2, 1.5)) * rotation.transpose();
            MassProperties::new(random.between(0.5, 2.0), random.vector(1.0), inertia).unwrap()
        };
        let (a, b, c) = (body(), body(), body());
        let left = a.joined(&b).joined(&c);
        let right = a.joined(&b.joined(&c));
        assert!((left.inertia - right.inertia).norm() < 1e-12);
        assert!((left.center - right.center).norm() < 1e-14);
        let pose = Pose::new(matrix(&[0.3, 0.4, -0.2, 0.8]), Vec3::new(1.0, 2.0, 3.0));
        let (before, after) = (a.inertia.trace(), a.moved(&pose).inertia.trace());
        assert!((before - after).abs() < 1e-12);
    }
}
