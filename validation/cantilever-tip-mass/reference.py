"""cosh(b) cos(b) + 1 + s b (sinh(b) cos(b) - cosh(b) sin(b)) = 0, s = tip mass/mass of the beam: frequencies b^2 sqrt(EI/(m L^4))."""

import mpmath as mp

mp.mp.dps = 30
for s in ("0.5", "5"):
    s = mp.mpf(s)
    f = lambda b: mp.cos(b) + 1 / mp.cosh(b) + s * b * (mp.tanh(b) * mp.cos(b) - mp.sin(b))
    roots, b = [], mp.mpf("0.2")
    while len(roots) < 3:
        if f(b) * f(b + mp.mpf("0.05")) < 0:
            roots.append(mp.findroot(f, (b, b + mp.mpf("0.05")), solver="anderson") ** 2)
        b += mp.mpf("0.05")
    print("tip mass", s, [mp.nstr(r, 12) for r in roots])
