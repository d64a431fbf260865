"""A thin disc that rolls without slip: the vertical u and the angular velocity w, both in body axes, are six coordinates without constraints.

The contact point at rho from the centre is at rest, v = rho x w. The balance of momentum gives the force F there, and that of
angular momentum, I w' + w x I w = rho x F, the angular acceleration.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from reference_tools import integrate, write

m, a, g, tilt, share = 0.44, 0.038, 9.81, np.radians(20), 0.8
inertia = m * a**2 * np.diag([0.25, 0.25, 0.5])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def slope(t, y):
    u, w = y[:3], y[3:]
    up = -np.cross(w, u)
    flat, flat_rate = u * [1, 1, 0], up * [1, 1, 0]
    size = np.sqrt(flat @ flat)
    rho = -a * flat / size
    rho_rate = -a * flat_rate / size + a * flat * (flat @ flat_rate) / size**3
    v = np.cross(rho, w)
    known = m * (np.cross(rho_rate, w) + np.cross(w, v) + g * u)
    torque = np.cross(rho, known) - np.cross(w, inertia @ w)
    return np.concatenate([up, np.linalg.solve(inertia - m * cross(rho) @ cross(rho), torque)])


steady = np.sqrt(4 * g / (a * np.sin(tilt)))
start = [0, np.sin(tilt), np.cos(tilt), 0, share * steady * np.sin(tilt), 0]
times = np.arange(0, 1.01, 0.05)
rows = integrate(slope, start, times)
u, w = rows[:, :3], rows[:, 3:]
write(__file__, ["t", "disc.z", "disc.omega_z", "disc.spin_x", "disc.spin_y", "disc.spin_z"], np.column_stack([times, a * np.hypot(u[:, 0], u[:, 1]), np.sum(u * w, axis=1), w]))
