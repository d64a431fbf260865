"""Algorithms in joint coordinates on numpy arrays: one state, or many states on all cores.

Every function takes one state (one-dimensional arrays) or many (two-dimensional arrays, one row per state). Many states are distributed over all cores, or
over `threads`. Contiguous float64 arrays are used in place, and `out` avoids the allocation of a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import OptionError, UnreachableError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from . import _biela
    from .model import Model

    Array = NDArray[np.float64]


class Joint(NamedTuple):
    """The position of the coordinates of a joint."""

    name: str
    #: Its slice of q.
    positions: slice
    #: Its slice of v.
    velocities: slice


class Tree:
    """A model as a tree of links, returned by `model.tree()`."""

    def __init__(self, raw: _biela.Tree, source: tuple[Model, str]) -> None:
        self._raw = raw
        # the model and the digest of its text
        self._source = source
        #: Number of position coordinates.
        self.nq = raw.nq
        #: Number of velocity coordinates.
        self.nv = raw.nv
        #: The joints in the order of the coordinates; a free body is listed under its own name.
        self.joints = [
            Joint(name, slice(q, q + nq), slice(v, v + nv)) for name, q, nq, v, nv in raw.joints
        ]
        # bound methods of the compiled extension avoid the overhead of a Python call
        self.rnea = raw.rnea
        self.aba = raw.aba
        self.crba = raw.crba
        self.inverse_mass = raw.inverse_mass
        self.jacobian = raw.jacobian
        self.pose = raw.pose
        self.coriolis = raw.coriolis
        self.center_of_mass = raw.center_of_mass
        self.integrate = raw.integrate
        self.difference = raw.difference

    @property
    def frames(self) -> list[str]:
        """Bodies and their points: the names for `pose` and `jacobian`."""
        return self._raw.frames

    def neutral(self) -> Array:
        """Returns positions with every coordinate zero, and identity rotations."""
        q = np.zeros(self.nq)
        for joint in self.joints:
            size = joint.positions.stop - joint.positions.start
            freedom = joint.velocities.stop - joint.velocities.start
            if size > freedom:
                # the four Euler parameters are last
                q[joint.positions.stop - 4] = 1.0
        return q

    def rnea_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, threads: int | None = None
    ) -> tuple[Array, Array]:
        """Returns ∂τ/∂q and ∂τ/∂v of `rnea`; derivatives with respect to q are along the directions of the velocity coordinates."""
        both = self._raw.rnea_derivatives(q, v, a, None, threads)
        n = self.nv
        return both[..., :n], both[..., n:]

    def aba_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, threads: int | None = None
    ) -> tuple[Array, Array, Array]:
        """Returns ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂τ = M⁻¹ of `aba`."""
        all_three = self._raw.aba_derivatives(q, v, tau, None, threads)
        n = self.nv
        return all_three[..., :n], all_three[..., n : 2 * n], all_three[..., 2 * n :]

    def inverse_kinematics(
        self,
        target: ArrayLike,
        frame: str | None = None,
        *,
        direction: ArrayLike | None = None,
        start: ArrayLike | None = None,
        starts: int = 100,
        seed: int = 1,
    ) -> Array:
        """Returns positions q at which a frame reaches a target, within the limits of the joints; the inverse of `pose`.

        `target` is a point, or a matrix (4, 4) with point and orientation. With `direction` the z axis of the frame points there, and the rotation about it is
        free. `frame` is a body or a point of a body, by default the tool of `[robot]`. The search starts at `start`, by default the initial positions, then at
        `starts` random positions. `UnreachableError` names the distance of the closest pose and has its q.
        """
        q: Array = self._inverse(target, frame, direction, start, (starts, seed, 1))[0]
        return q

    def inverse_kinematics_all(
        self,
        target: ArrayLike,
        frame: str | None = None,
        *,
        most: int = 16,
        direction: ArrayLike | None = None,
        start: ArrayLike | None = None,
        starts: int = 100,
        seed: int = 1,
    ) -> Array:
        """Returns the distinct solutions that are found, one per row, those closest to `start` first; see `inverse_kinematics`."""
        return self._inverse(target, frame, direction, start, (starts, seed, max(most, 2)))[:most]

    def _inverse(
        self,
        target: ArrayLike,
        frame: str | None,
        direction: ArrayLike | None,
        start: ArrayLike | None,
        search: tuple[int, int, int],
    ) -> Array:
        goal = np.asarray(target, dtype=float)
        axes = 2 if self._raw.planar else 3
        wanted: Any
        if goal.shape == (4, 4):
            if direction is not None:
                raise ValueError("a matrix has an orientation already: give a point with direction")
            wanted = goal.tolist()
        elif goal.shape in ((axes,), (3,)):
            wanted = [*goal.tolist(), 0.0][:3]
            if direction is not None:
                wanted = (wanted, np.asarray(direction, dtype=float).tolist())
        else:
            raise ValueError(f"target has shape {goal.shape}; expected a point ({axes},) or a matrix (4, 4)")
        first = None if start is None else np.asarray(start, dtype=float)
        if first is not None and first.shape != (self.nq,):
            raise ValueError(f"start has shape {first.shape}; expected ({self.nq},)")
        answers = self._raw.inverse_kinematics(wanted, frame, None if first is None else first.tolist(), search)
        reached = [q for q, is_reached, *_ in answers if is_reached]
        if reached:
            return np.array(reached)
        q, _, distance, angle, beyond = answers[0]
        text = f"the target is not reached: the closest pose is {distance:.4g} m and {angle:.4g} rad from it"
        if beyond is not None:
            text += f"; the target is at least {beyond:.4g} m beyond the workspace"
        raise UnreachableError(text, np.array(q), distance, angle)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_read_again, self._source)

    def __copy__(self) -> Tree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        # a tree is immutable
        return self

    def __repr__(self) -> str:
        return f"<biela.Tree of {len(self.joints)} joints, {self.nv} degrees of freedom>"


def _read_again(model: Model, digest: str) -> Tree:
    """Creates the tree of a pickled model."""
    tree = model.tree()
    if tree._source[1] != digest:
        raise OptionError(f"{model!r}: an included file has changed since the tree was pickled; create the tree again with model.tree()")
    return tree
