"""s = r cos(a) + sqrt(l^2 - (e - r sin(a))^2), with derivatives by Taylor numbers; the motor's torque is m s'' s'/W."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import Jet, write

r, l, e, W, m = 0.05, 0.18, 0.02, 20.0, 0.8
rows = []
for t in np.linspace(0, 0.4, 101):
    a = Jet(W * t, W)
    rise = e - a.sin() * r
    s = a.cos() * r + (l * l - rise * rise).sqrt()
    rows.append([t, s.v, s.d, s.dd, np.arcsin(rise.v / l), m * s.dd * s.d / W])
write(__file__, ["t", "guide.position", "guide.rate", "guide.acceleration", "rod.angle", "motor.effort"], rows)
