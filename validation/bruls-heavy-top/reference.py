"""The heavy top by its axis u and its angular momentum H about the tip: u' = (H x u)/A, H' = m g l (e_z x u) x ... without angles.

For a symmetric top H = A u x u' + C w u with C w constant, so that u' = H x u / A, and H' is the moment of the weight.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import integrate, write

m, g, l, A, C = 15.0, 9.81, 1.0, 0.234375 + 15.0, 0.46875
u0 = np.array([0.0, 1.0, 0.0])
H0 = np.array([0.0, C * 150.0, -A * 4.61538])
weight = np.array([0, 0, -m * g])


def slope(_, y):
    u, H = y[:3], y[3:]
    return np.concatenate([np.cross(H, u) / A, np.cross(l * u, weight)])


times = np.linspace(0, 2, 101)
rows = []
for t, y in zip(times, integrate(slope, np.concatenate([u0, H0]), times)):
    u, H = y[:3], y[3:]
    v = np.cross(H, u) / A
    acc = np.cross(np.cross(l * u, weight), u) / A + np.cross(H, v) / A
    rows.append([t, *(l * u), H @ u / C, *(m * l * acc - weight)])
write(__file__, ["t", "top.centre.x", "top.centre.y", "top.centre.z", "top.spin_y", "tip.reaction.fx", "tip.reaction.fy", "tip.reaction.fz"], rows)
