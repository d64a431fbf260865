"""The cases of the group `contact` in Exudyn: compliant contacts and bristle friction along one coordinate, with several steps and stiffnesses.

    python contact_exudyn.py CASE DURATION SAMPLES

prints one JSON object a line: setting, version, seconds (median processor time of the simulation alone) and the sampled values.
"""

import json
import math
import statistics
import sys
import time

# the build of Exudyn without range checks, its fastest
sys.exudynFast = True

import exudyn
import exudyn.itemInterface as item

GRAVITY = 9.81
RUNS = 3
# settings slower than this, s, are run once
SLOW = 0.5


def point(mbs, mass, position=0.0, velocity=0.0):
    """A mass on a rail, and the marker of its coordinate."""
    node = mbs.AddNode(item.Node1D(referenceCoordinates=[0.0], initialCoordinates=[position], initialVelocities=[velocity]))
    mbs.AddObject(item.ObjectMass1D(mass=mass, nodeNumber=node))
    return node, mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))


def ground(mbs):
    node = mbs.AddNode(item.NodePointGround())
    return mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))


def ball(mbs, frequency):
    """A mass above the floor with e = 0.7 by the model of impacts that the program recommends."""
    node, marker = point(mbs, 2.0, 1.0)
    mbs.AddLoad(item.LoadCoordinate(markerNumber=marker, load=-2.0 * GRAVITY))
    history = mbs.AddNode(item.NodeGenericData(numberOfDataCoordinates=2, initialCoordinates=[1.0, 0.0]))
    mbs.AddObject(
        item.ObjectContactCoordinate(
            markerNumbers=[ground(mbs), marker],
            nodeNumber=history,
            contactStiffness=2.0 * frequency**2,
            contactDamping=0.0,
            restitutionCoefficient=0.7,
            minimumImpactVelocity=1e-3,
            impactModel=2,
        )
    )
    return node, 0.1


def friction(mbs, marker, other, dynamic, static, frequency, **more):
    history = mbs.AddNode(item.NodeGenericData(numberOfDataCoordinates=3, initialCoordinates=[1.0, 0.0, 0.0]))
    mass = 1.0
    mbs.AddObject(
        item.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=[other, marker],
            nodeNumber=history,
            dynamicFrictionForce=dynamic,
            staticFrictionOffsetForce=static - dynamic,
            stickingStiffness=mass * frequency**2,
            stickingDamping=2 * mass * frequency,
            exponentialDecayStatic=1e-6,
            frictionProportionalZone=0,
            **more,
        )
    )


def slope(mbs, frequency):
    """A mass with the friction of a block of 2 kg on a slope; its normal force is constant."""
    angle = math.atan(0.25)
    node, marker = point(mbs, 2.0, 0.0, 1.0)
    mbs.AddLoad(item.LoadCoordinate(markerNumber=marker, load=2.0 * GRAVITY * math.sin(angle)))
    force = 0.3 * 2.0 * GRAVITY * math.cos(angle)
    friction(mbs, marker, ground(mbs), force, force, frequency)
    return node, 0.0


def belt(mbs, frequency):
    """A mass of 1 kg on a spring and a belt."""
    node, marker = point(mbs, 1.0, 0.4 * GRAVITY / 100.0, 0.1)
    mbs.AddObject(item.ObjectConnectorCoordinateSpringDamper(markerNumbers=[ground(mbs), marker], stiffness=100.0))
    _, moving = point(mbs, 1e12, 0.0, 0.1)
    friction(mbs, marker, moving, 0.3 * GRAVITY, 0.4 * GRAVITY, frequency)
    return node, 0.0


def cam(mbs, frequency):
    """A follower on a heavy oscillator, whose harmonic motion is that of an eccentric cam."""
    speed = 1.5 * math.sqrt(GRAVITY / 0.01)
    start, rate = 0.01 * math.sin(-1.5), 0.01 * speed * math.cos(-1.5)
    _, lift = point(mbs, 1e12, start, rate)
    mbs.AddObject(item.ObjectConnectorCoordinateSpringDamper(markerNumbers=[ground(mbs), lift], stiffness=1e12 * speed**2))
    node, marker = point(mbs, 1.0, start, rate)
    mbs.AddLoad(item.LoadCoordinate(markerNumber=marker, load=-GRAVITY))
    history = mbs.AddNode(item.NodeGenericData(numberOfDataCoordinates=1, initialCoordinates=[0.0]))
    mbs.AddObject(
        item.ObjectContactCoordinate(
            markerNumbers=[lift, marker],
            nodeNumber=history,
            contactStiffness=frequency**2,
            contactDamping=2 * frequency,
        )
    )
    return node, 0.05


CASES = {"ball": ball, "slope": slope, "belt": belt, "cam": cam}


def settings(step, duration, samples):
    chosen = exudyn.SimulationSettings()
    chosen.timeIntegration.numberOfSteps = round(duration / step)
    chosen.timeIntegration.endTime = duration
    chosen.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    chosen.timeIntegration.verboseMode = 0
    chosen.solution.file.write = False
    chosen.solution.sensors.writePeriod = duration / samples
    chosen.parallel.numberOfThreads = 1
    return chosen


def measure(make, step, share, duration, samples):
    times = []
    while len(times) < RUNS and not (times and times[0] > SLOW):
        mbs = exudyn.SystemContainer().AddSystem()
        node, shift = make(mbs, share / step)
        position = exudyn.OutputVariableType.Coordinates
        sensor = mbs.AddSensor(item.SensorNode(nodeNumber=node, outputVariableType=position, storeInternal=True))
        mbs.Assemble()
        chosen = settings(step, duration, samples)
        begin = time.process_time()
        mbs.SolveDynamic(chosen)
        times.append(time.process_time() - begin)
    stored = mbs.GetSensorStoredData(sensor)
    instants = [duration * (k + 1) / samples for k in range(samples)]
    values = [float(stored[abs(stored[:, 0] - t).argmin(), 1]) + shift for t in instants]
    return statistics.median(times), values


def main():
    name, duration, samples = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    if name not in CASES:
        return
    for step in (1e-3, 1e-4, 1e-5):
        for share in (0.1, 0.3, 1.0):
            try:
                seconds, values = measure(CASES[name], step, share, duration, samples)
            except exudyn.SolverError:
                # the solver has stopped
                continue
            line = {"setting": f"{step:g} s, ωh {share:g}", "version": f"exudyn {exudyn.config.Version()}", "seconds": seconds, "values": values}
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
