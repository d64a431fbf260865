"""z = x + i y of the shaft: m z'' + c z' + k z = m e W^2 exp(i W t). Steady whirl and free motion from rest, in closed form."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

m, k, c, e = 5.0, 2e4, 60.0, 1e-3
w = np.sqrt(k / m)
free = np.roots([m, c, k])
cases = []
for share in (0.6, 1.0, 1.8):
    W = share * w
    steady = m * e * W * W / (k - m * W * W + 1j * c * W)
    # z = steady exp(i W t) + p exp(s1 t) + q exp(s2 t), at rest at the middle
    pq = np.linalg.solve([[1, 1], free], [-steady, -1j * W * steady])
    cases.append((W, steady, pq))
    print(f"{share}: whirl of {abs(steady) * 1e3:.6f} mm, {-np.degrees(np.angle(steady)):.4f} degrees behind")
rows = []
for t in np.linspace(0, 1, 101):
    row = [t]
    for W, steady, (p, q) in cases:
        z = steady * np.exp(1j * W * t) + p * np.exp(free[0] * t) + q * np.exp(free[1] * t)
        row += [z.real, z.imag]
    rows.append(row)
write(__file__, ["t", "below.x", "below.y", "at.x", "at.y", "above.x", "above.y"], rows)
