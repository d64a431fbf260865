//! Simulations that Python steps: inputs, signals, snapshots and rollouts.

use std::collections::HashMap;
use std::sync::Arc;

use biela::core::analysis::{
    LinearModelRequest, ReadError, ResetError, RunFailure, SetError, Simulation as CoreSimulation,
    Stop, modes,
};
use biela::core::model::{InputIndex, Signal};
use biela::core::system::{Channel, channels};
use biela::core::unilateral::unilaterals;
use biela::evidence;
use biela::model::suggest::did_you_mean;
use biela::view::{SteppedError, SteppedPage, SteppedScene, view_direction};
use biela::viewer::picture::{ImageSettings, MOST_PIXELS};
use numpy::{
    PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyReadwriteArray1,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::prelude::*;
use serde_json::json;

use crate::batch::Batch;
use crate::convert::{ExceptionKind, check_threads, dict, failure, raise};
use crate::document::linear_dict;
use crate::functions::Raised;
use crate::threads::pool;

/// A simulation at a time; see `biela.Simulation`.
#[pyclass(module = "biela._biela")]
pub(crate) struct Simulation {
    name: String,
    core: CoreSimulation,
    /// The observed signals, in order.
    channels: Vec<Channel>,
    signals: Vec<Signal>,
    values: Vec<f64>,
    /// All signals by name.
    all: HashMap<String, Signal>,
    raised: Raised,
    /// What is drawn of it, and the page that shows it.
    drawn: Arc<SteppedScene>,
    page: Option<SteppedPage>,
}

/// The inputs of a step: a value for the only input, or one per input.
#[derive(FromPyObject)]
enum InputValues<'py> {
    One(f64),
    Array(PyReadonlyArray1<'py, f64>),
    List(Vec<f64>),
}

impl Simulation {
    pub(crate) fn new(
        name: String,
        core: CoreSimulation,
        observed: Vec<Channel>,
        raised: Raised,
        drawn: Arc<SteppedScene>,
    ) -> Self {
        let all = channels(core.model());
        Simulation {
            name,
            signals: observed.iter().map(|c| c.signal).collect(),
            values: vec![0.0; observed.len()],
            channels: observed,
            all: all.into_iter().map(|c| (c.name, c.signal)).collect(),
            core,
            raised,
            drawn,
            page: None,
        }
    }

    /// The exception of a Python function of the model, or that of the solver.
    pub(crate) fn stopped(&self, py: Python<'_>, error: &dyn std::fmt::Display) -> PyErr {
        let Some((what, cause)) = self.raised.take() else {
            let text = format!("{}: the solver stopped: {error}", self.name);
            return failure(py, ExceptionKind::Solver, text);
        };
        let is_error = cause.is_instance_of::<pyo3::exceptions::PyException>(py);
        if !is_error {
            return cause;
        }
        let kind = cause.get_type(py).name();
        let kind = kind.map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
        let text = format!("{what} raised {kind}: {}", cause.value(py));
        let wrong = raise(py, "FunctionError", (text,));
        wrong.set_cause(py, Some(cause));
        wrong
    }

    fn failed(&self, py: Python<'_>, error: &RunFailure) -> PyErr {
        self.stopped(py, error)
    }

    fn unread(&self, py: Python<'_>, error: &ReadError) -> PyErr {
        self.stopped(py, error)
    }

    fn unset(&self, py: Python<'_>, error: &SetError) -> PyErr {
        match error {
            SetError::Failed(failure) => self.failed(py, failure),
            _ => failure(py, ExceptionKind::Option, error),
        }
    }

    fn not_reset(&self, py: Python<'_>, error: &ResetError) -> PyErr {
        match error {
            ResetError::Failed(failure) => self.failed(py, failure),
            _ => failure(py, ExceptionKind::Option, error),
        }
    }

    pub(crate) fn num_inputs(&self) -> usize {
        self.core.model().inputs.len()
    }

    pub(crate) fn signal(&self, py: Python<'_>, name: &str) -> PyResult<Signal> {
        self.all.get(name).copied().ok_or_else(|| {
            let near = did_you_mean(name, self.all.keys().map(String::as_str));
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let text = format!("no signal is called `{name}`{help}");
            failure(py, ExceptionKind::Option, text)
        })
    }

    /// Sets all inputs.
    fn set_all(&mut self, py: Python<'_>, inputs: Option<InputValues<'_>>) -> PyResult<()> {
        let Some(inputs) = inputs else {
            return Ok(());
        };
        match inputs {
            InputValues::One(value) => self.set_slice(py, &[value]),
            InputValues::Array(values) => match values.as_slice() {
                Ok(values) => self.set_slice(py, values),
                Err(_) => self.set_slice(py, &values.as_array().to_vec()),
            },
            InputValues::List(values) => self.set_slice(py, &values),
        }
    }

    fn set_slice(&mut self, py: Python<'_>, values: &[f64]) -> PyResult<()> {
        let count = self.core.model().inputs.len();
        if values.len() != count {
            let text = format!(
                "the model has {count} inputs; {} values are given",
                values.len()
            );
            return Err(failure(py, ExceptionKind::Option, text));
        }
        for (index, value) in values.iter().enumerate() {
            let set = self.core.set(InputIndex(index), *value);
            set.map_err(|error| self.unset(py, &error))?;
        }
        Ok(())
    }

    /// The observed signals, in `out` or in a new array.
    fn observed<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<PyReadwriteArray1<'py, f64>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let Simulation {
            core,
            signals,
            values,
            ..
        } = self;
        let Some(mut out) = out else {
            let seen = core.observe(signals, values);
            seen.map_err(|error| self.unread(py, &error))?;
            return Ok(Some(PyArray1::from_slice(py, &self.values)));
        };
        let Ok(slice) = out.as_slice_mut() else {
            return Err(PyValueError::new_err("out must be contiguous"));
        };
        if slice.len() != signals.len() {
            let text = format!(
                "out has {} elements; {} are required",
                slice.len(),
                signals.len()
            );
            return Err(PyValueError::new_err(text));
        }
        let seen = core.observe(signals, slice);
        seen.map_err(|error| self.unread(py, &error))?;
        Ok(None)
    }
}

