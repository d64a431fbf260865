"""Components of a model that is built in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from . import toml
from .elements import Elements

Quantity = float | str
#: Adds a table to the text of the model: its header, the word for messages, and its keys.
Write = Callable[[str, str, dict[str, Any]], None]


class Component(Elements):
    """A part of a model that is defined once: its methods add elements to the component, as those of a model do.

    `Model.component` makes one, and `Model.instance` uses it.
    """

    def __init__(self, write: Write, header: str) -> None:
        self._write = write
        self._header = header

    def _add(self, table: str, keys: dict[str, Any]) -> None:
        self._write(f"[[{self._header}.{table}]]", table, keys)

    def _put(self, table: str, keys: dict[str, Any]) -> None:
        self._write(f"[{self._header}.{table}]", table, keys)

    def table(self, name: str, *, x: Sequence[Quantity], y: Sequence[Quantity], **more: str) -> None:
        """Adds a tabulated function of the component; `more` are x_unit, y_unit, interpolation and outside."""
        self._write(f"[{self._header}.table.{toml.key(name)}]", "table", {"x": x, "y": y, **more})

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
        """Defines a component that only this one can use; the arguments are those of `Model.component`."""
        inner = f"{self._header}.component.{toml.key(name)}"
        return component(
            self._write,
            inner,
            ports=ports,
            parameters=parameters,
            points=points,
            description=description,
            file=file,
        )


def component(write: Write, header: str, **keys: Any) -> Component:
    """Writes the header of a component; returns the component."""
    write(f"[{header}]", "component", keys)
    return Component(write, header)
