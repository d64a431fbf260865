"""Velocities of three equal balls in a row after an elastic impact, with linear springs and with Hertz's law between them.

In units of the mass, the velocity and the stiffness: x1'' = -f(x1 - x2), x2'' = f(x1 - x2) - f(x2 - x3), x3'' = f(x2 - x3) with f(d) = d^p for d > 0.
The classical Runge-Kutta method with small steps integrates them until the balls are apart.
"""


def slope(y, p):
    left, right = max(y[0] - y[1], 0) ** p, max(y[1] - y[2], 0) ** p
    return [y[3], y[4], y[5], -left, left - right, right]


def moved(y, h, k):
    return [a + h * b for a, b in zip(y, k)]


for p in (1, 1.5):
    y, count, end = [0, 0, 0, 1, 0, 0], 200000, 12
    h = end / count
    for _ in range(count):
        a = slope(y, p)
        b = slope(moved(y, h / 2, a), p)
        c = slope(moved(y, h / 2, b), p)
        d = slope(moved(y, h, c), p)
        y = [u + h / 6 * (ka + 2 * kb + 2 * kc + kd) for u, ka, kb, kc, kd in zip(y, a, b, c, d)]
    print(p, y[3:])
