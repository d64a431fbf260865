"""Small tools shared by the reference scripts: truncated Taylor numbers, mass properties of solids, and the CSV writer.

The scripts need numpy and scipy. Each one derives the motion in minimal coordinates, without constraint equations, so it
shares no equation with the engine it checks.
"""

import csv
import pathlib

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve, newton


class Jet:
    """A number with its first and second derivative."""

    __slots__ = ("v", "d", "dd")

    def __init__(self, v, d=0.0, dd=0.0):
        self.v, self.d, self.dd = v, d, dd

    @staticmethod
    def of(x):
        return x if isinstance(x, Jet) else Jet(x)

    def __add__(self, o):
        o = Jet.of(o)
        return Jet(self.v + o.v, self.d + o.d, self.dd + o.dd)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.v, -self.d, -self.dd)

    def __sub__(self, o):
        return self + (-Jet.of(o))

    def __rsub__(self, o):
        return Jet.of(o) - self

    def __mul__(self, o):
        o = Jet.of(o)
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.dd * o.v + 2 * self.d * o.d + self.v * o.dd)

    __rmul__ = __mul__

    def apply(self, f, df, ddf):
        """f of this number, with the derivatives of f at its value."""
        return Jet(f, df * self.d, df * self.dd + ddf * self.d**2)

    def __truediv__(self, o):
        o = Jet.of(o)
        return self * o.apply(1 / o.v, -1 / o.v**2, 2 / o.v**3)

    def __rtruediv__(self, o):
        return Jet.of(o) / self

    def sqrt(self):
        r = self.v**0.5
        return self.apply(r, 0.5 / r, -0.25 / r**3)

    def sin(self):
        return self.apply(np.sin(self.v), np.cos(self.v), -np.sin(self.v))

    def cos(self):
        return self.apply(np.cos(self.v), -np.sin(self.v), -np.cos(self.v))


def value(vector):
    return np.array([x.v for x in vector])


def first(vector):
    return np.array([x.d for x in vector])


def second(vector):
    return np.array([x.dd for x in vector])


def angular(axes):
    """Angular velocity and its derivative from three orthonormal vectors of jets: w = ½ Σ e × e'."""
    w = sum(np.cross(value(e), first(e)) for e in axes) / 2
    dw = sum(np.cross(value(e), second(e)) for e in axes) / 2
    return w, dw


class Solid:
    """Mass, mass centre and inertia matrix about the mass centre."""

    def __init__(self, mass, center, inertia):
        self.mass, self.center, self.inertia = mass, np.asarray(center, float), np.asarray(inertia, float)

    def __add__(self, o):
        mass = self.mass + o.mass
        center = (self.mass * self.center + o.mass * o.center) / mass

        def moved(s):
            r = s.center - center
            return s.inertia + s.mass * (r @ r * np.eye(3) - np.outer(r, r))

        return Solid(mass, center, moved(self) + moved(o))

    def scaled(self, mass):
        return Solid(mass, self.center, self.inertia * (mass / self.mass))


def round_solid(density, outer, inner, start, end):
    """A cylinder or tube between two points."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    length = np.linalg.norm(end - start)
    axis = (end - start) / length
    mass = density * np.pi * (outer**2 - inner**2) * length
    along = mass * (outer**2 + inner**2) / 2
    across = mass * (3 * (outer**2 + inner**2) + length**2) / 12
    inertia = across * np.eye(3) + (along - across) * np.outer(axis, axis)
    return Solid(mass, (start + end) / 2, inertia)


def bar(density, radius, start, end):
    return round_solid(density, radius, 0.0, start, end)


def box(density, size, center):
    x, y, z = size
    mass = density * x * y * z
    return Solid(mass, center, mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y]))


def integrate(f, y0, times, breaks=()):
    """Values of y at the times, by DOP853 at the tightest tolerance, started anew at times where f is not smooth."""
    times = np.asarray(times, float)
    rows, y, t = [], np.asarray(y0, float), times[0]
    ends = [b for b in breaks if t < b < times[-1]] + [times[-1]]
    for end in ends:
        inside = times[(times >= t) & (times < end)]
        out = solve_ivp(f, (t, end), y, method="DOP853", rtol=3e-14, atol=1e-15, t_eval=np.append(inside, end))
        assert out.success, out.message
        rows.extend(out.y.T[:-1])
        y, t = out.y[:, -1], end
    rows.append(y)
    return np.array(rows)


def write(script, names, rows, digits=14):
    """Writes reference.csv beside the script."""
    path = pathlib.Path(script).with_name("reference.csv")
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(names)
        for row in rows:
            out.writerow([f"{row[0]:.10g}"] + [f"{x:.{digits}g}" for x in row[1:]])
    print(f"{path.parent.name}: {len(rows)} rows")


def bent_rod(EI, EA, L, end_force, load=(0.0, 0.0), follows=False, guess=0.0):
    """A planar rod that bends and stretches, clamped along x at its start: x, y, angle of its end and the moment at its start.

    s along the rod without stress, force F(s) of what is beyond s on what is before: M' = EI angle'' = -(r' x F),
    r' = (1 + F·t/EA) t. An end force along the ground's axes and a load by length, or (`follows`) an end force in the axes of the end.
    The moment (for a force that follows: the end angle) is searched from `guess`, so that M vanishes at the end.
    """
    end_force, load = np.asarray(end_force, float), np.asarray(load, float)

    def march(moment, angle):
        force = end_force
        if follows:
            c, s = np.cos(angle), np.sin(angle)
            force = np.array([c * end_force[0] - s * end_force[1], s * end_force[0] + c * end_force[1]])

        def slope(s, y):
            c, d = np.cos(y[2]), np.sin(y[2])
            F = force + load * (L - s)
            stretch = 1 + (F[0] * c + F[1] * d) / EA
            return [stretch * c, stretch * d, y[3] / EI, stretch * (d * F[0] - c * F[1])]

        return solve_ivp(slope, (0, L), [0, 0, 0, moment], method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]

    if not follows:
        moment = newton(lambda m: march(m, 0)[3], guess, tol=1e-14)
        return (*march(moment, 0)[:3], moment)
    moment, angle = fsolve(lambda u: [march(*u)[3], march(*u)[2] - u[1]], guess, xtol=1e-12)
    return (*march(moment, angle)[:3], moment)
