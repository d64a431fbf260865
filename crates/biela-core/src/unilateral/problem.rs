//! The contact problem: normal and friction forces, or impulses, of all closed contacts at once.
//!
//! With the Delassus matrix `D = W M̂⁻¹ Wᵀ` of the rows W of the contacts (M̂⁻¹ respects the bilateral constraints), the relative velocities or accelerations
//! are u = D r + b. For each contact
//!
//! ```text
//! 0 ≤ uₙ ⟂ rₙ ≥ 0                       normal
//! r_t = Π_C(r_t − ρ u_t)                friction, C = disc of radius μ (rₙ + o), or of a given radius
//! r_t = −μ rₙ s                         friction in slip along the unit vector s
//! ```
//!
//! A Gauss–Seidel iteration over the contacts finds the set of closed and sticking contacts, a semi-smooth Newton iteration (P. Alart and A. Curnier,
//! *Comput. Methods Appl. Mech. Engrg.* 92 (1991) 353-375) finishes. If the forces are statically indeterminate, D is singular: the proximal-point iteration
//! `D → D + ε`, `b → b − ε r` then selects the solution closest to zero. The result is judged by the residual of the natural map.

use crate::methods::eliminate;

/// The friction of a contact in a [`ContactProblem`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionTerm {
    /// None.
    None,
    /// Coulomb's cone with the coefficient μ and an additional normal force o: |r_t| ≤ μ (rₙ + o).
    Cone {
        /// μ.
        mu: f64,
        /// o.
        offset: f64,
    },
    /// Slip in a given direction: r_t = −μ rₙ s.
    Sliding {
        /// μ.
        mu: f64,
        /// s.
        direction: [f64; 2],
    },
    /// |r_t| ≤ radius.
    Bounded {
        /// The radius.
        radius: f64,
    },
}

/// A contact in a [`ContactProblem`], or the resistance to rolling or spinning at one; its rows follow each other, the normal one first.
#[derive(Clone, Copy, Debug)]
pub struct ContactTerm {
    /// The first row.
    pub row: usize,
    /// Whether the first row is normal.
    pub normal: bool,
    /// The row of the normal force that bounds its friction: the first one, or that of another contact for rolling and spinning resistance.
    pub pressing: usize,
    /// Number of tangential rows.
    pub tangents: usize,
    /// Whether its rows are angular velocities or accelerations.
    pub angular: bool,
    /// Its friction.
    pub friction: FrictionTerm,
}

impl ContactTerm {
    fn first_tangent(&self) -> usize {
        self.row + usize::from(self.normal)
    }

    fn rows(&self) -> std::ops::Range<usize> {
        self.row..self.first_tangent() + self.tangents
    }
}

/// The reason why a contact problem has no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsolvable {
    /// Slip makes the normal force grow with penetration: Painlevé's paradox at a contact, by index.
    Painleve(usize),
    /// The iterations do not converge; the residual of the natural map.
    Residual(f64),
}

/// The contact problem with its buffers.
#[derive(Clone, Debug, Default)]
pub struct ContactProblem {
    /// The contacts.
    pub terms: Vec<ContactTerm>,
    /// D, by rows.
    pub delassus: Vec<f64>,
    /// b.
    pub free: Vec<f64>,
    /// r.
    pub force: Vec<f64>,
    /// u = D r + b.
    pub motion: Vec<f64>,
    /// The residual of the natural map, relative to the forces.
    pub residual: f64,
    shift: Vec<f64>,
    shifted: Vec<f64>,
    anchor: Vec<f64>,
    matrix: Vec<f64>,
    change: Vec<f64>,
    trial: Vec<f64>,
}

/// Sweeps of the Gauss–Seidel iteration before Newton's method starts again: their first and largest number.
const FIRST_SWEEPS: usize = 12;
const MOST_SWEEPS: usize = 800;
const NEWTON: usize = 40;
const PROXIMAL: usize = 12;
/// Residual of the natural map below which the iterations with a shift end.
const CONVERGED: f64 = 1e-13;
/// The shift ε relative to the largest diagonal entry of the same unit.
const SHIFT: f64 = 1e-9;
/// Relative change at which the iterations end.
const SETTLED: f64 = 1e-15;
/// Accepted residual of the natural map, relative to the largest force.
const ACCEPTED: f64 = 1e-9;
/// Accepted residual as a motion, relative to the free motion.
const ACCEPTED_MOTION: f64 = 1e-6;

