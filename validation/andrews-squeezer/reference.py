"""Andrews' squeezing mechanism, computed anew: writes recomputed.csv.

Seven angles; every point of the mechanism is a sum of turned vectors, so its velocity is known by the complex step and its acceleration at
constant rates is minus each vector times its rate squared. Mass centres give the mass matrix, the common point P of four bodies the
constraints. DOP853 at 3e-14, brought back to the constraints sixty times.
"""

import pathlib

import numpy as np
from scipy.integrate import solve_ivp

MASS = np.repeat([0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498], 2)
INERTIA = np.array([2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5])
A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
d, da, e, ea, zf, fa, rr, ra = 28e-3, 115e-4, 2e-2, 1421e-5, 2e-2, 1421e-5, 7e-3, 92e-5
ss, sa, sb, sc, sd, zt, ta, tb, u, ua, ub = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2, 4e-2, 2308e-5, 916e-5, 4e-2, 1228e-5, 449e-5
SPRING, LENGTH, TORQUE = 4530.0, 0.07785, 0.033
NAMES = ["beta", "theta", "gamma", "phi", "delta", "Omega", "epsilon"]
# which angles add up to the angle of each body
SUMS = np.zeros((7, 7))
for body, angles in enumerate([[0], [0, 1], [2], [3, 4], [4], [5, 6], [6]]):
    SUMS[body, angles] = 1


def points(turned):
    """Mass centres, the three closures at P, and the end of the spring, from `turned(body, x, y)`; fixed points do not count."""
    pin, E, H = turned(0, rr, 0), turned(4, zt, 0), turned(6, 0, -u)
    centres = [turned(0, ra, 0), pin + turned(1, -da, 0), turned(2, sb, -sa), E + turned(3, 0, ea - e), turned(4, ta, tb)]
    centres += [H + turned(5, zf - fa, 0), turned(6, ub, -ua)]
    P = pin + turned(1, -d, 0)
    closures = [P - turned(2, 0, -ss), P - E - turned(3, 0, -e), P - H - turned(5, zf, 0)]
    return np.concatenate([*centres, *closures, turned(2, sd, -sc)])


def places(q):
    a = SUMS @ q
    turned = lambda k, x, y: np.array([np.cos(a[k]) * x - np.sin(a[k]) * y, np.sin(a[k]) * x + np.cos(a[k]) * y])
    return points(turned)


def jacobian(q):
    return np.column_stack([places(q + 1e-30j * step).imag / 1e-30 for step in np.eye(7)])


def centripetal(q, v):
    a, w = SUMS @ q, SUMS @ v
    turned = lambda k, x, y: -(w[k] ** 2) * np.array([np.cos(a[k]) * x - np.sin(a[k]) * y, np.sin(a[k]) * x + np.cos(a[k]) * y])
    return points(turned)


def closures(q):
    return places(q)[14:20] - np.concatenate([B, A, A])


def accelerations(q, v):
    J, c = jacobian(q), centripetal(q, v)
    centres, G = J[:14], J[14:20]
    M = centres.T @ (MASS[:, None] * centres) + SUMS.T @ (INERTIA[:, None] * SUMS)
    reach = B + places(q)[20:] - C
    length = np.hypot(*reach)
    f = J[20:].T @ (-SPRING * (length - LENGTH) / length * reach) - centres.T @ (MASS * c[:14])
    f[0] += TORQUE
    both = np.linalg.solve(np.block([[M, G.T], [G, np.zeros((6, 6))]]), np.concatenate([f, -c[14:20]]))
    return both[:7], both[7:]


def close(y):
    q, v = y[:7].copy(), y[7:]
    for _ in range(3):
        q -= np.linalg.pinv(jacobian(q)[14:20]) @ closures(q)
    G = jacobian(q)[14:20]
    return np.concatenate([q, v - np.linalg.pinv(G) @ (G @ v)])


start = [-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550, -0.222668390165885884, 1.23054744454982119]
y = close(np.concatenate([start, np.zeros(7)]))
for _ in range(60):
    run = solve_ivp(lambda t, y: np.concatenate([y[7:], accelerations(y[:7], y[7:])[0]]), (0, 0.0005), y, method="DOP853", rtol=3e-14, atol=1e-14)
    y = close(run.y[:, -1])
rates, multipliers = accelerations(y[:7], y[7:])
names = [f"{name}.{what}" for what in ("angle", "rate", "acceleration") for name in NAMES] + [f"lambda{i}" for i in range(1, 7)]
row = [*y, *rates, *multipliers]
path = pathlib.Path(__file__).with_name("recomputed.csv")
path.write_text("t," + ",".join(names) + "\n0.03," + ",".join(f"{x:.14g}" for x in row) + "\n")
