//! The algorithms in joint coordinates on numpy arrays: one state, or many states on all cores.
//!
//! One-dimensional arrays are a single state; two-dimensional arrays are states row by row, distributed over threads with the global interpreter lock released.
//! Contiguous arrays of 64-bit floats are used in place; others, and single states, are copied first.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use biela::core::math::Vec3;
use biela::core::math::spatial::{Twist, Wrench};
use biela::core::model::Model;
use biela::core::robot::RobotError;
use biela::core::tree::{
    self, DynamicsDerivatives, TreeLocation, TreeWorkspace, aba, aba_derivatives, center_of_mass,
    coriolis, crba, difference, inverse_mass, jacobian, pose_of, positions, retract, rnea,
    rnea_derivatives,
};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::arrays::{ArrayLayout, input, output, side_by_side, states, try_map};
use crate::convert::{ExceptionKind, check_threads, failure};
use crate::inverse::{Arm, InverseAnswer, InverseSearch, Target};
use crate::threads::pool;

/// States that a thread takes at a time.
pub(crate) const STATES_AT_A_TIME: usize = 64;

/// The maximum number of inputs of a state that are copied.
const INPUTS: usize = 3;

/// The buffers of one thread.
struct Buffers {
    ws: TreeWorkspace,
    derivatives: DynamicsDerivatives,
    columns: Vec<Twist>,
    rates: Vec<f64>,
    /// A matrix by columns.
    matrix: Vec<f64>,
    /// External loads on the links, at their origins.
    loads: Vec<Wrench>,
    /// Inputs of one state.
    inputs: [Vec<f64>; INPUTS],
}

impl Buffers {
    fn new(tree: &tree::Tree) -> Self {
        Self {
            ws: TreeWorkspace::new(tree),
            derivatives: DynamicsDerivatives::new(tree),
            columns: vec![Twist::zero(); tree.velocities],
            rates: vec![0.0; tree.velocities],
            matrix: vec![0.0; tree.velocities * tree.velocities],
            loads: vec![Wrench::zero(); tree.links.len()],
            inputs: [(); INPUTS].map(|()| vec![0.0; tree.positions.max(tree.velocities)]),
        }
    }

    /// Sums the loads of each link at its origin; `values` are moment and force of each load, in ground axes at its frame.
    fn gather_loads(&mut self, tree: &tree::Tree, q: &[f64], at: &[TreeLocation], values: &[f64]) {
        positions(tree, &mut self.ws, q);
        self.loads.fill(Wrench::zero());
        for (place, load) in at.iter().zip(values.chunks_exact(6)) {
            let Some(link) = place.link else { continue };
            let [n, f] = [0, 3].map(|k| Vec3::new(load[k], load[k + 1], load[k + 2]));
            let arm = pose_of(&self.ws, place).p - self.ws.links[link].o;
            self.loads[link] += Wrench::new(n, f).seen_from(&arm);
        }
    }
}

/// An algorithm of q, v, a third input and external loads on the links.
type TreeAlgorithm =
    fn(&tree::Tree, &mut TreeWorkspace, &[f64], &[f64], &[f64], &[Wrench], &mut [f64]);

/// A model as a tree of links in joint coordinates.
#[pyclass(frozen, module = "biela._biela")]
pub(crate) struct Tree {
    links: tree::Tree,
    /// Bodies and their points by name.
    frames: BTreeMap<String, TreeLocation>,
    /// Name of the joint (or free body), first position, number of positions, first velocity, number of velocities.
    joints: Vec<(String, usize, usize, usize, usize)>,
    /// The joints as a robot, or the reason why they are none.
    arm: Result<Arm, RobotError>,
    buffers: Mutex<Buffers>,
}

