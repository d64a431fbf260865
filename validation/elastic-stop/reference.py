"""Contact with the force k x (1 + c x') (K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440-445), exponent one.

In the plane of speed and depth: m u du = -k x (1 + c u) dx, so that k x^2/2 = (m/c^2) (ln((1 + c u)/(1 + c v)) - c (u - v)). The speed u < 0 at
which x vanishes again is that of the way back; the time is the integral of m du/force.
"""

import mpmath as mp

mp.mp.dps = 30
m, k, v, c = mp.mpf("1.5"), mp.mpf(60000), mp.mpf(2), mp.mpf("0.3")
depth2 = lambda u: 2 * m / (k * c * c) * (mp.log((1 + c * u) / (1 + c * v)) - c * (u - v))
back = mp.findroot(depth2, -mp.mpf("1.2"))
print("speed back", mp.nstr(back, 16), "m/s; deepest", mp.nstr(mp.sqrt(depth2(0)), 16), "m")
force = lambda u: k * mp.sqrt(depth2(u)) * (1 + c * u)
middle, half = (v + back) / 2, (v - back) / 2
# u = middle + half sin(p): the force vanishes as a root at both ends
time = mp.quad(lambda p: m * half * mp.cos(p) / force(middle + half * mp.sin(p)), [-mp.pi / 2, -1, 0, 1, mp.pi / 2])
print("time of contact", mp.nstr(time.real, 16), "s; without loss", mp.nstr(mp.pi * mp.sqrt(m / k), 16), "s")
