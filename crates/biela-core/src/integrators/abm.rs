use super::adams::{DividedDifferences, MAX_ORDER, MOULTON};
use super::control::{Pace, Tolerance, Trial, vanishes};
use super::control::{absolute_field, first_step_field, max_step_field, tolerance_field};
use super::merson::{KuttaMerson, Merson};
use super::runge_kutta::{EmbeddedTableau, Tableau};
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode, error_norm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::{Keep, Words, keeps};
use crate::methods::MethodError;
use crate::model::Space;

/// Adams-Bashforth-Moulton method in PECE mode: predictor of order k, corrector of order k + 1, with variable step and order.
///
/// ```text
/// P  p = y + ∫ P_k              P_k through the k newest values of F
/// E  d = F(t + h, p) − P_k(t + h)
/// C  y⁺ = p + h g_(k+1) d       the integral of the polynomial that also interpolates F(t + h, p)
/// E  F(t + h, y⁺)               at the start of the next step, after the projection of y⁺ to the constraints
/// error = h |g_(k+1) − g_k| ‖d‖ = |y⁺ − p| |1 − g_k/g_(k+1)|      (behaves like h^(k+1))
/// ```
///
/// Two evaluations per step at any order: the least work if evaluations are expensive and the motion is smooth. Every discontinuity of F requires a restart
/// at order 1, and the stability region shrinks with the order.
///
/// Pacheco (5.3) uses the pair 10/11, starts with Kutta-Merson at a tighter tolerance, and obtains variable steps by interpolating old values of F to a
/// uniform mesh. The interpolation is combined with the constant coefficients into one multiplier per value. For the predictor this is algebraically the
/// polynomial P_k; the corrector keeps its order only if the new value is one of the nodes. Here both are computed from modified divided differences, with
/// one multiplier per difference: the same formulas without cancellation. The factor of the error, which the source does not give, follows from the formulas.
/// The step size is set from the root of order k + 1 of the error. Order and step are chosen as in L. F. Shampine, M. K. Gordon, *Computer Solution of
/// Ordinary Differential Equations*, 1975: the step is doubled, kept or reduced. The order is raised if equal steps show that the next difference is smaller,
/// and lowered if the last one is not, as after a discontinuity of F.
///
/// Dense output: the integral of the polynomial that interpolates the k + 1 newest values of F.
#[derive(Clone, Debug)]
pub struct Abm {
    tolerance: Tolerance,
    max_step: f64,
    /// The highest order of the predictor.
    most: usize,
    fixed_order: bool,
    starter: Merson,
    phase: AbmPhase,
    /// Whether the last step was a step of the starter.
    by_starter: bool,
    slope: Slope,
    differences: DividedDifferences,
    /// Order of the predictor and size of the next step.
    order: usize,
    size: f64,
    /// Size of the last attempted step, and the number of consecutive steps of that size.
    last_size: f64,
    equal: usize,
    taken: AttemptedStep,
    time: f64,
    before: f64,
    y: Vec<f64>,
    /// End of an attempted step; y at the start of the last step once it is accepted.
    y_other: Vec<f64>,
    f: Vec<f64>,
    scratch: Vec<f64>,
    /// For the dense output: y at the end as computed, and the residual of the polynomial at the start.
    y_end: Vec<f64>,
    gap: Vec<f64>,
    work: IntegratorWork,
}

keeps!(Abm: starter, phase, by_starter, slope, differences, order, size, last_size, equal, taken, time, before, y, y_other, f, scratch, y_end, gap, work
    => |abm| (1..=abm.most).contains(&abm.order)
        && abm.taken.order <= abm.most
        && (abm.by_starter || abm.taken.order > 0));

/// The method of the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AbmPhase {
    Starter,
    Adams,
}

impl Keep for AbmPhase {
    fn keep(&mut self, words: &mut Words) {
        let mut starts = *self == AbmPhase::Starter;
        starts.keep(words);
        *self = if starts {
            AbmPhase::Starter
        } else {
            AbmPhase::Adams
        };
    }
}

/// Whether the differences contain F at the current state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slope {
    /// Not yet added.
    Missing,
    /// Added, but y has been replaced since.
    Stale,
    Known,
}

