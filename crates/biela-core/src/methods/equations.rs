//! Code shared by all methods: evaluates a system, solves the equations of motion in the form of the method, and adds friction,
//! powers and checks.

use super::friction::Frictions;
use super::sharing::Sharing;
use super::{Method, MethodError, MethodWork, Solution};
use crate::keep::{Keep, Words};
use crate::math::{Kkt, RowOrder};
use crate::system::{
    State, System, Workspace, diagnose_accelerations, first_driver_work, row_groups,
};

/// The equations of motion at an instant, in the form solved by a method:
///
/// ```text
/// M a + Gᵀ λ = f        G a = γ
/// ```
pub trait Equations: Clone + Sync + Send + Keep {
    /// Factorises with these values of M and G; a row of zeros is inactive.
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]);

    /// Returns the number of rows that the last factorisation found dependent, including rows of zeros.
    fn num_dependent(&self) -> usize;

    /// Returns the distance of the last factorisation from rank deficiency: the smallest independent part of a row relative to its largest
    /// norm so far, squared. Rows of zeros are ignored; one if there are no rows.
    fn independence(&self) -> f64;

    /// Solves for (a, λ) in place of (f, γ); λ is zero for dependent rows.
    fn solve(&mut self, mass: &[f64], jacobian: &[f64], f: &mut [f64], gamma: &mut [f64]);
}

impl Equations for Kkt {
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        Kkt::factor(self, mass, jacobian);
    }

    fn num_dependent(&self) -> usize {
        Kkt::num_dependent(self)
    }

    fn independence(&self) -> f64 {
        self.weakest().share
    }

    fn solve(&mut self, mass: &[f64], jacobian: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        Kkt::solve(self, mass, jacobian, f, gamma);
    }
}

/// Creates the sparse saddle-point factorisation for a system.
pub(crate) fn saddle_point(system: &dyn System) -> Kkt {
    Kkt::new(
        system.sizes().velocities,
        system.mass_pattern(),
        system.jacobian_pattern(),
        &row_groups(system),
        RowOrder::LeastFill,
    )
}

/// Accelerations, multipliers, friction and powers by some form of the equations. Constraints are imposed at the
/// acceleration level, and the state of the integrator is not changed.
#[derive(Clone, Debug)]
pub struct Accelerations<E> {
    pub(super) equations: E,
    pub(super) active: Vec<bool>,
    /// G without the inactive rows.
    pub(super) jacobian: Vec<f64>,
    frictions: Frictions,
    sharing: Option<Sharing>,
    /// Least independence of the rows since it was last requested.
    lowest: f64,
    pub(super) work: MethodWork,
}

impl<E: Keep> Keep for Accelerations<E> {
    fn keep(&mut self, words: &mut Words) {
        self.equations.keep(words);
        self.lowest.keep(words);
        self.work.keep(words);
    }
}

impl<E: Equations> Accelerations<E> {
    pub(crate) fn new(system: &dyn System, active: &[bool], equations: E) -> Self {
        Accelerations {
            equations,
            active: active.to_vec(),
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            frictions: Frictions::new(system),
            sharing: Sharing::new(system, active),
            lowest: f64::INFINITY,
            work: MethodWork::default(),
        }
    }

    /// Records the distance of the last factorisation from rank deficiency.
    pub(super) fn note_independence(&mut self) {
        self.lowest = self.lowest.min(self.equations.independence());
    }

    /// See [`Method::independence`].
    pub(super) fn take_independence(&mut self) -> f64 {
        std::mem::replace(&mut self.lowest, f64::INFINITY)
    }

    /// Copies G from `ws`, without the inactive rows.
    pub(super) fn take_jacobian(&mut self, system: &dyn System, ws: &Workspace) {
        self.jacobian.copy_from_slice(&ws.jacobian);
        let pattern = system.jacobian_pattern();
        for (i, active) in self.active.iter().enumerate() {
            if !active {
                self.jacobian[pattern.range(i)].fill(0.0);
            }
        }
    }

