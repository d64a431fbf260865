"""A straight flight, seen from a frame that turns at W about z: x + i y = exp(-i W t) (z0 + (v0 + i W z0) t)."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

g, W, z0, v0, up = 9.81, 1.3, 1.0, 2 + 0.5j, 8.0
rows = []
for t in np.linspace(0, 3, 61):
    z = np.exp(-1j * W * t) * (z0 + (v0 + 1j * W * z0) * t)
    rows.append([t, z.real, z.imag, up * t - g * t * t / 2])
write(__file__, ["t", "stone.x", "stone.y", "stone.z"], rows)
