"""The double pendulum of examples/robots/model-mismatch under its sampled law, from the closed form of its equations.

Joint torques of two point masses m1, m2 at the ends of links l1, l2 that hang along x:

    t1 = D11 a1 + D12 a2 - h (2 w1 w2 + w2^2) + G1        h = m2 l1 l2 sin q2
    t2 = D12 a1 + D22 a2 + h w1^2 + G2

Between samples the torques are held and the classical Runge-Kutta method takes 100 steps, which leaves errors below 1e-13.
"""

import math
import pathlib

L1, L2, G = 0.1, 0.2, 9.8
MODEL, PLANT = (1.0, 2.0), (1.2, 2.4)
PERIOD, SAMPLES, STEPS = 0.005, 256, 100
OMEGA, PSI = 50.0, 0.95


def parts(masses, q):
    m1, m2 = masses
    c2, s2 = math.cos(q[1]), math.sin(q[1])
    d11 = (m1 + m2) * L1**2 + m2 * L2**2 + 2 * m2 * L1 * L2 * c2
    d12 = m2 * L2**2 + m2 * L1 * L2 * c2
    d22 = m2 * L2**2
    g2 = m2 * G * L2 * math.sin(q[0] + q[1])
    g1 = (m1 + m2) * G * L1 * math.sin(q[0]) + g2
    return d11, d12, d22, m2 * L1 * L2 * s2, m2 * L1 * L2 * c2, g1, g2


def torques(masses, q, w, a):
    d11, d12, d22, h, _, g1, g2 = parts(masses, q)
    return (
        d11 * a[0] + d12 * a[1] - h * (2 * w[0] * w[1] + w[1] ** 2) + g1,
        d12 * a[0] + d22 * a[1] + h * w[0] ** 2 + g2,
    )


def sensitivities(masses, q, w, a):
    """A, 2B and C: derivatives of the torques by accelerations, rates and positions."""
    m1, m2 = masses
    d11, d12, d22, h, dh, _, _ = parts(masses, q)
    both = m2 * G * L2 * math.cos(q[0] + q[1])
    first = (m1 + m2) * G * L1 * math.cos(q[0]) + both
    # dD11/dq2 = -2h, dD12/dq2 = -h, dh/dq2 = m2 l1 l2 cos q2
    c12 = -2 * h * a[0] - h * a[1] - dh * (2 * w[0] * w[1] + w[1] ** 2) + both
    c22 = -h * a[0] + dh * w[0] ** 2 + both
    by_rate = ((-2 * h * w[1], -2 * h * (w[0] + w[1])), (2 * h * w[0], 0.0))
    return ((d11, d12), (d12, d22)), by_rate, ((first, c12), (both, c22))


def reference(t):
    k = 2 * math.pi / 1.28
    half = (math.pi / 4, -math.pi / 6)
    q = [x * (1 - math.cos(k * t)) for x in half]
    w = [x * k * math.sin(k * t) for x in half]
    a = [x * k * k * math.cos(k * t) for x in half]
    return q, w, a


def law(k, q, w):
    now, then = reference(k * PERIOD), reference((k + 1) * PERIOD)
    f, g = torques(MODEL, *now), torques(MODEL, *then)
    mass, by_rate, by_position = sensitivities(MODEL, *then)
    e = [then[0][i] - q[i] for i in range(2)]
    v = [then[1][i] - w[i] for i in range(2)]
    answer = [OMEGA**2 * e[i] + 2 * PSI * OMEGA * PSI * v[i] for i in range(2)]
    return [
        (f[i] + g[i]) / 2
        + sum(mass[i][j] * answer[j] - by_position[i][j] * e[j] - by_rate[i][j] * v[j] for j in range(2))
        for i in range(2)
    ]


def rates(y, u):
    q, w = y[:2], y[2:]
    d11, d12, d22, h, _, g1, g2 = parts(PLANT, q)
    r1 = u[0] + h * (2 * w[0] * w[1] + w[1] ** 2) - g1
    r2 = u[1] - h * w[0] ** 2 - g2
    det = d11 * d22 - d12 * d12
    return [w[0], w[1], (d22 * r1 - d12 * r2) / det, (d11 * r2 - d12 * r1) / det]


def step(y, u, h):
    def at(k, share):
        return [a + share * h * b for a, b in zip(y, k)]

    k1 = rates(y, u)
    k2 = rates(at(k1, 0.5), u)
    k3 = rates(at(k2, 0.5), u)
    k4 = rates(at(k3, 1.0), u)
    return [y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(4)]


y = [0.0] * 4
rows = ["t,shoulder.angle,elbow.angle,shoulder.rate,elbow.rate,law.shoulder,law.elbow"]
for k in range(SAMPLES + 1):
    u = law(k, y[:2], y[2:])
    if k % 4 == 0:
        rows.append(f"{k * PERIOD:.3f}," + ",".join(f"{x:.12f}" for x in y + u))
    for _ in range(STEPS):
        y = step(y, u, PERIOD / STEPS)

pathlib.Path(__file__).with_name("reference.csv").write_text("\n".join(rows) + "\n")
