use super::constraint_projector::projection_tolerance_field;
use super::equations::Equations;
use super::partition::Partition;
use super::reduced::ReducedBasis;
use super::{Method, MethodKind, Projected};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::model::Space;
use crate::system::System;

/// Orthonormal tangent space: the equations of motion on a basis of the free motions that is orthonormal in the metric of the
/// mass matrix (W. Blajer, *Computer Methods in Applied Mechanics and Engineering* 121 (1995) 45-57; Pacheco, eq. 3.31-3.37).
///
/// ```text
/// G B = 0,   Bᵀ M B = 1          v̇ = a_p + B Bᵀ (f − M a_p),   G a_p = γ          Φ_dᵀ λ = (f − M v̇)_d
/// ```
///
/// B is computed from the basis of coordinate partitioning, `( −Φ_d⁻¹ Φ_i ; 1 )`, by the Gram-Schmidt process applied twice; `a_p` is the acceleration
/// with zero independent accelerations. In tangent speeds u, with `v = B u`, this is `u̇ = Bᵀ (f − M Ḃ u)`: since `v̇ = B u̇ + Ḃ u`, the
/// whole of `M Ḃ u` is in `M a_p`. A closed form with `+½ Bᵀ Ṁ B u` instead of `−Bᵀ M Ḃ u` (Pacheco, eq. 3.38) omits the skew-symmetric part of `Bᵀ M Ḃ`
/// and is wrong even for a spherical pendulum, as a test below shows. After each step the state is projected as by [`super::Projection`].
///
/// Cost: O(n m (n + m)) for n coordinates and m rows, dense. Use it to study motion in independent speeds of unit mass.
#[derive(Clone, Debug)]
pub struct Tangent {
    partition: Partition,
    reduced: ReducedBasis,
    along: Vec<f64>,
}

keeps!(Tangent: partition);

impl Tangent {
    /// Creates the buffers for a system.
    pub(crate) fn of(system: &dyn System) -> Self {
        let n = system.sizes().velocities;
        let (mass, rows) = (system.mass_pattern(), system.jacobian_pattern());
        Tangent {
            partition: Partition::new(n, mass, rows, vec![true; rows.num_rows()]),
            reduced: ReducedBasis::new(n, mass),
            along: vec![0.0; n],
        }
    }

    /// Returns the columns of B at the last factorisation.
    pub fn basis(&self) -> impl Iterator<Item = &[f64]> {
        self.reduced.columns()
    }
}

impl Equations for Tangent {
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        self.partition.choose(mass, jacobian);
        let columns = self.reduced.start(self.partition.freedom());
        for (j, column) in columns.enumerate() {
            self.partition.free_motion(j, column);
        }
        self.reduced.orthonormalize(mass);
    }

    fn num_dependent(&self) -> usize {
        self.partition.num_rows() - self.partition.rank()
    }

    fn independence(&self) -> f64 {
        self.partition.independence()
    }

    fn solve(&mut self, mass: &[f64], _: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        self.partition.particular(gamma, &mut self.along);
        self.reduced.solve_orthonormal(mass, f, &mut self.along);
        self.reduced.unbalanced(mass, &self.along, f);
        self.partition.multipliers(f, gamma);
        f.copy_from_slice(&self.along);
    }
}

fields! { Tangent {
    use projection_tolerance_field;
} }

