"""Period of a pendulum over its amplitude: 4 K(sin(amplitude/2)) sqrt(l/g)."""

import mpmath as mp

mp.mp.dps = 30
w = mp.sqrt(mp.mpf("9.81"))
for amplitude in (30, 90, 150, 179):
    quarter = mp.ellipk(mp.sin(mp.radians(mp.mpf(amplitude)) / 2) ** 2) / w
    print(f"{amplitude} degrees: a quarter of the period is", mp.nstr(quarter, 17), "s")
