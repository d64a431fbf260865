"""The stiff flyball governor: shaft angle, angle b of both arms below the horizontal, height s of the base.

The angular momentum h about the shaft is kept, so that two equations are left, with the tension T and the length d of a coupler:

    K b'' = w^2/2 dJ/db + weight - 2 T dd/db        m s'' = -m g - 2 T dd/ds        w = h/J(b)
"""

import pathlib
import sys

import numpy as np
from scipy.integrate import solve_ivp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

g, ball, density = 9.81, 5.0, 3000.0
rod, block = density * 1e-4, density * 1e-3
along, across = rod * 2e-4 / 12, rod * 1.0001 / 12
k, c, free, pivot = 8e5, 4e4, 0.5, 0.05


def moment(b):
    """J about the shaft and its derivative: two rods and balls, the shaft, the base."""
    C, S = np.cos(b), np.sin(b)
    J = 2 * (rod * (pivot + C / 2) ** 2 + across * C**2 + along * S**2 + ball * (pivot + C) ** 2) + along + block * 0.02 / 12
    dJ = 2 * (-rod * (pivot + C / 2) * S + 2 * (along - across) * C * S - 2 * ball * (pivot + C) * S)
    return J, dJ


h = moment(np.pi / 6)[0] * 2 * np.pi
K = 2 * (rod / 4 + across + ball)


def slope(_, y):
    b, s, db, ds, _ = y
    J, dJ = moment(b)
    w = h / J
    # from the base to the middle of a rod: cos(b)/2 outwards, 1 - sin(b)/2 - s upwards
    out, up = np.cos(b) / 2, 1 - np.sin(b) / 2 - s
    length = np.hypot(out, up)
    length_b = (-out * np.sin(b) / 2 - up * np.cos(b) / 2) / length
    length_s = -up / length
    tension = k * (length - free) + c * (length_b * db + length_s * ds)
    weight = 2 * g * (rod / 2 + ball) * np.cos(b)  # turns the arms down
    return [db, ds, (w**2 / 2 * dJ + weight - 2 * tension * length_b) / K, -g - 2 * tension * length_s / block, w]


times = np.linspace(0, 10, 201)
# nothing depends on the last unknown, which the differences of the solver do not expect
with np.errstate(over="ignore"):
    run = solve_ivp(slope, (0, 10), [np.pi / 6, 0.5, 0, 0, 0], method="Radau", rtol=1e-11, atol=1e-13, t_eval=times)
assert run.success
rows = []
for t, (b, s, _, _, turn) in zip(times, run.y.T):
    rows.append([t, s, b, b, turn, h / moment(b)[0]])
write(__file__, ["t", "slide.position", "right_arm.angle", "left_arm.angle", "bearing.angle", "bearing.rate"], rows, digits=12)
