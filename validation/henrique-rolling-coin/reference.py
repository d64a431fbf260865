"""A rolling coin by Kane's equations in (u1, u2, u3), thin uniform disc on a fixed plane.

(5/4) u1' = ¼ u2² tanθ − (3/2) u2 u3 − (g/r) sinθ,   u2' = −u1 u2 tanθ + 2 u1 u3,   (3/2) u3' = u1 u2
θ' = −u1,   φ' = u2/cosθ,   V_G = r (u1 n3 − u3 n1)
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import integrate, write

R, G = 0.5, 9.8


def frame(theta, phi):
    n1 = np.array([np.cos(phi), np.sin(phi), 0.0])
    n2 = np.array([-np.sin(theta) * np.sin(phi), np.sin(theta) * np.cos(phi), np.cos(theta)])
    n3 = np.array([np.cos(theta) * np.sin(phi), -np.cos(theta) * np.cos(phi), np.sin(theta)])
    return n1, n2, n3


def f(_, y):
    theta, phi, _, _, u1, u2, u3 = y
    n1, _, n3 = frame(theta, phi)
    v = R * (u1 * n3 - u3 * n1)
    tan = np.tan(theta)
    return [
        -u1,
        u2 / np.cos(theta),
        v[0],
        v[1],
        (0.25 * u2**2 * tan - 1.5 * u2 * u3 - G / R * np.sin(theta)) / 1.25,
        -u1 * u2 * tan + 2 * u1 * u3,
        u1 * u2 / 1.5,
    ]


times = np.linspace(0.0, 2.0, 41)
y = integrate(f, [np.radians(10.0), 0.0, 0.0, 0.0, 0.0, 1.0, -8.0], times)
rows = []
for t, (theta, phi, x, yg, u1, u2, u3) in zip(times, y):
    w = sum(u * n for u, n in zip((u1, u2, u3), frame(theta, phi)))
    rows.append([t, x, yg, R * np.cos(theta), u3, *w])
names = ["t", "disc.x", "disc.y", "disc.z", "disc.spin_z", "disc.omega_x", "disc.omega_y", "disc.omega_z"]
write(__file__, names, rows)