    /// Factorises with M and G of `ws`.
    pub(super) fn factor(&mut self, system: &dyn System, ws: &Workspace) {
        self.take_jacobian(system, ws);
        self.equations.factor(&ws.mass, &self.jacobian);
        self.note_independence();
        self.work.factorizations += 1;
    }

    /// Solves with the row equations `G a = right`, a function of the workspace and the row.
    pub(super) fn solve_for(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
        right: impl Fn(&Workspace, usize) -> f64,
    ) -> Result<(), MethodError> {
        if system.accelerates() && self.frictions.is_empty() && self.active.iter().all(|a| *a) {
            system.load(ws)?;
            if !self.active.is_empty() {
                system.constraints(ws);
            }
            for (i, wanted) in out.multipliers.iter_mut().enumerate() {
                *wanted = right(ws, i);
            }
            system.accelerate(ws, &mut out.rates, &mut out.multipliers);
            out.power.copy_from_slice(&ws.power);
            finite(system, ws, out)?;
            drive(system, ws, out);
            return Ok(());
        }
        system.mass(ws);
        system.forces(ws)?;
        system.constraints(ws);
        self.solve_evaluated(system, ws, out, right)
    }

    /// The same, with mass, forces and constraints as evaluated in the workspace.
    pub(crate) fn solve_evaluated(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        out: &mut Solution,
        right: impl Fn(&Workspace, usize) -> f64,
    ) -> Result<(), MethodError> {
        self.factor(system, ws);
        let left_out = self.active.iter().filter(|a| !**a).count();
        self.work.singular += u64::from(self.equations.num_dependent() > left_out);

        out.rates.copy_from_slice(&ws.force);
        for (i, active) in self.active.iter().enumerate() {
            out.multipliers[i] = if *active { right(ws, i) } else { 0.0 };
        }
        let (equations, jacobian) = (&mut self.equations, &self.jacobian);
        let mut solve =
            |f: &mut [f64], gamma: &mut [f64]| equations.solve(&ws.mass, jacobian, f, gamma);
        solve(&mut out.rates, &mut out.multipliers);

        out.power.copy_from_slice(&ws.power);
        if !self.frictions.is_empty() {
            self.frictions
                .apply(system, ws, solve, self.sharing.as_mut(), out)?;
        }
        finite(system, ws, out)?;
        drive(system, ws, out);
        Ok(())
    }
}

/// Returns the number of rows that are not those of unilateral constraints; those of the drivers are the last of them.
pub(crate) fn bilateral_rows(system: &dyn System) -> usize {
    system
        .base()
        .map_or(system.rows().len(), |base| base.rows().len())
}

/// Computes the power of the drivers.
fn drive(system: &dyn System, ws: &Workspace, out: &mut Solution) {
    // a driver delivers the power −λ ḟ; drift holds −ḟ
    let drivers = system.model().drivers.len();
    let first = bilateral_rows(system) - drivers;
    let works = first_driver_work(system.model());
    for d in 0..drivers {
        out.power[works + d] = out.multipliers[first + d] * ws.drift[first + d];
    }
}

/// Checks that accelerations and multipliers are finite.
fn finite(system: &dyn System, ws: &Workspace, out: &Solution) -> Result<(), MethodError> {
    let sum = out.rates.iter().sum::<f64>() + out.multipliers.iter().sum::<f64>();
    if sum.is_finite() {
        return Ok(());
    }
    Err(diagnose_accelerations(system, ws).into())
}

impl<E: Equations> Method for Accelerations<E> {
    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        self.solve_for(system, ws, out, |ws, i| ws.gamma[i])
    }

    fn is_direct(&self) -> bool {
        self.frictions.is_empty() && self.active.is_empty()
    }

    fn correct(
        &mut self,
        _: &dyn System,
        _: &mut Workspace,
        _: &mut State,
    ) -> Result<bool, MethodError> {
        Ok(false)
    }

    fn independence(&mut self) -> f64 {
        self.take_independence()
    }

    fn work(&self) -> MethodWork {
        self.work
    }
}
