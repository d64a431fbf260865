"""m x'' + c x' + k x = F cos(W t) from rest: at resonance, beside it (beats), and at resonance with damping."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

m, k, F = 1.5, 600.0, 3.0
w = np.sqrt(k / m)
c = 0.1 * m * w
rows = []
for t in np.linspace(0, 5, 101):
    at = F / (2 * m * w) * t * np.sin(w * t)
    W = 1.1 * w
    beside = F / m / (w**2 - W**2) * (np.cos(W * t) - np.cos(w * t))
    z = c / (2 * m * w)
    d = w * np.sqrt(1 - z * z)
    # at resonance the steady motion is F/(c w) sin(w t); the free part makes it start from rest
    damped = F / (c * w) * (np.sin(w * t) - np.exp(-z * w * t) * w / d * np.sin(d * t))
    rows.append([t, at, beside, damped])
write(__file__, ["t", "at.position", "beside.position", "damped.position"], rows)
