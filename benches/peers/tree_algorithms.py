"""Times of rigid-body algorithms on serial chains in Pinocchio and MuJoCo, one JSON object per line.

A package that is not installed is passed over. Calls go through Python, which adds its own cost to each.
"""

import json
import sys
import time

import numpy as np

CALLS = 5000


def clock(call):
    """Median processor time per call of five runs."""
    times = []
    for _ in range(5):
        start = time.thread_time()
        for _ in range(CALLS):
            call()
        times.append((time.thread_time() - start) / CALLS)
    return sorted(times)[2]


def tell(name, joints, algorithm, call):
    print(json.dumps({"name": name, "joints": joints, "algorithm": algorithm, "seconds": clock(call)}))


def pinocchio(joints):
    import pinocchio as pin

    model = pin.Model()
    parent = 0
    inertia = pin.Inertia(1.0, np.array([0.1, 0.02, 0.05]), np.diag([0.02, 0.03, 0.025]))
    place = pin.SE3.Identity()
    for i in range(joints):
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"joint{i}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        turn = pin.utils.rotate("x", np.pi / 2 if i % 2 == 0 else -np.pi / 2)
        place = pin.SE3(turn, np.array([0.3, 0.0, 0.1]))
    data = model.createData()
    q, v, a = (np.sin(np.arange(joints) + phase) for phase in (0.3, 1.1, 2.0))
    name = f"pinocchio {pin.__version__}"
    tell(name, joints, "rnea", lambda: pin.rnea(model, data, q, v, a))
    tell(name, joints, "crba", lambda: pin.crba(model, data, q))
    tell(name, joints, "aba", lambda: pin.aba(model, data, q, v, a))
    tell(name, joints, "rnea-derivatives", lambda: pin.computeRNEADerivatives(model, data, q, v, a))
    tell(name, joints, "aba-derivatives", lambda: pin.computeABADerivatives(model, data, q, v, a))


def mujoco(joints):
    import mujoco as mj

    body = ""
    for i in reversed(range(joints)):
        turn = "1.5707963 0 0" if i % 2 == 1 else "-1.5707963 0 0"
        place = '0 0 0' if i == 0 else '0.3 0 0.1'
        body = (
            f'<body pos="{place}" euler="{turn if i else "0 0 0"}"><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="0.1 0.02 0.05" mass="1" diaginertia="0.02 0.03 0.025"/>{body}</body>'
        )
    text = f'<mujoco><compiler angle="radian"/><worldbody>{body}</worldbody></mujoco>'
    model = mj.MjModel.from_xml_string(text)
    data = mj.MjData(model)
    data.qpos[:], data.qvel[:] = (np.sin(np.arange(joints) + phase) for phase in (0.3, 1.1))
    name = f"mujoco {mj.__version__}"
    tell(name, joints, "aba", lambda: mj.mj_forward(model, data))
    tell(name, joints, "rnea", lambda: mj.mj_inverse(model, data))


for run in (pinocchio, mujoco):
    for count in sys.argv[1:]:
        try:
            run(int(count))
        except ImportError:
            break
