"""x'' + 2 z w x' + w^2 x = 0 for z = 0.1, 1 and 2, and the work of each damper, in closed form."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

m, k, x0, v0 = 2.0, 50.0, 0.1, 0.3
w = np.sqrt(k / m)


def motion(z, t):
    if z == 1:
        b = v0 + w * x0
        return (x0 + b * t) * np.exp(-w * t), (b - w * (x0 + b * t)) * np.exp(-w * t)
    d = w * np.sqrt(complex(z * z - 1))
    b = (v0 + z * w * x0) / d
    x = np.exp(-z * w * t) * (x0 * np.cosh(d * t) + b * np.sinh(d * t))
    v = np.exp(-z * w * t) * d * (x0 * np.sinh(d * t) + b * np.cosh(d * t)) - z * w * x
    return x.real, v.real


rows = []
for t in np.linspace(0, 4, 41):
    states = [motion(z, t) for z in (0.1, 1, 2)]
    # what is missing of the energy at the start is what the damper took
    work = [(m * v * v + k * x * x - m * v0 * v0 - k * x0 * x0) / 2 for x, v in states]
    rows.append([t, *(x for x, _ in states), *work])
write(__file__, ["t", "x1.position", "x2.position", "x3.position", "spring1.work", "spring2.work", "spring3.work"], rows)
