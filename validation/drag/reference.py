"""Fall with quadratic drag (hyperbolic functions), throw with linear drag (exponentials; Lambert's W for the landing)."""

import pathlib
import sys

import mpmath as mp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

g, m, air, oil, vx, vy = 9.81, 0.2, 0.01, 0.1, 12.0, 16.0
end = np.sqrt(m * g / air)  # speed at which air drag is as large as the weight
tau = m / oil
rows = []
for t in np.linspace(0, 4, 41):
    y = -(end**2) / g * np.log(np.cosh(g * t / end))
    v = -end * np.tanh(g * t / end)
    work = m * v * v / 2 + m * g * y
    e = 1 - np.exp(-t / tau)
    rows.append([t, y, v, vx * tau * e, (vy + g * tau) * tau * e - g * tau * t, work])
write(__file__, ["t", "falling.y", "falling.vy", "thrown.x", "thrown.y", "air_drag.work"], rows)

mp.mp.dps = 30
g, tau, vy = mp.mpf("9.81"), mp.mpf(2), mp.mpf(16)
c = 1 + vy / (g * tau)
print("landing:", tau * (c + mp.lambertw(-c * mp.exp(-c))))
