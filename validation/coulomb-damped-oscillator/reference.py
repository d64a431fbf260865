"""Half swings about +-mu m g/k, each 2 mu m g/k shorter; the work of friction is its force times the way gone."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

g, m, k, mu, x0 = 9.81, 1.0, 40.0, 0.04, 0.2
w, off = np.sqrt(k / m), mu * m * g / k
rows = []
for t in np.linspace(0, 4, 201):
    n = int(t * w // np.pi)  # half swings that are over
    size = x0 - (2 * n + 1) * off  # of this one, about its own middle
    x = (size * np.cos(w * t - n * np.pi) + off) * (-1) ** n
    gone = sum(2 * (x0 - (2 * i + 1) * off) for i in range(n)) + size * (1 - np.cos(w * t - n * np.pi))
    rows.append([t, x, -mu * m * g * gone])
write(__file__, ["t", "track.position", "rubbing.work"], rows)
