"""A rattleback that rolls without slip: the vertical u and the angular velocity w, both in body axes, are six coordinates without constraints.

The contact point at rho from the mass centre is at rest, v = rho x w. The balance of momentum gives the force F there, and that of
angular momentum, I w' + w x I w = rho x F, the angular acceleration.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import integrate, write

m, g, low, tilt, spin = 1.0, 9.81, 0.01, np.radians(2), -5.0
squares = np.array([0.2, 0.03, 0.02]) ** 2
inertia = np.array([[2e-4, -2e-5, 0], [-2e-5, 1.6e-3, 0], [0, 0, 1.7e-3]])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def slope(t, y):
    u, w = y[:3], y[3:]
    up = -np.cross(w, u)
    size = np.sqrt(squares @ u**2)
    rho = -squares * u / size + [0, 0, low]
    rho_rate = -squares * up / size + squares * u * (squares @ (u * up)) / size**3
    v = np.cross(rho, w)
    known = m * (np.cross(rho_rate, w) + np.cross(w, v) + g * u)
    torque = np.cross(rho, known) - np.cross(w, inertia @ w)
    return np.concatenate([up, np.linalg.solve(inertia - m * cross(rho) @ cross(rho), torque)])


start = np.array([0, np.sin(tilt), np.cos(tilt)])
times = np.arange(0, 8.01, 0.1)
rows = integrate(slope, np.concatenate([start, spin * start]), times)
# the angular velocity about the vertical, and about the body axes
write(__file__, ["t", "stone.omega_z", "stone.spin_x", "stone.spin_y", "stone.spin_z"], np.column_stack([times, np.sum(rows[:, :3] * rows[:, 3:], axis=1), rows[:, 3:]]))
