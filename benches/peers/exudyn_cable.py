"""The falling cable of the `beam` group in Exudyn: ANCF cable elements in the plane, generalized-alpha of index 3.

    python exudyn_cable.py ELEMENTS [ELEMENTS ...]

prints one JSON object a line: elements, version, seconds (median CPU time of the solution alone) and tip [x, y].
"""

import json
import statistics
import sys
import time

# the build of Exudyn without range checks, its fastest
sys.exudynFast = True

import exudyn
import exudyn.itemInterface as item

LENGTH, WIDTH, YOUNG, DENSITY = 2.0, 0.02, 1e8, 1000.0
AREA, INERTIA = WIDTH**2, WIDTH**4 / 12
RUNS = 3


def cable(elements):
    """The system in its initial state, and its last node."""
    mbs = exudyn.SystemContainer().AddSystem()
    piece = LENGTH / elements
    nodes = [
        mbs.AddNode(item.NodePoint2DSlope1(referenceCoordinates=[i * piece, 0, 1, 0]))
        for i in range(elements + 1)
    ]
    for first, second in zip(nodes, nodes[1:]):
        element = mbs.AddObject(
            item.ObjectANCFCable2D(
                physicsLength=piece,
                physicsMassPerLength=DENSITY * AREA,
                physicsBendingStiffness=YOUNG * INERTIA,
                physicsAxialStiffness=YOUNG * AREA,
                nodeNumbers=[first, second],
            )
        )
        mass = mbs.AddMarker(item.MarkerBodyMass(bodyNumber=element))
        mbs.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=[0, -9.81, 0]))
    ground = mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=mbs.AddObject(item.ObjectGround())))
    start = mbs.AddMarker(item.MarkerNodePosition(nodeNumber=nodes[0]))
    mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=[ground, start]))
    mbs.Assemble()
    return mbs, nodes[-1]


def settings():
    """Steps of 1 ms for 1 s; the Jacobian is updated only when Newton's iteration converges slowly."""
    chosen = exudyn.SimulationSettings()
    chosen.timeIntegration.numberOfSteps = 1000
    chosen.timeIntegration.endTime = 1
    chosen.timeIntegration.newton.useModifiedNewton = True
    chosen.timeIntegration.generalizedAlpha.spectralRadius = 0.7
    chosen.timeIntegration.verboseMode = 0
    chosen.solution.file.write = False
    chosen.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    chosen.parallel.numberOfThreads = 1
    return chosen


def measure(elements):
    seconds = []
    for _ in range(RUNS):
        mbs, end = cable(elements)
        chosen = settings()
        start = time.process_time()
        mbs.SolveDynamic(chosen)
        seconds.append(time.process_time() - start)
    tip = mbs.GetNodeOutput(end, exudyn.OutputVariableType.Position)
    return {
        "elements": elements,
        "version": exudyn.config.Version(),
        "seconds": statistics.median(seconds),
        "tip": [float(tip[0]), float(tip[1])],
    }


if __name__ == "__main__":
    for elements in sys.argv[1:]:
        print(json.dumps(measure(int(elements))), flush=True)
