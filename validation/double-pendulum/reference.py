"""The double pendulum of examples/basics/double-pendulum in its two absolute angles (Lagrange's equations)."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import bar, integrate, write

G, LENGTH = 9.81, 0.4
rod = bar(2700.0, 0.010, [0, 0, 0], [0, -LENGTH, 0])
m, d, inertia = rod.mass, LENGTH / 2, rod.inertia[2, 2]


def f(_, y):
    a, b, wa, wb = y
    # T = ½ (I + m d² + m L²) ȧ² + ½ (I + m d²) ḃ² + m L d cos(a − b) ȧ ḃ,   V = −m g (d + L) cos a − m g d cos b
    couple = m * LENGTH * d
    mass = np.array(
        [
            [inertia + m * d**2 + m * LENGTH**2, couple * np.cos(a - b)],
            [couple * np.cos(a - b), inertia + m * d**2],
        ]
    )
    force = np.array(
        [
            -couple * np.sin(a - b) * wb**2 - m * G * (d + LENGTH) * np.sin(a),
            couple * np.sin(a - b) * wa**2 - m * G * d * np.sin(b),
        ]
    )
    return np.concatenate([[wa, wb], np.linalg.solve(mass, force)])


start = np.radians(120.0)
times = np.linspace(0.0, 5.0, 51)
y = integrate(f, [start, start - np.radians(30.0), 0.0, 0.0], times)
a, b, wa, wb = y.T
tip_x = LENGTH * (np.sin(a) + np.sin(b))
tip_y = -LENGTH * (np.cos(a) + np.cos(b))
names = ["t", "shoulder.angle", "elbow.angle", "shoulder.rate", "elbow.rate", "lower.tip.x", "lower.tip.y"]
write(__file__, names, np.column_stack([times, a, b - a, wa, wb - wa, tip_x, tip_y]))
