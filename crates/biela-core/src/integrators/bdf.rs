use super::control::{Tolerance, Trial};
use super::control::{absolute_field, first_step_field, max_step_field};
use super::implicit::{add_friction, powers};
use super::matrix::NewtonMatrix;
use super::{
    IntegrationError, Integrator, IntegratorKind, IntegratorWork, Mechanics, Ode, error_norm,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::methods::{MethodError, Sharing};
use crate::model::Space;
use crate::system::System;

/// Backward differentiation formulas (BDF) of variable order 1 to 5 and variable step, applied directly to the equations of motion.
///
/// With α_k = Σ 1/j, c = h/α_k and ψ the known part of the formula, a step solves `q = ψ_q + c N(q) v` (exactly, for any v),
/// `M (v − ψ_v)/c + Gᵀλ = f`, and the constraints in one of three forms:
///
/// | `form` | constraints | error control |
/// |---|---|---|
/// | `index-3` | Φ(q) = 0 | positions (the rigid method, SI3) |
/// | `index-2` | G v + Φ_t = 0, and Φ(q) = 0 through q̇ = N (v + w), `M w + Gᵀ μ = 0` (Gear, Gupta, Leimkuhler 1985; SI2) | positions and velocities |
/// | `index-1` | G v̇ = γ | positions and velocities |
///
/// Orders 1 and 2 are A-stable. Orders 3, 4 and 5 are stable within 86°, 73° and 52° of the negative real axis, so that undamped fast vibrations limit their
/// step (E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, V.2). A vibration that the formula amplifies dominates the error estimate. The
/// step shrinks until the vibration is resolved, and faster vibrations grow. A ripple of a few tolerances is recognised by differences ∇ʲy that decrease
/// slowly with j. If they do so for many steps that are much shorter than the longest one, the order is limited to 2 for a number of steps. If the step then
/// grows, stability was the limit: the next order limit lasts twice as long, and the summary of the run reports it. If it does not, the vibration is part of
/// the solution, and the next attempt waits longer.
///
/// The iteration matrix of Newton's method is `[M + c C + c² K, Gᵀ; G, 0]` in all three forms, with the analytic tangent. Its factorisation is reused while
/// the iteration converges and the step size does not change. Past values are stored as backward differences on a uniform mesh, which are transformed when
/// the step size changes (L. F. Shampine, M. W. Reichelt, *SIAM J. Sci. Comput.* 18 (1997) 1-22). They also provide the dense output.
#[derive(Clone, Debug)]
pub struct Bdf {
    form: IndexForm,
    /// The requested tolerance, and the one used in the current step.
    asked: Tolerance,
    tolerance: Tolerance,
    max_step: f64,
    max_order: usize,
    first_step: Option<f64>,
    order: usize,
    h: f64,
    equal_steps: usize,
    /// Set if order and step size must be chosen before the next step: number of controlled unknowns, error of the last step.
    pending: Option<(usize, f64)>,
    /// Number of recent steps limited by a ripple, and the number at which the order is limited; see [`Bdf::watch_stability`].
    ripples: u64,
    patience: u64,
    /// The step count until which the order is limited to 2, the duration of the next such limit in steps, and the step size at its start; zero once that has
    /// been evaluated.
    held_until: u64,
    hold: u64,
    held_from: f64,
    longest: f64,
    time: f64,
    before: f64,
    /// Backward differences ∇⁰y … of the unknowns (q, v, work, turns).
    differences: Vec<Vec<f64>>,
    predicted: Vec<f64>,
    known: Vec<f64>,
    y: Vec<f64>,
    change: Vec<f64>,
    /// The same, after [`Ode::relieve`]: as it enters the error estimate.
    relieved: Vec<f64>,
    slope: Vec<f64>,
    parts: Option<BdfBuffers>,
    work: IntegratorWork,
}

keeps!(Bdf: order, h, equal_steps, pending, ripples, patience, held_until, hold, held_from, longest, time, before, differences, predicted, known, y, change, slope, work; parts
    => |bdf| (1..=bdf.max_order).contains(&bdf.order)
        && bdf.pending.is_none_or(|(count, _)| count <= bdf.y.len()));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexForm {
    Index3,
    Index2,
    Index1,
}

const FORMS: &[&str] = &["index-3", "index-2", "index-1"];
const MAX_ORDER: usize = 5;
const MAX_ITERATIONS: usize = 6;
/// Residual of the constraints that Newton's method may leave, as a multiple of the rounding error of their terms.
const ROUNDINGS: f64 = 4.0;
/// Corrections of Newton's method below this size, relative to the values they correct, consist of rounding errors.
const NOISE: f64 = 1e3 * f64::EPSILON;
/// The highest order that is stable for undamped vibrations of any frequency.
const STABLE_ORDER: usize = 2;
/// Number of steps for which the order is limited to [`STABLE_ORDER`] the first time.
const FIRST_HOLD: u64 = 500;
/// Initial number of steps with a ripple at which the order is limited.
const FIRST_PATIENCE: u64 = 20;
/// A ripple is present if consecutive differences decrease by less than this factor.
const SLOWLY: f64 = 0.5;
/// It limits the step if that is shorter than this fraction of the longest step.
const HELD_BACK: f64 = 0.1;
/// Stability was the limit if the step grows by this factor while the order is limited.
const RELEASED: f64 = 4.0;
/// More steps than any run makes.
const FOREVER: u64 = 1 << 40;

#[derive(Clone, Debug)]
struct BdfBuffers {
    matrix: NewtonMatrix,
    sharing: Option<Sharing>,
    multipliers: Vec<f64>,
    next_multipliers: Vec<f64>,
    /// w of the index-2 form.
    extra: Vec<f64>,
    velocity: Vec<f64>,
    residual: Vec<f64>,
    row_residual: Vec<f64>,
    power: Vec<f64>,
    /// Rounding error of each coordinate.
    rounding: Vec<f64>,
}

keeps!(BdfBuffers: matrix, multipliers, next_multipliers, extra, velocity, power);

impl BdfBuffers {
    /// Computes `−(M (v − ψ) + c Gᵀλ − c f)` and the residuals of the active rows; `velocity` is left as v − ψ.
    fn find_residual(
        &mut self,
        mechanics: &Mechanics<'_>,
        (v, known): (&[f64], &[f64]),
        c: f64,
        form: IndexForm,
    ) {
        let (system, ws) = (mechanics.system, &*mechanics.workspace);
        let pattern = system.jacobian_pattern();
        for (change, (v, known)) in self.velocity.iter_mut().zip(v.iter().zip(known)) {
            *change = v - known;
        }
        self.residual.fill(0.0);
        system
            .mass_pattern()
            .add_product(&ws.mass, &self.velocity, &mut self.residual);
        for (i, label) in system.rows().iter().enumerate() {
            self.row_residual[i] = 0.0;
            if !mechanics.active[i] {
                continue;
            }
            let multiplier = c * self.next_multipliers[i];
            pattern.add_row(i, &ws.jacobian, multiplier, &mut self.residual);
            self.row_residual[i] = match form {
                IndexForm::Index3 if !label.nonholonomic => -ws.phi[i] / c,
                IndexForm::Index1 => {
                    c * ws.gamma[i] - pattern.row_times(i, &ws.jacobian, &self.velocity)
                }
                _ => -ws.rate[i],
            };
        }
        for (r, f) in self.residual.iter_mut().zip(&ws.force) {
            *r = -(*r - c * f);
        }
    }

    fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let (nv, rows) = (sizes.velocities, sizes.rows);
        BdfBuffers {
            matrix: NewtonMatrix::new(system),
            sharing: None,
            multipliers: vec![0.0; rows],
            next_multipliers: vec![0.0; rows],
            extra: vec![0.0; nv],
            velocity: vec![0.0; nv],
            residual: vec![0.0; nv],
            row_residual: vec![0.0; rows],
            power: vec![0.0; sizes.works],
            rounding: vec![0.0; nv],
        }
    }
}

