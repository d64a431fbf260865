"""Chaplygin's sleigh: v' = a w^2, (J + m a^2) w' = -m a v w. On the ellipse v = V tanh(s), w = W sech(s) the parameter grows evenly."""

import pathlib
import sys

import numpy as np
from scipy.integrate import quad

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

m, J, a, v0, w0 = 4.0, 0.30, 0.2, -1.5, 0.1
I = J + m * a * a
V = np.sqrt(v0**2 + I / m * w0**2)
W = V * np.sqrt(m / I)
s0 = np.arctanh(v0 / V)
rate = a * W * W / V
# the heading is the Gudermannian: w dt = W sech(s) ds/rate
angle = lambda t: W / rate * 2 * (np.arctan(np.tanh((s0 + rate * t) / 2)) - np.arctan(np.tanh(s0 / 2)))
speed = lambda t: V * np.tanh(s0 + rate * t)
rows, x, y, last = [], 0.0, 0.0, 0.0
for t in np.linspace(0, 10, 101):
    x += quad(lambda u: speed(u) * np.cos(angle(u)), last, t, epsabs=1e-14, epsrel=1e-14)[0]
    y += quad(lambda u: speed(u) * np.sin(angle(u)), last, t, epsabs=1e-14, epsrel=1e-14)[0]
    last = t
    rows.append([t, speed(t), W / np.cosh(s0 + rate * t), angle(t), x, y])
write(__file__, ["t", "forward", "sleigh.omega", "sleigh.angle", "sleigh.x", "sleigh.y"], rows)
