"""Times of the impacts of a rocking block, from its energy: the rotation about an edge is a pendulum upside down.

With the angle phi of the diagonal from the vertical, phi'^2 = (3g/(2R)) (cos phi0 - cos phi). Each impact reduces the speed by the factor
1 - (3/2) sin^2 alpha. phi = phi0 + s^2 removes the singularity at the turning point; Simpson's rule does the rest.
"""

from math import acos, atan, cos, hypot, sin, sqrt

g, b, h = 9.81, 0.2, 0.8
alpha, R = atan(b / h), hypot(b, h) / 2
factor = 1 - 1.5 * sin(alpha) ** 2


def quarter(phi0, n=4000):
    """Time from rest at phi0 to the upright position at alpha."""
    end = sqrt(alpha - phi0)

    def f(s):
        # cos phi0 - cos phi = 2 sin((phi + phi0)/2) sin((phi - phi0)/2), divided by s^2
        half = s * s / 2
        ratio = 0.5 if s == 0 else sin(half) / (s * s)
        return 2 / sqrt(1.5 * g / R * 2 * sin(phi0 + half) * ratio)

    w = end / n
    return w / 3 * sum((1 if k in (0, n) else 4 if k % 2 else 2) * f(k * w) for k in range(n + 1))


phi = alpha / 2
time = quarter(phi)
print("impact 1", time)
for k in range(2, 150):
    phi = acos(cos(alpha) + factor**2 * (cos(phi) - cos(alpha)))
    time += 2 * quarter(phi)
    if k in (2, 3, 10):
        print("impact", k, time)
# the remaining times are a geometric series: sqrt of the energy
print("accumulation point", time + 2 * quarter(phi) * factor / (1 - factor))
