"""A rod that bends and stretches under a force across its end that follows it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import bent_rod

lines, guess = [], [0.9, 0.5]
for load in range(1, 13):
    x, y, angle, moment = bent_rod(1, 1e4, 1, [0, load], follows=True, guess=guess)
    guess = [moment, angle]
    lines.append(f"{load / 12:.14g},{x:.14g},{y:.14g},{angle:.14g}")
path = pathlib.Path(__file__).with_name("reference.csv")
path.write_text("\n".join(["system.load,strip.end.x,strip.end.y,strip.end.angle", *lines]) + "\n")