impl Tree {
    pub(crate) fn of(model: &Model) -> Result<Self, String> {
        let exact = model.exact_beams.iter().map(|beam| &beam.name);
        if let Some(beam) = model
            .beams
            .iter()
            .map(|beam| &beam.name)
            .chain(exact)
            .next()
        {
            return Err(format!(
                "beam `{beam}` is flexible, but a tree has rigid bodies only: set `rigid = true`"
            ));
        }
        let tree = tree::Tree::spanning(model);
        if !tree.span.cuts.is_empty() {
            let names: Vec<String> = tree
                .span
                .cuts
                .iter()
                .map(|j| format!("`{}`", model.joints[j.0].name))
                .collect();
            return Err(format!(
                "joints {} close kinematic loops, but these algorithms are for trees: run the model instead",
                names.join(", ")
            ));
        }
        let mut frames = BTreeMap::new();
        for marker in &model.markers {
            let (body, place) = match marker.body.number() {
                Some(b) => (model.bodies[b].name.as_str(), tree.places[b]),
                None => (
                    "ground",
                    TreeLocation {
                        link: None,
                        pose: biela::core::math::Pose::identity(),
                    },
                ),
            };
            let name = if marker.name.is_empty() {
                body.to_owned()
            } else {
                format!("{body}.{}", marker.name)
            };
            let pose = place.pose.then(&marker.pose);
            let _ = frames.insert(name, TreeLocation { pose, ..place });
        }
        let name = |number: usize| {
            let joint = tree.links[number].element;
            let body = tree
                .places
                .iter()
                .position(|place| place.link == Some(number));
            let joint = joint.map(|j| &model.joints[j.0].name);
            joint
                .or(body.map(|b| &model.bodies[b].name))
                .cloned()
                .unwrap_or_default()
        };
        let joint = |(number, link): (usize, &tree::Link)| {
            let (q, v) = (link.positions(), link.velocities());
            (name(number), q.start, q.len(), v.start, v.len())
        };
        Ok(Self {
            joints: tree.links.iter().enumerate().map(joint).collect(),
            frames,
            arm: Arm::of(model),
            buffers: Mutex::new(Buffers::new(&tree)),
            links: tree,
        })
    }

    /// The frames of external loads, and their values side by side: six per load and state.
    fn loads<'py>(
        &self,
        loads: &Bound<'py, PyDict>,
        q: &Bound<'py, PyAny>,
    ) -> PyResult<(Vec<TreeLocation>, Bound<'py, PyAny>)> {
        let numpy = loads.py().import("numpy")?;
        let states: Vec<usize> = numpy.call_method1("shape", (q,))?.extract()?;
        let states = &states[..states.len().saturating_sub(1)];
        let shape: Vec<usize> = states.iter().copied().chain([6]).collect();
        let mut places = Vec::with_capacity(loads.len());
        let mut values = Vec::with_capacity(loads.len());
        for (frame, load) in loads {
            let frame: String = frame.extract()?;
            places.push(*self.place(&frame)?);
            let load = numpy.call_method1("asarray", (load, "float64"))?;
            let found: Vec<usize> = load.getattr("shape")?.extract()?;
            if found != [6] && found != shape {
                return Err(PyValueError::new_err(format!(
                    "loads[\"{frame}\"] has shape {found:?}; expected {shape:?}: moment and force"
                )));
            }
            values.push(numpy.call_method1("broadcast_to", (load, shape.clone()))?);
        }
        Ok((places, numpy.call_method1("concatenate", (values, -1))?))
    }

    fn place(&self, frame: &str) -> PyResult<&TreeLocation> {
        self.frames.get(frame).ok_or_else(|| {
            let names = self.frames.keys().map(String::as_str);
            let near = biela::model::suggest::did_you_mean(frame, names);
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            PyKeyError::new_err(format!("no body or point is called `{frame}`{help}"))
        })
    }
}

