"""SymPy derives the planar pendulum of N links by Kane's method and evaluates it; one JSON object per line.

Angles are relative to the link before and all masses and lengths are symbols, as in `models/pendulum-8.toml`. Nothing is simplified: SymPy's
`simplify` does not come to an end on eight links in a time worth waiting for.
"""

import json
import math
import sys
import time

import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

EVALUATIONS = 2000


def derive(links):
    q = dynamicsymbols(f"q1:{links + 1}")
    u = dynamicsymbols(f"u1:{links + 1}")
    m = sympy.symbols(f"m1:{links + 1}")
    l = sympy.symbols(f"l1:{links + 1}")
    g = sympy.symbols("g")
    ground = ReferenceFrame("N")
    end = Point("O")
    end.set_vel(ground, 0)
    frame, bodies, loads = ground, [], []
    omega = 0
    for i in range(links):
        link = frame.orientnew(f"L{i}", "Axis", [q[i], ground.z])
        omega += u[i]
        link.set_ang_vel(ground, omega * ground.z)
        center = end.locatenew(f"C{i}", l[i] / 2 * link.x)
        center.v2pt_theory(end, ground, link)
        moment = inertia(link, 0, 0, m[i] * l[i] ** 2 / 12)
        bodies.append(RigidBody(f"B{i}", center, link, m[i], (moment, center)))
        loads.append((center, -m[i] * g * ground.y))
        tip = end.locatenew(f"P{i}", l[i] * link.x)
        tip.v2pt_theory(end, ground, link)
        frame, end = link, tip
    equations = [u[i] - q[i].diff() for i in range(links)]
    kane = KanesMethod(ground, q_ind=q, u_ind=u, kd_eqs=equations)
    kane.kanes_equations(bodies, loads)
    return kane, [*q, *u, *m, *l, g]


def main(links):
    start = time.process_time()
    kane, symbols = derive(links)
    print(json.dumps({"name": "equations", "seconds": time.process_time() - start}))
    matrices = (kane.mass_matrix, kane.forcing)
    plain = [sympy.Symbol(f"x{i}") for i in range(len(symbols))]
    renamed = [matrix.subs(dict(zip(symbols, plain))) for matrix in matrices]
    function = sympy.lambdify(plain, renamed, modules="numpy", cse=True)
    values = [0.1 * math.sin(i) + 0.7 for i in range(len(symbols))]
    function(*values)
    start = time.process_time()
    for _ in range(EVALUATIONS):
        function(*values)
    seconds = (time.process_time() - start) / EVALUATIONS
    print(json.dumps({"name": "evaluate", "seconds": seconds}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
