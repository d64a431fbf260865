//! The core of the explicit Runge–Kutta methods: a table of coefficients gives stages, end of the step, error estimates and dense output.
//!
//! ```text
//! k_i = F(t + c_i h, y + h Σ a_ij k_j)      y⁺ = y + h Σ b_j k_j      error = h Σ e_j k_j
//! ```

use std::marker::PhantomData;

use super::control::{Pace, add, combine, cubic};
use super::{IntegrationError, Integrator, IntegratorWork, Ode, error_norm};
use crate::keep::{Keep, Words};
use crate::methods::MethodError;

/// The coefficients of an explicit Runge–Kutta method.
pub trait Tableau: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The times c_i of the stages, as fractions of the step.
    const C: &'static [f64];
    /// The coefficients a_ij: row i weights the stages before i. Row [`Tableau::END`] has the weights b of the end of the step; the rows after it
    /// are stages of the dense output.
    const A: &'static [&'static [f64]];
    /// The stage at the end of the step, which is the first stage of the next step.
    const END: usize;
    /// Whether the error estimate needs the stage at the end; the next step then begins with it unless the state was changed in between.
    const LAST_IS_FIRST: bool = false;
    /// Number of vectors of the dense output.
    const DENSE: usize = 0;

    /// Prepares the dense output of the last step.
    fn prepare_dense(steps: &mut Stages<Self>, ode: &mut dyn Ode) -> Result<(), MethodError> {
        steps.find_slope(ode)
    }

    /// Evaluates the dense output at the fraction `s` of the last step, of size h: by default the cubic Hermite interpolant of values and slopes at its ends.
    fn interpolate(steps: &Stages<Self>, (s, h): (f64, f64), y: &mut [f64]) {
        let (start, end) = (&steps.k[0], &steps.k[Self::END]);
        for (i, out) in y.iter_mut().enumerate() {
            let values = [steps.y_other[i], steps.y[i]];
            *out = cubic(s, h, values, [start[i], end[i]]);
        }
    }
}

/// A table with error estimates, for steps of controlled size.
pub trait EmbeddedTableau: Tableau {
    /// Weights e of the error estimates.
    const ESTIMATES: &'static [&'static [f64]];
    /// Order of the error estimate.
    const ESTIMATED_ORDER: u32;
    /// Middle of the widest gap between evaluations in a step, as a fraction of it.
    const GAP: f64;

    /// Returns the error norm of a step from the norms of its estimates.
    fn error(norms: &mut dyn FnMut(&[f64]) -> f64) -> f64 {
        norms(Self::ESTIMATES[0])
    }
}

/// The stages of the last step, and the state at both of its ends.
#[derive(Clone, Debug)]
pub struct Stages<M> {
    pub(super) time: f64,
    pub(super) before: f64,
    /// Whether stage [`Tableau::END`] is F at the current state.
    slope_known: bool,
    pub(super) y: Vec<f64>,
    /// End of an attempted step; y at the start of the last step once it is accepted.
    pub(super) y_other: Vec<f64>,
    scratch: Vec<f64>,
    pub(super) k: Vec<Vec<f64>>,
    pub(super) dense: Vec<Vec<f64>>,
    pub(super) work: IntegratorWork,
    method: PhantomData<M>,
}

impl<M> Keep for Stages<M> {
    fn keep(&mut self, words: &mut Words) {
        self.time.keep(words);
        self.before.keep(words);
        self.slope_known.keep(words);
        self.y.keep(words);
        self.y_other.keep(words);
        self.k.keep(words);
        self.dense.keep(words);
        self.work.keep(words);
    }
}

impl<M: Tableau> Stages<M> {
    pub(super) fn new(len: usize) -> Self {
        let zeros = || vec![0.0; len];
        Stages {
            time: 0.0,
            before: 0.0,
            slope_known: false,
            y: zeros(),
            y_other: zeros(),
            scratch: zeros(),
            k: M::A.iter().map(|_| zeros()).collect(),
            dense: (0..M::DENSE).map(|_| zeros()).collect(),
            work: IntegratorWork::default(),
            method: PhantomData,
        }
    }

    pub(super) fn start(&mut self, time: f64, y: &[f64]) {
        (self.time, self.before) = (time, time);
        self.replace(y);
    }

    pub(super) fn replace(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.slope_known = false;
    }

    /// Evaluates F at the current state if it is not known.
    pub(super) fn find_slope(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        if !self.slope_known {
            self.work.evaluations += 1;
            ode.derivative(self.time, &self.y, &mut self.k[M::END])?;
            self.slope_known = true;
        }
        Ok(())
    }

    /// Makes F at the current state the first stage of a step.
    pub(super) fn begin_step(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        self.find_slope(ode)?;
        self.k.swap(0, M::END);
        self.slope_known = false;
        Ok(())
    }