/// α_k = Σ_{j ≤ k} 1/j.
fn alpha(k: usize) -> f64 {
    (1..=k).map(|j| 1.0 / j as f64).sum()
}

/// Returns the error constant of order k, the factor of the change of y.
fn error_constant(k: usize) -> f64 {
    1.0 / (k as f64 + 1.0)
}

/// Result of Newton's method in a step.
enum BdfNewtonOutcome {
    Converged,
    /// It did not converge with an old factorisation; a new one may help.
    Stale,
    Failed,
}

/// Newton's method has converged if the estimated remaining error, relative to the tolerance, is below this.
const SETTLED: f64 = 0.01;

/// Near a singular configuration, where residuals are amplified, it iterates until corrections relative to the tolerance are below this.
const NEAR: f64 = 1e-4;

fields! { Bdf {
    /// differential index of the equations: constraints at position (index-3), position and velocity (index-2, stabilised) or acceleration level (index-1)
    form: Choice(FORMS) = "index-2",
    /// local error tolerance of a step, relative to 1 + |value|; at least 1e-15
    tolerance: Positive { unit: "1" } = "1e-6",
    use absolute_field;
    /// highest order, a whole number from 1 to 5
    max_order: Positive { unit: "1" } = "5",
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Bdf {
    const INFO: Info = Info {
        name: "bdf",
        aliases: &["gear"],
        summary: "backward differentiation formulas (BDF) of order 1 to 5 on the index-3, stabilised index-2 or index-1 equations",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 5;
    const ON_SYSTEMS: bool = true;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let max_order = arguments.optional_number("max_order").unwrap_or(5.0);
        if !(1.0..=5.0).contains(&max_order) || max_order.fract() != 0.0 {
            return Err(ArgumentError {
                field: "max_order",
                message: format!("{max_order} is not one of 1, 2, 3, 4, 5"),
            });
        }
        let form = match arguments.word("form").as_str() {
            "index-3" => IndexForm::Index3,
            "index-1" => IndexForm::Index1,
            _ => IndexForm::Index2,
        };
        let zeros = || vec![0.0; len];
        let tolerance = Tolerance::given(arguments, 1e-6)?;
        Ok(Bdf {
            form,
            asked: tolerance,
            tolerance,
            max_step: arguments
                .optional_number("max_step")
                .unwrap_or(f64::INFINITY),
            max_order: max_order as usize,
            first_step: arguments.optional_number("first_step"),
            order: 1,
            h: 0.0,
            equal_steps: 0,
            pending: None,
            ripples: 0,
            patience: FIRST_PATIENCE,
            held_until: 0,
            hold: FIRST_HOLD,
            held_from: 0.0,
            longest: 0.0,
            time: 0.0,
            before: 0.0,
            differences: (0..MAX_ORDER + 3).map(|_| zeros()).collect(),
            predicted: zeros(),
            known: zeros(),
            y: zeros(),
            change: zeros(),
            relieved: zeros(),
            slope: zeros(),
            parts: None,
            work: IntegratorWork::default(),
        })
    }
}

impl Bdf {
    /// Transforms the differences to a mesh of spacing `factor h`; polynomials of degree `order` keep their values.
    fn rescale(&mut self, factor: f64) {
        let k = self.order;
        // R(f) U: differences of the polynomial at the new spacing, as a triangular change of basis
        let table = |f: f64| {
            let mut r = [[0.0; MAX_ORDER + 1]; MAX_ORDER + 1];
            r[0] = [1.0; MAX_ORDER + 1];
            for i in 1..=k {
                for j in 1..=k {
                    let (i_, j_) = (i as f64, j as f64);
                    r[i][j] = r[i - 1][j] * (i_ - 1.0 - f * j_) / i_;
                }
            }
            r
        };
        let (r, u) = (table(factor), table(1.0));
        let mut ru = [[0.0; MAX_ORDER + 1]; MAX_ORDER + 1];
        for i in 0..=k {
            for j in 0..=k {
                ru[i][j] = (0..=k).map(|m| r[i][m] * u[m][j]).sum();
            }
        }
        let mut column = [0.0; MAX_ORDER + 1];
        for n in 0..self.y.len() {
            for (j, c) in column.iter_mut().enumerate().take(k + 1) {
                *c = (0..=k).map(|i| ru[i][j] * self.differences[i][n]).sum();
            }
            for j in 0..=k {
                self.differences[j][n] = column[j];
            }
        }
        self.h *= factor;
        self.equal_steps = 0;
    }

    /// Extrapolates the differences to the end of the next step, and computes the known part of its formula.
    fn predict(&mut self) {
        let k = self.order;
        for n in 0..self.y.len() {
            let (mut sum, mut weighted) = (self.differences[0][n], 0.0);
            for j in 1..=k {
                sum += self.differences[j][n];
                weighted += alpha(j) * self.differences[j][n];
            }
            self.predicted[n] = sum;
            self.known[n] = sum - weighted / alpha(k);
        }
    }

    /// Solves the step to `time` by Newton's method.
    fn solve(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        time: f64,
        force_new: bool,
    ) -> Result<BdfNewtonOutcome, IntegrationError> {
        let Some(parts) = &mut self.parts else {
            return Ok(BdfNewtonOutcome::Failed);
        };
        let system = mechanics.system;
        let sizes = system.sizes();
        let (nq, nv) = (sizes.positions, sizes.velocities);
        let c = self.h / alpha(self.order);
        self.y.copy_from_slice(&self.predicted);
        parts.next_multipliers.copy_from_slice(&parts.multipliers);
        parts.extra.fill(0.0);
        let works = nq + nv..nq + nv + sizes.works;
        let known = &self.known[works];
        let inputs = &mut mechanics.workspace.kinematics.inputs;
        inputs.hold_formula(known, (known, 0.0), c);
        let near = mechanics.near.is_some();
        let mut fresh = false;
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            let (q, rest) = self.y.split_at_mut(nq);
            let v = &mut rest[..nv];
            for i in 0..nv {
                parts.velocity[i] = v[i] + parts.extra[i];
            }
            system.implicit_positions(&self.known[..nq], &parts.velocity, c, q);
            mechanics.update(time, q, v);
            let ws = &mut *mechanics.workspace;
            system.mass(ws);
            system.forces(ws).map_err(MethodError::from)?;
            system.constraints(ws);
            let known_v = &self.known[nq..nq + nv];
            for i in 0..nv {
                parts.velocity[i] = (v[i] - known_v[i]) / c;
            }
            let sharing = parts.sharing.as_mut();
            add_friction(
                system,
                ws,
                &parts.velocity,
                &parts.next_multipliers,
                sharing,
            );
            self.work.evaluations += 1;
            let pattern = system.jacobian_pattern();

            let new = parts.matrix.made_for() != c || (force_new && !fresh);
            if new {
                let factors = (c * c, c);
                parts
                    .matrix
                    .factor(mechanics, &parts.next_multipliers, factors, c);
                fresh = true;
                self.work.factorizations += 1;
            }
            let ws = &*mechanics.workspace;

            parts.find_residual(mechanics, (v, known_v), c, self.form);
            parts
                .matrix
                .solve(&mut parts.residual, &mut parts.row_residual);
            // corrections cannot become smaller than the rounding errors of the corrected values
            let _ = ws.rounding(pattern, &mut parts.rounding);
            let turning = ROUNDINGS * ws.kinematics.pace(f64::INFINITY);
            let mut size = 0.0_f64;
            for (i, &x) in parts.residual.iter().enumerate() {
                let scale = self.tolerance.of(v[i]);
                // velocities are weighted by the displacement they cause, unless they are controlled themselves
                let weight = if self.form == IndexForm::Index3 {
                    c
                } else {
                    c.max(1.0)
                };
                size = size.max(weight * (x.abs() - turning * parts.rounding[i]) / scale);
                v[i] += x;
            }
            for (l, x) in parts.next_multipliers.iter_mut().zip(&parts.row_residual) {
                *l += x / c;
            }
            if self.form == IndexForm::Index2 {
                // w moves the positions to Φ = 0
                parts.residual.fill(0.0);
                for (i, label) in system.rows().iter().enumerate() {
                    let counts = mechanics.active[i] && !label.nonholonomic;
                    parts.row_residual[i] = if counts { -ws.phi[i] / c } else { 0.0 };
                }
                parts
                    .matrix
                    .solve(&mut parts.residual, &mut parts.row_residual);
                for (i, (w, x)) in parts.extra.iter_mut().zip(&parts.residual).enumerate() {
                    *w += x;
                    let left = c * x.abs() - ROUNDINGS * parts.rounding[i];
                    size = size.max(left / self.tolerance.of(0.0));
                }
            }
            if !size.is_finite() {
                return Ok(BdfNewtonOutcome::Failed);
            }
            let rate = size / last;
            let (settled, small) =
                convergence(self.tolerance, (size, rate), iteration, (near, fresh));
            // an old matrix may be stiff where the system no longer is; the first correction then hides a remaining residual, which the second one reveals
            if settled || (small && (fresh || iteration > 0)) {
                let (q, rest) = self.y.split_at_mut(nq);
                for i in 0..nv {
                    parts.velocity[i] = rest[i] + parts.extra[i];
                }
                system.implicit_positions(&self.known[..nq], &parts.velocity, c, q);
                return Ok(BdfNewtonOutcome::Converged);
            }
            // if the first correction changes positions, velocities follow only with the second
            if iteration > 1 && rate > 0.9 {
                break;
            }
            last = size;
        }
        Ok(if fresh {
            BdfNewtonOutcome::Failed
        } else {
            BdfNewtonOutcome::Stale
        })
    }

    /// Norm of `constant · ∇` over the controlled unknowns.
    fn error_of(&self, difference: &[f64], k: usize, count: usize) -> f64 {
        error_constant(k) * error_norm(difference, &self.predicted, &self.y, count, self.tolerance)
    }

    fn controlled(&self, system: &dyn System) -> usize {
        let sizes = system.sizes();
        match self.form {
            IndexForm::Index3 => sizes.positions,
            _ => sizes.positions + sizes.velocities,
        }
    }

    /// Limits the order to 2 if recent steps indicate that stability limits them, and decides by the growth of the step whether it does.
    fn watch_stability(&mut self, count: usize) {
        let (k, steps) = (self.order, self.work.steps);
        self.longest = self.longest.max(self.h);
        if self.held_from > 0.0 && self.h >= RELEASED * self.held_from {
            self.work.order_reductions += 1;
            self.hold = (2 * self.hold).min(FOREVER);
            self.held_from = 0.0;
        } else if self.held_from > 0.0 && steps >= self.held_until {
            self.patience = (4 * self.patience).min(FOREVER);
            self.held_from = 0.0;
        }
        if k <= STABLE_ORDER {
            self.ripples = 0;
            return;
        }
        let size = |d: &[f64]| error_norm(d, &self.predicted, &self.y, count, self.tolerance);
        let slowly = SLOWLY.powi(k as i32 - 1) * size(&self.differences[2]);
        if self.h >= HELD_BACK * self.longest || size(&self.relieved) < slowly {
            self.ripples = self.ripples.saturating_sub(1);
            return;
        }
        self.ripples += 1;
        if self.ripples >= self.patience {
            self.ripples = 0;
            self.held_until = steps + self.hold;
            self.held_from = self.h;
        }
    }

    /// Returns the highest order that is currently allowed.
    fn highest_order(&self) -> usize {
        if self.work.steps < self.held_until {
            self.max_order.min(STABLE_ORDER)
        } else {
            self.max_order
        }
    }

    /// Discards the differences above the highest allowed order.
    fn lower_to_highest(&mut self) {
        let highest = self.highest_order();
        if self.order > highest {
            (self.order, self.equal_steps) = (highest, 0);
        }
    }

    /// Chooses order and step size after `order + 1` equal steps.
    fn adapt(&mut self, count: usize, error: f64) {
        let k = self.order;
        let below = if k > 1 {
            self.error_of(&self.differences[k], k - 1, count)
        } else {
            f64::INFINITY
        };
        let above = if k < self.highest_order() {
            self.error_of(&self.differences[k + 2], k + 1, count)
        } else {
            f64::INFINITY
        };
        let factor = |error: f64, order: usize| error.max(1e-10).powf(-1.0 / (order as f64 + 1.0));
        let factors = [
            factor(below, k.max(1) - 1),
            factor(error, k),
            factor(above, k + 1),
        ];
        let (mut best, mut order) = (factors[1], k);
        if below.is_finite() && factors[0] > best {
            (best, order) = (factors[0], k - 1);
        }
        if above.is_finite() && factors[2] > best {
            (best, order) = (factors[2], k + 1);
        }
        self.order = order;
        let most = self.max_step / self.h;
        let growth = (0.9 * best).min(10.0).min(most);
        if order != k || !(0.9..1.2).contains(&growth) {
            self.rescale(growth);
        } else {
            self.equal_steps = 0;
        }
    }
}

/// Returns whether Newton's method has converged by its contraction rate, and whether its correction is small.
fn convergence(
    tolerance: Tolerance,
    (size, rate): (f64, f64),
    iteration: usize,
    (near, fresh): (bool, bool),
) -> (bool, bool) {
    let settled = iteration > 0 && rate < 1.0 && size * rate / (1.0 - rate) < SETTLED;
    let least = tolerance.relative.min(tolerance.of(0.0));
    // near a singular configuration residuals are amplified; reduce them as far as rounding allows
    let settled = settled && (!near || size < NEAR);
    // with a new matrix, small corrections that do not decrease are rounding errors
    let noise = f64::max(10.0 * SETTLED, NOISE / least);
    let rounding = iteration > 0 && fresh && rate > 0.5 && size < noise;
    // corrections cannot become smaller than the rounding errors of the corrected values
    let small = size < f64::max(1e-5, 16.0 * f64::EPSILON / least);
    (settled || rounding, small)
}

impl Integrator for Bdf {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before, self.order, self.equal_steps) = (time, time, 1, 0);
        self.pending = None;
        self.y.copy_from_slice(y);
        ode.derivative(time, y, &mut self.slope)?;
        self.work.evaluations += 1;
        let count = ode.num_controlled();
        let Some(mechanics) = ode.mechanics() else {
            return Err(IntegrationError::NeedsSystem {
                integrator: Self::INFO.name,
            });
        };
        let parts = self
            .parts
            .get_or_insert_with(|| BdfBuffers::new(mechanics.system));
        parts.matrix.forget();
        parts
            .multipliers
            .copy_from_slice(&mechanics.solution.multipliers);
        parts.sharing = Sharing::new(mechanics.system, mechanics.active);
        if let Some(sharing) = &mut parts.sharing {
            sharing.prepare(mechanics.system, mechanics.workspace);
            sharing.gather(&mut parts.multipliers);
        }
        // initial step for which a formula of order 1 is well within the tolerance
        let steep = error_norm(&self.slope, y, y, count, self.tolerance);
        let guess = (0.01 / steep.max(1e-10)).clamp(1e-9, 1e-4);
        self.h = self.first_step.unwrap_or(guess).min(self.max_step);
        for difference in &mut self.differences {
            difference.fill(0.0);
        }
        self.differences[0].copy_from_slice(y);
        for (d, f) in self.differences[1].iter_mut().zip(&self.slope) {
            *d = self.h * f;
        }
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        let barrier = ode.barrier();
        let Some(mut mechanics) = ode.mechanics() else {
            return Err(IntegrationError::NeedsSystem {
                integrator: Self::INFO.name,
            });
        };
        let count = self.controlled(mechanics.system);
        let sizes = mechanics.system.sizes();
        let works = sizes.positions + sizes.velocities;
        // rows close to rank deficiency change with every step, so the matrix is recomputed
        let near = mechanics.near.is_some();
        self.tolerance = self.asked.resolved(near);
        if let Some((count, error)) = self.pending.take() {
            self.adapt(count, error);
        }
        self.lower_to_highest();
        let mut force_new = near;
        loop {
            let placed = Trial {
                size: self.h,
                reached: self.time + self.h,
                last: self.h >= end - self.time,
            }
            .over(self.time, barrier, 0.5);
            if placed.size < self.h {
                self.rescale(placed.size / self.h);
            }
            let left = end - self.time;
            // for a short remaining interval the times are rounded
            let last = left - self.h <= 1e-10 * left + 4.0 * f64::EPSILON * end.abs();
            if self.h > left {
                self.rescale(left / self.h);
            } else if !last && 1.1 * self.h >= left {
                // two equal steps, so that no tiny step remains
                self.rescale(0.5 * left / self.h);
            }
            if self.h < 16.0 * f64::EPSILON * self.time.abs().max(1e-12) {
                return Err(IntegrationError::StepTooSmall {
                    time: self.time,
                    step: self.h,
                });
            }
            let next = if last { end } else { self.time + self.h };
            let k = self.order;
            let a = alpha(k);
            self.predict();
            match self.solve(&mut mechanics, next, force_new)? {
                BdfNewtonOutcome::Converged => force_new = near,
                BdfNewtonOutcome::Stale => {
                    force_new = true;
                    continue;
                }
                BdfNewtonOutcome::Failed => {
                    force_new = true;
                    let parts = self.parts.as_mut();
                    if !parts.is_some_and(|parts| parts.matrix.try_whole_tangent()) {
                        self.work.rejected += 1;
                        self.rescale(0.25);
                    }
                    continue;
                }
            }
            let Some(parts) = &mut self.parts else {
                return Ok(self.time);
            };
            powers(
                mechanics.system,
                mechanics.workspace,
                &parts.next_multipliers,
                &mut parts.power,
            );
            for (i, p) in parts.power.iter().enumerate() {
                self.y[works + i] = self.known[works + i] + self.h / a * p;
            }
            let turns = works + parts.power.len();
            mechanics.turn_rates(&mut self.slope[turns..]);
            for n in turns..self.y.len() {
                self.y[n] = self.known[n] + self.h / a * self.slope[n];
            }
            for n in 0..self.y.len() {
                self.change[n] = self.y[n] - self.predicted[n];
            }
            self.relieved.copy_from_slice(&self.change);
            if let Some(manifold) = &mut mechanics.near {
                let (system, ws) = (mechanics.system, &mut *mechanics.workspace);
                manifold.relieve(system, ws, &self.y[..sizes.positions], &mut self.relieved);
            }
            let error = self.error_of(&self.relieved, k, count);
            self.watch_stability(count);
            if error > 1.0 || error.is_nan() {
                self.work.rejected += 1;
                let factor = 0.9 * error.powf(-1.0 / (k as f64 + 1.0));
                self.rescale(if factor > 0.2 { factor } else { 0.2 });
                self.lower_to_highest();
                continue;
            }
            if let Some(parts) = &mut self.parts {
                std::mem::swap(&mut parts.multipliers, &mut parts.next_multipliers);
            }
            for n in 0..self.y.len() {
                let d = self.change[n];
                self.differences[k + 2][n] = d - self.differences[k + 1][n];
                self.differences[k + 1][n] = d;
                for j in (0..=k).rev() {
                    self.differences[j][n] += self.differences[j + 1][n];
                }
            }
            (self.before, self.time) = (self.time, next);
            self.equal_steps += 1;
            self.work.steps += 1;
            // mesh of the completed step, for the dense output
            self.slope.copy_from_slice(&self.differences[0]);
            if self.equal_steps > k {
                self.pending = Some((count, error));
            }
            return Ok(next);
        }
    }

    fn y(&self) -> &[f64] {
        &self.differences[0]
    }

    fn replace(&mut self, y: &[f64]) {
        self.differences[0].copy_from_slice(y);
    }

    fn keeps_constraints(&self) -> bool {
        true
    }

    fn damps(&self) -> bool {
        true
    }

    fn crosses(&self) -> bool {
        false
    }

    fn prepare_dense(&mut self, _: &mut dyn Ode) -> Result<(), IntegrationError> {
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        // Newton's backward formula on the uniform mesh that ends at the current time
        let s = (time - self.time) / self.h;
        y.copy_from_slice(&self.slope);
        let mut factor = 1.0;
        for j in 1..=self.order {
            factor *= (s + j as f64 - 1.0) / j as f64;
            for (out, d) in y.iter_mut().zip(&self.differences[j]) {
                *out += factor * d;
            }
        }
    }

    fn step_size(&self) -> f64 {
        self.time - self.before
    }

    fn work(&self) -> IntegratorWork {
        self.work
    }
}
