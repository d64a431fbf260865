"""Models: loaded from a file or a text, or built in Python; checked, run and analysed."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from . import _biela, toml
from .component import Component, component
from .elements import Elements, Formulation, Integrator, Method, Space
from .errors import Error, FunctionError, Interrupted, OptionError, SolverError
from .functions import Function, Law, given, ordered, packed, unpacked
from .linear import Linear
from .progress import Bar
from .results import Results, Table, in_notebook, names_of, texts_of
from .simulation import Simulation
from .tree import Tree
from .written import Call, Text, caller

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Quantity = float | str
Answer = TypeVar("Answer")
EquationForm = Literal["equations", "mass", "bias", "gravity", "constraints", "kane", "lagrange"]
SymbolGroup = Literal["masses", "inertias", "lengths", "gravity"]


class ModelWarning(UserWarning):
    """Warning: the model can be used, but probably not as intended."""


class Model(Elements):
    """A model, built by method calls, or loaded from a file or a text and possibly extended.

    Every kind of element is a method: `model.body("rod", mass=2, inertia=0.1)`, `model.revolute("pin", between=["ground", "rod"])`. The arguments are the
    keys of the model language. Numbers are in SI units; strings contain units or formulas. The model is checked when it is used.

    `points` are hard points: named points of the design position, by which joints, bodies and shapes can be given.
    """

    def __init__(
        self,
        name: str = "model",
        *,
        space: Space,
        gravity: Sequence[Quantity] | None = None,
        spin: Quantity | None = None,
        description: str | None = None,
        parameters: Mapping[str, Quantity] | None = None,
        points: Mapping[str, Sequence[Quantity]] | None = None,
    ) -> None:
        top = {
            "format": 1,
            "name": name,
            "description": description,
            "space": space,
            "gravity": gravity,
            "spin": spin,
        }
        call = Call(f'Model("{name}")', caller())
        text = Text(name)
        for key, value in top.items():
            if value is not None:
                text.line(f"{toml.key(key)} = {toml.value(value)}", call)
        if parameters:
            text.table("[parameters]", dict(parameters), call)
        if points:
            text.table("[points]", dict(points), call)
        self._start(text, None, Path("."), None, None, None)

    def _start(
        self,
        text: Text | None,
        path: Path | None,
        folder: Path,
        set: Mapping[str, Quantity] | None,
        functions: Mapping[str, Callable[..., Any] | Function] | None,
        controllers: Mapping[str, Callable[..., Any]] | None,
    ) -> None:
        #: Results of the last run, also if it was interrupted or stopped.
        self.results: Results | None = None
        self._text = text
        self._path = path
        self._folder = folder
        self._set = _overrides(set)
        self._functions = given(functions)
        self._laws: list[Law] = [(name, law, None) for name, law in (controllers or {}).items()]
        self._made: _biela.Document | None = None

    @classmethod
    def _of(cls, *parts: Any, stacklevel: int = 4) -> Model:
        model = cls.__new__(cls)
        model._start(*parts)
        model._warn(stacklevel)
        return model

    def _warn(self, stacklevel: int) -> None:
        facts = self._asked(lambda document: document.facts())
        # a Python number is in SI units, which needs no warning
        if any(problem["code"] != "bare-number" for problem in facts["problems"]):
            warnings.warn(facts["warnings"], ModelWarning, stacklevel=stacklevel)

    def _document(self) -> _biela.Document:
        if self._made is None:
            if self._text is None and self._path is not None:
                self._made = _biela.Document.file(self._path, self._set, self._functions, self._laws)
            else:
                text = self._written()
                parts = (text.name, str(text), self._folder)
                self._made = _biela.Document.text(parts, self._set, self._functions, self._laws)
        return self._made

    def _asked(self, question: Callable[[_biela.Document], Answer]) -> Answer:
        """Calls the compiled extension; errors name the user's calls instead of generated lines."""
        document = self._document()
        try:
            answer = question(document)
        except Error as error:
            _raise_inside(document.take_raised(), None)
            if self._text is not None:
                self._text.explain(error)
            raise
        _raise_inside(document.take_raised(), None)
        return answer

    def __getstate__(self) -> dict[str, Any]:
        """The state for `pickle`: everything except the compiled extension, with absolute paths."""
        state = {**self.__dict__, "_made": None}
        state["_path"] = None if self._path is None else self._path.absolute()
        state["_folder"] = self._folder.absolute()
        state["_functions"] = [(name, packed(f"function `{name}`", call), *rest) for name, call, *rest in self._functions]
        state["_laws"] = [(name, packed(f"the law of controller `{name}`", law), *rest) for name, law, *rest in self._laws]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._functions = [(name, unpacked(call), *rest) for name, call, *rest in state["_functions"]]
        self._laws = [(name, unpacked(law), *rest) for name, law, *rest in state["_laws"]]

    def __copy__(self) -> Model:
        """An independent model: elements added to one are not in the other. Results are shared."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._text = copy.copy(self._text)
        other._set = list(self._set)
        other._functions, other._laws = list(self._functions), list(self._laws)
        # the compiled extension stores the exceptions of Python functions
        other._made = None
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        other = copy.copy(self)
        memo[id(self)] = other
        other.results = copy.deepcopy(self.results, memo)
        other._functions = copy.deepcopy(self._functions, memo)
        other._laws = copy.deepcopy(self._laws, memo)
        return other

    def _written(self) -> Text:
        """The text of the model; a file is converted to text when something is added."""
        if self._text is None:
            assert self._path is not None
            self._text = Text(self._path.name, self._path.read_text(encoding="utf-8"))
        return self._text

    def _add(self, table: str, keys: dict[str, Any]) -> None:
        self._table(f"[[{table}]]", table, keys)

    def _put(self, table: str, keys: dict[str, Any]) -> None:
        self._table(f"[{table}]", table, keys)

    def _table(self, head: str, word: str, keys: dict[str, Any]) -> None:
        what = keys["type"].replace("-", "_") if isinstance(keys.get("type"), str) else word
        name = keys.get("name")
        call = Call(f'{what}("{name}")' if name else f"{what}()", caller())
        self._written().table(head, keys, call)
        self._made = None

    def component(
        self,
        name: str,
        *,
        ports: Mapping[str, Literal["frame", "joint", "signal"]] | None = None,
        parameters: Mapping[str, Any] | None = None,
        points: Mapping[str, Sequence[Quantity]] | None = None,
        description: str | None = None,
        file: str | None = None,
    ) -> Component:
        """Defines a part of the model that `instance` can use any number of times; returns it, to add its elements.

        `link = model.component("link", ports={"mount": "frame"}, parameters={"length": "0.5 m"})` is followed by `link.body("rod", ...)` and
        `link.revolute("pin", between=["mount", "rod"])`. A parameter `{"unit": "m"}` has no default. With `file` the component is read from a file in the
        folder of the model.
        """
        header = f"component.{toml.key(name)}"
        return component(
            self._table,
            header,
            ports=ports,
            parameters=parameters,
            points=points,
            description=description,
            file=file,
        )

    def table(self, name: str, *, x: Sequence[Quantity], y: Sequence[Quantity], **more: str) -> None:
        """Adds a tabulated function that formulas call by its name; `more` are x_unit, y_unit, interpolation and outside."""
        call = Call(f'table("{name}")', caller())
        self._written().table(f"[table.{toml.key(name)}]", {"x": x, "y": y, **more}, call)
        self._made = None

    def function(
        self,
        name: str,
        call: Callable[..., Any] | None = None,
        *,
        unit: str | None = None,
        derivatives: bool = False,
    ) -> Callable[..., Any]:
        """Adds a Python function for the formulas of the model: after `model.function("drag", f, unit="N")` any formula may use `drag(cart.vx)`.

        Without `call` it is a decorator. `unit` is the SI unit of its value. With `derivatives` the function has one argument and returns value, first and
        second derivative, as required for the motion of a driver. It is also called at trial states, and must depend only on its arguments.
        """
        if call is None:
            return lambda call: self.function(name, call, unit=unit, derivatives=derivatives)
        self._functions = [known for known in self._functions if known[0] != name]
        self._functions.append(Function(call, unit, derivatives).given(name))
        self._made = None
        return call

    def controller(
        self,
        name: str,
        *,
        law: str | Callable[..., Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        **keys: Any,
    ) -> None:
        """Adds a sampled controller. `law` is a keyword of the model language, or a Python function of the time and the inputs.

        Inputs of a Python law are formulas, or lists of formulas, which it receives as arrays. Outputs are SI units, lists of units, or tables with `unit`,
        `initial`, `quantum` and `saturation`. The law returns a number, a sequence, or a dictionary by the names of the outputs. Other formulas read the
        outputs as NAME.OUTPUT, those of a list as NAME.OUTPUT_0 and so on.
        """
        if not callable(law):
            self._add("controller", {"name": name, "law": law, "inputs": inputs, "outputs": outputs, **keys})
            return
        order = ordered(name, law, list(inputs or {}))
        groups: list[int | None] = []
        read: dict[str, Any] = {}
        for each in order:
            formula = (inputs or {})[each]
            if isinstance(formula, (list, tuple)):
                groups.append(len(formula))
                read |= {f"{each}_{k}": one for k, one in enumerate(formula)}
            else:
                groups.append(None)
                read[each] = formula
        gives: dict[str, Any] = {}
        for each, unit in (outputs or {}).items():
            several = isinstance(unit, (list, tuple))
            for k, one in enumerate(unit if several else [unit]):
                about = dict(one) if isinstance(one, Mapping) else {"unit": one}
                gives[f"{each}_{k}" if several else each] = {"value": 0, **about}
        self._add("controller", {"name": name, "inputs": read or None, "outputs": gives, **keys})
        self._laws.append((name, law, groups))

    def to_toml(self) -> str:
        """Returns the text of the model. Python functions are not part of it: a controller with a Python law has zero output there."""
        return str(self._written())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text of the model to a file for the command `biela`."""
        named = [name for name, *_ in self._functions] + [name for name, *_ in self._laws]
        note = f"# {', '.join(named)}: Python functions, which a file cannot contain\n" if named else ""
        Path(path).write_text(note + self.to_toml(), encoding="utf-8")

    def facts(self) -> dict[str, Any]:
        """Name, description, space, bodies, joints, forces, parameters and study of the model."""
        facts = self._asked(lambda document: document.facts())
        return {k: v for k, v in facts.items() if k not in ("signals", "warnings", "problems")}

    @property
    def signals(self) -> dict[str, str]:
        """All signals that can be recorded or used in formulas, with their units."""
        facts = self._asked(lambda document: document.facts())
        return {signal["name"]: signal["unit"] for signal in facts["signals"]}

    def check(self) -> dict[str, Any]:
        """Assembles the model. Returns its degrees of freedom, redundant constraints, bodies moved by assembly, and problems of the text."""
        return self._asked(lambda document: document.check())

    def run(
        self,
        *,
        to: Quantity | None = None,
        integrator: Integrator | None = None,
        step: Quantity | None = None,
        tolerance: Quantity | None = None,
        method: Method | None = None,
        formulation: Formulation | None = None,
        output_step: Quantity | None = None,
        signals: Iterable[str] | str | None = None,
        motion: bool | None = None,
        progress: bool | Callable[[float, float, float], object] = False,
        observer: Callable[[float, NDArray[np.float64]], object] | None = None,
        folder: str | os.PathLike[str] | None = None,
        checkpoint: Quantity | None = None,
        resume: bool = False,
    ) -> Results:
        """Runs the model and returns its results. Options that are not given keep the settings of the model.

        `to`, `step` and `output_step` are times: numbers in s, or strings such as "2 min". `signals`, one name or several, are recorded instead of those in `[output]`
        of the model; a name may select all signals below it, such as `pin.reaction`.

        `motion` records the motion for `Results.view`; by default it is recorded in notebooks and with `folder`. `progress` is True for a progress bar, or a function of the
        time reached, the end time and the wall-clock time in s. `observer` is called with time and values of every row (in the order of the columns of the
        results) and stops the run by returning False.

        `folder` is a results folder that the run writes as it goes on, like the command; earlier results in it are replaced. With `checkpoint`, the wall-clock
        time between checkpoints (a number in s, or a string such as "10 s"), the run also writes a checkpoint when it is interrupted by Ctrl-C, by `observer`
        or by an exception of `observer` or `progress`; it then stops at the end of the step. The same call with `resume=True` continues from the last
        checkpoint: files and results are those of a run in one piece. `observer` receives only the rows after the checkpoint. A run that differs from the one
        in the folder, or whose files have changed, is refused with an `OptionError`. Python functions of the model are not compared, and must have no state
        of their own; an exception inside one ends the run within the step, and it resumes from the last checkpoint before.

        Ctrl-C raises `Interrupted`, a failure of the solver raises `SolverError`: both have the `results` so far, and so has the model.
        """
        options = [to, formulation, method, integrator, step, tolerance, output_step]
        if folder is None:
            for name, given in (("checkpoint", checkpoint is not None), ("resume", resume)):
                if given:
                    raise OptionError(f"{name}: the run needs a results folder; pass its path as `folder`")
            return self._run(options, None, signals, progress, observer, motion=motion)
        every = None if checkpoint is None else str(checkpoint)
        recorded = (Path(folder), motion is not False, every, resume)
        return self._run(options, None, signals, progress, observer, folder=recorded)

    def simulation(
        self,
        *,
        signals: Iterable[str] | str | None = None,
        to: Quantity | None = None,
        integrator: Integrator | None = None,
        step: Quantity | None = None,
        tolerance: Quantity | None = None,
        method: Method | None = None,
        formulation: Formulation | None = None,
        output_step: Quantity | None = None,
    ) -> Simulation:
        """Returns a simulation at its start, which is stepped, fed with inputs and read. `signals` are those that it observes.

        Other options are those of `run`. A simulation may continue after the end of the study.
        """
        options = [to, formulation, method, integrator, step, tolerance, output_step]
        texts = [None if option is None else str(option) for option in options]
        chosen = None if signals is None else names_of(signals)
        return Simulation(self._asked(lambda document: document.simulation(texts, chosen)))

    def _run(
        self,
        options: list[Quantity | None],
        statics: tuple[int, int, float | None] | None,
        signals: Iterable[str] | str | None,
        progress: bool | Callable[[float, float, float], object],
        observer: Callable[[float, NDArray[np.float64]], object] | None,
        *,
        motion: bool | None = None,
        folder: tuple[Path, bool, str | None, bool] | None = None,
    ) -> Results:
        """Runs the model; `folder` is a results folder, whether to record the motion in it, the interval of checkpoints and whether to resume."""
        films = folder is None and (in_notebook() if motion is None else motion)
        film = TemporaryDirectory() if films else None
        path = None if film is None else Path(film.name)
        texts = texts_of(options)
        chosen = None if signals is None else names_of(signals)
        bar = Bar() if progress is True else None
        told = bar if bar is not None else (progress or None)
        try:
            raw = self._asked(lambda document: document.run(texts, statics, chosen, path, folder, (told, observer)))  # type: ignore[arg-type]
        finally:
            if bar is not None:
                bar.close()
        recorded = folder[0].absolute() if folder is not None and folder[1] else None
        results = self.results = Results(raw, film or recorded)
        for caution in raw["cautions"]:
            warnings.warn(caution, RuntimeWarning, stacklevel=3)
        raised = raw["raised"]
        if isinstance(raised, KeyboardInterrupt):
            raise Interrupted(results._ending(), results) from None
        if raised is not None:
            raise raised
        _raise_inside(raw["inside"], results)
        if raw["unrecorded"] is not None:
            raise OSError(raw["unrecorded"])
        if results.status["state"] == "failed":
            reach = f"results end at t = {results.time[-1]:.9g} s" if len(results.time) else "there are no results"
            error = SolverError(f"the solver stopped: {results.status['message']}\n{reach}")
            error.results = results
            raise error
        return results

    def kinematics(
        self,
        *,
        to: Quantity | None = None,
        output_step: Quantity | None = None,
        signals: Iterable[str] | str | None = None,
    ) -> Results:
        """Computes the motion of a fully driven mechanism: positions, velocities, accelerations and reactions."""
        return self.run(to=to, output_step=output_step, signals=signals, integrator="kinematics")

    def statics(
        self,
        *,
        start_points: int = 1,
        load_steps: int = 0,
        tolerance: float | None = None,
        signals: Iterable[str] | str | None = None,
    ) -> Results:
        """Finds static equilibria: one per row, with their stability in `equilibria`.

        Several `start_points` may lead to several equilibria; `load_steps` applies gravity and loads in increments; `tolerance` is the unbalanced force
        relative to all forces.
        """
        return self._run([None] * 7, (start_points, load_steps, tolerance), signals, False, None)

    def linearize(
        self,
        at: Quantity = "start",
        *,
        inputs: Iterable[str] | str = (),
        outputs: Iterable[str] | str = (),
        coordinates: Iterable[str] | str = (),
    ) -> Linear:
        """Returns the linear model at the start, at the "equilibrium" found from it, or at a time of a run.

        Inputs are forces (`motor`, `push.fx`) or drivers, outputs are any signals, `coordinates` are preferred as states.
        """
        request = (str(at), names_of(inputs), names_of(outputs), names_of(coordinates))
        return Linear(self._asked(lambda document: document.linearize(*request)))

    def derive(
        self,
        form: EquationForm = "equations",
        *,
        to: Literal["text", "latex", "rust", "c", "python"] = "text",
        symbols: Iterable[SymbolGroup] | SymbolGroup = (),
        rotations: Literal["angles", "parameters"] = "angles",
        speeds: Iterable[str] | str = (),
    ) -> str:
        """Returns the equations of motion in symbolic form.

        `form` is equations, mass, bias, gravity, constraints, kane or lagrange; `to` is text, latex, rust, c or python; `symbols` are groups of numbers that
        become symbols too: masses, inertias, lengths, gravity.
        """
        request = (form, to, names_of(symbols), rotations, names_of(speeds))
        text, notes = self._asked(lambda document: document.derive(*request))
        for note in notes:
            warnings.warn(note, ModelWarning, stacklevel=2)
        return text

    def inverse_dynamics(
        self, trajectory: str | None = None, *, points: int = 257, to: Quantity | None = None
    ) -> Table:
        """Computes the joint forces and torques of a reference motion of a robot, separated by origin. For arbitrary states see `Tree.rnea`."""
        end = None if to is None else str(to)
        return Table(self._asked(lambda document: document.feedforward(trajectory, points, end)))

    def tree(self) -> Tree:
        """The model in joint coordinates, for algorithms on numpy arrays."""
        raw = self._asked(lambda document: document.tree())
        # a copy with its own text: later additions and changes of the file do not affect this tree
        source = copy.copy(self)
        source.results, source._folder = None, self._folder.absolute()
        source._written()
        return Tree(raw, (source, source._asked(lambda document: document.digest())))

    def _repr_html_(self) -> str | None:
        try:
            facts = self.facts()
        except Error:
            return None
        rows = [("space", facts["space"])]
        rows += [(what, ", ".join(facts[what])) for what in ("bodies", "joints", "forces") if facts[what]]
        rows += [("parameters", ", ".join(str(name) for name in facts["parameters"]))] if facts["parameters"] else []
        cells = "".join(
            f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(text)}</td></tr>'
            for name, text in rows
        )
        about = f"<p>{escape(facts['description'])}</p>" if facts["description"] else ""
        return f"<b>{escape(facts['name'])}</b>{about}<table>{cells}</table>"

    def __repr__(self) -> str:
        try:
            facts = self._asked(lambda document: document.facts())
        except Error as error:
            return f"<biela.Model, invalid: {str(error).splitlines()[0]}>"
        parts = [facts["space"]] + [
            f"{len(facts[what])} {what}" for what in ("bodies", "joints", "forces") if facts[what]
        ]
        return f"<biela.Model {facts['name']}: {', '.join(parts)}>"


