"""Python functions that a model calls."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Given = tuple[str, Callable[..., Any], int | None, str | None, bool]
Law = tuple[str, Callable[..., Any], list[int | None] | None]


class Function(NamedTuple):
    """A function for the formulas of a model, with what a formula has to know of it.

    `unit` is the SI unit of its value; without it the value fits everywhere. With `derivatives` the function has one argument and gives
    value, first and second derivative, as the motion of a driver needs them.
    """

    call: Callable[..., Any]
    unit: str | None = None
    derivatives: bool = False

    def given(self, name: str) -> Given:
        """As the compiled half takes it."""
        return (name, self.call, 1 if self.derivatives else _arguments(self.call), self.unit, self.derivatives)


def _arguments(call: Callable[..., Any]) -> int | None:
    """How many arguments a function takes; None when any number will do or nobody can tell."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL or p.default is not p.empty for p in parameters):
        return None
    return sum(p.kind in positional for p in parameters)


def given(functions: Mapping[str, Callable[..., Any] | Function] | None) -> list[Given]:
    """Functions as the compiled half takes them."""
    listed = (functions or {}).items()
    return [(f if isinstance(f, Function) else Function(f)).given(name) for name, f in listed]


def ordered(name: str, law: Callable[..., Any], inputs: list[str]) -> list[str]:
    """The inputs of a controller in the order of its law's arguments, which come after the time."""
    try:
        parameters = list(inspect.signature(law).parameters.values())
    except (TypeError, ValueError):
        return inputs
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return inputs
    names = [p.name for p in parameters if p.default is p.empty][1:]
    if sorted(names) != sorted(inputs):
        raise ValueError(
            f"controller `{name}`: the law takes the time and {', '.join(names) or 'nothing'}; "
            f"its inputs are {', '.join(inputs) or 'none'}"
        )
    return names
