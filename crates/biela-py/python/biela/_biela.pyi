"""The compiled extension of the package."""

from pathlib import Path
from typing import Any, Callable, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .functions import Given, Law

__all__ = [
    "Document",
    "draw",
    "page",
    "save",
    "import_text",
    "Sweep",
    "Tree",
    "words",
    "__version__",
]

__version__: str

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
        callbacks: tuple[
            Callable[[float, float, float], object] | None, Callable[[float, NDArray[np.float64]], object] | None
        ],
    ) -> dict[str, Any]: ...
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
    def frames(self) -> list[str]: ...
    def rnea(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Inverse dynamics by the recursive Newton–Euler algorithm: τ = M(q) a + c(q, v), including gravity."""

    def aba(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        out: NDArray[np.float64] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Forward dynamics by the articulated-body algorithm: the accelerations under joint forces and torques τ."""

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
def draw(folder: Path, signals: list[str], over: str | None) -> str: ...
