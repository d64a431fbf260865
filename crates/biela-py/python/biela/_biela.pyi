"""The compiled extension of the package."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .functions import Given, Law

__all__ = [
    "Document",
    "draw",
    "export",
    "page",
    "save",
    "import_text",
    "Batch",
    "Search",
    "Simulation",
    "Sweep",
    "Tree",
    "words",
    "__version__",
]

__version__: str

@final
class Batch:
    def reset(self, which: list[int], names: list[str], values: NDArray[np.float64]) -> None: ...
    def advance(self, inputs: NDArray[np.float64] | None, dt: float, waits: list[bool]) -> None: ...
    def observe(self) -> NDArray[np.float64]: ...

@final
class Simulation:
    @property
    def time(self) -> float: ...
    @property
    def signals(self) -> list[str]: ...
    @property
    def units(self) -> list[tuple[str, str]]: ...
    @property
    def inputs(self) -> list[tuple[str, str]]: ...
    @overload
    def step(
        self, inputs: float | Sequence[float] | NDArray[np.float64] | None = None, out: None = None
    ) -> NDArray[np.float64]: ...
    @overload
    def step(
        self, inputs: float | Sequence[float] | NDArray[np.float64] | None, out: NDArray[np.float64]
    ) -> None: ...
    def advance(
        self, to: float, inputs: float | Sequence[float] | NDArray[np.float64] | None = None
    ) -> str | None: ...
    def set(self, name: str, value: float) -> None: ...
    def read(self, name: str) -> float: ...
    @overload
    def observe(self, out: None = None) -> NDArray[np.float64]: ...
    @overload
    def observe(self, out: NDArray[np.float64]) -> None: ...
    def state(self) -> list[NDArray[np.float64]]: ...
    def reset(
        self, q: list[float] | None = None, v: list[float] | None = None, initial: list[tuple[str, float]] | None = None
    ) -> None: ...
    def snapshot(self) -> bytes: ...
    def restore(self, snapshot: bytes) -> None: ...
    def copy(self) -> Simulation: ...
    def picture(
        self, size: tuple[int, int], view: str, dark: bool, points: list[tuple[float, ...]]
    ) -> NDArray[np.uint8]: ...
    def show(self) -> str: ...
    def close(self) -> None: ...
    def batch(self, count: int, threads: int | None) -> Batch: ...
    def inverse_dynamics(self, accelerations: list[float]) -> NDArray[np.float64]: ...
    def linearize(self, inputs: list[str], outputs: list[str], coordinates: list[str]) -> dict[str, Any]: ...
    def statistics(self) -> dict[str, Any]: ...
    def rollout(
        self,
        count: int,
        steps: int,
        dt: float,
        initial: NDArray[np.float64] | None,
        names: list[str] | None,
        inputs: NDArray[np.float64] | None,
        threads: int | None,
    ) -> NDArray[np.float64]: ...

@final
class Document:
    @staticmethod
    def file(path: Path, set: list[str], functions: list[Given], controllers: list[Law]) -> Document: ...
    @staticmethod
    def text(
        text: tuple[str, str, Path], set: list[str], functions: list[Given], controllers: list[Law]
    ) -> Document: ...
    def facts(self) -> dict[str, Any]: ...
    def check(self) -> dict[str, Any]: ...
    def run(
        self,
        options: list[str | None],
        statics: tuple[int, int, float | None] | None,
        signals: list[str] | None,
        film: Path | None,
        folder: tuple[Path, bool, str | None, bool] | None,
        callbacks: tuple[
            Callable[[float, float, float], object] | None, Callable[[float, NDArray[np.float64]], object] | None
        ],
    ) -> dict[str, Any]: ...
    def simulation(self, options: list[str | None], signals: list[str] | None) -> Simulation: ...
    def linearize(
        self, at: str, inputs: list[str], outputs: list[str], coordinates: list[str]
    ) -> dict[str, Any]: ...
    def derive(
        self, form: str, to: str, symbols: list[str], rotations: str, speeds: list[str]
    ) -> tuple[str, list[str]]: ...
    def feedforward(self, trajectory: str | None, points: int, to: str | None) -> dict[str, Any]: ...
    def digest(self) -> str: ...
    def take_raised(self) -> tuple[str, BaseException] | None: ...
    def tree(self) -> Tree: ...

@final
class Tree:
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def joints(self) -> list[tuple[str, int, int, int, int]]: ...
    @property
    def planar(self) -> bool: ...
    def inverse_kinematics(
        self, target: Any, frame: str | None, start: list[float] | None, search: tuple[int, int, int]
    ) -> list[tuple[list[float], bool, float, float, float | None]]: ...
    @property
    def frames(self) -> list[str]: ...
    def rnea(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
        loads: dict[str, ArrayLike] | None = None,
    ) -> NDArray[np.float64]:
        """Inverse dynamics by the recursive Newton–Euler algorithm: τ = M(q) a + c(q, v), including gravity.

        `loads` are external loads by the body or point on which they act: moment and force, six numbers in ground axes, for all states or one row per state.
        """

    def aba(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
        loads: dict[str, ArrayLike] | None = None,
    ) -> NDArray[np.float64]:
        """Forward dynamics by the articulated-body algorithm: the accelerations under joint forces and torques τ.

        `loads` are external loads by the body or point on which they act: moment and force, six numbers in ground axes, for all states or one row per state.
        """

    def crba(
        self, q: ArrayLike, out: NDArray[np.float64] | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The mass matrix M(q) by the composite-rigid-body algorithm."""

    def inverse_mass(
        self, q: ArrayLike, out: NDArray[np.float64] | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The inverse mass matrix M(q)⁻¹."""

    def jacobian(
        self,
        q: ArrayLike,
        frame: str,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """The Jacobian (6, nv): angular velocity of a body or point, then velocity of its origin, for unit velocities, in ground axes."""

    def pose(
        self,
        q: ArrayLike,
        frame: str,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """The pose (4, 4) of a body or point in the ground frame, as a homogeneous transformation."""

    def coriolis(
        self, q: ArrayLike, v: ArrayLike, out: NDArray[np.float64] | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The Coriolis matrix C(q, v): C v are the velocity-dependent forces, without gravity, and Ṁ − 2C is skew-symmetric."""

    def center_of_mass(
        self, q: ArrayLike, out: NDArray[np.float64] | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The mass centre of all moving bodies in the ground frame."""

    def integrate(
        self, q: ArrayLike, dq: ArrayLike, out: NDArray[np.float64] | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The positions q ⊕ dq after a step dq along the velocity coordinates; quaternions stay unit quaternions."""

    def difference(
        self, q0: ArrayLike, q1: ArrayLike, out: NDArray[np.float64] | None = None, threads: int | None = None
    ) -> NDArray[np.float64]:
        """The shortest step q1 ⊖ q0 along the velocity coordinates: `integrate(q0, difference(q0, q1))` is q1."""

    def rnea_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]: ...
    def aba_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]: ...

