"""The cases of the group `contact` in MuJoCo: soft contacts, with several steps and stiffnesses.

    python contact_mujoco.py CASE DURATION SAMPLES

prints one JSON object a line: setting, version, seconds (median processor time of the simulation alone) and the sampled values.
"""

import json
import math
import statistics
import sys
import time

import mujoco
import mujoco.rollout
import numpy as np

GRAVITY = 9.81
RUNS = 3
# settings slower than this, s, are run once
SLOW = 0.5


def damping_ratio(e):
    """The damping ratio of a linear contact that is released at zero force and has the coefficient of restitution e."""

    def restitution(zeta):
        root = math.sqrt(1 - zeta * zeta)
        return math.exp(-zeta / root * (math.pi - math.atan2(2 * zeta * root, 1 - 2 * zeta * zeta)))

    low, high = 0.0, 0.999
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if restitution(middle) > e else (low, middle)
    return low


def option(step, integrator, extra=""):
    return f'<option timestep="{step}" integrator="{integrator}" {extra}/>'


def ball(step, integrator, frequency, *_):
    """A disc-like ball in a vertical plane above the floor; its contact has e = 0.7."""
    solref = f"{-frequency**2} {-2 * damping_ratio(0.7) * frequency}"
    return f"""<mujoco>{option(step, integrator, f'gravity="0 0 {-GRAVITY}"')}
      <worldbody>
        <geom type="plane" size="1 1 1" solref="{solref}" solimp="0.9999 0.9999 0.001" friction="0" condim="1" priority="1"/>
        <body pos="0 0 1.1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>
          <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/><geom type="sphere" size="0.1" condim="1" friction="0"/></body>
      </worldbody></mujoco>""", [0, 0, 0, 0, 0, 0], 1


def slope(step, integrator, frequency, noslip):
    """A box that slides down a slope, stops and holds."""
    angle = math.atan(0.25)
    gravity = f'gravity="{GRAVITY * math.sin(angle)} 0 {-GRAVITY * math.cos(angle)}"'
    solref = f"{-frequency**2} {-2 * frequency}"
    extra = f'{gravity} cone="elliptic" impratio="100" noslip_iterations="{noslip}"'
    return f"""<mujoco>{option(step, integrator, extra)}
      <worldbody>
        <geom type="plane" size="9 9 1" solref="{solref}" solimp="0.9999 0.9999 0.001" friction="0.3 0 0" condim="3" priority="1"/>
        <body pos="0 0 0.1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>
          <inertial pos="0 0 0" mass="2" diaginertia="0.1 {2 * (0.4**2 + 0.2**2) / 12} 0.1"/><geom type="box" size="0.2 0.05 0.1" condim="3"/></body>
      </worldbody></mujoco>""", [0, 0, 0, 1, 0, 0], 0


def cam(step, integrator, frequency, *_):
    """An eccentric ball under a flat follower, at 1.5 times the speed of the first lift-off."""
    speed = 1.5 * math.sqrt(GRAVITY / 0.01)
    solref = f"{-frequency**2} {-2 * frequency}"
    start, rate = 0.01 * math.sin(-1.5), 0.01 * speed * math.cos(-1.5)
    return f"""<mujoco>{option(step, integrator, f'gravity="0 0 {-GRAVITY}"')}
      <worldbody>
        <body euler="0 {math.degrees(1.5)} 0"><joint type="hinge" axis="0 -1 0"/><inertial pos="0 0 0" mass="1" diaginertia="1e9 1e9 1e9"/>
          <geom type="sphere" size="0.05" pos="0.01 0 0" condim="1" solref="{solref}" solimp="0.9999 0.9999 0.001" priority="1"/></body>
        <body pos="0 0 0.05"><joint type="slide" axis="0 0 1"/><inertial pos="0 0 0.01" mass="1" diaginertia="0.01 0.01 0.01"/>
          <geom type="box" size="0.1 0.1 0.01" pos="0 0 0.01" condim="1"/></body>
      </worldbody></mujoco>""", [0, start, speed, rate], 1


CASES = {
    "ball": (ball, ["Euler", "RK4"], [None]),
    "slope": (slope, ["Euler"], [0, 10]),
    "cam": (cam, ["Euler", "RK4"], [None]),
}


def measure(make, step, integrator, share, noslip, duration, samples):
    text, start, index = make(step, integrator, share / step, noslip)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    count = round(duration / step)
    state = np.concatenate([[0.0], start])[None, :]
    times = []
    while len(times) < RUNS and not (times and times[0] > SLOW):
        mujoco.mj_resetData(model, data)
        begin = time.process_time()
        found, _ = mujoco.rollout.rollout(model, data, state, nstep=count)
        times.append(time.process_time() - begin)
    every = count // samples
    return statistics.median(times), found[0, every - 1 :: every, 1 + index]


def main():
    name, duration, samples = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    if name not in CASES:
        return
    make, integrators, noslips = CASES[name]
    for step in (1e-3, 1e-4, 1e-5):
        for integrator in integrators:
            for share in (0.1, 0.3, 1.0):
                for noslip in noslips:
                    seconds, values = measure(make, step, integrator, share, noslip, duration, samples)
                    words = [integrator, f"{step:g} s", f"ωh {share:g}"] + ([] if noslip is None else [f"noslip {noslip}"])
                    line = {"setting": ", ".join(words), "version": f"mujoco {mujoco.__version__}", "seconds": seconds, "values": values.tolist()}
                    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
