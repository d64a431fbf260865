"""What MuJoCo makes of MJCF files, as JSON: python peers.py FILE... or python peers.py --equalities FILE QPOS...

For each file the joints and bodies in MuJoCo's order and, at three random states, mass matrix, bias, passive forces of springs,
dampers, dry friction and held weight, forces of actuators at random controls, and the poses of all bodies. Without files, those that the
package gymnasium brings. With --equalities, by how much the equalities of a file are missed at given joint positions.
"""

import json
import pathlib
import sys

import mujoco
import numpy as np


def state(model, data, random):
    """Random joints, in their ranges, and rates."""
    for j in range(model.njnt):
        q = model.jnt_qposadr[j]
        kind = model.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[q : q + 3] = random.uniform(-1, 1, 3)
            q += 3
        if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            turn = random.normal(size=4)
            data.qpos[q : q + 4] = turn / np.linalg.norm(turn)
        else:
            low, high = model.jnt_range[j] if model.jnt_limited[j] else (-1.5, 1.5)
            data.qpos[q] = random.uniform(low, high)
    data.qvel[:] = random.uniform(-2, 2, model.nv)
    data.ctrl[:] = random.uniform(-1.5, 1.5, model.nu)


def reference(path):
    """One file."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    random = np.random.default_rng(7)
    cases = []
    for _ in range(3):
        state(model, data, random)
        mujoco.mj_forward(model, data)
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        passive = data.qfrc_spring + data.qfrc_damper + data.qfrc_gravcomp
        # a constraint in MuJoCo, which at a joint that moves is at its bound
        passive -= model.dof_frictionloss * np.sign(data.qvel)
        cases.append(
            {
                "qpos": data.qpos.tolist(),
                "qvel": data.qvel.tolist(),
                "ctrl": data.ctrl.tolist(),
                "mass": mass.ravel().tolist(),
                "bias": data.qfrc_bias.tolist(),
                "passive": passive.tolist(),
                "actuator": data.qfrc_actuator.tolist(),
                "xpos": data.xpos.ravel().tolist(),
                "xquat": data.xquat.ravel().tolist(),
            }
        )
    return {
        "file": str(path),
        "joints": model.jnt_type.tolist(),
        "joints_of_bodies": model.body_jntnum.tolist(),
        "actuators": model.nu,
        "cases": cases,
    }


def equalities(path, *qpos):
    """Residuals of all rows of equalities."""
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    data.qpos[:] = [float(x) for x in qpos]
    mujoco.mj_forward(model, data)
    return data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY].tolist()


def main():
    files = sys.argv[1:]
    if files[:1] == ["--equalities"]:
        json.dump(equalities(*files[1:]), sys.stdout)
        return
    if not files:
        import gymnasium

        folder = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
        files = sorted(folder.glob("*.xml"))
    json.dump([reference(path) for path in files], sys.stdout)


main()
