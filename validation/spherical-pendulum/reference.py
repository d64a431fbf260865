"""Height z = -l u of a spherical pendulum.

With the energy E and the vertical angular momentum h (by m l^2): l^2 u'^2 = 2 (E + g l u)(1 - u^2) - h^2; turning points are roots of the cubic.
"""

import mpmath as mp

mp.mp.dps = 30
g, l, start, v = mp.mpf("9.81"), mp.mpf(1), mp.pi / 3, mp.mpf("1.5")
u0, h = mp.cos(start), v * mp.sin(start) / l
E = v**2 / 2 / l**2 - g / l * u0
roots = sorted(mp.polyroots([-2 * g / l, -2 * E, 2 * g / l, 2 * E - h**2], extraprec=100))
out, low, high = roots  # the first is not reached; u grows downwards
# u = middle + half sin(p) takes the roots out of both ends
middle, half = (low + high) / 2, (high - low) / 2
rate = lambda u: mp.sqrt(2 * g / l * (u - out))
u = lambda p: middle + half * mp.sin(p)
period = mp.quad(lambda p: 1 / rate(u(p)), [-mp.pi / 2, 0, mp.pi / 2])
angle = mp.quad(lambda p: h / (1 - u(p) ** 2) / rate(u(p)), [-mp.pi / 2, 0, mp.pi / 2])
print("half period", mp.nstr(period, 16), "s; azimuth of the next turning point", mp.nstr(angle, 16), "rad")
print("heights of the turning points", mp.nstr(-l * low, 16), mp.nstr(-l * high, 16), "m")
