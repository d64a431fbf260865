"""Runs the Python code of a page: every block marked `python,package`, in order, in a folder with the files of the page.

    python documents.py PAGE...        pages from the root of the repository
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def play(page: str) -> int:
    """Runs a page and returns the number of its blocks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    played = 0
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        os.chdir(folder)
        try:
            for match in BLOCK.finditer(text):
                language, *marks = match[1].split(",")
                for mark in marks:
                    if mark.startswith("file="):
                        Path(mark.removeprefix("file=")).write_text(match[2], encoding="utf-8")
                if language == "python" and "package" in marks:
                    line = text.count("\n", 0, match.start()) + 1
                    code = "\n" * line + match[2]
                    exec(compile(code, page, "exec"), names)
                    played += 1
        finally:
            os.chdir(here)
    return played


if __name__ == "__main__":
    for page in sys.argv[1:]:
        if not play(page):
            sys.exit(f"{page} has no Python block")
