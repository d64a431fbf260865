"""Period of the woodpecker toy: time stepping of Moreau in its three coordinates y, a (sleeve) and b (bird), with the true kinematics of the contact points.

M(q) (v+ - v) = h f(q, v) + W P at the midpoint, with Newton's or Poisson's law of impact and Coulomb's law on the impulses P of the contacts that have closed, by
Gauss-Seidel iteration. The sleeve moves along the pole and turns by a, the bird turns by b about the pin in the sleeve at l_M.
"""

import sys
from math import cos, sin

m, J, n, I = 0.0003, 5e-9, 0.0045, 7e-7
c, r0, rM, hM, lM, lG, hS, lS, g, mu, e = 0.0056, 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.020, 0.0201, 9.81, 0.3, 0.5


def point(q, p):
    """Gap to the pole of point p and the gradients of its position: (body, x, y) in the sleeve (0) or in the bird (1)."""
    body, x, y = p
    _, a, b = q
    sa, ca = sin(a), cos(a)
    if body == 0:
        return x * ca - y * sa - r0, [0, -x * sa - y * ca, 0], [1, x * ca - y * sa, 0]
    sb, cb = sin(b), cos(b)
    gap = lM * ca + x * cb - y * sb - r0
    return gap, [0, -lM * sa, -x * sb - y * cb], [1, lM * ca, x * cb - y * sb]


points = [((1, lG - lS, hS), e), ((0, rM, -hM), 0.0), ((0, rM, hM), 0.0)]


def inverse(M):
    (a, b, c_), (_, d, e_), (_, _, f) = M
    A, B, C = d * f - e_ * e_, c_ * e_ - b * f, b * e_ - c_ * d
    D = a * A + b * B + c_ * C
    E, F, H = a * f - c_ * c_, b * c_ - a * e_, a * d - b * b
    return [[A / D, B / D, C / D], [B / D, E / D, F / D], [C / D, F / D, H / D]]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def solve(v, active, least):
    """Normal impulses of at least `least` for the velocities of separation of the contacts, and friction."""
    for _ in range(400):
        change = 0.0
        for one, low in zip(active, least):
            wn, wt, yn, yt, target, pn, pt = one
            new = max(low, pn - (dot(wn, v) - target) / dot(wn, yn))
            v = [w + (new - pn) * y for w, y in zip(v, yn)]
            slid = pt - dot(wt, v) / dot(wt, yt)
            slid = max(-mu * new, min(mu * new, slid))
            v = [w + (slid - pt) * y for w, y in zip(v, yt)]
            change, one[5:] = max(change, abs(new - pn), abs(slid - pt)), [new, slid]
        if change < 1e-15:
            break
    return v


def step(q, v, h, poisson):
    v0, mid = v, [x + h / 2 * w for x, w in zip(q, v)]
    _, a, b = mid
    sa, ca, sb, cb = sin(a), cos(a), sin(b), cos(b)
    k = n * lM * lG * (sa * sb + ca * cb)
    M = [[m + n, n * lM * ca, n * lG * cb], [n * lM * ca, J + n * lM**2, k], [n * lG * cb, k, I + n * lG**2]]
    # the mass centre of the bird is at lM (cos a, sin a) + lG (cos b, sin b) from the sleeve
    ax, ay = -lM * ca * v[1] ** 2 - lG * cb * v[2] ** 2, -lM * sa * v[1] ** 2 - lG * sb * v[2] ** 2
    rest = [n * ay, n * lM * (-sa * ax + ca * ay), n * lG * (-sb * ax + cb * ay)]
    moment = c * (b - a)
    f = [-(m + n) * g - rest[0], -n * g * lM * ca - rest[1] + moment, -n * g * lG * cb - rest[2] - moment]
    X = inverse(M)
    v = [w + h * dot(x, f) for w, x in zip(v, X)]
    before, active, restitution = v0, [], []
    for p, e_p in points:
        gap, wn, wt = point(mid, p)
        if gap <= 0:
            target = 0.0 if poisson else -e_p * min(dot(wn, before), 0)
            active.append([wn, wt, [dot(x, wn) for x in X], [dot(x, wt) for x in X], target, 0.0, 0.0])
            restitution.append(e_p if poisson and dot(wn, before) < -1e-3 else 0.0)
    v = solve(v, active, [0.0] * len(active))
    if any(restitution):
        least = [e_p * one[5] for e_p, one in zip(restitution, active)]
        for one, pn in zip(active, least):
            one[5:] = [pn, 0.0]
            v = [w + pn * y for w, y in zip(v, one[2])]
        v = solve(v, active, least)
    return [x + h / 2 * w for x, w in zip(mid, v)], v


h = float(sys.argv[1]) if len(sys.argv) > 1 else 5e-6
for law in ("newton", "poisson"):
    q, v, t, passed = [0.0, -0.1, -0.28], [-0.34, 0.0, -7.5], 0.0, []
    while t < 1.2:
        new, v = step(q, v, h, law == "poisson")
        if q[2] > 0 >= new[2]:
            passed.append((t + h * q[2] / (q[2] - new[2]), new[0]))
        q, t = new, t + h
    for (t0, y0), (t1, y1) in zip(passed, passed[1:]):
        print(f"{law}: period {t1 - t0:.6f} s, way {y1 - y0:.7f} m")