impl Keep for Slope {
    fn keep(&mut self, words: &mut Words) {
        let mut known = (*self != Slope::Missing, *self == Slope::Known);
        known.keep(words);
        *self = match known {
            (false, _) => Slope::Missing,
            (true, false) => Slope::Stale,
            (true, true) => Slope::Known,
        };
    }
}

/// An attempted step: its size, its order, and the errors estimated on a uniform mesh with this order, one less and two less.
#[derive(Clone, Copy, Debug, Default)]
struct AttemptedStep {
    size: f64,
    order: usize,
    errors: [f64; 3],
}

keeps!(AttemptedStep: size, order, errors);

impl AttemptedStep {
    /// Whether the next lower order has no larger error.
    fn lower(&self) -> bool {
        let [here, less, least] = self.errors;
        match self.order {
            1 => false,
            2 => less <= 0.5 * here,
            _ => less.max(least) <= here,
        }
    }
}

/// Fraction of the tolerance that the step-size choice aims at.
const AIM: f64 = 0.5;
/// Fraction of the tolerance for the steps of the starter.
const START: f64 = 0.01;

fields! { Abm {
    use tolerance_field;
    use absolute_field;
    /// highest order of the predictor, a whole number from 1 to 12; the order of the corrector is one higher
    order: Positive { unit: "1" } = "10",
    /// whether to use the highest order in every step after the start, as Pacheco's pair 10/11 does
    fixed_order: Flag = "false",
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Abm {
    const INFO: Info = Info {
        name: "abm",
        aliases: &["adams", "adams-bashforth-moulton"],
        summary: "Adams-Bashforth-Moulton predictor-corrector method of variable step and order; few evaluations at tight tolerances",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 11;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let mut pace = Pace::new(arguments, KuttaMerson::ESTIMATED_ORDER)?;
        let order = arguments.optional_number("order").unwrap_or(10.0);
        if order.fract() != 0.0 || !(1.0..=MAX_ORDER as f64).contains(&order) {
            return Err(ArgumentError {
                field: "order",
                message: format!("{order} is not a whole number from 1 to {MAX_ORDER}"),
            });
        }
        let (tolerance, max_step) = (pace.tolerance, pace.max_step);
        pace.tolerance = tolerance.part(START);
        let zeros = || vec![0.0; len];
        Ok(Abm {
            tolerance,
            max_step,
            most: order as usize,
            fixed_order: arguments.flag("fixed_order"),
            starter: Merson::with_pace(pace, len),
            phase: AbmPhase::Starter,
            by_starter: true,
            slope: Slope::Missing,
            differences: DividedDifferences::new(order as usize, len),
            order: 1,
            size: 0.0,
            last_size: 0.0,
            equal: 0,
            taken: AttemptedStep::default(),
            time: 0.0,
            before: 0.0,
            y: zeros(),
            y_other: zeros(),
            f: zeros(),
            scratch: zeros(),
            y_end: zeros(),
            gap: zeros(),
            work: IntegratorWork::default(),
        })
    }
}

impl Abm {
    /// Makes one step of the starter and adds F at its start to the differences.
    fn start_step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        let reached = self.starter.step(ode, end)?;
        let slope = &self.starter.stages.k[0];
        self.differences.push(self.last_size, slope);
        (self.before, self.time) = (self.time, reached);
        self.last_size = self.step_size();
        self.y.copy_from_slice(self.starter.y());
        (self.by_starter, self.slope) = (true, Slope::Missing);
        self.size = self.last_size;
        // F at the current state is one more value
        self.order = (self.differences.known() + 1).min(self.most);
        if self.order == self.most {
            self.phase = AbmPhase::Adams;
        }
        Ok(reached)
    }

    /// Adds F at the current state to the differences, and chooses order and size of the next step.
    fn find_slope(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        if self.slope == Slope::Known {
            return Ok(());
        }
        if self.by_starter {
            self.starter.stages.find_slope(ode)?;
            self.f
                .copy_from_slice(&self.starter.stages.k[KuttaMerson::END]);
        } else {
            self.work.evaluations += 1;
            ode.derivative(self.time, &self.y, &mut self.f)?;
        }
        if self.slope == Slope::Stale {
            self.differences.revise(&self.f);
        } else {
            self.differences.push(self.last_size, &self.f);
            if !self.by_starter {
                self.choose(ode);
            }
        }
        self.slope = Slope::Known;
        Ok(())
    }

    /// The error allowed in a step.
    fn allowed(&self, ode: &dyn Ode) -> Tolerance {
        self.tolerance.resolved(ode.magnifies_rounding())
    }

    /// Chooses order and size of the next step.
    fn choose(&mut self, ode: &dyn Ode) {
        let AttemptedStep { size, order, .. } = self.taken;
        let [mut error, less, _] = self.taken.errors;
        self.order = order;
        let mut lower = self.taken.lower() && !self.fixed_order;
        if !lower && !self.fixed_order && self.equal > order && self.differences.known() > order + 1
        {
            let next = self.differences.phi(order + 1);
            let (count, tolerance) = (ode.num_controlled(), self.allowed(ode));
            let norm = error_norm(next, &self.y_other, &self.y, count, tolerance);
            let more = size * MOULTON[order + 1] * norm;
            lower = order > 1 && less <= error.min(more);
            let better = if order > 1 { error } else { 0.5 * error };
            if !lower && more < better && order < self.most {
                (self.order, error) = (order + 1, more);
            }
        }
        if lower {
            (self.order, error) = (order - 1, less);
        }
        let power = self.order as i32 + 1;
        self.size = if error * 2.0_f64.powi(power) <= AIM {
            2.0 * size
        } else if error <= AIM {
            size
        } else {
            size * (AIM / error).powf(1.0 / f64::from(power)).clamp(0.5, 0.9)
        };
    }

    /// Predicts, evaluates and corrects. Returns the error norm of the step and stores the error estimates for the choice of the next.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64) -> Result<f64, MethodError> {
        let (k, differences) = (self.order, &self.differences);
        let weights = differences.weights(h);
        self.y_other.copy_from_slice(&self.y);
        differences.integrate(h, &weights, k, &mut self.y_other);
        self.work.evaluations += 1;
        ode.derivative(self.time + h, &self.y_other, &mut self.f)?;

        // d, which is also the difference of order k + 1 with the predicted F
        for (i, phi) in (0..k).map(|i| (i, differences.phi(i))) {
            for (f, phi) in self.f.iter_mut().zip(phi) {
                *f -= weights.value[i] * phi;
            }
        }
        let g = |i: usize| weights.integral[i] / weights.value[i];
        for (y, d) in self.y_other.iter_mut().zip(&self.f) {
            *y += h * g(k) * d;
        }
        ode.relieve(&mut self.f);

        let (count, tolerance) = (ode.num_controlled(), self.allowed(ode));
        let norm = |x: &[f64]| error_norm(x, &self.y, &self.y_other, count, tolerance);
        let error = h * (g(k) - g(k - 1)).abs() * norm(&self.f);
        // σ_(i+1) = Π j h/(t + h − t_(n−j+1)) converts a difference to that of a uniform mesh
        let mut sigma = [1.0; MAX_ORDER + 1];
        for i in 1..=k {
            sigma[i] = sigma[i - 1] * i as f64 * h / differences.distance(i - 1, h);
        }
        let mut errors = [0.0; 3];
        self.scratch.copy_from_slice(&self.f);
        for (less, estimate) in errors.iter_mut().enumerate().take(k) {
            let i = k - less;
            *estimate = h * sigma[i] * MOULTON[i] * norm(&self.scratch);
            for (d, phi) in self.scratch.iter_mut().zip(differences.phi(i - 1)) {
                *d += weights.value[i - 1] * phi;
            }
        }
        self.taken = AttemptedStep {
            size: h,
            order: k,
            errors,
        };
        Ok(error)
    }

    /// Sets order and size after a step was rejected `failures` consecutive times.
    fn shorten(&mut self, failures: u32) {
        let AttemptedStep { size, order, .. } = self.taken;
        let error = self.taken.errors[0];
        self.order = if self.fixed_order {
            order
        } else if failures >= 3 {
            1
        } else if self.taken.lower() {
            order - 1
        } else {
            order
        };
        let root = (AIM / error).sqrt();
        self.size = size
            * if failures > 3 && root < 0.5 {
                root.max(0.01)
            } else {
                0.5
            };
        self.equal = 0;
    }
}

