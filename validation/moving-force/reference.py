"""A force that runs over a beam on two supports (A. N. Krylov 1905, S. P. Timoshenko 1911): each mode is an oscillator driven by sin(n pi x(t)/L)."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

P, v, start = 1e-3, 0.6, 0.05
rows = []
for t in np.linspace(0, 1.5, 61):
    y = 0.0
    for n in range(1, 60):
        w, W, p = (n * np.pi) ** 2, n * np.pi * v, n * np.pi * start
        swing = np.sin(W * t + p) - np.sin(p) * np.cos(w * t) - W / w * np.cos(p) * np.sin(w * t)
        y -= 2 * P / (w * w - W * W) * swing * np.sin(n * np.pi / 2)
    rows.append([t, y])
write(__file__, ["t", "beam.mid.y"], rows)