impl Tree {
    /// Computes a result for one or many states, from K inputs.
    fn compute<'py, const K: usize>(
        &self,
        py: Python<'py>,
        (names, given): ([&str; K], [&Bound<'py, PyAny>; K]),
        lengths: [usize; K],
        (shape, out): (ArrayLayout, Option<&Bound<'py, PyAny>>),
        threads: Option<usize>,
        work: impl Fn(&tree::Tree, &mut Buffers, [&[f64]; K], &mut [f64]) + Sync,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        if let Some(mut buffers) = self.one_state(given, lengths) {
            let array = output(py, out, shape, None)?;
            let mut written = array.try_readwrite()?;
            let inputs = std::mem::take(&mut buffers.inputs);
            let mut slices: [&[f64]; K] = [&[]; K];
            for ((slice, input), n) in slices.iter_mut().zip(&inputs).zip(lengths) {
                *slice = &input[..n];
            }
            work(&self.links, &mut buffers, slices, written.as_slice_mut()?);
            buffers.inputs = inputs;
            drop(written);
            return Ok(array);
        }
        let inputs = try_map(given, input)?;
        let many = states(names, &inputs, lengths)?;
        let array = output(py, out, shape, many)?;
        let mut written: PyReadwriteArrayDyn<'_, f64> = array.try_readwrite()?;
        let slices = try_map(inputs.each_ref(), |array| array.as_slice())?;
        let out = written.as_slice_mut()?;
        if shape.len() > 0 {
            let job = BatchJob {
                tree: &self.links,
                lengths,
                slices,
                width: shape.len(),
            };
            check_threads(threads)?;
            let pool = match many {
                Some(many) if many > STATES_AT_A_TIME => pool(py, threads, many)?,
                _ => None,
            };
            py.detach(|| job.run(out, pool.as_deref(), &work));
        }
        drop(written);
        Ok(array)
    }

    /// Computes a result of the positions.
    fn of_positions<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        (shape, out): (ArrayLayout, Option<&Bound<'py, PyAny>>),
        threads: Option<usize>,
        work: impl Fn(&tree::Tree, &mut Buffers, &[f64], &mut [f64]) + Sync,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.compute(
            q.py(),
            (["q"], [q]),
            [self.links.positions],
            (shape, out),
            threads,
            |tree, buffers, [q], out| work(tree, buffers, q, out),
        )
    }

    /// Computes forces or accelerations from q, v and a third input, under external loads. The values of the loads are a fourth input if there are any.
    fn under_loads<'py>(
        &self,
        (names, given): ([&str; 3], [&Bound<'py, PyAny>; 3]),
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        loads: Option<&Bound<'py, PyDict>>,
        work: TreeAlgorithm,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (py, (nq, nv)) = (given[0].py(), (self.links.positions, self.links.velocities));
        let out = (ArrayLayout::Vector(nv), out);
        let Some(loads) = loads.filter(|loads| !loads.is_empty()) else {
            return self.compute(
                py,
                (names, given),
                [nq, nv, nv],
                out,
                threads,
                |tree, buffers, [q, v, third], out| {
                    work(tree, &mut buffers.ws, q, v, third, &[], out);
                },
            );
        };
        let ([n0, n1, n2], [q, v, third]) = (names, given);
        let (at, values) = self.loads(loads, q)?;
        self.compute(
            py,
            ([n0, n1, n2, "loads"], [q, v, third, &values]),
            [nq, nv, nv, 6 * at.len()],
            out,
            threads,
            |tree, buffers, [q, v, third, values], out| {
                buffers.gather_loads(tree, q, &at, values);
                work(tree, &mut buffers.ws, q, v, third, &buffers.loads, out);
            },
        )
    }

    /// Copies the inputs if each is an array for one state: for so few numbers, that is faster than borrowing.
    fn one_state<const K: usize>(
        &self,
        given: [&Bound<'_, PyAny>; K],
        lengths: [usize; K],
    ) -> Option<MutexGuard<'_, Buffers>> {
        if K > INPUTS {
            return None;
        }
        // in use by another thread: the general path has its own buffers
        let mut buffers = self.buffers.try_lock().ok()?;
        for ((given, n), place) in given.iter().zip(lengths).zip(&mut buffers.inputs) {
            let array = given.cast::<PyArray1<f64>>().ok()?;
            if array.len() != n {
                return None;
            }
            for (k, place) in place[..n].iter_mut().enumerate() {
                *place = array.get_owned(k)?;
            }
        }
        Some(buffers)
    }
}

/// Many states.
struct BatchJob<'a, const K: usize> {
    tree: &'a tree::Tree,
    lengths: [usize; K],
    slices: [&'a [f64]; K],
    /// The number of output values per state.
    width: usize,
}

impl<const K: usize> BatchJob<'_, K> {
    /// Computes all states in the threads of a pool, or in the calling thread.
    fn run(
        &self,
        out: &mut [f64],
        pool: Option<&ThreadPool>,
        work: &(impl Fn(&tree::Tree, &mut Buffers, [&[f64]; K], &mut [f64]) + Sync),
    ) {
        let some = |buffers: &mut Buffers, first: usize, out: &mut [f64]| {
            for (i, out) in out.chunks_exact_mut(self.width).enumerate() {
                let row = first + i;
                let mut k = 0;
                let state = self.slices.map(|slice| {
                    let n = self.lengths[k];
                    k += 1;
                    &slice[row * n..(row + 1) * n]
                });
                work(self.tree, buffers, state, out);
            }
        };
        let Some(pool) = pool else {
            some(&mut Buffers::new(self.tree), 0, out);
            return;
        };
        pool.install(|| {
            out.par_chunks_mut(STATES_AT_A_TIME * self.width)
                .enumerate()
                .for_each_init(
                    || Buffers::new(self.tree),
                    |buffers, (part, out)| some(buffers, part * STATES_AT_A_TIME, out),
                );
        });
    }
}

#[pymethods]
impl Tree {
    /// Number of position coordinates.
    #[getter]
    fn nq(&self) -> usize {
        self.links.positions
    }

    /// Number of velocity coordinates.
    #[getter]
    fn nv(&self) -> usize {
        self.links.velocities
    }

    /// Joints: name, first position, number of positions, first velocity, number of velocities.
    #[getter]
    fn joints(&self) -> Vec<(String, usize, usize, usize, usize)> {
        self.joints.clone()
    }

    /// Whether the model is planar.
    #[getter]
    fn planar(&self) -> bool {
        self.arm.as_ref().is_ok_and(Arm::is_planar)
    }

    /// Positions at which a frame, or the tool of the robot, reaches a target, best first; without a solution, the closest pose.
    #[pyo3(signature = (target, frame, start, search))]
    fn inverse_kinematics(
        &self,
        py: Python<'_>,
        target: Target,
        frame: Option<&str>,
        start: Option<Vec<f64>>,
        search: InverseSearch,
    ) -> PyResult<Vec<InverseAnswer>> {
        let refuse = |error: &RobotError| failure(py, ExceptionKind::Option, error);
        let arm = self.arm.as_ref().map_err(refuse)?;
        let place = match frame {
            Some(frame) => self.place(frame)?,
            None => arm.tool().map_err(|error| refuse(&error))?,
        };
        py.detach(|| arm.solve(place, &target, start.as_deref(), search))
    }

    /// Bodies and their points.
    #[getter]
    fn frames(&self) -> Vec<String> {
        self.frames.keys().cloned().collect()
    }

    /// Inverse dynamics by the recursive Newton–Euler algorithm: τ = M(q) a + c(q, v), including gravity.
    ///
    /// `loads` are external loads by the body or point on which they act: moment and force, six numbers in ground axes, for all states or one row per state.
    #[pyo3(signature = (q, v, a, out=None, threads=None, loads=None))]
    fn rnea<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        a: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let inputs = (["q", "v", "a"], [q, v, a]);
        self.under_loads(inputs, out, threads, loads, rnea)
    }

    /// Forward dynamics by the articulated-body algorithm: the accelerations under joint forces and torques τ.
    ///
    /// `loads` are external loads by the body or point on which they act: moment and force, six numbers in ground axes, for all states or one row per state.
    #[pyo3(signature = (q, v, tau, out=None, threads=None, loads=None))]
    fn aba<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        tau: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        loads: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let inputs = (["q", "v", "tau"], [q, v, tau]);
        self.under_loads(inputs, out, threads, loads, aba)
    }

