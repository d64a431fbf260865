"""Bricard's linkage on a cube: hinges 1, 3, 5 turn by a, hinges 2, 4, 6 by b, with (1 + sin a)(1 + sin b) = 1.

One degree of freedom: (a', b') = v t along the tangent t = ((1 + sin a) cos b, -(1 + sin b) cos a) of that curve, with the kinetic energy M v^2/2:
M v' = -v^2/2 dM - dV, derivatives along t by the complex step.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import integrate, write

AXES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
RODS = np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1], [-1, 0, 0], [0, 1, 0]], float)
ALONG, ACROSS, G = 0.02 / 12, 1.01 / 12, 9.81


def turn(axis, angle):
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def tangent(a, b):
    return (1 + np.sin(a)) * np.cos(b), -(1 + np.sin(b)) * np.cos(a)


def mechanics(a, b):
    """M, V and the end of the third rod."""
    t = tangent(a, b)
    pose, place = np.eye(3), np.zeros(3)
    spin, speed = np.zeros(3), np.zeros(3)
    M = V = 0
    for i, (axis, rod) in enumerate(zip(AXES, RODS)):
        spin = spin + pose @ axis * t[i % 2]
        pose = pose @ turn(axis, (a, b)[i % 2])
        r = pose @ rod
        v = speed + np.cross(spin, r / 2)
        body = pose.T @ spin
        M = M + v @ v + body @ ((ACROSS + (ALONG - ACROSS) * np.abs(rod)) * body)
        V = V + G * (place + r / 2)[1]
        place, speed = place + r, speed + np.cross(spin, r)
        if i == 2:
            end = place
    return M, V, end


def slope(_, y):
    a, b, v = y
    t = tangent(a, b)
    M, V, _ = mechanics(a + 1e-30j * t[0], b + 1e-30j * t[1])
    return [v * t[0], v * t[1], (-(v**2) / 2 * M.imag - V.imag) / 1e-30 / M.real]


times = np.linspace(0, 10, 201)
rows = []
for t, (a, b, _) in zip(times, integrate(slope, [0, 0, 0], times)):
    assert abs((1 + np.sin(a)) * (1 + np.sin(b)) - 1) < 1e-11
    rows.append([t, *mechanics(a, b)[2], a, b])
write(__file__, ["t", "rod3.end.x", "rod3.end.y", "rod3.end.z", "h1.angle", "h2.angle"], rows)
