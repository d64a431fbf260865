"""The suspension corner of examples/vehicles/suspension-corner in two coordinates: heave z and angle a of the lower arm.

T = ½ m ż² + S(a) ż ȧ + ½ J(a) ȧ²; the upper arm and the upright follow from the lower arm by Newton's method, with exact
first and second derivatives.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Jet, angular, bar, first, integrate, round_solid, second, value, write

G, STEEL = 9.81, 7850.0
SPRUNG, UNSPRUNG = 320.0, 32.0
K, C, FREE = 52e3, 3.6e3, 0.532
KT, RADIUS = 200e3, 0.327
SPEED, HEIGHT, WIDTH, START = 10.0, 0.040, 1.2, 12.0

LOWER, LOWER_BALL = np.array([0, 0.30, 0.20]), np.array([0.01, 0.70, 0.19])
UPPER, UPPER_BALL = np.array([-0.01, 0.38, 0.48]), np.array([-0.02, 0.66, 0.50])
RACK, STEER = np.array([-0.13, 0.33, 0.26]), np.array([-0.14, 0.68, 0.26])
TOP, FOOT = np.array([-0.02, 0.48, 0.62]), np.array([-0.02, 0.55, 0.20])
WHEEL = np.array([0, 0.76, 0.31])
TIE = np.hypot(0.35, 0.01)

lower = bar(STEEL, 0.014, [0.16, 0.30, 0.20], LOWER_BALL) + bar(STEEL, 0.014, [-0.16, 0.30, 0.20], LOWER_BALL)
upper = bar(STEEL, 0.010, [0.11, 0.38, 0.48], UPPER_BALL) + bar(STEEL, 0.010, [-0.13, 0.38, 0.48], UPPER_BALL)
upright = (
    bar(1.0, 0.020, LOWER_BALL, UPPER_BALL)
    + bar(1.0, 0.012, [0, 0.70, 0.30], STEER)
    + round_solid(1.0, 0.31, 0.20, [0, 0.66, 0.31], [0, 0.86, 0.31])
).scaled(UNSPRUNG)


def turned(angle, pivot, p):
    """A point of an arm that turns about x through its pivot."""
    c, s = angle.cos(), angle.sin()
    y, z = p[1] - pivot[1], p[2] - pivot[2]
    return [Jet(p[0]), pivot[1] + c * y - s * z, pivot[2] + s * y + c * z]


def axes_of(q):
    """Rotation Rz(q2) Ry(q1) Rx(q0) as columns."""
    (cx, sx), (cy, sy), (cz, sz) = [(a.cos(), a.sin()) for a in q]
    return [
        [cz * cy, sz * cy, -1 * sy],
        [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx],
        [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx],
    ]


def carried(axes, origin, p):
    """A point of the upright, whose lower ball is at `origin`."""
    r = p - LOWER_BALL
    return [origin[i] + axes[0][i] * r[0] + axes[1][i] * r[1] + axes[2][i] * r[2] for i in range(3)]


def residual(a, x):
    """Upper ball and tie rod: four equations for the upper arm's angle and the three turns of the upright."""
    origin = turned(a, LOWER, LOWER_BALL)
    axes = axes_of(x[1:])
    ball, up = carried(axes, origin, UPPER_BALL), turned(x[0], UPPER, UPPER_BALL)
    tie = [p - q for p, q in zip(carried(axes, origin, STEER), RACK)]
    length = (tie[0] * tie[0] + tie[1] * tie[1] + tie[2] * tie[2]).sqrt()
    return [p - q for p, q in zip(ball, up)] + [length - TIE]


guess = np.zeros(4)


