"""Conversion of Python values to text of the model language."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def key(name: str) -> str:
    """A key, quoted if necessary."""
    return name if _BARE.fullmatch(name) else text(name)


def text(value: str) -> str:
    """A quoted string."""

    def escaped(letter: str) -> str:
        if letter in _ESCAPES:
            return _ESCAPES[letter]
        return f"\\u{ord(letter):04x}" if ord(letter) < 0x20 or ord(letter) == 0x7F else letter

    return '"' + "".join(map(escaped, value)) + '"'


def value(given: Any) -> str:
    """A value; raises TypeError for a type that the language does not support."""
    if isinstance(given, (bool, np.bool_)):
        return "true" if given else "false"
    if isinstance(given, str):
        return text(given)
    if isinstance(given, os.PathLike):
        return text(os.fspath(given))
    if isinstance(given, (int, np.integer)):
        return str(int(given))
    if isinstance(given, (float, np.floating)):
        return repr(float(given))
    if isinstance(given, np.ndarray):
        return value(given.tolist())
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{key(str(k))} = {value(v)}" for k, v in given.items() if v is not None) + " }"
    if isinstance(given, (list, tuple)):
        return "[" + ", ".join(map(value, given)) + "]"
    raise TypeError(f"a value of type {type(given).__name__} cannot be written in a model: {given!r}")
