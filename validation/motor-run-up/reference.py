"""Run-up along a falling line of torque: an exponential. Run-down by c w + d w^2: w = c w0 e/(c + d w0 (1 - e)), e = exp(-c t/J)."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

J, n, rotor, stall, idle, oil = 0.5, 40, 2e-4, 0.8, 300.0, 4e-4
wheel, c, d, w0 = 0.3, 0.02, 0.004, 60.0
whole = J + n * n * rotor
slope = n * n * (stall / idle + oil)  # torque lost at the drum for each unit of its speed
end, tau = n * stall / slope, whole / slope
rows = []
for t in np.linspace(0, 2, 41):
    w = end * (1 - np.exp(-t / tau))
    e = np.exp(-c * t / wheel)
    down = c * w0 * e / (c + d * w0 * (1 - e))
    turned = wheel / d * np.log(1 + d * w0 / c * (1 - e))
    rows.append([t, end * t - tau * w, w, stall * (1 - n * w / idle), turned, down])
write(__file__, ["t", "shaft.angle", "shaft.rate", "motor.torque", "axle.angle", "axle.rate"], rows)
