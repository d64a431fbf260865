"""Lee's frame as a rod that bends and stretches, turned by a right angle at the rigid connection: shooting from the foot.

Unknown are the force and the angle at the foot; the far hinge must be where it is, without a moment. Writes reference.csv.
"""

import pathlib

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

EA, PRESSED = 43200.0, 0.2


def march(state, length, force):
    """x, y, angle and moment after a length of rod, which carries the force on."""

    def slope(_, y):
        c, s = np.cos(y[2]), np.sin(y[2])
        stretch = 1 + (force[0] * c + force[1] * s) / EA
        return [stretch * c, stretch * s, y[3], stretch * (s * force[0] - c * force[1])]

    return solve_ivp(slope, (0, length), state, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]


def frame(unknown):
    """Pressed point and far end. The force is that of what is beyond on what is before."""
    fx, fy, angle, load = unknown
    corner = march([0, 0, angle, 0], 1, (fx, fy))
    corner[2] -= np.pi / 2
    pressed = march(corner, PRESSED, (fx, fy))
    return pressed, march(pressed, 1 - PRESSED, (fx, fy + load))


# along the way of the pressed point, past the load at which the frame snaps
guess, loads = np.array([0, -0.1, np.pi / 2, 0.1]), []
lines, wanted = [], [2.0 * k for k in range(1, 10)]
for k in range(1, 51):
    before = guess

    def misses(unknown, u=0.01 * k):
        pressed, far = frame(unknown)
        return [pressed[1] - (1 - u), far[0] - 1, far[1] - 1, far[3]]

    guess = fsolve(misses, guess, xtol=1e-12)
    loads.append(guess[3])
    while wanted and before[3] < wanted[0] <= guess[3]:
        load = wanted.pop(0)
        share = (load - before[3]) / (guess[3] - before[3])

        def under_load(unknown, load=load):
            far = frame([*unknown, load])[1]
            return [far[0] - 1, far[1] - 1, far[3]]

        found = fsolve(under_load, (before + share * (guess - before))[:3], xtol=1e-13)
        assert max(map(abs, under_load(found))) < 1e-10
        pressed = frame([*found, load])[0]
        row = [load / 18, *pressed[:3], -found[0], -found[1]]
        lines.append(",".join(f"{x:.12g}" for x in row))
print("largest load", max(loads))
names = "system.load,beam.pressed.x,beam.pressed.y,beam.pressed.angle,foot.reaction.fx,foot.reaction.fy"
pathlib.Path(__file__).with_name("reference.csv").write_text("\n".join([names, *lines]) + "\n")
