"""Algorithms in joint coordinates on numpy arrays: one state, or many states on all cores.

Every function takes one state (one-dimensional arrays) or many (two-dimensional arrays, one row per state). Many states are distributed over all cores, or
over `threads`. Contiguous float64 arrays are used in place, and `out` avoids the allocation of a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import OptionError

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
