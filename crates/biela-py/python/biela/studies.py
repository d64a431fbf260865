"""Studies that search parameter values: optimization, fits to measurements, and sensitivities of measures."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _biela
from .errors import Error, OptionError
from .model import Model, Quantity, load
from .results import names_of
from .written import Call, Text, caller

Array = NDArray[np.float64]
#: Bounds of a varied parameter: two values, or the table `{ from = …, to = … }` of the model language.
Bounds = Mapping[str, Sequence[Quantity] | Mapping[str, Quantity]]
#: Measurements: a CSV file, or arrays by the names of signals with their `time`.
Data = str | os.PathLike[str] | Mapping[str, ArrayLike]
#: Called with the number of runs and the value of the objective.
Progress = Callable[[int, float], object]


@dataclass(frozen=True)
class _Search:
    #: Values of the varied parameters in SI units.
    parameters: dict[str, float]
    #: Their units.
    units: dict[str, str]
    #: Their bounds.
    bounds: dict[str, tuple[float, float]]
    #: Parameters at a bound: "lower" or "upper".
    at_bounds: dict[str, str]
    #: Whether the search converged within its tolerance and number of steps.
    converged: bool
    #: Number of runs and of steps.
    runs: int
    steps: int
    #: The objective during the search, at every step.
    history: Array = field(repr=False)


@dataclass(frozen=True)
class Optimum(_Search):
    """The result of `optimize`."""

    #: The objective as a formula, its unit, and its value at the optimum.
    objective: str
    unit: str
    value: float
    #: Number of runs that failed, and the reason of one.
    failed: int
    problem: str | None


@dataclass(frozen=True)
class Fit(_Search):
    """The result of `fit`: parameters and their confidence intervals."""

    #: Confidence level, and half the width of each confidence interval; None where the measurements do not determine one.
    level: float
    half_widths: dict[str, float | None]
    #: Correlation matrix of the parameters in their order, and condition number of the Jacobian.
    correlation: Array | None
    condition: float | None
    #: Combinations of parameters that the measurements do not identify: relative changes that leave all measurements unchanged.
    unidentified: list[dict[str, float]]
    #: Sum of squares of the residuals, divided by their deviations, and number of residuals.
    squares: float
    residuals: int
    #: Root mean square of the residuals of each signal in its unit.
    rms: dict[str, float]


@dataclass(frozen=True)
class Sensitivity:
    """Derivatives of measures with respect to parameters. `sensitivity["period", "length"]` is one of them."""

    #: Values of the measures and of the parameters in SI units.
    measures: dict[str, float]
    parameters: dict[str, float]
    #: Units of measures and parameters.
    units: dict[str, str]
    #: Derivatives and their estimated errors: one row per measure, one column per parameter.
    derivatives: Array
    errors: Array

    @property
    def relative(self) -> Array:
        """Relative sensitivities: per cent of the measure per cent of the parameter; NaN where one of them is zero."""
        measures = np.array(list(self.measures.values()))[:, None]
        parameters = np.array(list(self.parameters.values()))[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = self.derivatives * parameters / measures
        return np.where(np.isfinite(ratios) & (parameters != 0), ratios, np.nan)

    def __getitem__(self, names: tuple[str, str]) -> float:
        measure, parameter = names
        return float(self.derivatives[list(self.measures).index(measure), list(self.parameters).index(parameter)])


def optimize(
    model: Model | str | os.PathLike[str],
    *,
    minimize: str | None = None,
    maximize: str | None = None,
    vary: Bounds | None = None,
    measures: Iterable[Mapping[str, Any]] = (),
    method: Literal["global", "local"] = "global",
    seed: int = 1,
    tolerance: float = 1e-6,
    most: int = 300,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Optimum:
    """Finds parameter values that minimize or maximize an objective, as `biela optimize` does.

    Objective and variables are those of `[optimize]` of the model, unless given: `minimize` or `maximize` is a formula of measures and parameters, `vary` has
    bounds by name, such as {"length": ("0.2 m", "2 m")}. `measures` are added to those of the model, each with the keys of `Model.measure`.

    `method` is "global" (differential evolution within the bounds, then the Nelder–Mead method) or "local" (Nelder–Mead from the values of the model). The
    result depends on `seed`, not on the number of `threads`. `most` limits the number of generations or steps. `progress` is called with the number of
    runs and the best value. Ctrl-C ends the search.
    """
    if minimize is not None and maximize is not None:
        raise OptionError("give minimize or maximize, not both")
    if method not in ("global", "local"):
        raise OptionError(f"no method is called `{method}`; use global or local")
    table = {"minimize": minimize, "maximize": maximize, "vary": _vary(vary)}
    raw = _search(model, "optimize", table, measures)
    found = raw.optimize(method == "global", (_share("tolerance", tolerance), most, threads, seed), progress)
    more = {name: found[name] for name in ("objective", "unit", "value", "failed", "problem")}
    return Optimum(**_common(found), **more)


def fit(
    model: Model | str | os.PathLike[str],
    data: Data | None = None,
    *,
    vary: Bounds | None = None,
    deviation: Mapping[str, Quantity] | None = None,
    level: float = 0.95,
    tolerance: float = 1e-9,
    most: int = 100,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Fits parameters to measurements by least squares, as `biela fit` does.

    Measurements and variables are those of `[fit]` of the model, unless given: `data` is a CSV file with a column `time` and columns named like signals, or
    arrays in SI units by these names; `vary` has bounds by name, `deviation` the standard deviations of signals. The search starts at the values of the
    model. `level` is the confidence level of the intervals. Other arguments are those of `optimize`; the objective is the sum of squares.
    """
    files: list[tuple[str, str]] = []
    if data is not None:
        files.append(_measured(data))
    table = {"data": files[0][0] if files else None, "vary": _vary(vary), "deviation": deviation}
    raw = _search(model, "fit", table, (), files)
    limits = (_share("tolerance", tolerance), most, threads, 0)
    found = raw.fit(_share("level", level), limits, progress)
    correlation = found["correlation"]
    return Fit(
        **_common(found),
        level=level,
        half_widths={p["name"]: p["half_width"] for p in found["parameters"]},
        correlation=None if correlation is None else np.array(correlation),
        condition=found["condition"],
        unidentified=found["unidentified"],
        squares=found["squares"],
        residuals=found["residuals"],
        rms={name: rms for name, _, rms in found["rms"]},
    )


