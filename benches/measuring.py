"""The table of a benchmark in Python: measured values, their requirements, and times of functions that run in turn."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable


class Report:
    """Prints values immediately and collects the requirements that are not met. With `--json` each value is an object in a line."""

    def __init__(self, group: str) -> None:
        self.group = group
        self.missed: list[str] = []

    def value(self, name: str, value: float, unit: str, limit: str = "", met: bool = True, spread: tuple[float, float] | None = None) -> None:
        """Prints a value, with the smallest and largest of its repetitions as `spread`."""
        if not met:
            self.missed.append(name)
        if "--json" in sys.argv:
            fields = {"name": f"{self.group}/{name}", "value": value, "unit": unit, "limit": limit, "kept": met}
            print(json.dumps(fields | ({"spread": spread} if spread else {})))
            return
        between = f"{spread[0]:.4g} to {spread[1]:.4g}" if spread else ""
        print(f"{name:<28} {value:10.4g} {unit:<8} {between:<24} {limit}{'' if met else '  MISSED'}".rstrip())

    def finish(self) -> None:
        """Exits with an error if a requirement is missed."""
        if self.missed:
            sys.exit(f"missed: {', '.join(self.missed)}")


def in_turn(calls: dict[str, Callable[[], object]], repetitions: int) -> dict[str, list[float]]:
    """Processor times of the process in s for each function. The functions run in turn, so that the load of the machine affects all of them alike."""
    for call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repetitions):
        for name, call in calls.items():
            start = time.process_time()
            call()
            times[name].append(time.process_time() - start)
    return times


def median(times: list[float]) -> float:
    """The median of repetitions."""
    return statistics.median(times)
