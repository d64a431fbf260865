"""A linear model: ẋ = A x + B u, y = C x + D u, and its modes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Mode(NamedTuple):
    """A mode: eigenvalue, shape over the states, and type of motion."""

    value: complex
    shape: NDArray[np.complex128]
    kind: str

    @property
    def frequency(self) -> float:
        """Frequency of the damped oscillation, Hz."""
        return abs(self.value.imag) / (2 * np.pi)

    @property
    def natural_frequency(self) -> float:
        """Undamped natural frequency, Hz."""
        return abs(self.value) / (2 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """Damping ratio: 1 is critical damping, 0 undamped, negative unstable."""
        size = abs(self.value)
        return -self.value.real / size if size > 0 else float("nan")


class Linear:
    """The matrices of a linear model, names and units of its variables, and its modes."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.A: NDArray[np.float64] = raw["A"]
        self.B: NDArray[np.float64] = raw["B"]
        self.C: NDArray[np.float64] = raw["C"]
        self.D: NDArray[np.float64] = raw["D"]
        #: Name and unit of each state, positions first.
        self.states: list[tuple[str, str]] = raw["states"]
        self.inputs: list[tuple[str, str]] = raw["inputs"]
        self.outputs: list[tuple[str, str]] = raw["outputs"]
        #: Time of the operating point, s.
        self.time: float = raw["time"]
        #: The largest relative uncertainty of an entry of A.
        self.doubt: float = raw["doubt"]
        self.notes: list[str] = raw["notes"]
        #: Zero modes first, then by natural frequency; an oscillation is one mode, with the eigenvalue above the real axis.
        self.modes: list[Mode] = [
            Mode(complex(*value), np.array(shape) @ np.array([1, 1j]), kind)
            for value, shape, kind in zip(raw["values"], raw["shapes"], raw["kinds"])
        ]

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """All eigenvalues of A, in the order of the modes."""
        values = []
        for mode in self.modes:
            values.append(mode.value)
            # one mode represents a conjugate pair
            if mode.value.imag != 0:
                values.append(mode.value.conjugate())
        return np.array(values)

    def __repr__(self) -> str:
        return f"<biela.Linear of {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"