    /// Evaluates stage `i` of a step of size h from (t, y).
    fn stage(
        &mut self,
        ode: &mut dyn Ode,
        i: usize,
        (t, h): (f64, f64),
    ) -> Result<(), MethodError> {
        let (done, rest) = self.k.split_at_mut(i);
        // after the step, its start is the other state
        let y = if i < M::END { &self.y } else { &self.y_other };
        combine(&mut self.scratch, y, done, M::A[i], h);
        self.work.evaluations += 1;
        ode.derivative(t + M::C[i] * h, &self.scratch, &mut rest[0])
    }

    /// Evaluates the stages of a step of size h, and its end.
    pub(super) fn attempt(&mut self, ode: &mut dyn Ode, h: f64) -> Result<(), MethodError> {
        for i in 1..M::END {
            self.stage(ode, i, (self.time, h))?;
        }
        combine(&mut self.y_other, &self.y, &self.k, M::A[M::END], h);
        if M::LAST_IS_FIRST {
            self.work.evaluations += 1;
            ode.derivative(self.time + h, &self.y_other, &mut self.k[M::END])?;
        }
        Ok(())
    }

    /// Evaluates the stages of the dense output.
    pub(super) fn extend(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        for i in M::END + 1..M::A.len() {
            self.stage(ode, i, (self.before, self.size()))?;
        }
        Ok(())
    }

    /// Accepts the attempted step.
    pub(super) fn accept(&mut self, reached: f64) -> f64 {
        std::mem::swap(&mut self.y, &mut self.y_other);
        (self.before, self.time) = (self.time, reached);
        self.slope_known = M::LAST_IS_FIRST;
        self.work.steps += 1;
        reached
    }

    /// Returns the size of the last step.
    pub(super) fn size(&self) -> f64 {
        self.time - self.before
    }

    pub(super) fn interpolate(&self, time: f64, y: &mut [f64]) {
        let h = self.size();
        let s = if h > 0.0 {
            (time - self.before) / h
        } else {
            1.0
        };
        M::interpolate(self, (s, h), y);
    }
}

/// An explicit Runge–Kutta method with error estimate and steps of controlled size.
#[derive(Clone, Debug)]
pub struct RungeKutta<M> {
    pub(super) stages: Stages<M>,
    pace: Pace,
}

impl<M> Keep for RungeKutta<M> {
    fn keep(&mut self, words: &mut Words) {
        self.stages.keep(words);
        self.pace.keep(words);
    }
}

impl<M: EmbeddedTableau> RungeKutta<M> {
    /// An integrator with step sizes set by `pace`, for problems with `len` unknowns.
    pub(super) fn with_pace(pace: Pace, len: usize) -> Self {
        let stages = Stages::new(len);
        RungeKutta { stages, pace }
    }

    /// Attempts a step, and returns its error norm.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64) -> Result<f64, MethodError> {
        self.stages.attempt(ode, h)?;
        let Stages {
            scratch,
            y,
            y_other,
            k,
            ..
        } = &mut self.stages;
        let (count, tolerance) = (ode.num_controlled(), self.pace.allowed());
        Ok(M::error(&mut |weights| {
            scratch.fill(0.0);
            add(scratch, k, weights, h);
            ode.relieve(scratch);
            error_norm(scratch, y, y_other, count, tolerance)
        }))
    }
}

impl<M: EmbeddedTableau> Integrator for RungeKutta<M> {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.stages.start(time, y);
        self.stages.find_slope(ode)?;
        let Stages {
            y_other,
            scratch,
            k,
            work,
            ..
        } = &mut self.stages;
        let probes = [y_other.as_mut_slice(), scratch.as_mut_slice()];
        work.evaluations += self.pace.start(ode, (time, y), &k[M::END], probes)?;
        Ok(())
    }

    fn restart(&mut self, _: &mut dyn Ode, _: f64, y: &[f64]) -> Result<(), IntegrationError> {
        // a one-step method has no history except the slope at its start
        self.replace(y);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        self.stages.begin_step(ode)?;
        let time = self.stages.time;
        loop {
            let trial = self.pace.trial(ode, (time, end), M::GAP)?;
            ode.trying(trial.size);
            match self.attempt(ode, trial.size) {
                Ok(error) if self.pace.judge(&trial, error) => {
                    return Ok(self.stages.accept(trial.reached));
                }
                Ok(_) => {}
                Err(cause) => self.pace.retreat(time, &trial, cause)?,
            }
            self.stages.work.rejected += 1;
        }
    }

    fn y(&self) -> &[f64] {
        &self.stages.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.stages.replace(y);
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        Ok(M::prepare_dense(&mut self.stages, ode)?)
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        self.stages.interpolate(time, y);
    }

    fn step_size(&self) -> f64 {
        self.stages.size()
    }

    fn work(&self) -> IntegratorWork {
        self.stages.work
    }
}
