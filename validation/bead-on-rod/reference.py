"""r = r0 cosh(W t); the rod pushes with 2 m W r', the motor turns with the moment of that."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

m, W, r0 = 0.4, 3.0, 0.05
rows = []
for t in np.linspace(0, 1.5, 31):
    r, v = r0 * np.cosh(W * t), r0 * W * np.sinh(W * t)
    energy = m * (v * v + W * W * r * r) / 2
    rows.append([t, r, v, 2 * m * W * v, 2 * m * W * v * r, energy - m * W * W * r0 * r0 / 2])
write(__file__, ["t", "slide.position", "slide.rate", "slide.reaction.fy", "motor.effort", "motor.work"], rows)