def sensitivity(
    model: Model | str | os.PathLike[str],
    parameters: Iterable[str] | str | None = None,
    *,
    measures: Iterable[Mapping[str, Any]] = (),
    step: float = 1e-2,
    steps: Mapping[str, float] | None = None,
    threads: int | None = None,
) -> Sensitivity:
    """Computes the derivatives of all measures with respect to parameters, as `biela sensitivity` does.

    Central differences at three step sizes are extrapolated; `errors` is their disagreement. `parameters` are by default all that are not formulas of others.
    `step` is the largest step relative to the value of a parameter, `steps` are largest steps of single parameters in SI units. `measures` are added to
    those of the model. Ctrl-C ends the computation.
    """
    raw = _search(model, "sensitivity", {}, measures)
    known = {name: value for name, value, *_ in raw.parameters()}
    free = [name for name, _, _, derived in raw.parameters() if not derived]
    chosen = free if parameters is None else names_of(parameters)
    if not raw.measures():
        raise OptionError("the model has no measure; add one with Model.measure, or give measures")
    own = dict(steps or {})
    for name in [*chosen, *own]:
        if name not in known:
            raise OptionError(f"the model has no parameter `{name}`; there are {', '.join(known)}")
    request = []
    for name in chosen:
        size = own.get(name, _share("step", step) * abs(known[name]))
        if not size > 0:
            raise OptionError(f"{name} is zero and has no relative step; give steps={{{name!r}: …}}")
        request.append((name, known[name], float(size)))
    found = raw.sensitivity(request, threads)
    units = {name: unit for name, _, unit, _ in raw.parameters() if name in chosen} | dict(raw.measures())
    columns = np.array(found["columns"], dtype=float).reshape(len(chosen), 2, len(raw.measures()))
    return Sensitivity(
        measures=dict(zip((name for name, _ in raw.measures()), found["values"])),
        parameters={name: known[name] for name in chosen},
        units=units,
        derivatives=columns[:, 0].T,
        errors=columns[:, 1].T,
    )


