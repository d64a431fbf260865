"""Exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .results import Results


class Error(Exception):
    """Base class of all exceptions of biela."""


class ModelError(Error, ValueError):
    """The model is invalid. `diagnostics` lists every problem with its location, code, message and help."""

    def __init__(self, text: str, diagnostics: list[dict[str, Any]]) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.diagnostics))


class OptionError(Error, ValueError):
    """An invalid option, name or path."""


class UnreachableError(Error, ValueError):
    """Inverse kinematics did not reach a target. `q` is the closest pose that was found, with `distance` in m and `angle` in rad from the target."""

    def __init__(self, text: str, q: NDArray[np.float64], distance: float, angle: float) -> None:
        super().__init__(text)
        self.q = q
        self.distance = distance
        self.angle = angle

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.q, self.distance, self.angle))


class AssemblyError(Error):
    """The model cannot be assembled: the joints cannot be closed."""


class SolverError(Error):
    """A run stopped before its end, or no equilibrium was found. `results` contains the data up to that time."""

    results: Results | None = None


class FunctionError(Error):
    """A Python function called by a model raised an exception, which is the cause. `results` contains the data up to that time."""

    results: Results | None = None


class Interrupted(KeyboardInterrupt):
    """The user interrupted a run. `results` contains the data up to that time; the model also keeps them, as its `results`."""

    def __init__(self, text: str, results: Results) -> None:
        super().__init__(text)
        self.results = results

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.results))
