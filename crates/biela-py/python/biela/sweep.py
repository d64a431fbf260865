"""Sweeps: many runs of one model, in local threads, or by the workers of Dask, Ray or any executor of futures.

The row of a point is bitwise reproducible on any worker: only the text of the model and the numbers of points are transmitted.
"""

from __future__ import annotations

import concurrent.futures
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _biela
from .errors import Error, OptionError
from .model import Model

if TYPE_CHECKING:
    import pandas

    Answer = tuple[int, list[float] | None, str | None]
    Parcel = tuple[str, tuple[tuple[str, str], ...], tuple[str, ...]]


class Sweep(Mapping[str, NDArray[np.float64]]):
    """The table of a sweep: one row per point. `sweep["stroke"]` is a column, of a parameter or a measure."""

    def __init__(self, raw: _biela.Sweep, answers: list[Answer]) -> None:
        #: Name and unit of the varied parameters.
        self.parameters = raw.parameters()
        #: Name and unit of the measures.
        self.measures = raw.measures()
        #: The reasons of failed points, by their number.
        self.problems = {point: reason for point, _, reason in answers if reason is not None}
        nothing = [float("nan")] * len(self.measures)
        values = np.array([nothing if values is None else values for _, values, _ in answers])
        columns = np.hstack([raw.points(), values.reshape(len(answers), len(self.measures))])
        names = [name for name, _ in [*self.parameters, *self.measures]]
        self._columns = {name: columns[:, k] for k, name in enumerate(names)}

    @property
    def units(self) -> dict[str, str]:
        """The SI unit of each column."""
        return dict([*self.parameters, *self.measures])

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame with one row per point; `problem` is the reason of a failed point, `attrs["units"]` contains the units."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.index.name = "point"
        frame["problem"] = [self.problems.get(point) for point in range(len(frame))]
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        return f"<biela.Sweep of {rows} points, {len(self.problems)} failed: {', '.join(self)}>"


def sweep(
    model: Model | str | os.PathLike[str],
    *,
    executor: Any = None,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    csv: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Sweep:
    """Runs the sweep that a model defines in `[sweep]` and returns its table.

    Without an `executor` it runs locally, in `threads` threads (default: number of cores). An executor is a `dask.distributed.Client`, the module `ray`, or
    an object with `submit` whose futures are compatible with `concurrent.futures`. Its workers need the package `biela`; the engine reassigns points of lost
    workers. With a `folder`, points are stored as they finish: the same call continues an earlier one, and `biela sweep` uses the same files. `progress` is
    called with the number of known points and their total number.
    """
    raw = _raw(model)
    if folder is None:
        with tempfile.TemporaryDirectory() as here:
            return _computed(raw, Path(here), executor, threads, csv, progress)
    return _computed(raw, Path(folder), executor, threads, csv, progress)


def _raw(model: Model | str | os.PathLike[str]) -> _biela.Sweep:
    if not isinstance(model, Model):
        return _biela.Sweep.file(Path(model), [])
    if model._functions or model._laws:
        raise OptionError("a sweep cannot run a model that calls Python functions: write them as formulas")
    if model._text is None and model._path is not None:
        return _biela.Sweep.file(model._path, model._set)
    text = model._written()
    try:
        return _biela.Sweep.read(text.name, str(text), model._folder, model._set)
    except Error as error:
        text.explain(error)
        raise


def _computed(
    raw: _biela.Sweep,
    folder: Path,
    executor: Any,
    threads: int | None,
    csv: bool,
    progress: Callable[[int, int], object] | None,
) -> Sweep:
    if executor is None:
        raw.advance(folder, threads, progress)
    else:
        texts = raw.texts()
        parcel = (texts[0][0], tuple(texts), tuple(raw.set()))
        missing = raw.open_points(folder)
        all_points = len(raw.points())
        known = all_points - len(missing)
        for answers in _elsewhere(executor, parcel, missing):
            raw.note(folder, answers)
            known += len(answers)
            if progress is not None:
                progress(known, all_points)
    return Sweep(raw, raw.finish(folder, csv))


#: Points per task: enough to amortize the overhead, few enough to balance the load.
BATCH = 16


def _elsewhere(executor: Any, parcel: Parcel, points: list[int]) -> Iterable[list[Answer]]:
    batches = [points[k : k + BATCH] for k in range(0, len(points), BATCH)]
    if isinstance(executor, ModuleType) and executor.__name__ == "ray":
        return _by_ray(executor, parcel, batches)
    if not hasattr(executor, "submit"):
        raise OptionError(
            f"{executor!r} is not an executor: pass a dask.distributed.Client, the module ray, or a concurrent.futures.Executor"
        )
    futures: list[Any] = [executor.submit(_compute, parcel, batch) for batch in batches]
    done: Iterable[Any]
    if type(executor).__module__.partition(".")[0] == "distributed":
        import distributed

        done = distributed.as_completed(futures)
    else:
        done = concurrent.futures.as_completed(futures)
    return (future.result() for future in done)


def _by_ray(ray: Any, parcel: Parcel, batches: list[list[int]]) -> Iterator[list[Answer]]:
    remote = ray.remote(max_retries=3)(_compute)
    shared = ray.put(parcel)
    open_ = [remote.remote(shared, batch) for batch in batches]
    while open_:
        done, open_ = ray.wait(open_)
        yield from ray.get(done)


def _compute(parcel: Parcel, points: list[int]) -> list[Answer]:
    """The task of a worker."""
    return _opened(parcel).compute(points)


@lru_cache(maxsize=8)
def _opened(parcel: Parcel) -> _biela.Sweep:
    main, texts, set_ = parcel
    return _biela.Sweep.of(main, list(texts), list(set_))
