"""What Pinocchio makes of robot descriptions: masses, bias forces and poses of links at random configurations.

usage: urdf_peers.py OUT.json [ROBOT.urdf ...]

Takes every robot of the package example-robot-data and those named. OUT.json has a list of robots: path, error or null, and cases. A
case gives the joints that move by name with position and rate, in the order of the rows of M (as rows) and of the bias, and the pose
of every link by name (rotation by rows, then position). Where joints follow others, `reduced` has the names of those that do not and
the mass matrix in their rates alone.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pinocchio as pin

CASES = 3


def published():
    """The URDF files of example-robot-data, which installs them beside Pinocchio's own library."""
    for folder in map(Path, sys.path):
        robots = folder / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if robots.is_dir():
            return sorted(robots.rglob("*.urdf"))
    sys.exit("example-robot-data is not installed")


def resisted(model):
    """For each joint, whether anything beyond it has inertia."""
    has = [inertia.mass > 0 or np.any(inertia.inertia) for inertia in model.inertias]
    for joint in reversed(range(1, model.njoints)):
        has[model.parents[joint]] |= has[joint]
    return has


def draw(model, random):
    """A configuration within the limits, and rates; joints that nothing resists rest where they start."""
    q, v = pin.neutral(model), np.zeros(model.nv)
    positions = {}
    moves = resisted(model)
    for joint in range(1, model.njoints):
        j = model.joints[joint]
        if j.nv == 0:
            continue
        if j.nq == 2:
            lower, upper = -math.pi, math.pi
        else:
            lower, upper = model.lowerPositionLimit[j.idx_q], model.upperPositionLimit[j.idx_q]
            if not lower < upper:
                lower, upper = -math.pi, math.pi
        value = random.uniform(max(lower, -math.pi), min(upper, math.pi))
        rate = random.uniform(-1, 1)
        if not moves[joint]:
            value, rate = min(max(0.0, lower), upper), 0.0
        if j.nq == 2:
            q[j.idx_q : j.idx_q + 2] = math.cos(value), math.sin(value)
        else:
            q[j.idx_q] = value
        v[j.idx_v] = rate
        positions[model.names[joint]] = value
    return q, v, positions


def case(model, data, random):
    q, v, positions = draw(model, random)
    mass = pin.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    bias = pin.nonLinearEffects(model, data, q, v)
    pin.framesForwardKinematics(model, data, q)
    order = sorted((model.joints[j].idx_v, model.names[j]) for j in range(1, model.njoints))
    links = {}
    for i, frame in enumerate(model.frames):
        if frame.type == pin.FrameType.BODY:
            place = data.oMf[i]
            links[frame.name] = [*place.rotation.ravel(), *place.translation]
    return {
        "joints": [[name, positions[name], v[k]] for k, name in order],
        "mass": mass.ravel().tolist(),
        "bias": bias.tolist(),
        "links": links,
    }


def reduced(path, full):
    """The mass matrix of the independent joint velocities at zero; none where there is no such joint, or where
    Pinocchio cannot read it: the joint that is followed must come first there."""
    try:
        model = pin.buildModelFromUrdf(str(path), mimic=True)
    except ValueError:
        return None
    if model.nv == full.nv:
        return None
    q = pin.neutral(model)
    mass = pin.crba(model, model.createData(), q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    order = sorted((j.idx_v, model.names[i]) for i, j in enumerate(model.joints) if i and j.nq)
    return {"joints": [name for _, name in order], "mass": mass.ravel().tolist()}


def robot(path):
    try:
        model = pin.buildModelFromUrdf(str(path))
    except Exception as error:
        return {"path": str(path), "error": str(error).splitlines()[0]}
    random = np.random.default_rng(2008)
    data = model.createData()
    if any(model.joints[j].nv != 1 for j in range(1, model.njoints)):
        return {"path": str(path), "error": "a joint has several coordinates"}
    return {
        "path": str(path),
        "error": None,
        "cases": [case(model, data, random) for _ in range(CASES)],
        "reduced": reduced(path, model),
    }


def main():
    out, *more = sys.argv[1:]
    robots = [robot(path) for path in [*published(), *map(Path, more)]]
    Path(out).write_text(json.dumps(robots))


if __name__ == "__main__":
    main()
