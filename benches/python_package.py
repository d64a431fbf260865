"""Times of the Python package: calls, many states at once, a controller; compared with Pinocchio if it is installed.

    python python_package.py [--json]

Fails when a requirement of benches/README.md is missed.
"""

from __future__ import annotations

import sys
import timeit
from pathlib import Path

import numpy as np

import biela
from measuring import Report

try:
    import pinocchio
except ImportError:
    pinocchio = None

ROOT = Path(__file__).resolve().parents[1]
STATES = 100_000
report = Report("python")


def best(action, number: int, repeat: int) -> float:
    """Seconds per call in the fastest of several rounds, because other processes can only add time."""
    return min(timeit.repeat(action, number=number, repeat=repeat)) / number


def calls(arm: biela.Tree) -> None:
    """The time of a call of inverse dynamics from Python relative to the same call in a loop of the engine."""
    random = np.random.default_rng(1)
    q, v, a = random.uniform(-1, 1, (3, arm.nv))
    out = np.empty(arm.nv)
    rnea = arm.rnea
    through = best(lambda: rnea(q, v, a, out), 1000, 200)
    # what the loop of the measurement itself and its closure cost
    empty = best(lambda: None, 1000, 200)
    rows = [np.tile(x, (1000, 1)) for x in (q, v, a)]
    outs = np.empty((1000, arm.nv))
    native = best(lambda: rnea(*rows, outs, 1), 1, 200) / 1000
    over = through - empty - native
    report.value("rnea/native", 1e6 * native, "µs")
    report.value("rnea/through-python", 1e6 * (through - empty), "µs")
    report.value("rnea/over-native", 1e6 * over, "µs", "≤ 0.3", over <= 0.3e-6)


def many(arm: biela.Tree) -> float:
    """Many states on one core and on all cores."""
    random = np.random.default_rng(2)
    states = random.uniform(-1, 1, (3, STATES, arm.nv))
    out = np.empty((STATES, arm.nv))
    one = best(lambda: arm.rnea(*states, out, 1), 1, 20)
    two = best(lambda: arm.rnea(*states, out, 2), 1, 20)
    every = best(lambda: arm.rnea(*states, out), 1, 20)
    report.value("batch/one-core", 1e3 * one, "ms")
    report.value("batch/two-cores", 1e3 * two, "ms")
    report.value("batch/speed-up", one / two, "times", "≥ 1.8", one / two >= 1.8)
    return every


def beside_pinocchio(every: float) -> None:
    """The same number of states of a chain of seven joints, one after the other with Pinocchio."""
    if pinocchio is None:
        print("pinocchio is not installed: cargo xtask bench python --peers", file=sys.stderr)
        return
    model = pinocchio.Model()
    joint = 0
    for k in range(7):
        axis = [pinocchio.JointModelRZ, pinocchio.JointModelRY][k % 2]()
        place = pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, 0.2]))
        joint = model.addJoint(joint, axis, place, f"j{k}")
        model.appendBodyToJoint(joint, pinocchio.Inertia.Random(), pinocchio.SE3.Identity())
    data = model.createData()
    states = np.random.default_rng(2).uniform(-1, 1, (3, STATES, 7))

    def loop() -> None:
        for q, v, a in zip(*states):
            pinocchio.rnea(model, data, q, v, a)

    peer = best(loop, 1, repeat=3)
    report.value("batch/pinocchio-loop", 1e3 * peer, "ms")
    report.value("batch/beside-pinocchio", peer / every, "times", "≥ 3", peer / every >= 3)


def controller() -> None:
    """A PD controller in Python at 1 kHz on an arm with six joints."""
    model = biela.load(ROOT / "examples/robots/ur-like/model.toml", set={"friction": 0})
    joints = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
    goal = np.array([0.5, -1.0, 1.2, 0.2, 0.3, 0.1])
    stiff, damp = np.array([400, 400, 300, 20, 20, 2.0]), np.array([40, 40, 30, 1, 1, 0.05])

    def law(t, q, v):
        return stiff * (goal - q) - damp * v

    model.controller(
        "pd",
        period="1 ms",
        inputs={"q": [f"{j}.angle" for j in joints], "v": [f"{j}.rate" for j in joints]},
        outputs={"tau": ["N*m"] * 6},
        law=law,
    )
    for k, joint in enumerate(joints):
        model.actuator(f"drive_{k}", joint=joint, effort=f"pd.tau_{k}")
    rates = []
    for _ in range(10):
        results = model.run(to="2 s", formulation="tree", integrator="rk4", step="1 ms", output_step="0.1 s")
        rates.append(2.0 / results.seconds)
    report.value("controller/real-time", max(rates), "times", "≥ 50", max(rates) >= 50)


if __name__ == "__main__":
    arm = biela.load(ROOT / "examples/robots/seven-axis/model.toml").tree()
    calls(arm)
    beside_pinocchio(many(arm))
    controller()
    report.finish()