def _share(name: str, value: float) -> float:
    if not 0 < value < 1:
        raise OptionError(f"{name} is {value}; it must be between 0 and 1")
    return float(value)


def _vary(vary: Bounds | None) -> dict[str, Any] | None:
    if vary is None:
        return None
    tables: dict[str, Any] = {}
    for name, bounds in vary.items():
        if isinstance(bounds, Mapping):
            tables[name] = dict(bounds)
        elif len(bounds) == 2:
            tables[name] = {"from": bounds[0], "to": bounds[1]}
        else:
            raise OptionError(f"vary[{name!r}] needs two bounds, such as (1, 2)")
    return tables


def _measured(data: Data) -> tuple[str, str]:
    """Name and text of the file of measurements."""
    if not isinstance(data, Mapping):
        path = Path(data)
        try:
            return path.name, path.read_text(encoding="utf-8")
        except OSError as error:
            raise OptionError(f"{path}: {error.strerror or error}") from error
    columns = {name: np.asarray(values, dtype=float) for name, values in data.items()}
    lengths = {column.shape for column in columns.values()}
    if len(lengths) != 1 or len(next(iter(lengths))) != 1:
        shapes = ", ".join(f"{name} {column.shape}" for name, column in columns.items())
        raise OptionError(f"data needs arrays of one dimension and equal length: {shapes or 'none are given'}")
    rows = io.StringIO()
    rows.write(",".join(columns) + "\n")
    for row in zip(*(column.tolist() for column in columns.values())):
        rows.write(",".join(map(repr, row)) + "\n")
    return "data.csv", rows.getvalue()


def _search(
    model: Model | str | os.PathLike[str],
    study: str,
    table: dict[str, Any],
    measures: Iterable[Mapping[str, Any]],
    files: Sequence[tuple[str, str]] = (),
) -> _biela.Search:
    """The model with changes of its tables, for the compiled extension."""
    if not isinstance(model, Model):
        model = load(model)
    if model._functions or model._laws:
        raise OptionError(f"biela.{study} cannot run a model that calls Python functions: write them as formulas")
    source = copy(model)
    text = source._written()
    call = Call(f"{study}()", caller())
    changes = Text(f"<{study}>")
    if any(value is not None for value in table.values()):
        changes.table(f"[{study}]", table, call)
    for measure in measures:
        changes.table("[[measure]]", dict(measure), call)
    try:
        return _biela.Search.read(
            (text.name, str(text)), source._folder, list(files), (changes.name, str(changes)), source._set
        )
    except Error as error:
        text.explain(error)
        changes.explain(error)
        raise


def _common(found: dict[str, Any]) -> dict[str, Any]:
    """The fields of every search."""
    parameters = found["parameters"]
    return {
        "parameters": {p["name"]: p["value"] for p in parameters},
        "units": {p["name"]: p["unit"] for p in parameters},
        "bounds": {p["name"]: tuple(p["bounds"]) for p in parameters},
        "at_bounds": {p["name"]: p["at_bound"] for p in parameters if p["at_bound"]},
        "converged": found["converged"],
        "runs": found["runs"],
        "steps": found["steps"],
        "history": np.array(found["history"], dtype=float),
    }
