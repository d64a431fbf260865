"""Small motions of a cantilever pressed by P that follows its end: EI w'''' + P w'' = m W^2 w, w = w' = 0 at the foot, w'' = w''' = 0 at the end.

With a stretch e = 1 - P/EA of the axis: EI w''''/e + P w'' = e m W^2 w by material length. L = EI = m = 1.
"""

import mpmath as mp

mp.mp.dps = 40


def characteristic(W, P, EA):
    e = 1 - P / EA
    roots = mp.polyroots([1 / e, 0, P, 0, -e * W**2], maxsteps=200, extraprec=200)
    rows = [[1] * 4, roots, [r**2 * mp.exp(r) for r in roots], [r**3 * mp.exp(r) for r in roots]]
    # an even function of the roots, divided by what makes equal roots vanish
    scale = mp.mpf(1)
    for i in range(4):
        for j in range(i):
            scale *= roots[i] - roots[j]
    return (mp.det(mp.matrix(rows)) / scale).real


def lowest(P, EA, count):
    """The lowest frequencies, by changes of sign."""
    found, W, last = [], mp.mpf("0.05"), None
    while len(found) < count:
        now = characteristic(W, P, EA)
        if last is not None and last * now < 0:
            found.append(mp.findroot(lambda x: characteristic(x, P, EA), (W - mp.mpf("0.25"), W), solver="anderson", tol=1e-30))
        last = now
        W += mp.mpf("0.25")
    return found


for P in (0, 10, 15, 18):
    print("P =", P, [mp.nstr(W, 12) for W in lowest(mp.mpf(P), mp.mpf(10) ** 6, 3)])
low, high = mp.mpf(19), mp.mpf("20.5")
# the two lowest meet at the flutter load of a column that does not shorten


def meet(P, EA=mp.mpf(10) ** 30):
    values = [characteristic(mp.mpf(8) + mp.mpf(k) / 20, P, EA) for k in range(160)]
    return any(a * b < 0 for a, b in zip(values, values[1:]))


for _ in range(24):
    mid = (low + high) / 2
    low, high = (mid, high) if meet(mid) else (low, mid)
print("flutter above", mp.nstr(low, 7))