_Answer: TypeAlias = tuple[int, list[float] | None, str | None]

@final
class Sweep:
    @staticmethod
    def file(path: Path, set: list[str]) -> Sweep: ...
    @staticmethod
    def read(name: str, text: str, folder: Path, set: list[str]) -> Sweep: ...
    @staticmethod
    def of(main: str, texts: list[tuple[str, str]], set: list[str]) -> Sweep: ...
    def texts(self) -> list[tuple[str, str]]: ...
    def set(self) -> list[str]: ...
    def parameters(self) -> list[tuple[str, str]]: ...
    def measures(self) -> list[tuple[str, str]]: ...
    def points(self) -> NDArray[np.float64]: ...
    def compute(self, points: list[int]) -> list[_Answer]: ...
    def open_points(self, folder: Path) -> list[int]: ...
    def advance(
        self, folder: Path, threads: int | None, progress: Callable[[int, int], object] | None
    ) -> None: ...
    def note(self, folder: Path, answers: list[_Answer]) -> None: ...
    def finish(self, folder: Path, csv: bool) -> list[_Answer]: ...

_Limits = tuple[float, int, int | None, int]
_Progress = Callable[[int, float], object] | None

@final
class Search:
    @staticmethod
    def read(
        text: tuple[str, str], folder: Path, files: list[tuple[str, str]], changes: tuple[str, str], set: list[str]
    ) -> Search: ...
    def parameters(self) -> list[tuple[str, float, str, bool]]: ...
    def measures(self) -> list[tuple[str, str]]: ...
    def optimize(self, global_search: bool, limits: _Limits, progress: _Progress) -> dict[str, Any]: ...
    def fit(self, level: float, limits: _Limits, progress: _Progress) -> dict[str, Any]: ...
    def sensitivity(self, parameters: list[tuple[str, float, float]], threads: int | None) -> dict[str, Any]: ...

def words() -> dict[str, Any]: ...
def import_text(
    program: str, path: Path, option: str | None, root: Path | None = None
) -> tuple[str, str]: ...
def save(
    folder: Path,
    about: str,
    channels: list[tuple[str, str, str]],
    time: NDArray[np.float64],
    data: NDArray[np.float64],
    events: list[tuple[float, str]],
    csv: bool,
) -> None: ...
def page(folders: list[Path]) -> str: ...
def draw(folder: Path, signals: list[str], over: str | None, png: bool) -> bytes: ...
def export(
    folder: Path,
    file: Path,
    animation: bool,
    request: tuple[
        tuple[int, int], str, bool, list[str | None], int, list[str], tuple[float, float]
    ],
) -> int: ...
