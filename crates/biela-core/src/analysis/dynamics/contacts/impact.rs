//! Impacts: jumps of the velocity where contacts close.
//!
//! The impulses P of all closed contacts follow from the contact problem at the level of velocities,
//!
//! ```text
//! γ⁺ = γ⁻ + D P        0 ≤ γₙ⁺ + e γₙ⁻ ⟂ Pₙ ≥ 0        |P_t| ≤ μ Pₙ opposing γ_t⁺
//! ```
//!
//! (Newton's law of impact with Coulomb friction). With a tangential restitution e_t, γ_t⁺ + e_t γ_t⁻ takes the place of γ_t⁺ in the law of friction. Poisson's law
//! divides the impact into a compression, with the solution C of this problem for e = 0, and an expansion,
//!
//! ```text
//! γ⁺ = γ⁻ + D (C + E)   0 ≤ γₙ⁺ ⟂ Eₙ − e Cₙ ≥ 0        |E_t| ≤ μ Eₙ opposing γ_t⁺
//! ```
//!
//! (F. Pfeiffer and Ch. Glocker, *Multibody Dynamics with Unilateral Contacts*, Wiley 1996). The work of the impulses, P·(γ⁺ + γ⁻)/2, is the energy that the impact dissipates.

use super::{FORCELESS, Simulation};
use crate::analysis::ImpactLaw;
use crate::integrators::IntegrationError;
use crate::methods::bilateral_rows;
use crate::system::{first_contact_work, first_driver_work};
use crate::unilateral::problem::{ContactProblem, FrictionTerm};
use crate::unilateral::{FrictionBound, Mode};

impl Simulation {
    /// Applies an impact if closed contacts approach; returns whether there was one.
    pub(super) fn collide(&mut self) -> Result<bool, IntegrationError> {
        self.evaluate_rows()?;
        let closing = |this: &Self, i: usize| {
            let unilateral = &this.dynamics.system.unilaterals()[i];
            let rigid = unilateral.has_normal() && unilateral.compliance.is_none();
            let closed = this.dynamics.contact(i).mode != Mode::Open && rigid;
            let row = this.dynamics.system.unilateral_row(i);
            closed && this.dynamics.ws.rate[row] < -this.contacts.least_speed
        };
        let count = (0..self.contacts.values.len())
            .filter(|i| closing(self, *i))
            .count();
        if count == 0 {
            return Ok(false);
        }
        self.gather(false, |this, i| {
            match this.dynamics.system.unilaterals()[i].friction {
                FrictionBound::Coulomb { slip: mu, .. } => FrictionTerm::Cone { mu, offset: 0.0 },
                _ => FrictionTerm::None,
            }
        });
        match self.contacts.impact {
            ImpactLaw::Newton => {
                self.approach(true);
                if self.contacts.problem.solve().is_err() {
                    self.contacts.statistics.jammed += 1;
                    self.compress_and_expand()?;
                }
            }
            ImpactLaw::Poisson => {
                self.approach(false);
                self.solve_contacts()?;
                self.expand()?;
            }
        }
        self.note_residual();
        self.jump();
        self.contacts.statistics.impacts += 1;
        self.contacts.statistics.simultaneous += u64::from(count > 1);
        Ok(true)
    }

    /// Solves an impact for which Newton's law has no solution: friction that would jam a contact prevents the rebound that it requires. The impulses P of the
    /// impact without restitution always exist, and the expansion returns a share e of them, as in Poisson's law: (1 + e) P. With one e for all, the mean
    /// weighted with the normal impulses, no energy is created: `P·(γ⁻ + DP) ≤ 0` implies `(1 + e) P·γ⁻ + ½ (1 + e)² P·DP ≤ 0`.
    fn compress_and_expand(&mut self) -> Result<(), IntegrationError> {
        self.approach(false);
        self.solve_contacts()?;
        let contacts = &mut self.contacts;
        let mut sums = (0.0, 0.0);
        for (i, term) in contacts.members.iter().zip(&contacts.problem.terms) {
            if !term.normal {
                continue;
            }
            let impulse = contacts.problem.force[term.row];
            sums.0 += impulse;
            sums.1 += impulse * self.dynamics.system.unilaterals()[*i].restitution;
        }
        let e = if sums.0 > 0.0 { sums.1 / sums.0 } else { 0.0 };
        for impulse in &mut contacts.problem.force {
            *impulse *= 1.0 + e;
        }
        Ok(())
    }