impl ContactProblem {
    /// Empties the problem for `rows` rows, without releasing memory.
    pub fn clear(&mut self, rows: usize) {
        self.terms.clear();
        for list in [
            &mut self.free,
            &mut self.force,
            &mut self.motion,
            &mut self.shift,
            &mut self.shifted,
            &mut self.anchor,
            &mut self.change,
            &mut self.trial,
        ] {
            list.clear();
            list.resize(rows, 0.0);
        }
        for matrix in [&mut self.delassus, &mut self.matrix] {
            matrix.clear();
            matrix.resize(rows * rows, 0.0);
        }
    }

    fn len(&self) -> usize {
        self.free.len()
    }

    /// Solves for `force` and `motion`.
    ///
    /// # Errors
    ///
    /// See [`Unsolvable`].
    pub fn solve(&mut self) -> Result<(), Unsolvable> {
        let n = self.len();
        if n == 0 {
            return Ok(());
        }
        self.force.fill(0.0);
        self.check_slip()?;
        self.set_shift();
        for i in 0..n {
            self.delassus[n * i + i] += self.shift[i];
        }
        for _ in 0..PROXIMAL {
            for i in 0..n {
                self.anchor[i] = self.force[i];
                self.shifted[i] = self.free[i] - self.shift[i] * self.anchor[i];
            }
            self.solve_shifted();
            if self.apart() <= SETTLED {
                break;
            }
        }
        for i in 0..n {
            self.delassus[n * i + i] -= self.shift[i];
        }
        self.shifted.copy_from_slice(&self.free);
        self.update_motion();
        self.residual = self.natural_residual();
        if self.residual <= ACCEPTED && self.motion_residual() <= ACCEPTED_MOTION {
            Ok(())
        } else {
            Err(Unsolvable::Residual(self.residual))
        }
    }

    /// Solves for the forces without inequalities: `u = 0` along normal rows and where friction is bounded, Coulomb friction in slip, none elsewhere. Forces that are
    /// statically indeterminate are small. Returns whether there is a solution.
    pub fn solve_bilateral(&mut self) -> bool {
        let n = self.len();
        self.set_shift();
        self.matrix.copy_from_slice(&self.delassus);
        for i in 0..n {
            self.matrix[n * i + i] += self.shift[i];
            self.force[i] = -self.free[i];
        }
        for term in &self.terms {
            let (mu, direction) = match term.friction {
                FrictionTerm::Sliding { mu, direction } => (mu, direction),
                FrictionTerm::None => (0.0, [0.0; 2]),
                FrictionTerm::Cone { .. } | FrictionTerm::Bounded { .. } => continue,
            };
            for (k, s) in direction.iter().enumerate().take(term.tangents) {
                let row = term.first_tangent() + k;
                self.matrix[n * row..n * (row + 1)].fill(0.0);
                self.matrix[n * row + row] = 1.0;
                self.matrix[n * row + term.pressing] += mu * s;
                self.force[row] = 0.0;
            }
        }
        eliminate(&mut self.matrix, &mut self.force)
    }

    /// The shift ε of each row, relative to the largest diagonal entry of its unit.
    fn set_shift(&mut self) {
        let n = self.len();
        let mut largest = [0.0_f64; 2];
        for term in &self.terms {
            for row in term.rows() {
                let most = &mut largest[usize::from(term.angular)];
                *most = most.max(self.delassus[n * row + row]);
            }
        }
        for term in &self.terms {
            self.shift[term.rows()].fill(SHIFT * largest[usize::from(term.angular)]);
        }
    }

    /// Solves the problem with the shifted matrix: Newton's method from the present forces, and after more and more sweeps where it fails.
    fn solve_shifted(&mut self) {
        self.newton();
        let mut sweeps = FIRST_SWEEPS;
        while self.natural_residual() > CONVERGED && sweeps <= MOST_SWEEPS {
            self.sweep(sweeps);
            self.newton();
            sweeps *= 4;
        }
    }

