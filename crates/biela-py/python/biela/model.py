"""Models: read from a file or a text, checked, run and analysed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _biela
from .errors import Interrupted, SolverError
from .linear import Linear
from .progress import Bar
from .results import Results, Table
from .tree import Tree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Quantity = float | str


class ModelWarning(UserWarning):
    """A model can be used, but probably not as meant."""


class Model:
    """A model: a file or a text, and the values of its parameters."""

    _document: _biela.Document

    #: Of the last run, also where it was interrupted or stopped.
    results: Results | None = None

    @classmethod
    def _of(cls, document: _biela.Document) -> Model:
        model = cls.__new__(cls)
        model._document = document
        facts = document.facts()
        # a number of Python's is in SI, and nothing to warn of
        if any(problem["code"] != "bare-number" for problem in facts["problems"]):
            warnings.warn(facts["warnings"], ModelWarning, stacklevel=3)
        return model

    def facts(self) -> dict[str, Any]:
        """Name, description, space, bodies, joints, forces, parameters and study of the model."""
        return {k: v for k, v in self._document.facts().items() if k not in ("signals", "warnings", "problems")}

    @property
    def signals(self) -> dict[str, str]:
        """Every signal that can be recorded or read in formulas, with its unit."""
        return {signal["name"]: signal["unit"] for signal in self._document.facts()["signals"]}

    def check(self) -> dict[str, Any]:
        """Assembles the model and tells its freedom, redundant equations, bodies that had to move, and problems of the text."""
        return self._document.check()

    def run(
        self,
        *,
        to: Quantity | None = None,
        integrator: str | None = None,
        step: Quantity | None = None,
        tolerance: Quantity | None = None,
        method: str | None = None,
        formulation: str | None = None,
        output_step: Quantity | None = None,
        signals: Iterable[str] | None = None,
        progress: bool | Callable[[float, float, float], object] = False,
        observer: Callable[[float, NDArray[np.float64]], object] | None = None,
    ) -> Results:
        """Runs the model and gives its results. What is not given is as the model says.

        `signals` are recorded instead of those of the model's `[output]`; a name may stand for all signals below it, as `pin.reaction`.

        `progress` is True for a bar, or a function of time reached, time to reach and seconds on the clock. `observer` is called with time
        and values of every row (in the order of the results' columns) and ends the run by returning False.

        Ctrl-C raises `Interrupted`, a run that cannot go on `SolverError`: both have the `results` so far, and so has the model.
        """
        options = [to, formulation, method, integrator, step, tolerance, output_step]
        return self._run(options, None, signals, progress, observer)

    def _run(
        self,
        options: list[Quantity | None],
        statics: tuple[int, int] | None,
        signals: Iterable[str] | None,
        progress: bool | Callable[[float, float, float], object],
        observer: Callable[[float, NDArray[np.float64]], object] | None,
    ) -> Results:
        texts = [None if option is None else str(option) for option in options]
        chosen = None if signals is None else list(signals)
        bar = Bar() if progress is True else None
        told = bar if bar is not None else (progress or None)
        try:
            raw = self._document.run(texts, statics, chosen, told, observer)  # type: ignore[arg-type]
        finally:
            if bar is not None:
                bar.close()
        results = self.results = Results(raw)
        raised = raw["raised"]
        if isinstance(raised, KeyboardInterrupt):
            raise Interrupted(results._ending(), results) from None
        if raised is not None:
            raise raised
        if results.status["state"] == "failed":
            reach = f"results reach to t = {results.time[-1]:.9g} s" if len(results.time) else "there are no results"
            error = SolverError(f"the solver stopped: {results.status['message']}\n{reach}")
            error.results = results
            raise error
        return results

    def kinematics(
        self,
        *,
        to: Quantity | None = None,
        output_step: Quantity | None = None,
        signals: Iterable[str] | None = None,
    ) -> Results:
        """The motion of a mechanism whose drivers leave it no freedom: positions, velocities, accelerations and reactions."""
        return self.run(to=to, output_step=output_step, signals=signals, integrator="kinematics")

    def statics(
        self, *, start_points: int = 1, load_steps: int = 0, signals: Iterable[str] | None = None
    ) -> Results:
        """Where the mechanism rests: an equilibrium a row, with its stability in `equilibria`.

        From several start points it finds several equilibria; `load_steps` bring weight and loads on little by little.
        """
        return self._run([None] * 7, (start_points, load_steps), signals, False, None)

    def linearize(
        self,
        at: Quantity = "start",
        *,
        inputs: Iterable[str] = (),
        outputs: Iterable[str] = (),
        coordinates: Iterable[str] = (),
    ) -> Linear:
        """The linear model at the start, at the "equilibrium" it leads to, or at a time of a run.

        Inputs are forces (`motor`, `push.fx`) or drivers, outputs any signals, `coordinates` are taken as states before others.
        """
        return Linear(self._document.linearize(str(at), list(inputs), list(outputs), list(coordinates)))

    def derive(
        self,
        form: str = "equations",
        *,
        to: str = "text",
        symbols: Iterable[str] = (),
        rotations: str = "angles",
        speeds: Iterable[str] = (),
    ) -> str:
        """The equations of motion as formulas.

        `form` is equations, mass, bias, gravity, constraints, kane or lagrange; `to` text, latex, rust, c or python; `symbols` are groups of
        numbers that become symbols too: masses, inertias, lengths, gravity.
        """
        text, notes = self._document.derive(form, to, list(symbols), rotations, list(speeds))
        for note in notes:
            warnings.warn(note, ModelWarning, stacklevel=2)
        return text

    def inverse_dynamics(
        self, trajectory: str | None = None, *, points: int = 257, to: Quantity | None = None
    ) -> Table:
        """The efforts that a reference motion of a robot needs, and what they are for. For states of one's own see `Tree.rnea`."""
        return Table(self._document.feedforward(trajectory, points, None if to is None else str(to)))

    def tree(self) -> Tree:
        """The model in joint coordinates, for algorithms on numpy arrays."""
        return Tree(self._document.tree())

    def __repr__(self) -> str:
        facts = self._document.facts()
        parts = [facts["space"]] + [
            f"{len(facts[what])} {what}" for what in ("bodies", "joints", "forces") if facts[what]
        ]
        return f"<biela.Model {facts['name']}: {', '.join(parts)}>"


def _overrides(set: Mapping[str, Quantity] | None) -> list[str]:
    return [f"{name}={value}" for name, value in (set or {}).items()]


def load(path: str | os.PathLike[str], *, set: Mapping[str, Quantity] | None = None) -> Model:
    """Reads a model file, with other values of some parameters: `set={"length": "1.2 m"}`."""
    return Model._of(_biela.Document.file(Path(path), _overrides(set)))


def loads(
    text: str,
    *,
    name: str = "model.toml",
    folder: str | os.PathLike[str] = ".",
    set: Mapping[str, Quantity] | None = None,
) -> Model:
    """Reads a model from its text. Messages call it `name`; what it includes is looked for in `folder`."""
    return Model._of(_biela.Document.text(name, text, Path(folder), _overrides(set)))


def run(model: str | os.PathLike[str], *, set: Mapping[str, Quantity] | None = None, **options: Any) -> Results:
    """Reads and runs a model file; options are those of `Model.run`."""
    return load(model, set=set).run(**options)


def _imported(program: str, path: str | os.PathLike[str], option: str | None) -> Model:
    text, told = _biela.import_text(program, Path(path), option)
    if told:
        warnings.warn(told, ModelWarning, stacklevel=3)
    return Model._of(_biela.Document.text(f"{Path(path).stem}.toml", text, Path(path).parent, []))


def from_urdf(path: str | os.PathLike[str], *, base: str = "fixed") -> Model:
    """A robot in URDF, the description format of ROS; `base` is "fixed" or "floating"."""
    return _imported("urdf", path, base)


def from_mjcf(path: str | os.PathLike[str], *, keyframe: str | None = None) -> Model:
    """A model in MJCF, the format of MuJoCo."""
    return _imported("mjcf", path, keyframe)


def from_robo(path: str | os.PathLike[str]) -> Model:
    """A robot file of a simulator of serial arms."""
    return _imported("robo", path, None)


def from_sismul(path: str | os.PathLike[str], *, length: str | None = None) -> Model:
    """Cards of SISMUL; `length` is their unit of length."""
    return _imported("sismul", path, length)