def _raise_inside(inside: tuple[str, BaseException] | None, results: Results | None) -> None:
    """Raises the exception of a Python function of the model: an interrupt unchanged, an error as `FunctionError` with the name of the function."""
    if inside is None:
        return
    what, cause = inside
    if isinstance(cause, KeyboardInterrupt):
        raise cause if results is None else Interrupted(f"interrupted in {what}", results)
    if not isinstance(cause, Exception):
        raise cause
    text = f"{what} raised {type(cause).__name__}: {cause}"
    if results is not None:
        text += f"; results end at t = {results.time[-1]:.9g} s" if len(results.time) else "; there are no results"
    wrong = FunctionError(text)
    wrong.results = results
    raise wrong from cause


def _overrides(set: Mapping[str, Quantity] | None) -> list[str]:
    return [f"{name}={value}" for name, value in (set or {}).items()]


#: The importer of each file extension of another program.
_IMPORTS = {".urdf": "urdf", ".xml": "mjcf", ".mjcf": "mjcf"}


def load(
    path: str | os.PathLike[str],
    *,
    set: Mapping[str, Quantity] | None = None,
    functions: Mapping[str, Callable[..., Any] | Function] | None = None,
    controllers: Mapping[str, Callable[..., Any]] | None = None,
    **options: Any,
) -> Model:
    """Loads a model file, optionally with overridden parameters: `set={"length": "1.2 m"}`.

    `functions` are Python functions that its formulas may call by name. `controllers` replace the laws of controllers of the file: functions of the time and
    of the inputs of the controller in their order, which return its outputs.

    A file `.urdf` is imported as by `from_urdf`, `.xml` and `.mjcf` as by `from_mjcf`, with their `options`.
    """
    program = _IMPORTS.get(Path(path).suffix.lower())
    known = _IMPORT_OPTIONS.get(program or "", ())
    for name in options:
        if name not in known:
            raise TypeError(f"load() has no argument `{name}` for {Path(path).name}{_listed(known)}")
    if program is None:
        return Model._of(None, Path(path), Path(path).parent, set, functions, controllers)
    if program == "urdf":
        return _imported("urdf", path, options.get("base", "fixed"), given=(set, functions, controllers))
    return _imported("mjcf", path, options.get("keyframe"), options.get("root"), given=(set, functions, controllers))


