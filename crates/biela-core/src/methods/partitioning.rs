use super::constraint_projector::projection_tolerance_field;
use super::constraint_projector::{Closed, ConstraintProjector, Corrector, ProjectedState};
use super::equations::{Accelerations, Equations};
use super::partition::Partition;
use super::reduced::ReducedBasis;
use super::{Method, MethodError, MethodKind, MethodWork, Solution};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::model::Space;
use crate::system::{State, System, Workspace};

/// Coordinate partitioning: only as many coordinates are integrated as there are degrees of freedom; the others follow from the constraints
/// (R. A. Wehage, E. J. Haug, *Journal of Mechanical Design* 104 (1982) 247-255; Pacheco, eq. 3.21-3.30, signs corrected).
///
/// ```text
/// Φ_d v̇_d + Φ_i v̇_i = γ       B = ( −Φ_d⁻¹ Φ_i ; 1 ),  Γ = ( Φ_d⁻¹ γ ; 0 )
/// (Bᵀ M B) v̇_i = Bᵀ (f − M Γ)       v̇ = B v̇_i + Γ       Φ_dᵀ λ = (f − M v̇)_d
/// ```
///
/// Before every evaluation the dependent positions are computed by Newton's method for Φ = 0, with the independent ones fixed, and the dependent velocities
/// by `Φ_d v_d = −Φ_i v_i − Φ_t`. The integrator carries all coordinates; its values of the dependent ones are only initial estimates. A stage for which
/// Newton's method does not converge is evaluated without correction: its error makes the integrator reduce the step.
///
/// Dependent coordinates are chosen by Gaussian elimination with full pivoting, with coordinates scaled by their mass. The choice is kept
/// until the largest entry of `Φ_d⁻¹ Φ_i` is three times its minimum since the choice. Φ_d is then ill-conditioned, and errors of
/// the independent coordinates are amplified. A new choice is made after the step, when the state satisfies all rows, so that no
/// coordinate is discontinuous. Velocity (nonholonomic) constraints require a second choice: all rows for velocities, position constraints only for positions.
///
/// Cost: O(n m (n + m)) for n coordinates and m rows, dense, and a Newton iteration in every stage. Use it if the constraints must be satisfied at
/// every stage, and for small models.
#[derive(Clone, Debug)]
pub struct Partitioning {
    accelerations: Accelerations<PartitionedEquations>,
    closing: ConstraintProjector,
    /// The given state of a stage, restored if Newton's method does not converge.
    given: (Vec<f64>, Vec<f64>),
}

keeps!(Partitioning: accelerations);

/// The equations in dependent and independent coordinates.
#[derive(Clone, Debug)]
struct PartitionedEquations {
    velocities: Partition,
    /// The choice for positions, if some rows are velocity constraints.
    positions: Option<Partition>,
    reduced: ReducedBasis,
    along: Vec<f64>,
}

keeps!(PartitionedEquations: velocities; positions);

impl PartitionedEquations {
    fn new(system: &dyn System) -> Self {
        let n = system.sizes().velocities;
        let (mass, rows) = (system.mass_pattern(), system.jacobian_pattern());
        let on_positions: Vec<bool> = system.rows().iter().map(|r| !r.nonholonomic).collect();
        let all = vec![true; on_positions.len()];
        let positions = (on_positions != all).then(|| Partition::new(n, mass, rows, on_positions));
        PartitionedEquations {
            velocities: Partition::new(n, mass, rows, all),
            positions,
            reduced: ReducedBasis::new(n, mass),
            along: vec![0.0; n],
        }
    }

    fn partitions(&mut self) -> impl Iterator<Item = &mut Partition> {
        std::iter::once(&mut self.velocities).chain(&mut self.positions)
    }
}

