"""Speed along the edge u' = g sin(slope) cos(w t), so u = g sin(slope) sin(w t)/w; x and y by integration."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

pull, w = 9.81 * np.sin(np.radians(20)), 2.0
rows = []
for t in np.linspace(0, 6, 61):
    c = pull / (2 * w * w)
    rows.append([t, c * np.sin(w * t) ** 2, c * (w * t - np.sin(2 * w * t) / 2), w * t])
write(__file__, ["t", "skate.x", "skate.y", "skate.angle"], rows)