    /// The mass matrix M(q) by the composite-rigid-body algorithm.
    #[pyo3(signature = (q, out=None, threads=None))]
    fn crba<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let nv = self.links.velocities;
        self.of_positions(
            q,
            (ArrayLayout::Matrix(nv, nv), out),
            threads,
            |tree, buffers, q, out| {
                out.fill(0.0);
                crba(tree, &mut buffers.ws, q, |i, j, value| {
                    out[i * nv + j] = value;
                    out[j * nv + i] = value;
                });
            },
        )
    }

    /// The inverse mass matrix M(q)⁻¹.
    #[pyo3(signature = (q, out=None, threads=None))]
    fn inverse_mass<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let nv = self.links.velocities;
        self.of_positions(
            q,
            (ArrayLayout::Matrix(nv, nv), out),
            threads,
            |tree, buffers, q, out| {
                positions(tree, &mut buffers.ws, q);
                inverse_mass(tree, &mut buffers.ws, out);
            },
        )
    }

    /// The Jacobian (6, nv): angular velocity of a body or point, then velocity of its origin, for unit velocities, in ground axes.
    #[pyo3(signature = (q, frame, out=None, threads=None))]
    fn jacobian<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        frame: &str,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let nv = self.links.velocities;
        let place = self.place(frame)?;
        self.of_positions(
            q,
            (ArrayLayout::Matrix(6, nv), out),
            threads,
            |tree, buffers, q, out| {
                positions(tree, &mut buffers.ws, q);
                jacobian(tree, &buffers.ws, place, &mut buffers.columns);
                for (k, column) in buffers.columns.iter().enumerate() {
                    for axis in 0..3 {
                        out[axis * nv + k] = column.w[axis];
                        out[(axis + 3) * nv + k] = column.v[axis];
                    }
                }
            },
        )
    }

    /// The pose (4, 4) of a body or point in the ground frame, as a homogeneous transformation.
    #[pyo3(signature = (q, frame, out=None, threads=None))]
    fn pose<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        frame: &str,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let place = self.place(frame)?;
        self.of_positions(
            q,
            (ArrayLayout::Matrix(4, 4), out),
            threads,
            |tree, buffers, q, out| {
                positions(tree, &mut buffers.ws, q);
                let pose = pose_of(&buffers.ws, place);
                out.fill(0.0);
                for row in 0..3 {
                    for column in 0..3 {
                        out[4 * row + column] = pose.R[(row, column)];
                    }
                    out[4 * row + 3] = pose.p[row];
                }
                out[15] = 1.0;
            },
        )
    }

    /// The Coriolis matrix C(q, v): C v are the velocity-dependent forces, without gravity, and Ṁ − 2C is skew-symmetric.
    #[pyo3(signature = (q, v, out=None, threads=None))]
    fn coriolis<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (nq, nv) = (self.links.positions, self.links.velocities);
        self.compute(
            py,
            (["q", "v"], [q, v]),
            [nq, nv],
            (ArrayLayout::Matrix(nv, nv), out),
            threads,
            |tree, buffers, [q, v], out| {
                let (found, matrix) = (&mut buffers.derivatives, &mut buffers.matrix);
                let rates = &mut buffers.rates;
                coriolis(tree, &mut buffers.ws, q, v, rates, found, matrix);
                side_by_side(nv, [matrix], out);
            },
        )
    }

    /// The mass centre of all moving bodies in the ground frame.
    #[pyo3(signature = (q, out=None, threads=None))]
    fn center_of_mass<'py>(
        &self,
        q: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.of_positions(
            q,
            (ArrayLayout::Vector(3), out),
            threads,
            |tree, buffers, q, out| {
                positions(tree, &mut buffers.ws, q);
                let (_, center) = center_of_mass(tree, &buffers.ws);
                out.copy_from_slice(center.as_slice());
            },
        )
    }

    /// The positions q ⊕ dq after a step dq along the velocity coordinates; quaternions stay unit quaternions.
    #[pyo3(signature = (q, dq, out=None, threads=None))]
    fn integrate<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        dq: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (nq, nv) = (self.links.positions, self.links.velocities);
        self.compute(
            py,
            (["q", "dq"], [q, dq]),
            [nq, nv],
            (ArrayLayout::Vector(nq), out),
            threads,
            |tree, _, [q, dq], out| {
                out.copy_from_slice(q);
                retract(tree, out, dq);
            },
        )
    }

    /// The shortest step q1 ⊖ q0 along the velocity coordinates: `integrate(q0, difference(q0, q1))` is q1.
    #[pyo3(signature = (q0, q1, out=None, threads=None))]
    fn difference<'py>(
        &self,
        py: Python<'py>,
        q0: &Bound<'py, PyAny>,
        q1: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (nq, nv) = (self.links.positions, self.links.velocities);
        self.compute(
            py,
            (["q0", "q1"], [q0, q1]),
            [nq, nq],
            (ArrayLayout::Vector(nv), out),
            threads,
            |tree, _, [q0, q1], out| difference(tree, q1, q0, out),
        )
    }

    /// ∂τ/∂q and ∂τ/∂v side by side: (nv, 2 nv).
    #[pyo3(signature = (q, v, a, out=None, threads=None))]
    fn rnea_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        a: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (nq, nv) = (self.links.positions, self.links.velocities);
        self.compute(
            py,
            (["q", "v", "a"], [q, v, a]),
            [nq, nv, nv],
            (ArrayLayout::Matrix(nv, 2 * nv), out),
            threads,
            |tree, buffers, [q, v, a], out| {
                let found = &mut buffers.derivatives;
                rnea_derivatives(tree, &mut buffers.ws, q, v, a, found);
                side_by_side(nv, [&found.by_q, &found.by_v], out);
            },
        )
    }

    /// ∂v̇/∂q, ∂v̇/∂v and M⁻¹ side by side: (nv, 3 nv).
    #[pyo3(signature = (q, v, tau, out=None, threads=None))]
    fn aba_derivatives<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
        tau: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (nq, nv) = (self.links.positions, self.links.velocities);
        self.compute(
            py,
            (["q", "v", "tau"], [q, v, tau]),
            [nq, nv, nv],
            (ArrayLayout::Matrix(nv, 3 * nv), out),
            threads,
            |tree, buffers, [q, v, tau], out| {
                let found = &mut buffers.derivatives;
                let rates = &mut buffers.rates;
                aba_derivatives(tree, &mut buffers.ws, q, v, tau, rates, found);
                side_by_side(nv, [&found.by_q, &found.by_v, &found.inverse], out);
            },
        )
    }
}