/// The name of the event that stopped the simulation, if one did.
fn event(stop: Stop) -> Option<String> {
    match stop {
        Stop::Event { name, .. } => Some(name),
        Stop::Finished | Stop::Interrupted { .. } => None,
    }
}

#[pymethods]
impl Simulation {
    /// The current time in s.
    #[getter]
    fn time(&self) -> f64 {
        self.core.time()
    }

    /// Names of the observed signals, in the order of `observe`.
    #[getter]
    fn signals(&self) -> Vec<String> {
        self.channels.iter().map(|c| c.name.clone()).collect()
    }

    /// Units of the observed signals by name.
    #[getter]
    fn units(&self) -> Vec<(String, String)> {
        let pair = |c: &Channel| (c.name.clone(), c.unit.clone());
        self.channels.iter().map(pair).collect()
    }

    /// Names and units of the external inputs.
    #[getter]
    fn inputs(&self) -> Vec<(String, String)> {
        let inputs = self.core.model().inputs.iter();
        inputs.map(|i| (i.name.clone(), i.unit.clone())).collect()
    }

    /// Sets the inputs, makes one step of the integrator, and returns the observed signals, or writes them to `out`.
    #[pyo3(signature = (inputs=None, out=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        inputs: Option<InputValues<'py>>,
        out: Option<PyReadwriteArray1<'py, f64>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.set_all(py, inputs)?;
        let stepped = self.core.step();
        let _ = stepped.map_err(|error| self.failed(py, &error))?;
        self.observed(py, out)
    }

    /// Sets the inputs and advances to a time in s; returns the name of the event that stopped the simulation before it, or None.
    #[pyo3(signature = (to, inputs=None))]
    fn advance(
        &mut self,
        py: Python<'_>,
        to: f64,
        inputs: Option<InputValues<'_>>,
    ) -> PyResult<Option<String>> {
        if !to.is_finite() {
            let text = format!("cannot advance to {to} s: give a finite time");
            return Err(failure(py, ExceptionKind::Option, text));
        }
        self.set_all(py, inputs)?;
        let core = &mut self.core;
        let advanced = py.detach(|| core.advance(to));
        py.check_signals()?;
        advanced.map(event).map_err(|error| self.failed(py, &error))
    }

    /// Sets an external input by name.
    fn set(&mut self, py: Python<'_>, name: &str, value: f64) -> PyResult<()> {
        let index = biela::find_input(self.core.model(), name);
        let index = index.map_err(|error| failure(py, ExceptionKind::Option, error))?;
        let set = self.core.set(index, value);
        set.map_err(|error| self.unset(py, &error))
    }

    /// The value of a signal at the current time.
    fn read(&mut self, py: Python<'_>, name: &str) -> PyResult<f64> {
        let signal = self.signal(py, name)?;
        let read = self.core.read(signal);
        read.map_err(|error| self.unread(py, &error))
    }

    /// The observed signals at the current time, in a new array or written to `out`.
    #[pyo3(signature = (out=None))]
    fn observe<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<PyReadwriteArray1<'py, f64>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.observed(py, out)
    }

    /// Position and velocity coordinates of the formulation at the current time.
    fn state<'py>(&mut self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<f64>>; 2]> {
        let (q, v) = match self.core.current() {
            Ok(state) => (state.q.clone(), state.v.clone()),
            Err(error) => return Err(self.unread(py, &error)),
        };
        Ok([q, v].map(|list| PyArray1::from_vec(py, list)))
    }

    /// Returns to the start, with other coordinates (q, v), or with other joint values by name.
    #[pyo3(signature = (q=None, v=None, initial=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        q: Option<Vec<f64>>,
        v: Option<Vec<f64>>,
        initial: Option<Vec<(String, f64)>>,
    ) -> PyResult<()> {
        if let Some(initial) = initial {
            let values = initial.iter().map(|(name, value)| {
                let signal = self.signal(py, name)?;
                Ok((signal, *value))
            });
            let values: Vec<(Signal, f64)> = values.collect::<PyResult<_>>()?;
            let reset = self.core.reset_with(&values);
            return reset.map_err(|error| self.not_reset(py, &error));
        }
        let reset = match (q, v) {
            (None, None) => self.core.reset(),
            (q, v) => {
                let state = self.core.state();
                let rest = vec![0.0; state.v.len()];
                let (q, v) = (q.unwrap_or_else(|| state.q.clone()), v.unwrap_or(rest));
                let sizes = [("q", q.len(), state.q.len()), ("v", v.len(), state.v.len())];
                for (name, given, wanted) in sizes {
                    if given != wanted {
                        let text = format!("{name} has {given} elements; {wanted} are required");
                        return Err(PyValueError::new_err(text));
                    }
                }
                if !q.iter().chain(&v).all(|x| x.is_finite()) {
                    return Err(PyValueError::new_err("q and v must be finite"));
                }
                self.core.reset_to(&q, &v)
            }
        };
        reset.map_err(|error| self.failed(py, &error))
    }

    /// Everything that the simulation depends on, as bytes.
    fn snapshot<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let words = self.core.snapshot();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    /// Restores a snapshot of the same model and options.
    fn restore(&mut self, snapshot: &[u8]) -> PyResult<()> {
        let (eights, rest) = snapshot.as_chunks::<8>();
        let words: Vec<u64> = eights
            .iter()
            .map(|eight| u64::from_le_bytes(*eight))
            .collect();
        let restored = self.core.restore(&words);
        if rest.is_empty() && restored.is_ok() {
            return Ok(());
        }
        let text = "the snapshot does not fit: it is damaged, or of another model or other options";
        Err(PyValueError::new_err(text))
    }

    /// An independent copy at the current time.
    fn copy(&self) -> Self {
        Simulation {
            name: self.name.clone(),
            core: self.core.clone(),
            channels: self.channels.clone(),
            signals: self.signals.clone(),
            values: self.values.clone(),
            all: self.all.clone(),
            raised: self.raised.clone(),
            drawn: Arc::clone(&self.drawn),
            page: None,
        }
    }

    /// The image of the mechanism at the current time, an array (height, width, 3) of bytes: red, green, blue. It contains the initial configuration and `points`.
    fn picture<'py>(
        &mut self,
        py: Python<'py>,
        size: [usize; 2],
        view: &str,
        dark: bool,
        points: Vec<[f32; 3]>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let refuse = |text: String| failure(py, ExceptionKind::Option, text);
        let view = view_direction(view).map_err(|text| refuse(format!("view: {text}")))?;
        if size.iter().any(|n| !(16..=MOST_PIXELS).contains(n)) {
            return Err(refuse(format!("size: use 16 to {MOST_PIXELS} pixels")));
        }
        let look = ImageSettings {
            size,
            view,
            dark,
            contacts: true,
        };
        let (core, drawn) = (&mut self.core, &self.drawn);
        let painted = py.detach(|| drawn.paint(core, look, &points));
        let pixels = painted.map_err(|error| self.unread(py, &error))?;
        let [width, height] = size;
        PyArray1::from_vec(py, pixels).reshape([height, width, 3])
    }

    /// Shows the simulation at the current time on a page of this machine, and returns the address of the page.
    fn show(&mut self, py: Python<'_>) -> PyResult<String> {
        let refuse = |error: &SteppedError| failure(py, ExceptionKind::Option, error);
        if self.page.is_none() {
            let drawn = SteppedScene::clone(&self.drawn);
            let page = SteppedPage::open(self.core.model(), drawn, &self.channels);
            self.page = Some(page.map_err(|error| refuse(&error))?);
        }
        let Some(page) = &mut self.page else {
            return Ok(String::new());
        };
        page.show(&mut self.core).map_err(|error| refuse(&error))?;
        Ok(page.url())
    }

    /// Closes the page.
    fn close(&mut self) {
        self.page = None;
    }

    /// Copies that advance together.
    #[pyo3(signature = (count, threads))]
    fn batch(&self, py: Python<'_>, count: usize, threads: Option<usize>) -> PyResult<Batch> {
        check_threads(threads)?;
        let all = vec![self.core.clone(); count];
        let workers = pool(py, threads, count * crate::tree::STATES_AT_A_TIME)?;
        Ok(Batch::new(self.copy(), all, self.signals.clone(), workers))
    }

    /// The generalised force that, added to those of the model, gives the accelerations v̇.
    fn inverse_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        accelerations: Vec<f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let count = self.core.state().v.len();
        if accelerations.len() != count {
            let given = accelerations.len();
            let text = format!("accelerations has {given} elements; {count} are required");
            return Err(PyValueError::new_err(text));
        }
        let mut out = vec![0.0; count];
        let found = self.core.inverse_dynamics(&accelerations, &mut out);
        found.map_err(|error| self.unread(py, &error))?;
        Ok(PyArray1::from_vec(py, out))
    }

    /// The linear model at the current time: matrices, names and modes.
    fn linearize<'py>(
        &mut self,
        py: Python<'py>,
        inputs: Vec<String>,
        outputs: Vec<String>,
        coordinates: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let request = LinearModelRequest {
            inputs,
            outputs,
            coordinates,
        };
        let core = &mut self.core;
        let linear = py.detach(|| core.linearize(&request));
        let linear = linear.map_err(|error| failure(py, ExceptionKind::Option, error))?;
        let modes = modes(&linear).map_err(|error| failure(py, ExceptionKind::Solver, error))?;
        linear_dict(py, &linear, &modes, &[])
    }

    /// Cost and accuracy so far.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let statistics = self.core.statistics();
        let mut all = evidence::work(&statistics);
        let checks = evidence::checks(&statistics);
        if !unilaterals(self.core.model()).is_empty() {
            let (seen, model) = (self.core.contact_statistics(), self.core.model());
            let contacts = biela::contact_figures(&biela::ContactSummary::new(seen, model));
            let _ = all.insert("contacts".to_owned(), json!(contacts));
        }
        let _ = all.insert("checks".to_owned(), json!(checks));
        dict(py, &all)
    }

    /// Many simulations from their own initial values with their own inputs: the observed signals at the start and after every period `dt`, as an array
    /// (simulations, periods + 1, signals). The result does not depend on the number of threads.
    #[pyo3(signature = (count, steps, dt, initial, names, inputs, threads))]
    #[allow(clippy::too_many_arguments, reason = "the arguments of Python")]
    fn rollout<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
        steps: usize,
        dt: f64,
        initial: Option<PyReadonlyArray2<'py, f64>>,
        names: Option<Vec<String>>,
        inputs: Option<PyReadonlyArray3<'py, f64>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        check_threads(threads)?;
        let named: Option<Vec<Signal>> = names
            .map(|names| names.iter().map(|name| self.signal(py, name)).collect())
            .transpose()?;
        let width = self.signals.len();
        let initial: Option<Vec<f64>> = initial.map(|x| x.as_array().iter().copied().collect());
        let inputs: Option<Vec<f64>> = inputs.map(|x| x.as_array().iter().copied().collect());
        let job = RolloutJob {
            signals: &self.signals,
            named: named.as_deref(),
            initial: initial.as_deref(),
            inputs: inputs.as_deref(),
            count,
            steps,
            dt,
        };
        let mut out = vec![0.0; count * (steps + 1) * width];
        let length = ((steps + 1) * width).max(1);
        let workers = pool(py, threads, count * crate::tree::STATES_AT_A_TIME)?;
        self.core.reset().map_err(|error| self.failed(py, &error))?;
        let core = &self.core;
        let failed = py.detach(|| match workers {
            None => {
                let mut own = core.clone();
                let mut rows = out.chunks_mut(length).enumerate();
                rows.find_map(|(n, row)| job.run(&mut own, n, row).err())
            }
            Some(pool) => pool.install(|| {
                let rows = out.par_chunks_mut(length).enumerate();
                let ran =
                    rows.map_init(|| core.clone(), |own, (n, row)| job.run(own, n, row).err());
                ran.flatten_iter().find_first(|_| true)
            }),
        });
        if let Some(reason) = failed {
            return Err(self.stopped(py, &reason));
        }
        PyArray1::from_vec(py, out).reshape([count, steps + 1, width])
    }
}

