"""m x'' + k x + c x^3 = 0 from rest at a: x = a cn(w t), w^2 = (k + c a^2)/m, modulus^2 = c a^2/(2 (k + c a^2)), negative where the spring softens."""

import pathlib
import sys

import mpmath as mp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

mp.mp.dps = 30
k, a = mp.mpf(9), mp.mpf("0.8")
rows = []
for i in range(81):
    t = mp.mpf(i) / 10
    row = [t]
    for c in (mp.mpf(40), mp.mpf(-10)):
        w, m = mp.sqrt(k + c * a**2), c * a**2 / (2 * (k + c * a**2))
        sn, cn, dn = (mp.ellipfun(f, w * t, m=m) for f in ("sn", "cn", "dn"))
        row += [a * cn, -a * w * sn * dn]
    rows.append([float(mp.re(x)) for x in row])
write(__file__, ["t", "stiffens.position", "stiffens.rate", "softens.position", "softens.rate"], rows)
