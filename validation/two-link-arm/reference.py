"""The two-link arm in closed form: M(q) q'' + c(q, q') + g(q), as in every textbook of robotics."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

g, m1, m2, l1, c1, c2, J1, J2 = 9.81, 4.0, 2.5, 0.5, 0.22, 0.18, 0.09, 0.04
rows = []
for t in np.linspace(0, 2, 51):
    q = 0.3 + 0.8 * np.sin(3 * t), 0.9 - 1.1 * np.sin(5 * t)
    v = 2.4 * np.cos(3 * t), -5.5 * np.cos(5 * t)
    a = -7.2 * np.sin(3 * t), 27.5 * np.sin(5 * t)
    h = m2 * l1 * c2
    C, S = np.cos(q[1]), np.sin(q[1])
    m22 = J2 + m2 * c2**2
    m12 = m22 + h * C
    m11 = J1 + m1 * c1**2 + m2 * l1**2 + m22 + 2 * h * C
    g2 = m2 * g * c2 * np.cos(q[0] + q[1])
    g1 = (m1 * c1 + m2 * l1) * g * np.cos(q[0]) + g2
    rows.append([t, m11 * a[0] + m12 * a[1] - h * S * (2 * v[0] * v[1] + v[1] ** 2) + g1, m12 * a[0] + m22 * a[1] + h * S * v[0] ** 2 + g2])
write(__file__, ["t", "motor1.effort", "motor2.effort"], rows)