    /// The residual of the natural map as a motion, relative to the free motion. If there is no solution, forces grow without bounds along directions that move
    /// nothing: relative to them the residual would be small.
    fn motion_residual(&mut self) -> f64 {
        let n = self.len();
        let mut map = std::mem::take(&mut self.change);
        self.natural_map(&mut map);
        let mut worst = 0.0_f64;
        for (i, x) in map.iter().enumerate() {
            worst = worst.max(x.abs() * self.delassus[n * i + i]);
        }
        self.change = map;
        let size = self.free.iter().fold(0.0_f64, |m, b| m.max(b.abs()));
        worst / size.max(f64::MIN_POSITIVE)
    }

    /// Checks that the normal force of every slipping contact decreases penetration.
    fn check_slip(&self) -> Result<(), Unsolvable> {
        for (k, term) in self.terms.iter().enumerate() {
            let FrictionTerm::Sliding { .. } = term.friction else {
                continue;
            };
            if term.normal && self.slip_stiffness(term) <= 0.0 && self.free[term.row] < 0.0 {
                return Err(Unsolvable::Painleve(k));
            }
        }
        Ok(())
    }

    /// Returns ∂uₙ/∂rₙ of a contact, with the friction in slip that its normal force bounds.
    fn slip_stiffness(&self, term: &ContactTerm) -> f64 {
        let n = self.len();
        let entries = &self.delassus[n * term.row..n * (term.row + 1)];
        let mut stiffness = entries[term.row];
        for pressed in self.terms.iter().filter(|t| t.pressing == term.row) {
            if let FrictionTerm::Sliding { mu, direction } = pressed.friction {
                for (k, s) in direction.iter().enumerate().take(pressed.tangents) {
                    stiffness -= mu * s * entries[pressed.first_tangent() + k];
                }
            }
        }
        stiffness
    }

    fn update_motion(&mut self) {
        let n = self.len();
        for i in 0..n {
            let row = &self.delassus[n * i..n * (i + 1)];
            let sum: f64 = row.iter().zip(&self.force).map(|(d, r)| d * r).sum();
            self.motion[i] = self.shifted[i] + sum;
        }
    }

    /// Largest difference from the anchor, relative to the largest force.
    fn apart(&self) -> f64 {
        let size = self.force.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        let pairs = self.force.iter().zip(&self.anchor);
        let apart = pairs.fold(0.0_f64, |m, (r, a)| m.max((r - a).abs()));
        apart / size.max(f64::MIN_POSITIVE)
    }

    /// Gauss–Seidel iteration over the contacts.
    fn sweep(&mut self, count: usize) {
        for _ in 0..count {
            let mut changed = 0.0_f64;
            let mut size = 0.0_f64;
            for k in 0..self.terms.len() {
                let term = self.terms[k];
                let before = self.own(&term);
                self.relax(&term);
                let after = self.own(&term);
                for (a, b) in before.iter().zip(&after) {
                    changed = changed.max((a - b).abs());
                    size = size.max(b.abs());
                }
            }
            if changed <= 1e-14 * size {
                break;
            }
        }
    }

    /// The forces of a contact.
    fn own(&self, term: &ContactTerm) -> [f64; 3] {
        let mut own = [0.0; 3];
        let rows = usize::from(term.normal) + term.tangents;
        own[..rows].copy_from_slice(&self.force[term.row..term.row + rows]);
        own
    }

    /// u of a row at the present forces.
    fn motion_of(&self, row: usize) -> f64 {
        let n = self.len();
        let entries = &self.delassus[n * row..n * (row + 1)];
        let sum: f64 = entries.iter().zip(&self.force).map(|(d, r)| d * r).sum();
        self.shifted[row] + sum
    }

    /// Solves for the forces of one contact, approximately, with those of the others fixed.
    fn relax(&mut self, term: &ContactTerm) {
        let n = self.len();
        if let FrictionTerm::Sliding { mu, direction } = term.friction {
            if term.normal {
                let stiffness = self.slip_stiffness(term);
                if stiffness <= 0.0 {
                    return;
                }
                let before = self.force[term.row];
                self.force[term.row] = (before - self.motion_of(term.row) / stiffness).max(0.0);
            }
            for k in 0..term.tangents {
                self.force[term.first_tangent() + k] =
                    -mu * self.force[term.pressing] * direction[k];
            }
            return;
        }
        for _ in 0..8 {
            if term.normal {
                let stiffness = self.delassus[n * term.row + term.row];
                let normal = self.force[term.row] - self.motion_of(term.row) / stiffness;
                self.force[term.row] = normal.max(0.0);
            }
            if term.tangents == 0 {
                break;
            }
            let radius = self.radius(term);
            let first = term.first_tangent();
            let stiffness = self.tangential_stiffness(term);
            let mut wanted = [0.0; 2];
            for k in 0..term.tangents {
                wanted[k] = self.force[first + k] - self.motion_of(first + k) / stiffness;
            }
            let projected = clip(wanted, radius);
            self.force[first..first + term.tangents].copy_from_slice(&projected[..term.tangents]);
        }
    }

