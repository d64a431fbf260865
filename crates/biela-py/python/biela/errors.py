"""What can go wrong; the texts are those of the command `biela`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .results import Results


class Error(Exception):
    """Anything that biela reports."""


class ModelError(Error, ValueError):
    """A model cannot be used. `diagnostics` has every problem with its place, code, message and help."""

    def __init__(self, text: str, diagnostics: list[dict[str, Any]]) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.diagnostics))


class OptionError(Error, ValueError):
    """Something cannot be done as asked: an option, a name, a path."""


class AssemblyError(Error):
    """The model cannot be assembled: joints that cannot be closed."""


class SolverError(Error):
    """A run stopped before its end, or an equilibrium was not found. `results` go as far as the run came."""

    results: Results | None = None


class FunctionError(Error):
    """A Python function that a model calls raised; what it raised is the cause. `results` go as far as the run came."""

    results: Results | None = None


class Interrupted(KeyboardInterrupt):
    """The user ended a run. `results` go as far as it came; the model keeps them too, as its `results`."""

    def __init__(self, text: str, results: Results) -> None:
        super().__init__(text)
        self.results = results

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.results))
