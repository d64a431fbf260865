"""The heavy top of examples/spatial/heavy-top let go without precession, in its axis and its angular momentum.

Ḣ = l a × (−m g z),  a' = w × a,  w = (H − (H·a) a)/It + (H·a)/Ia a
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import integrate, write

G, M, ARM = 9.81, 0.5, 0.060
IA = 5.0e-4
IT = 3.0e-4 + M * ARM**2
SPIN, TILT = 1500 * 2 * np.pi / 60, np.radians(30.0)


def f(_, y):
    a, h = y[:3], y[3:]
    along = h @ a
    w = (h - along * a) / IT + along / IA * a
    return np.concatenate([np.cross(w, a), ARM * np.cross(a, [0, 0, -M * G])])


axis = np.array([np.sin(TILT), 0.0, np.cos(TILT)])
times = np.linspace(0.0, 3.0, 61)
y = integrate(f, np.concatenate([axis, IA * SPIN * axis]), times)
spin = np.einsum("ij,ij->i", y[:, :3], y[:, 3:]) / IA
names = ["t", "top.centre.x", "top.centre.y", "top.centre.z", "top.spin_z", "system.angular_momentum_z"]
write(__file__, names, np.column_stack([times, ARM * y[:, :3], spin, y[:, 5]]))
