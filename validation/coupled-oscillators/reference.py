"""Sum and difference of the displacements swing on their own, at sqrt(k/m) and sqrt((k + 2 weak)/m)."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

m, k, weak, x0 = 1.0, 100.0, 4.0, 0.1
slow, fast = np.sqrt(k / m), np.sqrt((k + 2 * weak) / m)
rows = []
for t in np.linspace(0, 20, 101):
    a = x0 / 2 * (np.cos(slow * t) + np.cos(fast * t))
    b = x0 / 2 * (np.cos(slow * t) - np.cos(fast * t))
    rows.append([t, a, b, weak * (b - a)])
write(__file__, ["t", "xa.position", "xb.position", "coupling.tension"], rows)
