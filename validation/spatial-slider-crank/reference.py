"""The spatial slider-crank of examples/spatial/spatial-slider-crank as one equation in the crank angle.

J(θ) θ̈ + ½ J'(θ) θ̇² + V'(θ) = 0; the rod's axes follow from its ends and from the cross at the slider.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Jet, angular, bar, box, first, integrate, round_solid, second, value, write

G, STEEL = 9.81, 7850.0
R, L, Y0, Z0 = 0.080, 0.300, 0.100, 0.120
crank = bar(STEEL, 0.008, [0, 0, 0], [0, 0, R]) + round_solid(STEEL, 0.070, 0.0, [-0.040, 0, 0], [-0.020, 0, 0])
rod = bar(STEEL, 0.007, [0, 0, 0], [L, 0, 0])
slider = box(STEEL, [0.060, 0.060, 0.060], [0, 0, 0])


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def place(theta):
    """Crank pin, slider position and the axes of the rod, as jets of the crank angle."""
    t = Jet(theta, 1.0)
    pin = [Jet(0.0), Y0 - R * t.sin(), Z0 + R * t.cos()]
    x = (L**2 - pin[1] * pin[1] - pin[2] * pin[2]).sqrt()
    ex = [x / L, -1 * pin[1] / L, -1 * pin[2] / L]
    level = (ex[0] * ex[0] + ex[1] * ex[1]).sqrt()
    # the cross keeps the second axis of the rod level: perpendicular to the arm along z that the slider holds
    ey = [-1 * ex[1] / level, ex[0] / level, Jet(0.0)]
    return pin, x, [ex, ey, cross(ex, ey)]


def crank_center(theta):
    t = Jet(theta, 1.0)
    x, y, z = crank.center
    return [Jet(x), Y0 + t.cos() * y - t.sin() * z, Z0 + t.sin() * y + t.cos() * z]


def f(_, y):
    theta, rate = y
    pin, x, axes = place(theta)
    center = [p + L / 2 * e for p, e in zip(pin, axes[0])]
    total, slope, gravity = crank.inertia[0, 0], 0.0, 0.0
    for mass, p in [(crank.mass, crank_center(theta)), (rod.mass, center), (slider.mass, [x, Jet(0.0), Jet(0.0)])]:
        d1, d2 = first(p), second(p)
        total += mass * d1 @ d1
        slope += 2 * mass * d1 @ d2
        gravity += mass * G * d1[2]
    w, dw = angular(axes)
    along, across = rod.inertia[0, 0], rod.inertia[1, 1]
    spin, dspin = value(axes[0]) @ w, first(axes[0]) @ w + value(axes[0]) @ dw
    total += across * w @ w + (along - across) * spin**2
    slope += 2 * (across * w @ dw + (along - across) * spin * dspin)
    return [rate, -(0.5 * slope * rate**2 + gravity) / total]


times = np.linspace(0.0, 3.0, 61)
y = integrate(f, [0.0, 90 * 2 * np.pi / 60], times)
rows = []
for t, (theta, rate) in zip(times, y):
    _, x, (ex, ey, _) = place(theta)
    angle1 = np.arctan2(ex[1].v, ex[0].v)
    angle2 = np.arcsin(-ex[2].v)
    rows.append([t, theta, rate, x.v, x.d * rate, angle1, angle2])
names = ["t", "shaft.angle", "shaft.rate", "slider.x", "slider.vx", "cross.angle1", "cross.angle2"]
write(__file__, names, rows)
