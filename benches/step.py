"""Times of stepping a cart-pole from Python with the classical Runge-Kutta method and steps of 1 ms, compared with MuJoCo if it is installed.

    python step.py [loop] [reset] [rollout] [gym] [--json]

Without a name all parts run. Fails when a requirement of benches/README.md is missed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import biela
from biela import gym
from measuring import Report, in_turn, median

try:
    import mujoco
    import mujoco.rollout
except ImportError:
    mujoco = None

BENCHES = Path(__file__).resolve().parent
SIGNALS = ["rail.position", "hinge.angle", "rail.rate", "hinge.rate"]
STEP = 1e-3
REPETITIONS = 11
report = Report("step")


def cart_pole() -> biela.Model:
    return biela.load(BENCHES.parent / "crates/biela-py/python/biela/environments/cart-pole.toml")


def peer():
    """The same cart-pole in MuJoCo, hanging at the start."""
    model = mujoco.MjModel.from_xml_path(str(BENCHES / "models/cart-pole.xml"))
    data = mujoco.MjData(model)
    data.qpos[1] = np.pi
    return model, data


def speed(name: str, times: list[float], count: int, limit: float | None = None) -> None:
    """Prints repetitions of `count` steps as steps per second."""
    value, spread = count / median(times), (count / max(times), count / min(times))
    report.value(name, value, "1/s", f"≥ {limit:,.0f}" if limit else "", limit is None or value >= limit, spread)


def loop() -> None:
    """One call per step, with one input set and four signals read."""
    steps = 20_000
    pushes = np.sin(np.linspace(0.0, 100.0, steps)).tolist()
    simulation = cart_pole().simulation(signals=SIGNALS)
    out = np.empty(4)

    def ours() -> None:
        step = simulation.step
        for push in pushes:
            step(push, out)
            out[0], out[1], out[2], out[3]

    calls = {"ours": ours}
    if mujoco:
        model, data = peer()

        def theirs() -> None:
            step, ctrl, qpos, qvel = mujoco.mj_step, data.ctrl, data.qpos, data.qvel
            for push in pushes:
                ctrl[0] = push
                step(model, data)
                qpos[0], qpos[1], qvel[0], qvel[1]

        calls["mujoco"] = theirs
    times = in_turn(calls, REPETITIONS)
    speed("loop", times["ours"], steps, 300_000)
    if mujoco:
        speed("loop/mj_step", times["mujoco"], steps)
        ratio = median(times["mujoco"]) / median(times["ours"])
        report.value("loop/beside-mj_step", ratio, "times", "≥ 3", ratio >= 3)
        same_motion(simulation, model, data)


def same_motion(simulation: biela.Simulation, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The largest difference of the four signals between the programs after 1 s: both simulate the same mechanism."""
    simulation.reset()
    mujoco.mj_resetData(model, data)
    data.qpos[1] = np.pi
    for push in np.sin(np.linspace(0.0, 5.0, 1000)):
        found = simulation.step(push)
        data.ctrl[0] = push
        mujoco.mj_step(model, data)
    error = float(np.abs(found - np.concatenate([data.qpos, data.qvel])).max())
    report.value("loop/difference", error, "", "≤ 1e-9", error <= 1e-9)


def reset() -> None:
    """Return to the start, to coordinates, and to values of joints."""
    count = 2000
    simulation = cart_pole().simulation(signals=SIGNALS)
    q, v = simulation.state
    initial = {"hinge.angle": 3.0, "rail.position": 0.1}
    starts = {
        "reset": lambda: simulation.reset(),
        "reset/coordinates": lambda: simulation.reset(q, v),
        "reset/joints": lambda: simulation.reset(initial=initial),
    }
    step = simulation.step

    def repeated(start):
        def call() -> None:
            for _ in range(count):
                start()
                step(1.0)

        return call

    def only_step() -> None:
        for _ in range(count):
            step(1.0)

    times = in_turn({name: repeated(start) for name, start in starts.items()} | {"step": only_step}, REPETITIONS)
    for name in starts:
        each = [1e6 * (with_it - without) / count for with_it, without in zip(times[name], times["step"])]
        report.value(name, median(each), "µs", "≤ 20", median(each) <= 20, (min(each), max(each)))


def rollout() -> None:
    """1000 simulations of 100 steps with 2 threads, whose whole trajectories are returned."""
    count, steps, threads = 1000, 100, 2
    random = np.random.default_rng(1)
    start = random.uniform(-1, 1, (count, 4))
    pushes = random.uniform(-10, 10, (count, steps, 1))
    simulation = cart_pole().simulation(signals=SIGNALS)

    def ours():
        return simulation.rollout(steps=steps, dt=STEP, initial=start, inputs=pushes, threads=threads)

    calls = {"ours": ours}
    if mujoco:
        model, _ = peer()
        workers = [mujoco.MjData(model) for _ in range(threads)]
        states = np.hstack([np.zeros((count, 1)), start])
        runner = mujoco.rollout.Rollout(nthread=threads)

        def theirs():
            return runner.rollout(model, workers, states, pushes)

        calls["mujoco"] = theirs
    times = in_turn(calls, REPETITIONS)
    speed("rollout", times["ours"], count * steps)
    if mujoco:
        speed("rollout/mujoco.rollout", times["mujoco"], count * steps)
        ratio = median(times["ours"]) / median(times["mujoco"])
        report.value("rollout/beside-mujoco", ratio, "times", "≤ 0.2", ratio <= 0.2)
        error = float(np.abs(ours()[:, 1:] - theirs()[0][:, :, 1:]).max())
        report.value("rollout/difference", error, "", "≤ 1e-9", error <= 1e-9)


def environment() -> None:
    """Steps of the environment of Gymnasium, each of 20 steps of the integrator."""
    steps = 1000
    env = gym.CartPole()
    actions = np.random.default_rng(1).uniform(-1, 1, (steps, 1))

    def ours() -> None:
        env.reset(seed=1)
        for action in actions:
            env.step(action)

    speed("gym", in_turn({"ours": ours}, REPETITIONS)["ours"], steps, 10_000)


PARTS = {"loop": loop, "reset": reset, "rollout": rollout, "gym": environment}

if __name__ == "__main__":
    if mujoco is None:
        print("mujoco is not installed: cargo xtask bench step --peers", file=sys.stderr)
    chosen = [word for word in sys.argv[1:] if not word.startswith("--")]
    for part in chosen or PARTS:
        PARTS[part]()
    report.finish()
