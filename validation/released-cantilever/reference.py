"""A cantilever let go: the static bend by a force at its end as a sum of its modes, each of which then swings on its own."""

import pathlib
import sys

import mpmath as mp
import numpy as np
from scipy.integrate import quad

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

mp.mp.dps = 50
bend = 3e-3
modes = []
for n in range(12):
    b = mp.findroot(lambda x: mp.cos(x) + 1 / mp.cosh(x), 1.875 if n == 0 else (n + 0.5) * mp.pi)
    s = (mp.cosh(b) + mp.cos(b)) / (mp.sinh(b) + mp.sin(b))
    grows, s, b = float(1 - s), float(s), float(b)

    def shape(x, b=b, s=s, grows=grows):
        # cosh - s sinh as exponentials, which stay exact for high modes
        return (grows * np.exp(b * x) + (1 + s) * np.exp(-b * x)) / 2 - np.cos(b * x) + s * np.sin(b * x)

    size = quad(lambda x: shape(x) ** 2, 0, 1, limit=400)[0]
    # EI w'''' = 0 with the force at the end: its part in a mode is P shape(1)/(b^4 size)
    modes.append((b * b, bend * shape(1.0) / (b**4 * size), shape))
assert abs(sum(a * f(1.0) for _, a, f in modes) - bend / 3) < 1e-5 * bend
rows = []
for t in np.linspace(0, 4, 81):
    rows.append([t] + [sum(a * f(x) * np.cos(w * t) for w, a, f in modes) for x in (1.0, 0.5)])
write(__file__, ["t", "beam.end.y", "beam.mid.y"], rows)
