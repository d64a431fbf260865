"""Harmonic ellipse, Kepler's ellipse by his equation, and Newton's revolving ellipse: an inverse cube only turns the orbit."""

import pathlib
import sys

import mpmath as mp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

mp.mp.dps = 30
m, k, mu, turning = mp.mpf(2), mp.mpf(18), mp.mpf(40), mp.mpf(6)
v_tied, v_planet = mp.mpf("1.2"), mp.mpf("5.6")


def kepler(alpha, h, t):
    """Radius and angle of a body under -alpha/r^2, angular momentum h (both by mass), from its pericentre or apocentre at r = 1."""
    p = h * h / alpha
    e = p - 1  # p = r (1 + e cos f) at f = 0; negative where the start is an apocentre
    a = p / (1 - e * e)
    n = mp.sqrt(alpha / a**3)
    mean = n * t
    E = mp.findroot(lambda E: E - e * mp.sin(E) - mean, mean + e * mp.sin(mean))
    f = E + 2 * mp.atan(e * mp.sin(E) / (1 + mp.sqrt(1 - e * e) - e * mp.cos(E)))
    return a * (1 - e * mp.cos(E)), f


rows = []
w = mp.sqrt(k / m)
for i in range(61):
    t = mp.mpf(i) / 10
    r, f = kepler(mu / m, v_planet, t)
    # with the inverse cube the radius moves as if h^2 were less by turning/m, and angles grow by the ratio of the two
    h = mp.sqrt(v_planet**2 - turning / m)
    r2, f2 = kepler(mu / m, h, t)
    f2 *= v_planet / h
    rows.append([float(x) for x in (t, mp.cos(w * t), v_tied / w * mp.sin(w * t), r * mp.cos(f), r * mp.sin(f), r2 * mp.cos(f2), r2 * mp.sin(f2))])
write(__file__, ["t", "tied.x", "tied.y", "planet.x", "planet.y", "mercury.x", "mercury.y"], rows)
a = 1 / (2 - v_planet**2 * m / mu)
print("period of the planet:", mp.nstr(2 * mp.pi * mp.sqrt(a**3 * m / mu), 20))
