"""The axis turns about the angular momentum at L/A; seen from the body the angular velocity turns about the axis at (1 - C/A) spin."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

A, C, spin, tilt = 0.5, 0.8, 7.0, np.radians(25)
L = C * spin / np.cos(tilt)
across = L * np.sin(tilt) / A
rows = []
for t in np.linspace(0, 5, 51):
    p = L / A * t
    # body cone: spin_x + i spin_y = -across exp(i (C - A)/A spin t)
    b = (C - A) / A * spin * t
    rows.append([t, np.sin(tilt) * np.cos(p), np.sin(tilt) * np.sin(p), np.cos(tilt), -across * np.cos(b), -across * np.sin(b), spin])
write(__file__, ["t", "top.tip.x", "top.tip.y", "top.tip.z", "top.spin_x", "top.spin_y", "top.spin_z"], rows)