    /// A bound of the eigenvalues of the tangential block.
    fn tangential_stiffness(&self, term: &ContactTerm) -> f64 {
        let (n, first) = (self.len(), term.first_tangent());
        let entries = (0..term.tangents).map(|k| self.delassus[n * (first + k) + first + k]);
        entries.sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// The radius of the friction disc at the present normal force.
    fn radius(&self, term: &ContactTerm) -> f64 {
        match term.friction {
            FrictionTerm::Cone { mu, offset } => mu * (self.force[term.pressing] + offset).max(0.0),
            FrictionTerm::Bounded { radius } => radius,
            FrictionTerm::None | FrictionTerm::Sliding { .. } => 0.0,
        }
    }

    /// The natural map of a row pair: residuals of all rows at (force, motion), scaled to forces.
    fn natural_map(&self, out: &mut [f64]) {
        let n = self.len();
        for term in &self.terms {
            if term.normal {
                let rho = 1.0 / self.delassus[n * term.row + term.row].max(f64::MIN_POSITIVE);
                let (r, u) = (self.force[term.row], self.motion[term.row]);
                out[term.row] = r - (r - rho * u).max(0.0);
            }
            let first = term.first_tangent();
            if let FrictionTerm::Sliding { mu, direction } = term.friction {
                for k in 0..term.tangents {
                    out[first + k] =
                        self.force[first + k] + mu * self.force[term.pressing] * direction[k];
                }
                continue;
            }
            let rho = 1.0 / self.tangential_stiffness(term);
            let mut wanted = [0.0; 2];
            for k in 0..term.tangents {
                wanted[k] = self.force[first + k] - rho * self.motion[first + k];
            }
            let projected = clip(wanted, self.radius(term));
            for k in 0..term.tangents {
                out[first + k] = self.force[first + k] - projected[k];
            }
        }
    }

    /// The largest residual of the natural map relative to the largest force, or to the correction itself where forces are smaller.
    fn natural_residual(&mut self) -> f64 {
        let mut map = std::mem::take(&mut self.change);
        self.natural_map(&mut map);
        let residual = map.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.change = map;
        let size = self.force.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        if residual.is_nan() {
            return f64::INFINITY;
        }
        residual / size.max(residual).max(f64::MIN_POSITIVE)
    }

    /// Semi-smooth Newton iteration on the natural map; the best iterate is kept.
    fn newton(&mut self) {
        let n = self.len();
        self.update_motion();
        let mut best = self.natural_residual();
        for _ in 0..NEWTON {
            let mut change = std::mem::take(&mut self.change);
            self.natural_map(&mut change);
            self.linearize();
            let solved = eliminate(&mut self.matrix, &mut change);
            if solved {
                self.trial.copy_from_slice(&self.force);
                for i in 0..n {
                    self.force[i] -= change[i];
                }
            }
            self.change = change;
            if !solved {
                return;
            }
            self.update_motion();
            let residual = self.natural_residual();
            if residual >= best {
                self.force.copy_from_slice(&self.trial);
                self.update_motion();
                return;
            }
            best = residual;
            if best == 0.0 {
                return;
            }
        }
    }

    /// The generalised derivative of the natural map with respect to the forces, in `matrix`.
    fn linearize(&mut self) {
        let n = self.len();
        self.matrix.fill(0.0);
        for index in 0..self.terms.len() {
            let term = self.terms[index];
            if term.normal {
                let row = term.row;
                let rho = 1.0 / self.delassus[n * row + row].max(f64::MIN_POSITIVE);
                if self.force[row] - rho * self.motion[row] > 0.0 {
                    for j in 0..n {
                        self.matrix[n * row + j] = rho * self.delassus[n * row + j];
                    }
                } else {
                    self.matrix[n * row + row] = 1.0;
                }
            }
            self.linearize_friction(&term);
        }
    }

    fn linearize_friction(&mut self, term: &ContactTerm) {
        let (n, first, count) = (self.len(), term.first_tangent(), term.tangents);
        if let FrictionTerm::Sliding { mu, direction } = term.friction {
            for k in 0..count {
                self.matrix[n * (first + k) + first + k] = 1.0;
                self.matrix[n * (first + k) + term.pressing] += mu * direction[k];
            }
            return;
        }
        let rho = 1.0 / self.tangential_stiffness(term);
        let mut wanted = [0.0; 2];
        for k in 0..count {
            wanted[k] = self.force[first + k] - rho * self.motion[first + k];
        }
        let (size, radius) = (wanted[0].hypot(wanted[1]), self.radius(term));
        // ∂Π/∂w: the identity within the disc; R/|w| (1 − ŵŵᵀ) outside, with ∂Π/∂R = ŵ
        let inside = size <= radius;
        let unit = wanted.map(|x| if size > 0.0 { x / size } else { 0.0 });
        for k in 0..count {
            for l in 0..count {
                let own = if k == l { 1.0 } else { 0.0 };
                let slope = if inside {
                    own
                } else {
                    radius / size * (own - unit[k] * unit[l])
                };
                self.matrix[n * (first + k) + first + l] += own - slope;
                for j in 0..n {
                    self.matrix[n * (first + k) + j] +=
                        slope * rho * self.delassus[n * (first + l) + j];
                }
            }
            if let (FrictionTerm::Cone { mu, .. }, false) = (term.friction, inside) {
                self.matrix[n * (first + k) + term.pressing] -= mu * unit[k];
            }
        }
    }
}

/// Returns the point of a disc closest to another point.
fn clip(wanted: [f64; 2], radius: f64) -> [f64; 2] {
    let size = wanted[0].hypot(wanted[1]);
    if size <= radius {
        wanted
    } else {
        wanted.map(|x| x * radius / size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(delassus: &[f64], free: &[f64], terms: &[ContactTerm]) -> ContactProblem {
        let mut problem = ContactProblem::default();
        problem.clear(free.len());
        problem.delassus.copy_from_slice(delassus);
        problem.free.copy_from_slice(free);
        problem.terms.extend_from_slice(terms);
        problem
    }

    fn smooth(row: usize) -> ContactTerm {
        ContactTerm {
            row,
            normal: true,
            pressing: row,
            tangents: 0,
            angular: false,
            friction: FrictionTerm::None,
        }
    }

    #[test]
    fn two_supports_of_one_body_share_its_weight() {
        // rows of a body that cannot rotate: D has rank one
        let mut p = problem(&[1.0; 4], &[-10.0, -10.0], &[smooth(0), smooth(1)]);
        p.solve().unwrap();
        assert!((p.force[0] - 5.0).abs() < 1e-6 && (p.force[1] - 5.0).abs() < 1e-6);
        assert!((p.force[0] + p.force[1] - 10.0).abs() < 1e-13);
    }

    #[test]
    fn forces_of_any_magnitude_are_found() {
        for size in [1e-60, 1e-20, 1.0, 1e40] {
            let friction = FrictionTerm::Cone {
                mu: 0.5,
                offset: 0.0,
            };
            let contact = ContactTerm {
                tangents: 1,
                angular: false,
                friction,
                ..smooth(0)
            };
            let mut p = problem(&[2.0, 0.1, 0.1, 1.0], &[-3.0 * size, size], &[contact]);
            p.solve().unwrap();
            assert!((p.force[1] + 0.5 * p.force[0]).abs() < 1e-14 * size);
            assert!(p.motion[0].abs() < 1e-14 * size && p.motion[1] > 0.0);
        }
    }

    #[test]
    fn a_contact_that_opens_carries_no_force() {
        let mut p = problem(&[2.0, 1.0, 1.0, 2.0], &[-3.0, 4.0], &[smooth(0), smooth(1)]);
        p.solve().unwrap();
        assert!((p.force[0] - 1.5).abs() < 1e-14 && p.force[1] == 0.0);
        assert!(p.motion[1] > 0.0);
    }

    #[test]
    fn friction_holds_within_the_cone_and_slips_beyond_it() {
        for (pull, slips) in [(0.3 * (1.0 - 1e-12), false), (0.3 * (1.0 + 1e-12), true)] {
            let friction = FrictionTerm::Cone {
                mu: 0.3,
                offset: 0.0,
            };
            let term = ContactTerm {
                row: 0,
                normal: true,
                pressing: 0,
                tangents: 1,
                angular: false,
                friction,
            };
            let mut p = problem(&[1.0, 0.0, 0.0, 1.0], &[-1.0, pull], &[term]);
            p.solve().unwrap();
            assert_eq!(p.motion[1].abs() > 1e-14, slips, "{pull} {}", p.motion[1]);
        }
    }

    #[test]
    fn friction_in_space_opposes_the_motion() {
        let friction = FrictionTerm::Cone {
            mu: 0.5,
            offset: 0.0,
        };
        let term = ContactTerm {
            row: 0,
            normal: true,
            pressing: 0,
            tangents: 2,
            angular: false,
            friction,
        };
        let delassus = [1.0, 0.2, 0.1, 0.2, 1.5, 0.3, 0.1, 0.3, 1.2];
        let mut p = problem(&delassus, &[-1.0, 3.0, -4.0], &[term]);
        p.solve().unwrap();
        let (r, u) = (&p.force, &p.motion);
        assert!((r[1].hypot(r[2]) - 0.5 * r[0]).abs() < 1e-13);
        // opposite directions
        assert!((r[1] * u[2] - r[2] * u[1]).abs() < 1e-12 && r[1] * u[1] < 0.0);
        assert!(p.residual < 1e-13);
    }

    #[test]
    fn a_moment_is_bounded_by_the_normal_force_of_its_contact() {
        // a disc of mass and moment of inertia one on a plane: normal force, and the moment of rolling resistance
        for (turn, expected) in [(0.4, -0.4), (3.0, -0.5)] {
            let resistance = ContactTerm {
                row: 1,
                normal: false,
                pressing: 0,
                tangents: 1,
                angular: false,
                friction: FrictionTerm::Cone {
                    mu: 0.05,
                    offset: 0.0,
                },
            };
            let mut p = problem(
                &[1.0, 0.0, 0.0, 1.0],
                &[-10.0, turn],
                &[smooth(0), resistance],
            );
            p.solve().unwrap();
            assert!((p.force[1] - expected).abs() < 1e-13, "{}", p.force[1]);
        }
    }

    #[test]
    fn a_slip_that_presses_the_contact_together_is_painleves_paradox() {
        let friction = FrictionTerm::Sliding {
            mu: 2.0,
            direction: [1.0, 0.0],
        };
        let term = ContactTerm {
            row: 0,
            normal: true,
            pressing: 0,
            tangents: 1,
            angular: false,
            friction,
        };
        let mut p = problem(&[1.0, 0.8, 0.8, 1.0], &[-1.0, 0.0], &[term]);
        assert_eq!(p.solve(), Err(Unsolvable::Painleve(0)));
    }

    /// The vertices of a block of width b and height h on a plane, with mass one.
    fn block(alpha: f64, mu: f64, (b, h): (f64, f64)) -> ContactProblem {
        let j = (b * b + h * h) / 12.0;
        let friction = FrictionTerm::Cone { mu, offset: 0.0 };
        let mut rows = Vec::new();
        for x in [-0.5 * b, 0.5 * b] {
            // normal and tangential rows of a vertex at (x, −h/2)
            rows.push([0.0, 1.0, x]);
            rows.push([1.0, 0.0, 0.5 * h]);
        }
        let entry = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] / j;
        let delassus: Vec<f64> = rows
            .iter()
            .flat_map(|a| rows.iter().map(|b| entry(a, b)))
            .collect();
        let free = rows.iter().map(|a| a[0] * alpha.sin() - a[1] * alpha.cos());
        let term = |row| ContactTerm {
            row,
            normal: true,
            pressing: row,
            tangents: 1,
            angular: false,
            friction,
        };
        problem(&delassus, &free.collect::<Vec<_>>(), &[term(0), term(2)])
    }

    #[test]
    fn a_block_on_two_vertices_holds_up_to_the_angle_of_friction() {
        for (factor, slips) in [
            (0.5, false),
            (1.0 - 1e-6, false),
            (1.0 + 1e-6, true),
            (2.0, true),
        ] {
            let mut p = block((0.3_f64 * factor).atan(), 0.3, (0.4, 0.2));
            let solved = p.solve();
            assert!(solved.is_ok());
            assert_eq!(p.motion[1].abs() > 1e-13, slips);
        }
    }
}