def solve(angle):
    """The four unknowns as jets of the lower arm's angle."""
    global guess
    a = Jet(angle, 1.0)
    x = guess.copy()
    for _ in range(20):
        r = value(residual(Jet(angle), [Jet(v) for v in x]))
        jacobian = np.empty((4, 4))
        for j in range(4):
            seeded = [Jet(v, 1.0 if i == j else 0.0) for i, v in enumerate(x)]
            jacobian[:, j] = first(residual(Jet(angle), seeded))
        step = np.linalg.solve(jacobian, r)
        x = x - step
        if np.abs(step).max() < 1e-15:
            break
    guess = x
    jets = [Jet(v) for v in x]
    for order in ("d", "dd"):
        r = residual(a, jets)
        step = np.linalg.solve(jacobian, [getattr(e, order) for e in r])
        for jet, s in zip(jets, step):
            setattr(jet, order, -s)
    return a, jets


def road(t):
    x = SPEED * t - START
    return HEIGHT / 2 * (1 - np.cos(2 * np.pi * x / WIDTH)) if 0 <= x < WIDTH else 0.0


def terms(angle):
    a, x = solve(angle)
    origin = turned(a, LOWER, LOWER_BALL)
    axes = axes_of(x[1:])
    moving = [
        (lower, turned(a, LOWER, lower.center)),
        (upper, turned(x[0], UPPER, upper.center)),
        (upright, carried(axes, origin, upright.center)),
    ]
    couple = dcouple = inertia = dinertia = 0.0
    for solid, p in moving:
        d1, d2 = first(p), second(p)
        couple += solid.mass * d1[2]
        dcouple += solid.mass * d2[2]
        inertia += solid.mass * d1 @ d1
        dinertia += 2 * solid.mass * d1 @ d2
    inertia += lower.inertia[0, 0] + upper.inertia[0, 0] * x[0].d ** 2
    dinertia += 2 * upper.inertia[0, 0] * x[0].d * x[0].dd
    w, dw = angular(axes)
    # in the axes of the upright the derivative of w is that of its components: R' parts cancel in w × w
    turn = np.array([value(e) for e in axes])
    w, dw = turn @ w, turn @ dw
    inertia += w @ upright.inertia @ w
    dinertia += 2 * w @ upright.inertia @ dw
    foot = turned(a, LOWER, FOOT)
    line = [p - q for p, q in zip(foot, TOP)]
    strut = (line[0] * line[0] + line[1] * line[1] + line[2] * line[2]).sqrt()
    return couple, dcouple, inertia, dinertia, strut, carried(axes, origin, WHEEL), x, axes


MASS = SPRUNG + UNSPRUNG + lower.mass + upper.mass


def tyre(t, z, wheel):
    return max(0.0, KT * (RADIUS + road(t) - z - wheel[2].v))


def f(t, y):
    z, angle, vz, rate = y
    couple, dcouple, inertia, dinertia, strut, wheel, _, _ = terms(angle)
    push = tyre(t, z, wheel)
    effort = -K * (strut.v - FREE) * strut.d - C * strut.d**2 * rate
    matrix = np.array([[MASS, couple], [couple, inertia]])
    force = np.array(
        [
            -MASS * G + push - dcouple * rate**2,
            -couple * G + effort + push * wheel[2].d - 0.5 * dinertia * rate**2,
        ]
    )
    return np.concatenate([[vz, rate], np.linalg.solve(matrix, force)])


times = np.linspace(0.0, 3.0, 61)
y = integrate(f, [0.0, 0.0, 0.0, 0.0], times, breaks=[START / SPEED, (START + WIDTH) / SPEED])
rows = []
for t, (z, angle, vz, rate) in zip(times, y):
    *_, strut, wheel, x, axes = terms(angle)
    assert tyre(t, z, wheel) > 0.0, "the tyre leaves the road: the kink needs a break of its own"
    rows.append([t, z, angle, x[0].v, wheel[1].v, z + wheel[2].v, strut.v, tyre(t, z, wheel)])
names = ["t", "heave.position", "lower_pivot.angle", "upper_pivot.angle", "upright.W.y", "upright.W.z", "strut.length", "tyre.fz"]
write(__file__, names, rows)
