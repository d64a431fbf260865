"""In space the pendulum swings in a plane (Jacobi's functions); seen from the ground that plane turns by -W t."""

import pathlib
import sys

import mpmath as mp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

mp.mp.dps = 30
g, l, W, v, mass = mp.mpf("9.81"), mp.mpf(2), mp.mpf("0.1"), mp.mpf(4), mp.mpf(1)
k = v / (2 * mp.sqrt(g * l))  # sin(half the amplitude)
w = mp.sqrt(g / l)
rows = []
for i in range(61):
    t = mp.mpf(i) / 2
    sn, dn = mp.ellipfun("sn", w * t, m=k * k), mp.ellipfun("dn", w * t, m=k * k)
    half = k * sn  # sin(angle/2)
    out, z = 2 * l * half * mp.sqrt(1 - half**2), 2 * l * half**2
    speed2 = v * v - 2 * g * z
    force = mass * (speed2 / l + g * (1 - 2 * half**2))
    rows.append([float(x) for x in (t, out * mp.cos(W * t), -out * mp.sin(W * t), z, force)])
write(__file__, ["t", "bob.x", "bob.y", "bob.z", "string.force"], rows)