#: The options of importers, for `load`.
_IMPORT_OPTIONS = {"urdf": ("base",), "mjcf": ("keyframe", "root")}


def _listed(names: Sequence[str]) -> str:
    return f"; its options are {', '.join(names)}" if names else ""


def loads(
    text: str,
    *,
    name: str = "model.toml",
    folder: str | os.PathLike[str] = ".",
    set: Mapping[str, Quantity] | None = None,
    functions: Mapping[str, Callable[..., Any] | Function] | None = None,
    controllers: Mapping[str, Callable[..., Any]] | None = None,
) -> Model:
    """Loads a model from its text, like `load`. Messages refer to it as `name`; included files are searched in `folder`."""
    return Model._of(Text(name, text), None, Path(folder), set, functions, controllers)


def run(model: str | os.PathLike[str], *, set: Mapping[str, Quantity] | None = None, **options: Any) -> Results:
    """Loads and runs a model file; the options are those of `Model.run`."""
    return load(model, set=set).run(**options)


def _imported(
    program: str,
    path: str | os.PathLike[str],
    option: str | None,
    root: str | os.PathLike[str] | None = None,
    given: tuple[Any, Any, Any] = (None, None, None),
) -> Model:
    text, told = _biela.import_text(program, Path(path), option, None if root is None else Path(root))
    if told:
        warnings.warn(told, ModelWarning, stacklevel=3)
    written = Text(f"{Path(path).stem}.toml", text)
    return Model._of(written, None, Path(path).parent, *given, stacklevel=5)


def from_urdf(path: str | os.PathLike[str], *, base: Literal["fixed", "floating"] = "fixed") -> Model:
    """Imports a robot in URDF, the description format of ROS; `base` is "fixed" or "floating"."""
    return _imported("urdf", path, base)


def from_mjcf(
    path: str | os.PathLike[str], *, keyframe: str | None = None, root: str | os.PathLike[str] | None = None
) -> Model:
    """Imports a model in MJCF, the format of MuJoCo.

    Files that it names are read from its own folder and below; `root` is another folder below which they may be. `keyframe` selects the initial state.
    """
    return _imported("mjcf", path, keyframe, root)


def from_robo(path: str | os.PathLike[str]) -> Model:
    """Imports a robot file of a simulator of serial arms."""
    return _imported("robo", path, None)


def from_sismul(path: str | os.PathLike[str], *, length: str | None = None) -> Model:
    """Imports input cards of SISMUL; `length` is their unit of length."""
    return _imported("sismul", path, length)
