"""Coupler points of two four-bars in closed form (two circles that meet), with velocities and accelerations by Taylor numbers."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import Jet, first, second, value, write

a = 0.1


def meet(p, q, to_p, to_q, side):
    """The point at the given distances from p and q, on the left of the way from p to q for side = 1."""
    d = q - p
    dd = d[0] * d[0] + d[1] * d[1]
    along = (dd + (to_p**2 - to_q**2)) / (2 * dd)
    across = (Jet.of(to_p**2) / dd - along * along).sqrt() * side
    return np.array([p[0] + along * d[0] - across * d[1], p[1] + along * d[1] + across * d[0]])


def polar(length, angle):
    return np.array([angle.cos() * length, angle.sin() * length])


def fixed(x, y):
    return np.array([Jet.of(x), Jet.of(y)])


rows = []
for t in np.linspace(0, 1, 101):
    crank = polar(a, Jet(np.pi / 2 + 2 * np.pi * t, 2 * np.pi))
    pin = meet(crank, fixed(2 * a, 0), 2.5 * a, 2.5 * a, 1)
    P = crank + (pin - crank) * 2
    w = 2 * np.pi
    rock = Jet(np.arccos(0.6) + 0.15 * np.sin(w * t), 0.15 * w * np.cos(w * t), -0.15 * w * w * np.sin(w * t))
    left = fixed(1, 0) + polar(5 * a, rock)
    right = meet(left, fixed(1 + 4 * a, 0), 2 * a, 5 * a, -1)
    mid = (left + right) * 0.5
    rocker = np.arctan2(pin[1].v, pin[0].v - 2 * a)
    rows.append([t, *value(P), *first(P), *second(P), rocker, *value(mid), mid[1].d, mid[1].dd])
names = [f"coupler.P.{s}{c}" for s in ("", "v", "a") for c in "xy"]
write(__file__, ["t", *names, "rocker.angle", "link.mid.x", "link.mid.y", "link.mid.vy", "link.mid.ay"], rows)
