"""Cases of the group `contact` in Siconos: rigid contacts with Moreau-Jean time stepping, with several steps.

    python contact_siconos.py CASE DURATION SAMPLES

prints one JSON object a line: setting, version, seconds (median processor time of the simulation alone) and the sampled values.
"""

import json
import math
import statistics
import sys
import time

import siconos.kernel as kernel
import siconos.numerics as numerics

GRAVITY = 9.81
RUNS = 3
# settings slower than this, s, are run once
SLOW = 0.5


def ball():
    """A ball in a vertical plane above the floor, e = 0.7."""
    body = kernel.LagrangianLinearTIDS([0, 1.1, 0], [0, 0, 0], [[2, 0, 0], [0, 2, 0], [0, 0, 0.1]])
    body.setFExtPtr([0, -2 * GRAVITY, 0])
    relation = kernel.LagrangianLinearTIR([[0, 1, 0]], [-0.1])
    return body, [kernel.Interaction(kernel.NewtonImpactNSL(0.7), relation)], kernel.LCP(), 1


def slope():
    """A box on two vertices that slides down a slope, stops and holds."""
    angle = math.atan(0.25)
    inertia = 2 * (0.4**2 + 0.2**2) / 12
    body = kernel.LagrangianLinearTIDS([0, 0.1, 0], [1, 0, 0], [[2, 0, 0], [0, 2, 0], [0, 0, inertia]])
    body.setFExtPtr([2 * GRAVITY * math.sin(angle), -2 * GRAVITY * math.cos(angle), 0])
    law = kernel.NewtonImpactFrictionNSL(0.0, 0.0, 0.3, 2)
    vertices = [[[0, 1, x], [1, 0, 0.1]] for x in (-0.2, 0.2)]
    relations = [kernel.LagrangianLinearTIR(rows, [-0.1, 0]) for rows in vertices]
    return body, [kernel.Interaction(law, relation) for relation in relations], kernel.FrictionContact(2), 0


CASES = {"ball": ball, "slope": slope}


def measure(make, step, duration, samples):
    times = []
    while len(times) < RUNS and not (times and times[0] > SLOW):
        body, interactions, solver, index = make()
        model = kernel.NonSmoothDynamicalSystem(0, duration + 2 * step)
        model.insertDynamicalSystem(body)
        for interaction in interactions:
            model.link(interaction, body)
        simulation = kernel.TimeStepping(model, kernel.TimeDiscretisation(0, step), kernel.MoreauJeanOSI(0.5), solver)
        every = round(duration / step) // samples
        values = []
        advance, following = simulation.computeOneStep, simulation.nextStep
        begin = time.process_time()
        for _ in range(samples):
            for _ in range(every):
                advance()
                following()
            values.append(float(body.q()[index]))
        times.append(time.process_time() - begin)
    return statistics.median(times), values


def main():
    name, duration, samples = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    if name not in CASES:
        return
    numerics.numerics_set_verbose(0)
    for step in (1e-2, 1e-3, 1e-4):
        seconds, values = measure(CASES[name], step, duration, samples)
        line = {"setting": f"{step:g} s", "version": "siconos", "seconds": seconds, "values": values}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
