"""Simulations that are stepped: inputs set, signals read, states saved and restored while time goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .linear import Linear
from .results import names_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from . import _biela
    from .model import Model

Inputs = float | Sequence[float]


class Simulation:
    """A simulation at a time. `Model.simulation` creates one.

    The steps are those of a run in one piece: `advance(to)` may leave the integrator ahead of `to`, and signals are then those of its dense output. Reading
    never changes the run. An input that changes ends the step there.
    """

    def __init__(self, raw: _biela.Simulation) -> None:
        self._raw = raw
        #: Sets the inputs (a number, or one per input), makes one step of the integrator, and returns the observed signals, or writes them to `out`.
        self.step = raw.step
        #: Sets the inputs, if given, and advances to a time in s. Returns the name of an event that stopped the simulation before it, otherwise None.
        self.advance = raw.advance
        #: The observed signals at the current time, as a new array or written to `out`.
        self.observe = raw.observe
        #: The value of one signal at the current time, by name.
        self.read = raw.read
        #: Sets an external input by name, from the current time on.
        self.set = raw.set

    @property
    def time(self) -> float:
        """The current time, s."""
        return self._raw.time

    @property
    def signals(self) -> list[str]:
        """Names of the observed signals, in the order of `observe`."""
        return self._raw.signals

    @property
    def units(self) -> dict[str, str]:
        """Units of the observed signals."""
        return dict(self._raw.units)

    @property
    def inputs(self) -> dict[str, str]:
        """Names and units of the external inputs, in the order of `step`."""
        return dict(self._raw.inputs)

    @property
    def state(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Positions q and velocities v at the current time, in the coordinates of the formulation."""
        q, v = self._raw.state()
        return q, v

    def reset(
        self,
        q: Sequence[float] | NDArray[np.float64] | None = None,
        v: Sequence[float] | NDArray[np.float64] | None = None,
        *,
        initial: Mapping[str, float] | None = None,
    ) -> None:
        """Returns to the start: as it was, at coordinates `q` and velocities `v`, or at `initial` values of joints, such as {"pole.angle": 0.1}.

        Joints that are not given keep their values as far as the constraints permit. Other values are brought to the constraints.
        """
        values = None if initial is None else [(name, float(value)) for name, value in initial.items()]
        self._raw.reset(_list(q), _list(v), values)

    def snapshot(self) -> bytes:
        """Everything that the simulation depends on, also within a step."""
        return self._raw.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Restores a snapshot of the same model with the same options: the simulation continues from it bit for bit."""
        self._raw.restore(snapshot)

    def copy(self) -> Simulation:
        """An independent copy."""
        return Simulation(self._raw.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> str:
        raise TypeError(
            "a simulation cannot be pickled; pickle its model and `snapshot()`, "
            "and restore the snapshot in `model.simulation(...)` with the same options"
        )

    def inverse_dynamics(self, accelerations: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
        """The generalised force M v̇ − f that, added to the forces of the model, gives these accelerations; constraint forces count as a part of it."""
        return self._raw.inverse_dynamics(list(map(float, accelerations)))

    def linearize(
        self,
        *,
        inputs: Iterable[str] | str = (),
        outputs: Iterable[str] | str = (),
        coordinates: Iterable[str] | str = (),
    ) -> Linear:
        """The linear model at the current time; see `Model.linearize`."""
        return Linear(self._raw.linearize(names_of(inputs), names_of(outputs), names_of(coordinates)))

    def picture(
        self,
        *,
        size: tuple[int, int] = (640, 480),
        view: str = "auto",
        dark: bool = False,
        points: Iterable[Sequence[float]] = (),
    ) -> NDArray[np.uint8]:
        """Draws the mechanism at the current time, without a display: an array (height, width, 3) of red, green and blue.

        `size` is width and height in pixels, `view` as for `Results.picture`. The image contains the mechanism in its initial configuration and `points` in
        ground axes, whatever the current time, so that the images of a motion have one camera.
        """
        triples = [(*map(float, point), 0.0)[:3] for point in points]
        width, height = size
        return self._raw.picture((width, height), view, dark, triples)

    def show(self) -> str:
        """Shows the mechanism at the current time on a page of this machine, and returns the address of the page.

        The first call serves the page and opens a browser if there is a display; later calls add the current time to it. After a reset a new motion begins.
        The page needs no viewer: without a browser the calls only record. `close` ends it.
        """
        return self._raw.show()

    def close(self) -> None:
        """Ends the page of `show`."""
        self._raw.close()

    @property
    def statistics(self) -> dict[str, Any]:
        """Steps, evaluations and, under `checks`, the largest constraint errors and the error of the energy balance so far."""
        return self._raw.statistics()

    def rollout(
        self,
        *,
        steps: int,
        dt: float,
        initial: Mapping[str, ArrayLike] | ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Many simulations at once: the observed signals at the start and after each period `dt`, as an array (simulations, steps + 1, signals).

        `initial` has the values of joints by name, each with one value per simulation, or an array (simulations, positions + velocities) of coordinates.
        `inputs` is an array (simulations, steps, inputs). Simulations run in parallel; the result is the same for any number of threads.
        """
        if steps < 1 or not dt > 0 or not np.isfinite(dt):
            raise ValueError("steps must be at least 1, and dt a positive time in s")
        names, start, counts = None, None, set()
        if isinstance(initial, Mapping):
            names = list(initial)
            start = np.stack(np.broadcast_arrays(*(np.atleast_1d(initial[name]) for name in names)), axis=1).astype(float)
        elif initial is not None:
            start = np.atleast_2d(np.asarray(initial, dtype=float))
            width = sum(map(len, self.state))
            if start.ndim != 2 or start.shape[1] != width:
                raise ValueError(f"initial must have the shape (simulations, {width}): positions, then velocities")
        if start is not None:
            counts.add(len(start))
        given = None
        if inputs is not None:
            given = np.asarray(inputs, dtype=float)
            wanted = (steps, len(self.inputs))
            if given.ndim == 2 and wanted[1] == 1:
                given = given[:, :, None]
            if given.ndim != 3 or given.shape[1:] != wanted:
                raise ValueError(f"inputs must have the shape (simulations, {wanted[0]}, {wanted[1]})")
            counts.add(len(given))
        if len(counts - {1}) > 1:
            raise ValueError("initial and inputs have different numbers of simulations")
        count = max(counts, default=1)
        if start is not None and len(start) != count:
            start = np.repeat(start, count, axis=0)
        if given is not None and len(given) != count:
            given = np.repeat(given, count, axis=0)
        return self._raw.rollout(count, steps, dt, start, names, given, threads)

    def __repr__(self) -> str:
        return f"<biela.Simulation at {self.time:.6g} s>"


def _list(values: Sequence[float] | NDArray[np.float64] | None) -> list[float] | None:
    return None if values is None else [float(value) for value in values]


def rollout(
    model: Model,
    *,
    steps: int,
    dt: float,
    initial: Mapping[str, ArrayLike] | ArrayLike | None = None,
    inputs: ArrayLike | None = None,
    signals: Iterable[str] | str | None = None,
    threads: int | None = None,
    **options: Any,
) -> NDArray[np.float64]:
    """Simulates a model from many initial values with many inputs; see `Simulation.rollout`. Options are those of `Model.simulation`."""
    simulation = model.simulation(signals=signals, **options)
    return simulation.rollout(steps=steps, dt=dt, initial=initial, inputs=inputs, threads=threads)
