"""One universal joint: w2 = w cos(b)/(1 - sin(b)^2 cos(a)^2) with the first fork across the bend at a = 0; two in one plane cancel."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

b, w = np.radians(30), 10.0
rows = []
for t in np.linspace(0, 1, 101):
    a = w * t
    # the first arm of the cross starts along the normal of the plane of the shafts, where the second shaft is slowest
    rows.append([t, a, a, w, w * np.cos(b) / (1 - np.sin(b) ** 2 * np.sin(a) ** 2), 0])
write(__file__, ["t", "in.angle", "out.angle", "out.angle_rate", "second.spin_x", "out.position"], rows)