impl MethodKind for Tangent {
    const INFO: Info = Info {
        name: "tangent",
        aliases: &[],
        summary: "equations of motion on a tangent-space basis that is orthonormal in the metric of the mass matrix; projection after each step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let method = Projected::new(arguments, system, active, Tangent::of(system));
        Ok(Box::new(method))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::FieldValue;
    use crate::joints::Joint;
    use crate::math::rotation::identity;
    use crate::math::{Mat3, Pose, Vec3};
    use crate::model::{Body, MarkerIndex, MassProperties, Model};
    use crate::system::{Absolute, State, Workspace};

    const RADIUS: f64 = 5.0;

    fn pendulum() -> Absolute {
        let mut model = Model::new("spherical pendulum", Space::Spatial);
        model.gravity = Vec3::new(0.0, 0.0, -9.81);
        let inertia = Mat3::from_diagonal(&Vec3::new(0.2, 0.3, 0.4));
        let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
        let place = Pose::new(identity(), Vec3::new(0.0, 0.0, -RADIUS));
        let body = model.add_body(Body::new("bob", mass).at(place));
        let arguments = Arguments::new(Space::Spatial).with("length", FieldValue::Number(RADIUS));
        let rod = Joint::build("distance", &arguments).unwrap().unwrap();
        let marker = model.body_marker(body);
        let _ = model.add_joint("rod", rod, [MarkerIndex::GROUND, marker], &identity());
        Absolute::new(model)
    }

    /// The orthonormal tangent vectors at (x, y), from the motions along x and then y.
    fn tangents(x: f64, y: f64) -> [Vec3<f64>; 2] {
        let z = -(RADIUS * RADIUS - x * x - y * y).sqrt();
        let first = Vec3::new(1.0, 0.0, -x / z).normalize();
        let second = Vec3::new(0.0, 1.0, -y / z);
        [first, (second - first * second.dot(&first)).normalize()]
    }

    #[test]
    fn the_skew_symmetric_part_of_the_rotating_basis_is_kept() {
        let system = pendulum();
        let (x, y, speeds) = (2.0, 1.0, [1.0, 0.7]);
        let basis = tangents(x, y);
        let velocity = basis[0] * speeds[0] + basis[1] * speeds[1];

        let mut state = State::new(system.sizes());
        state.q[..4].copy_from_slice(&[x, y, -20.0_f64.sqrt(), 1.0]);
        state.v[..3].copy_from_slice(velocity.as_slice());
        let mut ws = Workspace::new(&system);
        let (q, v) = (&state.q, &state.v);
        system.update(0.0, q, v, &state.turns, &mut ws.kinematics);
        system.mass(&mut ws);
        system.forces(&mut ws).unwrap();
        system.constraints(&mut ws);
        let mut tangent = Tangent::of(&system);
        tangent.factor(&ws.mass, &ws.jacobian);
        let (mut a, mut lambda) = (ws.force.clone(), ws.gamma.clone());
        tangent.solve(&ws.mass, &ws.jacobian, &mut a, &mut lambda);
        let acceleration = Vec3::new(a[0], a[1], a[2]);

        // u̇ = Bᵀ (v̇ − Ḃ u), with Ḃ by finite differences along the motion
        let h = 1e-5;
        let at = |t: f64| tangents(x + t * velocity[0], y + t * velocity[1]);
        let (before, after) = (at(-h), at(h));
        let turning = [0, 1].map(|j| (after[j] - before[j]) / (2.0 * h));
        let drift = turning[0] * speeds[0] + turning[1] * speeds[1];
        let rates = basis.map(|b| b.dot(&(acceleration - drift)));
        assert!((rates[0] + 3.97634).abs() < 1e-5, "{rates:?}");
        assert!((rates[1] + 1.83188).abs() < 1e-5, "{rates:?}");

        // the error without this term: Bᵀ Ḃ is skew-symmetric and nonzero, and Bᵀ f alone is wrong
        let skew = basis[0].dot(&turning[1]);
        assert!((skew.abs() - 0.040_825).abs() < 1e-6, "{skew}");
        assert!((skew + basis[1].dot(&turning[0])).abs() < 1e-9);
        let force = Vec3::new(ws.force[0], ws.force[1], ws.force[2]);
        let wrong = basis.map(|b| b.dot(&force));
        assert!((wrong[0] + 4.00492).abs() < 1e-5, "{wrong:?}");
        assert!((wrong[1] + 1.79105).abs() < 1e-5, "{wrong:?}");
    }

    #[test]
    fn the_basis_is_orthonormal_in_the_mass_metric_and_satisfies_the_constraints() {
        let system = pendulum();
        let mut state = State::new(system.sizes());
        state.q[..4].copy_from_slice(&[2.0, 1.0, -20.0_f64.sqrt(), 1.0]);
        let mut ws = Workspace::new(&system);
        let (q, v) = (&state.q, &state.v);
        system.update(0.0, q, v, &state.turns, &mut ws.kinematics);
        system.mass(&mut ws);
        system.constraints(&mut ws);
        let mut tangent = Tangent::of(&system);
        tangent.factor(&ws.mass, &ws.jacobian);
        let columns: Vec<Vec<f64>> = tangent.basis().map(<[f64]>::to_vec).collect();
        assert_eq!(columns.len(), 5);
        for (i, a) in columns.iter().enumerate() {
            let along = system.jacobian_pattern().row_times(0, &ws.jacobian, a);
            assert!(along.abs() < 1e-15);
            let mut heavy = vec![0.0; a.len()];
            system.mass_pattern().add_product(&ws.mass, a, &mut heavy);
            for (j, b) in columns.iter().enumerate() {
                let product: f64 = b.iter().zip(&heavy).map(|(x, y)| x * y).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-14, "{i} {j}: {product}");
            }
        }
    }
}
