"""Python functions called by a model."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Given = tuple[str, Callable[..., Any], int | None, str | None, bool]
Law = tuple[str, Callable[..., Any], list[int | None] | None]


class Function(NamedTuple):
    """A function for the formulas of a model, with its declaration.

    `unit` is the SI unit of its value; without it the value is compatible with any dimension. With `derivatives` the function has one argument and returns
    value, first and second derivative, as required for the motion of a driver.
    """

    call: Callable[..., Any]
    unit: str | None = None
    derivatives: bool = False

    def given(self, name: str) -> Given:
        """The form for the compiled extension."""
        return (name, self.call, 1 if self.derivatives else _arguments(self.call), self.unit, self.derivatives)


def _arguments(call: Callable[..., Any]) -> int | None:
    """The number of arguments of a function; None if it is variable or unknown."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL or p.default is not p.empty for p in parameters):
        return None
    return sum(p.kind in positional for p in parameters)


class Shipped:
    """A function as bytes of cloudpickle, which can send functions that have no name in a module."""

    def __init__(self, written: bytes) -> None:
        self._written = written

    def call(self) -> Callable[..., Any]:
        """The function."""
        return _cloudpickle().loads(self._written)  # type: ignore[no-any-return]


def _cloudpickle() -> Any:
    import cloudpickle

    return cloudpickle


def packed(what: str, call: Callable[..., Any]) -> Callable[..., Any] | Shipped:
    """A function in a form that `pickle` accepts; raises an error that names the function if there is none."""
    try:
        pickle.dumps(call)
        return call
    except Exception as cause:
        try:
            return Shipped(_cloudpickle().dumps(call))
        except ImportError:
            raise pickle.PicklingError(
                f"{what} cannot be pickled: {cause}. Define it with `def` at the top level of a module that the other process can import, "
                "or install cloudpickle, which sends lambdas and nested functions"
            ) from cause
        except Exception as other:
            raise pickle.PicklingError(f"{what} cannot be pickled: {other}") from other


def unpacked(call: Callable[..., Any] | Shipped) -> Callable[..., Any]:
    """The function that was packed."""
    return call.call() if isinstance(call, Shipped) else call


def given(functions: Mapping[str, Callable[..., Any] | Function] | None) -> list[Given]:
    """Functions in the form for the compiled extension."""
    listed = (functions or {}).items()
    return [(f if isinstance(f, Function) else Function(f)).given(name) for name, f in listed]


def ordered(name: str, law: Callable[..., Any], inputs: list[str]) -> list[str]:
    """The inputs of a controller in the order of the arguments of its law, which follow the time."""
    try:
        parameters = list(inspect.signature(law).parameters.values())
    except (TypeError, ValueError):
        return inputs
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return inputs
    names = [p.name for p in parameters if p.default is p.empty][1:]
    if sorted(names) != sorted(inputs):
        raise ValueError(
            f"controller `{name}`: the arguments of the law are the time and {', '.join(names) or 'nothing else'}; "
            f"its inputs are {', '.join(inputs) or 'none'}"
        )
    return names
