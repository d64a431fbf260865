"""Bennett's linkage: tan(t1/2) tan(t2/2) = sin((beta + alpha)/2)/sin((beta - alpha)/2), t3 = -t1, t4 = -t2."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import write

a, b, alpha = 0.4, 0.25, np.radians(50)
beta = np.arcsin(b * np.sin(alpha) / a)
K = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
times = np.linspace(0, 1, 101)
t1 = 1 + 2 * np.pi * times
t2 = np.unwrap(2 * np.arctan2(K * np.cos(t1 / 2), np.sin(t1 / 2)))
# from t = tan(t1/2): t2' = -t1' K (1 + t^2)/(t^2 + K^2)
rate = -2 * np.pi * K / (np.sin(t1 / 2) ** 2 + K**2 * np.cos(t1 / 2) ** 2)
t2 += 2 * np.pi * np.round((2 * np.arctan(K / np.tan(0.5)) - t2[0]) / (2 * np.pi))
write(__file__, ["t", "h1.angle", "h2.angle", "h2.rate", "h3.angle", "h4.angle"], np.column_stack([times, t1, t2, rate, -t1, -t2]))
