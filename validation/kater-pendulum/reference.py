"""A quarter of the period of a pendulum 1 m long that swings by 40 degrees."""

import mpmath as mp

mp.mp.dps = 30
print(mp.nstr(mp.ellipk(mp.sin(mp.radians(mp.mpf(20))) ** 2) / mp.sqrt(mp.mpf("9.81")), 17), "s")
