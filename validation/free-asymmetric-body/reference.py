"""Euler's equations of a free body: Jacobi's elliptic functions.

A < B < C, at t = 0 w = (w1, w2, 0). The body's momentum circles one of the outer axes: with D = L^2/(2T) below B it is that of
the largest inertia. With D > B the solution is w3 = c3 dn, w2 = c2 sn, w1 = c1 cn; else w1 = c1 dn, w3 = c3 cn.
"""

import pathlib
import sys

import mpmath as mp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

mp.mp.dps = 30
A, B, C = mp.mpf(2), mp.mpf(3), mp.mpf(4)
w1, w2 = mp.mpf("0.01"), mp.mpf(5)
L2 = (A * w1) ** 2 + (B * w2) ** 2
T2 = A * w1**2 + B * w2**2
assert L2 < B * T2
# about the axis of A: w1 never vanishes; w1 = a dn, w2 = b sn, w3 = c cn
a = mp.sqrt((C * T2 - L2) / (A * (C - A)))
b = mp.sqrt((L2 - A * T2) / (B * (B - A)))
c = mp.sqrt((L2 - A * T2) / (C * (C - A)))
rate = mp.sqrt((B - A) * (C * T2 - L2) / (A * B * C))
m = (C - B) * (L2 - A * T2) / ((B - A) * (C * T2 - L2))
K = mp.ellipk(m)
# w3 = 0 and w2 = b > 0 at t = 0: a quarter of the period from w2 = 0; the sign makes w2' = (C - A)/B w3 w1 right
rows = []
for i in range(121):
    t = mp.mpf(i) / 10
    u = K - rate * t
    s, k, d = (mp.ellipfun(f, u, m=m) for f in ("sn", "cn", "dn"))
    rows.append([float(x) for x in (t, a * d, b * s, -c * k)])
write(__file__, ["t", "book.spin_x", "book.spin_y", "book.spin_z"], rows)
print("first on its side:", mp.nstr(K / rate, 20), "s, then every", mp.nstr(2 * K / rate, 20), "s")
