"""The four-bar linkage of examples/mechanisms/four-bar as one equation in the crank angle.

J(θ) θ̈ + ½ J'(θ) θ̇² + V'(θ) = 0, with the loop closed by the meeting of two circles.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Jet, bar, first, integrate, round_solid, second, value, write

G, STEEL = 9.81, 7850.0
A, B, C, D = 0.120, 0.350, 0.250, 0.350
crank = bar(STEEL, 0.008, [0, 0, 0], [A, 0, 0]) + round_solid(STEEL, 0.080, 0.0, [0, 0, -0.0075], [0, 0, 0.0075])
coupler = bar(STEEL, 0.008, [0, 0, 0], [B, 0, 0]) + bar(STEEL, 0.005, [B / 2, 0, 0], [B / 2, 0.120, 0])
rocker = bar(STEEL, 0.008, [0, 0, 0], [C, 0, 0])


def place(theta):
    """Unit vectors along crank, coupler and rocker, and the crank pin, as jets of the crank angle."""
    t = Jet(theta, 1.0)
    u = [t.cos(), t.sin()]
    pin = [A * u[0], A * u[1]]
    # from the crank pin to the rocker pivot; B is on the left of that line
    s = [D - pin[0], -1 * pin[1]]
    q = s[0] * s[0] + s[1] * s[1]
    along = (q + (B**2 - C**2)) / (2 * q)
    across = (B**2 / q - along * along).sqrt()
    to_b = [along * s[0] - across * s[1], along * s[1] + across * s[0]]
    v = [to_b[0] / B, to_b[1] / B]
    w = [(to_b[0] - s[0]) / C, (to_b[1] - s[1]) / C]
    return u, v, w, pin


def point(origin, axis, at):
    return [origin[0] + axis[0] * at[0] - axis[1] * at[1], origin[1] + axis[1] * at[0] + axis[0] * at[1]]


def turn(axis):
    """Angular velocity and its derivative per unit of crank rate."""
    (x, y), (dx, dy), (ddx, ddy) = value(axis), first(axis), second(axis)
    return x * dy - y * dx, x * ddy - y * ddx


def f(_, y):
    theta, rate = y
    u, v, w, pin = place(theta)
    total, slope, gravity = 0.0, 0.0, 0.0
    for solid, axis, origin in [(crank, u, [Jet(0.0), Jet(0.0)]), (coupler, v, pin), (rocker, w, [Jet(D), Jet(0.0)])]:
        p = point(origin, axis, solid.center)
        d1, d2 = first(p), second(p)
        w1, w2 = turn(axis)
        total += solid.mass * d1 @ d1 + solid.inertia[2, 2] * w1**2
        slope += 2 * (solid.mass * d1 @ d2 + solid.inertia[2, 2] * w1 * w2)
        gravity += solid.mass * G * d1[1]
    return [rate, -(0.5 * slope * rate**2 + gravity) / total]


times = np.linspace(0.0, 10.0, 101)
y = integrate(f, [np.radians(60.0), 120 * 2 * np.pi / 60], times)
rows = []
for t, (theta, rate) in zip(times, y):
    u, v, w, pin = place(theta)
    p = point(pin, v, [B / 2, 0.120])
    angle = np.arctan2(value(w)[1], value(w)[0])
    rows.append([t, theta, rate, angle, turn(w)[0] * rate, *value(p)])
write(__file__, ["t", "O.angle", "O.rate", "C.angle", "C.rate", "coupler.P.x", "coupler.P.y"], rows)