impl Integrator for Abm {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        self.differences.clear();
        (self.phase, self.by_starter) = (AbmPhase::Starter, true);
        (self.slope, self.last_size, self.equal) = (Slope::Missing, 0.0, 0);
        self.starter.start(ode, time, y)
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        if self.phase == AbmPhase::Starter {
            return self.start_step(ode, end);
        }
        self.find_slope(ode)?;
        let mut failures = 0;
        let trial = loop {
            let trial = Trial::new(self.size.min(self.max_step), self.time, end)?.over(
                self.time,
                ode.barrier(),
                0.5,
            );
            ode.trying(trial.size);
            match self.attempt(ode, trial.size) {
                Ok(error) if error <= 1.0 => break trial,
                Ok(_) => {
                    failures += 1;
                    self.shorten(failures);
                }
                Err(cause) => {
                    self.size = 0.25 * trial.size;
                    if vanishes(self.size, self.time) {
                        return Err(cause.into());
                    }
                }
            }
            self.work.rejected += 1;
        };
        let same = trial.size == self.last_size && !self.by_starter;
        self.equal = if same { self.equal + 1 } else { 1 };
        self.last_size = trial.size;
        std::mem::swap(&mut self.y, &mut self.y_other);
        (self.before, self.time) = (self.time, trial.reached);
        (self.by_starter, self.slope) = (false, Slope::Missing);
        self.work.steps += 1;
        Ok(self.time)
    }

    fn y(&self) -> &[f64] {
        &self.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        if self.by_starter {
            self.starter.replace(y);
        }
        if self.slope == Slope::Known {
            self.slope = Slope::Stale;
        }
    }

    fn crosses(&self) -> bool {
        false
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        if self.by_starter {
            return self.starter.prepare_dense(ode);
        }
        self.find_slope(ode)?;
        self.y_end.copy_from_slice(&self.y);
        let back = self.before - self.time;
        let weights = self.differences.weights(back);
        self.gap.copy_from_slice(&self.y_other);
        for (gap, y) in self.gap.iter_mut().zip(&self.y) {
            *gap -= y;
        }
        let count = self.taken.order + 1;
        self.differences
            .integrate(-back, &weights, count, &mut self.gap);
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        if self.by_starter {
            return self.starter.interpolate(time, y);
        }
        let x = time - self.time;
        let weights = self.differences.weights(x);
        let left = x / (self.before - self.time);
        for (i, out) in y.iter_mut().enumerate() {
            *out = self.y_end[i] + left * self.gap[i];
        }
        self.differences
            .integrate(x, &weights, self.taken.order + 1, y);
    }

    fn step_size(&self) -> f64 {
        self.time - self.before
    }

    fn work(&self) -> IntegratorWork {
        let start = self.starter.work();
        IntegratorWork {
            steps: self.work.steps + start.steps,
            rejected: self.work.rejected + start.rejected,
            evaluations: self.work.evaluations + start.evaluations,
            ..IntegratorWork::default()
        }
    }
}

#[cfg(test)]
impl Abm {
    /// An integrator that has reached time 0 with steps of `h` and the given slopes; it continues with such steps and this order.
    pub(super) fn under_way(
        order: u32,
        h: f64,
        y: &[f64],
        slope: impl Fn(f64) -> Vec<f64>,
    ) -> Self {
        use crate::element::FieldValue;
        let arguments = Arguments::new(Space::Planar)
            .with("tolerance", FieldValue::Number(1e10))
            .with("order", FieldValue::Number(f64::from(order)))
            .with("fixed_order", FieldValue::Flag(true))
            .with("max_step", FieldValue::Number(h));
        let mut abm = Abm::build(&arguments, y.len()).unwrap();
        for node in (0..abm.most).rev() {
            abm.differences.push(h, &slope(-(node as f64) * h));
        }
        abm.y.copy_from_slice(y);
        (abm.phase, abm.by_starter, abm.slope) = (AbmPhase::Adams, false, Slope::Known);
        (abm.order, abm.size, abm.last_size, abm.equal) = (abm.most, h, h, abm.most);
        abm
    }
}
