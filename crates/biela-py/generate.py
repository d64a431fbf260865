"""Writes `python/biela/elements.py` from the lists of the model language: `python generate.py`, with the package installed."""

from __future__ import annotations

import keyword
import textwrap
from pathlib import Path
from typing import Any

from biela import _biela

FILE = Path(__file__).parent / "python" / "biela" / "elements.py"

HEAD = '''"""Methods that add elements to a model, one a kind; written by `generate.py` from the lists of the model language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Quantity = float | str
Quantities = Sequence[Quantity]


class Elements:
    """What can be added to a model. Arguments are the keys of the model language; numbers are SI, texts carry units or formulas."""

    def _add(self, table: str, keys: dict[str, Any]) -> None:
        raise NotImplementedError

    def _put(self, table: str, keys: dict[str, Any]) -> None:
        raise NotImplementedError
'''

TYPES = {
    "quantity": "Quantity",
    "quantities": "Quantities",
    "one-or-more": "Quantity | Quantities",
    "rows": "Sequence[Quantities]",
    "whole": "int",
    "flag": "bool",
    "text": "str",
    "texts": "Sequence[str]",
    "lists": "Sequence[Sequence[str]]",
    "table": "Mapping[str, Any]",
    "tables": "Sequence[Mapping[str, Any]]",
    "chosen": "str | Mapping[str, Any]",
    "any": "Any",
}


def python_name(word: str) -> str:
    name = word.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def method(name: str, table: str, keys: list[dict[str, Any]], doc: str, fixed: dict[str, str], many: bool) -> str:
    """A method that adds an element; the first key goes by position, the others by name."""
    seen: dict[str, dict[str, Any]] = {}
    for key in keys:
        if key["name"] not in fixed:
            seen.setdefault(key["name"], key)
    words = list(seen.values())
    needed = [word for word in words if word["required"]]
    free = [word for word in words if not word["required"]]
    arguments = []
    if needed and needed[0]["name"] == "name":
        arguments.append("name: str")
        needed = needed[1:]
    arguments.append("*")
    arguments += [f"{python_name(w['name'])}: {TYPES[w['form']]}" for w in needed]
    arguments += [f"{python_name(w['name'])}: {TYPES[w['form']]} | None = None" for w in free]
    if arguments[-1] == "*":
        arguments.pop()
    lines = [f"    def {python_name(name)}(", "        self,"]
    lines += [f"        {argument}," for argument in arguments]
    lines += ["    ) -> None:"]
    # words of the lists are data, and may not end the text
    lines += textwrap.wrap(f'"""{doc}', 116, initial_indent=" " * 8, subsequent_indent=" " * 8)
    told = [w for w in words if w["name"] != "name"]
    if told:
        lines.append("")
    for word in told:
        unit = f" ({word['unit']})" if word["unit"] else ""
        lines += textwrap.wrap(
            f"{python_name(word['name'])}{unit}: {word['doc']}", 116, initial_indent=" " * 8, subsequent_indent=" " * 12
        )
    lines.append('        """')
    act = "_add" if many else "_put"
    lines += [f'        self.{act}("{table}", {{']
    lines += [f'            "{word}": "{value}",' for word, value in fixed.items()]
    lines += [f'            "{w["name"]}": {python_name(w["name"])},' for w in words]
    lines += ["        })"]
    return "\n".join(lines) + "\n"


def method_name(kind: str, table: str, taken: set[str]) -> str:
    """The method of a kind; its family comes behind where the name is taken already."""
    name = python_name(kind)
    return f"{name}_{table}" if name in taken else name


def sentence(text: str) -> str:
    text = text.strip().replace("\\", "\\\\")
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def source() -> str:
    """The whole file."""
    parts = [HEAD]
    taken: set[str] = set()
    families = _biela.words()["families"]
    for family in families:
        keys = list(family["keys"])
        others: dict[str, dict[str, Any]] = {}
        for kind in family["kinds"]:
            for key in kind["keys"]:
                others.setdefault(key["name"], {**key, "required": False})
        kinds = [kind["name"] for kind in family["kinds"]]
        listed = f" Its type is one of {', '.join(kinds)}." if kinds else ""
        doc = sentence(family["doc"]) + listed
        name = family["table"]
        taken.add(python_name(name))
        parts.append(method(name, family["table"], keys + list(others.values()), doc, {}, family["many"]))
    for family in families:
        if family["table"] not in ("joint", "force", "coupler"):
            continue
        for kind in family["kinds"]:
            name = method_name(kind["name"], family["table"], taken)
            taken.add(name)
            keys = list(family["keys"]) + list(kind["keys"])
            doc = sentence(kind["summary"] or f"a {family['table']} of type {kind['name']}")
            parts.append(method(name, family["table"], keys, doc, {"type": kind["name"]}, True))
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
