"""Lift-off and landing of a flat follower on an eccentric cam, from the equations of its two phases.

On the cam y = r + e sin(phi), phi = w t - 90 deg, with the force N = m g + F0 + k e (1 + sin phi) - m e w^2 sin(phi). In flight
m y'' = -m g - F0 - k (y - r + e). The landing is found by bisection.
"""

from math import asin, cos, pi, sin, sqrt

g, e, r, m, k, F0 = 9.81, 0.01, 0.04, 0.6, 2000.0, 30.0
critical = sqrt((g + F0 / m) / e + 2 * k / m)
w = 1.1 * critical
phi = asin((m * g + F0 + k * e) / (m * e * w * w - k * e))
lift = (phi + pi / 2) / w
y0, v0 = r + e * sin(phi), e * w * cos(phi)
p, rest = sqrt(k / m), r - e - (m * g + F0) / k


def flight(t):
    s = t - lift
    return rest + (y0 - rest) * cos(p * s) + v0 / p * sin(p * s)


def gap(t):
    return flight(t) - r - e * sin(w * t - pi / 2)


a, b = lift + 1e-3, lift + 0.03
while b - a > 1e-16:
    c = (a + b) / 2
    a, b = (c, b) if gap(c) > 0 else (a, c)
t = a - lift
before = -(y0 - rest) * p * sin(p * t) + v0 * cos(p * t)
after = e * w * cos(w * a - pi / 2)
print("critical speed", critical, "rad/s, lift-off", repr(lift), "landing", repr(a), "gap just before the landing", gap(a - 1e-4))
print("impulse of the landing", repr(m * (after - before)), "N s")
