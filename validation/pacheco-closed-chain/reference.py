"""The closed chain of thirty cylinders in 28 absolute angles (Lagrange's equations).

The loop of four equal sides stays a rhombus: sides 3 and 4 lie along −e(θ1) and −e(θ2), so the two angles replace the loop
equations, and nothing happens to them where the rhombus lies flat.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import bar, integrate, write

G, COUNT = 9.80665, 28
cylinder = bar(7801.0, 0.025, [-0.5, 0, 0], [0.5, 0, 0])
m, inertia = cylinder.mass, cylinder.inertia[2, 2]

# mass centre of body b: Σ_k centers[b, k] e(θ_k)
centers = np.zeros((30, COUNT))
centers[0, 0] = 0.5
centers[1, :2] = 1.0, 0.5
centers[2, :2] = 0.5, 1.0
centers[3, 1] = 0.5
for b in range(4, 30):
    centers[b, 0] = 1.0
    centers[b, 2 : b - 2] = 1.0
    centers[b, b - 2] = 0.5
# two sides of the rhombus turn with each of the first two angles
turning = inertia * np.diag([2.0, 2.0] + [1.0] * (COUNT - 2))
coupling = m * centers.T @ centers
weight = m * G * centers.sum(axis=0)


def f(_, y):
    angle, rate = y[:COUNT], y[COUNT:]
    # T = ½ Σ_ij A_ij cos(θi − θj) θ̇i θ̇j + ½ Σ_i J_i θ̇i²,   V = Σ_i w_i sin θi
    apart = angle[:, None] - angle[None, :]
    mass = coupling * np.cos(apart) + turning
    force = -weight * np.cos(angle) - (coupling * np.sin(apart)) @ rate**2
    return np.concatenate([rate, np.linalg.solve(mass, force)])


start = np.zeros(2 * COUNT)
start[1] = -np.pi / 2
times = np.linspace(0.0, 4.0, 9)
y = integrate(f, start, times)
angle, rate = y[:, :COUNT], y[:, COUNT:]
last = centers[-1]
columns = [
    np.cos(angle) @ last,
    np.sin(angle) @ last,
    -(np.sin(angle) * rate) @ last,
    (np.cos(angle) * rate) @ last,
    rate[:, -1],
]
names = ["t", "link30.x", "link30.y", "link30.vx", "link30.vy", "link30.omega_z"]
write(__file__, names, np.column_stack([times, *columns])[1:], digits=12)
