"""The falling chain of the `chain` group in Exudyn: bars and revolute joints, generalized-alpha of index 3.

    python exudyn_chain.py planar|spatial BARS [BARS ...]

prints one JSON object a line: space, bars, version, seconds (median CPU time of the solution alone) and tip [x, y].
"""

import json
import statistics
import sys
import time

# the build of Exudyn without range checks, its fastest
sys.exudynFast = True

import exudyn
import exudyn.itemInterface as item

LENGTH, WIDTH, MASS = 0.25, 0.02, 0.1
ACROSS = MASS * (LENGTH**2 + WIDTH**2) / 12
ALONG = MASS * WIDTH**2 / 6
GRAVITY = [0, -9.81, 0]
RUNS = 3


def bar(mbs, space, centre):
    """One bar with its mass centre at (centre, 0); returns the number of its body."""
    if space == "planar":
        node = mbs.AddNode(item.NodeRigidBody2D(referenceCoordinates=[centre, 0, 0]))
        return mbs.AddObject(item.ObjectRigidBody2D(mass=MASS, inertia=ACROSS, nodeNumber=node))
    node = mbs.AddNode(item.NodeRigidBodyEP(referenceCoordinates=[centre, 0, 0, 1, 0, 0, 0]))
    inertia = [ALONG, ACROSS, ACROSS, 0, 0, 0]
    return mbs.AddObject(item.ObjectRigidBody(mass=MASS, inertia=inertia, nodeNumber=node))


def chain(space, bars):
    """The system in its initial state, and its last body."""
    joint = item.ObjectJointRevolute2D if space == "planar" else item.ObjectJointRevoluteZ
    mbs = exudyn.SystemContainer().AddSystem()
    body = mbs.AddObject(item.ObjectGround())
    last = mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body))
    for i in range(bars):
        body = bar(mbs, space, (i + 0.5) * LENGTH)
        mass = mbs.AddMarker(item.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=GRAVITY))
        ends = [
            mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0]))
            for x in (-LENGTH / 2, LENGTH / 2)
        ]
        mbs.AddObject(joint(markerNumbers=[last, ends[0]]))
        last = ends[1]
    mbs.Assemble()
    return mbs, body


def settings():
    """Steps of 1 ms for 1 s; the Jacobian is updated only when Newton's iteration converges slowly."""
    chosen = exudyn.SimulationSettings()
    chosen.timeIntegration.numberOfSteps = 1000
    chosen.timeIntegration.endTime = 1
    chosen.timeIntegration.newton.useModifiedNewton = True
    chosen.timeIntegration.generalizedAlpha.spectralRadius = 0.95
    chosen.timeIntegration.verboseMode = 0
    chosen.solution.file.write = False
    chosen.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    chosen.parallel.numberOfThreads = 1
    return chosen


def measure(space, bars):
    seconds = []
    for _ in range(RUNS):
        mbs, body = chain(space, bars)
        chosen = settings()
        start = time.process_time()
        mbs.SolveDynamic(chosen)
        seconds.append(time.process_time() - start)
    tip = mbs.GetObjectOutputBody(body, exudyn.OutputVariableType.Position, [LENGTH / 2, 0, 0])
    return {
        "space": space,
        "bars": bars,
        "version": exudyn.config.Version(),
        "seconds": statistics.median(seconds),
        "tip": [float(tip[0]), float(tip[1])],
    }


if __name__ == "__main__":
    for bars in sys.argv[2:]:
        print(json.dumps(measure(sys.argv[1], int(bars))), flush=True)
