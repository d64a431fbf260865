"""Laws of motion from rest to rest in closed form, and a clamped cubic spline by scipy; forces are 2 kg times the acceleration."""

import pathlib
import sys

import numpy as np
from numpy.polynomial import Polynomial
from scipy.interpolate import CubicSpline

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

laws = [Polynomial([0, 0, 3, -2]), Polynomial([0, 0, 0, 10, -15, 6]), Polynomial([0, 0, 0, 0, 35, -84, 70, -20])]
spline = CubicSpline([0, 0.4, 0.9, 1.5, 2], [0, 0.5, 0.2, 0.8, 0], bc_type="clamped")
rows = []
for t in np.linspace(0, 2, 41):
    row = [t]
    for law in laws:
        row += [0.8 * law(t / 2), 0.4 * law.deriv()(t / 2)]
    # half a second of ramp, a second of 0.6 m/s, half a second of ramp
    row += [0.6 * t * t if t < 0.5 else 0.15 + 0.6 * (t - 0.5) if t < 1.5 else 0.9 - 0.6 * (2 - t) ** 2, min(1.2 * t, 0.6, 1.2 * (2 - t))]
    row += [spline(t), spline(t, 1)]
    row += [0.15 * (1 - np.cos(np.pi * t)), 0.15 * np.pi * np.sin(np.pi * t)]
    # the cubic's acceleration jumps to nothing at its end
    row += [2 * 0.2 * law.deriv(2)(t / 2) if t < 2 else np.nan for law in laws]
    row += [2 * spline(t, 2) if t < 2 else np.nan, 2 * 0.15 * np.pi**2 * np.cos(np.pi * t) if 0 < t < 2 else np.nan]
    rows.append(row)
names = [f"s{i}.{what}" for i in range(6) for what in ("position", "rate")] + [f"d{i}.effort" for i in (0, 1, 2, 4, 5)]
write(__file__, ["t", *names], rows)
path = pathlib.Path(__file__).with_name("reference.csv")
path.write_text(path.read_text().replace("nan", ""))
