//! Numpy arrays of one state, or of many states row by row.

use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An input: a reference if it can be used in place, or a copy.
pub(crate) fn input<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = given.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
    {
        return Ok(array.try_readonly()?);
    }
    let py = given.py();
    let numpy = py.import("numpy")?;
    let copy = numpy.call_method1("ascontiguousarray", (given, "float64"))?;
    Ok(copy.cast_into::<PyArrayDyn<f64>>()?.try_readonly()?)
}

/// The layout of the outputs of a state in an array.
#[derive(Clone, Copy)]
pub(crate) enum ArrayLayout {
    Vector(usize),
    Matrix(usize, usize),
}

impl ArrayLayout {
    pub(crate) fn len(self) -> usize {
        match self {
            ArrayLayout::Vector(n) => n,
            ArrayLayout::Matrix(rows, columns) => rows * columns,
        }
    }

    fn of(self, states: Option<usize>) -> Vec<usize> {
        let own: &[usize] = match &self {
            ArrayLayout::Vector(n) => &[*n],
            ArrayLayout::Matrix(rows, columns) => &[*rows, *columns],
        };
        states.into_iter().chain(own.iter().copied()).collect()
    }
}

/// The output array: the given one, or a new one.
pub(crate) fn output<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    shape: ArrayLayout,
    states: Option<usize>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let Some(given) = given else {
        if states.is_none() {
            return Ok(PyArrayDyn::zeros(py, shape.of(None), false));
        }
        // numpy raises MemoryError where the allocation of the binding would panic
        let zeros = py.import("numpy")?.getattr("zeros")?;
        return Ok(zeros.call1((shape.of(states),))?.cast_into()?);
    };
    let usable = given.cast::<PyArrayDyn<f64>>().ok().filter(|array| {
        let found = array.shape();
        let (states, own) = match (states, found) {
            (Some(n), [first, own @ ..]) => (*first == n, own),
            (Some(_), []) => (false, found),
            (None, own) => (true, own),
        };
        let fits = match shape {
            ArrayLayout::Vector(n) => own == [n],
            ArrayLayout::Matrix(rows, columns) => own == [rows, columns],
        };
        states && fits && array.is_c_contiguous()
    });
    usable.cloned().ok_or_else(|| {
        PyValueError::new_err(format!(
            "out must be a contiguous float64 array of shape {:?}",
            shape.of(states)
        ))
    })
}

/// The number of states in inputs of these lengths; `None` for a single state.
pub(crate) fn states<const K: usize>(
    names: [&str; K],
    inputs: &[PyReadonlyArrayDyn<'_, f64>; K],
    lengths: [usize; K],
) -> PyResult<Option<usize>> {
    let wrong = |k: usize, want: &dyn std::fmt::Debug| {
        PyValueError::new_err(format!(
            "{} has shape {:?}; expected {want:?}",
            names[k],
            inputs[k].shape()
        ))
    };
    let many = match inputs[0].shape() {
        [_] => None,
        [n, _] => Some(*n),
        _ => return Err(wrong(0, &[lengths[0]])),
    };
    for k in 0..K {
        let fits = match (many, inputs[k].shape()) {
            (None, [n]) => *n == lengths[k],
            (Some(many), [rows, n]) => *rows == many && *n == lengths[k],
            _ => false,
        };
        if !fits {
            return Err(match many {
                None => wrong(k, &[lengths[k]]),
                Some(many) => wrong(k, &[many, lengths[k]]),
            });
        }
    }
    Ok(many)
}

/// Applies a function that may fail to each item of an array.
pub(crate) fn try_map<A, B, E, const K: usize>(
    list: [A; K],
    mut of: impl FnMut(A) -> Result<B, E>,
) -> PyResult<[B; K]>
where
    PyErr: From<E>,
{
    let mut made = Vec::with_capacity(K);
    for item in list {
        made.push(of(item)?);
    }
    made.try_into()
        .map_err(|_| PyValueError::new_err("the number of arrays has changed"))
}

/// Column-major square matrices, as one row-major matrix.
pub(crate) fn side_by_side<const K: usize>(n: usize, blocks: [&[f64]; K], out: &mut [f64]) {
    for (k, block) in blocks.into_iter().enumerate() {
        for i in 0..n {
            for j in 0..n {
                out[i * K * n + k * n + j] = block[n * j + i];
            }
        }
    }
}
