"""A chain of equal bars between two hooks: the horizontal force H is the same everywhere, the vertical one grows by m g from bar to bar.

Moments about the lower end of bar i: tan(angle_i) = (V + (2 i - 1 - n) m g/2)/H with V the mean vertical force. H and V from the span and the drop.
"""

import mpmath as mp

mp.mp.dps = 30
n, g, m, l, span, drop = 8, mp.mpf("9.81"), mp.mpf("0.3"), mp.mpf("0.25"), mp.mpf("1.4"), mp.mpf("0.3")


def angles(H, V):
    return [mp.atan((V + (2 * i - 1 - n) * m * g / 2) / H) for i in range(1, n + 1)]


def closes(H, V):
    a = angles(H, V)
    return [l * sum(map(mp.cos, a)) - span, l * sum(map(mp.sin, a)) + drop]


H, V = mp.findroot(closes, (mp.mpf(8), mp.mpf(-2)))
for i, a in enumerate(angles(H, V), 1):
    print(f"bar{i}.angle", mp.nstr(a, 16))
print("H", mp.nstr(H, 16), "first hook carries", mp.nstr(n * m * g / 2 - V, 16), "second", mp.nstr(n * m * g / 2 + V, 16))
