"""A rod that bends and stretches under a load along its length that keeps its direction."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import bent_rod

lines, guess = [], -0.95
for step in range(1, 11):
    x, y, angle, guess = bent_rod(1, 1e4, 1, [0, 0], load=[0, -2 * step], guess=guess)
    lines.append(f"{step / 10:g},{x:.14g},{y:.14g},{angle:.14g},{guess:.14g}")
path = pathlib.Path(__file__).with_name("reference.csv")
path.write_text("\n".join(["system.load,strip.end.x,strip.end.y,strip.end.angle,strip.start.bending_moment", *lines]) + "\n")
