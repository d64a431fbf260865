"""Closed form of the conical pendulum: x = ρ cos Ωt, y = ρ sin Ωt, z = −r/√2, Ω = √(g/|z|), rod force √2 m g."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import write

R, G, M = 5.0, 9.81, 1.0
depth = rho = R / np.sqrt(2)
omega = np.sqrt(G / depth)
t = np.linspace(0.0, 30.0, 31)
a = omega * t
one = np.ones_like(t)
columns = [t, rho * np.cos(a), rho * np.sin(a), -depth * one, -rho * omega * np.sin(a), rho * omega * np.cos(a)]
columns += [0 * one, np.sqrt(2) * M * G * one]
write(__file__, ["t", "ball.x", "ball.y", "ball.z", "ball.vx", "ball.vy", "ball.vz", "rod.force"], np.column_stack(columns), 16)