    /// Solves for the impulses of expansion, after the compression, and adds those of the compression.
    fn expand(&mut self) -> Result<(), IntegrationError> {
        let contacts = &mut self.contacts;
        let ContactProblem {
            terms,
            delassus,
            free,
            force,
            motion,
            ..
        } = &mut contacts.problem;
        let n = force.len();
        contacts.compression.clear();
        contacts.compression.extend_from_slice(force);
        free.copy_from_slice(motion);
        for (i, term) in contacts.members.iter().zip(terms) {
            let presser = self.dynamics.system.unilaterals()[*i].pressed_by(*i);
            let e = self.dynamics.system.unilaterals()[presser].restitution;
            let released = e * force[term.pressing];
            if term.normal {
                for (k, free) in free.iter_mut().enumerate() {
                    *free += delassus[n * k + term.row] * released;
                }
                contacts.compression[term.row] += released;
            }
            if let FrictionTerm::Cone { offset, .. } = &mut term.friction {
                *offset = released;
            }
        }
        self.solve_contacts()?;
        let contacts = &mut self.contacts;
        for (impulse, before) in contacts.problem.force.iter_mut().zip(&contacts.compression) {
            *impulse += before;
        }
        Ok(())
    }

    /// Sets the free velocities of the contact problem, with restitution of the contacts that approach if `restores`.
    pub(super) fn approach(&mut self, restores: bool) {
        let ws = &self.dynamics.ws;
        for k in 0..self.contacts.members.len() {
            let i = self.contacts.members[k];
            let term = self.contacts.problem.terms[k];
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let row = self.contacts.delassus.rows[term.row];
            let approach = if term.normal { ws.rate[row] } else { 0.0 };
            let (normal, tangential) = if approach < 0.0 && restores {
                let e_t = unilateral.tangential_restitution;
                (1.0 + unilateral.restitution, 1.0 + e_t)
            } else {
                (1.0, 1.0)
            };
            let free = &mut self.contacts.problem.free[term.row..];
            if term.normal {
                free[0] = normal * approach;
            }
            for (free, slip) in free[unilateral.first_tangent()..]
                .iter_mut()
                .zip(ws.slip[i])
                .take(term.tangents)
            {
                *free = tangential * slip;
            }
        }
    }

    /// Changes the velocity by the impulses.
    pub(super) fn change_velocities(&mut self) {
        let contacts = &self.contacts;
        for (impulse, response) in contacts
            .problem
            .force
            .iter()
            .zip(&contacts.delassus.responses)
        {
            for (v, d) in self.state.v.iter_mut().zip(response) {
                *v += impulse * d;
            }
        }
    }

    /// Changes the velocity by the impulses, and records their work.
    fn jump(&mut self) {
        self.change_velocities();
        let system = std::sync::Arc::clone(&self.dynamics.system);
        let contacts = &mut self.contacts;
        let n = contacts.problem.force.len();
        let (mut work, mut exchanged) = (0.0, 0.0_f64);
        let forces = contacts.problem.force.iter();
        let least = FORCELESS * forces.fold(0.0_f64, |m, p| m.max(p.abs()));
        for (k, i) in contacts.members.iter().enumerate() {
            let term = contacts.problem.terms[k];
            let slip = self.dynamics.ws.slip[*i];
            let approach = self.dynamics.ws.rate[contacts.delassus.rows[term.row]];
            let normal = term.normal.then_some(approach);
            let before = normal
                .into_iter()
                .chain(slip.into_iter().take(term.tangents));
            for (k, before) in (term.row..).zip(before) {
                let row = contacts.problem.delassus[n * k..n * (k + 1)].iter();
                let force = &contacts.problem.force;
                let change: f64 = row.zip(force).map(|(d, impulse)| d * impulse).sum();
                work += force[k] * (before + 0.5 * change);
                exchanged += (force[k] * before).abs();
            }
            let impulse = contacts.problem.force[term.row];
            // the impulses of contacts that do not take part are zero up to rounding
            if term.normal && impulse > least {
                let mut memory = self.dynamics.ws.kinematics.inputs.contact(*i);
                memory.impulse += impulse;
                memory.impacts += 1.0;
                let range = self.dynamics.ws.kinematics.inputs.contact_numbers(*i);
                self.dynamics.ws.kinematics.inputs.held[range.clone()]
                    .copy_from_slice(&memory.numbers());
                self.dynamics.memory[range].copy_from_slice(&memory.numbers());
            }
        }
        let model = system.model();
        let slot = first_contact_work(model) + model.contacts.len();
        self.state.work[slot] += work;
        if work > FORCELESS * exchanged {
            contacts.statistics.creating += 1;
            contacts.statistics.created += work;
        }
        // what drivers add while they hold their velocity
        let (first, drivers) = (bilateral_rows(system.as_ref()), model.drivers.len());
        for d in 0..drivers {
            let row = first - drivers + d;
            let impulse: f64 = (0..n)
                .map(|k| contacts.problem.force[k] * contacts.delassus.multipliers[k][row])
                .sum();
            self.state.work[first_driver_work(model) + d] += impulse * self.dynamics.ws.drift[row];
        }
    }
}
