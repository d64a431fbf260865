"""Steady precession of a heavy top: A W^2 cos(lean) - C w W + m g h = 0, and the force that keeps its mass centre on a circle."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

g, m, h, A, C, lean, spin = 9.81, 1.2, 0.08, 0.003, 0.002, np.radians(40), 150.0
A1 = A + m * h * h
roots = np.sort(np.roots([A1 * np.cos(lean), -C * spin, m * g * h]))
rows = []
for t in np.linspace(0, 1, 51):
    row, forces = [t], []
    for W in roots:
        row += [np.sin(lean) * np.cos(W * t), np.sin(lean) * np.sin(W * t), np.cos(lean)]
        pull = -m * W * W * h * np.sin(lean)
        forces += [pull * np.cos(W * t), pull * np.sin(W * t), m * g]
    rows.append(row + forces)
names = [f"{top}.end.{c}" for top in ("slow_top", "fast_top") for c in "xyz"]
names += [f"tip{i}.reaction.f{c}" for i in (1, 2) for c in "xyz"]
write(__file__, ["t", *names], rows)