/// What all simulations of a rollout have in common.
struct RolloutJob<'a> {
    signals: &'a [Signal],
    /// Joint values that the columns of `initial` set; without them these are coordinates q and v.
    named: Option<&'a [Signal]>,
    initial: Option<&'a [f64]>,
    inputs: Option<&'a [f64]>,
    count: usize,
    steps: usize,
    dt: f64,
}

impl RolloutJob<'_> {
    /// Runs simulation `n` and fills its rows.
    fn run(
        &self,
        simulation: &mut CoreSimulation,
        n: usize,
        rows: &mut [f64],
    ) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| format!("simulation {n}: {error}");
        self.start(simulation, n).map_err(|error| text(&error))?;
        let width = self.signals.len();
        let of_one = self.inputs.map_or(0, <[f64]>::len) / (self.count * self.steps).max(1);
        let start = simulation.time();
        for step in 0..=self.steps {
            if step > 0 {
                for k in 0..of_one {
                    let at = (n * self.steps + step - 1) * of_one + k;
                    let value = self.inputs.map_or(0.0, |inputs| inputs[at]);
                    let set = simulation.set(InputIndex(k), value);
                    set.map_err(|error| text(&error))?;
                }
                let to = start + step as f64 * self.dt;
                let advanced = simulation.advance(to);
                let _ = advanced.map_err(|error| text(&error))?;
            }
            let row = &mut rows[step * width..(step + 1) * width];
            let seen = simulation.observe(self.signals, row);
            seen.map_err(|error| text(&error))?;
        }
        Ok(())
    }

    fn start(&self, simulation: &mut CoreSimulation, n: usize) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let Some(initial) = self.initial else {
            return simulation.reset().map_err(|error| text(&error));
        };
        let width = initial.len() / self.count.max(1);
        let own = &initial[n * width..(n + 1) * width];
        if let Some(named) = self.named {
            let values: Vec<(Signal, f64)> =
                named.iter().copied().zip(own.iter().copied()).collect();
            return simulation.reset_with(&values).map_err(|error| text(&error));
        }
        let positions = simulation.state().q.len();
        simulation
            .reset_to(&own[..positions], &own[positions..])
            .map_err(|error| text(&error))
    }
}