impl Equations for PartitionedEquations {
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        self.velocities.factor(mass, jacobian);
        let columns = self.reduced.start(self.velocities.freedom());
        for (j, column) in columns.enumerate() {
            self.velocities.free_motion(j, column);
        }
        self.reduced.factor(mass);
    }

    fn num_dependent(&self) -> usize {
        self.velocities.num_rows() - self.velocities.rank()
    }

    fn independence(&self) -> f64 {
        self.velocities.independence()
    }

    fn solve(&mut self, mass: &[f64], _: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        self.velocities.particular(gamma, &mut self.along);
        self.reduced.solve(mass, f, &mut self.along);
        self.reduced.unbalanced(mass, &self.along, f);
        self.velocities.multipliers(f, gamma);
        f.copy_from_slice(&self.along);
    }
}

/// Corrects dependent coordinates only.
struct AlongDependent<'a>(&'a mut Accelerations<PartitionedEquations>);

impl Corrector for AlongDependent<'_> {
    fn factor(&mut self, system: &dyn System, ws: &Workspace) {
        self.0.take_jacobian(system, ws);
        self.0.work.factorizations += 1;
        for partition in self.0.equations.partitions() {
            partition.factor(&ws.mass, &self.0.jacobian);
        }
        self.0.note_independence();
    }

    fn position_step(&mut self, _: &Workspace, change: &mut [f64], step: &mut [f64]) {
        let split = &mut self.0.equations;
        let partition = split.positions.as_mut().unwrap_or(&mut split.velocities);
        partition.particular(change, step);
    }

    fn velocity_step(&mut self, _: &Workspace, change: &mut [f64], step: &mut [f64]) {
        self.0.equations.velocities.particular(change, step);
    }
}

impl Partitioning {
    fn close(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        place: ProjectedState<'_>,
    ) -> Result<Closed, MethodError> {
        let mut along = AlongDependent(&mut self.accelerations);
        let closed = self.closing.close(&mut along, system, ws, place)?;
        self.accelerations.work.projections += closed.iterations;
        Ok(closed)
    }
}

fields! { Partitioning {
    use projection_tolerance_field;
} }

impl MethodKind for Partitioning {
    const INFO: Info = Info {
        name: "partitioning",
        aliases: &["coordinate-partitioning"],
        summary: "coordinate partitioning: independent coordinates are integrated, dependent ones computed from the constraints at every stage",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let sizes = system.sizes();
        Ok(Box::new(Partitioning {
            accelerations: Accelerations::new(system, active, PartitionedEquations::new(system)),
            closing: ConstraintProjector::new(arguments, system, active),
            given: (vec![0.0; sizes.positions], vec![0.0; sizes.velocities]),
        }))
    }
}

impl Method for Partitioning {
    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        self.accelerations.solve(system, ws, out)
    }

    fn prepares(&self) -> bool {
        true
    }

    fn prepare(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        time: f64,
        q: &mut [f64],
        v: &mut [f64],
        turns: &[f64],
    ) -> Result<(), MethodError> {
        self.given.0.copy_from_slice(q);
        self.given.1.copy_from_slice(v);
        let place = ProjectedState { time, q, v, turns };
        if self.close(system, ws, place).is_err() {
            q.copy_from_slice(&self.given.0);
            v.copy_from_slice(&self.given.1);
        }
        Ok(())
    }

    fn correct(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        state: &mut State,
    ) -> Result<bool, MethodError> {
        for partition in self.accelerations.equations.partitions() {
            if partition.is_degraded() {
                partition.forget();
            }
        }
        let place = ProjectedState {
            time: state.time,
            q: &mut state.q,
            v: &mut state.v,
            turns: &state.turns,
        };
        Ok(self.close(system, ws, place)?.moved)
    }

    fn independence(&mut self) -> f64 {
        self.accelerations.take_independence()
    }

    fn work(&self) -> MethodWork {
        let split = &self.accelerations.equations;
        let positions = split.positions.as_ref().map_or(0, Partition::choices);
        MethodWork {
            partitions: split.velocities.choices() + positions,
            ..self.accelerations.work
        }
    }
}
