"""A rod that bends and stretches under a load at its end that keeps its direction; checked in the limit of a rod that does not stretch
against elliptic integrals (K. Mattiasson, Int. J. Numer. Meth. Engng 17 (1981) 145-153)."""

import pathlib
import sys

import mpmath as mp

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from reference_tools import bent_rod


def elastica(load):
    """End of an inextensible cantilever, P L^2/EI = load, and the angle of its end."""

    def length(angle):
        k2 = (1 + mp.sin(angle)) / 2
        return mp.ellipk(k2) - mp.ellipf(mp.asin(1 / mp.sqrt(2 * k2)), k2) - mp.sqrt(load)

    angle = mp.findroot(length, (0.3, 1.45), solver="anderson")
    k2 = (1 + mp.sin(angle)) / 2
    down = 1 - 2 / mp.sqrt(load) * (mp.ellipe(k2) - mp.ellipe(mp.asin(1 / mp.sqrt(2 * k2)), k2))
    return mp.sqrt(2 * mp.sin(angle) / load), -down, -angle


lines, moment = [], 0.0
for load in range(1, 11):
    thin = bent_rod(1, 1e12, 1, [0, -load], guess=-0.9 * load if load == 1 else moment)
    for ours, exact in zip(thin, elastica(load)):
        assert abs(ours - exact) < 2e-11, (load, ours, exact)
    x, y, angle, moment = bent_rod(1, 1e4, 1, [0, -load], guess=thin[3])
    lines.append(f"{load / 10:g},{x:.14g},{y:.14g},{angle:.14g},{moment:.14g}")
path = pathlib.Path(__file__).with_name("reference.csv")
path.write_text("\n".join(["system.load,strip.end.x,strip.end.y,strip.end.angle,strip.start.bending_moment", *lines]) + "\n")
