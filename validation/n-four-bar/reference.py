"""N windows: all posts turn alike, all beams keep level, so the mechanism is one pendulum upside down that goes round.

    ((N + 1) m l^2/3 + N m l^2) a'' = -((N + 1)/2 + N) m g l cos(a)
"""

import pathlib
import sys

import mpmath as mp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

mp.mp.dps = 30
N, g, rate = 2, mp.mpf("9.81"), mp.mpf(-1)
w2 = (mp.mpf(N + 1) / 2 + N) * g / (mp.mpf(N + 1) / 3 + N)
# with p the angle from hanging down: p'^2 = e + 2 w2 cos(p), p = pi at the start; it goes round, p/2 = am(u, k)
e = rate**2 + 2 * w2
k2 = 4 * w2 / (e + 2 * w2)
speed = mp.sqrt(e + 2 * w2) / 2
rows = []
for i in range(201):
    t = mp.mpf(i) / 20
    u = mp.ellipk(k2) + speed * t  # sn = sin(p/2), from upright on
    s, c = mp.ellipfun("sn", u, m=k2), mp.ellipfun("cn", u, m=k2)
    # falls to the right: x = -sin(p), y = -cos(p)
    rows.append([float(v) for v in (t, -2 * s * c, 2 * s * s - 1)])
write(__file__, ["t", "post0.top.x", "post0.top.y"], rows)
