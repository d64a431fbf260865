"""cos(b) cosh(b) = -1: frequencies b^2 sqrt(EI/(m L^4)) of a cantilever."""

import mpmath as mp

mp.mp.dps = 30
for n in range(5):
    b = mp.findroot(lambda x: mp.cos(x) + 1 / mp.cosh(x), 1.875 if n == 0 else (n + 0.5) * mp.pi)
    print(n + 1, mp.nstr(b**2, 15))
