"""A progress bar."""

from __future__ import annotations

import sys
from typing import TextIO

WIDTH = 24


class Bar:
    """Rewrites a line on the terminal; removes it at the end."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file if file is not None else sys.stderr
        self._shown = 0

    def __call__(self, time: float, end: float, elapsed: float) -> None:
        share = min(max(time / end, 0.0), 1.0) if end > 0 else 0.0
        left = elapsed * (1 - share) / share if share > 0 else float("inf")
        bar = "━" * round(share * WIDTH)
        line = f"{bar:─<{WIDTH}} {100 * share:3.0f}%  t {time:.2f}/{end:.6g} s  {left:.0f} s left"
        self._file.write("\r" + line.ljust(self._shown))
        self._file.flush()
        self._shown = len(line)

    def close(self) -> None:
        """Removes the line."""
        if self._shown:
            self._file.write("\r" + " " * self._shown + "\r")
            self._file.flush()
