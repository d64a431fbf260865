"""The text of a model built by calls, and the origin of each part of it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from . import toml
from .errors import AssemblyError, Error, ModelError


class Call(NamedTuple):
    """A call that added an element: the element, and the location in the user's program."""

    what: str
    where: str


class Text:
    """A text under construction: its lines, and the calls that wrote them."""

    def __init__(self, name: str, base: str = "") -> None:
        self.name = name
        self._lines = base.splitlines()
        self._calls: list[Call | None] = [None] * len(self._lines)

    def __copy__(self) -> Text:
        other = Text(self.name)
        other._lines, other._calls = list(self._lines), list(self._calls)
        return other

    def line(self, text: str, call: Call | None = None) -> None:
        """Adds a line."""
        self._lines.append(text)
        self._calls.append(call)

    def table(self, head: str, keys: dict[str, Any], call: Call) -> None:
        """Adds a table with its keys; those that are None are omitted."""
        if self._lines:
            self.line("", call)
        self.line(head, call)
        for key, value in keys.items():
            if value is not None:
                self.line(f"{toml.key(key)} = {toml.value(value)}", call)

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"

    def call(self, line: int) -> Call | None:
        """Returns the call behind a line, counted from one."""
        return self._calls[line - 1] if 0 < line <= len(self._calls) else None

    def explain(self, error: Error) -> None:
        """Replaces generated lines in an error by the calls of the user."""
        if isinstance(error, ModelError):
            for problem in error.diagnostics:
                call = self.call(problem.get("line", 0)) if problem.get("file") == self.name else None
                if call is not None:
                    problem["element"], problem["call"] = call
        if isinstance(error, (ModelError, AssemblyError)):
            error.args = (self._explained(str(error)), *error.args[1:])

    def _explained(self, text: str) -> str:
        place = re.compile(re.escape(self.name) + r":(\d+):\d+")
        lines, inside = [], False

        def named(found: re.Match[str]) -> str:
            call = self.call(int(found[1]))
            return found[0] if call is None else f"{call.where}, {call.what}"

        for line in text.splitlines():
            if place.search(line):
                line, before = place.sub(named, line), line
                inside = line != before
            elif not line.strip():
                inside = False
            elif inside:
                line = re.sub(r"^( *\d+)(?= \|)", lambda number: " " * len(number[0]), line)
            lines.append(line)
        return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def caller() -> str:
    """File and line of the user's program that called into this package."""
    frame = sys._getframe(1)
    here = __name__.partition(".")[0]
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == here:
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
